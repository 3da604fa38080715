/** Exercises: where a card of a row comes to lie. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "../src/kinds";

const row = ["a", "b", "c", "d"];

test("a card comes to lie where it was put, and the others close up", () => {
  assert.deepEqual(moved(row, 0, 2), ["b", "c", "a", "d"]);
  assert.deepEqual(moved(row, 3, 0), ["d", "a", "b", "c"]);
  assert.deepEqual(moved(row, 1, 1), row);
});

test("beyond an end it comes to lie at that end, and none is ever lost", () => {
  assert.deepEqual(moved(row, 1, 9), ["a", "c", "d", "b"]);
  for (let from = 0; from < 4; from++) for (let to = -2; to < 7; to++) assert.deepEqual([...moved(row, from, to)].sort(), row);
});
