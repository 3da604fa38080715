"""The editors of the board page, in which a visitor draws a tree or types a matrix."""

from __future__ import annotations

from typing import Final, NamedTuple

from durak_widget.editor.draft_conversion import find_missing_items
from durak_widget.editor.matrix_draft import describe_incomplete_cells
from durak_widget.editor.matrix_editor_widget import MatrixSketch
from durak_widget.editor.tree_editor_widget import Sketch
from durak_widget.errors import DurakError, short_repr
from durak_widget.gametheory.gambit_files import to_nfg
from durak_widget.gametheory.strategic_form import Matrix
from durak_widget.gametheory.tree import Tree
from durak_widget.i18n import Translator
from durak_widget.web.board_links import MAX_SOLVED_CELLS, BoardLink, require_known_language
from durak_widget.web.share_links import LinkError, parse_link_parts

_FILE_PARTS: Final = {"tree": "efg", "matrix": "nfg"}
"""The part of a link that has the game with which an editor begins, by the kind of the editor."""
_MAX_DESCRIBED_PARTS: Final = 2
"""How many missing parts one notice describes; the editor itself lists more."""
_MAX_OPEN_HISTORIES: Final = 100
"""A tree with at most so many histories is shown whole, because its author knows it."""


class SketchLink(NamedTuple):
    """The parsed content of a link to an editor on the board page.

    >>> SketchLink.from_text("#sketch=matrix").build_sketch()
    <MatrixSketch: 2 × 2; missing: 4>
    >>> SketchLink.from_text("#sketch=circle")
    Traceback (most recent call last):
    durak_widget.web.share_links.LinkError: sketch must be one of tree, matrix, not 'circle'
    """

    kind: str
    game: Tree | Matrix | None = None
    """The game with which the editor begins; None for an empty editor."""
    language: str = ""

    @classmethod
    def from_text(cls, text: str) -> SketchLink:
        """Parse a link; raise a `LinkError` if it is invalid."""
        parts = parse_link_parts(text.removeprefix("#"), ("sketch", "language", *_FILE_PARTS.values()))
        if "sketch" not in parts:  # A second # belongs to the value before it
            raise LinkError("a link to an editor must have the part sketch; write & between the parts of a link, not #", "form")
        kind = parts["sketch"]
        if kind not in _FILE_PARTS:
            known = ", ".join(_FILE_PARTS)
            raise LinkError(f"sketch must be one of {known}, not {short_repr(kind)}", "value", part="sketch", known=known)
        for part in _FILE_PARTS.values():
            if part in parts and part != _FILE_PARTS[kind]:
                raise LinkError(f"{part} does not apply to this editor", "part", part=part)
        require_known_language(parts)
        game_file = parts.get(_FILE_PARTS[kind])
        game = None if game_file is None else BoardLink.from_text(f"#{_FILE_PARTS[kind]}={game_file}").game
        return cls(kind, game, parts.get("language", ""))

    def build_sketch(self, language: str = "en") -> Sketch | MatrixSketch:
        """Build the editor for this link; raise a `LinkError` if it can't edit the game."""
        try:
            if self.kind == "matrix" and not isinstance(self.game, Tree):
                return MatrixSketch(self.game, language=self.language or language)
            if self.kind == "tree" and not isinstance(self.game, Matrix):
                return Sketch(self.game, language=self.language or language)
        except DurakError as error:
            raise LinkError(str(error), "shown") from None
        raise LinkError("a matrix needs a game of two players", "shown")


def describe_missing_parts(sketch: Sketch | MatrixSketch, language: str) -> str:
    """Return sentences about the first parts that a game lacks; "" for a finished game.

    >>> describe_missing_parts(MatrixSketch(), "en")
    'The cell for “A” and “a” is empty. Write two payoffs, such as 1, 0. The cell for “A” and “b” is empty. Write two payoffs, such as 1, 0. More problems like this: 2.'
    """
    if isinstance(sketch, MatrixSketch):
        sentences = describe_incomplete_cells(sketch.draft, language)
    else:
        sentences = [item.to_text(language) for item in find_missing_items(sketch.draft)]
    more = len(sentences) - _MAX_DESCRIBED_PARTS
    rest = [Translator(language).translate("sketch.lacks.others", count=more)] if more > 0 else []
    return " ".join([*sentences[:_MAX_DESCRIBED_PARTS], *rest])


def format_game_file(sketch: Sketch | MatrixSketch) -> tuple[str, str, str]:
    """Return the kind of an editor, and its finished game as a Gambit file.

    The third value is the part of a link that says how the board shows the game. A small matrix is shown with its
    equilibria.

    >>> format_game_file(MatrixSketch([[1, -1], [-1, 1]]))[2]
    '&solved=yes'
    """
    if isinstance(sketch, MatrixSketch):
        matrix = sketch.matrix
        return "matrix", to_nfg(matrix), "&solved=yes" if len(matrix.rows) * len(matrix.columns) <= MAX_SOLVED_CELLS else ""
    tree = sketch.tree
    return "tree", sketch.efg, "&depth=99" if tree.history_count <= _MAX_OPEN_HISTORIES else ""
