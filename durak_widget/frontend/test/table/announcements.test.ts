/** Announcements: one summary at the viewer's turn, instead of a queue that runs late. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { MoveDigest } from "../../src/table/chrome/announcements";
import type { Scene } from "../../src/widgets/protocol/scene";
import { golden } from "../golden";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Return a table of four after `ply` moves, the last by `seat`, with `actor` to act. */
const makeScene = (ply: number, seat: number, actor: number | null, ...sentences: string[]): Scene => ({
  ...golden("waiting").scene,
  ply,
  last_ply: ply,
  actor,
  viewer: 0,
  last_move: { seat, verb: "pass", cards: [], sentences: sentences },
});

function listener() {
  const heard: string[] = [];
  const account = new MoveDigest((lines) => {
    if (lines.join("")) heard.push(lines.join(" "));
  });
  const hear = (...scenes: Scene[]): string[] => {
    scenes.forEach((scene, i) => {
      if (i) account.handleScene(scenes[i - 1], scene, `Call ${scene.actor}.`, []);
    });
    return heard.splice(0);
  };
  return { account, hear, heard };
}

test("what others do is told at once when it is one's turn", () => {
  const { hear } = listener();
  const scenes = [makeScene(1, 0, 1), makeScene(2, 1, 2, "B beats."), makeScene(3, 2, 3, "C throws in."), makeScene(4, 3, 0, "D passes.")];
  assert.deepEqual(hear(...scenes), ["B beats. C throws in. D passes. Call 0."]);
});

test("one's own deed is told at once, with who is next", () => {
  assert.deepEqual(listener().hear(makeScene(1, 3, 0), makeScene(2, 0, 1, "You attack.")), ["You attack. Call 1."]);
});

test("nothing is said twice", () => {
  const { hear } = listener();
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, 2, "B takes."), makeScene(3, 2, 0, "B takes.", "Call 0.")), [
    "B takes. Call 0.",
  ]);
});

test("at the end of the game all is told; and in a lull", () => {
  const { hear, heard } = listener();
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, null, "B is out.")), ["B is out. Call null."]);
  assert.deepEqual(hear(makeScene(3, 0, 1), makeScene(4, 1, 2, "B beats.")), []);
  mock.timers.tick(4000);
  assert.deepEqual(heard, ["B beats. Call 2."]);
});

test("who goes elsewhere in the game, or is another person, hears where it stands and nothing of before", () => {
  const { hear } = listener();
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, 2, "B beats."), makeScene(9, 3, 2, "D passes.")), ["Call 2."]);
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, 2, "B beats."), { ...makeScene(3, 2, 1, "C throws."), viewer: 1 }), [
    "Call 1.",
  ]);
});

test("whoever looks back hears each move as it is shown", () => {
  const later = (scene: Scene): Scene => ({ ...scene, last_ply: 9 });
  assert.deepEqual(
    listener().hear(later(makeScene(1, 0, 1)), later(makeScene(2, 1, 2, "B beats.")), later(makeScene(3, 2, 3, "C throws."))),
    ["B beats. Call 2.", "C throws. Call 3."],
  );
});
