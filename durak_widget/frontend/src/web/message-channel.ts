/** The channel between the page and Python in its worker: encodes messages, starts the worker, and keeps messages until Python is there. */

/** What is said to somebody, or about them. */
export interface Said {
  readonly kind: string;
  readonly id?: string;
  readonly [name: string]: unknown;
}

/** A message as it travels. */
export interface Packed {
  readonly text: string;
  readonly buffers: readonly ArrayBuffer[];
}

type Path = readonly (string | number)[];

/** Take out what is binary, and note where it was. */
export function packed(said: Said): Packed {
  const paths: Path[] = [];
  const buffers: ArrayBuffer[] = [];
  const plain = (value: unknown, path: Path): unknown => {
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      paths.push(path);
      buffers.push(bytes(value));
      return null;
    }
    if (Array.isArray(value)) return value.map((one, at) => plain(one, [...path, at]));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, [...path, name])]));
    return value;
  };
  const told = plain(said, []) as object;
  return { text: JSON.stringify(paths.length ? { ...told, paths } : told), buffers };
}

/** Put what is binary where it belongs: as views of bytes, like a notebook's. A path leads only through what the message itself has. */
export function unpacked({ text, buffers }: Packed): Said {
  const { paths = [], ...said } = JSON.parse(text) as Said & { paths?: readonly Path[] };
  paths.forEach((path, at) => {
    let place = said as Record<string | number, unknown>;
    path.forEach((step, depth) => {
      if (!Object.hasOwn(Object(place), step)) throw new RangeError(`The message has no ${path.join(".")}`);
      if (depth < path.length - 1) place = place[step] as Record<string | number, unknown>;
      else place[step] = new DataView(buffers[at] as ArrayBuffer);
    });
  });
  return said;
}

function bytes(value: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const view = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return view.slice().buffer;
}

/** What asks for Python: a table, which its memory knows, or a blackboard, which it does not. */
type Asks = "table" | "board";

/** Python in its worker. It starts at once, or when the user first touches the page; messages wait until it is there. */
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
