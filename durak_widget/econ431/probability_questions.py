"""Defines two questions about hidden cards: one on counting deals, one on a probability.

Some bouts have been played; in each, one card was attacked with and beaten. So every deal is possible.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, perm
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card, bit_indices
from durak_widget.econ431.endgame_positions import RULES, format_cards
from durak_widget.engine.game import Game
from durak_widget.exercises.number_exercise import Number
from durak_widget.homework.answer_hashes import can_check_immediately
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Seat, TranslatableText
from durak_widget.rules import deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from durak_widget.exercises.answer_parsing import Text

HAND_SIZE: Final = 5
"""The number of cards that each player has."""
BOUT_RANGE: Final = (1, 5)
"""The minimum and maximum number of bouts (attacks with defence) before the probability question."""
EARLY_BOUT_RANGE: Final = (1, 3)
"""The minimum and maximum number of bouts (attacks with defence) before the counting question; after so few, the
number of possible deals is too large to guess."""
WANTED_BEATERS: Final = 2
"""The number of cards that beat your card and that the other hand must have, in the counting question."""
BEATER_RANGE: Final = (2, 7)
"""The minimum and maximum number of hidden cards that beat your card."""
COUNTING_MISTAKES: Final = ("own", "gone", "turned", "seen", "ordered", "talon", "every", "rest", "least", "sum", "without_trumps")
"""The mistakes in counting deals that get an explanation of their own."""
PROBABILITY_MISTAKES: Final = (
    "own", "gone", "turned", "seen", "contrary", "with_replacement", "without_trumps", "one_card", "added", "exactly",
)  # fmt: skip
"""The mistakes in computing a probability that get an explanation of their own."""
MIN_MISTAKE_DISTANCE: Final = Fraction(1, 100)
"""The minimum difference between a mistaken and the right answer, so that both look different with two decimals."""


def make_game_after_bouts(rng: Random, bout_range: tuple[int, int] = BOUT_RANGE, *, attacked: bool = False) -> Game:
    """Return a game after some random bouts, in each of which one card was beaten.

    You, at seat 0, attack next; or the other has `attacked`.

    >>> from random import Random
    >>> game = make_game_after_bouts(Random(1), attacked=True)
    >>> len(game.hands[0]), len(game.hands[1]), len(game.discard) == 2 * (game.bout - 1), len(game.table)
    (5, 4, True, 1)
    """
    deck = [Card.from_code(code) for code in bit_indices(deck_and_beating.deck_faces(RULES))]
    rng.shuffle(deck)
    turn_up, suit = deck[-1], deck.pop().suit
    bouts, discard = rng.randint(*bout_range), list[Card]()
    for _ in range(bouts):
        attack = next(card for card in deck if set(RULES.beaters(card, suit)) & set(deck))
        deck.remove(attack)
        beater = next(card for card in deck if card in RULES.beaters(attack, suit))
        deck.remove(beater)
        discard += [attack, beater]
    hands, table = [deck[:HAND_SIZE], deck[HAND_SIZE : 2 * HAND_SIZE]], ""
    if attacked:
        table = str(hands[1].pop())
    return Game.from_position(
        RULES, hands=hands, trump=suit, attacker=int(attacked), table=table, talon=deck[2 * HAND_SIZE :], turn_up=turn_up, discard=discard,
        bout=bouts + 1,
    )  # fmt: skip


def list_hidden_cards(game: Game) -> tuple[Card, ...]:
    """Return the cards that player 0 can't see: the other hand and the talon."""
    return (*game.hands[1], *game.talon)


def make_counting_question(rng: Random) -> Number:
    """Build a question: how many deals give the other hand two cards that beat a given card?

    The card is one of yours.

    >>> from random import Random
    >>> quiz = make_counting_question(Random(1))
    >>> sorted(quiz.mistakes) == sorted(COUNTING_MISTAKES), quiz.right.denominator, quiz.right > 100_000
    (True, 1, True)
    """
    while True:
        game = make_game_after_bouts(rng, EARLY_BOUT_RANGE, attacked=bool(rng.randrange(2)))
        card = rng.choice(list(game.hands[0]))
        beater_count, other_count = _count_beaters(game, card, list_hidden_cards(game))
        if card.suit == str(game.trump) or not BEATER_RANGE[0] < beater_count <= BEATER_RANGE[1] or other_count < HAND_SIZE:
            continue
        quiz = Number(
            _build_question("ways", game, card),
            count_deals(game, beater_count, other_count),
            mistakes=_compute_mistakes(game, card, beater_count, other_count),
            game=game,
            seat=0,
            why=_explain_count(game, beater_count, other_count),
        )
        if len(quiz.mistakes) == len(COUNTING_MISTAKES):
            return quiz


def _count_beaters(game: Game, card: Card, cards: Iterable[Card]) -> tuple[int, int]:
    """Return how many of the given cards beat `card`, and how many do not."""
    beaters = RULES.beaters(card, str(game.trump))
    beat = [other in beaters for other in cards]
    return sum(beat), len(beat) - sum(beat)


def _build_question(key: str, game: Game, card: Card) -> TranslatableText:
    """Return the text of a question about a card, with facts that the card's owner knows."""
    facts = {"gone": format_cards(game.discard), "count": len(game.hands[1]), "talon": len(game.talon)}
    return TranslatableText(f"class.econ431.{key}.asked", {"who": Seat(1), "card": card, **facts})


def count_deals(game: Game, good: int, bad: int, wanted: int = WANTED_BEATERS) -> int:
    """Count the deals that give the other hand exactly `wanted` cards that beat your card.

    The order of the talon counts.
    """
    hand_size, talon = len(game.hands[1]), len(game.talon)
    return comb(good, wanted) * comb(bad, hand_size - wanted) * perm(good + bad - hand_size, talon)


def _compute_mistakes(game: Game, card: Card, good: int, bad: int) -> Mapping[str, object]:
    """Return a dict from each common mistake to its wrong answer, some with explanations."""
    hand_size, table_cards = len(game.hands[1]), [other for pair in game.table for other in pair if other]
    orders, right = factorial(len(game.talon)), count_deals(game, good, bad)
    turned = [] if game.turn_up is None else [game.turn_up]
    forgotten: dict[str, Iterable[Card]] = {"own": game.hands[0], "gone": [*game.discard, *table_cards], "turned": turned}
    cards_by_mistake = {**forgotten, "seen": [other for cards in forgotten.values() for other in cards]}
    explained = {
        "talon": right // orders,
        "every": comb(good + bad, hand_size) * orders,
        "rest": comb(good, WANTED_BEATERS) * comb(good + bad - WANTED_BEATERS, hand_size - WANTED_BEATERS) * orders,
        "least": sum(count_deals(game, good, bad, exact_count) for exact_count in range(WANTED_BEATERS, hand_size + 1)),
        "sum": (comb(good, WANTED_BEATERS) + comb(bad, hand_size - WANTED_BEATERS)) * orders,
    }
    adjusted = {name: _count_beaters(game, card, cards) for name, cards in cards_by_mistake.items()}
    beaters_in_suit = sum(other.suit == card.suit for other in list_hidden_cards(game) if other in RULES.beaters(card, str(game.trump)))
    return {
        **{name: Fraction(count_deals(game, good + more_good, bad + more_bad)) for name, (more_good, more_bad) in adjusted.items()},
        "ordered": Fraction(right * factorial(hand_size)),
        "without_trumps": Fraction(count_deals(game, beaters_in_suit, good + bad - beaters_in_suit)),
        **{name: (Fraction(number), TranslatableText(f"class.econ431.ways.{name}")) for name, number in explained.items()},
    }


def _explain_count(game: Game, good: int, bad: int) -> Text:
    """Return a text that explains how to count the deals."""
    rest, orders = len(game.hands[1]) - WANTED_BEATERS, factorial(len(game.talon))
    two, others = comb(good, WANTED_BEATERS), comb(bad, rest)
    facts = {"hidden": good + bad, "good": good, "two": two, "rest": rest, "bad": bad, "others": others, "orders": orders}
    return TranslatableText(
        "class.econ431.ways.why", {name: str(number) for name, number in {**facts, "product": two * others * orders}.items()}
    )


def make_probability_question(rng: Random) -> Number:
    """Build a question on the probability that the other player can beat one of your cards.

    >>> from random import Random
    >>> quiz = make_probability_question(Random(1))
    >>> sorted(quiz.mistakes) == sorted(PROBABILITY_MISTAKES), 0 < quiz.right < 1
    (True, True)
    """
    while True:
        game = make_game_after_bouts(rng, attacked=bool(rng.randrange(2)))
        card = rng.choice(list(game.hands[0]))
        beater_count, _ = _count_beaters(game, card, list_hidden_cards(game))
        if card.suit == str(game.trump) or not BEATER_RANGE[0] <= beater_count <= BEATER_RANGE[1]:
            continue
        quiz = Number.chance(
            game, beats=card, seat=0, question=_build_question("chance", game, card), why=TranslatableText("class.econ431.chance.why")
        )
        is_distinct = (
            len(quiz.mistakes) == len(PROBABILITY_MISTAKES)
            and min(abs(mistake - quiz.right) for mistake in quiz.mistakes.values()) > MIN_MISTAKE_DISTANCE
        )
        if is_distinct and not can_check_immediately(quiz):  # A question must not reveal if an answer is right
            return quiz


COUNTING_QUESTIONS: Final = (
    Question("how-many-ways", 3, TranslatableText("class.econ431.ways"), make_counting_question, "number"),
    Question("how-likely", 3, TranslatableText("class.econ431.chance"), make_probability_question, "number"),
)
