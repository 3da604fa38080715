/** Premoves: a card chosen early, and being done with a bout, without a page. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Premoves } from "../../src/table/intents/card-play";
import type { Card, Scene } from "../../src/widgets/protocol/scene";
import { golden, words } from "../golden";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

const scene = (name: string, changes: Partial<Scene> = {}): Scene => ({ ...golden(name).scene, ...changes });
/** Return a scene where another seat is to act. */
const makeOthersTurn = (name: string, changes: Partial<Scene> = {}): Scene => scene(name, { actor: 1, legal: {}, can: {}, ...changes });

/** Return a player at a table that shows one scene after the other. */
function makePlayer(first: Scene, busy = false, early = true) {
  const done: string[] = [];
  const announced: string[] = [];
  const shared = {
    scene: first,
    words,
    look: { motion: true, early } as never,
    announce: (text: string) => void announced.push(text),
  };
  const waits = new Premoves(shared, {
    sendMove: (move, card) => void done.push(card ? `${move} (${card})` : move),
    chooseUse: (card) => void done.push(`which? ${card}`),
    isBusy: () => busy,
    onChange: () => {},
  });
  const show = (next: Scene): string[] => {
    shared.scene = { ...next, id: shared.scene.id + 1 };
    waits.update();
    mock.timers.tick(300);
    return done.splice(0);
  };
  waits.update();
  return { waits, show, said: announced, done };
}

const throwing = "throwing_in"; // Player 1 may throw in 7h, 9d or 9s, or pass.

test("a queued card is played as soon as it has exactly one legal use", () => {
  const { waits, show } = makePlayer(makeOthersTurn(throwing));
  assert.equal(waits.togglePremove("9d", undefined), true);
  assert.equal(waits.card, "9d");
  assert.deepEqual(show(makeOthersTurn(throwing, { ply: 1, last_ply: 1 })), []);
  assert.deepEqual(show(scene(throwing, { ply: 2, last_ply: 2 })), ["throw 9d (9d)"]);
  assert.equal(waits.card, undefined);
  assert.deepEqual(show(scene(throwing, { ply: 4, last_ply: 4 })), []);
});

test("a queued card is cancelled by a second click or Escape, and replaced by another card", () => {
  const { waits, said: announced } = makePlayer(makeOthersTurn(throwing));
  waits.togglePremove("9d", undefined);
  assert.equal(waits.togglePremove("9d", undefined), false);
  assert.deepEqual([waits.card, announced], [undefined, [words.say("unheld", { card: words.formatCard("9d") })]]);
  waits.togglePremove("9d", undefined);
  waits.togglePremove("9s", undefined);
  assert.equal(waits.card, "9s");
  assert.deepEqual([waits.cancel(), waits.cancel()], [true, false]);
});

test("a queued card stays while it is illegal, and is dropped when its purpose is gone", () => {
  const kept = makePlayer(makeOthersTurn(throwing));
  kept.waits.togglePremove("Kc", undefined);
  assert.deepEqual(kept.show(scene(throwing, { ply: 2, last_ply: 2 })), []);
  assert.equal(kept.waits.card, "Kc");
  const seats = scene(throwing).seats.map((seat) => ({ ...seat, role: "defends" as const }));
  const past: Partial<Scene>[] = [
    { bout: 9 },
    { game: 9 },
    { viewer: 1 },
    { seats },
    { hand: ["Kc" as Card] },
    { result: scene("over_in_a_draw").result as never },
  ];
  for (const change of past) {
    const { waits, show } = makePlayer(makeOthersTurn(throwing));
    waits.togglePremove("9d", undefined);
    assert.deepEqual(show(scene(throwing, { ply: 2, last_ply: 2, ...change })), [], JSON.stringify(change));
    assert.equal(waits.card, undefined);
  }
  const back = makePlayer(makeOthersTurn(throwing, { ply: 3, last_ply: 3 }));
  back.waits.togglePremove("9d", undefined);
  assert.deepEqual(back.show(scene(throwing, { ply: 1, last_ply: 3, taken_back: true })), []);
});

test("a queued card with several uses asks which", () => {
  for (const [name, card] of [
    ["showing", "7h"],
    ["transferring", "7d"],
    ["defending", "6h"],
  ] as const) {
    const { waits, show } = makePlayer(makeOthersTurn(name, { actor: 0 }));
    waits.togglePremove(card, undefined);
    const ways = show(scene(name, { ply: 2, last_ply: 2 }));
    assert.deepEqual(ways, card === "7d" ? ["transfer 7d (7d)"] : [`which? ${card}`]);
  }
  const several = makePlayer(makeOthersTurn("several", { actor: 1 }));
  several.waits.togglePremove("7c", undefined); // Other cards of its rank could join it.
  assert.deepEqual(several.show(scene("several", { ply: 2, last_ply: 2 })), ["which? 7c"]);
});

test("a queued card with a target is only for that target", () => {
  const on = makePlayer(makeOthersTurn("defending", { actor: 0 }));
  on.waits.togglePremove("6h", "7s");
  assert.deepEqual(on.show(scene("defending", { ply: 2, last_ply: 2 })), ["beat 7s 6h (6h)"]);
  const other = makePlayer(makeOthersTurn("defending", { actor: 0 }));
  other.waits.togglePremove("9c", "7s");
  assert.deepEqual(other.show(scene("defending", { ply: 2, last_ply: 2 })), []);
});

test("no card is queued on the user's turn, in an exercise, with a covered hand, after the end or in replay", () => {
  const none = [
    scene(throwing),
    makeOthersTurn(throwing, { task: true }),
    makeOthersTurn(throwing, { covered: true }),
    scene("over_in_a_draw"),
  ];
  for (const other of [...none, makeOthersTurn(throwing, { last_ply: 3 })])
    assert.equal(makePlayer(other).waits.togglePremove("9d", undefined), undefined);
  assert.equal(makePlayer(makeOthersTurn(throwing, { last_ply: 3, taken_back: true })).waits.togglePremove("9d", undefined), true);
});

test("no card is queued unless the setting is on", () => {
  const { waits, show } = makePlayer(makeOthersTurn(throwing), false, false);
  assert.equal(waits.togglePremove("9d", undefined), undefined);
  assert.deepEqual(show(scene(throwing, { ply: 2, last_ply: 2 })), []);
});

test("the queue message is shown while a card is queued, and its end is announced when the bout is over", () => {
  const note = { kind: "refused", text: ["9♦ may not.", "The 9 may not."], card: "9d" } as const;
  const gone = [words.say("unheld", { card: words.formatCard("9d") })];
  for (const [change, texts] of [
    [{}, []],
    [{ bout: 9 }, gone],
    [{ game: 9 }, []],
    [{ viewer: 1 }, []],
    [{ result: scene("over_in_a_draw").result as never }, []],
  ] as const) {
    const someone = makePlayer(makeOthersTurn(throwing));
    someone.waits.togglePremove("9d", undefined);
    const described = someone.waits.describeNote(note);
    assert.equal(described.still?.(), words.say("held", { card: "9♦\ufe0e" }));
    someone.show(makeOthersTurn(throwing, { ply: 1, last_ply: 1, ...change }));
    assert.deepEqual(
      [someone.said, described.still?.() === undefined],
      [texts, "viewer" in change || "bout" in change || "game" in change || "result" in change],
    );
  }
});

test("nothing is played automatically while a question is open", () => {
  const { waits, show } = makePlayer(makeOthersTurn(throwing), true);
  waits.togglePremove("9d", undefined);
  assert.deepEqual(show(scene(throwing, { ply: 2, last_ply: 2 })), []);
});

test("an illegal card shows the reason and that it is queued", () => {
  const { waits } = makePlayer(makeOthersTurn(throwing));
  const note = { kind: "refused", text: ["9♦ may not.", "The 9 may not."], card: "9d" } as const;
  assert.equal(waits.describeNote(note), note);
  waits.togglePremove("9d", undefined);
  assert.deepEqual(waits.describeNote(note).text, [
    `9♦ may not. ${words.say("held", { card: "9♦\ufe0e" })}`,
    `The 9 may not. ${words.say("held", { card: words.formatCard("9d") })}`,
  ]);
  assert.equal(waits.describeNote({ ...note, card: "9s" }).kind, "refused");
});

test("done passes now and whenever asked, until the bout is over or done is cancelled", () => {
  const { waits, show, done, said: announced } = makePlayer(scene(throwing));
  waits.toggleDone();
  assert.deepEqual([waits.isDone, done.splice(0), announced], [true, ["pass"], [words.say("done.said")]]);
  assert.deepEqual(show(makeOthersTurn(throwing, { ply: 1, last_ply: 1 })), []);
  assert.deepEqual(show(scene(throwing, { ply: 2, last_ply: 2 })), ["pass"]);
  waits.toggleDone();
  assert.deepEqual(show(scene(throwing, { ply: 4, last_ply: 4 })), []);
  waits.toggleDone();
  done.splice(0);
  assert.deepEqual(show(scene(throwing, { ply: 6, last_ply: 6, bout: 9 })), []);
  assert.equal(waits.isDone, false);
});

test("choosing a card cancels done", () => {
  const { waits, show } = makePlayer(makeOthersTurn(throwing));
  waits.toggleDone();
  waits.togglePremove("9d", undefined);
  assert.equal(waits.isDone, false);
  assert.deepEqual(show(scene(throwing, { ply: 2, last_ply: 2 })), ["throw 9d (9d)"]);
});
