"""A ranking in words: who stands where, who is proved better, who is out and why, and how many games it would still take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.words import Voice

if TYPE_CHECKING:
    from durak_widget.arena.ranking import Ranking

_NARROW: Final = 5
"""To within so many points a rating is wanted."""


def ranking_text(ranking: Ranking, language: str = "en") -> str:
    """The places as lines of text, and what else there is to say.

    >>> from durak_widget import arena
    >>> print(ranking_text(arena.play(["careful", "first", "random"], games=60)))  # doctest: +ELLIPSIS
    1    careful ...

    """
    voice = Voice(language)
    rows = [row for row in ranking.rows() if row["rating"] is not None]
    cells = [
        (
            _rank(row["rank_low"], row["rank_high"]),
            row["name"],
            f"{row['rating']:.0f}",
            f"{row['low']:.0f}–{row['high']:.0f}",
            str(row["games"]),
        )
        for row in rows
    ]
    wide = [max((len(cell[at]) for cell in cells), default=0) for at in range(5)]
    lines = [f"{a:<{wide[0]}}  {b:<{wide[1]}}  {c:>{wide[2]}}  {d:<{wide[3]}}  {e:>{wide[4]}}".rstrip() for a, b, c, d, e in cells]
    if not ranking.counted:
        lines.append(voice.say("arena.nothing"))
    elif still := ranking.still(_NARROW):
        lines.append(voice.say("arena.still", count=still, points=_NARROW))
    lines += [voice.say("arena.out", name=name, why=_why(ranking, name, language)) for name in ranking.out]
    return "\n".join([*lines, *ranking.troubles])


def _rank(low: int, high: int) -> str:
    """The ranks that one may have."""
    return str(low) if low == high else f"{low}–{high}"


def _why(ranking: Ranking, name: str, language: str) -> str:
    return next((one.sentence(language) for one in ranking.forfeits if one.who == name), "")
