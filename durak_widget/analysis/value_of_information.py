"""What is it worth that a hand is hidden? The same game with hidden hands, with open ones, and with one seat that sees both."""

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
    """What a game is worth to seat 0 as its hands are hidden or not; each a `Solution` with its certificate."""

    hidden: Solution
    """Each seat sees its own hand."""
    opened: Solution
    """Both see both hands; only the talon is hidden."""
    seeing: tuple[Solution, Solution]
    """Seat 0 alone sees both hands, and seat 1 alone."""

    @property
    def opening(self) -> Number:
        """What seat 0 gains if both hands are laid open: it may be more or less than 0."""
        return self.opened.value - self.hidden.value

    def sees(self, seat: int) -> Number:
        """What a seat gains if it alone sees the other's hand: never less than 0, as it need not look."""
        return (self.seeing[seat].value - self.hidden.value) * (1 - 2 * seat)

    def table(self) -> list[dict[str, object]]:
        """A row for each way to hide, for `pandas.DataFrame` and the like."""
        ways = {
            "hands hidden": self.hidden,
            "hands open": self.opened,
            "Player 1 sees both": self.seeing[0],
            "Player 2 sees both": self.seeing[1],
        }
        return [{"way": way, "value": one.value, "gain to seat 0": one.value - self.hidden.value} for way, one in ways.items()]

    def __repr__(self) -> str:
        return "<Secret: " + ", ".join(f"{row['way']} {row['value']}" for row in self.table()) + ">"


def secret(rules: Rules | str | None = None, dealer: int = 0, *, limit: int = LIMIT) -> Secret:
    """What hidden hands are worth in a small game: it is solved four times.

    >>> from durak_widget import Rules
    >>> rules = Rules.preset("econ431", suits="cdh", ranks="67", hand_size=2, trump="none", attack_limit=1, first_attacker="left_of_dealer")
    >>> found = secret(rules, dealer=1)
    >>> found
    <Secret: hands hidden 4/15, hands open 11/30, Player 1 sees both 11/30, Player 2 sees both 4/15>
    >>> found.opening, found.sees(0), found.sees(1)
    (Fraction(1, 10), Fraction(1, 10), Fraction(0, 1))
    """
    hidden, *seeing = (solve(build(rules, dealer, seeing=seats, limit=limit)) for seats in ((), (0,), (1,)))
    opened = solve(build(rules, dealer, open_hands=True, limit=limit), "backward")
    return Secret(hidden, opened, (seeing[0], seeing[1]))
