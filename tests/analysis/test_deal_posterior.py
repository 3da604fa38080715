"""Test deal probabilities after play, by Bayes' rule: by hand, and from games of all decks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from durak_widget import Game, Rules, analysis, gametheory
from durak_widget.errors import DurakError
from durak_widget.gametheory.tree import TreeError
from support.sizes import tried

RULES = Rules.parse("podkidnoy, suits=c, ranks=6789T, hand_size=2, trump=c, attack_limit=1, first_attacker=left_of_dealer")
WHOLE = analysis.build_game_tree(RULES, dealer=1)
LOW = Fraction(2, 3)


def mostly_low_strategy(tree=WHOLE):
    """Return a strategy: seat 0 attacks with its lower card two times in three; all else takes the first move."""
    rows = []
    for infoset in tree.infosets:
        opens = infoset.label.endswith("table empty") and infoset.player == 0 and len(infoset.actions) == 2
        rows.append((LOW, 1 - LOW) if opens else tuple(Fraction(move == 0) for move in range(len(infoset.actions))))
    return gametheory.Strategy(tree, rows)


def game_after_seven(deck="7c 8c 9c Tc 6c"):
    """Return a game in which seat 0 has attacked with the seven."""
    game = Game(RULES, deck=deck, dealer=1)
    game.play("attack 7c")
    return game


def deal_probabilities(tree):
    """Return the probability of each deal by its name."""
    drawn = tree.chance_moves[tree.infoset_of[0]]
    return dict(zip(drawn.actions, drawn.probabilities, strict=True))


def test_a_low_attack_makes_a_lower_card_less_likely():
    """The other card is the six or one of three higher: 3 deals of 1/3 against 9 of 2/3, so 1/21 and 2/21 each."""
    probabilities = deal_probabilities(analysis.build_tree_from_position(game_after_seven(), played=(WHOLE, mostly_low_strategy())))
    assert len(probabilities) == 12
    for deal, chance in probabilities.items():
        assert chance == (Fraction(1, 21) if deal.startswith("6c |") else Fraction(2, 21)), deal
    assert set(deal_probabilities(analysis.build_tree_from_position(game_after_seven())).values()) == {Fraction(1, 12)}


def test_the_defender_has_the_same_beliefs():
    """The defender has 8 and T and has seen the seven: the six in the other hand is half as likely as the nine."""
    tree = analysis.build_tree_from_position(game_after_seven("7c 8c 9c Tc 6c"), played=(WHOLE, mostly_low_strategy()))
    beliefs = gametheory.bayesian_beliefs(tree, gametheory.Strategy.uniform(tree))
    [place] = [place for place, infoset in enumerate(tree.infosets) if infoset.label == "seat 1 holds 8c Tc, table 7c"]
    assert beliefs[place] == (Fraction(1, 3), Fraction(2, 3))


def probabilities_from_all_decks(game, strategy):
    """Return the same probabilities from all decks: the moves are replayed in each, and the strategy gives their probabilities from the views."""
    bot, weight_by_deal = analysis.convert_strategy_to_bot(WHOLE, strategy), Counter()
    for deck in permutations("6789T"):
        other, weight = Game(RULES, deck=" ".join(f"{rank}c" for rank in deck), dealer=1), Fraction(1)
        if other.turn_up != game.copy().turn_up:
            continue
        for move in game.moves:
            legal = other.legal_moves()
            if move not in legal:
                weight = 0
                break
            if len(legal) > 1:
                weight *= strategy.rows[bot._find_infoset(other.view(other.actor))][legal.index(move)]
            other.play(move)
        if weight and other.actor == game.actor:
            weight_by_deal[tuple(map(str, other.hands)), " ".join(map(str, other.talon))] += weight
    total = sum(weight_by_deal.values())
    return {deal: weight / total for deal, weight in weight_by_deal.items()}


@pytest.mark.slow
def test_probabilities_equal_those_of_all_decks():
    """With any strategy, after one move and after several."""
    rng, compared = Random(3), 0
    for _ in range(tried(7, 60)):
        rows = []
        for infoset in WHOLE.infosets:
            parts = [rng.choice((0, 1, 1, 2, 3)) for _ in infoset.actions]
            parts[rng.randrange(len(parts))] += 1
            rows.append([Fraction(part, sum(parts)) for part in parts])
        strategy = gametheory.Strategy(WHOLE, rows)
        deck = [f"{rank}c" for rank in "6789T"]
        rng.shuffle(deck)
        game = Game(RULES, deck=" ".join(deck), dealer=1)
        for _ in range(rng.choice((1, 1, 1, 2))):
            game.play(rng.choice(game.legal_moves()))
            if game.outcome is not None:
                break
        try:
            tree = analysis.build_tree_from_position(game, played=(WHOLE, strategy))
        except DurakError as error:
            assert "probability 0" in str(error) or "the game is over" in str(error)
            continue
        known = probabilities_from_all_decks(game, strategy)
        if len(tree.children(0)) > 1 and "|" in tree.actions_from_root(1)[0]:
            found = {}
            for name, chance in deal_probabilities(tree).items():
                hands, _, talon = name.partition("; talon ")
                found[tuple(hands.split(" | ")), talon] = chance
            assert found == known
            compared += 1
    assert compared > 2


def test_a_tree_from_a_position_gives_the_same_probabilities():
    """A tree of the position before the attack, and a strategy for it, give the same as one of the whole game; and its moments can be restored."""
    game = game_after_seven()
    begun = game.copy()
    begun.goto(0)
    before = analysis.build_tree_from_position(begun)
    after = analysis.build_tree_from_position(game, played=(before, mostly_low_strategy(before)))
    assert deal_probabilities(after) == deal_probabilities(analysis.build_tree_from_position(game, played=(WHOLE, mostly_low_strategy())))
    assert after.title.endswith("deals weighed by what was played")
    assert analysis.restore_game(after, 1).actor == game.actor


def test_an_unsuitable_strategy_is_refused():
    """The error says what is needed."""
    game, strategy = game_after_seven(), mostly_low_strategy()
    with pytest.raises(TreeError, match=r"played=\(tree, strategy\)"):
        analysis.build_tree_from_position(game, played=strategy)
    with pytest.raises(TreeError, match="leave out played= or open_hands="):
        analysis.build_tree_from_position(game, open_hands=True, played=(WHOLE, strategy))
    opened = analysis.build_game_tree(RULES, dealer=1, open_hands=True)
    with pytest.raises(TreeError, match="with hidden hands"):
        analysis.build_tree_from_position(game, played=(opened, gametheory.Strategy.uniform(opened)))
    other = analysis.build_game_tree("podkidnoy, suits=c, ranks=678, hand_size=1, trump=c, first_attacker=left_of_dealer", dealer=1)
    with pytest.raises(TreeError, match="the strategy is for games by"):
        analysis.build_tree_from_position(game, played=(other, gametheory.Strategy.uniform(other)))
    never = [
        (Fraction(0), Fraction(1)) if "holds 7c 9c, table empty" in infoset.label else row
        for infoset, row in zip(WHOLE.infosets, strategy, strict=True)
    ]
    with pytest.raises(TreeError, match="probability 0 under this strategy"):
        analysis.build_tree_from_position(game, played=(WHOLE, gametheory.Strategy(WHOLE, never)))
