"""Defines the exercise whose answer is a strategy, judged by how much it loses.

    Strategy(tree, seat=0, at_most=0)         loses no more against any opponent (two players, zero-sum)
    Strategy(tree, seat=0, against=strategy)  loses no more against known strategies (any game)
    Strategy(tree, seat=None)                 all players: the average gain from deviating alone (any game)
    Strategy(…, live=True)                    shows the loss at every change, not only on “Check”

An answer is set on the tree (`view.strategy`; `judge()` judges it) or given to `answer`: a table
`{"label": "move", 3: {"bet": "1/3", "fold": "2/3"}}`, a function of a view that returns a move or
`{move: probability}`, a bot or its name, or a `gametheory.Strategy`. `.loss` is what the strategy loses,
`.punished` the play that takes most from it, and `.game` that play as a game of Durak. `.credit` is 1 − loss
÷ the loss at the start, and 1 if solved.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.analysis.game_at_node import game_of
from durak_widget.board.number_format import number_said
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.exercises.answer_form import as_typed, number_typed
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.base_exercise import Task, may_be_stopped
from durak_widget.exercises.blackboard_exercise import Asked, OnBoard, Still, ToldPart, aside
from durak_widget.exercises.blackboard_serialization import plain_tree, plain_words, tree_again, words_again
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import (
    BranchSaid,
    KnownSaid,
    StepSaid,
    Way,
    names_of,
    place_name,
    player_said,
    set_name,
)
from durak_widget.exercises.notebook_display import Displayed
from durak_widget.exercises.paper_form import TOGETHER, Blank, HandWork, letters_for
from durak_widget.exercises.strategy_input import filled_up, rounded_off, row_of, strategy_from, table_of
from durak_widget.exercises.strategy_loss import Judge, game_lost, slip, taken
from durak_widget.exercises.tree_exercise import shown_whole, tree_by_hand
from durak_widget.gametheory.strategy import Strategy as Profile
from durak_widget.gametheory.tree import require_tree
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.board.tree_wording import Names
    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict, WalledCode
    from durak_widget.exercises.paper_form import ByHand, Written
    from durak_widget.exercises.strategy_loss import Loss
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import InfoSet, Tree


class Playing(Asked[Profile]):
    """How should this seat play?"""

    asks: ClassVar[str] = "strategy"
    whole: ClassVar[bool] = True

    def __init__(self, tree: Tree, seat: int | None, at_most: Number, against: Profile | None, question: Text) -> None:
        self.tree, self.seat, self.at_most = tree, seat, at_most
        self.by = Judge(tree, seat, against)
        self.found: Loss | None = None
        self.lost: Number | None = None
        self._blank: Profile | None = None
        facts = {"most": number_said(at_most), **({} if seat is None else {"who": player_said(tree, seat)})}
        kind = "all" if seat is None else "answer" if against is not None else "one"
        self.question = asked_as(question, Fact(f"lesson.strategy.{kind}{'.most' if at_most else ''}", facts))

    def blank(self) -> Profile:
        """All moves are drawn evenly, where that is not an answer already."""
        if self._blank is None:
            self._blank = self._met(self.by.beginning(self.at_most))
        return self._blank

    def begin_evenly(self) -> None:
        """All moves are drawn evenly in the beginning, be that an answer or not."""
        self._blank = self._met(Profile.uniform(self.tree))

    def _met(self, given: Profile) -> Profile:
        """Among strategies that are known, these are the others."""
        against = self.by.against
        return given if against is None or self.seat is None else against.replaced(self.seat, given)

    def read(self, answer: object) -> Profile:
        """A table, a function, a bot, or a strategy."""
        return self._met(strategy_from(self.tree, self.seat, answer))

    def take(self, given: Profile, message: Mapping[str, object]) -> Profile:  # noqa: ARG002 - the view takes it
        """Nothing is given to the task: the tree holds the strategy."""
        raise DurakError("a strategy is set on the tree itself: drag or type a probability at one of its moves")

    def plain(self, given: Profile) -> object:
        """How likely each move is, by information sets."""
        return table_of(self.tree, self.seat, given)

    def judge(self, given: Profile) -> Opinion:
        """What it loses, and where."""
        self.found, self.lost = self._lost(given)
        if self.lost > self.at_most and (meant := rounded_off(self.tree, given)) != given and self.by.all_lost(meant) <= self.at_most:
            given, (self.found, self.lost) = meant, self._lost(meant)
        facts: dict[str, object] = {
            "who": player_said(self.tree, self.found.held.seat),
            "lost": number_said(self.found.lost),
            "got": number_said(self.found.held.sure),
            "worth": number_said(self.found.held.sure + self.found.lost),
        }
        kind = "all" if self.seat is None else "answer" if self.by.against is not None else "one"
        if self.lost <= self.at_most + (0 if given.exact else 1e-9):
            return Opinion({}, [Fact(f"lesson.strategy.right.{kind}{'.most' if self.lost else ''}", facts)], True)
        why: list[Text] = [Fact(f"lesson.strategy.loses.{kind}", facts)]
        if self.found.place >= 0:
            at, better = KnownSaid(self.found.place), StepSaid(self.found.place, self.found.move)
            why.append(Fact("lesson.strategy.leak", {"label": at, "better": better}))
        if self.found.end >= 0:
            why.append(Fact("lesson.strategy.line", {"moves": Way(self.found.end)}))
        return Opinion({}, why, False)

    def _lost(self, given: Profile) -> tuple[Loss, Number]:
        """What a strategy loses where, and what of that is judged."""
        found = self.by.loss(given)
        return found, found.lost if self.seat is not None else self.by.all_lost(given)

    @property
    def solution(self) -> dict[object, object]:
        """A right answer as a table, of the seat that is asked."""
        rows = self.by.solved.rows
        return {
            place: one.moves[rows[place].index(1)]
            if max(rows[place]) == 1
            else {move: str(likely) for move, likely in zip(one.moves, rows[place], strict=True)}
            for place, one in enumerate(self.tree.sets)
            if self.seat in (None, one.seat)
        }

    def told(self, given: Profile, marks: Mapping[str, str]) -> Sequence[ToldPart]:  # noqa: ARG002 - it is judged as a whole
        """What is done at each information set: a move, or how likely each is."""
        found = []
        for place, one in enumerate(self.tree.sets):
            if self.seat in (None, one.seat):
                row = given.rows[place]
                parts = tuple(
                    StepSaid(place, move)
                    if likely == 1
                    else Fact("lesson.strategy.likely", {"move": StepSaid(place, move), "likely": number_said(likely)})
                    for move, likely in enumerate(row)
                    if likely
                )
                found.append(ToldPart(KnownSaid(place), parts))
        return found

    def still(self, given: Profile | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - strategies are told in words
        """The tree."""
        return Still(self.tree)

    def credit(self) -> Number:
        """How much of the task is done."""
        return Fraction(0) if self.lost is None else self.earned(self.lost)

    def earned(self, lost: Number) -> Number:
        """How much of the task is done by what loses so much."""
        if lost <= self.at_most:
            return Fraction(1)
        earned = 1 - lost / self.by.scale(self.at_most)
        return earned if earned > 0 else Fraction(0)

    def shown(self, given: Profile, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002
        """Whose strategy it is, and what it loses."""
        return {"seat": self.seat, "at_most": number_said(self.at_most), **({} if self.by.against is None else {"against": True})}

    def score(self, lost: Number) -> Text:
        """What it loses, and how much of the task that is."""
        if lost <= self.at_most:
            return Fact("lesson.strategy.done", {"lost": number_said(lost)})
        return Fact("lesson.strategy.score", {"lost": number_said(lost), "percent": str(int(100 * self.earned(lost)))})

    def attempts(self) -> list[Profile]:
        """What stands there in the beginning."""
        return [self.blank()]


class Strategy(OnBoard):
    """Find a strategy that loses nothing, or not more than is allowed.

    >>> from durak_widget import gametheory
    >>> def look(where):
    ...     if len(where) == 2:
    ...         return gametheory.End((1, -1) if where[0] == where[1] else (-1, 1))
    ...     return gametheory.Turn(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])
    >>> quiz = Strategy(gametheory.grow("", look, seats=2, names=("Even", "Odd")), seat=0)
    >>> print(quiz.answer({0: {"heads": "3/4", "tails": "1/4"}}))
    Not yet. Whoever knows it leaves Even −1/2, and 0 can be had: it loses 1/2. What helps most, at “a coin”: more often “tails”. It costs most when the game goes so: heads, tails.
    >>> quiz.loss, quiz.credit
    (Fraction(1, 2), Fraction(1, 2))
    >>> print(quiz.answer(lambda view: {"heads": "50%", "tails": 0.5}))
    Right. Whatever the other does, it brings Even 0 on average, and no strategy is certain of more.
    >>> quiz.check(), quiz.credit
    (True, Fraction(1, 1))
    """

    called = "strategy"
    takes_code = True

    def __init__(
        self,
        tree: Tree,
        seat: int | None = 0,
        at_most: Number | str = 0,
        *,
        against: object = None,
        live: bool = False,
        question: Text = "",
        **more: Any,  # noqa: ANN401 - checked by `aside`
    ) -> None:
        """Ask for a strategy of a seat, or of all (`seat=None`), that loses no more; `against` strategies that are known, where some are given."""
        require_tree(tree)
        number = None if seat is None else whole_number(seat)
        if seat is not None and (number is None or number not in range(tree.seats)):
            raise DurakError(f"there is no seat {quoted(seat)}; seats are counted from 0 to {tree.seats - 1}")
        most = number_typed(as_typed(at_most))
        if most is None or most.value < 0:
            raise DurakError(f"at_most={quoted(at_most)} is how much may be lost: a number from 0 on, such as '1/10'")
        if against is not None and number is None:
            raise DurakError("who plays against known strategies has a seat: say which, seat=0")
        known = None if against is None else strategy_from(tree, None, against)
        self._playing = Playing(tree, number, most.value, known, question)
        super().__init__(self._playing, **aside(more, "Strategy", tree.seats))
        self.tree, self._live = tree, live is True

    def answer(self, answer: object) -> Verdict:
        """Give a strategy, which is shown on the tree too, and hear what it loses, and to whom."""
        with may_be_stopped(self._voice):
            verdict = super().answer(answer)
        self._show()
        return verdict

    def as_answer(self, code: WalledCode) -> object:
        """Give a program as a function of what a seat sees."""
        return code.at

    def try_out(self, code: WalledCode) -> str:
        """Ask a program at every information set; whatever is wrong with it is its own to tell."""
        self._playing.read(code.at)
        return ""

    def lays_by(self, answer: object) -> bool:
        """Whether that is the text of a program."""
        return isinstance(answer, Mapping) and answer.keys() == {"code"} and isinstance(answer["code"], str)

    def recall(self, given: object) -> None:
        """Lay again what was kept before; the text of a program stands nowhere on the tree."""
        if self.lays_by(given):
            Task.recall(self, given)
        else:
            super().recall(given)

    def judge(self) -> Verdict:
        """Judge the strategy that is set on the tree."""
        if self._view is not None and not self.over and (own := self.view.strategy) is not None:
            self._given = own
        verdict = super().judge()
        self._show()
        return verdict

    def reveal(self) -> str:
        """Show a strategy that loses nothing, on the tree too."""
        said = super().reveal()
        self._show()
        return said

    def again(self) -> None:
        """Begin anew."""
        self._playing.found = self._playing.lost = None
        super().again()
        self._show()

    def keep(self) -> None:
        """From now on strategies are kept; where one begins tells nothing then of whether that would do, nor is it said at every change."""
        self._live = False
        self._playing.begin_evenly()
        super().keep()

    def _show(self) -> None:
        """On the tree: what was given, what answers it best, and the moment at which that costs most; that play on the table beside it."""
        if self._view is None:
            return
        self.view.strategy = self._given
        found = self._playing.found
        if found is None:
            self.view.best(None)
        if found is not None and not self.over:
            if self._playing.seat is not None and self._playing.by.against is None:
                self.view.best(1 - self._playing.seat)
            if found.end >= 0:
                self.view.look(slip(self.tree, found))
        self._lay()

    def _lay(self) -> None:
        """The play that costs most on the table beside the tree, where it is one of Durak; nothing of what loses no more than it may."""
        found = self._playing.found
        if self._view is None or not isinstance(self.tree.origin, Origin):
            return
        if found is None or self.over or found.end <= 0:
            self.view.walk(None)
            return
        from durak_widget.board.card_table_panel import Line  # noqa: PLC0415 - a view is there, and so its room

        after = taken(self.tree, found, answered=self._playing.by.against is None and self._playing.seat is not None)
        before = self.tree.parent[after]
        facts = {
            "who": player_said(self.tree, found.held.seat),
            "other": player_said(self.tree, self.tree.actor[before]),
            "move": BranchSaid(after),
            "end": number_said(self.tree.payoffs[self.tree.info[found.end]][found.held.seat]),
            "lost": number_said(found.lost),
        }
        own = self.tree.actor[before] == found.held.seat
        said = self._text(Fact(f"lesson.strategy.laid.{'own' if own else 'other'}", facts))
        self.view.walk(Line(found.end, len(game_of(self.tree, before).moves), found.held.seat, said))

    def _respoken(self) -> None:
        super()._respoken()
        self._lay()

    def _stands(self) -> object:
        """The strategy that is set on the tree, as plain values."""
        own = None if self._view is None else self.view.strategy
        return self._playing.plain(self._given if own is None else own)

    def shown(self) -> dict[str, object]:
        """What the view shows of it; of a strategy that was changed since, nothing is said."""
        playing, now = self._playing, self._given if self._view is None else self.view.strategy
        lost = playing.lost if now == self._given else None
        if lost is None and self._live and now is not None:
            lost = playing.by.all_lost(now)
        return {**super().shown(), **({} if lost is None else {"score": self._text(playing.score(lost))})}

    def _fingerprint(self) -> str:
        """To judge what stands there in the beginning is not to have been asked."""
        kept = self._playing.found, self._playing.lost
        said = super()._fingerprint()
        self._playing.found, self._playing.lost = kept
        return said

    def by_hand(self) -> ByHand | None:
        """The tree with a capital at each information set that is asked about, and a box for each of its moves."""
        return tree_by_hand(
            self, self.tree, shares_by_hand(self.tree, self._playing.seat, self._language, lambda: self._playing.by.solved.rows)
        )

    def ready_made(self) -> dict[str, Any]:
        """The tree, whose strategy is asked for, how much it may lose, and those of the others, where they are known."""
        playing, against = self._playing, self._playing.by.against
        known = None if against is None else table_of(self.tree, None, against)
        asked = {"seat": playing.seat, "at_most": str(playing.at_most), "against": known, "question": plain_words(playing.question)}
        return {"tree": plain_tree(self.tree), **asked}

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> Strategy:
        """Ask what was handed out."""
        said, at_most = words_again(plain.get("question")), str(plain.get("at_most"))
        return cls(tree_again(plain.get("tree")), plain.get("seat"), at_most, against=plain.get("against"), question=said)

    def _called(self, thing: object) -> str:
        return place_name(names_of(self.tree, self._language), thing)

    def _made_view(self) -> Any:  # noqa: ANN401 - the widget is fetched when it is needed
        view = shown_whole(self.tree, self._language)
        view.task = self  # before anything is set: so no best response is marked that answers for somebody
        view.strategy = self._given
        view.look(next((here for here, actor in enumerate(self.tree.actor) if actor >= 0 and self._playing.seat in (None, actor)), 0))
        view.observe(lambda _: Displayed._changed(self), "told_solution")  # whether that is kept
        return view

    @property
    def loss(self) -> Number | None:
        """What the last strategy loses; None while none was judged."""
        return self._playing.lost

    @property
    def credit(self) -> Number:
        """How much of the task is done, from 0 to 1: 1 − what it loses ÷ what the beginning loses; 1 once no more is lost than may be.

        In the beginning all moves are drawn evenly; where that is an answer already, the first of each is made for certain; where that is one too, it is the most there is to lose.
        """
        return self._playing.credit()

    @property
    def punished(self) -> Profile | None:
        """What all seats do in the play that takes most from the last strategy; None while none was judged."""
        return None if self._playing.found is None else self._playing.found.profile

    @property
    def line(self) -> tuple[str, ...]:
        """The moves of that play, in its costliest way."""
        return () if (found := self._playing.found) is None or found.end < 0 else self.tree.moves_to(found.end)

    @property
    def game(self) -> Game | None:
        """Of Durak, the game of that play, to be looked at, or laid on a table; None of other games."""
        return game_lost(self.tree, self._playing.found)


def shares_by_hand(tree: Tree, seat: int | None, language: str, solved: Callable[[], Sequence[Sequence[Number]]]) -> HandWork:
    """A capital at each information set of a seat, or of all, and a box for each of its moves; `solved` gives what would be right."""
    names = names_of(tree, language)
    asked = [place for place, one in enumerate(tree.sets) if seat in (None, one.seat)]
    called = dict(zip(asked, map(str.upper, letters_for(len(asked))), strict=True))
    moves = [(place, move) for place in asked for move in range(len(tree.sets[place].moves))]
    labels = letters_for(len(moves))
    there = enumerate(zip(tree.actor, tree.info, strict=True))
    marks = {here: called[info] for here, (who, info) in there if who >= 0 and info in called}
    heads = {place: f"{called[place]}. {_head(names, place, alone=seat is not None)}" for place in asked}
    blanks = tuple(
        Blank(label, str(names.moves(place)[move]["said"]), "box", group=heads[place])
        for label, (place, move) in zip(labels, moves, strict=True)
    )

    def read(written: Written) -> object:
        given: dict[int, dict[str, str]] = {}
        for label, (place, move) in zip(labels, moves, strict=True):
            if written[label]:
                given.setdefault(place, {})[tree.sets[place].moves[move]] = written[label]
        return {place: _row(tree.sets[place], one) for place, one in given.items()} or None

    def write() -> Written:
        rows = solved()
        return {label: str(rows[place][move]) for label, (place, move) in zip(labels, moves, strict=True)}

    return HandWork(marks, blanks, read, write)


def _head(names: Names, place: int, *, alone: bool) -> str:
    """What an information set is called, and by whom it is met where several are asked about."""
    who, told = names.seats[names.tree.sets[place].seat], set_name(names, place)
    return told if told and (alone or told == who) else f"{who}: {told}" if told else who


def _row(one: InfoSet, given: Mapping[str, str]) -> dict[str, str]:
    """How likely each move of an information set is; a `RefusedError` where that cannot be."""
    row = filled_up(one.moves, given)
    try:
        row_of(one, row)
    except DurakError:
        raise RefusedError(TOGETHER, text=", ".join(given.values())[:40]) from None
    return row
