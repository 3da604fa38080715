"""Feedback for the viewer: the chance to win, and a comment on a move that cost much.

The chance has a 95 % interval. A move is criticized only if the review would criticize it too, and the
comment says what was better. A move that was the only good one is pointed out. All of it uses only what the
player could know.
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
"""The numbers for a 95 % interval: of standard errors, and of deals with the opposite result that are added."""
_PRAISE_POSITIONS: Final = 5_000
"""The number of endgame positions searched before a move is praised: a tenth of a second in plain Python."""


class WinChanceFinder:
    """A function object that computes the viewer's chance to win with their best move.

    Between the viewer's moves the last known chance stays.

    >>> from durak_widget import Game, Rules
    >>> ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> WinChanceFinder()(ending.view(0))
    (1.0, 1.0, 1.0)
    >>> share, least, most = WinChanceFinder()(Game(seed=7).view(0))
    >>> 0 < least < share < most < 1
    True
    """

    def __init__(self) -> None:
        """Start without a computed chance to win."""
        self._seat: int | None = None
        self._last_course: tuple[PlayedMove, ...] = ()
        self._last_chance: tuple[float, ...] = ()

    def __call__(self, view: Observation) -> tuple[float, ...]:
        """Return the viewer's chance to win and its 95 % interval; empty if they are unknown."""
        if view.legal_moves():
            self._seat, self._last_course, self._last_chance = view.seat, view.history, estimate_win_chance(view)
        elif view.seat != self._seat or view.history[: len(self._last_course)] != self._last_course:
            self._last_chance = ()
        return () if view.outcome else self._last_chance


def estimate_win_chance(view: Observation) -> tuple[float, ...]:
    """Return the chance to win with the best move, and its 95 % interval; exact in endgames."""
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
    errors, unseen = _INTERVAL_95
    share, half = (
        shares.payoff_to_share(playouts[playouts.best]),
        errors * playouts.standard_error(playouts.best) / shares.width + unseen / playouts.world_count,
    )
    return share, max(0.0, share - half), min(1.0, share + half)


class MoveComment(NamedTuple):
    """A comment on a player's move."""

    facts: Sequence[TranslatableText]
    is_costly: bool
    """True if the move cost so much that the player may want to take the move back."""

    def to_text(self, voice: Translator | None = None) -> str:
        """Return the whole comment on the move as one text."""
        translator = voice or Translator()
        return " ".join(translator.translate(fact.key, **fact.facts) for fact in self.facts)


def comment_on_move(game: Game, ply: int) -> MoveComment | None:
    """Return a comment on the move at `ply`; None if the move needs no comment.

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
    """Return whether a move was the only winning one of several legal moves, and hard to see."""
    if decision.value != 1 or decision.legal_move_count < 3 or decision.move == CarefulBot().choose(view, Random(0)):
        return False
    ending = solve_visible_endgame(view, _PRAISE_POSITIONS)
    return ending is not None and ending.is_fully_solved and ending.best_moves == (decision.move,)
