"""Serve a folder as any web server would, under a path and with a strict content security policy."""

from __future__ import annotations

import gzip
from contextlib import contextmanager, suppress
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from time import sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; manifest-src 'self'"
UNDER = "/x/y"
PIECE = 16_384


@cache
def read_contents(path: Path, _: int, *, may_pack: bool) -> tuple[bytes, bool]:
    """Return the content of a file and whether it is compressed."""
    data = path.read_bytes()
    packs = may_pack and path.suffix in {".js", ".mjs", ".json", ".html", ".css", ".wasm", ".ipynb", ".py"}
    return (gzip.compress(data, 6), True) if packs else (data, False)


class NetworkLine:
    """A shared connection with a limit in bits per second."""

    def __init__(self, bits: float = 0) -> None:
        self.bits, self.bytes = bits, 0
        self._one_at_a_time = Lock()

    def send(self, data: bytes, write: Callable[[bytes], object]) -> None:
        """Send the data in timed pieces."""
        for at in range(0, len(data), PIECE if self.bits else len(data) or 1):
            piece = data[at : at + PIECE] if self.bits else data
            if self.bits:
                with self._one_at_a_time:
                    sleep(8 * len(piece) / self.bits)
            write(piece)
            self.bytes += len(piece)


class FileHandler(SimpleHTTPRequestHandler):
    """Serves files below `/x/y/`, compressed on request, and records the requests."""

    asked: list[str]
    gone: set[str]
    policy = True
    line: NetworkLine
    cut = False
    """Whether the connection is cut."""

    def translate_path(self, path: str) -> str:
        """Return the path of a file, or of one that doesn't exist."""
        return super().translate_path(path.removeprefix(UNDER)) if path.startswith(UNDER) else "/nowhere"

    def do_GET(self) -> None:
        """Serve it."""
        self.path = self.path.partition("?")[0]
        name = self.path.removeprefix(f"{UNDER}/")
        self.asked.append(name)
        if self.cut:
            self.close_connection = True
            return
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.endswith("/"):
            path /= "index.html"
        if name in self.gone or not path.is_file():
            self.send_error(404)
            return
        may_pack = "gzip" in self.headers.get("Accept-Encoding", "")
        data, packed = read_contents(path, path.stat().st_mtime_ns, may_pack=may_pack)
        tag = f'"{path.stat().st_mtime_ns}-{len(data)}"'
        known = self.headers.get("If-None-Match") == tag
        self.send_response(304 if known else 200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "no-cache")  # cached, but revalidated each time
        if self.policy:
            self.send_header("Content-Security-Policy", POLICY)
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", "0" if known else str(len(data)))
        self.end_headers()
        if known:
            return
        with suppress(BrokenPipeError, ConnectionResetError):  # the client has closed the connection
            self.line.send(data, self.wfile.write)

    def log_message(self, *said: object) -> None:
        """Nothing."""


class FileServer:
    """A folder that is served."""

    def __init__(self, server: ThreadingHTTPServer, files: type[FileHandler]) -> None:
        self._server, self._files = server, files
        self.url = f"http://127.0.0.1:{server.server_port}{UNDER}/"

    @property
    def asked(self) -> list[str]:
        """Return the requested paths."""
        return self._files.asked

    @property
    def line(self) -> NetworkLine:
        """Return the connection."""
        return self._files.line

    def cut(self, *, off: bool = True) -> None:
        """Cut or restore the connection."""
        self._files.cut = off

    @property
    def gone(self) -> set[str]:
        """Set the paths that are missing."""
        return self._files.gone


@contextmanager
def serve(folder: Path, *, policy: bool = True) -> Iterator[FileServer]:
    """Serve a folder on a free port of this machine."""
    files = type("Files", (FileHandler,), {"asked": [], "gone": set(), "policy": policy, "line": NetworkLine()})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(files, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield FileServer(server, files)
        server.shutdown()
