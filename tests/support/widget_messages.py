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
    task = widget.question_view.get("question_kind")
    nodes = range(1, min(widget.tree.history_count, 6)) if hasattr(widget, "tree") else ()
    table = type(widget).__name__ == "MatrixWidget"
    cells = [(row, column) for row in range(2) for column in range(2)] if task in ("fill", "best") else []
    known = {
        None: [],
        "values": [{"node": node, "text": "1"} for node in nodes],
        "path": [{"node": node, "action": move} for node in (0, *nodes) for move in (0, 1)],
        "draw": [{"node": node, "action": move} for node in (0, *nodes) for move in (0, 1)],
        "sets": [{"nodes": [node, node + 1], "join": join} for node in nodes for join in (True, False)],
        "fill": [{"row": row, "column": column, "text": "1"} for row, column in cells],
        "best": [{"player": seat, "row": row, "column": column} for row, column in cells for seat in (0, 1)],
        "strike": [{"player": seat, "strategy": place} for seat in (0, 1) for place in (0, 1)] if table else [],
        "strategy": [{"infoset": 0}],
    }
    if task not in known:
        raise AssertionError(f"a board asks for {task!r}: add it to _board_answers in tests/support/widget_messages.py")
    return known[task]


def _page_answers(page: Any) -> list[dict[str, Any]]:
    """Return possible answers from a page: no item, a number, each item, all items."""
    items = [item[0] for item in page.exercise_view["items"]]
    return [{"answer": []}, {"answer": ["7"]}, *({"answer": [item]} for item in items), {"answer": items}]


_GRID: dict[str, Any] = {
    "select_cell": lambda _: [{"row": row, "column": column} for row in range(3) for column in range(3)],
    "eliminate": lambda _: [{}, {"player": 0, "strategy": 0}, {"player": 1, "strategy": 1}],
    "undo_elimination": _empty,
    "show_best_responses": _flags,
    "show_both_payoffs": _flags,
    "list_equilibria": _flags,
    "show_equilibrium": lambda _: [{"index": 0}, {"index": None}],
    "answer": _board_answers,
}
_EDITOR = ["undo", "redo", "export", "rename_player"]
MESSAGES: dict[str, dict[str, Any]] = {
    # No exercise opens an editor, so its messages need no content.
    "MatrixSketch": dict.fromkeys(
        [*_EDITOR, "set_cell", "paste_table", "add_strategy", "remove_strategy", "shift_strategy", "rename_strategy"], _empty
    ),
    "Sketch": dict.fromkeys(
        [
            *_EDITOR,
            "select_node",
            "add_action",
            "add_chance_move",
            "remove_branch",
            "remove_children",
            "rename_action",
            "shift_branch",
            "set_actor",
            "set_label",
            "set_probability",
            "set_payoffs",
            "join_infosets",
            "split_infoset",
            "copy",
            "paste",
            "add_player",
            "remove_player",
            "set_title",
        ],
        _empty,
    ),
    "MatrixWidget": _GRID,
    "RoomWidget": dict.fromkeys(["command", "page"], _empty),  # no exercise shows a class session
    "TreeWidget": {
        **_GRID,
        "toggle": _nodes,
        "unfold": lambda _: [
            {"scope": "all"},
            {"scope": "depth", "number": 2},
            {"scope": "player", "number": 0},
            {"scope": "player", "number": 1},
            {"scope": "reached"},
        ],
        "fold": _empty,
        "select_node": _nodes,
        "find": lambda _: [{"text": "1"}, {"text": "take"}],
        "go_to_match": lambda _: [{"step": 1}, {"step": -1}],
        "open_table": _nodes_of_tables,
        "node_details": _nodes,
        "solve": lambda _: [{"method": None}, *({"method": method} for method in ("backward", "lp", "exact", "cfr+", "pure", "answer"))],
        "select_equilibrium": lambda _: [{"index": 0}, {"index": 1}],
        "show_path": _empty,
        "go_to_path_point": lambda _: [{"index": 0}, {"index": 5}],
        "mark_best_responses": lambda _: [{"player": 0}, {"player": 1}, {"player": None}],
        "start_own_strategy": _empty,
        "set_probability": lambda _: [{"infoset": 0, "action": 0, "probability": "1"}, {"infoset": 1, "action": 0, "probability": "1/3"}],
        "show_strategy": lambda _: [{"strategy": part} for part in ("solution", "path", "own", "learning")],
        "delete_own_strategy": _empty,
        "learn": lambda _: [{"command": "step"}, {"command": "start"}, {"command": "stop"}, {"command": "close"}],
        "show_matrix": _flags,
    },
    "Table": {
        **dict.fromkeys(
            [
                "undo",
                "redo",
                "new_game",
                "next_game",
                "uncover_hand",
                "start",
                "drop_undone_moves",
                "move_list",
                "seen_cards",
                "describe_table",
                "describe_hand",
                "describe_last_moves",
                "describe_piles",
                "stop",
                "step",
                "rotate_view",
                "reset_view",
                "share",
                "refresh",
                "play_to_end",
                "review",
                "review_by_cards",
                "opponents",
                "how_to_play",
            ],
            _empty,
        ),
        "move": lambda table: [{"move": str(move)} for move in table.game.legal_moves()[:1]],
        "explain_refusal": lambda table: [{"card": str(card)} for hand in table.game.hands for card in hand][:6],
        **dict.fromkeys(["goto", "retry_decision"], lambda table: [{"to_ply": 0}, {"to_ply": table.game.last_ply}]),
        "play_opponent": lambda _: [{"player": "nephew"}, {"player": "grandmother"}],
        "hint": lambda _: [{}, {}, {}],
        "draft": lambda _: [{"draft": {}}, {"draft": {"seats": ["you", "careful"]}}],
        "deal": lambda _: [{"draft": {"seats": ["you", "careful"]}}],
        **dict.fromkeys(["check_text", "open_text"], lambda table: [{"text": str(table.game)}]),
        "seat_player": lambda _: [{"seat": seat, "player": "careful"} for seat in (0, 1)],
    },
    "Tournament": {
        **dict.fromkeys(["start", "stop", "close_table"], _empty),
        "open_part": lambda _: [{"part": "matrix"}, {"part": "course"}],
        "list_games": lambda _: [{"player": -1, "first_game": 0}, {"player": 0, "first_game": 0}],
        "open_game": lambda _: [{"game": 0}],
    },
    "ExerciseWidget": {
        "answer": _page_answers,
        **dict.fromkeys(["restart", "reveal", "next", "reload", "grade_current_answer"], _empty),
    },
}
"""Every kind of message that each widget takes, with the function that makes its contents."""
