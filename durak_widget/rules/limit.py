"""How many attacking cards may lie on the table?"""

from __future__ import annotations

from dataclasses import dataclass

from durak_widget.rules.option import number

_UNBOUNDED = 10**6


@dataclass(frozen=True)
class Limit:
    """The most attacking cards in a bout."""

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
    """The most attacking cards whatever the defender holds; the defender's hand bounds them too."""
    most = _UNBOUNDED if rules.attack_limit is None else rules.attack_limit
    return min(most, rules.first_bout_limit) if first_bout and rules.first_bout_limit is not None else most
