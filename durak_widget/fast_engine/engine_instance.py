"""A running fast engine with loaded rules; each thread that uses it has its own."""

from __future__ import annotations

import atexit
import threading
from functools import lru_cache
from struct import pack, unpack
from typing import TYPE_CHECKING, Final, TypeVar

from durak_widget.fast_engine.state_encoding import decode_move, decode_state, decode_state_fields, encode_move, encode_rules, encode_state
from durak_widget.fast_engine.supported_rules import explain_unsupported_rules
from durak_widget.fast_engine.wasm_host import HostError, get_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.wasm_host import WasmInstance
    from durak_widget.rules.ruleset import Rules

_Answer = TypeVar("_Answer")
_THREAD_LOCAL: Final = threading.local()
atexit.register(lambda: vars(_THREAD_LOCAL).clear())  # Free the engines before Python shuts down, as in `wasm_host`


class StateTooLargeError(Exception):
    """An error for a state too large for the fast engine; the Python engine can play it."""


class EngineInstance:
    """A running fast engine with loaded rules and a loaded state of a game."""

    def __init__(self, wasm: WasmInstance) -> None:
        self.wasm, self.layout = wasm, wasm.layout
        self.rules: Rules | None = None
        self.open_endgame = 0
        """The number of the endgame opened last; calls that need it return -1 after it is closed."""

    def load_rules(self, rules: Rules) -> None:
        """Load rules into the fast engine, unless they are loaded already."""
        if rules != self.rules:
            self.rules = None
            self.wasm.write(self.layout["IMAGE"], _cached_rules_image(rules, tuple(self.layout.items())))
            if not self.wasm.call("imageStands"):
                raise get_host().record_failure(ValueError("it does not take the image of the rules"))
            self.rules = rules

    def load_state(self, state: State) -> None:
        """Load a state and its rules into the fast engine."""
        self.load_rules(state.compiled_rules.rules)
        layout = self.layout
        max_attacks, max_shown = (layout["BEATS"] - layout["ATTACKS"]) // 2, (layout["EMPTIED"] - layout["SHOWN"]) // 2
        if len(state.repeatable_positions) > layout["MOST_PAST"] or len(state.attacks) > max_attacks or len(state.shown_trumps) > max_shown:
            raise StateTooLargeError
        self.wasm.write(self.layout["STATE"], encode_state(state, self.layout))

    def read_state(self, earlier_state: State) -> State:
        """Return the fast engine's state as a `State`, given an earlier state of the same game."""
        head = self.wasm.read(self.layout["STATE"], self.layout["STATE_SIZE"])
        fields = decode_state_fields(head, self.layout, earlier_state.compiled_rules.player_count)
        if fields["overflow"]:
            raise StateTooLargeError
        total_size = len(head) + fields["past"] * self.layout["STRIDE"]
        return decode_state(self.wasm.read(self.layout["STATE"], total_size), self.layout, earlier_state)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves in the loaded state."""
        count = self.wasm.call("legalMoves")
        if count >= self.layout["MOST_MOVES"]:
            raise StateTooLargeError
        numbers: tuple[int, ...] = unpack(f"<{count}Q", self.wasm.read(self.layout["LIST"], 8 * count))
        return tuple(map(decode_move, numbers))

    def play(self, move: Move) -> None:
        """Make a legal move in the loaded state."""
        self.write_inbox(encode_move(move))
        self.wasm.call("play")

    def choose_careful_move(self) -> Move:
        """Return the move that the careful bot would choose in the loaded state."""
        self.wasm.call("careful")
        return decode_move(self.read_inbox())

    def write_inbox(self, *numbers: int) -> None:
        """Write 64-bit numbers to the memory area in which the fast engine reads its input."""
        self.wasm.write(self.layout["INBOX"], pack(f"<{len(numbers)}Q", *numbers))

    def read_inbox(self) -> int:
        """Return the number in the memory area for the fast engine's input and output."""
        return int.from_bytes(self.wasm.read(self.layout["INBOX"], 8), "little")


@lru_cache(maxsize=64)
def _cached_rules_image(rules: Rules, layout: tuple[tuple[str, int], ...]) -> bytes:
    return encode_rules(rules, dict(layout))


def get_engine_instance(rules: Rules) -> EngineInstance | None:
    """Return the current thread's fast engine with given rules; None if it can't be used.

    That is so without WebAssembly, for rules that it can't play, and while it answers another question. Call it through `ask_fast_engine`,
    which also handles a host that fails.
    """
    return None if _is_busy() else _load_engine_instance(rules)


def _is_busy() -> bool:
    """Return whether the current thread's fast engine is busy with a call.

    Code that runs between two slices of the answer, such as a signal handler, must not ask another.
    """
    return getattr(_THREAD_LOCAL, "busy", False)


def _load_engine_instance(rules: Rules) -> EngineInstance | None:
    if not get_host().is_working:
        return None
    machine: EngineInstance | None = getattr(_THREAD_LOCAL, "machine", None)
    if machine is not None and machine.rules is rules:
        return machine
    if explain_unsupported_rules(rules) is not None:
        return None
    try:
        if machine is None:
            machine = _THREAD_LOCAL.machine = EngineInstance(get_host().start())
        machine.load_rules(rules)
    except HostError:
        return None
    return machine


def ask_fast_engine(rules: Rules, question: Callable[[EngineInstance], _Answer]) -> _Answer | None:
    """Return the fast engine's answer; return None if the Python engine must answer instead.

    None if there is no fast engine, if it can't play these rules or the state is too large, if its host fails, and while it answers
    another question.
    """
    if _is_busy():
        return None
    try:
        _THREAD_LOCAL.busy = True  # These calls are inside `try`, so that an interrupt resets the engine
        machine = _load_engine_instance(rules)
        return None if machine is None else question(machine)
    except (HostError, StateTooLargeError):
        return None
    finally:
        _THREAD_LOCAL.busy = False
