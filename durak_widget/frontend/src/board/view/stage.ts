/** Draws the part of a tree that is visible, and animates it. */

import { make, set } from "../../widgets/dom";
import type { Shown } from "../protocol/tree-drawing";
import { Canvas, type Join, type Stroke } from "./edges-canvas";
import {
  FARTHEST,
  fitted,
  gestures,
  HOME,
  held,
  keeping,
  opening,
  panned,
  type Size,
  seen,
  sees,
  touch,
  type View,
  zoomed,
} from "./pan-zoom";
import { around, type Box, type Plan, RADIUS, within } from "./tree-layout";
import { type Look, Nodes } from "./tree-nodes";

/** Farther away than this, nodes are dots. */
const DOTS = 0.34;
/** So much around what is seen is painted beforehand. */
const MARGIN = 160;
/** At the beginning nothing is smaller than this; on a phone a little, if all of it is then seen. */
const LEAST = 0.8;
const ENOUGH = 0.58;
/** So low is a board on a telephone that lies on its side: there too. */
const LOW = 280;

/** How long things take to their places, in ms. */
const TAKES = 200;

/** What the stage shows at this moment. */
export interface Scene {
  readonly look: Look;
  readonly joins: readonly Join[];
  stroke(i: number): Stroke;
  /** The place that is looked at, and those that belong to it. */
  readonly at: number;
  readonly fellows: ReadonlySet<number>;
  /** Where one begins, if that is not at the root. */
  readonly first: readonly number[];
  /** The page is narrow: what is small there lies nearer to the eye. */
  readonly narrow: boolean;
}

/** The visible part of a tree: draws nodes and edges, and moves them. */
export class Stage {
  readonly element = make("div", "dk-view", { role: "tree", tabindex: 0, "data-own-keys": true });
  readonly nodes: Nodes;
  private readonly canvas = new Canvas();
  private readonly drag: { readonly dragged: () => boolean };
  view: View = HOME;
  private size: Size = { width: 0, height: 0 };
  private scene: Scene | undefined;
  private plan: Plan | undefined;
  /** Where the nodes are now, which may still be on their way. */
  private places: Places = { x: new Float64Array(), y: new Float64Array() };
  /** What it still is on. */
  private way: Way | undefined;
  private painted: Box | undefined;
  private frame = 0;
  private begun = false;
  /** All of it is seen, and was not moved away. */
  private whole = false;
  private touched = "";

  constructor(
    prefix: string,
    private readonly calm: () => boolean,
    private readonly moved: (anew?: boolean) => void,
    signal: AbortSignal,
  ) {
    this.nodes = new Nodes(prefix);
    this.element.append(this.canvas.element, this.nodes.world);
    this.drag = gestures(
      this.element,
      {
        pan: (dx, dy) => this.show(held(panned(this.view, dx, dy), this.board, this.size)),
        zoom: (factor, x, y) => this.show(zoomed(this.view, factor, x, y)),
        sideways: (dx) => {
          const { left, scale } = this.view;
          return dx > 0 ? left + this.board.width * scale > this.size.width : left < 0;
        },
      },
      signal,
    );
    const observer = new ResizeObserver(() => this.resized());
    observer.observe(this.element);
    signal.addEventListener("abort", () => {
      observer.disconnect();
      cancelAnimationFrame(this.frame);
    });
  }

  private get board(): Size {
    return this.plan ?? { width: 1, height: 1 };
  }

  get dragged(): boolean {
    return this.drag.dragged();
  }

  /** Another theme: the lines have other colours. */
  dress(): void {
    this.canvas.dress();
    this.redraw();
  }

  /** Show this. Where the drawing is another, what is anchored stays where it was on the screen. */
  set(scene: Scene, plan: Plan, anchor: number | undefined, renewed = true): void {
    const before = this.scene?.look.shown;
    const shown = scene.look.shown;
    const were = this.places;
    this.scene = scene;
    this.painted = undefined;
    if (renewed) this.nodes.renew();
    if (plan === this.plan) return this.redraw();
    const turned = this.plan?.direction !== plan.direction;
    this.plan = plan;
    this.places = plan;
    const held = anchor ?? shown.id(scene.at); // where only more room is needed, what is looked at
    const old = before ? before.place(held) : -1;
    const now = shown.place(held);
    if (!this.begun || !before || turned || old < 0 || now < 0) {
      this.way = undefined;
      if (this.size.width) this.begin();
      return this.redraw();
    }
    const { scale } = this.way?.to ?? this.view;
    const from = this.view;
    const ax = (were.x[old] as number) * from.scale + from.left;
    const ay = (were.y[old] as number) * from.scale + from.top;
    // What was seen whole stays so where it only needs more room; where it is unfolded, what was clicked stays under the pointer.
    const stays = this.whole && shown.count === before.count;
    const to = stays ? this.allOf(plan) : { scale, left: ax - (plan.x[now] as number) * scale, top: ay - (plan.y[now] as number) * scale };
    this.whole = sees(to, plan, this.size);
    this.view = to;
    if (this.calm()) {
      this.way = undefined;
      return this.redraw();
    }
    this.way = new Way(origins(before, shown, were, plan, from, to), to, to);
    this.tick();
  }

  private tick(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
      if (this.way) this.tick();
    });
  }

  /** Paint again at the next frame. */
  redraw(): void {
    if (!this.frame) this.tick();
  }

  /** Paint what is to be painted now, not at the next frame: a screen reader is told at once. */
  flush(): void {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.paint();
    if (this.way) this.tick();
  }

  private resized(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === this.size.width && height === this.size.height) return;
    const before = this.size.width;
    this.size = { width, height };
    this.painted = undefined;
    const other = Math.abs(width - before) > before / 5; // a panel has come beside it, or gone
    if (other) this.way = undefined;
    if (this.begun && this.whole && this.plan) {
      this.view = this.allOf(this.plan);
      if (other) this.moved(width < before);
    } else if (!before || !this.begun || other) this.begin(width < before || !before);
    this.paint(); // before it is seen
  }

  /** The first look: all, if that can be read; else the beginning. */
  private begin(anew = true): void {
    if (!this.plan || !this.scene || !this.size.width) return;
    this.begun = true;
    this.canvas.dress(); // now it has its style
    this.view = this.opened(this.plan);
    this.whole = sees(this.view, this.plan, this.size);
    this.moved(anew);
  }

  private allOf({ width, height }: Plan): View {
    return fitted({ left: 0, top: 0, right: width, bottom: height }, this.size);
  }

  private opened(plan: Plan): View {
    const { scene, size } = this;
    const view = opening(plan, this.box(0), size, LEAST, scene?.narrow || size.height < LOW ? ENOUGH : LEAST);
    if (!scene || sees(view, plan, size)) return view;
    if (scene.at) return keeping(view, this.box(scene.at), size);
    const first = scene.first.map((i) => ({
      ...around(scene.look.shown, plan, i),
      ...(plan.direction === "right" ? { left: (plan.x[i] as number) - RADIUS } : { top: (plan.y[i] as number) - RADIUS }),
    }));
    return first.length ? keeping(view, together(first), size) : view;
  }

  /** The room that a node takes with what belongs to it. */
  private box(i: number): Box {
    const { plan, scene } = this;
    if (!plan || !scene) return { left: 0, top: 0, right: 0, bottom: 0 };
    const [x, y] = [plan.x[i] as number, plan.y[i] as number];
    const back = scene.look.shown.up(i) < 0 ? RADIUS : (plan.lead[scene.look.shown.drawing.nodes.level[i] ?? 0] ?? RADIUS);
    const after = RADIUS + 26;
    const half = plan.step / 2;
    if (plan.side) return { left: x - Math.max(back, after), right: x + Math.max(back, after), top: y - half, bottom: y + half };
    return plan.direction === "right"
      ? { left: x - back, right: x + after, top: y - half, bottom: y + half }
      : { left: x - half, right: x + half, top: y - back, bottom: y + after };
  }

  // Moving

  private show(view: View): void {
    if (this.way) this.painted = undefined; // what was on its way is there
    this.way = undefined;
    this.view = view;
    this.whole = false;
    this.moved();
    this.redraw();
  }

  private glide(to: View): void {
    const { left, top, scale } = this.view;
    if (to.left === left && to.top === top && to.scale === scale) return;
    if (this.calm()) return this.show(to);
    this.way = new Way(this.now(), this.view, to);
    this.moved();
    this.tick();
  }

  /** Bring a node into sight. */
  keep(i: number): void {
    if (i >= 0) this.keepBox(this.box(i), this.size);
  }

  /** A tree that grows where it is drawn is seen whole, in height and in width, as long as there is room for it; then at least where it has grown. */
  keepGrown(i: number): void {
    const { clientWidth: width, clientHeight: height } = this.element; // it may just have become higher
    const [box, { scale }] = [this.box(i), this.way?.to ?? this.view];
    const across = this.board.width * scale <= width ? { left: 0, right: this.board.width } : {};
    const down = this.board.height * scale <= height ? { top: 0, bottom: this.board.height } : {};
    this.keepBox({ ...box, ...across, ...down }, { width, height });
  }

  private keepBox(box: Box, size: Size): void {
    if (!this.begun || this.whole) return;
    const view = this.way?.to ?? this.view;
    const to = keeping(view, box, size);
    if (to.left === view.left && to.top === view.top) return;
    if (this.way) this.way = new Way(this.now(), this.way.seen(), to);
    else this.glide(to);
  }

  zoom(factor: number): void {
    const { width, height } = this.size;
    const at = this.scene ? this.box(this.scene.at) : undefined;
    const x = at ? ((at.left + at.right) / 2) * this.view.scale + this.view.left : width / 2;
    const y = at ? ((at.top + at.bottom) / 2) * this.view.scale + this.view.top : height / 2;
    const inside = x > 0 && x < width && y > 0 && y < height;
    this.glide(zoomed(this.view, factor, inside ? x : width / 2, inside ? y : height / 2));
  }

  /** All that is shown below a node is seen. */
  fit(i = 0): void {
    if (!this.plan || !this.scene) return;
    const { width, height } = this.plan;
    const box = i ? around(this.scene.look.shown, this.plan, i) : { left: 0, top: 0, right: width, bottom: height };
    this.glide(fitted(box, this.size, FARTHEST));
    this.whole = sees(this.way?.to ?? this.view, this.plan, this.size);
  }

  /** How high the board is, as near as it is looked at. */
  get high(): number {
    const scale = this.begun ? this.view.scale : Math.max(LEAST, Math.min(1, (this.element.clientWidth || 800) / this.board.width));
    return this.board.height * scale;
  }

  // Painting

  /** Where the nodes are now. */
  private now(): Places {
    const { way, plan } = this;
    return plan ? (way?.places(plan) ?? plan) : this.places;
  }

  private paint(): void {
    const { scene, plan, size } = this;
    if (!scene || !plan || !size.width || !this.begun) return;
    const { look } = scene;
    this.view = this.way?.seen() ?? this.view;
    this.places = this.now();
    const { x, y } = this.places;
    const moves = x !== plan.x; // not only the view does
    const to = this.way?.to ?? this.view; // what will be seen is painted: where much opens, more than that sets out from one place
    if (this.way && this.way.done >= 1) this.way = undefined;
    const { view } = this;
    const dots = view.scale < DOTS;
    const box = seen(view, size, 8);
    const all = within(look.shown, plan, seen(to, size, 8));
    this.canvas.draw(
      {
        shown: look.shown,
        plan,
        x,
        y,
        branches: all.branches,
        joins: dots ? scene.joins.filter(({ kind }) => kind !== "set") : scene.joins,
        stroke: scene.stroke,
        dots: dots ? all.nodes : [],
      },
      view,
      size,
      box,
    );
    this.nodes.world.style.transform = `translate(${view.left}px,${view.top}px) scale(${view.scale})`;
    set(this.element, { "data-dots": dots });
    if (moves || !this.painted || !inside(seen(to, size, 8), this.painted)) {
      const wide = seen(to, size, MARGIN);
      const nodes = dots ? [] : within(look.shown, plan, wide).nodes;
      if (!nodes.includes(scene.at)) nodes.push(scene.at); // it has the focus
      this.nodes.paint(nodes, x, y, look);
      this.nodes.mark(look.shown.id(scene.at), new Set([...scene.fellows].map((i) => look.shown.id(i))));
      this.painted = dots ? undefined : wide;
      set(this.element, { "aria-activedescendant": this.nodes.name(look.shown.id(scene.at)) });
    }
    const way = touch(view, this.board, size);
    if (way !== this.touched) {
      this.touched = way;
      this.element.style.touchAction = "none";
      this.element.style.touchAction = way; // who does not know it keeps what stands before
    }
    set(this.element, { "data-nodes": this.nodes.size, "data-moving": this.way !== undefined });
  }
}

const together = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

const inside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom;

/** Where each node is. */
export interface Places {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** The animation of the nodes and the view, from where they were to where they will be. */
export class Way {
  private readonly since = performance.now();

  constructor(
    private readonly from: Places,
    private readonly view: View,
    readonly to: View,
  ) {}

  /** How much of it is done: fast at first, slower towards the end. */
  get done(): number {
    const t = Math.min(1, (performance.now() - this.since) / TAKES);
    return 1 - (1 - t) ** 3;
  }

  /** What is seen now. */
  seen(): View {
    const { view, to, done } = this;
    const mix = (a: number, b: number): number => a + (b - a) * done;
    return { scale: mix(view.scale, to.scale), left: mix(view.left, to.left), top: mix(view.top, to.top) };
  }

  /** Where the nodes are now. */
  places(plan: Plan): Places {
    const { from, done } = this;
    if (from.x === plan.x && from.y === plan.y) return plan; // only the view moves
    const mix = (a: Float64Array, to: Float64Array): Float64Array => to.map((b, i) => (a[i] as number) + (b - (a[i] as number)) * done);
    return { x: mix(from.x, plan.x), y: mix(from.y, plan.y) };
  }
}

/** Where each node was on the screen, or that above it that was there, in the coordinates of now. */
export function origins(before: Shown, shown: Shown, old: Places, plan: Places, from: View, to: View): Places {
  const x = new Float64Array(shown.count);
  const y = new Float64Array(shown.count);
  const seen = (at: number, gap: number): number => (at * from.scale + gap) / to.scale;
  for (let i = 0; i < shown.count; i++) {
    const was = before.place(shown.id(i));
    const up = shown.up(i);
    if (was >= 0) {
      x[i] = seen(old.x[was] as number, from.left - to.left);
      y[i] = seen(old.y[was] as number, from.top - to.top);
    } else {
      x[i] = (up < 0 ? plan.x[i] : x[up]) as number;
      y[i] = (up < 0 ? plan.y[i] : y[up]) as number;
    }
  }
  return { x, y };
}
