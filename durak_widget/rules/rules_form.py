"""Builds the form in which users choose rules, with explanations of all options.

The module also collects all rule sentences in English, with the keys that translations use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.cards import RANKS, SUITS
from durak_widget.errors import RulesError, short_repr, suggest_nearest
from durak_widget.i18n import Translator, get_language
from durak_widget.i18n import get_language as spoken
from durak_widget.rules import preset_catalogue
from durak_widget.rules.option import ChoiceOption, LettersOption, NumberOption, format_letters
from durak_widget.rules.preset_catalogue import PRESETS
from durak_widget.rules.ruleset import DEFAULTS, OPTION_GROUPS, Rules, find_options_without_effect, format_preset_title

if TYPE_CHECKING:
    from durak_widget.i18n import Language

RARE_GROUPS: Final = frozenset({"declaring", "exchange", "turns", "scoring"})
"""The names of the groups of rule options that few users change."""
_MAX_OFFERED: Final = {"hand_size": 10, "attack_limit": 10, "first_bout_limit": 8, "swaps": 5, "repetition": 5}
"""The highest number that the form offers for each numeric option; Python code may set a higher one."""
_FIELDS: Final = {field.name: field for field in fields(Rules)}
_OPTIONS: Final[dict[str, ChoiceOption | NumberOption | LettersOption]] = {
    name: field.metadata["option"] for name, field in _FIELDS.items()
}
OPTION_NAMES_BY_GROUP: Final = {name: tuple(group.__annotations__) for name, group in OPTION_GROUPS.items()}
"""The names of the rule options in each group of options."""


class FormField(NamedTuple):
    """A field of the rules form: one rule option with its value and its choices in words."""

    name: str
    value: Any
    label: str
    """The label of the field; empty if the choices are clear without a label."""
    offers: tuple[tuple[Any, str], ...]
    """The choices of the field, as pairs of a value and a text (a sentence or a few symbols)."""
    meaning: str | None = None
    """The sentence that explains the current value; None if each choice is already a sentence."""


def require_preset(name: object) -> str:
    """Return a preset's name unchanged; raise an error if there is no preset with this name.

    >>> require_preset("seige")
    Traceback (most recent call last):
    durak_widget.errors.RulesError: there is no preset 'seige'. Did you mean 'siege'? Rules.presets() lists them all
    """
    if not isinstance(name, str) or name not in preset_catalogue.PRESETS:
        raise RulesError(
            f"there is no preset {short_repr(name)}.{suggest_nearest(name, preset_catalogue.PRESETS)} Rules.presets() lists them all"
        )
    return name


def get_preset_options(preset: str, players: object = 2) -> dict[str, Any]:
    """Return all options of a preset, for `players` players if the preset allows this number.

    >>> get_preset_options("siege", 3)["players"], get_preset_options("teams", 3)["players"]
    (3, 4)
    """
    options = preset_catalogue.PRESETS[preset].options
    if "players" not in options and preset not in preset_catalogue.TWO_PLAYER_PRESETS and _OPTIONS["players"].accepts(players):
        options = {**options, "players": players}
    return {**DEFAULTS, **options}


def require_options(options: object) -> dict[str, Any]:
    """Complete the given rule options with the default values of all other options.

    Raise an error if an option has an invalid value. The function does not check whether the options conflict with each other.

    >>> require_options({"swaps": -1})
    Traceback (most recent call last):
    durak_widget.errors.RulesError: swaps takes 0 or a whole number from 1 to 1000000, not -1
    """
    if not isinstance(options, Mapping):
        raise RulesError(f"options must have a value for each option name, not {short_repr(options)}")
    for name, value in options.items():
        if name not in _OPTIONS:
            raise RulesError(f"there is no option {short_repr(name)}.{suggest_nearest(name, _OPTIONS)} Rules.options() lists them all")
        if not _OPTIONS[name].accepts(value):
            raise RulesError(f"{name} takes {_OPTIONS[name].describe_values()}, not {short_repr(value)}")
    return {**DEFAULTS, **options}


def explain_value(name: str, value: object, language: str = "en") -> str:
    """Return the sentence that explains a value of a rule option, in a language.

    >>> explain_value("jokers", 0), explain_value("transfer", False, "lt")
    ('No jokers.', 'Besiginantysis turi mušti arba imti.')
    """
    return _OPTIONS[name].explain(value, spoken(language), f"option.{name}")  # type: ignore[arg-type]


def build_field(name: str, value: object, language: str = "en") -> FormField:
    """Build the form field for a rule option that has the given value.

    >>> build_field("jokers", 0).offers[0], build_field("hand_size", 3).offers[:2], build_field("hand_size", 3).meaning
    ((0, 'No jokers.'), ((1, '1'), (2, '2')), 'Each player gets 3 cards, and draws back up to 3 until the talon is empty.')
    """
    option = _OPTIONS[name]
    label = "" if isinstance(option, ChoiceOption) and len(option.sentences) == 2 else Translator(language).translate(f"rules.label.{name}")
    if isinstance(option, ChoiceOption):
        usual_first = sorted(option.sentences, key=lambda choice: choice != DEFAULTS[name]) if not label else option.sentences
        return FormField(name, value, label, tuple((choice, explain_value(name, choice, language)) for choice in usual_first))
    offers = [(choice, _format_short(choice, language)) for choice in dict.fromkeys([*_list_offered_values(name, option), value])]
    explanation = "" if isinstance(option, LettersOption) else explain_value(name, value, language)
    return FormField(name, value, label, tuple(offers), explanation)


def _list_offered_values(name: str, option: NumberOption | LettersOption) -> list[Any]:
    """Return the values that the form offers for a rule option with numbers or letters."""
    if isinstance(option, LettersOption):
        alphabet = option.alphabet
        return (
            [alphabet[start:] for start in range(len(RANKS) - 4)]
            if alphabet == RANKS
            else [alphabet, *(alphabet.replace(suit, "") for suit in SUITS)]
        )
    return (
        [None] * (option.none_sentence is not None)
        + [0] * (option.zero_sentence is not None)
        + list(range(option.minimum, _MAX_OFFERED[name] + 1))
    )


def _format_short(value: object, language: str) -> str:
    """Format a number, ranks or suits briefly, for the label of a choice in the rules form."""
    if value is None:
        return "–"
    if not isinstance(value, str):
        return str(value)
    return format_letters(value, get_language(language))


def describe_changes(options: Mapping[str, Any], preset: str, language: str = "en") -> list[str]:
    """Return a sentence for each option that differs from a preset, except the player count.

    >>> describe_changes({**DEFAULTS, "jokers": 2}, "podkidnoy")
    ['Each deck has a red and a black joker. A joker beats any card of its colour, and nothing beats a joker.']
    """
    preset_options = {**DEFAULTS, **preset_catalogue.PRESETS[preset].options, "players": options["players"]}
    return [explain_value(name, value, language) for name, value in options.items() if value != preset_options[name]]


def list_presets(language: str = "en") -> list[tuple[str, str]]:
    """Return the name of every preset, and its title in the given language.

    >>> list_presets("ru")[0]
    ('podkidnoy', 'Подкидной')
    """
    words: Language = spoken(language)
    return [(name, format_preset_title(name, words)) for name in preset_catalogue.PRESETS]


def group_presets() -> dict[str, list[str]]:
    """Return the names of the presets in each group of the rules dialog, in reading order.

    >>> group_presets()["class"]
    ['econ431']
    """
    return {
        group: [name for name, preset in preset_catalogue.PRESETS.items() if preset.group == group]
        for group in preset_catalogue.PRESET_GROUPS
    }


def find_hidden_options(options: Mapping[str, Any], *, is_refused: bool) -> set[str]:
    """Return the options that the form hides, because they have no effect with the others.

    If the options conflict, the form shows all that differ from the usual values, because one of them can be the reason.

    >>> "passport" in find_hidden_options(DEFAULTS, is_refused=False)
    True
    >>> "passport" in find_hidden_options({**DEFAULTS, "passport": True}, is_refused=True)
    False
    """
    names = find_options_without_effect(options)
    return {name for name in names if options[name] == DEFAULTS[name]} if is_refused else names


def collect_rule_sentences() -> dict[str, str]:
    """Return all English sentences about rules, each with its key in the catalogue of texts.

    The titles of the presets are included. Sentences with a number have one form for singular and plural.

    >>> sentences = collect_rule_sentences()
    >>> sentences["option.transfer.False"], sentences["option.hand_size"], sentences["preset.neighbours.title"]
    ('The defender has to beat the cards or take them.', 'Each player gets {n} card{s}, and draws back up to {n} until the talon is empty.', 'Neighbours')
    """
    sentences: dict[str, str] = {}
    for field in fields(Rules):
        option, key = field.metadata["option"], f"option.{field.name}"
        if isinstance(option, ChoiceOption):
            sentences |= {f"{key}.{value}": sentence for value, sentence in option.sentences.items()}
        elif isinstance(option, NumberOption):
            cases = {key: option.template, f"{key}.zero": option.zero_sentence, f"{key}.none": option.none_sentence}
            sentences |= {case: sentence for case, sentence in cases.items() if sentence is not None}
        else:
            sentences[key] = option.template
    for name, preset in PRESETS.items():
        sentences |= {f"preset.{name}": preset.summary, f"preset.{name}.title": format_preset_title(name, get_language("en"))}
    return sentences
