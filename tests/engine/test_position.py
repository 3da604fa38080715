"""Test positions set by hand: valid ones are set up as given, and invalid ones are refused with a message."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget import Card, Game, PositionError, Rules
from support.mixes import snapshot
from support.sizes import tried
from support.spoken import english_text

PLAIN = {"hands": ["6c 7c", "9h Ts"], "trump": "h"}


def test_a_position_is_set_up_as_given() -> None:
    """Hands, table, talon, discard and roles are as given."""
    game = Game.from_position(
        Rules(players=3),
        hands=["6c 7c", ["9h", "Ts"], [Card("Ah")]],
        trump="h",
        attacker=0,
        talon="8c 8h",
        turn_up="8h",
        table="7d/9d 7s",
        discard="6d 6h",
        throwers_passed=[2],
        bout=4,
    )
    assert [str(hand) for hand in game.hands] == ["6c 7c", "9h Ts", "Ah"]
    assert (str(game.table), game.trump, game.turn_up, game.bout) == ("7d/9d 7s", "h", Card("8h"), 4)
    assert [str(card) for card in game.talon] == ["8c", "8h"]
    assert str(game.discard) == "6d 6h"
    assert (game.attacker, game.defender, game.actor, game.throwers_passed, game.taking) == (0, 1, 1, (2,), False)
    assert game.limit == 3
    assert game.seed is None


def test_the_table_may_be_a_list_of_pairs() -> None:
    """Pairs of cards are accepted as well as a text, and so is the table of a game."""
    game = Game.from_position(**PLAIN, table=[("7d", "9d"), (Card("7s"), None)])
    assert str(game.table) == "7d/9d 7s"
    assert str(Game.from_position(**PLAIN, table=game.table).table) == "7d/9d 7s"


def test_a_position_in_which_nobody_can_act_is_played_on() -> None:
    """With every card beaten and nothing to throw in, the bout is over at once; if the defender takes, the cards are taken."""
    game = Game.from_position(hands=["6c 8c", "Th Ts"], trump="h", table="7d/9d")
    assert (game.actor, str(game.discard), game.bout) == (1, "7d 9d", 3)
    game = Game.from_position(hands=["6c 8c", "Th Ts"], trump="h", table="7d", taking=True)
    assert (str(game.hands[1]), game.actor) == ("7d Th Ts", 0)


def test_seats_without_cards_are_out() -> None:
    """With the talon empty, a seat without cards is out, in the order of the seats; attacker and defender of the bout are not."""
    game = Game.from_position(Rules(players=4), hands=["6c", "", "7c", ""], trump="h")
    assert (game.seats_in, game.places, game.defender) == ((0, 2), (1, 3), 2)
    game = Game.from_position(Rules(players=3), hands=["", "8c 8d", "9d"], trump="h", table="7c")
    assert (game.seats_in, game.actor) == ((0, 1, 2), 1)


def test_the_defender_may_have_beaten_with_its_last_card() -> None:
    """Two players: seat 1 has beaten with its last card, so the bout is defended and seat 1 is out."""
    game = Game.from_position(hands=["6c 8c", ""], trump="h", table="7d/9d")
    assert game.outcome.fool == 0
    game = Game.from_position("econ431", hands=["9c Tc", ""], trump="h", table="9d/Td")
    assert game.outcome.winners == (1,)


def test_under_at_once_an_attacker_without_cards_ends_the_game() -> None:
    """Under `at_once` a position in which the attacker has no cards left is over."""
    game = Game.from_position("econ431", hands=["", "9c Tc"], trump="h", table="9d")
    assert game.outcome.winners == (0,)


def test_a_hidden_trump_lies_under_the_turn_up() -> None:
    """The last card of the talon is hidden if the turn-up is the last but one, and open if it is itself the turn-up."""
    rules = Rules(hidden_trump=True)
    game = Game.from_position(rules, **PLAIN, talon="8c 8h 8d", turn_up="8h")
    assert game.view(0).memory.talon == ((1, Card("8h")),)
    game = Game.from_position(rules, hands=["6c 7c", "9h Ts"], trump="d", talon="8d", turn_up="8d")
    assert game.view(0).memory.talon == ((0, Card("8d")),)


def test_the_trump_may_be_left_out() -> None:
    """Without trumps no trump is given; a fixed trump does not have to be given."""
    assert Game.from_position(Rules(trump="none"), hands=["6c", "7c"]).trump is None
    assert Game.from_position(Rules(trump="d"), hands=["6c", "7c"]).trump == "d"
    assert Game.from_position(hands=["6c", "7c"]).trump is None


def test_the_turn_up_sets_the_trump() -> None:
    """If a card is turned up, its suit does not have to be given."""
    assert Game.from_position(hands=["6c", "7c"], talon="8c 8h", turn_up="8h").trump == "h"
    assert Game.from_position("full_jokers, hidden_trump=True", hands=["6c", "7c"], talon="Xr 8h", turn_up="Xr").trump is None


@pytest.mark.parametrize(
    "preset", ["podkidnoy", "econ431", "siege", "wikipedia", "neighbours", "albanian", "full_jokers", "two_decks", "railway", "weli"]
)
@pytest.mark.sample(3)
def test_every_position_of_a_game_can_be_set_up(preset: str) -> None:
    """A position set up from the attributes of a game has the same legal moves."""
    rules = Rules.preset(preset)
    for seed in range(tried(1, 4)):
        game, rng = Game(rules, seed=seed), Random(seed)
        while game.actor is not None:
            if not (preset == "wikipedia" and game.throwers_passed):
                again = Game.from_position(
                    rules,
                    hands=game.hands,
                    trump=game.trump,
                    attacker=game.attacker,
                    talon=game.talon,
                    turn_up=game.turn_up,
                    table=game.table,
                    discard=game.discard,
                    throwers_passed=game.throwers_passed,
                    taking=game.taking,
                    bout=game.bout,
                )
                assert (again.actor, again.legal_moves(), again.limit) == (game.actor, game.legal_moves(), game.limit)
                assert snapshot(Game.parse(str(again)).state) == snapshot(again.state)
            game.play(rng.choice(game.legal_moves()))


def test_an_impossible_position_is_refused() -> None:
    """The error names the problem and says what would be right."""
    for changes, says in (
        ({"hands": ["6c 6c", "7c"]}, "6c in the hand of seat 0"),
        ({"hands": ["6c 7c", "9h 7c"]}, "7c in the hand of seat 1"),
        ({"hands": ["2c", "7c"]}, "2c in the hand of seat 0 is not a card of this deck, which has 36 cards from 6c to As"),
        ({"hands": ["6c=h", "7c"]}, "played on the table"),
        ({"hands": ["6c"]}, "text or list of"),
        ({"hands": "6c 7c"}, "text or list of"),
        ({"hands": [7, "7c"]}, "7 is not a list of cards"),
        ({"hands": ["6y", "7c"]}, "the hand of seat 0: '6y' is not a card"),
        ({"talon": "6c"}, "6c in the talon"),
        ({"discard": "6c"}, "6c in the discard"),
        ({"table": "6c"}, "6c in the table"),
        ({"table": "7d/8c"}, "7d/8c on the table: 8c does not beat 7d with hearts as trumps"),
        ({"table": "7d 8d"}, "8d on the table"),
        ({"table": "6d=h"}, "under these rules"),
        ({"table": "7d/9x"}, "the table: '9x' is not a card"),
        ({"table": 7}, "'7d/9d 7s'"),
        ({"table": "7d " * 1000}, "more cards than any deck"),
        ({"hands": ["6c", "7c"], "table": "8d 8s"}, "1 may attack seat 1"),
        ({"trump": "x"}, "trump must be"),
        ({"attacker": 2}, "0 to 1"),
        ({"attacker": True}, "True"),
        ({"bout": 0}, "bout must be"),
        ({"taking": True}, "takes yet"),
        ({"throwers_passed": [0]}, "passed yet"),
        ({"throwers_passed": [5]}, "throwers_passed"),
        ({"taking": "no"}, "True or False, not 'no'"),
        ({"bout": 10**5000}, "1 to 999999"),
        ({"bout": 10**8}, "1 to 999999"),
        ({"throwers_passed": 5}, "throwers_passed"),
        ({"hands": {"6c", "7c"}}, "text or list of"),
        ({"attacker": 10**5000}, "seat something of type"),
        ({"table": "7d/9d", "taking": True}, english_text("why.nothing_unbeaten")),
        ({"table": "7d", "throwers_passed": [1]}, "seat 1 defends"),
        ({"turn_up": "8d"}, "turn_up='8d' must be the last card of the talon, which is empty"),
        ({"talon": "8h 9d", "turn_up": "8h"}, "turn_up='8h' must be the last card of the talon, which is 8h 9d"),
        ({"talon": "8h 9d", "turn_up": "9d"}, "turn_up='9d'"),
        ({"hands": ["", "7c"]}, "seat 0"),
        ({"hands": ["6c", ""]}, "left to play against"),
        ({"hands": ["6c", ""], "talon": "7c"}, "seat 1"),
    ):
        with pytest.raises(PositionError) as caught:
            Game.from_position(**{**PLAIN, **changes})
        assert says in str(caught.value)


def test_a_position_that_the_rules_forbid_is_refused() -> None:
    """Positions are checked against the rules of the game too."""
    for rules, changes, says in (
        (Rules(trump="none"), {}, "these rules have no trumps"),
        (Rules(trump="d"), {}, "under these rules diamonds are always trumps"),
        (Rules(spades_by_spades=True), {"trump": "s"}, "under these rules spades are never trumps"),
        (Rules(suits="cds"), {"trump": "h", "hands": ["6c", "7c"]}, "the deck has no hearts"),
        (Rules(trump="h"), {"turn_up": "8h"}, "under these rules"),
        (Rules.preset("albanian"), {"talon": "8c 8h", "turn_up": "8h"}, "must be the first card of the talon"),
        (Rules.preset("econ431"), {"talon": "Jh", "turn_up": "Jh", "hands": ["9c", "Tc"]}, "Jh in turn_up"),
        (Rules(decks=2), {"hands": ["6c 6c", "6c"]}, "the deck has it twice"),
        (Rules.preset("bulk"), {"talon": "8c"}, "every card"),
        (Rules(hidden_trump=True), {"talon": "8c 8d 8h", "turn_up": "8h"}, "card of the talon"),
        (Rules(players=3), {"hands": ["6c", "7c", ""], "table": "8c", "throwers_passed": [2]}, "seat 2 is out"),
        (Rules(players=3, goal="first_out"), {"hands": ["6c", "7c", ""]}, "cards and is out,"),
    ):
        with pytest.raises(PositionError) as caught:
            Game.from_position(rules, **{**PLAIN, **changes})
        assert says in str(caught.value)


def test_a_deck_must_be_complete() -> None:
    """A deck in a given order has every card of the rules, once."""
    for deck, says in (
        ("6c 7c", "the deck is missing"),
        ("6c " * 36, "6c in the deck"),
        ("2c", "2c in the deck is not a card of this deck"),
        ("6c=h", "write 6c here"),
        (7, "7 is not a list of cards"),
        ("6c " * 5000, "at most 1000 cards"),
        (["6c"] * 5000, "at most 1000 cards"),
    ):
        with pytest.raises(PositionError) as caught:
            Game(deck=deck)
        assert says in str(caught.value)
