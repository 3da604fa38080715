"""Defines the tournament widget: progress, standings, buttons, and a card table below."""

from __future__ import annotations

from html import escape
from inspect import signature
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

import traitlets
from ipywidgets import HTML, Box, Layout  # type: ignore[import-untyped]

from durak_widget.arena import standings_page
from durak_widget.arena.result_sentences import COLOR_STYLE
from durak_widget.arena.standings_page import TABLE_STYLE, format_ranking, render_places_table
from durak_widget.arena.tournament_runner import Run
from durak_widget.atomic_files import replace_text
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.i18n import Translator
from durak_widget.table.table_widget import Table
from durak_widget.tournament_widget.background_run import BackgroundRun, format_error
from durak_widget.tournament_widget.view_model import (
    PART_NAMES,
    build_game_list,
    build_tournament_view,
    format_seats,
    precompute,
    render_part,
)
from durak_widget.widgets.base_widget import LanguageThemeMixin, StaticPictureWidget, build_picture_bundle, load_front_end_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from durak_widget.arena.result_types import ResultData, RunData
    from durak_widget.engine.game import Game
    from durak_widget.rules.ruleset import Rules
    from durak_widget.tournament_widget.background_run import RunState

REDRAW_SECONDS: Final = 3.0
"""The minimum time in seconds between two updates, during play, of the parts that the user has opened."""
_MESSAGE_KINDS: Final = ("start", "stop", "open_part", "list_games", "open_game", "close_table")
_CAPTION_STYLE: Final = "margin:10px 0 6px;font-size:14px;line-height:1.4;white-space:normal;overflow-wrap:anywhere"


def _make_run(bots: Any, rules: Rules | str | None, options: dict[str, Any]) -> RunData:  # noqa: ANN401 - as `Tournament` takes it
    """Return `bots` itself if it is a tournament run, or else a new run with these bots."""
    if hasattr(bots, "ranking") and hasattr(bots, "play_on"):
        if rules is not None or options:
            raise DurakError(f"this run is already set up; leave out {', '.join(['rules'] * (rules is not None) + list(options))}")
        run: RunData = bots
        return run
    run_options = [name for name in signature(Run).parameters if name not in {"bots", "rules"}]
    for name in options:
        if name not in run_options:
            raise DurakError(
                f"Tournament has no option {name!r}.{suggest_nearest(name, [*run_options, *LanguageThemeMixin.setting_names, 'layout'])} Its options are {', '.join([*run_options, *LanguageThemeMixin.setting_names, 'layout'])}"
            )
    return Run(bots, rules, **options)


class Tournament(LanguageThemeMixin, StaticPictureWidget):
    """A widget for a tournament in the background; buttons or code start and stop it.

    `.result` is the result so far; `.go()`, `.stop()`; `.play()` plays in the foreground; `.look(n)` opens a game on a table;
    `.save("wall.html")` saves the standings as a page.
    """

    _esm = load_front_end_file("contest.js")
    _css = load_front_end_file("contest.css")
    message_kinds = _MESSAGE_KINDS

    tournament_view = traitlets.Dict(read_only=True).tag(sync=True)
    opened_parts = traitlets.Dict(read_only=True).tag(sync=True)
    game_list = traitlets.Dict(read_only=True).tag(sync=True)
    opened_game = traitlets.Int(None, allow_none=True, read_only=True).tag(sync=True)
    styles = traitlets.Unicode(COLOR_STYLE + TABLE_STYLE, read_only=True).tag(sync=True)

    def __init__(
        self,
        bots: Any,  # noqa: ANN401 - whoever may take part, or what is played already
        rules: Rules | str | None = None,
        *,
        layout: Layout | dict[str, str] | None = None,
        clock: Callable[[], float] = monotonic,
        **more: Any,  # noqa: ANN401 - as `arena.play` takes it
    ) -> None:
        """Create the widget from bots and rules, or from an `arena.Run`, without starting to play.

        It takes the options of `arena.play` (`games`, `seed`, `file` …), and `language` and `theme`.
        """
        appearance = {name: more.pop(name) for name in self.setting_names if name in more}
        run = _make_run(bots, rules, more)
        self._apply_settings(appearance)
        self._clock, self._parts_updated_at = clock, -REDRAW_SECONDS
        self._opened_parts: set[str] = set()
        self._listed_range = (-1, 0)
        self._table_below = TableBelow(self)
        self._picture_output: Any = None
        self._background_run = BackgroundRun(run, self._handle_change, lambda result: precompute(result, self._opened_parts), clock)
        self._shown_state = self._background_run.state
        self._update_everything()
        super().__init__(layout=layout)
        self.observe(lambda _: self._handle_appearance_change(), ["language", "theme"])

    # --- Called by users ---

    @property
    def result(self) -> ResultData:
        """Return the result of the tournament so far."""
        return self._background_run.result

    @property
    def state(self) -> RunState:
        """Return the state: `idle`, `playing`, `stopping`, `stopped`, `done` or `failed`."""
        return self._background_run.state

    def go(self) -> Tournament:
        """Start or resume the tournament in the background."""
        if not self._background_run.go():
            raise DurakError("tournaments cannot run in the background here; use tournament.play(), which plays the games now")
        return self

    def stop(self) -> Tournament:
        """Start no new games; games that have begun are played to their end."""
        self._background_run.stop()
        return self

    def play(self) -> ResultData:
        """Play all remaining games in the foreground; if you interrupt this, no results are lost."""
        return self._background_run.play()

    def show_game(self, game_number: int) -> Table:
        """Open a game on the card table below the tournament, at its first move."""
        game, games = as_whole_number(game_number), self.result.games
        if game is None or not 0 <= game < len(games):
            range_note = f"there are {len(games)}, numbered from 0" if len(games) else "no game has been played yet"
            raise DurakError(f"there is no game {short_repr(game_number)} to open; {range_note}")
        self._table_below.open_game(game, games[game].game, self._format_seats(game))
        self.set_trait("opened_game", game)
        assert self._table_below.table is not None  # noqa: S101 - it has just been laid
        return self._table_below.table

    @property
    def table(self) -> Table | None:
        """Return the card table below the tournament; None if no game is open on it."""
        return self._table_below.table

    def close_table(self) -> None:
        """Remove the card table below the tournament."""
        self._table_below.close_table()
        self.set_trait("opened_game", None)

    def to_html(self) -> str:
        """Return the standings as one HTML page."""
        return standings_page.render_page(self.result, self.language)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the standings as an HTML file."""
        try:
            replace_text(path, self.to_html())
        except OSError as error:
            msg = f"cannot write the page to {short_repr(str(path))}: {error.strerror or type(error).__name__}"
            raise DurakError(msg) from None

    def close(self) -> None:
        """Stop the tournament, and remove the widget."""
        playing: BackgroundRun | None = getattr(self, "_background_run", None)  # The attribute is missing if __init__ failed
        if playing is not None:
            playing.close()
            self._table_below.close()
        super().close()

    # --- Called by the front end ---

    def handle_message(self, message: object) -> None:
        """Handle a message from the front end, such as a click on a button."""
        with self._background_run.lock:
            self._dispatch_message(message)

    def _dispatch_message(self, message: object) -> None:
        match message:
            case {"kind": "start"}:
                self.go()
            case {"kind": "stop"}:
                self.stop()
            case {"kind": "open_part", "part": str(part)} if part in PART_NAMES:
                self._opened_parts.add(part)
                self._update_parts()
            case {"kind": "list_games", "player": int(player), "first_game": int(first)} if (
                -1 <= player < len(self.result.names) and first >= 0
            ):
                self._listed_range = (player, first)
                self._opened_parts.add("games")
                self._update_game_list()
            case {"kind": "open_game", "game": int(game)}:
                self.show_game(game)
            case {"kind": "close_table"}:
                self.close_table()
            case _:
                raise DurakError(f"the tournament does not understand the message {short_repr(message)}")

    def report_error(self, error: Exception) -> None:
        """Send an error message to the front end."""
        self.send({"kind": "error", "text": format_error(error)})

    def _handle_change(self) -> None:
        """Update the widget after a change of the tournament.

        The state is always updated; opened parts now and then, and when the run stops.
        """
        with self._background_run.lock:  # The lock ensures that an older update is never sent after a newer one
            self._update_view()

    def _update_view(self) -> None:
        """Update the progress and standings; now and then, update the parts the user has opened."""
        self.set_trait("tournament_view", build_tournament_view(self._background_run, self.language))
        state = self._background_run.state
        has_changed = state != self._shown_state
        if has_changed or self._clock() - self._parts_updated_at >= REDRAW_SECONDS:
            self._update_parts()
            if "games" in self._opened_parts:
                self._update_game_list()
        if has_changed and state in {"stopped", "done", "failed"} and self._picture_output is not None:
            self._picture_output.update(self._build_static_bundle(), raw=True)
        self._shown_state = state

    def _update_parts(self) -> None:
        """Render the parts of the widget that the user has opened."""
        self._parts_updated_at = self._clock()
        self.set_trait(
            "opened_parts", {name: render_part(name, self.result, self.language) for name in PART_NAMES if name in self._opened_parts}
        )

    def _update_game_list(self) -> None:
        """Update the opened page of the list of games."""
        bot_index, first_index = self._listed_range
        self.set_trait("game_list", build_game_list(self.result, bot_index, first_index, self.language))

    def _update_everything(self) -> None:
        """Update the progress, the standings and all parts that the user has opened."""
        self.set_trait("tournament_view", build_tournament_view(self._background_run, self.language))
        self._update_parts()
        if "games" in self._opened_parts:
            self._update_game_list()

    def _handle_appearance_change(self) -> None:
        """Apply a new language or theme to the widget and the card table below it."""
        with self._background_run.lock:
            self._update_everything()
            self._table_below.copy_appearance()
            if self._table_below.game_number is not None:
                self._table_below.set_caption(self._format_seats(self._table_below.game_number))

    def _format_seats(self, game: int) -> str:
        """Format the players of a game with their seats, as a caption above the card table."""
        return format_seats(self.result.games.list_headers()[game], Translator(self.language))

    # --- Static output ---

    def __repr__(self) -> str:
        return f"<Tournament: {self.result.games_played} of {self.result.games_planned} games>"

    def __str__(self) -> str:
        return format_ranking(self.result, self.language)

    def _build_static_bundle(self) -> dict[str, str]:
        """Return the standings in static formats, for print, GitHub and pages without widgets."""
        return build_picture_bundle(
            render_places_table(self.result, self.language), Translator(self.language).translate("arena.live.note"), str(self)
        )

    def build_live_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget and the card table below it as a single notebook output."""
        return self._table_below.build_live_bundle()

    def _ipython_display_(self) -> None:
        """Display the standings as static text, and then the live widget, which hides this text.

        The standings are updated when the run stops.
        """
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        self._picture_output = display(self._build_static_bundle(), raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if self.comm is not None:  # After the widget is closed, its connection `comm` is None
            data, metadata = self.build_live_bundle()
            display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]


class HasLanguageAndTheme(Protocol):
    """The type of a widget that passes its language and theme on to a card table below it."""

    language: str
    theme: str


class TableBelow:
    """A box that displays a widget and, below it, a card table."""

    def __init__(self, widget_above: HasLanguageAndTheme) -> None:
        self._widget_above = widget_above
        self.table: Table | None = None
        self.game_number: int | None = None
        """The number of the game on the card table; None if there is no card table."""
        self._caption: HTML | None = None
        self._box: Box | None = None

    def open_game(self, game_number: int, game: Game, caption: str) -> None:
        """Open a game on the card table, at its first move and with a caption."""
        game.goto(0)
        self.game_number = game_number
        if self.table is None:
            self.table = Table(
                game,
                dict.fromkeys(range(game.seats), "you"),
                covers=False,
                keep=False,
                hands="open",
                language=self._widget_above.language,
                theme=self._widget_above.theme,
                layout={"width": "auto"},
            )
            self._caption = HTML(layout=Layout(width="auto", height="auto", margin="0"))
        else:
            self.table.game = game
        self.set_caption(caption)
        self._update_children()

    def set_caption(self, caption: str) -> None:
        """Set the caption above the card table."""
        if self._caption is not None:
            self._caption.value = f'<p lang="{self._widget_above.language}" style="{_CAPTION_STYLE}">{escape(caption)}</p>'

    def copy_appearance(self) -> None:
        """Copy the language and theme of the widget to the card table below it."""
        if self.table is not None:
            self.table.language, self.table.theme = self._widget_above.language, self._widget_above.theme

    def close_table(self) -> None:
        """Remove the card table and its caption."""
        removed = self._caption, self.table
        self._caption = self.table = self.game_number = None
        self._update_children()
        for widget in removed:
            if widget is not None:
                widget.close()

    def build_live_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget and the card table below it as a single notebook output."""
        if self._box is None:
            self._box = Box(layout=Layout(display="flex", flex_flow="column", align_items="stretch", overflow="visible", width="100%"))
            self._update_children()
        data = self._box._repr_mimebundle_() or {}
        return {kind: content for kind, content in data.items() if not kind.startswith("text/")}, {}

    def close(self) -> None:
        """Close the card table, its caption, and the box that contains them."""
        self.close_table()
        if self._box is not None:
            self._box.close()
            self._box = None

    def _update_children(self) -> None:
        """Put the widget, and the caption and card table if they are open, into the box."""
        children = tuple(child for child in (self._widget_above, self._caption, self.table) if child is not None)
        if self._box is not None and self._box.children != children:
            self._box.children = children
