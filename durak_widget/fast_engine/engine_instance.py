"""A running fast engine with rules loaded, one for each thread that uses it."""

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
atexit.register(lambda: vars(_HERE).clear())  # like the host in `wasm_host`


class TooMuchError(Exception):
    """A state is too large for the fast engine; the Python engine can play it."""


class Machine:
    """A running fast engine with rules and a state loaded."""

    def __init__(self, running: Running) -> None:
        self.running, self.layout = running, running.layout
        self.rules: Rules | None = None
        self.ending = 0
        """The number of the endgame that was opened last; calls return -1 once it is closed."""

    def load(self, rules: Rules) -> None:
        """Load rules, unless they are loaded already."""
        if rules != self.rules:
            self.rules = None
            self.running.write(self.layout["IMAGE"], _image(rules, tuple(self.layout.items())))
            if not self.running.call("imageStands"):
                raise host().failed(ValueError("it does not take the image of the rules"))
            self.rules = rules

    def lay(self, state: State) -> None:
        """Load the rules of a state and the state itself."""
        self.load(state.kit.rules)
        layout = self.layout
        max_attacks, max_shown = (layout["BEATS"] - layout["ATTACKS"]) // 2, (layout["EMPTIED"] - layout["SHOWN"]) // 2
        if len(state.past) > layout["MOST_PAST"] or len(state.attacks) > max_attacks or len(state.shown) > max_shown:
            raise TooMuchError
        self.running.write(self.layout["STATE"], moment(state, self.layout))

    def state(self, before: State) -> State:
        """Return the current state, given an earlier state of the same game."""
        head = self.running.read(self.layout["STATE"], self.layout["STATE_SIZE"])
        fields = read_moment(head, self.layout, before.kit.players)
        if fields["overflow"]:
            raise TooMuchError
        total_size = len(head) + fields["past"] * self.layout["STRIDE"]
        return state_read(self.running.read(self.layout["STATE"], total_size), self.layout, before)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves in the loaded state."""
        count = self.running.call("legalMoves")
        if count >= self.layout["MOST_MOVES"]:
            raise TooMuchError
        numbers: tuple[int, ...] = unpack(f"<{count}Q", self.running.read(self.layout["LIST"], 8 * count))
        return tuple(map(move_numbered, numbers))

    def play(self, move: Move) -> None:
        """Make a legal move."""
        self.hand(move_number(move))
        self.running.call("play")

    def careful(self) -> Move:
        """Return the move of the careful bot."""
        self.running.call("careful")
        return move_numbered(self.handed())

    def hand(self, *numbers: int) -> None:
        """Write 64-bit numbers to the inbox of the fast engine."""
        self.running.write(self.layout["INBOX"], pack(f"<{len(numbers)}Q", *numbers))

    def handed(self) -> int:
        """Return the number in the inbox."""
        return int.from_bytes(self.running.read(self.layout["INBOX"], 8), "little")


@lru_cache(maxsize=64)
def _image(rules: Rules, layout: tuple[tuple[str, int], ...]) -> bytes:
    return rules_image(rules, dict(layout))


def machine_for(rules: Rules) -> Machine | None:
    """Return this thread's fast engine with these rules loaded; None if it can't be used.

    That is so without WebAssembly, for rules that it can't play, and while it answers another question. Call it through `by_kernel`,
    which also handles a host that fails.
    """
    return None if _busy() else _with(rules)


def _busy() -> bool:
    """Return whether this thread's fast engine is answering a question.

    Code that runs between two slices of the answer, such as a signal handler, must not ask another.
    """
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
    """Return the fast engine's answer; None if the Python engine has to answer.

    None if there is no fast engine, if it can't play these rules or the state is too large, if its host fails, and while it answers
    another question.
    """
    if _busy():
        return None
    try:
        _HERE.busy = True  # inside `try`, so that an interrupt resets it
        machine = _with(rules)
        return None if machine is None else ask(machine)
    except (HostError, TooMuchError):
        return None
    finally:
        _HERE.busy = False
