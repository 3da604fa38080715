"""Makes the first three questions.

They are: whose turn it is and what they may do, how an attack goes on, and which card beats which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.econ431.endgame_positions import PRESET, RANKS, RULES, SUITS, position, signs
from durak_widget.engine.game import Game
from durak_widget.exercises.choice_exercise import Choose, Pick
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random


PLACES: Final = {"attack": ("attack",), "beat": ("beat", "take"), "take": ("take",), "throw": ("pass", "throw")}
"""The moves that the rules allow, by what a player has to do."""


def on_move(lots: Random) -> Choose:
    """Ask who has to move in a game of random moves with open hands, and what they may do.

    There are two players, and four things that one may do.

    >>> from random import Random
    >>> sorted({on_move(Random(seed)).solution[0] for seed in range(40)})[:4]
    ['player 1 attack', 'player 1 beat', 'player 1 take', 'player 1 throw']
    """
    mover, wanted, seats = lots.randrange(2), lots.choice(tuple(PLACES)), (0, 1)
    while (game := _played(lots, mover, wanted)) is None:
        pass
    right = f"player {mover + 1} {wanted}"
    options = {f"player {seat + 1} {task}": (seat, task) for seat in seats for task in PLACES}
    why = {name: "other" if seat != mover else "moves" for name, (seat, _) in options.items()} | {right: f"why.{wanted}"}
    hands = {"hand": game.hands[game.attacker], "others": game.hands[1 - game.attacker]}
    table_cards = [card for pair in game.table for card in pair if card]
    table = Fact(
        f"class.econ431.players.{'throw' if len(table_cards) > 1 else 'beat' if table_cards else 'attack'}",
        {"cards": [signs([card]) for card in table_cards]},
    )
    facts = {"one": Seat(game.attacker), "other": Seat(1 - game.attacker), "suit": Suit(str(game.trump)), "table": table}
    return Choose(
        Fact("class.econ431.players.asked", facts | {name: signs(hand) for name, hand in hands.items()}),
        {name: Fact(f"class.econ431.players.{reason}") for name, reason in why.items()},
        right,
        named={name: Fact(f"class.econ431.players.may.{task}", {"who": Seat(seat)}) for name, (seat, task) in options.items()},
    )


def _played(lots: Random, who: int, wanted: str) -> Game | None:
    """Play randomly until this player has exactly this to do.

    One card or one pair is on the table then, and no hand is long. Return None if the game never comes to that.
    """
    game, since = Game(PRESET, seed=lots.randrange(2**32)), lots.randrange(12)
    while game.actor is not None:
        moves = game.legal_moves()
        table_count = sum(card is not None for pair in game.table for card in pair)
        short = all(2 <= len(hand) <= 6 for hand in game.hands)
        fits = game.actor == who and {move.verb for move in moves} == set(PLACES[wanted])
        if since <= 0 and short and fits and table_count == {"attack": 0, "throw": 2}.get(wanted, 1):
            return game
        since -= 1
        game.play(lots.choice(moves))
    return None


def going_on(lots: Random) -> Pick:
    """Ask with which two of five cards an attack may go on, after two cards are beaten.

    >>> from random import Random
    >>> quiz = going_on(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (2, 5)
    """
    game = position(lots, "moves")
    question = Fact("class.econ431.moves.asked", {"who": Seat(game.attacker), "next": Seat(1 - game.attacker)})
    return Pick.moves(game, "throw", question=question, why=Fact("class.econ431.moves.why"))


def beats(lots: Random) -> Pick:
    """Ask which of seven cards beat a card.

    Three do: a higher one and two trumps, of which one is lower. The other four are common mistakes.

    >>> from random import Random
    >>> quiz = beats(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (3, 7)
    """
    trump, suit, *others = lots.sample(SUITS, 4)
    rank_index = lots.randrange(1, len(RANKS) - 1)
    low_trump = lots.choice(RANKS[: rank_index + 1])
    cards = [
        lots.choice(RANKS[rank_index + 1 :]) + suit,
        low_trump + trump,
        lots.choice(RANKS.replace(low_trump, "")) + trump,
        lots.choice(RANKS[:rank_index]) + suit,
        *(lots.choice(RANKS[rank_index + 1 :]) + other_suit for other_suit in others),
        RANKS[rank_index] + others[0],
    ]
    return Pick.beaters(RANKS[rank_index] + suit, of=cards, trump=trump, rules=RULES, why=Fact("class.econ431.beats.why"))


RULE_QUESTIONS: Final = (
    Question("players", 1, Fact("class.econ431.players"), on_move, "choose"),
    Question("moves", 2, Fact("class.econ431.moves"), going_on, "pick"),
    Question("what-beats-what", 2, Fact("class.econ431.beats"), beats, "pick"),
)
