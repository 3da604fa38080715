"""Test positions as one line of text: round trips, and error messages for invalid lines."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import DurakError, Game, GameTextError, PositionError, Rules
from support.mixes import mixes, played, presets, seeds, snapshot
from support.oracle_book import VALUES, beside

HISTORY = {"ply", "bout_ends", "swap_draws", "drew"}
"""Fields of a state that a position line leaves out: how it arose."""


def position_facts(game: Game) -> list[tuple[str, object]]:
    """Return everything in a state except its history. Knowledge counts only for cards that are still hidden."""
    return [field for field in snapshot(game.state) if field[0] not in HISTORY]


def assert_round_trip(game: Game) -> None:
    """Assert that a game started from the position line has the same position."""
    again = Game.from_position_line(game.position)
    assert position_facts(again) == position_facts(game), game.position
    assert again.state.key() == game.state.key()
    assert again.position == game.position
    assert again.legal_moves() == game.legal_moves()


@given(presets | mixes, seeds, st.integers(0, 250))
def test_a_position_line_round_trips(rules: Rules, seed: int, plies: int) -> None:
    """At any moment of any game, under every preset and mix."""
    game = played(rules, seed, plies)
    if game.actor is not None:
        assert_round_trip(game)


@pytest.mark.parametrize("name", sorted(Rules.presets()))
@pytest.mark.sample(16)
def test_position_lines_round_trip_in_every_preset(name: str) -> None:
    """From the deal to the end, with the knowledge of other hands too."""
    game, rng = Game(Rules.preset(name), seed=4), Random(4)
    while game.actor is not None and game.ply < 200:
        assert_round_trip(game)
        game.play(rng.choice(game.legal_moves()))


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in VALUES.items() for value in values])
@pytest.mark.sample(16)
def test_position_lines_round_trip_under_every_option(name: str, value: object) -> None:
    """Choices between the deal and the first bout are in a line too."""
    for seed in range(12):
        game, rng = Game(Rules(**beside(name, value), **{name: value}), seed=seed), Random(seed)
        while game.actor is not None and game.ply < 3:
            assert_round_trip(game)
            game.play(rng.choice(game.legal_moves()))


def test_a_position_line_has_an_attacker_who_is_out() -> None:
    """If the last card counts at once, the attacker may be out while its attack still has to be beaten."""
    for players in (3, 4):
        rules = Rules(players=players, out_when="at_once")
        game = Game.from_position(rules, hands=["7c", "9d 9h", "Kd Ks", "Qd Qs"][:players], trump="s")
        game.play("attack 7c")
        assert (game.places, game.attacker, game.actor) == ((0,), 0, 1)
        assert_round_trip(game)


@given(presets | mixes, seeds, st.integers(0, 150))
def test_play_after_a_position_line_is_the_same(rules: Rules, seed: int, plies: int) -> None:
    """To the end, with repetition."""
    game, rng = played(rules, seed, plies), Random(seed)
    if game.actor is None:
        return
    again = Game.from_position_line(game.position)
    for _ in range(300):
        if game.actor is None:
            break
        assert again.legal_moves() == game.legal_moves()
        move = rng.choice(game.legal_moves())
        game.play(move)
        again.play(move)
    assert (again.outcome, again.hands) == (game.outcome, game.hands)


@given(presets | mixes, seeds, st.integers(0, 100))
def test_a_game_from_a_position_line_can_be_saved(rules: Rules, seed: int, plies: int) -> None:
    """Its text begins with the line, and parses to the same game."""
    game, rng = played(rules, seed, plies), Random(seed)
    if game.actor is None:
        return
    again = Game.from_position_line(game.position)
    for _ in range(5):
        if again.actor is not None:
            again.play(rng.choice(again.legal_moves()))
    back = Game.parse(str(again))
    assert (str(back), snapshot(back.state)) == (str(again), snapshot(again.state))


def test_a_handwritten_position_line_is_kept_unchanged() -> None:
    """A line written by a person comes back letter for letter."""
    for line in (
        "6c 7c | 9h Ts; trump h",
        "6c 7c | 9h Ts; trump h; table 7d/9d 7s",
        "6c 7c | 9h Ts; trump h; attacker 1; bout 1",
        "6c 7c | 9h Ts; trump h; table 7d; taking",
        "transfer, players=3: 6c | 9h Ts | Kd; trump h; attacker 2; talon Jc Qs",
        "changeable_trump: 6c 7c 8c 9c Tc Jc | 6d 7d 8d 9d Td Jd; trump h; talon Ac Ah Ks; turn-up Ah",
        "podkidnoy, players=3: | 8c 9h | 7d 8h; trump s; attacker 1",
        "two_decks: 6c 6c | 9h 9h; trump h; discard Ac Ac",
        "6c 7c | 9h Ts; trump h; seen 6c |",
    ):
        assert Game.from_position_line(line).position == line


def test_a_position_line_leaves_out_defaults() -> None:
    """Standard rules, the first seat, the second bout and an empty table are left out."""
    game = Game.from_position(hands=["6c 7c", "9h Ts"])
    assert game.position == "6c 7c | 9h Ts"
    assert Game.from_position_line("6c 7c|9h Ts").hands == game.hands


def test_a_finished_game_has_no_position_line() -> None:
    """A finished game has no legal move, so it is saved as a whole game."""
    game = Game.from_position(hands=["6c", "8d Kd"], trump="h")
    game.play("attack 6c")
    game.play("take")
    with pytest.raises(PositionError, match="the game is over"):
        _ = game.position


def test_an_invalid_position_line_is_refused() -> None:
    """The error is one sentence, which says what would be right."""
    for line, says in (
        (7, "line of text"),
        ("6c | 7c" * 200_000, "1400000"),
        ("6c | \n; attacker 0; table 7c/8c", "line of text"),
        ("players=3: 6c 7c | 8c 9d | ; out", "seats without cards"),
        ("", "text or list of"),
        ("6c | 7c; trum h", "'trump h'. Did you mean 'trump'?"),
        ("6c | 7c; trump h; trump s", "trump appears twice"),
        ("transfr: 6c | 7c", "there is no preset 'transfr'"),
        ("6c | 7c; attacker x", "whole number, not 'x'"),
        ("6c | 7c; attacker 99999999", "whole number"),
        ("6c | 7c; attacker 2", "attacker names"),
        ("6c | 7c; passed 0", "throwers_passed"),
        ("6c 7c | 9h Ts; table 7d; defender 0", "0: seats 0 and 0"),
        ("6c 7c | 9h Ts; table 7d; defender 5", "seat 5, which is"),
        ("6c 7c | 9h Ts; table 7d 7s; limit 1", "2 attacking cards"),
        ("6c 7c | 9h Ts; table 7d; newest 3", "newest names"),
        ("6c 7c | 9h Ts; began 0", "seats that were"),
        ("6c 7c | 9h Ts; emptied 0", "last card"),
        ("6c 7c | 9h Ts; swapped 1 0", "swapped: at most 0"),
        ("6c 7c | 9h Ts; swapped", "swapped"),
        ("swaps=1: 6c 7c | 9h Ts; swapped-now yes", "attacker has swapped"),
        ("6c 7c | 9h Ts; shown 1 7h", "seat and the trump"),
        ("6c 7c | 9h Ts; aside 6c", "set aside"),
        ("6c 7c | 9h Ts; aside 6y", "'6y' is not a card"),
        ("6c 7c | 9h Ts; seen 6c", "part for each of"),
        ("6c 7c | 9h Ts; seen 9h |", "seen: 9h"),
        ("6c 7c | 9h Ts; follows 1:6c |", "follows: 6c"),
        ("6c 7c | 9h Ts; follows @0 |", "'@0'"),
        ("6c 7c | 9h Ts; follows 0:6c |", "@0, nor a card in another hand, such as 1:7c"),
        ("6c 7c | 9h Ts; since 0 6c |", "since: '6c'"),
        ("6c 7c | 9h Ts; since 0 -9h |", "since: '-9h'"),
        ("6c 7c | 9h Ts; since 4 |", "since names"),
        ("6c 7c | 9h Ts; since 0", "part for each of"),
        ("players=3: 6c | 9h | ; out 0", "seats without cards"),
        ("players=3: 6c | 9h | ; out 2 2", "seats without cards"),
    ):
        with pytest.raises(DurakError) as caught:
            Game.from_position_line(line)
        assert says in str(caught.value)
        assert len(str(caught.value)) < 300


def test_a_saved_game_with_an_invalid_position_line_is_refused() -> None:
    """Like any other text that is not a complete game."""
    for text, says in (
        ("Durak 1\nPosition: 6c | 7c; trum h\n\nResult: *\n", "'trum h'"),
        ("Durak 1\nPosition: transfr: 6c | 7c\n\nResult: *\n", "there is no preset 'transfr'"),
        (
            "Durak 1\nRules: podkidnoy\nPosition: 6c | 7c\n\nResult: *\n",
            "2: Position",
        ),
        (
            "Durak 1\nPosition: 6c | 7c\nHands: 6c | 7c\n\nResult: *\n",
            "3: Position",
        ),
    ):
        with pytest.raises(GameTextError) as caught:
            Game.parse(text)
        assert says in str(caught.value)


def test_a_position_long_after_the_last_draw_round_trips() -> None:
    """The starts of bouts that may repeat make the line long, and it still parses."""
    game, rng = Game("bulk, players=3", seed=1), Random(1)
    for _ in range(300):
        takes = [move for move in game.legal_moves() if move.verb == "take"]
        game.play(rng.choice(takes or game.legal_moves()))
    assert len(game.position) > 20_000
    assert Game.from_position_line(game.position).state.key() == game.state.key()


def test_random_position_lines_raise_no_other_error() -> None:
    """Random combinations of line parts parse or are refused; no other error is raised."""
    rng = Random(3)
    rules = ["", "players=3: ", "decks=2, swaps=2: ", "passport: "]
    hands = ["6c 7c | 9h Ts", "6c | | 7h", "6c 6c 7s | 9h 9h", "| 6c", "7c 7h | 8s 8d"]
    more = [
        *(
            "trump h",
            "trump none",
            "attacker 1",
            "table 7d/9d",
            "table 7d",
            "taking",
            "passed 0 1",
            "talon Jc Qs Kd",
            "turn-up Kd",
            "discard Ac",
        ),
        *(
            "bout 1",
            "out 0",
            "out",
            "defender 1",
            "limit 3",
            "newest 0",
            "began 0 1",
            "emptied 1",
            "shown 0 7h",
            "swapped 1 0",
            "swapped-now yes",
        ),
        *("aside As", "seen 6c |", "follows 1:9h |", "follows @1 |", "since 0 |", "since 1 +8h | -9h", "since 0 + | -"),
    ]
    read = 0
    for _ in range(3000):
        line = rng.choice(rules) + "; ".join([rng.choice(hands), *rng.sample(more, rng.randrange(5))])
        try:
            game = Game.from_position_line(line)
        except DurakError as error:
            assert len(str(error)) < 400
            continue
        read += 1
        if game.actor is not None:
            assert Game.from_position_line(game.position).state.key() == game.state.key()
    assert read > 100
