"""Rule book §10: what a seat sees, what it remembers, and what stays hidden."""

from durak_widget import Game, Rules
from support.rule_examples import course, known, lying, play, stacked

THREE = ["7c 7s Kc", "8c 9h Ah", "7d 8h Qd"]


def position_game(hands=THREE, *, trump="s", **options):
    """Return a game with spades as trumps and no talon."""
    return Game.from_position(Rules(players=len(hands), **options), hands=hands, trump=trump)


# Visible facts


def test_a_seat_sees_its_own_hand_and_the_sizes_of_the_others():
    """It sees its hand, and how many cards every hand has, §10."""
    game = play(position_game(), "0 attack 7c")
    assert [str(game.view(seat).hand) for seat in range(3)] == ["Kc 7s", "8c 9h Ah", "7d Qd 8h"]
    assert [game.view(seat).counts for seat in range(3)] == [(2, 3, 3)] * 3


def test_a_seat_sees_the_table_the_piles_and_the_trump():
    """It sees the table, the size of talon and discard pile, the turn-up and the trump suit, §10."""
    rules = Rules(hand_size=2)
    game = Game.from_position(rules, hands=["7c 7d", "8c 9d"], trump="h", talon="Ts Js Qs 6h", turn_up="6h", discard="6c 6d 6s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    view = game.view(1)
    assert (str(view.table), view.talon_count, view.discard_count) == ("7c/8c", 4, 3)
    assert (str(view.turn_up), view.trump, view.bout, view.limit) == ("6h", "h", 2, 2)


def test_a_seat_sees_whose_turn_it_is_and_the_roles():
    """It sees who is to act, attacks, defends, throws in, takes, waits or is out, §10."""
    game = position_game([*THREE, ""])
    assert [game.view(seat).role for seat in range(4)] == ["attacks", "defends", "waits", "out"]
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass")
    assert {game.view(seat).actor for seat in range(4)} == {2}
    assert [game.view(seat).role for seat in range(4)] == ["attacks", "defends", "throws in", "out"]
    play(game, "2 throw 7d; 1 take")
    assert [game.view(3).role_of(seat) for seat in range(4)] == ["attacks", "takes", "waits", "out"]
    assert game.view(2).taking


def test_a_seat_sees_the_whole_history():
    """It sees who played which card, who passed and who took, §10."""
    game = play(position_game(), "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 throw 7d; 1 take; 0 pass; 2 pass")
    seen = ["0 attack 7c", "1 beat 7c 8c", "0 pass", "2 throw 7d", "1 take", "0 pass", "2 pass"]
    assert [course(game.view(seat)) for seat in range(3)] == [seen] * 3


def test_a_seat_sees_how_bouts_ended_and_how_many_cards_were_drawn():
    """It sees who took which cards, and how many cards each drew, §10."""
    game = Game.from_position(Rules(hand_size=2), hands=["7c 7d", "8c 9d"], trump="h", talon="Ts Js Qs 6h", turn_up="6h")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 throw 7d; 1 take")
    (end,) = game.view(0).bout_ends
    assert (end.attacker, end.defender, end.taken, str(end.table), end.draw_counts) == (0, 1, True, "7c/8c 7d", ((0, 2),))


def test_a_seat_sees_who_has_passed_and_who_is_out():
    """It sees the valid passes, the seats in the game, and the places of the others, §10."""
    game = play(position_game(["7c 7s", "8c 9h Ah", "7d", "Qd Qh"]), "0 attack 7c; 1 beat 7c 8c; 0 pass")
    assert [game.view(seat).passed for seat in range(4)] == [(0,)] * 4
    play(game, "2 throw 7d; 1 take; 0 throw 7s")
    view = game.view(1)
    assert (view.seats_in, view.places, view.passed) == ((1, 3), (2, 0), ())


def test_only_the_seat_to_act_sees_its_legal_moves():
    """The legal moves of a seat give away its hand, so no other seat sees them, §10."""
    game = play(position_game(), "0 attack 7c")
    assert [[str(move) for move in game.view(seat).legal_moves()] for seat in range(3)] == [[], ["beat 7c 8c", "take"], []]


def test_everybody_sees_the_outcome():
    """When the game is over all see how, §6.7, §10."""
    game = play(position_game(["7c", "8d Kd", ""]), "0 attack 7c; 1 take")
    assert {game.view(seat).outcome for seat in range(3)} == {game.outcome}
    assert game.view(0).actor is None


# Hidden facts


def test_games_that_differ_only_in_hidden_cards_look_alike():
    """Other hands, the order of the talon and the hidden trump do not change what a seat sees, §10."""
    for options, top, bottom, other_bottom in (
        # another hidden trump
        ({"hidden_trump": True}, "", "Th Ks", "Th 7d"),
        # another talon under the turn-up
        ({"turn_up": "top"}, "Th", "Ks", "7d"),
        # another talon above the turn-up
        ({"turn_up": "bottom"}, "", "Ks Th", "7d Th"),
        # another talon beside the turn-up
        ({"turn_up": "aside"}, "", "Ks Th", "7d Th"),
        # another talon without a turn-up
        ({"trump": "h"}, "", "Ks", "7d"),
    ):
        rules = Rules(players=3, first_attacker="left_of_dealer", **options)
        mine = "6c 7c 8c 9c Tc 9h"
        theirs, others = ["6d 7h 8d 9d Td Jd", "6h Js 8h Jh Qh Kh"], ["6s 7h 8s 9s Ts Js", "Qd Kd Ad 6h Jd Jc"]
        game = Game(rules, deck=stacked(rules, hands=[mine, *theirs], top=top, bottom=bottom, dealer=2), dealer=2)
        other = Game(rules, deck=stacked(rules, hands=[mine, *others], top=top, bottom=other_bottom, dealer=2), dealer=2)
        for line in ["", "0 attack 9h"]:
            if line:
                play(game, line)
                play(other, line)
            assert game.view(0) == other.view(0)
            assert hash(game.view(0)) == hash(other.view(0))
            assert game.view(0, memory=False) == other.view(0, memory=False)
            assert game.view(1) != other.view(1)


def test_nobody_sees_the_hidden_trump():
    """No seat can say where this card is, §4.3, §10."""
    rules = Rules.preset("changeable_trump")
    game = Game(rules, deck=stacked(rules, hands=["6c 7c 8c 9c Tc Jc", "6d 7d 8d 9d Td Jd"], bottom="9h Ks"))
    for seat in range(2):
        view = game.view(seat)
        assert "Ks" in view.memory.unseen
        assert "9h" not in view.memory.unseen
        assert lying(view) == [(22, "9h")]


def test_a_view_does_not_change_with_later_play():
    """A view shows its moment; later moves do not change it, §10."""
    game = position_game()
    before, again = game.view(2), game.view(2)
    play(game, "0 attack 7c; 1 take; 0 pass; 2 throw 7d")
    assert before == again
    assert before != game.view(2)
    assert str(before.hand) == "7d Qd 8h"


def test_views_of_different_seats_differ():
    """Each seat sees its own, §10."""
    game = position_game()
    assert len({game.view(seat) for seat in range(3)}) == 3


# Covered views


def test_a_covered_view_shows_the_open_cards():
    """Without the hand one still sees the table, the piles, the numbers, the roles and the history, §10."""
    game = Game.from_position(Rules(hand_size=2), hands=["7c 7d", "8c 9d"], trump="h", talon="Ts Js Qs 6h", turn_up="6h", discard="6c 6d")
    play(game, "0 attack 7c; 1 take; 0 throw 7d; 0 attack Ts")
    view = game.view(1)
    covered = view.without_hand()
    for what in ("seat", "rules", "counts", "table", "trump", "turn_up", "talon_count", "discard_count", "attacker", "defender", "actor"):
        assert getattr(covered, what) == getattr(view, what)
    for what in (
        "limit",
        "bout",
        "ply",
        "taking",
        "passed",
        "seats_in",
        "places",
        "swap_counts",
        "shown_trumps",
        "outcome",
        "role",
        "history",
        "bout_ends",
    ):
        assert getattr(covered, what) == getattr(view, what)


def test_a_covered_view_shows_nothing_of_the_hand():
    """It has no card of the hand, no legal move and no memory; only the number of cards, §10."""
    game = play(position_game(), "0 attack 7c")
    view = game.view(1)
    covered = view.without_hand()
    assert (view.is_hand_hidden, covered.is_hand_hidden) == (False, True)
    assert (str(view.hand), str(covered.hand), covered.counts[1]) == ("8c 9h Ah", "", 3)
    assert (covered.legal_moves(), covered.memory) == ((), None)
    assert not any(card in repr(covered) for card in ("8c", "9h", "Ah"))
    assert covered == covered.without_hand() == game.view(1, memory=False).without_hand() != view


def test_an_empty_hand_may_be_covered_too():
    """A covered view is not the open view of a seat without cards, §10."""
    game = position_game([*THREE, ""])
    assert game.view(3, memory=False) != game.view(3).without_hand()


# Memory


def test_with_a_perfect_memory_every_discarded_card_is_named():
    """Everybody in the game saw the discarded cards, §10."""
    game = play(position_game(), "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 pass")
    assert [str(game.view(seat).memory.discarded) for seat in range(3)] == ["7c 8c"] * 3


def test_with_a_perfect_memory_cards_picked_up_in_sight_are_named():
    """Everybody knows which cards the defender has picked up, §10."""
    game = play(position_game(), "0 attack 7c; 1 beat 7c 8c; 0 throw 7s; 1 take; 2 pass")
    assert known(game.view(0)) == ["Kc", "7c 8c 7s", ""]
    assert known(game.view(1)) == ["", "7c 8c 9h Ah 7s", ""]
    assert known(game.view(2)) == ["", "7c 8c 7s", "7d Qd 8h"]


def test_a_known_card_that_is_played_is_no_longer_known_in_the_hand():
    """A card that has left a hand is not in it, §10."""
    game = play(position_game(["7c Kc Jh", "8d 9h Ah", "Qh Td 6h"]), "0 attack 7c; 1 take; 2 attack Qh; 0 take; 1 attack 7c; 2 take")
    assert known(game.view(0)) == ["Kc Jh Qh", "", "7c"]


def test_the_turn_up_is_known_in_the_hand_that_drew_it():
    """Everybody saw it lie there and saw who drew it, §10."""
    game = Game.from_position(Rules(hand_size=2), hands=["7c 7d", "8c 9d"], trump="h", talon="Ts 6h", turn_up="6h")
    play(game, "0 attack 7c; 1 beat 7c 8c; 0 pass")
    assert (known(game.view(0)), known(game.view(1))) == (["7d Ts", "6h"], ["", "9d 6h"])


def test_the_turn_up_in_the_talon_is_known():
    """It lies face up at the bottom, or on top, §10."""
    bottom = Game(Rules(), seed=3)
    assert lying(bottom.view(0)) == [(23, str(bottom.turn_up))]
    top = Game(Rules.preset("albanian"), seed=3)
    assert lying(top.view(1)) == [(0, str(top.turn_up))]


def test_all_other_cards_are_unseen():
    """At the start a seat knows its hand and the turn-up, and cannot locate the other cards, §10."""
    for options, unseen in (
        ({}, 36 - 6 - 1),
        ({"turn_up": "aside"}, 36 - 6 - 1),
        ({"trump": "h"}, 36 - 6),
        ({"deal": "all_but_one"}, 36 - 18 - 1),
        ({"deal": "all_but_one", "trump": "none"}, 36 - 18),
        ({"decks": 2}, 72 - 6 - 1),
    ):
        game = Game(Rules(**options), seed=2, dealer=0)
        view = game.view(1)
        assert len(view.memory.unseen) == unseen
        assert not any(card in view.memory.unseen for card in view.hand) or "decks" in options
        assert sum(len(cards) for cards in view.memory.known) == len(view.hand)


def test_a_card_once_seen_is_no_longer_unseen():
    """Cards on the table, discarded or picked up in sight can be located, §10."""
    game = play(position_game(), "0 attack 7c; 1 beat 7c 8c; 0 throw 7s")
    view = game.view(2)
    assert not any(card in view.memory.unseen for card in ["7c", "8c", "7s", "7d", "8h", "Qd"])
    assert len(view.memory.unseen) == 36 - 6
    play(game, "1 take; 2 pass")
    assert len(game.view(2).memory.unseen) == 36 - 6


def test_a_dealt_card_that_showed_the_trump_is_known():
    """If all cards are dealt, everybody saw the last, §4.2, §10."""
    game = Game(Rules(players=3, deal="all"), seed=1, dealer=0)
    holder = 0
    (card,) = game.view(1).memory.known[holder]
    assert (card.suit, card in game.hands[holder]) == (game.trump, True)


def test_the_memory_may_be_switched_off():
    """Without it a seat remembers only the open cards; the view still has the history, §10."""
    game = play(position_game(), "0 attack 7c; 1 beat 7c 8c; 0 throw 7s; 1 take; 2 pass")
    view = game.view(0, memory=False)
    assert view.memory is None
    assert (str(view.hand), view.counts, view.discard_count) == ("Kc", (1, 5, 3), 0)
    assert course(view) == course(game.view(0))
    assert view != game.view(0)


def test_without_memory_the_discard_pile_is_a_number():
    """The view gives the size of the pile and nothing else, §10."""
    game = play(position_game(), "0 attack 7c; 1 beat 7c 8c; 0 pass; 2 pass")
    view = game.view(2, memory=False)
    assert (view.discard_count, view.memory) == (2, None)


# Copies


def test_after_one_of_two_copies_is_played_the_other_is_uncertain():
    """Seat 1 picked up a seven of clubs and had another: once it has played one, nobody is sure of a second, §2, §10."""
    game = position_game(["7c Kc Qc", "7c 8d 9d", "Jh Qh 6d"], decks=2)
    play(game, "0 attack 7c; 1 take")
    assert (known(game.view(0))[1], known(game.view(2))[1]) == ("7c", "7c")
    play(game, "2 attack Jh; 0 take; 1 attack 7c; 2 take; 1 pass")
    assert str(game.hands[1]) == "7c 8d 9d"
    assert known(game.view(0)) == ["Qc Kc Jh", "", "7c"]
    assert known(game.view(2))[1] == ""


def test_if_both_copies_were_picked_up_in_sight_one_stays_known():
    """Both were seen; one has been played, so the other is still in the hand, §2, §10."""
    game = position_game(["7c 7c Kc Qc", "8c 8d 9d", "Jh Qh 6d"], decks=2)
    play(game, "0 attack 7c; 1 take; 0 throw 7c")
    assert known(game.view(2))[1] == "7c 7c"
    play(game, "2 attack Jh; 0 take; 1 attack 7c")
    assert (known(game.view(0))[1], known(game.view(2))[1]) == ("7c", "7c")
