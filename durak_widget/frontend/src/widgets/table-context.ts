/** What all parts of the table share: words, settings, scene and messages to Python. */

import type { Intent, Look, Scene } from "./protocol/scene";
import type { Words } from "./protocol/words";

export interface TableContext {
  readonly root: HTMLElement;
  readonly words: Words;
  readonly look: Look;
  readonly scene: Scene;
  send(intent: Intent): void;
  /** Format the name of a seat: `You`, `Player 2`. */
  formatSeat(seat: number): string;
  /** Read a text aloud, after what is being read now. */
  announce(text: string): void;
}

/** Return the other seats, clockwise from the viewer's left. */
export function listOtherSeats(scene: Scene): number[] {
  const count = scene.seats.length;
  return Array.from({ length: count - 1 }, (_, i) => (scene.viewer + 1 + i) % count);
}
