"""Reviews a whole game: its mistakes, turning points, luck and skill, with a report."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.errors import PositionError, as_whole_number, short_repr
from durak_widget.i18n import Translator
from durak_widget.i18n import get_default_language as spoken_language
from durak_widget.review.decision_evaluation import Effort, EvaluationSettings, evaluate_decisions, get_default_effort
from durak_widget.review.decisions import Decision, WinShareScale
from durak_widget.review.luck_and_skill import BoutChances, Skill, compute_win_share_timeline
from durak_widget.review.review_report import build_view_model, draw_chances_chart, render_page
from durak_widget.review.turning_points import build_headline, choose_main_turning_point, find_turning_points, format_facts
from durak_widget.rules import seating

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from durak_widget.i18n import TranslatableText
    from durak_widget.i18n._translation import CardNaming
    from durak_widget.review.luck_and_skill import ResultBreakdown, WinShareTimeline
    from durak_widget.review.turning_points import TurningPoint
    from durak_widget.rules.scoring import Outcome

    ProgressCallback = Callable[[int, int], None]
    """A function that is called with the number of steps done and the total number of steps."""

Basis = Literal["what it knew", "all cards"]
BASIS_KEYS: Final[Mapping[Basis, str]] = {"what it knew": "seat", "all cards": "cards"}
"""The ways to judge moves: by what the player could know, or by all cards. The value is the name in catalogue keys."""


class ReviewSettings(NamedTuple):
    """The settings of a review; None means the default value.

    >>> ReviewSettings(seed=2).by
    'what it knew'
    """

    by: Basis = "what it knew"
    seed: int = 1
    budget: int | None = None
    positions: int | None = None


class Review:
    """The review of a game; create it with `review.analyze`.

    >>> from durak_widget import Game, review
    >>> game = Game.from_position_line("Qh Ks | Kh Kc; trump h")
    >>> for move in ("attack Ks", "beat Ks Kh", "attack Kc", "beat Kc Qh"):
    ...     game.play(move)
    >>> found = review.analyze(game, 0, by="all cards")
    >>> found.sentence()
    'In bout 2, you could have won. The mistake: the king of spades.'
    """

    def __init__(
        self,
        game: Game,
        seat: int | None,
        by: Basis,
        decisions: tuple[Decision, ...],
        timeline: WinShareTimeline | None,
        settings: EvaluationSettings,
    ) -> None:
        self.game, self.seat, self.by, self.decisions = game, seat, by, decisions
        self._timeline, self._settings = timeline, settings

    @property
    def basis_key(self) -> str:
        """Return how moves are judged: by what the seat knew (`seat`) or by all cards (`cards`)."""
        return BASIS_KEYS[self.by]

    @property
    def world_count(self) -> int:
        """Return the largest number of possible worlds that playouts used; 0 without playouts."""
        return max((decision.world_count for decision in self.decisions if not decision.is_exhaustive), default=0)

    @property
    def result(self) -> Outcome | None:
        """Return the outcome of the game, or None while the game goes on."""
        return self.game.outcome

    @property
    def shown_seats(self) -> tuple[int, ...]:
        """Return the seats that have a line in the chart of win chances.

        With two players one line says it for both.
        """
        return tuple(range(self.game.seats)) if self.seat is None and self.game.seats > 2 else (self.seat or 0,)

    @cached_property
    def turning_points(self) -> tuple[TurningPoint, ...]:
        """Return the turning points, worst first; proved mistakes come before other mistakes.

        For a seat, only its own mistakes and those from which it alone gained.
        """
        return find_turning_points(self.decisions, self.seat, self._settings.positions)

    @cached_property
    def main_turning_point(self) -> TurningPoint | None:
        """Return the turning point to name in the summary; None if no mistake is known."""
        outcome = self.result
        return choose_main_turning_point(self.turning_points, self.seat, has_won=outcome is not None and self.seat in outcome.winners)

    @property
    def headline_facts(self) -> list[TranslatableText]:
        """Return the review's summary as a list of translatable texts."""
        return build_headline(self.main_turning_point, self.seat)

    def for_seat(self, seat: int | None) -> Review:
        """Return the review with only what `seat` may see; with None, what everybody may see.

        >>> from durak_widget import Game, review
        >>> game = Game.from_position_line("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.analyze(game).for_seat(1).seat
        1
        """
        if self.result is None and seat != self.seat:
            raise PositionError("the game is not over, so you can review only one seat; use review.analyze(game, seat) for another")
        return Review(self.game, seat, self.by, self.decisions, self._timeline, self._settings)

    @property
    def luck(self) -> Mapping[int, ResultBreakdown]:
        """Return how luck and moves led to each seat's result; empty before the game ends."""
        return {} if self._timeline is None else self._timeline.breakdowns

    @property
    def skill(self) -> tuple[Skill, ...]:
        """Return each seat's skill; before the game ends, the skill of the reviewed seat only."""
        seats = range(self.game.seats) if self.result is not None or self.seat is None else (self.seat,)
        return tuple(Skill.from_decisions(seat, self.decisions) for seat in seats)

    @cached_property
    def chances(self) -> tuple[BoutChances, ...]:
        """Return each seat's win chance at the start of each bout and after the game.

        The shares are for all cards open, exact where they are proved. They are None where no card is left to draw and nothing is proved.
        While the game goes on they are what the one seat could know, at its first decision of each bout that was evaluated.
        """
        return tuple(self._list_own_chances() if self._timeline is None else self._list_chances(self._timeline))

    def _list_chances(self, timeline: WinShareTimeline) -> Iterator[BoutChances]:
        """Yield the win chances in a finished game at the start of each bout, and at the end."""
        proved = self._find_proved_shares()
        starts = [0, *(bout_end.ply for bout_end in self.game.view(0).bout_ends if bout_end.ply < self.game.ply)]
        for ply in starts:
            position = self.game.copy()
            position.goto(ply)
            yield BoutChances(position.bout, ply, proved.get(ply) or tuple(timeline.share_at(seat, ply) for seat in range(self.game.seats)))
        yield BoutChances(self.game.bout, self.game.ply, tuple(timeline.shares[seat][-1] for seat in range(self.game.seats)))

    def _find_proved_shares(self) -> dict[int, tuple[float, ...]]:
        """Return the proved win chances in positions; a key is a position's number of past moves.

        A forced move doesn't change them.
        """
        outcome, shares = self.game.outcome, self._settings.scale
        assert outcome is not None  # noqa: S101 - asked of a game that is over
        later: tuple[float, ...] | None = tuple(shares.payoff_to_share(utility) for utility in outcome.utilities)
        proved: dict[int, tuple[float, ...]] = {}
        for decision in reversed(self.decisions):
            if decision.value is not None:
                later = self._compute_proved_shares(decision)
            elif decision.verdict != "forced" or self._has_draw_after(decision.ply):
                later = None
            if later is not None:
                proved[decision.ply] = later
        return proved

    def _compute_proved_shares(self, decision: Decision) -> tuple[float, ...]:
        """Return each seat's win chance in a position whose game value is proved.

        If one of the last two loses, every seat that is out already has won.
        """
        shares, side_of_seat = self._settings.scale, seating.side_of_seat(self.game.rules)
        if not decision.value:
            return (shares.fair_share,) * self.game.seats
        position = self.game.copy()
        position.goto(decision.ply)
        loser = decision.seat if decision.value < 0 else next(seat for seat in position.seats_in if seat != decision.seat)
        return tuple(float(side != side_of_seat[loser]) for side in side_of_seat)

    def _has_draw_after(self, ply: int) -> bool:
        """Return whether a draw of cards followed right after move number `ply` + 1."""
        return any(bout_end.ply == ply + 1 and bout_end.draw_counts for bout_end in self.game.view(0).bout_ends)

    def _list_own_chances(self) -> Iterator[BoutChances]:
        """Yield the reviewed seat's win chance at the start of each bout, in an unfinished game."""
        bouts: set[int] = set()
        for decision in self.decisions:
            if decision.bout not in bouts and decision.best_share is not None:
                bouts.add(decision.bout)
                yield BoutChances(
                    decision.bout,
                    decision.ply,
                    tuple(decision.best_share if seat == decision.seat else None for seat in range(self.game.seats)),
                )

    # --- The report ---

    def sentence(self, language: str | None = None, *, cards: CardNaming = "words") -> str:
        """Return a sentence that sums up the review, such as what the costliest mistake was.

        >>> from durak_widget import Game, review
        >>> game = Game.from_position_line("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.analyze(game, 1).sentence("ru")
        'Хорошая игра! У вас не найдено явных ошибок.'
        """
        return format_facts(self.headline_facts, Translator(language or spoken_language(), cards=cards, own_seat=self.seat))

    def html(self, language: str | None = None) -> str:
        """Return the report as one self-contained HTML page."""
        return render_page(self, language or spoken_language())

    def view_model(self, language: str | Translator | None = None) -> dict[str, Any]:
        """Return the review's report as plain data, from which the front end draws it.

        `language` can be a `Translator` that knows the names of the players.

        >>> from durak_widget import Game, review
        >>> game = Game.from_position_line("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> [heading for heading, _ in review.analyze(game, 0).view_model()["decisions"]]
        ['Bout 2']
        """
        voice = (
            language if isinstance(language, Translator) else Translator(language or spoken_language(), cards="signs", own_seat=self.seat)
        )
        return build_view_model(self, voice)

    def svg(self, language: str | None = None) -> str:
        """Return the chart of win chances as SVG; it has a step for each bout."""
        return draw_chances_chart(self, language or spoken_language())

    def rows(self) -> list[dict[str, Any]]:
        """Return a list of dicts, one for each decision, as for `pandas.DataFrame`.

        >>> from durak_widget import Game, review
        >>> game = Game.from_position_line("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
        >>> review.analyze(game).rows()[0]["verdict"]
        'forced'
        """
        return [
            {
                "ply": decision.ply,
                "bout": decision.bout,
                "seat": decision.seat,
                "move": str(decision.move),
                "ways": decision.legal_move_count,
                "verdict": decision.verdict,
                "better": None if decision.better_move is None else str(decision.better_move),
                "loss": decision.loss,
                "least": None if decision.loss_interval is None else decision.loss_interval[0],
                "most": None if decision.loss_interval is None else decision.loss_interval[1],
                "kind": decision.mistake_kind,
                "value": decision.value,
                "left": decision.value_after,
                "worlds": decision.world_count,
            }
            for decision in self.decisions
        ]

    def _repr_html_(self) -> str:
        """Return the report in an HTML frame, which Jupyter displays."""
        from html import escape  # noqa: PLC0415 - only notebooks ask

        return f'<iframe srcdoc="{escape(self.html())}" style="width:100%;height:32em;border:0"></iframe>'

    def __repr__(self) -> str:
        counts = {verdict: sum(decision.verdict == verdict for decision in self.decisions) for verdict in ("proved mistake", "mistake")}
        return f"<Review of {len(self.decisions)} decisions: {counts['proved mistake']} proved mistakes, {counts['mistake']} others>"


def analyze(
    game: Game,
    seat: int | None = None,
    *,
    by: Basis = "what it knew",
    seed: int = 1,
    budget: int | None = None,
    positions: int | None = None,
    on_progress: ProgressCallback | None = None,
) -> Review:
    """Review a game: judge each decision, and measure luck and skill.

    The same seed, budget (a number of playouts) and number of endgame `positions` give the same review, with and without the fast engine;
    the usual numbers are higher with it. If the game goes on, only one seat's decisions are evaluated, by what it knew. `on_progress` is called
    with the number of steps done and of all steps.

    >>> from durak_widget import Game, bots, review
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 1)
    >>> found = review.analyze(game, 1)
    >>> len(found.decisions) == game.ply, {one.verdict for one in found.decisions} >= {"forced", "mistake"}
    (True, True)
    """
    steps = analyze_in_steps(game, seat, ReviewSettings(by, seed, budget, positions))
    while True:
        try:
            steps_done, total = next(steps)
        except StopIteration as end:
            result: Review = end.value
            return result
        if on_progress is not None:
            on_progress(steps_done, total)


def analyze_in_steps(
    game: Game, seat: int | None = None, settings: ReviewSettings | None = None
) -> Generator[tuple[int, int], None, Review]:
    """Review a game step by step: yield the progress, and return the review at the end.

    >>> from durak_widget import Game
    >>> game = Game.from_position_line("Qh | 7c; trump h"); game.play("attack Qh"); game.play("take")
    >>> next(analyze_in_steps(game, settings=ReviewSettings(by="all cards")))
    (1, 4)
    """
    settings = settings or ReviewSettings()
    full_game = _require_reviewable_game(game, seat, settings.by)
    default_effort = get_default_effort(full_game.rules)
    playouts, endgame_positions = (
        _require_count("budget", settings.budget, default_effort.playouts),
        _require_count("positions", settings.positions, default_effort.positions),
    )
    checked_seed, is_over = _require_count("seed", settings.seed, 1), full_game.outcome is not None
    evaluation = EvaluationSettings(
        WinShareScale.from_rules(full_game.rules),
        settings.by == "all cards",
        checked_seed,
        Effort(playouts, endgame_positions).decision_playouts,
        endgame_positions,
    )
    seats = range(full_game.seats) if is_over else (seat or 0,)
    steps_done, steps, decisions_by_ply = 0, (2 if is_over else 1) * full_game.ply, dict[int, Decision]()
    for _ in evaluate_decisions(full_game, seats, evaluation, decisions_by_ply):
        steps_done += 1
        yield steps_done, steps
    timeline: WinShareTimeline | None = None
    if is_over:
        for timeline in compute_win_share_timeline(
            full_game, seats, evaluation.scale, seed=checked_seed, playouts=Effort(playouts, endgame_positions).luck_playouts
        ):
            steps_done += 1
            if timeline is None:
                yield steps_done, steps
    yield steps, steps
    decisions = tuple(replace(decision, game=full_game if is_over else None) for _, decision in sorted(decisions_by_ply.items()))
    return Review(full_game, seat, settings.by, decisions, timeline, evaluation)


def _require_reviewable_game(game: object, seat: int | None, by: str) -> Game:
    """Return a copy of the game for the review, with all moves, even those that were undone.

    Raise an error if a review is impossible or not allowed yet.
    """
    if not isinstance(game, Game):
        hint = (
            "to review a match, give one of its games, such as match.games[-1]" if isinstance(game, Match) else "use review.analyze(game)"
        )
        raise PositionError(f"a review needs a Game, not {short_repr(game)}; {hint}")
    if not isinstance(by, str) or by not in BASIS_KEYS:
        raise PositionError(f"by must be {' or '.join(map(repr, BASIS_KEYS))}, not {short_repr(by)}")
    if seat is not None and ((number := as_whole_number(seat)) is None or not 0 <= number < game.seats):
        raise PositionError(f"seat must be a number from 0 to {game.seats - 1}, or None for all seats, not {short_repr(seat)}")
    full_game = game.copy()
    full_game.goto(full_game.last_ply)
    if full_game.outcome is not None:
        return full_game
    if by == "all cards":
        raise PositionError("the game is not over, so a review cannot use all cards yet; leave out by=, or play the game to its end")
    if seat is None:
        raise PositionError(
            "the game is not over, so you can review only one seat, by what it knew; give the seat, as in review.analyze(game, 0)"
        )
    full_game = game.copy()
    full_game.forget_undone()
    return full_game


def _require_count(name: str, value: int | None, default: int) -> int:
    """Return a setting; raise an error if it is not a non-negative integer."""
    number = default if value is None else as_whole_number(value)
    if number is None or not 0 <= number < 1 << 60:
        raise PositionError(f"{name} must be a whole number from 0 on, not {short_repr(value)}")
    return number
