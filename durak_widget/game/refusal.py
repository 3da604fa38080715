"""Why a move is refused: a stable code, the facts, and the sentence that they make.

The sentences stand here in one table, so that another language is another table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

SENTENCES: Final[Mapping[str, str]] = {
    "game_over": "The game is over: {result}. No more moves can be made; start a new game, or undo.",
    "not_your_turn": "{move} is not for now: it is seat {actor}'s turn {role}. {may}",
    "not_your_turn.seat": "It is not seat {seat}'s turn: seat {actor} is to act, {role}.",
    "not_your_turn.opened": "The bout is open already, so nothing can be opened with {cards}: seat {actor} is to act, {role}. {may}",
    "not_your_turn.defend": "The defender cannot pass: seat {actor} beats a card or takes. {may}",
    "not_your_turn.taking": "Seat {defender} has said that it takes; seat {actor} may still throw in. {may}",
    "not_in_hand": "{card} is not in the hand of seat {seat}, which holds {hand}. {may}",
    "not_in_hand.twice": "{card} is in the hand of seat {seat} only once. {may}",
    "unreadable": "{text} is not a move: {hint}.",
    "open_first": "Nothing lies on the table yet: seat {actor} opens the attack first. {may}",
    "one_card_only": "An attack is opened with exactly one card under these rules, and {cards} are {count}. {may}",
    "same_rank_only": "The cards of an opening attack must be of one rank, and {cards} are not. {may}",
    "rank_not_on_table": "{card} cannot be thrown in: no {rank} lies on the table, which shows {ranks}. {may}",
    "limit_reached": "No more attacking cards: {count} of at most {limit} lie on the table. {may}",
    "limit_reached.opening": "{cards} are {count} cards, and at most {limit} may attack in this bout. {may}",
    "may_not_throw": "Seat {seat} may not throw in: {who}. {may}",
    "too_early_to_throw": "{card} cannot be thrown in yet: {when}, and {unbeaten} {verb} not beaten. {may}",
    "not_on_table": "{card} is not an attacking card on the table, where {table} {verb}. {may}",
    "already_beaten": "{card} is beaten already, by {by}. {may}",
    "too_low": "{card} does not beat {target}: the same suit, but a lower or equal rank. {may}",
    "wrong_suit": "{card} does not beat {target}: different suits, and {suit} are not trumps ({trumps}). {may}",
    "only_spades_beat_spades": "{card} does not beat {target}: under these rules only a higher spade beats a spade. {may}",
    "nothing_beats_joker": "{card} does not beat {target}: nothing beats a joker. {may}",
    "joker_wrong_colour": "{card} does not beat {target}: a joker beats cards of its own colour, and {target} is {colour}. {may}",
    "transfer_not_played": "Attacks are not passed on under these rules: the defender beats or takes. {may}",
    "transfer_not_played.show": "Showing a trump to pass the attack on (passport) is not played under these rules. {may}",
    "transfer_after_beating": "The attack can no longer be passed on: a card has been beaten. {may}",
    "transfer_rank": "{card} does not pass the attack on: it must be of the rank of the attacking cards, {rank}. {may}",
    "transfer_too_many": "The attack cannot be passed on to seat {next}: that would be {count} card{s}, and seat {next} may be given at most {limit}. {may}",
    "transfer_first_bout": "The first bout of a game may not be passed on under these rules. {may}",
    "already_shown": "Seat {seat} has shown {card} in this bout already; it cannot pass the attack on again with it. {may}",
    "not_the_trump": "{card} is not a trump: only the trump of the rank is shown to pass the attack on ({trumps}). {may}",
    "nothing_to_take": "There is nothing to take: {why}. {may}",
    "swap_not_played": "Cards are not exchanged with the talon under these rules. {may}",
    "swap_used_up": "Seat {seat} has no swap left: {why}. {may}",
    "swap_talon": "There is nothing to swap with: a swap takes two face-down cards of the talon, and {there} there. {may}",
    "suit_not_yours_to_choose": "{card} cannot be played as {chosen}: {why}. {may}",
}
"""The sentence of each code; a code with a dot is a case of the code before it."""

CODES: Final = tuple(dict.fromkeys(key.partition(".")[0] for key in SENTENCES))
"""The stable codes."""


@dataclass(frozen=True)
class Refusal:
    """Why a move is refused.

    >>> print(Refusal("unreadable", {"text": "'hello'", "hint": "a move begins with a verb"}))
    'hello' is not a move: a move begins with a verb.
    """

    key: str
    """Which sentence of the table: the code, or a case of it."""
    facts: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What the sentence names."""

    @property
    def code(self) -> str:
        """The stable code of the reason, such as `too_low`."""
        return self.key.partition(".")[0]

    def __str__(self) -> str:
        return SENTENCES[self.key].format_map(self.facts).strip()
