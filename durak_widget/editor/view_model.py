"""The view model of a tree draft: everything that the page needs to show the draft.

The draft is laid out like a tree in the tree widget, with `?` for a missing number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.board.latex_export import TikzPicture
from durak_widget.board.number_format import format_short_number
from durak_widget.board.tree_expansion import TreeExpansion
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import DrawingData, build_drawing
from durak_widget.board.tree_wording import TreeWording, format_outline
from durak_widget.editor.draft_conversion import tree_for_display
from durak_widget.gametheory.tree import CHANCE, TERMINAL

if TYPE_CHECKING:
    from fractions import Fraction

    from durak_widget.editor.tree_draft import TreeDraft

MISSING_SIGN = "?"
"""The text that is displayed in place of a missing number."""
ROUNDED_SIGN = "≈"


class DraftViewModel:
    """The data that the page needs to show a tree draft, with texts in one language.

    >>> from durak_widget.editor.tree_draft import TreeDraft
    >>> seen = DraftViewModel(TreeDraft())
    >>> seen.drawing["payoffs"], seen.text.splitlines()[-1]
    ({'0': ['?', '?']}, '[0] the end, ?, ?')
    """

    def __init__(self, draft: TreeDraft, language: str = "en", direction: str = "right") -> None:
        tree = tree_for_display(draft)
        self._draft, self._language, self._wording = draft, language, TreeWording(tree, language)
        self.node_ids = list(draft.iterate_nodes())
        """The numbers of the nodes in drawing order."""
        columns = build_drawing(TreeExpansion(tree, tree.history_count), self._wording)
        indexes = columns["nodes"]["info"]
        ends, chances = dict[str, Any](), dict[str, Any]()
        for index, node in enumerate(self.node_ids):
            record = draft.nodes[node]
            if record.actor == TERMINAL:
                indexes[index], ends[str(index)] = index, [self._format_number(payoff) for payoff in record.payoffs]
            elif record.actor == CHANCE:
                shares = zip(self._wording.describe_chance_moves(indexes[index]), draft.compute_chance_probabilities(node), strict=True)
                indexes[index], chances[str(index)] = (
                    index,
                    {"moves": [{**move, "probability": self._format_number(share)} for move, share in shares]},
                )
        labels: dict[str, Any] = {"nodes": {}, "branches": {}}
        self.drawing: DrawingData = {
            "title": self._wording.title,
            "direction": direction,
            "players": self._wording.player_names,
            "labels": labels,
            **columns,
            "nodes": {**columns["nodes"], "id": self.node_ids},
            "payoffs": ends,
            "chance_moves": chances,
        }

    def _format_number(self, number: Fraction | None) -> str:
        """Format a number of the draft; a missing number becomes a placeholder."""
        return MISSING_SIGN if number is None else format_short_number(number, self._language)

    @property
    def text(self) -> str:
        """Return the tree draft as text, with a line for each node."""
        return format_outline(self.drawing, {}, self._wording)

    @property
    def svg(self) -> str:
        """Return the tree draft as an SVG picture that looks like the picture of a finished tree."""
        chance = self._wording.voice.translate("tree.chance")
        return TreePicture({**self._drawing_from_root, "chance": chance}, {}, self.text, language=self._language).svg

    @property
    def tikz(self) -> str:
        """Return the tree draft as a LaTeX file with a TikZ picture."""
        return TikzPicture({**self._drawing_from_root, "chance": self._wording.voice.translate("tree.chance")}, {}, self.text).document

    @property
    def _drawing_from_root(self) -> DrawingData:
        """Return the data to draw the tree with the root at the edge of the picture.

        Signalling games are otherwise drawn with the root in the middle.
        """
        return {**self.drawing, "from_middle": False}

    def build_field_values(self) -> dict[str, Any]:
        """Build the data that only the page's input fields need, and not the drawing.

        These are the exact numbers where the drawing has rounded ones, and the branches whose probabilities nobody
        has typed.
        """
        payoff_texts, probability_texts, untyped_nodes = dict[str, str](), dict[str, str](), list[int]()
        for node in self.node_ids:
            record = self._draft.nodes[node]
            if record.actor == TERMINAL and any(
                payoff is not None and self._format_number(payoff).startswith(ROUNDED_SIGN) for payoff in record.payoffs
            ):
                payoff_texts[str(node)] = "; ".join(str(payoff) for payoff in record.payoffs)
            for child, probability in zip(record.children, record.probabilities, strict=record.actor == CHANCE):
                if probability is None:
                    untyped_nodes.append(child)
                elif self._format_number(probability).startswith(ROUNDED_SIGN):
                    probability_texts[str(child)] = str(probability)
        return {"payoffs": payoff_texts, "probabilities": probability_texts, "sharing_nodes": untyped_nodes}
