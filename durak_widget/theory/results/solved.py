"""Miniatures of Durak solved exactly: a table to test other programs against, each value with its certificate checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from durak_widget.theory.results.miniature import Miniature, Worth, proved_worths
from durak_widget.theory.results.result import Result, Row, markdown

LINES: Final = """
podkidnoy cd 67 1 c
podkidnoy cd 67 1 none
podkidnoy cd 67 1 turn_up
podkidnoy cd 67 2 c
podkidnoy cd 67 2 none
podkidnoy cd 678 1 c
podkidnoy cd 678 1 none
podkidnoy cd 678 2 c
podkidnoy cd 678 2 none
podkidnoy cd 678 2 c aside
podkidnoy cd 678 3 c
podkidnoy cd 678 3 none
podkidnoy cdh 67 1 c
podkidnoy cdh 67 1 none
podkidnoy cdh 67 2 c
podkidnoy cdh 67 2 none
podkidnoy cdh 67 3 c
podkidnoy cdh 67 3 none
podkidnoy c 6789T 2 none
podkidnoy c 6789TJ 2 none
podkidnoy cdh 678 2 c aside
podkidnoy cd 6789 3 none aside
econ431 cd 67 1 c
econ431 cd 67 1 none
econ431 cd 67 1 turn_up
econ431 cd 67 2 c
econ431 cd 678 1 c
econ431 cd 678 1 none
econ431 cd 678 1 turn_up
econ431 cd 678 2 c
econ431 cd 678 2 none
econ431 cd 678 2 turn_up
econ431 cd 678 2 c aside
econ431 cd 678 3 c
econ431 cdh 67 1 c
econ431 cdh 67 2 c
econ431 cdh 67 2 none
econ431 cdh 67 3 c
econ431 c 6789TJ 2 none
econ431 cdh 678 2 c aside
econ431 cd 6789 3 none aside
perevodnoy cd 67 1 c
perevodnoy cd 67 2 c
perevodnoy cd 678 2 none
perevodnoy cd 678 3 c
perevodnoy cd 678 3 none
perevodnoy cdh 67 2 c
perevodnoy cdh 67 2 none
perevodnoy cdh 67 3 c
perevodnoy cdh 67 3 none
transfer cdh 67 3 c
passport cd 67 2 c
transfer cd 678 2 none
durnius cd 67 1 c
durnius cdh 67 3 c
durnius cd 678 3 c
thrown_up cd 678 2 none
thrown_up cdh 67 3 c
wikipedia cd 678 3 c
bulk cd 678 3 turn_up
bulk_transfer cd 678 3 turn_up
japanese ds 678 3 d
japanese_transfer ds 678 3 d
crazy ds 678 2 d aside
spades_by_spades hs 67 1 turn_up
siege cd 67 1 c
siege cdh 67 3 c
low_trump cd 67A 2 c aside
low_trump cd 6A 1 c
albanian cd 67 1 turn_up
albanian cd 678 1 turn_up
changeable_trump cd 67 1 turn_up
railway c 6789T 2 turn_up
poker c 6789TJ 2 none
weli cd 67 1 c
two_decks c 678 1 none
""".strip()
"""What is in the table, a line each as `Miniature.of` reads it."""


@dataclass(frozen=True)
class Miniatures(Result):
    """What `miniatures` finds."""

    question: ClassVar[str] = "What is a small game of Durak worth to who attacks first?"

    worths: tuple[Worth, ...]

    def said(self) -> list[str]:
        """The answer in sentences."""
        return [f"{len(self.worths)} games, each solved exactly, its certificate replayed by the checker and found without a gap"]

    def table(self) -> list[Row]:
        """A row for each game; `game` is its line, from which `largest --game` and `Miniature.of` make it again."""
        return [
            {
                "game": one.miniature.line,
                "suits × ranks": one.miniature.deck,
                "hand": one.miniature.hand,
                "the rest": one.miniature.rest,
                "value": one.value,
                "histories": one.histories,
                "information sets": " + ".join(f"{sets:,}" for sets in one.infosets),
                "seconds": round(one.seconds, 2),
                "gap": int(one.gap),
            }
            for one in self.worths
        ]

    def markdown(self) -> list[str]:
        """The rows as lines of a page, the line of each game as code."""
        return markdown([{**row, "game": f"`{row['game']}`"} for row in self.table()])


def miniatures(*, only: str = "", most: int = 1000, executor: object = None) -> Miniatures:
    """The table of solved miniatures: those whose line begins so, and so many of them at most.

    An `executor` is who works at them, as `work.sharing.share` takes it; what is found is the same.

    >>> [(one.miniature.trump, str(one.value)) for one in miniatures(only="podkidnoy cd 67 1").worths]
    [('c', '-1/3'), ('none', '1/4'), ('turn_up', '-1/3')]
    """
    lines = [line for line in LINES.splitlines() if line.startswith(only)]
    return Miniatures(proved_worths(map(Miniature.of, lines[:most]), executor=executor))
