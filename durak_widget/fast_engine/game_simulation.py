"""Simulates many whole games and counts how often each seat won, lost and was the fool.

The policies are `random`, `first` (the first legal move) and `careful` (the bot of that name). WebAssembly and plain Python give the same
results for the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from struct import unpack
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, SUITS, Card, CardSet, folded
from durak_widget.engine import cheapest_move, state_transitions
from durak_widget.engine.cheapest_move import face_prices
from durak_widget.engine.compiled_rules import COUNTS, kit_of, mask_of_trumps
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE
from durak_widget.engine.state import ADD, OPEN, dealt_state
from durak_widget.errors import BotError, DurakError, nearest, quoted, whole_number
from durak_widget.fast_engine.engine_instance import by_kernel
from durak_widget.fast_engine.random_generator import SplitMix, stirred
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import Machine

    Chooser = Callable[[State, SplitMix], Move]

SLICE: Final = 60_000
"""The number of moves between two points where the caller can interrupt: some milliseconds."""
_SEATS: Final = 6
_TALLY: Final = "<27Q"
POLICIES: Final = ("random", "first", "careful")
"""The policies; the index of one is its number in the fast engine."""
_SUITED: Final = (1 << 52) - 1
_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The masks of all twos; shifted, of any other rank."""


@dataclass(frozen=True)
class WholeGames:
    """The results of many simulated games.

    >>> from durak_widget import fast_engine
    >>> made = fast_engine.games("podkidnoy", count=100, seed=1, policy="careful")
    >>> made.count, sum(made.won) + made.drawn
    (100, 100)
    """

    count: int
    won: tuple[int, ...]
    """The number of wins of each seat."""
    lost: tuple[int, ...]
    fool: tuple[int, ...]
    """The number of times each seat was the fool."""
    drawn: int
    worn: tuple[int, int, int]
    """The number of games in which the fool wore no, one or two epaulettes."""
    plies: int
    """The number of moves in all games."""
    bouts: int
    digest: str
    """A hash of all games: two runs with the same digest played the same games."""

    def __str__(self) -> str:
        lines = [f"{self.count} games, {self.plies / max(self.count, 1):.1f} moves each"]
        lines += [
            f"seat {seat}: won {won}, lost {lost}, the fool {fool} times"
            for seat, (won, lost, fool) in enumerate(zip(self.won, self.lost, self.fool, strict=True))
        ]
        return "\n".join([*lines, f"drawn: {self.drawn}"])


def games(rules: Rules | str | None = None, *, count: int = 1000, seed: int = 1, policy: str | Sequence[str] = "random") -> WholeGames:
    """Play many whole games, each from its own deal, and return the results.

    The results are the same for the same seed on every computer. `policy` is one policy for all seats, or a list with one for each:
    `"random"`, `"first"` (the first legal move) or `"careful"`, the bot of that name.

    >>> from durak_widget import fast_engine
    >>> print(fast_engine.games("podkidnoy", count=1000, seed=1, policy=["careful", "random"]))
    1000 games, 57.2 moves each
    seat 0: won 986, lost 13, the fool 13 times
    seat 1: won 13, lost 986, the fool 986 times
    drawn: 1
    """
    checked_rules = Rules.of(rules)
    game_count, first_seed = number_in("count", count, 10**12), number_in("seed", seed, (1 << 64) - 1)
    policies = policies_named(policy, kit_of(checked_rules).players)
    return by_kernel(checked_rules, lambda machine: _by_kernel(machine, game_count, first_seed, policies)) or _plainly(
        checked_rules, game_count, first_seed, policies
    )


def number_in(name: str, value: object, most: int) -> int:
    """Return a whole number from 0 to `most`; refuse anything else."""
    number = whole_number(value)
    if number is None or not 0 <= number <= most:
        raise DurakError(f"{name}={quoted(value)} is not a whole number from 0 to {most}")
    return number


# In the fast engine
def _by_kernel(machine: Machine, count: int, seed: int, policies: Sequence[int]) -> WholeGames | None:
    """Play in the fast engine, slice by slice; None if a game was too large for it."""
    machine.hand(seed, count)
    machine.running.call("askGames", sum(policy << 3 * seat for seat, policy in enumerate(policies)))
    while not machine.running.call("playGames", SLICE):
        pass  # between two slices the caller can interrupt, and other threads run
    tally = unpack(_TALLY, machine.running.read(machine.layout["TALLY"], 8 * 27))
    seats = len(policies)
    won, lost, fool = (tally[start : start + seats] for start in (0, _SEATS, 2 * _SEATS))
    drawn, plies, bouts, digest, played, overflows = tally[21:]
    return None if overflows else WholeGames(played, won, lost, fool, drawn, tally[18:21], plies, bouts, f"{digest:016x}")


# In Python
def _plainly(rules: Rules, count: int, seed: int, policies: Sequence[int]) -> WholeGames:
    compiled = kit_of(rules)
    seats = range(compiled.players)
    won, lost, fool, worn = [0] * len(seats), [0] * len(seats), [0] * len(seats), [0, 0, 0]
    drawn = plies = bouts = digest = 0
    choose = [chooser(policy) for policy in policies]
    for number in range(count):
        rng = SplitMix(stirred(seed ^ stirred(number)))
        dealer, deck = rng.below(compiled.players), list(compiled.deck)
        rng.shuffle(deck)
        state = dealt_state(compiled, deck, dealer)
        state_transitions.begin(state)
        while state.actor is not None:
            state_transitions.play(state, choose[state.actor](state, rng))
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
        summary = (
            state.ply << 32 | state.bout << 16 | winners << 8 | (7 if outcome.fool is None else outcome.fool) << 4 | outcome.epaulettes
        )
        digest = stirred(digest ^ summary ^ rng.seed)
    return WholeGames(count, tuple(won), tuple(lost), tuple(fool), drawn, (worn[0], worn[1], worn[2]), plies, bouts, f"{digest:016x}")


def policies_named(policy: object, players: int) -> list[int]:
    """Return the number of each seat's policy, from one name or a list of names."""
    named = [policy] * players if isinstance(policy, str) else list(policy) if isinstance(policy, (list, tuple)) else [policy]
    if len(named) != players:
        raise BotError(f"there are {players} seats, and policy names {len(named)}; name one policy, or one for each seat")
    for name in named:
        if name not in POLICIES:
            raise BotError(f"there is no policy {quoted(name)}.{nearest(name, POLICIES)} Say one of {', '.join(map(repr, POLICIES))}")
    return [POLICIES.index(name) for name in named]


def chooser(policy: int) -> Chooser:
    """Return the function that chooses a move from a state by a policy."""
    if POLICIES[policy] == "careful":
        return lambda state, _: careful(state)
    if POLICIES[policy] == "first":
        return lambda state, _: state_transitions.legal_moves(state)[0]
    return lambda state, rng: (moves := state_transitions.legal_moves(state))[rng.below(len(moves))]


def careful(state: State) -> Move:
    """Return the move of the careful bot.

    Works on the card masks, without a list of moves, unless a card can be played in more than one way.

    >>> from durak_widget import Game
    >>> careful(Game.at("6c 7c | 6h Tc Ac; trump h; table 9c").state)
    Move('beat 9c Tc')
    """
    compiled = state.kit
    if compiled.declared or compiled.several or compiled.swaps:
        return _listed(state, compiled)
    if state.phase == OPEN:
        return compiled.openings(_cheapest(state.hands[state.attacker], state.suit))[0]
    if state.phase == ADD:
        bit = _cheapest(state.hands[state.actor] & state.ranks, state.suit)  # type: ignore[index]
        return PASS_MOVE if len(state.rest) > 1 and not bit & _plain(state.suit) else compiled.throws[bit][0]
    return _defence(state, compiled)


def _listed(state: State, kit: Kit) -> Move:
    """Return the cheapest of all legal moves, if a card can be played in several ways."""
    price_by_face, legal = face_prices(kit.rules, state.suit), state_transitions.legal_moves(state)

    def price(card: Card) -> int:
        return price_by_face[card.face_code]

    trump = None if state.suit is None else SUITS[state.suit]
    if state.phase == OPEN:
        return cheapest_move.opening(legal, price, trump)
    if state.phase == ADD:
        return cheapest_move.throwing(legal, price, trump, talon=len(state.rest) > 1)
    unbeaten = [Card.of(COUNTS[code]) for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0]
    return cheapest_move.defending(legal, price, CardSet.of(state.hands[state.defender]), unbeaten)[1]


@lru_cache(maxsize=8)
def _plain(suit: int | None) -> int:
    """Return the mask of the cards of one deck that are neither trumps nor jokers."""
    return _SUITED & ~mask_of_trumps(suit)


def _cheapest(cards: int, suit: int | None) -> int:
    """Return the bit of the cheapest face: plain before trump before joker, then the lowest."""
    faces = folded(cards)
    candidates = faces & _plain(suit) or faces & _SUITED
    if not candidates:
        return faces & -faces
    ranks = (candidates | candidates >> 13 | candidates >> 26 | candidates >> 39) & 0x1FFF
    candidates &= _RANK * (ranks & -ranks)
    return candidates & -candidates


def _defence(state: State, kit: Kit) -> Move:
    """Return the cheapest way to transfer, to show or to beat all cards; else take."""
    hand, suit = state.hands[state.defender], state.suit
    best, lowest_cost = TAKE_MOVE, 0
    if kit.transfers and state.unbeaten == len(state.attacks) and state.bout >= kit.transfer_from:
        for move in state_transitions.LEGAL[state.phase](state):  # it checks what was shown and how many cards may be added
            if move.verb in {"transfer", "show"}:
                cost = 0 if move.verb == "show" else face_prices(kit.rules, suit)[move.code]
                if best is TAKE_MOVE or cost < lowest_cost:
                    best, lowest_cost = move, cost
    unbeaten_faces = [COUNTS[code] for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0]
    first, cost = None, 0
    while unbeaten_faces:
        beaters = [hand & state.reach[face] for face in unbeaten_faces]
        fewest = min(beaters, key=_faces) if len(unbeaten_faces) > 1 else beaters[0]
        if not fewest:
            return best
        index = beaters.index(fewest)
        bit = _cheapest(fewest, suit)
        cost += face_prices(kit.rules, suit)[bit.bit_length() - 1]
        if first is None:
            first = state.answers[unbeaten_faces[index]][3].of(bit.bit_length() - 1)[0]
        hand ^= hand & (bit | bit << FACES) & -(hand & (bit | bit << FACES))
        del unbeaten_faces[index]
    assert first is not None  # noqa: S101 - the defender is asked when something is to be beaten
    return first if best is TAKE_MOVE or cost < lowest_cost else best


def _faces(cards: int) -> int:
    """Return the number of different faces."""
    return folded(cards).bit_count()
