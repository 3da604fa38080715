"""Test how numbers are written for a class."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget.live.texts import format_decimal, format_payoff, format_percent, format_rounded, keep_together, translate

NUMBERS = st.fractions(-1000, 1000, max_denominator=5000)


@pytest.mark.parametrize(("count", "text"), [(0, "0%"), (300, "100%"), (1, "<1%"), (299, ">99%")])
def test_a_small_share_is_not_nothing(count, text):
    """One of 300 students is neither nobody nor, as the rest, everybody."""
    assert format_percent(Fraction(count, 300), "en") == text


@given(NUMBERS, st.integers(0, 4))
def test_a_decimal_is_the_nearest_one(number, digits):
    """The written number is at most half a place away, and only a rounded one says so."""
    written = Fraction(format_rounded(number, "lt", digits).replace("−", "-").replace(",", "."))
    assert abs(written - number) <= Fraction(1, 2 * 10**digits)
    assert format_decimal(number, "lt", digits).startswith("≈") is (written != number)


@given(NUMBERS)
def test_a_payoff_is_exact_or_says_that_it_is_rounded(number):
    """Without the sign ≈, the text is the number."""
    fraction, sign, decimal = format_payoff(str(number), "en").replace("−", "-").rpartition("≈")
    if sign:
        assert fraction.strip() in ("", str(number))
        assert abs(Fraction(decimal.strip()) - number) <= Fraction(1, 200)
    else:
        assert Fraction(decimal) == number


@pytest.mark.parametrize("text", ["25 %", "6q − 1", "1 − 2q", "q = 1/4"])
def test_a_number_stays_in_one_line(text):
    """Percentages and short formulas have no space at which a line could break; dashes of a sentence have one."""
    assert " " not in keep_together(text)
    assert keep_together("skaičius – 1 pusė") == "skaičius – 1 pusė"


def test_an_ellipsis_ends_a_sentence():
    """A list that is cut off gets no further full stop."""
    assert translate("en", "live.game.best.alone", choices="a; …", points="1").count(".") == 1
