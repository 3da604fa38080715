"""A table without a page: a match, who plays it, who looks at it, and what is done beside it."""

from __future__ import annotations

import logging
from random import Random
from secrets import token_bytes
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from durak_widget.bots.bot import get
from durak_widget.bots.playing import chance
from durak_widget.errors import DurakError, class_of
from durak_widget.game.game import Game, checked_seed
from durak_widget.game.match import Match
from durak_widget.game.refusal import IllegalMove
from durak_widget.widget.advising import Adviser
from durak_widget.widget.findings import Findings
from durak_widget.widget.hints import Hints
from durak_widget.widget.jobs import Job, Jobs
from durak_widget.widget.listeners import Listeners
from durak_widget.widget.players import Players
from durak_widget.widget.scene import SceneMoment, Voices, scene_of
from durak_widget.widget.showing import Showing
from durak_widget.words import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from durak_widget.game.moves import Move
    from durak_widget.game.view import View
    from durak_widget.rules.book import Rules
    from durak_widget.widget.findings import Finder
    from durak_widget.widget.needs import Setter, Shows
    from durak_widget.widget.players import Player
    from durak_widget.widget.scene import Scene

_LOG: Final = logging.getLogger("durak_widget")
_BOT: Final = "bot"  # the name of the job of whichever bot is to act


class Session:
    """A table without a page, which is given a look, and shows each scene and sends each message to whoever it is told to.

    >>> from durak_widget.widget.look import Look
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
        look: Shows,
        show: Callable[[Scene], object],
        send: Callable[[dict[str, Any]], object],
        seed: int | str | None = None,
    ) -> None:
        """Lay a game; nothing is shown before something is done, or asked for by `update`."""
        self.lock = RLock()
        self.match = _match(game, seed)
        self.players = Players(self.game.seats, seats)
        self.look, self.send, self._show = look, send, show
        self.random = Random(None if seed is None else checked_seed(seed))
        """What deals, and nothing else: bots have their own chance."""
        self._seed: int | str | bytes = token_bytes(32) if seed is None else checked_seed(seed)
        self._chances: dict[int | str, Random] = {}
        self.serial = 1
        """The number of the game at this table."""
        self.taken_back = False
        """Moves were taken back, to go on otherwise; nobody looks back."""
        self.waits: bool | None = None
        """Whether bots do nothing by themselves until somebody looks at the table: not before it is shown on a page, and never again after."""
        self._scenes = 0
        self._note: dict[str, Any] | None = None
        self.setter: Setter | None = None
        self.adviser, self.hints = get(Adviser()), Hints()
        """Who gives hints, where no task is set; and the one of which only the thought has been told."""
        self.listeners = Listeners(self._listener_failed)
        self.jobs = Jobs(self.lock, self.wake)
        self._findings = Findings(lambda *given, by: self.jobs.start(self._job(*given, by=by)), self.refresh)

    # What lies there

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.match.game

    def lay(self, match: Match, players: Players | None = None) -> None:
        """Another match is played from now on, by these players, or by the same if it has as many seats."""
        with self.lock:
            if players or match.game.seats != self.game.seats:
                self.players = players or Players(match.game.seats)
                self._chances.clear()
            self.match = match
            self.begin()

    def begin(self) -> None:
        """Another game lies on the table."""
        self.serial += 1
        self.taken_back = False
        self.players.begin()
        self.update()

    def wait(self) -> None:
        """A page is to show the table: bots wait until it says that somebody looks."""
        if self.waits is None:
            self.waits = True
            self.jobs.drop(_BOT)
            self.refresh()

    def put(self, seat: object, player: Player) -> None:
        """Let somebody else play a seat."""
        with self.lock:
            number = self.players.checked(seat)
            self.players.put(number, player)
            self._chances.pop(number, None)
            self.update()

    def chance(self, who: int | str) -> Random:
        """The generator of a seat, or of who gives hints."""
        if who not in self._chances:
            self._chances[who] = chance(self._seed, who)
        return self._chances[who]

    @property
    def can_redo(self) -> bool:
        """Whether moves were undone that can be redone."""
        return self.game.ply < self.game.last_ply

    @property
    def looking_back(self) -> bool:
        """Whether an earlier moment is looked at: the game waits, and goes on from there only after a question."""
        return self.can_redo and not self.taken_back

    def ahead(self) -> Move:
        """The move that was undone last."""
        return self.game.copy().redo()

    def goto(self, ply: int, *, taken_back: bool = False) -> None:
        """Look at another moment, or take back what came after it; no bot is late there yet, and who thought here is asked anew."""
        before = self.game.ply
        try:
            self.game.goto(ply)
        except IndexError as error:
            raise DurakError(str(error)) from None
        if ply != before:
            self.jobs.drop(_BOT)
        self.taken_back = taken_back and self.can_redo
        self.players.excuse()
        self.update()

    # What is shown

    def viewer(self) -> tuple[int, bool]:
        """Who sits at the bottom, and whether under backs."""
        return self.players.viewer(self.game, self.look)

    def view(self, *, stored: bool = False, remembers: bool = False) -> View:
        """What the viewer may know; `stored` with a notebook, nobody's hand where several people play. Who thinks for the seat `remembers`, whatever the table lists."""
        seat, covered = self.viewer()
        view = self.game.view(seat, memory=remembers or self.look.memory)
        view = view.covered() if covered or (stored and len(self.players.people) > 1) else view
        return view.silent() if self.players.watches(seat) else view

    def voices(self, view: View) -> Voices:
        """How things are said to whoever has this view."""
        nobody = not self.players.people or view.is_covered or self.players.watches(view.seat)
        return Voices.of(self.look.language, me=None if nobody else view.seat)

    def update(self) -> None:
        """Something has changed: show it, and let the bots go on."""
        with self.lock:
            self.refresh()
            self.wake()

    def refresh(self) -> None:
        """Show what there is to see."""
        self.players.turn_away(self.game, self.look, taken_back=self.taken_back)
        game, view = self.game, self.view()
        self._scenes += 1
        acting = self._acting()
        moment = SceneMoment(
            id=self._scenes,
            game=self.serial,
            last=game.last_ply,
            who=self.players.names,
            bots={**({} if acting is None or self.waits or self.look.steps else {acting: "thinks"}), **self.players.troubles},
            undo=game.ply > 0,
            redo=self.can_redo,
            hint=bool(view.legal_moves()) + bool(self.hints.at(self.moment())),
            next=str(self.ahead()) if self.looking_back and view.legal_moves() else "",
            task=self.setter,
            taken_back=self.can_redo and self.taken_back,
            waits=bool(self.waits) and acting is not None,
            beside=self._findings.at(self.moment()),
            showing=Showing.of(self.players, game, self.look, acting),
        )
        note, self._note = self._note, None
        self._show(scene_of(view, moment, self.voices(view), self.match, note))

    def tell(self, kind: str, said: list[str], **about: str) -> None:
        """Say something beside the game with the next scene."""
        self._note = {"kind": kind, "said": said, **{name: what for name, what in about.items() if what}}

    def say(self, kind: str, key: str, **facts: object) -> None:
        """Say one of the table's own sentences with the next scene."""
        self.tell(kind, self.voices(self.view()).say(f"table.{key}", **facts))

    def refuse(self, move: str, seat: int, card: str = "", on: str = "") -> None:
        """Say why not, in the words of the rules; of a hand that is covered they would tell too much."""
        view = self.view()
        refusal = None if view.is_covered else self.game.why_not(move, seat=seat)
        if refusal is not None:
            self.tell("refused", [refusal.said(voice) for voice in self.voices(view)], card=card, on=on, code=refusal.code)
        else:
            self.say("told", "stale")
        self.refresh()

    def went_wrong(self, what: str, error: Exception) -> None:
        """Say that something failed; of somebody else's code by the class of its error alone, since that may name cards."""
        with self.lock:
            if not isinstance(error, DurakError):
                return self._job_failed(what, error)
            self.tell("error", [str(error)] * 2)
            return self.refresh()

    def _job_failed(self, what: str, error: Exception) -> None:
        self._keep(what, error)
        self.say("error", "job_failed", what=what, why=class_of(error), where=f"table.failures[{what!r}]")
        self.refresh()

    def _keep(self, what: int | str, error: Exception) -> None:
        """The whole error is for whoever asks for it in Python."""
        _LOG.error("what failed at the table: %s", what, exc_info=error)
        self.players.failures[what] = error

    # Moves

    def play(self, move: Move | str) -> None:
        """Make a move for the seat to act. Who tries one for a bot, or for somebody else's covered hand, is told no more than their seat may know."""
        with self.lock:
            game, (seat, covered) = self.game, self.viewer()
            refusal = game.why_not(move)
            if refusal is not None and game.actor is not None and self.players.people and (covered or seat != game.actor):
                other = next(one for one in (*self.players.people, *range(game.seats)) if one != game.actor)
                refusal = game.why_not(move, seat=other)
            if refusal is not None:
                raise IllegalMove(refusal)
            game.play(move)
            self.moved()

    def step(self) -> bool:
        """Let the bot that is to act make its move now; False if none is."""
        turn = self._turn()
        if turn is None:
            return False
        move = turn.work()
        with self.lock:
            if turn.stands:
                self.game.play(move)
                self.moved()
        return True

    def moved(self) -> None:
        """A move has been made: show it, tell those who asked to be told, and go on.

        Whoever is told may play on: what then happens is told after this, to everybody.
        """
        played = self.game.last
        assert played is not None  # noqa: S101 - a move has been made
        self.taken_back = self.taken_back and self.can_redo
        self.listeners.note(played)
        self.players.troubles.clear()
        try:
            self.refresh()
            self.listeners.tell()
        finally:
            self.wake()

    def _listener_failed(self, error: Exception) -> None:
        self._keep("on_move", error)
        self.say("error", "callback_failed", why=class_of(error), where="table.failures['on_move']")
        self.refresh()

    # Jobs

    def ask(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object = None) -> None:
        """Have something done beside the table, for what its viewer sees now; where nothing runs by itself, at once."""
        if name == _BOT:
            raise DurakError(f"{name!r} is the job of the bots, whose turn would be lost; call yours something else")
        job = self._job(name, work, heard, by=by)
        if not self.jobs.start(job):
            self.jobs.do(job)

    def find(self, name: str, finder: Finder | None) -> None:
        """From now on, tell the page under this name what that finds in what the viewer sees; None: no more. Where nothing runs by itself, nobody looks."""
        with self.lock:
            if self._findings.put(name, finder):
                self.jobs.drop(name)
                self.update()

    def _job(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object) -> Job[Any]:
        return Job(
            name=name,
            key=self.moment(),
            now=self.moment,
            work=work,
            heard=heard,
            failed=lambda error: self._job_failed(name, error),
            late=lambda: self._job_late(name),
            by=by,
        )

    def hurry(self) -> None:
        """The pace has changed."""
        self.jobs.hurry(_BOT)

    def pause(self) -> None:
        """Bots wait for a word from now on, also the one that thinks; or no more."""
        self.jobs.drop(_BOT)
        self.update()

    def end(self) -> None:
        """Nothing is done at this table any more."""
        self.jobs.end()

    def moment(self) -> Hashable:
        """What the viewer sees now: another moment is another value."""
        return (self.serial, self.game.moves, *self.viewer())

    def _job_late(self, name: str) -> None:
        self.say("error", "job_late", what=name, seconds=round(self.jobs.patience))
        self.refresh()

    def wake(self, *, step: bool = False) -> None:
        """If it is a bot's turn, it begins to think (step by step, if it is told to); whoever thought about what was, is forgotten; what is to be found out of this is sought."""
        self.jobs.drop_past()
        turn = self._turn()
        if turn is not None and not self.waits and (step or not self.look.steps):
            self.jobs.start(turn)
        self._findings.seek(self.view(remembers=True), self.moment())

    def _acting(self) -> int | None:
        """The seat of the bot that is to act, if there is one and nobody looks back."""
        seat, rests = self.game.actor, self.looking_back or (self.setter is not None and self.setter.decided)
        if seat is None or self.players.bot(seat) is None or rests or self.players.troubles.get(seat) == "failed":
            return None
        return seat

    def _turn_now(self) -> Hashable:
        seat = self._acting()
        return None if seat is None else (self.serial, self.game.moves, seat, id(self.players.bot(seat)))

    def _turn(self) -> Job[Move] | None:
        """What the bot that is to act has to do."""
        seat = self._acting()
        bot = None if seat is None else self.players.bot(seat)
        if seat is None or bot is None:
            return None
        view, rng = self.game.view(seat), self.chance(seat)
        breaths = 1 + any(end.ply == view.ply for end in view.ends[-1:])  # one more at the end of a bout, where most happens
        return Job(
            name=_BOT,
            key=self._turn_now(),
            now=self._turn_now,
            work=lambda: bot.choose(view, rng),
            heard=self._answered,
            failed=lambda error: self._bot_failed(seat, error),
            late=lambda: self._bot_late(seat),
            by=bot.plays,
            pause=lambda: 0 if self.look.steps else breaths * self.look.pace / 1000,
        )

    def _answered(self, move: Move) -> None:
        self.game.play(move)
        self.moved()

    def _bot_late(self, seat: int) -> None:
        """Say that a bot has not answered; its answer is still welcome."""
        self.players.troubles[seat] = "late"
        self.say("error", "bot_late", bot=self.players.bot_name(seat), who=Seat(seat), seconds=round(self.jobs.patience))
        self.refresh()

    def _bot_failed(self, seat: int, error: Exception) -> None:
        """Say that a bot has failed; somebody else may play for it, and nothing is lost."""
        self._keep(seat, error)
        self.players.troubles[seat] = "failed"
        why, where = class_of(error), f"table.failures[{seat}]"
        self.say("error", "bot_failed", bot=self.players.bot_name(seat), who=Seat(seat), why=why, where=where)
        self.update()


def _match(game: Game | Match | Rules | str | None, seed: int | str | None) -> Match:
    return game if isinstance(game, Match) else Match.of(game if isinstance(game, Game) else Game(game, seed=seed), seed=seed)
