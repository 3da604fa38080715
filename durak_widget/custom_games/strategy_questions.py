"""Questions that are answered by setting a strategy on the board.

They ask for an optimal strategy, a best response, or an equilibrium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.question_type import AskedByName, play_given, play_said, under
from durak_widget.custom_games.tree_questions import drawn_play
from durak_widget.exercises.strategy_exercise import Strategy
from durak_widget.gametheory.best_responses import best_response, values
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import DrawnGame
    from durak_widget.gametheory.bimatrix_equilibria import Mix
    from durak_widget.gametheory.strategy import Strategy as Profile

_MOST: Final = 200
"""The most information sets of a tree on which a strategy is set."""


def _cannot_be_set(game: DrawnGame) -> str:
    """Return why no strategy can be set on the tree of a game; empty if one can."""
    if not game.remembers:
        return "it is asked where everybody remembers what they knew and did, and here somebody forgets"
    count = len(game.tree.sets)
    return "" if count <= _MOST else f"it is asked where there are {_MOST} information sets at most, and this game has {count}"


def _mixed(mix: Mix) -> int:
    return sum(probability > 0 for probability in mix)


class _Strategy(AskedByName):
    """Asks for an optimal strategy of a player in a zero-sum game."""

    name, kind, points = "strategy", "strategy", 5
    counted = ("information sets", "plans mixed")
    takes = ("of",)

    def unfit(self, game: DrawnGame) -> str:
        if not game.zero_sum:
            return (
                "a strategy is judged against all that the other may do where two play and one wins what the other loses; "
                "of this game ask 'best-response', against play that is known, or 'equilibrium'"
            )
        return _cannot_be_set(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        player = self.seat(game)
        if not game.small:
            return (game.tree.infosets[player],)
        solution = minimax(game.table)  # exact and without packages, so that the instance is the same on every computer
        return game.tree.infosets[player], _mixed((solution.row, solution.column)[player])

    def make(self, game: DrawnGame) -> Strategy:
        player = self.seat(game)
        question = self.asked.question or Fact("class.own.strategy.asked", {"who": self.who(game, player)})
        return Strategy(game.tree, player, question=question)


class _BestResponse(AskedByName):
    """Asks for a best response to known strategies of the others."""

    name, kind, points = "best-response", "strategy", 3
    counted = ("information sets", "ties")
    takes = ("of", "given")

    def unfit(self, game: DrawnGame) -> str:
        if game.tree.seats < 2:
            return "it is asked where there are others to answer, and here one plays alone"
        return _cannot_be_set(game)

    def _others(self, game: DrawnGame) -> Profile:
        if self.option("given") is not None:
            return play_given(game, self.option("given"))
        return drawn_play(game, game.rng(self.name))

    def measure(self, game: DrawnGame) -> tuple[int, ...]:
        player = self.seat(game)
        best = best_response(game.tree, self._others(game), player).strategy
        ties = 0
        for record, record_values in zip(game.tree.sets, values(game.tree, best), strict=True):
            action_values = list(record_values.counterfactual)
            ties += record.seat == player and action_values.count(max(action_values)) > 1
        return game.tree.infosets[player], ties

    def make(self, game: DrawnGame) -> Strategy:
        player, profile = self.seat(game), self._others(game)
        other_infosets = [infoset for infoset, record in enumerate(game.tree.sets) if record.seat != player]
        asked = Fact("class.own.best-response.asked", {"who": self.who(game, player)})
        usual_question = under(Fact("class.own.played", {"played": play_said(game, profile, other_infosets)}), asked)
        return Strategy(game.tree, player, against=profile, question=self.asked.question or usual_question)


class _Equilibrium(AskedByName):
    """Asks for an equilibrium: strategies of all players."""

    name, kind, points = "equilibrium", "strategy", 5
    counted = ("equilibria in pure plans", "plans that are mixed where there is none")
    lacks = "an equilibrium in pure plans, which three players and more are asked for"

    def unfit(self, game: DrawnGame) -> str:
        if game.tree.seats < 2:
            return "it is asked where two play or more, and here one plays alone"
        return _cannot_be_set(game)

    def measure(self, game: DrawnGame) -> tuple[int, ...] | None:
        if game.backward and not game.small:
            return ()
        pure_count = len(game.pure)
        if pure_count or game.tree.seats > 2:
            return (pure_count, 0) if pure_count else None
        mixed_counts = [_mixed(equilibrium.row) + _mixed(equilibrium.column) for equilibrium in game.mixed or ()]
        return pure_count, min(mixed_counts, default=0)

    def make(self, game: DrawnGame) -> Strategy:
        return Strategy(game.tree, None, question=self.asked.question)


ON_STRATEGIES: Final[tuple[type[AskedByName], ...]] = (_Strategy, _BestResponse, _Equilibrium)
