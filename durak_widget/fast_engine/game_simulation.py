"""Whole games, many of them: how often each seat won, lost and was the fool; by the kernel, or the plain way with the same answers."""

from __future__ import annotations

from dataclasses import dataclass
from struct import unpack
from typing import TYPE_CHECKING, Final

from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.state import dealt_state
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.fast_engine.engine_instance import by_kernel
from durak_widget.fast_engine.policies import chooser, policies_named
from durak_widget.fast_engine.random_generator import SplitMix, stirred
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.fast_engine.engine_instance import Machine

SLICE: Final = 60_000
"""So many moves are played before anybody may interrupt: some milliseconds."""
_SEATS: Final = 6
_TALLY: Final = "<27Q"


@dataclass(frozen=True)
class WholeGames:
    """What came of many games.

    >>> from durak_widget import fast_engine
    >>> made = fast_engine.games("podkidnoy", count=100, seed=1, policy="careful")
    >>> made.count, sum(made.won) + made.drawn
    (100, 100)
    """

    count: int
    won: tuple[int, ...]
    """How often each seat won."""
    lost: tuple[int, ...]
    fool: tuple[int, ...]
    """How often each was the fool."""
    drawn: int
    worn: tuple[int, int, int]
    """How often the fool wore no epaulette, one, or two."""
    plies: int
    """How many moves were made in all."""
    bouts: int
    digest: str
    """What tells these games from others: two runs with one digest played the same games."""

    def __str__(self) -> str:
        lines = [f"{self.count} games, {self.plies / max(self.count, 1):.1f} moves each"]
        lines += [
            f"seat {seat}: won {won}, lost {lost}, the fool {fool} times"
            for seat, (won, lost, fool) in enumerate(zip(self.won, self.lost, self.fool, strict=True))
        ]
        return "\n".join([*lines, f"drawn: {self.drawn}"])


def games(rules: Rules | str | None = None, *, count: int = 1000, seed: int = 1, policy: str | Sequence[str] = "random") -> WholeGames:
    """Whole games, each from a deal of its own, and what came of them; the same for the same seed wherever they are played.

    `policy` is what all seats play, or a list of one for each: `"random"`, `"first"` (the first legal move) or `"careful"`, the bot of that name.

    >>> from durak_widget import fast_engine
    >>> print(fast_engine.games("podkidnoy", count=1000, seed=1, policy=["careful", "random"]))
    1000 games, 57.2 moves each
    seat 0: won 986, lost 13, the fool 13 times
    seat 1: won 13, lost 986, the fool 986 times
    drawn: 1
    """
    by = Rules.of(rules)
    many, start = number_in("count", count, 10**12), number_in("seed", seed, (1 << 64) - 1)
    policies = policies_named(policy, kit_of(by).players)
    return by_kernel(by, lambda machine: _by_kernel(machine, many, start, policies)) or _plainly(by, many, start, policies)


def number_in(name: str, value: object, most: int) -> int:
    """A whole number that is asked for under that name, from 0 to the most."""
    number = whole_number(value)
    if number is None or not 0 <= number <= most:
        raise DurakError(f"{name}={quoted(value)} is not a whole number from 0 to {most}")
    return number


# By the kernel


def _by_kernel(machine: Machine, count: int, seed: int, policies: Sequence[int]) -> WholeGames | None:
    """Slice by slice; None where a game had more of something than the kernel holds."""
    machine.hand(seed, count)
    machine.running.call("askGames", sum(policy << 3 * seat for seat, policy in enumerate(policies)))
    while not machine.running.call("playGames", SLICE):
        pass  # between two slices whoever waits may interrupt, and other threads run
    tally = unpack(_TALLY, machine.running.read(machine.layout["TALLY"], 8 * 27))
    seats = len(policies)
    won, lost, fool = (tally[start : start + seats] for start in (0, _SEATS, 2 * _SEATS))
    drawn, plies, bouts, digest, played, overflows = tally[21:]
    return None if overflows else WholeGames(played, won, lost, fool, drawn, tally[18:21], plies, bouts, f"{digest:016x}")


# The plain way


def _plainly(rules: Rules, count: int, seed: int, policies: Sequence[int]) -> WholeGames:
    kit = kit_of(rules)
    seats = range(kit.players)
    won, lost, fool, worn = [0] * len(seats), [0] * len(seats), [0] * len(seats), [0, 0, 0]
    drawn = plies = bouts = digest = 0
    choose = [chooser(policy) for policy in policies]
    for number in range(count):
        chance = SplitMix(stirred(seed ^ stirred(number)))
        dealer, deck = chance.below(kit.players), list(kit.deck)
        chance.shuffle(deck)
        state = dealt_state(kit, deck, dealer)
        state_transitions.begin(state)
        while state.actor is not None:
            state_transitions.play(state, choose[state.actor](state, chance))
        outcome = state.outcome
        assert outcome is not None  # noqa: S101 - nobody is at turn
        for seat in outcome.winners:
            won[seat] += 1
        for seat in outcome.losers:
            lost[seat] += 1
        if outcome.fool is not None:
            fool[outcome.fool] += 1
            worn[outcome.epaulettes] += 1
        drawn += not outcome.winners
        plies += state.ply
        bouts += state.bout
        winners = sum(1 << seat for seat in outcome.winners)
        said = state.ply << 32 | state.bout << 16 | winners << 8 | (7 if outcome.fool is None else outcome.fool) << 4 | outcome.epaulettes
        digest = stirred(digest ^ said ^ chance.seed)
    return WholeGames(count, tuple(won), tuple(lost), tuple(fool), drawn, (worn[0], worn[1], worn[2]), plies, bouts, f"{digest:016x}")
