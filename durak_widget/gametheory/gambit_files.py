"""Trees as Gambit's `.efg` files, read and written: https://gambitproject.readthedocs.io/en/stable/formats.efg.html says what stands in one."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.gametheory.gambit_words import GambitWords, gambit_text, in_quotes
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, Tree, Turn, grow, require_tree

if TYPE_CHECKING:
    from collections.abc import Hashable
    from re import Match

_ROUNDED: Final = Fraction(1, 1000)
"""Chances that were rounded may miss 1 by so much in all; they are then made to add up."""
_MOST_PLAYERS: Final = 100
_DEEPEST: Final = 10_000
_WIDEST: Final = 10_000
"""So many moves lead from the start to an end, and from one place to the next: nobody could draw more."""
_AGAIN: Final = re.compile(r" #\d+$")
"""How a label ends that a player's earlier information set has too: Gambit (16.7) takes no two alike."""


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
    reader = _Reader(gambit_text(text, "efg", EfgError))
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


class _Reader(GambitWords):
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
