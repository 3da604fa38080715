"""Tests which codes, hosts and origins a session accepts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget.live.class_session import CODE_LENGTH, CODE_LETTERS, make_code
from durak_widget.live.request_checks import (
    WRONG_CODES_A_MINUTE,
    CodeGuard,
    HostCheck,
    compute_guess_chance,
    is_own_origin,
    is_same_address,
    normalize_code,
    split_host,
)
from durak_widget.live.session_links import find_addresses

CODE = "K7PWQ3"


def test_letters_of_a_russian_keyboard_are_read_as_the_latin_ones_that_look_alike():
    """A code copied from the screen with a Cyrillic keyboard is the same code, in small letters too."""
    cyrillic = str.maketrans("BCHKMTXPY", "ВСНКМТХРУ")
    for code in ("KYMM7C", "BCHTX2", "P3K4M5"):
        assert normalize_code(code.translate(cyrillic)) == normalize_code(code.translate(cyrillic).lower()) == code


def test_chance_of_a_guess_in_ninety_minutes_is_small():
    """Someone who tries codes for 90 minutes, as fast as they are answered, finds the session with a chance below 1 in 1,000."""
    assert len(set(CODE_LETTERS)) == 28
    assert CODE_LENGTH == 6
    assert 0 < compute_guess_chance(90) < 1e-3


@given(st.lists(st.floats(0, 30), max_size=400), st.integers(1, 5))
def test_no_minute_has_more_wrong_codes_than_the_limit(pauses, limit):
    """Whenever codes are tried, at most the limit is answered as wrong within any 60 seconds."""
    guard, now, answered = CodeGuard(CODE, "token", limit), 0.0, []
    for pause in pauses:
        now += pause
        if guard.check("BBBBBB", "", now) == "wrong":
            answered.append(now)
    for index, moment in enumerate(answered):
        assert sum(moment - 60 < other <= moment for other in answered[: index + 1]) <= limit


def test_ninety_minutes_of_trying_stay_below_the_computed_chance():
    """A program that tries a code every millisecond gets as many answers in 90 minutes as the chance is computed from, or fewer."""
    guard = CodeGuard(CODE, "token")
    answers = sum(guard.check("BBBBBB", "", now / 10) == "wrong" for now in range(90 * 60 * 10))
    assert answers <= compute_guess_chance(90) * 28**6 + 1
    assert answers >= 90 * WRONG_CODES_A_MINUTE - WRONG_CODES_A_MINUTE


def test_limited_guard_answers_right_and_wrong_codes_alike():
    """Over the limit, the answer does not depend on the code; with the token it does, and after a minute again."""
    guard = CodeGuard(CODE, "token", 1)
    guard.check("BBBBBB", "", 0)
    assert guard.check(CODE, "", 1) == guard.check("BBBBBB", "", 1) == guard.check("BBBBBB", "token", 1) == "limited"
    assert guard.check(CODE, "token", 1) == "right"
    assert guard.check(CODE, "", 60.1) == "right"


@pytest.mark.parametrize("text", ["", "BBBBB", "BBBBBBB", "BBBBB0", "ÄÖÜBBB", "../../", "B" * 1000, "\0" * 6])
def test_text_that_cannot_be_a_code_is_none(text):
    """A text with other letters or another length is not a code."""
    assert normalize_code(text) is None


def test_code_may_be_typed_in_any_way():
    """Small letters, spaces and signs do not matter, and neither does an I in place of an L."""
    code = make_code()
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}", code.replace("L", "1"), code.replace("L", "i")):
        assert normalize_code(typed) == code


@pytest.mark.parametrize("host", ["localhost", "localhost:80", "127.0.0.1:1", "[::1]:80", "LOCALHOST.", "192.168.1.5:80", "school.example"])
def test_own_hosts_are_allowed(host):
    """This computer, the address at which the request arrived, and the name that the teacher gave are allowed."""
    assert HostCheck(["school.example"]).is_allowed(host, "192.168.1.5")
    assert HostCheck(["school.example"]).is_allowed(host, "::ffff:192.168.1.5")


@pytest.mark.parametrize(
    "host", ["", ":", "evil.example", "192.168.1.6", "localhost.evil.example", "127.0.0.1.evil.example", "[::2]", "[", "%00"]
)
def test_other_hosts_are_not(host):
    """Any other name or address is refused."""
    assert not HostCheck().is_allowed(host, "192.168.1.5")


def test_local_session_has_local_hosts_only():
    """A session for this computer alone answers to no other address, even its own."""
    assert not HostCheck(is_local=True).is_allowed("192.168.1.5", "192.168.1.5")
    assert HostCheck(is_local=True).is_allowed("localhost:8700", "127.0.0.1")


@given(st.text())
def test_any_text_may_be_a_host_or_an_origin(text):
    """Nothing that a request says about its host or origin raises an error."""
    assert isinstance(split_host(text), str)
    assert not HostCheck().is_allowed(f"x{text}.example", "192.168.1.5")
    assert not is_own_origin(f"{text}x", "")
    is_same_address(text, text)


@pytest.mark.parametrize("origin", ["http://evil.example", "http://192.168.1.5", "http://192.168.1.5:81", "file://", "", "NULL "])
def test_other_origins_are_not_own(origin):
    """Another scheme, host or port is another origin."""
    assert not is_own_origin(origin, "192.168.1.5:80")


def test_computer_has_an_address():
    """There is always an address for the link, if only that of this computer itself."""
    assert all(address.count(".") == 3 for address in find_addresses())
    assert find_addresses()
