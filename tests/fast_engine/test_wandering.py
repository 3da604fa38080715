"""What the kernel says of endings where positions come again is what the plain search says, after as many positions looked at."""

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


def dealt(rules: Rules, seed: int, most: int) -> Game | None:
    """Two hands of about as many cards, at two of the seats, and some moves into them; None where that is over already, or cannot be set up."""
    rng = Random(seed)
    one, other = rng.sample(range(rules.players), 2)
    size = rng.randint(1, most)
    deck = [str(Card.from_code(face_from_bit(bit))) for bit in compile_rules(rules).deck]
    if rng.random() < 0.5:  # few ranks, so that there is more to pass on and to throw in
        ranks = rng.sample(rules.ranks, min(3, len(rules.ranks)))
        deck = [card for card in deck if card[0] in ranks] or deck
    cards = rng.sample(deck, min(2 * size + rng.randint(0, 1), len(deck)))
    hands = [""] * rules.players
    hands[one], hands[other] = " ".join(cards[:size]), " ".join(cards[size:])
    third = rng.random() < 0.5 and next((seat for seat in range(rules.players) if seat not in {one, other}), None)
    if third and len(cards) < len(deck):  # who goes out soon, perhaps in the middle of a bout
        hands[third] = rng.choice([card for card in deck if card not in cards] or deck[:1])
    suits = [suit for suit in rules.suits if suit != "s" or not rules.spades_by_spades]
    bout = rng.choice([1, 2])
    if not suits:
        return None
    try:
        trump = rng.choice(suits) if rules.trump == "turn_up" else None
        game = Game.from_position(rules, hands=hands, trump=trump, attacker=one, bout=bout)
    except PositionError:
        return None
    more = rng.randint(0, 5)
    while game.actor is not None and (more > 0 or len(game.seats_in) > 2) and game.ply < 40:
        game.play(rng.choice(game.legal_moves()))
        more -= 1
    return game if game.actor is not None and len(game.seats_in) == 2 else None


def endings(rules: Rules, most: int, count: int = MANY) -> list[Game]:
    """Some of them."""
    return list(islice((game for seed in range(100 * count) if (game := dealt(rules, seed, most)) is not None), count))


def ending(game: Game, budget: int | None = None, least: int = 0, *, plainly: bool = False) -> endgame.EndgameSolution:
    """An ending searched by `CyclicEndgameSolver`, whatever its kind."""
    state, drawn = remove_repetition_rule(game.state)
    solver = CyclicEndgameSolver(state, budget, drawn, least, python_only=plainly)
    assert plainly or solver._fast_search is not None
    return endgame.EndgameSolution(state, solver, drawn, budget, least)


def known(found: endgame.EndgameSolution) -> Iterator[object]:
    """All that is said of an ending, and after each how much was looked at by then."""
    for what in ("value", "move_values", "bouts_to_end", "best_line", "quickest_moves"):
        yield getattr(found, what)
        yield found.positions_searched


def same(game: Game, budget: int | None = None, least: int = 0) -> None:
    """Both say the same; and it was the kernel that did."""
    found = ending(game, budget, least)
    assert list(known(found)) == list(known(ending(game, budget, least, plainly=True))), (game.position, budget, least)
    assert found._solver._fast_search is not None  # type: ignore[attr-defined]


@pytest.mark.parametrize("rules", KINDS[:: tried(3, 1)])
def test_endings_are_those_of_the_plain_search(rules):
    """Value, moves, bouts, line and how much was looked at, within any budget, from the start of a bout or from its middle."""
    found = endings(Rules.coerce(rules), 3)
    assert len(found) == MANY
    for game in found:
        for budget in BUDGETS:
            same(game, budget)


def test_wins_that_may_take_any_time():
    """Five cards against five: most that is looked at is looked at for such a win, proofs are carried back far, and the budget often ends in the middle."""
    for rules in ("perevodnoy", "passport", "transfer", "perevodnoy, decks=2"):
        deck = [str(Card.from_code(face_from_bit(bit))) for bit in compile_rules(Rules.coerce(rules)).deck]
        for seed in range(tried(4, 100)):
            cards = Random(seed).sample(deck, 10)
            same(Game.from_position(rules, hands=[" ".join(cards[:5]), " ".join(cards[5:])], trump="h"), 200 << seed % 5)


def test_somebody_went_out_in_the_middle_of_the_bout():
    """To whom nothing can be passed on any more, though it was in when the bout began."""
    for rules in ("perevodnoy", "passport"):
        game = Game.from_position(Rules.preset(rules, players=3, out_when="at_once"), hands=["7c", "7d 8d 9c", "7h 8h Tc"], trump="h")
        for move in ("attack 7c", "transfer 7d"):
            game.play(move)
        assert game.seats_in == (1, 2)
        assert "transfer 7h" not in map(str, game.legal_moves())
        for budget in BUDGETS:
            same(game, budget)


@given(anything, seeds)
@settings(deadline=None)
def test_endings_of_any_mix_are_those_of_the_plain_search(rules, seed):
    """Under every mix of all options, with transfers too, some with few positions allowed, some with a number of epaulettes."""
    rng = Random(seed)
    game = dealt(rules, seed, 3)
    if game is not None and fast_engine.explain_unsupported_rules(rules) is None:
        same(game, rng.choice([*BUDGETS, 2000]) or 2000, rng.choice([0, 0, 1, 2]))


def test_wins_that_must_leave_epaulettes():
    """Where sixes are many, some do, and some do not."""
    for rules in ("perevodnoy", "passport, transfer_first_bout=False", "podkidnoy, jokers=2", "siege, decks=2"):
        for least in (1, 2):
            found = endings(Rules.coerce(rules).replace(ranks="67", hand_size=3), 4, tried(12, 200))
            for game in found:
                same(game, None, least)
            assert {0} < {ending(game, None, least).value for game in found}


def repeating(rules: str, count: int) -> list[Game]:
    """Games in which some starts of bouts have come up so often that one more is a draw."""
    found = []
    for seed in range(200 * count):
        game = dealt(Rules.coerce(rules), seed, 3)
        if game is not None and remove_repetition_rule(game.state)[1] and len(found) < count:
            found.append(game)
    assert len(found) == count
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["perevodnoy, repetition=2", "passport, players=3, repetition=2"])
def test_starts_of_bouts_that_are_draws(rules):
    """What has come up too often is a draw to both; and it matters."""
    matters = 0
    for game in repeating(rules, tried(25, 300)):
        for budget in (9, None):
            same(game, budget)
        state, drawn = remove_repetition_rule(game.state)
        without = endgame.EndgameSolution(state, CyclicEndgameSolver(state), drawn, None)
        matters += list(known(ending(game))) != list(known(without))
    assert matters or Rules.coerce(rules).decks == 2  # where so many hands look alike, hardly ever


LARGE = ["6c 8d 9s Jc Qd", "7c 9c Td Js Qs"]


def large(trump: str = "s") -> Game:
    """An ending that takes some thousands of positions."""
    return Game.from_position(Rules.preset("perevodnoy"), hands=LARGE, trump=trump)


def test_whom_a_slice_interrupts_finds_the_same(monkeypatch):
    """A search that rests after every step, or every seventh, says what one says that never rests, and looks at as many positions."""
    for game in endings(Rules.preset("perevodnoy"), 4, 8):
        expected = list(known(ending(game)))
        for steps in (1, 7):
            with monkeypatch.context() as patched:
                patched.setattr(cyclic_endgame_solver, "CYCLIC_SEARCH", CYCLIC_SEARCH._replace(slice_size=steps))
                assert list(known(ending(game))) == expected


@pytest.mark.slow
@pytest.mark.parametrize("budget", [500, None])
def test_who_interrupts_a_search_may_ask_again(budget, monkeypatch):
    """Wherever that was: what is asked next is answered as if nothing had been, and after as many positions."""
    state, drawn = remove_repetition_rule(large().state)
    machine = get_engine_instance(state.compiled_rules.rules)
    assert machine is not None
    call = type(machine.wasm).call

    def asked(solver: CyclicEndgameSolver) -> list[tuple[bool | None, int]]:
        told = []
        for seat in (0, 1):
            found = None
            with suppress(TooLargeError):
                found = solver.can_win(state, seat)
            told.append((found, solver.positions_searched))
        return told

    expected = asked(CyclicEndgameSolver(state, budget, drawn, python_only=True))
    for calls in (1, 2, 3, 9, 40):
        left = iter(range(calls))

        def some(running: object, name: str, *numbers: int, left: Iterator[int] = left) -> int:
            if name == "searchWandering" and next(left, None) is None:
                raise KeyboardInterrupt
            return call(running, name, *numbers)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(cyclic_endgame_solver, "CYCLIC_SEARCH", CYCLIC_SEARCH._replace(slice_size=10))
            patched.setattr(type(machine.wasm), "call", some)
            solver = CyclicEndgameSolver(state, budget, drawn)
            with pytest.raises(KeyboardInterrupt):
                asked(solver)
        assert asked(solver) == expected
        assert solver._fast_search is not None


def test_endings_asked_by_turns_do_not_mix():
    """All lie in one table, and a deal with open cards takes it over between; each says what it says alone, after as many positions."""
    for budget in (300, None):
        hands = ["9c Td Qs Jc", "Kc Ts Jd As"]
        games = [Game.from_position(rules, hands=hands, trump=trump) for rules in ("perevodnoy", "passport") for trump in "cdhs"]
        alone = [list(known(ending(game, budget, plainly=True))) for game in games]
        found = [known(ending(game, budget)) for game in games]
        told: list[list[object]] = [[] for _ in games]
        for one, said in zip(found, told, strict=True):
            said.append(next(one))
        opened = analysis.solve_double_dummy(Game("econ431, ranks=QKA", seed=3))
        for turn in range(9):
            for one, said in zip(found, told, strict=True):
                said.append(next(one))
            if turn == 4:
                assert analysis.solve_double_dummy(Game("econ431, ranks=QKA", seed=3)) == opened
        assert told == alone


@pytest.mark.parametrize("budget", [40, 700, None])
@pytest.mark.parametrize("broken", ["its host fails", "there is no room"])
def test_where_it_cannot_go_on_the_plain_search_does(broken, budget, monkeypatch):
    """At any question: the plain search is then asked all anew, so that it says the same, after as many positions."""
    game = Game.from_position(Rules.preset("perevodnoy"), hands=["Qc Ac As", "Qd Kd Qh Ks"], trump="h")
    expected = list(known(ending(game, budget, plainly=True)))
    put = FastEngineSearch._send_question
    for questions in (0, 1, 2, 5, 20):
        left = iter(range(questions))

        def some(search: object, *asked: object, left: Iterator[int] = left) -> int:
            if next(left, None) is not None:
                return put(search, *asked)  # type: ignore[arg-type]
            if broken == "there is no room":
                return 3
            raise wasm_host.HostError

        found = ending(game, budget)
        with monkeypatch.context() as patched:
            patched.setattr(FastEngineSearch, "_send_question", some)
            assert list(known(found))[-2:] == expected[-2:]
            assert (found.value, found.move_values, found.bouts_to_end) == (expected[0], expected[2], expected[4])


def test_threads_that_ask_by_turns_are_told_the_same():
    """Each has a kernel of its own, and the ending is known in both as far as it was asked of either."""
    game = Game.from_position(Rules.preset("passport"), hands=["9c Td Qs Jc", "Kc Ts Jd As"], trump="h")
    expected = list(known(ending(game, 400, plainly=True)))
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        found = known(ending(game, 400))
        told = [thread.submit(next, found).result() for thread in [one, other] * (len(expected) // 2)]
    assert told == expected


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
def test_without_the_kernel_or_where_its_host_fails_the_answers_are_the_same():
    """In Pythons of their own: the kernel switched off; its host there, or failing at some call."""

    def said(before: str = "", **environment: str) -> str:
        code = ALONE.format(before=before)
        env = {**os.environ, **environment}
        return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout

    plain = said(DURAK_KERNEL="off")
    assert plain.count("Move(") == 8
    assert said() == plain
    if fast_engine.describe_host().startswith("wasmtime"):
        for nth in (5, 30):
            assert said(TRAP.format(nth=nth)) == plain


@pytest.mark.slow
def test_room_has_an_end_and_is_used_again():
    """Of eight cards against eight more positions would have to be known than there is room for: that is said, and small endings are answered as before in the same room."""
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
    for game in endings(Rules.preset("perevodnoy"), 4, 8):
        same(game)
    assert len(machine.wasm.read(0, 1 << 30)) == taken


def test_both_seek_as_long_for_a_quick_win():
    """The one number that both ways of the search have."""
    machine = get_engine_instance(Rules())
    assert machine is not None
    assert machine.layout["FEW"] == cyclic_endgame_solver._QUICK_SEARCH_STEPS
