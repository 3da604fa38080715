"""Conversion of the trees and matrices in questions to and from JSON-compatible values.

A student can solve the question, just as on paper, since the payoffs of a tree are visible. Hidden data is left out: the information
sets that the student has to find, and the random numbers.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis.deal_enumeration import CardTreeOrigin, IllegalMoveTreeOrigin, TreeOrigin
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.gametheory.strategic_form import matrix_from_payoffs
from durak_widget.gametheory.tree import CHANCE, TERMINAL, ChanceMove, InfoSet, Tree
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.json_store import rename_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.strategic_form import Matrix

_TREE_ARRAYS: Final = ("actor", "parent", "first_child", "child_count", "infoset_of")
"""The attributes of a tree that are arrays with one number for each node.

The keys in a file have the same names.
"""
_FORMER_KEYS: Final = {
    "seats": "players",
    "cards": "is_card_game",
    "first": "first_child",
    "count": "child_count",
    "info": "infoset_of",
    "levels": "level_starts",
    "sets": "infosets",
    "chances": "chance_moves",
}
"""The renamed keys of a tree in files: each key of version 1, with its present name."""
_MAX_HISTORIES: Final = 20_000
"""The largest number of nodes that a tree in a file may have."""
_MAX_TEXT_LENGTH: Final = 2000


def translate_to_all_languages(text: Text) -> dict[str, str]:
    """Return a dict of a text's translations by language code.

    >>> from durak_widget.i18n import TranslatableText
    >>> translate_to_all_languages(TranslatableText("lesson.tree.sets"))["en"][:11]
    'Which nodes'
    """
    return {code: translate_text(text, Translator(code)) for code in LANGUAGES}


def parse_translations(data: object) -> dict[str, str]:
    """Parse and check a dict of texts by language code."""
    if not isinstance(data, dict) or not data or not data.keys() <= LANGUAGES.keys():
        raise DurakError("a question must be in languages that the package has")
    return {str(code): _require_short_text(text) for code, text in data.items()}


def _require_short_text(text: object) -> str:
    if not isinstance(text, str) or len(text) > _MAX_TEXT_LENGTH:
        raise DurakError("one of its texts is not a text, or is too long")
    return text


def tree_to_dict(tree: Tree) -> dict[str, Any]:
    """Return a tree as JSON-compatible values; each tree node keeps its number.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("horse")
    >>> tree_from_dict(tree_to_dict(tree)) == tree
    True
    """
    return {
        "players": tree.player_count,
        "title": tree.title,
        "names": list(tree.names),
        "is_card_game": isinstance(tree.origin, (TreeOrigin, IllegalMoveTreeOrigin, CardTreeOrigin)),
        **{name: getattr(tree, name).tolist() for name in _TREE_ARRAYS},
        "level_starts": list(tree.level_starts),
        "infosets": [[record.player, record.label, list(record.actions)] for record in tree.infosets],
        "chance_moves": [
            [list(chance.actions), [str(probability) for probability in chance.probabilities]] for chance in tree.chance_moves
        ],
        "payoffs": [[str(payoff) for payoff in payoffs] for payoffs in tree.payoffs],
    }


def tree_from_dict(data: Any) -> Tree:  # noqa: ANN401 - data from a file
    """Build a tree from the values that `tree_to_dict` returned.

    Raises a `DurakError` if the values were changed.
    """
    try:
        data = rename_keys(data, _FORMER_KEYS)
        tree = Tree(int(data["players"]), _require_short_text(data["title"]), [_require_short_text(name) for name in data["names"]])
        for name in _TREE_ARRAYS:
            setattr(tree, name, array("b" if name == "actor" else "i", data[name]))
        tree.level_starts = [int(level) for level in data["level_starts"]]
        tree.infosets = [
            InfoSet(int(player), _require_short_text(label), tuple(map(_require_short_text, actions)))
            for player, label, actions in data["infosets"]
        ]
        tree.chance_moves = [
            ChanceMove(tuple(map(_require_short_text, actions)), tuple(map(Fraction, probabilities)))
            for actions, probabilities in data["chance_moves"]
        ]
        tree.payoffs = [tuple(map(Fraction, payoffs)) for payoffs in data["payoffs"]]
        tree.origin = CardTreeOrigin() if data["is_card_game"] is True else None
        if _is_consistent(tree):
            return tree
    except (AttributeError, TypeError, KeyError, ValueError, IndexError, OverflowError, ZeroDivisionError):
        pass
    raise DurakError("one of its trees was changed")


def _is_consistent(tree: Tree) -> bool:
    """Return whether the nodes, actions and payoffs of a tree from a file fit together."""
    size = tree.history_count
    if not 0 < size <= _MAX_HISTORIES or tree.parent[0] != -1 or any(len(getattr(tree, name)) != size for name in _TREE_ARRAYS):
        return False
    for node in range(size):
        actor, index, count = tree.actor[node], tree.infoset_of[node], tree.child_count[node]
        if actor == TERMINAL:
            is_valid = count == 0 and len(tree.payoffs[index]) == tree.player_count
        elif actor == CHANCE:
            is_valid = len(tree.chance_moves[index].actions) == len(tree.chance_moves[index].probabilities) == count
        else:
            is_valid = tree.infosets[index].player == actor and len(tree.infosets[index].actions) == count
        if not is_valid or index < 0 or (count and any(tree.parent[child] != node for child in tree.children(node))):
            return False
    return tree.level_starts[0] == 0 and tree.level_starts[-1] == size


def matrix_to_dict(matrix: Matrix) -> dict[str, Any]:
    r"""Return a matrix as JSON-compatible values.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> print(matrix_from_dict(matrix_to_dict(matrix_from_payoffs([[1, -1], [-1, 1]], rows=["heads", "tails"]))))
    Row \ Column | a  | b
    heads        | 1  | -1
    tails        | -1 | 1
    """
    strategies_by_axis: Sequence[tuple[str, Any]] = (("rows", matrix.rows), ("columns", matrix.columns))
    return {
        "names": list(matrix.names),
        **{name: [strategy.short_label for strategy in strategies] for name, strategies in strategies_by_axis},
        "payoffs": [[[str(row_payoff), str(column_payoff)] for row_payoff, column_payoff in row] for row in matrix.payoffs],
    }


def matrix_from_dict(data: Mapping[str, Any]) -> Matrix:
    """Build a matrix from the values that `matrix_to_dict` returned."""
    try:
        payoffs = [[(Fraction(row_payoff), Fraction(column_payoff)) for row_payoff, column_payoff in row] for row in data["payoffs"]]
        rows, columns, names = ([_require_short_text(value) for value in data[name]] for name in ("rows", "columns", "names"))
        return matrix_from_payoffs(payoffs, rows=rows, columns=columns, names=(names[0], names[1]))
    except (TypeError, KeyError, ValueError, IndexError, ZeroDivisionError):
        raise DurakError("one of its matrices was changed") from None
