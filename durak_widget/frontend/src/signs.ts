/** The signs of the players: each has a shape and a letter of its own, besides its colour. */

import { drawn, make } from "./dom";

const SHAPES = [
  "M0-11a11 11 0 1 0 .01 0z",
  "M-9.500-9.500h19v19h-19z",
  "M0-11.500L11.500 9h-23z",
  "M-6-10.500H6L12 0 6 10.500H-6L-12 0z",
  "M0-11.500L11.500-3 7 10.500H-7L-11.500-3z",
  "M0-12L3.500-4.500 11.500-3.500 5.500 2 7.500 10 0 6-7.500 10-5.500 2-11.500-3.500-3.500-4.500z",
];
const LOT = "M0-10L10 0 0 10-10 0z";
const END = "M0-4a4 4 0 1 0 .01 0z";

export const COLOURS = SHAPES.length;

const shape = (d: string): string => `<svg viewBox="-14 -14 28 28" aria-hidden="true" focusable="false"><path d="${d}"/></svg>`;

/** The sign of whoever acts: a seat, chance (-1), or nobody (-2). */
export function sign(actor: number, letter = ""): HTMLElement {
  const element = drawn("span", "dk-sign", shape(actor >= 0 ? (SHAPES[actor % COLOURS] as string) : actor === -1 ? LOT : END));
  element.dataset.actor = String(actor < 0 ? actor : actor % COLOURS);
  if (actor >= 0) element.append(make("b", "", {}, letter));
  return element;
}
