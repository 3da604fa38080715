"""Defines the class `Rules`: all rule options of a game as one immutable value.

The title of a rule set is the title of its preset. If no preset has these rules, it is the title of the nearest preset, with the words "with
changes".
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, SUITS, Card, CardSet
from durak_widget.errors import RulesError, short_repr, suggest_nearest
from durak_widget.i18n import Translator
from durak_widget.i18n import get_language as spoken
from durak_widget.rules import deck_and_beating, preset_catalogue
from durak_widget.rules.attack import (
    LimitOptions,
    OpeningOptions,
    ThrowInOptions,
    TransferOptions,
    check_transfer,
    find_ineffective_throwing_options,
    find_ineffective_transfer_options,
)
from durak_widget.rules.deal_and_trump import (
    DealOptions,
    SwapOptions,
    TrumpOptions,
    check_dealing,
    check_exchange,
    check_trump,
    find_ineffective_dealing_options,
    find_ineffective_trump_options,
)
from durak_widget.rules.deck_and_beating import BeatingOptions, DeckOptions, FreeSuitOptions, check_beating, check_free_suits
from durak_widget.rules.scoring import ScoringOptions
from durak_widget.rules.seating import SeatingOptions, check_seating, find_ineffective_seating_options
from durak_widget.rules.turns import TurnOptions, find_ineffective_turn_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.i18n import Language

_MAX_TEXT_LENGTH = 2000
OPTION_GROUPS = MappingProxyType(
    {
        "seating": SeatingOptions,
        "pack": DeckOptions,
        "dealing": DealOptions,
        "trump": TrumpOptions,
        "beating": BeatingOptions,
        "opening": OpeningOptions,
        "limit": LimitOptions,
        "throwing": ThrowInOptions,
        "transfer": TransferOptions,
        "declaring": FreeSuitOptions,
        "exchange": SwapOptions,
        "turns": TurnOptions,
        "scoring": ScoringOptions,
    }
)
"""The rule options in groups by subject, in reading order; the web page and the translations use the group names."""
_CHECKS = (check_seating, check_dealing, check_trump, check_beating, check_transfer, check_free_suits, check_exchange)
"""The functions that raise an error if rule options conflict; `Rules` calls them in this order."""
_INEFFECTIVE_FINDERS = (
    find_ineffective_seating_options,
    find_ineffective_dealing_options,
    find_ineffective_trump_options,
    find_ineffective_throwing_options,
    find_ineffective_transfer_options,
    find_ineffective_turn_options,
)
"""The functions that find rule options that have no effect because of other options."""


@dataclass(frozen=True, repr=False)
class Rules(ScoringOptions, TurnOptions, SwapOptions, FreeSuitOptions, TransferOptions, ThrowInOptions, LimitOptions, OpeningOptions):
    """The rules of a game as one immutable value; pass the rule options as keyword arguments.

    >>> Rules(players=3, transfer=True)
    Rules(players=3, transfer=True)
    >>> Rules.preset("transfer", players=3).throw_in_by
    'attacker'
    >>> Rules(passport=True)
    Traceback (most recent call last):
    durak_widget.errors.RulesError: Rules(passport=True): showing a trump only works if attacks can be transferred; add transfer=True
    """

    def __new__(cls, *args: object, **options: object) -> Rules:  # noqa: D102 - refuses what __init__ could only call a TypeError
        if args:
            msg = f"Rules takes options by name, such as Rules(players=3), not {short_repr(args[0])}."
            if isinstance(args[0], str):
                msg += f" For a rule set with a name, write Rules.preset({short_repr(args[0])})"
            raise RulesError(msg)
        for name in options:
            if name not in _OPTIONS:
                msg = f"Rules has no option {short_repr(name)}.{suggest_nearest(name, _OPTIONS)} Rules.options() lists them all"
                raise RulesError(msg)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        for name in ("ranks", "suits"):
            object.__setattr__(self, name, _sort_letters(name, getattr(self, name)))
        for name, option in _OPTIONS.items():
            value = getattr(self, name)
            if not option.accepts(value):
                msg = f"Rules({name}={short_repr(value)}): {name} takes {option.describe_values()}.{option.suggest(value)}"
                raise RulesError(msg)
        for check in _CHECKS:
            check(self)
        object.__setattr__(self, "_hash", hash(tuple(getattr(self, name) for name in _OPTIONS)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined,no-any-return]

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return _rebuild_rules, (self.changes(),)

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in self.changes().items())})"

    def __str__(self) -> str:
        preset = self.name
        changes = self.changes()
        if preset is not None:
            preset_options = preset_catalogue.PRESETS[preset].options
            changes = {name: value for name, value in changes.items() if name not in preset_options}
        return ", ".join([*([preset] if preset else []), *(f"{name}={value}" for name, value in changes.items())])

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Parse rules from a text: an optional preset and some options, separated by commas.

        >>> Rules.parse("transfer, players=3, trump=h") == Rules.preset("transfer", players=3, trump="h")
        True
        """
        if not isinstance(text, str) or len(text) > _MAX_TEXT_LENGTH:
            msg = f"{short_repr(text)} is not a text of rules; write a preset and options, such as 'transfer, players=3'"
            raise RulesError(msg)
        return _parse_rules(text)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Rules:
        """Return the rule set of a preset; keyword arguments change some of its options.

        >>> Rules.preset("perevodnoy", players=4)
        Rules(players=4, transfer=True)
        """
        preset = preset_catalogue.PRESETS.get(name) if isinstance(name, str) else None
        if preset is None:
            msg = f"there is no preset {short_repr(name)}.{suggest_nearest(name, preset_catalogue.PRESETS)} Rules.presets() lists them all"
            raise RulesError(msg)
        if name in preset_catalogue.TWO_PLAYER_PRESETS and changes.get("players", 2) != 2:
            msg = f"Rules.preset({name!r}) is a game for two players; for more, write Rules.preset({name!r}).replace(players={short_repr(changes['players'])})"
            raise RulesError(msg)
        return cls(**{**preset.options, **changes})

    @staticmethod
    def presets(language: str = "en") -> Mapping[str, str]:
        """Return a mapping from the name of each preset to its one-line description.

        >>> Rules.presets()["no_trumps"], Rules.presets("ru")["no_trumps"]
        ('There are no trumps.', 'Козырей нет.')
        """
        words = spoken(language)
        return MappingProxyType(
            {name: words.find_rule_text(f"preset.{name}") or preset.summary for name, preset in preset_catalogue.PRESETS.items()}
        )

    @staticmethod
    def options() -> Mapping[str, str]:
        """Return a mapping from the name of each rule option to a text with its possible values.

        >>> Rules.options()["deal"]
        "'hand', 'all', 'all_but_one'"
        """
        return MappingProxyType({name: option.describe_values() for name, option in _OPTIONS.items()})

    def replace(self, **changes: Any) -> Rules:
        """Return a copy of the rules; keyword arguments change some of the options.

        >>> Rules(players=3).replace(trump="h")
        Rules(players=3, trump='h')
        """
        return Rules(**{**self.changes(), **changes})

    @classmethod
    def coerce(cls, rules: Rules | str | None) -> Rules:
        """Convert a text to `Rules`, and None to the default rules; return `Rules` unchanged.

        >>> Rules.coerce("transfer, players=3") == Rules.preset("transfer", players=3), Rules.coerce(None) == Rules()
        (True, True)
        """
        return rules if isinstance(rules, Rules) else _DEFAULT_RULES if rules is None else cls.parse(rules)

    def beaters(self, card: Card | str, trump: str | None) -> CardSet:
        """Return the cards of the deck that beat a given card under a given trump suit.

        The given card has the suit in which it was played. A card that may be played in any suit is included if it beats the given card in one
        of these suits.

        >>> Rules().beaters("Kc", trump="h") & "Ac 6h Ad"
        CardSet('Ac 6h')
        >>> Rules.preset("weli").beaters("6d=h", trump=None) & "6c 7d 7h"
        CardSet('7h')
        """
        if trump is not None and trump not in tuple(SUITS):
            raise RulesError(f"trump must be 'c', 'd', 'h', 's', or None for no trumps, not {short_repr(trump)}")
        return _find_beater_sets(self, trump)[Card(card).effective_face]

    def changes(self) -> dict[str, Any]:
        """Return the options that differ from the plain throw-in game for two players.

        >>> Rules.preset("poker").changes()
        {'swaps': 3}
        """
        return {name: getattr(self, name) for name, default in DEFAULTS.items() if getattr(self, name) != default}

    @property
    def name(self) -> str | None:
        """Return the name of the preset that equals these rules, apart from the player count.

        The name is None if no preset has these rules.

        >>> Rules(players=5, transfer=True).name
        'perevodnoy'
        """
        own_changes = self.changes()
        changes_without_players = {name: value for name, value in own_changes.items() if name != "players"}
        for name, preset in preset_catalogue.PRESETS.items():
            if preset.options == own_changes or (
                preset.options == changes_without_players and name not in preset_catalogue.TWO_PLAYER_PRESETS
            ):
                return name
        return None

    def explain(self, language: str = "en") -> Explanation:
        """Explain the rules in words, first the options that differ from the plain throw-in game.

        >>> for line in Rules(players=3, transfer=True).explain().splitlines()[:5]:
        ...     print(line or "-")
        Perevodnoy. Like Podkidnoy, but you can transfer the attack with a card of its rank.
        -
        Differences from the plain throw-in game for two:
        - players: 3 players.
        - transfer: Before beating a card, the defender can add a card of the same rank. This transfers the attack to the next player.
        >>> print(Rules.preset("neighbours").explain("lt").heading)
        Kaimynai. Primeta tik du besiginančiojo kaimynai.
        """
        words, say = spoken(language), Translator(language).translate
        title, changed = say("rules.own"), self.changes()
        if self.name is not None:
            preset, line = preset_catalogue.PRESETS[self.name], self.presets(language)[self.name]
            same_presets = [
                name for name, other in preset_catalogue.PRESETS.items() if other.options == preset.options and name != self.name
            ]
            preset_name = format_preset_title(self.name, words)
            other_titles = ", ".join(words.find_rule_text(f"preset.{name}.title") or name for name in same_presets)
            title = say("rules.preset.also" if same_presets else "rules.preset", title=preset_name, also=other_titles, line=line)
        ineffective_names = find_options_without_effect(changed)
        values = ((name, getattr(self, name), option) for name, option in _OPTIONS.items())
        rows = [(name, value, option.explain(value, words, f"option.{name}")) for name, value, option in values]
        groups = (
            (say("rules.unlike"), [row for row in rows if row[0] in changed and row[0] not in ineffective_names]),
            (say("rules.alike") if changed else "", [row for row in rows if row[0] not in changed and row[0] not in ineffective_names]),
            (say("rules.idle"), [row for row in rows if row[0] in ineffective_names]),
        )
        return Explanation(title, groups)


ExplanationGroups = tuple[tuple[str, list[tuple[str, Any, str]]], ...]
"""The type of an explanation's groups: a heading, and the name, value and sentence of each rule option in the group."""


class Explanation(str):  # noqa: SLOT000 - a text that also shows itself as a table
    """A text that explains a rule set in words; a notebook displays it as a table."""

    heading: str
    groups: ExplanationGroups

    def __new__(cls, title: str, groups: ExplanationGroups) -> Explanation:  # noqa: D102
        lines = [title]
        for heading, rows in groups:
            if rows:
                lines += ["", *([heading] if heading else []), *(f"- {name}: {sentence}" for name, _, sentence in rows)]
        explanation = super().__new__(cls, "\n".join(lines))
        explanation.heading, explanation.groups = title, groups
        return explanation

    def __reduce__(self) -> tuple[type[Explanation], tuple[str, ExplanationGroups]]:
        return Explanation, (self.heading, self.groups)

    def _repr_html_(self) -> str:
        """Return the explanation as an HTML table, which a notebook displays."""
        from html import escape  # noqa: PLC0415 - needed only in a notebook

        body = ""
        for heading, rows in self.groups:
            if rows and heading:
                body += f'<tr><th colspan="2" style="text-align:left">{escape(heading)}</th></tr>'
            for name, value, sentence in rows:
                body += f'<tr><td><code>{name}={escape(repr(value))}</code></td><td style="text-align:left">{escape(sentence)}</td></tr>'
        return f"<table><caption>{escape(self.heading)}</caption><tbody>{body}</tbody></table>"


@lru_cache(maxsize=128)
def _parse_rules(text: str) -> Rules:
    """Parse rules from a text; cache the result, because many positions have the same rules."""
    first_part, *other_parts = [part.strip() for part in text.split(",")]
    preset, parts = (first_part, other_parts) if "=" not in first_part else ("podkidnoy", [first_part, *other_parts])
    changes: dict[str, Any] = {}
    for part in parts:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name in changes:
            msg = f"{short_repr(part)} is not an option; write its name once, '=' and a value, such as 'players=3'"
            raise RulesError(msg)
        changes[name] = _OPTIONS[name].parse(value) if name in _OPTIONS else value
    return Rules.preset(preset, **changes)


@lru_cache(maxsize=256)
def _find_beater_sets(rules: Rules, trump: str | None) -> tuple[CardSet, ...]:
    """Return the cards of the deck that beat each card, as card sets indexed by face code."""
    masks = deck_and_beating.beater_masks(rules, None if trump is None else SUITS.index(trump))
    beaten_by = (deck_and_beating.faces_playable_as(rules, mask & ONE_DECK_MASK) for mask in masks)
    return tuple(CardSet.from_mask(faces | faces << FACE_COUNT if deck_and_beating.has_two_decks(rules) else faces) for faces in beaten_by)


def _rebuild_rules(options: dict[str, Any]) -> Rules:
    return Rules(**options)


def _sort_letters(name: str, value: object) -> object:
    """Sort the letters of the option `ranks` or `suits`, lowest first.

    An invalid value is returned unchanged; the later check refuses it.
    """
    alphabet = _OPTIONS[name].alphabet
    if not isinstance(value, str):
        return value
    value = value.replace("10", "T")
    return "".join(sorted(value, key=alphabet.find)) if set(value) <= set(alphabet) else value


_FIELDS_BY_NAME = {field.name: field for field in fields(Rules)}
_OPTIONS: dict[str, Any] = {
    name: _FIELDS_BY_NAME[name].metadata["option"] for group in OPTION_GROUPS.values() for name in group.__annotations__
}
DEFAULTS: Final[dict[str, Any]] = {name: _FIELDS_BY_NAME[name].default for name in _OPTIONS}
"""The default value of each rule option, which is its value in the plain throw-in game."""
_DEFAULT_RULES = Rules()


def find_options_without_effect(options: Mapping[str, Any]) -> set[str]:
    """Return the names of the options without effect in a game with the given options.

    The options may conflict.

    >>> sorted(find_options_without_effect({"trump": "none", "transfer": True}))
    ['hidden_trump', 'low_trump_beats_ace', 'priority', 'teams', 'turn_up']
    """
    unchecked = object.__new__(Rules)
    for name, default in DEFAULTS.items():
        object.__setattr__(unchecked, name, options.get(name, default))
    return {name for find in _INEFFECTIVE_FINDERS for name in find(unchecked)}


def format_preset_title(name: str, language: Language) -> str:
    """Return the title of a preset, translated to a language."""
    return language.find_rule_text(f"preset.{name}.title") or name.replace("_", " ").capitalize()


def format_rules_title(rules: Rules, language: str = "en") -> str:
    """Return the title of the preset most similar to the rules, with a note if they differ.

    >>> format_rules_title(Rules.preset("siege", players=3)), format_rules_title(Rules(transfer=True, trump="h"))
    ('Siege', 'Perevodnoy, with changes')
    """
    named = format_preset_title(find_nearest_preset(rules), spoken(language))
    return named if rules.name else Translator(language).translate("rules.mix", title=named)


@lru_cache(maxsize=64)
def find_nearest_preset(rules: Rules) -> str:
    """Return the name of the preset that differs from the rules in the fewest options.

    >>> find_nearest_preset(Rules.preset("siege", jokers=2))
    'siege'
    """
    own_options = {**rules.changes(), "players": 2}

    def count_differences(name: str) -> int:
        preset_options = preset_catalogue.PRESETS[name].options
        return sum(
            own_options.get(option, DEFAULTS[option]) != preset_options.get(option, DEFAULTS[option])
            for option in {*own_options, *preset_options} - {"players"}
        )

    return rules.name or min(preset_catalogue.PRESETS, key=count_differences)
