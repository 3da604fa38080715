"""What the kernel says of endings is what the plain search says: values, moves, bouts, lines; and what playing everything out says."""

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


def dealt(rules: Rules, seed: int, most: int) -> Game | None:
    """Two hands of about as many cards, at two of the seats, and some moves into them; None where that is over already."""
    rng = Random(seed)
    one, other = rng.sample(range(rules.players), 2)
    deck = [rank + suit for suit in rules.suits for rank in rules.ranks]
    size = rng.randint(1, most)
    cards = rng.sample(deck, min(2 * size + rng.randint(0, 1), len(deck)))
    hands = [""] * rules.players
    hands[one], hands[other] = " ".join(cards[:size]), " ".join(cards[size:])
    suits = [suit for suit in rules.suits if suit != "s" or not rules.spades_by_spades]
    try:
        game = Game.from_position(rules, hands=hands, trump=rng.choice(suits) if rules.trump == "turn_up" else None, attacker=one)
    except PositionError:
        return None
    for _ in range(rng.randint(0, 4)):
        if game.actor is not None:
            game.play(rng.choice(game.legal_moves()))
    return game if game.actor is not None else None


def endings(rules: Rules, most: int) -> list[Game]:
    """Many of them, such as the kernel searches."""
    drawn = (dealt(rules, seed, most) for seed in range(20 * MANY))
    return list(islice((game for game in drawn if game is not None and is_acyclic_endgame(game.state)), MANY))


def plain(game: Game, budget: int | None = None) -> endgame.EndgameSolution:
    """The ending as the plain search has it."""
    state, drawn = remove_repetition_rule(game.state)
    return endgame.EndgameSolution(state, AcyclicEndgameSolver(state, budget, python_only=True), drawn, budget)


def known(found: endgame.EndgameSolution) -> Iterator[object]:
    """All that is said of an ending, and after how many positions each."""
    for what in ("value", "bouts_to_end", "move_values", "best_moves", "quickest_moves", "best_line", "is_fully_solved"):
        yield getattr(found, what), found.positions_searched


def by_the_kernel(game: Game, budget: int | None = None) -> endgame.EndgameSolution:
    """The ending as the kernel has it."""
    found = endgame.solve_endgame(game, budget=budget)
    assert isinstance(found._solver, AcyclicEndgameSolver)
    assert found._solver._fast_search is not None
    return found


def same(game: Game, budget: int | None = None) -> bool:
    """Whether kernel and plain search say the same of an ending, step by step."""
    return all(one == other for one, other in zip_longest(known(by_the_kernel(game, budget)), known(plain(game, budget))))


def test_endings_are_those_of_the_plain_search():
    """Value, the value of every move, the best, bouts, quickest and line, and how much was looked at, from the start of a bout or from its middle."""
    for rules in KINDS:
        found = endings(Rules.coerce(rules), 5)
        assert len(found) == MANY
        for game in found:
            assert same(game), game.position


@given(anything, seeds, sampled_from([None, 0, 1, 3, 20, 200]))
def test_endings_of_any_mix_are_those_of_the_plain_search(rules, seed, budget):
    """Under every mix of all options in which the plain search goes by masks, with any budget."""
    game = dealt(rules, seed, 4)
    if game is not None and is_acyclic_endgame(game.state):
        assert same(game, budget), game.position


def test_whom_a_slice_interrupts_finds_the_same(monkeypatch):
    """A search that rests after every seventh step says what one says that never rests, and looks at as many positions."""
    for game in endings(Rules.coerce("podkidnoy"), 4):
        expected = list(known(by_the_kernel(game)))
        with monkeypatch.context() as patched:
            patched.setattr(acyclic_endgame_solver, "ACYCLIC_SEARCH", ACYCLIC_SEARCH._replace(slice_size=7))
            assert list(known(by_the_kernel(game))) == expected


@pytest.mark.parametrize("budget", [60, 5000, None])
def test_who_interrupts_a_search_may_ask_again(budget, monkeypatch):
    """Wherever that was: with a budget what is asked next is answered as if nothing had been; without one what was found is of use."""
    state, _ = remove_repetition_rule(Game.from_position(hands=["6c 8d 9s Jc Qd Kh", "7c 9c Td Js Qs Ah"], trump="s").state)
    machine = get_engine_instance(state.compiled_rules.rules)
    assert machine is not None
    call = type(machine.wasm).call

    def asked(solver: AcyclicEndgameSolver) -> list[tuple[bool | None, int]]:
        told: list[tuple[bool | None, int]] = []
        for seat in (0, 1):
            found = None
            with suppress(TooLargeError):
                found = solver.can_win(state, seat)
            told.append((found, 0 if budget is None else solver.positions_searched))
        return told

    expected = asked(AcyclicEndgameSolver(state, budget, python_only=True))
    for calls in (0, 1, 2, 5, 20):
        left = iter(range(calls))

        def some(running: object, name: str, *numbers: int, left: Iterator[int] = left) -> int:
            if name == "searchEnding" and next(left, None) is None:
                raise KeyboardInterrupt
            return call(running, name, *numbers)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(acyclic_endgame_solver, "ACYCLIC_SEARCH", ACYCLIC_SEARCH._replace(slice_size=20))
            patched.setattr(type(machine.wasm), "call", some)
            solver = AcyclicEndgameSolver(state, budget)
            with pytest.raises(KeyboardInterrupt):
                asked(solver)
        assert asked(solver) == expected
        assert solver._fast_search is not None


def test_endings_asked_by_turns_do_not_mix():
    """Each keeps its own answers, though all lie in one table: same hands, other trumps and other rules. With a budget each is as far as alone."""
    for budget in (40, None):
        hands = ["9c Td Qs Jc", "Kc Ts Jd As"]
        kinds = [(rules, trump) for rules in ("podkidnoy", "econ431", "podkidnoy, attack_limit=1") for trump in "cdhs"]
        games = [Game.from_position(rules, hands=hands, trump=trump) for rules, trump in kinds]
        found = [by_the_kernel(game, budget) for game in games]
        alone = [plain(game, budget) for game in games]
        for what in ("move_values", "bouts_to_end", "quickest_moves", "best_line"):
            for one, other in zip(found, alone, strict=True):
                assert getattr(one, what) == getattr(other, what)
                assert budget is None or one.positions_searched == other.positions_searched


def test_with_a_budget_as_much_is_known_as_without_a_kernel():
    """What marks, hints and kept games are told hangs on no package: all that is said, and even how much was looked at."""
    for game in endings(Rules.coerce("podkidnoy"), 5):
        for budget in (0, 1, 2, 5, 20, 100, 5000):
            assert same(game, budget), game.position


@pytest.mark.parametrize("budget", [30, 5000, None])
def test_a_host_that_fails_in_the_middle_changes_no_answer(budget, monkeypatch):
    """At any call: the plain search is then asked all anew, so that with a budget it stands where it would have stood."""
    game = Game.from_position(hands=["6c 8d 9s Jc Qd", "7c 9c Td Js Qs"], trump="s")
    expected = [(one, looked if budget else 0) for one, looked in known(plain(game, budget))]
    put = FastEngineSearch._send_question
    for questions in (0, 1, 2, 5, 20):
        left = iter(range(questions))

        def some(search: FastEngineSearch, *asked: Any, left: Iterator[int] = left) -> int:
            if next(left, None) is None:
                raise HostError("a trap")
            return put(search, *asked)

        found = by_the_kernel(game, budget)
        with monkeypatch.context() as patched:
            patched.setattr(FastEngineSearch, "_send_question", some)
            assert [(one, looked if budget else 0) for one, looked in known(found)] == expected


@pytest.mark.release
def test_a_table_that_is_full_forgets_and_is_right():
    """Nine cards against nine, more positions than there is room for; the plain search, which forgets nothing, says the same."""
    rng = Random(9)
    cards = rng.sample([rank + suit for suit in "cdhs" for rank in "6789TJQKA"], 18)
    game = Game.from_position(hands=[" ".join(cards[:9]), " ".join(cards[9:])], trump=rng.choice("cdhs"))
    found, other = by_the_kernel(game), plain(game)
    assert found.positions_searched > other.positions_searched > 1 << 20
    assert found.value == other.value
    few = endgame.solve_endgame(game, budget=(1 << 20) + 100)
    assert few.positions_searched == plain(game, (1 << 20) + 100).positions_searched


OFF = """
from durak_widget import Game, fast_engine
from durak_widget.analysis import endgame
assert fast_engine.describe_host().startswith("none"), fast_engine.describe_host()
for hands in {hands!r}:
    found = endgame.solve_endgame(Game.from_position(hands=hands, trump="h"))
    print(found._solver._fast_search, found.value, list(map(str, found.move_values.items())), found.bouts_to_end, *found.best_line)
"""


def test_without_the_kernel_the_answers_are_the_same():
    """A Python of its own with the kernel switched off says the same by the plain search."""
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
    for said, (one, other) in zip(off.stdout.splitlines(), hands, strict=True):
        found = by_the_kernel(Game.from_position(hands=[one, other], trump="h"))
        assert said == " ".join(
            ["None", str(found.value), str(list(map(str, found.move_values.items()))), str(found.bouts_to_end), *map(str, found.best_line)]
        )
