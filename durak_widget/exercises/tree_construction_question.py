"""Asks to draw the extensive form of an ending, from a tree that also has illegal moves."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.trees_with_illegal_moves import as_allowed, lawful, thinkable
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import BranchSaid, move_of, node_of, place_said, player_said
from durak_widget.exercises.paper_form import Blank, HandWork, numbers_read
from durak_widget.gametheory.tree import OVER
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written

MOST: Final = 1000
"""The largest number of branches that are read."""
Drawing = frozenset[int]
"""The nodes to which a branch is drawn, including the path to each."""


class Drawn(Asked[Drawing]):
    """A question about the branches of a game tree."""

    asks = "draw"

    def __init__(self, game: Game, question: Text) -> None:
        self._game = _ending(game)
        self.tree = thinkable(self._game)
        self._right = lawful(self.tree, self._game)
        if len(self._right) == self.tree.histories - 1:
            raise DurakError(
                "whatever one may think of here is allowed, so that there is nothing to choose; take an ending in which some card does not beat"
            )
        self.question = asked_as(question, Fact("lesson.tree.draw"))

    def blank(self) -> Drawing:
        """Return an empty drawing."""
        return frozenset()

    def read(self, answer: object) -> Drawing:
        """Parse branches by the nodes where they start, or by the moves that lead to their ends."""
        if isinstance(answer, dict):
            pairs = [(node_of(self.tree, node), move) for node, moves in answer.items() for move in _listed(moves)]
            ends = [self.tree.first[node] + move_of(self.tree, node, move) for node, move in pairs]
        elif isinstance(answer, (list, tuple, set, frozenset)) and len(answer) <= MOST:
            ends = [node_of(self.tree, list(end) if isinstance(end, tuple) else end) for end in answer]
        else:
            raise DurakError(
                f"branches are given as {{0: ['attack 9c', 'attack Kd']}}, or by the ways to their ends, as in [['attack 9c'], …], not as {quoted(answer)}"
            )
        return self._with(frozenset(), ends)

    def take(self, given: Drawing, message: Mapping[str, object]) -> Drawing:
        """Draw a branch, or erase it with everything below it."""
        node = node_of(self.tree, message.get("node"))
        end = self.tree.first[node] + move_of(self.tree, node, message.get("move"))
        if end in given:
            return frozenset(drawn_node for drawn_node in given if end not in self._way(drawn_node))
        return self._with(given, [end])

    def plain(self, given: Drawing) -> object:
        """Return the moves by the numbers of their nodes."""
        moves_by_node: dict[str, list[str]] = {}
        for end in sorted(given):
            moves_by_node.setdefault(str(self.tree.parent[end]), []).append(self.tree.move_to(end))
        return moves_by_node

    def stands(self, key: str, before: Drawing, now: Drawing) -> bool:
        """Return whether the branch of a mark is unchanged."""
        return (int(key) in before) == (int(key) in now)

    def begun(self, given: Drawing) -> bool:
        """Return whether any branch is drawn."""
        return bool(given)

    def open(self, given: Drawing) -> Sequence[Text]:
        """Return how many drawn branches end where the game goes on."""
        parents = {self.tree.parent[end] for end in given}
        count = sum(self.tree.actor[end] != OVER and end not in parents for end in given)
        return [Fact("class.kept.undrawn", {"count": count})] if count else []

    def judge(self, given: Drawing) -> Opinion:
        """Judge each branch by the rules; branches below a wrong one are not judged."""
        wrong = sorted(filter(self._first_wrong, given))
        missed = sorted(end for end in self._right - given if self.tree.parent[end] in given or not self.tree.parent[end])
        marks = {str(end): "right" if end in self._right else "wrong" if end in wrong else "follows" for end in sorted(given)}
        if given == self._right:
            return Opinion(marks, [], True)
        why = [self._why_not(end) for end in wrong[:2]]
        if not missed:
            return Opinion(marks, why, False)
        parent = self.tree.parent[missed[0]]
        missing_count = sum(self.tree.parent[end] == parent for end in missed)
        facts = {
            "where": place_said(self.tree, parent),
            "who": player_said(self.tree, self.tree.actor[parent]),
            "number": str(missing_count),
        }
        full_reason = Fact("lesson.tree.draw.missed", {**facts, "move": BranchSaid(missed[0])})
        return Opinion(marks, [*why, Fact("lesson.tree.draw.missing", facts)], False, [*why, full_reason])

    def told(self, given: Drawing, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Return the moves that are drawn at each node.

        A node is wrong if a move is wrong or missing there.
        """
        parts = []
        for node in sorted({self.tree.parent[end] for end in given}):
            ends = [end for end in sorted(given) if self.tree.parent[end] == node]
            wanted = [end for end in sorted(self._right) if self.tree.parent[end] == node]
            worst = "wrong" if ends != wanted else "right"
            follows = marks and marks.get(str(node), "right") != "right"
            mark = "" if not marks else "follows" if follows else worst
            parts.append(ToldPart(place_said(self.tree, node), tuple(map(BranchSaid, ends)), mark))
        return parts

    def still(self, given: Drawing | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is forbidden is in no tree
        """Return the tree of the legal moves."""
        return Still(as_allowed(self.tree, self._game))

    def part_done(self, given: Drawing, marks: Mapping[str, str]) -> Fraction:  # noqa: ARG002 - what is missing has no mark
        """Return the drawn share of the legal branches minus that of the illegal ones."""
        forbidden = frozenset(end for end in range(1, self.tree.histories) if self._first_wrong(end))
        return max(Fraction(len(given & self._right), len(self._right)) - Fraction(len(given & forbidden), len(forbidden)), Fraction(0))

    def _first_wrong(self, end: int) -> bool:
        """Return whether a branch is illegal and all branches before it are legal."""
        return end not in self._right and (self.tree.parent[end] in self._right or not self.tree.parent[end])

    def _why_not(self, end: int) -> Text:
        """Return the rule that forbids a move."""
        *path, move = self.tree.moves_to(end)
        game = self._game.copy()
        for earlier_move in path:
            game.play(earlier_move)
        facts: dict[str, object] = {"where": place_said(self.tree, self.tree.parent[end]), "move": BranchSaid(end)}
        refusal = game.why_not(move)
        assert refusal is not None  # noqa: S101 - asked of moves that are not allowed
        return Fact("lesson.tree.draw.wrong", {**facts, "why": refusal})

    @property
    def solution(self) -> Sequence[object]:
        """Return each branch as the moves that lead to its end."""
        return [list(self.tree.moves_to(end)) for end in sorted(self._right)]

    def shown(self, given: Drawing, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """Return the drawn branches and their marks, and whether the exercise is over."""
        return {"drawn": sorted(given), "marks": dict(marks), **({"over": True} if over else {})}

    def ready_made(self) -> dict[str, object]:
        """Return the position, from which the tree follows."""
        return {"position": str(self._game.position)}

    def on_sheet(self) -> HandWork:
        """Return the form for paper, on which all branches are numbered.

        The student circles the legal ones and writes down their numbers.
        """
        last_number = self.tree.histories - 1

        def read(written: Written) -> object:
            return numbers_read(written[""], last_number) if written[""] else None

        return HandWork(
            {end: str(end) for end in range(1, last_number + 1)},
            (Blank(room="line"),),
            read,
            lambda: {"": " ".join(map(str, sorted(self._right)))},
        )

    def opened(self, given: Drawing) -> Drawing:
        """Return the nodes that are unfolded: the root and all drawn ones."""
        return given | {0}

    def _way(self, end: int) -> list[int]:
        """Return the branches on the path to a node, including its own."""
        path = []
        while end > 0:
            path.append(end)
            end = self.tree.parent[end]
        return path

    def _with(self, given: Drawing, ends: Iterable[int]) -> Drawing:
        """Return a drawing with more branches, each with the path to it."""
        return given | {node for end in ends for node in self._way(end)}


def _ending(game: object) -> Game:
    """Return a game that starts at an ending of two, or raise a `DurakError`."""
    if not isinstance(game, Game) or game.outcome is not None or game.talon or game.seats != 2:
        raise DurakError("a tree is drawn of an ending: a Game of two in which no card is to be drawn and somebody is to act")
    return Game.at(game.position)


def _listed(moves: object) -> Iterable[object]:
    """Return the moves at a node as an iterable."""
    return moves if isinstance(moves, (list, tuple, set, frozenset)) else [moves]
