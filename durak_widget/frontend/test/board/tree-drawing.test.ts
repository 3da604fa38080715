/** The board reads exactly the tree that Python packed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DrawingReader, type FocusState, type PackedDrawing, unpackDrawing } from "../../src/board/protocol/tree-drawing";

/** Make a view into a larger buffer, as some hosts pass it. */
function inside(numbers: Int32Array | Float64Array): DataView {
  const all = new Uint8Array(numbers.byteLength + 3);
  all.set(new Uint8Array(numbers.buffer), 3);
  return new DataView(all.buffer, 3);
}

const column = inside(Int32Array.of(-1, 0, 70_000));
const TOLD = {
  laid: 1,
  title: "",
  direction: "right",
  seats: ["Ann"],
  size: { histories: 3, shown: 3, levels: 2, rows: 2 },
  nodes: {
    id: column,
    up: column,
    level: column,
    row: inside(Float64Array.of(0.5, 0, 1)),
    actor: column,
    info: column,
    more: column,
    at: column,
  },
  moves: [{ said: "l" }, { said: "r" }],
  sets: { 7: ["?", 1, 0, 1] },
  chances: {},
  ends: {},
  joined: [],
} satisfies PackedDrawing;
const LOOKED: FocusState = { id: 1, at: 0, crumbs: [], found: null };

test("columns are numbers again, wherever their bytes begin, and moves stand where they are made", () => {
  const { nodes, sets, laid: layoutId } = unpackDrawing(TOLD);
  assert.deepEqual(nodes.up, [-1, 0, 70_000]);
  assert.deepEqual(nodes.row, [0.5, 0, 1]);
  assert.deepEqual(sets["7"], { said: "?", moves: [{ said: "r" }, { said: "l" }, { said: "r" }] });
  assert.equal(layoutId, 1);
});

test("who only looks about reads no column again", () => {
  const values: Record<string, unknown> = { drawing: TOLD, looked: LOOKED };
  const wire = new DrawingReader({ get: <T>(name: string) => values[name] as T });
  const first = wire.read();
  assert.equal(wire.read(), first);
  values.looked = { ...LOOKED, id: 2, at: 70_000 };
  assert.equal(wire.read().at, 70_000);
  assert.equal(wire.read().nodes, first.nodes);
});
