"""The options of an attack: how it opens, its limit, throwing in, and transferring.

They say which cards may open, how many attacking cards are allowed, and whether the defender may transfer. They also say who may throw
in, when and in which order, and how long a pass stays valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

from durak_widget.cards import FACES, ONE_DECK, bits_of
from durak_widget.rules import deal_and_trump
from durak_widget.rules.deck_and_beating import rank_of
from durak_widget.rules.option import choice, number, refuse
from durak_widget.rules.seating import Seating, clockwise, next_in, seats, sides

NEVER = 10**6
_UNBOUNDED = 10**6


@dataclass(frozen=True)
class Throwing(Seating):
    """The options of throwing in."""

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
    """Return the options that have no effect with the others."""
    if rules.throw_in_by == "nobody":
        return {"throw_in_when", "throw_in_after_take", "priority", "pass_lasts"}
    return {"priority"} if rules.throw_in_by == "attacker" or seats(rules) == 2 else set()


def beaten_needed(rules: Throwing) -> int:
    """Return how many cards must be beaten for a throw-in while others are not.

    It is a huge number for never.
    """
    return {"all_beaten": NEVER, "first_beaten": 1, "any_time": 0}[rules.throw_in_when]


def after_take(rules: Throwing) -> bool:
    """Return whether cards may be thrown in after the defender has announced to take."""
    return rules.throw_in_after_take


def pass_outlasts_cards(rules: Throwing) -> bool:
    """Return whether a pass stays valid after another card has been played."""
    return rules.pass_lasts == "bout"  # noqa: S105 - a pass, not a password


def may_throw(rules: Throwing, attacker: int, defender: int, seats_in: int) -> list[int]:
    """Return the seats that may throw in, whatever they hold, from the defender's left.

    They are in clockwise order.
    """
    side = sides(rules)
    order = [seat for seat in clockwise(defender, seats(rules))[:-1] if seats_in >> seat & 1 and side[seat] != side[defender]]
    if rules.throw_in_by == "all":
        return order
    allowed_seats = {"neighbours": (attacker, next_in(defender, seats_in, seats(rules))), "attacker": (attacker,), "nobody": ()}
    return [seat for seat in order if seat in allowed_seats[rules.throw_in_by]]


def asked(rules: Throwing, attacker: int, defender: int, newest: int, seats_in: int) -> tuple[int, ...]:
    """Return the seats that may throw in, in the order in which they are asked.

    `newest` is the seat that played the newest attacking card.
    """
    first_seats = (newest, attacker) if rules.priority == "last_thrower" else (attacker,)
    order = may_throw(rules, attacker, defender, seats_in)
    return tuple(dict.fromkeys([seat for seat in first_seats if seat in order] + order))


def newest_first(rules: Throwing) -> bool:
    """Return whether the seat that played the newest attacking card is asked first."""
    return rules.priority == "last_thrower"


@dataclass(frozen=True)
class Transfer(deal_and_trump.Trumping):
    """The options of transferring the attack."""

    transfer: bool = choice(
        False,
        {
            False: "The defender beats or takes.",
            True: "Before beating anything, the defender may transfer the attack to the next player by adding a card of the same rank.",
        },
    )
    passport: bool = choice(
        False,
        {
            False: "A transfer is made by playing a card.",
            True: "The trump of the rank need only be shown to transfer the attack (passport), once in a bout.",
        },
    )
    transfer_first_bout: bool = choice(
        True,
        {True: "The first bout is like the others for transfers.", False: "The first bout of a game may not be transferred."},
    )


def check_transfer(rules: Transfer) -> None:
    """Require transfers and trumps for a passport."""
    if rules.passport and not rules.transfer:
        raise refuse("passport", True, "showing a trump only works where attacks may be transferred", "add transfer=True", "passport")
    if rules.passport and not deal_and_trump.has_trumps(rules):
        raise refuse(
            "passport",
            True,
            "it is a trump that is shown, and trump='none' has none",
            "choose a trump, or say passport=False",
            "passport_trumps",
        )


def ineffective_transfer_options(rules: Transfer) -> set[str]:
    """Return the options that have no effect with the others."""
    return set() if rules.transfer else {"transfer_first_bout", "passport"}


def allowed(rules: Transfer) -> bool:
    """Return whether attacks may be transferred at all."""
    return rules.transfer


def by_showing(rules: Transfer) -> bool:
    """Return whether a trump may be shown instead of played."""
    return rules.passport


def first_bout(rules: Transfer) -> int:
    """Return the number of the first bout of a game that may be transferred."""
    return 1 if rules.transfer_first_bout else 2


@dataclass(frozen=True)
class Opening:
    """The options of the opening attack."""

    opening: Literal["one", "same_rank"] = choice(
        "one",
        {"one": "An attack is opened with one card.", "same_rank": "An attack may be opened with several cards of one rank at once."},
    )


def several(rules: Opening) -> bool:
    """Return whether an attack may be opened with several cards."""
    return rules.opening == "same_rank"


def groups(hand: int, most: int, plays: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return all ways to open with two or more cards of one rank, as played codes.

    They are sorted by number of cards, then card order, then the suits in which they are played. Copies count as the same card.
    """
    ranks: dict[int, list[int]] = {}
    for face in bits_of(hand & ONE_DECK | hand >> FACES & ONE_DECK):
        ranks.setdefault(rank_of(face), []).extend([face] * ((hand >> face & 1) + (hand >> face + FACES & 1)))
    openings: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = {}
    for faces in ranks.values():
        for count in range(2, min(most, len(faces)) + 1):
            for group in set(combinations(faces, count)):
                for suit_choices in product(*(range(len(plays[face])) for face in group)):
                    if all(
                        suit_choices[index] <= suit_choices[index + 1] for index in range(count - 1) if group[index] == group[index + 1]
                    ):
                        openings[group, suit_choices] = tuple(plays[face][index] for face, index in zip(group, suit_choices, strict=True))
    return [openings[key] for key in sorted(openings, key=lambda key: (len(key[0]), key))]


@dataclass(frozen=True)
class Limit:
    """The options that limit the attacking cards in a bout."""

    attack_limit: int | None = number(
        6,
        "At most {n} attacking card{s} in a bout, and never more than the defender held.",
        none="As many attacking cards in a bout as the defender held cards.",
    )
    first_bout_limit: int | None = number(
        None,
        "At most {n} attacking card{s} in the first bout of a game.",
        none="The first bout has the same limit as the others.",
    )


def most(rules: Limit, *, first_bout: bool) -> int:
    """Return the maximum number of attacking cards; the defender's hand limits them too."""
    most = _UNBOUNDED if rules.attack_limit is None else rules.attack_limit
    return min(most, rules.first_bout_limit) if first_bout and rules.first_bout_limit is not None else most
