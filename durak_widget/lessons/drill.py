"""Drills: random questions about a rule that get harder as the student improves.

The goal is a number of correct answers in a row. The rules engine gives the correct answers. Each question has a flag whether it
depends on the rule of its level: then a student who doesn't know the rule would answer differently. At least two in three questions
depend on it.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.cards import SUITS, Card, bit_indices
from durak_widget.engine.game import Game, require_seed
from durak_widget.engine.moves import Move
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.exercises.choice_exercise import Pick, Sort
from durak_widget.exercises.notebook_display import NotebookDisplay
from durak_widget.exercises.prediction_exercise import Predict, ask_throw_ins
from durak_widget.exercises.student_progress import record_results, require_exercise_name
from durak_widget.i18n import TranslatableText
from durak_widget.rules import attack, deck_and_beating
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.exercise import Exercise, ExerciseOptions

    ExerciseMaker = Callable[[ExerciseOptions], Exercise]

_RIGHT_TO_GO_UP, _WRONG_TO_GO_DOWN = 3, 2
"""The numbers of correct answers, and of wrong answers, in a row that change the level."""
_MAX_GOAL: Final = 100
"""The largest possible goal of a drill, in correct answers in a row."""
LEVEL_COUNT: Final = 4
_RANKS: Final = "23456789TJQKA"
_MIN_CARDS: Final = 3
"""The minimum number of cards in a hand about which a drill asks a question."""
_MAX_PLY: Final = 60
"""The number of a game's moves after which no question is asked about its positions."""
_MAX_PICKY_GAMES: Final = 500
"""The number of random games in which a drill looks for the wanted kind of question.

After that, the drill accepts any question.
"""
_TURNING_SHARE: Final = 0.85
"""The share of questions whose correct answer depends on the rule that is practised.

The other questions keep students from guessing that the rule always matters.
"""

UNUSUAL_BEATING_RULES: Final = {
    "lesson.rule.spades": Rules.preset("spades_by_spades"),
    "lesson.rule.low_trump": Rules(low_trump_beats_ace=True),
    "lesson.rule.jokers": Rules.preset("full_jokers"),
}
"""The rules that change which cards beat which, by the message id of their explanation."""

UNUSUAL_THROW_RULES: Final = {
    "lesson.rule.any_time": Rules(players=4, throw_in_when="any_time"),
    "lesson.rule.neighbours": Rules(players=5, throw_in_by="neighbours"),
    "lesson.rule.attacker": Rules(players=3, throw_in_by="attacker"),
}
"""The rules that change who may throw in or when, by the message id of their explanation."""


class Drill(NotebookDisplay):
    """A series of questions on a topic; its goal is a number of correct answers in a row.

    The topics are `beats`, `order`, `throw`, `transfer` and `next`.

    >>> drill = Drill("beats", seed=1, goal=2)
    >>> print(drill.question)
    Pick every card that beats the king of diamonds. The trump suit is clubs.
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
        hardest: int = LEVEL_COUNT,
        goal: int = 6,
        name: str = "",
        language: str | None = None,
    ) -> None:
        """Start a drill at `level`, from 1 to 4; the level rises at most to `hardest`.

        The same seed gives the same questions again. With a `name`, the student's progress records that the goal was reached.
        """
        if not isinstance(topic, str) or topic not in TOPICS:
            raise DurakError(f"there is no drill {short_repr(topic)}; the drills are {', '.join(TOPICS)}.{suggest_nearest(topic, TOPICS)}")
        self._level, self._max_level = _require_level("level", level), _require_level("hardest", hardest)
        if self._level > self._max_level:
            raise DurakError(f"level={self._level} is more difficult than hardest={self._max_level}; begin at that level, or lower")
        goal_length = as_whole_number(goal)
        if goal_length is None or goal_length not in range(1, _MAX_GOAL + 1):
            raise DurakError(
                f"goal must be a number from 1 to {_MAX_GOAL}, the right answers in a row that finish the drill, not {short_repr(goal)}"
            )
        super().__init__(language)
        self.topic, self.name, self._goal = topic, require_exercise_name(name) if name else "", goal_length
        self._rng = Random(require_seed(seed) if seed is not None else None)
        self._streak = self._best = self._right_in_row = self._wrong_in_row = 0
        self._is_counted = False
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._exercise = self._draw_exercise()

    def _draw_exercise(self) -> Exercise:
        """Create a random question of the current level."""
        exercise = draw_question(self.topic, self._level, self._rng).make_exercise({"language": self._language})
        exercise.seat_lesson_opponents(self.name)
        return exercise

    @property
    def exercise(self) -> Exercise:
        """Return the exercise that asks the current question."""
        return self._exercise

    @property
    def question(self) -> str:
        """Return the text of the drill's current question."""
        return self._exercise.question

    @property
    def solution(self) -> list[str]:
        """Return a correct answer to the current question, for the method `answer`."""
        return self._exercise.solution

    @property
    def streak(self) -> int:
        """Return the current number of questions in a row that were correct at the first attempt."""
        return self._streak

    @property
    def best(self) -> int:
        """Return the longest series of correct answers so far."""
        return self._best

    @property
    def level(self) -> int:
        """Return the level of difficulty of the drill's next questions."""
        return self._level

    def _propagate_language(self) -> None:
        self._exercise.language = self._language

    def answer(self, answer: object) -> Verdict:
        """Grade an answer to the current question; only the first attempt counts for the drill."""
        is_first_try, verdict = not self._is_counted, self._exercise.answer(answer)
        self._count_result(is_right=verdict.right)
        self._refresh()
        for callback in tuple(self._callbacks) if is_first_try else ():
            callback(verdict)
        return verdict

    @property
    def goal(self) -> int:
        """Return the goal of the drill, in correct answers in a row."""
        return self._goal

    def check(self) -> bool:
        """Return whether the student has reached the goal of the drill."""
        return self._best >= self._goal

    is_revealed = False
    """Whether the solution was shown: always False, because in a drill this only ends the series of correct answers."""

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Register a function that is called with the verdict on each first attempt."""
        if not callable(callback):
            raise DurakError(f"on_answer needs a function, such as print, not {short_repr(callback)}")
        self._callbacks.append(callback)

    def _on_first_display(self) -> None:
        """Start recording the student's results when a notebook first displays the drill."""
        record_results(self)

    def _count_result(self, *, is_right: bool) -> None:
        """Count the result of the first answer to the current question; ignore later answers."""
        if self._is_counted:
            return
        self._is_counted = True
        self._streak = self._streak + 1 if is_right else 0
        self._best = max(self._best, self._streak)
        self._right_in_row, self._wrong_in_row = (self._right_in_row + 1, 0) if is_right else (0, self._wrong_in_row + 1)
        if self._right_in_row == _RIGHT_TO_GO_UP or self._wrong_in_row == _WRONG_TO_GO_DOWN:
            self._level = max(1, min(self._max_level, self._level + (1 if is_right else -1)))
            self._right_in_row = self._wrong_in_row = 0

    def reveal(self) -> str:
        """Show the solution of the current question; this ends the series of correct answers."""
        self._count_result(is_right=False)
        solution = self._exercise.reveal()
        self._refresh()
        return solution

    def restart(self) -> None:
        """Let the student try the current question again, without effect on the drill's result."""
        self._exercise.restart()
        self._refresh()

    def next(self) -> None:
        """Show the next question; an unanswered question ends the series of correct answers."""
        self._count_result(is_right=False)
        self._exercise, self._is_counted = self._draw_exercise(), False
        self._refresh()

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays: current question and student's progress."""
        return {
            **self._exercise.view_model(),
            "streak": self._streak,
            "level": self._level,
            "goal": self._goal,
            "is_goal_reached": self.check(),
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return the current question as HTML and text."""
        return self._exercise.static_mimebundle()

    def __repr__(self) -> str:
        return f"<Drill {self.topic!r}, level {self._level}, {self._streak} in a row>"


def _require_level(name: str, level: object) -> int:
    """Return a level of difficulty as an integer; raise an error if there is no such level."""
    number = as_whole_number(level)
    if number is None or number not in range(1, LEVEL_COUNT + 1):
        raise DurakError(f"{name} must be a level from 1 to {LEVEL_COUNT}, not {short_repr(level)}")
    return number


class DrawnQuestion(NamedTuple):
    """A random question that was drawn for a drill."""

    make_exercise: ExerciseMaker
    """The function that creates the exercise of the question."""
    depends_on_rule: bool
    """True if the correct answer depends on the rule that the drill practises."""
    is_forbidden_by_rule: bool = False
    """True if the rule forbids cards or moves that would otherwise be correct."""


def draw_question(topic: str, level: int, rng: Random) -> DrawnQuestion:
    """Draw a random question on a topic at a level of difficulty.

    >>> from random import Random
    >>> draw_question("beats", 1, Random(1)).make_exercise({}).question
    'Pick every card that beats the king of diamonds. The trump suit is clubs.'
    """
    return TOPICS[topic](rng, level)


def _draw_beating_question(rng: Random, level: int) -> DrawnQuestion:
    """Draw a question that asks which cards beat a given card.

    Level 1 is about suits and trumps, levels 2 and 3 have more cards and attacks with trumps, and level 4 has unusual rules.
    """
    rule = rng.choice(sorted(UNUSUAL_BEATING_RULES)) if level == LEVEL_COUNT else ""
    rules, should_turn = UNUSUAL_BEATING_RULES.get(rule, Rules()), rng.random() < _TURNING_SHARE
    deck = [Card.from_code(code) for code in bit_indices(deck_and_beating.deck_faces(rules))]
    while True:
        trump = SUITS[rng.choice(deck_and_beating.possible_trump_suits(rules))]
        target, *hand = rng.sample(deck, 1 + (4, 6, 8, 8)[level - 1])
        if rule == "lesson.rule.low_trump" and should_turn:
            target, hand[0] = Card(f"A{trump}"), Card(f"{deck_and_beating.lowest_rank(rules)}{trump}")
            rng.shuffle(hand)
            if target in hand or len(set(hand)) < len(hand):
                continue
        does_turn = _turns_on_beating(level, rules, trump, target, hand)
        if does_turn is should_turn:
            rule_fact = TranslatableText(rule) if rule else ""
            return DrawnQuestion(partial(_make_beating_exercise, target, hand, trump, rules, rule_fact), does_turn)


def _make_beating_exercise(
    target: Card, hand: list[Card], trump: str, rules: Rules, rule: TranslatableText | str, options: ExerciseOptions
) -> Exercise:
    """Create the exercise that asks which of the cards `hand` beat the card `target`."""
    return Pick.beaters(target, of=hand, trump=trump, rules=rules, rule=rule, **options)


def _turns_on_beating(level: int, rules: Rules, trump: str, target: Card, hand: list[Card]) -> bool:
    """Return whether a typical mistake leads to a wrong answer to a question about beating.

    The mistakes are to compare only ranks, to forget the trumps, or not to know the unusual rule.
    """
    right = {card for card in hand if card in rules.beaters(target, trump)}
    trumps = {card for card in hand if card.suit == trump}
    if level == LEVEL_COUNT:
        usual_beaters = Rules(ranks=deck_and_beating.deck_ranks(rules)).beaters(target, trump) if not target.is_joker else trumps
        return right != {card for card in hand if card in usual_beaters}
    if right == {card for card in hand if _RANKS.index(card.rank) > _RANKS.index(target.rank)}:
        return False
    suited = {card for card in right if card.suit == target.suit}
    if target.suit == trump:
        return level == 1 or right != trumps
    return level == 1 or right != suited


def _draw_order_question(rng: Random, level: int) -> DrawnQuestion:
    """Draw a question that asks for an order in which each card beats the card before it."""
    trump, plain_suit = rng.sample("cdhs", 2)
    should_turn = rng.random() < _TURNING_SHARE
    count, trumps = ((3, 1), (4, 2), (5, 2), (6, 3))[level - 1]
    while True:
        low, high = (sorted(rng.sample(_RANKS[4:], size), key=_RANKS.index) for size in (count - trumps, trumps))
        does_turn = _RANKS.index(high[0]) < _RANKS.index(low[-1])
        solution = [rank + plain_suit for rank in low] + [rank + trump for rank in high]
        row = rng.sample(solution, count)
        if does_turn is should_turn and row != solution:  # Cards that are already in order would make the question trivial
            return DrawnQuestion(partial(_make_order_exercise, row, trump), does_turn)


def _make_order_exercise(row: list[str], trump: str, options: ExerciseOptions) -> Exercise:
    """Create the exercise in which the student orders cards for a drill."""
    return Sort(row, trump=trump, **options)


class QuestionMoment(NamedTuple):
    """What a drill's question is about: a player in a game's position, and perhaps a move."""

    seat: int
    move: Move | None
    depends_on_rule: bool
    is_forbidden_by_rule: bool


def _find_position(
    rng: Random, rules: Rules, find_moments: Callable[[Game], Iterator[QuestionMoment]], *, turns: bool, bars: bool | None
) -> tuple[Game, QuestionMoment]:
    """Play random games until a position suits a given kind of question; return the position."""
    for game_count in count():
        game = Game(rules, seed=rng.getrandbits(32))
        candidates: list[tuple[int, QuestionMoment]] = []
        while game.outcome is None and game.ply < _MAX_PLY:
            candidates += [
                (game.ply, moment)
                for moment in find_moments(game)
                if (moment.depends_on_rule is turns and bars in (None, moment.is_forbidden_by_rule)) or game_count > _MAX_PICKY_GAMES
            ]
            game.play(rng.choice(game.legal_moves()))
        if candidates:
            ply, moment = rng.choice(candidates)
            game.goto(ply)
            game.forget_undone()
            return game, moment
    raise AssertionError  # Unreachable, because the loop never ends without a result


def _draw_throw_in_question(rng: Random, level: int) -> DrawnQuestion:
    """Draw a question that asks which cards a player may throw in.

    Level 1 is about the ranks on the table, level 3 adds the limit of attacking cards, and level 4 has unusual rules.
    """
    should_turn = rng.random() < _TURNING_SHARE
    rule = rng.choice([*sorted(UNUSUAL_THROW_RULES), "lesson.rule.any_time"]) if level == LEVEL_COUNT else ""
    rules = UNUSUAL_THROW_RULES.get(rule) or Rules(players=(2, 3, 4, 5)[level - 1])
    should_bar = should_turn and rng.random() < 0.45 if level == 3 else False if level < 3 else None
    find_moments = (
        _find_throw_in_moments
        if level == 1 or rule == "lesson.rule.any_time"
        else partial(_find_later_throw_in_moments, only_at_limit=should_bar is True)
    )
    game, moment = _find_position(rng, rules, find_moments, turns=should_turn, bars=should_bar)
    rule_fact = TranslatableText(rule) if rule else ""
    if moment.move is None:
        return DrawnQuestion(
            lambda more: Pick.moves(game, "throw", rule=_describe_rule_and_seat(game, moment.seat, rule_fact), **more), *moment[2:]
        )
    move = moment.move
    return DrawnQuestion(
        lambda more: ask_throw_ins(game, move, moment.seat, rule=_describe_rule_and_seat(game, moment.seat, rule_fact), **more), *moment[2:]
    )


def _find_throw_in_moments(game: Game) -> Iterator[QuestionMoment]:
    """Yield a question about the player to move, if this player may throw in cards.

    The rule matters if the answer depends on the ranks of beating cards, or on throwing in before all attacks are beaten.
    """
    if _has_enough_cards(game) and any(move.verb == "throw" for move in game.legal_moves()):
        is_usual = attack.min_beaten_to_throw(game.rules) == attack.NEVER
        attack_ranks = {card.rank for card, _ in game.table}
        needs_beating_rank = any(move.cards[0].rank not in attack_ranks for move in game.legal_moves() if move.verb == "throw")
        yield QuestionMoment(
            game.actor or 0, None, needs_beating_rank if is_usual else not game.taking and bool(game.table.unbeaten), False
        )


def _find_later_throw_in_moments(game: Game, *, only_at_limit: bool) -> Iterator[QuestionMoment]:
    """Yield moves after which all attacks are beaten, each with a player who might throw in.

    With `only_at_limit`, yield only moves after which the limit of attacking cards is reached.
    """
    if game.actor != game.defender:
        return
    table = game.table
    if (only_at_limit and len(table) < game.limit) or len(table.unbeaten) != 1:
        return
    attacks = {attack.rank for attack, _ in table}
    ranks_on_table = attacks | {beat.rank for _, beat in table if beat}
    is_full = len(table) >= game.limit
    in_play = sum(1 << seat for seat in game.seats_in)
    throwers = attack.list_throwers(game.rules, game.attacker, game.defender, in_play)
    for seat in game.seats_in:
        if seat == game.defender or len(game.hands[seat]) < _MIN_CARDS or (seat == game.attacker and seat in game.throwers_passed):
            continue
        ranks_in_hand = {card.rank for card in game.hands[seat]}
        for move in game.legal_moves():
            if move.verb != "beat":
                continue
            ranks_that_fit = ranks_in_hand & (ranks_on_table | {move.cards[1].rank})
            is_allowed = seat in throwers and not is_full
            if ranks_that_fit and is_allowed and seat != game.attacker and _game_after(game, move).actor != seat:
                continue  # Another player first decides whether to throw in, which may change the cards on the table
            right = ranks_that_fit if is_allowed else set()
            habitual_answer = ranks_in_hand & attacks if len(throwers) == len(game.seats_in) - 1 else set() if is_full else ranks_that_fit
            yield QuestionMoment(seat, move, right != habitual_answer, bool(ranks_that_fit) and not is_allowed)


def _draw_transfer_question(rng: Random, level: int) -> DrawnQuestion:
    """Draw a question that asks with which cards the defender can transfer an attack.

    With more players, the next player may not have enough cards for a transfer.
    """
    rules = Rules.preset("transfer", players=(2, 3, 4, 5)[level - 1])
    should_bar = rng.random() < (0.2, 0.3, 0.4, 0.4)[level - 1]
    game, moment = _find_position(rng, rules, _find_transfer_moments, turns=rng.random() < _TURNING_SHARE or should_bar, bars=should_bar)
    return DrawnQuestion(lambda more: Pick.moves(game, "transfer", rule=_describe_rule_and_seat(game, moment.seat), **more), *moment[2:])


def _find_transfer_moments(game: Game) -> Iterator[QuestionMoment]:
    """Yield a question about the defender, if the defender has to respond to an attack."""
    if game.actor != game.defender or not game.table or not _has_enough_cards(game):
        return
    moves, attack_card = game.legal_moves(), game.table[0][0]
    right, beats = ({move.cards[-1].face for move in moves if move.verb == verb} for verb in ("transfer", "beat"))
    same_rank = any(card.rank == attack_card.rank for card in game.hands[game.defender])
    yield QuestionMoment(game.defender, None, right != beats, same_rank and not right)


def _draw_next_player_question(rng: Random, level: int) -> DrawnQuestion:
    """Draw a question about which player acts after a move."""
    rules = Rules(players=(2, 3, 4, 5)[level - 1])
    should_turn = rng.random() < _TURNING_SHARE
    ends_bout = should_turn if level < 3 else rng.random() < 0.8
    game, moment = _find_position(rng, rules, lambda game: _find_next_player_moments(game, ends=ends_bout), turns=should_turn, bars=None)
    move = moment.move or Move("take")
    return DrawnQuestion(lambda more: Predict.next_to_act(game, move, rule=_describe_rule_and_seat(game, moment.seat), **more), *moment[2:])


def _find_next_player_moments(game: Game, *, ends: bool) -> Iterator[QuestionMoment]:
    """Yield moves after which the rules and the visible cards decide which player acts next.

    The answer depends on the rule if it is not simply the next player. After a bout of two players, the attacker is not a habitual
    answer either.
    """
    actor = game.actor
    verbs = _find_bout_ending_verbs(game) if ends else {"attack", "throw"} if not game.taking else set()
    if actor is None or not verbs:
        return
    seats = [*game.seats_in, *game.seats_in]
    next_seat = seats[seats.index(actor) + 1]
    habitual_answers = {next_seat, game.attacker} if ends and game.seats == 2 else {next_seat}
    for move in game.legal_moves():
        if move.verb in verbs:
            after = _game_after(game, move) if ends else None
            next_actor = game.defender if after is None else after.actor if after.bout > game.bout else None
            if next_actor is not None:
                yield QuestionMoment(actor, move, habitual_answers != {next_actor}, False)


def _find_bout_ending_verbs(game: Game) -> set[str]:
    """Return the kinds of moves that certainly end the bout, whatever the hidden cards are."""
    table = game.table
    if not table:
        return set()
    if game.actor == game.defender:
        # The limit of attacking cards is reached, so no more cards may be thrown in
        return {"beat"} if len(table) == game.limit and len(table.unbeaten) == 1 else set()
    return {"pass"} if {game.defender, game.actor, *game.throwers_passed}.issuperset(game.seats_in) else set()


def _game_after(game: Game, move: Move) -> Game:
    """Return a copy of `game` in which `move` has been played."""
    after = game.copy()
    after.play(move)
    return after


def _has_enough_cards(game: Game) -> bool:
    """Return whether the player who moves next holds enough cards for a useful question."""
    return game.actor is not None and len(game.hands[game.actor]) >= _MIN_CARDS


def _describe_rule_and_seat(game: Game, seat: int, rule: TranslatableText | str = "") -> TranslatableText | str:
    """Return a sentence on the unusual rule of a game, if the game has one.

    If the game has more than two players, also name the student's seat.
    """
    if game.seats == 2:
        return rule
    seat_fact = TranslatableText("lesson.you_are", {"number": seat + 1})
    return TranslatableText("lesson.under", {"rule": rule, "asked": seat_fact}) if rule else seat_fact


TOPICS: Final[dict[str, Callable[[Random, int], DrawnQuestion]]] = {
    "beats": _draw_beating_question,
    "order": _draw_order_question,
    "throw": _draw_throw_in_question,
    "transfer": _draw_transfer_question,
    "next": _draw_next_player_question,
}
"""The functions that draw a drill's questions, by topic."""
