"""Runs a match at a table: moves, players, what the viewer sees, and background jobs.

The module does not depend on the front end. Callbacks get every move, in the order in which they were added. If a callback makes a move itself, all
callbacks get the earlier move first.
"""

from __future__ import annotations

import logging
from collections import deque
from random import Random
from secrets import token_bytes
from threading import RLock
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal

from durak_widget.bots.bot import create_player_rng, get
from durak_widget.engine.game import Game, require_seed
from durak_widget.engine.match import Match
from durak_widget.engine.moves import IllegalMove
from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, error_class_name, short_repr, to_reportable_error
from durak_widget.i18n import Seat, TranslatableText
from durak_widget.table import players
from durak_widget.table.analysis_jobs import CoachJob, FinderResults, HintMemory, ReviewJob, build_review_view, remember_missed_endgames
from durak_widget.table.hints import Adviser
from durak_widget.table.players import Players
from durak_widget.table.scene import DisplayOptions, SceneMoment, VoicePair, build_scene
from durak_widget.widgets.background_jobs import BackgroundJobs, Job

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation, PlayedMove
    from durak_widget.review import Review
    from durak_widget.review.game_review import Basis
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.analysis_jobs import DecisionRetry, Finder
    from durak_widget.table.move_feedback import MoveComment
    from durak_widget.table.players import OpponentResult, Player
    from durak_widget.table.scene import CommentWriter, Scene, TaskController
    from durak_widget.widgets.appearance_settings import AppearanceSettings

    MoveListener = Callable[[PlayedMove], object]

_LOG: Final = logging.getLogger("durak_widget")
BOT_JOB: Final = "bot"
"""The name of the background job in which a bot chooses its move."""
CHANCES_FINDER: Final = "chances"
"""The name under which the front end receives the viewer's chance to win."""
_LABELED_JOBS: Final = ("hint", "coach", "review", CHANCES_FINDER)
"""The jobs that have a translated label; the other jobs are analysis functions, which their author has named."""
_SCENE_INTERVAL: Final = 0.4
"""The shortest time in seconds between two updates of the front end while bots finish a game without delay."""


class Session:
    """A match at a table, with its players, the displayed position and the background jobs.

    The class does not depend on the front end. It calls `show` with each scene, and `send` with each message.

    >>> from durak_widget.widgets.appearance_settings import AppearanceSettings
    >>> scenes = []
    >>> session = Session(appearance=AppearanceSettings(pace=0), show=scenes.append, send=print, seed=7)
    >>> session.play("attack Jc"); session.step(); [scene["ply"] for scene in scenes]
    True
    [1, 2]
    """

    def __init__(
        self,
        game: Game | Match | Rules | str | None = None,
        seats: Mapping[int, Player] | None = None,
        *,
        appearance: AppearanceSettings,
        show: Callable[[Scene], object],
        send: Callable[[dict[str, Any]], object],
        seed: int | str | None = None,
    ) -> None:
        """Set up a match; the front end gets data only after an action or a call of `update`."""
        self.lock = RLock()
        self.match = _make_match(game, seed)
        self.players = Players(self.game.seats, seats)
        self.appearance, self._show = appearance, show
        self.game_number = 1
        """The number of the current game, counted since the table was created."""
        self.is_taken_back = False
        """True if the user took back moves to play differently, and not only to look at an earlier position."""
        self.is_waiting: bool | None = None
        """True while bots wait until a person looks at the table; None before the table is first displayed."""
        self.was_helped = False
        """True if a hint or an undo helped the player, so that the game does not count against an opponent."""
        self.used_free_hint = False
        """True if the player got a hint that costs nothing until their first win; the end of the game decides whether it does."""
        self.late_seats: set[int] = set()
        """The seats whose player changed during the game; if there is one, the game does not count against an opponent."""
        self.started_here = not self.game.last_ply
        """True if the game began at this table, and was not opened with moves already made."""
        self._opened_end = _find_end(self.game)
        """The moves of a game that was already over when it was opened; None if the game was not over."""
        self._given_warnings: set[str] = set()
        """The kinds of help for which the table has warned the user in this game that the game won't count after it."""
        self._opponent_result: tuple[Hashable, OpponentResult] | None = None
        """The recorded result against named opponents, with a key that identifies the game, its moves and its players."""
        self._opponent_progress: tuple[Hashable, str] | None = None
        """What the user still needs to beat the opponent, in words, with a key that identifies the game, its players and the language."""
        self._scene_count = 0
        self._note: dict[str, Any] | None = None
        self.task: TaskController | None = None
        self.comment_writer: CommentWriter | None = None
        """The function that comments on the last move; its sentences replace the coach's comment."""
        self.opening_comment_writer: CommentWriter | None = None
        """The function that a lesson sets to comment on the start of the game; users have `comment_writer` alone."""
        self.retry: DecisionRetry | None = None
        """The turning point that the user is playing again; None if the ordinary match is on the table."""
        self.hints = HintMemory()
        """The memory for the last hint of which the player has seen only the first step."""
        self.send = send
        self.jobs = BackgroundJobs(self.lock, self.start_jobs)
        self._finder_results = FinderResults(
            lambda *arguments, worker: self.jobs.start(self._build_job(*arguments, worker=worker)), self.refresh
        )
        self._review_job = ReviewJob(self._start_review_job, self._show_review)
        self._returning_endgames: tuple[Hashable, int] | None = None
        """The game and the seat whose missed endgames were stored for later practice."""
        self._coach_job = CoachJob(self._start_coach_job, self._show_coach_comment)
        self.deal_rng = Random(None if seed is None else require_seed(seed))
        """The random number generator that deals cards; each bot has its own generator."""
        self._seed: int | str | bytes = token_bytes(32) if seed is None else require_seed(seed)
        self._rngs: dict[int | str, Random] = {}
        self.adviser = get(Adviser())
        """The bot that gives hints in ordinary games."""
        self._move_reasons: tuple[Game, dict[tuple[Move, ...], object]] = self.game, {}
        """The game, and the bots' reasons for their moves, by the tuple of moves up to the explained move."""
        self.listeners = MoveListeners(self._report_listener_error)
        self._plays_to_end, self._last_refresh = False, 0.0
        """Whether the bots finish the game without delay, and the time at which the front end was last updated."""

    # --- The viewer ---

    @property
    def game(self) -> Game:
        """Return the current game of the match."""
        return self.match.game

    @property
    def can_redo(self) -> bool:
        """Return whether the game has moves that were taken back and can be made again."""
        return self.game.ply < self.game.last_ply

    @property
    def first_ply(self) -> int:
        """Return the ply at which play begins: 0, or the turning point in a retry."""
        return self.retry.position.ply if self.retry else 0

    @property
    def is_looking_back(self) -> bool:
        """Return whether the user is only looking at an earlier position of the game."""
        return self.can_redo and not self.is_taken_back

    def get_finished_game(self) -> Game | None:
        """Return the whole game if it is over, even if the table shows an earlier position.

        During an exercise the result is None.
        """
        if self.task is not None or (self.game.outcome is None and not self.is_looking_back):
            return None
        finished = self.game.copy()
        finished.goto(finished.last_ply)
        return None if finished.outcome is None else finished

    @property
    def is_reopened(self) -> bool:
        """Return whether the game was over when it was opened, and is still the same.

        Such a game is only looked at: nothing about it is recorded again.
        """
        return self._opened_end is not None and self._opened_end == _find_end(self.game)

    def get_undone_move(self) -> Move:
        """Return the move that `redo` would make next: a move that was taken back."""
        return self.game.copy().redo()

    @property
    def is_over(self) -> bool:
        """Return whether the game is over, even if the table shows an earlier position."""
        return self.game.outcome is not None or (self.is_looking_back and self.get_finished_game() is not None)

    def get_moment_key(self) -> Hashable:
        """Return a key that identifies what the viewer sees now.

        The key has the number of the game, the moves, the viewer's seat, and whether the hand is covered.
        """
        return (self.game_number, self.game.moves, *self.find_viewer())

    def find_acting_bot(self) -> int | None:
        """Return the seat whose turn it is if a bot plays it; None if no bot can move now.

        While the user looks at an earlier position, bots do not move.
        """
        seat, is_resting = self.game.actor, self.is_looking_back or (self.task is not None and self.task.is_decided)
        if seat is None or self.players.get_bot(seat) is None or is_resting or self.players.troubles.get(seat) == "failed":
            return None
        return seat

    @property
    def is_left_to_bots(self) -> bool:
        """Return whether all people are out of the game while bots still play on."""
        people, acting_seat = self.players.human_seats, self.find_acting_bot()
        return acting_seat is not None and bool(people) and not {*people} & {*self.game.view(acting_seat).seats_in}

    def find_viewer(self) -> tuple[int, bool]:
        """Return the seat at the bottom of the screen, and whether the hand there is covered."""
        return self.players.find_viewer(self.game, self.appearance)

    def build_view(self, *, for_storage: bool = False, with_memory: bool = False) -> Observation:
        """Return the viewer's observation: everything that the viewer may know about the game.

        With `for_storage`, for a picture in a notebook, the observation has no hand if several people play. With `with_memory`, it has the memory of
        played cards even if the setting `memory` is off.
        """
        seat, covered = self.find_viewer()
        view = self.game.view(seat, memory=with_memory or self.appearance.memory)
        view = view.without_hand() if covered or (for_storage and len(self.players.human_seats) > 1) else view
        return view.without_legal_moves() if self.players.is_spectator(seat) else view

    def get_voices(self, view: Observation) -> VoicePair:
        """Return the translators for the viewer: one for the screen, one for a screen reader."""
        is_impersonal = not self.players.human_seats or view.is_hand_hidden or self.players.is_spectator(view.seat)
        me = None if is_impersonal else view.seat
        return VoicePair.for_viewer(self.appearance.language, me, self.players.shown_opponents, self.appearance.card_letters)

    def find_viewing_person(self) -> int | None:
        """Return the seat of the person at the screen if their own hand is visible, else None."""
        seat, covered = self.find_viewer()
        return None if covered or seat not in self.players.human_seats or self.players.is_view_rotated(self.game, self.appearance) else seat

    @property
    def was_dealt(self) -> bool:
        """Return whether this table dealt the game, so that its cards were not chosen."""
        return self.started_here and self.game.seed is not None

    @property
    def is_counted(self) -> bool:
        """Return whether the game's result counts in the user's record against named opponents."""
        is_against_opponent = self.was_dealt and self.players.is_duel
        return (
            is_against_opponent
            and self.task is None
            and self.retry is None
            and not self.was_helped
            and not self.late_seats
            and self.appearance.hands != "open"
        )

    @property
    def has_free_hints(self) -> bool:
        """Return whether the game counts even if the user gets hints, because they are a beginner."""
        return self.is_counted and players.allows_free_hints(self.players)

    @property
    def can_help(self) -> bool:
        """Return whether the viewer may get help.

        Exercises and games that count in the user's record allow no help.
        """
        return self.find_viewing_person() is not None and self.task is None and not self.is_counted

    @property
    def first_opponent(self) -> Seat:
        """Return the first seat that a named opponent plays."""
        return Seat(self.players.named_opponents[0][0])

    @property
    def _is_task_solved(self) -> bool:
        """Return True if the table has no exercise, or if its exercise is solved."""
        verdict = None if self.task is None else self.task.verdict(self.get_voices(self.build_view()).spoken)
        return self.task is None or (verdict is not None and verdict[0] is True)

    def _get_opponent_result(self) -> OpponentResult | None:
        """Return the result of a finished game against named opponents.

        The result is recorded only once.
        """
        if self.game.outcome is None or self.retry is not None or self.task is not None or not self.players.named_opponents:
            return None
        key = self.game_number, self.game.moves, self.players.names
        if self._opponent_result is None or self._opponent_result[0] != key:
            # Another table may have recorded the first win meanwhile.
            was_helped = self.was_helped or (self.used_free_hint and not players.allows_free_hints(self.players))
            self._opponent_result = (
                key,
                players.record_game_result(
                    self.game,
                    self.players,
                    was_dealt=self.was_dealt,
                    was_helped=was_helped,
                    late_seats=self.late_seats,
                    is_reopened=self.is_reopened,
                ),
            )
        return self._opponent_result[1]

    def _get_opponent_progress(self, view: Observation) -> str:
        """Return, in words, how many wins the user still needs to beat the named opponent.

        The text is the same in a game that doesn't count because of help, and in a finished game that is opened again. It is empty in an exercise
        and in another game that this table did not deal.
        """
        if self.task is not None or self.retry is not None or not (self.was_dealt or self.is_reopened):
            return ""
        voice = self.get_voices(view).written
        recorded = None if self._opponent_result is None else self._opponent_result[0]  # A result that is recorded changes the file.
        key = self.game_number, recorded, self.players.named_opponents, voice.language
        if self._opponent_progress is None or self._opponent_progress[0] != key:
            self._opponent_progress = key, players.format_opponent_progress(self.players, voice)
        return self._opponent_progress[1]

    def set_note(self, kind: str, sentences: list[str], **extras: str) -> None:
        """Store a note that the table shows the user with its next update."""
        self._note = {"kind": kind, "text": sentences, **{name: value for name, value in extras.items() if value}}

    def set_translated_note(self, kind: str, key: str, **facts: object) -> None:
        """Store a translated text as the note that the table shows with its next update."""
        self.set_note(kind, self.get_voices(self.build_view()).say(f"table.{key}", **facts))

    def explain_refusal(self, move: str, seat: int, card: str = "", target_card: str = "") -> None:
        """Tell the viewer why a move is illegal, unless their hand is covered.

        The reason could reveal cards of a covered hand.
        """
        view = self.build_view()
        refusal = None if view.is_hand_hidden else self.game.why_not(move, seat=seat)
        if refusal is not None:
            self.set_note(
                "refused", [refusal.to_text(voice) for voice in self.get_voices(view)], card=card, target=target_card, code=refusal.code
            )
        else:
            self.set_translated_note("info", "stale")
        self.refresh()

    # --- Opening and continuing games ---

    def open_match(self, match: Match, players: Players | None = None, *, retry: DecisionRetry | None = None) -> None:
        """Open another match, or a retry of a turning point.

        Without `players`, the current players stay if their number fits.
        """
        with self.lock:
            self.retry = retry
            if players or match.game.seats != self.game.seats:
                self.players = players or Players(match.game.seats)
                self._rngs.clear()
            self.match = match
            self.start_game()

    def start_game(self) -> None:
        """Start the match's current game, and forget everything about its previous game."""
        if self.retry is None:
            self._seat_next_players()
        self.game_number += 1
        self.is_taken_back = self.was_helped = self.used_free_hint = self._plays_to_end = False
        self.late_seats.clear()
        self._given_warnings.clear()
        self.started_here = not self.game.last_ply
        self._opened_end = _find_end(self.game)
        self._move_reasons = self.game, {}
        self.players.start_game()
        if self.appearance.chances:
            self.update_chances_finder()
        self.update()

    def start_retry(self, retry: DecisionRetry) -> None:
        """Let the same players play again from a turning point of a finished game.

        The match goes on after the retry.
        """
        retry.match.game.goto(retry.match.game.last_ply)
        self.open_match(Match.from_game(retry.position.copy(), seed=0), retry=retry)
        # The scene shows the goal beside the call to action, where screen readers don't read it.
        goal = self.get_voices(self.build_view()).spoken.translate(retry.goal.key, **retry.goal.facts)
        self.send({"kind": "announcement", "text": goal})

    def leave_retry(self) -> None:
        """End the retry of a turning point, and return to the unchanged match."""
        if self.retry is not None:
            self.match, self.retry = self.retry.match, None

    def wait_for_viewer(self) -> None:
        """Make the bots wait until the front end reports that a person is looking at the table."""
        if self.is_waiting is None:
            self.is_waiting = True
            self.jobs.cancel(BOT_JOB)
            self.refresh()

    def next_game(self) -> None:
        """Deal the next game.

        If the match is over or if players change, this begins a new match.
        """
        if self.match.loser is not None or self.players.next_names != self.players.names:
            self.match = Match(self.match.rules, seed=self.deal_rng.getrandbits(32))
        else:
            self.match.next_game()
        self.start_game()

    def seat_player(self, seat: object, player: Player) -> None:
        """Change the player of a seat, at once or from the next game on.

        The change waits for the next game if the game is over or is a retry. A bot that failed in a retry is replaced at once.
        """
        with self.lock:
            number = self.players.require_seat(seat)
            if self.is_over or (self.retry is not None and self.players.troubles.get(number) != "failed"):
                self.players.choose_next(number, player)
                self._rngs.pop(number, None)
                self.refresh()
                return
            self._seat_player_now(number, player)
            self.update()

    def _seat_player_now(self, seat: int, player: Player) -> None:
        """Change the player of a seat in the current game."""
        old_name = self.players.names[seat]
        self.players.seat_player(seat, player)
        new_name = self.players.names[seat]
        if len(self.match.games) > 1 and old_name != new_name:
            # Other players made the score of the old match, so a new match begins.
            self.match = Match.from_game(self.game, seed=self.deal_rng.getrandbits(32))
        if self.game.last_ply:  # The old player of this seat has made moves in this game, so the new player has joined late.
            self.late_seats.add(seat)
        self._rngs.pop(seat, None)

    def _seat_next_players(self) -> None:
        """Give seats to the players that the user has chosen for the next game."""
        for seat, bot in self.players.pop_next_players().items():
            self._seat_player_now(seat, bot)

    def get_rng(self, owner: int | str) -> Random:
        """Return the random number generator of a bot (given by its seat) or of the hints."""
        if owner not in self._rngs:
            self._rngs[owner] = create_player_rng(self._seed, owner)
        return self._rngs[owner]

    def goto(self, ply: int, *, is_taken_back: bool = False) -> None:
        """Show the position after `ply` moves; if `is_taken_back`, continue the game from there."""
        old_ply, was_counted = self.game.ply, self.is_counted and self.game.outcome is None
        try:
            self.game.goto(ply)
        except IndexError as error:
            raise DurakError(str(error)) from None
        self._plays_to_end = False
        if ply != old_ply:
            self.jobs.cancel(BOT_JOB)
        self.is_taken_back = is_taken_back and self.can_redo
        self.was_helped = self.was_helped or self.is_taken_back
        if was_counted and self.was_helped:
            self.set_translated_note("info", "counts_no_more", who=self.first_opponent)
        self.players.clear_late()
        self.update()

    # --- Making moves ---

    def play(self, move: Move | str) -> None:
        """Make a move for the player whose turn it is.

        If the move is illegal for a bot, or for a person whose hand is covered, the error says no more than the viewer may know.
        """
        with self.lock:
            game, (seat, covered) = self.game, self.find_viewer()
            refusal = game.why_not(move)
            if refusal is not None and game.actor is not None and self.players.human_seats and (covered or seat != game.actor):
                asking_seat = next(person for person in (*self.players.human_seats, *range(game.seats)) if person != game.actor)
                refusal = game.why_not(move, seat=asking_seat)
            if refusal is not None:
                raise IllegalMove(refusal)
            # If a person makes a move in place of a bot, the game no longer counts in the user's record.
            self.was_helped = self.was_helped or (game.actor is not None and self.players.get_bot(game.actor) is not None)
            self.make_move(move)

    def step(self) -> bool:
        """Let the bot whose turn it is make its move now; return False if it is no bot's turn."""
        job = self._build_bot_job()
        if job is None:
            return False
        move, reason = job.work()
        with self.lock:
            if job.is_current:
                self.make_move(move, reason)
        return True

    def make_move(self, move: Move | str, reason: object = None) -> None:
        """Make a legal move in the game; if a bot chose the move, store its reason.

        If the move replaces undone moves, the player counts as helped.
        """
        if self.can_redo:
            self._record_branching()
        self.game.play(move)
        if self._move_reasons[0] is not self.game:
            self._move_reasons = self.game, {}
        if type(reason) is str or isinstance(reason, TranslatableText):
            self._move_reasons[1][self.game.moves] = reason
        self.handle_move_made()

    def get_move_reasons(self) -> dict[int, object]:
        """Return the bots' reasons for their moves, keyed by the number of the move in the game.

        A reason is a sentence or a `TranslatableText`. It may name hidden cards, so only a viewer who may know all cards may see it.
        """
        game, recorded = self._move_reasons
        finished = self.game.copy()
        finished.goto(finished.last_ply)
        return {len(moves): reason for moves, reason in recorded.items() if game is self.game and moves == finished.moves[: len(moves)]}

    def drop_undone_moves(self) -> None:
        """Delete the moves that were taken back, so that play goes on from the displayed position.

        In a retry, play cannot go on from a position before the turning point.
        """
        self._record_branching()
        if self.game.ply < self.first_ply:
            self.game.goto(self.first_ply)
        self.game.forget_undone()
        self.update()

    def _record_branching(self) -> None:
        """Record that the game goes on from an earlier position.

        If the game counted until now, say that it counts no more.
        """
        if self.is_counted and self.get_finished_game() is None:
            self.set_translated_note("info", "counts_no_more", who=self.first_opponent)
        self.was_helped = True

    def handle_move_made(self) -> None:
        """Show a move that was just made, call all move listeners, and let the game go on.

        A listener may make moves itself. All listeners get these moves after this one.
        """
        played = self.game.last_move
        assert played is not None  # noqa: S101 - a move has been made
        self.is_taken_back = self.is_taken_back and self.can_redo
        self.listeners.queue_move(played)
        self.players.troubles.clear()
        try:
            if not (self._plays_to_end and self.is_left_to_bots and monotonic() - self._last_refresh < _SCENE_INTERVAL):
                self.refresh()
            self.listeners.notify()
        finally:
            self.start_jobs()

    def _report_listener_error(self, error: Exception) -> None:
        self.record_failure("on_move", error)
        self.set_translated_note("error", "callback_failed", why=error_class_name(error), where="table.failures['on_move']")
        self.refresh()

    def apply_pace(self) -> None:
        """Apply a changed speed of bots (the setting `pace`) to the bot whose turn it is."""
        self.jobs.restart_delay(BOT_JOB)

    def play_to_end(self) -> None:
        """Let the bots finish the game without delay, because all people have left the game.

        This ends if the user goes to another position. Without an event loop nothing happens. The bots still move one after the other in the
        background, so the table can handle messages at the same time.
        """
        self._plays_to_end = self.is_left_to_bots
        self.apply_pace()
        self.update()

    def refresh(self) -> None:
        """Build the table's current scene (the data of an update), and send it to the front end.

        If the user takes back moves of a finished game and play then goes on differently, the players chosen for the next game take
        their seats.
        """
        if self.retry is None and self.players.has_next_players and not self.is_over and not self.can_redo:
            self._seat_next_players()
        self._last_refresh = monotonic()
        self.players.update_presence(self.game, self.appearance, is_taken_back=self.is_taken_back)
        # Open hands help a player, so the game does not count in the user's record.
        self.was_helped = self.was_helped or (self.appearance.hands == "open" and self.game.outcome is None)
        game, view = self.game, self.build_view()
        self._scene_count += 1
        acting_seat, comment, names = self.find_acting_bot(), self.get_coach_comment(), self.players.names
        moment = SceneMoment(
            id=self._scene_count,
            game_number=self.game_number,
            last_ply=game.last_ply,
            player_names=self.players.shown_names,
            next_players={seat: name for seat, name in enumerate(self.players.next_names) if name != names[seat]},
            bot_states={
                **({} if acting_seat is None or self.is_waiting or self.appearance.steps else {acting_seat: "thinks"}),
                **self.players.troubles,
            },
            undo=game.ply > self.first_ply,
            redo=self.can_redo,
            hint=0 if self.is_looking_back else bool(view.legal_moves()) + bool(self.hints.get(self.get_moment_key())),
            end=self.is_left_to_bots and not self.appearance.steps,
            next_move=str(self.get_undone_move()) if self.is_looking_back and view.legal_moves() else "",
            task=self.task,
            is_taken_back=self.can_redo and self.is_taken_back,
            is_waiting=bool(self.is_waiting) and acting_seat is not None,
            finder_results=self.get_finder_results(),
            opponent_result=self._get_opponent_result(),
            opponent_progress=self._get_opponent_progress(view),
            display=DisplayOptions.from_table(self.players, game, self.appearance, acting_seat, hides_remaining=not self._is_task_solved),
            comment_writer=self.comment_writer or (None if comment is None else lambda voice: [comment.to_text(voice)]),
            opening_comment_writer=self.opening_comment_writer,
            regret=comment is not None and comment.is_costly,
            review=self.get_review_view(),
            goal=self.retry.goal if self.retry and self.retry.position.moves == game.moves else None,
        )
        note, self._note = self._note, None
        self._show(build_scene(view, moment, self.get_voices(view), self.retry.match if self.retry else self.match, note))

    def apply_step_setting(self) -> None:
        """Apply the setting that makes bots wait until the user presses *Next step*.

        It also applies to a bot that is already thinking.
        """
        self._plays_to_end = False
        self.jobs.cancel(BOT_JOB)
        self.update()

    def stop(self) -> None:
        """Stop all background jobs of this table."""
        self.jobs.stop()

    def start_jobs(self, *, ignores_step_setting: bool = False) -> None:
        """Start the background jobs: the move of the bot whose turn it is, and all analyses.

        If the setting makes bots wait for *Next step*, the bot's job starts only with `ignores_step_setting`.
        """
        job = self._build_bot_job()
        if job is not None and not self.is_waiting and (ignores_step_setting or not self.appearance.steps):
            self.jobs.start(job)
        self.jobs.cancel_outdated()
        if self.can_help:
            self._finder_results.request(self.build_view(with_memory=True), self.get_moment_key())
        self._review_job.request(*self._find_game_to_review())
        self._coach_job.request(*self._find_last_own_move())

    def _get_bot_job_key(self) -> Hashable:
        seat = self.find_acting_bot()
        return None if seat is None else (self.game_number, self.game.moves, seat, id(self.players.get_bot(seat)))

    def _build_bot_job(self) -> Job[tuple[Move, object]] | None:
        """Return the job in which a bot chooses its move; None if it is no bot's turn."""
        seat = self.find_acting_bot()
        bot = None if seat is None else self.players.get_bot(seat)
        if seat is None or bot is None:
            return None
        view, rng = self.game.view(seat), self.get_rng(seat)
        # After the end of a bout, the bot waits twice as long, so that the user can see what happened.
        pace_factor = 1 + any(end.ply == view.ply for end in view.bout_ends[-1:])
        return Job(
            name=BOT_JOB,
            key=self._get_bot_job_key(),
            current_key=self._get_bot_job_key,
            work=lambda: bot.choose_and_explain(view, rng),
            on_result=self._play_bot_answer,
            on_error=lambda error: self._report_bot_error(seat, error),
            on_late=lambda: self._report_bot_late(seat),
            worker=bot.implementation,
            get_delay=lambda: 0 if self.appearance.steps or self._plays_to_end else pace_factor * self.appearance.pace / 1000,
        )

    def _play_bot_answer(self, answer: tuple[Move, object]) -> None:
        self.make_move(*answer)

    def _report_bot_late(self, seat: int) -> None:
        """Tell the user that a bot takes too long to move; the table still accepts its move."""
        self.players.troubles[seat] = "late"
        self.set_translated_note(
            "error", "bot_late", bot=self.players.get_bot_label(seat), who=Seat(seat), seconds=round(self.jobs.late_after_seconds)
        )
        self.refresh()

    def _report_bot_error(self, seat: int, error: Exception) -> None:
        """Tell the user that a bot has raised an error, so that they can choose another player."""
        self.record_failure(seat, error)
        self.players.troubles[seat] = "failed"
        error_class, location = error_class_name(error), f"table.failures[{seat}]"
        self.set_translated_note(
            "error", "bot_failed", bot=self.players.get_bot_label(seat), who=Seat(seat), why=error_class, where=location
        )
        self.update()

    # --- Background jobs ---

    def update(self) -> None:
        """Send the table's current state to the front end, and start the necessary jobs."""
        with self.lock:
            self.refresh()
            self.start_jobs()

    def start_viewer_job(self, name: str, work: Callable[[], Any], on_result: Callable[[Any], None], *, worker: object = None) -> None:
        """Start a background job for the viewer, such as a hint, in the displayed position.

        Without an event loop, the method runs the job at once.
        """
        if name == BOT_JOB:
            raise DurakError(f"the package uses the name {name!r} for the job of the bots; choose another name for your job")
        self._start_or_run(self._build_job(name, work, on_result, worker=worker))

    def _start_or_run(self, job: Job[Any]) -> None:
        """Start a given background job; without an event loop, run it at once."""
        if not self.jobs.start(job):
            self.jobs.run_now(job)

    def warn_about_help(self, kind: Literal["hint", "undo"]) -> bool:
        """Warn once in a game, for each kind of help, that taking it makes the game not count.

        Return True if this call warned the user. A beginner gets hints without a warning, see `has_free_hints`.
        """
        if not self.is_counted or kind in self._given_warnings or (kind == "hint" and self.has_free_hints):
            return False
        self._given_warnings.add(kind)
        self.set_translated_note("info", f"{kind}_counts", who=self.first_opponent)
        self.refresh()
        return True

    # --- Finders (analysis functions) ---

    def get_finder_results(self) -> Mapping[str, Sequence[float]] | None:
        """Return the analysis functions' results for the current position.

        The result is None if no such function may run. In a game that counts against an opponent, and in an exercise, no finder may run.
        """
        return self._finder_results.get_results(self.get_moment_key()) if self.can_help and self._finder_results.has_finders else None

    def set_finder(self, name: str, finder: Finder | None) -> None:
        """Set the analysis function with a given name, or remove it if `finder` is None.

        Without an event loop, no finder runs.
        """
        with self.lock:
            if self._finder_results.set_finder(name, finder):
                self.jobs.cancel(name)
                self.update()

    def update_chances_finder(self) -> None:
        """Start or stop computing the viewer's chance to win, as the setting `chances` says.

        Forget the chances of an earlier game.
        """
        from durak_widget.table.move_feedback import WinChanceFinder  # noqa: PLC0415 - who does not want them loads none of it

        self._finder_results.set_finder(CHANCES_FINDER, WinChanceFinder() if self.appearance.chances else None)
        self.jobs.cancel(CHANCES_FINDER)

    def handle_chances_change(self) -> None:
        """Apply a new value of the setting `chances`, which shows the chance to win."""
        self.update_chances_finder()
        self.handle_help_change(is_on=self.appearance.chances)

    def handle_help_change(self, *, is_on: bool) -> None:
        """Apply a changed setting that gives the user help; say so if the game allows no help."""
        with self.lock:
            if is_on and self.is_counted:
                self.set_translated_note("info", "counts", who=self.first_opponent)
            self.update()

    # --- The coach ---

    def get_coach_comment(self) -> MoveComment | None:
        """Return the coach's comment on the viewer's last move; None if there is no comment."""
        return self._coach_job.get_comment(self._find_last_own_move()[0])

    def _find_last_own_move(self) -> tuple[Hashable, Game | None, int]:
        """Return the viewer's last move, on which the coach comments: its key, game and ply.

        If the coach may not comment now, the key and the game are None.
        """
        seat, game = self.find_viewing_person(), self.game
        if not self.appearance.coach or not self.can_help or self.is_looking_back or game.outcome is not None:
            return None, None, 0
        people, played_moves = self.players.human_seats, game.history
        ply = max((ply for ply, played in enumerate(played_moves) if played.seat in people), default=None)
        # If another person has moved since the viewer's last move, the viewer gets no comment.
        if ply is None or played_moves[ply].seat != seat:
            return None, None, 0
        return (self.game_number, game.moves[: ply + 1], seat), game, ply

    def _start_coach_job(self, work: Callable[[], Any], on_result: Callable[[Any], None]) -> None:
        key = self._find_last_own_move()[0]
        failed = self._make_error_handler("coach")
        self._start_or_run(Job("coach", key, lambda: self._find_last_own_move()[0], work, on_result, on_error=failed, on_late=lambda: None))

    def _show_coach_comment(self) -> None:
        """Show the coach's comment, and send it once to screen readers."""
        comment = self.get_coach_comment()
        if comment is not None:
            self.refresh()
            self.send({"kind": "announcement", "text": comment.to_text(self.get_voices(self.build_view()).spoken)})

    # --- The review of a finished game ---

    def get_review(self, basis: Basis = "what it knew") -> Review | None:
        """Return the review of the finished game for the person at the screen, or None."""
        seat = self.find_viewing_person()
        return None if seat is None else self._review_job.get_review(self._find_game_to_review()[0], seat, basis)

    def review_by_cards(self, on_found: Callable[[], object]) -> None:
        """Start a second review, which judges moves as if the players had known all cards."""
        self._review_job.request_by_cards(self._find_game_to_review()[0], on_found)

    def get_review_view(self) -> Mapping[str, Any] | None:
        """Return the data with which the front end shows a review, or the result of a retry."""
        view = self.build_view()
        if self.retry is not None:
            return self.retry.build_view(self.game, self.get_voices(view)) if self.game.outcome else None
        review, key = self.get_review(), self._find_game_to_review()[0]
        if review is not None:
            return build_review_view(review, self.get_voices(view), comes_back=(key, review.seat) == self._returning_endgames)
        is_pending = (
            key is not None and self.find_viewing_person() is not None and self.jobs.has_event_loop and self._review_job.is_pending(key)
        )
        return {"text": self.get_voices(view).say("table.reviewing"), "turning_points": [], "is_pending": True} if is_pending else None

    def _find_game_to_review(self) -> tuple[Hashable, Game | None]:
        """Return a key and a finished game for the review; (None, None) without such a game.

        Only games that a person played are reviewed.
        """
        finished = None if self.retry or not self.players.human_seats else self.get_finished_game()
        return (None, None) if finished is None else ((self.game_number, finished.moves), finished)

    def _start_review_job(self, work: Callable[[], Any], on_result: Callable[[Any], None]) -> None:
        key = self._find_game_to_review()[0]
        job = Job(
            "review", key, lambda: self._find_game_to_review()[0], work, on_result, on_error=self._report_review_error, on_late=lambda: None
        )
        if not self.jobs.start(job):
            self._review_job.cancel()

    def _report_review_error(self, error: Exception) -> None:
        self._review_job.cancel()
        self._report_job_error("review", error)

    def _show_review(self) -> None:
        """Show the completed review, and send it once to screen readers."""
        review, seat = self.get_review(), self.find_viewing_person()
        if review is not None and seat is not None and not self.is_reopened and remember_missed_endgames(review, seat):
            self._returning_endgames = self._find_game_to_review()[0], seat
        self.refresh()
        view = self.get_review_view()
        if view is not None:
            self.send({"kind": "announcement", "text": view["text"][1]})

    # --- Reporting errors ---

    def report_error(self, source: str, error: Exception) -> None:
        """Tell the user about an error that occurred at the table.

        For an error in user-written code, show only its class, because its text may name hidden cards.
        """
        with self.lock:
            if not isinstance(error, DurakError):
                return self._report_job_error(source, error, TranslatableText("table.job.request"))
            self.set_note("error", [str(error)] * 2)
            return self.refresh()

    def record_failure(self, source: int | str, error: Exception) -> None:
        """Log an error, and store it in `failures`, so that the user can inspect it in Python."""
        _LOG.error("a message or job at the table failed: %s", source, exc_info=error)
        self.players.failures[source] = error

    def _build_job(self, name: str, work: Callable[[], Any], on_result: Callable[[Any], None], *, worker: object) -> Job[Any]:
        return Job(
            name,
            self.get_moment_key(),
            self.get_moment_key,
            work,
            on_result,
            on_error=self._make_error_handler(name),
            on_late=lambda: self._report_job_late(name),
            worker=worker,
        )

    def _make_error_handler(self, name: str) -> Callable[[Exception], None]:
        return lambda error: self._report_job_error(name, error)

    def _report_job_error(self, source: str, error: Exception, label: TranslatableText | None = None) -> None:
        self.record_failure(source, error)
        self.set_translated_note(
            "error", "job_failed", what=label or _build_job_label(source), why=error_class_name(error), where=f"table.failures[{source!r}]"
        )
        self.refresh()

    def _report_job_late(self, name: str) -> None:
        self.set_translated_note("error", "job_late", what=_build_job_label(name), seconds=round(self.jobs.late_after_seconds))
        self.refresh()


def _build_job_label(name: str) -> TranslatableText:
    """Return what a sentence calls a background job, such as `the hint`."""
    return TranslatableText(f"table.job.{name}") if name in _LABELED_JOBS else TranslatableText("table.job.finder", {"name": name})


def _find_end(game: Game) -> tuple[Move, ...] | None:
    """Return all moves of a finished game, or None if it is not over."""
    finished = game.copy()
    finished.goto(finished.last_ply)
    return None if finished.outcome is None else finished.moves


def _make_match(game: Game | Match | Rules | str | None, seed: int | str | None) -> Match:
    """Return the given match; if there is none, a new match with the given game or rules."""
    return game if isinstance(game, Match) else Match.from_game(game if isinstance(game, Game) else Game(game, seed=seed), seed=seed)


class MoveListeners:
    """A list of callbacks for moves; all of them get one move before any gets the next.

    >>> heard = []
    >>> listeners = MoveListeners(on_error=print)
    >>> listeners.add(heard.append)
    >>> listeners.queue_move("attack 7c"); listeners.notify(); heard
    ['attack 7c']
    """

    def __init__(self, on_error: Callable[[Exception], None]) -> None:
        """Create an empty list; `on_error` gets every error that a callback raises."""
        self._on_error = on_error
        self._listeners: list[MoveListener] = []
        self._queue: deque[PlayedMove] = deque()
        self._is_notifying = False

    def add(self, listener: MoveListener) -> None:
        """Add a callback, which then gets every later move."""
        if not callable(listener):
            raise DurakError(f"on_move needs a function with one argument, the move, not {short_repr(listener)}")
        self._listeners.append(listener)

    def remove(self, listener: MoveListener) -> None:
        """Remove a callback, which then gets no more moves."""
        if listener not in self._listeners:
            raise DurakError(f"{short_repr(listener)} is not a registered function, so it cannot be removed")
        self._listeners.remove(listener)

    def queue_move(self, played: PlayedMove) -> None:
        """Add a move to a queue, from which `notify` passes it to the callbacks."""
        self._queue.append(played)

    def notify(self) -> None:
        """Call the callbacks with all queued moves.

        If a callback calls this method, the call returns at once, because the running call handles the new moves.
        """
        if self._is_notifying:
            return
        self._is_notifying = True
        try:
            while self._queue:
                played = self._queue.popleft()
                for listener in tuple(self._listeners):
                    self._call(listener, played)
        finally:
            self._is_notifying = False

    def _call(self, listener: MoveListener, played: PlayedMove) -> None:
        try:
            listener(played)
        except USER_CODE_EXCEPTIONS as error:  # A callback is user-written code, which can raise any exception.
            self._on_error(to_reportable_error(error))
