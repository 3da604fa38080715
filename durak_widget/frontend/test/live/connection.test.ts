/** The connection: it comes back, notices a dead line, and polls where WebSockets are blocked. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Connection } from "../../src/live/student/connection";

type Handler = (event: { data?: string; code?: number }) => void;

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  readonly sent: { kind: string }[] = [];
  private readonly handlers = new Map<string, Handler>();

  constructor(readonly url: URL) {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1) as FakeSocket;
  }

  addEventListener(name: string, handler: Handler): void {
    this.handlers.set(name, handler);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { kind: string });
  }

  close(): void {
    this.fail(1000);
  }

  open(): void {
    this.readyState = 1;
    this.handlers.get("open")?.({});
  }

  receive(message: object): void {
    this.handlers.get("message")?.({ data: JSON.stringify(message) });
  }

  fail(code = 1006): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.handlers.get("close")?.({ code });
  }
}

interface Request {
  readonly path: string;
  readonly body: { connection: string; after: number; send: { kind: string }[] };
  readonly signal: AbortSignal | undefined;
  answer(reply: object): void;
  fail(): void;
}

let requests: Request[] = [];
let isServerUp = true;
const events = new Map<string, () => void>();

/** Stand in for `fetch`: a poll waits until the test answers it, and any other file is there if the server is. */
const fakeFetch = (path: string, { body, signal }: { body?: string; signal?: AbortSignal } = {}): Promise<object> =>
  new Promise((resolve, reject) => {
    if (body === undefined) return isServerUp ? resolve({ ok: true }) : reject(new TypeError());
    signal?.addEventListener("abort", () => reject(new Error("aborted")));
    requests.push({
      path,
      body: JSON.parse(body) as Request["body"],
      signal,
      answer: (reply) => resolve({ ok: true, json: () => Promise.resolve(reply) }),
      fail: () => reject(new TypeError()),
    });
  });

/** Let promises settle. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
const pass = async (ms: number): Promise<void> => {
  mock.timers.tick(ms);
  await settle();
};
const lastRequest = (): Request => requests.at(-1) as Request;

function connect(more: { alwaysPoll?: boolean } = {}) {
  const heard: unknown[] = [];
  const lost: number[] = [];
  let opened = 0;
  const connection = new Connection({
    socketPath: "ws",
    pollPath: "poll",
    probePath: "words.en.json",
    onOpen: () => {
      opened++;
      connection.send({ kind: "resume" });
    },
    onMessage: (message) => heard.push(message),
    onLost: (code) => lost.push(code),
    ...more,
  });
  connection.start();
  return { connection, heard, lost, opened: () => opened };
}

beforeEach(() => {
  FakeSocket.all = [];
  requests = [];
  isServerUp = true;
  events.clear();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  const listen = (name: string, handler: () => void): void => void events.set(name, handler);
  Object.assign(globalThis, {
    WebSocket: FakeSocket,
    fetch: fakeFetch,
    addEventListener: listen,
    document: { addEventListener: listen, visibilityState: "visible" },
    location: { href: "http://10.0.0.5:8000/user/x/K7PWQ3/?t=1#key=secret" },
  });
});
afterEach(() => mock.timers.reset());

test("the address of the socket is relative, and the key is not in it", () => {
  connect();
  assert.equal(String(FakeSocket.last.url), "ws://10.0.0.5:8000/user/x/K7PWQ3/ws");
});

test("a lost line is tried again soon, then more and more rarely, and at least every 3.6 s", async () => {
  const { opened, lost } = connect();
  FakeSocket.last.open();
  FakeSocket.last.fail();
  assert.deepEqual([opened(), lost.length, FakeSocket.all.length], [1, 1, 1]);
  await pass(361);
  assert.equal(FakeSocket.all.length, 2);
  for (let attempt = 3; attempt < 9; attempt++) {
    isServerUp = false;
    FakeSocket.last.fail();
    await pass(3601);
    assert.equal(FakeSocket.all.length, attempt);
  }
  FakeSocket.last.open();
  FakeSocket.last.receive({ kind: "seat" });
  FakeSocket.last.fail();
  await pass(361);
  assert.equal(FakeSocket.all.length, 9, "after success it is soon again");
});

test("a network that comes back or a page that wakes up connects at once", async () => {
  connect();
  FakeSocket.last.open();
  for (const event of ["online", "visibilitychange", "pageshow"]) {
    const before = FakeSocket.all.length;
    FakeSocket.last.fail();
    events.get(event)?.();
    assert.equal(FakeSocket.all.length, before + 1, event);
    FakeSocket.last.open();
  }
});

test("a heartbeat finds a dead line, and a live one is kept", async () => {
  const { lost } = connect();
  const first = FakeSocket.last;
  first.open();
  await pass(20_000);
  assert.deepEqual(
    first.sent.map(({ kind }) => kind),
    ["resume", "ping"],
  );
  first.receive({ kind: "pong" });
  await pass(19_000);
  assert.deepEqual(lost, []);
  await pass(1_000);
  await pass(8_000);
  assert.equal(lost.length, 1);
  await pass(361);
  assert.equal(FakeSocket.all.length, 2);
});

test("a message on a line that was given up is ignored", async () => {
  const { heard } = connect();
  const first = FakeSocket.last;
  first.open();
  await pass(20_000);
  await pass(8_000);
  await pass(361);
  first.receive({ kind: "state" });
  assert.deepEqual(heard, []);
});

test("where the socket cannot be opened twice, the page polls for good", async () => {
  const { heard, opened } = connect();
  FakeSocket.last.fail();
  await pass(361);
  FakeSocket.last.fail();
  await pass(721);
  assert.equal(opened(), 1);
  assert.equal(FakeSocket.all.length, 2);
  assert.deepEqual(lastRequest().body.send, [{ kind: "resume" }]);
  lastRequest().answer({ next: 2, messages: [{ kind: "seat" }, { kind: "state" }] });
  await settle();
  assert.equal(heard.length, 2);
  assert.equal(lastRequest().body.after, 2);
  lastRequest().fail();
  await settle();
  await pass(361);
  assert.equal(FakeSocket.all.length, 2, "no socket is tried again");
  assert.deepEqual([lastRequest().body.after, opened()], [0, 2], "a new connection begins from the start");
});

test("a server that restarts does not make the page poll, a network that blocks sockets does", async () => {
  connect();
  FakeSocket.last.open();
  FakeSocket.last.receive({ kind: "seat" });
  isServerUp = false;
  for (let attempt = 0; attempt < 6; attempt++) {
    FakeSocket.last.fail();
    await pass(3601);
  }
  assert.equal(requests.length, 0);
  isServerUp = true;
  FakeSocket.last.open();
  FakeSocket.last.receive({ kind: "seat" });
  for (let attempt = 0; attempt < 4; attempt++) {
    FakeSocket.last.fail();
    await pass(3601);
  }
  assert.ok(requests.length > 0);
});

test("a new message cuts off a request that waits, but never one that carries messages", async () => {
  const { connection } = connect({ alwaysPoll: true });
  await pass(1);
  const hello = lastRequest();
  connection.send({ kind: "answer" });
  assert.ok(!hello.signal?.aborted);
  hello.answer({ next: 1, messages: [{ kind: "seat" }] });
  await settle();
  assert.deepEqual(lastRequest().body.send, [{ kind: "answer" }]);
  lastRequest().answer({ next: 2, messages: [{ kind: "state" }] });
  await settle();
  const waiting = lastRequest();
  assert.deepEqual([waiting.body.after, waiting.body.send], [2, []]);
  connection.send({ kind: "language" });
  await settle();
  assert.ok(waiting.signal?.aborted);
  assert.deepEqual([lastRequest().body.after, lastRequest().body.send], [2, [{ kind: "language" }]]);
});

test("a poll that the server closes says why", async () => {
  const { lost } = connect({ alwaysPoll: true });
  await pass(1);
  lastRequest().answer({ next: 1, messages: [], closed: 4409 });
  await settle();
  assert.deepEqual(lost, [4409]);
});

test("without a seat, empty replies do not follow one another without a pause", async () => {
  connect({ alwaysPoll: true });
  await pass(1);
  lastRequest().answer({ next: 0, messages: [] });
  await settle();
  assert.equal(requests.length, 1);
  await pass(300);
  assert.equal(requests.length, 2);
});

test("a connection that is stopped stays closed", async () => {
  const { connection } = connect();
  FakeSocket.last.open();
  connection.stop();
  await pass(60_000);
  events.get("online")?.();
  assert.equal(FakeSocket.all.length, 1);
  assert.equal(connection.send({ kind: "ping" }), false);
});
