/** What all parts of the table share: the words, the look, and the way to Python. */

import type { Intent, Look, Scene } from "./protocol/scene";
import type { Words } from "./protocol/words";

export interface Shared {
  readonly root: HTMLElement;
  readonly words: Words;
  readonly look: Look;
  readonly scene: Scene;
  send(intent: Intent): void;
  /** How a seat is named: `You`, `Player 2`. */
  name(seat: number): string;
  /** Read aloud, after what is being read. */
  announce(text: string): void;
}

/** The other seats, clockwise from the viewer's left. */
export function others(scene: Scene): number[] {
  const count = scene.seats.length;
  return Array.from({ length: count - 1 }, (_, i) => (scene.me + 1 + i) % count);
}
