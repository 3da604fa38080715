"""Games for the tests of reviews, played by the careful bot with some errors."""

from __future__ import annotations

from functools import cache
from random import Random

from durak_widget import Game, Rules, review
from durak_widget.bots.heuristic_bots import CarefulBot

SMALL = "podkidnoy, ranks=9TJQKA, suits=chs, hand_size=3, repetition=None"
"""Eighteen cards and hands of three, so that brute force can soon solve the ending."""


@cache
def play_reviewed_game(rules: str, seed: int, errs: float = 0.25) -> Game:
    """Return a whole game; the erring player plays random moves."""
    game, chance, careful = Game(Rules.coerce(rules), seed=seed), Random(seed), CarefulBot()
    while game.actor is not None:
        view = game.view(game.actor)
        game.play(chance.choice(view.legal_moves()) if chance.random() < errs else careful.choose(view, chance))
    return game


def game_from_position(position: str, *moves: str) -> Game:
    """Return a game from a position after these moves."""
    game = Game.from_position_line(position)
    for move in moves:
        game.play(move)
    return game


@cache
def reviewed_game(rules: str, seed: int) -> review.Review:
    """Return the review of such a game."""
    return review.analyze(play_reviewed_game(rules, seed), budget=3_000)
