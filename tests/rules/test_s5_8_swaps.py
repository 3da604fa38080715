"""Rule book §5.8: exchanging two cards with the talon before a bout."""

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, legal, play, talon


def swap_game(hands=("6c 9c", "7c 9d"), *, left="8d 9h Ts 8h", face_up="8h", suit="h", **options):
    """Return a game: two hands of two, hearts as trumps, and a talon with the turn-up 8h at the bottom."""
    rules = Rules(players=len(hands), **({"swaps": 3, "hand_size": 2} | options))
    return Game.from_position(rules, hands=list(hands), trump=suit, talon=left, turn_up=face_up)


def test_the_attacker_may_swap_before_it_opens():
    """Two cards are exchanged for the two topmost; those put back go under the face-down cards, above the turn-up, §5.8."""
    game = swap_game()
    before = everything(game)
    assert legal(game) == "attack 6c; attack 9c; swap 6c 9c"
    play(game, "0 swap 6c 9c")
    assert (hands(game), talon(game)) == (["8d 9h", "7c 9d"], "Ts 6c 9c 8h")
    assert (game.swap_counts, game.bout, game.actor, everything(game)) == ((1, 0), 2, 0, before)


def test_after_the_swap_the_bout_opens_as_usual():
    """A seat may swap once before a bout, and then it opens, §5.8."""
    game = swap_game()
    play(game, "0 swap 6c 9c")
    assert legal(game) == "attack 8d; attack 9h"
    play(game, "0 attack 8d")
    assert (game.actor, legal(game)) == (1, "beat 8d 9d; take")


def test_any_two_cards_of_the_hand_may_be_swapped():
    """The pairs are listed in card order, after the attacks, §5.8, §9."""
    game = swap_game(("6c 9c 8d", "7c 9d Td"), left="Ts 9h Js 8h", hand_size=3)
    assert legal(game) == "attack 6c; attack 9c; attack 8d; swap 6c 9c; swap 6c 8d; swap 9c 8d"


def test_a_swap_is_written_in_card_order():
    """X and Y are written in card order, and X goes under before Y, in whatever order they were given, §5.8."""
    game = swap_game()
    play(game, "0 swap 9c 6c")
    assert str(game.moves[0]) == "swap 6c 9c"
    assert talon(game) == "Ts 6c 9c 8h"


def test_cards_put_back_go_under_the_face_down_cards():
    """The turn-up and a hidden trump are not touched, §5.8."""
    for options, left, face_up, suit, after in (
        # above a turn-up at the bottom
        ({"turn_up": "bottom"}, "8d 9h Ts 8h", "8h", "h", "Ts 6c 9c 8h"),
        # below a turn-up on top
        ({"turn_up": "top"}, "8h 8d 9h Ts", "8h", "h", "8h Ts 6c 9c"),
        # a turn-up aside is not in the talon
        ({"turn_up": "aside"}, "8d 9h Ts", "8h", "h", "Ts 6c 9c"),
        # a turn-up that has been drawn
        ({"turn_up": "top"}, "8d 9h Ts", None, "h", "Ts 6c 9c"),
        # above a turn-up and the hidden trump
        ({"hidden_trump": True}, "8d 9h Ts 8h 9s", "8h", "h", "Ts 6c 9c 8h 9s"),
        # a fixed suit turns nothing up
        ({"trump": "h"}, "8d 9h Ts 8h", None, "h", "Ts 8h 6c 9c"),
        # no trumps turn nothing up
        ({"trump": "none"}, "8d 9h Ts 8h", None, None, "Ts 8h 6c 9c"),
    ):
        game = swap_game(left=left, face_up=face_up, suit=suit, **options)
        play(game, "0 swap 6c 9c")
        assert (hands(game)[0], talon(game)) == ("8d 9h", after)
        assert (None if game.turn_up is None else str(game.turn_up), game.trump) == (face_up, suit)


def test_a_swap_needs_two_face_down_cards_in_the_talon():
    """The turn-up and a hidden trump are not counted, §5.8."""
    for options, left, face_up, allowed in (
        # two above the turn-up
        ({}, "8d 9h 8h", "8h", True),
        # one above the turn-up
        ({}, "8d 8h", "8h", False),
        # the turn-up alone
        ({}, "8h", "8h", False),
        # two below the turn-up
        ({"turn_up": "top"}, "8h 8d 9h", "8h", True),
        # one below the turn-up
        ({"turn_up": "top"}, "8h 8d", "8h", False),
        # two after the turn-up was drawn
        ({"turn_up": "top"}, "8d 9h", None, True),
        # two with the turn-up aside
        ({"turn_up": "aside"}, "8d 9h", "8h", True),
        # one with the turn-up aside
        ({"turn_up": "aside"}, "8d", "8h", False),
        # two above the turn-up and the hidden trump
        ({"hidden_trump": True}, "8d 9h 8h 9s", "8h", True),
        # one above the turn-up and the hidden trump
        ({"hidden_trump": True}, "8d 8h 9s", "8h", False),
        # two with a fixed suit
        ({"trump": "h"}, "8d 9h", None, True),
        # one with a fixed suit
        ({"trump": "h"}, "8d", None, False),
        # no talon
        ({}, "", None, False),
    ):
        game = swap_game(left=left, face_up=face_up, **options)
        assert ("swap 6c 9c" in legal(game)) == allowed


def test_a_swap_may_take_the_only_two_face_down_cards():
    """With two cards face down they are taken, and the two put back are the new face-down cards, §5.8."""
    game = swap_game(left="8d 9h 8h")
    play(game, "0 swap 6c 9c")
    assert (hands(game)[0], talon(game)) == ("8d 9h", "6c 9c 8h")


def test_swaps_are_counted_for_each_player_through_the_game():
    """A player may swap `swaps` times in a game; the other has its own count, §5.8."""
    game = swap_game(("6c 9c", "7c 9d"), left="8d 9h Ts Js Qs Ks As Td Kd 8h", swaps=1)
    play(game, "0 swap 6c 9c; 0 attack 8d; 1 beat 8d 9d; 0 throw 9h; 1 take")
    assert (game.swap_counts, game.actor) == ((1, 0), 0)
    assert "swap" not in legal(game)
    play(game, "0 attack Ts; 1 take; 0 attack Js; 1 take")
    assert "swap" not in legal(game)


def test_the_other_seat_has_its_own_swaps():
    """When the defender comes to attack it may swap, however often the other has swapped, §5.8."""
    game = swap_game(("6c 9c", "8c 9d"), left="7c Jd Ts Js Qs Ks As 8h", swaps=1)
    play(game, "0 swap 6c 9c; 0 attack 7c; 1 beat 7c 8c; 1 swap 9d Js")
    assert game.swap_counts == (1, 1)


def test_a_player_swaps_as_often_as_the_option_says():
    """Once before each bout that it opens, until the swaps are used up, §5.8."""
    for times in (1, 2, 3):
        game = swap_game(("6c 9c", "7c 9d"), left="8d Kd Ts Js Qs Ks As Td Jd Ad Ac Kc 8h", swaps=times)
        for used in range(times):
            assert game.swap_counts == (used, 0)
            first, second = game.hands[0]
            play(game, f"0 swap {first} {second}")
            play(game, f"0 attack {next(iter(game.hands[0]))}; 1 take")
            while game.actor == 0 and legal(game).endswith("pass"):
                play(game, "0 pass")
        assert game.swap_counts == (times, 0)
        assert "swap" not in legal(game)


def test_without_swaps_nothing_is_exchanged():
    """With `swaps=0` no swap is listed, §3."""
    assert legal(swap_game(swaps=0)) == "attack 6c; attack 9c"


def test_only_the_attacker_swaps_and_only_before_it_opens():
    """Neither the defender nor a thrower swaps, §5.8."""
    game = swap_game(("6c 6d", "7c 9d"), left="8d 9h Ts 8h")
    play(game, "0 attack 6c")
    assert legal(game) == "beat 6c 7c; take"
    play(game, "1 beat 6c 7c")
    assert legal(game) == "throw 6d; pass"


def test_a_hand_of_one_card_cannot_swap():
    """Both cards must be in the hand, §5.8."""
    assert legal(swap_game(("6c", "7c"), hand_size=1)) == "attack 6c"


def test_two_copies_may_be_swapped_together():
    """With two decks a pair of equal cards is listed once, §2, §5.8."""
    game = swap_game(("6c 6c 9c", "7c 9d Td"), decks=2, hand_size=3)
    assert legal(game) == "attack 6c; attack 9c; swap 6c 6c; swap 6c 9c"
    play(game, "0 swap 6c 6c")
    assert (hands(game)[0], talon(game)) == ("9c 8d 9h", "Ts 6c 6c 8h")


def test_a_six_is_swapped_as_itself():
    """A card whose suit may be chosen goes under the talon with its own suit, §5.7, §5.8."""
    game = swap_game(("6c 9c", "7c 9d"), weli="sixes")
    assert [move for move in legal(game).split("; ") if move.startswith("swap")] == ["swap 6c 9c"]


def test_a_swap_may_come_before_the_first_bout():
    """A turn is the bout that a player opens, the first one too, §5.8."""
    rules = Rules.preset("poker", hand_size=2)
    game = Game(rules, seed=1)
    first, second = game.hands[game.actor]
    assert legal(game).endswith(f"swap {first} {second}")
