"""Values by backward induction, as somebody fills them in: which are right, which follow from a mistake below, and which mistake one is.

A value is judged from the values that are written below it. What is wrong is named only where it is just what one mistake gives, and no other.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.gametheory.game_structure import zero_sum
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.answer_form import Meant
    from durak_widget.gametheory.tree import Tree

Worth = tuple[Fraction, ...]
"""What something is worth to each seat."""
Given = tuple["Meant", ...]
"""What somebody wrote: a number for each seat that is asked, or for the first of them alone."""

MANY: Final = 500
"""So many values may a history have, where equally good moves leave it open."""


def worths_asked(
    tree: Tree, given: Mapping[int, Given] | None = None, seats: Sequence[int] = (), truth: Sequence[frozenset[Worth]] = ()
) -> tuple[list[frozenset[Worth]], list[frozenset[Worth]]]:
    """Of each history what it may be worth, judged from what is given below it; and the same, but as given where something is given.

    There are several where equally good moves leave open what the others get.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, 0)), "r": End((1, 2))}.__getitem__, seats=2)
    >>> sorted(worths_asked(tree)[0][0])
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(2, 1))]
    """
    found: list[frozenset[Worth]] = [frozenset()] * tree.histories
    taken = list(found)
    for here in reversed(range(tree.histories)):
        actor, info = tree.actor[here], tree.info[here]
        below = [taken[child] for child in tree.children(here)]
        if actor == OVER:
            found[here] = frozenset([tree.payoffs[info]])
        elif actor == CHANCE:
            found[here] = drawn(tree.chances[info].probabilities, below)
        else:
            found[here] = best(actor, below)
        if len(found[here]) > MANY:
            raise DurakError("so many moves are equally good here that nobody could judge the values; take a tree with fewer ties")
        one = (given or {}).get(here)
        taken[here] = found[here] if one is None else _as_given(tree, one, seats, found[here], truth[here])
    return found, taken


def played_well(tree: Tree) -> tuple[list[Worth], dict[int, int]]:
    """What each history is worth when everybody plays well, and the move that is made there: of moves that are equally good the first.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, 0)), "r": End((1, 2))}.__getitem__, seats=2)
    >>> played_well(tree)[0][0], played_well(tree)[1]
    ((Fraction(1, 1), Fraction(0, 1)), {0: 0})
    """
    found: list[Worth] = [()] * tree.histories
    moves: dict[int, int] = {}
    for here in reversed(range(tree.histories)):
        ways, actor, info = [found[child] for child in tree.children(here)], tree.actor[here], tree.info[here]
        if actor == OVER:
            found[here] = tree.payoffs[info]
        elif actor == CHANCE:
            [found[here]] = drawn(tree.chances[info].probabilities, [frozenset([way]) for way in ways])
        else:
            moves[here] = max(range(len(ways)), key=[way[actor] for way in ways].__getitem__)
            found[here] = ways[moves[here]]
    return found, moves


def best(seat: int, below: Sequence[frozenset[Worth]]) -> frozenset[Worth]:
    """What a seat may bring about that takes what is best for itself: any that no other move is certain to beat."""
    least = [min(one[seat] for one in ways) for ways in below]
    return frozenset(
        one for move, ways in enumerate(below) for one in ways if all(one[seat] >= low for other, low in enumerate(least) if other != move)
    )


def drawn(likely: Sequence[Fraction], below: Sequence[frozenset[Worth]]) -> frozenset[Worth]:
    """What is worth a draw of chance: each way counts with its probability."""
    sums: set[Worth] = {(Fraction(0),) * len(next(iter(below[0])))}
    for share, ways in zip(likely, below, strict=True):
        sums = {tuple([a + share * b for a, b in zip(so_far, one, strict=True)]) for so_far in sums for one in ways}
        if len(sums) > MANY:
            break
    return frozenset(sums)


def _as_given(tree: Tree, given: Given, seats: Sequence[int], found: frozenset[Worth], truth: frozenset[Worth]) -> frozenset[Worth]:
    """What was given, for all seats: the numbers as they were meant, and what nobody asked for as it is."""
    for ways in (found, truth):
        if meant := frozenset(one for one in ways if means(given, seats, one)):
            return meant
    conflict = zero_sum(tree)
    made = set()
    for one in found:
        new = list(one)
        for seat, number in zip(seats, given, strict=False):
            new[seat] = number.value
            if conflict and len(given) == 1:
                new[1 - seat] = -number.value
        made.add(tuple(new))
    return frozenset(made)


def means(given: Given, seats: Sequence[int], worth: Worth) -> bool:
    """Whether that is what somebody wrote."""
    return all(number.means(worth[seat]) for seat, number in zip(seats, given, strict=False))


class Finding(NamedTuple):
    """What is thought of one value."""

    mark: str
    """`right`, `wrong`, or `follows`: right for what is written below it, where the mistake is."""
    mistake: str = ""
    """Which one it is; empty where none is proved."""
    move: int = -1
    """The child whose value it is, where it is that of one."""


def judged(tree: Tree, given: Mapping[int, Given], seats: Sequence[int]) -> dict[int, Finding]:
    """What is thought of each value that was written: of `seats`, or of the first of them."""
    truth, _ = worths_asked(tree)
    found, taken = worths_asked(tree, given, seats, truth)
    errs: list[bool] = [False] * tree.histories
    judged: dict[int, Finding] = {}
    for here in reversed(range(tree.histories)):
        errs[here] = any(errs[child] for child in tree.children(here))
        if here not in given:
            continue
        follows, true = (any(means(given[here], seats, one) for one in ways) for ways in (found[here], truth[here]))
        if true and (follows or errs[here]):
            judged[here] = Finding("right")
        elif true:
            judged[here] = Finding("wrong", "elsewhere")
        elif follows:
            judged[here] = Finding("follows")
        else:
            judged[here] = Finding("wrong", *_mistake(tree, here, given[here], seats, found, taken))
        errs[here] = errs[here] or not true
    return dict(sorted(judged.items()))


def _mistake(
    tree: Tree, here: int, given: Given, seats: Sequence[int], found: Sequence[frozenset[Worth]], taken: Sequence[frozenset[Worth]]
) -> tuple[str, int]:
    """Which mistake gives just that value, and none of the others does."""
    below = [taken[child] for child in tree.children(here)]
    counts = seats if tree.actor[here] == CHANCE else range(tree.seats)  # what a draw is worth to others is nobody's mistake
    if any(len({tuple([one[seat] for seat in counts]) for one in ways}) > 1 for ways in (*below, found[here])):
        return "", -1
    right, *ways = [next(iter(one)) for one in (found[here], *below)]
    here_is = [move for move, way in enumerate(ways) if means(given, seats, way)]
    named = [name for name, way in mistakes(tree, here, ways, right, seats) if means(given, seats, way)]
    kinds = dict.fromkeys(named)
    if kinds.keys() == {"least", "other"}:  # what is best for another is least for who chooses: one and the same
        del kinds["other"]
    move = tree.first[here] + here_is[0] if len(here_is) == 1 or (here_is and "one" in kinds) else -1
    if len(kinds) == 1:
        return next(iter(kinds)), move
    if kinds:
        return "", move
    actor = tree.actor[here]
    if actor >= 0 and here_is:
        return ("less", move) if move >= 0 else ("", -1)
    return ("none" if actor >= 0 else ""), -1


def mistakes(tree: Tree, here: int, ways: Sequence[Worth], right: Worth, seats: Sequence[int]) -> list[tuple[str, Worth]]:
    """What each mistake would give, from the values below: its name, and the value.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> [(name, str(worth[0])) for name, worth in mistakes(tree, 0, [(Fraction(1), Fraction(-1)), (Fraction(0), Fraction(0))], (Fraction(1), Fraction(-1)), [0])]
    [('least', '0'), ('average', '1/2'), ('swapped', '-1')]
    """
    actor, whole = tree.actor[here], range(tree.seats)
    mean = tuple([sum((way[seat] for way in ways), Fraction(0)) / len(ways) for seat in whole])
    found: list[tuple[str, Worth]] = []
    if actor == CHANCE:
        likely = tree.chances[tree.info[here]].probabilities
        found += [("one", way) for way in ways]
        found += [("plain", mean)] if len(set(likely)) > 1 else []
        found += [("sum", tuple([one * len(ways) for one in mean]))] if len(ways) > 1 else []
    elif len(ways) > 1:
        conflict = zero_sum(tree)
        low = min(way[actor] for way in ways)
        asked = len(seats) > 1 or actor in seats
        if asked and low < right[actor]:
            found += [("least", way) for way in ways if way[actor] == low]
        for other in whole:
            if other != actor and not (conflict and asked):
                high = max(way[other] for way in ways)
                found += [("other", way) for way in ways if way[other] == high and way[actor] < right[actor]]
        found.append(("average", mean))
    if tree.seats == 2 or len(seats) == 1:
        for other in whole:
            if other != seats[0]:
                turned = list(right)
                turned[seats[0]], turned[other] = right[other], right[seats[0]]
                found.append(("swapped", tuple(turned)))
    return found
