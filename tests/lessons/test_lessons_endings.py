"""Endings with exactly one way home: proved, graded, no two alike; played one after another, and what was missed is back another day."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import pairwise, permutations
from random import Random

import pytest

from durak_widget import Game, bots, lessons
from durak_widget.analysis.endgame import refute, solve_endgame
from durak_widget.errors import DurakError
from durak_widget.lessons.endgame_puzzle import (
    DIFFICULTIES,
    PUZZLE_FILE,
    Puzzle,
    build_game,
    find_puzzle,
    format_puzzles,
    iterate_puzzles,
    load_puzzles,
    normalize_position,
    parse_puzzles,
    search_bot_games,
)
from durak_widget.widgets.missed_endgames import FIRST_REPEAT_DAYS, REPEAT_INTERVAL_DAYS, MissedEndgames

DAY = date(2026, 3, 2)


def proves(puzzle: Puzzle) -> None:
    """Whatever is said of a puzzle holds: without a budget exactly one move wins, in two bouts or more; each other is refuted, and the way home leads home."""
    game = puzzle.game
    found = solve_endgame(game)
    assert (game.actor, found.value, list(found.move_values.values()).count(1)) == (0, 1, 1)
    assert found.bouts_to_end > 1
    assert len(game.legal_moves()) > 2
    assert solve_endgame(game.view(0)).best_moves == found.best_moves, "whoever counts knows all"
    right = puzzle.winning_line[0]
    assert found.best_moves == (right,)
    for move in game.legal_moves():
        if move != right:
            assert refute(game, move).value < 1
    assert find_puzzle(game) == puzzle, "found again, and graded alike"


def test_a_sample_is_proved():
    """Some of those that come with the house."""
    for puzzle in Random(7).sample(load_puzzles(), 15):
        proves(puzzle)


@pytest.mark.release
def test_all_of_them_are_proved():
    """Every one of those that come with the house."""
    for puzzle in load_puzzles():
        proves(puzzle)


def test_there_are_a_thousand_of_five_presets_in_little_text():
    """As many as are asked for, of every grade, and no longer."""
    by_rules = Counter(str(one.rules) for one in load_puzzles())
    assert len(load_puzzles()) >= 1000
    assert len([rules for rules, count in by_rules.items() if count >= 100]) >= 5
    assert PUZZLE_FILE.stat().st_size <= 200_000
    assert all(count >= 50 for count in Counter(one.difficulty for one in load_puzzles()).values())
    assert {one.difficulty for one in load_puzzles()} == set(DIFFICULTIES)
    assert parse_puzzles(format_puzzles(load_puzzles())) == list(load_puzzles())


def alike(position: str) -> str:
    """The least of all names that a position has if suits are called otherwise, worked out letter by letter."""
    cards = position.rpartition(": ")[2]
    named = []
    for suits in permutations("cds"):
        letters = dict(zip("cds", suits, strict=True))
        words = [
            "".join([word[0], letters.get(word[1], word[1]), *([] if len(word) < 3 else [word[2:]])]) if word[:1] in "6789TJQKA" else word
            for word in cards.replace("/", " / ").replace(";", " ;").split()
        ]
        hands, _, rest = " ".join(words).partition(";")
        first, second = hands.split("|")
        named.append(" ".join([*sorted(first.split()), "|", *sorted(second.split()), ";", rest]))
    return min(named)


def test_no_two_are_alike():
    """Not even up to the names of suits, nor under other rules."""
    assert max(Counter(alike(one.position) for one in load_puzzles()).values()) == 1


def test_a_position_without_its_past_is_the_same_for_other_suits_and_seats():
    """Suits and seats change their names; who begins and what is worth what do not."""
    one, other = Game.from_position_line("9s Ac | Qs 9c Kd; trump c; attacker 1"), Game.from_position_line("Qd 9h Kc | 9d Ah; trump h")
    assert normalize_position(one) == normalize_position(other)
    assert solve_endgame(build_game(normalize_position(one))).value == solve_endgame(one).value


def test_mining_is_repeated_by_its_seed():
    """The same puzzles, and each is one."""
    first = list(search_bot_games("econ431", seed=3, max_games=6))
    assert first == list(search_bot_games("econ431", seed=3, max_games=6)) != []
    for one in first:
        proves(one)


@pytest.mark.slow
def test_the_puzzles_of_somebodys_games():
    """Every moment at which one move won; from a game, a list, or what `games` gives."""
    games = []
    while len(games) < 12:
        games.append(bots.play(Game("econ431", seed=len(games)), ["careful", "careful"], len(games)))
    found = lessons.puzzles(games)
    assert found
    assert {one.position for one in found} == {one.position for game in games for one in iterate_puzzles(game)}
    assert lessons.puzzles(lessons.games(games)) == found
    with pytest.raises(DurakError, match="in games"):
        lessons.puzzles([7])
    with pytest.raises(DurakError, match="not in 7"):
        lessons.puzzles(7)


def wrong(task) -> str:
    """A move that gives it away."""
    game = task.table.game
    return next(str(move) for move, worth in solve_endgame(game).move_values.items() if worth < 1)


def test_a_drill_counts_the_first_try_and_goes_by_cards(tmp_path):
    """Three in a row and there is a card more, two missed and there is one fewer; a wrong move is refuted."""
    drill = lessons.Endings(6, seed=2, goal=3, missed=MissedEndgames(tmp_path / "endings.json"), today=lambda: DAY)
    for _ in range(3):
        assert build_game(drill.position).actor == 0
        assert drill.answer(drill.solution)
        drill.next()
    assert (drill.check(), drill.streak, drill.card_count) == (True, 3, 7)
    for _ in range(2):
        drill.next()
        missed = drill.position
        verdict = drill.answer(wrong(drill))
        assert not verdict
        assert len(verdict.sentences) > 1, "it is refuted"
        drill.restart()
        assert drill.answer(drill.solution), "what is tried again is right, and counts no more"
        assert drill.streak == 0
        assert missed in [one.position for one in MissedEndgames(tmp_path / "endings.json").pending]
    assert drill.card_count == 6


def test_no_ending_comes_twice_in_a_row():
    """Also where all of so many cards have been asked, and come again: each as often as each other."""
    drill = lessons.Endings(5, seed=2)
    few = drill._positions_by_card_count[5][:3]
    drill._positions_by_card_count, drill._unused_positions = {5: few}, {}
    asked = [drill._draw_position() for _ in range(300)]
    assert all(one != after for one, after in pairwise(asked))
    assert set(Counter(asked).values()) == {100}


def test_a_solution_that_was_shown_is_a_miss(tmp_path):
    """Whoever has it shown sees it again on another day."""
    drill = lessons.Endings(5, seed=2, missed=MissedEndgames(tmp_path / "endings.json"), today=lambda: DAY)
    drill.reveal()
    assert drill.streak == 0
    assert MissedEndgames(tmp_path / "endings.json").list_due(DAY + timedelta(FIRST_REPEAT_DAYS)) == (drill.position,)


def test_what_was_played_with_hints_is_not_solved_at_the_first_try(tmp_path):
    """As with a solution that was shown; the next one is tried anew."""
    daily = lessons.Daily(today=lambda: DAY, folder=tmp_path)
    daily.hint()
    daily.answer(daily.solution)
    daily.next()
    daily.answer(daily.solution)
    assert daily.results == {1: False, 2: True}


def test_a_clock_that_is_none_is_refused():
    """In a sentence."""
    for kind in (lessons.Daily, lessons.MyEndings, lessons.Endings):
        with pytest.raises(DurakError, match="today=5 says no day; give a function"):
            kind(today=5)


def test_endings_that_are_not_there_are_refused():
    """A sentence says which there are."""
    with pytest.raises(DurakError, match="endings of"):
        lessons.Endings(99)
    with pytest.raises(DurakError, match="there are some by"):
        lessons.Endings(rules="poker")
    with pytest.raises(DurakError, match="in a row"):
        lessons.Endings(goal=0)


def test_five_a_day_are_the_same_for_everybody(tmp_path):
    """One of each grade, drawn from the date; no two days near each other share one."""
    days = [lessons.Daily(today=lambda later=later: DAY + timedelta(later), folder=tmp_path / str(later)).positions for later in range(12)]
    assert [[one.difficulty for one in load_puzzles() if one.position == position] for position in days[0]] == [
        [grade] for grade in DIFFICULTIES
    ]
    assert len({position for day in days for position in day}) == 60


def test_the_missed_one_is_back_tomorrow(tmp_path):
    """A day at the five: one missed, four solved. The next day it comes first, then the new ones; solved, it rests for some days."""
    clock = [DAY]
    daily = lessons.Daily(today=lambda: clock[0], folder=tmp_path)
    missed = daily.positions[1]
    for place in range(5):
        assert daily.position == daily.positions[place]
        daily.answer(wrong(daily) if place == 1 else daily.solution)
        daily.next()
    assert daily.check()
    assert daily.results == {1: True, 2: False, 3: True, 4: True, 5: True}
    assert lessons.Daily(today=lambda: clock[0], folder=tmp_path).check(), "what was done today is remembered"
    clock[0] += timedelta(FIRST_REPEAT_DAYS)
    daily.next()
    assert daily.positions == (missed, *lessons.Daily(today=lambda: clock[0], folder=tmp_path / "other").positions[:4])
    assert not daily.results
    assert daily.answer(daily.solution)
    assert lessons.Daily(today=lambda: clock[0], folder=tmp_path).positions == daily.positions, "the five of a day stay the same"
    clock[0] += timedelta(REPEAT_INTERVAL_DAYS)
    assert lessons.Daily(today=lambda: clock[0], folder=tmp_path).positions[0] == missed


def test_my_endings_are_those_that_are_due(tmp_path):
    """A turning point of a review comes back too, whichever seat it was, with its past left out; what nobody can win is none to practise."""
    missed = MissedEndgames(tmp_path / "endings.json")
    game = Game.from_position_line("Kh Kc | Qh Ks; trump h; attacker 1; bout 5")
    missed.record_missed(game.position, DAY)
    missed.record_missed("9c Kc | Ac Ah; trump h", DAY)
    mine = lessons.MyEndings(today=lambda: DAY + timedelta(FIRST_REPEAT_DAYS), missed=missed)
    assert (mine.left_count, mine.position) == (1, game.position)
    assert mine.table.game.actor == 0
    assert mine.question.startswith("1 ending has come back: ")
    assert mine.answer(mine.solution)
    assert mine.check()
    none = lessons.MyEndings(today=lambda: DAY + timedelta(FIRST_REPEAT_DAYS), missed=missed)
    assert (none.left_count, none.check()) == (0, False)
    assert none.question.startswith("Nothing comes back today")


def test_two_notebooks_of_one_day_keep_what_both_have_played(tmp_path):
    """What was done in the other is not lost, and stands there when the day is opened again."""
    day = {"today": lambda: DAY, "folder": tmp_path}
    one, other = lessons.Daily(**day), lessons.Daily(**day)
    one.answer(one.solution)
    one.next()
    one.answer(one.solution)
    other.answer(other.solution)
    assert lessons.Daily(**day).results == {1: True, 2: True}


def test_what_is_missed_goes_nowhere_else_where_its_folder_cannot_be_used(tmp_path, monkeypatch):
    """Not into the home of whoever plays."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "home"))
    (tmp_path / "own" / "endings.json").mkdir(parents=True)
    daily = lessons.Daily(today=lambda: DAY, folder=tmp_path / "own")
    daily.answer(wrong(daily))
    assert not (tmp_path / "home" / "endings.json").exists()


def test_where_nothing_can_be_remembered_one_plays_nevertheless(tmp_path):
    """A file in the place of the folder."""
    (tmp_path / "file").write_text("")
    daily = lessons.Daily(today=lambda: DAY, folder=tmp_path / "file")
    assert daily.answer(daily.solution)
    assert daily.results == {1: True}


def test_what_is_stored_does_not_hang_on_the_day(tmp_path):
    """Where nothing is live it is said that there are five a day; with a day that was named, the first of them."""
    for language in ["en", "ru", "lt"]:
        assert lessons.Daily(language=language).static_mimebundle() == lessons.Daily(language=language, folder=tmp_path).static_mimebundle()
        dated = lessons.Daily(today=lambda: DAY, language=language, folder=tmp_path)
        assert dated.question in dated.static_mimebundle()["text/plain"]
