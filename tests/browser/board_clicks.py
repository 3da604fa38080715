"""Answer exercises on trees and matrices by clicks, wrongly and rightly, in an empty page or a notebook."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator


PATIENCE: Final = 60
"""The seconds to wait for typed text."""


class BoardExercise(Protocol):
    """An exercise on the page with its tree or matrix."""

    @property
    def board(self) -> Locator:
        """Return the tree or matrix."""

    def know(self, expression: str) -> Any:
        """Return a value from Python, where the exercise is called `quiz`."""

    def press(self, button: str) -> None:
        """Press a button of the exercise."""

    def rest(self) -> None:
        """Wait until nothing moves."""


def node_of(doing: BoardExercise, history: int) -> Locator:
    """Return a node, scrolled into view."""
    doing.know(f"quiz.view.go_to({history})")
    doing.rest()
    return doing.board.locator(f".dk-node[data-id='{history}']")


def write(field: Locator, text: str) -> None:
    """Type into a field and submit."""
    field.fill(text)
    field.press("Enter")


def values_wrongly(doing: BoardExercise) -> None:
    """Type an impossible value."""
    node = doing.know("[*quiz.to_message()['nodes']][-1]")
    write(node_of(doing, int(node)).locator("input"), "77")
    doing.rest()


def values_rightly(doing: BoardExercise) -> None:
    """Type every value, from the last on."""
    asked = list(zip(doing.know("[*quiz.to_message()['nodes']]"), doing.know("list(quiz.solution)"), strict=True))
    for node, text in reversed(asked):
        write(node_of(doing, int(node)).locator("input"), text)
        doing.rest()


def sets_wrongly(doing: BoardExercise) -> None:
    """Join two nodes of different information sets."""
    node = doing.know("quiz.solution[0][0]")
    other = doing.know(
        f"next(here for here in quiz.to_message()['allowed_nodes'] if quiz.tree.infoset_of[here] != quiz.tree.infoset_of[{node}])"
    )
    join_nodes(doing, [node, other])


def sets_rightly(doing: BoardExercise) -> None:
    """Join every information set."""
    for group in doing.know("[list(group) for group in quiz.solution]"):
        join_nodes(doing, group)


def join_nodes(doing: BoardExercise, group: list[int]) -> None:
    """Select these nodes and join them."""
    for history in group:
        node_of(doing, history).locator(".dk-node-content").click(position={"x": 6, "y": 6})
        doing.rest()
    doing.board.get_by_role("button", name=english_text("screen.tree.join"), exact=True).click()
    doing.rest()


def path_wrongly(doing: BoardExercise) -> None:
    """Choose one bad move and otherwise the right ones."""
    worse = "next(({**right, node: move}) for right in [quiz._board_question.parse_answer(quiz.solution)] for node in right for move in range(quiz.tree.child_count[node]) if not quiz._board_question.grade({**right, node: move}).is_right)"
    choose_moves(doing, doing.know(worse))


def path_rightly(doing: BoardExercise) -> None:
    """Choose every right move."""
    choose_moves(doing, doing.know("quiz._board_question.parse_answer(quiz.solution)"))


def draw_wrongly(doing: BoardExercise) -> None:
    """Draw an illegal branch and the path to it."""
    draw_branches(
        doing,
        doing.know(
            "sorted(quiz._board_question.parse_answer([next(end for end in range(1, quiz.tree.history_count) if quiz._board_question._is_first_illegal(end))]))"
        ),
    )


def draw_rightly(doing: BoardExercise) -> None:
    """Draw every branch, from the root."""
    draw_branches(doing, doing.know("sorted(quiz._board_question.parse_answer(quiz._board_question.solution))"))


def draw_branches(doing: BoardExercise, ends: list[int]) -> None:
    """Click the moves that lead to these nodes."""
    for end in ends:
        node_of(doing, end).locator(".dk-move").click()
        doing.rest()


def choose_moves(doing: BoardExercise, moves: dict[int, int]) -> None:
    """Click these moves."""
    for node, move in moves.items():
        child = doing.know(f"quiz.tree.first_child[{node}] + {move}")
        node_of(doing, child).locator(".dk-move").click()
        doing.rest()


def fill_wrongly(doing: BoardExercise) -> None:
    """Type a wrong payoff."""
    row, column = doing.know("[*quiz.to_message()['cells']][0]").split(",")
    write(doing.board.locator(f"td[data-row='{row}'][data-column='{column}'] input"), "77")
    doing.rest()


def fill_rightly(doing: BoardExercise) -> None:
    """Fill every cell."""
    for cell, text in zip(doing.know("[*quiz.to_message()['cells']]"), doing.know("list(quiz.solution)"), strict=True):
        row, column = cell.split(",")
        write(doing.board.locator(f"td[data-row='{row}'][data-column='{column}'] input"), text)
        doing.rest()


def strike_wrongly(doing: BoardExercise) -> None:
    """Strike a strategy that is not dominated."""
    seat, place = doing.know(
        "next([seat, place] for seat in (0, 1) for place in range(len((quiz.matrix.rows, quiz.matrix.columns)[seat])) if quiz._board_question.grade(((seat, place),)).marks != {f'{seat},{place}': 'right'})"
    )
    strike(doing, [[seat, place]])


def strike_rightly(doing: BoardExercise) -> None:
    """Strike the dominated strategies one after another."""
    strike(doing, doing.know("[list(one) for one in quiz._board_question.parse_answer(quiz.solution)]"))


def strike(doing: BoardExercise, plans: list[list[int]]) -> None:
    """Click the headers of these strategies."""
    for seat, place in plans:
        doing.board.locator(f".dk-matrix-header[data-seat='{seat}'][data-place='{place}']").click()
        doing.rest()


def best_wrongly(doing: BoardExercise) -> None:
    """Mark only one best response."""
    mark_payoffs(doing, doing.know("[list(quiz.solution[0])]"))


def best_rightly(doing: BoardExercise) -> None:
    """Mark every best response."""
    mark_payoffs(doing, doing.know("[list(one) for one in quiz.solution]"))


def mark_payoffs(doing: BoardExercise, marks: list[list[int]]) -> None:
    """Click these payoffs."""
    for seat, row, column in marks:
        doing.board.locator(f"td[data-row='{row}'][data-column='{column}'] .dk-payoff[data-seat='{seat}']").click()
        doing.rest()


PURE = "next({place: move} for place, one in enumerate(quiz.tree.infosets) if one.player == (quiz._strategy_question.player or 0) for move in range(len(one.actions)) if not quiz._board_question.grade(quiz._board_question.parse_answer({place: one.actions[move]})).is_right)"
ROWS = "{place: [float(likely) for likely in quiz._board_question.parse_answer(quiz.solution).rows[place]] for place in quiz.solution}"


def strategy_wrongly(doing: BoardExercise) -> None:
    """Play a pure move where the solution mixes."""
    for place, move in doing.know(PURE).items():
        sets = len(doing.know(f"list(quiz.tree.infosets[{place}].actions)"))
        type_probabilities(doing, place, [float(number == move) for number in range(sets)])


def strategy_rightly(doing: BoardExercise) -> None:
    """Enter the solution in each information set."""
    for place, row in doing.know(ROWS).items():
        type_probabilities(doing, place, row)


def type_probabilities(doing: BoardExercise, place: int, row: list[float]) -> None:
    """Type the probability of each move. Each change rescales the others."""
    history = doing.know(
        f"next(here for here, actor in enumerate(quiz.tree.actor) if actor >= 0 and quiz.tree.infoset_of[here] == {place})"
    )
    node_of(doing, history)
    fields = doing.board.locator(".dk-probability-row .dk-probability-field")
    wait_for_fields(doing, place, fields)
    first = next(number for number, probability in enumerate(row) if probability)
    so_far = 0.0
    for number in [first, *(number for number in range(len(row)) if number != first)]:
        so_far += row[number]
        if number == first or row[number]:
            write(fields.nth(number), str(Fraction(row[number] / so_far).limit_denominator(1000)))
            wait_for_fields(doing, place, fields)


def wait_for_fields(doing: BoardExercise, place: int, fields: Locator) -> None:
    """Wait until the fields show what Python knows. Otherwise typing could meet old values."""
    until = monotonic() + PATIENCE
    while True:
        doing.rest()
        known = doing.know(f"quiz.view.solution_view['probabilities']['{place}']")
        field_texts = [fields.nth(number).input_value() for number in range(len(known))]
        if field_texts == known:
            return
        assert monotonic() < until, f"the fields show {field_texts}, and Python knows {known}"


BOARDS: dict[str, tuple[Callable[[Any], None], Callable[[Any], None]]] = {
    "values": (values_wrongly, values_rightly),
    "sets": (sets_wrongly, sets_rightly),
    "path": (path_wrongly, path_rightly),
    "draw": (draw_wrongly, draw_rightly),
    "fill": (fill_wrongly, fill_rightly),
    "strike": (strike_wrongly, strike_rightly),
    "best": (best_wrongly, best_rightly),
    "strategy": (strategy_wrongly, strategy_rightly),
}
"""How each kind of task is answered by clicks: wrongly, then rightly."""
