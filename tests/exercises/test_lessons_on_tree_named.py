"""Exercises on trees: over a thousand random games a right answer is never refused, and every mistake is named, rightly and only where it is proved."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from durak_widget.exercises.answer_form import parse_numbers
from durak_widget.exercises.node_value_question import grade_values
from durak_widget.gametheory.tree import CHANCE
from durak_widget.lessons import OnTree
from support.random_trees import in_some_writing, inner, open_tree, played_well
from support.sizes import tried

MANY = tried(100, 1000)


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
        seat = rng.choice([None, *range(tree.player_count)])
        quiz = OnTree.values(tree, player=seat)
        one = 0 if seat is None and tree.player_count == 2 and not any(map(sum, tree.payoffs)) else seat
        answers = written(tree, worth, one, rng)
        assert quiz.answer(answers), (seed, answers, quiz.answer(answers).sentences)
        assert quiz.check()
        assert quiz.answer(quiz.solution), seed
        node = rng.choice(inner(tree))
        quiz.restart()
        assert not quiz.answer(
            {
                **dict(zip(sorted(inner(tree)), answers, strict=True)),
                node: "77" if one is not None else ", ".join(["77"] * tree.player_count),
            }
        )
        assert quiz.to_message()["nodes"][str(node)]["mark"] == "wrong"


def what_mistakes_give(tree, here, ways, right, seats):
    """Each mistake by its name, worked out anew from what it is."""
    actor = tree.actor[here]
    mean = tuple(Fraction(sum(way[seat] for way in ways), len(ways)) for seat in range(tree.player_count))
    zero_sum = tree.player_count == 2 and not any(map(sum, tree.payoffs))
    asked = len(seats) > 1 or actor in seats
    if actor == CHANCE:
        likely = tree.chance_moves[tree.infoset_of[here]].probabilities
        yield from (("one", way) for way in ways)
        if len(set(likely)) > 1:
            yield "plain", mean
        yield "sum", tuple(sum((way[seat] for way in ways), Fraction(0)) for seat in range(tree.player_count))
    else:
        yield "average", mean
        if asked:
            yield from (("least", way) for way in ways if way[actor] == min(one[actor] for one in ways))
        if not (asked and zero_sum):
            for other in range(tree.player_count):
                if other != actor:
                    yield from (("other", way) for way in ways if way[other] == max(one[other] for one in ways))
    if tree.player_count == 2:
        yield "swapped", right[::-1]
    elif len(seats) == 1:
        for other in range(tree.player_count):
            if other != seats[0]:
                yield "swapped", tuple(right[other] if seat == seats[0] else one for seat, one in enumerate(right))


def test_every_mistake_is_named_where_it_is_proved_and_only_there():
    """Each is made at random histories; what follows from it above is right for what stands below."""
    named, follows = Counter(), 0
    for seed in range(MANY):
        rng = Random(seed)
        tree = open_tree(rng)
        worth, _ = played_well(tree, Random(seed))
        for here in rng.sample(inner(tree), min(1, len(inner(tree)))):
            ways = [worth[child] for child in tree.children(here)]
            seats = rng.choice([range(tree.player_count), [rng.randrange(tree.player_count)]])
            made = dict(what_mistakes_give(tree, here, ways, worth[here], seats))
            for kind, wrong in made.items():
                zero_sum = tree.player_count == 2 and not any(map(sum, tree.payoffs))
                meant = tuple(
                    wrong[seat] if seat in seats else -wrong[1 - seat] if zero_sum else right for seat, right in enumerate(worth[here])
                )  # what nobody asked for is as it is
                believed, _ = played_well(tree, Random(seed), wrong={here: meant})
                given = {node: parse_numbers("; ".join(str(believed[node][seat]) for seat in seats), len(seats)) for node in inner(tree)}
                found = grade_values(tree, given, list(seats))
                shown = tuple(wrong[seat] for seat in seats)
                if found[here].mark != "wrong":  # it comes to the same as what is right
                    continue
                others = {
                    name
                    for name, one in what_mistakes_give(tree, here, ways, worth[here], seats)
                    if tuple(one[seat] for seat in seats) == shown
                }
                if not found[here].mistake_name:
                    actor = tree.actor[here]
                    tied = set() if actor < 0 else {way for way in ways if way[actor] == worth[here][actor]}
                    assert (
                        len(others - {"other"} if "least" in others else others) > 1 or len(tied) > 1 or not (zero_sum or len(seats) > 1)
                    ), (
                        seed,
                        here,
                        kind,
                    )
                    continue
                if found[here].mistake_name == "elsewhere":  # right, if other moves that are as good had been made below
                    continue
                assert found[here].mistake_name in others, (seed, here, kind, found[here])
                named[found[here].mistake_name] += 1
                above = tree.parent[here]
                while above >= 0:
                    assert found[above].mark in {"right", "follows"}, (seed, here, above)
                    follows += found[above].mark == "follows"
                    above = tree.parent[above]
    assert named.keys() == {"one", "plain", "sum", "average", "least", "other", "swapped"}
    assert min(named.values()) > tried(6, 20), named
    assert follows > tried(20, 200)


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
            assert quiz.to_message()["marks"][str(here)] == "wrong"
            assert "would bring" in found.sentences[1]
    assert worse > tried(20, 200)


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
