"""Describes the rules as a form: each option with its possible values, in words.

It also gives all rule sentences in English, by the keys that translations use.
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
"""The subjects in which few people change anything."""
_SO_MANY: Final = {"hand_size": 10, "attack_limit": 10, "first_bout_limit": 8, "swaps": 5, "repetition": 5}
"""How far a number is offered; whoever wants more says so in Python."""
_FIELDS: Final = {field.name: field for field in fields(Rules)}
_OPTIONS: Final[dict[str, Choice | Number | Letters]] = {name: field.metadata["option"] for name, field in _FIELDS.items()}
GROUPS: Final = {name: tuple(group.__annotations__) for name, group in OPTION_GROUPS.items()}
"""The names of the options by subject."""


class Field(NamedTuple):
    """An option on the form: what it is set to, and what it may be set to, each in words."""

    name: str
    value: Any
    label: str
    """What it is about; empty where its answers say all."""
    offers: tuple[tuple[Any, str], ...]
    """Values, each with its sentence, or in a few signs."""
    said: str | None = None
    """What the value means, where the answers are signs."""


def checked_preset(name: object) -> str:
    """A preset's name, if a preset has it.

    >>> checked_preset("seige")
    Traceback (most recent call last):
    durak_widget.errors.RulesError: there is no preset 'seige'. Did you mean 'siege'? Rules.presets() lists them all
    """
    if not isinstance(name, str) or name not in preset_catalogue.PRESETS:
        raise RulesError(f"there is no preset {quoted(name)}.{nearest(name, preset_catalogue.PRESETS)} Rules.presets() lists them all")
    return name


def options_of(preset: str, players: object = 2) -> dict[str, Any]:
    """Every option of a preset, for so many players if it can be played by them.

    >>> options_of("siege", 3)["players"], options_of("teams", 3)["players"]
    (3, 4)
    """
    options = preset_catalogue.PRESETS[preset].options
    if "players" not in options and preset not in preset_catalogue.FOR_TWO and _OPTIONS["players"].accepts(players):
        options = {**options, "players": players}
    return {**DEFAULTS, **options}


def checked_options(options: object) -> dict[str, Any]:
    """These options, each with a value that it takes; those that are not named are as in the plain game. Whether they can be mixed is not asked.

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
    """What a value of an option means.

    >>> says("jokers", 0), says("transfer", False, "lt")
    ('No jokers.', 'Besiginantysis muša arba ima.')
    """
    return _OPTIONS[name].sentence(value, spoken(language), f"option.{name}")  # type: ignore[arg-type]


def field_of(name: str, value: object, language: str = "en") -> Field:
    """An option on the form, set to that.

    >>> field_of("jokers", 0).offers[0], field_of("hand_size", 3).offers[:2], field_of("hand_size", 3).said
    ((0, 'No jokers.'), ((1, '1'), (2, '2')), 'Each player is dealt 3 cards, and draws back up to 3 while there is a talon.')
    """
    option = _OPTIONS[name]
    label = "" if isinstance(option, Choice) and len(option.says) == 2 else Voice(language).say(f"rules.label.{name}")
    if isinstance(option, Choice):
        usual_first = sorted(option.says, key=lambda one: one != DEFAULTS[name]) if not label else option.says
        return Field(name, value, label, tuple((one, says(name, one, language)) for one in usual_first))
    offers = [(one, _short(one)) for one in dict.fromkeys([*_offered(name, option), value])]
    said = "" if isinstance(option, Letters) else says(name, value, language)
    return Field(name, value, label, tuple(offers), said)


def _offered(name: str, option: Number | Letters) -> list[Any]:
    """The values that people choose among."""
    if isinstance(option, Letters):
        whole = option.alphabet
        return [whole[first:] for first in range(len(RANKS) - 4)] if whole == RANKS else [whole, *(whole.replace(one, "") for one in SUITS)]
    return [None] * (option.none is not None) + [0] * (option.zero is not None) + list(range(option.least, _SO_MANY[name] + 1))


def _short(value: object) -> str:
    """A number, ranks or suits, in a few signs."""
    if value is None:
        return "–"
    if not isinstance(value, str):
        return str(value)
    return " ".join(SUIT_SIGNS.get(one) or {"T": "10"}.get(one, one) for one in value)


def told(options: Mapping[str, Any], preset: str, language: str = "en") -> list[str]:
    """What differs from a preset, in words; the number of players is said elsewhere.

    >>> told({**DEFAULTS, "jokers": 2}, "podkidnoy")
    ['A red and a black joker in each deck: each beats any card of its colour, and nothing beats it.']
    """
    theirs = {**DEFAULTS, **preset_catalogue.PRESETS[preset].options, "players": options["players"]}
    return [says(name, value, language) for name, value in options.items() if value != theirs[name]]


def presets(language: str = "en") -> list[tuple[str, str]]:
    """Every preset with its title.

    >>> presets("ru")[0]
    ('podkidnoy', 'Подкидной')
    """
    words: Language = spoken(language)
    return [(name, preset_title(name, words)) for name in preset_catalogue.PRESETS]


def rule_sentences() -> dict[str, str]:
    """Each value of each option, and each preset with its title; numbers without the form for how many.

    >>> said = rule_sentences()
    >>> said["option.transfer.False"], said["option.hand_size"], said["preset.neighbours.title"]
    ('The defender beats or takes.', 'Each player is dealt {n} card{s}, and draws back up to {n} while there is a talon.', 'Neighbours')
    """
    found: dict[str, str] = {}
    for field in fields(Rules):
        option, key = field.metadata["option"], f"option.{field.name}"
        if isinstance(option, Choice):
            found |= {f"{key}.{value}": said for value, said in option.says.items()}
        elif isinstance(option, Number):
            cases = {key: option.says, f"{key}.zero": option.zero, f"{key}.none": option.none}
            found |= {case: said for case, said in cases.items() if said is not None}
        else:
            found[key] = option.says
    for name, preset in PRESETS.items():
        found |= {f"preset.{name}": preset.line, f"preset.{name}.title": preset_title(name, language("en"))}
    return found
