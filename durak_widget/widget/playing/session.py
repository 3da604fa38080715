"""A table without a page: how its match goes on, by whom, and what is done beside it. How it lies there is asked in `shown_match`."""

from __future__ import annotations

from random import Random
from secrets import token_bytes
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from durak_widget.bots.bot import get
from durak_widget.bots.playing import chance
from durak_widget.errors import DurakError, class_of
from durak_widget.game.game import Game, checked_seed
from durak_widget.game.match import Match
from durak_widget.game.play.refusal import IllegalMove
from durak_widget.widget.helping.advising import Adviser
from durak_widget.widget.kit.jobs import Job
from durak_widget.widget.kit.listeners import Listeners
from durak_widget.widget.playing.considered import BOT, Considered
from durak_widget.widget.playing.players import Players
from durak_widget.words import Fact, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from durak_widget.game.play.moves import Move
    from durak_widget.rules.book import Rules
    from durak_widget.widget.kit.look import Look
    from durak_widget.widget.playing.players import Player
    from durak_widget.widget.playing.scene import Scene
    from durak_widget.widget.playing.turned import Trial

_GLANCE: Final = 0.4
"""So many seconds one waits at most to see how far those have come who play on to the end."""


class Session(Considered):
    """A table without a page, which is given a look, and shows each scene and sends each message to whoever it is told to.

    >>> from durak_widget.widget.kit.look import Look
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
        super().__init__(game, seats, look=look, show=show, send=send, seed=seed)
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
        super().refresh()

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
        super().wake()

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
