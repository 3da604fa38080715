"""Bots that play Durak, and named opponents (characters), each of which uses a bot.

>>> from random import Random
>>> from durak_widget import Game, bots
>>> careful, game = bots.get("careful"), Game(seed=7)
>>> careful.choose(game.view(0), Random(1))
Move('attack 6s')
"""

from __future__ import annotations

from durak_widget.bots.bot import Bot, BotLike, ChooseFunction, get, names, play, register
from durak_widget.bots.opponents import Person, people, person

__all__ = ["Bot", "BotLike", "ChooseFunction", "Person", "get", "names", "people", "person", "play", "register"]
