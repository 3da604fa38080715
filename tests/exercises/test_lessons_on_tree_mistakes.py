"""Test tree exercises on a thousand random games: right answers are accepted, mistakes are named only if proved."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from durak_widget.exercises.answer_form import parse_numbers
from durak_widget.exercises.node_value_question import grade_values
from durak_widget.gametheory.tree import CHANCE
from durak_widget.lessons import OnTree
from support.random_trees import inner_nodes, open_tree, optimal_play, random_notation
from support.sizes import tried
from support.spoken import english

MANY = tried(100, 1000)


def write_values(tree, values, seat, rng):
    """Return values as students may write them, of one player or of all."""
    joint = rng.choice((", ", "; ", " | "))
    return [
        random_notation(values[node][seat], rng)
        if seat is not None
        else joint.join(random_notation(payoff, rng) for payoff in values[node])
        for node in sorted(inner_nodes(tree))
    ]


def test_right_values_are_accepted_in_every_notation():
    """Any equally good moves will do. One wrong value is never accepted."""
    for seed in range(MANY):
        rng = Random(seed)
        tree = open_tree(rng)
        if not inner_nodes(tree):
            continue
        values, _ = optimal_play(tree, rng)
        seat = rng.choice([None, *range(tree.player_count)])
        quiz = OnTree.values(tree, player=seat)
        player = 0 if seat is None and tree.player_count == 2 and not any(map(sum, tree.payoffs)) else seat
        answers = write_values(tree, values, player, rng)
        assert quiz.answer(answers), (seed, answers, quiz.answer(answers).sentences)
        assert quiz.check()
        assert quiz.answer(quiz.solution), seed
        node = rng.choice(inner_nodes(tree))
        quiz.restart()
        assert not quiz.answer(
            {
                **dict(zip(sorted(inner_nodes(tree)), answers, strict=True)),
                node: "77" if player is not None else ", ".join(["77"] * tree.player_count),
            }
        )
        assert quiz.to_message()["nodes"][str(node)]["mark"] == "wrong"


def mistaken_values(tree, here, ways, right, seats):
    """Yield the value of each named mistake, computed again."""
    actor = tree.actor[here]
    mean = tuple(Fraction(sum(way[seat] for way in ways), len(ways)) for seat in range(tree.player_count))
    zero_sum = tree.player_count == 2 and not any(map(sum, tree.payoffs))
    asked = len(seats) > 1 or actor in seats
    if actor == CHANCE:
        probabilities = tree.chance_moves[tree.infoset_of[here]].probabilities
        yield from (("one", way) for way in ways)
        if len(set(probabilities)) > 1:
            yield "plain", mean
        yield "sum", tuple(sum((way[seat] for way in ways), Fraction(0)) for seat in range(tree.player_count))
    else:
        yield "average", mean
        if asked:
            yield from (("least", way) for way in ways if way[actor] == min(value[actor] for value in ways))
        if not (asked and zero_sum):
            for other in range(tree.player_count):
                if other != actor:
                    yield from (("other", way) for way in ways if way[other] == max(value[other] for value in ways))
    if tree.player_count == 2:
        yield "swapped", right[::-1]
    elif len(seats) == 1:
        for other in range(tree.player_count):
            if other != seats[0]:
                yield "swapped", tuple(right[other] if seat == seats[0] else item for seat, item in enumerate(right))


def test_every_mistake_is_named_exactly_where_it_is_proved():
    """Mistakes are made at random histories. Consistent values above them are right."""
    named, follows = Counter(), 0
    for seed in range(MANY):
        rng = Random(seed)
        tree = open_tree(rng)
        values, _ = optimal_play(tree, Random(seed))
        for here in rng.sample(inner_nodes(tree), min(1, len(inner_nodes(tree)))):
            ways = [values[child] for child in tree.children(here)]
            seats = rng.choice([range(tree.player_count), [rng.randrange(tree.player_count)]])
            mistakes = dict(mistaken_values(tree, here, ways, values[here], seats))
            for kind, wrong in mistakes.items():
                zero_sum = tree.player_count == 2 and not any(map(sum, tree.payoffs))
                meant = tuple(
                    wrong[seat] if seat in seats else -wrong[1 - seat] if zero_sum else right for seat, right in enumerate(values[here])
                )  # nodes that are not asked about keep their value
                believed, _ = optimal_play(tree, Random(seed), wrong={here: meant})
                given = {
                    node: parse_numbers("; ".join(str(believed[node][seat]) for seat in seats), len(seats)) for node in inner_nodes(tree)
                }
                found = grade_values(tree, given, list(seats))
                numbers = tuple(wrong[seat] for seat in seats)
                if found[here].mark != "wrong":  # it equals the right value
                    continue
                others = {
                    name
                    for name, mistake in mistaken_values(tree, here, ways, values[here], seats)
                    if tuple(mistake[seat] for seat in seats) == numbers
                }
                if not found[here].mistake_name:
                    actor = tree.actor[here]
                    tied = set() if actor < 0 else {way for way in ways if way[actor] == values[here][actor]}
                    assert (
                        len(others - {"other"} if "least" in others else others) > 1 or len(tied) > 1 or not (zero_sum or len(seats) > 1)
                    ), (
                        seed,
                        here,
                        kind,
                    )
                    continue
                if found[here].mistake_name == "elsewhere":  # it would be right with other equally good moves below
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


def test_the_path_is_right_for_all_equally_good_moves():
    """Test the path alone and the whole tree. A worse move is wrong, with a comparison."""
    worse = 0
    for seed in range(MANY):
        rng = Random(seed)
        tree = open_tree(rng)
        if all(tree.actor[here] < 0 for here in inner_nodes(tree)):
            continue
        values, moves = optimal_play(tree, rng)
        whole = rng.random() < 0.5
        quiz = OnTree.path(tree, whole=whole)
        assert quiz.answer(quiz.solution), seed
        assert quiz.answer(moves if whole else moves_on_path(tree, moves)), seed
        here = rng.choice(sorted(moves))
        ways = [values[child] for child in tree.children(here)]
        other = min(range(len(ways)), key=lambda move: ways[move][tree.actor[here]])
        gain = ways[moves[here]][tree.actor[here]] - ways[other][tree.actor[here]]
        if gain and whole:
            worse += 1
            found = quiz.answer({**moves, here: other})
            assert not found
            assert quiz.to_message()["marks"][str(here)] == "wrong"
            assert english("lesson.tree.path.better").fullmatch(found.sentences[1])
    assert worse > tried(20, 200)


def moves_on_path(tree, moves):
    """Return the moves on the path alone."""
    found, waiting = {}, [0]
    while waiting:
        here = waiting.pop()
        if tree.actor[here] >= 0:
            found[here] = moves[here]
            waiting.append(tree.children(here)[moves[here]])
        else:
            waiting += tree.children(here)
    return found
