"""A position as one line of text: written and read without loss, and refused in a sentence where it says what cannot be."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import DurakError, Game, GameTextError, PositionError, Rules
from support.mixes import mixes, played, presets, seeds, snapshot
from support.oracle_book import VALUES, beside

HISTORY = {"ply", "bout_ends", "swap_draws", "drew"}
"""What a position does not say: how it came about."""


def said(game: Game) -> list[tuple[str, object]]:
    """All that a state says but its history; of what is known, only that of cards that still lie hidden counts."""
    return [one for one in snapshot(game.state) if one[0] not in HISTORY]


def same(game: Game) -> None:
    """The game begun again from its line is the same from there on."""
    again = Game.from_position_line(game.position)
    assert said(again) == said(game), game.position
    assert again.state.key() == game.state.key()
    assert again.position == game.position
    assert again.legal_moves() == game.legal_moves()


@given(presets | mixes, seeds, st.integers(0, 250))
def test_a_position_is_written_and_read_without_loss(rules: Rules, seed: int, plies: int) -> None:
    """At any moment of any game, under every preset and mix."""
    game = played(rules, seed, plies)
    if game.actor is not None:
        same(game)


@pytest.mark.parametrize("name", sorted(Rules.presets()))
@pytest.mark.sample(16)
def test_every_moment_of_a_game_of_every_preset(name: str) -> None:
    """From the deal to the end, what anybody knows of the others' cards too."""
    game, rng = Game(Rules.preset(name), seed=4), Random(4)
    while game.actor is not None and game.ply < 200:
        same(game)
        game.play(rng.choice(game.legal_moves()))


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in VALUES.items() for value in values])
@pytest.mark.sample(16)
def test_the_first_moments_under_every_option(name: str, value: object) -> None:
    """What is asked between the deal and the first bout is in a line too."""
    for seed in range(12):
        game, rng = Game(Rules(**beside(name, value), **{name: value}), seed=seed), Random(seed)
        while game.actor is not None and game.ply < 3:
            same(game)
            game.play(rng.choice(game.legal_moves()))


def test_an_attacker_who_is_out_is_written_down() -> None:
    """Where the last card counts at once, the attacker may be out while its attack is still to be beaten."""
    for players in (3, 4):
        rules = Rules(players=players, out_when="at_once")
        game = Game.from_position(rules, hands=["7c", "9d 9h", "Kd Ks", "Qd Qs"][:players], trump="s")
        game.play("attack 7c")
        assert (game.places, game.attacker, game.actor) == ((0,), 0, 1)
        same(game)


@given(presets | mixes, seeds, st.integers(0, 150))
def test_play_goes_on_alike(rules: Rules, seed: int, plies: int) -> None:
    """To the end, repetition and all."""
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
def test_a_game_from_a_line_is_saved(rules: Rules, seed: int, plies: int) -> None:
    """Its text begins with the line, and reads back as the same game."""
    game, rng = played(rules, seed, plies), Random(seed)
    if game.actor is None:
        return
    again = Game.from_position_line(game.position)
    for _ in range(5):
        if again.actor is not None:
            again.play(rng.choice(again.legal_moves()))
    back = Game.parse(str(again))
    assert (str(back), snapshot(back.state)) == (str(again), snapshot(again.state))


def test_a_line_reads_as_it_is_written() -> None:
    """What people write comes back to the letter."""
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


def test_a_line_says_no_more_than_it_must() -> None:
    """The rules that everybody plays, the first seat, the second bout, an empty table go without saying."""
    game = Game.from_position(hands=["6c 7c", "9h Ts"])
    assert game.position == "6c 7c | 9h Ts"
    assert Game.from_position_line("6c 7c|9h Ts").hands == game.hands


def test_a_finished_game_has_no_position() -> None:
    """There is nothing to play on from; the whole game keeps it."""
    game = Game.from_position(hands=["6c", "8d Kd"], trump="h")
    game.play("attack 6c")
    game.play("take")
    with pytest.raises(PositionError, match="the game is over"):
        _ = game.position


def test_a_line_that_cannot_be_is_refused() -> None:
    """In one sentence, which says what would be right."""
    for line, says in (
        (7, "a position is a line of text"),
        ("6c | 7c" * 200_000, "a position of 1400000 characters is too long; at most 1000000 are read"),
        ("6c | \n; attacker 0; table 7c/8c", "a position is a line of text"),
        ("players=3: 6c 7c | 8c 9d | ; out", "out names seats without cards"),
        ("", "hands needs one text or list of cards for each of the 2 seats"),
        ("6c | 7c; trum h", "'trum h' says nothing of a position: write a word and what it says, such as 'trump h'. Did you mean 'trump'?"),
        ("6c | 7c; trump h; trump s", "trump is said twice"),
        ("transfr: 6c | 7c", "there is no preset 'transfr'"),
        ("6c | 7c; attacker x", "attacker is a whole number, not 'x'"),
        ("6c | 7c; attacker 99999999", "attacker is a whole number"),
        ("6c | 7c; attacker 2", "attacker names the seat 2"),
        ("6c | 7c; passed 0", "nothing lies on the table"),
        ("6c 7c | 9h Ts; table 7d; defender 0", "defender 0: seats 0 and 0 play together"),
        ("6c 7c | 9h Ts; table 7d; defender 5", "defender names the seat 5, which is not in the game"),
        ("6c 7c | 9h Ts; table 7d 7s; limit 1", "limit 1: 2 attacking cards lie on the table"),
        ("6c 7c | 9h Ts; table 7d; newest 3", "newest names the seat 3"),
        ("6c 7c | 9h Ts; began 0", "began names the seats that were in when the bout began"),
        ("6c 7c | 9h Ts; emptied 0", "emptied names the seats that have played their last card"),
        ("6c 7c | 9h Ts; swapped 1 0", "swapped says how often each of the 2 seats has swapped, at most 0 times"),
        ("6c 7c | 9h Ts; swapped", "swapped says how often each of the 2 seats has swapped"),
        ("swaps=1: 6c 7c | 9h Ts; swapped-now yes", "swapped-now is yes where the attacker has swapped"),
        ("6c 7c | 9h Ts; shown 1 7h", "name a seat and the trump that it has shown"),
        ("6c 7c | 9h Ts; aside 6c", "6c cannot lie aside"),
        ("6c 7c | 9h Ts; aside 6y", "'6y' is not a card"),
        ("6c 7c | 9h Ts; seen 6c", "seen has a part for each of the 2 seats"),
        ("6c 7c | 9h Ts; seen 9h |", "seen: 9h does not lie where seat 0 could know of it"),
        ("6c 7c | 9h Ts; follows 1:6c |", "follows: 6c does not lie where seat 0 could know of it"),
        ("6c 7c | 9h Ts; follows @0 |", "'@0' is neither a place of the talon"),
        ("6c 7c | 9h Ts; follows 0:6c |", "'0:6c' is neither a place of the talon, such as @0, nor a card in another hand, such as 1:7c"),
        ("6c 7c | 9h Ts; since 0 6c |", "since: '6c' changes the hand of seat 0; write"),
        ("6c 7c | 9h Ts; since 0 -9h |", "since: '-9h' changes the hand of seat 0; write"),
        ("6c 7c | 9h Ts; since 4 |", "since names the seat 4"),
        ("6c 7c | 9h Ts; since 0", "since has a part for each of the 2 seats"),
        ("players=3: 6c | 9h | ; out 0", "out names seats without cards"),
        ("players=3: 6c | 9h | ; out 2 2", "out names seats without cards"),
    ):
        with pytest.raises(DurakError) as caught:
            Game.from_position_line(line)
        assert says in str(caught.value)
        assert len(str(caught.value)) < 300


def test_a_saved_game_with_such_a_line_is_refused() -> None:
    """As every other text that says no whole game."""
    for text, says in (
        ("Durak 1\nPosition: 6c | 7c; trum h\n\nResult: *\n", "'trum h' says nothing of a position"),
        ("Durak 1\nPosition: transfr: 6c | 7c\n\nResult: *\n", "there is no preset 'transfr'"),
        (
            "Durak 1\nRules: podkidnoy\nPosition: 6c | 7c\n\nResult: *\n",
            "line 2: Position says all of a position, its rules too; leave Rules out",
        ),
        (
            "Durak 1\nPosition: 6c | 7c\nHands: 6c | 7c\n\nResult: *\n",
            "line 3: Position says all of a position, its rules too; leave Hands out",
        ),
    ):
        with pytest.raises(GameTextError) as caught:
            Game.parse(text)
        assert says in str(caught.value)


def test_a_position_long_after_the_last_draw_is_read_too() -> None:
    """The starts of bouts that may come again make it long, and it reads back all the same."""
    game, rng = Game("bulk, players=3", seed=1), Random(1)
    for _ in range(300):
        takes = [move for move in game.legal_moves() if move.verb == "take"]
        game.play(rng.choice(takes or game.legal_moves()))
    assert len(game.position) > 20_000
    assert Game.from_position_line(game.position).state.key() == game.state.key()


def test_lines_by_chance_raise_nothing_else() -> None:
    """Pieces of lines thrown together read as a position or are refused, and nothing else is raised."""
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
