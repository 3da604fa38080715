"""A ranking in lines of plain text, for a terminal: who stands where, what is sure of that, who is out and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.arena.inks import grouped, number_of_points, one_line
from durak_widget.arena.result_sentences import everybody, out_said, places_said, standing_said
from durak_widget.arena.svg_plots import interval_said
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from durak_widget.arena.result_protocols import ResultTold

_NAME = 40


def ranking_lines(result: ResultTold, language: str = "en") -> str:
    """The places, a line each: which are left open, the name, the rating with its interval, the games; then what is to be said of them.

    >>> from durak_widget import arena
    >>> print(ranking_lines(arena.play(["careful", "random"], games=60)))  # doctest: +ELLIPSIS
    1  careful  98  9... 60
    2  random    2  ... 60
    60 of 60 games
    careful is better than random: sure.
    ...
    """
    voice, standing = Voice(language), result.standing
    cells = []
    for which in everybody(result):
        one, name = standing.ratings[which], one_line(result.names[which], _NAME)
        if one is None:
            cells.append(("–", name, "–", "", ""))
        else:
            cells.append(
                (
                    *(places_said(one.rank_low, one.rank_high), name),
                    *(number_of_points(one.points, voice), interval_said(one, voice), str(result.games_of(which))),
                )
            )
    wide = [max((len(cell[at]) for cell in cells), default=0) for at in range(5)]
    lines = [f"{a:<{wide[0]}}  {b:<{wide[1]}}  {c:>{wide[2]}}  {d:<{wide[3]}}  {e:>{wide[4]}}".rstrip() for a, b, c, d, e in cells]
    lines.append(voice.say("arena.so_far", played=grouped(result.played), planned=grouped(result.planned)))
    return "\n".join([*lines, *standing_said(result, voice), *out_said(result, voice), *result.troubles])
