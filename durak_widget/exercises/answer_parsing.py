"""Parsing of authors' texts and students' answers, with a clear message for each error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from re import findall
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card
from durak_widget.engine.game import Game
from durak_widget.engine.moves import Move, Refusal
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.i18n import LANGUAGES, TranslatableText, Translator

if TYPE_CHECKING:
    from collections.abc import Sequence

    Text = str | Mapping[str, str] | TranslatableText | Refusal
    """A text in one language, texts by language code, or a message id with its values."""

_MAX_ITEMS: Final = 1000
"""The maximum number of cards or moves that an answer may contain."""


def require_game(game: object) -> Game:
    """Return a value unchanged if it is a `Game`; otherwise raise an error.

    >>> require_game(7)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: an exercise needs a Game, such as Game(seed=7), not 7
    """
    if not isinstance(game, Game):
        raise DurakError(f"an exercise needs a Game, such as Game(seed=7), not {short_repr(game)}")
    return game


def resolve_seat(game: Game, seat: object) -> int:
    """Return `seat` as an integer; if `seat` is None, return the seat that moves next."""
    number = game.actor or 0 if seat is None else as_whole_number(seat)
    if number is None or number not in range(game.seats):
        raise DurakError(f"there is no seat {short_repr(seat)}; the seats are 0 to {game.seats - 1}")
    return number


def require_text(text: object) -> Text:
    """Return an exercise author's text, or raise an error if it is not a valid text.

    >>> require_text({"en": "Why?", "ru": "Почему?"})
    {'en': 'Why?', 'ru': 'Почему?'}
    """
    if isinstance(text, (TranslatableText, Refusal)) or (isinstance(text, str) and _is_encodable(text)):
        return text
    if isinstance(text, Mapping) and all(isinstance(part, str) and _is_encodable(part) for words in text.items() for part in words):
        return text
    raise DurakError(f"give a text, or a text for each language as in {{'en': 'Why?', 'ru': 'Почему?'}}, not {short_repr(text)}")


def _is_encodable(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # The text contains half of a surrogate pair
        return False
    return True


def require_texts(texts: object) -> dict[str, Text]:
    """Return a mapping of items to texts as a dict; raise an error for an invalid text."""
    if not isinstance(texts, Mapping):
        raise DurakError(f"give each answer with its text, as in {{'yes': 'That is right.', 'no': ''}}, not {short_repr(texts)}")
    return {str(require_text(format_name(name))): require_text(text) for name, text in texts.items()}


def format_name(value: object) -> str:
    """Return a card, move or text as a string, and any other value as a short representation.

    >>> format_name(Move("take")), format_name(2)
    ('take', '2')
    """
    return str(value) if isinstance(value, (str, Card, Move)) else short_repr(value)


def parse_cards(cards: object) -> tuple[Card, ...]:
    """Parse cards from one text or from a list of cards."""
    items = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    if not isinstance(items, Iterable):
        raise DurakError(f"write cards as in '9c Ah' or ['9c', 'Ah'], not {short_repr(cards)}")
    return tuple(map(_parse_card, _read_all(items, "cards")))


def _parse_card(card: object) -> Card:
    if not isinstance(card, (Card, str)):
        raise DurakError(f"write cards as in '9c Ah' or ['9c', 'Ah'], not {short_repr(card)}")
    return Card(str(card))


def parse_moves(moves: object) -> list[str]:
    """Parse one move or a list of moves; return the move texts."""
    items = [moves] if isinstance(moves, (str, Move)) else moves
    if not isinstance(items, Iterable):
        raise DurakError(f"write one move, as in 'take', or several, as in ['beat 7c 9c', 'beat 7h 8h'], not {short_repr(moves)}")
    return [str(_parse_move(move)) for move in _read_all(items, "moves")]


def _parse_move(move: object) -> Move:
    if not isinstance(move, (str, Move)):
        raise DurakError(f"write a move as in 'take' or 'beat 7c 9c', not {short_repr(move)}")
    return Move(move)


def _read_all(listed: Iterable[object], noun: str) -> list[object]:
    """Return all items of an iterable; raise an error if there are too many."""
    items = list(islice(listed, _MAX_ITEMS + 1))
    if len(items) > _MAX_ITEMS:
        raise DurakError(f"there are too many {noun} to read: the limit is {_MAX_ITEMS}")
    return items


def parse_cards_among(answer: object, cards: Sequence[str]) -> list[str]:
    """Parse cards without repetitions; raise an error for a card that is not in `cards`."""
    named_cards = [str(card) for card in parse_cards(answer)]
    for position, card in enumerate(named_cards):
        if card not in cards:
            raise DurakError(f"{card} is not among the cards {' '.join(cards)}")
        if card in named_cards[:position]:
            raise DurakError(f"give each card only once; {card} appears twice")
    return named_cards


def parse_card_order(answer: object, cards: Sequence[str]) -> list[str]:
    """Parse an answer that puts `cards` in order; each card must occur exactly once."""
    ordered = parse_cards_among(answer, cards)
    if missing := [card for card in cards if card not in ordered]:
        raise DurakError(f"the row does not have {' '.join(missing)}; use all of {' '.join(cards)}")
    return ordered


def parse_choice(answer: object, options: Iterable[str]) -> str:
    """Return the option that a student chose; raise an error if it is not in `options`."""
    chosen = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    number = as_whole_number(chosen)
    option = format_name(chosen if number is None else number)
    names = list(options)
    if option not in names:
        raise DurakError(
            f"{short_repr(chosen)} is not one of the answers; these are {', '.join(map(repr, names))}.{suggest_nearest(option[:100], names)}"
        )
    return option


def translate_text(text: Text, voice: Translator) -> str:
    """Return an author's text in the language of `voice`, or else in English.

    >>> translate_text({"en": "Why?", "ru": "Почему?"}, Translator("ru")), translate_text("Why?", Translator("ru"))
    ('Почему?', 'Why?')
    """
    if isinstance(text, TranslatableText):
        return voice.translate(
            text.key,
            **{name: translate_text(fact, voice) if isinstance(fact, (Mapping, Refusal)) else fact for name, fact in text.facts.items()},
        )
    if isinstance(text, Refusal):
        return text.to_text(voice)
    return text if isinstance(text, str) else text.get(voice.language) or text.get("en") or next(iter(text.values()), "")


def is_addressed_to_player(question: str) -> bool:
    """Return whether a question in any language addresses the reader as a player ("you").

    >>> is_addressed_to_player("What is it worth to you?"), is_addressed_to_player("Сколько выигрываете вы?"), is_addressed_to_player("Find the youngest trump.")
    (True, True, False)
    """
    words = set(findall(r"\w+", question.lower()))
    return any(words & set(Translator(language).translate("lesson.says_you").split()) for language in LANGUAGES)


def question_or_default(question: Text, default: Text) -> Text:
    """Return the author's question, or the default question if the author gave none."""
    return require_text(question) if question else default
