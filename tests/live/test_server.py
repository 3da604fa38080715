"""Tests the ports of a class session: who gets in, who is kept out, and what the teacher's commands do."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket as sockets
import time
from contextlib import suppress

import pytest
from tornado.httpclient import HTTPClientError

from durak_widget.live import connections, server
from durak_widget.live.connections import ConnectionTable, PollConnection
from durak_widget.live.question import LANGUAGES
from durak_widget.live.request_checks import is_secret, prove_alive, prove_bridge
from durak_widget.live.session_host import MAX_REFUSED
from durak_widget.live.statistics import Statistics
from support.live_server import CODE, SECRET, SPEC, TOKEN, asynchronous, running_server, until, write_pages

ANSWER = {"number": "33"}


# --- Students ---


@asynchronous
async def test_student_joins_answers_and_sees_the_own_result():
    """A student joins, gets the question, answers, and gets a result when the teacher reveals it."""
    async with running_server() as running:
        phone = await running.join("Ann")
        assert await running.command(do="ask", spec=SPEC) == {"question": 1}
        question = await phone.read_until("question")
        await phone.send({"kind": "answer", "question": question["question"], "answer": ANSWER})
        assert (await phone.read_until("state", question=1))["phase"] == "open"
        await running.command(do="reveal")
        assert (await phone.read_until("state", phase="revealed"))["result"]["headline"]


@asynchronous
async def test_key_gives_the_seat_back_and_closes_the_former_page():
    """A second page with the key of a seat takes the seat; the first page is closed with a code of its own."""
    async with running_server() as running:
        first = await running.join()
        second = await running.resume(first.key)
        assert (await second.read_until("seat"))["seat"] == first.seat
        assert await first.read_close() == connections.CLOSED_REPLACED
        await second.send({"kind": "ping"})
        await second.read_until("pong")
        assert running.session.seats[first.seat].is_here


@asynchronous
async def test_lost_connection_keeps_the_seat():
    """A student whose connection is lost is not here, and has the seat all the same."""
    async with running_server() as running:
        phone = await running.join()
        phone.socket.close()
        await until(lambda: not running.session.seats[phone.seat].is_here)
        again = await running.resume(phone.key)
        assert (await again.read_until("seat"))["seat"] == phone.seat


@asynchronous
async def test_unknown_key_is_refused_and_the_student_may_join():
    """A key that the session does not know is refused; the same connection can still join."""
    async with running_server() as running:
        phone = await running.resume("no such key")
        await phone.read_until("refused", reason="unknown_key")
        await phone.send({"kind": "join", "name": "Ann", "language": "lt"})
        await phone.read_until("seat")


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("no JSON", "malformed"),
        ("[" * 3000, "malformed"),
        (b"\xff\xfe", "malformed"),
        ({"kind": "stop"}, "unknown_kind"),
        ({"kind": "command", "command": {"do": "end"}}, "unknown_kind"),
        ({"kind": "answer", "question": 1, "answer": "x" * 5000}, "too_long"),
        ({"kind": "answer", "question": 7, "answer": 1}, "stale_question"),
    ],
)
@asynchronous
async def test_impossible_message_is_refused_before_and_after_joining(sent, reason):
    """Whatever a phone sends, it gets a reason, and the connection and the session go on."""
    async with running_server() as running:
        phone = await running.join()
        await phone.send(sent)
        await phone.read_until("refused", reason=reason)
        await phone.send({"kind": "ping"})
        await phone.read_until("pong")
        stranger = await running.connect()
        await stranger.send(sent)
        assert (await stranger.read_until("refused"))["reason"] in {reason, "unknown_kind"}
        assert running.session.phase == "lobby"
        assert running.server.statistics.failed == 0


@asynchronous
async def test_huge_message_closes_only_its_connection():
    """A message that no page sends by mistake closes its connection, and nobody else's."""
    async with running_server() as running:
        phone, other = await running.join("Ann"), await running.join("Bob")
        await phone.send("x" * 100_000)
        assert await phone.read_close() == 1009
        await other.send({"kind": "ping"})
        await other.read_until("pong")


@asynchronous
async def test_flood_is_closed_without_harm_to_others():
    """A phone that floods the session is refused and then closed, while another phone gets its answers."""
    async with running_server() as running:
        flooder, other = await running.join("Ann"), await running.join("Bob")
        await running.command(do="ask", spec=SPEC)

        async def flood():
            with suppress(Exception):  # closed in the middle
                for _ in range(MAX_REFUSED * 3):
                    await flooder.send({"kind": "ping"})

        flooding = asyncio.create_task(flood())
        await other.send({"kind": "answer", "question": 1, "answer": ANSWER})
        await other.read_until("state", answer=ANSWER)
        assert await flooder.read_close() == connections.CLOSED_FLOOD
        await flooding
        assert (await (await running.resume(flooder.key)).read_until("seat"))["seat"] == flooder.seat


@asynchronous
async def test_phone_that_does_not_read_is_closed_without_harm_to_others(monkeypatch):
    """A phone whose buffers are full is closed; others get everything, and the memory for one phone is bounded."""
    monkeypatch.setattr(connections, "MAX_WAITING_BYTES", 100_000)
    async with running_server() as running:
        other = await running.join("Bob")
        lazy = sockets.socket()
        lazy.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        lazy.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(lazy, ("127.0.0.1", running.student_port))
        hello = json.dumps({"kind": "join", "name": "Ann", "language": "en"}).encode()
        head = f"GET /{CODE}/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        await loop.sock_sendall(lazy, f"{head}Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode())
        await loop.sock_sendall(lazy, bytes([0x81, 0x80 + len(hello)]) + bytes(4) + hello)
        await until(lambda: len(running.session.seats) == 2 and running.session.seats[1].is_here)
        picture = {"kind": "refused", "text": "x" * 60_000}  # A state or a question would take the place of an older one
        while running.session.seats[1].is_here:
            running.server.connections.post([(1, picture), (0, {"kind": "pong"})])
            await other.read_until("pong")
        lazy.close()
        assert running.session.seats[0].is_here


@asynchronous
async def test_connections_that_never_join_make_room_for_students(monkeypatch):
    """Held connections do not keep students out: the oldest of too many is closed, and so is each that waits too long."""
    monkeypatch.setattr(connections, "MAX_UNJOINED", 5)
    async with running_server() as running:
        held = [await running.connect() for _ in range(8)]
        assert await held[0].read_close() == connections.CLOSED_SLOW
        assert (await running.join()).seat == 0
        monkeypatch.setattr(connections, "JOIN_SECONDS", 0.0)
        assert await held[-1].read_close() == connections.CLOSED_SLOW
        await until(lambda: running.server.connections.unjoined_count == 0)


@asynchronous
async def test_held_connections_without_a_request_make_room_for_students(monkeypatch):
    """Connections that are only held open do not keep students out, and no seat is lost for them."""
    monkeypatch.setattr(server, "MAX_OPEN", 20)
    async with running_server() as running:
        first = await running.join("Ann")
        held = [await asyncio.open_connection("127.0.0.1", running.student_port) for _ in range(50)]
        second = await running.join("Bob")
        for phone in (first, second):
            await phone.send({"kind": "ping"})
            await phone.read_until("pong")
        reader, _ = held[0]
        assert await reader.read() == b""
        for _, writer in held:
            writer.close()


@asynchronous
async def test_few_open_files_are_left_to_the_teacher(monkeypatch):
    """If the system allows few open files, students' connections make room, and those of the teacher stay."""
    monkeypatch.setattr(server, "_read_file_limit", lambda: 40)
    async with running_server() as running:
        projector = await running.connect_teacher({"secret": SECRET})
        assert await projector.read_message()
        held = [await asyncio.open_connection("127.0.0.1", running.student_port) for _ in range(60)]
        assert (await running.teach("/command", method="POST", body={"do": "rehearse", "count": 1})).code == 200
        assert (await running.join("Ann")).seat == 1
        assert await projector.read_message()
        assert await held[0][0].read() == b""
        for _, writer in held:
            writer.close()


@asynchronous
async def test_student_who_sends_many_pings_stops_nobody():
    """Websocket pings that are not answered in time leave the session as quick as before."""
    async with running_server() as running:
        other, flooder = await running.join("Bob"), await running.join("Ann")
        with suppress(Exception):  # closed in the middle
            flooder.socket.protocol.stream.write((b"\x89\xfd\0\0\0\0" + b"x" * 125) * 20_000)
        for _ in range(3):
            await other.send({"kind": "ping"})
            await asyncio.wait_for(other.read_until("pong"), 5)


@asynchronous
async def test_removed_student_is_told_and_cannot_go_on():
    """A student whom the teacher removes is told so, and the messages of that seat are refused."""
    async with running_server() as running:
        phone = await running.join()
        await running.command(do="remove", seat=phone.seat)
        await phone.read_until("removed")
        await phone.send({"kind": "ping"})
        await phone.read_until("refused", reason="removed")


# --- Many phones at once ---


@asynchronous
async def test_messages_to_many_phones_are_sent_in_slices_and_in_order(monkeypatch):
    """While a thousand phones are told something, the event loop goes on; each phone gets its messages in order."""
    monkeypatch.setattr(connections, "SLICE_SECONDS", 0.001)
    table = ConnectionTable(Statistics())
    phones = [PollConnection(f"phone {seat}") for seat in range(1000)]
    for seat, phone in enumerate(phones):
        table.take_seat(phone, seat)
    table.post([(seat, {"kind": kind}) for kind in ("question", "state", "refused") for seat in range(1000)])
    sending = asyncio.create_task(table.finish_sending())
    turns = 0
    while not sending.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 3
    assert all([queued.kind for queued in phone.queue] == ["question", "state", "refused"] for phone in phones)


@asynchronous
async def test_newer_state_takes_the_place_of_an_older_one_that_waits():
    """A phone that is behind gets the last state only, and every other message."""
    table = ConnectionTable(Statistics())
    phone = PollConnection("phone")
    table.take_seat(phone, 0)
    table.post([(0, {"kind": "state", "revision": 1}), (0, {"kind": "refused"}), (0, {"kind": "state", "revision": 2})])
    await table.finish_sending()
    assert json.loads(phone.build_answer(0))["messages"] == [{"kind": "refused"}, {"kind": "state", "revision": 2}]


@asynchronous
async def test_newer_question_takes_the_place_of_an_older_one_that_waits():
    """A phone that does not read, and asks for the question again and again, does not fill the memory."""
    table = ConnectionTable(Statistics())
    phone = PollConnection("phone")
    table.take_seat(phone, 0)
    for number in range(50):
        table.post([(0, {"kind": "question", "question": number, "form": {"text": "x"}}), (0, {"kind": "state", "revision": number})])
    await table.finish_sending()
    messages = json.loads(phone.build_answer(0))["messages"]
    assert messages == [{"kind": "question", "question": 49, "form": {"text": "x"}}, {"kind": "state", "revision": 49}]


@asynchronous
async def test_form_for_many_phones_is_encoded_once(monkeypatch):
    """A large form costs no time for each phone; another form that looks alike is another one."""
    encoded = []
    encode = connections.encode_message
    monkeypatch.setattr(connections, "encode_message", lambda message: encoded.append(message) or encode(message))
    table = ConnectionTable(Statistics())
    phones = [PollConnection(f"phone {seat}") for seat in range(5)]
    for seat, phone in enumerate(phones):
        table.take_seat(phone, seat)
    form = {"text": "ž"}
    table.post([(seat, {"kind": "question", "question": 1, "form": form}) for seat in range(4)])
    table.post([(4, {"kind": "question", "question": 1, "form": {"text": "other"}})])
    await table.finish_sending()
    texts = [json.loads(phone.build_answer(0))["messages"][0]["form"]["text"] for phone in phones]
    assert texts == ["ž"] * 4 + ["other"]
    assert encoded.count(form) == 1


@asynchronous
async def test_messages_for_a_former_connection_do_not_reach_the_next_one():
    """What was on its way to a page that was replaced is not shown on the page that took its place."""
    table = ConnectionTable(Statistics())
    first, second = PollConnection("first"), PollConnection("second")
    table.take_seat(first, 0)
    table.post([(0, {"kind": "state", "revision": 1})])
    table.take_seat(second, 0)
    table.post([(0, {"kind": "state", "revision": 2})])
    await table.finish_sending()
    assert json.loads(second.build_answer(0))["messages"] == [{"kind": "state", "revision": 2}]


# --- Codes, hosts and origins ---


@asynchronous
async def test_after_many_wrong_codes_no_code_is_answered_but_tokens_and_seats_are(tmp_path):
    """After 200 wrong codes in a minute, right and wrong codes look alike; the QR code and seats with a key still work."""
    async with running_server(write_pages(tmp_path)) as running:
        seated = await running.join("Ann")
        for _ in range(200):
            assert (await running.fetch("/BBBBBB/")).code == 404
        right, wrong = await running.fetch(f"/{CODE}/"), await running.fetch("/BBBBBB/")
        assert right.code == wrong.code == 429
        assert right.body == wrong.body
        assert set(right.headers) == set(wrong.headers)
        assert (await running.fetch(f"/{CODE}/?t={TOKEN}")).code == 200
        assert (await running.fetch(f"/BBBBBB/?t={TOKEN}")).code == 429
        for code in (CODE, "BBBBBB"):
            for hello in ({"kind": "join", "name": "Eve", "language": "en"}, {"kind": "resume", "key": "none", "language": "en"}):
                phone = await running.connect(code=code)
                await phone.send(hello)
                assert await phone.read_close() == connections.CLOSED_FLOOD
        stolen = await running.resume(seated.key, code="BBBBBB")
        assert await stolen.read_close() == connections.CLOSED_FLOOD
        await seated.send({"kind": "ping"})
        await seated.read_until("pong")
        assert (await (await running.resume(seated.key)).read_until("seat"))["seat"] == seated.seat
        assert (await running.join("Bob", query=f"?t={TOKEN}")).seat == 1


@asynchronous
async def test_wrong_code_opens_nothing(tmp_path):
    """With a wrong code there is no page, no websocket and no polling."""
    async with running_server(write_pages(tmp_path)) as running:
        assert (await running.fetch("/BBBBBB/")).code == 404
        with pytest.raises(HTTPClientError, match="404"):
            await running.connect(code="BBBBBB")
        body = {"connection": "x" * 16, "after": 0, "send": []}
        assert (await running.fetch("/BBBBBB/poll", method="POST", body=body)).code == 404


@asynchronous
async def test_a_wrong_code_stays_in_the_box(tmp_path):
    """A student can compare it with the screen; what is no code at all stays text."""
    async with running_server(write_pages(tmp_path)) as running:
        for path, typed in (("/BBBBBB/", "BBBBBB"), ("/?code=kymm", "kymm")):
            reply = await running.fetch(path)
            assert (reply.code, f'value="{typed}"' in reply.body.decode()) == (404, True)
        assert '"><b>' not in (await running.fetch("/?code=%22%3E%3Cb%3E")).body.decode()


@asynchronous
async def test_files_say_nothing_about_the_code(tmp_path):
    """The files of the page are the same for every code, so they cost no guess and give nothing away."""
    async with running_server(write_pages(tmp_path)) as running:
        for name in ("student.js", "student.css", "words.en.json", "nothing.js"):
            right, wrong = await running.fetch(f"/{CODE}/{name}"), await running.fetch(f"/BBBBBB/{name}")
            assert (right.code, right.body) == (wrong.code, wrong.body)
        assert running.server.guard.wrong_count == 0


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "10.11.12.13", ""])
@asynchronous
async def test_other_hosts_are_refused_on_all_ports(host, tmp_path):
    """A page that has bound its own name to this address gets nothing, on no port."""
    async with running_server(write_pages(tmp_path)) as running:
        for port, path in ((running.student_port, f"/{CODE}/"), (running.student_port, "/"), (running.teacher_port, "/state")):
            response = await running.fetch(path, port=port, Host=host, Authorization=f"Bearer {SECRET}")
            assert response.code == 421
        with pytest.raises(HTTPClientError, match="421"):
            await running.connect(Host=host)


@asynchronous
async def test_other_origins_are_refused(tmp_path):
    """A page of another site cannot connect, poll or read; the session's own page, whose origin is null, can."""
    async with running_server(write_pages(tmp_path)) as running:
        with pytest.raises(HTTPClientError, match="403"):
            await running.connect(Origin="https://evil.example")
        body = {"connection": "x" * 16, "after": 0, "send": []}
        assert (await running.fetch(f"/{CODE}/poll", method="POST", body=body, Origin="https://evil.example")).code == 403
        assert (await running.teach("/command", method="POST", body={"do": "end"}, Origin="https://evil.example")).code == 403
        await running.join(Origin="null")
        await running.join(Origin=f"http://127.0.0.1:{running.student_port}")
        assert running.session.phase == "lobby"


@asynchronous
async def test_every_answer_has_the_security_headers_and_no_cookie(tmp_path):
    """Pages, files, errors and refusals have the same policy, and none sets a cookie or names the server."""
    async with running_server(write_pages(tmp_path)) as running:
        responses = [
            await running.fetch(f"/{CODE}/"),
            await running.fetch(f"/{CODE}/student.js"),
            await running.fetch(f"/{CODE}"),
            await running.fetch("/"),
            await running.fetch("/?code=abc"),
            await running.fetch("/nowhere/at/all"),
            await running.fetch("/BBBBBB/"),
            await running.fetch(f"/{CODE}/", method="PUT", body=""),
            await running.fetch(f"/{CODE}/", Host="evil.example"),
            await running.fetch(f"/{CODE}/poll", method="POST", body="junk"),
            await running.fetch(f"/{CODE}/", port=running.bridge_port),
            await running.fetch("/", port=running.teacher_port),
            await running.fetch("/state", port=running.teacher_port),
            await running.fetch("/nowhere", port=running.teacher_port),
            await running.teach("/state"),
            await running.teach("/command", method="POST", body="junk"),
        ]
        assert {response.code for response in responses} >= {200, 302, 400, 401, 403, 404, 405, 421}
        for response in responses:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "sandbox allow-scripts allow-forms" in policy
            assert "unsafe" not in policy
            assert "allow-same-origin" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["Access-Control-Allow-Origin"] == "null"
            assert not {"Set-Cookie", "Server"} & set(response.headers)


# --- Pages ---


@asynchronous
async def test_page_is_small_and_is_not_sent_twice(tmp_path):
    """The files are compressed, and a second visit gets only `not modified`."""
    async with running_server(write_pages(tmp_path)) as running:
        for name in ("", "student.js", "student.css", "words.lt.json"):
            plain = await running.fetch(f"/{CODE}/{name}")
            packed = await running.fetch(f"/{CODE}/{name}", Accept_Encoding="gzip")
            assert gzip.decompress(packed.body) == plain.body
            again = await running.fetch(f"/{CODE}/{name}", If_None_Match=packed.headers["Etag"])
            assert (again.code, again.body) == (304, b"")


@asynchronous
async def test_words_are_those_of_the_page_in_each_language(tmp_path):
    """The page and the projector get their own texts, in each of the three languages."""
    async with running_server(write_pages(tmp_path)) as running:
        for language in LANGUAGES:
            words = json.loads((await running.fetch(f"/{CODE}/words.{language}.json")).body)
            assert words["lang"] == language
            assert not any(key.startswith("live.") for key in words)
            assert json.loads((await running.fetch(f"/words.{language}.json", port=running.teacher_port)).body)["lang"] == language


@asynchronous
async def test_typed_code_leads_to_the_page(tmp_path):
    """A code may be typed in small letters, with spaces, and without the last slash."""
    async with running_server(write_pages(tmp_path)) as running:
        assert (await running.fetch("/")).code == 200
        assert (await running.fetch("/?code=k7p+wq3")).headers["Location"] == f"{CODE}/"
        assert (await running.fetch(f"/{CODE.lower()}")).headers["Location"] == f"{CODE}/"
        assert (await running.fetch(f"/{CODE}?t=x")).headers["Location"] == f"{CODE}/?t=x"
        assert (await running.fetch(f"/{CODE.lower()}/")).headers["Location"] == f"../{CODE}/"
        assert b'lang="lt"' in (await running.fetch("/?code=x", Accept_Language="lt")).body
        assert (await running.fetch("/code.css")).code == 200


@asynchronous
async def test_html_of_the_page_needs_the_code(tmp_path):
    """The page itself has no second address without the code."""
    async with running_server(write_pages(tmp_path)) as running:
        assert (await running.fetch("/BBBBBB/student.html")).code == 404
        assert (await running.fetch(f"/{CODE}/projector.js")).code == 404


# --- The bridge and the teacher ---


@asynchronous
async def test_bridge_needs_the_secret(tmp_path):
    """The port for JupyterLab shows nothing without the secret, and with it any host is right."""
    async with running_server(write_pages(tmp_path)) as running:
        assert (await running.fetch(f"/{CODE}/", port=running.bridge_port)).code == 403
        assert (await running.fetch(f"/{CODE}/", port=running.bridge_port, X_Durak_Bridge="wrong")).code == 403
        proof = prove_bridge(SECRET, running.bridge_port, time.time())
        old, other = prove_bridge(SECRET, running.bridge_port, time.time() - 600), prove_bridge(SECRET, running.teacher_port, time.time())
        for wrong in (SECRET, old, other, f"{proof}0", "9" * 5000, "² x"):
            assert (await running.fetch(f"/{CODE}/", port=running.bridge_port, X_Durak_Bridge=wrong)).code in {400, 403}
        assert (await running.fetch(f"/{CODE}/", port=running.bridge_port, X_Durak_Bridge=proof, Host="hub.example")).code == 200
        assert (await running.fetch("/BBBBBB/", port=running.bridge_port, X_Durak_Bridge=proof)).code == 404
        with pytest.raises(HTTPClientError, match="403"):
            await running.connect(port=running.bridge_port)
        phone = await running.join(port=running.bridge_port, X_Durak_Bridge=proof)
        assert phone.seat == 0


@asynchronous
async def test_bridge_lets_nobody_join_while_it_says_that_codes_are_limited(tmp_path):
    """What JupyterLab's extension says about too many wrong codes counts as on the students' own port."""
    async with running_server(write_pages(tmp_path)) as running:
        options = {"port": running.bridge_port, "X_Durak_Bridge": prove_bridge(SECRET, running.bridge_port, time.time())}
        seated = await running.join("Ann", **options)
        limited = {**options, "X_Durak_Limited": "1"}
        stranger = await running.connect(**limited)
        await stranger.send({"kind": "join", "name": "resume", "language": "en"})
        assert await stranger.read_close() == connections.CLOSED_FLOOD
        assert (await running.poll("x" * 16, 0, {"kind": "join", "name": "Eve", "language": "en"}, **limited))["closed"]
        assert (await running.fetch(f"/{CODE}/", **limited)).code == 429
        assert (await (await running.resume(seated.key, **limited)).read_until("seat"))["seat"] == seated.seat
        assert (await running.join("Bob", query=f"?t={TOKEN}", **limited)).seat == 1


@asynchronous
async def test_teacher_port_needs_the_secret():
    """Without the secret, nothing is shown on the teacher's port, and nothing is done."""
    async with running_server() as running:
        for path, method in (("/state", "GET"), ("/command", "POST"), ("/log", "GET"), ("/statistics", "GET")):
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {SECRET}"}):
                response = await running.fetch(
                    path, port=running.teacher_port, method=method, body=None if method == "GET" else "{}", **headers
                )
                assert response.code == 401
        for message in ({"secret": "wrong"}, {"kind": "command", "command": {"do": "end"}, "id": 1}):
            socket = await running.connect_teacher(message)
            assert await socket.read_message() is None
            assert socket.close_code == 4401
        assert running.session.phase == "lobby"


@asynchronous
async def test_students_port_has_nothing_of_the_teachers():
    """On the students' port there are no commands, no state, no log, and not even with the secret."""
    async with running_server() as running:
        for path in ("/state", "/command", "/log", "/statistics", "/alive", f"/{CODE}/state", f"/{CODE}/command", f"/{CODE}/log"):
            for method in ("GET", "POST"):
                body = None if method == "GET" else '{"do":"end"}'
                response = await running.fetch(path, method=method, body=body, Authorization=f"Bearer {SECRET}")
                assert response.code in {404, 405}
        assert running.session.phase == "lobby"


@asynchronous
async def test_process_proves_itself_without_telling_the_secret():
    """A program can find out whether this is the session before it sends the secret."""
    async with running_server() as running:
        response = await running.fetch("/alive?challenge=abc", port=running.teacher_port)
        proof = json.loads(response.body)["proof"]
        assert is_secret(proof, prove_alive(SECRET, running.teacher_port, "abc"))
        assert not is_secret(proof, prove_alive(SECRET, running.student_port, "abc")), "another port could pass the challenge on"
        assert SECRET.encode() not in response.body
        assert "Access-Control-Allow-Origin" not in response.headers
        for origin in ("null", f"http://127.0.0.1:{running.teacher_port}"):
            assert (await running.fetch("/alive?challenge=abc", port=running.teacher_port, Origin=origin)).code == 403


@asynchronous
async def test_teacher_sees_each_change_soon():
    """A request for the state after a revision is answered when something changes, and the state has the links."""
    async with running_server() as running:
        state = await running.get_state()
        waiting = asyncio.create_task(running.teach(f"/state?after={state['revision']}"))
        await running.join()
        changed = json.loads((await waiting).body)
        assert changed["counts"]["joined"] == 1
        assert "join" in changed["links"]


@asynchronous
async def test_projector_gets_states_and_sends_commands():
    """The projector's websocket gets the state after the secret, and each command gets a reply or a reason."""
    async with running_server() as running:
        socket = await running.connect_teacher({"kind": "secret", "secret": SECRET})
        state = json.loads(await socket.read_message())
        assert (state["kind"], state["phase"]) == ("state", "lobby")
        await socket.write_message(json.dumps({"kind": "command", "command": {"do": "rehearse", "count": 3}, "id": 5}))
        await socket.write_message(json.dumps({"kind": "command", "command": {"do": "stop"}, "id": 6}))
        messages = {}
        while len(messages) < 3:
            message = json.loads(await socket.read_message())
            messages[message.get("id", "state")] = message
        assert messages[5]["reply"] == {"count": 3}
        assert messages[6]["error"]
        assert messages["state"]["counts"]["simulated"] == 3


@pytest.mark.parametrize(
    "command",
    [
        {},
        [],
        "end",
        {"do": 1},
        {"do": "fly"},
        {"do": "next"},
        {"do": "again"},
        {"do": "reveal"},
        {"do": "ask"},
        {"do": "ask", "spec": {"kind": "riddle"}},
    ],
)
@asynchronous
async def test_impossible_command_is_refused_with_a_sentence(command):
    """A command that is not possible gets a reason, and nothing changes."""
    async with running_server() as running:
        response = await running.teach("/command", method="POST", body=command)
        assert response.code == 400
        assert json.loads(response.body)["error"]
        assert running.session.phase == "lobby"


@asynchronous
async def test_reveal_stops_the_question_and_waits_for_the_result():
    """The teacher can press reveal at once: the answers stop, the worker scores them, and then the result is shown."""
    async with running_server() as running:
        phone = await running.join()
        await running.command(do="ask", spec=SPEC)
        await phone.send({"kind": "answer", "question": 1, "answer": ANSWER})
        await phone.read_until("state", answer=ANSWER)
        running.workers.gate.clear()
        revealing = asyncio.create_task(running.command(do="reveal"))
        await phone.read_until("state", phase="stopped")
        assert running.session.phase == "stopped"
        running.workers.gate.set()
        await revealing
        assert (await phone.read_until("state", phase="revealed"))["result"]


@asynchronous
async def test_failed_worker_does_not_stop_the_session():
    """If scoring fails or takes too long, the teacher is told and the session goes on."""
    async with running_server() as running:
        await running.join()
        await running.command(do="ask", spec=SPEC)
        running.workers.outcomes["score"] = {"error": "timeout"}
        await running.command(do="reveal")
        state = await running.get_state()
        assert state["phase"] == "revealed"
        assert state["problem"]
        running.workers.outcomes["prepare"] = {"error": "timeout"}
        assert (await running.teach("/command", method="POST", body={"do": "ask", "spec": SPEC})).code == 400


@asynchronous
async def test_second_ask_is_refused_while_the_first_is_prepared():
    """A double click on `next` asks one question, not two."""
    async with running_server() as running:
        await running.command(do="set_plan", title="", steps=[{"spec": SPEC}, {"spec": SPEC}])
        running.workers.gate.clear()
        first = asyncio.create_task(running.command(do="next"))
        await until(running.server._asking.locked)
        assert (await running.teach("/command", method="POST", body={"do": "next"})).code == 400
        running.workers.gate.set()
        await first
        assert len(running.session.questions) == 1


@asynchronous
async def test_again_asks_the_same_question_as_another_attempt():
    """A question can be asked again, after the class has talked about it."""
    async with running_server() as running:
        await running.command(do="ask", spec=SPEC)
        await running.command(do="reveal")
        await running.command(do="again")
        assert running.session.current is not None
        assert running.session.current.attempt == 2


@asynchronous
async def test_simulated_students_answer_by_themselves():
    """After `rehearse`, simulated students answer the open question while time goes by."""
    time = [0.0]
    async with running_server(now=lambda: time[0]) as running:
        await running.command(do="rehearse", count=4)
        await running.command(do="ask", spec=SPEC)

        def have_answered():
            time[0] += 0.5
            return running.session.current is not None and len(running.session.current.answers) == 4

        await until(have_answered)


@asynchronous
async def test_link_of_jupyterlab_replaces_the_own_link():
    """The teacher's notebook may set the link that students use; without a link, the own one is back."""
    async with running_server(build_links=lambda link: {"join": link or "http://own"}) as running:
        await running.command(do="set_link", link="https://hub.example/durak/")
        assert (await running.get_state())["links"]["join"] == "https://hub.example/durak/"
        assert (await running.teach("/command", method="POST", body={"do": "set_link", "link": "javascript:1"})).code == 400
        await running.command(do="set_link", link=None)
        assert (await running.get_state())["links"]["join"] == "http://own"


@asynchronous
async def test_log_and_statistics_are_for_the_teacher():
    """The teacher can read the log, and how long the session has held the event loop."""
    async with running_server(read_log=lambda: b'{"event":"session"}\n') as running:
        await running.join()
        assert (await running.teach("/log")).body == b'{"event":"session"}\n'
        figures = json.loads((await running.teach("/statistics?reset=1")).body)
        assert figures["connected"] == 1
        assert figures["longest_cpu_ms"] > 0
        assert figures["messages_sent"] >= 2
