/** The lines of the board, on a canvas: as many as are seen are drawn anew whenever it moves. */

import type { Lane, Shown } from "../protocol/tree-drawing";
import type { Size, View } from "./pan-zoom";
import { away, type Box, bend, bent, type Plan, printed, RADIUS, textWidth } from "./tree-layout";

/** Of a line that is longer, only what is seen is drawn: each of its dashes is work. */
const FAR = 900;
/** The patterns of dashed lines, as in the pictures that Python draws. */
const DASHES = [
  [7, 5],
  [1.5, 4.5],
  [12, 4.5],
  [10, 4, 1.5, 4],
  [7, 3.5, 1.5, 3.5, 1.5, 3.5],
] as const;
const ROUND = 5;

type Point = readonly [x: number, y: number];
type Curve = readonly [Point, Point, Point, Point];

/** How one branch is to look. */
export interface Stroke {
  readonly width: number;
  readonly tone: "plain" | "faint" | "lit" | "chosen" | "right" | "wrong";
}

/** Nodes that are joined, and whether one of them is looked at, or a person has joined them. */
export interface Join {
  readonly places: readonly number[];
  readonly kind: "set" | "active" | "given" | "right" | "wrong";
  /** Whose colour it has. */
  readonly seat: number;
  /** The lane it takes, its dashes and its name; where nothing is said, it finds its way by itself. */
  readonly way?: Lane | undefined;
}

/** Everything that a picture of the lines needs. */
export interface Lines {
  readonly shown: Shown;
  readonly plan: Plan;
  /** Where the nodes are at this moment. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly branches: readonly number[];
  readonly joins: readonly Join[];
  stroke(i: number): Stroke;
  /** From so far the nodes are dots, and drawn here too. */
  readonly dots: readonly number[];
}

export class Canvas {
  readonly element = document.createElement("canvas");
  private readonly pen = this.element.getContext("2d");
  private colours: Readonly<Record<string, string>> = {};

  constructor() {
    this.element.className = "dk-lines";
    this.element.setAttribute("aria-hidden", "true");
  }

  /** Take the colours from the style sheet: at the beginning, and when the theme changes. */
  dress(): void {
    const style = getComputedStyle(this.element);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const seats = Array.from({ length: 6 }, (_, i) => [`seat${i}`, colour(`--dk-seat-${i}`)] as const);
    const tones = ["plain", "faint", "lit", "chosen", "right", "wrong", "set"].map((tone) => [tone, colour(`--dk-line-${tone}`)] as const);
    this.colours = Object.fromEntries([...seats, ...tones]);
  }

  draw(lines: Lines, view: View, size: Size, box: Box): void {
    const { shown, x, y, dots } = lines;
    const { pen, element } = this;
    if (!pen) return;
    const dense = Math.min(devicePixelRatio || 1, 3);
    const [width, height] = [Math.round(size.width * dense), Math.round(size.height * dense)];
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.setTransform(dense * view.scale, 0, 0, dense * view.scale, dense * view.left, dense * view.top);
    pen.lineJoin = "round";
    pen.lineCap = "round";
    this.branches(pen, lines, view.scale);
    this.joins(pen, lines, view.scale, box);
    for (const i of dots) this.dot(pen, shown.actor(i), x[i] as number, y[i] as number, view.scale);
  }

  /** Lines of one look are drawn at one stroke of the pen. */
  private branches(pen: CanvasRenderingContext2D, lines: Lines, scale: number): void {
    const { branches, stroke } = lines;
    const looks = new Map<string, { stroke: Stroke; path: Path2D }>();
    for (const i of branches) {
      const look = stroke(i);
      if (!look.width) continue;
      const key = `${look.tone} ${look.width}`;
      const found = looks.get(key) ?? { stroke: look, path: new Path2D() };
      looks.set(key, found);
      trace(found.path, i, lines);
    }
    const order = ["faint", "plain", "lit", "chosen", "right", "wrong"];
    for (const { stroke: look, path } of [...looks.values()].sort((a, b) => order.indexOf(a.stroke.tone) - order.indexOf(b.stroke.tone))) {
      pen.strokeStyle = this.colours[look.tone] || "#888";
      pen.lineWidth = Math.max(look.width, 0.9 / scale);
      pen.stroke(path);
    }
  }

  /** Dashed lines from node to node: each in its lane beside the level; where it has none, around what is written and others that lie between. */
  private joins(pen: CanvasRenderingContext2D, lines: Lines, scale: number, box: Box): void {
    const { shown, joins, x, y, plan } = lines;
    const right = plan.direction === "right";
    const level = (i: number): number => shown.drawing.nodes.level[i] ?? 0;
    const looks = new Map<string, { join: Join; path: Path2D }>();
    const dashes = ({ way }: Join): number => (plan.side ? 0 : (way?.[1] ?? 0)); // to both sides, no two lines cross
    for (const [n, join] of joins.entries()) {
      const key = `${join.kind} ${join.seat} ${dashes(join)}`;
      const found = looks.get(key) ?? { join, path: new Path2D() };
      looks.set(key, found);
      for (let k = 1; k < join.places.length; k++) {
        const [a, b] = [join.places[k - 1] as number, join.places[k] as number];
        const [from, to]: [Point, Point] = [
          [x[a] as number, y[a] as number],
          [x[b] as number, y[b] as number],
        ];
        // One that only passes by says nothing here.
        if (join.kind === "set" && !holds(box, from) && !holds(box, to)) continue;
        if (plan.side) {
          found.path.moveTo(...from);
          found.path.lineTo(...to);
          continue;
        }
        if (join.way?.[0] && level(a) === level(b)) {
          rail(found.path, from, to, away(join.way[0]), right, box);
          continue;
        }
        const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
        const bow = far > plan.step * 1.6 && join.way?.[0] !== 0 ? Math.min(14 + far * 0.05, 40) * (1 + (n % 4) * 0.22) : 0;
        const way = bend(shown, plan, a, b, bow);
        const [one, two] = right ? bent(way, from, to) : bent(way, turned(from), turned(to)).map(turned);
        const curve: Curve = [from, one as Point, two as Point, to];
        const seen = far > FAR ? part(curve, right ? 1 : 0, right ? box.top : box.left, right ? box.bottom : box.right) : curve;
        if (!seen) continue;
        found.path.moveTo(...seen[0]);
        found.path.bezierCurveTo(...seen[1], ...seen[2], ...seen[3]);
      }
    }
    for (const { join, path } of looks.values()) {
      const { kind, seat } = join;
      const dash = Math.max(1, 0.6 / scale);
      pen.lineCap = "butt";
      pen.setLineDash((kind === "given" ? [2, 5] : (DASHES[dashes(join)] ?? DASHES[0])).map((one) => one * dash));
      // Each second pattern has the colour of its seat, as all have of what is looked at.
      const own = kind === "active" || (kind === "set" && dashes(join) % 2);
      pen.strokeStyle = this.colours[own ? `seat${seat % 6}` : kind === "given" ? "chosen" : kind] || "#888";
      pen.lineWidth = Math.max(kind === "set" ? 1.7 : 2.6, 0.9 / scale);
      pen.stroke(path);
    }
    pen.setLineDash([]);
    pen.lineCap = "round";
    for (const { way, kind, seat } of joins)
      if (way?.[2] && !plan.side) this.name(pen, lines, way, kind === "active" ? `seat${seat % 6}` : "plain");
  }

  /** What a dashed line is called, on its lane between two nodes of its level; or between two levels. */
  private name(pen: CanvasRenderingContext2D, { shown, x, y, plan }: Lines, [lane, , name = "", a = 0, b = 0]: Lane, tone: string): void {
    const { level } = shown.drawing.nodes;
    const [ax, ay, bx, by] = [x[a] as number, y[a] as number, x[b] as number, y[b] as number];
    const right = plan.direction === "right";
    const same = level[a] === level[b];
    const room = same && !right ? Math.abs(bx - ax) - 2 * RADIUS : Infinity;
    const wide = Math.min(textWidth(name, "note"), room);
    const middle = (ax + bx) / 2;
    const cx = same && right ? ax - Math.max(away(lane), wide / 2 + 4) : middle;
    const cy = same && !right ? ay - away(lane) : (ay + by) / 2;
    pen.font = printed("note");
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.clearRect(cx - wide / 2 - 2, cy - 7, wide + 4, 14);
    pen.fillStyle = this.colours[tone] || "#888";
    pen.fillText(name, cx, cy, wide + 1);
  }

  private dot(pen: CanvasRenderingContext2D, actor: number, x: number, y: number, scale: number): void {
    const size = Math.max(actor < 0 ? 4 : 9, 1.6 / scale);
    pen.fillStyle = this.colours[actor < 0 ? "plain" : `seat${actor % 6}`] || "#888";
    pen.fillRect(x - size, y - size, 2 * size, 2 * size);
  }
}

const holds = (box: Box, [x, y]: Point): boolean => x > box.left - 40 && x < box.right + 40 && y > box.top - 40 && y < box.bottom + 40;

/** A line beside a level, with round corners; of a long one only what is seen. */
function rail(path: Path2D, from: Point, to: Point, far: number, right: boolean, box: Box): void {
  const [low, high] = right ? [box.top - 40, box.bottom + 40] : [box.left - 40, box.right + 40];
  const put = (along: number, across: number): Point => (right ? [along, across] : [across, along]);
  const [along, start, end] = right ? [from[0], from[1], to[1]] : [from[1], from[0], to[0]];
  const lane = along - far;
  const [begin, stop] = [start < low ? low : start, end > high ? high : end];
  if (begin === start) {
    path.moveTo(...put(along, start));
    path.lineTo(...put(lane + ROUND, start));
    path.quadraticCurveTo(...put(lane, start), ...put(lane, start + ROUND));
  } else path.moveTo(...put(lane, begin));
  path.lineTo(...put(lane, stop === end ? end - ROUND : stop));
  if (stop !== end) return;
  path.quadraticCurveTo(...put(lane, end), ...put(lane + ROUND, end));
  path.lineTo(...put(along, end));
}

const turned = ([x, y]: Point): Point => [y, x];

/** The part of a curve that lies between two bounds along an axis, on which it goes one way. */
export function part(curve: Curve, axis: 0 | 1, least: number, most: number): Curve | undefined {
  const up = curve[3][axis] >= curve[0][axis];
  const where = (bound: number): number => {
    let [low, high] = [0, 1];
    for (let n = 0; n < 24; n++) {
      const t = (low + high) / 2;
      if (up === at(curve, t)[axis] < bound) low = t;
      else high = t;
    }
    return (low + high) / 2;
  };
  const [first, last] = up ? [where(least), where(most)] : [where(most), where(least)];
  if (last - first < 1e-6) return undefined;
  const tail = split(curve, first)[1];
  return split(tail, (last - first) / (1 - first))[0];
}

const mix = (a: Point, b: Point, t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
const at = (curve: Curve, t: number): Point => split(curve, t)[0][3];

/** A curve in two, as de Casteljau does it. */
function split([a, b, c, d]: Curve, t: number): [Curve, Curve] {
  const [ab, bc, cd] = [mix(a, b, t), mix(b, c, t), mix(c, d, t)];
  const [abc, bcd] = [mix(ab, bc, t), mix(bc, cd, t)];
  const middle = mix(abc, bcd, t);
  return [
    [a, ab, abc, middle],
    [middle, bcd, cd, d],
  ];
}

/** A branch: a calm curve away from its parent, and then straight on, where its move stands. */
function trace(path: Path2D, i: number, { shown, plan, x, y }: Pick<Lines, "shown" | "plan" | "x" | "y">): void {
  const up = shown.up(i);
  const [px, py, cx, cy] = [x[up] as number, y[up] as number, x[i] as number, y[i] as number];
  const lead = plan.lead[shown.drawing.nodes.level[i] ?? 0] ?? 0;
  const side = plan.side ? (plan.side[i] ?? 0) : 1;
  if (!side) path.moveTo(px, py);
  else if (plan.direction === "right") {
    const [from, elbow] = [px + side * (plan.stem - 3), cx - side * lead];
    const half = (elbow - from) * 0.55;
    path.moveTo(px + side * (RADIUS - 3), py);
    path.lineTo(from, py);
    path.bezierCurveTo(from + half, py, elbow - half, cy, elbow, cy);
  } else {
    const [from, elbow] = [py + plan.stem - 3, cy - lead];
    const half = (elbow - from) * 0.55;
    path.moveTo(px, py + RADIUS - 3);
    path.lineTo(px, from);
    path.bezierCurveTo(px, from + half, cx, elbow - half, cx, elbow);
  }
  path.lineTo(cx, cy);
}
