"""The widget for a game tree with nodes to open and fold, and the settings of the widget.

Each setting is declared once as a trait, with its allowed values.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

import traitlets

from durak_widget.board import message_parsing
from durak_widget.board.card_table_panel import CardTablePanel
from durak_widget.board.cfr_panel import LearningSession
from durak_widget.board.latex_export import TikzPicture
from durak_widget.board.picture_files import write_picture
from durak_widget.board.solver_commands import SolverPanel
from durak_widget.board.strategic_form_panel import StrategicFormPanel
from durak_widget.board.tree_expansion import TreeExpansion
from durak_widget.board.tree_message_handlers import MESSAGE_HANDLERS, handle_message
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import NodeFinder, build_breadcrumbs, build_drawing, build_search_result, pack_drawing
from durak_widget.board.tree_wording import TreeLabels, TreeWording, describe_node, format_outline, take_first_lines
from durak_widget.board.view_protocols import question_to_message
from durak_widget.engine.table_svg import render_image
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.gametheory.tree import require_tree
from durak_widget.i18n import CARD_LETTER_CHOICES, LANGUAGES, get_front_end_texts
from durak_widget.translated_errors import RefusedError, error_to_text
from durak_widget.widgets import user_defaults
from durak_widget.widgets.appearance_settings import LanguageTrait, SettingError, is_valid_choice
from durak_widget.widgets.base_widget import StaticPictureWidget, build_picture_bundle, load_front_end_file, to_layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

    from ipywidgets import Layout  # type: ignore[import-untyped]

    from durak_widget.board.card_table_panel import LineOfPlay
    from durak_widget.board.tree_view_model import DrawingData
    from durak_widget.board.view_protocols import ViewQuestion
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree as Game
    from durak_widget.gametheory.zero_sum_solver import Solution
    from durak_widget.table.table_widget import Table

_MAX_SAVED_NODES: Final = 400
"""The maximum number of visible nodes in the picture of a tree that is saved in a notebook."""
_PAGE_PARTS: Final = ("drawing", "solution", "matrix", "learning", "question")


class TreeSettings(traitlets.HasTraits):
    """The settings of a tree widget, which the user can change on the page too."""

    language = LanguageTrait(help="The language of the board.").tag(sync=True, page=True)
    theme = traitlets.Enum(("auto", "light", "dark", "contrast"), "auto", help="The colours of the board.").tag(sync=True, page=True)
    direction = traitlets.Enum(("right", "down"), "right", help="The direction in which the tree grows.").tag(sync=True, page=True)
    four_colors = traitlets.Bool(False, help="Clubs green, diamonds blue.").tag(sync=True, page=True)
    card_letters = traitlets.Enum(CARD_LETTER_CHOICES, "auto", help="The letters on cards, as on a table.").tag(sync=True, page=True)
    values = traitlets.Bool(False, help="Show the value of each node.").tag(sync=True, page=True)
    from_middle = traitlets.Bool(True, help="Draw signalling games from the middle to both sides, as books do.").tag(sync=True, page=True)
    beliefs = traitlets.Enum(("auto", "on", "off"), "auto", help="Show the beliefs at each information set.").tag(sync=True, page=True)
    hands = traitlets.Enum(("own", "open"), "own", help="The hands that are visible on the table beside the tree.").tag(
        sync=True, page=True
    )

    settings: traitlets.List[dict[str, object]] = traitlets.List(read_only=True).tag(sync=True)
    """The settings that the user can change on the page, with their possible values."""

    @traitlets.default("settings")
    def _describe_settings(self) -> list[dict[str, object]]:
        """List the settings that the page offers, each with its possible values."""
        values = {name: list(trait.values or ()) for name, trait in SETTINGS.items() if isinstance(trait, traitlets.Enum)}
        offers: dict[str, object] = {**values, "language": dict(LANGUAGES)}
        return [{"name": name, "values": offers[name]} if name in offers else {"name": name} for name in SETTINGS]

    def apply_settings(self, given_settings: dict[str, object]) -> None:
        """Apply given settings; use the user's saved defaults for some of the other settings."""
        for name in given_settings:
            if name not in SETTINGS:
                raise DurakError(
                    f"Tree has no option {name!r}.{suggest_nearest(name, ['solution', 'depth', 'layout', *SETTINGS])} Its options are solution, depth, layout, {', '.join(SETTINGS)}"
                )
        chosen = user_defaults.get_defaults()
        for name in SETTINGS:
            if given_settings.get(name) is not None:
                setattr(self, name, given_settings[name])
            elif name in ("language", "theme", "four_colors", "card_letters") and name in chosen:
                setattr(self, name, chosen[name])

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; if a setting gets an invalid value, explain what is wrong."""
        if name in SETTINGS:
            check_setting(name, value)
        super().__setattr__(name, value)


class TreeWidget(TreeSettings, StaticPictureWidget):
    """A widget for a game tree: open and fold nodes, and solve the game.

    The tree comes from a Durak position (`analysis.build_game_tree`), from a Gambit file (`gametheory.from_efg`), or
    from any other game (`gametheory.build_tree`).

    >>> from durak_widget import Rules, analysis, board
    >>> rules = Rules(suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer")
    >>> view = board.Tree(analysis.build_game_tree(rules, dealer=1), depth=1)
    >>> view
    <Tree of 179 histories, 25 shown>
    >>> view.go_to(view.find("take")[0]); view.current_node
    27
    """

    _esm = load_front_end_file("board.js")
    _css = load_front_end_file("board.css")
    message_kinds = MESSAGE_HANDLERS.keys()

    drawing = traitlets.Dict(read_only=True)
    drawing_view = traitlets.Dict(read_only=True).tag(sync=True)
    focus_view = traitlets.Dict(read_only=True).tag(sync=True)
    solution_view = traitlets.Dict(read_only=True).tag(sync=True)
    answer_view = traitlets.Dict(read_only=True).tag(sync=True)
    path_view = traitlets.Dict(read_only=True).tag(sync=True)
    matrix_view = traitlets.Dict(read_only=True).tag(sync=True)
    question_view = traitlets.Dict(read_only=True).tag(sync=True)
    solver_state = traitlets.Dict(read_only=True).tag(sync=True)
    learning = traitlets.Dict(read_only=True).tag(sync=True)
    words = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        tree: Game,
        solution: Solution | None = None,
        *,
        depth: int = 2,
        layout: Layout | dict[str, str] | None = None,
        **settings: object,
    ) -> None:
        """Show the first `depth` levels of a tree, and a solution if one is given.

        The other arguments are settings: see `trait_names(page=True)`.
        """
        layout = to_layout(layout)
        require_tree(tree)
        self.expansion = TreeExpansion(tree, message_parsing.parse_depth(depth))
        self.tree = tree
        self.apply_settings(settings)
        self._current_node, self._drawing_number, self._layout_number = 0, 0, -1
        self._search_text, self._match_positions = "", dict[int, int]()
        self._drawing_data: DrawingData = {}
        self._packed_drawing: DrawingData = {}
        self._drawn_nodes: object = None
        self._search = NodeFinder(tree)
        self._question: ViewQuestion | None = None
        self._labels, self._table_panel = TreeLabels(tree), CardTablePanel(self)
        self.solver_panel = SolverPanel(self, solution)
        self.strategic_form = StrategicFormPanel(self)
        self.learner: LearningSession | None = None
        self._apply_language()
        super().__init__(layout=layout)
        self.observe(lambda _: self._apply_language(), ["language", "card_letters"])
        self.observe(lambda _: self.refresh(), ["direction", "values", "from_middle", "beliefs"])
        self.observe(lambda _: self._table_panel.sync_settings(), ["language", "theme", "four_colors", "card_letters", "hands"])

    # --- Opening and folding nodes ---

    def unfold(self, node: int | None = None, *, depth: int | None = None, player: int | None = None, only_reached: bool = False) -> None:
        """Open all nodes below a node, or the whole tree, up to 5,000 visible nodes.

        With `depth`, open only that many levels; with `player`, only paths to this player's nodes; with
        `only_reached`, only nodes that play under the displayed strategy reaches.
        """
        if depth is not None:
            depth = message_parsing.parse_depth(depth)
        if player is not None:
            self.expansion.unfold_player(message_parsing.parse_player(self.tree, player))
        elif only_reached:
            strategy = self.solver_panel.strategies.shown_strategy
            if strategy is None:
                raise RefusedError("board.refused.nothing")
            self.expansion.unfold_reached(strategy)
        else:
            if node is None and depth is not None:
                self.expansion.fold()
            self.expansion.unfold(0 if node is None else message_parsing.parse_history(self.tree, node), depth=depth)
        self.refresh()

    def fold(self, node: int | None = None) -> None:
        """Fold a node and all nodes below it, or the whole tree."""
        self.expansion.fold(0 if node is None else message_parsing.parse_history(self.tree, node))
        self.refresh()

    def toggle(self, node: object) -> None:
        """Open a folded node, or fold an open node."""
        self.expansion.toggle(message_parsing.parse_history(self.tree, node))
        self.refresh()

    # --- Solving the game ---

    @property
    def solution(self) -> Solution | None:
        """Return the solution that a solver found for the tree, or None."""
        return self.solver_panel.solution

    @property
    def strategy(self) -> Strategy | None:
        """Return your own strategy, or else the displayed strategy.

        Assign a strategy to set your own strategy.
        """
        return self.solver_panel.strategy

    @strategy.setter
    def strategy(self, strategy: Strategy | None) -> None:
        self.solver_panel.set_own_strategy(strategy)

    @property
    def exploitability(self) -> Number | None:
        """Return how much less your own strategy guarantees than the best strategy, or None."""
        return self.solver_panel.own_loss

    def solve(self, method: str | None = None) -> None:
        """Solve the game, and show the solution on the tree.

        Without a method, the most suitable one is used. Every game has an answer: see `gametheory.solve`.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("outside-option"))
        >>> view.solve(); len(view.solution.equilibria)
        4
        """
        self.solver_panel.solve(method)

    def select_equilibrium(self, index: int) -> None:
        """Show another of the listed equilibria, given by its index in `solution.equilibria`.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("outside-option"))
        >>> view.solve(); view.select_equilibrium(1); view.strategy["stays or goes"]
        (Fraction(0, 1), Fraction(1, 1))
        """
        self.solver_panel.select_equilibrium(index)

    def show_logit_equilibrium(self, rationality: float | None = None) -> None:
        """Compute the logit path, and show the point nearest to a given λ, or the path's end.

        >>> from durak_widget import board, gametheory
        >>> view = board.Tree(gametheory.textbook("bayes"))
        >>> view.show_logit_equilibrium(0); view.strategy["does not know"]
        (0.5, 0.5)
        """
        self.solver_panel.show_logit_equilibrium(rationality)

    def mark_best_responses(self, player: int | None) -> None:
        """Mark a player's best responses to the displayed strategy; for None, remove the marks."""
        self.solver_panel.mark_best_responses(player)

    # --- The current node ---

    @property
    def current_node(self) -> int:
        """Return the number of the current node."""
        return self._current_node

    def go_to(self, node: object) -> None:
        """Make a node the current node, and open the path to it."""
        number = message_parsing.parse_history(self.tree, node)
        count_before, self._current_node = self.expansion.shown_count, number
        self.expansion.reveal(number)
        self.refresh(*(() if self.expansion.shown_count != count_before else ("drawing", "matrix")))

    def find(self, text: str) -> list[int]:
        """Find and mark the nodes that match a search text, also among hidden nodes.

        The text is a card (`9c`), an action, something a player knows, a payoff, or a node's number.
        """
        matches = self._search.find(text, self.wording)
        self._search_text, self._match_positions = text.strip(), {node: position for position, node in enumerate(matches)}
        self.refresh("drawing")
        return matches

    def go_to_match(self, step: int) -> None:
        """Go to the next search match for `step` 1, or to the previous match for `step` -1.

        For `step` 0, go to the first match at or after the current node.
        """
        if not self._match_positions:
            return
        matches = list(self._match_positions)
        position = self._match_positions.get(self._current_node)
        if position is None:
            order = self._search.drawing_order()
            current = order[self._current_node]
            position = next((position for position, node in enumerate(matches) if order[node] > current), 0) - (step > 0)
        self.go_to(matches[(position + step) % len(matches)])

    def describe_node(self, node: int | None = None) -> str:
        """Describe a node in sentences: who acts, what the player knows, and the moves so far."""
        described = self._current_node if node is None else message_parsing.parse_history(self.tree, node)
        return describe_node(self.wording, described, self._count_infoset_nodes(described))

    def _count_infoset_nodes(self, node: int) -> int:
        """Return how many nodes are in the same information set as a given node."""
        player, own_info = self.tree.actor[node], self.tree.infoset_of[node]
        return (
            sum([info == own_info for actor, info in zip(self.tree.actor, self.tree.infoset_of, strict=True) if actor == player])
            if player >= 0
            else 1
        )

    @property
    def wording(self) -> TreeWording:
        """Return the object that describes the tree in the widget's current language."""
        return self._wording

    # --- Learning, the strategic form, and questions ---

    def get_learner(self) -> LearningSession:
        """Return the CFR+ learning session of this tree; create it at the first call."""
        if self.learner is None:
            self.learner = LearningSession(self)
        return self.learner

    def discard_learner(self) -> None:
        """End the CFR+ learning session, and remove the strategy that it has learned."""
        if self.learner is not None:
            self.learner.close()
            self.learner = None
            self.solver_panel.set_learned_strategy(None)
            self.refresh("learning")

    def show_matrix(self, on: bool = True) -> None:  # noqa: FBT001, FBT002 - True to show it, False to hide it
        """Show the strategic form beside the tree, or hide it."""
        self.strategic_form.show(on)

    @property
    def question(self) -> ViewQuestion | None:
        """Return the question that an exercise asks about this tree, or None."""
        return self._question

    @question.setter
    def question(self, question: ViewQuestion | None) -> None:
        self._question = question
        self._update_answer_traits()
        self.refresh("question")

    # --- The card table beside the tree ---

    @property
    def table(self) -> Table:
        """Return the card table beside the tree; the first call creates it for the current node."""
        return self._table_panel.table

    def open_on_table(self, node: object) -> None:
        """Show the Durak position of a node on the card table beside the tree."""
        self._table_panel.open_node(node)

    def show_line_on_table(self, line: LineOfPlay | None) -> None:
        """Show a sequence of moves and a sentence on the card table; for None, remove both."""
        self._table_panel.show_line(line)

    # --- Labels, and the tree as text ---

    def add_label(self, where: object, text: str | None) -> None:
        """Add a label to a node or a branch; for None, remove all labels there.

        `where` is a node, or for a branch `(information set, action)`.
        """
        self._labels.add_label(where, text)
        self.refresh("drawing")

    def __str__(self) -> str:
        return format_outline(self.drawing, self.solution_view, self.wording)

    # --- Messages to and from the page ---

    def refresh(self, *parts: str) -> None:
        """Send the given parts of the tree to the page; by default, all parts."""
        with self.hold_sync() if getattr(self, "comm", None) else nullcontext():  # Send all changes to the page in one message
            self._refresh_parts(parts or _PAGE_PARTS)

    def _refresh_parts(self, parts: tuple[str, ...]) -> None:
        """Update the traits of the given parts of the tree."""
        if "drawing" in parts:
            self._update_drawing_traits()
        updates: dict[str, Callable[[], object]] = {
            "solution": self._update_solution_traits,
            "matrix": lambda: self.set_trait("matrix_view", self.strategic_form.to_message()),
            "learning": lambda: self.set_trait("learning", {} if self.learner is None else self.learner.to_message()),
            "question": self._update_question_trait,
        }
        for part in parts:
            if part in updates:
                updates[part]()

    def _update_solution_traits(self) -> None:
        """Update the traits `solution_view`, `answer_view`, `path_view` and `solver_state`."""
        self.set_trait("solution_view", self.solver_panel.solution_to_message())
        self._update_answer_traits()
        self.set_trait("solver_state", self.solver_panel.solving_to_message())

    def _update_answer_traits(self) -> None:
        """Update the traits `answer_view` and `path_view`."""
        self.set_trait("answer_view", self.solver_panel.answer_to_message())
        self.set_trait("path_view", self.solver_panel.path_to_message())

    def _update_question_trait(self) -> None:
        """Update the trait `question_view`, and the card table, after a question begins or ends."""
        self.set_trait("question_view", question_to_message(self._question))
        self._table_panel.sync_settings()

    def _update_drawing_traits(self) -> None:
        """Update the trait `drawing` for Python, and the two traits that send it to the page.

        The page gets the large part (the layout) only after it has changed, and the small part (the current node)
        every time.
        """
        expansion = self.expansion
        while not expansion.is_shown(self._current_node):
            self._current_node = self.tree.parent[self._current_node]
        self._drawing_number += 1
        if self._drawn_nodes is not expansion.shown_nodes:
            self._drawing_data, self._drawn_nodes, self._layout_number = (
                build_drawing(expansion, self.wording),
                expansion.shown_nodes,
                self._drawing_number,
            )
            self._packed_drawing = pack_drawing(self._drawing_data)
        current_node_data = {
            "id": self._drawing_number,
            "current_node": self._current_node,
            "breadcrumbs": build_breadcrumbs(self.wording, self._current_node),
            "search_result": build_search_result(expansion, self._search_text, self._match_positions, self._current_node),
        }
        data = self._build_drawing_data(self._drawing_data)
        self.set_trait("drawing", {**data, "id": self._drawing_number, "layout_id": self._layout_number, **current_node_data})
        self.set_trait("drawing_view", {**data, "layout_id": self._layout_number, **self._packed_drawing})
        self.set_trait("focus_view", current_node_data)

    def _build_drawing_data(self, nodes: DrawingData | None = None) -> DrawingData:
        """Build the part of the drawing that does not depend on the current node."""
        header = {
            "title": self.wording.title,
            "direction": self.direction,
            "players": self.wording.player_names,
            "labels": self._labels.get_labels(self.expansion.shown_nodes),
        }
        return {**header, **(nodes or build_drawing(self.expansion, self.wording))}

    def handle_message(self, message: object) -> None:
        """Handle a message that the page sent."""
        handle_message(self, message)

    def report_error(self, error: Exception) -> None:
        """Show an error message beside the tree."""
        self.send({"kind": "error", "text": error_to_text(error, self.language)})

    def build_live_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Build one notebook output that contains the live tree and the card table beside it."""
        return self._table_panel.build_live_bundle()

    def _apply_language(self) -> None:
        """Describe the tree in the widget's current language."""
        self._wording, self._drawn_nodes = TreeWording(self.tree, self.language, self.card_letters), None
        self.set_trait("words", get_front_end_texts(self.language, self.card_letters))
        self.refresh()

    def close(self) -> None:
        """Close the tree widget and its card table, and stop its computations."""
        learner: LearningSession | None = getattr(self, "learner", None)
        if learner is not None:
            learner.close()
        solved: SolverPanel | None = getattr(self, "solver_panel", None)
        if solved is not None:
            solved.close()
        if hasattr(self, "_table_panel"):
            self._table_panel.close()
        super().close()

    def __repr__(self) -> str:
        return f"<Tree of {self.tree.history_count:,} histories, {self.expansion.shown_count:,} shown>"

    # --- Pictures ---

    def svg(self, *, whole: bool = False) -> str:
        """Return an SVG picture of the open nodes, or of the whole tree (up to 5,000 nodes).

        The picture has light and dark colours, and it can be printed.
        """
        return self._render_expansion(self._choose_expansion(whole=whole))[0]

    def tikz(self, *, whole: bool = False) -> str:
        """Return a LaTeX file with a TikZ picture of the open nodes, or of the whole tree."""
        return TikzPicture(*self._build_picture_data(self._choose_expansion(whole=whole))).document

    def save(self, path: str | PathLike[str], *, whole: bool = False) -> Path:
        """Save a picture of the tree as SVG or LaTeX; the file's ending chooses the format."""
        return write_picture(path, lambda: self.svg(whole=whole), lambda: self.tikz(whole=whole))

    def _choose_expansion(self, *, whole: bool) -> TreeExpansion:
        """Return the open nodes to draw: all nodes if `whole`, otherwise those that are open now."""
        return TreeExpansion(self.tree, self.tree.history_count) if whole else self.expansion

    def _render_expansion(self, expansion: TreeExpansion) -> tuple[str, str]:
        """Render the tree with given open nodes, as an SVG picture and as text."""
        data, solution, text = self._build_picture_data(expansion)
        picture = TreePicture(
            data, solution, text, four_colors=self.four_colors, language=self.language, letters=self.wording.symbol_voice.letters
        )
        return picture.svg, text

    def _build_picture_data(self, expansion: TreeExpansion) -> tuple[DrawingData, DrawingData, str]:
        """Build the drawing, the solution and the text outline of the tree with given open nodes."""
        own_expansion, self.expansion = self.expansion, expansion
        try:
            data, solution = self._build_drawing_data(), self.solver_panel.solution_to_message()
        finally:
            self.expansion = own_expansion
        text = format_outline(data, solution, self.wording)
        return {**data, "chance": self.wording.voice.translate("tree.chance"), "from_middle": self.from_middle}, solution, text

    def _build_static_bundle(self) -> dict[str, str]:
        """Build a small picture and a text outline of the open nodes, for a notebook file."""
        svg, text = self._render_expansion(self.expansion.limit_to(_MAX_SAVED_NODES))
        return build_picture_bundle(render_image(svg, take_first_lines(text)), self.wording.voice.translate("tree.picture"), text)


SETTINGS: Final = {
    name: trait for name, trait in vars(TreeSettings).items() if isinstance(trait, traitlets.TraitType) and trait.metadata.get("page")
}
"""The trait of each setting of a tree widget, by the name of the setting."""


def check_setting(name: str, value: object) -> None:
    """Raise an error if a setting cannot have a given value.

    >>> check_setting("direction", "dwn")
    Traceback (most recent call last):
    durak_widget.widgets.appearance_settings.SettingError: direction must be one of 'right', 'down', not 'dwn'. Did you mean 'down'?
    """
    trait = SETTINGS[name]
    if isinstance(trait, traitlets.Enum):
        values = [str(allowed) for allowed in trait.values or ()]
        is_valid, expected, suggestion = (
            is_valid_choice(trait, value),
            f"one of {', '.join(map(repr, values))}",
            suggest_nearest(value, values),
        )
    else:
        is_valid, expected, suggestion = isinstance(value, bool), "True or False", ""
    if not is_valid:
        raise SettingError(f"{name} must be {expected}, not {short_repr(value)}{suggestion and '.'}{suggestion}")
