"""Rule book §11: a seat out of turn gets a reason, with the code that comes first."""

from durak_widget import Game, Rules
from support.rule_examples import play, says
from support.spoken import english, english_text


def test_a_seat_out_of_turn_gets_a_reason():
    """If a seat is given by name, the reason is for that seat, and the call changes nothing, §5.3, §11."""
    for options, hands, line, move, seat, code, named in (
        # the attacker throws too early
        (
            {},
            ["7c 7d", "8c 9c", "7h Qd"],
            "0 attack 7c",
            "throw 7d",
            0,
            "too_early_to_throw",
            ["7d", english_text("why.all_beaten"), "7c"],
        ),
        # another throws too early
        ({}, ["7c 7d", "8c 9c", "7h Qd"], "0 attack 7c", "throw 7h", 2, "too_early_to_throw", ["7h"]),
        # before the first is beaten
        (
            {"throw_in_when": "first_beaten"},
            ["7c 7d", "8c 9c", "7h Qd"],
            "0 attack 7c",
            "throw 7d",
            0,
            "too_early_to_throw",
            ["7d", english("why.first_beaten")],
        ),
        # only the attacker throws in
        ({"throw_in_by": "attacker"}, ["7c 7d", "8c 9c", "7h Qd"], "0 attack 7c", "throw 7h", 2, "may_not_throw", ["seat 2", "seat 0"]),
        # nobody throws in
        ({"throw_in_by": "nobody"}, ["7c 7d", "8c 9c", "7h Qd"], "0 attack 7c", "throw 7d", 0, "may_not_throw", ["seat 0", "nobody"]),
        # only neighbours throw in
        (
            {"throw_in_by": "neighbours"},
            ["7c 7d", "8c 9c", "Jh Qd", "7h Kd"],
            "0 attack 7c",
            "throw 7h",
            3,
            "may_not_throw",
            ["seat 3", "seat 2"],
        ),
        # nobody throws in on a teammate
        ({"teams": "2v2"}, ["7c 7d", "8c 9c", "Jh Qd", "7h Kd"], "0 attack 7c", "throw 7h", 3, "may_not_throw", ["seat 3"]),
        # a pass stands
        (
            {"throw_in_when": "any_time"},
            ["7c 7d", "8c 9c", "Jh Qd"],
            "0 attack 7c; 0 pass",
            "throw 7d",
            0,
            "may_not_throw",
            ["seat 0"],
        ),
        # the limit is reached
        ({}, ["7c 7d", "8c", "7h Qd"], "0 attack 7c", "throw 7d", 0, "limit_reached", ["1"]),
        # the limit of the rules is reached
        ({"attack_limit": 1}, ["7c 7d", "8c 9c", "7h Qd"], "0 attack 7c", "throw 7h", 2, "limit_reached", ["1"]),
        # another seat has the first turn
        ({}, ["7c 7d", "8c 9c", "7h Qd"], "0 attack 7c; 1 beat 7c 8c", "throw 7h", 2, "not_your_turn", ["seat 2", "seat 0"]),
        # the attacker beats
        ({}, ["7c 7d", "8c 9c", "7h Qd"], "0 attack 7c", "beat 7c 8c", 0, "not_your_turn", ["seat 0", "seat 1"]),
        # the defender opens
        ({}, ["7c 7d", "8c 9c", "7h Qd"], "", "attack 8c", 1, "not_your_turn", ["seat 1", "seat 0"]),
        # the defender takes out of turn
        ({}, ["7c 7d", "8c 9c", "7h Qd"], "0 attack 7c; 1 beat 7c 8c", "take", 1, "not_your_turn", ["seat 1", "seat 0"]),
    ):
        game = Game.from_position(Rules(players=len(hands), **options), hands=hands, trump="s")
        if line:
            play(game, line)
        before = str(game)
        refusal = game.why_not(move, seat=seat)
        assert refusal.code == code
        assert [words for words in named if not says(refusal, words)] == []
        assert str(game) == before
