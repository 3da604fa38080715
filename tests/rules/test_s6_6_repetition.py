"""Rule book §6.6: a repeated position is a draw."""

from durak_widget import Game, Rules
from support.rule_examples import everything, hands, play

ROUND = (
    "0 attack 7c; 1 take; 2 attack 9s; 0 take; 1 attack 8d; 2 take; "
    "0 attack 9s; 1 take; 2 attack 8d; 0 take; 1 attack 7c; 2 take; "
    "0 attack 8d; 1 take; 2 attack 7c; 0 take; 1 attack 9s; 2 take"
)
"""Nine bouts, all taken, in which three cards wander through three hands and come home."""


def three_way_repetition_game(**options):
    """Return a game: three seats, each with an ace and a card to give away; no talon, hearts as trumps."""
    return Game.from_position(Rules(players=3, **options), hands=["7c Ah", "8d Ad", "9s As"], trump="h")


def test_the_cards_return_to_the_starting_position():
    """After nine takes the hands and the attacker are as at the start, §6.6."""
    game = three_way_repetition_game()
    before = hands(game)
    play(game, ROUND)
    assert (hands(game), game.attacker, game.outcome, game.bout) == (before, 0, None, 11)


def test_a_position_that_occurs_a_third_time_is_a_draw():
    """At the start, after one round, after two rounds: the game is a draw, §6.6."""
    game = three_way_repetition_game()
    cards = everything(game)
    play(game, ROUND)
    assert game.outcome is None
    play(game, ROUND)
    assert game.outcome == ((), (), None, (), 0, (0, 0, 0))
    assert (game.actor, game.legal_moves(), everything(game)) == (None, (), cards)


def test_the_repetition_option_sets_the_number_of_times():
    """At the `repetition`-th time the game is a draw; the first occurrence counts, §6.6."""
    for times in (2, 4):
        game = three_way_repetition_game(repetition=times)
        for _ in range(times - 2):
            play(game, ROUND)
        assert game.outcome is None
        play(game, ROUND)
        assert game.outcome is not None
        assert game.outcome.winners == game.outcome.losers == ()


def test_without_repetition_the_game_goes_on():
    """With `None`, positions may repeat without end, §6.6."""
    game = three_way_repetition_game(repetition=None)
    for _ in range(4):
        play(game, ROUND)
    assert (game.outcome, game.bout) == (None, 38)


def test_the_same_hands_with_another_attacker_are_another_position():
    """The same hands are a repetition only if the attacker is the same, §6.6."""
    rules = Rules(transfer=True, passport=True, throw_in_after_take=False, repetition=2)
    game = Game.from_position(rules, hands=["7c 8h Kc", "8d 7h Kd"], trump="h")
    before = hands(game)
    play(game, "0 attack 7c; 1 show 7h; 0 take")
    assert (hands(game), game.attacker, game.outcome) == (before, 1, None)
    play(game, "1 attack 8d; 0 show 8h; 1 take")
    assert (hands(game), game.outcome.fool, game.outcome.winners) == (before, None, ())


def test_a_discard_restarts_the_count():
    """Two occurrences before a discard do not count towards those after it, §6.6."""
    rules = Rules(transfer=True, passport=True, throw_in_after_take=False, repetition=3)
    game = Game.from_position(rules, hands=["7c 8h Kc Qc", "8d 7h Kd Ac"], trump="h")
    play(game, "0 attack 7c; 1 show 7h; 0 take; 1 attack 8d; 0 show 8h; 1 take; 0 attack Qc; 1 beat Qc Ac")
    round_again = "1 attack 8d; 0 show 8h; 1 take; 0 attack 7c; 1 show 7h; 0 take"
    play(game, round_again)
    assert game.outcome is None
    play(game, round_again)
    assert game.outcome == ((), (), None, (), 0, (0, 0))


def test_drawing_a_card_restarts_the_count():
    """The position with the drawn card occurs for the first time; its second occurrence is the draw, §6.6."""
    rules = Rules(transfer=True, passport=True, throw_in_after_take=False, repetition=2, hand_size=3)
    game = Game.from_position(rules, hands=["7c 8h", "8d 7h Kd"], trump="h", talon="9c")
    play(game, "0 attack 7c; 1 show 7h; 0 take")
    assert (hands(game), game.attacker) == (["7c 9c 8h", "8d Kd 7h"], 1)
    play(game, "1 attack 8d; 0 show 8h; 1 take; 0 attack 7c; 1 show 7h")
    assert game.outcome is None
    play(game, "0 take")
    assert game.outcome == ((), (), None, (), 0, (0, 0))


def test_used_swaps_make_another_position():
    """The same hands with fewer swaps left are not a repetition, §6.6."""
    rules = Rules(trump="h", transfer=True, passport=True, swaps=2, hand_size=1, throw_in_after_take=False, repetition=2)
    game = Game.from_position(rules, hands=["7c 8h Kc Ks", "8d 7h"], talon="Qc Qs")
    before = hands(game)
    play(game, "0 swap Kc Ks; 0 attack 7c; 1 show 7h; 0 take; 1 attack 8d; 0 show 8h; 1 take")
    play(game, "0 swap Qc Qs; 0 attack 7c; 1 show 7h; 0 take; 1 attack 8d; 0 show 8h; 1 take")
    assert (hands(game), game.attacker, game.swap_counts, game.outcome) == (before, 0, (2, 0), None)
    play(game, "0 attack 7c; 1 show 7h; 0 take")
    assert game.outcome is not None
    assert game.outcome.fool is None


def test_copies_do_not_make_positions_differ():
    """With two decks equal hands are equal, whichever copy came back to which seat, §2, §6.6."""
    rules = Rules(decks=2, transfer=True, passport=True, throw_in_after_take=False, repetition=2)
    game = Game.from_position(rules, hands=["7c 8h Kc Ks", "7c 8d Kd Kh"], trump="h")
    before = hands(game)
    play(game, "0 attack 7c; 1 transfer 7c; 0 take; 1 attack 8d; 0 show 8h; 1 take; 0 attack 7c")
    assert game.outcome is None
    play(game, "1 take")
    assert (hands(game), game.outcome) == (before, ((), (), None, (), 0, (0, 0)))
