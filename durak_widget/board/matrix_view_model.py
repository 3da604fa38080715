"""The state of a displayed matrix: selected cell, marks, eliminated strategies, and texts.

It also handles messages from the page, for a matrix alone and for one beside a tree. Messages that would reveal the
answer of an exercise are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.board import message_parsing
from durak_widget.board.iterated_elimination import IteratedElimination
from durak_widget.board.message_parsing import MessageError
from durak_widget.board.number_format import format_number_in_sentence, format_short_number
from durak_widget.board.tree_wording import clean_name
from durak_widget.errors import as_whole_number, short_repr
from durak_widget.gametheory.bimatrix_equilibria import equilibria
from durak_widget.gametheory.player_labels import is_unnamed
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from durak_widget.board.iterated_elimination import EliminationStep, NotDominated
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria, Equilibrium, MixtureProbabilities
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.i18n import Translator

MAX_SIZE: Final = 64
"""The maximum number of rows, and of columns, of a matrix that can be displayed."""
MESSAGE_HANDLERS: Final[dict[str, MessageHandler]] = {
    "select_cell": lambda grid, message: grid.select_cell(message.get("row"), message.get("column")),
    "eliminate": lambda grid, message: grid.eliminate(message.get("player"), message.get("strategy")),
    "undo_elimination": lambda grid, _: grid.undo(),
    "show_best_responses": lambda grid, message: setattr(grid, "marks", message_parsing.get_flag(message, "on")),
    "show_both_payoffs": lambda grid, message: setattr(grid, "pairs", message_parsing.get_flag(message, "on")),
    "list_equilibria": lambda grid, message: grid.list_equilibria(message_parsing.get_flag(message, "on")),
    "show_equilibrium": lambda grid, message: grid.show_equilibrium(message.get("index")),
}
"""The function that handles each kind of message from the page about a matrix."""
_REVEALING_KINDS: Final = {"eliminate", "show_best_responses", "list_equilibria", "show_equilibrium"}
"""Messages of these kinds are refused during a question, because they would reveal the answer."""


class MatrixViewModel:
    """A matrix as the page shows it: its marks, eliminated strategies, and selected cell.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> from durak_widget.board.matrix_view_model import MatrixWording
    >>> from durak_widget.i18n import Translator
    >>> table = matrix_from_payoffs([[1, -1], [-1, 1]])
    >>> MatrixViewModel(table, MatrixWording(table, Translator())).eliminate(0, 1)
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: For Row, “B” isn't dominated. Against “b” it pays 1, and every other strategy pays less.
    """

    def __init__(self, table: Matrix, wording: MatrixWording, *, pairs: bool = False, marks: bool = True) -> None:
        self.table, self.wording = table, wording
        self.elimination = IteratedElimination(table)
        self.is_zero_sum = table.is_zero_sum
        self.pairs = pairs
        """True if a matrix cell shows both players' payoffs even in a zero-sum game."""
        self.marks = marks
        """True if best responses are marked in the matrix."""
        self.question_state: Mapping[str, Any] = {}
        """The question asked on the matrix; {} if there is none. Nothing on the page may reveal its answer."""
        self.selected_cell: tuple[int, int] | None = None
        self.is_listing_equilibria = False
        """True if the page shows the list of equilibria."""
        self.shown_index: int | None = None
        """The index of the equilibrium whose probabilities the page shows beside rows and columns."""
        self._equilibria: Equilibria | None = None
        texts: dict[tuple[str, str], int] = {}
        self._payoff_indexes = [
            [
                texts.setdefault((format_short_number(row_payoff), format_short_number(column_payoff)), len(texts))
                for row_payoff, column_payoff in row
            ]
            for row in table.payoffs
        ]
        self._payoff_texts = [list(pair) for pair in texts]

    # --- Changes of the matrix ---

    def eliminate(self, player: object = None, strategy: object = None) -> EliminationStep:
        """Eliminate a given pure strategy; by default, the next dominated pure strategy.

        If the strategy is not dominated, the error message says why.
        """
        if player is None:
            step = self.elimination.find_next_step()
            if step is None:
                raise RefusedError("matrix.nothing")
        else:
            player_index, strategy_index = self.parse_strategy(player, strategy)
            if strategy_index not in self.elimination.remaining_strategies(player_index):
                raise self.wording.build_eliminated_error(player_index, strategy_index)
            step = self.elimination.find_domination(player_index, strategy_index)
            if step is None:
                raise self.wording.build_not_dominated_error(
                    player_index, strategy_index, self.elimination.explain_not_dominated(player_index, strategy_index)
                )
        self.elimination.eliminate(step)
        return step

    def undo(self) -> EliminationStep | None:
        """Restore the pure strategy that was eliminated last."""
        return self.elimination.undo()

    def select_cell(self, row: object = None, column: object = None) -> None:
        """Select a cell of the matrix; without arguments, clear the selection."""
        self.selected_cell = None if row is None and column is None else (self.parse_strategy(0, row)[1], self.parse_strategy(1, column)[1])

    def list_equilibria(self, shown: bool) -> None:  # noqa: FBT001 - True to show it, False to hide it
        """Show or hide the list of equilibria below the matrix."""
        self.is_listing_equilibria, self.shown_index = shown, None

    def show_equilibrium(self, index: object) -> None:
        """Show an equilibrium's probabilities beside the matrix; for None, remove them."""
        number = as_whole_number(index)
        if index is not None and (number is None or not 0 <= number < len(self.equilibria)):
            raise MessageError(
                f"there is no equilibrium {short_repr(index)} of this matrix; the equilibria are numbered from 0 to {len(self.equilibria) - 1}"
            )
        self.is_listing_equilibria, self.shown_index = True, number

    @property
    def equilibria(self) -> Equilibria:
        """Return all equilibria of the matrix, which are computed at the first call."""
        if self._equilibria is None:
            self._equilibria = equilibria(self.table)
        return self._equilibria

    def parse_strategy(self, player: object, strategy: object) -> tuple[int, int]:
        """Parse a player and a pure strategy from a message; raise an error if they are invalid."""
        player_index, strategy_index = as_whole_number(player), as_whole_number(strategy)
        if player_index not in (0, 1):
            raise MessageError(f"player must be 0, which has the rows, or 1, which has the columns, not {short_repr(player)}")
        count = len(self.wording.strategy_names[player_index])
        if strategy_index is None or not 0 <= strategy_index < count:
            raise MessageError(
                f"there is no {('row', 'column')[player_index]} {short_repr(strategy)} in this matrix; they are numbered from 0 to {count - 1}"
            )
        return player_index, strategy_index

    # --- The state that the page shows ---

    @property
    def hidden_cells(self) -> set[tuple[int, int]]:
        """Return the cells whose payoffs are hidden because a question asks for the payoffs."""
        cells = (
            [key.partition(",") for key in self.question_state.get("cells", ())]
            if self.question_state.get("question_kind") == "fill"
            else []
        )
        return {(int(row), int(column)) for row, _, column in cells}

    @property
    def are_best_responses_shown(self) -> bool:
        """Return whether the page marks best responses; during a question, it never does."""
        return self.marks and not self.question_state

    @property
    def shown_equilibria(self) -> Equilibria | None:
        """Return the list of equilibria if the page shows the list, otherwise None."""
        return self.equilibria if self.is_listing_equilibria and not self.question_state else None

    def to_message(self) -> dict[str, Any]:
        """Build the message with everything that the page shows of the matrix."""
        hidden = self.hidden_cells
        visible_pairs = {
            cell for row, cells in enumerate(self._payoff_indexes) for column, cell in enumerate(cells) if (row, column) not in hidden
        }
        has_question = bool(self.question_state)
        best = self.compute_best_responses()
        return {
            "names": list(self.wording.names),
            "rows": [list(strategy_name) for strategy_name in self.wording.strategy_names[0]],
            "columns": [list(strategy_name) for strategy_name in self.wording.strategy_names[1]],
            "payoffs": [pair if column in visible_pairs else ["", ""] for column, pair in enumerate(self._payoff_texts)],
            "cells": [
                [-1 if (row, column) in hidden else cell for column, cell in enumerate(cells)]
                for row, cells in enumerate(self._payoff_indexes)
            ],
            "is_zero_sum": self.is_zero_sum,
            "reduction_note": self.wording.describe_reduction(),
            "pairs": self.pairs or not self.is_zero_sum,
            "marks": self.are_best_responses_shown,
            "best_responses": [] if has_question else ["".join(map(str, row)) for row in best],
            "eliminated": [[step.player, step.strategy] for step in self.elimination.steps],
            "steps": [self.wording.describe_step(step) for step in self.elimination.steps],
            "can": {"eliminate": not has_question and self.elimination.find_next_step() is not None, "undo": bool(self.elimination.steps)},
            "selected": None if self.selected_cell is None else list(self.selected_cell),
            "text": self._describe_selected_cell(best),
            "equilibria": None if self.shown_equilibria is None else self._equilibria_to_message(self.shown_equilibria),
            "reached_nodes": [],
            "leading_strategies": None,
        }

    def compute_best_responses(self) -> list[list[int]]:
        """Return a number for each cell: 1 if its row is a best response, plus 2 if its column is.

        So the number is 3 for both and 0 for neither. It is 0 in all cells during a question. Eliminated strategies
        are ignored.
        """
        if self.question_state:
            return [[0] * len(self.table.columns) for _ in self.table.rows]
        rows, columns = (self.elimination.find_best_responses(player) for player in (0, 1))
        remaining = [set(self.elimination.remaining_strategies(player)) for player in (0, 1)]
        return [
            [
                (row in rows[column]) + 2 * (column in columns[row]) if row in remaining[0] and column in remaining[1] else 0
                for column in range(len(self.table.columns))
            ]
            for row in range(len(self.table.rows))
        ]

    def _describe_selected_cell(self, best: list[list[int]]) -> str:
        """Describe the selected cell in a sentence; return "" if no cell is selected."""
        if self.selected_cell is None:
            return ""
        row, column = self.selected_cell
        best_response = best[row][column] if self.are_best_responses_shown else 0
        return self.wording.describe_cell(
            row, column, best=(bool(best_response & 1), bool(best_response & 2)), hidden=self.selected_cell in self.hidden_cells
        )

    def _equilibria_to_message(self, found: Equilibria) -> dict[str, Any]:
        """Describe all equilibria for the page, with probabilities for the selected equilibrium."""
        probabilities: dict[str, list[str]] = {}
        if self.shown_index is not None:
            equilibrium = found.equilibria[self.shown_index]
            probabilities = {"rows": _format_probabilities(equilibrium.row), "columns": _format_probabilities(equilibrium.column)}
        return {
            "list": [self.wording.describe_equilibrium(equilibrium) for equilibrium in found],
            "notes": self.wording.describe_equilibria(found),
            "nash_subsets": [list(group) for group in found.nash_subsets],
            "shown_index": self.shown_index,
            **probabilities,
        }


def _format_probabilities(mixed_strategy: MixtureProbabilities) -> list[str]:
    """Format the probability of each pure strategy; for the probability 0, the text is empty."""
    return [format_short_number(probability) if probability else "" for probability in mixed_strategy]


class StrategyName(NamedTuple):
    """The short and the full name of a pure strategy, which is a row or column of a matrix."""

    short: str
    """The short name, which the heading in the matrix shows."""
    full: str
    """The full name, which describes the pure strategy without abbreviation."""


class MatrixWording:
    """Describes a matrix and its strategies in one language.

    >>> from durak_widget.board.iterated_elimination import IteratedElimination
    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> from durak_widget.i18n import Translator
    >>> table = matrix_from_payoffs([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> saying = MatrixWording(table, Translator())
    >>> print(saying.describe_step(IteratedElimination(table).find_next_step()))
    For Ann, “talks” strictly dominates “silent”: it always pays more, whatever Bob does.
    >>> print(saying.describe_cell(1, 1, best=(True, True)))
    Ann plays “talks”, Bob plays “talks”. Ann gets 1, Bob gets 1. Both players choose a best response, so this is an equilibrium.
    """

    def __init__(
        self,
        table: Matrix,
        voice: Translator,
        *,
        names: Sequence[str] = (),
        strategy_names: Sequence[Sequence[StrategyName]] = (),
        absent_minded: Sequence[int] = (),
    ) -> None:
        """Store the names of players and strategies; by default, use the matrix's own names.

        `absent_minded` lists the absent-minded players.
        """
        self.table, self.voice, self.absent_minded = table, voice, frozenset(absent_minded)
        default_names = [
            voice.translate("screen.name", number=player + 1) if is_unnamed(name, player) else name
            for player, name in enumerate(map(clean_name, table.names))
        ]
        self.names = tuple(names) or tuple(default_names)
        """The names of the two players."""
        self.strategy_names = tuple(strategy_names) or tuple(
            [
                StrategyName(clean_name(pure_strategy.short_label) or str(number), clean_name(pure_strategy.full_label) or str(number))
                for number, pure_strategy in enumerate(pure_strategies, 1)
            ]
            for pure_strategies in (table.rows, table.columns)
        )

    def format_strategy(self, player: int, strategy: int) -> str:
        """Return the short name of a pure strategy, given its player and index."""
        return self.strategy_names[player][strategy].short

    def describe_step(self, step: EliminationStep) -> str:
        """Describe an elimination step: the eliminated pure strategy and the dominating strategy."""
        kind = "mix" if len(step.dominated_by) > 1 else "strict" if step.is_strict else "weak"
        sentence = self.voice.translate(
            f"matrix.step.{kind}",
            by=self.format_mixed_strategy(step.player, step.dominated_by),
            **self._collect_facts(step.player, step.strategy),
        )
        return (
            f"{sentence} {self.voice.translate('matrix.step.absent', name=self.names[step.player])}"
            if step.player in self.absent_minded
            else sentence
        )

    def build_not_dominated_error(self, player: int, strategy: int, reason: NotDominated | None) -> RefusedError:
        """Build an error whose message explains why a pure strategy is not dominated."""
        facts = self._collect_facts(player, strategy)
        if reason is None:
            return RefusedError("matrix.kept.only", **facts)
        nearest = self.format_strategy(player, reason.nearest_strategy)
        if reason.opponent_strategy is None:
            return RefusedError("matrix.kept.same", by=nearest, **facts)
        against = self.format_strategy(1 - player, reason.opponent_strategy)
        payoff, lower_payoff = (
            format_number_in_sentence(self._get_payoff(player, compared, reason.opponent_strategy))
            for compared in (strategy, reason.nearest_strategy)
        )
        if reason.is_best_response:
            return RefusedError("matrix.kept.most", against=against, payoff=payoff, **facts)
        return RefusedError("matrix.kept.near", by=nearest, against=against, payoff=payoff, less=lower_payoff, **facts)

    def build_eliminated_error(self, player: int, strategy: int) -> RefusedError:
        """Build an error whose message says that a pure strategy is already eliminated."""
        return RefusedError("matrix.gone", **self._collect_facts(player, strategy))

    def describe_reduction(self) -> str:
        """Return a note if a matrix row or column stands for several equivalent strategies.

        Equivalent strategies differ only at information sets that the player's own earlier actions never reach.
        """
        for pure_strategies in (self.table.rows, self.table.columns):
            if len({infoset_index for pure_strategy in pure_strategies for infoset_index in pure_strategy.actions}) > min(
                (len(pure_strategy.actions) for pure_strategy in pure_strategies), default=0
            ):
                return self.voice.translate("matrix.reduced")
        return ""

    def describe_cell(self, row: int, column: int, *, best: tuple[bool, bool] = (False, False), hidden: bool = False) -> str:
        """Describe a matrix cell in a sentence: its strategies, payoffs and best responses."""
        sentences = [
            self.voice.translate(
                "matrix.cell",
                first=self.names[0],
                row=self.format_strategy(0, row),
                second=self.names[1],
                column=self.format_strategy(1, column),
            )
        ]
        if hidden:
            return " ".join([*sentences, self.voice.translate("matrix.cell.asked")])
        row_payoff, column_payoff = map(format_number_in_sentence, self.table.payoffs[row][column])
        sentences.append(
            self.voice.translate("matrix.worth", first=self.names[0], row_payoff=row_payoff, second=self.names[1], other=column_payoff)
        )
        if all(best):
            sentences.append(self.voice.translate("matrix.best.both"))
        elif any(best):
            sentences.append(self.voice.translate("matrix.best", name=self.names[best.index(True)]))
        return " ".join(sentences)

    def format_mixed_strategy(self, player: int, mixed_strategy: Iterable[tuple[int, Fraction]]) -> str:
        """Format a mixed strategy as a list of pure strategies with their probabilities."""
        return " + ".join(
            self.format_strategy(player, strategy)
            if probability == 1
            else f"{format_number_in_sentence(probability)} {self.format_strategy(player, strategy)}"
            for strategy, probability in mixed_strategy
            if probability
        )

    def describe_equilibrium(self, equilibrium: Equilibrium) -> str:
        """Describe one equilibrium of the matrix, with its payoffs."""
        rows, columns = (
            self.format_mixed_strategy(player, enumerate(probabilities))
            for player, probabilities in enumerate((equilibrium.row, equilibrium.column))
        )
        row_value, column_value = map(format_number_in_sentence, equilibrium.payoffs)
        return self.voice.translate(
            "matrix.equilibrium",
            first=self.names[0],
            row=rows,
            second=self.names[1],
            column=columns,
            row_payoff=row_value,
            other=column_value,
        )

    def describe_equilibria(self, found: Equilibria) -> list[str]:
        """Say whether the displayed list of equilibria is complete; add a zero-sum game's value."""
        value = (
            []
            if found.value is None
            else [self.voice.translate("matrix.value", name=self.names[0], value=format_number_in_sentence(found.value))]
        )
        if not found.complete:
            key = "matrix.note.large" if found.value is None else "matrix.note.value"
            size = {"rows": len(self.table.rows), "columns": len(self.table.columns)}
            return [*value, self.voice.translate(key, **size)]
        return [
            *value,
            self.voice.translate("matrix.note.more" if found.is_infinite else "matrix.note.all" if len(found) > 1 else "matrix.note.one"),
        ]

    def _collect_facts(self, player: int, strategy: int) -> dict[str, str]:
        """Return the names for a sentence about a pure strategy: both players and the strategy."""
        return {"name": self.names[player], "other": self.names[1 - player], "plan": self.format_strategy(player, strategy)}

    def _get_payoff(self, player: int, strategy: int, opponent_strategy: int) -> Fraction:
        """Return a player's payoff for a pair of pure strategies."""
        row, column = (strategy, opponent_strategy) if player == 0 else (opponent_strategy, strategy)
        return self.table.payoffs[row][column][player]


def handle_message(grid: MatrixViewModel, message: Mapping[str, Any]) -> None:
    """Handle a message about a matrix; refuse messages that would reveal an answer.

    >>> from durak_widget.board.matrix_view_model import MatrixViewModel
    >>> from durak_widget.board.matrix_view_model import MatrixWording
    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> from durak_widget.i18n import Translator
    >>> table = matrix_from_payoffs([[1, -1], [-1, 1]])
    >>> grid = MatrixViewModel(table, MatrixWording(table, Translator()))
    >>> handle_message(grid, {"kind": "select_cell", "row": 0, "column": 1})
    >>> grid.selected_cell
    (0, 1)
    """
    kind = message["kind"]
    if grid.question_state and kind in _REVEALING_KINDS:
        raise RefusedError("matrix.asked")
    MESSAGE_HANDLERS[kind](grid, message)


if TYPE_CHECKING:
    MessageHandler = Callable[[MatrixViewModel, Mapping[str, Any]], object]
