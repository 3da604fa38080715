"""Defines the exercises on a tree: values, information sets, paths and the tree itself.

    OnTree.values(tree, nodes=None, seat=None)   values by backward induction: `answer({3: "1, -1"})`, or in the order of the nodes
    OnTree.sets(tree)                            information sets: `answer([[3, 5], [4, 6]])`: groups of nodes
    OnTree.path(tree, whole=False)               moves of optimal play: `answer(["go", "stop"])`, or `answer({0: "go"})`
    OnTree.draw(game)                            legal moves of an ending: `answer({0: ["attack 9c", "attack Kd"], …})`

Nodes are given by numbers, or by the moves that lead there. All four take `question`, `why`, `name`, `number` and `language`. `view` is
the tree on screen; `judge()` judges what was done there. A `question` that says “you” means the `seat`, or the player of `you=`, and so
do the reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.blackboard_exercise import OnBoard, aside
from durak_widget.exercises.blackboard_serialization import tree_again, words_again
from durak_widget.exercises.equilibrium_path_question import Path
from durak_widget.exercises.information_set_question import Sets, parted
from durak_widget.exercises.node_and_cell_lookup import names_of, place_name
from durak_widget.exercises.node_value_question import Values
from durak_widget.exercises.paper_form import ByHand, DrawnByHand, printed_board
from durak_widget.exercises.tree_construction_question import Drawn
from durak_widget.gametheory.tree import require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.blackboard_exercise import Asked
    from durak_widget.exercises.paper_form import HandWork
    from durak_widget.gametheory.tree import Tree

WHOLE: Final = 150
"""The largest number of nodes of a tree that is shown completely; a larger one is unfolded at the asked nodes."""


class OnTree(OnBoard):
    """An exercise on a tree.

    >>> from durak_widget import gametheory
    >>> places = {"": gametheory.Turn(0, "begins", [("stop", "s"), ("go", "g")]), "s": gametheory.End((1, 0)), "t": gametheory.End((0, 3)), "h": gametheory.End((2, 2))}
    >>> places["g"] = gametheory.Turn(1, "answers", [("take", "t"), ("share", "h")])
    >>> tree = gametheory.grow("", places.__getitem__, seats=2, names=("Ann", "Bob"))
    >>> quiz = OnTree.values(tree)
    >>> print(quiz.answer(["1, 0", "2, 2"]))
    Not yet. After “go”, Bob chooses, and takes what is best for Bob: you took what is least.
    >>> quiz.answer({(): "1, 0", ("go",): "0, 3"}).right, quiz.check()
    (True, True)
    >>> quiz = OnTree.path(tree)
    >>> print(quiz.answer(["go", "take"]))
    Not yet. At the start, “go” brings Ann 0, and “stop” would bring 1.
    >>> quiz.solution
    ['stop']
    """

    called = "tree"

    def __init__(self, tree: Tree, asked: Asked[Any], **more: Any) -> None:  # noqa: ANN401 - checked by `aside`
        """Ask on a tree; see `OnTree.values`, `OnTree.sets` and `OnTree.path`."""
        super().__init__(asked, **aside(more, "OnTree", tree.seats))
        self.tree = tree
        """The complete tree; the one on screen may show less."""

    @classmethod
    def values(
        cls,
        tree: Tree,
        nodes: Iterable[object] | None = None,
        seat: int | None = None,
        *,
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `aside`
    ) -> OnTree:
        """Ask for the values of these nodes, for all players or for one.

        By default all nodes are asked except the terminal ones.

        >>> from durak_widget import gametheory
        >>> coin = {"": gametheory.Draw([("heads", 1/2, "h"), ("tails", 1/2, "t")]), "h": gametheory.End((3, -3)), "t": gametheory.End((-1, 1))}
        >>> quiz = OnTree.values(gametheory.grow("", coin.__getitem__, seats=2), seat=0)
        >>> print(quiz.answer(3))
        Not yet. At the start, chance draws: that is the value after “heads” alone, and each way counts with its probability.
        >>> bool(quiz.answer("1"))
        True
        """
        require_tree(tree)
        return cls(tree, Values(tree, nodes, seat, question), **more)

    @classmethod
    def sets(cls, tree: Tree, *, question: Text = "", **more: Any) -> OnTree:  # noqa: ANN401
        """Ask for the nodes that the acting player can't distinguish.

        The tree is shown without its information sets.

        >>> from durak_widget import gametheory
        >>> def look(where):
        ...     if len(where) == 2:
        ...         return gametheory.End((1, -1) if where[0] == where[1] else (-1, 1))
        ...     return gametheory.Turn(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])
        >>> quiz = OnTree.sets(gametheory.grow("", look, seats=2, names=("Even", "Odd")))
        >>> print(quiz.answer([[0, 1]]))
        Not yet. At the start, Even is to act, and after “heads” it is Odd. Groups of places that look the same and are not joined yet: 1.
        >>> bool(quiz.answer([[1, 2]]))
        True
        """
        require_tree(tree)
        return cls(tree, Sets(tree, question), **more)

    @classmethod
    def path(cls, tree: Tree, *, whole: bool = False, question: Text = "", **more: Any) -> OnTree:  # noqa: ANN401
        """Ask for the moves of optimal play, on the path or at every node (`whole`).

        If several moves are equally good, each of them is right.
        """
        require_tree(tree)
        return cls(tree, Path(tree, question, whole=whole), **more)

    @classmethod
    def draw(cls, game: Game, *, question: Text = "", **more: Any) -> OnTree:  # noqa: ANN401
        """Ask for the extensive form of this ending.

        The tree also has illegal moves; the student draws the legal ones.

        >>> from durak_widget import Game
        >>> quiz = OnTree.draw(Game.from_position("econ431", hands=["9c Kd", "Tc"], trump="h"))
        >>> print(quiz.answer({(): ["attack 9c", "attack Kd"], ("attack 9c",): "beat 9c Tc"}))
        Not yet. After “attacks with 9♣︎”, Player 2 may do more than you have drawn; branches still missing there: 1.
        >>> bool(quiz.answer(quiz.solution))
        True
        """
        draw_question = Drawn(game, question)
        return cls(draw_question.tree, draw_question, **more)

    def give(self, message: Mapping[str, object]) -> None:
        """Take a message from the view; where a branch is drawn, the tree is unfolded."""
        super().give(message)
        self._unfold()

    def answer(self, answer: object) -> Verdict:
        """Judge a whole answer, which is shown on the view too."""
        verdict = super().answer(answer)
        self._unfold()
        return verdict

    def reveal(self) -> str:
        """Show the solution, on the view too."""
        text = super().reveal()
        self._unfold()
        return text

    def again(self) -> None:
        """Start again."""
        super().again()
        self._unfold()

    def _unfold(self) -> None:
        """Unfold the drawn branches and no others."""
        if self._view is not None and isinstance(self._asked, Drawn):
            unfolded = self._asked.opened(self._given)
            self.view.unfolded.unfold_where([node in unfolded for node in range(self.tree.histories)])
            self.view.paint()

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> OnTree:
        """Build the exercise from the data that was handed out.

        Information sets come without the key.
        """
        asks, question = plain.get("asks"), words_again(plain.get("question"))
        if asks == "draw":
            return cls.draw(Game.at(str(plain.get("position"))), question=question)
        tree = tree_again(plain.get("tree"))
        builders: dict[object, Callable[[], Asked[Any]]] = {
            "values": lambda: Values(tree, plain.get("nodes"), plain.get("seat"), question),
            "path": lambda: Path(tree, question, whole=plain.get("whole") is True),
            "sets": lambda: Sets(tree, question, known=False),
        }
        if asks not in builders:
            raise DurakError(f"on a tree nobody is asked {quoted(asks)}")
        return cls(tree, builders[asks]())

    def by_hand(self) -> ByHand | None:
        """Return the tree for paper, with a letter at each node and blanks."""
        return tree_by_hand(self, parted(self.tree) if self.asks == "sets" else self.tree, self._asked.on_sheet())

    def _called(self, thing: object) -> str:
        return place_name(names_of(self.tree, self._language), thing)

    def _made_view(self) -> Any:  # noqa: ANN401 - the widget is fetched when it is needed
        if isinstance(self._asked, Drawn):
            from durak_widget.board.tree_widget import Tree as View  # noqa: PLC0415 - as above

            unfolded = self._asked.opened(self._given)
            view = View(self.tree, depth=1, language=self._language)
            view.unfolded.unfold_where([node in unfolded for node in range(self.tree.histories)])
            view.paint()
            return view
        return shown_whole(parted(self.tree) if self.asks == "sets" else self.tree, self._language, self._asked.wanted)


def tree_by_hand(task: OnBoard, tree: Tree, work: HandWork | None) -> ByHand | None:
    """Return a question on a tree for paper; None if the tree is too large for a page."""
    if work is None or tree.histories > WHOLE:
        return None

    def draw() -> tuple[DrawnByHand, ...]:
        view = shown_whole(tree, task.language)
        view.values, view.direction = False, "right"
        for node, label in work.marks.items():
            view.label(node, label)
        return (printed_board(view.svg(whole=True)),)

    return ByHand(task.asked_on_paper, task.voice.say(f"lesson.hand.{task.asks}", pairs="ab, cd"), draw, work.blanks, work.read, work.write)


def shown_whole(tree: Tree, language: str, wanted: Sequence[int] = ()) -> Any:  # noqa: ANN401 - as above
    """Return a tree widget, which shows a small tree completely.

    Of a larger tree it shows two levels and the paths to the `wanted` nodes.
    """
    from durak_widget.board.tree_widget import Tree as View  # noqa: PLC0415 - as above

    small = tree.histories <= WHOLE
    view = View(tree, depth=len(tree.levels) if small else 2, language=language)
    for node in () if small else wanted:
        view.look(node)
    view.look(0)
    return view
