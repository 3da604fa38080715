/** The page's model behaves like a notebook's, as far as our bundles use it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Model, type WidgetMessage } from "../../src/web/widget-model";

function makeModel(state: Record<string, unknown> = {}) {
  const sent: WidgetMessage[] = [];
  return { sent, model: new Model(state, (message) => sent.push(message)) };
}

test("a local change is visible at once and sent once by save_changes", () => {
  const { sent, model } = makeModel({ skin: "felt", pace: 1 });
  const heard: unknown[] = [];
  model.on("change:skin", () => heard.push(model.get("skin")));
  model.set("skin", "slate");
  model.set("pace", 2);
  model.set("pace", 2);
  assert.deepEqual(sent, []);
  model.save_changes();
  model.save_changes();
  assert.deepEqual(sent, [{ kind: "update", state: { skin: "slate", pace: 2 } }]);
  assert.deepEqual(heard, ["slate"]);
});

test("an update from Python is complete before listeners run, and unchanged values notify nobody", () => {
  const { sent, model } = makeModel({ scene: { id: 1 }, words: {} });
  const heard: unknown[] = [];
  model.on("change:scene", () => heard.push(["scene", model.get("words")]));
  model.on("change:words", () => heard.push("words"));
  model.on("change", () => heard.push("any"));
  model.setState({ scene: { id: 1 }, words: {} });
  assert.deepEqual(heard, []);
  model.setState({ scene: { id: 2 }, words: { lang: "lt" } });
  assert.deepEqual(heard, [["scene", { lang: "lt" }], "words", "any"]);
  model.save_changes();
  assert.deepEqual(sent, []); // The change does not come from the page.
});

test("messages with binary parts go both ways, and a removed listener gets none", () => {
  const { sent, model } = makeModel();
  const heard: unknown[][] = [];
  const hear = (...args: unknown[]): void => void heard.push(args);
  model.on("msg:custom", hear);
  model.on("msg:custom", hear);
  const data = new DataView(new ArrayBuffer(2));
  model.handleMessage({ kind: "open" }, [data]);
  assert.deepEqual(heard, [[{ kind: "open" }, [data]]]);
  model.off("msg:custom", hear);
  model.handleMessage({ kind: "open" });
  assert.equal(heard.length, 1);
  model.send({ kind: "move" });
  model.send({ kind: "move" }, undefined, [data]);
  assert.deepEqual(sent, [
    { kind: "custom", content: { kind: "move" } },
    { kind: "custom", content: { kind: "move" }, buffers: [data] },
  ]);
});

test("a listener may be removed while listeners run", () => {
  const { model } = makeModel({ n: 0 });
  const heard: string[] = [];
  const first = (): void => {
    heard.push("first");
    model.off("change:n", first);
  };
  model.on("change:n", first);
  model.on("change:n", () => heard.push("second"));
  model.setState({ n: 1 });
  model.setState({ n: 2 });
  assert.deepEqual(heard, ["first", "second", "second"]);
});
