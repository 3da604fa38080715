/** The last view that the browser stores, also one that an earlier version stored. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { clearLastView, readLastView, saveLastView } from "../../src/web/startup-state";
import { golden } from "../golden";

const KEY = "durak last";
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  };
  Object.assign(globalThis, { localStorage: storage });
});

test("the last view is read as it was saved", () => {
  saveLastView({ language: "lt", skin: "slate", scene: { id: -1 } });
  const { language, skin, scene } = readLastView();
  assert.deepEqual([language, skin, scene], ["lt", "slate", { id: -1 }]);
  clearLastView();
  assert.deepEqual(readLastView(), {});
});

test("a scene that an earlier version saved has the names of today", () => {
  const { scene: today } = golden("over_as_the_fool");
  const names: Record<string, string> = {
    viewer: "me",
    last_ply: "last",
    call_to_action: "call",
    result: "over",
    text: "said",
    player: "who",
  };
  const former = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(former)
      : value && typeof value === "object"
        ? Object.fromEntries(Object.entries(value).map(([name, part]) => [names[name] ?? name, former(part)]))
        : value;
  stored.set(KEY, JSON.stringify({ language: "lt", scene: former(today) }));
  assert.deepEqual(readLastView(), { language: "lt", scene: today });
});

test("a view that can't be read is as none", () => {
  stored.set(KEY, "{");
  assert.deepEqual(readLastView(), {});
});
