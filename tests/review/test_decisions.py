"""What may be said of a decision: when it is a mistake, when it is best, when neither; and of which kind a mistake is."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from durak_widget import Game, Move, PositionError, Rules, analysis, review
from durak_widget.analysis.monte_carlo_playouts import UNITS_PER_WIN, Playouts
from durak_widget.review.decisions import MISTAKE_THRESHOLD, WinShareScale, estimate_move_cost
from durak_widget.review.turning_points import build_kind_fact, classify_mistake, find_seen_beater
from support.reviewed import line, played

A, B = Move("attack 6c"), Move("attack 7c")


def tried(worlds: int, one: list[int], two: list[int]) -> Playouts:
    """Playouts in which two moves brought this in turns, each win 1 and each loss -1."""
    rows = [(UNITS_PER_WIN * one[i % len(one)], UNITS_PER_WIN * two[i % len(two)]) for i in range(worlds)]
    sums = (sum(a for a, _ in rows), sum(b for _, b in rows))
    products = {(0, 0): sum(a * a for a, _ in rows), (1, 0): sum(a * b for a, b in rows), (1, 1): sum(b * b for _, b in rows)}
    return Playouts((A, B), worlds, 0, sums, products)


@pytest.mark.parametrize(
    ("worlds", "one", "two", "said"),
    [
        (20, [1], [1], "cannot be told"),  # all agree, but they are few
        (400, [1], [1], "best"),
        (20, [-1], [1], "mistake"),
        (15, [-1], [1], "mistake"),
        (10, [-1], [1], "cannot be told"),
        (400, [1, -1, 1, -1], [1, 1, 1, 1], "mistake"),
        (50, [1, -1, 1, 1], [1, 1, 1, 1], "cannot be told"),
        (4000, [1] * 99 + [-1], [1], "best"),  # worse, but by less than the bar
        (4000, [1] * 19 + [-1], [1], "cannot be told"),  # about the bar
    ],
)
def test_a_verdict_is_given_only_clear_of_the_bar(worlds: int, one: list[int], two: list[int], said: str) -> None:
    """A few worlds that agree prove nothing, and what costs about as much as the bar is left open, however many there are."""
    found = estimate_move_cost(tried(worlds, one, two), A, 2.0)
    assert found.verdict == said
    least, most = found.loss_interval
    assert 0 <= least <= found.loss <= most <= 1
    assert (found.verdict == "mistake") == (least > MISTAKE_THRESHOLD)
    assert (found.verdict == "best") == (most < MISTAKE_THRESHOLD)


def test_what_is_a_share_of_a_win() -> None:
    """A loss is nothing, a win all of it, a draw what everybody has before the deal; whatever the number of seats."""
    for name in ("podkidnoy", "podkidnoy, players=5", "teams", "teams_of_two", "econ431"):
        rules = Rules.coerce(name)
        shares, outcome = WinShareScale.from_rules(rules), played(name, 1).outcome
        assert sorted({round(shares.payoff_to_share(worth), 9) for worth in outcome.utilities}) == [0, 1]
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
def test_a_kind_is_named_only_where_it_holds(position: str, seat: int, move: str, better: str, kind: str | None) -> None:
    """Each by an example, and beside it one where the cards do not bear it out."""
    view = Game.from_position_line(position).view(seat)
    assert {Move(move), Move(better)} <= {*view.legal_moves()}
    assert classify_mistake(view, Move(move), Move(better)) == kind
    assert classify_mistake(view, Move(move), Move(better), is_proved=True) == (kind or "ending")


def test_a_present_is_thrown_in_to_who_takes() -> None:
    """And only then."""
    assert classify_mistake(TAKING.view(0), Move("throw 6d"), Move("pass")) == "throw"
    before = Game.from_position_line("6d Kc | 8c 9d; trump h; talon Ac Ad 7h; table 6c/7c")
    assert classify_mistake(before.view(0), Move("throw 6d"), Move("pass")) is None


def test_a_seen_card_was_seen_by_all_and_beats() -> None:
    """The six was taken for all to see: a five would be beaten by it, a card of another suit is not; what was only drawn is not named."""
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


def test_what_may_not_be_reviewed_is_refused_in_a_sentence() -> None:
    """A game that goes on is judged for one seat, by what it knew; a match by its games; and all else says what would be right."""
    game = Game(seed=7)
    game.play("attack 6s")
    for wrong, said in (
        (lambda: review.analyze(game), "say whose, as in review.analyze(game, 0)"),
        (lambda: review.analyze(game, 0, by="all cards"), "only when it is over"),
        (lambda: review.analyze("game"), "a review is made of a Game"),
        (lambda: review.analyze(played(SMALLEST, 1), 2), "the seats are 0 to 1"),
        (lambda: review.analyze(played(SMALLEST, 1), by="chance"), "'what it knew' or 'all cards'"),
        (lambda: review.analyze(played(SMALLEST, 1), budget=-1), "budget=-1 is not a whole number"),
    ):
        with pytest.raises(PositionError, match=said.replace("(", r"\(").replace(")", r"\)")):
            wrong()


SMALLEST = "econ431"


def test_a_game_that_goes_on_gives_nothing_away() -> None:
    """One seat's decisions, by its own knowledge: two games that it cannot tell apart are judged alike, and no position of all cards is handed out."""
    game = Game(seed=7)
    for move in ("attack 6s", "take", "attack 9d"):
        if Move(move) in game.legal_moves():
            game.play(move)
    seat = 0
    worlds = [game]
    worlds.append(analysis.worlds(game.view(seat)).sample(Random(3)))
    one, other = (review.analyze(some, seat, budget=500) for some in worlds)
    assert {decision.seat for decision in one.decisions} == {seat}
    assert one.decisions
    assert [replace(decision, game=None) for decision in one.decisions] == [replace(decision, game=None) for decision in other.decisions]
    assert all(decision.position is None for decision in one.decisions)
    assert one.result is None
    assert not one.luck
    assert not one.turning_points
    assert all(chance.shares[1] is None for chance in one.chances)
    assert len(one.skill) == 1
    assert one.html("en") == other.html("en")


def test_of_one_legal_move_nothing_is_judged() -> None:
    """It is forced, whatever it leads to."""
    game = line("Qh | 7c; trump h", "attack Qh", "take")
    found = review.analyze(game)
    assert [one.verdict for one in found.decisions] == ["forced", "forced"]
    assert [one.loss_interval for one in found.decisions] == [(0.0, 0.0)] * 2
