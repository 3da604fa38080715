"""Runs a match at a table, without a page: its moves, its players, the view and the background jobs.

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
"""The name of the job of whichever bot is to act."""
CHANCES: Final = "chances"
"""Under this name the page is told what whoever sits there may hope for."""
_GLANCE: Final = 0.4
"""So many seconds one waits at most to see how far those have come who play on to the end."""


class Session:
    """A match that is played at a table: who plays, which moment is shown, what runs in the background.

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
        """Lay a game; nothing is shown before something is done, or asked for by `update`."""
        self.lock = RLock()
        self.match = _match(game, seed)
        self.players = Players(self.game.seats, seats)
        self.look, self._show = look, show
        self.serial = 1
        """The number of the game at this table."""
        self.taken_back = False
        """Moves were taken back, to go on otherwise; nobody looks back."""
        self.waits: bool | None = None
        """Whether bots do nothing by themselves until somebody looks at the table: not before it is shown on a page, and never again after."""
        self.helped = False
        """Somebody was helped in this game, by a hint or by taking back: it counts against nobody."""
        self.late: set[int] = set()
        """The seats at which somebody sat down in the middle of this game: it counts against nobody, and who sits there has not played all of it."""
        self.begun = not self.game.last_ply
        """Whether this game was begun here: one that was laid in the middle counts against nobody."""
        self.warned = 0
        """In the game of that number it was said what help would cost."""
        self._rivalry: tuple[Hashable, Rivalry] | None = None
        """What the game of that number leads to, which is over by those moves."""
        self._scenes = 0
        self._note: dict[str, Any] | None = None
        self.setter: Setter | None = None
        self.says: Says | None = None
        """Who says on the felt what is worth saying of what was done last, instead of the coach."""
        self.trial: Trial | None = None
        """What is played once more before the match goes on."""
        self.hints = Hints()
        """The hint of which only the thought has been told."""
        self.send = send
        self.jobs = Jobs(self.lock, self.wake)
        self._findings = Findings(lambda *given, by: self.jobs.start(self._job(*given, by=by)), self.refresh)
        self._turned = Turned(self._look_through, self._has_turned)
        self._comes_back: tuple[Hashable, int] | None = None
        """The game in which that seat has missed something that comes back."""
        self._coached = Coached(self._look_back, self._has_a_word)
        self.random = Random(None if seed is None else checked_seed(seed))
        """What deals, and nothing else: bots have their own chance."""
        self._seed: int | str | bytes = token_bytes(32) if seed is None else checked_seed(seed)
        self._chances: dict[int | str, Random] = {}
        self.adviser = get(Adviser())
        """Who gives hints, where no task is set."""
        self._reasons: tuple[Game, dict[tuple[Move, ...], object]] = self.game, {}
        """Why a bot of this game made the last of these moves, in its own words."""
        self.listeners = Listeners(self._listener_failed)
        self._rushes, self._looked = False, 0.0
        """Whether those who are left play on without a rest; and when it was seen last how far they are."""

    # What the viewer sees

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.match.game

    @property
    def can_redo(self) -> bool:
        """Whether moves were undone that can be redone."""
        return self.game.ply < self.game.last_ply

    @property
    def begins(self) -> int:
        """After how many moves that begins which is played here: what is tried again, in the middle of a game."""
        return self.trial.moment.ply if self.trial else 0

    @property
    def looking_back(self) -> bool:
        """Whether an earlier moment is looked at: the game waits, and goes on from there only after a question."""
        return self.can_redo and not self.taken_back

    def ended(self) -> Game | None:
        """The game to its end, if it is over, also where somebody looks back at it; None where it goes on, or is a task that judges otherwise."""
        if self.setter is not None or (self.game.outcome is None and not self.looking_back):
            return None
        whole = self.game.copy()
        whole.goto(whole.last_ply)
        return None if whole.outcome is None else whole

    def ahead(self) -> Move:
        """The move that was undone last."""
        return self.game.copy().redo()

    @property
    def over(self) -> bool:
        """Whether the game is over and nobody has taken moves back to play on."""
        return self.game.outcome is not None or (self.looking_back and self.ended() is not None)

    def moment(self) -> Hashable:
        """What the viewer sees now: another moment is another value."""
        return (self.serial, self.game.moves, *self.viewer())

    def acting(self) -> int | None:
        """The seat of the bot that is to act, if there is one and nobody looks back."""
        seat, rests = self.game.actor, self.looking_back or (self.setter is not None and self.setter.decided)
        if seat is None or self.players.bot(seat) is None or rests or self.players.troubles.get(seat) == "failed":
            return None
        return seat

    @property
    def left_to_bots(self) -> bool:
        """Whether bots go on with a game in which no person of this table has anything to do any more."""
        people, acting = self.players.people, self.acting()
        return acting is not None and bool(people) and not {*people} & {*self.game.view(acting).seats_in}

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
        return Voices.of(self.look.language, me=None if nobody else view.seat, people=self.players.called)

    def listener(self) -> int | None:
        """The seat of the person before the screen; None where that is nobody: others' hands lie there, or bots play among themselves."""
        seat, covered = self.viewer()
        return None if covered or seat not in self.players.people or self.players.turned(self.game, self.look) else seat

    @property
    def counts(self) -> bool:
        """Whether this game counts against an opponent: then nothing helps, before somebody wants it to count no more."""
        played = self.begun and self.game.seed is not None and len(self.players.people) == 1 and bool(self.players.called)
        return played and self.setter is None and self.trial is None and not self.helped and not self.late and self.look.hands != "open"

    @property
    def helps(self) -> bool:
        """Whether anything may help whoever sits there: no task is set, and the game counts against nobody."""
        return self.listener() is not None and self.setter is None and not self.counts

    @property
    def rival(self) -> Seat:
        """The first of the opponents who are called by their names."""
        return Seat(self.players.called[0][0])

    @property
    def _solved(self) -> bool:
        """Whether no task is set here, or it is done: then nothing is left to try, and all may be seen of a game that is over."""
        verdict = None if self.setter is None else self.setter.verdict(self.voices(self.view()).spoken)
        return self.setter is None or (verdict is not None and verdict[0] is True)

    def _led_to(self) -> Rivalry | None:
        """What a game against opponents leads to, remembered once, as soon as it is over."""
        if self.game.outcome is None or self.trial is not None or self.setter is not None or not self.players.called:
            return None
        key = self.serial, self.game.moves, self.players.names
        if self._rivalry is None or self._rivalry[0] != key:
            dealt = self.begun and self.game.seed is not None
            self._rivalry = key, players.over(self.game, self.players, dealt=dealt, helped=self.helped, late=self.late)
        return self._rivalry[1]

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

    # What lies there

    def lay(self, match: Match, players: Players | None = None, *, trial: Trial | None = None) -> None:
        """Another match is played from now on, by these players, or by the same if it has as many seats; or a moment is only tried again."""
        with self.lock:
            self.trial = trial
            if players or match.game.seats != self.game.seats:
                self.players = players or Players(match.game.seats)
                self._chances.clear()
            self.match = match
            self.begin()

    def begin(self) -> None:
        """Another game lies on the table."""
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
        """A moment of a game that is over is played once more, by the same players; then the match goes on."""
        trial.match.game.goto(trial.match.game.last_ply)
        self.say("told", trial.goal.key.removeprefix("table."), **trial.goal.facts)
        self.lay(Match.of(trial.moment.copy(), seed=0), trial=trial)

    def go_on(self) -> None:
        """What was tried again is done with: the match lies there as it was."""
        if self.trial is not None:
            self.match, self.trial = self.trial.match, None

    def wait(self) -> None:
        """A page is to show the table: bots wait until it says that somebody looks."""
        if self.waits is None:
            self.waits = True
            self.jobs.drop(BOT)
            self.refresh()

    def next_game(self) -> None:
        """Deal the next game: of this match, or of a new one if that is lost or other players sit down. A score belongs to those who played."""
        if self.match.loser is not None or self.players.next_names != self.players.names:
            self.match = Match(self.match.rules, seed=self.random.getrandbits(32))
        else:
            self.match.next_game()
        self.begin()

    def put(self, seat: object, player: Player) -> None:
        """Let somebody else play a seat: at once, or from the next game on if this one is over or a moment of it is tried again."""
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
        before = self.players.names[seat]
        self.players.put(seat, player)
        after = self.players.names[seat]
        if len(self.match.games) > 1 and before != after:
            self.match = Match.of(self.game, seed=self.random.getrandbits(32))  # the score so far is not theirs
        if self.game.last_ply:  # who sat there before has played it too
            self.late.add(seat)
        self._chances.pop(seat, None)

    def _sit_down(self) -> None:
        """Let those who were chosen for the next game take their seats."""
        for seat, bot in self.players.take_chosen().items():
            self._seat(seat, bot)

    def chance(self, who: int | str) -> Random:
        """The generator of a seat, or of who gives hints."""
        if who not in self._chances:
            self._chances[who] = chance(self._seed, who)
        return self._chances[who]

    def goto(self, ply: int, *, taken_back: bool = False) -> None:
        """Look at another moment, or take back what came after it; no bot is late there yet, and who thought here is asked anew."""
        before, counted = self.game.ply, self.counts and self.game.outcome is None
        try:
            self.game.goto(ply)
        except IndexError as error:
            raise DurakError(str(error)) from None
        self._rushes = False
        if ply != before:
            self.jobs.drop(BOT)
        self.taken_back = taken_back and self.can_redo
        self.helped = self.helped or self.taken_back
        if counted and self.helped:
            self.say("told", "counts_no_more", who=self.rival)
        self.players.excuse()
        self.update()

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
            self.helped = self.helped or (game.actor is not None and self.players.bot(game.actor) is not None)  # a bot is not asked
            self.make(move)

    def step(self) -> bool:
        """Let the bot that is to act make its move now; False if none is."""
        turn = self._turn()
        if turn is None:
            return False
        move, why = turn.work()
        with self.lock:
            if turn.stands:
                self.make(move, why)
        return True

    def make(self, move: Move | str, why: object = None) -> None:
        """Play a legal move, for a reason; who plays otherwise after looking back has been helped by what came of it."""
        self.helped = self.helped or self.can_redo
        self.game.play(move)
        if self._reasons[0] is not self.game:
            self._reasons = self.game, {}
        if type(why) is str or isinstance(why, Fact):
            self._reasons[1][self.game.moves] = why
        self.moved()

    def reasons(self) -> dict[int, object]:
        """Why bots made the moves of this game, by ply: a sentence or a `Fact`, which may name what they hold, and so is for whoever may know all cards."""
        game, known = self._reasons
        ahead = self.game.copy()
        ahead.goto(ahead.last_ply)
        return {len(moves): why for moves, why in known.items() if game is self.game and moves == ahead.moves[: len(moves)]}

    def branch(self) -> None:
        """Play on from the moment that is looked at; of what is tried again, from where that begins."""
        self.helped = True
        if self.game.ply < self.begins:
            self.game.goto(self.begins)
        self.game.forget_undone()
        self.update()

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
        """The pace has changed."""
        self.jobs.hurry(BOT)

    def rush(self) -> None:
        """Let bots who are left alone play on to the end without a rest, until somebody goes elsewhere; where nothing runs by itself, nobody does.

        They still play one after the other beside the table, which hears all that is said meanwhile.
        """
        self._rushes = self.left_to_bots
        self.hurry()
        self.update()

    def refresh(self) -> None:
        """Show what there is to see. Once a game that was over goes on otherwise, those chosen for the next game play it."""
        if self.trial is None and self.players.has_chosen and not self.over and not self.can_redo:
            self._sit_down()
        self._looked = monotonic()
        self.players.turn_away(self.game, self.look, taken_back=self.taken_back)
        self.helped = self.helped or (self.look.hands == "open" and self.game.outcome is None)  # who has seen all cards has been helped
        game, view = self.game, self.view()
        self._scenes += 1
        acting, word, names = self.acting(), self.words(), self.players.names
        moment = SceneMoment(
            id=self._scenes,
            game=self.serial,
            last=game.last_ply,
            who=names,
            sits_next={seat: who for seat, who in enumerate(self.players.next_names) if who != names[seat]},
            bots={**({} if acting is None or self.waits or self.look.steps else {acting: "thinks"}), **self.players.troubles},
            undo=game.ply > self.begins,
            redo=self.can_redo,
            hint=bool(view.legal_moves()) + bool(self.hints.at(self.moment())),
            end=self.left_to_bots and not self.look.steps,
            next=str(self.ahead()) if self.looking_back and view.legal_moves() else "",
            task=self.setter,
            taken_back=self.can_redo and self.taken_back,
            waits=bool(self.waits) and acting is not None,
            beside=self.beside(),
            rivalry=self._led_to(),
            showing=Showing.of(self.players, game, self.look, acting, hides=not self._solved),
            says=self.says or (None if word is None else lambda voice: [word.said(voice)]),
            regret=word is not None and word.dear,
            review=self.turned(),
            goal=self.trial.goal if self.trial and self.trial.moment.moves == game.moves else None,
        )
        note, self._note = self._note, None
        self._show(scene_of(view, moment, self.voices(view), self.trial.match if self.trial else self.match, note))

    def pause(self) -> None:
        """Bots wait for a word from now on, also the one that thinks; or no more."""
        self._rushes = False
        self.jobs.drop(BOT)
        self.update()

    def end(self) -> None:
        """Nothing is done at this table any more."""
        self.jobs.end()

    def wake(self, *, step: bool = False) -> None:
        """If it is a bot's turn, it begins to think (step by step, if it is told to); and so does whoever else has something to find out."""
        turn = self._turn()
        if turn is not None and not self.waits and (step or not self.look.steps):
            self.jobs.start(turn)
        self.jobs.drop_past()
        if self.helps:
            self._findings.seek(self.view(remembers=True), self.moment())
        self._turned.seek(*self._judged())
        self._coached.seek(*self._decided())

    def _turn_now(self) -> Hashable:
        seat = self.acting()
        return None if seat is None else (self.serial, self.game.moves, seat, id(self.players.bot(seat)))

    def _turn(self) -> Job[tuple[Move, object]] | None:
        """What the bot that is to act has to do."""
        seat = self.acting()
        bot = None if seat is None else self.players.bot(seat)
        if seat is None or bot is None:
            return None
        view, rng = self.game.view(seat), self.chance(seat)
        breaths = 1 + any(end.ply == view.ply for end in view.ends[-1:])  # one more at the end of a bout, where most happens
        return Job(
            name=BOT,
            key=self._turn_now(),
            now=self._turn_now,
            work=lambda: bot.explained(view, rng),
            heard=self._answered,
            failed=lambda error: self._bot_failed(seat, error),
            late=lambda: self._bot_late(seat),
            by=bot.plays,
            pause=lambda: 0 if self.look.steps or self._rushes else breaths * self.look.pace / 1000,
        )

    def _answered(self, told: tuple[Move, object]) -> None:
        self.make(*told)

    def _bot_late(self, seat: int) -> None:
        """Say that a bot has not answered; its answer is still welcome."""
        self.players.troubles[seat] = "late"
        self.say("error", "bot_late", bot=self.players.bot_name(seat), who=Seat(seat), seconds=round(self.jobs.patience))
        self.refresh()

    def _bot_failed(self, seat: int, error: Exception) -> None:
        """Say that a bot has failed; somebody else may play for it, and nothing is lost."""
        self.keep_failure(seat, error)
        self.players.troubles[seat] = "failed"
        why, where = class_of(error), f"table.failures[{seat}]"
        self.say("error", "bot_failed", bot=self.players.bot_name(seat), who=Seat(seat), why=why, where=where)
        self.update()

    # Jobs beside the table

    def update(self) -> None:
        """Something has changed: show it, and let the bots go on."""
        with self.lock:
            self.refresh()
            self.wake()

    def ask(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object = None) -> None:
        """Have something done beside the table, for what its viewer sees now; where nothing runs by itself, at once."""
        if name == BOT:
            raise DurakError(f"{name!r} is the job of the bots, whose turn would be lost; call yours something else")
        self._begin(self._job(name, work, heard, by=by))

    def _begin(self, job: Job[Any]) -> None:
        if not self.jobs.start(job):
            self.jobs.do(job)

    def warns(self) -> bool:
        """Where the game counts against an opponent, it is said once what a hint would cost; whether that was said now."""
        if not self.counts or self.warned == self.serial:
            return False
        self.warned = self.serial
        self.say("told", "hint_counts", who=self.rival)
        self.refresh()
        return True

    # What may be hoped for, and whatever else somebody looks for

    def beside(self) -> Mapping[str, Sequence[float]] | None:
        """What the finders have found in what the viewer sees, as far as they are; None where nobody looks: in a game that counts, and where a task is set."""
        return self._findings.at(self.moment()) if self.helps and self._findings.sought else None

    def find(self, name: str, finder: Finder | None) -> None:
        """From now on, tell the page under this name what that finds in what the viewer sees; None: no more. Where nothing runs by itself, nobody looks."""
        with self.lock:
            if self._findings.put(name, finder):
                self.jobs.drop(name)
                self.update()

    def hope(self) -> None:
        """The chances are shown from now on, or no more; of another game nothing is known."""
        from durak_widget.table.move_feedback import Hopes  # noqa: PLC0415 - who does not want them loads none of it

        self._findings.put(CHANCES, Hopes() if self.look.chances else None)
        self.jobs.drop(CHANCES)

    def hopes_wanted(self) -> None:
        """Whether the chances are shown has changed."""
        self.hope()
        self.help_wanted(wanted=self.look.chances)

    def help_wanted(self, *, wanted: bool) -> None:
        """The coach, or the chances, were switched on or off; in a game that counts it is said why nothing comes of that."""
        with self.lock:
            if wanted and self.counts:
                self.say("told", "counts", who=self.rival)
            self.update()

    # What the coach has to say

    def words(self) -> Word | None:
        """What the coach says of the last move of whoever sits there; None where nothing need be said, or not yet."""
        return self._coached.at(self._decided()[0])

    def _decided(self) -> tuple[Hashable, Game | None, int]:
        """The last move of the person before the screen, in a game that goes on, and what tells it from others."""
        seat, game = self.listener(), self.game
        if not self.look.coach or not self.helps or self.looking_back or game.outcome is not None:
            return None, None, 0
        people, course = self.players.people, game.course
        ply = max((ply for ply, played in enumerate(course) if played.seat in people), default=None)
        # what another person has done since is not to be taken back
        return (None, None, 0) if ply is None or course[ply].seat != seat else ((self.serial, game.moves[: ply + 1], seat), game, ply)

    def _look_back(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> None:
        key = self._decided()[0]
        failed = self._failed("coach")
        self._begin(Job("coach", key, lambda: self._decided()[0], work, heard, failed=failed, late=lambda: None))

    def _has_a_word(self) -> None:
        """Show what the coach says, and say it once."""
        word = self.words()
        if word is not None:
            self.refresh()
            self.send({"kind": "told", "said": word.said(self.voices(self.view()).spoken)})

    # Where it turned

    def review(self, by: By = "what it knew") -> Review | None:
        """The review of the game that is over, told to the person before the screen; None where there is none, or not yet."""
        seat = self.listener()
        return None if seat is None else self._turned.told(self._judged()[0], seat, by)

    def judge_by_cards(self, heard: Callable[[], object]) -> None:
        """Have the game that is over judged by all cards too; then `review` knows it."""
        self._turned.by_cards(self._judged()[0], heard)

    def turned(self) -> Mapping[str, Any] | None:
        """What the scene says of it; of what is tried again, whether that was done."""
        view = self.view()
        if self.trial is not None:
            return self.trial.scene(self.game, self.voices(view)) if self.game.outcome else None
        review, key = self.review(), self._judged()[0]
        if review is not None:
            return scene_of_review(review, self.voices(view), back=(key, review.seat) == self._comes_back)
        soon = key is not None and self.listener() is not None and self.jobs.run and self._turned.seeks(key)
        return {"said": self.voices(view).say("table.reviewing"), "marks": []} if soon else None

    def _judged(self) -> tuple[Hashable, Game | None]:
        """The game that is to be looked through, and what tells it from others: one that is over, in which people of this table have played."""
        whole = None if self.trial or not self.players.people else self.ended()
        return (None, None) if whole is None else ((self.serial, whole.moves), whole)

    def _look_through(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> None:
        key = self._judged()[0]
        job = Job("review", key, lambda: self._judged()[0], work, heard, failed=self._review_failed, late=lambda: None)
        if not self.jobs.start(job):
            self._turned.drop()

    def _review_failed(self, error: Exception) -> None:
        self._turned.drop()
        self._job_failed("review", error)

    def _has_turned(self) -> None:
        """Show where the game turned, now that it has been found, and say it once."""
        review, seat = self.review(), self.listener()
        if review is not None and seat is not None and keep_missed(review, seat):
            self._comes_back = self._judged()[0], seat
        self.refresh()
        found = self.turned()
        if found is not None:
            self.send({"kind": "told", "said": found["said"][1]})

    # What goes wrong

    def went_wrong(self, what: str, error: Exception) -> None:
        """Say that something failed; of somebody else's code by the class of its error alone, since that may name cards."""
        with self.lock:
            if not isinstance(error, DurakError):
                return self._job_failed(what, error)
            self.tell("error", [str(error)] * 2)
            return self.refresh()

    def keep_failure(self, what: int | str, error: Exception) -> None:
        """The whole error is for whoever asks for it in Python."""
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
    """Whoever asked to be told. One who plays on when told of a move does so after all have heard of that one.

    >>> heard = []
    >>> listeners = Listeners(failed=print)
    >>> listeners.add(heard.append)
    >>> listeners.note("attack 7c"); listeners.tell(); heard
    ['attack 7c']
    """

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        """Nobody listens yet; what a listener raises is told to `failed`."""
        self._failed = failed
        self._listeners: list[Listener] = []
        self._untold: deque[Played] = deque()
        self._telling = False

    def add(self, listener: Listener) -> None:
        """From now on this one is told."""
        if not callable(listener):
            raise DurakError(f"on_move takes a function of one move, not {quoted(listener)}")
        self._listeners.append(listener)

    def remove(self, listener: Listener) -> None:
        """This one is told no more."""
        if listener not in self._listeners:
            raise DurakError(f"{quoted(listener)} is not called back, so it cannot be removed")
        self._listeners.remove(listener)

    def note(self, played: Played) -> None:
        """A move has been made, of which they will be told."""
        self._untold.append(played)

    def tell(self) -> None:
        """Tell them what they have not been told; who is being told already goes on with this after that."""
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
