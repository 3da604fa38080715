"""The kernel in long use: memory stays flat, threads do not meet, who interrupts is heard, and what is wrong is refused in a sentence."""

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

KERNEL = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())
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
@KERNEL
@pytest.mark.skipif(sys.platform not in {"linux", "darwin"}, reason="what memory was taken is not told there")
def test_memory_stays_flat():
    """A hundred thousand calls (before a release a million), of all kinds, by two rule sets in turn, take less than two megabytes more than some thousands."""
    done = subprocess.run([sys.executable, "-c", FLAT], capture_output=True, text=True, check=True)
    assert int(done.stdout) * (1 if sys.platform == "darwin" else 1024) < 2_000_000


@KERNEL
def test_threads_play_at_the_same_time():
    """Four threads with rules of their own, each again and again: the answers are those of one thread alone."""
    asked = [("podkidnoy", "random"), ("transfer, players=4", "careful"), ("poker, players=3", "random"), ("econ431", "first")]

    def answered(rules, policy):
        return [fast_engine.simulate_games(rules, count=300, seed=seed, policy=policy) for seed in range(10)]

    alone = [answered(*one) for one in asked]
    found = [None] * len(asked)

    def run(place):
        found[place] = answered(*asked[place])

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(asked))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


@pytest.mark.slow
@KERNEL
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_who_interrupts_is_heard():
    """In the middle of a thousand million games, within a second at most (some milliseconds where nothing else runs); then it goes on as if nothing had been."""
    for rules, policy in (("podkidnoy", "random"), ("transfer, players=6", "careful")):
        code = ENDLESS.replace("RULES", repr(rules)).replace("POLICY", repr(policy))
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout.readline() == "on\n"
            with pytest.raises(subprocess.TimeoutExpired):
                run.wait(0.3)
            began = monotonic()
            run.send_signal(signal.SIGINT)
            assert run.stdout.readline() == "interrupted\n"
            assert monotonic() - began < 1
            assert run.stdout.readline().strip() == fast_engine.simulate_games("podkidnoy", count=100, seed=1).digest


def test_what_cannot_be_asked_is_refused_in_a_sentence():
    """Numbers out of range, what is no number, policies that are not there, and rules that are none."""
    for asked, said in (
        *[({"count": wrong}, "is not a whole number from 0 to 1000000000000") for wrong in (-1, 10**12 + 1, 2**63, 1.5, True, "5", None)],
        *[({"seed": wrong}, "is not a whole number from 0 to 18446744073709551615") for wrong in (-1, 2**64, 0.5, False, "x", None)],
        ({"policy": "carefull"}, "there is no policy 'carefull'. Did you mean 'careful'? Say one of"),
        ({"policy": [[], {}]}, "there is no policy []. Say one of"),
        *[({"policy": wrong}, "there are 2 seats, and policy names") for wrong in ([], {}, None, 5, ["random"] * 3, b"random")],
        *[({"rules": wrong}, "does not say rules") for wrong in (5, [], {})],
        ({"rules": "poddkidnoy"}, "there is no preset 'poddkidnoy'. Did you mean 'podkidnoy'?"),
    ):
        with pytest.raises(DurakError) as refused:
            fast_engine.simulate_games(**{"rules": "podkidnoy", "count": 5, **asked})
        assert said in str(refused.value)
        assert "\n" not in str(refused.value)


def test_least_and_most_of_what_can_be_asked():
    """No game at all, and the last seed that there is."""
    none = fast_engine.simulate_games("podkidnoy", count=0)
    assert (none.count, none.wins, none.plies, none.ties) == (0, (0, 0), 0, 0)
    assert fast_engine.simulate_games("podkidnoy", count=1, seed=2**64 - 1).count == 1


def test_what_is_no_game_is_refused_in_a_sentence():
    """Both that play on from a game say so."""
    for ask in (fast_engine.legal_moves, lambda game: fast_engine.position_after(game, [])):
        for wrong in (None, 5, "podkidnoy", Rules()):
            with pytest.raises(DurakError, match="the kernel plays on from a Game, not from"):
                ask(wrong)


def test_a_move_that_cannot_be_is_refused_as_by_the_game():
    """With the same words."""
    for text in ("attack Ah", "beat 6c 7c", "dance", "", "take", None, 7):
        game = Game(seed=7)
        with pytest.raises(Exception) as by_game:  # noqa: PT011 - whatever the game says
            game.copy().play(text)
        with pytest.raises(type(by_game.value)) as by_kernel:
            fast_engine.position_after(game, [text])
        assert str(by_kernel.value) == str(by_game.value)


@KERNEL
@pytest.mark.parametrize("rules", [Rules(), Rules.preset("transfer", players=6)], ids=str)
def test_an_image_that_was_changed_is_refused(rules):
    """Cut anywhere, or with any of its bytes changed, one or some: nothing is played by it, and the right one is taken afterwards."""
    machine, rng = EngineInstance(get_host().start()), Random(1)
    whole = encode_rules(rules, machine.layout)
    at = machine.layout["IMAGE"]
    filled = len(whole.rstrip(b"\0"))

    def stands(image):
        machine.wasm.write(at, image)
        return bool(machine.wasm.call("imageStands"))

    assert stands(whole)
    for _ in range(tried(300, 20_000)):
        image = bytearray(whole)
        for place in [rng.randrange(len(whole)) for _ in range(rng.choice((1, 1, 2, 5, 100)))]:
            image[place] ^= rng.randrange(1, 256)
        assert image == whole or not stands(bytes(image))
    for size in [*range(20), *(rng.randrange(filled) for _ in range(tried(50, 2000)))]:
        cut = whole[:size].ljust(len(whole), b"\0")
        assert cut == whole or not stands(cut)
    assert stands(whole)


@KERNEL
def test_rules_that_change_between_two_calls():
    """Each call is answered by its own rules."""
    games = [Game(rules, seed=3) for rules in (Rules(), Rules.preset("transfer"), Rules(players=5), Rules(decks=2))]
    for seed in range(20):
        game = games[seed * 7 % 4]
        assert fast_engine.legal_moves(game) == game.legal_moves()
        assert fast_engine.simulate_games(game.rules, count=1, seed=seed).count == 1


@KERNEL
def test_a_moment_with_more_in_it_than_there_is_room_for_goes_the_plain_way():
    """It is not laid over what lies behind it; the kernel stays the one that works."""
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


@KERNEL
def test_whoever_asks_within_a_question_is_answered_too(monkeypatch):
    """As the handler of a signal may, between two slices: both answers are those of one question alone."""
    outer, inner = ("podkidnoy", 3000, 1), ("perevodnoy, players=4", 2, 5)
    alone = [fast_engine.simulate_games(rules, count=count, seed=seed, policy="careful") for rules, count, seed in (outer, inner)]
    running = type(get_engine_instance(Rules()).wasm)
    call, within = running.call, []

    def asks(self, name, *numbers):
        found = call(self, name, *numbers)
        if name == "playGames" and not within:
            within.append(None)
            rules, count, seed = inner
            within.append(fast_engine.simulate_games(rules, count=count, seed=seed, policy="careful"))
        return found

    monkeypatch.setattr(running, "call", asks)
    rules, count, seed = outer
    assert [fast_engine.simulate_games(rules, count=count, seed=seed, policy="careful"), within[1]] == alone
