"""Test the opponents: names and descriptions in every language, and different ways to play."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from durak_widget import BotError, Game, bots
from durak_widget.fast_engine.engine_instance import get_engine_instance
from durak_widget.i18n import LANGUAGES

KEYS = [person.key for person in bots.people()]


def test_there_are_six_opponents_in_order() -> None:
    """Each has a level, a name and a description in every language, and no two are the same."""
    assert [person.level for person in bots.people()] == [1, 2, 3, 4, 5, 6]
    for language in LANGUAGES:
        names = {person.name(language) for person in bots.people()}
        descriptions = {person.character(language) for person in bots.people()}
        assert len(names) == len(descriptions) == 6
        assert all(description.endswith(".") and description[0].isupper() for description in descriptions)


def test_opponents_are_found_by_key() -> None:
    """As a bot with their name; with settings, `get` returns the bot behind them."""
    assert [bots.get(key).name for key in KEYS] == KEYS
    assert bots.person("grandmother").bot.implementation.playouts == 3000
    assert bots.get("grandmother", playouts=10).implementation.playouts == 10
    with pytest.raises(BotError, match=r"no opponent 'grandma'. Did you mean 'grandmother'"):
        bots.person("grandma")
    with pytest.raises(BotError, match="this package already has a bot"):
        bots.register("aunt")


def test_no_two_opponents_play_alike() -> None:
    """On the same views each differs from every other somewhere."""
    chosen: dict[str, list[str]] = {key: [] for key in KEYS}
    made = {key: bots.get(key) if key != "grandmother" else bots.get(key, playouts=60) for key in KEYS}
    for seed in range(4):
        game = bots.play(Game(seed=seed), ["careful", "random"], seed)
        for ply in range(0, game.last_ply, 3):
            game.goto(ply)
            view = game.view(game.actor)
            for key in KEYS:
                chosen[key].append(str(made[key].choose(view, Random(1))))
    assert len({tuple(moves) for moves in chosen.values()}) == len(KEYS)


def test_grandmother_uses_fewer_playouts_without_the_fast_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """She plays the same way, with a smaller budget, and `playouts_for` returns it."""
    game, plays = Game(seed=7), bots.get("grandmother").implementation
    had = get_engine_instance(game.rules) is not None
    assert plays.playouts_for(game.rules) == (3000 if had else 750)
    monkeypatch.setattr("durak_widget.bots.monte_carlo_bot.get_engine_instance", lambda _: None)
    assert plays.playouts_for(game.rules) == 750


@pytest.mark.parametrize(
    ("below", "above"),
    [(below, above) if below == "nephew" else pytest.param(below, above, marks=pytest.mark.slow) for below, above in pairwise(KEYS[:5])],
)
def test_each_opponent_is_stronger_than_the_one_before(below: str, above: str) -> None:
    """On the same deals from both seats; `python -m benchmarks strength` measures it with intervals."""
    points = 0.0
    for deal in range(50):
        for seat in (0, 1):
            outcome = bots.play(Game(seed=deal), [above if place == seat else below for place in (0, 1)], f"{deal} {seat}").outcome
            points += (outcome.utilities[seat] + 1) / 2
    assert points > 52


def test_a_simple_strategy_beats_the_nephew() -> None:
    """Keeping trumps and playing the lowest card beats Tim far more often than not."""
    won = sum(bots.play(Game(seed=deal), [bots.get("careful", miserly=True), "nephew"], deal).outcome.fool == 1 for deal in range(40))
    assert won > 30
