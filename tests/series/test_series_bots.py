"""Test lesson 17 on bots: its sentences agree with its outputs, numbers are computed again, and it can be handed in."""

from __future__ import annotations

import contextlib
import io
import re
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import nbformat
import pytest

from durak_widget import arena, lessons
from durak_widget.arena.bot_entrants import build_entrants
from durak_widget.arena.duplicate_games import TournamentTerms, play_meeting

pytestmark = pytest.mark.release
"""A mark for tests that compute the notebook's numbers again."""

PATH = Path(__file__).resolve().parents[2] / "notebooks" / "17_write_a_bot.ipynb"
CELLS = nbformat.read(PATH, as_version=4).cells
PROSE = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")


def printed_output(*texts: str) -> str:
    """Return the output of the cell that contains all these texts."""
    [cell] = [
        cell for cell in CELLS if cell.cell_type == "code" and all(text in cell.source for text in texts) and "lessons." not in cell.source
    ]
    return "".join(output.get("text", "") for output in cell.outputs)


@cache
def definitions() -> dict[str, Any]:
    """Return what its cells define, without playing."""
    found: dict[str, Any] = {"__name__": PATH.stem}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in CELLS:
            bare = "\n\n".join(re.findall(r"^def .*?(?=\n\n\n|\Z)", cell.source, re.DOTALL | re.MULTILINE))
            exec(compile(bare if cell.cell_type == "code" else "", PATH.stem, "exec"), found)  # noqa: S102 - our own notebook
    return found


@cache
def exercises() -> dict[str, Any]:
    """Return its exercises by name."""
    found = {}
    for cell in CELLS:
        if "exercise" in cell.metadata.get("tags", ()):
            parts = cell.source.partition("lessons.")
            exercise = eval(compile(parts[1] + parts[2], PATH.stem, "eval"), {"lessons": lessons})  # noqa: S307 - our own notebook
            found[exercise.name] = exercise
    return found


def test_a_coin_gives_twelve_heads_about_once_in_four_tries() -> None:
    """The probability of twelve or more in twenty tosses is about 1/4."""
    assert round(Fraction(sum(comb(20, heads) for heads in range(12, 21)), 2**20), 2) == Fraction(1, 4)
    assert "about once in four tries" in "".join(cell.source for cell in CELLS)


def test_twelve_of_twenty_games_are_won() -> None:
    """The games and the interval are those of the text."""
    games = arena.play([definitions()["lowest"], definitions()["first"]], games=20)
    won = sum(points for game in games.games for name, points in zip(game.seats, game.points, strict=True) if name == "lowest")
    assert won == 12
    assert printed_output("games=20)", "games = ") == f"{games.standings.share(0, 1)}\n" == "60 (40 to 77)\n"
    assert "*from 40 to 77*" in PROSE


def test_four_times_as_many_games_halve_the_interval() -> None:
    """Each width is about half of the one before."""
    widths = [int(match) for match in re.findall(r"is (\d+) wide", printed_output("20, 80, 320"))]
    assert len(widths) == 3
    for before, after in pairwise(widths):
        assert 0.4 <= after / before <= 0.62


def test_the_first_deals_went_as_the_text_says() -> None:
    """The right seat wins the first twice, the left the second, `lowest` the third from both."""
    rows = [re.findall(r"'(\w+)', '(\w+)'\) \((\S+), (\S+)\)", line)[0] for line in printed_output("games.games[:6]").splitlines()]
    seats = ["left" if row[2] == "1.0" else "right" for row in rows]
    assert seats[:4] == ["right", "right", "left", "left"]
    assert [row[0] if seat == "left" else row[1] for row, seat in zip(rows[4:], seats[4:], strict=True)] == ["lowest", "lowest"]


def test_the_new_bot_looks_worse_at_first_and_is_better() -> None:
    """After twenty games 35 of 100 with 50 inside, after eight hundred 58 with 50 outside."""
    assert printed_output("arena.play([thrower, thrifty], games=20)") == "35 (22 to 52)\n"
    shares = re.findall(r"games: (\d+) \((\d+) to (\d+)\)", printed_output("80, 320, 800"))
    assert [int(low) > 50 for _, low, _ in shares][-1]
    assert shares[-1][0] == "58"
    for text in ("35 points of 100", "from 22 to 52", "58 of 100 points"):
        assert text in PROSE + exercises()["17/looks-worse"].question


def test_counting_cards_brings_little() -> None:
    """The exercise says so."""
    assert printed_output("counted = ") == "51 (50 to 53) True\n"
    assert "51 points of 100, the interval goes from 50 to 53" in exercises()["17/how-much"].question


def test_the_table_supports_the_text() -> None:
    """Points, places, significant differences and the number of games are those of the exercise."""
    bots = [*(definitions()[name] for name in ("first", "lowest", "thrifty", "thrower", "counter")), "hasty", "generous", "hoarding"]
    ranking = arena.play(bots, games=560, seed="a word")
    ratings = {row["name"]: (round(row["rating"]), row["rank_low"], row["rank_high"]) for row in ranking.rows()}
    assert [ratings[name] for name in ("thrower", "counter", "thrifty")] == [(78, 1, 3), (73, 1, 4), (70, 1, 5)]
    assert "thrower has 78 points, counter 73, thrifty 70; their places are 1–3, 1–4, 1–5" in exercises()["17/ties"].question
    assert sum(low == 1 for _, low, _ in ratings.values()) == 3
    assert [name for name in ratings if ranking.is_better(name, "hasty")] == [name for name in ratings if name not in ("generous", "hasty")]
    assert (ranking.is_better("thrower", "hoarding"), ratings["hoarding"][1]) == (True, 2)
    cell = ranking.standings.share(ranking.names.index("thrower"), ranking.names.index("hoarding"))
    assert str(cell) == "62 (42 to 79)"
    others = [number for number, name in enumerate(ranking.names) if name not in ("thrower", "hoarding")]
    against = [[ranking.standings.share(ranking.names.index(name), other).mean for other in others] for name in ("thrower", "hoarding")]
    ahead = [more - less for more, less in zip(*against, strict=True)]
    assert (sum(points > 0 for points in ahead), min(ahead)) == (4, 0)
    assert (ranking.games_played, ranking.games_played // comb(len(bots), 2)) == (560, 20)
    assert "each pair has met in 20 games" in PROSE


def test_probabilities_agree_with_a_second_computation() -> None:
    """Test a hundred times as many games, a twentieth of pairs, and one of 28 pairs."""
    assert round(1 - Fraction(19, 20) ** comb(8, 2), 1) == round(Fraction(3, 4), 1)
    assert exercises()["17/a-tenth"].solution == [str(20 * 10**2)]
    assert exercises()["17/pairs"].solution == [str(Fraction(comb(10, 2), 20))]


def test_the_challenge_is_won_by_the_solutions_habits_only() -> None:
    """The other's habits fail, and another rule differs by possible luck."""
    task = exercises()["17/challenge"]
    assert task.answer(task.solution)
    assert task.score.won == 102
    assert task.answer({**task.solution, "throw": "all"})
    assert task.score.won == 99
    assert "wins 102 games of 120" in PROSE
    assert "between 102 and 99 nothing is proved" in PROSE
    assert not task.answer({"lead": "trump", "beat": "low", "take": "trump", "throw": "plain"})


def test_the_notebook_can_be_handed_in_as_a_bot() -> None:
    """The stored notebook plays in the sandbox as `thrower` does here."""
    run = arena.Run({"one": PATH, "other": "first"}, games=4, seed=1)
    *_, handed_in = run.play_on()
    here = TournamentTerms(
        run.rules, build_entrants({"one": definitions()["thrower"], "other": "first"}), 1, arena.Limits(), uses_whole_seed=True
    )
    assert handed_in.forfeits == ()
    deals = [meeting for turn in run.schedule.generate_meetings(list) for meeting in turn]
    assert [game.text for game in handed_in.games] == [game.text for deal in deals for game in play_meeting(here, deal).games]
