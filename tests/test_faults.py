"""Test faults that other implementations of the game had."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import Game, Rules
from support.mixes import cards_everywhere
from support.sizes import tried


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.sample(2)
def test_throwing_in_after_a_pick_up_keeps_every_card(players: int) -> None:
    """In 500 random games the defender picks up whenever possible, and gets each thrown card once."""
    thrown = 0
    for seed in range(tried(20, 125)):
        game, rng = Game(Rules(players=players), seed=seed), Random(seed)
        whole = cards_everywhere(game.state)
        while game.actor is not None:
            moves = game.legal_moves()
            verbs = [move.verb for move in moves]
            before, table, taker = game.hands[game.defender], game.table, game.defender
            if game.taking and "throw" in verbs:
                move = moves[verbs.index("throw")]
                thrown += 1
            else:
                move = moves[verbs.index("take")] if "take" in verbs and rng.random() < 0.7 else rng.choice(moves)
            ends = len(game.view(0).bout_ends)
            game.play(move)
            assert cards_everywhere(game.state) == whole
            if len(game.view(0).bout_ends) > ends and game.view(0).bout_ends[-1].taken:
                taken = [card for pair in table for card in pair if card is not None] + list(move.cards)
                assert all(card in game.hands[taker] for card in [*before, *taken])
    assert thrown > tried(15, 100)


def test_a_player_can_act_after_a_transfer_with_the_last_card() -> None:
    """Two players without talon: seat 1 transfers with its last card, seat 0 beats or picks up, and the game ends."""
    for last, loser in (("beat", 0), ("take", 0)):
        game = Game.from_position(Rules(transfer=True), hands=["7c 8c 9c 8d", "7d"], trump="h", attacker=0)
        game.play("attack 7c")
        assert [str(move) for move in game.legal_moves()] == ["transfer 7d", "take"]
        game.play("transfer 7d")
        assert game.actor == 0
        assert (game.attacker, game.defender, game.limit) == (1, 0, 3)
        if last == "take":
            game.play("take")
        else:
            game.play("beat 7c 9c")
            game.play("beat 7d 8d")
        assert game.actor is None
        assert (game.outcome.fool, game.outcome.places) == (loser, (1,))


def test_a_transfer_back_to_a_player_without_cards_is_illegal() -> None:
    """Two players without talon: the attacker has played the last card."""
    game = Game.from_position(Rules(transfer=True), hands=["7c", "7d 8c"], trump="h", attacker=0)
    game.play("attack 7c")
    assert [str(move) for move in game.legal_moves()] == ["beat 7c 8c", "take"]
    assert game.why_not("transfer 7d").code == "transfer_too_many"


def test_the_card_limit_is_the_defenders_hand_at_its_start() -> None:
    """A defender who held two cards is attacked with two in all, though it has none left."""
    game = Game.from_position(hands=["7c 7d 7s", "8c 8d"], trump="h")
    for move in ("attack 7c", "beat 7c 8c", "throw 7d", "beat 7d 8d"):
        game.play(move)
    assert game.outcome.fool == 0


def test_the_card_limit_holds_after_a_pick_up() -> None:
    """Cards thrown in afterwards count too."""
    game = Game.from_position(hands=["7c 7d 7s 7h", "8c 8d 9h"], trump="h")
    for move in ("attack 7c", "take", "throw 7d", "throw 7s"):
        game.play(move)
    assert len(game.hands[1]) == 6
    assert not game.table


def test_after_a_transfer_the_last_attacker_draws_first() -> None:
    """Seat 1 transferred, so it draws first, then seat 0, and the defender, seat 2, last."""
    rules = Rules(players=3, transfer=True, hand_size=3)
    game = Game.from_position(rules, hands=["7c Kc Ac", "7d Kd Ad", "8c 8d As"], trump="h", talon="6c 6d 6s 9c", attacker=0)
    for move in ("attack 7c", "transfer 7d", "beat 7c 8c", "beat 7d 8d"):
        game.play(move)
    assert game.view(0).bout_ends[-1].draw_counts == ((1, 1), (0, 1), (2, 2))
    assert [str(hand) for hand in game.hands] == ["Kc Ac 6d", "6c Kd Ad", "9c 6s As"]


def test_every_game_ends() -> None:
    """Even if all always pick up: a position that occurs three times is a tie."""
    for seed in range(10):
        game = Game(Rules(deal="all", throw_in_by="nobody"), seed=seed)
        while game.actor is not None and game.ply < 5000:
            takes = [move for move in game.legal_moves() if move.verb == "take"]
            game.play((takes or game.legal_moves())[0])
        assert game.outcome is not None


def test_endless_picking_up_is_a_tie() -> None:
    """Three players attack with their lowest card and pick up until the third repetition."""
    game = Game.from_position(Rules(players=3), hands=["6c 7c", "6d 7d", "6s 7s"], trump="h")
    plies = 0
    while game.actor is not None and plies < 200:
        takes = [move for move in game.legal_moves() if move.verb in ("take", "pass")]
        game.play((takes or game.legal_moves())[0])
        plies += 1
    assert game.outcome.winners == game.outcome.losers == ()
    assert game.outcome.fool is None


def test_no_player_can_throw_in_against_themselves() -> None:
    """In random games for two to six the defender has no attacking move."""
    for players in range(2, 7):
        game, rng = Game(Rules(players=players, throw_in_when="any_time"), seed=players), Random(players)
        while game.actor is not None:
            if game.actor == game.defender:
                assert {move.verb for move in game.legal_moves()} <= {"beat", "take"}
            game.play(rng.choice(game.legal_moves()))
