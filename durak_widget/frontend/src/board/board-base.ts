/** The base classes of all boards, their messages for the user, and how much room a board has. */

import { make, set, write } from "../widgets/dom";
import type { Key, Words } from "../widgets/protocol/words";
import { dressBoard, watchTheme } from "../widgets/theme";
import type { Door } from "../widgets/widget-host";
import { type Drawing, Shown, type Solution, type Task, Wire } from "./protocol/tree-drawing";
import { Stage } from "./view/stage";
import type { Plan, Room } from "./view/tree-layout";

/** On a low screen a tree may have so much of it nevertheless. */
const LOW = 200;

/** So long a refusal can be read. */
const READ = 9000;

/** A page as narrow as a phone. */
const NARROW = "(max-width: 600px)";

/** A tree of an exercise that has no more histories is shown whole. */
const WHOLE = 150;

/** What every board has: its element, its theme, its messages, and whether Python still answers. */
export abstract class Standing {
  readonly root: HTMLElement;
  protected readonly said = new Said();
  protected dead = false;
  private readonly stopped = new AbortController();

  constructor(
    protected readonly door: Door,
    kind: string,
    /** What is said where Python is gone. */
    private readonly gone: Key,
  ) {
    this.root = make("section", `dk dk-board ${kind}`.trim(), { role: "group", tabindex: -1 });
    watchTheme(this.root, () => this.redress(), this.signal);
  }

  abstract paint(): void;

  /** Python could not do what was asked, or is not there: say so. */
  abstract tell(said: string): void;

  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  words(): Words {
    return this.door.words;
  }

  announce(said: string): void {
    this.said.announce(said);
  }

  begin(place: HTMLElement): void {
    place.append(this.root);
    this.dress();
    this.paint();
  }

  protected ask(message: object): void {
    this.door.send(message);
    if (this.dead) this.tell(this.words().say(this.gone));
  }

  protected dress(): void {
    dressBoard(this.root, this.door.get<string | undefined>("theme"), this.door.get("four_colors") ? 4 : 2);
  }

  /** A setting has changed. */
  redress(): void {
    this.dress();
  }

  live(alive: boolean): void {
    if (this.dead === !alive) return;
    this.dead = !alive;
    set(this.root, { "data-dead": this.dead });
    if (this.dead) this.tell(this.words().say(this.gone));
    else this.said.hush();
  }

  stop(): void {
    this.stopped.abort();
    this.said.hush();
    this.root.remove();
  }
}

/** How high a tree is: so many pixels at the least and at the most, and so much of the screen. */
interface High {
  readonly least: number;
  readonly most: number;
  readonly share: number;
}

let trees = 0;

/** The base of the boards with a tree. */
export abstract class StandingTree extends Standing {
  protected readonly title = make("h2", "dk-board-title");
  protected readonly players = make("ul", "dk-players");
  protected readonly tells = make("p", "dk-tells");
  protected readonly stage: Stage;
  protected readonly wire: Wire;
  protected now: Shown;
  protected plan: Plan | undefined;
  private frame = 0;

  constructor(
    door: Door,
    kind: string,
    gone: Key,
    private readonly high: High,
  ) {
    super(door, kind, gone);
    trees += 1;
    this.wire = new Wire(door);
    this.now = new Shown(this.wire.read());
    const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.stage = new Stage(`dk-tree-${trees}`, calm, (anew) => this.grow(anew), this.signal);
  }

  /** The place of the node that is looked at. */
  abstract at(): number;

  /** Look at another. */
  protected abstract step(i: number): void;

  protected abstract paintStage(): void;

  /** What depends on which node is looked at. */
  protected abstract paintHere(): void;

  shown(): Shown {
    return this.now;
  }

  repaint(): void {
    this.paintStage();
    this.paintHere();
  }

  /** Something that Python tells has changed: all that came together is painted together. */
  changed(): void {
    if (!this.frame)
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.paint();
      });
  }

  /** Another node is looked at. */
  walk(i: number): void {
    if (i < 0) return;
    if (i !== this.at()) {
      this.step(i);
      this.repaint();
    }
    this.stage.keep(i);
    this.stage.flush();
  }

  /** The board is as high as what it shows, up to a part of the screen; it never becomes lower under the hand, but where it is looked at anew. */
  protected grow(anew = false): void {
    const { most, share, least } = this.high;
    const wanted = Math.round(Math.max(least, Math.min(most, Math.max(innerHeight * share, LOW), this.stage.high + 2)));
    const now = Number.parseFloat(this.stage.element.style.height) || 0;
    if (anew || wanted > now) this.stage.element.style.height = `${wanted}px`;
  }

  protected override dress(): void {
    super.dress();
    this.stage.dress();
  }

  override redress(): void {
    super.redress();
    this.changed();
  }

  override stop(): void {
    super.stop();
    cancelAnimationFrame(this.frame);
  }
}

/** Messages beside a board: for screen readers, and for everybody when something can't be done. */
export class Said {
  readonly status = make("div", "dk-live", { role: "status" });
  readonly refused = make("p", "dk-refused", { hidden: true });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = false;

  announce(said: string): void {
    this.status.replaceChildren(make("p", "", {}, said));
  }

  /** Something was asked of Python here: what becomes of it is told. */
  ask(): void {
    this.asked = true;
    this.hush();
  }

  /** What has become of the tree, if that was asked for here. */
  compare(was: Drawing, is: Drawing, words: Words): void {
    if (!this.asked || was === is) return;
    this.asked = false;
    if (is.found && JSON.stringify(is.found) !== JSON.stringify(was.found)) this.announce(words.count("tree.found", is.found.count));
    else if (is.size.shown !== was.size.shown) this.announce(words.count("tree.shown", is.size.shown));
  }

  /** Something could not be done. */
  refuse(said: string): void {
    write(this.refused, said);
    set(this.refused, { hidden: false });
    this.announce(said);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hush(), READ);
  }

  hush(): void {
    clearTimeout(this.timer);
    set(this.refused, { hidden: true });
  }
}

/** In an exercise on a tree that is shown whole, nothing stands above it that one does not need. */
export const plain = (shown: Shown, { asks }: Task): boolean => Boolean(asks) && shown.drawing.size.histories <= WHOLE;

/** Where one begins, if that is not at the root: values are filled in from the ends. */
export function first(shown: Shown, { nodes = {} }: Task): number[] {
  const places = Object.keys(nodes)
    .map((id) => shown.place(Number(id)))
    .filter((i) => i >= 0);
  const level = (i: number): number => shown.drawing.nodes.level[i] ?? 0;
  const deepest = Math.max(...places.map(level));
  return places.filter((i) => level(i) === deepest);
}

/** What there has to be room for. */
export const roomOf = (shown: Shown, solution: Solution, { asks, many = false }: Task): Room => ({
  likely: solution.likely !== undefined || shown.crowded,
  finger: matchMedia("(pointer: coarse)").matches,
  field: asks === "values",
  many,
  narrow: matchMedia(NARROW).matches,
});
