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
    """A question about the strategy of one player or of all players."""

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
        """Return the starting strategy: uniform, unless that is already an answer."""
        if self._blank is None:
            self._blank = self._met(self.by.beginning(self.at_most))
        return self._blank

    def begin_evenly(self) -> None:
        """Start with the uniform strategy, even if it is already an answer."""
        self._blank = self._met(Profile.uniform(self.tree))

    def _met(self, given: Profile) -> Profile:
        """Return the strategy with the known strategies of the other players."""
        against = self.by.against
        return given if against is None or self.seat is None else against.replaced(self.seat, given)

    def read(self, answer: object) -> Profile:
        """Parse a table, a function, a bot or a strategy."""
        return self._met(strategy_from(self.tree, self.seat, answer))

    def take(self, given: Profile, message: Mapping[str, object]) -> Profile:  # noqa: ARG002 - the view takes it
        """Refuse every message: the tree holds the strategy."""
        raise DurakError("a strategy is set on the tree itself: drag or type a probability at one of its moves")

    def plain(self, given: Profile) -> object:
        """Return the probabilities of the actions by information sets."""
        return table_of(self.tree, self.seat, given)

    def judge(self, given: Profile) -> Opinion:
        """Judge what the strategy loses, and where."""
        self.found, self.lost = self._lost(given)
        if self.lost > self.at_most and (rounded := rounded_off(self.tree, given)) != given and self.by.all_lost(rounded) <= self.at_most:
            given, (self.found, self.lost) = rounded, self._lost(rounded)
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
            infoset_label, better = KnownSaid(self.found.place), StepSaid(self.found.place, self.found.move)
            why.append(Fact("lesson.strategy.leak", {"label": infoset_label, "better": better}))
        if self.found.end >= 0:
            why.append(Fact("lesson.strategy.line", {"moves": Way(self.found.end)}))
        return Opinion({}, why, False)

    def _lost(self, given: Profile) -> tuple[Loss, Number]:
        """Return the loss of a strategy, and the number that is judged."""
        loss = self.by.loss(given)
        return loss, loss.lost if self.seat is not None else self.by.all_lost(given)

    @property
    def solution(self) -> dict[object, object]:
        """Return a right answer of the asked player as a table."""
        rows = self.by.solved.rows
        return {
            infoset: record.moves[rows[infoset].index(1)]
            if max(rows[infoset]) == 1
            else {move: str(probability) for move, probability in zip(record.moves, rows[infoset], strict=True)}
            for infoset, record in enumerate(self.tree.sets)
            if self.seat in (None, record.seat)
        }

    def told(self, given: Profile, marks: Mapping[str, str]) -> Sequence[ToldPart]:  # noqa: ARG002 - it is judged as a whole
        """Return the action at each information set, or the probabilities of several."""
        parts_by_infoset = []
        for infoset, record in enumerate(self.tree.sets):
            if self.seat in (None, record.seat):
                row = given.rows[infoset]
                parts = tuple(
                    StepSaid(infoset, move)
                    if probability == 1
                    else Fact("lesson.strategy.likely", {"move": StepSaid(infoset, move), "likely": number_said(probability)})
                    for move, probability in enumerate(row)
                    if probability
                )
                parts_by_infoset.append(ToldPart(KnownSaid(infoset), parts))
        return parts_by_infoset

    def still(self, given: Profile | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - strategies are told in words
        """Return the tree."""
        return Still(self.tree)

    def credit(self) -> Number:
        """Return the share of the exercise that is done."""
        return Fraction(0) if self.lost is None else self.earned(self.lost)

    def earned(self, lost: Number) -> Number:
        """Return the share of the exercise that is done by a strategy with this loss."""
        if lost <= self.at_most:
            return Fraction(1)
        earned = 1 - lost / self.by.scale(self.at_most)
        return earned if earned > 0 else Fraction(0)

    def shown(self, given: Profile, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002
        """Return the player and the allowed loss."""
        return {"seat": self.seat, "at_most": number_said(self.at_most), **({} if self.by.against is None else {"against": True})}

    def score(self, lost: Number) -> Text:
        """Return the sentence with the loss and the share that is done."""
        if lost <= self.at_most:
            return Fact("lesson.strategy.done", {"lost": number_said(lost)})
        return Fact("lesson.strategy.score", {"lost": number_said(lost), "percent": str(int(100 * self.earned(lost)))})

    def attempts(self) -> list[Profile]:
        """Return the starting strategy."""
        return [self.blank()]


class Strategy(OnBoard):
    """An exercise to find a strategy that loses nothing, or no more than is allowed.

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
        """Ask for a strategy of `seat`, or of all players (None), that loses at most `at_most`.

        `against` gives known strategies of the other players.
        """
        require_tree(tree)
        number = None if seat is None else whole_number(seat)
        if seat is not None and (number is None or number not in range(tree.seats)):
            raise DurakError(f"there is no seat {quoted(seat)}; seats are counted from 0 to {tree.seats - 1}")
        allowed_loss = number_typed(as_typed(at_most))
        if allowed_loss is None or allowed_loss.value < 0:
            raise DurakError(f"at_most={quoted(at_most)} is how much may be lost: a number from 0 on, such as '1/10'")
        if against is not None and number is None:
            raise DurakError("who plays against known strategies has a seat: say which, seat=0")
        known_strategies = None if against is None else strategy_from(tree, None, against)
        self._playing = Playing(tree, number, allowed_loss.value, known_strategies, question)
        super().__init__(self._playing, **aside(more, "Strategy", tree.seats))
        self.tree, self._live = tree, live is True

    def answer(self, answer: object) -> Verdict:
        """Judge a strategy, which is shown on the tree too."""
        with may_be_stopped(self._voice):
            verdict = super().answer(answer)
        self._show()
        return verdict

    def as_answer(self, code: WalledCode) -> object:
        """Return a student's program as a function of the view."""
        return code.at

    def try_out(self, code: WalledCode) -> str:
        """Call a program at every information set, so that its errors are raised."""
        self._playing.read(code.at)
        return ""

    def lays_by(self, answer: object) -> bool:
        """Return whether the answer is the text of a program."""
        return isinstance(answer, Mapping) and answer.keys() == {"code"} and isinstance(answer["code"], str)

    def recall(self, given: object) -> None:
        """Restore a stored answer; the text of a program is not shown on the tree."""
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
        text = super().reveal()
        self._show()
        return text

    def again(self) -> None:
        """Start again."""
        self._playing.found = self._playing.lost = None
        super().again()
        self._show()

    def keep(self) -> None:
        """Store answers from now on instead of judging them.

        The starting strategy and the loss at each change are no longer shown, because they would give the answer away.
        """
        self._live = False
        self._playing.begin_evenly()
        super().keep()

    def _show(self) -> None:
        """Show the result on the tree and on its card table.

        It is the given strategy, the best response to it, and the node at which that costs most.
        """
        if self._view is None:
            return
        self.view.strategy = self._given
        loss = self._playing.found
        if loss is None:
            self.view.best(None)
        if loss is not None and not self.over:
            if self._playing.seat is not None and self._playing.by.against is None:
                self.view.best(1 - self._playing.seat)
            if loss.end >= 0:
                self.view.look(slip(self.tree, loss))
        self._lay()

    def _lay(self) -> None:
        """Show the costliest play of a game of Durak on the card table beside the tree.

        Nothing is shown for a strategy that loses no more than is allowed.
        """
        loss = self._playing.found
        if self._view is None or not isinstance(self.tree.origin, Origin):
            return
        if loss is None or self.over or loss.end <= 0:
            self.view.walk(None)
            return
        from durak_widget.board.card_table_panel import Line  # noqa: PLC0415 - a view is there, and so its room

        after = taken(self.tree, loss, answered=self._playing.by.against is None and self._playing.seat is not None)
        before = self.tree.parent[after]
        facts = {
            "who": player_said(self.tree, loss.held.seat),
            "other": player_said(self.tree, self.tree.actor[before]),
            "move": BranchSaid(after),
            "end": number_said(self.tree.payoffs[self.tree.info[loss.end]][loss.held.seat]),
            "lost": number_said(loss.lost),
        }
        is_own_move = self.tree.actor[before] == loss.held.seat
        comment = self._text(Fact(f"lesson.strategy.laid.{'own' if is_own_move else 'other'}", facts))
        self.view.walk(Line(loss.end, len(game_of(self.tree, before).moves), loss.held.seat, comment))

    def _respoken(self) -> None:
        super()._respoken()
        self._lay()

    def _stands(self) -> object:
        """Return the strategy that is set on the tree as plain values."""
        own = None if self._view is None else self.view.strategy
        return self._playing.plain(self._given if own is None else own)

    def shown(self) -> dict[str, object]:
        """Return the view model; a strategy that was changed since has no score."""
        playing, current = self._playing, self._given if self._view is None else self.view.strategy
        lost = playing.lost if current == self._given else None
        if lost is None and self._live and current is not None:
            lost = playing.by.all_lost(current)
        return {**super().shown(), **({} if lost is None else {"score": self._text(playing.score(lost))})}

    def _fingerprint(self) -> str:
        """Return the fingerprint, and restore the last judgement, which is changed by it."""
        kept = self._playing.found, self._playing.lost
        fingerprint = super()._fingerprint()
        self._playing.found, self._playing.lost = kept
        return fingerprint

    def by_hand(self) -> ByHand | None:
        """Return the tree for paper, with a box for each action of the asked information sets."""
        return tree_by_hand(
            self, self.tree, shares_by_hand(self.tree, self._playing.seat, self._language, lambda: self._playing.by.solved.rows)
        )

    def ready_made(self) -> dict[str, Any]:
        """Return the tree, the player, the allowed loss and the known strategies."""
        playing, against = self._playing, self._playing.by.against
        known_table = None if against is None else table_of(self.tree, None, against)
        fields = {"seat": playing.seat, "at_most": str(playing.at_most), "against": known_table, "question": plain_words(playing.question)}
        return {"tree": plain_tree(self.tree), **fields}

    @classmethod
    def from_ready_made(cls, plain: Mapping[str, Any]) -> Strategy:
        """Build the exercise from the data that was handed out."""
        question, at_most = words_again(plain.get("question")), str(plain.get("at_most"))
        return cls(tree_again(plain.get("tree")), plain.get("seat"), at_most, against=plain.get("against"), question=question)

    def _called(self, thing: object) -> str:
        return place_name(names_of(self.tree, self._language), thing)

    def _made_view(self) -> Any:  # noqa: ANN401 - the widget is fetched when it is needed
        view = shown_whole(self.tree, self._language)
        view.task = self  # set first, so that no best response is shown that would give the answer away
        view.strategy = self._given
        view.look(next((node for node, actor in enumerate(self.tree.actor) if actor >= 0 and self._playing.seat in (None, actor)), 0))
        view.observe(lambda _: Displayed._changed(self), "told_solution")  # the page shows whether the strategy is stored
        return view

    @property
    def loss(self) -> Number | None:
        """Return what the last strategy loses; None if none was judged."""
        return self._playing.lost

    @property
    def credit(self) -> Number:
        """Return the share of the exercise that is done, from 0 to 1.

        It is 1 − loss ÷ loss of the starting strategy, or 1 if solved. The starting strategy is uniform. If that is an answer already, it
        is the first action everywhere; if that is one too, the loss is divided by the largest possible one.
        """
        return self._playing.credit()

    @property
    def punished(self) -> Profile | None:
        """Return the strategies of all players in the play that takes most from the last strategy.

        None if none was judged.
        """
        return None if self._playing.found is None else self._playing.found.profile

    @property
    def line(self) -> tuple[str, ...]:
        """Return the moves of that play on its costliest path."""
        return () if (loss := self._playing.found) is None or loss.end < 0 else self.tree.moves_to(loss.end)

    @property
    def game(self) -> Game | None:
        """Return that play as a game of Durak; None for other games."""
        return game_lost(self.tree, self._playing.found)


def shares_by_hand(tree: Tree, seat: int | None, language: str, solved: Callable[[], Sequence[Sequence[Number]]]) -> HandWork:
    """Return the form for paper, with a box for each action of the asked information sets.

    Each set has a capital letter. `solved` returns the probabilities of a right answer.
    """
    names = names_of(tree, language)
    asked_infosets = [infoset for infoset, record in enumerate(tree.sets) if seat in (None, record.seat)]
    letter_of_infoset = dict(zip(asked_infosets, map(str.upper, letters_for(len(asked_infosets))), strict=True))
    moves = [(infoset, move) for infoset in asked_infosets for move in range(len(tree.sets[infoset].moves))]
    labels = letters_for(len(moves))
    nodes = enumerate(zip(tree.actor, tree.info, strict=True))
    marks = {node: letter_of_infoset[info] for node, (actor, info) in nodes if actor >= 0 and info in letter_of_infoset}
    heads = {infoset: f"{letter_of_infoset[infoset]}. {_head(names, infoset, alone=seat is not None)}" for infoset in asked_infosets}
    blanks = tuple(
        Blank(label, str(names.moves(infoset)[move]["said"]), "box", group=heads[infoset])
        for label, (infoset, move) in zip(labels, moves, strict=True)
    )

    def read(written: Written) -> object:
        given: dict[int, dict[str, str]] = {}
        for label, (infoset, move) in zip(labels, moves, strict=True):
            if written[label]:
                given.setdefault(infoset, {})[tree.sets[infoset].moves[move]] = written[label]
        return {infoset: _row(tree.sets[infoset], texts) for infoset, texts in given.items()} or None

    def write() -> Written:
        rows = solved()
        return {label: str(rows[infoset][move]) for label, (infoset, move) in zip(labels, moves, strict=True)}

    return HandWork(marks, blanks, read, write)


def _head(names: Names, place: int, *, alone: bool) -> str:
    """Return the heading of an information set, with its player if several are asked."""
    player_name, name = names.seats[names.tree.sets[place].seat], set_name(names, place)
    return name if name and (alone or name == player_name) else f"{player_name}: {name}" if name else player_name


def _row(one: InfoSet, given: Mapping[str, str]) -> dict[str, str]:
    """Return the probabilities at an information set, or raise a `RefusedError`."""
    row = filled_up(one.moves, given)
    try:
        row_of(one, row)
    except DurakError:
        raise RefusedError(TOGETHER, text=", ".join(given.values())[:40]) from None
    return row
