"""May the defender transfer the attack?"""

from __future__ import annotations

from dataclasses import dataclass

from durak_widget.rules import deal_and_trump
from durak_widget.rules.option import choice, refuse


@dataclass(frozen=True)
class Transfer(deal_and_trump.Trumping):
    """Transferring the attack."""

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
    """A passport needs transfers, and trumps."""
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
    """The options that have no effect under the others."""
    return set() if rules.transfer else {"transfer_first_bout", "passport"}


def allowed(rules: Transfer) -> bool:
    """Whether attacks may be transferred at all."""
    return rules.transfer


def by_showing(rules: Transfer) -> bool:
    """Whether a trump may be shown instead of played."""
    return rules.passport


def first_bout(rules: Transfer) -> int:
    """The number of the first bout of a game that may be transferred."""
    return 1 if rules.transfer_first_bout else 2
