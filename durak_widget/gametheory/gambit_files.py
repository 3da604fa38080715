"""Reads and writes Gambit files: .efg for trees and .nfg for matrices.

The formats are documented at https://gambitproject.readthedocs.io/en/stable/formats.efg.html and
https://gambitproject.readthedocs.io/en/stable/formats.nfg.html. An error names the line and what would be
right there.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.gametheory.strategic_form import CELLS, Matrix, Plan
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, Tree, Turn, grow, require_tree

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from re import Match

_ROUNDED: Final = Fraction(1, 1000)
"""Chances that were rounded may miss 1 by so much in all; they are then made to add up."""
_MOST_PLAYERS: Final = 100
_DEEPEST: Final = 10_000
_WIDEST: Final = 10_000
"""So many moves lead from the start to an end, and from one place to the next: nobody could draw more."""
_AGAIN: Final = re.compile(r" #\d+$")
"""How a label ends that a player's earlier information set has too: Gambit (16.7) takes no two alike."""
_MANY: Final = 10_000
"""A player has no more strategies."""
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^\s{},"]+|"', re.DOTALL)
"""A word; white space and commas stand between words."""
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4}|/\d+)?")
_LARGEST: Final = 10**300  # what a float still holds
_MOST_SIGNS: Final = 20 * 2**20
_LONGEST: Final = 10_000
"""So many signs has what something is called."""


class EfgError(DurakError, ValueError):
    """A text that is no game in extensive form as Gambit writes it.

    >>> from_efg('EFG 2 R "a game" { "Ann" "Bob" } x "" 1')
    Traceback (most recent call last):
    durak_widget.gametheory.gambit_files.EfgError: line 1: a node begins with c (chance), p (a player) or t (an end), not 'x'
    """


class _Set(NamedTuple):
    """What was said of an information set, the first time it was."""

    label: str
    moves: tuple[str, ...]
    chances: tuple[Fraction, ...]


class _Node(NamedTuple):
    """A node as it was read; what it leads to comes after it."""

    number: tuple[int, int] | None
    """Its player (0 for chance) and information set; None for an end."""
    known: _Set | None
    payoffs: tuple[Fraction, ...]
    below: list[_Node]


def from_efg(text: str) -> Tree:
    """The tree of a game that Gambit, or `to_efg`, wrote: any number of players, chance, payoffs on the way.

    What is paid on the way is added to the ends below; what nodes and outcomes are called is left out.

    >>> tree = from_efg('EFG 2 R "Matching pennies" { "Ann" "Bob" } p "" 1 1 "" { "h" "t" } 0 p "" 2 1 "" { "h" "t" } 0 '
    ...     't "" 1 "same" { 1 -1 } t "" 2 "other" { -1 1 } p "" 2 1 0 t "" 2 t "" 1')
    >>> tree, tree.names, tree.payoffs
    (<Tree: 7 histories, 4 terminals, 1 + 1 information sets>, ('Ann', 'Bob'), [(Fraction(1, 1), Fraction(-1, 1)), (Fraction(-1, 1), Fraction(1, 1))])
    """
    reader = _EfgReader(gambit_text(text, "efg", EfgError))
    title, names = reader.prologue()
    root = reader.nodes(len(names))
    nothing = (Fraction(0),) * len(names)

    def look(place: tuple[_Node, tuple[Fraction, ...]]) -> Turn | Draw | End:
        node, paid = place
        if node.payoffs:
            paid = tuple([one + more for one, more in zip(paid, node.payoffs, strict=True)])
        if node.known is None:
            return End(paid)
        below = [(one, paid) for one in node.below]
        assert node.number is not None  # noqa: S101 - of what is not an end a set is known
        if node.number[0]:
            return Turn(node.number[0] - 1, node.number, list(zip(node.known.moves, below, strict=True)))
        return Draw(list(zip(node.known.moves, node.known.chances, below, strict=True)))

    def say(_: int, number: Hashable) -> str:
        return reader.sets[number].label

    return grow((root, nothing), look, seats=len(names), title=title, names=names, say=say)


class GambitWords:
    """Reads a text word by word.

    >>> words = GambitWords('{ "a" 1/2 }')
    >>> words._expect("{", "here"), words._name("a name"), words._number("a number")
    (None, 'a', Fraction(1, 2))
    >>> words._whole("a count", 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: line 1: a count is a whole number from 1 on, not '}'
    """

    error: ClassVar[type[DurakError]] = DurakError
    """What is raised of a text that is none."""

    def __init__(self, text: str) -> None:
        self._words = _TOKEN.finditer(text)
        self._text = text
        self._next = self._last = next(self._words, None)

    def _wrong(self, says: str, word: Match[str] | None) -> DurakError:
        """The error that is told of a word, or of the last where there is none."""
        where = word or self._last
        return self.error(f"line {self._text.count(chr(10), 0, where.start() if where else 0) + 1}: {says}")

    def _step(self) -> None:
        self._next = next(self._words, None)
        self._last = self._next or self._last

    def _take(self, wanted: str) -> Match[str]:
        word = self._next
        if word is None:
            raise self._wrong(f"the text ends here, and {wanted} is missing; is the file whole?", None)
        self._step()
        return word

    def _sees(self, sign: str) -> bool:
        return self._next is not None and self._text[self._next.start()] == sign

    def _name(self, of: str) -> str:
        word = self._take(of)
        if len(word[0]) < 2 or word[0][0] != '"':
            raise self._wrong(f'{of} stands in quotation marks, such as "1", not {quoted(word[0])}', word)
        if len(word[0]) > _LONGEST:
            raise self._wrong(f"{of} has more than {_LONGEST:,} signs; a shorter one can be read", word)
        return re.sub(r'\\(["\\])', r"\1", word[0][1:-1])

    def _whole(self, of: str, least: int) -> int:
        word = self._take(of)
        if not (word[0].isascii() and word[0].isdigit() and len(word[0]) < 10 and int(word[0]) >= least):
            raise self._wrong(f"{of} is a whole number from {least} on, not {quoted(word[0])}", word)
        return int(word[0])

    def _number(self, of: str) -> Fraction:
        word = self._take(of)
        try:
            if _NUMBER.fullmatch(word[0]) and abs(found := Fraction(word[0])) < _LARGEST:
                return found
        except (ValueError, ZeroDivisionError):
            pass
        raise self._wrong(f"{of} is a number such as 2, -0.5 or 1/3, not {quoted(word[0])}", word)

    def _expect(self, sign: str, where: str) -> None:
        word = self._take(f"{sign!r} {where}")
        if word[0] != sign:
            raise self._wrong(f"{sign!r} belongs here, {where}, not {quoted(word[0])}", word)


class _EfgReader(GambitWords):
    """Reads a text word by word."""

    error = EfgError

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.sets: dict[object, _Set] = {}
        self._labels: dict[tuple[int, str], int] = {}
        self._outcomes: dict[int, tuple[Fraction, ...]] = {}

    def prologue(self) -> tuple[str, list[str]]:
        """The title, and what the players are called; a comment may follow."""
        for word in ("EFG", "2"):
            found = self._take("EFG 2 R")
            if found[0] != word:
                raise self._wrong(f"an .efg file begins with EFG 2 R and a title in quotation marks, not with {quoted(found[0])}", found)
        kind = self._take("EFG 2 R")
        if kind[0] not in ("R", "D"):
            raise self._wrong(f"EFG 2 is followed by R, not by {quoted(kind[0])}", kind)
        title = self._name("the title")
        self._expect("{", "before the names of the players")
        names = []
        while not self._sees("}"):
            names.append(self._name("the name of a player"))
        if not 1 <= len(names) <= _MOST_PLAYERS:
            raise self._wrong(f"a game has from 1 to {_MOST_PLAYERS} players, and {len(names)} are named", self._last)
        self._step()
        if self._sees('"'):
            self._step()  # the comment
        return title, names

    def nodes(self, players: int) -> _Node:
        """The root, with all that follows from it: the nodes stand in the order in which one goes through the tree, each before what is below it."""
        root = self._node(players)
        waiting = [root] if root.known else []
        while waiting:
            last = waiting[-1]
            if len(last.below) == len(last.known.moves):  # type: ignore[union-attr]
                waiting.pop()
                continue
            node = self._node(players)
            last.below.append(node)
            if node.known:
                waiting.append(node)
                if len(waiting) > _DEEPEST:
                    raise self._wrong(f"more than {_DEEPEST:,} moves lead here from the start; a game so long is not read", None)
        if self._next is not None:
            raise self._wrong(
                f"every move has led to its node, so the text should end here, not go on with {quoted(self._next[0])}", self._next
            )
        return root

    def _node(self, players: int) -> _Node:
        word = self._take("a node")
        if word[0] not in ("c", "p", "t"):
            raise self._wrong(f"a node begins with c (chance), p (a player) or t (an end), not {quoted(word[0])}", word)
        self._name("the name of a node")
        number: tuple[int, int] | None = None
        known = None
        if word[0] != "t":
            player = 0
            if word[0] == "p":
                player = self._whole("the number of a player", 1)
                if player > players:
                    raise self._wrong(f"player {player} is to act, and {players} players are named; the last is player {players}", word)
            number = player, self._whole("the number of an information set", 1)
            known = self._set(number, word)
        return _Node(number, known, self._outcome(players, word), [])

    def _set(self, number: tuple[int, int], word: Match[str]) -> _Set:
        """The information set; what is said of it again must be what was said before."""
        player, place = number
        whose = f"player {player}" if player else "chance"
        label = self._name("the name of an information set") if self._sees('"') else ""
        before = self.sets.get(number)
        if not self._sees("{"):
            if before is None:
                raise self._wrong(f"information set {place} of {whose} comes for the first time, so its moves belong here, in braces", word)
            return before
        self._step()
        moves: list[str] = []
        chances: list[Fraction] = []
        while not self._sees("}"):
            moves.append(self._name("the name of a move"))
            if len(moves) > _WIDEST:
                raise self._wrong(f"information set {place} of {whose} has more than {_WIDEST:,} moves; a game so wide is not read", word)
            if not player:
                chances.append(self._number("the probability of a move of chance"))
        self._step()
        if not moves:
            raise self._wrong(f"information set {place} of {whose} has no move; a node where nothing can be done is an end, t", word)
        if not player:
            total = sum(chances, Fraction(0))
            if min(chances) < 0 or abs(total - 1) > _ROUNDED:
                raise self._wrong(f"the probabilities of chance must be at least 0 and add up to 1, not {total}", word)
            chances = [chance / total for chance in chances]
        if before is None:
            label = self._unnumbered(player, label)
        said = _Set(label, tuple(moves), tuple(chances))
        if before is None:
            self.sets[number] = said
            return said
        if (before.moves, before.chances) != (said.moves, said.chances):
            raise self._wrong(
                f"information set {place} of {whose} had the moves {in_quotes(before.moves)} before, and has {in_quotes(said.moves)} here",
                word,
            )
        return before

    def _unnumbered(self, player: int, label: str) -> str:
        """The label without the number that `to_efg` gave it."""
        plain = _AGAIN.sub("", label)
        if label != _numbered(plain, self._labels.get((player, plain), 0) + 1):
            plain = label
        self._labels[player, plain] = self._labels.get((player, plain), 0) + 1
        return plain

    def _outcome(self, players: int, word: Match[str]) -> tuple[Fraction, ...]:
        """What is paid here, nothing for outcome 0; it is said once for each outcome, or again."""
        number = self._whole("the number of an outcome", 0)
        if self._sees('"'):
            self._step()
        if not self._sees("{"):
            if number and number not in self._outcomes:
                raise self._wrong(f"outcome {number} comes for the first time, so its payoffs belong here, in braces", word)
            return self._outcomes.get(number, ())
        self._step()
        payoffs = []
        while not self._sees("}"):
            payoffs.append(self._number("a payoff"))
        self._step()
        if len(payoffs) != players:
            raise self._wrong(f"an outcome has a payoff for each of the {players} players, and {len(payoffs)} are given", word)
        paid = tuple(payoffs)
        if number and self._outcomes.setdefault(number, paid) != paid:
            raise self._wrong(f"outcome {number} paid otherwise before; give it another number", word)
        return paid


def to_efg(tree: Tree) -> str:
    """The tree as the text of a file that Gambit and OpenSpiel read.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> print(to_efg(grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)))
    EFG 2 R "" { "Player 1" "Player 2" }
    ""
    <BLANKLINE>
    p "" 1 1 "?" { "l" "r" } 0
    t "" 1 "" { 1, -1 }
    t "" 2 "" { 0, 0 }
    <BLANKLINE>
    """
    require_tree(tree)
    numbers, free, labels = [], [0] * tree.seats, dict[tuple[int, str], int]()
    for known in tree.sets:
        free[known.seat] += 1
        times = labels[known.seat, known.label] = labels.get((known.seat, known.label), 0) + 1
        label = in_quotes((_numbered(known.label, times),))
        numbers.append(f'p "" {known.seat + 1} {free[known.seat]} {label} {{ {in_quotes(known.moves)} }} 0')
    chances = []
    for place, drawn in enumerate(tree.chances, 1):
        said = " ".join(f"{in_quotes((move,))} {chance}" for move, chance in zip(drawn.moves, drawn.probabilities, strict=True))
        chances.append(f'c "" {place} "" {{ {said} }} 0')
    ends = [f't "" {place} "" {{ {", ".join(map(str, worth))} }}' for place, worth in enumerate(tree.payoffs, 1)]
    lines = [f"EFG 2 R {in_quotes((tree.title,))} {{ {in_quotes(tree.names)} }}", '""', ""]
    waiting, words = [0], {CHANCE: chances, OVER: ends}
    while waiting:
        here = waiting.pop()
        lines.append(words.get(tree.actor[here], numbers)[tree.info[here]])
        waiting += reversed(tree.children(here))
    return "\n".join([*lines, ""])


def _numbered(label: str, times: int) -> str:
    """The label of the so-manieth information set of that name: as it is for the first, with its number for others (and where it ends like one)."""
    return label if not label or (times == 1 and not _AGAIN.search(label)) else f"{label} #{times}"


Payoffs = tuple[Fraction, ...]


class NfgError(DurakError, ValueError):
    """A text that is no game in strategic form as Gambit writes it.

    >>> from_nfg('NFG 1 R "a game" { "Ann" "Bob" } { 2 2 } 1 -1 0')
    Traceback (most recent call last):
    durak_widget.gametheory.gambit_files.NfgError: line 1: the text ends here, and a payoff is missing: 4 cells have 8, and 3 are there; is the file whole?
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

    >>> from durak_widget.gametheory.strategic_form import matrix_of
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
        raise NfgError(f"a matrix is written, such as gametheory.matrix(tree) or from_nfg(text) makes, not {quoted(matrix)}")
    rows, columns = (in_quotes([plan.words for plan in plans]) for plans in (matrix.rows, matrix.columns))
    lines = [" ".join(f"{one} {other}" for one, other in column) for column in zip(*matrix.payoffs, strict=True)]
    head = f"NFG 1 R {in_quotes([title])} {{ {in_quotes(matrix.names)} }}"
    return "\n".join([head, "", f"{{ {{ {rows} }}", f"{{ {columns} }}", "}", '""', "", *lines, ""])


def _read(text: object) -> _Game:
    """All that stands in a file."""
    reader = _NfgReader(gambit_text(text, "nfg", NfgError))
    title, names = reader.prologue()
    strategies = reader.strategies(names)
    cells = prod(map(len, strategies))
    if cells > CELLS:
        raise NfgError(f"the game has {cells:,} cells, and {CELLS:,} are read; take a smaller one")
    return _Game(title, names, strategies, reader.payoffs(len(names), cells))


class _NfgReader(GambitWords):
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


def gambit_text(text: object, kind: str, error: type[DurakError]) -> str:
    """The text of such a file, if it is one and not too long.

    >>> gambit_text("NFG 1 R", "nfg", DurakError)
    'NFG 1 R'
    >>> gambit_text(b"NFG 1 R", "nfg", DurakError)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: an .nfg file is read as its text, not as b'NFG 1 R'; say from_nfg(path.read_text())
    """
    if not isinstance(text, str):
        raise error(f"an .{kind} file is read as its text, not as {quoted(text)}; say from_{kind}(path.read_text())")
    if len(text) > _MOST_SIGNS:
        raise error(f"an .{kind} file has at most {_MOST_SIGNS >> 20} MB, and this has {len(text) >> 20}; write a smaller game")
    return text.removeprefix("\ufeff")


def in_quotes(names: Sequence[str]) -> str:
    r"""Names in quotation marks, with a stroke before each such mark within.

    >>> print(in_quotes(["left", 'so "called"']))
    "left" "so \"called\""
    """
    return " ".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names)
