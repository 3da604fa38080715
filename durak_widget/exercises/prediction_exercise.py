"""Exercises that ask what a move leads to, or which of two moves is better.

The answer to a prediction is a player, with the rule that decides it. The two moves to compare are shown side by side. A third kind of
question asks which cards a player may throw in after a card has been beaten.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from durak_widget.engine import narration
from durak_widget.engine.moves import Move, Refusal
from durak_widget.engine.narration import build_advice_fact, build_draws_fact, build_played_fact
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import require_game, require_text, require_texts
from durak_widget.exercises.choice_exercise import Choose, Pick
from durak_widget.i18n import Rank, Seat, TranslatableText
from durak_widget.rules import attack, turns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from durak_widget.cards import Card
    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import ExerciseOptions

_RULE_OF_VERB = {"swap": "swap", "transfer": "transfer", "show": "transfer"}


class Predict(Choose):
    """An exercise in which the student predicts what follows from a move.

    >>> from durak_widget import Game
    >>> game = Game.from_position("podkidnoy, players=3", hands=["7c 8c", "9c Th", "Jd Qd"], trump="h", table="7h", attacker=0)
    >>> quiz = Predict.next_to_act(game, "beat 7h Th")
    >>> print(quiz.question)
    You beat the 7 of hearts with the 10 of hearts. Whose turn is it now?
    >>> print(quiz.answer(2))
    Not yet. Players who can throw in cards get their turn before the defender continues.
    >>> print(quiz.answer(0))
    Right. Player 1 can throw in a card. Players who can throw in cards get their turn before the defender continues.
    """

    @classmethod
    def next_to_act(cls, game: Game, move: Move | str, *, rule: Text = "", **more: Unpack[ExerciseOptions]) -> Predict:
        """Ask which player acts after a given move; show the text `rule` first if it is given."""
        after = game_after_move(game, move)
        if after.actor is None:
            raise DurakError(f"after {move} the game is over, so no player moves; ask about a move after which the game goes on")
        seats = range(game.seats)
        role = "defend" if after.actor == after.defender else "throw" if after.table else "open"
        waiting_sentence = TranslatableText(f"call.waits.{role}", {"who": Seat(after.actor)})
        rule_name = _find_next_rule(game, after)
        rule_sentence = TranslatableText(f"lesson.rule_next.{rule_name}", {"who": Seat(after.actor)})
        reason = rule_sentence if rule_name == "transfer" else _join_sentences(waiting_sentence, rule_sentence)
        return cls._from_seats(
            "lesson.next", game, after, {**dict.fromkeys(seats, rule_sentence), after.actor: reason}, after.actor, rule, **more
        )

    @classmethod
    def first_to_draw(cls, game: Game, move: Move | str, **more: Unpack[ExerciseOptions]) -> Predict:
        """Ask which player is the first to draw cards after a move that ends the bout.

        >>> from durak_widget import Game
        >>> game = Game.from_position(hands=["9s 8c", "9c Th"], trump="h", table="7d/9d", attacker=0, talon="Kd Ah Qs Kc 6s 6d 6h")
        >>> print(Predict.first_to_draw(game, "pass").solution)
        ['0']
        """
        after = game_after_move(game, move)
        bout_ends = after.view(0).bout_ends
        draws = bout_ends[-1].draw_counts if bout_ends and bout_ends[-1].ply == after.ply else ()
        if not draws:
            raise DurakError(f"no player draws after {move}; ask about a move that ends a bout while the talon has cards")
        loser_first = turns.list_draw_order(game.rules, 0, 1, taken=True)[0] == 1
        rule_sentence = TranslatableText(f"lesson.rule_draw.{'loser' if loser_first else 'attacker'}")
        reasons: dict[int, Text] = {
            **dict.fromkeys(range(game.seats), rule_sentence),
            draws[0][0]: _join_sentences(build_draws_fact(draws), rule_sentence),
        }
        return cls._from_seats("lesson.draws", game, after, reasons, draws[0][0], **more)

    @classmethod
    def _from_seats(
        cls, key: str, game: Game, after: Game, reasons: Mapping[int, Text], right: int, rule: Text = "", **more: Unpack[ExerciseOptions]
    ) -> Predict:
        """Build a question about the result of a move; the answer is a player's seat."""
        assert after.last_move is not None  # noqa: S101 - `after` has a last move
        seat_names = {str(seat): TranslatableText("lesson.seat", {"who": Seat(seat)}) for seat in reasons}
        options = {str(seat): reason for seat, reason in reasons.items()}
        prompt = TranslatableText(key, {"deed": describe_last_move(after)})
        question = _join_sentences(require_text(rule), prompt) if rule else prompt
        return cls(question, options, str(right), named=seat_names, game=game, after=after, seat=after.last_move.seat, **more)


def _join_sentences(first: Text, second: Text) -> TranslatableText:
    """Join two sentences into one text."""
    return TranslatableText("lesson.under", {"rule": first, "asked": second})


def _find_next_rule(game: Game, after: Game) -> str:
    """Return the name of the rule that decides which player acts after a move."""
    if after.bout > game.bout:
        return "taken" if after.view(0).bout_ends[-1].taken else "beaten"
    if after.last_move is not None and after.last_move.verb in _RULE_OF_VERB:
        return _RULE_OF_VERB[after.last_move.verb]
    return "defend" if after.actor == after.defender else "throw"


def describe_last_move(game: Game) -> TranslatableText:
    """Describe the last move of a game in words."""
    played = game.last_move
    assert played is not None  # noqa: S101 - the caller has made a move
    return build_played_fact(played)


def game_after_move(game: Game, move: Move | str) -> Game:
    """Return a copy of `game` in which `move` has been played."""
    after = require_game(game).copy()
    after.play(move)
    return after


class WhatIf(Choose):
    """An exercise to choose the better of two moves; pictures show where each move leads.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["9c Ah", "Jd Qs"], trump="h", table="7c", attacker=1)
    >>> quiz = WhatIf(game, {"beat 7c 9c": "It keeps the trump.", "beat 7c Ah": "The best card of all is gone."}, better="beat 7c 9c")
    >>> print(quiz.answer("beat 7c Ah"))
    Not yet. The best card of all is gone.
    """

    def __init__(self, game: Game, moves: Mapping[str, Text], *, better: str, question: Text = "", **more: Unpack[ExerciseOptions]) -> None:
        """Ask which of two moves is better; each comes with a sentence of feedback."""
        texts = require_texts(moves)
        if len(texts) != 2:
            raise DurakError(f"give exactly two moves to compare, not {len(texts)}: {', '.join(texts) or 'none'}")
        reasons = {str(Move(text)): reason for text, reason in texts.items()}
        self._resulting_positions = {text: game_after_move(game, text) for text in reasons}
        move_names = {text: build_advice_fact(Move(text)) for text in reasons}
        super().__init__(question or TranslatableText("lesson.what_if"), reasons, str(Move(better)), named=move_names, game=game, **more)

    @property
    def resulting_positions(self) -> Mapping[str, Game]:
        """Return the two positions that the two offered moves lead to."""
        return self._resulting_positions

    def _parse_answer(self, answer: object) -> list[str]:
        chosen_move = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
        return super()._parse_answer(str(Move(chosen_move)) if isinstance(chosen_move, (str, Move)) else chosen_move)

    def _extra_view_fields(self) -> dict[str, object]:
        """Return pictures of the positions after the two offered moves, as data for the front end."""
        return {"pictures": {text: self._render_game(after) for text, after in self._resulting_positions.items()}}

    def _render_print_extras(self) -> str:
        """Return HTML for print with pictures of the positions after the two offered moves."""
        figures = "".join(
            f'<figure style="flex:1 1 400px;max-width:560px;margin:0"><figcaption style="margin:14px 0 6px"><b>{escape(self._translate(self._option_texts[text]))}</b></figcaption>'
            f"{self._render_game(after)}</figure>"
            for text, after in self._resulting_positions.items()
        )
        return f'<div style="display:flex;flex-wrap:wrap;gap:12px">{figures}</div>'

    def _render_game(self, game: Game) -> str:
        """Return a picture of a game's position as the student's seat sees it, as HTML."""
        return self._draw_position(game)._repr_mimebundle_()["text/html"]


def ask_throw_ins(game: Game, move: Move | str, seat: int, *, rule: Text = "", **more: Unpack[ExerciseOptions]) -> Pick:
    """Return an exercise that asks which cards a player may throw in after a move.

    The move must leave no card unbeaten.

    >>> from durak_widget import Game, Rules
    >>> rules = Rules(players=3, throw_in_by="attacker")
    >>> game = Game.from_position(rules, hands=["9h Kc Jh", "9c Jd Qs Ad", "9d 6d Jc"], trump="s", table="7c", attacker=0)
    >>> quiz = ask_throw_ins(game, "beat 7c 9c", 2)
    >>> print(quiz.question)
    Player 2 beats the 7 of clubs with the 9 of clubs. Now pick every card that you can throw in.
    >>> print(quiz.answer("9d"))
    Not yet. You can't throw in: under these rules, only Player 1 can do that now.
    """
    after = game_after_move(game, move)
    ranks = {card.rank for pair in game.table for card in pair if card} | {
        card.rank for card in (after.last_move.cards if after.last_move else ())
    }
    hand = list(dict.fromkeys(narration.sort_hand(game.view(seat))))
    refusals = {card: _find_refusal(game, seat, card, ranks) for card in hand}
    right = [card for card, refusal in refusals.items() if refusal is None]
    reasons = {str(card): why or TranslatableText("lesson.why.throw", {"cards": (card,), "count": 1}) for card, why in refusals.items()}
    prompt = TranslatableText("lesson.throw_then", {"deed": describe_last_move(after)})
    question = TranslatableText("lesson.under", {"rule": rule, "asked": prompt}) if rule else prompt
    return Pick(question, hand, right, reasons=reasons, game=game, after=after, seat=seat, hand=True, **more)


def _find_refusal(game: Game, seat: int, card: Card, ranks: set[str]) -> Refusal | None:
    """Return the rule that forbids a player to throw in a card, or None if no rule does.

    The function assumes that all cards on the table are beaten.
    """
    allowed_seats = attack.list_throwers(game.rules, game.attacker, game.defender, sum(1 << other_seat for other_seat in game.seats_in))
    if seat not in allowed_seats:
        return Refusal(
            "may_not_throw", {"who": Seat(seat), "why": TranslatableText("why.others", {"seats": tuple(map(Seat, allowed_seats))})}
        )
    if len(game.table) >= game.limit:
        return Refusal("limit_reached", {"who": Seat(seat), "count": len(game.table), "limit": game.limit})
    if card.rank not in ranks:
        table_ranks = tuple(Rank(rank) for rank in "23456789TJQKAX" if rank in ranks)
        return Refusal("rank_not_on_table", {"who": Seat(seat), "card": card, "rank": Rank(card.rank), "ranks": table_ranks})
    return None
