"""The hosts of the fast engine: wasmtime in CPython, the browser's WebAssembly in Pyodide.

If a host is missing, old or broken, doesn't answer, or fails in use, the Python engine is used and nothing is raised. `describe_host()` says why.
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
"""The environment variable that switches the fast engine off if it is set so: `DURAK_KERNEL=off`."""
SELF_TEST_SEED: Final = 20
SELF_TEST_RESULT: Final = b"".join(
    number.to_bytes(8, "little") for number in (8342591028684953886, 13034407582358683288, 6180398719475239202)
)
"""The expected self-test result: three products of two random numbers, with the seed `SELF_TEST_SEED`."""
START_TIMEOUT: Final = 10.0
"""The time in seconds within which a host must pass the self-test."""


class WasmInstance(Protocol):
    """A running instance of the fast engine's WebAssembly file."""

    @property
    def layout(self) -> Mapping[str, int]:
        """Return the numbers that the WebAssembly file exports, by name."""

    def call(self, name: str, *numbers: int) -> int:
        """Call an exported function with number arguments, and return its result."""

    def read(self, offset: int, size: int) -> bytes:
        """Return bytes from the memory of the WebAssembly instance."""

    def write(self, offset: int, data: bytes) -> None:
        """Write bytes to the memory of the WebAssembly instance."""


class HostError(Exception):
    """An error for a WebAssembly host that failed; from then on, the Python engine is used."""


class _GuardedInstance:
    """A running instance that reports a failure of its WebAssembly host by `HostError`."""

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
    """A WebAssembly instance in CPython, run by the package wasmtime."""

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
    """A WebAssembly instance in Pyodide, run by the browser or by Node."""

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
        """Return the memory as an array; memory that has grown needs a new array."""
        if not self._memory_view.byteLength:
            self._memory_view = self._array_type.new(self._exports.memory.buffer)
        return self._memory_view


def _find_wasmtime() -> tuple[str, Callable[[], WasmInstance]]:
    """Return the name of wasmtime, and a function that starts an instance with it."""
    wasmtime: Any = import_module("wasmtime")
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, WASM_FILE.read_bytes())
    try:
        name = f"wasmtime {version('wasmtime')}"
    except PackageNotFoundError:  # The package is on the search path but was not properly installed
        name = "wasmtime"
    return name, lambda: _WasmtimeInstance(wasmtime, engine, module)


def _find_browser() -> tuple[str, Callable[[], WasmInstance]]:
    """Return the name of the browser's WebAssembly, and a function that starts an instance."""
    js: Any = import_module("js")
    module = js.WebAssembly.Module.new(js.Uint8Array.new(WASM_FILE.read_bytes()))
    return "the browser's WebAssembly", lambda: _BrowserInstance(js, module)


def _passes_self_test(instance: WasmInstance) -> bool:
    """Return whether an instance computes the three expected random numbers."""
    instance.write(instance.layout["INBOX"], SELF_TEST_SEED.to_bytes(8, "little"))
    instance.call("drawThree")
    return instance.read(instance.layout["INBOX"], 24) == SELF_TEST_RESULT


class Host:
    """The WebAssembly host that works in this process, or the reason why none works."""

    name: str

    def __init__(self) -> None:
        self.name, self._start_instance = "none", None
        self._attempt_result: tuple[str, Callable[[], WasmInstance] | None] | None = None
        if os.environ.get(ENVIRONMENT_VARIABLE, "").lower() in {"off", "0", "no"}:
            self.name = f"none: {ENVIRONMENT_VARIABLE}={os.environ[ENVIRONMENT_VARIABLE]} is set"
            return
        if sys.platform == "emscripten":  # A browser has no threads, and loading there can't hang
            self._find_host()
        else:
            starter = threading.Thread(target=self._find_host, daemon=True, name="durak-kernel")
            starter.start()
            starter.join(START_TIMEOUT)
        self.name, self._start_instance = self._attempt_result or (f"none: no answer in {START_TIMEOUT:g} seconds", None)

    def _find_host(self) -> None:
        """Find a host for the fast engine, and run the self-test in it."""
        try:
            if not WASM_FILE.is_file():
                self._attempt_result = f"none: {WASM_FILE.name} is not in this installation", None
                return
            name, start = _find_browser() if sys.platform == "emscripten" else _find_wasmtime()
            self._attempt_result = (name, start) if _passes_self_test(start()) else (f"none: {name} does not play as it should", None)
        except USER_CODE_EXCEPTIONS as error:  # Any error may be ignored, because the Python engine is used instead
            is_missing = isinstance(error, ModuleNotFoundError) and error.name == "wasmtime"
            reason = "wasmtime is not installed; pip install 'durak_widget[fast]' brings it" if is_missing else format_error_line(error)
            self._attempt_result = f"none: {reason}", None

    @property
    def is_working(self) -> bool:
        """Return whether an instance of the fast engine can be started."""
        return self._start_instance is not None

    def start(self) -> WasmInstance:
        """Start an instance of the fast engine."""
        if self._start_instance is None:
            raise HostError(self.name)
        try:
            return _GuardedInstance(self._start_instance())
        except Exception as error:
            raise self.record_failure(error) from error

    def record_failure(self, error: BaseException) -> HostError:
        """Stop using the WebAssembly host, remember the reason, and return the error to raise."""
        if self._start_instance is not None:
            self.name, self._start_instance = f"none: {self.name} failed in use: {format_error_line(error)}", None
        return HostError(self.name)


def format_error_line(error: BaseException) -> str:
    """Return the type of an error and the first line of its message."""
    return " ".join(f"{type(error).__name__}: {error}".split("\n", maxsplit=1)[0].split()).removesuffix(":")


@lru_cache(maxsize=1)
def get_host() -> Host:
    """Return the host of the current process; the first call searches for it."""
    return Host()


atexit.register(get_host.cache_clear)  # wasmtime can't free memory once Python is shutting down


def describe_host() -> str:
    """Return the name of the host that runs the fast engine in this process.

    For example `"wasmtime 50.0.1"` or `"the browser's WebAssembly"`. If nothing does, `"none: …"` with the reason; the Python engine is
    used then.

    >>> from durak_widget import fast_engine
    >>> fast_engine.describe_host().partition(" ")[0] in {"wasmtime", "the", "none:"}
    True
    """
    return get_host().name
