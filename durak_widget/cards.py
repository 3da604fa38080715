"""Cards and card sets, and the bit masks that represent sets.

A face has a code 0 … 53 in card order: suit by suit (clubs, diamonds, hearts, spades), each from 2 to ace,
then the red and the black joker. Bit `code` of a mask is that face. The second copy of a face (two decks) is
54 bits higher. A card played in a suit of the player's choice (Weli) has a code of its own beyond those, and
is never in a mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Union

from durak_widget.errors import CardError, quoted

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
_RED: Final = (1, 2)
_JOKERS: Final = {RED_JOKER: ("Xr", "red"), BLACK_JOKER: ("Xb", "black")}
_BY_TEXT: dict[str, Card] = {}
_BY_CODE: dict[int, Card] = {}
FACES: Final = 54
"""The number of faces: 52 and two jokers."""
ONE_DECK: Final = (1 << FACES) - 1
"""The mask of every face once."""
RANK_NAMES: Final = {**{r: r for r in "23456789"}, "T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace", JOKER: "joker"}
SUIT_MASKS: Final = tuple(sum(1 << (13 * s + r) for r in range(13)) for s in range(4))
"""The mask of each suit, first copies only, by the index of the suit in `SUITS`."""
_SUIT_READ = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"} | {s: s for s in SUITS}


class Card:
    """A card, such as `Card("Td")`: one object for each card, so `is` and `==` are the same.

    >>> Card("10♦"), str(Card("td")), Card("Td").name
    (Card('Td'), 'Td', '10 of diamonds')
    >>> Card("6d=h").suit, Card("6d=h").face
    ('h', Card('6d'))
    """

    __slots__ = ("_text", "code", "color", "counts", "face_code", "rank", "suit")

    _text: str
    code: int
    """The position of the card in card order; cards played in a chosen suit come after all others."""
    face_code: int
    """The code of the card itself, whatever suit it is played in."""
    counts: int
    """The code of the face that the card counts as on the table."""
    rank: str
    """One of `23456789TJQKA`, or `X` for a joker."""
    suit: str | None
    """The suit that it counts in, one of `cdhs`; None for a joker."""
    color: str
    """The color of the suit that it counts in, `red` or `black`."""

    def __new__(cls, text: str | Card) -> Card:  # noqa: D102 - the class says it
        if isinstance(text, Card):
            return text
        found = _BY_TEXT.get(text) if isinstance(text, str) else None
        return found or _read(text)

    def __init__(self, text: str | Card) -> None:
        """Do nothing: the only object of each card is made when it is first needed."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed; every game shares it")

    @staticmethod
    def of(code: int) -> Card:
        """Return the card with this code.

        >>> Card.of(0), Card.of(53)
        (Card('2c'), Card('Xb'))
        """
        return _BY_CODE.get(code) or _make(code)

    @property
    def face(self) -> Card:
        """Return the card itself, whatever suit it is played in."""
        return Card.of(self.face_code)

    @property
    def is_joker(self) -> bool:
        """Return whether this is a joker."""
        return self.suit is None

    @property
    def name(self) -> str:
        """Return the name that people say, such as `10 of diamonds` or `red joker`."""
        if self.suit is None:
            return f"{self.color} joker"
        played = "" if self.code == self.face_code else f" as {SUIT_NAMES[self.suit]}"
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self._text[1]]}{played}"

    @property
    def sign(self) -> str:
        """Return the card with a suit sign, such as `10♦` or `6♦=♥`."""
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


def _make(code: int) -> Card:
    chosen, face = divmod(code, FACES)
    if not 0 <= chosen <= len(SUITS) or (chosen and (face >= RED_JOKER or face // 13 == chosen - 1)):
        msg = f"no card has the code {code}; codes of cards run from 0 to {FACES - 1}"
        raise CardError(msg)
    if face >= RED_JOKER:
        text, color = _JOKERS[face]
        facts = {"_text": text, "color": color, "rank": JOKER, "suit": None, "counts": face}
    else:
        own, rank = divmod(face, 13)
        suit = chosen - 1 if chosen else own
        text = RANKS[rank] + SUITS[own] + (f"={SUITS[suit]}" if chosen else "")
        color = "red" if suit in _RED else "black"
        facts = {"_text": text, "color": color, "rank": RANKS[rank], "suit": SUITS[suit], "counts": 13 * suit + rank}
    card = object.__new__(Card)
    for name, fact in {**facts, "code": code, "face_code": face}.items():
        object.__setattr__(card, name, fact)
    card = _BY_CODE.setdefault(code, card)  # atomic: two threads get the same object
    return _BY_TEXT.setdefault(text, card)


def played_code(face: int, suit: int) -> int:
    """Return the code of a face that is played in the suit with this index.

    It is the face's own code if this is its own suit.

    >>> Card.of(played_code(Card("6d").code, SUITS.index("h")))
    Card('6d=h')
    """
    return face if face // 13 == suit else face + FACES * (suit + 1)


for _code in range(FACES):
    _make(_code)


def _read(text: object) -> Card:
    """Parse a card leniently: any case, 10 for T, signs for suits."""
    if isinstance(text, str) and 2 <= len(text) <= 8:
        cleaned = text.strip().replace("\ufe0e", "").replace("\ufe0f", "")
        rank, rest = ("T", cleaned[2:]) if cleaned.startswith("10") else (cleaned[:1].upper(), cleaned[1:])
        if rank == JOKER and rest.lower() in ("r", "b"):
            return _BY_TEXT[JOKER + rest.lower()]
        suit, equals, chosen = rest.lower().partition("=")
        if rank in RANKS and rank and suit in _SUIT_READ and (chosen in _SUIT_READ if equals else True):
            face = 13 * SUITS.index(_SUIT_READ[suit]) + RANKS.index(rank)
            return Card.of(played_code(face, SUITS.index(_SUIT_READ[chosen])) if equals else face)
    msg = f"{quoted(text)} is not a card: write a rank (2-9 T J Q K A) and a suit (c d h s), such as 'Td', or 'Xr', 'Xb' for a joker"
    raise CardError(msg)


def read_cards(text: str | Iterable[str | Card], most: int = 1000) -> tuple[Card, ...]:
    """Parse a text such as `"6c Td"`, or a list, into cards in the same order.

    >>> read_cards("6c 10♦ xr")
    (Card('6c'), Card('Td'), Card('Xr'))
    """
    if isinstance(text, str):
        if len(text) > 8 * most:
            msg = f"a list of cards may not be longer than {most} cards; this text has {len(text)} characters"
            raise CardError(msg)
        text = text.replace(",", " ").split()
    try:
        parts = [part for part, _ in zip(text, range(most + 1))]  # noqa: B905 - the range is the bound
    except TypeError:
        msg = f"{quoted(text)} is not a list of cards: write a text such as '6c Td', or a list of such texts"
        raise CardError(msg) from None
    if len(parts) > most:
        msg = f"a list of cards may not be longer than {most} cards"
        raise CardError(msg)
    return tuple(Card(part) for part in parts)


def card_of(bit: int) -> Card:
    """Return the card of a mask with one bit, of either copy.

    >>> card_of(1 << 57)
    Card('5c')
    """
    return Card.of(face_of(bit))


def mask_of(cards: Iterable[Card]) -> int:
    """Return the mask of some cards.

    A third copy of a card raises a `CardError`.

    >>> mask_of(read_cards("2c 4c")) == 0b101
    True
    """
    mask = 0
    for card in cards:
        bit = 1 << card.face_code
        if mask & bit:
            bit <<= FACES
            if mask & bit:
                msg = f"{card.face} is there more than twice; two decks hold two of it"
                raise CardError(msg)
        mask |= bit
    return mask


Cards = Union["CardSet", str, "Iterable[str | Card]"]


class CardSet:
    """Cards without an order, like a frozenset; with two decks a card can be in it twice.

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
    """The bit mask: bit `code` of each card, and 54 bits higher for a second copy."""

    def __init__(self, cards: Cards = "") -> None:
        object.__setattr__(self, "mask", cards.mask if isinstance(cards, CardSet) else mask_of(read_cards(cards)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed; make another set")

    @classmethod
    def of(cls, mask: int) -> CardSet:
        """Return the set with this mask.

        >>> CardSet.of(0b11)
        CardSet('2c 3c')
        """
        card_set = cls.__new__(cls)
        object.__setattr__(card_set, "mask", plainly(mask))
        return card_set

    def __iter__(self) -> Iterator[Card]:
        second_copies = self.mask >> FACES
        for code in bits_of(self.mask & ONE_DECK):
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
        """Return how many copies of a card are in the set.

        >>> CardSet("6c 6c 7d").count("6c")
        2
        """
        card = Card(card)
        return 0 if card is not card.face else (self.mask >> card.code & 1) + (self.mask >> card.code + FACES & 1)

    def __or__(self, other: Cards) -> CardSet:
        return CardSet.of(self.mask | CardSet(other).mask)

    def __and__(self, other: Cards) -> CardSet:
        return CardSet.of(self.mask & CardSet(other).mask)

    def __sub__(self, other: Cards) -> CardSet:
        return CardSet.of(minus(self.mask, CardSet(other).mask))

    def __le__(self, other: Cards) -> bool:
        return self.mask & ~CardSet(other).mask == 0

    def __ge__(self, other: Cards) -> bool:
        return CardSet(other).mask & ~self.mask == 0

    def __lt__(self, other: Cards) -> bool:
        return self <= other and self.mask != CardSet(other).mask

    def __gt__(self, other: Cards) -> bool:
        return self >= other and self.mask != CardSet(other).mask

    def isdisjoint(self, other: Cards) -> bool:
        """Return whether no card is in both sets.

        >>> CardSet("6c 7c").isdisjoint("7d 7c"), CardSet("6c") < CardSet("6c 7c")
        (False, True)
        """
        return folded(self.mask) & folded(CardSet(other).mask) == 0

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


def face_of(bit: int) -> int:
    """Return the face code of a mask with one bit, of either copy.

    >>> face_of(1 << 3), face_of(1 << 57)
    (3, 3)
    """
    return (bit.bit_length() - 1) % FACES


def bits_of(mask: int) -> Iterator[int]:
    """Yield the index of each set bit of a mask, lowest first.

    >>> list(bits_of(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def folded(mask: int) -> int:
    """Return the faces of a mask, each once: both copies become the first.

    >>> folded(1 << 3 | 1 << 57) == 1 << 3
    True
    """
    return (mask | mask >> FACES) & ONE_DECK


def plainly(mask: int) -> int:
    """Return the mask with copies counted from the first, so equal hands have equal masks."""
    high = mask >> FACES
    return mask if not high else folded(mask) | (mask & high) << FACES


def minus(mask: int, taken: int) -> int:
    """Return a mask without some cards, where a card may be there twice.

    Copies are counted from the first in both masks.

    >>> minus(0b110 | 0b110 << 54, 0b010) == 0b110 | 0b100 << 54
    True
    """
    twice = mask >> FACES
    once = mask & ONE_DECK & ~twice
    return once & ~taken | twice & ~(taken >> FACES) | (twice & ~taken) << FACES


def plus(mask: int, added: int) -> int:
    """Return the union of two masks, where a card may be there twice.

    Copies are counted from the first in both masks.

    >>> plus(0b110, 0b010) == 0b110 | 0b010 << 54
    True
    """
    return (mask | added) & ONE_DECK | (mask >> FACES | added >> FACES | mask & added & ONE_DECK) << FACES
