"""Parsing of authors' texts and of answers, with one sentence for each error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from re import findall
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card
from durak_widget.engine.game import Game
from durak_widget.engine.moves import Move, Refusal
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.i18n import LANGUAGES, Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    Text = str | Mapping[str, str] | Fact | Refusal
    """A text in one language, a text per language code, or a message id with its facts."""

_MOST: Final = 1000
"""The maximum number of cards or moves that are read."""


def game_given(game: object) -> Game:
    """Return the game of an exercise, or raise an error if it is not a game.

    >>> game_given(7)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: an exercise is about a Game, such as Game(seed=7), not 7
    """
    if not isinstance(game, Game):
        raise DurakError(f"an exercise is about a Game, such as Game(seed=7), not {quoted(game)}")
    return game


def seat_asked(game: Game, seat: object) -> int:
    """Return the seat that answers: by default the one to act."""
    number = game.actor or 0 if seat is None else whole_number(seat)
    if number is None or number not in range(game.seats):
        raise DurakError(f"there is no seat {quoted(seat)}; seats are counted from 0 to {game.seats - 1}")
    return number


def author_text(text: object) -> Text:
    """Return an author's text, or raise an error if it is not a valid text.

    >>> author_text({"en": "Why?", "ru": "Почему?"})
    {'en': 'Why?', 'ru': 'Почему?'}
    """
    if isinstance(text, (Fact, Refusal)) or (isinstance(text, str) and _can_be_sent(text)):
        return text
    if isinstance(text, Mapping) and all(isinstance(part, str) and _can_be_sent(part) for words in text.items() for part in words):
        return text
    raise DurakError(f"words are given as a text, or by languages as in {{'en': 'Why?', 'ru': 'Почему?'}}, not as {quoted(text)}")


def _can_be_sent(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a character
        return False
    return True


def texts_of(texts: object) -> dict[str, Text]:
    """Return a text for each item, such as an answer, card or move; raise if invalid."""
    if not isinstance(texts, Mapping):
        raise DurakError(f"each is given with its words, as in {{'yes': 'That is so.', 'no': ''}}, not as {quoted(texts)}")
    return {str(author_text(name_given(name))): author_text(text) for name, text in texts.items()}


def name_given(thing: object) -> str:
    """Return the name of a card, move or answer; any other value as it is written.

    >>> name_given(Move("take")), name_given(2)
    ('take', '2')
    """
    return str(thing) if isinstance(thing, (str, Card, Move)) else quoted(thing)


def cards_given(cards: object) -> tuple[Card, ...]:
    """Parse cards from one text or from a list."""
    items = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    if not isinstance(items, Iterable):
        raise DurakError(f"cards are named as in '9c Ah' or ['9c', 'Ah'], not {quoted(cards)}")
    return tuple(map(_card, _read(items, "cards")))


def _card(card: object) -> Card:
    if not isinstance(card, (Card, str)):
        raise DurakError(f"cards are named as in '9c Ah' or ['9c', 'Ah'], not {quoted(card)}")
    return Card(str(card))


def moves_given(moves: object) -> list[str]:
    """Parse one move or several."""
    items = [moves] if isinstance(moves, (str, Move)) else moves
    if not isinstance(items, Iterable):
        raise DurakError(f"a move is answered as in 'take', or several as in ['beat 7c 9c', 'beat 7h 8h'], not {quoted(moves)}")
    return [str(_move(move)) for move in _read(items, "moves")]


def _move(move: object) -> Move:
    if not isinstance(move, (str, Move)):
        raise DurakError(f"a move is named as in 'take' or 'beat 7c 9c', not {quoted(move)}")
    return Move(move)


def _read(listed: Iterable[object], what: str) -> list[object]:
    """Return all items, or raise an error if there are too many."""
    read = list(islice(listed, _MOST + 1))
    if len(read) > _MOST:
        raise DurakError(f"more than {_MOST} {what} are too many to be read")
    return read


def cards_among(answer: object, cards: Sequence[str]) -> list[str]:
    """Parse the cards of an answer, which must be among `cards`."""
    named = [str(card) for card in cards_given(answer)]
    for position, card in enumerate(named):
        if card not in cards:
            raise DurakError(f"{card} is not among the cards {' '.join(cards)}")
        if card in named[:position]:
            raise DurakError(f"each card is named once, and {card} stands there twice")
    return named


def all_of(answer: object, cards: Sequence[str]) -> list[str]:
    """Parse an order of cards: all of `cards`, and no others."""
    ordered = cards_among(answer, cards)
    if missing := [card for card in cards if card not in ordered]:
        raise DurakError(f"the row lacks {' '.join(missing)}; lay all of {' '.join(cards)}")
    return ordered


def chosen_of(answer: object, options: Iterable[str]) -> str:
    """Parse the chosen option; the page sends it in a list."""
    chosen = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    number = whole_number(chosen)
    option = name_given(chosen if number is None else number)
    names = list(options)
    if option not in names:
        raise DurakError(f"{quoted(chosen)} is not one of the answers: {', '.join(map(repr, names))}.{nearest(option[:100], names)}")
    return option


def in_words(text: Text, voice: Voice) -> str:
    """Return an author's text in the language of `voice`, or else in English.

    >>> in_words({"en": "Why?", "ru": "Почему?"}, Voice("ru")), in_words("Why?", Voice("ru"))
    ('Почему?', 'Why?')
    """
    if isinstance(text, Fact):
        return voice.say(
            text.key, **{name: in_words(fact, voice) if isinstance(fact, (Mapping, Refusal)) else fact for name, fact in text.facts.items()}
        )
    if isinstance(text, Refusal):
        return text.said(voice)
    return text if isinstance(text, str) else text.get(voice.language) or text.get("en") or next(iter(text.values()), "")


def says_you(question: str) -> bool:
    """Return whether a question addresses its reader as a player, in any language.

    >>> says_you("What is it worth to you?"), says_you("Сколько выигрываете вы?"), says_you("Find the youngest trump.")
    (True, True, False)
    """
    words = set(findall(r"\w+", question.lower()))
    return any(words & set(Voice(language).say("lesson.says_you").split()) for language in LANGUAGES)


def asked_as(question: Text, usual: Text) -> Text:
    """Return the author's own question, or the default one."""
    return author_text(question) if question else usual
