/** The warning about a missing answer: it starts only for intents with a scene as answer, and each answer stops it. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { TableParts } from "../../src/table/commands";
import { ANSWER_KINDS, Connection } from "../../src/table/connection";
import type { Intent, Message } from "../../src/widgets/protocol/scene";
import { answers, golden, words } from "../golden";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Return the warnings if Python answers like this and six seconds pass, in a notebook or on a web page. */
function warnings(kind: string, answer?: string, dataset: Record<string, string> = {}): string[] {
  const shown: string[] = [];
  const callout = {
    hide: () => {},
    showBubble: ({ text }: { text: readonly string[] }) => void shown.push(String(text[0])),
    announce: () => {},
  };
  const root = { ownerDocument: { documentElement: { dataset } } };
  const table = { scene: golden("throwing_in").scene, words, callout, root } as unknown as TableParts;
  const connection = new Connection(
    table,
    () => {},
    () => {},
  );
  connection.send({ kind } as Intent);
  if (answer) connection.handleAnswer(answer as "scene" | Message["kind"]);
  mock.timers.tick(6000);
  return shown;
}

test("the front end knows the answer to each kind of message", () => {
  const { panels: _panels, extras: _extras, ...known } = ANSWER_KINDS; // anywidget answers these before the table is asked.
  assert.deepEqual(Object.keys(known).sort(), Object.keys(answers).sort());
});

test("no answer of Python causes a warning about a missing answer", () => {
  const wrong = Object.entries(answers).flatMap(([kind, all]) =>
    all.filter((answer) => warnings(kind, answer).length).map((answer) => [kind, answer]),
  );
  assert.deepEqual(wrong, []);
});

test("a move without an answer causes a warning, a panel's request does not", () => {
  assert.deepEqual([warnings("move").length, warnings("deal").length, warnings("opponents"), warnings("review_by_cards")], [1, 1, [], []]);
});

test("a visitor of the web page reads nothing about Python", () => {
  assert.deepEqual(warnings("move"), [words.say("unanswered")]);
  assert.deepEqual(warnings("move", undefined, { languages: "en" }), [words.say("unanswered.page")]);
});
