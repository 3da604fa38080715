/** One's own strategy is set: while a hand moves, Python is asked no faster than it answers, and hears the last word. */

import type { Host } from "./slots";

/** So long an answer is waited for before the next is sent, in ms: one that was refused does not change what is told. */
const PATIENCE = 300;

export class Setting {
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private next: { set: number; move: number; to: string } | undefined;

  constructor(private readonly host: Host) {}

  /** Make a move of an information set so likely. */
  likely(set: number, move: number, to: string): void {
    this.next = { set, move, to };
    if (this.waiting === undefined) this.send();
  }

  /** Python has answered. */
  answered(): void {
    this.stop();
    if (this.next) this.send();
  }

  stop(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  private send(): void {
    const { next } = this;
    this.next = undefined;
    if (!next) return this.stop();
    this.waiting = setTimeout(() => {
      this.waiting = undefined;
      if (this.next) this.send();
    }, PATIENCE);
    this.host.send({ kind: "likely", ...next });
  }
}
