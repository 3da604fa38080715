"""A proved mistake is one: brute force, which knows nothing of the solver, finds the same; with the kernel and without the same review is made."""

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
from support.reviewed import SMALL, played
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Hashable

GAMES = [(rules, seed) for rules in (SMALL, f"{SMALL}, out_when=at_once", f"{SMALL}, players=3") for seed in range(tried(3, 120))]


def worth(game: Game, seat: int, known: dict[Hashable, int]) -> int:
    """What a game is worth to a seat: every line is played to its end. Nothing is transferred in these games, so none goes on without end."""
    if game.outcome is not None:
        return (seat in game.outcome.winners) - (seat in game.outcome.losers)
    key = game.state.key()
    if key not in known:
        found = [worth(after(game, move), seat, known) for move in game.legal_moves()]
        known[key] = max(found) if game.actor == seat else min(found)
    return known[key]


def after(game: Game, move: object) -> Game:
    """The game one move later."""
    then = game.copy()
    then.play(move)
    return then


def test_a_proved_mistake_is_one_by_brute_force() -> None:
    """And so are a proved best move, what there was, what was left, and the better move; there are enough of them."""
    mistakes = checked = 0
    for rules, seed in GAMES:
        game = played(rules, seed)
        for by in ("what it knew", "all cards"):
            for one in review.analyze(game, by=by, budget=0).decisions:
                if one.is_exhaustive or one.value is None or one.position is None or sum(map(len, one.position.hands)) > 7:
                    continue
                known: dict[Hashable, int] = {}
                assert worth(one.position, one.seat, known) == one.value
                assert worth(after(one.position, one.move), one.seat, known) == one.value_after
                assert worth(after(one.position, one.better_move), one.seat, known) == one.value
                assert (one.verdict == "proved mistake") == (one.value_after < one.value)
                assert one.verdict in {"proved mistake", "best"}
                checked += 1
                mistakes += one.verdict == "proved mistake"
    assert checked > tried(20, 60)
    assert mistakes > tried(2, 8)


@pytest.mark.parametrize("by", ["what it knew", "all cards"])
def test_what_was_had_outright_was_had_in_every_world(by: str) -> None:
    """One plan brings it, asked in all worlds that look alike; and what was played brings less in every one of them, or on average."""
    mistakes = checked = 0
    for rules, seed in GAMES:
        if "players" in rules or seed % 2:
            continue
        for one in review.analyze(played(rules, seed), by=by, budget=0).decisions:
            if not one.is_exhaustive or one.world_count > 3 or sum(map(len, one.position.hands)) + len(one.position.talon) > 7:
                continue
            seat, position = one.seat, one.position
            if by == "all cards":
                games = [Game.from_state(state) for state in OpenHandsWorlds(position).all()]
            else:
                games = list(analysis.worlds(position.view(seat)).all())
            assert len(games) == one.world_count
            plain = Plain(seat, range(2) if by == "all cards" else [seat])
            value = {1.0: 1, 0.5: 0, 0.0: -1}[one.best_share]
            assert plain.has([then(game, one.better_move) for game in games], value)
            assert max(map(plain.worth, games)) == value
            left = [plain.worth(then(game, one.move)) for game in games]
            assert one.loss == pytest.approx(sum(value - one for one in left) / 2 / len(left))
            if one.verdict == "best":
                assert (one.value, one.value_after, set(left)) == (value, value, {value})
            elif one.verdict == "proved mistake":
                assert one.value == value > one.value_after == max(left)
            else:
                assert one.verdict == "mistake"
                assert one.value is None
                assert min(left) < value
            checked += 1
            mistakes += one.is_mistake
    assert checked >= tried(1, 61)
    assert mistakes >= tried(0, 11)


SAID = """
import json, sys
sys.path.insert(0, "tests")
from durak_widget import review
from support.reviewed import played
for rules, seed in json.loads(sys.argv[1]):
    for by in ("what it knew", "all cards"):
        found = review.analyze(played(rules, seed), by=by, budget=300, positions=1500)
        print(json.dumps([found.rows(), found.chances, [found.luck[seat] for seat in found.luck], found.sentence("en")], sort_keys=True))
"""


@pytest.mark.slow
@pytest.mark.parametrize("rules", [SMALL, pytest.param("perevodnoy, players=3, ranks=9TJQKA, hand_size=3", marks=pytest.mark.slow)])
def test_with_the_kernel_and_without_the_same_is_said(rules: str) -> None:
    """Every figure to its last digit, given the same budget."""
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
