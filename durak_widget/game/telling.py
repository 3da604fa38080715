"""What a seat sees, told in words: whose turn it is, what lies where, what it may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import SUIT_NAMES, SUIT_SIGNS
from durak_widget.rules import dealing, opening, seating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from durak_widget.cards import Card
    from durak_widget.game.pairs import Pair
    from durak_widget.game.view import View
    from durak_widget.rules.scoring import Outcome

    Naming = Callable[[Card], str]

_TEXT_STYLE = "\ufe0e"
"""After a sign: a letter, not a coloured picture."""
_FEW = 4
"""How many cards a sentence names."""


def in_signs(card: Card) -> str:
    """A card as a sentence on the table names it: `7♠`, `6♦ as ♥`."""
    sign = card.sign.replace("=", " as ")
    for suit in SUIT_SIGNS.values():
        sign = sign.replace(suit, suit + _TEXT_STYLE)
    return f"the {sign}" if card.is_joker else sign


def in_words(card: Card) -> str:
    """A card as a sentence read aloud names it: `the 7 of spades`."""
    return f"the {card.name}"


def cards(count: int) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} card{'' if count == 1 else 's'}"


def title(view: View) -> str:
    """What is shown: `Durak table, bout 4, move 17, as seat 0 sees it`."""
    return f"Durak table, bout {view.bout}, move {view.ply}, as seat {view.seat} sees it"


def trump_words(view: View) -> str:
    """`Trump: hearts` or `No trumps`."""
    return f"Trump: {SUIT_NAMES[view.trump]}" if view.trump else "No trumps"


def so_many(view: View) -> str:
    """How many attacking cards there are of how many there may be: `2 of 6`; after the end, only how many."""
    return cards(len(view.table)) if view.outcome else f"{len(view.table)} of {view.limit}"


def hand(view: View) -> list[Card]:
    """The viewer's hand as people hold it: suit by suit, trumps last, then jokers."""
    return sorted(view.hand, key=lambda card: (card.is_joker, card.suit == view.trump, card.code))


def playable(view: View) -> set[Card]:
    """The viewer's cards that may be played now."""
    played = (move.cards[1:] if move.verb == "beat" else move.cards for move in view.legal_moves())
    return {card.face for some in played for card in some}


def role(view: View, seat: int) -> str:
    """What a seat does now, such as `defends` or `passed`, or how the game ended for it."""
    outcome = view.outcome
    if outcome is None:
        does = view.role_of(seat)
        return "passed" if does == "waits" and seat in view.passed else does
    if seat == outcome.fool:
        return "the fool"
    if not outcome.winners:
        return "a draw"
    return "won" if seat in outcome.winners else "lost"


def partners(view: View, seat: int) -> bool:
    """Whether that other seat is of the viewer's side."""
    side = seating.sides(view.rules)
    return seat != view.seat and side[seat] == side[view.seat]


def call(view: View, name: Naming = in_words) -> str:
    """The call to action: whose turn it is, and for what; or how the game ended."""
    if view.outcome:
        return _ended(view.outcome, view.seat)
    if view.actor != view.seat:
        return _waiting(view, f"Seat {view.actor}")
    if view.actor == view.defender:
        return _defending(view, name)
    return _adding(view, name) if view.table else _opening(view)


def _waiting(view: View, who: str) -> str:
    if view.actor == view.defender:
        return f"{who} defends."
    if not view.table:
        return f"{who} attacks."
    return f"{_taker(view)}{who} may throw in."


def _taker(view: View) -> str:
    if not view.taking:
        return ""
    return "You take. " if view.defender == view.seat else f"Seat {view.defender} takes. "


def _opening(view: View) -> str:
    several = ", or with several of one rank" if opening.several(view.rules) else ""
    swap = " Or first swap two cards." if any(move.verb == "swap" for move in view.legal_moves()) else ""
    return f"You attack: open with any card{several}.{swap}"


def _adding(view: View, name: Naming) -> str:
    throws = list(dict.fromkeys(move.cards[0].face for move in view.legal_moves() if move.verb == "throw"))
    what = _listed(map(name, throws), "or") if len(throws) <= _FEW else "a card"
    if view.taking:
        return f"{_taker(view)}Throw in {what}, or pass."
    return f"You attack: throw in {what}, or pass." if view.seat == view.attacker else f"You may throw in {what}, or pass."


def _defending(view: View, name: Naming) -> str:
    can = {move.verb for move in view.legal_moves()}
    unbeaten = view.table.unbeaten
    what = _listed(map(name, unbeaten), "and") if len(unbeaten) <= _FEW else f"{len(unbeaten)} cards"
    ways = [f"beat {what}"] * ("beat" in can) + ["transfer"] * ("transfer" in can) + ["show a trump"] * ("show" in can)
    if not ways:
        return f"You defend, and nothing of yours beats {what}: take."
    return f"You defend. {_upper(_listed([*ways, 'take'], 'or', comma=True))}."


def _ended(outcome: Outcome, me: int) -> str:
    if not outcome.winners:
        return "A draw: nobody is the fool."
    if outcome.fool is None:
        return _did(outcome.winners, me, "win")
    wears = ("", ", with an epaulette", ", with epaulettes on both shoulders")[outcome.epaulettes]
    fool = f"{'You are' if outcome.fool == me else f'Seat {outcome.fool} is'} the fool{wears}."
    return fool if len(outcome.losers) == 1 else f"{_did(outcome.losers, me, 'lose')} {fool}"


def order(view: View) -> str:
    """In which order the seats went out: `Out: seat 2, then you.`"""
    names = ["you" if seat == view.seat else f"seat {seat}" for seat in view.places]
    return f"Out: {', then '.join(names)}." if names else ""


def _did(seats: Sequence[int], me: int, verb: str) -> str:
    """`You win.`, `Seat 1 wins.`, `You and seat 2 lose.`"""
    if seats == (me,):
        return f"You {verb}."
    who = ["you"] * (me in seats) + [f"seat {seat}" for seat in seats if seat != me]
    return f"{_upper(_listed(who, 'and'))} {verb}{'s' if len(seats) == 1 else ''}."


def told(view: View) -> str:
    """Everything that the seat sees, a line for each part of the table."""
    others = seating.clockwise(view.seat, len(view.counts))[:-1]
    ending = [order(view)] if view.outcome and view.places else []
    lines = [call(view), *ending, *(_seat(view, seat) for seat in others), _lying(view), _piles(view), *_own(view)]
    return "\n".join(lines)


def _seat(view: View, seat: int) -> str:
    partner = ", your partner" if partners(view, seat) else ""
    shown = [card.name for who, card in view.shown if who == seat]
    return f"Seat {seat}{partner}, {cards(view.counts[seat])}, {role(view, seat)}{_showing(shown)}."


def _showing(names: Sequence[str]) -> str:
    return f", has shown {_listed(names, 'and')}" if names else ""


def _lying(view: View) -> str:
    if not view.table:
        return "Table: empty."
    return f"Table: {'; '.join(map(_pair, view.table))}; {so_many(view)}."


def _pair(pair: Pair) -> str:
    attack, beat = pair
    return f"{attack.name}, {f'beaten by {beat.name}' if beat else 'not beaten'}"


def _piles(view: View) -> str:
    turn_up = f", the {view.turn_up.name} lies face up" if view.turn_up else ""
    talon = f" Talon, {cards(view.talon_count)}." if view.talon_count or dealing.leaves_talon(view.rules) else ""
    discard = f" Discard pile, {cards(view.discard_count)}." if view.discard_count else ""
    return f"{trump_words(view)}{turn_up}.{talon}{discard}"


def _own(view: View) -> list[str]:
    held, may = hand(view), playable(view)
    doing = role(view, view.seat)
    lines = [f"You, seat {view.seat}, {cards(len(held))}, {doing}{': ' if held else ''}{', '.join(c.name for c in held)}."]
    if may and not may.issuperset(held):
        lines.append(f"You may play: {', '.join(c.name for c in dict.fromkeys(held) if c in may)}.")
    return lines


def _upper(words: str) -> str:
    return words[0].upper() + words[1:]


def _listed(words: Iterable[str], last: str, *, comma: bool = False) -> str:
    """`a, b or c`; with a comma, `a, b, or c`."""
    *first, final = words
    return f"{', '.join(first)}{',' * comma} {last} {final}" if first else final
