"""Rule book §5.6: transferring the attack by showing the trump of its rank."""

from durak_widget import Game, Rules
from support.rule_examples import hands, legal, play

THREE = ["7c Kc Qc", "7h 8d 9c", "8c 8h 9h"]
"""Three hands with hearts as trumps; the next after the attacker holds the trump seven."""


def passport_game(hands=THREE, *, bout=2, **options):
    """Return a game with hearts as trumps under `passport` with these options."""
    rules = Rules(players=len(hands), transfer=True, passport=True, **options)
    return Game.from_position(rules, hands=hands, trump="h", bout=bout)


def test_the_trump_of_the_rank_may_be_played_or_shown():
    """Both are listed, the transfer first, §5.6, §9."""
    game = play(passport_game(), "0 attack 7c")
    assert legal(game) == "beat 7c 9c; beat 7c 7h; transfer 7h; show 7h; take"


def test_a_card_shown_stays_in_the_hand():
    """No card is added, and the next seat has to beat the attack, §5.6."""
    game = play(passport_game(), "0 attack 7c; 1 show 7h")
    assert (str(game.table), hands(game)[1]) == ("7c", "9c 8d 7h")
    assert (game.attacker, game.defender, game.actor, game.limit) == (1, 2, 2, 3)


def test_a_card_of_the_rank_that_is_not_a_trump_is_not_shown():
    """Only the trump of the rank is shown; others are played, §5.6."""
    game = play(passport_game(["7c Kc Qc", "7s 8d 9c", "8c 8h 9h"]), "0 attack 7c")
    assert legal(game) == "beat 7c 9c; transfer 7s; take"


def test_a_trump_of_another_rank_is_not_shown():
    """Only a card of the attack's rank transfers it, §5.6."""
    game = play(passport_game(["7c Kc Qc", "8h 8d 9c", "8c Th 9h"]), "0 attack 7c")
    assert legal(game) == "beat 7c 9c; beat 7c 8h; take"


def test_without_passport_nothing_is_shown():
    """With `transfer` alone the card is always played, §5.6."""
    game = Game.from_position(Rules(players=3, transfer=True), hands=THREE, trump="h")
    play(game, "0 attack 7c")
    assert legal(game) == "beat 7c 9c; beat 7c 7h; transfer 7h; take"


def test_the_card_shown_does_not_count_against_the_next_hand():
    """One attacking card and one card in the hand: a transfer is too many, a show is not, §5.6."""
    game = play(passport_game(["7c Kc Qc", "7h 8d 9c", "8c"]), "0 attack 7c")
    assert legal(game) == "beat 7c 9c; beat 7c 7h; show 7h; take"


def test_the_cards_on_the_table_count_against_the_next_hand():
    """Two attacking cards cannot be transferred by a show to a hand of one card, §5.6."""
    game = play(passport_game(["7c 7d Kc", "7h 8d 9c", "8c"], opening="same_rank"), "0 attack 7c 7d")
    assert "show" not in legal(game)


def test_the_limit_does_not_count_the_card_shown():
    """With `attack_limit=1` an attack can be transferred by a show, but not by a card, §5.6."""
    for limit, moves in ((1, "beat 7c 9c; beat 7c 7h; show 7h; take"), (2, "beat 7c 9c; beat 7c 7h; transfer 7h; show 7h; take")):
        assert legal(play(passport_game(attack_limit=limit), "0 attack 7c")) == moves


def test_no_show_goes_to_an_empty_hand():
    """With two players, a show is not allowed against an attacker who played its last card, §5.5, §5.6."""
    game = play(passport_game(["7c", "7h 8d 9c"]), "0 attack 7c")
    assert legal(game) == "beat 7c 9c; beat 7c 7h; take"


def test_a_first_bout_without_transfers_is_without_shows():
    """`transfer_first_bout` applies to shows too, §5.6."""
    for bout, allowed in ((1, False), (2, True)):
        game = play(passport_game(bout=bout, transfer_first_bout=False), "0 attack 7c")
        assert ("show 7h" in legal(game)) == allowed


def test_after_a_beating_card_nothing_is_shown():
    """A show, like a transfer, comes before any beating, §5.6."""
    game = play(passport_game(["7c 7d Kc", "7h 8d 9c", "8c 8h Th"], opening="same_rank"), "0 attack 7c 7d; 1 beat 7c 9c")
    assert legal(game) == "beat 7d 8d; beat 7d 7h; take"


def test_a_card_shown_may_beat_but_not_transfer_again():
    """When the attack comes back, the card shown beats; it is neither shown nor played to transfer, §5.6."""
    game = play(passport_game(["7c 7d Kc", "7h 8d 9c"]), "0 attack 7c; 1 show 7h; 0 transfer 7d")
    assert (game.actor, str(game.table)) == (1, "7c 7d")
    assert legal(game) == "beat 7c 9c; beat 7c 7h; beat 7d 8d; beat 7d 7h; take"
    play(game, "1 beat 7d 7h; 1 beat 7c 9c")
    assert str(game.discard) == "7c 9c 7d 7h"


def test_another_card_of_the_rank_may_transfer_after_a_show():
    """Only the card shown is barred, §5.5, §5.6."""
    game = play(passport_game(["7c 7d Kc 8s 9s", "7h 7s 8d 9c"]), "0 attack 7c; 1 show 7h; 0 transfer 7d")
    passing_on = [move for move in legal(game).split("; ") if move.startswith(("transfer", "show"))]
    assert passing_on == ["transfer 7s"]


def test_a_card_shown_may_be_thrown_in():
    """Shown or not, the card stays in the hand and may be thrown in by its holder, §5.6."""
    game = play(passport_game(["7c 8s Kc", "7h 8d 9c", "8c 8h 9h"]), "0 attack 7c; 1 show 7h; 2 beat 7c 8c")
    assert (game.actor, legal(game)) == (1, "throw 8d; throw 7h; pass")


def test_a_show_counts_for_one_bout():
    """In the next bout that it defends, the same card may be shown again, §5.6."""
    game = passport_game(["7c 7d Kc 8h", "7h 8d 9c Ts"])
    play(game, "0 attack 7c; 1 show 7h; 0 take; 1 pass")
    play(game, "1 attack 8d; 0 show 8h; 1 take; 0 pass")
    play(game, "0 attack 7d")
    assert "show 7h" in legal(game)


def test_another_seat_may_show_the_other_copy():
    """Each seat is limited by its own shows; with two decks both have the trump, §5.6."""
    rules = Rules(players=2, transfer=True, passport=True, decks=2)
    game = Game.from_position(rules, hands=["7c 7h Kc", "7h 8d 9c"], trump="h")
    play(game, "0 attack 7c; 1 show 7h")
    assert legal(game) == "beat 7c Kc; beat 7c 7h; transfer 7h; show 7h; take"
    play(game, "0 show 7h")
    assert (game.attacker, game.defender, legal(game)) == (0, 1, "beat 7c 9c; beat 7c 7h; take")


def test_a_show_of_one_copy_bars_both():
    """A move names a face: the face has been shown, §2, §5.6."""
    rules = Rules(players=2, transfer=True, passport=True, decks=2)
    game = Game.from_position(rules, hands=["7c 7d Kc", "7h 7h 8d 9c"], trump="h")
    play(game, "0 attack 7c; 1 show 7h; 0 transfer 7d")
    assert legal(game) == "beat 7c 9c; beat 7c 7h; beat 7d 8d; beat 7d 7h; take"


def test_everybody_sees_a_card_that_was_shown():
    """A card shown is face up: all know that its holder has it, §10."""
    game = play(passport_game(), "0 attack 7c; 1 show 7h")
    assert [str(game.view(seat).memory.known[1]) for seat in (0, 2)] == ["7h", "7h"]
    assert [(seat, str(card)) for seat, card in game.view(2).shown_trumps] == [(1, "7h")]
