"""Matrices as Gambit's `.nfg` files, read and written: https://gambitproject.readthedocs.io/en/stable/formats.nfg.html says what stands in one."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.gametheory.gambit_words import GambitWords, gambit_text, in_quotes
from durak_widget.gametheory.strategic_form import CELLS, Matrix, Plan
from durak_widget.gametheory.tree import End, Tree, Turn, grow

_MOST_PLAYERS: Final = 100
_MANY: Final = 10_000
"""A player has no more strategies."""

Payoffs = tuple[Fraction, ...]


class NfgError(DurakError, ValueError):
    """A text that is no game in strategic form as Gambit writes it.

    >>> from_nfg('NFG 1 R "a game" { "Ann" "Bob" } { 2 2 } 1 -1 0')
    Traceback (most recent call last):
    durak_widget.gametheory.nfg.NfgError: line 1: the text ends here, and a payoff is missing: 4 cells have 8, and 3 are there; is the file whole?
    """


class _Game(NamedTuple):
    """What stands in a file."""

    title: str
    names: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    """Of each player, what they are called."""
    payoffs: list[Payoffs]
    """Of each cell, what it is worth to each player; from cell to cell the strategy of the first player changes, then that of the second."""


def from_nfg(text: str) -> Matrix:
    r"""The matrix of a game for two that Gambit, or `to_nfg`, wrote: with the payoffs of each cell, or with outcomes by their numbers.

    Strategies without names are called by their numbers, and of several that are called alike the later ones have theirs besides.

    >>> print(from_nfg('NFG 1 R "Opera or match" { "Ann" "Bob" } { { "opera" "match" } { "opera" "match" } } "" 3 2 0 0 0 0 2 3'))
    Ann \ Bob | opera | match
    opera     | 3, 2  | 0, 0
    match     | 0, 0  | 2, 3
    >>> print(from_nfg('NFG 1 R "Pennies" { "Even" "Odd" } { 2 2 } { { "same" 1 -1 } { "other" -1 1 } } 1 2 2 1'))
    Even \ Odd | 1  | 2
    1          | 1  | -1
    2          | -1 | 1
    """
    game = _read(text)
    if len(game.names) != 2:
        raise NfgError(
            f"a matrix has rows and columns, so it is of a game for two, and this file has {len(game.names)} player{'s' * (len(game.names) != 1)};"
            " tree_of_nfg(text) makes a tree of it"
        )
    rows, columns = ([Plan(name, name, {}) for name in names] for names in game.strategies)
    high = len(rows)
    cells = [[(paid[0], paid[1]) for paid in game.payoffs[row::high]] for row in range(high)]
    return Matrix(game.names, rows, columns, cells)


def tree_of_nfg(text: str) -> Tree:
    """The tree of a game that stands in such a file, for any number of players: one after another they choose, and nobody sees what the others did.

    >>> tree_of_nfg('NFG 1 R "Three coins" { "A" "B" "C" } { 2 2 2 } 0 0 0 1 1 -2 1 -2 1 -2 1 1 -2 1 1 1 -2 1 1 1 -2 0 0 0')
    <Tree: 15 histories, 8 terminals, 1 + 1 + 1 information sets>
    """
    game = _read(text)
    sizes = [len(names) for names in game.strategies]

    def look(chosen: tuple[int, ...]) -> Turn | End:
        seat = len(chosen)
        if seat == len(sizes):
            return End(game.payoffs[sum(one * prod(sizes[:place]) for place, one in enumerate(chosen))])
        return Turn(seat, seat, [(name, (*chosen, place)) for place, name in enumerate(game.strategies[seat])])

    return grow((), look, seats=len(sizes), title=game.title, names=game.names, say=lambda *_: "")


def to_nfg(matrix: Matrix, title: str = "") -> str:
    """The matrix as the text of a file that Gambit reads.

    >>> from durak_widget.gametheory.payoffs import matrix_of
    >>> print(to_nfg(matrix_of([[(3, 2), (0, 0)], [(0, "1/2"), (2, 3)]], rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob"))))
    NFG 1 R "" { "Ann" "Bob" }
    <BLANKLINE>
    { { "opera" "match" }
    { "opera" "match" }
    }
    ""
    <BLANKLINE>
    3 2 0 1/2
    0 0 2 3
    <BLANKLINE>
    """
    if not isinstance(matrix, Matrix):
        raise NfgError(f"a matrix is written, such as analysis.matrix(tree) or from_nfg(text) makes, not {quoted(matrix)}")
    rows, columns = (in_quotes([plan.words for plan in plans]) for plans in (matrix.rows, matrix.columns))
    lines = [" ".join(f"{one} {other}" for one, other in column) for column in zip(*matrix.payoffs, strict=True)]
    head = f"NFG 1 R {in_quotes([title])} {{ {in_quotes(matrix.names)} }}"
    return "\n".join([head, "", f"{{ {{ {rows} }}", f"{{ {columns} }}", "}", '""', "", *lines, ""])


def _read(text: object) -> _Game:
    """All that stands in a file."""
    reader = _Reader(gambit_text(text, "nfg", NfgError))
    title, names = reader.prologue()
    strategies = reader.strategies(names)
    cells = prod(map(len, strategies))
    if cells > CELLS:
        raise NfgError(f"the game has {cells:,} cells, and {CELLS:,} are read; take a smaller one")
    return _Game(title, names, strategies, reader.payoffs(len(names), cells))


class _Reader(GambitWords):
    """Reads a text word by word."""

    error = NfgError

    def prologue(self) -> tuple[str, tuple[str, ...]]:
        """The title, and what the players are called."""
        for word in ("NFG", "1"):
            found = self._take("NFG 1 R")
            if found[0] != word:
                raise self._wrong(f"an .nfg file begins with NFG 1 R and a title in quotation marks, not with {quoted(found[0])}", found)
        kind = self._take("NFG 1 R")
        if kind[0] not in ("R", "D"):
            raise self._wrong(f"NFG 1 is followed by R, not by {quoted(kind[0])}", kind)
        title = self._name("the title")
        names = self._named("the name of a player", "before the names of the players")
        if not 1 <= len(names) <= _MOST_PLAYERS:
            raise self._wrong(f"a game has from 1 to {_MOST_PLAYERS} players, and {len(names)} are named", self._last)
        return title, tuple(names)

    def strategies(self, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """What the strategies of each player are called, or how many there are; a comment may follow."""
        self._expect("{", "before the strategies")
        found = list[tuple[str, ...]]()
        while self._next is not None and not self._sees("}"):
            if len(found) == len(names):
                raise self._wrong(f"{len(names)} players have strategies, and here are more; is a brace missing?", self._next)
            if self._sees("{"):
                said = self._named("the name of a strategy", "before the strategies of a player")
            else:
                many = self._whole("how many strategies a player has", 1)
                if many > _MANY:
                    raise self._wrong(f"a player has {many:,} strategies; more than {_MANY:,} are not read", self._last)
                said = [""] * many
            if not said:
                raise self._wrong(f"{names[len(found)]} has no strategy; each player has one at least", self._last)
            found.append(_called(said))
        end = self._take("'}' after the strategies")
        if len(found) != len(names):
            raise self._wrong(f"each of the {len(names)} players has strategies, and those of {len(found)} are given", end)
        if self._sees('"'):
            self._step()  # the comment
        return tuple(found)

    def payoffs(self, players: int, cells: int) -> list[Payoffs]:
        """What each cell is worth: number by number, or by the numbers of outcomes that are given first."""
        outcomes = self._outcomes(players) if self._sees("{") else None
        found = list[Payoffs]()
        for cell in range(cells):
            if outcomes is None:
                missing = f"a payoff is missing: {cells:,} cells have {cells * players:,}, and "
                found.append(tuple([self._number_of(missing, cell * players + seat) for seat in range(players)]))
            else:
                number = self._whole("the number of an outcome", 0)
                if number > len(outcomes):
                    raise self._wrong(f"outcome {number} is none; {len(outcomes)} are given, and 0 is that nothing is paid", self._last)
                found.append(outcomes[number - 1] if number else (Fraction(0),) * players)
        if self._next is not None:
            raise self._wrong(
                f"every cell has its payoffs, so the text should end here, not go on with {quoted(self._next[0])}", self._next
            )
        return found

    def _number_of(self, missing: str, there: int) -> Fraction:
        if self._next is None:
            raise self._wrong(f"the text ends here, and {missing}{there:,} are there; is the file whole?", None)
        return self._number("a payoff")

    def _outcomes(self, players: int) -> list[Payoffs]:
        """The outcomes, from the first."""
        self._step()
        found = list[Payoffs]()
        while not self._sees("}"):
            self._expect("{", "before an outcome")
            self._name("the name of an outcome")
            paid, word = list[Fraction](), self._last
            while not self._sees("}"):
                paid.append(self._number("a payoff"))
            self._step()
            if len(paid) != players:
                raise self._wrong(f"an outcome has a payoff for each of the {players} players, and {len(paid)} are given", word)
            found.append(tuple(paid))
        self._step()
        return found

    def _named(self, of: str, where: str) -> list[str]:
        """Names in braces."""
        self._expect("{", where)
        found = list[str]()
        while not self._sees("}"):
            found.append(self._name(of))
            if len(found) > _MANY:
                raise self._wrong(f"here are more than {_MANY:,} names; a game so large is not read", self._last)
        self._step()
        return found


def _called(names: list[str]) -> tuple[str, ...]:
    """Names that differ: those without one are called by their numbers, and later ones that are called as an earlier one have theirs besides."""
    given, taken, found = {name for name in names if name}, set[str](), list[str]()
    for place, name in enumerate(names, 1):
        said = name or str(place)
        while said in taken or (said != name and said in given):
            said = f"{said} #{place}"
        taken.add(said)
        found.append(said)
    return tuple(found)
