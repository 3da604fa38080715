/** The table of keys: what each key does, on any keyboard. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { findKeyAction, KEYS } from "../../src/table/intents/actions";
import { listVerbs } from "../../src/widgets/protocol/scene";

const press = (key: string, code = "", shiftKey = false): ReturnType<typeof findKeyAction> => findKeyAction({ key, code, shiftKey });
const all = KEYS.flatMap(({ actions }) => Object.entries(actions));

test("no key is listed twice, and each does its action", () => {
  assert.equal(new Set(all.map(([key]) => key)).size, all.length);
  for (const [key, does] of all) assert.deepEqual(press(key), does, key);
});

test("every row of the help has its keys and a label", () => {
  for (const { actions } of KEYS) assert.ok(Object.keys(actions).length);
  assert.equal(new Set(KEYS.map(({ label }) => label)).size, KEYS.length);
});

test("every verb with a button has a key", () => {
  const pressed = new Set(all.flatMap(([, does]) => (does[0] === "press" ? [does[1]] : [])));
  for (const verb of [...listVerbs("bare", "asked", "two"), "attack"] as const) assert.ok(pressed.has(verb), verb);
});

test("capital letters work like small ones", () => {
  assert.deepEqual(press("T", "KeyT", true), ["press", "take"]);
  assert.deepEqual(press("ArrowUp"), ["walk", "up"]);
});

test("in a non-Latin keyboard layout the physical key counts", () => {
  assert.deepEqual(press("е", "KeyT"), ["press", "take"]);
  assert.deepEqual(press("х", "BracketLeft"), ["run", "previous"]);
  assert.deepEqual(press("Ъ", "BracketRight", true), ["run", "last"]);
});

test("in another Latin keyboard layout the letter counts", () => assert.deepEqual(press("a", "KeyQ"), ["press", "attack"]));

test("a digit leads to a card from any key, but not with Shift", () => {
  assert.deepEqual(press("3", "Digit3"), ["card", 2]);
  assert.deepEqual(press("9", "Numpad9"), ["card", 8]);
  assert.deepEqual(press("é", "Digit2"), ["card", 1]);
  assert.equal(press("0", "Digit0"), undefined);
  assert.deepEqual(press("?", "Digit7", true), ["run", "help"]);
});

test("other keys are left to the page", () => {
  for (const key of ["Tab", "F5", "q", "Delete", "+"]) assert.equal(press(key), undefined, key);
});
