"""A tournament in sentences: who is better than whom where that is sure, who cannot be told apart, how much more would do."""

from __future__ import annotations

from html import escape
from math import ceil, log10
from typing import TYPE_CHECKING, Final

from durak_widget.arena.inks import grouped, one_line, shown_name
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from durak_widget.arena.result_protocols import ResultTold, StandingTold
    from durak_widget.i18n import Voice

WITHIN: Final = 5
"""To within so many points of 100 everybody is to be known against everybody."""
_NAMED: Final = 3
"""So many bots are named in a sentence at most; the others are counted."""
_MOST, _MOST_OF_MANY, _MANY = 4, 2, 8
"""So many sentences of who is better are said at most; and where there are more than so many bots."""
_OPEN, _SHUT = "\ue000", "\ue001"
"""What stands around a name in a sentence until it is a part of a page; no name that is shown has it."""


def standing_told(result: ResultTold, voice: Voice) -> list[str]:
    """Who leads, who is proved better than whom, who cannot be told apart, and how many games more would do; as parts of a page, with names in bold."""
    return [_on_page(said) for said in _told(result, voice)]


def standing_said(result: ResultTold, voice: Voice) -> list[str]:
    """Who leads, and all the rest of that, as plain text."""
    return [_plain(said) for said in _told(result, voice)]


def _plain(said: str) -> str:
    return said.replace(_OPEN, "").replace(_SHUT, "")


def _on_page(said: str) -> str:
    return escape(said).replace(_OPEN, "<b><bdi>").replace(_SHUT, "</bdi></b>")


def _told(result: ResultTold, voice: Voice) -> list[str]:
    if not result.played:
        return [voice.say("arena.none")]
    if not result.standing.order:  # none of them counts, or says anything
        return _besides(result, voice, [])
    said = []
    for one in _ranked(result, voice):
        said.append(one)
        if len(said) == (_MOST_OF_MANY if len(result.names) > _MANY else _MOST):
            break
    more = result.still(WITHIN)
    about = in_two_digits(more)
    said.append(
        voice.say("arena.needed", count=about, games=grouped(about), within=WITHIN)
        if more > 0
        else voice.say("arena.enough", within=WITHIN)
    )
    return [*said, *_besides(result, voice, said)]


def _besides(result: ResultTold, voice: Voice, before: Collection[str]) -> list[str]:
    """Which bots play alike, unless that was said before; how many planned games are left out; which bots tried what the sandbox refused."""
    said = [one for group in result.same_moves if (one := _same_moves(group, result, voice)) not in before]
    if result.cancelled:
        said.append(voice.say("arena.cancelled", count=result.cancelled, games=grouped(result.cancelled)))
    for name, kinds in result.attempts.items():
        what = tuple(Fact(f"arena.attempts.{kind}") for kind in kinds)
        said.append(voice.say("arena.attempts", bot=f"{_OPEN}{shown_name(name)}{_SHUT}", what=what))
    return said


def _same_moves(group: Sequence[int], result: ResultTold, voice: Voice) -> str:
    """Say that these made the same moves, so that more games are of no use."""
    named = [one for one in everybody(result) if one in group]
    bots = [voice.say("arena.name", bot=f"{_OPEN}{shown_name(result.names[one])}{_SHUT}") for one in named]
    if len(bots) <= _NAMED + 1:
        return voice.say("arena.together.same", bots=tuple(bots))
    return voice.say("arena.together.same.many", bots=tuple(bots[:_NAMED]), count=len(bots) - _NAMED)


def _ranked(result: ResultTold, voice: Voice) -> Iterator[str]:
    """From the top of the order down: each run of those who cannot be told apart, and who is better than all that follow."""
    standing = result.standing
    order = list(standing.order)
    called = {one: f"{_OPEN}{shown_name(result.names[one])}{_SHUT}" for one in order}
    place = 0
    for group in runs(standing):
        first, last = order.index(group[0]), order.index(group[-1])
        if first < place:  # what of it stands above was told with the run before
            continue
        place, after = last + 1, order[last + 1 :]
        proved = [one for one in after if all(standing.better(mine, one) for mine in group)]
        if len(group) > 1:
            if set(group) in map(set, result.same_moves):
                yield _same_moves(group, result, voice)
            else:
                yield _together([voice.say("arena.name", bot=called[one]) for one in group], games_apart(result, group), voice)
            if first == 0 and after and len(proved) == len(after):
                yield voice.say("arena.better.they")
        elif first == 0 and after and len(proved) == len(after):
            yield voice.say("arena.better.all" if len(after) > 1 else "arena.better", bot=called[group[0]], other=called[after[0]])
        elif after and after[0] in proved:
            yield voice.say("arena.better", bot=called[group[0]], other=called[after[0]])


def _together(bots: list[str], more: int | None, voice: Voice) -> str:
    """Who cannot be told apart yet; of two, by how many games more they would be."""
    if more is not None:
        return voice.say("arena.together.until", bots=tuple(bots), count=more, games=grouped(more))
    if len(bots) <= _NAMED + 1:
        return voice.say("arena.together", bots=tuple(bots))
    return voice.say("arena.together.many", bots=tuple(bots[:_NAMED]), count=len(bots) - _NAMED)


def games_apart(result: ResultTold, group: Sequence[int]) -> int | None:
    """About how many games more it takes until two are told apart, in two digits; None of more than two, and where nobody can say."""
    if len(group) != 2:
        return None
    one, other = (result.names[which] for which in group)
    more = result.still_between(one, other)
    return in_two_digits(more) if more else None


def everybody(result: ResultTold) -> list[int]:
    """All bots by their places, and behind them who has none."""
    order = result.standing.order
    return [*order, *(one for one in range(len(result.names)) if one not in order)]


def runs(standing: StandingTold) -> list[list[int]]:
    """The runs of those who cannot be told apart, in the order of their places.

    Each is as long as it can be, so two may have bots in common: who stands in the middle may be told apart from neither end.
    """
    place = {one: at for at, one in enumerate(standing.order)}
    found = [sorted(group, key=place.__getitem__) for group in standing.groups if group]
    return sorted(found, key=lambda group: (place[group[0]], place[group[-1]]))


def lanes(standing: StandingTold) -> list[list[tuple[int, int]]]:
    """Where the brackets of ties stand: in each lane runs from a place to a place, from 0, none above another.

    >>> from types import SimpleNamespace as Plain
    >>> lanes(Plain(order=(2, 0, 1), groups=((2, 0), (0, 1)))), lanes(Plain(order=(0, 1), groups=((0,), (1,))))
    ([[(0, 1)], [(1, 2)]], [])
    """
    place = {one: at for at, one in enumerate(standing.order)}
    found: list[list[tuple[int, int]]] = []
    for group in runs(standing):
        first, last = place[group[0]], place[group[-1]]
        if first == last:
            continue
        lane = next((lane for lane in found if lane[-1][1] < first), None)
        if lane is None:
            found.append([(first, last)])
        else:
            lane.append((first, last))
    return found


def in_two_digits(number: float) -> int:
    """A number that is not known better, no smaller than it is.

    >>> in_two_digits(412), in_two_digits(7), in_two_digits(0.2), in_two_digits(123456)
    (420, 7, 1, 130000)
    """
    whole = max(1, ceil(number))
    step: int = 10 ** max(0, int(log10(whole)) - 1)
    return ceil(whole / step) * step


def places_said(low: int, high: int) -> str:
    """The place of a bot, or from which to which its games leave it open.

    >>> print(places_said(2, 2), places_said(1, 3))
    2 1–3
    """
    return str(low) if low == high else f"{low}–{high}"


def time_left(seconds: float, voice: Voice) -> str:
    """How long it will still take, as one says it.

    >>> from durak_widget.i18n import Voice
    >>> time_left(8, Voice()), time_left(200, Voice()), time_left(4000, Voice())
    ('some 10 s', 'some 3 min', 'some 1 h 5 min')
    """
    if seconds < 90:
        return voice.say("arena.seconds", seconds=str(max(5, 5 * ceil(seconds / 5))))
    minutes = round(seconds / 60)
    if minutes < 60:
        return voice.say("arena.minutes", minutes=str(minutes))
    minutes = 5 * round(minutes / 5)
    return voice.say("arena.hours", hours=grouped(minutes // 60), minutes=str(minutes % 60))


def forfeits_told(result: ResultTold, voice: Voice) -> list[tuple[str, str]]:
    """Each forfeit as a sentence of a page, with the position where it happened as plain text."""
    return [
        (
            _on_page(
                voice.say(
                    "arena.forfeit", bot=f"{_OPEN}{shown_name(one.who)}{_SHUT}", game=one.game, said=_whole(one.sentence(voice.language))
                )
            ),
            one_line(one.position, 400),
        )
        for one in result.forfeits
    ]


def out_told(result: ResultTold, voice: Voice) -> list[str]:
    """Who plays no more, as sentences of a page."""
    return [_on_page(_left_out(one, voice)) for one in result.out]


def out_said(result: ResultTold, voice: Voice) -> list[str]:
    """Who plays no more and why that first was, as plain text."""
    why = {one.who: one.sentence(voice.language) for one in reversed(result.forfeits)}
    return [f"{_plain(_left_out(one, voice))} {one_line(why.get(one, ''), 400)}" for one in result.out]


def _left_out(name: str, voice: Voice) -> str:
    return voice.say("arena.left_out", bot=f"{_OPEN}{shown_name(name)}{_SHUT}")


def _whole(said: object) -> str:
    """A sentence that somebody's code may have had a hand in: one line, as long as a sentence is, and ended."""
    kept = one_line(said, 400)
    return kept if kept.endswith((".", "!", "?", "…")) else f"{kept}."
