"""Defines the problem set's two questions about mixed strategies.

One is to find a mixed equilibrium of a small game, the other to write a strategy that nobody can exploit.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.payoffs_in_coins import add_stake, build_coin_tree, replace_solved_subtrees, set_coin_prices
from durak_widget.econ431.endgame_positions import (
    build_game,
    format_cards,
    join_sentences,
    list_cards,
    load_endgames,
    randomize_suits_and_ranks,
)
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.strategy_exercise import StrategyExercise
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from durak_widget.gametheory.strategic_form import matrix
from durak_widget.gametheory.tree import DecisionNode, build_tree
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Seat, Suit, TranslatableText

if TYPE_CHECKING:
    from random import Random

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.tree import ChanceNode, TerminalNode, Tree

STAKES: Final = (1, 2, 3, 4, 5, 6)
"""The possible stakes, in coins; the loser pays the stake in addition to one coin for each card left."""


class GamePrices(NamedTuple):
    """The amounts, in coins, that players pay in a question about mixed strategies."""

    coins_per_card: int
    """The number of coins that the loser pays for each card that they have left."""
    stake: int
    """The fixed number of coins that the loser pays, however many cards are left."""
    taking_fee: Fraction
    """The number of coins that a player pays for taking cards, if they could have beaten them.

    So one player's mixed strategy does not give away the other's.
    """


PRICES: Final = tuple(
    GamePrices(each, stake, toll) for each in (1, 2, 3) for stake in (2, 3, 4, 5, 6) for toll in (Fraction(1, 2), Fraction(1))
)


class ReducedGame(NamedTuple):
    """A 2 by 2 game to which an endgame is reduced; each player chooses between two moves."""

    payoffs: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
    """The payoffs of player 1; rows stand for moves of player 1, and columns for moves of player 2."""
    known_card: str
    """The card of player 1 that player 2 has seen, before suits and ranks are randomized."""
    other_card: str
    """The card of player 1 that player 2 has not seen, and that player 1 may attack with."""

    @property
    def first_move_probabilities(self) -> tuple[Fraction, Fraction]:
        """Return, for each player, the probability of the first of two moves in equilibrium."""
        (a, b), (c, d) = self.payoffs
        denominator = a - b - c + d
        return (d - c) / denominator, (d - b) / denominator

    @property
    def value(self) -> Fraction:
        """Return the value of the 2 by 2 game for player 1."""
        (a, b), (c, d) = self.payoffs
        return (a * d - b * c) / (a - b - c + d)


def find_mixing_infosets(tree: Tree, game: Matrix) -> tuple[int, int] | None:
    """Return, for each player, the information set where two actions are mixed in equilibrium.

    Return None unless each player mixes at exactly one, between two actions.
    """
    equilibrium = minimax(game)
    infosets: list[int] = []
    for strategies, mix in ((game.rows, equilibrium.row), (game.columns, equilibrium.column)):
        played = [strategy.actions for strategy, probability in zip(strategies, mix, strict=True) if probability]
        mixing_infosets = {
            infoset for strategy in played for infoset in strategy if len({another.get(infoset) for another in played} - {None}) > 1
        }
        infosets += mixing_infosets if len(mixing_infosets) == 1 else []
    if len(infosets) != 2 or any(len(tree.infosets[infoset].actions) != 2 for infoset in infosets):
        return None
    return infosets[0], infosets[1]


def fix_actions(tree: Tree, actions: dict[int, int]) -> Tree:
    """Return a tree in which only one action is left at each information set of `actions`."""
    inspect_node = make_expand_function(tree)

    def fix_node(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        """Return a copy of a node with only the fixed action, or all actions if none is fixed."""
        content = inspect_node(node)
        if isinstance(content, DecisionNode) and content.knowledge in actions:
            return DecisionNode(content.player, content.knowledge, [content.actions[actions[content.knowledge]]])
        return content

    return build_tree(0, fix_node, player_count=2)


@cache
def reduce_game(line: str, prices: GamePrices) -> ReducedGame | None:
    """Reduce an endgame to a 2 by 2 game, by fixing optimal actions at all other decisions.

    The value stays the same. Return None where the game is not of this kind.

    >>> found = reduce_game(load_endgames("apart")[0], PRICES[0])
    >>> found.value == found.first_move_probabilities[0] * found.payoffs[0][0] + (1 - found.first_move_probabilities[0]) * found.payoffs[1][0]
    True
    """
    tree = replace_solved_subtrees(set_coin_prices(_build_tree(line), *prices))
    game = matrix(tree)
    infosets = find_mixing_infosets(tree, game)
    if infosets is None:
        return None
    own_infoset, other_infoset = infosets
    leads, answers = tree.infosets[own_infoset].actions, tree.infosets[other_infoset].actions
    known_lead = next((move for move in leads if answers[0].startswith(f"beat {move[-2:]} ")), "")
    if not known_lead or answers[1] != "take" or not all(move.startswith("attack ") for move in leads):
        return None
    lead_order = sorted(range(2), key=lambda move: leads[move] != known_lead)
    (a, b), (c, d) = (
        [minimax(matrix(fix_actions(tree, {own_infoset: move, other_infoset: answer}))).value for answer in (0, 1)] for move in lead_order
    )
    if not (min(a, d) > max(b, c) or max(a, d) < min(b, c)):
        return None
    return ReducedGame(((a, b), (c, d)), *(leads[move][-2:] for move in lead_order))


@cache
def _build_tree(line: str) -> Tree:
    """Build the tree of an endgame; the loser pays one coin for each card that they have left."""
    return build_coin_tree(build_game(line))


def make_mixed_equilibrium_question(rng: Random) -> Number:
    """Build a question that asks how often player 1 attacks with one of two cards.

    >>> from random import Random
    >>> 0 < make_mixed_equilibrium_question(Random(1)).right < 1
    True
    """
    original, price = rng.choice(load_endgames("apart")), rng.choice(PRICES)
    reduced = reduce_game(original, price)
    if reduced is None:  # This never happens: tools/kinds431.py and the tests check all games in the file
        raise DurakError(f"{short_repr(original)} is not a kind of game whose equilibrium must be mixed")
    line = randomize_suits_and_ranks(rng, original)
    new_card = dict(zip(list_cards(original), list_cards(line), strict=True))
    (a, b), (c, d) = ([_format_number(value) for value in row] for row in reduced.payoffs)
    own, other_player = reduced.first_move_probabilities
    known_card, hidden_card = (format_cards([new_card[card]]) for card in (reduced.known_card, reduced.other_card))
    asked_card, other_card = (known_card, hidden_card) if (first := bool(rng.randrange(2))) else (hidden_card, known_card)
    right = own if first else 1 - own
    facts: dict[str, object] = {
        "next": Seat(1),
        "hand": f"{known_card} {hidden_card}",
        "known": known_card,
        "led": hidden_card,
        "a": a,
        "b": b,
        "c": c,
        "d": d,
    }
    facts |= {"asked": asked_card, "other": other_card}
    mistaken = {
        "other": 1 - right,
        "theirs": other_player,
        "taken": 1 - other_player,
        "value": reduced.value,
        "even": Fraction(1, 2),
        "always": 1,
        "never": 0,
    }
    mistakes = {name: (value, TranslatableText(f"class.econ431.mix.{name}", facts)) for name, value in mistaken.items()}
    why = TranslatableText("class.econ431.mix.why", {**facts, "value": _format_number(reduced.value)})
    return Number(
        TranslatableText("class.econ431.mix.asked", facts),
        right,
        mistakes=mistakes,
        hint=TranslatableText("class.econ431.mix.hint", facts),
        why=why,
    )


def make_unexploitable_strategy_question(rng: Random) -> StrategyExercise:
    """Build a question that asks for a strategy of the defender that no attack can exploit.

    The defender has to mix at one information set.

    >>> from random import Random
    >>> make_unexploitable_strategy_question(Random(1)).tree.infoset_counts
    (3, 6)
    """
    kind, stake = rng.choice(load_endgames("mix")), rng.choice(STAKES)
    line = randomize_suits_and_ranks(rng, kind)
    game = build_game(line, rng)
    question = TranslatableText("class.econ431.exploit.asked", {"other": Seat(1)})
    parts: list[Text] = [describe_three_cards(line), describe_stake(stake), TranslatableText("class.econ431.settled"), question]
    return StrategyExercise(
        add_stake(replace_solved_subtrees(build_coin_tree(game)), stake),
        player=1,
        question=join_sentences(parts),
        why=TranslatableText("class.econ431.exploit.why"),
    )


def describe_three_cards(line: str) -> TranslatableText:
    """Describe, in a text, a position in which the attacker's card is one of three cards."""
    cards = list_cards(line)
    facts = {"known": format_cards(cards[:1]), "hidden": format_cards(sorted([cards[1], *cards[3:5]])), "theirs": format_cards(cards[2:3])}
    return TranslatableText(
        "class.econ431.three", {"one": Seat(0), "other": Seat(1), "suit": Suit(line.partition("trump ")[2][0]), **facts}
    )


def describe_stake(stake: int) -> TranslatableText:
    """Return a sentence that says how many coins the loser pays."""
    return TranslatableText("class.econ431.stake.more", {"stake": str(stake)}) if stake else TranslatableText("class.econ431.stake")


def _format_number(number: Fraction) -> str:
    """Format a number with a long minus sign."""
    return str(number).replace("-", "−")


MIXED_STRATEGY_QUESTIONS: Final = (
    Question("mixed-equilibrium", 4, TranslatableText("class.econ431.mix"), make_mixed_equilibrium_question, "number"),
)
EQUILIBRIUM_STRATEGY_QUESTIONS: Final = (
    Question("no-exploit", 6, TranslatableText("class.econ431.exploit"), make_unexploitable_strategy_question, "strategy"),
)
