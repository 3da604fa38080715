"""Defines questions about a matrix, or about the strategic form of a tree.

They ask for payoffs, dominance, best responses, equilibria, mixing, and the value.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.game_instance import MAX_STRATEGIES, MAX_STRATEGIES_FOR_MIXED
from durak_widget.custom_games.question_type import GameQuestion
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.payoff_question import MAX_CELLS
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.solver_selection import solve
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import GameInstance
    from durak_widget.gametheory.bimatrix_equilibria import Equilibrium, MixtureProbabilities
    from durak_widget.gametheory.strategic_form import Matrix, PureStrategy
    from durak_widget.gametheory.tree import Tree


def _find_matrix_problem(game: GameInstance) -> str:
    """Return why a game does not suit matrix questions, or "" if it does."""
    if game.tree.player_count != 2:
        return f"it needs the matrix of a two-player game, and this game has {game.tree.player_count} players"
    if not game.has_perfect_recall:
        return "it needs a game with perfect recall, and here a player forgets something"
    return (
        ""
        if game.is_small_enough
        else f"it needs a game in which each player has at most {MAX_STRATEGIES} pure strategies, and this game has more"
    )


def _get_board_source(game: GameInstance) -> Tree | Matrix:
    """Return what the matrix widget displays: a matrix, or a tree (as its strategic form)."""
    return game.matrix if game.is_matrix else game.tree


class _StrategicFormQuestion(GameQuestion):
    """A question about the payoffs in the strategic form of a tree."""

    name, kind, points = "form", "matrix", 4
    revealed_by = dict.fromkeys(("dominance", "best-responses", "equilibria"), "table")
    difficulty_labels = ("rows", "columns")

    def find_problem(self, game: GameInstance) -> str:
        if game.is_matrix:
            return "the student fills in a matrix from a tree, and this game is already a matrix"
        if problem := _find_matrix_problem(game):
            return problem
        cells = len(game.matrix.rows) * len(game.matrix.columns)
        return "" if cells <= MAX_CELLS else f"the student fills in at most {MAX_CELLS} cells, and this game has {cells}"

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        return len(game.matrix.rows), len(game.matrix.columns)

    def build_exercise(self, game: GameInstance) -> OnMatrix:
        return OnMatrix.fill(game.tree, question=self.request.question)


class _DominanceQuestion(GameQuestion):
    """A question about which strategies are eliminated as dominated."""

    name, kind, points = "dominance", "matrix", 3
    difficulty_labels = ("strategies eliminated", "rows left", "columns left")
    option_names = ("weak",)
    missing_feature = "a dominated strategy"

    def find_problem(self, game: GameInstance) -> str:
        return _find_matrix_problem(game)

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...] | None:
        elimination = game.matrix.eliminate_dominated(weak=bool(self.get_option("weak")))
        return (len(elimination.steps), len(elimination.remaining.rows), len(elimination.remaining.columns)) if elimination.steps else None

    def build_exercise(self, game: GameInstance) -> OnMatrix:
        return OnMatrix.strike(_get_board_source(game), weak=bool(self.get_option("weak")), question=self.request.question)


class _BestResponsesQuestion(GameQuestion):
    """A question about both players' best responses to each strategy of their opponent."""

    name, kind, points = "best-responses", "matrix", 3
    difficulty_labels = ("payoffs to mark", "equilibria among them")

    def find_problem(self, game: GameInstance) -> str:
        return _find_matrix_problem(game)

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        payoffs = game.matrix.payoffs
        column_maxima = [max(cell[0] for cell in column) for column in zip(*payoffs, strict=True)]
        marks = sum(
            (cell[0] == column_maximum) + (cell[1] == max(other_cell[1] for other_cell in row))
            for row in payoffs
            for cell, column_maximum in zip(row, column_maxima, strict=True)
        )
        return marks, len(game.pure_equilibria)

    def build_exercise(self, game: GameInstance) -> OnMatrix:
        return OnMatrix.best(_get_board_source(game), question=self.request.question)


class _EquilibriaQuestion(GameQuestion):
    """A question about all equilibria in pure strategies."""

    name, kind, points = "equilibria", "matrix", 3
    difficulty_labels = ("number of equilibria",)

    def find_problem(self, game: GameInstance) -> str:
        problem = _find_matrix_problem(game)
        return f"{problem}; 'equilibrium' asks for one, on the tree" if problem and game.has_perfect_recall else problem

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        return (len(game.pure_equilibria),)

    def build_exercise(self, game: GameInstance) -> OnMatrix:
        return OnMatrix.equilibria(_get_board_source(game), question=self.request.question)


class _MixingQuestion(GameQuestion):
    """A question about a probability in a game's only equilibrium, which is mixed."""

    name, kind, points = "mixing", "number", 4
    difficulty_labels = ("strategies mixed", "strategies that the other player mixes")
    option_names = ("of",)
    missing_feature = "exactly one equilibrium, and a mixed one"

    def find_problem(self, game: GameInstance) -> str:
        problem = _find_matrix_problem(game)
        return problem or (
            ""
            if game.is_small_enough_for_mixed
            else f"it needs a game in which each player has at most {MAX_STRATEGIES_FOR_MIXED} pure strategies, and this game has more"
        )

    def _find_mixed_equilibrium(self, game: GameInstance) -> tuple[Equilibrium, int] | None:
        """Return a game's only equilibrium, and the index of the player in the question.

        Return None if there are several equilibria, or if this player does not mix.
        """
        if game.mixed_equilibria is None or game.mixed_equilibria.is_infinite or len(game.mixed_equilibria) != 1:
            return None
        [equilibrium] = game.mixed_equilibria
        player = self.get_player(game)
        return (equilibrium, player) if _count_mixed_strategies((equilibrium.row, equilibrium.column)[player]) > 1 else None

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...] | None:
        found_pair = self._find_mixed_equilibrium(game)
        if found_pair is None:
            return None
        equilibrium, player = found_pair
        mixtures = equilibrium.row, equilibrium.column
        return _count_mixed_strategies(mixtures[player]), _count_mixed_strategies(mixtures[1 - player])

    def build_exercise(self, game: GameInstance) -> Number:
        found_pair = self._find_mixed_equilibrium(game)
        assert found_pair is not None  # noqa: S101 - of others nothing is measured
        equilibrium, player = found_pair
        own_mixture, other_mixture = ((equilibrium.row, equilibrium.column), (equilibrium.column, equilibrium.row))[player]
        strategies = (game.matrix.rows, game.matrix.columns)
        played_indexes = [index for index, probability in enumerate(own_mixture) if probability]
        asked_index = game.rng(self.name).choice(played_indexes)
        other_index = next(index for index in played_indexes if index != asked_index)
        facts = {
            "who": self.describe_player(game, player),
            "next": self.describe_player(game, 1 - player),
            "plan": _format_strategy(strategies[player][asked_index]),
            "other": _format_strategy(strategies[player][other_index]),
        }
        mistakes = {
            "other": own_mixture[other_index],
            "theirs": next(probability for probability in other_mixture if probability),
            "even": Fraction(1, len(played_indexes)),
        }
        return Number(
            self.request.question or TranslatableText("class.own.mixing.asked", facts),
            own_mixture[asked_index],
            mistakes={name: (value, TranslatableText(f"class.own.mixing.{name}", facts)) for name, value in mistakes.items()},
            hint=TranslatableText("class.own.mixing.hint", facts),
            why=TranslatableText("class.own.mixing.why", facts),
            beside=game.displayed_game,
        )


def _count_mixed_strategies(mixture: MixtureProbabilities) -> int:
    return sum(probability > 0 for probability in mixture)


def _format_strategy(strategy: PureStrategy) -> str:
    return strategy.short_label


class _GameValueQuestion(GameQuestion):
    """A question about the value that a zero-sum game has for one player."""

    name, kind, points = "value", "number", 3
    difficulty_labels = ("strategies mixed", "strategies that the other player mixes")
    option_names = ("of",)

    def find_problem(self, game: GameInstance) -> str:
        if not game.is_zero_sum:
            return "only a two-player zero-sum game has a value; for this game ask 'equilibria' or 'equilibrium'"
        return "" if game.has_perfect_recall else "it needs a game with perfect recall, and here a player forgets something"

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        if not game.is_small_enough:
            return ()
        solution = minimax(game.matrix)
        return _count_mixed_strategies(solution.row), _count_mixed_strategies(solution.column)

    def build_exercise(self, game: GameInstance) -> Number:
        player = self.get_player(game)
        game_value = minimax(game.matrix).value if game.is_small_enough else Fraction(solve(game.tree).value)
        right = -game_value if player else game_value
        facts = {"who": self.describe_player(game, player), "next": self.describe_player(game, 1 - player)}
        mistakes = {"turned": -right, **({"sure": self._compute_security_level(game, player)} if game.is_small_enough else {})}
        return Number(
            self.request.question or TranslatableText("class.own.value.asked", facts),
            right,
            mistakes={name: (value, TranslatableText(f"class.own.value.{name}", facts)) for name, value in mistakes.items()},
            why=TranslatableText("class.own.value.why", facts),
            beside=game.displayed_game,
        )

    @staticmethod
    def _compute_security_level(game: GameInstance, player: int) -> Fraction:
        """Return the highest payoff that a pure strategy guarantees to a player."""
        rows = [[cell[0] for cell in row] for row in game.matrix.payoffs]
        return max(map(min, rows)) if player == 0 else -min(map(max, zip(*rows, strict=True)))


MATRIX_QUESTIONS: Final[tuple[type[GameQuestion], ...]] = (
    _StrategicFormQuestion,
    _DominanceQuestion,
    _BestResponsesQuestion,
    _EquilibriaQuestion,
    _MixingQuestion,
    _GameValueQuestion,
)
