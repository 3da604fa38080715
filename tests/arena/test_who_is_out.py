"""Who is out, after three games that could not be played on: none of its games counts, in whichever order deals come back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

import pytest
from tournament_tables import BOTS, RAISES, table

from durak_widget import arena
from durak_widget.arena.tournament_runner import Run
from durak_widget.parallel import TIMED_OUT, Failed, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from durak_widget import Observation


def test_three_times_and_out() -> None:
    """Who forfeits three games is out: none of its games counts, and what the others play is what they play without it."""
    ranking = arena.play({"a": "careful", "bad": RAISES, "c": "first", "d": "random"}, games=48, seed=1)
    assert ranking.disqualified == ("bad",)
    assert [one.bot for one in ranking.forfeits] == ["bad"] * len(ranking.forfeits)
    assert 3 <= len(ranking.forfeits) <= 4  # two games are played with each deal
    assert ranking.forfeits[0].english_text == "The code raised ZeroDivisionError (division by zero) in line 2."
    assert ranking.games[ranking.forfeits[0].game_number].forfeited_by == "bad"
    alone = arena.play(
        {"a": "careful", "bad": "def choose(view):\n    return view.legal_moves()[0]", "c": "first", "d": "random"}, games=48, seed=1
    )
    texts = {game.text for game in alone.games if "bad" not in game.seats}
    others = [game for game in ranking.games if "bad" not in game.seats]
    assert len(others) == 24
    assert {game.text for game in others} <= texts
    assert ranking.games_counted == 24
    assert ranking.rows()[-1]["out"] is True


def test_games_of_who_is_out_are_not_reckoned_with() -> None:
    """How many games more would do is said by those that count; and a name is written as it is."""
    ranking = arena.play({"a": "first", "bad": RAISES, "d": "random"}, games=24, seed=1)
    assert (ranking.games_played, ranking.games_counted, ranking.standings.deal_count) == (12, 8, 4)
    deals = ranking.standings.estimate_deals_to_separate(0, 2)
    assert deals
    assert ranking.estimate_games_to_separate("a", "d") == 2 * deals
    assert f"a and d cannot be told apart yet: some {2 * deals} games more would do." in ranking.to_text()
    assert "\nbad is out after three forfeits." in ranking.to_text()


def test_where_all_are_out_nothing_is_told_of_the_rest() -> None:
    """Games have been played, and none counts."""
    said = arena.play({"a": _faints(1), "b": _faints(1)}, games=40).to_text()
    assert "6 of 6 games\n34 planned games are left out, because a bot in them is out.\na is out after three forfeits." in said


@pytest.mark.parametrize("system", ["all", "swiss"])
@pytest.mark.parametrize("lot", range(2))
def test_who_is_out_hangs_on_no_order(monkeypatch: pytest.MonkeyPatch, system: str, lot: int) -> None:
    """In whichever order deals come back: what was played with somebody who was out by then puts nobody else out, and is no point of anybody's."""
    bots = {"random": "random", "first": "first", **{name: _faints(every) for name, every in (("a", 20), ("b", 30), ("c", 40), ("d", 60))}}
    whole = table(arena.play(bots, games=90, system=system))

    def disordered(
        _: object, work: Callable[[object, object], object], things: Iterator[object], *, common: object, **__: object
    ) -> Iterator[tuple[int, object]]:
        chance, out = Random(lot), list[tuple[int, object]]()
        for place, thing in enumerate(things):
            out.append((place, thing))
            while len(out) > 15:
                at, one = out.pop(chance.randrange(len(out)))
                yield at, work(common, one)
        yield from ((at, work(common, one)) for at, one in reversed(out))

    monkeypatch.setattr(WorkerPool, "run_unordered", disordered)
    assert table(arena.play(bots, games=90, system=system)) == whole


def _faints(every: int) -> Callable[[Observation, Random], object]:
    """A bot that cannot go on now and then: by chance, which is the same wherever it plays."""

    def faints(view: Observation, rng: Random) -> object:
        return 1 / 0 if rng.random() * every < 1 else view.legal_moves()[0]

    return faints


def test_walls_that_did_not_stand_are_told(tmp_path: Path) -> None:
    """Also of games that were played on another computer, for each that is missing."""
    arena.play(BOTS, games=2, file=tmp_path / "it.sqlite")
    assert not arena.load(tmp_path / "it.sqlite").problems
    with closing(sqlite3.connect(tmp_path / "it.sqlite")) as base:
        base.execute("UPDATE meetings SET missing_protections = ?", ('["files", "memory"]',))
        base.commit()
    ranking = arena.load(tmp_path / "it.sqlite")
    assert "keep it from this: using much memory and reading and writing files." in ranking.to_text()
    assert "reading and writing files" in ranking.to_html()


def test_swiss_rounds_of_those_who_are_out_are_over(tmp_path: Path) -> None:
    """Nothing is still to come then, neither for who has played it nor for who loads it."""
    file = tmp_path / "it.sqlite"

    def raises(view, rng):
        raise ValueError

    run = Run(dict.fromkeys("abcd", raises), games=60, system="swiss", file=file)
    list(run.play_deals())
    assert run.games_planned == run.games_played == arena.load(file).games_planned


def test_swiss_rounds_wait_for_a_deal_that_could_not_be_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who meets whom next hangs on it: the same call tries it again, and comes to the table of an undisturbed one."""
    four = [*BOTS, "hasty"]
    asked = {"games": 48, "system": "swiss", "file": tmp_path / "it.sqlite"}

    def fails(
        _: object, task: Callable[[object, object], object], items: Iterator[object], *, common: object, **__: object
    ) -> Iterator[tuple[int, object]]:
        for index, item in enumerate(items):
            yield index, task(common, item) if index != 2 else Failed(TIMED_OUT, "it took longer than 5 seconds")

    with monkeypatch.context() as patch:
        patch.setattr(WorkerPool, "run_unordered", fails)
        with pytest.warns(UserWarning, match="1 deals could not be played, such as number 2: it took longer"):
            assert arena.play(four, **asked).games_played == 14
    assert table(arena.play(four, **asked)) == table(arena.play(four, games=48, system="swiss"))
