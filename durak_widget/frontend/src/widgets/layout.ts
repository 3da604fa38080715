/** Where cards lie, as plain numbers: a hand held like a fan, and the pairs on the table. */

/** The height of a card of width 1. */
export const RATIO = 1.4;
/** How far a beating card lies to the right of the one it beats and below it, in widths of a card. */
export const OVER = { x: 0.3, y: 0.24 } as const;
/** The narrowest strip of a card that a finger can hit. */
const FINGER = 36;
const GAP = 6;
/** So much further from another suit. */
const APART = 8;

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
