"""Questions that are answered by a strategy on the board: one's own, a best response, an equilibrium."""

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
"""On a tree of so many information sets a strategy may be asked for."""


def _cannot_be_set(game: DrawnGame) -> str:
    """Why no strategy is set on the tree of this game."""
    if not game.remembers:
        return "it is asked where everybody remembers what they knew and did, and here somebody forgets"
    many = len(game.tree.sets)
    return "" if many <= _MOST else f"it is asked where there are {_MOST} information sets at most, and this game has {many}"


def _mixed(mix: Mix) -> int:
    return sum(likely > 0 for likely in mix)


class _Strategy(AskedByName):
    """How should a player play, of whom the other knows how?"""

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
        seat = self.seat(game)
        if not game.small:
            return (game.tree.infosets[seat],)
        found = minimax(game.table)  # exact and by no package, so that it is the same wherever the game is drawn
        return game.tree.infosets[seat], _mixed((found.row, found.column)[seat])

    def make(self, game: DrawnGame) -> Strategy:
        seat = self.seat(game)
        asked = self.asked.question or Fact("class.own.strategy.asked", {"who": self.who(game, seat)})
        return Strategy(game.tree, seat, question=asked)


class _BestResponse(AskedByName):
    """How should a player play against others whose play is known?"""

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
        seat = self.seat(game)
        best = best_response(game.tree, self._others(game), seat).strategy
        ties = 0
        for one, standing in zip(game.tree.sets, values(game.tree, best), strict=True):
            worth = list(standing.counterfactual)
            ties += one.seat == seat and worth.count(max(worth)) > 1
        return game.tree.infosets[seat], ties

    def make(self, game: DrawnGame) -> Strategy:
        seat, others = self.seat(game), self._others(game)
        places = [place for place, one in enumerate(game.tree.sets) if one.seat != seat]
        asked = Fact("class.own.best-response.asked", {"who": self.who(game, seat)})
        told = under(Fact("class.own.played", {"played": play_said(game, others, places)}), asked)
        return Strategy(game.tree, seat, against=others, question=self.asked.question or told)


class _Equilibrium(AskedByName):
    """How may all play, so that nobody gains by leaving alone?"""

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
        pure = len(game.pure)
        if pure or game.tree.seats > 2:
            return (pure, 0) if pure else None
        mixes = [_mixed(one.row) + _mixed(one.column) for one in game.mixed or ()]
        return pure, min(mixes, default=0)

    def make(self, game: DrawnGame) -> Strategy:
        return Strategy(game.tree, None, question=self.asked.question)


ON_STRATEGIES: Final[tuple[type[AskedByName], ...]] = (_Strategy, _BestResponse, _Equilibrium)
