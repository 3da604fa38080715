"""Test verdicts on decisions: mistake, best move or neither, and the kinds of mistakes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from durak_widget import Game, Move, PositionError, Rules, analysis, review
from durak_widget.analysis.monte_carlo_playouts import UNITS_PER_WIN, Playouts
from durak_widget.review.decisions import MISTAKE_THRESHOLD, WinShareScale, estimate_move_cost
from durak_widget.review.turning_points import build_kind_fact, classify_mistake, find_seen_beater
from support.reviewed import game_from_position, play_reviewed_game

A, B = Move("attack 6c"), Move("attack 7c")


def playouts(worlds: int, first_results: list[int], two: list[int]) -> Playouts:
    """Return playouts in which two moves got these results, with wins 1 and losses -1."""
    rows = [(UNITS_PER_WIN * first_results[i % len(first_results)], UNITS_PER_WIN * two[i % len(two)]) for i in range(worlds)]
    sums = (sum(a for a, _ in rows), sum(b for _, b in rows))
    products = {(0, 0): sum(a * a for a, _ in rows), (1, 0): sum(a * b for a, b in rows), (1, 1): sum(b * b for _, b in rows)}
    return Playouts((A, B), worlds, 0, sums, products)


@pytest.mark.parametrize(
    ("worlds", "values", "other_values", "verdict"),
    [
        (20, [1], [1], "cannot be told"),  # all agree, but they are few
        (400, [1], [1], "best"),
        (20, [-1], [1], "mistake"),
        (15, [-1], [1], "mistake"),
        (10, [-1], [1], "cannot be told"),
        (400, [1, -1, 1, -1], [1, 1, 1, 1], "mistake"),
        (50, [1, -1, 1, 1], [1, 1, 1, 1], "cannot be told"),
        (4000, [1] * 99 + [-1], [1], "best"),  # worse, but by less than the threshold
        (4000, [1] * 19 + [-1], [1], "cannot be told"),  # about the threshold
    ],
)
def test_a_verdict_needs_clear_evidence(worlds: int, values: list[int], other_values: list[int], verdict: str) -> None:
    """A few equal worlds prove nothing, and a loss near the threshold stays open."""
    found = estimate_move_cost(playouts(worlds, values, other_values), A, 2.0)
    assert found.verdict == verdict
    least, most = found.loss_interval
    assert 0 <= least <= found.loss <= most <= 1
    assert (found.verdict == "mistake") == (least > MISTAKE_THRESHOLD)
    assert (found.verdict == "best") == (most < MISTAKE_THRESHOLD)


def test_results_are_converted_to_shares_of_a_win() -> None:
    """A loss is 0, a win 1, and a tie the share before the deal, for any number of players."""
    for name in ("podkidnoy", "podkidnoy, players=5", "teams", "teams_of_two", "econ431"):
        rules = Rules.coerce(name)
        shares, outcome = WinShareScale.from_rules(rules), play_reviewed_game(name, 1).outcome
        assert sorted({round(shares.payoff_to_share(utility), 9) for utility in outcome.utilities}) == [0, 1]
        assert shares.payoff_to_share(0.0) == shares.fair_share
        assert 0 < shares.fair_share < 1


TAKING = Game.from_position_line("6c 6d Kc | 8c 9d; trump h; talon Ac Ad 7h; attacker 0")
TAKING.play("attack 6c")
TAKING.play("take")
KEPT = Game.from_position(hands=["6c 7c 8d", "9c Ts"], trump="h", talon="Ah As Ad 9h")
KEPT.play("attack 6c")
KEPT.play("take")


@pytest.mark.parametrize(
    ("position", "seat", "move", "better", "kind"),
    [
        ("7d | 8c 8h 9d; trump h; talon Ac Kc 7h; table 6c", 1, "beat 6c 8h", "beat 6c 8c", "trump"),
        ("7d | 8c 8h 9d; trump h; talon Ac Kc 7h; table 6c", 1, "take", "beat 6c 8c", "take"),
        ("7d | 8d 8s 9d; trump h; talon Ac Kc 7h; table 6c", 1, "take", "take", None),
        ("7d | 8c Tc 8s 9d; trump h; talon Ac Kc 7h; table 6c", 1, "beat 6c 8c", "beat 6c Tc", "pair"),
        ("7d | 8c 8d 8s Tc 9d; trump h; talon Ac Kc 7h; table 6c", 1, "beat 6c 8c", "beat 6c Tc", None),
        ("7d | 8c Tc 9d; trump h; talon Ac Kc 7h; table 6c", 1, "beat 6c Tc", "beat 6c 8c", None),
        ("8h 9c Kd | Tc Qc; trump h; talon Ac 7h", 0, "attack 8h", "attack 9c", "trump"),
        ("8h 9h Kd | Tc Qc; trump h; talon Ac 7h", 0, "attack 9h", "attack 8h", None),
    ],
)
def test_a_kind_of_mistake_is_named_only_where_it_is_true(position: str, seat: int, move: str, better: str, kind: str | None) -> None:
    """Each has an example, and a similar case where it is not true."""
    view = Game.from_position_line(position).view(seat)
    assert {Move(move), Move(better)} <= {*view.legal_moves()}
    assert classify_mistake(view, Move(move), Move(better)) == kind
    assert classify_mistake(view, Move(move), Move(better), is_proved=True) == (kind or "ending")


def test_a_gift_is_thrown_in_to_a_player_who_picks_up() -> None:
    """It is named in no other case."""
    assert classify_mistake(TAKING.view(0), Move("throw 6d"), Move("pass")) == "throw"
    before = Game.from_position_line("6d Kc | 8c 9d; trump h; talon Ac Ad 7h; table 6c/7c")
    assert classify_mistake(before.view(0), Move("throw 6d"), Move("pass")) is None


def test_a_seen_card_was_picked_up_openly_and_beats() -> None:
    """The six would beat a five, but not another suit. Cards from the talon are not named."""
    game = Game.from_position("podkidnoy, ranks=56789TJQKA", hands=["6c 5c 8d", "9d Ts"], trump="h", talon="Ah As Ad 9h")
    game.play("attack 6c")
    game.play("take")
    view = game.view(0)
    assert str(find_seen_beater(view, Move("attack 5c"))) == "6c"
    assert find_seen_beater(view, Move("attack 8d")) is None
    assert classify_mistake(view, Move("attack 5c"), Move("attack 8d")) == "seen"
    assert classify_mistake(view, Move("attack 8d"), Move("attack 5c")) is None
    fact = build_kind_fact(view, Move("attack 5c"), "seen")
    assert fact.facts["who"].number == view.defender
    assert fact.facts["card"] in view.memory.known[view.defender]


def test_unreviewable_games_are_refused() -> None:
    """A running game is reviewed for one seat, a match game by game. The message says so."""
    game = Game(seed=7)
    game.play("attack 6s")
    for wrong, sentence in (
        (lambda: review.analyze(game), "as in review.analyze(game, 0)"),
        (lambda: review.analyze(game, 0, by="all cards"), "leave out by="),
        (lambda: review.analyze("game"), "Game"),
        (lambda: review.analyze(play_reviewed_game(SMALLEST, 1), 2), "0 to 1"),
        (lambda: review.analyze(play_reviewed_game(SMALLEST, 1), by="chance"), "'what it knew' or 'all cards'"),
        (lambda: review.analyze(play_reviewed_game(SMALLEST, 1), budget=-1), "budget .*-1"),
    ):
        with pytest.raises(PositionError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
            wrong()


SMALLEST = "econ431"


def test_the_review_of_a_running_game_reveals_nothing() -> None:
    """Two games that the seat can't distinguish get the same review, without full positions."""
    game = Game(seed=7)
    for move in ("attack 6s", "take", "attack 9d"):
        if Move(move) in game.legal_moves():
            game.play(move)
    seat = 0
    worlds = [game]
    worlds.append(analysis.worlds(game.view(seat)).sample(Random(3)))
    first, other = (review.analyze(some, seat, budget=500) for some in worlds)
    assert {decision.seat for decision in first.decisions} == {seat}
    assert first.decisions
    assert [replace(decision, game=None) for decision in first.decisions] == [replace(decision, game=None) for decision in other.decisions]
    assert all(decision.position is None for decision in first.decisions)
    assert first.result is None
    assert not first.luck
    assert not first.turning_points
    assert all(chance.shares[1] is None for chance in first.chances)
    assert len(first.skill) == 1
    assert first.html("en") == other.html("en")


def test_forced_moves_are_not_judged() -> None:
    """The result does not matter."""
    game = game_from_position("Qh | 7c; trump h", "attack Qh", "take")
    found = review.analyze(game)
    assert [decision.verdict for decision in found.decisions] == ["forced", "forced"]
    assert [decision.loss_interval for decision in found.decisions] == [(0.0, 0.0)] * 2
