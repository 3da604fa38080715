/** The layout of a tree in pixels: text widths, positions, routes of dashed lines, and signalling games with chance in the middle. */

import { type Drawing, type Fan, type Move, minus, type Shown } from "../protocol/tree-drawing";

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

/** More nodes than this are not looked through: among so many, no line is followed by the eye. */
const MOST = 400;
/** What is looked for, so much around two nodes. */
const AROUND = 60;
/** How far apart a line is looked at. */
const ROUTE_STEP = 6;
const SAID = 3; // words, numbers and nodes are not to be struck through
const LONGER = 2; // a way that is longer by itself is as bad as that

export type Direction = Drawing["direction"];

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

/** The two points that bend a line: parts of the way along the tree and across it, and so many pixels further along. */
export interface Bend {
  readonly first: readonly [along: number, across: number];
  readonly second: readonly [along: number, across: number];
  readonly off: number;
}

/** What is written: from where to where, along the tree and across it. */
interface Written {
  readonly along: readonly [from: number, to: number];
  readonly across: readonly [from: number, to: number];
}

const known = new WeakMap<Plan, { readonly all: readonly Written[]; readonly found: Map<string, Bend> }>();

const TURNS = [
  [0, 0.5],
  [0, 1],
  [0.3, 0.1],
  [0.6, 0],
  [1, 0],
  [0.2, 0.8],
  [1, 0.5],
  [-0.3, 0.5],
] as const;

/** No smaller than this is it drawn so; where there is less room, the tree grows to the right. */
const LEAST = 0.8;

const BEND = 14;
const BOW = 36;
const ROW_STEP = 40; // the words of chance stand between two rows
const ABOVE = 24;
const ASIDE = 110; // those of chance, to the right of the middle

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** As base.css has it. */
const SANS = '-apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Helvetica Neue", Arial, sans-serif';
const PRINTS = {
  word: "400 14px/20px",
  pay: "650 14px/20px",
  likely: "650 12px/14px",
  note: "400 12px/15px",
} as const;

const pen = { context: undefined as CanvasRenderingContext2D | null | undefined, widths: new Map<string, number>() };

/** How much room the words and cards on branches and the payoffs take. */
export interface Measure {
  label(move: Move): number;
  text(said: string, print: Print): number;
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

/** A bow to the side to which the tree grows, as far as given; where it would strike through something, the best way there is. */
export function bend(shown: Shown, plan: Plan, a: number, b: number, bow: number): Bend {
  const usual: Bend = { first: [0, 0.25], second: [1, 0.75], off: bow };
  if (shown.count > MOST) return usual;
  const kept = known.get(plan) ?? { all: written(shown, plan), found: new Map<string, Bend>() };
  known.set(plan, kept);
  const name = `${a} ${b} ${bow}`;
  const found = kept.found.get(name) ?? best(kept.all, ends(plan, a), ends(plan, b), usual);
  kept.found.set(name, found);
  return found;
}

/** Where the points lie that bend a line, from where it begins and ends; all along the tree and across it. */
export function bent({ first, second, off }: Bend, from: Place, to: Place): readonly [Place, Place] {
  const [along, across] = [to[0] - from[0], to[1] - from[1]];
  return [
    [from[0] + along * first[0] + off, from[1] + across * first[1]],
    [from[0] + along * second[0] + off, from[1] + across * second[1]],
  ];
}

type Place = readonly [along: number, across: number];

const ends = ({ x, y, direction }: Plan, i: number): Place => {
  const [cx, cy] = [x[i] as number, y[i] as number];
  return direction === "right" ? [cx, cy] : [cy, cx];
};

/** Everything that stands on the board, but lines and what authors have written. */
function written(shown: Shown, plan: Plan): Written[] {
  const { label, said, pays, likely, values } = plan;
  const right = plan.direction === "right";
  const found: Written[] = [];
  const put = (along: number, to: number, across: number, half: number): void => {
    found.push({ along: [along, to], across: [across - half, across + half] });
  };
  for (let i = 0; i < shown.count; i++) {
    const [along, across] = ends(plan, i);
    const end = shown.pays(i).length > 0;
    const sign = end ? 5 : RADIUS + 1;
    put(along - sign, along + sign, across, sign);
    const move = shown.move(i);
    const wide = said[i] as number;
    const near = along - RADIUS - 7 - (plan.gutter[shown.drawing.nodes.level[i] ?? 0] ?? 0);
    if (right) {
      const middle = near - (label[shown.drawing.nodes.level[i] ?? 0] ?? 0) / 2;
      if (move) put(middle - wide / 2, middle + wide / 2, across, 12);
      if (move && (likely || move.likely)) put(middle - 22, middle + 22, across + 20, 8);
      if (end) put(along + 10, along + 12 + pays.reduce((sum, one) => sum + one + 7, 0), across, 10);
      else if (values) put(along - 20, along + 20, across - 21, 8);
      if (shown.more(i) && !shown.open(i)) put(along + 13, along + 44, across, 10);
    } else {
      if (move) put(near - 24 - (likely || move.likely ? 15 : 0), near, across, wide / 2);
      if (end) put(along + 10, along + 12 + 17 * pays.length, across, Math.max(...pays, 12) / 2);
      if (shown.more(i) && !shown.open(i)) put(along + 15, along + 36, across, 16);
    }
  }
  return found;
}

/** Of all ways that it might take, that which strikes through least, and is not much longer than need be. */
function best(all: readonly Written[], from: Place, to: Place, usual: Bend): Bend {
  const low = [Math.min(from[0], to[0]) - AROUND, Math.min(from[1], to[1]) - AROUND] as const;
  const high = [Math.max(from[0], to[0]) + AROUND, Math.max(from[1], to[1]) + AROUND] as const;
  const near = all.filter(({ along, across }) => along[1] > low[0] && along[0] < high[0] && across[1] > low[1] && across[0] < high[1]);
  let [least, found] = [worst(near, from, to, usual), usual];
  for (const way of least > 0 ? ways(from[0] === to[0], usual.off) : []) {
    const longer = LONGER * (length(way, from, to) - 1) + 0.1;
    const bad = longer + worst(near, from, to, way, least - longer);
    if (bad < least) [least, found] = [bad, way];
  }
  return found;
}

/** The ways that are tried: bows to either side; from level to level also turns, by which a line leaves one node and comes to the other. */
function* ways(level: boolean, bow: number): Iterable<Bend> {
  for (const off of [0, -14, -17, -21, -26, 24, 36, 48, 60, bow * 1.6, bow * 2.5])
    for (const flat of [0.25, 0.05]) yield { first: [0, flat], second: [1, 1 - flat], off };
  if (level) return;
  for (const first of TURNS)
    for (const second of TURNS) for (const off of [0, -14, 14]) yield { first, second: [1 - second[0], 1 - second[1]], off };
}

/** How much of what is written such a line strikes through, not at its own ends; it is counted up to a most. */
function worst(near: readonly Written[], from: Place, to: Place, way: Bend, most = Infinity): number {
  const points = along(way, from, to);
  let bad = 0;
  for (const [u, v] of points) {
    if (bad >= most) break;
    if (Math.hypot(u - from[0], v - from[1]) < RADIUS + 3 || Math.hypot(u - to[0], v - to[1]) < RADIUS + 3) continue;
    for (const one of near) if (u > one.along[0] - 2 && u < one.along[1] + 2 && v > one.across[0] - 1 && v < one.across[1] + 1) bad += SAID;
  }
  return bad;
}

function length(way: Bend, from: Place, to: Place): number {
  const points = along(way, from, to);
  const far = points.reduce((sum, [u, v], k) => {
    const [a, b] = points[k - 1] ?? [u, v];
    return sum + Math.hypot(u - a, v - b);
  }, 0);
  return far / Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 1);
}

/** Points of such a line. */
function along(way: Bend, from: Place, to: Place): Place[] {
  const [one, two] = bent(way, from, to);
  const count = Math.min(Math.max(Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / ROUTE_STEP), 16), 60);
  return Array.from({ length: count + 1 }, (_, k): Place => {
    const t = k / count;
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    return [a * from[0] + b * one[0] + c * two[0] + d * to[0], a * from[1] + b * one[1] + c * two[1] + d * to[1]];
  });
}

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
  const step = Math.max(plain.step, ROW_STEP);
  const x = new Float64Array(shown.count);
  const y = new Float64Array(shown.count);
  for (let i = 0; i < shown.count; i++) {
    x[i] = half + (side[i] ?? 0) * (along[level[i] ?? 0] ?? 0);
    y[i] = ABOVE + ((row[i] ?? 0) + 0.5) * step;
  }
  return { ...plain, side, x, y, step, gutter, lead, width: 2 * half, height: rows * step + 2 * ABOVE };
}

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

export type Print = keyof typeof PRINTS;

/** Have the style sheet print so: `font: var(--dk-print-pay)`. */
export function prints(root: HTMLElement): void {
  for (const [name, font] of Object.entries(PRINTS)) root.style.setProperty(`--dk-print-${name}`, `${font} ${SANS}`);
}

/** The same, for a canvas. */
export const printed = (print: Print): string => `${PRINTS[print]} ${SANS}`;

/** How wide words are: measured once for each. Digits are all as wide as a nought, as tables have them. */
export function textWidth(said: string, print: Print = "word"): number {
  const key = `${print} ${said}`;
  const found = pen.widths.get(key);
  if (found !== undefined) return found;
  if (pen.context === undefined) pen.context = document.createElement("canvas").getContext("2d");
  if (pen.context) pen.context.font = printed(print);
  const width = Math.ceil(pen.context?.measureText(said.replace(/\d/g, "0")).width ?? said.length * 8.5);
  if (pen.widths.size > 20_000) pen.widths.clear();
  pen.widths.set(key, width);
  return width;
}
