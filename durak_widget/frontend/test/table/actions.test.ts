/** The call to action and its buttons, for each scene written by Python. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCall, listActions, type TableState } from "../../src/table/intents/actions";
import { isLookingBack, listVerbs } from "../../src/widgets/protocol/scene";
import { golden, scenes, words } from "../golden";

const NOTHING: TableState["play"] = { picked: [], aim: undefined, mode: undefined };
const at = (name: string, more: Partial<TableState> = {}): TableState => ({
  scene: golden(name).scene,
  words,
  play: NOTHING,
  disconnected: false,
  ...more,
});
const names = (moment: TableState): string[] => listActions(moment).map(({ name }) => name);

for (const { name, scene } of scenes) {
  test(`every legal move has a button or cards, and every button has a legal move: ${name}`, () => {
    const may = scene.legal;
    const found = names(at(name));
    for (const verb of listVerbs("bare", "asked", "two"))
      assert.equal(found.includes(verb), verb in may && !scene.result && !isLookingBack(scene), verb);
    assert.equal(found.includes("hint"), scene.can.hint === true && !scene.result);
    assert.equal(found.includes("here"), scene.covered === true && !scene.hides_hands);
    assert.equal(found.includes("unhide"), scene.hides_hands === true);
    assert.equal(found.includes("step"), scene.waits_for_step === true);
    assert.equal(found.includes("home"), scene.is_rotated === true);
    assert.equal(new Set(found).size, found.length);
  });
}

test("beside the next opponent, the other button names who plays the next game", () => {
  const { scene } = golden("over_and_turned");
  const labels = (changes: object): string[] => {
    const seats = scene.seats.map((seat, i) =>
      i === scene.viewer ? { ...seat, player: "you" } : { ...seat, player: "nephew", ...changes },
    );
    const moment = at("over_and_turned", {
      scene: { ...scene, seats, result: { ...scene.result, next_opponent: "uncle" } } as typeof scene,
    });
    return listActions(moment)
      .filter(({ name }) => name === "meet" || name === "next")
      .map(({ words }) => words);
  };
  const play = (who: string): string => words.say("meet", { who: words.formatPlayer(who) });
  assert.deepEqual(labels({}), [play("uncle"), play("nephew")]);
  assert.deepEqual(labels({ next_player: "aunt" }), [play("uncle"), play("aunt")]);
  assert.deepEqual(labels({ next_player: "uncle" }), [play("uncle")]);
});

test("exactly one button is primary", () => {
  for (const { name } of scenes) assert.ok(listActions(at(name)).filter(({ primary }) => primary).length <= 1, name);
  assert.deepEqual(listActions(at("covered")), [
    { name: "here", words: words.say("here", { number: golden("covered").scene.viewer + 1 }), primary: true },
  ]);
});

test("the hint is the last button, and stays there with other words", () => {
  for (const { name, scene } of scenes) {
    const found = names(at(name));
    if (found.includes("hint")) assert.equal(found.at(-1), "hint", name);
    if (found.includes("cancel")) assert.equal(found.at(-1), "cancel", name);
    if (!scene.can.hint || scene.result) continue;
    const [before, after] = [undefined, true as const].map((has_shown_thought) =>
      listActions(at(name, { scene: { ...scene, has_shown_thought } as TableState["scene"] })).at(-1),
    );
    assert.deepEqual([before?.words, before?.wide], [after?.wide, after?.words]); // Both texts give the button its width.
  }
});

test("a player who is out can skip to the end", () => {
  const { scene } = golden("throwing_in");
  const left = { ...scene, actor: 1, legal: {}, can: { end: true } } as const;
  assert.deepEqual(names(at("throwing_in", { scene: left })), ["end"]);
});

test("the button for the review never takes the place of the replay button", () => {
  const found = (review?: TableState["scene"]["review"], more = {}): string[] =>
    names(at("over_and_turned", { scene: { ...golden("over_and_turned").scene, review, ...more } as TableState["scene"] }));
  assert.deepEqual(names(at("over_and_turned")), ["next", "turned"]);
  assert.deepEqual(found({ text: ["", ""], turning_points: [], is_pending: true }), ["next"]);
  assert.deepEqual(found({ text: ["", ""], turning_points: [] }), ["next", "replay"]);
  assert.deepEqual(found({ text: ["", ""], retry_ply: 0 }), ["next", "replay"]);
  assert.deepEqual(found(), ["next", "replay"]);
});

test("at the end there are buttons for the next game and the replay", () => {
  assert.deepEqual(names(at("over_in_a_draw")), ["next", "replay"]);
  const findWords = (name: string, more: Partial<TableState["scene"]> = {}): string | undefined =>
    listActions(at(name, { scene: { ...golden(name).scene, ...more } }))[0]?.words;
  assert.equal(findWords("over_in_a_draw"), words.say("next_game"));
  assert.equal(findWords("over_in_a_draw", { task: true }), words.say("again"));
  assert.equal(findWords("over_for_a_team"), words.say("new_match"));
  const { last_ply: last } = golden("over_in_a_draw").scene;
  assert.deepEqual(names(at("over_in_a_draw", { scene: { ...golden("over_in_a_draw").scene, last_ply: last + 1 } })), ["replay"]);
});

test("a decided task shows its verdict and one restart button", () => {
  for (const [name, label, again] of [
    ["task_missed", "lesson.not_yet lesson.goal.trumped|card=A♥︎", "screen.again"],
    ["task_done", "lesson.right lesson.goal.beaten", "screen.once_more"],
  ] as const) {
    assert.equal(formatCall(at(name)), label);
    assert.deepEqual(listActions(at(name)), [{ name: "next", words: again, primary: true }]);
  }
});

test("selected cards can be played or deselected, and the prompt names them", () => {
  const play = { ...NOTHING, picked: ["7c"] };
  assert.deepEqual(names(at("several", { play })), ["attack", "cancel"]);
  assert.equal(formatCall(at("several", { play })), words.say("pick.more"));
  assert.equal(formatCall(at("defending", { play: { ...NOTHING, picked: ["6h"] } })), words.say("pick.target"));
  assert.equal(
    formatCall(at("defending", { play: { ...NOTHING, aim: "7c" } })),
    words.say("pick.beater", { card: words.formatCard("7c") }),
  );
  assert.deepEqual(names(at("defending", { play: { ...NOTHING, aim: "7c" } })), ["take", "cancel"]);
});

test("a chosen action is pressed and asks for its card", () => {
  const moment = at("transferring", { play: { ...NOTHING, mode: "transfer" } });
  assert.equal(listActions(moment).find(({ name }) => name === "transfer")?.pressed, true);
  assert.equal(formatCall(moment), words.say("pick.transfer"));
  assert.equal(listActions(at("transferring")).find(({ name }) => name === "transfer")?.pressed, false);
});

test("from an earlier moment the user can return, or continue for another player", () => {
  assert.ok(names(at("looking_back")).includes("back"));
  assert.ok(!names(at("looking_back")).includes("branch"));
  const { scene } = golden("waiting");
  assert.deepEqual(names(at("waiting", { scene: { ...scene, last_ply: scene.ply + 2 } })), ["back", "branch"]);
});

test("an earlier moment offers no move", () => {
  for (const name of ["defending", "throwing_in", "swapping", "transferring", "showing"]) {
    const { scene } = golden(name);
    const { hint: _, ...can } = scene.can; // Python offers none there.
    assert.deepEqual(names(at(name, { scene: { ...scene, can: { ...can, done: true }, last_ply: scene.ply + 2 } })), ["back"], name);
    assert.ok(names(at(name, { scene: { ...scene, last_ply: scene.ply + 2, taken_back: true } })).length > 1, name);
  }
});

test("without Python there is no button", () => {
  assert.deepEqual(listActions(at("defending", { disconnected: true })), []);
  assert.equal(formatCall(at("defending", { disconnected: true })), words.say("gone"));
});

test("otherwise the prompt is Python's", () => {
  assert.equal(formatCall(at("defending")), golden("defending").scene.call_to_action[0]);
  assert.equal(formatCall(at("over_as_the_fool")), ""); // The card on the table says it.
  assert.equal(formatCall(at("covered")), words.say("cover", { number: golden("covered").scene.viewer + 1 }));
});
