"""A decision and its evaluation: the better move, the cost, and how sure that is."""

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
"""The loss that a move must surely exceed to be a mistake, and surely not reach to be best."""
SURE: Final = 4
"""The number of standard errors that makes a difference sure, together with `UNSEEN`."""
UNSEEN: Final = 10
"""The number of unseen worlds, all against the result, that is added: exp(-10) is 1 in 22,000."""
FEW: Final = 30
"""The number of worlds below which playouts show how one bot goes on, not what a move is worth."""


class ShareOfResult(NamedTuple):
    """A scale that turns a game's payoff for a seat into its share of a win: 0 loss, 1 win.

    >>> from durak_widget import Rules
    >>> three = ShareOfResult.of(Rules(players=3))
    >>> three.share(-1.0), three.share(0.5), round(three.fair, 3)
    (0.0, 1.0, 0.667)
    """

    lost: float
    won: float

    @classmethod
    def of(cls, rules: Rules) -> ShareOfResult:
        """Return the scale for these rules."""
        side_of_seat = seating.sides(rules)
        own_side_size, others_size = side_of_seat.count(side_of_seat[0]), len(side_of_seat) - side_of_seat.count(side_of_seat[0])
        return cls(-1 / others_size, 1 / own_side_size) if scoring.first_out_wins(rules) else cls(-1 / own_side_size, 1 / others_size)

    def share(self, worth: float) -> float:
        """Return a payoff as a share of a win."""
        return (worth - self.lost) / self.width

    @property
    def width(self) -> float:
        """Return the payoff of a win minus the payoff of a loss."""
        return self.won - self.lost

    @property
    def fair(self) -> float:
        """Return the share of a tie, which every seat has before the cards are dealt."""
        return self.share(0.0)

    def known(self, value: int) -> float:
        """Return the share of a won, tied or lost game: value 1, 0 or -1."""
        return self.fair if not value else float(value > 0)


class Cost(NamedTuple):
    """The cost of a move compared with the best one, in shares of a win."""

    better: Move
    loss: float
    interval: tuple[float, float]
    """The bounds that surely contain the cost."""

    @property
    def verdict(self) -> Said:
        """Return the verdict: a mistake, best, or unclear."""
        low, high = self.interval
        return "mistake" if low > BAR else "best" if high < BAR else "cannot be told"


def costs_of(found: Playouts, move: Move, width: float) -> Cost:
    """Return what a move cost, from playouts of all moves.

    The bounds hold for the worst of all comparisons. Each is widened by worlds that were not seen, so that a few worlds that agree prove
    nothing.

    >>> from durak_widget import Game, Move, fast_engine
    >>> found = fast_engine.playouts(Game(seed=7).view(0), count=3000)
    >>> [(str(move), costs_of(found, Move(move), 2.0).verdict) for move in ("attack 6s", "attack Qh")]
    [('attack 6s', 'best'), ('attack Qh', 'cannot be told')]
    """
    best = found.best
    assert best is not None  # noqa: S101 - asked only of worlds that were played
    bounds = [0.0, 0.0]
    for other in found.moves:
        if other == move:
            continue
        gain, error = found.difference(other, move)
        margin = SURE * error / width + UNSEEN / found.worlds
        bounds[0] = max(bounds[0], gain / width - margin)
        bounds[1] = min(1.0, max(bounds[1], gain / width + margin))
    return Cost(best, found.difference(best, move)[0] / width, (bounds[0], bounds[1]))


def surely_more(found: Playouts, move: Move, other: Move, width: float) -> bool:
    """Return whether a move is surely better than another.

    >>> from durak_widget import Game, Move, fast_engine
    >>> found = fast_engine.playouts(Game(seed=7).view(0), count=3000)
    >>> surely_more(found, Move("attack 6s"), Move("attack Qh"), 2.0), surely_more(found, Move("attack Qh"), Move("attack 6s"), 2.0)
    (True, False)
    """
    gain, error = found.difference(move, other)
    return gain / width > SURE * error / width + UNSEEN / found.worlds


def crossed(one: Playouts, two: Playouts, move: Move, width: float) -> float:
    """Return the loss of a move, without the bias of picking the best move from the same data.

    Each half of the worlds evaluates the move that is best in the other half.
    """
    losses = [evaluating.difference(choosing.best or move, move)[0] for choosing, evaluating in ((one, two), (two, one))]
    return sum(losses) / 2 / width


@dataclass(frozen=True)
class Decision:
    """A move in a game and its evaluation; a loss of 0.12 is 12 percentage points of a win.

    >>> from durak_widget import Game, review
    >>> game = Game.at("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> first = review.of(game, by="all cards").decisions[0]
    >>> first.verdict, str(first.move), str(first.better), first.loss
    ('proved mistake', 'attack Ks', 'attack Qh', 0.5)
    """

    ply: int
    """The number of moves before it."""
    bout: int
    seat: int
    move: Move
    ways: int
    """The number of legal moves."""
    verdict: Said
    better: Move | None = None
    """The best move, which may be equally good; None if unknown."""
    loss: float | None = None
    interval: tuple[float, float] | None = None
    """The bounds that surely contain the loss; if it was proved, the loss twice."""
    kind: str | None = None
    """The kind of mistake, one of `KINDS`, if the cards show it."""
    value: int | None = None
    """The proved value before the move, for the seat: 1 won, 0 tied, -1 lost."""
    left: int | None = None
    """The proved value after the move."""
    share: float | None = None
    """The seat's share of a win with its best move."""
    worlds: int = 0
    """The number of worlds in which each legal move was played out."""
    outright: bool = False
    """True if these were all possible worlds, searched completely, and one move is best in each."""
    error: float | None = None
    """The proved loss, or its unbiased estimate: for sums over many decisions; for one, use `loss`."""
    game: Game | None = field(default=None, repr=False, compare=False)
    """The game, if all of its cards may be seen."""

    @property
    def position(self) -> Game | None:
        """Return the game just before the move, to play on from.

        None while the game goes on, since the position has all cards.

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
        earlier = self.game.copy()
        earlier.goto(self.ply)
        earlier.forget_undone()
        return earlier

    @property
    def is_mistake(self) -> bool:
        """Return whether the move was a mistake, proved or by playouts."""
        return self.verdict in {"mistake", "proved mistake"}
