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
    """Reached (True) or missed (False), with the reason; None while both are still possible."""
    People = tuple[tuple[int, str], ...]
    """The seats and names of the opponents."""

PATIENCE: Final = SOON
"""The number of positions of an ending that are searched after each move."""
PASSING_ON: Final = {"transfer", "show"}


class Goal(NamedTuple):
    """A goal of a position exercise."""

    text: Text
    """The sentence that states the goal."""
    judge: Callable[[Game, int, Played], Finding]
    """The function that says what a move means for the seat that has the goal; the game is the one after the move."""
    ahead: Ahead | None = None
    """The check whether the goal can still be reached, if there is one."""


def goal_of(goal: object) -> Goal:
    """Return the goal, or raise a `DurakError` if it is not a goal.

    Any object with a `text` and a callable `judge` is a goal.
    """
    if not callable(getattr(goal, "judge", None)):
        raise DurakError(f"a goal is one of lessons.goals, such as goals.beat_all(), not {quoted(goal)}")
    author_text(getattr(goal, "text", None))
    return cast("Goal", goal)


def beat_all(*, trumps: bool = True, text: Text = "", missed: Text = "") -> Goal:
    """Return the goal to beat every card of the bout, if `trumps=False` without a trump.

    The goal is missed as soon as the cards on the table can't all be beaten any more. `missed` replaces the
    sentence that says so.

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
    """Return the goal to play the last card before the others do.

    The fool may have to be left with `epaulettes`, and the player may have at most `bouts` bouts. A tie is a miss
    too. With two players left and no talon, the goal is missed by the move that gives up a forced win.

    >>> get_out().text.key, get_out(bouts=3).text.facts
    ('lesson.goal.out', {'count': 3})
    """
    max_bouts = whole_number(bouts)
    if bouts is not None and (max_bouts is None or max_bouts < 1):
        raise DurakError(f"bouts={quoted(bouts)}: one is out within a number of bouts, such as 3, or whenever it may be (None)")

    def judge(game: Game, seat: int, _: Played) -> Finding:
        outcome = game.outcome
        if outcome is not None and (seat not in outcome.winners or outcome.epaulettes < epaulettes):
            return False, missed or Fact("sentence", {"said": ended(outcome)})
        if outcome is not None or (seat in game.places and not epaulettes):
            return True, Fact("end.out", {"who": Seat(seat)})
        if max_bouts is not None and len(game.view(seat).ends) >= max_bouts:
            return False, missed or Fact("lesson.goal.late", {"count": max_bouts})
        return None

    winning = Winning(epaulettes, missed)
    goal_sentence = Fact("lesson.goal.out") if max_bouts is None else Fact("lesson.goal.out.within", {"count": max_bouts})
    return Goal(text or goal_sentence, judge, winning if max_bouts is None else _InTime(winning, max_bouts))


class _InTime(NamedTuple):
    """The check whether a win within a number of bouts can still be forced."""

    winning: Winning
    bouts: int

    def open(self, game: Game, seat: int) -> bool | None:
        """Return whether a seat can force the win in the bouts that are left."""
        is_winning = self.winning.open(game, seat)
        if not is_winning:
            return is_winning
        from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - no other goal needs it

        needed = solve(game, budget=PATIENCE, epaulettes=self.winning.epaulettes).bouts
        return None if needed is None else needed <= self.bouts - len(game.view(seat).ends)

    def way(self, game: Game, seat: int) -> Move | None:
        """Return the quickest way to force the win."""
        return self.winning.way(game, seat)

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:
        """Return the author's sentence, how the opponent prevents it, or that it takes too long."""
        after = before.copy()
        after.play(move)
        if self.winning.missed or not self.winning.open(after, before.actor or 0):
            return self.winning.gone(before, move, people)
        return Fact("lesson.goal.slow", {"count": self.bouts})


def find(right: Mapping[str, Text], wrong: Mapping[str, Text] | None = None, *, text: Text = "", otherwise: Text = "") -> Goal:
    """Return the goal to find one of the `right` moves; all moves may come with a reason.

    >>> goal = find({"beat 7c 8c": "The cheapest card will do."}, {"beat 7c Ah": "A trump is worth more than that."})
    >>> goal.text.key
    'lesson.goal.find'
    """
    if not right:
        raise DurakError("a move to find must be named, as in find({'beat 7c 8c': 'The cheapest card will do.'})")
    results = {str(Move(move)): (True, why) for move, why in texts_of(right).items()}
    results |= {str(Move(move)): (False, why) for move, why in texts_of(wrong or {}).items()}
    other_reason = author_text(otherwise) or Fact("lesson.goal.other")

    def judge(_: Game, seat: int, played: Played) -> Finding:
        return results.get(str(played), (False, other_reason)) if played.seat == seat else None

    return Goal(text or Fact("lesson.goal.find"), judge)


class Ahead(Protocol):
    """A check whether a goal that is neither reached nor missed can still be reached."""

    def open(self, game: Game, seat: int) -> bool | None:
        """Return whether a seat can still reach the goal; None if that is unknown."""

    def way(self, game: Game, seat: int) -> Move | None:
        """Return a move with which the seat, whose turn it is, can still reach the goal."""

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:
        """Return why the goal can't be reached any more after a move, against these opponents."""


class Winning(NamedTuple):
    """The check whether a win in an ending of two can still be forced against every defence.

    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")
    >>> Winning().open(game, 0), Winning().way(game, 0)
    (True, Move('attack Ks'))
    """

    epaulettes: int = 0
    missed: Text = ""

    def open(self, game: Game, seat: int) -> bool | None:
        """Return whether a seat can force the win; None if the search is too long."""
        ending = self._ending(game, seat)
        if ending is None or ending.value is None:
            return None
        return ending.value == (1 if ending.seat == seat else -1)

    def way(self, game: Game, seat: int) -> Move | None:
        """Return the quickest way to force the win."""
        if game.actor != seat:
            return None
        ending, view = self._ending(game, seat), game.view(seat)
        if ending is None or ending.value != 1:
            return None
        return preferred(ending.quickest or ending.best, view, Careful().choose(view, Random(0)))

    def _ending(self, game: Game, seat: int) -> Ending | None:
        """Return the solved ending if the position is an ending in which the seat still plays."""
        if game.talon or len(game.seats_in) != 2 or seat not in game.seats_in or game.outcome is not None:
            return None
        from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - no other moment of a game needs it

        return solve(game, budget=PATIENCE, epaulettes=self.epaulettes)

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:
        """Return the author's sentence, or how the opponent prevents the win."""
        from durak_widget.analysis.endgame import refute  # noqa: PLC0415 - only where somebody is mistaken

        if self.missed:
            return self.missed
        try:
            refutation = refute(before, move, budget=PATIENCE)
        except PositionError:  # the move wins, or its refutation is too long
            return Fact("lesson.goal.bare" if self.epaulettes else "lesson.goal.gone")
        return {code: refutation.said(code, people=people) for code in LANGUAGES}


class BeatAll(NamedTuple):
    """The check whether all cards on the table can be beaten, if no more are added.

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
        """Return whether the defender holds a card for each attack on the table.

        While the defender can transfer the attack, that also counts.
        """
        if game.defender != seat or game.taking or game.outcome is not None:
            return None
        if _each_has_its_own(self._answers(game, seat)):
            return True
        if game.actor == seat:
            return any(move.verb in PASSING_ON for move in game.legal_moves())
        return False if any(beat for _, beat in game.table) else None  # no transfer once a card is beaten

    def way(self, game: Game, seat: int) -> Move | None:
        """Return the cheapest card after which all others can be beaten, or a transfer."""
        legal, price, answers = game.legal_moves(), prices(game.view(seat)), self._answers(game, seat)
        attacks, hand = [Card.of(card.counts) for card in game.table.unbeaten], list(game.hands[seat])
        for move in sorted((move for move in legal if move.verb == "beat"), key=lambda move: price(move.cards[1])):
            beaten, used = attacks.index(move.cards[0]), hand.index(move.cards[1].face)
            others = [cards - {used} for i, cards in enumerate(answers) if i != beaten]
            if used in answers[beaten] and _each_has_its_own(others):
                return move
        return next((move for move in legal if move.verb in PASSING_ON), None)

    def _answers(self, game: Game, seat: int) -> list[set[int]]:
        """Return for each attack on the table the indices of the cards in the hand that beat it."""
        hand, trump = list(enumerate(game.hands[seat])), game.trump
        return [
            {index for index, card in hand if card in game.rules.beaters(attack, trump) and (self.trumps or card.suit != trump)}
            for attack in game.table.unbeaten
        ]

    def gone(self, before: Game, move: Move, people: People = ()) -> Text:  # noqa: ARG002 - it lies there for all to see
        """Return the author's sentence, or that a card on the table can't be beaten."""
        return self.missed or Fact("lesson.goal.stuck" if self.trumps else "lesson.goal.stuck.plain")


def _each_has_its_own(answers: list[set[int]]) -> bool:
    """Return whether every attack can be given its own card: a bipartite matching.

    It looks for augmenting paths: if a card is taken, its attack may change to another card.

    >>> _each_has_its_own([{1, 2}, {1}]), _each_has_its_own([{1}, {1}])
    (True, False)
    """
    attack_of_card: dict[int, int] = {}

    def assign(attack: int, visited: set[int]) -> bool:
        for card in answers[attack] - visited:
            visited.add(card)
            if card not in attack_of_card or assign(attack_of_card[card], visited):
                attack_of_card[card] = attack
                return True
        return False

    return all(assign(attack, set()) for attack in range(len(answers)))
