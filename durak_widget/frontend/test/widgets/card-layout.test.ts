/** The layout of cards: inside the box, wide enough for a finger, and with all signs visible. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { findSlots } from "../../src/table/view/hand";
import { BEAT_OFFSET, CARD_RATIO, cardWidth, layOutHand, layOutPairs, type Spot } from "../../src/widgets/cards";

const FINGER = 36;
const SLACK = 0.01;
const widths = Array.from({ length: 21 }, (_, i) => 200 + 50 * i);

/** Return the spots by row, each from the left. */
const rows = (spots: readonly Spot[]): Spot[][] =>
  [...new Set(spots.map(({ y }) => y))].map((y) => spots.filter((spot) => spot.y === y).sort((a, b) => a.x - b.x));

test("a card is 52 px wide on a phone, 72 on a tablet, 96 on a desktop, and grows with the table", () => {
  assert.equal(cardWidth(360), 52);
  assert.ok(Math.abs(cardWidth(740) - 72) <= 3);
  assert.equal(cardWidth(1000), 96);
  assert.equal(cardWidth(2000), 96);
  widths.forEach((width, i) => assert.ok(i === 0 || cardWidth(width) >= cardWidth(widths[i - 1] as number)));
});

test("a hand fits its width, and every card is wide enough for a finger", () => {
  for (const width of widths) {
    const card = cardWidth(width);
    for (let count = 0; count <= 36; count++) {
      const label = `${count} cards on ${width} px`;
      const { spots, height } = layOutHand(count, width, card);
      assert.equal(spots.length, count, label);
      for (const row of rows(spots)) {
        row.forEach(({ x }, i) => {
          assert.ok(x >= -SLACK && x + card <= width + SLACK, label);
          const next = row[i + 1];
          if (next) assert.ok(next.x - x >= Math.min(FINGER, card) - SLACK, label);
        });
        const [first, last] = [row[0] as Spot, row.at(-1) as Spot];
        assert.ok(Math.abs(first.x - (width - last.x - card)) < SLACK, `${label}: in the middle`);
      }
      for (const { y } of spots) assert.ok(y >= 0 && y + card * CARD_RATIO <= height + SLACK, label);
    }
  }
});

test("a hand has one row if it fits, otherwise as few even rows as possible", () => {
  for (const width of widths) {
    const card = cardWidth(width);
    let before = 1;
    for (let count = 1; count <= 36; count++) {
      const lengths = rows(layOutHand(count, width, card).spots).map((row) => row.length);
      assert.ok(lengths.length >= before, "more cards never need fewer rows");
      assert.ok(Math.max(...lengths) - Math.min(...lengths) <= 1, `${lengths} on ${width} px`);
      if (card + (count - 1) * FINGER <= width) assert.equal(lengths.length, 1, `${count} cards on ${width} px`);
      before = lengths.length;
    }
  }
});

test("the rows of a hand leave the indices of the row above visible", () => {
  for (const width of widths) {
    const card = cardWidth(width);
    const heights = rows(layOutHand(36, width, card).spots).map((row) => (row[0] as Spot).y);
    heights.forEach((y, i) => assert.ok(i === 0 || y - (heights[i - 1] as number) >= card * CARD_RATIO * 0.4));
  }
});

test("pairs fit the box and do not overlap", () => {
  for (const width of widths) {
    for (const height of [90, 130, 170, 260]) {
      for (let count = 0; count <= 24; count++) {
        const label = `${count} pairs on ${width} × ${height} px`;
        const { spots, card } = layOutPairs(count, width, height, 90);
        assert.equal(spots.length, count, label);
        if (!count) continue;
        assert.ok(card > 0 && card <= 90, label);
        const [across, down] = [card * (1 + BEAT_OFFSET.x), card * (CARD_RATIO + BEAT_OFFSET.y)];
        spots.forEach(({ x, y }, i) => {
          assert.ok(x >= -SLACK && x + across <= width + SLACK, label);
          assert.ok(y >= -SLACK && y + down <= height + SLACK, label);
          for (const other of spots.slice(i + 1)) {
            assert.ok(Math.abs(x - other.x) >= across - SLACK || Math.abs(y - other.y) >= down - SLACK, `${label}: over one another`);
          }
        });
      }
    }
  }
});

test("six pairs have full size on a desktop and are legible on a phone", () => {
  assert.equal(layOutPairs(6, 800, 170, 90).card, 90);
  assert.ok(layOutPairs(6, 340, 260, 90).card >= 52);
});

test("the cards of a hand keep their places until they no longer fit", () => {
  assert.deepEqual(findSlots(["7c", "9d", "Kh"], ["7c", "9c", "9d", "Td", "Kh"]), [0, 2, 4]);
  assert.deepEqual(findSlots(["8c", "8c"], ["8c", "8c", "Jc"]), [0, 1], "two cards that look the same");
  assert.deepEqual(findSlots([], ["8c"]), []);
  assert.equal(findSlots(["7c", "Td"], ["7c", "9c"]), undefined, "a card was drawn");
  assert.equal(findSlots(["9c", "7c"], ["7c", "9c"]), undefined, "in another order");
  assert.equal(findSlots(["8c", "8c"], ["8c", "Jc"]), undefined);
});
