"""Test that the fast engine solves endings with repeated positions like the Python search, after as many positions searched."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from durak_widget import Game, PositionError, Rules, analysis, fast_engine
from durak_widget.analysis import cyclic_endgame_solver, endgame
from durak_widget.analysis.acyclic_endgame_solver import CYCLIC_SEARCH, FastEngineSearch, TooLargeError
from durak_widget.analysis.cyclic_endgame_solver import CyclicEndgameSolver
from durak_widget.analysis.position_repetition import remove_repetition_rule
from durak_widget.cards import Card, face_from_bit
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.fast_engine import wasm_host
from durak_widget.fast_engine.engine_instance import get_engine_instance
from support.mixes import anything, seeds
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
MANY = tried(3, 100)
BUDGETS = (0, 1, 7, 60, None)
KINDS = (
    *sorted(Rules.presets()),
    *(
        "passport, players=3, out_when=at_once",
        "perevodnoy, players=4, out_when=at_once",
        "perevodnoy, decks=2",
        "transfer, jokers=2, weli=sixes",
        "siege, decks=2, transfer=True",
    ),
    *(
        "passport, priority=last_thrower, players=3, out_when=at_once",
        "perevodnoy, priority=last_thrower, players=4, teams=2v2",
        "transfer, transfer_first_bout=False, first_bout_limit=2",
    ),
)


def random_ending(rules: Rules, seed: int, most: int) -> Game | None:
    """Return a game with two hands of similar size, after some moves; None if it is over or invalid."""
    rng = Random(seed)
    attacker, other = rng.sample(range(rules.players), 2)
    size = rng.randint(1, most)
    deck = [str(Card.from_code(face_from_bit(bit))) for bit in compile_rules(rules).deck]
    if rng.random() < 0.5:  # few ranks, for more transfers and throw-ins
        ranks = rng.sample(rules.ranks, min(3, len(rules.ranks)))
        deck = [card for card in deck if card[0] in ranks] or deck
    cards = rng.sample(deck, min(2 * size + rng.randint(0, 1), len(deck)))
    hands = [""] * rules.players
    hands[attacker], hands[other] = " ".join(cards[:size]), " ".join(cards[size:])
    third = rng.random() < 0.5 and next((seat for seat in range(rules.players) if seat not in {attacker, other}), None)
    if third and len(cards) < len(deck):  # this player goes out soon, perhaps during a bout
        hands[third] = rng.choice([card for card in deck if card not in cards] or deck[:1])
    suits = [suit for suit in rules.suits if suit != "s" or not rules.spades_by_spades]
    bout = rng.choice([1, 2])
    if not suits:
        return None
    try:
        trump = rng.choice(suits) if rules.trump == "turn_up" else None
        game = Game.from_position(rules, hands=hands, trump=trump, attacker=attacker, bout=bout)
    except PositionError:
        return None
    more = rng.randint(0, 5)
    while game.actor is not None and (more > 0 or len(game.seats_in) > 2) and game.ply < 40:
        game.play(rng.choice(game.legal_moves()))
        more -= 1
    return game if game.actor is not None and len(game.seats_in) == 2 else None


def random_endings(rules: Rules, most: int, count: int = MANY) -> list[Game]:
    """Return some random endings."""
    return list(islice((game for seed in range(100 * count) if (game := random_ending(rules, seed, most)) is not None), count))


def solve(game: Game, budget: int | None = None, least: int = 0, *, plainly: bool = False) -> endgame.EndgameSolution:
    """Solve an ending with `CyclicEndgameSolver`, whatever its kind."""
    state, drawn = remove_repetition_rule(game.state)
    solver = CyclicEndgameSolver(state, budget, drawn, least, python_only=plainly)
    assert plainly or solver._fast_search is not None
    return endgame.EndgameSolution(state, solver, drawn, budget, least)


def results_step_by_step(found: endgame.EndgameSolution) -> Iterator[object]:
    """Yield each result of a solved ending, followed by the number of positions searched so far."""
    for what in ("value", "move_values", "bouts_to_end", "best_line", "quickest_moves"):
        yield getattr(found, what)
        yield found.positions_searched


def assert_same_results(game: Game, budget: int | None = None, least: int = 0) -> None:
    """Assert that fast engine and Python search agree, and that the fast engine was used."""
    found = solve(game, budget, least)
    assert list(results_step_by_step(found)) == list(results_step_by_step(solve(game, budget, least, plainly=True))), (
        game.position,
        budget,
        least,
    )
    assert found._solver._fast_search is not None  # type: ignore[attr-defined]


@pytest.mark.parametrize("rules", KINDS[:: tried(3, 1)])
def test_cyclic_endings_equal_those_of_the_python_search(rules):
    """Value, moves, bouts, line and positions searched, within any budget, from the start of a bout or during one."""
    found = random_endings(Rules.coerce(rules), 3)
    assert len(found) == MANY
    for game in found:
        for budget in BUDGETS:
            assert_same_results(game, budget)


def test_long_wins_equal_those_of_the_python_search():
    """Five cards against five: most positions are searched for wins without a limit of bouts, and the budget often ends in the middle."""
    for rules in ("perevodnoy", "passport", "transfer", "perevodnoy, decks=2"):
        deck = [str(Card.from_code(face_from_bit(bit))) for bit in compile_rules(Rules.coerce(rules)).deck]
        for seed in range(tried(4, 100)):
            cards = Random(seed).sample(deck, 10)
            assert_same_results(Game.from_position(rules, hands=[" ".join(cards[:5]), " ".join(cards[5:])], trump="h"), 200 << seed % 5)


def test_an_ending_after_a_player_went_out_during_the_bout():
    """Nothing can be transferred to this player any more, although the player was in when the bout began."""
    for rules in ("perevodnoy", "passport"):
        game = Game.from_position(Rules.preset(rules, players=3, out_when="at_once"), hands=["7c", "7d 8d 9c", "7h 8h Tc"], trump="h")
        for move in ("attack 7c", "transfer 7d"):
            game.play(move)
        assert game.seats_in == (1, 2)
        assert "transfer 7h" not in map(str, game.legal_moves())
        for budget in BUDGETS:
            assert_same_results(game, budget)


@given(anything, seeds)
@settings(deadline=None)
def test_cyclic_endings_under_any_rules_equal_those_of_the_python_search(rules, seed):
    """Under every mix of options, with transfers too, some with few positions allowed, some with a number of epaulettes."""
    rng = Random(seed)
    game = random_ending(rules, seed, 3)
    if game is not None and fast_engine.explain_unsupported_rules(rules) is None:
        assert_same_results(game, rng.choice([*BUDGETS, 2000]) or 2000, rng.choice([0, 0, 1, 2]))


def test_wins_with_epaulettes_equal_those_of_the_python_search():
    """With many sixes some endings have such a win, and some do not."""
    for rules in ("perevodnoy", "passport, transfer_first_bout=False", "podkidnoy, jokers=2", "siege, decks=2"):
        for least in (1, 2):
            found = random_endings(Rules.coerce(rules).replace(ranks="67", hand_size=3), 4, tried(12, 200))
            for game in found:
                assert_same_results(game, None, least)
            assert {0} < {solve(game, None, least).value for game in found}


def endings_with_repetition(rules: str, count: int) -> list[Game]:
    """Return games in which some starts of bouts have occurred so often that one more is a draw."""
    found = []
    for seed in range(200 * count):
        game = random_ending(Rules.coerce(rules), seed, 3)
        if game is not None and remove_repetition_rule(game.state)[1] and len(found) < count:
            found.append(game)
    assert len(found) == count
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["perevodnoy, repetition=2", "passport, players=3, repetition=2"])
def test_drawn_repetitions_equal_those_of_the_python_search(rules):
    """A position that has occurred too often is a draw for both; this changes some results."""
    matters = 0
    for game in endings_with_repetition(rules, tried(25, 300)):
        for budget in (9, None):
            assert_same_results(game, budget)
        state, drawn = remove_repetition_rule(game.state)
        without = endgame.EndgameSolution(state, CyclicEndgameSolver(state), drawn, None)
        matters += list(results_step_by_step(solve(game))) != list(results_step_by_step(without))
    assert matters or Rules.coerce(rules).decks == 2  # with two decks so many hands are equal that it rarely matters


LARGE = ["6c 8d 9s Jc Qd", "7c 9c Td Js Qs"]


def large_ending(trump: str = "s") -> Game:
    """Return an ending with some thousands of positions."""
    return Game.from_position(Rules.preset("perevodnoy"), hands=LARGE, trump=trump)


def test_a_cyclic_search_in_slices_has_the_same_results(monkeypatch):
    """A search that pauses after every step, or every seventh, gives the same results, after as many positions."""
    for game in random_endings(Rules.preset("perevodnoy"), 4, 8):
        expected = list(results_step_by_step(solve(game)))
        for steps in (1, 7):
            with monkeypatch.context() as patched:
                patched.setattr(cyclic_endgame_solver, "CYCLIC_SEARCH", CYCLIC_SEARCH._replace(slice_size=steps))
                assert list(results_step_by_step(solve(game))) == expected


@pytest.mark.slow
@pytest.mark.parametrize("budget", [500, None])
def test_an_interrupted_cyclic_search_can_be_repeated(budget, monkeypatch):
    """At whatever point it was interrupted, the next call gives the same results, after as many positions."""
    state, drawn = remove_repetition_rule(large_ending().state)
    machine = get_engine_instance(state.compiled_rules.rules)
    assert machine is not None
    call = type(machine.wasm).call

    def results_for_both_seats(solver: CyclicEndgameSolver) -> list[tuple[bool | None, int]]:
        results = []
        for seat in (0, 1):
            found = None
            with suppress(TooLargeError):
                found = solver.can_win(state, seat)
            results.append((found, solver.positions_searched))
        return results

    expected = results_for_both_seats(CyclicEndgameSolver(state, budget, drawn, python_only=True))
    for calls in (1, 2, 3, 9, 40):
        left = iter(range(calls))

        def interrupting_call(running: object, name: str, *numbers: int, left: Iterator[int] = left) -> int:
            if name == "searchWandering" and next(left, None) is None:
                raise KeyboardInterrupt
            return call(running, name, *numbers)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(cyclic_endgame_solver, "CYCLIC_SEARCH", CYCLIC_SEARCH._replace(slice_size=10))
            patched.setattr(type(machine.wasm), "call", interrupting_call)
            solver = CyclicEndgameSolver(state, budget, drawn)
            with pytest.raises(KeyboardInterrupt):
                results_for_both_seats(solver)
        assert results_for_both_seats(solver) == expected
        assert solver._fast_search is not None


def test_several_cyclic_endings_do_not_mix():
    """All share one table, and a deal with open cards uses it in between; each has its own results, after as many positions."""
    for budget in (300, None):
        hands = ["9c Td Qs Jc", "Kc Ts Jd As"]
        games = [Game.from_position(rules, hands=hands, trump=trump) for rules in ("perevodnoy", "passport") for trump in "cdhs"]
        alone = [list(results_step_by_step(solve(game, budget, plainly=True))) for game in games]
        found = [results_step_by_step(solve(game, budget)) for game in games]
        results: list[list[object]] = [[] for _ in games]
        for steps, results_of_ending in zip(found, results, strict=True):
            results_of_ending.append(next(steps))
        opened = analysis.solve_double_dummy(Game("econ431, ranks=QKA", seed=3))
        for turn in range(9):
            for steps, results_of_ending in zip(found, results, strict=True):
                results_of_ending.append(next(steps))
            if turn == 4:
                assert analysis.solve_double_dummy(Game("econ431, ranks=QKA", seed=3)) == opened
        assert results == alone


@pytest.mark.parametrize("budget", [40, 700, None])
@pytest.mark.parametrize("broken", ["its host fails", "there is no room"])
def test_the_python_search_takes_over_after_a_failure(broken, budget, monkeypatch):
    """At any question: the Python search then starts anew and gives the same results, after as many positions."""
    game = Game.from_position(Rules.preset("perevodnoy"), hands=["Qc Ac As", "Qd Kd Qh Ks"], trump="h")
    expected = list(results_step_by_step(solve(game, budget, plainly=True)))
    put = FastEngineSearch._send_question
    for questions in (0, 1, 2, 5, 20):
        left = iter(range(questions))

        def failing_question(search: object, *arguments: object, left: Iterator[int] = left) -> int:
            if next(left, None) is not None:
                return put(search, *arguments)  # type: ignore[arg-type]
            if broken == "there is no room":
                return 3
            raise wasm_host.HostError

        found = solve(game, budget)
        with monkeypatch.context() as patched:
            patched.setattr(FastEngineSearch, "_send_question", failing_question)
            assert list(results_step_by_step(found))[-2:] == expected[-2:]
            assert (found.value, found.move_values, found.bouts_to_end) == (expected[0], expected[2], expected[4])


def test_threads_in_turn_give_the_same_results():
    """Each has its own instance of the fast engine."""
    game = Game.from_position(Rules.preset("passport"), hands=["9c Td Qs Jc", "Kc Ts Jd As"], trump="h")
    expected = list(results_step_by_step(solve(game, 400, plainly=True)))
    with ThreadPoolExecutor(1) as executor, ThreadPoolExecutor(1) as other:
        found = results_step_by_step(solve(game, 400))
        results = [thread.submit(next, found).result() for thread in [executor, other] * (len(expected) // 2)]
    assert results == expected


ALONE = """
import sys
{before}
from durak_widget import Game, Rules
from durak_widget.analysis import endgame
for rules, budget in (("perevodnoy", None), ("passport", 300), ("transfer, decks=2", None)):
    found = endgame.solve_endgame(Game.from_position(rules, hands=["9c Td Qs Jc", "Kc Ts Jd As"], trump="h"), budget=budget)
    print(found.value, found.positions_searched, found.move_values, found.bouts_to_end, found.positions_searched, *found.best_line)
"""
TRAP = """
import wasmtime
calls, call = [], wasmtime.Func.__call__
def trap(*arguments):
    calls.append(1)
    if len(calls) == {nth}:
        raise wasmtime.Trap("wasm trap: out of bounds memory access")
    return call(*arguments)
wasmtime.Func.__call__ = trap
"""


@pytest.mark.slow
def test_cyclic_results_are_the_same_without_the_fast_engine():
    """In separate Python processes: with the fast engine disabled, in use, and failing at some call."""

    def output_of(before: str = "", **environment: str) -> str:
        code = ALONE.format(before=before)
        env = {**os.environ, **environment}
        return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout

    python_output = output_of(DURAK_KERNEL="off")
    assert python_output.count("Move(") == 8
    assert output_of() == python_output
    if fast_engine.describe_host().startswith("wasmtime"):
        for nth in (5, 30):
            assert output_of(TRAP.format(nth=nth)) == python_output


@pytest.mark.slow
def test_a_full_table_is_reported_and_used_again():
    """Eight cards against eight have more positions than the table has room for: there is no result, and small endings are solved as before in the same memory."""
    state, drawn = remove_repetition_rule(
        Game.from_position("perevodnoy", hands=["8c 9c Kd Qh Kh Ah 8s Ts", "Tc Qc 6d 8d Qd 6h Js Ks"], trump="h").state
    )
    machine = get_engine_instance(state.compiled_rules.rules)
    assert machine is not None
    search = FastEngineSearch.create(state, CYCLIC_SEARCH, None, drawn)
    assert search is not None
    begun = len(machine.wasm.read(0, 1 << 30))
    assert search.answer(machine, (state, 0, cyclic_endgame_solver.NO_LIMIT)) is None
    taken = len(machine.wasm.read(0, 1 << 30))
    assert taken - begun <= 64 << 20
    for game in random_endings(Rules.preset("perevodnoy"), 4, 8):
        assert_same_results(game)
    assert len(machine.wasm.read(0, 1 << 30)) == taken


def test_both_searches_use_the_same_number_of_quick_steps():
    """The constant is equal in Python and in the fast engine."""
    machine = get_engine_instance(Rules())
    assert machine is not None
    assert machine.layout["FEW"] == cyclic_endgame_solver._QUICK_SEARCH_STEPS
