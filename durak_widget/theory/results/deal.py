"""What a hand of the classroom game says of the other: chances by counting, before the first card is played."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar

from durak_widget.game.game import Game
from durak_widget.theory.hidden.possible import worlds
from durak_widget.theory.results.result import Result, Row


@dataclass(frozen=True)
class Chances(Result):
    """What `chances` finds."""

    question: ClassVar[str] = "Five cards each of 24, one turned up: what may I expect, and what may I fear?"

    a_trump: Fraction
    """That a hand of five holds a trump, once the turn-up is seen."""
    a_card: Fraction
    """That the other holds a given card that I do not see."""
    none: Fraction
    """That the other holds no trump, if I hold two."""
    expected: Fraction
    """How many it holds on average."""
    hand: str
    """The hand with two trumps, and what was turned up."""

    def said(self) -> list[str]:
        """The answer in sentences."""
        return [f"counted in the worlds of a seat that holds {self.hand}"]

    def table(self) -> list[Row]:
        """Each chance, exactly and in per cent."""
        rows = {
            "a hand holds a trump": self.a_trump,
            "the other holds a given unseen card": self.a_card,
            "I hold two trumps, the other none": self.none,
            "I hold two trumps, the other on average": self.expected,
        }
        return [{"what": what, "exactly": exactly, "about": float(exactly)} for what, exactly in rows.items()]


def chances() -> Chances:
    """Some chances of the Econ 431 deal, those about the other's hand counted by `theory.worlds`.

    >>> found = chances()
    >>> found.a_trump, found.a_card, found.none, found.expected
    (Fraction(3583, 4807), Fraction(5, 18), Fraction(143, 408), Fraction(5, 6))
    """
    deck = "9h Ac Th Tc Jd Jc Kd Qc Qs Ks As 9c 9d Td Qd Ad 9s Ts Js Kc Jh Qh Ah Kh"  # dealt from the left: mine 9h Th Jd Kd Qs
    game = Game("econ431", deck=deck, dealer=1)
    seen = worlds(game.view(0))
    return Chances(
        a_trump=1 - Fraction(comb(18, 5), comb(23, 5)),
        a_card=seen.chance(1, "As"),
        none=1 - seen.chance_to_beat(1, "Ad"),
        expected=sum([seen.chance(1, card) for card in ("Jh", "Qh", "Ah")], Fraction(0)),
        hand=f"{game.hands[0]}, turned up {game.turn_up}",
    )
