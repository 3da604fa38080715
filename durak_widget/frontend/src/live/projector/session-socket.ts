/** The connection of the page to the session: a web socket that comes back after every interruption. */

import type { Command, Connection, Reply, RoomState } from "./protocol";

const FIRST_DELAY_MS = 300;
const MAX_DELAY_MS = 3000;
/** The close codes of a socket with a wrong secret. */
const REFUSED_CODES = [4401, 4403];

export interface SocketListener {
  onState(state: RoomState): void;
  onConnection(connection: Connection): void;
}

export class SessionSocket {
  private socket: WebSocket | undefined;
  private delay = FIRST_DELAY_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextId = 1;
  private readonly waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();

  constructor(
    private readonly url: string,
    private readonly secret: string,
    private readonly listener: SocketListener,
    /** The sentence for a command that could not be sent. */
    private readonly describeLoss: () => string,
  ) {
    addEventListener("online", () => this.connectNow());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.connectNow());
    this.connect();
  }

  send(command: Command): Promise<void> {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error(this.describeLoss()));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ kind: "command", command, id }));
    });
  }

  private connectNow(): void {
    if (this.timer === undefined) return;
    this.delay = FIRST_DELAY_MS;
    this.connect();
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ kind: "secret", secret: this.secret })));
    socket.addEventListener("message", ({ data }) => this.handle(String(data)));
    socket.addEventListener("close", ({ code }) => this.handleClose(code));
  }

  private handle(text: string): void {
    const message = JSON.parse(text) as { kind?: string; state?: RoomState };
    if (message.kind === "reply") settle(this.waiting, message as unknown as Reply);
    if (message.kind !== "state") return;
    this.delay = FIRST_DELAY_MS;
    this.listener.onConnection("connected");
    this.listener.onState(message.state ?? (message as unknown as RoomState));
  }

  private handleClose(code: number): void {
    for (const { reject } of this.waiting.values()) reject(new Error(this.describeLoss()));
    this.waiting.clear();
    if (REFUSED_CODES.includes(code)) return this.listener.onConnection("refused");
    this.listener.onConnection("lost");
    this.timer = setTimeout(() => this.connect(), this.delay);
    this.delay = Math.min(MAX_DELAY_MS, this.delay * 1.6);
  }
}

/** Resolve or reject the command that a reply belongs to. */
export function settle(waiting: Map<number, { resolve(): void; reject(error: Error): void }>, { id, error }: Reply): void {
  const command = waiting.get(id);
  waiting.delete(id);
  if (error) command?.reject(new Error(String(error)));
  else command?.resolve();
}
