"""Values to be filled in on a tree by backward induction."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from durak_widget.board.number_format import number_said
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.exercises.answer_form import as_typed, cost_of_one_for_all, left_open, numbers_of, numbers_written, with_minus
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.backward import judged, played_well, worths_asked
from durak_widget.exercises.board_exercise import Asked
from durak_widget.exercises.board_serialization import plain_tree
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.paper_form import Blank, HandWork, letters_for
from durak_widget.exercises.stills import Still, ToldPart
from durak_widget.exercises.tree_and_matrix_references import BranchSaid, node_of, place_said, player_said, require_perfect_information
from durak_widget.gametheory.game_structure import zero_sum
from durak_widget.gametheory.tree import CHANCE, OVER
from durak_widget.i18n import Fact
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.backward import Finding, Given
    from durak_widget.exercises.paper_form import Written
    from durak_widget.gametheory.tree import Tree

MOST: Final = 60
"""So many values may be asked for at once."""


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
