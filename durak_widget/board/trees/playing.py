"""Solving a tree in the notebook from code: its solution, the equilibria that were found, a strategy of one's own, best responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget.board.play.solved import Solved
    from durak_widget.games.solving.solution import Solution
    from durak_widget.games.solving.strategy import Number, Strategy


class TreePlay:
    """What may be asked of a tree about how it is played; `solved` does it."""

    solved: Solved

    @property
    def solution(self) -> Solution | None:
        """The solution that was found; None where there is none."""
        return self.solved.solution

    @property
    def strategy(self) -> Strategy | None:
        """One's own strategy, or what is shown; set one to try it."""
        return self.solved.strategy

    @strategy.setter
    def strategy(self, strategy: Strategy | None) -> None:
        self.solved.play(strategy)

    @property
    def exploitability(self) -> Number | None:
        """How much one's own strategy could be exploited; None where there is none."""
        return self.solved.exploitability

    def solve(self, method: str | None = None) -> None:
        """Solve the game, and show the solution on the tree; by the method that fits it best where none is named, and every game has an answer (see `theory.solve`).

        >>> from durak_widget import theory
        >>> view = theory.Tree(theory.textbook("outside-option"))
        >>> view.solve(); len(view.solution.found)
        4
        """
        self.solved.solve(method)

    def choose(self, place: int) -> None:
        """Show another of the equilibria that were found, by its place in `solution.found`.

        >>> from durak_widget import theory
        >>> view = theory.Tree(theory.textbook("outside-option"))
        >>> view.solve(); view.choose(1); view.strategy["stays or goes"]
        (Fraction(0, 1), Fraction(1, 1))
        """
        self.solved.choose(place)

    def logit(self, rationality: float | None = None) -> None:
        """Follow the path of logit equilibria, and show its point nearest to a λ; None: where it ends.

        >>> from durak_widget import theory
        >>> view = theory.Tree(theory.textbook("bayes"))
        >>> view.logit(0); view.strategy["does not know"]
        (0.5, 0.5)
        """
        self.solved.logit(rationality)

    def best(self, seat: int | None) -> None:
        """Mark the best responses of a seat to the strategy that is shown; None: none."""
        self.solved.best(seat)
