"""Test the system calls that the kernel refuses to sandboxed code, on every supported machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random

import pytest

from durak_widget import Game, Rules, lessons
from durak_widget.sandbox import os_restrictions
from durak_widget.sandbox.code_runner import Limits, SandboxedBot, run_code

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
VIEW = Game(seed=7).view(0)


def test_the_filter_lists_each_call_once() -> None:
    """No number is repeated, and jumps are short enough for the kernel."""
    for newer in (False, True):
        numbers = os_restrictions.list_refused_calls(has_generic_numbers=newer)
        assert len(numbers) == len(set(numbers))
        code = os_restrictions._build_filter(1, has_generic_numbers=newer, files_are_restricted=False)
        assert len(code) % 8 == 0
        assert len(code) // 8 < 4096


PAGES = {
    "mincore": (27, 232),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "preadv2": (327, 286),
    "cachestat": (451, 451),
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "getrusage": (98, 165),
}
"""System calls that show or change which file pages are in memory, by number on x86_64 and on newer machines."""


def test_a_seat_cannot_see_which_library_pages_another_has_read() -> None:
    """It can't tell which pages are in memory, nor clear them."""
    for newer in (False, True):
        assert {numbers[newer] for numbers in PAGES.values()} <= set(os_restrictions.list_refused_calls(has_generic_numbers=newer))
    numbers = {name: both[os.uname().machine != "x86_64"] for name, both in PAGES.items()}
    code = f"""
import ctypes
libc, heard = ctypes.CDLL(None, use_errno=True), []
for name, number in {numbers}.items():
    ctypes.set_errno(0)
    if libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6) != -1 or ctypes.get_errno() != 1:
        heard.append(name)
def choose(view):
    return " ".join(heard)
"""
    assert run_code(code, [VIEW], without=["python"]).answers == ("",)


def test_memory_advice_cannot_load_or_drop_shared_pages() -> None:
    """Advice on the process's own memory works."""
    number = (28, 233)[os.uname().machine != "x86_64"]
    code = f"""
import ctypes, mmap
libc, heard = ctypes.CDLL(None, use_errno=True), []
memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
for advice in range(30):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long({number}), ctypes.c_void_p(place), ctypes.c_size_t(4096), ctypes.c_long(advice))
    if ctypes.get_errno() != 1:
        heard.append(str(advice))
def choose(view):
    return " ".join(heard)
"""
    (answer,) = run_code(code, [VIEW], without=["python"]).answers
    assert answer.split() == ["0", "4", "8", "14", "15", "16", "17"]


SEVERAL = {
    "timer_create": (222, 107),
    "getsockopt": (55, 209),
    "capget": (125, 90),
    "futex": (202, 98),
    "clock_gettime": (228, 113),
    "sysinfo": (99, 179),
    "getsid": (124, 156),
    "getpgid": (121, 155),
}


def test_processes_cannot_wait_for_each_other_or_read_clocks() -> None:
    """Futexes are private, files are not shared, and nothing on other processes is visible."""
    numbers = {name: both[os.uname().machine != "x86_64"] for name, both in SEVERAL.items()}
    code = f"""
import ctypes, mmap, os, time
libc, heard, numbers = ctypes.CDLL(None, use_errno=True), [], {numbers}
def tried(name, *given):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[name]), *given)
    return ctypes.get_errno()
word = ctypes.c_uint32(0)
heard.append(tried("futex", ctypes.byref(word), 1, 1, None, None, 0))  # to wake whoever waits, in any process
heard.append(tried("futex", ctypes.byref(word), 129, 1, None, None, 0))  # in this one
space = ctypes.create_string_buffer(200)
for other in (os.getpid(), os.getppid(), 1):
    heard.append(tried("clock_gettime", ctypes.c_long(~other << 3 | 2), space))
heard.append(tried("clock_gettime", ctypes.c_long(2), space))
heard += [tried("sysinfo", space), tried("getsid", 1), tried("getpgid", 1)]
file = os.open(os.__file__, os.O_RDONLY)
for flags in (mmap.MAP_SHARED, mmap.MAP_PRIVATE):
    try:
        mmap.mmap(file, 100, flags=flags, prot=mmap.PROT_READ)
    except OSError as error:
        heard.append(error.errno)
    else:
        heard.append(0)
heard.append(0 if os.sched_getaffinity(0) else 1)
heard += [tried("timer_create", 2, None, space), tried("timer_create", ctypes.c_long(~os.getppid() << 3 | 2), None, space)]
heard += [tried("getsockopt", 3, 1, 17, space, space), tried("capget", space, None)]
mmap.mmap(-1, 100)  # memory of its own, which no file holds
def choose(view):
    return " ".join(map(str, heard))
"""
    assert run_code(code, [VIEW], without=["python"]).answers == ("1 0 1 1 1 0 1 1 1 1 0 0 1 1 1 1",)


def has_protection(name: str) -> bool:
    """Return whether this kernel has that protection."""
    with SandboxedBot("def choose(view):\n    return view.legal_moves()[0]") as code:
        code.choose_at(VIEW)
        return name in code.restrictions


@pytest.fixture(scope="module")
def private_file_system() -> None:
    """Skip unless the kernel gives a process its own file system; the missing part is named."""
    if not has_protection("tree"):
        pytest.skip("this kernel gives no process a file system of its own (user and mount namespaces)")


@pytest.mark.usefixtures("private_file_system")
def test_existence_of_other_files_is_hidden(tmp_path) -> None:
    """Names, sizes and times are visible only for files that Python needs; other processes are not."""
    (tmp_path / "key.txt").write_text("the key", encoding="utf-8")
    code = f"""
import os
def choose(view):
    places = {str(tmp_path)!r}, {str(tmp_path / "key.txt")!r}, "/etc/shadow", "/etc/passwd", "/proc/self", "/proc/1/fd", "/sys"
    return " ".join(place for place in places if os.path.lexists(place)) + "|" + " ".join(os.listdir(os.environ["HOME"]))
"""
    assert run_code(code, [VIEW], without=["python"]).answers == ("|",)


READS = """
import os
def choose(view):
    with open(FILE, "rb") as file:
        file.read(1)
    return str(os.stat(FILE).st_atime_ns)
"""


@pytest.mark.usefixtures("private_file_system")
def test_reading_a_file_does_not_change_its_access_time() -> None:
    """So no other run of a bot can see what this one has read."""
    place = Path(lessons.__file__)
    os.utime(place, ns=(place.stat().st_mtime_ns - 10**9, place.stat().st_mtime_ns))  # an ordinary read would update it
    before = place.stat().st_atime_ns
    assert run_code(READS.replace("FILE", repr(str(place))), [VIEW], without=["python"]).answers == (str(before),)
    assert place.stat().st_atime_ns == before


FUTEX = r"""
import ctypes, glob, json, os, struct, time
libc = ctypes.CDLL(None, use_errno=True)
class Time(ctypes.Structure): _fields_ = [("s", ctypes.c_long), ("n", ctypes.c_long)]
CARDS = [rank + suit for suit in "cdhs" for rank in "9TJQKA"]
def mapped(flags):
    path = max((one for one in glob.glob("/usr/lib/*/lib*.so*") if not os.path.islink(one)), key=os.path.getsize)
    file = os.open(path, os.O_RDONLY)
    libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    return libc.mmap(None, os.fstat(file).st_size, 1, flags, file, 0)
def futex(place, op, value, time=None):
    return libc.syscall(NUMBER, ctypes.c_void_p(place), op, ctypes.c_int(value), ctypes.byref(time) if time else None, None, 0)
def choose(view, rng):
    place, hand, heard = mapped(2), {str(card) for card in view.hand}, []
    if view.seat == 0:
        said = json.dumps({"move": " ".join(sorted(hand))}).encode()
        os.write(3, struct.pack("!I", len(said)) + said)  # answers at once, and goes on waiting
        for number, card in enumerate(CARDS):
            word = place + number * 64 + 32 * (card in hand)
            futex(word, 0, ctypes.c_int32.from_address(word).value, Time(1, 0))
        return "x"
    until = time.monotonic() + 2
    for number, card in enumerate(CARDS):
        while time.monotonic() < until:
            if futex(place + number * 64, 1, 1) == 1:
                break
            if futex(place + number * 64 + 32, 1, 1) == 1:
                heard.append(card)
                break
    return " ".join(sorted(heard))
""".replace("NUMBER", str((202, 98)[sys.platform == "linux" and os.uname().machine != "x86_64"]))
TIMES = r"""
import os, sysconfig, time
CARDS = [rank + suit for suit in "cdhs" for rank in "9TJQKA"]
def old(path):
    state = os.stat(path)
    return state.st_size and (state.st_atime <= state.st_mtime or time.time() - state.st_atime > 86400)
def choose(view, rng):
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.path.dirname(os.__file__)) for name in names)
    part, hand = files[BLOCK * 60 : BLOCK * 60 + 60], {str(card) for card in view.hand}
    if view.seat == 0:
        for card, path in zip(CARDS, [path for path in part if old(path)][:24]):
            if card in hand:
                with open(path, "rb") as file:
                    file.read(1)
        return " ".join(sorted(hand))
    tried = [path for path in part if old(path) or time.time() - os.stat(path).st_atime < 30][:24]
    return " ".join(sorted(card for card, path in zip(CARDS, tried) if not old(path)))
"""


def count_deals_with_leak(code: str) -> int:
    """Return in how many of five deals one seat names the whole hand that the other saw."""
    hits = 0
    for seed in range(5):
        game = Game(Rules.preset("econ431"), seed=seed)
        with SandboxedBot(code.replace("BLOCK", str(seed)), Limits(5)) as bot:
            answer, heard = (bot.choose(game.view(seat), Random(1)) for seat in (0, 1))
        assert answer.split() == sorted(map(str, game.view(0).hand))
        hits += heard == answer
    return hits


@pytest.mark.slow
def test_two_seats_of_a_bot_cannot_signal_by_locks() -> None:
    """Neither can wake the other through a shared file page."""
    assert count_deals_with_leak(FUTEX) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("private_file_system")
def test_a_second_run_learns_nothing_from_file_times() -> None:
    """It can't see what the first run has read."""
    assert count_deals_with_leak(TIMES) == 0
