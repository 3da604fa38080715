"""One decision and what is said of it: what was better, what it cost, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.rules import scoring, seating

if TYPE_CHECKING:
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.rules.ruleset import Rules

Said = Literal["forced", "best", "mistake", "proved mistake", "cannot be told"]
VERDICTS: Final[tuple[Said, ...]] = ("forced", "best", "mistake", "proved mistake", "cannot be told")
BAR: Final = 0.05
"""So much of a win a move must cost for certain to be a mistake, and for certain not cost to be called best; between the two nothing is said."""
SURE: Final = 4
"""For certain: so many standard errors away, and …"""
UNSEEN: Final = 10
"""… so many worlds more, in which the opposite of what was seen might have come: e to the power of -10 is 1 in 22,000."""
FEW: Final = 30
"""With fewer worlds than these playouts tell how one bot would go on, and not what a move is worth."""


class ShareOfResult(NamedTuple):
    """What a game is worth to a seat, as its chance to get out: 0 for a loss, 1 for a win.

    >>> from durak_widget import Rules
    >>> three = ShareOfResult.of(Rules(players=3))
    >>> three.share(-1.0), three.share(0.5), round(three.fair, 3)
    (0.0, 1.0, 0.667)
    """

    lost: float
    won: float

    @classmethod
    def of(cls, rules: Rules) -> ShareOfResult:
        """What winning and losing are worth under these rules."""
        side = seating.sides(rules)
        own, others = side.count(side[0]), len(side) - side.count(side[0])
        return cls(-1 / others, 1 / own) if scoring.first_out_wins(rules) else cls(-1 / own, 1 / others)

    def share(self, worth: float) -> float:
        """A worth as a share of a win."""
        return (worth - self.lost) / self.width

    @property
    def width(self) -> float:
        """What lies between a loss and a win."""
        return self.won - self.lost

    @property
    def fair(self) -> float:
        """Everybody's share before the cards are dealt, and what a draw is."""
        return self.share(0.0)

    def known(self, value: int) -> float:
        """The share of who has it won, drawn or lost: 1, 0 or -1."""
        return self.fair if not value else float(value > 0)


class Cost(NamedTuple):
    """What a move cost beside the one that brought most, in shares of a win."""

    better: Move
    loss: float
    interval: tuple[float, float]
    """What it costs at least and at most, for certain."""

    @property
    def verdict(self) -> Said:
        """What may be said of it."""
        least, most = self.interval
        return "mistake" if least > BAR else "best" if most < BAR else "cannot be told"


def costs_of(found: Playouts, move: Move, width: float) -> Cost:
    """What a move cost, by playouts of all of them.

    The bounds hold for the dearest of all comparisons, and each is widened by worlds that were not seen, so that a few that agree prove nothing.

    >>> from durak_widget import Game, Move, fast_engine
    >>> found = fast_engine.playouts(Game(seed=7).view(0), count=3000)
    >>> [(str(move), costs_of(found, Move(move), 2.0).verdict) for move in ("attack 6s", "attack Qh")]
    [('attack 6s', 'best'), ('attack Qh', 'cannot be told')]
    """
    best = found.best
    assert best is not None  # noqa: S101 - asked only of worlds that were played
    sure = [0.0, 0.0]
    for other in found.moves:
        if other == move:
            continue
        more, error = found.difference(other, move)
        half = SURE * error / width + UNSEEN / found.worlds
        sure[0] = max(sure[0], more / width - half)
        sure[1] = min(1.0, max(sure[1], more / width + half))
    return Cost(best, found.difference(best, move)[0] / width, (sure[0], sure[1]))


def surely_more(found: Playouts, move: Move, other: Move, width: float) -> bool:
    """Whether a move brings more than another for certain.

    >>> from durak_widget import Game, Move, fast_engine
    >>> found = fast_engine.playouts(Game(seed=7).view(0), count=3000)
    >>> surely_more(found, Move("attack 6s"), Move("attack Qh"), 2.0), surely_more(found, Move("attack Qh"), Move("attack 6s"), 2.0)
    (True, False)
    """
    more, error = found.difference(move, other)
    return more / width > SURE * error / width + UNSEEN / found.worlds


def crossed(one: Playouts, two: Playouts, move: Move, width: float) -> float:
    """What a move cost, on average not too much: each half of the worlds says what the move that the other half found best brings."""
    both = [apart.difference(found.best or move, move)[0] for found, apart in ((one, two), (two, one))]
    return sum(both) / 2 / width


@dataclass(frozen=True)
class Decision:
    """A move that somebody made, and what is said of it. What it cost is a share of a win: 0.12 are 12 chances of 100.

    >>> from durak_widget import Game, review
    >>> game = Game.at("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> first = review.of(game, by="all cards").decisions[0]
    >>> first.verdict, str(first.move), str(first.better), first.loss
    ('proved mistake', 'attack Ks', 'attack Qh', 0.5)
    """

    ply: int
    """How many moves had been made before it."""
    bout: int
    seat: int
    move: Move
    ways: int
    """How many moves were legal."""
    verdict: Said
    better: Move | None = None
    """What was better, or as good; None where nothing is known."""
    loss: float | None = None
    interval: tuple[float, float] | None = None
    """What it costs at least and at most, for certain: by this it is judged; where it was proved, what it costs."""
    kind: str | None = None
    """Of which kind a mistake is, where that holds of the cards: one of `KINDS`."""
    value: int | None = None
    """Where it was proved: what the moment was worth to the seat, 1 won, 0 drawn, -1 lost …"""
    left: int | None = None
    """… and what the move left of it."""
    share: float | None = None
    """What the seat could hope for with its best move."""
    worlds: int = 0
    """In how many worlds each legal move was tried."""
    outright: bool = False
    """Whether these were all there are, each gone through whole, and the better move brings in every one of them what can be had there."""
    error: float | None = None
    """What it cost, by what each half of the worlds says of the other, or as it was proved: what adds up over many games; for a single decision `loss` says more."""
    game: Game | None = field(default=None, repr=False, compare=False)
    """The game, where all of it may be looked at."""

    @property
    def position(self) -> Game | None:
        """The moment before the move, to be played on from; None while the game goes on, since all cards lie in it.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh Ks | Kh Kc; trump h")
        >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
        ...     game.play(move)
        >>> again = review.of(game, by="all cards").decisions[0].position
        >>> again.actor, again.ply, again.last_ply
        (0, 0, 0)
        """
        if self.game is None:
            return None
        before = self.game.copy()
        before.goto(self.ply)
        before.forget_undone()
        return before

    @property
    def is_mistake(self) -> bool:
        """Whether it was one, proved or by playouts."""
        return self.verdict in {"mistake", "proved mistake"}
