"""Formats a position as one line of text, and parses the line, without losing information.

    6c 7c | 9h Ts; trump h; table 7d/9d 7s
    transfer, players=3: 6c | 9h Ts | Kd; trump h; attacker 2; talon Jc Qs

A part that is left out has its default value: the rules are podkidnoy for two, seat 0 attacks in the second bout, the table is empty.
The grammar is in `docs/notation.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACE_COUNT, SUITS, Card, CardSet, add_cards, bit_indices, card_from_bit, normalize_copies, subtract_cards
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.history import Pairs
from durak_widget.engine.position_setup import set_up_position
from durak_widget.errors import CardError, PositionError, short_repr, suggest_nearest
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from durak_widget.engine.state import State

_MAX_LENGTH: Final = 1_000_000

_USUAL_KEYS: Final = ("trump", "attacker", "table", "taking", "passed", "talon", "turn-up", "discard", "bout")
"""The common parts of a position line, which are also arguments of `Game.from_position`."""


def format_position(state: State) -> str:
    """Format a position as one line of text; the game must not be over."""
    rules = state.compiled_rules.rules
    rules_prefix = "" if rules == Rules() else f"{rules}: "
    parts = [rules_prefix + _format_by_seat(state.hands), *(f"{key} {value}".rstrip() for key, value in _build_usual_parts(state).items())]
    try:
        parsed = _parse_usual_parts("; ".join(parts))
    except PositionError:
        parts.append(f"out {_format_seats(state.places)}".rstrip())
        parsed = _parse_usual_parts("; ".join(parts))
    else:
        if parsed.places != state.places:
            parts.append(f"out {_format_seats(state.places)}".rstrip())
            parsed = _parse_usual_parts("; ".join(parts))
    if not state.attacks:
        state_transitions.resume_position(parsed)
    for key, (format_part, _) in _RARE_FIELDS.items():
        if (value := format_part(state)) != format_part(parsed):
            parts.append(f"{key} {value}".rstrip())
    return "; ".join(parts)


def parse_position(text: str) -> State:
    """Parse a position line, and return a state from which the game can continue.

    If the line is invalid, the function raises a `PositionError` that says why.
    """
    if not isinstance(text, str) or not text.isprintable():
        raise PositionError(f"a position must be a line of text such as '6c 7c | 9h Ts; trump h', not {short_repr(text)}")
    if len(text) > _MAX_LENGTH:
        raise PositionError(f"a position of {len(text)} characters is too long; the limit is {_MAX_LENGTH}")
    state, rare_parts = _parse_usual_parts(text), _find_rare_parts(text)
    for key in _RARE_FIELDS:
        if key in rare_parts:
            _RARE_FIELDS[key][1](state, rare_parts[key])
    starts_bout = not state.attacks
    state_transitions.resume_position(state)
    if starts_bout:
        for key in ("since", "swapped-now"):
            if key in rare_parts:
                _RARE_FIELDS[key][1](state, rare_parts[key])
        state.legal_moves = None
    return state


# --- Common parts of a position line ---


def _build_usual_parts(state: State) -> dict[str, str]:
    """Return the common parts of a position line that differ from their default values."""
    part_texts = {
        "trump": "" if state.trump_suit is None else SUITS[state.trump_suit],
        "attacker": str(state.attacker or ""),
        "table": str(Pairs.from_codes(state.attacks, state.beats)),
        "passed": _format_seats(bit_indices(state.passed)),
        "talon": _format_cards(state.talon),
        "turn-up": str(card_from_bit(state.turn_up)) if state.turn_up else "",
        "discard": str(CardSet.from_mask(state.discard)),
        "bout": "" if state.bout == 2 else str(state.bout),
    }
    taking = {"taking": ""} if state.taking else {}
    return {key: value for key, value in part_texts.items() if value} | taking


def _split_parts(text: str) -> tuple[Rules, str, dict[str, str]]:
    """Split a position line into the rules, the hands, and a dict of all other parts."""
    first, *named_parts = [part.strip() for part in text.split(";")]
    rules, colon, hands = first.rpartition(":")
    parts: dict[str, str] = {}
    for part in named_parts:
        key, _, value = part.partition(" ")
        known_keys = (*_USUAL_KEYS, "out", *_RARE_FIELDS)
        if key not in known_keys:
            raise PositionError(
                f"{short_repr(part)} is not a part of a position; write a keyword and its value, such as 'trump h'.{suggest_nearest(key, known_keys)}"
            )
        if key in parts:
            raise PositionError(f"{key} appears twice; write it once")
        parts[key] = value.strip()
    return Rules.parse(rules.strip()) if colon else Rules(), hands, parts


def _parse_usual_parts(text: str) -> State:
    """Build a state from the common parts of a position line; ignore the rare parts."""
    rules, hands, parts = _split_parts(text)
    return set_up_position(
        compile_rules(rules),
        hands=hands.split("|"),
        trump_suit=parts.get("trump"),
        attacker=_parse_number("attacker", parts.get("attacker", "0")),
        talon=parts.get("talon", ""),
        turn_up=parts.get("turn-up"),
        table=parts.get("table", ""),
        discard=parts.get("discard", ""),
        throwers_passed=_parse_numbers("passed", parts.get("passed", "")),
        taking="taking" in parts,
        bout=_parse_number("bout", parts.get("bout", "2")),
        seats_out=_parse_numbers("out", parts["out"]) if "out" in parts else None,
    )


def _find_rare_parts(text: str) -> Mapping[str, str]:
    """Return the rare parts of a position line, which only few positions need."""
    return {key: value for key, value in _split_parts(text)[2].items() if key in _RARE_FIELDS}


def _parse_number(key: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise PositionError(f"{key} must be a whole number, not {short_repr(text)}")
    return int(text)


def _parse_numbers(key: str, text: str) -> list[int]:
    return [_parse_number(key, number) for number in text.split()]


def _format_seats(seats: Iterable[int]) -> str:
    return " ".join(map(str, seats))


def _format_cards(bits: Iterable[int]) -> str:
    return " ".join(str(card_from_bit(bit)) for bit in bits)


def _format_by_seat(masks: Iterable[int]) -> str:
    """Format the cards of each seat, with `|` between the seats."""
    return " | ".join(str(CardSet.from_mask(mask)) for mask in masks).strip()


# --- Rare parts of a position line ---


def _build_seat_field(key: str, attribute: str) -> tuple[Callable[[State], str], Callable[[State, str], None]]:
    """Return two functions, which format and parse a seat number in a position line."""

    def set_seat(state: State, text: str) -> None:
        seat = _parse_number(key, text)
        if not state.seats_in >> seat & 1:
            raise PositionError(f"{key} names seat {seat}, which is not in the game")
        setattr(state, attribute, seat)

    return lambda state: str(getattr(state, attribute)), set_seat


def _set_defender(state: State, text: str) -> None:
    _build_seat_field("defender", "defender")[1](state, text)
    if state.compiled_rules.side_of_seat[state.defender] == state.compiled_rules.side_of_seat[state.attacker]:
        raise PositionError(f"defender {text}: seats {text} and {state.attacker} are on the same team; name an opponent")


def _set_limit(state: State, text: str) -> None:
    limit = _parse_number("limit", text)
    if not len(state.attacks) <= limit <= len(state.compiled_rules.deck):
        raise PositionError(f"limit {limit} is too low: {len(state.attacks)} attacking cards are on the table; give that number or more")
    state.limit = limit


def _set_began(state: State, text: str) -> None:
    """Parse `began` in a position line: which seats were in the game when the bout began."""
    began = sum(1 << seat for seat in set(_parse_numbers("began", text)) if seat < state.compiled_rules.player_count)
    if state.seats_in & ~began:
        raise PositionError("began must name the seats that were in the game when the bout began; every seat that is in now was in then")
    state.seats_at_bout_start = began


def _set_emptied(state: State, text: str) -> None:
    """Parse `emptied` in a position line: the seats that played their last card in this bout."""
    seats = _parse_numbers("emptied", text)
    if any(seat >= state.compiled_rules.player_count or state.hands[seat] for seat in seats) or len(set(seats)) < len(seats):
        raise PositionError(f"emptied must name each seat that has played its last card, each only once, not {short_repr(text)}")
    state.emptied_seats = tuple(seats)


def _set_swapped(state: State, text: str) -> None:
    """Parse `swapped` in a position line: how often each seat swapped cards with the talon."""
    times = _parse_numbers("swapped", text)
    if len(times) != state.compiled_rules.player_count or max(times) > state.compiled_rules.max_swaps:
        raise PositionError(
            f"swapped must have, for each of the {state.compiled_rules.player_count} seats, how often it has swapped: at most {state.compiled_rules.max_swaps} times"
        )
    state.swap_counts = tuple(times)


def _set_swapped_now(state: State, text: str) -> None:
    """Parse `swapped-now` in a position line: the attacker has swapped cards with the talon.

    The swap was made just before the current bout opened.
    """
    if text != "yes" or not state.swap_counts[state.attacker]:
        raise PositionError("swapped-now is yes if the attacker has swapped before this bout; then swapped must also say how often")
    state.has_swapped = True


def _set_shown(state: State, text: str) -> None:
    """Parse `shown` in a position line: the trumps that players have shown in this bout."""
    shown_trumps = []
    for part in text.split(","):
        seat, _, card = part.strip().partition(" ")
        if not state.compiled_rules.can_transfer_by_showing or _parse_number("shown", seat) >= state.compiled_rules.player_count:
            raise PositionError(
                f"shown {short_repr(text)} is not possible here; name a seat and the trump that it has shown, such as '1 7h', under rules that show trumps"
            )
        shown_trumps.append((int(seat), _parse_card(card).face_code))
    state.shown_trumps = tuple(shown_trumps)


def _parse_card(text: str) -> Card:
    try:
        return Card(text)
    except CardError as error:
        raise PositionError(str(error)) from None


def _set_aside(state: State, text: str) -> None:
    """Parse `aside` in a position line: the card that is out of play."""
    card = _parse_card(text)
    copies = (1 << card.face_code | 1 << card.face_code + FACE_COUNT) & state.compiled_rules.deck_mask
    free_copies = copies & ~(sum(state.hands) | sum(state.talon) | state.discard | state.table)
    if not free_copies:
        raise PositionError(f"{card} cannot be the card set aside: it is not in this deck, or it is somewhere else")
    state.card_aside = free_copies & -free_copies


def _set_seen(state: State, text: str) -> None:
    """Parse `seen` in a position line: the cards in each hand that all players have seen."""
    state.publicly_seen = [
        _find_bits("seen", seat, cards, state.hands[seat]) for seat, cards in enumerate(_split_by_seat(state, "seen", text))
    ]


def _set_follows(state: State, text: str) -> None:
    """Parse `follows` in a position line: the cards that seats put under the talon.

    Only cards that the seat can still locate are listed.
    """
    talon, masks = state.talon, []
    for seat, parts in enumerate(_split_by_seat(state, "follows", text)):
        mask = 0
        for part in parts.split():
            holder, at_sign, index_text = part.partition("@")
            index = _parse_number("follows", index_text) if at_sign else -1
            if at_sign and index < len(talon):
                mask |= talon[index]
                continue
            holder, _, card = part.partition(":")
            if at_sign or _parse_number("follows", holder) >= state.compiled_rules.player_count or int(holder) == seat:
                raise PositionError(
                    f"follows: {short_repr(part)} is neither a position in the talon, such as @0, nor a card in another hand, such as 1:7c"
                )
            hand = state.hands[int(holder)] & ~mask
            mask |= _find_bits("follows", seat, card, hand & ~state.publicly_seen[int(holder)] or hand)
        masks.append(mask)
    state.cards_put_back = tuple(masks)


def _split_by_seat(state: State, key: str, text: str) -> list[str]:
    """Split a part of a position line at `|` into one text for each seat.

    A wrong number of texts raises an error.
    """
    hands = [part.strip() for part in text.split("|")]
    if len(hands) != state.compiled_rules.player_count:
        raise PositionError(
            f"{key} must have a part for each of the {state.compiled_rules.player_count} seats, with | between them, not {short_repr(text)}"
        )
    return hands


def _find_bits(key: str, seat: int, cards: str, candidates: int) -> int:
    """Parse cards into a bit mask; only cards in the bit mask `candidates` are allowed."""
    bits = 0
    for card in map(_parse_card, cards.split()):
        copies = (1 << card.face_code | 1 << card.face_code + FACE_COUNT) & candidates & ~bits
        if not copies:
            raise PositionError(f"{key}: {card} is not where seat {seat} could know it")
        bits |= copies & -copies
    return bits


def _format_follows(state: State) -> str:
    """Format the cards that each seat has put under the talon and knows the place of.

    Each of these cards is in another hand, or in the talon at an index that the seat knows.
    """
    parts = []
    for seat, put_back in enumerate(state.cards_put_back):
        in_hands = [
            f"{holder}:{card}"
            for holder, hand in enumerate(state.hands)
            if holder != seat
            for card in CardSet.from_mask(hand & put_back & ~state.publicly_seen[holder])
        ]
        in_talon = [f"@{index}" for index, bit in enumerate(state.talon) if bit & put_back]
        parts.append(" ".join([*in_hands, *in_talon]))
    return " | ".join(parts).strip()


def _format_since(state: State) -> str:
    """Format the earlier positions that may occur again, as the rule on repetition needs.

    The text has the attacker, and for each hand the cards that it had then but not now (+), and the opposite (-).
    """
    current_hands = list(map(normalize_copies, state.hands))
    return " / ".join(
        f"{attacker} {' | '.join(_format_change(subtract_cards(normalize_copies(then), now), subtract_cards(now, normalize_copies(then))) for then, now in zip(past_hands, current_hands, strict=True))}".strip()
        for attacker, *past_hands in state.repeatable_positions
    )


def _format_change(more: int, less: int) -> str:
    """Format how an earlier hand differs from the present hand: + more cards, - fewer cards."""
    return " ".join([*(f"+{card}" for card in CardSet.from_mask(more)), *(f"-{card}" for card in CardSet.from_mask(less))])


def _set_since(state: State, text: str) -> None:
    """Parse `since` in a position line: earlier starts of bouts that may occur again."""
    positions = []
    for part in text.split("/") if text else ():
        attacker, _, changes = part.strip().partition(" ")
        seat, hands = _parse_number("since", attacker), list(map(normalize_copies, state.hands))
        if seat >= state.compiled_rules.player_count:
            raise PositionError(f"since names seat {seat}, but the seats are 0 to {state.compiled_rules.player_count - 1}")
        for other, change in enumerate(_split_by_seat(state, "since", changes)):
            added, removed = (CardSet([_parse_card(entry[1:]) for entry in change.split() if entry[0] == sign]).mask for sign in "+-")
            if any(entry[0] not in "+-" for entry in change.split()) or subtract_cards(removed, hands[other]):
                raise PositionError(
                    f"since: {short_repr(change)} must change the hand of seat {other}; write +7c for a card more, or -7c for a card less of its hand"
                )
            hands[other] = add_cards(subtract_cards(hands[other], removed), added)
        positions.append((seat, *hands))
    state.repeatable_positions = tuple(positions)


_RARE_FIELDS: Final[Mapping[str, tuple[Callable[[State], str], Callable[[State, str], None]]]] = {
    "defender": (lambda state: str(state.defender), _set_defender),
    "limit": (lambda state: str(state.limit), _set_limit),
    "newest": _build_seat_field("newest", "newest_card_seat"),
    "began": (lambda state: _format_seats(bit_indices(state.seats_at_bout_start)), _set_began),
    "emptied": (lambda state: _format_seats(state.emptied_seats), _set_emptied),
    "shown": (lambda state: ", ".join(f"{seat} {Card.from_code(face)}" for seat, face in state.shown_trumps), _set_shown),
    "swapped": (lambda state: _format_seats(state.swap_counts), _set_swapped),
    "swapped-now": (lambda state: "yes" if state.has_swapped else "", _set_swapped_now),
    "aside": (lambda state: str(card_from_bit(state.card_aside)) if state.card_aside else "", _set_aside),
    "seen": (lambda state: _format_by_seat(seen & hand for seen, hand in zip(state.publicly_seen, state.hands, strict=True)), _set_seen),
    "follows": (_format_follows, _set_follows),
    "since": (_format_since, _set_since),
}
