"""Test that lessons refuse odd arguments quickly with one sentence."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from durak_widget.errors import DurakError
from durak_widget.exercises import goals
from durak_widget.lessons import Choose, Drill, Guided, Pick, Position, Predict, Progress, Sort, WhatIf
from support.asked import DEFENDING, THROWING, RecordingPage
from support.sizes import tried

if TYPE_CHECKING:
    from collections.abc import Iterator


def nested_list(levels: int = 10_000) -> list[object]:
    """Return a list in a list, this many levels deep."""
    nested: list[object] = []
    for _ in range(levels):
        nested = [nested]
    return nested


def endless() -> Iterator[str]:
    """Yield cards without end; readers stop after a few thousand."""
    for number in count():
        assert number < 5000, "this is read and read"
        yield "7c"


def huge_number() -> int:
    """Return a number that Python refuses to print."""
    return 10**5000


ODD = {
    "7": lambda: 7,
    "2.5": lambda: 2.5,
    "True": lambda: True,
    "a list": lambda: [7],
    "deep": nested_list,
    "a list of it": lambda: [nested_list()],
    "a dict": lambda: {7: 7},
    "bytes": lambda: b"7c",
    "an object": object,
    "digits": huge_number,
    "half a character": lambda: "\ud800",
    "endless": endless,
    "long": lambda: "7c " * 100_000,
    "a million": lambda: "x" * 1_000_000,
    "many": lambda: ["7c"] * 100_000,
}
YES = {"yes": "", "no": ""}
MOVES = {"beat 7c 9c": "", "take": ""}


def pick_exercise() -> Pick:
    """Return one of the exercises to answer."""
    return Pick("?", "7c 8c", "7c")


DOORS = {
    "Pick(question)": lambda odd: Pick(odd, "7c 8c", "7c"),
    "Pick(cards)": lambda odd: Pick("?", odd, "7c"),
    "Pick(right)": lambda odd: Pick("?", "7c 8c", odd),
    "Pick(reasons)": lambda odd: Pick("?", "7c 8c", "7c", reasons=odd),
    "Pick(a reason)": lambda odd: Pick("?", "7c 8c", "7c", reasons={"7c": odd}),
    "Pick(why)": lambda odd: Pick("?", "7c 8c", "7c", why=odd),
    "Pick(language)": lambda odd: Pick("?", "7c 8c", "7c", language=odd),
    "Pick(name)": lambda odd: Pick("?", "7c 8c", "7c", name=odd),
    "Pick(game)": lambda odd: Pick("?", "7c 8c", "7c", game=odd),
    "Pick(after)": lambda odd: Pick("?", "7c 8c", "7c", game=THROWING, after=odd),
    "Pick(seat)": lambda odd: Pick("?", "7c 8c", "7c", game=THROWING, seat=odd),
    "Pick.beaters(target)": lambda odd: Pick.beaters(odd, of="7c", trump="h"),
    "Pick.beaters(of)": lambda odd: Pick.beaters("8c", of=odd, trump="h"),
    "Pick.beaters(trump)": lambda odd: Pick.beaters("8c", of="9c", trump=odd),
    "Pick.beaters(rules)": lambda odd: Pick.beaters("8c", of="9c", trump="h", rules=odd),
    "Pick.beaters(rule)": lambda odd: Pick.beaters("8c", of="9c", trump="h", rule=odd),
    "Pick.moves(game)": lambda odd: Pick.moves(odd, "throw"),
    "Pick.moves(verb)": lambda odd: Pick.moves(THROWING, odd),
    "Pick.moves(question)": lambda odd: Pick.moves(THROWING, "throw", question=odd),
    "Pick.answer": lambda odd: pick_exercise().answer(odd),
    "Pick.on_answer": lambda odd: pick_exercise().on_answer(odd),
    "Sort(cards)": lambda odd: Sort(odd, trump="h"),
    "Sort(trump)": lambda odd: Sort("7c 8c", trump=odd),
    "Sort(rules)": lambda odd: Sort("7c 8c", trump="h", rules=odd),
    "Sort(question)": lambda odd: Sort("7c 8c", trump="h", question=odd),
    "Sort.answer": lambda odd: Sort("7c 8c", trump="h").answer(odd),
    "Choose(question)": lambda odd: Choose(odd, YES, right="yes"),
    "Choose(options)": lambda odd: Choose("?", odd, right="yes"),
    "Choose(a reason)": lambda odd: Choose("?", {"yes": odd}, right="yes"),
    "Choose(right)": lambda odd: Choose("?", YES, right=odd),
    "Choose(named)": lambda odd: Choose("?", YES, right="yes", named=odd),
    "Choose.answer": lambda odd: Choose("?", YES, right="yes").answer(odd),
    "Predict.next_to_act(game)": lambda odd: Predict.next_to_act(odd, "pass"),
    "Predict.next_to_act(move)": lambda odd: Predict.next_to_act(THROWING, odd),
    "Predict.first_to_draw(game)": lambda odd: Predict.first_to_draw(odd, "pass"),
    "Predict.first_to_draw(move)": lambda odd: Predict.first_to_draw(THROWING, odd),
    "WhatIf(game)": lambda odd: WhatIf(odd, MOVES, better="take"),
    "WhatIf(moves)": lambda odd: WhatIf(DEFENDING, odd, better="take"),
    "WhatIf(better)": lambda odd: WhatIf(DEFENDING, MOVES, better=odd),
    "WhatIf.answer": lambda odd: WhatIf(DEFENDING, MOVES, better="take").answer(odd),
    "Position(game)": lambda odd: Position(odd, goals.beat_all(), solution=["beat 7c 9c"]),
    "Position(goal)": lambda odd: Position(DEFENDING, odd, solution=["beat 7c 9c"]),
    "Position(solution)": lambda odd: Position(DEFENDING, goals.beat_all(), solution=odd),
    "Position(seat)": lambda odd: Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"], seat=odd),
    "Position(others)": lambda odd: Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"], others=odd),
    "Position(language)": lambda odd: Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"], language=odd),
    "Position.answer": lambda odd: Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"]).answer(odd),
    "goals.find(right)": goals.find_move,
    "goals.find(wrong)": lambda odd: goals.find_move({"take": ""}, odd),
    "goals.beat_all(text)": lambda odd: Position(DEFENDING, goals.beat_all(text=odd), solution=["beat 7c 9c"]),
    "Guided(rules)": Guided,
    "Guided(bouts)": lambda odd: Guided(bouts=odd),
    "Guided(about)": lambda odd: Guided(about=odd),
    "Guided(others)": lambda odd: Guided(others=odd),
    "Guided(language)": lambda odd: Guided(language=odd),
    "Guided.answer": lambda odd: Guided(seed=7).answer(odd),
    "Drill(topic)": Drill,
    "Drill(seed)": lambda odd: Drill("beats", seed=odd),
    "Guided(seed)": lambda odd: Guided(seed=odd),
    "Drill(level)": lambda odd: Drill("beats", level=odd),
    "Drill(language)": lambda odd: Drill("beats", language=odd),
    "Drill.answer": lambda odd: Drill("beats", seed=1).answer(odd),
    "Progress(language)": lambda odd: Progress(language=odd),
    "Progress.watch": lambda odd: Progress().watch(odd),
}
TEXTS = ("question)", "reason)", "why)", "rule)", "text)")
NUMBERS = {"7", "digits"}
TAKEN = {"Guided(bouts)": NUMBERS, "Drill(seed)": {*NUMBERS, "long", "a million"}, "Guided(seed)": {*NUMBERS, "long", "a million"}}
"""Values that are valid here."""


def test_odd_arguments_are_refused_with_one_sentence() -> None:
    """Test all types, deep and long values and endless iterators."""
    for place, door in enumerate(DOORS):
        some = tried(4, 1)
        for odd in list(ODD)[place % some :: some]:
            check_refused(door, odd)


def check_refused(door: str, odd: str) -> None:
    """Check that one function refuses one odd value."""
    try:
        DOORS[door](ODD[odd]())
    except DurakError as error:
        assert len(str(error)) < 600, str(error)[:600]
    else:
        assert odd in ({"long", "a million"} if door.endswith(TEXTS) else TAKEN[door])


@pytest.mark.slow
def test_every_message_from_the_page_gets_an_answer() -> None:
    """The answer does not quote the message."""
    for odd in ["7", "a list of it", "a dict", "endless", "long"]:
        for quiz in (pick_exercise(), Sort("7c 8c", trump="h"), Choose("?", YES, right="yes"), WhatIf(DEFENDING, MOVES, better="take"),
                     Position(DEFENDING, goals.beat_all(), solution=["beat 7c 9c"]), Guided(seed=7), Drill("beats", seed=1)):  # fmt: skip
            page = RecordingPage(quiz)
            value = ODD[odd]()
            for message in ({"kind": "answer", "answer": [value]}, {"kind": "answer", "answer": value}):
                page._receive_message(None, message, [])
                assert page.told[-1]["kind"] == "error"
                assert len(page.told[-1]["text"]) < 400
            assert len(page.told) == 2
