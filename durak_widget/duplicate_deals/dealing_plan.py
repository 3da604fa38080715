"""Duplicate deals: the same cards at each desk, dealt from a real deck without being seen."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.homework.assignment import edition_of
from durak_widget.i18n import language as spoken
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.cards import Card

SEATS: Final = "AB"
"""The names of the two players at a desk; numbers are for positions in the talon."""
TURNED: Final = "★"
"""The sign for the turned-up card."""
_MOST_DESKS, _MOST_DEALS = 200, 24


class DeskDeal(NamedTuple):
    """One of the deals."""

    number: int
    game: Game

    @property
    def attacks(self) -> str:
        """Return who attacks first: `A` or `B`."""
        return SEATS[self.game.attacker]

    @property
    def talon(self) -> tuple[Card, ...]:
        """Return the talon without the turned-up card; the first card is drawn first."""
        return tuple(card for card in self.game.talon if card is not self.game.turn_up)

    @property
    def deck(self) -> tuple[Card, ...]:
        """Return the whole deck, sorted by suit and then by rank."""
        turn_up = (self.game.turn_up,) if self.game.turn_up else ()
        in_hands = [card for hand in self.game.hands for card in hand]
        return tuple(sorted({*in_hands, *self.talon, *turn_up}))

    @property
    def plan(self) -> tuple[str, ...]:
        """Return where each card of the sorted deck goes.

        That is a player, a position in the talon (1 is drawn first), or ★ for the turned-up card.

        >>> DeskDeal(1, Game("econ431, ranks=KA, hand_size=2", seed=1)).plan
        ('2', 'B', '★', 'B', '3', 'A', 'A', '1')
        """
        destination = {card: SEATS[seat] for seat, hand in enumerate(self.game.hands) for card in hand}
        destination |= {card: str(number) for number, card in enumerate(self.talon, 1)}
        return tuple([destination.get(card, TURNED) for card in self.deck])


class Deals:
    """Deals that are the same at every desk; an edition with its rules always has the same.

    >>> some = Deals(desks=15, deals=4, edition="2027")
    >>> some, some[1].attacks, some[2].attacks
    (<Deals: 4 deals for 15 desks, econ431, edition '2027'>, 'A', 'B')
    >>> some[1].plan == Deals(deals=1, edition="2027")[1].plan
    True
    """

    def __init__(
        self, *, desks: int = 15, deals: int = 4, edition: object = "", rules: Rules | str = "econ431", language: str = "en"
    ) -> None:
        self.desks = _between(desks, "desks", _MOST_DESKS)
        self.edition, self.rules = edition_of(edition), _for_desks(rules)
        self.rules_said = " ".join(rules.split()) if isinstance(rules, str) else str(rules)
        """The rules as the caller wrote them."""
        spoken(language)
        self.language = language
        self.laid = tuple(self._deal(number) for number in range(1, _between(deals, "deals", _MOST_DEALS) + 1))

    def _deal(self, number: int) -> DeskDeal:
        """Return a deal; the dealer alternates, so that nobody always attacks first."""
        key = f"durak_widget deals {self.rules} {self.edition} {number}"
        seed = int.from_bytes(sha256(key.encode()).digest()[:8], "big")
        return DeskDeal(number, Game(self.rules, seed=seed, dealer=number % 2))

    def __iter__(self) -> Iterator[DeskDeal]:
        return iter(self.laid)

    def __len__(self) -> int:
        return len(self.laid)

    def __getitem__(self, number: int) -> DeskDeal:
        """Return the deal with this number, from 1 on."""
        index = whole_number(number)
        if index is None or not 1 <= index <= len(self.laid):
            raise DurakError(f"there is no deal {quoted(number)}; they are numbered from 1 to {len(self.laid)}")
        return self.laid[index - 1]

    def __repr__(self) -> str:
        edition = f", edition {self.edition!r}" if self.edition else ""
        return f"<Deals: {len(self)} deals for {self.desks} desks, {self.rules_said}{edition}>"


def _between(number: object, name: str, most: int) -> int:
    parsed = whole_number(number)
    if parsed is None or not 1 <= parsed <= most:
        raise DurakError(f"{name}={quoted(number)}: give a whole number from 1 to {most}")
    return parsed


def _for_desks(rules: Rules | str) -> Rules:
    """Return the rules; refuse rules that two players with one deck can't use at a desk."""
    parsed_rules = Rules.of(rules)
    game = Game(parsed_rules, seed=1)
    cards = [*(card for hand in game.hands for card in hand), *game.talon]
    if game.seats != 2 or len(set(cards)) < len(cards):
        raise DurakError(
            f"at a desk two play with one deck, and these rules are for {game.seats} with {len(cards)} cards; say players=2, decks=1"
        )
    if parsed_rules.changes().get("hidden_trump"):
        raise DurakError("at a desk nobody may know which card hides under the turned-up one; say hidden_trump=False")
    return parsed_rules
