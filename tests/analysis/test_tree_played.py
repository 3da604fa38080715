"""Deals weighed by what was played: by Bayes' rule, worked out by hand, and from games of all decks."""

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


def mostly_low(tree=WHOLE):
    """Seat 0 attacks with its lower card two times in three; everybody else does what comes first."""
    rows = []
    for one in tree.infosets:
        opens = one.label.endswith("table empty") and one.player == 0 and len(one.actions) == 2
        rows.append((LOW, 1 - LOW) if opens else tuple(Fraction(move == 0) for move in range(len(one.actions))))
    return gametheory.Strategy(tree, rows)


def after_seven(deck="7c 8c 9c Tc 6c"):
    """Seat 0 has attacked with the seven."""
    game = Game(RULES, deck=deck, dealer=1)
    game.play("attack 7c")
    return game


def told(tree):
    """By its name, how likely each deal is."""
    drawn = tree.chance_moves[tree.infoset_of[0]]
    return dict(zip(drawn.actions, drawn.probabilities, strict=True))


def test_who_attacks_low_has_nothing_lower_as_a_rule():
    """The other card is the six or one of three higher: 3 deals of 1/3 against 9 of 2/3, so 1/21 and 2/21 each."""
    likely = told(analysis.build_tree_from_position(after_seven(), played=(WHOLE, mostly_low())))
    assert len(likely) == 12
    for deal, chance in likely.items():
        assert chance == (Fraction(1, 21) if deal.startswith("6c |") else Fraction(2, 21)), deal
    assert set(told(analysis.build_tree_from_position(after_seven())).values()) == {Fraction(1, 12)}


def test_who_is_attacked_believes_it():
    """Holding 8 and T, one has seen the seven: of six and nine in the other hand the six is half as likely."""
    tree = analysis.build_tree_from_position(after_seven("7c 8c 9c Tc 6c"), played=(WHOLE, mostly_low()))
    beliefs = gametheory.bayesian_beliefs(tree, gametheory.Strategy.uniform(tree))
    [place] = [place for place, one in enumerate(tree.infosets) if one.label == "seat 1 holds 8c Tc, table 7c"]
    assert beliefs[place] == (Fraction(1, 3), Fraction(2, 3))


def by_decks(game, strategy):
    """The same from all decks: the moves are played again in each, and the strategy is asked by what is seen."""
    bot, likely = analysis.convert_strategy_to_bot(WHOLE, strategy), Counter()
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
            likely[tuple(map(str, other.hands)), " ".join(map(str, other.talon))] += weight
    total = sum(likely.values())
    return {deal: weight / total for deal, weight in likely.items()}


@pytest.mark.slow
def test_it_is_what_games_of_all_decks_say():
    """Whatever the strategy, after one move and after several."""
    rng, compared = Random(3), 0
    for _ in range(tried(7, 60)):
        rows = []
        for one in WHOLE.infosets:
            parts = [rng.choice((0, 1, 1, 2, 3)) for _ in one.actions]
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
            assert "nobody who held" in str(error) or "the game is over" in str(error)
            continue
        known = by_decks(game, strategy)
        if len(tree.children(0)) > 1 and "|" in tree.actions_from_root(1)[0]:
            found = {}
            for name, chance in told(tree).items():
                hands, _, talon = name.partition("; talon ")
                found[tuple(hands.split(" | ")), talon] = chance
            assert found == known
            compared += 1
    assert compared > 2


def test_it_goes_on_from_a_position_too():
    """A tree of the position before the attack, and a strategy for it, say the same as one of the whole game; and its moments can be gone back to."""
    game = after_seven()
    begun = game.copy()
    begun.goto(0)
    before = analysis.build_tree_from_position(begun)
    after = analysis.build_tree_from_position(game, played=(before, mostly_low(before)))
    assert told(after) == told(analysis.build_tree_from_position(game, played=(WHOLE, mostly_low())))
    assert after.title.endswith("deals weighed by what was played")
    assert analysis.restore_game(after, 1).actor == game.actor


def test_what_does_not_fit_is_refused():
    """In a sentence that says what would."""
    game, strategy = after_seven(), mostly_low()
    with pytest.raises(TreeError, match=r"played=\(tree, strategy\)"):
        analysis.build_tree_from_position(game, played=strategy)
    with pytest.raises(TreeError, match="both hands lie open"):
        analysis.build_tree_from_position(game, open_hands=True, played=(WHOLE, strategy))
    opened = analysis.build_game_tree(RULES, dealer=1, open_hands=True)
    with pytest.raises(TreeError, match="with hidden hands"):
        analysis.build_tree_from_position(game, played=(opened, gametheory.Strategy.uniform(opened)))
    other = analysis.build_game_tree("podkidnoy, suits=c, ranks=678, hand_size=1, trump=c, first_attacker=left_of_dealer", dealer=1)
    with pytest.raises(TreeError, match="the strategy is for games by"):
        analysis.build_tree_from_position(game, played=(other, gametheory.Strategy.uniform(other)))
    never = [
        (Fraction(0), Fraction(1)) if "holds 7c 9c, table empty" in one.label else row
        for one, row in zip(WHOLE.infosets, strategy, strict=True)
    ]
    with pytest.raises(TreeError, match="nobody who held what is held would have played"):
        analysis.build_tree_from_position(game, played=(WHOLE, gametheory.Strategy(WHOLE, never)))
