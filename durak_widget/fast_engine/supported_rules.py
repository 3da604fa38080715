"""Lists the rules that the fast engine can play.

Tests compare both engines under these rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

SUPPORTED_OPTIONS: Final[Mapping[str, str]] = {
    "players": "2, 3, 4, 5, 6",
    "teams": "'none', '2v2', '2v2v2', '3v3'",
    "ranks": "a choice of '23456789TJQKA', each at most once",
    "suits": "a choice of 'cdhs', each at most once",
    "jokers": "0, 2",
    "decks": "1, 2",
    "hand_size": "a whole number from 1 to 1000000",
    "deal": "'hand', 'all', 'all_but_one'",
    "trump": "'turn_up', 'none', 'c', 'd', 'h', 's'",
    "turn_up": "'bottom', 'top', 'aside'",
    "hidden_trump": "False, True",
    "spades_by_spades": "False, True",
    "low_trump_beats_ace": "False, True",
    "opening": "'one', 'same_rank'",
    "attack_limit": "a whole number from 1 to 1000000, or None",
    "first_bout_limit": "a whole number from 1 to 1000000, or None",
    "throw_in_by": "'all', 'neighbours', 'attacker', 'nobody'",
    "throw_in_when": "'all_beaten', 'first_beaten', 'any_time'",
    "throw_in_after_take": "True, False",
    "priority": "'attacker', 'last_thrower'",
    "pass_lasts": "'until_card', 'bout'",
    "transfer": "False, True",
    "passport": "False, True",
    "transfer_first_bout": "True, False",
    "weli": "'off', 'sixes', 'bells'",
    "swaps": "0 or a whole number from 1 to 1000000",
    "first_attacker": "'lowest_trump', 'left_of_dealer'",
    "next_attacker": "'right_of_fool', 'lowest_trump', 'left_of_dealer'",
    "draw_order": "'attacker_first', 'loser_first'",
    "out_when": "'bout_end', 'at_once'",
    "goal": "'not_last', 'first_out'",
    "repetition": "a whole number from 2 to 1000000, or None",
}
"""The rule options that the fast engine supports, with their values as `Rules.options()` describes them.

The fast engine refuses an option that is missing here or has other values in `Rules`. Add an option when both engines agree on it:
`tests/fast_engine/test_options.py` plays games with every value.
"""
MAX_SWAPS: Final = 200


def explain_unsupported_rules(rules: Rules | str) -> str | None:
    """Return why the fast engine can't play the given rules, as a sentence; None if it can.

    >>> from durak_widget import fast_engine
    >>> fast_engine.explain_unsupported_rules("perevodnoy, players=4") is None
    True
    >>> fast_engine.explain_unsupported_rules("poker, swaps=1000")
    'swaps=1000 is too much for the fast engine, which supports at most 200 swaps by a seat; the plain engine plays them'
    """
    options = Rules.options()
    for name, value in Rules.coerce(rules).changes().items():
        if SUPPORTED_OPTIONS.get(name) != options[name]:
            return f"the fast engine does not support {name}={value!r}; the plain engine plays it"
        if name == "swaps" and value > MAX_SWAPS:
            return f"swaps={value} is too much for the fast engine, which supports at most {MAX_SWAPS} swaps by a seat; the plain engine plays them"
    return None
