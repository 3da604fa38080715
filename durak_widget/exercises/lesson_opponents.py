"""Which named opponents sit at the table in lessons, instead of `Player 2` and `Player 3`.

An opponent only lends a name and a portrait. The player behind it stays the same, and so do answers and grades. The choice depends only on
the name of the exercise, so the same people sit there on a second visit, and the text of a lesson can name them.
"""

from __future__ import annotations

from typing import Final

from durak_widget.bots.bot import OPPONENT_BOTS

FIRST_OPPONENT_BY_LESSON: Final = {
    "00": "nephew",
    "01": "nephew",
    "02": "nephew",
    "03": "nephew",
    "04": "nephew",
    "05": "uncle",
    "06": "nephew",
    "07": "neighbour",
    "07b": "neighbour",
    "08": "aunt",
    "09": "bookkeeper",
}
"""The opponent on your left in each lesson. Later lessons have trees, whose players have no faces."""


def choose_opponents(exercise_name: str, seat_count: int, own_seat: int = 0) -> dict[int, str]:
    """Return the opponent for each other seat in a lesson's exercise; an empty dict elsewhere.

    The opponents sit in the order of their strength, clockwise from the left of `own_seat`.

    >>> choose_opponents("05/seven", 3), choose_opponents("exam/seven", 3)
    ({1: 'uncle', 2: 'neighbour'}, {})
    """
    first = FIRST_OPPONENT_BY_LESSON.get(exercise_name.partition("/")[0] if "/" in exercise_name else "")
    return {} if first is None else seat_opponents(first, seat_count, own_seat)


def seat_opponents(first: str, seat_count: int, own_seat: int = 0) -> dict[int, str]:
    """Return an opponent for each seat but `own_seat`, beginning with `first` on its left."""
    keys = list(OPPONENT_BOTS)
    start = keys.index(first)
    return {(own_seat + place) % seat_count: keys[(start + place - 1) % len(keys)] for place in range(1, seat_count)}
