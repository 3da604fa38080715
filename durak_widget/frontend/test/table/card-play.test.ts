/** The user's selection, from picked cards to the sent move, without a page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CardPlay } from "../../src/table/intents/card-play";
import type { Card, Intent, Scene } from "../../src/widgets/protocol/scene";
import { golden, words } from "../golden";

/** Return a player at a table with this scene, who gives these answers. */
function makePlayer(scene: Scene, ...answers: (string | undefined)[]) {
  const sent: Intent[] = [];
  const asked: string[] = [];
  const lifted: (Card | undefined)[] = [];
  const dialog = {
    ask: <T>(question: string, given: readonly { readonly words: string; readonly value: T }[]): Promise<T | undefined> => {
      asked.push(question);
      const answer = answers.shift();
      return Promise.resolve(given.find((choice) => choice.words === answer)?.value);
    },
  };
  const play = new CardPlay(
    { scene, words, send: (intent) => void sent.push(intent) },
    dialog,
    () => {},
    (card) => void lifted.push(card),
  );
  /** Return the element of a card, which is marked if picked. */
  const at = (card: Card): HTMLElement =>
    ({ dataset: play.picked.some((pickedCard) => pickedCard.startsWith(card)) ? { picked: "" } : {} }) as unknown as HTMLElement;
  const click = async (...cards: Card[]): Promise<void> => {
    for (const card of cards) await play.chooseCard(card, at(card));
  };
  const target = (card: Card): Promise<void> => play.chooseTarget(card, at(card));
  const drop = (card: Card, on?: Card): Promise<boolean> => play.chooseCard(card, at(card), on ? { on } : {});
  return {
    play,
    sent,
    asked,
    lifted,
    at,
    click,
    target,
    drop,
    moves: () => sent.flatMap((intent) => (intent.kind === "move" ? [intent.move] : [])),
  };
}
const scene = (name: string): Scene => golden(name).scene;

test("a card with one use is played at once and raised", async () => {
  const { click, sent, lifted } = makePlayer(scene("opening"));
  await click("Jc");
  assert.deepEqual(sent, [{ kind: "move", move: "attack Jc" }]);
  assert.deepEqual(lifted, ["Jc"]);
});

test("an illegal card asks for the reason, with the target of a drop", async () => {
  const { click, drop, sent } = makePlayer(scene("stuck"));
  await click("7c");
  await drop("7c", "Kc");
  assert.deepEqual(sent, [
    { kind: "explain_refusal", card: "7c" },
    { kind: "explain_refusal", card: "7c", target: "Kc" },
  ]);
});

test("a card that beats two cards waits for its target", async () => {
  const { play, click, target, moves } = makePlayer(scene("defending"));
  assert.deepEqual([...play.findTargets()], ["7c", "7s"]);
  await click("6h");
  assert.deepEqual([play.picked, moves()], [["6h"], []]);
  await target("7s");
  assert.deepEqual(moves(), ["beat 7s 6h"]);
});

test("a target can be chosen first, and a second click deselects it", async () => {
  const { play, click, target, moves } = makePlayer(scene("defending"));
  await target("7s");
  assert.deepEqual([play.aim, [...play.findLitCards()].sort()], ["7s", ["6h", "9s", "Ts"]]);
  await target("7s");
  assert.equal(play.aim, undefined);
  await target("7c");
  await click("6h");
  assert.deepEqual(moves(), ["beat 7c 6h"]);
});

test("a card dropped on a card that it does not beat asks for the reason", async () => {
  const { drop, sent } = makePlayer(scene("defending"));
  await drop("9c", "7s");
  assert.deepEqual(sent, [{ kind: "explain_refusal", card: "9c", target: "7s" }]);
});

test("a card dropped on a card that it does not beat is played in its only legal way", async () => {
  const { drop, moves } = makePlayer(scene("transferring"));
  await drop("7d", "7c");
  assert.deepEqual(moves(), ["transfer 7d"]);
});

test("several cards of a rank open together", async () => {
  const { play, click, moves } = makePlayer(scene("several"));
  await click("7c");
  assert.deepEqual([...play.findLitCards()].sort(), ["7c", "7h", "7s"]);
  await click("7h", "7h", "7s"); // The second click takes it back.
  assert.deepEqual(play.picked, ["7c", "7s"]);
  play.attackWithPicked();
  assert.deepEqual(moves(), ["attack 7c 7s"]);
});

test("a second click on the only selected card plays it, and the last possible card plays them all", async () => {
  const alone = makePlayer(scene("several"));
  await alone.click("7c", "7c");
  assert.deepEqual(alone.moves(), ["attack 7c"]);
  const full = makePlayer(scene("no_more_than_the_limit"));
  await full.click("7c", "7d");
  assert.deepEqual(full.moves(), ["attack 7c 7d"]);
});

test("a selection can be cancelled", async () => {
  const { play, click } = makePlayer(scene("several"));
  assert.equal(play.cancel(), false);
  await click("7c");
  assert.equal(play.cancel(), true);
  assert.deepEqual([play.picked, play.aim, play.mode], [[], undefined, undefined]);
});

test("a button asks for the card if several are possible", async () => {
  const { play, at, click, moves, sent } = makePlayer(scene("transferring"));
  await play.chooseMode("transfer", at(""));
  assert.deepEqual([play.mode, [...play.findLitCards()].sort(), moves()], ["transfer", ["7d", "7h"], []]);
  await click("Jc");
  assert.deepEqual(sent, [{ kind: "explain_refusal", card: "Jc", verb: "transfer" }]);
  await click("7d");
  assert.deepEqual(moves(), ["transfer 7d"]);
});

test("a button plays the only possible card", async () => {
  const { play, at, moves } = makePlayer(scene("showing"));
  await play.chooseMode("show", at(""));
  assert.deepEqual(moves(), ["show 7h"]);
});

test("two cards are swapped, and a second click deselects one", async () => {
  const { play, at, click, moves } = makePlayer(scene("swapping"));
  const [first, second, third] = scene("swapping").hand as [Card, Card, Card];
  await play.chooseMode("swap", at(""));
  await click(first, first, second, third);
  assert.deepEqual(moves(), [`swap ${second} ${third}`]);
});

test("two equal cards can be swapped", async () => {
  const { play, at, click, moves } = makePlayer({ ...scene("swapping"), hand: ["8c", "8c", "9d"], legal: { swap: ["8c", "8c", "9d"] } });
  await play.chooseMode("swap", at(""));
  await click("8c", "8c");
  assert.deepEqual(moves(), ["swap 8c 8c"]);
});

test("a card with several actions asks which", async () => {
  const showing = makePlayer(scene("showing"), words.say("show"));
  await showing.click("7h");
  assert.deepEqual([showing.asked, showing.moves()], [[words.say("which_way", { card: words.formatCard("7h") })], ["show 7h"]]);
  const suit = makePlayer(scene("bells"), words.formatSuit("h"));
  await suit.click("6d");
  assert.deepEqual([suit.asked, suit.moves()], [[words.say("which_suit", { card: words.formatCard("6d") })], ["attack 6d=h"]]);
  const away = makePlayer(scene("showing"), undefined);
  await away.click("7h");
  assert.deepEqual(away.moves(), []);
});

test("replacing an undone move is confirmed first", async () => {
  const again = makePlayer(scene("looking_back"));
  await again.click("Jc");
  assert.deepEqual([again.asked.length, again.sent], [0, [{ kind: "move", move: "attack Jc" }]]);
  const yes = makePlayer(scene("looking_back"), words.say("branch.yes"));
  await yes.click("9d");
  await Promise.resolve();
  assert.deepEqual(yes.sent, [{ kind: "move", move: "attack 9d", drops_undone: true }]);
  const no = makePlayer(scene("looking_back"), words.say("cancel"));
  await no.click("9d");
  await Promise.resolve();
  assert.deepEqual([no.asked.length, no.sent], [1, []]);
});

test("the order of several cards is ignored, but not which card beats which", () => {
  const back = { ...scene("looking_back"), undone_move: "attack 7c 7h" };
  const { play, asked, moves } = makePlayer(back);
  play.sendMove("attack 7h 7c");
  assert.deepEqual([asked.length, moves()], [0, ["attack 7h 7c"]]);
  const beaten = makePlayer({ ...back, undone_move: "beat 7c 6c" });
  beaten.play.sendMove("beat 6c 7c");
  assert.deepEqual([beaten.asked.length, beaten.moves()], [1, []]);
});
