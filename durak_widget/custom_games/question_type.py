"""Defines the base class of all questions that teachers can ask about their own games.

A question decides whether it fits a game, how difficult an instance is, and which exercise asks it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.exercises.answer_parsing import require_text
from durak_widget.exercises.node_and_cell_lookup import build_tree_wording, describe_tree_player, name_infoset
from durak_widget.exercises.strategy_input import parse_strategy
from durak_widget.gametheory.player_labels import find_player
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from durak_widget.custom_games.game_instance import GameInstance
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Task
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.i18n import Seat

OPTION_NAMES: Final = ("of", "at", "given", "weak", "whole")


class QuestionRequest(NamedTuple):
    """A question that a teacher asks for, with its points and its options.

    >>> ask("dominance", weak=True, points=3)
    QuestionRequest(name='dominance', points=3, options={'weak': True}, title='', question='')
    """

    name: str
    points: int = 0
    """The points that the teacher sets for the question; 0 stands for the usual number."""
    options: Mapping[str, Any] = {}
    title: Text = ""
    question: Text = ""


def ask(name: str, *, points: int = 0, title: Text = "", question: Text = "", **options: object) -> QuestionRequest:
    """Ask for a question about your own game, with options that change the question.

    `of`: the player it is about. `at`: the information set. `given`: how the players play, by information sets,
    instead of at random. `weak=True`: eliminate weakly dominated strategies too. `whole=True`: ask for the best
    action at every node, not only on the path. `title` and `question` replace the usual wording.

    >>> ask("beliefs", at="sees beer", title="Whom does one face?").title
    'Whom does one face?'
    >>> ask("beliefs", att="sees beer")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a question has no option 'att'; its options are points, title, question, of, at, given, weak, whole. Did you mean 'at'?
    """
    if unknown := next((option for option in options if option not in OPTION_NAMES), None):
        known_options = ("points", "title", "question", *OPTION_NAMES)
        raise DurakError(
            f"a question has no option {unknown!r}; its options are {', '.join(known_options)}.{suggest_nearest(unknown, known_options)}"
        )
    number = as_whole_number(points)
    if number is None or number < 0:
        raise DurakError(f"points of the question {short_repr(name)} must be a whole number from 1 on, not {short_repr(points)}")
    return QuestionRequest(name, number, options, require_text(title), require_text(question))


class GameQuestion(ABC):
    """The base class of all questions about teachers' own games."""

    name: ClassVar[str]
    kind: ClassVar[str]
    """The kind of exercise for this question, as in `Question.kind`."""
    points: ClassVar[int]
    """The number of points for the question, if the teacher sets no other."""
    difficulty_labels: ClassVar[tuple[str, ...]]
    """For each number that `measure_difficulty` returns, a text on what it counts."""
    option_names: ClassVar[tuple[str, ...]] = ()
    """The names of the options that a teacher can set for this question."""
    revealed_by: ClassVar[Mapping[str, str]] = {}
    """The questions that give away the answer to this one, each with a text on what it shows."""
    missing_feature: ClassVar[str] = "the feature that the question asks about"
    """What a game does not have if `measure_difficulty` returns None for it."""

    def __init__(self, request: QuestionRequest) -> None:
        for option in request.options:
            if option not in self.option_names:
                available = f"its options are {', '.join(self.option_names)}" if self.option_names else "it has none"
                raise DurakError(f"the question {self.name!r} has no option {option!r}; {available}")
        self.request = request

    def get_option(self, name: str) -> Any:  # noqa: ANN401 - whatever it is
        """Return the value that the teacher set for an option, or None if there is none."""
        return self.request.options.get(name)

    @abstractmethod
    def find_problem(self, game: GameInstance) -> str:
        """Return why this question can't be asked about a game, or "" if it can."""

    @abstractmethod
    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...] | None:
        """Return this question's difficulty for a game; None if the question can't be asked.

        There are fewer numbers if the game is too large to work all of them out.
        """

    @abstractmethod
    def build_exercise(self, game: GameInstance) -> Task:
        """Return an exercise that asks this question about a game, with its solution."""

    def get_player(self, game: GameInstance, default: int = 0) -> int:
        """Return the index of the player whom the question is about."""
        return parse_player(game, self.get_option("of"), default)

    def describe_player(self, game: GameInstance, player: int) -> Seat | str:
        """Return the name by which a question's text calls a player."""
        return describe_tree_player(game.tree, player)

    def __repr__(self) -> str:
        return f"<{self.name} {json.dumps({name: repr(value) for name, value in self.request.options.items()})}>"


def parse_player(game: GameInstance, value: object, default: int) -> int:
    """Return the index of the player who has a given name or number."""
    if value is None:
        return default
    names = game.tree.names
    player = find_player(names, value)
    number = as_whole_number(value) if player is None else player
    if number is None or not 0 <= number < len(names):
        raise DurakError(
            f"of must be one of the players {', '.join(map(short_repr, names))}, not {short_repr(value)}.{suggest_nearest(str(value)[:100], names)}"
        )
    return number


def parse_infoset(game: GameInstance, value: object) -> int:
    """Return the index of the information set that has a given label or number."""
    labels = [record.label for record in game.tree.infosets]
    number = labels.index(value) if isinstance(value, str) and labels.count(value) == 1 else as_whole_number(value)
    if number is None or not 0 <= number < len(labels):
        raise DurakError(
            f"at must be one of the information sets {', '.join(map(short_repr, labels[:8]))}, or a number from 0 on, not {short_repr(value)}.{suggest_nearest(str(value)[:100], labels)}"
        )
    return number


def parse_profile(game: GameInstance, value: object) -> Strategy:
    """Parse a teacher's strategy profile, which is a dict from information sets to actions.

    The keys are information sets, or a player's name if the player has only one.
    """
    if isinstance(value, dict):
        infoset_of_player = {
            game.tree.names[record.player]: infoset
            for infoset, record in enumerate(game.tree.infosets)
            if game.tree.infoset_counts[record.player] == 1
        }
        labels = {record.label for record in game.tree.infosets}
        value = {infoset_of_player[key] if key in infoset_of_player and key not in labels else key: row for key, row in value.items()}
    return parse_strategy(game.tree, None, value)


def format_profile(game: GameInstance, profile: Strategy, infosets: list[int]) -> str:
    """Format the strategies at given information sets as text, with the game's own names."""
    return "; ".join(f"{_format_infoset_owner(game, infoset)}: {_format_row(game, infoset, profile.rows[infoset])}" for infoset in infosets)


def describe_infoset(game: GameInstance, infoset: int) -> str:
    """Return a name for an information set to use in texts, or "" if there is none.

    The name is its label or else the actions that lead there.

    >>> from durak_widget.custom_games.game_instance import GameInstance
    >>> from durak_widget.gametheory import textbook
    >>> describe_infoset(GameInstance(textbook("entry"), is_matrix=False, seed=1), 1)
    'after an entry'
    """
    return name_infoset(build_tree_wording(game.tree, "en"), infoset)


def _format_infoset_owner(game: GameInstance, infoset: int) -> str:
    """Return the name of an information set's player, followed by any other name of the set."""
    infoset_name, player_name = describe_infoset(game, infoset), game.tree.names[game.tree.infosets[infoset].player]
    return player_name if infoset_name in ("", player_name) else f"{player_name} ({infoset_name})"


def _format_row(game: GameInstance, infoset: int, row: tuple[Fraction | float, ...]) -> str:
    """Format an information set's actions with probabilities; omit the probability 1."""
    played = [(action, probability) for action, probability in zip(game.tree.infosets[infoset].actions, row, strict=True) if probability]
    return played[0][0] if len(played) == 1 else ", ".join(f"{action} {probability}" for action, probability in played)


def put_rule_before_question(rule: Text, question: Text) -> TranslatableText:
    """Put a rule and a question into one text, the rule first."""
    return TranslatableText("lesson.under", {"rule": rule, "asked": question})
