"""Rule book §9: moves as text, and the order in which they are listed."""

import pytest

from durak_widget import Game, IllegalMove, Move, Rules
from support.rule_examples import legal, play

VERBS = ["attack", "throw", "pass", "beat", "transfer", "show", "take", "swap"]


def test_a_move_is_a_verb_and_cards_separated_by_one_space():
    """Verb in lower case, rank in upper and suit in lower case, one space, cards in card order, §9."""
    for text, written in (
        ("attack 7c", "attack 7c"),
        ("attack 10♥", "attack Th"),
        ("ATTACK tH", "attack Th"),
        ("  throw   6D ", "throw 6d"),
        ("pass", "pass"),
        ("beat 7c 9C", "beat 7c 9c"),
        ("transfer 7h", "transfer 7h"),
        ("show 7h", "show 7h"),
        ("take", "take"),
        ("swap 9d 7c", "swap 7c 9d"),
        ("attack 7s 7c 7h", "attack 7c 7h 7s"),
        ("throw 6d=H", "throw 6d=h"),
        ("throw 6d=d", "throw 6d"),
        ("beat 6h 6d=s", "beat 6h 6d=s"),
        ("attack xR", "attack Xr"),
    ):
        assert str(Move(text)) == written
        assert Move(text) == Move(written)


def test_a_move_has_a_verb_and_cards():
    """A move has a verb and the cards it names, §9."""
    for text, verb, cards in (("beat 7c 9d", "beat", ["7c", "9d"]), ("pass", "pass", []), ("attack 7c 7d", "attack", ["7c", "7d"])):
        move = Move(text)
        assert (move.verb, [str(card) for card in move.cards]) == (verb, cards)


def test_attacks_come_before_swaps():
    """Before a bout: single attacks, then those of more cards, then swaps, §9."""
    rules = Rules(swaps=1, opening="same_rank", hand_size=3)
    game = Game.from_position(rules, hands=["8d 7h 7c", "9c 9d 9s"], trump="s", talon="Tc Td Ts", turn_up="Ts")
    assert legal(game) == "attack 7c; attack 8d; attack 7h; attack 7c 7h; swap 7c 8d; swap 7c 7h; swap 8d 7h"


def test_throws_come_before_the_pass():
    """A thrower's moves are the throws in card order, then `pass`, §9."""
    game = Game.from_position(Rules(), hands=["7c 7s 8d 7d 8h", "8c 9c Tc Jc"], trump="h")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert legal(game) == "throw 7d; throw 8d; throw 8h; throw 7s; pass"


def test_a_defenders_moves_are_beat_transfer_show_take():
    """A defender's moves are listed in this order: `beat`, `transfer`, `show`, `take`, §9."""
    game = Game.from_position(Rules.preset("passport"), hands=["7c Kc Qc Jc", "7s 7h 9c 7d 6h"], trump="h")
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; beat 7c 6h; beat 7c 7h; transfer 7d; transfer 7h; transfer 7s; show 7h; take"


def test_beats_are_listed_by_place_on_the_table_then_by_card():
    """The attacking card that was played first comes first, even if it is higher in card order, §9."""
    game = Game.from_position(Rules(throw_in_when="any_time"), hands=["7d 7c Kc", "8d 8c 9d 6s"], trump="s")
    play(game, "0 attack 7d; 0 throw 7c")
    assert legal(game) == "beat 7d 8d; beat 7d 9d; beat 7d 6s; beat 7c 8c; beat 7c 6s; take"


def test_a_beaten_card_leaves_the_list():
    """Only unbeaten cards are named, in the order on the table, §5.4, §9."""
    game = Game.from_position(Rules(opening="same_rank"), hands=["7c 7d 7h", "8c 8d 8h 6s"], trump="s")
    play(game, "0 attack 7c 7d 7h; 1 beat 7c 6s")
    assert legal(game) == "beat 7d 8d; beat 7h 8h; take"


def test_several_cards_are_listed_by_number_then_card_order():
    """Pairs before triples, each in card order, ranks mixed, §9."""
    game = Game.from_position(Rules(opening="same_rank"), hands=["7c 7d 7h 6d 6h", "8c 8d 8h 9c 9d 9h"], trump="s")
    assert legal(game) == (
        "attack 7c; attack 6d; attack 7d; attack 6h; attack 7h; attack 7c 7d; attack 7c 7h; attack 6d 6h; attack 7d 7h; attack 7c 7d 7h"
    )


def test_verbs_are_listed_in_the_order_of_the_rule_book():
    """In every list of legal moves the verbs come in the order of §9."""
    for seed in range(30):
        rules = Rules.preset("passport", players=2 + seed % 5, opening="same_rank", weli="sixes", swaps=2)
        game = Game(rules, seed=seed)
        while game.actor is not None:
            verbs = [VERBS.index(move.verb) for move in game.legal_moves()]
            assert verbs == sorted(verbs)
            game.play(game.legal_moves()[seed % len(verbs)])


# A single legal move is not played automatically


def test_a_seat_with_one_legal_move_still_has_to_play_it():
    """Nothing is played automatically: the seat opens its last card, and the defender gives the only answer, §9."""
    game = Game.from_position(Rules(), hands=["7c", "8d Kd"], trump="s")
    assert (game.actor, legal(game), game.ply) == (0, "attack 7c", 0)
    play(game, "0 attack 7c")
    assert (game.actor, legal(game), game.ply) == (1, "take", 1)


def test_a_seat_that_cannot_throw_in_gets_no_turn():
    """A lone `pass` is never offered, §9."""
    game = Game.from_position(Rules(players=3), hands=["7c Kc", "8c Kd", "9h Th"], trump="s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert (game.actor, game.bout) == (1, 3)
    for seed in range(20):
        played = Game(Rules(players=2 + seed % 5), seed=seed)
        while played.actor is not None:
            assert legal(played) != "pass"
            played.play(played.legal_moves()[-1])


def test_exactly_the_listed_moves_are_legal():
    """Every listed move may be played; any other is refused, §9, §11."""
    game = Game.from_position(Rules(), hands=["7c Kc", "8c 9d"], trump="s")
    for text in ["attack 7c", "attack Kc"]:
        assert game.why_not(text) is None
        game.play(text)
        game.undo()
    for text in ["attack 8c", "pass", "take", "throw 7c", "beat 7c 8c", "transfer 7c", "show 7c", "swap 7c Kc"]:
        with pytest.raises(IllegalMove):
            game.play(text)
