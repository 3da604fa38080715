"""Test cards, moves, views and rules as values: copying, comparing, ordering, pickling and text."""

from __future__ import annotations

import copy
import pickle

import pytest

from durak_widget import (
    Card,
    CardError,
    CardSet,
    DurakError,
    Game,
    GameTextError,
    IllegalMove,
    Move,
    Observation,
    PositionError,
    Refusal,
    Rules,
    RulesError,
)
from durak_widget.i18n import Seat
from support.mixes import played, snapshot
from support.spoken import english_text


def test_values_survive_pickling_and_copying() -> None:
    """Cards, moves, rules, games and views are equal after pickling and deep copying."""
    game = played(Rules.preset("weli", players=3), 3, 30)
    for value in (
        Rules().explain(),
        Card("6d=h"),
        CardSet("6c 6c Xr"),
        Move("beat 7c 9c"),
        game.rules,
        game.view(1),
        game.view(1).without_hand(),
        Refusal("open_first", {"who": Seat(1)}),
    ):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(copy.deepcopy(game)) == str(game)
    assert again.legal_moves() == game.legal_moves()
    assert snapshot(again.state) == snapshot(game.state)
    assert len(pickle.dumps(game)) < 8000
    error = IllegalMove(Refusal("open_first", {"who": Seat(1)}))
    assert pickle.loads(pickle.dumps(error)).code == "open_first"


def test_values_compare_and_hash() -> None:
    """Equal values are equal and have equal hashes; other types are never equal to them."""
    game = Game(seed=3)
    assert game.view(0) == Game(seed=3).view(0) != game.view(1)
    assert len({game.view(0), Game(seed=3).view(0)}) == 1
    assert game.view(0).without_hand() == Game(seed=3).view(0).without_hand() != game.view(0)
    assert len({game.view(0), game.view(0).without_hand(), Game(seed=3).view(0).without_hand()}) == 2
    assert CardSet("6c 7c") == CardSet(["7c", Card("6c")]) != "6c 7c"
    assert game.view(0) != 7
    assert sorted([Card("7c"), Card("6d"), Card("6c")]) == [Card("6c"), Card("7c"), Card("6d")]
    table = Game.from_position(hands=["6c 7c", "9h Ts"], trump="h", table="7d/9d 7s").table
    assert repr(table) == "Pairs([(Card('7d'), Card('9d')), (Card('7s'), None)])"


def test_cards_have_a_name_and_a_sign() -> None:
    """A card has its name and its sign, also when it is played in another suit, and so has a joker."""
    assert [Card(text).name for text in ("Td", "As", "Xr", "6d=h")] == [
        "10 of diamonds",
        "ace of spades",
        "red joker",
        "6 of diamonds as hearts",
    ]
    assert [Card(text).sign for text in ("Td", "6d=h", "Xb")] == ["10♦", "6♦=♥", "black joker"]
    assert (Card("Xr").is_joker, Card("6d").is_joker, Card("6d=h").face, Card(Card("6c"))) == (True, False, Card("6d"), Card("6c"))
    with pytest.raises(CardError, match=r"card.*code 270"):
        Card.from_code(270)


def test_card_sets_support_set_operations() -> None:
    """Union, intersection, difference, subset and count, with copies."""
    cards, other = CardSet("6c 6c 7c"), CardSet("6c 8c")
    assert (str(cards | other), str(cards & other), str(cards - other)) == ("6c 6c 7c 8c", "6c", "6c 7c")
    assert (cards.count("6c"), cards.count("9c"), len(cards), bool(CardSet())) == (2, 0, 3, False)
    assert CardSet("6c") <= other
    assert not cards <= other
    assert ("6c" in other, Card("9c") in other, 7 in other) == (True, False, False)
    with pytest.raises(CardError, match="more than twice"):
        CardSet("6c 6c 6c")


def test_all_errors_have_one_base_class() -> None:
    """Every error of the package is a DurakError, and a ValueError."""
    for error in (CardError, RulesError, PositionError, GameTextError, IllegalMove):
        assert issubclass(error, DurakError)
        assert issubclass(error, ValueError)


def test_a_view_has_no_reference_to_hidden_cards() -> None:
    """No state or game can be reached from a view."""
    seen, queue = set(), [played(Rules.preset("poker", players=3), 4, 25).view(1)]
    while queue:
        thing = queue.pop()
        if id(thing) in seen or isinstance(thing, (type, Rules, str, int)):
            continue
        seen.add(id(thing))
        assert type(thing).__name__ not in {"State", "Game"}
        if isinstance(thing, (tuple, list)):
            queue += thing
        elif isinstance(thing, dict):
            queue += [*thing, *thing.values()]
        elif isinstance(thing, Observation):
            queue.append(thing._data)


def test_rules_explain_themselves_as_text_and_table() -> None:
    """Differences from the plain game come first and are marked; a notebook shows a table."""
    explanation = Rules.preset("weli", players=3).explain()
    assert explanation.startswith(f"Weli. {Rules.presets()['weli']}\n\n{english_text('rules.unlike')}\n- players: 3 players.\n- weli: ")
    html = explanation._repr_html_()
    assert html.index("weli=") < html.index("teams=")
    assert html.count("<th ") == 3
    assert "\n- passport: " in explanation.partition(english_text("rules.idle"))[2]
    assert Rules().explain().startswith("Podkidnoy. ")
    assert english_text("rules.unlike") not in Rules().explain()
    for name in Rules.presets():
        assert "{" not in Rules.preset(name).explain()


def test_a_preset_for_two_with_more_players_is_a_mix() -> None:
    """The econ431 game for three is not a preset, and its text parses to the same rules."""
    rules = Rules.preset("econ431").replace(players=3)
    assert rules.name is None
    assert Rules.parse(str(rules)) == rules
    assert Game.parse(str(Game(rules, seed=1))).rules == rules


def test_a_shallow_copy_is_independent() -> None:
    """`copy.copy` shares nothing that a move changes."""
    game = played(Rules(), 4, 9)
    game.undo()
    other, before = copy.copy(game), str(game)
    other.play(other.legal_moves()[-1])
    assert str(game) == before
    assert game.redo() in game.moves


def test_returned_values_cannot_change_a_game() -> None:
    """Cards, moves, sets and the ends of bouts cannot be changed; a state is a copy."""
    game = played(Rules(), 4, 40)
    before = snapshot(game.state)
    for thing, name in ((Card("8c"), "rank"), (Move("take"), "kind"), (CardSet("7c"), "mask")):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(thing, name, "A")
    end = game.view(0).bout_ends[0]
    assert hash(end) == hash(game.view(0).bout_ends[0])
    assert str(end.table)
    state = game.state
    state.hands[0] = state.publicly_seen[0] = 0
    state.bout_ends.clear()
    state.attacks.append(0)
    with pytest.raises(TypeError):
        state.beater_masks[0] = 0
    assert snapshot(game.state) == before


def test_cards_are_ordered_only_with_cards() -> None:
    """Cards compare with cards, and refuse to compare with anything else."""
    assert Card("6c") < Card("7c") <= Card("7c")
    assert not Card("7c") <= Card("6c")
    with pytest.raises(TypeError):
        _ = Card("7c") < 5
    with pytest.raises(TypeError):
        _ = Card("7c") <= 5


def test_a_move_with_a_wrong_number_of_cards_is_refused() -> None:
    """It is unreadable however it is created. A move with cards of several ranks is cached only for a while."""
    for make in (lambda: Move.from_cards("throw"), lambda: Move.from_cards("beat", Card("7c")), lambda: Move("attack " + "7c " * 9)):
        with pytest.raises(IllegalMove) as caught:
            make()
        assert caught.value.code == "unreadable"
    assert Move.from_cards("attack", Card("7d"), Card("7c")) is Move("attack 7c 7d")
    assert Move("attack 7c 8c") is Move("attack 8c 7c")


def test_a_card_in_a_chosen_suit_is_in_no_card_set() -> None:
    """A hand contains the card in its own suit, also with two copies."""
    for hand in (CardSet("6d"), CardSet("6d 6d")):
        for text in ("6d=c", "6d=h", "6d=s"):
            assert Card(text) not in hand
            assert hand.count(text) == 0
