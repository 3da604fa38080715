/** The layout of a tree in pixels: text widths, positions, routes of dashed lines, and signalling games with chance in the middle. */

import { type Drawing, type Fan, formatMinus, type Move, type ShownTree } from "../protocol/tree-drawing";

/** Sizes in pixels at scale 1. */
export const RADIUS = 12;
const CURVE_LENGTH = 36;
const TIGHT_CURVE = 20; // On narrow pages.
const MAX_CURVE = 130; // The most space for a branch that spans many rows.
const GAP = 7;
const LABEL_HEIGHT = 24; // The height of the text on a branch.
const PROBABILITY_HEIGHT = 15; // The height of a probability below it.
const PADDING = 18;
const LANE_GAP = 7; // The distance between dashed lines.
const FIELD_WIDTH = 66;
const NARROW_FIELD_WIDTH = 52; // Beside or below a node.
const FIELD_HEIGHT = 48;
/** The extra width of a field for three or more numbers. */
export const WIDE_FIELD_EXTRA = 50;
const MIN_LABEL_WIDTH = 30;
const MAX_LABEL_WIDTH = 150;

/** In larger trees lines are not routed. Nobody follows a single line there. */
const MAX_ROUTED_NODES = 400;
/** The search margin around two nodes. */
const SEARCH_MARGIN = 60;
/** The distance of checked points on a line. */
const ROUTE_STEP = 6;
const CROSSING_COST = 3; // The cost of a point that crosses text or a node.
const LENGTH_COST = 2; // The cost of a longer line.

export type Direction = Drawing["direction"];

export interface TreeLayout {
  readonly direction: Direction;
  /** In a layout with two sides: the side of each node, -1, 0 or 1. */
  readonly side?: readonly number[];
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The distance from a node to where its branches part. */
  readonly stem: number;
  /** By level: the distance from a node back to the end of its branch's curve. */
  readonly leads: readonly number[];
  /** By level: the width of the text on its branches. */
  readonly labelWidths: readonly number[];
  /** By level: the space of dashed lines and names between the level and its branches' text. */
  readonly gutters: readonly number[];
  /** The width of each node's action. */
  readonly moveWidths: Float64Array;
  /** Probabilities are below actions, and values above nodes. */
  readonly hasProbabilities: boolean;
  readonly hasValues: boolean;
  /** The distance between rows. */
  readonly step: number;
  /** The width of each player's payoff. */
  readonly payoffWidths: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The two control points of a line: parts of the way along and across the tree, and an offset along it. */
export interface Bend {
  readonly first: readonly [along: number, across: number];
  readonly second: readonly [along: number, across: number];
  readonly off: number;
}

/** A box with text: its range along and across the tree. */
interface TextBox {
  readonly along: readonly [from: number, to: number];
  readonly across: readonly [from: number, to: number];
}

const textCache = new WeakMap<TreeLayout, { readonly all: readonly TextBox[]; readonly found: Map<string, Bend> }>();

const BEND_TRIALS = [
  [0, 0.5],
  [0, 1],
  [0.3, 0.1],
  [0.6, 0],
  [1, 0],
  [0.2, 0.8],
  [1, 0.5],
  [-0.3, 0.5],
] as const;

/** The smallest scale of a layout with two sides. If it does not fit, the tree grows to the right. */
const MIN_FAN_SCALE = 0.8;

const FAN_FIRST_GAP = 14;
const FAN_GAP = 36;
const FAN_ROW_STEP = 40; // The words of chance are between two rows.
const FAN_TOP = 24;
const FAN_CHANCE_WIDTH = 110; // The words of chance are right of the middle.

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** As in base.css. */
const SANS = '-apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Helvetica Neue", Arial, sans-serif';
const FONTS = {
  move: "400 14px/20px",
  payoff: "650 14px/20px",
  probability: "650 12px/14px",
  note: "400 12px/15px",
} as const;

const textMeasurer = { context: undefined as CanvasRenderingContext2D | null | undefined, widths: new Map<string, number>() };

/** Measures actions and payoffs. */
export interface Measure {
  label(move: Move): number;
  text(text: string, print: FontName): number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What needs extra space: probabilities, values, touch. */
export interface LayoutNeeds {
  readonly hasProbabilities: boolean;
  readonly usesTouch: boolean;
  readonly hasValues?: boolean;
  /** Nodes have input fields. */
  readonly hasFields: boolean;
  /** The fields are for three or more numbers. */
  readonly wideFields?: boolean;
  /** The page is narrow. */
  readonly isNarrow: boolean;
}

/** Lay out a tree that grows in one direction. */
export function buildTreeLayout(tree: ShownTree, direction: Direction, measure: Measure, needs: LayoutNeeds): TreeLayout {
  const { nodes, size, payoffs: ends } = tree.drawing;
  const levels = Math.max(size.levels, ...nodes.level.map((level) => level + 1), 1);
  const label = Array.from({ length: levels }, (_, level): number => (level ? MIN_LABEL_WIDTH : 0));
  const moveWidths = new Float64Array(tree.count);
  for (let i = 0; i < tree.count; i++) {
    const move = tree.getMove(i);
    moveWidths[i] = move ? measure.label(move) : 0;
    const level = nodes.level[i] ?? 0;
    const notes = tree.getBranchNotes(i).map((text) => Math.min(measure.text(text, "note") + 6, MAX_LABEL_WIDTH));
    if (move) label[level] = Math.max(label[level] ?? 0, moveWidths[i] ?? 0, ...notes);
  }
  const pays: number[] = [];
  for (const texts of Object.values(ends))
    for (const [seat, text] of texts.entries()) {
      const comma = direction === "right" && seat < texts.length - 1 ? "," : "";
      pays[seat] = Math.max(pays[seat] ?? 0, measure.text(formatMinus(text) + comma, "payoff"));
    }
  const payoffsWidth = pays.reduce((sum, width) => sum + width + GAP, 0);
  const right = direction === "right";
  const notes = Object.values(tree.drawing.labels?.branches ?? {}).reduce((max, texts) => Math.max(max, texts.length), 0);
  const underHeight = (Number(needs.hasProbabilities) + notes) * PROBABILITY_HEIGHT;
  const extraWidth = needs.wideFields ? WIDE_FIELD_EXTRA : 0;
  const widest = Math.max(...label, ...pays, needs.hasFields ? 58 + extraWidth : 0);
  const step = right
    ? Math.max(LABEL_HEIGHT + 10 + underHeight, needs.usesTouch ? 46 : 0, needs.hasFields ? 44 : 0)
    : Math.max(widest + 12, needs.usesTouch ? 48 : 40);
  const gutter = measureGutters(tree, levels, right, measure);
  const lead = label.map((width, level) => RADIUS + (right ? GAP + width : LABEL_HEIGHT + GAP + underHeight) + (gutter[level] ?? 0));
  const stem = RADIUS + (needs.hasFields ? (right ? (needs.isNarrow ? NARROW_FIELD_WIDTH : FIELD_WIDTH) + extraWidth : FIELD_HEIGHT) : 0);
  const bend = needs.isNarrow ? TIGHT_CURVE : right ? CURVE_LENGTH : CURVE_LENGTH - 8;
  const climbs = measureClimbs(tree, levels);
  const depth: number[] = [];
  for (const [level, maxAlong] of lead.entries()) {
    const curve = Math.min(bend + (climbs[level] ?? 0) * step * (needs.isNarrow ? 0.05 : 0.1), MAX_CURVE);
    depth.push(level ? (depth[level - 1] ?? 0) + stem + curve + maxAlong : PADDING + RADIUS);
  }
  const x = new Float64Array(tree.count);
  const y = new Float64Array(tree.count);
  const firstRow = PADDING + (right ? Math.max(RADIUS, step / 2) : Math.max(step / 2, RADIUS));
  let [far, maxSide] = [0, 0];
  for (let i = 0; i < tree.count; i++) {
    const along = depth[nodes.level[i] ?? 0] ?? 0;
    const side = firstRow + (nodes.row[i] ?? 0) * step;
    x[i] = right ? along : side;
    y[i] = right ? side : along;
    far = Math.max(far, along);
    maxSide = Math.max(maxSide, side);
  }
  const endSize = right
    ? Math.max(payoffsWidth + GAP, needs.hasFields ? 76 + extraWidth : 0, 44)
    : Math.max(pays.length * 17 + 6, needs.hasFields ? 40 : 0, 26);
  const along = far + RADIUS + endSize + PADDING;
  const side = maxSide + firstRow;
  return {
    direction,
    x,
    y,
    stem,
    leads: lead,
    labelWidths: label,
    gutters: gutter,
    moveWidths,
    hasProbabilities: needs.hasProbabilities,
    hasValues: needs.hasValues ?? false,
    step,
    payoffWidths: pays,
    width: right ? along : side,
    height: right ? side : along,
  };
}

/** Return the distance of a lane from its nodes. */
export const laneOffset = (lane: number): number => RADIUS + 5 + LANE_GAP * (lane - 1);

/** Measure the space of dashed lines and names beside each level. */
function measureGutters(tree: ShownTree, levels: number, right: boolean, measure: Measure): number[] {
  const { level } = tree.drawing.nodes;
  const widths = new Array<number>(levels).fill(0);
  for (const [n, places] of tree.infosets.entries()) {
    const [lane, , name, firstNode = 0, secondNode = 0] = tree.drawing.lanes?.[n] ?? [0, 0];
    const nodeLevels = places.map((i) => level[i] ?? 0);
    for (const [k, nodeLevel] of nodeLevels.entries())
      if (lane && nodeLevels.indexOf(nodeLevel) < k) widths[nodeLevel] = Math.max(widths[nodeLevel] ?? 0, LANE_GAP * lane + 2);
    const ownLevel = level[firstNode] ?? 0;
    if (name && level[secondNode] === ownLevel)
      widths[ownLevel] = Math.max(widths[ownLevel] ?? 0, right ? measure.text(name, "note") + 8 : LANE_GAP * lane + 8);
  }
  return widths;
}

/** Return, by level, how many rows a branch spans at most. */
function measureClimbs(tree: ShownTree, levels: number): number[] {
  const { row, level } = tree.drawing.nodes;
  const climbs = new Array<number>(levels).fill(0);
  for (let i = 0; i < tree.count; i++) {
    const parent = tree.getParent(i);
    const nodeLevel = level[i] ?? 0;
    if (parent >= 0) climbs[nodeLevel] = Math.max(climbs[nodeLevel] ?? 0, Math.abs((row[i] ?? 0) - (row[parent] ?? 0)));
  }
  return climbs;
}

/** Return the visible nodes, and the nodes whose branches cross the box. */
export function findVisible(
  tree: ShownTree,
  { x, y, leads, payoffWidths, step, direction, side }: TreeLayout,
  box: Box,
): { nodes: number[]; branches: number[] } {
  const right = direction === "right";
  const ahead = Math.max(...leads) + RADIUS;
  const after = RADIUS + (right ? payoffWidths.reduce((sum, width) => sum + width + GAP, 0) + 60 : payoffWidths.length * 17 + 40);
  const [before, behind] = side ? [ahead + after, ahead + after] : right ? [after, ahead] : [step, step];
  const [above, beneath] = side ? [3 * step, 3 * step] : right ? [step, step] : [after, ahead];
  const nodes: number[] = [];
  const branches: number[] = [];
  for (let i = 0; i < tree.count; i++) {
    const [cx, cy] = [x[i] as number, y[i] as number];
    if (cx > box.left - before && cx < box.right + behind && cy > box.top - above && cy < box.bottom + beneath) nodes.push(i);
    const parent = tree.getParent(i);
    if (parent < 0) continue;
    const [px, py] = [x[parent] as number, y[parent] as number];
    if (Math.max(px, cx) > box.left && Math.min(px, cx) < box.right && Math.max(py, cy) > box.top && Math.min(py, cy) < box.bottom)
      branches.push(i);
  }
  return { nodes, branches };
}

/** Return the box of a node with its shown subtree. */
export function findSubtreeBox(tree: ShownTree, { x, y, leads, payoffWidths, step, direction, side }: TreeLayout, i: number): Box {
  const nodes = [i];
  for (let n = 0; n < nodes.length; n++) nodes.push(...tree.getChildren(nodes[n] as number));
  const right = direction === "right";
  const xs = nodes.map((node) => x[node] as number);
  const ys = nodes.map((node) => y[node] as number);
  const back = tree.getParent(i) < 0 ? RADIUS : (leads[tree.drawing.nodes.level[i] ?? 0] ?? RADIUS);
  const after = RADIUS + (right ? payoffWidths.reduce((sum, width) => sum + width + GAP, 44) : payoffWidths.length * 17 + 26);
  const half = step / 2;
  if (side)
    return { left: min(xs) - Math.max(after, back), right: max(xs) + Math.max(after, back), top: min(ys) - half, bottom: max(ys) + half };
  return right
    ? { left: min(xs) - back, right: max(xs) + after, top: min(ys) - half, bottom: max(ys) + half }
    : { left: min(xs) - half, right: max(xs) + half, top: min(ys) - back, bottom: max(ys) + after };
}

const min = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const max = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

/** Return a bend toward the growing side. If it would cross something, return the best alternative. */
export function chooseBend(tree: ShownTree, plan: TreeLayout, a: number, b: number, bow: number): Bend {
  const defaultBend: Bend = { first: [0, 0.25], second: [1, 0.75], off: bow };
  if (tree.count > MAX_ROUTED_NODES) return defaultBend;
  const cache = textCache.get(plan) ?? { all: listTextBoxes(tree, plan), found: new Map<string, Bend>() };
  textCache.set(plan, cache);
  const key = `${a} ${b} ${bow}`;
  const bend = cache.found.get(key) ?? findBestBend(cache.all, findPoint(plan, a), findPoint(plan, b), defaultBend);
  cache.found.set(key, bend);
  return bend;
}

/** Return the control points of a bent line, along and across the tree. */
export function findControls({ first, second, off }: Bend, from: TreePoint, to: TreePoint): readonly [TreePoint, TreePoint] {
  const [along, across] = [to[0] - from[0], to[1] - from[1]];
  return [
    [from[0] + along * first[0] + off, from[1] + across * first[1]],
    [from[0] + along * second[0] + off, from[1] + across * second[1]],
  ];
}

type TreePoint = readonly [along: number, across: number];

const findPoint = ({ x, y, direction }: TreeLayout, i: number): TreePoint => {
  const [cx, cy] = [x[i] as number, y[i] as number];
  return direction === "right" ? [cx, cy] : [cy, cx];
};

/** Return the boxes of everything on the board, except lines and the author's notes. */
function listTextBoxes(tree: ShownTree, plan: TreeLayout): TextBox[] {
  const { labelWidths, moveWidths, payoffWidths, hasProbabilities, hasValues } = plan;
  const right = plan.direction === "right";
  const boxes: TextBox[] = [];
  const addBox = (along: number, to: number, across: number, half: number): void => {
    boxes.push({ along: [along, to], across: [across - half, across + half] });
  };
  for (let i = 0; i < tree.count; i++) {
    const [along, across] = findPoint(plan, i);
    const isTerminal = tree.getPayoffs(i).length > 0;
    const sign = isTerminal ? 5 : RADIUS + 1;
    addBox(along - sign, along + sign, across, sign);
    const move = tree.getMove(i);
    const wide = moveWidths[i] as number;
    const near = along - RADIUS - 7 - (plan.gutters[tree.drawing.nodes.level[i] ?? 0] ?? 0);
    if (right) {
      const middle = near - (labelWidths[tree.drawing.nodes.level[i] ?? 0] ?? 0) / 2;
      if (move) addBox(middle - wide / 2, middle + wide / 2, across, 12);
      if (move && (hasProbabilities || move.probability)) addBox(middle - 22, middle + 22, across + 20, 8);
      if (isTerminal) addBox(along + 10, along + 12 + payoffWidths.reduce((sum, width) => sum + width + 7, 0), across, 10);
      else if (hasValues) addBox(along - 20, along + 20, across - 21, 8);
      if (tree.countHidden(i) && !tree.isOpen(i)) addBox(along + 13, along + 44, across, 10);
    } else {
      if (move) addBox(near - 24 - (hasProbabilities || move.probability ? 15 : 0), near, across, wide / 2);
      if (isTerminal) addBox(along + 10, along + 12 + 17 * payoffWidths.length, across, Math.max(...payoffWidths, 12) / 2);
      if (tree.countHidden(i) && !tree.isOpen(i)) addBox(along + 15, along + 36, across, 16);
    }
  }
  return boxes;
}

/** Return the bend with the fewest crossings that is not much longer than needed. */
function findBestBend(boxes: readonly TextBox[], from: TreePoint, to: TreePoint, defaultBend: Bend): Bend {
  const low = [Math.min(from[0], to[0]) - SEARCH_MARGIN, Math.min(from[1], to[1]) - SEARCH_MARGIN] as const;
  const high = [Math.max(from[0], to[0]) + SEARCH_MARGIN, Math.max(from[1], to[1]) + SEARCH_MARGIN] as const;
  const near = boxes.filter(({ along, across }) => along[1] > low[0] && along[0] < high[0] && across[1] > low[1] && across[0] < high[1]);
  let [lowestCost, bestBend] = [countCrossings(near, from, to, defaultBend), defaultBend];
  for (const bend of lowestCost > 0 ? listBends(from[0] === to[0], defaultBend.off) : []) {
    const lengthCost = LENGTH_COST * (measureLength(bend, from, to) - 1) + 0.1;
    const cost = lengthCost + countCrossings(near, from, to, bend, lowestCost - lengthCost);
    if (cost < lowestCost) [lowestCost, bestBend] = [cost, bend];
  }
  return bestBend;
}

/** List the bends to try: bows to either side and, between levels, turns. */
function* listBends(level: boolean, bow: number): Iterable<Bend> {
  for (const off of [0, -14, -17, -21, -26, 24, 36, 48, 60, bow * 1.6, bow * 2.5])
    for (const flat of [0.25, 0.05]) yield { first: [0, flat], second: [1, 1 - flat], off };
  if (level) return;
  for (const first of BEND_TRIALS)
    for (const second of BEND_TRIALS) for (const off of [0, -14, 14]) yield { first, second: [1 - second[0], 1 - second[1]], off };
}

/** Count the crossings of a bent line with text, except near its ends. Stop at `limit`. */
function countCrossings(near: readonly TextBox[], from: TreePoint, to: TreePoint, bend: Bend, limit = Infinity): number {
  const points = samplePoints(bend, from, to);
  let cost = 0;
  for (const [u, v] of points) {
    if (cost >= limit) break;
    if (Math.hypot(u - from[0], v - from[1]) < RADIUS + 3 || Math.hypot(u - to[0], v - to[1]) < RADIUS + 3) continue;
    for (const box of near)
      if (u > box.along[0] - 2 && u < box.along[1] + 2 && v > box.across[0] - 1 && v < box.across[1] + 1) cost += CROSSING_COST;
  }
  return cost;
}

function measureLength(bend: Bend, from: TreePoint, to: TreePoint): number {
  const points = samplePoints(bend, from, to);
  const total = points.reduce((sum, [u, v], k) => {
    const [a, b] = points[k - 1] ?? [u, v];
    return sum + Math.hypot(u - a, v - b);
  }, 0);
  return total / Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 1);
}

/** Sample points of a bent line. */
function samplePoints(bend: Bend, from: TreePoint, to: TreePoint): TreePoint[] {
  const [firstControl, secondControl] = findControls(bend, from, to);
  const count = Math.min(Math.max(Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / ROUTE_STEP), 16), 60);
  return Array.from({ length: count + 1 }, (_, k): TreePoint => {
    const t = k / count;
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    return [
      a * from[0] + b * firstControl[0] + c * secondControl[0] + d * to[0],
      a * from[1] + b * firstControl[1] + c * secondControl[1] + d * to[1],
    ];
  });
}

/** Lay out a tree: with two sides if requested and if it fits in the width (0 always fits), otherwise in one direction. */
export function layOutTree(
  tree: ShownTree,
  direction: Direction,
  measure: Measure,
  needs: LayoutNeeds,
  fanRequest?: { readonly of: Fan; readonly width: number },
): TreeLayout {
  const plain = buildTreeLayout(tree, direction, measure, needs);
  return (fanRequest && direction === "right" ? layOutFan(tree, fanRequest.of, plain, fanRequest.width) : undefined) ?? plain;
}

/** Lay out a tree with two sides, with the sizes of the one-sided layout. Undefined if it is too wide. */
function layOutFan(tree: ShownTree, { side, row, rows }: Fan, base: TreeLayout, space: number): TreeLayout | undefined {
  const { level } = tree.drawing.nodes;
  // Nothing is beside the answers, so there are no lanes and messages run straight.
  const gutter = base.gutters.map(() => 0);
  const lead = base.leads.map((far, i) => far - (base.gutters[i] ?? 0));
  const along = [0, 0];
  for (let i = 2; i < lead.length; i++) along.push((along[i - 1] ?? 0) + base.stem + (i === 2 ? FAN_FIRST_GAP : FAN_GAP) + (lead[i] ?? 0));
  const half = Math.max((along.at(-1) ?? 0) + base.width - Math.max(...base.x), base.labelWidths[1] ?? 0, FAN_CHANCE_WIDTH);
  if (space && 2 * half * MIN_FAN_SCALE > space) return undefined;
  const step = Math.max(base.step, FAN_ROW_STEP);
  const x = new Float64Array(tree.count);
  const y = new Float64Array(tree.count);
  for (let i = 0; i < tree.count; i++) {
    x[i] = half + (side[i] ?? 0) * (along[level[i] ?? 0] ?? 0);
    y[i] = FAN_TOP + ((row[i] ?? 0) + 0.5) * step;
  }
  return { ...base, side, x, y, step, gutters: gutter, leads: lead, width: 2 * half, height: rows * step + 2 * FAN_TOP };
}

/** Return the nearest node in the direction of an arrow, along a branch or in the same column. */
export function findArrowTarget(tree: ShownTree, { x, y }: TreeLayout, node: number, key: string): number {
  const [right, down] = ARROWS[key] ?? [0, 0];
  const offsetOf = (i: number): readonly [number, number] => [
    (x[i] as number) - (x[node] as number),
    (y[i] as number) - (y[node] as number),
  ];
  const column = Array.from({ length: tree.count }, (_, i) => i).filter((i) => Math.abs(offsetOf(i)[0]) < 1);
  const near = (right ? [tree.getParent(node), ...tree.getChildren(node)] : column).filter(
    (i) => i >= 0 && offsetOf(i)[0] * right + offsetOf(i)[1] * down > 1,
  );
  near.sort((a, b) => Math.hypot(...offsetOf(a)) - Math.hypot(...offsetOf(b)));
  return near[0] ?? node;
}

/** Return whether an arrow leads outwards. */
export function leadsOutwards({ side }: TreeLayout, node: number, key: string): boolean {
  const [right] = ARROWS[key] ?? [0, 0];
  const nodeSide = side?.[node] ?? 0;
  return node === 0 ? key in ARROWS : nodeSide ? right === nodeSide : right !== 0;
}

export type FontName = keyof typeof FONTS;

/** Define font variables for the style sheet: `font: var(--dk-font-payoff)`. */
export function setFontVariables(root: HTMLElement): void {
  for (const [name, font] of Object.entries(FONTS)) root.style.setProperty(`--dk-font-${name}`, `${font} ${SANS}`);
}

/** Return the same font for a canvas. */
export const canvasFont = (print: FontName): string => `${FONTS[print]} ${SANS}`;

/** Return the width of a text, measured once. Digits count as zeros, because tabular digits have equal width. */
export function measureText(text: string, print: FontName = "move"): number {
  const key = `${print} ${text}`;
  const knownWidth = textMeasurer.widths.get(key);
  if (knownWidth !== undefined) return knownWidth;
  if (textMeasurer.context === undefined) textMeasurer.context = document.createElement("canvas").getContext("2d");
  if (textMeasurer.context) textMeasurer.context.font = canvasFont(print);
  const width = Math.ceil(textMeasurer.context?.measureText(text.replace(/\d/g, "0")).width ?? text.length * 8.5);
  if (textMeasurer.widths.size > 20_000) textMeasurer.widths.clear();
  textMeasurer.widths.set(key, width);
  return width;
}
