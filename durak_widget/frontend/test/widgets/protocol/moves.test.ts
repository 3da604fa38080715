/** The expanded short form of the legal moves is Python's full list, and the uses of a card follow from it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Card,
  findJoiningCards,
  findUsableCards,
  findUses,
  formatMove,
  formatMultiCardMove,
  getFace,
  getPlayedCard,
  getRank,
  type Legal,
  listVerbs,
} from "../../../src/widgets/protocol/scene";
import { listAllMoves } from "../../expand";
import { golden, scenes, sortMoveCards } from "../../golden";

/** Return the moves as a toSortedMoves set. */
const toSortedMoves = (moves: Iterable<string>): string[] => [...new Set([...moves].map(sortMoveCards))].sort();

for (const { name, about, scene, legal } of scenes) {
  test(`all legal moves: ${name}`, () => {
    const written = listAllMoves(scene.legal, scene.hand);
    assert.deepEqual(toSortedMoves(written), toSortedMoves(legal), about);
    assert.equal(new Set(written).size, written.length, "none is there twice");
  });

  test(`what each card can be used for: ${name}`, () => {
    const single = new Set<string>();
    for (const card of new Set(scene.hand)) {
      const ways = findUses(scene.legal, card);
      for (const way of ways) {
        assert.equal(getFace(way.card), card);
        assert.ok(legal.includes(formatMove(way)), formatMove(way));
        single.add(formatMove(way));
      }
      assert.equal(findUsableCards(scene.legal).has(card), ways.length > 0, card);
      for (const verb of listVerbs("card", "target", "asked")) {
        assert.equal(
          findUsableCards(scene.legal, verb).has(card),
          ways.some((way) => way.verb === verb),
          `${verb} ${card}`,
        );
      }
    }
    const alone = legal.filter((move) => !/^\w+$|^swap|^attack .* /.test(move));
    assert.deepEqual([...single].sort(), [...alone].sort());
  });

  test(`every legal opening can be selected card by card: ${name}`, () => {
    const several = legal.filter((move) => /^attack .* /.test(move));
    const found = new Set<string>();
    const grow = (picked: readonly Card[]): void => {
      for (const card of findJoiningCards(scene.legal, scene.hand, picked)) {
        for (const way of findUses(scene.legal, card).filter(({ verb }) => verb === "attack")) {
          const more = [...picked, way.card];
          found.add(sortMoveCards(formatMultiCardMove("attack", more)));
          grow(more);
        }
      }
    };
    if (scene.legal.several) for (const card of scene.legal.attack ?? []) grow([card]);
    assert.deepEqual([...found].sort(), toSortedMoves(several));
  });
}

test("a card code is split into its parts", () => {
  assert.deepEqual(["6d=h", "Td", "Xr"].map(getFace), ["6d", "Td", "Xr"]);
  assert.deepEqual(["6d=h", "Td", "Xr"].map(getPlayedCard), ["6h", "Td", "Xr"]);
  assert.deepEqual(["6d=h", "Td", "Xr"].map(getRank), ["6", "T", "X"]);
});

test("the text of a move names the target as it was played", () => {
  assert.equal(formatMove({ verb: "beat", card: "6c=s", on: "6d=h" }), "beat 6h 6c=s");
  assert.equal(formatMove({ verb: "transfer", card: "6c=s" }), "transfer 6c=s");
  assert.equal(formatMultiCardMove("swap", ["6c", "Ah"]), "swap 6c Ah");
});

test("the uses of a card have the order of Python's moves", () => {
  const { scene } = golden("showing");
  assert.deepEqual(findUses(scene.legal, "7h").map(formatMove), ["beat 7c 7h", "transfer 7h", "show 7h"]);
  assert.deepEqual(findUses(scene.legal, "9s"), []);
});

test("a card that can only be swapped is not playable on its own", () => {
  const { scene } = golden("swapping");
  assert.deepEqual([...findUsableCards(scene.legal, "swap")], scene.hand);
  assert.ok(!findUsableCards({ swap: ["6c", "7c"] }).size);
});

test("cards of another rank, too many cards and missing copies cannot join", () => {
  const { scene } = golden("several");
  assert.deepEqual([...findJoiningCards(scene.legal, scene.hand, [])], []);
  assert.deepEqual([...findJoiningCards(scene.legal, scene.hand, ["7c"])], ["7s", "7h"]);
  assert.deepEqual([...findJoiningCards(scene.legal, scene.hand, ["7c", "7h"])], ["7s"]);
  assert.deepEqual([...findJoiningCards(scene.legal, scene.hand, ["Kc"])], []);
  assert.deepEqual([...findJoiningCards({ ...scene.legal, several: 2 }, scene.hand, ["7c", "7h"])], []);
  const copies: Legal = { attack: ["6c", "6c=d"], several: 3 };
  assert.deepEqual([...findJoiningCards(copies, ["6c", "6c", "7h"], ["6c=d"])], ["6c"]);
  assert.deepEqual([...findJoiningCards(copies, ["6c", "7h"], ["6c=d"])], []);
});

test("without a legal move nothing can be selected", () => {
  assert.deepEqual(listAllMoves({}, ["6c", "7c"]), []);
  assert.deepEqual(listAllMoves({ pass: true, take: true }, []), ["pass", "take"]);
});
