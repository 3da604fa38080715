"""A game of a teacher's own as it was given: where it comes from, what of it is drawn by lots, and what must then be so."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import path_of
from durak_widget.custom_games.conditions import conditions_of
from durak_widget.custom_games.game_instance import DrawnGame, in_another_order, played_at_once
from durak_widget.custom_games.game_template import Lots
from durak_widget.errors import DurakError, quoted
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.game_structure import zero_sum as is_zero_sum
from durak_widget.gametheory.strategic_form import Matrix, matrix_of
from durak_widget.gametheory.tree import Tree
from durak_widget.import_path import search_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from durak_widget.custom_games.numbers_drawn import Lot

_TEXT: Final = re.compile(r"\ufeff?\s*EFG\s")
"""How the text of a file begins."""
_LARGEST: Final = 20_000
"""Of a game of so many places something may be asked."""
_DEEPEST: Final = 300


class GameMaker:
    """What makes games of a kind, one for each student.

    >>> from random import Random
    >>> from durak_widget.custom_games.numbers_drawn import between
    >>> made = GameMaker("dilemma", [[(3, 3), (0, 5)], [(5, 0), (1, 1)]], lots={"payoff at A, a": between(2, 4)})
    >>> made.drawn(Random(1)).table.payoffs[1][1]
    (Fraction(1, 1), Fraction(1, 1))
    """

    def __init__(
        self,
        name: str,
        source: object,
        *,
        lots: Mapping[str, Lot] | None = None,
        so_that: object = (),
        zero_sum: bool | None = None,
        shuffle: bool = False,
        **heads: Any,  # noqa: ANN401 - what rows, columns and players of a matrix are called
    ) -> None:
        self.name, self.so_that, self._shuffle = name, conditions_of(so_that), shuffle
        self._function = source if callable(source) else None
        self.given: Tree | Matrix | None = None if callable(source) else game_given_as(source, **heads)
        if self._function is not None and lots:
            raise DurakError("a function of its lots draws all there is to draw: leave lots= out, or give a game")
        self._tabled = isinstance(self.given, Matrix)
        self._tree: Tree | None = None
        if self.given is not None:
            self._tree = _fits(played_at_once(self.given) if isinstance(self.given, Matrix) else self.given)
            nothing = not any(any(paid) for paid in self._tree.payoffs)
            written = isinstance(source, (list, tuple)) and _in_numbers(source)
            self._zero = (is_zero_sum(self._tree) and (written or not nothing)) if zero_sum is None else bool(zero_sum)
            if self._zero and not is_zero_sum(self._tree):
                raise DurakError("zero_sum=True is said of a game for two in which one wins what the other loses; here some payoffs differ")
            self._lots = Lots.of(self._tree, lots or {}, zero_sum=self._zero)

    def require_distinct_moves(self) -> None:
        """Refuse a game in which a move cannot be told from another by its name: answers are kept by names."""
        for one in () if self._tree is None else self._tree.sets:
            if len({*one.moves}) < len(one.moves) or not all(one.moves):
                raise DurakError(
                    f"at {quoted(one.label)} moves are called {', '.join(map(quoted, one.moves))}: answers are given by the names of moves, so that each needs one of its own"
                )

    def drawn(self, rng: Random) -> DrawnGame | None:
        """A game; None where what was drawn cannot be, since chances come to more than 1."""
        tabled = self._tabled
        if self._function is not None:
            made = game_given_as(self._function(rng))
            tabled = isinstance(made, Matrix)
            tree: Tree | None = _fits(played_at_once(made) if isinstance(made, Matrix) else made)
        else:
            assert self._tree is not None  # noqa: S101 - one of both was given
            tree = self._lots.drawn(self._tree, rng, zero_sum=self._zero)
        if tree is None:
            return None
        if self._shuffle:
            tree = in_another_order(tree, rng)
        return DrawnGame(tree, tabled=tabled, seed=rng.getrandbits(64))


def game_given_as(source: object, **heads: Any) -> Tree | Matrix:  # noqa: ANN401 - as `matrix_of` takes them
    """A game as a teacher gives it: a tree, an `.efg` file or its text, a matrix, or rows of payoffs.

    >>> game_given_as([[1, -1], [-1, 1]])
    <Matrix: 2 × 2>
    >>> game_given_as('EFG 2 R "x" { "Ann" } p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }')
    <Tree: 3 histories, 2 terminals, 1 information sets>
    """
    heads = {name: one for name, one in heads.items() if one is not None}
    if isinstance(source, (list, tuple)):
        return matrix_of(source, **heads)
    if heads:
        raise DurakError(f"{' and '.join(heads)} are said of a matrix given by its payoffs; {quoted(source)} has names of its own")
    if isinstance(source, (Tree, Matrix)):
        return source
    if isinstance(source, str) and _TEXT.match(source):
        return from_efg(source)
    if isinstance(source, (str, PathLike)):
        return from_efg(_read(path_of(source)))
    raise DurakError(
        f"a game of your own is a tree, the name of an .efg file or its text, a matrix, rows of payoffs, or a function of lots that makes one of these, not {quoted(source)}"
    )


def _read(name: str) -> str:
    """The text of a file: where it is named, or beside the module that names it, wherever modules are looked for."""
    if not name.lower().endswith(".efg"):
        raise DurakError(f"{quoted(name)} is not the name of an .efg file, nor its text, which begins with EFG 2 R")
    folders = [""] if Path(name).is_absolute() else [*search_path(), ""]
    for folder in folders:
        path = Path(folder) / name
        if path.is_file():
            try:
                return path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise DurakError(f"{quoted(name)} cannot be read: {error}") from None
    raise DurakError(f"there is no file {quoted(name)}, neither here nor beside a module; lay it beside the file that names it")


def _in_numbers(source: Sequence[Any]) -> bool:
    """Whether a matrix is written in numbers, one in each cell, and not in pairs."""
    return all(not isinstance(cell, (list, tuple)) for row in source for cell in row)


def _fits(tree: Tree) -> Tree:
    if tree.histories > _LARGEST:
        raise DurakError(f"a game for homework has {_LARGEST:,} places at most, and this one has {tree.histories:,}; take a smaller one")
    if (moves := len(tree.levels) - 2) > _DEEPEST:
        raise DurakError(f"a game for homework is at most {_DEEPEST} moves long, and this one takes {moves:,}; take a shorter one")
    return tree
