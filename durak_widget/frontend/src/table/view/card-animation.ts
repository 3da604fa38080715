/** Finds which cards move between two scenes, and animates them. The page never waits for an animation. */

import { back, OVER } from "../../widgets/cards";
import { cardsOf, drawn } from "../../widgets/dom";
import { type Card, face, type Scene } from "../../widgets/protocol/scene";
import { lying, type Middle } from "../../widgets/table-center";
import type { Hand } from "./hand";
import type { Seats } from "./seats";

/** As many backs as fly at once to another hand. */
const BACKS = 3;

/** How long one card takes, in ms. */
export const STEP = 220;

/** After how many ms the next card starts. */
export const STAGGER = 25;

const EASE = "cubic-bezier(.2,.7,.3,1)";

/** After so many ms the next card is drawn. */
const DRAW = 2 * STAGGER;

interface Places {
  readonly hand: Hand;
  readonly middle: Middle;
  readonly seats: Seats;
}

/** Where each card that can be seen was, before the new scene was painted. */
export type Snapshot = Map<Card, Box[]>;

/** Finds which cards have moved between two scenes, and from where to where. */
export class Flights {
  private box = (element: Element, width?: number): Box => this.motion.ruler()(element, width);

  constructor(
    private readonly motion: Motion,
    private readonly places: Places,
    private readonly design: () => string,
  ) {}

  /** Where cards are seen now; one that was let go over the table, there. */
  snapshot(waiting?: { readonly card: Card; readonly ghost: HTMLElement }): Snapshot {
    const seen: Snapshot = new Map();
    const { hand, middle } = this.places;
    const box = this.motion.ruler();
    for (const { card, element } of hand.cards) add(seen, card, box(card === waiting?.card ? waiting.ghost : element));
    for (const [card, element] of middle.cards()) add(seen, card, box(element));
    return seen;
  }

  /** Set the cards on their ways from where they were to where they now are. */
  run(from: Scene, after: Scene, seen: Snapshot): void {
    this.box = this.motion.ruler();
    const next = after.game === from.game && after.ply === from.ply + 1 && after.me === from.me;
    const fresh = after.game !== from.game && after.ply === 0;
    const end = next ? after.end : undefined;
    const ways: Way[] = [];
    const time = end ? this.close(after, seen, ways) : 0;
    const drew = fresh ? after.seats.map((seat, i) => [i, seat.cards] as const) : (end?.drew ?? []);
    const before = drew
      .slice(
        0,
        drew.findIndex(([seat]) => seat === after.me),
      )
      .reduce((sum, [, count]) => sum + Math.min(count, BACKS), 0);
    this.settle(after, seen, ways, next || fresh, time + DRAW * before);
    this.dealOthers(after, ways, time, drew);
    this.motion.fly(ways);
  }

  /** The bout is over: the last card still comes to the table, then all go to the discard pile or to the taker. */
  private close(after: Scene, seen: Snapshot, ways: Way[]): number {
    const { middle } = this.places;
    const { end, did } = after;
    if (!end || !did) return 0;
    const { spots, card: width } = middle.spots(Math.max(end.pairs.length, 1));
    const frame = this.box(middle.table);
    const to = end.taker === null ? middle.gone : this.seat(after, end.taker);
    const goal = to && this.box(to, Math.min(width, 40));
    let time = 0;
    let order = 0;
    end.pairs.forEach((pair, i) => {
      const spot = spots[i];
      for (const [played, over] of [
        [pair[0], false],
        [pair[1], true],
      ] as const) {
        if (!played || !spot || !goal) continue;
        const shift = over ? { x: OVER.x * width, y: OVER.y * width } : { x: 0, y: 0 };
        const rest: Box = { left: frame.left + spot.x + shift.x, top: frame.top + spot.y + shift.y, width };
        const last =
          did.cards.length > 0 && face(did.cards[did.cards.length - 1] as Card) === face(played) && !onTable(seen, frame, face(played));
        const from = take(seen, face(played)) ?? (last ? this.from(after, did.seat) : rest);
        const mine = end.taker === after.me;
        if (mine) {
          add(seen, face(played), from ?? rest); // it goes on from there into the hand
          continue;
        }
        const stops = last && from ? [from, rest, goal] : [from ?? rest, goal];
        const turns = end.taker === null ? { turns: back(this.design()) } : {};
        ways.push({ card: lying(played), stops, after: (last ? 0 : STEP) + STAGGER * order++, ...turns });
        time = Math.max(time, STEP * 2);
      }
    });
    return end.taker === after.me ? STEP : time;
  }

  /** Every card that now lies open or is held comes from where it was: the other place, the talon, or the seat that played it. */
  private settle(after: Scene, seen: Snapshot, ways: Way[], next: boolean, time: number): void {
    const { hand, middle } = this.places;
    const talon = this.talon();
    let drawn = 0;
    for (const [card, element] of middle.cards()) {
      const home = this.box(element);
      const from = take(seen, card) ?? (next && after.did ? this.from(after, after.did.seat) : undefined);
      if (from && far(from, home)) ways.push({ card: element, stops: [from, home], after: 0 });
    }
    for (const { card, element } of hand.cards) {
      const home = this.box(element);
      const from = take(seen, card);
      if (from && far(from, home)) ways.push({ card: element, stops: [from, home], after: 0 });
      else if (!from && next) ways.push({ card: element, stops: [talon, home], after: time + DRAW * drawn++, appears: true });
    }
  }

  /** Backs that fly from the talon to the other seats, in the order of the rules. */
  private dealOthers(after: Scene, ways: Way[], time: number, drew: readonly (readonly [seat: number, count: number])[]): void {
    const talon = this.talon();
    let order = 0;
    for (const [seat, count] of drew) {
      const goal = seat === after.me ? undefined : this.from(after, seat);
      for (let i = 0; i < Math.min(count, BACKS); i++, order++) {
        if (goal) ways.push({ card: back(this.design()), stops: [talon, goal], after: time + DRAW * order, appears: true });
      }
    }
  }

  /** Where cards are drawn from, also when the last is gone. */
  private talon(): Box {
    const { pile, stock } = this.places.middle;
    return this.box(pile.childElementCount ? pile : stock, 40);
  }

  private seat(scene: Scene, seat: number): HTMLElement | undefined {
    return seat === scene.me ? this.places.hand.element : this.places.seats.place(seat);
  }

  private from(scene: Scene, seat: number): Box | undefined {
    const element = this.seat(scene, seat);
    return element && this.box(element, 34);
  }
}

const add = (seen: Snapshot, card: Card, box: Box): void => void seen.set(card, [...(seen.get(card) ?? []), box]);
const take = (seen: Snapshot, card: Card): Box | undefined => seen.get(card)?.shift();
const far = (from: Box, to: Box): boolean => Math.abs(from.left - to.left) + Math.abs(from.top - to.top) > 1;
const onTable = (seen: Snapshot, frame: Box, card: Card): boolean =>
  (seen.get(card) ?? []).some(
    (box) => box.top >= frame.top - 1 && box.left >= frame.left - 1 && box.top < frame.top + 220 && box.left <= frame.left + frame.width,
  );

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

/** Animates cards, always from where they were to where they are. */
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
