/** Dragged probabilities, and the axes of the plot. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { findPowers, formatPower } from "../../src/board/panels/learning";
import { parseFraction, snapProbability, stepProbability } from "../../src/board/panels/probability-controls";

test("a dragged probability snaps to simple fractions, otherwise to whole percents", () => {
  assert.deepEqual([0.49, 0.515, 0.34, 0.66, 0.26, 0.76, 0.01, 0.99].map(snapProbability), [
    "1/2",
    "1/2",
    "1/3",
    "2/3",
    "1/4",
    "3/4",
    "0",
    "1",
  ]);
  assert.deepEqual([0.3, 0.37, 0.55].map(snapProbability), ["30/100", "37/100", "55/100"]);
  assert.deepEqual([-3, 7].map(snapProbability), ["0", "1"]);
});

test("a snapped probability stays near the pointer and between 0 and 1", () => {
  for (let n = -10; n <= 110; n++) {
    const is = parseFraction(snapProbability(n / 100));
    assert.ok(is >= 0 && is <= 1);
    assert.ok(Math.abs(is - Math.min(Math.max(n / 100, 0), 1)) < 0.022);
  }
});

test("an arrow key changes a probability by one step of five percent, up to the ends", () => {
  assert.deepEqual(
    [stepProbability(1 / 3, 1), stepProbability(1 / 3, -1), stepProbability(0.3, 1), stepProbability(0.3, -1)],
    ["35/100", "30/100", "35/100", "1/4"],
  );
  assert.deepEqual(
    [stepProbability(0.98, 1), stepProbability(0.02, -1), stepProbability(0.5, 20), stepProbability(0.5, -20)],
    ["1", "0", "1", "0"],
  );
  let at = 0;
  for (let n = 1; n <= 20; n++) {
    at = parseFraction(stepProbability(at, 1));
    assert.ok(Math.abs(at - n / 20) < 1e-9);
  }
});

test("the axes of the plot end at powers of ten", () => {
  assert.deepEqual(findPowers([0.3, 0.02, 0.004]), [-3, 0]);
  assert.deepEqual(findPowers([1]), [0, 1]);
  assert.deepEqual(findPowers([1, 1000]), [0, 3]);
  assert.deepEqual(findPowers([0]), [-12, -11]);
});

test("powers of ten are formatted in the language", () => {
  assert.deepEqual(
    [
      formatPower(0, "en"),
      formatPower(-2, "en"),
      formatPower(-2, "lt"),
      formatPower(3, "ru"),
      formatPower(-6, "ru"),
      formatPower(12, "en"),
    ],
    ["1", "0.01", "0,01", "1000", "10⁻⁶", "10¹²"],
  );
});
