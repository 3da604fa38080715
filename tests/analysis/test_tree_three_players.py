"""Test trees from a position of three players: moments are those of the game, and information sets are those of views."""

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


def position_game(name):
    """Return the game of this position."""
    return Game.from_position(RULES, **{"attacker": 0, **SETTINGS[name]})


def possible_games(name):
    """Return the games that are possible by the visible cards, by the places of the cards."""
    truth, setting = position_game(name), SETTINGS[name]
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


def test_the_deals_of_three_are_those_that_views_cannot_distinguish():
    """From the true deal to those that some seat cannot distinguish, and so on."""
    for name in SETTINGS:
        games = possible_games(name)
        truth = position_game(name)
        views = {what: [game.view(seat) for seat in range(3)] for what, game in games.items()}
        here = (*map(str, truth.hands), " ".join(map(str, truth.talon)))
        found, waiting = {here}, [here]
        while waiting:
            seen = views[waiting.pop()]
            for other, sights in views.items():
                if other not in found and any(view == sight for view, sight in zip(seen, sights, strict=True)):
                    found.add(other)
                    waiting.append(other)
        deals = enumerate_possible_deals(truth, 10_000, open_hands=False)
        assert {tuple(str(CardSet.from_mask(hand)) for hand in deal.state.hands) for deal in deals} == {what[:3] for what in found}
        assert len({deal.name for deal in deals}) == len(deals) == len(found)


def walk_with_games(tree, games):
    """Yield every history with its game, with forced moves played by the rules."""
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


def test_a_tree_of_three_equals_the_game():
    """Actors, moves and payoffs; with hidden hands two moments are in one information set exactly if the views are equal."""
    for name, open_hands in (("nothing hidden", True), ("nothing hidden", False), ("who holds what", False), ("one to draw", False)):
        game = position_game(name)
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
        for here, game_there in walk_with_games(tree, games):
            if tree.actor[here] == TERMINAL:
                assert tree.payoffs[tree.infoset_of[here]] == game_there.outcome.utilities
                continue
            known = tree.infosets[tree.infoset_of[here]]
            assert (known.player, known.actions) == (game_there.actor, tuple(map(str, game_there.legal_moves())))
            if not open_hands:
                assert seen.setdefault(tree.infoset_of[here], game_there.view(game_there.actor)) == game_there.view(game_there.actor)
        views = list(seen.values())
        if len(views) <= 200:
            assert all(view != two for at, view in enumerate(views) for two in views[:at])


def test_a_tree_of_three_restores_games_and_labels():
    """Its moments are games; labels name the player of each hand."""
    tree = analysis.build_tree_from_position(position_game("nothing hidden"), open_hands=True)
    for here in range(0, tree.history_count, 7):
        found = analysis.restore_game(tree, here)
        assert found.actor == (None if tree.actor[here] == TERMINAL else tree.actor[here])
    assert tree.infosets[0].label == "seat 0 holds 6c 9d, seat 1 holds 7c, seat 2 holds 8d, table empty"
    assert "Player 1 (holds 6♣︎ 9♦︎; Player 2: 7♣︎, Player 3: 8♦︎; table: empty)" in str(board.Tree(tree))
    assert analysis.describe_infoset_history(tree, 0) == "seat 0 began with 6c 9d; seat 1 began with 7c; seat 2 began with 8d"
    hidden = analysis.build_tree_from_position(position_game("who holds what"))
    assert "Player 1: 6♣︎; Player 2: 7♣︎ 8♦︎; Player 3: 9♦︎, 1/12" in str(board.Tree(hidden))
