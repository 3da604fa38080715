/** A signalling game as books draw it: chance in the middle, the messages to both sides. Where everything lies so, and where arrows lead there. */

import type { Fan, Shown } from "../protocol/tree-drawing";
import { type Direction, type Measure, type Plan, plan, type Room } from "./tree-layout";

/** No smaller than this is it drawn so; where there is less room, the tree grows to the right. */
const LEAST = 0.8;

/** The board of a drawing: from the middle to both sides where that is asked for and there is room for it (0: for anything), as any other tree where not. */
export function opened(
  shown: Shown,
  direction: Direction,
  measure: Measure,
  room: Room,
  fan?: { readonly of: Fan; readonly width: number },
): Plan {
  const plain = plan(shown, direction, measure, room);
  return (fan && direction === "right" ? fanned(shown, fan.of, plain, fan.width) : undefined) ?? plain;
}

/** The plan of such a tree, made of the one that grows to the right, whose rooms and sizes it keeps; nothing where it is wider than there is room. */
function fanned(shown: Shown, { side, row, rows }: Fan, plain: Plan, room: number): Plan | undefined {
  const { level } = shown.drawing.nodes;
  // Nothing lies beside the answers: no lanes, and messages run straight.
  const gutter = plain.gutter.map(() => 0);
  const lead = plain.lead.map((far, at) => far - (plain.gutter[at] ?? 0));
  const along = [0, 0];
  for (let at = 2; at < lead.length; at++) along.push((along[at - 1] ?? 0) + plain.stem + (at === 2 ? BEND : BOW) + (lead[at] ?? 0));
  const half = Math.max((along.at(-1) ?? 0) + plain.width - Math.max(...plain.x), plain.label[1] ?? 0, ASIDE);
  if (room && 2 * half * LEAST > room) return undefined;
  const step = Math.max(plain.step, STEP);
  const x = new Float64Array(shown.count);
  const y = new Float64Array(shown.count);
  for (let i = 0; i < shown.count; i++) {
    x[i] = half + (side[i] ?? 0) * (along[level[i] ?? 0] ?? 0);
    y[i] = ABOVE + ((row[i] ?? 0) + 0.5) * step;
  }
  return { ...plain, side, x, y, step, gutter, lead, width: 2 * half, height: rows * step + 2 * ABOVE };
}

const BEND = 14;
const BOW = 36;
const STEP = 40; // the words of chance stand between two rows
const ABOVE = 24;
const ASIDE = 110; // those of chance, to the right of the middle

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The place that an arrow leads to: what lies there, along a branch, or in the same column. */
export function strode(shown: Shown, { x, y }: Plan, at: number, key: string): number {
  const [right, down] = WAYS[key] ?? [0, 0];
  const away = (i: number): readonly [number, number] => [(x[i] as number) - (x[at] as number), (y[i] as number) - (y[at] as number)];
  const column = Array.from({ length: shown.count }, (_, i) => i).filter((i) => Math.abs(away(i)[0]) < 1);
  const near = (right ? [shown.up(at), ...shown.below(at)] : column).filter((i) => i >= 0 && away(i)[0] * right + away(i)[1] * down > 1);
  near.sort((a, b) => Math.hypot(...away(a)) - Math.hypot(...away(b)));
  return near[0] ?? at;
}

/** Whether an arrow leads on there, outwards. */
export function outwards({ side }: Plan, at: number, key: string): boolean {
  const [right] = WAYS[key] ?? [0, 0];
  const here = side?.[at] ?? 0;
  return at === 0 ? key in WAYS : here ? right === here : right !== 0;
}
