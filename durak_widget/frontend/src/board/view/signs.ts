/** The signs of the players: each has a shape and a letter of its own, besides its colour. */

import { drawn, make } from "../../widgets/dom";

/** Circle, square, diamond, triangle, hexagon, pentagon, as in the pictures that Python draws. */
const SHAPES = [
  "M0-11a11 11 0 1 0 .01 0z",
  "M-9.5-9.5h19v19h-19z",
  "M0-12L12 0 0 12-12 0z",
  "M0-11.5L11.5 9h-23z",
  "M-6-10.5H6L12 0 6 10.5H-6L-12 0z",
  "M0-11.5L11.5-3 7 10.5H-7L-11.5-3z",
];
const LOT = "M0-8a8 8 0 1 0 .01 0z";
const END = "M0-4a4 4 0 1 0 .01 0z";

const COLOURS = SHAPES.length;

const shape = (d: string): string => `<svg viewBox="-14 -14 28 28" aria-hidden="true" focusable="false"><path d="${d}"/></svg>`;

/** The sign of whoever acts: a seat, chance (-1), or nobody (-2). */
export function sign(actor: number, letter = ""): HTMLElement {
  const element = drawn("span", "dk-sign", shape(actor >= 0 ? (SHAPES[actor % COLOURS] as string) : actor === -1 ? LOT : END));
  element.dataset.actor = String(actor < 0 ? actor : actor % COLOURS);
  if (actor >= 0) element.append(make("b", "", {}, letter));
  return element;
}
