"""Test the tournament widget: start, stop, continue, and kept results after errors."""

from __future__ import annotations

import asyncio
from threading import Event, Thread, current_thread

import pytest

from durak_widget import DurakError
from durak_widget.tournament_widget import widget as contest
from durak_widget.tournament_widget.widget import Tournament
from support.spoken import english, english_text
from support.tournaments import Running, of_four


async def wait_until(tournament, *states):
    """Let the loop run until the tournament has this state."""
    while tournament.state not in states:  # noqa: ASYNC110 - it is what is asked
        await asyncio.sleep(0)


def run_in_loop(what):
    """Run it with an event loop, as in a notebook."""
    return asyncio.run(asyncio.wait_for(what(), 30))


def test_the_tournament_runs_in_the_background_to_its_end():
    """The loop stays free, and at the end all games are there."""

    async def play():
        tournament = Tournament(Running())
        assert (tournament.state, tournament.tournament_view["labels"]["start"]) == ("idle", english_text("arena.begin"))
        tournament.go()
        assert tournament.state == "playing"
        await wait_until(tournament, "done")
        assert (tournament.result.games_played, tournament.tournament_view["main_button"], tournament.tournament_view["state"]) == (
            1000,
            "",
            "done",
        )
        tournament.go()  # this changes nothing
        assert tournament.state == "done"

    run_in_loop(play)


def test_stop_can_be_pressed_twice_and_continue_while_stopping():
    """Games in progress end, continuing works, and nothing is played twice."""

    async def play():
        held, reached = Event(), Event()
        run = Running()

        def before():
            if run.games_played == 300:
                reached.set()
                held.wait(20)

        run.before = before
        tournament = Tournament(run)
        tournament.handle_message({"kind": "start"})
        while not reached.is_set():  # noqa: ASYNC110 - a thread sets it
            await asyncio.sleep(0)
        tournament.handle_message({"kind": "stop"})
        tournament.handle_message({"kind": "stop"})
        assert (tournament.state, tournament.tournament_view["main_button"]) == ("stopping", "start")
        tournament.handle_message({"kind": "start"})
        assert tournament.state == "playing"
        tournament.handle_message({"kind": "stop"})
        held.set()
        await wait_until(tournament, "stopped")
        assert tournament.result.games_played == 400
        tournament.handle_message({"kind": "start"})
        await wait_until(tournament, "done")
        assert tournament.result.games_played == 1000

    run_in_loop(play)


def test_messages_on_another_thread_end_with_the_newest_state(monkeypatch):
    """The page's message may be handled during play for a long time. The page ends with the final state."""
    ended = Event()
    build = contest.build_tournament_view

    def slowly(playing, language):
        sheet = build(playing, language)
        if sheet["state"] == "done":
            ended.set()
        elif current_thread() is presses:
            ended.wait(0.5)
        return sheet

    async def play():
        nonlocal presses
        tournament = Tournament(Running())
        monkeypatch.setattr(contest, "build_tournament_view", slowly)
        presses = Thread(target=tournament.handle_message, args=({"kind": "start"},))
        presses.start()
        await wait_until(tournament, "done")
        await asyncio.to_thread(presses.join)
        assert tournament.tournament_view["state"] == "done"

    presses = None
    run_in_loop(play)


def test_an_exception_in_a_run_is_reported_and_the_results_are_kept():
    """You can try again."""

    async def play():
        run = Running(fails_at=500)
        tournament = Tournament(run)
        tournament.go()
        await wait_until(tournament, "failed")
        assert tournament.result.games_played == 500
        assert english("arena.state.failed").fullmatch(tournament.tournament_view["text"])
        assert "RuntimeError: the disk is full" in tournament.tournament_view["text"]
        run.fails_at = None
        tournament.go()
        await wait_until(tournament, "done")
        assert tournament.result.games_played == 1000

    run_in_loop(play)


def test_a_script_plays_at_once_and_keeps_results_after_an_interrupt():
    """Without a loop a message says so, and the next run continues."""
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


def test_a_run_that_stops_early_is_finished():
    """Eliminated bots play no more, so there are fewer games than planned."""
    run = Running()
    tournament = Tournament(run)
    run.play_on = lambda should_stop=bool: iter([of_four(games_played=600)])  # noqa: ARG005 - as it is called
    tournament.play()
    assert tournament.state == "done"


def time_left(key, **facts):
    """Return the English text that says how much time is left."""
    return english_text("arena.left", time=english_text(key, **facts))


def test_remaining_time_follows_from_the_time_used():
    """A hundred games in ten seconds leave ninety seconds for nine hundred. Before the first and at rest none is shown."""
    now, left = [100.0], []
    run = Running()
    tournament = Tournament(run, clock=lambda: now[0])

    def before():
        left.append(tournament.tournament_view["time_left"])
        now[0] += 10

    run.before = before
    tournament.play()
    assert left[:3] == [
        "",
        *(
            english_text("arena.left", time=english_text(key, **facts))
            for key, facts in (("arena.minutes", {"minutes": 2}), ("arena.seconds", {"seconds": 80}))
        ),
    ]
    assert left[-1] == english_text("arena.left", time=english_text("arena.seconds", seconds=10))
    assert tournament.tournament_view["time_left"] == ""


@pytest.mark.parametrize(
    "message",
    [
        None,
        {},
        {"kind": "open_part", "part": "secrets"},
        {"kind": "list_games", "player": 99, "first_game": 0},
        {"kind": "list_games", "player": 0, "first_game": -1},
        {"kind": "open_game", "game": 10**9},
        {"kind": "open_game", "game": "0"},
        {"kind": ["start"]},
    ],
)
def test_malformed_messages_are_refused(message):
    """Nothing changes, and the page gets the error."""
    tournament = Tournament(Running())
    messages = []
    tournament.send = messages.append
    tournament._receive_message(tournament, message, [])
    (reply,) = messages
    assert reply["kind"] == "error"
    assert reply["text"].endswith(".")
    assert tournament.state == "idle"


def test_a_game_is_shown_on_a_table_from_its_start_with_its_players():
    """Another replaces it on the same table, and the table uses the tournament's language."""
    tournament = Tournament(Running(games_played=300), language="lt")
    table = tournament.show_game(2)
    assert (table.game.ply, table.hands, table.language, tournament.opened_game) == (0, "open", "lt", 2)
    assert len(table.game.moves) == 0
    assert tournament._table_below._caption.value.count("Dora") == 1
    assert tournament.show_game(5) is table
    tournament.language = "en"
    assert table.language == "en"
    assert english_text("arena.look.seated", number=1, bot="Ann") in tournament._table_below._caption.value
    tournament.close_table()
    assert (tournament.table, tournament.opened_game) == (None, None)
    with pytest.raises(DurakError, match="there are 120, numbered from 0"):
        tournament.show_game(120)


def test_games_are_listed_by_twenties_with_their_players():
    """Pages go earlier and later, and stop at the end."""
    tournament = Tournament(Running(games_played=300))
    tournament.handle_message({"kind": "list_games", "player": -1, "first_game": 0})
    assert (len(tournament.game_list["lines"]), tournament.game_list["has_earlier"], tournament.game_list["has_later"]) == (20, False, True)
    assert tournament.game_list["lines"][0] == {"game": 0, "text": english_text("arena.look.line", game=0, bots="Ben 1, Ann 0")}
    tournament.handle_message({"kind": "list_games", "player": 1, "first_game": 10_000})
    assert (tournament.game_list["has_earlier"], tournament.game_list["has_later"]) == (True, False)
    assert all("Ann" in line["text"] for line in tournament.game_list["lines"])


def test_static_output_shows_the_ranking_as_a_table():
    """HTML and text have instructions."""
    tournament = Tournament(Running(games_played=1000))
    data, _ = tournament._repr_mimebundle_()
    assert english("arena.live.note").search(data["text/html"])
    assert data["text/html"].count('scope="row"') == 4
    assert data["text/plain"].splitlines()[3].split()[:3] == ["3–4", "Dora", "34"]
    tournament.close()


def test_the_opened_matrix_is_updated_occasionally():
    """A large one is not sent each second, but always at rest."""
    now = [0.0]
    run = Running()
    tournament = Tournament(run, clock=lambda: now[0])
    tournament.handle_message({"kind": "open_part", "part": "matrix"})
    matrices = []
    tournament.observe(lambda change: matrices.append((run.games_played, sorted(change["new"]))), "opened_parts")
    run.before = lambda: now.__setitem__(0, now[0] + 1)
    tournament.play()
    assert [played for played, _ in matrices] == [100, 400, 700, 1000]
    assert matrices[-1][1] == ["matrix"]
