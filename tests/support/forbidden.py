"""Attacks that code in the sandbox must not be able to make."""

from __future__ import annotations

import re

from support.spoken import english_text

FORBIDDEN = {
    "reads a file": "open({there!r}).read()",
    "lists a folder": "import os\nos.listdir({folder!r})",
    "writes a file": "open({there!r}, 'w').write('x')",
    "writes at home": "open('notes.txt', 'w').write('x')",
    "makes a folder": "import os\nos.mkdir('x')",
    "removes a file": "import os\nos.remove({there!r})",
    "renames a file": "import os\nos.rename({there!r}, {there!r} + 'x')",
    "lets everybody read": "import os\nos.chmod({there!r}, 0o777)",
    "says it is old": "import os\nos.utime({there!r}, (0, 0))",
    "cuts a file": "import os\nos.truncate({there!r}, 0)",
    "a word to another by a lock": "import fcntl, os\nfcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX)",
    "a word to another by half a lock": "import fcntl, os\nfcntl.lockf(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_SH)",
    "reads passwords": "open('/etc/passwd').read()",
    "reads of processes": "open('/proc/1/environ').read()",
    "a socket": "import socket\nsocket.socket().connect(('127.0.0.1', {port}))",
    "a local socket": "import socket\nsocket.socketpair()",
    "a copy of itself": "import os\nos.fork()",
    "many copies": "import os\nfor _ in range(20):\n    os.fork()",
    "a program": "import os\nos.execv('/bin/true', ['true'])",
    "a program beside": "import subprocess\nsubprocess.run(['/bin/true'])",
    "a thread": "import threading\nthreading.Thread(target=print).start()",
    "ends its parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "ends all": "import os, signal\nos.kill(-1, signal.SIGKILL)",
    "ends whoever marks": "import os, signal\nos.kill({marks}, signal.SIGKILL)",
}
"""Attacks by name; `there` is a file, `folder` its folder, `port` an open port, `marks` a process."""
REFUSED = (
    re.escape(english_text("class.code.raised.line", error="ERROR", line="LINE"))
    .replace("ERROR", r"(PermissionError|FileNotFoundError|RuntimeError|BlockingIOError|OSError) \(.*\)")
    .replace("LINE", r"\d")
)
"""The error of each attack: refused, or no such file in what the code sees."""
