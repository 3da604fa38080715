"""What lies between a position and a goal: whether it can still be reached, how, and why no more.

An exercise is its author's, who knows all cards of it; so what is asked here is asked of the whole position, and not of a view.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from durak_widget.bots.heuristic_bots import Careful, preferred, prices
from durak_widget.cards import Card
from durak_widget.errors import PositionError
from durak_widget.i18n import LANGUAGES, Fact
from durak_widget.widgets.missed_endgames import SOON

if TYPE_CHECKING:
    from durak_widget.analysis.endgame import Ending
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.exercises.answer_parsing import Text

    People = tuple[tuple[int, str], ...]
    """Which opponent sits where."""

PATIENCE: Final = SOON
"""So many positions of an ending are looked at after each move."""
PASSING_ON: Final = {"transfer", "show"}


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
