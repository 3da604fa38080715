"""Who may throw in, when, in which order are they asked, and how long does a pass stand?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from durak_widget.rules.option import choice
from durak_widget.rules.seating import Seating, clockwise, next_in, seats, sides

NEVER = 10**6


@dataclass(frozen=True)
class Throwing(Seating):
    """Throwing in."""

    throw_in_by: Literal["all", "neighbours", "attacker", "nobody"] = choice(
        "all",
        {
            "all": "Everybody but the defender may throw in.",
            "neighbours": "Only the defender's two neighbours may throw in: the attacker, and the next player after the defender.",
            "attacker": "Only the attacker may throw in.",
            "nobody": "Nobody may throw in.",
        },
    )
    throw_in_when: Literal["all_beaten", "first_beaten", "any_time"] = choice(
        "all_beaten",
        {
            "all_beaten": "Cards are thrown in whenever every card on the table is beaten.",
            "first_beaten": "Cards may be thrown in as soon as one card is beaten.",
            "any_time": "Cards may be thrown in at any time during a bout.",
        },
    )
    throw_in_after_take: bool = choice(
        True,
        {
            True: "When the defender takes, more cards may still be thrown in, to be taken too.",
            False: "When the defender takes, the bout ends at once.",
        },
    )
    priority: Literal["attacker", "last_thrower"] = choice(
        "attacker",
        {
            "attacker": "The attacker is asked first, then the others clockwise from the defender's left.",
            "last_thrower": "Whoever played the newest attacking card is asked first, then the attacker, then the others clockwise from the defender's left.",
        },
    )
    pass_lasts: Literal["until_card", "bout"] = choice(
        "until_card",
        {
            "until_card": "Who passed may throw in again once another card is on the table.",
            "bout": "Who passed is asked no more in this bout, unless the defender takes or the attack is transferred.",
        },
    )


def ineffective_throwing_options(rules: Throwing) -> set[str]:
    """The options that have no effect under the others."""
    if rules.throw_in_by == "nobody":
        return {"throw_in_when", "throw_in_after_take", "priority", "pass_lasts"}
    return {"priority"} if rules.throw_in_by == "attacker" or seats(rules) == 2 else set()


def beaten_needed(rules: Throwing) -> int:
    """How many cards must be beaten before throwers are asked while another is not; a huge number for never."""
    return {"all_beaten": NEVER, "first_beaten": 1, "any_time": 0}[rules.throw_in_when]


def after_take(rules: Throwing) -> bool:
    """Whether throwers are asked once the defender has said that it takes."""
    return rules.throw_in_after_take


def pass_outlasts_cards(rules: Throwing) -> bool:
    """Whether a pass still stands when another card has been put on the table."""
    return rules.pass_lasts == "bout"  # noqa: S105 - a pass, not a password


def may_throw(rules: Throwing, attacker: int, defender: int, seats_in: int) -> list[int]:
    """The seats that may throw in by who they are, whatever they hold, clockwise from the defender's left."""
    side = sides(rules)
    order = [s for s in clockwise(defender, seats(rules))[:-1] if seats_in >> s & 1 and side[s] != side[defender]]
    if rules.throw_in_by == "all":
        return order
    named = {"neighbours": (attacker, next_in(defender, seats_in, seats(rules))), "attacker": (attacker,), "nobody": ()}
    return [s for s in order if s in named[rules.throw_in_by]]


def asked(rules: Throwing, attacker: int, defender: int, newest: int, seats_in: int) -> tuple[int, ...]:
    """The seats that may throw in, in the order in which they are asked; `newest` played the newest attacking card."""
    first = (newest, attacker) if rules.priority == "last_thrower" else (attacker,)
    order = may_throw(rules, attacker, defender, seats_in)
    return tuple(dict.fromkeys([s for s in first if s in order] + order))


def newest_first(rules: Throwing) -> bool:
    """Whether it matters who played the newest attacking card."""
    return rules.priority == "last_thrower"
