"""The tournament widget: progress, standings, stop and resume, and games on a table below."""

from __future__ import annotations

from html import escape
from inspect import signature
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

import traitlets
from ipywidgets import HTML, Box, Layout  # type: ignore[import-untyped]

from durak_widget.arena import standings_page
from durak_widget.arena.result_sentences import COLORS
from durak_widget.arena.standings_page import LOOKS, places_table, ranking_lines
from durak_widget.arena.tournament_runner import Run
from durak_widget.atomic_files import replace_text
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.i18n import Voice
from durak_widget.table.table_widget import Table
from durak_widget.tournament_widget.background_run import PlayingOn, sentence_of
from durak_widget.tournament_widget.view_model import PARTS, games_of, part_of, ready, seats_of, sheet_of
from durak_widget.widgets.base_widget import Dressed, Pictured, built, standing_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from durak_widget.arena.result_types import ResultTold, RunTold
    from durak_widget.engine.game import Game
    from durak_widget.rules.ruleset import Rules
    from durak_widget.tournament_widget.background_run import State

FRESH: Final = 3.0
"""Seconds between two updates of the opened parts while games are played."""
_KINDS: Final = ("go", "stop", "open", "games", "look", "away")
_SAID: Final = "margin:10px 0 6px;font-size:14px;line-height:1.4;white-space:normal;overflow-wrap:anywhere"


def _run_of(bots: Any, rules: Rules | str | None, terms: dict[str, Any]) -> RunTold:  # noqa: ANN401 - as `Tournament` takes it
    """Return the run to play: the given one, or a new one."""
    if hasattr(bots, "ranking") and hasattr(bots, "go"):
        if rules is not None or terms:
            raise DurakError(f"this run is laid out already; leave {', '.join(['rules'] * (rules is not None) + list(terms))} out")
        run: RunTold = bots
        return run
    known = [name for name in signature(Run).parameters if name not in {"bots", "rules"}]
    for name in terms:
        if name not in known:
            raise DurakError(
                f"Tournament has no option {name!r}.{nearest(name, [*known, *Dressed.wears, 'layout'])} It has {', '.join([*known, *Dressed.wears, 'layout'])}"
            )
    return Run(bots, rules, **terms)


class Tournament(Dressed, Pictured):
    """A tournament played in the background; buttons or code start, stop and resume it.

    `.result` is the result so far; `.go()`, `.stop()`; `.play()` plays in the foreground; `.look(n)` opens a game on a table;
    `.save("wall.html")` saves the standings as a page.
    """

    _esm = built("contest.js")
    _css = built("contest.css")
    kinds = _KINDS

    sheet = traitlets.Dict(read_only=True).tag(sync=True)
    parts = traitlets.Dict(read_only=True).tag(sync=True)
    games = traitlets.Dict(read_only=True).tag(sync=True)
    lies = traitlets.Int(None, allow_none=True, read_only=True).tag(sync=True)
    looks = traitlets.Unicode(COLORS + LOOKS, read_only=True).tag(sync=True)

    def __init__(
        self,
        bots: Any,  # noqa: ANN401 - whoever may take part, or what is played already
        rules: Rules | str | None = None,
        *,
        layout: Layout | dict[str, str] | None = None,
        clock: Callable[[], float] = monotonic,
        **more: Any,  # noqa: ANN401 - as `arena.play` takes it
    ) -> None:
        """Create a tournament from bots and rules, or from an `arena.Run`; it does not start yet.

        It takes the options of `arena.play` (`games`, `seed`, `file` …), and `language` and `theme`.
        """
        appearance = {name: more.pop(name) for name in self.wears if name in more}
        run = _run_of(bots, rules, more)
        self._dress(appearance)
        self._clock, self._drawn_at = clock, -FRESH
        self._opened: set[str] = set()
        self._asked = (-1, 0)
        self._below = GameBelow(self)
        self._picture: Any = None
        self._playing = PlayingOn(run, self._changed, lambda result: ready(result, self._opened), clock)
        self._shown_state = self._playing.state
        self._paint()
        super().__init__(layout=layout)
        self.observe(lambda _: self._reword(), ["language", "theme"])

    # From Python

    @property
    def result(self) -> ResultTold:
        """Return the result so far."""
        return self._playing.result

    @property
    def state(self) -> State:
        """Return the state: `idle`, `playing`, `stopping`, `stopped`, `done` or `failed`."""
        return self._playing.state

    def go(self) -> Tournament:
        """Start or resume the tournament in the background."""
        if not self._playing.go():
            raise DurakError("nothing runs by itself here: say tournament.play(), which plays here and now")
        return self

    def stop(self) -> Tournament:
        """Begin no more games; those that have begun are finished."""
        self._playing.stop()
        return self

    def play(self) -> ResultTold:
        """Play all remaining games in the foreground; an interrupt keeps the results."""
        return self._playing.play()

    def look(self, number: int) -> Table:
        """Open a game at its beginning on the table below."""
        game, games = whole_number(number), self.result.games
        if game is None or not 0 <= game < len(games):
            range_note = f"there are {len(games)}, numbered from 0" if len(games) else "none has been played yet"
            raise DurakError(f"there is no game {quoted(number)} to look at; {range_note}")
        self._below.lay(game, games[game].game, self._seats(game))
        self.set_trait("lies", game)
        assert self._below.table is not None  # noqa: S101 - it has just been laid
        return self._below.table

    @property
    def table(self) -> Table | None:
        """Return the table with the game that is shown, or None."""
        return self._below.table

    def clear(self) -> None:
        """Remove the table."""
        self._below.clear()
        self.set_trait("lies", None)

    def page(self) -> str:
        """Return the standings as one HTML page."""
        return standings_page.page(self.result, self.language)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the standings as an HTML file."""
        try:
            replace_text(path, self.page())
        except OSError as error:
            msg = f"the page could not be kept in {quoted(str(path))}: {error.strerror or type(error).__name__}"
            raise DurakError(msg) from None

    def close(self) -> None:
        """Stop the tournament and remove the widget from the page."""
        playing: PlayingOn | None = getattr(self, "_playing", None)  # close may be called after a failed __init__
        if playing is not None:
            playing.end()
            self._below.close()
        super().close()

    # Messages and state of the page

    def hear(self, message: object) -> None:
        """Handle a message from the page, such as a button."""
        with self._playing.lock:
            self._do(message)

    def _do(self, message: object) -> None:
        match message:
            case {"kind": "go"}:
                self.go()
            case {"kind": "stop"}:
                self.stop()
            case {"kind": "open", "part": str(part)} if part in PARTS:
                self._opened.add(part)
                self._draw()
            case {"kind": "games", "who": int(who), "first": int(first)} if -1 <= who < len(self.result.names) and first >= 0:
                self._asked = (who, first)
                self._opened.add("games")
                self._list()
            case {"kind": "look", "game": int(game)}:
                self.look(game)
            case {"kind": "away"}:
                self.clear()
            case _:
                raise DurakError(f"the tournament does not know what is meant by {quoted(message)}")

    def went_wrong(self, error: Exception) -> None:
        """Send an error to the page."""
        self.send({"kind": "error", "said": sentence_of(error)})

    def _changed(self) -> None:
        """Update what the page shows.

        The state is always updated; opened parts now and then, and when the run stops.
        """
        with self._playing.lock:  # so that the newest update comes last
            self._renew()

    def _renew(self) -> None:
        self.set_trait("sheet", sheet_of(self._playing, self.language))
        state = self._playing.state
        has_changed = state != self._shown_state
        if has_changed or self._clock() - self._drawn_at >= FRESH:
            self._draw()
            if "games" in self._opened:
                self._list()
        if has_changed and state in {"stopped", "done", "failed"} and self._picture is not None:
            self._picture.update(self._still(), raw=True)
        self._shown_state = state

    def _draw(self) -> None:
        self._drawn_at = self._clock()
        self.set_trait("parts", {name: part_of(name, self.result, self.language) for name in PARTS if name in self._opened})

    def _list(self) -> None:
        bot_index, first_index = self._asked
        self.set_trait("games", games_of(self.result, bot_index, first_index, self.language))

    def _paint(self) -> None:
        self.set_trait("sheet", sheet_of(self._playing, self.language))
        self._draw()
        if "games" in self._opened:
            self._list()

    def _reword(self) -> None:
        """Apply another language or theme, also to the table below."""
        with self._playing.lock:
            self._paint()
            self._below.follow()
            if self._below.number is not None:
                self._below.say(self._seats(self._below.number))

    def _seats(self, game: int) -> str:
        """Return the caption with the players of a game."""
        return seats_of(self.result.games.heads()[game], Voice(self.language))

    # Static output

    def __repr__(self) -> str:
        return f"<Tournament: {self.result.played} of {self.result.planned} games>"

    def __str__(self) -> str:
        return ranking_lines(self.result, self.language)

    def _still(self) -> dict[str, str]:
        """Return the standings for print, for GitHub and where nothing is live."""
        return standing_for(places_table(self.result, self.language), Voice(self.language).say("arena.live.note"), str(self))

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live tournament and the table below it as one output."""
        return self._below.live()

    def _ipython_display_(self) -> None:
        """Display the standings as an output that the live widget hides, then the live widget.

        The standings are updated when the run stops.
        """
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        self._picture = display(self._still(), raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if self.comm is not None:  # not closed
            data, metadata = self.live()
            display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]


class Shows(Protocol):
    """A widget above the table, which takes over its language and theme."""

    language: str
    theme: str


class GameBelow:
    """The box that holds a widget and a table with a game below it."""

    def __init__(self, above: Shows) -> None:
        self._above = above
        self.table: Table | None = None
        self.number: int | None = None
        """The number of the game that is shown."""
        self._said: HTML | None = None
        self._box: Box | None = None

    def lay(self, number: int, game: Game, said: str) -> None:
        """Open a game at its beginning, to be viewed move by move, with a caption above it."""
        game.goto(0)
        self.number = number
        if self.table is None:
            self.table = Table(
                game,
                dict.fromkeys(range(game.seats), "you"),
                covers=False,
                keep=False,
                hands="open",
                language=self._above.language,
                theme=self._above.theme,
                layout={"width": "auto"},
            )
            self._said = HTML(layout=Layout(width="auto", height="auto", margin="0"))
        else:
            self.table.game = game
        self.say(said)
        self._fill()

    def say(self, said: str) -> None:
        """Set the caption above the table."""
        if self._said is not None:
            self._said.value = f'<p lang="{self._above.language}" style="{_SAID}">{escape(said)}</p>'

    def follow(self) -> None:
        """Copy the language and theme of the widget above to the table."""
        if self.table is not None:
            self.table.language, self.table.theme = self._above.language, self._above.theme

    def clear(self) -> None:
        """Remove the table."""
        removed = self._said, self.table
        self._said = self.table = self.number = None
        self._fill()
        for widget in removed:
            if widget is not None:
                widget.close()

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return both as one notebook output."""
        if self._box is None:
            self._box = Box(layout=Layout(display="flex", flex_flow="column", align_items="stretch", overflow="visible", width="100%"))
            self._fill()
        data = self._box._repr_mimebundle_() or {}
        return {kind: content for kind, content in data.items() if not kind.startswith("text/")}, {}

    def close(self) -> None:
        """Close the table, its caption and the box."""
        self.clear()
        if self._box is not None:
            self._box.close()
            self._box = None

    def _fill(self) -> None:
        children = tuple(child for child in (self._above, self._said, self.table) if child is not None)
        if self._box is not None and self._box.children != children:
            self._box.children = children
