/** Find which cards move between two scenes, and animate them. The page never waits for an animation. */

import { BEAT_OFFSET, drawBack } from "../../widgets/cards";
import { makeDrawing, setCardWidth } from "../../widgets/dom";
import { type Card, getFace, type Scene } from "../../widgets/protocol/scene";
import { drawPlayedCard, type TableCenter } from "../../widgets/table-center";
import type { TableContext } from "../../widgets/table-context";
import type { Hand } from "./hand";
import type { Seats } from "./seats";

/** How many backs fly at once to another hand. */
const MAX_BACKS = 3;

/** The duration of one flight, in ms. */
export const STEP_MS = 220;

/** How many steps the last card of a bout lies on the table before all cards leave, so that it is clear what beat what. */
const PAUSE_STEPS = 2;

/** The delay between cards, in ms. */
export const STAGGER_MS = 25;

const EASE = "cubic-bezier(.2,.7,.3,1)";

/** The delay between picked up cards, in ms. */
const DRAW_MS = 2 * STAGGER_MS;

interface AnimatedParts {
  readonly hand: Hand;
  readonly center: TableCenter;
  readonly seats: Seats;
}

/** The visible cards and their boxes before the new scene was painted. */
export type Snapshot = Map<Card, Box[]>;

/** Finds which cards have moved between two scenes, and from where to where. */
export class Flights {
  private measure = (element: Element, width?: number): Box => this.motion.makeRuler()(element, width);

  constructor(
    private readonly motion: Motion,
    private readonly parts: AnimatedParts,
    private readonly context: Pick<TableContext, "look" | "words">,
  ) {}

  /** Return the boxes of visible cards. A dropped card counts where it was dropped. */
  snapshot(dropped?: { readonly card: Card; readonly ghost: HTMLElement }): Snapshot {
    const result: Snapshot = new Map();
    const { hand, center } = this.parts;
    const measure = this.motion.makeRuler();
    for (const { card, element } of hand.cards) addBox(result, card, measure(card === dropped?.card ? dropped.ghost : element));
    for (const [card, element] of center.listCards()) addBox(result, card, measure(element));
    return result;
  }

  /** Start the flights from the old positions to the new ones. */
  run(start: Scene, after: Scene, snapshot: Snapshot): void {
    this.measure = this.motion.makeRuler();
    const isNextMove = after.game === start.game && after.ply === start.ply + 1 && after.viewer === start.viewer;
    const isNewDeal = after.game !== start.game && after.ply === 0;
    const end = isNextMove ? after.bout_end : undefined;
    const paths: FlightPath[] = [];
    const time = end ? this.endBout(after, snapshot, paths) : 0;
    const draws = isNewDeal ? after.seats.map((seat, i) => [i, seat.cards] as const) : (end?.drawn ?? []);
    const drawnBefore = draws
      .slice(
        0,
        draws.findIndex(([seat]) => seat === after.viewer),
      )
      .reduce((sum, [, count]) => sum + Math.min(count, MAX_BACKS), 0);
    this.moveVisibleCards(after, snapshot, paths, isNextMove || isNewDeal, time + DRAW_MS * drawnBefore);
    this.dealOthers(after, paths, time, draws);
    this.motion.fly(paths);
  }

  /** Animate the end of a bout: the last card comes to the table, then all go to the discard pile or the taker. */
  private endBout(after: Scene, snapshot: Snapshot, paths: FlightPath[]): number {
    const { center } = this.parts;
    const { bout_end: end, last_move: did } = after;
    if (!end || !did) return 0;
    const { spots, card: width } = center.findSpots(Math.max(end.pairs.length, 1));
    const tableBox = this.measure(center.table);
    const goalElement = end.taker === null ? center.discardPile : this.findSeatElement(after, end.taker);
    const goal = goalElement && this.measure(goalElement, Math.min(width, 40));
    const wait = STEP_MS * (did.cards.length ? 1 + PAUSE_STEPS : 1); // Cards that have been on the table for a while leave at once.
    let time = 0;
    let order = 0;
    end.pairs.forEach((pair, i) => {
      const spot = spots[i];
      for (const [played, isBeat] of [
        [pair[0], false],
        [pair[1], true],
      ] as const) {
        if (!played || !spot || !goal) continue;
        const shift = isBeat ? { x: BEAT_OFFSET.x * width, y: BEAT_OFFSET.y * width } : { x: 0, y: 0 };
        const tableSpot: Box = { left: tableBox.left + spot.x + shift.x, top: tableBox.top + spot.y + shift.y, width };
        const isArriving = did.cards.map(getFace).includes(getFace(played)) && !isOnTable(snapshot, tableBox, getFace(played));
        const start = takeBox(snapshot, getFace(played)) ?? (isArriving ? this.measureSeat(after, did.seat) : tableSpot);
        const isViewerTaking = end.taker === after.viewer;
        if (isViewerTaking) {
          addBox(snapshot, getFace(played), start ?? tableSpot); // It flies on from there into the hand.
          continue;
        }
        const stops = isArriving && start ? [start, ...new Array<Box>(1 + PAUSE_STEPS).fill(tableSpot), goal] : [start ?? tableSpot, goal];
        const turning = end.taker === null ? { rear: drawBack(this.context.look.back) } : {};
        paths.push({
          card: drawPlayedCard(played, this.context.words),
          stops,
          delay: (isArriving ? 0 : wait) + STAGGER_MS * order++,
          ...turning,
        });
        time = wait + STEP_MS;
      }
    });
    return end.taker === after.viewer ? STEP_MS : time;
  }

  /** Animate each visible card from its old place, the talon, or the seat that played it. */
  private moveVisibleCards(after: Scene, snapshot: Snapshot, paths: FlightPath[], mayDraw: boolean, time: number): void {
    const { hand, center } = this.parts;
    const talon = this.measureTalon();
    let drawCount = 0;
    for (const [card, element] of center.listCards()) {
      const target = this.measure(element);
      const start = takeBox(snapshot, card) ?? (mayDraw && after.last_move ? this.measureSeat(after, after.last_move.seat) : undefined);
      if (start && isFar(start, target)) paths.push({ card: element, stops: [start, target], delay: 0 });
    }
    for (const { card, element } of hand.cards) {
      const target = this.measure(element);
      const start = takeBox(snapshot, card);
      if (start && isFar(start, target)) paths.push({ card: element, stops: [start, target], delay: 0 });
      else if (!start && mayDraw) paths.push({ card: element, stops: [talon, target], delay: time + DRAW_MS * drawCount++, appears: true });
    }
  }

  /** Animate backs from the talon to the other seats, in dealing order. */
  private dealOthers(after: Scene, paths: FlightPath[], time: number, draws: readonly (readonly [seat: number, count: number])[]): void {
    const talon = this.measureTalon();
    let order = 0;
    for (const [seat, count] of draws) {
      const goal = seat === after.viewer ? undefined : this.measureSeat(after, seat);
      for (let i = 0; i < Math.min(count, MAX_BACKS); i++, order++) {
        if (goal)
          paths.push({ card: drawBack(this.context.look.back), stops: [talon, goal], delay: time + DRAW_MS * order, appears: true });
      }
    }
  }

  /** Return the box where cards are drawn, also if the talon is empty. */
  private measureTalon(): Box {
    const { pile, stock } = this.parts.center;
    return this.measure(pile.childElementCount ? pile : stock, 40);
  }

  private findSeatElement(scene: Scene, seat: number): HTMLElement | undefined {
    return seat === scene.viewer ? this.parts.hand.element : this.parts.seats.findPlace(seat);
  }

  private measureSeat(scene: Scene, seat: number): Box | undefined {
    const element = this.findSeatElement(scene, seat);
    return element && this.measure(element, 34);
  }
}

const addBox = (snapshot: Snapshot, card: Card, box: Box): void => void snapshot.set(card, [...(snapshot.get(card) ?? []), box]);
const takeBox = (snapshot: Snapshot, card: Card): Box | undefined => snapshot.get(card)?.shift();
const isFar = (from: Box, to: Box): boolean => Math.abs(from.left - to.left) + Math.abs(from.top - to.top) > 1;
const isOnTable = (snapshot: Snapshot, frame: Box, card: Card): boolean =>
  (snapshot.get(card) ?? []).some(
    (box) => box.top >= frame.top - 1 && box.left >= frame.left - 1 && box.top < frame.top + 220 && box.left <= frame.left + frame.width,
  );

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** The path of one card: start, optional stops, goal. */
export interface FlightPath {
  /** A card on the table, which ends at its place. Or a drawing that exists only for the flight. */
  readonly card: HTMLElement | string;
  readonly stops: readonly Box[];
  /** The delay in ms. */
  readonly delay: number;
  /** It is invisible until it starts. */
  readonly appears?: boolean;
  /** The drawing of the other side. The card turns over on its last leg. */
  readonly rear?: string;
}

/** Animates cards from where they were to where they are. */
export class Motion {
  private running: Animation[] = [];
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private ghosts = new Set<HTMLElement>();

  constructor(
    private readonly layer: HTMLElement,
    private readonly isWanted: () => boolean,
  ) {}

  /** Return whether animations are on. */
  get isOn(): boolean {
    return this.isWanted() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** Return a function that measures boxes in the coordinates of the layer. The layout must not change meanwhile. */
  makeRuler(): (element: Element, width?: number) => Box {
    const frame = this.layer.getBoundingClientRect();
    return (element, width) => {
      const box = element.getBoundingClientRect();
      const inset = width === undefined ? 0 : (box.width - width) / 2;
      return { left: box.left - frame.left + inset, top: box.top - frame.top, width: width ?? box.width };
    };
  }

  /** Start flights. Invisible cards are created only when they start, so that the scene appears quickly. */
  fly(paths: readonly FlightPath[]): void {
    for (const path of paths) {
      const { card, delay, appears } = path;
      if (appears && typeof card === "string") this.schedule(delay, () => this.startFlight({ ...path, delay: 0, appears: false }));
      else this.startFlight(path);
    }
  }

  private startFlight({ card, stops, delay, appears, rear }: FlightPath): void {
    const first = stops[0];
    const goal = stops[stops.length - 1];
    if (!first || !goal || stops.length < 2) return;
    const isGhost = typeof card === "string";
    const element = isGhost ? this.makeGhost(card, first.width) : card;
    const origin = isGhost ? { left: 0, top: 0, width: first.width } : goal;
    const frames: Keyframe[] = stops.map((stop) => ({
      transform: `translate(${stop.left - origin.left}px,${stop.top - origin.top}px) scale(${stop.width / origin.width})`,
      easing: EASE,
    }));
    if (appears) frames.splice(0, 1, { ...frames[0], opacity: 0 }, { opacity: 1, offset: 0.2 });
    const timing = { duration: STEP_MS * (stops.length - 1), delay, fill: isGhost ? "both" : "backwards" } as const;
    const animation = element.animate(frames, timing);
    this.running.push(animation);
    element.classList.add("dk-flying");
    animation.onfinish = () => (isGhost ? this.removeGhost(element) : element.classList.remove("dk-flying"));
    if (rear && isGhost) this.schedule(delay + STEP_MS * (stops.length - 2), () => this.turnOver(element, rear));
  }

  private schedule(ms: number, callback: () => void): void {
    this.timers.add(setTimeout(callback, ms));
  }

  private turnOver(ghost: HTMLElement, rear: string): void {
    const leaf = makeDrawing("div", "dk-flip-card", rear);
    leaf.prepend(...ghost.childNodes);
    ghost.append(leaf);
    this.running.push(leaf.animate([{ transform: "none" }, { transform: "rotateY(180deg)" }], { duration: STEP_MS, fill: "both" }));
  }

  private makeGhost(drawing: string, width: number): HTMLElement {
    const ghost = makeDrawing("div", "dk-card dk-ghost", drawing);
    setCardWidth(ghost, width);
    this.layer.append(ghost);
    this.ghosts.add(ghost);
    return ghost;
  }

  /** Shake an element briefly. */
  shake(element: HTMLElement): void {
    if (!this.isOn) return;
    const frames = [0, -4, 4, 0].map((x) => ({ translate: `${x}px 0` }));
    this.running.push(element.animate(frames, { duration: 120, easing: "ease-in-out" }));
  }

  /** Finish all animations now. */
  finish(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    for (const animation of this.running) {
      const target = (animation.effect as KeyframeEffect | null)?.target;
      animation.onfinish = null;
      animation.cancel();
      target?.classList.remove("dk-flying");
    }
    this.running = [];
    for (const ghost of this.ghosts) this.removeGhost(ghost);
  }

  private removeGhost(ghost: HTMLElement): void {
    ghost.remove();
    this.ghosts.delete(ghost);
  }
}
