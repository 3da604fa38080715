"""Questions on a tree or matrix as plain values, to be handed out without their key.

A student can solve what is drawn, just as on paper, since the payoffs of a tree are visible. Nothing hidden is included: neither the
information sets that are to be found nor the random numbers.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from durak_widget.analysis.deal_enumeration import OfCards, Origin, Thought
from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import in_words
from durak_widget.gametheory.strategic_form import matrix_of
from durak_widget.gametheory.tree import CHANCE, OVER, Chance, InfoSet, Tree
from durak_widget.i18n import LANGUAGES, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.strategic_form import Matrix

_ARRAYS: Final = ("actor", "parent", "first", "count", "info")
_MOST: Final = 20_000
"""The maximum number of histories that are read."""
_MOST_SIGNS: Final = 2000


def plain_words(text: Text) -> dict[str, str]:
    """Return a text in every language, by its code.

    >>> from durak_widget.i18n import Fact
    >>> plain_words(Fact("lesson.tree.sets"))["en"][:11]
    'Which place'
    """
    return {code: in_words(text, Voice(code)) for code in LANGUAGES}


def words_again(found: object) -> dict[str, str]:
    """Parse a text in every language, as it was handed out."""
    if not isinstance(found, dict) or not found or not found.keys() <= LANGUAGES.keys():
        raise DurakError("a question is said in the languages that there are")
    return {str(code): _text(text) for code, text in found.items()}


def _text(said: object) -> str:
    if not isinstance(said, str) or len(said) > _MOST_SIGNS:
        raise DurakError("a text of it is no text, or too long")
    return said


def plain_tree(tree: Tree) -> dict[str, Any]:
    """Return a tree as plain values; each history keeps its number.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("horse")
    >>> tree_again(plain_tree(tree)) == tree
    True
    """
    return {
        "seats": tree.seats,
        "title": tree.title,
        "names": list(tree.names),
        "cards": isinstance(tree.origin, (Origin, Thought, OfCards)),
        **{name: getattr(tree, name).tolist() for name in _ARRAYS},
        "levels": list(tree.levels),
        "sets": [[record.seat, record.label, list(record.moves)] for record in tree.sets],
        "chances": [[list(chance.moves), [str(probability) for probability in chance.probabilities]] for chance in tree.chances],
        "payoffs": [[str(payoff) for payoff in payoffs] for payoffs in tree.payoffs],
    }


def tree_again(found: Any) -> Tree:  # noqa: ANN401 - whatever stands in a file
    """Build a tree from plain values that were handed out.

    Raises a `DurakError` if something in it was changed.
    """
    try:
        tree = Tree(int(found["seats"]), _text(found["title"]), [_text(name) for name in found["names"]])
        for name in _ARRAYS:
            setattr(tree, name, array("b" if name == "actor" else "i", found[name]))
        tree.levels = [int(level) for level in found["levels"]]
        tree.sets = [InfoSet(int(player), _text(label), tuple(map(_text, actions))) for player, label, actions in found["sets"]]
        tree.chances = [
            Chance(tuple(map(_text, actions)), tuple(map(Fraction, probabilities))) for actions, probabilities in found["chances"]
        ]
        tree.payoffs = [tuple(map(Fraction, payoffs)) for payoffs in found["payoffs"]]
        tree.origin = OfCards() if found["cards"] is True else None
        if _sound(tree):
            return tree
    except (TypeError, KeyError, ValueError, IndexError, OverflowError, ZeroDivisionError):
        pass
    raise DurakError("a tree of it is not as it was written")


def _sound(tree: Tree) -> bool:
    """Return whether histories, actions and payoffs are consistent."""
    size = tree.histories
    if not 0 < size <= _MOST or tree.parent[0] != -1 or any(len(getattr(tree, name)) != size for name in _ARRAYS):
        return False
    for node in range(size):
        actor, index, count = tree.actor[node], tree.info[node], tree.count[node]
        if actor == OVER:
            is_valid = count == 0 and len(tree.payoffs[index]) == tree.seats
        elif actor == CHANCE:
            is_valid = len(tree.chances[index].moves) == len(tree.chances[index].probabilities) == count
        else:
            is_valid = tree.sets[index].seat == actor and len(tree.sets[index].moves) == count
        if not is_valid or index < 0 or (count and any(tree.parent[child] != node for child in tree.children(node))):
            return False
    return tree.levels[0] == 0 and tree.levels[-1] == size


def plain_table(table: Matrix) -> dict[str, Any]:
    r"""Return a matrix as plain values.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> print(table_again(plain_table(matrix_of([[1, -1], [-1, 1]], rows=["heads", "tails"]))))
    Row \ Column | a  | b
    heads        | 1  | -1
    tails        | -1 | 1
    """
    strategies_by_axis: Sequence[tuple[str, Any]] = (("rows", table.rows), ("columns", table.columns))
    return {
        "names": list(table.names),
        **{name: [strategy.words for strategy in strategies] for name, strategies in strategies_by_axis},
        "payoffs": [[[str(row_payoff), str(column_payoff)] for row_payoff, column_payoff in row] for row in table.payoffs],
    }


def table_again(found: Mapping[str, Any]) -> Matrix:
    """Build a matrix from plain values that were handed out."""
    try:
        payoffs = [[(Fraction(row_payoff), Fraction(column_payoff)) for row_payoff, column_payoff in row] for row in found["payoffs"]]
        rows, columns, names = ([_text(value) for value in found[name]] for name in ("rows", "columns", "names"))
        return matrix_of(payoffs, rows=rows, columns=columns, names=(names[0], names[1]))
    except (TypeError, KeyError, ValueError, IndexError, ZeroDivisionError):
        raise DurakError("a matrix of it is not as it was written") from None
