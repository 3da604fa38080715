/** The deal of the day: offered from the second day on, until it is opened. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { clearDealDay, formatDay, isDealNew, makeDailyLink, markDealOpened } from "../../src/web/daily-deal";

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

test("a day has the form of a date where the visitor is", () => {
  assert.equal(formatDay(new Date(2026, 0, 9, 23, 59)), "2026-01-09");
  assert.notEqual(makeDailyLink("2026-01-09"), makeDailyLink("2026-01-10"));
});

test("the deal is new from the second day on, until it is opened", () => {
  assert.deepEqual([isDealNew("2026-01-09"), isDealNew("2026-01-09")], [false, false]);
  assert.deepEqual([isDealNew("2026-01-10"), isDealNew("2026-01-10")], [true, true]);
  markDealOpened("2026-01-10");
  assert.deepEqual([isDealNew("2026-01-10"), isDealNew("2026-01-17")], [false, true]);
  clearDealDay();
  assert.equal(isDealNew("2026-01-18"), false);
});

test("without storage nothing is offered", () => {
  Reflect.deleteProperty(globalThis, "localStorage");
  assert.equal(isDealNew("2026-01-09"), false);
  markDealOpened("2026-01-09");
});
