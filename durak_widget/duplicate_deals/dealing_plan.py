"""Makes the same deals for all desks, and plans for dealing them without seeing the cards."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.homework.assignment import parse_edition
from durak_widget.i18n import get_language as spoken
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.cards import Card

SEAT_LETTERS: Final = "AB"
"""The letters of a desk's two players, which a dealing plan uses; numbers stand for cards in the talon."""
TURN_UP_SIGN: Final = "★"
"""The symbol for the turned-up trump card in a dealing plan."""
_MAX_DESKS, _MAX_DEALS = 200, 24


class DuplicateDeal(NamedTuple):
    """A numbered deal, which all desks of a school class play."""

    number: int
    game: Game

    @property
    def first_attacker(self) -> str:
        """Return the letter of the player who attacks first, "A" or "B"."""
        return SEAT_LETTERS[self.game.attacker]

    @property
    def talon(self) -> tuple[Card, ...]:
        """Return the talon in the order in which cards are drawn, without the turned-up card."""
        return tuple(card for card in self.game.talon if card is not self.game.turn_up)

    @property
    def deck(self) -> tuple[Card, ...]:
        """Return all cards of the deck, sorted by suit and then by rank."""
        turn_up = (self.game.turn_up,) if self.game.turn_up else ()
        in_hands = [card for hand in self.game.hands for card in hand]
        return tuple(sorted({*in_hands, *self.talon, *turn_up}))

    @property
    def card_destinations(self) -> tuple[str, ...]:
        """Return where a person who deals this deal has to put each card of a sorted deck.

        That is a player, a position in the talon (1 is drawn first), or ★ for the turned-up card.

        >>> DuplicateDeal(1, Game("econ431, ranks=KA, hand_size=2", seed=1)).card_destinations
        ('2', 'B', '★', 'B', '3', 'A', 'A', '1')
        """
        destination = {card: SEAT_LETTERS[seat] for seat, hand in enumerate(self.game.hands) for card in hand}
        destination |= {card: str(number) for number, card in enumerate(self.talon, 1)}
        return tuple([destination.get(card, TURN_UP_SIGN) for card in self.deck])


class DuplicateDeals:
    """The deals that a school class plays, the same at each desk.

    They follow from the name of the edition and the rules.

    >>> some = DuplicateDeals(desks=15, deals=4, edition="2027")
    >>> some, some[1].first_attacker, some[2].first_attacker
    (<DuplicateDeals: 4 deals for 15 desks, econ431, edition '2027'>, 'A', 'B')
    >>> some[1].card_destinations == DuplicateDeals(deals=1, edition="2027")[1].card_destinations
    True
    """

    def __init__(
        self, *, desks: int = 15, deals: int = 4, edition: object = "", rules: Rules | str = "econ431", language: str = "en"
    ) -> None:
        self.desks = _require_in_range(desks, "desks", _MAX_DESKS)
        self.edition, self.rules = parse_edition(edition), _require_desk_rules(rules)
        self.rules_text = " ".join(rules.split()) if isinstance(rules, str) else str(rules)
        """The rules in the form in which the caller gave them."""
        spoken(language)
        self.language = language
        self.deals = tuple(self._build_deal(number) for number in range(1, _require_in_range(deals, "deals", _MAX_DEALS) + 1))

    def _build_deal(self, number: int) -> DuplicateDeal:
        """Build the deal number `number`.

        The dealer alternates, so that each player attacks first in every other deal.
        """
        key = f"durak_widget deals {self.rules} {self.edition} {number}"
        seed = int.from_bytes(sha256(key.encode()).digest()[:8], "big")
        return DuplicateDeal(number, Game(self.rules, seed=seed, dealer=number % 2))

    def __iter__(self) -> Iterator[DuplicateDeal]:
        return iter(self.deals)

    def __len__(self) -> int:
        return len(self.deals)

    def __getitem__(self, number: int) -> DuplicateDeal:
        """Return the deal number `number`; the first deal is number 1."""
        index = as_whole_number(number)
        if index is None or not 1 <= index <= len(self.deals):
            raise DurakError(f"there is no deal {short_repr(number)}; the deals are numbered from 1 to {len(self.deals)}")
        return self.deals[index - 1]

    def __repr__(self) -> str:
        edition = f", edition {self.edition!r}" if self.edition else ""
        return f"<DuplicateDeals: {len(self)} deals for {self.desks} desks, {self.rules_text}{edition}>"


def _require_in_range(number: object, name: str, maximum: int) -> int:
    """Return `number` as an int; raise an error if it is too small, too large or no integer."""
    parsed = as_whole_number(number)
    if parsed is None or not 1 <= parsed <= maximum:
        raise DurakError(f"{name} must be a whole number from 1 to {maximum}, not {short_repr(number)}")
    return parsed


def _require_desk_rules(rules: Rules | str) -> Rules:
    """Return `rules`; raise an error unless they are for two players and one deck."""
    parsed_rules = Rules.coerce(rules)
    game = Game(parsed_rules, seed=1)
    cards = [*(card for hand in game.hands for card in hand), *game.talon]
    if game.seats != 2 or len(set(cards)) < len(cards):
        raise DurakError(
            f"a desk has two players and one deck, but these rules are for {game.seats} players with {len(cards)} cards; use players=2, decks=1"
        )
    if parsed_rules.changes().get("hidden_trump"):
        raise DurakError("at a desk a player would know which card is under the turned-up one; use hidden_trump=False")
    return parsed_rules
