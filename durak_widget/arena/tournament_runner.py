"""A tournament, played: in this process, in others, on a cluster; stopped at any moment, it goes on from there."""

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
"""Laying out the rounds of a tournament may take so many steps; what the rest holds is then estimated."""
_EVERY: Final = 1.0
"""So many seconds lie between two rankings at least."""
_PATIENCE: Final = 5.0
"""A ranking that takes long to work out comes so many times as seldom."""
_LONGEST: Final = 300.0
"""So many seconds a game of bots of one's own may take: somebody else's code has limits of its own."""
_WAITED: Final = 3
"""So many times as long as it may compute, somebody's code is waited for."""


class Run:
    """A tournament that can be stopped and goes on.

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
        """See `play`; nothing is played yet."""
        self.rules = Rules.of(rules)
        self._left_out = list[str]()
        everybody, ladder = _with_ladder(bots, against, self._left_out)
        if not (isinstance(limits, Limits) and _is_number(limits.seconds, 3600) and _is_number(whole_number(limits.megabytes), 10**6)):
            raise BotError(
                f"limits={quoted(limits)} says what somebody's code may use in a game: arena.Limits(seconds=5, megabytes=512), an hour at most"
            )
        names = tuple(one.name for one in everybody)
        sides = len(set(seating.sides(self.rules)))
        plan: dict[str, Any] = {"system": system, "games": games, "match": match, "against": ladder}
        schedule_of(names, sides, seed=1 if seed is None else seed, **plan)  # what can't be played is refused before a file is made
        self._file = ArenaFile(file)
        source = deal_source(everybody, seed, self._file.require_present_deals())
        self.order = schedule_of(names, sides, seed=source.seed, key=source.key, **plan)
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
        """How many games there are to be: fewer when somebody is out."""
        return self._played + self._still * self.order.a_deal

    @property
    def played(self) -> int:
        """How many games have been played."""
        return self._played

    @property
    def ranking(self) -> Ranking:
        """What has been found so far."""
        return Ranking(
            self._file,
            names=self.names,
            rules=self.rules,
            still=self._still * self.order.a_deal,
            cancelled=cancelled_games(self.order, self._file, self._still) if self._ends else 0,
            troubles=(*self.troubles(), *self._guessed()),
        )

    def go(self, until: Callable[[], bool] = bool) -> Iterator[Ranking]:
        """Play on, and say now and then what has been found; it ends when all is played, or `until` says so.

        What was played is kept also when whoever listens stops.
        """
        said, cost = time.monotonic(), 0.0
        steps = self.steps()
        with contextlib.closing(steps):
            for _ in steps:
                if until():
                    break
                now = time.monotonic()
                if now - said >= max(_EVERY, _PATIENCE * cost):
                    ranking = self.ranking
                    _ = ranking.standing
                    said = time.monotonic()
                    cost = said - now
                    yield ranking
        yield self.ranking

    def steps(self) -> Generator[int, None, None]:
        """Play on, and say after each deal how many games have been played."""
        if self.order.system != "swiss":  # nobody waits for the end of a round where the next does not hang on it
            yield from self._some(meeting for some in self.order.meetings(list) for meeting in some)
            return
        first = [0]  # the number of the first meeting of the round
        for some in self.order.meetings(lambda: self._points(first[0])):
            yield from self._some(some)
            if any(is_due(one.number, one.who, self._ends) and not self._file.has(one.number) for one in some):
                return  # a deal could not be played: who meets whom next hangs on it
            first[0] += len(some)
            self._still = still_to_come(self.order, self._file)

    def _some(self, meetings: Iterable[Meeting]) -> Generator[int, None, None]:
        """Play these; last those which were passed over for somebody who, as it turned out, was not out by then."""
        passed: list[Meeting] = []
        while True:
            yield from self._all_of(meetings, passed)
            meetings = [meeting for meeting in passed if is_due(meeting.number, meeting.who, self._ends)]
            if not meetings:
                return
            self._still, passed = self._still + len(meetings), []

    def _all_of(self, meetings: Iterable[Meeting], passed: list[Meeting]) -> Generator[int, None, None]:
        handed: list[Meeting] = []

        def wanted() -> Iterator[Meeting]:
            """What is still to be played, asked for just before it is handed out: somebody else may have done so meanwhile."""
            for meeting in meetings:
                if self._file.has(meeting.number):
                    continue
                if not is_due(meeting.number, meeting.who, self._ends):
                    self._still = max(0, self._still - 1)
                    passed.append(meeting)
                    continue
                handed.append(meeting)
                yield meeting

        meetings_left = _Counted(wanted(), self._left)
        with (
            WorkerPool(self._executor) as pool,
            contextlib.closing(pool.run_unordered(meet, meetings_left, common=self._terms, seconds=self._longest())) as results,
        ):
            for place, sat in results:
                meeting = handed[place]
                if isinstance(sat, Sat):
                    self._file.keep(meeting, sat, self.names)
                    self._lost.pop(meeting.number, None)
                    self._still = max(0, self._still - 1)
                    self._count(lines_of(meeting, sat))
                else:
                    self._lost[meeting.number] = sat.message if isinstance(sat, Failed) else quoted(sat)
                yield self._played

    def _longest(self) -> float:
        """So many seconds a deal may take, in all its games."""
        return self.order.a_deal * max(_LONGEST, _WAITED * self.order.sides * self._terms.limits.seconds)

    def _left(self) -> int:
        """So many meetings are still to be handed out, or a few more."""
        return self._still

    def _count(self, lines: list[GameLine]) -> None:
        self._played += len(lines)
        if forfeited := [line for line in lines if line.forfeit is not None]:
            self._forfeited = sorted([*self._forfeited, *forfeited], key=lambda line: (line.meeting, line.place))
            self._ends = out_after(self._forfeited)

    def _points(self, before: int) -> list[float | None]:
        return _points_before(self._file.lines(), len(self.names), before)

    def troubles(self) -> Iterator[str]:
        """Say which files of a folder were left out, and which deals could not be played."""
        yield from self._left_out
        if self._lost:
            number, said = next(iter(sorted(self._lost.items())))
            yield f"{len(self._lost)} deals could not be played, such as number {number}: {said}; say the same again to try them once more"

    def _guessed(self) -> Iterator[str]:
        """What is to be said where somebody else's code could have guessed the seed."""
        seed = self.order.seed
        if self.order.key and may_be_guessed(seed, self.order.key):
            yield (
                f"seed={quoted(seed)} is easy to guess, and a bot that guesses it knows every card. "
                "Leave seed out: then the cards come from a secret that no bot can find, and the results keep it"
            )

    def close(self) -> None:
        """Nothing more is kept."""
        self._file.close()


def _is_number(value: object, most: int) -> bool:
    """Whether that is a number of something, and not more of it than so many."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= most


def _points_before(lines: Iterable[GameLine], count: int, number: int) -> list[float | None]:
    """What each had for a game before a meeting; None for who is out by then."""
    return list(scores([line for line in lines if line.meeting < number], count))


def still_to_come(order: Schedule, file: ArenaFile) -> int:
    """How many meetings are still to come: neither played, nor of somebody who is out."""
    lines = file.lines()
    ends = out_after(lines)
    if order.system != "swiss" and not ends:  # as nearly always, and there may be millions
        whole = order.rounds * order.a_round
        return whole - file.count_below(whole)
    first, found, due, played, out = [0], 0, 0, file.numbers(), ends.keys()
    effort = len(order.names) ** (1 if order.sides == 2 or order.against is not None else 2)
    whole = order.rounds * order.a_round * order.deals
    last_out, last_played = max(ends.values(), default=-1), played[-1] if played else -1
    for turn, groups in enumerate(order.groups(lambda: _points_before(lines, len(order.names), first[0]))):
        to_play = 0
        for group in groups:
            start = first[0]
            end = first[0] = start + order.deals
            if start <= last_out:
                end = min(end, *(ends.get(who, whole) + 1 for who in group))  # those before that are due
            elif not out.isdisjoint(group):
                continue
            to_play += max(0, end - start)
            if start <= last_played and start < end:
                to_play -= bisect_left(played, end) - bisect_left(played, start)
        found += to_play
        if order.system == "swiss" and to_play:  # who meets whom next depends on it
            return found + (order.rounds - 1 - turn) * order.deals * len(groups)
        due += sum(out.isdisjoint(group) for group in groups)
        if order.system != "swiss" and effort * (turn + 1) >= _EFFORT:  # of the rest as many are due as of these, if nobody else is out
            return found + due * (order.rounds - 1 - turn) // (turn + 1)
    return found


def cancelled_games(order: Schedule, file: ArenaFile, still: int) -> int:
    """Return how many planned games are left out because a bot in them is out; `still` is how many meetings are to come."""
    lines = file.lines()
    ends = out_after(lines)
    if not ends:
        return 0
    played = {line.meeting for line in lines if is_due(line.meeting, line.sides, ends)}
    return max(0, order.planned - (len(played) + still) * order.a_deal)


class _Counted:
    """What comes one after the other, with about how many there are still: then the last ones are shared out evenly."""

    def __init__(self, things: Iterator[Meeting], left: Callable[[], int]) -> None:
        self._things, self._left = things, left

    def __iter__(self) -> _Counted:
        return self

    def __next__(self) -> Meeting:
        return next(self._things)

    def __length_hint__(self) -> int:
        return self._left()


def _with_ladder(bots: Any, against: Any, left_out: list[str]) -> tuple[tuple[Entrant, ...], str | None]:  # noqa: ANN401 - whatever was given
    """Everybody who takes part; on a ladder the one whom all play against comes last, if it was not among them."""
    if against is None:
        return entrants(bots, left_out), None
    if not isinstance(bots, Mapping):
        one = isinstance(bots, (str, os.PathLike)) or not isinstance(bots, Iterable)
        bots = [bots] if one else list(bots)  # what comes one after the other does so once
    if isinstance(against, str):
        with contextlib.suppress(BotError):
            everybody = entrants(bots, there := list[str]())
            if against in (one.name for one in everybody):
                left_out += there
                return everybody, against
    alone = entrants([against, "first" if against != "first" else "random"])[0]
    all_of_them: Any = {**bots, alone.name: alone} if isinstance(bots, Mapping) else [*bots, alone]
    return entrants(all_of_them, left_out), alone.name


def _about(rules: Rules, everybody: tuple[Entrant, ...], order: Schedule, limits: Limits, derivation: int) -> dict[str, Any]:
    return {
        "rules": str(rules),
        "bots": {one.name: one.told for one in everybody},
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
    """Let bots play one another, and say who is better and how sure that is.

    Each bot is a name, a class, a function or an object of yours; `ann.py` or `ann.ipynb`, whose code is read and runs behind walls; or what another package names as an
    entry point. Every deal is played in every seating. `system` is `"all"` (each against each), `"swiss"` (against who stands alike), or a ladder: all `against` one.
    The same call plays the same games wherever the `executor` runs them: here (None), in so many processes of this package (a number), in any
    `concurrent.futures.Executor`, or on Dask (its client). With a `file` each game is kept as it comes, and the same call goes on where it was stopped; more games may be asked for then.
    All cards follow from the `seed` and the names. If you give no seed, your own bots play with seed 1. If a file or text of code plays, the cards come from a secret
    that no bot can find while it plays; the results keep it.

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
    """What a file of a tournament holds, also while it is being played.

    >>> load("no such file")
    Traceback (most recent call last):
    durak_widget.arena.tournament_file.KeptFileError: there is no file 'no such file'; arena.play(…, file='no such file') makes one
    """
    file = ArenaFile(path, there=True)
    about = file.about
    if not about:
        raise KeptFileError(f"{quoted(file.name)} holds no tournament yet: nobody has begun one in it")
    games = whole_number(about.get("games"))
    if games is not None and games > MOST_GAMES:
        raise KeptFileError(
            f"{quoted(file.name)} says that its tournament has {quoted(games, 30)} games, and the most is {MOST_GAMES}; "
            "ask whoever sent it for a tournament of fewer games"
        )
    try:
        names, rules, order = _laid_out(about)
    except (KeyError, TypeError, ValueError) as error:
        why = f": {error}" if isinstance(error, DurakError) else "; take a copy that is whole"
        raise KeptFileError(f"{quoted(file.name)} is damaged, and does not say which tournament it holds{why}") from None
    file.check(len(names), order.sides)
    still = still_to_come(order, file)
    cancelled = cancelled_games(order, file, still)
    return Ranking(file, names=names, rules=rules, still=still * order.a_deal, cancelled=cancelled)


def _laid_out(about: Mapping[str, Any]) -> tuple[tuple[str, ...], Rules, Schedule]:
    """Who plays by which rules, and how that is laid out, out of what a file says; an error, where none of ours has said it."""
    names, rules, against = tuple(about["bots"]), Rules.of(about["rules"]), about["against"]
    if not all(map(is_name, names)) or len(set(names)) < len(names) or not 2 <= len(names) <= MOST or against not in (None, *names):
        raise ValueError
    asked = {one: about[one] for one in ("system", "games", "match", "seed")}
    asked["key"] = about.get("key", "")  # files from before have none
    if about.get("deals", PLAIN) not in (PLAIN, SLOW) or not isinstance(asked["key"], str) or len(asked["key"]) > _LONGEST_KEY:
        raise ValueError
    return names, rules, schedule_of(names, len(set(seating.sides(rules))), against=against, **asked)
