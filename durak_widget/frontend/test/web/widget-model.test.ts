/** The page's half of a widget does what a notebook's does, as far as our bundles ask. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Meant, Model } from "../../src/web/widget-model";

function made(state: Record<string, unknown> = {}) {
  const told: Meant[] = [];
  return { told, model: new Model(state, (meant) => told.push(meant)) };
}

test("what is changed here is seen here at once, and told with save_changes, once", () => {
  const { told, model } = made({ skin: "felt", pace: 1 });
  const heard: unknown[] = [];
  model.on("change:skin", () => heard.push(model.get("skin")));
  model.set("skin", "slate");
  model.set("pace", 2);
  model.set("pace", 2);
  assert.deepEqual(told, []);
  model.save_changes();
  model.save_changes();
  assert.deepEqual(told, [{ kind: "update", state: { skin: "slate", pace: 2 } }]);
  assert.deepEqual(heard, ["slate"]);
});

test("what Python tells is all there before anybody hears of it; what stays as it is, nobody hears of", () => {
  const { told, model } = made({ scene: { id: 1 }, words: {} });
  const heard: unknown[] = [];
  model.on("change:scene", () => heard.push(["scene", model.get("words")]));
  model.on("change:words", () => heard.push("words"));
  model.on("change", () => heard.push("any"));
  model.take({ scene: { id: 1 }, words: {} });
  assert.deepEqual(heard, []);
  model.take({ scene: { id: 2 }, words: { lang: "lt" } });
  assert.deepEqual(heard, [["scene", { lang: "lt" }], "words", "any"]);
  model.save_changes();
  assert.deepEqual(told, []); // it is no change of the page's
});

test("messages go both ways, with what is binary; who asks no more hears no more", () => {
  const { told, model } = made();
  const heard: unknown[][] = [];
  const hear = (...said: unknown[]): void => void heard.push(said);
  model.on("msg:custom", hear);
  model.on("msg:custom", hear);
  const data = new DataView(new ArrayBuffer(2));
  model.hear({ kind: "told" }, [data]);
  assert.deepEqual(heard, [[{ kind: "told" }, [data]]]);
  model.off("msg:custom", hear);
  model.hear({ kind: "told" });
  assert.equal(heard.length, 1);
  model.send({ kind: "move" });
  model.send({ kind: "move" }, undefined, [data]);
  assert.deepEqual(told, [
    { kind: "custom", content: { kind: "move" } },
    { kind: "custom", content: { kind: "move" }, buffers: [data] },
  ]);
});

test("who lets go while all are told harms nobody", () => {
  const { model } = made({ n: 0 });
  const heard: string[] = [];
  const first = (): void => {
    heard.push("first");
    model.off("change:n", first);
  };
  model.on("change:n", first);
  model.on("change:n", () => heard.push("second"));
  model.take({ n: 1 });
  model.take({ n: 2 });
  assert.deepEqual(heard, ["first", "second", "second"]);
});
