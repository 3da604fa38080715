"""Writes the parts of docs/ that are generated from the program.

These parts are docs/rules.md, docs/refusals.md, the table of bots in docs/bots.md, an image of a table and the
images of the boards. A test compares them with what this program writes.
"""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docs_live import BOARDS
from durak_widget import Game, Rules
from durak_widget.bots.bot import BUILT_IN_BOTS, get
from durak_widget.engine.moves import REFUSAL_CODES
from durak_widget.i18n import get_language
from durak_widget.rules.option import ChoiceOption, LettersOption, NumberOption
from durak_widget.rules.preset_catalogue import BASIC, ECON, ENCYCLOPEDIA, LITHUANIA, PRESETS, THROWN_UP, Preset
from durak_widget.rules.rules_form import OPTION_NAMES_BY_GROUP

if TYPE_CHECKING:
    from collections.abc import Mapping

DOCS = Path(__file__).resolve().parent.parent / "docs"


_RULES_INTRODUCTION = """\
This page lists every option of the rules, and the presets made from them, for players and programmers. The number after an option is
the lesson that explains it. `rules.explain()` says in words what a rule set means.

```python
>>> from durak_widget import Rules
>>> rules = Rules.preset("transfer", players=3)
>>> rules = Rules(throw_in_when="any_time", attack_limit=None)

```"""
_OPTION_SECTIONS = {
    "Players and the deck": ("seating", "pack"),
    "The deal and trumps": ("dealing", "trump"),
    "What beats what": ("beating", "declaring"),
    "Attacking and throwing in": ("opening", "limit", "throwing"),
    "Transferring and swapping": ("transfer", "exchange"),
    "Turns and the end": ("turns", "scoring"),
}
"""The headings of the options on the page of the rules, with the groups of options below each."""
_SOURCE_NUMBERS = {LITHUANIA: "000", BASIC: "001", THROWN_UP: "002", ECON: "003", ENCYCLOPEDIA: "004"}
"""The numbers of the sources in docs/readings.md."""
_PRESETS_INTRODUCTION = """\
`Rules.preset(name, **changes)` takes one of these names. Players are free unless the row sets them; `econ431` is for two.
*From* is the number of [the source](readings.md#the-five-sources)."""
_REFUSALS_INTRODUCTION = """\
This page lists, for programmers, every reason why a move is refused.

```python
>>> from durak_widget import Game
>>> from durak_widget.i18n import Translator
>>> refusal = Game(seed=7).why_not("take")
>>> refusal.code, refusal.to_text(Translator("lt"))
('nothing_to_take', 'Nėra ko imti: ant stalo nėra kortų.')

```

`game.play` raises `IllegalMove` with this `.code`, which never changes."""


def lesson_links(link: str = "[{number}](../notebooks/{path})") -> dict[str, str]:
    """Return the link to the lesson that explains each option and preset, by its name.

    It comes from the index in the last notebook. A link can have the lesson's number, title and path.
    """
    cells = json.loads((DOCS.parent / "notebooks" / "16_under_the_hood.ipynb").read_text(encoding="utf-8"))["cells"]
    prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return {
        name: link.format(number=number, title=title, path=path)
        for number, title, path, row in re.findall(r"^\| (\d+\w?) · \[([^]]+)\]\(([^)]+)\) \| (.*) \|$", prose, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }


def values_and_meanings(option: ChoiceOption | NumberOption | LettersOption, default: object) -> tuple[list[str], list[str]]:
    """Return the values of an option (the default first), and the meaning of each."""
    if isinstance(option, ChoiceOption):
        values = sorted(option.sentences, key=lambda value: value != default)
        return [f"`{value!r}`" for value in values], [option.sentences[value] for value in values]
    if isinstance(option, LettersOption):
        return [f"`{default!r}`, or a choice of `{option.alphabet}`"], [option.template.format("…")]
    meanings = [
        option.template.format(n="*n*", s="s"),
        option.zero_sentence and f"0: {option.zero_sentence}",
        option.none_sentence and f"None: {option.none_sentence}",
    ]
    return [f"`{default}`; {option.describe_values()}"], [line for line in meanings if line]


def option_row(name: str, option: ChoiceOption | NumberOption | LettersOption, default: object, lesson: str) -> str:
    """Return the table row for one option."""
    values, meanings = values_and_meanings(option, default)
    if isinstance(option, NumberOption):
        more = ", or None" if option.none_sentence else ""
        meanings = [f"`{default}`; {0 if option.zero_sentence else option.minimum} or more{more}.", *meanings]
    elif len({meaning.replace(value.strip("`"), "") for value, meaning in zip(values, meanings, strict=True)}) == 1:
        meanings = [f"{', '.join(values)}: {meanings[0].replace(values[0].strip('`'), '').strip()}"]
    else:
        meanings = [f"{value}: {meaning}" for value, meaning in zip(values, meanings, strict=True)]
    return f"| `{name}` {lesson} | {'<br> '.join(meanings)} |"


def _find_base(name: str, preset: Preset) -> tuple[str, Mapping[str, object]]:
    """Return the first preset with three or more options that are all options of this preset too, and these; if there is none, nothing."""
    for other, earlier in PRESETS.items():
        if other == name:
            break
        if len(earlier.options) > 2 and earlier.options.items() <= preset.options.items():
            return other, earlier.options
    return "", {}


def preset_row(name: str, preset: Preset) -> str:
    """Return the table row for one preset."""
    base, shared = _find_base(name, preset)
    changed = [f"`{key}={value!r}`" for key, value in preset.options.items() if key not in shared]
    options = ", ".join([f"as `{base}`"] * bool(base) + changed) or "–"
    source = ", ".join(_SOURCE_NUMBERS.get(part, part) for part in preset.source.split("; "))
    return f"| `{name}` | {preset.summary} | {options} | {source} |"


def rules_page() -> str:
    """Return the page on all rule options and presets."""
    links, every_option = lesson_links(), {field.name: field for field in fields(Rules)}
    picture = "![The panel “Rules and variants”: how Podkidnoy goes, and the button Play](images/rules-panel.webp)"
    lines = [
        "# Rules and presets",
        "",
        *_RULES_INTRODUCTION.splitlines(),
        "",
        picture,
        "",
        "## Options",
        "",
        "The first value is the default.",
        "",
    ]
    for heading, groups in _OPTION_SECTIONS.items():
        lines += [f"### {heading}", "", "| option | values |", "|---|---|"]
        for name in (name for group in groups for name in OPTION_NAMES_BY_GROUP[group]):
            field = every_option.pop(name)
            lines.append(option_row(name, field.metadata["option"], field.default, links.get(name, "")))
        lines.append("")
    if every_option:
        raise ValueError(f"{', '.join(every_option)}: no section of docs/rules.md has this option; add its group to _OPTION_SECTIONS")
    lines += ["## Presets", "", *_PRESETS_INTRODUCTION.splitlines(), "", "| preset | what it is | options | from |", "|---|---|---|---|"]
    return "\n".join([*lines, *(preset_row(name, preset) for name, preset in PRESETS.items()), ""])


def refusals_page() -> str:
    """Return the page on all codes of refused moves, with the sentences of each."""
    sentences = get_language("en").sentences
    rows = []
    for code in REFUSAL_CODES:
        keys = [key for key in sentences if f"{key}.".startswith(f"refusal.{code}.") and not key.endswith((".you", ".one"))]
        texts = [sentences[key].replace("{count:card}", "{count} cards") for key in keys]
        refusal_sentences = [re.sub(r"{([a-z]+)(:[a-z ]+)?}", r"*\1*", text) for text in texts]
        rows.append(f"| `{code}` | {'<br> '.join(dict.fromkeys(refusal_sentences))} |")
    return "\n".join(
        [
            "# Refusal codes",
            "",
            *_REFUSALS_INTRODUCTION.splitlines(),
            "",
            "| code | sentences |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def bot_row(name: str) -> str:
    """Return a bot's table row: its name, its settings and the first line of its docstring."""
    implementation = get(name).implementation
    factory = implementation if inspect.isfunction(implementation) else type(implementation)
    settings = [f"`{setting}`" for setting in inspect.signature(factory).parameters] if inspect.isclass(factory) else []
    return f"| `{name}` | {', '.join(settings)} | {(inspect.getdoc(factory) or '').partition(chr(10))[0]} |"


def bots_page() -> str:
    """Return docs/bots.md with an up-to-date table of bots."""
    before, head, rest = (DOCS / "bots.md").read_text(encoding="utf-8").partition("| name | settings | |\n|---|---|---|\n")
    return "".join([before, head, *(f"{bot_row(name)}\n" for name in BUILT_IN_BOTS), rest[rest.index("\n\n") + 1 :]])


def picture() -> str:
    """Draw the README's table: a card to beat, a talon, and a hand with some playable cards."""
    game = Game.from_position(
        Rules(players=3),
        hands=["Qc 9h Qh 7s 6d Jd", "8c Tc 8h Th Ks", "Ac 9d As"],
        attacker=2,
        table="9c/Jc 9s",
        talon="7c Kc 7h Jh 8s Js Kd Ad Qs 7d",
        turn_up="7d",
        discard="6c 6h 8d Td",
    )
    return game.svg(0)


def board(name: str) -> str:
    """Draw a board of the docs in its first state, before a reader touches it."""
    from durak_widget.web.board_links import BoardLink  # noqa: PLC0415 - only these pictures need a front end that is built

    return BoardLink.from_text(BOARDS[name]["link"]).build_board().svg() + "\n"


PAGES = {
    "rules.md": rules_page,
    "refusals.md": refusals_page,
    "bots.md": bots_page,
    "images/table.svg": picture,
    **{f"images/board-{name}.svg": partial(board, name) for name in BOARDS},
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
        print(f"docs/{name}: written")
