/** The drawings of cards. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawFace, transformPath } from "../../src/widgets/cards";
import { Words } from "../../src/widgets/protocol/words";
import { words } from "../golden";

test("a path is moved and scaled", () => {
  assert.equal(transformPath("M1 2L3 4h5v6z", 10, 20, 2), "M12 24L16 28h10v12z");
});

test("a path is rotated by 180°, with its relative commands", () => {
  assert.equal(transformPath("M1 2H3V4q1-1 2 0z", 100, 140, -1), "M99 138H97V136q-1 1 -2 0z");
});

test("rotation keeps the radii and flags of an arc", () => {
  assert.equal(transformPath("M0 0a4.7 4.6 0 1 0-6.8 0A2 1 0 0 1 3 4z", 100, 140, -1), "M100 140a4.7 4.6 0 1 0 6.8 0A2 1 0 0 1 97 136z");
});

test("scaling changes the radii of an arc and keeps its flags", () => {
  assert.equal(transformPath("a4 3 0 1 0-6 2", 0, 0, 0.5), "a2 1.5 0 1 0 -3 1");
});

const FACES = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => rank + suit)).concat("Xr", "Xb");

test("every card has its own face without SVG text, which would be shaped at each layout", () => {
  const faces = FACES.map((card) => drawFace(card, words));
  assert.equal(new Set(faces).size, FACES.length);
  for (const face of faces)
    assert.ok(!face.includes("<text") && !face.includes("undefined") && !face.includes("NaN") && !face.includes('d=""'));
});

test("a number card has two shapes: indices and pips", () => {
  assert.equal(drawFace("7c", words).match(/<path/g)?.length, 2);
});

test("a card shows the letter of its words, and the same letter gives the same picture", () => {
  const english = new Words({ lang: "en" });
  const russian = new Words({ lang: "ru", "letter.T": "10", "letter.J": "В", "letter.Q": "Д", "letter.K": "К", "letter.A": "Т" });
  assert.equal(drawFace("7c", english), drawFace("7c", russian));
  assert.equal(drawFace("Kc", english), drawFace("Kc", russian)); // The letters have the same shape.
  for (const card of ["Jc", "Qc", "Ac"]) assert.notEqual(drawFace(card, english), drawFace(card, russian));
  assert.deepEqual(
    ["Th", "Jh", "Qh", "Kh", "Ah", "9h"].map((card) => russian.formatSign(card).slice(0, -2)),
    ["10", "В", "Д", "К", "Т", "9"],
  );
  assert.notEqual(english.key, russian.key);
});
