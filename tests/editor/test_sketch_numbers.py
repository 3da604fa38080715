"""Test invalid and extreme numbers in tree and matrix sketches: they are refused and change nothing."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from durak_widget import editor
from durak_widget.translated_errors import RefusedError
from support.spoken import english

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


def sketches():
    """Return a tree sketch and a matrix sketch, each with a function that sets a payoff."""
    tree, table = editor.Sketch(), editor.MatrixSketch()
    end = tree.add_action(0, "In")
    return [(tree, lambda *payoffs: tree.set_payoffs(end, *payoffs)), (table, lambda *payoffs: table.set_cell(0, 0, *payoffs))]


def test_invalid_numbers_are_refused_and_change_nothing():
    """The message quotes them in every language, for either player."""
    for given, key in [*((number, "number") for number in NONE), *((number, "digits") for number in MANY)]:
        for sketch, pay in sketches():
            pay(1, 2)
            before = sketch.draft
            for payoffs in ((given, 1), (1, given)):
                with pytest.raises(RefusedError) as refused:
                    pay(*payoffs)
                assert refused.value.key == f"sketch.refused.{key}"
                for language in ("en", "lt", "ru"):
                    sentence = refused.value.to_text(language)
                    assert "1/3" in sentence  # its notation
                    assert len(sentence) < 120
                    sentence.encode()  # it can be sent to a page
                assert sketch.draft == before


def test_several_cells_in_one_are_refused():
    """“(2,1) (0,0)” is no product of decimal numbers; a binomial coefficient is one number."""
    sketch = editor.MatrixSketch()
    for text in ("(2,1) (0,0) (1,2)", "(2,1) (0,0)", "(2;1), (0;0)"):
        with pytest.raises(RefusedError):
            sketch.set_cell(0, 0, text)
    sketch.set_cell(0, 0, "(C(5,2), C(4,1))")
    assert sketch.draft.cells[0][0] == (10, 4)


def test_a_wrong_number_of_payoffs_is_refused():
    """There must be one per player. Huge numbers break nothing."""
    for given in [(10**5000, 1, 1), (Fraction(1, 10**5000),) * 3, (), (1, 2, 3), (float("nan"), None, "x")]:
        for sketch, pay in sketches():
            before = sketch.draft
            with pytest.raises(RefusedError, match=english("sketch.refused.payoffs")):
                pay(*given)
            assert sketch.draft == before
