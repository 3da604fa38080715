"""The five of a day from day to day: what came back says so, nothing is met twice on a page, and days in a row are counted; the clock is moved."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from durak_widget import lessons
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.errors import DurakError
from durak_widget.lessons.endgame_puzzle import load_puzzles, select_puzzles
from durak_widget.lessons.puzzle_practice import _choose_puzzles_of_day
from durak_widget.widgets.missed_endgames import MissedEndgames

DAY = date(2026, 3, 2)
BACK = "What you missed comes back tomorrow."


@pytest.fixture
def missed(tmp_path):
    """Nothing was missed yet; it is kept beside the days."""
    return MissedEndgames(tmp_path / "endings.json")


def endings(many, start=40):
    """Some of the shelf that are not among the five of these days."""
    of_days = {one for ahead in range(12) for one in _choose_puzzles_of_day(DAY + timedelta(ahead), load_puzzles())}
    return [one.position for one in load_puzzles()[start:] if one.position not in of_days][:many]


def daily(folder, day=DAY, **more):
    """The five of that day."""
    return lessons.Daily(today=lambda: day, folder=folder, **more)


def wrong(task):
    """A move that gives it away."""
    return next(str(move) for move, worth in solve_endgame(task.table.game).move_values.items() if worth < 1)


def do_all(five):
    """Play those of the five that are left; how many days in a row it makes."""
    for _ in range(5):
        if not five.check():
            five.answer(five.solution)
            five.next()
    assert five.check()
    return five.days_in_row


# What has come back says so


def test_what_has_come_back_says_when_it_was_missed(tmp_path, missed):
    """The first of the five, which is due, does; the others, which are new, do not; nor does it on the day itself."""
    for language, said in [
        ("lt", "Šios neišsprendėte vakar; štai ji vėl."),
    ]:
        missed.record_missed(endings(1)[0], DAY)
        assert said not in daily(tmp_path, language=language).question
        five = daily(tmp_path, DAY + timedelta(1), language=language)
        assert said in five.question
        assert said in json.dumps(five.view_model(), ensure_ascii=False)
        five.answer(five.solution)
        assert said in five.question, "till the next one is posed"
        five.next()
        assert said not in five.question
        assert said in lessons.MyEndings(today=lambda: DAY + timedelta(1), missed=_other(tmp_path), language=language).question


def _other(tmp_path):
    found = MissedEndgames(tmp_path / "own" / "endings.json")
    found.record_missed(endings(1)[0], DAY)
    return found


def test_it_is_said_again_in_another_notebook_of_that_day(tmp_path, missed):
    """Also after one of the five was played."""
    for position in endings(2):
        missed.record_missed(position, DAY)
    first = daily(tmp_path, DAY + timedelta(1))
    first.answer(first.solution)
    assert "You missed this one yesterday" in daily(tmp_path, DAY + timedelta(1)).question


def test_of_an_old_file_no_day_is_made_up(tmp_path):
    """Where it does not say when, that is told from the day on which it is due; where it was solved since, no day is said."""
    one, other = endings(2)
    kept = {one: {"due": "2026-03-03", "solved": 0}, other: {"due": "2026-03-03", "solved": 1, "missed": "no day"}}
    (tmp_path / "endings.json").write_text(json.dumps({"version": 2, "entries": kept}), encoding="utf-8")
    five = daily(tmp_path, DAY + timedelta(1))
    said = {}
    for _ in range(2):
        said[five.position] = five.question
        five.answer(five.solution)
        five.next()
    assert "You missed this one yesterday; here it is again." in said[one]
    assert "You missed this one before; here it is again." in said[other]


@pytest.mark.parametrize(
    ("language", "days", "said"),
    [
        ("en", 2, "2 days ago"),
        ("lt", 21, "prieš 21 dieną;"),
        ("ru", 21, "21 день назад"),
    ],
)
def test_after_some_days_it_says_how_many(tmp_path, missed, language, days, said):
    """As one says it, and no date as it is written in files."""
    missed.record_missed(endings(1)[0], DAY)
    question = daily(tmp_path, DAY + timedelta(days), language=language).question
    assert said in question
    assert "2026" not in question


def test_of_what_does_not_come_tomorrow_that_is_not_said(tmp_path, missed):
    """Where much is due the day has no room for it; and on the next day it is there."""
    for one in endings(14):
        missed.record_missed(one, DAY - timedelta(9))
    five = daily(tmp_path)
    lost = five.position
    five.answer(wrong(five))
    do_all(five)
    assert lost not in daily(tmp_path, DAY + timedelta(1)).positions
    assert BACK not in five.view_model()["said"]
    clock = [DAY]
    (tmp_path / "other").mkdir()
    five = lessons.Daily(today=lambda: clock[0], folder=tmp_path / "other")
    five.answer(wrong(five))
    do_all(five)
    assert BACK in five.view_model()["said"]
    clock[0] += timedelta(1)
    assert BACK not in five.view_model()["said"]


def test_a_day_that_was_begun_is_not_taken_over(tmp_path):
    """Two notebooks draw by different rules: who begins first keeps the day, unless the other's five are all done before."""
    plain, other = daily(tmp_path, rules="podkidnoy"), daily(tmp_path)
    assert plain.positions != other.positions
    for five in (plain, plain, other, other, other):
        five.answer(five.solution)
        five.next()
    again = daily(tmp_path, rules="podkidnoy")
    assert (again.positions, sorted(again.results)) == (plain.positions, [1, 2])
    do_all(other)
    assert daily(tmp_path).positions == other.positions


def test_at_the_end_it_is_said_that_what_was_missed_comes_back(tmp_path):
    """On the page and on the felt, in three languages; not before the last is done."""
    five = daily(tmp_path)
    five.answer(wrong(five))
    for _ in range(4):
        assert BACK not in json.dumps(five.view_model()) + json.dumps(five.table.scene)
        five.next()
        five.answer(five.solution)
    assert five.check()
    assert BACK in five.view_model()["said"]
    assert five.table.scene["verdict"]["said"][0] == f"Right. You have no cards left: you are safe. {BACK}"
    assert "Kas nepavyko, rytoj grįš." in daily(tmp_path, language="lt").view_model()["said"]
    assert "Что не удалось, завтра вернётся." in daily(tmp_path, language="ru").view_model()["said"]
    assert five.reserved_positions[0] in daily(tmp_path, DAY + timedelta(1)).positions


def test_it_is_not_said_where_nothing_comes_back(tmp_path):
    """Nothing was missed, or nothing can be remembered."""
    five = daily(tmp_path)
    do_all(five)
    (tmp_path / "file").write_text("", encoding="utf-8")
    forgetful = daily(tmp_path / "file")
    forgetful.answer(wrong(forgetful))
    do_all(forgetful)
    for one in (five, forgetful):
        assert one.check()
        assert BACK not in json.dumps(one.view_model()) + json.dumps(one.table.scene)


def test_who_answers_is_called_by_name(tmp_path):
    """It is the bookkeeper, who counts: at the plate, and where it is said why a move loses."""
    five = daily(tmp_path)
    assert five.table.players == ("you", "bookkeeper")
    verdict = five.answer(wrong(five))
    assert "Lev" in str(verdict)
    assert "Player 2" not in json.dumps([five.view_model(), five.table.scene])


# By which rules


def test_by_some_rules_all_that_are_drawn_are_played_by_these(tmp_path, missed):
    """Day after day, one of each grade; what was missed comes back whatever it is played by, and a day that was begun stays."""
    other = next(one.position for one in load_puzzles() if str(one.rules) == "econ431")
    grades = {one.position: (str(one.rules), one.difficulty) for one in load_puzzles()}
    for ahead in range(20):
        five = (
            daily(tmp_path / "none", DAY + timedelta(ahead), rules="podkidnoy").positions
            if ahead < 3
            else _choose_puzzles_of_day(DAY + timedelta(ahead), select_puzzles("podkidnoy"))
        )
        assert [grades[one] for one in five] == [("podkidnoy", grade) for grade in range(1, 6)]
    missed.record_missed(other, DAY)
    tomorrow = daily(tmp_path, DAY + timedelta(1), rules="podkidnoy")
    assert tomorrow.position == other
    assert {grades[one][0] for one in tomorrow.positions[1:]} == {"podkidnoy"}
    begun = daily(tmp_path, DAY + timedelta(20))
    begun.answer(begun.solution)
    assert daily(tmp_path, DAY + timedelta(20), rules="podkidnoy").positions == begun.positions
    with pytest.raises(DurakError, match="there are no endings by the rules"):
        daily(tmp_path, rules="weli")


# Nothing is met twice


@pytest.mark.parametrize("first", ["daily", "mine"])
def test_on_one_page_no_ending_is_met_in_both(tmp_path, missed, first):
    """Whichever stands above has what is due; the other one says so, or goes on with what is new."""
    due, day = endings(3), DAY + timedelta(1)
    for position in due:
        missed.record_missed(position, DAY)
    made = {}
    for kind in ("daily", "mine") if first == "daily" else ("mine", "daily"):
        made[kind] = (
            daily(tmp_path, day)
            if kind == "daily"
            else lessons.MyEndings(today=lambda: day, missed=MissedEndgames(tmp_path / "endings.json"))
        )
    assert not set(made["daily"].positions) & set(made["mine"].reserved_positions)
    assert len(set(made["daily"].positions)) == 5
    assert set(due) <= (set(made["daily"].positions) if first == "daily" else set(made["mine"].reserved_positions))
    if first == "daily":
        assert made["mine"].question.startswith("What has come back today is among the five of the day;")
        assert made["mine"].left_count == 0


def test_what_was_solved_in_one_counts_in_the_other(tmp_path, missed):
    """From one notebook to another, either way round: it is asked no more, and the five count it as done."""
    due, day = endings(2), DAY + timedelta(1)
    for position in due:
        missed.record_missed(position, DAY)
    five = daily(tmp_path, day)
    five.answer(five.solution)
    mine = lessons.MyEndings(today=lambda: day, missed=MissedEndgames(tmp_path / "endings.json"))
    assert mine.left_count == 0, "both belong to the five of that day"
    elsewhere = MissedEndgames(tmp_path / "endings.json")
    elsewhere.record_solved(due[1] if five.position == due[0] else due[0], day)
    five.next()
    assert five.results == {1: True, 2: True}
    assert five.position not in due
    assert daily(tmp_path, day).results == {1: True, 2: True}


def test_my_endings_leave_out_what_was_solved_meanwhile(tmp_path, missed):
    """Another notebook has solved one: it does not come."""
    due, day = endings(3), DAY + timedelta(1)
    for position in due:
        missed.record_missed(position, DAY)
    mine = lessons.MyEndings(today=lambda: day, missed=missed)
    MissedEndgames(tmp_path / "endings.json").record_solved(mine.reserved_positions[1], day)
    assert mine.left_count == 2
    mine.answer(mine.solution)
    mine.next()
    assert mine.position == mine.reserved_positions[2]


# Days in a row


def test_days_in_a_row(tmp_path):
    """They grow from day to day, are quiet about one, and begin anew after a day that was left out; before today's are done, yesterday's count."""
    assert daily(tmp_path).days_in_row == 0
    assert do_all(daily(tmp_path)) == 1
    assert "in a row" not in json.dumps(daily(tmp_path).view_model())
    second = daily(tmp_path, DAY + timedelta(1))
    assert second.days_in_row == 1
    assert "in a row" not in json.dumps(second.view_model())
    assert do_all(second) == 2
    assert "Days in a row: 2." in second.view_model()["said"]
    assert daily(tmp_path, DAY + timedelta(2)).days_in_row == 2
    assert daily(tmp_path, DAY + timedelta(3)).days_in_row == 0
    assert do_all(daily(tmp_path, DAY + timedelta(3))) == 1


def test_four_of_five_are_no_day(tmp_path):
    """All five are to be played."""
    five = daily(tmp_path)
    for _ in range(4):
        five.answer(five.solution)
        five.next()
    assert five.days_in_row == 0
    assert daily(tmp_path, DAY + timedelta(1)).days_in_row == 0


@pytest.mark.slow
def test_a_clock_that_is_set_back_makes_no_row(tmp_path):
    """A day that is made up later makes no later day's row longer; what lies in the future counts for nothing, and is there again when its day comes."""
    assert do_all(daily(tmp_path)) == 1
    third = DAY + timedelta(2)
    assert do_all(daily(tmp_path, third)) == 1
    assert do_all(daily(tmp_path, DAY + timedelta(1))) == 2, "the clock was set back"
    assert daily(tmp_path, third).days_in_row == 1
    assert daily(tmp_path, DAY - timedelta(5)).days_in_row == 0
    assert daily(tmp_path, third).check()


def test_a_long_row_outlives_the_days_that_are_forgotten(tmp_path):
    """Sixty days are kept, and the count goes on; today is kept even if all others lie after it."""
    done = {str(place): True for place in range(1, 6)}
    some = [one.position for one in load_puzzles()[:5]]
    days = {(DAY - timedelta(ago)).isoformat(): {"positions": some, "results": done, "days_in_row": 100 - ago} for ago in range(1, 61)}
    later = {(DAY + timedelta(ahead)).isoformat(): {"positions": some, "results": done} for ahead in range(1, 61)}
    path = tmp_path / "daily.json"
    path.write_text(json.dumps({"version": 2, "entries": days}), encoding="utf-8")
    assert do_all(daily(tmp_path)) == 100
    assert len(json.loads(path.read_text(encoding="utf-8"))["entries"]) == 60
    path.write_text(json.dumps({"version": 2, "entries": later}), encoding="utf-8")
    assert do_all(daily(tmp_path)) == 1
    assert daily(tmp_path).check()


def test_days_of_an_older_file_are_counted(tmp_path):
    """They say of no row: it is counted."""
    done = {str(place): True for place in range(1, 6)}
    some = [one.position for one in load_puzzles()[:5]]
    days = {(DAY - timedelta(ago)).isoformat(): {"positions": some, "results": done} for ago in (1, 2, 3, 5)}
    days[(DAY - timedelta(2)).isoformat()]["days_in_row"] = "many"
    (tmp_path / "daily.json").write_text(json.dumps({"version": 2, "entries": days}), encoding="utf-8")
    assert daily(tmp_path).days_in_row == 3
    assert do_all(daily(tmp_path)) == 4


def test_where_nothing_can_be_remembered_there_is_no_row(tmp_path):
    """And nothing fails."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert do_all(daily(tmp_path / "file")) == 0


@pytest.mark.slow
def test_a_finished_day_outlives_another_notebook(tmp_path, missed):
    """Which has drawn other endings for it, and plays one of them afterwards: what is done stays done."""
    assert do_all(daily(tmp_path)) == 1
    tomorrow = DAY + timedelta(1)
    first = daily(tmp_path, tomorrow)
    missed.record_missed(endings(1)[0], DAY)
    other = daily(tmp_path, tomorrow)
    assert first.positions != other.positions
    assert do_all(first) == 2
    other.answer(other.solution)
    assert daily(tmp_path, tomorrow).check()
    assert daily(tmp_path, tomorrow).days_in_row == 2


@pytest.mark.parametrize("day", [date.min, date(1970, 1, 1)])
def test_a_clock_that_stands_at_the_beginning_of_time_stops_nobody(tmp_path, missed, day):
    """Nor does a day that was written by such a clock."""
    path = tmp_path / "endings.json"
    path.write_text(json.dumps({"version": 2, "entries": {endings(1)[0]: {"due": "0001-01-01", "solved": 0}}}), encoding="utf-8")
    with pytest.warns(UserWarning, match="as it was, it is kept"):
        five = daily(tmp_path, day)
    assert do_all(five) == 1
    assert lessons.MyEndings(today=lambda: day, missed=MissedEndgames(path)).question
