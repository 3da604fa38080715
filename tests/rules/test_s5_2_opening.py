"""Rule book §5.2: opening a bout."""

from durak_widget import Game, Rules
from support.rule_examples import hands, legal, play

SEVERAL = Rules(opening="same_rank")
MANY = "8d 9d Td Jd Qd Kd"


def test_an_attack_opens_with_one_card():
    """Under `one` the attacker plays exactly one card, any of its hand, §5.2."""
    game = Game.from_position(Rules(), hands=["7c 7d 7h Kc", MANY], trump="s")
    assert legal(game) == "attack 7c; attack Kc; attack 7d; attack 7h"


def test_an_attack_may_open_with_several_cards_of_a_rank():
    """Under `same_rank` one or more cards of a rank, fewest first, §5.2, §9."""
    game = Game.from_position(SEVERAL, hands=["7c 7d 7h Kc Ks", MANY], trump="s")
    assert legal(game) == (
        "attack 7c; attack Kc; attack 7d; attack 7h; attack Ks; attack 7c 7d; attack 7c 7h; attack Kc Ks; attack 7d 7h; attack 7c 7d 7h"
    )


def test_an_opening_has_at_most_as_many_cards_as_the_limit():
    """At most L cards open an attack; the limit of the first bout no longer applies in the second, §5.1, §5.2."""
    for options, defender, last in (
        ({}, "8d", "attack 7h"),
        ({}, "8d 9d", "attack 7d 7h"),
        ({"attack_limit": 2}, MANY, "attack 7d 7h"),
        ({"first_bout_limit": 1}, MANY, "attack 7c 7d 7h"),
    ):
        game = Game.from_position(SEVERAL.replace(**options), hands=["7c 7d 7h", defender], trump="s")
        assert legal(game).split("; ")[-1] == last


def test_the_first_bout_limit_also_limits_its_opening():
    """In the first bout of a game `first_bout_limit` limits the opening too, §5.1, §5.2."""
    game = Game.from_position(SEVERAL.replace(first_bout_limit=2), hands=["7c 7d 7h", MANY], trump="s", bout=1)
    assert legal(game).split("; ")[-1] == "attack 7d 7h"


def test_the_cards_of_an_opening_are_in_card_order():
    """In whatever order they are given, the cards of an opening are parsed and placed in card order, §5.2."""
    game = Game.from_position(SEVERAL, hands=["7c 7d 7h Kc", MANY], trump="s")
    play(game, "0 attack 7h 7c")
    assert str(game.moves[0]) == "attack 7c 7h"
    assert str(game.table) == "7c 7h"
    assert hands(game)[0] == "Kc 7d"


def test_two_copies_may_open_together_and_are_listed_once():
    """With two decks both copies of a card are cards of a rank, §2, §5.2."""
    game = Game.from_position(SEVERAL.replace(decks=2), hands=["7c 7c 7d", MANY], trump="s")
    assert legal(game) == "attack 7c; attack 7d; attack 7c 7c; attack 7c 7d; attack 7c 7c 7d"
    play(game, "0 attack 7c 7c")
    assert (str(game.table), hands(game)[0]) == ("7c 7c", "7d")


def test_an_opening_may_empty_the_hand():
    """An attacker may open with all its cards, §5.2."""
    game = Game.from_position(SEVERAL, hands=["7c 7d", MANY], trump="s")
    play(game, "0 attack 7c 7d")
    assert (game.actor, hands(game)[0]) == (1, "")


def test_every_card_of_an_opening_must_be_beaten():
    """The defender beats each card of an opening, in any order, §5.2, §5.4."""
    game = Game.from_position(SEVERAL, hands=["7c 7d Kc", "8c 8d 6s"], trump="s")
    play(game, "0 attack 7c 7d")
    assert legal(game) == "beat 7c 8c; beat 7c 6s; beat 7d 8d; beat 7d 6s; take"
