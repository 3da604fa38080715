"""Use everything that widgets offer a page: send all messages, change all settings, store all forms, and record what leaves Python."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.gametheory.tree import CHANCE
from durak_widget.widgets.base_widget import BaseWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class WidgetLog:
    """A record of every widget made, and of everything that Python sends or shows."""

    def __init__(self) -> None:
        self.widgets: list[Any] = []
        self.sent: list[Any] = []

    @contextmanager
    def watch(self, monkeypatch: Any) -> Iterator[WidgetLog]:
        """Record each widget that is made from now on, and what is displayed or sent."""
        log, init = self, BaseWidget.__init__

        def recorded_init(widget: Any, **options: Any) -> None:
            init(widget, **options)
            log.widgets.append(widget)

        with monkeypatch.context() as patch:
            patch.setattr(BaseWidget, "__init__", recorded_init)
            patch.setattr(BaseWidget, "send", lambda _, content, **__: log.sent.append(content))
            patch.setattr("IPython.display.display", lambda *shown, **_: log.sent.append(shown))
            yield self

    def use_everything(self, *, but: tuple[type, ...] = ()) -> None:
        """Send each widget every message, change its settings and store it. Widgets made meanwhile are included."""
        used = 0
        while used < len(self.widgets):
            widget = self.widgets[used]
            used += 1
            if isinstance(widget, but):
                continue
            for kind in widget.message_kinds:
                for message in messages(widget, kind):
                    widget._receive_message(widget, message, [])
                    self.sent.append(state_of(widget))
            for kind in widget.on_demand_files:
                widget._receive_message(widget, {"kind": kind}, [])
            for name, value in settings(widget):
                widget.set_state({name: value})
                self.sent.append(state_of(widget))
            for stored in (
                str,
                repr,
                lambda widget: widget._repr_mimebundle_(),
                lambda widget: widget.build_live_bundle(),
                lambda widget: widget.svg() if hasattr(widget, "svg") else "",
            ):
                self.sent.append(stored(widget))


def state_of(widget: Any) -> dict[str, Any]:
    """Return what a widget stores and sends, without its code and its texts, which are the same for all."""
    return {
        name: value
        for name, value in widget.get_state().items()
        if not name.startswith("_") and name not in ("words", "layout", "tabbable", "tooltip")
    }


def settings(widget: Any) -> list[tuple[str, Any]]:
    """Return each setting that a page may change: its other valid values, then its own."""
    found: list[tuple[str, Any]] = []
    for name, trait in widget.traits(page=True).items():
        now = getattr(widget, name)
        others = [value for value in getattr(trait, "values", None) or ([not now] if isinstance(now, bool) else [now + 1]) if value != now]
        found += [(name, value) for value in (*others, now)]
    return found


def messages(widget: Any, kind: str) -> list[dict[str, Any]]:
    """Return a page's messages of a kind; fail if MESSAGES does not have it."""
    name = type(widget).__name__
    known: dict[str, Callable[[Any], list[dict[str, Any]]]] = MESSAGES[name]
    if kind not in known:
        raise AssertionError(
            f"{name} takes messages of the kind {kind!r}: add it to MESSAGES in tests/support/widget_messages.py, with all that a page may send"
        )
    contents = known[kind](widget)
    if name == "Table":
        contents = [{"game": widget.scene["game"], "ply": widget.scene["ply"], **content} for content in contents]
    return [{"kind": kind, **content} for content in contents]


def _empty(_: Any) -> list[dict[str, Any]]:
    return [{}]


def _flags(_: Any) -> list[dict[str, Any]]:
    return [{"on": True}, {"on": False}, {"on": True}]


def _nodes(view: Any) -> list[dict[str, Any]]:
    return [{"id": node} for node in range(min(view.tree.history_count, 12))]


def _nodes_of_tables(view: Any) -> list[dict[str, Any]]:
    """Return nodes beside which a table can be opened."""
    if not isinstance(view.tree.origin, TreeOrigin):
        return [{"id": 0}]
    return [{"id": node} for node, actor in enumerate(view.tree.actor) if actor != CHANCE][:3]


def _board_answers(widget: Any) -> list[dict[str, Any]]:
    """Return possible answers on a board: some of each kind, right or wrong."""
    task = widget.told_task.get("asks")
    nodes = range(1, min(widget.tree.history_count, 6)) if hasattr(widget, "tree") else ()
    table = type(widget).__name__ == "MatrixWidget"
    cells = [(row, column) for row in range(2) for column in range(2)] if task in ("fill", "best") else []
    known = {
        None: [],
        "values": [{"node": node, "text": "1"} for node in nodes],
        "path": [{"node": node, "move": move} for node in (0, *nodes) for move in (0, 1)],
        "draw": [{"node": node, "move": move} for node in (0, *nodes) for move in (0, 1)],
        "sets": [{"nodes": [node, node + 1], "join": join} for node in nodes for join in (True, False)],
        "fill": [{"row": row, "column": column, "text": "1"} for row, column in cells],
        "best": [{"seat": seat, "row": row, "column": column} for row, column in cells for seat in (0, 1)],
        "strike": [{"seat": seat, "place": place} for seat in (0, 1) for place in (0, 1)] if table else [],
        "strategy": [{"set": 0}],
    }
    if task not in known:
        raise AssertionError(f"a board asks for {task!r}: add it to _board_answers in tests/support/widget_messages.py")
    return known[task]


def _page_answers(page: Any) -> list[dict[str, Any]]:
    """Return possible answers from a page: no item, a number, each item, all items."""
    items = [item[0] for item in page.sheet["items"]]
    return [{"given": []}, {"given": ["7"]}, *({"given": [item]} for item in items), {"given": items}]


_GRID: dict[str, Any] = {
    "cell": lambda _: [{"row": row, "column": column} for row in range(3) for column in range(3)],
    "strike": lambda _: [{}, {"seat": 0, "place": 0}, {"seat": 1, "place": 1}],
    "unstrike": _empty,
    "marks": _flags,
    "pairs": _flags,
    "equilibria": _flags,
    "mix": lambda _: [{"place": 0}, {"place": None}],
    "give": _board_answers,
}
_EDITOR = ["undo", "redo", "export", "shift", "player"]
MESSAGES: dict[str, dict[str, Any]] = {
    # No exercise opens an editor, so its messages need no content.
    "MatrixSketch": dict.fromkeys([*_EDITOR, "put", "add", "drop", "plan"], _empty),
    "Sketch": dict.fromkeys(
        [
            *_EDITOR,
            "look",
            "move",
            "chance",
            "remove",
            "cut",
            "rename",
            "give",
            "know",
            "likely",
            "pay",
            "join",
            "part",
            "copy",
            "paste",
            "add_player",
            "drop_player",
            "title",
        ],
        _empty,
    ),
    "MatrixWidget": _GRID,
    "TreeWidget": {
        **_GRID,
        "toggle": _nodes,
        "open": lambda _: [
            {"what": "all"},
            {"what": "depth", "n": 2},
            {"what": "seat", "n": 0},
            {"what": "seat", "n": 1},
            {"what": "reached"},
        ],
        "close": _empty,
        "look": _nodes,
        "find": lambda _: [{"text": "1"}, {"text": "take"}],
        "next": lambda _: [{"step": 1}, {"step": -1}],
        "table": _nodes_of_tables,
        "told": _nodes,
        "solve": lambda _: [{"method": None}, *({"method": method} for method in ("backward", "lp", "exact", "cfr+", "pure", "answer"))],
        "choose": lambda _: [{"place": 0}, {"place": 1}],
        "path": _empty,
        "rational": lambda _: [{"to": 0}, {"to": 5}],
        "best": lambda _: [{"seat": 0}, {"seat": 1}, {"seat": None}],
        "own": _empty,
        "likely": lambda _: [{"set": 0, "move": 0, "to": "1"}, {"set": 1, "move": 0, "to": "1/3"}],
        "show": lambda _: [{"which": part} for part in ("solution", "path", "own", "learning")],
        "forget": _empty,
        "learn": lambda _: [{"what": "step"}, {"what": "start"}, {"what": "stop"}, {"what": "close"}],
        "matrix": _flags,
    },
    "Table": {
        **dict.fromkeys(
            [
                "undo",
                "redo",
                "new",
                "next",
                "here",
                "start",
                "branch",
                "list",
                "seen",
                "say",
                "holding",
                "lately",
                "piles",
                "stop",
                "step",
                "turn",
                "home",
                "share",
                "show",
                "end",
                "turned",
                "by_cards",
                "people",
            ],
            _empty,
        ),
        "move": lambda table: [{"move": str(move)} for move in table.game.legal_moves()[:1]],
        "why": lambda table: [{"card": str(card)} for hand in table.game.hands for card in hand][:6],
        **dict.fromkeys(["goto", "again"], lambda table: [{"to": 0}, {"to": table.game.last_ply}]),
        "meet": lambda _: [{"who": "nephew"}, {"who": "grandmother"}],
        "hint": lambda _: [{}, {}, {}],
        "draft": lambda _: [{"draft": {}}, {"draft": {"seats": ["you", "careful"]}}],
        "deal": lambda _: [{"draft": {"seats": ["you", "careful"]}}],
        **dict.fromkeys(["read", "paste"], lambda table: [{"text": str(table.game)}]),
        "seat": lambda _: [{"seat": seat, "who": "careful"} for seat in (0, 1)],
    },
    "Tournament": {
        **dict.fromkeys(["go", "stop", "away"], _empty),
        "open": lambda _: [{"part": "matrix"}, {"part": "course"}],
        "games": lambda _: [{"who": -1, "first": 0}, {"who": 0, "first": 0}],
        "look": lambda _: [{"game": 0}],
    },
    "ExerciseWidget": {
        "answer": _page_answers,
        **dict.fromkeys(["again", "reveal", "next", "look", "judge"], _empty),
    },
}
"""Every kind of message that each widget takes, with the function that makes its contents."""
