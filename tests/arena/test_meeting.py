"""Test one deal played in every seating: a bot that fails forfeits the game with a reason and the position, and nobody else is affected."""

from __future__ import annotations

import sys

import pytest

from durak_widget import Game, Rules
from durak_widget.arena.bot_entrants import build_entrants
from durak_widget.arena.duplicate_games import DEFAULT_LIMITS, MeetingResult, TournamentTerms, play_meeting
from durak_widget.arena.schedule import Meeting
from durak_widget.i18n import Translator
from durak_widget.sandbox.code_runner import Limits
from support.spoken import english_text

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
FIRST = "def choose(view):\n    return view.legal_moves()[0]\n"
SHORT = Limits(0.5, 300)


def play_deal(*given: object, rules: str = "podkidnoy", match: int = 1, limits: Limits = DEFAULT_LIMITS) -> MeetingResult:
    """Return the result of one deal."""
    book = Rules.coerce(rules)
    everybody = build_entrants({f"bot {number}": bot for number, bot in enumerate(given)})  # type: ignore[misc]
    return play_meeting(TournamentTerms(book, everybody, match, limits), Meeting(0, tuple(range(len(given))), 0, "a deal"))


def test_the_cards_are_the_same_in_every_seating() -> None:
    """Each bot has each hand once, and every game has an outcome."""
    games = [Game.parse(game.text) for game in play_deal("careful", "first", "random", rules="podkidnoy, players=3").games]
    assert len(games) == 6
    assert len({str(game).split("Deck:")[1].split("\n")[0] for game in games}) == 1
    assert all(game.outcome is not None for game in games)


def test_the_game_text_has_the_seats() -> None:
    """In remarks, as in saved tables."""
    game = play_deal("careful", "first").games[1]
    assert "# Seat 0: bot 1\n# Seat 1: bot 0\n" in game.text


def test_points_follow_from_the_outcome() -> None:
    """A win is 1, a loss 0. With three players the two who are not the fool have 1 each; partners share theirs."""
    for rules, many in (("podkidnoy", 2), ("podkidnoy, players=3", 3), ("podkidnoy, players=4, teams=2v2", 2)):
        for game in play_deal(*["careful", "random", "first"][:many], rules=rules).games:
            end = Game.parse(game.text).outcome
            assert end is not None
            assert sum(game.points) == (many - 1 if end.fool is not None else many / 2)
            if end.fool is not None:
                assert game.points[end.fool % many] == 0.0


def test_a_match_continues_with_the_fool_dealing() -> None:
    """Three games in a row in each seating, each with other cards."""
    games = play_deal("careful", "random", match=3).games
    assert [game.match_index for game in games] == [0, 1, 2] * 2
    decks = [game.text.split("Deck:")[1].split("\n")[0] for game in games]
    assert len(set(decks[:3])) == 3


def test_a_bot_is_new_in_every_game() -> None:
    """A bot that counts its calls starts again for each game, so the result depends on that game alone."""

    class StatefulBot:
        """Play differently in each game, if state survives."""

        def __init__(self) -> None:
            self.call_count = 0

        def choose(self, view, _):
            self.call_count += 1
            legal = view.legal_moves()
            return legal[self.call_count % len(legal)]

    bot = StatefulBot()
    assert play_deal(bot, "careful") == play_deal(bot, "careful")
    assert bot.call_count == 0


BAD = {
    "raises": (
        "def choose(view):\n    return 1 / 0",
        english_text("class.code.raised.line", error="ZeroDivisionError (division by zero)", line="2"),
    ),
    "lies": ("def choose(view):\n    return 'attack Xr'", english_text("arena.forfeit.move", said="'attack Xr'")),
    "answers nothing": ("def choose(view):\n    return None", english_text("class.code.answer", said="None")),
    "is no Python": ("x = (", english_text("class.code.raised.line", error="SyntaxError ('(' was never closed)", line="1")),
    "has no bot": ("x = 1", english_text("class.code.nothing", code="choose(view)")),
    "ends": ("import os\ndef choose(view):\n    os._exit(0)", english_text("class.code.ended")),
    "hangs": ("import time\ndef choose(view):\n    time.sleep(60)", english_text("class.code.slow", seconds="0.5")),
    "computes": ("def choose(view):\n    while True: pass", english_text("class.code.slow", seconds="0.5")),
    "forks": (
        "import os\ndef choose(view):\n    os.fork()",
        english_text("class.code.raised.line", error="PermissionError ([Errno 1] Operation not permitted)", line="3"),
    ),
    "eats": ("def choose(view):\n    x = bytearray(10 ** 10)", english_text("class.code.memory", megabytes="300")),
    "floods": ("def choose(view):\n    return ['x' * 50] * 10 ** 5", english_text("class.code.flood", most="64")),
    "writes": ("def choose(view):\n    open('it', 'w').write('x')", "Error"),
}
"""Bots that are bad in different ways, and the reported reason of each."""


@LINUX
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name in {"hangs", "computes"} else name for name in BAD])
def test_a_failing_bot_forfeits(name: str) -> None:
    """With a reason and the position as text; the other has the point."""
    code, expected_reason = BAD[name]
    game = play_deal(code + "\n", "careful", limits=SHORT).games[0]
    assert game.forfeit is not None
    assert game.forfeit.side == 0
    assert game.points == (0.0, 1.0)
    assert game.forfeit.fact.facts is not None
    assert expected_reason in Translator().translate(game.forfeit.fact.key, **game.forfeit.fact.facts)
    assert Game.from_position_line(game.forfeit.position).actor is not None
    assert Game.parse(game.text).outcome is None


@LINUX
def test_a_bot_that_prints_much_plays_on() -> None:
    """Two hundred megabytes of output are discarded."""
    code = "import sys\nfor _ in range(20):\n    sys.stdout.write('x' * 10 ** 7)\ndef choose(view):\n    return view.legal_moves()[0]"
    game = play_deal(code, "careful", limits=Limits(20, 300)).games[0]
    assert game.forfeit is None


def test_a_local_bot_forfeits_too() -> None:
    """For an exception and for an illegal choice; `SystemExit` does not end the program."""

    def exiting_bot(view, rng):
        raise SystemExit(3)

    def illegal_bot(view, rng):
        return "take"

    found = play_deal(exiting_bot, illegal_bot)
    assert [game.forfeit is not None for game in found.games] == [True, True]
    assert {game.forfeit.fact.key for game in found.games if game.forfeit} <= {"class.code.raised", "arena.forfeit.move"}


def test_an_error_without_a_text_is_a_forfeit_too() -> None:
    """If `str(error)` fails, the game is forfeited as with any other error, and the others are not affected."""

    class SilentError(Exception):
        """An error whose text raises another error."""

        def __str__(self) -> str:
            raise SystemExit(3)

    def raises(view, rng):
        raise SilentError

    game = play_deal(raises, "first").games[0]
    assert game.forfeit is not None
    assert game.forfeit.fact.facts == {"error": "SilentError"}


def test_with_three_players_only_the_forfeiting_bot_loses() -> None:
    """The two others have the points of players who are not the fool."""

    def illegal_bot(view, rng):
        return "nothing"

    for game in play_deal(illegal_bot, "careful", "first", rules="podkidnoy, players=3").games:
        assert game.forfeit is not None
        assert game.points[game.forfeit.side] == 0.0
        assert sum(game.points) == 2.0
