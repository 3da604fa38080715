"""The first three questions: who has a move and what may be done, how an attack goes on, and what beats what."""

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
"""What there may be to do, by the moves that the rules allow."""


def on_move(lots: Random) -> Choose:
    """A place of a game as it was played by lots, both hands open: who has a move there, and which? One of four things may be done, by one of two players.

    >>> from random import Random
    >>> sorted({on_move(Random(seed)).solution[0] for seed in range(40)})[:4]
    ['player 1 attack', 'player 1 beat', 'player 1 take', 'player 1 throw']
    """
    who, wanted, seats = lots.randrange(2), lots.choice(tuple(PLACES)), (0, 1)
    while (game := _played(lots, who, wanted)) is None:
        pass
    right = f"player {who + 1} {wanted}"
    options = {f"player {seat + 1} {place}": (seat, place) for seat in seats for place in PLACES}
    why = {name: "other" if seat != who else "moves" for name, (seat, _) in options.items()} | {right: f"why.{wanted}"}
    hands = {"hand": game.hands[game.attacker], "others": game.hands[1 - game.attacker]}
    lying = [card for pair in game.table for card in pair if card]
    table = Fact(
        f"class.econ431.players.{'throw' if len(lying) > 1 else 'beat' if lying else 'attack'}", {"cards": [signs([one]) for one in lying]}
    )
    facts = {"one": Seat(game.attacker), "other": Seat(1 - game.attacker), "suit": Suit(str(game.trump)), "table": table}
    return Choose(
        Fact("class.econ431.players.asked", facts | {name: signs(hand) for name, hand in hands.items()}),
        {name: Fact(f"class.econ431.players.{said}") for name, said in why.items()},
        right,
        named={name: Fact(f"class.econ431.players.may.{place}", {"who": Seat(seat)}) for name, (seat, place) in options.items()},
    )


def _played(lots: Random, who: int, wanted: str) -> Game | None:
    """A game played by lots until just that player has just that to do, one card or one pair lies there, and no hand is long; None if it never comes to that."""
    game, since = Game(PRESET, seed=lots.randrange(2**32)), lots.randrange(12)
    while game.actor is not None:
        moves = game.legal_moves()
        lying = sum(card is not None for pair in game.table for card in pair)
        short = all(2 <= len(hand) <= 6 for hand in game.hands)
        fits = game.actor == who and {move.verb for move in moves} == set(PLACES[wanted])
        if since <= 0 and short and fits and lying == {"attack": 0, "throw": 2}.get(wanted, 1):
            return game
        since -= 1
        game.play(lots.choice(moves))
    return None


def going_on(lots: Random) -> Pick:
    """Two cards of the attack are beaten, and three ranks lie there: with which two of five cards may it go on?

    >>> from random import Random
    >>> quiz = going_on(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (2, 5)
    """
    game = position(lots, "moves")
    asked = Fact("class.econ431.moves.asked", {"who": Seat(game.attacker), "next": Seat(1 - game.attacker)})
    return Pick.moves(game, "throw", question=asked, why=Fact("class.econ431.moves.why"))


def beats(lots: Random) -> Pick:
    """Seven cards, of which three beat: a higher one, and two trumps, of which one is lower. Four do not: each is what somebody takes for enough.

    >>> from random import Random
    >>> quiz = beats(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (3, 7)
    """
    trump, suit, *others = lots.sample(SUITS, 4)
    at = lots.randrange(1, len(RANKS) - 1)
    low_trump = lots.choice(RANKS[: at + 1])
    cards = [
        lots.choice(RANKS[at + 1 :]) + suit,
        low_trump + trump,
        lots.choice(RANKS.replace(low_trump, "")) + trump,
        lots.choice(RANKS[:at]) + suit,
        *(lots.choice(RANKS[at + 1 :]) + other for other in others),
        RANKS[at] + others[0],
    ]
    return Pick.beaters(RANKS[at] + suit, of=cards, trump=trump, rules=RULES, why=Fact("class.econ431.beats.why"))


RULE_QUESTIONS: Final = (
    Question("players", 1, Fact("class.econ431.players"), on_move, "choose"),
    Question("moves", 2, Fact("class.econ431.moves"), going_on, "pick"),
    Question("what-beats-what", 2, Fact("class.econ431.beats"), beats, "pick"),
)
