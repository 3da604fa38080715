"""Reports which forbidden actions the student's code tried in the sandbox.

That can be files, other programs or the network. It runs in the confined process. Python's audit hooks say what is about to be done, before
it is done; a hook can't be removed again.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

from durak_widget.sandbox.os_restrictions import WRITE_FLAGS, make_folder_check

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

ATTEMPT_KINDS: Final = ("files", "programs", "network")
"""The kinds of forbidden actions that are reported."""
_READ_EVENTS: Final = {"open", "os.listdir", "os.scandir"}
_ALWAYS_REFUSED: Final = {
    **dict.fromkeys(("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown"), "files"),
    **dict.fromkeys(("os.truncate", "os.utime", "tempfile.mkstemp", "tempfile.mkdtemp"), "files"),
    **dict.fromkeys(("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"), "programs"),
    **dict.fromkeys(("os.startfile", "pty.spawn"), "programs"),
    **dict.fromkeys(("socket.__new__", "socket.bind", "socket.connect", "socket.getaddrinfo"), "network"),
    **dict.fromkeys(("socket.gethostbyname", "socket.gethostbyaddr"), "network"),
}
"""The kind of action, by audit event of Python; these are the events that the sandbox always blocks."""
_IMPORT_CODE: Final = sys.modules["_frozen_importlib"]._find_and_load.__code__  # Python runs this code for every import
_PATH_ONLY_FLAG: Final = getattr(os, "O_PATH", 0)


class AttemptReporter:
    """Reports, once for each kind, which forbidden actions the code in this process tries.

    >>> told = []
    >>> attempts = AttemptReporter(["/usr/lib"], told.append)
    >>> attempts.handle_event("open", ("/usr/lib", "r", 0)), attempts.handle_event("open", ("no such file", "r", 0)), told
    (None, None, [])
    >>> attempts.start_reporting(ATTEMPT_KINDS); attempts.handle_event("subprocess.Popen", ("ls", ["ls"], None, None)); attempts.handle_event("os.fork", ()); told
    ['programs']
    """

    def __init__(self, readable: Iterable[str], report: Callable[[str], object], *, hides_others: bool = False) -> None:
        """Store the function that receives reports, and the folders that may be read.

        With `hides_others` the process can't see whether other files exist, so every look at one is an attempt.
        """
        self._is_readable, self._report, self._hides_others = make_folder_check(readable), report, hides_others
        self._unreported_kinds: set[str] = set()

    def install_hook(self) -> None:
        """Install the audit hook, through which Python reports what the code is about to do.

        Call this first, because later hooks may raise errors.
        """
        sys.addaudithook(self.handle_event)

    def start_reporting(self, kinds: Collection[str]) -> None:
        """Start to report blocked actions of `kinds`; each kind is reported once."""
        self._unreported_kinds = set(kinds)

    def handle_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Handle an audit event of Python, and report it if the sandbox blocks the action."""
        kind = "files" if event in _READ_EVENTS else _ALWAYS_REFUSED.get(event)
        if kind not in self._unreported_kinds:
            return
        try:
            if (event not in _READ_EVENTS or self._is_refused(event, arguments)) and not _is_importing():
                self._unreported_kinds.discard(kind)
                self._report(kind)
        except Exception:  # noqa: BLE001 - whatever the code has handed over
            return

    def _is_refused(self, event: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether only the sandbox prevents the code from opening or listing a path."""
        path = "." if arguments[0] is None else arguments[0]
        if isinstance(path, int):
            return False
        name = os.fsdecode(path)
        flags = arguments[2] if event == "open" and isinstance(arguments[2], int) else 0
        if name == os.devnull or flags & _PATH_ONLY_FLAG:
            return False
        if flags & WRITE_FLAGS:
            return os.path.lexists(name) or bool(flags & os.O_CREAT and os.path.isdir(os.path.dirname(name) or "."))  # noqa: PTH112, PTH120 - it may be bytes
        return not self._is_readable(name) and (self._hides_others or os.path.lexists(name))


def _is_importing() -> bool:
    """Return whether Python itself opens files, because it is importing a module.

    A program can arrange that on purpose. The report only helps the person who grades: what the sandbox refuses is refused all the same.
    """
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code is _IMPORT_CODE:
            return True
        frame = frame.f_back  # type: ignore[assignment] # None at the end
    return False
