"""Exercises on trees: over a thousand random games a right answer is never refused, and every mistake is named, rightly and only where it is proved."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from durak_widget import Game, theory
from durak_widget.errors import DurakError
from durak_widget.lessons import OnTree
from durak_widget.lessons.backward import judged
from durak_widget.lessons.meant import numbers_of
from durak_widget.theory.tree import CHANCE
from random_trees import drawn, in_some_writing, inner, open_tree, played_well

MANY = 1000


def written(tree, worth, seat, rng):
    """Values as somebody might write them, of one seat or of all."""
    joint = rng.choice((", ", "; ", " | "))
    return [
        in_some_writing(worth[node][seat], rng) if seat is not None else joint.join(in_some_writing(one, rng) for one in worth[node])
        for node in sorted(inner(tree))
    ]


def test_right_values_are_never_refused():
    """Whatever equally good moves they come from, and in any writing; and one wrong value among them is never taken for right."""
    for seed in range(MANY):
        rng = Random(seed)
        tree = open_tree(rng)
        if not inner(tree):
            continue
        worth, _ = played_well(tree, rng)
        seat = rng.choice([None, *range(tree.seats)])
        quiz = OnTree.values(tree, seat=seat)
        one = 0 if seat is None and tree.seats == 2 and not any(map(sum, tree.payoffs)) else seat
        answers = written(tree, worth, one, rng)
        assert quiz.answer(answers), (seed, answers, quiz.answer(answers).said)
        assert quiz.check()
        assert quiz.answer(quiz.solution), seed
        node = rng.choice(inner(tree))
        quiz.again()
        assert not quiz.answer({**dict(zip(sorted(inner(tree)), answers, strict=True)), node: "77" if one is not None else ", ".join(["77"] * tree.seats)})
        assert quiz.shown()["nodes"][str(node)]["mark"] == "wrong"


def what_mistakes_give(tree, here, ways, right, seats):
    """Each mistake by its name, worked out anew from what it is."""
    actor = tree.actor[here]
    mean = tuple(Fraction(sum(way[seat] for way in ways), len(ways)) for seat in range(tree.seats))
    zero_sum = tree.seats == 2 and not any(map(sum, tree.payoffs))
    asked = len(seats) > 1 or actor in seats
    if actor == CHANCE:
        likely = tree.chances[tree.info[here]].probabilities
        yield from (("one", way) for way in ways)
        if len(set(likely)) > 1:
            yield "plain", mean
        yield "sum", tuple(sum((way[seat] for way in ways), Fraction(0)) for seat in range(tree.seats))
    else:
        yield "average", mean
        if asked:
            yield "least", min(ways, key=lambda way: way[actor])
        if not (asked and zero_sum):
            for other in range(tree.seats):
                if other != actor:
                    yield "other", max(ways, key=lambda way: way[other])
    if tree.seats == 2:
        yield "swapped", right[::-1]


def test_every_mistake_is_named_where_it_is_proved_and_only_there():
    """Each is made at random histories; what follows from it above is right for what stands below."""
    named, follows = Counter(), 0
    for seed in range(MANY):
        rng = Random(seed)
        tree = open_tree(rng)
        worth, _ = played_well(tree, rng)
        for here in inner(tree):
            ways = [worth[child] for child in tree.children(here)]
            seats = rng.choice([range(tree.seats), [rng.randrange(tree.seats)]])
            made = dict(what_mistakes_give(tree, here, ways, worth[here], seats))
            for kind, wrong in made.items():
                believed, _ = played_well(tree, rng, wrong={here: wrong})
                given = {node: numbers_of("; ".join(str(believed[node][seat]) for seat in seats), len(seats)) for node in inner(tree)}
                found = judged(tree, given, list(seats))
                shown = tuple(wrong[seat] for seat in seats)
                if found[here].mark != "wrong":  # it comes to the same as what is right
                    continue
                others = {name for name, one in what_mistakes_give(tree, here, ways, worth[here], seats) if tuple(one[seat] for seat in seats) == shown}
                if found[here].mistake in {"", "less", "none", "elsewhere"}:
                    assert len(others) > 1 or found[here].mistake != "none", (seed, here, kind, found[here])
                    continue
                assert found[here].mistake in others, (seed, here, kind, found[here])
                named[found[here].mistake] += 1
                above = tree.parent[here]
                while above >= 0:
                    assert found[above].mark in {"right", "follows"}, (seed, here, above)
                    follows += found[above].mark == "follows"
                    above = tree.parent[above]
    assert named.keys() == {"one", "plain", "sum", "average", "least", "other", "swapped"}
    assert min(named.values()) > 50, named
    assert follows > 500


def test_the_path_is_right_whichever_equally_good_moves_are_made():
    """On the path alone, and everywhere; a move that is worse is never right, and what another would bring is said."""
    worse = 0
    for seed in range(MANY):
        rng = Random(seed)
        tree = open_tree(rng)
        if all(tree.actor[here] < 0 for here in inner(tree)):
            continue
        worth, moves = played_well(tree, rng)
        whole = rng.random() < 0.5
        quiz = OnTree.path(tree, whole=whole)
        assert quiz.answer(quiz.solution), seed
        assert quiz.answer(moves if whole else on_the_way(tree, moves)), seed
        here = rng.choice(sorted(moves))
        ways = [worth[child] for child in tree.children(here)]
        other = min(range(len(ways)), key=lambda move: ways[move][tree.actor[here]])
        gain = ways[moves[here]][tree.actor[here]] - ways[other][tree.actor[here]]
        if gain and whole:
            worse += 1
            found = quiz.answer({**moves, here: other})
            assert not found
            assert quiz.shown()["marks"][str(here)] == "wrong"
            assert "would bring" in found.said[1]
    assert worse > 200


def on_the_way(tree, moves):
    """The moves on the path alone."""
    found, waiting = {}, [0]
    while waiting:
        here = waiting.pop()
        if tree.actor[here] >= 0:
            found[here] = moves[here]
            waiting.append(tree.children(here)[moves[here]])
        else:
            waiting += tree.children(here)
    return found


PLACES = {
    "": theory.Turn(0, "begins", [("stop", "s"), ("go", "g")]),
    "s": theory.End((1, 0)),
    "g": theory.Turn(1, "answers", [("take", "t"), ("share", "h")]),
    "t": theory.End((0, 3)),
    "h": theory.End((2, 2)),
}
ENTRY = theory.grow("", PLACES.__getitem__, seats=2, names=("Ann", "Bob"))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({0: "1, 0"}, "Values still to be filled in: 1. Go on after “go”."),
        ({0: "2, 2", 2: "2, 2"}, "After “go”, Bob chooses, and takes what is best for Bob: you took what is least. At the start, the value is right for what you wrote below it: the mistake is there."),
        ({0: "1, 0", 2: "3, 0"}, "After “go”, these are the right numbers the wrong way round: the first player's comes first."),
        ({0: "1, 0", 2: "1, 5/2"}, "After “go”, Bob chooses: nobody tosses a coin there, so nothing is averaged."),
        ({0: "0, 3", 2: "0, 3"}, "At the start, Ann chooses, and takes what is best for Ann: you took what is least."),
        ({0: "1, 0", 2: "5, 5"}, "After “go”, Bob chooses one of the moves, so the value is the one after that move; yours stands after none of them."),
        ({0: "1, 0", 2: "three"}, "After “go”, “three” cannot be read: write a number for each player, as in 1, -1."),
        ({0: "1, 0", 2: "3"}, "After “go”, “3” cannot be read: write a number for each player, as in 1, -1."),
    ],
)  # fmt: skip
def test_what_is_said_of_values(answer, said):
    """The sentence of each mistake."""
    assert str(OnTree.values(ENTRY).answer(answer)) == f"Not yet. {said}"


def test_what_chance_draws_is_said_too():
    """One way alone, a plain average, a sum, and what nobody can know."""
    coin = theory.grow("", {"": theory.Draw([("heads", Fraction(1, 4), "h"), ("tails", Fraction(3, 4), "t")]), "h": theory.End((3, -3)), "t": theory.End((-1, 1))}.__getitem__, seats=2)  # fmt: skip
    quiz = OnTree.values(coin)
    for answer, told in (("3", "after “heads” alone"), ("1", "not equally likely"), ("2", "added the values up"), ("7", "multiply each value")):
        assert told in str(quiz.answer([answer]))
    assert quiz.answer(["0"])


def test_values_above_a_mistake_are_judged_by_it():
    """What is right in truth is right, whatever stands below; what follows from a mistake follows."""
    quiz = OnTree.values(ENTRY)
    quiz.answer({0: "1, 0", 2: "2, 2"})
    assert [one["mark"] for one in quiz.shown()["nodes"].values()] == ["right", "wrong"]
    quiz.answer({0: "2, 2", 2: "2, 2"})
    assert [one["mark"] for one in quiz.shown()["nodes"].values()] == ["follows", "wrong"]


def test_what_is_done_on_the_view_is_judged_when_it_is_checked():
    """Field by field; what is changed loses its mark, what is right can be changed no more, and what is no message is refused."""
    quiz = OnTree.values(ENTRY)
    quiz.give({"kind": "give", "node": 2, "text": "2, 2"})
    assert quiz.sheet()["begun"]
    assert quiz.sheet()["state"] == ""
    assert not quiz.judge()
    assert quiz.shown()["nodes"]["2"] == {"text": "2, 2", "mark": "wrong", "open": True}
    quiz.give({"kind": "give", "node": 2, "text": "0;3"})
    assert quiz.shown()["nodes"]["2"]["mark"] == ""
    quiz.give({"kind": "give", "node": 0, "text": "1, 0"})
    assert quiz.judge()
    assert quiz.tries == 2
    assert not any(one["open"] for one in quiz.shown()["nodes"].values())
    quiz.give({"kind": "give", "node": 0, "text": "5"})
    assert quiz.check()
    quiz.again()
    for message in ({"node": 1, "text": "1"}, {"node": 2}, {"node": None, "text": "1"}, {"node": "x", "text": "1"}, {"node": [["go"]], "text": "1"}, {"text": 3, "node": 2}, {}):  # fmt: skip
        with pytest.raises(DurakError):
            quiz.give(message)
    assert not quiz.sheet()["begun"]


def durak(**more):
    """A small ending: seat 0 may hold two cards, and each knows its own."""
    return theory.build_from(Game.from_position("suits=c, ranks=6789TJ, hand_size=2", hands=["7c Jc", "8c"], trump="c", talon="9c", discard="6c Tc"), **more)


def test_information_sets_are_joined():
    """A group that mixes is told apart by what the player sees; one that is not whole is hinted at, then told."""
    tree = theory.build(Rules_small(), dealer=1)
    quiz = OnTree.sets(tree)
    assert quiz.answer(quiz.solution)
    assert quiz.answer([" ".join(map(str, group)) for group in quiz.solution])
    assert quiz.view_tree.infosets[0] + quiz.view_tree.infosets[1] == sum(actor >= 0 for actor in tree.actor)
