"""Defines questions that students answer by choosing a strategy in a game tree.

They ask for an optimal strategy, a best response, or an equilibrium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.question_type import GameQuestion, format_profile, parse_profile, put_rule_before_question
from durak_widget.custom_games.tree_questions import sample_profile
from durak_widget.exercises.strategy_exercise import StrategyExercise
from durak_widget.gametheory.best_responses import best_response, infoset_values
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import GameInstance
    from durak_widget.gametheory.bimatrix_equilibria import MixtureProbabilities
    from durak_widget.gametheory.strategy import Strategy as Profile

_MAX_INFOSETS: Final = 200
"""The maximum number of information sets in trees for these questions."""


def _find_strategy_problem(game: GameInstance) -> str:
    """Return why students can't choose a strategy in a game's tree, or "" if they can."""
    if not game.has_perfect_recall:
        return "it needs a game with perfect recall, and here a player forgets something"
    count = len(game.tree.infosets)
    return "" if count <= _MAX_INFOSETS else f"it needs a game with at most {_MAX_INFOSETS} information sets, and this game has {count}"


def _count_mixed_strategies(mixture: MixtureProbabilities) -> int:
    return sum(probability > 0 for probability in mixture)


class _OptimalStrategyQuestion(GameQuestion):
    """A question about a player's optimal strategy in a zero-sum game."""

    name, kind, points = "strategy", "strategy", 5
    difficulty_labels = ("information sets", "strategies mixed")
    option_names = ("of",)

    def find_problem(self, game: GameInstance) -> str:
        if not game.is_zero_sum:
            return "the strategy is tested against everything the other player can do, which needs a two-player zero-sum game; for this game ask 'best-response', against a known strategy, or 'equilibrium'"
        return _find_strategy_problem(game)

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        player = self.get_player(game)
        if not game.is_small_enough:
            return (game.tree.infoset_counts[player],)
        solution = minimax(game.matrix)  # With exact arithmetic, all computers give a student the same game
        return game.tree.infoset_counts[player], _count_mixed_strategies((solution.row, solution.column)[player])

    def build_exercise(self, game: GameInstance) -> StrategyExercise:
        player = self.get_player(game)
        question = self.request.question or TranslatableText("class.own.strategy.asked", {"who": self.describe_player(game, player)})
        return StrategyExercise(game.tree, player, question=question)


class _BestResponseQuestion(GameQuestion):
    """A question about a player's best response to given strategies of all other players."""

    name, kind, points = "best-response", "strategy", 3
    difficulty_labels = ("information sets", "ties")
    option_names = ("of", "given")

    def find_problem(self, game: GameInstance) -> str:
        if game.tree.player_count < 2:
            return "it needs another player to respond to, and this game has only one player"
        return _find_strategy_problem(game)

    def _get_profile(self, game: GameInstance) -> Profile:
        """Return the strategies that the teacher gives; without any, random strategies."""
        if self.get_option("given") is not None:
            return parse_profile(game, self.get_option("given"))
        return sample_profile(game, game.rng(self.name))

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...]:
        player = self.get_player(game)
        best = best_response(game.tree, self._get_profile(game), player).strategy
        ties = 0
        for record, record_values in zip(game.tree.infosets, infoset_values(game.tree, best), strict=True):
            action_values = list(record_values.counterfactual_values)
            ties += record.player == player and action_values.count(max(action_values)) > 1
        return game.tree.infoset_counts[player], ties

    def build_exercise(self, game: GameInstance) -> StrategyExercise:
        player, profile = self.get_player(game), self._get_profile(game)
        other_infosets = [infoset for infoset, record in enumerate(game.tree.infosets) if record.player != player]
        default_question = TranslatableText("class.own.best-response.asked", {"who": self.describe_player(game, player)})
        usual_question = put_rule_before_question(
            TranslatableText("class.own.played", {"played": format_profile(game, profile, other_infosets)}), default_question
        )
        return StrategyExercise(game.tree, player, against=profile, question=self.request.question or usual_question)


class _EquilibriumQuestion(GameQuestion):
    """A question about an equilibrium; students set a strategy for each player."""

    name, kind, points = "equilibrium", "strategy", 5
    difficulty_labels = ("equilibria in pure strategies", "strategies that are mixed if there is none")
    missing_feature = "an equilibrium in pure strategies, which a game of three or more players needs"

    def find_problem(self, game: GameInstance) -> str:
        if game.tree.player_count < 2:
            return "it needs two or more players, and this game has only one"
        return _find_strategy_problem(game)

    def measure_difficulty(self, game: GameInstance) -> tuple[int, ...] | None:
        if game.allows_backward_induction and not game.is_small_enough:
            return ()
        pure_count = len(game.pure_equilibria)
        if pure_count or game.tree.player_count > 2:
            return (pure_count, 0) if pure_count else None
        mixed_counts = [
            _count_mixed_strategies(equilibrium.row) + _count_mixed_strategies(equilibrium.column)
            for equilibrium in game.mixed_equilibria or ()
        ]
        return pure_count, min(mixed_counts, default=0)

    def build_exercise(self, game: GameInstance) -> StrategyExercise:
        return StrategyExercise(game.tree, None, question=self.request.question)


STRATEGY_QUESTIONS: Final[tuple[type[GameQuestion], ...]] = (_OptimalStrategyQuestion, _BestResponseQuestion, _EquilibriumQuestion)
