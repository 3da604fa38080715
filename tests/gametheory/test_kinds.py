"""What is first asked of a game: what each seat remembers, what the payoffs add up to, what is hidden."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.game_properties import Remembers, kind_of_tree, lessened, memories
from durak_widget.gametheory.sequence_form_lcp import lemke
from durak_widget.gametheory.tree import Draw, End, Turn, forgets, grow
from support import textbook
from support.by_trying import payoffs
from support.random_trees import hidden_tree, open_tree
from support.sizes import tried

TEXTBOOK = {
    "bayes": ("perfect", "general", False, False, True),
    "beer-quiche": ("perfect", "general", False, False, True),
    "centipede": ("perfect", "general", True, True, False),
    "chain-store": ("perfect", "general", True, True, False),
    "driver": ("absent-minded", "general", False, False, False),
    "entry": ("perfect", "general", True, True, False),
    "horse": ("perfect", "general", False, False, False),
    "kuhn": ("perfect", "zero", False, False, True),
    "myerson": ("perfect", "zero", False, False, True),
    "outside-option": ("perfect", "general", False, False, False),
    "pennies": ("perfect", "zero", False, False, False),
    "spence": ("perfect", "general", False, False, True),
    "ultimatum": ("perfect", "general", True, True, False),
}


def test_the_textbooks_are_of_these_kinds():
    """Who remembers, what is shared, whether moves are seen and all is known, whether anything is drawn."""
    for name, known in TEXTBOOK.items():
        kind = kind_of_tree(gametheory.textbook(name))
        assert (kind.recall, kind.sums, kind.seen, kind.known, kind.chance) == known
        assert kind.seats == len(kind.memories) == gametheory.textbook(name).seats


@given(st.integers(0, 2**32))
def test_who_forgets_nothing_is_told_so(number):
    """What each seat knows of such a game is the list of all that it saw."""
    rng = Random(number)
    for tree in (hidden_tree(rng, seats=3), open_tree(rng)):
        assert set(memories(tree)) == {Remembers("perfect")}


@given(st.integers(0, 2**32))
def test_a_seat_that_is_made_to_forget_is_found(number):
    """Two information sets of a seat become one: then it may forget, and both ways of asking agree on whether."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=2)
    pairs = [
        (one, two)
        for one, first in enumerate(tree.sets)
        for two, second in enumerate(tree.sets)
        if one < two and (first.seat, first.moves) == (second.seat, second.moves)
    ]
    if not pairs:
        return
    one, two = rng.choice(pairs)

    def look(here):
        place = tree.info[here]
        if tree.actor[here] == -2:
            return End(tree.payoffs[place])
        if tree.actor[here] == -1:
            return Draw(list(zip(tree.chances[place].moves, tree.chances[place].probabilities, tree.children(here), strict=True)))
        return Turn(tree.actor[here], one if place == two else place, list(zip(tree.sets[place].moves, tree.children(here), strict=True)))

    merged = grow(0, look, seats=2)
    found = memories(merged)
    assert (forgets(merged) is None) == all(memory.recall == "perfect" for memory in found)
    for seat, memory in enumerate(found):
        twice = {
            merged.info[here]
            for here in range(merged.histories)
            if merged.actor[here] == seat
            and merged.info[here] in {merged.info[above] for above in before(merged, here) if merged.actor[above] == seat}
        }
        assert (memory.recall == "absent-minded") == bool(twice)
        assert memory.place is None or merged.sets[memory.place].seat == seat
        if memory.recall == "absent-minded":
            assert memory.place in twice


def before(tree, here):
    """The histories on the way to one."""
    while tree.parent[here] >= 0:
        here = tree.parent[here]
        yield here


def test_which_seat_forgets_and_where():
    """The first draws, forgets, and draws again; the second sees it all."""
    places = {"": Turn(0, "first", [("h", "h"), ("t", "t")])}
    for one in "ht":
        places[one] = Turn(1, f"sees {one}", [("h", one + "h"), ("t", one + "t")])
        for two in "ht":
            places[one + two] = Turn(0, "last", [("h", one + two + "h"), ("t", one + two + "t")])
            places |= {one + two + three: End((1, 0) if one == three else (0, 1)) for three in "ht"}
    tree = grow("", places.__getitem__, seats=2)
    kind = kind_of_tree(tree)
    last = [one.label for one in tree.sets].index("last")
    assert kind.memories == (Remembers("imperfect", last), Remembers("perfect"))
    assert (kind.recall, kind.sums, kind.total) == ("imperfect", "constant", 1)


@given(textbook.zero_sum(), st.fractions(-5, 5, max_denominator=4))
def test_a_solution_of_the_zero_sum_game_is_one_of_the_constant_sum_game(tree, pot):
    """With the constant added again, both players get what another solver finds for the game itself."""
    places = {}

    def look(here):
        place = tree.info[here]
        if tree.actor[here] == -2:
            return End((tree.payoffs[place][0] + pot / 3, tree.payoffs[place][1] + pot * 2 / 3))
        if tree.actor[here] == -1:
            return Draw(list(zip(tree.chances[place].moves, tree.chances[place].probabilities, tree.children(here), strict=True)))
        places[place] = None
        return Turn(tree.actor[here], place, list(zip(tree.sets[place].moves, tree.children(here), strict=True)))

    game = grow(0, look, seats=2)
    assert kind_of_tree(game).total == pot
    solution = gametheory.solve(lessened(game), "plans")
    assert (solution.value, pot - solution.value) == payoffs(game, lemke(game)) == payoffs(game, solution.strategy)
    assert gametheory.nash_conv(game, solution.strategy) == 0


def test_no_constant_can_be_taken_from_other_games():
    """Where payoffs add up to now this and now that, or not two play."""
    for name in ("entry", "horse", "driver"):
        with pytest.raises(gametheory.TreeError, match="a constant can be taken away where two play"):
            lessened(gametheory.textbook(name))


@pytest.mark.parametrize("stakes", [(1, 10**8, 1), (10**15, 1, 1), (1, 1, 10**15)])
@pytest.mark.parametrize("seed", range(tried(1, 6)))
def test_what_is_near_is_near_for_each_seat_by_what_it_has_at_stake(stakes, seed):
    """Three choose at once; what one plays for is nothing beside what another does, and is not forgotten for that."""
    rng = Random(seed)

    def look(where):
        if len(where) == 3:
            return End(tuple(stake * rng.randint(-5, 5) for stake in stakes))
        return Turn(len(where), f"chooses {len(where)}", [(move, where + move) for move in "ab"])

    tree = grow("", look, seats=3)
    answer = gametheory.solve(tree)
    for one in answer.found:
        for gain, paid in zip(one.gains, zip(*tree.payoffs, strict=True), strict=True):
            assert float(gain) <= 1e-5 * (max(paid) - min(paid))
    assert answer.found
