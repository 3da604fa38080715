"""A cluster that Dask knows: its workers come and go, and may be lost with what they were given; its scheduler may be begun again."""

from __future__ import annotations

import pickle
import queue
import time
from collections import deque
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from durak_widget.errors import DurakError
from durak_widget.work.crews import BrokenCrewError, Chunk, Crew, News
from durak_widget.work.workers import Outcomes, chunk_done, pickled

if TYPE_CHECKING:
    from durak_widget.work.workers import Order

_COUNTED: Final = 2.0
"""So often the workers are counted again, in seconds, and looked after what may have been lost."""
_ANSWERS: Final = 10.0
"""So long a scheduler may take to answer."""
BACK: Final = 20.0
"""So long a scheduler that is gone may take to come back at the same address."""


def is_client(executor: object) -> bool:
    """Whether that is a Dask client: `distributed` is not imported to find out, since nothing is one before it was.

    >>> is_client("tcp://127.0.0.1:8786")
    False
    """
    return any(kind.__name__ == "Client" and kind.__module__.partition(".")[0] == "distributed" for kind in type(executor).__mro__)


def sealed_order(sealed: bytes) -> bytes:
    """A task of its own that gives an order: whichever worker needs it fetches it once, and it is made again where it is lost."""
    return sealed


class ClusterCrew(Crew):
    """The workers of a cluster, at one order.

    What is common to all things is the result of a task of its own, and every chunk names that: Dask carries it to each worker once, from one worker to the next, and
    makes it again if the worker that had it is lost. Scattered data would be gone for good then, and what goes with each chunk would pass through the scheduler each time.

    No chunk is a pure function to Dask: two of the same things are done twice, and a key of an earlier tournament is never taken for one of this.
    """

    jams = True

    def __init__(self, client: Any, order: Order) -> None:  # noqa: ANN401 - a distributed.Client
        if client.asynchronous:
            raise DurakError(
                "this Dask client is asynchronous, and work is shared by one that waits: Client(address), without asynchronous=True"
            )
        self._client, self._order = client, order
        self._common: Any = None
        self._out: dict[str, tuple[Any, Chunk]] = {}
        self._heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._news: deque[News] = deque()
        self._workers, self._looked = 0, -_COUNTED

    def count(self) -> int:
        """As many as there are threads in its workers; one where there are none yet, so that a cluster that grows when it is asked does."""
        if time.monotonic() - self._looked > _COUNTED:
            self._look()
        return max(1, self._workers)

    def _look(self) -> None:
        """Count the workers, and give again what Dask has forgotten."""
        client = self._client
        if client.status == "running":
            try:
                self._workers = sum(client.sync(client.scheduler.ncores, callback_timeout=_ANSWERS).values())
            except Exception:  # noqa: BLE001 - whatever a broken connection raises: whether it stands is asked elsewhere
                self._workers = max(1, self._workers)
        for key, (_, chunk) in tuple(self._out.items()):
            if key not in client.futures:
                del self._out[key]
                self._news.append(News(chunk, Outcomes([], 0.0, "again")))
        self._looked = time.monotonic()

    def give(self, chunk: Chunk) -> None:
        """Submit it; what it needs of the order goes before it, once."""
        things = pickled(chunk.things)
        self._stands()
        try:
            if self._common is None or self._common.status in ("cancelled", "lost", "error"):
                self._common = self._client.submit(sealed_order, self._order.sealed(), pure=False, key=f"durak-order-{uuid4()}")
            key = f"durak-chunk-{uuid4()}"
            given = self._order.key, self._common, things, self._order.seconds
            future = self._client.submit(chunk_done, *given, pure=False, key=key)
        except Exception as error:
            raise BrokenCrewError(_said(error)) from error
        self._out[key] = future, chunk
        future.add_done_callback(self._heard.put)

    def news(self, seconds: float) -> News | None:
        """The next that is heard; what came of many chunks meanwhile is fetched at once."""
        if not self._news:
            self._hear(seconds)
        if not self._news:
            self._stands()
            if time.monotonic() - self._looked > _COUNTED:
                self._look()
        return self._news.popleft() if self._news else None

    def _hear(self, seconds: float) -> None:
        """Wait for a future that is done, and take all that are."""
        ready: list[Any] = []
        try:
            ready.append(self._heard.get(timeout=seconds))
            while True:
                ready.append(self._heard.get_nowait())
        except queue.Empty:
            pass
        finished = []
        for future in ready:
            if future.key not in self._out:  # it was given again meanwhile
                continue
            if future.status == "finished":
                finished.append(future)
                continue
            _, chunk = self._out.pop(future.key)
            self._news.append(self._fallen(future, chunk))
        found: list[Any] = []
        if finished:
            try:
                found = self._client.gather(finished)
            except Exception:  # noqa: BLE001 - one of them was lost after it was done; which, is asked below
                found = [None] * len(finished)
        for future, one in zip(finished, found, strict=True):
            _, chunk = self._out.pop(future.key)
            came = Outcomes([], 0.0, "again") if one is None else pickle.loads(one)  # noqa: S301 - from whoever was asked to work
            self._news.append(News(chunk, came))

    def _fallen(self, future: Any, chunk: Chunk) -> News:  # noqa: ANN401 - a distributed.Future
        """Why nothing came of it: its workers fell, again and again; or it was cancelled, as all is where a scheduler is begun again."""
        error: Any = None
        if future.status == "error":
            try:
                error = future.exception(timeout=_ANSWERS)
            except Exception:  # noqa: BLE001 - the connection is gone
                error = None
        if type(error).__name__ == "KilledWorker":
            return News(chunk, Outcomes([], 0.0, "fell"), falls=1 + error.allowed_failures)
        if (
            error is None
            or isinstance(error, (CancelledError, OSError))
            or type(error).__name__ in ("FutureCancelledError", "CommClosedError")
        ):
            return News(chunk, Outcomes([], 0.0, "again"))
        raise BrokenCrewError(_said(error))

    def _stands(self) -> None:
        """Nothing, while the client has its scheduler; where that is gone, wait until it is back: all is given again then."""
        if self._client.status == "running":
            return
        until = time.monotonic() + BACK
        while self._client.status in ("connecting", "newly-created"):
            if time.monotonic() > until:
                raise BrokenCrewError(f"its scheduler has not come back within {BACK:g} seconds")
            time.sleep(0.05)
        if self._client.status != "running":
            raise BrokenCrewError(f"its client is {self._client.status}")
        self._common = None
        for _, chunk in self._out.values():
            self._news.append(News(chunk, Outcomes([], 0.0, "again")))
        self._out.clear()

    def drop(self) -> None:
        """Cancel whatever is not done."""
        futures = [future for future, _ in self._out.values()] + ([self._common] if self._common is not None else [])
        self._out.clear()
        self._common = None
        if futures and self._client.status == "running":
            try:
                self._client.cancel(futures, force=True)
            except Exception:  # noqa: BLE001 - whoever closes a client meanwhile has cancelled them
                return


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")[:300]


def connected(address: str) -> Any:  # noqa: ANN401 - a distributed.Client
    """A client of the cluster whose scheduler is at this address, as in tcp://127.0.0.1:8786; in a sentence, why there is none."""
    try:
        from distributed import Client  # noqa: PLC0415 - it need not be there
    except ImportError:
        raise DurakError("a cluster is reached by Dask, which is not installed: pip install 'durak_widget[arena]'") from None
    try:
        return Client(address, timeout=_ANSWERS, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise DurakError(
            f"no scheduler of Dask answers at {address!r} ({_said(error)}); say the address that it names, as in tcp://127.0.0.1:8786"
        ) from error
