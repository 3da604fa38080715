"""The table's background analysis: the review, win probabilities, the coach and hints.

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
from durak_widget.i18n import Fact
from durak_widget.widgets.missed_endgames import SOON, remember, stands_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.engine.match import Match
    from durak_widget.engine.observation import View
    from durak_widget.review import Review, Turning
    from durak_widget.review.game_review import By
    from durak_widget.table.hints import Counsel, Hint
    from durak_widget.table.move_feedback import Word
    from durak_widget.table.scene import Voices
    from durak_widget.widgets.background_jobs import Works

    Finder = Callable[[View], Sequence[float]]

KNEW: Final[By] = "what it knew"
CARDS: Final[By] = "all cards"
SLICE: Final = 0.1
"""Seconds of work between two checks that the review is still wanted."""


@dataclass(eq=False)
class _Look:
    """One review of a game, as far as it is built."""

    steps: Iterator[Review | None] | None
    """The steps still to do; None when the review is complete or cannot be built."""
    found: Callable[[], object]
    review: Review | None = None
    told: dict[int, Review] = field(default_factory=dict)
    """The review as each seat that has asked may see it."""


class Turned:
    """Builds the review of a finished game in the background.

    >>> def at_once(work, heard):
    ...     heard(work())
    >>> from durak_widget import Game
    >>> game = Game.at("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> turned = Turned(at_once, found=lambda: print("found"))
    >>> turned.seek(1, game)
    found
    >>> turned.told(1, 1).sentence(), turned.told(2, 1)
    ('There is nothing to reproach you with: no clear mistake was found.', None)
    """

    def __init__(self, works: Works, found: Callable[[], object]) -> None:
        """Call `found` when the review is complete."""
        self._works, self._found = works, found
        self._key: Hashable = None
        self._game: Game | None = None
        self._looks: dict[By, _Look] = {}

    def seek(self, key: Hashable, game: Game | None) -> None:
        """Start the review of a game unless it is the current one; without a game, forget all."""
        if key == self._key:
            return
        self._key, self._game, self._looks = key, game, {}
        if game is not None:
            self._begin(KNEW, game, self._found)

    def seeks(self, key: Hashable) -> bool:
        """Return whether the review of that game is still to come; a failed review is not."""
        return key != self._key or (KNEW in self._looks and self._looks[KNEW].steps is not None)

    def by_cards(self, key: Hashable, heard: Callable[[], object]) -> None:
        """Review that game by all cards too, after the first review; then call `heard`.

        If this is running already, only the newest `heard` is called.
        """
        look = self._looks.get(CARDS)
        if self._game is None or key != self._key or self.seeks(key):
            return
        if look is not None and look.review is not None:
            heard()
        elif look is not None and look.steps is not None:
            look.found = heard
        else:
            self._begin(CARDS, self._game, heard)

    def drop(self) -> None:
        """Cancel all reviews; a caller waiting for the one by all cards is still called."""
        waiting = [look for kind, look in self._looks.items() if kind == CARDS and look.steps is not None]
        for look in self._looks.values():
            look.steps = None
        for look in waiting:
            look.found()

    def told(self, key: Hashable, seat: int, by: By = KNEW) -> Review | None:
        """Return the review of that game as a seat may see it, if it is complete."""
        look = self._looks.get(by)
        if look is None or look.review is None or key is None or key != self._key:
            return None
        if seat not in look.told:
            look.told[seat] = look.review.told_to(seat)
        return look.told[seat]

    def _begin(self, by: By, game: Game, found: Callable[[], object]) -> None:
        self._looks[by] = look = _Look(_judged(game, by), found)
        self._go_on(look)

    def _go_on(self, look: _Look) -> None:
        steps = look.steps
        if steps is not None:
            self._works(lambda: _slice(steps), lambda review: self._heard(look, review))

    def _heard(self, look: _Look, review: Review | None) -> None:
        if look not in self._looks.values():
            return
        if review is None:
            self._go_on(look)
        else:
            look.review, look.steps = review, None
            look.found()


def keep_missed(review: Review, seat: int) -> bool:
    """Store the endgames that a seat provably gave away; return whether there are any."""
    from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - a table begins without it; there once a game was reviewed

    has_stored = False
    for turn in review.turns:
        if turn.proved and turn.decision.seat == seat and turn.decision.value == 1 and not turn.position.talon:
            with suppress(DurakError):  # skip what cannot be stored as an endgame or takes long to prove
                is_clear_win = stands_alone(turn.position) and solve(turn.position, budget=SOON).value == 1
                has_stored = (is_clear_win and remember(turn.position.position)) or has_stored
    return has_stored


def _judged(game: Game, by: By) -> Iterator[Review | None]:
    """Yield None for each step of the review, and the review at the end."""
    from durak_widget.review import Reviewing, reviewed  # noqa: PLC0415 - who plays no game to its end loads none of it

    steps = reviewed(game, how=Reviewing(by))
    while True:
        yield None
        try:
            next(steps)
        except StopIteration as end:
            yield end.value
            return


def _slice(steps: Iterator[Review | None]) -> Review | None:
    """Work for a moment; return the review once it is complete."""
    until = monotonic() + SLICE
    return next((review for review in steps if review is not None or monotonic() > until), None)


class Trial(NamedTuple):
    """A turning point that is played again; the result does not count."""

    match: Match
    """The match that goes on afterwards."""
    moment: Game
    seat: int
    draw: bool
    """Whether a tie was the best that could be reached."""

    @classmethod
    def of(cls, turn: Turning, match: Match) -> Trial:
        """Create a retry of a turning point, to win or to reach the proved tie."""
        return cls(match, turn.position, turn.decision.seat, turn.proved and turn.decision.value == 0)

    @property
    def goal(self) -> Fact:
        """Return what the player is to do."""
        return Fact("table.trial.draw" if self.draw else "table.trial.out", {"bout": self.moment.bout})

    def done(self, game: Game) -> bool:
        """Return whether the goal was reached in a finished game."""
        outcome = game.outcome
        return outcome is not None and (self.seat in outcome.winners or (self.draw and self.seat not in outcome.losers))

    def scene(self, game: Game, voices: Voices) -> dict[str, Any]:
        """Return the scene's view of the result; after a failure the player may try again."""
        is_done = self.done(game)
        sentences = voices.say("table.trial.done") if is_done else voices.say("table.trial.missed")
        return {"said": sentences, **({} if is_done else {"again": self.moment.ply})}


def scene_of_review(review: Review, voices: Voices, *, back: bool = False) -> dict[str, Any]:
    """Return the scene's view of a review: a sentence, turning points and what may be retried.

    `back` says that what was missed will come back for practice.
    """
    first = review.first
    is_own = first is not None and first.decision.seat == review.seat
    facts = [*review.headline, *(first.instead if first and is_own and first.proved else []), *([Fact("table.tomorrow")] if back else [])]
    sentences = [" ".join(voice.say(fact.key, **fact.facts) for fact in facts) for voice in voices]
    return {
        "said": sentences,
        "marks": [turn.decision.ply for turn in review.turns],
        **({"again": first.decision.ply} if first and is_own else {}),
    }


class Asks(Protocol):
    """A callable that starts a named background job."""

    def __call__(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object) -> object:
        """Start a job about what is seen now."""


class Findings:
    """Named functions that analyse what the viewer sees, and their latest results.

    >>> def at_once(name, work, heard, *, by):
    ...     heard(work())
    >>> findings = Findings(at_once, shown=lambda: None)
    >>> findings.put("cards", lambda view: [len(view.hand)])
    True
    >>> from durak_widget import Game
    >>> findings.seek(Game(seed=7).view(0), moment=1); findings.at(1), findings.at(2)
    ({'cards': (6.0,)}, {})
    """

    def __init__(self, asks: Asks, shown: Callable[[], None]) -> None:
        """Call `shown` whenever there is a new result."""
        self._asks, self._shown = asks, shown
        self._finders: dict[str, Finder] = {}
        self._moment: Hashable = None
        self._found: dict[str, tuple[float, ...]] = {}

    @property
    def sought(self) -> bool:
        """Return whether there is any function to run."""
        return bool(self._finders)

    def put(self, name: str, finder: Finder | None) -> bool:
        """Set or remove (None) the function of that name; return whether that changed anything."""
        if self._finders.get(name) is finder:
            return False
        self._finders.pop(name, None)
        self._found.pop(name, None)
        if finder is not None:
            self._finders[name] = finder
        return True

    def at(self, moment: Hashable) -> Mapping[str, Sequence[float]]:
        """Return the results about this moment, by the names that the page uses."""
        if moment != self._moment:
            self._moment, self._found = moment, {}
        return self._found

    def seek(self, view: View, moment: Hashable) -> None:
        """Start every function without a result for this moment, unless the hand is covered."""
        results = self.at(moment)
        for name, finder in self._finders.items():
            if name not in results and not view.is_covered:
                self._asks(name, partial(finder, view), partial(self._hear, name), by=finder)

    def _hear(self, name: str, values: Sequence[float]) -> None:
        """Store a result as finite numbers and show it; an empty result is not shown."""
        numbers = tuple(map(float, values))
        invalid = next((number for number in numbers if not isfinite(number)), None)
        if invalid is not None:
            raise DurakError(f"{name} is told to the page as numbers that can be drawn, not as {invalid}; give finite ones")
        if numbers:
            self._found[name] = numbers
            self._shown()


class Coached:
    """Finds the coach's comment on the last move of a seat.

    >>> def at_once(work, heard):
    ...     heard(work())
    >>> from durak_widget import Game, Rules
    >>> game = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    >>> game.play("attack 9c")
    >>> coached = Coached(at_once, found=lambda: print("found"))
    >>> coached.seek("a move", game, 0)
    found
    >>> print(coached.at("a move").said())
    That gives the win away. What wins: attack with the 7 of diamonds.
    >>> coached.at("another") is None
    True
    """

    def __init__(self, works: Works, found: Callable[[], object]) -> None:
        """Call `found` when there is a comment."""
        self._works, self._found = works, found
        self._key: Hashable = None
        self._word: Word | None = None

    def seek(self, key: Hashable, game: Game | None, ply: int) -> None:
        """Start the comment on the move at `ply` if it is a new one; without a game, forget it."""
        if key == self._key:
            return
        self._key, self._word = key, None
        if game is not None:
            from durak_widget.table.move_feedback import word_on  # noqa: PLC0415 - who wants no coach loads none of it

            snapshot = game.copy()
            self._works(lambda: word_on(snapshot, ply), self._heard)

    def at(self, key: Hashable) -> Word | None:
        """Return the comment on that move, if it is known."""
        return self._word if key == self._key else None

    def _heard(self, word: Word | None) -> None:
        self._word = word
        self._found()


class Hints:
    """The last hint at a table and its moment: a second request there gives the rest of it."""

    def __init__(self) -> None:
        """Start without a hint."""
        self._moment: Hashable = None
        self._counsel: Counsel | Hint | None = None

    def keep(self, moment: Hashable, counsel: Counsel | Hint) -> None:
        """Store the hint whose first step has been given."""
        self._moment, self._counsel = moment, counsel

    def at(self, moment: Hashable) -> Counsel | Hint | None:
        """Return the hint whose first step has been given at this moment, if any."""
        return self._counsel if self._moment == moment else None
