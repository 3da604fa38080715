"""Where Python looks for modules: never first in the current folder while this package loads its own, and never among what others have handed in.

A folder that a program is started in may hold an `argparse.py` of somebody else's. So this module takes only what is there before any program begins.
"""

import os
import sys

dropped: list[str] = []
"""The current folder, where `python -m durak_widget…` had put it on the path."""


def begin() -> None:
    """Take the current folder off the path where it is there only since a command of this package was started by `python -m`."""
    ours = any(one.removeprefix("-m").startswith("durak_widget") for one in getattr(sys, "orig_argv", ())[1:])
    if getattr(sys, "argv", [])[:1] == ["-m"] and ours and sys.path and sys.path[0] in _here():
        dropped.append(sys.path.pop(0))


def also_here() -> None:
    """Look in the current folder too, behind everything else: a teacher's own module may lie there."""
    here = _here()
    if not any(_is_one(one, here) for one in sys.path):
        sys.path.append(os.getcwd())  # noqa: PTH109 - as above


def paths(apart: str) -> list[str]:
    """The path for a process of this package's own: the current folder last, and nothing that is or lies in the folder `apart`."""
    here = _here()
    whole = next((one for one in here if one not in ("", ".")), "")
    own = sorted(filter(None, (one or whole for one in sys.path if isinstance(one, str))), key=here.__contains__)
    return [one for one in dict.fromkeys(own) if not within(one, apart)]


def places_looked() -> list[str]:
    """Where a file may lie that a module of somebody's own names: wherever modules are looked for, and last in the current folder."""
    here = _here()
    return [*sorted((one for one in sys.path if isinstance(one, str)), key=here.__contains__), ""]


def among(folder: str) -> str:
    """A place on the path that is this folder, or lies in it; nothing, where there is none."""
    found = (one or "." for one in [*sys.path, *dropped] if isinstance(one, str))
    return next((one for one in found if within(one, folder)), "")


def within(place: str, folder: str) -> bool:
    """Whether a place is that folder, or lies in it, wherever links lead.

    >>> within("a/b", "a"), within("a", "."), within("ab", "a"), within("a", "a/b")
    (True, True, False, False)
    """
    try:
        inner, outer = (os.path.normcase(os.path.realpath(one)) for one in (place, folder))
    except OSError:  # the current folder is gone, and nothing is in it
        return False
    return inner == outer or inner.startswith(os.path.join(outer, ""))  # noqa: PTH118 - pathlib is no module that is there before


class Elsewhere:
    """With the current folder last on the path, so that nothing in it is taken for a module that this package needs."""

    def __enter__(self) -> None:
        self._was = list(sys.path)
        here = _here()
        sys.path[:] = sorted(sys.path, key=lambda one: _is_one(one, here))
        self._is = list(sys.path)

    def __exit__(self, *_: object) -> None:
        if sys.path == self._is:  # whoever has changed it meanwhile means it so
            sys.path[:] = self._was


def _is_one(place: object, here: set[str]) -> bool:
    """Whether an entry of the path is the current folder; an entry may be anything."""
    return isinstance(place, str) and place in here


def _here() -> set[str]:
    try:
        return {"", ".", os.getcwd()}  # noqa: PTH109 - as above
    except OSError:  # it is gone
        return {"", "."}
