"""A position as one line of text, without loss: the hands, then parts after semicolons.

    6c 7c | 9h Ts; trump h; table 7d/9d 7s
    transfer, players=3: 6c | 9h Ts | Kd; trump h; attacker 2; talon Jc Qs

Parts that are left out have their usual values: the rules are podkidnoy for two, seat 0 attacks in the second bout, the table is empty.
The grammar is in `docs/notation.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, SUITS, Card, CardSet, bits_of, card_of, minus, plainly, plus
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.history import Pairs
from durak_widget.engine.position_setup import state_laid
from durak_widget.errors import CardError, PositionError, nearest, quoted
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from durak_widget.engine.state import State

_LONGEST: Final = 1_000_000

_SAID: Final = ("trump", "attacker", "table", "taking", "passed", "talon", "turn-up", "discard", "bout")
"""The keys of the parts that `Game.from_position` takes too."""


def line_of(state: State) -> str:
    """Format a state in which a seat is to act as one line."""
    rules = state.kit.rules
    rules_prefix = "" if rules == Rules() else f"{rules}: "
    parts = [rules_prefix + _by_seat(state.hands), *(f"{key} {value}".rstrip() for key, value in _facts(state).items())]
    try:
        parsed = _placed("; ".join(parts))
    except PositionError:
        parts.append(f"out {_seats(state.places)}".rstrip())
        parsed = _placed("; ".join(parts))
    else:
        if parsed.places != state.places:
            parts.append(f"out {_seats(state.places)}".rstrip())
            parsed = _placed("; ".join(parts))
    if not state.attacks:
        state_transitions.resume(parsed)
    for key, (format_part, _) in _MORE.items():
        if (value := format_part(state)) != format_part(parsed):
            parts.append(f"{key} {value}".rstrip())
    return "; ".join(parts)


def read(text: str) -> State:
    """Parse a line into a state that is ready for play.

    A `PositionError` says what is wrong.
    """
    if not isinstance(text, str) or not text.isprintable():
        raise PositionError(f"a position is a line of text such as '6c 7c | 9h Ts; trump h', not {quoted(text)}")
    if len(text) > _LONGEST:
        raise PositionError(f"a position of {len(text)} characters is too long; at most {_LONGEST} are read")
    state, rare_parts = _placed(text), _more(text)
    for key in _MORE:
        if key in rare_parts:
            _MORE[key][1](state, rare_parts[key])
    starts_bout = not state.attacks
    state_transitions.resume(state)
    if starts_bout:
        for key in ("since", "swapped-now"):
            if key in rare_parts:
                _MORE[key][1](state, rare_parts[key])
        state.legal = None
    return state


# The usual parts


def _facts(state: State) -> dict[str, str]:
    """Return the parts for `Game.from_position` that do not have their usual values."""
    facts = {
        "trump": "" if state.suit is None else SUITS[state.suit],
        "attacker": str(state.attacker or ""),
        "table": str(Pairs.of(state.attacks, state.beats)),
        "passed": _seats(bits_of(state.passed)),
        "talon": _cards(state.talon),
        "turn-up": str(card_of(state.turn_up)) if state.turn_up else "",
        "discard": str(CardSet.of(state.discard)),
        "bout": "" if state.bout == 2 else str(state.bout),
    }
    taking = {"taking": ""} if state.taking else {}
    return {key: value for key, value in facts.items() if value} | taking


def _parts(text: str) -> tuple[Rules, str, dict[str, str]]:
    """Split a line into the rules, the hands, and the other parts by their keys."""
    first, *rest = [part.strip() for part in text.split(";")]
    rules, colon, hands = first.rpartition(":")
    parts: dict[str, str] = {}
    for part in rest:
        key, _, value = part.partition(" ")
        known_keys = (*_SAID, "out", *_MORE)
        if key not in known_keys:
            raise PositionError(
                f"{quoted(part)} says nothing of a position: write a word and what it says, such as 'trump h'.{nearest(key, known_keys)}"
            )
        if key in parts:
            raise PositionError(f"{key} is said twice; say it once")
        parts[key] = value.strip()
    return Rules.parse(rules.strip()) if colon else Rules(), hands, parts


def _placed(text: str) -> State:
    """Parse the usual parts of a line into a state before play is resumed."""
    rules, hands, parts = _parts(text)
    return state_laid(
        kit_of(rules),
        hands=hands.split("|"),
        trump_suit=parts.get("trump"),
        attacker=_number("attacker", parts.get("attacker", "0")),
        talon=parts.get("talon", ""),
        turn_up=parts.get("turn-up"),
        table=parts.get("table", ""),
        discard=parts.get("discard", ""),
        throwers_passed=_numbers("passed", parts.get("passed", "")),
        taking="taking" in parts,
        bout=_number("bout", parts.get("bout", "2")),
        out=_numbers("out", parts["out"]) if "out" in parts else None,
    )


def _more(text: str) -> Mapping[str, str]:
    """Return the rare parts of a line."""
    return {key: value for key, value in _parts(text)[2].items() if key in _MORE}


def _number(key: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise PositionError(f"{key} is a whole number, not {quoted(text)}")
    return int(text)


def _numbers(key: str, text: str) -> list[int]:
    return [_number(key, number) for number in text.split()]


def _seats(seats: Iterable[int]) -> str:
    return " ".join(map(str, seats))


def _cards(bits: Iterable[int]) -> str:
    return " ".join(str(card_of(bit)) for bit in bits)


def _by_seat(masks: Iterable[int]) -> str:
    return " | ".join(str(CardSet.of(mask)) for mask in masks).strip()


# The rare parts: how to format each, and how to set it in a state


def _one_seat(key: str) -> tuple[Callable[[State], str], Callable[[State, str], None]]:
    def set_seat(state: State, text: str) -> None:
        seat = _number(key, text)
        if not state.seats_in >> seat & 1:
            raise PositionError(f"{key} names the seat {seat}, which is not in the game")
        setattr(state, key, seat)

    return lambda state: str(getattr(state, key)), set_seat


def _defender(state: State, text: str) -> None:
    _one_seat("defender")[1](state, text)
    if state.kit.side[state.defender] == state.kit.side[state.attacker]:
        raise PositionError(f"defender {text}: seats {text} and {state.attacker} play together; name an opponent")


def _limit(state: State, text: str) -> None:
    limit = _number("limit", text)
    if not len(state.attacks) <= limit <= len(state.kit.deck):
        raise PositionError(f"limit {limit}: {len(state.attacks)} attacking cards lie on the table; name as many or more")
    state.limit = limit


def _began(state: State, text: str) -> None:
    began = sum(1 << seat for seat in set(_numbers("began", text)) if seat < state.kit.players)
    if state.seats_in & ~began:
        raise PositionError("began names the seats that were in when the bout began; all that are in now were in then")
    state.began = began


def _emptied(state: State, text: str) -> None:
    seats = _numbers("emptied", text)
    if any(seat >= state.kit.players or state.hands[seat] for seat in seats) or len(set(seats)) < len(seats):
        raise PositionError(f"emptied names the seats that have played their last card, each once, not {quoted(text)}")
    state.emptied = tuple(seats)


def _swapped(state: State, text: str) -> None:
    times = _numbers("swapped", text)
    if len(times) != state.kit.players or max(times) > state.kit.swaps:
        raise PositionError(f"swapped says how often each of the {state.kit.players} seats has swapped, at most {state.kit.swaps} times")
    state.swapped = tuple(times)


def _swapped_now(state: State, text: str) -> None:
    if text != "yes" or not state.swapped[state.attacker]:
        raise PositionError("swapped-now is yes where the attacker has swapped before this bout; say how often by swapped too")
    state.swapped_now = True


def _shown(state: State, text: str) -> None:
    shown = []
    for part in text.split(","):
        seat, _, card = part.strip().partition(" ")
        if not state.kit.shows or _number("shown", seat) >= state.kit.players:
            raise PositionError(
                f"shown {quoted(text)}: name a seat and the trump that it has shown, such as '1 7h', where trumps are shown"
            )
        shown.append((int(seat), _card(card).face_code))
    state.shown = tuple(shown)


def _card(text: str) -> Card:
    try:
        return Card(text)
    except CardError as error:
        raise PositionError(str(error)) from None


def _aside(state: State, text: str) -> None:
    card = _card(text)
    copies = (1 << card.face_code | 1 << card.face_code + FACES) & state.kit.all_cards
    free = copies & ~(sum(state.hands) | sum(state.talon) | state.discard | state.table)
    if not free:
        raise PositionError(f"{card} cannot lie aside: it is no card of this deck, or lies elsewhere")
    state.aside = free & -free


def _seen(state: State, text: str) -> None:
    state.seen = [_of("seen", seat, cards, state.hands[seat]) for seat, cards in enumerate(_hands(state, "seen", text))]


def _followed(state: State, text: str) -> None:
    talon, masks = state.talon, []
    for seat, parts in enumerate(_hands(state, "follows", text)):
        mask = 0
        for part in parts.split():
            holder, at_sign, index_text = part.partition("@")
            index = _number("follows", index_text) if at_sign else -1
            if at_sign and index < len(talon):
                mask |= talon[index]
                continue
            holder, _, card = part.partition(":")
            if at_sign or _number("follows", holder) >= state.kit.players or int(holder) == seat:
                raise PositionError(
                    f"follows: {quoted(part)} is neither a place of the talon, such as @0, nor a card in another hand, such as 1:7c"
                )
            hand = state.hands[int(holder)] & ~mask
            mask |= _of("follows", seat, card, hand & ~state.seen[int(holder)] or hand)
        masks.append(mask)
    state.put_back = tuple(masks)


def _hands(state: State, key: str, text: str) -> list[str]:
    hands = [part.strip() for part in text.split("|")]
    if len(hands) != state.kit.players:
        raise PositionError(f"{key} has a part for each of the {state.kit.players} seats, with | between, not {quoted(text)}")
    return hands


def _of(key: str, seat: int, cards: str, among: int) -> int:
    """Return the bits of some cards, taken from those of a mask."""
    bits = 0
    for card in map(_card, cards.split()):
        copies = (1 << card.face_code | 1 << card.face_code + FACES) & among & ~bits
        if not copies:
            raise PositionError(f"{key}: {card} does not lie where seat {seat} could know of it")
        bits |= copies & -copies
    return bits


def _follows(state: State) -> str:
    """Format the cards that each seat put under the talon and can still locate.

    They are in other hands, or at known places of the talon.
    """
    parts = []
    for seat, put_back in enumerate(state.put_back):
        in_hands = [
            f"{holder}:{card}"
            for holder, hand in enumerate(state.hands)
            if holder != seat
            for card in CardSet.of(hand & put_back & ~state.seen[holder])
        ]
        in_talon = [f"@{index}" for index, bit in enumerate(state.talon) if bit & put_back]
        parts.append(" ".join([*in_hands, *in_talon]))
    return " | ".join(parts).strip()


def _since(state: State) -> str:
    """Format the repeatable starts of bouts.

    Each has the attacker, and for each hand the cards that it had then and not now (+), and the opposite (-).
    """
    current_hands = list(map(plainly, state.hands))
    return " / ".join(
        f"{attacker} {' | '.join(_change(minus(plainly(then), now), minus(now, plainly(then))) for then, now in zip(past_hands, current_hands, strict=True))}".strip()
        for attacker, *past_hands in state.past
    )


def _change(more: int, less: int) -> str:
    return " ".join([*(f"+{card}" for card in CardSet.of(more)), *(f"-{card}" for card in CardSet.of(less))])


def _past(state: State, text: str) -> None:
    positions = []
    for part in text.split("/") if text else ():
        attacker, _, changes = part.strip().partition(" ")
        seat, hands = _number("since", attacker), list(map(plainly, state.hands))
        if seat >= state.kit.players:
            raise PositionError(f"since names the seat {seat}, and the seats are 0 to {state.kit.players - 1}")
        for other, change in enumerate(_hands(state, "since", changes)):
            added, removed = (CardSet([_card(entry[1:]) for entry in change.split() if entry[0] == sign]).mask for sign in "+-")
            if any(entry[0] not in "+-" for entry in change.split()) or minus(removed, hands[other]):
                raise PositionError(
                    f"since: {quoted(change)} changes the hand of seat {other}; write +7c for a card more, -7c for one less of its cards"
                )
            hands[other] = plus(minus(hands[other], removed), added)
        positions.append((seat, *hands))
    state.past = tuple(positions)


_MORE: Final[Mapping[str, tuple[Callable[[State], str], Callable[[State, str], None]]]] = {
    "defender": (lambda state: str(state.defender), _defender),
    "limit": (lambda state: str(state.limit), _limit),
    "newest": _one_seat("newest"),
    "began": (lambda state: _seats(bits_of(state.began)), _began),
    "emptied": (lambda state: _seats(state.emptied), _emptied),
    "shown": (lambda state: ", ".join(f"{seat} {Card.of(face)}" for seat, face in state.shown), _shown),
    "swapped": (lambda state: _seats(state.swapped), _swapped),
    "swapped-now": (lambda state: "yes" if state.swapped_now else "", _swapped_now),
    "aside": (lambda state: str(card_of(state.aside)) if state.aside else "", _aside),
    "seen": (lambda state: _by_seat(seen & hand for seen, hand in zip(state.seen, state.hands, strict=True)), _seen),
    "follows": (_follows, _followed),
    "since": (_since, _past),
}
