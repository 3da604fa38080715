/** Something is set by a hand that moves, such as one's own strategy: Python is asked no faster than it answers, and hears the last word. */

import type { Message } from "../protocol/tree-drawing";
import type { Host } from "./panel";

/** So long an answer is waited for before the next is sent, in ms: one that was refused does not change what is told. */
const PATIENCE = 300;

export class Setting {
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private next: Message | undefined;

  constructor(private readonly host: Host) {}

  /** Make a move of an information set so likely. */
  likely(set: number, move: number, to: string): void {
    this.ask({ kind: "likely", set, move, to });
  }

  /** Ask for that, as soon as what was asked before is answered. */
  ask(message: Message): void {
    this.next = message;
    if (this.waiting === undefined) this.send();
  }

  /** Whether more was asked for than is answered. */
  get busy(): boolean {
    return this.next !== undefined;
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
    this.host.send(next);
  }
}
