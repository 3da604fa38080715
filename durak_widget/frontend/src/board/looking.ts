/** Which node of a tree is looked at: a step ahead of what Python knows, which is told of it once the steps rest. */

import type { Message, Shown } from "./protocol/tree-drawing";

/** So long after the last step Python is told what is looked at. */
const REST = 220; // and longer where it has much to tell again: so many ms for a thousand nodes that are shown
const MORE = 80;

export class Looking {
  /** The place that is looked at. */
  here: number;
  /** Where Python itself has led: it is to be brought into sight. */
  leads = false;
  private known: number;
  /** What Python has been told is looked at and has not answered yet, oldest first. */
  private told: readonly number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private now: Shown,
    private readonly send: (message: Message) => void,
  ) {
    this.known = now.drawing.at;
    this.here = Math.max(now.place(this.known), 0);
  }

  /** Another drawing: one is where one went, which Python will know soon, unless it has moved on by itself: to where nobody told it to look. */
  take(now: Shown): void {
    const { drawing } = now;
    const held = this.now.id(this.here);
    const answered = this.told.indexOf(drawing.at);
    const moved = drawing.at !== this.known && answered < 0;
    if (drawing.at !== this.known) this.told = moved ? [] : this.told.slice(answered + 1);
    this.known = drawing.at;
    this.now = now;
    const kept = moved ? -1 : now.place(held);
    this.here = kept >= 0 ? kept : Math.max(now.place(drawing.at), 0);
    this.leads ||= moved;
  }

  /** Look at another place. */
  step(i: number): void {
    this.here = i;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), REST + (MORE * this.now.count) / 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private tell(): void {
    const id = this.now.id(this.here);
    if (id === (this.told.at(-1) ?? this.now.drawing.at)) return;
    this.told = [...this.told, id];
    this.send({ kind: "look", id });
  }
}
