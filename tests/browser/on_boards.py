"""How exercises on trees and matrices are done by clicks: wrongly, then rightly; on a painted page as in a notebook."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator


PATIENCE: Final = 60
"""So many seconds is what was typed waited for."""


class Doing(Protocol):
    """An exercise on the page, with the tree or the matrix below it."""

    @property
    def board(self) -> Locator:
        """Where the tree or the matrix stands."""

    def know(self, expression: str) -> Any:
        """What Python knows of the exercise, which is called `quiz` there."""

    def press(self, button: str) -> None:
        """Press a button of the sheet."""

    def rest(self) -> None:
        """Wait till nothing moves."""


def node_of(doing: Doing, history: int) -> Locator:
    """A history, brought to where it is seen."""
    doing.know(f"quiz.view.go_to({history})")
    doing.rest()
    return doing.board.locator(f".dk-node[data-id='{history}']")


def write(field: Locator, text: str) -> None:
    """Write into a field, and take it."""
    field.fill(text)
    field.press("Enter")


def values_wrongly(doing: Doing) -> None:
    """One value that nothing can bring."""
    node = doing.know("[*quiz.to_message()['nodes']][-1]")
    write(node_of(doing, int(node)).locator("input"), "77")
    doing.rest()


def values_rightly(doing: Doing) -> None:
    """Each, from the last on."""
    asked = list(zip(doing.know("[*quiz.to_message()['nodes']]"), doing.know("list(quiz.solution)"), strict=True))
    for node, text in reversed(asked):
        write(node_of(doing, int(node)).locator("input"), text)
        doing.rest()


def sets_wrongly(doing: Doing) -> None:
    """Two histories of different sets."""
    one = doing.know("quiz.solution[0][0]")
    other = doing.know(
        f"next(here for here in quiz.to_message()['allowed_nodes'] if quiz.tree.infoset_of[here] != quiz.tree.infoset_of[{one}])"
    )
    joined(doing, [one, other])


def sets_rightly(doing: Doing) -> None:
    """Group by group."""
    for group in doing.know("[list(group) for group in quiz.solution]"):
        joined(doing, group)


def joined(doing: Doing, group: list[int]) -> None:
    """Pick these histories, and join them."""
    for history in group:
        node_of(doing, history).locator(".dk-node-content").click(position={"x": 6, "y": 6})
        doing.rest()
    doing.board.get_by_role("button", name="Join", exact=True).click()
    doing.rest()


def path_wrongly(doing: Doing) -> None:
    """One move that is worse, the others as they should be."""
    worse = "next(({**right, node: move}) for right in [quiz._board_question.parse_answer(quiz.solution)] for node in right for move in range(quiz.tree.child_count[node]) if not quiz._board_question.grade({**right, node: move}).is_right)"
    chosen(doing, doing.know(worse))


def path_rightly(doing: Doing) -> None:
    """Move by move."""
    chosen(doing, doing.know("quiz._board_question.parse_answer(quiz.solution)"))


def draw_wrongly(doing: Doing) -> None:
    """The first branch that the rules forbid, and with it the way that leads there."""
    grown(
        doing,
        doing.know(
            "sorted(quiz._board_question.parse_answer([next(end for end in range(1, quiz.tree.history_count) if quiz._board_question._is_first_illegal(end))]))"
        ),
    )


def draw_rightly(doing: Doing) -> None:
    """Branch by branch, from the root on."""
    grown(doing, doing.know("sorted(quiz._board_question.parse_answer(quiz._board_question.solution))"))


def grown(doing: Doing, ends: list[int]) -> None:
    """Click the moves that lead to these histories."""
    for end in ends:
        node_of(doing, end).locator(".dk-move").click()
        doing.rest()


def chosen(doing: Doing, moves: dict[int, int]) -> None:
    """Click these moves."""
    for node, move in moves.items():
        child = doing.know(f"quiz.tree.first_child[{node}] + {move}")
        node_of(doing, child).locator(".dk-move").click()
        doing.rest()


def fill_wrongly(doing: Doing) -> None:
    """One payoff that is nowhere."""
    row, column = doing.know("[*quiz.to_message()['cells']][0]").split(",")
    write(doing.board.locator(f"td[data-row='{row}'][data-column='{column}'] input"), "77")
    doing.rest()


def fill_rightly(doing: Doing) -> None:
    """Cell by cell."""
    for cell, text in zip(doing.know("[*quiz.to_message()['cells']]"), doing.know("list(quiz.solution)"), strict=True):
        row, column = cell.split(",")
        write(doing.board.locator(f"td[data-row='{row}'][data-column='{column}'] input"), text)
        doing.rest()


def strike_wrongly(doing: Doing) -> None:
    """A plan that is not dominated."""
    seat, place = doing.know(
        "next([seat, place] for seat in (0, 1) for place in range(len((quiz.matrix.rows, quiz.matrix.columns)[seat])) if quiz._board_question.grade(((seat, place),)).marks != {f'{seat},{place}': 'right'})"
    )
    struck(doing, [[seat, place]])


def strike_rightly(doing: Doing) -> None:
    """One after another."""
    struck(doing, doing.know("[list(one) for one in quiz._board_question.parse_answer(quiz.solution)]"))


def struck(doing: Doing, plans: list[list[int]]) -> None:
    """Click the heads of these plans."""
    for seat, place in plans:
        doing.board.locator(f".dk-matrix-header[data-seat='{seat}'][data-place='{place}']").click()
        doing.rest()


def best_wrongly(doing: Doing) -> None:
    """One of the marks alone."""
    marked(doing, doing.know("[list(quiz.solution[0])]"))


def best_rightly(doing: Doing) -> None:
    """Each that is one."""
    marked(doing, doing.know("[list(one) for one in quiz.solution]"))


def marked(doing: Doing, marks: list[list[int]]) -> None:
    """Click these payoffs."""
    for seat, row, column in marks:
        doing.board.locator(f"td[data-row='{row}'][data-column='{column}'] .dk-payoff[data-seat='{seat}']").click()
        doing.rest()


PURE = "next({place: move} for place, one in enumerate(quiz.tree.infosets) if one.player == (quiz._strategy_question.player or 0) for move in range(len(one.actions)) if not quiz._board_question.grade(quiz._board_question.parse_answer({place: one.actions[move]})).is_right)"
ROWS = "{place: [float(likely) for likely in quiz._board_question.parse_answer(quiz.solution).rows[place]] for place in quiz.solution}"


def strategy_wrongly(doing: Doing) -> None:
    """One move for certain where it should not be."""
    for place, move in doing.know(PURE).items():
        sets = len(doing.know(f"list(quiz.tree.infosets[{place}].actions)"))
        weighed(doing, place, [float(number == move) for number in range(sets)])


def strategy_rightly(doing: Doing) -> None:
    """Each information set as it stands in the solution."""
    for place, row in doing.know(ROWS).items():
        weighed(doing, place, row)


def weighed(doing: Doing, place: int, row: list[float]) -> None:
    """Type how likely each move is; what is typed of one takes from the others, each in its measure."""
    history = doing.know(
        f"next(here for here, actor in enumerate(quiz.tree.actor) if actor >= 0 and quiz.tree.infoset_of[here] == {place})"
    )
    node_of(doing, history)
    fields = doing.board.locator(".dk-probability-row .dk-probability-field")
    settled(doing, place, fields)
    first = next(number for number, likely in enumerate(row) if likely)
    so_far = 0.0
    for number in [first, *(number for number in range(len(row)) if number != first)]:
        so_far += row[number]
        if number == first or row[number]:
            write(fields.nth(number), str(Fraction(row[number] / so_far).limit_denominator(1000)))
            settled(doing, place, fields)


def settled(doing: Doing, place: int, fields: Locator) -> None:
    """The fields show what Python knows, which hears of what was typed by another way than it is asked; before that, what is typed might be what still stands there."""
    until = monotonic() + PATIENCE
    while True:
        doing.rest()
        known = doing.know(f"quiz.view.solution_view['probabilities']['{place}']")
        shown = [fields.nth(number).input_value() for number in range(len(known))]
        if shown == known:
            return
        assert monotonic() < until, f"the fields show {shown}, and Python knows {known}"


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
"""What is asked, and how it is done by clicks: wrongly, then rightly."""
