"""Writes the parts of docs/ that are generated from the program.

These parts are docs/rules.md, docs/refusals.md, the table of bots in docs/bots.md, an image of a table and the
images of the boards. A test compares them with what this program writes.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from functools import partial
from pathlib import Path

from docs_live import BOARDS
from durak_widget import Game, Rules
from durak_widget.bots.bot import BUILT_IN_BOTS, get
from durak_widget.engine.moves import REFUSAL_CODES
from durak_widget.i18n import get_language
from durak_widget.rules.option import ChoiceOption, LettersOption, NumberOption
from durak_widget.rules.preset_catalogue import PRESETS

DOCS = Path(__file__).resolve().parent.parent / "docs"


_REFUSED = (
    "An `IllegalMove` has a stable `.code`, a `.refusal` with the facts, and a sentence. `game.why_not(move)` gives the same without raising. "
    "After it stands what may be played instead. "
    "`refusal.to_text(voice)` says it in another language, or to the player it is about."
)


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


def option_row(name: str, option: ChoiceOption | NumberOption | LettersOption, default: object) -> str:
    """Return the table row for one option."""
    values, meanings = values_and_meanings(option, default)
    return f"| `{name}` | {', '.join(values)} | {'<br>'.join(meanings)} |"


def rules_page() -> str:
    """Return the page on all rule options and presets."""
    rows = [option_row(field.name, field.metadata["option"], field.default) for field in fields(Rules)]
    presets = [
        f"| `{name}` | {preset.summary} | {', '.join(f'`{key}={value!r}`' for key, value in preset.options.items()) or '–'} | {preset.source} |"
        for name, preset in PRESETS.items()
    ]
    return "\n".join(
        [
            "# The rules: options and presets",
            "",
            "Every option by its flat name, its values (the default first) and what they mean. `rules.explain()` says the same of one rule set.",
            "",
            "| option | values | what it means |",
            "|---|---|---|",
            *rows,
            "",
            "## Presets",
            "",
            "`Rules.preset(name, **changes)`. The number of players is free where the row names none (`econ431` is for two).",
            "",
            "| preset | what it is | options | from |",
            "|---|---|---|---|",
            *presets,
            "",
        ]
    )


def refusals_page() -> str:
    """Return the page on all codes of refused moves, with the sentences of each."""
    sentences = get_language("en").sentences
    rows = []
    for code in REFUSAL_CODES:
        keys = [key for key in sentences if f"{key}.".startswith(f"refusal.{code}.") and not key.endswith(".you")]
        refusal_sentences = [re.sub(r":[a-z ]+}", "}", sentences[key].replace("{count:card}", "{count} cards")) for key in keys]
        rows.append(f"| `{code}` | {'<br>'.join(refusal_sentences)} |")
    return "\n".join(
        [
            "# Why a move was refused",
            "",
            _REFUSED,
            "",
            "| code | what it says |",
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
    from durak_widget.web.blackboard_page import BoardLink  # noqa: PLC0415 - only these pictures need a front end that is built

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
