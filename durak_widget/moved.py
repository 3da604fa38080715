"""Where modules have gone: what was written before a floor had rooms finds them by their old places, `durak_widget.classroom.keys` in `classroom/sheets/`."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_HERE = Path(__file__).parent
_FLOORS = {"theory": ("theory", "games"), "board": ("board",), "lessons": ("lessons",), "classroom": ("classroom",)}
"""The floors that had no rooms, and where their modules stand now. No two of a floor have one name."""


class Moved:
    """Is asked last of all, for a module that is nowhere: it stands in a room of its floor, and is the same there and here."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        """Where it stands, if it is one of ours."""
        floor, _, module = name.removeprefix("durak_widget.").partition(".")
        if not name.startswith("durak_widget.") or not module.isidentifier():
            return None
        found = (file for there in _FLOORS.get(floor, ()) for file in (_HERE / there).glob(f"*/{module}.py"))
        place = next((".".join(file.relative_to(_HERE.parent).with_suffix("").parts) for file in found), "")
        return ModuleSpec(name, self, origin=place) if place else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """That very module."""
        found = import_module(str(spec.origin))
        self._known[spec.name] = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """It has run already, and is called as it was."""
        spec = module.__spec__
        if spec is not None:
            module.__spec__ = self._known.pop(spec.name, spec)


def follow() -> None:
    """Have Python ask for what has moved, after all others; once."""
    if not any(isinstance(one, Moved) for one in sys.meta_path):
        sys.meta_path.append(Moved())
