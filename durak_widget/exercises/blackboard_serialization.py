"""A question on a tree or a matrix as it is handed out ready-made: plain values of what is drawn and asked, and nothing of what is right.

What is drawn there can be solved, as all that is seen can: the payoffs of a tree lie open on paper, too. What is not drawn is not in it: information sets that are to be found, the lots.
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
"""So many histories are read."""
_MOST_SIGNS: Final = 2000


def plain_words(text: Text) -> dict[str, str]:
    """A text in every language.

    >>> from durak_widget.i18n import Fact
    >>> plain_words(Fact("lesson.tree.sets"))["en"][:11]
    'Which place'
    """
    return {code: in_words(text, Voice(code)) for code in LANGUAGES}


def words_again(found: object) -> dict[str, str]:
    """A text in every language, as it was handed out."""
    if not isinstance(found, dict) or not found or not found.keys() <= LANGUAGES.keys():
        raise DurakError("a question is said in the languages that there are")
    return {str(code): _text(said) for code, said in found.items()}


def _text(said: object) -> str:
    if not isinstance(said, str) or len(said) > _MOST_SIGNS:
        raise DurakError("a text of it is no text, or too long")
    return said


def plain_tree(tree: Tree) -> dict[str, Any]:
    """A tree as plain values, each history with the number that it has.

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
        "sets": [[one.seat, one.label, list(one.moves)] for one in tree.sets],
        "chances": [[list(one.moves), [str(likely) for likely in one.probabilities]] for one in tree.chances],
        "payoffs": [[str(worth) for worth in one] for one in tree.payoffs],
    }


def tree_again(found: Any) -> Tree:  # noqa: ANN401 - whatever stands in a file
    """A tree that was handed out; a `DurakError` says that something in it is not as it was written."""
    try:
        tree = Tree(int(found["seats"]), _text(found["title"]), [_text(one) for one in found["names"]])
        for name in _ARRAYS:
            setattr(tree, name, array("b" if name == "actor" else "i", found[name]))
        tree.levels = [int(one) for one in found["levels"]]
        tree.sets = [InfoSet(int(seat), _text(label), tuple(map(_text, moves))) for seat, label, moves in found["sets"]]
        tree.chances = [Chance(tuple(map(_text, moves)), tuple(map(Fraction, likely))) for moves, likely in found["chances"]]
        tree.payoffs = [tuple(map(Fraction, one)) for one in found["payoffs"]]
        tree.origin = OfCards() if found["cards"] is True else None
        if _sound(tree):
            return tree
    except (TypeError, KeyError, ValueError, IndexError, OverflowError, ZeroDivisionError):
        pass
    raise DurakError("a tree of it is not as it was written")


def _sound(tree: Tree) -> bool:
    """Whether its histories, moves and ends fit together."""
    size = tree.histories
    if not 0 < size <= _MOST or tree.parent[0] != -1 or any(len(getattr(tree, name)) != size for name in _ARRAYS):
        return False
    for here in range(size):
        actor, info, count = tree.actor[here], tree.info[here], tree.count[here]
        if actor == OVER:
            fits = count == 0 and len(tree.payoffs[info]) == tree.seats
        elif actor == CHANCE:
            fits = len(tree.chances[info].moves) == len(tree.chances[info].probabilities) == count
        else:
            fits = tree.sets[info].seat == actor and len(tree.sets[info].moves) == count
        if not fits or info < 0 or (count and any(tree.parent[child] != here for child in tree.children(here))):
            return False
    return tree.levels[0] == 0 and tree.levels[-1] == size


def plain_table(table: Matrix) -> dict[str, Any]:
    r"""A matrix as plain values.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> print(table_again(plain_table(matrix_of([[1, -1], [-1, 1]], rows=["heads", "tails"]))))
    Row \ Column | a  | b
    heads        | 1  | -1
    tails        | -1 | 1
    """
    plans: Sequence[tuple[str, Any]] = (("rows", table.rows), ("columns", table.columns))
    return {
        "names": list(table.names),
        **{name: [plan.words for plan in own] for name, own in plans},
        "payoffs": [[[str(one), str(other)] for one, other in row] for row in table.payoffs],
    }


def table_again(found: Mapping[str, Any]) -> Matrix:
    """A matrix that was handed out."""
    try:
        payoffs = [[(Fraction(one), Fraction(other)) for one, other in row] for row in found["payoffs"]]
        rows, columns, names = ([_text(one) for one in found[name]] for name in ("rows", "columns", "names"))
        return matrix_of(payoffs, rows=rows, columns=columns, names=(names[0], names[1]))
    except (TypeError, KeyError, ValueError, IndexError, ZeroDivisionError):
        raise DurakError("a matrix of it is not as it was written") from None
