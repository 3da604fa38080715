"""Asks for the values of tree nodes by backward induction, and judges the values that are filled in.

A value is judged from the values written below it, so that a mistake is counted only once. A mistake is named
only if it gives exactly the written value and no other mistake does.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.number_format import number_said
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.exercises.answer_form import as_typed, cost_of_one_for_all, left_open, numbers_of, numbers_written, with_minus
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.blackboard_serialization import plain_tree
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import BranchSaid, node_of, place_said, player_said, require_perfect_information
from durak_widget.exercises.paper_form import Blank, HandWork, letters_for
from durak_widget.gametheory.game_properties import zero_sum
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_form import Meant
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written
    from durak_widget.gametheory.tree import Tree

MOST: Final = 60
"""So many values may be asked for at once."""
MANY: Final = 500
"""So many values may a history have, where equally good moves leave it open."""


class Values(Asked[dict[int, str]]):
    """What is the game worth at these histories, to all seats or to one?"""

    asks = "values"
    fields = True
    guessed = True

    def __init__(self, tree: Tree, nodes: Iterable[object] | None, seat: int | None, question: Text) -> None:
        require_perfect_information(tree, "values are filled in backwards")
        self._tree = tree
        found = [here for here in range(tree.histories) if tree.actor[here] != OVER] if nodes is None else _nodes(tree, nodes)
        if not 0 < len(found) <= MOST:
            raise DurakError(f"values are asked for at 1 to {MOST} histories, not at {len(found):,}; say at which: nodes=[…]")
        self._nodes = sorted(found)
        self.wanted = [child for node in self._nodes for child in tree.children(node)]
        number = None if seat is None else whole_number(seat)
        if seat is not None and (number is None or number not in range(tree.seats)):
            raise DurakError(f"there is no seat {quoted(seat)}; seats are counted from 0 to {tree.seats - 1}")
        number = 0 if number is None and zero_sum(tree) else number  # what one wins the other loses: one number says both
        self.seat = number
        self._seats: Sequence[int] = range(tree.seats) if number is None else [number]
        usual = Fact("lesson.tree.values.all") if number is None else Fact("lesson.tree.values.one", {"who": player_said(tree, number)})
        self.question = asked_as(question, usual)
        self._truth, _ = worths_asked(tree)

    def blank(self) -> dict[int, str]:
        """No value is written yet."""
        return {}

    def read(self, answer: object) -> dict[int, str]:
        """Values by histories, or in their order."""
        if isinstance(answer, dict):
            return {self._node(node): as_typed(one) for node, one in answer.items()}
        several = isinstance(answer, list) or (isinstance(answer, tuple) and len(self._nodes) > 1 and len(answer) != len(self._seats))
        listed = list(answer) if several else [answer]  # type: ignore[call-overload] # as was just found out
        if odd := next((one for one in listed if isinstance(one, (list, tuple)) and len(one) not in {1, self._tree.seats}), None):
            raise DurakError(f"a value is a number, or one for each player, as in (1, -1), not {quoted(odd)}")
        if len(listed) > len(self._nodes):
            raise DurakError(f"values are asked for at the histories {', '.join(map(str, self._nodes))}: one for each, not {len(listed)}")
        return dict(zip(self._nodes, map(as_typed, listed), strict=False))

    def take(self, given: dict[int, str], message: Mapping[str, object]) -> dict[int, str]:
        """A value is written at a history."""
        text = message.get("text")
        if not isinstance(text, str):
            raise DurakError(f"a value is written as a text, such as '1/2', not {quoted(text)}")
        return {**given, self._node(message.get("node")): as_typed(text)}

    def plain(self, given: dict[int, str]) -> object:
        """Values by the numbers of histories."""
        return {str(node): text for node, text in given.items()}

    def stands(self, key: str, before: dict[int, str], now: dict[int, str]) -> bool:
        """A mark stands while its value does."""
        return before.get(int(key)) == now.get(int(key))

    def begun(self, given: dict[int, str]) -> bool:
        """Something is written somewhere."""
        return any(map(str.strip, given.values()))

    def unread(self, given: dict[int, str]) -> bool:
        """Some field holds something, and none a number."""
        written = [text for text in given.values() if text.strip()]
        return bool(written) and not any(map(self._numbers, written))

    def open(self, given: dict[int, str]) -> Sequence[Text]:
        """Fields that are empty, and those that cannot be read."""
        return left_open([given.get(node, "") for node in self._nodes], self._numbers)

    def _node(self, node: object) -> int:
        number = node_of(self._tree, node)
        if number not in self._nodes:
            raise DurakError(f"no value is asked for at history {number}, but at {', '.join(map(str, self._nodes))}")
        return number

    def judge(self, given: dict[int, str]) -> Opinion:
        """Each value by those below it; what is read, missing or wrong."""
        read: dict[int, Given] = {}
        unread = []
        for node in self._nodes:
            text = given.get(node, "").strip()
            one = self._numbers(text) if text else None
            if one is not None:
                read[node] = one
            elif text:
                unread.append(node)
        found = judged(self._tree, read, self._seats)
        marks = {str(node): one.mark for node, one in found.items()} | {str(node): "wrong" for node in unread}
        missing = [node for node in self._nodes if node not in read and node not in unread]
        if not missing and not unread and all(one.mark == "right" for one in found.values()):
            return Opinion(marks, [], True)
        why: list[Text] = [
            Fact(
                f"lesson.tree.unread.{'one' if len(self._seats) == 1 else 'all'}",
                {"text": given[node][:20], "where": place_said(self._tree, node)},
            )
            for node in unread
        ]
        wrong = sorted((node for node, one in found.items() if one.mark == "wrong"), key=lambda node: -node)  # a mistake below comes first
        named = [self._why(node, found[node]) for node in wrong[:2]]
        follows = [node for node, one in found.items() if one.mark == "follows"]
        after: list[Text] = [Fact("lesson.tree.follows", {"where": place_said(self._tree, node)}) for node in follows[-1:]]
        if missing:
            after.append(Fact("lesson.tree.missing", {"count": len(missing), "where": place_said(self._tree, missing[-1])}))
        told = [
            self._told(node, read) if self._tree.actor[node] >= 0 and not found[node].mistake else self._why(node, found[node])
            for node in wrong[:2]
        ]
        return Opinion(marks, [*why, *named, *after], False, [*why, *told, *after])

    def told(self, given: dict[int, str], marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """What is written at each history."""
        return [
            ToldPart(place_said(self._tree, node), with_minus(text), marks.get(str(node), ""))
            for node in self._nodes
            if (text := given.get(node, "").strip())
        ]

    def still(self, given: dict[int, str] | None, marks: Mapping[str, str]) -> Still:
        """The tree with what each history is worth, and beside it what was written there that is wrong."""
        wrong = {node: f"✗ {with_minus(text)}" for node, text in (given or {}).items() if marks.get(str(node)) == "wrong"}
        return Still(self._tree, values=dict(zip(self._nodes, self.solution, strict=True)), labels=wrong)

    def part_done(self, given: dict[int, str], marks: Mapping[str, str]) -> Fraction:
        """What cannot be read is worth no less than what is empty."""
        return super().part_done(given, self.legible(given, marks))

    def legible(self, given: dict[int, str], marks: Mapping[str, str]) -> Mapping[str, str]:
        """Return the marks of those values that can be read."""
        return {node: mark for node, mark in marks.items() if self._numbers(given.get(int(node), ""))}

    def wrong_costs(self) -> Fraction:
        """Return so much that no number gains anything which is written at every place."""
        return cost_of_one_for_all(self.solution)

    def followed(self, given: dict[int, str], marks: Mapping[str, str]) -> int:
        """Return how many values follow from a mistake; no more of them count than values are right beside the one that was written most.

        A number that is written everywhere follows rightly from itself, which proves nothing.
        """
        written = {node: self._numbers(text) for node, text in given.items()}
        count = Counter(written.values())
        usual = max(count, key=lambda one: count[one], default=None)
        shown = sum(mark == "right" and written.get(int(node)) != usual for node, mark in marks.items())
        return min(sum(mark == "follows" for mark in marks.values()), shown)

    def _told(self, node: int, read: Mapping[int, Given]) -> Text:
        """What who chooses gets most by, from the values below."""
        tree, actor = self._tree, self._tree.actor[node]
        _, taken = worths_asked(tree, read, self._seats, self._truth)
        most = [max(one[actor] for one in taken[child]) for child in tree.children(node)]
        best = most.index(max(most))
        facts = {"better": BranchSaid(tree.first[node] + best), "more": number_said(max(most))}
        return Fact("lesson.tree.wrong.told", {"where": place_said(tree, node), "who": player_said(tree, actor), **facts})

    def _numbers(self, text: str) -> Given | None:
        """What is written, of the seats that are asked for: of a row of numbers for all, that of the one seat."""
        if len(self._seats) == 1:
            alone = numbers_of(text, 1)
            whole = None if alone else numbers_of(text, self._tree.seats)
            return alone or (whole and (whole[self._seats[0]],))
        found = numbers_of(text, len(self._seats))
        return found if found is not None and len(found) == len(self._seats) else None

    def _why(self, node: int, finding: Finding) -> Text:
        """What is wrong with a value."""
        tree, actor = self._tree, self._tree.actor[node]
        facts: dict[str, object] = {"where": place_said(tree, node)}
        if finding.move >= 0:
            facts["move"] = BranchSaid(finding.move)
        if finding.mistake == "swapped":
            alone = len(self._seats) == 1
            return Fact(
                f"lesson.tree.wrong.{'turned' if alone else 'swapped'}",
                {**facts, **({"who": player_said(tree, self._seats[0])} if alone else {})},
            )
        if finding.mistake == "elsewhere":
            return Fact("lesson.tree.wrong.elsewhere", facts)
        if actor == CHANCE:
            return Fact(f"lesson.tree.drawn.{finding.mistake or 'unclear'}", facts)
        return Fact(f"lesson.tree.wrong.{finding.mistake or 'unclear'}", {**facts, "who": player_said(tree, actor)})

    def ready_made(self) -> dict[str, object]:
        """The tree, where values are asked for, and whose."""
        return {"tree": plain_tree(self._tree), "nodes": self._nodes, "seat": self.seat}

    def on_sheet(self) -> HandWork:
        """A letter at each place, and a box for each letter."""
        places = dict(zip(letters_for(len(self._nodes)), self._nodes, strict=True))

        def read(written: Written) -> object:
            given = {places[label]: text for label, text in written.items() if text}
            if odd := next((text for text in given.values() if self._numbers(text) is None), None):
                raise RefusedError("lesson.hand.number.odd", text=odd[:20])
            return given or None

        return HandWork(
            {node: label for label, node in places.items()},
            tuple(Blank(label) for label in places),
            read,
            lambda: dict(zip(places, self.solution, strict=True)),
        )

    @property
    def solution(self) -> list[str]:
        """A value for each history that is asked, in their order."""
        worth, _ = played_well(self._tree)
        return [numbers_written(tuple([worth[node][seat] for seat in self._seats])) for node in self._nodes]

    def shown(self, given: dict[int, str], marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """What is written at each history, its mark, and whether it may be changed; and whether there is room wanted for many numbers."""
        return {
            **({"many": True} if len(self._seats) > 2 else {}),
            "nodes": {
                str(node): {
                    "text": given.get(node, ""),
                    "mark": marks.get(str(node), ""),
                    "open": not over and marks.get(str(node)) != "right",
                }
                for node in self._nodes
            },
        }


def _nodes(tree: Tree, nodes: Iterable[object]) -> set[int]:
    """The histories at which a value is asked for."""
    found = {node_of(tree, node) for node in (nodes if isinstance(nodes, (list, tuple, set, range)) else [nodes])}
    for node in found:
        if tree.actor[node] == OVER:
            raise DurakError(f"at history {node} the game is over, and what it is worth stands there; ask for the value before it")
    return found


Worth = tuple[Fraction, ...]
"""What something is worth to each seat."""
Given = tuple["Meant", ...]
"""What somebody wrote: a number for each seat that is asked, or for the first of them alone."""


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
