"""Runs the fast engine's WebAssembly, with wasmtime or (in Pyodide) with the browser.

The program that runs WebAssembly is called the host. If the host is missing, broken, too slow, or fails, the package uses the Python engine without
an error. `describe_host()` says why.
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

from durak_widget.errors import USER_CODE_EXCEPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WASM_FILE: Final = Path(__file__).resolve().parent.parent / "static" / "fast_engine.wasm"
ENVIRONMENT_VARIABLE: Final = "DURAK_KERNEL"
"""The environment variable that switches the fast engine off, as in `DURAK_KERNEL=off`."""
SELF_TEST_SEED: Final = 20
SELF_TEST_RESULT: Final = b"".join(
    number.to_bytes(8, "little") for number in (8342591028684953886, 13034407582358683288, 6180398719475239202)
)
"""The bytes that the self-test must return: three random numbers for the seed `SELF_TEST_SEED`."""
START_TIMEOUT: Final = 10.0
"""How many seconds a host has to start and to pass the self-test."""


class WasmInstance(Protocol):
    """The interface of a running WebAssembly instance of the fast engine."""

    @property
    def layout(self) -> Mapping[str, int]:
        """Return the numbers that the WebAssembly file exports, by name."""

    def call(self, name: str, *numbers: int) -> int:
        """Call a function that the WebAssembly file exports, and return its result."""

    def read(self, offset: int, size: int) -> bytes:
        """Read bytes from the memory of the WebAssembly instance."""

    def write(self, offset: int, data: bytes) -> None:
        """Write bytes to the memory of the WebAssembly instance."""


class HostError(Exception):
    """The error for a WebAssembly host that has failed; callers then use the Python engine."""


class _GuardedInstance:
    """A wrapper around a WebAssembly instance that turns every failure into a `HostError`."""

    def __init__(self, instance: WasmInstance) -> None:
        self._instance, self.layout = instance, instance.layout

    def call(self, name: str, *numbers: int) -> int:
        try:
            return self._instance.call(name, *numbers)
        except Exception as error:
            raise get_host().record_failure(error) from error

    def read(self, offset: int, size: int) -> bytes:
        try:
            return self._instance.read(offset, size)
        except Exception as error:
            raise get_host().record_failure(error) from error

    def write(self, offset: int, data: bytes) -> None:
        try:
            self._instance.write(offset, data)
        except Exception as error:
            raise get_host().record_failure(error) from error


class _WasmtimeInstance:
    """A WebAssembly instance that the package wasmtime runs, in CPython."""

    def __init__(self, wasmtime: Any, engine: Any, module: Any) -> None:  # noqa: ANN401 - a package that need not be there
        self._store = wasmtime.Store(engine)
        exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        names = [export.name for export in module.exports]
        self._functions = {name: exports[name] for name in names if isinstance(exports[name], wasmtime.Func)}
        self._memory = exports["memory"]
        self.layout = {name: int(exports[name].value(self._store)) for name in names if isinstance(exports[name], wasmtime.Global)}

    def call(self, name: str, *numbers: int) -> int:
        return int(self._functions[name](self._store, *numbers) or 0)

    def read(self, offset: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, offset, offset + size))

    def write(self, offset: int, data: bytes) -> None:
        self._memory.write(self._store, data, offset)


class _BrowserInstance:
    """A WebAssembly instance that the browser (or Node) runs, in Pyodide."""

    def __init__(self, js: Any, module: Any) -> None:  # noqa: ANN401 - there in Pyodide alone
        exports = js.WebAssembly.Instance.new(module, js.Object.new()).exports
        self._exports, self._array_type = exports, js.Uint8Array
        self._memory_view = self._array_type.new(exports.memory.buffer)
        names = [str(export.name) for export in js.WebAssembly.Module.exports(module) if str(export.kind) == "global"]
        self.layout = {name: int(getattr(exports, name).value) for name in names}

    def call(self, name: str, *numbers: int) -> int:
        result = getattr(self._exports, name)(*numbers)
        return int(result or 0)

    def read(self, offset: int, size: int) -> bytes:
        return bytes(self._get_memory_view().subarray(offset, offset + size).to_bytes())

    def write(self, offset: int, data: bytes) -> None:
        if data:
            self._get_memory_view().subarray(offset, offset + len(data)).assign(data)

    def _get_memory_view(self) -> Any:  # noqa: ANN401 - an array of the page
        """Return the instance's memory as a JavaScript array, renewed after the memory has grown."""
        if not self._memory_view.byteLength:
            self._memory_view = self._array_type.new(self._exports.memory.buffer)
        return self._memory_view


def _find_wasmtime() -> tuple[str, Callable[[], WasmInstance]]:
    """Return wasmtime's name and version, and a function that starts an instance with it."""
    wasmtime: Any = import_module("wasmtime")
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, WASM_FILE.read_bytes())
    try:
        name = f"wasmtime {version('wasmtime')}"
    except PackageNotFoundError:  # The package wasmtime can be imported, but has no metadata, so its version is unknown.
        name = "wasmtime"
    return name, lambda: _WasmtimeInstance(wasmtime, engine, module)


def _find_browser() -> tuple[str, Callable[[], WasmInstance]]:
    """Return a name for the browser's WebAssembly, and a function that starts an instance."""
    js: Any = import_module("js")
    module = js.WebAssembly.Module.new(js.Uint8Array.new(WASM_FILE.read_bytes()))
    return "the browser's WebAssembly", lambda: _BrowserInstance(js, module)


def _passes_self_test(instance: WasmInstance) -> bool:
    """Return whether an instance computes the three random numbers that the self-test expects."""
    instance.write(instance.layout["INBOX"], SELF_TEST_SEED.to_bytes(8, "little"))
    instance.call("drawThree")
    return instance.read(instance.layout["INBOX"], 24) == SELF_TEST_RESULT


class Host:
    """The program (host) that runs WebAssembly in this process, or the reason for its absence."""

    name: str

    def __init__(self) -> None:
        self.name, self._start_instance = "none", None
        self._attempt_result: tuple[str, Callable[[], WasmInstance] | None] | None = None
        if os.environ.get(ENVIRONMENT_VARIABLE, "").lower() in {"off", "0", "no"}:
            self.name = f"none: {ENVIRONMENT_VARIABLE}={os.environ[ENVIRONMENT_VARIABLE]} is set"
            return
        if sys.platform == "emscripten":  # Search in this thread, because Pyodide has no threads; the search can't hang there.
            self._find_host()
        else:
            starter = threading.Thread(target=self._find_host, daemon=True, name="durak-kernel")
            starter.start()
            starter.join(START_TIMEOUT)
        self.name, self._start_instance = self._attempt_result or (f"none: no answer in {START_TIMEOUT:g} seconds", None)

    def _find_host(self) -> None:
        """Find a WebAssembly host, and run the self-test with it."""
        try:
            if not WASM_FILE.is_file():
                self._attempt_result = f"none: {WASM_FILE.name} is missing in this installation", None
                return
            name, start = _find_browser() if sys.platform == "emscripten" else _find_wasmtime()
            self._attempt_result = (name, start) if _passes_self_test(start()) else (f"none: {name} failed the self-test", None)
        except USER_CODE_EXCEPTIONS as error:  # After any error, the package can use the Python engine instead.
            is_missing = isinstance(error, ModuleNotFoundError) and error.name == "wasmtime"
            reason = (
                "wasmtime is not installed; install it with pip install 'durak_widget[fast]'" if is_missing else format_error_line(error)
            )
            self._attempt_result = f"none: {reason}", None

    @property
    def is_working(self) -> bool:
        """Return whether this WebAssembly host can start an instance of the fast engine."""
        return self._start_instance is not None

    def start(self) -> WasmInstance:
        """Start an instance of the fast engine; raise `HostError` if this fails."""
        if self._start_instance is None:
            raise HostError(self.name)
        try:
            return _GuardedInstance(self._start_instance())
        except Exception as error:
            raise self.record_failure(error) from error

    def record_failure(self, error: BaseException) -> HostError:
        """Record that the host failed, so that it is never used again; return a `HostError`."""
        if self._start_instance is not None:
            self.name, self._start_instance = f"none: {self.name} failed while in use: {format_error_line(error)}", None
        return HostError(self.name)


def format_error_line(error: BaseException) -> str:
    """Format an error as one line: its type, and the first line of its message."""
    return " ".join(f"{type(error).__name__}: {error}".split("\n", maxsplit=1)[0].split()).removesuffix(":")


@lru_cache(maxsize=1)
def get_host() -> Host:
    """Return the WebAssembly host of this process; the first call searches for it."""
    return Host()


atexit.register(get_host.cache_clear)  # Free the host here: wasmtime can't do so later, while Python shuts down.


def describe_host() -> str:
    """Return the name of this process's WebAssembly host, such as `"wasmtime 50.0.1"`.

    In a browser this is `"the browser's WebAssembly"`. If nothing runs the fast engine, it is `"none: …"` with the reason, and the package uses the
    Python engine.

    >>> from durak_widget import fast_engine
    >>> fast_engine.describe_host().partition(" ")[0] in {"wasmtime", "the", "none:"}
    True
    """
    return get_host().name
