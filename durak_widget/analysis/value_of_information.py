"""Compares a game's values with hidden hands, open hands, and one player who sees all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from durak_widget.analysis.durak_tree import MAX_HISTORIES, build_game_tree
from durak_widget.gametheory.zero_sum_solver import Solution, solve

if TYPE_CHECKING:
    from durak_widget.gametheory.strategy import Number
    from durak_widget.rules.ruleset import Rules


@dataclass(frozen=True, repr=False)
class InformationValues:
    """The values of a game for player 0, for each way in which players may see the hands.

    All hands are hidden, all are open, or only one of the players sees both hands.

    Each value is a `Solution` with its certificate.
    """

    hidden_hands: Solution
    """The solution if each player sees only their own hand."""
    open_hands: Solution
    """The solution if both players see both hands, and only the talon is hidden."""
    one_player_sees: tuple[Solution, Solution]
    """Two solutions: if only player 0 sees both hands, and if only player 1 does."""

    @property
    def gain_from_open_hands(self) -> Number:
        """Return how much player 0 gains if both hands are open; the gain may be negative."""
        return self.open_hands.value - self.hidden_hands.value

    def gain_from_seeing(self, player: int) -> Number:
        """Return how much a player gains by being the only one who sees both hands.

        It is never negative, as they may ignore what they see.
        """
        return (self.one_player_sees[player].value - self.hidden_hands.value) * (1 - 2 * player)

    def table(self) -> list[dict[str, object]]:
        """Return a table of the values, with one row for each set of players who see both hands."""
        solution_by_case = {
            "hands hidden": self.hidden_hands,
            "hands open": self.open_hands,
            "Player 1 sees both": self.one_player_sees[0],
            "Player 2 sees both": self.one_player_sees[1],
        }
        return [
            {"way": case, "value": solution.value, "gain to seat 0": solution.value - self.hidden_hands.value}
            for case, solution in solution_by_case.items()
        ]

    def __repr__(self) -> str:
        return "<InformationValues: " + ", ".join(f"{row['way']} {row['value']}" for row in self.table()) + ">"


def compute_information_values(rules: Rules | str | None = None, dealer: int = 0, *, limit: int = MAX_HISTORIES) -> InformationValues:
    """Solve a small game for each set of players who see both hands; return all the values.

    >>> from durak_widget import Rules
    >>> rules = Rules.preset("econ431", suits="cdh", ranks="67", hand_size=2, trump="none", attack_limit=1, first_attacker="left_of_dealer")
    >>> found = compute_information_values(rules, dealer=1)
    >>> found
    <InformationValues: hands hidden 4/15, hands open 11/30, Player 1 sees both 11/30, Player 2 sees both 4/15>
    >>> found.gain_from_open_hands, found.gain_from_seeing(0), found.gain_from_seeing(1)
    (Fraction(1, 10), Fraction(1, 10), Fraction(0, 1))
    """
    hidden, *seeing = (solve(build_game_tree(rules, dealer, seeing=seeing_players, limit=limit)) for seeing_players in ((), (0,), (1,)))
    opened = solve(build_game_tree(rules, dealer, open_hands=True, limit=limit), "backward")
    return InformationValues(hidden, opened, (seeing[0], seeing[1]))
