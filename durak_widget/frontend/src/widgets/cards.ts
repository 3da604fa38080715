/** Draws cards as SVG, from the same drawings that Python's pictures use, and works out where cards lie. */

import * as drawings from "../../../engine/drawings.json"; // so that a bundle has of them only what it draws
import { type Card, face } from "./protocol/scene";

const pips: Record<string, string> = drawings.pips;
const indices: Record<string, string> = drawings.indices;
const figures = drawings.figures as unknown as Record<string, [tone: string, path: string][]>;
const columns = drawings.columns as unknown as Record<string, [at_the_sides: number, in_the_middle: number[]]>;
const heights: Record<string, number[]> = drawings.heights;
const backs: Record<string, string> = drawings.backs;
const signs: Record<string, string> = drawings.signs;
export const BACKS = Object.keys(backs);

/** How many numbers each command of a path takes by turns along and down; the others take points. */
const ALONG: Readonly<Record<string, number>> = { h: 0, v: 1 };
const faces = new Map<Card, string>();

/** The height of a card of width 1. */
export const RATIO = 1.4;
/** How far a beating card lies to the right of the one it beats and below it, in widths of a card. */
export const OVER = { x: 0.3, y: 0.24 } as const;
/** The narrowest strip of a card that a finger can hit. */
const FINGER = 36;
const GAP = 6;
/** So much further from another suit. */
const APART = 8;

const svg = (box: string, inside: string, kind: string): string =>
  `<svg class="${kind}" viewBox="${box}" aria-hidden="true" focusable="false">${inside}</svg>`;
const path = (kind: string, d: string): string => `<path class="dk-${kind}" d="${d}"/>`;

/** A path drawn elsewhere and at another size; a negative scale turns it half around. Its arcs are parts of circles and of ellipses that stand upright. */
export function placed(d: string, x: number, y: number, scale = 1): string {
  return d.replace(/([a-z])([^a-z]*)/gi, (_, command: string, rest: string) => {
    const kind = command.toLowerCase();
    const shift = command === kind ? [0, 0] : [x, y];
    const numbers = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number).map((number, i) => {
      if (kind === "a" && i % 7 < 2) return number * Math.abs(scale);
      if (kind === "a" && i % 7 < 5) return number;
      const axis = ALONG[kind] ?? (kind === "a" ? (i % 7) - 5 : i % 2);
      return number * scale + (shift[axis] ?? 0);
    });
    return command + numbers.map((number) => String(Math.round(number * 100) / 100)).join(" ");
  });
}

/** What stands in a corner, and the same in the opposite one. */
const twice = (half: string): string => half + placed(half, 100, 140, -1);
const pip = (suit: string, x: number, y: number, scale = 0.92): string => placed(pips[suit] ?? "", x, y, scale);
const JOKER = [..."JOKER"].map((letter, i) => placed(indices[letter] ?? "", 14, 26 + 16 * i, 0.6)).join("");

/** A card face up: as few shapes as can be, for a browser works for each of them at every scene. */
export function faceOf(card: Card): string {
  const one = face(card);
  const found = faces.get(one) ?? drawFace(one.charAt(0), one.charAt(1));
  faces.set(one, found);
  return found;
}

function drawFace(rank: string, suit: string): string {
  const figure = figures[rank];
  if (rank === "X")
    return svg("0 0 100 140", path("letters", twice(JOKER)) + picture(figure), `dk-face dk-ink-${suit === "r" ? "h" : "s"}`);
  const index = path("index", twice(placed(indices[rank] ?? "", 15, 32)));
  const corner = twice(pip(suit, 15, 48));
  return svg(
    "0 0 100 140",
    index + (figure ? path("pips", corner) + picture(figure) : path("pips", corner + number(rank, suit))),
    `dk-face dk-ink-${suit}`,
  );
}

/** A court card or a joker: half a figure, and the same turned, divided by a sash. */
function picture(figure: readonly (readonly [tone: string, path: string])[] = []): string {
  const frame = '<rect class="dk-frame" x="26" y="9" width="48" height="122" rx="3"/>';
  return `${frame}${figure.map(([tone, d]) => path(tone, twice(d))).join("")}<path class="dk-sash" d="M26 80L74 60"/>`;
}

/** The pips of a number card or of an ace. */
function number(rank: string, suit: string): string {
  if (rank === "A") return pip(suit, 50, 70, 2.4);
  const [sides, between] = columns[rank] ?? [0, []];
  const places = [
    ...(heights[sides] ?? []).flatMap((y) => [
      [36, y],
      [64, y],
    ]),
    ...between.map((y) => [50, y]),
  ];
  return places.map(([x = 0, y = 0]) => pip(suit, x, y)).join("");
}

/** The suit that a card is played in, when it is not its own: a round mark in the corner. */
export const declared = (suit: string): string => svg("-12 -12 24 24", path("pips", pip(suit, 0, 0, 0.85)), `dk-declared dk-ink-${suit}`);

/** A card face down. */
export const back = (design: string): string =>
  svg(
    "0 0 100 140",
    `<rect class="dk-back-ground" x="6" y="6" width="88" height="128" rx="5"/>${path("back-line", backs[design] ?? "")}`,
    "dk-face",
  );

/** The sign of a suit. */
export const suitSign = (suit: string): string => svg("-11 -11 22 22", path("pips", pips[suit] ?? ""), `dk-suit dk-ink-${suit}`);

/** The small sign of a role, so that it is told by more than words and colour. */
export const roleSign = (role: string): string => (signs[role] ? svg("0 0 16 16", path("line-sign", signs[role]), "dk-role-sign") : "");

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The width of a card in the hand of a table that wide: 52 on a phone, 72 on a tablet, 96 on a desktop. */
export const cardWidth = (width: number): number => Math.round(Math.min(96, Math.max(width < 300 ? 49 : 52, width * 0.098)));

/** A hand of so many cards: side by side, else overlapping, else in several rows; and how high it is. Before some of them, where there is room, the suits are set apart. */
export function fan(
  count: number,
  width: number,
  card: number,
  apart: (i: number) => boolean = () => false,
): { spots: Spot[]; height: number } {
  const least = Math.min(FINGER, card);
  const most = Math.max(1, Math.floor((width - card) / least) + 1);
  const rows = Math.max(1, Math.ceil(count / most));
  const down = card * RATIO * 0.62;
  const spots: Spot[] = [];
  let left = count;
  for (let row = 0; row < rows; row++) {
    const here = Math.ceil(left / (rows - row));
    const step = here > 1 ? Math.min(card + GAP, (width - card) / (here - 1)) : 0;
    const first = spots.length;
    const gaps = Array.from({ length: here }, (_, i) => i > 0 && apart(first + i)).filter(Boolean).length;
    const gap = gaps ? Math.min(APART, Math.max(0, width - card - step * (here - 1)) / gaps) : 0;
    let x = (width - card - step * (here - 1) - gap * gaps) / 2;
    for (let i = 0; i < here; i++) {
      if (i) x += step + (apart(first + i) ? gap : 0);
      spots.push({ x, y: down * row });
    }
    left -= here;
  }
  return { spots, height: card * RATIO + down * (rows - 1) };
}

/** So many pairs in a box: as large as they can be, no larger than a card of that width. */
export function grid(count: number, width: number, height: number, most: number): { spots: Spot[]; card: number } {
  let best = { columns: 1, card: 0 };
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns);
    const across = (width - GAP * (columns - 1)) / columns / (1 + OVER.x);
    const down = (height - GAP * (rows - 1)) / rows / (RATIO + OVER.y);
    const card = Math.min(most, across, down);
    if (card > best.card + 0.5) best = { columns, card };
  }
  const { columns } = best;
  const card = Math.floor(best.card);
  const step = { x: card * (1 + OVER.x) + GAP * (width > 500 ? 2 : 1), y: card * (RATIO + OVER.y) + GAP };
  const rows = Math.ceil(count / columns);
  const top = (height - step.y * rows + GAP) / 2;
  const spots = Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const here = Math.min(columns, count - row * columns);
    const used = Math.min(width, step.x * here - (step.x - card * (1 + OVER.x)));
    const between = here > 1 ? (used - card * (1 + OVER.x)) / (here - 1) : 0;
    return { x: (width - used) / 2 + between * (i % columns), y: top + step.y * row };
  });
  return { spots, card };
}
