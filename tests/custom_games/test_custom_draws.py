"""Test random payoffs and chances of a teacher's own game: values, names, conditions and error messages."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.custom_games.game_template import GameRandomization, GameTemplate, NumberNames, parse_game
from durak_widget.errors import DurakError
from durak_widget.gametheory.tree import CHANCE, TERMINAL
from durak_widget.lessons import any_of, between, own_game

ENTRY = gametheory.textbook("entry")
BEER = gametheory.textbook("beer-quiche")


def payoffs_at_ends(tree):
    """Return the payoffs at each end, by the moves that lead there."""
    return {
        tree.actions_from_root(here): tree.payoffs[tree.infoset_of[here]]
        for here in range(tree.history_count)
        if tree.actor[here] == TERMINAL
    }


def draw_game(tree, lots, seed=1, **more):
    """Return a game drawn from a tree."""
    return GameTemplate("game", tree, lots=lots, **more).sample(Random(seed))


def test_only_the_named_payoff_is_random():
    """All spellings of its name work, and the given tree does not change."""
    before = payoffs_at_ends(ENTRY)
    found = payoffs_at_ends(draw_game(ENTRY, {"Payoff at  Enter,fight of entrant": any_of(-7)}).tree)
    assert found == {**before, ("enter", "fight"): (Fraction(-7), Fraction(0))}
    assert payoffs_at_ends(ENTRY) == before


def test_a_more_specific_name_overrides_a_general_one():
    """Their order does not matter."""
    for lots in ({"payoffs": any_of(1), "payoffs of Entrant": any_of(2), "payoff at stay out of Entrant": any_of(3)}, None):
        named = lots or {"payoff at stay out of Entrant": any_of(3), "payoffs of Entrant": any_of(2), "payoffs": any_of(1)}
        assert set(payoffs_at_ends(draw_game(ENTRY, named).tree).values()) == {(2, 1), (3, 1)}


def test_each_payoff_is_drawn_independently():
    """The same seed gives the same game."""
    found = payoffs_at_ends(draw_game(ENTRY, {"payoffs": between(0, 999)}).tree)
    assert len({number for payoff in found.values() for number in payoff}) == 6
    assert (
        found
        == payoffs_at_ends(draw_game(ENTRY, {"payoffs": between(0, 999)}).tree)
        != payoffs_at_ends(draw_game(ENTRY, {"payoffs": between(0, 999)}, seed=2).tree)
    )


def test_a_random_chance_leaves_the_rest_to_the_others():
    """They keep their proportions. Chances over 1 are refused."""
    tree = draw_game(BEER, {"chance of strong": any_of("1/3")}).tree
    [draw] = [tree.chance_moves[tree.infoset_of[here]] for here in range(tree.history_count) if tree.actor[here] == CHANCE]
    assert dict(zip(draw.actions, draw.probabilities, strict=True)) == {"strong": Fraction(1, 3), "weak": Fraction(2, 3)}
    kuhn = gametheory.textbook("kuhn")
    first, *others = kuhn.chance_moves[0].actions
    found = draw_game(kuhn, {f"chance of {first} at the start": any_of("1/2")}).tree.chance_moves[0]
    assert found.probabilities == (Fraction(1, 2), *[Fraction(1, 10)] * len(others))
    assert draw_game(BEER, {"chance of strong": any_of(1)}) is None
    with pytest.raises(DurakError, match=r"'the.*1' failed 3,000"):
        own_game(BEER, lots={"chance of strong": any_of("3/2")}).questions("beliefs")


def test_zero_sum_games_stay_zero_sum_by_default():
    """This is so for zero-sum trees and matrices of single numbers, not for pairs of 0 or if both are random."""
    lots = {"payoffs": between(1, 9)}
    for source in (gametheory.textbook("pennies"), [[0, 0], [0, 0]], [[(1, -1), (0, 0)], [(0, 0), (1, -1)]]):
        assert draw_game(source, lots).is_zero_sum
        assert not draw_game(source, lots, zero_sum=False).is_zero_sum
    assert not draw_game([[(0, 0), (0, 0)], [(0, 0), (0, 0)]], lots).is_zero_sum
    assert draw_game([[1, 2]], {"payoff at A, b of Column": any_of(5)}).matrix.payoffs == (((1, -1), (-5, 5)),)
    with pytest.raises(DurakError, match="drawn and the other"):
        draw_game([[1, 2]], {"payoffs of Row": any_of(1), "payoffs of Column": any_of(2)})
    with pytest.raises(DurakError, match="zero_sum=True"):
        draw_game(ENTRY, lots, zero_sum=True)


def test_an_ambiguous_name_is_refused():
    """Two moves of the same name lead to two ends."""
    twice = 'EFG 2 R "" { "Ann" } p "" 1 1 "" { "l" "l" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }'
    with pytest.raises(DurakError, match="two nodes of this game"):
        draw_game(twice, {"payoff at l of Ann": any_of(1)})
    assert {number for (number,) in payoffs_at_ends(draw_game(twice, {"payoffs": between(3, 999)}).tree).values()}.isdisjoint({1, 2})


@pytest.mark.parametrize(
    ("lots", "sentence"),
    [
        ({"payoff at enter, figth of Entrant": between(1, 2)}, r"Did you mean 'payoff at enter, fight of Entrant'\?"),
        ({"payoffs": 5}, "such as lessons.between"),
        ([("payoffs", between(1, 2))], "lots must give each random number"),
        ({7: between(1, 2)}, "called 7"),
    ],
)
def test_invalid_draws_are_refused_with_a_message(lots, sentence):
    """The message lists what exists."""
    with pytest.raises(DurakError, match=sentence):
        own_game(ENTRY, lots=lots)


def test_invalid_games_are_refused_with_a_message():
    """A file is found by its name, where modules are."""
    for source, sentence in (
        (7, "your own game must be a tree"),
        ("game.txt", "is not the name of an .efg file"),
        ("nowhere.efg", "there is no file 'nowhere.efg'"),
        ("EFG 2 R", "the text ends here"),
        ([[1], [2, 3]], "rows of a matrix.*length"),
    ):
        with pytest.raises(DurakError, match=sentence):
            own_game(source)


def test_a_game_file_is_found_beside_its_module(tmp_path, monkeypatch):
    """The current folder does not matter, and a byte order mark does no harm."""
    (tmp_path / "my entry 2.efg").write_text(f"\ufeff{gametheory.to_efg(ENTRY)}", encoding="utf-8")
    with pytest.raises(DurakError, match="beside"):
        own_game("my entry 2.efg")
    monkeypatch.syspath_prepend(tmp_path)
    assert parse_game("my entry 2.efg") == ENTRY
    assert own_game("my entry 2.efg").name == "my-entry-2"


def test_a_function_of_random_numbers_can_make_any_game():
    """Payoffs need no names then."""

    def duel(lots):
        cost = lots.randint(1, 5)
        return [[(4 - cost, 4 - cost), (8, 0)], [(0, 8), (4, 4)]]

    game = own_game(duel, name="duel", so_that="one pure equilibrium")
    assert (
        len(
            {
                repr(game.assignment("duel", "A duel", ["equilibria"]).create_exercise(1, f"s {number}").matrix.payoffs)
                for number in range(9)
            }
        )
        > 1
    )
    with pytest.raises(DurakError, match=r"leave.*lots="):
        own_game(duel, lots={"payoffs": between(1, 2)})


def test_a_shuffled_game_is_the_same_game():
    """It has the same ends and sets. The picture may differ."""
    seen = set()
    for seed in range(8):
        found = draw_game(BEER, {}, seed=seed, shuffle=True).tree
        assert {frozenset(way): payoffs for way, payoffs in payoffs_at_ends(found).items()} == {
            frozenset(way): payoffs for way, payoffs in payoffs_at_ends(BEER).items()
        }
        assert (found.infoset_counts, found.names) == (BEER.infoset_counts, BEER.names)
        seen.add(tuple(infoset.actions for infoset in found.infosets))
    assert len(seen) > 1


def test_every_name_leads_to_its_end_or_player_and_back():
    """Each end and player has a name."""
    places = NumberNames(ENTRY)
    for here in range(ENTRY.history_count):
        for seat in range(2) if ENTRY.actor[here] == TERMINAL else ():
            [spot] = places.find(f"payoff at {', '.join(ENTRY.actions_from_root(here))} of {ENTRY.names[seat]}").locations
            assert spot == (here, seat)
    assert len(GameRandomization.from_names(ENTRY, {"payoffs": any_of(0)}, zero_sum=False).random_payoffs) == 6


def test_a_game_with_unnamed_or_equal_moves_is_refused() -> None:
    """Gambit allows these, but answers are stored by move names."""
    for actions in ('{ "l" "l" }', '{ "" "" }'):
        text = f'EFG 2 R "twice" {{ "A" "B" }}\np "" 1 1 "s" {actions} 0\nt "" 1 "" {{1, 2}}\nt "" 2 "" {{4, 0}}\n'
        with pytest.raises(DurakError, match="give each move its own name"):
            own_game(text, name="twice").questions("path")


def test_a_game_of_thousands_of_moves_is_refused_at_once():
    """The message comes before anything is solved. 300 moves are allowed."""

    def long_game(moves):
        lines = [f'p "" {n % 2 + 1} {n // 2 + 1} "" {{ "l" "r" }} 0\nt "" {n + 1} "" {{ {n}, {-n} }}' for n in range(moves)]
        return "\n".join(['EFG 2 R "long" { "A" "B" }', *lines, f't "" {moves + 1} "" {{ 1, 2 }}'])

    assert own_game(long_game(300)) is not None
    with pytest.raises(DurakError, match="at most 300 moves long"):
        own_game(long_game(3000))
