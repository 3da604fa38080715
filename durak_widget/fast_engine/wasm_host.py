"""What runs the kernel: wasmtime in CPython, the browser's own WebAssembly in Pyodide; or nothing, and then all goes the plain way.

A host that is missing, old or broken, that does not answer, or that fails in the middle of use, raises nothing: `which()` says why it is not used.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from durak_widget.errors import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FILE: Final = Path(__file__).resolve().parent.parent / "static" / "fast_engine.wasm"
SWITCH: Final = "DURAK_KERNEL"
"""`DURAK_KERNEL=off` in the environment has everything go the plain way."""
SEED: Final = 20
DRAWN: Final = b"".join(number.to_bytes(8, "little") for number in (8342591028684953886, 13034407582358683288, 6180398719475239202))
"""Three products of two numbers by chance, which every kernel hands over for that seed."""
PATIENCE: Final = 10.0
"""So many seconds a host may take to show that it works."""


class Running(Protocol):
    """A kernel that runs: its functions, its memory, and the numbers that it names."""

    @property
    def layout(self) -> Mapping[str, int]:
        """The numbers that it names."""

    def call(self, name: str, *numbers: int) -> int:
        """What one of its functions answers."""

    def read(self, at: int, size: int) -> bytes:
        """Bytes of its memory."""

    def write(self, at: int, some: bytes) -> None:
        """Put bytes into its memory."""


class HostError(Exception):
    """A host did not do what it was asked in the middle of use: from then on all goes the plain way."""


class _Guarded:
    """A kernel that runs; when its host fails, that is noted, and said as a `HostError`."""

    def __init__(self, running: Running) -> None:
        self._running, self.layout = running, running.layout

    def call(self, name: str, *numbers: int) -> int:
        try:
            return self._running.call(name, *numbers)
        except Exception as error:
            raise host().failed(error) from error

    def read(self, at: int, size: int) -> bytes:
        try:
            return self._running.read(at, size)
        except Exception as error:
            raise host().failed(error) from error

    def write(self, at: int, some: bytes) -> None:
        try:
            self._running.write(at, some)
        except Exception as error:
            raise host().failed(error) from error


class _Wasmtime:
    """In CPython, by the package wasmtime."""

    def __init__(self, wasmtime: Any, engine: Any, module: Any) -> None:  # noqa: ANN401 - a package that need not be there
        self._store = wasmtime.Store(engine)
        exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        names = [one.name for one in module.exports]
        self._functions = {name: exports[name] for name in names if isinstance(exports[name], wasmtime.Func)}
        self._memory = exports["memory"]
        self.layout = {name: int(exports[name].value(self._store)) for name in names if isinstance(exports[name], wasmtime.Global)}

    def call(self, name: str, *numbers: int) -> int:
        return int(self._functions[name](self._store, *numbers) or 0)

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, at, at + size))

    def write(self, at: int, some: bytes) -> None:
        self._memory.write(self._store, some, at)


class _Browser:
    """In Pyodide, by the WebAssembly of the browser or of Node."""

    def __init__(self, js: Any, module: Any) -> None:  # noqa: ANN401 - there in Pyodide alone
        exports = js.WebAssembly.Instance.new(module, js.Object.new()).exports
        self._exports, self._view = exports, js.Uint8Array
        self._seen = self._view.new(exports.memory.buffer)
        names = [str(one.name) for one in js.WebAssembly.Module.exports(module) if str(one.kind) == "global"]
        self.layout = {name: int(getattr(exports, name).value) for name in names}

    def call(self, name: str, *numbers: int) -> int:
        found = getattr(self._exports, name)(*numbers)
        return int(found or 0)

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._bytes().subarray(at, at + size).to_bytes())

    def write(self, at: int, some: bytes) -> None:
        if some:
            self._bytes().subarray(at, at + len(some)).assign(some)

    def _bytes(self) -> Any:  # noqa: ANN401 - an array of the page
        """The memory, which is another array once it has grown."""
        if not self._seen.byteLength:
            self._seen = self._view.new(self._exports.memory.buffer)
        return self._seen


def _in_cpython() -> tuple[str, Callable[[], Running]]:
    """By wasmtime: its name, and how one more kernel is started."""
    wasmtime: Any = import_module("wasmtime")
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, FILE.read_bytes())
    try:
        name = f"wasmtime {version('wasmtime')}"
    except PackageNotFoundError:  # it lies on the path without having been installed
        name = "wasmtime"
    return name, lambda: _Wasmtime(wasmtime, engine, module)


def _in_browser() -> tuple[str, Callable[[], Running]]:
    """By the page's own WebAssembly."""
    js: Any = import_module("js")
    module = js.WebAssembly.Module.new(js.Uint8Array.new(FILE.read_bytes()))
    return "the browser's WebAssembly", lambda: _Browser(js, module)


def _plays(running: Running) -> bool:
    """Whether it knows the answer to what is always the same: three numbers of its chance."""
    running.write(running.layout["INBOX"], SEED.to_bytes(8, "little"))
    running.call("drawThree")
    return running.read(running.layout["INBOX"], 24) == DRAWN


class Host:
    """The host that works here, or why none does."""

    name: str

    def __init__(self) -> None:
        self.name, self._start = "none", None
        self._tried: tuple[str, Callable[[], Running] | None] | None = None
        if os.environ.get(SWITCH, "").lower() in {"off", "0", "no"}:
            self.name = f"none: {SWITCH}={os.environ[SWITCH]} is set"
            return
        if sys.platform == "emscripten":  # where there are no threads, nor anything that could hang
            self._try()
        else:
            watched = threading.Thread(target=self._try, daemon=True, name="durak-kernel")
            watched.start()
            watched.join(PATIENCE)
        self.name, self._start = self._tried or (f"none: no answer in {PATIENCE:g} seconds", None)

    def _try(self) -> None:
        """Find a host and have it draw three numbers, which are known."""
        try:
            if not FILE.is_file():
                self._tried = f"none: {FILE.name} is not in this installation", None
                return
            name, start = _in_browser() if sys.platform == "emscripten" else _in_cpython()
            self._tried = (name, start) if _plays(start()) else (f"none: {name} does not play as it should", None)
        except ENDINGS as error:  # whatever is wrong with a host, the plain way is there
            missing = isinstance(error, ModuleNotFoundError) and error.name == "wasmtime"
            why = "wasmtime is not installed; pip install 'durak_widget[fast]' brings it" if missing else told(error)
            self._tried = f"none: {why}", None

    @property
    def works(self) -> bool:
        """Whether a kernel can be started."""
        return self._start is not None

    def start(self) -> Running:
        """One more kernel that runs."""
        if self._start is None:
            raise HostError(self.name)
        try:
            return _Guarded(self._start())
        except Exception as error:
            raise self.failed(error) from error

    def failed(self, error: BaseException) -> HostError:
        """Use it no more, and remember why."""
        if self._start is not None:
            self.name, self._start = f"none: {self.name} failed in use: {told(error)}", None
        return HostError(self.name)


def told(error: BaseException) -> str:
    """An error in one line: the first that it says."""
    return " ".join(f"{type(error).__name__}: {error}".split("\n", maxsplit=1)[0].split()).removesuffix(":")


@lru_cache(maxsize=1)
def host() -> Host:
    """What was found when it was first asked for."""
    return Host()


atexit.register(host.cache_clear)  # wasmtime cannot let go of anything once Python has begun to end


def which() -> str:
    """What runs the kernel here: `"wasmtime 50.0.1"`, `"the browser's WebAssembly"`; or `"none: …"` with the reason, and then all goes the plain way.

    >>> from durak_widget import fast_engine
    >>> fast_engine.which().partition(" ")[0] in {"wasmtime", "the", "none:"}
    True
    """
    return host().name
