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
  layout_id: 1,
  title: "",
  direction: "right",
  players: ["Ann"],
  size: { histories: 3, shown: 3, levels: 2, rows: 2 },
  nodes: {
    id: column,
    parent: column,
    level: column,
    row: inside(Float64Array.of(0.5, 0, 1)),
    actor: column,
    info: column,
    hidden_count: column,
    action: column,
  },
  moves: [{ text: "l" }, { text: "r" }],
  infosets: { 7: ["?", 1, 0, 1] },
  chance_moves: {},
  payoffs: {},
  shared_infosets: [],
} satisfies PackedDrawing;
const LOOKED: FocusState = { id: 1, current_node: 0, breadcrumbs: [], search_result: null };

test("columns are numbers again, wherever their bytes begin, and moves stand where they are made", () => {
  const { nodes, infosets: sets, layout_id: layoutId } = unpackDrawing(TOLD);
  assert.deepEqual(nodes.parent, [-1, 0, 70_000]);
  assert.deepEqual(nodes.row, [0.5, 0, 1]);
  assert.deepEqual(sets["7"], { label: "?", moves: [{ text: "r" }, { text: "l" }, { text: "r" }] });
  assert.equal(layoutId, 1);
});

test("who only looks about reads no column again", () => {
  const values: Record<string, unknown> = { drawing_view: TOLD, focus_view: LOOKED };
  const wire = new DrawingReader({ get: <T>(name: string) => values[name] as T });
  const first = wire.read();
  assert.equal(wire.read(), first);
  values.focus_view = { ...LOOKED, id: 2, current_node: 70_000 };
  assert.equal(wire.read().current_node, 70_000);
  assert.equal(wire.read().nodes, first.nodes);
});
