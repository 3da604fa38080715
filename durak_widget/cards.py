"""Defines cards and card sets, and the bit masks that represent card sets.

A face has a code 0 … 53 in card order: suit by suit (clubs, diamonds, hearts, spades), each from 2 to ace,
then the red and the black joker. Bit `code` of a mask is that face. The second copy of a face (two decks) is
54 bits higher. A card played in a suit of the player's choice (Weli) has a code of its own beyond those, and
is never in a mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Union

from durak_widget.errors import CardError, short_repr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUITS: Final = "cdhs"
RANKS: Final = "23456789TJQKA"
JOKER: Final = "X"
SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SUIT_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SPADES: Final = 3
RED_JOKER: Final = 52
BLACK_JOKER: Final = 53
_RED_SUITS: Final = (1, 2)
_JOKER_TEXTS: Final = {RED_JOKER: ("Xr", "red"), BLACK_JOKER: ("Xb", "black")}
_BY_TEXT: dict[str, Card] = {}
_BY_CODE: dict[int, Card] = {}
FACE_COUNT: Final = 54
"""The number of different card faces: 52 and two jokers."""
ONE_DECK_MASK: Final = (1 << FACE_COUNT) - 1
"""The mask that has the first copy of every face."""
RANK_NAMES: Final = {**{r: r for r in "23456789"}, "T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace", JOKER: "joker"}
SUIT_MASKS: Final = tuple(sum(1 << (13 * s + r) for r in range(13)) for s in range(4))
"""The mask of the first copies of all cards in each suit, by the suit's index in `SUITS`."""
_SUIT_OF_TEXT = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"} | {s: s for s in SUITS}


class Card:
    """A card, such as `Card("Td")`; equal cards are one object, so `is` means `==`.

    >>> Card("10♦"), str(Card("td")), Card("Td").name
    (Card('Td'), 'Td', '10 of diamonds')
    >>> Card("6d=h").suit, Card("6d=h").face
    ('h', Card('6d'))
    """

    __slots__ = ("_text", "code", "color", "effective_face", "face_code", "rank", "suit")

    _text: str
    code: int
    """The number of the card in card order; the numbers of cards played in a chosen suit come after all others."""
    face_code: int
    """The code of the card's own face, whatever suit the card is played in."""
    effective_face: int
    """The code of the face that the card counts as, on the table."""
    rank: str
    """The rank: one of `23456789TJQKA`, or `X` for a joker."""
    suit: str | None
    """The suit that the card counts in, one of `cdhs`; None for a joker."""
    color: str
    """The color of the suit that the card counts in, `red` or `black`."""

    def __new__(cls, text: str | Card) -> Card:  # noqa: D102 - the class says it
        if isinstance(text, Card):
            return text
        found = _BY_TEXT.get(text) if isinstance(text, str) else None
        return found or _parse_card(text)

    def __init__(self, text: str | Card) -> None:
        """Do nothing: `__new__` returns the only object of each card."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed; every game shares it")

    @staticmethod
    def from_code(code: int) -> Card:
        """Return the card with a given code.

        >>> Card.from_code(0), Card.from_code(53)
        (Card('2c'), Card('Xb'))
        """
        return _BY_CODE.get(code) or _create_card(code)

    @property
    def face(self) -> Card:
        """Return the card without a chosen suit: its own face."""
        return Card.from_code(self.face_code)

    @property
    def is_joker(self) -> bool:
        """Return whether the card is a joker."""
        return self.suit is None

    @property
    def name(self) -> str:
        """Return the name of the card in words, such as `10 of diamonds` or `red joker`."""
        if self.suit is None:
            return f"{self.color} joker"
        played = "" if self.code == self.face_code else f" as {SUIT_NAMES[self.suit]}"
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self._text[1]]}{played}"

    @property
    def sign(self) -> str:
        """Return the card with a suit symbol, such as `10♦` or `6♦=♥`."""
        if self.suit is None:
            return f"{self.color} joker"
        rank = "10" if self.rank == "T" else self.rank
        return rank + "=".join(SUIT_SIGNS[suit] for suit in self._text[1::2])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card({self._text!r})"

    def __lt__(self, other: object) -> bool:
        return self.code < other.code if isinstance(other, Card) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.code <= other.code if isinstance(other, Card) else NotImplemented

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self._text,)


def _create_card(code: int) -> Card:
    chosen, face = divmod(code, FACE_COUNT)
    if not 0 <= chosen <= len(SUITS) or (chosen and (face >= RED_JOKER or face // 13 == chosen - 1)):
        msg = f"no card has the code {code}; codes of cards run from 0 to {FACE_COUNT - 1}"
        raise CardError(msg)
    if face >= RED_JOKER:
        text, color = _JOKER_TEXTS[face]
        facts = {"_text": text, "color": color, "rank": JOKER, "suit": None, "effective_face": face}
    else:
        own, rank = divmod(face, 13)
        suit = chosen - 1 if chosen else own
        text = RANKS[rank] + SUITS[own] + (f"={SUITS[suit]}" if chosen else "")
        color = "red" if suit in _RED_SUITS else "black"
        facts = {"_text": text, "color": color, "rank": RANKS[rank], "suit": SUITS[suit], "effective_face": 13 * suit + rank}
    card = object.__new__(Card)
    for name, fact in {**facts, "code": code, "face_code": face}.items():
        object.__setattr__(card, name, fact)
    card = _BY_CODE.setdefault(code, card)  # `setdefault` is atomic: two threads get the same object
    return _BY_TEXT.setdefault(text, card)


def encode_played_card(face: int, suit: int) -> int:
    """Return the code of a card face that is played in a suit, given the suit's index.

    It is the face's own code if this is its own suit.

    >>> Card.from_code(encode_played_card(Card("6d").code, SUITS.index("h")))
    Card('6d=h')
    """
    return face if face // 13 == suit else face + FACE_COUNT * (suit + 1)


for _code in range(FACE_COUNT):
    _create_card(_code)


def _parse_card(text: object) -> Card:
    """Parse a card leniently: any case, 10 for T, symbols for suits."""
    if isinstance(text, str) and 2 <= len(text) <= 8:
        cleaned = text.strip().replace("\ufe0e", "").replace("\ufe0f", "")
        rank, rest = ("T", cleaned[2:]) if cleaned.startswith("10") else (cleaned[:1].upper(), cleaned[1:])
        if rank == JOKER and rest.lower() in ("r", "b"):
            return _BY_TEXT[JOKER + rest.lower()]
        suit, equals, chosen = rest.lower().partition("=")
        if rank in RANKS and rank and suit in _SUIT_OF_TEXT and (chosen in _SUIT_OF_TEXT if equals else True):
            face = 13 * SUITS.index(_SUIT_OF_TEXT[suit]) + RANKS.index(rank)
            return Card.from_code(encode_played_card(face, SUITS.index(_SUIT_OF_TEXT[chosen])) if equals else face)
    msg = f"{short_repr(text)} is not a card: write a rank (2-9 T J Q K A) and a suit (c d h s), such as 'Td', or 'Xr', 'Xb' for a joker"
    raise CardError(msg)


def parse_cards(text: str | Iterable[str | Card], max_count: int = 1000) -> tuple[Card, ...]:
    """Parse a text such as `"6c Td"`, or a list, into cards in the given order.

    >>> parse_cards("6c 10♦ xr")
    (Card('6c'), Card('Td'), Card('Xr'))
    """
    if isinstance(text, str):
        if len(text) > 8 * max_count:
            msg = f"a list of cards may not be longer than {max_count} cards; this text has {len(text)} characters"
            raise CardError(msg)
        text = text.replace(",", " ").split()
    try:
        parts = [part for part, _ in zip(text, range(max_count + 1))]  # noqa: B905 - the range is the bound
    except TypeError:
        msg = f"{short_repr(text)} is not a list of cards: write a text such as '6c Td', or a list of such texts"
        raise CardError(msg) from None
    if len(parts) > max_count:
        msg = f"a list of cards may not be longer than {max_count} cards"
        raise CardError(msg)
    return tuple(Card(part) for part in parts)


def card_from_bit(bit: int) -> Card:
    """Return the card of a mask that has exactly one bit, of either copy.

    >>> card_from_bit(1 << 57)
    Card('5c')
    """
    return Card.from_code(face_from_bit(bit))


def mask_from_cards(cards: Iterable[Card]) -> int:
    """Return the mask of some cards.

    A third copy of a card raises a `CardError`.

    >>> mask_from_cards(parse_cards("2c 4c")) == 0b101
    True
    """
    mask = 0
    for card in cards:
        bit = 1 << card.face_code
        if mask & bit:
            bit <<= FACE_COUNT
            if mask & bit:
                msg = f"{card.face} is there more than twice; two decks hold two of it"
                raise CardError(msg)
        mask |= bit
    return mask


CardsLike = Union["CardSet", str, "Iterable[str | Card]"]


class CardSet:
    """Cards without an order, like a frozenset; with two decks a card can occur twice.

    It has `|`, `&`, `-`, `<=`, `<`, `>=`, `>`, `in`, `len`, `isdisjoint` and `count`. The right side may be a text or a list of cards. A
    CardSet equals only another CardSet.

    >>> hand = CardSet("Td 6c 7c")
    >>> str(hand), len(hand), Card("6c") in hand
    ('6c 7c Td', 3, True)
    >>> hand & CardSet("6c 7d"), hand - CardSet("Td"), hand | {"Ah"}
    (CardSet('6c'), CardSet('6c 7c'), CardSet('6c 7c Td Ah'))
    """

    __slots__ = ("mask",)

    mask: int
    """The bit mask of the set: bit `code` stands for a card, and bit `code + 54` for its second copy."""

    def __init__(self, cards: CardsLike = "") -> None:
        object.__setattr__(self, "mask", cards.mask if isinstance(cards, CardSet) else mask_from_cards(parse_cards(cards)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed; make another set")

    @classmethod
    def from_mask(cls, mask: int) -> CardSet:
        """Return the card set with a given bit mask.

        >>> CardSet.from_mask(0b11)
        CardSet('2c 3c')
        """
        card_set = cls.__new__(cls)
        object.__setattr__(card_set, "mask", normalize_copies(mask))
        return card_set

    def __iter__(self) -> Iterator[Card]:
        second_copies = self.mask >> FACE_COUNT
        for code in bit_indices(self.mask & ONE_DECK_MASK):
            yield _BY_CODE[code]
            if second_copies >> code & 1:
                yield _BY_CODE[code]

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __contains__(self, card: object) -> bool:
        if isinstance(card, str):
            card = Card(card)
        return isinstance(card, Card) and card is card.face and self.mask >> card.code & 1 == 1

    def count(self, card: str | Card) -> int:
        """Return how many copies of a given card are in the set.

        >>> CardSet("6c 6c 7d").count("6c")
        2
        """
        card = Card(card)
        return 0 if card is not card.face else (self.mask >> card.code & 1) + (self.mask >> card.code + FACE_COUNT & 1)

    def __or__(self, other: CardsLike) -> CardSet:
        return CardSet.from_mask(self.mask | CardSet(other).mask)

    def __and__(self, other: CardsLike) -> CardSet:
        return CardSet.from_mask(self.mask & CardSet(other).mask)

    def __sub__(self, other: CardsLike) -> CardSet:
        return CardSet.from_mask(subtract_cards(self.mask, CardSet(other).mask))

    def __le__(self, other: CardsLike) -> bool:
        return self.mask & ~CardSet(other).mask == 0

    def __ge__(self, other: CardsLike) -> bool:
        return CardSet(other).mask & ~self.mask == 0

    def __lt__(self, other: CardsLike) -> bool:
        return self <= other and self.mask != CardSet(other).mask

    def __gt__(self, other: CardsLike) -> bool:
        return self >= other and self.mask != CardSet(other).mask

    def isdisjoint(self, other: CardsLike) -> bool:
        """Return whether two card sets have no card in common.

        >>> CardSet("6c 7c").isdisjoint("7d 7c"), CardSet("6c") < CardSet("6c 7c")
        (False, True)
        """
        return merge_copies(self.mask) & merge_copies(CardSet(other).mask) == 0

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, CardSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"CardSet({str(self)!r})"

    def __reduce__(self) -> tuple[type[CardSet], tuple[str]]:
        return CardSet, (str(self),)


def face_from_bit(bit: int) -> int:
    """Return the face code of a mask that has exactly one bit, of either copy.

    >>> face_from_bit(1 << 3), face_from_bit(1 << 57)
    (3, 3)
    """
    return (bit.bit_length() - 1) % FACE_COUNT


def bit_indices(mask: int) -> Iterator[int]:
    """Yield the index of each set bit of a mask, lowest first.

    >>> list(bit_indices(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def merge_copies(mask: int) -> int:
    """Return a mask in which both copies of a card are replaced by the first copy.

    >>> merge_copies(1 << 3 | 1 << 57) == 1 << 3
    True
    """
    return (mask | mask >> FACE_COUNT) & ONE_DECK_MASK


def normalize_copies(mask: int) -> int:
    """Return a mask with first copies before second ones, so that equal hands are equal."""
    high = mask >> FACE_COUNT
    return mask if not high else merge_copies(mask) | (mask & high) << FACE_COUNT


def subtract_cards(mask: int, removed: int) -> int:
    """Return a mask without the given cards, each of which may occur twice.

    Copies are counted from the first in both masks.

    >>> subtract_cards(0b110 | 0b110 << 54, 0b010) == 0b110 | 0b100 << 54
    True
    """
    twice = mask >> FACE_COUNT
    once = mask & ONE_DECK_MASK & ~twice
    return once & ~removed | twice & ~(removed >> FACE_COUNT) | (twice & ~removed) << FACE_COUNT


def add_cards(mask: int, added: int) -> int:
    """Return a mask with the cards of two masks, where each card may occur twice.

    Copies are counted from the first in both masks.

    >>> add_cards(0b110, 0b010) == 0b110 | 0b010 << 54
    True
    """
    return (mask | added) & ONE_DECK_MASK | (mask >> FACE_COUNT | added >> FACE_COUNT | mask & added & ONE_DECK_MASK) << FACE_COUNT
