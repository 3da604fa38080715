"""Finds the address at which students reach a class session through Jupyter."""

from __future__ import annotations

import http.client
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from durak_widget.atomic_files import parse_json_text
from durak_widget.live.session_links import find_addresses, format_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LOOPBACK_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
_ANY_HOSTS: Final = ("", "0.0.0.0", "::", "*")  # noqa: S104 - compared, not bound
_CHECK_SECONDS: Final = 6.0


class JupyterServer(NamedTuple):
    """A Jupyter server, as seen from this machine and by students."""

    local_url: str
    """Its address on this machine, with a slash at the end; empty if it is unknown."""
    public_url: str
    """Its address for students, with a slash at the end; empty as long as only the teacher's browser knows it."""


def is_in_hub() -> bool:
    """Return whether this Python runs in JupyterHub or Binder.

    There, students cannot reach the machine itself.
    """
    return "JUPYTERHUB_SERVICE_PREFIX" in os.environ


def find_jupyter_server() -> JupyterServer | None:
    """Return the Jupyter server that runs this kernel, or else another one on this machine."""
    server = choose_server(list_running_servers(), (os.environ.get("JPY_PARENT_PID", ""), str(os.getppid())))
    local_url = _find_local_url(server) if server else ""
    if is_in_hub():
        return JupyterServer(local_url, get_hub_url(os.environ))
    return JupyterServer(local_url, _find_lan_url(server) or local_url) if server else None


def list_running_servers() -> list[Mapping[str, object]]:
    """Return what Jupyter has noted about the servers of this user that run on this machine.

    It reads the same files as `jupyter server list`, whose module takes seconds to import.
    """
    try:
        from jupyter_core.paths import jupyter_runtime_dir  # noqa: PLC0415 - there may be no Jupyter
    except ImportError:
        return []
    servers: list[Mapping[str, object]] = []
    for path in sorted(Path(jupyter_runtime_dir()).glob("jpserver-*.json"), reverse=True):
        try:
            server = parse_json_text(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # it ends at this moment, or starts
            continue
        if isinstance(server, dict) and str(server.get("url", "")).startswith("http") and _is_process(server.get("pid")):
            servers.append(server)
    return servers


def _is_process(pid: object) -> bool:
    """Return whether a process runs; a server that was killed leaves its file behind."""
    if sys.platform == "win32" or not isinstance(pid, int):
        return True  # A signal would end a process there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def choose_server(servers: Iterable[Mapping[str, object]], parent_pids: Iterable[str]) -> Mapping[str, object] | None:
    """Return the server whose process has started this kernel; otherwise, one of the others.

    >>> choose_server([{"pid": 1}, {"pid": 2}], ["2"]), choose_server([{"pid": 1}], ["2"]), choose_server([], ["2"])
    ({'pid': 2}, {'pid': 1}, None)
    """
    parents = set(parent_pids)
    return min(servers, key=lambda server: str(server.get("pid")) not in parents, default=None)


def get_hub_url(environment: Mapping[str, str]) -> str:
    """Return the public address of a user's server in a hub, or "" if the hub keeps it quiet.

    >>> get_hub_url({"JUPYTERHUB_PUBLIC_URL": "https://hub.org/user/ann/", "JUPYTERHUB_SERVICE_PREFIX": "/user/ann/"})
    'https://hub.org/user/ann/'
    >>> get_hub_url({"JUPYTERHUB_PUBLIC_URL": "https://hub.org", "JUPYTERHUB_SERVICE_PREFIX": "/user/ann/"})
    'https://hub.org/user/ann/'
    >>> get_hub_url({"JUPYTERHUB_SERVICE_PREFIX": "/user/ann/"})
    ''
    """
    public, prefix = environment.get("JUPYTERHUB_PUBLIC_URL", ""), environment.get("JUPYTERHUB_SERVICE_PREFIX", "/")
    if not public:
        return ""
    path = public.rstrip("/") + "/"
    return path if path.endswith(prefix) else path.rstrip("/") + prefix


def build_session_link(base_url: str, code: str) -> str:
    """Return the link to a session at a Jupyter server.

    >>> build_session_link("https://hub.org/user/ann/", "K7PWQ3")
    'https://hub.org/user/ann/durak/K7PWQ3/'
    """
    return f"{base_url.rstrip('/')}/durak/{code}/"


def is_page_url(text: object) -> bool:
    """Return whether a text can be the address of a Jupyter server, as a page says it.

    >>> is_page_url("https://hub.org/user/ann/"), is_page_url("javascript:x"), is_page_url("https://a b"), is_page_url(None)
    (True, False, False, False)
    """
    if not isinstance(text, str) or len(text) > 500 or not text.isprintable() or set(text) & set(" \"'<>\\"):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and not (parts.username or parts.query or parts.fragment)
    except ValueError:
        return False


def has_extension(local_url: str, code: str) -> bool:
    """Return whether a Jupyter server passes on the pages of a session without a token."""
    parts = urlsplit(build_session_link(local_url, code))
    if parts.scheme == "https":
        return True  # Its certificate is for its public name, so it cannot be asked from here
    try:
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=_CHECK_SECONDS)
        try:
            connection.request("GET", parts.path)
            return connection.getresponse().status == 200
        finally:
            connection.close()
    except (OSError, http.client.HTTPException):
        return False


def _find_local_url(server: Mapping[str, object]) -> str:
    """Return the address of a server on this machine."""
    parts = urlsplit(str(server["url"]))
    host = str(server.get("hostname") or parts.hostname or "")
    name = "127.0.0.1" if host in _ANY_HOSTS else host
    return f"{parts.scheme}://{format_host(name)}:{server.get('port', parts.port)}{str(parts.path).rstrip('/')}/"


def _find_lan_url(server: Mapping[str, object]) -> str:
    """Return the address of a server in the local network, or "" if it is not there."""
    parts = urlsplit(str(server["url"]))
    host = str(server.get("hostname") or parts.hostname or "")
    if host in _LOOPBACK_HOSTS:
        return ""
    name = find_addresses()[0] if host in _ANY_HOSTS else host
    return f"{parts.scheme}://{format_host(name)}:{server.get('port', parts.port)}{str(parts.path).rstrip('/')}/"
