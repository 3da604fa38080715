"""Durak as a tree: every deal, exact knowledge, exact worth, and no more than the limit."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from durak_widget import Game, Rules
from durak_widget.analysis.durak_tree import build_game_tree, count_histories
from durak_widget.gametheory.tree import CHANCE, TERMINAL, describe_imperfect_recall
from support.tree_games import SMALL, small

WHOLE = {name: rules for name, rules in SMALL.items() if name != "transfer"}
"""Those whose deals and games can all be gone through by hand; the other has 45,090 histories."""


def decks(rules):
    """Every order of the deck, as games begun."""
    game = Game(rules, seed=1)
    lying = [game.card_aside] if game.card_aside else []
    cards = [*game.hands[0], *game.hands[1], *game.talon, *lying]
    return (Game(rules, deck=[str(card) for card in order], dealer=1) for order in permutations(cards))


def name_of(game):
    """What the deal is called."""
    said = " | ".join(map(str, game.hands))
    if game.talon:
        said += "; talon " + " ".join(map(str, game.talon))
    if game.card_aside and game.turn_up:
        said += f"; turned up {game.turn_up}"
    return said


def forced(game):
    """The game with the moves made that nobody chose."""
    while game.outcome is None and len(game.legal_moves()) == 1:
        game.play(game.legal_moves()[0])
    return game


def deals(rules):
    """Every deal, as far as anybody can ever tell two apart, and how many orders of the deck give it."""
    games, times = {}, Counter()
    for game in decks(rules):
        key = (name_of(game), game.trump, game.view(0), game.view(1))
        games.setdefault(key, game)
        times[key] += 1
    return games, times


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.sample(5)
def test_the_tree_is_the_game_played_out_move_by_move(name):
    """Deals and their chances, moves and payoffs are those of games; two histories are one information set just where the views are equal."""
    rules = WHOLE[name]
    tree = build_game_tree(rules, dealer=1)
    games, times = deals(rules)
    root = tree.chance_moves[tree.infoset_of[0]]
    assert tree.actor[0] == CHANCE
    chances = Counter()
    for key, count in times.items():
        chances[key[0]] += Fraction(count, sum(times.values()))
    drawn = Counter()
    for move, probability in zip(root.actions, root.probabilities, strict=True):
        drawn[move.partition("; shown")[0]] += probability
    assert drawn == chances
    assert len(root.actions) == len(games) == len(set(root.actions))
    seen, sets = {}, {}

    def same(node, game):
        forced(game)
        if game.outcome is not None:
            assert tree.actor[node] == TERMINAL
            assert tree.payoffs[tree.infoset_of[node]] == tuple(map(Fraction, game.outcome.utilities))
            return 1
        seat = game.actor
        assert tree.actor[node] == seat
        found, view = tree.infosets[tree.infoset_of[node]], game.view(seat)
        assert found.actions == tuple(map(str, game.legal_moves()))
        assert found.label.startswith(f"seat {seat} holds {game.hands[seat]}, table {game.table or 'empty'}")
        assert seen.setdefault(tree.infoset_of[node], view) == view
        assert sets.setdefault(view, tree.infoset_of[node]) == tree.infoset_of[node]
        total = 1
        for child, move in zip(tree.children(node), game.legal_moves(), strict=True):
            then = game.copy()
            then.play(move)
            total += same(child, then)
        return total

    places = dict(zip(root.actions, tree.children(0), strict=True))
    total = 1 + sum(same(places[key[0] if key[0] in places else f"{key[0]}; shown {shown(game)}"], game) for key, game in games.items())
    assert total == tree.history_count
    assert len(seen) == len(tree.infosets)


def shown(game):
    """The card that showed the trump suit from a hand: the one that the other seat knows of."""
    return next(cards for cards in (game.view(1).memory.known[0], game.view(0).memory.known[1]) if cards)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(4)
def test_nobody_forgets(name):
    """Perfect recall: whoever decides knows all that it knew and did before; and histories are counted without the tree."""
    tree = build_game_tree(SMALL[name], dealer=1)
    assert describe_imperfect_recall(tree) is None
    assert tree.infosets
    assert count_histories(SMALL[name], dealer=1) == tree.history_count


def test_a_deal_without_a_choice_is_an_end():
    """Where every move is forced only the deal is left."""
    tree = build_game_tree(small("podkidnoy", suits="cd", ranks="6", deal="all", trump="none"), dealer=1)
    assert (tree.history_count, tree.terminal_count, tree.infoset_counts) == (3, 2, (0, 0))


def value(worlds):
    """What a game of open hands is worth to the first seat: the best move, and every talon that nobody can rule out equally likely."""
    if parts := forced_together(worlds):
        return sum(value(part) * len(part) for part in parts) / Fraction(len(worlds))
    if worlds[0].outcome is not None:
        return Fraction(worlds[0].outcome.utilities[0])
    best = max if worlds[0].actor == 0 else min
    found = []
    for move in worlds[0].legal_moves():
        then = [one.copy() for one in worlds]
        for one in then:
            one.play(move)
        found.append(sum(value(part) * len(part) for part in parted(then)) / Fraction(len(then)))
    return best(found)


def parted(worlds):
    """The worlds that lie open alike."""
    parts = {}
    for one in worlds:
        parts.setdefault((one.view(0), one.view(1)), []).append(one)
    return list(parts.values())


def forced_together(worlds):
    """Make the forced moves; the parts, where what was drawn then tells the worlds apart."""
    while worlds[0].outcome is None and len(worlds[0].legal_moves()) == 1:
        for one in worlds:
            one.play(one.legal_moves()[0])
        if len(parts := parted(worlds)) > 1:
            return parts
    return None


def backward(tree, here=0):
    """What a tree is worth to the first seat where everybody knows where it stands."""
    actor, info = tree.actor[here], tree.infoset_of[here]
    if actor == TERMINAL:
        return tree.payoffs[info][0]
    below = [backward(tree, child) for child in tree.children(here)]
    if actor == CHANCE:
        return sum(chance * worth for chance, worth in zip(tree.chance_moves[info].probabilities, below, strict=True))
    return max(below) if actor == 0 else min(below)


OPEN = [name for name in SMALL if name not in ("transfer", "two decks", "weli")]
"""Those that can be gone through with every talon at every move."""


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.sample(5)
def test_open_hands_hide_the_talon_alone(name):
    """Every history is its own information set, and the value is that of play in which what will be drawn is unknown."""
    tree = build_game_tree(SMALL[name], dealer=1, open_hands=True)
    assert len(tree.infosets) == sum(actor >= 0 for actor in tree.actor)
    assert all(len(set(drawn.actions)) == len(drawn.actions) for drawn in tree.chance_moves)
    games = list(decks(SMALL[name]))
    expected = sum(value(part) * len(part) for part in parted(games)) / Fraction(len(games))
    assert backward(tree) == expected


def test_the_title_says_what_is_played():
    """Rules, deck and hand, who dealt, and whether the hands are open."""
    assert build_game_tree(SMALL["econ431"], 1).title == "econ431, ranks=67, suits=cd, hand_size=1, trump=c; dealer 1; hands hidden"
    assert build_game_tree(SMALL["podkidnoy"], 1, open_hands=True).title.endswith("; dealer 1; hands open")
    for rules in list(SMALL.values())[:4]:
        assert Rules.parse(build_game_tree(rules, 1, limit=50_000).title.partition(";")[0]) == rules
    assert build_game_tree(str(SMALL["podkidnoy"]), 1) == build_game_tree(SMALL["podkidnoy"], 1)
