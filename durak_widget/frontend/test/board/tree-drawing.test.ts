/** The board reads exactly the tree that Python packed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DrawingReader, type FocusState, type PackedDrawing, unpackDrawing } from "../../src/board/protocol/tree-drawing";

/** Make a view into a larger buffer, as some hosts pass it. */
function embedInBuffer(numbers: Int32Array | Float64Array): DataView {
  const all = new Uint8Array(numbers.byteLength + 3);
  all.set(new Uint8Array(numbers.buffer), 3);
  return new DataView(all.buffer, 3);
}

const column = embedInBuffer(Int32Array.of(-1, 0, 70_000));
const PACKED = {
  layout_id: 1,
  title: "",
  direction: "right",
  players: ["Ann"],
  size: { histories: 3, shown: 3, levels: 2, rows: 2 },
  nodes: {
    id: column,
    parent: column,
    level: column,
    row: embedInBuffer(Float64Array.of(0.5, 0, 1)),
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
const FOCUS: FocusState = { id: 1, current_node: 0, breadcrumbs: [], search_result: null };

test("columns are unpacked at any byte offset, and moves are assigned to their nodes", () => {
  const { nodes, infosets: sets, layout_id: layoutId } = unpackDrawing(PACKED);
  assert.deepEqual(nodes.parent, [-1, 0, 70_000]);
  assert.deepEqual(nodes.row, [0.5, 0, 1]);
  assert.deepEqual(sets["7"], { label: "?", moves: [{ text: "r" }, { text: "l" }, { text: "r" }] });
  assert.equal(layoutId, 1);
});

test("moving the focus unpacks no column again", () => {
  const values: Record<string, unknown> = { drawing_view: PACKED, focus_view: FOCUS };
  const reader = new DrawingReader({ get: <T>(name: string) => values[name] as T });
  const first = reader.read();
  assert.equal(reader.read(), first);
  values.focus_view = { ...FOCUS, id: 2, current_node: 70_000 };
  assert.equal(reader.read().current_node, 70_000);
  assert.equal(reader.read().nodes, first.nodes);
});
