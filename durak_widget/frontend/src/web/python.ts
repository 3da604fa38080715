/** Python behind the page, in its worker: begun at once, or not before somebody touches the page; what is said to it before it is there waits. */

import { type Packed, packed, type Said, unpacked } from "./message-channel";

/** What asks for Python: a table, which its memory knows, or a blackboard, which it does not. */
type Asks = "table" | "board";

export class Python {
  private worker: Worker | undefined;
  private first: Said | undefined;
  private up = false;
  private readonly waiting: Said[] = [];

  constructor(
    private readonly asks: Asks,
    private readonly hear: (said: Said) => void,
    private readonly failed: (why: string) => void,
  ) {}

  /** Have it begin, if it has not. */
  wake(): void {
    if (this.worker) return;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.postMessage({ asks: this.asks, from: from(), here: here() });
    this.worker.onmessage = ({ data }: MessageEvent<Packed>) => this.heard(unpacked(data));
    this.worker.onerror = ({ message }) => this.failed(message || "?");
    if (this.first) this.say(this.first);
  }

  /** With what it begins. */
  begin(said: Said): void {
    this.first = said;
    if (this.worker) this.say(said);
  }

  tell(said: Said): void {
    if (this.up) this.say(said);
    else this.waiting.push(said);
  }

  end(): void {
    this.worker?.terminate();
  }

  private heard(said: Said): void {
    if (said.kind === "up") {
      this.up = true; // and has heard with what it begins
      for (const one of this.waiting.splice(0)) this.say(one);
    }
    this.hear(said);
  }

  private say(said: Said): void {
    const { text, buffers } = packed(said);
    this.worker?.postMessage({ text, buffers }, [...buffers]);
  }
}

/** How Python starts where somebody asks for it; else the line decides. */
function from(): "memory" | "plain" | undefined {
  const asked = new URLSearchParams(location.search).get("python");
  return asked === "memory" || asked === "plain" ? asked : undefined;
}

/** Whether a service worker answers for the network: what it laid down at an earlier visit lies in the browser. */
function here(): boolean {
  return "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;
}
