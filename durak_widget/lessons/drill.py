"""Runs drills: random questions on one rule, harder as the student gets better.

The goal is a number of right answers in a row. The rules engine gives the answers. Each question knows
whether it turns on the rule of its level, which means that someone who doesn't know the rule would answer
differently. At least two in three questions are chosen to turn on it.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import SUITS, Card, bits_of
from durak_widget.engine.game import Game, checked_seed
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.exercises.choice_exercise import Pick, Sort
from durak_widget.exercises.notebook_display import Displayed
from durak_widget.exercises.prediction_exercise import Predict, throws_after
from durak_widget.exercises.student_progress import checked_name, remembered
from durak_widget.i18n import Fact
from durak_widget.rules import attack, deck_and_beating
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.exercise import Aside, Exercise

    Make = Callable[[Aside], Exercise]

_UP, _DOWN = 3, 2
"""After so many right answers in a row it grows harder, after so many wrong ones easier."""
_MOST: Final = 100
"""So many right answers in a row may be asked for."""
LEVELS: Final = 4
_RANKS: Final = "23456789TJQKA"
_FEW: Final = 3
"""With fewer cards there is little to ask."""
_LONGEST: Final = 60
"""So far into a game positions are looked for."""
_PATIENCE: Final = 500
"""After so many games whatever can be asked will do."""
_TURNING: Final = 0.85
"""So many questions are drawn that turn on their rule; the others keep the answer from being told by that."""

# What beats what, and rows
OTHER_RULES: Final = {
    "lesson.rule.spades": Rules.preset("spades_by_spades"),
    "lesson.rule.low_trump": Rules(low_trump_beats_ace=True),
    "lesson.rule.jokers": Rules.preset("full_jokers"),
}
"""Rules that beat otherwise, and the words that say so."""

# Positions
OTHER_THROWS: Final = {
    "lesson.rule.any_time": Rules(players=4, throw_in_when="any_time"),
    "lesson.rule.neighbours": Rules(players=5, throw_in_by="neighbours"),
    "lesson.rule.attacker": Rules(players=3, throw_in_by="attacker"),
}
"""Rules under which others throw in, or at other times, and the words that say so."""


class Drill(Displayed):
    """One question after another on a topic: `beats`, `order`, `throw`, `transfer` or `next`. So many right in a row are its goal.

    >>> drill = Drill("beats", seed=1, goal=2)
    >>> print(drill.question)
    Pick every card that beats the king of diamonds. Trumps are clubs.
    >>> bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 1, False)
    >>> drill.next(); bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 2, True)
    """

    def __init__(
        self,
        topic: str,
        *,
        seed: int | str | None = None,
        level: int = 1,
        hardest: int = LEVELS,
        goal: int = 6,
        name: str = "",
        language: str | None = None,
    ) -> None:
        """Begin at a level, from 1 to 4, and go up to the `hardest`; a seed gives the same questions again. With a `name` it is remembered when the goal is reached."""
        if not isinstance(topic, str) or topic not in TOPICS:
            raise DurakError(f"there is no drill {quoted(topic)}; there are {', '.join(TOPICS)}.{nearest(topic, TOPICS)}")
        self._level, self._hardest = _level("level", level), _level("hardest", hardest)
        if self._level > self._hardest:
            raise DurakError(f"level={self._level} is harder than hardest={self._hardest}: begin at that level, or lower")
        many = whole_number(goal)
        if many is None or many not in range(1, _MOST + 1):
            raise DurakError(f"goal={quoted(goal)}: a drill is done after so many right answers in a row, from 1 to {_MOST}")
        super().__init__(language)
        self.topic, self.name, self._goal = topic, checked_name(name) if name else "", many
        self._random = Random(checked_seed(seed) if seed is not None else None)
        self._streak = self._best = self._ups = self._downs = 0
        self._counted = False
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._current = self._drawn()

    def _drawn(self) -> Exercise:
        return draw(self.topic, self._level, self._random).make({"language": self._language})

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
        first, verdict = not self._counted, self._current.answer(answer)
        self._count(right=verdict.right)
        self._changed()
        for callback in tuple(self._callbacks) if first else ():
            callback(verdict)
        return verdict

    @property
    def goal(self) -> int:
        """How many right answers in a row are asked for."""
        return self._goal

    def check(self) -> bool:
        """Whether the goal was reached."""
        return self._best >= self._goal

    revealed = False
    """A solution that was shown ends the row and nothing else."""

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call back with the verdict on the first answer to each question."""
        if not callable(callback):
            raise DurakError(f"a verdict is told to a function, such as print, not to {quoted(callback)}")
        self._callbacks.append(callback)

    def _first_displayed(self) -> None:
        """What is done in a notebook is remembered there."""
        remembered(self)

    def _count(self, *, right: bool) -> None:
        """Of each question, only what was done first."""
        if self._counted:
            return
        self._counted = True
        self._streak = self._streak + 1 if right else 0
        self._best = max(self._best, self._streak)
        self._ups, self._downs = (self._ups + 1, 0) if right else (0, self._downs + 1)
        if self._ups == _UP or self._downs == _DOWN:
            self._level = max(1, min(self._hardest, self._level + (1 if right else -1)))
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
        return {**self._current.sheet(), "streak": self._streak, "level": self._level, "goal": self._goal, "done": self.check()}

    def static(self) -> dict[str, str]:
        """The question that is now asked."""
        return self._current.static()

    def __repr__(self) -> str:
        return f"<Drill {self.topic!r}, level {self._level}, {self._streak} in a row>"


def _level(name: str, level: object) -> int:
    hard = whole_number(level)
    if hard is None or hard not in range(1, LEVELS + 1):
        raise DurakError(f"{name}={quoted(level)}: a drill has the levels 1 to {LEVELS}")
    return hard


class DrawnQuestion(NamedTuple):
    """A question that has been drawn."""

    make: Make
    """It as an exercise."""
    turns: bool
    """Whether it turns on the rule of its level."""
    bars: bool = False
    """Whether the rule forbids what otherwise could be done."""


def draw(topic: str, level: int, rng: Random) -> DrawnQuestion:
    """A question of that level.

    >>> from random import Random
    >>> draw("beats", 1, Random(1)).make({}).question
    'Pick every card that beats the king of diamonds. Trumps are clubs.'
    """
    return TOPICS[topic](rng, level)


def _beats(rng: Random, level: int) -> DrawnQuestion:
    """Which cards beat one: suits and trumps, then many cards and trumps under attack, at last rules that beat otherwise."""
    rule = rng.choice(sorted(OTHER_RULES)) if level == LEVELS else ""
    rules, turning = OTHER_RULES.get(rule, Rules()), rng.random() < _TURNING
    deck = [Card.of(code) for code in bits_of(deck_and_beating.faces(rules))]
    while True:
        trump = SUITS[rng.choice(deck_and_beating.trump_suits(rules))]
        target, *hand = rng.sample(deck, 1 + (4, 6, 8, 8)[level - 1])
        if rule == "lesson.rule.low_trump" and turning:
            target, hand[0] = Card(f"A{trump}"), Card(f"{deck_and_beating.lowest_rank(rules)}{trump}")
            rng.shuffle(hand)
            if target in hand or len(set(hand)) < len(hand):
                continue
        turns = _turns_on_beating(level, rules, trump, target, hand)
        if turns is turning:
            said = Fact(rule) if rule else ""
            return DrawnQuestion(partial(_beaten, target, hand, trump, rules, said), turns)


def _beaten(target: Card, hand: list[Card], trump: str, rules: Rules, said: Fact | str, more: Aside) -> Exercise:
    return Pick.beaters(target, of=hand, trump=trump, rules=rules, rule=said, **more)


def _turns_on_beating(level: int, rules: Rules, trump: str, target: Card, hand: list[Card]) -> bool:
    """Whether somebody would answer otherwise who goes by ranks alone, who forgets the trumps, or who does not know the unusual rule."""
    right = {card for card in hand if card in rules.beaters(target, trump)}
    trumps = {card for card in hand if card.suit == trump}
    if level == LEVELS:
        usual = Rules(ranks=deck_and_beating.ranks(rules)).beaters(target, trump) if not target.is_joker else trumps
        return right != {card for card in hand if card in usual}
    if right == {card for card in hand if _RANKS.index(card.rank) > _RANKS.index(target.rank)}:
        return False
    suited = {card for card in right if card.suit == target.suit}
    if target.suit == trump:
        return level == 1 or right != trumps
    return level == 1 or right != suited


def _order(rng: Random, level: int) -> DrawnQuestion:
    """A row in which each beats the one before: cards of one suit and trumps, of which some are low."""
    trump, plain = rng.sample("cdhs", 2)
    turning = rng.random() < _TURNING
    count, trumps = ((3, 1), (4, 2), (5, 2), (6, 3))[level - 1]
    while True:
        low, high = (sorted(rng.sample(_RANKS[4:], many), key=_RANKS.index) for many in (count - trumps, trumps))
        turns = _RANKS.index(high[0]) < _RANKS.index(low[-1])
        solution = [rank + plain for rank in low] + [rank + trump for rank in high]
        row = rng.sample(solution, count)
        if turns is turning and row != solution:  # a row that lies right already asks nothing
            return DrawnQuestion(partial(_sorted, row, trump), turns)


def _sorted(row: list[str], trump: str, more: Aside) -> Exercise:
    return Sort(row, trump=trump, **more)


class Found(NamedTuple):
    """A moment of a game at which something can be asked."""

    seat: int
    move: Move | None
    turns: bool
    bars: bool


def _position(rng: Random, rules: Rules, ask: Callable[[Game], Iterator[Found]], *, turns: bool, bars: bool | None) -> tuple[Game, Found]:
    """A position of a game played by chance at which that can be asked, with the rule deciding as it shall."""
    for tried in count():
        game = Game(rules, seed=rng.getrandbits(32))
        found: list[tuple[int, Found]] = []
        while game.outcome is None and game.ply < _LONGEST:
            found += [(game.ply, one) for one in ask(game) if (one.turns is turns and bars in (None, one.bars)) or tried > _PATIENCE]
            game.play(rng.choice(game.legal_moves()))
        if found:
            ply, one = rng.choice(found)
            game.goto(ply)
            game.forget_undone()
            return game, one
    raise AssertionError  # it is counted without an end


def _throw(rng: Random, level: int) -> DrawnQuestion:
    """Which cards may be thrown in: by the ranks of all cards there, up to the limit, at last where circles play otherwise."""
    turns = rng.random() < _TURNING
    rule = rng.choice([*sorted(OTHER_THROWS), "lesson.rule.any_time"]) if level == LEVELS else ""
    rules = OTHER_THROWS.get(rule) or Rules(players=(2, 3, 4, 5)[level - 1])
    bars = turns and rng.random() < 0.45 if level == 3 else False if level < 3 else None
    ask = _now_thrown if level == 1 or rule == "lesson.rule.any_time" else partial(_then_thrown, full=bars is True)
    game, found = _position(rng, rules, ask, turns=turns, bars=bars)
    said = Fact(rule) if rule else ""
    if found.move is None:
        return DrawnQuestion(lambda more: Pick.moves(game, "throw", rule=_whose(game, found.seat, said), **more), *found[2:])
    move = found.move
    return DrawnQuestion(lambda more: throws_after(game, move, found.seat, rule=_whose(game, found.seat, said), **more), *found[2:])


def _now_thrown(game: Game) -> Iterator[Found]:
    """Somebody may throw in; it turns on the ranks of the beating cards, or on throwing in before all is beaten."""
    if _choice(game) and any(move.verb == "throw" for move in game.legal_moves()):
        usual = attack.beaten_needed(game.rules) == attack.NEVER
        of_attacks = {attack.rank for attack, _ in game.table}
        by_beaters = any(move.cards[0].rank not in of_attacks for move in game.legal_moves() if move.verb == "throw")
        yield Found(game.actor or 0, None, by_beaters if usual else not game.taking and bool(game.table.unbeaten), False)


def _then_thrown(game: Game, *, full: bool) -> Iterator[Found]:
    """The defender beats the last card: what may be thrown in then, by whom, and is there room? Perhaps only where there is none."""
    if game.actor != game.defender:
        return
    table = game.table
    if (full and len(table) < game.limit) or len(table.unbeaten) != 1:
        return
    attacks = {attack.rank for attack, _ in table}
    lying = attacks | {beat.rank for _, beat in table if beat}
    no_room = len(table) >= game.limit
    in_play = sum(1 << seat for seat in game.seats_in)
    named = attack.may_throw(game.rules, game.attacker, game.defender, in_play)
    for seat in game.seats_in:
        if seat == game.defender or len(game.hands[seat]) < _FEW or (seat == game.attacker and seat in game.throwers_passed):
            continue
        held = {card.rank for card in game.hands[seat]}
        for move in game.legal_moves():
            if move.verb != "beat":
                continue
            fitting = held & (lying | {move.cards[1].rank})
            may = seat in named and not no_room
            if fitting and may and seat != game.attacker and _after(game, move).actor != seat:
                continue  # somebody else is asked before, and what lies there may change
            right = fitting if may else set()
            habit = held & attacks if len(named) == len(game.seats_in) - 1 else set() if no_room else fitting
            yield Found(seat, move, right != habit, bool(fitting) and not may)


def _transfer(rng: Random, level: int) -> DrawnQuestion:
    """With which cards the attack is transferred, also where none does; with more players, where the next has no room."""
    rules = Rules.preset("transfer", players=(2, 3, 4, 5)[level - 1])
    bars = rng.random() < (0.2, 0.3, 0.4, 0.4)[level - 1]
    game, found = _position(rng, rules, _transferred, turns=rng.random() < _TURNING or bars, bars=bars)
    return DrawnQuestion(lambda more: Pick.moves(game, "transfer", rule=_whose(game, found.seat), **more), *found[2:])


def _transferred(game: Game) -> Iterator[Found]:
    """The defender may transfer, or not; it turns on that where other cards do than those that beat."""
    if game.actor != game.defender or not game.table or not _choice(game):
        return
    moves, attack = game.legal_moves(), game.table[0][0]
    right, beats = ({move.cards[-1].face for move in moves if move.verb == verb} for verb in ("transfer", "beat"))
    same_rank = any(card.rank == attack.rank for card in game.hands[game.defender])
    yield Found(game.defender, None, right != beats, same_rank and not right)


def _next(rng: Random, level: int) -> DrawnQuestion:
    """Who is to act after a move, where no hidden card decides that."""
    rules = Rules(players=(2, 3, 4, 5)[level - 1])
    turns = rng.random() < _TURNING
    ends = turns if level < 3 else rng.random() < 0.8
    game, found = _position(rng, rules, lambda game: _followed(game, ends=ends), turns=turns, bars=None)
    move = found.move or Move("take")
    return DrawnQuestion(lambda more: Predict.next_to_act(game, move, rule=_whose(game, found.seat), **more), *found[2:])


def _followed(game: Game, *, ends: bool) -> Iterator[Found]:
    """Somebody makes a move. It turns on the rule where it is not simply the next player's turn; at the end of a bout of two, nor always the attacker's."""
    actor = game.actor
    verbs = _sure(game) if ends else {"attack", "throw"} if not game.taking else set()
    if actor is None or not verbs:
        return
    others = [*game.seats_in, *game.seats_in]
    following = others[others.index(actor) + 1]
    habits = {following, game.attacker} if ends and game.seats == 2 else {following}
    for move in game.legal_moves():
        if move.verb in verbs:
            after = _after(game, move) if ends else None
            then = game.defender if after is None else after.actor if after.bout > game.bout else None
            if then is not None:
                yield Found(actor, move, habits != {then}, False)


def _sure(game: Game) -> set[str]:
    """With which moves the bout can end, whatever cards are hidden."""
    table = game.table
    if not table:
        return set()
    if game.actor == game.defender:
        return {"beat"} if len(table) == game.limit and len(table.unbeaten) == 1 else set()  # no more may be thrown in, whatever they hold
    return {"pass"} if {game.defender, game.actor, *game.throwers_passed}.issuperset(game.seats_in) else set()


def _after(game: Game, move: Move) -> Game:
    after = game.copy()
    after.play(move)
    return after


def _choice(game: Game) -> bool:
    """Whether the seat to act holds enough cards for a question."""
    return game.actor is not None and len(game.hands[game.actor]) >= _FEW


def _whose(game: Game, seat: int, rule: Fact | str = "") -> Fact | str:
    """The rule that is not the usual one; and where one may sit anywhere, where one sits."""
    if game.seats == 2:
        return rule
    me = Fact("lesson.you_are", {"number": seat + 1})
    return Fact("lesson.under", {"rule": rule, "asked": me}) if rule else me


TOPICS: Final[dict[str, Callable[[Random, int], DrawnQuestion]]] = {
    "beats": _beats,
    "order": _order,
    "throw": _throw,
    "transfer": _transfer,
    "next": _next,
}
"""What can be drilled."""
