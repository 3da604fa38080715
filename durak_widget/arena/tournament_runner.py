"""Plays a tournament, which can be stopped and continued, in one or more processes."""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from durak_widget.arena.bot_entrants import MAX_ENTRANTS, Entrant, build_entrants
from durak_widget.arena.duplicate_games import DEFAULT_LIMITS, MeetingResult, TournamentTerms, play_meeting
from durak_widget.arena.ranking import Ranking, compute_scores, find_last_meetings, is_due
from durak_widget.arena.schedule import MAX_GAMES, PLAIN_DERIVATION, SLOW_DERIVATION, build_schedule, choose_deal_source, is_guessable
from durak_widget.arena.tournament_file import TournamentFile, TournamentFileError, build_stored_games
from durak_widget.bots.bot import is_valid_name
from durak_widget.errors import BotError, DurakError, as_whole_number, short_repr
from durak_widget.parallel import VERSION, Failed, WorkerPool
from durak_widget.rules import seating
from durak_widget.rules.ruleset import Rules
from durak_widget.sandbox.code_runner import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from os import PathLike

    from durak_widget.arena.schedule import Meeting, Schedule
    from durak_widget.arena.tournament_file import StoredGame
    from durak_widget.bots.bot import AnyBot

_MAX_KEY_LENGTH: Final = 64
_MAX_LAYOUT_STEPS: Final = 10_000_000
"""The maximum number of steps in which all remaining games are counted exactly; if counting takes longer, their
number is estimated."""
_MIN_REPORT_SECONDS: Final = 1.0
"""The minimum time in seconds between two progress reports."""
_REPORT_COST_FACTOR: Final = 5.0
"""The time between two progress reports, divided by the time that it takes to make one."""
_TRUSTED_GAME_SECONDS: Final = 300.0
"""The time limit in seconds for a game without sandboxed code; sandboxed code has a limit of its own."""
_SANDBOX_WAIT_FACTOR: Final = 3
"""The maximum time to wait for sandboxed code, divided by the CPU time that the code may use."""


class Run:
    """A tournament that you can stop and continue.

    >>> from durak_widget import arena
    >>> run = arena.Run(["careful", "first"], games=40)
    >>> for ranking in run.play_on():
    ...     pass
    >>> run.games_played, run.games_planned, run.ranking.names
    (40, 40, ('careful', 'first'))
    """

    def __init__(
        self,
        bots: Iterable[AnyBot | PathLike[str]] | Mapping[str, AnyBot | PathLike[str]] | str | PathLike[str],
        rules: Rules | str | None = None,
        *,
        games: int = 1000,
        seed: int | str | None = None,
        executor: object = None,
        system: str = "all",
        against: AnyBot | PathLike[str] | None = None,
        match: int = 1,
        file: str | PathLike[str] | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Prepare a tournament, but play no game yet; `play` explains the arguments."""
        self.rules = Rules.coerce(rules)
        self._left_out = list[str]()
        entrants, ladder_name = _build_entrants_with_ladder(bots, against, self._left_out)
        if not (
            isinstance(limits, Limits)
            and _is_positive_number(limits.seconds, 3600)
            and _is_positive_number(as_whole_number(limits.megabytes), 10**6)
        ):
            raise BotError(
                f"limits must be an arena.Limits, such as arena.Limits(seconds=5, megabytes=512), with at most an hour, not {short_repr(limits)}: it limits what a bot from a file may use per game"
            )
        names = tuple(entrant.name for entrant in entrants)
        sides = len(set(seating.side_of_seat(self.rules)))
        options: dict[str, Any] = {"system": system, "games": games, "match": match, "against": ladder_name}
        build_schedule(
            names, sides, seed=1 if seed is None else seed, **options
        )  # Check this first, so that an impossible tournament creates no file
        self._file = TournamentFile(file)
        source = choose_deal_source(entrants, seed, self._file.require_present_deals())
        self.schedule = build_schedule(names, sides, seed=source.seed, key=source.key, **options)
        self.names = names
        self._terms = TournamentTerms(
            self.rules, entrants, self.schedule.match, limits, uses_whole_seed=source.derivation == SLOW_DERIVATION
        )
        self._executor = executor
        self._file.start(
            _build_metadata(self.rules, entrants, self.schedule, limits, source.derivation),
            growing_key="" if self.schedule.system == "swiss" else "games",
        )
        self._file.require_matching_games(len(names), sides)
        self._failed_deals: dict[int, str] = {}
        lines = self._file.load_games()
        self._games_played = len(lines)
        self._forfeited_games = [line for line in lines if line.forfeit is not None]
        self._last_meetings = find_last_meetings(self._forfeited_games)
        self._meetings_left = count_meetings_left(self.schedule, self._file)

    @property
    def games_planned(self) -> int:
        """Return how many games are planned; the number falls when a bot is disqualified."""
        return self._games_played + self._meetings_left * self.schedule.games_per_deal

    @property
    def games_played(self) -> int:
        """Return the number of games that have been played so far."""
        return self._games_played

    @property
    def ranking(self) -> Ranking:
        """Return the result of the tournament so far."""
        return Ranking(
            self._file,
            names=self.names,
            rules=self.rules,
            games_left=self._meetings_left * self.schedule.games_per_deal,
            games_cancelled=count_cancelled_games(self.schedule, self._file, self._meetings_left) if self._last_meetings else 0,
            problems=(*self.list_problems(), *self._warn_of_guessable_seed()),
        )

    def play_on(self, should_stop: Callable[[], bool] = bool) -> Iterator[Ranking]:
        """Continue the tournament; from time to time, yield its result so far.

        It stops at the end, or when `should_stop` returns true.

        Games are stored even if the caller stops iterating.
        """
        last_report, cost = time.monotonic(), 0.0
        steps = self.play_deals()
        with contextlib.closing(steps):
            for _ in steps:
                if should_stop():
                    break
                now = time.monotonic()
                if now - last_report >= max(_MIN_REPORT_SECONDS, _REPORT_COST_FACTOR * cost):
                    ranking = self.ranking
                    _ = ranking.standings
                    last_report = time.monotonic()
                    cost = last_report - now
                    yield ranking
        yield self.ranking

    def play_deals(self) -> Generator[int, None, None]:
        """Continue the tournament; after each deal, yield how many games have been played."""
        if self.schedule.system != "swiss":  # Only Swiss rounds depend on earlier results; all other rounds may overlap
            yield from self._play_meetings(
                meeting for round_meetings in self.schedule.generate_meetings(list) for meeting in round_meetings
            )
            return
        first_number = [0]  # The number of the first meeting in the round that is played now
        for round_meetings in self.schedule.generate_meetings(lambda: self._compute_points_before(first_number[0])):
            yield from self._play_meetings(round_meetings)
            if any(
                is_due(meeting.number, meeting.entrants, self._last_meetings) and not self._file.has_meeting(meeting.number)
                for meeting in round_meetings
            ):
                return  # The next round depends on all results of this round, and one deal of this round could not be played
            first_number[0] += len(round_meetings)
            self._meetings_left = count_meetings_left(self.schedule, self._file)

    def _play_meetings(self, meetings: Iterable[Meeting]) -> Generator[int, None, None]:
        """Play `meetings`; then play skipped meetings that have turned out to be needed."""
        skipped: list[Meeting] = []
        while True:
            yield from self._play_pass(meetings, skipped)
            meetings = [meeting for meeting in skipped if is_due(meeting.number, meeting.entrants, self._last_meetings)]
            if not meetings:
                return
            self._meetings_left, skipped = self._meetings_left + len(meetings), []

    def _play_pass(self, meetings: Iterable[Meeting], skipped: list[Meeting]) -> Generator[int, None, None]:
        """Play those of `meetings` that are needed now, and add all others to `skipped`."""
        handed_out: list[Meeting] = []

        def generate_due() -> Iterator[Meeting]:
            """Yield the meetings that are needed now and that no other process has played."""
            for meeting in meetings:
                if self._file.has_meeting(meeting.number):
                    continue
                if not is_due(meeting.number, meeting.entrants, self._last_meetings):
                    self._meetings_left = max(0, self._meetings_left - 1)
                    skipped.append(meeting)
                    continue
                handed_out.append(meeting)
                yield meeting

        meetings_left = _CountedIterator(generate_due(), self._count_meetings_left)
        with (
            WorkerPool(self._executor) as pool,
            contextlib.closing(
                pool.run_unordered(play_meeting, meetings_left, common=self._terms, seconds=self._get_deal_timeout())
            ) as results,
        ):
            for index, result in results:
                meeting = handed_out[index]
                if isinstance(result, MeetingResult):
                    self._file.save_meeting(meeting, result, self.names)
                    self._failed_deals.pop(meeting.number, None)
                    self._meetings_left = max(0, self._meetings_left - 1)
                    self._record_games(build_stored_games(meeting, result))
                else:
                    self._failed_deals[meeting.number] = result.message if isinstance(result, Failed) else short_repr(result)
                yield self._games_played

    def _get_deal_timeout(self) -> float:
        """Return the time limit, in seconds, for all games of one deal together."""
        return self.schedule.games_per_deal * max(
            _TRUSTED_GAME_SECONDS, _SANDBOX_WAIT_FACTOR * self.schedule.sides * self._terms.limits.seconds
        )

    def _count_meetings_left(self) -> int:
        """Return an upper limit for the number of meetings that no worker has received yet."""
        return self._meetings_left

    def _record_games(self, stored_games: list[StoredGame]) -> None:
        """Count new games as played, and note which bots are disqualified because of them."""
        self._games_played += len(stored_games)
        if forfeited := [line for line in stored_games if line.forfeit is not None]:
            self._forfeited_games = sorted([*self._forfeited_games, *forfeited], key=lambda line: (line.meeting, line.game_index))
            self._last_meetings = find_last_meetings(self._forfeited_games)

    def _compute_points_before(self, meeting: int) -> list[float | None]:
        return _compute_points_before(self._file.load_games(), len(self.names), meeting)

    def list_problems(self) -> Iterator[str]:
        """Yield sentences on bot files that were left out, and on deals that failed."""
        yield from self._left_out
        if self._failed_deals:
            number, reason = next(iter(sorted(self._failed_deals.items())))
            yield f"{len(self._failed_deals)} deals could not be played, such as number {number}: {reason}; use the same call or command again to retry them"

    def _warn_of_guessable_seed(self) -> Iterator[str]:
        """Yield a warning if a sandboxed bot could guess the seed, and so the hidden cards."""
        seed = self.schedule.seed
        if self.schedule.key and is_guessable(seed, self.schedule.key):
            yield (
                f"seed={short_repr(seed)} is easy to guess, and a bot that guesses it knows every card. Leave out seed: then the cards come from a secret that no bot can find, and the results store it"
            )

    def close(self) -> None:
        """Close the tournament file."""
        self._file.close()


def _is_positive_number(value: object, maximum: int) -> bool:
    """Return whether a value is a number above 0 and not above `maximum`."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= maximum


def _compute_points_before(stored_games: Iterable[StoredGame], bot_count: int, meeting: int) -> list[float | None]:
    """Return each bot's mean points in all meetings before the meeting number `meeting`.

    A disqualified bot has None.
    """
    return list(compute_scores([line for line in stored_games if line.meeting < meeting], bot_count))


def count_meetings_left(schedule: Schedule, file: TournamentFile) -> int:
    """Return how many meetings are still to be played; disqualified bots play none."""
    lines = file.load_games()
    last_meetings = find_last_meetings(lines)
    if schedule.system != "swiss" and not last_meetings:  # This usual case must be fast: there may be millions of meetings
        total_meetings = schedule.round_count * schedule.groups_per_round
        return total_meetings - file.count_meetings_before(total_meetings)
    first_number, meetings_left, due_groups, played_numbers, disqualified = [0], 0, 0, file.list_meeting_numbers(), last_meetings.keys()
    steps_per_round = len(schedule.names) ** (1 if schedule.sides == 2 or schedule.against is not None else 2)
    total_meetings = schedule.round_count * schedule.groups_per_round * schedule.deals_per_group
    last_out, last_played = max(last_meetings.values(), default=-1), played_numbers[-1] if played_numbers else -1
    for round_number, groups in enumerate(
        schedule.generate_groups(lambda: _compute_points_before(lines, len(schedule.names), first_number[0]))
    ):
        to_play = 0
        for group in groups:
            first_meeting = first_number[0]
            end_meeting = first_number[0] = first_meeting + schedule.deals_per_group
            if first_meeting <= last_out:
                end_meeting = min(
                    end_meeting, *(last_meetings.get(bot, total_meetings) + 1 for bot in group)
                )  # A bot plays all deals up to the one in which it is disqualified
            elif not disqualified.isdisjoint(group):
                continue
            to_play += max(0, end_meeting - first_meeting)
            if first_meeting <= last_played and first_meeting < end_meeting:
                to_play -= bisect_left(played_numbers, end_meeting) - bisect_left(played_numbers, first_meeting)
        meetings_left += to_play
        if schedule.system == "swiss" and to_play:  # Later rounds depend on results not known yet, so estimate them
            return meetings_left + (schedule.round_count - 1 - round_number) * schedule.deals_per_group * len(groups)
        due_groups += sum(disqualified.isdisjoint(group) for group in groups)
        if (
            schedule.system != "swiss" and steps_per_round * (round_number + 1) >= _MAX_LAYOUT_STEPS
        ):  # An exact count would take too long, so assume that the same fraction of groups plays in later rounds
            return meetings_left + due_groups * (schedule.round_count - 1 - round_number) // (round_number + 1)
    return meetings_left


def count_cancelled_games(schedule: Schedule, file: TournamentFile, meetings_left: int) -> int:
    """Return how many planned games are not played because bots are disqualified.

    `meetings_left` is the number of meetings left.
    """
    lines = file.load_games()
    last_meetings = find_last_meetings(lines)
    if not last_meetings:
        return 0
    played_meetings = {line.meeting for line in lines if is_due(line.meeting, line.sides, last_meetings)}
    return max(0, schedule.games_planned - (len(played_meetings) + meetings_left) * schedule.games_per_deal)


class _CountedIterator:
    """An iterator over meetings that can estimate how many meetings are left.

    A worker pool uses this number to share out the last meetings evenly.
    """

    def __init__(self, items: Iterator[Meeting], count_left: Callable[[], int]) -> None:
        self._items, self._count_left = items, count_left

    def __iter__(self) -> _CountedIterator:
        return self

    def __next__(self) -> Meeting:
        return next(self._items)

    def __length_hint__(self) -> int:
        return self._count_left()


def _build_entrants_with_ladder(bots: Any, against: Any, left_out: list[str]) -> tuple[tuple[Entrant, ...], str | None]:  # noqa: ANN401 - whatever was given
    """Build all entrants (bots); for a ladder, add the reference bot if `bots` lacks it."""
    if against is None:
        return build_entrants(bots, left_out), None
    if not isinstance(bots, Mapping):
        is_single = isinstance(bots, (str, os.PathLike)) or not isinstance(bots, Iterable)
        bots = [bots] if is_single else list(bots)  # The bots are needed twice, but an iterator can be read only once
    if isinstance(against, str):
        with contextlib.suppress(BotError):
            all_entrants = build_entrants(bots, newly_left_out := list[str]())
            if against in (entrant.name for entrant in all_entrants):
                left_out += newly_left_out
                return all_entrants, against
    ladder_entrant = build_entrants([against, "first" if against != "first" else "random"])[0]
    all_bots: Any = {**bots, ladder_entrant.name: ladder_entrant} if isinstance(bots, Mapping) else [*bots, ladder_entrant]
    return build_entrants(all_bots, left_out), ladder_entrant.name


def _build_metadata(rules: Rules, all_entrants: tuple[Entrant, ...], schedule: Schedule, limits: Limits, derivation: int) -> dict[str, Any]:
    """Return the tournament's settings as the tournament file stores them."""
    return {
        "rules": str(rules),
        "bots": {entrant.name: entrant.identity for entrant in all_entrants},
        "system": schedule.system,
        "against": None if schedule.against is None else schedule.names[schedule.against],
        "match": schedule.match,
        "seed": schedule.seed,
        "limits": list(limits),
        "durak_widget": VERSION,
        "games": schedule.games,
        "deals": derivation,
        "key": schedule.key,
    }


def play(
    bots: Iterable[AnyBot | PathLike[str]] | Mapping[str, AnyBot | PathLike[str]] | str | PathLike[str],
    rules: Rules | str | None = None,
    *,
    games: int = 1000,
    seed: int | str | None = None,
    executor: object = None,
    system: str = "all",
    against: AnyBot | PathLike[str] | None = None,
    match: int = 1,
    file: str | PathLike[str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Ranking:
    """Play a tournament between bots, and return their ratings and all games.

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
    for _ in run.play_deals():
        pass
    for trouble in run.list_problems():
        warnings.warn(trouble, stacklevel=2)
    return run.ranking


def load(path: str | PathLike[str]) -> Ranking:
    """Return the result of the tournament in a file; the tournament may still be running.

    >>> load("no such file")
    Traceback (most recent call last):
    durak_widget.arena.tournament_file.TournamentFileError: there is no file 'no such file'; arena.play(…, file='no such file') makes one
    """
    file = TournamentFile(path, must_exist=True)
    metadata = file.metadata
    if not metadata:
        raise TournamentFileError(f"{short_repr(file.name)} has no tournament yet")
    games = as_whole_number(metadata.get("games"))
    if games is not None and games > MAX_GAMES:
        raise TournamentFileError(
            f"{short_repr(file.name)} has a tournament of {short_repr(games, 30)} games, and the limit is {MAX_GAMES}; ask the sender for a tournament with fewer games"
        )
    try:
        names, rules, order = _parse_metadata(metadata)
    except (KeyError, TypeError, ValueError) as error:
        detail = f": {error}" if isinstance(error, DurakError) else "; use an undamaged copy"
        raise TournamentFileError(f"{short_repr(file.name)} is damaged and does not say which tournament it has{detail}") from None
    file.require_matching_games(len(names), order.sides)
    meetings_left = count_meetings_left(order, file)
    cancelled = count_cancelled_games(order, file, meetings_left)
    return Ranking(file, names=names, rules=rules, games_left=meetings_left * order.games_per_deal, games_cancelled=cancelled)


def _parse_metadata(metadata: Mapping[str, Any]) -> tuple[tuple[str, ...], Rules, Schedule]:
    """Parse bot names, rules and schedule from stored settings; raise an error if invalid."""
    names, rules, against = tuple(metadata["bots"]), Rules.coerce(metadata["rules"]), metadata["against"]
    if (
        not all(map(is_valid_name, names))
        or len(set(names)) < len(names)
        or not 2 <= len(names) <= MAX_ENTRANTS
        or against not in (None, *names)
    ):
        raise ValueError
    settings = {key: metadata[key] for key in ("system", "games", "match", "seed")}
    settings["key"] = metadata.get("key", "")  # Files of earlier versions have no secret
    if (
        metadata.get("deals", PLAIN_DERIVATION) not in (PLAIN_DERIVATION, SLOW_DERIVATION)
        or not isinstance(settings["key"], str)
        or len(settings["key"]) > _MAX_KEY_LENGTH
    ):
        raise ValueError
    return names, rules, build_schedule(names, len(set(seating.side_of_seat(rules))), against=against, **settings)
