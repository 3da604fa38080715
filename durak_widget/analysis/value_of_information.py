"""Compares a game with hidden hands, with open hands, and with one player who sees both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from durak_widget.analysis.durak_tree import LIMIT, build
from durak_widget.gametheory.zero_sum_solver import Solution, solve

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Number
    from durak_widget.rules.ruleset import Rules


@dataclass(frozen=True, repr=False)
class Secret:
    """Value of a game for player 0 when hands are hidden, open, or seen by one player.

    Each is a `Solution` with its certificate.
    """

    hidden: Solution
    """Solution if each player sees only their own hand."""
    opened: Solution
    """Solution if both players see both hands, and only the talon is hidden."""
    seeing: tuple[Solution, Solution]
    """Solutions if only player 0 sees both hands, and if only player 1 does."""

    @property
    def opening(self) -> Number:
        """Return the gain of player 0 if both hands are open, which may be negative."""
        return self.opened.value - self.hidden.value

    def sees(self, seat: int) -> Number:
        """Return a player's gain if only they see the other hand.

        It is never negative, as they may ignore what they see.
        """
        return (self.seeing[seat].value - self.hidden.value) * (1 - 2 * seat)

    def table(self) -> list[dict[str, object]]:
        """Return a row for each case, for example for `pandas.DataFrame`."""
        solution_by_case = {
            "hands hidden": self.hidden,
            "hands open": self.opened,
            "Player 1 sees both": self.seeing[0],
            "Player 2 sees both": self.seeing[1],
        }
        return [
            {"way": case, "value": solution.value, "gain to seat 0": solution.value - self.hidden.value}
            for case, solution in solution_by_case.items()
        ]

    def __repr__(self) -> str:
        return "<Secret: " + ", ".join(f"{row['way']} {row['value']}" for row in self.table()) + ">"


def secret(rules: Rules | str | None = None, dealer: int = 0, *, limit: int = LIMIT) -> Secret:
    """Return the value of hidden information in a small game, by solving it four times.

    >>> from durak_widget import Rules
    >>> rules = Rules.preset("econ431", suits="cdh", ranks="67", hand_size=2, trump="none", attack_limit=1, first_attacker="left_of_dealer")
    >>> found = secret(rules, dealer=1)
    >>> found
    <Secret: hands hidden 4/15, hands open 11/30, Player 1 sees both 11/30, Player 2 sees both 4/15>
    >>> found.opening, found.sees(0), found.sees(1)
    (Fraction(1, 10), Fraction(1, 10), Fraction(0, 1))
    """
    hidden, *seeing = (solve(build(rules, dealer, seeing=seeing_players, limit=limit)) for seeing_players in ((), (0,), (1,)))
    opened = solve(build(rules, dealer, open_hands=True, limit=limit), "backward")
    return Secret(hidden, opened, (seeing[0], seeing[1]))
