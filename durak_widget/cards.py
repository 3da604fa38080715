"""Defines cards, card sets, and the bit masks that represent card sets.

A face is a card, whichever copy it is. Each face has a code from 0 to 53 in card order: suit by suit (clubs, diamonds, hearts, spades),
each suit from 2 to ace, then the red and the black joker. In a bit mask, bit `code` stands for this face. With two decks, the bit of the second
copy is 54 places higher. A card that a player plays in a suit of their choice (Weli) has a code of its own above 53, and is never in a mask.
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
"""The number of different cards: 52 and two jokers."""
ONE_DECK_MASK: Final = (1 << FACE_COUNT) - 1
"""The bit mask of one whole deck: the first copy of every card."""
RANK_NAMES: Final = {**{r: r for r in "23456789"}, "T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace", JOKER: "joker"}
SUIT_MASKS: Final = tuple(sum(1 << (13 * s + r) for r in range(13)) for s in range(4))
"""For each suit, in the order of `SUITS`: the bit mask of the first copies of all its cards."""
_RANK_OF_LETTER: Final = {rank: rank for rank in RANKS} | dict(zip("ВДКТBD", "JQKAJQ", strict=True))
"""The rank for each letter that a person may type: also Russian В Д К Т, and Lithuanian B D. The Latin letter T is always the ten."""
_SUIT_OF_TEXT = (
    {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"}
    | {s: s for s in SUITS}
    | dict(zip("тбчп", SUITS, strict=True))
)


class Card:
    """A card, such as `Card("Td")`.

    Equal cards are the same object, so `is` compares them as well as `==` does.

    >>> Card("10♦"), str(Card("td")), Card("Td").name
    (Card('Td'), 'Td', '10 of diamonds')
    >>> Card("6d=h").suit, Card("6d=h").face
    ('h', Card('6d'))
    >>> Card("Тп"), Card("д♦")  # Russian letters
    (Card('As'), Card('Qd'))
    """

    __slots__ = ("_text", "code", "color", "effective_face", "face_code", "rank", "suit")

    _text: str
    code: int
    """The number of the card in the order of all cards; a card that is played in a chosen suit has a number above 53."""
    face_code: int
    """The code of the printed card, even if this card is played in a chosen suit."""
    effective_face: int
    """The code of the printed card that this card counts as: it has this card's rank, and the suit in which this card is played."""
    rank: str
    """The rank of the card: one of `23456789TJQKA`, or `X` for a joker."""
    suit: str | None
    """The suit in which this card is played: `c`, `d`, `h` or `s`; None for a joker."""
    color: str
    """The color of the suit in which this card is played: `red` or `black`."""

    def __new__(cls, text: str | Card) -> Card:  # noqa: D102 - the class says it
        if isinstance(text, Card):
            return text
        known_card = _BY_TEXT.get(text) if isinstance(text, str) else None
        return known_card or _parse_card(text)

    def __init__(self, text: str | Card) -> None:
        """Do nothing, because `__new__` returns a finished object."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed, because all games share it")

    @staticmethod
    def from_code(code: int) -> Card:
        """Return the card with a given code.

        >>> Card.from_code(0), Card.from_code(53)
        (Card('2c'), Card('Xb'))
        """
        return _BY_CODE.get(code) or _create_card(code)

    @property
    def face(self) -> Card:
        """Return the printed card, regardless of the suit in which this card is played."""
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
        """Return the card as text with a suit symbol, such as `10♦` or `6♦=♥`."""
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
    """Create the card that has a given code; raise a `CardError` if there is no such card."""
    chosen_suit, face = divmod(code, FACE_COUNT)
    if not 0 <= chosen_suit <= len(SUITS) or (chosen_suit and (face >= RED_JOKER or face // 13 == chosen_suit - 1)):
        msg = f"there is no card with the code {code}; the codes are 0 to {FACE_COUNT - 1}"
        raise CardError(msg)
    if face >= RED_JOKER:
        text, color = _JOKER_TEXTS[face]
        facts = {"_text": text, "color": color, "rank": JOKER, "suit": None, "effective_face": face}
    else:
        own_suit, rank = divmod(face, 13)
        suit = chosen_suit - 1 if chosen_suit else own_suit
        text = RANKS[rank] + SUITS[own_suit] + (f"={SUITS[suit]}" if chosen_suit else "")
        color = "red" if suit in _RED_SUITS else "black"
        facts = {"_text": text, "color": color, "rank": RANKS[rank], "suit": SUITS[suit], "effective_face": 13 * suit + rank}
    card = object.__new__(Card)
    for name, fact in {**facts, "code": code, "face_code": face}.items():
        object.__setattr__(card, name, fact)
    card = _BY_CODE.setdefault(code, card)  # `setdefault` is atomic, so two threads get the same object for equal cards.
    return _BY_TEXT.setdefault(text, card)


def encode_played_card(face: int, suit: int) -> int:
    """Return the code for a card when it is played in a given suit.

    `suit` is an index in `SUITS`. If it is the card's own suit, the code is the card's own code.

    >>> Card.from_code(encode_played_card(Card("6d").code, SUITS.index("h")))
    Card('6d=h')
    """
    return face if face // 13 == suit else face + FACE_COUNT * (suit + 1)


for _code in range(FACE_COUNT):
    _create_card(_code)


def _parse_card(text: object) -> Card:
    """Parse a card's text; accept upper and lower case.

    Also accept `T` and `10`, suit symbols, and Russian and Lithuanian letters.
    """
    if isinstance(text, str) and 2 <= len(text) <= 8:
        cleaned = text.strip().replace("\ufe0e", "").replace("\ufe0f", "")
        rank, suit_text = ("T", cleaned[2:]) if cleaned.startswith("10") else (cleaned[:1].upper(), cleaned[1:])
        if rank == JOKER and suit_text.lower() in ("r", "b"):
            return _BY_TEXT[JOKER + suit_text.lower()]
        suit, equals, chosen_suit = suit_text.lower().partition("=")
        if rank in _RANK_OF_LETTER and suit in _SUIT_OF_TEXT and (chosen_suit in _SUIT_OF_TEXT if equals else True):
            face = 13 * SUITS.index(_SUIT_OF_TEXT[suit]) + RANKS.index(_RANK_OF_LETTER[rank])
            return Card.from_code(encode_played_card(face, SUITS.index(_SUIT_OF_TEXT[chosen_suit])) if equals else face)
    msg = f"{short_repr(text)} is not a card; write a rank (2-9 T J Q K A) and a suit (c d h s), such as 'Td', or 'Xr', 'Xb' for a joker"
    raise CardError(msg)


def parse_cards(text: str | Iterable[str | Card], max_count: int = 1000) -> tuple[Card, ...]:
    """Parse a text such as `"6c Td"`, or a list, into a tuple of cards in the same order.

    >>> parse_cards("6c 10♦ xr")
    (Card('6c'), Card('Td'), Card('Xr'))
    """
    if isinstance(text, str):
        if len(text) > 8 * max_count:
            msg = f"a list of cards may have at most {max_count} cards; this text has {len(text)} characters"
            raise CardError(msg)
        text = text.replace(",", " ").split()
    try:
        parts = [part for part, _ in zip(text, range(max_count + 1))]  # noqa: B905 - the range is the bound
    except TypeError:
        msg = f"{short_repr(text)} is not a list of cards; write a text such as '6c Td', or a list of such texts"
        raise CardError(msg) from None
    if len(parts) > max_count:
        msg = f"a list of cards may have at most {max_count} cards"
        raise CardError(msg)
    return tuple(Card(part) for part in parts)


def card_from_bit(bit: int) -> Card:
    """Return the card for a given bit of a card mask; the bit may be that of the second copy.

    >>> card_from_bit(1 << 57)
    Card('5c')
    """
    return Card.from_code(face_from_bit(bit))


def mask_from_cards(cards: Iterable[Card]) -> int:
    """Return the bit mask of given cards; raise a `CardError` if a card occurs three times.

    >>> mask_from_cards(parse_cards("2c 4c")) == 0b101
    True
    """
    mask = 0
    for card in cards:
        bit = 1 << card.face_code
        if mask & bit:
            bit <<= FACE_COUNT
            if mask & bit:
                msg = f"{card.face} appears more than twice; two decks have two of it"
                raise CardError(msg)
        mask |= bit
    return mask


CardsLike = Union["CardSet", str, "Iterable[str | Card]"]


class CardSet:
    """An immutable set of cards, like a frozenset, in which a card may occur twice.

    It supports `|`, `&`, `-`, `<=`, `<`, `>=`, `>`, `in`, `len`, `isdisjoint` and `count`. The right operand may be a text or a list of cards.
    A CardSet is equal only to another CardSet.

    >>> hand = CardSet("Td 6c 7c")
    >>> str(hand), len(hand), Card("6c") in hand
    ('6c 7c Td', 3, True)
    >>> hand & CardSet("6c 7d"), hand - CardSet("Td"), hand | {"Ah"}
    (CardSet('6c'), CardSet('6c 7c'), CardSet('6c 7c Td Ah'))
    """

    __slots__ = ("mask",)

    mask: int
    """The bit mask of the set: bit `code` stands for the card with this code, bit `code + 54` for the card's second copy."""

    def __init__(self, cards: CardsLike = "") -> None:
        object.__setattr__(self, "mask", cards.mask if isinstance(cards, CardSet) else mask_from_cards(parse_cards(cards)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot be changed; make a new set")

    @classmethod
    def from_mask(cls, mask: int) -> CardSet:
        """Return the set of cards that a given bit mask represents.

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
        """Return how many copies of a given card are in this set: 0, 1 or 2.

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
        """Return whether this set has no card in common with another set.

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
    """Return the card code for a given bit of a card mask; two copies of a card have one code.

    >>> face_from_bit(1 << 3), face_from_bit(1 << 57)
    (3, 3)
    """
    return (bit.bit_length() - 1) % FACE_COUNT


def bit_indices(mask: int) -> Iterator[int]:
    """Yield the index of each bit that is set in a bit mask, lowest first.

    >>> list(bit_indices(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def merge_copies(mask: int) -> int:
    """Return a card mask without the second copies of cards, which a double deck has.

    >>> merge_copies(1 << 3 | 1 << 57) == 1 << 3
    True
    """
    return (mask | mask >> FACE_COUNT) & ONE_DECK_MASK


def normalize_copies(mask: int) -> int:
    """For each card that occurs only once, set the bit of the first copy, not of the second.

    So two masks with equal cards are equal.
    """
    high = mask >> FACE_COUNT
    return mask if not high else merge_copies(mask) | (mask & high) << FACE_COUNT


def subtract_cards(mask: int, removed: int) -> int:
    """Return the card mask `mask` without the cards in the card mask `removed`.

    Each card may occur twice. In both masks, a single copy must be the first one (see `normalize_copies`).

    >>> subtract_cards(0b110 | 0b110 << 54, 0b010) == 0b110 | 0b100 << 54
    True
    """
    twice = mask >> FACE_COUNT
    once = mask & ONE_DECK_MASK & ~twice
    return once & ~removed | twice & ~(removed >> FACE_COUNT) | (twice & ~removed) << FACE_COUNT


def add_cards(mask: int, added: int) -> int:
    """Add the cards of two bit masks; a card that is in both masks then occurs twice.

    In both masks, a single copy must be the first one (see `normalize_copies`).

    >>> add_cards(0b110, 0b010) == 0b110 | 0b010 << 54
    True
    """
    return (mask | added) & ONE_DECK_MASK | (mask >> FACE_COUNT | added >> FACE_COUNT | mask & added & ONE_DECK_MASK) << FACE_COUNT
