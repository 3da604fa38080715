"""Test playouts that stop at a small ending and use its value: equal with and without the fast engine, and correct."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import DurakError, Game, analysis, bots
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.analysis.monte_carlo_playouts import run_playouts
from support.sizes import tried


def random_late_game(preset: str, seed: int) -> Game | None:
    """Return a game of careful play, stopped late; None if it was over by then."""
    game, bot, chance = Game(preset, seed=seed), bots.get("careful"), Random(seed)
    stop = chance.randrange(5, 45)
    while game.actor is not None and game.ply < stop:
        game.play(bot.choose(game.view(game.actor), chance))
    return None if game.actor is None else game


def test_the_fast_engine_gives_the_python_results_with_endings() -> None:
    """Sums and products are equal, also when the budget of positions leaves endings to be played out."""
    for preset in ("podkidnoy", "econ431", "perevodnoy"):
        for cards in (0, 8, 12):
            for seed in range(tried(4, 30)):
                game = random_late_game(preset, seed)
                if game is not None:
                    worlds = analysis.worlds(game.view(game.actor))
                    both = [
                        run_playouts(worlds, None, count=15, seed=seed, policy="careful", decided=cards, python_only=plainly)
                        for plainly in (False, True)
                    ]
                    assert both[0] == both[1]


def test_a_decided_ending_has_its_exact_value() -> None:
    """If an attack ends the bout at once because no card beats it or matches it, its result is exactly the solved value."""
    checked = 0
    for seed in range(tried(40, 400)):
        game = bots.play(Game("econ431", seed=seed), ["careful", "random"], seed)
        for ply in range(game.last_ply):
            game.goto(ply)
            if game.talon or game.table or len(game.legal_moves()) < 2 or sum(map(len, game.hands)) > 10:
                continue
            view, mine = game.view(game.actor), game.hands[game.actor]
            sure = [
                move
                for move in game.legal_moves()
                if not set(view.beaters(move.cards[0])) & set(game.hands[game.defender])
                and sum(card.rank == move.cards[0].rank for card in mine) == 1
            ]
            values = solve_endgame(game).move_values
            found = analysis.worlds(view).playouts(sure, count=2, decided=10) if sure else {}
            for move in sure:
                checked += 1
                assert found[move] == values[move], (seed, ply, move)
    assert checked > 20


def test_too_many_cards_to_decide_are_refused() -> None:
    """One sentence."""
    with pytest.raises(DurakError, match=r"decided .*40"):
        analysis.worlds(Game(seed=7).view(0)).playouts(decided=40)
