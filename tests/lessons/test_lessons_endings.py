"""Test endings with exactly one winning move: proofs, grades, no duplicates, and repeats of missed ones."""

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
from support.spoken import english, english_text

DAY = date(2026, 3, 2)


def check_puzzle(puzzle: Puzzle) -> None:
    """Check that exactly one move wins, in two bouts or more; all others are refuted, and the solution wins."""
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


def test_a_sample_of_puzzles_is_proved():
    """Some of the package's puzzles are checked."""
    for puzzle in Random(7).sample(load_puzzles(), 15):
        check_puzzle(puzzle)


@pytest.mark.release
def test_all_puzzles_are_proved():
    """All of the package's puzzles are checked."""
    for puzzle in load_puzzles():
        check_puzzle(puzzle)


def test_a_thousand_puzzles_of_five_presets_are_compact():
    """Every grade has enough, and the file is small."""
    by_rules = Counter(str(puzzle.rules) for puzzle in load_puzzles())
    assert len(load_puzzles()) >= 1000
    assert len([rules for rules, count in by_rules.items() if count >= 100]) >= 5
    assert PUZZLE_FILE.stat().st_size <= 200_000
    assert all(count >= 50 for count in Counter(puzzle.difficulty for puzzle in load_puzzles()).values())
    assert {puzzle.difficulty for puzzle in load_puzzles()} == set(DIFFICULTIES)
    assert parse_puzzles(format_puzzles(load_puzzles())) == list(load_puzzles())


def canonical_name(position: str) -> str:
    """Return the smallest name of a position over all names of suits, letter by letter."""
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


def test_no_two_puzzles_are_equal():
    """Names of suits and rules do not make a difference."""
    assert max(Counter(canonical_name(puzzle.position) for puzzle in load_puzzles()).values()) == 1


def test_a_canonical_position_is_the_same_for_other_suits_and_seats():
    """The player to move and the values do not change."""
    first, other = Game.from_position_line("9s Ac | Qs 9c Kd; trump c; attacker 1"), Game.from_position_line("Qd 9h Kc | 9d Ah; trump h")
    assert normalize_position(first) == normalize_position(other)
    assert solve_endgame(build_game(normalize_position(first))).value == solve_endgame(first).value


def test_mining_is_determined_by_its_seed():
    """Each result is a valid puzzle."""
    first = list(search_bot_games("econ431", seed=3, max_games=6))
    assert first == list(search_bot_games("econ431", seed=3, max_games=6)) != []
    for puzzle in first:
        check_puzzle(puzzle)


@pytest.mark.slow
def test_puzzles_are_found_in_games():
    """They are the moments with one winning move. Test a game, a list and the output of `games`."""
    games = []
    while len(games) < 12:
        games.append(bots.play(Game("econ431", seed=len(games)), ["careful", "careful"], len(games)))
    found = lessons.puzzles(games)
    assert found
    assert {puzzle.position for puzzle in found} == {puzzle.position for game in games for puzzle in iterate_puzzles(game)}
    assert lessons.puzzles(lessons.games(games)) == found
    with pytest.raises(DurakError, match="7 is not a game"):
        lessons.puzzles([7])
    with pytest.raises(DurakError, match="not 7"):
        lessons.puzzles(7)


def losing_move(task) -> str:
    """Return a move that gives the ending away."""
    game = task.table.game
    return next(str(move) for move, value in solve_endgame(game).move_values.items() if value < 1)


def test_a_drill_counts_the_first_try_and_adapts_the_number_of_cards(tmp_path):
    """Three right add a card, two missed remove one, and wrong moves are refuted."""
    drill = lessons.Endings(6, seed=2, goal=3, missed=MissedEndgames(tmp_path / "endings.json"), today=lambda: DAY)
    for _ in range(3):
        assert build_game(drill.position).actor == 0
        assert drill.answer(drill.solution)
        drill.next()
    assert (drill.check(), drill.streak, drill.card_count) == (True, 3, 7)
    for _ in range(2):
        drill.next()
        missed = drill.position
        verdict = drill.answer(losing_move(drill))
        assert not verdict
        assert len(verdict.sentences) > 1, "it is refuted"
        drill.restart()
        assert drill.answer(drill.solution), "what is tried again is right, and counts no more"
        assert drill.streak == 0
        assert missed in [ending.position for ending in MissedEndgames(tmp_path / "endings.json").pending]
    assert drill.card_count == 6


def test_no_ending_comes_twice_in_a_row():
    """After all of a size were asked, they repeat equally often."""
    drill = lessons.Endings(5, seed=2)
    few = drill._positions_by_card_count[5][:3]
    drill._positions_by_card_count, drill._unused_positions = {5: few}, {}
    asked = [drill._draw_position() for _ in range(300)]
    assert all(ending != after for ending, after in pairwise(asked))
    assert set(Counter(asked).values()) == {100}


def test_a_shown_solution_counts_as_a_miss(tmp_path):
    """It comes again on another day."""
    drill = lessons.Endings(5, seed=2, missed=MissedEndgames(tmp_path / "endings.json"), today=lambda: DAY)
    drill.reveal()
    assert drill.streak == 0
    assert MissedEndgames(tmp_path / "endings.json").list_due(DAY + timedelta(FIRST_REPEAT_DAYS)) == (drill.position,)


def test_an_ending_solved_with_hints_counts_as_a_miss(tmp_path):
    """A shown solution does too. The next one is a new try."""
    daily = lessons.Daily(today=lambda: DAY, folder=tmp_path)
    daily.hint()
    daily.answer(daily.solution)
    daily.next()
    daily.answer(daily.solution)
    assert daily.results == {1: False, 2: True}


def test_an_invalid_clock_is_refused():
    """The message says why."""
    for kind in (lessons.Daily, lessons.MyEndings, lessons.Endings):
        with pytest.raises(DurakError, match=r"today .*5"):
            kind(today=5)


def test_unknown_endings_are_refused():
    """The message lists what exists."""
    with pytest.raises(DurakError, match="cards must be a number"):
        lessons.Endings(99)
    with pytest.raises(DurakError, match="there are some with"):
        lessons.Endings(rules="poker")
    with pytest.raises(DurakError, match="in a row"):
        lessons.Endings(goal=0)


def test_five_a_day_are_the_same_for_everybody(tmp_path):
    """They have one of each grade, by date, and near days share none."""
    days = [lessons.Daily(today=lambda later=later: DAY + timedelta(later), folder=tmp_path / str(later)).positions for later in range(12)]
    assert [[puzzle.difficulty for puzzle in load_puzzles() if puzzle.position == position] for position in days[0]] == [
        [grade] for grade in DIFFICULTIES
    ]
    assert len({position for day in days for position in day}) == 60


def test_a_missed_ending_comes_again_tomorrow(tmp_path):
    """It comes first, then new ones. Solved, it rests for some days."""
    clock = [DAY]
    daily = lessons.Daily(today=lambda: clock[0], folder=tmp_path)
    missed = daily.positions[1]
    for place in range(5):
        assert daily.position == daily.positions[place]
        daily.answer(losing_move(daily) if place == 1 else daily.solution)
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


def test_my_endings_are_the_due_ones(tmp_path):
    """Turning points of reviews are included, from any seat and without history, if they can be won."""
    missed = MissedEndgames(tmp_path / "endings.json")
    game = Game.from_position_line("Kh Kc | Qh Ks; trump h; attacker 1; bout 5")
    missed.record_missed(game.position, DAY)
    missed.record_missed("9c Kc | Ac Ah; trump h", DAY)
    mine = lessons.MyEndings(today=lambda: DAY + timedelta(FIRST_REPEAT_DAYS), missed=missed)
    assert (mine.left_count, mine.position) == (1, game.position)
    assert mine.table.game.actor == 0
    assert mine.question.startswith(f"{english_text('lesson.endings.mine.one', count='1')} ")
    assert mine.answer(mine.solution)
    assert mine.check()
    none = lessons.MyEndings(today=lambda: DAY + timedelta(FIRST_REPEAT_DAYS), missed=missed)
    assert (none.left_count, none.check()) == (0, False)
    assert english("lesson.endings.none").match(none.question)


def test_two_notebooks_of_one_day_keep_both_results(tmp_path):
    """Reopening the day shows all."""
    day = {"today": lambda: DAY, "folder": tmp_path}
    first, other = lessons.Daily(**day), lessons.Daily(**day)
    first.answer(first.solution)
    first.next()
    first.answer(first.solution)
    other.answer(other.solution)
    assert lessons.Daily(**day).results == {1: True, 2: True}


def test_missed_endings_are_never_stored_in_the_home_folder_instead(tmp_path, monkeypatch):
    """Their own folder can't be used."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "home"))
    (tmp_path / "own" / "endings.json").mkdir(parents=True)
    daily = lessons.Daily(today=lambda: DAY, folder=tmp_path / "own")
    daily.answer(losing_move(daily))
    assert not (tmp_path / "home" / "endings.json").exists()


def test_endings_can_be_played_without_a_store(tmp_path):
    """A file is in place of the folder."""
    (tmp_path / "file").write_text("")
    daily = lessons.Daily(today=lambda: DAY, folder=tmp_path / "file")
    assert daily.answer(daily.solution)
    assert daily.results == {1: True}


def test_static_output_does_not_depend_on_the_day(tmp_path):
    """It says that there are five a day. With a fixed day it shows the first."""
    for language in ["en", "ru", "lt"]:
        assert lessons.Daily(language=language).static_mimebundle() == lessons.Daily(language=language, folder=tmp_path).static_mimebundle()
        dated = lessons.Daily(today=lambda: DAY, language=language, folder=tmp_path)
        assert dated.question in dated.static_mimebundle()["text/plain"]
