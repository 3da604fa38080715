"""What authors give, and what is answered: read once, to an end, and refused in one sentence."""

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
    """Words as an author gives them: in one language, in several by their codes, or a sentence that the words know."""

_MOST: Final = 1000
"""So many cards or moves are read."""


def game_given(game: object) -> Game:
    """The game that an exercise is about.

    >>> game_given(7)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: an exercise is about a Game, such as Game(seed=7), not 7
    """
    if not isinstance(game, Game):
        raise DurakError(f"an exercise is about a Game, such as Game(seed=7), not {quoted(game)}")
    return game


def seat_asked(game: Game, seat: object) -> int:
    """The seat that is asked: the one to act, if none is named."""
    number = game.actor or 0 if seat is None else whole_number(seat)
    if number is None or number not in range(game.seats):
        raise DurakError(f"there is no seat {quoted(seat)}; seats are counted from 0 to {game.seats - 1}")
    return number


def author_text(text: object) -> Text:
    """An author's words, if they can be said.

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
    """Words for each of several things, such as answers, cards or moves."""
    if not isinstance(texts, Mapping):
        raise DurakError(f"each is given with its words, as in {{'yes': 'That is so.', 'no': ''}}, not as {quoted(texts)}")
    return {str(author_text(name_given(thing))): author_text(text) for thing, text in texts.items()}


def name_given(thing: object) -> str:
    """What a card, a move or an answer is called; another thing, such as a number, as it is written.

    >>> name_given(Move("take")), name_given(2)
    ('take', '2')
    """
    return str(thing) if isinstance(thing, (str, Card, Move)) else quoted(thing)


def cards_given(cards: object) -> tuple[Card, ...]:
    """Cards, named in one text or one by one."""
    listed = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    if not isinstance(listed, Iterable):
        raise DurakError(f"cards are named as in '9c Ah' or ['9c', 'Ah'], not {quoted(cards)}")
    return tuple(map(_card, _read(listed, "cards")))


def _card(card: object) -> Card:
    if not isinstance(card, (Card, str)):
        raise DurakError(f"cards are named as in '9c Ah' or ['9c', 'Ah'], not {quoted(card)}")
    return Card(str(card))


def moves_given(moves: object) -> list[str]:
    """Moves, one or several."""
    listed = [moves] if isinstance(moves, (str, Move)) else moves
    if not isinstance(listed, Iterable):
        raise DurakError(f"a move is answered as in 'take', or several as in ['beat 7c 9c', 'beat 7h 8h'], not {quoted(moves)}")
    return [str(_move(move)) for move in _read(listed, "moves")]


def _move(move: object) -> Move:
    if not isinstance(move, (str, Move)):
        raise DurakError(f"a move is named as in 'take' or 'beat 7c 9c', not {quoted(move)}")
    return Move(move)


def _read(listed: Iterable[object], what: str) -> list[object]:
    """All of them, if they come to an end."""
    found = list(islice(listed, _MOST + 1))
    if len(found) > _MOST:
        raise DurakError(f"more than {_MOST} {what} are too many to be read")
    return found


def cards_among(answer: object, cards: Sequence[str]) -> list[str]:
    """The cards of an answer, which must be among these."""
    given = [str(card) for card in cards_given(answer)]
    for place, card in enumerate(given):
        if card not in cards:
            raise DurakError(f"{card} is not among the cards {' '.join(cards)}")
        if card in given[:place]:
            raise DurakError(f"each card is named once, and {card} stands there twice")
    return given


def all_of(answer: object, cards: Sequence[str]) -> list[str]:
    """Cards in another order: all of these, and no others."""
    given = cards_among(answer, cards)
    if missing := [card for card in cards if card not in given]:
        raise DurakError(f"the row lacks {' '.join(missing)}; lay all of {' '.join(cards)}")
    return given


def chosen_of(answer: object, options: Iterable[str]) -> str:
    """The answer that was chosen, which must be one of these; from the page it comes in a list."""
    chosen = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    number = whole_number(chosen)
    given = name_given(chosen if number is None else number)
    known = list(options)
    if given not in known:
        raise DurakError(f"{quoted(chosen)} is not one of the answers: {', '.join(map(repr, known))}.{nearest(given[:100], known)}")
    return given


def in_words(text: Text, voice: Voice) -> str:
    """An author's words in the language of a voice; in English where the author gave no others.

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
    """Whether a question speaks to its reader as to a player, in whichever language.

    >>> says_you("What is it worth to you?"), says_you("Сколько выигрываете вы?"), says_you("Find the youngest trump.")
    (True, True, False)
    """
    words = set(findall(r"\w+", question.lower()))
    return any(words & set(Voice(language).say("lesson.says_you").split()) for language in LANGUAGES)


def asked_as(question: Text, usual: Text) -> Text:
    """An author's own words, or the usual ones."""
    return author_text(question) if question else usual
