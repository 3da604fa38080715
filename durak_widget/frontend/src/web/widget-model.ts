/** The page's half of a widget, as a notebook gives it to our bundles: what Python tells, what is changed here, messages both ways. */

type Listener = (...given: never[]) => void;
export type State = Readonly<Record<string, unknown>>;

/** What a widget says to Python. */
export type Meant =
  | { readonly kind: "update"; readonly state: State }
  | { readonly kind: "custom"; readonly content: unknown; readonly buffers?: readonly (ArrayBuffer | ArrayBufferView)[] };

export class Model {
  private state: State;
  private changed: Record<string, unknown> = {};
  private readonly heard = new Map<string, Set<Listener>>();

  constructor(
    state: State,
    private readonly tell: (meant: Meant) => void,
  ) {
    this.state = { ...state };
  }

  get(name: string): unknown {
    return this.state[name];
  }

  /** Change something here; Python hears of it with `save_changes`. */
  set(name: string, value: unknown): void {
    if (same(this.state[name], value)) return;
    this.changed[name] = value;
    this.take({ [name]: value });
  }

  save_changes(): void {
    const { changed } = this;
    this.changed = {};
    if (Object.keys(changed).length) this.tell({ kind: "update", state: changed });
  }

  send(content: unknown, _callbacks?: unknown, buffers: readonly (ArrayBuffer | ArrayBufferView)[] = []): void {
    this.tell({ kind: "custom", content, ...(buffers.length && { buffers }) });
  }

  on(event: string, run: Listener): void {
    const listeners = this.heard.get(event) ?? new Set();
    this.heard.set(event, listeners.add(run));
  }

  off(event: string, run?: Listener): void {
    if (run) this.heard.get(event)?.delete(run);
    else this.heard.delete(event);
  }

  /** Python tells how it stands: all of it is there before anybody hears of any of it. */
  take(state: State): void {
    const news = Object.keys(state).filter((name) => !same(this.state[name], state[name]));
    this.state = { ...this.state, ...state };
    for (const name of news) this.fire(`change:${name}`, this, this.state[name]);
    if (news.length) this.fire("change", this);
  }

  /** Python has sent a message. */
  hear(content: unknown, buffers: readonly DataView[] = []): void {
    this.fire("msg:custom", content, buffers);
  }

  private fire(event: string, ...given: unknown[]): void {
    for (const run of [...(this.heard.get(event) ?? [])]) (run as (...some: unknown[]) => void)(...given);
  }
}

const same = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);
