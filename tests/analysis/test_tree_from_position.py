"""Test trees from a position: the deals that are still possible for a player, and refused positions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from durak_widget import Game, PositionError, Rules
from durak_widget.analysis.deal_enumeration import enumerate_possible_deals
from durak_widget.analysis.durak_tree import build_game_tree, build_tree_from_position
from durak_widget.cards import CardSet, card_from_bit
from durak_widget.gametheory.tree import CHANCE, TreeError, describe_imperfect_recall
from support.tree_games import small

ONE_SUIT = small("podkidnoy", suits="c", ranks="6789TJ", hand=2)
POSITIONS = {
    "two to draw": (ONE_SUIT, {"hands": ["7c Jc", "8c"], "talon": "9c Tc", "discard": "6c"}),
    "one to draw": (ONE_SUIT, {"hands": ["7c Jc", "8c 9c"], "talon": "Tc", "discard": "6c"}),
    "nothing hidden": (ONE_SUIT, {"hands": ["7c Jc", "8c 9c"], "talon": "", "discard": "6c Tc"}),
    "a card nowhere": (ONE_SUIT, {"hands": ["7c Jc", "8c 9c"], "talon": "", "discard": "6c"}),
    "defending": (ONE_SUIT, {"hands": ["Jc", "8c 9c"], "talon": "Tc", "discard": "6c", "table": "7c"}),
    "not asked": (
        small("podkidnoy", ranks="678", hand=2),
        {"hands": ["8c", "8d 6d"], "talon": "7d", "table": "6c/7c", "throwers_passed": [0]},
    ),
    "asked": (small("podkidnoy", ranks="678", hand=2), {"hands": ["6d 8c", "8d"], "talon": "7d", "table": "6c/7c"}),
    "first beaten, not asked": (
        small("siege", ranks="678", hand=2, throw_in_when="first_beaten"),
        {"hands": ["8c", "8d 7d"], "talon": "6d", "discard": "", "table": "6c/7c"},
    ),
    "a turn-up": (small("podkidnoy", ranks="67", trump=None), {"hands": ["6c", "7c"], "talon": "6d 7d", "turn_up": "7d", "trump": "d"}),
    "a hidden trump": (
        small("changeable_trump", ranks="678", trump=None),
        {"hands": ["6c", "7c"], "talon": "8c 6d 7d 8d", "turn_up": "7d", "trump": "d"},
    ),
    "a turn-up aside": (small("econ431", ranks="67", trump=None), {"hands": ["6c", "7c"], "talon": "6d", "turn_up": "7d", "trump": "d"}),
    "with repetition": (small("perevodnoy", ranks="67", hand=2), {"hands": ["6c 7d", "7c 6d"]}),
}


def reachable_deals(rules, setting):
    """Return the deals reachable from the true one through deals that a seat cannot distinguish, by trying each and comparing views."""
    deck = Game(rules, seed=1)
    cards = {str(card) for card in [*deck.hands[0], *deck.hands[1], *deck.talon, *([deck.card_aside] if deck.card_aside else [])]}
    truth = Game.from_position(rules, **setting)
    card_locations = {str(card) for pair in truth.table for card in pair if card} | {str(card) for card in truth.discard}
    sizes = [len(hand) for hand in truth.hands]
    games = {}
    for order in permutations(sorted(cards - card_locations), sum(sizes) + len(truth.talon)):
        hands, talon = [sorted(order[: sizes[0]]), sorted(order[sizes[0] : sum(sizes)])], order[sum(sizes) :]
        try:
            game = Game.from_position(rules, **setting | {"hands": [" ".join(hand) for hand in hands], "talon": " ".join(talon)})
        except PositionError:
            continue
        games[str(game.hands[0]), str(game.hands[1]), " ".join(map(str, game.talon))] = (game.view(0), game.view(1))
    name = (str(truth.hands[0]), str(truth.hands[1]), " ".join(map(str, truth.talon)))
    found, waiting = {name}, [name]
    while waiting:
        views = games[waiting.pop()]
        for other, seen in games.items():
            if other not in found and (seen[0] == views[0] or seen[1] == views[1]):
                found.add(other)
                waiting.append(other)
    return found


@pytest.mark.slow
def test_the_deals_are_those_that_views_cannot_distinguish():
    """From the true deal to those that a seat cannot distinguish, and so on: exactly these deals."""
    for rules, setting in POSITIONS.values():
        game = Game.from_position(rules, **setting)
        deals = enumerate_possible_deals(game, 10_000, open_hands=False)
        laid = {tuple(" ".join(str(card) for card in part) for part in cards_of(deal.state)) for deal in deals}
        assert laid == reachable_deals(rules, setting)
        assert len(laid) == len(deals) == len({deal.name for deal in deals})
        tree = build_tree_from_position(game)
        assert describe_imperfect_recall(tree) is None
        if len(deals) > 1:
            assert tree.actor[0] == CHANCE
            assert set(tree.chance_moves[tree.infoset_of[0]].probabilities) == {Fraction(1, len(deals))}


def cards_of(state):
    """Return the hands and the talon as cards."""
    return [*map(CardSet.from_mask, state.hands), [card_from_bit(bit) for bit in state.talon]]


def test_known_hands_leave_one_deal():
    """With the talon empty and every card known both seats know all, and so does the tree."""
    rules, setting = POSITIONS["nothing hidden"]
    game = Game.from_position(rules, **setting)
    assert build_tree_from_position(game).infosets == build_tree_from_position(game).infosets
    assert len(enumerate_possible_deals(game, 100, open_hands=False)) == 1
    assert build_tree_from_position(game).actor[0] == 0


def test_open_hands_hide_only_the_talon_of_a_position():
    """Only the order of the talon may differ."""
    rules, setting = POSITIONS["two to draw"]
    deals = enumerate_possible_deals(Game.from_position(rules, **setting), 100, open_hands=True)
    assert [deal.name for deal in deals] == ["7c Jc | 8c; talon 9c Tc", "7c Jc | 8c; talon Tc 9c"]


def test_copies_of_a_card_give_a_deal_its_weight():
    """With two decks the weight of a deal is the number of ways to place the copies."""
    rules = small("two_decks", suits="c", ranks="67", trump="none")
    deals = enumerate_possible_deals(Game.from_position(rules, hands=["6c", "7c"], talon="6c 7c"), 100, open_hands=False)
    assert {deal.name: deal.weight for deal in deals} == {
        "6c | 6c; talon 7c 7c": 4,
        "6c | 7c; talon 6c 7c": 4,
        "6c | 7c; talon 7c 6c": 4,
        "7c | 6c; talon 6c 7c": 4,
        "7c | 6c; talon 7c 6c": 4,
        "7c | 7c; talon 6c 6c": 4,
    }


def test_every_deal_has_its_own_earlier_positions():
    """If a repeated position is a draw, the positions that may repeat are those of each deal."""
    game = Game.from_position(small("perevodnoy", suits="c", ranks="6789", hand=1, repetition=2), hands=["6c 8c", "7c"], trump="c")
    game.play("attack 6c")
    game.play("take")
    for deal in enumerate_possible_deals(game, 100, open_hands=False):
        assert len(deal.state.repeatable_positions) == len(game.state.repeatable_positions)
        for start, true in zip(deal.state.repeatable_positions, game.state.repeatable_positions, strict=True):
            wandered = [then ^ now for then, now in zip(start[1:], deal.state.hands, strict=True)]
            assert wandered == [then ^ now for then, now in zip(true[1:], game.state.hands, strict=True)]


PLAYED = {
    "podkidnoy": small("podkidnoy", ranks="678", hand=2),
    "first beaten": small("thrown_up", ranks="678", hand=2),
    "transfer": small("perevodnoy", ranks="678", hand=2),
    "a turn-up": small("podkidnoy", ranks="678", hand=2, trump=None),
    "one each": small("econ431", ranks="678", hand=1, trump=None),
}


def test_the_deals_use_information_from_play():
    """After some moves the deals are those from which the same moves lead to equal views: every first deal is tried, and views compared."""
    for name, known in PLAYED.items():
        rules, rng = known, Random(name)
        deck = Game(rules, seed=1)
        cards = [str(card) for card in [*deck.hands[0], *deck.hands[1], *deck.talon, *([deck.card_aside] if deck.card_aside else [])]]
        every = {card_locations(game): game for game in (Game(rules, deck=order, dealer=1) for order in permutations(cards))}
        for _ in range(4):
            truth = rng.choice(list(every.values())).copy()
            for _ in range(rng.randrange(2, 9)):
                moves = truth.legal_moves()
                then = truth.copy()
                then.play(rng.choice(moves))
                if then.outcome is None:
                    truth = then
            games = [game for game in (after_same_moves(game, truth) for game in every.values()) if game]
            views = [(game.view(0), game.view(1)) for game in games]
            found, waiting = set(), [place for place, seen in enumerate(views) if seen == (truth.view(0), truth.view(1))][:1]
            while waiting:
                here = views[waiting.pop()]
                near = [place for place, seen in enumerate(views) if place not in found and (seen[0] == here[0] or seen[1] == here[1])]
                found.update(near)
                waiting += near
            deals = enumerate_possible_deals(truth, 10_000, open_hands=False)
            assert {card_locations(deal.state) for deal in deals} == {card_locations(games[place]) for place in found}


def card_locations(moment):
    """Return the cards of each hand and of the talon."""
    hands = [CardSet.from_mask(hand) if isinstance(hand, int) else hand for hand in moment.hands]
    return (*map(str, hands), " ".join(str(card_from_bit(card) if isinstance(card, int) else card) for card in moment.talon))


def after_same_moves(game, truth):
    """Return the game after the moves of another; None if they are illegal."""
    game = game.copy()
    for move in truth.moves:
        if game.why_not(move):
            return None
        game.play(move)
    return game


@pytest.mark.slow
def test_a_tree_from_the_middle_of_a_game_begins_with_the_actor():
    """A tree from the middle of a game begins with the seat that is to act."""
    game = Game(small("podkidnoy", ranks="678", hand=2), seed=3, dealer=1)
    game.play(game.legal_moves()[0])
    tree = build_tree_from_position(game)
    assert tree.infosets
    assert f"from {game.position}" in tree.title


# Refused positions


def test_rules_for_more_players_are_refused():
    """Trees of all deals are for two players; positions may have more."""
    with pytest.raises(TreeError, match=r"3.*players=2"):
        build_game_tree(Rules(players=3))


def test_too_large_a_tree_is_refused_with_its_size():
    """The exact number if it can be counted, otherwise a lower bound, at once."""
    with pytest.raises(TreeError, match="would have 105,211 histories, and the limit is 90,000"):
        build_game_tree(small("podkidnoy"), 1, limit=90_000)
    with pytest.raises(TreeError, match=r"would have at least.*histories"):
        build_game_tree(Rules())
    with pytest.raises(TreeError, match=r"would have at least [0-9,]+ histories, and"):
        build_tree_from_position(Game.from_position(hands=["6c 7c 8d 9d Th Jh", "6d 7d 8h 9h Tc Jc"]), open_hands=True, limit=1_000)
    with pytest.raises(TreeError, match="12,280,224,991,305,141,603,532,800,000"):
        build_tree_from_position(Game(Rules(), seed=1), limit=1_000)
    with pytest.raises(TreeError, match=r"more than 190 histories"):
        build_game_tree(small("podkidnoy", ranks="67"), 1, open_hands=True, limit=190)
    assert build_game_tree(small("podkidnoy", ranks="67"), 1, limit=179).history_count == 179


def test_play_without_an_end_is_refused():
    """Transfers may go round for ever if no repetition ends the game; without transfers no position repeats."""
    rules = small("perevodnoy", suits="cdhs", ranks="KA", hand=3, repetition=None, trump="h")
    endless = Game.from_position(rules, hands=["Ks As Kd", "Kh Ah Kc Ac"], discard="Ad", trump="h")
    for open_hands in (False, True):
        with pytest.raises(TreeError, match="repetition=3"):
            build_tree_from_position(endless, open_hands)
    assert build_game_tree(small("podkidnoy", ranks="67", repetition=None), 1).history_count == 179


def test_an_unsuitable_position_is_refused():
    """A game that is over, and one in which a player knows more than the player's hand."""
    game = Game.from_position(small("podkidnoy", ranks="67"), hands=["7c", "6d"], trump="c")
    game.play("attack 7c")
    game.play("take")
    with pytest.raises(TreeError, match="the game is over"):
        build_tree_from_position(game)
    swapping = Game.from_position(small("poker", suits="c", ranks="6789TJ", hand=2), hands=["6c 7c", "8c 9c"], talon="Tc Jc", trump="c")
    swapping.play("swap 6c 7c")
    with pytest.raises(TreeError, match="swapped"):
        build_tree_from_position(swapping)
    with pytest.raises(TreeError, match=r"dealer .*2"):
        build_game_tree(small("podkidnoy"), 2)
