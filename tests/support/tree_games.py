"""Small games of every kind for tests of trees."""

from __future__ import annotations

from durak_widget import Rules


def small(preset: str, *, suits: str = "cd", ranks: str = "678", hand: int = 1, trump: str | None = "c", **options) -> Rules:
    """Return a preset on a small deck: few cards, a known first attacker."""
    chosen = {"suits": suits, "ranks": ranks, "hand_size": hand, "first_attacker": "left_of_dealer", **options}
    return Rules.preset(preset, **chosen, **({} if trump is None else {"trump": trump}))


SMALL = {
    "podkidnoy": small("podkidnoy", ranks="67"),
    "podkidnoy without trumps": small("podkidnoy", ranks="67", trump="none"),
    "a turn-up below": small("podkidnoy", ranks="67", trump=None),
    "a turn-up on top": small("albanian", ranks="67", trump=None),
    "a turn-up aside": small("econ431", ranks="67", trump=None),
    "lowest trump begins": small("podkidnoy", ranks="67", trump=None, first_attacker="lowest_trump"),
    "econ431": small("econ431", ranks="67"),
    "durnius": small("durnius", ranks="67"),
    "transfer": small("perevodnoy", suits="cdh", ranks="67", hand=2, deal="all"),
    "transfer with a talon": small("perevodnoy", ranks="67"),
    "passport": small("passport", ranks="67", hand=2),
    "bulk": small("bulk_transfer", ranks="67", trump=None),
    "all but one": small("railway", suits="c", ranks="6789T", trump=None),
    "all but one, no trumps": small("railway", suits="c", ranks="6789T", trump="none"),
    "only spades beat spades": small("spades_by_spades", suits="hs", ranks="67", trump=None),
    "only spades beat spades, all dealt": small("spades_by_spades", suits="hs", ranks="67", trump=None, deal="all"),
    "only spades beat spades, all but one": small("spades_by_spades", suits="ds", ranks="67", trump=None, deal="all_but_one"),
    "jokers": small("podkidnoy", suits="c", ranks="67", jokers=2, trump=None),
    "siege": small("siege", ranks="67", hand=2),
    "low trump": small("low_trump", ranks="6A"),
    "changeable trump": small("changeable_trump", ranks="67", trump=None),
    "swaps": small("poker", suits="c", ranks="6789T", hand=2, swaps=1),
    "weli": small("weli", ranks="67"),
    "two decks": small("two_decks", suits="c", ranks="678", trump=None),
    "first out": small("podkidnoy", ranks="67", goal="first_out", out_when="at_once"),
    "at once": small("podkidnoy", ranks="67", hand=2, out_when="at_once"),
    "last thrower first": small("wikipedia", ranks="67"),
    "a limit of one": small("podkidnoy", ranks="67", hand=2, attack_limit=1),
}
"""Rule sets that together use every option that matters for two players."""
