"""Restricts the current process permanently, before it runs other people's code.

Called in the confined process only. Each function returns whether its restriction is in force, since not every system has every one;
`docs/sandbox.md` has the table. A process can't undo a restriction.
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
_REFUSED_CALLS: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    # The keys say what the blocked system calls are for; a value has the numbers of the calls on x86_64, and then on
    # newer architectures
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
    # These calls are mincore, readahead, fadvise64, cachestat, getrusage (which counts page faults), and preadv2 and
    # io_submit (which can read without waiting)
    "which pages of a file somebody has read": ((27, 187, 221, 327, 206, 209, 451, 98), (232, 213, 223, 286, 0, 2, 451, 165)),
    # These calls are futex_waitv, futex_wake, futex_wait and futex_requeue, and the calls set_robust_list,
    # get_robust_list and set_tid_address, whose locks the kernel releases when a process ends
    "a lock that others wait for": ((449, 454, 455, 456, 273, 274, 218), (449, 454, 455, 456, 99, 100, 96)),
    # All processes of a user share one limit on timers, and a timer may use the clock of another process
    "a timer": ((222, 223, 224, 225, 226), (107, 108, 109, 110, 111)),
    # These calls are getsockopt (which tells who is at the other end of a connection), capget, ustat, statmount and
    # listmount
    "who else is there": ((55, 125, 136, 457, 458), (209, 90, 457, 458)),
    # These calls are sysinfo, getsid, getpgid, getpriority, queries of the scheduler (sched_…), ioprio_get, statfs and
    # fstatfs
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
_FILE_CHANGING_CALLS: Final = (
    (
        *(76, 82, 83, 84, 85, 86, 87, 88, 90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199),
        *(235, 258, 260, 261, 263, 264, 265, 266),
        *(268, 280, 285, 316, 437, 452, 463, 466, 469),
    ),
    (5, 6, 7, 14, 15, 16, 34, 35, 36, 37, 38, 45, 47, 52, 53, 54, 55, 88, 276, 437, 452, 463, 466, 469),
)
"""The system calls that change files, or change properties of files that Landlock (file access rules) does not cover.

They make, rename or remove files, or set their owner and rights.
"""
_PRLIMIT, _FCNTL, _IOCTL, _MADVISE, _OPEN, _OPENAT = (302, 261), (72, 25), (16, 29), (28, 233), (2, -1), (257, 56)
_CLOCK_CALLS: Final = (228, 113), (229, 114), (230, 115)
"""The system calls that read a clock or its resolution, or that sleep until a given time.

The clock of another process has a negative number.
"""
_FUTEX, _MMAP, _SCHED_GETAFFINITY = (202, 98), (9, 222), (204, 123)
_PRIVATE_FUTEX, _MAP_SHARED, _MAP_ANONYMOUS, _SIGN_BIT = 128, 1, 0x20, 0x80000000
_ALLOWED_FCNTL: Final = 0, 1, 2, 3, 4, 1030
"""The commands of `fcntl` that are allowed: duplicate a file descriptor, and read or set its flags.

Not locks, and not who gets a signal.
"""
_ALLOWED_IOCTL: Final = 0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451
"""The commands of `ioctl` that are allowed: query a terminal, its width or its available bytes, and set flags of a
file descriptor."""
_ALLOWED_MADVISE: Final = 0, 4, 8, 14, 15, 16, 17
"""The arguments of `madvise` that are allowed, because they affect only this process's memory.

Normal use, no longer needed, large pages or not, in a core dump or not. Not: fetch pages of a file, or drop them for all.
"""
_EPERM: Final = 1
WRITE_FLAGS: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LANDLOCK_CALLS: Final = 444, 445, 446
"""The system calls of Landlock that create a set of rules, add a rule, and enforce the set; they have the same
numbers on every architecture."""
_READ_FILE, _WRITE_FILE, _READ_FOLDER = 4, 2, 8
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15}
"""The number of file access rights that each version of Landlock (a part of the Linux kernel) knows; from version 5
on there are 16."""
_NO_NEW_PRIVILEGES, _SECCOMP, _DIES_WITH_PARENT, _KEEPS_ORPHANS, _DUMPABLE = 38, 22, 1, 36, 4
_NEW_USER, _NEW_NETWORK, _NEW_MESSAGES, _NEW_MOUNTS = 0x10000000, 0x40000000, 0x08000000, 0x00020000
_BIND, _REC, _PRIVATE, _DETACH = 0x1000, 0x4000, 0x40000, 2
_PIVOT_ROOT, _MOUNT_SETATTR, _OLD_ROOT = (155, 41), 442, ".old"
_READ_ONLY, _AT_CURRENT_FOLDER, _RECURSIVE = 1, -100, 0x8000
_READ_EVENTS = "open", "os.listdir", "os.scandir"
_DENIED_EVENTS = (
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


def _load_linux_libc() -> Any:  # noqa: ANN401 - the C library
    """Load Linux's C library; return None if the system is not Linux."""
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _set_process_option(option: int, *arguments: Any) -> bool:  # noqa: ANN401 - whatever the kernel takes
    """Set an option of this process with `prctl`; return whether that worked."""
    libc, padded_arguments = _load_linux_libc(), (*arguments, 0, 0, 0, 0)[:4]
    return (
        libc is not None
        and libc.prctl(option, *(ctypes.c_ulong(argument) if isinstance(argument, int) else argument for argument in padded_arguments)) == 0
    )


def adopt_orphans() -> bool:
    """Make this process the new parent of each descendant whose own parent ends."""
    return _set_process_option(_KEEPS_ORPHANS, 1)


def die_with_parent() -> bool:
    """Make the kernel kill this process as soon as its parent process ends."""
    return _set_process_option(_DIES_WITH_PARENT, 9)


def drop_network() -> bool:
    """Cut this process off from the network, if the operating system permits that.

    The process gets an empty network of its own.
    """
    libc = _load_linux_libc()
    user, group = (os.getuid(), os.getgid()) if libc is not None else (0, 0)
    if libc is None or libc.unshare(_NEW_USER | _NEW_NETWORK | _NEW_MESSAGES) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with contextlib.suppress(OSError):  # If this fails, mounts fail later, which `restrict_to_private_tree` detects
            Path("/proc/self", name).write_text(text, encoding="ascii")
    return True


def restrict_to_private_tree(readable: Iterable[str], home: str) -> bool:
    """Give this process a read-only file system with only the paths `readable` and `home`.

    The folder `home` is empty. This function uses a mount namespace. The process can't learn whether other paths exist. Reading a file doesn't
    renew its time of access, which another process could read.
    """
    libc = _load_linux_libc()
    if libc is None or libc.unshare(_NEW_MOUNTS) != 0:
        return False
    newer, root = os.uname().machine in _GENERIC, tempfile.gettempdir()
    opened = _open_paths(readable)
    try:
        if libc.mount(None, b"/", None, _REC | _PRIVATE, None) != 0 or libc.mount(b"none", root.encode(), b"tmpfs", 0, b"mode=0755") != 0:
            return False
        if not (_mount_paths(libc, root, opened, home) and _switch_root(libc, root, has_generic_numbers=newer)):
            libc.umount2(root.encode(), _DETACH)
            return False
    finally:
        for number in opened.values():
            os.close(number)
    os.chdir(home)
    return True


def _open_paths(paths: Iterable[str]) -> dict[str, int]:
    """Open given paths and the real paths behind links, except paths inside an opened folder."""
    all_paths = sorted({spelling for path in paths for spelling in (os.path.abspath(path), os.path.realpath(path))})  # noqa: PTH100 - pathlib has no abspath
    opened: dict[str, int] = {}
    for path in (*all_paths, os.devnull):
        if not any(path == other or path.startswith(os.path.join(other, "")) for other in opened):  # noqa: PTH118 - pathlib drops a separator at the end
            with contextlib.suppress(OSError):
                opened[path] = os.open(path, os.O_PATH | os.O_CLOEXEC)
    return opened


def _mount_paths(libc: Any, root: str, opened: Mapping[str, int], home: str) -> bool:  # noqa: ANN401 - the C library
    """Mount each opened path under the new root folder, so that it keeps its path."""
    try:
        for path, number in opened.items():
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


def _switch_root(libc: Any, root: str, *, has_generic_numbers: bool) -> bool:  # noqa: ANN401 - the C library
    """Make the new root folder read-only, and make it the root of this process."""
    attributes, root_path = struct.pack("=QQQQ", _READ_ONLY, 0, 0, 0), root.encode()
    if (
        libc.syscall(
            _MOUNT_SETATTR,
            ctypes.c_long(_AT_CURRENT_FOLDER),
            root_path,
            ctypes.c_long(_RECURSIVE),
            attributes,
            ctypes.c_size_t(len(attributes)),
        )
        != 0
    ):
        return False  # This is a Linux before 5.12, without `mount_setattr`
    if libc.syscall(_PIVOT_ROOT[has_generic_numbers], root_path, root_path + b"/" + _OLD_ROOT.encode()) != 0:
        return False
    os.chdir("/")
    return bool(libc.umount2(b"/" + _OLD_ROOT.encode(), _DETACH) == 0)


def drop_privileges() -> bool:
    """Take away all privileges of this process permanently, even if it runs as root."""
    libc = _load_linux_libc()
    if libc is None or not _set_process_option(_NO_NEW_PRIVILEGES, 1):
        return False
    _set_process_option(_DUMPABLE, 0)
    header, no_capabilities = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    return hasattr(libc, "capset") and libc.capset(header, no_capabilities) == 0


def restrict_files(readable: Iterable[str]) -> bool:
    """Let this process only read some folders, and not write, create, remove or run files.

    It uses Landlock, from Linux 5.13 on.
    """
    libc = _load_linux_libc()
    version = -1 if libc is None else libc.syscall(*map(ctypes.c_long, (_LANDLOCK_CALLS[0], 0, 0, 1)))
    if version < 1:
        return False
    files = (1 << _FILE_RIGHTS.get(version, 16)) - 1
    ruleset_attributes = struct.pack("=QQQ", files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)[
        : 8 if version < 4 else 16 if version < 6 else 24
    ]
    ruleset = libc.syscall(_LANDLOCK_CALLS[0], ruleset_attributes, ctypes.c_size_t(len(ruleset_attributes)), 0)
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
            libc.syscall(_LANDLOCK_CALLS[1], ruleset, 1, struct.pack("=Qi", rights, opened), 0)
            os.close(opened)
        return _set_process_option(_NO_NEW_PRIVILEGES, 1) and libc.syscall(_LANDLOCK_CALLS[2], ruleset, 0) == 0
    finally:
        os.close(ruleset)


class _FilterProgram(ctypes.Structure):
    """The filter program for system calls that seccomp (a part of the Linux kernel) reads."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def restrict_system_calls(*, files_are_restricted: bool) -> bool:
    """Make the kernel block system calls for new processes, network connections and signals.

    It uses seccomp. Making, changing and removing files is refused too, and opening one for writing if files are not restricted otherwise.
    """
    machine = os.uname().machine if sys.platform == "linux" else ""
    if machine not in {"x86_64", *_GENERIC} or sys.maxsize < 2**32:
        return False
    newer = machine in _GENERIC
    code = _build_filter(_GENERIC[machine] if newer else _X86, has_generic_numbers=newer, files_are_restricted=files_are_restricted)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _FilterProgram(len(code) // 8, ctypes.cast(buffer, ctypes.c_char_p))
    return _set_process_option(_NO_NEW_PRIVILEGES, 1) and _set_process_option(_SECCOMP, 2, ctypes.byref(program))


def list_refused_calls(*, has_generic_numbers: bool) -> list[int]:
    """Return the numbers of the system calls that are blocked, whatever their arguments are."""
    return sorted(
        [
            *(number for numbers in _REFUSED_CALLS.values() for number in numbers[has_generic_numbers]),
            *_FILE_CHANGING_CALLS[has_generic_numbers],
        ]
    )


def _build_filter(machine: int, *, has_generic_numbers: bool, files_are_restricted: bool) -> bytes:
    """Return a filter program for system calls as bytes, with eight bytes per instruction."""
    load, equal, least, bits, give = 0x20, 0x15, 0x35, 0x45, 0x06
    refuse, allow = (give, 0, 0, 0x00050000 | _EPERM), (give, 0, 0, 0x7FFF0000)
    steps: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),  # Load the architecture for which the system call is made
        (equal, 1, 0, machine),
        (give, 0, 0, 0x80000000),  # End a process that makes a call for another architecture
        (load, 0, 0, 0),  # Load the number of the system call
        (least, 0, 1, 0x40000000),  # Block system calls with numbers from here on, which belong to the x32 interface
        refuse,
    ]
    for number in list_refused_calls(has_generic_numbers=has_generic_numbers):
        steps += [(equal, 0, 1, number), refuse]
    steps += [
        (equal, 0, 4, _PRLIMIT[has_generic_numbers]),
        (load, 0, 0, 16),
        (equal, 0, 1, 0),
        allow,
        refuse,
    ]  # A process may read its own limits (then the process id is 0), but not those of other processes
    steps += [
        (equal, 0, 4, _SCHED_GETAFFINITY[has_generic_numbers]),
        (load, 0, 0, 16),
        (equal, 0, 1, 0),
        allow,
        refuse,
    ]  # A process may ask which processors it may use (then the process id is 0)
    steps += [
        (equal, 0, 4, _FUTEX[has_generic_numbers]),
        (load, 0, 0, 24),
        (bits, 0, 1, _PRIVATE_FUTEX),
        allow,
        refuse,
    ]  # Allow only private locks, because other locks may use shared memory
    shared = [(bits, 0, 1, _MAP_ANONYMOUS), allow, (bits, 0, 1, _MAP_SHARED), refuse, allow]  # Block mapping a file as shared memory
    steps += [(equal, 0, len(shared) + 1, _MMAP[has_generic_numbers]), (load, 0, 0, 40), *shared]
    for clock in _CLOCK_CALLS:
        steps += [(equal, 0, 4, clock[has_generic_numbers]), (load, 0, 0, 16), (bits, 0, 1, _SIGN_BIT), refuse, allow]
    for call, offset, allowed in ((_FCNTL, 24, _ALLOWED_FCNTL), (_IOCTL, 24, _ALLOWED_IOCTL), (_MADVISE, 32, _ALLOWED_MADVISE)):
        tests = [step for value in allowed for step in ((equal, 0, 1, value), allow)]
        steps += [(equal, 0, len(tests) + 2, call[has_generic_numbers]), (load, 0, 0, offset), *tests, refuse]
    for call, offset in () if files_are_restricted else ((_OPEN, 24), (_OPENAT, 32)):
        if call[has_generic_numbers] >= 0:
            steps += [(equal, 0, 4, call[has_generic_numbers]), (load, 0, 0, offset), (bits, 0, 1, WRITE_FLAGS), refuse, allow]
    return b"".join(struct.pack("=HBBI", *step) for step in [*steps, allow])


def limit_resources(seconds: int, megabytes: int) -> bool:
    """Limit CPU time, memory and open files; forbid writing files and starting processes."""
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
    return sys.platform == "linux"  # Only Linux limits a process's memory in this way


def make_folder_check(readable: Iterable[str]) -> Callable[[object], bool]:
    """Return a function that checks whether a path, or an open file, may be read."""
    roots = tuple(os.path.join(os.path.realpath(folder), "") for folder in readable)  # noqa: PTH118 - pathlib drops a separator at the end

    def is_inside(path: object) -> bool:
        """Return whether a path is in a readable folder; for a file that is already open, True."""
        if isinstance(path, int):
            return True
        name = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type] # what is opened is a path
        return name == os.devnull or os.path.join(name, "").startswith(roots)  # noqa: PTH118 - as above

    return is_inside


def install_refusing_hook(readable: Iterable[str]) -> bool:
    """Install an audit hook with which Python itself blocks files, sockets and processes.

    Code that knows Python's internals can get around it, but on some systems there is nothing else.
    """
    is_readable = make_folder_check(readable)

    def handle_event(event: str, arguments: tuple[Any, ...]) -> None:
        """Raise an error if the action of an audit event is not allowed."""
        if event.startswith(_DENIED_EVENTS):
            raise PermissionError(_EPERM, f"{event} is not permitted here")
        if event in _READ_EVENTS:
            is_allowed = is_readable(arguments[0] if arguments[0] is not None else ".")
            is_writing = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITE_FLAGS
            if not is_allowed or (is_writing and os.fsdecode(arguments[0]) != os.devnull):
                raise PermissionError(_EPERM, f"{event} is not permitted here")

    sys.addaudithook(handle_event)
    return True
