/** The channel between the page and Python in its worker: encodes messages, starts the worker, and queues messages until Python is ready. */

/** A message, addressed by `id`. */
export interface PythonMessage {
  readonly kind: string;
  readonly id?: string;
  readonly [name: string]: unknown;
}

/** An encoded message. */
export interface EncodedMessage {
  readonly text: string;
  readonly buffers: readonly ArrayBuffer[];
}

type ValuePath = readonly (string | number)[];

/** Encode a message: take out binary values and note their paths. */
export function encodeMessage(message: PythonMessage): EncodedMessage {
  const paths: ValuePath[] = [];
  const buffers: ArrayBuffer[] = [];
  const extractBuffers = (value: unknown, path: ValuePath): unknown => {
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      paths.push(path);
      buffers.push(copyBytes(value));
      return null;
    }
    if (Array.isArray(value)) return value.map((entry, i) => extractBuffers(entry, [...path, i]));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, extractBuffers(entry, [...path, name])]));
    return value;
  };
  const plainMessage = extractBuffers(message, []) as object;
  return { text: JSON.stringify(paths.length ? { ...plainMessage, paths } : plainMessage), buffers };
}

/** Decode a message: put binary values back as views, as in a notebook. A path must exist in the message. */
export function decodeMessage({ text, buffers }: EncodedMessage): PythonMessage {
  const { paths = [], ...message } = JSON.parse(text) as PythonMessage & { paths?: readonly ValuePath[] };
  paths.forEach((path, i) => {
    let target = message as Record<string | number, unknown>;
    path.forEach((step, depth) => {
      if (!Object.hasOwn(Object(target), step)) throw new RangeError(`The message has no ${path.join(".")}`);
      if (depth < path.length - 1) target = target[step] as Record<string | number, unknown>;
      else target[step] = new DataView(buffers[i] as ArrayBuffer);
    });
  });
  return message;
}

function copyBytes(value: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const view = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return view.slice().buffer;
}

/** What the page starts with: a table is in the memory snapshot, a board and the lessons are not. */
type StartKind = "table" | "board" | "learn";

/** Python in its worker. It starts at once, or when the user first touches the page. Messages wait until it is ready. */
export class PythonWorker {
  private worker: Worker | undefined;
  private firstMessage: PythonMessage | undefined;
  private isReady = false;
  private readonly queue: PythonMessage[] = [];

  constructor(
    private readonly startKind: StartKind,
    private readonly onMessage: (message: PythonMessage) => void,
    private readonly onFailure: (reason: string) => void,
  ) {}

  /** Start the worker, if it has not started. */
  start(): void {
    if (this.worker) return;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.postMessage({ pageKind: this.startKind, startFrom: readStartOption(), isCached: hasServiceWorker() });
    this.worker.onmessage = ({ data }: MessageEvent<EncodedMessage>) => this.handleMessage(decodeMessage(data));
    this.worker.onerror = ({ message }) => this.onFailure(message || "?");
    if (this.firstMessage) this.post(this.firstMessage);
  }

  /** Set the first message. */
  setFirstMessage(message: PythonMessage): void {
    this.firstMessage = message;
    if (this.worker) this.post(message);
  }

  send(message: PythonMessage): void {
    if (this.isReady) this.post(message);
    else this.queue.push(message);
  }

  stop(): void {
    this.worker?.terminate();
  }

  private handleMessage(message: PythonMessage): void {
    if (message.kind === "ready") {
      this.isReady = true; // Python has already handled the first message.
      for (const waiting of this.queue.splice(0)) this.post(waiting);
    }
    this.onMessage(message);
  }

  private post(message: PythonMessage): void {
    const { text, buffers } = encodeMessage(message);
    this.worker?.postMessage({ text, buffers }, [...buffers]);
  }
}

/** Return how Python starts, from the address. Undefined means depending on the network speed. */
function readStartOption(): "memory" | "plain" | undefined {
  const option = new URLSearchParams(location.search).get("python");
  return option === "memory" || option === "plain" ? option : undefined;
}

/** Return whether a service worker has cached all files. */
function hasServiceWorker(): boolean {
  return "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;
}
