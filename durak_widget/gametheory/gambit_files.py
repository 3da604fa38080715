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
"""The tolerance for rounded probabilities of a chance node; they are then scaled to add up to 1."""
_MOST_PLAYERS: Final = 100
_DEEPEST: Final = 10_000
_WIDEST: Final = 10_000
"""Limits on the depth of a tree and the number of actions, far above any tree that can be drawn."""
_AGAIN: Final = re.compile(r" #\d+$")
"""The number at the end of a label that an earlier information set of the player has too.

Gambit (16.7) requires different labels.
"""
_MANY: Final = 10_000
"""The maximum number of strategies of a player."""
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^\s{},"]+|"', re.DOTALL)
"""A token; white space and commas separate tokens."""
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4}|/\d+)?")
_LARGEST: Final = 10**300  # a float can hold it
_MOST_SIGNS: Final = 20 * 2**20
_LONGEST: Final = 10_000
"""The maximum length of a name."""


class EfgError(DurakError, ValueError):
    """A text that is not a game in extensive form as Gambit writes it.

    >>> from_efg('EFG 2 R "a game" { "Ann" "Bob" } x "" 1')
    Traceback (most recent call last):
    durak_widget.gametheory.gambit_files.EfgError: line 1: a node begins with c (chance), p (a player) or t (an end), not 'x'
    """


class _Set(NamedTuple):
    """The first description of an information set."""

    label: str
    moves: tuple[str, ...]
    chances: tuple[Fraction, ...]


class _Node(NamedTuple):
    """A node as it was read, with its children."""

    number: tuple[int, int] | None
    """Its player (0 for chance) and information set; None for a terminal node."""
    known: _Set | None
    payoffs: tuple[Fraction, ...]
    below: list[_Node]


def from_efg(text: str) -> Tree:
    """Return the tree of a game that Gambit or `to_efg` wrote.

    It may have any number of players, chance nodes, and payoffs before the end, which are added to the terminal nodes
    below. The names of nodes and outcomes are left out.

    >>> tree = from_efg('EFG 2 R "Matching pennies" { "Ann" "Bob" } p "" 1 1 "" { "h" "t" } 0 p "" 2 1 "" { "h" "t" } 0 '
    ...     't "" 1 "same" { 1 -1 } t "" 2 "other" { -1 1 } p "" 2 1 0 t "" 2 t "" 1')
    >>> tree, tree.names, tree.payoffs
    (<Tree: 7 histories, 4 terminals, 1 + 1 information sets>, ('Ann', 'Bob'), [(Fraction(1, 1), Fraction(-1, 1)), (Fraction(-1, 1), Fraction(1, 1))])
    """
    reader = _EfgReader(gambit_text(text, "efg", EfgError))
    title, names = reader.prologue()
    root = reader.nodes(len(names))
    no_payoffs = (Fraction(0),) * len(names)

    def describe_node(position: tuple[_Node, tuple[Fraction, ...]]) -> Turn | Draw | End:
        node, payoffs = position
        if node.payoffs:
            payoffs = tuple([payoff + more_payoff for payoff, more_payoff in zip(payoffs, node.payoffs, strict=True)])
        if node.known is None:
            return End(payoffs)
        children = [(child, payoffs) for child in node.below]
        assert node.number is not None  # noqa: S101 - of what is not an end a set is known
        if node.number[0]:
            return Turn(node.number[0] - 1, node.number, list(zip(node.known.moves, children, strict=True)))
        return Draw(list(zip(node.known.moves, node.known.chances, children, strict=True)))

    def format_label(_: int, infoset_key: Hashable) -> str:
        return reader.sets[infoset_key].label

    return grow((root, no_payoffs), describe_node, seats=len(names), title=title, names=names, say=format_label)


class GambitWords:
    """A reader that takes a text token by token.

    >>> reader = GambitWords('{ "a" 1/2 }')
    >>> reader._expect("{", "here"), reader._name("a name"), reader._number("a number")
    (None, 'a', Fraction(1, 2))
    >>> reader._whole("a count", 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: line 1: a count is a whole number from 1 on, not '}'
    """

    error: ClassVar[type[DurakError]] = DurakError
    """The error that is raised for an invalid text."""

    def __init__(self, text: str) -> None:
        self._words = _TOKEN.finditer(text)
        self._text = text
        self._next = self._last = next(self._words, None)

    def _wrong(self, says: str, word: Match[str] | None) -> DurakError:
        """Return an error with the line of a token, or of the last one if there is none."""
        position_token = word or self._last
        return self.error(f"line {self._text.count(chr(10), 0, position_token.start() if position_token else 0) + 1}: {says}")

    def _step(self) -> None:
        self._next = next(self._words, None)
        self._last = self._next or self._last

    def _take(self, wanted: str) -> Match[str]:
        token = self._next
        if token is None:
            raise self._wrong(f"the text ends here, and {wanted} is missing; is the file whole?", None)
        self._step()
        return token

    def _sees(self, sign: str) -> bool:
        return self._next is not None and self._text[self._next.start()] == sign

    def _name(self, of: str) -> str:
        token = self._take(of)
        if len(token[0]) < 2 or token[0][0] != '"':
            raise self._wrong(f'{of} stands in quotation marks, such as "1", not {quoted(token[0])}', token)
        if len(token[0]) > _LONGEST:
            raise self._wrong(f"{of} has more than {_LONGEST:,} signs; a shorter one can be read", token)
        return re.sub(r'\\(["\\])', r"\1", token[0][1:-1])

    def _whole(self, of: str, least: int) -> int:
        token = self._take(of)
        if not (token[0].isascii() and token[0].isdigit() and len(token[0]) < 10 and int(token[0]) >= least):
            raise self._wrong(f"{of} is a whole number from {least} on, not {quoted(token[0])}", token)
        return int(token[0])

    def _number(self, of: str) -> Fraction:
        token = self._take(of)
        try:
            if _NUMBER.fullmatch(token[0]) and abs(number := Fraction(token[0])) < _LARGEST:
                return number
        except (ValueError, ZeroDivisionError):
            pass
        raise self._wrong(f"{of} is a number such as 2, -0.5 or 1/3, not {quoted(token[0])}", token)

    def _expect(self, sign: str, where: str) -> None:
        token = self._take(f"{sign!r} {where}")
        if token[0] != sign:
            raise self._wrong(f"{sign!r} belongs here, {where}, not {quoted(token[0])}", token)


class _EfgReader(GambitWords):
    """A reader of .efg files."""

    error = EfgError

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.sets: dict[object, _Set] = {}
        self._labels: dict[tuple[int, str], int] = {}
        self._outcomes: dict[int, tuple[Fraction, ...]] = {}

    def prologue(self) -> tuple[str, list[str]]:
        """Read the title and the names of the players; a comment may follow."""
        for expected in ("EFG", "2"):
            token = self._take("EFG 2 R")
            if token[0] != expected:
                raise self._wrong(f"an .efg file begins with EFG 2 R and a title in quotation marks, not with {quoted(token[0])}", token)
        number_type = self._take("EFG 2 R")
        if number_type[0] not in ("R", "D"):
            raise self._wrong(f"EFG 2 is followed by R, not by {quoted(number_type[0])}", number_type)
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
        """Read the root with all nodes below it.

        Nodes are listed depth first, each before its children.
        """
        root = self._node(players)
        waiting = [root] if root.known else []
        while waiting:
            parent = waiting[-1]
            if len(parent.below) == len(parent.known.moves):  # type: ignore[union-attr]
                waiting.pop()
                continue
            node = self._node(players)
            parent.below.append(node)
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
        token = self._take("a node")
        if token[0] not in ("c", "p", "t"):
            raise self._wrong(f"a node begins with c (chance), p (a player) or t (an end), not {quoted(token[0])}", token)
        self._name("the name of a node")
        infoset_key: tuple[int, int] | None = None
        infoset_record = None
        if token[0] != "t":
            player = 0
            if token[0] == "p":
                player = self._whole("the number of a player", 1)
                if player > players:
                    raise self._wrong(f"player {player} is to act, and {players} players are named; the last is player {players}", token)
            infoset_key = player, self._whole("the number of an information set", 1)
            infoset_record = self._set(infoset_key, token)
        return _Node(infoset_key, infoset_record, self._outcome(players, token), [])

    def _set(self, number: tuple[int, int], word: Match[str]) -> _Set:
        """Read an information set.

        If it was described before, the descriptions must agree.
        """
        player, infoset = number
        player_text = f"player {player}" if player else "chance"
        label = self._name("the name of an information set") if self._sees('"') else ""
        earlier = self.sets.get(number)
        if not self._sees("{"):
            if earlier is None:
                raise self._wrong(
                    f"information set {infoset} of {player_text} comes for the first time, so its moves belong here, in braces", word
                )
            return earlier
        self._step()
        actions: list[str] = []
        probabilities: list[Fraction] = []
        while not self._sees("}"):
            actions.append(self._name("the name of a move"))
            if len(actions) > _WIDEST:
                raise self._wrong(
                    f"information set {infoset} of {player_text} has more than {_WIDEST:,} moves; a game so wide is not read", word
                )
            if not player:
                probabilities.append(self._number("the probability of a move of chance"))
        self._step()
        if not actions:
            raise self._wrong(
                f"information set {infoset} of {player_text} has no move; a node where nothing can be done is an end, t", word
            )
        if not player:
            total = sum(probabilities, Fraction(0))
            if min(probabilities) < 0 or abs(total - 1) > _ROUNDED:
                raise self._wrong(f"the probabilities of chance must be at least 0 and add up to 1, not {total}", word)
            probabilities = [probability / total for probability in probabilities]
        if earlier is None:
            label = self._unnumbered(player, label)
        infoset_record = _Set(label, tuple(actions), tuple(probabilities))
        if earlier is None:
            self.sets[number] = infoset_record
            return infoset_record
        if (earlier.moves, earlier.chances) != (infoset_record.moves, infoset_record.chances):
            raise self._wrong(
                f"information set {infoset} of {player_text} had the moves {in_quotes(earlier.moves)} before, and has {in_quotes(infoset_record.moves)} here",
                word,
            )
        return earlier

    def _unnumbered(self, player: int, label: str) -> str:
        """Return the label without the number that `to_efg` added."""
        base = _AGAIN.sub("", label)
        if label != _numbered(base, self._labels.get((player, base), 0) + 1):
            base = label
        self._labels[player, base] = self._labels.get((player, base), 0) + 1
        return base

    def _outcome(self, players: int, word: Match[str]) -> tuple[Fraction, ...]:
        """Read the payoffs of an outcome, none for outcome 0.

        If they were given before, they must agree.
        """
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
        outcome_payoffs = tuple(payoffs)
        if number and self._outcomes.setdefault(number, outcome_payoffs) != outcome_payoffs:
            raise self._wrong(f"outcome {number} paid otherwise before; give it another number", word)
        return outcome_payoffs


def to_efg(tree: Tree) -> str:
    """Return the tree as text for an .efg file, which Gambit and OpenSpiel can read.

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
    decision_lines, infoset_counts, label_counts = [], [0] * tree.seats, dict[tuple[int, str], int]()
    for record in tree.sets:
        infoset_counts[record.seat] += 1
        occurrence = label_counts[record.seat, record.label] = label_counts.get((record.seat, record.label), 0) + 1
        label = in_quotes((_numbered(record.label, occurrence),))
        decision_lines.append(f'p "" {record.seat + 1} {infoset_counts[record.seat]} {label} {{ {in_quotes(record.moves)} }} 0')
    chance_lines = []
    for outcome, chance_move in enumerate(tree.chances, 1):
        choices = " ".join(
            f"{in_quotes((action,))} {probability}"
            for action, probability in zip(chance_move.moves, chance_move.probabilities, strict=True)
        )
        chance_lines.append(f'c "" {outcome} "" {{ {choices} }} 0')
    terminal_lines = [f't "" {index} "" {{ {", ".join(map(str, payoffs))} }}' for index, payoffs in enumerate(tree.payoffs, 1)]
    lines = [f"EFG 2 R {in_quotes((tree.title,))} {{ {in_quotes(tree.names)} }}", '""', ""]
    waiting, lines_of = [0], {CHANCE: chance_lines, OVER: terminal_lines}
    while waiting:
        node = waiting.pop()
        lines.append(lines_of.get(tree.actor[node], decision_lines)[tree.info[node]])
        waiting += reversed(tree.children(node))
    return "\n".join([*lines, ""])


def _numbered(label: str, times: int) -> str:
    """Return a label, with a number if an earlier information set has the same one.

    The first gets a number only if its label ends like one.
    """
    return label if not label or (times == 1 and not _AGAIN.search(label)) else f"{label} #{times}"


Payoffs = tuple[Fraction, ...]


class NfgError(DurakError, ValueError):
    """A text that is not a game in strategic form as Gambit writes it.

    >>> from_nfg('NFG 1 R "a game" { "Ann" "Bob" } { 2 2 } 1 -1 0')
    Traceback (most recent call last):
    durak_widget.gametheory.gambit_files.NfgError: line 1: the text ends here, and a payoff is missing: 4 cells have 8, and 3 are there; is the file whole?
    """


class _Game(NamedTuple):
    """The contents of an .nfg file."""

    title: str
    names: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    """The names of the strategies of each player."""
    payoffs: list[Payoffs]
    """The payoffs of each cell.

    From cell to cell the strategy of the first player changes first, then that of the second.
    """


def from_nfg(text: str) -> Matrix:
    r"""Return the matrix of a two-player game that Gambit or `to_nfg` wrote.

    The file has the payoffs of each cell, or numbered outcomes. Strategies without names get their numbers as names, and if
    several have the same name, the later ones get their numbers added.

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
    rows, columns = ([Plan(name, name, {}) for name in strategy_names] for strategy_names in game.strategies)
    row_count = len(rows)
    cells = [[(payoffs[0], payoffs[1]) for payoffs in game.payoffs[row::row_count]] for row in range(row_count)]
    return Matrix(game.names, rows, columns, cells)


def tree_of_nfg(text: str) -> Tree:
    """Return the tree of a game in an .nfg file, for any number of players.

    The players choose one after another, and do not see the choices of the others.

    >>> tree_of_nfg('NFG 1 R "Three coins" { "A" "B" "C" } { 2 2 2 } 0 0 0 1 1 -2 1 -2 1 -2 1 1 -2 1 1 1 -2 1 1 1 -2 0 0 0')
    <Tree: 15 histories, 8 terminals, 1 + 1 + 1 information sets>
    """
    game = _read(text)
    sizes = [len(names) for names in game.strategies]

    def describe_node(choices: tuple[int, ...]) -> Turn | End:
        player = len(choices)
        if player == len(sizes):
            return End(game.payoffs[sum(choice * prod(sizes[:position]) for position, choice in enumerate(choices))])
        return Turn(player, player, [(name, (*choices, choice)) for choice, name in enumerate(game.strategies[player])])

    return grow((), describe_node, seats=len(sizes), title=game.title, names=game.names, say=lambda *_: "")


def to_nfg(matrix: Matrix, title: str = "") -> str:
    """Return the matrix as text for an .nfg file, which Gambit can read.

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
    rows, columns = (in_quotes([strategy.words for strategy in strategies]) for strategies in (matrix.rows, matrix.columns))
    lines = [
        " ".join(f"{row_payoff} {column_payoff}" for row_payoff, column_payoff in column) for column in zip(*matrix.payoffs, strict=True)
    ]
    header = f"NFG 1 R {in_quotes([title])} {{ {in_quotes(matrix.names)} }}"
    return "\n".join([header, "", f"{{ {{ {rows} }}", f"{{ {columns} }}", "}", '""', "", *lines, ""])


def _read(text: object) -> _Game:
    """Return the contents of an .nfg file."""
    reader = _NfgReader(gambit_text(text, "nfg", NfgError))
    title, names = reader.prologue()
    strategies = reader.strategies(names)
    cell_count = prod(map(len, strategies))
    if cell_count > CELLS:
        raise NfgError(f"the game has {cell_count:,} cells, and {CELLS:,} are read; take a smaller one")
    return _Game(title, names, strategies, reader.payoffs(len(names), cell_count))


class _NfgReader(GambitWords):
    """A reader of .nfg files."""

    error = NfgError

    def prologue(self) -> tuple[str, tuple[str, ...]]:
        """Read the title and the names of the players."""
        for expected in ("NFG", "1"):
            token = self._take("NFG 1 R")
            if token[0] != expected:
                raise self._wrong(f"an .nfg file begins with NFG 1 R and a title in quotation marks, not with {quoted(token[0])}", token)
        number_type = self._take("NFG 1 R")
        if number_type[0] not in ("R", "D"):
            raise self._wrong(f"NFG 1 is followed by R, not by {quoted(number_type[0])}", number_type)
        title = self._name("the title")
        names = self._named("the name of a player", "before the names of the players")
        if not 1 <= len(names) <= _MOST_PLAYERS:
            raise self._wrong(f"a game has from 1 to {_MOST_PLAYERS} players, and {len(names)} are named", self._last)
        return title, tuple(names)

    def strategies(self, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Read the names of the strategies of each player, or their numbers; a comment may follow."""
        self._expect("{", "before the strategies")
        strategies = list[tuple[str, ...]]()
        while self._next is not None and not self._sees("}"):
            if len(strategies) == len(names):
                raise self._wrong(f"{len(names)} players have strategies, and here are more; is a brace missing?", self._next)
            if self._sees("{"):
                strategy_names = self._named("the name of a strategy", "before the strategies of a player")
            else:
                strategy_count = self._whole("how many strategies a player has", 1)
                if strategy_count > _MANY:
                    raise self._wrong(f"a player has {strategy_count:,} strategies; more than {_MANY:,} are not read", self._last)
                strategy_names = [""] * strategy_count
            if not strategy_names:
                raise self._wrong(f"{names[len(strategies)]} has no strategy; each player has one at least", self._last)
            strategies.append(_called(strategy_names))
        closing_token = self._take("'}' after the strategies")
        if len(strategies) != len(names):
            raise self._wrong(f"each of the {len(names)} players has strategies, and those of {len(strategies)} are given", closing_token)
        if self._sees('"'):
            self._step()  # the comment
        return tuple(strategies)

    def payoffs(self, players: int, cells: int) -> list[Payoffs]:
        """Read the payoffs of each cell: number by number, or as numbers of listed outcomes."""
        outcomes = self._outcomes(players) if self._sees("{") else None
        cell_payoffs = list[Payoffs]()
        for cell in range(cells):
            if outcomes is None:
                missing = f"a payoff is missing: {cells:,} cells have {cells * players:,}, and "
                cell_payoffs.append(tuple([self._number_of(missing, cell * players + player) for player in range(players)]))
            else:
                outcome = self._whole("the number of an outcome", 0)
                if outcome > len(outcomes):
                    raise self._wrong(f"outcome {outcome} is none; {len(outcomes)} are given, and 0 is that nothing is paid", self._last)
                cell_payoffs.append(outcomes[outcome - 1] if outcome else (Fraction(0),) * players)
        if self._next is not None:
            raise self._wrong(
                f"every cell has its payoffs, so the text should end here, not go on with {quoted(self._next[0])}", self._next
            )
        return cell_payoffs

    def _number_of(self, missing: str, there: int) -> Fraction:
        if self._next is None:
            raise self._wrong(f"the text ends here, and {missing}{there:,} are there; is the file whole?", None)
        return self._number("a payoff")

    def _outcomes(self, players: int) -> list[Payoffs]:
        """Read the list of outcomes."""
        self._step()
        outcomes = list[Payoffs]()
        while not self._sees("}"):
            self._expect("{", "before an outcome")
            self._name("the name of an outcome")
            payoffs, token = list[Fraction](), self._last
            while not self._sees("}"):
                payoffs.append(self._number("a payoff"))
            self._step()
            if len(payoffs) != players:
                raise self._wrong(f"an outcome has a payoff for each of the {players} players, and {len(payoffs)} are given", token)
            outcomes.append(tuple(payoffs))
        self._step()
        return outcomes

    def _named(self, of: str, where: str) -> list[str]:
        """Read names in braces."""
        self._expect("{", where)
        names = list[str]()
        while not self._sees("}"):
            names.append(self._name(of))
            if len(names) > _MANY:
                raise self._wrong(f"here are more than {_MANY:,} names; a game so large is not read", self._last)
        self._step()
        return names


def _called(names: list[str]) -> tuple[str, ...]:
    """Return names that all differ.

    Empty names become their numbers, and repeated ones get their numbers added.
    """
    nonempty, taken, unique_names = {name for name in names if name}, set[str](), list[str]()
    for number, name in enumerate(names, 1):
        candidate = name or str(number)
        while candidate in taken or (candidate != name and candidate in nonempty):
            candidate = f"{candidate} #{number}"
        taken.add(candidate)
        unique_names.append(candidate)
    return tuple(unique_names)


def gambit_text(text: object, kind: str, error: type[DurakError]) -> str:
    """Return the text of such a file; refuse anything else, and a text that is too long.

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
    r"""Return names in quotation marks, with quotation marks and backslashes escaped.

    >>> print(in_quotes(["left", 'so "called"']))
    "left" "so \"called\""
    """
    return " ".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names)
