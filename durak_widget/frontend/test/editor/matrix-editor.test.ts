/** What a paste into the matrix editor is: a table, or the text of one cell. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isTable } from "../../src/editor/matrix-editor";

test("a pasted text is a table if it has more than one row or cell", () => {
  assert.deepEqual(["1\t2", "1\n2", "1\r\n2\r\n", "\t1"].map(isTable), [true, true, true, true]);
  assert.deepEqual(["", "1, 2", "1, 2\n", "1, 2\r\n"].map(isTable), [false, false, false, false]);
});
