"""A decision and its evaluation: the better move, its advantage, and the uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from durak_widget.rules import scoring, seating

if TYPE_CHECKING:
    from durak_widget.analysis.monte_carlo_playouts import Playouts
    from durak_widget.engine.game import Game
    from durak_widget.engine.moves import Move
    from durak_widget.rules.ruleset import Rules

VerdictName = Literal["forced", "best", "mistake", "proved mistake", "cannot be told"]
VERDICTS: Final[tuple[VerdictName, ...]] = ("forced", "best", "mistake", "proved mistake", "cannot be told")
MISTAKE_THRESHOLD: Final = 0.05
"""A mistake must certainly lose more than this share of a win; a best move must certainly lose less."""
SURE_STANDARD_ERRORS: Final = 4
"""The number of standard errors beyond which a difference counts as certain (see also `UNSEEN_WORLDS`)."""
UNSEEN_WORLDS: Final = 10
"""The number of unfavourable worlds that sampling may have missed, which widen the margin of error: exp(-10) is 1 in 22,000."""
MIN_WORLDS_TO_JUDGE: Final = 30
"""The number of worlds below which playouts show how a bot would play on, rather than how good a move is."""


class WinShareScale(NamedTuple):
    """A scale that converts a seat's payoff to a share of a win: 0 for a loss, 1 for a win.

    >>> from durak_widget import Rules
    >>> three = WinShareScale.from_rules(Rules(players=3))
    >>> three.payoff_to_share(-1.0), three.payoff_to_share(0.5), round(three.fair_share, 3)
    (0.0, 1.0, 0.667)
    """

    loss_payoff: float
    win_payoff: float

    @classmethod
    def from_rules(cls, rules: Rules) -> WinShareScale:
        """Return the scale for games with given rules."""
        side_of_seat = seating.side_of_seat(rules)
        own_side_size, others_size = side_of_seat.count(side_of_seat[0]), len(side_of_seat) - side_of_seat.count(side_of_seat[0])
        return cls(-1 / others_size, 1 / own_side_size) if scoring.does_first_out_win(rules) else cls(-1 / own_side_size, 1 / others_size)

    def payoff_to_share(self, payoff: float) -> float:
        """Return a payoff converted to a share of a win."""
        return (payoff - self.loss_payoff) / self.width

    @property
    def width(self) -> float:
        """Return the payoff of a win minus the payoff of a loss."""
        return self.win_payoff - self.loss_payoff

    @property
    def fair_share(self) -> float:
        """Return the share of a win for a tie, which is also every seat's share before the deal."""
        return self.payoff_to_share(0.0)

    def outcome_to_share(self, value: int) -> float:
        """Return the share of a win for a won, tied or lost game (value 1, 0 or -1)."""
        return self.fair_share if not value else float(value > 0)


class MoveCost(NamedTuple):
    """The cost of a move compared with the best move, in shares of a win."""

    better_move: Move
    loss: float
    loss_interval: tuple[float, float]
    """The lower and upper bound of the cost, which certainly lies between them."""

    @property
    def verdict(self) -> VerdictName:
        """Return the verdict on the move: a mistake, best, or unclear."""
        low, high = self.loss_interval
        return "mistake" if low > MISTAKE_THRESHOLD else "best" if high < MISTAKE_THRESHOLD else "cannot be told"


def estimate_move_cost(playouts: Playouts, move: Move, width: float) -> MoveCost:
    """Return how much a move cost, estimated from playouts of all moves.

    The bounds hold for the worst of all comparisons. Each is widened by worlds that were not seen, so that a few worlds that agree prove
    nothing.

    >>> from durak_widget import Game, Move, fast_engine
    >>> found = fast_engine.playouts(Game(seed=7).view(0), count=3000)
    >>> [(str(move), estimate_move_cost(found, Move(move), 2.0).verdict) for move in ("attack 6s", "attack Qh")]
    [('attack 6s', 'best'), ('attack Qh', 'cannot be told')]
    """
    best = playouts.best
    assert best is not None  # noqa: S101 - asked only of worlds that were played
    bounds = [0.0, 0.0]
    for other in playouts.moves:
        if other == move:
            continue
        gain, error = playouts.difference(other, move)
        margin = SURE_STANDARD_ERRORS * error / width + UNSEEN_WORLDS / playouts.world_count
        bounds[0] = max(bounds[0], gain / width - margin)
        bounds[1] = min(1.0, max(bounds[1], gain / width + margin))
    return MoveCost(best, playouts.difference(best, move)[0] / width, (bounds[0], bounds[1]))


def is_surely_better(playouts: Playouts, move: Move, other: Move, width: float) -> bool:
    """Return whether playouts show with certainty that a move is better than another.

    >>> from durak_widget import Game, Move, fast_engine
    >>> found = fast_engine.playouts(Game(seed=7).view(0), count=3000)
    >>> is_surely_better(found, Move("attack 6s"), Move("attack Qh"), 2.0), is_surely_better(found, Move("attack Qh"), Move("attack 6s"), 2.0)
    (True, False)
    """
    gain, error = playouts.difference(move, other)
    return gain / width > SURE_STANDARD_ERRORS * error / width + UNSEEN_WORLDS / playouts.world_count


def estimate_unbiased_loss(first_half: Playouts, second_half: Playouts, move: Move, width: float) -> float:
    """Return a move's loss without the bias of using the same data to pick the best move.

    Each half of the worlds evaluates the move that is best in the other half.
    """
    losses = [
        evaluating.difference(choosing.best or move, move)[0]
        for choosing, evaluating in ((first_half, second_half), (second_half, first_half))
    ]
    return sum(losses) / 2 / width


@dataclass(frozen=True)
class Decision:
    """A move in a game with its evaluation; a loss of 0.12 is 12 percentage points of a win.

    >>> from durak_widget import Game, review
    >>> game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> first = review.analyze(game, by="all cards").decisions[0]
    >>> first.verdict, str(first.move), str(first.better_move), first.loss
    ('proved mistake', 'attack Ks', 'attack Qh', 0.5)
    """

    ply: int
    """The number of moves made before the decision."""
    bout: int
    seat: int
    move: Move
    legal_move_count: int
    """The number of legal moves in the position."""
    verdict: VerdictName
    better_move: Move | None = None
    """A best move, which may be the played move; None if no best move is known."""
    loss: float | None = None
    loss_interval: tuple[float, float] | None = None
    """The lower and upper bound of the loss; both are equal if the loss is proved."""
    mistake_kind: str | None = None
    """The kind of mistake, one of `MISTAKE_KINDS`, if the cards show its kind."""
    value: int | None = None
    """The proved game value for the seat before the move: 1 won, 0 tied, -1 lost."""
    value_after: int | None = None
    """The proved game value for the seat after the move."""
    best_share: float | None = None
    """The seat's share of a win if it makes its best move."""
    world_count: int = 0
    """The number of worlds (possible deals) in which each legal move was played out."""
    is_exhaustive: bool = False
    """True if all possible worlds (deals) were searched completely, and one move is best in each of them."""
    unbiased_loss: float | None = None
    """The proved loss or its unbiased estimate, for sums over many decisions; for a single decision use `loss`."""
    game: Game | None = field(default=None, repr=False, compare=False)
    """The game, if all of its cards may be seen; otherwise None."""

    @property
    def position(self) -> Game | None:
        """Return the game just before the move, so that the user can play on from there.

        None while the game goes on, since the position has all cards.

        >>> from durak_widget import Game, review
        >>> game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
        >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
        ...     game.play(move)
        >>> again = review.analyze(game, by="all cards").decisions[0].position
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
        """Return whether the move was a mistake, proved or found by playouts."""
        return self.verdict in {"mistake", "proved mistake"}
