/** What every board has of the page: its place and clothes there, what is said beside it, and whether Python still answers; a tree besides how it is painted, how high, and where one stands on it. */

import { make, set } from "../widgets/dom";
import type { Key, Words } from "../widgets/protocol/words";
import { dressBoard, watchTheme } from "../widgets/theme";
import type { Door } from "../widgets/widget-host";
import { Shown } from "./protocol/tree-drawing";
import { Wire } from "./protocol/wire";
import { Said } from "./said";
import { Stage } from "./view/stage";
import type { Plan } from "./view/tree-layout";

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

/** On a low screen a tree may have so much of it nevertheless. */
const LOW = 200;

let trees = 0;

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
