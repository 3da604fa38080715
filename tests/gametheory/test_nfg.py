"""Test that matrices in Gambit's NFG format are read, and written so that they round-trip."""

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
# The two examples in Gambit's documentation of the format, both of Selten (1975), figure 2.
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


def is_same(matrix, other):
    """Are two matrices the same game with the same labels?"""
    return (matrix.names, matrix.rows, matrix.columns, matrix.payoffs) == (other.names, other.rows, other.columns, other.payoffs)


def test_both_nfg_forms_give_the_same_game():
    """From cell to cell the first player's strategy changes, then the second's."""
    found = from_nfg(PAYOFFS)
    assert found.payoffs == (((1, 1), (1, 1)), ((0, 2), (0, 3)), ((0, 2), (2, 0)))
    assert is_same(found, from_nfg(OUTCOMES))
    assert found.names == ("Player 1", "Player 2")
    assert [plan.short_label for plan in found.rows] == ["1", "2", "3"]


def test_outcome_0_pays_nothing_and_numbers_are_exact():
    """Decimals, fractions, powers of ten; payoffs with or without commas."""
    found = from_nfg(HEAD + '{ 2 2 } { { "x" 1/3, -.5 } { "y" 1e2 +7 } } 1 0 2 0')
    assert found.payoffs == (((Fraction(1, 3), Fraction(-1, 2)), (100, 7)), ((0, 0), (0, 0)))


def test_unnamed_strategies_get_distinct_numbers():
    """Each can be distinguished on the board; a strategy whose own name is such a number keeps it."""
    found = from_nfg(HEAD + '{ { "" "a" "a" "" "1" } { "" } } ' + "0 " * 10)
    words = [plan.short_label for plan in found.rows]
    assert words == ["1 #1", "a", "a #3", "4", "1"]
    assert [plan.short_label for plan in found.columns] == ["1"]
    assert is_same(found, from_nfg(to_nfg(found)))


def test_a_game_for_three_is_read_as_a_tree():
    """A matrix has rows and columns only. The tree pays what the file says, for any order of players, and nobody sees the others' moves."""
    sizes = (2, 3, 2)
    payoffs_by_cell = {cell: tuple(Fraction(sum(cell) * 10 + seat) for seat in range(3)) for cell in product(*map(range, sizes))}
    cells = sorted(payoffs_by_cell, key=lambda cell: cell[::-1])
    text = 'NFG 1 R "three" { "A" "B" "C" } { 2 3 2 } ' + " ".join(str(payoff) for cell in cells for payoff in payoffs_by_cell[cell])
    with pytest.raises(NfgError, match=r"3.*tree_from_nfg\(text\)"):
        from_nfg(text)
    tree = tree_from_nfg(text)
    assert tree.infoset_counts == (1, 1, 1)
    for cell, payoff in payoffs_by_cell.items():
        here = 0
        for move in cell:
            here = tree.children(here)[move]
        assert tree.payoffs[tree.infoset_of[here]] == payoff
    with pytest.raises(NfgError, match="this file has 1 player;"):
        from_nfg('NFG 1 R "" { "A" } { 2 } 1 2')


def test_the_tree_of_a_two_player_file_has_the_same_matrix():
    """Its strategic form is the same table."""
    for text in (PAYOFFS, OUTCOMES):
        tree, found = tree_from_nfg(text), from_nfg(text)
        again = matrix(tree)
        assert again.payoffs == found.payoffs
        assert ([plan.short_label for plan in again.rows], again.names) == ([plan.short_label for plan in found.rows], found.names)


def test_strategic_forms_of_textbook_games_round_trip():
    """With any names of strategies."""
    for name in ("kuhn", "beer-quiche", "entry", "outside-option"):
        there = matrix(textbook(name))
        back = from_nfg(to_nfg(there, name))
        assert back.payoffs == there.payoffs
        assert [plan.short_label for plan in back.rows] == [plan.short_label for plan in there.rows]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
NUMBERS = st.fractions(min_value=-100, max_value=100, max_denominator=99)


@st.composite
def matrices(draw):
    """Return any small matrix, with names of every kind."""
    rows, columns = (draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)) for _ in range(2))
    cells = [[(draw(NUMBERS), draw(NUMBERS)) for _ in columns] for _ in rows]
    plans = [[PureStrategy(name, name, {}) for name in names] for names in (rows, columns)]
    return Matrix(draw(st.tuples(st.text(max_size=5), NAMES)), *plans, cells)


@given(matrices(), NAMES)
def test_any_matrix_round_trips(there, title):
    """With any names, numbers and shapes; and its tree has the title."""
    text = to_nfg(there, title)
    assert is_same(from_nfg(text), there)
    assert tree_from_nfg(text).title == title


WRONG = {
    "": "line 1: the text ends here,",
    "EFG 2 R": "line 1: an .nfg file",
    "NFG 1 X": "line 1: NFG 1",
    "NFG 1 R title": "line 1: the title",
    'NFG 1 R "" { }': "line 1: a game",
    HEAD + "{ 2 } 1 1": "line 2: each of the 2 players",
    HEAD + "{ 2 2 2 } 1 1": "line 2:",
    HEAD + "{ 2 0 }": "line 2:",
    HEAD + "{ 2 { } }": "line 2: B has no strategy",
    HEAD + "{ 2 20000 }": "line 2: a player has 20,000",
    HEAD + "{ 10000 10000 }": "the game has 100,000,000 cells, and",
    HEAD + "{ 1 2 } 1 1 1": "line 2: the text ends here, and a payoff is missing: 2 cells",
    HEAD + "{ 1 2 } 1 1 1 x": "line 2: a payoff",
    HEAD + "{ 1 2 } 1 1 1 1/0": "line 2: a payoff",
    HEAD + "{ 1 2 }\n1 1 1 1\n1": "line 4: every cell",
    HEAD + '{ 1 2 } { { "" 1 } } 1 1': "line 2: an outcome",
    HEAD + '{ 1 2 } { { "" 1 1 } } 1 2': "line 2:",
    HEAD + '{ 1 2 } { { "" 1 1 } } 1 -1': "line 2: the number of an outcome",
    HEAD + '{ 1 2 } { "" 1 1 } 1 1': "line 2: '{'",
    HEAD + '{ { "a" b } }': "line 2: the name of a strategy",
    HEAD + "{ 1 2": "line 2: the text ends here,",
    HEAD + '{ { "' + "x" * 10_001 + '" } }': "line 2: the name of a strategy has more than 10,000",
    HEAD + " " * (20 * 2**20): "an .nfg file",
}


def test_errors_name_the_line_and_a_fix():
    """Every error is one sentence, for a matrix and for a tree."""
    for text, says in WRONG.items():
        for read in (from_nfg, tree_from_nfg):
            with pytest.raises(NfgError) as caught:
                read(text)
            assert str(caught.value).startswith(says)


@given(st.lists(st.sampled_from(["NFG", "1", "R", '"a"', "{", "}", "2", "-1/2", '"', ",", "0", "x", "1e9999", "\n"]), max_size=30))
def test_random_text_is_read_or_refused(words):
    """No other error is raised, and it takes no time."""
    begun = process_time()
    with suppress(NfgError):
        from_nfg(" ".join(words))
    with suppress(NfgError):
        assert from_nfg(HEAD + "{ " + " ".join(words)).rows
    assert process_time() - begun < 2


def test_only_text_with_a_matrix_is_accepted():
    """Bytes, paths and rows of numbers are refused."""
    with pytest.raises(NfgError, match=r"not b'NFG 1 R'.* from_nfg\(path"):
        from_nfg(b"NFG 1 R")
    with pytest.raises(NfgError, match="matrix"):
        to_nfg([[1, -1]])
