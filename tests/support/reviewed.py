"""Games for the tests of the review: played by the careful bot, which errs now and then."""

from __future__ import annotations

from functools import cache
from random import Random

from durak_widget import Game, Rules, review
from durak_widget.bots.heuristic_bots import CarefulBot

SMALL = "podkidnoy, ranks=9TJQKA, suits=chs, hand_size=3, repetition=None"
"""Eighteen cards and hands of three: an ending that brute force solves comes soon."""


@cache
def played(rules: str, seed: int, errs: float = 0.25) -> Game:
    """A whole game; who errs plays any move."""
    game, chance, careful = Game(Rules.coerce(rules), seed=seed), Random(seed), CarefulBot()
    while game.actor is not None:
        view = game.view(game.actor)
        game.play(chance.choice(view.legal_moves()) if chance.random() < errs else careful.choose(view, chance))
    return game


def line(position: str, *moves: str) -> Game:
    """A game that begins from a position and goes on with these moves."""
    game = Game.from_position_line(position)
    for move in moves:
        game.play(move)
    return game


@cache
def judged(rules: str, seed: int) -> review.Review:
    """The review of such a game."""
    return review.analyze(played(rules, seed), budget=3_000)
