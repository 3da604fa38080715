"""Checks the hosts, origins, codes, tokens and secrets of requests.

A code of six letters is short enough to type, so wrong codes are limited for the whole session. A limit for each address would lock out
a school, which is one address for everybody in it.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections import deque
from typing import TYPE_CHECKING, Final, Literal

from durak_widget.live.class_session import CODE_LENGTH, CODE_LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterable

WRONG_CODES_A_MINUTE: Final = 200
"""How many wrong codes a session answers in any minute; after that it answers no code."""
_MINUTE: Final = 60.0
_PROOF_SECONDS: Final = 60
"""How long a proof of JupyterLab's extension is accepted; both clocks are the one of this computer."""
_CYRILLIC_LOOK_ALIKES: Final = str.maketrans("ВСНКМТХРАЕОУ", "BCHKMTXPAEOY")
_LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "::1")

CodeCheck = Literal["right", "wrong", "limited"]


def generate_token() -> str:
    """Return a random token for the link in the QR code.

    A link with it works even while others try wrong codes.
    """
    return secrets.token_urlsafe(6)


def generate_secret() -> str:
    """Return a random secret for the teacher's port."""
    return secrets.token_urlsafe(32)


def normalize_code(text: str) -> str | None:
    """Return a code as the session writes it, or None if the text cannot be a code.

    Letters of a Russian keyboard that look like Latin ones are read as those.

    >>> normalize_code(" k7p-wq3 "), normalize_code("1234567"), normalize_code("\N{CYRILLIC SMALL LETTER KA}7PWQ3")
    ('K7PWQ3', None, 'K7PWQ3')
    """
    if len(text) > 40:
        return None
    code = "".join(text.split()).replace("-", "").upper().replace("I", "L").replace("1", "L").translate(_CYRILLIC_LOOK_ALIKES)
    return code if len(code) == CODE_LENGTH and not set(code) - set(CODE_LETTERS) else None


def compute_guess_chance(minutes: float, wrong_codes_a_minute: int = WRONG_CODES_A_MINUTE) -> float:
    """Return the chance that someone who tries codes for some minutes finds the session.

    Any 60 seconds have at most `wrong_codes_a_minute` answers, so the first and the last minute count in full.

    >>> compute_guess_chance(90) < 1e-3
    True
    """
    guesses = int(minutes + 1) * wrong_codes_a_minute
    return min(1.0, guesses / len(CODE_LETTERS) ** CODE_LENGTH)


class WrongCodeLimit:
    """Counts wrong codes, so that nobody can try all codes.

    `now` is in seconds and never goes backwards.

    >>> limit = WrongCodeLimit(2)
    >>> limit.count(now=0); limit.count(now=30); limit.is_reached(now=59), limit.is_reached(now=60)
    (True, False)
    """

    def __init__(self, limit: int = WRONG_CODES_A_MINUTE) -> None:
        self._limit = limit
        self._times: deque[float] = deque(maxlen=limit)

    def count(self, now: float) -> None:
        """Count a wrong code."""
        self._times.append(now)

    def is_reached(self, now: float, pending: int = 0) -> bool:
        """Return whether the last minute had as many wrong codes as the limit.

        `pending` codes are still being looked for, and count as wrong ones.
        """
        left = self._limit - pending
        return left <= 0 or (len(self._times) >= left and now - self._times[-left] < _MINUTE)


class CodeGuard:
    """Checks session codes, and answers no code while there are too many wrong ones.

    >>> guard = CodeGuard("K7PWQ3", "token", wrong_codes_a_minute=1)
    >>> guard.check("K7PWQ3", "", now=0), guard.check("BBBBBB", "", now=0), guard.check("K7PWQ3", "", now=1)
    ('right', 'wrong', 'limited')
    >>> guard.check("K7PWQ3", "token", now=2), guard.check("K7PWQ3", "", now=61)
    ('right', 'right')
    """

    def __init__(self, code: str, token: str, wrong_codes_a_minute: int = WRONG_CODES_A_MINUTE) -> None:
        self._code, self._token = code.encode(), token.encode()
        self._limit = WrongCodeLimit(wrong_codes_a_minute)
        self.wrong_count = 0
        self.limited_count = 0

    def is_right(self, code: str) -> bool:
        """Return whether this is the session's code, without counting a wrong one.

        The answer must not reach anyone who could be guessing.
        """
        return hmac.compare_digest(code.encode(), self._code)

    def check_bridged(self, code: str, token: str, *, is_limited: bool) -> CodeCheck:
        """Check a code that came through JupyterLab, whose extension counts the wrong ones.

        `is_limited` says that it has counted too many.

        >>> guard = CodeGuard("K7PWQ3", "token")
        >>> guard.check_bridged("K7PWQ3", "", is_limited=True), guard.check_bridged("K7PWQ3", "token", is_limited=True)
        ('limited', 'right')
        """
        is_right = self.is_right(code)
        if is_limited and not (hmac.compare_digest(token.encode(), self._token) and is_right):
            self.limited_count += 1
            return "limited"
        return "right" if is_right else "wrong"

    def check(self, code: str, token: str, now: float) -> CodeCheck:
        """Return whether a code is right or wrong; `limited` after too many wrong ones.

        A request with the right code and the token is always right. `now` is in seconds and never goes backwards.
        """
        is_right = self.is_right(code)
        if hmac.compare_digest(token.encode(), self._token) and is_right:
            return "right"
        if self._limit.is_reached(now):
            self.limited_count += 1
            return "limited"
        if is_right:
            return "right"
        self._limit.count(now)
        self.wrong_count += 1
        return "wrong"


def split_host(host: str) -> str:
    """Return the name or the address in a `Host` header, in lower case and without the port.

    >>> split_host("Example.local:8765"), split_host("[::1]:80"), split_host("192.168.1.5")
    ('example.local', '::1', '192.168.1.5')
    """
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).rstrip(".")


class HostCheck:
    """Decides which `Host` headers mean this computer.

    Any other comes from a page of another site whose name now leads to this address (DNS rebinding).
    `names` are further names and addresses that the teacher allows. With `is_local` only this computer itself is allowed.
    """

    def __init__(self, names: Iterable[str] = (), *, is_local: bool = False) -> None:
        self._names = {*_LOCAL_NAMES, *(split_host(name) for name in names if name)}
        if not is_local:
            own_name = socket.gethostname().lower()
            self._names |= {own_name, own_name.partition(".")[0], f"{own_name.partition('.')[0]}.local"} - {""}
        self._is_local = is_local

    def is_allowed(self, host: str, local_address: str) -> bool:
        """Return whether a request may name this host.

        `local_address` is the address at which the connection arrived.

        >>> HostCheck().is_allowed("192.168.1.5:8765", "192.168.1.5"), HostCheck().is_allowed("evil.example", "192.168.1.5")
        (True, False)
        """
        name = split_host(host)
        return name in self._names or (not self._is_local and bool(name) and is_same_address(name, local_address))


def is_same_address(first: str, second: str) -> bool:
    """Return whether two texts are the same address; False for texts that are not addresses.

    >>> is_same_address("192.168.1.5", "::ffff:192.168.1.5"), is_same_address("a", "a")
    (True, False)
    """
    try:
        addresses = [ipaddress.ip_address(text.partition("%")[0]) for text in (first, second)]
    except ValueError:
        return False
    plain = [getattr(address, "ipv4_mapped", None) or address for address in addresses]
    return bool(plain[0] == plain[1])


def is_own_origin(origin: str | None, host: str) -> bool:
    """Return whether a request comes from the session's own page, or from no page.

    The page is sandboxed, so its origin is usually `null`.

    >>> is_own_origin(None, "a:1"), is_own_origin("null", "a:1"), is_own_origin("http://a:1", "a:1"), is_own_origin("http://b", "a:1")
    (True, True, True, False)
    """
    return origin in (None, "null") or (origin is not None and origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower()))


def is_secret(given: str, secret: str) -> bool:
    """Return whether a secret is right, in the same time for every wrong one."""
    return hmac.compare_digest(given.encode(), secret.encode())


def sign(secret: str, challenge: str) -> str:
    """Return the proof that its sender knows a secret, without the secret."""
    return hmac.new(secret.encode(), challenge.encode(), hashlib.sha256).hexdigest()


def prove_alive(secret: str, port: int, challenge: str) -> str:
    """Return the proof of a session's process that it listens at a port.

    The port is part of it, so another program at another port cannot pass on the challenge to the process and its proof back.
    """
    return sign(secret, f"alive {port} {challenge}")


def prove_bridge(secret: str, port: int, now: float) -> str:
    """Return the proof that JupyterLab's extension sends to a port, without the secret.

    >>> is_bridge_proof(prove_bridge("secret", 8700, 1e9), "secret", 8700, 1e9 + 5)
    True
    >>> is_bridge_proof(prove_bridge("secret", 8700, 1e9), "secret", 8701, 1e9)
    False
    """
    return f"{int(now)} {sign(secret, f'bridge {port} {int(now)}')}"


def is_bridge_proof(text: str, secret: str, port: int, now: float) -> bool:
    """Return whether a text is the extension's proof for this port, and not an old one."""
    moment, _, proof = text.partition(" ")
    if not (moment.isascii() and moment.isdecimal() and len(moment) < 16) or abs(now - int(moment)) > _PROOF_SECONDS:
        return False
    return is_secret(proof, sign(secret, f"bridge {port} {int(moment)}"))
