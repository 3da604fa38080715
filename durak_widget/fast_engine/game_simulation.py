"""Simulates many whole games of Durak, and adds up results such as the wins of each seat.

A policy chooses the moves of a seat: `random`, `first` (the first legal move) or `careful` (the bot with this name). The fast engine and the
Python engine give the same results for the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from struct import unpack
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACE_COUNT, SUITS, Card, CardSet, merge_copies
from durak_widget.engine import cheapest_move, state_transitions
from durak_widget.engine.cheapest_move import compute_face_prices
from durak_widget.engine.compiled_rules import EFFECTIVE_FACES, compile_rules, trump_mask
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE
from durak_widget.engine.state import PHASE_OPEN, PHASE_THROW_IN, deal_state
from durak_widget.errors import BotError, DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.fast_engine.engine_instance import ask_fast_engine
from durak_widget.fast_engine.random_generator import SplitMix64, mix_bits
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.engine_instance import EngineInstance

    ChooseMove = Callable[[State, SplitMix64], Move]

SLICE_MOVES: Final = 60_000
"""How many moves the fast engine plays in one call, which takes a few milliseconds; between calls the user can interrupt."""
_MAX_SEATS: Final = 6
_TALLY_FORMAT: Final = "<27Q"
POLICIES: Final = ("random", "first", "careful")
"""The names of the policies that choose moves; the fast engine identifies a policy by its index in this tuple."""
_SUITED_MASK: Final = (1 << 52) - 1
_TWOS_MASK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The bit mask of the four twos; shifted left by a rank index, it is the mask of all cards with this rank."""


@dataclass(frozen=True)
class SimulationResult:
    """The results of many simulated games, added up.

    >>> from durak_widget import fast_engine
    >>> result = fast_engine.simulate_games("podkidnoy", count=100, seed=1, policy="careful")
    >>> result.count, sum(result.wins) + result.ties
    (100, 100)
    """

    count: int
    wins: tuple[int, ...]
    """The number of games that each seat won."""
    losses: tuple[int, ...]
    times_fool: tuple[int, ...]
    """The number of games in which each seat was the fool."""
    ties: int
    epaulette_counts: tuple[int, int, int]
    """The numbers of games in which the fool got no, one, or two epaulettes."""
    plies: int
    """The number of moves in all games together."""
    bouts: int
    digest: str
    """A hash of all simulated games; two runs with equal hashes have played the same games."""

    def __str__(self) -> str:
        lines = [f"{self.count} games, {self.plies / max(self.count, 1):.1f} moves each"]
        lines += [
            f"seat {seat}: won {won}, lost {lost}, the fool {fool} times"
            for seat, (won, lost, fool) in enumerate(zip(self.wins, self.losses, self.times_fool, strict=True))
        ]
        return "\n".join([*lines, f"drawn: {self.ties}"])


def simulate_games(
    rules: Rules | str | None = None, *, count: int = 1000, seed: int = 1, policy: str | Sequence[str] = "random"
) -> SimulationResult:
    """Simulate many whole games with different deals, and return the sums of their results.

    The same seed gives the same results on every computer. `policy` is one policy for all seats, or a list with one policy for each seat:
    `"random"`, `"first"` (the first legal move) or `"careful"` (the bot with this name).

    >>> from durak_widget import fast_engine
    >>> print(fast_engine.simulate_games("podkidnoy", count=1000, seed=1, policy=["careful", "random"]))
    1000 games, 57.2 moves each
    seat 0: won 986, lost 13, the fool 13 times
    seat 1: won 13, lost 986, the fool 986 times
    drawn: 1
    """
    checked_rules = Rules.coerce(rules)
    game_count, first_seed = require_number_in_range("count", count, 10**12), require_number_in_range("seed", seed, (1 << 64) - 1)
    policies = parse_policies(policy, compile_rules(checked_rules).player_count)
    return ask_fast_engine(
        checked_rules, lambda machine: _simulate_in_fast_engine(machine, game_count, first_seed, policies)
    ) or _simulate_in_python(checked_rules, game_count, first_seed, policies)


def require_number_in_range(name: str, value: object, maximum: int) -> int:
    """Return a value as an integer; raise an error unless it is from 0 to `maximum`."""
    number = as_whole_number(value)
    if number is None or not 0 <= number <= maximum:
        raise DurakError(f"{name} must be a whole number from 0 to {maximum}, not {short_repr(value)}")
    return number


# --- Simulation in the fast engine ---


def _simulate_in_fast_engine(machine: EngineInstance, count: int, seed: int, policies: Sequence[int]) -> SimulationResult | None:
    """Simulate games in the fast engine; return None if a game is too large for this engine."""
    machine.write_inbox(seed, count)
    machine.wasm.call("askGames", sum(policy << 3 * seat for seat, policy in enumerate(policies)))
    while not machine.wasm.call("playGames", SLICE_MOVES):
        pass  # Each call plays only some games, so that other threads can run and the user can interrupt.
    tally = unpack(_TALLY_FORMAT, machine.wasm.read(machine.layout["TALLY"], 8 * 27))
    seats = len(policies)
    won, lost, fool = (tally[start : start + seats] for start in (0, _MAX_SEATS, 2 * _MAX_SEATS))
    ties, plies, bouts, digest, game_count, overflows = tally[21:]
    return None if overflows else SimulationResult(game_count, won, lost, fool, ties, tally[18:21], plies, bouts, f"{digest:016x}")


# --- Simulation in Python ---


def _simulate_in_python(rules: Rules, count: int, seed: int, policies: Sequence[int]) -> SimulationResult:
    compiled = compile_rules(rules)
    seats = range(compiled.player_count)
    won, lost, fool, epaulettes = [0] * len(seats), [0] * len(seats), [0] * len(seats), [0, 0, 0]
    ties = plies = bouts = digest = 0
    choose = [get_choose_function(policy) for policy in policies]
    for number in range(count):
        rng = SplitMix64(mix_bits(seed ^ mix_bits(number)))
        dealer, deck = rng.random_below(compiled.player_count), list(compiled.deck)
        rng.shuffle(deck)
        state = deal_state(compiled, deck, dealer)
        state_transitions.begin_first_bout(state)
        while state.actor is not None:
            state_transitions.apply_move(state, choose[state.actor](state, rng))
        outcome = state.outcome
        assert outcome is not None  # noqa: S101 - nobody is at turn
        for seat in outcome.winners:
            won[seat] += 1
        for seat in outcome.losers:
            lost[seat] += 1
        if outcome.fool is not None:
            fool[outcome.fool] += 1
            epaulettes[outcome.epaulettes] += 1
        ties += not outcome.winners
        plies += state.ply
        bouts += state.bout
        winners = sum(1 << seat for seat in outcome.winners)
        summary = (
            state.ply << 32 | state.bout << 16 | winners << 8 | (7 if outcome.fool is None else outcome.fool) << 4 | outcome.epaulettes
        )
        digest = mix_bits(digest ^ summary ^ rng.seed)
    none, single, double = epaulettes
    return SimulationResult(count, tuple(won), tuple(lost), tuple(fool), ties, (none, single, double), plies, bouts, f"{digest:016x}")


def parse_policies(policy: object, player_count: int) -> list[int]:
    """Convert the names of policies (ways to choose moves) to numbers, one for each seat."""
    names = [policy] * player_count if isinstance(policy, str) else list(policy) if isinstance(policy, (list, tuple)) else [policy]
    if len(names) != player_count:
        raise BotError(f"there are {player_count} seats, but policy has {len(names)} names; give one policy, or one for each seat")
    for name in names:
        if name not in POLICIES:
            raise BotError(
                f"there is no policy {short_repr(name)}.{suggest_nearest(name, POLICIES)} Use one of {', '.join(map(repr, POLICIES))}"
            )
    return [POLICIES.index(name) for name in names]


def get_choose_function(policy: int) -> ChooseMove:
    """Return the function that chooses moves by a policy, given the policy's number."""
    if POLICIES[policy] == "careful":
        return lambda state, _: choose_careful_move(state)
    if POLICIES[policy] == "first":
        return lambda state, _: state_transitions.legal_moves(state)[0]
    return lambda state, rng: (moves := state_transitions.legal_moves(state))[rng.random_below(len(moves))]


def choose_careful_move(state: State) -> Move:
    """Return the careful bot's move in a state.

    The function computes the move from bit masks, without a list of moves, unless a card can be played in several ways.

    >>> from durak_widget import Game
    >>> choose_careful_move(Game.from_position_line("6c 7c | 6h Tc Ac; trump h; table 9c").state)
    Move('beat 9c Tc')
    """
    compiled = state.compiled_rules
    if compiled.free_suit_faces or compiled.can_open_with_several or compiled.max_swaps:
        return _choose_from_list(state, compiled)
    if state.phase == PHASE_OPEN:
        return compiled.list_opening_moves(_find_cheapest_face(state.hands[state.attacker], state.trump_suit))[0]
    if state.phase == PHASE_THROW_IN:
        bit = _find_cheapest_face(state.hands[state.actor] & state.matching_rank_mask, state.trump_suit)  # type: ignore[index]
        return (
            PASS_MOVE
            if len(state.talon_suffix_masks) > 1 and not bit & _plain_card_mask(state.trump_suit)
            else compiled.throw_moves[bit][0]
        )
    return _choose_defense(state, compiled)


def _choose_from_list(state: State, compiled: CompiledRules) -> Move:
    """Return the careful bot's move; `legal` is the list of all legal moves.

    This is slower. Rules under which a card can be played in several ways need it.
    """
    price_by_face, legal = compute_face_prices(compiled.rules, state.trump_suit), state_transitions.legal_moves(state)

    def price(card: Card) -> int:
        return price_by_face[card.face_code]

    trump = None if state.trump_suit is None else SUITS[state.trump_suit]
    if state.phase == PHASE_OPEN:
        return cheapest_move.choose_opening(legal, price, trump)
    if state.phase == PHASE_THROW_IN:
        return cheapest_move.choose_throw(legal, price, trump, has_talon=len(state.talon_suffix_masks) > 1)
    unbeaten = [Card.from_code(EFFECTIVE_FACES[code]) for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0]
    return cheapest_move.choose_defense(legal, price, CardSet.from_mask(state.hands[state.defender]), unbeaten)[1]


@lru_cache(maxsize=8)
def _plain_card_mask(trump_suit: int | None) -> int:
    """Return the bit mask of all cards that are neither trumps nor jokers."""
    return _SUITED_MASK & ~trump_mask(trump_suit)


def _find_cheapest_face(cards: int, trump_suit: int | None) -> int:
    """Return the bit of the cheapest card in a mask; non-trumps are cheaper than trumps."""
    faces = merge_copies(cards)
    candidates = faces & _plain_card_mask(trump_suit) or faces & _SUITED_MASK
    if not candidates:
        return faces & -faces
    ranks = (candidates | candidates >> 13 | candidates >> 26 | candidates >> 39) & 0x1FFF
    candidates &= _TWOS_MASK * (ranks & -ranks)
    return candidates & -candidates


def _choose_defense(state: State, compiled: CompiledRules) -> Move:
    """Choose the careful bot's move as defender: the cheapest defence, or taking the cards."""
    hand, suit = state.hands[state.defender], state.trump_suit
    best, lowest_cost = TAKE_MOVE, 0
    if compiled.has_transfers and state.unbeaten_count == len(state.attacks) and state.bout >= compiled.first_transfer_bout:
        for move in state_transitions.MOVE_GENERATORS[state.phase](state):
            if move.verb in {"transfer", "show"}:
                cost = 0 if move.verb == "show" else compute_face_prices(compiled.rules, suit)[move.code]
                if best is TAKE_MOVE or cost < lowest_cost:
                    best, lowest_cost = move, cost
    unbeaten_faces = [EFFECTIVE_FACES[code] for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0]
    first_beat, cost = None, 0
    while unbeaten_faces:
        beaters = [hand & state.beater_masks[face] for face in unbeaten_faces]
        fewest = min(beaters, key=_count_faces) if len(unbeaten_faces) > 1 else beaters[0]
        if not fewest:
            return best
        index = beaters.index(fewest)
        bit = _find_cheapest_face(fewest, suit)
        cost += compute_face_prices(compiled.rules, suit)[bit.bit_length() - 1]
        if first_beat is None:
            first_beat = state.beating_moves[unbeaten_faces[index]][3].make_moves(bit.bit_length() - 1)[0]
        hand ^= hand & (bit | bit << FACE_COUNT) & -(hand & (bit | bit << FACE_COUNT))
        del unbeaten_faces[index]
    assert first_beat is not None  # noqa: S101 - it is the defender's turn only if a card is unbeaten
    return first_beat if best is TAKE_MOVE or cost < lowest_cost else best


def _count_faces(cards: int) -> int:
    """Return the number of different cards in a bit mask, without second copies."""
    return merge_copies(cards).bit_count()
