"""Rule book §11: every kind of refusal has its message and changes nothing."""

import pickle

import pytest

from durak_widget import Game, IllegalMove, Refusal, Rules
from support.rule_examples import legal, play, refused, says
from support.spoken import english, english_text

CODES = {
    "game_over",
    "not_your_turn",
    "not_in_hand",
    "unreadable",
    "open_first",
    "one_card_only",
    "same_rank_only",
    "rank_not_on_table",
    "limit_reached",
    "may_not_throw",
    "too_early_to_throw",
    "not_on_table",
    "already_beaten",
    "too_low",
    "wrong_suit",
    "only_spades_beat_spades",
    "nothing_beats_joker",
    "joker_wrong_colour",
    "transfer_not_played",
    "transfer_after_beating",
    "transfer_rank",
    "transfer_too_many",
    "transfer_first_bout",
    "already_shown",
    "not_the_trump",
    "nothing_to_take",
    "swap_not_played",
    "swap_used_up",
    "swap_talon",
    "suit_not_yours_to_choose",
}
"""The codes of §11."""

PLAIN = (Rules(), ["7c 7d 8h Kc", "6c 8c 9d 6s"], {"trump": "s"})
"""Two players, spades as trumps."""
SAME_RANK = (Rules(opening="same_rank"), *PLAIN[1:])
PASSPORT = (Rules.preset("passport"), ["7c 7d Kc Qc", "7h 7s 9c 8d"], {"trump": "h"})
"""Two players, hearts as trumps, sevens to pass on and to show."""
THREE = (Rules(players=3, transfer=True), ["7c Kc Qc", "7d 8d 9c", "8h"], {"trump": "s"})
"""Three players, of whom the third holds one card."""
JOKERS = (Rules.preset("full_jokers"), ["Xr 7c 7h", "Xb 8d Ah 9c"], {"trump": "h"})
SPADES = (Rules(spades_by_spades=True, trump="d"), ["9s 7c", "8s 6d Kh"], {})
POKER = (Rules(swaps=1, hand_size=2), ["6c 9c", "7c 9d"], {"trump": "h", "talon": "8d 9h Ts Js Qs Ks 8h", "turn_up": "8h"})
"""Two players with a talon, one swap each."""
WELI = (Rules.preset("weli"), *PLAIN[1:])

EXAMPLES = [
    # the moment
    # game_over
    (
        PLAIN,
        "0 attack 7c; 1 take; 0 pass; 0 attack 8h; 1 take; 0 attack Kc; 1 take; 0 attack 7d; 1 take",
        "attack 7c",
        "game_over",
        [english_text("outcome.fool", who="seat 1")],
    ),
    # not_your_turn: beat while a thrower has the turn
    (PLAIN, "0 attack 7c; 1 beat 7c 8c", "beat 7c 9d", "not_your_turn", ["beat 7c 9d", "seat 0"]),
    # not_your_turn: open an open bout
    (PLAIN, "0 attack 7c", "attack 9d", "not_your_turn", ["9d", "seat 1"]),
    # not_your_turn: a defender passes
    (PLAIN, "0 attack 7c", "pass", "not_your_turn", ["seat 1"]),
    # not_your_turn: beat after the take
    (PLAIN, "0 attack 7c; 1 take", "beat 7c 8c", "not_your_turn", ["seat 1", "seat 0"]),
    # not_your_turn: transfer while a thrower has the turn
    (PASSPORT, "0 attack 7c; 1 beat 7c 9c", "transfer 7d", "not_your_turn", ["transfer 7d", "seat 0"]),
    # not_your_turn: take after the take
    (PLAIN, "0 attack 7c; 1 take", "take", "not_your_turn", ["seat 1", "seat 0"]),
    (POKER, "0 attack 6c", "swap 7c 9d", "not_your_turn", ["swap 7c 9d"]),
    (PLAIN, "", "throw 7c", "open_first", ["seat 0"]),
    (PLAIN, "", "beat 7c 8c", "open_first", ["seat 0"]),
    # open_first: pass
    (PLAIN, "", "pass", "open_first", ["seat 0"]),
    (PASSPORT, "", "transfer 7c", "open_first", ["seat 0"]),
    (PASSPORT, "", "show 7h", "open_first", ["seat 0"]),
    # the text
    # unreadable: no verb
    (PLAIN, "", "hello", "unreadable", ["'hello'"]),
    (PLAIN, "", "", "unreadable", ["''"]),
    # unreadable: a verb with a slip
    (PLAIN, "", "atack 7c", "unreadable", ["'atack 7c'", "attack"]),
    # unreadable: no card
    (PLAIN, "", "attack", "unreadable", ["'attack'", "attack 7c"]),
    # unreadable: no such card
    (PLAIN, "", "attack 7z", "unreadable", ["7z"]),
    # unreadable: half a beat
    (PLAIN, "0 attack 7c", "beat 7c", "unreadable", ["'beat 7c'", "beat 7c 9c"]),
    # unreadable: a card too many
    (PLAIN, "0 attack 7c", "take 7c", "unreadable", ["'take 7c'"]),
    # unreadable: two throws
    (PLAIN, "0 attack 7c", "throw 7d 8h", "unreadable", ["'throw 7d 8h'"]),
    # the hand
    (PLAIN, "", "attack 9h", "not_in_hand", ["9h", "7c Kc 7d 8h"]),
    (PLAIN, "0 attack 7c", "beat 7c Ac", "not_in_hand", ["Ac", "6c 8c 9d 6s"]),
    (PLAIN, "0 attack 7c; 1 beat 7c 8c", "throw 8d", "not_in_hand", ["8d", "Kc 7d 8h"]),
    (PASSPORT, "0 attack 7c", "transfer 7d", "not_in_hand", ["7d"]),
    (POKER, "", "swap 6c 7c", "not_in_hand", ["7c", "6c 9c"]),
    # not_in_hand: one card swapped twice
    (POKER, "", "swap 6c 6c", "not_in_hand", ["6c"]),
    # not_in_hand: one of two
    (SAME_RANK, "", "attack 7c 7h", "not_in_hand", ["7h"]),
    # not_in_hand: one card twice
    (SAME_RANK, "", "attack 7c 7c", "not_in_hand", ["7c"]),
    # opening
    # one_card_only
    (PLAIN, "", "attack 7c 7d", "one_card_only", ["7c and 7d"]),
    # same_rank_only
    (SAME_RANK, "", "attack 7c 8h", "same_rank_only", ["7c and 8h"]),
    ((SAME_RANK[0], ["7c 7d 8h", "6c"], {"trump": "s"}), "", "attack 7c 7d", "limit_reached", ["7c and 7d", "2", "1"]),
    # throwing in
    # rank_not_on_table
    (PLAIN, "0 attack 7c; 1 beat 7c 8c", "throw Kc", "rank_not_on_table", ["Kc", "king", "7 and 8"]),
    # too_early_to_throw
    (PLAIN, "0 attack 7c", "throw 6c", "too_early_to_throw", ["6c", "7c"]),
    # too_early_to_throw: before the first is beaten
    ((Rules(throw_in_when="first_beaten"), *PLAIN[1:]), "0 attack 7c", "throw 6c", "too_early_to_throw", ["6c", "7c"]),
    # may_not_throw: the defender
    ((Rules(throw_in_when="any_time"), *PLAIN[1:]), "0 attack 7c; 0 pass", "throw 8c", "may_not_throw", ["seat 1", "defender"]),
    # beating
    # not_on_table
    (PLAIN, "0 attack 7c", "beat 8h 9d", "not_on_table", ["8h", "7c"]),
    # already_beaten
    (SAME_RANK, "0 attack 7c 7d; 1 beat 7c 8c", "beat 7c 6s", "already_beaten", ["7c", "8c"]),
    # too_low
    (PLAIN, "0 attack 7c", "beat 7c 6c", "too_low", ["6c", "7c"]),
    # wrong_suit
    (PLAIN, "0 attack 7c", "beat 7c 9d", "wrong_suit", ["9d", "7c", "diamonds", "spades"]),
    # wrong_suit: no trumps
    ((Rules(trump="none"), PLAIN[1], {}), "0 attack 7c", "beat 7c 9d", "wrong_suit", ["9d", "7c", english_text("why.trumpless")]),
    # only_spades_beat_spades
    (SPADES, "0 attack 9s", "beat 9s 6d", "only_spades_beat_spades", ["6d", "9s"]),
    # too_low: a lower spade
    (SPADES, "0 attack 9s", "beat 9s 8s", "too_low", ["8s", "9s"]),
    # nothing_beats_joker
    (JOKERS, "0 attack Xr", "beat Xr Ah", "nothing_beats_joker", ["Ah", "Xr"]),
    # joker_wrong_colour
    (JOKERS, "0 attack 7h", "beat 7h Xb", "joker_wrong_colour", ["Xb", "7h", "red"]),
    # wrong_suit: a six declared so
    (WELI, "0 attack 7c", "beat 7c 6s=d", "wrong_suit", ["6s=d", "7c"]),
    # passing on
    # transfer_not_played
    (PLAIN, "0 attack 7c", "transfer 6c", "transfer_not_played", []),
    (THREE, "0 attack 7c", "show 7d", "transfer_not_played", []),
    # transfer_after_beating
    (
        (PASSPORT[0].replace(opening="same_rank"), *PASSPORT[1:]),
        "0 attack 7c 7d; 1 beat 7c 9c",
        "transfer 7s",
        "transfer_after_beating",
        [],
    ),
    ((PASSPORT[0].replace(opening="same_rank"), *PASSPORT[1:]), "0 attack 7c 7d; 1 beat 7c 9c", "show 7h", "transfer_after_beating", []),
    # transfer_rank
    (PASSPORT, "0 attack 7c", "transfer 8d", "transfer_rank", ["8d", "7"]),
    # transfer_too_many
    (THREE, "0 attack 7c", "transfer 7d", "transfer_too_many", ["seat 2", "2 cards", "1"]),
    # transfer_too_many: the limit
    ((THREE[0].replace(attack_limit=1), *THREE[1:]), "0 attack 7c", "transfer 7d", "transfer_too_many", ["seat 2", "1"]),
    ((PASSPORT[0], ["7c", "7h 9c"], {"trump": "h"}), "0 attack 7c", "show 7h", "transfer_too_many", ["seat 0", "1 card", "0"]),
    # transfer_first_bout
    (
        (PASSPORT[0].replace(transfer_first_bout=False), PASSPORT[1], {"trump": "h", "bout": 1}),
        "0 attack 7c",
        "transfer 7s",
        "transfer_first_bout",
        [english("refusal.transfer_first_bout")],
    ),
    (
        (PASSPORT[0].replace(transfer_first_bout=False), PASSPORT[1], {"trump": "h", "bout": 1}),
        "0 attack 7c",
        "show 7h",
        "transfer_first_bout",
        [english("refusal.transfer_first_bout")],
    ),
    (PASSPORT, "0 attack 7c; 1 show 7h; 0 transfer 7d", "show 7h", "already_shown", ["seat 1", "7h"]),
    (PASSPORT, "0 attack 7c; 1 show 7h; 0 transfer 7d", "transfer 7h", "already_shown", ["seat 1", "7h"]),
    # not_the_trump
    (PASSPORT, "0 attack 7c", "show 7s", "not_the_trump", ["7s", "hearts"]),
    # taking
    # nothing_to_take: before the opening
    (PLAIN, "", "take", "nothing_to_take", [english_text("why.nothing_lies")]),
    # nothing_to_take: all beaten
    (PLAIN, "0 attack 7c; 1 beat 7c 8c", "take", "nothing_to_take", [english_text("why.nothing_unbeaten")]),
    # swapping
    # swap_not_played
    (PLAIN, "", "swap 7c 7d", "swap_not_played", ["talon"]),
    # swap_used_up: in this game
    (POKER, "0 swap 6c 9c; 0 attack 8d; 1 take", "swap 9h Ts", "swap_used_up", ["seat 0", "1"]),
    # swap_used_up: before this bout
    ((POKER[0].replace(swaps=3), *POKER[1:]), "0 swap 6c 9c", "swap 8d 9h", "swap_used_up", ["seat 0", english("why.swapped_now")]),
    # swap_talon: one card face down
    ((POKER[0], POKER[1], {"trump": "h", "talon": "8d 8h", "turn_up": "8h"}), "", "swap 6c 9c", "swap_talon", []),
    # swap_talon: no talon
    ((POKER[0], POKER[1], {"trump": "h"}), "", "swap 6c 9c", "swap_talon", []),
    # declaring
    # suit_not_yours_to_choose: no weli
    (PLAIN, "", "attack 7c=h", "suit_not_yours_to_choose", ["7c", "hearts"]),
    # suit_not_yours_to_choose: no six
    (WELI, "", "attack 7c=h", "suit_not_yours_to_choose", ["7c", "hearts"]),
    ((Rules(weli="bells"), *PLAIN[1:]), "0 attack 7c", "beat 7c 6c=s", "suit_not_yours_to_choose", ["6c", "spades"]),
    # suit_not_yours_to_choose: a suit that the deck lacks
    (
        (Rules(weli="sixes", suits="cds"), ["6c Kc", "8c 9d"], {"trump": "s"}),
        "",
        "attack 6c=h",
        "suit_not_yours_to_choose",
        ["6c", "hearts", english_text("why.suit_not_in_deck", suit="hearts")],
    ),
]


def position_game(position):
    """Return a game with these rules and hands, and whatever else the position needs."""
    rules, hands, more = position
    return Game.from_position(rules, hands=hands, **more)


def test_a_refusal_has_its_code_and_names_the_cards():
    """The message says what the rule is, names the cards and has the code of §11; nothing changes."""
    for position, line, move, code, named in EXAMPLES:
        game = position_game(position)
        if line:
            play(game, line)
        error = refused(game, move)
        assert error.code == code
        assert [words for words in named if not says(error, words)] == []


def test_a_refusal_names_the_legal_moves():
    """The message ends with what the seat to act may do, §11."""
    for position, line, move, *_ in [example for example in EXAMPLES if example[3] not in ("game_over", "unreadable")]:
        game = position_game(position)
        if line:
            play(game, line)
        error = refused(game, move)
        assert english("may", who=f"seat {game.actor}", moves=legal(game).split("; ")[0]).search(str(error))


def test_every_refusal_code_has_an_example():
    """Each code of §11 has an example here, and no example has another code."""
    assert {example[3] for example in EXAMPLES} == CODES


def test_a_legal_move_is_not_refused():
    """`why_not` returns None for a legal move, §11."""
    game = position_game(PLAIN)
    assert [game.why_not(move) for move in game.legal_moves()] == [None] * 4
    assert game.why_not("attack 7c", seat=0) is None


def test_a_refusal_is_an_error_and_a_value():
    """`play` raises a ValueError that carries the refusal; `why_not` returns the same value, §11."""
    game = position_game(PLAIN)
    error = refused(game, "attack 9h")
    assert isinstance(error, ValueError)
    assert isinstance(error.refusal, Refusal)
    assert error.refusal == game.why_not("attack 9h")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, str(again)) == (IllegalMove, "not_in_hand", str(error))


def test_play_goes_on_after_a_refusal():
    """After a refused move it is still the seat's turn, and the redo line is kept, §11."""
    game = play(position_game(PLAIN), "0 attack 7c; 1 take")
    game.undo()
    refused(game, "beat 7c 6c")
    assert (game.ply, game.last_ply) == (1, 2)
    game.redo()
    assert game.taking


def test_no_text_breaks_a_game():
    """Every text that is not a move is refused as unreadable, and nothing changes, §11."""
    for text in (
        "attack " + "7c " * 500,
        "x" * 10_000,
        "attack\x007c",
        "attack 7c;attack 7d",
        "BEAT",
        "attack =",
        "attack 6d=",
        "attack Xr=h",
        "attack 7c7d",
    ):
        assert refused(position_game(PLAIN), text).code == "unreadable"


def test_only_a_move_or_a_text_can_be_played():
    """Anything that is not a text or a move is unreadable, §11."""
    for thing in (None, 7, ["attack 7c"], b"attack 7c"):
        game = position_game(PLAIN)
        with pytest.raises(IllegalMove) as caught:
            game.play(thing)
        assert caught.value.code == "unreadable"
        assert game.ply == 0
