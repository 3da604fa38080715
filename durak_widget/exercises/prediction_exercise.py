"""What comes of a move? Questions whose answer is a seat, and the rule by which it is that one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.engine.narration import cards_drawn, done
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import author_text, game_given
from durak_widget.exercises.choice_exercise import Choose
from durak_widget.i18n import Fact, Seat
from durak_widget.rules import turns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import Aside


class Predict(Choose):
    """What comes of a move? Guess, then see.

    >>> from durak_widget import Game
    >>> game = Game.from_position("podkidnoy, players=3", hands=["7c 8c", "9c Th", "Jd Qd"], trump="h", table="7h", attacker=0)
    >>> quiz = Predict.next_to_act(game, "beat 7h Th")
    >>> print(quiz.question)
    You beat the 7 of hearts with the 10 of hearts. Who is to act then?
    >>> print(quiz.answer(2))
    Not yet. Those who may throw in are asked before the defender goes on.
    >>> print(quiz.answer(0))
    Right. Player 1 may throw in. Those who may throw in are asked before the defender goes on.
    """

    @classmethod
    def next_to_act(cls, game: Game, move: Move | str, *, rule: Text = "", **more: Unpack[Aside]) -> Predict:
        """Who is to act after that move? An unusual `rule` is said first."""
        after = outcome_of(game, move)
        if after.actor is None:
            raise DurakError(f"nobody is to act after {move}: the game is over then; ask about a move after which it goes on")
        seats = range(game.seats)
        doing = "defend" if after.actor == after.defender else "throw" if after.table else "open"
        said = Fact(f"call.waits.{doing}", {"who": Seat(after.actor)})
        why = _why_next(game, after)
        law = Fact(f"lesson.rule_next.{why}", {"who": Seat(after.actor)})
        known = law if why == "transfer" else _both(said, law)
        return cls._seats("lesson.next", game, after, {**dict.fromkeys(seats, law), after.actor: known}, after.actor, rule, **more)

    @classmethod
    def first_to_draw(cls, game: Game, move: Move | str, **more: Unpack[Aside]) -> Predict:
        """Who draws first, when that move has ended the bout?

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["9s 8c", "9c Th"], trump="h", table="7d/9d", attacker=0, talon="Kd Ah Qs Kc 6s 6d 6h")
        >>> print(Predict.first_to_draw(game, "pass").solution)
        ['0']
        """
        after = outcome_of(game, move)
        ends = after.view(0).ends
        drew = ends[-1].drew if ends and ends[-1].ply == after.ply else ()
        if not drew:
            raise DurakError(f"nobody draws after {move}: ask about a move that ends a bout while there are cards in the talon")
        loser_first = turns.draws(game.rules, 0, 1, taken=True)[0] == 1
        rule = Fact(f"lesson.rule_draw.{'loser' if loser_first else 'attacker'}")
        reasons: dict[int, Text] = {**dict.fromkeys(range(game.seats), rule), drew[0][0]: _both(cards_drawn(drew), rule)}
        return cls._seats("lesson.draws", game, after, reasons, drew[0][0], **more)

    @classmethod
    def _seats(
        cls, key: str, game: Game, after: Game, reasons: Mapping[int, Text], right: int, rule: Text = "", **more: Unpack[Aside]
    ) -> Predict:
        """A question about a move whose answer is a seat."""
        assert after.last is not None  # noqa: S101 - the move has been made
        named = {str(seat): Fact("lesson.seat", {"who": Seat(seat)}) for seat in reasons}
        options = {str(seat): reason for seat, reason in reasons.items()}
        asked = Fact(key, {"deed": deed_of(after)})
        question = _both(author_text(rule), asked) if rule else asked
        return cls(question, options, str(right), named=named, game=game, after=after, seat=after.last.seat, **more)


_PASSED_ON = {"swap": "swap", "transfer": "transfer", "show": "transfer"}


def _both(first: Text, then: Text) -> Fact:
    """One sentence after the other."""
    return Fact("lesson.under", {"rule": first, "asked": then})


def _why_next(game: Game, after: Game) -> str:
    """By which rule somebody is to act after a move, as the words know it."""
    if after.bout > game.bout:
        return "taken" if after.view(0).ends[-1].taken else "beaten"
    if after.last is not None and after.last.verb in _PASSED_ON:
        return _PASSED_ON[after.last.verb]
    return "defend" if after.actor == after.defender else "throw"


def deed_of(game: Game) -> Fact:
    """The move that was made last, in words."""
    deed = game.last
    assert deed is not None  # noqa: S101 - one has been made
    return done(deed)


def outcome_of(game: Game, move: Move | str) -> Game:
    """A copy of the game, after that move."""
    after = game_given(game).copy()
    after.play(move)
    return after
