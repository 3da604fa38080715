/** Messages come out of the encoding as they went in, binary values too. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeMessage, encodeMessage } from "../../src/web/message-channel";

const bytes = (view: unknown): number[] => {
  const { buffer, byteOffset, byteLength } = view as DataView;
  return [...new Uint8Array(buffer, byteOffset, byteLength)];
};

test("binary values are sent separately and put back in place", () => {
  const whole = new Uint8Array([9, 1, 2, 9]);
  const message = { kind: "custom", content: { deep: [1, { data: whole.subarray(1, 3) }], none: null }, buffers: [whole.buffer] };
  const { text, buffers } = encodeMessage(message);
  assert.deepEqual(JSON.parse(text).paths, [
    ["content", "deep", 1, "data"],
    ["buffers", 0],
  ]);
  const back = decodeMessage({ text, buffers }) as unknown as {
    content: { deep: [number, { data: unknown }]; none: null };
    buffers: unknown[];
  };
  assert.deepEqual(bytes(back.content.deep[1].data), [1, 2]);
  assert.deepEqual(bytes(back.buffers[0]), [9, 1, 2, 9]);
  assert.equal(back.content.none, null);
  assert.deepEqual([...whole], [9, 1, 2, 9]);
});

test("a message without binary values is JSON only", () => {
  const message = { kind: "update", id: "3", state: { word: "ą\u2028", list: [1, [2]], no: false } };
  assert.deepEqual(decodeMessage(encodeMessage(message)), message);
  assert.equal(encodeMessage(message).buffers.length, 0);
});

test("a path that does not exist in the message is refused", () => {
  for (const path of [
    ["__proto__", "x"],
    ["constructor", "prototype", "x"],
    ["content", "toString"],
    ["content", "gone"],
    ["kind", "0", "x"],
  ]) {
    const text = JSON.stringify({ kind: "update", content: {}, paths: [path] });
    assert.throws(() => decodeMessage({ text, buffers: [new ArrayBuffer(1)] }), RangeError);
  }
  assert.equal(({} as Record<string, unknown>).x, undefined);
});
