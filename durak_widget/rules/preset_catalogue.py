"""Lists the preset rule sets, each with a name, a source, a description, and its options.

To add a preset, add one line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


LITHUANIA, BASIC, THROWN_UP, ECON, ENCYCLOPEDIA, COMMON = (
    "The rules of Durnius, from Lithuania",
    "Rules for playing Durak",
    "Thrown Up, Transfer, Bulk and Japanese Durak",
    "Econ 431, Problem Set 1",
    "Durak, an encyclopedia's article",
    "common at the table",
)
LITHUANIA_AND_ENCYCLOPEDIA: Final = f"{LITHUANIA}; {ENCYCLOPEDIA}"
_ANY_TIME_OPTIONS: Final = {"throw_in_when": "any_time", "throw_in_after_take": False, "attack_limit": None}
_THROWN_UP_OPTIONS: Final = {"throw_in_when": "first_beaten", "throw_in_by": "attacker", "throw_in_after_take": False}
_TRANSFER_OPTIONS: Final = {**_THROWN_UP_OPTIONS, "transfer": True}
_JAPANESE_OPTIONS: Final = {"trump": "d", "spades_by_spades": True}
_FULL_DECK_OPTIONS: Final = {"ranks": "23456789TJQKA"}
_ECON_OPTIONS: Final = {
    "ranks": "9TJQKA",
    "hand_size": 5,
    "turn_up": "aside",
    "first_attacker": "left_of_dealer",
    "next_attacker": "left_of_dealer",
    "throw_in_by": "attacker",
    "throw_in_after_take": False,
    "attack_limit": 5,
    "draw_order": "loser_first",
    "out_when": "at_once",
    "goal": "first_out",
}
TWO_PLAYER_PRESETS: Final = frozenset({"econ431"})
"""The names of the presets that only two players can play."""


class Preset(NamedTuple):
    """A ready-made rule set with a name, such as `podkidnoy`."""

    summary: str
    """The description of the rule set, in one line."""
    source: str
    """The title of the text that the rule set comes from."""
    options: Mapping[str, Any]
    """The rule options that differ from the plain throw-in game (podkidnoy durak)."""


PRESETS: Final[Mapping[str, Preset]] = {
    "podkidnoy": Preset("Throw-in durak: beat or take, and cards of ranks on the table are thrown in.", ENCYCLOPEDIA, {}),
    "durnius": Preset("Lithuanian durnius: cards may be thrown in at any time until the defender takes.", LITHUANIA, _ANY_TIME_OPTIONS),
    "basic": Preset("The basic game: cards may be pitched in at any time until the defender takes.", BASIC, _ANY_TIME_OPTIONS),
    "thrown_up": Preset("Thrown-up durak: the attacker alone adds cards, once the first is beaten.", THROWN_UP, _THROWN_UP_OPTIONS),
    "transfer": Preset(
        "Transfer durak: as thrown-up, and an attack may be transferred with a card of its rank.", THROWN_UP, _TRANSFER_OPTIONS
    ),
    "perevodnoy": Preset(
        "Throw-in durak in which an attack may be transferred with a card of its rank.", LITHUANIA_AND_ENCYCLOPEDIA, {"transfer": True}
    ),
    "passport": Preset(
        "As perevodnoy, and the trump of the rank need only be shown to transfer the attack.",
        LITHUANIA_AND_ENCYCLOPEDIA,
        {"transfer": True, "passport": True},
    ),
    "bulk": Preset("As thrown-up, with the whole deck dealt out.", THROWN_UP, {**_THROWN_UP_OPTIONS, "deal": "all"}),
    "bulk_transfer": Preset("As transfer, with the whole deck dealt out.", THROWN_UP, {**_TRANSFER_OPTIONS, "deal": "all"}),
    "japanese": Preset(
        "As thrown-up; diamonds are trumps, and only spades beat spades.", THROWN_UP, {**_THROWN_UP_OPTIONS, **_JAPANESE_OPTIONS}
    ),
    "japanese_transfer": Preset(
        "As transfer; diamonds are trumps, and only spades beat spades.", THROWN_UP, {**_TRANSFER_OPTIONS, **_JAPANESE_OPTIONS}
    ),
    "econ431": Preset("The classroom game: 24 cards, five each, two players; the first to run out wins.", ECON, _ECON_OPTIONS),
    "wikipedia": Preset(
        "Throw-in durak in which whoever attacked last is asked first, and a pass is for the bout, unless the defender takes.",
        ENCYCLOPEDIA,
        {"priority": "last_thrower", "pass_lasts": "bout"},
    ),
    "spades_by_spades": Preset("Only spades beat spades, and spades are never trumps.", ENCYCLOPEDIA, {"spades_by_spades": True}),
    "crazy": Preset("Only spades beat spades, and diamonds are always trumps.", ENCYCLOPEDIA, _JAPANESE_OPTIONS),
    "no_trumps": Preset("There is no trump suit.", ENCYCLOPEDIA, {"trump": "none"}),
    "siege": Preset(
        "An attack may open with several cards of a rank, and everybody throws in at any time.",
        ENCYCLOPEDIA,
        {"opening": "same_rank", "throw_in_when": "any_time"},
    ),
    "low_trump": Preset("The lowest trump beats the ace of trumps.", ENCYCLOPEDIA, {"low_trump_beats_ace": True}),
    "albanian": Preset("The trump card lies on top of the talon and is drawn first.", ENCYCLOPEDIA, {"turn_up": "top"}),
    "changeable_trump": Preset(
        "A hidden card under the trump card shows a new trump suit when that is drawn.", ENCYCLOPEDIA, {"hidden_trump": True}
    ),
    "railway": Preset(
        "The whole deck is dealt but for one card, which shows the trump suit.", ENCYCLOPEDIA, {"deal": "all_but_one", "turn_up": "aside"}
    ),
    "poker": Preset("Three times a game a player may exchange two cards with the talon before attacking.", ENCYCLOPEDIA, {"swaps": 3}),
    "full": Preset("Played with all 52 cards.", ENCYCLOPEDIA, _FULL_DECK_OPTIONS),
    "full_jokers": Preset("Played with all 52 cards and two jokers.", ENCYCLOPEDIA, {**_FULL_DECK_OPTIONS, "jokers": 2}),
    "weli": Preset("A six may be played in any suit.", ENCYCLOPEDIA, {"weli": "sixes"}),
    "two_decks": Preset("Played with two decks of 36 cards.", LITHUANIA_AND_ENCYCLOPEDIA, {"decks": 2}),
    "teams": Preset("Four players, two against two, partners opposite.", LITHUANIA_AND_ENCYCLOPEDIA, {"players": 4, "teams": "2v2"}),
    "teams_of_two": Preset(
        "Six players in three teams of two, partners opposite.", LITHUANIA_AND_ENCYCLOPEDIA, {"players": 6, "teams": "2v2v2"}
    ),
    "teams_of_three": Preset(
        "Six players, three against three, sitting alternately.", LITHUANIA_AND_ENCYCLOPEDIA, {"players": 6, "teams": "3v3"}
    ),
    "first_bout_five": Preset("At most five attacking cards in the first bout.", COMMON, {"first_bout_limit": 5}),
    "neighbours": Preset("Only the defender's two neighbours throw in.", COMMON, {"throw_in_by": "neighbours"}),
}
