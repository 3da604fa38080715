"""The table in the notebook: a widget that shows a game to the person before it, and plays what that person means."""

from __future__ import annotations

from html import escape
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import traitlets

from durak_widget.bots.bot import PEOPLE, names
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.i18n import Voice, screen
from durak_widget.table import hints, message_handlers, rules_dialog
from durak_widget.table.analysis_jobs import Hints
from durak_widget.table.session import Session
from durak_widget.widgets import saved_games, user_defaults
from durak_widget.widgets.appearance_settings import SETTINGS, Look, settings
from durak_widget.widgets.base_widget import Pictured, built, layout_of, standing_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Played
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.hints import Hint
    from durak_widget.table.move_feedback import Word
    from durak_widget.table.players import Player
    from durak_widget.table.scene import Says, Scene, Setter
    from durak_widget.widgets.saved_games import Folder, Keeping


class Table(Look, Pictured):
    """A card table to play at: you at the bottom, the others around it.

    Seats are played by you (`"you"` or None: a person at this table), or by a bot (its name, a `Bot`, or a function
    of a view and a random generator). Without `seats`, you have seat 0 and careful bots have the others;
    `"next"` is the opponent whom you have come to (see `bots.opponents`).

    >>> from durak_widget import Rules
    >>> table = Table(Rules(players=3), seats={0: "you", 1: "careful", 2: "random"}, seed=7)
    >>> table.game.actor, table.seat, table.players
    (1, 0, ('you', 'careful', 'random'))
    >>> table.play(table.game.legal_moves()[0])
    >>> table.game.ply
    1
    """

    _keeping: Keeping | None = None
    _esm = built("widget.js")
    kinds = message_handlers.MEANINGS.keys()
    later: ClassVar[Mapping[str, str | Path]] = {"drawers": built("drawers.js")}

    scene = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    settings = traitlets.List(settings(), read_only=True).tag(sync=True)
    bots = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    keeps = traitlets.Bool(False).tag(sync=True, page=True)

    def __init__(
        self,
        game: Game | Match | Rules | str | None = None,
        seats: Mapping[int, Player] | None = None,
        *,
        seed: int | str | None = None,
        door: bool | str | Iterable[str] = False,
        keep: Folder | Literal[False] = None,
        layout: Layout | dict[str, str] | None = None,
        **look: object,
    ) -> None:
        """Lay a table for a game, a match, or a new game under some rules (`seed` deals it).

        `door` opens the rules, or offers presets to be played; `keep` names a folder in which the games are kept.
        `layout` is that of ipywidgets, such as `{"width": "400px"}`.
        """
        for name in look:
            if name not in SETTINGS:
                raise DurakError(
                    f"Table has no option {name!r}.{nearest(name, [*SETTINGS, 'door', 'keep', 'layout'])} It has {', '.join(SETTINGS)}, door, keep and layout"
                )
        layout = layout_of(layout)
        for name, value in {**user_defaults.chosen(), **look}.items():
            setattr(self, name, value)
        self.set_trait("door", rules_dialog.checked_door(door))
        self._session = Session(game, seats, look=self, show=self._show, send=self.send, seed=seed)
        self.observe(lambda _: self._rests(), "keeps")
        self.keep = user_defaults.kept() if keep is None else keep
        self._reword()
        super().__init__(layout=layout)  # opens the connection with all that there is to see
        self.observe(lambda _: self._reword(), "language")
        self.observe(lambda _: self._session.hurry(), "pace")
        self.observe(lambda _: self._session.update(), ["hands", "covers"])
        self.observe(lambda _: self._session.pause(), "steps")
        self.observe(lambda change: self._session.help_wanted(wanted=change["new"]), "coach")
        self.observe(lambda _: self._session.hopes_wanted(), "chances")
        if self.chances:
            self._session.hopes_wanted()

    # From Python

    @property
    def game(self) -> Game:
        """The game on the table. Set another to lay that one; after changing this one by hand, call `refresh`."""
        return self._session.game

    @game.setter
    def game(self, game: Game) -> None:
        if not isinstance(game, Game):
            raise DurakError(f"{quoted(game)} is not a Game; say table.rules = … to begin a new one under other rules")
        self.match = Match.of(game, seed=self._session.random.getrandbits(32))

    @property
    def match(self) -> Match:
        """The match to which the game belongs; set another to play that one."""
        return self._session.match

    @match.setter
    def match(self, match: Match) -> None:
        if not isinstance(match, Match):
            raise DurakError(f"{quoted(match)} is not a Match; a single game is laid by table.game = …")
        self._session.lay(match)

    @property
    def rules(self) -> Rules:
        """The rules that are played; set others to begin a new match under them."""
        return self._session.match.rules

    @rules.setter
    def rules(self, rules: Rules | str) -> None:
        self.game = Game(rules, seed=self._session.random.getrandbits(32))

    @property
    def seat(self) -> int:
        """The seat at the bottom, whose hand is shown. It follows the people at the table; where there are none, set it."""
        return self._session.viewer()[0]

    @seat.setter
    def seat(self, seat: int) -> None:
        with self._session.lock:
            self._session.players.arrive(seat)
            self._session.refresh()

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays each seat: `you`, or the name of a bot."""
        return self._session.players.names

    @property
    def task(self) -> Setter | None:
        """Who has set a task here: it is begun again instead of another game, and gives the hints."""
        return self._session.setter

    @task.setter
    def task(self, task: Setter | None) -> None:
        session = self._session
        with session.lock:
            if task is not session.setter:
                session.setter, session.hints = task, Hints()  # none from before is left
                session.jobs.drop("hint")
                session.refresh()

    @property
    def says(self) -> Says | None:
        """Who says on the felt what is worth saying of what was done last: given a voice, its sentences, or none where how it was done will do.

        >>> table = Table(seed=7)
        >>> table.says = lambda voice: ["Well begun."]
        >>> table.play("attack Jc"); table.scene["told"]
        ['Well begun.']
        """
        return self._session.says

    @says.setter
    def says(self, says: Says | None) -> None:
        with self._session.lock:
            self._session.says = says
            self._session.refresh()

    @property
    def coach_says(self) -> Word | None:
        """What the coach says of the last move of whoever sits there, as soon as that is found out; None where nothing need be said, or no coach is wanted.

        >>> from durak_widget import Rules
        >>> ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
        >>> table = Table(ending, seats={1: "first"}, coach=True)
        >>> table.play("attack 9c")
        >>> print(table.coach_says.said())
        That gives the win away. What wins: attack with the 7 of diamonds.
        """
        return self._session.words()

    @property
    def keep(self) -> str | None:
        """The folder in which the games of this table are kept, each as a small file that `Game.load` reads; None, where none are. Set another, or False.

        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> table = Table(seats={0: "careful", 1: "random"}, seed=7, keep=folder)
        >>> while table.step():
        ...     pass
        >>> from pathlib import Path
        >>> [kept] = Path(folder).glob("*.durak")
        >>> Game.load(kept).outcome == table.game.outcome
        True
        """
        return None if self._keeping is None else self._keeping.folder

    @keep.setter
    def keep(self, folder: Folder | Literal[False]) -> None:
        named = saved_games.folder_of(folder)
        with self._session.lock:
            self._keeping = None if named is None else saved_games.Keeping(named)
            self.set_trait("settings", [*settings(), *([{"name": "keeps"}] if named else [])])  # it can be switched off there
            self.keeps = named is not None
            if named:
                self._session.refresh()

    @property
    def failures(self) -> dict[int | str, Exception]:
        """What the bot of a seat raised last, and what else failed, such as `on_move`; the page is told only that it did, since an error may name cards.

        >>> Table(seed=1).failures
        {}
        """
        return dict(self._session.players.failures)

    def seat_player(self, seat: int, player: Player) -> None:
        """Let somebody else play a seat from now on: you, or a bot.

        >>> table = Table(seed=1)
        >>> table.seat_player(1, "random"); table.players
        ('you', 'random')
        """
        self._session.put(seat, player)

    def play(self, move: Move | str) -> None:
        """Make a move for the seat to act, which is shown; an `IllegalMove` says why not, and nothing has changed.

        >>> table = Table("podkidnoy", seed=7)
        >>> table.play("take")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        durak_widget.engine.moves.IllegalMove: There is nothing to take: no card lies on the table. Seat 0 may: attack Jc, ...
        """
        self._session.play(move)

    def step(self) -> bool:
        """Let the bot that is to act make its move now; False if it is not for a bot to act.

        >>> table = Table(seats={0: "random", 1: "careful"}, seed=7)
        >>> while table.step():
        ...     pass
        >>> table.game.outcome is not None
        True
        """
        return self._session.step()

    def hint(self) -> Hint | None:
        """What helps you on: a thought, the move that it leads to, and why; None where you have nothing to do. Nothing is shown, and nothing changes but that a game with help counts against nobody.

        >>> hint = Table(Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1, talon="8d 8s 8h")).hint()
        >>> print(hint.thought, hint.move, hint.reason, sep=chr(10))
        You can beat it without a trump.
        beat 7c 9c
        It is the lowest card that does it, and no trump.
        """
        with self._session.lock:
            view, voice, task = self._session.view(), self._session.voices(self._session.view()).spoken, self.task
            if not view.legal_moves():
                return None
            self._session.helped = True
            found = None if task is None else hints.of_task(task.hint())
            view = self._session.game.view(view.seat)
        if found is None:
            found = hints.counsel(self._session.adviser, view, Random(0)).said(voice)
        return found if isinstance(found, hints.Hint) else None

    def refresh(self) -> None:
        """Show the game as it is now, after it was changed by hand.

        >>> table = Table(seed=7)
        >>> table.game.play("attack Jc"); table.refresh(); table.scene["ply"]
        1
        """
        self._session.update()

    def on_move(self, callback: Callable[[Played], object], *, remove: bool = False) -> None:
        """Call back after every move, with whose it was and what: `table.on_move(print)`. Like `table.game` it tells all, also which cards were swapped.

        >>> table, heard = Table(seed=7), []
        >>> table.on_move(heard.append)
        >>> table.play("attack Jc"); heard[0].seat, str(heard[0])
        (0, 'attack Jc')
        """
        (self._session.listeners.remove if remove else self._session.listeners.add)(callback)

    def close(self) -> None:
        """Clear the table: it is gone from the page, and its bots stop."""
        if hasattr(self, "_session"):
            self._session.end()
        if self._keeping:
            self._keeping.left()
        super().close()

    def __repr__(self) -> str:
        return f"<Table {self.game!r}, played by {', '.join(self.players)}>"

    # What the page says and is told

    def hear(self, message: object) -> None:
        """What a person means is done."""
        message_handlers.hear(self._session, message)

    def went_wrong(self, error: Exception) -> None:
        """What is no message is said with the next scene."""
        self._session.went_wrong("message", error)

    def _show(self, scene: Scene) -> None:
        session = self._session
        keeping = None if session.trial else self._keeping  # what is tried again is no game of its own
        told = keeping and keeping.seen(session.game, session.players.names, taken_back=session.taken_back)
        if told:  # with the scene that shows the same
            session.say("error" if told.key == "table.keep_failed" else "told", told.key.removeprefix("table."), **told.facts)
            return session.refresh()
        self.set_trait("bots", [*PEOPLE, *names()])
        return self.set_trait("scene", scene)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """What the page changes, where it may; which hands lie open where a task is set, its author says."""
        mine = {name: value for name, value in sync_data.items() if name != "hands" or self.task is None}
        super().set_state(mine)
        if len(mine) < len(sync_data):
            self.send_state("hands")

    def _rests(self) -> None:
        """Whoever sits there wants the games kept, or no longer."""
        if self._keeping:
            self._keeping.rests = not self.keeps

    def _reword(self) -> None:
        with self._session.lock:
            self.set_trait("words", screen(self.language))
            self._session.update()

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live table, as an output: bots wait until somebody looks."""
        with self._session.lock:
            self._session.wait()
        return super().live()

    def _ipython_display_(self) -> None:
        """A picture, which the live table hides, and the table; whoever sits there is told where games are kept, and how to have it otherwise."""
        super()._ipython_display_()
        if self.comm is not None and self.keep and self.keeps:
            from IPython.display import display  # noqa: PLC0415 - there wherever this is called

            said = Voice(self.language).say("table.keeps", folder=self.keep)
            display({"text/plain": said, "text/html": f'<p class="durak-keeps"><small>{escape(said)}</small></p>'}, raw=True)  # type: ignore[no-untyped-call]

    def _still(self) -> dict[str, str]:
        view = self._session.view(stored=True)
        voice = self._session.voices(view).spoken
        bundle = Picture(view, four_colors=self.four_colors, language=self.language, people=voice.people)._repr_mimebundle_()
        return standing_for(bundle["text/html"], voice.say("table.picture"), bundle["text/plain"])
