"""A position set by hand: parsed, checked card by card, and set up as a state."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from durak_widget.cards import FACES, SUIT_NAMES, SUITS, Card, bits_of, card_of, read_cards
from durak_widget.engine.compiled_rules import SAME_RANK
from durak_widget.engine.state import State, blank_state
from durak_widget.errors import CardError, PositionError, quoted, whole_number
from durak_widget.rules import deal_and_trump, deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.cards import Cards
    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.rules.ruleset import Rules

_LAST_BOUT = 999_999


def deck_bits(kit: Kit, deck: Cards) -> list[int]:
    """Parse a deck in a given order into bits; it must hold exactly the cards of the rules."""
    cards = _read("the deck", deck)
    bits = _Bits(kit.rules).take("the deck", cards)
    missing = sum(deck_and_beating.deck(kit.rules)) & ~sum(bits)
    if missing:
        card_names = ", ".join(str(Card.of(bit % FACES)) for bit in bits_of(missing))
        msg = f"the deck lacks {card_names if len(card_names) < 80 else str(missing.bit_count()) + ' cards'}; it must hold all {deck_and_beating.size(kit.rules)} cards of these rules"
        raise PositionError(msg)
    return bits


def state_laid(
    kit: Kit,
    *,
    hands: Sequence[Cards],
    trump_suit: str | None,
    attacker: int,
    talon: Cards,
    turn_up: str | Card | None,
    table: str | Iterable[tuple[str | Card, str | Card | None]],
    discard: Cards,
    throwers_passed: Iterable[int],
    taking: bool,
    bout: int,
    out: Sequence[int] | None = None,
) -> State:
    """Return the state of a position, before play is resumed.

    A `PositionError` says what is impossible, and how to fix it. Without `out`, the seats that are out follow from the empty hands.
    """
    rules, state, free_cards = kit.rules, blank_state(kit), _Bits(kit.rules)
    if not isinstance(hands, (list, tuple)) or len(hands) != kit.players:
        raise PositionError(f"hands needs one text or list of cards for each of the {kit.players} seats, not {quoted(hands)}")
    state.hands = [
        sum(free_cards.take(f"the hand of seat {seat}", _read(f"the hand of seat {seat}", hand))) for seat, hand in enumerate(hands)
    ]
    state.lay_talon(tuple(free_cards.take("the talon", _read("the talon", talon))))
    if state.talon and not deal_and_trump.leaves_talon(rules):
        raise PositionError("there is a talon, but under these rules every card is dealt out; leave talon out")
    state.discard = sum(free_cards.take("the discard pile", _read("the discard pile", discard)))
    state.set_trump(_suit(rules, trump_suit, turn_up))
    _turn_up(state, turn_up, free_cards)
    bout_number = whole_number(bout)
    if bout_number is None or not 1 <= bout_number <= _LAST_BOUT:
        raise PositionError(f"bout counts from 1 to {_LAST_BOUT}; {quoted(bout)} is not such a number")
    state.bout = bout_number
    if not isinstance(taking, bool):
        raise PositionError(f"taking is True or False, not {quoted(taking)}")
    pairs = _pairs(table)
    state.attacker = _seat(kit, "attacker", attacker)
    _who_is_in(state, bool(pairs), out)
    passed = _passed(state, throwers_passed)
    if not pairs and (taking or passed):
        raise PositionError(
            f"nothing lies on the table, so nobody {'takes' if taking else 'has passed'} yet; leave {'taking' if taking else 'throwers_passed'} out"
        )
    _lay(state, pairs, free_cards)
    if taking and not state.unbeaten:
        raise PositionError("taking=True, but every card on the table is beaten; a defender who has beaten all takes nothing")
    if state.defender in passed:
        raise PositionError(f"seat {state.defender} defends, so it does not throw in or pass; take it out of throwers_passed")
    state.taking, state.passed = taking, sum(1 << seat for seat in passed)
    return state


class _Bits:
    """The cards that are still free to be put somewhere."""

    def __init__(self, rules: Rules) -> None:
        self.deck = deck_and_beating.deck(rules)
        self.free = sum(self.deck)
        self.in_deck = self.free

    def take(self, where: str, cards: Iterable[Card]) -> list[int]:
        """Return the bits of some cards, and mark them as used."""
        taken = []
        for card in cards:
            copies = 1 << card.face_code | 1 << card.face_code + FACES
            if not copies & self.in_deck:
                raise PositionError(
                    f"{card.face} in {where} is not a card of this deck, which has {len(self.deck)} cards from {card_of(self.deck[0])} to {card_of(self.deck[-1])}"
                )
            free_copies = copies & self.free
            if not free_copies:
                times = "once" if (copies & self.in_deck).bit_count() == 1 else "twice"
                raise PositionError(f"{card.face} in {where} is there too often; the deck holds it {times}")
            bit = free_copies & -free_copies
            self.free ^= bit
            taken.append(bit)
        return taken


def _read(where: str, cards: Cards) -> tuple[Card, ...]:
    try:
        parsed = read_cards(cards)
    except CardError as error:
        raise PositionError(f"{where}: {error}") from None
    played_card = next((card for card in parsed if card is not card.face), None)
    if played_card is not None:
        raise PositionError(f"{where}: {played_card} is a card as played on the table; here it is just {played_card.face}")
    return parsed


def _suit(rules: Rules, suit: str | None, turn_up: str | Card | None) -> int | None:
    fixed = deal_and_trump.fixed_suit(rules)
    if suit is None:
        if turn_up is None or not deal_and_trump.turns_up(rules):
            return fixed
        turn_up_bit = 1 << _read("turn_up", [turn_up])[0].code
        return deal_and_trump.suit_of(turn_up_bit) if turn_up_bit & deal_and_trump.can_show(rules) else None
    if suit not in (*SUITS,):
        raise PositionError(f"trump={quoted(suit)} is not a suit; say 'c', 'd', 'h', 's', or None for no trumps")
    index = SUITS.index(suit)
    if not deal_and_trump.has_trumps(rules):
        raise PositionError(f"trump={suit!r}, but these rules have no trumps; leave trump out")
    if fixed is not None and fixed != index:
        raise PositionError(
            f"trump={suit!r}, but under these rules {SUIT_NAMES[SUITS[fixed]]} are always trumps; say trump={SUITS[fixed]!r} or leave it out"
        )
    if index not in deck_and_beating.trump_suits(rules):
        raise PositionError(f"trump={suit!r}, but under these rules {SUIT_NAMES[suit]} are never trumps; choose another suit")
    if suit not in deck_and_beating.suits(rules):
        raise PositionError(
            f"trump={suit!r}, but the deck has no {SUIT_NAMES[suit]}; choose one of {', '.join(deck_and_beating.suits(rules))}"
        )
    return index


def _turn_up(state: State, turn_up: str | Card | None, bits: _Bits) -> None:
    """Set the face-up card, and require it where the rules place it."""
    if turn_up is None:
        return
    (card,) = _read("turn_up", [turn_up])
    rules, talon = state.kit.rules, state.talon
    if not deal_and_trump.turns_up(rules):
        raise PositionError(f"turn_up={str(card)!r}, but under these rules nothing is turned up; leave it out")
    location = deal_and_trump.place_of_turn_up(rules)
    if location == "aside":
        (state.aside,) = bits.take("turn_up", [card])
        state.turn_up = state.aside
    else:
        has_hidden_card = deal_and_trump.hides_one(rules) and len(talon) > 1
        index = 0 if location == "top" else len(talon) - 1 - has_hidden_card
        if not talon or card_of(talon[index]) is not card:
            where = "the first" if location == "top" else "the last but one" if has_hidden_card else "the last"
            raise PositionError(
                f"turn_up={str(card)!r} must be {where} card of the talon, which is {' '.join(str(card_of(bit)) for bit in talon) or 'empty'}; or leave turn_up out"
            )
        state.turn_up = state.face_up = talon[index]
        state.hidden = talon[-1] if has_hidden_card else 0
    shown_suit = deal_and_trump.suit_of(state.turn_up) if state.turn_up & state.kit.can_show else None
    if shown_suit != state.suit and (shown_suit is not None or not deal_and_trump.hides_one(rules)):
        trump_words = "no trumps" if state.suit is None else f"{SUIT_NAMES[SUITS[state.suit]]} as trumps"
        raise PositionError(f"turn_up={str(card)!r} cannot lie there with {trump_words}; the card turned up is of the trump suit")


def _seat(kit: Kit, name: str, seat: object) -> int:
    number = whole_number(seat)
    if number is None or not 0 <= number < kit.players:
        raise PositionError(f"{name} names the seat {quoted(seat)}, and the seats are 0 to {kit.players - 1}")
    return number


def _passed(state: State, seats: Iterable[int]) -> list[int]:
    """Return the seats that have passed; each must still be in."""
    try:
        passed_seats = sorted({_seat(state.kit, "throwers_passed", seat) for seat in islice(seats, 100)})
    except TypeError:
        raise PositionError(f"throwers_passed is a list of seats, not {quoted(seats)}") from None
    for seat in passed_seats:
        if not state.seats_in >> seat & 1:
            raise PositionError(f"seat {seat} is out, so it has not passed; take it out of throwers_passed")
    return passed_seats


def _who_is_in(state: State, mid_bout: bool, said: Sequence[int] | None) -> None:  # noqa: FBT001 - a fact about the position
    """Set the seats that are in, the defender, and the seats that are out.

    A seat without cards is out when the talon is empty. The attacker is not, and in the middle of a bout neither is the last opponent.
    """
    compiled, attacker = state.kit, state.attacker
    empty = [seat for seat, hand in enumerate(state.hands) if not hand]
    if state.talon and not mid_bout and empty:
        raise PositionError(f"seat {empty[0]} holds no cards while the talon has some; give it cards, or empty the talon")
    if not mid_bout and attacker in empty:
        raise PositionError(f"seat {attacker} is to attack and holds no cards; give it a card, or let another seat attack")
    out = [] if state.talon else [seat for seat in empty if seat != attacker]
    if said is not None:
        empty_seats = [*out, attacker] if mid_bout and attacker in empty and not state.talon else out
        if len(set(said)) < len(said) or not set(said) <= set(empty_seats) or (not mid_bout and len(said) < len(empty_seats)):
            raise PositionError(
                f"out names seats without cards, each once, where the talon is empty, and not the attacker before a bout; not {quoted(said)}"
            )
        out = list(said)
    state.seats_in = sum(1 << seat for seat in range(compiled.players) if seat not in out)
    if mid_bout and said is None:
        # where no other opponent is left, the one without cards has just beaten with its last card
        next_opponent = compiled.opponent[(1 << compiled.players) - 1][attacker]
        if next_opponent in out and compiled.opponent[state.seats_in][attacker] is None:
            out.remove(next_opponent)
            state.seats_in |= 1 << next_opponent
    state.places = tuple(out)
    if out and not compiled.over_with[state.seats_in] and compiled.over(state.seats_in, state.places):
        raise PositionError(f"seat {out[0]} holds no cards and is out, which ends the game under these rules; give it a card")
    defender = compiled.opponent[state.seats_in][attacker]
    if defender is None:
        raise PositionError(f"nobody is left to play against seat {attacker}; give cards to at least two sides")
    state.began, state.defender, state.newest = state.seats_in, defender, attacker


def _pairs(table: str | Iterable[tuple[str | Card, str | Card | None]]) -> list[tuple[Card, Card | None]]:
    """Parse a text such as `7d/9d 7s`, or a list, into pairs."""
    if isinstance(table, str):
        if len(table) > 2000:
            raise PositionError("the table is longer than any deck")
        table = [(attack, beat if slash else None) for attack, slash, beat in (part.partition("/") for part in table.split())]
    try:
        return [(Card(attack), None if beat is None else Card(beat)) for attack, beat in islice(table, 200)]
    except CardError as error:
        raise PositionError(f"the table: {error}; write pairs such as '7d/9d 7s'") from None
    except (TypeError, ValueError):
        raise PositionError(f"the table is a text such as '7d/9d 7s' or a list of pairs, not {quoted(table)}") from None


def _lay(state: State, pairs: list[tuple[Card, Card | None]], bits: _Bits) -> None:
    """Put the pairs on the table, and check each card as if it had just been played."""
    compiled, rank_counts = state.kit, Counter[str]()
    for index, (attack, beat) in enumerate(pairs):
        for card in (attack, beat):
            if card is None:
                continue
            (bit,) = bits.take("the table", [card.face])
            if card.code not in compiled.plays[card.face_code]:
                raise PositionError(f"{card} on the table: under these rules {card.face} is not played in another suit")
            state.table |= bit
            state.ranks |= SAME_RANK[card.code]
        if index and not rank_counts[attack.rank]:
            raise PositionError(f"{attack} on the table could not have been thrown in: no card of its rank lay there before")
        if beat is not None:
            refusal_code = deck_and_beating.why_not(compiled.rules, state.suit, beat.counts, attack.counts)
            if refusal_code:
                trumps = "without trumps" if state.suit is None else f"with {SUIT_NAMES[SUITS[state.suit]]} as trumps"
                raise PositionError(f"{attack}/{beat} on the table: {beat} does not beat {attack} {trumps}")
            rank_counts[beat.rank] += 1
        rank_counts[attack.rank] += 1
        state.attacks.append(attack.code)
        state.beats.append(-1 if beat is None else beat.code)
        state.unbeaten += beat is None
    defender_hand_size = state.hands[state.defender].bit_count() + len(pairs) - state.unbeaten
    state.limit = min(state.most, defender_hand_size)
    if len(pairs) > state.limit:
        raise PositionError(
            f"{len(pairs)} attacking cards lie on the table, and at most {state.limit} may attack seat {state.defender} in this bout"
        )
    state.emptied = tuple(seat for seat in range(compiled.players) if state.seats_in >> seat & 1 and not state.hands[seat])
