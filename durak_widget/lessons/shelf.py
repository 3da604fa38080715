"""The puzzles that come with the house, `puzzles.txt`: mined by `tools/puzzles.py`, each proved."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from durak_widget.errors import DurakError, quoted
from durak_widget.lessons.endgame_puzzle import Puzzle
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = Path(__file__).with_name("puzzles.txt")


@lru_cache(maxsize=1)
def shelf() -> tuple[Puzzle, ...]:
    """All of them, preset by preset, the easier first.

    >>> len(shelf()) >= 1000, len({one.position.partition(":")[0] for one in shelf() if ":" in one.position}) >= 4
    (True, True)
    """
    return tuple(read(FILE.read_text(encoding="utf-8")))


def by_rules(rules: Rules | str | None = None) -> tuple[Puzzle, ...]:
    """The puzzles that are played by these rules; all of them, where none are named.

    >>> by_rules() == shelf(), {str(one.rules) for one in by_rules("siege")}
    (True, {'siege'})
    """
    kept = None if rules is None else Rules.parse(rules) if isinstance(rules, str) else rules
    found = tuple(one for one in shelf() if kept is None or one.rules == kept)
    if not found:
        there = ", ".join(dict.fromkeys(str(one.rules) for one in shelf()))
        raise DurakError(f"there are no endings by the rules {quoted(str(kept))}; there are some by {there}")
    return found


def read(text: str) -> list[Puzzle]:
    r"""Puzzles as they are written: a line with the preset, then a line for each of its puzzles, its grade first.

    >>> read("# podkidnoy\n2 Qd Ks 7d | Kh Kc 9d; trump h\n# siege\n1 Jc Kh Ah | 9h; trump h\n")[1]
    Puzzle(position='siege: Jc Kh Ah | 9h; trump h', grade=1)
    """
    found, rules = [], ""
    for line in text.splitlines():
        if line.startswith("#"):
            rules = line[1:].strip()
        elif line.strip():
            grade, _, position = line.partition(" ")
            found.append(Puzzle(position if rules == _USUAL else f"{rules}: {position}", int(grade)))
    return found


_USUAL = "podkidnoy"
"""The rules that a position need not name."""


def written(puzzles: Iterable[Puzzle]) -> str:
    """Puzzles as `read` reads them."""
    by_rules: dict[str, list[str]] = {}
    for one in sorted(puzzles, key=lambda one: (one.grade, len(one.position), one.position)):
        rules, colon, position = one.position.rpartition(": ")
        by_rules.setdefault(rules if colon else _USUAL, []).append(f"{one.grade} {position}")
    return "".join(f"# {rules}\n" + "".join(f"{line}\n" for line in lines) for rules, lines in by_rules.items())
