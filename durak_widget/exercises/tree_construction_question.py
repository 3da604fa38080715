"""A question that asks students to draw the legal moves of an endgame as a game tree."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.trees_with_illegal_moves import build_tree_with_illegal_moves, legal_histories, remove_illegal_moves
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import BranchReference, describe_node, describe_tree_player, parse_action, parse_node
from durak_widget.exercises.paper_form import AnswerBlank, BoardPaperForm, parse_number_list
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import BlankTexts

MAX_BRANCHES: Final = 1000
"""The maximum number of branches in an answer."""
DrawnNodes = frozenset[int]
"""The nodes at the ends of the drawn branches, and all nodes on the paths to them."""


class TreeConstructionQuestion(BoardQuestion[DrawnNodes]):
    """A question in which the student draws the branches of a game tree."""

    question_kind = "draw"

    def __init__(self, game: Game, question: Text) -> None:
        self._game = _require_ending(game)
        self.tree = build_tree_with_illegal_moves(self._game)
        self._legal_branches = legal_histories(self.tree, self._game)
        if len(self._legal_branches) == self.tree.history_count - 1:
            raise DurakError("every move is legal here, so there is nothing to choose; take an ending in which some card does not beat")
        self.question = question_or_default(question, TranslatableText("lesson.tree.draw"))

    def empty_answer(self) -> DrawnNodes:
        """Return the empty answer, in which no branch is drawn."""
        return frozenset()

    def parse_answer(self, answer: object) -> DrawnNodes:
        """Parse branches; each is given by its node and its move, or by all moves up to its end."""
        if isinstance(answer, dict):
            pairs = [(parse_node(self.tree, node), move) for node, moves in answer.items() for move in _as_iterable(moves)]
            ends = [self.tree.first_child[node] + parse_action(self.tree, node, move) for node, move in pairs]
        elif isinstance(answer, (list, tuple, set, frozenset)) and len(answer) <= MAX_BRANCHES:
            ends = [parse_node(self.tree, list(end) if isinstance(end, tuple) else end) for end in answer]
        else:
            raise DurakError(
                f"write branches as in {{0: ['attack 9c', 'attack Kd']}}, or as paths to the terminal nodes, as in [['attack 9c'], …], not as {short_repr(answer)}"
            )
        return self._add_branches(frozenset(), ends)

    def apply_message(self, previous_answer: DrawnNodes, message: Mapping[str, object]) -> DrawnNodes:
        """Draw the clicked branch; if it is drawn already, erase it and everything below."""
        node = parse_node(self.tree, message.get("node"))
        end = self.tree.first_child[node] + parse_action(self.tree, node, message.get("action"))
        if end in previous_answer:
            return frozenset(drawn_node for drawn_node in previous_answer if end not in self._path_to(drawn_node))
        return self._add_branches(previous_answer, [end])

    def to_plain_data(self, answer: DrawnNodes) -> object:
        """Return a dict of the drawn moves by node, with the number of the node as key."""
        moves_by_node: dict[str, list[str]] = {}
        for end in sorted(answer):
            moves_by_node.setdefault(str(self.tree.parent[end]), []).append(self.tree.last_action(end))
        return moves_by_node

    def is_mark_still_valid(self, key: str, old_answer: DrawnNodes, new_answer: DrawnNodes) -> bool:
        """Return whether the old and the new answer agree on whether a branch is drawn."""
        return (int(key) in old_answer) == (int(key) in new_answer)

    def is_started(self, answer: DrawnNodes) -> bool:
        """Return whether the student has drawn any branch."""
        return bool(answer)

    def describe_missing_parts(self, answer: DrawnNodes) -> Sequence[Text]:
        """Return a note that says how many drawn branches end before the game is over."""
        parents = {self.tree.parent[end] for end in answer}
        count = sum(self.tree.actor[end] != TERMINAL and end not in parents for end in answer)
        return [TranslatableText("class.kept.undrawn", {"count": count})] if count else []

    def grade(self, answer: DrawnNodes) -> AnswerGrade:
        """Grade each drawn branch by the rules; skip branches below an illegal branch."""
        wrong = sorted(filter(self._is_first_illegal, answer))
        missed = sorted(end for end in self._legal_branches - answer if self.tree.parent[end] in answer or not self.tree.parent[end])
        marks = {str(end): "right" if end in self._legal_branches else "wrong" if end in wrong else "follows" for end in sorted(answer)}
        if answer == self._legal_branches:
            return AnswerGrade(marks, [], True)
        reasons = [self._explain_illegal_move(end) for end in wrong[:2]]
        if not missed:
            return AnswerGrade(marks, reasons, False)
        parent = self.tree.parent[missed[0]]
        missing_count = sum(self.tree.parent[end] == parent for end in missed)
        facts = {
            "where": describe_node(self.tree, parent),
            "who": describe_tree_player(self.tree, self.tree.actor[parent]),
            "count": missing_count,
        }
        full_reason = TranslatableText("lesson.tree.draw.missed", {**facts, "move": BranchReference(missed[0])})
        return AnswerGrade(marks, [*reasons, TranslatableText("lesson.tree.draw.missing", facts)], False, [*reasons, full_reason])

    def describe_parts(self, answer: DrawnNodes, marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe the moves that the student drew at each node.

        The mark of a node is `wrong` if a drawn move is illegal or a legal move is missing.
        """
        parts = []
        for node in sorted({self.tree.parent[end] for end in answer}):
            ends = [end for end in sorted(answer) if self.tree.parent[end] == node]
            wanted = [end for end in sorted(self._legal_branches) if self.tree.parent[end] == node]
            worst = "wrong" if ends != wanted else "right"
            follows = marks and marks.get(str(node), "right") != "right"
            mark = "" if not marks else "follows" if follows else worst
            parts.append(PartDescription(describe_node(self.tree, node), tuple(map(BranchReference, ends)), mark))
        return parts

    def build_picture(self, answer: DrawnNodes | None, marks: Mapping[str, str]) -> BoardPicture:  # noqa: ARG002 - the picture shows only legal moves
        """Return a picture of the tree of legal moves."""
        return BoardPicture(remove_illegal_moves(self.tree, self._game))

    def compute_partial_credit(self, answer: DrawnNodes, marks: Mapping[str, str]) -> Fraction:  # noqa: ARG002 - missing branches have no marks
        """Return the share of legal branches drawn, minus the share of illegal branches drawn."""
        forbidden = frozenset(end for end in range(1, self.tree.history_count) if self._is_first_illegal(end))
        return max(
            Fraction(len(answer & self._legal_branches), len(self._legal_branches)) - Fraction(len(answer & forbidden), len(forbidden)),
            Fraction(0),
        )

    def _is_first_illegal(self, branch: int) -> bool:
        """Return whether a branch is illegal and no branch above it is illegal."""
        return branch not in self._legal_branches and (self.tree.parent[branch] in self._legal_branches or not self.tree.parent[branch])

    def _explain_illegal_move(self, branch: int) -> Text:
        """Explain which rule forbids the move on a branch."""
        *path, move = self.tree.actions_from_root(branch)
        game = self._game.copy()
        for earlier_move in path:
            game.play(earlier_move)
        facts: dict[str, object] = {"where": describe_node(self.tree, self.tree.parent[branch]), "move": BranchReference(branch)}
        refusal = game.why_not(move)
        assert refusal is not None  # noqa: S101 - the move is illegal
        return TranslatableText("lesson.tree.draw.wrong", {**facts, "why": refusal})

    @property
    def solution(self) -> Sequence[object]:
        """Return all legal branches, each given by the moves that lead to its end."""
        return [list(self.tree.actions_from_root(end)) for end in sorted(self._legal_branches)]

    def view_fields(self, answer: DrawnNodes, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:
        """Return the drawn branches and their grading marks, as data for the front end."""
        return {"drawn_nodes": sorted(answer), "marks": dict(marks), **({"is_over": True} if is_over else {})}

    def to_snapshot(self) -> dict[str, object]:
        """Return the card position from which the tree can be built again."""
        return {"position": str(self._game.position)}

    def to_paper(self) -> BoardPaperForm:
        """Return the printed form of the question, on which all branches have numbers.

        The student circles the legal branches and writes down their numbers.
        """
        last_number = self.tree.history_count - 1

        def parse_texts(blank_texts: BlankTexts) -> object:
            return parse_number_list(blank_texts[""], last_number) if blank_texts[""] else None

        return BoardPaperForm(
            {end: str(end) for end in range(1, last_number + 1)},
            (AnswerBlank(field_kind="line"),),
            parse_texts,
            lambda: {"": " ".join(map(str, sorted(self._legal_branches)))},
        )

    def unfolded_nodes(self, drawn_nodes: DrawnNodes) -> DrawnNodes:
        """Return the nodes whose branches are displayed: the root and all drawn nodes."""
        return drawn_nodes | {0}

    def _path_to(self, branch: int) -> list[int]:
        """Return all branches on the path from the root to a branch, including that branch."""
        path = []
        while branch > 0:
            path.append(branch)
            branch = self.tree.parent[branch]
        return path

    def _add_branches(self, drawn_nodes: DrawnNodes, branches: Iterable[int]) -> DrawnNodes:
        """Add branches, with all branches above them, to the drawn branches."""
        return drawn_nodes | {node for end in branches for node in self._path_to(end)}


def _require_ending(game: object) -> Game:
    """Return a game that starts at a two-player endgame; raise an error for other positions."""
    if not isinstance(game, Game) or game.outcome is not None or game.talon or game.seats != 2:
        raise DurakError("this question needs an ending: a Game of two players with an empty talon, in which a player must move")
    return Game.from_position_line(game.position)


def _as_iterable(moves: object) -> Iterable[object]:
    """Return moves as an iterable; wrap a single move in a list."""
    return moves if isinstance(moves, (list, tuple, set, frozenset)) else [moves]
