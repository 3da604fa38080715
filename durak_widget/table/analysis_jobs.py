"""Runs the table's analysis in the background: the review, win probabilities, the coach and hints.

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
"""So many seconds it is worked at without a look at whether anybody still wants to know."""


@dataclass(eq=False)
class _Look:
    """One review of a game, as far as it is made."""

    steps: Iterator[Review | None] | None
    """What is still to be done; None when it is done, or cannot be."""
    found: Callable[[], object]
    review: Review | None = None
    told: dict[int, Review] = field(default_factory=dict)
    """The review as it is told to each seat that has asked."""


class Turned:
    """The review of the game that is over; nothing while one goes on.

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
        """Whoever is told hears it once it is found."""
        self._works, self._found = works, found
        self._key: Hashable = None
        self._game: Game | None = None
        self._looks: dict[By, _Look] = {}

    def seek(self, key: Hashable, game: Game | None) -> None:
        """Find out about that game, if it is another than before; without one, all is forgotten."""
        if key == self._key:
            return
        self._key, self._game, self._looks = key, game, {}
        if game is not None:
            self._begin(KNEW, game, self._found)

    def seeks(self, key: Hashable) -> bool:
        """Whether that game is yet to be looked through; what failed is not."""
        return key != self._key or (KNEW in self._looks and self._looks[KNEW].steps is not None)

    def by_cards(self, key: Hashable, heard: Callable[[], object]) -> None:
        """Judge that game by all cards too, once it has been looked through; who asks again while that goes on hears it instead."""
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
        """Look no further: where this game turned cannot be found out; who waits for what all cards say is told what there is."""
        waiting = [look for by, look in self._looks.items() if by == CARDS and look.steps is not None]
        for look in self._looks.values():
            look.steps = None
        for look in waiting:
            look.found()

    def told(self, key: Hashable, seat: int, by: By = KNEW) -> Review | None:
        """The review of that game as it is told to a seat, if it is there."""
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
    """Endings that a seat had won, and gave away by what is proved, come back on later days: whether there are any that will."""
    from durak_widget.analysis.endgame import solve  # noqa: PLC0415 - a table begins without it; there once a game was reviewed

    kept = False
    for turn in review.turns:
        if turn.proved and turn.decision.seat == seat and turn.decision.value == 1 and not turn.position.talon:
            with suppress(DurakError):  # what cannot be kept as an ending, or takes long to prove, is none that could be asked again
                asked = stands_alone(turn.position) and solve(turn.position, budget=SOON).value == 1
                kept = (asked and remember(turn.position.position)) or kept
    return kept


def _judged(game: Game, by: By) -> Iterator[Review | None]:
    """The review, step by step; it comes last."""
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
    """Work at it for a moment; the review, once it is there."""
    until = monotonic() + SLICE
    return next((review for review in steps if review is not None or monotonic() > until), None)


class Trial(NamedTuple):
    """A moment at which a game turned, played once more: it counts for nobody."""

    match: Match
    """The match that goes on afterwards."""
    moment: Game
    seat: int
    draw: bool
    """A draw was all that could be had."""

    @classmethod
    def of(cls, turn: Turning, match: Match) -> Trial:
        """What is tried: to get out, or to hold the draw that was proved."""
        return cls(match, turn.position, turn.decision.seat, turn.proved and turn.decision.value == 0)

    @property
    def goal(self) -> Fact:
        """What is to be done."""
        return Fact("table.trial.draw" if self.draw else "table.trial.out", {"bout": self.moment.bout})

    def done(self, game: Game) -> bool:
        """Whether that was done in a game that is over."""
        outcome = game.outcome
        return outcome is not None and (self.seat in outcome.winners or (self.draw and self.seat not in outcome.losers))

    def scene(self, game: Game, voices: Voices) -> dict[str, Any]:
        """What the scene says of it when it is over; if it was missed, it may be tried again."""
        done = self.done(game)
        said = voices.say("table.trial.done") if done else voices.say("table.trial.missed")
        return {"said": said, **({} if done else {"again": self.moment.ply})}


def scene_of_review(review: Review, voices: Voices, *, back: bool = False) -> dict[str, Any]:
    """What the scene says of a review: its sentence, with what was better where that is proved, and whether what was missed comes `back`; the moments at which it turned, and whether that one may be tried again."""
    first = review.first
    mine = first is not None and first.decision.seat == review.seat
    facts = [*review.headline, *(first.instead if first and mine and first.proved else []), *([Fact("table.tomorrow")] if back else [])]
    said = [" ".join(voice.say(fact.key, **fact.facts) for fact in facts) for voice in voices]
    return {
        "said": said,
        "marks": [turn.decision.ply for turn in review.turns],
        **({"again": first.decision.ply} if first and mine else {}),
    }


class Asks(Protocol):
    """Who has something done beside the table."""

    def __call__(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object) -> object:
        """Have it done, for what is seen now."""


class Findings:
    """Who finds out what, and what they have found out about the moment that was asked for last.

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
        """Whatever is found out is shown."""
        self._asks, self._shown = asks, shown
        self._finders: dict[str, Finder] = {}
        self._moment: Hashable = None
        self._found: dict[str, tuple[float, ...]] = {}

    @property
    def sought(self) -> bool:
        """Whether anything is to be found out at all."""
        return bool(self._finders)

    def put(self, name: str, finder: Finder | None) -> bool:
        """From now on that is found out by somebody else, or by nobody; whether that is another than before."""
        if self._finders.get(name) is finder:
            return False
        self._finders.pop(name, None)
        self._found.pop(name, None)
        if finder is not None:
            self._finders[name] = finder
        return True

    def at(self, moment: Hashable) -> Mapping[str, Sequence[float]]:
        """What has been found out about this moment, by the name under which the page is told it."""
        if moment != self._moment:
            self._moment, self._found = moment, {}
        return self._found

    def seek(self, view: View, moment: Hashable) -> None:
        """Have everything found out that is not known of this moment; of a covered hand nothing is."""
        known = self.at(moment)
        for name, finder in self._finders.items():
            if name not in known and not view.is_covered:
                self._asks(name, partial(finder, view), partial(self._hear, name), by=finder)

    def _hear(self, name: str, values: Sequence[float]) -> None:
        """What is found is told to the page as numbers that can be drawn; nothing, where there are none."""
        numbers = tuple(map(float, values))
        wrong = next((one for one in numbers if not isfinite(one)), None)
        if wrong is not None:
            raise DurakError(f"{name} is told to the page as numbers that can be drawn, not as {wrong}; give finite ones")
        if numbers:
            self._found[name] = numbers
            self._shown()


class Coached:
    """What there is to say of the last move of one seat.

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
        """Whoever is told hears it once it is found."""
        self._works, self._found = works, found
        self._key: Hashable = None
        self._word: Word | None = None

    def seek(self, key: Hashable, game: Game | None, ply: int) -> None:
        """Find out about the move after so many others, if it is another than before; without a game, all is forgotten."""
        if key == self._key:
            return
        self._key, self._word = key, None
        if game is not None:
            from durak_widget.table.move_feedback import word_on  # noqa: PLC0415 - who wants no coach loads none of it

            before = game.copy()
            self._works(lambda: word_on(before, ply), self._heard)

    def at(self, key: Hashable) -> Word | None:
        """What there is to say of that move, if it is known."""
        return self._word if key == self._key else None

    def _heard(self, word: Word | None) -> None:
        self._word = word
        self._found()


class Hints:
    """What was thought of at a table, and at which moment: who asks again there is told the rest."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self._moment: Hashable = None
        self._counsel: Counsel | Hint | None = None

    def keep(self, moment: Hashable, counsel: Counsel | Hint) -> None:
        """The thought has been told."""
        self._moment, self._counsel = moment, counsel

    def at(self, moment: Hashable) -> Counsel | Hint | None:
        """Of what only the thought has been told at this moment."""
        return self._counsel if self._moment == moment else None
