/** Questions whose code is still being loaded. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LazyBundle } from "../../src/table/chrome/lazy-bundle";
import type * as Extras from "../../src/table/extras/index";
import { DialogLoader } from "../../src/table/view/dialog-loader";

/** Return a loader, the questions that were opened, and a function that lets the code arrive. */
function makeLoader() {
  const opened: string[] = [];
  class FakeDialog {
    isOpen = false;
    ask(words: string): Promise<string> {
      opened.push(words);
      return Promise.resolve("yes");
    }
    dismiss(): void {}
    reposition(): void {}
  }
  const waiting: ((bundle: typeof Extras) => void)[] = [];
  const extras = { use: (callback: (bundle: typeof Extras) => void) => void waiting.push(callback) };
  const loader = new DialogLoader({} as HTMLElement, extras as unknown as LazyBundle<typeof Extras>, () => {});
  const arrive = (): void => {
    for (const callback of waiting.splice(0)) callback({ ChoiceDialog: FakeDialog } as unknown as typeof Extras);
  };
  return { loader, opened, arrive };
}

test("a question opens when its code has arrived", async () => {
  const { loader, opened, arrive } = makeLoader();
  const answer = loader.ask("Which way?", []);
  assert.equal(loader.isOpen, true);
  arrive();
  assert.equal(await answer, "yes");
  assert.deepEqual(opened, ["Which way?"]);
});

test("a question that is dismissed while its code is loaded never opens", async () => {
  const { loader, opened, arrive } = makeLoader();
  const answer = loader.ask("Which way?", []);
  loader.dismiss("game");
  assert.equal(loader.isOpen, true, "it is about a move");
  loader.dismiss("move");
  assert.equal(loader.isOpen, false);
  arrive();
  assert.equal(await answer, undefined);
  assert.deepEqual(opened, []);
});

test("a second question replaces one that is still being loaded", async () => {
  const { loader, opened, arrive } = makeLoader();
  const [first, second] = [loader.ask("Which way?", []), loader.ask("New game?", [], undefined, "game")];
  arrive();
  assert.deepEqual([await first, await second], [undefined, "yes"]);
  assert.deepEqual(opened, ["New game?"]);
});
