/** A widget on the page: its model, as anywidget would give it, and its start from a snapshot. */

import type { Said } from "./message-channel";

/** The scenes of tables that are remembered were told by such as are gone: whatever is told next is newer. */
const OLD = -1;

type Listener = (...given: never[]) => void;
export type State = Readonly<Record<string, unknown>>;

/** What a widget says to Python. */
export type Meant =
  | { readonly kind: "update"; readonly state: State }
  | { readonly kind: "custom"; readonly content: unknown; readonly buffers?: readonly (ArrayBuffer | ArrayBufferView)[] };

/** The model that anywidget would give to a widget. */
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

/** What a bundle is to a page. */
export interface Bundle {
  readonly default: { render(given: { model: Model; el: HTMLElement }): () => void };
}

/** A widget on the page, first from a snapshot, then live. */
export class Lying {
  model: Model | undefined;
  private id: string | undefined;
  private game: unknown;
  private readonly held: Meant[] = [];
  private stop = (): void => {};

  constructor(
    private readonly place: HTMLElement,
    private readonly bundle: Promise<Bundle>,
    /** Say something to Python. */
    private readonly say: (said: Said) => void,
    /** Something was pressed before Python is there. */
    private readonly early: () => void,
  ) {}

  /** Paint what will lie there. */
  async paint(state: State): Promise<void> {
    if (!this.model) await this.lay(state);
  }

  /** Python has laid one. */
  async open(id: string, state: State): Promise<void> {
    const first = this.model && this.id === undefined;
    this.id = id;
    this.game = sceneOf(state).game;
    if (first) this.model?.take(state);
    else await this.lay(state);
    for (const meant of this.held.splice(0)) {
      if (meant.kind === "update") this.model?.take(meant.state); // Python does not tell back what it is told
      this.told(meant);
    }
  }

  hear(message: Said): void {
    if (message.id !== this.id) return; // of one that is gone
    if (message.kind === "update") this.model?.take(message.state as State);
    else if (message.kind === "custom") this.model?.hear(message.content, (message.buffers ?? []) as DataView[]);
  }

  /** What is seen now, to be painted at once when the page is opened again, some of it. */
  seen(names: readonly string[]): State {
    const { model } = this;
    const state = Object.fromEntries(names.map((name) => [name, model?.get(name)]));
    return { ...state, scene: { ...sceneOf({ scene: model?.get("scene") }), id: OLD, game: this.game } };
  }

  private async lay(state: State): Promise<void> {
    const model = new Model(state, (meant) => this.model === model && this.told(meant));
    this.model = model;
    const { default: widget } = await this.bundle;
    if (this.model !== model) return;
    this.stop();
    const el = document.createElement("div");
    this.place.replaceChildren(el);
    this.stop = widget.render({ model, el });
  }

  private told(meant: Meant): void {
    const kind = meant.kind === "custom" ? (meant.content as { kind?: string }).kind : undefined;
    if (kind === "drawers") {
      const url = new URL("./drawers.js", import.meta.url).href; // it lies beside the page
      return queueMicrotask(() => this.model?.hear({ kind: "drawers", url }));
    }
    if (this.id !== undefined) return this.say({ ...meant, id: this.id });
    if (kind === "show" || kind === "start") return; // what a page says by itself
    this.held.push(meant);
    this.early();
  }
}

const sceneOf = (state: State): Record<string, unknown> => (state.scene ?? {}) as Record<string, unknown>;
