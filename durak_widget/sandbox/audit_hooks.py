"""Reports what a student's code tried and the sandbox refused.

That can be files, other programs or the network. It runs in the confined process. Python's audit hooks say what is about to be done, before
it is done; a hook can't be removed again.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

from durak_widget.sandbox.os_restrictions import WRITING, inside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

KINDS: Final = ("files", "programs", "network")
"""The kinds of attempts that can be reported."""
_READS: Final = {"open", "os.listdir", "os.scandir"}
_ALWAYS_REFUSED: Final = {
    **dict.fromkeys(("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown"), "files"),
    **dict.fromkeys(("os.truncate", "os.utime", "tempfile.mkstemp", "tempfile.mkdtemp"), "files"),
    **dict.fromkeys(("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"), "programs"),
    **dict.fromkeys(("os.startfile", "pty.spawn"), "programs"),
    **dict.fromkeys(("socket.__new__", "socket.bind", "socket.connect", "socket.getaddrinfo"), "network"),
    **dict.fromkeys(("socket.gethostbyname", "socket.gethostbyaddr"), "network"),
}
"""Events that the sandbox always refuses, each with the kind that is reported."""
_IMPORT: Final = sys.modules["_frozen_importlib"]._find_and_load.__code__  # every import goes through it
_ONLY_A_PLACE: Final = getattr(os, "O_PATH", 0)


class Attempts:
    """A reporter of what this process tries; it reports each kind of refused attempt once.

    >>> told = []
    >>> attempts = Attempts(["/usr/lib"], told.append)
    >>> attempts.heard("open", ("/usr/lib", "r", 0)), attempts.heard("open", ("no such file", "r", 0)), told
    (None, None, [])
    >>> attempts.begin(KINDS); attempts.heard("subprocess.Popen", ("ls", ["ls"], None, None)); attempts.heard("os.fork", ()); told
    ['programs']
    """

    def __init__(self, readable: Iterable[str], report: Callable[[str], object], *, hides_others: bool = False) -> None:
        """Take the folders that may be read, and the function to call with the kind of an attempt.

        With `hides_others` the process can't see whether other files exist, so every look at one is an attempt.
        """
        self._within, self._report, self._hides_others = inside(readable), report, hides_others
        self._left: set[str] = set()

    def listen(self) -> None:
        """Add the hook. Call it before other hooks that raise: Python calls no hook after those."""
        sys.addaudithook(self.heard)

    def begin(self, kinds: Collection[str]) -> None:
        """Report attempts of these kinds from now on."""
        self._left = set(kinds)

    def heard(self, event: str, given: tuple[Any, ...]) -> None:
        """Handle an event of Python's; an error here is not an attempt."""
        kind = "files" if event in _READS else _ALWAYS_REFUSED.get(event)
        if kind not in self._left:
            return
        try:
            if (event not in _READS or self._is_refused(event, given)) and not _is_importing():
                self._left.discard(kind)
                self._report(kind)
        except Exception:  # noqa: BLE001 - whatever the code has handed over
            return

    def _is_refused(self, event: str, given: tuple[Any, ...]) -> bool:
        """Return whether opening or listing a path is refused, and does not fail anyway."""
        path = "." if given[0] is None else given[0]
        if isinstance(path, int):
            return False
        name = os.fsdecode(path)
        flags = given[2] if event == "open" and isinstance(given[2], int) else 0
        if name == os.devnull or flags & _ONLY_A_PLACE:
            return False
        if flags & WRITING:
            return os.path.lexists(name) or bool(flags & os.O_CREAT and os.path.isdir(os.path.dirname(name) or "."))  # noqa: PTH112, PTH120 - it may be bytes
        return not self._within(name) and (self._hides_others or os.path.lexists(name))


def _is_importing() -> bool:
    """Return whether a module is being imported now; libraries then look at their files.

    A program can arrange that on purpose. The report only helps the person who grades: what the sandbox refuses is refused all the same.
    """
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code is _IMPORT:
            return True
        frame = frame.f_back  # type: ignore[assignment] # None at the end
    return False
