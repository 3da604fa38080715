/** The interface of panels beside a tree. A panel paints itself from traits. */

import type { Words } from "../../widgets/protocol/words";
import type { Message, ShownTree, Solution, Task } from "../protocol/tree-drawing";

/** What a panel needs from its page. */
export interface PanelHost {
  /** The root element of the widget, which handles keys. */
  readonly root: HTMLElement;
  /** Ends all listeners of a panel. */
  readonly signal: AbortSignal;
  /** Return the current value of a trait. */
  get<T>(name: string): T;
  /** Change a trait that both sides can change. */
  setTrait(name: string, value: unknown): void;
  send(message: Message): void;
  words(): Words;
  /** Return the tree as shown. */
  getTree(): ShownTree;
  solution(): Solution;
  task(): Task;
  /** Return the index of the focused node. */
  getFocus(): number;
  /** Focus a node by its id. */
  focusNode(id: number): void;
  /** Return the element of a node, if it is on the screen. */
  findElement(id: number): HTMLElement | undefined;
  /** Announce a message to screen readers. */
  announce(message: string): void;
  /** Lay out the page again, because a panel changed its size. */
  handleResize(): void;
}

/** A panel: `paint` shows the current traits or hides the panel, `stop` releases everything. */
export interface Panel {
  readonly element: HTMLElement;
  paint(): void;
  /** Show a refusal if this panel sent the request. Return whether it did. */
  showError?(message: string): boolean;
  stop(): void;
}

/** The place of a panel: beside the tree if there is space, or always below it. */
export type Side = "beside" | "below";

export interface Slot {
  readonly name: string;
  readonly side: Side;
  /** The traits that need painting. A new drawing or focus also does. */
  readonly traits: readonly string[];
  make(host: PanelHost): Panel;
}
