"""What a question about a teacher's own game answers, whichever it is: whether it fits the game, how hard an instance is, and the exercise that asks it."""

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
    """A question by its name, with what is said of it besides.

    >>> ask("dominance", weak=True, points=3)
    Ask(name='dominance', points=3, options={'weak': True}, title='', question='')
    """

    name: str
    points: int = 0
    """How many it is worth; 0: as many as usual."""
    options: Mapping[str, Any] = {}
    title: Text = ""
    question: Text = ""


def ask(name: str, *, points: int = 0, title: Text = "", question: Text = "", **options: object) -> Ask:
    """A question about a game of your own, where more is to be said of it than its name.

    `of`: which player it is about; `at`: at which information set; `given`: how is played there, by information sets, instead of drawn by lots;
    `weak=True`: weakly dominated plans go too; `whole=True`: the best move at every place, not on the path alone. `title` and `question` are words of your own.

    >>> ask("beliefs", at="sees beer", title="Whom does one face?").title
    'Whom does one face?'
    >>> ask("beliefs", att="sees beer")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a question has no option 'att'; it has points, title, question, of, at, given, weak, whole. Did you mean 'at'?
    """
    if odd := next((one for one in options if one not in OPTIONS), None):
        known = ("points", "title", "question", *OPTIONS)
        raise DurakError(f"a question has no option {odd!r}; it has {', '.join(known)}.{nearest(odd, known)}")
    number = whole_number(points)
    if number is None or number < 0:
        raise DurakError(f"points={quoted(points)} of the question {quoted(name)}: a whole number from 1 on")
    return Ask(name, number, options, author_text(title), author_text(question))


class AskedByName(ABC):
    """A question that has a name."""

    name: ClassVar[str]
    kind: ClassVar[str]
    """What is done there, as `Question.kind` has it."""
    points: ClassVar[int]
    """So many it is worth, if nothing else is said."""
    counted: ClassVar[tuple[str, ...]]
    """What makes an instance as hard as another: the numbers of `measure`."""
    takes: ClassVar[tuple[str, ...]] = ()
    """Which options it has."""
    given_away: ClassVar[Mapping[str, str]] = {}
    """Which other questions print what answers it, and what that is."""
    lacks: ClassVar[str] = "what is asked for"
    """What a game lacks of which it cannot be asked, though it is of a kind that fits."""

    def __init__(self, asked: Ask) -> None:
        for option in asked.options:
            if option not in self.takes:
                there = f"it has {', '.join(self.takes)}" if self.takes else "it has none"
                raise DurakError(f"the question {self.name!r} has no option {option!r}; {there}")
        self.asked = asked

    def option(self, name: str) -> Any:  # noqa: ANN401 - whatever it is
        """What was said of it besides; None where nothing was."""
        return self.asked.options.get(name)

    @abstractmethod
    def unfit(self, game: DrawnGame) -> str:
        """Why it cannot be asked of games of this kind; nothing where it can."""

    @abstractmethod
    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        """How hard this instance is, in numbers, fewer where a game is too large to be counted in; None where it cannot be asked, since something is lacking."""

    @abstractmethod
    def make(self, game: DrawnGame) -> Task:
        """The exercise that asks it, with its key."""

    def seat(self, game: DrawnGame, usual: int = 0) -> int:
        """Whom it is about."""
        return seat_called(game, self.option("of"), usual)

    def who(self, game: DrawnGame, seat: int) -> Seat | str:
        """How that player is called."""
        return player_said(game.tree, seat)

    def __repr__(self) -> str:
        return f"<{self.name} {json.dumps({name: repr(one) for name, one in self.asked.options.items()})}>"


def seat_called(game: DrawnGame, who: object, usual: int) -> int:
    """A player by name or number."""
    if who is None:
        return usual
    names = game.tree.names
    named = player_number(names, who)
    number = whole_number(who) if named is None else named
    if number is None or not 0 <= number < len(names):
        raise DurakError(f"of={quoted(who)}: the players are {', '.join(map(quoted, names))}.{nearest(str(who)[:100], names)}")
    return number


def set_called(game: DrawnGame, at: object) -> int:
    """An information set by what is known there, or by its number."""
    labels = [one.label for one in game.tree.sets]
    number = labels.index(at) if isinstance(at, str) and labels.count(at) == 1 else whole_number(at)
    if number is None or not 0 <= number < len(labels):
        raise DurakError(
            f"at={quoted(at)}: the information sets are {', '.join(map(quoted, labels[:8]))}, or numbers from 0.{nearest(str(at)[:100], labels)}"
        )
    return number


def play_given(game: DrawnGame, given: object) -> Strategy:
    """How all play, as a teacher gives it: by information sets, or by a player who has only one."""
    if isinstance(given, dict):
        alone = {game.tree.names[one.seat]: place for place, one in enumerate(game.tree.sets) if game.tree.infosets[one.seat] == 1}
        labels = {one.label for one in game.tree.sets}
        given = {alone[key] if key in alone and key not in labels else key: one for key, one in given.items()}
    return strategy_from(game.tree, None, given)


def play_said(game: DrawnGame, strategy: Strategy, places: list[int]) -> str:
    """How is played at these information sets, in the words of the game itself."""
    return "; ".join(f"{_where(game, place)}: {_row_said(game, place, strategy.rows[place])}" for place in places)


def told_place(game: DrawnGame, place: int) -> str:
    """What an information set is called: as it is in the game, else by the moves that lead there; nothing where it needs no name.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> told_place(DrawnGame(textbook("entry"), tabled=False, seed=1), 1)
    'after an entry'
    """
    return set_name(names_of(game.tree, "en"), place)


def _where(game: DrawnGame, place: int) -> str:
    told, name = told_place(game, place), game.tree.names[game.tree.sets[place].seat]
    return name if told in ("", name) else f"{name} ({told})"


def _row_said(game: DrawnGame, place: int, row: tuple[Fraction | float, ...]) -> str:
    """With which probability which move is made; what is sure, by its name alone."""
    done = [(move, likely) for move, likely in zip(game.tree.sets[place].moves, row, strict=True) if likely]
    return done[0][0] if len(done) == 1 else ", ".join(f"{move} {likely}" for move, likely in done)


def under(rule: Text, asked: Text) -> Fact:
    """A question with what holds said before it."""
    return Fact("lesson.under", {"rule": rule, "asked": asked})
