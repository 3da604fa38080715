"""Defines the problem set's first three questions, which are about the rules of Durak.

They are: whose turn it is and what they may do, how an attack goes on, and which card beats which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.econ431.endgame_positions import PRESET, RANKS, RULES, SUITS, format_cards, pick_position
from durak_widget.engine.game import Game
from durak_widget.exercises.choice_exercise import Choose, Pick
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Seat, Suit, TranslatableText

if TYPE_CHECKING:
    from random import Random


VERBS_BY_TASK: Final = {"attack": ("attack",), "beat": ("beat", "take"), "take": ("take",), "throw": ("pass", "throw")}
"""The kinds of moves that a player with a given task (such as attack) may make."""


def make_turn_question(rng: Random) -> Choose:
    """Build a question that asks which player must move, and what that player may do.

    There are two players, and four things that one may do.

    >>> from random import Random
    >>> sorted({make_turn_question(Random(seed)).solution[0] for seed in range(40)})[:4]
    ['player 1 attack', 'player 1 beat', 'player 1 take', 'player 1 throw']
    """
    mover, wanted_task, seats = rng.randrange(2), rng.choice(tuple(VERBS_BY_TASK)), (0, 1)
    while (game := _play_until(rng, mover, wanted_task)) is None:
        pass
    right = f"player {mover + 1} {wanted_task}"
    options = {f"player {seat + 1} {task}": (seat, task) for seat in seats for task in VERBS_BY_TASK}
    why = {name: "other" if seat != mover else "moves" for name, (seat, _) in options.items()} | {right: f"why.{wanted_task}"}
    hands = {"hand": game.hands[game.attacker], "others": game.hands[1 - game.attacker]}
    table_cards = [card for pair in game.table for card in pair if card]
    table = TranslatableText(
        f"class.econ431.players.{'throw' if len(table_cards) > 1 else 'beat' if table_cards else 'attack'}",
        {"cards": [format_cards([card]) for card in table_cards]},
    )
    facts = {"one": Seat(game.attacker), "other": Seat(1 - game.attacker), "suit": Suit(str(game.trump)), "table": table}
    return Choose(
        TranslatableText("class.econ431.players.asked", facts | {name: format_cards(hand) for name, hand in hands.items()}),
        {name: TranslatableText(f"class.econ431.players.{reason}") for name, reason in why.items()},
        right,
        named={name: TranslatableText(f"class.econ431.players.may.{task}", {"who": Seat(seat)}) for name, (seat, task) in options.items()},
    )


def _play_until(rng: Random, seat: int, task: str) -> Game | None:
    """Play random moves until `seat` must move and every legal move is of the given task.

    One card or one pair is on the table then, and no hand is long. Return None if the game never comes to that.
    """
    game, since = Game(PRESET, seed=rng.randrange(2**32)), rng.randrange(12)
    while game.actor is not None:
        moves = game.legal_moves()
        table_count = sum(card is not None for pair in game.table for card in pair)
        short = all(2 <= len(hand) <= 6 for hand in game.hands)
        fits = game.actor == seat and {move.verb for move in moves} == set(VERBS_BY_TASK[task])
        if since <= 0 and short and fits and table_count == {"attack": 0, "throw": 2}.get(task, 1):
            return game
        since -= 1
        game.play(rng.choice(moves))
    return None


def make_throw_in_question(rng: Random) -> Pick:
    """Build a question that asks which two of five cards an attacker may throw in.

    >>> from random import Random
    >>> quiz = make_throw_in_question(Random(1))
    >>> len(quiz.solution), len(quiz.view_model()["items"])
    (2, 5)
    """
    game = pick_position(rng, "moves")
    question = TranslatableText("class.econ431.moves.asked", {"who": Seat(game.attacker), "next": Seat(1 - game.attacker)})
    return Pick.moves(game, "throw", question=question, why=TranslatableText("class.econ431.moves.why"))


def make_beating_question(rng: Random) -> Pick:
    """Build a question that asks which of seven cards beat a certain card.

    Three do: a higher one and two trumps, of which one is lower. The other four are common mistakes.

    >>> from random import Random
    >>> quiz = make_beating_question(Random(1))
    >>> len(quiz.solution), len(quiz.view_model()["items"])
    (3, 7)
    """
    trump, suit, *other_suits = rng.sample(SUITS, 4)
    rank_index = rng.randrange(1, len(RANKS) - 1)
    low_trump = rng.choice(RANKS[: rank_index + 1])
    cards = [
        rng.choice(RANKS[rank_index + 1 :]) + suit,
        low_trump + trump,
        rng.choice(RANKS.replace(low_trump, "")) + trump,
        rng.choice(RANKS[:rank_index]) + suit,
        *(rng.choice(RANKS[rank_index + 1 :]) + other_suit for other_suit in other_suits),
        RANKS[rank_index] + other_suits[0],
    ]
    return Pick.beaters(RANKS[rank_index] + suit, of=cards, trump=trump, rules=RULES, why=TranslatableText("class.econ431.beats.why"))


RULE_QUESTIONS: Final = (
    Question("players", 1, TranslatableText("class.econ431.players"), make_turn_question, "choose"),
    Question("moves", 2, TranslatableText("class.econ431.moves"), make_throw_in_question, "pick"),
    Question("what-beats-what", 2, TranslatableText("class.econ431.beats"), make_beating_question, "pick"),
)
