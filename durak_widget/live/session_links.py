"""Makes the links and QR codes of a session, and finds this computer's address for them."""

from __future__ import annotations

import io
import ipaddress
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget.live.question import JsonObject


class SessionLinks:
    """The links of a session; those for students follow this computer's address.

    >>> links = SessionLinks("K7PWQ3", 8700, 8701, "secret", "token", host="192.168.1.5", network=True)
    >>> links.build("", with_qr=False)["join"]
    'http://192.168.1.5:8700/K7PWQ3/?t=token'
    """

    def __init__(self, code: str, student_port: int, teacher_port: int, secret: str, token: str, *, host: str, network: bool) -> None:
        self._code, self._student_port, self._token = code, student_port, token
        self._teacher_link = f"http://127.0.0.1:{teacher_port}/#{secret}"
        self._host, self._network = host, network

    def build(self, link: str, *, with_qr: bool = True) -> JsonObject:
        """Return the links that the teacher sees.

        `link` is another address for students, such as the one through JupyterLab, or "". The QR code has the token too.

        >>> links = SessionLinks("K7PWQ3", 8700, 8701, "secret", "token", host="", network=False)
        >>> links.build("https://hub.org/user/ann/durak/K7PWQ3/", with_qr=False)["join"]
        'https://hub.org/user/ann/durak/K7PWQ3/?t=token'
        """
        if link:
            short = link.partition("://")[2].rstrip("/")
            join = f"{link}?t={self._token}" if link.endswith(f"/{self._code}/") else link
        else:
            host = self._host or (find_addresses()[0] if self._network else "127.0.0.1")
            short = f"{format_host(host)}:{self._student_port}/{self._code}"
            join = f"http://{short}/?t={self._token}"
        qr = make_qr_svg(join) if with_qr else ""
        return {"join": join, "short": short, "qr": qr, "teacher": self._teacher_link}


# --- QR codes ---


def make_qr_svg(link: str) -> str:
    """Return a QR code as SVG.

    >>> make_qr_svg("http://192.168.1.5:8700/K7PWQ3/").startswith("<svg")
    True
    """
    import segno  # noqa: PLC0415 - an optional package

    return str(segno.make(link, error="m", micro=False).svg_inline(scale=4, border=2, dark="#000", light="#fff", omitsize=True))


def draw_qr_code(link: str) -> str:
    """Return a QR code as lines of text, for a dark terminal.

    >>> len(set(map(len, draw_qr_code("http://192.168.1.5:8888/K7PWQ3/").splitlines())))
    1
    """
    import segno  # noqa: PLC0415 - as above

    text = io.StringIO()
    segno.make(link, error="m", micro=False).terminal(out=text, border=2, compact=True)
    return text.getvalue().rstrip("\n")


# --- Addresses ---


def find_addresses() -> list[str]:
    """Return the IPv4 addresses of this computer, best first.

    Without a network, the list is `["127.0.0.1"]`.
    """
    found = _select_usable([_find_route_address("192.0.2.1"), _find_route_address("10.255.255.255")])
    return found or _select_usable(_find_named_addresses()) or ["127.0.0.1"]


def _select_usable(addresses: list[str]) -> list[str]:
    """Return the addresses that other computers reach; private networks come first."""
    usable = [address for address in dict.fromkeys(addresses) if address and not ipaddress.ip_address(address).is_loopback]
    return sorted(usable, key=lambda address: not ipaddress.ip_address(address).is_private)


def _find_named_addresses() -> list[str]:
    """Return the addresses for this computer's own name.

    In a network without name servers, this may take seconds.
    """
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return []
    return [str(entry[4][0]) for entry in entries]


def _find_route_address(target: str) -> str:
    """Return the own address from which a packet to `target` would leave.

    Nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def format_host(host: str) -> str:
    """Return a host as it is written in a link.

    >>> format_host("192.168.1.5"), format_host("fe80::1")
    ('192.168.1.5', '[fe80::1]')
    """
    return f"[{host}]" if ":" in host else host
