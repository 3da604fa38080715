"""What is to be reached in a position: each goal judges a move when it has been made, by what the model then says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from durak_widget.engine.moves import Move
from durak_widget.engine.outcome_wording import ended
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.exercises.ahead import PATIENCE, BeatAll, Winning
from durak_widget.exercises.answer_parsing import author_text, texts_of
from durak_widget.i18n import Fact, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Played
    from durak_widget.exercises.ahead import Ahead, People
    from durak_widget.exercises.answer_parsing import Text

    Finding = tuple[bool, Text] | None
    """Reached, or missed, and why; None while it may still go either way."""


class Goal(NamedTuple):
    """Something to reach."""

    text: Text
    """What it is."""
    judge: Callable[[Game, int, Played], Finding]
    """What a move means for the seat that wants to reach it; the game is the one after the move."""
    ahead: Ahead | None = None
    """What is known about the way there, if anything is."""


def goal_of(goal: object) -> Goal:
    """A goal: one of these, or whatever else has a text and judges a move."""
    if not callable(getattr(goal, "judge", None)):
        raise DurakError(f"a goal is one of lessons.goals, such as goals.beat_all(), not {quoted(goal)}")
    author_text(getattr(goal, "text", None))
    return cast("Goal", goal)


def beat_all(*, trumps: bool = True, text: Text = "", missed: Text = "") -> Goal:
    """Beat every card of the bout, perhaps without a trump; what is `missed` may be said in other words.

    It is missed as soon as what lies there can no longer be beaten.

    >>> beat_all(trumps=False).text.key
    'lesson.goal.beat_all.plain'
    """

    def judge(game: Game, seat: int, played: Played) -> Finding:
        if played.seat == seat and played.verb == "take":
            return False, missed or Fact("lesson.goal.took")
        if not trumps and played.seat == seat and played.verb == "beat" and played.cards[-1].suit == game.trump:
            return False, missed or Fact("lesson.goal.trumped", {"card": played.cards[-1]})
        end = game.view(seat).ends[-1:]
        if end and end[0].ply == game.ply and end[0].defender == seat:
            return not end[0].taken, Fact("lesson.goal.beaten")
        return None

    return Goal(text or Fact("lesson.goal.beat_all" if trumps else "lesson.goal.beat_all.plain"), judge, BeatAll(trumps, missed))


def get_out(*, epaulettes: int = 0, bouts: int | None = None, text: Text = "", missed: Text = "") -> Goal:
    """Get rid of the last card before the others do, perhaps leaving the fool with `epaulettes`, perhaps within so many `bouts`; a draw is `missed` too.

    With two left and no talon it is missed by the move that gives away what could be forced.

    >>> get_out().text.key, get_out(bouts=3).text.facts
    ('lesson.goal.out', {'count': 3})
    """
    most = whole_number(bouts)
    if bouts is not None and (most is None or most < 1):
        raise DurakError(f"bouts={quoted(bouts)}: one is out within a number of bouts, such as 3, or whenever it may be (None)")

    def judge(game: Game, seat: int, _: Played) -> Finding:
        end = game.outcome
        if end is not None and (seat not in end.winners or end.epaulettes < epaulettes):
            return False, missed or Fact("sentence", {"said": ended(end)})
        if end is not None or (seat in game.places and not epaulettes):
            return True, Fact("end.out", {"who": Seat(seat)})
        if most is not None and len(game.view(seat).ends) >= most:
            return False, missed or Fact("lesson.goal.late", {"count": most})
        return None

    winning = Winning(epaulettes, missed)
    said = Fact("lesson.goal.out") if most is None else Fact("lesson.goal.out.within", {"count": most})
    return Goal(text or said, judge, winning if most is None else _InTime(winning, most))


class _InTime(NamedTuple):
    """The way to a win within so many bouts."""

    winning: Winning
    bouts: int

    def open(self, game: Game, seat: int) -> bool | None:
        """Whether a seat can force it in the bouts that are left."""
        found = self.winning.open(game, seat)
        if not found:
            return found
        from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - no other goal needs it

        needed = solve(game, budget=PATIENCE, epaulettes=self.winning.epaulettes).bouts
        return None if needed is None else needed <= self.bouts - len(game.view(seat).ends)

    def way(self, game: Game, seat: int) -> Move | None:
        """The quickest way to force it."""
        return self.winning.way(game, seat)

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:
        """In the author's words, or how the other prevents it, or that it takes too long."""
        after = before.copy()
        after.play(move)
        if self.winning.missed or not self.winning.open(after, before.actor or 0):
            return self.winning.gone(before, move, people)
        return Fact("lesson.goal.slow", {"count": self.bouts})


def find(right: Mapping[str, Text], wrong: Mapping[str, Text] | None = None, *, text: Text = "", otherwise: Text = "") -> Goal:
    """Find one of these moves; of others say why they are not as good.

    >>> goal = find({"beat 7c 8c": "The cheapest card will do."}, {"beat 7c Ah": "A trump is worth more than that."})
    >>> goal.text.key
    'lesson.goal.find'
    """
    if not right:
        raise DurakError("a move to find must be named, as in find({'beat 7c 8c': 'The cheapest card will do.'})")
    known = {str(Move(move)): (True, why) for move, why in texts_of(right).items()}
    known |= {str(Move(move)): (False, why) for move, why in texts_of(wrong or {}).items()}
    other = author_text(otherwise) or Fact("lesson.goal.other")

    def judge(_: Game, seat: int, played: Played) -> Finding:
        return known.get(str(played), (False, other)) if played.seat == seat else None

    return Goal(text or Fact("lesson.goal.find"), judge)
