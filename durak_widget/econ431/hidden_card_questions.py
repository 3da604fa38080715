"""Defines questions about endgames in which player 2 doesn't see all cards."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.analysis.durak_tree import build_tree_from_position
from durak_widget.analysis.payoffs_in_coins import replace_solved_subtrees
from durak_widget.econ431.endgame_positions import (
    build_game,
    format_cards,
    join_sentences,
    list_cards,
    load_endgames,
    randomize_suits_and_ranks,
    shuffle_actions,
)
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.exercises.tree_exercise import OnTree
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from durak_widget.gametheory.tree import TerminalNode, build_tree
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Seat, Suit, TranslatableText

if TYPE_CHECKING:
    from random import Random

    from durak_widget.gametheory.tree import ChanceNode, DecisionNode, Tree

_PLAYERS: Final = {"one": Seat(0), "other": Seat(1)}
FORM_PARTS: Final = ("fill.won", "fill.even", "fill.lost")
"""The names of the sections with endgames for the strategic form question, in the file `kinds.txt`. All sections are
equally likely."""
DOMINANCE_PARTS: Final = ("strike.even", "strike.lost")
"""The names of the sections with endgames for the dominance question, in the file `kinds.txt`. In none of these
endgames the attacker wins, because too few strategies would be dominated then."""
STAKES: Final = (2, 3, 4, 5, 6, 8, 10)
"""The possible stakes (coins that the loser pays) in the strategic form question."""
BLIND_SET_SHARE: Final = Fraction(1, 3)
"""The fraction of the points for an answer that needs no thought: to join the first two nodes of player 1 in one
information set."""
BLIND_FORM_SHARE: Final = Fraction(1, 4)
BLIND_DOMINANCE_SHARE: Final = Fraction(3, 4)
"""The fraction of the points that guessing gives in the dominance question, even with a penalty for wrong answers.

Most strategies that begin with an attack or beat twice are dominated, whatever the cards.
"""


def make_information_set_question(rng: Random) -> OnTree:
    """Build a question on the information sets of a player who does not know one card.

    >>> from random import Random
    >>> len(make_information_set_question(Random(1)).solution)
    3
    """
    tree, position = _build_hidden_card_tree(rng, "sets")
    question = join_sentences([position, TranslatableText("class.econ431.settled"), TranslatableText("class.econ431.sets.asked")])
    return OnTree.sets(tree, question=question, why=TranslatableText("class.econ431.sets.why"))


def make_strategic_form_question(rng: Random) -> OnMatrix:
    """Build a question on the strategic form (the payoff matrix) of an endgame.

    >>> from random import Random
    >>> len(make_strategic_form_question(Random(1)).solution)
    12
    """
    tree, position = _build_hidden_card_tree(rng, rng.choice(FORM_PARTS))
    question = join_sentences(
        [
            position,
            TranslatableText("class.econ431.settled"),
            _describe_order(tree, position),
            TranslatableText("class.econ431.fill.asked", _PLAYERS),
        ]
    )
    return OnMatrix.fill(tree, question=question, why=TranslatableText("class.econ431.fill.why", _PLAYERS))


def make_dominance_question(rng: Random) -> OnMatrix:
    """Build a question that asks which strategies in an endgame are dominated.

    The endgame is lost for the attacker or worth nothing to either player.

    >>> from random import Random
    >>> len(make_dominance_question(Random(1)).solution)
    6
    """
    tree, position = _build_hidden_card_tree(rng, rng.choice(DOMINANCE_PARTS))
    question = join_sentences(
        [
            position,
            TranslatableText("class.econ431.settled"),
            _describe_order(tree, position),
            TranslatableText("class.econ431.strike.asked", _PLAYERS),
        ]
    )
    return OnMatrix.strike(tree, weak=True, question=question, why=TranslatableText("class.econ431.strike.why"))


def make_fair_information_set_question(rng: Random) -> OnTree:
    """Build an information set question in which actions are in random order.

    The one group that everyone finds earns nothing alone.

    >>> from random import Random
    >>> len(make_fair_information_set_question(Random(1)).solution)
    3
    """
    tree, position = _build_hidden_card_tree(rng, "sets")
    question = join_sentences([position, TranslatableText("class.econ431.settled"), TranslatableText("class.econ431.sets.asked")])
    return OnTree.sets(shuffle_actions(tree, rng), question=question, why=TranslatableText("class.econ431.sets.why")).discount_guessing(
        BLIND_SET_SHARE
    )


def make_fair_strategic_form_question(rng: Random) -> OnMatrix:
    """Build a strategic form question with a random stake and strategies in random order.

    Guesses earn nothing.

    >>> from random import Random
    >>> len(make_fair_strategic_form_question(Random(1)).solution)
    12
    """
    tree, position = _build_hidden_card_tree(rng, "fill.fair")
    stake = rng.choice(STAKES)
    tree = shuffle_actions(_multiply_payoffs(tree, stake), rng)
    coins = TranslatableText("class.econ431.fill.coins", {**_PLAYERS, "stake": str(stake)})
    question = join_sentences([position, TranslatableText("class.econ431.settled"), _describe_order(tree, position), coins])
    return OnMatrix.fill(tree, question=question, why=TranslatableText("class.econ431.fill.why", _PLAYERS)).discount_guessing(
        BLIND_FORM_SHARE
    )


def make_fair_dominance_question(rng: Random) -> OnMatrix:
    """Build a dominance question with shuffled strategies, in which guessing gives no points.

    >>> from random import Random
    >>> len(make_fair_dominance_question(Random(1)).solution)
    6
    """
    tree, position = _build_hidden_card_tree(rng, "strike.fair")
    tree = shuffle_actions(tree, rng)
    question = join_sentences(
        [
            position,
            TranslatableText("class.econ431.settled"),
            _describe_order(tree, position),
            TranslatableText("class.econ431.strike.asked", _PLAYERS),
        ]
    )
    return OnMatrix.strike(tree, weak=True, question=question, why=TranslatableText("class.econ431.strike.why")).discount_guessing(
        BLIND_DOMINANCE_SHARE
    )


def _multiply_payoffs(tree: Tree, stake: int) -> Tree:
    """Return a tree in which all payoffs are multiplied by `stake`."""
    inspect_node, labels = make_expand_function(tree), [record.label for record in tree.infosets]

    def scale_node(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        """Return a node of the tree, with its payoffs multiplied by the stake."""
        content = inspect_node(node)
        return TerminalNode(tuple([stake * payoff for payoff in content.payoffs])) if isinstance(content, TerminalNode) else content

    scaled_tree = build_tree(
        0,
        scale_node,
        player_count=tree.player_count,
        title=tree.title,
        label_infoset=lambda _, infoset: labels[infoset],  # type: ignore[call-overload] # as in `replace_solved_subtrees`
    )
    scaled_tree.origin = tree.origin
    return scaled_tree


def _describe_order(tree: Tree, position: TranslatableText) -> TranslatableText:
    """Explain the order in which a strategy of player 2 lists the replies to attacks.

    The order is that of the cards that player 1 may lead and player 2 has not seen.
    """
    known_card = str(position.facts["known"])
    hands = [record.label.partition(" holds ")[2].partition(",")[0].split() for record in tree.infosets if record.player == 1]
    first, second = ([card for card in map(format_cards, ([card] for card in hand)) if card != known_card] for hand in hands)
    return TranslatableText("class.econ431.order", {**_PLAYERS, "first": " ".join(first), "second": " ".join(second)})


def _build_hidden_card_tree(rng: Random, part_name: str) -> tuple[Tree, TranslatableText]:
    """Return an endgame's tree with one card hidden, and a text that describes the position.

    The tree ends as soon as all is known.
    """
    line = randomize_suits_and_ranks(rng, rng.choice(load_endgames(part_name)))
    cards = list_cards(line)
    facts = {"hand": format_cards(cards[:2]), "known": format_cards(cards[2:3]), "hidden": format_cards(sorted(cards[3:5]))}
    position = TranslatableText("class.econ431.pair", {**_PLAYERS, **facts, "suit": Suit(line.partition("trump ")[2][0])})
    return replace_solved_subtrees(build_tree_from_position(build_game(line, rng))), position


HIDDEN_CARD_QUESTIONS: Final = (
    Question("information-sets", 3, TranslatableText("class.econ431.sets"), make_information_set_question, "tree"),
    Question("strategic-form", 4, TranslatableText("class.econ431.fill"), make_strategic_form_question, "matrix"),
    Question("dominance", 3, TranslatableText("class.econ431.strike"), make_dominance_question, "matrix"),
)
REVISED_HIDDEN_CARD_QUESTIONS: Final = tuple(
    question._replace(make=make)
    for question, make in zip(
        HIDDEN_CARD_QUESTIONS,
        (make_fair_information_set_question, make_fair_strategic_form_question, make_fair_dominance_question),
        strict=True,
    )
)
"""The questions about hidden cards as they are in revision 2 of the problem set."""
