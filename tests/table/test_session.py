"""Test a table without a page: everything except drawing, and the random generators of bots."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from durak_widget import Card, DurakError, Game, IllegalMove, Match, Table, bots
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.table import message_handlers
from durak_widget.table.intents import IntentError
from durak_widget.table.session import Session
from durak_widget.widgets.appearance_settings import AppearanceSettings
from support.spoken import english_text


class RecordedSession:
    """A session that records scenes and messages."""

    def __init__(self, game=None, seats=None, *, seed=None, language: str = "en") -> None:
        self.scenes, self.sent = [], []
        self.look = AppearanceSettings(language=language, pace=0)
        self.session = Session(game, seats, appearance=self.look, show=self.scenes.append, send=self.sent.append, seed=seed)
        self.session.update()

    def says(self, kind: str, **more: object) -> dict:
        """Send a person's message, and return the scene that answers."""
        scene = self.scenes[-1]
        message_handlers.handle_message(self.session, {"kind": kind, "game": scene["game"], "ply": scene["ply"], **more})
        return self.scenes[-1]


def test_a_session_is_not_a_widget() -> None:
    """It imports nothing of notebooks, and messages don't either."""
    names = {"ipywidgets", "anywidget", "traitlets", "IPython"}
    code = f"import sys, durak_widget.table.session, durak_widget.table.message_handlers; sys.exit(bool({names} & {{*sys.modules}}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_game_is_played_without_a_page() -> None:
    """A person by messages and a bot by steps; each action gives one scene."""
    at = RecordedSession(seats={1: "first"}, seed=7)
    while at.session.game.actor is not None:
        before = len(at.scenes)
        if not at.session.step():
            assert "note" not in at.says("move", move=str(at.session.game.legal_moves()[0]))
        assert len(at.scenes) == before + 1
    assert "result" in at.scenes[-1]
    at.says("move_list")
    assert [message["kind"] for message in at.sent] == ["move_list"]
    assert at.says("next_game")["game"] == 2
    assert at.says("undo")["note"]["text"][0] == english_text("table.nothing_to_undo")


def test_malformed_messages_are_left_to_the_widget() -> None:
    """The session does not answer them."""
    at = RecordedSession(seed=7)
    for odd in (None, {"kind": "cheat"}, {"kind": "move"}):
        with pytest.raises(IntentError):
            message_handlers.handle_message(at.session, odd)
    with pytest.raises(DurakError, match="next game"):
        at.says("next_game")


def test_a_match_can_be_loaded() -> None:
    """Players stay if the number of seats is the same."""
    at = RecordedSession(seats={1: "first"}, seed=7)
    at.session.open_match(Match("transfer", seed=1))
    assert (at.scenes[-1]["game"], at.session.players.names) == (2, ("you", "first"))
    at.session.open_match(Match("podkidnoy, players=3", seed=1))
    assert (at.scenes[-1]["game"], at.session.players.names) == (3, ("you", "careful", "careful"))


# Refusals of typed moves


def test_a_refused_move_for_a_bot_reveals_nothing_of_its_hand() -> None:
    """The refusal says whose turn it is. Legal moves are played."""
    table = Table(seats={1: "first"}, seed=7)
    table.play("attack Jc")
    for text in ("beat Jc 2c", "take it", "throw 9h", "beat Jc " + str(next(c for c in table.game.hands[1] if c.suit == "d"))):
        with pytest.raises(IllegalMove) as caught:
            table.play(text)
        assert caught.value.code in {"not_your_turn", "unreadable", "too_early_to_throw"}
        assert "Seat 1 may" not in str(caught.value)
        assert not {str(card) for card in table.game.hands[1]} & set(str(caught.value).replace(text, "").split())
    table.play("take")
    assert table.game.ply == 2


def test_a_refused_move_over_a_covered_hand_reveals_nothing() -> None:
    """With two people at one screen, it lists no cards."""
    table = Table(seats={0: "you", 1: "you"}, seed=7)
    with pytest.raises(IllegalMove) as caught:
        table.play("attack 2c")
    assert (caught.value.code, "attack Jc" in str(caught.value)) == ("not_your_turn", False)
    bots_only = Table(seats={0: "first", 1: "first"}, seed=7)
    with pytest.raises(IllegalMove, match="attack Jc"):
        bots_only.play("attack 2c")


# Random generators


def deck_reading_bot(found: list) -> object:
    """Return a bot that assumes its generator is the one that shuffled."""

    def peeker(view, rng):
        twin, deck = Random(), list(compile_rules(view.rules).deck)
        twin.setstate(rng.getstate())
        twin.shuffle(deck)
        found.append(deck)
        found.append(twin.getrandbits(32))
        return view.legal_moves()[0]

    return peeker


def test_no_bot_can_read_the_deck_or_the_next_deal() -> None:
    """For some seeds, its generator gives neither this deck nor another game's seed."""
    for seed in range(4):
        found: list[object] = []
        table = Table(seats={0: deck_reading_bot(found), 1: deck_reading_bot(found)}, seed=seed)
        deck = list(compile_rules(table.rules).deck)
        Random(seed).shuffle(deck)
        assert set(table.game.talon) < {Card.from_code(bit.bit_length() - 1) for bit in deck}
        while table.step():
            pass
        say = Random(seed)
        later = {say.getrandbits(32) for _ in range(50)} | {Random(seed).getrandbits(32)}
        assert deck not in found
        assert not later & {guess for guess in found if isinstance(guess, int)}


def draining_bot(view, rng):
    """Use as many random numbers as possible."""
    rng.seed(0)
    return view.legal_moves()[0]


@pytest.mark.parametrize("rude", [draining_bot, lambda view, rng: rng.choice(view.legal_moves()[:1])], ids=["reseeds", "draws"])
def test_no_bot_can_influence_later_deals(rude) -> None:
    """Other rules, matches and new games are dealt as beside a bot that uses no randomness."""
    dealt = []
    for player in ("first", rude):
        table = Table(seats={0: player, 1: "first"}, seed=7)
        hands = [table.game.hands]
        while table.step():
            pass
        table.match.next_game()
        hands.append(table.game.hands)
        table.rules = "transfer"
        hands.append(table.game.hands)
        while table.step():
            pass
        table._session.start_game()
        table.match.deal_again()
        hands.append(table.game.hands)
        dealt.append(hands)
    assert dealt[0] == dealt[1]


def test_a_seed_always_deals_the_same_games() -> None:
    """The first game is that of the seed, the next those of its match."""
    table = Table(seed=7)
    match = Match.from_game(Game(seed=7), seed=7)
    assert table.game.hands == match.game.hands
    assert table.match.deal_again().hands == match.deal_again().hands
    table.rules = "transfer"
    assert table.game.hands == Game("transfer", seed=Random(7).getrandbits(32)).hands


def test_tables_of_one_seed_play_the_same() -> None:
    """Random bots repeat their game with a seed, and not without."""
    games = []
    for seed in (3, 3, "3", None):
        table = Table(Game(seed=1), seats={0: "random", 1: "random"}, seed=seed)
        while table.step():
            pass
        games.append(table.game.moves)
    assert games[0] == games[1]
    assert len(set(games)) == 3


def test_random_numbers_of_one_bot_do_not_affect_another() -> None:
    """Each seat has its own generator, and a new player starts it again."""
    numbers: dict[int, list[float]] = {0: [], 1: []}

    def draws(view, rng):
        numbers[view.seat].append(rng.random())
        return view.legal_moves()[0]

    table = Table(seats={0: draws, 1: draws}, seed=7)
    while table.step():
        pass
    alone = dict(numbers)
    numbers[0], numbers[1] = [], []
    table = Table(seats={0: draws, 1: draining_bot}, seed=7)
    while table.step():
        pass
    assert numbers[0] == alone[0][: len(numbers[0])]
    assert not set(alone[0]) & set(alone[1])
    table.seat_player(1, draws)
    say = table._session.get_rng(1)
    assert say.random() == alone[1][0]
    assert bots.names()
