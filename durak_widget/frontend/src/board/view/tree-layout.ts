/** Where everything lies on the board, from the levels and rows that Python has found: it is only scaled here. */

import { minus } from "../protocol/outline";
import type { Drawing, Move, Shown } from "../protocol/tree-drawing";
import type { Print } from "./print";

export type Direction = Drawing["direction"];

/** How large things are, in pixels of a board that is not zoomed. */
export const RADIUS = 12;
const CURVE = 36;
const TIGHT = 20; // where there is little room
const STEEP = 130; // a branch that climbs far takes so much room for it, at most
const GAP = 7;
const LABEL = 24; // the height of what stands on a branch
const LIKELY = 15; // and of a number below it
const PAD = 18;
const LANE = 7; // from one dashed line to the next
const FIELD = 66;
const FIELD_TIGHT = 52; // what is written at a node, to its right or below it
const FIELD_HIGH = 48;
/** How much wider a field is for three numbers or more. */
export const WIDER = 50;
const NARROWEST = 30;
const WIDEST = 150;

/** How much room the words and cards on branches and the payoffs take. */
export interface Measure {
  label(move: Move): number;
  text(said: string, print: Print): number;
}

export interface Plan {
  readonly direction: Direction;
  /** Where it opens from the middle: to which side of that each node lies, -1, 0 or 1. */
  readonly side?: readonly number[];
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** From a node to where its branches part. */
  readonly stem: number;
  /** From a node back to where its branch has turned towards it, by its level. */
  readonly lead: readonly number[];
  /** The room on the branches that lead to a level. */
  readonly label: readonly number[];
  /** The room that dashed lines and their names take between a level and what stands on the branches to it. */
  readonly gutter: readonly number[];
  /** The room for the move of each node by itself. */
  readonly said: Float64Array;
  /** Numbers stand below moves, and above nodes. */
  readonly likely: boolean;
  readonly values: boolean;
  /** From one row to the next. */
  readonly step: number;
  /** The room for each seat's payoff. */
  readonly pays: readonly number[];
  readonly width: number;
  readonly height: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What there is room for besides: numbers on branches, values at nodes, a finger. */
export interface Room {
  readonly likely: boolean;
  readonly finger: boolean;
  readonly values?: boolean;
  /** A field to write in stands at nodes. */
  readonly field: boolean;
  /** It is for three numbers or more. */
  readonly many?: boolean;
  /** The page is narrow. */
  readonly narrow: boolean;
}

/** The board of a drawing. */
export function plan(shown: Shown, direction: Direction, measure: Measure, room: Room): Plan {
  const { nodes, size, ends } = shown.drawing;
  const levels = Math.max(size.levels, ...nodes.level.map((level) => level + 1), 1);
  const label = Array.from({ length: levels }, (_, level): number => (level ? NARROWEST : 0));
  const said = new Float64Array(shown.count);
  for (let i = 0; i < shown.count; i++) {
    const move = shown.move(i);
    said[i] = move ? measure.label(move) : 0;
    const level = nodes.level[i] ?? 0;
    const notes = shown.notes(i).map((text) => Math.min(measure.text(text, "note") + 6, WIDEST));
    if (move) label[level] = Math.max(label[level] ?? 0, said[i] ?? 0, ...notes);
  }
  const pays: number[] = [];
  for (const texts of Object.values(ends))
    for (const [seat, text] of texts.entries()) {
      const comma = direction === "right" && seat < texts.length - 1 ? "," : "";
      pays[seat] = Math.max(pays[seat] ?? 0, measure.text(minus(text) + comma, "pay"));
    }
  const across = pays.reduce((sum, width) => sum + width + GAP, 0);
  const right = direction === "right";
  const notes = Object.values(shown.drawing.labels?.branches ?? {}).reduce((most, texts) => Math.max(most, texts.length), 0);
  const below = (Number(room.likely) + notes) * LIKELY;
  const more = room.many ? WIDER : 0;
  const widest = Math.max(...label, ...pays, room.field ? 58 + more : 0);
  const step = right
    ? Math.max(LABEL + 10 + below, room.finger ? 46 : 0, room.field ? 44 : 0)
    : Math.max(widest + 12, room.finger ? 48 : 40);
  const gutter = gutters(shown, levels, right, measure);
  const lead = label.map((width, level) => RADIUS + (right ? GAP + width : LABEL + GAP + below) + (gutter[level] ?? 0));
  const stem = RADIUS + (room.field ? (right ? (room.narrow ? FIELD_TIGHT : FIELD) + more : FIELD_HIGH) : 0);
  const bend = room.narrow ? TIGHT : right ? CURVE : CURVE - 8;
  const climbs = climbing(shown, levels);
  const depth: number[] = [];
  for (const [level, far] of lead.entries()) {
    const curve = Math.min(bend + (climbs[level] ?? 0) * step * (room.narrow ? 0.05 : 0.1), STEEP);
    depth.push(level ? (depth[level - 1] ?? 0) + stem + curve + far : PAD + RADIUS);
  }
  const x = new Float64Array(shown.count);
  const y = new Float64Array(shown.count);
  const first = PAD + (right ? Math.max(RADIUS, step / 2) : Math.max(step / 2, RADIUS));
  let [far, wide] = [0, 0];
  for (let i = 0; i < shown.count; i++) {
    const along = depth[nodes.level[i] ?? 0] ?? 0;
    const side = first + (nodes.row[i] ?? 0) * step;
    x[i] = right ? along : side;
    y[i] = right ? side : along;
    far = Math.max(far, along);
    wide = Math.max(wide, side);
  }
  const end = right ? Math.max(across + GAP, room.field ? 76 + more : 0, 44) : Math.max(pays.length * 17 + 6, room.field ? 40 : 0, 26);
  const along = far + RADIUS + end + PAD;
  const side = wide + first;
  return {
    direction,
    x,
    y,
    stem,
    lead,
    label,
    gutter,
    said,
    likely: room.likely,
    values: room.values ?? false,
    step,
    pays,
    width: right ? along : side,
    height: right ? side : along,
  };
}

/** How far from the middle of its nodes a lane lies. */
export const away = (lane: number): number => RADIUS + 5 + LANE * (lane - 1);

/** How much room the dashed lines beside each level take, and what they are called. */
function gutters(shown: Shown, levels: number, right: boolean, measure: Measure): number[] {
  const { level } = shown.drawing.nodes;
  const found = new Array<number>(levels).fill(0);
  for (const [n, places] of shown.joined.entries()) {
    const [lane, , name, one = 0, two = 0] = shown.drawing.lanes?.[n] ?? [0, 0];
    const all = places.map((i) => level[i] ?? 0);
    for (const [k, at] of all.entries()) if (lane && all.indexOf(at) < k) found[at] = Math.max(found[at] ?? 0, LANE * lane + 2);
    const at = level[one] ?? 0;
    if (name && level[two] === at) found[at] = Math.max(found[at] ?? 0, right ? measure.text(name, "note") + 8 : LANE * lane + 8);
  }
  return found;
}

/** How many rows a branch to each level goes up or down, at most. */
function climbing(shown: Shown, levels: number): number[] {
  const { row, level } = shown.drawing.nodes;
  const found = new Array<number>(levels).fill(0);
  for (let i = 0; i < shown.count; i++) {
    const up = shown.up(i);
    const at = level[i] ?? 0;
    if (up >= 0) found[at] = Math.max(found[at] ?? 0, Math.abs((row[i] ?? 0) - (row[up] ?? 0)));
  }
  return found;
}

/** What can be seen of the board, with a margin: the nodes there, and those whose branch runs through it. */
export function within(shown: Shown, { x, y, lead, pays, step, direction, side }: Plan, box: Box): { nodes: number[]; branches: number[] } {
  const right = direction === "right";
  const ahead = Math.max(...lead) + RADIUS;
  const after = RADIUS + (right ? pays.reduce((sum, width) => sum + width + GAP, 0) + 60 : pays.length * 17 + 40);
  const [before, behind] = side ? [ahead + after, ahead + after] : right ? [after, ahead] : [step, step];
  const [above, beneath] = side ? [3 * step, 3 * step] : right ? [step, step] : [after, ahead];
  const nodes: number[] = [];
  const branches: number[] = [];
  for (let i = 0; i < shown.count; i++) {
    const [cx, cy] = [x[i] as number, y[i] as number];
    if (cx > box.left - before && cx < box.right + behind && cy > box.top - above && cy < box.bottom + beneath) nodes.push(i);
    const up = shown.up(i);
    if (up < 0) continue;
    const [px, py] = [x[up] as number, y[up] as number];
    if (Math.max(px, cx) > box.left && Math.min(px, cx) < box.right && Math.max(py, cy) > box.top && Math.min(py, cy) < box.bottom)
      branches.push(i);
  }
  return { nodes, branches };
}

/** The box of a node with all that is shown below it. */
export function around(shown: Shown, { x, y, lead, pays, step, direction, side }: Plan, i: number): Box {
  const all = [i];
  for (let n = 0; n < all.length; n++) all.push(...shown.below(all[n] as number));
  const right = direction === "right";
  const xs = all.map((one) => x[one] as number);
  const ys = all.map((one) => y[one] as number);
  const back = shown.up(i) < 0 ? RADIUS : (lead[shown.drawing.nodes.level[i] ?? 0] ?? RADIUS);
  const after = RADIUS + (right ? pays.reduce((sum, width) => sum + width + GAP, 44) : pays.length * 17 + 26);
  const half = step / 2;
  if (side)
    return { left: min(xs) - Math.max(after, back), right: max(xs) + Math.max(after, back), top: min(ys) - half, bottom: max(ys) + half };
  return right
    ? { left: min(xs) - back, right: max(xs) + after, top: min(ys) - half, bottom: max(ys) + half }
    : { left: min(xs) - half, right: max(xs) + half, top: min(ys) - back, bottom: max(ys) + after };
}

const min = (all: readonly number[]): number => all.reduce((a, b) => Math.min(a, b), Infinity);
const max = (all: readonly number[]): number => all.reduce((a, b) => Math.max(a, b), -Infinity);
