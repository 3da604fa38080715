"""The hosts of the fast engine: wasmtime in CPython, the browser's WebAssembly in Pyodide.

If a host is missing, old or broken, doesn't answer, or fails in use, the Python engine is used and nothing is raised. `which()` says why.
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
"""The environment variable that turns the fast engine off: `DURAK_KERNEL=off`."""
SEED: Final = 20
DRAWN: Final = b"".join(number.to_bytes(8, "little") for number in (8342591028684953886, 13034407582358683288, 6180398719475239202))
"""Three products of two random numbers, the same in every fast engine with `SEED`."""
PATIENCE: Final = 10.0
"""The time in seconds that a host has to pass the self-test."""


class Running(Protocol):
    """A running instance of the WebAssembly file."""

    @property
    def layout(self) -> Mapping[str, int]:
        """Return the numbers that the file exports, by name."""

    def call(self, name: str, *numbers: int) -> int:
        """Call an exported function with these numbers, and return its result."""

    def read(self, at: int, size: int) -> bytes:
        """Return bytes from its memory."""

    def write(self, at: int, some: bytes) -> None:
        """Write bytes to its memory."""


class HostError(Exception):
    """A host failed in use; the Python engine is used from then on."""


class _Guarded:
    """A running instance that reports a failure of its host and raises `HostError`."""

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
    """An instance in CPython, run by the package wasmtime."""

    def __init__(self, wasmtime: Any, engine: Any, module: Any) -> None:  # noqa: ANN401 - a package that need not be there
        self._store = wasmtime.Store(engine)
        exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        names = [export.name for export in module.exports]
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
    """An instance in Pyodide, run by the WebAssembly of the browser or of Node."""

    def __init__(self, js: Any, module: Any) -> None:  # noqa: ANN401 - there in Pyodide alone
        exports = js.WebAssembly.Instance.new(module, js.Object.new()).exports
        self._exports, self._view = exports, js.Uint8Array
        self._seen = self._view.new(exports.memory.buffer)
        names = [str(export.name) for export in js.WebAssembly.Module.exports(module) if str(export.kind) == "global"]
        self.layout = {name: int(getattr(exports, name).value) for name in names}

    def call(self, name: str, *numbers: int) -> int:
        result = getattr(self._exports, name)(*numbers)
        return int(result or 0)

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._bytes().subarray(at, at + size).to_bytes())

    def write(self, at: int, some: bytes) -> None:
        if some:
            self._bytes().subarray(at, at + len(some)).assign(some)

    def _bytes(self) -> Any:  # noqa: ANN401 - an array of the page
        """Return the memory as an array, which is a new one after the memory has grown."""
        if not self._seen.byteLength:
            self._seen = self._view.new(self._exports.memory.buffer)
        return self._seen


def _in_cpython() -> tuple[str, Callable[[], Running]]:
    """Return the name of wasmtime and a function that starts an instance."""
    wasmtime: Any = import_module("wasmtime")
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, FILE.read_bytes())
    try:
        name = f"wasmtime {version('wasmtime')}"
    except PackageNotFoundError:  # it is on the path, but was not installed
        name = "wasmtime"
    return name, lambda: _Wasmtime(wasmtime, engine, module)


def _in_browser() -> tuple[str, Callable[[], Running]]:
    """Return the name of the browser's WebAssembly and a function that starts an instance."""
    js: Any = import_module("js")
    module = js.WebAssembly.Module.new(js.Uint8Array.new(FILE.read_bytes()))
    return "the browser's WebAssembly", lambda: _Browser(js, module)


def _plays(running: Running) -> bool:
    """Return whether an instance computes three random numbers that are known."""
    running.write(running.layout["INBOX"], SEED.to_bytes(8, "little"))
    running.call("drawThree")
    return running.read(running.layout["INBOX"], 24) == DRAWN


class Host:
    """The host that works here, or the reason why none does."""

    name: str

    def __init__(self) -> None:
        self.name, self._start = "none", None
        self._tried: tuple[str, Callable[[], Running] | None] | None = None
        if os.environ.get(SWITCH, "").lower() in {"off", "0", "no"}:
            self.name = f"none: {SWITCH}={os.environ[SWITCH]} is set"
            return
        if sys.platform == "emscripten":  # it has no threads, and loading there can't hang
            self._try()
        else:
            starter = threading.Thread(target=self._try, daemon=True, name="durak-kernel")
            starter.start()
            starter.join(PATIENCE)
        self.name, self._start = self._tried or (f"none: no answer in {PATIENCE:g} seconds", None)

    def _try(self) -> None:
        """Find a host, and run the self-test in it."""
        try:
            if not FILE.is_file():
                self._tried = f"none: {FILE.name} is not in this installation", None
                return
            name, start = _in_browser() if sys.platform == "emscripten" else _in_cpython()
            self._tried = (name, start) if _plays(start()) else (f"none: {name} does not play as it should", None)
        except ENDINGS as error:  # any error will do: the Python engine is there
            is_missing = isinstance(error, ModuleNotFoundError) and error.name == "wasmtime"
            reason = "wasmtime is not installed; pip install 'durak_widget[fast]' brings it" if is_missing else told(error)
            self._tried = f"none: {reason}", None

    @property
    def works(self) -> bool:
        """Return whether an instance can be started."""
        return self._start is not None

    def start(self) -> Running:
        """Start an instance."""
        if self._start is None:
            raise HostError(self.name)
        try:
            return _Guarded(self._start())
        except Exception as error:
            raise self.failed(error) from error

    def failed(self, error: BaseException) -> HostError:
        """Stop using the host, remember why, and return the error to raise."""
        if self._start is not None:
            self.name, self._start = f"none: {self.name} failed in use: {told(error)}", None
        return HostError(self.name)


def told(error: BaseException) -> str:
    """Return the type of an error and the first line of its message."""
    return " ".join(f"{type(error).__name__}: {error}".split("\n", maxsplit=1)[0].split()).removesuffix(":")


@lru_cache(maxsize=1)
def host() -> Host:
    """Return the host of this process, found at the first call."""
    return Host()


atexit.register(host.cache_clear)  # wasmtime can't free anything once Python is shutting down


def which() -> str:
    """Return what runs the fast engine here.

    For example `"wasmtime 50.0.1"` or `"the browser's WebAssembly"`. If nothing does, `"none: …"` with the reason; the Python engine is
    used then.

    >>> from durak_widget import fast_engine
    >>> fast_engine.which().partition(" ")[0] in {"wasmtime", "the", "none:"}
    True
    """
    return host().name
