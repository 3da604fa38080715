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
"""Right answers in a row to become harder, and wrong ones to become easier."""
_MOST: Final = 100
"""Limit of the goal."""
LEVELS: Final = 4
_RANKS: Final = "23456789TJQKA"
_FEW: Final = 3
"""Least number of cards that make a good question."""
_LONGEST: Final = 60
"""Number of moves after which no position is taken from a game."""
_PATIENCE: Final = 500
"""Number of games after which any question will do."""
_TURNING: Final = 0.85
"""Share of questions that turn on their rule.

With the others, students can't infer the answer from that.
"""

# What beats what, and rows
OTHER_RULES: Final = {
    "lesson.rule.spades": Rules.preset("spades_by_spades"),
    "lesson.rule.low_trump": Rules(low_trump_beats_ace=True),
    "lesson.rule.jokers": Rules.preset("full_jokers"),
}
"""Rules by which other cards beat, by the keys of the sentences that explain them."""

# Positions
OTHER_THROWS: Final = {
    "lesson.rule.any_time": Rules(players=4, throw_in_when="any_time"),
    "lesson.rule.neighbours": Rules(players=5, throw_in_by="neighbours"),
    "lesson.rule.attacker": Rules(players=3, throw_in_by="attacker"),
}
"""Rules by which others throw in, or at other times, by the keys of their sentences."""


class Drill(Displayed):
    """A series of questions on a topic, with a number of right answers in a row as its goal.

    The topics are `beats`, `order`, `throw`, `transfer` and `next`.

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
        """Start at a level from 1 to 4, and go up to the `hardest`.

        A seed gives the same questions again. With a `name` it is remembered when the goal is reached.
        """
        if not isinstance(topic, str) or topic not in TOPICS:
            raise DurakError(f"there is no drill {quoted(topic)}; there are {', '.join(TOPICS)}.{nearest(topic, TOPICS)}")
        self._level, self._hardest = _level("level", level), _level("hardest", hardest)
        if self._level > self._hardest:
            raise DurakError(f"level={self._level} is harder than hardest={self._hardest}: begin at that level, or lower")
        row_length = whole_number(goal)
        if row_length is None or row_length not in range(1, _MOST + 1):
            raise DurakError(f"goal={quoted(goal)}: a drill is done after so many right answers in a row, from 1 to {_MOST}")
        super().__init__(language)
        self.topic, self.name, self._goal = topic, checked_name(name) if name else "", row_length
        self._random = Random(checked_seed(seed) if seed is not None else None)
        self._streak = self._best = self._ups = self._downs = 0
        self._counted = False
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._current = self._drawn()

    def _drawn(self) -> Exercise:
        """Draw a question of the current level."""
        return draw(self.topic, self._level, self._random).make({"language": self._language})

    @property
    def exercise(self) -> Exercise:
        """Return the current question, as an exercise of its own."""
        return self._current

    @property
    def question(self) -> str:
        """Return the text of the question."""
        return self._current.question

    @property
    def solution(self) -> list[str]:
        """Return a right answer, in the form that `answer` takes."""
        return self._current.solution

    @property
    def streak(self) -> int:
        """Return the number of right first answers in a row."""
        return self._streak

    @property
    def best(self) -> int:
        """Return the longest row so far."""
        return self._best

    @property
    def level(self) -> int:
        """Return the level of the questions now."""
        return self._level

    def _respoken(self) -> None:
        self._current.language = self._language

    def answer(self, answer: object) -> Verdict:
        """Answer the question; the first try counts."""
        is_first_try, verdict = not self._counted, self._current.answer(answer)
        self._count(right=verdict.right)
        self._changed()
        for callback in tuple(self._callbacks) if is_first_try else ():
            callback(verdict)
        return verdict

    @property
    def goal(self) -> int:
        """Return the number of right answers in a row that is the goal."""
        return self._goal

    def check(self) -> bool:
        """Return whether the goal was reached."""
        return self._best >= self._goal

    revealed = False
    """Always false: a solution that was shown ends the row and nothing else."""

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call a function with the verdict on the first answer to each question."""
        if not callable(callback):
            raise DurakError(f"a verdict is told to a function, such as print, not to {quoted(callback)}")
        self._callbacks.append(callback)

    def _first_displayed(self) -> None:
        """Record the results of a drill in a notebook."""
        remembered(self)

    def _count(self, *, right: bool) -> None:
        """Count the first result of each question."""
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
        """Show the solution; the row of right answers ends."""
        self._count(right=False)
        solution = self._current.reveal()
        self._changed()
        return solution

    def again(self) -> None:
        """Try the same question once more; it does not count."""
        self._current.again()
        self._changed()

    def next(self) -> None:
        """Go to the next question; if this one was not answered, the row ends."""
        self._count(right=False)
        self._current, self._counted = self._drawn(), False
        self._changed()

    def sheet(self) -> dict[str, object]:
        """Return the view model: the question, and the progress."""
        return {**self._current.sheet(), "streak": self._streak, "level": self._level, "goal": self._goal, "done": self.check()}

    def static(self) -> dict[str, str]:
        """Return the current question, as HTML and text."""
        return self._current.static()

    def __repr__(self) -> str:
        return f"<Drill {self.topic!r}, level {self._level}, {self._streak} in a row>"


def _level(name: str, level: object) -> int:
    """Return a level, or raise an error if it does not exist."""
    number = whole_number(level)
    if number is None or number not in range(1, LEVELS + 1):
        raise DurakError(f"{name}={quoted(level)}: a drill has the levels 1 to {LEVELS}")
    return number


class DrawnQuestion(NamedTuple):
    """A random question."""

    make: Make
    """Makes the exercise."""
    turns: bool
    """True if it turns on the rule of its level."""
    bars: bool = False
    """True if the rule forbids what could be done otherwise."""


def draw(topic: str, level: int, rng: Random) -> DrawnQuestion:
    """Draw a random question of a level.

    >>> from random import Random
    >>> draw("beats", 1, Random(1)).make({}).question
    'Pick every card that beats the king of diamonds. Trumps are clubs.'
    """
    return TOPICS[topic](rng, level)


def _beats(rng: Random, level: int) -> DrawnQuestion:
    """Ask which cards beat one.

    First suits and trumps, then many cards and trumps under attack, at last rules by which other cards beat.
    """
    rule = rng.choice(sorted(OTHER_RULES)) if level == LEVELS else ""
    rules, should_turn = OTHER_RULES.get(rule, Rules()), rng.random() < _TURNING
    deck = [Card.of(code) for code in bits_of(deck_and_beating.faces(rules))]
    while True:
        trump = SUITS[rng.choice(deck_and_beating.trump_suits(rules))]
        target, *hand = rng.sample(deck, 1 + (4, 6, 8, 8)[level - 1])
        if rule == "lesson.rule.low_trump" and should_turn:
            target, hand[0] = Card(f"A{trump}"), Card(f"{deck_and_beating.lowest_rank(rules)}{trump}")
            rng.shuffle(hand)
            if target in hand or len(set(hand)) < len(hand):
                continue
        does_turn = _turns_on_beating(level, rules, trump, target, hand)
        if does_turn is should_turn:
            rule_fact = Fact(rule) if rule else ""
            return DrawnQuestion(partial(_beaten, target, hand, trump, rules, rule_fact), does_turn)


def _beaten(target: Card, hand: list[Card], trump: str, rules: Rules, said: Fact | str, more: Aside) -> Exercise:
    """Make the exercise for `_beats`."""
    return Pick.beaters(target, of=hand, trump=trump, rules=rules, rule=said, **more)


def _turns_on_beating(level: int, rules: Rules, trump: str, target: Card, hand: list[Card]) -> bool:
    """Return whether a student who does not know the rule would answer differently.

    Such a student goes by ranks alone, forgets the trumps, or does not know the unusual rule.
    """
    right = {card for card in hand if card in rules.beaters(target, trump)}
    trumps = {card for card in hand if card.suit == trump}
    if level == LEVELS:
        usual_beaters = Rules(ranks=deck_and_beating.ranks(rules)).beaters(target, trump) if not target.is_joker else trumps
        return right != {card for card in hand if card in usual_beaters}
    if right == {card for card in hand if _RANKS.index(card.rank) > _RANKS.index(target.rank)}:
        return False
    suited = {card for card in right if card.suit == target.suit}
    if target.suit == trump:
        return level == 1 or right != trumps
    return level == 1 or right != suited


def _order(rng: Random, level: int) -> DrawnQuestion:
    """Ask for a row in which each card beats the one before: cards of one suit, then trumps."""
    trump, plain_suit = rng.sample("cdhs", 2)
    should_turn = rng.random() < _TURNING
    count, trumps = ((3, 1), (4, 2), (5, 2), (6, 3))[level - 1]
    while True:
        low, high = (sorted(rng.sample(_RANKS[4:], size), key=_RANKS.index) for size in (count - trumps, trumps))
        does_turn = _RANKS.index(high[0]) < _RANKS.index(low[-1])
        solution = [rank + plain_suit for rank in low] + [rank + trump for rank in high]
        row = rng.sample(solution, count)
        if does_turn is should_turn and row != solution:  # a sorted row would be no question
            return DrawnQuestion(partial(_sorted, row, trump), does_turn)


def _sorted(row: list[str], trump: str, more: Aside) -> Exercise:
    """Make the exercise for `_order`."""
    return Sort(row, trump=trump, **more)


class Found(NamedTuple):
    """A moment of a game at which a question can be asked."""

    seat: int
    move: Move | None
    turns: bool
    bars: bool


def _position(rng: Random, rules: Rules, ask: Callable[[Game], Iterator[Found]], *, turns: bool, bars: bool | None) -> tuple[Game, Found]:
    """Find a position of a random game at which a question of the wanted kind can be asked."""
    for game_count in count():
        game = Game(rules, seed=rng.getrandbits(32))
        candidates: list[tuple[int, Found]] = []
        while game.outcome is None and game.ply < _LONGEST:
            candidates += [
                (game.ply, moment)
                for moment in ask(game)
                if (moment.turns is turns and bars in (None, moment.bars)) or game_count > _PATIENCE
            ]
            game.play(rng.choice(game.legal_moves()))
        if candidates:
            ply, moment = rng.choice(candidates)
            game.goto(ply)
            game.forget_undone()
            return game, moment
    raise AssertionError  # the loop has no end


def _throw(rng: Random, level: int) -> DrawnQuestion:
    """Ask which cards may be thrown in.

    By the ranks of all cards on the table, up to the limit, at last by rules under which others throw in.
    """
    should_turn = rng.random() < _TURNING
    rule = rng.choice([*sorted(OTHER_THROWS), "lesson.rule.any_time"]) if level == LEVELS else ""
    rules = OTHER_THROWS.get(rule) or Rules(players=(2, 3, 4, 5)[level - 1])
    should_bar = should_turn and rng.random() < 0.45 if level == 3 else False if level < 3 else None
    ask = _now_thrown if level == 1 or rule == "lesson.rule.any_time" else partial(_then_thrown, full=should_bar is True)
    game, moment = _position(rng, rules, ask, turns=should_turn, bars=should_bar)
    rule_fact = Fact(rule) if rule else ""
    if moment.move is None:
        return DrawnQuestion(lambda more: Pick.moves(game, "throw", rule=_whose(game, moment.seat, rule_fact), **more), *moment[2:])
    move = moment.move
    return DrawnQuestion(lambda more: throws_after(game, move, moment.seat, rule=_whose(game, moment.seat, rule_fact), **more), *moment[2:])


def _now_thrown(game: Game) -> Iterator[Found]:
    """Yield the moment if a player may throw in now.

    It turns on the ranks of the beating cards, or on throwing in before all is beaten.
    """
    if _choice(game) and any(move.verb == "throw" for move in game.legal_moves()):
        is_usual = attack.beaten_needed(game.rules) == attack.NEVER
        of_attacks = {card.rank for card, _ in game.table}
        by_beaters = any(move.cards[0].rank not in of_attacks for move in game.legal_moves() if move.verb == "throw")
        yield Found(game.actor or 0, None, by_beaters if is_usual else not game.taking and bool(game.table.unbeaten), False)


def _then_thrown(game: Game, *, full: bool) -> Iterator[Found]:
    """Yield moments at which the defender beats the last card, and others may throw in then.

    With `full`, only where the limit is reached.
    """
    if game.actor != game.defender:
        return
    table = game.table
    if (full and len(table) < game.limit) or len(table.unbeaten) != 1:
        return
    attacks = {attack.rank for attack, _ in table}
    ranks_on_table = attacks | {beat.rank for _, beat in table if beat}
    is_full = len(table) >= game.limit
    in_play = sum(1 << seat for seat in game.seats_in)
    throwers = attack.may_throw(game.rules, game.attacker, game.defender, in_play)
    for seat in game.seats_in:
        if seat == game.defender or len(game.hands[seat]) < _FEW or (seat == game.attacker and seat in game.throwers_passed):
            continue
        ranks_in_hand = {card.rank for card in game.hands[seat]}
        for move in game.legal_moves():
            if move.verb != "beat":
                continue
            ranks_that_fit = ranks_in_hand & (ranks_on_table | {move.cards[1].rank})
            may = seat in throwers and not is_full
            if ranks_that_fit and may and seat != game.attacker and _after(game, move).actor != seat:
                continue  # another player is asked first, and the table may change
            right = ranks_that_fit if may else set()
            habitual_answer = ranks_in_hand & attacks if len(throwers) == len(game.seats_in) - 1 else set() if is_full else ranks_that_fit
            yield Found(seat, move, right != habitual_answer, bool(ranks_that_fit) and not may)


def _transfer(rng: Random, level: int) -> DrawnQuestion:
    """Ask with which cards the attack is transferred, also where none is possible.

    With more players, the next may not have enough cards.
    """
    rules = Rules.preset("transfer", players=(2, 3, 4, 5)[level - 1])
    should_bar = rng.random() < (0.2, 0.3, 0.4, 0.4)[level - 1]
    game, moment = _position(rng, rules, _transferred, turns=rng.random() < _TURNING or should_bar, bars=should_bar)
    return DrawnQuestion(lambda more: Pick.moves(game, "transfer", rule=_whose(game, moment.seat), **more), *moment[2:])


def _transferred(game: Game) -> Iterator[Found]:
    """Yield the moment if the defender may transfer; it turns on cards that don't beat."""
    if game.actor != game.defender or not game.table or not _choice(game):
        return
    moves, attack_card = game.legal_moves(), game.table[0][0]
    right, beats = ({move.cards[-1].face for move in moves if move.verb == verb} for verb in ("transfer", "beat"))
    same_rank = any(card.rank == attack_card.rank for card in game.hands[game.defender])
    yield Found(game.defender, None, right != beats, same_rank and not right)


def _next(rng: Random, level: int) -> DrawnQuestion:
    """Ask who is to act after a move, where no hidden card decides that."""
    rules = Rules(players=(2, 3, 4, 5)[level - 1])
    should_turn = rng.random() < _TURNING
    ends_bout = should_turn if level < 3 else rng.random() < 0.8
    game, moment = _position(rng, rules, lambda game: _followed(game, ends=ends_bout), turns=should_turn, bars=None)
    move = moment.move or Move("take")
    return DrawnQuestion(lambda more: Predict.next_to_act(game, move, rule=_whose(game, moment.seat), **more), *moment[2:])


def _followed(game: Game, *, ends: bool) -> Iterator[Found]:
    """Yield moments at which a move decides who is next.

    It turns on the rule where that is not simply the next player; at the end of a bout of two, nor always the attacker.
    """
    actor = game.actor
    verbs = _sure(game) if ends else {"attack", "throw"} if not game.taking else set()
    if actor is None or not verbs:
        return
    seats = [*game.seats_in, *game.seats_in]
    next_seat = seats[seats.index(actor) + 1]
    habitual_answers = {next_seat, game.attacker} if ends and game.seats == 2 else {next_seat}
    for move in game.legal_moves():
        if move.verb in verbs:
            after = _after(game, move) if ends else None
            next_actor = game.defender if after is None else after.actor if after.bout > game.bout else None
            if next_actor is not None:
                yield Found(actor, move, habitual_answers != {next_actor}, False)


def _sure(game: Game) -> set[str]:
    """Return the verbs with which the bout can end, whatever cards are hidden."""
    table = game.table
    if not table:
        return set()
    if game.actor == game.defender:
        return {"beat"} if len(table) == game.limit and len(table.unbeaten) == 1 else set()  # no more may be thrown in
    return {"pass"} if {game.defender, game.actor, *game.throwers_passed}.issuperset(game.seats_in) else set()


def _after(game: Game, move: Move) -> Game:
    """Return the game after a move."""
    after = game.copy()
    after.play(move)
    return after


def _choice(game: Game) -> bool:
    """Return whether the seat to act holds enough cards for a question."""
    return game.actor is not None and len(game.hands[game.actor]) >= _FEW


def _whose(game: Game, seat: int, rule: Fact | str = "") -> Fact | str:
    """Return the unusual rule and, with more than two players, where the student sits."""
    if game.seats == 2:
        return rule
    seat_fact = Fact("lesson.you_are", {"number": seat + 1})
    return Fact("lesson.under", {"rule": rule, "asked": seat_fact}) if rule else seat_fact


TOPICS: Final[dict[str, Callable[[Random, int], DrawnQuestion]]] = {
    "beats": _beats,
    "order": _order,
    "throw": _throw,
    "transfer": _transfer,
    "next": _next,
}
"""The topics of drills."""
