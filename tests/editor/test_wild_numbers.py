"""Numbers that are none, or that nobody writes, given to a sketch of a tree or of a matrix: a sentence, and nothing is changed."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from durak_widget import editor
from durak_widget.translated_errors import RefusedError

NONE = [
    float("nan"),
    float("inf"),
    "nan",
    "-inf",
    "1/0",
    1 + 2j,
    True,
    "lots of money",
    "two thirds",
    "",
    [1],
    {},
    b"1",
    object(),
    Decimal("NaN"),
    "½½",
    "\ud800",
]
MANY = [10**2000, 10**5000, Fraction(1, 10**5000), "9" * 500, "1e400", "9^9^9", 1e308, Decimal("1e999999")]


def drawn():
    """A sketch of a tree and one of a matrix, each with how something is worth so much there."""
    tree, table = editor.Sketch(), editor.MatrixSketch()
    end = tree.add_action(0, "In")
    return [(tree, lambda *worth: tree.set_payoffs(end, *worth)), (table, lambda *worth: table.set_cell(0, 0, *worth))]


def test_it_is_said_and_nothing_changes():
    """As the first of two payoffs and as the second: what was given is quoted, in every language, and the sketch is the one that it was."""
    for given, key in [*((one, "number") for one in NONE), *((one, "digits") for one in MANY)]:
        for sketch, pay in drawn():
            pay(1, 2)
            before = sketch.draft
            for worth in ((given, 1), (1, given)):
                with pytest.raises(RefusedError) as refused:
                    pay(*worth)
                assert refused.value.key == f"sketch.refused.{key}"
                for language in ("en", "lt", "ru"):
                    said = refused.value.to_text(language)
                    assert "1/3" in said  # how it is written
                    assert len(said) < 120
                    said.encode()  # it can be told to a page
                assert sketch.draft == before


def test_too_many_or_too_few_are_told_whatever_they_are():
    """So many numbers as there are players are asked for; a number that Python itself will not tell breaks nothing."""
    for given in [(10**5000, 1, 1), (Fraction(1, 10**5000),) * 3, (), (1, 2, 3), (float("nan"), None, "x")]:
        for sketch, pay in drawn():
            before = sketch.draft
            with pytest.raises(RefusedError, match="does not say what each player gets"):
                pay(*given)
            assert sketch.draft == before
