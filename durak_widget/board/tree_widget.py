"""Defines the tree widget: a game tree in the notebook that unfolds step by step, with its settings.

Each setting is declared once as a trait, with the values that it may take.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, Final

import traitlets

from durak_widget.board import message_parsing
from durak_widget.board.card_table_panel import Beside
from durak_widget.board.cfr_panel import Learning
from durak_widget.board.latex_export import TikzPicture
from durak_widget.board.picture_files import saved
from durak_widget.board.solver_commands import Solved
from durak_widget.board.strategic_form_panel import Strategic
from durak_widget.board.tree_expansion import Unfolded
from durak_widget.board.tree_message_handlers import MEANINGS, hear
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import Finder, crumbs, found_of, nodes_of, packed
from durak_widget.board.tree_wording import Labels, Names, beginning, detail, outline
from durak_widget.board.view_protocols import question_shown
from durak_widget.engine.table_svg import image
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.gametheory.tree import require_tree
from durak_widget.i18n import LANGUAGES, screen
from durak_widget.translated_errors import RefusedError, said_of
from durak_widget.widgets import user_defaults
from durak_widget.widgets.appearance_settings import SettingError, Spoken, is_one_of
from durak_widget.widgets.base_widget import Pictured, built, layout_of, standing_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.board.card_table_panel import Line
    from durak_widget.board.tree_view_model import Drawing
    from durak_widget.board.view_protocols import Questioner
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree as Game
    from durak_widget.gametheory.zero_sum_solver import Solution
    from durak_widget.table.table_widget import Table

_KEPT: Final = 400
"""How many histories the picture shows that is kept in a notebook."""
_PARTS: Final = ("drawing", "solution", "matrix", "learning", "task")


class BoardLook(traitlets.HasTraits):
    """The settings of a tree, which its page may change too."""

    language = Spoken(help="The language that it speaks.").tag(sync=True, page=True)
    theme = traitlets.Enum(("auto", "light", "dark", "contrast"), "auto", help="The colours of the room.").tag(sync=True, page=True)
    direction = traitlets.Enum(("right", "down"), "right", help="Where the tree grows.").tag(sync=True, page=True)
    four_colors = traitlets.Bool(False, help="Clubs green, diamonds blue.").tag(sync=True, page=True)
    values = traitlets.Bool(False, help="What each history is worth.").tag(sync=True, page=True)
    from_middle = traitlets.Bool(True, help="Signalling games open from the middle to both sides, as books draw them.").tag(
        sync=True, page=True
    )
    beliefs = traitlets.Enum(("auto", "on", "off"), "auto", help="What is believed at each information set.").tag(sync=True, page=True)
    hands = traitlets.Enum(("own", "open"), "own", help="Which hands lie open on the table beside it.").tag(sync=True, page=True)

    settings: traitlets.List[dict[str, object]] = traitlets.List(read_only=True).tag(sync=True)
    """What the page offers of these."""

    @traitlets.default("settings")
    def _offered(self) -> list[dict[str, object]]:
        values = {name: list(trait.values or ()) for name, trait in SETTINGS.items() if isinstance(trait, traitlets.Enum)}
        offers: dict[str, object] = {**values, "language": dict(LANGUAGES)}
        return [{"name": name, "values": offers[name]} if name in offers else {"name": name} for name in SETTINGS]

    def take(self, look: dict[str, object]) -> None:
        """Take what is said, and the habits of the reader for what is not."""
        for name in look:
            if name not in SETTINGS:
                raise DurakError(
                    f"Tree has no option {name!r}.{nearest(name, ['solution', 'depth', 'layout', *SETTINGS])} It has solution, depth, layout, {', '.join(SETTINGS)}"
                )
        chosen = user_defaults.chosen()
        for name in SETTINGS:
            if look.get(name) is not None:
                setattr(self, name, look[name])
            elif name in ("language", "theme", "four_colors") and name in chosen:
                setattr(self, name, chosen[name])

    def __setattr__(self, name: str, value: object) -> None:
        """A setting takes what it says that it takes, and refuses the rest in a sentence."""
        if name in SETTINGS:
            check_setting(name, value)
        super().__setattr__(name, value)


class Tree(BoardLook, Pictured):
    """A game tree to look at, to unfold, to solve: of Durak (`analysis.build`), of a Gambit file (`gametheory.from_efg`), of any game (`gametheory.grow`).

    >>> from durak_widget import Rules, analysis, board
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> view = board.Tree(analysis.build(rules, dealer=1), depth=1)
    >>> view
    <Tree of 179 histories, 25 shown>
    >>> view.look(view.find("take")[0]); view.at
    27
    """

    _esm = built("board.js")
    _css = built("board.css")
    kinds = MEANINGS.keys()
    sent: ClassVar = {
        "told_drawing": "drawing",
        "told_solution": "solution",
        "told_answer": "answer",
        "told_path": "path",
        "told_matrix": "matrix",
        "told_task": "task",
    }

    drawing = traitlets.Dict(read_only=True)
    told_drawing = traitlets.Dict(read_only=True).tag(sync=True)
    looked = traitlets.Dict(read_only=True).tag(sync=True)
    told_solution = traitlets.Dict(read_only=True).tag(sync=True)
    told_answer = traitlets.Dict(read_only=True).tag(sync=True)
    told_path = traitlets.Dict(read_only=True).tag(sync=True)
    told_matrix = traitlets.Dict(read_only=True).tag(sync=True)
    told_task = traitlets.Dict(read_only=True).tag(sync=True)
    solving = traitlets.Dict(read_only=True).tag(sync=True)
    learning = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self, tree: Game, solution: Solution | None = None, *, depth: int = 2, layout: Layout | dict[str, str] | None = None, **look: object
    ) -> None:
        """Show a tree, so many levels of it; perhaps with its solution. What else may be said is how it looks: `Tree.trait_names(page=True)`."""
        layout = layout_of(layout)
        require_tree(tree)
        self.unfolded = Unfolded(tree, message_parsing.levels(depth))
        self.tree = tree
        self.take(look)
        self._at, self._number, self._laid = 0, 0, -1
        self._text, self._found = "", dict[int, int]()
        self._nodes: Drawing = {}
        self._packed: Drawing = {}
        self._drawn: object = None
        self._finder = Finder(tree)
        self._task: Questioner | None = None
        self._labels, self._beside = Labels(tree), Beside(self)
        self.solved = Solved(self, solution)
        self.strategic = Strategic(self)
        self.learner: Learning | None = None
        self._reword()
        super().__init__(layout=layout)
        self.observe(lambda _: self._reword(), "language")
        self.observe(lambda _: self.paint(), ["direction", "values", "from_middle", "beliefs"])
        self.observe(lambda _: self._beside.follow(), ["language", "theme", "four_colors", "hands"])

    # Unfolding

    def unfold(self, node: int | None = None, *, depth: int | None = None, seat: int | None = None, reached: bool = False) -> None:
        """Open what follows a history, or all: so many levels, just where a seat acts, or just what the strategy that is shown reaches; 5,000 histories at most."""
        if depth is not None:
            depth = message_parsing.levels(depth)
        if seat is not None:
            self.unfolded.unfold_seat(message_parsing.a_seat(self.tree, seat))
        elif reached:
            strategy = self.solved.plays.shown
            if strategy is None:
                raise RefusedError("board.refused.nothing")
            self.unfolded.unfold_reached(strategy)
        else:
            if node is None and depth is not None:
                self.unfolded.fold()
            self.unfolded.unfold(0 if node is None else message_parsing.history(self.tree, node), depth=depth)
        self.paint()

    def fold(self, node: int | None = None) -> None:
        """Fold what follows a history, or all."""
        self.unfolded.fold(0 if node is None else message_parsing.history(self.tree, node))
        self.paint()

    def toggle(self, node: object) -> None:
        """Open a history that is folded, fold one that is open."""
        self.unfolded.toggle(message_parsing.history(self.tree, node))
        self.paint()

    # Solving

    @property
    def solution(self) -> Solution | None:
        """The solution that was found; None where there is none."""
        return self.solved.solution

    @property
    def strategy(self) -> Strategy | None:
        """One's own strategy, or what is shown; set one to try it."""
        return self.solved.strategy

    @strategy.setter
    def strategy(self, strategy: Strategy | None) -> None:
        self.solved.play(strategy)

    @property
    def exploitability(self) -> Number | None:
        """How much one's own strategy could be exploited; None where there is none."""
        return self.solved.exploitability

    def solve(self, method: str | None = None) -> None:
        """Solve the game, and show the solution on the tree; by the method that fits it best where none is named, and every game has an answer (see `gametheory.solve`).

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("outside-option"))
        >>> view.solve(); len(view.solution.found)
        4
        """
        self.solved.solve(method)

    def choose(self, place: int) -> None:
        """Show another of the equilibria that were found, by its place in `solution.found`.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("outside-option"))
        >>> view.solve(); view.choose(1); view.strategy["stays or goes"]
        (Fraction(0, 1), Fraction(1, 1))
        """
        self.solved.choose(place)

    def logit(self, rationality: float | None = None) -> None:
        """Follow the path of logit equilibria, and show its point nearest to a λ; None: where it ends.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("bayes"))
        >>> view.logit(0); view.strategy["does not know"]
        (0.5, 0.5)
        """
        self.solved.logit(rationality)

    def best(self, seat: int | None) -> None:
        """Mark the best responses of a seat to the strategy that is shown; None: none."""
        self.solved.best(seat)

    # Looking

    @property
    def at(self) -> int:
        """The history that is looked at."""
        return self._at

    def look(self, node: object) -> None:
        """Go to a history; the way to it is opened."""
        at = message_parsing.history(self.tree, node)
        before, self._at = self.unfolded.count, at
        self.unfolded.show(at)
        self.paint(*(() if self.unfolded.count != before else ("drawing", "matrix")))

    def find(self, text: str) -> list[int]:
        """The histories that a text names, open or not, and mark them: a card (`9c`), a move, what a seat knows, a payoff, the number of a history."""
        found = self._finder.find(text, self.names)
        self._text, self._found = text.strip(), {one: place for place, one in enumerate(found)}
        self.paint("drawing")
        return found

    def step(self, by: int) -> None:
        """Go on among what was found: to the next (1), or back (-1); 0: to the first that is not before what one looks at."""
        if not self._found:
            return
        found = list(self._found)
        place = self._found.get(self._at)
        if place is None:
            order = self._finder.order()
            here = order[self._at]
            place = next((place for place, one in enumerate(found) if order[one] > here), 0) - (by > 0)
        self.look(found[(place + by) % len(found)])

    def told(self, node: int | None = None) -> str:
        """All that there is to say of a history, in words."""
        here = self._at if node is None else message_parsing.history(self.tree, node)
        return detail(self.names, here, self._alike(here))

    def _alike(self, node: int) -> int:
        """How many histories its seat cannot tell apart there."""
        who, known = self.tree.actor[node], self.tree.info[node]
        return sum([info == known for actor, info in zip(self.tree.actor, self.tree.info, strict=True) if actor == who]) if who >= 0 else 1

    @property
    def names(self) -> Names:
        """What is said of the tree, in its language."""
        return self._names

    # Learning, asking (each at home in its module)

    def learn(self) -> Learning:
        """What learns on this tree; made when it is first asked for."""
        if self.learner is None:
            self.learner = Learning(self)
        return self.learner

    def unlearn(self) -> None:
        """Let go of what learns on this tree, and of what it has learned."""
        if self.learner is not None:
            self.learner.close()
            self.learner = None
            self.solved.learned(None)
            self.paint("learning")

    def matrix(self, on: bool = True) -> None:  # noqa: FBT001, FBT002 - shown or not
        """Show the strategic form beside the tree, or no more."""
        self.strategic.show(on)

    @property
    def task(self) -> Questioner | None:
        """Who asks something here."""
        return self._task

    @task.setter
    def task(self, task: Questioner | None) -> None:
        self._task = task
        self._tell_found()
        self.paint("task")

    # The table beside it

    @property
    def table(self) -> Table:
        """The table beside the tree, made when it is first asked for: it holds the position that is looked at."""
        return self._beside.table

    def play(self, node: object) -> None:
        """Lay the position of a history on the table beside the tree."""
        self._beside.lay(node)

    def walk(self, line: Line | None) -> None:
        """Lay a line of play on that table, at one of its moments and with a sentence; None takes it away again."""
        self._beside.walk(line)

    # Words and pictures

    def label(self, where: object, text: str | None) -> None:
        """Add a label of one's own beside a node (its history), or on a branch (`(information set, move)`); None takes all away that are there."""
        self._labels.put(where, text)
        self.paint("drawing")

    def __str__(self) -> str:
        return outline(self.drawing, self.told_solution, self.names)

    # The page

    def paint(self, *parts: str) -> None:
        """Tell the page what has changed; nothing said: all."""
        with self.hold_sync() if getattr(self, "comm", None) else nullcontext():  # the page hears of all of it at once
            self._paint(parts or _PARTS)

    def _paint(self, wanted: tuple[str, ...]) -> None:
        if "drawing" in wanted:
            self._draw()
        tell: dict[str, Callable[[], object]] = {
            "solution": self._tell_solution,
            "matrix": lambda: self.set_trait("told_matrix", self.strategic.told()),
            "learning": lambda: self.set_trait("learning", {} if self.learner is None else self.learner.told()),
            "task": self._tell_task,
        }
        for part in wanted:
            if part in tell:
                tell[part]()

    def _tell_solution(self) -> None:
        """The traits `solution`, `answer`, `path` and `solving`."""
        self.set_trait("told_solution", self.solved.told())
        self._tell_found()
        self.set_trait("solving", self.solved.offered())

    def _tell_found(self) -> None:
        """The traits `answer` and `path`."""
        self.set_trait("told_answer", self.solved.answered())
        self.set_trait("told_path", self.solved.path())

    def _tell_task(self) -> None:
        """The trait `task`; whether it is over, the table beside hears too."""
        self.set_trait("told_task", question_shown(self._task))
        self._beside.follow()

    def _draw(self) -> None:
        """The trait `drawing`, and the two that the page is told: what lies where, which changes only with that, and what is looked at."""
        unfolded = self.unfolded
        while not unfolded.is_shown(self._at):
            self._at = self.tree.parent[self._at]
        self._number += 1
        if self._drawn is not unfolded.shown:
            self._nodes, self._drawn, self._laid = nodes_of(unfolded, self.names), unfolded.shown, self._number
            self._packed = packed(self._nodes)
        looked = {
            "id": self._number,
            "at": self._at,
            "crumbs": crumbs(self.names, self._at),
            "found": found_of(unfolded, self._text, self._found, self._at),
        }
        told = self._told(self._nodes)
        self.set_trait("drawing", {**told, "id": self._number, "laid": self._laid, **looked})
        self.set_trait("told_drawing", {**told, "laid": self._laid, **self._packed})
        self.set_trait("looked", looked)

    def _told(self, nodes: Drawing | None = None) -> Drawing:
        """What is told of the tree, wherever one looks."""
        head = {
            "title": self.names.title,
            "direction": self.direction,
            "seats": self.names.seats,
            "labels": self._labels.of(self.unfolded.shown),
        }
        return {**head, **(nodes or nodes_of(self.unfolded, self.names))}

    def hear(self, message: object) -> None:
        """What a person means is done."""
        hear(self, message)

    def went_wrong(self, error: Exception) -> None:
        """Say it beside the tree."""
        self.send({"kind": "error", "said": said_of(error, self.language)})

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live tree, and the table beside it, as one output."""
        return self._beside.live()

    def _reword(self) -> None:
        """Another language is spoken now."""
        self._names, self._drawn = Names(self.tree, self.language), None
        self.set_trait("words", screen(self.language))
        self.paint()

    def close(self) -> None:
        """Take it off the page."""
        learner: Learning | None = getattr(self, "learner", None)
        if learner is not None:
            learner.close()
        solved: Solved | None = getattr(self, "solved", None)
        if solved is not None:
            solved.close()
        if hasattr(self, "_beside"):
            self._beside.close()
        super().close()

    def __repr__(self) -> str:
        return f"<Tree of {self.tree.histories:,} histories, {self.unfolded.count:,} shown>"

    # Pictures

    def svg(self, *, whole: bool = False) -> str:
        """What is open as a picture, or the whole tree, 5,000 nodes at most: by day and by night, for a page or for print."""
        return self._pictured(self._part(whole=whole))[0]

    def tikz(self, *, whole: bool = False) -> str:
        """What is open, or the whole tree, as a file of LaTeX, drawn with TikZ."""
        return TikzPicture(*self._told_of(self._part(whole=whole))).document

    def save(self, path: str | PathLike[str], *, whole: bool = False) -> Path:
        """Save what is open, or the whole tree, as a file: .svg or .tex, as its name ends."""
        return saved(path, lambda: self.svg(whole=whole), lambda: self.tikz(whole=whole))

    def _part(self, *, whole: bool) -> Unfolded:
        return Unfolded(self.tree, self.tree.histories) if whole else self.unfolded

    def _pictured(self, unfolded: Unfolded) -> tuple[str, str]:
        """What is open, or what is open in another unfolding, as a picture and in words."""
        told, solution, said = self._told_of(unfolded)
        return TreePicture(told, solution, said, four_colors=self.four_colors, language=self.language).svg, said

    def _told_of(self, unfolded: Unfolded) -> tuple[Drawing, Drawing, str]:
        """What a picture of an unfolding is made of, and what it says in words."""
        mine, self.unfolded = self.unfolded, unfolded
        try:
            told, solution = self._told(), self.solved.told()
        finally:
            self.unfolded = mine
        said = outline(told, solution, self.names)
        return {**told, "chance": self.names.spoken.say("tree.chance"), "from_middle": self.from_middle}, solution, said

    def _still(self) -> dict[str, str]:
        """The picture and the outline of what is open, as much of it as a notebook should keep."""
        svg, said = self._pictured(self.unfolded.first(_KEPT))
        return standing_for(image(svg, beginning(said)), self.names.spoken.say("tree.picture"), said)


SETTINGS: Final = {
    name: trait for name, trait in vars(BoardLook).items() if isinstance(trait, traitlets.TraitType) and trait.metadata.get("page")
}
"""Every setting by its name."""


def check_setting(name: str, value: object) -> None:
    """Refuse a value that the setting of that name does not take.

    >>> check_setting("direction", "dwn")
    Traceback (most recent call last):
    durak_widget.widgets.appearance_settings.SettingError: direction='dwn': direction takes 'right', 'down'. Did you mean 'down'?
    """
    trait = SETTINGS[name]
    if isinstance(trait, traitlets.Enum):
        values = [str(one) for one in trait.values or ()]
        fits, takes, near = is_one_of(trait, value), ", ".join(map(repr, values)), nearest(value, values)
    else:
        fits, takes, near = isinstance(value, bool), "True or False", ""
    if not fits:
        raise SettingError(f"{name}={quoted(value)}: {name} takes {takes}{near and '.'}{near}")
