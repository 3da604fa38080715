"""A tournament in the notebook: begun, stopped, gone on with; what was played is kept, whatever happens."""

from __future__ import annotations

import asyncio
from threading import Event, Thread, current_thread

import pytest

from durak_widget import DurakError
from durak_widget.tournament_widget import widget as contest
from durak_widget.tournament_widget.widget import Tournament
from support.tournaments import Running, of_four


async def until(tournament, *states):
    """Let the loop run until it stands so."""
    while tournament.state not in states:  # noqa: ASYNC110 - it is what is asked
        await asyncio.sleep(0)


def on_a_loop(what):
    """Run it where things run by themselves, as in a notebook."""
    return asyncio.run(asyncio.wait_for(what(), 30))


def test_it_is_played_beside_the_notebook_to_its_end():
    """The loop is free meanwhile; at the end all is there."""

    async def play():
        tournament = Tournament(Running())
        assert (tournament.state, tournament.sheet["labels"]["go"]) == ("idle", "Begin")
        tournament.go()
        assert tournament.state == "playing"
        await until(tournament, "done")
        assert (tournament.result.games_played, tournament.sheet["press"], tournament.sheet["state"]) == (1000, "", "done")
        tournament.go()  # which changes nothing
        assert tournament.state == "done"

    on_a_loop(play)


def test_stop_may_be_pressed_twice_and_go_while_it_is_stopping():
    """What was begun is played to its end; who is told to go on meanwhile goes on; nothing is played twice."""

    async def play():
        held, reached = Event(), Event()
        run = Running()

        def before():
            if run.games_played == 300:
                reached.set()
                held.wait(20)

        run.before = before
        tournament = Tournament(run)
        tournament.handle_message({"kind": "go"})
        while not reached.is_set():  # noqa: ASYNC110 - a thread sets it
            await asyncio.sleep(0)
        tournament.handle_message({"kind": "stop"})
        tournament.handle_message({"kind": "stop"})
        assert (tournament.state, tournament.sheet["press"]) == ("stopping", "go")
        tournament.handle_message({"kind": "go"})
        assert tournament.state == "playing"
        tournament.handle_message({"kind": "stop"})
        held.set()
        await until(tournament, "stopped")
        assert tournament.result.games_played == 400
        tournament.handle_message({"kind": "go"})
        await until(tournament, "done")
        assert tournament.result.games_played == 1000

    on_a_loop(play)


def test_the_page_may_be_heard_on_another_thread_and_is_told_the_newest_last(monkeypatch):
    """A notebook hears its page beside its cells: whoever presses the button is at it for long, and meanwhile all is played; in the end the page knows that."""
    ended = Event()
    drawn = contest.build_sheet

    def slowly(playing, language):
        sheet = drawn(playing, language)
        if sheet["state"] == "done":
            ended.set()
        elif current_thread() is presses:
            ended.wait(0.5)
        return sheet

    async def play():
        nonlocal presses
        tournament = Tournament(Running())
        monkeypatch.setattr(contest, "build_sheet", slowly)
        presses = Thread(target=tournament.handle_message, args=({"kind": "go"},))
        presses.start()
        await until(tournament, "done")
        await asyncio.to_thread(presses.join)
        assert tournament.sheet["state"] == "done"

    presses = None
    on_a_loop(play)


def test_a_run_that_raises_is_told_and_loses_nothing():
    """The sentence stands there, the games are kept, and one may try again."""

    async def play():
        run = Running(fails_at=500)
        tournament = Tournament(run)
        tournament.go()
        await until(tournament, "failed")
        assert tournament.result.games_played == 500
        assert tournament.sheet["said"] == "It came to a halt: RuntimeError: the disk is full. What was played is kept."
        run.fails_at = None
        tournament.go()
        await until(tournament, "done")
        assert tournament.result.games_played == 1000

    on_a_loop(play)


def test_a_script_plays_here_and_now_and_an_interrupt_keeps_what_was_played():
    """Without a loop nothing runs by itself, which is said; whoever interrupts it goes on later."""
    run = Running()
    tournament = Tournament(run)
    with pytest.raises(DurakError, match=r"tournament\.play\(\)"):
        tournament.go()
    assert tournament.state == "idle"

    def interrupt():
        if run.games_played == 400:
            raise KeyboardInterrupt

    run.before = interrupt
    with pytest.raises(KeyboardInterrupt):
        tournament.play()
    assert (tournament.state, tournament.result.games_played) == ("stopped", 400)
    run.before = None
    assert tournament.play().games_played == 1000
    assert tournament.state == "done"


def test_a_run_that_ends_before_all_is_played_is_at_its_end():
    """Who is out plays no more: fewer games than were planned."""
    run = Running()
    tournament = Tournament(run)
    run.play_on = lambda should_stop=bool: iter([of_four(games_played=600)])  # noqa: ARG005 - as it is called
    tournament.play()
    assert tournament.state == "done"


def test_the_time_left_is_told_by_the_time_it_took():
    """A hundred games in ten seconds: ninety seconds for nine hundred; nothing before the first, nothing when it rests."""
    now, left = [100.0], []
    run = Running()
    tournament = Tournament(run, clock=lambda: now[0])

    def before():
        left.append(tournament.sheet["left"])
        now[0] += 10

    run.before = before
    tournament.play()
    assert left[:3] == ["", "some 2 min left", "some 80 s left"]
    assert left[-1] == "some 10 s left"
    assert tournament.sheet["left"] == ""


@pytest.mark.parametrize(
    "message",
    [
        None,
        {},
        {"kind": "open", "part": "secrets"},
        {"kind": "games", "who": 99, "first": 0},
        {"kind": "games", "who": 0, "first": -1},
        {"kind": "look", "game": 10**9},
        {"kind": "look", "game": "0"},
        {"kind": ["go"]},
    ],
)
def test_a_message_that_no_page_sends_is_refused_in_a_sentence(message):
    """Nothing changes, and the page is told."""
    tournament = Tournament(Running())
    told = []
    tournament.send = told.append
    tournament._receive_message(tournament, message, [])
    (said,) = told
    assert said["kind"] == "error"
    assert said["said"].endswith(".")
    assert tournament.state == "idle"


def test_a_game_lies_on_a_table_at_its_beginning_with_who_sits_where():
    """Another takes its place on the same table; cleared, it is gone; the table speaks the language of the tournament."""
    tournament = Tournament(Running(games_played=300), language="lt")
    table = tournament.show_game(2)
    assert (table.game.ply, table.hands, table.language, tournament.lies) == (0, "open", "lt", 2)
    assert len(table.game.moves) == 0
    assert tournament._table_below._caption.value.count("Dora") == 1
    assert tournament.show_game(5) is table
    tournament.language = "en"
    assert table.language == "en"
    assert "player 1 is Ann" in tournament._table_below._caption.value
    tournament.close_table()
    assert (tournament.table, tournament.lies) == (None, None)
    with pytest.raises(DurakError, match="there are 120, numbered from 0"):
        tournament.show_game(120)


def test_games_are_listed_by_twenties_and_by_who_sat_there():
    """Earlier and later; what is asked for beyond the end is the end."""
    tournament = Tournament(Running(games_played=300))
    tournament.handle_message({"kind": "games", "who": -1, "first": 0})
    assert (len(tournament.games["lines"]), tournament.games["earlier"], tournament.games["later"]) == (20, False, True)
    assert tournament.games["lines"][0] == {"game": 0, "said": "Game 0: Ben 1, Ann 0"}
    tournament.handle_message({"kind": "games", "who": 1, "first": 10_000})
    assert (tournament.games["earlier"], tournament.games["later"]) == (True, False)
    assert all("Ann" in line["said"] for line in tournament.games["lines"])


def test_where_nothing_is_live_the_places_stand_as_a_table():
    """In HTML and in plain lines, with a sentence of what to do."""
    tournament = Tournament(Running(games_played=1000))
    data, _ = tournament._repr_mimebundle_()
    assert "To go on with it, run this cell." in data["text/html"]
    assert data["text/html"].count('scope="row"') == 4
    assert data["text/plain"].splitlines()[3].split()[:3] == ["3–4", "Dora", "34"]
    tournament.close()


def test_what_was_opened_is_drawn_anew_now_and_then():
    """A matrix of many is not sent each second, but always when the tournament comes to rest."""
    now = [0.0]
    run = Running()
    tournament = Tournament(run, clock=lambda: now[0])
    tournament.handle_message({"kind": "open", "part": "matrix"})
    drawn = []
    tournament.observe(lambda change: drawn.append((run.games_played, sorted(change["new"]))), "parts")
    run.before = lambda: now.__setitem__(0, now[0] + 1)
    tournament.play()
    assert [played for played, _ in drawn] == [100, 400, 700, 1000]
    assert drawn[-1][1] == ["matrix"]
