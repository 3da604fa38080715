"""Defines languages (with sentences and word forms) and translators that format sentences.

A translator also sets how a sentence names cards, and which player it calls `you`. If a language lacks a sentence, the translator uses the
English sentence.
"""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache
from importlib import import_module
from os.path import dirname  # An import of pathlib would make every start 5 ms slower.
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from durak_widget.cards import SUIT_SIGNS, Card
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.i18n._card_letters import CARD_LETTER_CHOICES, CARD_LETTERS, get_default_card_letters, localize_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    WordForms = Mapping[str, str]
    """The type of a word's forms, by grammatical case; `nom` is the form in a dictionary."""

CARD_NAMINGS: Final = ("words", "signs", "both", "codes")
_TEXT_STYLE: Final = "\ufe0e"
"""The invisible character that makes browsers show the symbol before it as text, and not as a coloured emoji."""
_NO_BREAK_SPACE: Final = "\u00a0"
_LANGUAGE_FOLDERS = [dirname(__file__)]  # noqa: PTH120 - as above
_FACT_PATTERN: Final = re.compile(r"\{(\w+)")
"""The regular expression for the name of a fact (a variable part of a sentence), such as `card` in `{card:acc}`."""
_WELL_FORMED_PATTERN: Final = re.compile(r"(?:[^{}]|\{[a-z_]+(?::[^{}]*)?\})*")
"""The regular expression for a sentence whose braces contain only facts, and no attributes, indices or conversions."""
MIN_OFFERED_SHARE: Final = 0.95
"""Menus offer a language when at least this share of its sentences is translated."""
CardNaming = Literal["words", "signs", "both", "codes"]


class Seat(NamedTuple):
    """A player in a sentence, given by a seat number.

    This is a fact: a variable part of a sentence.
    """

    number: int


class Suit(NamedTuple):
    """A suit of cards in a sentence, given by a letter.

    This is a fact: a variable part of a sentence.
    """

    letter: str


class Rank(NamedTuple):
    """A rank of cards in a sentence, given by a letter.

    This is a fact: a variable part of a sentence.
    """

    letter: str


class TranslatableText(NamedTuple):
    """A text that a translator can translate: its key in the text catalogue, and its facts.

    >>> Translator().translate("sentence", said=TranslatableText("outcome.fool", {"who": Seat(1)}))
    'Player 2 is the fool.'
    >>> Translator().translate("review.better", said=TranslatableText("advice.take"))
    'Better: take.'
    >>> Translator().translate("review.cost", said=TranslatableText("past.take", {"who": Seat(1)}), bout=3, who=Seat(1), percent=20)
    "Bout 3: Player 2 took the cards. That lowered Player 2's chance of winning by about 20 percentage points."
    """

    key: str
    facts: Mapping[str, object] = {}


@dataclass(frozen=True)
class Translator:
    r"""Formats sentences of the text catalogue in a language; `own_seat` is called `you`.

    `cards` sets how sentences name cards. With `"both"`, the suit symbol follows the words, after a no-break space. With `"codes"`, sentences count seats from 0 as programs do; otherwise they count players from 1.

    >>> Translator().translate("deed.beat", who=Seat(1), target=Card("7c"), card=Card("9c"))
    'Player 2 beats the 7 of clubs with the 9 of clubs.'
    >>> Translator(cards="codes", own_seat=1).translate("deed.beat", who=Seat(1), target=Card("7c"), card=Card("9c"))
    'You beat 7c with 9c.'
    >>> Translator(cards="both").translate("learn.beat.right", card=Card("9c"))
    'The 9 of clubs\xa0♣︎ is higher. Both cards leave the game.'
    >>> Translator("ru", opponent_keys=((1, "grandmother"),)).translate("outcome.fool", who=Seat(1))
    'бабушка остаётся в дураках'
    >>> Translator("ru").translate("review.skill.count", who=Seat(1), percent=4.5, count=100)
    'Игрок 2: 100 раз можно было выбирать из нескольких ходов. В среднем за такой ход потеряно 4,5 % шанса на победу.'
    """

    language: str = "en"
    _: KW_ONLY
    cards: CardNaming = "words"
    own_seat: int | None = None
    opponent_keys: tuple[tuple[int, str], ...] = ()
    """The seats of named opponents, as pairs of a seat and the opponent's key."""
    card_letters: str = ""
    """The letters of cards that are written with suit symbols: a value of the setting `card_letters`; "" means the user's default."""

    def __post_init__(self) -> None:
        if self.cards not in CARD_NAMINGS:
            raise DurakError(f"cards={short_repr(self.cards)} is no way to name cards; use {', '.join(map(repr, CARD_NAMINGS))}")
        # A fixed choice keeps the letters in sentences that are in English because this language lacks them.
        object.__setattr__(self, "card_letters", choose_card_letters(self.language, self.card_letters))

    @property
    def letters(self) -> Mapping[str, str]:
        """Return what a card shows for each rank that has a letter.

        >>> Translator("ru").letters["A"], Translator("ru", card_letters="international").letters["A"], Translator("ru").letters["T"]
        ('Т', 'A', '10')
        """
        return CARD_LETTERS[self.card_letters]

    def translate(self, key: str, /, **facts: object) -> str:
        """Return the sentence for a key of the text catalogue, with its facts inserted.

        If the language lacks the sentence, the whole sentence is in English.

        >>> Translator().translate("screen.cards", count=1), Translator().translate("screen.cards", count=2)
        ('1 card', '2 cards')
        """
        sentence = self._fill_template(key, facts)
        return sentence[0].upper() + sentence[1:] if sentence.endswith(".") else sentence

    def _fill_template(self, key: str, facts: Mapping[str, object]) -> str:
        """Return the text for a catalogue key with the facts inserted, before it is capitalized."""
        template = self._find_template(key, facts)
        if template is None or not (self.language == "en" or is_well_formed(template)):
            if self.language == "en":
                raise KeyError(f"{key!r} has no words for {', '.join(facts) or 'no facts'}")
            return replace(self, language="en")._fill_template(key, facts)
        try:
            return template.format_map({name: _FormattedFact(self, fact) for name, fact in facts.items()})
        except (LookupError, ValueError, TypeError, AttributeError):  # The braces in the translation are malformed.
            if self.language == "en":
                raise
            return replace(self, language="en")._fill_template(key, facts)

    def name_card(self, card: Card) -> str:
        """Return the name of a card, for use outside of a sentence.

        >>> Translator().name_card(Card("6d=h")), Translator(cards="codes").name_card(Card("6d=h")), Translator().name_card(Card("Xr"))
        ('6 of diamonds as hearts', '6d=h', 'red joker')
        """
        return (
            str(card)
            if self.cards == "codes"
            else self._format_card_as_sign(card)
            if self._is_written_as_sign(card)
            else self._format_card_in_words(card, "nom")
        )

    def name_player(self, seat: int) -> str:
        """Return the name of the player in a seat, for use outside of a sentence.

        >>> Translator(opponent_keys=((1, "aunt"),)).name_player(1), Translator().name_player(1)
        ('Aunt Lida', 'Player 2')
        """
        key = self._find_opponent_key(Seat(seat))
        name = self._language.people[key]["nom"] if key else self.translate("screen.name", number=seat + 1)
        return name[0].upper() + name[1:]

    @property
    def _language(self) -> Language:
        return get_language(self.language)

    def _find_template(self, key: str, facts: Mapping[str, object]) -> str | None:
        """Return the sentence for a catalogue key, before its facts are inserted; None if missing."""
        words, count = self._language, facts.get("count")
        return next((sentence for variant in self._iterate_keys(key, facts) if (sentence := words.find_sentence(variant, count))), None)

    def _iterate_keys(self, key: str, facts: Mapping[str, object]) -> Iterator[str]:
        """Yield the catalogue keys that a sentence may have, the most specific key first."""
        who = facts.get("who")
        is_addressed = self.own_seat is not None and Seat(self.own_seat) in (
            (who,) if isinstance(who, Seat) or not isinstance(who, tuple) else who
        )
        yield from (f"{key}.typed",) * (self.cards == "codes") + (f"{key}.you",) * is_addressed + (key,)

    def _format_fact(self, value: object, form: str) -> str:
        """Format a fact (a variable part of a sentence) in the form that the sentence needs.

        A form that ends in `capital` is for a fact that begins a sentence.
        """
        if form.endswith("capital"):
            text = self._format_fact(value, form.removesuffix("capital").rstrip())
            return text[:1].upper() + text[1:]
        if isinstance(value, TranslatableText):
            if form == "within":
                return self._fill_template(value.key, value.facts)
            sentence = self.translate(value.key, **value.facts)
            return sentence[:1].lower() + sentence[1:] if form == "lower" else sentence
        if isinstance(value, Card):
            return self._format_card(value, form)
        if isinstance(value, Seat):
            return self._format_seat(value, form)
        if isinstance(value, Suit):
            return self._format_suit(value, form)
        if isinstance(value, Rank):
            return self._language.ranks[value.letter][form or "nom"]
        if isinstance(value, int):
            return self._format_count(value, self._language.nouns[form]) if form else str(value)
        if isinstance(value, float):
            return f"{value:.1f}".replace(".", self._language.point)
        if isinstance(value, str):  # Questions store cards as text with J, Q, K and A.
            return value if self.card_letters == "international" else localize_signs(value, self.letters)
        return self._format_list(value, form)  # type: ignore[arg-type]

    def _format_suit(self, suit: Suit, form: str) -> str:
        """Format a suit in the form that the sentence needs.

        The form `sign` is its symbol, for a sentence that has the name itself.
        """
        sign = _NO_BREAK_SPACE + SUIT_SIGNS[suit.letter] + _TEXT_STYLE
        if form == "sign":
            return sign if self.cards in ("signs", "both") else ""
        return self._language.suits[suit.letter][form or "nom"] + sign * (self.cards == "both")

    def _format_count(self, number: int, noun: Mapping[str, str]) -> str:
        """Format a number with a noun in the right plural form, such as `2 cards`."""
        return noun["zero"] if number == 0 and "zero" in noun else f"{number} {noun[self._language.plural(number)]}"

    def _format_list(self, values: Iterable[object], form: str) -> str:
        """Format several facts as a list, such as `a, b or c`.

        The first word of `form` selects the conjunction, and the other words are the form of each fact.
        """
        conjunction, _, item_form = form.partition(" ")
        *first, last = [self._format_fact(value, item_form) for value in values] or [self.translate("none")]
        if conjunction == "row":
            return (" " if self.cards == "codes" else ", ").join([*first, last])
        return ", ".join(first) + {"list": ", ", **self._language.conjunctions}[conjunction] + last if first else last

    def _format_seat(self, seat: Seat, form: str) -> str:
        """Format a player, such as `you` or `Player 2`, in the form that the sentence needs."""
        words, has_codes = self._language, self.cards == "codes"
        forms = (
            words.you
            if seat.number == self.own_seat
            else words.seat
            if has_codes
            else words.people.get(self._find_opponent_key(seat), words.player)
        )
        return forms[form or "nom"].format(number=seat.number + (not has_codes))

    def _find_opponent_key(self, seat: Seat) -> str:
        """Return the key of the named opponent in a seat; an empty text if there is none."""
        return next((key for number, key in self.opponent_keys if number == seat.number), "")

    def _format_card(self, card: Card, form: str) -> str:
        """Format a card in the form that the sentence needs."""
        case = form.removesuffix("laid").strip() or "nom"
        if self.cards == "words" or (self.cards == "signs" and card.is_joker):
            return self.translate("card.said", card=self._format_card_in_words(card, case))
        if self.cards == "both":
            name = replace(self, cards="words")._format_card(card, form)
            return name if card.is_joker else name + self._format_suit(Suit(card.suit or ""), "sign")
        card_name = self._format_card_as_sign(card) if self.cards == "signs" else str(card)
        if self.cards == "codes" and card is not card.face and form.endswith("laid"):
            # A card that is played as a card of another suit is written as that card, with its own code in brackets.
            card_name = f"{Card.from_code(card.effective_face)} ({card})"
        return self._language.symbol_forms.get(case, "{card}").format(card=card_name)

    def _is_written_as_sign(self, card: Card) -> bool:
        """Return whether this translator writes a card with a suit symbol."""
        return self.cards == "signs" and not card.is_joker

    def _format_card_as_sign(self, card: Card) -> str:
        """Format a card with a suit symbol, such as `7♠` or `6♦ as ♥`."""
        sign = self.letters.get(card.rank, card.rank) + SUIT_SIGNS[card.face.suit or ""] + _TEXT_STYLE
        return sign if card is card.face else self.translate("card.as", card=sign, suit=SUIT_SIGNS[card.suit or ""] + _TEXT_STYLE)

    def _format_card_in_words(self, card: Card, case: str) -> str:
        """Format a card in words, such as `7 of spades`."""
        words = self._language
        if card.is_joker:
            return words.jokers[str(card)][case]
        name = self.translate("card", rank=words.ranks[card.rank][case], of=words.suits[card.face.suit or ""]["of"])
        return name if card is card.face else self.translate("card.as", card=name, suit=words.suits[card.suit or ""]["nom"])


class _FormattedFact:
    """Wraps a fact (a variable part of a sentence), so that `str.format` can insert it."""

    __slots__ = ("value", "voice")

    def __init__(self, voice: Translator, value: object) -> None:
        self.voice, self.value = voice, value

    def __format__(self, how: str) -> str:
        return self.voice._format_fact(self.value, how)


class Language(NamedTuple):
    """A language: its sentences, its word forms, and its plural forms."""

    name: str
    """The name of the language in the language itself, such as `Deutsch`."""
    plurals: tuple[str, ...]
    """The names of the language's plural forms for whole numbers, as in the Unicode CLDR, such as `one` and `other`."""
    plural: Callable[[int], str]
    """The function that returns the name of the plural form for a whole number."""
    ranks: Mapping[str, WordForms]
    """The names of the ranks of cards, in all grammatical forms."""
    suits: Mapping[str, WordForms]
    """The names of the suits, in all grammatical forms; the name of a card uses the form `of`."""
    jokers: Mapping[str, WordForms]
    """The names of the two jokers, in all grammatical forms."""
    symbol_forms: WordForms
    """For each grammatical case, the words before and after a card that is written with a suit symbol."""
    seat: WordForms
    """The words for a seat, for sentences that count seats from 0 as programs do."""
    player: WordForms
    """The words for a player, for sentences that count players from 1."""
    you: WordForms
    """The words for the player whom a sentence calls `you`."""
    people: Mapping[str, WordForms]
    """The names of the named opponents inside a sentence, by the opponent's key."""
    conjunctions: Mapping[str, str]
    """The texts that join the last item of a list to the others, such as ` or `."""
    nouns: Mapping[str, Mapping[str, str]]
    """The nouns that follow a number, in each plural form; for 0, the text `zero` replaces both the number and the noun."""
    sentences: Mapping[str, str]
    """The sentences of the language, by catalogue key.

    A key that ends in `.you` has the form for the player that the sentence is about, `.typed` has the form for people who type moves, and the name of
    a plural form has the form for such a `{count}`.
    """
    card_letters: str = "international"
    """The letters that cards show in this language by default: a key of `CARD_LETTERS`."""
    point: str = "."
    """The character that separates the decimals of a number."""
    rules: Mapping[str, str] = {}
    """The texts about rules, by catalogue key.

    The English texts are beside each rule option, and replace missing translations. The keys are `option.<name>.<value>`; for a number
    `option.<name>` (with the name of a plural form, `zero` or `none` at the end); `preset.<name>`; and `preset.<name>.title`.
    """

    def find_sentence(self, key: str, count: object = None) -> str | None:
        """Return the sentence for a catalogue key and a count; None if it is not translated."""
        return self._find_text(self.sentences, key, count)

    def find_rule_text(self, key: str, count: int = 0) -> str | None:
        """Return the text about a rule for a key and a count; None if it is not translated.

        >>> get_language("ru").find_rule_text("preset.neighbours.title"), get_language("en").find_rule_text("preset.neighbours.title")
        ('Соседи', None)
        """
        return self._find_text(self.rules, key, count)

    @property
    def letters(self) -> Mapping[str, str]:
        """Return what a card shows for each rank that has a letter.

        If the user chose other letters, return those.

        >>> get_language("ru").letters["K"], get_language("en").letters["A"]
        ('К', 'A')
        """
        choice = get_default_card_letters()
        return CARD_LETTERS[self.card_letters if choice == "auto" else choice]

    def _find_text(self, texts: Mapping[str, str], key: str, count: object) -> str | None:
        """Return the text for a catalogue key and a number; None if it is missing or empty."""
        return texts.get(key) or (texts.get(f"{key}.{self.plural(count)}") if isinstance(count, int) else None) or None


@lru_cache
def list_language_codes() -> tuple[str, ...]:
    """Return the codes of all languages, including unfinished ones.

    >>> "en" in list_language_codes()
    True
    """
    from pkgutil import iter_modules  # noqa: PLC0415 - asked once, and by no program that says nothing

    return tuple(sorted(module.name for module in iter_modules(_LANGUAGE_FOLDERS) if not module.name.startswith("_")))


@lru_cache
def list_offered_languages() -> tuple[str, ...]:
    """Return the codes of the languages that menus offer.

    These languages have at least 95 % of the sentences, and the names of all cards.

    >>> "en" in list_offered_languages(), set(list_offered_languages()) <= set(list_language_codes())
    (True, True)
    """
    return tuple(code for code in list_language_codes() if _is_offered(code))


def _is_offered(code: str) -> bool:
    """Return whether a language is complete enough for menus."""
    try:
        return compute_translated_share(get_language(code)) >= MIN_OFFERED_SHARE and has_all_card_names(get_language(code))
    except Exception:  # noqa: BLE001 - a file that somebody is still writing; Translator(code) says what is wrong with it
        return False


def compute_translated_share(words: Language) -> float:
    """Return the share of the English sentences that a language has translated, from 0 to 1."""
    english = get_language("en")
    return 1 - len(list_missing_keys(words.sentences, words.plurals)) / len(
        expand_plural_forms(english.sentences, english.plurals, words.plurals)
    )


def has_all_card_names(words: Language) -> bool:
    """Return whether a language has a name for each rank, each suit and each joker.

    The function checks the form `nom`, and for suits also the form `of`, which a card's name contains.
    """
    english = get_language("en")
    return all(
        (names.get(letter) or {}).get(form)
        for names, english_names, form in (
            (words.ranks, english.ranks, "nom"),
            (words.suits, english.suits, "nom"),
            (words.suits, english.suits, "of"),
            (words.jokers, english.jokers, "nom"),
        )
        for letter in english_names
    )


@lru_cache
def get_complete_sentences(code: str) -> Mapping[str, str]:
    """Return all sentences of a language by key; untranslated sentences are in English.

    >>> get_complete_sentences("en") == get_language("en").sentences
    True
    """
    words, english = get_language(code), get_language("en")
    english_sentences = expand_plural_forms(english.sentences, english.plurals, words.plurals)
    return {key: sentence for key, sentence in words.sentences.items() if sentence} | {
        key: english_sentences[key] for key in list_missing_keys(words.sentences, words.plurals)
    }


def list_missing_keys(sentences: Mapping[str, str], plurals: tuple[str, ...]) -> list[str]:
    """Return the keys of the sentences that a language has not translated.

    The keys have this language's plural forms and the order of the English sentences. A sentence with a fact that the English sentence does not
    have counts as missing, because no caller passes this fact.

    >>> list_missing_keys({"screen.hand": "Jūsų kortos"}, ("one", "few", "other"))[3:8]
    ['error.absent', 'error.full', 'error.memory', 'error.ended', 'card']
    """
    english = get_language("en")
    english_forms, stems = (
        expand_plural_forms(english.sentences, english.plurals, plurals),
        find_plural_stems(english.sentences, english.plurals),
    )

    def is_translated(key: str) -> bool:
        """Return whether this language has a valid sentence for a catalogue key."""
        stem = strip_plural_form(key, stems, plurals)
        sentence = sentences.get(key) or sentences.get(stem)
        if not sentence:
            return False
        english_sentence = (
            english_forms[key] if stem == key else " ".join(english.sentences.get(f"{stem}.{form}", "") for form in english.plurals)
        )
        return english_sentence == sentence or find_placeholder_names(sentence) <= find_placeholder_names(english_sentence)

    return [key for key in english_forms if not is_translated(key)]


def find_placeholder_names(sentence: str) -> set[str]:
    """Return the names of a sentence's facts (variable parts).

    For malformed braces, the result is `{"?"}`.

    >>> sorted(find_placeholder_names("{who} beats {card:acc}")), find_placeholder_names("{card!r}") == find_placeholder_names("{card") == {"?"}
    (['card', 'who'], True)
    """
    return set(_FACT_PATTERN.findall(sentence)) if is_well_formed(sentence) else {"?"}


def is_well_formed(sentence: str) -> bool:
    """Return whether a sentence has no malformed braces, and only names of facts in them.

    >>> is_well_formed("{who} beats {card:acc}"), is_well_formed("{card.voice}")
    (True, False)
    """
    return _WELL_FORMED_PATTERN.fullmatch(sentence) is not None


def expand_plural_forms(sentences: Mapping[str, str], source_plurals: tuple[str, ...], plurals: tuple[str, ...]) -> dict[str, str]:
    """Convert the keys of sentences from one language's plural forms to another's.

    >>> expand_plural_forms({"you": "you", "card.one": "1 card", "card.other": "cards"}, ("one", "other"), ("one", "few", "many"))
    {'you': 'you', 'card.one': '1 card', 'card.few': 'cards', 'card.many': 'cards'}
    """
    stems = find_plural_stems(sentences, source_plurals)
    expanded: dict[str, str] = {}
    for key, sentence in sentences.items():
        stem = strip_plural_form(key, stems, source_plurals)
        expanded |= (
            {key: sentence}
            if stem == key
            else {
                f"{stem}.{plural_form}": sentences.get(f"{stem}.{plural_form}", sentences[f"{stem}.{source_plurals[-1]}"])
                for plural_form in plurals
            }
        )
    return expanded


def find_plural_stems(sentences: Mapping[str, str], plurals: tuple[str, ...]) -> set[str]:
    """Return the keys that have a sentence for each plural form; omit the name of the form."""
    stems = {key.removesuffix(f".{plurals[0]}") for key in sentences if key.endswith(f".{plurals[0]}")}
    return {stem for stem in stems if all(f"{stem}.{form}" in sentences for form in plurals)}


def strip_plural_form(key: str, stems: set[str], plurals: tuple[str, ...]) -> str:
    """Remove the name of a plural form from the end of a key, if the key has one.

    >>> strip_plural_form("card.one", {"card"}, ("one", "other")), strip_plural_form("card.as", {"card"}, ("one", "other"))
    ('card', 'card.as')
    """
    stem, _, form = key.rpartition(".")
    return stem if form in plurals and stem in stems else key


def get_language(code: str) -> Language:
    """Return the language with a given language code; raise an error if there is none.

    >>> get_language("en").name
    'English'
    """
    if code not in list_language_codes():
        raise DurakError(
            f"there are no words in {short_repr(code)}; there are words in {', '.join(list_offered_languages())}.{suggest_nearest(code, list_language_codes())}"
        )
    return _load_language(code)


def choose_card_letters(language: str, choice: str = "") -> str:
    """Return the key in `CARD_LETTERS` of the letters that cards show in a language.

    `choice` is a value of the setting `card_letters`; if it is "", use the user's default.

    >>> choose_card_letters("ru"), choose_card_letters("en"), choose_card_letters("en", "lithuanian")
    ('russian', 'international', 'lithuanian')
    """
    choice = choice or get_default_card_letters()
    if choice not in CARD_LETTER_CHOICES:
        raise DurakError(f"card_letters={short_repr(choice)}: use {', '.join(map(repr, CARD_LETTER_CHOICES))}")
    own_letters = get_language(language).card_letters
    return own_letters if choice == "auto" else choice


@lru_cache
def _load_language(code: str) -> Language:
    """Import the module of a language, and return the language that it defines."""
    return cast("Language", import_module(f"durak_widget.i18n.{code}").LANGUAGE)
