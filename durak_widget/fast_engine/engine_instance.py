"""Runs an instance of the fast engine for each thread, and loads rules and states into it."""

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
atexit.register(lambda: vars(_THREAD_LOCAL).clear())  # Free the instances here: wasmtime can't do so later, while Python shuts down.


class StateTooLargeError(Exception):
    """The error for a state that is too large for the fast engine."""


class EngineInstance:
    """A running instance of the fast engine, with the rules and the state loaded into it."""

    def __init__(self, wasm: WasmInstance) -> None:
        self.wasm, self.layout = wasm, wasm.layout
        self.rules: Rules | None = None
        self.open_endgame = 0
        """The number of the endgame that was opened last."""

    def load_rules(self, rules: Rules) -> None:
        """Load rules into the fast engine, unless they are already loaded."""
        if rules != self.rules:
            self.rules = None
            self.wasm.write(self.layout["IMAGE"], _cached_rules_image(rules, tuple(self.layout.items())))
            if not self.wasm.call("imageStands"):
                raise get_host().record_failure(ValueError("it does not accept these rules"))
            self.rules = rules

    def load_state(self, state: State) -> None:
        """Load a game state and its rules into the fast engine."""
        self.load_rules(state.compiled_rules.rules)
        layout = self.layout
        max_attacks, max_shown = (layout["BEATS"] - layout["ATTACKS"]) // 2, (layout["EMPTIED"] - layout["SHOWN"]) // 2
        if len(state.repeatable_positions) > layout["MOST_PAST"] or len(state.attacks) > max_attacks or len(state.shown_trumps) > max_shown:
            raise StateTooLargeError
        self.wasm.write(self.layout["STATE"], encode_state(state, self.layout))

    def read_state(self, earlier_state: State) -> State:
        """Read the state out of the fast engine; `earlier_state` is from earlier in this game."""
        head = self.wasm.read(self.layout["STATE"], self.layout["STATE_SIZE"])
        fields = decode_state_fields(head, self.layout, earlier_state.compiled_rules.player_count)
        if fields["overflow"]:
            raise StateTooLargeError
        total_size = len(head) + fields["past"] * self.layout["STRIDE"]
        return decode_state(self.wasm.read(self.layout["STATE"], total_size), self.layout, earlier_state)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves in the state that is loaded into the fast engine."""
        count = self.wasm.call("legalMoves")
        if count >= self.layout["MOST_MOVES"]:
            raise StateTooLargeError
        numbers: tuple[int, ...] = unpack(f"<{count}Q", self.wasm.read(self.layout["LIST"], 8 * count))
        return tuple(map(decode_move, numbers))

    def play(self, move: Move) -> None:
        """Make a legal move in the state that is loaded into the fast engine."""
        self.write_inbox(encode_move(move))
        self.wasm.call("play")

    def choose_careful_move(self) -> Move:
        """Return the move of the careful bot in the state that is loaded into the fast engine."""
        self.wasm.call("careful")
        return decode_move(self.read_inbox())

    def write_inbox(self, *numbers: int) -> None:
        """Write 64-bit numbers to the memory area from which the fast engine reads its input."""
        self.wasm.write(self.layout["INBOX"], pack(f"<{len(numbers)}Q", *numbers))

    def read_inbox(self) -> int:
        """Read a number from the memory area to which the fast engine writes its output."""
        return int.from_bytes(self.wasm.read(self.layout["INBOX"], 8), "little")


@lru_cache(maxsize=64)
def _cached_rules_image(rules: Rules, layout: tuple[tuple[str, int], ...]) -> bytes:
    return encode_rules(rules, dict(layout))


def get_engine_instance(rules: Rules) -> EngineInstance | None:
    """Return this thread's fast engine with the rules loaded; None if it can't be used now.

    It can't be used without WebAssembly, for rules that it can't play, or during another call. `ask_fast_engine` also handles a host that fails
    during the call.
    """
    return None if _is_busy() else _load_engine_instance(rules)


def _is_busy() -> bool:
    """Return whether the current thread's fast engine is in the middle of a call.

    Code that runs during the call, such as a signal handler, must not start another call.
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
    """Call a function with this thread's fast engine; return None if that is impossible.

    The fast engine can't be used if there is none, if it can't play these rules, if the state is too large, if its host fails, or during another
    call. The caller then has to use the Python engine.
    """
    if _is_busy():
        return None
    try:
        _THREAD_LOCAL.busy = True  # Set `busy` inside `try`, so that it is also reset after an interrupt.
        machine = _load_engine_instance(rules)
        return None if machine is None else question(machine)
    except (HostError, StateTooLargeError):
        return None
    finally:
        _THREAD_LOCAL.busy = False
