"""The view model of a draft for the page.

It is laid out like a tree on the board, with `?` for a missing number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.board.latex_export import TikzPicture
from durak_widget.board.number_format import number_written
from durak_widget.board.tree_expansion import Unfolded
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import Drawing, nodes_of
from durak_widget.board.tree_wording import Names, outline
from durak_widget.editor.draft_conversion import for_the_eye
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from fractions import Fraction

    from durak_widget.editor.tree_draft import GameDraft

UNSAID = "?"
"""The sign shown for a missing number."""
ROUNDED = "≈"


class Seen:
    """The view model of a draft in one language.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> seen = Seen(GameDraft())
    >>> seen.drawing["ends"], seen.said.splitlines()[-1]
    ({'0': ['?', '?']}, '[0] the end, ?, ?')
    """

    def __init__(self, draft: GameDraft, language: str = "en", direction: str = "right") -> None:
        tree = for_the_eye(draft)
        self._draft, self._language, self._names = draft, language, Names(tree, language)
        self.ids = list(draft.order())
        """The nodes in drawing order."""
        columns = nodes_of(Unfolded(tree, tree.histories), self._names)
        indexes = columns["nodes"]["info"]
        ends, chances = dict[str, Any](), dict[str, Any]()
        for index, node in enumerate(self.ids):
            record = draft.places[node]
            if record.actor == OVER:
                indexes[index], ends[str(index)] = index, [self._number(payoff) for payoff in record.worth]
            elif record.actor == CHANCE:
                shares = zip(self._names.drawn(indexes[index]), draft.shares(node), strict=True)
                indexes[index], chances[str(index)] = index, {"moves": [{**move, "likely": self._number(share)} for move, share in shares]}
        labels: dict[str, Any] = {"nodes": {}, "branches": {}}
        self.drawing: Drawing = {
            "title": self._names.title,
            "direction": direction,
            "seats": self._names.seats,
            "labels": labels,
            **columns,
            "nodes": {**columns["nodes"], "id": self.ids},
            "ends": ends,
            "chances": chances,
        }

    def _number(self, number: Fraction | None) -> str:
        return UNSAID if number is None else number_written(number, self._language)

    @property
    def said(self) -> str:
        """Return the draft as text, node by node."""
        return outline(self.drawing, {}, self._names)

    @property
    def svg(self) -> str:
        """Return the draft as an SVG picture, drawn like a tree on the board."""
        chance = self._names.spoken.say("tree.chance")
        return TreePicture({**self._grown, "chance": chance}, {}, self.said, language=self._language).svg

    @property
    def tikz(self) -> str:
        """Return the draft as a LaTeX file, drawn with TikZ."""
        return TikzPicture({**self._grown, "chance": self._names.spoken.say("tree.chance")}, {}, self.said).document

    @property
    def _grown(self) -> Drawing:
        """Return the drawing with the root at the edge, for a signalling game too."""
        return {**self.drawing, "from_middle": False}

    def fields(self) -> dict[str, Any]:
        """Return what the input fields of the page need besides the drawing.

        These are the exact numbers that the drawing rounds, and the probabilities that nobody has typed.
        """
        payoff_texts, probability_texts, untyped_nodes = dict[str, str](), dict[str, str](), list[int]()
        for node in self.ids:
            record = self._draft.places[node]
            if record.actor == OVER and any(payoff is not None and self._number(payoff).startswith(ROUNDED) for payoff in record.worth):
                payoff_texts[str(node)] = "; ".join(str(payoff) for payoff in record.worth)
            for child, probability in zip(record.below, record.likely, strict=record.actor == CHANCE):
                if probability is None:
                    untyped_nodes.append(child)
                elif self._number(probability).startswith(ROUNDED):
                    probability_texts[str(child)] = str(probability)
        return {"pays": payoff_texts, "likely": probability_texts, "shared": untyped_nodes}
