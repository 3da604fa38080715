"""The extensive form of an ending, to be drawn: of the moves that one may think of, which do the rules allow, and where do they lead?"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.trees_with_illegal_moves import as_allowed, lawful, thinkable
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import BranchSaid, move_of, node_of, place_said, player_said
from durak_widget.exercises.paper_form import Blank, HandWork, numbers_read
from durak_widget.gametheory.tree import OVER
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written

MOST: Final = 1000
"""So many branches are read."""
Drawing = frozenset[int]
"""The histories to which a branch is drawn, each with the way to it."""


class Drawn(Asked[Drawing]):
    """Which branches does the game have?"""

    asks = "draw"

    def __init__(self, game: Game, question: Text) -> None:
        self._game = _ending(game)
        self.tree = thinkable(self._game)
        self._right = lawful(self.tree, self._game)
        if len(self._right) == self.tree.histories - 1:
            raise DurakError(
                "whatever one may think of here is allowed, so that there is nothing to choose; take an ending in which some card does not beat"
            )
        self.question = asked_as(question, Fact("lesson.tree.draw"))

    def blank(self) -> Drawing:
        """No branch is drawn yet."""
        return frozenset()

    def read(self, answer: object) -> Drawing:
        """Branches by the histories at which they begin, or each by the moves that lead to its end."""
        if isinstance(answer, dict):
            pairs = [(node_of(self.tree, node), move) for node, moves in answer.items() for move in _listed(moves)]
            ends = [self.tree.first[node] + move_of(self.tree, node, move) for node, move in pairs]
        elif isinstance(answer, (list, tuple, set, frozenset)) and len(answer) <= MOST:
            ends = [node_of(self.tree, list(end) if isinstance(end, tuple) else end) for end in answer]
        else:
            raise DurakError(
                f"branches are given as {{0: ['attack 9c', 'attack Kd']}}, or by the ways to their ends, as in [['attack 9c'], …], not as {quoted(answer)}"
            )
        return self._with(frozenset(), ends)

    def take(self, given: Drawing, message: Mapping[str, object]) -> Drawing:
        """A branch is drawn, or wiped away with all that hangs on it."""
        node = node_of(self.tree, message.get("node"))
        end = self.tree.first[node] + move_of(self.tree, node, message.get("move"))
        if end in given:
            return frozenset(one for one in given if end not in self._way(one))
        return self._with(given, [end])

    def plain(self, given: Drawing) -> object:
        """Moves by the numbers of the histories at which they are made."""
        found: dict[str, list[str]] = {}
        for end in sorted(given):
            found.setdefault(str(self.tree.parent[end]), []).append(self.tree.move_to(end))
        return found

    def stands(self, key: str, before: Drawing, now: Drawing) -> bool:
        """A mark stands while its branch does."""
        return (int(key) in before) == (int(key) in now)

    def begun(self, given: Drawing) -> bool:
        """Some branch is drawn."""
        return bool(given)

    def open(self, given: Drawing) -> Sequence[Text]:
        """Places to which a branch leads, where the game goes on and nothing is drawn."""
        parents = {self.tree.parent[end] for end in given}
        count = sum(self.tree.actor[end] != OVER and end not in parents for end in given)
        return [Fact("class.kept.undrawn", {"count": count})] if count else []

    def judge(self, given: Drawing) -> Opinion:
        """Each branch by the rules; what grows from one that is wrong is not judged."""
        wrong = sorted(filter(self._first_wrong, given))
        missed = sorted(end for end in self._right - given if self.tree.parent[end] in given or not self.tree.parent[end])
        marks = {str(end): "right" if end in self._right else "wrong" if end in wrong else "follows" for end in sorted(given)}
        if given == self._right:
            return Opinion(marks, [], True)
        why = [self._why_not(end) for end in wrong[:2]]
        if not missed:
            return Opinion(marks, why, False)
        at = self.tree.parent[missed[0]]
        here = sum(self.tree.parent[end] == at for end in missed)
        facts = {"where": place_said(self.tree, at), "who": player_said(self.tree, self.tree.actor[at]), "number": str(here)}
        told = Fact("lesson.tree.draw.missed", {**facts, "move": BranchSaid(missed[0])})
        return Opinion(marks, [*why, Fact("lesson.tree.draw.missing", facts)], False, [*why, told])

    def told(self, given: Drawing, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """The moves that are drawn at each place; a place has the mark of the worst of them, or of what is missing there."""
        found = []
        for here in sorted({self.tree.parent[end] for end in given}):
            ends = [end for end in sorted(given) if self.tree.parent[end] == here]
            wanted = [end for end in sorted(self._right) if self.tree.parent[end] == here]
            worst = "wrong" if ends != wanted else "right"
            follows = marks and marks.get(str(here), "right") != "right"
            mark = "" if not marks else "follows" if follows else worst
            found.append(ToldPart(place_said(self.tree, here), tuple(map(BranchSaid, ends)), mark))
        return found

    def still(self, given: Drawing | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is forbidden is in no tree
        """The tree that the rules make."""
        return Still(as_allowed(self.tree, self._game))

    def part_done(self, given: Drawing, marks: Mapping[str, str]) -> Fraction:  # noqa: ARG002 - what is missing has no mark
        """What is drawn of that which is allowed, less what is drawn of that which is not, wherever play can come."""
        forbidden = frozenset(end for end in range(1, self.tree.histories) if self._first_wrong(end))
        return max(Fraction(len(given & self._right), len(self._right)) - Fraction(len(given & forbidden), len(forbidden)), Fraction(0))

    def _first_wrong(self, end: int) -> bool:
        """Whether a branch is forbidden, and all those that lead to it are not."""
        return end not in self._right and (self.tree.parent[end] in self._right or not self.tree.parent[end])

    def _why_not(self, end: int) -> Text:
        """By which rule a move cannot be made there."""
        *way, move = self.tree.moves_to(end)
        game = self._game.copy()
        for one in way:
            game.play(one)
        facts: dict[str, object] = {"where": place_said(self.tree, self.tree.parent[end]), "move": BranchSaid(end)}
        refusal = game.why_not(move)
        assert refusal is not None  # noqa: S101 - asked of moves that are not allowed
        return Fact("lesson.tree.draw.wrong", {**facts, "why": refusal})

    @property
    def solution(self) -> Sequence[object]:
        """Each branch, by the moves that lead to its end."""
        return [list(self.tree.moves_to(end)) for end in sorted(self._right)]

    def shown(self, given: Drawing, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """The branches that are drawn, and their marks; once it is over, the others are gone."""
        return {"drawn": sorted(given), "marks": dict(marks), **({"over": True} if over else {})}

    def ready_made(self) -> dict[str, object]:
        """The ending: which moves one may think of follows from it."""
        return {"position": str(self._game.position)}

    def on_sheet(self) -> HandWork:
        """All branches that one may think of stand there with a number; those that the rules allow are ringed, and written down."""
        most = self.tree.histories - 1

        def read(written: Written) -> object:
            return numbers_read(written[""], most) if written[""] else None

        return HandWork(
            {end: str(end) for end in range(1, most + 1)},
            (Blank(room="line"),),
            read,
            lambda: {"": " ".join(map(str, sorted(self._right)))},
        )

    def opened(self, given: Drawing) -> Drawing:
        """Where the tree goes on: at the root, and wherever a branch leads."""
        return given | {0}

    def _way(self, end: int) -> list[int]:
        """The branches that lead to the end of one, itself among them."""
        found = []
        while end > 0:
            found.append(end)
            end = self.tree.parent[end]
        return found

    def _with(self, given: Drawing, ends: Iterable[int]) -> Drawing:
        """A drawing with some more branches, each with the way to it."""
        return given | {one for end in ends for one in self._way(end)}


def _ending(game: object) -> Game:
    """A game that goes on from an ending for two, without its past."""
    if not isinstance(game, Game) or game.outcome is not None or game.talon or game.seats != 2:
        raise DurakError("a tree is drawn of an ending: a Game of two in which no card is to be drawn and somebody is to act")
    return Game.at(game.position)


def _listed(moves: object) -> Iterable[object]:
    """The moves at one history."""
    return moves if isinstance(moves, (list, tuple, set, frozenset)) else [moves]
