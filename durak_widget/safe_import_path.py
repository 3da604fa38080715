"""Prevents Python from importing modules from folders that contain other people's files.

A folder with homework may contain a file with the name `argparse.py`. The commands that read such a folder call `remove_untrusted_folders` before
they import other modules. So this module imports only modules that Python has always loaded at its start.
"""

import os
import sys

START_OPTIONS = ["-P"] if sys.version_info >= (3, 11) else []
"""The options that prevent `python -c` from importing modules out of the current folder.

Python 3.10 does not have these options. It imports nothing from there before the worker sets `sys.path`.
"""
removed_entries: list[str] = []
"""The entries of `sys.path` that `remove_untrusted_folders` has removed."""


def remove_untrusted_folders(arguments: list[str]) -> None:
    """Remove the current folder, and the folders in command-line arguments, from `sys.path`.

    An argument may be a folder or a file in it. The function also removes entries inside such a folder, except those that belong to Python itself
    or to this package, which are needed.
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
    current_folder = _current_folder()
    if current_folder and not any(_is_same(entry or ".", current_folder) for entry in list_search_path()):
        sys.path.append(current_folder)


def build_worker_path(excluded: str) -> list[str]:
    """Return the `sys.path` for a worker process, without the folder `excluded`.

    Folders inside the excluded folder are left out too. The current folder comes last.
    """
    current_folder = _current_folder()
    entries = sorted(list_search_path(), key=lambda entry: _is_same(entry or ".", "."))
    paths = [entry if entry not in ("", ".") else current_folder for entry in entries]
    return [entry for entry in dict.fromkeys(filter(None, paths)) if not is_inside(entry, excluded)]


def list_search_path() -> list[str]:
    """Return the entries of `sys.path` that are strings."""
    return [entry for entry in sys.path if isinstance(entry, str)]


def find_entry_inside(folder: str) -> str:
    """Return a present or removed entry of `sys.path` that is inside a folder; "" for none."""
    return next((entry or "." for entry in [*list_search_path(), *removed_entries] if is_inside(entry or ".", folder)), "")


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path leads to a given folder or into it, after following links.

    >>> is_inside("a/b", "a"), is_inside("a", "."), is_inside("ab", "a"), is_inside("a", "a/b")
    (True, True, False, False)
    """
    try:
        inner, outer = (os.path.normcase(os.path.realpath(unresolved)) for unresolved in (path, folder))
    except OSError:  # The current folder was deleted, so the path can't be inside it.
        return False
    return inner == outer or inner.startswith(os.path.join(outer, ""))  # noqa: PTH118 - as above


def _is_same(path: str, folder: str) -> bool:
    """Return whether two paths lead to the same folder, after following all links."""
    return is_inside(path, folder) and is_inside(folder, path)


def _is_needed(path: str) -> bool:
    """Return whether a path belongs to Python's own files or to this package."""
    package_parent = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - as above
    return _is_same(path, package_parent) or any(is_inside(path, prefix) for prefix in (sys.prefix, sys.base_prefix))


def _current_folder() -> str:
    """Return the path of the current folder; "" if the folder was deleted."""
    try:
        return os.getcwd()  # noqa: PTH109 - as above
    except OSError:
        return ""
