"""Endless exercises, made from a rule: each is drawn by chance, answered by the model, and harder the better one does."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from durak_widget.cards import SUITS, Card, bits_of
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.game.game import Game, checked_seed
from durak_widget.lessons.asking import Pick, Predict, Sort
from durak_widget.lessons.display import Displayed
from durak_widget.rules import beating, pack
from durak_widget.rules.book import Rules
from durak_widget.words import Fact

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.game.moves import Move
    from durak_widget.lessons.exercise import Aside, Exercise
    from durak_widget.lessons.task import Verdict

LEVELS: Final = 4
_UP, _DOWN = 3, 2
"""After so many right answers in a row it grows harder, after so many wrong ones easier."""
_FEW: Final = 3
"""With fewer cards there is little to ask."""
_LONGEST: Final = 60
"""So far into a game positions are looked for."""


class Drill(Displayed):
    """One question after another on a topic: `beats`, `order`, `throw`, `transfer` or `next`.

    >>> drill = Drill("beats", seed=1)
    >>> print(drill.question)
    Pick every card that beats the 10 of clubs. Trumps are diamonds.
    >>> bool(drill.answer(drill.solution)), drill.streak
    (True, 1)
    >>> drill.next(); drill.streak, drill.level
    (1, 1)
    """

    def __init__(self, topic: str, *, seed: int | str | None = None, level: int = 1, language: str | None = None) -> None:
        """Begin at a level, from 1 to 4; a seed gives the same questions again."""
        if not isinstance(topic, str) or topic not in TOPICS:
            raise DurakError(f"there is no drill {quoted(topic)}; there are {', '.join(TOPICS)}.{nearest(topic, TOPICS)}")
        hard = whole_number(level)
        if hard is None or hard not in range(1, LEVELS + 1):
            raise DurakError(f"level={quoted(level)}: a drill has the levels 1 to {LEVELS}")
        super().__init__(language)
        self.topic, self._level = topic, hard
        self._random = Random(checked_seed(seed) if seed is not None else None)
        self._streak = self._best = self._ups = self._downs = 0
        self._counted = False
        self._current = self._drawn()

    def _drawn(self) -> Exercise:
        return TOPICS[self.topic](self._random, self._level, {"language": self._language})

    @property
    def exercise(self) -> Exercise:
        """The question that is now asked, as an exercise of its own."""
        return self._current

    @property
    def question(self) -> str:
        """What is asked."""
        return self._current.question

    @property
    def solution(self) -> list[str]:
        """A right answer, as `answer` takes it."""
        return self._current.solution

    @property
    def streak(self) -> int:
        """How many questions in a row were answered rightly at the first try."""
        return self._streak

    @property
    def best(self) -> int:
        """The longest row so far."""
        return self._best

    @property
    def level(self) -> int:
        """How hard the questions now are."""
        return self._level

    def _respoken(self) -> None:
        self._current.language = self._language

    def answer(self, answer: object) -> Verdict:
        """Answer the question; the first try counts."""
        verdict = self._current.answer(answer)
        self._count(right=verdict.right)
        self._changed()
        return verdict

    def check(self) -> bool:
        """Whether the question that is now asked is answered rightly, without having been shown the solution."""
        return self._current.check()

    def _count(self, *, right: bool) -> None:
        """Of each question, only what was done first."""
        if self._counted:
            return
        self._counted = True
        self._streak = self._streak + 1 if right else 0
        self._best = max(self._best, self._streak)
        self._ups, self._downs = (self._ups + 1, 0) if right else (0, self._downs + 1)
        if self._ups == _UP or self._downs == _DOWN:
            self._level = max(1, min(LEVELS, self._level + (1 if right else -1)))
            self._ups = self._downs = 0

    def reveal(self) -> str:
        """Show the solution: the row of right answers ends."""
        self._count(right=False)
        said = self._current.reveal()
        self._changed()
        return said

    def again(self) -> None:
        """Try the same question once more; it counts no more."""
        self._current.again()
        self._changed()

    def next(self) -> None:
        """The next question; one that was not answered ends the row."""
        self._count(right=False)
        self._current, self._counted = self._drawn(), False
        self._changed()

    def sheet(self) -> dict[str, object]:
        """What the page shows: the question, and how one is doing."""
        return {**self._current.sheet(), "streak": self._streak, "level": self._level}

    def static(self) -> dict[str, str]:
        """The question that is now asked."""
        return self._current.static()

    def __repr__(self) -> str:
        return f"<Drill {self.topic!r}, level {self._level}, {self._streak} in a row>"


# The questions


_OTHER_RULES: Final = {
    "lesson.rule.spades": Rules.preset("spades_by_spades"),
    "lesson.rule.low_trump": Rules(low_trump_beats_ace=True),
    "lesson.rule.jokers": Rules.preset("full_jokers"),
}
"""Rules that beat otherwise, and the words that say so."""

_OTHER_THROWS: Final = {
    "lesson.rule.any_time": Rules(players=4, throw_in_when="any_time"),
    "lesson.rule.neighbours": Rules(players=5, throw_in_by="neighbours"),
    "lesson.rule.attacker": Rules(players=3, throw_in_by="attacker"),
}
"""Rules under which others throw in, or at other times, and the words that say so."""


def _beats(rng: Random, level: int, more: Aside) -> Exercise:
    """Which cards beat one: few at first, then many, then under rules that beat otherwise."""
    rule = rng.choice(sorted(_OTHER_RULES)) if level == LEVELS else ""
    rules = _OTHER_RULES.get(rule, Rules())
    trump = SUITS[rng.choice(beating.trump_suits(rules))]
    target, *hand = rng.sample([str(Card.of(code)) for code in bits_of(pack.faces(rules))], 1 + (4, 6, 8, 8)[level - 1])
    return Pick.beaters(target, of=hand, trump=trump, rules=rules, rule=Fact(rule) if rule else "", **more)


def _order(rng: Random, level: int, more: Aside) -> Exercise:
    """A row in which each beats the one before: cards of one suit and trumps."""
    trump, plain = rng.sample("cdhs", 2)
    count, trumps = ((3, 1), (4, 2), (5, 2), (6, 3))[level - 1]
    row = [rank + trump for rank in rng.sample("6789TJQKA", trumps)] + [rank + plain for rank in rng.sample("6789TJQKA", count - trumps)]
    rng.shuffle(row)
    solution = Sort(row, trump=trump).solution
    while row == solution:  # a row that lies right already asks nothing
        rng.shuffle(row)
    return Sort(row, trump=trump, **more)


def _throw(rng: Random, level: int, more: Aside) -> Exercise:
    """Which cards of the hand may be thrown in: by two players, by more, at last where circles play otherwise."""
    rule = rng.choice(sorted(_OTHER_THROWS)) if level == LEVELS else ""
    rules = _OTHER_THROWS.get(rule) or Rules(players=(2, 3, 4, 5)[level - 1])

    def wanted(game: Game) -> bool:
        return _choice(game) and any(move.verb == "throw" for move in game.legal_moves())

    return Pick.moves(_position(rng, rules, wanted), "throw", rule=Fact(rule) if rule else "", **more)


def _transfer(rng: Random, level: int, more: Aside) -> Exercise:
    """Which cards of the hand pass the attack on, also where none does."""
    rules = Rules.preset("transfer", players=(2, 3, 4, 5)[level - 1])
    none = rng.random() < 0.3

    def wanted(game: Game) -> bool:
        can = any(move.verb == "transfer" for move in game.legal_moves())
        return _choice(game) and game.actor == game.defender and bool(game.table) and can is not none

    return Pick.moves(_position(rng, rules, wanted), "transfer", **more)


def _next(rng: Random, level: int, more: Aside) -> Exercise:
    """Who is to act after a move, where no hidden card decides that."""
    rules = Rules(players=(2, 3, 4, 5)[level - 1])
    ends = rng.random() < 0.7  # who attacks next is the better question
    game = _position(rng, rules, lambda game: any(_is_sure(game, move, ends=ends) for move in game.legal_moves()))
    return Predict.next_to_act(game, rng.choice([move for move in game.legal_moves() if _is_sure(game, move, ends=ends)]), **more)


def _is_sure(game: Game, move: Move, *, ends: bool) -> bool:
    """Whether everybody at the table can say who is to act after that move, which ends the bout or does not."""
    after = game.copy()
    after.play(move)
    if after.actor is None or (after.bout > game.bout) is not ends:
        return False
    if not ends:
        return after.actor == after.defender and move.verb != "beat"
    if move.verb == "beat":
        return len(game.table) == game.limit  # no more may be thrown in, whatever they hold
    waiting = {seat for seat in game.seats_in if seat not in (game.defender, game.actor, *game.throwers_passed)}
    return move.verb == "pass" and not waiting


def _choice(game: Game) -> bool:
    """Whether the seat to act holds enough cards for a question."""
    return game.actor is not None and len(game.hands[game.actor]) >= _FEW


def _position(rng: Random, rules: Rules, wanted: Callable[[Game], bool]) -> Game:
    """A position of a game played by chance in which that holds."""
    while True:
        game = Game(rules, seed=rng.getrandbits(32))
        found = []
        while game.outcome is None and game.ply < _LONGEST:
            if wanted(game):
                found.append(game.ply)
            game.play(rng.choice(game.legal_moves()))
        if found:
            game.goto(rng.choice(found))
            game.forget_undone()
            return game


TOPICS: Final[dict[str, Callable[[Random, int, Aside], Exercise]]] = {
    "beats": _beats,
    "order": _order,
    "throw": _throw,
    "transfer": _transfer,
    "next": _next,
}
"""What can be drilled."""
