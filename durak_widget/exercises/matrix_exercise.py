"""Exercises on a matrix: fill it in, strike out what is dominated, mark best responses.

    OnMatrix.fill(tree, cells=None)       what do these plans lead to? `answer({(0, 1): "1, -1"})`, or the payoffs row by row
    OnMatrix.strike(matrix, weak=False)   which plans should nobody follow? `answer(["Ann: silent", (1, 0)])`: in their order
    OnMatrix.best(matrix)                 what does each answer best? `answer([(0, 1, 0), (1, 1, 0)])`: whose payoff, row, column
    OnMatrix.equilibria(matrix)           which cells does neither leave alone? `answer([(1, 1)])`: row, column

A matrix is that of a tree, `gametheory.matrix(…)`, or rows of payoffs, with `rows=`, `columns=` and `names=`. All four take `question`, `why`, `name`,
`number`, `language`, and have the matrix that is shown as `view`; what was done there is judged by `judge()`.
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
    """Something to be done on a matrix.

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
        """Ask on a matrix; see `OnMatrix.fill`, `OnMatrix.strike` and `OnMatrix.best`."""
        spoken_to = 1 if asked.asks == "fill" else 2  # who fills in is asked what the first player gets
        super().__init__(asked, **aside(more, "OnMatrix", spoken_to))
        self._tree, self.table = source if isinstance(source, Tree) else None, table
        self._drawn: Any = None

    @classmethod
    def fill(cls, tree: Tree, cells: Iterable[object] | None = None, *, question: Text = "", **more: Any) -> OnMatrix:  # noqa: ANN401
        """What do the plans of these cells lead to on the tree (without `cells`: all of them)? In a zero-sum game one number will do.

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
        asked = Fill(tree, cells, question)
        return cls(tree, asked.table, asked, **more)

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
        """Which plans are dominated by another, and which then? Strictly, or also `weak`; any order that is right will do."""
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
        """What is the best answer to each plan of the other? All of them are marked, and equilibria are then read off."""
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
        """At which pairs of plans does neither gain by going away alone? All are marked; to mark none may be right.

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
        """What is drawn and asked; of a tree all of it, by which plans are called after what is done there."""
        found = super().ready_made()
        return found if found is None or self._tree is None else {**found, "tree": plain_tree(self._tree)}

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> OnMatrix:
        """Ask what was handed out."""
        asks, said = plain.get("asks"), words_again(plain.get("question"))
        source: Any = tree_again(plain["tree"]) if "tree" in plain else table_again(plain.get("table") or {})
        if asks == "fill":
            return cls.fill(source, plain.get("cells"), question=said)
        if asks == "strike":
            return cls.strike(source, weak=plain.get("weak") is True, question=said)
        if asks == "best":
            return (cls.equilibria if plain.get("whole") is True else cls.best)(source, question=said)
        raise DurakError(f"on a matrix nobody is asked {quoted(asks)}")

    def by_hand(self) -> ByHand | None:
        """The matrix to be written in, with the tree where cells are filled in from one; or with what is asked about its rows, columns and cells."""
        work = self._asked.on_sheet()
        if work is None or (self._tree is not None and self.asks == "fill" and self._tree.histories > WHOLE):
            return None
        saying = Saying(self.table, self._voice) if self._tree is None else saying_of(names_of(self._tree, self._language), self.table)
        open_cells = self._asked.on_cells() if isinstance(self._asked, Fill) else {}
        zero = self.table.zero_sum and self.asks != "best"  # where each payoff is marked, each stands there

        def cell(row: int, column: int) -> str:
            if (row, column) in open_cells:
                return corner_letter(open_cells[row, column])
            worth = [number_said(one) for one in self.table.payoffs[row][column]]
            return escape(worth[0] if zero else ", ".join(worth))

        plans = [[escape(saying.plan(seat, place)) for place in range(len(heads))] for seat, heads in enumerate(saying.heads)]
        named = [
            [f"<b>{label}</b> " if self.asks != "fill" else "" for label in (map(str, range(1, 99)), letters_for(99))[seat]]
            for seat in (0, 1)
        ]
        head = [f"{label}{said}" for label, said in zip(named[1], plans[1], strict=False)]
        rows = [(f"{named[0][row]}{said}", [cell(row, column) for column in range(len(head))]) for row, said in enumerate(plans[0])]
        corner = f"{escape(saying.names[1])} →<br>{escape(saying.names[0])} ↓"
        table = grid(head, rows, corner=corner, high=46 if open_cells else 30)

        def draw() -> tuple[DrawnByHand, ...]:
            whole = self.asks == "fill" and self._tree is not None
            return (*([printed_board(shown_whole(self._tree, self._language).svg(whole=True))] if whole else []), table)  # type: ignore[arg-type] # a tree, then

        blanks = tuple(one._replace(said=saying.names[place] if one.said else "") for place, one in enumerate(work.blanks))
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

        # asked from the first look on: later it would have told already
        view = View(self.table if self._tree is None else self._tree, language=self._language, task=self)
        view.observe(lambda _: self._light(), "told_matrix")
        return view

    def _ipython_display_(self) -> None:
        """Where cells are filled in from a tree, that tree stands between."""
        if self.asks != "fill":
            super()._ipython_display_()
            return
        Displayed._ipython_display_(self)
        self.drawn._ipython_display_()
        self.view._ipython_display_()

    @property
    def widgets(self) -> tuple[Door, ...]:
        """As it is displayed."""
        page, *board = super().widgets
        return (page, *([self.drawn] if self.asks == "fill" and self.drawn is not None else []), *board)

    @property
    def drawn(self) -> Any:  # noqa: ANN401 - the widget is fetched when it is needed
        """The tree in the notebook from which cells are filled in: it is there to be read, and does not fill them in itself; None where nothing is filled in."""
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
        """On the tree, where the cell leads in which one stands: what is asked stands at the end of that way, so not before it is answered."""
        if self._drawn is None or self._view is None:
            return
        cell, plans = self.view.selected, None
        if cell is not None and not self.view.told_task["cells"].get("{},{}".format(*cell), {}).get("open"):
            plans = self.table.rows[cell[0]], self.table.columns[cell[1]]
        self._drawn.strategic.light(plans)

    def _respoken(self) -> None:
        super()._respoken()
        if self._drawn is not None:
            self._drawn.language = self._language


class _Read:
    """What is asked beside a tree, which tells no more than the tree itself while it is."""

    asks, over = "fill", False

    def shown(self) -> dict[str, object]:
        """Nothing is asked on the tree."""
        return {}

    def give(self, message: Mapping[str, object]) -> None:  # noqa: ARG002 - the matrix takes it
        """Nothing is given there."""
        raise DurakError("payoffs are filled in on the matrix below the tree")
