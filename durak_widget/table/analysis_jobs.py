"""The background analysis of a table: game reviews, win chances, coach comments and hints.

A job builds the review of a finished game step by step, and the user can play a turning point again. The coach comments on each of the
viewer's moves that cost much. The scene contains the results about the position that the viewer sees. The last hint is stored, so that a
second request returns its second step.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.errors import DurakError
from durak_widget.i18n import TranslatableText
from durak_widget.widgets.missed_endgames import QUICK_SEARCH_POSITIONS, is_self_contained, remember_missed_endgame

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.match import Match
    from durak_widget.engine.observation import Observation
    from durak_widget.review import Review, TurningPoint
    from durak_widget.review.game_review import Basis
    from durak_widget.table.hints import Hint, UntranslatedHint
    from durak_widget.table.move_feedback import MoveComment
    from durak_widget.table.scene import VoicePair
    from durak_widget.widgets.background_jobs import JobStarter

    Finder = Callable[[Observation], Sequence[float]]

BY_KNOWLEDGE: Final[Basis] = "what it knew"
BY_ALL_CARDS: Final[Basis] = "all cards"
SLICE_SECONDS: Final = 0.1
"""How many seconds the table works on a review before it checks whether the review is still needed."""


@dataclass(eq=False)
class _ReviewRun:
    """The state of one review: its remaining steps, and the review itself once it is complete."""

    steps: Iterator[Review | None] | None
    """The remaining steps of the review; None if the review is complete, or if its job has failed."""
    on_found: Callable[[], object]
    review: Review | None = None
    reviews_by_seat: dict[int, Review] = field(default_factory=dict)
    """For each seat, the review as that seat's player may see it; each is built when it is first requested."""


class ReviewJob:
    """Builds the review of a finished game in background jobs.

    >>> def run_at_once(work, on_result):
    ...     on_result(work())
    >>> from durak_widget import Game
    >>> game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> review_job = ReviewJob(run_at_once, on_found=lambda: print("found"))
    >>> review_job.request(1, game)
    found
    >>> review_job.get_review(1, 1).sentence(), review_job.get_review(2, 1)
    ('Well played! You made no clear mistake.', None)
    """

    def __init__(self, start_job: JobStarter, on_found: Callable[[], object]) -> None:
        """Store a function that starts jobs, and a function to call after each review."""
        self._start_job, self._on_found = start_job, on_found
        self._key: Hashable = None
        self._game: Game | None = None
        self._runs: dict[Basis, _ReviewRun] = {}

    def request(self, key: Hashable, game: Game | None) -> None:
        """Start to review a game, unless its review has already been started.

        `key` identifies the game. If `game` is None, the method only discards the old reviews.
        """
        if key == self._key:
            return
        self._key, self._game, self._runs = key, game, {}
        if game is not None:
            self._start_run(BY_KNOWLEDGE, game, self._on_found)

    def is_pending(self, key: Hashable) -> bool:
        """Return whether the review of a game is in progress, rather than complete or failed."""
        return key != self._key or (BY_KNOWLEDGE in self._runs and self._runs[BY_KNOWLEDGE].steps is not None)

    def request_by_cards(self, key: Hashable, on_found: Callable[[], object]) -> None:
        """Start a second review, which judges moves as if the players had known all cards.

        The method does nothing before the first review is complete. It calls `on_found` when the second review is complete. If the second review
        is already in progress, the new `on_found` replaces the old one.
        """
        run = self._runs.get(BY_ALL_CARDS)
        if self._game is None or key != self._key or self.is_pending(key):
            return
        if run is not None and run.review is not None:
            on_found()
        elif run is not None and run.steps is not None:
            run.on_found = on_found
        else:
            self._start_run(BY_ALL_CARDS, self._game, on_found)

    def cancel(self) -> None:
        """Cancel all reviews that are in progress.

        If the review with all cards is cancelled, its callback is still called, so that its caller does not wait forever.
        """
        unfinished_runs = [run for basis, run in self._runs.items() if basis == BY_ALL_CARDS and run.steps is not None]
        for run in self._runs.values():
            run.steps = None
        for run in unfinished_runs:
            run.on_found()

    def get_review(self, key: Hashable, seat: int, basis: Basis = BY_KNOWLEDGE) -> Review | None:
        """Return a game's review as the player in a seat may see it; None if it is not complete."""
        run = self._runs.get(basis)
        if run is None or run.review is None or key is None or key != self._key:
            return None
        if seat not in run.reviews_by_seat:
            run.reviews_by_seat[seat] = run.review.for_seat(seat)
        return run.reviews_by_seat[seat]

    def _start_run(self, basis: Basis, game: Game, on_found: Callable[[], object]) -> None:
        self._runs[basis] = run = _ReviewRun(_iterate_review(game, basis), on_found)
        self._continue_run(run)

    def _continue_run(self, run: _ReviewRun) -> None:
        steps = run.steps
        if steps is not None:
            self._start_job(lambda: _run_slice(steps), lambda review: self._handle_slice(run, review))

    def _handle_slice(self, run: _ReviewRun, review: Review | None) -> None:
        """Store a review after its last step; if steps are left, start the next step."""
        if run not in self._runs.values():
            return
        if review is None:
            self._continue_run(run)
        else:
            run.review, run.steps = review, None
            run.on_found()


def remember_missed_endgames(review: Review, seat: int) -> bool:
    """Store the endgames that a player failed to win, for later practice.

    Return True if at least one endgame was stored.
    """
    from durak_widget.analysis.endgame import solve_endgame  # noqa: PLC0415 - a table begins without it; there once a game was reviewed

    has_stored = False
    for turn in review.turning_points:
        if turn.is_proved and turn.decision.seat == seat and turn.decision.value == 1 and not turn.position.talon:
            with suppress(DurakError):  # Some positions can't be stored as an endgame, or take too long to solve.
                is_clear_win = is_self_contained(turn.position) and solve_endgame(turn.position, budget=QUICK_SEARCH_POSITIONS).value == 1
                has_stored = (is_clear_win and remember_missed_endgame(turn.position.position)) or has_stored
    return has_stored


def _iterate_review(game: Game, basis: Basis) -> Iterator[Review | None]:
    """Review a game step by step: yield None before each step, and the review at the end."""
    from durak_widget.review import ReviewSettings, analyze_in_steps  # noqa: PLC0415 - who plays no game to its end loads none of it

    steps = analyze_in_steps(game, settings=ReviewSettings(basis))
    while True:
        yield None
        try:
            next(steps)
        except StopIteration as end:
            yield end.value
            return


def _run_slice(steps: Iterator[Review | None]) -> Review | None:
    """Work on a review for a short time; return the review if it is complete, otherwise None."""
    end_time = monotonic() + SLICE_SECONDS
    return next((review for review in steps if review is not None or monotonic() > end_time), None)


class DecisionRetry(NamedTuple):
    """A decisive move of a finished game (turning point), played again only for practice."""

    match: Match
    """The match that goes on after the user has played the turning point again."""
    position: Game
    seat: int
    is_draw_enough: bool
    """True if a tie was the best result that the player could reach from the turning point."""

    @classmethod
    def from_turning_point(cls, turn: TurningPoint, match: Match) -> DecisionRetry:
        """Create a retry from a turning point of a finished game.

        The player's goal is to win, or to reach a tie if it is proved that no win was possible.
        """
        return cls(match, turn.position, turn.decision.seat, turn.is_proved and turn.decision.value == 0)

    @property
    def goal(self) -> TranslatableText:
        """Return what the player must reach in the retry (a win or a tie), as translatable text."""
        return TranslatableText("table.trial.draw" if self.is_draw_enough else "table.trial.out", {"bout": self.position.bout})

    def is_achieved(self, game: Game) -> bool:
        """Return whether the player has reached the win or tie that this retry asks for."""
        outcome = game.outcome
        return outcome is not None and (self.seat in outcome.winners or (self.is_draw_enough and self.seat not in outcome.losers))

    def build_view(self, game: Game, voices: VoicePair) -> dict[str, Any]:
        """Return the data with which the front end shows whether a retry reached its goal.

        If not, the front end offers another try.
        """
        is_done = self.is_achieved(game)
        sentences = voices.say("table.trial.done") if is_done else voices.say("table.trial.missed")
        return {"text": sentences, **({} if is_done else {"retry_ply": self.position.ply})}


def build_review_view(review: Review, voices: VoicePair, *, comes_back: bool = False) -> dict[str, Any]:
    """Return the data with which the front end shows a review, its turning points and a retry.

    `comes_back` says that the missed endgame will be asked again for practice.
    """
    first = review.main_turning_point
    is_own = first is not None and first.decision.seat == review.seat
    facts = [
        *review.headline_facts,
        *(first.better_move_facts if first and is_own and first.is_proved else []),
        *([TranslatableText("table.tomorrow")] if comes_back else []),
    ]
    sentences = [" ".join(voice.translate(fact.key, **fact.facts) for fact in facts) for voice in voices]
    return {
        "text": sentences,
        "turning_points": [turn.decision.ply for turn in review.turning_points],
        **({"retry_ply": first.decision.ply} if first and is_own else {}),
    }


class NamedJobStarter(Protocol):
    """The type of a function that starts a background job with a given name."""

    def __call__(self, name: str, work: Callable[[], Any], on_result: Callable[[Any], None], *, worker: object) -> object:
        """Start a background job with a given name; `on_result` gets the job's result."""


class FinderResults:
    """A set of named analysis functions (finders), and their results for the current position.

    >>> def run_at_once(name, work, on_result, *, worker):
    ...     on_result(work())
    >>> finder_results = FinderResults(run_at_once, on_change=lambda: None)
    >>> finder_results.set_finder("cards", lambda view: [len(view.hand)])
    True
    >>> from durak_widget import Game
    >>> finder_results.request(Game(seed=7).view(0), moment=1); finder_results.get_results(1), finder_results.get_results(2)
    ({'cards': (6.0,)}, {})
    """

    def __init__(self, start_job: NamedJobStarter, on_change: Callable[[], None]) -> None:
        """Create an object without analysis functions; it calls `on_change` after each new result."""
        self._start_job, self._on_change = start_job, on_change
        self._finders: dict[str, Finder] = {}
        self._moment: Hashable = None
        self._results: dict[str, tuple[float, ...]] = {}

    @property
    def has_finders(self) -> bool:
        """Return whether at least one analysis function is set."""
        return bool(self._finders)

    def set_finder(self, name: str, finder: Finder | None) -> bool:
        """Set the analysis function of a given name, or remove it if `finder` is None.

        Return whether anything changed.
        """
        if self._finders.get(name) is finder:
            return False
        self._finders.pop(name, None)
        self._results.pop(name, None)
        if finder is not None:
            self._finders[name] = finder
        return True

    def get_results(self, moment: Hashable) -> Mapping[str, Sequence[float]]:
        """Return the results of all analysis functions, by name, for one moment of the game."""
        if moment != self._moment:
            self._moment, self._results = moment, {}
        return self._results

    def request(self, view: Observation, moment: Hashable) -> None:
        """Start each analysis function that has no result yet, unless the viewer's hand is hidden."""
        results = self.get_results(moment)
        for name, finder in self._finders.items():
            if name not in results and not view.is_hand_hidden:
                self._start_job(name, partial(finder, view), partial(self._store_result, name), worker=finder)

    def _store_result(self, name: str, values: Sequence[float]) -> None:
        """Store an analysis function's result; raise an error if a number in it is not finite."""
        numbers = tuple(map(float, values))
        invalid = next((number for number in numbers if not isfinite(number)), None)
        if invalid is not None:
            raise DurakError(f"{name} must have only finite numbers, so that the page can draw them, not {invalid}")
        if numbers:
            self._results[name] = numbers
            self._on_change()


class CoachJob:
    """Finds the coach's comment on a player's last move, in a background job.

    >>> def run_at_once(work, on_result):
    ...     on_result(work())
    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> coach_job = CoachJob(run_at_once, on_found=lambda: print("found"))
    >>> coach_job.request("a move", game, 0)
    found
    >>> print(coach_job.get_comment("a move").to_text())
    You had a sure win, but that move loses it. To win, attack with the 7 of diamonds.
    >>> coach_job.get_comment("another") is None
    True
    """

    def __init__(self, start_job: JobStarter, on_found: Callable[[], object]) -> None:
        """Store a function that starts jobs, and a function to call after each comment."""
        self._start_job, self._on_found = start_job, on_found
        self._key: Hashable = None
        self._comment: MoveComment | None = None

    def request(self, key: Hashable, game: Game | None, ply: int) -> None:
        """Start to find a comment on the move at `ply`; `key` identifies this move.

        If `game` is None, the method only discards the old comment.
        """
        if key == self._key:
            return
        self._key, self._comment = key, None
        if game is not None:
            from durak_widget.table.move_feedback import comment_on_move  # noqa: PLC0415 - who wants no coach loads none of it

            snapshot = game.copy()
            self._start_job(lambda: comment_on_move(snapshot, ply), self._store_comment)

    def get_comment(self, key: Hashable) -> MoveComment | None:
        """Return the coach's comment on the move with a given key; None if there is no comment."""
        return self._comment if key == self._key else None

    def _store_comment(self, comment: MoveComment | None) -> None:
        self._comment = comment
        self._on_found()


class HintMemory:
    """Stores the last hint: a first request shows a thought, and a second request the move."""

    def __init__(self) -> None:
        """Create an object that has not stored a hint yet."""
        self._moment: Hashable = None
        self._hint: UntranslatedHint | Hint | None = None

    def store(self, moment: Hashable, hint: UntranslatedHint | Hint) -> None:
        """Store a hint whose first step (the thought) the player has seen."""
        self._moment, self._hint = moment, hint

    def get(self, moment: Hashable) -> UntranslatedHint | Hint | None:
        """Return the stored hint; None if the hint is for another moment of the game."""
        return self._hint if self._moment == moment else None
