"""Information sets to be drawn on a tree: which of its histories can whoever is to act not tell apart?"""

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
"""A tree in which more histories could be joined is asked for by nobody."""
Groups = tuple[tuple[int, ...], ...]
"""Histories that are joined, two or more each."""


class Sets(Asked[Groups]):
    """Which histories look the same to whoever is to act?"""

    asks = "sets"
    guessed = True

    def __init__(self, tree: Tree, question: Text, *, known: bool = True) -> None:
        """Ask of a tree; where its sets are not `known`, as when it was handed out, nothing is judged."""
        self._tree, self._may = tree, deciding_places(tree)
        if len(self._may) > MOST:
            raise DurakError(f"information sets are drawn on a tree with at most {MOST} choices, and this one has {len(self._may):,}")
        right: dict[int, list[int]] = {}
        for here in self._may:
            right.setdefault(tree.info[here], []).append(here)
        self._right: Groups = tuple(tuple(ones) for ones in right.values() if len(ones) > 1)
        if not self._right and known:
            raise DurakError(
                "in this tree nothing is hidden, so that there is nothing to join; take a tree with hidden hands or hidden moves"
            )
        self.question = asked_as(question, Fact("lesson.tree.sets"))
        self._pasts = _pasts(tree)
        self.wanted = self._may

    def blank(self) -> Groups:
        """Nothing is joined yet."""
        return ()

    def read(self, answer: object) -> Groups:
        """Groups of histories."""
        if not isinstance(answer, (list, tuple, set, frozenset)):
            raise DurakError(f"what is joined is given in groups of histories, as in [[3, 5], [4, 6]], not as {quoted(answer)}")
        given = self.blank()
        for group in answer:
            given = self._join(given, self._nodes(group.split() if isinstance(group, str) else group))
        return given

    def take(self, given: Groups, message: Mapping[str, object]) -> Groups:
        """Some histories are joined, or parted from all others."""
        nodes = self._nodes(message.get("nodes"))
        if message.get("join") is True:
            return self._join(given, nodes)
        parted = [tuple(node for node in group if node not in nodes) for group in given]
        return tuple(group for group in parted if len(group) > 1)

    def _nodes(self, nodes: object) -> list[int]:
        nodes = sorted(nodes, key=str) if isinstance(nodes, (set, frozenset)) else as_lists(nodes)
        if not isinstance(nodes, (list, tuple)) or not 0 < len(nodes) <= MOST:
            raise DurakError(f"a group is of two histories or more, as in [3, 5], not {quoted(nodes)}")
        found = [node_of(self._tree, node) for node in nodes]
        for node in found:
            if self._tree.actor[node] < 0:
                raise DurakError(f"at history {node} nobody chooses: only where a player is to act can something be joined")
        return found

    def _join(self, given: Groups, nodes: Iterable[int]) -> Groups:
        new = set(nodes)
        apart = []
        for group in given:
            if new.isdisjoint(group):
                apart.append(group)
            else:
                new |= set(group)
        return tuple(sorted([*apart, *([tuple(sorted(new))] if len(new) > 1 else [])]))

    def plain(self, given: Groups) -> object:
        """Groups of histories."""
        return [list(group) for group in given]

    def open(self, given: Groups) -> Sequence[Text]:
        """To do nothing is an answer, and is said to be one."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Groups) -> Opinion:
        """Which groups mix what can be told apart, and which are not whole."""
        info = self._tree.info
        marks: dict[str, str] = {}
        why: list[Text] = []
        wrong: list[tuple[int, int]] = []
        for number, group in enumerate(given):
            pair = next(((one, other) for one, other in combinations(group, 2) if info[one] != info[other]), None)
            mark = "wrong" if pair else "right" if group in self._right else ""
            marks |= {str(number): mark} if mark else {}
            wrong += [pair] if pair else []
        why += [why_apart(self._tree, *pair, self._pasts) for pair in wrong[:2]]
        where_is = {node: place for place, group in enumerate(given) for node in group}
        parted = [group for group in self._right if len({where_is.get(node, ~node) for node in group}) > 1]
        if not wrong and not parted:
            return Opinion(marks, [Fact("lesson.tree.sets.right")], True)
        if not parted:
            return Opinion(marks, why, False)
        first = parted[0]
        pair = next((one, other) for one, other in combinations(first, 2) if where_is.get(one, ~one) != where_is.get(other, ~other))
        told = Fact("lesson.tree.sets.same", {"who": self._who(first[0]), "one": self._where(pair[0]), "other": self._where(pair[1])})
        left = Fact("lesson.tree.sets.left", {"count": len(parted)})
        return Opinion(marks, [*why, left], False, [*why, told])

    def told(self, given: Groups, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Each group, by the places in it."""
        return [
            ToldPart("", tuple(place_said(self._tree, node) for node in group), marks.get(str(number), ""))
            for number, group in enumerate(given)
        ]

    def still(self, given: Groups | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is right is drawn
        """The tree with its information sets."""
        return Still(self._tree)

    def _who(self, node: int) -> object:
        return player_said(self._tree, self._tree.actor[node])

    def _where(self, node: int) -> Fact:
        return place_said(self._tree, node)

    @property
    def solution(self) -> Sequence[object]:
        """The information sets of two histories or more."""
        return [list(group) for group in self._right]

    def ready_made(self) -> dict[str, object]:
        """The tree without its information sets."""
        return {"tree": plain_tree(parted(self._tree))}

    def on_sheet(self) -> HandWork:
        """A letter at each place where somebody chooses; groups are joined by lines, and written as their letters."""
        labels = letters_for(len(self._may))
        glue = "" if len(labels) <= 26 else " "

        def read(written: Written) -> object:
            groups = [letters_read(part, labels) for part in re.split(r"[;,/|]" if glue else r"[;,/|\s]+", written[""]) if bare_text(part)]
            return [[self._may[labels.index(one)] for one in group] for group in groups if group] if written[""] else None

        def write() -> Written:
            return {"": ", ".join(glue.join(labels[self._may.index(node)] for node in group) for group in self._right)}

        return HandWork(dict(zip(self._may, labels, strict=True)), (Blank(room="line"),), read, write)

    def attempts(self) -> Sequence[Groups]:
        """What is right, nothing at all, and everything as one."""
        return [self._right, self.blank(), (tuple(self._may),)]

    def shown(self, given: Groups, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """The groups, their marks, and what may be joined."""
        return {"groups": [list(group) for group in given], "marks": dict(marks), "may": [] if over else self._may}


def why_apart(tree: Tree, one: int, other: int, pasts: Sequence[tuple[tuple[int, int], ...]]) -> Text:
    """How whoever is to act tells two histories apart, or why they cannot be one information set."""
    facts: dict[str, object] = {"one": place_said(tree, one), "other": place_said(tree, other)}
    actor = tree.actor[one]
    if actor != tree.actor[other]:
        return Fact("lesson.tree.apart.players", {**facts, "who": player_said(tree, actor), "next": player_said(tree, tree.actor[other])})
    facts["who"] = player_said(tree, actor)
    here, there = tree.sets[tree.info[one]], tree.sets[tree.info[other]]
    hands = _hands(tree, tree.info[one]), _hands(tree, tree.info[other])
    if None not in hands and hands[0] != hands[1]:
        return Fact("lesson.tree.apart.cards", {**facts, "hand": hands[0] or "–", "others": hands[1] or "–"})
    if here.moves != there.moves:
        return Fact("lesson.tree.apart.moves", facts)
    if pasts[one] != pasts[other]:
        return Fact("lesson.tree.apart.did", facts)
    if here.label != there.label:
        return Fact("lesson.tree.apart.sees", {**facts, "label": KnownSaid(tree.info[one]), "others": KnownSaid(tree.info[other])})
    return Fact("lesson.tree.apart.saw", facts)


def _hands(tree: Tree, place: int) -> str | None:
    """What a seat holds at an information set of Durak; None of any other game."""
    try:
        return " ".join(map(Voice(cards="signs").name, CardSet(view_of(tree, place).hand)))
    except TreeError:
        return None


def _pasts(tree: Tree) -> list[tuple[tuple[int, int], ...]]:
    """Of each history what the seat to act has itself done on the way: where, and which move."""
    ways: list[tuple[tuple[tuple[int, int], ...], ...]] = [((),) * tree.seats]
    for here in range(tree.histories):
        actor, info = tree.actor[here], tree.info[here]
        for move in range(tree.count[here]):
            way = ways[here]
            ways.append(way if actor == CHANCE else (*way[:actor], (*way[actor], (info, move)), *way[actor + 1 :]))
    return [way[actor] if actor >= 0 else () for way, actor in zip(ways, tree.actor, strict=True)]


def parted(tree: Tree) -> Tree:
    """A tree with no two histories joined: what is shown before somebody has joined any.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> ends = {one + other: End((0, 0)) for one in "lr" for other in "lr"}
    >>> moves = {one: Turn(1, "?", [("l", one + "l"), ("r", one + "r")]) for one in "lr"}
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), **moves, **ends}.__getitem__, seats=2)
    >>> tree, parted(tree)
    (<Tree: 7 histories, 4 terminals, 1 + 1 information sets>, <Tree: 7 histories, 4 terminals, 1 + 2 information sets>)
    """
    new = Tree(tree.seats, tree.title, tree.names)
    for name in ("actor", "parent", "first", "count", "levels", "chances", "payoffs", "origin"):
        setattr(new, name, getattr(tree, name))
    new.info = tree.info[:]
    for here in deciding_places(tree):
        one = tree.sets[tree.info[here]]
        new.info[here] = len(new.sets)
        new.sets.append(InfoSet(one.seat, "", one.moves))
    return new
