/** The lines of the board, on a canvas: as many as are seen are drawn anew whenever it moves. */

import type { Shown } from "./drawing";
import type { Size, View } from "./panzoom";
import type { Box, Plan } from "./plan";
import { RADIUS } from "./plan";

/** So far a dashed line goes out of its way, at most. */
const BOW = 70;

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

  /** Dashed lines from node to node; where others lie between them, they go around. */
  private joins(pen: CanvasRenderingContext2D, { joins, x, y, plan }: Lines, scale: number, box: Box): void {
    const looks = new Map<string, { join: Join; path: Path2D }>();
    for (const [n, join] of joins.entries()) {
      const key = `${join.kind} ${join.kind === "active" ? join.seat : ""}`;
      const found = looks.get(key) ?? { join, path: new Path2D() };
      looks.set(key, found);
      for (let k = 1; k < join.places.length; k++) {
        const [a, b] = [join.places[k - 1] as number, join.places[k] as number];
        const [ax, ay, bx, by] = [x[a] as number, y[a] as number, x[b] as number, y[b] as number];
        if (
          Math.max(ax, bx) < box.left - BOW ||
          Math.min(ax, bx) > box.right ||
          Math.max(ay, by) < box.top - BOW ||
          Math.min(ay, by) > box.bottom
        )
          continue;
        const far = Math.hypot(bx - ax, by - ay);
        const bow = far > plan.step * 1.6 ? Math.min(14 + far * 0.05, 40) * (1 + (n % 4) * 0.22) : 0;
        found.path.moveTo(ax, ay);
        if (plan.direction === "right") found.path.bezierCurveTo(ax + bow, ay + far * 0.25, bx + bow, by - far * 0.25, bx, by);
        else found.path.bezierCurveTo(ax + far * 0.25, ay + bow, bx - far * 0.25, by + bow, bx, by);
      }
    }
    for (const { join, path } of looks.values()) {
      const { kind, seat } = join;
      pen.setLineDash(kind === "given" ? [2, 5] : [7, 5]);
      pen.strokeStyle = this.colours[kind === "active" ? `seat${seat % 6}` : kind === "given" ? "chosen" : kind] || "#888";
      pen.lineWidth = Math.max(kind === "set" ? 1.4 : 2.6, 0.9 / scale);
      pen.stroke(path);
    }
    pen.setLineDash([]);
  }

  private dot(pen: CanvasRenderingContext2D, actor: number, x: number, y: number, scale: number): void {
    const size = Math.max(actor < 0 ? 4 : 9, 1.6 / scale);
    pen.fillStyle = this.colours[actor < 0 ? "plain" : `seat${actor % 6}`] || "#888";
    pen.fillRect(x - size, y - size, 2 * size, 2 * size);
  }
}

/** A branch: a calm curve away from its parent, and then straight on, where its move stands. */
function trace(path: Path2D, i: number, { shown, plan, x, y }: Pick<Lines, "shown" | "plan" | "x" | "y">): void {
  const up = shown.up(i);
  const [px, py, cx, cy] = [x[up] as number, y[up] as number, x[i] as number, y[i] as number];
  const lead = plan.lead[shown.drawing.nodes.level[i] ?? 0] ?? 0;
  if (plan.direction === "right") {
    const [from, elbow] = [px + RADIUS - 3, cx - lead];
    const half = (elbow - from) * 0.55;
    path.moveTo(from, py);
    path.bezierCurveTo(from + half, py, elbow - half, cy, elbow, cy);
  } else {
    const [from, elbow] = [py + RADIUS - 3, cy - lead];
    const half = (elbow - from) * 0.55;
    path.moveTo(px, from);
    path.bezierCurveTo(px, from + half, cx, elbow - half, cx, elbow);
  }
  path.lineTo(cx, cy);
}
