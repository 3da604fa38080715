"""How a drawing goes to the page: columns as bytes, and each move said once, however many information sets have it."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from durak_widget.board.tree_view_model import Drawing

HALVES: Final = ("row",)
"""The columns that are not of whole numbers."""


def packed(nodes: Mapping[str, Any]) -> Drawing:
    """What `nodes_of` tells, as small as it is sent: a move is the number of one of `moves`, a column is little-endian int32, or float64.

    >>> told = packed({"nodes": {"id": [0, 1]}, "sets": {"4": {"said": "?", "moves": [{"said": "l"}, {"said": "l"}]}}, "chances": {}})
    >>> told["nodes"]["id"].hex(), told["moves"], told["sets"]
    ('0000000001000000', [{'said': 'l'}], {'4': ['?', 0, 0]})
    """
    moves, numbers = list[Any](), dict[str, int]()

    def numbered(all_of: Iterable[Mapping[str, Any]]) -> list[int]:
        found = []
        for move in all_of:
            key = repr(move)
            if key not in numbers:
                numbers[key] = len(moves)
                moves.append(move)
            found.append(numbers[key])
        return found

    columns = {name: pack(f"<{len(column)}{'d' if name in HALVES else 'i'}", *column) for name, column in nodes["nodes"].items()}
    sets = {key: [one["said"], *numbered(one["moves"])] for key, one in nodes["sets"].items()}
    return {**nodes, "nodes": columns, "moves": moves, "sets": sets}
