"""What may be thrown in once a card has been beaten: asked of anybody at the table, also of who then may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.engine import narration
from durak_widget.engine.moves import Refusal
from durak_widget.exercises.choice_exercise import Pick
from durak_widget.exercises.prediction_exercise import deed_of, outcome_of
from durak_widget.i18n import Fact, Rank, Seat
from durak_widget.rules import attack

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import Aside


def throws_after(game: Game, move: Move | str, seat: int, *, rule: Text = "", **more: Unpack[Aside]) -> Pick:
    """With which cards of its hand may a seat throw in after that move, which leaves no card unbeaten?

    >>> from durak_widget import Game, Rules
    >>> rules = Rules(players=3, throw_in_by="attacker")
    >>> game = Game.from_position(rules, hands=["9h Kc Jh", "9c Jd Qs Ad", "9d 6d Jc"], trump="s", table="7c", attacker=0)
    >>> quiz = throws_after(game, "beat 7c 9c", 2)
    >>> print(quiz.question)
    Player 2 beats the 7 of clubs with the 9 of clubs. Pick every card that you may throw in then.
    >>> print(quiz.answer("9d"))
    Not yet. You may not throw in: under these rules only Player 1 may now.
    """
    after = outcome_of(game, move)
    ranks = {card.rank for pair in game.table for card in pair if card} | {card.rank for card in (after.last.cards if after.last else ())}
    hand = list(dict.fromkeys(narration.hand(game.view(seat))))
    refusals = {card: _refused(game, seat, card, ranks) for card in hand}
    right = [card for card, refusal in refusals.items() if refusal is None]
    reasons = {str(card): why or Fact("lesson.why.throw", {"cards": (card,), "count": 1}) for card, why in refusals.items()}
    asked = Fact("lesson.throw_then", {"deed": deed_of(after)})
    question = Fact("lesson.under", {"rule": rule, "asked": asked}) if rule else asked
    return Pick(question, hand, right, reasons=reasons, game=game, after=after, seat=seat, hand=True, **more)


def _refused(game: Game, seat: int, card: Card, ranks: set[str]) -> Refusal | None:
    """Why that seat may not throw that card in, once what lies there is beaten."""
    named = attack.may_throw(game.rules, game.attacker, game.defender, sum(1 << one for one in game.seats_in))
    if seat not in named:
        return Refusal("may_not_throw", {"who": Seat(seat), "why": Fact("why.others", {"seats": tuple(map(Seat, named))})})
    if len(game.table) >= game.limit:
        return Refusal("limit_reached", {"count": len(game.table), "limit": game.limit})
    if card.rank not in ranks:
        shown = tuple(Rank(rank) for rank in "23456789TJQKAX" if rank in ranks)
        return Refusal("rank_not_on_table", {"card": card, "rank": Rank(card.rank), "ranks": shown})
    return None
