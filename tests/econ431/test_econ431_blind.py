"""Answers that do not depend on the student's own instance: in revision 2 they earn next to nothing, while right and partly right answers are paid."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from durak_widget.econ431.bot_question import GOAL_MARGIN, PAIR_COUNT, DealPack
from durak_widget.econ431.endgame_positions import load_endgames
from durak_widget.errors import DurakError
from durak_widget.exercises.duplicate_bot_games import PairedGames, play_paired_games
from durak_widget.exercises.habit_bot import HABITS, HabitBot
from durak_widget.gametheory.tree import TERMINAL
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.assignment import get_assignment
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Callable

    Blind = Callable[[Any], object]

CLASS = [f"Student {number}" for number in range(30)]
YEAR = get_assignment("econ431", "2027 rev2")
MOST = Fraction(1, 10)
BEFORE = json.loads((Path(__file__).parents[1] / "data" / "credits_before_revisions.json").read_text(encoding="utf-8"))


def earned(task: Any, answer: object) -> Fraction:
    """What an answer earns; one that cannot be read earns nothing."""
    task.restart()
    try:
        task.answer(answer)
    except DurakError:
        return Fraction(0)
    return compute_credit(task)


def asked(name: str) -> list[Any]:
    """What the class is asked; of dominated plans what three classes are, since one of thirty has too few instances to tell."""
    years = [YEAR, *map(YEAR.with_edition, ("2028 rev2", "2029 rev2"))] if name == "dominance" else [YEAR]
    return [year.create_exercise(name, student) for year in years for student in CLASS]


def mean(shares: list[Fraction]) -> Fraction:
    """The average."""
    return sum(shares, Fraction(0)) / len(shares)


def ends(task: Any) -> list[Fraction]:
    """The payoffs that are written at the ends of the student's tree."""
    return ends_of(task.tree)


def ends_of(tree: Any) -> list[Fraction]:
    """The payoffs at the ends of a tree."""
    return [tree.payoffs[tree.infoset_of[here]][0] for here in range(tree.history_count) if tree.actor[here] == TERMINAL]


def cycle(*numbers: object) -> Blind:
    """Write these numbers again and again."""
    return lambda task: [str(numbers[place % len(numbers)]) for place in range(len(task.solution))]


def numbers(values: tuple[int, ...], size: int) -> dict[str, Blind]:
    """Constants, patterns, and fields left empty, for a question with so many fields."""
    found: dict[str, Blind] = {f"{one} everywhere": cycle(one) for one in values}
    found |= {f"{one} and {two} in turn": cycle(one, two) for one in values[:3] for two in values[:3] if one != two}
    for one, two in ((values[0], values[1]), (values[1], values[0]), (values[0], values[2]), (values[2], values[0])):
        for at in (size // 3, size // 2, 2 * size // 3):
            found[f"{one} up to {at}, then {two}"] = lambda task, one=one, two=two, at=at: [
                str(one if place < at else two) for place in range(len(task.solution))
            ]
    for one in values[:2]:
        for at in range(0, size, 4):
            found[f"{one} at four places from {at} on"] = lambda task, one=one, at=at: [
                str(one) if at <= place < at + 4 else "" for place in range(len(task.solution))
            ]
    lots = Random(7)
    found["at random"] = lambda task: [str(lots.choice(values[:3])) for _ in task.solution]
    found["nothing"] = lambda task: [""] * len(task.solution)
    return found


def of_the_class(tasks: list[Any]) -> dict[str, Blind]:
    """The answers that are right most often in this class, handed in by everybody."""
    rights = Counter(json.dumps(task._board_question.to_plain_data(task._board_question.parse_answer(task.solution))) for task in tasks)
    return {f"common answer {place}": lambda _, right=right: json.loads(right) for place, (right, _) in enumerate(rights.most_common(8))}


def blind_values(tasks: list[Any]) -> dict[str, Blind]:
    """What is written at the places of a tree by whoever solves nothing."""
    found = numbers((5, -5, 4, -4, 6, -6, 7, 0, 1, -1, 10, 3), 9)
    found["the largest payoff"] = lambda task: [str(max(ends(task)))] * len(task.solution)
    found["the smallest payoff"] = lambda task: [str(min(ends(task)))] * len(task.solution)
    found["the payoff seen most often"] = lambda task: [str(Counter(ends(task)).most_common(1)[0][0])] * len(task.solution)
    found["largest and smallest in turn"] = lambda task: cycle(max(ends(task)), min(ends(task)))(task)
    found["smallest and largest in turn"] = lambda task: cycle(min(ends(task)), max(ends(task)))(task)
    found["who moves gets most"] = lambda task: [
        str(min(ends(task)) if task.tree.actor[here] else max(ends(task)))
        for here in range(task.tree.history_count)
        if task.tree.actor[here] != TERMINAL
    ]
    found["who moves gets least"] = lambda task: [
        str(max(ends(task)) if task.tree.actor[here] else min(ends(task)))
        for here in range(task.tree.history_count)
        if task.tree.actor[here] != TERMINAL
    ]
    found["one value of their own solution"] = lambda task: [Counter(task.solution).most_common(1)[0][0]] * len(task.solution)
    return found | of_the_class(tasks)


def levels(task: Any) -> list[list[int]]:
    """The places of each player at each depth of the tree."""
    found: dict[tuple[int, int], list[int]] = {}
    for here in range(task.tree.history_count):
        if task.tree.actor[here] >= 0:
            found.setdefault((len(task.tree.actions_from_root(here)), task.tree.actor[here]), []).append(here)
    return [one for one in found.values() if len(one) > 1]


def blind_sets(tasks: list[Any]) -> dict[str, Blind]:
    """What is joined by whoever does not look."""
    found: dict[str, Blind] = {
        "nothing": lambda _: [],
        "the two after chance": lambda _: [[1, 2]],
        "the level below": lambda _: [[1, 2], [3, 4, 5, 6]],
        "pairs of the second player": lambda _: [[1, 2], [3, 5], [4, 6]],
        "neighbours": lambda _: [[1, 2], [3, 4], [5, 6]],
        "everything": lambda task: [[here for here in range(task.tree.history_count) if task.tree.actor[here] >= 0]],
        "all of one player": lambda task: [
            [here for here in range(task.tree.history_count) if task.tree.actor[here] == seat] for seat in (0, 1)
        ],
        "each level": levels,
        "neighbours on each level": lambda task: [one[place : place + 2] for one in levels(task) for place in range(0, len(one) - 1, 2)],
        "first and last of each level": lambda task: [[one[0], one[-1]] for one in levels(task)],
        "each place with the next": lambda _: [[place, place + 1] for place in (1, 7, 9, 11, 13)],
    }
    for one, other in product((7, 8), (11, 12)):
        for two, last in product((9, 10), (13, 14)):
            found[f"{one}-{other} and {two}-{last}"] = lambda _, groups=((1, 2), (one, other), (two, last)): [list(one) for one in groups]
    return found | of_the_class(tasks)


def blind_form(tasks: list[Any]) -> dict[str, Blind]:
    """What is written into cells by whoever looks at no tree, but perhaps at the stake."""
    found = numbers((-1, 0, 1, -2, 2, -3, 3, -5, 5), 12)
    patterns: dict[str, Callable[[int], Fraction | int]] = {
        "the stake": lambda _: 1,
        "the stake lost": lambda _: -1,
        "the two in turn": lambda place: (-1) ** place,
        "lost in the first row, then nothing": lambda place: -(place < 4),
        "nothing, then lost in the last row": lambda place: -(place >= 8),
        "lost in two rows, then won": lambda place: 1 - 2 * (place < 8),
        "won in two rows, then lost": lambda place: 2 * (place < 8) - 1,
        "lost, nothing, won by rows": lambda place: place // 4 - 1,
        "lost, nothing, lost by rows": lambda place: -((place // 4) % 2 == 0),
    }
    found |= {
        f"looks: {name}": lambda task, pattern=pattern: [str(pattern(place) * max(ends_of(task._tree))) for place in range(12)]
        for name, pattern in patterns.items()
    }
    found["lost in the first row alone"] = lambda task: [str(-max(ends_of(task._tree)))] * 4
    columns = list(zip(*(task.solution for task in tasks), strict=True))
    found["what is right most often in each cell"] = lambda _: [Counter(one).most_common(1)[0][0] for one in columns]
    return found | of_the_class(tasks)


def blind_plans(_: list[Any]) -> dict[str, Blind]:
    """What is struck out by whoever compares nothing."""
    rows, columns = [[0, place] for place in range(3)], [[1, place] for place in range(6)]
    orders = {
        "nothing": [],
        "rows": rows,
        "columns": columns,
        "all": [*rows, *columns],
        "all, columns first": [*columns, *rows],
        "all backwards": [*columns[::-1], *rows[::-1]],
        "the last of each": [rows[2], columns[5]],
        "but the first of each": [*rows[1:], *columns[1:]],
        "but the last of each": [*rows[:2], *columns[:5]],
        "but the first, the columns first": [*columns[1:], *rows[1:]],
    }
    orders |= {f"the first {many} columns": columns[:many] for many in (1, 2, 3, 4)}
    orders |= {f"the last {many} columns": columns[-many:] for many in (2, 3, 4)}
    orders |= {f"two rows, then the first {many} columns": [*rows[:2], *columns[:many]] for many in (2, 4)}
    orders |= {f"two rows, then the last {many} columns": [*rows[1:], *columns[-many:]] for many in (2, 4)}
    orders |= {"every second plan": [rows[0], rows[2], *columns[::2]], "every second column": columns[1::2]}
    last_year = [
        get_assignment("econ431", "2026 rev2").create_exercise("dominance", student) for student in CLASS
    ]  # of 45 sets of plans two classmates may share one
    return {name: lambda _task, plans=plans: plans for name, plans in orders.items()} | of_the_class(last_year)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategies"),
    [
        pytest.param("backward-induction", blind_values, marks=pytest.mark.slow),
        ("information-sets", blind_sets),
        pytest.param("strategic-form", blind_form, marks=pytest.mark.slow),
        pytest.param("dominance", blind_plans, marks=pytest.mark.slow),
    ],
)
def test_blind_answers_earn_at_most_a_tenth(name: str, strategies: Callable[[list[Any]], dict[str, Blind]]):
    """On average over a class of thirty, whichever of at least twenty of them; a right answer earns everything.

    Whoever looks up the stake of their own game, and guesses the rows, has done a part: that earns at most a fifth.
    """
    tasks = asked(name)
    ways = strategies(tasks)
    assert len(ways) >= 20
    found = {way: mean([earned(task, blind(task)) for task in tasks]) for way, blind in ways.items()}
    looks = {way for way in found if way.startswith("looks: ")}
    assert {way: float(share) for way, share in found.items() if share > (Fraction(1, 5) if way in looks else MOST)} == {}
    assert {earned(task, task.solution) for task in tasks} == {1}


@pytest.mark.slow
def test_one_number_everywhere_earns_nothing():
    """Not from anybody: a number follows rightly from itself, and that is not paid."""
    for name in ("backward-induction", "strategic-form"):
        for task in asked(name):
            assert {earned(task, [one] * len(task.solution)) for one in set(task.solution)} == {0}


@pytest.mark.slow
def test_honest_partial_answers_are_paid():
    """One field left out or one slip costs a part; half of the fields earn a third or so; who goes on rightly from a slip loses less than half."""
    for name in ("backward-induction", "strategic-form"):
        for task in asked(name):
            right = list(task.solution)
            assert Fraction(4, 5) < earned(task, ["", *right[1:]]) < 1
            assert Fraction(1, 4) <= earned(task, right[: (len(right) + 1) // 2]) < Fraction(1, 2)
            assert Fraction(1, 2) <= earned(task, ["99", *right[1:]]) < 1
            assert earned(task, ["?", *right[1:]]) == earned(task, ["", *right[1:]])


def test_who_goes_on_rightly_from_a_mistake_is_paid_for_that():
    """The values above the mistake, which follow from it, count as far as others prove that they were worked out."""
    for task in asked("backward-induction"):
        tree, worth = task.tree, {}
        places = [here for here in range(tree.history_count) if tree.actor[here] != TERMINAL]
        slips = [
            here for here in places if all(tree.actor[child] == TERMINAL for child in tree.children(here)) and tree.child_count[here] > 1
        ]
        for here in reversed(range(tree.history_count)):
            below = [worth[child] for child in tree.children(here)]
            pick = [max, min][tree.actor[here] % 2] if here != slips[-1] else [min, max][tree.actor[here] % 2]
            worth[here] = tree.payoffs[tree.infoset_of[here]][0] if tree.actor[here] == TERMINAL else pick(below)
        given = [str(worth[here]) for here in places]
        assert given == task.solution or Fraction(2, 5) <= earned(task, given) < 1


@pytest.mark.slow
def test_parts_of_groups_and_plans_are_paid():
    """Two groups of three earn half, five plans of six more than half; four earn something."""
    for task in asked("information-sets"):
        assert [earned(task, task.solution[:many]) for many in (1, 2)] == [0, Fraction(1, 2)]
    for task in asked("dominance"):
        assert [earned(task, task.solution[:many]) for many in (3, 4, 5)] == [0, 0, Fraction(1, 3)]


@pytest.mark.slow
def test_editions_that_name_no_revision_are_marked_as_before():
    """Every answer to every question, right, half right and blind, is worth what it was worth when editions had no revisions."""
    made: dict[tuple[str, str, str], Any] = {}
    for edition, student, name, given, worth in BEFORE[:: tried(5, 1)]:
        key = (edition, student, name)
        task = made.setdefault(key, get_assignment("econ431").with_edition(edition).create_exercise(name, student))
        assert earned(task, given) == Fraction(worth), key
    assert {name for *_, name in made} == {question.name for question in YEAR.questions}


FAIR = {pack.seed: pack for pack in map(DealPack.from_line, load_endgames("packs.fair"))}
WON = json.loads((Path(__file__).parents[1] / "data" / "packs_won.json").read_text(encoding="utf-8"))
"""What each mix of habits wins on each pack: to play them all takes half an hour."""
MIXES = [HabitBot(*rules) for rules in product(*HABITS.values())]


def paid(pack: DealPack, place: int) -> Fraction:
    """What a mix of habits earns on a pack."""
    return min(
        max(Fraction(WON[pack.seed][place] - pack.base_points, pack.max_points - GOAL_MARGIN - pack.base_points), Fraction(0)), Fraction(1)
    )


def test_no_mix_of_habits_earns_more_than_two_fifths():
    """On average over a class of thirty, and over all packs, whichever of all 108; the right ones of each student earn everything."""
    tasks = asked("bot")
    for packs in ([FAIR[task.paired_games.seed] for task in tasks], [*FAIR.values()]):
        earns = {mix: mean([paid(pack, place) for pack in packs]) for place, mix in enumerate(MIXES)}
        assert {mix: float(share) for mix, share in earns.items() if share > Fraction(2, 5)} == {}
    assert earned(tasks[0], tasks[0].solution) == 1


@pytest.mark.slow
def test_what_is_written_of_each_pack_is_what_is_won_there():
    """The best mix, and three at random, play once more; the best reaches the goal, and no mix wins more."""
    assert FAIR.keys() == WON.keys()
    lots = Random(5)
    for pack in FAIR.values():
        assert (max(WON[pack.seed]), pack.max_points - GOAL_MARGIN - pack.base_points) == (pack.max_points, 4)
    for pack in lots.sample([*FAIR.values()], 3):
        for place in (MIXES.index(pack.best_habits), lots.randrange(len(MIXES))):
            assert (
                play_paired_games(MIXES[place], PairedGames("econ431", pack.opponent.to_line, PAIR_COUNT, pack.seed)).won
                == WON[pack.seed][place]
            )
