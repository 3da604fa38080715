"""What is drawn in a game of a teacher's own: where, from which numbers, and what is said when a name, a condition or a draw will not do."""

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


def ends(tree):
    """What each end is worth, by the moves that lead there."""
    return {
        tree.actions_from_root(here): tree.payoffs[tree.infoset_of[here]]
        for here in range(tree.history_count)
        if tree.actor[here] == TERMINAL
    }


def made(tree, lots, seed=1, **more):
    """A game drawn from a tree."""
    return GameTemplate("game", tree, lots=lots, **more).sample(Random(seed))


def test_one_payoff_is_drawn_and_the_others_stand():
    """However its name is written; the tree that was given stays as it was."""
    before = ends(ENTRY)
    found = ends(made(ENTRY, {"Payoff at  Enter,fight of entrant": any_of(-7)}).tree)
    assert found == {**before, ("enter", "fight"): (Fraction(-7), Fraction(0))}
    assert ends(ENTRY) == before


def test_a_more_particular_name_has_the_last_word():
    """Whatever the order in which they are given."""
    for lots in ({"payoffs": any_of(1), "payoffs of Entrant": any_of(2), "payoff at stay out of Entrant": any_of(3)}, None):
        named = lots or {"payoff at stay out of Entrant": any_of(3), "payoffs of Entrant": any_of(2), "payoffs": any_of(1)}
        assert set(ends(made(ENTRY, named).tree).values()) == {(2, 1), (3, 1)}


def test_each_payoff_has_a_lot_of_its_own():
    """And the same lots give the same game again."""
    found = ends(made(ENTRY, {"payoffs": between(0, 999)}).tree)
    assert len({number for worth in found.values() for number in worth}) == 6
    assert found == ends(made(ENTRY, {"payoffs": between(0, 999)}).tree) != ends(made(ENTRY, {"payoffs": between(0, 999)}, seed=2).tree)


def test_a_chance_is_drawn_and_the_others_share_the_rest():
    """As they did before; what comes to more than 1 is no game."""
    tree = made(BEER, {"chance of strong": any_of("1/3")}).tree
    [draw] = [tree.chance_moves[tree.infoset_of[here]] for here in range(tree.history_count) if tree.actor[here] == CHANCE]
    assert dict(zip(draw.actions, draw.probabilities, strict=True)) == {"strong": Fraction(1, 3), "weak": Fraction(2, 3)}
    kuhn = gametheory.textbook("kuhn")
    first, *others = kuhn.chance_moves[0].actions
    found = made(kuhn, {f"chance of {first} at the start": any_of("1/2")}).tree.chance_moves[0]
    assert found.probabilities == (Fraction(1, 2), *[Fraction(1, 10)] * len(others))
    assert made(BEER, {"chance of strong": any_of(1)}) is None
    with pytest.raises(DurakError, match="'the chances of a draw add up to 1' failed 3,000 times"):
        own_game(BEER, lots={"chance of strong": any_of("3/2")}).questions("beliefs")


def test_what_one_wins_the_other_loses_as_long_as_nothing_else_is_said():
    """So with a zero-sum tree, and a matrix in single numbers; not with pairs that are all 0, nor where both are to be drawn."""
    lots = {"payoffs": between(1, 9)}
    for source in (gametheory.textbook("pennies"), [[0, 0], [0, 0]], [[(1, -1), (0, 0)], [(0, 0), (1, -1)]]):
        assert made(source, lots).is_zero_sum
        assert not made(source, lots, zero_sum=False).is_zero_sum
    assert not made([[(0, 0), (0, 0)], [(0, 0), (0, 0)]], lots).is_zero_sum
    assert made([[1, 2]], {"payoff at A, b of Column": any_of(5)}).matrix.payoffs == (((1, -1), (-5, 5)),)
    with pytest.raises(DurakError, match="one is drawn and the other follows"):
        made([[1, 2]], {"payoffs of Row": any_of(1), "payoffs of Column": any_of(2)})
    with pytest.raises(DurakError, match="zero_sum=True is said of a game"):
        made(ENTRY, lots, zero_sum=True)


def test_a_name_that_may_be_two_places_is_refused():
    """Two moves called alike lead to two ends that one name would mean."""
    twice = 'EFG 2 R "" { "Ann" } p "" 1 1 "" { "l" "l" } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }'
    with pytest.raises(DurakError, match="may be two places of this game"):
        made(twice, {"payoff at l of Ann": any_of(1)})
    assert {number for (number,) in ends(made(twice, {"payoffs": between(3, 999)}).tree).values()}.isdisjoint({1, 2})


@pytest.mark.parametrize(
    ("lots", "said"),
    [
        ({"payoff at enter, figth of Entrant": between(1, 2)}, r"Did you mean 'payoff at enter, fight of Entrant'\?"),
        ({"payoffs": 5}, "is what is drawn there, such as lessons.between"),
        ([("payoffs", between(1, 2))], "lots are given by their places"),
        ({7: between(1, 2)}, "nothing that could be drawn is called 7"),
    ],
)
def test_what_is_no_lot_is_refused_in_a_sentence(lots, said):
    """With what there is."""
    with pytest.raises(DurakError, match=said):
        own_game(ENTRY, lots=lots)


def test_what_is_no_game_is_refused_in_a_sentence():
    """A file is read by its name, and looked for where modules are."""
    for source, said in (
        (7, "a game of your own is a tree"),
        ("game.txt", "is not the name of an .efg file"),
        ("nowhere.efg", "there is no file 'nowhere.efg'"),
        ("EFG 2 R", "the text ends here"),
        ([[1], [2, 3]], "the rows of a matrix are of one length"),
    ):
        with pytest.raises(DurakError, match=said):
            own_game(source)


def test_a_file_is_found_where_modules_are(tmp_path, monkeypatch):
    """Beside the module that names it, wherever the command was started; a mark of its order of bytes does no harm."""
    (tmp_path / "my entry 2.efg").write_text(f"\ufeff{gametheory.to_efg(ENTRY)}", encoding="utf-8")
    with pytest.raises(DurakError, match="lay it beside"):
        own_game("my entry 2.efg")
    monkeypatch.syspath_prepend(tmp_path)
    assert parse_game("my entry 2.efg") == ENTRY
    assert own_game("my entry 2.efg").name == "my-entry-2"


def test_a_function_of_lots_makes_any_game():
    """All that differs comes from them; then there is nothing to be named."""

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
    with pytest.raises(DurakError, match="leave lots= out"):
        own_game(duel, lots={"payoffs": between(1, 2)})


def test_a_shuffled_game_is_the_same_game():
    """With its moves in another order: the same ends by the same moves, the same number of sets, and not always the same picture."""
    seen = set()
    for seed in range(8):
        found = made(BEER, {}, seed=seed, shuffle=True).tree
        assert {frozenset(way): worth for way, worth in ends(found).items()} == {frozenset(way): worth for way, worth in ends(BEER).items()}
        assert (found.infoset_counts, found.names) == (BEER.infoset_counts, BEER.names)
        seen.add(tuple(one.actions for one in found.infosets))
    assert len(seen) > 1


def test_every_name_leads_somewhere_and_back():
    """Each end and each player has a name; what it means is that end and that player."""
    places = NumberNames(ENTRY)
    for here in range(ENTRY.history_count):
        for seat in range(2) if ENTRY.actor[here] == TERMINAL else ():
            [spot] = places.find(f"payoff at {', '.join(ENTRY.actions_from_root(here))} of {ENTRY.names[seat]}").locations
            assert spot == (here, seat)
    assert len(GameRandomization.from_names(ENTRY, {"payoffs": any_of(0)}, zero_sum=False).random_payoffs) == 6


def test_a_game_whose_moves_cannot_be_told_apart_is_refused() -> None:
    """Gambit lets moves be called alike, or nothing; answers are kept by their names."""
    for one in ('{ "l" "l" }', '{ "" "" }'):
        text = f'EFG 2 R "twice" {{ "A" "B" }}\np "" 1 1 "s" {one} 0\nt "" 1 "" {{1, 2}}\nt "" 2 "" {{4, 0}}\n'
        with pytest.raises(DurakError, match="each needs one of its own"):
            own_game(text, name="twice").questions("path")


def test_a_game_that_goes_on_for_thousands_of_moves_is_refused_at_once():
    """In one sentence, before anything is solved; 300 moves are fine."""

    def long_game(moves):
        lines = [f'p "" {n % 2 + 1} {n // 2 + 1} "" {{ "l" "r" }} 0\nt "" {n + 1} "" {{ {n}, {-n} }}' for n in range(moves)]
        return "\n".join(['EFG 2 R "long" { "A" "B" }', *lines, f't "" {moves + 1} "" {{ 1, 2 }}'])

    assert own_game(long_game(300)) is not None
    with pytest.raises(DurakError, match="at most 300 moves long"):
        own_game(long_game(3000))
