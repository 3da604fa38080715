"""Test playouts: equal in the fast engine and in Python, only in possible worlds, and with correct standard errors."""

from __future__ import annotations

from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import assume, given

from durak_widget import Game, PositionError, Rules, analysis, fast_engine
from durak_widget.analysis import monte_carlo_playouts as playing_out
from durak_widget.analysis.monte_carlo_playouts import run_playouts
from durak_widget.analysis.possible_worlds import Worlds, playouts
from durak_widget.cards import normalize_copies, subtract_cards
from durak_widget.fast_engine.game_simulation import POLICIES
from durak_widget.fast_engine.random_generator import SplitMix64
from support.mixes import anything, played, seeds

FAST_ENGINE = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())


def random_moment(rules: Rules, seed: int) -> Game:
    """Return a moment of a game at which a player has a move."""
    game = played(rules, seed, seed % 60)
    assume(game.actor is not None and len(game.legal_moves()) <= 64)
    return game


def playouts_in_python(game: Game, count: int, seed: int, policy: str) -> fast_engine.Playouts:
    """Run the playouts in Python."""
    view = game.view(game.actor)
    worlds = Worlds(view)
    return run_playouts(worlds, None, count=count, seed=seed, policy=policy, python_only=True)


@pytest.mark.slow
@FAST_ENGINE
@pytest.mark.parametrize("policy", POLICIES)
@given(anything, seeds)
def test_fast_engine_playouts_equal_python(policy, rules, seed):
    """Sums and products of every move and pair."""
    game = random_moment(rules, seed)
    assume(Worlds(game.view(game.actor)).sampling_tables() is not None)
    assert fast_engine.playouts(game, count=2, seed=seed, policy=policy) == playouts_in_python(game, 2, seed, policy)


@FAST_ENGINE
def test_playouts_are_equal_if_worlds_cannot_be_counted():
    """Others have swapped cards unseen: worlds are found one by one, and played out by the fast engine."""
    found = 0
    for seed in range(6):
        game = played(Rules.preset("poker", players=3), seed, 12)
        found += Worlds(game.view(game.actor)).sampling_tables() is None
        assert fast_engine.playouts(game, count=2, seed=seed) == playouts_in_python(game, 2, seed, "careful")
    assert found > 2


@pytest.mark.slow
@FAST_ENGINE
def test_playouts_are_equal_with_two_decks_and_repeatable_positions():
    """The positions that may repeat are set up with each world, in the fast engine too."""
    found = 0
    for seed in range(60):
        game = played(Rules.preset("two_decks", players=2), seed, 30 + seed)
        if game.actor is None or len(game.state.repeatable_positions) < 2 or len(game.legal_moves()) > 64:
            continue
        worlds = Worlds(game.view(game.actor))
        bare = worlds.known_state()
        assert [hand.bit_count() for hand in bare.hands] != [hand.bit_count() for hand in game.state.hands]
        drawn = worlds.sampling_tables()
        state = worlds.state_of_layout(drawn.sample(SplitMix64(seed)))
        assert all(
            subtract_cards(normalize_copies(then), normalize_copies(was)) == 0
            for was, then in zip(state.repeatable_positions[-1][1:], bare.repeatable_positions[-1][1:], strict=True)
        )
        found += 1
        assert fast_engine.playouts(game, count=3, seed=seed) == playouts_in_python(game, 3, seed, "careful")
    assert found > 10


@pytest.mark.slow
@FAST_ENGINE
def test_playouts_can_use_assumptions():
    """Fast engine and Python agree in worlds under assumptions; and assumptions change the results."""
    for each in ("world", "deal"):
        for assumptions in ((), "took", ("passed", "took")):
            changed = set()
            for seed in range(4):
                view = played(Rules.preset("podkidnoy"), seed, 14).view(seed % 2)
                some = analysis.worlds(view, assumptions=assumptions, each=each)
                if not view.legal_moves() or not some.count():
                    continue
                found = some.playouts(count=20, seed=seed)
                other = run_playouts(some, None, count=20, seed=seed, policy="careful", python_only=True)
                assert found == other
                changed.add(some.count() != analysis.worlds(view).count() and found != analysis.worlds(view).playouts(count=20, seed=seed))
            assert changed
            assert each == "deal" or (True in changed) == bool(assumptions)


def test_assumptions_that_leave_no_world_are_refused():
    """Play may contradict an assumption."""
    for seed in range(200):
        view = played(Rules.preset("podkidnoy"), seed, 20).view(seed % 2)
        if view.legal_moves() and not analysis.worlds(view, assumptions="took").count():
            with pytest.raises(PositionError, match="no world agrees with assumptions"):
                analysis.worlds(view, assumptions="took").playouts(count=20)
            return
    raise AssertionError("every world fits")


@FAST_ENGINE
def test_hidden_cards_do_not_change_playouts():
    """With the hidden cards dealt anew the seat sees the same, and gets the same results."""
    for preset in ("podkidnoy", "perevodnoy", "econ431", "two_decks", "poker", "railway", "teams"):
        game = played(Rules.preset(preset), 11, 25)
        view, rng = game.view(game.actor), Random(1)
        expected = fast_engine.playouts(view, count=40)
        worlds = analysis.worlds(view)
        for _ in range(3):
            other = worlds.sample(rng)
            assert fast_engine.playouts(other, count=40) == expected
            assert fast_engine.playouts(other.view(view.seat), count=40) == expected


def test_sampled_worlds_have_the_counted_probabilities():
    """The frequency of a card in a hand is its probability, within four standard errors; also with knowledge about a hand."""
    for seed, plies in ((1, 0), (5, 21), (9, 24), (25, 30)):
        game = played(Rules(players=3), seed, plies)
        worlds = analysis.worlds(game.view(game.actor))
        tables, chance, drawn = worlds.sampling_tables(), SplitMix64(seed), 3000
        found = [worlds.state_of_layout(tables.sample(chance)) for _ in range(drawn)]
        assert all(state.hands[game.actor] == game.state.hands[game.actor] for state in found)
        for seat in range(3):
            for card, probability in worlds.chances(seat).items():
                often = sum(state.hands[seat] >> card.code & 1 for state in found) / drawn
                assert abs(often - probability) <= 4 * (float(probability * (1 - probability)) / drawn) ** 0.5, (seat, card)


def test_the_standard_error_is_that_of_the_difference():
    """Over many seeds differences vary as their standard errors say, and less than those of moves in separate worlds."""
    view = Game(seed=7).view(0)
    move, other = view.legal_moves()[:2]
    runs = [fast_engine.playouts(view, [move, other], count=200, seed=seed) for seed in range(60)]
    found = [run.difference(move, other) for run in runs]
    spread, stated = stdev(more for more, _ in found), mean(error for _, error in found)
    assert 0.7 < spread / stated < 1.4
    apart = stdev(runs[i][move] - runs[i + 1][other] for i in range(59))
    assert spread < apart


def test_the_result_depends_only_on_the_seed():
    """Not on earlier calls."""
    game = Game("podkidnoy, players=4", seed=3)
    view = game.view(game.actor)
    first = fast_engine.playouts(view, count=50, seed=4)
    fast_engine.simulate_games("two_decks", count=2)
    assert fast_engine.playouts(view, count=50, seed=4) == first != fast_engine.playouts(view, count=50, seed=5)


def test_invalid_playout_arguments_are_refused():
    """The error says what is accepted."""
    for ask, error, message in (
        (lambda _: playouts("6c"), PositionError, "a view, a game or worlds"),
        (lambda game: playouts(game.view(1 - game.actor)), PositionError, "does not have to move"),
        (lambda game: playouts(game, ["take"]), PositionError, "attack Jc"),
        (lambda game: playouts(game, []), PositionError, "1 to 64 of them"),
        (lambda game: playouts(game, 5), PositionError, "moves .*5"),
        (lambda game: fast_engine.position_after(game, 5), PositionError, "moves .*5"),
        (lambda game: playouts(game, count=-1), Exception, "count .*-1"),
        (lambda game: playouts(game, seed=1 << 64), Exception, "seed must be"),
        (lambda game: playouts(game, policy="clever"), Exception, "no policy 'clever'"),
        (lambda game: playouts(game, count=3)["attack Ah"], PositionError, "was not tried"),
    ):
        with pytest.raises(error, match=message):
            ask(Game(seed=7))


def test_a_finished_game_has_no_playouts():
    """The error says that the game is over."""
    game = Game(seed=7)
    while game.actor is not None:
        game.play(game.legal_moves()[0])
    with pytest.raises(PositionError, match="over"):
        playouts(game)


def test_zero_worlds_give_no_best_move():
    """There is no best move, and the error of differences is infinite."""
    found = playouts(Game(seed=7), count=0)
    assert (found.best, found.world_count, found["attack Jc"]) == (None, 0, 0.0)
    assert found.difference("attack Jc", "attack 9d")[1] == float("inf")


@pytest.mark.parametrize("plainly", [False, True])
def test_a_time_limit_reports_the_number_of_worlds(plainly):
    """The result has the number and the time; the same number gives the same result again."""
    worlds = Worlds(Game(seed=7).view(0))
    found = run_playouts(worlds, None, count=0, seed=3, policy="careful", seconds=0.05, python_only=plainly)
    assert found.seconds == 0.05
    assert str(found).startswith(f"{found.world_count} worlds, as many as fit into 0.05 seconds here\n")
    again = fast_engine.playouts(worlds, count=found.world_count, seed=3)
    assert again == found
    assert again.seconds is None


def test_the_number_of_worlds_fits_the_time(monkeypatch):
    """One, two and four are tried, a quarter of a second each; 33 fit into the rest of ten."""
    clock = [0.0]

    def advance_clock(few):
        clock[0] += few / 4

    monkeypatch.setattr(playing_out, "perf_counter", lambda: clock[0])
    assert playing_out._count_worlds_that_fit(10, advance_clock) == 33


def test_an_invalid_time_is_refused():
    """The error says what is accepted."""
    for seconds in (0, -1, float("nan"), float("inf"), True, "0.5"):
        with pytest.raises(PositionError, match="number above 0"):
            fast_engine.playouts(Game(seed=7), seconds=seconds)
