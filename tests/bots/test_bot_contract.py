"""Test the contract of a bot: rules for every bot of the package, and how many examples are tried."""

from __future__ import annotations

import inspect
import pickle
import pkgutil
import random
from collections import Counter
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from durak_widget import Game, PositionError, Rules, bots
from durak_widget.analysis import worlds
from durak_widget.bots.bot import OPPONENT_BOTS
from durak_widget.i18n import LANGUAGES, Translator
from support.mixes import mixes, played, presets, seeds
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN = bots.names()
"""The names of this package's bots, before any bot is registered."""


class Size(NamedTuple):
    """The number of examples of a bot in each test of this file."""

    games: int
    """The number of games."""
    moves: int
    """The number of moves in each game."""
    settings: Mapping[str, object] = {}
    """Settings that make the bot fast enough for tests."""


MANY = Size(tried(8, 60), 400)
THINKING: dict[str, Size] = {
    "counting": Size(games=tried(4, 12), moves=200, settings={"budget": 300}),
    "searching": Size(games=tried(2, 6), moves=25, settings={"playouts": 12, "without": 12, "budget": 300}),
}
"""A slow bot has a row here, such as `"its name": Size(games=4, moves=10, settings={"depth": 1})`."""


def size(name: str) -> Size:
    """Return the number of examples for a bot."""
    return THINKING.get(name, MANY)


def make_bot(name: str) -> bots.Bot:
    """Return a new bot with the settings used here."""
    return bots.get(name, **size(name).settings)


def example_settings(name: str, share: int = 1):
    """Return settings with as many examples as suit the bot, divided by `share`. For slow bots a failing example is not minimized, which would take minutes."""
    phases = [phase for phase in Phase if name not in THINKING or phase not in (Phase.shrink, Phase.explain)]
    return settings(max_examples=-(-size(name).games // share), phases=phases)


# Rules for every bot


def test_every_bot_of_the_package_has_a_name() -> None:
    """Every class or function in `bots/` that chooses moves has a row in the table of `bot.py`."""
    modules = [import_module(module.name) for module in pkgutil.iter_modules(bots.__path__, "durak_widget.bots.")]
    choosing = {
        value
        for module in modules
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_") and value not in (bots.Bot, bots.BotLike)
        if (inspect.isclass(value) and hasattr(value, "choose"))
        or (inspect.isfunction(value) and [*inspect.signature(value).parameters] == ["view", "rng"])
    }
    named = [bots.get(name).implementation for name in OWN]
    assert {made if inspect.isfunction(made) else type(made) for made in named} == choosing


@pytest.mark.parametrize("name", OWN)
def test_every_bot_plays_every_game(name: str) -> None:
    """It needs only a view, plays a legal move, plays the same for the same view and generator, and leaves global random state alone. An explanation exists in every language."""
    example_settings(name)(given(presets | mixes, seeds)(lambda rules, seed: _check_whole_game(name, rules, seed)))()


def _check_whole_game(name: str, rules: Rules, seed: int) -> None:
    bot, again, game, rng = make_bot(name), make_bot(name), Game(rules, seed=seed), Random(seed)
    chance = random.getstate()
    while game.actor is not None and game.ply < size(name).moves:
        view = game.view(game.actor)
        alone, state = pickle.loads(pickle.dumps(view)), rng.getstate()
        move = bot.choose(view, rng)
        assert move in game.legal_moves()
        if bot.has_method("why"):
            why = bot.call_method("why", view, move)
            assert all(Translator(code).translate("sentence", said=why).endswith(".") for code in LANGUAGES)
        if game.ply % 5 == 0:
            same = Random()
            same.setstate(state)
            assert again.choose(alone, same) is move
            assert view == alone
        game.play(move)
    assert random.getstate() == chance


@pytest.mark.parametrize("name", OWN)
def test_earlier_games_do_not_change_a_bot(name: str) -> None:
    """A bot that has played every seat of another game plays like a new one, for the same view and generator."""
    example_settings(name, share=2)(
        given(presets | mixes, seeds, seeds)(lambda rules, seed, other: _check_after_another_game(name, rules, seed, other))
    )()


def _check_after_another_game(name: str, rules: Rules, seed: int, other: int) -> None:
    used, fresh, game = make_bot(name), make_bot(name), played(rules, seed, other % 60)
    before, rng = Game("transfer", seed=other), Random(other)
    while before.actor is not None and before.ply < size(name).moves:
        before.play(used.choose(before.view(before.actor), rng))
    if game.actor is not None:
        view = game.view(game.actor)
        assert used.choose(view, Random(seed)) is fresh.choose(view, Random(seed))


@pytest.mark.parametrize("name", [*OWN, *OPPONENT_BOTS])
def test_hidden_cards_do_not_change_a_choice(name: str) -> None:
    """In another deal that its seat cannot distinguish, it plays the same card with the same generator, and explains it with the same text; so does an opponent."""
    plays, seen = OPPONENT_BOTS[name][0] if name in OPPONENT_BOTS else name, Counter[bool]()

    def check_same_choice(rules: Rules, seed: int, plies: int) -> None:
        game, made = played(rules, seed, plies), [bots.get(name, **size(plays).settings) for _ in range(2)]
        if game.actor is None:
            return
        try:
            other = worlds(game.view(game.actor)).sample(Random(seed))
        except PositionError:  # there may be too many deals to count
            return
        views = [game.view(game.actor), other.view(game.actor)]
        moves = [bot.choose(view, Random(seed)) for bot, view in zip(made, views, strict=True)]
        assert moves[0] == moves[1]
        if made[0].has_method("why"):
            assert made[0].call_method("why", views[0], moves[0]) == made[1].call_method("why", views[1], moves[1])
        seen[other.hands != game.hands or other.talon != game.talon] += 1

    example_settings(plays)(given(presets | mixes, seeds, st.integers(0, 60))(check_same_choice))()
    assert seen[True] > size(plays).games / 3


def test_every_bot_has_a_docstring_with_an_example() -> None:
    """The first line is its row in docs/bots.md."""
    for name in OWN:
        plays = bots.get(name).implementation
        first, _, rest = (inspect.getdoc(plays if inspect.isfunction(plays) else type(plays)) or "").partition("\n")
        assert first.endswith("."), name
        assert ">>>" in rest, name


def test_every_bot_can_be_pickled() -> None:
    """The unpickled bot has the same name and chooses the same move."""
    for name in OWN:
        bot, view = bots.get(name), Game(seed=7).view(0)
        again = pickle.loads(pickle.dumps(bot))
        assert (again.name, again.choose(view, Random(1))) == (bot.name, bot.choose(view, Random(1)))


def some_presets(name: str) -> list[str]:
    """Return presets from the whole list: all of them before a release, fewer for a slow bot."""
    names = sorted(Rules.presets())
    return names[:: -(-len(names) // (THINKING[name].games if name in THINKING else tried(6, len(names))))]


def test_every_bot_finishes_a_game_of_every_preset() -> None:
    """The game has an outcome. Other seats have the same bot; a slow bot plays among careful ones."""
    for name, preset in [(bot, preset) for bot in OWN for preset in some_presets(bot)]:
        rules, bot = Rules.preset(preset), make_bot(name)
        others = "careful" if name in THINKING else bot
        assert bots.play(Game(rules, seed=3), [bot, *[others] * (rules.players - 1)], 3).outcome is not None
