"""Opponents at a table: how they are called, what they say at the end, who is beaten, and who sits down next."""

from __future__ import annotations

import json
import warnings
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from durak_widget import BotError, Game, Rules, Table, bots
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.table.analysis_jobs import DecisionRetry
from durak_widget.widgets.opponent_record import OpponentRecord, find_current_opponent
from support.tables import listening

if TYPE_CHECKING:
    from pathlib import Path

KEYS = [person.key for person in bots.people()]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody has been beaten yet."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    return tmp_path


def play_on(table: Table, bot: str = "first") -> None:
    """Play the game of a table to its end, the person's seat by a bot of that name."""
    chooses = bots.get(bot)
    while table.game.outcome is None:
        if table.players[table.game.actor] == "you":
            table.play(chooses.choose(table.game.view(table.game.actor), Random(1)))
        else:
            table.step()


def hear(table: Table, kind: str, **more: object) -> None:
    """A person means something."""
    table.handle_message({"kind": kind, "game": table.scene["game"], "ply": table.scene["ply"], **more})


def won(table: Table, times: int) -> None:
    """Play till the person has won so many games."""
    while times:
        play_on(table, "counting")
        times -= table.scene["over"]["won"] is True
        if times:
            hear(table, "next")


# How they are called


def test_an_opponent_is_called_by_name() -> None:
    """In what is said, at the plate and in the score; of two who are the same neither is."""
    table = Table(seats={1: "aunt"}, seed=3, language="lt")
    assert table.scene["seats"][1]["named"]
    assert "Teta Lida" in table.scene["call"][0]
    both = Table("podkidnoy, players=3", seats={1: "aunt", 2: "aunt"}, seed=3)
    assert not any("named" in seat for seat in both.scene["seats"])


def test_other_bots_keep_their_numbers() -> None:
    """As before: `careful` is no person."""
    assert "named" not in Table(seed=3).scene["seats"][1]


def test_also_where_nothing_is_live_they_have_their_name() -> None:
    """In the picture that a notebook stores, its words, and what is taken away of a moment."""
    table = Table(seats={1: "nephew"}, seed=5)
    heard = listening(table)
    hear(table, "share")
    for told in (table._repr_mimebundle_()[0]["text/plain"], heard[-1]["words"], heard[-1]["picture"]):
        assert "Tim" in told
        assert "Player 2" not in told


# Who is beaten


def test_two_of_the_last_three(home: Path) -> None:
    """Two wins in a row, or with one loss between; three games ago counts no more; who was beaten stays so."""
    rivals = OpponentRecord(home / "a.json")
    assert [rivals.record_game("nephew", won=one) for one in (True, False, False, True)] == [False] * 4
    assert rivals.count_wins_needed("nephew") == 1
    assert rivals.record_game("nephew", won=True)
    assert not any(rivals.record_game("nephew", won=False) for _ in range(4))
    assert (rivals.beaten_opponents, rivals.next_opponent, rivals.level) == (("nephew",), "uncle", 2)
    assert OpponentRecord(home / "a.json").beaten_opponents == ("nephew",)


def test_the_next_is_never_weaker(home: Path) -> None:
    """Whoever was beaten first, somebody stronger comes after; when nobody is, nobody does, though some were passed over."""
    rivals = OpponentRecord(home / "c.json")
    for key, following in ((KEYS[3], KEYS[4]), (KEYS[0], KEYS[4]), (KEYS[-1], None)):
        rivals.record_game(key, won=True)
        rivals.record_game(key, won=True)
        assert rivals.next_opponent == following
    assert rivals.level == len(KEYS)


@pytest.mark.slow
def test_nobody_weaker_is_called_the_strongest(home: Path) -> None:
    """Whoever began at the top hears of somebody further down that they are beaten, and no more."""
    table = Table(seats={1: "nephew"}, seed=5)
    rivals = OpponentRecord()
    rivals.record_game(KEYS[-1], won=True)
    rivals.record_game(KEYS[-1], won=True)
    won(table, 2)
    assert table.scene["over"]["rivals"][-1] == "You have beaten Tim, two games of three."
    assert "meet" not in table.scene["over"]
    while table.scene["over"]["won"] is not False:
        hear(table, "next")
        play_on(table)
    assert table.scene["over"]["rivals"][-1] == "You have beaten Tim before."


def test_a_damaged_file_costs_only_what_is_damaged(home: Path) -> None:
    """Who is nobody, and what is no record, is left out; the file is kept beside."""
    path = home / "b.json"
    good = {"recent_results": "ww", "won": 2, "lost": 0, "beaten": True}
    path.write_text(
        json.dumps({"version": 2, "entries": {"nephew": good, "uncle": {"recent_results": "xx"}, "nobody": good}}), encoding="utf-8"
    )
    with pytest.warns(UserWarning, match="not all of b.json could be read"):
        assert OpponentRecord(path).beaten_opponents == ("nephew",)


def test_beaten_and_the_next_sits_down() -> None:
    """Two wins, and the end card offers the next, who sits down at a word; the one whom one has come to is `next`."""
    table = Table(seats={1: "next"}, seed=5)
    assert table.players == ("you", "nephew")
    won(table, 2)
    over = table.scene["over"]
    assert over["meet"] == "uncle"
    assert over["rivals"][-1] == "You have beaten Tim, two games of three. Next: Uncle Yasha."
    hear(table, "meet", who="uncle")
    assert table.players == ("you", "uncle")
    assert table.game.ply == 0
    assert find_current_opponent() == "uncle"


def test_whom_one_has_not_beaten_yet_one_plays_again() -> None:
    """Where another win leads on, nobody weaker is offered in the place of who sits there."""
    table = Table(seats={1: "nephew"}, seed=5)
    won(table, 2)
    stronger = Table(seats={1: "bookkeeper"}, seed=6)
    play_on(stronger)
    assert find_current_opponent() == "uncle"
    assert "meet" not in stronger.scene["over"]
    assert "Lev" in stronger.scene["over"]["rivals"][-1]


def test_a_game_is_counted_once() -> None:
    """Looked at again, shown again, told in another language: it was one game."""
    table = Table(seats={1: "nephew"}, seed=5)
    won(table, 1)
    table.refresh()
    hear(table, "goto", to=3)
    hear(table, "goto", to=table.game.last_ply)
    table.language = "ru"
    assert OpponentRecord()._store.entries["nephew"]["won"] == 1


@pytest.mark.parametrize("kind", ["hint", "undo"])
def test_who_was_helped_has_beaten_nobody(kind: str) -> None:
    """By a hint, or by taking back."""
    table = Table(seats={1: "nephew"}, seed=5)
    while table.game.actor != 0 or (kind == "undo" and not any(one.seat == 0 for one in table.game.history)):
        if table.game.actor == 0:
            table.play(table.game.legal_moves()[0])
        else:
            table.step()
    hear(table, kind)
    if kind == "hint":
        hear(table, kind)  # what it costs was said first
    play_on(table)
    assert table.scene["over"]["rivals"][-1] == "You were helped, so this game does not count."
    assert not OpponentRecord().has_games


def swapped(table: Table) -> None:
    """From the first moment of the game somebody else sits there."""
    end = table.game.last_ply
    hear(table, "goto", to=0)
    hear(table, "seat", seat=1, who="grandmother")
    hear(table, "goto", to=end)


def laid_again(table: Table) -> None:
    """The game that is over, or under way, is laid once more."""
    table.game = table.game


def by_hand(table: Table) -> None:
    """A move is made in the place of the bot."""
    while table.game.actor != 1:
        table.play(table.game.legal_moves()[0])
    table.play(table.game.legal_moves()[-1])


def asked(table: Table) -> None:
    """From Python too."""
    while table.game.actor != 0:
        table.step()
    table.hint()


@pytest.mark.parametrize("trick", [swapped, laid_again, by_hand, asked])
def test_a_game_counts_only_if_it_was_played_fairly_from_the_first_move(trick) -> None:
    """Against the same opponent, at this table, alone."""
    table = Table(seats={1: "nephew"}, seed=5)
    while not table.game.ply:
        table.step() or table.play(table.game.legal_moves()[0])
    trick(table)
    assert not table._session.is_counted
    play_on(table, "counting")
    assert not OpponentRecord().has_games


def test_a_game_that_is_over_when_it_is_laid_counts_for_nobody() -> None:
    """However often, and against whom."""
    game = next(game for seed in range(9) if 0 in (game := bots.play(Game(seed=seed), ["counting", "random"], seed)).outcome.winners)
    for _ in range(2):
        Table(game, seats={1: "grandmother"})
    assert not OpponentRecord().has_games


def test_a_partner_is_no_opponent() -> None:
    """Who loses together with a partner has beaten nobody; who wins against two called by name has met both."""
    seats = {1: "random", 2: "nephew", 3: "random"}
    table = next(
        table
        for seed in range(40)
        for table in [Table(Rules(players=4, teams="2v2"), seats=seats, seed=seed)]
        if play_on(table, "random") or (0 in table.game.outcome.losers and table.game.outcome.fool == 2)
    )
    assert "you have beaten" not in " ".join(table.scene["over"]["rivals"])
    assert not OpponentRecord().has_games


def test_a_deal_counts_once_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cards are known by then; the next deal counts again, and so does this one on another day."""
    for _ in range(2):
        table = Table(seats={1: "nephew"}, seed=5)
        play_on(table, "counting")
    assert table.scene["over"]["rivals"][-1] == "This deal has counted today; the next one counts again."
    kept = OpponentRecord()._store.entries["nephew"]
    assert kept["won"] + kept["lost"] == 1
    monkeypatch.setattr("durak_widget.table.players.resolve_day", lambda _: "another day")
    play_on(Table(seats={1: "nephew"}, seed=5), "counting")
    kept = OpponentRecord()._store.entries["nephew"]
    assert kept["won"] + kept["lost"] == 2


def test_a_file_of_another_version_is_left_alone(home: Path) -> None:
    """The game ends all the same."""
    path = home / "opponents.json"
    path.write_text(json.dumps({"version": 3, "entries": {"nephew": {"games": 3}}}), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = Table(seats={1: "nephew"}, seed=5)
        play_on(table, "counting")
    assert "over" in table.scene
    assert json.loads(path.read_text(encoding="utf-8"))["entries"]["nephew"] == {"games": 3}


def test_the_next_game_counts_again() -> None:
    """Help is forgotten with the game in which it was given; and what was played twice says so at its second end."""
    table = Table(seats={1: "nephew"}, seed=5)
    play_on(table, "random")
    ended = table.game.moves
    for _ in range(6):
        hear(table, "undo")
    play_on(table, "counting")
    assert table.game.moves != ended
    assert table.scene["over"]["rivals"][-1] == "You were helped, so this game does not count."
    hear(table, "next")
    play_on(table, "random")
    assert table.scene["over"]["rivals"][-1] != "You were helped, so this game does not count."
    assert sum(OpponentRecord()._store.entries["nephew"][what] for what in ("won", "lost")) == 2


def test_in_a_task_no_opponent_says_what_gave_it_away() -> None:
    """A task is judged by who has set it, and nobody else says anything of it."""
    table = Table(seats={1: "nephew"}, seed=5)
    table._session.task = SimpleNamespace(is_decided=False)
    while table.game.outcome is None:
        table.game.play(table.game.legal_moves()[0])
    assert table._session._get_opponent_result() is None


def test_who_goes_back_and_plays_otherwise_was_helped() -> None:
    """By looking back and playing on from there; and so is who let another sit down for the last moves."""
    table = Table(seats={1: "nephew"}, seed=5)
    while table.game.ply < 12:
        if table.game.actor == 0:
            table.play(table.game.legal_moves()[0])
        else:
            table.step()
    ply = next(ply for ply in range(6) if table.game.history[ply].seat == 0)
    hear(table, "goto", to=ply)
    hear(table, "branch")
    play_on(table)
    other = Table(seats={1: "grandmother"}, seed=5)
    other.step()
    other.seat_player(1, "nephew")
    play_on(other)
    assert not OpponentRecord().has_games


def test_who_sits_down_in_the_middle_claims_nothing_of_what_another_played() -> None:
    """Only how it ended is said; the game counts for nothing, though nobody was helped, and the next one counts again."""
    table = Table(seats={1: "careful"}, seed=5)
    while table.game.ply < 12:
        table.play(table.game.legal_moves()[0]) if table.game.actor == 0 else table.step()
    table.seat_player(1, "aunt")
    play_on(table, "random")
    outcome = table.game.outcome
    how = "won" if 1 in outcome.winners else "lost" if 1 in outcome.losers else "drawn"
    said = Translator("en").translate("sentence", said=TranslatableText(f"people.aunt.{how}")).rstrip(".")
    rivals = table.scene["over"]["rivals"]
    assert said in rivals[0]
    assert rivals[-1] == "Somebody sat down in the middle, so this game does not count."
    assert not OpponentRecord().has_games
    hear(table, "next")
    play_on(table, "random")
    assert OpponentRecord().has_games


def test_where_nothing_can_be_written_a_game_ends_all_the_same(home: Path) -> None:
    """The opponent says their sentence, and that is all."""
    (home / "opponents.json").mkdir()
    table = Table(seats={1: "nephew"}, seed=5)
    play_on(table)
    assert len(table.scene["over"]["rivals"]) == 1


def test_a_position_that_was_laid_counts_for_nothing() -> None:
    """Nor does a game in which all hands lie open."""
    laid = Table(Game.from_position(hands=["Ah Kh", "6c 7c"], trump="h", discard="8c"), seats={1: "nephew"})
    play_on(laid)
    opened = Table(seats={1: "nephew"}, seed=5, hands="open")
    play_on(opened)
    assert not OpponentRecord().has_games


def test_no_bot_is_called_next() -> None:
    """The word is taken."""
    with pytest.raises(BotError, match="the opponent whom one has come to"):
        bots.register("next")


# What is tried again


def test_what_is_tried_again_counts_against_nobody() -> None:
    """A moment of a lost game is played once more: the opponent says nothing, and nothing is remembered."""
    table = Table(seats={1: "nephew"}, seed=5)
    play_on(table, "random")
    before = dict(OpponentRecord()._store.entries)
    table._session.retry = DecisionRetry(table._session.match, table.game.copy(), 0, is_draw_enough=False)
    table._session._opponent_result = None
    assert table._session._get_opponent_result() is None
    assert OpponentRecord()._store.entries == before
