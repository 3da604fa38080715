"""Asks which nodes of a tree belong to the same information set."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.game_at_node import view_of
from durak_widget.cards import CardSet
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_form import as_lists
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.blackboard_serialization import plain_tree
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import KnownSaid, deciding_places, node_of, place_said, player_said
from durak_widget.exercises.paper_form import Blank, HandWork, bare_text, letters_for, letters_read
from durak_widget.gametheory.tree import CHANCE, InfoSet, Tree, TreeError
from durak_widget.i18n import Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written

MOST: Final = 200
"""The largest number of decision nodes in a tree for this question."""
Groups = tuple[tuple[int, ...], ...]
"""Groups of two or more joined nodes."""


class Sets(Asked[Groups]):
    """A question about the nodes that the acting player can't distinguish."""

    asks = "sets"
    guessed = True

    def __init__(self, tree: Tree, question: Text, *, known: bool = True) -> None:
        """Ask on a tree; a tree handed out without its key (`known=False`) is not judged."""
        self._tree, self._may = tree, deciding_places(tree)
        if len(self._may) > MOST:
            raise DurakError(f"information sets are drawn on a tree with at most {MOST} choices, and this one has {len(self._may):,}")
        right: dict[int, list[int]] = {}
        for node in self._may:
            right.setdefault(tree.info[node], []).append(node)
        self._right: Groups = tuple(tuple(group) for group in right.values() if len(group) > 1)
        if not self._right and known:
            raise DurakError(
                "in this tree nothing is hidden, so that there is nothing to join; take a tree with hidden hands or hidden moves"
            )
        self.question = asked_as(question, Fact("lesson.tree.sets"))
        self._pasts = _pasts(tree)
        self.wanted = self._may

    def blank(self) -> Groups:
        """Return an answer with nothing joined."""
        return ()

    def read(self, answer: object) -> Groups:
        """Parse groups of nodes."""
        if not isinstance(answer, (list, tuple, set, frozenset)):
            raise DurakError(f"what is joined is given in groups of histories, as in [[3, 5], [4, 6]], not as {quoted(answer)}")
        given = self.blank()
        for group in answer:
            given = self._join(given, self._nodes(group.split() if isinstance(group, str) else group))
        return given

    def take(self, given: Groups, message: Mapping[str, object]) -> Groups:
        """Join some nodes, or separate them from all others."""
        nodes = self._nodes(message.get("nodes"))
        if message.get("join") is True:
            return self._join(given, nodes)
        remaining = [tuple(node for node in group if node not in nodes) for group in given]
        return tuple(group for group in remaining if len(group) > 1)

    def _nodes(self, nodes: object) -> list[int]:
        nodes = sorted(nodes, key=str) if isinstance(nodes, (set, frozenset)) else as_lists(nodes)
        if not isinstance(nodes, (list, tuple)) or not 0 < len(nodes) <= MOST:
            raise DurakError(f"a group is of two histories or more, as in [3, 5], not {quoted(nodes)}")
        parsed = [node_of(self._tree, node) for node in nodes]
        for node in parsed:
            if self._tree.actor[node] < 0:
                raise DurakError(f"at history {node} nobody chooses: only where a player is to act can something be joined")
        return parsed

    def _join(self, given: Groups, nodes: Iterable[int]) -> Groups:
        joined = set(nodes)
        untouched = []
        for group in given:
            if joined.isdisjoint(group):
                untouched.append(group)
            else:
                joined |= set(group)
        return tuple(sorted([*untouched, *([tuple(sorted(joined))] if len(joined) > 1 else [])]))

    def plain(self, given: Groups) -> object:
        """Return the groups as lists of nodes."""
        return [list(group) for group in given]

    def open(self, given: Groups) -> Sequence[Text]:
        """Return a reminder if nothing is joined; that is also an answer."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Groups) -> Opinion:
        """Judge which groups mix nodes that can be distinguished, and which are incomplete."""
        info = self._tree.info
        marks: dict[str, str] = {}
        why: list[Text] = []
        wrong: list[tuple[int, int]] = []
        for number, group in enumerate(given):
            pair = next(((first, second) for first, second in combinations(group, 2) if info[first] != info[second]), None)
            mark = "wrong" if pair else "right" if group in self._right else ""
            marks |= {str(number): mark} if mark else {}
            wrong += [pair] if pair else []
        why += [why_apart(self._tree, *pair, self._pasts) for pair in wrong[:2]]
        group_of = {node: index for index, group in enumerate(given) for node in group}
        split = [group for group in self._right if len({group_of.get(node, ~node) for node in group}) > 1]
        if not wrong and not split:
            return Opinion(marks, [Fact("lesson.tree.sets.right")], True)
        if not split:
            return Opinion(marks, why, False)
        split_group = split[0]
        pair = next(
            (first, second)
            for first, second in combinations(split_group, 2)
            if group_of.get(first, ~first) != group_of.get(second, ~second)
        )
        same_view = Fact(
            "lesson.tree.sets.same", {"who": self._who(split_group[0]), "one": self._where(pair[0]), "other": self._where(pair[1])}
        )
        remaining = Fact("lesson.tree.sets.left", {"count": len(split)})
        return Opinion(marks, [*why, remaining], False, [*why, same_view])

    def told(self, given: Groups, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Return each group with a label for each of its nodes."""
        return [
            ToldPart("", tuple(place_said(self._tree, node) for node in group), marks.get(str(number), ""))
            for number, group in enumerate(given)
        ]

    def still(self, given: Groups | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is right is drawn
        """Return the tree with its information sets."""
        return Still(self._tree)

    def _who(self, node: int) -> object:
        return player_said(self._tree, self._tree.actor[node])

    def _where(self, node: int) -> Fact:
        return place_said(self._tree, node)

    @property
    def solution(self) -> Sequence[object]:
        """Return the information sets with two or more nodes."""
        return [list(group) for group in self._right]

    def ready_made(self) -> dict[str, object]:
        """Return the tree without its information sets."""
        return {"tree": plain_tree(parted(self._tree))}

    def on_sheet(self) -> HandWork:
        """Return the form for paper, with a letter at each decision node.

        The student joins groups by lines, and also writes down their letters.
        """
        labels = letters_for(len(self._may))
        separator = "" if len(labels) <= 26 else " "

        def read(written: Written) -> object:
            groups = [
                letters_read(part, labels) for part in re.split(r"[;,/|]" if separator else r"[;,/|\s]+", written[""]) if bare_text(part)
            ]
            return [[self._may[labels.index(label)] for label in group] for group in groups if group] if written[""] else None

        def write() -> Written:
            return {"": ", ".join(separator.join(labels[self._may.index(node)] for node in group) for group in self._right)}

        return HandWork(dict(zip(self._may, labels, strict=True)), (Blank(room="line"),), read, write)

    def attempts(self) -> Sequence[Groups]:
        """Return the right answer, the empty answer, and all nodes in one group."""
        return [self._right, self.blank(), (tuple(self._may),)]

    def shown(self, given: Groups, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """Return the groups, their marks, and the nodes that may be joined."""
        return {"groups": [list(group) for group in given], "marks": dict(marks), "may": [] if over else self._may}


def why_apart(tree: Tree, one: int, other: int, pasts: Sequence[tuple[tuple[int, int], ...]]) -> Text:
    """Return how the acting player distinguishes two nodes, or why they can't be joined."""
    facts: dict[str, object] = {"one": place_said(tree, one), "other": place_said(tree, other)}
    actor = tree.actor[one]
    if actor != tree.actor[other]:
        return Fact("lesson.tree.apart.players", {**facts, "who": player_said(tree, actor), "next": player_said(tree, tree.actor[other])})
    facts["who"] = player_said(tree, actor)
    first_record, second_record = tree.sets[tree.info[one]], tree.sets[tree.info[other]]
    hands = _hands(tree, tree.info[one]), _hands(tree, tree.info[other])
    if None not in hands and hands[0] != hands[1]:
        return Fact("lesson.tree.apart.cards", {**facts, "hand": hands[0] or "–", "others": hands[1] or "–"})
    if first_record.moves != second_record.moves:
        return Fact("lesson.tree.apart.moves", facts)
    if pasts[one] != pasts[other]:
        return Fact("lesson.tree.apart.did", facts)
    if first_record.label != second_record.label:
        return Fact("lesson.tree.apart.sees", {**facts, "label": KnownSaid(tree.info[one]), "others": KnownSaid(tree.info[other])})
    return Fact("lesson.tree.apart.saw", facts)


def _hands(tree: Tree, place: int) -> str | None:
    """Return the hand held at an information set of Durak; None for other games."""
    try:
        return " ".join(map(Voice(cards="signs").name, CardSet(view_of(tree, place).hand)))
    except TreeError:
        return None


def _pasts(tree: Tree) -> list[tuple[tuple[int, int], ...]]:
    """Return for each node the acting player's own earlier information sets and actions."""
    histories: list[tuple[tuple[tuple[int, int], ...], ...]] = [((),) * tree.seats]
    for node in range(tree.histories):
        actor, info = tree.actor[node], tree.info[node]
        for move in range(tree.count[node]):
            history = histories[node]
            histories.append(history if actor == CHANCE else (*history[:actor], (*history[actor], (info, move)), *history[actor + 1 :]))
    return [history[actor] if actor >= 0 else () for history, actor in zip(histories, tree.actor, strict=True)]


def parted(tree: Tree) -> Tree:
    """Return a copy of the tree in which each decision node is its own information set.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> ends = {first + second: End((0, 0)) for first in "lr" for second in "lr"}
    >>> moves = {first: Turn(1, "?", [("l", first + "l"), ("r", first + "r")]) for first in "lr"}
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), **moves, **ends}.__getitem__, seats=2)
    >>> tree, parted(tree)
    (<Tree: 7 histories, 4 terminals, 1 + 1 information sets>, <Tree: 7 histories, 4 terminals, 1 + 2 information sets>)
    """
    copied = Tree(tree.seats, tree.title, tree.names)
    for name in ("actor", "parent", "first", "count", "levels", "chances", "payoffs", "origin"):
        setattr(copied, name, getattr(tree, name))
    copied.info = tree.info[:]
    for node in deciding_places(tree):
        record = tree.sets[tree.info[node]]
        copied.info[node] = len(copied.sets)
        copied.sets.append(InfoSet(record.seat, "", record.moves))
    return copied
