"""Test trees of Durak: every deal, exact information sets, exact values, and the limit of histories."""

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


def all_decks(rules):
    """Yield every order of the deck, as a new game."""
    game = Game(rules, seed=1)
    lying = [game.card_aside] if game.card_aside else []
    cards = [*game.hands[0], *game.hands[1], *game.talon, *lying]
    return (Game(rules, deck=[str(card) for card in order], dealer=1) for order in permutations(cards))


def deal_name(game):
    """Return the name of the deal."""
    text = " | ".join(map(str, game.hands))
    if game.talon:
        text += "; talon " + " ".join(map(str, game.talon))
    if game.card_aside and game.turn_up:
        text += f"; turned up {game.turn_up}"
    return text


def after_forced_moves(game):
    """Return the game after all forced moves."""
    while game.outcome is None and len(game.legal_moves()) == 1:
        game.play(game.legal_moves()[0])
    return game


def distinct_deals(rules):
    """Return every deal that a player could ever distinguish, with the number of deck orders that give it."""
    games, times = {}, Counter()
    for game in all_decks(rules):
        key = (deal_name(game), game.trump, game.view(0), game.view(1))
        games.setdefault(key, game)
        times[key] += 1
    return games, times


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.sample(5)
def test_the_tree_equals_games_played_move_by_move(name):
    """Deals and probabilities, moves and payoffs are those of games; two histories are in one information set exactly if the views are equal."""
    rules = WHOLE[name]
    tree = build_game_tree(rules, dealer=1)
    games, times = distinct_deals(rules)
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

    def compare(node, game):
        after_forced_moves(game)
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
            total += compare(child, then)
        return total

    places = dict(zip(root.actions, tree.children(0), strict=True))
    total = 1 + sum(
        compare(places[key[0] if key[0] in places else f"{key[0]}; shown {shown_card(game)}"], game) for key, game in games.items()
    )
    assert total == tree.history_count
    assert len(seen) == len(tree.infosets)


def shown_card(game):
    """Return the card in a hand that showed the trump suit, which the other seat knows."""
    return next(cards for cards in (game.view(1).memory.known[0], game.view(0).memory.known[1]) if cards)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.sample(4)
def test_durak_trees_have_perfect_recall(name):
    """A player who decides knows everything that the player knew and did before; and histories are counted without the tree."""
    tree = build_game_tree(SMALL[name], dealer=1)
    assert describe_imperfect_recall(tree) is None
    assert tree.infosets
    assert count_histories(SMALL[name], dealer=1) == tree.history_count


def test_a_deal_without_a_choice_is_a_terminal_node():
    """If every move is forced only the deal is left."""
    tree = build_game_tree(small("podkidnoy", suits="cd", ranks="6", deal="all", trump="none"), dealer=1)
    assert (tree.history_count, tree.terminal_count, tree.infoset_counts) == (3, 2, (0, 0))


def open_hands_value(worlds):
    """Return the value of a game with open hands to the first seat: the best move, with all possible talons equally likely."""
    if parts := play_forced_moves(worlds):
        return sum(open_hands_value(part) * len(part) for part in parts) / Fraction(len(worlds))
    if worlds[0].outcome is not None:
        return Fraction(worlds[0].outcome.utilities[0])
    best = max if worlds[0].actor == 0 else min
    found = []
    for move in worlds[0].legal_moves():
        then = [world.copy() for world in worlds]
        for world in then:
            world.play(move)
        found.append(sum(open_hands_value(part) * len(part) for part in split_by_open_cards(then)) / Fraction(len(then)))
    return best(found)


def split_by_open_cards(worlds):
    """Divide the worlds into groups with the same open cards."""
    parts = {}
    for world in worlds:
        parts.setdefault((world.view(0), world.view(1)), []).append(world)
    return list(parts.values())


def play_forced_moves(worlds):
    """Play the forced moves; return the groups, if the cards drawn then distinguish the worlds."""
    while worlds[0].outcome is None and len(worlds[0].legal_moves()) == 1:
        for world in worlds:
            world.play(world.legal_moves()[0])
        if len(parts := split_by_open_cards(worlds)) > 1:
            return parts
    return None


def backward_value(tree, here=0):
    """Return the value of a tree to the first seat if everybody knows the node."""
    actor, info = tree.actor[here], tree.infoset_of[here]
    if actor == TERMINAL:
        return tree.payoffs[info][0]
    below = [backward_value(tree, child) for child in tree.children(here)]
    if actor == CHANCE:
        return sum(chance * payoff for chance, payoff in zip(tree.chance_moves[info].probabilities, below, strict=True))
    return max(below) if actor == 0 else min(below)


OPEN = [name for name in SMALL if name not in ("transfer", "two decks", "weli")]
"""Those that can be gone through with every talon at every move."""


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.sample(5)
def test_open_hands_hide_only_the_talon(name):
    """Every history is its own information set, and the value is that of play in which the cards to be drawn are unknown."""
    tree = build_game_tree(SMALL[name], dealer=1, open_hands=True)
    assert len(tree.infosets) == sum(actor >= 0 for actor in tree.actor)
    assert all(len(set(drawn.actions)) == len(drawn.actions) for drawn in tree.chance_moves)
    games = list(all_decks(SMALL[name]))
    expected = sum(open_hands_value(part) * len(part) for part in split_by_open_cards(games)) / Fraction(len(games))
    assert backward_value(tree) == expected


def test_the_title_describes_the_game():
    """Rules, deck and hand, the dealer, and whether the hands are open."""
    assert build_game_tree(SMALL["econ431"], 1).title == "econ431, ranks=67, suits=cd, hand_size=1, trump=c; dealer 1; hands hidden"
    assert build_game_tree(SMALL["podkidnoy"], 1, open_hands=True).title.endswith("; dealer 1; hands open")
    for rules in list(SMALL.values())[:4]:
        assert Rules.parse(build_game_tree(rules, 1, limit=50_000).title.partition(";")[0]) == rules
    assert build_game_tree(str(SMALL["podkidnoy"]), 1) == build_game_tree(SMALL["podkidnoy"], 1)
