"""A question about the equilibrium path: the best actions are clicked on a tree."""

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
"""The chosen action at each history, by index."""


class Path(Asked[Moves]):
    """The question which actions the players choose, on the path or at every node."""

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
        """Return the answer without any action."""
        return {}

    def read(self, answer: object) -> Moves:
        """Parse actions in their order, or by history."""
        chosen: Moves = {}
        if isinstance(answer, dict):
            for node, action in answer.items():
                history = self._node(node)
                chosen[history] = move_of(self._tree, history, action)
            return chosen
        actions = [answer] if isinstance(answer, str) else list(answer) if isinstance(answer, (list, tuple)) else None
        if actions is None:
            raise DurakError(
                f"moves are given in their order, as in ['go', 'stop'], or by histories, as in {{0: 'go'}}, not as {quoted(answer)}"
            )
        for history in self._met(chosen):
            if actions:
                chosen[history] = move_of(self._tree, history, actions.pop(0))
        if actions:
            raise DurakError(f"there are {len(actions)} moves too many: the game is over before {quoted(actions[0])}")
        return chosen

    def take(self, given: Moves, message: Mapping[str, object]) -> Moves:
        """Choose an action, or undo the choice."""
        node = self._node(message.get("node"))
        action = message.get("move")
        if action is None or given.get(node) == action:  # a second click undoes the choice
            return {other_node: other_action for other_node, other_action in given.items() if other_node != node}
        return {**given, node: move_of(self._tree, node, action)}

    def plain(self, given: Moves) -> object:
        """Return the actions by the numbers of histories."""
        return {str(node): self._tree.move_to(self._tree.first[node] + action) for node, action in given.items()}

    def stands(self, key: str, before: Moves, now: Moves) -> bool:
        """Return whether the action is still the same."""
        return before.get(int(key)) == now.get(int(key))

    def begun(self, given: Moves) -> bool:
        """Return whether any action is chosen."""
        return bool(given)

    def open(self, given: Moves) -> Sequence[Text]:
        """Return a note if the path leads to a node where no action is chosen."""
        return [] if all(node in given for node in self._met(given)) else [Fact("class.kept.way")]

    def _node(self, node: object) -> int:
        number = node_of(self._tree, node)
        if self._tree.actor[number] < 0:
            raise DurakError(f"at history {number} no player chooses; click a move where one does")
        return number

    def _met(self, given: Moves) -> Iterator[int]:
        """Yield the histories at which an action is asked for, from the root on.

        If only the path is asked for, these are the ones to which the chosen actions lead.
        """
        waiting = [0]
        while waiting:
            node = waiting.pop()
            actor, children = self._tree.actor[node], self._tree.children(node)
            if actor == OVER:
                continue
            if actor >= 0:
                yield node
                if not self._whole:
                    waiting += [children[given[node]]] if node in given else []
                    continue
            waiting += reversed(children)

    def judge(self, given: Moves) -> Opinion:
        """Grade each action by how play continues."""
        tree = self._tree
        asked = list(self._met(given))
        missing = [node for node in asked if node not in given]
        played_values, follows = self._played({node: given[node] for node in asked if node in given})
        marks: dict[str, str] = {}
        with_error_below: set[int] = set()
        wrong: list[int] = []
        for node in sorted(follows, reverse=True):
            is_best = bool(self._truth[tree.first[node] + given[node]] & best(tree.actor[node], self._below(node, self._truth)))
            has_error_below = node in with_error_below
            marks[str(node)] = "right" if is_best and (follows[node] or has_error_below) else "follows" if follows[node] else "wrong"
            wrong += [node] if marks[str(node)] == "wrong" else []
            if not is_best or has_error_below:
                with_error_below.add(node)
            if node in with_error_below and node:
                with_error_below.add(self._before(node, follows))
        marks = dict(sorted(marks.items(), key=lambda entry: int(entry[0])))
        if not missing and all(mark == "right" for mark in marks.values()):
            return Opinion(marks, [], True)
        why: list[Text] = []
        if wrong:
            node = max(wrong) if self._whole else min(wrong, key=asked.index)
            why.append(self._why(node, given[node], played_values))
        consistent = [int(key) for key, mark in marks.items() if mark == "follows"]
        why += [Fact("lesson.tree.path.follows", {"where": place_said(tree, consistent[-1])})] if consistent else []
        if missing and not wrong:
            why.append(Fact("lesson.tree.path.missing", {"count": len(missing), "where": place_said(tree, missing[0])}))
        return Opinion(marks, why, False)

    def told(self, given: Moves, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Describe the action at each node."""
        tree = self._tree
        return [
            ToldPart(place_said(tree, node), BranchSaid(tree.first[node] + action), marks.get(str(node), ""))
            for node, action in sorted(given.items())
        ]

    def still(self, given: Moves | None, marks: Mapping[str, str]) -> Still:
        """Return the tree with the right path: the answered one, if it is right."""
        chosen = given if given and marks and set(marks.values()) == {"right"} else self.read(self.solution)
        return Still(self._tree, lit=frozenset([0, *(self._tree.first[node] + action for node, action in chosen.items())]))

    def _below(self, here: int, worth: Sequence[frozenset[Worth]]) -> list[frozenset[Worth]]:
        return [worth[child] for child in self._tree.children(here)]

    def _before(self, here: int, among: Mapping[int, bool]) -> int:
        """Return the last earlier history with a choice, or the root."""
        here = self._tree.parent[here]
        while here > 0 and here not in among:
            here = self._tree.parent[here]
        return here

    def _played(self, given: Moves) -> tuple[list[frozenset[Worth]], dict[int, bool]]:
        """Return the values of histories under the chosen actions, with best play elsewhere.

        The second result says for each choice whether it is best given the choices below.
        """
        tree = self._tree
        values: list[frozenset[Worth]] = [frozenset()] * tree.histories
        follows: dict[int, bool] = {}
        for node in reversed(range(tree.histories)):
            actor, index, child_values = tree.actor[node], tree.info[node], self._below(node, values)
            if actor == OVER:
                values[node] = frozenset([tree.payoffs[index]])
            elif actor == CHANCE:
                values[node] = drawn(tree.chances[index].probabilities, child_values)
            elif node in given:
                chosen_values = child_values[given[node]]
                best_values = chosen_values & best(actor, child_values)
                follows[node] = bool(best_values)
                values[node] = best_values or chosen_values
            else:
                values[node] = best(actor, child_values)
        return values, follows

    def _why(self, here: int, move: int, played: Sequence[frozenset[Worth]]) -> Text:
        """Explain which other action would have brought more."""
        tree, actor = self._tree, self._tree.actor[here]
        comparison, played_comparison = (self._compared(here, move, node_values) for node_values in (self._truth, played))
        own_payoff, best_payoff, best_action = comparison if comparison[1] > comparison[0] else played_comparison
        facts = {"move": BranchSaid(tree.first[here] + move), "better": BranchSaid(tree.first[here] + best_action)}
        payoffs = {"mine": number_said(own_payoff), "more": number_said(best_payoff)}
        return Fact("lesson.tree.path.better", {"where": place_said(tree, here), "who": player_said(tree, actor), **facts, **payoffs})

    def _compared(self, here: int, move: int, worth: Sequence[frozenset[Worth]]) -> tuple[Fraction, Fraction, int]:
        """Compare the most that an action may bring with the most that another one guarantees.

        The third result is the index of that other action.
        """
        player, child_values = self._tree.actor[here], self._below(here, worth)
        guaranteed = [min(payoffs[player] for payoffs in outcomes) for outcomes in child_values]
        return max(payoffs[player] for payoffs in child_values[move]), max(guaranteed), guaranteed.index(max(guaranteed))

    @property
    def solution(self) -> Sequence[object]:
        """Return actions in their order; of equally good ones the first."""
        chosen: Moves = {}
        actions = []
        _, best_actions = played_well(self._tree)
        for node in self._met(chosen):
            chosen[node] = best_actions[node]
            actions.append(self._tree.move_to(self._tree.first[node] + best_actions[node]))
        return actions

    def ready_made(self) -> dict[str, object]:
        """Return the tree, and whether the best action is asked for at every node."""
        return {"tree": plain_tree(self._tree), "whole": self._whole}

    def on_sheet(self) -> HandWork:
        """Return the question for paper: write down the letters of the chosen branches."""
        tree = self._tree
        children = [child for node in deciding_places(tree) for child in tree.children(node)]
        labels = letters_for(len(children))

        def read(written: Written) -> object:
            chosen: dict[int, int] = {}
            for letter in letters_read(written[""], labels):
                child = children[labels.index(letter)]
                node = tree.parent[child]
                if node in chosen:
                    raise RefusedError("lesson.hand.two_moves", one=labels[children.index(tree.first[node] + chosen[node])], other=letter)
                chosen[node] = child - tree.first[node]
            return chosen or None

        def write() -> Written:
            _, best_actions = played_well(tree)
            chosen: Moves = {}
            for node in self._met(chosen):
                chosen[node] = best_actions[node]
            return {"": " ".join(labels[children.index(tree.first[node] + action)] for node, action in chosen.items())}

        return HandWork(dict(zip(children, labels, strict=True)), (Blank(room="line"),), read, write)

    def shown(self, given: Moves, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """Return the actions and their marks."""
        return {"moves": {str(node): action for node, action in given.items()}, "marks": dict(marks)}
