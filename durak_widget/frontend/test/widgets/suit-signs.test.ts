/** The symbol beside the name of a suit: it stays with the name, and is not said. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { removeSuitSigns, splitAtSuitSigns } from "../../src/widgets/suit-signs";

test("a symbol stays with the word before it, and is not said", () => {
  const text = "Beat the 9 of clubs\u00a0♣\ufe0e with a heart\u00a0♥\ufe0e.";
  assert.deepEqual(splitAtSuitSigns(text), ["Beat the 9 of ", "clubs\u00a0♣", " with a ", "heart\u00a0♥", "."]);
  assert.equal(removeSuitSigns(text), "Beat the 9 of clubs with a heart.");
});

test("a symbol that is the name stays, and so does a text without symbols", () => {
  for (const text of ["Beat 9♣\ufe0e with ♥ or 7\u00a0♠.", "♣", ""]) {
    assert.deepEqual(splitAtSuitSigns(text), [text]);
    assert.equal(removeSuitSigns(text), text);
  }
});
