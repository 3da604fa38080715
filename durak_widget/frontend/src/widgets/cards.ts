/** Draw cards as SVG, from the drawings that Python's pictures use, and lay out hands and pairs. */

import * as drawings from "../../../engine/drawings.json"; // A namespace import lets the bundler drop unused drawings.
import { type Card, getFace } from "./protocol/scene";
import type { Words } from "./protocol/words";

const pips: Record<string, string> = drawings.pips;
const indices: Record<string, string> = drawings.indices;
const figures = drawings.figures as unknown as Record<string, [tone: string, path: string][]>;
const columns = drawings.columns as unknown as Record<string, [at_the_sides: number, in_the_middle: number[]]>;
const heights: Record<string, number[]> = drawings.heights;
const backs: Record<string, string> = drawings.backs;
const signs: Record<string, string> = drawings.signs;
export const BACK_DESIGNS = /* @__PURE__ */ Object.keys(backs);

/** The axis of the numbers in `h` and `v` commands (0 is x, 1 is y). Other commands take points. */
const FIRST_AXIS: Readonly<Record<string, number>> = { h: 0, v: 1 };
const faces = new Map<string, string>();

/** The height of a card of width 1. */
export const CARD_RATIO = 1.4;
/** The offset of a beating card from the card it beats, in card widths. */
export const BEAT_OFFSET = { x: 0.3, y: 0.24 } as const;
/** The narrowest visible strip of a card that a finger can hit, in px. */
const MIN_STRIP = 36;
const GAP = 6;
/** The extra gap between suits, in px. */
const SUIT_GAP = 8;

const svg = (viewBox: string, content: string, className: string): string =>
  `<svg class="${className}" viewBox="${viewBox}" aria-hidden="true" focusable="false">${content}</svg>`;
const path = (part: string, d: string): string => `<path class="dk-${part}" d="${d}"/>`;

/** Move and scale an SVG path. A negative scale turns it half around. Arcs must be circles or upright ellipses. */
export function transformPath(d: string, x: number, y: number, scale = 1): string {
  return d.replace(/([a-z])([^a-z]*)/gi, (_, command: string, argumentText: string) => {
    const lower = command.toLowerCase();
    const shift = command === lower ? [0, 0] : [x, y];
    const numbers = (argumentText.match(/-?\d*\.?\d+/g) ?? []).map(Number).map((number, i) => {
      if (lower === "a" && i % 7 < 2) return number * Math.abs(scale);
      if (lower === "a" && i % 7 < 5) return number;
      const axis = FIRST_AXIS[lower] ?? (lower === "a" ? (i % 7) - 5 : i % 2);
      return number * scale + (shift[axis] ?? 0);
    });
    return command + numbers.map((number) => String(Math.round(number * 100) / 100)).join(" ");
  });
}

/** Return a corner drawing and the same one in the opposite corner. */
const drawTwice = (corner: string): string => corner + transformPath(corner, 100, 140, -1);
const drawPip = (suit: string, x: number, y: number, scale = 0.92): string => transformPath(pips[suit] ?? "", x, y, scale);
const JOKER = /* @__PURE__ */ (() =>
  [..."JOKER"].map((letter, i) => transformPath(indices[letter] ?? "", 14, 26 + 16 * i, 0.6)).join(""))(); // A bundle without cards leaves it out.

/** Draw a card face up, with the letters of these words. It uses few shapes, because the browser lays them out in every scene. */
export function drawFace(card: Card, words: Words): string {
  const face = getFace(card);
  const letter = words.formatRank(face);
  const key = face + letter;
  const svgText = faces.get(key) ?? buildFace(face.charAt(0), face.charAt(1), letter);
  faces.set(key, svgText);
  return svgText;
}

function buildFace(rank: string, suit: string, letter: string): string {
  const figure = figures[rank];
  if (rank === "X")
    return svg("0 0 100 140", path("letters", drawTwice(JOKER)) + drawFigure(figure), `dk-face dk-ink-${suit === "r" ? "h" : "s"}`);
  const index = path("index", drawTwice(transformPath(indices[letter] ?? "", 15, 32)));
  const corner = drawTwice(drawPip(suit, 15, 48));
  return svg(
    "0 0 100 140",
    index + (figure ? path("pips", corner) + drawFigure(figure) : path("pips", corner + drawPips(rank, suit))),
    `dk-face dk-ink-${suit}`,
  );
}

/** Draw a court card or a joker: half a figure, its turned copy and a sash between them. */
function drawFigure(figure: readonly (readonly [tone: string, path: string])[] = []): string {
  const frame = '<rect class="dk-frame" x="26" y="9" width="48" height="122" rx="3"/>';
  return `${frame}${figure.map(([tone, d]) => path(tone, drawTwice(d))).join("")}<path class="dk-figure-divider" d="M26 80L74 60"/>`;
}

/** Draw the pips of a number card or an ace. */
function drawPips(rank: string, suit: string): string {
  if (rank === "A") return drawPip(suit, 50, 70, 2.4);
  const [sideCount, middleHeights] = columns[rank] ?? [0, []];
  const positions = [
    ...(heights[sideCount] ?? []).flatMap((y) => [
      [36, y],
      [64, y],
    ]),
    ...middleHeights.map((y) => [50, y]),
  ];
  return positions.map(([x = 0, y = 0]) => drawPip(suit, x, y)).join("");
}

/** Draw the round mark of the suit that a card is played in, if it isn't its own suit. */
export const drawDeclaredSuit = (suit: string): string =>
  svg("-12 -12 24 24", path("pips", drawPip(suit, 0, 0, 0.85)), `dk-declared-suit dk-ink-${suit}`);

/** Draw a card face down. */
export const drawBack = (design: string): string =>
  svg(
    "0 0 100 140",
    `<rect class="dk-back-background" x="6" y="6" width="88" height="128" rx="5"/>${path("back-line", backs[design] ?? "")}`,
    "dk-face",
  );

/** Draw the sign of a suit. */
export const drawSuitSign = (suit: string): string => svg("-11 -11 22 22", path("pips", pips[suit] ?? ""), `dk-suit dk-ink-${suit}`);

/** Draw the sign of a role, so that colour and words are not the only cues. */
export const drawRoleSign = (role: string): string => (signs[role] ? svg("0 0 16 16", path("line-sign", signs[role]), "dk-role-sign") : "");

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Return the width of a card in the hand, for a table `width` px wide: about 52 on a phone and 96 on a desktop. */
export const cardWidth = (width: number): number => Math.round(Math.min(96, Math.max(width < 300 ? 49 : 52, width * 0.098)));

/** Lay out a hand side by side, or overlapping, or in several rows. `startsGroup` says before which cards a new suit starts. The gap appears if there is space. */
export function layOutHand(
  count: number,
  width: number,
  cardSize: number,
  startsGroup: (i: number) => boolean = () => false,
): { spots: Spot[]; height: number } {
  const minStep = Math.min(MIN_STRIP, cardSize);
  const maxPerRow = Math.max(1, Math.floor((width - cardSize) / minStep) + 1);
  const rows = Math.max(1, Math.ceil(count / maxPerRow));
  const rowHeight = cardSize * CARD_RATIO * 0.62;
  const spots: Spot[] = [];
  let remaining = count;
  for (let row = 0; row < rows; row++) {
    const inRow = Math.ceil(remaining / (rows - row));
    const step = inRow > 1 ? Math.min(cardSize + GAP, (width - cardSize) / (inRow - 1)) : 0;
    const rowStart = spots.length;
    const gaps = Array.from({ length: inRow }, (_, i) => i > 0 && startsGroup(rowStart + i)).filter(Boolean).length;
    const gap = gaps ? Math.min(SUIT_GAP, Math.max(0, width - cardSize - step * (inRow - 1)) / gaps) : 0;
    let x = (width - cardSize - step * (inRow - 1) - gap * gaps) / 2;
    for (let i = 0; i < inRow; i++) {
      if (i) x += step + (startsGroup(rowStart + i) ? gap : 0);
      spots.push({ x, y: rowHeight * row });
    }
    remaining -= inRow;
  }
  return { spots, height: cardSize * CARD_RATIO + rowHeight * (rows - 1) };
}

/** Lay out `count` pairs in a box, as large as possible but with cards no wider than `maxWidth`. */
export function layOutPairs(count: number, width: number, height: number, maxWidth: number): { spots: Spot[]; card: number } {
  let best = { columns: 1, card: 0 };
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns);
    const byWidth = (width - GAP * (columns - 1)) / columns / (1 + BEAT_OFFSET.x);
    const byHeight = (height - GAP * (rows - 1)) / rows / (CARD_RATIO + BEAT_OFFSET.y);
    const card = Math.min(maxWidth, byWidth, byHeight);
    if (card > best.card + 0.5) best = { columns, card };
  }
  const { columns } = best;
  const card = Math.floor(best.card);
  const step = { x: card * (1 + BEAT_OFFSET.x) + GAP * (width > 500 ? 2 : 1), y: card * (CARD_RATIO + BEAT_OFFSET.y) + GAP };
  const rows = Math.ceil(count / columns);
  const top = (height - step.y * rows + GAP) / 2;
  const spots = Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    const usedWidth = Math.min(width, step.x * inRow - (step.x - card * (1 + BEAT_OFFSET.x)));
    const spacing = inRow > 1 ? (usedWidth - card * (1 + BEAT_OFFSET.x)) / (inRow - 1) : 0;
    return { x: (width - usedWidth) / 2 + spacing * (i % columns), y: top + step.y * row };
  });
  return { spots, card };
}
