"""Tests long polling, for networks that block websockets: nothing is lost, and nothing is shown twice out of order."""

from __future__ import annotations

import asyncio
import json

import pytest

from durak_widget.live import connections, session_host
from support.live_server import CODE, SPEC, asynchronous, running_server, until

ANN, BOB = "a" * 16, "b" * 16
JOIN = {"kind": "join", "name": "Ann", "language": "en"}


def list_kinds(answer):
    """Return the kinds of the messages in an answer."""
    return [message["kind"] for message in answer["messages"]]


@asynchronous
async def test_student_joins_and_answers_by_polling():
    """A student who polls sees and does the same as one with a websocket."""
    async with running_server() as running:
        answer = await running.poll(ANN, 0, JOIN)
        assert list_kinds(answer) == ["seat", "state"]
        await running.command(do="ask", spec=SPEC)
        answer = await running.poll(ANN, answer["next"])
        assert list_kinds(answer) == ["question", "state"]
        answer = await running.poll(ANN, answer["next"], {"kind": "answer", "question": 1, "answer": {"number": "5"}})
        assert answer["messages"][0]["answer"] == {"number": "5"}


@asynchronous
async def test_request_waits_for_news():
    """A request without news is answered when the teacher asks something."""
    async with running_server() as running:
        answer = await running.poll(ANN, 0, JOIN)
        waiting = asyncio.create_task(running.poll(ANN, answer["next"]))
        await until(lambda: running.server.connections.polls[ANN].open_requests)
        await running.command(do="ask", spec=SPEC)
        assert list_kinds(await waiting)[0] == "question"


@asynchronous
async def test_request_that_the_phone_gives_up_loses_nothing(caplog):
    """A phone may cut off a request that waits, as the page does before it sends something; no message is lost, and no error is logged."""
    async with running_server() as running:
        joined = await running.poll(ANN, 0, JOIN)
        body = f'{{"connection": "{ANN}", "after": {joined["next"]}, "send": []}}'
        _, writer = await asyncio.open_connection("127.0.0.1", running.student_port)
        writer.write(f"POST /{CODE}/poll HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        connection = running.server.connections.polls[ANN]
        await until(lambda: connection.open_requests == 1)
        writer.close()
        await until(lambda: connection.open_requests == 0)
        await running.command(do="ask", spec=SPEC)
        assert list_kinds(await running.poll(ANN, joined["next"])) == ["question", "state"]
    assert not [record for record in caplog.records if record.levelname in {"ERROR", "WARNING"}]


@asynchronous
async def test_request_without_news_ends_in_time(monkeypatch):
    """A request that waits in vain gets an empty answer."""
    monkeypatch.setattr(session_host, "POLL_SECONDS", 0.05)
    async with running_server() as running:
        answer = await running.poll(ANN, 0, JOIN)
        assert await running.poll(ANN, answer["next"]) == {"next": answer["next"], "messages": []}


@asynchronous
async def test_lost_answer_is_sent_again_until_it_is_confirmed():
    """An answer that got lost on the way comes again, also if the phone sends its message once more; one seat is taken."""
    async with running_server() as running:
        first = await running.poll(ANN, 0, JOIN)
        again = await running.poll(ANN, 0, JOIN)
        assert again["messages"][: len(first["messages"])] == first["messages"]
        assert len(running.session.seats) == 1


@asynchronous
async def test_second_request_makes_the_first_one_answer():
    """A phone that sends something while a request waits does not have two requests that wait."""
    async with running_server() as running:
        answer = await running.poll(ANN, 0, JOIN)
        waiting = asyncio.create_task(running.poll(ANN, answer["next"]))
        await until(lambda: running.server.connections.polls[ANN].open_requests)
        answer = await running.poll(ANN, answer["next"], {"kind": "ping"})
        assert list_kinds(answer) == ["pong"]
        assert list_kinds(await waiting) in ([], ["pong"])


@asynchronous
async def test_polling_and_websocket_are_one_seat():
    """A websocket with the key takes the seat from a phone that polls, and the other way round."""
    async with running_server() as running:
        joined = await running.poll(ANN, 0, JOIN)
        key = joined["messages"][0]["key"]
        waiting = asyncio.create_task(running.poll(ANN, joined["next"]))
        await until(lambda: running.server.connections.polls[ANN].open_requests)
        phone = await running.resume(key)
        await phone.read_until("seat")
        assert (await waiting)["closed"] == connections.CLOSED_REPLACED
        assert (await running.poll(ANN, joined["next"]))["closed"] == connections.CLOSED_REPLACED
        answer = await running.poll(BOB, 0, {"kind": "resume", "key": key, "language": "en"})
        assert list_kinds(answer) == ["seat", "state"]
        assert await phone.read_close() == connections.CLOSED_REPLACED
        assert running.session.seats[0].is_here


@asynchronous
async def test_phone_learns_that_the_process_has_started_again():
    """A phone whose connection the session does not know is told to open another one."""
    async with running_server() as running:
        assert (await running.poll(ANN, 7))["closed"] == connections.CLOSED_NEW


@asynchronous
async def test_phone_that_has_stopped_to_poll_is_not_here(monkeypatch):
    """A phone that does not come back counts as gone; its seat stays."""
    async with running_server() as running:
        joined = await running.poll(ANN, 0, JOIN)
        assert running.session.seats[0].is_here
        monkeypatch.setattr(connections, "LOST_SECONDS", 0.0)
        await until(lambda: not running.session.seats[0].is_here)
        assert (await running.poll(ANN, joined["next"]))["closed"] == connections.CLOSED_NEW
        resume = {"kind": "resume", "key": joined["messages"][0]["key"], "language": "en"}
        assert (await running.poll(BOB, 0, resume))["messages"][0]["seat"] == 0


@pytest.mark.parametrize(
    "body",
    [
        "junk",
        "[]",
        "[" * 20_000,
        {"connection": "short", "after": 0, "send": []},
        {"connection": ANN, "after": "0", "send": []},
        {"connection": ANN, "after": 0},
        {"connection": ANN, "after": 0, "send": [JOIN] * 17},
    ],
)
@asynchronous
async def test_impossible_request_is_refused(body):
    """A request that is not one gets an error, and opens nothing."""
    async with running_server() as running:
        assert (await running.fetch(f"/{CODE}/poll", method="POST", body=body)).code == 400
        assert not running.server.connections.polls


@asynchronous
async def test_impossible_messages_are_refused_one_by_one():
    """Among the messages of a request, each that is impossible gets a reason; the others count."""
    async with running_server() as running:
        joined = await running.poll(ANN, 0, JOIN)
        answer = await running.poll(ANN, joined["next"], 7, {"kind": "stop"}, {"kind": "rename", "name": "x" * 5000}, {"kind": "ping"})
        assert list_kinds(answer) == ["refused", "refused", "refused", "pong"]


@asynchronous
async def test_long_body_is_refused():
    """A body far beyond what a page sends is refused before it is read."""
    async with running_server() as running:
        response = await running.fetch(f"/{CODE}/poll", method="POST", body="x" * 200_000)
        assert response.code in {400, 413, 599}
        await running.poll(ANN, 0, JOIN)


@asynchronous
async def test_flood_by_polling_is_closed():
    """A phone that floods by polling is closed like one with a websocket."""
    async with running_server() as running:
        answer = await running.poll(ANN, 0, JOIN)
        while "closed" not in answer:
            answer = await running.poll(ANN, answer["next"], *[{"kind": "ping"}] * 16)
        assert answer["closed"] == connections.CLOSED_FLOOD
        assert not running.session.seats[0].is_here


@asynchronous
async def test_only_a_phone_with_a_seat_goes_on_while_codes_are_limited():
    """While there are too many wrong codes, a phone that polls goes on and comes back, and a stranger learns nothing."""
    async with running_server() as running:
        joined = await running.poll(ANN, 0, JOIN)
        for _ in range(200):
            running.server.guard.check("BBBBBB", "", asyncio.get_running_loop().time())
        assert list_kinds(await running.poll(ANN, joined["next"], {"kind": "ping"})) == ["pong"]
        for path in (f"/{CODE}/poll", "/BBBBBB/poll"):
            answer = await running.poll(f"stranger at {path}", 0, JOIN, path=path)
            assert (answer["messages"], answer["closed"]) == ([], connections.CLOSED_FLOOD)
        resume = {"kind": "resume", "key": joined["messages"][0]["key"], "language": "en"}
        assert list_kinds(await running.poll(BOB, 0, resume)) == ["seat", "state"]


@asynchronous
async def test_wrong_code_does_not_reach_the_seat_of_a_phone_that_polls():
    """Someone who knows the name of a connection and not the code can neither read nor write in it."""
    async with running_server() as running:
        joined = await running.poll(ANN, 0, JOIN)
        body = {"connection": ANN, "after": joined["next"], "send": [{"kind": "rename", "name": "Eve"}]}
        assert (await running.fetch("/BBBBBB/poll", method="POST", body=body)).code == 404
        for _ in range(200):
            running.server.guard.check("BBBBBB", "", asyncio.get_running_loop().time())
        answer = await running.poll(ANN, 0, {"kind": "rename", "name": "Eve"}, path="/BBBBBB/poll")
        assert answer == await running.poll("stranger" * 2, 0, JOIN, path="/BBBBBB/poll")
        assert running.session.seats[0].name == "Ann"


@asynchronous
async def test_fast_polling_is_refused():
    """A phone that asks again and again without taking its messages does not get them each time."""
    async with running_server() as running:
        await running.poll(ANN, 0, JOIN)
        body = {"connection": ANN, "after": 0, "send": []}
        codes = [(await running.fetch(f"/{CODE}/poll", method="POST", body=body)).code for _ in range(30)]
        assert codes[0] == 200
        assert 429 in codes


@asynchronous
async def test_long_answer_comes_in_parts():
    """An answer has a limited length; the rest comes with the next request, in order."""
    phone = connections.PollConnection(ANN)
    for number in range(4):
        phone.send(f'{{"kind":"pong","text":"{number}{"x" * 200_000}"}}', "pong")
    heard, after = [], 0
    while phone.queue:
        answer = json.loads(phone.build_answer(after))
        assert len(answer["messages"]) == 1
        heard += [message["text"][0] for message in answer["messages"]]
        after = answer["next"]
        phone.confirm(after)
    assert heard == list("0123")


@asynchronous
async def test_sandboxed_page_may_ask_before_it_polls():
    """A browser that asks first whether the sandboxed page may poll gets a yes."""
    async with running_server() as running:
        response = await running.fetch(f"/{CODE}/poll", method="OPTIONS", Origin="null")
        assert response.code == 204
        assert response.headers["Access-Control-Allow-Origin"] == "null"
