"""The table's background analysis: game reviews, win chances, the coach and hints.

The review of a finished game is built step by step, and a turning point can be played again. The coach
comments once on each of the viewer's moves that cost much. Results about the moment that a viewer sees are
sent with the scene. The last hint is remembered, so that a second request gives the rest of it.
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
"""The number of seconds of review work after which the table checks whether the review is still needed."""


@dataclass(eq=False)
class _ReviewRun:
    """A review of a game, complete or in progress."""

    steps: Iterator[Review | None] | None
    """The remaining steps of the review; None when it is complete or can't be built."""
    on_found: Callable[[], object]
    review: Review | None = None
    reviews_by_seat: dict[int, Review] = field(default_factory=dict)
    """The review of the game as each seat may see it; a seat is added when it is requested."""


class ReviewJob:
    """A background job that builds the review of a finished game.

    >>> def at_once(work, heard):
    ...     heard(work())
    >>> from durak_widget import Game
    >>> game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> turned = ReviewJob(at_once, on_found=lambda: print("found"))
    >>> turned.request(1, game)
    found
    >>> turned.get_review(1, 1).sentence(), turned.get_review(2, 1)
    ('There is nothing to reproach you with: no clear mistake was found.', None)
    """

    def __init__(self, start_job: JobStarter, on_found: Callable[[], object]) -> None:
        """Set up the job; `on_found` is called when a review is complete."""
        self._start_job, self._on_found = start_job, on_found
        self._key: Hashable = None
        self._game: Game | None = None
        self._runs: dict[Basis, _ReviewRun] = {}

    def request(self, key: Hashable, game: Game | None) -> None:
        """Start the review of a game if it is a new one; for None, discard all reviews."""
        if key == self._key:
            return
        self._key, self._game, self._runs = key, game, {}
        if game is not None:
            self._start_run(BY_KNOWLEDGE, game, self._on_found)

    def is_pending(self, key: Hashable) -> bool:
        """Return whether the review of a game is still in progress; a failed review is not."""
        return key != self._key or (BY_KNOWLEDGE in self._runs and self._runs[BY_KNOWLEDGE].steps is not None)

    def request_by_cards(self, key: Hashable, on_found: Callable[[], object]) -> None:
        """After the first review, also review the game with all cards known; then call `on_found`.

        If this is running already, only the newest `on_found` is called.
        """
        look = self._runs.get(BY_ALL_CARDS)
        if self._game is None or key != self._key or self.is_pending(key):
            return
        if look is not None and look.review is not None:
            on_found()
        elif look is not None and look.steps is not None:
            look.on_found = on_found
        else:
            self._start_run(BY_ALL_CARDS, self._game, on_found)

    def cancel(self) -> None:
        """Cancel all reviews; still call the callback of an unfinished review by all cards."""
        waiting = [look for kind, look in self._runs.items() if kind == BY_ALL_CARDS and look.steps is not None]
        for look in self._runs.values():
            look.steps = None
        for look in waiting:
            look.on_found()

    def get_review(self, key: Hashable, seat: int, basis: Basis = BY_KNOWLEDGE) -> Review | None:
        """Return the complete review of a game as a seat may see it; None if there is none."""
        look = self._runs.get(basis)
        if look is None or look.review is None or key is None or key != self._key:
            return None
        if seat not in look.reviews_by_seat:
            look.reviews_by_seat[seat] = look.review.for_seat(seat)
        return look.reviews_by_seat[seat]

    def _start_run(self, basis: Basis, game: Game, on_found: Callable[[], object]) -> None:
        self._runs[basis] = look = _ReviewRun(_iterate_review(game, basis), on_found)
        self._continue_run(look)

    def _continue_run(self, run: _ReviewRun) -> None:
        steps = run.steps
        if steps is not None:
            self._start_job(lambda: _run_slice(steps), lambda review: self._handle_slice(run, review))

    def _handle_slice(self, run: _ReviewRun, review: Review | None) -> None:
        if run not in self._runs.values():
            return
        if review is None:
            self._continue_run(run)
        else:
            run.review, run.steps = review, None
            run.on_found()


def remember_missed_endgames(review: Review, seat: int) -> bool:
    """Store endgames that a player could have won but spoiled; return whether any were stored."""
    from durak_widget.analysis.endgame import solve_endgame  # noqa: PLC0415 - a table begins without it; there once a game was reviewed

    has_stored = False
    for turn in review.turning_points:
        if turn.is_proved and turn.decision.seat == seat and turn.decision.value == 1 and not turn.position.talon:
            with suppress(DurakError):  # Skip a position that can't be stored as an endgame or takes long to solve
                is_clear_win = is_self_contained(turn.position) and solve_endgame(turn.position, budget=QUICK_SEARCH_POSITIONS).value == 1
                has_stored = (is_clear_win and remember_missed_endgame(turn.position.position)) or has_stored
    return has_stored


def _iterate_review(game: Game, basis: Basis) -> Iterator[Review | None]:
    """Yield None after each step of a game's review, and finally yield the review."""
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
    """Work on the review for a short time; return the review when it is complete."""
    until = monotonic() + SLICE_SECONDS
    return next((review for review in steps if review is not None or monotonic() > until), None)


class DecisionRetry(NamedTuple):
    """A retry of a turning point: the user plays the position again, for practice only."""

    match: Match
    """The match that continues after the turning point has been retried."""
    position: Game
    seat: int
    is_draw_enough: bool
    """True if a tie was the best possible result at the turning point."""

    @classmethod
    def from_turning_point(cls, turn: TurningPoint, match: Match) -> DecisionRetry:
        """Create a retry of a turning point, whose goal is to win or to reach a proved tie."""
        return cls(match, turn.position, turn.decision.seat, turn.is_proved and turn.decision.value == 0)

    @property
    def goal(self) -> TranslatableText:
        """Return the goal of the retry for the player, as a translatable text."""
        return TranslatableText("table.trial.draw" if self.is_draw_enough else "table.trial.out", {"bout": self.position.bout})

    def is_achieved(self, game: Game) -> bool:
        """Return whether the player reached the retry's goal in a finished game."""
        outcome = game.outcome
        return outcome is not None and (self.seat in outcome.winners or (self.is_draw_enough and self.seat not in outcome.losers))

    def build_view(self, game: Game, voices: VoicePair) -> dict[str, Any]:
        """Return the retry's result for the page; after a failure, the player may try again."""
        is_done = self.is_achieved(game)
        sentences = voices.say("table.trial.done") if is_done else voices.say("table.trial.missed")
        return {"said": sentences, **({} if is_done else {"again": self.position.ply})}


def build_review_view(review: Review, voices: VoicePair, *, comes_back: bool = False) -> dict[str, Any]:
    """Return what the page shows of a review: a summary, turning points, a move to retry.

    `comes_back` says that what was missed will come back for practice.
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
        "said": sentences,
        "marks": [turn.decision.ply for turn in review.turning_points],
        **({"again": first.decision.ply} if first and is_own else {}),
    }


class NamedJobStarter(Protocol):
    """A function that starts a background job with a given name."""

    def __call__(self, name: str, work: Callable[[], Any], on_result: Callable[[Any], None], *, worker: object) -> object:
        """Start a job that analyses the position that the viewer sees now."""


class FinderResults:
    """Named functions that analyse what the viewer sees, and their latest results.

    >>> def at_once(name, work, heard, *, worker):
    ...     heard(work())
    >>> findings = FinderResults(at_once, on_change=lambda: None)
    >>> findings.set_finder("cards", lambda view: [len(view.hand)])
    True
    >>> from durak_widget import Game
    >>> findings.request(Game(seed=7).view(0), moment=1); findings.get_results(1), findings.get_results(2)
    ({'cards': (6.0,)}, {})
    """

    def __init__(self, start_job: NamedJobStarter, on_change: Callable[[], None]) -> None:
        """Start without functions; call `on_change` whenever a function has a new result."""
        self._start_job, self._on_change = start_job, on_change
        self._finders: dict[str, Finder] = {}
        self._moment: Hashable = None
        self._results: dict[str, tuple[float, ...]] = {}

    @property
    def has_finders(self) -> bool:
        """Return whether any analysis function has been set."""
        return bool(self._finders)

    def set_finder(self, name: str, finder: Finder | None) -> bool:
        """Set the function with a given name (None removes it); return whether it changed."""
        if self._finders.get(name) is finder:
            return False
        self._finders.pop(name, None)
        self._results.pop(name, None)
        if finder is not None:
            self._finders[name] = finder
        return True

    def get_results(self, moment: Hashable) -> Mapping[str, Sequence[float]]:
        """Return the results for one moment of the game, by the names of the functions."""
        if moment != self._moment:
            self._moment, self._results = moment, {}
        return self._results

    def request(self, view: Observation, moment: Hashable) -> None:
        """Start each function that has no result yet, unless the viewer's hand is covered."""
        results = self.get_results(moment)
        for name, finder in self._finders.items():
            if name not in results and not view.is_hand_hidden:
                self._start_job(name, partial(finder, view), partial(self._store_result, name), worker=finder)

    def _store_result(self, name: str, values: Sequence[float]) -> None:
        """Store a function's result if it has numbers; raise an error if one is not finite."""
        numbers = tuple(map(float, values))
        invalid = next((number for number in numbers if not isfinite(number)), None)
        if invalid is not None:
            raise DurakError(f"{name} is told to the page as numbers that can be drawn, not as {invalid}; give finite ones")
        if numbers:
            self._results[name] = numbers
            self._on_change()


class CoachJob:
    """A background job that finds the coach's comment on a player's last move.

    >>> def at_once(work, heard):
    ...     heard(work())
    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> coached = CoachJob(at_once, on_found=lambda: print("found"))
    >>> coached.request("a move", game, 0)
    found
    >>> print(coached.get_comment("a move").to_text())
    That gives the win away. What wins: attack with the 7 of diamonds.
    >>> coached.get_comment("another") is None
    True
    """

    def __init__(self, start_job: JobStarter, on_found: Callable[[], object]) -> None:
        """Set up the job; `on_found` is called when the coach's comment has been worked out."""
        self._start_job, self._on_found = start_job, on_found
        self._key: Hashable = None
        self._comment: MoveComment | None = None

    def request(self, key: Hashable, game: Game | None, ply: int) -> None:
        """Start to comment on the move at `ply`; without a game, discard the old comment."""
        if key == self._key:
            return
        self._key, self._comment = key, None
        if game is not None:
            from durak_widget.table.move_feedback import comment_on_move  # noqa: PLC0415 - who wants no coach loads none of it

            snapshot = game.copy()
            self._start_job(lambda: comment_on_move(snapshot, ply), self._store_comment)

    def get_comment(self, key: Hashable) -> MoveComment | None:
        """Return the coach's comment on a given move, or None if there is none."""
        return self._comment if key == self._key else None

    def _store_comment(self, comment: MoveComment | None) -> None:
        self._comment = comment
        self._on_found()


class HintMemory:
    """The last hint at a table; a second request at the same moment shows its second step."""

    def __init__(self) -> None:
        """Start without any stored hint."""
        self._moment: Hashable = None
        self._hint: UntranslatedHint | Hint | None = None

    def store(self, moment: Hashable, hint: UntranslatedHint | Hint) -> None:
        """Store a hint after the player has seen its first step."""
        self._moment, self._hint = moment, hint

    def get(self, moment: Hashable) -> UntranslatedHint | Hint | None:
        """Return the stored hint if it belongs to a given moment of the game, otherwise None."""
        return self._hint if self._moment == moment else None
