"""Keeps Python from searching for modules in folders with other people's files.

A folder of homework may hold a file called `argparse.py`. The commands that read such a folder call `remove_untrusted_folders`
before they import anything else. So this module imports only what Python has loaded before any program starts.
"""

import os
import sys

START_OPTIONS = ["-P"] if sys.version_info >= (3, 11) else []
"""The options for a Python process with `-c`, so that it does not search the current folder.

Python 3.10 lacks them, and loads nothing from there automatically.
"""
removed_entries: list[str] = []
"""The entries that `remove_untrusted_folders` removed from `sys.path`."""


def remove_untrusted_folders(arguments: list[str]) -> None:
    """Remove the current folder and the folders named by the arguments from `sys.path`.

    An argument may name a folder or a file. Entries inside such a folder are removed too, except those that belong to this Python or to
    this package: without them nothing works.
    """
    words = [part for word in arguments for part in (word, word.partition("=")[2]) if part]
    folders = [word if os.path.isdir(word) else os.path.dirname(word) or "." for word in words if os.path.exists(word)]  # noqa: PTH110, PTH112, PTH120 - pathlib is not loaded yet
    for entry in [entry for entry in sys.path if isinstance(entry, str)]:
        folder_path = entry or "."
        if _is_same(folder_path, ".") or (any(is_inside(folder_path, folder) for folder in folders) and not _is_needed(folder_path)):
            sys.path.remove(entry)
            removed_entries.append(entry)


def append_current_folder() -> None:
    """Append the current folder to `sys.path`, because a teacher's module may be there."""
    current = _current_folder()
    if current and not any(_is_same(entry or ".", current) for entry in list_search_path()):
        sys.path.append(current)


def build_worker_path(excluded: str) -> list[str]:
    """Return the `sys.path` for a worker process, without anything in an excluded folder.

    The current folder is last, and nothing inside the folder `excluded` is there.
    """
    current = _current_folder()
    entries = sorted(list_search_path(), key=lambda entry: _is_same(entry or ".", "."))
    paths = [entry if entry not in ("", ".") else current for entry in entries]
    return [entry for entry in dict.fromkeys(filter(None, paths)) if not is_inside(entry, excluded)]


def list_search_path() -> list[str]:
    """Return the entries of `sys.path` that are strings."""
    return [entry for entry in sys.path if isinstance(entry, str)]


def find_entry_inside(folder: str) -> str:
    """Return an entry of `sys.path` (even a removed one) that is inside a folder, or ""."""
    return next((entry or "." for entry in [*list_search_path(), *removed_entries] if is_inside(entry or ".", folder)), "")


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path is a given folder or inside it, after following links.

    >>> is_inside("a/b", "a"), is_inside("a", "."), is_inside("ab", "a"), is_inside("a", "a/b")
    (True, True, False, False)
    """
    try:
        inner, outer = (os.path.normcase(os.path.realpath(unresolved)) for unresolved in (path, folder))
    except OSError:  # The current folder was deleted, so the path can't be inside it
        return False
    return inner == outer or inner.startswith(os.path.join(outer, ""))  # noqa: PTH118 - as above


def _is_same(path: str, folder: str) -> bool:
    """Return whether two paths lead to the same folder."""
    return is_inside(path, folder) and is_inside(folder, path)


def _is_needed(path: str) -> bool:
    """Return whether a path belongs to Python itself or to this package."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - as above
    return _is_same(path, own) or any(is_inside(path, prefix) for prefix in (sys.prefix, sys.base_prefix))


def _current_folder() -> str:
    """Return the current folder, or an empty string if it was deleted."""
    try:
        return os.getcwd()  # noqa: PTH109 - as above
    except OSError:  # The current folder was deleted
        return ""
