"""Test that the fast engine solves endings like the Python search: values, moves, bouts, lines and positions searched."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from itertools import islice, zip_longest
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from

from durak_widget import Game, PositionError, Rules, fast_engine
from durak_widget.analysis import acyclic_endgame_solver, endgame
from durak_widget.analysis.acyclic_endgame_solver import (
    ACYCLIC_SEARCH,
    AcyclicEndgameSolver,
    FastEngineSearch,
    TooLargeError,
    is_acyclic_endgame,
)
from durak_widget.analysis.position_repetition import remove_repetition_rule
from durak_widget.fast_engine.engine_instance import get_engine_instance
from durak_widget.fast_engine.wasm_host import HostError
from support.mixes import anything, seeds
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
MANY = tried(6, 400)
KINDS = (
    *("podkidnoy", "econ431", "low_trump", "spades_by_spades", "no_trumps", "railway", "albanian"),
    *("podkidnoy, goal=first_out", "podkidnoy, out_when=at_once", "econ431, out_when=bout_end, goal=not_last"),
    *(
        "podkidnoy, throw_in_after_take=False",
        "podkidnoy, throw_in_by=nobody",
        "podkidnoy, attack_limit=2",
        "podkidnoy, first_bout_limit=1",
    ),
    *("podkidnoy, players=3", "podkidnoy, players=4, out_when=at_once", "podkidnoy, players=4, teams=2v2", "podkidnoy, jokers=2"),
)


def random_ending(rules: Rules, seed: int, most: int) -> Game | None:
    """Return a game with two hands of similar size, after up to four moves; None if it is over."""
    rng = Random(seed)
    attacker, other = rng.sample(range(rules.players), 2)
    deck = [rank + suit for suit in rules.suits for rank in rules.ranks]
    size = rng.randint(1, most)
    cards = rng.sample(deck, min(2 * size + rng.randint(0, 1), len(deck)))
    hands = [""] * rules.players
    hands[attacker], hands[other] = " ".join(cards[:size]), " ".join(cards[size:])
    suits = [suit for suit in rules.suits if suit != "s" or not rules.spades_by_spades]
    try:
        game = Game.from_position(rules, hands=hands, trump=rng.choice(suits) if rules.trump == "turn_up" else None, attacker=attacker)
    except PositionError:
        return None
    for _ in range(rng.randint(0, 4)):
        if game.actor is not None:
            game.play(rng.choice(game.legal_moves()))
    return game if game.actor is not None else None


def random_endings(rules: Rules, most: int) -> list[Game]:
    """Return endings that the acyclic search of the fast engine supports."""
    drawn = (random_ending(rules, seed, most) for seed in range(20 * MANY))
    return list(islice((game for game in drawn if game is not None and is_acyclic_endgame(game.state)), MANY))


def solve_in_python(game: Game, budget: int | None = None) -> endgame.EndgameSolution:
    """Solve the ending with the Python search."""
    state, drawn = remove_repetition_rule(game.state)
    return endgame.EndgameSolution(state, AcyclicEndgameSolver(state, budget, python_only=True), drawn, budget)


def results_step_by_step(found: endgame.EndgameSolution) -> Iterator[object]:
    """Yield each result of a solved ending, with the number of positions searched so far."""
    for what in ("value", "bouts_to_end", "move_values", "best_moves", "quickest_moves", "best_line", "is_fully_solved"):
        yield getattr(found, what), found.positions_searched


def solve_in_fast_engine(game: Game, budget: int | None = None) -> endgame.EndgameSolution:
    """Solve the ending, and assert that the fast engine is used."""
    found = endgame.solve_endgame(game, budget=budget)
    assert isinstance(found._solver, AcyclicEndgameSolver)
    assert found._solver._fast_search is not None
    return found


def has_same_results(game: Game, budget: int | None = None) -> bool:
    """Do fast engine and Python search give the same results, step by step?"""
    return all(
        result == other
        for result, other in zip_longest(
            results_step_by_step(solve_in_fast_engine(game, budget)), results_step_by_step(solve_in_python(game, budget))
        )
    )


def test_endings_equal_those_of_the_python_search():
    """Value, move values, best moves, bouts, quickest moves, line, and positions searched, from the start of a bout or during one."""
    for rules in KINDS:
        found = random_endings(Rules.coerce(rules), 5)
        assert len(found) == MANY
        for game in found:
            assert has_same_results(game), game.position


@given(anything, seeds, sampled_from([None, 0, 1, 3, 20, 200]))
def test_endings_under_any_rules_equal_those_of_the_python_search(rules, seed, budget):
    """Under every mix of options with an acyclic search, with any budget."""
    game = random_ending(rules, seed, 4)
    if game is not None and is_acyclic_endgame(game.state):
        assert has_same_results(game, budget), game.position


def test_a_search_in_slices_has_the_same_results(monkeypatch):
    """A search that pauses after every seventh step gives the same results, after as many positions."""
    for game in random_endings(Rules.coerce("podkidnoy"), 4):
        expected = list(results_step_by_step(solve_in_fast_engine(game)))
        with monkeypatch.context() as patched:
            patched.setattr(acyclic_endgame_solver, "ACYCLIC_SEARCH", ACYCLIC_SEARCH._replace(slice_size=7))
            assert list(results_step_by_step(solve_in_fast_engine(game))) == expected


@pytest.mark.parametrize("budget", [60, 5000, None])
def test_an_interrupted_search_can_be_repeated(budget, monkeypatch):
    """At whatever point it was interrupted: with a budget the next call starts anew; without one it uses what was found."""
    state, _ = remove_repetition_rule(Game.from_position(hands=["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"], trump="s").state)
    machine = get_engine_instance(state.compiled_rules.rules)
    assert machine is not None
    call = type(machine.wasm).call

    def results_for_both_seats(solver: AcyclicEndgameSolver) -> list[tuple[bool | None, int]]:
        results: list[tuple[bool | None, int]] = []
        for seat in (0, 1):
            found = None
            with suppress(TooLargeError):
                found = solver.can_win(state, seat)
            results.append((found, 0 if budget is None else solver.positions_searched))
        return results

    expected = results_for_both_seats(AcyclicEndgameSolver(state, budget, python_only=True))
    for calls in (0, 1, 2, 5, 20):
        left = iter(range(calls))

        def interrupting_call(running: object, name: str, *numbers: int, left: Iterator[int] = left) -> int:
            if name == "searchEnding" and next(left, None) is None:
                raise KeyboardInterrupt
            return call(running, name, *numbers)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(acyclic_endgame_solver, "ACYCLIC_SEARCH", ACYCLIC_SEARCH._replace(slice_size=20))
            patched.setattr(type(machine.wasm), "call", interrupting_call)
            solver = AcyclicEndgameSolver(state, budget)
            with pytest.raises(KeyboardInterrupt):
                results_for_both_seats(solver)
        assert results_for_both_seats(solver) == expected
        assert solver._fast_search is not None


def test_several_endings_do_not_mix():
    """All share one table, with the same hands, other trumps and other rules; each has its own results. With a budget each searches as many positions as alone."""
    for budget in (40, None):
        hands = ["9c Td Qs Jc", "Kc Ts Jd As"]
        kinds = [(rules, trump) for rules in ("podkidnoy", "econ431", "podkidnoy, attack_limit=1") for trump in "cdhs"]
        games = [Game.from_position(rules, hands=hands, trump=trump) for rules, trump in kinds]
        found = [solve_in_fast_engine(game, budget) for game in games]
        alone = [solve_in_python(game, budget) for game in games]
        for what in ("move_values", "bouts_to_end", "quickest_moves", "best_line"):
            for result, other in zip(found, alone, strict=True):
                assert getattr(result, what) == getattr(other, what)
                assert budget is None or result.positions_searched == other.positions_searched


def test_a_budget_gives_the_same_results_without_the_fast_engine():
    """Marks, hints and saved games do not depend on installed packages: results and even positions searched are equal."""
    for game in random_endings(Rules.coerce("podkidnoy"), 5):
        for budget in (0, 1, 2, 5, 20, 100, 5000):
            assert has_same_results(game, budget), game.position


@pytest.mark.parametrize("budget", [30, 5000, None])
def test_a_host_failure_during_a_search_changes_no_result(budget, monkeypatch):
    """At any call: the Python search then starts anew, so with a budget its results are the same."""
    game = Game.from_position(hands=["6c 8d 9s Jc Qd", "7c 9c Td Js Qs"], trump="s")
    expected = [(result, looked if budget else 0) for result, looked in results_step_by_step(solve_in_python(game, budget))]
    put = FastEngineSearch._send_question
    for questions in (0, 1, 2, 5, 20):
        left = iter(range(questions))

        def failing_question(search: FastEngineSearch, *arguments: Any, left: Iterator[int] = left) -> int:
            if next(left, None) is None:
                raise HostError("a trap")
            return put(search, *arguments)

        found = solve_in_fast_engine(game, budget)
        with monkeypatch.context() as patched:
            patched.setattr(FastEngineSearch, "_send_question", failing_question)
            assert [(result, looked if budget else 0) for result, looked in results_step_by_step(found)] == expected


@pytest.mark.release
def test_a_full_table_still_gives_right_results():
    """Nine cards against nine have more positions than the table has room for; the Python search, which stores all, agrees."""
    rng = Random(9)
    cards = rng.sample([rank + suit for suit in "cdhs" for rank in "6789TJQKA"], 18)
    game = Game.from_position(hands=[" ".join(cards[:9]), " ".join(cards[9:])], trump=rng.choice("cdhs"))
    found, other = solve_in_fast_engine(game), solve_in_python(game)
    assert found.positions_searched > other.positions_searched > 1 << 20
    assert found.value == other.value
    few = endgame.solve_endgame(game, budget=(1 << 20) + 100)
    assert few.positions_searched == solve_in_python(game, (1 << 20) + 100).positions_searched


OFF = """
from durak_widget import Game, fast_engine
from durak_widget.analysis import endgame
assert fast_engine.describe_host().startswith("none"), fast_engine.describe_host()
for hands in {hands!r}:
    found = endgame.solve_endgame(Game.from_position(hands=hands, trump="h"))
    print(found._solver._fast_search, found.value, list(map(str, found.move_values.items())), found.bouts_to_end, *found.best_line)
"""


def test_without_the_fast_engine_the_results_are_the_same():
    """A separate Python process with the fast engine disabled gives the same results."""
    rng, cards = Random(3), [rank + suit for suit in "cdhs" for rank in "6789TJQKA"]
    hands = []
    for _ in range(8):
        some = rng.sample(cards, 10)
        hands.append([" ".join(some[:5]), " ".join(some[5:])])
    off = subprocess.run(
        [sys.executable, "-c", OFF.format(hands=hands)],
        env={**os.environ, "DURAK_KERNEL": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    for line, (hand, other) in zip(off.stdout.splitlines(), hands, strict=True):
        found = solve_in_fast_engine(Game.from_position(hands=[hand, other], trump="h"))
        assert line == " ".join(
            ["None", str(found.value), str(list(map(str, found.move_values.items()))), str(found.bouts_to_end), *map(str, found.best_line)]
        )
