"""Restricts this process for good, before someone else's code runs in it.

Called in the confined process only. Each function returns whether its restriction is in force, since not every system has every one;
`docs/marking.md` has the table. A process can't undo a restriction.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_X86, _GENERIC = 0xC000003E, {"aarch64": 0xC00000B7, "riscv64": 0xC00000F3, "loongarch64": 0xC0000102}
_REFUSED: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    # what is asked of the kernel: its numbers on x86_64, and its numbers on all newer machines
    "another process or thread": ((56, 57, 58, 435), (220, 435)),
    "another program": ((59, 322), (221, 281)),
    "a signal to somebody": ((62, 200, 234, 129, 297, 424, 434, 438), (129, 130, 131, 138, 240, 424, 434, 438)),
    "the memory of others": ((101, 310, 311, 312, 440, 448), (117, 270, 271, 272, 440, 448)),
    "a socket": ((41, 42, 43, 46, 47, 49, 50, 53, 288, 299, 307), (198, 199, 200, 201, 202, 203, 211, 212, 242, 243, 269)),
    "a ring of requests": ((425, 426, 427), (425, 426, 427)),
    "another root, mounts": (
        (161, 155, 165, 166, 272, 308, 428, 429, 430, 431, 432, 433, 442, 467),
        (39, 40, 41, 51, 97, 268, 428, 429, 430, 431, 432, 433, 442, 467),
    ),
    "memory that outlives it": (
        (29, 30, 31, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241, 319, 447),
        (186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 180, 181, 279, 447),
    ),
    "programs and keys of the kernel": ((321, 298, 323, 248, 249, 250, 300), (280, 241, 282, 217, 218, 219, 262)),
    "who it is": ((105, 106, 113, 114, 116, 117, 119, 122, 123, 126), (143, 144, 145, 146, 147, 149, 151, 152, 159, 91)),
    "how it is run": ((109, 112, 135, 141, 142, 144, 157, 203, 251, 314), (30, 92, 118, 119, 122, 140, 154, 157, 167, 274)),
    "a word to another by a file": ((73, 253, 254, 255, 294), (26, 27, 28, 32)),
    # mincore, readahead, fadvise64, preadv2 and reads by io_submit that do not wait, cachestat, and faults counted by getrusage
    "which pages of a file somebody has read": ((27, 187, 221, 327, 206, 209, 451, 98), (232, 213, 223, 286, 0, 2, 451, 165)),
    # futex_waitv, futex_wake, futex_wait, futex_requeue, and lists of locks that the kernel wakes when a process ends
    "a lock that others wait for": ((449, 454, 455, 456, 273, 274, 218), (449, 454, 455, 456, 99, 100, 96)),
    # timers: each is charged to a count that all processes of the user share, and one may run by the clock of another process
    "a timer": ((222, 223, 224, 225, 226), (107, 108, 109, 110, 111)),
    # getsockopt, which names the other end; capget; ustat; statmount, listmount
    "who else is there": ((55, 125, 136, 457, 458), (209, 90, 457, 458)),
    # sysinfo, getsid, getpgid, getpriority, sched_getparam, sched_getscheduler, sched_rr_get_interval, sched_getattr, ioprio_get, statfs, fstatfs
    "how others and the machine are doing": (
        (99, 124, 121, 140, 143, 145, 148, 315, 252, 137, 138),
        (179, 156, 155, 141, 121, 120, 127, 275, 31, 43, 44),
    ),
    "pages that stay": ((149, 151, 325, 237, 238, 256, 279), (228, 230, 284, 235, 237, 238, 239)),
    "the machine": (
        (
            103,
            133,
            153,
            154,
            159,
            163,
            164,
            167,
            168,
            169,
            170,
            171,
            172,
            173,
            175,
            176,
            179,
            212,
            227,
            246,
            259,
            303,
            304,
            305,
            313,
            320,
            443,
        ),
        (18, 33, 58, 60, 89, 104, 105, 106, 112, 116, 142, 161, 162, 170, 171, 224, 225, 264, 265, 266, 273, 294, 443),
    ),
}
_CHANGING: Final = (
    (
        *(76, 82, 83, 84, 85, 86, 87, 88, 90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199),
        *(235, 258, 260, 261, 263, 264, 265, 266),
        *(268, 280, 285, 316, 437, 452, 463, 466, 469),
    ),
    (5, 6, 7, 14, 15, 16, 34, 35, 36, 37, 38, 45, 47, 52, 53, 54, 55, 88, 276, 437, 452, 463, 466, 469),
)
"""Calls that change files, or facts about them that Landlock does not protect.

They make, rename or remove files, or set their owner and rights.
"""
_LIMITS, _FCNTL, _IOCTL, _MADVISE, _OPEN, _OPENAT = (302, 261), (72, 25), (16, 29), (28, 233), (2, -1), (257, 56)
_CLOCKS: Final = (228, 113), (229, 114), (230, 115)
"""Reading a clock, asking its resolution, and sleeping by it.

The clock of another process has a negative number.
"""
_FUTEX, _MMAP, _AFFINITY = (202, 98), (9, 222), (204, 123)
_PRIVATE_FUTEX, _MAP_SHARED, _MAP_ANONYMOUS, _NEGATIVE = 128, 1, 0x20, 0x80000000
_OPEN_FILES: Final = 0, 1, 2, 3, 4, 1030
"""Allowed fcntl commands: duplicate a file, and flags.

Not locks, and not who gets a signal.
"""
_TERMINALS: Final = 0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451
"""Allowed ioctl commands: terminal, its width, bytes to be read, and flags."""
_OWN_MEMORY: Final = 0, 4, 8, 14, 15, 16, 17
"""Allowed madvise advice, for this process only.

Normal use, no longer needed, large pages or not, in a core dump or not. Not: fetch pages of a file, or drop them for all.
"""
_EPERM: Final = 1
WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LANDLOCK: Final = 444, 445, 446
"""Create a ruleset, add a rule, and enforce it: the same numbers on all machines."""
_READ_FILE, _WRITE_FILE, _READ_FOLDER = 4, 2, 8
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15}
"""The number of file rights by the version of the kernel's rules; 16 from the fifth on."""
_NO_NEW_PRIVILEGES, _SECCOMP, _DIES_WITH_PARENT, _KEEPS_ORPHANS, _DUMPABLE = 38, 22, 1, 36, 4
_NEW_USER, _NEW_NETWORK, _NEW_MESSAGES, _NEW_MOUNTS = 0x10000000, 0x40000000, 0x08000000, 0x00020000
_BIND, _REC, _PRIVATE, _DETACH = 0x1000, 0x4000, 0x40000, 2
_PIVOT_ROOT, _MOUNT_SETATTR, _OLD_ROOT = (155, 41), 442, ".old"
_READ_ONLY, _HERE, _ALL_BELOW = 1, -100, 0x8000
_READS = "open", "os.listdir", "os.scandir"
_DENIED = (
    *(
        "socket.",
        "subprocess.",
        "ctypes.",
        "shutil.",
        "tempfile.",
        "pty.",
        "winreg.",
        "webbrowser.",
        "os.exec",
        "os.spawn",
        "os.posix_spawn",
    ),
    *("os.fork", "os.kill", "os.system", "os.startfile", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink"),
    *("os.chmod", "os.chown", "os.truncate", "os.utime", "os.lchown", "os.setxattr", "os.removexattr", "os.chflags", "os.lockf"),
    *("signal.pthread_kill", "sqlite3.", "fcntl.", "syslog.", "msvcrt.", "_winapi.", "_thread.start_new", "mmap.", "resource.prlimit"),
)


def _linux() -> Any:  # noqa: ANN401 - the C library
    """Return the C library of Linux; None elsewhere."""
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _prctl(what: int, *given: Any) -> bool:  # noqa: ANN401 - whatever the kernel takes
    """Set an option of this process; return whether that worked."""
    libc, padded_arguments = _linux(), (*given, 0, 0, 0, 0)[:4]
    return (
        libc is not None
        and libc.prctl(what, *(ctypes.c_ulong(argument) if isinstance(argument, int) else argument for argument in padded_arguments)) == 0
    )


def keeps_orphans() -> bool:
    """Adopt descendants that lose their parent, so that none can escape."""
    return _prctl(_KEEPS_ORPHANS, 1)


def dies_with_parent() -> bool:
    """Have the kernel kill this process when its parent ends."""
    return _prctl(_DIES_WITH_PARENT, 9)


def without_network() -> bool:
    """Move this process to an empty network of its own, where the system permits that."""
    libc = _linux()
    user, group = (os.getuid(), os.getgid()) if libc is not None else (0, 0)
    if libc is None or libc.unshare(_NEW_USER | _NEW_NETWORK | _NEW_MESSAGES) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with contextlib.suppress(OSError):  # then it can't mount anything, which `only_this_tree` notices
            Path("/proc/self", name).write_text(text, encoding="ascii")
    return True


def only_this_tree(readable: Iterable[str], home: str) -> bool:
    """Show this process a read-only file system with only these paths and an empty `home`.

    It uses a mount namespace. The process can't learn whether other paths exist. Reading a file doesn't renew its time of access, which
    another process could read.
    """
    libc = _linux()
    if libc is None or libc.unshare(_NEW_MOUNTS) != 0:
        return False
    newer, root = os.uname().machine in _GENERIC, tempfile.gettempdir()
    opened = _opened(readable)
    try:
        if libc.mount(None, b"/", None, _REC | _PRIVATE, None) != 0 or libc.mount(b"none", root.encode(), b"tmpfs", 0, b"mode=0755") != 0:
            return False
        if not (_laid_out(libc, root, opened, home) and _becomes_root(libc, root, newer=newer)):
            libc.umount2(root.encode(), _DETACH)
            return False
    finally:
        for number in opened.values():
            os.close(number)
    os.chdir(home)
    return True


def _opened(places: Iterable[str]) -> dict[str, int]:
    """Open each path that exists, also by its real path, and none inside another."""
    known = sorted({spelling for path in places for spelling in (os.path.abspath(path), os.path.realpath(path))})  # noqa: PTH100 - pathlib has no abspath
    opened: dict[str, int] = {}
    for path in (*known, os.devnull):
        if not any(path == other or path.startswith(os.path.join(other, "")) for other in opened):  # noqa: PTH118 - pathlib drops a separator at the end
            with contextlib.suppress(OSError):
                opened[path] = os.open(path, os.O_PATH | os.O_CLOEXEC)
    return opened


def _laid_out(libc: Any, root: str, there: Mapping[str, int], home: str) -> bool:  # noqa: ANN401 - the C library
    """Mount each opened path in the new root, at the same path."""
    try:
        for path, number in there.items():
            target = Path(root + path)
            if stat.S_ISDIR(os.fstat(number).st_mode):
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.touch()
            if libc.mount(f"/proc/self/fd/{number}".encode(), os.fsencode(target), None, _BIND | _REC, None) != 0:
                return False
        Path(root + home).mkdir(parents=True, exist_ok=True)
        Path(root, _OLD_ROOT).mkdir()
    except OSError:
        return False
    return True


def _becomes_root(libc: Any, root: str, *, newer: bool) -> bool:  # noqa: ANN401 - the C library
    """Make the new root read-only with everything mounted in it, and switch to it."""
    attributes, root_path = struct.pack("=QQQQ", _READ_ONLY, 0, 0, 0), root.encode()
    if (
        libc.syscall(
            _MOUNT_SETATTR, ctypes.c_long(_HERE), root_path, ctypes.c_long(_ALL_BELOW), attributes, ctypes.c_size_t(len(attributes))
        )
        != 0
    ):
        return False  # before Linux 5.12
    if libc.syscall(_PIVOT_ROOT[newer], root_path, root_path + b"/" + _OLD_ROOT.encode()) != 0:
        return False
    os.chdir("/")
    return bool(libc.umount2(b"/" + _OLD_ROOT.encode(), _DETACH) == 0)


def without_privileges() -> bool:
    """Drop all privileges, and all ways to get any; also for a teacher who works as root."""
    libc = _linux()
    if libc is None or not _prctl(_NO_NEW_PRIVILEGES, 1):
        return False
    _prctl(_DUMPABLE, 0)
    header, no_capabilities = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    return hasattr(libc, "capset") and libc.capset(header, no_capabilities) == 0


def only_these_files(readable: Iterable[str]) -> bool:
    """Allow only to read these folders, and nothing to be written, made, removed or started.

    It uses Landlock, from Linux 5.13 on.
    """
    libc = _linux()
    version = -1 if libc is None else libc.syscall(*map(ctypes.c_long, (_LANDLOCK[0], 0, 0, 1)))
    if version < 1:
        return False
    files = (1 << _FILE_RIGHTS.get(version, 16)) - 1
    ruleset_attributes = struct.pack("=QQQ", files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)[
        : 8 if version < 4 else 16 if version < 6 else 24
    ]
    ruleset = libc.syscall(_LANDLOCK[0], ruleset_attributes, ctypes.c_size_t(len(ruleset_attributes)), 0)
    if ruleset < 0:
        return False
    try:
        for path, rights in (*((folder, _READ_FILE | _READ_FOLDER) for folder in readable), ("/dev/null", _READ_FILE | _WRITE_FILE)):
            try:
                opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            if not os.path.isdir(path):  # noqa: PTH112 - places are strings
                rights &= ~_READ_FOLDER  # noqa: PLW2901 - a file has no folder's rights
            libc.syscall(_LANDLOCK[1], ruleset, 1, struct.pack("=Qi", rights, opened), 0)
            os.close(opened)
        return _prctl(_NO_NEW_PRIVILEGES, 1) and libc.syscall(_LANDLOCK[2], ruleset, 0) == 0
    finally:
        os.close(ruleset)


class _Program(ctypes.Structure):
    """A program for the kernel's system call filter."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def only_these_calls(*, files_are_kept: bool) -> bool:
    """Have the kernel refuse system calls for processes, programs, sockets, signals and more.

    It uses seccomp. Making, changing and removing files is refused too, and opening one for writing if files are not restricted otherwise.
    """
    machine = os.uname().machine if sys.platform == "linux" else ""
    if machine not in {"x86_64", *_GENERIC} or sys.maxsize < 2**32:
        return False
    newer = machine in _GENERIC
    code = _filtering(_GENERIC[machine] if newer else _X86, newer=newer, files_are_kept=files_are_kept)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_char_p))
    return _prctl(_NO_NEW_PRIVILEGES, 1) and _prctl(_SECCOMP, 2, ctypes.byref(program))


def refused_calls(*, newer: bool) -> list[int]:
    """Return the numbers of the system calls that are always refused."""
    return sorted([*(number for numbers in _REFUSED.values() for number in numbers[newer]), *_CHANGING[newer]])


def _filtering(machine: int, *, newer: bool, files_are_kept: bool) -> bytes:
    """Build the filter program: eight bytes a step."""
    load, equal, least, bits, give = 0x20, 0x15, 0x35, 0x45, 0x06
    refuse, allow = (give, 0, 0, 0x00050000 | _EPERM), (give, 0, 0, 0x7FFF0000)
    steps: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),  # the machine
        (equal, 1, 0, machine),
        (give, 0, 0, 0x80000000),  # a call of another machine ends the process
        (load, 0, 0, 0),  # what is asked
        (least, 0, 1, 0x40000000),  # by the numbers of x32
        refuse,
    ]
    for number in refused_calls(newer=newer):
        steps += [(equal, 0, 1, number), refuse]
    steps += [(equal, 0, 4, _LIMITS[newer]), (load, 0, 0, 16), (equal, 0, 1, 0), allow, refuse]  # its own limits are those of process 0
    steps += [(equal, 0, 4, _AFFINITY[newer]), (load, 0, 0, 16), (equal, 0, 1, 0), allow, refuse]  # on which processors it may run itself
    steps += [(equal, 0, 4, _FUTEX[newer]), (load, 0, 0, 24), (bits, 0, 1, _PRIVATE_FUTEX), allow, refuse]  # otherwise by a page of a file
    shared = [(bits, 0, 1, _MAP_ANONYMOUS), allow, (bits, 0, 1, _MAP_SHARED), refuse, allow]  # memory without a file is not shared
    steps += [(equal, 0, len(shared) + 1, _MMAP[newer]), (load, 0, 0, 40), *shared]
    for clock in _CLOCKS:
        steps += [(equal, 0, 4, clock[newer]), (load, 0, 0, 16), (bits, 0, 1, _NEGATIVE), refuse, allow]
    for call, offset, allowed in ((_FCNTL, 24, _OPEN_FILES), (_IOCTL, 24, _TERMINALS), (_MADVISE, 32, _OWN_MEMORY)):
        tests = [step for value in allowed for step in ((equal, 0, 1, value), allow)]
        steps += [(equal, 0, len(tests) + 2, call[newer]), (load, 0, 0, offset), *tests, refuse]
    for call, offset in () if files_are_kept else ((_OPEN, 24), (_OPENAT, 32)):
        if call[newer] >= 0:
            steps += [(equal, 0, 4, call[newer]), (load, 0, 0, offset), (bits, 0, 1, WRITING), refuse, allow]
    return b"".join(struct.pack("=HBBI", *step) for step in [*steps, allow])


def within_limits(seconds: int, megabytes: int) -> bool:
    """Limit time, memory and open files; allow no writing, no other process, no core dump."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return False
    limits = {
        "CPU": (seconds, seconds + 1),
        "AS": (megabytes << 20,) * 2,
        "FSIZE": (0, 0),
        "NPROC": (0, 0),
        "NOFILE": (64, 64),
        "CORE": (0, 0),
        "MEMLOCK": (0, 0),
        "MSGQUEUE": (0, 0),
    }
    for name, pair in limits.items():
        resource_number = getattr(resource, f"RLIMIT_{name}", None)
        if resource_number is None:
            continue
        hard = resource.getrlimit(resource_number)[1]
        soft, highest = (limit if hard == resource.RLIM_INFINITY else min(limit, hard) for limit in pair)
        try:
            resource.setrlimit(resource_number, (soft, highest))
        except (ValueError, OSError):
            if name == "CPU":
                return False
    return sys.platform == "linux"  # other systems don't limit memory this way


def inside(readable: Iterable[str]) -> Callable[[object], bool]:
    """Return a function that says whether a path, or an open file, is in one of these folders."""
    roots = tuple(os.path.join(os.path.realpath(folder), "") for folder in readable)  # noqa: PTH118 - pathlib drops a separator at the end

    def is_inside(path: object) -> bool:
        """Return whether a path is in one of the folders."""
        if isinstance(path, int):
            return True
        name = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type] # what is opened is a path
        return name == os.devnull or os.path.join(name, "").startswith(roots)  # noqa: PTH118 - as above

    return is_inside


def refused_by_python(readable: Iterable[str]) -> bool:
    """Have Python itself refuse files, sockets and processes.

    Code that knows Python's internals can get around it, but on some systems there is nothing else.
    """
    is_readable = inside(readable)

    def handle_event(event: str, arguments: tuple[Any, ...]) -> None:
        """Refuse an event."""
        if event.startswith(_DENIED):
            raise PermissionError(_EPERM, f"{event} is not permitted here")
        if event in _READS:
            is_allowed = is_readable(arguments[0] if arguments[0] is not None else ".")
            is_writing = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
            if not is_allowed or (is_writing and os.fsdecode(arguments[0]) != os.devnull):
                raise PermissionError(_EPERM, f"{event} is not permitted here")

    sys.addaudithook(handle_event)
    return True
