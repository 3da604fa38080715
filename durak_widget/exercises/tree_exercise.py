"""Exercises on a tree: node values, information sets, equilibrium paths and construction.

    OnTree.values(tree, nodes=None, player=None)  values by backward induction: `answer({3: "1, -1"})`, or in the order of the nodes
    OnTree.sets(tree)                             information sets: `answer([[3, 5], [4, 6]])`: groups of nodes
    OnTree.path(tree, whole=False)                moves of optimal play: `answer(["go", "stop"])`, or `answer({0: "go"})`
    OnTree.draw(game)                             legal moves of an ending: `answer({0: ["attack 9c", "attack Kd"], …})`

Nodes are given by their numbers, or by the moves that lead to them. All four methods take `question`, `why`, `name`, `number` and
`language`. `view` is the widget of the tree. `grade_current_answer()` grades the answer that was clicked there. If a `question` says
“you”, it means `player`, or the player given by `you=`; the feedback then says “you” too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.blackboard_exercise import BoardExercise, require_known_options
from durak_widget.exercises.blackboard_serialization import parse_translations, tree_from_dict
from durak_widget.exercises.equilibrium_path_question import EquilibriumPathQuestion
from durak_widget.exercises.information_set_question import InformationSetQuestion, separate_information_sets
from durak_widget.exercises.node_and_cell_lookup import build_tree_wording, format_reference
from durak_widget.exercises.node_value_question import NodeValueQuestion
from durak_widget.exercises.paper_form import PaperPicture, PaperQuestion, draw_board_for_print
from durak_widget.exercises.tree_construction_question import TreeConstructionQuestion
from durak_widget.gametheory.tree import require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.blackboard_exercise import BoardQuestion
    from durak_widget.exercises.paper_form import BoardPaperForm
    from durak_widget.gametheory.tree import Tree

MAX_FULLY_SHOWN_NODES: Final = 150
"""The largest number of nodes in a tree that is displayed completely.

A larger tree is unfolded only at the nodes that the question needs.
"""


class OnTree(BoardExercise):
    """An exercise that is answered on a game tree.

    >>> from durak_widget import gametheory
    >>> places = {"": gametheory.DecisionNode(0, "begins", [("stop", "s"), ("go", "g")]), "s": gametheory.TerminalNode((1, 0)), "t": gametheory.TerminalNode((0, 3)), "h": gametheory.TerminalNode((2, 2))}
    >>> places["g"] = gametheory.DecisionNode(1, "answers", [("take", "t"), ("share", "h")])
    >>> tree = gametheory.build_tree("", places.__getitem__, player_count=2, names=("Ann", "Bob"))
    >>> quiz = OnTree.values(tree)
    >>> print(quiz.answer(["1, 0", "2, 2"]))
    Not yet. After “go”, the value is the highest payoff that Bob can get. You wrote the lowest one.
    >>> quiz.answer({(): "1, 0", ("go",): "0, 3"}).right, quiz.check()
    (True, True)
    >>> quiz = OnTree.path(tree)
    >>> print(quiz.answer(["go", "take"]))
    Not yet. At the start, “go” pays Ann 0, but “stop” would pay 1.
    >>> quiz.solution
    ['stop']
    """

    assignment_kind = "tree"

    def __init__(self, tree: Tree, board_question: BoardQuestion[Any], **more: Any) -> None:  # noqa: ANN401 - checked by `require_known_options`
        """Set up an exercise on a tree; use `OnTree.values` and the other class methods instead."""
        super().__init__(board_question, **require_known_options(more, "OnTree", tree.player_count))
        self.tree = tree
        """The complete tree of the question; the screen may show only a part of it."""

    @classmethod
    def values(
        cls,
        tree: Tree,
        nodes: Iterable[object] | None = None,
        player: int | None = None,
        *,
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `require_known_options`
    ) -> OnTree:
        """Ask the student for the values of tree nodes, for all players or for one player.

        By default, the question asks about all nodes except the terminal nodes.

        >>> from durak_widget import gametheory
        >>> coin = {"": gametheory.ChanceNode([("heads", 1/2, "h"), ("tails", 1/2, "t")]), "h": gametheory.TerminalNode((3, -3)), "t": gametheory.TerminalNode((-1, 1))}
        >>> quiz = OnTree.values(gametheory.build_tree("", coin.__getitem__, player_count=2), player=0)
        >>> print(quiz.answer(3))
        Not yet. At the start, there is a chance move. You used only the value after “heads”. Use every value, each with its probability.
        >>> bool(quiz.answer("1"))
        True
        """
        require_tree(tree)
        return cls(tree, NodeValueQuestion(tree, nodes, player, question), **more)

    @classmethod
    def sets(cls, tree: Tree, *, question: Text = "", **more: Any) -> OnTree:  # noqa: ANN401
        """Ask the student which nodes belong to the same information set.

        The tree is shown without its information sets.

        >>> from durak_widget import gametheory
        >>> def look(where):
        ...     if len(where) == 2:
        ...         return gametheory.TerminalNode((1, -1) if where[0] == where[1] else (-1, 1))
        ...     return gametheory.DecisionNode(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])
        >>> quiz = OnTree.sets(gametheory.build_tree("", look, player_count=2, names=("Even", "Odd")))
        >>> print(quiz.answer([[0, 1]]))
        Not yet. At the start, the player to move is Even, but after “heads”, it is Odd. Join only nodes where the same player moves. 1 more group of nodes that look the same must be joined.
        >>> bool(quiz.answer([[1, 2]]))
        True
        """
        require_tree(tree)
        return cls(tree, InformationSetQuestion(tree, question), **more)

    @classmethod
    def path(cls, tree: Tree, *, whole: bool = False, question: Text = "", **more: Any) -> OnTree:  # noqa: ANN401
        """Ask the student for optimal actions on one path or, with `whole=True`, at every node.

        If several actions are equally good, each of them is correct.
        """
        require_tree(tree)
        return cls(tree, EquilibriumPathQuestion(tree, question, asks_everywhere=whole), **more)

    @classmethod
    def draw(cls, game: Game, *, question: Text = "", **more: Any) -> OnTree:  # noqa: ANN401
        """Ask the student to draw the extensive form of an endgame.

        The tree also has illegal moves; the student draws the legal ones.

        >>> from durak_widget import Game
        >>> quiz = OnTree.draw(Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h"))
        >>> print(quiz.answer({(): ["attack 9c", "attack Kd"], ("attack 9c",): "beat 9c Tc"}))
        Not yet. After “attacks with 9♣︎”, Player 2 can make more moves than you have drawn. 1 branch is still missing there.
        >>> bool(quiz.answer(quiz.solution))
        True
        """
        draw_question = TreeConstructionQuestion(game, question)
        return cls(draw_question.tree, draw_question, **more)

    def handle_answer(self, message: Mapping[str, object]) -> None:
        """Handle a user's action on the tree; after drawing a branch, show the node at its end."""
        super().handle_answer(message)
        self._unfold_drawn_branches()

    def answer(self, answer: object) -> Verdict:
        """Grade a complete answer and show it on the tree."""
        verdict = super().answer(answer)
        self._unfold_drawn_branches()
        return verdict

    def reveal(self) -> str:
        """Show the solution on the tree and in the text of the exercise."""
        text = super().reveal()
        self._unfold_drawn_branches()
        return text

    def restart(self) -> None:
        """Reset the exercise to its starting state."""
        super().restart()
        self._unfold_drawn_branches()

    def _unfold_drawn_branches(self) -> None:
        """Show on the tree exactly those branches that the student has drawn."""
        if self._view is not None and isinstance(self._board_question, TreeConstructionQuestion):
            unfolded = self._board_question.unfolded_nodes(self._answer)
            self.view.expansion.unfold_where([node in unfolded for node in range(self.tree.history_count)])
            self.view.refresh()

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> OnTree:
        """Build an exercise from a snapshot, as returned by `to_snapshot`.

        A question on information sets is built without its answer key.
        """
        question_kind, question = snapshot.get("asks"), parse_translations(snapshot.get("question"))
        if question_kind == "draw":
            return cls.draw(Game.from_position_line(str(snapshot.get("position"))), question=question)
        tree = tree_from_dict(snapshot.get("tree"))
        builders: dict[object, Callable[[], BoardQuestion[Any]]] = {
            "values": lambda: NodeValueQuestion(tree, snapshot.get("nodes"), snapshot.get("seat"), question),
            "path": lambda: EquilibriumPathQuestion(tree, question, asks_everywhere=snapshot.get("whole") is True),
            "sets": lambda: InformationSetQuestion(tree, question, is_key_known=False),
        }
        if question_kind not in builders:
            raise DurakError(f"there is no question {short_repr(question_kind)} for a tree")
        return cls(tree, builders[question_kind]())

    def to_paper_question(self) -> PaperQuestion | None:
        """Return the exercise for a printed sheet: a tree with letters, and blanks for answers."""
        return build_tree_paper_question(
            self, separate_information_sets(self.tree) if self.question_kind == "sets" else self.tree, self._board_question.to_paper()
        )

    def _format_name(self, value: object) -> str:
        return format_reference(build_tree_wording(self.tree, self._language), value)

    def _create_view(self) -> Any:  # noqa: ANN401 - the widget is imported only when needed
        if isinstance(self._board_question, TreeConstructionQuestion):
            from durak_widget.board.tree_widget import TreeWidget  # noqa: PLC0415 - as above

            unfolded = self._board_question.unfolded_nodes(self._answer)
            view = TreeWidget(self.tree, depth=1, language=self._language)
            view.expansion.unfold_where([node in unfolded for node in range(self.tree.history_count)])
            view.refresh()
            return view
        return create_tree_view(
            separate_information_sets(self.tree) if self.question_kind == "sets" else self.tree,
            self._language,
            self._board_question.required_nodes,
        )


def build_tree_paper_question(exercise: BoardExercise, tree: Tree, paper_form: BoardPaperForm | None) -> PaperQuestion | None:
    """Return a question on a tree for a printed sheet; None if the tree is too large."""
    if paper_form is None or tree.history_count > MAX_FULLY_SHOWN_NODES:
        return None

    def draw_pictures() -> tuple[PaperPicture, ...]:
        view = create_tree_view(tree, exercise.language)
        view.values, view.direction = False, "right"
        for node, label in paper_form.node_labels.items():
            view.add_label(node, label)
        return (draw_board_for_print(view.svg(whole=True)),)

    return PaperQuestion(
        exercise.question_for_paper,
        exercise.voice.translate(f"lesson.hand.{exercise.question_kind}", pairs="ab, cd"),
        draw_pictures,
        paper_form.blanks,
        paper_form.parse_texts,
        paper_form.write_solution,
    )


def create_tree_view(tree: Tree, language: str, required_nodes: Sequence[int] = ()) -> Any:  # noqa: ANN401 - as above
    """Create a tree widget, which displays a small tree completely.

    For a larger tree, it displays two levels and the paths to `required_nodes`.
    """
    from durak_widget.board.tree_widget import TreeWidget  # noqa: PLC0415 - as above

    is_small = tree.history_count <= MAX_FULLY_SHOWN_NODES
    view = TreeWidget(tree, depth=len(tree.level_starts) if is_small else 2, language=language)
    for node in () if is_small else required_nodes:
        view.go_to(node)
    view.go_to(0)
    return view
