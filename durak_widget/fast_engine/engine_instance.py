"""A kernel with a rule set in it, one in each thread that asks for it: a moment is laid on it, its moves are listed and made."""

from __future__ import annotations

import atexit
import threading
from functools import lru_cache
from struct import pack, unpack
from typing import TYPE_CHECKING, Final, TypeVar

from durak_widget.fast_engine.state_encoding import moment, move_number, move_numbered, read_moment, rules_image, state_read
from durak_widget.fast_engine.supported_rules import why_not
from durak_widget.fast_engine.wasm_host import HostError, host

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.wasm_host import Running
    from durak_widget.rules.ruleset import Rules

_Found = TypeVar("_Found")
_HERE: Final = threading.local()
atexit.register(lambda: vars(_HERE).clear())  # as `hosts` lets go


class TooMuchError(Exception):
    """There is more of something in a moment than the kernel has room for; the plain engine has room."""


class Machine:
    """A kernel that runs."""

    def __init__(self, running: Running) -> None:
        self.running, self.layout = running, running.layout
        self.rules: Rules | None = None
        self.ending = 0
        """The number of the ending that was last opened here; the kernel says -1 where it is open no more."""

    def load(self, rules: Rules) -> None:
        """Play by these rules from now on."""
        if rules != self.rules:
            self.rules = None
            self.running.write(self.layout["IMAGE"], _image(rules, tuple(self.layout.items())))
            if not self.running.call("imageStands"):
                raise host().failed(ValueError("it does not take the image of the rules"))
            self.rules = rules

    def lay(self, state: State) -> None:
        """Stand where a state does, under its rules."""
        self.load(state.kit.rules)
        layout = self.layout
        laid, shown = (layout["BEATS"] - layout["ATTACKS"]) // 2, (layout["EMPTIED"] - layout["SHOWN"]) // 2
        if len(state.past) > layout["MOST_PAST"] or len(state.attacks) > laid or len(state.shown) > shown:
            raise TooMuchError
        self.running.write(self.layout["STATE"], moment(state, self.layout))

    def state(self, before: State) -> State:
        """Where it stands now, in a game that was at that state before."""
        head = self.running.read(self.layout["STATE"], self.layout["STATE_SIZE"])
        found = read_moment(head, self.layout, before.kit.players)
        if found["overflow"]:
            raise TooMuchError
        whole = len(head) + found["past"] * self.layout["STRIDE"]
        return state_read(self.running.read(self.layout["STATE"], whole), self.layout, before)

    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves there."""
        count = self.running.call("legalMoves")
        if count >= self.layout["MOST_MOVES"]:
            raise TooMuchError
        numbers: tuple[int, ...] = unpack(f"<{count}Q", self.running.read(self.layout["LIST"], 8 * count))
        return tuple(map(move_numbered, numbers))

    def play(self, move: Move) -> None:
        """Carry out a legal move."""
        self.hand(move_number(move))
        self.running.call("play")

    def careful(self) -> Move:
        """What the careful bot would play."""
        self.running.call("careful")
        return move_numbered(self.handed())

    def hand(self, *numbers: int) -> None:
        """Hand numbers of 64 bits over."""
        self.running.write(self.layout["INBOX"], pack(f"<{len(numbers)}Q", *numbers))

    def handed(self) -> int:
        """The number that was handed over."""
        return int.from_bytes(self.running.read(self.layout["INBOX"], 8), "little")


@lru_cache(maxsize=64)
def _image(rules: Rules, layout: tuple[tuple[str, int], ...]) -> bytes:
    return rules_image(rules, dict(layout))


def machine_for(rules: Rules) -> Machine | None:
    """The kernel of this thread with these rules in it; None where there is none, where it cannot play them, or while it answers a question.

    Whoever asks something of it does so through `by_kernel`, which goes on where its host fails.
    """
    return None if _busy() else _with(rules)


def _busy() -> bool:
    """Whether a question is being answered in this thread: whatever runs between two slices of it, such as the handler of a signal, must not ask another."""
    return getattr(_HERE, "busy", False)


def _with(rules: Rules) -> Machine | None:
    if not host().works:
        return None
    machine: Machine | None = getattr(_HERE, "machine", None)
    if machine is not None and machine.rules is rules:
        return machine
    if why_not(rules) is not None:
        return None
    try:
        if machine is None:
            machine = _HERE.machine = Machine(host().start())
        machine.load(rules)
    except HostError:
        return None
    return machine


def by_kernel(rules: Rules, ask: Callable[[Machine], _Found]) -> _Found | None:
    """What the kernel answers under these rules; None where the plain way has to be taken.

    That is so where there is no kernel, where it cannot play these rules or has no room, where its host fails in the middle, and in the midst of
    another question.
    """
    if _busy():
        return None
    try:
        _HERE.busy = True  # in here, so that whoever interrupts does not leave it so
        machine = _with(rules)
        return None if machine is None else ask(machine)
    except (HostError, TooMuchError):
        return None
    finally:
        _HERE.busy = False
