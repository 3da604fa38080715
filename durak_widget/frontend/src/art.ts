/** The cards as SVG, from the same drawings that Python's pictures use. */

import drawings from "../../game/drawings.json";
import { face } from "./moves";
import type { Card } from "./scene";

const { pips, figures, columns, heights, backs, signs } = drawings as unknown as {
  pips: Record<string, string>;
  figures: Record<string, [tone: string, path: string][]>;
  columns: Record<string, [at_the_sides: number, in_the_middle: number[]]>;
  heights: Record<string, number[]>;
  backs: Record<string, string>;
  signs: Record<string, string>;
};

export const BACKS = Object.keys(backs);

const svg = (box: string, inside: string, kind: string): string =>
  `<svg class="${kind}" viewBox="${box}" aria-hidden="true" focusable="false">${inside}</svg>`;
const path = (kind: string, d: string): string => `<path class="dk-${kind}" d="${d}"/>`;
const pip = (suit: string, x: number, y: number, scale = 0.92): string =>
  `<path d="${pips[suit]}" transform="translate(${x} ${y})scale(${scale})"/>`;
const twice = (half: string): string => `${half}<g transform="rotate(180 50 70)">${half}</g>`;

/** A card face up. */
export function faceOf(card: Card): string {
  const [rank = "", suit = ""] = face(card);
  const ink = rank === "X" ? (suit === "r" ? "h" : "s") : suit;
  return svg("0 0 100 140", `${twice(corner(rank, suit))}${middle(rank, suit)}`, `dk-face dk-ink-${ink}`);
}

function corner(rank: string, suit: string): string {
  if (rank === "X") return [..."JOKER"].map((letter, i) => `<text class="dk-joker" x="14" y="${25 + 16 * i}">${letter}</text>`).join("");
  const ten = rank === "T" ? ' textLength="24" lengthAdjust="spacingAndGlyphs"' : "";
  return `<text class="dk-rank" x="15" y="32"${ten}>${rank === "T" ? "10" : rank}</text>${pip(suit, 15, 48)}`;
}

function middle(rank: string, suit: string): string {
  const figure = figures[rank];
  if (figure) {
    const half = figure.map(([tone, d]) => path(tone, d)).join("");
    const frame = '<rect class="dk-frame" x="26" y="9" width="48" height="122" rx="3"/>';
    return `${frame}${twice(half)}<path class="dk-sash" d="M26 80L74 60"/>`;
  }
  if (rank === "A") return pip(suit, 50, 70, 2.4);
  const [sides, between] = columns[rank] ?? [0, []];
  const places = [...(heights[sides] ?? []).flatMap((y) => [[36, y], [64, y]]), ...between.map((y) => [50, y])];
  return places.map(([x = 0, y = 0]) => pip(suit, x, y)).join("");
}

/** The suit that a card is played in, when it is not its own: a round mark in the corner. */
export const declared = (suit: string): string => svg("-12 -12 24 24", pip(suit, 0, 0, 0.85), `dk-declared dk-ink-${suit}`);

/** A card face down. */
export const back = (design: string): string =>
  svg("0 0 100 140", `<rect class="dk-back-ground" x="6" y="6" width="88" height="128" rx="5"/>${path("back-line", backs[design] ?? "")}`, "dk-face");

/** The sign of a suit. */
export const suitSign = (suit: string): string => svg("-11 -11 22 22", pip(suit, 0, 0, 1), `dk-suit dk-ink-${suit}`);

/** The small sign of a role, so that it is told by more than words and colour. */
export const roleSign = (role: string): string => (signs[role] ? svg("0 0 16 16", path("line-sign", signs[role]), "dk-role-sign") : "");
