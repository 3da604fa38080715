"""The tree widget: a game tree in the notebook that unfolds, with its settings.

Each setting is declared once as a trait, with its allowed values.
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
"""The most nodes in the picture that is saved in a notebook."""
_PARTS: Final = ("drawing", "solution", "matrix", "learning", "task")


class BoardLook(traitlets.HasTraits):
    """The settings of a tree, which its page can change too."""

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
    """The settings that the page offers."""

    @traitlets.default("settings")
    def _offered(self) -> list[dict[str, object]]:
        values = {name: list(trait.values or ()) for name, trait in SETTINGS.items() if isinstance(trait, traitlets.Enum)}
        offers: dict[str, object] = {**values, "language": dict(LANGUAGES)}
        return [{"name": name, "values": offers[name]} if name in offers else {"name": name} for name in SETTINGS]

    def take(self, look: dict[str, object]) -> None:
        """Set the given settings, and the user's defaults for the others."""
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
        """Refuse an invalid value of a setting with an error message."""
        if name in SETTINGS:
            check_setting(name, value)
        super().__setattr__(name, value)


class Tree(BoardLook, Pictured):
    """A game tree to unfold, look at and solve.

    Made from Durak (`analysis.build`), from a Gambit file (`gametheory.from_efg`), or from any game
    (`gametheory.grow`).

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
        """Show `depth` levels of a tree, with a solution if you have one.

        The other arguments are settings: see `Tree.trait_names(page=True)`.
        """
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
        """Open what follows a node, or the whole tree; at most 5,000 nodes are shown.

        Give `depth` to open that many levels, `seat` for the paths to a player's nodes, `reached` for the nodes that
        the shown strategy reaches.
        """
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
        """Fold what follows a node, or the whole tree."""
        self.unfolded.fold(0 if node is None else message_parsing.history(self.tree, node))
        self.paint()

    def toggle(self, node: object) -> None:
        """Open a folded node, or fold an open one."""
        self.unfolded.toggle(message_parsing.history(self.tree, node))
        self.paint()

    # Solving

    @property
    def solution(self) -> Solution | None:
        """Return the solution that was found, if there is one."""
        return self.solved.solution

    @property
    def strategy(self) -> Strategy | None:
        """Return your own strategy, or else the shown one; set one to try it."""
        return self.solved.strategy

    @strategy.setter
    def strategy(self, strategy: Strategy | None) -> None:
        self.solved.play(strategy)

    @property
    def exploitability(self) -> Number | None:
        """Return the exploitability of your own strategy; None if you have none."""
        return self.solved.exploitability

    def solve(self, method: str | None = None) -> None:
        """Solve the game and show the solution on the tree.

        Without a method, the most suitable one is used. Every game has an answer: see `gametheory.solve`.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("outside-option"))
        >>> view.solve(); len(view.solution.found)
        4
        """
        self.solved.solve(method)

    def choose(self, place: int) -> None:
        """Show another of the equilibria that were found, by its index in `solution.found`.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("outside-option"))
        >>> view.solve(); view.choose(1); view.strategy["stays or goes"]
        (Fraction(0, 1), Fraction(1, 1))
        """
        self.solved.choose(place)

    def logit(self, rationality: float | None = None) -> None:
        """Follow the path of logit equilibria and show its point nearest to a λ; None: its end.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("bayes"))
        >>> view.logit(0); view.strategy["does not know"]
        (0.5, 0.5)
        """
        self.solved.logit(rationality)

    def best(self, seat: int | None) -> None:
        """Mark a player's best responses to the shown strategy; None: remove the marks."""
        self.solved.best(seat)

    # Navigation

    @property
    def at(self) -> int:
        """Return the current node."""
        return self._at

    def look(self, node: object) -> None:
        """Go to a node, and open the path to it."""
        number = message_parsing.history(self.tree, node)
        count_before, self._at = self.unfolded.count, number
        self.unfolded.show(number)
        self.paint(*(() if self.unfolded.count != count_before else ("drawing", "matrix")))

    def find(self, text: str) -> list[int]:
        """Find the nodes that match a text, folded ones included, and mark them.

        The text is a card (`9c`), an action, something a player knows, a payoff, or a node's number.
        """
        matches = self._finder.find(text, self.names)
        self._text, self._found = text.strip(), {node: position for position, node in enumerate(matches)}
        self.paint("drawing")
        return matches

    def step(self, by: int) -> None:
        """Go to the next match (1) or the previous one (-1); 0: to the first from here on."""
        if not self._found:
            return
        matches = list(self._found)
        position = self._found.get(self._at)
        if position is None:
            order = self._finder.order()
            current = order[self._at]
            position = next((position for position, node in enumerate(matches) if order[node] > current), 0) - (by > 0)
        self.look(matches[(position + by) % len(matches)])

    def told(self, node: int | None = None) -> str:
        """Describe a node completely, in words."""
        described = self._at if node is None else message_parsing.history(self.tree, node)
        return detail(self.names, described, self._alike(described))

    def _alike(self, node: int) -> int:
        """Return the number of nodes in the information set of a node."""
        player, own_info = self.tree.actor[node], self.tree.info[node]
        return (
            sum([info == own_info for actor, info in zip(self.tree.actor, self.tree.info, strict=True) if actor == player])
            if player >= 0
            else 1
        )

    @property
    def names(self) -> Names:
        """Return the wording of the tree, in its language."""
        return self._names

    # Learning, matrix, question (each is implemented in its own module)

    def learn(self) -> Learning:
        """Return the learning session of this tree, made at the first call."""
        if self.learner is None:
            self.learner = Learning(self)
        return self.learner

    def unlearn(self) -> None:
        """Remove the learning session and the strategy that it learned."""
        if self.learner is not None:
            self.learner.close()
            self.learner = None
            self.solved.learned(None)
            self.paint("learning")

    def matrix(self, on: bool = True) -> None:  # noqa: FBT001, FBT002 - shown or not
        """Show the strategic form beside the tree, or hide it."""
        self.strategic.show(on)

    @property
    def task(self) -> Questioner | None:
        """Return the question asked on this tree, if there is one."""
        return self._task

    @task.setter
    def task(self, task: Questioner | None) -> None:
        self._task = task
        self._tell_found()
        self.paint("task")

    # The table beside it

    @property
    def table(self) -> Table:
        """Return the card table beside the tree, made at the first call for the current node."""
        return self._beside.table

    def play(self, node: object) -> None:
        """Open the position of a node on the table beside the tree."""
        self._beside.lay(node)

    def walk(self, line: Line | None) -> None:
        """Show a line of play on that table with a sentence; None removes it."""
        self._beside.walk(line)

    # Labels and text

    def label(self, where: object, text: str | None) -> None:
        """Add a label beside a node, or on a branch; None removes all labels there.

        `where` is a node, or for a branch `(information set, action)`.
        """
        self._labels.put(where, text)
        self.paint("drawing")

    def __str__(self) -> str:
        return outline(self.drawing, self.told_solution, self.names)

    # The page

    def paint(self, *parts: str) -> None:
        """Update these parts on the page; without arguments, all of them."""
        with self.hold_sync() if getattr(self, "comm", None) else nullcontext():  # send all changes in one message
            self._paint(parts or _PARTS)

    def _paint(self, wanted: tuple[str, ...]) -> None:
        if "drawing" in wanted:
            self._draw()
        updates: dict[str, Callable[[], object]] = {
            "solution": self._tell_solution,
            "matrix": lambda: self.set_trait("told_matrix", self.strategic.told()),
            "learning": lambda: self.set_trait("learning", {} if self.learner is None else self.learner.told()),
            "task": self._tell_task,
        }
        for part in wanted:
            if part in updates:
                updates[part]()

    def _tell_solution(self) -> None:
        """Set the traits `solution`, `answer`, `path` and `solving`."""
        self.set_trait("told_solution", self.solved.told())
        self._tell_found()
        self.set_trait("solving", self.solved.offered())

    def _tell_found(self) -> None:
        """Set the traits `answer` and `path`."""
        self.set_trait("told_answer", self.solved.answered())
        self.set_trait("told_path", self.solved.path())

    def _tell_task(self) -> None:
        """Set the trait `task`, and tell the table whether a question is open."""
        self.set_trait("told_task", question_shown(self._task))
        self._beside.follow()

    def _draw(self) -> None:
        """Set the trait `drawing`, and its two parts for the page.

        The large part changes only with the layout; the small part is where one is.
        """
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
        data = self._told(self._nodes)
        self.set_trait("drawing", {**data, "id": self._number, "laid": self._laid, **looked})
        self.set_trait("told_drawing", {**data, "laid": self._laid, **self._packed})
        self.set_trait("looked", looked)

    def _told(self, nodes: Drawing | None = None) -> Drawing:
        """Return the data of the drawing that don't depend on the current node."""
        head = {
            "title": self.names.title,
            "direction": self.direction,
            "seats": self.names.seats,
            "labels": self._labels.of(self.unfolded.shown),
        }
        return {**head, **(nodes or nodes_of(self.unfolded, self.names))}

    def hear(self, message: object) -> None:
        """Do what a message asks for."""
        hear(self, message)

    def went_wrong(self, error: Exception) -> None:
        """Show an error beside the tree."""
        self.send({"kind": "error", "said": said_of(error, self.language)})

    def live(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the live tree, and the table beside it, as one output."""
        return self._beside.live()

    def _reword(self) -> None:
        """Switch to the current language."""
        self._names, self._drawn = Names(self.tree, self.language), None
        self.set_trait("words", screen(self.language))
        self.paint()

    def close(self) -> None:
        """Remove the widget from the page."""
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
        """Return the open part, or the whole tree up to 5,000 nodes, as an SVG picture.

        It has light and dark colours, and is fit for print.
        """
        return self._pictured(self._part(whole=whole))[0]

    def tikz(self, *, whole: bool = False) -> str:
        """Return the open part, or the whole tree, as a LaTeX file drawn with TikZ."""
        return TikzPicture(*self._told_of(self._part(whole=whole))).document

    def save(self, path: str | PathLike[str], *, whole: bool = False) -> Path:
        """Save the open part, or the whole tree, as .svg or .tex, by the ending of the name."""
        return saved(path, lambda: self.svg(whole=whole), lambda: self.tikz(whole=whole))

    def _part(self, *, whole: bool) -> Unfolded:
        return Unfolded(self.tree, self.tree.histories) if whole else self.unfolded

    def _pictured(self, unfolded: Unfolded) -> tuple[str, str]:
        """Render an expansion of the tree as a picture, and as text."""
        data, solution, text = self._told_of(unfolded)
        return TreePicture(data, solution, text, four_colors=self.four_colors, language=self.language).svg, text

    def _told_of(self, unfolded: Unfolded) -> tuple[Drawing, Drawing, str]:
        """Return the drawing, the solution and the outline of an expansion."""
        own_expansion, self.unfolded = self.unfolded, unfolded
        try:
            data, solution = self._told(), self.solved.told()
        finally:
            self.unfolded = own_expansion
        text = outline(data, solution, self.names)
        return {**data, "chance": self.names.spoken.say("tree.chance"), "from_middle": self.from_middle}, solution, text

    def _still(self) -> dict[str, str]:
        """Return the picture and the outline of the open part, limited in size for the notebook."""
        svg, text = self._pictured(self.unfolded.first(_KEPT))
        return standing_for(image(svg, beginning(text)), self.names.spoken.say("tree.picture"), text)


SETTINGS: Final = {
    name: trait for name, trait in vars(BoardLook).items() if isinstance(trait, traitlets.TraitType) and trait.metadata.get("page")
}
"""The trait of each setting."""


def check_setting(name: str, value: object) -> None:
    """Refuse an invalid value of a setting.

    >>> check_setting("direction", "dwn")
    Traceback (most recent call last):
    durak_widget.widgets.appearance_settings.SettingError: direction='dwn': direction takes 'right', 'down'. Did you mean 'down'?
    """
    trait = SETTINGS[name]
    if isinstance(trait, traitlets.Enum):
        values = [str(allowed) for allowed in trait.values or ()]
        is_valid, expected, suggestion = is_one_of(trait, value), ", ".join(map(repr, values)), nearest(value, values)
    else:
        is_valid, expected, suggestion = isinstance(value, bool), "True or False", ""
    if not is_valid:
        raise SettingError(f"{name}={quoted(value)}: {name} takes {expected}{suggestion and '.'}{suggestion}")
