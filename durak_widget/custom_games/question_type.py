"""The base class of all questions about a teacher's own game.

A question decides whether it fits a game, how difficult an instance is, and which exercise asks it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.exercises.answer_parsing import author_text
from durak_widget.exercises.node_and_cell_lookup import names_of, player_said, set_name
from durak_widget.exercises.strategy_input import strategy_from
from durak_widget.gametheory.player_labels import player_number
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from durak_widget.custom_games.game_instance import DrawnGame
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Task
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.i18n import Seat

OPTIONS: Final = ("of", "at", "given", "weak", "whole")


class Ask(NamedTuple):
    """A request for a question: its name, points and options.

    >>> ask("dominance", weak=True, points=3)
    Ask(name='dominance', points=3, options={'weak': True}, title='', question='')
    """

    name: str
    points: int = 0
    """The points of the question; 0 stands for the usual number."""
    options: Mapping[str, Any] = {}
    title: Text = ""
    question: Text = ""


def ask(name: str, *, points: int = 0, title: Text = "", question: Text = "", **options: object) -> Ask:
    """Return a question about your own game with options.

    `of`: the player it is about. `at`: the information set. `given`: how the players play, by information sets,
    instead of at random. `weak=True`: eliminate weakly dominated strategies too. `whole=True`: ask for the best
    action at every node, not only on the path. `title` and `question` replace the usual wording.

    >>> ask("beliefs", at="sees beer", title="Whom does one face?").title
    'Whom does one face?'
    >>> ask("beliefs", att="sees beer")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a question has no option 'att'; it has points, title, question, of, at, given, weak, whole. Did you mean 'at'?
    """
    if unknown := next((option for option in options if option not in OPTIONS), None):
        known = ("points", "title", "question", *OPTIONS)
        raise DurakError(f"a question has no option {unknown!r}; it has {', '.join(known)}.{nearest(unknown, known)}")
    number = whole_number(points)
    if number is None or number < 0:
        raise DurakError(f"points={quoted(points)} of the question {quoted(name)}: a whole number from 1 on")
    return Ask(name, number, options, author_text(title), author_text(question))


class AskedByName(ABC):
    """A question about a teacher's own game, known by its name."""

    name: ClassVar[str]
    kind: ClassVar[str]
    """The kind of exercise, as in `Question.kind`."""
    points: ClassVar[int]
    """The usual number of points."""
    counted: ClassVar[tuple[str, ...]]
    """The labels of the numbers that `measure` returns."""
    takes: ClassVar[tuple[str, ...]] = ()
    """The names of its options."""
    given_away: ClassVar[Mapping[str, str]] = {}
    """The questions that print the answer, each with what it prints."""
    lacks: ClassVar[str] = "what is asked for"
    """The feature that an instance lacks if `measure` returns None."""

    def __init__(self, asked: Ask) -> None:
        for option in asked.options:
            if option not in self.takes:
                available = f"it has {', '.join(self.takes)}" if self.takes else "it has none"
                raise DurakError(f"the question {self.name!r} has no option {option!r}; {available}")
        self.asked = asked

    def option(self, name: str) -> Any:  # noqa: ANN401 - whatever it is
        """Return the value of an option; None if it was not given."""
        return self.asked.options.get(name)

    @abstractmethod
    def unfit(self, game: DrawnGame) -> str:
        """Return why the question does not fit games of this kind; empty if it fits."""

    @abstractmethod
    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        """Return how difficult this instance is, as numbers; None if it lacks what is asked for.

        There are fewer numbers if the game is too large to work all of them out.
        """

    @abstractmethod
    def make(self, game: DrawnGame) -> Task:
        """Return the exercise that asks the question, with its solution."""

    def seat(self, game: DrawnGame, usual: int = 0) -> int:
        """Return the player it is about."""
        return seat_called(game, self.option("of"), usual)

    def who(self, game: DrawnGame, seat: int) -> Seat | str:
        """Return the name of a player."""
        return player_said(game.tree, seat)

    def __repr__(self) -> str:
        return f"<{self.name} {json.dumps({name: repr(value) for name, value in self.asked.options.items()})}>"


def seat_called(game: DrawnGame, who: object, usual: int) -> int:
    """Return the number of a player given by name or number."""
    if who is None:
        return usual
    names = game.tree.names
    player = player_number(names, who)
    number = whole_number(who) if player is None else player
    if number is None or not 0 <= number < len(names):
        raise DurakError(f"of={quoted(who)}: the players are {', '.join(map(quoted, names))}.{nearest(str(who)[:100], names)}")
    return number


def set_called(game: DrawnGame, at: object) -> int:
    """Return the number of an information set given by its label or number."""
    labels = [record.label for record in game.tree.sets]
    number = labels.index(at) if isinstance(at, str) and labels.count(at) == 1 else whole_number(at)
    if number is None or not 0 <= number < len(labels):
        raise DurakError(
            f"at={quoted(at)}: the information sets are {', '.join(map(quoted, labels[:8]))}, or numbers from 0.{nearest(str(at)[:100], labels)}"
        )
    return number


def play_given(game: DrawnGame, given: object) -> Strategy:
    """Return the strategy profile that a teacher gives.

    The keys are information sets, or a player's name if the player has only one.
    """
    if isinstance(given, dict):
        infoset_of_player = {
            game.tree.names[record.seat]: infoset for infoset, record in enumerate(game.tree.sets) if game.tree.infosets[record.seat] == 1
        }
        labels = {record.label for record in game.tree.sets}
        given = {infoset_of_player[key] if key in infoset_of_player and key not in labels else key: row for key, row in given.items()}
    return strategy_from(game.tree, None, given)


def play_said(game: DrawnGame, strategy: Strategy, places: list[int]) -> str:
    """Return how the players play at these information sets, in the names of the game."""
    return "; ".join(f"{_where(game, infoset)}: {_row_said(game, infoset, strategy.rows[infoset])}" for infoset in places)


def told_place(game: DrawnGame, place: int) -> str:
    """Return the name of an information set; empty if it needs no name.

    The name is its label or else the actions that lead there.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> told_place(DrawnGame(textbook("entry"), tabled=False, seed=1), 1)
    'after an entry'
    """
    return set_name(names_of(game.tree, "en"), place)


def _where(game: DrawnGame, place: int) -> str:
    infoset_name, player_name = told_place(game, place), game.tree.names[game.tree.sets[place].seat]
    return player_name if infoset_name in ("", player_name) else f"{player_name} ({infoset_name})"


def _row_said(game: DrawnGame, place: int, row: tuple[Fraction | float, ...]) -> str:
    """Return the actions with their probabilities; a certain action by its name alone."""
    played = [(action, probability) for action, probability in zip(game.tree.sets[place].moves, row, strict=True) if probability]
    return played[0][0] if len(played) == 1 else ", ".join(f"{action} {probability}" for action, probability in played)


def under(rule: Text, asked: Text) -> Fact:
    """Return a question that is preceded by a rule."""
    return Fact("lesson.under", {"rule": rule, "asked": asked})
