"""Defines the goals of a position exercise, and whether a goal can still be reached.

A goal judges each move after it has been made. The author of an exercise knows all its cards. So whether a
goal can still be reached is decided from the whole position, not from a view.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

from durak_widget.bots.heuristic_bots import Careful, preferred, prices
from durak_widget.cards import Card
from durak_widget.engine.moves import Move
from durak_widget.engine.outcome_wording import ended
from durak_widget.errors import DurakError, PositionError, quoted, whole_number
from durak_widget.exercises.answer_parsing import author_text, texts_of
from durak_widget.i18n import LANGUAGES, Fact, Seat
from durak_widget.widgets.missed_endgames import SOON

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.analysis.endgame import Ending
    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Played
    from durak_widget.exercises.answer_parsing import Text

    Finding = tuple[bool, Text] | None
    """Reached, or missed, and why; None while it may still go either way."""
    People = tuple[tuple[int, str], ...]
    """Which opponent sits where."""

PATIENCE: Final = SOON
"""So many positions of an ending are looked at after each move."""
PASSING_ON: Final = {"transfer", "show"}


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


class Ahead(Protocol):
    """What is known about the way to a goal, wherever it is neither reached nor missed."""

    def open(self, game: Game, seat: int) -> bool | None:
        """Whether a seat can still reach it; None where nobody knows."""

    def way(self, game: Game, seat: int) -> Move | None:
        """A move with which that seat, which is to act, can still reach it."""

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:
        """Why it can be reached no more after a move, where these opponents sit."""


class Winning(NamedTuple):
    """The way to a win in an ending of two: it is open as long as nothing that the other plays can prevent it.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    >>> Winning().open(game, 0), Winning().way(game, 0)
    (True, Move('attack Ks'))
    """

    epaulettes: int = 0
    missed: Text = ""

    def open(self, game: Game, seat: int) -> bool | None:
        """Whether a seat can force it, within what is soon found."""
        ending = self._ending(game, seat)
        if ending is None or ending.value is None:
            return None
        return ending.value == (1 if ending.seat == seat else -1)

    def way(self, game: Game, seat: int) -> Move | None:
        """The quickest way to force it."""
        if game.actor != seat:
            return None
        ending, view = self._ending(game, seat), game.view(seat)
        if ending is None or ending.value != 1:
            return None
        return preferred(ending.quickest or ending.best, view, Careful().choose(view, Random(0)))

    def _ending(self, game: Game, seat: int) -> Ending | None:
        """What is known of a position, if it is an ending in which that seat still plays."""
        if game.talon or len(game.seats_in) != 2 or seat not in game.seats_in or game.outcome is not None:
            return None
        from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - no other moment of a game needs it

        return solve(game, budget=PATIENCE, epaulettes=self.epaulettes)

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:
        """In the author's words, or how the other prevents it."""
        from durak_widget.analysis.endgame import refute  # noqa: PLC0415 - only where somebody is mistaken

        if self.missed:
            return self.missed
        try:
            refutation = refute(before, move, budget=PATIENCE)
        except PositionError:  # it wins, or how it loses takes long to tell
            return Fact("lesson.goal.bare" if self.epaulettes else "lesson.goal.gone")
        return {code: refutation.said(code, people=people) for code in LANGUAGES}


class BeatAll(NamedTuple):
    """The way to beating everything: it is open as long as what lies there can be beaten, should nothing more come.

    >>> from durak_widget import Game
    >>> game = Game.from_position("siege", hands=["Qc 6s", "9h As Kd"], trump="s", table="8c 8h", attacker=1)
    >>> BeatAll().open(game, 0), BeatAll().way(game, 0)
    (True, Move('beat 8c Qc'))
    >>> game.play("beat 8c 6s"); BeatAll().open(game, 0)
    False
    """

    trumps: bool = True
    missed: Text = ""

    def open(self, game: Game, seat: int) -> bool | None:
        """Whether the defender holds a card for each that lies there; as long as it may transfer the attack, that is a way too."""
        if game.defender != seat or game.taking or game.outcome is not None:
            return None
        if _each_has_its_own(self._answers(game, seat)):
            return True
        if game.actor == seat:
            return any(move.verb in PASSING_ON for move in game.legal_moves())
        return False if any(beat for _, beat in game.table) else None  # whoever has beaten a card passes nothing on

    def way(self, game: Game, seat: int) -> Move | None:
        """The cheapest card after which all others can be beaten too; else a way to transfer the attack."""
        legal, price, answers = game.legal_moves(), prices(game.view(seat)), self._answers(game, seat)
        attacks, held = [Card.of(card.counts) for card in game.table.unbeaten], list(game.hands[seat])
        for move in sorted((move for move in legal if move.verb == "beat"), key=lambda move: price(move.cards[1])):
            beaten, spent = attacks.index(move.cards[0]), held.index(move.cards[1].face)
            others = [cards - {spent} for place, cards in enumerate(answers) if place != beaten]
            if spent in answers[beaten] and _each_has_its_own(others):
                return move
        return next((move for move in legal if move.verb in PASSING_ON), None)

    def _answers(self, game: Game, seat: int) -> list[set[int]]:
        """For each card that lies there, the places in the hand of those that beat it."""
        held, trump = list(enumerate(game.hands[seat])), game.trump
        return [
            {place for place, card in held if card in game.rules.beaters(attack, trump) and (self.trumps or card.suit != trump)}
            for attack in game.table.unbeaten
        ]

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:  # noqa: ARG002 - it lies there for all to see
        """In the author's words, or that something lies there."""
        return self.missed or Fact("lesson.goal.stuck" if self.trumps else "lesson.goal.stuck.plain")


def _each_has_its_own(answers: list[set[int]]) -> bool:
    """Whether every attack can be given an answer of its own: whoever finds its answers taken looks whether another can make way.

    >>> _each_has_its_own([{1, 2}, {1}]), _each_has_its_own([{1}, {1}])
    (True, False)
    """
    given: dict[int, int] = {}

    def place(attack: int, asked: set[int]) -> bool:
        for answer in answers[attack] - asked:
            asked.add(answer)
            if answer not in given or place(given[answer], asked):
                given[answer] = attack
                return True
        return False

    return all(place(attack, set()) for attack in range(len(answers)))
