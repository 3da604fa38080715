"""Test five endings a day: repeats are announced, none appears twice on a page, and days in a row are counted."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta

import pytest

from durak_widget import lessons
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.bots import people
from durak_widget.errors import DurakError
from durak_widget.i18n import Translator, get_opponent_name
from durak_widget.lessons.endgame_puzzle import load_puzzles, select_puzzles
from durak_widget.lessons.puzzle_practice import _choose_puzzles_of_day
from durak_widget.widgets.missed_endgames import MissedEndgames
from support.spoken import english, english_text

DAY = date(2026, 3, 2)
BACK = Translator("en").translate("table.tomorrow")


@pytest.fixture
def missed_file(tmp_path):
    """Return an empty store of missed endings beside the days."""
    return MissedEndgames(tmp_path / "endings.json")


def unused_endings(many, start=40):
    """Return endings that are not among the five of these days."""
    of_days = {puzzle for ahead in range(12) for puzzle in _choose_puzzles_of_day(DAY + timedelta(ahead), load_puzzles())}
    return [puzzle.position for puzzle in load_puzzles()[start:] if puzzle.position not in of_days][:many]


def daily_five(folder, day=DAY, **more):
    """Return the five of that day."""
    return lessons.Daily(today=lambda: day, folder=folder, **more)


def losing_move(task):
    """Return a move that gives the ending away."""
    return next(str(move) for move, value in solve_endgame(task.table.game).move_values.items() if value < 1)


def solve_all(five):
    """Solve the open ones of the five, and return the days in a row."""
    for _ in range(5):
        if not five.check():
            five.answer(five.solution)
            five.next()
    assert five.check()
    return five.days_in_row


# Repeated endings


def test_a_repeated_ending_says_when_it_was_missed(tmp_path, missed_file):
    """The first of the five, which is due, does. New ones do not, nor on the day itself."""
    for language, sentence in [
        ("lt", "Šios vakar neišsprendėte. Štai ji vėl."),
    ]:
        missed_file.record_missed(unused_endings(1)[0], DAY)
        assert sentence not in daily_five(tmp_path, language=language).question
        five = daily_five(tmp_path, DAY + timedelta(1), language=language)
        assert sentence in five.question
        assert sentence in json.dumps(five.view_model(), ensure_ascii=False)
        five.answer(five.solution)
        assert sentence in five.question, "till the next one is posed"
        five.next()
        assert sentence not in five.question
        assert sentence in lessons.MyEndings(today=lambda: DAY + timedelta(1), missed=_other(tmp_path), language=language).question


def _other(tmp_path):
    found = MissedEndgames(tmp_path / "own" / "endings.json")
    found.record_missed(unused_endings(1)[0], DAY)
    return found


def test_another_notebook_of_the_day_shows_the_date_too(tmp_path, missed_file):
    """It does also after one of the five was played."""
    for position in unused_endings(2):
        missed_file.record_missed(position, DAY)
    first = daily_five(tmp_path, DAY + timedelta(1))
    first.answer(first.solution)
    assert english("lesson.endings.back.yesterday").search(daily_five(tmp_path, DAY + timedelta(1)).question)


def test_an_old_file_without_dates_uses_the_due_day(tmp_path):
    """If an ending was solved since, no day is shown."""
    first, other = unused_endings(2)
    stored = {first: {"due": "2026-03-03", "solved": 0}, other: {"due": "2026-03-03", "solved": 1, "missed": "no day"}}
    (tmp_path / "endings.json").write_text(json.dumps({"version": 2, "entries": stored}), encoding="utf-8")
    five = daily_five(tmp_path, DAY + timedelta(1))
    texts = {}
    for _ in range(2):
        texts[five.position] = five.question
        five.answer(five.solution)
        five.next()
    assert english_text("lesson.endings.back.yesterday") in texts[first]
    assert english_text("lesson.endings.back.before") in texts[other]


@pytest.mark.parametrize(
    ("language", "days", "sentence"),
    [
        ("en", 2, english_text("lesson.endings.back.other", count="2")),
        ("lt", 21, "prieš 21 dieną."),
        ("ru", 21, "21 день назад"),
    ],
)
def test_after_some_days_the_text_counts_them(tmp_path, missed_file, language, days, sentence):
    """It has no date as in files."""
    missed_file.record_missed(unused_endings(1)[0], DAY)
    question = daily_five(tmp_path, DAY + timedelta(days), language=language).question
    assert sentence in question
    assert "2026" not in question


def test_an_ending_that_is_postponed_is_not_announced_for_tomorrow(tmp_path, missed_file):
    """A day with many due endings has no room. It comes on the next day."""
    for ending in unused_endings(14):
        missed_file.record_missed(ending, DAY - timedelta(9))
    five = daily_five(tmp_path)
    lost = five.position
    five.answer(losing_move(five))
    solve_all(five)
    assert lost not in daily_five(tmp_path, DAY + timedelta(1)).positions
    assert BACK not in five.view_model()["feedback"]
    clock = [DAY]
    (tmp_path / "other").mkdir()
    five = lessons.Daily(today=lambda: clock[0], folder=tmp_path / "other")
    five.answer(losing_move(five))
    solve_all(five)
    assert BACK in five.view_model()["feedback"]
    clock[0] += timedelta(1)
    assert BACK not in five.view_model()["feedback"]


def test_a_started_day_is_not_replaced(tmp_path):
    """Two notebooks use different rules: the first keeps the day, unless the other's five are all done before."""
    plain, other = daily_five(tmp_path, rules="podkidnoy"), daily_five(tmp_path)
    assert plain.positions != other.positions
    for five in (plain, plain, other, other, other):
        five.answer(five.solution)
        five.next()
    again = daily_five(tmp_path, rules="podkidnoy")
    assert (again.positions, sorted(again.results)) == (plain.positions, [1, 2])
    solve_all(other)
    assert daily_five(tmp_path).positions == other.positions


def test_the_end_of_a_day_announces_missed_endings(tmp_path):
    """Page and table show it in three languages, only after the last one."""
    five = daily_five(tmp_path)
    five.answer(losing_move(five))
    for _ in range(4):
        assert BACK not in json.dumps(five.view_model()) + json.dumps(five.table.scene)
        five.next()
        five.answer(five.solution)
    assert five.check()
    assert BACK in five.view_model()["feedback"]
    assert five.table.scene["verdict"]["text"][0] == f"{english_text('lesson.right')} {english_text('end.out.you', who='You')} {BACK}"
    assert Translator("lt").translate("table.tomorrow") in daily_five(tmp_path, language="lt").view_model()["feedback"]
    assert Translator("ru").translate("table.tomorrow") in daily_five(tmp_path, language="ru").view_model()["feedback"]
    assert five.reserved_positions[0] in daily_five(tmp_path, DAY + timedelta(1)).positions


def test_no_repeat_is_announced_if_none_will_come(tmp_path):
    """Nothing was missed, or nothing can be stored."""
    five = daily_five(tmp_path)
    solve_all(five)
    (tmp_path / "file").write_text("", encoding="utf-8")
    forgetful = daily_five(tmp_path / "file")
    forgetful.answer(losing_move(forgetful))
    solve_all(forgetful)
    for drill in (five, forgetful):
        assert drill.check()
        assert BACK not in json.dumps(drill.view_model()) + json.dumps(drill.table.scene)


def test_another_opponent_sits_at_each_ending(tmp_path):
    """They are named on the plate and in refutations, from the weakest on. Whoever sits there, the bookkeeper's bot plays."""
    five = daily_five(tmp_path)
    faces = []
    for place in range(5):
        assert five.table.players == ("you", "bookkeeper")
        [(seat, face)] = five.table.opponent_keys
        faces.append(face)
        assert seat == 1
        assert daily_five(tmp_path).table.opponent_keys == five.table.opponent_keys  # the same person when you come back
        verdict = five.answer(losing_move(five))
        if not place:
            assert get_opponent_name(face, "en") in str(verdict)
        assert "Player 2" not in json.dumps([five.view_model(), five.table.scene])
        if place < 4:
            five.next()
    assert faces == [person.key for person in people()[:5]]


def test_the_right_move_is_praised_at_once(tmp_path):
    """The only move that wins is praised before the ending is over, in the list of remarks and on the felt."""
    five = daily_five(tmp_path)
    assert five.view_model()["feedback"] == []
    five.answer(five.solution[:1])
    assert not five.is_decided
    found = Translator().translate("lesson.goal.found")
    assert five.view_model()["feedback"][0] == five.table.scene["commentary"][0] == found
    five.answer(five.solution[1:2])
    assert found not in [*five.view_model()["feedback"], *five.table.scene["commentary"]]


def test_the_marks_of_a_day_are_explained_in_words(tmp_path):
    """The sentence has the numbers of endings that are right, missed and left."""
    five = daily_five(tmp_path)
    before = five.view_model()["number_title"]
    five.answer(losing_move(five))
    after = five.view_model()["number_title"]
    assert [int(number) for number in re.findall(r"\d+", before)] == [0, 0, 5]
    assert [int(number) for number in re.findall(r"\d+", after)] == [0, 1, 4]


# Rules


def test_chosen_rules_apply_to_all_new_endings(tmp_path, missed_file):
    """One of each grade comes day after day. Missed ones keep their rules, and started days stay."""
    other = next(puzzle.position for puzzle in load_puzzles() if str(puzzle.rules) == "econ431")
    grades = {puzzle.position: (str(puzzle.rules), puzzle.difficulty) for puzzle in load_puzzles()}
    for ahead in range(20):
        five = (
            daily_five(tmp_path / "none", DAY + timedelta(ahead), rules="podkidnoy").positions
            if ahead < 3
            else _choose_puzzles_of_day(DAY + timedelta(ahead), select_puzzles("podkidnoy"))
        )
        assert [grades[ending] for ending in five] == [("podkidnoy", grade) for grade in range(1, 6)]
    missed_file.record_missed(other, DAY)
    tomorrow = daily_five(tmp_path, DAY + timedelta(1), rules="podkidnoy")
    assert tomorrow.position == other
    assert {grades[ending][0] for ending in tomorrow.positions[1:]} == {"podkidnoy"}
    begun = daily_five(tmp_path, DAY + timedelta(20))
    begun.answer(begun.solution)
    assert daily_five(tmp_path, DAY + timedelta(20), rules="podkidnoy").positions == begun.positions
    with pytest.raises(DurakError, match=r"endings.*rules"):
        daily_five(tmp_path, rules="weli")


# No ending twice


@pytest.mark.parametrize("first", ["daily", "mine"])
def test_two_drills_on_a_page_share_no_ending(tmp_path, missed_file, first):
    """The first has the due ones; the other says so or continues with new ones."""
    due, day = unused_endings(3), DAY + timedelta(1)
    for position in due:
        missed_file.record_missed(position, DAY)
    drills = {}
    for kind in ("daily", "mine") if first == "daily" else ("mine", "daily"):
        drills[kind] = (
            daily_five(tmp_path, day)
            if kind == "daily"
            else lessons.MyEndings(today=lambda: day, missed=MissedEndgames(tmp_path / "endings.json"))
        )
    assert not set(drills["daily"].positions) & set(drills["mine"].reserved_positions)
    assert len(set(drills["daily"].positions)) == 5
    assert set(due) <= (set(drills["daily"].positions) if first == "daily" else set(drills["mine"].reserved_positions))
    if first == "daily":
        assert english("lesson.endings.among").match(drills["mine"].question)
        assert drills["mine"].left_count == 0


def test_an_ending_solved_in_one_notebook_counts_in_the_other(tmp_path, missed_file):
    """It is not asked again, and the five count it as done."""
    due, day = unused_endings(2), DAY + timedelta(1)
    for position in due:
        missed_file.record_missed(position, DAY)
    five = daily_five(tmp_path, day)
    five.answer(five.solution)
    mine = lessons.MyEndings(today=lambda: day, missed=MissedEndgames(tmp_path / "endings.json"))
    assert mine.left_count == 0, "both belong to the five of that day"
    elsewhere = MissedEndgames(tmp_path / "endings.json")
    elsewhere.record_solved(due[1] if five.position == due[0] else due[0], day)
    five.next()
    assert five.results == {1: True, 2: True}
    assert five.position not in due
    assert daily_five(tmp_path, day).results == {1: True, 2: True}


def test_due_endings_solved_meanwhile_are_left_out(tmp_path, missed_file):
    """Another notebook has solved one."""
    due, day = unused_endings(3), DAY + timedelta(1)
    for position in due:
        missed_file.record_missed(position, DAY)
    mine = lessons.MyEndings(today=lambda: day, missed=missed_file)
    MissedEndgames(tmp_path / "endings.json").record_solved(mine.reserved_positions[1], day)
    assert mine.left_count == 2
    mine.answer(mine.solution)
    mine.next()
    assert mine.position == mine.reserved_positions[2]


# Days in a row


def test_days_in_a_row_are_counted(tmp_path):
    """One day is not mentioned, a missed day starts again, and before today's are done, yesterday counts."""
    assert daily_five(tmp_path).days_in_row == 0
    assert solve_all(daily_five(tmp_path)) == 1
    assert "in a row" not in json.dumps(daily_five(tmp_path).view_model())
    second = daily_five(tmp_path, DAY + timedelta(1))
    assert second.days_in_row == 1
    assert "in a row" not in json.dumps(second.view_model())
    assert solve_all(second) == 2
    assert english_text("lesson.endings.days", count="2") in second.view_model()["feedback"]
    assert daily_five(tmp_path, DAY + timedelta(2)).days_in_row == 2
    assert daily_five(tmp_path, DAY + timedelta(3)).days_in_row == 0
    assert solve_all(daily_five(tmp_path, DAY + timedelta(3))) == 1


def test_four_of_five_do_not_make_a_day(tmp_path):
    """All five must be played."""
    five = daily_five(tmp_path)
    for _ in range(4):
        five.answer(five.solution)
        five.next()
    assert five.days_in_row == 0
    assert daily_five(tmp_path, DAY + timedelta(1)).days_in_row == 0


@pytest.mark.slow
def test_setting_the_clock_back_makes_no_row(tmp_path):
    """A day made up later does not lengthen a row. Future days count when they come."""
    assert solve_all(daily_five(tmp_path)) == 1
    third = DAY + timedelta(2)
    assert solve_all(daily_five(tmp_path, third)) == 1
    assert solve_all(daily_five(tmp_path, DAY + timedelta(1))) == 2, "the clock was set back"
    assert daily_five(tmp_path, third).days_in_row == 1
    assert daily_five(tmp_path, DAY - timedelta(5)).days_in_row == 0
    assert daily_five(tmp_path, third).check()


def test_a_long_row_survives_forgotten_days(tmp_path):
    """Sixty days are stored, and the count goes on. Today is kept even if all others are later."""
    done = {str(place): True for place in range(1, 6)}
    some = [puzzle.position for puzzle in load_puzzles()[:5]]
    days = {(DAY - timedelta(ago)).isoformat(): {"positions": some, "results": done, "days_in_row": 100 - ago} for ago in range(1, 61)}
    later = {(DAY + timedelta(ahead)).isoformat(): {"positions": some, "results": done} for ahead in range(1, 61)}
    path = tmp_path / "daily.json"
    path.write_text(json.dumps({"version": 2, "entries": days}), encoding="utf-8")
    assert solve_all(daily_five(tmp_path)) == 100
    assert len(json.loads(path.read_text(encoding="utf-8"))["entries"]) == 60
    path.write_text(json.dumps({"version": 2, "entries": later}), encoding="utf-8")
    assert solve_all(daily_five(tmp_path)) == 1
    assert daily_five(tmp_path).check()


def test_days_of_an_older_file_are_counted(tmp_path):
    """They have no row, so it is computed."""
    done = {str(place): True for place in range(1, 6)}
    some = [puzzle.position for puzzle in load_puzzles()[:5]]
    days = {(DAY - timedelta(ago)).isoformat(): {"positions": some, "results": done} for ago in (1, 2, 3, 5)}
    days[(DAY - timedelta(2)).isoformat()]["days_in_row"] = "many"
    (tmp_path / "daily.json").write_text(json.dumps({"version": 2, "entries": days}), encoding="utf-8")
    assert daily_five(tmp_path).days_in_row == 3
    assert solve_all(daily_five(tmp_path)) == 4


def test_a_failed_store_counts_no_row(tmp_path):
    """Nothing fails."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert solve_all(daily_five(tmp_path / "file")) == 0


@pytest.mark.slow
def test_a_finished_day_stays_finished(tmp_path, missed_file):
    """Another notebook has drawn other endings and plays one later."""
    assert solve_all(daily_five(tmp_path)) == 1
    tomorrow = DAY + timedelta(1)
    first = daily_five(tmp_path, tomorrow)
    missed_file.record_missed(unused_endings(1)[0], DAY)
    other = daily_five(tmp_path, tomorrow)
    assert first.positions != other.positions
    assert solve_all(first) == 2
    other.answer(other.solution)
    assert daily_five(tmp_path, tomorrow).check()
    assert daily_five(tmp_path, tomorrow).days_in_row == 2


@pytest.mark.parametrize("day", [date.min, date(1970, 1, 1)])
def test_a_clock_at_the_beginning_of_time_does_no_harm(tmp_path, missed_file, day):
    """Days written with such a clock do none either."""
    path = tmp_path / "endings.json"
    path.write_text(json.dumps({"version": 2, "entries": {unused_endings(1)[0]: {"due": "0001-01-01", "solved": 0}}}), encoding="utf-8")
    with pytest.warns(UserWarning, match="could not be read"):
        five = daily_five(tmp_path, day)
    assert solve_all(five) == 1
    assert lessons.MyEndings(today=lambda: day, missed=MissedEndgames(path)).question
