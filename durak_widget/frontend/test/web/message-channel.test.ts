/** Python sleeps until it is woken, and then gets the queued messages. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { PythonWorker } from "../../src/web/message-channel";

/** A worker that records its messages. */
class Worker {
  static made: Worker[] = [];
  readonly messages: unknown[] = [];
  onmessage: (event: { data: unknown }) => void = () => {};
  onerror: (event: { message: string }) => void = () => {};

  constructor() {
    Worker.made.push(this);
  }

  postMessage(message: { readonly text?: string }): void {
    this.messages.push(message.text ? JSON.parse(message.text) : message);
  }

  terminate(): void {
    this.messages.push("end");
  }

  say(message: object): void {
    this.onmessage({ data: { text: JSON.stringify(message), buffers: [] } });
  }
}

Object.assign(globalThis, { Worker, location: { search: "?python=plain" } });

/** Set whether a service worker has cached all files. Node has no navigator before 21 and never a service worker. */
function setServiceWorker(controller: object | null): void {
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: { controller } }, configurable: true });
}
setServiceWorker(null);
const BEGIN = { kind: "begin", id: "board" };
const PRESS = { kind: "custom", id: "7", content: { kind: "toggle" } };

/** Return a sleeping Python and the messages that the page gets. */
function makeSleepingPython(): { python: PythonWorker; heard: unknown[]; worker: () => Worker } {
  Worker.made = [];
  const heard: unknown[] = [];
  const python = new PythonWorker(
    "board",
    (message) => heard.push(message.kind),
    (why) => heard.push(why),
  );
  return { python, heard, worker: () => Worker.made[0] as Worker };
}

test("Python sleeps until it is started, and is started once", () => {
  const { python, worker } = makeSleepingPython();
  python.setFirstMessage(BEGIN);
  python.send(PRESS);
  assert.equal(Worker.made.length, 0);
  python.start();
  python.start();
  assert.equal(Worker.made.length, 1);
  assert.deepEqual(worker().messages, [{ pageKind: "board", startFrom: "plain", isCached: false }, BEGIN]);
});

test("the worker is told whether its files are cached", () => {
  setServiceWorker({});
  const { python, worker } = makeSleepingPython();
  python.start();
  setServiceWorker(null);
  assert.deepEqual(worker().messages, [{ pageKind: "board", startFrom: "plain", isCached: true }]);
});

test("the initial state may arrive after the start", () => {
  const { python, worker } = makeSleepingPython();
  python.start();
  python.setFirstMessage(BEGIN);
  assert.deepEqual(worker().messages.slice(1), [BEGIN]);
});

test("messages sent before Python has started are queued and delivered first", () => {
  const { python, heard, worker } = makeSleepingPython();
  python.setFirstMessage(BEGIN);
  python.start();
  python.send(PRESS);
  assert.equal(worker().messages.length, 2);
  worker().say({ kind: "ready" });
  assert.deepEqual(worker().messages.slice(2), [PRESS]);
  assert.deepEqual(heard, ["ready"]);
  python.send(PRESS);
  assert.equal(worker().messages.length, 4);
});

test("a failed start is reported with its reason, and the worker can be ended", () => {
  const { python, heard, worker } = makeSleepingPython();
  python.stop();
  python.start();
  worker().onerror({ message: "" });
  assert.deepEqual(heard, ["?"]);
  python.stop();
  assert.equal(worker().messages.at(-1), "end");
});
