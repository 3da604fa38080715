"""Runs a tournament in this process, in others or on a cluster, with pauses if needed."""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from durak_widget.arena.bot_entrants import MOST, Entrant, entrants
from durak_widget.arena.duplicate_games import GAME, Sat, Terms, meet
from durak_widget.arena.ranking import Ranking, is_due, out_after, scores
from durak_widget.arena.schedule import MOST_GAMES, PLAIN, SLOW, deal_source, may_be_guessed, schedule_of
from durak_widget.arena.tournament_file import ArenaFile, KeptFileError, lines_of
from durak_widget.bots.bot import is_name
from durak_widget.errors import BotError, DurakError, quoted, whole_number
from durak_widget.parallel import VERSION, Failed, WorkerPool
from durak_widget.rules import seating
from durak_widget.rules.ruleset import Rules
from durak_widget.sandbox.code_runner import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from os import PathLike

    from durak_widget.arena.schedule import Meeting, Schedule
    from durak_widget.arena.tournament_file import GameLine
    from durak_widget.bots.bot import Playing

_LONGEST_KEY: Final = 64
_EFFORT: Final = 10_000_000
"""The most steps for laying out all rounds; beyond it the number of games left is estimated."""
_EVERY: Final = 1.0
"""The least time in seconds between two reports."""
_PATIENCE: Final = 5.0
"""The time between reports as a multiple of the time that a report takes."""
_LONGEST: Final = 300.0
"""The time in seconds for a game of the caller's own bots; sandboxed code has its own limits."""
_WAITED: Final = 3
"""The time to wait for sandboxed code, as a multiple of its computing time."""


class Run:
    """A tournament that can be stopped and continued.

    >>> from durak_widget import arena
    >>> run = arena.Run(["careful", "first"], games=40)
    >>> for ranking in run.go():
    ...     pass
    >>> run.played, run.planned, run.ranking.names
    (40, 40, ('careful', 'first'))
    """

    def __init__(
        self,
        bots: Iterable[Playing | PathLike[str]] | Mapping[str, Playing | PathLike[str]] | str | PathLike[str],
        rules: Rules | str | None = None,
        *,
        games: int = 1000,
        seed: int | str | None = None,
        executor: object = None,
        system: str = "all",
        against: Playing | PathLike[str] | None = None,
        match: int = 1,
        file: str | PathLike[str] | None = None,
        limits: Limits = GAME,
    ) -> None:
        """Prepare the tournament without playing; the arguments are those of `play`."""
        self.rules = Rules.of(rules)
        self._left_out = list[str]()
        everybody, ladder_name = _with_ladder(bots, against, self._left_out)
        if not (isinstance(limits, Limits) and _is_number(limits.seconds, 3600) and _is_number(whole_number(limits.megabytes), 10**6)):
            raise BotError(
                f"limits={quoted(limits)} says what somebody's code may use in a game: arena.Limits(seconds=5, megabytes=512), an hour at most"
            )
        names = tuple(entrant.name for entrant in everybody)
        sides = len(set(seating.sides(self.rules)))
        options: dict[str, Any] = {"system": system, "games": games, "match": match, "against": ladder_name}
        schedule_of(names, sides, seed=1 if seed is None else seed, **options)  # refuses an impossible tournament before a file is created
        self._file = ArenaFile(file)
        source = deal_source(everybody, seed, self._file.require_present_deals())
        self.order = schedule_of(names, sides, seed=source.seed, key=source.key, **options)
        self.names = names
        self._terms = Terms(self.rules, everybody, self.order.match, limits, whole_seed=source.derivation == SLOW)
        self._executor = executor
        self._file.begin(
            _about(self.rules, everybody, self.order, limits, source.derivation), may_grow="" if self.order.system == "swiss" else "games"
        )
        self._file.check(len(names), sides)
        self._lost: dict[int, str] = {}
        lines = self._file.lines()
        self._played = len(lines)
        self._forfeited = [line for line in lines if line.forfeit is not None]
        self._ends = out_after(self._forfeited)
        self._still = still_to_come(self.order, self._file)

    @property
    def planned(self) -> int:
        """Return the planned number of games; less if bots are disqualified."""
        return self._played + self._still * self.order.a_deal

    @property
    def played(self) -> int:
        """Return the number of games played."""
        return self._played

    @property
    def ranking(self) -> Ranking:
        """Return the result so far."""
        return Ranking(
            self._file,
            names=self.names,
            rules=self.rules,
            still=self._still * self.order.a_deal,
            cancelled=cancelled_games(self.order, self._file, self._still) if self._ends else 0,
            troubles=(*self.troubles(), *self._guessed()),
        )

    def go(self, until: Callable[[], bool] = bool) -> Iterator[Ranking]:
        """Play on, and yield the result from time to time, to the end or until `until` is true.

        Games are stored even if the caller stops iterating.
        """
        last_report, cost = time.monotonic(), 0.0
        steps = self.steps()
        with contextlib.closing(steps):
            for _ in steps:
                if until():
                    break
                now = time.monotonic()
                if now - last_report >= max(_EVERY, _PATIENCE * cost):
                    ranking = self.ranking
                    _ = ranking.standing
                    last_report = time.monotonic()
                    cost = last_report - now
                    yield ranking
        yield self.ranking

    def steps(self) -> Generator[int, None, None]:
        """Play on, and yield the number of games played after each deal."""
        if self.order.system != "swiss":  # the next round doesn't depend on this one, so there is no need to wait for its end
            yield from self._some(meeting for round_meetings in self.order.meetings(list) for meeting in round_meetings)
            return
        first_number = [0]  # the number of the first meeting of the round
        for round_meetings in self.order.meetings(lambda: self._points(first_number[0])):
            yield from self._some(round_meetings)
            if any(is_due(meeting.number, meeting.who, self._ends) and not self._file.has(meeting.number) for meeting in round_meetings):
                return  # a deal could not be played, and the next round depends on it
            first_number[0] += len(round_meetings)
            self._still = still_to_come(self.order, self._file)

    def _some(self, meetings: Iterable[Meeting]) -> Generator[int, None, None]:
        """Play these meetings, and at the end those skipped for a bot that was not disqualified."""
        skipped: list[Meeting] = []
        while True:
            yield from self._all_of(meetings, skipped)
            meetings = [meeting for meeting in skipped if is_due(meeting.number, meeting.who, self._ends)]
            if not meetings:
                return
            self._still, skipped = self._still + len(meetings), []

    def _all_of(self, meetings: Iterable[Meeting], passed: list[Meeting]) -> Generator[int, None, None]:
        handed_out: list[Meeting] = []

        def generate_due() -> Iterator[Meeting]:
            """Yield the meetings to play; checked late, since another process may have played one."""
            for meeting in meetings:
                if self._file.has(meeting.number):
                    continue
                if not is_due(meeting.number, meeting.who, self._ends):
                    self._still = max(0, self._still - 1)
                    passed.append(meeting)
                    continue
                handed_out.append(meeting)
                yield meeting

        meetings_left = _Counted(generate_due(), self._left)
        with (
            WorkerPool(self._executor) as pool,
            contextlib.closing(pool.run_unordered(meet, meetings_left, common=self._terms, seconds=self._longest())) as results,
        ):
            for index, result in results:
                meeting = handed_out[index]
                if isinstance(result, Sat):
                    self._file.keep(meeting, result, self.names)
                    self._lost.pop(meeting.number, None)
                    self._still = max(0, self._still - 1)
                    self._count(lines_of(meeting, result))
                else:
                    self._lost[meeting.number] = result.message if isinstance(result, Failed) else quoted(result)
                yield self._played

    def _longest(self) -> float:
        """Return the time limit in seconds for all games of a deal."""
        return self.order.a_deal * max(_LONGEST, _WAITED * self.order.sides * self._terms.limits.seconds)

    def _left(self) -> int:
        """Return the number of meetings left to hand out, or a few more."""
        return self._still

    def _count(self, lines: list[GameLine]) -> None:
        self._played += len(lines)
        if forfeited := [line for line in lines if line.forfeit is not None]:
            self._forfeited = sorted([*self._forfeited, *forfeited], key=lambda line: (line.meeting, line.place))
            self._ends = out_after(self._forfeited)

    def _points(self, before: int) -> list[float | None]:
        return _points_before(self._file.lines(), len(self.names), before)

    def troubles(self) -> Iterator[str]:
        """Yield sentences about skipped files and about deals that could not be played."""
        yield from self._left_out
        if self._lost:
            number, reason = next(iter(sorted(self._lost.items())))
            yield f"{len(self._lost)} deals could not be played, such as number {number}: {reason}; say the same again to try them once more"

    def _guessed(self) -> Iterator[str]:
        """Yield a warning if sandboxed code could have guessed the seed."""
        seed = self.order.seed
        if self.order.key and may_be_guessed(seed, self.order.key):
            yield (
                f"seed={quoted(seed)} is easy to guess, and a bot that guesses it knows every card. "
                "Leave seed out: then the cards come from a secret that no bot can find, and the results keep it"
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _is_number(value: object, most: int) -> bool:
    """Return whether the value is a positive number up to `most`."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= most


def _points_before(lines: Iterable[GameLine], count: int, number: int) -> list[float | None]:
    """Return each bot's points per game before a meeting; None if it is disqualified by then."""
    return list(scores([line for line in lines if line.meeting < number], count))


def still_to_come(order: Schedule, file: ArenaFile) -> int:
    """Return how many meetings are left: not played, and without a disqualified bot."""
    lines = file.lines()
    last_meetings = out_after(lines)
    if order.system != "swiss" and not last_meetings:  # the usual case, with up to millions of meetings
        total_meetings = order.rounds * order.a_round
        return total_meetings - file.count_below(total_meetings)
    first_number, meetings_left, due_groups, played_numbers, disqualified = [0], 0, 0, file.numbers(), last_meetings.keys()
    steps_per_round = len(order.names) ** (1 if order.sides == 2 or order.against is not None else 2)
    total_meetings = order.rounds * order.a_round * order.deals
    last_out, last_played = max(last_meetings.values(), default=-1), played_numbers[-1] if played_numbers else -1
    for round_number, groups in enumerate(order.groups(lambda: _points_before(lines, len(order.names), first_number[0]))):
        to_play = 0
        for group in groups:
            first_meeting = first_number[0]
            end_meeting = first_number[0] = first_meeting + order.deals
            if first_meeting <= last_out:
                end_meeting = min(
                    end_meeting, *(last_meetings.get(bot, total_meetings) + 1 for bot in group)
                )  # meetings up to the disqualification are due
            elif not disqualified.isdisjoint(group):
                continue
            to_play += max(0, end_meeting - first_meeting)
            if first_meeting <= last_played and first_meeting < end_meeting:
                to_play -= bisect_left(played_numbers, end_meeting) - bisect_left(played_numbers, first_meeting)
        meetings_left += to_play
        if order.system == "swiss" and to_play:  # the next round depends on these
            return meetings_left + (order.rounds - 1 - round_number) * order.deals * len(groups)
        due_groups += sum(disqualified.isdisjoint(group) for group in groups)
        if (
            order.system != "swiss" and steps_per_round * (round_number + 1) >= _EFFORT
        ):  # if no other bot is disqualified, the same share of the rest is due
            return meetings_left + due_groups * (order.rounds - 1 - round_number) // (round_number + 1)
    return meetings_left


def cancelled_games(order: Schedule, file: ArenaFile, still: int) -> int:
    """Return how many planned games are left out because a bot in them is disqualified.

    `still` is the number of meetings left.
    """
    lines = file.lines()
    last_meetings = out_after(lines)
    if not last_meetings:
        return 0
    played_meetings = {line.meeting for line in lines if is_due(line.meeting, line.sides, last_meetings)}
    return max(0, order.planned - (len(played_meetings) + still) * order.a_deal)


class _Counted:
    """An iterator that knows about how many items are left.

    So the last ones are shared out evenly.
    """

    def __init__(self, things: Iterator[Meeting], left: Callable[[], int]) -> None:
        self._things, self._left = things, left

    def __iter__(self) -> _Counted:
        return self

    def __next__(self) -> Meeting:
        return next(self._things)

    def __length_hint__(self) -> int:
        return self._left()


def _with_ladder(bots: Any, against: Any, left_out: list[str]) -> tuple[tuple[Entrant, ...], str | None]:  # noqa: ANN401 - whatever was given
    """Return the entrants, with the ladder's reference bot last if it is not among them."""
    if against is None:
        return entrants(bots, left_out), None
    if not isinstance(bots, Mapping):
        is_single = isinstance(bots, (str, os.PathLike)) or not isinstance(bots, Iterable)
        bots = [bots] if is_single else list(bots)  # a list, since an iterator can be read only once
    if isinstance(against, str):
        with contextlib.suppress(BotError):
            all_entrants = entrants(bots, newly_left_out := list[str]())
            if against in (entrant.name for entrant in all_entrants):
                left_out += newly_left_out
                return all_entrants, against
    ladder_entrant = entrants([against, "first" if against != "first" else "random"])[0]
    all_bots: Any = {**bots, ladder_entrant.name: ladder_entrant} if isinstance(bots, Mapping) else [*bots, ladder_entrant]
    return entrants(all_bots, left_out), ladder_entrant.name


def _about(rules: Rules, everybody: tuple[Entrant, ...], order: Schedule, limits: Limits, derivation: int) -> dict[str, Any]:
    return {
        "rules": str(rules),
        "bots": {entrant.name: entrant.told for entrant in everybody},
        "system": order.system,
        "against": None if order.against is None else order.names[order.against],
        "match": order.match,
        "seed": order.seed,
        "limits": list(limits),
        "durak_widget": VERSION,
        "games": order.games,
        "deals": derivation,
        "key": order.key,
    }


def play(
    bots: Iterable[Playing | PathLike[str]] | Mapping[str, Playing | PathLike[str]] | str | PathLike[str],
    rules: Rules | str | None = None,
    *,
    games: int = 1000,
    seed: int | str | None = None,
    executor: object = None,
    system: str = "all",
    against: Playing | PathLike[str] | None = None,
    match: int = 1,
    file: str | PathLike[str] | None = None,
    limits: Limits = GAME,
) -> Ranking:
    """Let bots play one another, and return who is better and how sure that is.

    Each bot is a name, a class, a function or an object of yours, a file `ann.py` or `ann.ipynb`, whose code is read and runs in a
    sandbox, or an entry point of another package. Every deal is played in every seating. `system` is `"all"` (all pairs), `"swiss"` (bots
    with similar points meet), or a ladder: all play `against` one bot.

    The same call plays the same games wherever the `executor` runs them: here (None), in this many processes of this package (a number),
    in any `concurrent.futures.Executor`, or on Dask (its client). With a `file` each game is stored when it is played, and the same call
    goes on where it was stopped; it may ask for more games then.

    All cards follow from the `seed` and the names. If you give no seed, your own bots play with seed 1. If a file or text of code plays,
    the cards come from a secret that no bot can find while it plays; the results keep it.

    >>> from durak_widget import arena
    >>> print(arena.play(["careful", "random"], "econ431", games=40))  # doctest: +ELLIPSIS
    1  careful ...
    """
    run = Run(
        bots,
        rules,
        games=games,
        seed=seed,
        executor=executor,
        system=system,
        against=against,
        match=match,
        file=file,
        limits=limits,
    )
    for _ in run.steps():
        pass
    for trouble in run.troubles():
        warnings.warn(trouble, stacklevel=2)
    return run.ranking


def load(path: str | PathLike[str]) -> Ranking:
    """Return the result in a tournament file, also while it is being played.

    >>> load("no such file")
    Traceback (most recent call last):
    durak_widget.arena.tournament_file.KeptFileError: there is no file 'no such file'; arena.play(…, file='no such file') makes one
    """
    file = ArenaFile(path, there=True)
    metadata = file.about
    if not metadata:
        raise KeptFileError(f"{quoted(file.name)} holds no tournament yet: nobody has begun one in it")
    games = whole_number(metadata.get("games"))
    if games is not None and games > MOST_GAMES:
        raise KeptFileError(
            f"{quoted(file.name)} says that its tournament has {quoted(games, 30)} games, and the most is {MOST_GAMES}; "
            "ask whoever sent it for a tournament of fewer games"
        )
    try:
        names, rules, order = _laid_out(metadata)
    except (KeyError, TypeError, ValueError) as error:
        detail = f": {error}" if isinstance(error, DurakError) else "; take a copy that is whole"
        raise KeptFileError(f"{quoted(file.name)} is damaged, and does not say which tournament it holds{detail}") from None
    file.check(len(names), order.sides)
    meetings_left = still_to_come(order, file)
    cancelled = cancelled_games(order, file, meetings_left)
    return Ranking(file, names=names, rules=rules, still=meetings_left * order.a_deal, cancelled=cancelled)


def _laid_out(about: Mapping[str, Any]) -> tuple[tuple[str, ...], Rules, Schedule]:
    """Return names, rules and schedule from a file's data; refuse what we never write."""
    names, rules, against = tuple(about["bots"]), Rules.of(about["rules"]), about["against"]
    if not all(map(is_name, names)) or len(set(names)) < len(names) or not 2 <= len(names) <= MOST or against not in (None, *names):
        raise ValueError
    settings = {key: about[key] for key in ("system", "games", "match", "seed")}
    settings["key"] = about.get("key", "")  # files of earlier versions have no key
    if about.get("deals", PLAIN) not in (PLAIN, SLOW) or not isinstance(settings["key"], str) or len(settings["key"]) > _LONGEST_KEY:
        raise ValueError
    return names, rules, schedule_of(names, len(set(seating.sides(rules))), against=against, **settings)
