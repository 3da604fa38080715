"""What a solution says of a tree: how likely each move is, what each history is worth, where play leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.needs import View
    from durak_widget.theory.solution import Solution
    from durak_widget.theory.strategy import Number, Strategy


class Solved:
    """The solution of a tree, one's own strategy for it, and what of them is shown: one for each view."""

    def __init__(self, view: View, solution: Solution | None) -> None:
        self.view = view
        self.solution = solution
        self.own: Strategy | None = None

    @property
    def strategy(self) -> Strategy | None:
        """The strategy that is shown: one's own, that which is being learned, or the solution's."""
        return self.own if self.own is not None else None if self.solution is None else self.solution.strategy

    @property
    def exploitability(self) -> Number | None:
        """How much one's own strategy could be exploited; None where there is none."""
        return None

    def solve(self, method: str) -> None:  # noqa: ARG002
        """Solve the game, and show that."""
        raise DurakError("solving on the tree is not there yet")

    def best(self, seat: int | None) -> None:  # noqa: ARG002
        """Mark the best responses of a seat to the strategy that is shown; None: none."""
        raise DurakError("best responses on the tree are not there yet")

    def play(self, strategy: Strategy | None) -> None:  # noqa: ARG002
        """Make this one's own strategy."""
        raise DurakError("a strategy of one's own on the tree is not there yet")

    def likely(self, place: int, move: int, to: str) -> None:  # noqa: ARG002
        """Make one move of an information set so likely in one's own strategy."""
        raise DurakError("a strategy of one's own on the tree is not there yet")

    def told(self) -> dict[str, Any]:
        """The trait `solution`: what is shown of all that, for the histories that are shown; {} where there is nothing."""
        return {}


def solve(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401, ARG001
    """`solve {method}`."""
    raise DurakError("solving on the tree is not there yet")


best = likely = forget = solve
