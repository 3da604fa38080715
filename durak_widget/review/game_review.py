"""The review of a game: decisions, turning points, luck, skill and the report."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.errors import PositionError, quoted, whole_number
from durak_widget.i18n import Voice
from durak_widget.i18n import spoken as spoken_language
from durak_widget.review.decision_evaluation import Asking, Effort, usual_for, weighed
from durak_widget.review.decisions import Decision, ShareOfResult
from durak_widget.review.luck_and_skill import CourseOfChances, Skill, levels
from durak_widget.review.review_report import line_of_chances, page, panel
from durak_widget.review.turning_points import first, headline, spoken, turnings
from durak_widget.rules import seating

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from durak_widget.i18n import Fact
    from durak_widget.i18n._translation import Naming
    from durak_widget.review.luck_and_skill import Fortune, Levels
    from durak_widget.review.turning_points import Turning
    from durak_widget.rules.scoring import Outcome

    Hearing = Callable[[int, int], None]
    """A callback for progress: steps done, steps in all."""

By = Literal["what it knew", "all cards"]
BY: Final[Mapping[By, str]] = {"what it knew": "seat", "all cards": "cards"}
"""The bases for judging decisions, and their short names in message keys."""


class Reviewing(NamedTuple):
    """The settings of a review; None means the usual number.

    >>> Reviewing(seed=2).by
    'what it knew'
    """

    by: By = "what it knew"
    seed: int = 1
    budget: int | None = None
    positions: int | None = None


class Review:
    """The review of a game; `review.of` makes it.

    >>> from durak_widget import Game, review
    >>> game = Game.at("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> found = review.of(game, 0, by="all cards")
    >>> found.sentence()
    'You had it won in bout 2. The king of spades gave it away.'
    """

    def __init__(self, game: Game, seat: int | None, by: By, decisions: tuple[Decision, ...], found: Levels | None, asking: Asking) -> None:
        self.game, self.seat, self.by, self.decisions = game, seat, by, decisions
        self._levels, self._asking = found, asking

    @property
    def by_key(self) -> str:
        """Return the short name of the basis in message keys."""
        return BY[self.by]

    @property
    def worlds(self) -> int:
        """Return the largest number of worlds used for playouts; 0 if none were needed."""
        return max((decision.worlds for decision in self.decisions if not decision.outright), default=0)

    @property
    def result(self) -> Outcome | None:
        """Return the outcome of the game; None while it goes on."""
        return self.game.outcome

    @property
    def shown(self) -> tuple[int, ...]:
        """Return the seats in the chart: the review's seat, the first of two, or all.

        With two players one line says it for both.
        """
        return tuple(range(self.game.seats)) if self.seat is None and self.game.seats > 2 else (self.seat or 0,)

    @cached_property
    def turns(self) -> tuple[Turning, ...]:
        """Return the turning points, the worst first: proved mistakes, then others.

        For a seat, only its own mistakes and those from which it alone gained.
        """
        return turnings(self.decisions, self.seat, self._asking.positions)

    @cached_property
    def first(self) -> Turning | None:
        """Return the turning point of the summary; None if there is no mistake."""
        outcome = self.result
        return first(self.turns, self.seat, won=outcome is not None and self.seat in outcome.winners)

    @property
    def headline(self) -> list[Fact]:
        """Return the summary as facts."""
        return headline(self.first, self.seat)

    def told_to(self, seat: int | None) -> Review:
        """Return this review for another seat, or for everybody with None.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.of(game).told_to(1).seat
        1
        """
        if self.result is None and seat != self.seat:
            raise PositionError("the game goes on, and its review is for one seat alone; say review.of(game, seat) for another")
        return Review(self.game, seat, self.by, self.decisions, self._levels, self._asking)

    @property
    def luck(self) -> Mapping[int, Fortune]:
        """Return how each seat's result came about; empty while the game goes on."""
        return {} if self._levels is None else self._levels.fortunes

    @property
    def skill(self) -> tuple[Skill, ...]:
        """Return each seat's skill; while the game goes on, only that of the review's seat."""
        seats = range(self.game.seats) if self.result is not None or self.seat is None else (self.seat,)
        return tuple(Skill.of(seat, self.decisions) for seat in seats)

    @cached_property
    def chances(self) -> tuple[CourseOfChances, ...]:
        """Return each seat's share of a win at the start of each bout, and at the end.

        The shares are for all cards open, exact where they are proved. They are None where no card is left to draw and nothing is proved.
        While the game goes on they are what the one seat could know, at its first decision of each bout that was evaluated.
        """
        return tuple(self._own_chances() if self._levels is None else self._chances(self._levels))

    def _chances(self, found: Levels) -> Iterator[CourseOfChances]:
        proved = self._known()
        starts = [0, *(bout_end.ply for bout_end in self.game.view(0).ends if bout_end.ply < self.game.ply)]
        for ply in starts:
            position = self.game.copy()
            position.goto(ply)
            yield CourseOfChances(position.bout, ply, proved.get(ply) or tuple(found.chance(seat, ply) for seat in range(self.game.seats)))
        yield CourseOfChances(self.game.bout, self.game.ply, tuple(found.shares[seat][-1] for seat in range(self.game.seats)))

    def _known(self) -> dict[int, tuple[float, ...]]:
        """Return the proved shares, by the number of moves before.

        A forced move doesn't change them.
        """
        outcome, shares = self.game.outcome, self._asking.shares
        assert outcome is not None  # noqa: S101 - asked of a game that is over
        later: tuple[float, ...] | None = tuple(shares.share(utility) for utility in outcome.utilities)
        proved: dict[int, tuple[float, ...]] = {}
        for decision in reversed(self.decisions):
            if decision.value is not None:
                later = self._exactly(decision)
            elif decision.verdict != "forced" or self._drew(decision.ply):
                later = None
            if later is not None:
                proved[decision.ply] = later
        return proved

    def _exactly(self, one: Decision) -> tuple[float, ...]:
        """Return the shares of all seats where the value is proved.

        If one of the last two loses, every seat that is out already has won.
        """
        shares, side_of_seat = self._asking.shares, seating.sides(self.game.rules)
        if not one.value:
            return (shares.fair,) * self.game.seats
        position = self.game.copy()
        position.goto(one.ply)
        loser = one.seat if one.value < 0 else next(seat for seat in position.seats_in if seat != one.seat)
        return tuple(float(side != side_of_seat[loser]) for side in side_of_seat)

    def _drew(self, ply: int) -> bool:
        """Return whether cards were drawn after this move."""
        return any(bout_end.ply == ply + 1 and bout_end.drew for bout_end in self.game.view(0).ends)

    def _own_chances(self) -> Iterator[CourseOfChances]:
        bouts: set[int] = set()
        for decision in self.decisions:
            if decision.bout not in bouts and decision.share is not None:
                bouts.add(decision.bout)
                yield CourseOfChances(
                    decision.bout, decision.ply, tuple(decision.share if seat == decision.seat else None for seat in range(self.game.seats))
                )

    # The report

    def sentence(self, language: str | None = None, *, cards: Naming = "words") -> str:
        """Return the summary: what was given away, what cost most, or that there was no mistake.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.of(game, 1).sentence("ru")
        'Вас не в чем упрекнуть: явной ошибки не нашлось.'
        """
        return spoken(self.headline, Voice(language or spoken_language(), cards=cards, me=self.seat))

    def html(self, language: str | None = None) -> str:
        """Return the report as one HTML page that needs no other file."""
        return page(self, language or spoken_language())

    def panel(self, language: str | Voice | None = None) -> dict[str, Any]:
        """Return the report as plain values for a page that draws it.

        `language` can be a `Voice` that knows the names of the players.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> [heading for heading, _ in review.of(game, 0).panel()["decisions"]]
        ['Bout 2']
        """
        voice = language if isinstance(language, Voice) else Voice(language or spoken_language(), cards="signs", me=self.seat)
        return panel(self, voice)

    def svg(self, language: str | None = None) -> str:
        """Return the chart of the chances, bout by bout, with a mark at each turning point."""
        return line_of_chances(self, language or spoken_language())

    def rows(self) -> list[dict[str, Any]]:
        """Return the decisions as rows for `pandas.DataFrame(rows)` or a file.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.of(game).rows()[0]["verdict"]
        'forced'
        """
        return [
            {
                "ply": decision.ply,
                "bout": decision.bout,
                "seat": decision.seat,
                "move": str(decision.move),
                "ways": decision.ways,
                "verdict": decision.verdict,
                "better": None if decision.better is None else str(decision.better),
                "loss": decision.loss,
                "least": None if decision.interval is None else decision.interval[0],
                "most": None if decision.interval is None else decision.interval[1],
                "kind": decision.kind,
                "value": decision.value,
                "left": decision.left,
                "worlds": decision.worlds,
            }
            for decision in self.decisions
        ]

    def _repr_html_(self) -> str:
        """Return the report in a frame, for a notebook."""
        from html import escape  # noqa: PLC0415 - only notebooks ask

        return f'<iframe srcdoc="{escape(self.html())}" style="width:100%;height:32em;border:0"></iframe>'

    def __repr__(self) -> str:
        counts = {verdict: sum(decision.verdict == verdict for decision in self.decisions) for verdict in ("proved mistake", "mistake")}
        return f"<Review of {len(self.decisions)} decisions: {counts['proved mistake']} proved mistakes, {counts['mistake']} others>"


def of(
    game: Game,
    seat: int | None = None,
    *,
    by: By = "what it knew",
    seed: int = 1,
    budget: int | None = None,
    positions: int | None = None,
    told: Hearing | None = None,
) -> Review:
    """Analyze a game: evaluate each decision by what its seat could know, or by `all cards`.

    The same seed, budget (a number of playouts) and number of endgame `positions` give the same review, with and without the fast engine;
    the usual numbers are higher with it. If the game goes on, only one seat's decisions are evaluated, by what it knew. `told` is called
    with the number of steps done and of all steps.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> found = review.of(game, 1)
    >>> len(found.decisions) == game.ply, {one.verdict for one in found.decisions} >= {"forced", "mistake"}
    (True, True)
    """
    steps = reviewed(game, seat, Reviewing(by, seed, budget, positions))
    while True:
        try:
            done, total = next(steps)
        except StopIteration as end:
            result: Review = end.value
            return result
        if told is not None:
            told(done, total)


def reviewed(game: Game, seat: int | None = None, how: Reviewing | None = None) -> Generator[tuple[int, int], None, Review]:
    """Analyze a game in steps: yield the steps done and all steps, and return the review.

    >>> from durak_widget import Game
    >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
    >>> next(reviewed(game, how=Reviewing(by="all cards")))
    (1, 4)
    """
    how = how or Reviewing()
    full_game = _judgeable(game, seat, how.by)
    default_effort = usual_for(full_game.rules)
    playouts, endgame_positions = (
        _number("budget", how.budget, default_effort.playouts),
        _number("positions", how.positions, default_effort.positions),
    )
    checked_seed, is_over = _number("seed", how.seed, 1), full_game.outcome is not None
    evaluation = Asking(
        ShareOfResult.of(full_game.rules),
        how.by == "all cards",
        checked_seed,
        Effort(playouts, endgame_positions).judging,
        endgame_positions,
    )
    seats = range(full_game.seats) if is_over else (seat or 0,)
    done, steps, decisions_by_ply = 0, (2 if is_over else 1) * full_game.ply, dict[int, Decision]()
    for _ in weighed(full_game, seats, evaluation, decisions_by_ply):
        done += 1
        yield done, steps
    timeline: Levels | None = None
    if is_over:
        for timeline in levels(full_game, seats, evaluation.shares, seed=checked_seed, playouts=Effort(playouts, endgame_positions).luck):
            done += 1
            if timeline is None:
                yield done, steps
    yield steps, steps
    decisions = tuple(replace(decision, game=full_game if is_over else None) for _, decision in sorted(decisions_by_ply.items()))
    return Review(full_game, seat, how.by, decisions, timeline, evaluation)


def _judgeable(game: object, seat: int | None, by: str) -> Game:
    """Return the part of the game that may be judged: all of it if it is over.

    That is so even if the caller looks back at an earlier move.
    """
    if not isinstance(game, Game):
        hint = "of a match one of its games is reviewed, such as match.games[-1]" if isinstance(game, Match) else "say review.of(game)"
        raise PositionError(f"a review is made of a Game, not of {quoted(game)}; {hint}")
    if not isinstance(by, str) or by not in BY:
        raise PositionError(f"by={quoted(by)} is nothing to judge by; say {' or '.join(map(repr, BY))}")
    if seat is not None and ((number := whole_number(seat)) is None or not 0 <= number < game.seats):
        raise PositionError(f"seat={quoted(seat)} is not a seat; the seats are 0 to {game.seats - 1}, or None for all")
    full_game = game.copy()
    full_game.goto(full_game.last_ply)
    if full_game.outcome is not None:
        return full_game
    if by == "all cards":
        raise PositionError("the game goes on, and all cards may be looked at only when it is over; leave by= out, or play it to its end")
    if seat is None:
        raise PositionError(
            "the game goes on, and only one seat's own moves may be judged, by what it knew; say whose, as in review.of(game, 0)"
        )
    full_game = game.copy()
    full_game.forget_undone()
    return full_game


def _number(name: str, value: int | None, usual: int) -> int:
    number = usual if value is None else whole_number(value)
    if number is None or not 0 <= number < 1 << 60:
        raise PositionError(f"{name}={quoted(value)} is not a whole number from 0 on")
    return number
