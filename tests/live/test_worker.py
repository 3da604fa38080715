"""Tests the worker processes: they do the slow work, and nothing that happens to them reaches the session."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest

from durak_widget.live import worker
from durak_widget.live.worker import PACKAGE_FOLDER, WorkerPool, run_task
from support.live_server import SPEC, asynchronous, until

PROGRAM = """
import os, sys, time
from durak_widget.live import worker

def run(task):
    spec = task["spec"]
    if spec.get("print"):
        print("what a solver says")
        os.write(1, b"and a library")
    if "sleep" in spec:
        time.sleep(spec["sleep"])
    if spec.get("loop"):
        while True:
            pass
    if spec.get("exit"):
        os._exit(3)
    if spec.get("long"):
        return {"text": "x" * worker.MAX_FRAME}
    return {"pid": os.getpid(), "kind": task["kind"]}

worker.run_task = run
worker.serve.__defaults__ = (run,)
worker.main()
"""
COMMAND = (sys.executable, "-c", PROGRAM)


@asynccontextmanager
async def pool(command=COMMAND, **limits):
    """Run a pool, and stop its processes."""
    workers = WorkerPool(command, limits)
    try:
        yield workers
    finally:
        await workers.close()


@asynchronous
async def test_question_is_prepared_solved_and_scored_in_the_worker():
    """A real worker process prepares a question, solves it and scores the answers to it."""
    async with pool(()) as workers:
        prepared = (await workers.prepare(SPEC))["prepared"]
        assert "error" not in await workers.solve(SPEC, prepared)
        result = await workers.score(SPEC, prepared, {0: {"number": "30"}, 4: {"number": "20"}}, "lt")
        assert set(result["seats"]) == {"0", "4"}


@asynchronous
async def test_question_that_cannot_be_asked_is_refused_with_the_reason():
    """What is wrong with a spec comes back as a sentence."""
    async with pool(()) as workers:
        outcome = await workers.prepare({"kind": "riddle"})
        assert outcome["error"] == "refused"
        assert "riddle" in outcome["text"]


@asynchronous
async def test_task_that_takes_too_long_is_stopped_and_the_next_one_works():
    """A task beyond its time ends with `timeout`, and a fresh process takes the next one."""
    async with pool(prepare=0.2) as workers:
        first = await workers.prepare({})
        assert await workers.prepare({"loop": True}) == {"error": "timeout"}
        second = await workers.prepare({})
        assert second["pid"] != first["pid"]


@asynchronous
async def test_crashed_worker_is_replaced():
    """A task that ends its process gets `crashed`, and the next one works."""
    async with pool() as workers:
        assert await workers.prepare({"exit": True}) == {"error": "crashed"}
        assert (await workers.prepare({}))["kind"] == "prepare"


@asynchronous
async def test_solving_does_not_delay_scoring():
    """While a tree is being solved, answers are scored and the next question is prepared."""
    async with pool() as workers:
        solving = asyncio.create_task(workers.solve({"loop": True}, {}))
        assert (await workers.score({}, {}, {}, "en"))["kind"] == "score"
        assert (await workers.prepare({}))["kind"] == "prepare"
        assert not solving.done()
        solving.cancel()


@asynchronous
async def test_event_loop_goes_on_while_the_worker_works():
    """Other work of the event loop is done while a task runs."""
    async with pool(prepare=0.2) as workers:
        working = asyncio.create_task(workers.prepare({"loop": True}))
        turns = 0
        while not working.done():
            turns += 1
            await asyncio.sleep(0.001)
        assert turns > 10


@asynchronous
async def test_what_a_solver_prints_does_not_get_among_the_outcomes():
    """A solver may print, and its outcome arrives all the same."""
    async with pool() as workers:
        assert (await workers.solve({"print": True}, {}))["kind"] == "solve"


@asynchronous
async def test_outcome_that_is_too_long_is_an_error():
    """An outcome beyond the limit does not reach the event loop."""
    async with pool() as workers:
        assert (await workers.prepare({"long": True}))["error"] == "too_large"


@asynchronous
async def test_cancelled_task_leaves_no_outcome_for_the_next_one():
    """After a task was cancelled, the next one gets its own outcome."""
    async with pool() as workers:
        working = asyncio.create_task(workers.prepare({"sleep": 0.05}))
        await until(lambda: workers._quick._process is not None)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        assert (await workers.score({}, {}, {}, "en"))["kind"] == "score"


@asynchronous
async def test_worker_that_cannot_start_is_an_error():
    """A worker that ends at once is an error of the task, and nothing else."""
    async with pool((sys.executable, "-c", "")) as workers:
        assert await workers.prepare({}) == {"error": "crashed"}


def test_worker_ends_with_the_process_that_uses_it_even_in_the_middle_of_a_task():
    """A worker whose session is gone ends, even if its task would never end."""
    data = json.dumps({"kind": "solve", "spec": {"loop": True}, "prepared": {}}).encode()
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PACKAGE_FOLDER)
    process.stdout.read(4)
    process.stdin.write(len(data).to_bytes(4, "big") + data)
    process.stdin.close()
    assert process.wait(10) == 0
    process.stdout.close()


def test_bug_in_a_question_is_an_outcome(monkeypatch):
    """An unexpected error, or one of memory or depth, is an outcome with its name."""

    class Broken:
        @staticmethod
        def prepare(spec):
            raise {"bug": ZeroDivisionError, "memory": MemoryError, "depth": RecursionError}[spec["what"]]

    monkeypatch.setattr("durak_widget.live.question.find_question_class", lambda _: Broken)
    outcomes = {what: run_task({"kind": "prepare", "spec": {"what": what}}) for what in ("bug", "memory", "depth")}
    assert outcomes["bug"] == {"error": "failed", "text": "ZeroDivisionError"}
    assert outcomes["memory"] == outcomes["depth"] == {"error": "too_large"}
    assert worker.TIME_LIMITS.keys() == {"prepare", "solve", "score"}
