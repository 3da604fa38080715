"""Where modules have gone: what was written before a floor had rooms finds them by their old places, `durak_widget.classroom.keys` in `classroom/sheets/`.

That holds for every module, and for every name that was documented; what was no public name may be called otherwise in it now.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

_FLOORS = {
    "game": ("game",),
    "widget": ("widget",),
    "theory": ("theory", "games"),
    "board": ("board",),
    "lessons": ("lessons",),
    "classroom": ("classroom",),
}
"""The floors that had no rooms, and where their modules stand now. No two that were there have one name; commands, which came later, have those of what they do."""
_LATER = {"commands"}
"""Rooms in which nothing stands that had another place."""
_CALLED = {
    "board.asking": "board.kit.questioner",
    "board.told": "board.kit.outline",
    "lessons.store": "widget.kit.store",
    "lessons.kit.store": "widget.kit.store",
    "classroom.counting": "classroom.marking.which_count",
    "classroom.desks_cards": "classroom.desks.cards",
    "classroom.desks_deals": "classroom.desks.deals",
    "classroom.desks_luck": "classroom.desks.luck",
    "classroom.desks_page": "classroom.desks.comparing",
    "classroom.desks_printed": "classroom.desks.printed",
    "classroom.desks_results": "classroom.desks.results",
    "classroom.econ431.counting": "classroom.econ431.how_many",
    "classroom.confined": "walls.confined",
    "classroom.confined_child": "walls.confined_child",
    "classroom.marking.workers": "work.workers",
    "classroom.walls": "walls",
    "classroom.workers": "work.workers",
    "classroom.keeping": "walls.processes",
    "classroom.page": "classroom.reporting.html_page",
    "classroom.report_counts": "classroom.reporting.counts",
    "classroom.report_names": "classroom.reporting.names",
    "classroom.report_page": "classroom.reporting.wording",
    "classroom.telling": "walls.channel",
    "game.telling": "game.shown.sentences",
    "lessons.asking": "lessons.picking.picks",
    "lessons.given": "lessons.kit.arguments",
    "lessons.page": "lessons.kit.exercise_page",
    "rules.told": "rules.english",
    "games.solving.gambit": "games.bridges.gambit",
    "theory.asking": "theory.judging.bot_strategies",
    "theory.counting": "theory.hidden.layouts",
    "widget.keeping": "widget.kit.saved_games",
}
"""What is called otherwise now, by what it was called; names without the package's."""
_RENAMED = {
    "game.written.saving": {"Deal": "Dealt"},
    "game.seen.sight": {"state_of": "game.seen.restored.state_of"},
    "lessons.kit.exercise": {"Judged": "Opinion"},
    "lessons.numbers.number": {"Mistake": "NamedMistake"},
    "lessons.kit.task": {"said": "in_words"},
    "lessons.kit.arguments": {
        "among": "cards_among",
        "cards_of": "cards_given",
        "game_of": "game_given",
        "moves_of": "moves_given",
        "name_of": "name_given",
        "one_of": "chosen_of",
        "seat_of": "seat_asked",
        "text_of": "author_text",
    },
    "lessons.kit.fields": {"listed": "as_lists", "number_of": "number_typed", "said": "numbers_written", "text_of": "as_typed"},
    "lessons.kit.places": {
        "called": "place_name",
        "deciding": "deciding_places",
        "named": "player_name",
        "nothing_hidden": "nothing_is_hidden",
        "where": "place_said",
        "who": "player_said",
    },
}
"""Names in these that pickles and exercises of somebody's own know: they are there for whoever comes by the old place."""


class Moved:
    """Is asked last of all, for a module that is nowhere: it stands in a room of its floor, and is the same there and here."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """Where it stands, if it is one of ours."""
        package, _, short = name.partition(".")
        floor, _, module = short.partition(".")
        if package != "durak_widget":
            return None
        place = _CALLED.get(short) or next(_places(floor, module), "")
        place = place and f"durak_widget.{place}"
        return ModuleSpec(name, self, origin=place) if place else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module as it stands in its room."""
        found = import_module(str(spec.origin))
        for name, now in _RENAMED.get(str(spec.origin).removeprefix("durak_widget."), {}).items():
            home, _, own = now.rpartition(".")
            setattr(found, name, getattr(import_module(f"durak_widget.{home}") if home else found, own))
        self._known[spec.name] = found.__spec__
        return found

    def get_code(self, name: str) -> Any:  # noqa: ANN401 - as a loader has it
        """The code of the module where it stands, for `python -m` and its old place."""
        from importlib.abc import InspectLoader  # noqa: PLC0415 - only who runs a module needs them
        from importlib.util import find_spec  # noqa: PLC0415

        spec = self.find_spec(name)
        found = None if spec is None else find_spec(str(spec.origin))
        return None if found is None or not isinstance(found.loader, InspectLoader) else found.loader.get_code(str(found.name))

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run, since it has run already; and it is called as it was."""
        spec = module.__spec__
        if spec is not None:
            module.__spec__ = self._known.pop(spec.name, spec)


def _places(floor: str, module: str) -> Iterator[str]:
    """Where a module of that name stands in the rooms of a floor; `pathlib` is imported for whoever asks, and costs nobody else."""
    from pathlib import Path  # noqa: PLC0415 - as is said above

    here = Path(__file__).parent
    for there in _FLOORS.get(floor, ()) if module.isidentifier() else ():
        for file in (one for one in (here / there).glob(f"*/{module}.py") if one.parent.name not in _LATER):
            yield ".".join(file.relative_to(here).with_suffix("").parts)


def as_its_module(room: str) -> Callable[[str], Any]:
    """What a room answers that has the name of a module that stood there: what that module answers, which stands in it now.

    >>> from durak_widget.theory.judging import judge
    >>> judge.__module__
    'durak_widget.theory.judging.judging'
    """

    def answer(name: str) -> Any:  # noqa: ANN401 - whatever the module has
        if not name.startswith("_"):
            module = import_module(f"{room}.{room.rpartition('.')[2]}")
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return answer


def follow() -> None:
    """Have Python ask for what has moved, after all others; once."""
    if not any(isinstance(one, Moved) for one in sys.meta_path):
        sys.meta_path.append(Moved())
