/** What a student's page knows, when messages arrive late, twice, or not at all. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { Form, PageMessage, StateMessage } from "../../src/live/student/protocol";
import { StudentSession } from "../../src/live/student/session";

const FORM: Form = { type: "choice", title: "Who?", text: "", options: [{ text: "Ann" }, { text: "Ben" }] };

/** A page with a line that a test opens and cuts. */
function open(key = "", memory: unknown = undefined) {
  const sent: PageMessage[] = [];
  const address = { key, memory };
  let isOpen = false;
  const line = {
    isWanted: false,
    checkCount: 0,
    check: () => {
      line.checkCount += 1;
    },
    start: () => {
      line.isWanted = true;
    },
    stop: () => {
      isOpen = line.isWanted = false;
    },
    send: (message: PageMessage) => {
      if (isOpen) sent.push(message);
      return isOpen;
    },
  };
  const session = new StudentSession(line, address, "en", () => {});
  return {
    session,
    address,
    line,
    /** Return the messages since the last call. */
    take: () => sent.splice(0),
    connect: () => {
      isOpen = true;
      session.opened();
    },
    cut: (code = 1006) => {
      isOpen = false;
      session.lost(code);
    },
    ask: (question: number, more: Partial<StateMessage> = {}) => {
      session.receive({ kind: "question", question, form: FORM });
      session.receive(makeState({ question, revision: 10 * question, ...more }));
    },
  };
}

const makeState = (more: Partial<StateMessage>): StateMessage => ({
  kind: "state",
  revision: 1,
  phase: "open",
  question: 1,
  answer: null,
  result: null,
  ...more,
});

/** A page in a seat. */
function join(first: Partial<StateMessage> = { phase: "lobby", question: null, revision: 0 }) {
  const page = open();
  page.session.join("Ann");
  page.connect();
  page.session.receive({ kind: "seat", seat: 0, name: "Ann", key: "secret" });
  page.session.receive(makeState(first));
  page.take();
  return page;
}

/** The same page after a reload, with a line again. */
function reload(page: ReturnType<typeof open>) {
  const next = open(page.address.key, JSON.parse(JSON.stringify(page.address.memory ?? null)));
  next.connect();
  next.session.receive({ kind: "seat", seat: 0, name: "Ann" });
  next.take();
  return next;
}

const choose = (page: ReturnType<typeof join>, choice: number): void => {
  page.session.edit({ ...page.session.draft, chosen: [choice] });
  page.session.submit();
};

test("a student joins with a name, and comes back with the key", () => {
  const page = open();
  assert.equal(page.session.stage, "join");
  assert.equal(page.line.isWanted, false, "without a name there is no connection");
  page.session.join(" Ann ");
  page.connect();
  assert.deepEqual(page.take(), [{ kind: "join", name: "Ann", language: "en" }]);
  page.session.receive({ kind: "seat", seat: 0, name: "Ann", key: "secret" });
  assert.equal(page.address.key, "secret");
  page.cut();
  page.connect();
  assert.deepEqual(page.take(), [{ kind: "resume", key: "secret", language: "en" }]);
  const reloaded = open("secret");
  assert.equal(reloaded.line.isWanted, true);
});

test("a reloaded page shows the answer that was sent", () => {
  const page = open("secret");
  page.connect();
  page.session.receive({ kind: "seat", seat: 0, name: "Ann" });
  page.ask(3, { answer: { choice: 1 } });
  assert.deepEqual(page.session.draft.chosen, [1]);
  assert.equal(page.session.delivery, "sent");
});

test("an answer is sent once, and the state confirms it", () => {
  const page = join();
  page.ask(1);
  choose(page, 1);
  assert.equal(page.session.delivery, "sending");
  assert.deepEqual(page.take(), [{ kind: "answer", question: 1, answer: { choice: 1 } }]);
  page.session.receive(makeState({ revision: 11, answer: { choice: 1 } }));
  assert.equal(page.session.delivery, "sent");
  page.session.submit();
  assert.deepEqual(page.take(), [], "the same answer is not sent again");
  page.session.edit({ ...page.session.draft, chosen: [0] });
  assert.equal(page.session.delivery, "unsent");
});

test("an answer that was sent without a connection is sent when it is back", () => {
  const page = join();
  page.ask(1);
  page.cut();
  choose(page, 0);
  assert.equal(page.session.delivery, "sending");
  assert.ok(page.session.isLost);
  page.connect();
  assert.deepEqual(
    page.take().map(({ kind }) => kind),
    ["resume"],
    "not before the session knows who it is",
  );
  page.session.receive({ kind: "seat", seat: 0, name: "Ann" });
  page.ask(1);
  assert.deepEqual(page.take(), [{ kind: "answer", question: 1, answer: { choice: 0 } }]);
  assert.ok(!page.session.isLost);
});

test("an answer that got lost with the line is sent again, and one that arrived is not", () => {
  for (const hasArrived of [false, true]) {
    const page = join();
    page.ask(1);
    choose(page, 0);
    page.take();
    page.cut();
    page.connect();
    page.take();
    page.session.receive({ kind: "seat", seat: 0, name: "Ann" });
    page.ask(1, hasArrived ? { answer: { choice: 0 }, revision: 11 } : {});
    assert.equal(page.take().length, hasArrived ? 0 : 1);
  }
});

test("an answer that comes after the stop is not sent, and the page says so", () => {
  const page = join();
  page.ask(1, { answer: { choice: 1 } });
  page.cut();
  choose(page, 0);
  page.connect();
  page.take();
  page.session.receive({ kind: "seat", seat: 0, name: "Ann" });
  page.ask(1, { phase: "stopped", answer: { choice: 1 }, revision: 12 });
  assert.deepEqual(page.take(), []);
  assert.ok(page.session.isTooLate);
  assert.deepEqual(page.session.draft.chosen, [1], "the page shows the answer that counts");
  assert.deepEqual(page.session.late, { title: "Who?", hasEarlier: true, isCertain: true });
});

test("an answer that was not sent in time is reported although the next question is open, until it is dismissed", () => {
  for (const wasSent of [false, true]) {
    const page = join();
    page.ask(1);
    if (!wasSent) page.cut();
    choose(page, 0);
    if (wasSent) page.cut();
    page.connect();
    page.session.receive({ kind: "seat", seat: 0, name: "Ann" });
    page.ask(2);
    assert.deepEqual(page.session.late, { title: "Who?", hasEarlier: false, isCertain: !wasSent }, "a lost line may have delivered it");
    assert.ok(!page.session.isTooLate, "the new question is not too late");
    page.ask(3);
    assert.ok(page.session.late);
    page.session.dismissLate();
    assert.equal(page.session.late, undefined);
  }
});

test("an answer that the session refuses because the question is over is reported as late", () => {
  for (const reason of ["not_open", "stale_question"]) {
    const page = join();
    page.ask(1);
    choose(page, 0);
    page.session.receive({ kind: "refused", reason, text: "No.", question: 1 });
    page.ask(2);
    assert.ok(page.session.late?.isCertain);
    assert.equal(page.session.refusal, "", "the next question shows no refusal");
  }
});

test("a change that was not sent before the stop is reported, and the answer that counts is shown", () => {
  const page = join();
  page.ask(1);
  choose(page, 0);
  page.session.receive(makeState({ revision: 11, answer: { choice: 0 } }));
  page.session.edit({ ...page.session.draft, chosen: [1] });
  page.session.receive(makeState({ phase: "stopped", revision: 12, answer: { choice: 0 } }));
  assert.ok(page.session.isChangeLost);
  assert.deepEqual(page.session.draft.chosen, [0]);
  page.ask(2);
  assert.ok(!page.session.isChangeLost);
  choose(page, 1);
  page.session.receive(makeState({ question: 2, phase: "stopped", revision: 22, answer: { choice: 1 } }));
  assert.ok(!page.session.isChangeLost, "this answer was sent");
});

test("a question that is asked again begins with the earlier answer, which must be sent", () => {
  for (const isReloaded of [false, true]) {
    let page = join();
    page.ask(1, { answer: { choice: 1 } });
    page.session.receive(makeState({ phase: "stopped", revision: 12, answer: { choice: 1 } }));
    if (isReloaded) page = reload(page);
    page.ask(2, { attempt: 2 });
    assert.deepEqual(page.session.draft.chosen, [1]);
    assert.equal(page.session.repeats, "first");
    assert.equal(page.session.delivery, "none");
    page.session.submit();
    assert.deepEqual(page.take(), [{ kind: "answer", question: 2, answer: { choice: 1 } }]);
  }
});

test("another question, another form, or a closed question does not begin with an earlier answer", () => {
  for (const [more, form] of [
    [{ attempt: 1 }, FORM],
    [{ attempt: 2 }, { ...FORM, options: [{ text: "Ann" }] }],
    [{ attempt: 2, phase: "stopped" }, FORM],
  ] as const) {
    const page = join();
    page.ask(1, { answer: { choice: 1 } });
    page.session.receive({ kind: "question", question: 2, form });
    page.session.receive(makeState({ question: 2, revision: 20, ...more }));
    assert.deepEqual(page.session.draft.chosen, []);
    assert.equal(page.session.repeats, "");
  }
});

test("a reload keeps what was chosen but not sent, and only for the same question", () => {
  for (const question of [1, 2]) {
    const page = join();
    page.ask(1);
    page.session.edit({ ...page.session.draft, chosen: [1] });
    const next = reload(reload(page)); // also when the first reload was too short for the question
    next.ask(question);
    assert.deepEqual(next.session.draft.chosen, question === 1 ? [1] : []);
    assert.equal(next.session.delivery, "none");
    assert.deepEqual(next.take(), [], "it is not sent without the student");
  }
});

test("a reload keeps an answer on its way", () => {
  const page = join();
  page.ask(1);
  page.cut();
  choose(page, 1);
  const next = reload(page);
  next.ask(1);
  assert.deepEqual(next.take(), [{ kind: "answer", question: 1, answer: { choice: 1 } }]);
});

test("a new student in the same window does not see the drafts of the one before", () => {
  const page = join();
  page.ask(1);
  page.session.edit({ ...page.session.draft, chosen: [1] });
  const other = open("", page.address.memory);
  other.session.join("Ben");
  other.connect();
  other.session.receive({ kind: "seat", seat: 1, name: "Ben", key: "other" });
  other.ask(1);
  assert.deepEqual(other.session.draft.chosen, []);
  page.session.receive({ kind: "removed" });
  assert.equal(page.address.memory, undefined);
});

test("someone who comes between two questions is a newcomer until the next one", () => {
  const page = join({ phase: "revealed", question: 4, revision: 40 });
  assert.ok(page.session.isNewcomer);
  const again = reload(page);
  again.session.receive(makeState({ phase: "revealed", question: 4, revision: 40 }));
  assert.ok(again.session.isNewcomer);
  page.ask(5);
  page.session.receive(makeState({ phase: "stopped", question: 5, revision: 51 }));
  assert.ok(!page.session.isNewcomer);
  assert.ok(!join({ phase: "open", question: 4, revision: 40 }).session.isNewcomer);
});

test("an answer without a reply counts as a lost connection after some seconds", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const page = join();
    page.ask(1);
    choose(page, 1);
    mock.timers.tick(5_000);
    assert.ok(page.session.isSlow);
    assert.equal(page.line.checkCount, 1);
    page.session.receive(makeState({ revision: 11, answer: { choice: 1 } }));
    assert.ok(!page.session.isSlow);
    choose(page, 0);
    page.session.receive(makeState({ revision: 12, answer: { choice: 0 } }));
    mock.timers.tick(60_000);
    assert.ok(!page.session.isSlow, "a reply in time");
  } finally {
    mock.timers.reset();
  }
});

test("a session that is over lets nobody in, and says so", () => {
  const page = open();
  page.session.join("Ann");
  page.connect();
  page.session.receive({ kind: "refused", reason: "ended", text: "Over." });
  assert.equal(page.session.stage, "over");
  assert.equal(page.line.isWanted, false);
});

test("a choice that was not sent is not shown as the answer after the stop", () => {
  const page = join();
  page.ask(1);
  page.session.edit({ ...page.session.draft, chosen: [1] });
  page.session.receive(makeState({ phase: "stopped", revision: 11 }));
  assert.deepEqual(page.session.draft.chosen, []);
});

test("a new line or another language leaves what is chosen, and a new question does not", () => {
  const page = join();
  page.ask(1);
  page.session.edit({ ...page.session.draft, chosen: [1] });
  const before = page.session.form;
  page.ask(1);
  assert.deepEqual(page.session.draft.chosen, [1]);
  assert.equal(page.session.form, before, "the same form is not drawn again");
  page.session.receive({ kind: "question", question: 1, form: { ...FORM, title: "Kas?" } });
  assert.equal(page.session.form?.title, "Kas?");
  assert.deepEqual(page.session.draft.chosen, [1]);
  page.ask(2);
  assert.deepEqual(page.session.draft.chosen, []);
});

test("the last question is shown until the state of the next one arrives", () => {
  const page = join();
  page.ask(1);
  page.session.receive({ kind: "question", question: 2, form: { ...FORM, title: "Next" } });
  assert.equal(page.session.form?.title, "Who?");
  page.session.receive(makeState({ question: 2, revision: 20 }));
  assert.equal(page.session.form?.title, "Next");
});

test("an older state is ignored, and the same one is not", () => {
  const page = join();
  page.ask(2, { revision: 20 });
  page.session.receive(makeState({ question: 1, revision: 19 }));
  assert.equal(page.session.state?.question, 2);
  page.session.receive(makeState({ question: 2, revision: 20, name: "Anne" }));
  assert.equal(page.session.name, "Anne");
});

test("a refused answer can be corrected", () => {
  const page = join();
  page.ask(1);
  choose(page, 1);
  page.session.receive({ kind: "refused", reason: "bad_answer", text: "No.", question: 1 });
  assert.equal(page.session.refusal, "No.");
  assert.equal(page.session.delivery, "none");
  assert.deepEqual(page.session.draft.chosen, [1]);
  choose(page, 0);
  assert.equal(page.session.refusal, "");
  assert.equal(page.session.delivery, "sending");
});

test("a refused name leads back to the form, and a lost seat too", () => {
  const named = open();
  named.session.join("???");
  named.connect();
  named.session.receive({ kind: "refused", reason: "name", text: "Another name, please." });
  assert.equal(named.session.stage, "join");
  assert.deepEqual(named.session.notice, { text: "Another name, please." });
  const unknown = open("old");
  unknown.connect();
  unknown.session.receive({ kind: "refused", reason: "unknown_key", text: "" });
  assert.equal(unknown.session.stage, "join");
  assert.equal(unknown.address.key, "");
  const hasty = open("secret");
  hasty.connect();
  hasty.session.receive({ kind: "refused", reason: "too_fast", text: "" });
  assert.equal(hasty.address.key, "secret", "a seat is not given up because of the line");
});

test("a removed student can join again, and forgets the old seat", () => {
  const page = join();
  page.ask(4);
  page.session.receive({ kind: "removed" });
  assert.equal(page.session.stage, "removed");
  assert.equal(page.address.key, "");
  page.session.comeBack();
  page.session.join("Ann");
  page.connect();
  assert.deepEqual(page.take(), [{ kind: "join", name: "Ann", language: "en" }]);
  page.session.receive({ kind: "seat", seat: 1, name: "Ann", key: "other" });
  page.session.receive(makeState({ revision: 1, question: null, phase: "lobby" }));
  assert.equal(page.session.state?.phase, "lobby", "a new seat counts from the beginning");
});

test("the seat goes to the page that was opened last, and that page does not fight for it", () => {
  const page = join();
  page.cut(4409);
  assert.equal(page.session.stage, "elsewhere");
  assert.equal(page.line.isWanted, false);
  page.session.returnHere();
  assert.equal(page.line.isWanted, true);
});

test("after the end the line may close without a warning", () => {
  const page = join();
  page.session.receive(makeState({ phase: "ended", question: null, revision: 30 }));
  page.cut();
  assert.ok(!page.session.isLost);
  assert.equal(page.line.isWanted, false);
});

test("a name can be corrected, and a refused one says why", () => {
  const page = join();
  page.session.rename(" Anne ");
  assert.deepEqual(page.take(), [{ kind: "rename", name: "Anne" }]);
  assert.ok(page.session.isRenaming);
  page.session.receive(makeState({ question: null, phase: "lobby", revision: 1, name: "Anne 2" }));
  assert.ok(!page.session.isRenaming);
  assert.equal(page.session.name, "Anne 2");
  page.session.rename("x".repeat(90));
  page.session.receive({ kind: "refused", reason: "name", text: "Too long." });
  assert.equal(page.session.nameProblem, "Too long.");
});

test("junk and unknown messages change nothing", () => {
  const page = join();
  page.ask(1);
  const before = page.session.state;
  for (const junk of [undefined, null, 3, "state", {}, { kind: "later" }, []]) page.session.receive(junk);
  assert.equal(page.session.state, before);
  page.ask(2, {});
  page.session.receive({ kind: "question", question: 3, form: { type: "drawing", title: "", text: "" } });
  page.session.receive(makeState({ question: 3, revision: 30 }));
  assert.equal(page.session.form, undefined, "a form that this page does not know is not shown");
});
