"""Results worth teaching: endings, chances and mixing, with the figures that are published."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from durak_widget import Game, PositionError, theory
from durak_widget.cards import CardSet, read_cards
from durak_widget.games.trees.tree import CHANCE, OVER, Draw, End, Turn
from durak_widget.theory import results
from durak_widget.theory.endings import endgame
from durak_widget.theory.results.shapes import Shapes

# Endings


@pytest.mark.parametrize(
    ("rules", "won", "drawn", "single"),
    [
        ("econ431", Fraction(15767, 21252), Fraction(0), 16890),
        ("podkidnoy", Fraction(15067, 21252), Fraction(1205, 10626), 16050),
    ],
)
@pytest.mark.long
def test_two_against_two(rules, won, drawn, single):
    """All 63,756 positions of two and two among 24 cards, one suit being trumps."""
    found = results.two_against_two(rules=rules)
    assert (found.positions, found.won(), found.won(0), found.single) == (63756, won, drawn, single)
    assert sum(found.counts.values()) == 63756
    assert found.example is not None
    ending = endgame.solve(found.example)
    assert (ending.value, len(ending.best), len(ending.moves)) == (1, 1, 2)


def test_a_strategic_form_for_the_blackboard():
    """Three plans against four, and one of the attacker's is never worse than any other."""
    game = Game.from_position("econ431", hands=["Qh Ks", "Kh Kc"], trump="h")
    assert [str(move) for move in endgame.solve(game).best] == ["attack Qh"]
    form = theory.matrix(theory.build_from(game, open_hands=True))
    assert (len(form.rows), len(form.columns)) == (3, 4)
    (best,) = {one.by for one in form.dominated() if one.seat == 0}
    assert best == "attack Qh, throw Ks"


@pytest.mark.parametrize(
    ("rules", "trump", "ranks"),
    [("econ431", "h", "9TJQKA"), ("passport", "h", "9TJQKA"), ("japanese", "d", "JQKA"), ("low_trump", "c", "6KA"), ("weli", "h", "6QK")],
)
def test_positions_of_one_kind_are_worth_the_same(rules, trump, ranks):
    """A position looked up by its kind has the value, and as many best moves, as when it is solved itself."""
    shapes, rng = Shapes(rules, "cdhs", ranks, trump), Random(rules)
    for _ in range(60):
        cards = rng.sample(shapes.cards, rng.randrange(3, 6))
        cut = rng.randrange(1, len(cards) - 1)
        mine, theirs, attack = tuple(cards[:cut]), tuple(cards[cut:-1]), rng.choice([None, cards[-1]])
        found = shapes.waiting(mine, theirs, attack)
        game = Game.from_position(
            shapes.rules, hands=[CardSet(mine), CardSet(theirs)], trump=trump, table=str(attack) if attack else "", attacker=0
        )
        ending = endgame.solve(game)
        assert found is not None
        assert (found.value, sorted(found.moves.values()), found.best) == (ending.value, sorted(ending.moves.values()), len(ending.best))


def test_two_decks_are_not_counted_so():
    """Copies that look alike are no positions of their own."""
    with pytest.raises(PositionError, match="decks=1"):
        results.two_against_two(rules="two_decks")


@pytest.mark.parametrize("rules", ["econ431", "podkidnoy", "thrown_up"])
@pytest.mark.long
def test_up_to_four_cards_one_need_not_take(rules):
    """With two, three and four cards in play taking is never strictly better than beating."""
    for cards in (2, 3, 4):
        assert not results.taking(rules=rules, cards=cards).better


@pytest.mark.parametrize(
    ("rules", "waits", "better", "of_kinds"), [("econ431", 5010, 234, (2265, 114)), ("podkidnoy", 5508, 92, (2490, 47))]
)
@pytest.mark.long
def test_with_five_cards_it_may_be_right_to_take(rules, waits, better, of_kinds):
    """So often; each kind of deck with all three ranks counted once, so often; and always with two cards against three."""
    found = results.taking(rules=rules)
    assert (len(found.waits), len(found.better), found.of_each_kind) == (waits, better, of_kinds)
    assert {(len(one.attacker) + 1, len(one.defender)) for one in found.better} == {(3, 2)}
    for one in Random(1).sample(found.waits, 60) + Random(2).sample(found.better, 20):
        game = Game.from_position(rules, hands=[CardSet((*one.attacker, one.attack)), CardSet(one.defender)], trump="h")
        game.play(f"attack {one.attack}")
        worth = endgame.solve(game).moves
        assert one.take == next(value for move, value in worth.items() if move.verb == "take")
        assert one.beat == max(value for move, value in worth.items() if move.verb == "beat")


@pytest.mark.long
def test_the_only_win_is_to_take():
    """Hearts are trumps; K♥ attacks, Q♣ A♣ behind it, against A♥ K♣."""
    game = Game.from_position("econ431", hands=["Kh Qc Ac", "Ah Kc"], trump="h")
    game.play("attack Kh")
    assert {str(move): value for move, value in endgame.solve(game).moves.items()} == {"beat Kh Ah": -1, "take": 1}
    found = results.taking()
    assert any((str(one.attack), one.attacker, one.defender) == ("Kh", read_cards("Qc Ac"), read_cards("Kc Ah")) for one in found.better)


@pytest.mark.parametrize(("rules", "drawn"), [("econ431", 0), ("podkidnoy", 27)])
@pytest.mark.sample(2)
def test_all_but_one_cannot_be_beaten(rules, drawn):
    """It speaks just where at most one card can be beaten, an only card too; each position is thought through by another solver, and where not won, both run out together."""
    found = results.all_but_one(rules=rules, cards=4)
    assert {size: row[2] for size, row in found.sizes.items()} == {size: spoken_of(*size) for size in found.sizes}
    assert found.exceptions == drawn
    assert {size for size, row in found.sizes.items() if row[3]} == ({(1, 1)} if drawn else set())


def spoken_of(mine, theirs):
    """Of so many cards against so many of the nine, Q K A of three suits, hearts trumps: in how many deals at most one of the attacker's can be beaten."""
    deck = [rank + suit for suit in "cdh" for rank in "QKA"]

    def beaten(card, other):
        return "QKA".index(other[0]) > "QKA".index(card[0]) if card[1] == other[1] else other[1] == "h"

    return sum(
        sum(any(beaten(card, one) for one in other) for card in hand) <= 1
        for hand in combinations(deck, mine)
        for other in combinations([card for card in deck if card not in hand], theirs)
    )


def test_all_but_one_speaks_of_as_many_positions_as_the_page_prints():
    """Up to five cards, counted without a tree: by the sentence that stands there, 3,786."""
    page = (Path(__file__).parents[3] / "docs" / "results.md").read_text(encoding="utf-8")
    counted = sum(spoken_of(mine, cards - mine) for cards in range(2, 6) for mine in range(1, cards))
    assert f"No exception in the {counted:,} positions of the same nine cards with at most five in play" in page


# Chances


def test_chances_of_the_classroom_game():
    """Against counting all hands one by one."""
    found = results.chances()
    unseen, trumps = range(18), {0, 1, 2}
    hands = list(combinations(unseen, 5))
    assert found.none == Fraction(sum(not trumps & set(hand) for hand in hands), len(hands)) == Fraction(143, 408)
    assert found.expected == Fraction(sum(len(trumps & set(hand)) for hand in hands), len(hands)) == Fraction(5, 6)
    assert found.a_card == Fraction(sum(17 in hand for hand in hands), len(hands)) == Fraction(5, 18)
    hands = list(combinations(range(23), 5))
    assert found.a_trump == Fraction(sum(min(hand) < 5 for hand in hands), len(hands)) == Fraction(3583, 4807)


# Mixing


@pytest.mark.parametrize("rules", ["econ431", "podkidnoy"])
def test_the_smallest_deal_that_must_be_mixed(rules):
    """Five cards: worth −1/5, and 1/30 less to an attacker that may not mix; it attacks with either card half the time."""
    found = results.mixing(rules=rules)
    assert found.value == Fraction(-1, 5)
    assert found.costs == (Fraction(1, 30), 0)
    assert theory.check(found.tree, found.solution.certificate) == 0
    assert theory.check(found.tree, found.pure.certificate) == Fraction(1, 30)
    assert found.pure.strategy.pure
    likely = {likely for place, row in found.mixed.items() for likely in row if found.tree.sets[place].seat == 0}
    assert likely == {Fraction(1, 2)}


def test_that_attacker_must_mix():
    """No strategy guarantees the value if at its one doubtful choice it prefers either card for certain: another linear program, with that card alone."""
    found = results.mixing()
    (place,) = found.mixed
    here = found.tree.sets[place]
    assert (here.label, here.moves) == ("seat 0 holds Tc Qs, table empty", ("attack Tc", "attack Qs"))
    for chosen in here.moves:
        assert theory.solve(pruned(found.tree, {place: here.moves.index(chosen)})).upper < found.value


def pruned(tree, kept):
    """The tree in which at some information sets only one move is left."""

    def look(history):
        who, info = tree.actor[history], tree.info[history]
        if who == OVER:
            return End(tree.payoffs[info])
        if who == CHANCE:
            drawn = tree.chances[info]
            return Draw(list(zip(drawn.moves, drawn.probabilities, tree.children(history), strict=True)))
        if info in kept:
            return look(tree.children(history)[kept[info]])
        return Turn(who, info, list(zip(tree.sets[info].moves, tree.children(history), strict=True)))

    return theory.grow(0, look, seats=2)


@pytest.mark.parametrize(("cards", "mine", "theirs", "refill", "decks"), [(3, 1, 1, 1, 29), (4, 2, 1, 1, 29)])
def test_fewer_cards_need_no_mixing(cards, mine, theirs, refill, decks):
    """In no kind of deck of three or four cards does either side lose by never mixing."""
    found = results.mixers(cards=cards, suits=2 if cards == 4 else 4, mine=mine, theirs=theirs, refill=refill)
    assert found.decks == decks
    assert not found.attacker
    assert not found.defender


def test_a_deck_with_a_gap_is_of_the_same_kind():
    """Neither the gap between ranks nor the names of plain suits matter."""
    one = results.mixing(cards="Ah Tc Jc Qs Ks")
    other = results.mixing(cards="Ah 6d 9d Qc Kc")
    assert (one.value, one.costs) == (other.value, other.costs)
