/** Drafts of answers: what is missing, what is sent, and when two answers are the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  completeDraft,
  type Draft,
  describeAnswer,
  describeShape,
  draftFrom,
  EMPTY,
  isSameAnswer,
  mixFrom,
  setShare,
} from "../../src/live/student/answers";
import type { Form, GameForm } from "../../src/live/student/protocol";
import { Words } from "../../src/live/words";

const GAME: GameForm = {
  type: "game",
  title: "",
  text: "",
  allows_mix: true,
  infosets: [
    { id: 0, label: "first", actions: [{ text: "in" }, { text: "out" }] },
    { id: 3, label: "then", actions: [{ text: "fight" }, { text: "share" }] },
  ],
};
const number = (more: object = {}): Form => ({ type: "number", title: "", text: "", minimum: 0, maximum: 100, ...more });
const typed = (text: string): Draft => ({ ...EMPTY, typed: text });
const answerOf = (form: Form, draft: Draft): unknown => {
  const complete = completeDraft(form, draft);
  return "answer" in complete ? complete.answer : complete.missing.text;
};

test("a game needs a choice at each information set, and the first one without is named", () => {
  const complete = completeDraft(GAME, { ...EMPTY, infosets: [1] });
  assert.deepEqual("missing" in complete && complete.missing.infoset, 1);
  assert.deepEqual(answerOf(GAME, { ...EMPTY, infosets: [1, [25, 75]] }), { infosets: [1, [25, 75]] });
});

test("one option is a number, several are a sorted list, and none is no answer", () => {
  const form = (multiple: boolean): Form => ({ type: "choice", title: "", text: "", multiple, options: [] });
  assert.deepEqual(answerOf(form(false), { ...EMPTY, chosen: [2] }), { choice: 2 });
  assert.deepEqual(answerOf(form(true), { ...EMPTY, chosen: [3, 0] }), { choices: [0, 3] });
  assert.equal(answerOf(form(false), EMPTY), "need.choice");
  assert.equal(answerOf(form(true), EMPTY), "need.choices");
});

test("a number is taken as people write it, and checked before it is sent", () => {
  assert.deepEqual(answerOf(number(), typed(" 33,5 ")), { number: "33.5" });
  assert.deepEqual(answerOf(number(), typed("1/3")), { number: "1/3" }, "the session reads fractions");
  assert.deepEqual(answerOf(number({ minimum: -5 }), typed("−2")), { number: "-2" });
  for (const [text, key] of [
    ["", "need.number"],
    ["many", "need.number"],
    ["101", "need.range"],
    ["-1", "need.range"],
  ] as const)
    assert.equal(answerOf(number(), typed(text)), key, text);
  assert.equal(answerOf(number({ whole: true }), typed("2.5")), "need.whole");
  assert.deepEqual(answerOf(number({ maximum: null }), typed("1000")), { number: "1000" });
});

test("each answer that is sent comes back as the same draft", () => {
  for (const draft of [typed("1/3"), { ...EMPTY, chosen: [1] }, { ...EMPTY, infosets: [0, [50, 50]] }]) {
    const form: Form = draft.typed
      ? { type: "text", title: "", text: "" }
      : draft.chosen.length
        ? { type: "choice", title: "", text: "", options: [] }
        : GAME;
    const complete = completeDraft(form, draft);
    assert.deepEqual("answer" in complete && draftFrom(complete.answer), draft);
  }
});

test("an action that is certain is shown as a choice, also if the session writes it as a mix", () => {
  assert.deepEqual(
    draftFrom({
      infosets: [
        [0, 100],
        [50, 50],
      ],
    }).infosets,
    [1, [50, 50]],
  );
});

test("answers are the same however the session writes them", () => {
  assert.ok(isSameAnswer({ number: "33.50" }, { number: "33.5" }));
  assert.ok(isSameAnswer({ number: "33.5" }, { number: "67/2" }));
  assert.ok(isSameAnswer({ infosets: [[0, 100], 0] }, { infosets: [1, 0] }));
  assert.ok(isSameAnswer(null, null));
  assert.ok(!isSameAnswer({ infosets: [[50, 50]] }, { infosets: [[51, 49]] }));
  assert.ok(!isSameAnswer({ choice: 0 }, null));
  assert.ok(!isSameAnswer({ choice: 0 }, { choices: [0] }));
});

test("the percents of a mix are whole and always 100 in all", () => {
  for (let count = 2; count < 7; count++) {
    let mix = mixFrom(undefined, count);
    for (let step = 0; step < 60; step++) {
      const percent = (step * 37) % 101;
      mix = setShare(mix, step % count, percent);
      assert.equal(mix[step % count], percent);
      assert.equal(
        mix.reduce((a, b) => a + b),
        100,
      );
      assert.ok(mix.every((share) => Number.isInteger(share) && share >= 0));
    }
  }
});

test("a mix begins with the chosen action, and the others keep their proportions", () => {
  assert.deepEqual(mixFrom(1, 3), [0, 100, 0]);
  assert.deepEqual(setShare([20, 40, 40], 0, 50), [50, 25, 25]);
  assert.deepEqual(setShare([100, 0, 0], 0, 40), [40, 30, 30]);
});

test("an answer is described by the words that the student chose", () => {
  const [english, russian] = (["en", "ru"] as const).map((language) => new Words<never>(language, { "mix.percent": "{percent}%" }));
  assert.ok(english && russian);
  const choice: Form = { type: "choice", title: "", text: "", multiple: true, options: [{ text: "Ann" }, { text: "", picture: "x" }] };
  assert.deepEqual(describeAnswer(GAME, { infosets: [1, [30, 70]] }, english), ["first: out", "then: fight 30%, share 70%"]);
  assert.deepEqual(describeAnswer({ ...GAME, infosets: GAME.infosets.slice(0, 1) }, { infosets: [[100, 0]] }, english), ["in"]);
  assert.deepEqual(describeAnswer(choice, { choices: [0, 1] }, english), ["Ann; 2"]);
  assert.deepEqual(describeAnswer(number({ unit: "€" }), { number: "-2.5" }, russian), ["−2,5 €"]);
  assert.deepEqual(describeAnswer(number(), { text: "1/3" }, english), ["1/3"]);
});

test("the same question has the same shape in each language", () => {
  assert.equal(describeShape(GAME), describeShape({ ...GAME, title: "Žaidimas" }));
  assert.notEqual(describeShape(GAME), describeShape({ ...GAME, allows_mix: false }));
  assert.notEqual(describeShape(GAME), describeShape({ ...GAME, infosets: GAME.infosets.slice(1) }));
});
