"""Test disqualification after three forfeits: no game of the bot counts, in whichever order deals are finished."""

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
from support.spoken import english, english_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from durak_widget import Observation


def test_three_forfeits_disqualify_a_bot() -> None:
    """None of its games counts, and the others' games are the same as without it."""
    ranking = arena.play({"a": "careful", "bad": RAISES, "c": "first", "d": "random"}, games=48, seed=1)
    assert ranking.disqualified == ("bad",)
    assert [forfeit.bot for forfeit in ranking.forfeits] == ["bad"] * len(ranking.forfeits)
    assert 3 <= len(ranking.forfeits) <= 4  # each deal has two games
    assert ranking.forfeits[0].english_text == english_text(
        "class.code.raised.line", error="ZeroDivisionError (division by zero)", line="2"
    )
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


def test_games_of_a_disqualified_bot_are_not_counted() -> None:
    """The estimate of games needed uses the games that count; and a name is written as given."""
    ranking = arena.play({"a": "first", "bad": RAISES, "d": "random"}, games=24, seed=1)
    assert (ranking.games_played, ranking.games_counted, ranking.standings.deal_count) == (12, 8, 4)
    deals = ranking.standings.estimate_deals_to_separate(0, 2)
    assert deals
    assert ranking.estimate_games_to_separate("a", "d") == 2 * deals
    assert english("arena.together.until.other", bots="a and d", games=str(2 * deals)).search(ranking.to_text())
    assert english("arena.left_out", bot="bad").search(ranking.to_text())


def test_with_all_bots_disqualified_no_standings_are_printed() -> None:
    """Games have been played, and none counts."""
    summary = arena.play({"a": _unreliable_bot(1), "b": _unreliable_bot(1)}, games=40).to_text()
    assert f"6 of 6 games\n{english_text('arena.cancelled.other', games='34')}\n" in summary
    assert english("arena.left_out", bot="a").search(summary)


@pytest.mark.parametrize("system", ["all", "swiss"])
@pytest.mark.parametrize("order_seed", range(2))
def test_disqualification_does_not_depend_on_the_order(monkeypatch: pytest.MonkeyPatch, system: str, order_seed: int) -> None:
    """In whichever order deals are finished: games with an already disqualified bot disqualify no other bot, and give no points."""
    bots = {
        "random": "random",
        "first": "first",
        **{name: _unreliable_bot(every) for name, every in (("a", 20), ("b", 30), ("c", 40), ("d", 60))},
    }
    whole = table(arena.play(bots, games=90, system=system))

    def run_in_random_order(
        _: object, work: Callable[[object, object], object], things: Iterator[object], *, common: object, **__: object
    ) -> Iterator[tuple[int, object]]:
        chance, out = Random(order_seed), list[tuple[int, object]]()
        for place, thing in enumerate(things):
            out.append((place, thing))
            while len(out) > 15:
                at, task = out.pop(chance.randrange(len(out)))
                yield at, work(common, task)
        yield from ((at, work(common, item)) for at, item in reversed(out))

    monkeypatch.setattr(WorkerPool, "run_unordered", run_in_random_order)
    assert table(arena.play(bots, games=90, system=system)) == whole


def _unreliable_bot(every: int) -> Callable[[Observation, Random], object]:
    """Return a bot that fails at random, the same wherever it plays."""

    def unreliable(view: Observation, rng: Random) -> object:
        return 1 / 0 if rng.random() * every < 1 else view.legal_moves()[0]

    return unreliable


def test_missing_sandbox_protection_is_reported(tmp_path: Path) -> None:
    """Also for games played on another computer, each missing protection is named."""
    arena.play(BOTS, games=2, file=tmp_path / "it.sqlite")
    assert not arena.load(tmp_path / "it.sqlite").problems
    with closing(sqlite3.connect(tmp_path / "it.sqlite")) as base:
        base.execute("UPDATE meetings SET missing_protections = ?", ('["files", "memory"]',))
        base.commit()
    ranking = arena.load(tmp_path / "it.sqlite")
    assert english("arena.weaker").search(ranking.to_text())
    assert english_text("class.wall.files") in ranking.to_html()


def test_swiss_rounds_end_when_all_are_disqualified(tmp_path: Path) -> None:
    """No game remains, in the running tournament and in the loaded file."""
    file = tmp_path / "it.sqlite"

    def failing_bot(view, rng):
        raise ValueError

    run = Run(dict.fromkeys("abcd", failing_bot), games=60, system="swiss", file=file)
    list(run.play_deals())
    assert run.games_planned == run.games_played == arena.load(file).games_planned


def test_swiss_rounds_wait_for_a_deal_that_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The next pairing depends on it: the same call plays it again, and gets the table of an undisturbed tournament."""
    four = [*BOTS, "hasty"]
    options = {"games": 48, "system": "swiss", "file": tmp_path / "it.sqlite"}

    def run_with_one_failure(
        _: object, task: Callable[[object, object], object], items: Iterator[object], *, common: object, **__: object
    ) -> Iterator[tuple[int, object]]:
        for index, item in enumerate(items):
            yield index, task(common, item) if index != 2 else Failed(TIMED_OUT, "it took longer than 5 seconds")

    with monkeypatch.context() as patch:
        patch.setattr(WorkerPool, "run_unordered", run_with_one_failure)
        with pytest.warns(UserWarning, match="1 deals could not be played, such as number 2: it took longer"):
            assert arena.play(four, **options).games_played == 14
    assert table(arena.play(four, **options)) == table(arena.play(four, games=48, system="swiss"))
