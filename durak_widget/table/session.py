"""A match at a table, without a page: moves, players, the view and the background jobs.

Callbacks hear of every move, in the order in which they were added. If a callback makes a move itself, all
callbacks first hear of the earlier move.
"""

from __future__ import annotations

import logging
from collections import deque
from random import Random
from secrets import token_bytes
from threading import RLock
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from durak_widget.bots.bot import chance, get
from durak_widget.engine.game import Game, checked_seed
from durak_widget.engine.match import Match
from durak_widget.engine.moves import IllegalMove
from durak_widget.errors import ENDINGS, DurakError, class_of, quoted, tellable
from durak_widget.i18n import Fact, Seat
from durak_widget.table import players
from durak_widget.table.analysis_jobs import Coached, Findings, Hints, Turned, keep_missed, scene_of_review
from durak_widget.table.hints import Adviser
from durak_widget.table.players import Players
from durak_widget.table.scene import SceneMoment, Showing, Voices, scene_of
from durak_widget.widgets.background_jobs import Job, Jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Played, View
    from durak_widget.review import Review
    from durak_widget.review.game_review import By
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.analysis_jobs import Finder, Trial
    from durak_widget.table.move_feedback import Word
    from durak_widget.table.players import Player, Rivalry
    from durak_widget.table.scene import Says, Scene, Setter
    from durak_widget.widgets.appearance_settings import Look

    Listener = Callable[[Played], object]

_LOG: Final = logging.getLogger("durak_widget")
BOT: Final = "bot"
"""The name of the job of the bot that is to act."""
CHANCES: Final = "chances"
"""The name under which the page gets the win chance."""
_GLANCE: Final = 0.4
"""Most seconds between two scenes while bots play on to the end."""


class Session:
    """A match that is played at a table: its players, the moment shown, the background jobs.

    It knows no page. `show` is called with each scene, `send` with each message.

    >>> from durak_widget.widgets.appearance_settings import Look
    >>> scenes = []
    >>> session = Session(look=Look(pace=0), show=scenes.append, send=print, seed=7)
    >>> session.play("attack Jc"); session.step(); [scene["ply"] for scene in scenes]
    True
    [1, 2]
    """

    def __init__(
        self,
        game: Game | Match | Rules | str | None = None,
        seats: Mapping[int, Player] | None = None,
        *,
        look: Look,
        show: Callable[[Scene], object],
        send: Callable[[dict[str, Any]], object],
        seed: int | str | None = None,
    ) -> None:
        """Set up a game; nothing is shown before the first action or `update`."""
        self.lock = RLock()
        self.match = _match(game, seed)
        self.players = Players(self.game.seats, seats)
        self.look, self._show = look, show
        self.serial = 1
        """The number of the game at this table."""
        self.taken_back = False
        """Whether moves were taken back to play on differently, rather than to look back."""
        self.waits: bool | None = None
        """Whether bots wait until somebody looks at the table.

        None before it is shown on a page; never True again after that.
        """
        self.helped = False
        """Whether a hint or an undo helped the player: then the game does not count."""
        self.late: set[int] = set()
        """Seats whose player changed during the game: then the game does not count."""
        self.begun = not self.game.last_ply
        """Whether the game began at this table: one opened in the middle does not count."""
        self.warned = 0
        """The number of the game in which the price of a hint was stated."""
        self._rivalry: tuple[Hashable, Rivalry] | None = None
        """The result against opponents, with the game and moves that it belongs to."""
        self._scenes = 0
        self._note: dict[str, Any] | None = None
        self.setter: Setter | None = None
        self.says: Says | None = None
        """The source of a comment on the last move, shown instead of the coach's."""
        self.trial: Trial | None = None
        """The turning point that is played again before the match goes on."""
        self.hints = Hints()
        """The hint whose first step has been given."""
        self.send = send
        self.jobs = Jobs(self.lock, self.wake)
        self._findings = Findings(lambda *arguments, by: self.jobs.start(self._job(*arguments, by=by)), self.refresh)
        self._turned = Turned(self._look_through, self._has_turned)
        self._comes_back: tuple[Hashable, int] | None = None
        """The game and seat with a missed endgame that will come back."""
        self._coached = Coached(self._look_back, self._has_a_word)
        self.random = Random(None if seed is None else checked_seed(seed))
        """The generator for deals only; bots have their own."""
        self._seed: int | str | bytes = token_bytes(32) if seed is None else checked_seed(seed)
        self._chances: dict[int | str, Random] = {}
        self.adviser = get(Adviser())
        """The bot that gives hints where no task is set."""
        self._reasons: tuple[Game, dict[tuple[Move, ...], object]] = self.game, {}
        """The game, and the reason that a bot gave for the last of these moves."""
        self.listeners = Listeners(self._listener_failed)
        self._rushes, self._looked = False, 0.0
        """Whether the bots play to the end without delay, and the time of the last scene."""

    # The view

    @property
    def game(self) -> Game:
        """Return the game that is played."""
        return self.match.game

    @property
    def can_redo(self) -> bool:
        """Return whether there are undone moves."""
        return self.game.ply < self.game.last_ply

    @property
    def begins(self) -> int:
        """Return the ply at which play at this table begins; later than 0 only in a retry."""
        return self.trial.moment.ply if self.trial else 0

    @property
    def looking_back(self) -> bool:
        """Return whether an earlier moment is shown: the game waits until the user confirms."""
        return self.can_redo and not self.taken_back

    def ended(self) -> Game | None:
        """Return the whole game if it is over, even while looking back; None in a task."""
        if self.setter is not None or (self.game.outcome is None and not self.looking_back):
            return None
        finished = self.game.copy()
        finished.goto(finished.last_ply)
        return None if finished.outcome is None else finished

    def ahead(self) -> Move:
        """Return the move that was undone last."""
        return self.game.copy().redo()

    @property
    def over(self) -> bool:
        """Return whether the game is over and nobody has taken moves back to play on."""
        return self.game.outcome is not None or (self.looking_back and self.ended() is not None)

    def moment(self) -> Hashable:
        """Return a key of what the viewer sees now; it differs for every other moment."""
        return (self.serial, self.game.moves, *self.viewer())

    def acting(self) -> int | None:
        """Return the seat of the bot that is to act, if there is one and nobody looks back."""
        seat, is_resting = self.game.actor, self.looking_back or (self.setter is not None and self.setter.decided)
        if seat is None or self.players.bot(seat) is None or is_resting or self.players.troubles.get(seat) == "failed":
            return None
        return seat

    @property
    def left_to_bots(self) -> bool:
        """Return whether only bots still play, and the people are out of the game."""
        people, acting_seat = self.players.people, self.acting()
        return acting_seat is not None and bool(people) and not {*people} & {*self.game.view(acting_seat).seats_in}

    def viewer(self) -> tuple[int, bool]:
        """Return the seat at the bottom, and whether its hand is covered."""
        return self.players.viewer(self.game, self.look)

    def view(self, *, stored: bool = False, remembers: bool = False) -> View:
        """Return what the viewer may know.

        With `stored`, for a picture in a notebook, no hand is shown if several people play. With `remembers` the view has the memory of
        played cards even if the table does not list them.
        """
        seat, covered = self.viewer()
        view = self.game.view(seat, memory=remembers or self.look.memory)
        view = view.covered() if covered or (stored and len(self.players.people) > 1) else view
        return view.silent() if self.players.watches(seat) else view

    def voices(self, view: View) -> Voices:
        """Return the voices for the viewer of `view`."""
        is_impersonal = not self.players.people or view.is_covered or self.players.watches(view.seat)
        return Voices.of(self.look.language, me=None if is_impersonal else view.seat, people=self.players.called)

    def listener(self) -> int | None:
        """Return the seat of the person at the screen; None if others' hands or bots are shown."""
        seat, covered = self.viewer()
        return None if covered or seat not in self.players.people or self.players.turned(self.game, self.look) else seat

    @property
    def counts(self) -> bool:
        """Return whether this game counts against an opponent; then help is off unless given up."""
        is_against_opponent = self.begun and self.game.seed is not None and len(self.players.people) == 1 and bool(self.players.called)
        return (
            is_against_opponent
            and self.setter is None
            and self.trial is None
            and not self.helped
            and not self.late
            and self.look.hands != "open"
        )

    @property
    def helps(self) -> bool:
        """Return whether the viewer may be helped: no task is set and the game does not count."""
        return self.listener() is not None and self.setter is None and not self.counts

    @property
    def rival(self) -> Seat:
        """Return the first opponent that is called by name."""
        return Seat(self.players.called[0][0])

    @property
    def _solved(self) -> bool:
        """Return whether no task is set or it is solved, so that a finished game may be shown."""
        verdict = None if self.setter is None else self.setter.verdict(self.voices(self.view()).spoken)
        return self.setter is None or (verdict is not None and verdict[0] is True)

    def _led_to(self) -> Rivalry | None:
        """Return the result of a game against opponents; record it once, when the game is over."""
        if self.game.outcome is None or self.trial is not None or self.setter is not None or not self.players.called:
            return None
        key = self.serial, self.game.moves, self.players.names
        if self._rivalry is None or self._rivalry[0] != key:
            was_dealt = self.begun and self.game.seed is not None
            self._rivalry = key, players.over(self.game, self.players, dealt=was_dealt, helped=self.helped, late=self.late)
        return self._rivalry[1]

    def tell(self, kind: str, said: list[str], **about: str) -> None:
        """Set a note to be sent with the next scene."""
        self._note = {"kind": kind, "said": said, **{name: value for name, value in about.items() if value}}

    def say(self, kind: str, key: str, **facts: object) -> None:
        """Set a note with one of the table's own sentences, to be sent with the next scene."""
        self.tell(kind, self.voices(self.view()).say(f"table.{key}", **facts))

    def refuse(self, move: str, seat: int, card: str = "", on: str = "") -> None:
        """Show why a move is illegal; for a covered hand the reason would reveal too much."""
        view = self.view()
        refusal = None if view.is_covered else self.game.why_not(move, seat=seat)
        if refusal is not None:
            self.tell("refused", [refusal.said(voice) for voice in self.voices(view)], card=card, on=on, code=refusal.code)
        else:
            self.say("told", "stale")
        self.refresh()

    # The game on the table

    def lay(self, match: Match, players: Players | None = None, *, trial: Trial | None = None) -> None:
        """Open another match or a retry; without `players`, the same ones stay if the seats match."""
        with self.lock:
            self.trial = trial
            if players or match.game.seats != self.game.seats:
                self.players = players or Players(match.game.seats)
                self._chances.clear()
            self.match = match
            self.begin()

    def begin(self) -> None:
        """Start the game that is now on the table."""
        if self.trial is None:
            self._sit_down()
        self.serial += 1
        self.taken_back = self.helped = self._rushes = False
        self.late.clear()
        self.begun = not self.game.last_ply
        self._reasons = self.game, {}
        self.players.begin()
        if self.look.chances:
            self.hope()
        self.update()

    def again(self, trial: Trial) -> None:
        """Play a turning point of a finished game again with the same players.

        Afterwards the match goes on.
        """
        trial.match.game.goto(trial.match.game.last_ply)
        self.say("told", trial.goal.key.removeprefix("table."), **trial.goal.facts)
        self.lay(Match.of(trial.moment.copy(), seed=0), trial=trial)

    def go_on(self) -> None:
        """End the retry and return to the match as it was."""
        if self.trial is not None:
            self.match, self.trial = self.trial.match, None

    def wait(self) -> None:
        """Let bots wait until the page says that somebody looks at the table."""
        if self.waits is None:
            self.waits = True
            self.jobs.drop(BOT)
            self.refresh()

    def next_game(self) -> None:
        """Deal the next game, of a new match if this one is lost or other players sit down."""
        if self.match.loser is not None or self.players.next_names != self.players.names:
            self.match = Match(self.match.rules, seed=self.random.getrandbits(32))
        else:
            self.match.next_game()
        self.begin()

    def put(self, seat: object, player: Player) -> None:
        """Change the player of a seat: now, or in the next game if this one is over or a retry."""
        with self.lock:
            number = self.players.checked(seat)
            if self.over or (self.trial is not None and self.players.troubles.get(number) != "failed"):
                self.players.choose(number, player)
                self._chances.pop(number, None)
                self.refresh()
                return
            self._seat(number, player)
            self.update()

    def _seat(self, seat: int, player: Player) -> None:
        old_name = self.players.names[seat]
        self.players.put(seat, player)
        new_name = self.players.names[seat]
        if len(self.match.games) > 1 and old_name != new_name:
            self.match = Match.of(self.game, seed=self.random.getrandbits(32))  # the score so far belongs to others
        if self.game.last_ply:  # the player before has played part of it
            self.late.add(seat)
        self._chances.pop(seat, None)

    def _sit_down(self) -> None:
        """Seat the players who were chosen for the next game."""
        for seat, bot in self.players.take_chosen().items():
            self._seat(seat, bot)

    def chance(self, who: int | str) -> Random:
        """Return the random generator of a seat, or of the hints."""
        if who not in self._chances:
            self._chances[who] = chance(self._seed, who)
        return self._chances[who]

    def goto(self, ply: int, *, taken_back: bool = False) -> None:
        """Show another moment, or take back the moves after it; bots think again there."""
        old_ply, was_counted = self.game.ply, self.counts and self.game.outcome is None
        try:
            self.game.goto(ply)
        except IndexError as error:
            raise DurakError(str(error)) from None
        self._rushes = False
        if ply != old_ply:
            self.jobs.drop(BOT)
        self.taken_back = taken_back and self.can_redo
        self.helped = self.helped or self.taken_back
        if was_counted and self.helped:
            self.say("told", "counts_no_more", who=self.rival)
        self.players.excuse()
        self.update()

    # Moves

    def play(self, move: Move | str) -> None:
        """Make a move for the seat to act.

        An error about a bot's move, or about somebody else's covered hand, says no more than the viewer's seat may know.
        """
        with self.lock:
            game, (seat, covered) = self.game, self.viewer()
            refusal = game.why_not(move)
            if refusal is not None and game.actor is not None and self.players.people and (covered or seat != game.actor):
                asking_seat = next(person for person in (*self.players.people, *range(game.seats)) if person != game.actor)
                refusal = game.why_not(move, seat=asking_seat)
            if refusal is not None:
                raise IllegalMove(refusal)
            self.helped = self.helped or (game.actor is not None and self.players.bot(game.actor) is not None)  # the player moves for a bot
            self.make(move)

    def step(self) -> bool:
        """Let the bot that is to act make its move now; return False if there is none."""
        job = self._turn()
        if job is None:
            return False
        move, reason = job.work()
        with self.lock:
            if job.stands:
                self.make(move, reason)
        return True

    def make(self, move: Move | str, why: object = None) -> None:
        """Play a legal move with its reason; a different move after looking back counts as helped."""
        self.helped = self.helped or self.can_redo
        self.game.play(move)
        if self._reasons[0] is not self.game:
            self._reasons = self.game, {}
        if type(why) is str or isinstance(why, Fact):
            self._reasons[1][self.game.moves] = why
        self.moved()

    def reasons(self) -> dict[int, object]:
        """Return the reasons of bots for the moves of this game, by ply.

        A reason is a sentence or a `Fact`. It may name hidden cards, so show it only to a viewer who may know all cards.
        """
        game, recorded = self._reasons
        finished = self.game.copy()
        finished.goto(finished.last_ply)
        return {len(moves): reason for moves, reason in recorded.items() if game is self.game and moves == finished.moves[: len(moves)]}

    def branch(self) -> None:
        """Play on from the moment that is shown; in a retry, from its beginning at the earliest."""
        self.helped = True
        if self.game.ply < self.begins:
            self.game.goto(self.begins)
        self.game.forget_undone()
        self.update()

    def moved(self) -> None:
        """Show a move that has been made, call the listeners and go on.

        A listener may play on itself. Its moves are reported to all listeners after this one.
        """
        played = self.game.last
        assert played is not None  # noqa: S101 - a move has been made
        self.taken_back = self.taken_back and self.can_redo
        self.listeners.note(played)
        self.players.troubles.clear()
        try:
            if not (self._rushes and self.left_to_bots and monotonic() - self._looked < _GLANCE):
                self.refresh()
            self.listeners.tell()
        finally:
            self.wake()

    def _listener_failed(self, error: Exception) -> None:
        self.keep_failure("on_move", error)
        self.say("error", "callback_failed", why=class_of(error), where="table.failures['on_move']")
        self.refresh()

    def hurry(self) -> None:
        """Apply a changed pace."""
        self.jobs.hurry(BOT)

    def rush(self) -> None:
        """Let bots who are left alone play to the end without delay.

        This ends when somebody goes to another moment. Without an event loop nothing happens. The bots still play one after the other in
        the background, so the table handles messages meanwhile.
        """
        self._rushes = self.left_to_bots
        self.hurry()
        self.update()

    def refresh(self) -> None:
        """Send the current scene.

        If a finished game goes on differently, the players chosen for the next game take their seats.
        """
        if self.trial is None and self.players.has_chosen and not self.over and not self.can_redo:
            self._sit_down()
        self._looked = monotonic()
        self.players.turn_away(self.game, self.look, taken_back=self.taken_back)
        self.helped = self.helped or (self.look.hands == "open" and self.game.outcome is None)  # all cards are open
        game, view = self.game, self.view()
        self._scenes += 1
        acting_seat, comment, names = self.acting(), self.words(), self.players.names
        moment = SceneMoment(
            id=self._scenes,
            game=self.serial,
            last=game.last_ply,
            who=names,
            sits_next={seat: name for seat, name in enumerate(self.players.next_names) if name != names[seat]},
            bots={**({} if acting_seat is None or self.waits or self.look.steps else {acting_seat: "thinks"}), **self.players.troubles},
            undo=game.ply > self.begins,
            redo=self.can_redo,
            hint=bool(view.legal_moves()) + bool(self.hints.at(self.moment())),
            end=self.left_to_bots and not self.look.steps,
            next=str(self.ahead()) if self.looking_back and view.legal_moves() else "",
            task=self.setter,
            taken_back=self.can_redo and self.taken_back,
            waits=bool(self.waits) and acting_seat is not None,
            beside=self.beside(),
            rivalry=self._led_to(),
            showing=Showing.of(self.players, game, self.look, acting_seat, hides=not self._solved),
            says=self.says or (None if comment is None else lambda voice: [comment.said(voice)]),
            regret=comment is not None and comment.dear,
            review=self.turned(),
            goal=self.trial.goal if self.trial and self.trial.moment.moves == game.moves else None,
        )
        note, self._note = self._note, None
        self._show(scene_of(view, moment, self.voices(view), self.trial.match if self.trial else self.match, note))

    def pause(self) -> None:
        """Apply the setting that bots wait for *Next step*, also to the bot that is thinking."""
        self._rushes = False
        self.jobs.drop(BOT)
        self.update()

    def end(self) -> None:
        """Stop all background jobs."""
        self.jobs.end()

    def wake(self, *, step: bool = False) -> None:
        """Start the bot that is to act, and the analysis jobs.

        If bots wait for *Next step*, only `step` starts one.
        """
        job = self._turn()
        if job is not None and not self.waits and (step or not self.look.steps):
            self.jobs.start(job)
        self.jobs.drop_past()
        if self.helps:
            self._findings.seek(self.view(remembers=True), self.moment())
        self._turned.seek(*self._judged())
        self._coached.seek(*self._decided())

    def _turn_now(self) -> Hashable:
        seat = self.acting()
        return None if seat is None else (self.serial, self.game.moves, seat, id(self.players.bot(seat)))

    def _turn(self) -> Job[tuple[Move, object]] | None:
        """Return the job of the bot that is to act."""
        seat = self.acting()
        bot = None if seat is None else self.players.bot(seat)
        if seat is None or bot is None:
            return None
        view, rng = self.game.view(seat), self.chance(seat)
        pace_factor = 1 + any(end.ply == view.ply for end in view.ends[-1:])  # twice as long at the end of a bout, where most happens
        return Job(
            name=BOT,
            key=self._turn_now(),
            now=self._turn_now,
            work=lambda: bot.explained(view, rng),
            heard=self._answered,
            failed=lambda error: self._bot_failed(seat, error),
            late=lambda: self._bot_late(seat),
            by=bot.plays,
            pause=lambda: 0 if self.look.steps or self._rushes else pace_factor * self.look.pace / 1000,
        )

    def _answered(self, told: tuple[Move, object]) -> None:
        self.make(*told)

    def _bot_late(self, seat: int) -> None:
        """Report that a bot has not answered; its answer is still accepted."""
        self.players.troubles[seat] = "late"
        self.say("error", "bot_late", bot=self.players.bot_name(seat), who=Seat(seat), seconds=round(self.jobs.patience))
        self.refresh()

    def _bot_failed(self, seat: int, error: Exception) -> None:
        """Report that a bot has failed; another player may take its seat."""
        self.keep_failure(seat, error)
        self.players.troubles[seat] = "failed"
        error_class, location = class_of(error), f"table.failures[{seat}]"
        self.say("error", "bot_failed", bot=self.players.bot_name(seat), who=Seat(seat), why=error_class, where=location)
        self.update()

    # Background jobs

    def update(self) -> None:
        """Show a change, and let the bots go on."""
        with self.lock:
            self.refresh()
            self.wake()

    def ask(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object = None) -> None:
        """Start a background job about what the viewer sees; without an event loop, run it now."""
        if name == BOT:
            raise DurakError(f"{name!r} is the job of the bots, whose turn would be lost; call yours something else")
        self._begin(self._job(name, work, heard, by=by))

    def _begin(self, job: Job[Any]) -> None:
        if not self.jobs.start(job):
            self.jobs.do(job)

    def warns(self) -> bool:
        """Warn once a game that a hint would make it not count; return whether this was done now."""
        if not self.counts or self.warned == self.serial:
            return False
        self.warned = self.serial
        self.say("told", "hint_counts", who=self.rival)
        self.refresh()
        return True

    # Finders, such as the win chance

    def beside(self) -> Mapping[str, Sequence[float]] | None:
        """Return the results of the finders for this moment; None if there are no finders.

        In a game that counts, and in a task, there are none.
        """
        return self._findings.at(self.moment()) if self.helps and self._findings.sought else None

    def find(self, name: str, finder: Finder | None) -> None:
        """Set the finder whose results the page gets under this name; None removes it.

        Without an event loop, no finder runs.
        """
        with self.lock:
            if self._findings.put(name, finder):
                self.jobs.drop(name)
                self.update()

    def hope(self) -> None:
        """Set or remove the finder of win chances; in a new game nothing is known yet."""
        from durak_widget.table.move_feedback import Hopes  # noqa: PLC0415 - who does not want them loads none of it

        self._findings.put(CHANCES, Hopes() if self.look.chances else None)
        self.jobs.drop(CHANCES)

    def hopes_wanted(self) -> None:
        """Apply a change of the setting that shows win chances."""
        self.hope()
        self.help_wanted(wanted=self.look.chances)

    def help_wanted(self, *, wanted: bool) -> None:
        """Apply a change of the coach or the win chances; say so if the game counts and has none."""
        with self.lock:
            if wanted and self.counts:
                self.say("told", "counts", who=self.rival)
            self.update()

    # The coach

    def words(self) -> Word | None:
        """Return the coach's comment on the viewer's last move, if there is one yet."""
        return self._coached.at(self._decided()[0])

    def _decided(self) -> tuple[Hashable, Game | None, int]:
        """Return the last move of the viewer in a running game: its key, the game and its ply."""
        seat, game = self.listener(), self.game
        if not self.look.coach or not self.helps or self.looking_back or game.outcome is not None:
            return None, None, 0
        people, course = self.players.people, game.course
        ply = max((ply for ply, played in enumerate(course) if played.seat in people), default=None)
        # no comment once another person has moved since
        return (None, None, 0) if ply is None or course[ply].seat != seat else ((self.serial, game.moves[: ply + 1], seat), game, ply)

    def _look_back(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> None:
        key = self._decided()[0]
        failed = self._failed("coach")
        self._begin(Job("coach", key, lambda: self._decided()[0], work, heard, failed=failed, late=lambda: None))

    def _has_a_word(self) -> None:
        """Show the coach's comment, and announce it once."""
        comment = self.words()
        if comment is not None:
            self.refresh()
            self.send({"kind": "told", "said": comment.said(self.voices(self.view()).spoken)})

    # The review

    def review(self, by: By = "what it knew") -> Review | None:
        """Return the review of a finished game for the person at the screen, or None."""
        seat = self.listener()
        return None if seat is None else self._turned.told(self._judged()[0], seat, by)

    def judge_by_cards(self, heard: Callable[[], object]) -> None:
        """Review the finished game by all cards too; afterwards `review` returns it."""
        self._turned.by_cards(self._judged()[0], heard)

    def turned(self) -> Mapping[str, Any] | None:
        """Return the scene's view of the review; in a retry, whether the goal was reached."""
        view = self.view()
        if self.trial is not None:
            return self.trial.scene(self.game, self.voices(view)) if self.game.outcome else None
        review, key = self.review(), self._judged()[0]
        if review is not None:
            return scene_of_review(review, self.voices(view), back=(key, review.seat) == self._comes_back)
        is_pending = key is not None and self.listener() is not None and self.jobs.run and self._turned.seeks(key)
        return {"said": self.voices(view).say("table.reviewing"), "marks": []} if is_pending else None

    def _judged(self) -> tuple[Hashable, Game | None]:
        """Return the finished game to review, and its key, if people of this table played it."""
        finished = None if self.trial or not self.players.people else self.ended()
        return (None, None) if finished is None else ((self.serial, finished.moves), finished)

    def _look_through(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> None:
        key = self._judged()[0]
        job = Job("review", key, lambda: self._judged()[0], work, heard, failed=self._review_failed, late=lambda: None)
        if not self.jobs.start(job):
            self._turned.drop()

    def _review_failed(self, error: Exception) -> None:
        self._turned.drop()
        self._job_failed("review", error)

    def _has_turned(self) -> None:
        """Show the review now that it is complete, and announce it once."""
        review, seat = self.review(), self.listener()
        if review is not None and seat is not None and keep_missed(review, seat):
            self._comes_back = self._judged()[0], seat
        self.refresh()
        view = self.turned()
        if view is not None:
            self.send({"kind": "told", "said": view["said"][1]})

    # Errors

    def went_wrong(self, what: str, error: Exception) -> None:
        """Report an error; of somebody else's code only the class, since a message may name cards."""
        with self.lock:
            if not isinstance(error, DurakError):
                return self._job_failed(what, error)
            self.tell("error", [str(error)] * 2)
            return self.refresh()

    def keep_failure(self, what: int | str, error: Exception) -> None:
        """Store and log an error, so that it can be inspected in Python."""
        _LOG.error("what failed at the table: %s", what, exc_info=error)
        self.players.failures[what] = error

    def _job(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object) -> Job[Any]:
        return Job(name, self.moment(), self.moment, work, heard, failed=self._failed(name), late=lambda: self._job_late(name), by=by)

    def _failed(self, name: str) -> Callable[[Exception], None]:
        return lambda error: self._job_failed(name, error)

    def _job_failed(self, what: str, error: Exception) -> None:
        self.keep_failure(what, error)
        self.say("error", "job_failed", what=what, why=class_of(error), where=f"table.failures[{what!r}]")
        self.refresh()

    def _job_late(self, name: str) -> None:
        self.say("error", "job_late", what=name, seconds=round(self.jobs.patience))
        self.refresh()


def _match(game: Game | Match | Rules | str | None, seed: int | str | None) -> Match:
    return game if isinstance(game, Match) else Match.of(game if isinstance(game, Game) else Game(game, seed=seed), seed=seed)


class Listeners:
    """The callbacks for moves. If one plays on, all others hear of the earlier move first.

    >>> heard = []
    >>> listeners = Listeners(failed=print)
    >>> listeners.add(heard.append)
    >>> listeners.note("attack 7c"); listeners.tell(); heard
    ['attack 7c']
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        """Start without listeners; an error that one raises is passed to `failed`."""
        self._failed = failed
        self._listeners: list[Listener] = []
        self._untold: deque[Played] = deque()
        self._telling = False

    def add(self, listener: Listener) -> None:
        """Call this function after every move."""
        if not callable(listener):
            raise DurakError(f"on_move takes a function of one move, not {quoted(listener)}")
        self._listeners.append(listener)

    def remove(self, listener: Listener) -> None:
        """Stop calling this function."""
        if listener not in self._listeners:
            raise DurakError(f"{quoted(listener)} is not called back, so it cannot be removed")
        self._listeners.remove(listener)

    def note(self, played: Played) -> None:
        """Add a move to those that the listeners will hear of."""
        self._untold.append(played)

    def tell(self) -> None:
        """Report all pending moves; a call from within a listener leaves them to the outer call."""
        if self._telling:
            return
        self._telling = True
        try:
            while self._untold:
                played = self._untold.popleft()
                for listener in tuple(self._listeners):
                    self._call(listener, played)
        finally:
            self._telling = False

    def _call(self, listener: Listener, played: Played) -> None:
        try:
            listener(played)
        except ENDINGS as error:  # somebody else's code may raise anything
            self._failed(tellable(error))
