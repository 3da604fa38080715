"""The rules as a form: each option with its possible values, in words.

The module also collects all rule sentences in English, by the keys that translations use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.cards import RANKS, SUIT_SIGNS, SUITS
from durak_widget.errors import RulesError, nearest, quoted
from durak_widget.i18n import Voice, language
from durak_widget.i18n import language as spoken
from durak_widget.rules import preset_catalogue
from durak_widget.rules.option import Choice, Letters, Number
from durak_widget.rules.preset_catalogue import PRESETS
from durak_widget.rules.ruleset import DEFAULTS, OPTION_GROUPS, Rules, preset_title

if TYPE_CHECKING:
    from durak_widget.i18n import Language

RARE: Final = frozenset({"declaring", "exchange", "turns", "scoring"})
"""The groups of options that few people change."""
_SO_MANY: Final = {"hand_size": 10, "attack_limit": 10, "first_bout_limit": 8, "swaps": 5, "repetition": 5}
"""The highest number that the form offers; Python code can set a higher one."""
_FIELDS: Final = {field.name: field for field in fields(Rules)}
_OPTIONS: Final[dict[str, Choice | Number | Letters]] = {name: field.metadata["option"] for name, field in _FIELDS.items()}
GROUPS: Final = {name: tuple(group.__annotations__) for name, group in OPTION_GROUPS.items()}
"""The names of the options by group."""


class Field(NamedTuple):
    """An option on the form: its value and the choices, each in words."""

    name: str
    value: Any
    label: str
    """The label; empty where the choices are clear without it."""
    offers: tuple[tuple[Any, str], ...]
    """The choices: values, each with a sentence or a few signs."""
    said: str | None = None
    """The sentence for the current value, where the choices are signs."""


def checked_preset(name: object) -> str:
    """Require the name of a preset, and return it.

    >>> checked_preset("seige")
    Traceback (most recent call last):
    durak_widget.errors.RulesError: there is no preset 'seige'. Did you mean 'siege'? Rules.presets() lists them all
    """
    if not isinstance(name, str) or name not in preset_catalogue.PRESETS:
        raise RulesError(f"there is no preset {quoted(name)}.{nearest(name, preset_catalogue.PRESETS)} Rules.presets() lists them all")
    return name


def options_of(preset: str, players: object = 2) -> dict[str, Any]:
    """Return all options of a preset, with this number of players if it allows it.

    >>> options_of("siege", 3)["players"], options_of("teams", 3)["players"]
    (3, 4)
    """
    options = preset_catalogue.PRESETS[preset].options
    if "players" not in options and preset not in preset_catalogue.FOR_TWO and _OPTIONS["players"].accepts(players):
        options = {**options, "players": players}
    return {**DEFAULTS, **options}


def checked_options(options: object) -> dict[str, Any]:
    """Require valid values of these options, and return all options.

    Options that are missing have their values in the plain game. Whether they fit together is not checked.

    >>> checked_options({"swaps": -1})
    Traceback (most recent call last):
    durak_widget.errors.RulesError: swaps takes 0 or a whole number from 1 to 1000000, not -1
    """
    if not isinstance(options, Mapping):
        raise RulesError(f"options says which option is set to what, not {quoted(options)}")
    for name, value in options.items():
        if name not in _OPTIONS:
            raise RulesError(f"there is no option {quoted(name)}.{nearest(name, _OPTIONS)} Rules.options() lists them all")
        if not _OPTIONS[name].accepts(value):
            raise RulesError(f"{name} takes {_OPTIONS[name].values()}, not {quoted(value)}")
    return {**DEFAULTS, **options}


def says(name: str, value: object, language: str = "en") -> str:
    """Return the sentence for a value of an option.

    >>> says("jokers", 0), says("transfer", False, "lt")
    ('No jokers.', 'Besiginantysis muša arba ima.')
    """
    return _OPTIONS[name].sentence(value, spoken(language), f"option.{name}")  # type: ignore[arg-type]


def field_of(name: str, value: object, language: str = "en") -> Field:
    """Build the form field of an option with its current value.

    >>> field_of("jokers", 0).offers[0], field_of("hand_size", 3).offers[:2], field_of("hand_size", 3).said
    ((0, 'No jokers.'), ((1, '1'), (2, '2')), 'Each player is dealt 3 cards, and draws back up to 3 while there is a talon.')
    """
    option = _OPTIONS[name]
    label = "" if isinstance(option, Choice) and len(option.says) == 2 else Voice(language).say(f"rules.label.{name}")
    if isinstance(option, Choice):
        usual_first = sorted(option.says, key=lambda choice: choice != DEFAULTS[name]) if not label else option.says
        return Field(name, value, label, tuple((choice, says(name, choice, language)) for choice in usual_first))
    offers = [(choice, _short(choice)) for choice in dict.fromkeys([*_offered(name, option), value])]
    explanation = "" if isinstance(option, Letters) else says(name, value, language)
    return Field(name, value, label, tuple(offers), explanation)


def _offered(name: str, option: Number | Letters) -> list[Any]:
    """Return the values that the form offers."""
    if isinstance(option, Letters):
        alphabet = option.alphabet
        return (
            [alphabet[start:] for start in range(len(RANKS) - 4)]
            if alphabet == RANKS
            else [alphabet, *(alphabet.replace(suit, "") for suit in SUITS)]
        )
    return [None] * (option.none is not None) + [0] * (option.zero is not None) + list(range(option.least, _SO_MANY[name] + 1))


def _short(value: object) -> str:
    """Format a number, ranks or suits with a few signs."""
    if value is None:
        return "–"
    if not isinstance(value, str):
        return str(value)
    return " ".join(SUIT_SIGNS.get(sign) or {"T": "10"}.get(sign, sign) for sign in value)


def told(options: Mapping[str, Any], preset: str, language: str = "en") -> list[str]:
    """Describe the differences from a preset, without the number of players.

    >>> told({**DEFAULTS, "jokers": 2}, "podkidnoy")
    ['A red and a black joker in each deck: each beats any card of its colour, and nothing beats it.']
    """
    preset_options = {**DEFAULTS, **preset_catalogue.PRESETS[preset].options, "players": options["players"]}
    return [says(name, value, language) for name, value in options.items() if value != preset_options[name]]


def presets(language: str = "en") -> list[tuple[str, str]]:
    """Return every preset with its title.

    >>> presets("ru")[0]
    ('podkidnoy', 'Подкидной')
    """
    words: Language = spoken(language)
    return [(name, preset_title(name, words)) for name in preset_catalogue.PRESETS]


def rule_sentences() -> dict[str, str]:
    """Collect the sentences of all options and presets, and the titles of presets.

    Numbers are without plural forms.

    >>> sentences = rule_sentences()
    >>> sentences["option.transfer.False"], sentences["option.hand_size"], sentences["preset.neighbours.title"]
    ('The defender beats or takes.', 'Each player is dealt {n} card{s}, and draws back up to {n} while there is a talon.', 'Neighbours')
    """
    sentences: dict[str, str] = {}
    for field in fields(Rules):
        option, key = field.metadata["option"], f"option.{field.name}"
        if isinstance(option, Choice):
            sentences |= {f"{key}.{value}": sentence for value, sentence in option.says.items()}
        elif isinstance(option, Number):
            cases = {key: option.says, f"{key}.zero": option.zero, f"{key}.none": option.none}
            sentences |= {case: sentence for case, sentence in cases.items() if sentence is not None}
        else:
            sentences[key] = option.says
    for name, preset in PRESETS.items():
        sentences |= {f"preset.{name}": preset.line, f"preset.{name}.title": preset_title(name, language("en"))}
    return sentences
