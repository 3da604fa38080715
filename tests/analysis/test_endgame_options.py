"""Test options of endings: the quickest moves, wins that need epaulettes, and search budgets."""

from __future__ import annotations

from random import Random

import pytest
from reference_endings import random_ending

from durak_widget import Game, Rules
from durak_widget.analysis import endgame
from durak_widget.errors import PositionError

SOME = ["podkidnoy", "econ431", "perevodnoy", "siege", "weli"]


@pytest.mark.slow
def test_quickest_moves_leave_the_fewest_bouts() -> None:
    """Or the most, for the loser; the line takes one of them. In a draw all best moves count."""
    for name in SOME:
        fewer = 0
        for seed in range(150):
            game = random_ending(Rules.preset(name), seed, 3)
            if game is None:
                continue
            found = endgame.solve_endgame(game)
            assert found.best_line[0] in found.quickest_moves
            left = {}
            for move in found.best_moves:
                after = game.copy()
                after.play(move)
                left[move] = 1 if after.outcome is not None else (endgame.solve_endgame(after).bouts_to_end or 0) + after.bout - game.bout
            least = max(left.values()) if found.value == -1 else min(left.values())
            assert set(found.quickest_moves) == {move for move in left if not found.value or left[move] == least}
            fewer += len(found.quickest_moves) < len(found.best_moves)
        assert fewer


def can_force_epaulettes(game: Game, seat: int, least: int) -> bool:
    """Can a seat force a win with at least that many epaulettes, by exhaustive search?"""
    if game.outcome is not None:
        return seat in game.outcome.winners and game.outcome.epaulettes >= least
    mine, found = game.actor == seat, []
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        found.append(can_force_epaulettes(after, seat, least))
    return any(found) if mine else all(found)


@pytest.mark.slow
def test_required_epaulettes_are_part_of_the_win() -> None:
    """Compared with exhaustive search, with sixes in both hands. A player without such a win does not lose, unless the other has one."""
    for name in ("podkidnoy", "econ431", "siege"):
        rules, seen, rng = Rules.preset(name).replace(ranks="679TJQKA"), set(), Random(5)
        for _ in range(60):
            plain = [rank + suit for rank in "79TJQKA" for suit in "cds"]
            rng.shuffle(plain)
            mine, other = plain[: rng.randint(0, 2)], plain[2 : 2 + rng.randint(1, 2)]
            game = Game.from_position(rules, hands=[" ".join(["6c", *mine]), " ".join(["6d", *other])], trump="h", attacker=0)
            for least in (1, 2):
                value = endgame.solve_endgame(game, epaulettes=least).value
                assert value == can_force_epaulettes(game, 0, least) - can_force_epaulettes(game, 1, least)
                seen.add(value)
        assert seen >= {0, 1}


def test_a_proof_with_epaulettes_is_refused() -> None:
    """A checker does not replay epaulettes."""
    game = Game.from_position(hands=["6c Kc", "Ts Qd"], trump="h")
    with pytest.raises(PositionError, match="ending without"):
        endgame.solve_endgame(game, epaulettes=1).prove()


def test_the_search_stays_within_its_budget() -> None:
    """Positions searched without a result count too."""
    for name in ("podkidnoy", "perevodnoy", "siege"):
        hands = ["6c 8d 9s Jc Qd Kh 7s", "7c 9c Td Js Qs Ah 6d"]
        for budget in (10, 400, 6000):
            found = endgame.solve_endgame(Game.from_position(name, hands=hands, trump="s"), budget=budget)
            assert set(found.quickest_moves) <= set(found.best_moves) <= set(found.move_values)
            assert found.positions_searched <= budget + 20  # the positions on the current path count too


def test_a_refutation_has_a_budget_too() -> None:
    """A refutation that would take longer is refused as a whole."""
    game = Game.from_position(hands=["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"], trump="s")
    bad = next(move for move, move_value in endgame.solve_endgame(game).move_values.items() if move_value < 0)
    assert endgame.refute(game, bad, budget=10**6).line == endgame.refute(game, bad).line
    with pytest.raises(PositionError, match="within a budget of 5 positions"):
        endgame.refute(game, bad, budget=5)
