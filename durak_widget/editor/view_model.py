"""What the page is told of a sketch: it lies as the blackboard lays a tree, and says `?` where something is not said yet."""

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
"""What stands where a number is missing."""
ROUNDED = "≈"


class Seen:
    """A sketch as it is seen in one language.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> seen = Seen(GameDraft())
    >>> seen.drawing["ends"], seen.said.splitlines()[-1]
    ({'0': ['?', '?']}, '[0] the end, ?, ?')
    """

    def __init__(self, draft: GameDraft, language: str = "en", direction: str = "right") -> None:
        tree = for_the_eye(draft)
        self._draft, self._language, self._names = draft, language, Names(tree, language)
        self.ids = list(draft.order())
        """The places in the order in which they are drawn."""
        told = nodes_of(Unfolded(tree, tree.histories), self._names)
        info = told["nodes"]["info"]
        ends, chances = dict[str, Any](), dict[str, Any]()
        for at, node in enumerate(self.ids):
            place = draft.places[node]
            if place.actor == OVER:
                info[at], ends[str(at)] = at, [self._number(one) for one in place.worth]
            elif place.actor == CHANCE:
                shares = zip(self._names.drawn(info[at]), draft.shares(node), strict=True)
                info[at], chances[str(at)] = at, {"moves": [{**move, "likely": self._number(share)} for move, share in shares]}
        labels: dict[str, Any] = {"nodes": {}, "branches": {}}
        self.drawing: Drawing = {
            "title": self._names.title,
            "direction": direction,
            "seats": self._names.seats,
            "labels": labels,
            **told,
            "nodes": {**told["nodes"], "id": self.ids},
            "ends": ends,
            "chances": chances,
        }

    def _number(self, number: Fraction | None) -> str:
        return UNSAID if number is None else number_written(number, self._language)

    @property
    def said(self) -> str:
        """The sketch in words, place by place."""
        return outline(self.drawing, {}, self._names)

    @property
    def svg(self) -> str:
        """The sketch as a picture, as the blackboard draws a tree."""
        chance = self._names.spoken.say("tree.chance")
        return TreePicture({**self._grown, "chance": chance}, {}, self.said, language=self._language).svg

    @property
    def tikz(self) -> str:
        """The sketch as a file of LaTeX, drawn with TikZ."""
        return TikzPicture({**self._grown, "chance": self._names.spoken.say("tree.chance")}, {}, self.said).document

    @property
    def _grown(self) -> Drawing:
        """A sketch grows as its page has it, a signalling game too."""
        return {**self.drawing, "from_middle": False}

    def fields(self) -> dict[str, Any]:
        """What the fields of the page need besides: the exact numbers where the drawing rounds them, and which probabilities nobody has typed."""
        pays, likely, shared = dict[str, str](), dict[str, str](), list[int]()
        for node in self.ids:
            place = self._draft.places[node]
            if place.actor == OVER and any(one is not None and self._number(one).startswith(ROUNDED) for one in place.worth):
                pays[str(node)] = "; ".join(str(one) for one in place.worth)
            for child, typed in zip(place.below, place.likely, strict=place.actor == CHANCE):
                if typed is None:
                    shared.append(child)
                elif self._number(typed).startswith(ROUNDED):
                    likely[str(child)] = str(typed)
        return {"pays": pays, "likely": likely, "shared": shared}
