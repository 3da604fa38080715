"""The contract of a bot: what every one of the package promises, and how much of it is tried."""

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
"""The bots of this package: those that can be had by name before anybody registers one."""


class Size(NamedTuple):
    """How much of a bot is tried in each test of what every bot promises."""

    games: int
    """So many games it plays."""
    moves: int
    """So many moves of each."""
    settings: Mapping[str, object] = {}
    """The settings with which it thinks no longer than it must."""


MANY = Size(tried(8, 60), 400)
THINKING: dict[str, Size] = {
    "counting": Size(games=tried(4, 12), moves=200, settings={"budget": 300}),
    "searching": Size(games=tried(2, 6), moves=25, settings={"playouts": 12, "without": 12, "budget": 300}),
}
"""A bot that takes its time has a row here, such as `"its name": Size(games=4, moves=10, settings={"depth": 1})`."""


def size(name: str) -> Size:
    """Return how much of a bot is tried."""
    return THINKING.get(name, MANY)


def bot_of(name: str) -> bots.Bot:
    """A new bot of that name, as it is tried here."""
    return bots.get(name, **size(name).settings)


def tries(name: str, share: int = 1):
    """As many examples as suit the bot, or a share of them; what one that thinks gets wrong is told as it was found, since a smaller example takes minutes."""
    phases = [phase for phase in Phase if name not in THINKING or phase not in (Phase.shrink, Phase.explain)]
    return settings(max_examples=-(-size(name).games // share), phases=phases)


# What every bot promises


def test_every_bot_of_the_package_has_a_name() -> None:
    """Whatever stands in `bots/` and can choose is found by a name: it has a line in the table of `bot.py`."""
    modules = [import_module(module.name) for module in pkgutil.iter_modules(bots.__path__, "durak_widget.bots.")]
    choosing = {
        one
        for module in modules
        for name, one in vars(module).items()
        if getattr(one, "__module__", "") == module.__name__ and not name.startswith("_") and one not in (bots.Bot, bots.BotLike)
        if (inspect.isclass(one) and hasattr(one, "choose"))
        or (inspect.isfunction(one) and [*inspect.signature(one).parameters] == ["view", "rng"])
    }
    named = [bots.get(name).implementation for name in OWN]
    assert {made if inspect.isfunction(made) else type(made) for made in named} == choosing


@pytest.mark.parametrize("name", OWN)
def test_every_bot_plays_every_game(name: str) -> None:
    """From a view alone: a legal move, the same for the same view and generator, without a trace; and why, in every language, if it says that."""
    tries(name)(given(presets | mixes, seeds)(lambda rules, seed: _plays(name, rules, seed)))()


def _plays(name: str, rules: Rules, seed: int) -> None:
    bot, again, game, rng = bot_of(name), bot_of(name), Game(rules, seed=seed), Random(seed)
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
def test_what_a_bot_played_before_changes_nothing(name: str) -> None:
    """One that has sat on every chair of another game gives the advice of one that has never played, for the same view and generator."""
    tries(name, share=2)(given(presets | mixes, seeds, seeds)(lambda rules, seed, other: _was_used(name, rules, seed, other)))()


def _was_used(name: str, rules: Rules, seed: int, other: int) -> None:
    used, fresh, game = bot_of(name), bot_of(name), played(rules, seed, other % 60)
    before, rng = Game("transfer", seed=other), Random(other)
    while before.actor is not None and before.ply < size(name).moves:
        before.play(used.choose(before.view(before.actor), rng))
    if game.actor is not None:
        view = game.view(game.actor)
        assert used.choose(view, Random(seed)) is fresh.choose(view, Random(seed))


@pytest.mark.parametrize("name", [*OWN, *OPPONENT_BOTS])
def test_hidden_cards_dealt_anew_change_no_choice(name: str) -> None:
    """In another deal that its seat cannot tell from the real one it plays the same card by the same chance, and says the same of it; an opponent too."""
    plays, seen = OPPONENT_BOTS[name][0] if name in OPPONENT_BOTS else name, Counter[bool]()

    def alike(rules: Rules, seed: int, plies: int) -> None:
        game, made = played(rules, seed, plies), [bots.get(name, **size(plays).settings) for _ in range(2)]
        if game.actor is None:
            return
        try:
            other = worlds(game.view(game.actor)).sample(Random(seed))
        except PositionError:  # there may be too many ways to come there
            return
        views = [game.view(game.actor), other.view(game.actor)]
        moves = [bot.choose(view, Random(seed)) for bot, view in zip(made, views, strict=True)]
        assert moves[0] == moves[1]
        if made[0].has_method("why"):
            assert made[0].call_method("why", views[0], moves[0]) == made[1].call_method("why", views[1], moves[1])
        seen[other.hands != game.hands or other.talon != game.talon] += 1

    tries(plays)(given(presets | mixes, seeds, st.integers(0, 60))(alike))()
    assert seen[True] > size(plays).games / 3


def test_every_bot_is_explained() -> None:
    """Its docstring has an example, and a first line, which is its row in docs/bots.md."""
    for name in OWN:
        plays = bots.get(name).implementation
        first, _, rest = (inspect.getdoc(plays if inspect.isfunction(plays) else type(plays)) or "").partition("\n")
        assert first.endswith("."), name
        assert ">>>" in rest, name


def test_every_bot_can_be_sent_elsewhere() -> None:
    """It comes back from a pickle as it was."""
    for name in OWN:
        bot, view = bots.get(name), Game(seed=7).view(0)
        again = pickle.loads(pickle.dumps(bot))
        assert (again.name, again.choose(view, Random(1))) == (bot.name, bot.choose(view, Random(1)))


def some_presets(name: str) -> list[str]:
    """Some presets from all over the list; before a release every one, for a bot that takes its time as many as it plays games."""
    names = sorted(Rules.presets())
    return names[:: -(-len(names) // (THINKING[name].games if name in THINKING else tried(6, len(names))))]


def test_every_bot_finishes_a_game_of_every_preset() -> None:
    """A game of as many of a kind as the preset is for comes to its end; one that thinks sits among careful ones."""
    for name, preset in [(bot, preset) for bot in OWN for preset in some_presets(bot)]:
        rules, bot = Rules.preset(preset), bot_of(name)
        others = "careful" if name in THINKING else bot
        assert bots.play(Game(rules, seed=3), [bot, *[others] * (rules.players - 1)], 3).outcome is not None
