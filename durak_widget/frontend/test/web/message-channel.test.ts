/** Python behind the page sleeps until it is woken, and hears then what was said before. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Python } from "../../src/web/message-channel";

/** A worker that notes what it is told. */
class Worker {
  static made: Worker[] = [];
  readonly told: unknown[] = [];
  onmessage: (event: { data: unknown }) => void = () => {};
  onerror: (event: { message: string }) => void = () => {};

  constructor() {
    Worker.made.push(this);
  }

  postMessage(message: { readonly text?: string }): void {
    this.told.push(message.text ? JSON.parse(message.text) : message);
  }

  terminate(): void {
    this.told.push("end");
  }

  say(said: object): void {
    this.onmessage({ data: { text: JSON.stringify(said), buffers: [] } });
  }
}

Object.assign(globalThis, { Worker, location: { search: "?python=plain" } });

/** Whether a service worker answers for the network: Node has no navigator before 21, and none has a service worker. */
function lies(controller: object | null): void {
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: { controller } }, configurable: true });
}
lies(null);
const BEGIN = { kind: "begin", id: "board" };
const PRESS = { kind: "custom", id: "7", content: { kind: "toggle" } };

/** Python, not yet awake, and what the page hears of it. */
function fresh(): { python: Python; heard: unknown[]; worker: () => Worker } {
  Worker.made = [];
  const heard: unknown[] = [];
  const python = new Python(
    "board",
    (said) => heard.push(said.kind),
    (why) => heard.push(why),
  );
  return { python, heard, worker: () => Worker.made[0] as Worker };
}

test("it sleeps until it is woken, and is woken once", () => {
  const { python, worker } = fresh();
  python.begin(BEGIN);
  python.tell(PRESS);
  assert.equal(Worker.made.length, 0);
  python.wake();
  python.wake();
  assert.equal(Worker.made.length, 1);
  assert.deepEqual(worker().told, [{ asks: "board", from: "plain", here: false }, BEGIN]);
});

test("the worker hears whether what it fetches lies in the browser", () => {
  lies({});
  const { python, worker } = fresh();
  python.wake();
  lies(null);
  assert.deepEqual(worker().told, [{ asks: "board", from: "plain", here: true }]);
});

test("what it begins with may come after it is woken", () => {
  const { python, worker } = fresh();
  python.wake();
  python.begin(BEGIN);
  assert.deepEqual(worker().told.slice(1), [BEGIN]);
});

test("what is pressed before it is there waits, and is said first of all then", () => {
  const { python, heard, worker } = fresh();
  python.begin(BEGIN);
  python.wake();
  python.tell(PRESS);
  assert.equal(worker().told.length, 2);
  worker().say({ kind: "up" });
  assert.deepEqual(worker().told.slice(2), [PRESS]);
  assert.deepEqual(heard, ["up"]);
  python.tell(PRESS);
  assert.equal(worker().told.length, 4);
});

test("where it fails the page hears why, and it can be ended", () => {
  const { python, heard, worker } = fresh();
  python.end();
  python.wake();
  worker().onerror({ message: "" });
  assert.deepEqual(heard, ["?"]);
  python.end();
  assert.equal(worker().told.at(-1), "end");
});
