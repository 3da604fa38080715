"""Playouts: the same by the kernel and the plain way, in the worlds that a seat may think of and no others, and with errors that are what they say."""

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

RUNS = pytest.mark.skipif(fast_engine.describe_host().startswith("none"), reason=fast_engine.describe_host())


def moment(rules: Rules, seed: int) -> Game:
    """A moment of a game at which somebody has something to try."""
    game = played(rules, seed, seed % 60)
    assume(game.actor is not None and len(game.legal_moves()) <= 64)
    return game


def plainly_played(game: Game, count: int, seed: int, policy: str) -> fast_engine.Playouts:
    """The plain way."""
    view = game.view(game.actor)
    worlds = Worlds(view)
    return run_playouts(worlds, None, count=count, seed=seed, policy=policy, python_only=True)


@pytest.mark.slow
@RUNS
@pytest.mark.parametrize("policy", POLICIES)
@given(anything, seeds)
def test_the_kernel_and_the_plain_way_give_the_same(policy, rules, seed):
    """Sums and products of every move and pair."""
    game = moment(rules, seed)
    assume(Worlds(game.view(game.actor)).sampling_tables() is not None)
    assert fast_engine.playouts(game, count=2, seed=seed, policy=policy) == plainly_played(game, 2, seed, policy)


@RUNS
def test_so_they_do_where_worlds_cannot_be_counted():
    """Others have swapped cards unseen: then worlds are found one by one, and played out by the kernel."""
    found = 0
    for seed in range(6):
        game = played(Rules.preset("poker", players=3), seed, 12)
        found += Worlds(game.view(game.actor)).sampling_tables() is None
        assert fast_engine.playouts(game, count=2, seed=seed) == plainly_played(game, 2, seed, "careful")
    assert found > 2


@pytest.mark.slow
@RUNS
def test_so_they_do_where_two_cards_look_alike_and_a_position_may_come_again():
    """The starts of bouts that may come again are laid with each world, in the kernel too."""
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
        assert fast_engine.playouts(game, count=3, seed=seed) == plainly_played(game, 3, seed, "careful")
    assert found > 10


@pytest.mark.slow
@RUNS
def test_worlds_play_out_what_is_likely():
    """By the kernel and the plain way the same, in worlds where what is likely is taken for certain; and that changes what moves bring."""
    for each in ("world", "deal"):
        for likely in ((), "took", ("passed", "took")):
            told = set()
            for seed in range(4):
                view = played(Rules.preset("podkidnoy"), seed, 14).view(seed % 2)
                some = analysis.worlds(view, assumptions=likely, each=each)
                if not view.legal_moves() or not some.count():
                    continue
                found = some.playouts(count=20, seed=seed)
                other = run_playouts(some, None, count=20, seed=seed, policy="careful", python_only=True)
                assert found == other
                told.add(some.count() != analysis.worlds(view).count() and found != analysis.worlds(view).playouts(count=20, seed=seed))
            assert told
            assert each == "deal" or (True in told) == bool(likely)


def test_where_no_world_is_left_that_is_said():
    """What is likely may be belied by the course of play."""
    for seed in range(200):
        view = played(Rules.preset("podkidnoy"), seed, 20).view(seed % 2)
        if view.legal_moves() and not analysis.worlds(view, assumptions="took").count():
            with pytest.raises(PositionError, match="no world is left where"):
                analysis.worlds(view, assumptions="took").playouts(count=20)
            return
    raise AssertionError("every world fits")


@RUNS
def test_what_is_hidden_has_no_say():
    """The hidden cards dealt anew, the seat sees the same, and is told the same."""
    for preset in ("podkidnoy", "perevodnoy", "econ431", "two_decks", "poker", "railway", "teams"):
        game = played(Rules.preset(preset), 11, 25)
        view, rng = game.view(game.actor), Random(1)
        told = fast_engine.playouts(view, count=40)
        worlds = analysis.worlds(view)
        for _ in range(3):
            other = worlds.sample(rng)
            assert fast_engine.playouts(other, count=40) == told
            assert fast_engine.playouts(other.view(view.seat), count=40) == told


def test_worlds_are_drawn_as_they_were_counted():
    """How often a card lies in a hand is how likely it is, within four standard errors; where something is proved of a hand too."""
    for seed, plies in ((1, 0), (5, 21), (9, 24), (25, 30)):
        game = played(Rules(players=3), seed, plies)
        worlds = analysis.worlds(game.view(game.actor))
        tables, chance, drawn = worlds.sampling_tables(), SplitMix64(seed), 3000
        found = [worlds.state_of_layout(tables.sample(chance)) for _ in range(drawn)]
        assert all(state.hands[game.actor] == game.state.hands[game.actor] for state in found)
        for seat in range(3):
            for card, likely in worlds.chances(seat).items():
                often = sum(state.hands[seat] >> card.code & 1 for state in found) / drawn
                assert abs(often - likely) <= 4 * (float(likely * (1 - likely)) / drawn) ** 0.5, (seat, card)


def test_the_error_is_that_of_the_difference():
    """Over many seeds differences spread as their standard errors say, and less than those of moves tried in worlds of their own."""
    view = Game(seed=7).view(0)
    one, other = view.legal_moves()[:2]
    runs = [fast_engine.playouts(view, [one, other], count=200, seed=seed) for seed in range(60)]
    found = [run.difference(one, other) for run in runs]
    spread, said = stdev(more for more, _ in found), mean(error for _, error in found)
    assert 0.7 < spread / said < 1.4
    apart = stdev(runs[i][one] - runs[i + 1][other] for i in range(59))
    assert spread < apart


def test_the_answer_hangs_on_the_seed_alone():
    """Not on what was asked before, nor on how many worlds more are asked for at once."""
    game = Game("podkidnoy, players=4", seed=3)
    view = game.view(game.actor)
    first = fast_engine.playouts(view, count=50, seed=4)
    fast_engine.simulate_games("two_decks", count=2)
    assert fast_engine.playouts(view, count=50, seed=4) == first != fast_engine.playouts(view, count=50, seed=5)


def test_what_cannot_be_tried_is_refused():
    """In a sentence that says what could be."""
    for ask, error, said in (
        (lambda _: playouts("6c"), PositionError, "a view, a game or worlds"),
        (lambda game: playouts(game.view(1 - game.actor)), PositionError, "not to act"),
        (lambda game: playouts(game, ["take"]), PositionError, "take is not legal here; legal are: attack Jc"),
        (lambda game: playouts(game, []), PositionError, "too few"),
        (lambda game: playouts(game, 5), PositionError, "moves=5 are no moves to try"),
        (lambda game: fast_engine.position_after(game, 5), PositionError, "moves=5 are no moves to play"),
        (lambda game: playouts(game, count=-1), Exception, "count=-1"),
        (lambda game: playouts(game, seed=1 << 64), Exception, "seed="),
        (lambda game: playouts(game, policy="clever"), Exception, "no policy 'clever'"),
        (lambda game: playouts(game, count=3)["attack Ah"], PositionError, "was not tried"),
    ):
        with pytest.raises(error, match=said):
            ask(Game(seed=7))


def test_a_game_that_is_over_has_nothing_to_try():
    """As whoever looks at its result sees."""
    game = Game(seed=7)
    while game.actor is not None:
        game.play(game.legal_moves()[0])
    with pytest.raises(PositionError, match="over"):
        playouts(game)


def test_no_world_is_no_answer():
    """Of no worlds there is no best move, and differences are not known."""
    found = playouts(Game(seed=7), count=0)
    assert (found.best, found.world_count, found["attack Jc"]) == (None, 0, 0.0)
    assert found.difference("attack Jc", "attack 9d")[1] == float("inf")


@pytest.mark.parametrize("plainly", [False, True])
def test_a_time_becomes_a_number_of_worlds(plainly):
    """It is said how many they were, and for how long; that number gives the same answer again."""
    worlds = Worlds(Game(seed=7).view(0))
    found = run_playouts(worlds, None, count=0, seed=3, policy="careful", seconds=0.05, python_only=plainly)
    assert found.seconds == 0.05
    assert str(found).startswith(f"{found.world_count} worlds, as many as fit into 0.05 seconds here\n")
    again = fast_engine.playouts(worlds, count=found.world_count, seed=3)
    assert again == found
    assert again.seconds is None


def test_as_many_worlds_as_fit(monkeypatch):
    """One, two and four are tried, a quarter of a second each; 33 fit into what is left of ten."""
    clock = [0.0]

    def made(few):
        clock[0] += few / 4

    monkeypatch.setattr(playing_out, "perf_counter", lambda: clock[0])
    assert playing_out._count_worlds_that_fit(10, made) == 33


def test_what_is_no_time_is_refused():
    """In a sentence that says what would be."""
    for seconds in (0, -1, float("nan"), float("inf"), True, "0.5"):
        with pytest.raises(PositionError, match="no time to try moves in: say a number above 0"):
            fast_engine.playouts(Game(seed=7), seconds=seconds)
