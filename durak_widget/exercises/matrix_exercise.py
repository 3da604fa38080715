"""Defines the exercises on a matrix: payoffs, dominance, best responses and equilibria.

    OnMatrix.fill(tree, cells=None)       payoffs of strategy pairs: `answer({(0, 1): "1, -1"})`, or row by row
    OnMatrix.strike(matrix, weak=False)   dominated strategies, in order: `answer(["Ann: silent", (1, 0)])`
    OnMatrix.best(matrix)                 best responses: `answer([(0, 1, 0), (1, 1, 0)])`: player, row, column
    OnMatrix.equilibria(matrix)           pure equilibria: `answer([(1, 1)])`: row, column

A matrix is that of a tree, `gametheory.matrix(…)`, or rows of payoffs with `rows=`, `columns=` and `names=`. All four take `question`,
`why`, `name`, `number` and `language`. `view` is the matrix on screen; `judge()` judges what was done there.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from durak_widget.board.matrix_view_model import Saying
from durak_widget.board.number_format import number_said
from durak_widget.board.strategic_form_panel import saying_of
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.best_response_question import Best
from durak_widget.exercises.blackboard_exercise import OnBoard, aside
from durak_widget.exercises.blackboard_serialization import plain_tree, table_again, tree_again, words_again
from durak_widget.exercises.dominance_question import Strike
from durak_widget.exercises.equilibrium_question import InCells
from durak_widget.exercises.node_and_cell_lookup import PlanOf, matrix_given, names_of, place_name
from durak_widget.exercises.notebook_display import Displayed
from durak_widget.exercises.paper_form import ByHand, DrawnByHand, corner_letter, grid, letters_for, printed_board
from durak_widget.exercises.payoff_question import Fill
from durak_widget.exercises.tree_exercise import WHOLE, shown_whole
from durak_widget.gametheory.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.blackboard_exercise import Asked, Still
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.widgets.base_widget import Door


class OnMatrix(OnBoard):
    """An exercise on a matrix.

    >>> dilemma = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}
    >>> quiz = OnMatrix.strike([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **dilemma)
    >>> print(quiz.answer(["Ann: talks"]))
    Not yet. “talks” is not dominated by “silent”: against “silent” it brings 5, and “silent” only 3.
    >>> print(quiz.answer(quiz.solution))
    Right. “talks” against “talks” is left.
    >>> quiz = OnMatrix.best([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **dilemma)
    >>> print(quiz.answer([("Ann", "talks", "silent"), ("Ann", "talks", "talks"), ("Bob", "silent", "talks"), ("Bob", "talks", "talks")]))
    Right. Both payoffs are marked at “talks” against “talks”: there nobody gains by changing alone, which makes it an equilibrium.
    """

    called = "matrix"

    def __init__(self, source: object, table: Matrix, asked: Asked[Any], **more: Any) -> None:  # noqa: ANN401 - checked by `aside`
        """Ask on a matrix; see `OnMatrix.fill` and the other class methods."""
        spoken_to = 1 if asked.asks == "fill" else 2  # a cell asks for the payoff of the first player
        super().__init__(asked, **aside(more, "OnMatrix", spoken_to))
        self._tree, self.table = source if isinstance(source, Tree) else None, table
        self._drawn: Any = None

    @classmethod
    def fill(cls, tree: Tree, cells: Iterable[object] | None = None, *, question: Text = "", **more: Any) -> OnMatrix:  # noqa: ANN401
        """Ask for the payoffs of these cells (all, if None), read off a tree.

        In a zero-sum game one number in a cell is enough.

        >>> from durak_widget import gametheory
        >>> def look(where):
        ...     if len(where) == 2:
        ...         return gametheory.End((1, -1) if where[0] == where[1] else (-1, 1))
        ...     return gametheory.Turn(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])
        >>> quiz = OnMatrix.fill(gametheory.grow("", look, seats=2), cells=[(0, 0), ("heads", "tails")])
        >>> print(quiz.answer(["1", "1"]))
        Not yet. With “heads” and “tails”, that is what Player 2 gets; you are asked what Player 1 gets.
        >>> bool(quiz.answer(["1", "-1"]))
        True
        """
        fill_question = Fill(tree, cells, question)
        return cls(tree, fill_question.table, fill_question, **more)

    @classmethod
    def strike(
        cls,
        matrix: object,
        *,
        weak: bool = False,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        names: Sequence[str] = (),
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `aside`
    ) -> OnMatrix:
        """Ask for iterated elimination of dominated strategies.

        With `weak=True` weakly dominated strategies may be eliminated too. Every correct order is accepted.
        """
        table = matrix_given(matrix, rows, columns, names)
        return cls(matrix, table, Strike(table, question, weak=weak), **more)

    @classmethod
    def best(
        cls,
        matrix: object,
        *,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        names: Sequence[str] = (),
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `aside`
    ) -> OnMatrix:
        """Ask for all best responses to each pure strategy of the opponent.

        The pure equilibria can then be read off.
        """
        table = matrix_given(matrix, rows, columns, names)
        return cls(matrix, table, Best(table, question), **more)

    @classmethod
    def equilibria(
        cls,
        matrix: object,
        *,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        names: Sequence[str] = (),
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `aside`
    ) -> OnMatrix:
        """Ask for all equilibria in pure strategies; there may be none.

        >>> dilemma = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}
        >>> quiz = OnMatrix.equilibria([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **dilemma)
        >>> print(quiz.answer([("silent", "silent")]))
        Not yet. “silent” against “silent” is left: Ann gets 5 by “talks”, and 3 by staying. Equilibria still to be found: 1.
        >>> print(quiz.answer(quiz.solution))
        Right. “talks” against “talks”: there nobody gains by changing alone.
        """
        table = matrix_given(matrix, rows, columns, names)
        return cls(matrix, table, InCells(table, question), **more)

    def _called(self, thing: object) -> str:
        if self._tree is None:
            saying = Saying(self.table, self._voice)
        else:
            names = names_of(self._tree, self._language)
            if not isinstance(thing, PlanOf):
                return place_name(names, thing)
            saying = saying_of(names, self.table)
        return saying.plan(*thing) if isinstance(thing, PlanOf) else str(thing)

    def _dressed(self, still: Still) -> Still:
        return still._replace(plans=self._tree)

    def ready_made(self) -> dict[str, Any] | None:
        """Return the data from which the exercise can be built again, without the key.

        An exercise on a tree includes the tree, because the strategies are named after its moves.
        """
        data = super().ready_made()
        return data if data is None or self._tree is None else {**data, "tree": plain_tree(self._tree)}

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> OnMatrix:
        """Build the exercise from the data that was handed out."""
        asks, question = plain.get("asks"), words_again(plain.get("question"))
        source: Any = tree_again(plain["tree"]) if "tree" in plain else table_again(plain.get("table") or {})
        if asks == "fill":
            return cls.fill(source, plain.get("cells"), question=question)
        if asks == "strike":
            return cls.strike(source, weak=plain.get("weak") is True, question=question)
        if asks == "best":
            return (cls.equilibria if plain.get("whole") is True else cls.best)(source, question=question)
        raise DurakError(f"on a matrix nobody is asked {quoted(asks)}")

    def by_hand(self) -> ByHand | None:
        """Return the exercise for paper; None if it is not possible.

        It shows the matrix to fill in, with its tree if that is small enough; or labelled rows, columns and cells.
        """
        work = self._asked.on_sheet()
        if work is None or (self._tree is not None and self.asks == "fill" and self._tree.histories > WHOLE):
            return None
        saying = Saying(self.table, self._voice) if self._tree is None else saying_of(names_of(self._tree, self._language), self.table)
        open_cells = self._asked.on_cells() if isinstance(self._asked, Fill) else {}
        shows_one_number = self.table.zero_sum and self.asks != "best"  # best responses are marked for both payoffs

        def cell(row: int, column: int) -> str:
            if (row, column) in open_cells:
                return corner_letter(open_cells[row, column])
            numbers = [number_said(payoff) for payoff in self.table.payoffs[row][column]]
            return escape(numbers[0] if shows_one_number else ", ".join(numbers))

        strategies = [[escape(saying.plan(player, i)) for i in range(len(heads))] for player, heads in enumerate(saying.heads)]
        labels = [
            [f"<b>{label}</b> " if self.asks != "fill" else "" for label in (map(str, range(1, 99)), letters_for(99))[player]]
            for player in (0, 1)
        ]
        head = [f"{label}{name}" for label, name in zip(labels[1], strategies[1], strict=False)]
        rows = [(f"{labels[0][row]}{name}", [cell(row, column) for column in range(len(head))]) for row, name in enumerate(strategies[0])]
        corner = f"{escape(saying.names[1])} →<br>{escape(saying.names[0])} ↓"
        table = grid(head, rows, corner=corner, high=46 if open_cells else 30)

        def draw() -> tuple[DrawnByHand, ...]:
            has_tree = self.asks == "fill" and self._tree is not None
            return (*([printed_board(shown_whole(self._tree, self._language).svg(whole=True))] if has_tree else []), table)  # type: ignore[arg-type] # a tree, then

        blanks = tuple(blank._replace(said=saying.names[i] if blank.said else "") for i, blank in enumerate(work.blanks))
        return ByHand(
            self.asked_on_paper,
            self.voice.say(f"lesson.hand.{'cells' if isinstance(self._asked, InCells) else self.asks}"),
            draw,
            blanks,
            work.read,
            work.write,
        )

    def _made_view(self) -> Any:  # noqa: ANN401 - the widget is fetched when it is needed
        from durak_widget.board.matrix_widget import Matrix as View  # noqa: PLC0415 - as above

        # set the exercise at once: the first view must not show the payoffs
        view = View(self.table if self._tree is None else self._tree, language=self._language, task=self)
        view.observe(lambda _: self._light(), "told_matrix")
        return view

    def _ipython_display_(self) -> None:
        """Display the exercise; if cells are filled in from a tree, the tree is shown in between."""
        if self.asks != "fill":
            super()._ipython_display_()
            return
        Displayed._ipython_display_(self)
        self.drawn._ipython_display_()
        self.view._ipython_display_()

    @property
    def widgets(self) -> tuple[Door, ...]:
        """Return the widgets in the order in which they are displayed."""
        page, *board = super().widgets
        return (page, *([self.drawn] if self.asks == "fill" and self.drawn is not None else []), *board)

    @property
    def drawn(self) -> Any:  # noqa: ANN401 - the widget is fetched when it is needed
        """Return the tree to read payoffs from; None for exercises without one."""
        if self._drawn is None and self._tree is not None and self.asks == "fill":
            self._drawn = shown_whole(self._tree, self._language)
            self._changed()
        return self._drawn

    def _changed(self) -> None:
        super()._changed()
        if self._drawn is not None:
            self._drawn.task = None if self.over else _Read()
            self._light()

    def _light(self) -> None:
        """Highlight on the tree the path of the selected cell.

        An unanswered cell is not highlighted: the asked payoffs are at the end of its path.
        """
        if self._drawn is None or self._view is None:
            return
        cell, strategies = self.view.selected, None
        if cell is not None and not self.view.told_task["cells"].get("{},{}".format(*cell), {}).get("open"):
            strategies = self.table.rows[cell[0]], self.table.columns[cell[1]]
        self._drawn.strategic.light(strategies)

    def _respoken(self) -> None:
        super()._respoken()
        if self._drawn is not None:
            self._drawn.language = self._language


class _Read:
    """The exercise of a tree that is only read: it asks nothing there."""

    asks, over = "fill", False

    def shown(self) -> dict[str, object]:
        """Return an empty view model."""
        return {}

    def give(self, message: Mapping[str, object]) -> None:  # noqa: ARG002 - the matrix takes it
        """Refuse every message."""
        raise DurakError("payoffs are filled in on the matrix below the tree")
