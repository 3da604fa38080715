"""A folder of files as any server would hand it out, under some path, with a policy that lets a page do no more than it must."""

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
def contents(path: Path, _: int, *, may_pack: bool) -> tuple[bytes, bool]:
    """What is sent of a file, and whether that is packed: as servers do with texts and programs."""
    data = path.read_bytes()
    packs = may_pack and path.suffix in {".js", ".mjs", ".json", ".html", ".css", ".wasm", ".ipynb", ".py"}
    return (gzip.compress(data, 6), True) if packs else (data, False)


class Line:
    """How much goes over it, and how fast it is at most, in bits a second: all that is sent at one time shares it."""

    def __init__(self, bits: float = 0) -> None:
        self.bits, self.bytes = bits, 0
        self._one_at_a_time = Lock()

    def send(self, data: bytes, write: Callable[[bytes], object]) -> None:
        """Send it in pieces, each in its time."""
        for at in range(0, len(data), PIECE if self.bits else len(data) or 1):
            piece = data[at : at + PIECE] if self.bits else data
            if self.bits:
                with self._one_at_a_time:
                    sleep(8 * len(piece) / self.bits)
            write(piece)
            self.bytes += len(piece)


class Files(SimpleHTTPRequestHandler):
    """Hands out files below `/x/y/`, packed where they are asked for so, and notes what was asked."""

    asked: list[str]
    gone: set[str]
    policy = True
    line: Line
    cut = False
    """Whether nothing gets through any more."""

    def translate_path(self, path: str) -> str:
        """The file of a path, or one that is not there."""
        return super().translate_path(path.removeprefix(UNDER)) if path.startswith(UNDER) else "/nowhere"

    def do_GET(self) -> None:
        """Hand it out."""
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
        data, packed = contents(path, path.stat().st_mtime_ns, may_pack=may_pack)
        tag = f'"{path.stat().st_mtime_ns}-{len(data)}"'
        known = self.headers.get("If-None-Match") == tag
        self.send_response(304 if known else 200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "no-cache")  # kept, and asked about each time
        if self.policy:
            self.send_header("Content-Security-Policy", POLICY)
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", "0" if known else str(len(data)))
        self.end_headers()
        if known:
            return
        with suppress(BrokenPipeError, ConnectionResetError):  # who asked is gone, or has seen enough
            self.line.send(data, self.wfile.write)

    def log_message(self, *said: object) -> None:
        """Nothing."""


class Served:
    """A folder that is handed out."""

    def __init__(self, server: ThreadingHTTPServer, files: type[Files]) -> None:
        self._server, self._files = server, files
        self.url = f"http://127.0.0.1:{server.server_port}{UNDER}/"

    @property
    def asked(self) -> list[str]:
        """What has been asked for."""
        return self._files.asked

    @property
    def line(self) -> Line:
        """What it is handed out on."""
        return self._files.line

    def cut(self, *, off: bool = True) -> None:
        """Nothing gets through from now on; or it does again."""
        self._files.cut = off

    @property
    def gone(self) -> set[str]:
        """What is not there, whatever lies in the folder."""
        return self._files.gone


@contextmanager
def served(folder: Path, *, policy: bool = True) -> Iterator[Served]:
    """Hand that folder out on a free port of this machine."""
    files = type("Files", (Files,), {"asked": [], "gone": set(), "policy": policy, "line": Line()})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(files, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Served(server, files)
        server.shutdown()
