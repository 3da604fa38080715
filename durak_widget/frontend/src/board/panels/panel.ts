/** The places for what stands beside a tree: each is a panel that paints itself from the traits, and hears of nothing else. */

import type { Words } from "../../widgets/protocol/words";
import type { Message, Shown, Solution, Task } from "../protocol/tree-drawing";

/** What a panel may ask of the page that it stands on. */
export interface Host {
  /** The whole widget: what has the class `dk`, and hears the keys. */
  readonly root: HTMLElement;
  /** Everything that a panel listens to ends with it. */
  readonly signal: AbortSignal;
  /** A trait, as Python tells it now. */
  get<T>(name: string): T;
  /** Change a trait that both sides may change. */
  change(name: string, value: unknown): void;
  send(message: Message): void;
  words(): Words;
  /** The tree as it is shown. */
  shown(): Shown;
  solution(): Solution;
  task(): Task;
  /** The place of the node that is looked at. */
  at(): number;
  /** Look at a history that is shown. */
  go(id: number): void;
  /** The element of a history, while it is on the screen. */
  node(id: number): HTMLElement | undefined;
  /** Say something to a screen reader. */
  announce(said: string): void;
  /** A panel has another size: the page is laid out again. */
  resized(): void;
}

/** A panel: `paint` shows what the traits now say (an empty one hides its element), `stop` lets go of everything. */
export interface Panel {
  readonly element: HTMLElement;
  paint(): void;
  /** Python has refused something: say so here, if it was asked from here; whether that was so. */
  tell?(said: string): boolean;
  stop(): void;
}

/** Where a panel stands: beside the tree where there is room, else below; or always below it. */
export type Side = "beside" | "below";

export interface Slot {
  readonly name: string;
  readonly side: Side;
  /** The traits at whose change it is painted anew; it is so at each new drawing, too, and when another node is looked at. */
  readonly traits: readonly string[];
  make(host: Host): Panel;
}
