"""A position set by hand: read, checked card by card, and put on the table."""

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
    """A whole deck in a given order, as bits; refused unless it holds exactly the cards of the rules."""
    cards = _read("the deck", deck)
    bits = _Bits(kit.rules).take("the deck", cards)
    missing = sum(deck_and_beating.deck(kit.rules)) & ~sum(bits)
    if missing:
        names = ", ".join(str(Card.of(bit % FACES)) for bit in bits_of(missing))
        msg = f"the deck lacks {names if len(names) < 80 else str(missing.bit_count()) + ' cards'}; it must hold all {deck_and_beating.size(kit.rules)} cards of these rules"
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
    """The state of a position, from which play is yet to go on; a PositionError says what cannot be, and what would be right.

    Who is `out` follows from who holds no cards, where it is not said.
    """
    rules, state, bits = kit.rules, blank_state(kit), _Bits(kit.rules)
    if not isinstance(hands, (list, tuple)) or len(hands) != kit.players:
        raise PositionError(f"hands needs one text or list of cards for each of the {kit.players} seats, not {quoted(hands)}")
    state.hands = [sum(bits.take(f"the hand of seat {seat}", _read(f"the hand of seat {seat}", hand))) for seat, hand in enumerate(hands)]
    state.lay_talon(tuple(bits.take("the talon", _read("the talon", talon))))
    if state.talon and not deal_and_trump.leaves_talon(rules):
        raise PositionError("there is a talon, but under these rules every card is dealt out; leave talon out")
    state.discard = sum(bits.take("the discard pile", _read("the discard pile", discard)))
    state.set_trump(_suit(rules, trump_suit, turn_up))
    _turn_up(state, turn_up, bits)
    number = whole_number(bout)
    if number is None or not 1 <= number <= _LAST_BOUT:
        raise PositionError(f"bout counts from 1 to {_LAST_BOUT}; {quoted(bout)} is not such a number")
    state.bout = number
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
    _lay(state, pairs, bits)
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
        """The bits of some cards, which are no longer free."""
        taken = []
        for card in cards:
            copies = 1 << card.face_code | 1 << card.face_code + FACES
            if not copies & self.in_deck:
                raise PositionError(
                    f"{card.face} in {where} is not a card of this deck, which has {len(self.deck)} cards from {card_of(self.deck[0])} to {card_of(self.deck[-1])}"
                )
            left = copies & self.free
            if not left:
                times = "once" if (copies & self.in_deck).bit_count() == 1 else "twice"
                raise PositionError(f"{card.face} in {where} is there too often; the deck holds it {times}")
            bit = left & -left
            self.free ^= bit
            taken.append(bit)
        return taken


def _read(where: str, cards: Cards) -> tuple[Card, ...]:
    try:
        read = read_cards(cards)
    except CardError as error:
        raise PositionError(f"{where}: {error}") from None
    declared = next((card for card in read if card is not card.face), None)
    if declared is not None:
        raise PositionError(f"{where}: {declared} is a card as played on the table; here it is just {declared.face}")
    return read


def _suit(rules: Rules, suit: str | None, turn_up: str | Card | None) -> int | None:
    fixed = deal_and_trump.fixed_suit(rules)
    if suit is None:
        if turn_up is None or not deal_and_trump.turns_up(rules):
            return fixed
        shows = 1 << _read("turn_up", [turn_up])[0].code
        return deal_and_trump.suit_of(shows) if shows & deal_and_trump.can_show(rules) else None
    if suit not in (*SUITS,):
        raise PositionError(f"trump={quoted(suit)} is not a suit; say 'c', 'd', 'h', 's', or None for no trumps")
    place = SUITS.index(suit)
    if not deal_and_trump.has_trumps(rules):
        raise PositionError(f"trump={suit!r}, but these rules have no trumps; leave trump out")
    if fixed is not None and fixed != place:
        raise PositionError(
            f"trump={suit!r}, but under these rules {SUIT_NAMES[SUITS[fixed]]} are always trumps; say trump={SUITS[fixed]!r} or leave it out"
        )
    if place not in deck_and_beating.trump_suits(rules):
        raise PositionError(f"trump={suit!r}, but under these rules {SUIT_NAMES[suit]} are never trumps; choose another suit")
    if suit not in deck_and_beating.suits(rules):
        raise PositionError(
            f"trump={suit!r}, but the deck has no {SUIT_NAMES[suit]}; choose one of {', '.join(deck_and_beating.suits(rules))}"
        )
    return place


def _turn_up(state: State, turn_up: str | Card | None, bits: _Bits) -> None:
    """Put the face-up card where the rules want it."""
    if turn_up is None:
        return
    (card,) = _read("turn_up", [turn_up])
    rules, talon = state.kit.rules, state.talon
    if not deal_and_trump.turns_up(rules):
        raise PositionError(f"turn_up={str(card)!r}, but under these rules nothing is turned up; leave it out")
    place = deal_and_trump.place_of_turn_up(rules)
    if place == "aside":
        (state.aside,) = bits.take("turn_up", [card])
        state.turn_up = state.aside
    else:
        hides = deal_and_trump.hides_one(rules) and len(talon) > 1
        at = 0 if place == "top" else len(talon) - 1 - hides
        if not talon or card_of(talon[at]) is not card:
            where = "the first" if place == "top" else "the last but one" if hides else "the last"
            raise PositionError(
                f"turn_up={str(card)!r} must be {where} card of the talon, which is {' '.join(str(card_of(bit)) for bit in talon) or 'empty'}; or leave turn_up out"
            )
        state.turn_up = state.face_up = talon[at]
        state.hidden = talon[-1] if hides else 0
    shows = deal_and_trump.suit_of(state.turn_up) if state.turn_up & state.kit.can_show else None
    if shows != state.suit and (shows is not None or not deal_and_trump.hides_one(rules)):
        named = "no trumps" if state.suit is None else f"{SUIT_NAMES[SUITS[state.suit]]} as trumps"
        raise PositionError(f"turn_up={str(card)!r} cannot lie there with {named}; the card turned up is of the trump suit")


def _seat(kit: Kit, name: str, seat: object) -> int:
    number = whole_number(seat)
    if number is None or not 0 <= number < kit.players:
        raise PositionError(f"{name} names the seat {quoted(seat)}, and the seats are 0 to {kit.players - 1}")
    return number


def _passed(state: State, seats: Iterable[int]) -> list[int]:
    """The seats that have passed, each of which is in."""
    try:
        named = sorted({_seat(state.kit, "throwers_passed", seat) for seat in islice(seats, 100)})
    except TypeError:
        raise PositionError(f"throwers_passed is a list of seats, not {quoted(seats)}") from None
    for seat in named:
        if not state.seats_in >> seat & 1:
            raise PositionError(f"seat {seat} is out, so it has not passed; take it out of throwers_passed")
    return named


def _who_is_in(state: State, mid_bout: bool, said: Sequence[int] | None) -> None:  # noqa: FBT001 - a fact about the position
    """Seats without cards are out when the talon is empty, but for the attacker, and the last opponent left in mid-bout."""
    kit, attacker = state.kit, state.attacker
    empty = [seat for seat, hand in enumerate(state.hands) if not hand]
    if state.talon and not mid_bout and empty:
        raise PositionError(f"seat {empty[0]} holds no cards while the talon has some; give it cards, or empty the talon")
    if not mid_bout and attacker in empty:
        raise PositionError(f"seat {attacker} is to attack and holds no cards; give it a card, or let another seat attack")
    out = [] if state.talon else [seat for seat in empty if seat != attacker]
    if said is not None:
        gone = [*out, attacker] if mid_bout and attacker in empty and not state.talon else out
        if len(set(said)) < len(said) or not set(said) <= set(gone) or (not mid_bout and len(said) < len(gone)):
            raise PositionError(
                f"out names seats without cards, each once, where the talon is empty, and not the attacker before a bout; not {quoted(said)}"
            )
        out = list(said)
    state.seats_in = sum(1 << seat for seat in range(kit.players) if seat not in out)
    if mid_bout and said is None:
        # where no other opponent is left, the one without cards has just beaten with its last card
        near = kit.opponent[(1 << kit.players) - 1][attacker]
        if near in out and kit.opponent[state.seats_in][attacker] is None:
            out.remove(near)
            state.seats_in |= 1 << near
    state.places = tuple(out)
    if out and not kit.over_with[state.seats_in] and kit.over(state.seats_in, state.places):
        raise PositionError(f"seat {out[0]} holds no cards and is out, which ends the game under these rules; give it a card")
    defender = kit.opponent[state.seats_in][attacker]
    if defender is None:
        raise PositionError(f"nobody is left to play against seat {attacker}; give cards to at least two sides")
    state.began, state.defender, state.newest = state.seats_in, defender, attacker


def _pairs(table: str | Iterable[tuple[str | Card, str | Card | None]]) -> list[tuple[Card, Card | None]]:
    """The pairs that a text such as `7d/9d 7s`, or a list of pairs, says."""
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
    """Lay the pairs, each card checked as if it had just been played."""
    kit, laid = state.kit, Counter[str]()
    for place, (attack, beat) in enumerate(pairs):
        for card in (attack, beat):
            if card is None:
                continue
            (bit,) = bits.take("the table", [card.face])
            if card.code not in kit.plays[card.face_code]:
                raise PositionError(f"{card} on the table: under these rules {card.face} is not played in another suit")
            state.table |= bit
            state.ranks |= SAME_RANK[card.code]
        if place and not laid[attack.rank]:
            raise PositionError(f"{attack} on the table could not have been thrown in: no card of its rank lay there before")
        if beat is not None:
            why = deck_and_beating.why_not(kit.rules, state.suit, beat.counts, attack.counts)
            if why:
                trumps = "without trumps" if state.suit is None else f"with {SUIT_NAMES[SUITS[state.suit]]} as trumps"
                raise PositionError(f"{attack}/{beat} on the table: {beat} does not beat {attack} {trumps}")
            laid[beat.rank] += 1
        laid[attack.rank] += 1
        state.attacks.append(attack.code)
        state.beats.append(-1 if beat is None else beat.code)
        state.unbeaten += beat is None
    held = state.hands[state.defender].bit_count() + len(pairs) - state.unbeaten
    state.limit = min(state.most, held)
    if len(pairs) > state.limit:
        raise PositionError(
            f"{len(pairs)} attacking cards lie on the table, and at most {state.limit} may attack seat {state.defender} in this bout"
        )
    state.emptied = tuple(seat for seat in range(kit.players) if state.seats_in >> seat & 1 and not state.hands[seat])
