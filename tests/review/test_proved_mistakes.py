"""Test proved mistakes by brute force, and equal reviews with and without the fast engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from durak_widget import Game, analysis, review
from durak_widget.analysis.worlds_with_open_hands import OpenHandsWorlds
from support.by_plan import Plain, then
from support.reviewed import SMALL, play_reviewed_game
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Hashable

GAMES = [(rules, seed) for rules in (SMALL, f"{SMALL}, out_when=at_once", f"{SMALL}, players=3") for seed in range(tried(3, 120))]


def game_value(game: Game, seat: int, known: dict[Hashable, int]) -> int:
    """Return a seat's value by playing every line to its end. These games have no transfers, so all end."""
    if game.outcome is not None:
        return (seat in game.outcome.winners) - (seat in game.outcome.losers)
    key = game.state.key()
    if key not in known:
        found = [game_value(after_move(game, move), seat, known) for move in game.legal_moves()]
        known[key] = max(found) if game.actor == seat else min(found)
    return known[key]


def after_move(game: Game, move: object) -> Game:
    """Return the game one move later."""
    then = game.copy()
    then.play(move)
    return then


def test_proved_mistakes_are_confirmed_by_brute_force() -> None:
    """Proved best moves, values before and after, and better moves are too. There are enough of them."""
    mistakes = checked = 0
    for rules, seed in GAMES:
        game = play_reviewed_game(rules, seed)
        for by in ("what it knew", "all cards"):
            for decision in review.analyze(game, by=by, budget=0).decisions:
                if (
                    decision.is_exhaustive
                    or decision.value is None
                    or decision.position is None
                    or sum(map(len, decision.position.hands)) > 7
                ):
                    continue
                known: dict[Hashable, int] = {}
                assert game_value(decision.position, decision.seat, known) == decision.value
                assert game_value(after_move(decision.position, decision.move), decision.seat, known) == decision.value_after
                assert game_value(after_move(decision.position, decision.better_move), decision.seat, known) == decision.value
                assert (decision.verdict == "proved mistake") == (decision.value_after < decision.value)
                assert decision.verdict in {"proved mistake", "best"}
                checked += 1
                mistakes += decision.verdict == "proved mistake"
    assert checked > tried(20, 60)
    assert mistakes > tried(2, 8)


@pytest.mark.parametrize("by", ["what it knew", "all cards"])
def test_a_proved_win_existed_in_every_world(by: str) -> None:
    """One strategy wins all worlds that look the same; the move played wins less in each, or on average."""
    mistakes = checked = 0
    for rules, seed in GAMES:
        if "players" in rules or seed % 2:
            continue
        for decision in review.analyze(play_reviewed_game(rules, seed), by=by, budget=0).decisions:
            if (
                not decision.is_exhaustive
                or decision.world_count > 3
                or sum(map(len, decision.position.hands)) + len(decision.position.talon) > 7
            ):
                continue
            seat, position = decision.seat, decision.position
            if by == "all cards":
                games = [Game.from_state(state) for state in OpenHandsWorlds(position).all()]
            else:
                games = list(analysis.worlds(position.view(seat)).all())
            assert len(games) == decision.world_count
            plain = Plain(seat, range(2) if by == "all cards" else [seat])
            value = {1.0: 1, 0.5: 0, 0.0: -1}[decision.best_share]
            assert plain.has([then(game, decision.better_move) for game in games], value)
            assert max(map(plain.value, games)) == value
            left = [plain.value(then(game, decision.move)) for game in games]
            assert decision.loss == pytest.approx(sum(value - move for move in left) / 2 / len(left))
            if decision.verdict == "best":
                assert (decision.value, decision.value_after, set(left)) == (value, value, {value})
            elif decision.verdict == "proved mistake":
                assert decision.value == value > decision.value_after == max(left)
            else:
                assert decision.verdict == "mistake"
                assert decision.value is None
                assert min(left) < value
            checked += 1
            mistakes += decision.is_mistake
    assert checked >= tried(1, 61)
    assert mistakes >= tried(0, 11)


SAID = """
import json, sys
sys.path.insert(0, "tests")
from durak_widget import review
from support.reviewed import play_reviewed_game
for rules, seed in json.loads(sys.argv[1]):
    for by in ("what it knew", "all cards"):
        found = review.analyze(play_reviewed_game(rules, seed), by=by, budget=300, positions=1500)
        print(json.dumps([found.rows(), found.chances, [found.luck[seat] for seat in found.luck], found.sentence("en")], sort_keys=True))
"""


@pytest.mark.slow
@pytest.mark.parametrize("rules", [SMALL, pytest.param("perevodnoy, players=3, ranks=9TJQKA, hand_size=3", marks=pytest.mark.slow)])
def test_reviews_are_the_same_with_and_without_the_fast_engine(rules: str) -> None:
    """Every digit is equal for the same budget."""
    found = [
        subprocess.run(
            [sys.executable, "-c", SAID, json.dumps([[rules, 3]])],
            env={**os.environ, "DURAK_KERNEL": switch},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for switch in ("", "off")
    ]
    assert len(found[0]) > 1000
    assert found[0] == found[1]
