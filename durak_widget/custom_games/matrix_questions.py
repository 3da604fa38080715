"""Questions about the matrix of a game, or the strategic form of its tree.

They ask for payoffs, dominance, best responses, equilibria, mixing, and the value.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.game_instance import MOST_MIXED, MOST_PLANS
from durak_widget.custom_games.question_type import AskedByName
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.payoff_question import MOST
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.solver_selection import solve
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import DrawnGame
    from durak_widget.gametheory.bimatrix_equilibria import Equilibrium, Mix
    from durak_widget.gametheory.strategic_form import Matrix, Plan
    from durak_widget.gametheory.tree import Tree


def _not_a_matrix(game: DrawnGame) -> str:
    """Return why a game has no questions on a matrix; empty if it has."""
    if game.tree.seats != 2:
        return f"it is asked on a matrix, which is of a game for two, and this one has {game.tree.seats} players"
    if not game.remembers:
        return "it is asked where everybody remembers what they knew and did, and here somebody forgets"
    return "" if game.small else f"it is asked where each player has {MOST_PLANS} plans at most, and this game has more"


def _source(game: DrawnGame) -> Tree | Matrix:
    """Return what the board is made of: a matrix, or a tree for its strategic form."""
    return game.table if game.tabled else game.tree


class _Form(AskedByName):
    """Asks for the payoffs of the strategic form of a tree."""

    name, kind, points = "form", "matrix", 4
    given_away = dict.fromkeys(("dominance", "best-responses", "equilibria"), "table")
    counted = ("rows", "columns")

    def unfit(self, game: DrawnGame) -> str:
        if game.tabled:
            return "a matrix is filled in from a tree, and this game is a matrix already"
        if problem := _not_a_matrix(game):
            return problem
        cells = len(game.table.rows) * len(game.table.columns)
        return "" if cells <= MOST else f"{MOST} cells are filled in at most, and this game has {cells}"

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return len(game.table.rows), len(game.table.columns)

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.fill(game.tree, question=self.asked.question)


class _Dominance(AskedByName):
    """Asks for the dominated strategies and what remains without them."""

    name, kind, points = "dominance", "matrix", 3
    counted = ("plans struck", "rows left", "columns left")
    takes = ("weak",)
    lacks = "a plan that is dominated"

    def unfit(self, game: DrawnGame) -> str:
        return _not_a_matrix(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        elimination = game.table.eliminate(weak=bool(self.option("weak")))
        return (len(elimination.steps), len(elimination.left.rows), len(elimination.left.columns)) if elimination.steps else None

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.strike(_source(game), weak=bool(self.option("weak")), question=self.asked.question)


class _BestResponses(AskedByName):
    """Asks for the best responses to each strategy of the other player."""

    name, kind, points = "best-responses", "matrix", 3
    counted = ("payoffs to be marked", "equilibria among them")

    def unfit(self, game: DrawnGame) -> str:
        return _not_a_matrix(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        payoffs = game.table.payoffs
        column_maxima = [max(cell[0] for cell in column) for column in zip(*payoffs, strict=True)]
        marks = sum(
            (cell[0] == column_maximum) + (cell[1] == max(other_cell[1] for other_cell in row))
            for row in payoffs
            for cell, column_maximum in zip(row, column_maxima, strict=True)
        )
        return marks, len(game.pure)

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.best(_source(game), question=self.asked.question)


class _Equilibria(AskedByName):
    """Asks for the equilibria in pure strategies."""

    name, kind, points = "equilibria", "matrix", 3
    counted = ("how many there are",)

    def unfit(self, game: DrawnGame) -> str:
        problem = _not_a_matrix(game)
        return f"{problem}; 'equilibrium' asks for one, on the tree" if problem and game.remembers else problem

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        return (len(game.pure),)

    def make(self, game: DrawnGame) -> OnMatrix:
        return OnMatrix.equilibria(_source(game), question=self.asked.question)


class _Mixing(AskedByName):
    """Asks for the probability of a strategy in the only equilibrium, which is mixed."""

    name, kind, points = "mixing", "number", 4
    counted = ("plans mixed", "plans mixed by the other")
    takes = ("of",)
    lacks = "one equilibrium alone, and mixed"

    def unfit(self, game: DrawnGame) -> str:
        problem = _not_a_matrix(game)
        return problem or ("" if game.smaller else f"it is asked where each player has {MOST_MIXED} plans at most, and this game has more")

    def _found(self, game: DrawnGame) -> tuple[Equilibrium, int] | None:
        """Return the only equilibrium and the player asked about; None if they do not fit."""
        if game.mixed is None or game.mixed.infinite or len(game.mixed) != 1:
            return None
        [equilibrium] = game.mixed
        player = self.seat(game)
        return (equilibrium, player) if _mixed((equilibrium.row, equilibrium.column)[player]) > 1 else None

    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        found_pair = self._found(game)
        if found_pair is None:
            return None
        equilibrium, player = found_pair
        mixtures = equilibrium.row, equilibrium.column
        return _mixed(mixtures[player]), _mixed(mixtures[1 - player])

    def make(self, game: DrawnGame) -> Number:
        found_pair = self._found(game)
        assert found_pair is not None  # noqa: S101 - of others nothing is measured
        equilibrium, player = found_pair
        own_mixture, other_mixture = ((equilibrium.row, equilibrium.column), (equilibrium.column, equilibrium.row))[player]
        strategies = (game.table.rows, game.table.columns)
        played_indexes = [index for index, probability in enumerate(own_mixture) if probability]
        asked_index = game.rng(self.name).choice(played_indexes)
        other_index = next(index for index in played_indexes if index != asked_index)
        facts = {
            "who": self.who(game, player),
            "next": self.who(game, 1 - player),
            "plan": _words(strategies[player][asked_index]),
            "other": _words(strategies[player][other_index]),
        }
        mistakes = {
            "other": own_mixture[other_index],
            "theirs": next(probability for probability in other_mixture if probability),
            "even": Fraction(1, len(played_indexes)),
        }
        return Number(
            self.asked.question or Fact("class.own.mixing.asked", facts),
            own_mixture[asked_index],
            mistakes={name: (value, Fact(f"class.own.mixing.{name}", facts)) for name, value in mistakes.items()},
            hint=Fact("class.own.mixing.hint", facts),
            why=Fact("class.own.mixing.why", facts),
            beside=game.shown,
        )


def _mixed(mix: Mix) -> int:
    return sum(probability > 0 for probability in mix)


def _words(plan: Plan) -> str:
    return plan.words


class _Value(AskedByName):
    """Asks for the value of a zero-sum game."""

    name, kind, points = "value", "number", 3
    counted = ("plans mixed", "plans mixed by the other")
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        if not game.zero_sum:
            return "only a game for two in which one wins what the other loses has a value; of this one 'equilibria' can be asked, or 'equilibrium'"
        return "" if game.remembers else "it is asked where everybody remembers what they knew and did, and here somebody forgets"

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        if not game.small:
            return ()
        solution = minimax(game.table)
        return _mixed(solution.row), _mixed(solution.column)

    def make(self, game: DrawnGame) -> Number:
        player = self.seat(game)
        game_value = minimax(game.table).value if game.small else Fraction(solve(game.tree).value)
        right = -game_value if player else game_value
        facts = {"who": self.who(game, player), "next": self.who(game, 1 - player)}
        mistakes = {"turned": -right, **({"sure": self._sure(game, player)} if game.small else {})}
        return Number(
            self.asked.question or Fact("class.own.value.asked", facts),
            right,
            mistakes={name: (value, Fact(f"class.own.value.{name}", facts)) for name, value in mistakes.items()},
            why=Fact("class.own.value.why", facts),
            beside=game.shown,
        )

    @staticmethod
    def _sure(game: DrawnGame, seat: int) -> Fraction:
        """Return the payoff that a player can guarantee without mixing."""
        rows = [[cell[0] for cell in row] for row in game.table.payoffs]
        return max(map(min, rows)) if seat == 0 else -min(map(max, zip(*rows, strict=True)))


ON_MATRICES: Final[tuple[type[AskedByName], ...]] = (
    _Form,
    _Dominance,
    _BestResponses,
    _Equilibria,
    _Mixing,
    _Value,
)
