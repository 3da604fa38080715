"""Defines the problem set's four questions about endgames.

They are: draw the tree, solve it by backward induction, take or beat, attack first or not. In the last one both
hands are open, and a coin decides who gets which hand: is it an advantage to attack first?
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.durak_tree import build_tree_from_position
from durak_widget.analysis.payoffs_in_coins import build_coin_tree, replace_solved_subtrees, set_coin_prices
from durak_widget.econ431.endgame_positions import (
    COINS_PER_CARD,
    EXTRA_STAKES,
    build_game,
    format_cards,
    join_sentences,
    load_endgames,
    pick_position,
    randomize_suits_and_ranks,
    shuffle_actions,
)
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.tree_exercise import OnTree
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Seat, Suit, TranslatableText

if TYPE_CHECKING:
    from random import Random

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.tree import Tree

BLIND_VALUE_SHARE: Final = Fraction(1, 4)
"""The fraction of the points that guessing all node values gives, even with a penalty for wrong values."""
ADVANTAGE_ANSWERS: Final = (*3 * ("yes", "no"), "even")
"""The possible answers to the question on the first attack; an answer that is listed more often is more likely. Each is the
end of the name of a part of the endgame file."""


def make_tree_question(rng: Random) -> OnTree:
    """Build a question that asks for the extensive form (the tree) of an endgame.

    >>> from random import Random
    >>> make_tree_question(Random(1)).question_kind
    'draw'
    """
    game = pick_position(rng, "draw")
    return OnTree.draw(
        game, question=_build_question(game, TranslatableText("lesson.tree.draw")), why=TranslatableText("class.econ431.draw.why")
    )


def make_backward_induction_question(rng: Random) -> OnTree:
    """Build a question that asks for the value, in coins, of each decision node of an endgame.

    So many numbers are possible that guessing does not help.

    >>> from random import Random
    >>> len(make_backward_induction_question(Random(1)).solution) in (9, 10)
    True
    """
    game, coins_per_card, stake = pick_position(rng, "values"), rng.choice(COINS_PER_CARD), rng.choice(EXTRA_STAKES)
    paid = TranslatableText("class.econ431.stake.each", {"each": str(coins_per_card), "stake": str(stake)})
    question = join_sentences([paid, TranslatableText("lesson.tree.values.one", {"who": Seat(0)})])
    return OnTree.values(
        set_coin_prices(build_coin_tree(game), coins_per_card, stake, 0),
        question=_build_question(game, question),
        why=TranslatableText("class.econ431.values.why"),
    )


def make_fair_backward_induction_question(rng: Random) -> OnTree:
    """Build a question about node values in which guessing all values gives no points.

    In its endgame "the player who moves wins" is no good guess, and the actions are in random order.

    >>> from random import Random
    >>> len(make_fair_backward_induction_question(Random(1)).solution) in (9, 10)
    True
    """
    game, coins_per_card, stake = pick_position(rng, "values.fair"), rng.choice(COINS_PER_CARD), rng.choice(EXTRA_STAKES)
    paid = TranslatableText("class.econ431.stake.each", {"each": str(coins_per_card), "stake": str(stake)})
    question = join_sentences([paid, TranslatableText("lesson.tree.values.one", {"who": Seat(0)})])
    tree = shuffle_actions(set_coin_prices(build_coin_tree(game), coins_per_card, stake, 0), rng)
    return OnTree.values(
        tree, question=_build_question(game, question), why=TranslatableText("class.econ431.values.why")
    ).discount_guessing(BLIND_VALUE_SHARE)


def make_take_or_beat_question(rng: Random) -> OnTree:
    """Build a question on the equilibrium path of an endgame that starts with an attack.

    Taking is right for half of the students, beating for the other half.

    >>> from random import Random
    >>> sorted({make_take_or_beat_question(Random(seed)).solution[0][:4] for seed in range(5)})
    ['beat', 'take']
    """
    right = rng.choice(("take", "beat"))
    game = pick_position(rng, right)
    return OnTree.path(
        _build_open_tree(game),
        question=_build_question(game, TranslatableText("lesson.tree.path")),
        why=TranslatableText(f"class.econ431.take.why.{right}"),
    )


def _build_open_tree(game: Game) -> Tree:
    return build_tree_from_position(game, open_hands=True)


def _build_question(game: Game, question: Text) -> Text:
    """Put a description of the endgame's position before the text of a question."""
    facts = {f"{name}": format_cards(game.hands[seat]) or "–" for seat, name in enumerate(("hand", "others"))}
    names: dict[str, object] = {"one": Seat(0), "other": Seat(1), "who": Seat(game.attacker), "suit": Suit(str(game.trump)), **facts}
    key = f"class.econ431.ending{'.attacked' if game.table else ''}"
    return join_sentences([TranslatableText(key, {**names, "table": format_cards(game.table.unbeaten)}), question])


ENDGAME_QUESTIONS: Final = (
    Question("extensive-form", 4, TranslatableText("class.econ431.draw"), make_tree_question, "tree"),
    Question("backward-induction", 4, TranslatableText("class.econ431.values"), make_backward_induction_question, "tree"),
    Question("beat-or-take", 3, TranslatableText("class.econ431.take"), make_take_or_beat_question, "tree"),
)
REVISED_ENDGAME_QUESTIONS: Final = (ENDGAME_QUESTIONS[1]._replace(make=make_fair_backward_induction_question),)
"""The questions about endgames that differ in revision 2 of the problem set."""


class FirstAttackValue(NamedTuple):
    """The value of attacking first, if a coin toss decides which player gets which hand."""

    values_by_hand: tuple[Fraction, ...]
    """The first attacker's value in coins, with the one hand and with the other."""
    cards_by_hand: tuple[Fraction, ...]
    """The number of cards that the loser has left at the end, for each of the first attacker's two hands."""

    @property
    def value(self) -> Fraction:
        """Return the mean of the values, in coins, with each of the two hands."""
        return sum(self.values_by_hand, Fraction(0)) / len(self.values_by_hand)

    @property
    def mistake_values(self) -> dict[str, Fraction]:
        """Return a dict from each common mistake to the wrong answer that the mistake gives."""
        return {
            "sum": sum(self.values_by_hand, Fraction(0)),
            "turned": -self.value,
            "best": max(self.values_by_hand),
            "cards": sum(self.cards_by_hand, Fraction(0)) / len(self.cards_by_hand),
            "plain": Fraction(sum(1 if value > 0 else -1 for value in self.values_by_hand), len(self.values_by_hand)),
        }


@cache
def count_cards_left(line: str) -> tuple[Fraction, ...]:
    """Return how many cards the loser has left, first as dealt and then with hands swapped.

    The number is negative where the player who attacks first loses.

    >>> [int(cards) for cards in count_cards_left("9h Jd | 9d Ah Qd; trump h")]
    [-2, -1]
    """
    hands, _, rest = line.partition(";")
    first_hand, _, second_hand = hands.partition(" | ")
    counts = []
    for variant in (f"{first_hand} | {second_hand};{rest}", f"{second_hand} | {first_hand};{rest}"):
        [(won, _)] = replace_solved_subtrees(build_coin_tree(build_game(variant))).payoffs
        counts.append(Fraction(won))
    return tuple(counts)


def compute_first_attack_value(line: str, coins_per_card: int, stake: int) -> FirstAttackValue:
    """Return the first attacker's value, given the price of a card and a fixed stake.

    >>> str(compute_first_attack_value("9h Jd | 9d Ah Qd; trump h", 2, 3).value)
    '-6'
    """
    cards = count_cards_left(line)
    return FirstAttackValue(tuple(coins_per_card * count + (stake if count > 0 else -stake) for count in cards), cards)


def make_first_attack_question(rng: Random) -> Number:
    """Build a question on the value of attacking first, if the two hands may be swapped.

    >>> from random import Random
    >>> {(number > 0) - (number < 0) for number in (make_first_attack_question(Random(seed)).right for seed in range(9))} == {-1, 0, 1}
    True
    """
    answer = rng.choice(ADVANTAGE_ANSWERS)
    line, coins_per_card, stake = rng.choice(load_endgames(f"first.{answer}")), rng.choice(COINS_PER_CARD), rng.choice(EXTRA_STAKES)
    attack_value = compute_first_attack_value(line, coins_per_card, stake)
    game = build_game(randomize_suits_and_ranks(rng, line), rng)
    first_hand, second_hand = (format_cards(hand) for hand in rng.sample(game.hands, 2))
    prices = {"each": str(coins_per_card), "stake": str(stake)}
    facts: dict[str, object] = {"next": Seat(1), "first": first_hand, "second": second_hand, "suit": Suit(str(game.trump))}
    mistakes = {
        name: (value, TranslatableText(f"class.econ431.first.{name}", prices)) for name, value in attack_value.mistake_values.items()
    }
    why = TranslatableText(f"class.econ431.first.why.{answer}")
    return Number(
        TranslatableText("class.econ431.first.asked", {**facts, "paid": TranslatableText("class.econ431.stake.each", prices)}),
        attack_value.value,
        mistakes=mistakes,
        hint=TranslatableText("class.econ431.first.hint"),
        why=why,
    )


FIRST_MOVE_QUESTIONS: Final = (Question("attack-first", 4, TranslatableText("class.econ431.first"), make_first_attack_question, "number"),)
