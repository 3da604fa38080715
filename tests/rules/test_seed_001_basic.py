"""Played examples for the source text 001, rules for playing Durak."""

from durak_widget import Match, Rules
from support.rule_examples import hands, legal, placed, play


def test_basic_beating():
    """001: "a trump 6 beats a non-trump ace"; a higher card of the suit or a trump; trumps by higher trumps only."""
    for attack, held, moves in (
        ("Ac", "Kc 6s", "beat Ac 6s; take"),
        ("9c", "8c Tc 6s", "beat 9c Tc; beat 9c 6s; take"),
        ("9s", "Ac 8s Ts", "beat 9s Ts; take"),
    ):
        game = placed("basic", [f"{attack} Kd", held])
        play(game, f"0 attack {attack}")
        assert legal(game) == moves


def test_basic_pitching_in():
    """001: "the attacker or any third party in line can pitch in extra attacking cards", at any point of a defence."""
    game = placed("basic", ["7c Kc Qc", "8c 9d Ah", "7h 8h Qh"])
    play(game, "0 attack 7c; 2 pass; 1 beat 7c 8c")
    assert (game.actor, legal(game)) == (2, "throw 7h; throw 8h; pass")


def test_basic_abandoning_the_defence():
    """001: the defender picks up all, pitched cards too; "This immediately ends the turn", and the left attacks next."""
    game = placed("basic", ["7c 7d Kc", "8c 9d Ah", "7h Kh Qh"])
    play(game, "0 attack 7c; 0 pass; 2 throw 7h; 0 pass; 1 beat 7c 8c; 0 pass; 1 take")
    assert (hands(game)[1], game.attacker) == ("7c 8c 9d 7h Ah", 2)


def test_basic_the_attacker_may_draw_the_entire_deck():
    """001: six cards left and the attacker's hand spent: "they draw the entire deck and no one else draws any cards"."""
    game = placed("basic", ["7c 7d", "8c 8d Kd Kh"], talon="6h 6d 9d 9h Th 6s", turn_up="6s")
    play(game, "0 attack 7c; 0 throw 7d; 1 beat 7c 8c; 1 beat 7d 8d")
    assert hands(game) == ["6d 9d 6h 9h Th 6s", "Kd Kh"]


def test_basic_the_last_card_is_a_trump():
    """001: "the last card in the deck is by definition a trump", and goes to whoever draws last."""
    game = placed(Rules.preset("basic", hand_size=2), ["7c 9d", "8c Kd"], talon="6h 6s", turn_up="6s")
    play(game, "0 attack 7c; 1 beat 7c 8c")
    assert hands(game) == ["9d 6h", "Kd 6s"]


def test_basic_play_carries_on_without_drawing():
    """001: "When the deck runs out of cards, play simply carries on"; who runs out is done, the others continue."""
    game = placed("basic", ["7c", "8d Kd", "9h Th"])
    play(game, "0 attack 7c; 1 take")
    assert (game.places, game.actor, game.outcome) == ((0,), 2, None)


def test_basic_the_fool_deals():
    """001: "That person is the dealer for the next game, and the person to the fool's right is the first attacker"."""
    match = Match(Rules.preset("basic", players=4), seed=4)
    match._game = play(placed("basic", ["", "7c", "8d Kd", ""], attacker=1), "1 attack 7c; 2 take")
    assert (match.next_game().attacker, match.dealer) == (1, 2)
