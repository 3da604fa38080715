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

test("others' moves are announced at once on the user's turn", () => {
  const { hear } = listener();
  const scenes = [makeScene(1, 0, 1), makeScene(2, 1, 2, "B beats."), makeScene(3, 2, 3, "C throws in."), makeScene(4, 3, 0, "D passes.")];
  assert.deepEqual(hear(...scenes), ["B beats. C throws in. D passes. Call 0."]);
});

test("the user's own move is announced at once, with the next player", () => {
  assert.deepEqual(listener().hear(makeScene(1, 3, 0), makeScene(2, 0, 1, "You attack.")), ["You attack. Call 1."]);
});

test("nothing is announced twice", () => {
  const { hear } = listener();
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, 2, "B takes."), makeScene(3, 2, 0, "B takes.", "Call 0.")), [
    "B takes. Call 0.",
  ]);
});

test("everything is announced at the end of the game and in a pause", () => {
  const { hear, heard } = listener();
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, null, "B is out.")), ["B is out. Call null."]);
  assert.deepEqual(hear(makeScene(3, 0, 1), makeScene(4, 1, 2, "B beats.")), []);
  mock.timers.tick(4000);
  assert.deepEqual(heard, ["B beats. Call 2."]);
});

test("after a jump or a change of person only the current state is announced", () => {
  const { hear } = listener();
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, 2, "B beats."), makeScene(9, 3, 2, "D passes.")), ["Call 2."]);
  assert.deepEqual(hear(makeScene(1, 0, 1), makeScene(2, 1, 2, "B beats."), { ...makeScene(3, 2, 1, "C throws."), viewer: 1 }), [
    "Call 1.",
  ]);
});

test("in replay each move is announced when it is shown", () => {
  const later = (scene: Scene): Scene => ({ ...scene, last_ply: 9 });
  assert.deepEqual(
    listener().hear(later(makeScene(1, 0, 1)), later(makeScene(2, 1, 2, "B beats.")), later(makeScene(3, 2, 3, "C throws."))),
    ["B beats. Call 2.", "C throws. Call 3."],
  );
});
