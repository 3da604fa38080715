/** Motion that explains: a card's way is always from where it was to where it is. The page itself never waits for it. */

import { cardsOf, drawn } from "../../widgets/dom";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** One card's way: where it comes from, where it may rest, where it ends. */
export interface Way {
  /** A card of the table, which ends where it stands; or the drawing of one that is there for the flight alone. */
  readonly card: HTMLElement | string;
  readonly stops: readonly Box[];
  /** After how many ms it sets out. */
  readonly after: number;
  /** It cannot be seen before it sets out. */
  readonly appears?: boolean;
  /** It turns over on its last way; this is what is then seen. */
  readonly turns?: string;
}

export const STEP = 220;
export const STAGGER = 25;
const EASE = "cubic-bezier(.2,.7,.3,1)";

export class Motion {
  private running: Animation[] = [];
  private readonly later = new Set<ReturnType<typeof setTimeout>>();
  private ghosts = new Set<HTMLElement>();

  constructor(
    private readonly layer: HTMLElement,
    private readonly wanted: () => boolean,
  ) {}

  /** Whether anything moves; else every card is at once where it is. */
  get on(): boolean {
    return this.wanted() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** Where elements are seen now, in the coordinates of the layer: nothing may be changed while this is asked. */
  ruler(): (element: Element, width?: number) => Box {
    const frame = this.layer.getBoundingClientRect();
    return (element, width) => {
      const box = element.getBoundingClientRect();
      const inset = width === undefined ? 0 : (box.width - width) / 2;
      return { left: box.left - frame.left + inset, top: box.top - frame.top, width: width ?? box.width };
    };
  }

  /** Set cards on their ways; what cannot be seen yet is made when it can be, so that the scene is soon there. */
  fly(ways: readonly Way[]): void {
    for (const way of ways) {
      const { card, after, appears } = way;
      if (appears && typeof card === "string") this.wait(after, () => this.start({ ...way, after: 0, appears: false }));
      else this.start(way);
    }
  }

  private start({ card, stops, after, appears, turns }: Way): void {
    const first = stops[0];
    const end = stops[stops.length - 1];
    if (!first || !end || stops.length < 2) return;
    const ghost = typeof card === "string";
    const element = ghost ? this.ghost(card, first.width) : card;
    const home = ghost ? { left: 0, top: 0, width: first.width } : end;
    const frames: Keyframe[] = stops.map((stop) => ({
      transform: `translate(${stop.left - home.left}px,${stop.top - home.top}px) scale(${stop.width / home.width})`,
      easing: EASE,
    }));
    if (appears) frames.splice(0, 1, { ...frames[0], opacity: 0 }, { opacity: 1, offset: 0.2 });
    const timing = { duration: STEP * (stops.length - 1), delay: after, fill: ghost ? "both" : "backwards" } as const;
    const animation = element.animate(frames, timing);
    this.running.push(animation);
    element.classList.add("dk-flying");
    animation.onfinish = () => (ghost ? this.drop(element) : element.classList.remove("dk-flying"));
    if (turns && ghost) this.wait(after + STEP * (stops.length - 2), () => this.turn(element, turns));
  }

  private wait(ms: number, then: () => void): void {
    this.later.add(setTimeout(then, ms));
  }

  private turn(ghost: HTMLElement, rear: string): void {
    const leaf = drawn("div", "dk-leaf", rear);
    leaf.prepend(...ghost.childNodes);
    ghost.append(leaf);
    this.running.push(leaf.animate([{ transform: "none" }, { transform: "rotateY(180deg)" }], { duration: STEP, fill: "both" }));
  }

  private ghost(drawing: string, width: number): HTMLElement {
    const ghost = drawn("div", "dk-card dk-ghost", drawing);
    cardsOf(ghost, width);
    this.layer.append(ghost);
    this.ghosts.add(ghost);
    return ghost;
  }

  /** A short shake of the head. */
  nod(element: HTMLElement): void {
    if (!this.on) return;
    const frames = [0, -4, 4, 0].map((x) => ({ translate: `${x}px 0` }));
    this.running.push(element.animate(frames, { duration: 120, easing: "ease-in-out" }));
  }

  /** Everything stands where it belongs, now. */
  finish(): void {
    for (const timer of this.later) clearTimeout(timer);
    this.later.clear();
    for (const animation of this.running) {
      const target = (animation.effect as KeyframeEffect | null)?.target;
      animation.onfinish = null;
      animation.cancel();
      target?.classList.remove("dk-flying");
    }
    this.running = [];
    for (const ghost of this.ghosts) this.drop(ghost);
  }

  private drop(ghost: HTMLElement): void {
    ghost.remove();
    this.ghosts.delete(ghost);
  }
}
