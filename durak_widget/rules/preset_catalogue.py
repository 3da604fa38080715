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
    "often played",
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

PRESET_GROUPS: Final = ("classic", "transfer", "trump", "class", "curious")
"""The groups in which the rules dialog lists the presets, in this order."""


class Preset(NamedTuple):
    """A ready-made rule set with a name, such as `podkidnoy`."""

    group: str
    """The name of the group in which the preset is listed, one of `PRESET_GROUPS`."""
    summary: str
    """The description of the rule set, in one line: what is different in it."""
    source: str
    """The title of the text that the rule set comes from."""
    options: Mapping[str, Any]
    """The rule options that differ from the plain throw-in game (podkidnoy durak)."""


PRESETS: Final[Mapping[str, Preset]] = {
    "podkidnoy": Preset("classic", "Beat the card or take it; attackers can throw in cards of the same rank.", ENCYCLOPEDIA, {}),
    "perevodnoy": Preset(
        "classic",
        "Like Podkidnoy, but you can transfer the attack with a card of its rank.",
        LITHUANIA_AND_ENCYCLOPEDIA,
        {"transfer": True},
    ),
    "durnius": Preset(
        "classic",
        "Like Podkidnoy, but cards can be thrown in before the first is beaten, and not while the defender takes.",
        LITHUANIA,
        _ANY_TIME_OPTIONS,
    ),
    "basic": Preset("classic", "Another name for the rules of Durnius.", BASIC, _ANY_TIME_OPTIONS),
    "thrown_up": Preset(
        "classic", "Only the attacker throws in cards, as soon as the first card is beaten.", THROWN_UP, _THROWN_UP_OPTIONS
    ),
    "transfer": Preset(
        "transfer", "Like Thrown up, but you can transfer the attack with a card of its rank.", THROWN_UP, _TRANSFER_OPTIONS
    ),
    "passport": Preset(
        "transfer",
        "Like Perevodnoy, but you can transfer by showing the trump of the same rank.",
        LITHUANIA_AND_ENCYCLOPEDIA,
        {"transfer": True, "passport": True},
    ),
    "bulk": Preset("curious", "Like Thrown up, but all cards are dealt at the start.", THROWN_UP, {**_THROWN_UP_OPTIONS, "deal": "all"}),
    "bulk_transfer": Preset(
        "transfer", "Like Transfer, but all cards are dealt at the start.", THROWN_UP, {**_TRANSFER_OPTIONS, "deal": "all"}
    ),
    "japanese": Preset(
        "trump",
        "Like Thrown up, but diamonds are trumps and only spades beat spades.",
        THROWN_UP,
        {**_THROWN_UP_OPTIONS, **_JAPANESE_OPTIONS},
    ),
    "japanese_transfer": Preset(
        "trump",
        "Like Transfer, but diamonds are trumps and only spades beat spades.",
        THROWN_UP,
        {**_TRANSFER_OPTIONS, **_JAPANESE_OPTIONS},
    ),
    "econ431": Preset(
        "class", "The classroom game for two: 24 cards, five each; the first player without cards wins.", ECON, _ECON_OPTIONS
    ),
    "wikipedia": Preset(
        "classic",
        "Like Podkidnoy, but the last attacker is asked first. If you pass, you can't throw in again unless the defender takes.",
        ENCYCLOPEDIA,
        {"priority": "last_thrower", "pass_lasts": "bout"},
    ),
    "spades_by_spades": Preset("trump", "Only spades beat spades, and spades are never trumps.", ENCYCLOPEDIA, {"spades_by_spades": True}),
    "crazy": Preset("trump", "Only spades beat spades, and diamonds are always trumps.", ENCYCLOPEDIA, _JAPANESE_OPTIONS),
    "no_trumps": Preset("trump", "There are no trumps.", ENCYCLOPEDIA, {"trump": "none"}),
    "siege": Preset(
        "curious",
        "You can start with several cards of one rank, and everyone can throw in cards at any time.",
        ENCYCLOPEDIA,
        {"opening": "same_rank", "throw_in_when": "any_time"},
    ),
    "low_trump": Preset("trump", "The lowest trump beats the ace of trumps.", ENCYCLOPEDIA, {"low_trump_beats_ace": True}),
    "albanian": Preset("trump", "The trump card lies on top of the talon and is drawn first.", ENCYCLOPEDIA, {"turn_up": "top"}),
    "changeable_trump": Preset(
        "trump",
        "A hidden card lies under the trump card. It shows a new trump suit when the trump card is drawn.",
        ENCYCLOPEDIA,
        {"hidden_trump": True},
    ),
    "railway": Preset(
        "curious",
        "All cards but one are dealt at the start; that card shows the trump suit.",
        ENCYCLOPEDIA,
        {"deal": "all_but_one", "turn_up": "aside"},
    ),
    "poker": Preset("curious", "Three times a game, you can swap two cards with the talon before you attack.", ENCYCLOPEDIA, {"swaps": 3}),
    "full": Preset("classic", "Played with all 52 cards.", ENCYCLOPEDIA, _FULL_DECK_OPTIONS),
    "full_jokers": Preset("curious", "Played with all 52 cards and two jokers.", ENCYCLOPEDIA, {**_FULL_DECK_OPTIONS, "jokers": 2}),
    "weli": Preset("curious", "You can play a six in any suit.", ENCYCLOPEDIA, {"weli": "sixes"}),
    "two_decks": Preset("curious", "Played with two decks of 36 cards.", LITHUANIA_AND_ENCYCLOPEDIA, {"decks": 2}),
    "teams": Preset(
        "classic",
        "Four players, two against two. Partners sit opposite each other.",
        LITHUANIA_AND_ENCYCLOPEDIA,
        {"players": 4, "teams": "2v2"},
    ),
    "teams_of_two": Preset(
        "classic",
        "Six players in three teams of two. Partners sit opposite each other.",
        LITHUANIA_AND_ENCYCLOPEDIA,
        {"players": 6, "teams": "2v2v2"},
    ),
    "teams_of_three": Preset(
        "classic",
        "Six players, three against three. Every second player is on your team.",
        LITHUANIA_AND_ENCYCLOPEDIA,
        {"players": 6, "teams": "3v3"},
    ),
    "first_bout_five": Preset("classic", "The first bout has at most five attacking cards.", COMMON, {"first_bout_limit": 5}),
    "neighbours": Preset("classic", "Only the defender's two neighbours can throw in cards.", COMMON, {"throw_in_by": "neighbours"}),
}
