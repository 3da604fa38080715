/** The kinds of exercises: their items and buttons. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Attempt,
  type ExerciseData,
  type ExerciseKind,
  isChanged,
  isKind,
  isOver,
  KINDS,
  type KindName,
  moveCard,
} from "../../src/exercise/exercise-kinds";
import { wording } from "../golden";

const row = ["a", "b", "c", "d"];

test("a moved card is at its new place, and the others close the gap", () => {
  assert.deepEqual(moveCard(row, 0, 2), ["b", "c", "a", "d"]);
  assert.deepEqual(moveCard(row, 3, 0), ["d", "a", "b", "c"]);
  assert.deepEqual(moveCard(row, 1, 1), row);
});

test("moving a card beyond an end puts it at that end, and no card is lost", () => {
  assert.deepEqual(moveCard(row, 1, 9), ["a", "c", "d", "b"]);
  for (let from = 0; from < 4; from++) for (let to = -2; to < 7; to++) assert.deepEqual([...moveCard(row, from, to)].sort(), row);
});

const BLANK: ExerciseData = {
  kind: "pick",
  question: "",
  picture: "",
  items: [
    ["9c", ""],
    ["Jc", ""],
    ["Ah", ""],
  ],
  trump: null,
  answer: [],
  marks: {},
  feedback: [],
  state: "",
  attempt_count: 0,
};
const DRILL = { streak: 2, level: 1 };
/** Return the buttons of a kind in a state, by their words. */
const buttons = (kind: KindName, more: Partial<ExerciseData> = {}, sure = false): string[] =>
  Object.values(KINDS[kind].listButtons({ ...BLANK, kind, ...more }, sure));

test("each kind of exercise has exactly its own instructions", () => {
  const keys = Object.keys(wording).filter((key) => key.startsWith("how."));
  assert.deepEqual(
    keys.sort(),
    Object.keys(KINDS)
      .map((kind) => `how.${kind}`)
      .sort(),
  );
});

test("an unknown kind of exercise is not treated as a known one", () => {
  for (const name of ["guess", "", "constructor", "__proto__"]) assert.equal(isKind(name), false, name);
  assert.ok(isKind("sort"));
});

test("cards can be selected and deselected in any order", () => {
  const { getInitialAnswer, choose, isPicked } = KINDS.pick;
  let attempt: Attempt = { answer: getInitialAnswer(BLANK), held: -1 };
  for (const card of ["Jc", "9c", "Jc", "Ah"]) attempt = choose(card, attempt);
  assert.deepEqual(attempt.answer, ["9c", "Ah"]);
  assert.deepEqual(
    ["9c", "Jc", "Ah"].map((card, i) => isPicked(card, i, attempt)),
    [true, false, true],
  );
  assert.deepEqual(getInitialAnswer({ ...BLANK, answer: ["Ah"] }), ["Ah"]);
});

test("a row starts in the given order, and a card can be picked up and moved", () => {
  const { getInitialAnswer, choose, isPicked } = KINDS.sort;
  const data = { ...BLANK, kind: "sort" };
  assert.deepEqual(getInitialAnswer({ ...data, answer: ["Ah", "9c", "Jc"] }), ["Ah", "9c", "Jc"]);
  const row: Attempt = { answer: getInitialAnswer(data), held: -1 };
  assert.deepEqual(row.answer, ["9c", "Jc", "Ah"]);
  const up = choose("Jc", row);
  assert.deepEqual(up, { answer: ["9c", "Jc", "Ah"], held: 1 });
  assert.deepEqual(
    ["9c", "Jc", "Ah"].map((card, i) => isPicked(card, i, up)),
    [false, true, false],
  );
  assert.deepEqual(choose("9c", up), { answer: ["Jc", "9c", "Ah"], held: -1 });
  assert.deepEqual(choose("Ah", up), { answer: ["9c", "Ah", "Jc"], held: -1 });
  assert.deepEqual(choose("Jc", up), row, "laid where it was, it is let go");
});

test("the chosen option is the answer", () => {
  assert.equal(KINDS.choose.answersAtOnce, true);
  assert.deepEqual(KINDS.choose.choose("1").answer, ["1"]);
});

test("typed text stays until the exercise is restarted", () => {
  assert.equal(KINDS.number.isTyped, true);
  assert.deepEqual(KINDS.number.getInitialAnswer({ ...BLANK, kind: "number", answer: ["5/18"] }), ["5/18"]);
  assert.deepEqual(KINDS.number.getInitialAnswer({ ...BLANK, kind: "number" }), []);
});

test("the buttons depend on the state of the exercise", () => {
  for (const [kind, first] of [
    ["pick", ["check", "none"]],
    ["sort", ["check"]],
    ["number", ["check"]],
    ["board", ["check"]],
  ] as const) {
    assert.deepEqual(buttons(kind), first);
    assert.deepEqual(buttons(kind, { state: "wrong" }), [...first, "again", "reveal"]);
    assert.deepEqual(buttons(kind, { state: "right" }), ["once_more"]);
    assert.deepEqual(buttons(kind, { state: "shown" }), ["once_more"]);
    assert.deepEqual(buttons(kind, { state: "right", ...DRILL }), ["following"]);
    assert.deepEqual(buttons(kind, { state: "wrong", ...DRILL }), [...first, "again", "reveal"]);
  }
  assert.deepEqual(buttons("choose"), []);
  assert.deepEqual(buttons("choose", { state: "wrong" }), ["again", "reveal"]);
});

test("a table exercise is restarted at its table only", () => {
  for (const state of ["", "right", "shown"] as const) assert.deepEqual(buttons("play", { state, has_begun: true }), []);
  assert.deepEqual(buttons("play", { state: "wrong" }), ["reveal"]);
});

test("progress is deleted after a confirmation, and only if there is any", () => {
  assert.deepEqual(buttons("progress"), []);
  assert.deepEqual(buttons("progress", { attempt_count: 3 }), ["forget"]);
  assert.deepEqual(buttons("progress", { attempt_count: 3 }, true), ["sure"]);
});

test("a saved answer can always be changed, and no solution is offered", () => {
  for (const state of ["", "saved", "right", "wrong"] as const) {
    assert.equal(isOver({ ...BLANK, is_grading_deferred: true, state }), false);
    const kept = (kind: KindName): string[] => buttons(kind, { is_grading_deferred: true, state, attempt_count: state ? 1 : 0 });
    assert.deepEqual([kept("pick"), kept("sort"), kept("number"), kept("board")], [["keep", "none"], ["keep"], ["keep"], ["keep"]]);
    assert.deepEqual([kept("choose"), kept("play")], [[], []]);
  }
});

test("every kind with an answer says how the answer is saved", () => {
  const keys = Object.keys(wording).filter((key) => key.startsWith("keep.") && key !== "keep.changed");
  assert.deepEqual(
    keys.sort(),
    Object.entries<ExerciseKind>(KINDS)
      .filter(([, { hasTitleOnly }]) => !hasTitleOnly)
      .map(([kind]) => `keep.${kind}`)
      .sort(),
  );
});

test("a changed answer differs from the saved one until it is the same again", () => {
  const data: ExerciseData = { ...BLANK, is_grading_deferred: true, state: "saved", answer: ["Ah", "9c"] };
  const changed = (given: string[], row = false): boolean => isChanged(data, { answer: given, held: -1 }, row);
  assert.deepEqual([changed(["9c", "Ah"]), changed(["9c", "Ah"], true), changed(["9c"]), changed([])], [false, true, true, true]);
  assert.equal(isChanged({ ...data, is_grading_deferred: false }, { answer: [], held: -1 }), false);
});

test("one rule per row can be chosen, in any order", () => {
  const { bot } = KINDS;
  let attempt: Attempt = { answer: [], held: -1 };
  for (const item of ["take:never", "lead:low", "lead:high", "take:often"]) attempt = bot.choose(item, attempt);
  assert.deepEqual(attempt.answer, ["lead:high", "take:often"]);
  assert.deepEqual(buttons("bot"), ["check"]);
  assert.equal(
    isChanged({ ...BLANK, kind: "bot", is_grading_deferred: true, state: "saved", answer: ["take:often", "lead:high"] }, attempt),
    false,
  );
});
