"""The table in the notebook: a widget that shows a game to the person before it, and plays what that person means."""

from __future__ import annotations

import logging
import sys
from collections import deque
from html import escape
from random import Random
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Protocol

import traitlets

from durak_widget.bots.bot import get, names
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.game.game import Game, checked_seed
from durak_widget.game.match import Match
from durak_widget.game.moves import Move
from durak_widget.game.picture import Picture
from durak_widget.game.refusal import IllegalMove
from durak_widget.game.telling import advice
from durak_widget.widget import intents
from durak_widget.widget.door import Door, built
from durak_widget.widget.players import Players
from durak_widget.widget.scene import Moment, Voices, listing, scene_of, seen
from durak_widget.widget.thinking import Thinking, Turn
from durak_widget.words import LANGUAGES, Seat, screen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.game.view import Played, View
    from durak_widget.rules.book import Rules
    from durak_widget.widget.players import Player

_LOG: Final = logging.getLogger("durak_widget")
_THEMES: Final = ("auto", "light", "dark", "contrast")
_SKINS: Final = ("felt", "slate", "linen")
_BACKS: Final = ("lattice", "rings", "reeds")
_LATER: Final = (
    "<style>@media screen{.durak-picture{max-height:0;overflow:hidden;animation:durak-picture 0s 2000ms forwards}}"
    "@keyframes durak-picture{to{max-height:none}}</style>"
)
"""The picture waits a moment: most often the live table is there by then, and hides it."""
_LATE: Final = 10.0
"""After so many seconds a bot is called late."""
_SLOWEST: Final = 60_000


class Task(Protocol):
    """What may be set at a table instead of a game."""

    def again(self) -> None:
        """Lay the position again."""

    def hint(self) -> Move | None:
        """A move that serves the task."""


class Table(Door):
    """A card table to play at: you at the bottom, the others around it.

    Seats are played by you (`"you"` or None: a person at this table), or by a bot (its name, a `Bot`, or a function
    of a view and a random generator). Without `seats`, you have seat 0 and careful bots have the others.

    >>> from durak_widget import Rules
    >>> table = Table(Rules(players=3), seats={0: "you", 1: "careful", 2: "random"}, seed=7)
    >>> table.game.actor, table.seat, table.players
    (1, 0, ('you', 'careful', 'random'))
    >>> table.play(table.game.legal_moves()[0])
    >>> table.game.ply
    1
    """

    _esm = built("widget.js")

    scene = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    languages = traitlets.Dict(dict(LANGUAGES), read_only=True).tag(sync=True)
    bots = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    language = traitlets.Enum(tuple(LANGUAGES), "en", help="The language of the table: en, ru, lt.").tag(sync=True, page=True)
    theme = traitlets.Enum(_THEMES, "auto", help="auto (as the page), light, dark or contrast.").tag(sync=True, page=True)
    skin = traitlets.Enum(_SKINS, "felt", help="felt, slate or linen.").tag(sync=True, page=True)
    back = traitlets.Enum(_BACKS, "lattice", help="The backs of the cards: lattice, rings or reeds.").tag(sync=True, page=True)
    four_colors = traitlets.Bool(False, help="Clubs green, diamonds blue.").tag(sync=True, page=True)
    motion = traitlets.Bool(True, help="Cards fly from where they were.").tag(sync=True, page=True)
    sound = traitlets.Bool(False, help="A soft tap for each card.").tag(sync=True, page=True)
    aids = traitlets.Bool(True, help="What beats what is shown under the pointer.").tag(sync=True, page=True)
    memory = traitlets.Bool(False, help="The list of cards seen may be looked at.").tag(sync=True, page=True)
    pace = traitlets.Int(900, min=0, max=_SLOWEST, help="How long a bot seems to think, in ms.").tag(sync=True, page=True)
    confirm = traitlets.Bool(False, read_only=True).tag(sync=True)
    seen_scene = traitlets.Int(0).tag(sync=True, page=True)

    def __init__(
        self,
        game: Game | Match | Rules | str | None = None,
        seats: Mapping[int, Player] | None = None,
        *,
        seed: int | str | None = None,
        **look: object,
    ) -> None:
        """Lay a table for a game, a match, or a new game under some rules (`seed` deals it)."""
        self._lock = RLock()
        self._thinking = Thinking(self)
        known = self.trait_names()
        for name in look:
            if name not in known:
                raise DurakError(f"Table has no option {name!r}.{nearest(name, known)}")
        self._match = _match(game, seed)
        self._random = Random(None if seed is None else checked_seed(seed))
        self._players = Players(len(self.game.hands), seats)
        self._serial, self._scenes = 1, 0
        self._note: dict[str, Any] | None = None
        self._callbacks: list[Callable[[Played], object]] = []
        self._untold: deque[Played] = deque()
        self._telling = False
        self.task: Task | None = None  # set by whoever sets one: it is begun again instead of another game, and gives the hints
        for name, value in look.items():
            setattr(self, name, value)
        self.set_trait("confirm", "marimo" in sys.modules)
        self._reword()
        super().__init__()  # opens the connection with all that there is to see
        self.observe(lambda _: self._reword(), "language")
        self.observe(lambda _: self._thinking.hurry(), "pace")
        self._thinking.kick()

    # From Python

    @property
    def game(self) -> Game:
        """The game on the table. Set another to lay that one; after changing this one by hand, call `refresh`."""
        return self._match.game

    @game.setter
    def game(self, game: Game) -> None:
        if not isinstance(game, Game):
            raise DurakError(f"{quoted(game)} is not a Game; say table.rules = … to begin a new one under other rules")
        self.match = Match.of(game, seed=self._random.getrandbits(32))

    @property
    def match(self) -> Match:
        """The match to which the game belongs; set another to play that one."""
        return self._match

    @match.setter
    def match(self, match: Match) -> None:
        if not isinstance(match, Match):
            raise DurakError(f"{quoted(match)} is not a Match; a single game is laid by table.game = …")
        with self._lock:
            if len(match.game.hands) != len(self.game.hands):
                self._players = Players(len(match.game.hands))
            self._match = match
            self._begin()

    @property
    def rules(self) -> Rules:
        """The rules that are played; set others to begin a new match under them."""
        return self._match.rules

    @rules.setter
    def rules(self, rules: Rules | str) -> None:
        self.game = Game(rules, seed=self._random.getrandbits(32))

    @property
    def seat(self) -> int:
        """The seat at the bottom, whose hand is shown. It follows the people at the table; where there are none, set it."""
        return self._viewer()[0]

    @seat.setter
    def seat(self, seat: int) -> None:
        with self._lock:
            self._players.look(seat)
            self._refresh()

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays each seat: `you`, or the name of a bot."""
        return self._players.names

    @property
    def failures(self) -> dict[int, Exception]:
        """What the bot of a seat raised last; the page is told only that it failed, since an error may name cards.

        >>> Table(seed=1).failures
        {}
        """
        return dict(self._players.failures)

    def seat_player(self, seat: int, player: Player) -> None:
        """Let somebody else play a seat from now on: you, or a bot.

        >>> table = Table(seed=1)
        >>> table.seat_player(1, "random"); table.players
        ('you', 'random')
        """
        with self._lock:
            self._players.put(seat, player)
            self._update()

    def play(self, move: Move | str) -> None:
        """Make a move for the seat to act, which is shown; an `IllegalMove` says why not, and nothing has changed.

        >>> table = Table("podkidnoy", seed=7)
        >>> table.play("take")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        durak_widget.game.refusal.IllegalMove: There is nothing to take: no card lies on the table. Seat 0 may: attack Jc, ...
        """
        with self._lock:
            self.game.play(move)
            self._moved()

    def step(self) -> bool:
        """Let the bot that is to act make its move now; False if it is not for a bot to act.

        >>> table = Table(seats={0: "random", 1: "careful"}, seed=7)
        >>> while table.step():
        ...     pass
        >>> table.game.outcome is not None
        True
        """
        turn = self.turn()
        if turn is None:
            return False
        move = turn.bot.choose(turn.view, turn.rng)
        with self._lock:
            if self._stands(turn):
                self.game.play(move)
                self._moved()
        return True

    def refresh(self) -> None:
        """Show the game as it is now, after it was changed by hand.

        >>> table = Table(seed=7)
        >>> table.game.play("attack Jc"); table.refresh(); table.scene["ply"]
        1
        """
        with self._lock:
            self._update()

    def on_move(self, callback: Callable[[Played], object], *, remove: bool = False) -> None:
        """Call back after every move, with whose it was and what: `table.on_move(print)`. What a callback raises is shown."""
        if remove and callback not in self._callbacks:
            raise DurakError(f"{quoted(callback)} is not called back, so it cannot be removed")
        if remove:
            self._callbacks.remove(callback)
        elif not callable(callback):
            raise DurakError(f"on_move takes a function of one move, not {quoted(callback)}")
        else:
            self._callbacks.append(callback)

    def close(self) -> None:
        """Clear the table: it is gone from the page, and its bots stop."""
        self._thinking.end()
        super().close()

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live table; and a picture with its words, for where nothing is live."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, **self._picture()}, metadata

    def _ipython_display_(self) -> None:
        """The picture as an output of its own, which the live table hides: a notebook that is opened again shows it, and what to do."""
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        display(self._picture(), raw=True)  # type: ignore[no-untyped-call]
        if self.comm is None:  # closed: there is nothing live to show
            return
        data, metadata = self.live()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]

    def _picture(self) -> dict[str, str]:
        view = self._view()
        voice = self._voices(view).spoken
        bundle = Picture(view, four_colors=self.four_colors, language=self.language)._repr_mimebundle_()
        note = escape(voice.say("table.picture"))
        return {**bundle, "text/html": f'<div class="durak-picture">{_LATER}{bundle["text/html"]}<p>{note}</p></div>'}

    def __repr__(self) -> str:
        return f"<Table {self.game!r}, played by {', '.join(self.players)}>"

    # What is shown

    @property
    def _looking_back(self) -> bool:
        return self.game.ply < self.game.last_ply

    def _viewer(self) -> tuple[int, bool]:
        return self._players.viewer(self.game)

    def _view(self) -> View:
        seat, covered = self._viewer()
        view = self.game.view(seat, memory=self.memory)
        return view.covered() if covered else view

    def _reword(self) -> None:
        with self._lock:
            self.set_trait("words", screen(self.language))
            self._refresh()

    def _begin(self) -> None:
        """Another game lies on the table."""
        self._serial += 1
        self._players.begin()
        self._update()

    def _update(self) -> None:
        """Something in the game has changed: show it, and let the bots go on."""
        self._refresh()
        self._thinking.kick()

    def _refresh(self) -> None:
        """Tell the viewer what there is to see."""
        self._players.turn_away(self.game)
        game, view = self.game, self._view()
        voices = self._voices(view)
        self._scenes += 1
        self.set_trait("bots", list(names()))
        turn = self.turn()
        doing = {turn.seat: "thinks"} if turn is not None else {}
        moment = Moment(
            id=self._scenes,
            game=self._serial,
            last=game.last_ply,
            who=self.players,
            bots={**doing, **self._players.troubles},
            undo=game.ply > 0,
            redo=self._looking_back,
            hint=bool(view.legal_moves()),
            next=str(self._ahead()) if self._looking_back and view.legal_moves() else "",
            task=self.task is not None,
        )
        self.set_trait("scene", scene_of(view, moment, voices, self._match, self._note))
        self._note = None

    def _voices(self, view: View) -> Voices:
        return Voices.of(self.language, me=None if view.is_covered else view.seat)

    def _tell(self, kind: str, said: list[str], **about: str) -> None:
        """Say something beside the game with the next scene."""
        self._note = {"kind": kind, "said": said, **{name: what for name, what in about.items() if what}}

    def _say(self, kind: str, key: str, **facts: object) -> None:
        self._tell(kind, self._voices(self._view()).say(f"table.{key}", **facts))

    # What a person means

    def hear(self, message: object) -> None:
        """A message of the front end. Whatever it says is answered by a scene."""
        with self._lock:
            intent = intents.read(message)
            if intent.game != self._serial or (intent.kind in intents.AT_THIS_PLY and intent.ply != self.game.ply):
                self._say("told", "stale")
                self._refresh()
            else:
                _MEANINGS[intent.kind](self, intent)

    def went_wrong(self, error: Exception) -> None:
        """Say it with the next scene."""
        with self._lock:
            if isinstance(error, DurakError):
                self._tell("error", [str(error)] * 2)
            else:
                _LOG.error("a message to the table failed", exc_info=error)
                self._say("error", "failed", why=type(error).__name__)
            self._refresh()

    def _mean_move(self, intent: intents.Intent) -> None:
        seat, covered = self._viewer()
        game = self.game
        refusal = game.why_not(intent.text, seat=seat)
        if covered or refusal is not None:
            return self._refuse(intent.text, seat)
        again = self._looking_back and self._ahead() is Move(intent.text)
        if self._looking_back and not intent.branch and not again:
            self._say("refused", "branch_first")
            return self._refresh()
        if again:
            game.redo()  # nothing that was undone is dropped
        else:
            game.play(intent.text)
        return self._moved()

    def _ahead(self) -> Move:
        """The move that was undone last."""
        return self.game.copy().redo()

    def _mean_why(self, intent: intents.Intent) -> None:
        view = self._view()
        self._refuse(intents.tried(view, intent.text, intent.on, intent.verb), view.seat, intent.text, intent.on)

    def _refuse(self, move: str, seat: int, card: str = "", on: str = "") -> None:
        """Say why not, in the words of the rules; of a hand that is covered they would tell too much."""
        view = self._view()
        refusal = None if view.is_covered else self.game.why_not(move, seat=seat)
        if refusal is not None:
            voices = self._voices(view)
            self._tell("refused", [refusal.said(voice) for voice in voices], card=card, on=on, code=refusal.code)
        else:
            self._say("told", "stale")
        self._refresh()

    def _mean_undo(self, _: intents.Intent) -> None:
        """Back to the last moment when a person at this table was to act."""
        game = self.game
        if not game.ply:
            self._say("told", "nothing_to_undo")
            return self._refresh()
        people = self._players.people
        course = game.course
        mine = [ply for ply in range(game.ply) if course[ply].seat in people]
        return self._goto(mine[-1] if mine else game.ply - 1)

    def _mean_redo(self, _: intents.Intent) -> None:
        """On to the next moment when a person at this table was to act, or to the end."""
        game = self.game
        if not self._looking_back:
            self._say("told", "nothing_to_redo")
            return self._refresh()
        ahead = game.copy()
        ahead.goto(game.last_ply)
        people = self._players.people
        mine = [ply for ply in range(game.ply + 1, game.last_ply) if ahead.course[ply].seat in people]
        return self._goto(mine[0] if mine and people else game.last_ply if people else game.ply + 1)

    def _mean_goto(self, intent: intents.Intent) -> None:
        self._goto(intent.number)

    def _goto(self, ply: int) -> None:
        try:
            self.game.goto(ply)
        except IndexError as error:
            raise DurakError(str(error)) from None
        troubles = self._players.troubles
        for seat in [seat for seat, trouble in troubles.items() if trouble == "late"]:
            del troubles[seat]
        self._update()

    def _mean_branch(self, _: intents.Intent) -> None:
        self.game.forget_undone()
        self._update()

    def _mean_hint(self, _: intents.Intent) -> None:
        view = self._view()
        move = self._advised(view)
        if move is not None:
            voices = self._voices(view)
            said = [voice.say("table.hint", advice=advice(move, voice)) for voice in voices]
            self._tell(
                "hint", said, card=str(move.cards[-1].face) if move.cards else "", on=str(move.cards[0]) if move.verb == "beat" else ""
            )
        else:
            self._say("told", "no_hint" if self.task is None or not view.legal_moves() else "again_first")
        self._refresh()

    def _advised(self, view: View) -> Move | None:
        if not view.legal_moves():
            return None
        return get("careful").choose(view, self._random) if self.task is None else self.task.hint()

    def _mean_new(self, _: intents.Intent) -> None:
        if self.task is not None:
            return self.task.again()
        self._match.deal_again()
        return self._begin()

    def _mean_next(self, intent: intents.Intent) -> None:
        if self.task is not None:
            return self._mean_new(intent)
        if self._match.loser is not None:
            self._match = Match(self._match.rules, seed=self._random.getrandbits(32))
        else:
            self._match.next_game()
        return self._begin()

    def _mean_here(self, _: intents.Intent) -> None:
        self._players.look(self._viewer()[0])
        self._update()

    def _mean_show(self, _: intents.Intent) -> None:
        self._refresh()

    def _mean_seat(self, intent: intents.Intent) -> None:
        if self.task is None:
            self.seat_player(intent.number, intent.who)
        else:
            self._say("told", "fixed_seats")
            self._refresh()

    def _mean_list(self, _: intents.Intent) -> None:
        """The whole course of the game, also what was undone, as the viewer saw it."""
        seat, covered = self._viewer()
        ahead = self.game.copy()
        ahead.goto(ahead.last_ply)
        view = ahead.view(seat)
        view = view.covered() if covered else view
        self.send({"kind": "list", "bouts": listing(view, self._voices(view).written)})

    def _mean_seen(self, _: intents.Intent) -> None:
        """Where the cards are that a perfect memory knows; while that aid is switched off, only the scene again."""
        if self.memory:
            self.send({"kind": "seen", **seen(self._view())})
        else:
            self._refresh()

    # Moves, whoever made them

    def _moved(self) -> None:
        """A move has been made: show it, tell those who asked to be told, and go on.

        Whoever is told may play on: what then happens is told after this, to everybody.
        """
        self._untold.append(self.game.course[-1])
        self._players.troubles.clear()
        try:
            self._refresh()
            if not self._telling:
                self._tell_all()
        finally:
            self._thinking.kick()

    def _tell_all(self) -> None:
        self._telling = True
        try:
            while self._untold:
                played = self._untold.popleft()
                for callback in tuple(self._callbacks):
                    self._call(callback, played)
        finally:
            self._telling = False

    def _call(self, callback: Callable[[Played], object], played: Played) -> None:
        """Tell one who asked to be told; what it raises is shown."""
        try:
            callback(played)
        except Exception as error:  # noqa: BLE001 - somebody else's code may raise anything
            _LOG.error("a callback of on_move failed", exc_info=error)
            self._say("error", "callback_failed", why=_short(error))
            self._refresh()

    # What the bots need: see `thinking.Stage`

    def turn(self) -> Turn | None:
        """The turn of a bot, if one is to act and nobody looks back."""
        game = self.game
        seat = game.actor
        bot = None if seat is None else self._players.bot(seat)
        if seat is None or bot is None or self._looking_back or self._players.troubles.get(seat) == "failed":
            return None
        return Turn(self._serial, game.ply, seat, bot, game.view(seat), self._random)

    def pause(self) -> float:
        """How long a bot seems to think, in seconds."""
        return self.pace / 1000

    def patience(self) -> float:
        """After how many seconds a bot is late."""
        return _LATE

    def _stands(self, turn: Turn) -> bool:
        now = self.turn()
        return now is not None and now[:4] == turn[:4]

    def late(self, turn: Turn) -> None:
        """Say that a bot has not answered; its answer is still welcome."""
        with self._lock:
            if self._stands(turn):
                self._players.troubles[turn.seat] = "late"
                self._say("error", "bot_late", bot=turn.bot.name, who=Seat(turn.seat), seconds=round(self.patience()))
                self._refresh()

    def failed(self, turn: Turn, error: Exception) -> None:
        """Say that a bot has failed; somebody else may play for it, and nothing is lost."""
        with self._lock:
            if self._stands(turn):
                _LOG.error("the bot %s failed", turn.bot.name, exc_info=error)
                self._players.troubles[turn.seat] = "failed"
                self._players.failures[turn.seat] = error
                # Its message may name cards of its hand, so it does not go to the page.
                self._say(
                    "error",
                    "bot_failed",
                    bot=turn.bot.name,
                    who=Seat(turn.seat),
                    why=type(error).__name__,
                    where=f"table.failures[{turn.seat}]",
                )
                self._update()

    def answered(self, turn: Turn, move: Move) -> None:
        """Play what a bot has chosen, if it is still its turn."""
        with self._lock:
            if self._stands(turn):
                try:
                    self.game.play(move)
                except IllegalMove as error:
                    return self.failed(turn, error)
                return self._moved()
            return self._thinking.kick()


_MEANINGS: Final[dict[str, Callable[[Table, intents.Intent], None]]] = {kind: getattr(Table, f"_mean_{kind}") for kind in intents.KINDS}


def _match(game: Game | Match | Rules | str | None, seed: int | str | None) -> Match:
    if isinstance(game, Match):
        return game
    return Match.of(game if isinstance(game, Game) else Game(game, seed=seed), seed=seed)


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
