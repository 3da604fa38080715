"""What do the rules say, all of it? In English, by the keys under which other languages say it."""

from __future__ import annotations

from dataclasses import fields

from durak_widget.i18n import language
from durak_widget.rules.option import Choice, Number
from durak_widget.rules.preset_catalogue import PRESETS, preset_title
from durak_widget.rules.ruleset import Rules


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
