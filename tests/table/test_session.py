"""A table without a page: the whole of it but the drawing, and what chance is given to whom."""

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


class Sat:
    """A session, and what it has shown and sent."""

    def __init__(self, game=None, seats=None, *, seed=None, language: str = "en") -> None:
        self.scenes, self.sent = [], []
        self.look = AppearanceSettings(language=language, pace=0)
        self.session = Session(game, seats, appearance=self.look, show=self.scenes.append, send=self.sent.append, seed=seed)
        self.session.update()

    def says(self, kind: str, **more: object) -> dict:
        """A person says this; the scene that answers."""
        scene = self.scenes[-1]
        message_handlers.handle_message(self.session, {"kind": kind, "game": scene["game"], "ply": scene["ply"], **more})
        return self.scenes[-1]


def test_a_session_is_no_widget() -> None:
    """Nothing of a notebook is imported for it, nor for what messages mean."""
    names = {"ipywidgets", "anywidget", "traitlets", "IPython"}
    code = f"import sys, durak_widget.table.session, durak_widget.table.message_handlers; sys.exit(bool({names} & {{*sys.modules}}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_game_is_played_without_a_page() -> None:
    """A person by messages, a bot by steps, to the end; each thing done is one scene."""
    at = Sat(seats={1: "first"}, seed=7)
    while at.session.game.actor is not None:
        before = len(at.scenes)
        if not at.session.step():
            assert "note" not in at.says("move", move=str(at.session.game.legal_moves()[0]))
        assert len(at.scenes) == before + 1
    assert "over" in at.scenes[-1]
    at.says("list")
    assert [one["kind"] for one in at.sent] == ["list"]
    assert at.says("next")["game"] == 2
    assert at.says("undo")["note"]["said"][0] == "There is no move to undo."


def test_what_is_no_message_is_refused() -> None:
    """Whoever owns the door answers it."""
    at = Sat(seed=7)
    for odd in (None, {"kind": "cheat"}, {"kind": "move"}):
        with pytest.raises(IntentError):
            message_handlers.handle_message(at.session, odd)
    with pytest.raises(DurakError, match="the next game is dealt when this one is over"):
        at.says("next")


def test_a_match_is_laid_by_whoever_has_one() -> None:
    """Players stay as long as there are as many seats."""
    at = Sat(seats={1: "first"}, seed=7)
    at.session.open_match(Match("transfer", seed=1))
    assert (at.scenes[-1]["game"], at.session.players.names) == (2, ("you", "first"))
    at.session.open_match(Match("podkidnoy, players=3", seed=1))
    assert (at.scenes[-1]["game"], at.session.players.names) == (3, ("you", "careful", "careful"))


# What is told to whoever types


def test_who_tries_a_move_for_a_bot_hears_nothing_of_its_hand() -> None:
    """The refusal is that of a person whose turn it is not; what is legal is played."""
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


def test_who_types_over_a_covered_hand_hears_nothing_of_it() -> None:
    """Where two share a screen and the second is called, a refusal does not list what lies under the backs."""
    table = Table(seats={0: "you", 1: "you"}, seed=7)
    with pytest.raises(IllegalMove) as caught:
        table.play("attack 2c")
    assert (caught.value.code, "may:" in str(caught.value)) == ("not_your_turn", False)
    bots_only = Table(seats={0: "first", 1: "first"}, seed=7)
    with pytest.raises(IllegalMove, match="Seat 0 may: "):
        bots_only.play("attack 2c")


# Who is given which chance


def reads_the_deck(found: list) -> object:
    """A bot that takes its generator for the one that shuffled the cards."""

    def peeker(view, rng):
        twin, deck = Random(), list(compile_rules(view.rules).deck)
        twin.setstate(rng.getstate())
        twin.shuffle(deck)
        found.append(deck)
        found.append(twin.getrandbits(32))
        return view.legal_moves()[0]

    return peeker


def test_no_bot_at_a_table_reads_the_deck_or_the_next_deal() -> None:
    """Of a few seeds none can be read from what a bot is given, neither this deck nor the seed of another game."""
    for seed in range(4):
        found: list[object] = []
        table = Table(seats={0: reads_the_deck(found), 1: reads_the_deck(found)}, seed=seed)
        deck = list(compile_rules(table.rules).deck)
        Random(seed).shuffle(deck)
        assert set(table.game.talon) < {Card.from_code(bit.bit_length() - 1) for bit in deck}
        while table.step():
            pass
        say = Random(seed)
        later = {say.getrandbits(32) for _ in range(50)} | {Random(seed).getrandbits(32)}
        assert deck not in found
        assert not later & {one for one in found if isinstance(one, int)}


def drains(view, rng):
    """A bot that takes all the chance that it can get."""
    rng.seed(0)
    return view.legal_moves()[0]


@pytest.mark.parametrize("rude", [drains, lambda view, rng: rng.choice(view.legal_moves()[:1])], ids=["reseeds", "draws"])
def test_no_bot_chooses_the_cards_of_later_games(rude) -> None:
    """Whatever it does with its generator, other rules, another match and new games are dealt as beside a bot that leaves it alone."""
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


def test_the_same_seed_deals_as_it_always_did() -> None:
    """The first game is that of the seed, the next ones those of a match of it."""
    table = Table(seed=7)
    match = Match.from_game(Game(seed=7), seed=7)
    assert table.game.hands == match.game.hands
    assert table.match.deal_again().hands == match.deal_again().hands
    table.rules = "transfer"
    assert table.game.hands == Game("transfer", seed=Random(7).getrandbits(32)).hands


def test_tables_of_one_seed_play_alike() -> None:
    """Bots that draw lots play the same game again with the same seed, and another one without."""
    games = []
    for seed in (3, 3, "3", None):
        table = Table(Game(seed=1), seats={0: "random", 1: "random"}, seed=seed)
        while table.step():
            pass
        games.append(table.game.moves)
    assert games[0] == games[1]
    assert len(set(games)) == 3


def test_one_bot_hears_nothing_of_what_another_draws() -> None:
    """Each seat has a generator of its own, and whoever sits down there later begins it anew."""
    drawn: dict[int, list[float]] = {0: [], 1: []}

    def draws(view, rng):
        drawn[view.seat].append(rng.random())
        return view.legal_moves()[0]

    table = Table(seats={0: draws, 1: draws}, seed=7)
    while table.step():
        pass
    alone = dict(drawn)
    drawn[0], drawn[1] = [], []
    table = Table(seats={0: draws, 1: drains}, seed=7)
    while table.step():
        pass
    assert drawn[0] == alone[0][: len(drawn[0])]
    assert not set(alone[0]) & set(alone[1])
    table.seat_player(1, draws)
    say = table._session.get_rng(1)
    assert say.random() == alone[1][0]
    assert bots.names()
