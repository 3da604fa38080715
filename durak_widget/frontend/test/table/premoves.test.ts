/** What waits for its moment: a card chosen early, and being done with a bout; without a page. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Waiting } from "../../src/table/intents/card-play";
import type { Card, Scene } from "../../src/widgets/protocol/scene";
import { golden, words } from "../golden";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

const scene = (name: string, changes: Partial<Scene> = {}): Scene => ({ ...golden(name).scene, ...changes });
/** It is for another to act. */
const theirs = (name: string, changes: Partial<Scene> = {}): Scene => scene(name, { actor: 1, legal: {}, can: {}, ...changes });

/** Somebody at a table, who is shown one scene after the other. */
function person(first: Scene, busy = false, early = true) {
  const done: string[] = [];
  const said: string[] = [];
  const shared = {
    scene: first,
    words,
    look: { motion: true, early } as never,
    announce: (text: string) => void said.push(text),
  };
  const waits = new Waiting(shared, {
    move: (move, card) => void done.push(card ? `${move} (${card})` : move),
    choose: (card) => void done.push(`which? ${card}`),
    busy: () => busy,
    changed: () => {},
  });
  const show = (next: Scene): string[] => {
    shared.scene = { ...next, id: shared.scene.id + 1 };
    waits.settle();
    mock.timers.tick(300);
    return done.splice(0);
  };
  waits.settle();
  return { waits, show, said, done };
}

const throwing = "throwing_in"; // Player 1 may throw in 7h, 9d or 9s, or pass

test("a card waits while others act, and is played once it may be, in the one way that there is", () => {
  const { waits, show } = person(theirs(throwing));
  assert.equal(waits.hold("9d", undefined), true);
  assert.equal(waits.card, "9d");
  assert.deepEqual(show(theirs(throwing, { ply: 1, last: 1 })), []);
  assert.deepEqual(show(scene(throwing, { ply: 2, last: 2 })), ["throw 9d (9d)"]);
  assert.equal(waits.card, undefined);
  assert.deepEqual(show(scene(throwing, { ply: 4, last: 4 })), []);
});

test("a second click takes it back, Escape too, another card takes its place", () => {
  const { waits, said } = person(theirs(throwing));
  waits.hold("9d", undefined);
  assert.equal(waits.hold("9d", undefined), false);
  assert.deepEqual([waits.card, said], [undefined, [words.say("unheld", { card: words.card("9d") })]]);
  waits.hold("9d", undefined);
  waits.hold("9s", undefined);
  assert.equal(waits.card, "9s");
  assert.deepEqual([waits.free(), waits.free()], [true, false]);
});

test("it waits on while it may not be played, and is dropped where it was meant for something else", () => {
  const kept = person(theirs(throwing));
  kept.waits.hold("Kc", undefined);
  assert.deepEqual(kept.show(scene(throwing, { ply: 2, last: 2 })), []);
  assert.equal(kept.waits.card, "Kc");
  const seats = scene(throwing).seats.map((seat) => ({ ...seat, role: "defends" as const }));
  const past: Partial<Scene>[] = [
    { bout: 9 },
    { game: 9 },
    { me: 1 },
    { seats },
    { hand: ["Kc" as Card] },
    { over: scene("over_in_a_draw").over as never },
  ];
  for (const change of past) {
    const { waits, show } = person(theirs(throwing));
    waits.hold("9d", undefined);
    assert.deepEqual(show(scene(throwing, { ply: 2, last: 2, ...change })), [], JSON.stringify(change));
    assert.equal(waits.card, undefined);
  }
  const back = person(theirs(throwing, { ply: 3, last: 3 }));
  back.waits.hold("9d", undefined);
  assert.deepEqual(back.show(scene(throwing, { ply: 1, last: 3, taken_back: true })), []);
});

test("where it may be played in more ways than one, the person is asked", () => {
  for (const [name, card] of [
    ["showing", "7h"],
    ["transferring", "7d"],
    ["defending", "6h"],
  ] as const) {
    const { waits, show } = person(theirs(name, { actor: 0 }));
    waits.hold(card, undefined);
    const ways = show(scene(name, { ply: 2, last: 2 }));
    assert.deepEqual(ways, card === "7d" ? ["transfer 7d (7d)"] : [`which? ${card}`]);
  }
  const several = person(theirs("several", { actor: 1 }));
  several.waits.hold("7c", undefined); // others of its rank might join it
  assert.deepEqual(several.show(scene("several", { ply: 2, last: 2 })), ["which? 7c"]);
});

test("a card held over another is for that one alone", () => {
  const on = person(theirs("defending", { actor: 0 }));
  on.waits.hold("6h", "7s");
  assert.deepEqual(on.show(scene("defending", { ply: 2, last: 2 })), ["beat 7s 6h (6h)"]);
  const other = person(theirs("defending", { actor: 0 }));
  other.waits.hold("9c", "7s");
  assert.deepEqual(other.show(scene("defending", { ply: 2, last: 2 })), []);
});

test("no card waits on one's own turn, in an exercise, under backs, after the end or while one looks back", () => {
  const none = [scene(throwing), theirs(throwing, { task: true }), theirs(throwing, { covered: true }), scene("over_in_a_draw")];
  for (const one of [...none, theirs(throwing, { last: 3 })]) assert.equal(person(one).waits.hold("9d", undefined), undefined);
  assert.equal(person(theirs(throwing, { last: 3, taken_back: true })).waits.hold("9d", undefined), true);
});

test("no card waits unless that was chosen in the settings", () => {
  const { waits, show } = person(theirs(throwing), false, false);
  assert.equal(waits.hold("9d", undefined), undefined);
  assert.deepEqual(show(scene(throwing, { ply: 2, last: 2 })), []);
});

test("that it waits is said as long as it does, and that it does no more to who meant it alone", () => {
  const note = { kind: "refused", said: ["9♦ may not.", "The 9 may not."], card: "9d" } as const;
  const gone = [words.say("unheld", { card: words.card("9d") })];
  for (const [change, said] of [
    [{}, []],
    [{ bout: 9 }, gone],
    [{ game: 9 }, []],
    [{ me: 1 }, []],
    [{ over: scene("over_in_a_draw").over as never }, []],
  ] as const) {
    const someone = person(theirs(throwing));
    someone.waits.hold("9d", undefined);
    const told = someone.waits.said(note);
    assert.equal(told.still?.(), words.say("held", { card: "9♦\ufe0e" }));
    someone.show(theirs(throwing, { ply: 1, last: 1, ...change }));
    assert.deepEqual(
      [someone.said, told.still?.() === undefined],
      [said, "me" in change || "bout" in change || "game" in change || "over" in change],
    );
  }
});

test("while something else is asked, nothing is played by itself", () => {
  const { waits, show } = person(theirs(throwing), true);
  waits.hold("9d", undefined);
  assert.deepEqual(show(scene(throwing, { ply: 2, last: 2 })), []);
});

test("what is tried still hears why not, and that it waits", () => {
  const { waits } = person(theirs(throwing));
  const note = { kind: "refused", said: ["9♦ may not.", "The 9 may not."], card: "9d" } as const;
  assert.equal(waits.said(note), note);
  waits.hold("9d", undefined);
  assert.deepEqual(waits.said(note).said, [
    `9♦ may not. ${words.say("held", { card: "9♦\ufe0e" })}`,
    `The 9 may not. ${words.say("held", { card: words.card("9d") })}`,
  ]);
  assert.equal(waits.said({ ...note, card: "9s" }).kind, "refused");
});

test("done with this bout, one passes now and whenever asked, until it is over or taken back", () => {
  const { waits, show, done, said } = person(scene(throwing));
  waits.finish();
  assert.deepEqual([waits.done, done.splice(0), said], [true, ["pass"], [words.say("done.said")]]);
  assert.deepEqual(show(theirs(throwing, { ply: 1, last: 1 })), []);
  assert.deepEqual(show(scene(throwing, { ply: 2, last: 2 })), ["pass"]);
  waits.finish();
  assert.deepEqual(show(scene(throwing, { ply: 4, last: 4 })), []);
  waits.finish();
  done.splice(0);
  assert.deepEqual(show(scene(throwing, { ply: 6, last: 6, bout: 9 })), []);
  assert.equal(waits.done, false);
});

test("who is done and yet chooses a card is not done", () => {
  const { waits, show } = person(theirs(throwing));
  waits.finish();
  waits.hold("9d", undefined);
  assert.equal(waits.done, false);
  assert.deepEqual(show(scene(throwing, { ply: 2, last: 2 })), ["throw 9d (9d)"]);
});
