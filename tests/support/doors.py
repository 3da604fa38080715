"""Every door of whatever is shown: each message of each widget that it brings, each setting, each form in which it is stored; and a spy who hears whether an answer is worked out meanwhile."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

import durak_widget
from durak_widget.analysis.deal_enumeration import Origin
from durak_widget.exercises.blackboard_exercise import Asked
from durak_widget.exercises.exercise import Exercise
from durak_widget.gametheory.tree import CHANCE
from durak_widget.homework.keyless_exercise import Sealed
from durak_widget.widgets.base_widget import Door

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = str(Path(durak_widget.__file__).parent)
ABSENT = tuple(
    bridge for bridge, package in ((".openspiel_bridge", "pyspiel"), (".pettingzoo_env", "pettingzoo")) if find_spec(package) is None
)
"""Bridges to what is not installed here."""
PACKAGES = (
    *("gametheory", "analysis", "bots", "widgets", "table", "board", "editor", "tournament_widget", "exercises", "lessons"),
    *("homework", "paper_exams", "duplicate_deals", "econ431", "custom_games", "grading", "class_games", "classroom"),
)
LAID = {
    *(
        *(
            f"gametheory/strategic_form.{name}"
            for name in (
                "_but",
                "_cells",
                "_check",
                "_dominated",
                "_named",
                "_of",
                "_payoffs",
                "_plans",
                "_reached",
                "_repr_html_",
                "_without",
                "dominated",
                "eliminate",
                "how_many",
                "leads_along",
                "matrix",
                "own_paths",
                "plans_of",
                "pure_plans",
                "size_said",
                "zero_sum",
            )
        ),
        *(
            f"gametheory/number_parsing.{name}"
            for name in (
                "_broken",
                "_decimal",
                "_digits",
                "_digits_of",
                "_fraction",
                "_plain",
                "_read",
                "_summed",
                "_unit",
                "_whole",
                "beyond_writing",
                "exactly",
                "may_stand_for",
                "means",
                "number",
                "readings",
                "rounds",
                "writing",
            )
        ),
        "gametheory/strategy",
        *(
            f"gametheory/tree.{name}"
            for name in (
                "_by_levels",
                "_set_of",
                "children",
                "forgets",
                "grow",
                "histories",
                "infosets",
                "move_to",
                "moves_to",
                "readable",
                "require_tree",
                "terminals",
            )
        ),
    ),
    *(
        *(f"analysis/possible_worlds.{name}" for name in ("_as_it_is",)),
        "analysis/deal_enumeration",
        "analysis/game_at_node",
        *(f"analysis/durak_tree.{name}" for name in ("look_of",)),
    ),
    "bots/bot",
}
"""Of the floors on which answers are worked out, what only lays out what anybody may see: trees, tables of payoffs, strategies as they were given."""
WORKS = ("gametheory/", "analysis/", "bots/")
"""These floors."""
RECKONED = {
    *(f"gametheory/strategic_form.{name}" for name in ("dominated", "_dominated", "_of", "eliminate")),
    *(f"gametheory/strategy.{name}" for name in ("near_strategies", "_simplest")),
}
"""What is worked out there all the same."""
DEALS = "analysis/deal_enumeration"
"""How the cards of a tree were dealt is found by all worlds that are possible: what is called there is not heard."""
HARMLESS = {
    *(f"board/strategy_state.{name}" for name in ("changed", "scaled", "_simple")),
    *(f"board/iterated_elimination.{name}" for name in ("alive", "left", "undo")),
    "table/hints.of_task",  # the hint that an exercise itself gives
    "gametheory/certificate.rounded",
    "gametheory/bimatrix_equilibria.a_matrix",
    *(
        f"gametheory/signalling_games.{name}" for name in ("no_signals", "_signals", "signalling")
    ),  # how it is drawn hangs on whether one moves first and knows more
    *(f"gametheory/player_labels.{name}" for name in ("is_unnamed", "default_name", "player_names", "player_number")),
    "gametheory/zero_sum_solver.hides",  # what is hidden is seen on the tree
    "gametheory/beliefs.members",
    "gametheory/game_properties.memories",  # who remembers what is seen on the tree
    "gametheory/best_responses.answerer",  # who answers whom hangs on what the payoffs add up to
    *(f"gametheory/game_properties.{name}" for name in ("zero_sum", "moves_are_seen", "in_decimals")),
}
"""What reads a game or reckons with somebody's own numbers, and says nothing of what is good."""
SOLVES = {
    "table/hints",
    *(f"board/strategy_state.{name}" for name in ("worth_of",)),
    "board/iterated_elimination",
    "exercises/strategy_loss",
    "table/opponent_remarks",
    *(f"exercises/goals.{name}" for name in ("_answers", "_each_has_its_own", "_ending", "gone", "open", "place", "way")),
    "exercises/duplicate_bot_games",
    "grading/answer_grading",
}
"""Modules elsewhere that say how good something is."""
JUDGES = {"judge", "part_done", "solution", "attempts", "equilibria"}
"""What a question on a board knows of its answer; of other exercises `_judge`."""


@cache
def import_everything() -> None:
    """Import every module, so that nothing is heard of what is imported late; and check that those named above are there."""
    for package in PACKAGES:
        for module in walk_packages(import_module(f"durak_widget.{package}").__path__, f"durak_widget.{package}."):
            if not module.name.endswith(("__main__", *ABSENT)):
                import_module(module.name)
    there = {path.relative_to(ROOT).with_suffix("").as_posix() for path in Path(ROOT).rglob("*.py")}
    if gone := {name.partition(".")[0] for name in LAID | RECKONED | HARMLESS | SOLVES | {DEALS}} - there:
        raise AssertionError(f"tests/support/doors.py names modules that are not there: {sorted(gone)}")


class Spy:
    """Hears every call in Python, and keeps those by which an answer is worked out."""

    def __init__(self) -> None:
        import_everything()
        self.heard: set[str] = set()
        self._known: dict[Any, str] = {}
        self._deep = 0

    def __enter__(self) -> Spy:
        self._before = sys.getprofile()
        sys.setprofile(self._hears)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _hears(self, frame: Any, event: str, _: object) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        name = self._known.get(code)
        if name is None:
            name = self._known[code] = named(code)
        if name == DEALS:
            self._deep += 1 if event == "call" else -1
        elif name and not self._deep and event == "call" and _solves(name, frame.f_locals.get("self")):
            self.heard.add(name)


def named(code: Any) -> str:
    """What may solve, by its room and name; nothing of what does not."""
    file, name = code.co_filename, code.co_name
    if not file.startswith(ROOT):
        return ""
    where = file[len(ROOT) + 1 : -3].replace("\\", "/")
    if where == DEALS:
        return DEALS
    if name.startswith(("<", "__")) or f"{where}.{name}" in HARMLESS:
        return ""
    full = f"{where}.{name}"
    judges = SOLVES & {where, full} or name in JUDGES | {"_judge"}
    solves = not LAID & {where, full} and (where.startswith(WORKS) or judges)
    return full if solves or full in RECKONED else ""


def _solves(name: str, whose: object) -> bool:
    """Whether a call says what is right: of methods that are called alike those of a question, not those of its page."""
    what = name.rpartition(".")[2]
    if what in JUDGES and name.startswith(("exercises/", "lessons/")):
        return isinstance(whose, Asked)
    return what != "_judge" or (isinstance(whose, Exercise) and not isinstance(whose, Sealed))


class House:
    """What was shown of something, with the widgets that it brings, also those that come later: and all that left Python."""

    def __init__(self) -> None:
        self.widgets: list[Any] = []
        self.told: list[Any] = []

    @contextmanager
    def watched(self, monkeypatch: Any) -> Iterator[House]:
        """From now on, each widget that is made is one of its, and what is displayed or sent is kept."""
        house, begin = self, Door.__init__

        def begun(widget: Any, **more: Any) -> None:
            begin(widget, **more)
            house.widgets.append(widget)

        with monkeypatch.context() as changed:
            changed.setattr(Door, "__init__", begun)
            changed.setattr(Door, "send", lambda _, content, **__: house.told.append(content))
            changed.setattr("IPython.display.display", lambda *shown, **_: house.told.append(shown))
            yield self

    def state(self) -> str:
        """All that the page has, as text; without what counts scenes."""
        return json.dumps([json.loads(json.dumps(state_of(one), default=str)) for one in self.widgets], sort_keys=True)

    def open(self, *, but: tuple[type, ...] = ()) -> None:
        """Every door of every widget, once; of those too that came through one."""
        opened = 0
        while opened < len(self.widgets):
            widget = self.widgets[opened]
            opened += 1
            if isinstance(widget, but):
                continue
            for kind in widget.kinds:
                for message in messages(widget, kind):
                    widget._hear(widget, message, [])
                    self.told.append(state_of(widget))
            for kind in widget.later:
                widget._hear(widget, {"kind": kind}, [])
            for name, value in settings(widget):
                widget.set_state({name: value})
                self.told.append(state_of(widget))
            for form in (
                str,
                repr,
                lambda one: one._repr_mimebundle_(),
                lambda one: one.live(),
                lambda one: one.svg() if hasattr(one, "svg") else "",
            ):
                self.told.append(form(widget))


def state_of(widget: Any) -> dict[str, Any]:
    """What is stored, and sent, of a widget; without its code and its words, which are the same for all."""
    return {
        name: value
        for name, value in widget.get_state().items()
        if not name.startswith("_") and name not in ("words", "layout", "tabbable", "tooltip")
    }


def settings(widget: Any) -> list[tuple[str, Any]]:
    """Each setting that a page may change, set to whatever it takes, and back."""
    found: list[tuple[str, Any]] = []
    for name, trait in widget.traits(page=True).items():
        now = getattr(widget, name)
        others = [value for value in getattr(trait, "values", None) or ([not now] if isinstance(now, bool) else [now + 1]) if value != now]
        found += [(name, value) for value in (*others, now)]
    return found


def messages(widget: Any, kind: str) -> list[dict[str, Any]]:
    """The messages of a kind that a page might send; a kind that is new is to be added here, else it fails by its name."""
    which = type(widget).__name__
    known: dict[str, Callable[[Any], list[dict[str, Any]]]] = DOORS[which]
    if kind not in known:
        raise AssertionError(
            f"{which} hears {kind!r}, and tests/support/doors.py does not know how that is said: add it to DOORS, with all that a page may say with it"
        )
    said = known[kind](widget)
    if which == "Table":
        said = [{"game": widget.scene["game"], "ply": widget.scene["ply"], **one} for one in said]
    return [{"kind": kind, **one} for one in said]


def _alone(_: Any) -> list[dict[str, Any]]:
    return [{}]


def _flags(_: Any) -> list[dict[str, Any]]:
    return [{"on": True}, {"on": False}, {"on": True}]


def _nodes(view: Any) -> list[dict[str, Any]]:
    return [{"id": node} for node in range(min(view.tree.histories, 12))]


def _laid(view: Any) -> list[dict[str, Any]]:
    """Where a table can stand."""
    if not isinstance(view.tree.origin, Origin):
        return [{"id": 0}]
    return [{"id": node} for node, actor in enumerate(view.tree.actor) if actor != CHANCE][:3]


def _given(widget: Any) -> list[dict[str, Any]]:
    """What can be done on a board for an answer: something of each kind, right or wrong."""
    task = widget.told_task.get("asks")
    nodes = range(1, min(widget.tree.histories, 6)) if hasattr(widget, "tree") else ()
    table = type(widget).__name__ == "Matrix"
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
        raise AssertionError(f"{task!r} is asked on a board, and tests/support/doors.py does not know how it is answered: add it to _given")
    return known[task]


def _answers(page: Any) -> list[dict[str, Any]]:
    """What a page may send for an answer: each item, none, and a number."""
    items = [item[0] for item in page.sheet["items"]]
    return [{"given": []}, {"given": ["7"]}, *({"given": [item]} for item in items), {"given": items}]


_GRID: dict[str, Any] = {
    "cell": lambda _: [{"row": row, "column": column} for row in range(3) for column in range(3)],
    "strike": lambda _: [{}, {"seat": 0, "place": 0}, {"seat": 1, "place": 1}],
    "unstrike": _alone,
    "marks": _flags,
    "pairs": _flags,
    "equilibria": _flags,
    "mix": lambda _: [{"place": 0}, {"place": None}],
    "give": _given,
}
_DRAWN = ["undo", "redo", "export", "shift", "player"]
DOORS: dict[str, dict[str, Any]] = {
    # Nothing that is asked brings a tree or a matrix that one draws oneself: there is nothing to be told.
    "MatrixSketch": dict.fromkeys([*_DRAWN, "put", "add", "drop", "plan"], _alone),
    "Sketch": dict.fromkeys(
        [
            *_DRAWN,
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
        _alone,
    ),
    "Matrix": _GRID,
    "Tree": {
        **_GRID,
        "toggle": _nodes,
        "open": lambda _: [
            {"what": "all"},
            {"what": "depth", "n": 2},
            {"what": "seat", "n": 0},
            {"what": "seat", "n": 1},
            {"what": "reached"},
        ],
        "close": _alone,
        "look": _nodes,
        "find": lambda _: [{"text": "1"}, {"text": "take"}],
        "next": lambda _: [{"step": 1}, {"step": -1}],
        "table": _laid,
        "told": _nodes,
        "solve": lambda _: [{"method": None}, *({"method": one} for one in ("backward", "lp", "exact", "cfr+", "pure", "answer"))],
        "choose": lambda _: [{"place": 0}, {"place": 1}],
        "path": _alone,
        "rational": lambda _: [{"to": 0}, {"to": 5}],
        "best": lambda _: [{"seat": 0}, {"seat": 1}, {"seat": None}],
        "own": _alone,
        "likely": lambda _: [{"set": 0, "move": 0, "to": "1"}, {"set": 1, "move": 0, "to": "1/3"}],
        "show": lambda _: [{"which": one} for one in ("solution", "path", "own", "learning")],
        "forget": _alone,
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
            _alone,
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
        **dict.fromkeys(["go", "stop", "away"], _alone),
        "open": lambda _: [{"part": "matrix"}, {"part": "course"}],
        "games": lambda _: [{"who": -1, "first": 0}, {"who": 0, "first": 0}],
        "look": lambda _: [{"game": 0}],
    },
    "ExercisePage": {
        "answer": _answers,
        **dict.fromkeys(["again", "reveal", "next", "look", "judge"], _alone),
    },
}
"""How each kind of message is said, by the widget that hears it."""
