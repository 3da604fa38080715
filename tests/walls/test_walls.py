"""What the kernel refuses to code that is confined: each call by its number, on every machine that the walls know."""

from __future__ import annotations

import os
import sys

import pytest

from durak_widget import Game
from durak_widget.walls import walls
from durak_widget.walls.confined import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
VIEW = Game(seed=7).view(0)


@pytest.mark.parametrize("newer", [False, True])
def test_the_filter_names_each_call_once(newer) -> None:
    """No number stands twice, and the jumps of the filter are as short as the kernel wants them."""
    numbers = walls.refused_calls(newer=newer)
    assert len(numbers) == len(set(numbers))
    code = walls._filtering(1, newer=newer, files_are_kept=False)
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
"""What says or changes which pages of a file are in memory: its numbers on x86_64, and on all newer machines."""


def test_no_seat_hears_what_another_has_read() -> None:
    """Two seats of a bot may read the same library: neither is told which of its pages the other had brought into memory, nor can it clear them first."""
    for newer in (False, True):
        assert {numbers[newer] for numbers in PAGES.values()} <= set(walls.refused_calls(newer=newer))
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
    assert run(code, [VIEW], without=["python"]).value == ("",)


def test_a_page_is_neither_fetched_nor_put_away_by_advice() -> None:
    """What a process says of its own memory is heard, and nothing that brings pages of a library into memory, or takes them out of it for all."""
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
    (said,) = run(code, [VIEW], without=["python"]).value
    assert said.split() == ["0", "4", "8", "14", "15", "16", "17"]
