"""The rule options about attacks: opening a bout, throwing in, transferring, and limits.

The options set which cards may open, how many attacking cards are allowed, and whether the defender may transfer. They also set who may throw
in, when and in which order, and how long a pass stays valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, bit_indices
from durak_widget.rules import deal_and_trump
from durak_widget.rules.deck_and_beating import rank_index
from durak_widget.rules.option import build_option_error, declare_choice, declare_number
from durak_widget.rules.seating import SeatingOptions, find_next_seat_in, seat_count, seats_clockwise, side_of_seat

NEVER = 10**6
_UNLIMITED = 10**6


@dataclass(frozen=True)
class ThrowInOptions(SeatingOptions):
    """The rule options about throwing in cards."""

    throw_in_by: Literal["all", "neighbours", "attacker", "nobody"] = declare_choice(
        "all",
        {
            "all": "All players except the defender can throw in cards.",
            "neighbours": "Only the defender's two neighbours can throw in: the attacker, and the next player after the defender.",
            "attacker": "Only the attacker can throw in cards.",
            "nobody": "Players can't throw in cards.",
        },
    )
    throw_in_when: Literal["all_beaten", "first_beaten", "any_time"] = declare_choice(
        "all_beaten",
        {
            "all_beaten": "Players can throw in cards when all cards on the table are beaten.",
            "first_beaten": "Players can throw in cards as soon as one card is beaten.",
            "any_time": "Players can throw in cards at any time during a bout.",
        },
    )
    throw_in_after_take: bool = declare_choice(
        True,
        {
            True: "When the defender takes, players can throw in more cards, and the defender takes them too.",
            False: "When the defender takes, the bout ends at once.",
        },
    )
    priority: Literal["attacker", "last_thrower"] = declare_choice(
        "attacker",
        {
            "attacker": "The attacker is asked first, then the others clockwise from the defender's left.",
            "last_thrower": "The player of the last attacking card is asked first, then the attacker. The others follow clockwise from the defender's left.",
        },
    )
    pass_lasts: Literal["until_card", "bout"] = declare_choice(
        "until_card",
        {
            "until_card": "A player who has passed can throw in again when a new card is on the table.",
            "bout": "A player who has passed can't throw in again in this bout, unless the defender takes or transfers the attack.",
        },
    )


def find_ineffective_throwing_options(rules: ThrowInOptions) -> set[str]:
    """Return the names of throw-in options that have no effect because of other options."""
    if rules.throw_in_by == "nobody":
        return {"throw_in_when", "throw_in_after_take", "priority", "pass_lasts"}
    return {"priority"} if rules.throw_in_by == "attacker" or seat_count(rules) == 2 else set()


def min_beaten_to_throw(rules: ThrowInOptions) -> int:
    """Return how many cards must be beaten before players may throw in cards.

    The result is a huge number if players may throw in only when all cards are beaten.
    """
    return {"all_beaten": NEVER, "first_beaten": 1, "any_time": 0}[rules.throw_in_when]


def can_throw_after_take(rules: ThrowInOptions) -> bool:
    """Return whether players may throw in after the defender has decided to take the cards."""
    return rules.throw_in_after_take


def does_pass_outlast_cards(rules: ThrowInOptions) -> bool:
    """Return whether a player who has passed may not throw in again in the same bout."""
    return rules.pass_lasts == "bout"  # noqa: S105 - a pass, not a password


def list_throwers(rules: ThrowInOptions, attacker: int, defender: int, seats_in: int) -> list[int]:
    """Return the seats that may throw in, clockwise from the defender's left."""
    side = side_of_seat(rules)
    order = [seat for seat in seats_clockwise(defender, seat_count(rules))[:-1] if seats_in >> seat & 1 and side[seat] != side[defender]]
    if rules.throw_in_by == "all":
        return order
    allowed_seats = {
        "neighbours": (attacker, find_next_seat_in(defender, seats_in, seat_count(rules))),
        "attacker": (attacker,),
        "nobody": (),
    }
    return [seat for seat in order if seat in allowed_seats[rules.throw_in_by]]


def order_throwers(rules: ThrowInOptions, attacker: int, defender: int, newest: int, seats_in: int) -> tuple[int, ...]:
    """Return the seats that may throw in, in the order in which they are asked.

    `newest` is the seat that played the last attacking card.
    """
    first_seats = (newest, attacker) if rules.priority == "last_thrower" else (attacker,)
    order = list_throwers(rules, attacker, defender, seats_in)
    return tuple(dict.fromkeys([seat for seat in first_seats if seat in order] + order))


def is_last_attacker_asked_first(rules: ThrowInOptions) -> bool:
    """Return whether the seat that played the last attacking card is asked first to throw in."""
    return rules.priority == "last_thrower"


@dataclass(frozen=True)
class TransferOptions(deal_and_trump.TrumpOptions):
    """The rule options about transferring the attack to the next player."""

    transfer: bool = declare_choice(
        False,
        {
            False: "The defender has to beat the cards or take them.",
            True: "Before beating a card, the defender can add a card of the same rank. This transfers the attack to the next player.",
        },
    )
    passport: bool = declare_choice(
        False,
        {
            False: "To transfer the attack, you play a card.",
            True: "To transfer the attack, you can just show the trump of the same rank (passport), once in a bout.",
        },
    )
    transfer_first_bout: bool = declare_choice(
        True,
        {
            True: "Players can transfer the attack in the first bout, too.",
            False: "Players can't transfer the attack in the first bout of a game.",
        },
    )


def check_transfer(rules: TransferOptions) -> None:
    """Raise an error if the rules turn on `passport` although it could never have an effect.

    It lets a player transfer by showing a trump, so the rules need transfers and trumps.
    """
    if rules.passport and not rules.transfer:
        raise build_option_error(
            "passport", True, "showing a trump only works if attacks can be transferred", "add transfer=True", "passport"
        )
    if rules.passport and not deal_and_trump.has_trumps(rules):
        raise build_option_error(
            "passport",
            True,
            "a player shows a trump, but trump='none' means that there are no trumps",
            "choose a trump, or say passport=False",
            "passport_trumps",
        )


def find_ineffective_transfer_options(rules: TransferOptions) -> set[str]:
    """Return the names of the options for transfers that other options make ineffective."""
    return set() if rules.transfer else {"transfer_first_bout", "passport"}


def has_transfers(rules: TransferOptions) -> bool:
    """Return whether the rules allow the defender to transfer the attack."""
    return rules.transfer


def can_transfer_by_showing(rules: TransferOptions) -> bool:
    """Return whether a player may transfer an attack by showing a trump without playing it."""
    return rules.passport


def first_transfer_bout(rules: TransferOptions) -> int:
    """Return the number of the first bout in a game in which players may transfer attacks."""
    return 1 if rules.transfer_first_bout else 2


@dataclass(frozen=True)
class OpeningOptions:
    """The rule options about the attack that opens a bout."""

    opening: Literal["one", "same_rank"] = declare_choice(
        "one",
        {"one": "An attack starts with one card.", "same_rank": "An attack can start with several cards of one rank at once."},
    )


def can_open_with_several(rules: OpeningOptions) -> bool:
    """Return whether the attacker may open a bout with several cards at once."""
    return rules.opening == "same_rank"


def list_opening_groups(hand: int, max_cards: int, played_codes: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return all opening attacks with two or more cards of one rank, as tuples of card codes.

    The list is sorted by number of cards, then by card order, then by the suits in which the cards are played. Copies count as the same card.
    """
    ranks: dict[int, list[int]] = {}
    for face in bit_indices(hand & ONE_DECK_MASK | hand >> FACE_COUNT & ONE_DECK_MASK):
        ranks.setdefault(rank_index(face), []).extend([face] * ((hand >> face & 1) + (hand >> face + FACE_COUNT & 1)))
    openings: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = {}
    for faces in ranks.values():
        for count in range(2, min(max_cards, len(faces)) + 1):
            for group in set(combinations(faces, count)):
                for suit_choices in product(*(range(len(played_codes[face])) for face in group)):
                    if all(
                        suit_choices[index] <= suit_choices[index + 1] for index in range(count - 1) if group[index] == group[index + 1]
                    ):
                        openings[group, suit_choices] = tuple(
                            played_codes[face][index] for face, index in zip(group, suit_choices, strict=True)
                        )
    return [openings[key] for key in sorted(openings, key=lambda key: (len(key[0]), key))]


@dataclass(frozen=True)
class LimitOptions:
    """The rule options that limit how many attacking cards a bout may have."""

    attack_limit: int | None = declare_number(
        6,
        "A bout has at most {n} attacking card{s}, and never more than the defender had in hand.",
        none_sentence="A bout can have as many attacking cards as the defender had in hand.",
    )
    first_bout_limit: int | None = declare_number(
        None,
        "The first bout of a game has at most {n} attacking card{s}.",
        none_sentence="The first bout has the same limit as the others.",
    )


def max_attacks(rules: LimitOptions, *, first_bout: bool) -> int:
    """Return the rules' limit on attacking cards in a bout; ignore the defender's hand."""
    limit = _UNLIMITED if rules.attack_limit is None else rules.attack_limit
    return min(limit, rules.first_bout_limit) if first_bout and rules.first_bout_limit is not None else limit
