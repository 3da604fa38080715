"""What a coach thinks of a choice: what was dear, by the careful player's prices; what gave an ending away, by an exact search; now and then, what was well done.

All of it is of what the seat itself could see.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.counting_bot import ending_of
from durak_widget.bots.heuristic_bots import TRUMP, Careful, beating_all, preferred, prices
from durak_widget.engine.narration import advised, past
from durak_widget.errors import PositionError
from durak_widget.i18n import Fact, Rank
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from durak_widget.analysis.endgame import Ending
    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Played, View
    from durak_widget.i18n import Voice

PATIENCE: Final = 5_000
"""So many positions of an ending are looked at after each of your moves, which takes a tenth of a second in plain Python."""
_DEAR: Final = 3
"""So many ranks above what would have done, a card is worth a word."""
_LONG: Final = 8
"""A line of more sentences is not told."""


class Remark(NamedTuple):
    """One line of the coach: of which kind, and its sentences."""

    kind: str
    """`deed`, `rule`, `topic`, `dear`, `praise`, `end` or `ways`."""
    facts: Sequence[Fact]

    @property
    def reason(self) -> str:
        """What it is counted as; what was done is told as often as it is done."""
        return "" if self.kind in {"deed", "end", "ways"} else self.facts[0].key

    def said(self, voice: Voice) -> str:
        """The line in the language of a voice."""
        return " ".join(voice.say(fact.key, **fact.facts) for fact in self.facts)


def remark(kind: str, key: str, /, **facts: object) -> Remark:
    """One sentence of the coach's own."""
    return Remark(kind, [Fact(f"lesson.coach.{key}", facts)])


def opinion(view: View, move: Move) -> Remark | None:
    """What there is to say of a choice; None where nothing need be said.

    >>> from durak_widget import Game, Move
    >>> from durak_widget.i18n import Voice
    >>> game = Game.from_position(hands=["Qc 7d Qs", "6d 8d"], trump="s", table="6c", talon="8c 8h 8s", attacker=1)
    >>> print(opinion(game.view(0), Move("beat 6c Qs")).said(Voice(me=0)))
    The queen of clubs would have done: save a trump like the queen of spades for what nothing else beats.
    >>> opinion(game.view(0), Move("beat 6c Qc")) is None
    True
    """
    if not view.talon_count and len(view.seats_in) == 2 and view.memory is not None and len(view.legal_moves()) > 1:
        ending = ending_of(view, PATIENCE)
        if ending is not None and ending.value is not None:
            return _proved(view, move, ending)
    return _priced(view, move)


def _proved(view: View, move: Move, ending: Ending) -> Remark | None:
    worth, usual = ending.moves, Careful().choose(view, Random(0))
    best = preferred(ending.quickest or ending.best, view, usual)
    if worth.get(move, ending.value) != ending.value:
        given = Fact("table.coach.won" if ending.value == 1 else "table.coach.draw", {"said": advised(best)})
        return Remark("dear", [given, *_refuted(move, ending)])
    alone = ending.value == 1 and len(worth) > 2 and len(ending.best) == 1
    return Remark("praise", [Fact("table.coach.only")]) if alone and move != usual else None


def _refuted(move: Move, ending: Ending) -> list[Fact]:
    """How a move loses, if that is soon told."""
    from durak_widget.analysis.endgame import (
        refute,  # noqa: PLC0415 - no other moment of a game needs it
        story,  # noqa: PLC0415 - as above
    )

    try:
        found = refute(ending.game, move, budget=PATIENCE)
    except PositionError:  # how it loses takes long to tell
        return []
    told = story(found.game, found.line)[1:]  # the move itself has been told
    return [Fact("lesson.coach.gave.how"), *told] if len(told) <= _LONG else []


def _priced(view: View, move: Move) -> Remark | None:
    """A choice that the careful player would have made for less."""
    legal, price = view.legal_moves(), prices(view)
    if move.verb == "beat" and len(view.table.unbeaten) == 1:
        return _beaten(view, move.cards[1], beating_all(view, legal, price)[0].cards[1])
    if move.verb == "take":
        plan = beating_all(view, legal, price) if len(legal) > 1 else []
        if plan and all(price(one.cards[1]) < TRUMP for one in plan):
            target, card = plan[0].cards
            return remark("dear", "dear.take" if len(plan) == 1 else "dear.takes", target=target, card=card)
    if move.verb == "attack" and view.talon_count:
        return _opened(view, move)
    if move.verb == "throw" and view.talon_count and move.cards[0].suit == view.trump:
        return remark("dear", "dear.throw", card=move.cards[0])
    if move.verb == "pass" and view.talon_count and len(legal) > 1 and all(price(one.cards[0]) >= TRUMP for one in legal if one.cards):
        return remark("praise", "praise.keep")
    return None


def _beaten(view: View, card: Card, cheap: Card) -> Remark | None:
    price = prices(view)
    lying = {one.rank for pair in view.table for one in pair if one}
    throwers = attack.may_throw(view.rules, view.attacker, view.seat, view.sight.seats_in)
    if throwers and price(cheap) < price(card) < TRUMP and card.rank in lying and cheap.rank not in lying:
        return remark("praise", "praise.rank", rank=Rank(card.rank))
    if price(card) - price(cheap) < _DEAR:
        return None
    return remark("dear", "dear.trump" if card.suit == view.trump != cheap.suit else "dear.beat", by=cheap, card=card)


def _opened(view: View, move: Move) -> Remark | None:
    price = prices(view)
    attacks = [one.cards for one in view.legal_moves() if one.verb == "attack"]
    cheap = min(attacks, key=lambda cards: max(map(price, cards)))[0]
    card = move.cards[0]
    pair = sum(one.rank == card.rank for one in view.hand) > 1
    if price(card) - price(cheap) < _DEAR or (pair and price(card) < TRUMP):
        return None
    return remark("dear", "dear.open.trump" if card.suit == view.trump != cheap.suit else "dear.open", by=cheap, card=card)


def goodbye(game: Game, course: Iterable[tuple[Played, Sequence[Remark]]], me: int) -> list[Remark]:
    """What there is to say at the end: kindly how it went, what decided it if that was proved, and how to go on."""
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - asked for at the end alone
    went = "won" if me in outcome.winners else "fool" if me == outcome.fool else "lost" if outcome.losers else "draw"
    said = [remark("end", f"end.{went}")]
    given = [played for played, remarks in course if any(one.reason == "table.coach.won" for one in remarks)]
    if given and went != "won":
        said.append(remark("end", "decided.gave", said=past(given[-1])))
    return [*said, remark("end", "end.next", said=Fact("screen.next_game"))]
