"""Computes feedback for the viewer: the chance to win, and comments on the viewer's moves.

The chance has a 95 % interval. A comment criticizes a move only if the game review would do so too, and it says which move was better. Another
comment praises the only good move. The feedback uses only what the player could know.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.counting_bot import solve_visible_endgame
from durak_widget.bots.heuristic_bots import CarefulBot
from durak_widget.engine.narration import build_advice_fact
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.review.decision_evaluation import EXHAUSTIVE_SEARCH_BUDGET, evaluate_single_decision, search_all_worlds
from durak_widget.review.decisions import WinShareScale
from durak_widget.review.turning_points import build_kind_fact
from durak_widget.table.hints import HINT_POSITIONS
from durak_widget.table.playout_estimates import estimate_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.observation import Observation, PlayedMove
    from durak_widget.review import Decision

_INTERVAL_95: Final = 1.96, 3
"""Two numbers that give half the width of a 95 % interval: how many standard errors it has, and how many results opposite to all results
seen it allows for."""
_PRAISE_POSITIONS: Final = 5_000
"""How many positions a search may visit to decide whether to praise a move; this takes a tenth of a second in plain Python."""


class WinChanceFinder:
    """A callable that returns the viewer's chance to win if they play their best move.

    While other players move, it returns the viewer's last known chance.

    >>> from durak_widget import Game, Rules
    >>> ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> WinChanceFinder()(ending.view(0))
    (1.0, 1.0, 1.0)
    >>> chance, lower_bound, upper_bound = WinChanceFinder()(Game(seed=7).view(0))
    >>> 0 < lower_bound < chance < upper_bound < 1
    True
    """

    def __init__(self) -> None:
        """Create an object that has not computed a chance to win yet."""
        self._seat: int | None = None
        self._last_history: tuple[PlayedMove, ...] = ()
        self._last_chance: tuple[float, ...] = ()

    def __call__(self, view: Observation) -> tuple[float, ...]:
        """Return the viewer's chance to win and the bounds of its 95 % interval; () if unknown."""
        if view.legal_moves():
            self._seat, self._last_history, self._last_chance = view.seat, view.history, estimate_win_chance(view)
        elif view.seat != self._seat or view.history[: len(self._last_history)] != self._last_history:
            self._last_chance = ()
        return () if view.outcome else self._last_chance


def estimate_win_chance(view: Observation) -> tuple[float, ...]:
    """Return the chance to win with the best move, and the bounds of its 95 % interval.

    Return an empty tuple if the chance is unknown. In an endgame the chance is exact. If it is
    unknown, the tuple is empty.
    """
    shares = WinShareScale.from_rules(view.rules)
    ending = solve_visible_endgame(view, HINT_POSITIONS) if view.memory is not None else None
    if ending is not None and ending.value is not None:
        return (shares.outcome_to_share(ending.value),) * 3
    result = search_all_worlds(view, EXHAUSTIVE_SEARCH_BUDGET) if view.memory is not None else None
    if result is not None:
        return (shares.outcome_to_share(result.value),) * 3
    playouts = estimate_moves(view)
    if playouts is None or playouts.best is None:
        return ()
    standard_errors, opposite_results = _INTERVAL_95
    chance = shares.payoff_to_share(playouts[playouts.best])
    half_width = standard_errors * playouts.standard_error(playouts.best) / shares.width + opposite_results / playouts.world_count
    return chance, max(0.0, chance - half_width), min(1.0, chance + half_width)


class MoveComment(NamedTuple):
    """The coach's comment on a player's move, as translatable texts."""

    facts: Sequence[TranslatableText]
    is_costly: bool
    """True if the move was so bad that the player may want to take it back."""

    def to_text(self, voice: Translator | None = None) -> str:
        """Return the comment as one text in the language of a translator (default: English)."""
        translator = voice or Translator()
        return " ".join(translator.translate(fact.key, **fact.facts) for fact in self.facts)


def comment_on_move(game: Game, ply: int) -> MoveComment | None:
    """Return the coach's comment on the move at `ply`; None if the move needs no comment.

    >>> from durak_widget import Game
    >>> game = Game.from_position_line("Qh Ks 6c | Kh Kc 7d; trump h; talon 8c 9c"); game.play("attack Qh")
    >>> comment_on_move(game, 0).is_costly
    True
    """
    decision = evaluate_single_decision(game, ply)
    if decision.better_move is None:
        return None
    before = game.copy()
    before.goto(ply)
    view = before.view(decision.seat)
    if decision.verdict == "proved mistake":
        key = "table.coach.won" if decision.value == 1 else "table.coach.draw"
        return MoveComment([TranslatableText(key, {"said": build_advice_fact(decision.better_move)})], is_costly=True)
    if decision.verdict == "mistake":
        cost = TranslatableText("table.coach.cost", {"percent": round(100 * (decision.loss or 0.0))})
        kind_facts = [] if decision.mistake_kind is None else [build_kind_fact(view, decision.move, decision.mistake_kind)]
        return MoveComment(
            [cost, TranslatableText("review.better", {"said": build_advice_fact(decision.better_move)}), *kind_facts], is_costly=True
        )
    return MoveComment([TranslatableText("table.coach.only")], is_costly=False) if _is_only_good_move(view, decision) else None


def _is_only_good_move(view: Observation, decision: Decision) -> bool:
    """Return whether a move was the only one that wins and was hard to find."""
    if decision.value != 1 or decision.legal_move_count < 3 or decision.move == CarefulBot().choose(view, Random(0)):
        return False
    ending = solve_visible_endgame(view, _PRAISE_POSITIONS)
    return ending is not None and ending.is_fully_solved and ending.best_moves == (decision.move,)
