"""Test `Game` and `Match`: history, text, threads, matches and errors."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from durak_widget import (
    DurakError,
    Game,
    GameTextError,
    Match,
    PositionError,
    Rules,
    RulesError,
)
from durak_widget.i18n import Seat, Translator
from support.mixes import played, snapshot
from support.spoken import english_text


def test_undo_and_redo() -> None:
    """A move taken back can be redone; playing another move discards it."""
    game = Game(seed=7)
    first, second = game.legal_moves()[:2]
    game.play(first)
    assert game.undo() is first
    assert (game.ply, game.last_ply) == (0, 1)
    assert game.redo() is first
    game.undo()
    game.play(second)
    assert (game.moves, game.last_ply) == ((second,), 1)


def test_forget_undone_discards_the_redo_line() -> None:
    """The game then ends at the present move: nothing to redo, nothing in the text. A copy made before still has all moves."""
    game = played(Rules(), 3, 9)
    game.goto(5)
    before, copied = snapshot(game.state), game.copy()
    assert (game.forget_undone(), game.forget_undone()) == (4, 0)
    assert (game.ply, game.last_ply, snapshot(game.state)) == (5, 5, before)
    assert str(game) == str(played(Rules(), 3, 5))
    with pytest.raises(IndexError, match="no move to redo"):
        game.redo()
    assert (copied.ply, copied.last_ply) == (5, 9)


def test_goto_an_unknown_ply_is_refused() -> None:
    """Going to a ply that does not exist is refused, and nothing changes."""
    for ply in (-1, 2, "1", None, 1.0, True):
        game = Game(seed=7)
        game.play(game.legal_moves()[0])
        with pytest.raises(IndexError, match="goto takes 0 to 1"):
            game.goto(ply)
        assert game.ply == 1


def test_undo_at_the_start_and_redo_at_the_end_are_refused() -> None:
    """At the beginning there is nothing to undo, at the end nothing to redo."""
    game = Game(seed=7)
    with pytest.raises(IndexError, match="no move to undo"):
        game.undo()
    with pytest.raises(IndexError, match="no move to redo"):
        game.redo()


def test_every_outcome_has_a_text() -> None:
    """A fool, epaulettes, a draw and winners have a text, and a refused move repeats it."""
    fool = Game.from_position(hands=["7c", "8d 9d"], trump="h")
    for move in ("attack 7c", "take"):
        fool.play(move)
    assert str(fool.outcome) == Translator(cards="codes").translate("outcome.fool", who=Seat(1))
    assert str(fool.why_not("take")) == english_text("refusal.game_over", result=english_text("outcome.fool", who="seat 1"))
    single = Game.from_position(hands=["6c", "8d 9d"], trump="h")
    for move in ("attack 6c", "take"):
        single.play(move)
    assert re.search(r"^seat 1\b.*\ban epaulette\b", str(single.outcome))
    both = Game.from_position(hands=["6c 6s", "8d 9d"], trump="h")
    for move in ("attack 6c", "take", "throw 6s"):
        both.play(move)
    assert re.search(r"^seat 1\b.*\bepaulettes\b", str(both.outcome))
    draw = Game.from_position(hands=["7c", "8c"], trump="h")
    for move in ("attack 7c", "beat 7c 8c"):
        draw.play(move)
    assert str(draw.outcome) == "a draw"
    won = Game.from_position(Rules(players=3, goal="first_out"), hands=["7c", "8d 9d", "Td"], trump="h")
    for move in ("attack 7c", "take"):
        won.play(move)
    assert str(won.outcome) == "seat 0 won"
    team = Game.from_position(Rules(players=4, teams="2v2", goal="first_out"), hands=["7c", "8d 9d", "Td", "Jd"], trump="h")
    for move in ("attack 7c", "take"):
        team.play(move)
    assert str(team.outcome) == "seats 0 and 2 won"
    for game in (fool, single, both, draw, won, team):
        assert str(Game.parse(str(game)).outcome) == str(game.outcome)
        assert str(game.outcome) in repr(game)


def test_an_invalid_deal_argument_is_refused() -> None:
    """The error names the wrong argument and says what would be right."""
    for arguments, says in (
        ({"seed": 1.5}, "seed must be"),
        ({"seed": 1, "deck": "6c"}, "seed or deck, not"),
        ({"dealer": 2}, "dealer=2 is not a seat; the seats are 0 to 1"),
        ({"dealer": True}, "dealer=True is not a seat"),
        ({"first_attacker": -1}, "first_attacker=-1 is not a seat"),
    ):
        with pytest.raises(PositionError) as caught:
            Game(**arguments)
        assert says in str(caught.value)


def test_an_unknown_seat_is_refused() -> None:
    """A view or a picture for a seat that does not exist is refused."""
    for seat in (2, -1, None, "0", True):
        game = Game(seed=1)
        for ask in (game.view, game.picture, game.svg):
            with pytest.raises(PositionError, match="the seats are 0 to 1"):
                ask(seat)


def test_rules_may_be_given_as_text() -> None:
    """A game and a match take rules as text."""
    assert Game("transfer, players=3", seed=1).rules == Rules.preset("transfer", players=3)
    assert Match("econ431", seed=1).rules == Rules.preset("econ431")
    with pytest.raises(RulesError, match="Did you mean 'transfer'"):
        Game("transfr")


def test_a_game_without_a_seed_can_be_dealt_again() -> None:
    """A game that was shuffled at random has a seed."""
    game = Game()
    assert str(Game(seed=game.seed)) == str(game)


def test_the_game_text_has_the_first_attacker_of_a_match() -> None:
    """The first attacker in a game of a match is part of its text."""
    attackers = {Game(seed=1, first_attacker=seat).attacker for seat in (0, 1)}
    assert attackers == {0, 1}
    game = Game(seed=1, first_attacker=1)
    assert "First: 1" in str(game)
    assert Game.parse(str(game)).attacker == 1


def test_next_game_before_the_end_is_refused() -> None:
    """The next game waits for the end of the present one."""
    match = Match(seed=1)
    with pytest.raises(DurakError, match="when this one is over"):
        match.next_game()
    assert "game 1" in repr(match)


def test_an_inconsistent_game_text_is_refused() -> None:
    """The error names the line: moves after the end, the wrong seat, the wrong bout, two kinds of beginning, a wrong Ply."""
    text = "Durak 1\nHands: 7c | 8d 9d\nTrump: h\n{}Result: *\n"
    for middle, says in [
        ("2. 0 attack 7c; 1 take; 0 attack 8c\n", "4: 'attack 8c'"),
        ("2. 1 attack 7c\n", "4: 'attack 7c' is written for seat 1"),
        ("3. 0 attack 7c\n", "4: 'attack 7c'"),
        ("2. 0 attack 9c\n", english_text("refusal.not_in_hand", card="9c", who="seat 0", hand="7c").rstrip(".")),
        ("2. ;\n", "line 4: a move is missing in bout 2"),
        ("2 attack 7c\n", "line 4: '2 attack 7c' is not a bout"),
        ("2. attack 7c\n2. take\n", "5: bout 2"),
        ("Deck: 6c\n", "line 2: Hands is for a game from a position"),
        ("Ply: 3\n", "4: Ply"),
        ("Taking: maybe\n", "4: Taking"),
        ("Attacker: x\n", "4: Attacker"),
        ("Trump: d\n", "4: Trump"),
        ("2. attack 7c\nBout: 3\n", "5: Bout"),
        ("Tabel: 7c\n", "Did you mean 'Table'?"),
        ("Passed: x\n", "4: Passed"),
        ("Rules: transfr\n", "line 4: there is no preset 'transfr'"),
        ("Result: *\n", "line 5: the result ends a game"),
    ]:
        with pytest.raises(GameTextError) as caught:
            Game.parse(text.format(middle))
        assert says in str(caught.value), middle
    assert Game.parse(text.format("2. attack 7c; take\n")).outcome.fool == 1
    with pytest.raises(GameTextError, match="neither 'Deck:'"):
        Game.parse("Durak 1\nResult: *")


@pytest.mark.slow
def test_threads_share_card_and_move_objects() -> None:
    """Threads that parse the same cards and moves for the first time at once get the same objects, so no legal move is refused."""
    code = """
import sys, threading, random
sys.setswitchinterval(1e-6)
from durak_widget import Game, Rules
wrong = []
def play(seed):
    game, rng = Game(Rules(players=3, weli="sixes", transfer=True, opening="same_rank"), seed=seed), random.Random(seed)
    try:
        while game.actor is not None:
            game.play(str(rng.choice(game.legal_moves())))
    except Exception as error:
        wrong.append(error)
threads = [threading.Thread(target=play, args=(seed,)) for seed in range(12)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(len(wrong))
"""
    for _ in range(5):
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_reason_for_another_seat_hides_other_players_cards() -> None:
    """A seat out of turn gets a reason that shows nothing of the hand of the seat to act."""
    game = Game.from_position(Rules(players=3), hands=["7s 9d", "9h Ts Jc Qc", "7c"], trump="h", table="7d")
    for seat in (0, 2):
        for move in ("throw 7s", "throw 9d", "beat 7d 9h", "take", "attack 7c", "pass"):
            reason = str(game.why_not(move, seat))
            assert "may: " not in reason
            assert not [card for card in ("9h", "Ts", "Jc", "Qc") if card in reason and card not in move]


def test_why_not_for_an_unknown_seat_is_refused() -> None:
    """`why_not` accepts only seats of the game."""
    for seat in (2, -1, "1", [0], True, 1.0):
        with pytest.raises(PositionError, match="the seats are 0 to 1"):
            Game(seed=1).why_not("take", seat)


def test_going_back_does_not_change_the_score() -> None:
    """Going back in a game that is over and counted does not change the score."""
    match = Match(seed=1)
    while match.game.actor is not None:
        match.game.play(match.game.legal_moves()[0])
    match.next_game()
    before = match.score
    match.games[0].undo()
    assert match.score == before
    assert sum(tally.wins for tally in before) == 1


def test_a_match_accepts_the_same_seeds_as_a_game() -> None:
    """A match refuses and accepts the same kinds of seed as a game."""
    for seed in (1.5, [1], True):
        with pytest.raises(PositionError, match="seed must be"):
            Match(seed=seed)
    assert str(Match(seed="a").game) == str(Match(seed="a").game)


def test_a_failed_save_leaves_the_file_unchanged(tmp_path) -> None:
    """The text is created before the file is opened."""
    path = tmp_path / "game.durak"
    Game(seed=1).save(path)
    before = path.read_text()
    broken = Game(seed=1)
    broken._origin = None
    with pytest.raises(AttributeError):
        broken.save(path)
    assert path.read_text() == before


def test_any_integer_type_is_accepted_as_a_seat() -> None:
    """Anything with `__index__`, such as a numpy integer, is accepted as a seat and a ply."""

    class Number:
        def __index__(self) -> int:
            return 1

    game = Game(seed=1, dealer=Number())
    assert game.view(Number()).seat == 1
    game.play(game.legal_moves()[0])
    game.goto(Number())
    assert game.ply == 1
