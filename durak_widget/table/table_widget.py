"""The table widget: it shows a game to the person at the screen, and makes their moves."""

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
        """Create a table for a game, a match, or a new game under some rules (`seed` deals it).

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
        super().__init__(layout=layout)  # opens the connection and sends the whole state
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
        """Return the game on the table; assign another to open it.

        After changing the game in code, call `refresh`.
        """
        return self._session.game

    @game.setter
    def game(self, game: Game) -> None:
        if not isinstance(game, Game):
            raise DurakError(f"{quoted(game)} is not a Game; say table.rules = … to begin a new one under other rules")
        self.match = Match.of(game, seed=self._session.random.getrandbits(32))

    @property
    def match(self) -> Match:
        """Return the match that the game belongs to; assign another to play it."""
        return self._session.match

    @match.setter
    def match(self, match: Match) -> None:
        if not isinstance(match, Match):
            raise DurakError(f"{quoted(match)} is not a Match; a single game is laid by table.game = …")
        self._session.lay(match)

    @property
    def rules(self) -> Rules:
        """Return the rules; assign others to begin a new match under them."""
        return self._session.match.rules

    @rules.setter
    def rules(self, rules: Rules | str) -> None:
        self.game = Game(rules, seed=self._session.random.getrandbits(32))

    @property
    def seat(self) -> int:
        """Return the seat at the bottom, whose hand is shown.

        It follows the people at the table; assign it where only bots play.
        """
        return self._session.viewer()[0]

    @seat.setter
    def seat(self, seat: int) -> None:
        with self._session.lock:
            self._session.players.arrive(seat)
            self._session.refresh()

    @property
    def players(self) -> tuple[str, ...]:
        """Return the player of each seat: `you`, or the name of a bot."""
        return self._session.players.names

    @property
    def task(self) -> Setter | None:
        """Return the controller of the task set here; it restarts the task and gives the hints."""
        return self._session.setter

    @task.setter
    def task(self, task: Setter | None) -> None:
        session = self._session
        with session.lock:
            if task is not session.setter:
                session.setter, session.hints = task, Hints()  # forget the hint of another task
                session.jobs.drop("hint")
                session.refresh()

    @property
    def says(self) -> Says | None:
        """Return the function that comments on the last move; it takes a voice.

        It returns sentences for the table, or none if the usual description will do.

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
        """Return the coach's comment on the last move of the person at the table, or None.

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
        """Return the folder in which the games are saved, or None; assign another, or False.

        Each game is a small file that `Game.load` reads.

        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> table = Table(seats={0: "careful", 1: "random"}, seed=7, keep=folder)
        >>> while table.step():
        ...     pass
        >>> from pathlib import Path
        >>> [saved] = Path(folder).glob("*.durak")
        >>> Game.load(saved).outcome == table.game.outcome
        True
        """
        return None if self._keeping is None else self._keeping.folder

    @keep.setter
    def keep(self, folder: Folder | Literal[False]) -> None:
        folder_name = saved_games.folder_of(folder)
        with self._session.lock:
            self._keeping = None if folder_name is None else saved_games.Keeping(folder_name)
            self.set_trait("settings", [*settings(), *([{"name": "keeps"}] if folder_name else [])])  # it can be switched off in the panel
            self.keeps = folder_name is not None
            if folder_name:
                self._session.refresh()

    @property
    def failures(self) -> dict[int | str, Exception]:
        """Return the last error of each bot by seat, and of other code by name, such as `on_move`.

        The page only learns that there was one, since an error may name cards.

        >>> Table(seed=1).failures
        {}
        """
        return dict(self._session.players.failures)

    def seat_player(self, seat: int, player: Player) -> None:
        """Change the player of a seat from now on: you, or a bot.

        >>> table = Table(seed=1)
        >>> table.seat_player(1, "random"); table.players
        ('you', 'random')
        """
        self._session.put(seat, player)

    def play(self, move: Move | str) -> None:
        """Make a move for the seat to act and show it; an `IllegalMove` says why it is refused.

        >>> table = Table("podkidnoy", seed=7)
        >>> table.play("take")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        durak_widget.engine.moves.IllegalMove: There is nothing to take: no card lies on the table. Seat 0 may: attack Jc, ...
        """
        self._session.play(move)

    def step(self) -> bool:
        """Let the bot that is to act make its move now; return False if no bot is to act.

        >>> table = Table(seats={0: "random", 1: "careful"}, seed=7)
        >>> while table.step():
        ...     pass
        >>> table.game.outcome is not None
        True
        """
        return self._session.step()

    def hint(self) -> Hint | None:
        """Return a hint: a thought, the move that it leads to, and why; None if you can't move.

        Nothing is shown, but the game no longer counts against an opponent.

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
            hint = None if task is None else hints.of_task(task.hint())
            view = self._session.game.view(view.seat)
        if hint is None:
            hint = hints.counsel(self._session.adviser, view, Random(0)).said(voice)
        return hint if isinstance(hint, hints.Hint) else None

    def refresh(self) -> None:
        """Show the game as it is now, after it was changed in code.

        >>> table = Table(seed=7)
        >>> table.game.play("attack Jc"); table.refresh(); table.scene["ply"]
        1
        """
        self._session.update()

    def on_move(self, callback: Callable[[Played], object], *, remove: bool = False) -> None:
        """Call `callback` after every move with that move, as in `table.on_move(print)`.

        Like `table.game` it tells everything, also which cards were swapped.

        >>> table, heard = Table(seed=7), []
        >>> table.on_move(heard.append)
        >>> table.play("attack Jc"); heard[0].seat, str(heard[0])
        (0, 'attack Jc')
        """
        (self._session.listeners.remove if remove else self._session.listeners.add)(callback)

    def close(self) -> None:
        """Remove the table from the page and stop its bots."""
        if hasattr(self, "_session"):
            self._session.end()
        if self._keeping:
            self._keeping.left()
        super().close()

    def __repr__(self) -> str:
        return f"<Table {self.game!r}, played by {', '.join(self.players)}>"

    # Messages and state of the page

    def hear(self, message: object) -> None:
        """Do what a message from the page asks."""
        message_handlers.hear(self._session, message)

    def went_wrong(self, error: Exception) -> None:
        """Report a message that could not be handled with the next scene."""
        self._session.went_wrong("message", error)

    def _show(self, scene: Scene) -> None:
        session = self._session
        game_saver = None if session.trial else self._keeping  # a retry is not a game of its own
        fact = game_saver and game_saver.seen(session.game, session.players.names, taken_back=session.taken_back)
        if fact:  # send it with the scene that shows this
            session.say("error" if fact.key == "table.keep_failed" else "told", fact.key.removeprefix("table."), **fact.facts)
            return session.refresh()
        self.set_trait("bots", [*PEOPLE, *names()])
        return self.set_trait("scene", scene)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Apply changes from the page that are allowed; in a task, open hands are not."""
        allowed = {name: value for name, value in sync_data.items() if name != "hands" or self.task is None}
        super().set_state(allowed)
        if len(allowed) < len(sync_data):
            self.send_state("hands")

    def _rests(self) -> None:
        """Switch saving on or off, as the person at the table wants."""
        if self._keeping:
            self._keeping.rests = not self.keeps

    def _reword(self) -> None:
        with self._session.lock:
            self.set_trait("words", screen(self.language))
            self._session.update()

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live table as an output; its bots wait until somebody looks."""
        with self._session.lock:
            self._session.wait()
        return super().live()

    def _ipython_display_(self) -> None:
        """Display a picture, which the live table hides, and the table.

        Then say where games are saved, and how to change that.
        """
        super()._ipython_display_()
        if self.comm is not None and self.keep and self.keeps:
            from IPython.display import display  # noqa: PLC0415 - there wherever this is called

            note = Voice(self.language).say("table.keeps", folder=self.keep)
            display({"text/plain": note, "text/html": f'<p class="durak-keeps"><small>{escape(note)}</small></p>'}, raw=True)  # type: ignore[no-untyped-call]

    def _still(self) -> dict[str, str]:
        view = self._session.view(stored=True)
        voice = self._session.voices(view).spoken
        bundle = Picture(view, four_colors=self.four_colors, language=self.language, people=voice.people)._repr_mimebundle_()
        return standing_for(bundle["text/html"], voice.say("table.picture"), bundle["text/plain"])
