"""The class `Rules`: all options as one immutable value without impossible combinations.

A rule set is named after its preset. If there is none, it is named after the nearest preset, with a note that something differs.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from durak_widget.cards import FACES, ONE_DECK, SUITS, Card, CardSet
from durak_widget.errors import RulesError, nearest, quoted
from durak_widget.i18n import Voice
from durak_widget.i18n import language as spoken
from durak_widget.rules import deck_and_beating, preset_catalogue
from durak_widget.rules.attack import (
    Limit,
    Opening,
    Throwing,
    Transfer,
    check_transfer,
    ineffective_throwing_options,
    ineffective_transfer_options,
)
from durak_widget.rules.deal_and_trump import (
    Dealing,
    Exchange,
    Trumping,
    check_dealing,
    check_exchange,
    check_trump,
    ineffective_dealing_options,
    ineffective_trump_options,
)
from durak_widget.rules.deck_and_beating import Beating, Declaring, Pack, check_beating, check_declaring
from durak_widget.rules.scoring import Scoring
from durak_widget.rules.seating import Seating, check_seating
from durak_widget.rules.turns import Turns, ineffective_turn_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.i18n import Language

_LONGEST_TEXT = 2000
OPTION_GROUPS = MappingProxyType(
    {
        "seating": Seating,
        "pack": Pack,
        "dealing": Dealing,
        "trump": Trumping,
        "beating": Beating,
        "opening": Opening,
        "limit": Limit,
        "throwing": Throwing,
        "transfer": Transfer,
        "declaring": Declaring,
        "exchange": Exchange,
        "turns": Turns,
        "scoring": Scoring,
    }
)
"""The options by subject, in reading order; the page and the translations use these names of groups."""
_CHECKS = (check_seating, check_dealing, check_trump, check_beating, check_transfer, check_declaring, check_exchange)
"""The checks that refuse options that cannot be played together; the first failure is reported."""
_INEFFECTIVE = (
    ineffective_dealing_options,
    ineffective_trump_options,
    ineffective_throwing_options,
    ineffective_transfer_options,
    ineffective_turn_options,
)
"""The functions that find options without effect."""


@dataclass(frozen=True, repr=False)
class Rules(Scoring, Turns, Exchange, Declaring, Transfer, Throwing, Limit, Opening):
    """The rules of a game: an immutable value of all options, given by name.

    >>> Rules(players=3, transfer=True)
    Rules(players=3, transfer=True)
    >>> Rules.preset("transfer", players=3).throw_in_by
    'attacker'
    >>> Rules(passport=True)
    Traceback (most recent call last):
    durak_widget.errors.RulesError: Rules(passport=True): showing a trump only works where attacks may be transferred; add transfer=True
    """

    def __new__(cls, *args: object, **options: object) -> Rules:  # noqa: D102 - refuses what __init__ could only call a TypeError
        if args:
            msg = f"Rules takes options by name, such as Rules(players=3), not {quoted(args[0])}."
            if isinstance(args[0], str):
                msg += f" For a rule set with a name, write Rules.preset({quoted(args[0])})"
            raise RulesError(msg)
        for name in options:
            if name not in _OPTIONS:
                msg = f"Rules has no option {quoted(name)}.{nearest(name, _OPTIONS)} Rules.options() lists them all"
                raise RulesError(msg)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        for name in ("ranks", "suits"):
            object.__setattr__(self, name, _in_order(name, getattr(self, name)))
        for name, option in _OPTIONS.items():
            value = getattr(self, name)
            if not option.accepts(value):
                msg = f"Rules({name}={quoted(value)}): {name} takes {option.values()}.{option.near(value)}"
                raise RulesError(msg)
        for check in _CHECKS:
            check(self)
        object.__setattr__(self, "_hash", hash(tuple(getattr(self, name) for name in _OPTIONS)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined,no-any-return]

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return _rebuilt, (self.changes(),)

    def __repr__(self) -> str:
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in self.changes().items())})"

    def __str__(self) -> str:
        preset = self.name
        changes = self.changes()
        if preset is not None:
            known = preset_catalogue.PRESETS[preset].options
            changes = {name: value for name, value in changes.items() if name not in known}
        return ", ".join([*([preset] if preset else []), *(f"{name}={value}" for name, value in changes.items())])

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Parse a text such as `str(rules)`: perhaps a preset, then options, with commas between.

        >>> Rules.parse("transfer, players=3, trump=h") == Rules.preset("transfer", players=3, trump="h")
        True
        """
        if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
            msg = f"{quoted(text)} does not say rules: write a preset and options, such as 'transfer, players=3'"
            raise RulesError(msg)
        return _parsed(text)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Rules:
        """Return the rule set of this preset, with changes.

        >>> Rules.preset("perevodnoy", players=4)
        Rules(players=4, transfer=True)
        """
        preset = preset_catalogue.PRESETS.get(name) if isinstance(name, str) else None
        if preset is None:
            msg = f"there is no preset {quoted(name)}.{nearest(name, preset_catalogue.PRESETS)} Rules.presets() lists them all"
            raise RulesError(msg)
        if name in preset_catalogue.FOR_TWO and changes.get("players", 2) != 2:
            msg = f"Rules.preset({name!r}) is a game for two players; for more, write Rules.preset({name!r}).replace(players={quoted(changes['players'])})"
            raise RulesError(msg)
        return cls(**{**preset.options, **changes})

    @staticmethod
    def presets(language: str = "en") -> Mapping[str, str]:
        """Return the names of the presets, each with a description in one line.

        >>> Rules.presets()["no_trumps"], Rules.presets("ru")["no_trumps"]
        ('There is no trump suit.', 'Козырной масти нет.')
        """
        words = spoken(language)
        return MappingProxyType({name: words.rule(f"preset.{name}") or preset.line for name, preset in preset_catalogue.PRESETS.items()})

    @staticmethod
    def options() -> Mapping[str, str]:
        """Return the names of all options, each with its possible values.

        >>> Rules.options()["deal"]
        "'hand', 'all', 'all_but_one'"
        """
        return MappingProxyType({name: option.values() for name, option in _OPTIONS.items()})

    def replace(self, **changes: Any) -> Rules:
        """Return these rules with some options changed.

        >>> Rules(players=3).replace(trump="h")
        Rules(players=3, trump='h')
        """
        return Rules(**{**self.changes(), **changes})

    @classmethod
    def of(cls, rules: Rules | str | None) -> Rules:
        """Return the rules given as `Rules`, as a text, or as None for the plain throw-in game.

        >>> Rules.of("transfer, players=3") == Rules.preset("transfer", players=3), Rules.of(None) == Rules()
        (True, True)
        """
        return rules if isinstance(rules, Rules) else _PLAIN if rules is None else cls.parse(rules)

    def beaters(self, card: Card | str, trump: str | None) -> CardSet:
        """Return the cards of the deck that beat this one with this trump suit (None: no trumps).

        A card counts in the suit in which it was played. A card that may be played in a suit of one's choice is included if it beats in
        one of them.

        >>> Rules().beaters("Kc", trump="h") & "Ac 6h Ad"
        CardSet('Ac 6h')
        >>> Rules.preset("weli").beaters("6d=h", trump=None) & "6c 7d 7h"
        CardSet('7h')
        """
        if trump is not None and trump not in tuple(SUITS):
            raise RulesError(f"trump={quoted(trump)} is not a suit; say 'c', 'd', 'h', 's', or None for no trumps")
        return _beaters(self, trump)[Card(card).counts]

    def changes(self) -> dict[str, Any]:
        """Return the options that differ from the plain throw-in game for two.

        >>> Rules.preset("poker").changes()
        {'swaps': 3}
        """
        return {name: getattr(self, name) for name, default in DEFAULTS.items() if getattr(self, name) != default}

    @property
    def name(self) -> str | None:
        """Return the name of the preset with these rules, for any number of players.

        It is None for a mix of one's own.

        >>> Rules(players=5, transfer=True).name
        'perevodnoy'
        """
        own_changes = self.changes()
        changes_without_players = {name: value for name, value in own_changes.items() if name != "players"}
        for name, preset in preset_catalogue.PRESETS.items():
            if preset.options == own_changes or (preset.options == changes_without_players and name not in preset_catalogue.FOR_TWO):
                return name
        return None

    def explain(self, language: str = "en") -> Explanation:
        """Explain the rules: the differences from the plain throw-in game, and the rest.

        >>> print(Rules(players=3, transfer=True).explain())  # doctest: +ELLIPSIS
        Perevodnoy. Throw-in durak in which an attack may be transferred with a card of its rank.
        <BLANKLINE>
        Unlike the plain throw-in game for two:
        - players: 3 players.
        - transfer: Before beating anything, ...
        >>> print(Rules.preset("neighbours").explain("lt"))  # doctest: +ELLIPSIS
        Kaimynai. Primeta tik du besiginančiojo kaimynai.
        ...
        """
        words, say = spoken(language), Voice(language).say
        title, changed = say("rules.own"), self.changes()
        if self.name is not None:
            preset, line = preset_catalogue.PRESETS[self.name], self.presets(language)[self.name]
            same_presets = [
                name for name, other in preset_catalogue.PRESETS.items() if other.options == preset.options and name != self.name
            ]
            preset_name = preset_title(self.name, words)
            others = ", ".join(words.rule(f"preset.{name}.title") or name for name in same_presets)
            title = say("rules.preset.also" if same_presets else "rules.preset", title=preset_name, also=others, line=line)
        ineffective_names = {name for ineffective in _INEFFECTIVE for name in ineffective(self)}
        values = ((name, getattr(self, name), option) for name, option in _OPTIONS.items())
        rows = [(name, value, option.sentence(value, words, f"option.{name}")) for name, value, option in values]
        groups = (
            (say("rules.unlike"), [row for row in rows if row[0] in changed and row[0] not in ineffective_names]),
            (say("rules.alike") if changed else "", [row for row in rows if row[0] not in changed and row[0] not in ineffective_names]),
            (say("rules.idle"), [row for row in rows if row[0] in ineffective_names]),
        )
        return Explanation(title, groups)


Groups = tuple[tuple[str, list[tuple[str, Any, str]]], ...]
"""The type of headings with their options: name, value, sentence."""


class Explanation(str):  # noqa: SLOT000 - a text that also shows itself as a table
    """The rules in words; in a notebook, a table."""

    heading: str
    groups: Groups

    def __new__(cls, title: str, groups: Groups) -> Explanation:  # noqa: D102
        lines = [title]
        for heading, rows in groups:
            if rows:
                lines += ["", *([heading] if heading else []), *(f"- {name}: {sentence}" for name, _, sentence in rows)]
        explanation = super().__new__(cls, "\n".join(lines))
        explanation.heading, explanation.groups = title, groups
        return explanation

    def __reduce__(self) -> tuple[type[Explanation], tuple[str, Groups]]:
        return Explanation, (self.heading, self.groups)

    def _repr_html_(self) -> str:
        """Return a table, with the differences from the plain throw-in game first."""
        from html import escape  # noqa: PLC0415 - needed only in a notebook

        body = ""
        for heading, rows in self.groups:
            if rows and heading:
                body += f'<tr><th colspan="2" style="text-align:left">{escape(heading)}</th></tr>'
            for name, value, sentence in rows:
                body += f'<tr><td><code>{name}={escape(repr(value))}</code></td><td style="text-align:left">{escape(sentence)}</td></tr>'
        return f"<table><caption>{escape(self.heading)}</caption><tbody>{body}</tbody></table>"


@lru_cache(maxsize=128)
def _parsed(text: str) -> Rules:
    """Parse a text into rules, with a cache: positions repeat the same texts."""
    first, *rest = [part.strip() for part in text.split(",")]
    preset, parts = (first, rest) if "=" not in first else ("podkidnoy", [first, *rest])
    changes: dict[str, Any] = {}
    for part in parts:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name in changes:
            msg = f"{quoted(part)} does not say an option: write its name once, '=' and a value, such as 'players=3'"
            raise RulesError(msg)
        changes[name] = _OPTIONS[name].read(value) if name in _OPTIONS else value
    return Rules.preset(preset, **changes)


@lru_cache(maxsize=256)
def _beaters(rules: Rules, trump: str | None) -> tuple[CardSet, ...]:
    """Return, for each face, the cards of the deck that beat it."""
    masks = deck_and_beating.beaters(rules, None if trump is None else SUITS.index(trump))
    beaten_by = (deck_and_beating.playable_as(rules, mask & ONE_DECK) for mask in masks)
    return tuple(CardSet.of(faces | faces << FACES if deck_and_beating.two_decks(rules) else faces) for faces in beaten_by)


def _rebuilt(options: dict[str, Any]) -> Rules:
    return Rules(**options)


def _in_order(name: str, value: object) -> object:
    """Return the letters of `ranks` or `suits` in ascending order.

    Any other value is returned unchanged, for the check to refuse.
    """
    alphabet = _OPTIONS[name].alphabet
    if not isinstance(value, str):
        return value
    value = value.replace("10", "T")
    return "".join(sorted(value, key=alphabet.find)) if set(value) <= set(alphabet) else value


_DECLARED = {field.name: field for field in fields(Rules)}
_OPTIONS: dict[str, Any] = {name: _DECLARED[name].metadata["option"] for group in OPTION_GROUPS.values() for name in group.__annotations__}
DEFAULTS: Final[dict[str, Any]] = {name: _DECLARED[name].default for name in _OPTIONS}
"""All options with their values in the plain throw-in game."""
_PLAIN = Rules()


def preset_title(name: str, words: Language) -> str:
    """Return the title of a preset in this language."""
    return words.rule(f"preset.{name}.title") or name.replace("_", " ").capitalize()


def rules_title(rules: Rules, language: str = "en") -> str:
    """Return the title of the rules: the preset, or the nearest one with a note of changes.

    >>> rules_title(Rules.preset("siege", players=3)), rules_title(Rules(transfer=True, trump="h"))
    ('Siege', 'Perevodnoy, with changes')
    """
    named = preset_title(nearest_preset(rules), spoken(language))
    return named if rules.name else Voice(language).say("rules.mix", title=named)


@lru_cache(maxsize=64)
def nearest_preset(rules: Rules) -> str:
    """Return the preset with the fewest differences, for any number of players.

    >>> nearest_preset(Rules.preset("siege", jokers=2))
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
