"""Reads and writes Gambit files: .efg for game trees and .nfg for payoff matrices.

The formats are documented at https://gambitproject.readthedocs.io/en/stable/formats.efg.html and
https://gambitproject.readthedocs.io/en/stable/formats.nfg.html. An error message says in which line the error is, and
what the line should contain.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from durak_widget.errors import DurakError, short_repr
from durak_widget.gametheory.strategic_form import MAX_CELLS, Matrix, PureStrategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, ChanceNode, DecisionNode, TerminalNode, Tree, build_tree, require_tree

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from re import Match

_PROBABILITY_TOLERANCE: Final = Fraction(1, 1000)
"""The largest accepted difference from 1 of the sum of rounded probabilities at a chance node; the probabilities are
then scaled to add up to 1.
"""
_MAX_PLAYERS: Final = 100
_MAX_DEPTH: Final = 10_000
_MAX_ACTIONS: Final = 10_000
"""The maximum depth of a tree, and the maximum number of actions at a node, in a Gambit file."""
_LABEL_NUMBER: Final = re.compile(r" #\d+$")
"""The pattern of the number that `to_efg` adds to a label that an earlier information set of the player also has.

Gambit (16.7) requires different labels.
"""
_MAX_STRATEGIES: Final = 10_000
"""The maximum number of pure strategies of a player in an .nfg file."""
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^\s{},"]+|"', re.DOTALL)
"""The pattern of a token (a word, number or sign) in a Gambit file; white space and commas separate tokens."""
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4}|/\d+)?")
_MAX_NUMBER: Final = 10**300  # The largest number allowed in a file; it fits into a float
_MAX_TEXT_LENGTH: Final = 20 * 2**20
_MAX_NAME_LENGTH: Final = 10_000
"""The maximum length of a name in a Gambit file."""


class EfgError(DurakError, ValueError):
    """An error for a text that is not a game in Gambit's .efg format (extensive form).

    >>> from_efg('EFG 2 R "a game" { "Ann" "Bob" } x "" 1')
    Traceback (most recent call last):
    durak_widget.gametheory.gambit_files.EfgError: line 1: a node must begin with c (chance), p (a player) or t (an end), not 'x'
    """


class _ParsedInfoset(NamedTuple):
    """An information set read from a Gambit file: its label, actions and probabilities."""

    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...]


class _ParsedNode(NamedTuple):
    """A node read from a Gambit file, with its child nodes."""

    infoset_key: tuple[int, int] | None
    """The player who acts at the node (0 for chance) and the number of the information set; None for a terminal node.
    """
    infoset_record: _ParsedInfoset | None
    payoffs: tuple[Fraction, ...]
    children: list[_ParsedNode]


def from_efg(text: str) -> Tree:
    """Return the tree of a game from the text of an .efg file.

    The game may have any number of players, chance nodes, and payoffs at inner nodes, which are added to those of the
    terminal nodes below. Names of nodes and outcomes are dropped.

    >>> tree = from_efg('EFG 2 R "Matching pennies" { "Ann" "Bob" } p "" 1 1 "" { "h" "t" } 0 p "" 2 1 "" { "h" "t" } 0 '
    ...     't "" 1 "same" { 1 -1 } t "" 2 "other" { -1 1 } p "" 2 1 0 t "" 2 t "" 1')
    >>> tree, tree.names, tree.payoffs
    (<Tree: 7 histories, 4 terminals, 1 + 1 information sets>, ('Ann', 'Bob'), [(Fraction(1, 1), Fraction(-1, 1)), (Fraction(-1, 1), Fraction(1, 1))])
    """
    reader = _EfgReader(require_gambit_text(text, "efg", EfgError))
    title, names = reader.read_header()
    root = reader.read_tree(len(names))
    no_payoffs = (Fraction(0),) * len(names)

    def describe_node(position: tuple[_ParsedNode, tuple[Fraction, ...]]) -> DecisionNode | ChanceNode | TerminalNode:
        """Convert a parsed node to the kind of node that `build_tree` needs.

        The payoffs of a terminal node are the sums of all payoffs on the path to the node.
        """
        node, payoffs = position
        if node.payoffs:
            payoffs = tuple([payoff + more_payoff for payoff, more_payoff in zip(payoffs, node.payoffs, strict=True)])
        if node.infoset_record is None:
            return TerminalNode(payoffs)
        children = [(child, payoffs) for child in node.children]
        assert node.infoset_key is not None  # noqa: S101 - every node except a terminal one has a key
        if node.infoset_key[0]:
            return DecisionNode(node.infoset_key[0] - 1, node.infoset_key, list(zip(node.infoset_record.actions, children, strict=True)))
        return ChanceNode(list(zip(node.infoset_record.actions, node.infoset_record.probabilities, children, strict=True)))

    def format_label(_: int, infoset_key: Hashable) -> str:
        return reader.infosets[infoset_key].label

    return build_tree((root, no_payoffs), describe_node, player_count=len(names), title=title, names=names, label_infoset=format_label)


class GambitReader:
    """A reader of Gambit files that reads the file's text token by token.

    >>> reader = GambitReader('{ "a" 1/2 }')
    >>> reader._expect("{", "here"), reader._read_name("a name"), reader._read_number("a number")
    (None, 'a', Fraction(1, 2))
    >>> reader._read_whole_number("a count", 1)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: line 1: a count must be a whole number from 1 on, not '}'
    """

    error_class: ClassVar[type[DurakError]] = DurakError
    """The class of the error that is raised for an invalid text."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.finditer(text)
        self._text = text
        self._next_token = self._last_token = next(self._tokens, None)

    def _make_error(self, message: str, token: Match[str] | None) -> DurakError:
        """Build an error that names the line of `token`.

        By default, this is the next token, or the last one at the end of the text.
        """
        position_token = token or self._last_token
        return self.error_class(f"line {self._text.count(chr(10), 0, position_token.start() if position_token else 0) + 1}: {message}")

    def _advance(self) -> None:
        """Move to the next token of the file."""
        self._next_token = next(self._tokens, None)
        self._last_token = self._next_token or self._last_token

    def _take_token(self, expected: str) -> Match[str]:
        """Return the next token and move past it; raise an error at the end of the text."""
        token = self._next_token
        if token is None:
            raise self._make_error(f"the text ends here, but {expected} is missing; is the file complete?", None)
        self._advance()
        return token

    def _next_starts_with(self, character: str) -> bool:
        """Return whether the next token begins with a given character."""
        return self._next_token is not None and self._text[self._next_token.start()] == character

    def _read_name(self, description: str) -> str:
        """Read a name in quotation marks.

        If the name is missing, raise an error whose message contains `description`.
        """
        token = self._take_token(description)
        if len(token[0]) < 2 or token[0][0] != '"':
            raise self._make_error(f'{description} must be in quotation marks, such as "1", not {short_repr(token[0])}', token)
        if len(token[0]) > _MAX_NAME_LENGTH:
            raise self._make_error(f"{description} has more than {_MAX_NAME_LENGTH:,} characters; give a shorter one", token)
        return re.sub(r'\\(["\\])', r"\1", token[0][1:-1])

    def _read_whole_number(self, description: str, minimum: int) -> int:
        """Read a whole number that is not below a minimum; raise an error for anything else."""
        token = self._take_token(description)
        if not (token[0].isascii() and token[0].isdigit() and len(token[0]) < 10 and int(token[0]) >= minimum):
            raise self._make_error(f"{description} must be a whole number from {minimum} on, not {short_repr(token[0])}", token)
        return int(token[0])

    def _read_number(self, description: str) -> Fraction:
        """Read an exact number, such as 2, -0.5 or 1/3; raise an error for anything else."""
        token = self._take_token(description)
        try:
            if _NUMBER.fullmatch(token[0]) and abs(number := Fraction(token[0])) < _MAX_NUMBER:
                return number
        except (ValueError, ZeroDivisionError):
            pass
        raise self._make_error(f"{description} must be a number such as 2, -0.5 or 1/3, not {short_repr(token[0])}", token)

    def _expect(self, character: str, context: str) -> None:
        """Read one character; raise an error if another character was expected."""
        token = self._take_token(f"{character!r} {context}")
        if token[0] != character:
            raise self._make_error(f"{character!r} must be here, {context}, not {short_repr(token[0])}", token)


class _EfgReader(GambitReader):
    """A reader of .efg files."""

    error_class = EfgError

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.infosets: dict[object, _ParsedInfoset] = {}
        self._label_counts: dict[tuple[int, str], int] = {}
        self._outcome_payoffs: dict[int, tuple[Fraction, ...]] = {}

    def read_header(self) -> tuple[str, list[str]]:
        """Read the header of an .efg file: title, players' names, and an optional comment."""
        for expected in ("EFG", "2"):
            token = self._take_token("EFG 2 R")
            if token[0] != expected:
                raise self._make_error(
                    f"an .efg file must begin with EFG 2 R and a title in quotation marks, not with {short_repr(token[0])}", token
                )
        number_type = self._take_token("EFG 2 R")
        if number_type[0] not in ("R", "D"):
            raise self._make_error(f"EFG 2 must be followed by R, not by {short_repr(number_type[0])}", number_type)
        title = self._read_name("the title")
        self._expect("{", "before the names of the players")
        names = []
        while not self._next_starts_with("}"):
            names.append(self._read_name("the name of a player"))
        if not 1 <= len(names) <= _MAX_PLAYERS:
            raise self._make_error(f"a game must have from 1 to {_MAX_PLAYERS} players, not {len(names)}", self._last_token)
        self._advance()
        if self._next_starts_with('"'):
            self._advance()  # An optional comment follows the names of the players
        return title, names

    def read_tree(self, player_count: int) -> _ParsedNode:
        """Read the whole game tree from an .efg file.

        The file lists nodes depth first, each node before its children.
        """
        root = self._read_node(player_count)
        waiting = [root] if root.infoset_record else []
        while waiting:
            parent = waiting[-1]
            if len(parent.children) == len(parent.infoset_record.actions):  # type: ignore[union-attr]
                waiting.pop()
                continue
            node = self._read_node(player_count)
            parent.children.append(node)
            if node.infoset_record:
                waiting.append(node)
                if len(waiting) > _MAX_DEPTH:
                    raise self._make_error(
                        f"this node is more than {_MAX_DEPTH:,} moves from the start; a game this long cannot be read", None
                    )
        if self._next_token is not None:
            raise self._make_error(
                f"every move has led to its node, so the text should end here, but it goes on with {short_repr(self._next_token[0])}",
                self._next_token,
            )
        return root

    def _read_node(self, player_count: int) -> _ParsedNode:
        """Read one node of an .efg file, without its children."""
        token = self._take_token("a node")
        if token[0] not in ("c", "p", "t"):
            raise self._make_error(f"a node must begin with c (chance), p (a player) or t (an end), not {short_repr(token[0])}", token)
        self._read_name("the name of a node")
        infoset_key: tuple[int, int] | None = None
        infoset_record = None
        if token[0] != "t":
            player = 0
            if token[0] == "p":
                player = self._read_whole_number("the number of a player", 1)
                if player > player_count:
                    raise self._make_error(
                        f"player {player} acts here, but the file names only {player_count} players; the last is player {player_count}",
                        token,
                    )
            infoset_key = player, self._read_whole_number("the number of an information set", 1)
            infoset_record = self._read_infoset(infoset_key, token)
        return _ParsedNode(infoset_key, infoset_record, self._read_outcome(player_count, token), [])

    def _read_infoset(self, infoset_key: tuple[int, int], token: Match[str]) -> _ParsedInfoset:
        """Read the information set of a node in an .efg file.

        If the file has described the information set before, the descriptions must agree.
        """
        player, infoset = infoset_key
        player_text = f"player {player}" if player else "chance"
        label = self._read_name("the name of an information set") if self._next_starts_with('"') else ""
        earlier = self.infosets.get(infoset_key)
        if not self._next_starts_with("{"):
            if earlier is None:
                raise self._make_error(
                    f"information set {infoset} of {player_text} appears for the first time, so its moves must be here, in braces", token
                )
            return earlier
        self._advance()
        actions: list[str] = []
        probabilities: list[Fraction] = []
        while not self._next_starts_with("}"):
            actions.append(self._read_name("the name of a move"))
            if len(actions) > _MAX_ACTIONS:
                raise self._make_error(
                    f"information set {infoset} of {player_text} has more than {_MAX_ACTIONS:,} moves; a game with this many cannot be read",
                    token,
                )
            if not player:
                probabilities.append(self._read_number("the probability of a chance move"))
        self._advance()
        if not actions:
            raise self._make_error(
                f"information set {infoset} of {player_text} has no move; write a node without moves as an end, t", token
            )
        if not player:
            total = sum(probabilities, Fraction(0))
            if min(probabilities) < 0 or abs(total - 1) > _PROBABILITY_TOLERANCE:
                raise self._make_error(f"the probabilities of a chance move must be at least 0 and add up to 1, not {total}", token)
            probabilities = [probability / total for probability in probabilities]
        if earlier is None:
            label = self._remove_label_number(player, label)
        infoset_record = _ParsedInfoset(label, tuple(actions), tuple(probabilities))
        if earlier is None:
            self.infosets[infoset_key] = infoset_record
            return infoset_record
        if (earlier.actions, earlier.probabilities) != (infoset_record.actions, infoset_record.probabilities):
            raise self._make_error(
                f"information set {infoset} of {player_text} had the moves {quote_names(earlier.actions)} before, but has {quote_names(infoset_record.actions)} here",
                token,
            )
        return earlier

    def _remove_label_number(self, player: int, label: str) -> str:
        """Return a label without the number that `to_efg` added to make the label unique."""
        base = _LABEL_NUMBER.sub("", label)
        if label != _add_label_number(base, self._label_counts.get((player, base), 0) + 1):
            base = label
        self._label_counts[player, base] = self._label_counts.get((player, base), 0) + 1
        return base

    def _read_outcome(self, player_count: int, token: Match[str]) -> tuple[Fraction, ...]:
        """Read the payoffs of an outcome in an .efg file.

        Outcome number 0 has none unless the file gives them in braces. If the file has given the payoffs of this outcome before, they must agree.
        """
        number = self._read_whole_number("the number of an outcome", 0)
        if self._next_starts_with('"'):
            self._advance()
        if not self._next_starts_with("{"):
            if number and number not in self._outcome_payoffs:
                raise self._make_error(f"outcome {number} appears for the first time, so its payoffs must be here, in braces", token)
            return self._outcome_payoffs.get(number, ())
        self._advance()
        payoffs = []
        while not self._next_starts_with("}"):
            payoffs.append(self._read_number("a payoff"))
        self._advance()
        if len(payoffs) != player_count:
            raise self._make_error(f"an outcome needs a payoff for each of the {player_count} players, but has {len(payoffs)}", token)
        outcome_payoffs = tuple(payoffs)
        if number and self._outcome_payoffs.setdefault(number, outcome_payoffs) != outcome_payoffs:
            raise self._make_error(f"outcome {number} had other payoffs before; give this one another number", token)
        return outcome_payoffs


def to_efg(tree: Tree) -> str:
    """Return a tree as text for an .efg file, which Gambit and OpenSpiel can read.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> print(to_efg(build_tree("", {"": DecisionNode(0, "?", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)))
    EFG 2 R "" { "Player 1" "Player 2" }
    ""
    <BLANKLINE>
    p "" 1 1 "?" { "l" "r" } 0
    t "" 1 "" { 1, -1 }
    t "" 2 "" { 0, 0 }
    <BLANKLINE>
    """
    require_tree(tree)
    decision_lines, infoset_counts, label_counts = [], [0] * tree.player_count, dict[tuple[int, str], int]()
    for record in tree.infosets:
        infoset_counts[record.player] += 1
        occurrence = label_counts[record.player, record.label] = label_counts.get((record.player, record.label), 0) + 1
        label = quote_names((_add_label_number(record.label, occurrence),))
        decision_lines.append(f'p "" {record.player + 1} {infoset_counts[record.player]} {label} {{ {quote_names(record.actions)} }} 0')
    chance_lines = []
    for outcome, chance_move in enumerate(tree.chance_moves, 1):
        choices = " ".join(
            f"{quote_names((action,))} {probability}"
            for action, probability in zip(chance_move.actions, chance_move.probabilities, strict=True)
        )
        chance_lines.append(f'c "" {outcome} "" {{ {choices} }} 0')
    terminal_lines = [f't "" {index} "" {{ {", ".join(map(str, payoffs))} }}' for index, payoffs in enumerate(tree.payoffs, 1)]
    lines = [f"EFG 2 R {quote_names((tree.title,))} {{ {quote_names(tree.names)} }}", '""', ""]
    waiting, lines_of = [0], {CHANCE: chance_lines, TERMINAL: terminal_lines}
    while waiting:
        node = waiting.pop()
        lines.append(lines_of.get(tree.actor[node], decision_lines)[tree.infoset_of[node]])
        waiting += reversed(tree.children(node))
    return "\n".join([*lines, ""])


def _add_label_number(label: str, occurrence: int) -> str:
    """Return an information set's label; add a number if an earlier set has the same label.

    The first information set with a label gets a number only if the label already ends like one.
    """
    return label if not label or (occurrence == 1 and not _LABEL_NUMBER.search(label)) else f"{label} #{occurrence}"


PayoffVector = tuple[Fraction, ...]


class NfgError(DurakError, ValueError):
    """An error for a text that is not a game in Gambit's .nfg format (strategic form).

    >>> from_nfg('NFG 1 R "a game" { "Ann" "Bob" } { 2 2 } 1 -1 0')
    Traceback (most recent call last):
    durak_widget.gametheory.gambit_files.NfgError: line 1: the text ends here, and a payoff is missing: 4 cells need 8, but 3 were found; is the file complete?
    """


class _ParsedGame(NamedTuple):
    """The parsed contents of an .nfg file."""

    title: str
    names: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    """The names of each player's pure strategies."""
    payoffs: list[PayoffVector]
    """The payoffs of each cell, one for each player.

    In the order of the cells, the first player's strategy changes fastest, then the second player's.
    """


def from_nfg(text: str) -> Matrix:
    r"""Return the matrix of a two-player game from the text of an .nfg file.

    The file may give payoffs cell by cell, or as numbered outcomes. A strategy without a name gets its number as a
    name; if several have the same name, numbers are added to the later ones.

    >>> print(from_nfg('NFG 1 R "Opera or match" { "Ann" "Bob" } { { "opera" "match" } { "opera" "match" } } "" 3 2 0 0 0 0 2 3'))
    Ann \ Bob | opera | match
    opera     | 3, 2  | 0, 0
    match     | 0, 0  | 2, 3
    >>> print(from_nfg('NFG 1 R "Pennies" { "Even" "Odd" } { 2 2 } { { "same" 1 -1 } { "other" -1 1 } } 1 2 2 1'))
    Even \ Odd | 1  | 2
    1          | 1  | -1
    2          | -1 | 1
    """
    game = _parse_nfg(text)
    if len(game.names) != 2:
        raise NfgError(
            f"a matrix needs a game of two players, and this file has {len(game.names)} player{'s' * (len(game.names) != 1)}; use tree_from_nfg(text), which makes a tree"
        )
    rows, columns = ([PureStrategy(name, name, {}) for name in strategy_names] for strategy_names in game.strategies)
    row_count = len(rows)
    cells = [[(payoffs[0], payoffs[1]) for payoffs in game.payoffs[row::row_count]] for row in range(row_count)]
    return Matrix(game.names, rows, columns, cells)


def tree_from_nfg(text: str) -> Tree:
    """Return the tree of a game in an .nfg file, for any number of players.

    In the tree, the players choose one after another without observing each other's choices.

    >>> tree_from_nfg('NFG 1 R "Three coins" { "A" "B" "C" } { 2 2 2 } 0 0 0 1 1 -2 1 -2 1 -2 1 1 -2 1 1 1 -2 1 1 1 -2 0 0 0')
    <Tree: 15 histories, 8 terminals, 1 + 1 + 1 information sets>
    """
    game = _parse_nfg(text)
    sizes = [len(names) for names in game.strategies]

    def describe_node(choices: tuple[int, ...]) -> DecisionNode | TerminalNode:
        """Return the tree node that follows after some players have chosen their strategies."""
        player = len(choices)
        if player == len(sizes):
            return TerminalNode(game.payoffs[sum(choice * prod(sizes[:position]) for position, choice in enumerate(choices))])
        return DecisionNode(player, player, [(name, (*choices, choice)) for choice, name in enumerate(game.strategies[player])])

    return build_tree((), describe_node, player_count=len(sizes), title=game.title, names=game.names, label_infoset=lambda *_: "")


def to_nfg(matrix: Matrix, title: str = "") -> str:
    """Return a matrix as text for an .nfg file, which Gambit can read.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> print(to_nfg(matrix_from_payoffs([[(3, 2), (0, 0)], [(0, "1/2"), (2, 3)]], rows=["opera", "match"], columns=["opera", "match"], names=("Ann", "Bob"))))
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
        raise NfgError(f"to_nfg needs a matrix, such as the result of gametheory.matrix(tree) or from_nfg(text), not {short_repr(matrix)}")
    rows, columns = (quote_names([strategy.short_label for strategy in strategies]) for strategies in (matrix.rows, matrix.columns))
    lines = [
        " ".join(f"{row_payoff} {column_payoff}" for row_payoff, column_payoff in column) for column in zip(*matrix.payoffs, strict=True)
    ]
    header = f"NFG 1 R {quote_names([title])} {{ {quote_names(matrix.names)} }}"
    return "\n".join([header, "", f"{{ {{ {rows} }}", f"{{ {columns} }}", "}", '""', "", *lines, ""])


def _parse_nfg(text: object) -> _ParsedGame:
    """Parse the text of an .nfg file."""
    reader = _NfgReader(require_gambit_text(text, "nfg", NfgError))
    title, names = reader.read_header()
    strategies = reader.read_strategies(names)
    cell_count = prod(map(len, strategies))
    if cell_count > MAX_CELLS:
        raise NfgError(f"the game has {cell_count:,} cells, and the limit is {MAX_CELLS:,}; take a smaller game")
    return _ParsedGame(title, names, strategies, reader.read_payoffs(len(names), cell_count))


class _NfgReader(GambitReader):
    """A reader of .nfg files."""

    error_class = NfgError

    def read_header(self) -> tuple[str, tuple[str, ...]]:
        """Read the header of an .nfg file: the title and the names of the players."""
        for expected in ("NFG", "1"):
            token = self._take_token("NFG 1 R")
            if token[0] != expected:
                raise self._make_error(
                    f"an .nfg file must begin with NFG 1 R and a title in quotation marks, not with {short_repr(token[0])}", token
                )
        number_type = self._take_token("NFG 1 R")
        if number_type[0] not in ("R", "D"):
            raise self._make_error(f"NFG 1 must be followed by R, not by {short_repr(number_type[0])}", number_type)
        title = self._read_name("the title")
        names = self._read_names("the name of a player", "before the names of the players")
        if not 1 <= len(names) <= _MAX_PLAYERS:
            raise self._make_error(f"a game must have from 1 to {_MAX_PLAYERS} players, not {len(names)}", self._last_token)
        return title, tuple(names)

    def read_strategies(self, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Read the names or the number of each player's strategies, and an optional comment."""
        self._expect("{", "before the strategies")
        strategies = list[tuple[str, ...]]()
        while self._next_token is not None and not self._next_starts_with("}"):
            if len(strategies) == len(names):
                raise self._make_error(
                    f"each of the {len(names)} players already has strategies, but more follow; is a brace missing?", self._next_token
                )
            if self._next_starts_with("{"):
                strategy_names = self._read_names("the name of a strategy", "before the strategies of a player")
            else:
                strategy_count = self._read_whole_number("the number of a player's strategies", 1)
                if strategy_count > _MAX_STRATEGIES:
                    raise self._make_error(
                        f"a player has {strategy_count:,} strategies, and the limit is {_MAX_STRATEGIES:,}", self._last_token
                    )
                strategy_names = [""] * strategy_count
            if not strategy_names:
                raise self._make_error(f"{names[len(strategies)]} has no strategy; each player must have at least one", self._last_token)
            strategies.append(_make_names_unique(strategy_names))
        closing_token = self._take_token("'}' after the strategies")
        if len(strategies) != len(names):
            raise self._make_error(
                f"each of the {len(names)} players must have strategies, but the file gives those of {len(strategies)}", closing_token
            )
        if self._next_starts_with('"'):
            self._advance()  # An optional comment follows the strategies
        return tuple(strategies)

    def read_payoffs(self, player_count: int, cell_count: int) -> list[PayoffVector]:
        """Read the payoffs of every cell, given as numbers or as indices of listed outcomes."""
        outcomes = self._read_outcomes(player_count) if self._next_starts_with("{") else None
        cell_payoffs = list[PayoffVector]()
        for cell in range(cell_count):
            if outcomes is None:
                missing = f"a payoff is missing: {cell_count:,} cells need {cell_count * player_count:,}, but "
                cell_payoffs.append(tuple([self._read_payoff(missing, cell * player_count + player) for player in range(player_count)]))
            else:
                outcome = self._read_whole_number("the number of an outcome", 0)
                if outcome > len(outcomes):
                    raise self._make_error(
                        f"there is no outcome {outcome}; the file has {len(outcomes)}, and outcome 0 pays nothing", self._last_token
                    )
                cell_payoffs.append(outcomes[outcome - 1] if outcome else (Fraction(0),) * player_count)
        if self._next_token is not None:
            raise self._make_error(
                f"every cell has its payoffs, so the text should end here, but it goes on with {short_repr(self._next_token[0])}",
                self._next_token,
            )
        return cell_payoffs

    def _read_payoff(self, message: str, found_count: int) -> Fraction:
        """Read a payoff; at the end of the text, raise an error with the number of payoffs found."""
        if self._next_token is None:
            raise self._make_error(f"the text ends here, and {message}{found_count:,} were found; is the file complete?", None)
        return self._read_number("a payoff")

    def _read_outcomes(self, player_count: int) -> list[PayoffVector]:
        """Read the list of outcomes in an .nfg file, with the payoffs of each outcome."""
        self._advance()
        outcomes = list[PayoffVector]()
        while not self._next_starts_with("}"):
            self._expect("{", "before an outcome")
            self._read_name("the name of an outcome")
            payoffs, token = list[Fraction](), self._last_token
            while not self._next_starts_with("}"):
                payoffs.append(self._read_number("a payoff"))
            self._advance()
            if len(payoffs) != player_count:
                raise self._make_error(f"an outcome needs a payoff for each of the {player_count} players, but has {len(payoffs)}", token)
            outcomes.append(tuple(payoffs))
        self._advance()
        return outcomes

    def _read_names(self, description: str, context: str) -> list[str]:
        """Read a list of names in braces from an .nfg file."""
        self._expect("{", context)
        names = list[str]()
        while not self._next_starts_with("}"):
            names.append(self._read_name(description))
            if len(names) > _MAX_STRATEGIES:
                raise self._make_error(
                    f"there are more than {_MAX_STRATEGIES:,} names here; a game this large cannot be read", self._last_token
                )
        self._advance()
        return names


def _make_names_unique(names: list[str]) -> tuple[str, ...]:
    """Make all names different by adding numbers to repeated names.

    An empty name is replaced by its number, and a repeated name gets its number added.
    """
    nonempty, used_names, unique_names = {name for name in names if name}, set[str](), list[str]()
    for number, name in enumerate(names, 1):
        candidate = name or str(number)
        while candidate in used_names or (candidate != name and candidate in nonempty):
            candidate = f"{candidate} #{number}"
        used_names.add(candidate)
        unique_names.append(candidate)
    return tuple(unique_names)


def require_gambit_text(text: object, kind: str, error: type[DurakError]) -> str:
    """Return the text of a Gambit file; raise an error if it is not a `str` or is too long.

    >>> require_gambit_text("NFG 1 R", "nfg", DurakError)
    'NFG 1 R'
    >>> require_gambit_text(b"NFG 1 R", "nfg", DurakError)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: from_nfg needs the text of an .nfg file, not b'NFG 1 R'; use from_nfg(path.read_text())
    """
    if not isinstance(text, str):
        raise error(f"from_{kind} needs the text of an .{kind} file, not {short_repr(text)}; use from_{kind}(path.read_text())")
    if len(text) > _MAX_TEXT_LENGTH:
        raise error(
            f"an .{kind} file may have at most {_MAX_TEXT_LENGTH >> 20} MB, and this one has {len(text) >> 20}; write a smaller game"
        )
    return text.removeprefix("\ufeff")


def quote_names(names: Sequence[str]) -> str:
    r"""Return names in quotation marks, with quotation marks and backslashes escaped.

    >>> print(quote_names(["left", 'so "called"']))
    "left" "so \"called\""
    """
    return " ".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names)
