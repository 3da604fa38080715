"""Reviews finished games: finds mistakes and good moves, and separates luck from skill.

>>> from durak_widget import Game, bots, review
>>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
>>> found = review.analyze(game, 1, budget=2000)
>>> len(found.rows()) == game.ply
True
"""

from __future__ import annotations

from durak_widget.review.decisions import VERDICTS, Decision
from durak_widget.review.game_review import Review, ReviewSettings, analyze, analyze_in_steps
from durak_widget.review.luck_and_skill import BoutChances, ResultBreakdown, Skill
from durak_widget.review.turning_points import MISTAKE_KINDS, TurningPoint

__all__ = [
    "MISTAKE_KINDS",
    "VERDICTS",
    "BoutChances",
    "Decision",
    "ResultBreakdown",
    "Review",
    "ReviewSettings",
    "Skill",
    "TurningPoint",
    "analyze",
    "analyze_in_steps",
]
