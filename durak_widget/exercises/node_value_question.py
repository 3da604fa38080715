"""Asks for the values of tree nodes by backward induction, and judges the answers.

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
"""The largest number of values in one question."""
MANY: Final = 500
"""The largest number of possible values of one node, when actions are equally good."""


class Values(Asked[dict[int, str]]):
    """A question about the values of nodes, for all players or one."""

    asks = "values"
    fields = True
    guessed = True

    def __init__(self, tree: Tree, nodes: Iterable[object] | None, seat: int | None, question: Text) -> None:
        require_perfect_information(tree, "values are filled in backwards")
        self._tree = tree
        asked_nodes = [node for node in range(tree.histories) if tree.actor[node] != OVER] if nodes is None else _nodes(tree, nodes)
        if not 0 < len(asked_nodes) <= MOST:
            raise DurakError(f"values are asked for at 1 to {MOST} histories, not at {len(asked_nodes):,}; say at which: nodes=[…]")
        self._nodes = sorted(asked_nodes)
        self.wanted = [child for node in self._nodes for child in tree.children(node)]
        number = None if seat is None else whole_number(seat)
        if seat is not None and (number is None or number not in range(tree.seats)):
            raise DurakError(f"there is no seat {quoted(seat)}; seats are counted from 0 to {tree.seats - 1}")
        number = 0 if number is None and zero_sum(tree) else number  # zero-sum: one number is enough for both players
        self.seat = number
        self._seats: Sequence[int] = range(tree.seats) if number is None else [number]
        default_question = (
            Fact("lesson.tree.values.all") if number is None else Fact("lesson.tree.values.one", {"who": player_said(tree, number)})
        )
        self.question = asked_as(question, default_question)
        self._truth, _ = worths_asked(tree)

    def blank(self) -> dict[int, str]:
        """Return an answer without values."""
        return {}

    def read(self, answer: object) -> dict[int, str]:
        """Parse values by nodes, or in the order of the nodes."""
        if isinstance(answer, dict):
            return {self._node(node): as_typed(value) for node, value in answer.items()}
        is_list = isinstance(answer, list) or (isinstance(answer, tuple) and len(self._nodes) > 1 and len(answer) != len(self._seats))
        listed = list(answer) if is_list else [answer]  # type: ignore[call-overload] # as was just found out
        if invalid := next(
            (value for value in listed if isinstance(value, (list, tuple)) and len(value) not in {1, self._tree.seats}), None
        ):
            raise DurakError(f"a value is a number, or one for each player, as in (1, -1), not {quoted(invalid)}")
        if len(listed) > len(self._nodes):
            raise DurakError(f"values are asked for at the histories {', '.join(map(str, self._nodes))}: one for each, not {len(listed)}")
        return dict(zip(self._nodes, map(as_typed, listed), strict=False))

    def take(self, given: dict[int, str], message: Mapping[str, object]) -> dict[int, str]:
        """Write a value at a node."""
        text = message.get("text")
        if not isinstance(text, str):
            raise DurakError(f"a value is written as a text, such as '1/2', not {quoted(text)}")
        return {**given, self._node(message.get("node")): as_typed(text)}

    def plain(self, given: dict[int, str]) -> object:
        """Return the values by node numbers."""
        return {str(node): text for node, text in given.items()}

    def stands(self, key: str, before: dict[int, str], now: dict[int, str]) -> bool:
        """Return whether the value of a mark is unchanged."""
        return before.get(int(key)) == now.get(int(key))

    def begun(self, given: dict[int, str]) -> bool:
        """Return whether any value is written."""
        return any(map(str.strip, given.values()))

    def unread(self, given: dict[int, str]) -> bool:
        """Return whether something is written and none of it is a number."""
        written = [text for text in given.values() if text.strip()]
        return bool(written) and not any(map(self._numbers, written))

    def open(self, given: dict[int, str]) -> Sequence[Text]:
        """Return how many fields are empty or unreadable."""
        return left_open([given.get(node, "") for node in self._nodes], self._numbers)

    def _node(self, node: object) -> int:
        number = node_of(self._tree, node)
        if number not in self._nodes:
            raise DurakError(f"no value is asked for at history {number}, but at {', '.join(map(str, self._nodes))}")
        return number

    def judge(self, given: dict[int, str]) -> Opinion:
        """Judge each value by the values below it."""
        typed_values: dict[int, Given] = {}
        unread = []
        for node in self._nodes:
            text = given.get(node, "").strip()
            numbers = self._numbers(text) if text else None
            if numbers is not None:
                typed_values[node] = numbers
            elif text:
                unread.append(node)
        findings = judged(self._tree, typed_values, self._seats)
        marks = {str(node): finding.mark for node, finding in findings.items()} | {str(node): "wrong" for node in unread}
        missing = [node for node in self._nodes if node not in typed_values and node not in unread]
        if not missing and not unread and all(finding.mark == "right" for finding in findings.values()):
            return Opinion(marks, [], True)
        why: list[Text] = [
            Fact(
                f"lesson.tree.unread.{'one' if len(self._seats) == 1 else 'all'}",
                {"text": given[node][:20], "where": place_said(self._tree, node)},
            )
            for node in unread
        ]
        wrong = sorted(
            (node for node, finding in findings.items() if finding.mark == "wrong"), key=lambda node: -node
        )  # the deepest mistakes first
        named_reasons = [self._why(node, findings[node]) for node in wrong[:2]]
        follows = [node for node, finding in findings.items() if finding.mark == "follows"]
        other_reasons: list[Text] = [Fact("lesson.tree.follows", {"where": place_said(self._tree, node)}) for node in follows[-1:]]
        if missing:
            other_reasons.append(Fact("lesson.tree.missing", {"count": len(missing), "where": place_said(self._tree, missing[-1])}))
        explained = [
            self._told(node, typed_values)
            if self._tree.actor[node] >= 0 and not findings[node].mistake
            else self._why(node, findings[node])
            for node in wrong[:2]
        ]
        return Opinion(marks, [*why, *named_reasons, *other_reasons], False, [*why, *explained, *other_reasons])

    def told(self, given: dict[int, str], marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Return what is written at each node."""
        return [
            ToldPart(place_said(self._tree, node), with_minus(text), marks.get(str(node), ""))
            for node in self._nodes
            if (text := given.get(node, "").strip())
        ]

    def still(self, given: dict[int, str] | None, marks: Mapping[str, str]) -> Still:
        """Return the tree with the value of each node, and the wrong answers beside them."""
        wrong = {node: f"✗ {with_minus(text)}" for node, text in (given or {}).items() if marks.get(str(node)) == "wrong"}
        return Still(self._tree, values=dict(zip(self._nodes, self.solution, strict=True)), labels=wrong)

    def part_done(self, given: dict[int, str], marks: Mapping[str, str]) -> Fraction:
        """Return the share that is done; an unreadable value counts as an empty one."""
        return super().part_done(given, self.legible(given, marks))

    def legible(self, given: dict[int, str], marks: Mapping[str, str]) -> Mapping[str, str]:
        """Return the marks of the values that can be read."""
        return {node: mark for node, mark in marks.items() if self._numbers(given.get(int(node), ""))}

    def wrong_costs(self) -> Fraction:
        """Return the cost at which writing one number everywhere gains nothing."""
        return cost_of_one_for_all(self.solution)

    def followed(self, given: dict[int, str], marks: Mapping[str, str]) -> int:
        """Return how many values count because they follow from a mistake.

        They are at most as many as there are right values other than the most frequent one: a number that is written
        everywhere follows from itself, which proves nothing.
        """
        written = {node: self._numbers(text) for node, text in given.items()}
        count = Counter(written.values())
        usual = max(count, key=lambda numbers: count[numbers], default=None)
        proved = sum(mark == "right" and written.get(int(node)) != usual for node, mark in marks.items())
        return min(sum(mark == "follows" for mark in marks.values()), proved)

    def _told(self, node: int, read: Mapping[int, Given]) -> Text:
        """Return which action gives the acting player most, from the values below."""
        tree, actor = self._tree, self._tree.actor[node]
        _, node_values = worths_asked(tree, read, self._seats, self._truth)
        maxima = [max(values[actor] for values in node_values[child]) for child in tree.children(node)]
        best_action = maxima.index(max(maxima))
        facts = {"better": BranchSaid(tree.first[node] + best_action), "more": number_said(max(maxima))}
        return Fact("lesson.tree.wrong.told", {"where": place_said(tree, node), "who": player_said(tree, actor), **facts})

    def _numbers(self, text: str) -> Given | None:
        """Parse the values of the asked players; in a list for all players, pick the asked one."""
        if len(self._seats) == 1:
            alone = numbers_of(text, 1)
            all_numbers = None if alone else numbers_of(text, self._tree.seats)
            return alone or (all_numbers and (all_numbers[self._seats[0]],))
        numbers = numbers_of(text, len(self._seats))
        return numbers if numbers is not None and len(numbers) == len(self._seats) else None

    def _why(self, node: int, finding: Finding) -> Text:
        """Return why a value is wrong."""
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
        """Return the tree, the asked nodes and the asked player."""
        return {"tree": plain_tree(self._tree), "nodes": self._nodes, "seat": self.seat}

    def on_sheet(self) -> HandWork:
        """Return the form for paper: a letter at each node and a box for each letter."""
        node_of_label = dict(zip(letters_for(len(self._nodes)), self._nodes, strict=True))

        def read(written: Written) -> object:
            given = {node_of_label[label]: text for label, text in written.items() if text}
            if unreadable := next((text for text in given.values() if self._numbers(text) is None), None):
                raise RefusedError("lesson.hand.number.odd", text=unreadable[:20])
            return given or None

        return HandWork(
            {node: label for label, node in node_of_label.items()},
            tuple(Blank(label) for label in node_of_label),
            read,
            lambda: dict(zip(node_of_label, self.solution, strict=True)),
        )

    @property
    def solution(self) -> list[str]:
        """Return the value of each asked node, in their order."""
        values, _ = played_well(self._tree)
        return [numbers_written(tuple([values[node][player] for player in self._seats])) for node in self._nodes]

    def shown(self, given: dict[int, str], marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """Return the text and mark of each node, and whether it can be changed.

        `many` asks for wider fields.
        """
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
    """Return the nodes to ask about; none of them may be terminal."""
    parsed = {node_of(tree, node) for node in (nodes if isinstance(nodes, (list, tuple, set, range)) else [nodes])}
    for node in parsed:
        if tree.actor[node] == OVER:
            raise DurakError(f"at history {node} the game is over, and what it is worth stands there; ask for the value before it")
    return parsed


Worth = tuple[Fraction, ...]
"""The payoffs or values of all players."""
Given = tuple["Meant", ...]
"""The typed numbers at a node: one for each asked player, or for the first only."""


def worths_asked(
    tree: Tree, given: Mapping[int, Given] | None = None, seats: Sequence[int] = (), truth: Sequence[frozenset[Worth]] = ()
) -> tuple[list[frozenset[Worth]], list[frozenset[Worth]]]:
    """Return the possible values of each node, computed from the given values below it.

    The second list is the same, but with the given value where one is given. A node has several possible values
    where equally good actions give the others different payoffs.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, 0)), "r": End((1, 2))}.__getitem__, seats=2)
    >>> sorted(worths_asked(tree)[0][0])
    [(Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(2, 1))]
    """
    computed: list[frozenset[Worth]] = [frozenset()] * tree.histories
    effective = list(computed)
    for node in reversed(range(tree.histories)):
        actor, info = tree.actor[node], tree.info[node]
        child_values = [effective[child] for child in tree.children(node)]
        if actor == OVER:
            computed[node] = frozenset([tree.payoffs[info]])
        elif actor == CHANCE:
            computed[node] = drawn(tree.chances[info].probabilities, child_values)
        else:
            computed[node] = best(actor, child_values)
        if len(computed[node]) > MANY:
            raise DurakError("so many moves are equally good here that nobody could judge the values; take a tree with fewer ties")
        typed = (given or {}).get(node)
        effective[node] = computed[node] if typed is None else _as_given(tree, typed, seats, computed[node], truth[node])
    return computed, effective


def played_well(tree: Tree) -> tuple[list[Worth], dict[int, int]]:
    """Return each node's value by backward induction, and the action at each decision node.

    If several actions are equally good, it is the first.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, 0)), "r": End((1, 2))}.__getitem__, seats=2)
    >>> played_well(tree)[0][0], played_well(tree)[1]
    ((Fraction(1, 1), Fraction(0, 1)), {0: 0})
    """
    values: list[Worth] = [()] * tree.histories
    moves: dict[int, int] = {}
    for node in reversed(range(tree.histories)):
        child_values, actor, info = [values[child] for child in tree.children(node)], tree.actor[node], tree.info[node]
        if actor == OVER:
            values[node] = tree.payoffs[info]
        elif actor == CHANCE:
            [values[node]] = drawn(tree.chances[info].probabilities, [frozenset([value]) for value in child_values])
        else:
            moves[node] = max(range(len(child_values)), key=[value[actor] for value in child_values].__getitem__)
            values[node] = child_values[moves[node]]
    return values, moves


def best(seat: int, below: Sequence[frozenset[Worth]]) -> frozenset[Worth]:
    """Return the values a player may reach by choosing an action that is best for itself."""
    lowest = [min(value[seat] for value in values) for values in below]
    return frozenset(
        value
        for move, values in enumerate(below)
        for value in values
        if all(value[seat] >= guaranteed for other_move, guaranteed in enumerate(lowest) if other_move != move)
    )


def drawn(likely: Sequence[Fraction], below: Sequence[frozenset[Worth]]) -> frozenset[Worth]:
    """Return the possible expected values of a chance move."""
    sums: set[Worth] = {(Fraction(0),) * len(next(iter(below[0])))}
    for probability, values in zip(likely, below, strict=True):
        sums = {
            tuple([total + probability * payoff for total, payoff in zip(so_far, value, strict=True)])
            for so_far in sums
            for value in values
        }
        if len(sums) > MANY:
            break
    return frozenset(sums)


def _as_given(tree: Tree, given: Given, seats: Sequence[int], found: frozenset[Worth], truth: frozenset[Worth]) -> frozenset[Worth]:
    """Return the possible values at a node as typed; missing players keep the computed values."""
    for values in (found, truth):
        if intended := frozenset(value for value in values if means(given, seats, value)):
            return intended
    is_zero_sum = zero_sum(tree)
    completed = set()
    for value in found:
        payoffs = list(value)
        for player, number in zip(seats, given, strict=False):
            payoffs[player] = number.value
            if is_zero_sum and len(given) == 1:
                payoffs[1 - player] = -number.value
        completed.add(tuple(payoffs))
    return frozenset(completed)


def means(given: Given, seats: Sequence[int], worth: Worth) -> bool:
    """Return whether the typed numbers stand for these values."""
    return all(number.means(worth[player]) for player, number in zip(seats, given, strict=False))


class Finding(NamedTuple):
    """The judgement of one value."""

    mark: str
    """`right`, `wrong`, or `follows`: right for the values written below it, which contain the mistake."""
    mistake: str = ""
    """The kind of the mistake; empty if none is proved."""
    move: int = -1
    """The child whose value was written, if it is that of exactly one child."""


def judged(tree: Tree, given: Mapping[int, Given], seats: Sequence[int]) -> dict[int, Finding]:
    """Judge each typed value: of the asked players `seats`, or of the first of them."""
    truth, _ = worths_asked(tree)
    computed, node_values = worths_asked(tree, given, seats, truth)
    has_mistake: list[bool] = [False] * tree.histories
    findings: dict[int, Finding] = {}
    for node in reversed(range(tree.histories)):
        has_mistake[node] = any(has_mistake[child] for child in tree.children(node))
        if node not in given:
            continue
        follows, is_true = (any(means(given[node], seats, value) for value in values) for values in (computed[node], truth[node]))
        if is_true and (follows or has_mistake[node]):
            findings[node] = Finding("right")
        elif is_true:
            findings[node] = Finding("wrong", "elsewhere")
        elif follows:
            findings[node] = Finding("follows")
        else:
            findings[node] = Finding("wrong", *_mistake(tree, node, given[node], seats, computed, node_values))
        has_mistake[node] = has_mistake[node] or not is_true
    return dict(sorted(findings.items()))


def _mistake(
    tree: Tree, here: int, given: Given, seats: Sequence[int], found: Sequence[frozenset[Worth]], taken: Sequence[frozenset[Worth]]
) -> tuple[str, int]:
    """Return the only mistake that gives exactly this value, and the child it was taken from."""
    child_value_sets = [taken[child] for child in tree.children(here)]
    relevant_players = seats if tree.actor[here] == CHANCE else range(tree.seats)  # at a chance move only the asked players' values matter
    if any(
        len({tuple([value[player] for player in relevant_players]) for value in values}) > 1 for values in (*child_value_sets, found[here])
    ):
        return "", -1
    right, *child_values = [next(iter(values)) for values in (found[here], *child_value_sets)]
    matching_moves = [move for move, value in enumerate(child_values) if means(given, seats, value)]
    named = [name for name, value in mistakes(tree, here, child_values, right, seats) if means(given, seats, value)]
    kinds = dict.fromkeys(named)
    if kinds.keys() == {"least", "other"}:  # the best for the other player is the least for the acting player
        del kinds["other"]
    move = tree.first[here] + matching_moves[0] if len(matching_moves) == 1 or (matching_moves and "one" in kinds) else -1
    if len(kinds) == 1:
        return next(iter(kinds)), move
    if kinds:
        return "", move
    actor = tree.actor[here]
    if actor >= 0 and matching_moves:
        return ("less", move) if move >= 0 else ("", -1)
    return ("none" if actor >= 0 else ""), -1


def mistakes(tree: Tree, here: int, ways: Sequence[Worth], right: Worth, seats: Sequence[int]) -> list[tuple[str, Worth]]:
    """Return what each mistake would give, from the values below: its name and the value.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "?", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> [(name, str(values[0])) for name, values in mistakes(tree, 0, [(Fraction(1), Fraction(-1)), (Fraction(0), Fraction(0))], (Fraction(1), Fraction(-1)), [0])]
    [('least', '0'), ('average', '1/2'), ('swapped', '-1')]
    """
    actor, all_players = tree.actor[here], range(tree.seats)
    mean = tuple([sum((value[player] for value in ways), Fraction(0)) / len(ways) for player in all_players])
    results: list[tuple[str, Worth]] = []
    if actor == CHANCE:
        probabilities = tree.chances[tree.info[here]].probabilities
        results += [("one", value) for value in ways]
        results += [("plain", mean)] if len(set(probabilities)) > 1 else []
        results += [("sum", tuple([total * len(ways) for total in mean]))] if len(ways) > 1 else []
    elif len(ways) > 1:
        is_zero_sum = zero_sum(tree)
        low = min(value[actor] for value in ways)
        asks_actor = len(seats) > 1 or actor in seats
        if asks_actor and low < right[actor]:
            results += [("least", value) for value in ways if value[actor] == low]
        for other in all_players:
            if other != actor and not (is_zero_sum and asks_actor):
                high = max(value[other] for value in ways)
                results += [("other", value) for value in ways if value[other] == high and value[actor] < right[actor]]
        results.append(("average", mean))
    if tree.seats == 2 or len(seats) == 1:
        for other in all_players:
            if other != seats[0]:
                swapped = list(right)
                swapped[seats[0]], swapped[other] = right[other], right[seats[0]]
                results.append(("swapped", tuple(swapped)))
    return results
