/** The stage: draws the visible part of a tree and animates it. */

import { make, setAttributes } from "../../widgets/dom";
import type { ShownTree } from "../protocol/tree-drawing";
import { EdgesCanvas, type Join, type Stroke } from "./edges-canvas";
import {
  chooseFirstView,
  findTouchAction,
  findVisibleBox,
  fitView,
  INITIAL_VIEW,
  isWholeVisible,
  limitView,
  listenToGestures,
  MIN_SCALE,
  panView,
  revealBox,
  type Size,
  type View,
  zoomView,
} from "./pan-zoom";
import { type Box, findSubtreeBox, findVisible, RADIUS, type TreeLayout } from "./tree-layout";
import { NodeElements, type NodeLook } from "./tree-nodes";

/** Below this scale nodes are dots. */
const DOT_SCALE = 0.34;
/** The margin that is painted in advance, in px. */
const PAINT_MARGIN = 160;
/** The smallest scale of the first view. On phones it can be smaller if the whole tree is visible then. */
const MIN_FIRST_SCALE = 0.8;
const READABLE_SCALE = 0.55;
/** The height of a board on a phone in landscape, where this also holds. */
const LOW_HEIGHT = 280;

/** The duration of animations, in ms. */
const DURATION_MS = 200;

/** What the stage shows. */
export interface StageScene {
  readonly look: NodeLook;
  readonly joins: readonly Join[];
  getStroke(i: number): Stroke;
  /** The focused node and the nodes of its infoset. */
  readonly focus: number;
  readonly infosetNodes: ReadonlySet<number>;
  /** Where to start if not at the root. */
  readonly startNodes: readonly number[];
  /** The page is narrow. People hold phones closer, so text can be smaller. */
  readonly isNarrow: boolean;
}

/** The stage: draws the visible nodes and edges, and moves them. */
export class Stage {
  readonly element = make("div", "dk-view", { role: "tree", tabindex: 0, "data-own-keys": true });
  readonly nodes: NodeElements;
  private readonly canvas = new EdgesCanvas();
  private readonly drag: { readonly dragged: () => boolean };
  view: View = INITIAL_VIEW;
  private size: Size = { width: 0, height: 0 };
  private scene: StageScene | undefined;
  private layout: TreeLayout | undefined;
  /** The current positions, possibly during an animation. */
  private positions: NodePositions = { x: new Float64Array(), y: new Float64Array() };
  /** The running animation. */
  private animation: StageAnimation | undefined;
  private paintedBox: Box | undefined;
  private frame = 0;
  private hasBegun = false;
  /** Everything is visible, and the user has not moved it. */
  private isWhole = false;
  private touchAction = "";

  constructor(
    prefix: string,
    private readonly prefersStill: () => boolean,
    private readonly onMove: (isFresh?: boolean) => void,
    signal: AbortSignal,
  ) {
    this.nodes = new NodeElements(prefix);
    this.element.append(this.canvas.element, this.nodes.world);
    this.drag = listenToGestures(
      this.element,
      {
        pan: (dx, dy) => this.setView(limitView(panView(this.view, dx, dy), this.boardSize, this.size)),
        zoom: (factor, x, y) => this.setView(zoomView(this.view, factor, x, y)),
        canPan: (dx) => {
          const { left, scale } = this.view;
          return dx > 0 ? left + this.boardSize.width * scale > this.size.width : left < 0;
        },
      },
      signal,
    );
    const observer = new ResizeObserver(() => this.handleResize());
    observer.observe(this.element);
    signal.addEventListener("abort", () => {
      observer.disconnect();
      cancelAnimationFrame(this.frame);
    });
  }

  private get boardSize(): Size {
    return this.layout ?? { width: 1, height: 1 };
  }

  get wasDragged(): boolean {
    return this.drag.dragged();
  }

  /** Handle a new theme: the edges have other colours. */
  updateTheme(): void {
    this.canvas.readColours();
    this.redraw();
  }

  /** Show a scene. In a new layout, the anchored node stays where it was on the screen. */
  set(scene: StageScene, layout: TreeLayout, anchor: number | undefined, isRenewed = true): void {
    const previousTree = this.scene?.look.tree;
    const tree = scene.look.tree;
    const previousPositions = this.positions;
    this.scene = scene;
    this.paintedBox = undefined;
    if (isRenewed) this.nodes.invalidate();
    if (layout === this.layout) return this.redraw();
    const isTurned = this.layout?.direction !== layout.direction;
    this.layout = layout;
    this.positions = layout;
    const anchorId = anchor ?? tree.getId(scene.focus); // Without an anchor, the focused node stays in place.
    const oldIndex = previousTree ? previousTree.indexOf(anchorId) : -1;
    const newIndex = tree.indexOf(anchorId);
    if (!this.hasBegun || !previousTree || isTurned || oldIndex < 0 || newIndex < 0) {
      this.animation = undefined;
      if (this.size.width) this.showFirstView();
      return this.redraw();
    }
    const { scale } = this.animation?.target ?? this.view;
    const from = this.view;
    const ax = (previousPositions.x[oldIndex] as number) * from.scale + from.left;
    const ay = (previousPositions.y[oldIndex] as number) * from.scale + from.top;
    // A whole tree stays whole if only its space changed. Otherwise the clicked node stays under the pointer.
    const staysWhole = this.isWhole && tree.count === previousTree.count;
    const target = staysWhole
      ? this.fitAll(layout)
      : { scale, left: ax - (layout.x[newIndex] as number) * scale, top: ay - (layout.y[newIndex] as number) * scale };
    this.isWhole = isWholeVisible(target, layout, this.size);
    this.view = target;
    if (this.prefersStill()) {
      this.animation = undefined;
      return this.redraw();
    }
    this.animation = new StageAnimation(findStartPositions(previousTree, tree, previousPositions, layout, from, target), target, target);
    this.tick();
  }

  private tick(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
      if (this.animation) this.tick();
    });
  }

  /** Paint in the next frame. */
  redraw(): void {
    if (!this.frame) this.tick();
  }

  /** Paint now if a frame is pending, so that screen readers are notified at once. */
  flush(): void {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.paint();
    if (this.animation) this.tick();
  }

  private handleResize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === this.size.width && height === this.size.height) return;
    const oldWidth = this.size.width;
    this.size = { width, height };
    this.paintedBox = undefined;
    const isLargeChange = Math.abs(width - oldWidth) > oldWidth / 5; // A panel appeared or disappeared beside the stage.
    if (isLargeChange) this.animation = undefined;
    if (this.hasBegun && this.isWhole && this.layout) {
      this.view = this.fitAll(this.layout);
      if (isLargeChange) this.onMove(width < oldWidth);
    } else if (!oldWidth || !this.hasBegun || isLargeChange) this.showFirstView(width < oldWidth || !oldWidth);
    this.paint(); // Paint before the browser shows the new size.
  }

  /** Choose the first view: everything if readable, otherwise the start. */
  private showFirstView(isFresh = true): void {
    if (!this.layout || !this.scene || !this.size.width) return;
    this.hasBegun = true;
    this.canvas.readColours(); // The style is available only now.
    this.view = this.findFirstView(this.layout);
    this.isWhole = isWholeVisible(this.view, this.layout, this.size);
    this.onMove(isFresh);
  }

  private fitAll({ width, height }: TreeLayout): View {
    return fitView({ left: 0, top: 0, right: width, bottom: height }, this.size);
  }

  private findFirstView(layout: TreeLayout): View {
    const { scene, size } = this;
    const view = chooseFirstView(
      layout,
      this.findNodeBox(0),
      size,
      MIN_FIRST_SCALE,
      scene?.isNarrow || size.height < LOW_HEIGHT ? READABLE_SCALE : MIN_FIRST_SCALE,
    );
    if (!scene || isWholeVisible(view, layout, size)) return view;
    if (scene.focus) return revealBox(view, this.findNodeBox(scene.focus), size);
    const first = scene.startNodes.map((i) => ({
      ...findSubtreeBox(scene.look.tree, layout, i),
      ...(layout.direction === "right" ? { left: (layout.x[i] as number) - RADIUS } : { top: (layout.y[i] as number) - RADIUS }),
    }));
    return first.length ? revealBox(view, uniteBoxes(first), size) : view;
  }

  /** Return the box of a node with its labels. */
  private findNodeBox(i: number): Box {
    const { layout, scene } = this;
    if (!layout || !scene) return { left: 0, top: 0, right: 0, bottom: 0 };
    const [x, y] = [layout.x[i] as number, layout.y[i] as number];
    const back = scene.look.tree.getParent(i) < 0 ? RADIUS : (layout.leads[scene.look.tree.drawing.nodes.level[i] ?? 0] ?? RADIUS);
    const after = RADIUS + 26;
    const half = layout.step / 2;
    if (layout.side) return { left: x - Math.max(back, after), right: x + Math.max(back, after), top: y - half, bottom: y + half };
    return layout.direction === "right"
      ? { left: x - back, right: x + after, top: y - half, bottom: y + half }
      : { left: x - half, right: x + half, top: y - back, bottom: y + after };
  }

  // Moving

  private setView(view: View): void {
    if (this.animation) this.paintedBox = undefined; // The animation ends here, so paint the final positions.
    this.animation = undefined;
    this.view = view;
    this.isWhole = false;
    this.onMove();
    this.redraw();
  }

  private animateTo(to: View): void {
    const { left, top, scale } = this.view;
    if (to.left === left && to.top === top && to.scale === scale) return;
    if (this.prefersStill()) return this.setView(to);
    this.animation = new StageAnimation(this.getPositions(), this.view, to);
    this.onMove();
    this.tick();
  }

  /** Make a node visible. */
  revealNode(i: number): void {
    if (i >= 0) this.revealTarget(this.findNodeBox(i), this.size);
  }

  /** Keep a growing tree wholly visible in each direction where it fits, and at least show where it has grown. */
  revealGrowth(i: number): void {
    const { clientWidth: width, clientHeight: height } = this.element; // The height may have changed just now.
    const [box, { scale }] = [this.findNodeBox(i), this.animation?.target ?? this.view];
    const horizontal = this.boardSize.width * scale <= width ? { left: 0, right: this.boardSize.width } : {};
    const vertical = this.boardSize.height * scale <= height ? { top: 0, bottom: this.boardSize.height } : {};
    this.revealTarget({ ...box, ...horizontal, ...vertical }, { width, height });
  }

  private revealTarget(box: Box, size: Size): void {
    if (!this.hasBegun || this.isWhole) return;
    const view = this.animation?.target ?? this.view;
    const target = revealBox(view, box, size);
    if (target.left === view.left && target.top === view.top) return;
    if (this.animation) this.animation = new StageAnimation(this.getPositions(), this.animation.getView(), target);
    else this.animateTo(target);
  }

  zoom(factor: number): void {
    const { width, height } = this.size;
    const focusBox = this.scene ? this.findNodeBox(this.scene.focus) : undefined;
    const x = focusBox ? ((focusBox.left + focusBox.right) / 2) * this.view.scale + this.view.left : width / 2;
    const y = focusBox ? ((focusBox.top + focusBox.bottom) / 2) * this.view.scale + this.view.top : height / 2;
    const isVisible = x > 0 && x < width && y > 0 && y < height;
    this.animateTo(zoomView(this.view, factor, isVisible ? x : width / 2, isVisible ? y : height / 2));
  }

  /** Show the whole subtree of a node. */
  fitSubtree(i = 0): void {
    if (!this.layout || !this.scene) return;
    const { width, height } = this.layout;
    const box = i ? findSubtreeBox(this.scene.look.tree, this.layout, i) : { left: 0, top: 0, right: width, bottom: height };
    this.animateTo(fitView(box, this.size, MIN_SCALE));
    this.isWhole = isWholeVisible(this.animation?.target ?? this.view, this.layout, this.size);
  }

  /** Return the height of the board at the current scale. */
  get boardHeight(): number {
    const scale = this.hasBegun
      ? this.view.scale
      : Math.max(MIN_FIRST_SCALE, Math.min(1, (this.element.clientWidth || 800) / this.boardSize.width));
    return this.boardSize.height * scale;
  }

  // Painting

  /** Return the current positions of the nodes. */
  private getPositions(): NodePositions {
    const { animation, layout } = this;
    return layout ? (animation?.getPositions(layout) ?? layout) : this.positions;
  }

  private paint(): void {
    const { scene, layout, size } = this;
    if (!scene || !layout || !size.width || !this.hasBegun) return;
    const { look } = scene;
    this.view = this.animation?.getView() ?? this.view;
    this.positions = this.getPositions();
    const { x, y } = this.positions;
    const nodesMove = x !== layout.x; // More than the view is moving.
    const target = this.animation?.target ?? this.view; // Paint for the final view. At the start many nodes overlap in one place.
    if (this.animation && this.animation.progress >= 1) this.animation = undefined;
    const { view } = this;
    const showDots = view.scale < DOT_SCALE;
    const visibleBox = findVisibleBox(view, size, 8);
    const visibleParts = findVisible(look.tree, layout, findVisibleBox(target, size, 8));
    this.canvas.draw(
      {
        tree: look.tree,
        layout,
        x,
        y,
        branches: visibleParts.branches,
        joins: showDots ? scene.joins.filter(({ kind }) => kind !== "set") : scene.joins,
        getStroke: scene.getStroke,
        dots: showDots ? visibleParts.nodes : [],
      },
      view,
      size,
      visibleBox,
    );
    this.nodes.world.style.transform = `translate(${view.left}px,${view.top}px) scale(${view.scale})`;
    setAttributes(this.element, { "data-dots": showDots });
    if (nodesMove || !this.paintedBox || !isInside(findVisibleBox(target, size, 8), this.paintedBox)) {
      const paintBox = findVisibleBox(target, size, PAINT_MARGIN);
      const nodes = showDots ? [] : findVisible(look.tree, layout, paintBox).nodes;
      if (!nodes.includes(scene.focus)) nodes.push(scene.focus); // The focused node is always painted.
      this.nodes.paint(nodes, x, y, look);
      this.nodes.markFocus(look.tree.getId(scene.focus), new Set([...scene.infosetNodes].map((i) => look.tree.getId(i))));
      this.paintedBox = showDots ? undefined : paintBox;
      setAttributes(this.element, { "aria-activedescendant": this.nodes.elementId(look.tree.getId(scene.focus)) });
    }
    const action = findTouchAction(view, this.boardSize, size);
    if (action !== this.touchAction) {
      this.touchAction = action;
      this.element.style.touchAction = "none";
      this.element.style.touchAction = action; // Browsers that don't know the value keep the one before.
    }
    setAttributes(this.element, { "data-nodes": this.nodes.size, "data-moving": this.animation !== undefined });
  }
}

const uniteBoxes = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

const isInside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom;

/** The positions of nodes. */
export interface NodePositions {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** An animation of nodes and view. */
export class StageAnimation {
  private readonly startTime = performance.now();

  constructor(
    private readonly start: NodePositions,
    private readonly startView: View,
    readonly target: View,
  ) {}

  /** Return the progress from 0 to 1, with ease-out. */
  get progress(): number {
    const t = Math.min(1, (performance.now() - this.startTime) / DURATION_MS);
    return 1 - (1 - t) ** 3;
  }

  /** Return the current view. */
  getView(): View {
    const { startView, target, progress } = this;
    const interpolate = (a: number, b: number): number => a + (b - a) * progress;
    return {
      scale: interpolate(startView.scale, target.scale),
      left: interpolate(startView.left, target.left),
      top: interpolate(startView.top, target.top),
    };
  }

  /** Return the current positions. */
  getPositions(layout: TreeLayout): NodePositions {
    const { start, progress } = this;
    if (start.x === layout.x && start.y === layout.y) return layout; // Only the view moves.
    const interpolate = (a: Float64Array, to: Float64Array): Float64Array =>
      to.map((b, i) => (a[i] as number) + (b - (a[i] as number)) * progress);
    return { x: interpolate(start.x, layout.x), y: interpolate(start.y, layout.y) };
  }
}

/** Return where each node starts: its old position on the screen, or that of its nearest shown ancestor, in the new view's coordinates. */
export function findStartPositions(
  before: ShownTree,
  tree: ShownTree,
  oldPositions: NodePositions,
  layout: NodePositions,
  from: View,
  to: View,
): NodePositions {
  const x = new Float64Array(tree.count);
  const y = new Float64Array(tree.count);
  const toNewView = (coordinate: number, gap: number): number => (coordinate * from.scale + gap) / to.scale;
  for (let i = 0; i < tree.count; i++) {
    const oldIndex = before.indexOf(tree.getId(i));
    const parent = tree.getParent(i);
    if (oldIndex >= 0) {
      x[i] = toNewView(oldPositions.x[oldIndex] as number, from.left - to.left);
      y[i] = toNewView(oldPositions.y[oldIndex] as number, from.top - to.top);
    } else {
      x[i] = (parent < 0 ? layout.x[i] : x[parent]) as number;
      y[i] = (parent < 0 ? layout.y[i] : y[parent]) as number;
    }
  }
  return { x, y };
}
