"""Test the fast engine in long use: constant memory, threads, interrupts, and errors for invalid arguments."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from random import Random
from time import monotonic

import pytest

from durak_widget import DurakError, Game, Rules, fast_engine
from durak_widget.fast_engine.engine_instance import EngineInstance, StateTooLargeError, ask_fast_engine, get_engine_instance
from durak_widget.fast_engine.state_encoding import encode_rules
from durak_widget.fast_engine.wasm_host import get_host
from support.sizes import tried

FAST_ENGINE = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
CALLS = tried(10**5, 10**6)
FLAT = f"""
from durak_widget import Game, Rules, fast_engine
from durak_widget.fast_engine.engine_instance import get_engine_instance
from resource import RUSAGE_SELF, getrusage
games = [Game(rules, seed=seed) for seed, rules in enumerate([Rules(), Rules.preset("transfer", players=4)])]
def calls(count):
    for number in range(count // 20):
        game = games[number % 2]
        machine = get_engine_instance(game.rules)
        machine.load_state(game.state)
        for _ in range(12):
            machine.choose_careful_move()
        for _ in range(6):
            machine.legal_moves()
        fast_engine.simulate_games(game.rules, count=1, seed=number)
calls(5000)
before = getrusage(RUSAGE_SELF).ru_maxrss
calls({CALLS})
print(getrusage(RUSAGE_SELF).ru_maxrss - before)
"""
ENDLESS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from durak_widget import fast_engine
fast_engine.simulate_games(RULES, count=10)
print("on", flush=True)
try:
    fast_engine.simulate_games(RULES, count=10**9, policy=POLICY)
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(fast_engine.simulate_games("podkidnoy", count=100, seed=1).digest)
"""


@pytest.mark.release
@FAST_ENGINE
@pytest.mark.skipif(sys.platform not in {"linux", "darwin"}, reason="the used memory cannot be read there")
def test_memory_use_stays_constant():
    """A hundred thousand calls (before a release a million), of all kinds, with two rule sets in turn, need less than two megabytes more than some thousands."""
    done = subprocess.run([sys.executable, "-c", FLAT], capture_output=True, text=True, check=True)
    assert int(done.stdout) * (1 if sys.platform == "darwin" else 1024) < 2_000_000


@FAST_ENGINE
def test_threads_give_the_same_results():
    """Four threads with different rules, many calls each: the results are those of one thread."""
    arguments = [("podkidnoy", "random"), ("transfer, players=4", "careful"), ("poker, players=3", "random"), ("econ431", "first")]

    def simulate_ten_seeds(rules, policy):
        return [fast_engine.simulate_games(rules, count=300, seed=seed, policy=policy) for seed in range(10)]

    alone = [simulate_ten_seeds(*pair) for pair in arguments]
    found = [None] * len(arguments)

    def run_in_thread(place):
        found[place] = simulate_ten_seeds(*arguments[place])

    threads = [threading.Thread(target=run_in_thread, args=(place,)) for place in range(len(arguments))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


@pytest.mark.slow
@FAST_ENGINE
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_an_interrupt_stops_a_long_call():
    """During a thousand million games, within a second (some milliseconds on an idle machine); afterwards it works as before."""
    for rules, policy in (("podkidnoy", "random"), ("transfer, players=6", "careful")):
        code = ENDLESS.replace("RULES", repr(rules)).replace("POLICY", repr(policy))
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "on\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.3)
            began = monotonic()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert monotonic() - began < 1
            assert process.stdout.readline().strip() == fast_engine.simulate_games("podkidnoy", count=100, seed=1).digest


def test_invalid_arguments_are_refused_by_the_fast_engine():
    """Numbers out of range, other types, unknown policies, and invalid rules, one sentence each."""
    for arguments, message in (
        *[({"count": wrong}, "0 to 1000000000000") for wrong in (-1, 10**12 + 1, 2**63, 1.5, True, "5", None)],
        *[({"seed": wrong}, "0 to 18446744073709551615") for wrong in (-1, 2**64, 0.5, False, "x", None)],
        ({"policy": "carefull"}, "'carefull'. Did you mean 'careful'?"),
        ({"policy": [[], {}]}, "policy []"),
        *[({"policy": wrong}, "2 seats") for wrong in ([], {}, None, 5, ["random"] * 3, b"random")],
        *[({"rules": wrong}, "is not a text of rules") for wrong in (5, [], {})],
        ({"rules": "poddkidnoy"}, "there is no preset 'poddkidnoy'. Did you mean 'podkidnoy'?"),
    ):
        with pytest.raises(DurakError) as refused:
            fast_engine.simulate_games(**{"rules": "podkidnoy", "count": 5, **arguments})
        assert message in str(refused.value)
        assert "\n" not in str(refused.value)


def test_smallest_and_largest_arguments_are_accepted():
    """No game at all, and the largest seed."""
    none = fast_engine.simulate_games("podkidnoy", count=0)
    assert (none.count, none.wins, none.plies, none.ties) == (0, (0, 0), 0, 0)
    assert fast_engine.simulate_games("podkidnoy", count=1, seed=2**64 - 1).count == 1


def test_an_argument_that_is_not_a_game_is_refused():
    """By both functions that continue a game."""
    for ask in (fast_engine.legal_moves, lambda game: fast_engine.position_after(game, [])):
        for wrong in (None, 5, "podkidnoy", Rules()):
            with pytest.raises(DurakError, match="Game"):
                ask(wrong)


def test_an_illegal_move_is_refused_as_by_the_game():
    """With the same message."""
    for text in ("attack Ah", "beat 6c 7c", "dance", "", "take", None, 7):
        game = Game(seed=7)
        with pytest.raises(Exception) as by_game:  # noqa: PT011 - whatever the game says
            game.copy().play(text)
        with pytest.raises(type(by_game.value)) as by_kernel:
            fast_engine.position_after(game, [text])
        assert str(by_kernel.value) == str(by_game.value)


@FAST_ENGINE
@pytest.mark.parametrize("rules", [Rules(), Rules.preset("transfer", players=6)], ids=str)
def test_a_changed_rules_image_is_refused(rules):
    """Cut anywhere, or with one or more bytes changed, it is refused; the right one is accepted afterwards."""
    machine, rng = EngineInstance(get_host().start()), Random(1)
    whole = encode_rules(rules, machine.layout)
    at = machine.layout["IMAGE"]
    filled = len(whole.rstrip(b"\0"))

    def is_accepted(image):
        machine.wasm.write(at, image)
        return bool(machine.wasm.call("imageStands"))

    assert is_accepted(whole)
    for _ in range(tried(300, 20_000)):
        image = bytearray(whole)
        for place in [rng.randrange(len(whole)) for _ in range(rng.choice((1, 1, 2, 5, 100)))]:
            image[place] ^= rng.randrange(1, 256)
        assert image == whole or not is_accepted(bytes(image))
    for size in [*range(20), *(rng.randrange(filled) for _ in range(tried(50, 2000)))]:
        cut = whole[:size].ljust(len(whole), b"\0")
        assert cut == whole or not is_accepted(cut)
    assert is_accepted(whole)


@FAST_ENGINE
def test_calls_with_changing_rules_use_their_own_rules():
    """Each call is answered by its own rules."""
    games = [Game(rules, seed=3) for rules in (Rules(), Rules.preset("transfer"), Rules(players=5), Rules(decks=2))]
    for seed in range(20):
        game = games[seed * 7 % 4]
        assert fast_engine.legal_moves(game) == game.legal_moves()
        assert fast_engine.simulate_games(game.rules, count=1, seed=seed).count == 1


@FAST_ENGINE
def test_a_state_too_large_for_the_fast_engine_is_played_in_python():
    """It does not overwrite memory behind it; the fast engine stays in use."""
    works = fast_engine.describe_host()
    state = Game(Rules(deal="all", repetition=1000), seed=1).state
    state.repeatable_positions = ((state.attacker, *state.hands),) * 600
    machine = get_engine_instance(state.compiled_rules.rules)
    assert machine.layout["MOST_PAST"] < 600
    with pytest.raises(StateTooLargeError):
        machine.load_state(state)
    assert ask_fast_engine(state.compiled_rules.rules, lambda machine: machine.load_state(state)) is None
    game = Game.from_state(state)
    assert fast_engine.legal_moves(game) == game.legal_moves()
    assert fast_engine.describe_host() == works


@FAST_ENGINE
def test_a_nested_call_gives_right_results(monkeypatch):
    """A signal handler may make such a call between two slices: both results are those of separate calls."""
    outer, inner = ("podkidnoy", 3000, 1), ("perevodnoy, players=4", 2, 5)
    alone = [fast_engine.simulate_games(rules, count=count, seed=seed, policy="careful") for rules, count, seed in (outer, inner)]
    running = type(get_engine_instance(Rules()).wasm)
    call, within = running.call, []

    def call_with_nested_call(self, name, *numbers):
        found = call(self, name, *numbers)
        if name == "playGames" and not within:
            within.append(None)
            rules, count, seed = inner
            within.append(fast_engine.simulate_games(rules, count=count, seed=seed, policy="careful"))
        return found

    monkeypatch.setattr(running, "call", call_with_nested_call)
    rules, count, seed = outer
    assert [fast_engine.simulate_games(rules, count=count, seed=seed, policy="careful"), within[1]] == alone
