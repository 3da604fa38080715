"""Keeps other people's files out of Python's search for modules.

A folder of homework may hold a file called `argparse.py`. The commands that read such a folder call `remove_untrusted_folders`
before they import anything else. So this module imports only what Python has loaded before any program starts.
"""

import os
import sys

START_OPTIONS = ["-P"] if sys.version_info >= (3, 11) else []
"""Options for a Python that runs `-c`, so that it does not search the current folder.

Python 3.10 lacks them, and loads nothing from there automatically.
"""
removed: list[str] = []
"""The entries that `remove_untrusted_folders` took off `sys.path`."""


def remove_untrusted_folders(arguments: list[str]) -> None:
    """Remove the current folder and the folders of these arguments from `sys.path`.

    An argument may name a folder or a file. Entries inside such a folder are removed too, except those that belong to this Python or to
    this package: without them nothing works.
    """
    words = [part for word in arguments for part in (word, word.partition("=")[2]) if part]
    folders = [word if os.path.isdir(word) else os.path.dirname(word) or "." for word in words if os.path.exists(word)]  # noqa: PTH110, PTH112, PTH120 - pathlib is not loaded yet
    for entry in [entry for entry in sys.path if isinstance(entry, str)]:
        folder_path = entry or "."
        if _is_same(folder_path, ".") or (any(is_inside(folder_path, folder) for folder in folders) and not _is_needed(folder_path)):
            sys.path.remove(entry)
            removed.append(entry)


def append_current_folder() -> None:
    """Search the current folder too, after everything else: a teacher's module may be there."""
    current = _current_folder()
    if current and not any(_is_same(entry or ".", current) for entry in search_path()):
        sys.path.append(current)


def worker_path(excluded: str) -> list[str]:
    """Return the `sys.path` of a worker process.

    The current folder is last, and nothing inside the folder `excluded` is there.
    """
    current = _current_folder()
    entries = sorted(search_path(), key=lambda entry: _is_same(entry or ".", "."))
    paths = [entry if entry not in ("", ".") else current for entry in entries]
    return [entry for entry in dict.fromkeys(filter(None, paths)) if not is_inside(entry, excluded)]


def search_path() -> list[str]:
    """Return the entries of `sys.path` that are strings."""
    return [entry for entry in sys.path if isinstance(entry, str)]


def entry_inside(folder: str) -> str:
    """Return an entry of `sys.path`, or a removed one, that is inside this folder; else ""."""
    return next((entry or "." for entry in [*search_path(), *removed] if is_inside(entry or ".", folder)), "")


def is_inside(place: str, folder: str) -> bool:
    """Return whether a path is that folder or inside it, after following links.

    >>> is_inside("a/b", "a"), is_inside("a", "."), is_inside("ab", "a"), is_inside("a", "a/b")
    (True, True, False, False)
    """
    try:
        inner, outer = (os.path.normcase(os.path.realpath(unresolved)) for unresolved in (place, folder))
    except OSError:  # the current folder was deleted, so nothing is in it
        return False
    return inner == outer or inner.startswith(os.path.join(outer, ""))  # noqa: PTH118 - as above


def _is_same(place: str, folder: str) -> bool:
    """Return whether two paths lead to the same folder."""
    return is_inside(place, folder) and is_inside(folder, place)


def _is_needed(place: str) -> bool:
    """Return whether a path belongs to this Python or to this package."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - as above
    return _is_same(place, own) or any(is_inside(place, prefix) for prefix in (sys.prefix, sys.base_prefix))


def _current_folder() -> str:
    """Return the current folder, or an empty string if it was deleted."""
    try:
        return os.getcwd()  # noqa: PTH109 - as above
    except OSError:  # it was deleted
        return ""
