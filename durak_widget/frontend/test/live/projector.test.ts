/** The projector page: counts in words, the main button, marks, and the sizes of pictures. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type BarGroup,
  chooseMain,
  chooseRehearsal,
  describeChange,
  formatTime,
  hasEveryoneAnswered,
  listMarks,
  listSilentRoles,
  measurePicture,
  nameMain,
  type Person,
  type RoomState,
  rankPeople,
} from "../../src/live/projector/protocol";
import { Words } from "../../src/live/words";

const OPEN: RoomState = {
  revision: 1,
  code: "K7WM2P",
  language: "en",
  phase: "open",
  title: "",
  counts: { joined: 3, here: 3, answered: 1, expected: 3, simulated: 0 },
  people: [],
  question: { id: 1, kind: "game", title: "Entry", attempt: 1, round: 1, rounds: 1, is_working: false },
  tally: [],
  board: null,
  plan: null,
  commands: [],
  main: "stop",
  problem: null,
};
const count = (counts: Partial<RoomState["counts"]>): RoomState => ({ ...OPEN, counts: { ...OPEN.counts, ...counts } });

test("a phase, the last answer and a calculation are announced, and single answers are not", () => {
  assert.equal(describeChange(undefined, OPEN), undefined);
  assert.equal(describeChange(OPEN, count({ answered: 2 })), undefined);
  assert.equal(describeChange(OPEN, count({ answered: 3 })), "all_answered");
  const stopped: RoomState = { ...OPEN, phase: "stopped" };
  assert.equal(describeChange(OPEN, stopped), "phase");
  assert.ok(stopped.question);
  assert.equal(describeChange(stopped, { ...stopped, question: { ...stopped.question, is_working: true } }), "calculating");
  assert.equal(describeChange(OPEN, { ...OPEN, question: { ...stopped.question, attempt: 2 } }), "phase");
});

test("nobody is not everyone", () => {
  assert.equal(hasEveryoneAnswered(count({ answered: 0, expected: 0 })), false);
  assert.equal(hasEveryoneAnswered(count({ answered: 3 })), true);
});

test("simulated students can be added only to an empty room, and removed whenever there are some", () => {
  assert.equal(chooseRehearsal(count({ joined: 0 })), "rehearse");
  assert.equal(chooseRehearsal(count({ joined: 2 })), undefined);
  assert.equal(chooseRehearsal(count({ joined: 32, simulated: 30 })), "dismiss_simulated");
  assert.equal(chooseRehearsal({ ...count({ joined: 0 }), phase: "ended" }), undefined);
});

test("without a command of the session, the main button leads to the questions", () => {
  assert.equal(chooseMain(OPEN), "stop");
  assert.equal(chooseMain({ ...OPEN, phase: "lobby", main: "" }), "ask");
  assert.equal(chooseMain({ ...OPEN, phase: "ended", main: "" }), "");
  assert.equal(chooseMain({ ...OPEN, phase: "revealed", main: "end" }), "ask");
});

test("the main button says what comes next: the start, the same question again, the next round or the next question", () => {
  const { question } = OPEN;
  assert.ok(question);
  const next: RoomState = { ...OPEN, phase: "revealed", main: "next" };
  assert.equal(nameMain({ ...next, phase: "lobby" }), "start");
  assert.equal(nameMain(next), "next");
  assert.equal(nameMain({ ...next, question: { ...question, rounds: 3 } }), "round");
  assert.equal(nameMain({ ...next, phase: "stopped", question: { ...question, is_asked_again: true } }), "again");
  assert.equal(nameMain(OPEN), "stop");
});

const person = (seat: number, changes: Partial<Person>): Person => ({
  seat,
  name: `Student ${seat}`,
  here: true,
  answered: false,
  simulated: false,
  points: "",
  score: null,
  ...changes,
});

test("a role is silent while the question is open and nobody in it can answer or has answered", () => {
  assert.ok(OPEN.question);
  const question = { ...OPEN.question, roles: ["Even", "Odd"] };
  const people = [person(0, { role: "Even" }), person(1, { role: "Odd", here: false })];
  assert.deepEqual(listSilentRoles({ ...OPEN, question, people }), [{ role: "Odd", count: 1 }]);
  assert.deepEqual(listSilentRoles({ ...OPEN, question, people: people.slice(0, 1) }), [{ role: "Odd", count: 0 }]);
  assert.deepEqual(
    listSilentRoles({ ...OPEN, question, people: [person(0, { role: "Even" }), person(1, { role: "Odd", here: false, answered: true })] }),
    [],
  );
  assert.deepEqual(listSilentRoles({ ...OPEN, phase: "stopped", question, people }), []);
});

test("equal points share a place, and students without points have none", () => {
  const people = [1, null, 3, 1].map((score, seat) => person(seat, { score }));
  assert.deepEqual(
    rankPeople(people, 10).map(({ place, person: { seat } }) => [place, seat]),
    [
      [1, 2],
      [2, 0],
      [2, 3],
    ],
  );
  assert.equal(rankPeople(people, 2).length, 2);
});

test("a time has minutes and two digits of seconds", () => {
  assert.deepEqual([0, 65.9, 600].map(formatTime), ["0:00", "1:05", "10:00"]);
});

test("the legend has each mark in use once, in a fixed order", () => {
  const bar = (marks: BarGroup["bars"][number]["marks"]) => ({ label: "", count: 0, percent: "", fraction: 0, marks, note: "" });
  const groups: BarGroup[] = [
    { title: "", note: "", bars: [bar(["mistake"]), bar(["best", "equilibrium"])] },
    { title: "", note: "", bars: [bar(["best"])] },
  ];
  assert.deepEqual(listMarks(groups), ["best", "equilibrium", "mistake"]);
});

test("the size of a picture and of its smallest text is in its SVG", () => {
  const styled = '<svg viewBox="0 0 282.4 168" width="5"><style>text{font-size:12.5px}.t-small{font-size:11px}</style></svg>';
  assert.deepEqual(measurePicture(styled), { width: 282.4, height: 168, text: 11 });
  assert.deepEqual(measurePicture('<svg width="90" height="60"><text font-size="14">a</text></svg>'), { width: 90, height: 60, text: 14 });
  const { width, height, text } = measurePicture("<svg></svg>");
  assert.ok(width > 0 && height > 0 && text > 0);
});

test("counts have the plural forms of their language, and missing words are shown by their keys", () => {
  const texts = { "students.one": "{count} студент", "students.few": "{count} студента", "students.many": "{count} студентов" };
  const words = new Words("ru", texts);
  assert.deepEqual(
    [1, 3, 11, 21].map((number) => words.sayCount("students", number)),
    ["1 студент", "3 студента", "11 студентов", "21 студент"],
  );
  assert.equal(words.say("missing"), "missing");
});
