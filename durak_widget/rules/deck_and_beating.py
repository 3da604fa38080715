"""What beats what?

Asked once for every card: the answer is a mask of the cards that beat it, so that odd rules cost nothing at play time.
"""

from __future__ import annotations

from dataclasses import dataclass

from durak_widget.cards import FACES, RED_JOKER, SPADES, Card, bits_of
from durak_widget.rules import pack
from durak_widget.rules.option import choice, refuse


@dataclass(frozen=True)
class Beating(pack.Pack):
    """What beats what."""

    spades_by_spades: bool = choice(
        False,
        {
            False: "Spades are a suit like the others.",
            True: "A spade is beaten only by a higher spade, never by a trump; spades are never trumps.",
        },
    )
    low_trump_beats_ace: bool = choice(
        False,
        {False: "No other trump beats the ace of trumps.", True: "The lowest trump of the deck beats the ace of trumps."},
    )


def check_beating(rules: Beating) -> None:
    """The ace that is beaten must be there."""
    ranks = pack.ranks(rules)
    if rules.low_trump_beats_ace and "A" not in ranks:
        raise refuse(
            "low_trump_beats_ace",
            True,
            f"the deck has no aces (ranks={ranks!r})",
            "add 'A' to ranks, or say low_trump_beats_ace=False",
            "aces",
        )


def trump_suits(rules: Beating) -> tuple[int, ...]:
    """The suits that may be trumps, by their place in `SUITS`."""
    return (0, 1, 2) if rules.spades_by_spades else (0, 1, 2, 3)


def beats(rules: Beating, trump: int | None, d: int, a: int) -> bool:
    """Whether card `d` beats card `a`, both given by the code they count as."""
    if a >= RED_JOKER:
        return False
    suit, higher = a // 13, d > a
    if rules.spades_by_spades and suit == SPADES:
        return higher and d < RED_JOKER
    if d >= RED_JOKER:
        return Card.of(d).color == Card.of(a).color
    if d // 13 == suit:
        return higher or (
            rules.low_trump_beats_ace and suit == trump and Card.of(a).rank == "A" and Card.of(d).rank == pack.lowest_rank(rules)
        )
    return d // 13 == trump


def beaters(rules: Beating, trump: int | None) -> list[int]:
    """For every face, the mask (both copies) of the cards in the deck that beat it."""
    deck = list(bits_of(pack.faces(rules)))
    once = [sum(1 << d for d in deck if beats(rules, trump, d, a)) for a in range(FACES)]
    return [mask | mask << FACES for mask in once]


def why_not(rules: Beating, trump: int | None, d: int, a: int) -> str | None:
    """The code of the reason why `d` does not beat `a`; None if it does."""
    if beats(rules, trump, d, a):
        return None
    if a >= RED_JOKER:
        return "nothing_beats_joker"
    if rules.spades_by_spades and a // 13 == SPADES:
        return "too_low" if d // 13 == SPADES else "only_spades_beat_spades"
    if d >= RED_JOKER:
        return "joker_wrong_colour"
    return "too_low" if d // 13 == a // 13 else "wrong_suit"


def why(d: int, a: int) -> str:
    """By which rule `d`, which beats `a`, does so: it is a joker, or higher in its suit, or the low trump, or a trump."""
    if d >= RED_JOKER:
        return "joker"
    if d // 13 == a // 13:
        return "higher" if d > a else "low_trump"
    return "trump"
