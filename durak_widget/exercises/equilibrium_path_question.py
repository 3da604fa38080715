"""The path of a game that everybody plays well: the moves on it, or the best move at every node, to be clicked on a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.board.number_format import number_said
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.blackboard_serialization import plain_tree
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import (
    BranchSaid,
    deciding_places,
    move_of,
    node_of,
    place_said,
    player_said,
    require_perfect_information,
)
from durak_widget.exercises.node_value_question import Worth, best, drawn, played_well, worths_asked
from durak_widget.exercises.paper_form import Blank, HandWork, letters_for, letters_read
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written
    from durak_widget.gametheory.tree import Tree

Moves = dict[int, int]
"""At which history which of its moves, by its place."""


class Path(Asked[Moves]):
    """Which moves does everybody make who plays well: on the path alone, or wherever somebody may have to choose?"""

    asks = "path"
    fields = True
    guessed = True
    in_words = True

    def __init__(self, tree: Tree, question: Text, *, whole: bool) -> None:
        require_perfect_information(tree, "the best path is clicked")
        if not deciding_places(tree):
            raise DurakError("in this tree nobody chooses anything: there is no move to click")
        self._tree, self._whole = tree, whole
        self._truth, _ = worths_asked(tree)
        self.question = asked_as(question, Fact("lesson.tree.path.whole" if whole else "lesson.tree.path"))

    def blank(self) -> Moves:
        """No move is clicked yet."""
        return {}

    def read(self, answer: object) -> Moves:
        """Moves in their order, or by histories."""
        given: Moves = {}
        if isinstance(answer, dict):
            for node, move in answer.items():
                here = self._node(node)
                given[here] = move_of(self._tree, here, move)
            return given
        waiting = [answer] if isinstance(answer, str) else list(answer) if isinstance(answer, (list, tuple)) else None
        if waiting is None:
            raise DurakError(
                f"moves are given in their order, as in ['go', 'stop'], or by histories, as in {{0: 'go'}}, not as {quoted(answer)}"
            )
        for here in self._met(given):
            if waiting:
                given[here] = move_of(self._tree, here, waiting.pop(0))
        if waiting:
            raise DurakError(f"there are {len(waiting)} moves too many: the game is over before {quoted(waiting[0])}")
        return given

    def take(self, given: Moves, message: Mapping[str, object]) -> Moves:
        """A move is clicked, or taken back."""
        node = self._node(message.get("node"))
        move = message.get("move")
        if move is None or given.get(node) == move:  # clicked again: it is taken back
            return {here: one for here, one in given.items() if here != node}
        return {**given, node: move_of(self._tree, node, move)}

    def plain(self, given: Moves) -> object:
        """Moves by the numbers of histories."""
        return {str(here): self._tree.move_to(self._tree.first[here] + move) for here, move in given.items()}

    def stands(self, key: str, before: Moves, now: Moves) -> bool:
        """A mark stands while its move does."""
        return before.get(int(key)) == now.get(int(key))

    def begun(self, given: Moves) -> bool:
        """Some move is clicked."""
        return bool(given)

    def open(self, given: Moves) -> Sequence[Text]:
        """Where the moves lead and nobody has moved yet."""
        return [] if all(here in given for here in self._met(given)) else [Fact("class.kept.way")]

    def _node(self, node: object) -> int:
        here = node_of(self._tree, node)
        if self._tree.actor[here] < 0:
            raise DurakError(f"at history {here} no player chooses; click a move where one does")
        return here

    def _met(self, given: Moves) -> Iterator[int]:
        """The histories at which a move is asked for, from the root on; on the path alone those to which the moves lead."""
        waiting = [0]
        while waiting:
            here = waiting.pop()
            actor, children = self._tree.actor[here], self._tree.children(here)
            if actor == OVER:
                continue
            if actor >= 0:
                yield here
                if not self._whole:
                    waiting += [children[given[here]]] if here in given else []
                    continue
            waiting += reversed(children)

    def judge(self, given: Moves) -> Opinion:
        """Each move by how play then goes on."""
        tree = self._tree
        met = list(self._met(given))
        missing = [here for here in met if here not in given]
        played, follows = self._played({here: given[here] for here in met if here in given})
        marks: dict[str, str] = {}
        errs: set[int] = set()
        wrong: list[int] = []
        for here in sorted(follows, reverse=True):
            true = bool(self._truth[tree.first[here] + given[here]] & best(tree.actor[here], self._below(here, self._truth)))
            below = here in errs
            marks[str(here)] = "right" if true and (follows[here] or below) else "follows" if follows[here] else "wrong"
            wrong += [here] if marks[str(here)] == "wrong" else []
            if not true or below:
                errs.add(here)
            if here in errs and here:
                errs.add(self._before(here, follows))
        marks = dict(sorted(marks.items(), key=lambda one: int(one[0])))
        if not missing and all(mark == "right" for mark in marks.values()):
            return Opinion(marks, [], True)
        why: list[Text] = []
        if wrong:
            here = max(wrong) if self._whole else min(wrong, key=met.index)
            why.append(self._why(here, given[here], played))
        after = [int(node) for node, mark in marks.items() if mark == "follows"]
        why += [Fact("lesson.tree.path.follows", {"where": place_said(tree, after[-1])})] if after else []
        if missing and not wrong:
            why.append(Fact("lesson.tree.path.missing", {"count": len(missing), "where": place_said(tree, missing[0])}))
        return Opinion(marks, why, False)

    def told(self, given: Moves, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """The move at each place."""
        tree = self._tree
        return [
            ToldPart(place_said(tree, here), BranchSaid(tree.first[here] + move), marks.get(str(here), ""))
            for here, move in sorted(given.items())
        ]

    def still(self, given: Moves | None, marks: Mapping[str, str]) -> Still:
        """The tree, and on it the way of those who play well: that which was answered, if it is one."""
        right = given if given and marks and set(marks.values()) == {"right"} else self.read(self.solution)
        return Still(self._tree, lit=frozenset([0, *(self._tree.first[here] + move for here, move in right.items())]))

    def _below(self, here: int, worth: Sequence[frozenset[Worth]]) -> list[frozenset[Worth]]:
        return [worth[child] for child in self._tree.children(here)]

    def _before(self, here: int, among: Mapping[int, bool]) -> int:
        """The last history before that one at which a move was clicked; the root where there is none."""
        here = self._tree.parent[here]
        while here > 0 and here not in among:
            here = self._tree.parent[here]
        return here

    def _played(self, given: Moves) -> tuple[list[frozenset[Worth]], dict[int, bool]]:
        """What each history is worth if play goes on as was clicked, and well where nothing was; and of each click whether it is best then."""
        tree = self._tree
        found: list[frozenset[Worth]] = [frozenset()] * tree.histories
        follows: dict[int, bool] = {}
        for here in reversed(range(tree.histories)):
            actor, info, below = tree.actor[here], tree.info[here], self._below(here, found)
            if actor == OVER:
                found[here] = frozenset([tree.payoffs[info]])
            elif actor == CHANCE:
                found[here] = drawn(tree.chances[info].probabilities, below)
            elif here in given:
                chosen = below[given[here]]
                well = chosen & best(actor, below)
                follows[here] = bool(well)
                found[here] = well or chosen
            else:
                found[here] = best(actor, below)
        return found, follows

    def _why(self, here: int, move: int, played: Sequence[frozenset[Worth]]) -> Text:
        """What another move would have brought."""
        tree, actor = self._tree, self._tree.actor[here]
        true, follows = (self._compared(here, move, worth) for worth in (self._truth, played))
        mine, most, other = true if true[1] > true[0] else follows
        facts = {"move": BranchSaid(tree.first[here] + move), "better": BranchSaid(tree.first[here] + other)}
        values = {"mine": number_said(mine), "more": number_said(most)}
        return Fact("lesson.tree.path.better", {"where": place_said(tree, here), "who": player_said(tree, actor), **facts, **values})

    def _compared(self, here: int, move: int, worth: Sequence[frozenset[Worth]]) -> tuple[Fraction, Fraction, int]:
        """The most that a move may bring whoever makes it, the most that another is certain to bring, and which."""
        seat, below = self._tree.actor[here], self._below(here, worth)
        least = [min(one[seat] for one in ways) for ways in below]
        return max(one[seat] for one in below[move]), max(least), least.index(max(least))

    @property
    def solution(self) -> Sequence[object]:
        """Moves in the order in which they are met; of equally good ones the first."""
        given: Moves = {}
        moves = []
        _, choices = played_well(self._tree)
        for here in self._met(given):
            given[here] = choices[here]
            moves.append(self._tree.move_to(self._tree.first[here] + choices[here]))
        return moves

    def ready_made(self) -> dict[str, object]:
        """The tree, and whether the best move is asked for everywhere."""
        return {"tree": plain_tree(self._tree), "whole": self._whole}

    def on_sheet(self) -> HandWork:
        """A letter at the end of each branch that somebody may choose; those that are chosen are drawn over, and written as their letters."""
        tree = self._tree
        ends = [child for here in deciding_places(tree) for child in tree.children(here)]
        labels = letters_for(len(ends))

        def read(written: Written) -> object:
            given: dict[int, int] = {}
            for one in letters_read(written[""], labels):
                end = ends[labels.index(one)]
                here = tree.parent[end]
                if here in given:
                    raise RefusedError("lesson.hand.two_moves", one=labels[ends.index(tree.first[here] + given[here])], other=one)
                given[here] = end - tree.first[here]
            return given or None

        def write() -> Written:
            _, choices = played_well(tree)
            given: Moves = {}
            for here in self._met(given):
                given[here] = choices[here]
            return {"": " ".join(labels[ends.index(tree.first[here] + move)] for here, move in given.items())}

        return HandWork(dict(zip(ends, labels, strict=True)), (Blank(room="line"),), read, write)

    def shown(self, given: Moves, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """The moves and their marks."""
        return {"moves": {str(here): move for here, move in given.items()}, "marks": dict(marks)}
