"""A tree from a position of three players: its moments are those of the game, and a seat tells apart just what its views tell apart."""

from __future__ import annotations

from itertools import permutations

from durak_widget import Game, analysis, board
from durak_widget.analysis.deal_enumeration import enumerate_possible_deals
from durak_widget.cards import CardSet
from durak_widget.gametheory.tree import CHANCE, TERMINAL

RULES = "podkidnoy, players=3, suits=cdh, ranks=6789, hand_size=1, trump=h"
SETTINGS = {
    "nothing hidden": {"hands": ["6c 9d", "7c", "8d"], "discard": "8c 9c 6d 7d 6h 7h 8h 9h"},
    "who holds what": {"hands": ["9d", "6c 7c", "8d"], "discard": "9c 6d 7d 6h 7h 8h 9h", "table": "8c"},
    "one to draw": {"hands": ["7c", "8d", "6c"], "talon": "9c", "discard": "8c 9d 6d 7d 6h 7h 8h 9h"},
}
"""Positions, seat 0 to attack or attacking."""


def laid(name):
    """The game that stands there."""
    return Game.from_position(RULES, **{"attacker": 0, **SETTINGS[name]})


def others(name):
    """The games that may stand there by the cards that are not to be seen, by what lies where."""
    truth, setting = laid(name), SETTINGS[name]
    talon, sizes = setting.get("talon", "").split(), [len(hand) for hand in truth.hands]
    hidden = [str(card) for hand in truth.hands for card in hand] + talon
    found = {}
    for order in permutations(sorted(hidden)):
        cards, hands = list(order), []
        for size in sizes:
            hands.append(" ".join(sorted(cards[:size])))
            del cards[:size]
        game = Game.from_position(RULES, **{"attacker": 0, **setting, "hands": hands, **({"talon": " ".join(cards)} if talon else {})})
        found[(*map(str, game.hands), " ".join(map(str, game.talon)))] = game
    return found


def test_the_deals_of_three_are_those_reached_by_views_alone():
    """From the truth to what a seat cannot tell from it, and on from there, whichever seat it is."""
    for name in SETTINGS:
        games = others(name)
        truth = laid(name)
        views = {what: [game.view(seat) for seat in range(3)] for what, game in games.items()}
        here = (*map(str, truth.hands), " ".join(map(str, truth.talon)))
        found, waiting = {here}, [here]
        while waiting:
            seen = views[waiting.pop()]
            for other, sights in views.items():
                if other not in found and any(one == two for one, two in zip(seen, sights, strict=True)):
                    found.add(other)
                    waiting.append(other)
        deals = enumerate_possible_deals(truth, 10_000, open_hands=False)
        assert {tuple(str(CardSet.from_mask(hand)) for hand in deal.state.hands) for deal in deals} == {what[:3] for what in found}
        assert len({deal.name for deal in deals}) == len(deals) == len(found)


def walked(tree, games):
    """Every history with the game that stands there, its forced moves made by the rules."""
    waiting = [(child, games[child]) for child in tree.children(0)] if tree.actor[0] == CHANCE else [(0, games[0])]
    while waiting:
        here, game = waiting.pop()
        while game.outcome is None and len(game.legal_moves()) == 1:
            game.play(game.legal_moves()[0])
        yield here, game
        for child in tree.children(here):
            after = game.copy()
            after.play(tree.last_action(child))
            waiting.append((child, after))


def test_a_tree_of_three_is_the_game():
    """Who is to act, what may be done, what an end is worth; with hidden hands two moments are one information set just where the view is one."""
    for name, open_hands in (("nothing hidden", True), ("nothing hidden", False), ("who holds what", False), ("one to draw", False)):
        game = laid(name)
        tree = analysis.build_tree_from_position(game, open_hands)
        games = {0: game}
        if tree.actor[0] == CHANCE:
            games = {}
            for child, deal in zip(tree.children(0), enumerate_possible_deals(game, 10_000, open_hands=False), strict=True):
                assert tree.last_action(child) == deal.name
                hands = [str(CardSet.from_mask(hand)) for hand in deal.state.hands]
                talon = deal.name.partition("talon ")[2]
                games[child] = Game.from_position(
                    RULES, **{"attacker": 0, **SETTINGS[name], "hands": hands, **({"talon": talon} if talon else {})}
                )
        seen = {}
        for here, one in walked(tree, games):
            if tree.actor[here] == TERMINAL:
                assert tree.payoffs[tree.infoset_of[here]] == one.outcome.utilities
                continue
            known = tree.infosets[tree.infoset_of[here]]
            assert (known.player, known.actions) == (one.actor, tuple(map(str, one.legal_moves())))
            if not open_hands:
                assert seen.setdefault(tree.infoset_of[here], one.view(one.actor)) == one.view(one.actor)
        views = list(seen.values())
        if len(views) <= 200:
            assert all(one != two for at, one in enumerate(views) for two in views[:at])


def test_a_tree_of_three_is_laid_and_told():
    """Its moments stand on a table; what a seat knows is told with whose hands those are."""
    tree = analysis.build_tree_from_position(laid("nothing hidden"), open_hands=True)
    for here in range(0, tree.history_count, 7):
        found = analysis.restore_game(tree, here)
        assert found.actor == (None if tree.actor[here] == TERMINAL else tree.actor[here])
    assert tree.infosets[0].label == "seat 0 holds 6c 9d, seat 1 holds 7c, seat 2 holds 8d, table empty"
    assert "Player 1 (holds 6♣︎ 9♦︎; Player 2: 7♣︎, Player 3: 8♦︎; table: empty)" in str(board.Tree(tree))
    assert analysis.describe_infoset_history(tree, 0) == "seat 0 began with 6c 9d; seat 1 began with 7c; seat 2 began with 8d"
    hidden = analysis.build_tree_from_position(laid("who holds what"))
    assert "Player 1: 6♣︎; Player 2: 7♣︎ 8♦︎; Player 3: 9♦︎, 1/12" in str(board.Tree(hidden))
