"""Exercises on a matrix: payoffs, dominance, best responses and equilibria.

    OnMatrix.fill(tree, cells=None)       payoffs of strategy pairs: `answer({(0, 1): "1, -1"})`, or row by row
    OnMatrix.strike(matrix, weak=False)   dominated strategies, in order: `answer(["Ann: silent", (1, 0)])`
    OnMatrix.best(matrix)                 best responses: `answer([(0, 1, 0), (1, 1, 0)])`: player, row, column
    OnMatrix.equilibria(matrix)           pure equilibria: `answer([(1, 1)])`: row, column

A matrix is given as a tree, as `gametheory.matrix(…)`, or as rows of payoffs with `rows=`, `columns=` and `names=`. All four methods
take `question`, `why`, `name`, `number` and `language`. `view` is the widget of the matrix. `grade_current_answer()` grades the answer
that was clicked there.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from durak_widget.board.matrix_view_model import MatrixWording
from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.board.strategic_form_panel import build_matrix_wording
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.best_response_question import BestResponseQuestion
from durak_widget.exercises.blackboard_exercise import BoardExercise, require_known_options
from durak_widget.exercises.blackboard_serialization import matrix_from_dict, parse_translations, tree_from_dict, tree_to_dict
from durak_widget.exercises.dominance_question import DominanceQuestion
from durak_widget.exercises.equilibrium_question import EquilibriumQuestion
from durak_widget.exercises.node_and_cell_lookup import StrategyReference, build_tree_wording, format_reference, require_matrix
from durak_widget.exercises.notebook_display import NotebookDisplay
from durak_widget.exercises.paper_form import (
    PaperPicture,
    PaperQuestion,
    build_table,
    draw_board_for_print,
    format_cell_letter,
    make_labels,
)
from durak_widget.exercises.payoff_question import PayoffQuestion
from durak_widget.exercises.tree_exercise import MAX_FULLY_SHOWN_NODES, create_tree_view
from durak_widget.gametheory.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.widgets.base_widget import BaseWidget


class OnMatrix(BoardExercise):
    """An exercise that is answered on a payoff matrix.

    >>> dilemma = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}
    >>> quiz = OnMatrix.strike([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **dilemma)
    >>> print(quiz.answer(["Ann: talks"]))
    Not yet. “talks” is not dominated by “silent”. Against “silent”, “talks” pays 5, but “silent” pays only 3.
    >>> print(quiz.answer(quiz.solution))
    Right. Only “talks” against “talks” is left.
    >>> quiz = OnMatrix.best([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **dilemma)
    >>> print(quiz.answer([("Ann", "talks", "silent"), ("Ann", "talks", "talks"), ("Bob", "silent", "talks"), ("Bob", "talks", "talks")]))
    Right. Each cell where both payoffs are marked is an equilibrium: “talks” against “talks”. No player gains there by changing only their own strategy.
    """

    assignment_kind = "matrix"

    def __init__(self, source: object, matrix: Matrix, board_question: BoardQuestion[Any], **more: Any) -> None:  # noqa: ANN401 - checked by `require_known_options`
        """Set up an exercise on a matrix; use `OnMatrix.fill` and the other class methods instead."""
        # A question about payoffs can address only player 1 as “you”
        addressable_player_count = 1 if board_question.question_kind == "fill" else 2
        super().__init__(board_question, **require_known_options(more, "OnMatrix", addressable_player_count))
        self._tree, self.matrix = source if isinstance(source, Tree) else None, matrix
        self._payoff_tree: Any = None

    @classmethod
    def fill(cls, tree: Tree, cells: Iterable[object] | None = None, *, question: Text = "", **more: Any) -> OnMatrix:  # noqa: ANN401
        """Ask the student to find, from a tree, the payoffs of some matrix cells or of all cells.

        In a zero-sum game, one number is enough in each cell.

        >>> from durak_widget import gametheory
        >>> def look(where):
        ...     if len(where) == 2:
        ...         return gametheory.TerminalNode((1, -1) if where[0] == where[1] else (-1, 1))
        ...     return gametheory.DecisionNode(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])
        >>> quiz = OnMatrix.fill(gametheory.build_tree("", look, player_count=2), cells=[(0, 0), ("heads", "tails")])
        >>> print(quiz.answer(["1", "1"]))
        Not yet. “heads” against “tails”: you wrote what Player 2 gets. Write what Player 1 gets.
        >>> bool(quiz.answer(["1", "-1"]))
        True
        """
        fill_question = PayoffQuestion(tree, cells, question)
        return cls(tree, fill_question.matrix, fill_question, **more)

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
        **more: Any,  # noqa: ANN401 - checked by `require_known_options`
    ) -> OnMatrix:
        """Ask the student to eliminate dominated strategies one after another.

        With `weak=True`, weakly dominated strategies may be eliminated too. Every correct order is accepted.
        """
        table = require_matrix(matrix, rows, columns, names)
        return cls(matrix, table, DominanceQuestion(table, question, weak=weak), **more)

    @classmethod
    def best(
        cls,
        matrix: object,
        *,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        names: Sequence[str] = (),
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `require_known_options`
    ) -> OnMatrix:
        """Ask the student for all best responses to each pure strategy of the other player.

        The marked payoffs also show the equilibria in pure strategies.
        """
        table = require_matrix(matrix, rows, columns, names)
        return cls(matrix, table, BestResponseQuestion(table, question), **more)

    @classmethod
    def equilibria(
        cls,
        matrix: object,
        *,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        names: Sequence[str] = (),
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `require_known_options`
    ) -> OnMatrix:
        """Ask the student for all equilibria in pure strategies, of which there may be none.

        >>> dilemma = {"rows": ["silent", "talks"], "columns": ["silent", "talks"], "names": ("Ann", "Bob")}
        >>> quiz = OnMatrix.equilibria([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], **dilemma)
        >>> print(quiz.answer([("silent", "silent")]))
        Not yet. “silent” against “silent” is not an equilibrium: Ann gets 3 there, but would get 5 with “talks”. 1 equilibrium is still missing.
        >>> print(quiz.answer(quiz.solution))
        Right. In “talks” against “talks”, no player gains by changing only their own strategy.
        """
        table = require_matrix(matrix, rows, columns, names)
        return cls(matrix, table, EquilibriumQuestion(table, question), **more)

    def _format_name(self, value: object) -> str:
        if self._tree is None:
            wording = MatrixWording(self.matrix, self._voice)
        else:
            tree_wording = build_tree_wording(self._tree, self._language)
            if not isinstance(value, StrategyReference):
                return format_reference(tree_wording, value)
            wording = build_matrix_wording(tree_wording, self.matrix)
        return wording.format_strategy(*value) if isinstance(value, StrategyReference) else str(value)

    def _complete_picture(self, picture: BoardPicture) -> BoardPicture:
        return picture._replace(strategy_tree=self._tree)

    def to_snapshot(self) -> dict[str, Any] | None:
        """Return the exercise without its answer key, as JSON-compatible values.

        An exercise on a tree includes the tree, because the strategies are named after its moves.
        """
        snapshot = super().to_snapshot()
        return snapshot if snapshot is None or self._tree is None else {**snapshot, "tree": tree_to_dict(self._tree)}

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> OnMatrix:
        """Build an exercise from a snapshot, as returned by `to_snapshot`."""
        question_kind, question = snapshot.get("asks"), parse_translations(snapshot.get("question"))
        source: Any = tree_from_dict(snapshot["tree"]) if "tree" in snapshot else matrix_from_dict(snapshot.get("table") or {})
        if question_kind == "fill":
            return cls.fill(source, snapshot.get("cells"), question=question)
        if question_kind == "strike":
            return cls.strike(source, weak=snapshot.get("weak") is True, question=question)
        if question_kind == "best":
            return (cls.equilibria if snapshot.get("whole") is True else cls.best)(source, question=question)
        raise DurakError(f"there is no question {short_repr(question_kind)} for a matrix")

    def to_paper_question(self) -> PaperQuestion | None:
        """Return the exercise for a printed sheet; None if it can't be printed.

        The sheet has the matrix to fill in, with its tree if the tree is small enough, or a matrix with labelled rows, columns and
        cells.
        """
        paper_form = self._board_question.to_paper()
        if paper_form is None or (
            self._tree is not None and self.question_kind == "fill" and self._tree.history_count > MAX_FULLY_SHOWN_NODES
        ):
            return None
        wording = (
            MatrixWording(self.matrix, self._voice)
            if self._tree is None
            else build_matrix_wording(build_tree_wording(self._tree, self._language), self.matrix)
        )
        open_cells = self._board_question.label_cells() if isinstance(self._board_question, PayoffQuestion) else {}
        # In questions on best responses, students mark the payoffs of both players
        shows_one_number = self.matrix.is_zero_sum and self.question_kind != "best"

        def format_cell(row: int, column: int) -> str:
            if (row, column) in open_cells:
                return format_cell_letter(open_cells[row, column])
            numbers = [format_number_in_sentence(payoff) for payoff in self.matrix.payoffs[row][column]]
            return escape(numbers[0] if shows_one_number else ", ".join(numbers))

        strategies = [
            [escape(wording.format_strategy(player, i)) for i in range(len(heads))] for player, heads in enumerate(wording.strategy_names)
        ]
        labels = [
            [f"<b>{label}</b> " if self.question_kind != "fill" else "" for label in (map(str, range(1, 99)), make_labels(99))[player]]
            for player in (0, 1)
        ]
        column_heads = [f"{label}{name}" for label, name in zip(labels[1], strategies[1], strict=False)]
        rows = [
            (f"{labels[0][row]}{name}", [format_cell(row, column) for column in range(len(column_heads))])
            for row, name in enumerate(strategies[0])
        ]
        corner = f"{escape(wording.names[1])} →<br>{escape(wording.names[0])} ↓"
        table = build_table(column_heads, rows, corner=corner, min_row_height=46 if open_cells else 30)

        def draw_pictures() -> tuple[PaperPicture, ...]:
            has_tree = self.question_kind == "fill" and self._tree is not None
            return (*([draw_board_for_print(create_tree_view(self._tree, self._language).svg(whole=True))] if has_tree else []), table)  # type: ignore[arg-type] # it is a tree in this case

        blanks = tuple(blank._replace(prompt=wording.names[i] if blank.prompt else "") for i, blank in enumerate(paper_form.blanks))
        return PaperQuestion(
            self.question_for_paper,
            self.voice.translate(f"lesson.hand.{'cells' if isinstance(self._board_question, EquilibriumQuestion) else self.question_kind}"),
            draw_pictures,
            blanks,
            paper_form.parse_texts,
            paper_form.write_solution,
        )

    def _create_view(self) -> Any:  # noqa: ANN401 - the widget is imported only when needed
        from durak_widget.board.matrix_widget import MatrixWidget  # noqa: PLC0415 - as above

        # Set the question at once: otherwise the widget would first show the payoffs that the student has to find
        view = MatrixWidget(self.matrix if self._tree is None else self._tree, language=self._language, question=self)
        view.observe(lambda _: self._highlight_selected_path(), "matrix_view")
        return view

    def _ipython_display_(self) -> None:
        """Display the exercise; if students read the payoffs from a tree, show this tree above."""
        if self.question_kind != "fill":
            super()._ipython_display_()
            return
        NotebookDisplay._ipython_display_(self)
        self.payoff_tree._ipython_display_()
        self.view._ipython_display_()

    @property
    def widgets(self) -> tuple[BaseWidget, ...]:
        """Return the widgets of the exercise in the order in which they are displayed."""
        page, *board = super().widgets
        return (page, *([self.payoff_tree] if self.question_kind == "fill" and self.payoff_tree is not None else []), *board)

    @property
    def payoff_tree(self) -> Any:  # noqa: ANN401 - the widget is imported only when needed
        """Return the tree widget from which students read payoffs; None if there is no tree."""
        if self._payoff_tree is None and self._tree is not None and self.question_kind == "fill":
            self._payoff_tree = create_tree_view(self._tree, self._language)
            self._refresh()
        return self._payoff_tree

    def _refresh(self) -> None:
        super()._refresh()
        if self._payoff_tree is not None:
            self._payoff_tree.question = None if self.is_over else _ReadOnlyTreeQuestion()
            self._highlight_selected_path()

    def _highlight_selected_path(self) -> None:
        """Highlight the path on the tree that leads to the payoffs of the selected matrix cell.

        The path to an unanswered cell is not highlighted, because the payoffs to find are at its end.
        """
        if self._payoff_tree is None or self._view is None:
            return
        cell, strategies = self.view.selected_cell, None
        if cell is not None and not self.view.question_view["cells"].get("{},{}".format(*cell), {}).get("open"):
            strategies = self.matrix.rows[cell[0]], self.matrix.columns[cell[1]]
        self._payoff_tree.strategic_form.highlight_strategies(strategies)

    def _propagate_language(self) -> None:
        super()._propagate_language()
        if self._payoff_tree is not None:
            self._payoff_tree.language = self._language


class _ReadOnlyTreeQuestion:
    """An empty question for a tree on which students only look up payoffs."""

    question_kind, is_over = "fill", False

    def to_message(self) -> dict[str, object]:
        """Return no data for the front end, since no question is asked on this tree."""
        return {}

    def handle_answer(self, message: Mapping[str, object]) -> None:  # noqa: ARG002 - the matrix widget handles answers
        """Raise an error, since the tree accepts no answer."""
        raise DurakError("fill in the payoffs on the matrix below the tree")
