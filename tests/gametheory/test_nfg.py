"""Matrices in Gambit's form are read, whoever wrote them, and written so that they come back."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget.gametheory.gambit_files import NfgError, from_nfg, to_nfg, tree_from_nfg
from durak_widget.gametheory.strategic_form import Matrix, PureStrategy, matrix
from durak_widget.gametheory.textbook_games import textbook

HEAD = 'NFG 1 R "" { "A" "B" }\n'
# The two examples of Gambit's description of the form, both of one game: Selten (1975), figure 2.
PAYOFFS = """NFG 1 R "Selten (IJGT, 75), Figure 2, normal form"
{ "Player 1" "Player 2" } { 3 2 }

1 1 0 2 0 2 1 1 0 3 2 0"""
OUTCOMES = """NFG 1 R "Selten (IJGT, 75), Figure 2, normal form" { "Player 1" "Player 2" }

{ { "1" "2" "3" }
{ "1" "2" }
}
"with a comment"

{
{ "" 1, 1 }
{ "" 0, 2 }
{ "" 0, 2 }
{ "" 1, 1 }
{ "" 0, 3 }
{ "" 2, 0 }
}
1 2 3 4 5 6
"""


def same(one, two):
    """Whether two matrices are the same game in the same words."""
    return (one.names, one.rows, one.columns, one.payoffs) == (two.names, two.rows, two.columns, two.payoffs)


def test_both_forms_are_read_as_the_same_game():
    """From cell to cell the first player's strategy changes, then the second's."""
    found = from_nfg(PAYOFFS)
    assert found.payoffs == (((1, 1), (1, 1)), ((0, 2), (0, 3)), ((0, 2), (2, 0)))
    assert same(found, from_nfg(OUTCOMES))
    assert found.names == ("Player 1", "Player 2")
    assert [plan.short_label for plan in found.rows] == ["1", "2", "3"]


def test_outcome_0_pays_nothing_and_numbers_of_every_kind_are_exact():
    """Decimals, fractions, powers of ten; commas between payoffs, or none."""
    found = from_nfg(HEAD + '{ 2 2 } { { "x" 1/3, -.5 } { "y" 1e2 +7 } } 1 0 2 0')
    assert found.payoffs == (((Fraction(1, 3), Fraction(-1, 2)), (100, 7)), ((0, 0), (0, 0)))


def test_strategies_without_a_name_have_a_number_and_no_two_one_name():
    """So that each can be told from the others on the blackboard; a name that is like such a number stays that of its own."""
    found = from_nfg(HEAD + '{ { "" "a" "a" "" "1" } { "" } } ' + "0 " * 10)
    words = [plan.short_label for plan in found.rows]
    assert words == ["1 #1", "a", "a #3", "4", "1"]
    assert [plan.short_label for plan in found.columns] == ["1"]
    assert same(found, from_nfg(to_nfg(found)))


def test_a_game_for_three_is_a_tree():
    """A matrix has rows and columns; the tree pays what the file says, in any order of players, and nobody sees the others."""
    sizes = (2, 3, 2)
    paid = {cell: tuple(Fraction(sum(cell) * 10 + seat) for seat in range(3)) for cell in product(*map(range, sizes))}
    cells = sorted(paid, key=lambda cell: cell[::-1])
    text = 'NFG 1 R "three" { "A" "B" "C" } { 2 3 2 } ' + " ".join(str(worth) for cell in cells for worth in paid[cell])
    with pytest.raises(NfgError, match=r"this file has 3 players; tree_from_nfg\(text\) makes a tree of it"):
        from_nfg(text)
    tree = tree_from_nfg(text)
    assert tree.infoset_counts == (1, 1, 1)
    for cell, worth in paid.items():
        here = 0
        for move in cell:
            here = tree.children(here)[move]
        assert tree.payoffs[tree.infoset_of[here]] == worth
    with pytest.raises(NfgError, match="this file has 1 player;"):
        from_nfg('NFG 1 R "" { "A" } { 2 } 1 2')


def test_of_two_the_tree_has_the_matrix():
    """Laid out again it is the same table."""
    for text in (PAYOFFS, OUTCOMES):
        tree, found = tree_from_nfg(text), from_nfg(text)
        again = matrix(tree)
        assert again.payoffs == found.payoffs
        assert ([plan.short_label for plan in again.rows], again.names) == ([plan.short_label for plan in found.rows], found.names)


def test_strategic_forms_of_the_textbooks_come_back():
    """Whatever their plans are called."""
    for name in ("kuhn", "beer-quiche", "entry", "outside-option"):
        there = matrix(textbook(name))
        back = from_nfg(to_nfg(there, name))
        assert back.payoffs == there.payoffs
        assert [plan.short_label for plan in back.rows] == [plan.short_label for plan in there.rows]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
NUMBERS = st.fractions(min_value=-100, max_value=100, max_denominator=99)


@st.composite
def matrices(draw):
    """Any small matrix, with names of every kind."""
    rows, columns = (draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)) for _ in range(2))
    cells = [[(draw(NUMBERS), draw(NUMBERS)) for _ in columns] for _ in rows]
    plans = [[PureStrategy(name, name, {}) for name in names] for names in (rows, columns)]
    return Matrix(draw(st.tuples(st.text(max_size=5), NAMES)), *plans, cells)


@given(matrices(), NAMES)
def test_any_matrix_comes_back(there, title):
    """Whatever the names, numbers and shapes; and its tree has the title."""
    text = to_nfg(there, title)
    assert same(from_nfg(text), there)
    assert tree_from_nfg(text).title == title


WRONG = {
    "": "line 1: the text ends here, and NFG 1 R is missing",
    "EFG 2 R": "line 1: an .nfg file begins with NFG 1 R",
    "NFG 1 X": "line 1: NFG 1 is followed by R, not by 'X'",
    "NFG 1 R title": "line 1: the title stands in quotation marks",
    'NFG 1 R "" { }': "line 1: a game has from 1 to 100 players, and 0 are named",
    HEAD + "{ 2 } 1 1": "line 2: each of the 2 players has strategies, and those of 1 are given",
    HEAD + "{ 2 2 2 } 1 1": "line 2: 2 players have strategies, and here are more",
    HEAD + "{ 2 0 }": "line 2: how many strategies a player has is a whole number from 1 on, not '0'",
    HEAD + "{ 2 { } }": "line 2: B has no strategy",
    HEAD + "{ 2 20000 }": "line 2: a player has 20,000 strategies; more than 10,000 are not read",
    HEAD + "{ 10000 10000 }": "the game has 100,000,000 cells, and 100,000 are read",
    HEAD + "{ 1 2 } 1 1 1": "line 2: the text ends here, and a payoff is missing: 2 cells have 4, and 3 are there",
    HEAD + "{ 1 2 } 1 1 1 x": "line 2: a payoff is a number such as 2, -0.5 or 1/3, not 'x'",
    HEAD + "{ 1 2 } 1 1 1 1/0": "line 2: a payoff is a number",
    HEAD + "{ 1 2 }\n1 1 1 1\n1": "line 4: every cell has its payoffs, so the text should end here, not go on with '1'",
    HEAD + '{ 1 2 } { { "" 1 } } 1 1': "line 2: an outcome has a payoff for each of the 2 players, and 1 are given",
    HEAD + '{ 1 2 } { { "" 1 1 } } 1 2': "line 2: outcome 2 is none; 1 are given",
    HEAD + '{ 1 2 } { { "" 1 1 } } 1 -1': "line 2: the number of an outcome is a whole number from 0 on, not '-1'",
    HEAD + '{ 1 2 } { "" 1 1 } 1 1': "line 2: '{' belongs here, before an outcome",
    HEAD + '{ { "a" b } }': "line 2: the name of a strategy stands in quotation marks",
    HEAD + "{ 1 2": "line 2: the text ends here, and '}' after the strategies is missing",
    HEAD + '{ { "' + "x" * 10_001 + '" } }': "line 2: the name of a strategy has more than 10,000 signs",
    HEAD + " " * (20 * 2**20): "an .nfg file has at most 20 MB, and this has 20",
}


def test_errors_name_the_line_and_what_would_be_right():
    """Whatever is wrong is told in a sentence, as a matrix and as a tree."""
    for text, says in WRONG.items():
        for read in (from_nfg, tree_from_nfg):
            with pytest.raises(NfgError) as told:
                read(text)
            assert str(told.value).startswith(says)


@given(st.lists(st.sampled_from(["NFG", "1", "R", '"a"', "{", "}", "2", "-1/2", '"', ",", "0", "x", "1e9999", "\n"]), max_size=30))
def test_whatever_stands_in_a_file_is_read_or_refused(words):
    """Nothing else is raised, and it takes no time."""
    begun = process_time()
    with suppress(NfgError):
        from_nfg(" ".join(words))
    with suppress(NfgError):
        assert from_nfg(HEAD + "{ " + " ".join(words)).rows
    assert process_time() - begun < 2


def test_what_is_no_text_and_what_is_no_matrix_is_refused():
    """Bytes, paths and rows of numbers."""
    with pytest.raises(NfgError, match="read as its text"):
        from_nfg(b"NFG 1 R")
    with pytest.raises(NfgError, match="a matrix is written"):
        to_nfg([[1, -1]])
