"""The review of a game: every decision, where it turned, how luck and skill add up, and all of it told."""

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
    """What hears how many steps are done of how many there are."""

By = Literal["what it knew", "all cards"]
BY: Final[Mapping[By, str]] = {"what it knew": "seat", "all cards": "cards"}
"""By what decisions may be judged, and how that is named in a key."""


class Reviewing(NamedTuple):
    """How a review is made: by what, with which seed, with how many playouts, looking at how many positions of each ending; what is usual where nothing is said.

    >>> Reviewing(seed=2).by
    'what it knew'
    """

    by: By = "what it knew"
    seed: int = 1
    budget: int | None = None
    positions: int | None = None


class Review:
    """A game judged; `review.of` makes it.

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
        """By what it was judged, as sentences name it."""
        return BY[self.by]

    @property
    def worlds(self) -> int:
        """In how many worlds each move was tried at most: in fewer where each has to be looked for, or where there is only one; 0 where none had to say."""
        return max((one.worlds for one in self.decisions if not one.outright), default=0)

    @property
    def result(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game.outcome

    @property
    def shown(self) -> tuple[int, ...]:
        """The seats whose chances are drawn: the one that it is made for; of two players the first, whose line says it of both; else all."""
        return tuple(range(self.game.seats)) if self.seat is None and self.game.seats > 2 else (self.seat or 0,)

    @cached_property
    def turns(self) -> tuple[Turning, ...]:
        """Where it turned, the worst first: proved mistakes, then others. For a seat, its own and what it was given."""
        return turnings(self.decisions, self.seat, self._asking.positions)

    @cached_property
    def first(self) -> Turning | None:
        """The turning point of which the sentence speaks; None where there is nothing to reproach."""
        outcome = self.result
        return first(self.turns, self.seat, won=outcome is not None and self.seat in outcome.winners)

    @property
    def headline(self) -> list[Fact]:
        """The sentence, as what it says."""
        return headline(self.first, self.seat)

    def told_to(self, seat: int | None) -> Review:
        """This review, told to another seat, or to anybody.

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
        """How the result of each seat came about; nothing while the game goes on."""
        return {} if self._levels is None else self._levels.fortunes

    @property
    def skill(self) -> tuple[Skill, ...]:
        """How well each seat played; while the game goes on, the one that it is made for."""
        seats = range(self.game.seats) if self.result is not None or self.seat is None else (self.seat,)
        return tuple(Skill.of(seat, self.decisions) for seat in seats)

    @cached_property
    def chances(self) -> tuple[CourseOfChances, ...]:
        """What each seat could hope for at the beginning of each bout, and at the end: by all cards, exactly where that is proved.

        Where nothing is drawn any more, and nothing is proved, it is not known.
        While the game goes on it is what the one seat could know, at its first decision of each bout that playouts or a proof say something of.
        """
        return tuple(self._own_chances() if self._levels is None else self._chances(self._levels))

    def _chances(self, found: Levels) -> Iterator[CourseOfChances]:
        known = self._known()
        starts = [0, *(end.ply for end in self.game.view(0).ends if end.ply < self.game.ply)]
        for ply in starts:
            there = self.game.copy()
            there.goto(ply)
            yield CourseOfChances(there.bout, ply, known.get(ply) or tuple(found.chance(seat, ply) for seat in range(self.game.seats)))
        yield CourseOfChances(self.game.bout, self.game.ply, tuple(found.shares[seat][-1] for seat in range(self.game.seats)))

    def _known(self) -> dict[int, tuple[float, ...]]:
        """The shares that are proved, by the number of moves made before; a forced move before such a moment is as good as it."""
        outcome, shares = self.game.outcome, self._asking.shares
        assert outcome is not None  # noqa: S101 - asked of a game that is over
        then: tuple[float, ...] | None = tuple(shares.share(worth) for worth in outcome.utilities)
        found: dict[int, tuple[float, ...]] = {}
        for one in reversed(self.decisions):
            if one.value is not None:
                then = self._exactly(one)
            elif one.verdict != "forced" or self._drew(one.ply):
                then = None
            if then is not None:
                found[one.ply] = then
        return found

    def _exactly(self, one: Decision) -> tuple[float, ...]:
        """What all seats had where it was proved what the two that were left had: who is out already is no fool, if one of the two is."""
        shares, side = self._asking.shares, seating.sides(self.game.rules)
        if not one.value:
            return (shares.fair,) * self.game.seats
        there = self.game.copy()
        there.goto(one.ply)
        loser = one.seat if one.value < 0 else next(seat for seat in there.seats_in if seat != one.seat)
        return tuple(float(own != side[loser]) for own in side)

    def _drew(self, ply: int) -> bool:
        """Whether cards were drawn after that move."""
        return any(end.ply == ply + 1 and end.drew for end in self.game.view(0).ends)

    def _own_chances(self) -> Iterator[CourseOfChances]:
        bouts: set[int] = set()
        for one in self.decisions:
            if one.bout not in bouts and one.share is not None:
                bouts.add(one.bout)
                yield CourseOfChances(one.bout, one.ply, tuple(one.share if seat == one.seat else None for seat in range(self.game.seats)))

    # All of it told

    def sentence(self, language: str | None = None, *, cards: Naming = "words") -> str:
        """What there is to say first: what was given away, or by whom, or what cost most; and if there is nothing to reproach, that.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.of(game, 1).sentence("ru")
        'Вас не в чем упрекнуть: явной ошибки не нашлось.'
        """
        return spoken(self.headline, Voice(language or spoken_language(), cards=cards, me=self.seat))

    def html(self, language: str | None = None) -> str:
        """All of it as one page that needs nothing else."""
        return page(self, language or spoken_language())

    def panel(self, language: str | Voice | None = None) -> dict[str, Any]:
        """All of it in plain values, for a page that draws it itself; in a language, or a voice that knows who sits where.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> [heading for heading, _ in review.of(game, 0).panel()["decisions"]]
        ['Bout 2']
        """
        voice = language if isinstance(language, Voice) else Voice(language or spoken_language(), cards="signs", me=self.seat)
        return panel(self, voice)

    def svg(self, language: str | None = None) -> str:
        """The course of chances as a line, bout by bout, with a mark where it turned."""
        return line_of_chances(self, language or spoken_language())

    def rows(self) -> list[dict[str, Any]]:
        """The decisions as plain rows, for `pandas.DataFrame(rows)` or a file.

        >>> from durak_widget import Game, review
        >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.of(game).rows()[0]["verdict"]
        'forced'
        """
        return [
            {
                "ply": one.ply,
                "bout": one.bout,
                "seat": one.seat,
                "move": str(one.move),
                "ways": one.ways,
                "verdict": one.verdict,
                "better": None if one.better is None else str(one.better),
                "loss": one.loss,
                "least": None if one.interval is None else one.interval[0],
                "most": None if one.interval is None else one.interval[1],
                "kind": one.kind,
                "value": one.value,
                "left": one.left,
                "worlds": one.worlds,
            }
            for one in self.decisions
        ]

    def _repr_html_(self) -> str:
        """How a notebook shows it: in a frame of its own."""
        from html import escape  # noqa: PLC0415 - only notebooks ask

        return f'<iframe srcdoc="{escape(self.html())}" style="width:100%;height:32em;border:0"></iframe>'

    def __repr__(self) -> str:
        counts = {verdict: sum(one.verdict == verdict for one in self.decisions) for verdict in ("proved mistake", "mistake")}
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
    """A game judged: each decision of each seat, by what that seat could know or by `all cards`; told to a seat, or to anybody.

    The same seed, budget (so many playouts) and number of `positions` of an ending give the same review, with the kernel and without; what is usual is
    more with it. Of a game that goes on one seat's decisions alone are judged, by what it knew. `told` hears how many steps are done of how many.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> found = review.of(game, 1)
    >>> len(found.decisions) == game.ply, {one.verdict for one in found.decisions} >= {"forced", "mistake"}
    (True, True)
    """
    steps = reviewed(game, seat, Reviewing(by, seed, budget, positions))
    while True:
        try:
            done, whole = next(steps)
        except StopIteration as end:
            made: Review = end.value
            return made
        if told is not None:
            told(done, whole)


def reviewed(game: Game, seat: int | None = None, how: Reviewing | None = None) -> Generator[tuple[int, int], None, Review]:
    """A review step by step, for who has something else to do between: it says how many steps are done of how many, and returns the review.

    >>> from durak_widget import Game
    >>> game = Game.at("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
    >>> next(reviewed(game, how=Reviewing(by="all cards")))
    (1, 4)
    """
    how = how or Reviewing()
    whole = _judgeable(game, seat, how.by)
    usual = usual_for(whole.rules)
    playouts, ending = _number("budget", how.budget, usual.playouts), _number("positions", how.positions, usual.positions)
    chance, over = _number("seed", how.seed, 1), whole.outcome is not None
    asking = Asking(ShareOfResult.of(whole.rules), how.by == "all cards", chance, Effort(playouts, ending).judging, ending)
    seats = range(whole.seats) if over else (seat or 0,)
    done, steps, judged = 0, (2 if over else 1) * whole.ply, dict[int, Decision]()
    for _ in weighed(whole, seats, asking, judged):
        done += 1
        yield done, steps
    found: Levels | None = None
    if over:
        for found in levels(whole, seats, asking.shares, seed=chance, playouts=Effort(playouts, ending).luck):
            done += 1
            if found is None:
                yield done, steps
    yield steps, steps
    decisions = tuple(replace(one, game=whole if over else None) for _, one in sorted(judged.items()))
    return Review(whole, seat, how.by, decisions, found, asking)


def _judgeable(game: object, seat: int | None, by: str) -> Game:
    """The game as far as it may be judged: all of it where it is over, also where somebody looks back at it."""
    if not isinstance(game, Game):
        what = "of a match one of its games is reviewed, such as match.games[-1]" if isinstance(game, Match) else "say review.of(game)"
        raise PositionError(f"a review is made of a Game, not of {quoted(game)}; {what}")
    if not isinstance(by, str) or by not in BY:
        raise PositionError(f"by={quoted(by)} is nothing to judge by; say {' or '.join(map(repr, BY))}")
    if seat is not None and ((number := whole_number(seat)) is None or not 0 <= number < game.seats):
        raise PositionError(f"seat={quoted(seat)} is not a seat; the seats are 0 to {game.seats - 1}, or None for all")
    whole = game.copy()
    whole.goto(whole.last_ply)
    if whole.outcome is not None:
        return whole
    if by == "all cards":
        raise PositionError("the game goes on, and all cards may be looked at only when it is over; leave by= out, or play it to its end")
    if seat is None:
        raise PositionError(
            "the game goes on, and only one seat's own moves may be judged, by what it knew; say whose, as in review.of(game, 0)"
        )
    whole = game.copy()
    whole.forget_undone()
    return whole


def _number(name: str, value: int | None, usual: int) -> int:
    number = usual if value is None else whole_number(value)
    if number is None or not 0 <= number < 1 << 60:
        raise PositionError(f"{name}={quoted(value)} is not a whole number from 0 on")
    return number
