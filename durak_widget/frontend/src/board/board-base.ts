/** The base classes of all boards, their messages, and the space needs of a tree. */

import { make, setAttributes, setText } from "../widgets/dom";
import type { Key, Words } from "../widgets/protocol/words";
import { applyBoardTheme, watchTheme } from "../widgets/theme";
import type { WidgetHost } from "../widgets/widget-host";
import { type Drawing, DrawingReader, ShownTree, type Solution, type Task } from "./protocol/tree-drawing";
import { Stage } from "./view/stage";
import type { LayoutNeeds, TreeLayout } from "./view/tree-layout";

/** A tree can have at least this height, in px, also on a low screen. */
const MIN_LOW_HEIGHT = 200;

/** How long a refusal stays visible, in ms. */
const REFUSAL_MS = 9000;

/** The media query for a phone. */
const NARROW_QUERY = "(max-width: 600px)";

/** In an exercise, a tree with at most this many nodes is shown whole. */
const WHOLE_TREE_LIMIT = 150;

/** The base of all boards: element, theme, messages and connection. */
export abstract class BoardBase {
  readonly root: HTMLElement;
  protected readonly messages = new BoardMessages();
  protected disconnected = false;
  private readonly lifetime = new AbortController();

  constructor(
    protected readonly host: WidgetHost,
    className: string,
    /** The message for a lost connection. */
    private readonly goneKey: Key,
  ) {
    this.root = make("section", `dk dk-board ${className}`.trim(), { role: "group", tabindex: -1 });
    watchTheme(this.root, () => this.updateSettings(), this.signal);
  }

  abstract paint(): void;

  /** Show that Python refused a request, or is gone. */
  abstract showError(message: string): void;

  get signal(): AbortSignal {
    return this.lifetime.signal;
  }

  words(): Words {
    return this.host.words;
  }

  announce(message: string): void {
    this.messages.announce(message);
  }

  mount(container: HTMLElement): void {
    container.append(this.root);
    this.applyTheme();
    this.paint();
  }

  protected sendMessage(message: object): void {
    this.host.send(message);
    if (this.disconnected) this.showError(this.words().say(this.goneKey));
  }

  protected applyTheme(): void {
    applyBoardTheme(this.root, this.host.get<string | undefined>("theme"), this.host.get("four_colors") ? 4 : 2);
  }

  /** Handle changed settings. */
  updateSettings(): void {
    this.applyTheme();
  }

  setConnected(alive: boolean): void {
    if (this.disconnected === !alive) return;
    this.disconnected = !alive;
    setAttributes(this.root, { "data-disconnected": this.disconnected });
    if (this.disconnected) this.showError(this.words().say(this.goneKey));
    else this.messages.hideRefusal();
  }

  stop(): void {
    this.lifetime.abort();
    this.messages.hideRefusal();
    this.root.remove();
  }
}

/** The height of a tree: minimum, maximum and part of the screen. */
interface HeightLimits {
  readonly minHeight: number;
  readonly maxHeight: number;
  readonly screenShare: number;
}

let treeCount = 0;

/** The base of boards with a tree. */
export abstract class TreeBoardBase extends BoardBase {
  protected readonly title = make("h2", "dk-board-title");
  protected readonly players = make("ul", "dk-players");
  protected readonly description = make("p", "dk-description");
  protected readonly stage: Stage;
  protected readonly reader: DrawingReader;
  protected tree: ShownTree;
  protected layout: TreeLayout | undefined;
  private frameRequest = 0;

  constructor(
    host: WidgetHost,
    className: string,
    goneKey: Key,
    private readonly heightLimits: HeightLimits,
  ) {
    super(host, className, goneKey);
    treeCount += 1;
    this.reader = new DrawingReader(host);
    this.tree = new ShownTree(this.reader.read());
    const prefersStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.stage = new Stage(`dk-tree-${treeCount}`, prefersStill, (isFresh) => this.fitHeight(isFresh), this.signal);
  }

  /** Return the index of the focused node. */
  abstract getFocus(): number;

  /** Focus another node. */
  protected abstract setFocus(i: number): void;

  protected abstract paintStage(): void;

  /** Paint what depends on the focus. */
  protected abstract paintFocus(): void;

  getTree(): ShownTree {
    return this.tree;
  }

  repaint(): void {
    this.paintStage();
    this.paintFocus();
  }

  /** Paint once in the next frame, so that changes that arrive together are painted together. */
  schedulePaint(): void {
    if (!this.frameRequest)
      this.frameRequest = requestAnimationFrame(() => {
        this.frameRequest = 0;
        this.paint();
      });
  }

  /** Move the focus to a node and make it visible. */
  moveFocus(i: number): void {
    if (i < 0) return;
    if (i !== this.getFocus()) {
      this.setFocus(i);
      this.repaint();
    }
    this.stage.revealNode(i);
    this.stage.flush();
  }

  /** Fit the height of the board to its content, up to a part of the screen. It shrinks only if `isFresh`, so that nothing jumps under the pointer. */
  protected fitHeight(isFresh = false): void {
    const { maxHeight, screenShare, minHeight } = this.heightLimits;
    const wantedHeight = Math.round(
      Math.max(minHeight, Math.min(maxHeight, Math.max(innerHeight * screenShare, MIN_LOW_HEIGHT), this.stage.boardHeight + 2)),
    );
    const currentHeight = Number.parseFloat(this.stage.element.style.height) || 0;
    if (isFresh || wantedHeight > currentHeight) this.stage.element.style.height = `${wantedHeight}px`;
  }

  protected override applyTheme(): void {
    super.applyTheme();
    this.stage.updateTheme();
  }

  override updateSettings(): void {
    super.updateSettings();
    this.schedulePaint();
  }

  override stop(): void {
    super.stop();
    cancelAnimationFrame(this.frameRequest);
  }
}

/** Messages beside a board: announcements for screen readers, and visible refusals. */
export class BoardMessages {
  readonly status = make("div", "dk-sr-only", { role: "status" });
  readonly refusalElement = make("p", "dk-refusal", { hidden: true });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private awaitsAnswer = false;

  announce(message: string): void {
    this.status.replaceChildren(make("p", "", {}, message));
  }

  /** Expect an answer from Python, whose result will be announced. */
  expectAnswer(): void {
    this.awaitsAnswer = true;
    this.hideRefusal();
  }

  /** Announce what changed in the tree, if this page asked for it. */
  announceChanges(before: Drawing, after: Drawing, words: Words): void {
    if (!this.awaitsAnswer || before === after) return;
    this.awaitsAnswer = false;
    if (after.search_result && JSON.stringify(after.search_result) !== JSON.stringify(before.search_result))
      this.announce(words.sayCount("tree.found", after.search_result.count));
    else if (after.size.shown !== before.size.shown) this.announce(words.sayCount("tree.shown", after.size.shown));
  }

  /** Show that something is not possible. */
  showRefusal(message: string): void {
    setText(this.refusalElement, message);
    setAttributes(this.refusalElement, { hidden: false });
    this.announce(message);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hideRefusal(), REFUSAL_MS);
  }

  hideRefusal(): void {
    clearTimeout(this.timer);
    setAttributes(this.refusalElement, { hidden: true });
  }
}

/** Return whether the tree needs no tools above it: a small tree in an exercise. */
export const isPlain = (tree: ShownTree, { question_kind: asks }: Task): boolean =>
  Boolean(asks) && tree.drawing.size.histories <= WHOLE_TREE_LIMIT;

/** Return where to start if not at the root. Values are filled in from the deepest nodes. */
export function findStartNodes(tree: ShownTree, { nodes = {} }: Task): number[] {
  const indices = Object.keys(nodes)
    .map((id) => tree.indexOf(Number(id)))
    .filter((i) => i >= 0);
  const levelOf = (i: number): number => tree.drawing.nodes.level[i] ?? 0;
  const deepest = Math.max(...indices.map(levelOf));
  return indices.filter((i) => levelOf(i) === deepest);
}

/** Measure what the layout needs space for. */
export const measureNeeds = (
  tree: ShownTree,
  solution: Solution,
  { question_kind: asks, has_many_values: many = false }: Task,
): LayoutNeeds => ({
  hasProbabilities: solution.probabilities !== undefined || tree.isCrowded,
  usesTouch: matchMedia("(pointer: coarse)").matches,
  hasFields: asks === "values",
  wideFields: many,
  isNarrow: matchMedia(NARROW_QUERY).matches,
});
