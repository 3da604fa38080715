"""The review of a game: good moves, mistakes and luck.

>>> from durak_widget import Game, bots, review
>>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
>>> found = review.of(game, 1, budget=2000)
>>> len(found.rows()) == game.ply
True
"""

from __future__ import annotations

from durak_widget.review.decisions import VERDICTS, Decision
from durak_widget.review.game_review import Review, Reviewing, of, reviewed
from durak_widget.review.luck_and_skill import CourseOfChances, Fortune, Skill
from durak_widget.review.turning_points import KINDS, Turning

__all__ = ["KINDS", "VERDICTS", "CourseOfChances", "Decision", "Fortune", "Review", "Reviewing", "Skill", "Turning", "of", "reviewed"]
