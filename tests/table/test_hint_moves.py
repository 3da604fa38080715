"""Test hints: exact at the end of a game, the careful bot's before, and without hidden knowledge."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from durak_widget import CardSet, Game, Move, Rules, Table, bots, review
from durak_widget.analysis import endgame
from durak_widget.analysis.monte_carlo_playouts import Playouts
from durak_widget.bots.heuristic_bots import CarefulBot, prefer_usual_move
from durak_widget.review.decision_evaluation import EXHAUSTIVE_SEARCH_BUDGET, search_all_worlds
from durak_widget.table import hints, playout_estimates
from durak_widget.table.hints import Adviser, explain_advice
from durak_widget.table.move_feedback import comment_on_move, estimate_win_chance
from support.sizes import tried
from support.spoken import english_text
from support.tables import send_message

ANY = Random(0)
ADVISER = Adviser()


def winning_chances(name: str, seeds: range, most: int = 8) -> list[Game]:
    """Return moments of seeded games: two players, few cards, no talon, and only some moves win.

    With transfers, the cards on the table are included, because they can come back.
    """
    found = []
    for seed in seeds:
        game, rng = Game(Rules.preset(name), seed=seed), Random(seed)
        while game.outcome is None:
            lying = sum(len(pair) for pair in game.table) if game.rules.transfer else 0
            if not game.talon and sum(map(len, game.hands)) + lying <= most and len(game.legal_moves()) > 1:
                values = set(endgame.solve_endgame(game).move_values.values())
                if 1 in values and len(values) > 1:
                    found.append(game.copy())
            usual = CarefulBot().choose(game.view(game.actor), rng)
            game.play(usual if rng.random() < 0.5 else rng.choice(game.legal_moves()))
    return found


@pytest.mark.parametrize(
    ("name", "seeds", "least", "most"),
    [
        ("podkidnoy", range(tried(30, 420)), tried(20, 500), 7),
        ("perevodnoy", range(tried(15, 40)), tried(8, 30), 8),
        ("econ431", range(tried(15, 60)), tried(15, 100), 8),
    ],
)
def test_hints_never_give_a_win_away(name: str, seeds: range, least: int, most: int) -> None:
    """Where only some moves win, the hint wins. The careful bot, which gave hints before, is often wrong."""
    positions = winning_chances(name, seeds, most)
    assert len(positions) >= least
    careless = 0
    for game in positions:
        view, values = game.view(game.actor), endgame.solve_endgame(game).move_values
        assert values[ADVISER.choose(view, ANY)] == 1, game
        careless += values[CarefulBot().choose(view, ANY)] < 1
    assert careless > len(positions) / 20


def test_following_the_hints_wins_every_winnable_game() -> None:
    """The win is reached against the longest resistance, in the expected number of bouts."""
    for name in ["podkidnoy", "perevodnoy", "econ431"]:
        for game in winning_chances(name, range(tried(3, 30))):
            ending, me, first = endgame.solve_endgame(game), game.actor, game.bout
            while game.outcome is None:
                view = game.view(game.actor)
                game.play(Adviser().choose(view, ANY) if game.actor == me else endgame.solve_endgame(game).quickest_moves[0])
            assert me in game.outcome.winners
            assert game.bout - first <= ending.bouts_to_end


def complete_position(rules: str, **placed: object) -> Game:
    """Return the position with all other cards in the discard pile."""
    game = Game.from_position(rules, **placed)
    gone = CardSet.from_mask(game.view(0).data.unseen & ~game.hands[1].mask)
    return Game.from_position(rules, **placed, discard=" ".join(map(str, gone)))


LESSONS = [
    ("podkidnoy", {"hands": ["Ks 7d", "9c Qd Kd"], "trump": "h"}, {"attack Ks"}),
    ("podkidnoy", {"hands": ["6c 6d Kc", "Ts Qd Tc"], "trump": "h"}, {"attack Kc"}),
    ("podkidnoy", {"hands": ["Qs Qh 6c", "8c Qd Tc"], "trump": "h"}, {"attack Qs", "attack Qh"}),
    ("crazy", {"hands": ["9c As", "Kc Ad"], "attacker": 0}, {"attack As"}),
    ("econ431", {"hands": ["Kd Ks", "9h As"], "trump": "h", "table": "Kc/Ac", "attacker": 0}, {"throw Kd", "throw Ks"}),
]


def test_hints_agree_with_the_lessons() -> None:
    """At an ordinary table, positions of notebooks 04 and 07 get the lesson's moves, wherever the other cards are."""
    for rules, placed, right in LESSONS:
        game, known = Game.from_position(rules, **placed), complete_position(rules, **placed)
        assert {str(Adviser().choose(position.view(0), ANY)) for position in (game, known)} <= right
        assert endgame.solve_endgame(known.view(0)).value == 1


def test_a_hint_uses_only_what_the_player_knows() -> None:
    """The other hand's cards do not matter. Discarded cards are remembered."""
    first, other = (Game.from_position(hands=["Ks 7d", theirs], trump="h") for theirs in ("9c Qd Kd", "Ah As 6c"))
    assert Adviser().choose(first.view(0), ANY) is Adviser().choose(other.view(0), ANY)
    table = Table(complete_position("podkidnoy", hands=["8d Jc Ac", "6c Td Ad"], trump="h"), {0: "you", 1: "first"}, memory=False)
    assert {str(move) for move in endgame.solve_endgame(table.game).best_moves} == {"attack Jc"}
    send_message(table, "hint")
    assert send_message(table, "hint")["note"]["text"][1].startswith(f"Hint: {english_text('advice.attack', cards='the jack of clubs')}")
    forgetful = table.game.view(0, memory=False)
    assert Adviser().choose(forgetful, ANY) is CarefulBot().choose(forgetful, ANY)


def test_early_hints_are_those_of_the_careful_bot() -> None:
    """Test a talon, three players, and endings too large for a quick search."""
    for game in (Game(seed=7), Game.from_position(Rules(players=3), hands=["6c Ks", "7c", "8c Ad"], trump="h")):
        view = game.view(game.actor)
        assert Adviser().choose(view, ANY) is CarefulBot().choose(view, ANY)


def test_hint_coach_and_chances_agree_with_few_worlds() -> None:
    """The hint is judged best and costs nothing, and what holds in all worlds is called proved."""
    asked = sure = 0
    for seed in range(8):
        game = bots.play(Game("econ431", seed=seed), ["careful", "counting"], seed)
        for ply in range(game.ply):
            there = game.copy()
            there.goto(ply)
            there.forget_undone()
            view = there.view(there.actor)
            held = search_all_worlds(view, EXHAUSTIVE_SEARCH_BUDGET)
            if held is None or len(view.legal_moves()) == 1 or not view.talon_count:
                continue
            asked += 1
            found = ADVISER.advise(view, ANY)
            assert found.outright_value == held.value
            assert found.move in held.best_moves
            assert estimate_win_chance(view) == ({1: 1.0, 0: 0.5, -1: 0.0}[held.value],) * 3
            reasons = {fact.key for fact in explain_advice(view, found).reason}
            assert ("review.outright.won" in reasons) == (held.value == 1)
            sure += held.value == 1
            there.play(found.move)
            word = comment_on_move(there, ply)
            assert word is None or not word.is_costly
        if asked > sure > 5:
            return
    pytest.fail("too few cases of this kind were met")


def test_large_endings_are_left_to_the_careful_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits, and nothing is guessed."""
    view = Game.from_position("perevodnoy", hands=["6c 7c 8d 9s", "6d 7d 8c 9h"], trump="h").view(0)
    monkeypatch.setattr(hints, "HINT_POSITIONS", 60)
    assert Adviser().choose(view, ANY) is CarefulBot().choose(view, ANY)


def test_among_equally_good_moves_the_usual_one_is_hinted() -> None:
    """Otherwise the cheapest: the plain queen before the queen of trumps."""
    queens = Game.from_position(hands=["Qh Qs 6c", "8c Qd Tc"], trump="h")
    assert str(prefer_usual_move(queens.legal_moves()[1:], queens.view(0), Move("attack 6c"))) == "attack Qs"
    assert str(prefer_usual_move(queens.legal_moves(), queens.view(0), Move("attack Qh"))) == "attack Qh"


def test_a_table_loads_no_solver_before_the_first_hint() -> None:
    """Comparing moves loads with the first hint, the search with an empty talon and two players; numpy never."""
    code = """
import sys
from durak_widget import Game, Table
def hinted(game):
    table = Table(game, {0: "you", 1: "first"})
    table._handle_custom_msg({"kind": "hint", "ply": 0, "game": 1}, [])
    assert table.scene["note"]["kind"] == "hint"
Table(seed=7).play("attack Jc")
assert not [name for name in sys.modules if name.startswith(("durak_widget.analysis", "durak_widget.review"))]
hinted(Game(seed=7))
assert "durak_widget.analysis.monte_carlo_playouts" in sys.modules
hinted(Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h"))
assert "durak_widget.analysis.endgame" in sys.modules
assert "numpy" not in sys.modules
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_hint_does_not_wait_for_slow_python_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast engine may give up in the middle, and Python would need minutes."""
    monkeypatch.setattr("durak_widget.analysis.monte_carlo_playouts.ask_fast_engine", lambda *_: None)
    monkeypatch.setattr(playout_estimates, "PYTHON_PLAYOUTS", 60)
    view = Game(seed=7).view(0)
    assert playout_estimates.choose_playout_count(view.rules) == playout_estimates.FAST_ENGINE_PLAYOUTS
    found = playout_estimates.estimate_moves(view)
    assert found is not None
    assert found.world_count * len(found) == 60


def test_a_hint_departs_from_the_usual_move_only_if_surely_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best average is not enough if only another move is surely better."""
    view = Game(seed=7).view(0)
    usual = CarefulBot().choose(view, ANY)
    best, sure = [move for move in view.legal_moves() if move != usual][:2]
    monkeypatch.setattr("durak_widget.table.playout_estimates.estimate_moves", lambda _: estimates(usual, best, sure))
    assert ADVISER.advise(view, ANY).move == usual


def estimates(usual: Move, best: Move, sure: Move) -> Playouts:
    """Return estimates: the best mean varies widely, another is always slightly better than the usual."""
    worlds, brought = 400, {usual: [0] * 400, best: [60 if place % 2 else -50 for place in range(400)], sure: [4] * 400}
    moves = (usual, best, sure)
    products = {
        (i, j): sum(a * b for a, b in zip(brought[moves[i]], brought[moves[j]], strict=True)) for i in range(3) for j in range(i + 1)
    }
    return Playouts(moves, worlds, 0, tuple(sum(brought[move]) for move in moves), products)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["podkidnoy", "podkidnoy, players=3"])
def test_expensive_moves_for_the_coach_are_mistakes_for_the_review(rules: str) -> None:
    """The review of the whole game agrees, with a similar cost."""
    spoken = 0
    for seed in range(3, 3 + tried(1, 12)):
        game = bots.play(Game(rules, seed=seed), ["uncle", "random", "careful"][: 3 if "3" in rules else 2], seed)
        for decision in review.analyze(game).decisions:
            word = comment_on_move(game, decision.ply)
            if word is None or not word.is_costly:
                continue
            spoken += 1
            assert decision.is_mistake, (seed, decision)
            percent = word.facts[0].facts.get("percent")
            assert (percent is None) == (decision.verdict == english_text("review.verdict.proved"))
            assert percent is None or abs(percent - 100 * decision.loss) < 10
    assert spoken > 1
