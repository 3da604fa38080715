"""Builds a state from a position that a user describes, after checking each card."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from durak_widget.cards import FACE_COUNT, SUIT_NAMES, SUITS, Card, bit_indices, card_from_bit, parse_cards
from durak_widget.engine.compiled_rules import SAME_RANK_MASKS
from durak_widget.engine.state import State, create_blank_state
from durak_widget.errors import CardError, PositionError, as_whole_number, short_repr
from durak_widget.rules import deal_and_trump, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.cards import CardsLike
    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.rules.ruleset import Rules

_MAX_BOUT = 999_999


def parse_deck(compiled: CompiledRules, deck: CardsLike) -> list[int]:
    """Parse a deck into card bits; raise an error if its cards are not those of the rules."""
    cards = _parse_faces("the deck", deck)
    bits = _FreeCards(compiled.rules).take("the deck", cards)
    missing = sum(deck_and_beating.build_deck(compiled.rules)) & ~sum(bits)
    if missing:
        card_names = ", ".join(str(Card.from_code(bit % FACE_COUNT)) for bit in bit_indices(missing))
        msg = f"the deck is missing {card_names if len(card_names) < 80 else str(missing.bit_count()) + ' cards'}; it must have all {deck_and_beating.deck_size(compiled.rules)} cards of these rules"
        raise PositionError(msg)
    return bits


def set_up_position(
    compiled: CompiledRules,
    *,
    hands: Sequence[CardsLike],
    trump_suit: str | None,
    attacker: int,
    talon: CardsLike,
    turn_up: str | Card | None,
    table: str | Iterable[tuple[str | Card, str | Card | None]],
    discard: CardsLike,
    throwers_passed: Iterable[int],
    taking: bool,
    bout: int,
    seats_out: Sequence[int] | None = None,
) -> State:
    """Check a position that a user describes, and build the state of the position.

    If the position is impossible, the function raises a `PositionError` that says how to fix it. Without `seats_out`, a seat without cards is out.
    The caller has to call `resume_position` with the state before play can go on.
    """
    rules, state, free_cards = compiled.rules, create_blank_state(compiled), _FreeCards(compiled.rules)
    if not isinstance(hands, (list, tuple)) or len(hands) != compiled.player_count:
        raise PositionError(
            f"hands must have one text or list of cards for each of the {compiled.player_count} seats, not {short_repr(hands)}"
        )
    state.hands = [
        sum(free_cards.take(f"the hand of seat {seat}", _parse_faces(f"the hand of seat {seat}", hand))) for seat, hand in enumerate(hands)
    ]
    state.set_talon(tuple(free_cards.take("the talon", _parse_faces("the talon", talon))))
    if state.talon and not deal_and_trump.has_talon_after_deal(rules):
        raise PositionError("these rules deal out every card, so there is no talon; leave talon out")
    state.discard = sum(free_cards.take("the discard pile", _parse_faces("the discard pile", discard)))
    state.set_trump(_find_trump_suit(rules, trump_suit, turn_up))
    _set_turn_up(state, turn_up, free_cards)
    bout_number = as_whole_number(bout)
    if bout_number is None or not 1 <= bout_number <= _MAX_BOUT:
        raise PositionError(f"bout must be a number from 1 to {_MAX_BOUT}, not {short_repr(bout)}")
    state.bout = bout_number
    if not isinstance(taking, bool):
        raise PositionError(f"taking must be True or False, not {short_repr(taking)}")
    pairs = _parse_pairs(table)
    state.attacker = _require_seat(compiled, "attacker", attacker)
    _set_seats_in(state, bool(pairs), seats_out)
    passed = _require_passed_seats(state, throwers_passed)
    if not pairs and (taking or passed):
        raise PositionError(
            f"the table is empty, so no player {'takes' if taking else 'has passed'} yet; leave {'taking' if taking else 'throwers_passed'} out"
        )
    _lay_pairs(state, pairs, free_cards)
    if taking and not state.unbeaten_count:
        raise PositionError("taking=True, but every card on the table is beaten, so the defender does not take; leave taking out")
    if state.defender in passed:
        raise PositionError(f"seat {state.defender} defends, so it does not throw in or pass; take it out of throwers_passed")
    state.taking, state.passed = taking, sum(1 << seat for seat in passed)
    return state


class _FreeCards:
    """The cards of the deck that a position under construction does not use yet."""

    def __init__(self, rules: Rules) -> None:
        self.deck = deck_and_beating.build_deck(rules)
        self.free_mask = sum(self.deck)
        self.deck_mask = self.free_mask

    def take(self, where: str, cards: Iterable[Card]) -> list[int]:
        """Take cards from the unused cards of the deck, and return the bits of these cards."""
        taken = []
        for card in cards:
            copies = 1 << card.face_code | 1 << card.face_code + FACE_COUNT
            if not copies & self.deck_mask:
                raise PositionError(
                    f"{card.face} in {where} is not a card of this deck, which has {len(self.deck)} cards from {card_from_bit(self.deck[0])} to {card_from_bit(self.deck[-1])}"
                )
            free_copies = copies & self.free_mask
            if not free_copies:
                times = "once" if (copies & self.deck_mask).bit_count() == 1 else "twice"
                raise PositionError(f"{card.face} in {where} is used too often; the deck has it {times}")
            bit = free_copies & -free_copies
            self.free_mask ^= bit
            taken.append(bit)
        return taken


def _parse_faces(where: str, cards: CardsLike) -> tuple[Card, ...]:
    """Parse cards of a position; `where` says which cards they are, for error messages."""
    try:
        parsed = parse_cards(cards)
    except CardError as error:
        raise PositionError(f"{where}: {error}") from None
    played_card = next((card for card in parsed if card is not card.face), None)
    if played_card is not None:
        raise PositionError(f"{where}: {played_card} is a card as it is played on the table; write {played_card.face} here")
    return parsed


def _find_trump_suit(rules: Rules, suit: str | None, turn_up: str | Card | None) -> int | None:
    """Return the index of the trump suit of a position; raise an error if it is impossible."""
    fixed = deal_and_trump.fixed_trump_suit(rules)
    if suit is None:
        if turn_up is None or not deal_and_trump.has_turn_up(rules):
            return fixed
        turn_up_bit = 1 << _parse_faces("turn_up", [turn_up])[0].code
        return deal_and_trump.suit_from_bit(turn_up_bit) if turn_up_bit & deal_and_trump.trump_showing_mask(rules) else None
    if suit not in (*SUITS,):
        raise PositionError(f"trump must be 'c', 'd', 'h', 's', or None for no trumps, not {short_repr(suit)}")
    index = SUITS.index(suit)
    if not deal_and_trump.has_trumps(rules):
        raise PositionError(f"trump={suit!r}, but these rules have no trumps; leave trump out")
    if fixed is not None and fixed != index:
        raise PositionError(
            f"trump={suit!r}, but under these rules {SUIT_NAMES[SUITS[fixed]]} are always trumps; use trump={SUITS[fixed]!r} or leave it out"
        )
    if index not in deck_and_beating.possible_trump_suits(rules):
        raise PositionError(f"trump={suit!r}, but under these rules {SUIT_NAMES[suit]} are never trumps; choose another suit")
    if suit not in deck_and_beating.deck_suits(rules):
        raise PositionError(
            f"trump={suit!r}, but the deck has no {SUIT_NAMES[suit]}; choose one of {', '.join(deck_and_beating.deck_suits(rules))}"
        )
    return index


def _set_turn_up(state: State, turn_up: str | Card | None, free_cards: _FreeCards) -> None:
    """Set the face-up trump card of a state; raise an error if this card is impossible."""
    if turn_up is None:
        return
    (card,) = _parse_faces("turn_up", [turn_up])
    rules, talon = state.compiled_rules.rules, state.talon
    if not deal_and_trump.has_turn_up(rules):
        raise PositionError(f"turn_up={str(card)!r}, but under these rules no card is turned up; leave it out")
    location = deal_and_trump.turn_up_location(rules)
    if location == "aside":
        (state.card_aside,) = free_cards.take("turn_up", [card])
        state.turn_up = state.card_aside
    else:
        has_hidden_card = deal_and_trump.has_hidden_trump(rules) and len(talon) > 1
        index = 0 if location == "top" else len(talon) - 1 - has_hidden_card
        if not talon or card_from_bit(talon[index]) is not card:
            where = "the first" if location == "top" else "the second to last" if has_hidden_card else "the last"
            raise PositionError(
                f"turn_up={str(card)!r} must be {where} card of the talon, which is {' '.join(str(card_from_bit(bit)) for bit in talon) or 'empty'}; change it or leave turn_up out"
            )
        state.turn_up = state.drawable_turn_up = talon[index]
        state.hidden_card = talon[-1] if has_hidden_card else 0
    shown_suit = deal_and_trump.suit_from_bit(state.turn_up) if state.turn_up & state.compiled_rules.trump_showing_mask else None
    if shown_suit != state.trump_suit and (shown_suit is not None or not deal_and_trump.has_hidden_trump(rules)):
        trump_words = "no trumps" if state.trump_suit is None else f"{SUIT_NAMES[SUITS[state.trump_suit]]} as trumps"
        raise PositionError(f"turn_up={str(card)!r} is impossible with {trump_words}, because the turned-up card has the trump suit")


def _require_seat(compiled: CompiledRules, name: str, seat: object) -> int:
    number = as_whole_number(seat)
    if number is None or not 0 <= number < compiled.player_count:
        raise PositionError(f"{name} names seat {short_repr(seat)}, but the seats are 0 to {compiled.player_count - 1}")
    return number


def _require_passed_seats(state: State, seats: Iterable[int]) -> list[int]:
    """Return the seats that have passed; raise an error if one of them has left the game."""
    try:
        passed_seats = sorted({_require_seat(state.compiled_rules, "throwers_passed", seat) for seat in islice(seats, 100)})
    except TypeError:
        raise PositionError(f"throwers_passed must be a list of seats, not {short_repr(seats)}") from None
    for seat in passed_seats:
        if not state.seats_in >> seat & 1:
            raise PositionError(f"seat {seat} is out, so it has not passed; take it out of throwers_passed")
    return passed_seats


def _set_seats_in(state: State, is_mid_bout: bool, named_out: Sequence[int] | None) -> None:  # noqa: FBT001 - a fact about the position
    """Set which seats are still in the game, which seats are out, and which seat defends.

    When the talon is empty, each seat without cards is out. Exceptions are the attacker and, in the middle of a bout, the last opponent.
    """
    compiled, attacker = state.compiled_rules, state.attacker
    empty = [seat for seat, hand in enumerate(state.hands) if not hand]
    if state.talon and not is_mid_bout and empty:
        raise PositionError(f"seat {empty[0]} has no cards, but the talon still has some; give the seat cards, or empty the talon")
    if not is_mid_bout and attacker in empty:
        raise PositionError(f"seat {attacker} must attack but has no cards; give it a card, or let another seat attack")
    out = [] if state.talon else [seat for seat in empty if seat != attacker]
    if named_out is not None:
        empty_seats = [*out, attacker] if is_mid_bout and attacker in empty and not state.talon else out
        if (
            len(set(named_out)) < len(named_out)
            or not set(named_out) <= set(empty_seats)
            or (not is_mid_bout and len(named_out) < len(empty_seats))
        ):
            raise PositionError(
                f"out must name seats without cards, each only once, when the talon is empty, and not the attacker before a bout; not {short_repr(named_out)}"
            )
        out = list(named_out)
    state.seats_in = sum(1 << seat for seat in range(compiled.player_count) if seat not in out)
    if is_mid_bout and named_out is None:
        # If the only opponent left has no cards in mid-bout, they have just beaten with their last card, and are still in the game.
        next_opponent = compiled.next_opponent[(1 << compiled.player_count) - 1][attacker]
        if next_opponent in out and compiled.next_opponent[state.seats_in][attacker] is None:
            out.remove(next_opponent)
            state.seats_in |= 1 << next_opponent
    state.places = tuple(out)
    if out and not compiled.is_over_with[state.seats_in] and compiled.is_over(state.seats_in, state.places):
        raise PositionError(f"seat {out[0]} has no cards and is out, which ends the game under these rules; give it a card")
    defender = compiled.next_opponent[state.seats_in][attacker]
    if defender is None:
        raise PositionError(f"there is no player left to play against seat {attacker}; give cards to at least two sides")
    state.seats_at_bout_start, state.defender, state.newest_card_seat = state.seats_in, defender, attacker


def _parse_pairs(table: str | Iterable[tuple[str | Card, str | Card | None]]) -> list[tuple[Card, Card | None]]:
    """Parse the pairs on the table from a text such as `7d/9d 7s`, or from a list."""
    if isinstance(table, str):
        if len(table) > 2000:
            raise PositionError("the table has more cards than any deck")
        table = [(attack, beat if slash else None) for attack, slash, beat in (part.partition("/") for part in table.split())]
    try:
        return [(Card(attack), None if beat is None else Card(beat)) for attack, beat in islice(table, 200)]
    except CardError as error:
        raise PositionError(f"the table: {error}; write pairs such as '7d/9d 7s'") from None
    except (TypeError, ValueError):
        raise PositionError(f"the table must be a text such as '7d/9d 7s' or a list of pairs, not {short_repr(table)}") from None


def _lay_pairs(state: State, pairs: list[tuple[Card, Card | None]], free_cards: _FreeCards) -> None:
    """Put pairs of cards on the table; raise an error if a card could not have been played."""
    compiled, rank_counts = state.compiled_rules, Counter[str]()
    for index, (attack, beat) in enumerate(pairs):
        for card in (attack, beat):
            if card is None:
                continue
            (bit,) = free_cards.take("the table", [card.face])
            if card.code not in compiled.played_codes[card.face_code]:
                raise PositionError(f"{card} on the table: under these rules you cannot play {card.face} as another suit")
            state.table |= bit
            state.matching_rank_mask |= SAME_RANK_MASKS[card.code]
        if index and not rank_counts[attack.rank]:
            raise PositionError(f"{attack} on the table could not have been thrown in: no card of its rank was there before")
        if beat is not None:
            refusal_code = deck_and_beating.reason_not_to_beat(compiled.rules, state.trump_suit, beat.effective_face, attack.effective_face)
            if refusal_code:
                trumps = "without trumps" if state.trump_suit is None else f"with {SUIT_NAMES[SUITS[state.trump_suit]]} as trumps"
                raise PositionError(f"{attack}/{beat} on the table: {beat} does not beat {attack} {trumps}")
            rank_counts[beat.rank] += 1
        rank_counts[attack.rank] += 1
        state.attacks.append(attack.code)
        state.beats.append(-1 if beat is None else beat.code)
        state.unbeaten_count += beat is None
    defender_hand_size = state.hands[state.defender].bit_count() + len(pairs) - state.unbeaten_count
    state.limit = min(state.max_attacks, defender_hand_size)
    if len(pairs) > state.limit:
        raise PositionError(
            f"{len(pairs)} attacking cards are on the table, but only {state.limit} may attack seat {state.defender} in this bout"
        )
    state.emptied_seats = tuple(seat for seat in range(compiled.player_count) if state.seats_in >> seat & 1 and not state.hands[seat])
