"""What a worker does, wherever it is: one thing after another, and what came of each; and how that is carried from process to process."""

from __future__ import annotations

import ctypes
import math
import pickle
import sys
from collections import OrderedDict
from hashlib import blake2b
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VERSION: Final[str] = sys.modules[__name__.partition(".")[0]].__version__
"""Of this package, which is there before any of its modules."""
_LONGEST: Final = 200
_FOR_EVER: Final = 4e6
"""So many seconds no clock of a system counts at once."""
_KEPT: Final = 8
"""So many orders a worker of somebody else's remembers: several may be carried out by turns."""


class Lost(NamedTuple):
    """Nothing came of this: the processes that worked at it fell, or one took too long."""

    late: bool


class Failed(NamedTuple):
    """This raised an error."""

    kind: str
    said: str


class Outcomes(NamedTuple):
    """What came of a chunk of things: the values of the first of them, how long they took, and what is to be done about the others."""

    values: Sequence[Any]
    seconds: float
    rest: str = ""
    """Nothing, if there are none; else "more" (they are in work), "late" (the first of them is), "wanted" (the order), or "unknown" (there is no way to do them there)."""
    said: str = ""
    """Why there is no way."""


def done_one(work: Callable[[Any, Any], object], common: object, thing: object) -> object:
    """What comes of one thing, also where that is an error.

    >>> done_one(max, 3, 5), done_one(int, "17", 40)
    (5, Failed(kind='ValueError', said='int() base must be >= 2 and <= 36, or 0'))
    """
    try:
        return work(common, thing)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is told as what became of this
        return Failed(type(error).__name__, str(error)[:_LONGEST])


def pickled(thing: object) -> bytes:
    """Something as bytes that another process can read; what only a notebook defines goes whole, if `cloudpickle` is there.

    >>> pickle.loads(pickled({"cards": 6}))
    {'cards': 6}
    """
    cloud = cloudpickle()
    try:
        data = pickle.dumps(thing)
    except Exception:
        if cloud is None:
            raise
        data = b"__main__"
    return bytes(cloud.dumps(thing)) if cloud is not None and b"__main__" in data else data


def cloudpickle() -> Any:  # noqa: ANN401 - a module, or None
    """What carries functions and classes that have no module of their own, where it is installed."""
    try:
        import cloudpickle as found  # noqa: PLC0415 - it need not be there
    except ImportError:
        return None
    return found


def pickled_outcomes(came: Outcomes) -> bytes:
    """What came of things, as bytes; a value that cannot be carried has failed.

    >>> pickle.loads(pickled_outcomes(Outcomes([1, (one for one in "")], 0.5))).values
    [1, Failed(kind='TypeError', said="cannot pickle 'generator' object")]
    """
    try:
        return pickled(came)
    except Exception:  # noqa: BLE001 - which of them it is is asked below
        return pickled(came._replace(values=[_carried(one) for one in came.values]))


def _carried(value: object) -> object:
    try:
        pickled(value)
    except Exception as error:  # noqa: BLE001 - whatever pickling somebody's value raises
        return Failed(type(error).__name__, str(error)[:_LONGEST])
    return value


class Order:
    """What is to be done to each thing, and what is common to it all."""

    def __init__(self, work: Callable[[Any, Any], object], common: object, seconds: float = math.inf) -> None:
        self.work, self.common = work, common
        self.seconds = seconds if seconds < _FOR_EVER else math.inf
        self._sealed: bytes | None = None

    def sealed(self) -> bytes:
        """What every worker is told once; empty where it cannot be carried to another process."""
        if self._sealed is None:
            try:
                self._sealed = pickled((VERSION, self.work, self.common))
            except Exception:  # noqa: BLE001 - an assignment may be made of functions that have no name
                self._sealed = b""
        return self._sealed

    @property
    def of_a_notebook(self) -> bool:
        """Whether only this process finds what is to be done, since the package is missing that would carry it. That also a title may say so does no harm."""
        return cloudpickle() is None and (not self.sealed() or b"__main__" in self.sealed())

    @property
    def key(self) -> str:
        """A name for it: equal orders have the same."""
        return blake2b(self.sealed(), digest_size=16).hexdigest()


def one_after_another(order: Order, things: Sequence[object], stopped: Event | None = None) -> Outcomes:
    """What comes of things, done here, each within the seconds of the order; after one that is late nothing more is done.

    A late one cannot be ended, as a process can: it is asked to end, and left alone if it does not hear.

    >>> one_after_another(Order(max, 3), [1, 5]).values
    [3, 5]
    """
    values: list[object] = []
    began = monotonic()
    if math.isinf(order.seconds):
        for thing in things:
            if stopped is not None and stopped.is_set():
                break
            values.append(done_one(order.work, order.common, thing))
        return Outcomes(values, monotonic() - began)
    last, over = [began], Event()

    def work() -> None:
        try:
            for thing in things:
                if stopped is not None and stopped.is_set():
                    break
                last[0] = monotonic()
                values.append(done_one(order.work, order.common, thing))
        except _TooLate:
            pass
        finally:
            over.set()

    thread = Thread(target=work, daemon=True, name="durak-work")
    thread.start()
    while not over.wait(max(0.001, last[0] + order.seconds - monotonic())):
        if monotonic() - last[0] > order.seconds:
            came = Outcomes(values[:], monotonic() - began, "late")
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_TooLate))
            return came if len(came.values) < len(things) else came._replace(rest="")
    thread.join()
    return Outcomes(values, monotonic() - began)


class _TooLate(BaseException):
    """Said to a thread whose work nobody waits for any more."""


def opened(sealed: bytes) -> tuple[Callable[[Any, Any], object], object]:
    """What is to be done, and what is common to it all; a `DurakError` where another version of this package would do it, perhaps otherwise."""
    version, work, common = pickle.loads(sealed)  # noqa: S301 - from whoever shares the work
    if version != VERSION:
        raise DurakError(f"durak_widget {VERSION} there, {version} here")
    return work, common


_known: OrderedDict[str, tuple[Any, object]] = OrderedDict()
_knowing = Lock()


def chunk_done(key: str, sealed: bytes | None, things: bytes, seconds: float) -> bytes:
    """What a worker of somebody else's does: a chunk of things, by an order that it may know already by its key.

    >>> one = Order(max, 3)
    >>> pickle.loads(chunk_done(one.key, None, pickled([1, 5]), 60)).rest
    'wanted'
    >>> pickle.loads(chunk_done(one.key, one.sealed(), pickled([1, 5]), 60)).values
    [3, 5]
    """
    with _knowing:
        found = _known.get(key)
    try:
        if found is None:
            if sealed is None:
                return pickled_outcomes(Outcomes([], 0.0, "wanted"))
            found = opened(sealed)
        with _knowing:
            _known[key] = found
            _known.move_to_end(key)
            while len(_known) > _KEPT:
                _known.popitem(last=False)
        given = pickle.loads(things)  # noqa: S301 - as above
    except Exception as error:  # noqa: BLE001 - whatever importing somebody's module may raise
        return pickled_outcomes(Outcomes([], 0.0, "unknown", f"{type(error).__name__}: {error}"[:_LONGEST]))
    work, common = found
    return pickled_outcomes(one_after_another(Order(work, common, seconds), given))
