"""Where a game turned that is over: found out beside the table, step by step, and told to whoever sits before it; and such a moment played once more."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.i18n import Fact
from durak_widget.widgets.missed_endgames import SOON, remember, stands_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from durak_widget.engine.game import Game
    from durak_widget.engine.match import Match
    from durak_widget.review import Review, Turning
    from durak_widget.review.game_review import By
    from durak_widget.table.scene import Voices
    from durak_widget.widgets.background_jobs import Works

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
