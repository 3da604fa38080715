/** The edges of the board on a canvas. The visible ones are drawn again whenever it moves. */

import type { Lane, ShownTree } from "../protocol/tree-drawing";
import type { Size, View } from "./pan-zoom";
import { type Box, canvasFont, chooseBend, findControls, laneOffset, measureText, RADIUS, type TreeLayout } from "./tree-layout";

/** Of a longer line only the visible part is drawn, because every dash costs time. */
const LONG_LINE = 900;
/** The dash patterns, as in Python's pictures. */
const DASHES = [
  [7, 5],
  [1.5, 4.5],
  [12, 4.5],
  [10, 4, 1.5, 4],
  [7, 3.5, 1.5, 3.5, 1.5, 3.5],
] as const;
const CORNER_RADIUS = 5;

type Point = readonly [x: number, y: number];
type Curve = readonly [Point, Point, Point, Point];

/** The style of a branch. */
export interface Stroke {
  readonly width: number;
  readonly tone: "plain" | "faint" | "lit" | "chosen" | "right" | "wrong";
}

/** Joined nodes: an infoset, the focused one, or one of the answer. */
export interface Join {
  readonly places: readonly number[];
  readonly kind: "set" | "active" | "given" | "right" | "wrong";
  /** The player whose colour is used. */
  readonly seat: number;
  /** The lane, dashes and name. Without it the line is routed automatically. */
  readonly lane?: Lane | undefined;
}

/** Everything that the edges need. */
export interface EdgeScene {
  readonly tree: ShownTree;
  readonly layout: TreeLayout;
  /** The current positions of the nodes. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly branches: readonly number[];
  readonly joins: readonly Join[];
  getStroke(i: number): Stroke;
  /** Far away nodes are dots and drawn here. */
  readonly dots: readonly number[];
}

export class EdgesCanvas {
  readonly element = document.createElement("canvas");
  private readonly context = this.element.getContext("2d");
  private colours: Readonly<Record<string, string>> = {};

  constructor() {
    this.element.className = "dk-edges";
    this.element.setAttribute("aria-hidden", "true");
  }

  /** Read the colours from the style sheet: at the start and after theme changes. */
  readColours(): void {
    const style = getComputedStyle(this.element);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const seats = Array.from({ length: 6 }, (_, i) => [`seat${i}`, colour(`--dk-player-${i}`)] as const);
    const tones = ["plain", "faint", "lit", "chosen", "right", "wrong", "set"].map((tone) => [tone, colour(`--dk-line-${tone}`)] as const);
    this.colours = Object.fromEntries([...seats, ...tones]);
  }

  draw(lines: EdgeScene, view: View, size: Size, box: Box): void {
    const { tree, x, y, dots } = lines;
    const { context, element } = this;
    if (!context) return;
    const pixelRatio = Math.min(devicePixelRatio || 1, 3);
    const [width, height] = [Math.round(size.width * pixelRatio), Math.round(size.height * pixelRatio)];
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(pixelRatio * view.scale, 0, 0, pixelRatio * view.scale, pixelRatio * view.left, pixelRatio * view.top);
    context.lineJoin = "round";
    context.lineCap = "round";
    this.drawBranches(context, lines, view.scale);
    this.drawJoins(context, lines, view.scale, box);
    for (const i of dots) this.drawDot(context, tree.getActor(i), x[i] as number, y[i] as number, view.scale);
  }

  /** Draw branches of the same style in one stroke, which is faster. */
  private drawBranches(pen: CanvasRenderingContext2D, lines: EdgeScene, scale: number): void {
    const { branches, getStroke } = lines;
    const paths = new Map<string, { stroke: Stroke; path: Path2D }>();
    for (const i of branches) {
      const style = getStroke(i);
      if (!style.width) continue;
      const key = `${style.tone} ${style.width}`;
      const entry = paths.get(key) ?? { stroke: style, path: new Path2D() };
      paths.set(key, entry);
      traceBranch(entry.path, i, lines);
    }
    const order = ["faint", "plain", "lit", "chosen", "right", "wrong"];
    for (const { stroke: style, path } of [...paths.values()].sort((a, b) => order.indexOf(a.stroke.tone) - order.indexOf(b.stroke.tone))) {
      pen.strokeStyle = this.colours[style.tone] || "#888";
      pen.lineWidth = Math.max(style.width, 0.9 / scale);
      pen.stroke(path);
    }
  }

  /** Draw the dashed lines of infosets, in their lanes or around text and other nodes. */
  private drawJoins(pen: CanvasRenderingContext2D, lines: EdgeScene, scale: number, box: Box): void {
    const { tree, joins, x, y, layout } = lines;
    const right = layout.direction === "right";
    const level = (i: number): number => tree.drawing.nodes.level[i] ?? 0;
    const paths = new Map<string, { join: Join; path: Path2D }>();
    const dashIndex = ({ lane }: Join): number => (layout.side ? 0 : (lane?.[1] ?? 0)); // With two sides no lines cross, so one pattern is enough.
    for (const [n, join] of joins.entries()) {
      const key = `${join.kind} ${join.seat} ${dashIndex(join)}`;
      const entry = paths.get(key) ?? { join, path: new Path2D() };
      paths.set(key, entry);
      for (let k = 1; k < join.places.length; k++) {
        const [a, b] = [join.places[k - 1] as number, join.places[k] as number];
        const [from, to]: [Point, Point] = [
          [x[a] as number, y[a] as number],
          [x[b] as number, y[b] as number],
        ];
        // Skip lines that only pass through the visible part.
        if (join.kind === "set" && !contains(box, from) && !contains(box, to)) continue;
        if (layout.side) {
          entry.path.moveTo(...from);
          entry.path.lineTo(...to);
          continue;
        }
        if (join.lane?.[0] && level(a) === level(b)) {
          traceLane(entry.path, from, to, laneOffset(join.lane[0]), right, box);
          continue;
        }
        const distance = Math.hypot(to[0] - from[0], to[1] - from[1]);
        const bow = distance > layout.step * 1.6 && join.lane?.[0] !== 0 ? Math.min(14 + distance * 0.05, 40) * (1 + (n % 4) * 0.22) : 0;
        const route = chooseBend(tree, layout, a, b, bow);
        const [firstControl, secondControl] = right
          ? findControls(route, from, to)
          : findControls(route, swapAxes(from), swapAxes(to)).map(swapAxes);
        const curve: Curve = [from, firstControl as Point, secondControl as Point, to];
        const visible =
          distance > LONG_LINE ? clipCurve(curve, right ? 1 : 0, right ? box.top : box.left, right ? box.bottom : box.right) : curve;
        if (!visible) continue;
        entry.path.moveTo(...visible[0]);
        entry.path.bezierCurveTo(...visible[1], ...visible[2], ...visible[3]);
      }
    }
    for (const { join, path } of paths.values()) {
      const { kind, seat } = join;
      const dash = Math.max(1, 0.6 / scale);
      pen.lineCap = "butt";
      pen.setLineDash((kind === "given" ? [2, 5] : (DASHES[dashIndex(join)] ?? DASHES[0])).map((length) => length * dash));
      // Every second pattern has the player's colour, and so has the focused infoset.
      const hasPlayerColour = kind === "active" || (kind === "set" && dashIndex(join) % 2);
      pen.strokeStyle = this.colours[hasPlayerColour ? `seat${seat % 6}` : kind === "given" ? "chosen" : kind] || "#888";
      pen.lineWidth = Math.max(kind === "set" ? 1.7 : 2.6, 0.9 / scale);
      pen.stroke(path);
    }
    pen.setLineDash([]);
    pen.lineCap = "round";
    for (const { lane, kind, seat } of joins)
      if (lane?.[2] && !layout.side) this.drawName(pen, lines, lane, kind === "active" ? `seat${seat % 6}` : "plain");
  }

  /** Draw the name of a dashed line. */
  private drawName(
    pen: CanvasRenderingContext2D,
    { tree, x, y, layout }: EdgeScene,
    [lane, , name = "", a = 0, b = 0]: Lane,
    tone: string,
  ): void {
    const { level } = tree.drawing.nodes;
    const [ax, ay, bx, by] = [x[a] as number, y[a] as number, x[b] as number, y[b] as number];
    const right = layout.direction === "right";
    const sameLevel = level[a] === level[b];
    const space = sameLevel && !right ? Math.abs(bx - ax) - 2 * RADIUS : Infinity;
    const width = Math.min(measureText(name, "note"), space);
    const middle = (ax + bx) / 2;
    const cx = sameLevel && right ? ax - Math.max(laneOffset(lane), width / 2 + 4) : middle;
    const cy = sameLevel && !right ? ay - laneOffset(lane) : (ay + by) / 2;
    pen.font = canvasFont("note");
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.clearRect(cx - width / 2 - 2, cy - 7, width + 4, 14);
    pen.fillStyle = this.colours[tone] || "#888";
    pen.fillText(name, cx, cy, width + 1);
  }

  private drawDot(pen: CanvasRenderingContext2D, actor: number, x: number, y: number, scale: number): void {
    const size = Math.max(actor < 0 ? 4 : 9, 1.6 / scale);
    pen.fillStyle = this.colours[actor < 0 ? "plain" : `seat${actor % 6}`] || "#888";
    pen.fillRect(x - size, y - size, 2 * size, 2 * size);
  }
}

const contains = (box: Box, [x, y]: Point): boolean => x > box.left - 40 && x < box.right + 40 && y > box.top - 40 && y < box.bottom + 40;

/** Trace a line beside a level, with round corners, but only its visible part. */
function traceLane(path: Path2D, from: Point, to: Point, distance: number, right: boolean, box: Box): void {
  const [low, high] = right ? [box.top - 40, box.bottom + 40] : [box.left - 40, box.right + 40];
  const toPoint = (along: number, across: number): Point => (right ? [along, across] : [across, along]);
  const [along, start, end] = right ? [from[0], from[1], to[1]] : [from[1], from[0], to[0]];
  const lane = along - distance;
  const [visibleStart, visibleEnd] = [start < low ? low : start, end > high ? high : end];
  if (visibleStart === start) {
    path.moveTo(...toPoint(along, start));
    path.lineTo(...toPoint(lane + CORNER_RADIUS, start));
    path.quadraticCurveTo(...toPoint(lane, start), ...toPoint(lane, start + CORNER_RADIUS));
  } else path.moveTo(...toPoint(lane, visibleStart));
  path.lineTo(...toPoint(lane, visibleEnd === end ? end - CORNER_RADIUS : visibleEnd));
  if (visibleEnd !== end) return;
  path.quadraticCurveTo(...toPoint(lane, end), ...toPoint(lane + CORNER_RADIUS, end));
  path.lineTo(...toPoint(along, end));
}

const swapAxes = ([x, y]: Point): Point => [y, x];

/** Return the part of a curve between two bounds of an axis. The curve must be monotonic there. */
export function clipCurve(curve: Curve, axis: 0 | 1, min: number, max: number): Curve | undefined {
  const isRising = curve[3][axis] >= curve[0][axis];
  const findParameter = (bound: number): number => {
    let [low, high] = [0, 1];
    for (let n = 0; n < 24; n++) {
      const t = (low + high) / 2;
      if (isRising === pointAt(curve, t)[axis] < bound) low = t;
      else high = t;
    }
    return (low + high) / 2;
  };
  const [first, last] = isRising ? [findParameter(min), findParameter(max)] : [findParameter(max), findParameter(min)];
  if (last - first < 1e-6) return undefined;
  const tail = splitCurve(curve, first)[1];
  return splitCurve(tail, (last - first) / (1 - first))[0];
}

const interpolate = (a: Point, b: Point, t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
const pointAt = (curve: Curve, t: number): Point => splitCurve(curve, t)[0][3];

/** Split a curve by de Casteljau's method. */
function splitCurve([a, b, c, d]: Curve, t: number): [Curve, Curve] {
  const [ab, bc, cd] = [interpolate(a, b, t), interpolate(b, c, t), interpolate(c, d, t)];
  const [abc, bcd] = [interpolate(ab, bc, t), interpolate(bc, cd, t)];
  const middle = interpolate(abc, bcd, t);
  return [
    [a, ab, abc, middle],
    [middle, bcd, cd, d],
  ];
}

/** Trace a branch: a curve away from its parent, then a straight part for the action's text. */
function traceBranch(path: Path2D, i: number, { tree, layout, x, y }: Pick<EdgeScene, "tree" | "layout" | "x" | "y">): void {
  const parent = tree.getParent(i);
  const [px, py, cx, cy] = [x[parent] as number, y[parent] as number, x[i] as number, y[i] as number];
  const lead = layout.leads[tree.drawing.nodes.level[i] ?? 0] ?? 0;
  const side = layout.side ? (layout.side[i] ?? 0) : 1;
  if (!side) path.moveTo(px, py);
  else if (layout.direction === "right") {
    const [from, elbow] = [px + side * (layout.stem - 3), cx - side * lead];
    const half = (elbow - from) * 0.55;
    path.moveTo(px + side * (RADIUS - 3), py);
    path.lineTo(from, py);
    path.bezierCurveTo(from + half, py, elbow - half, cy, elbow, cy);
  } else {
    const [from, elbow] = [py + layout.stem - 3, cy - lead];
    const half = (elbow - from) * 0.55;
    path.moveTo(px, py + RADIUS - 3);
    path.lineTo(px, from);
    path.bezierCurveTo(px, from + half, cx, elbow - half, cx, elbow);
  }
  path.lineTo(cx, cy);
}
