"""Defines the widget `Table`, which displays a game in a notebook and lets people play."""

from __future__ import annotations

from html import escape
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import traitlets

from durak_widget.bots.bot import OPPONENT_BOTS, names
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.engine.moves import IllegalMove, Refusal
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.i18n import CARD_LETTERS, Translator, choose_card_letters, find_ambiguous_ten, get_front_end_texts
from durak_widget.table import hints, message_handlers, rules_dialog
from durak_widget.table.analysis_jobs import HintMemory
from durak_widget.table.session import Session
from durak_widget.widgets import saved_games, user_defaults
from durak_widget.widgets.appearance_settings import SETTINGS, AppearanceSettings, list_settings_for_page
from durak_widget.widgets.base_widget import StaticPictureWidget, build_picture_bundle, load_front_end_file, to_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import PlayedMove
    from durak_widget.rules.ruleset import Rules
    from durak_widget.table.hints import Hint
    from durak_widget.table.move_feedback import MoveComment
    from durak_widget.table.players import Player
    from durak_widget.table.scene import CommentWriter, Scene, TaskController
    from durak_widget.widgets.saved_games import Folder, GameSaver


class Table(AppearanceSettings, StaticPictureWidget):
    """A widget with a card table, at which you play against bots or other people.

    `seats` says who plays each seat. This is `"you"` or None for a person, or else a bot: its name, a `Bot`, or a function of an observation
    and a random number generator. `"next"` is the named opponent that you have not beaten yet (see `bots.opponents`). Without `seats`, you play
    seat 0, and careful bots play the others.

    >>> from durak_widget import Rules
    >>> table = Table(Rules(players=3), seats={0: "you", 1: "careful", 2: "random"}, seed=7)
    >>> table.game.actor, table.seat, table.players
    (1, 0, ('you', 'careful', 'random'))
    >>> table.play(table.game.legal_moves()[0])
    >>> table.game.ply
    1
    """

    _game_saver: GameSaver | None = None
    _esm = load_front_end_file("widget.js")
    message_kinds = message_handlers.MESSAGE_KINDS.keys()
    on_demand_files: ClassVar[Mapping[str, str | Path]] = {
        "panels": load_front_end_file("panels.js"),
        "extras": load_front_end_file("extras.js"),
    }

    scene = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)
    settings = traitlets.List(list_settings_for_page(), read_only=True).tag(sync=True)
    bots = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    saves_games = traitlets.Bool(False).tag(sync=True, page=True)

    def __init__(
        self,
        game: Game | Match | Rules | str | None = None,
        seats: Mapping[int, Player] | None = None,
        *,
        seed: int | str | None = None,
        language: str | None = None,
        theme: str | None = None,
        skin: str | None = None,
        back: str | None = None,
        four_colors: bool | None = None,
        card_letters: str | None = None,
        size: str | None = None,
        motion: bool | None = None,
        sound: bool | None = None,
        pace: int | None = None,
        early: bool | None = None,
        covers: bool | None = None,
        aids: bool | None = None,
        memory: bool | None = None,
        coach: bool | None = None,
        chances: bool | None = None,
        steps: bool | None = None,
        hands: str | None = None,
        door: bool | str | Iterable[str] = False,
        keep: Folder | Literal[False] | None = None,
        shown_as: Mapping[int, str] | None = None,
        layout: Layout | dict[str, str] | None = None,
        **unknown: object,
    ) -> None:
        """Create a table for a given game or match, or for a new game with given rules.

        Each setting can be changed later too, as a property or in the settings panel. None stands for the default, or
        for the one that you have set with `durak_widget.defaults`.

        Args:
            game: A game or a match to open; or the rules of a new game, as `Rules`, as the name of a preset or as text.
            seats: Who plays each seat. See above.
            seed: Decides the deal of a new game: the same seed and rules give the same cards.
            language: A language code: `"en"`, `"lt"` or `"ru"`. Default: `"en"`.
            theme: The colours of the table: `"light"`, `"dark"`, `"contrast"`, or `"auto"` as the page has it. Default: `"auto"`.
            skin: The cloth of the table: `"felt"`, `"slate"` or `"linen"`. Default: `"felt"`.
            back: The backs of the cards: `"lattice"`, `"rings"` or `"reeds"`. Default: `"lattice"`.
            four_colors: Whether clubs are green and diamonds blue. Default: `False`.
            card_letters: The letters on the cards. `"auto"` is as usual in the language, `"international"` is J Q K A. Default: `"auto"`.
            size: `"normal"`, or `"large"` for the back of a classroom. Default: `"normal"`.
            motion: Whether cards move from place to place. Default: `True`.
            sound: Whether each card makes a soft tap. Default: `False`.
            pace: How long a bot seems to think, in milliseconds. Default: `900`.
            early: Whether a card that you choose while others act waits, and is played as soon as it can be. Default: `False`.
            covers: Whether the hand is covered between the turns of two people who share a screen. Default: `True`.
            aids: Whether hovering over a card shows what it beats. Default: `True`.
            memory: Whether the player can look at a list of the cards seen. Default: `False`.
            coach: Whether a short comment follows an expensive move. Default: `False`.
            chances: Whether a bar shows the expected result. Default: `False`.
            steps: Whether bots wait for *Next step* before each of their moves. Default: `False`.
            hands: Which hands are visible: `"own"`, `"open"` for all of them, `"hidden"` for none. Default: `"own"`.
            door: Whether the rules dialog is open at the start; or the presets that it offers first.
            keep: The folder in which the table saves games; False for none.
            shown_as: Bots that are shown as a named opponent, by seat. See the property of the same name.
            layout: A layout of ipywidgets, such as `{"width": "400px"}`.
            unknown: Nothing else is allowed. The error names the nearest setting.
        """
        settings = {name: value for name, value in locals().items() if name in SETTINGS and value is not None}
        if unknown:
            name = next(iter(unknown))
            raise DurakError(
                f"Table has no option {name!r}.{suggest_nearest(name, [*SETTINGS, 'door', 'keep', 'shown_as', 'layout'])} Its options are {', '.join(SETTINGS)}, door, keep, shown_as and layout"
            )
        layout = to_layout(layout)
        for name, value in {**user_defaults.get_defaults(), **settings}.items():
            setattr(self, name, value)
        self.set_trait("door", rules_dialog.parse_rules_dialog_option(door))
        self._session = Session(game, seats, appearance=self, show=self._show_scene, send=self.send, seed=seed)
        self._session.players.shown_as = shown_as or {}
        self.observe(lambda _: self._update_saving(), "saves_games")
        self.keep = user_defaults.get_save_folder() if keep is None else keep
        self._update_words()
        super().__init__(layout=layout)  # This call sends the state to the front end, so the state must be complete by now.
        self.observe(lambda _: self._update_words(), ["language", "card_letters"])
        self.observe(lambda _: self._session.apply_pace(), "pace")
        self.observe(lambda _: self._session.update(), ["hands", "covers"])
        self.observe(lambda _: self._session.apply_step_setting(), "steps")
        self.observe(lambda change: self._session.handle_help_change(is_on=change["new"]), "coach")
        self.observe(lambda _: self._session.handle_chances_change(), "chances")
        if self.chances:
            self._session.handle_chances_change()

    # --- The Python interface of the table ---

    @property
    def game(self) -> Game:
        """Return the game on the table; assign a game to open it.

        After changing the game in code, call `refresh`.
        """
        return self._session.game

    @game.setter
    def game(self, game: Game) -> None:
        if not isinstance(game, Game):
            raise DurakError(f"{short_repr(game)} is not a Game; to begin a new game with other rules, use table.rules = …")
        self.match = Match.from_game(game, seed=self._session.deal_rng.getrandbits(32))

    @property
    def match(self) -> Match:
        """Return the match to which the game belongs; assign a match to open it."""
        return self._session.match

    @match.setter
    def match(self, match: Match) -> None:
        if not isinstance(match, Match):
            raise DurakError(f"{short_repr(match)} is not a Match; to open a single game, use table.game = …")
        self._session.open_match(match)

    @property
    def rules(self) -> Rules:
        """Return the rules of the match; assign rules to begin a new match with them."""
        return self._session.match.rules

    @rules.setter
    def rules(self, rules: Rules | str) -> None:
        self.game = Game(rules, seed=self._session.deal_rng.getrandbits(32))

    @property
    def seat(self) -> int:
        """Return the seat that is shown at the bottom of the table, with its hand.

        If several people play, it follows the person whose turn it is. If only bots play, assign a seat to see the table from there.
        """
        return self._session.find_viewer()[0]

    @seat.setter
    def seat(self, seat: int) -> None:
        with self._session.lock:
            self._session.players.set_present(seat)
            self._session.refresh()

    @property
    def players(self) -> tuple[str, ...]:
        """Return the name of each seat's player: `you` for a person, or the name of a bot."""
        return self._session.players.names

    @property
    def shown_as(self) -> dict[int, str]:
        """Return the bots that are shown as a named opponent; assign a dict to change them.

        The table shows the opponent's name and portrait at the seat. The bot plays as before, and the game does not count against the opponent.
        Except in an exercise, they can't change in a game that has begun.

        >>> table = Table(seats={1: "first"}, shown_as={1: "aunt"})
        >>> table.players, table.opponent_keys
        (('you', 'first'), ((1, 'aunt'),))
        """
        return self._session.players.shown_as

    @shown_as.setter
    def shown_as(self, shown_as: Mapping[int, str]) -> None:
        with self._session.lock:
            if self.game.last_ply and self.task is None:
                raise DurakError(
                    "shown_as can't change in a game that has begun, because it decides whether the game counts against an opponent. "
                    "Set it before the first move, or make a new table with Table(shown_as=…)"
                )
            self._session.players.shown_as = shown_as
            self._session.refresh()

    @property
    def opponent_keys(self) -> tuple[tuple[int, str], ...]:
        """Return the seats that show a named opponent, each with the opponent's key.

        A `Translator` with these keys names the players as the table does.
        """
        return self._session.players.shown_opponents

    @property
    def task(self) -> TaskController | None:
        """Return the object that runs the exercise at the table; None for an ordinary game."""
        return self._session.task

    @task.setter
    def task(self, task: TaskController | None) -> None:
        session = self._session
        with session.lock:
            if task is not session.task:
                session.task, session.hints = task, HintMemory()  # Forget any stored hint, because it belongs to the earlier exercise.
                session.jobs.cancel("hint")
                session.refresh()

    @property
    def commentary(self) -> CommentWriter | None:
        """Return the function that comments on the last move; assign a function to replace it.

        The table calls it with a translator, but not before the first move. It returns a list of sentences, or an empty list to keep the
        usual description of the move.

        >>> table = Table(seed=7)
        >>> table.commentary = lambda voice: ["Well begun."]
        >>> table.play("attack Jc"); table.scene["commentary"]
        ['Well begun.']
        """
        return self._session.comment_writer

    @commentary.setter
    def commentary(self, commentary: CommentWriter | None) -> None:
        with self._session.lock:
            self._session.comment_writer = commentary
            self._session.refresh()

    @property
    def coach_comment(self) -> MoveComment | None:
        """Return the coach's comment on the viewer's last move; None if there is no comment.

        >>> from durak_widget import Rules
        >>> ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
        >>> table = Table(ending, seats={1: "first"}, coach=True)
        >>> table.play("attack 9c")
        >>> print(table.coach_comment.to_text())
        You had a sure win, but that move loses it. To win, attack with the 7 of diamonds.
        """
        return self._session.get_coach_comment()

    @property
    def keep(self) -> str | None:
        """Return the folder in which the table saves games; assign a folder, or False for none.

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
        return None if self._game_saver is None else self._game_saver.folder

    @keep.setter
    def keep(self, folder: Folder | Literal[False]) -> None:
        folder_name = saved_games.parse_folder_option(folder)
        with self._session.lock:
            self._game_saver = None if folder_name is None else saved_games.GameSaver(folder_name)
            # If there is a folder, the settings panel has a switch for saving.
            self.set_trait(
                "settings",
                [*list_settings_for_page(), *([{"name": "saves_games", "key": "keeps", "group": "play"}] if folder_name else [])],
            )
            self.saves_games = folder_name is not None
            if folder_name:
                self._session.refresh()

    @property
    def keeps(self) -> bool:
        """Return the setting `saves_games`; older programs use this former name."""
        return bool(self.saves_games)

    @keeps.setter
    def keeps(self, value: bool) -> None:
        self.saves_games = value

    @property
    def failures(self) -> dict[int | str, Exception]:
        """Return the last errors of bots (by seat) and of other user-written code (by name).

        The page shows only that there was an error, because its text may name hidden cards.

        >>> Table(seed=1).failures
        {}
        """
        return dict(self._session.players.failures)

    def seat_player(self, seat: int, player: Player) -> None:
        """Change who plays a seat: a person (`"you"`) or a bot.

        >>> table = Table(seed=1)
        >>> table.seat_player(1, "random"); table.players
        ('you', 'random')
        """
        self._session.seat_player(seat, player)

    def play(self, move: Move | str) -> None:
        """Make a move for the player whose turn it is; raise `IllegalMove` if the move is illegal.

        If the cards show T for the ace, `Ts` can be the ten or the ace of spades. If both moves are legal, it is refused.

        >>> table = Table("podkidnoy", seed=7)
        >>> table.play("take")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        durak_widget.engine.moves.IllegalMove: There is nothing to take: the table is empty. Seat 0 can play: attack Jc, attack 9d, attack Th, attack Jh, attack Qh, attack 6s
        """
        letters = CARD_LETTERS[choose_card_letters(self.language, self.card_letters)]
        if isinstance(move, str) and (facts := find_ambiguous_ten(move, letters)):
            ten_is_legal, ace_is_legal = (not self.game.why_not(text) for text in (move, facts["as_ace"]))
            if ten_is_legal and ace_is_legal:
                raise IllegalMove(Refusal("unreadable.ten", facts))
            if ace_is_legal:
                move = facts["as_ace"]
        self._session.play(move)

    def step(self) -> bool:
        """Let the bot whose turn it is make its move now; return False if it is no bot's turn.

        >>> table = Table(seats={0: "random", 1: "careful"}, seed=7)
        >>> while table.step():
        ...     pass
        >>> table.game.outcome is not None
        True
        """
        return self._session.step()

    def hint(self) -> Hint | None:
        """Return a hint (a thought, a move and a reason); None if it is not your turn.

        The page does not show this hint, but the game no longer counts against an opponent.

        >>> hint = Table(Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1, talon="8d 8s 8h")).hint()
        >>> print(hint.thought, hint.move, hint.reason, sep=chr(10))
        You can beat the card without a trump.
        beat 7c 9c
        It is the lowest card that works, and it isn't a trump.
        """
        with self._session.lock:
            view, voice, task = self._session.build_view(), self._session.get_voices(self._session.build_view()).spoken, self.task
            if not view.legal_moves():
                return None
            self._session.was_helped = True
            hint = None if task is None else hints.wrap_task_hint(task.hint())
            view = self._session.game.view(view.seat)
        if hint is None:
            hint = hints.find_hint(self._session.adviser, view, Random(0)).translate(voice)
        return hint if isinstance(hint, hints.Hint) else None

    def refresh(self) -> None:
        """Update the displayed table, and let bots move, after your code has changed the game.

        >>> table = Table(seed=7)
        >>> table.game.play("attack Jc"); table.refresh(); table.scene["ply"]
        1
        """
        self._session.update()

    def on_move(self, callback: Callable[[PlayedMove], object], *, remove: bool = False) -> None:
        """Call `callback` with each later move, as in `table.on_move(print)`.

        The moves contain hidden information: the cards of swaps. With `remove`, the callback gets no more moves.

        >>> table, moves = Table(seed=7), []
        >>> table.on_move(moves.append)
        >>> table.play("attack Jc"); moves[0].seat, str(moves[0])
        (0, 'attack Jc')
        """
        (self._session.listeners.remove if remove else self._session.listeners.add)(callback)

    def close(self) -> None:
        """Remove the table, stop its bots, and save a game that has not ended."""
        if hasattr(self, "_session"):
            self._session.stop()
        if self._game_saver:
            self._game_saver.save_unfinished()
        super().close()

    def __repr__(self) -> str:
        return f"<Table {self.game!r}, played by {', '.join(self.players)}>"

    # --- Communication with the front end ---

    def handle_message(self, message: object) -> None:
        """Handle a message from the front end."""
        message_handlers.handle_message(self._session, message)

    def report_error(self, error: Exception) -> None:
        """Tell the user that a message from the front end has caused an error."""
        self._session.report_error("message", error)

    def _show_scene(self, scene: Scene) -> None:
        session = self._session
        # A retry of a turning point is not saved, because it is not a game of its own.
        game_saver = None if session.retry else self._game_saver
        fact = game_saver and game_saver.update(
            session.game, session.players.names, taken_back=session.is_taken_back, is_reopened=session.is_reopened
        )
        if fact:  # This refresh sends a new scene, which contains the note about saving.
            session.set_translated_note(
                "error" if fact.key == "table.keep_failed" else "info", fact.key.removeprefix("table."), **fact.facts
            )
            return session.refresh()
        self.set_trait("bots", [*OPPONENT_BOTS, *names()])
        return self.set_trait("scene", scene)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Apply the front end's changes of traits, but not of `hands` during an exercise."""
        allowed = {name: value for name, value in sync_data.items() if name != "hands" or self.task is None}
        super().set_state(allowed)
        if len(allowed) < len(sync_data):
            self.send_state("hands")

    def _update_saving(self) -> None:
        """Apply the switch in the settings panel that turns the saving of games on or off."""
        if self._game_saver:
            self._game_saver.is_paused = not self.saves_games

    def _update_words(self) -> None:
        with self._session.lock:
            self.set_trait("words", get_front_end_texts(self.language, self.card_letters))
            self._session.update()

    def build_live_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the notebook output for the live table; make bots wait until someone looks at it."""
        with self._session.lock:
            self._session.wait_for_viewer()
        return super().build_live_bundle()

    def _ipython_display_(self) -> None:
        """Display the live table, and a picture that replaces it where widgets cannot run.

        If the table saves games, also display a note that says where.
        """
        super()._ipython_display_()
        if self.comm is not None and self.keep and self.saves_games:
            from IPython.display import display  # noqa: PLC0415 - there wherever this is called

            note = Translator(self.language).translate("table.keeps", folder=self.keep)
            display({"text/plain": note, "text/html": f'<p class="durak-saving-note"><small>{escape(note)}</small></p>'}, raw=True)  # type: ignore[no-untyped-call]

    def _build_static_bundle(self) -> dict[str, str]:
        view = self._session.build_view(for_storage=True)
        voice = self._session.get_voices(view).spoken
        picture = Picture(
            view,
            four_colors=self.four_colors,
            language=self.language,
            names=voice.opponent_keys,
            card_letters=self.card_letters,
            with_badge=True,
        )
        bundle = picture._repr_mimebundle_()
        return build_picture_bundle(bundle["text/html"], voice.translate("table.picture"), bundle["text/plain"])
