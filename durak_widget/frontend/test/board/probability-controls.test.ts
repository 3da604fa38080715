/** Probabilities under a hand, and the axes of the plot. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { power, powers } from "../../src/board/panels/learning";
import { numeral, snapped, stepped } from "../../src/board/panels/probability-controls";

test("near a simple fraction a probability is that fraction, elsewhere it is whole percents", () => {
  assert.deepEqual([0.49, 0.515, 0.34, 0.66, 0.26, 0.76, 0.01, 0.99].map(snapped), ["1/2", "1/2", "1/3", "2/3", "1/4", "3/4", "0", "1"]);
  assert.deepEqual([0.3, 0.37, 0.55].map(snapped), ["30/100", "37/100", "55/100"]);
  assert.deepEqual([-3, 7].map(snapped), ["0", "1"]);
});

test("whatever a hand means is a probability near it", () => {
  for (let n = -10; n <= 110; n++) {
    const is = numeral(snapped(n / 100));
    assert.ok(is >= 0 && is <= 1);
    assert.ok(Math.abs(is - Math.min(Math.max(n / 100, 0), 1)) < 0.022);
  }
});

test("a key goes on by five percent, to the next step, and not beyond the ends", () => {
  assert.deepEqual([stepped(1 / 3, 1), stepped(1 / 3, -1), stepped(0.3, 1), stepped(0.3, -1)], ["35/100", "30/100", "35/100", "1/4"]);
  assert.deepEqual([stepped(0.98, 1), stepped(0.02, -1), stepped(0.5, 20), stepped(0.5, -20)], ["1", "0", "1", "0"]);
  let at = 0;
  for (let n = 1; n <= 20; n++) {
    at = numeral(stepped(at, 1));
    assert.ok(Math.abs(at - n / 20) < 1e-9);
  }
});

test("the axes reach from power to power of ten", () => {
  assert.deepEqual(powers([0.3, 0.02, 0.004]), [-3, 0]);
  assert.deepEqual(powers([1]), [0, 1]);
  assert.deepEqual(powers([1, 1000]), [0, 3]);
  assert.deepEqual(powers([0]), [-12, -11]);
});

test("a power of ten is written as the language writes it", () => {
  assert.deepEqual(
    [power(0, "en"), power(-2, "en"), power(-2, "lt"), power(3, "ru"), power(-6, "ru"), power(12, "en")],
    ["1", "0.01", "0,01", "1000", "10⁻⁶", "10¹²"],
  );
});
