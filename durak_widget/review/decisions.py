"""Defines a decision (a move in a game) with its evaluation, such as how much it cost."""

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
"""The cost, in win chance, that divides good moves from mistakes. A mistake certainly costs more, and a best move
certainly costs less."""
SURE_STANDARD_ERRORS: Final = 4
"""A difference counts as certain if it is larger than this number of standard errors (see also `UNSEEN_WORLDS`)."""
UNSEEN_WORLDS: Final = 10
"""The margin of error assumes that the sample may have missed rare bad worlds, of which this many are expected in a
sample; the probability of missing all of them is 1 in 22,000 (exp(-10))."""
MIN_WORLDS_TO_JUDGE: Final = 30
"""The minimum number of possible worlds for a verdict by playouts; in fewer worlds, they show how a bot would
continue, but not how good a move is."""


class WinShareScale(NamedTuple):
    """Converts a seat's payoff to a win chance, from 0 for a loss to 1 for a win.

    >>> from durak_widget import Rules
    >>> three = WinShareScale.from_rules(Rules(players=3))
    >>> three.payoff_to_share(-1.0), three.payoff_to_share(0.5), round(three.fair_share, 3)
    (0.0, 1.0, 0.667)
    """

    loss_payoff: float
    win_payoff: float

    @classmethod
    def from_rules(cls, rules: Rules) -> WinShareScale:
        """Return the scale that converts payoffs to win chances in games with given rules."""
        side_of_seat = seating.side_of_seat(rules)
        own_side_size, others_size = side_of_seat.count(side_of_seat[0]), len(side_of_seat) - side_of_seat.count(side_of_seat[0])
        return cls(-1 / others_size, 1 / own_side_size) if scoring.does_first_out_win(rules) else cls(-1 / own_side_size, 1 / others_size)

    def payoff_to_share(self, payoff: float) -> float:
        """Convert a payoff to a win chance."""
        return (payoff - self.loss_payoff) / self.width

    @property
    def width(self) -> float:
        """Return the difference between the payoffs of a win and of a loss."""
        return self.win_payoff - self.loss_payoff

    @property
    def fair_share(self) -> float:
        """Return the win chance of a tie, which is also each seat's win chance before the deal."""
        return self.payoff_to_share(0.0)

    def outcome_to_share(self, value: int) -> float:
        """Convert a game value (1 won, 0 tied, -1 lost) to a win chance."""
        return self.fair_share if not value else float(value > 0)


class MoveCost(NamedTuple):
    """The cost of a move: the best move's win chance minus this move's win chance."""

    better_move: Move
    loss: float
    loss_interval: tuple[float, float]
    """The lower and upper bound between which the true cost certainly is."""

    @property
    def verdict(self) -> VerdictName:
        """Return the verdict on a move: "mistake", "best" or "cannot be told" (uncertain)."""
        low, high = self.loss_interval
        return "mistake" if low > MISTAKE_THRESHOLD else "best" if high < MISTAKE_THRESHOLD else "cannot be told"


def estimate_move_cost(playouts: Playouts, move: Move, width: float) -> MoveCost:
    """Estimate a move's cost from playouts (games to the end) after each legal move.

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
    """Return whether playouts show with certainty that `move` is better than `other`.

    >>> from durak_widget import Game, Move, fast_engine
    >>> found = fast_engine.playouts(Game(seed=7).view(0), count=3000)
    >>> is_surely_better(found, Move("attack 6s"), Move("attack Qh"), 2.0), is_surely_better(found, Move("attack Qh"), Move("attack 6s"), 2.0)
    (True, False)
    """
    gain, error = playouts.difference(move, other)
    return gain / width > SURE_STANDARD_ERRORS * error / width + UNSEEN_WORLDS / playouts.world_count


def estimate_unbiased_loss(first_half: Playouts, second_half: Playouts, move: Move, width: float) -> float:
    """Estimate a move's cost without bias, from two independent sets of playouts.

    Each half evaluates the move that is best in the other half, so the estimate has no bias.
    """
    losses = [
        evaluating.difference(choosing.best or move, move)[0]
        for choosing, evaluating in ((first_half, second_half), (second_half, first_half))
    ]
    return sum(losses) / 2 / width


@dataclass(frozen=True)
class Decision:
    """A move in a game, with its evaluation; a loss of 0.12 means 12 % less win chance.

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
    """The number of legal moves from which the player chose."""
    verdict: VerdictName
    better_move: Move | None = None
    """A best move, possibly the move that was made; None if no best move is known."""
    loss: float | None = None
    loss_interval: tuple[float, float] | None = None
    """The lower and upper bound of the loss; they are equal if the loss is proved."""
    mistake_kind: str | None = None
    """The kind of mistake, one of `MISTAKE_KINDS`; None if no kind fits."""
    value: int | None = None
    """The proved value, for the player, of the position before the move: 1 won, 0 tied, -1 lost."""
    value_after: int | None = None
    """The proved value, for the player, of the position after the move."""
    best_share: float | None = None
    """The win chance of the player with the best move."""
    world_count: int = 0
    """The number of possible worlds (distributions of the hidden cards) in which each legal move was tried."""
    is_exhaustive: bool = False
    """True if a search of all possible worlds found a move that is best in each of them."""
    unbiased_loss: float | None = None
    """The proved loss, or an unbiased estimate of it, to be summed over many decisions; for a single decision, use
    `loss`."""
    game: Game | None = field(default=None, repr=False, compare=False)
    """The game with all cards; None if a reader of the review may not see all cards."""

    @property
    def position(self) -> Game | None:
        """Return the game just before the move, so that you can play on from there.

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
