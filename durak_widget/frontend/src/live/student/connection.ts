/** A connection that comes back: a WebSocket, or long polling where a network blocks WebSockets. */

const FIRST_DELAY = 300;
const LONGEST_DELAY = 3_000;
/** Between two heartbeats. */
const HEARTBEAT = 20_000;
/** After a heartbeat, the line is dead if nothing arrives in this time. */
const PATIENCE = 8_000;
/** The same after the page was asleep, when the line often is dead. */
const SHORT_PATIENCE = 3_000;
const OPENING_PATIENCE = 8_000;
/** The server answers a poll within 25 s. */
const POLL_PATIENCE = 35_000;

/** The server has closed the line because of too many messages or wrong codes. */
const TOO_MANY = 4429;

export interface ConnectionOptions {
  /** Relative addresses, so that a proxy may serve the page at another path. */
  readonly socketPath: string;
  /** Without it, there is no long polling. */
  readonly pollPath?: string;
  /** A small file of the same server. It is requested to find out whether only WebSockets are blocked. */
  readonly probePath?: string;
  readonly alwaysPoll?: boolean;
  /** The line is open: send who you are. */
  readonly onOpen: () => void;
  readonly onMessage: (message: unknown) => void;
  /** The line is lost, or could not be opened. It is tried again until `stop`. */
  readonly onLost: (code: number) => void;
}

interface Transport {
  send(message: object): void;
  close(): void;
}

interface Listener {
  opened(): void;
  received(message: unknown): void;
  closed(code: number): void;
}

export class Connection {
  private transport: Transport | undefined;
  private isOpen = false;
  private isWanted = false;
  private attempts = 0;
  private failedSockets = 0;
  private hadSocket = false;
  /** The server answers although its WebSocket did not open. */
  private isReachable = false;
  private polls: boolean;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: ConnectionOptions) {
    this.polls = Boolean(options.alwaysPoll && options.pollPath);
    addEventListener("online", () => this.check());
    addEventListener("pageshow", () => this.check());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.check();
    });
  }

  start(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    this.attempts = 0;
    this.open();
  }

  stop(): void {
    this.isWanted = false;
    this.drop();
  }

  /** Send a message. Return whether the line was open; a message on a dead line is lost all the same. */
  send(message: object): boolean {
    if (!this.isOpen) return false;
    this.transport?.send(message);
    return true;
  }

  /** The page was asleep, or its network changed: connect at once, or find out whether the line still works. */
  check(): void {
    if (!this.isWanted) return;
    if (this.isOpen) this.ping(SHORT_PATIENCE);
    else if (this.retry !== undefined) {
      this.attempts = 0;
      this.open();
    }
  }

  private open(): void {
    this.drop();
    let isCurrent = true;
    const whileCurrent =
      <T extends unknown[]>(act: (...values: T) => void) =>
      (...values: T): void => {
        if (isCurrent) act(...values);
      };
    const listener: Listener = {
      opened: whileCurrent(() => this.opened()),
      received: whileCurrent((message: unknown) => this.received(message)),
      closed: whileCurrent((code: number) => this.lost(code)),
    };
    const { pollPath, socketPath } = this.options;
    const transport = this.polls && pollPath ? new PollTransport(pollPath, listener) : new SocketTransport(socketPath, listener);
    this.transport = {
      send: (message) => transport.send(message),
      close: () => {
        isCurrent = false;
        transport.close();
      },
    };
    if (!this.polls) this.deadline = setTimeout(() => this.lost(0), OPENING_PATIENCE);
  }

  private opened(): void {
    clearTimeout(this.deadline);
    this.deadline = undefined;
    this.isOpen = true;
    if (!this.polls) {
      this.hadSocket = true;
      this.failedSockets = 0;
      this.isReachable = false;
      this.heartbeat = setInterval(() => this.ping(PATIENCE), HEARTBEAT);
    }
    this.options.onOpen();
  }

  private received(message: unknown): void {
    clearTimeout(this.deadline);
    this.deadline = undefined;
    this.attempts = 0;
    this.options.onMessage(message);
  }

  private ping(patience: number): void {
    this.send({ kind: "ping" });
    if (!this.polls) this.deadline ??= setTimeout(() => this.lost(0), patience);
  }

  private lost(code: number): void {
    const failedToOpen = !this.isOpen && !this.polls;
    this.drop();
    if (failedToOpen) void this.considerPolling();
    this.options.onLost(code);
    if (!this.isWanted) return;
    // a little chance, so that a whole class does not come back in the same moment
    const shortest = code === TOO_MANY ? LONGEST_DELAY : FIRST_DELAY * 2 ** this.attempts;
    const delay = Math.min(LONGEST_DELAY, shortest) * (0.8 + 0.4 * Math.random());
    this.attempts += 1;
    this.retry = setTimeout(() => this.open(), delay);
  }

  /** Poll from now on if a network blocks WebSockets. A server that restarts does not answer at all. */
  private async considerPolling(): Promise<void> {
    this.failedSockets += 1;
    if (!this.options.pollPath || this.failedSockets < 2) return;
    if (!this.hadSocket || this.isReachable) this.polls = true;
    else if (this.options.probePath) {
      const reply = await fetch(this.options.probePath, { cache: "no-store" }).catch(() => undefined);
      this.isReachable = Boolean(reply?.ok);
    }
  }

  private drop(): void {
    clearTimeout(this.retry);
    clearTimeout(this.deadline);
    clearInterval(this.heartbeat);
    this.retry = this.deadline = this.heartbeat = undefined;
    this.isOpen = false;
    this.transport?.close();
    this.transport = undefined;
  }
}

class SocketTransport implements Transport {
  private readonly socket: WebSocket | undefined;

  constructor(path: string, listener: Listener) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    try {
      this.socket = new WebSocket(url);
    } catch {
      setTimeout(() => listener.closed(0)); // a policy forbids it
      return;
    }
    this.socket.addEventListener("open", () => listener.opened());
    this.socket.addEventListener("message", ({ data }) => listener.received(parse(data)));
    this.socket.addEventListener("close", ({ code }) => listener.closed(code));
  }

  send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.socket?.close();
  }
}

interface PollReply {
  readonly next: number;
  readonly messages: readonly unknown[];
  /** The code with which a socket would have been closed. */
  readonly closed?: number;
}

/** One request waits at the server for messages. A new message cuts it off, and goes with the next request. */
class PollTransport implements Transport {
  private readonly connection = makeId();
  private after = 0;
  private waiting: object[] = [];
  private controller: AbortController | undefined;
  private isClosed = false;

  constructor(
    private readonly path: string,
    private readonly listener: Listener,
  ) {
    setTimeout(() => void this.run());
  }

  send(message: object): void {
    this.waiting.push(message);
    this.controller?.abort();
  }

  close(): void {
    this.isClosed = true;
    this.controller?.abort();
  }

  private async run(): Promise<void> {
    this.listener.opened();
    while (!this.isClosed) {
      const began = Date.now();
      const reply = await this.request(this.waiting.splice(0));
      if (this.isClosed) return;
      if (reply === "again") continue;
      if (!reply) return this.listener.closed(0);
      this.after = reply.next;
      for (const message of reply.messages) this.listener.received(message);
      if (reply.closed !== undefined) return this.listener.closed(reply.closed);
      // a server that has no seat for this line does not make it wait
      const isHasty = !reply.messages.length && Date.now() - began < FIRST_DELAY;
      if (isHasty) await new Promise((resolve) => setTimeout(resolve, FIRST_DELAY));
    }
  }

  private async request(send: readonly object[]): Promise<PollReply | "again" | undefined> {
    const controller = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, POLL_PATIENCE);
    // a request that carries messages is never cut off: the server may have taken them already
    if (!send.length) this.controller = controller;
    try {
      // as text: with another content type, a sandboxed page would have to ask first
      const body = JSON.stringify({ connection: this.connection, after: this.after, send });
      const reply = await fetch(this.path, { method: "POST", body, cache: "no-store", credentials: "omit", signal: controller.signal });
      return reply.ok ? ((await reply.json()) as PollReply) : undefined;
    } catch {
      return controller.signal.aborted && !isLate ? "again" : undefined;
    } finally {
      clearTimeout(timer);
      this.controller = undefined;
    }
  }
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return undefined;
  }
}

/** Return a random identifier. `crypto.randomUUID` does not exist on pages without https. */
const makeId = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
