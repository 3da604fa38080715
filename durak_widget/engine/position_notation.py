"""A position as one line of text, written and read without loss: the hands, then what else there is to say, with semicolons between.

    6c 7c | 9h Ts; trump h; table 7d/9d 7s
    transfer, players=3: 6c | 9h Ts | Kd; trump h; attacker 2; talon Jc Qs

What is not said is as usual: the rules are podkidnoy for two, seat 0 attacks in the second bout, nothing lies on the table. The grammar is in
`docs/notation.md`.
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
"""What `Game.from_position` takes too."""


def line_of(state: State) -> str:
    """The line of a state in which somebody is to act."""
    rules = state.kit.rules
    begins = "" if rules == Rules() else f"{rules}: "
    said = [begins + _by_seat(state.hands), *(f"{key} {value}".rstrip() for key, value in _facts(state).items())]
    try:
        usual = _placed("; ".join(said))
    except PositionError:
        said.append(f"out {_seats(state.places)}".rstrip())
        usual = _placed("; ".join(said))
    else:
        if usual.places != state.places:
            said.append(f"out {_seats(state.places)}".rstrip())
            usual = _placed("; ".join(said))
    if not state.attacks:
        state_transitions.resume(usual)
    for key, (write_one, _) in _MORE.items():
        if (value := write_one(state)) != write_one(usual):
            said.append(f"{key} {value}".rstrip())
    return "; ".join(said)


def read(text: str) -> State:
    """The state that a line says, ready to be played on; a PositionError says what is wrong."""
    if not isinstance(text, str) or not text.isprintable():
        raise PositionError(f"a position is a line of text such as '6c 7c | 9h Ts; trump h', not {quoted(text)}")
    if len(text) > _LONGEST:
        raise PositionError(f"a position of {len(text)} characters is too long; at most {_LONGEST} are read")
    state, more = _placed(text), _more(text)
    for key in _MORE:
        if key in more:
            _MORE[key][1](state, more[key])
    begins = not state.attacks
    state_transitions.resume(state)
    if begins:
        for key in ("since", "swapped-now"):
            if key in more:
                _MORE[key][1](state, more[key])
        state.legal = None
    return state


# What every position says


def _facts(state: State) -> dict[str, str]:
    """What there is to say that is not as usual, for `Game.from_position`."""
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
    """The rules, the hands, and the other parts of a line by their keys."""
    first, *rest = [part.strip() for part in text.split(";")]
    rules, colon, hands = first.rpartition(":")
    said: dict[str, str] = {}
    for part in rest:
        key, _, value = part.partition(" ")
        known = (*_SAID, "out", *_MORE)
        if key not in known:
            raise PositionError(
                f"{quoted(part)} says nothing of a position: write a word and what it says, such as 'trump h'.{nearest(key, known)}"
            )
        if key in said:
            raise PositionError(f"{key} is said twice; say it once")
        said[key] = value.strip()
    return Rules.parse(rules.strip()) if colon else Rules(), hands, said


def _placed(text: str) -> State:
    """The state that the usual parts of a line say, from which play is yet to go on."""
    rules, hands, said = _parts(text)
    return state_laid(
        kit_of(rules),
        hands=hands.split("|"),
        trump_suit=said.get("trump"),
        attacker=_number("attacker", said.get("attacker", "0")),
        talon=said.get("talon", ""),
        turn_up=said.get("turn-up"),
        table=said.get("table", ""),
        discard=said.get("discard", ""),
        throwers_passed=_numbers("passed", said.get("passed", "")),
        taking="taking" in said,
        bout=_number("bout", said.get("bout", "2")),
        out=_numbers("out", said["out"]) if "out" in said else None,
    )


def _more(text: str) -> Mapping[str, str]:
    """The parts of a line that are seldom said."""
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


# What is seldom said: how a state says it, and how it is told


def _one_seat(key: str) -> tuple[Callable[[State], str], Callable[[State, str], None]]:
    def told(state: State, text: str) -> None:
        seat = _number(key, text)
        if not state.seats_in >> seat & 1:
            raise PositionError(f"{key} names the seat {seat}, which is not in the game")
        setattr(state, key, seat)

    return lambda state: str(getattr(state, key)), told


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
    talon, followed = state.talon, []
    for seat, parts in enumerate(_hands(state, "follows", text)):
        mine = 0
        for part in parts.split():
            who, at, what = part.partition("@")
            place = _number("follows", what) if at else -1
            if at and place < len(talon):
                mine |= talon[place]
                continue
            who, _, card = part.partition(":")
            if at or _number("follows", who) >= state.kit.players or int(who) == seat:
                raise PositionError(
                    f"follows: {quoted(part)} is neither a place of the talon, such as @0, nor a card in another hand, such as 1:7c"
                )
            hand = state.hands[int(who)] & ~mine
            mine |= _of("follows", seat, card, hand & ~state.seen[int(who)] or hand)
        followed.append(mine)
    state.put_back = tuple(followed)


def _hands(state: State, key: str, text: str) -> list[str]:
    hands = [part.strip() for part in text.split("|")]
    if len(hands) != state.kit.players:
        raise PositionError(f"{key} has a part for each of the {state.kit.players} seats, with | between, not {quoted(text)}")
    return hands


def _of(key: str, seat: int, cards: str, among: int) -> int:
    """The bits of some cards among those."""
    found = 0
    for card in map(_card, cards.split()):
        copies = (1 << card.face_code | 1 << card.face_code + FACES) & among & ~found
        if not copies:
            raise PositionError(f"{key}: {card} does not lie where seat {seat} could know of it")
        found |= copies & -copies
    return found


def _follows(state: State) -> str:
    """What each seat can still follow of the cards that it put under the talon: those in other hands, and those at places of the talon."""
    parts = []
    for seat, mine in enumerate(state.put_back):
        held = [
            f"{who}:{card}" for who, hand in enumerate(state.hands) if who != seat for card in CardSet.of(hand & mine & ~state.seen[who])
        ]
        places = [f"@{place}" for place, bit in enumerate(state.talon) if bit & mine]
        parts.append(" ".join([*held, *places]))
    return " | ".join(parts).strip()


def _since(state: State) -> str:
    """The starts of bouts that may come again: the attacker, and what each hand held then and does not now (+), or the other way round (-)."""
    now = list(map(plainly, state.hands))
    return " / ".join(
        f"{attacker} {' | '.join(_change(minus(plainly(one), other), minus(other, plainly(one))) for one, other in zip(then, now, strict=True))}".strip()
        for attacker, *then in state.past
    )


def _change(more: int, less: int) -> str:
    return " ".join([*(f"+{card}" for card in CardSet.of(more)), *(f"-{card}" for card in CardSet.of(less))])


def _past(state: State, text: str) -> None:
    past = []
    for part in text.split("/") if text else ():
        attacker, _, changes = part.strip().partition(" ")
        seat, hands = _number("since", attacker), list(map(plainly, state.hands))
        if seat >= state.kit.players:
            raise PositionError(f"since names the seat {seat}, and the seats are 0 to {state.kit.players - 1}")
        for who, change in enumerate(_hands(state, "since", changes)):
            more, less = (CardSet([_card(one[1:]) for one in change.split() if one[0] == sign]).mask for sign in "+-")
            if any(one[0] not in "+-" for one in change.split()) or minus(less, hands[who]):
                raise PositionError(
                    f"since: {quoted(change)} changes the hand of seat {who}; write +7c for a card more, -7c for one less of its cards"
                )
            hands[who] = plus(minus(hands[who], less), more)
        past.append((seat, *hands))
    state.past = tuple(past)


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
