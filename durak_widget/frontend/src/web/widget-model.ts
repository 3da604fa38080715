/** A widget on the page: its model, as in anywidget, and its start from a snapshot. */

import type { PythonMessage } from "./message-channel";
import { fetchStored } from "./startup-state";

/** An id below all others: a stored scene is always older than what Python sends. */
const OLD_SCENE_ID = -1;

type Listener = (...args: never[]) => void;
export type State = Readonly<Record<string, unknown>>;

/** A message from a widget to Python. */
export type WidgetMessage =
  | { readonly kind: "update"; readonly state: State }
  | { readonly kind: "custom"; readonly content: unknown; readonly buffers?: readonly (ArrayBuffer | ArrayBufferView)[] };

/** A model, as anywidget gives it to a widget. */
export class Model {
  private state: State;
  private changes: Record<string, unknown> = {};
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor(
    state: State,
    private readonly onMessage: (message: WidgetMessage) => void,
  ) {
    this.state = { ...state };
  }

  get(name: string): unknown {
    return this.state[name];
  }

  /** Change a trait here. `save_changes` sends it to Python. */
  set(name: string, value: unknown): void {
    if (isSame(this.state[name], value)) return;
    this.changes[name] = value;
    this.setState({ [name]: value });
  }

  save_changes(): void {
    const { changes } = this;
    this.changes = {};
    if (Object.keys(changes).length) this.onMessage({ kind: "update", state: changes });
  }

  send(content: unknown, _callbacks?: unknown, buffers: readonly (ArrayBuffer | ArrayBufferView)[] = []): void {
    this.onMessage({ kind: "custom", content, ...(buffers.length && { buffers }) });
  }

  on(event: string, listener: Listener): void {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners.add(listener));
  }

  off(event: string, listener?: Listener): void {
    if (listener) this.listeners.get(event)?.delete(listener);
    else this.listeners.delete(event);
  }

  /** Set the state from Python. Handlers run after all of it is set. */
  setState(state: State): void {
    const changedNames = Object.keys(state).filter((name) => !isSame(this.state[name], state[name]));
    this.state = { ...this.state, ...state };
    for (const name of changedNames) this.emit(`change:${name}`, this, this.state[name]);
    if (changedNames.length) this.emit("change", this);
  }

  /** Handle a message from Python. */
  handleMessage(content: unknown, buffers: readonly DataView[] = []): void {
    this.emit("msg:custom", content, buffers);
  }

  private emit(event: string, ...args: unknown[]): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) (listener as (...values: unknown[]) => void)(...args);
  }
}

const isSame = (first: unknown, second: unknown): boolean => first === second || JSON.stringify(first) === JSON.stringify(second);

/** The exports of a bundle. */
export interface WidgetBundle {
  readonly default: { render(given: { model: Model; el: HTMLElement }): () => void };
}

/** A widget on the page, first from a snapshot, then live. */
export class WidgetSlot {
  model: Model | undefined;
  private id: string | undefined;
  private game: unknown;
  private readonly queue: WidgetMessage[] = [];
  private stop = (): void => {};
  private markPainted = (): void => {};
  /** Resolved when the first widget is painted. */
  private readonly painted = new Promise<void>((resolve) => {
    this.markPainted = resolve;
  });

  constructor(
    private readonly container: HTMLElement,
    private readonly bundle: Promise<WidgetBundle>,
    /** Sends a message to Python. */
    private readonly sendToPython: (message: PythonMessage) => void,
    /** Called when the widget is used before Python is ready. */
    private readonly onEarlyUse: () => void,
  ) {}

  /** Paint a snapshot, if nothing is painted yet. */
  async paint(state: State): Promise<void> {
    if (!this.model) await this.render(state);
  }

  /** Handle a new widget from Python. */
  async open(id: string, state: State): Promise<void> {
    const isFirst = this.model && this.id === undefined;
    this.id = id;
    this.game = getScene(state).game;
    if (isFirst) this.model?.setState(state);
    else await this.render(state);
    for (const message of this.queue.splice(0)) {
      if (message.kind === "update") this.model?.setState(message.state); // Python does not echo what it receives.
      this.handleWidgetMessage(message);
    }
  }

  handleMessage(message: PythonMessage): void {
    if (message.id !== this.id) return; // The message is for an earlier widget.
    if (message.kind === "update") this.model?.setState(message.state as State);
    else if (message.kind === "custom") this.model?.handleMessage(message.content, (message.buffers ?? []) as DataView[]);
  }

  /** Handle a message from the page, as soon as a widget is painted. */
  async show(content: unknown): Promise<void> {
    await this.painted;
    this.model?.handleMessage(content);
  }

  /** Return the current view, with the named traits, to be painted at once next time. */
  getView(names: readonly string[]): State {
    const { model } = this;
    const state = Object.fromEntries(names.map((name) => [name, model?.get(name)]));
    return { ...state, scene: { ...getScene({ scene: model?.get("scene") }), id: OLD_SCENE_ID, game: this.game } };
  }

  private async render(state: State): Promise<void> {
    const model = new Model(state, (message) => this.model === model && this.handleWidgetMessage(message));
    this.model = model;
    const { default: widget } = await this.bundle;
    if (this.model !== model) return;
    this.stop();
    const el = document.createElement("div");
    this.container.replaceChildren(el);
    this.stop = widget.render({ model, el });
    this.markPainted();
  }

  private handleWidgetMessage(message: WidgetMessage): void {
    const kind = message.kind === "custom" ? (message.content as { kind?: string }).kind : undefined;
    const file = kind === "panels" ? "./panels.js" : kind === "extras" ? "./extras.js" : undefined;
    if (file) {
      const url = new URL(file, import.meta.url).href; // The file is beside the page.
      return queueMicrotask(() => this.model?.handleMessage({ kind, url }));
    }
    const hasStoredLetters = (this.model?.get("card_letters") ?? "auto") === "auto";
    if (kind === "how_to_play" && hasStoredLetters) return void this.answerFromFile(kind).catch(() => this.forward(message, kind));
    this.forward(message, kind);
  }

  /** Send a message to Python, now or when it has started. */
  private forward(message: WidgetMessage, kind: string | undefined): void {
    if (this.id !== undefined) return this.sendToPython({ ...message, id: this.id });
    if (kind === "refresh" || kind === "start") return; // The page sends these automatically.
    this.queue.push(message);
    this.onEarlyUse();
  }

  /** Answer a message with a file that is stored for each language. */
  private async answerFromFile(name: string): Promise<void> {
    this.model?.handleMessage(await fetchStored(`${name}.${this.model.get("language")}`));
  }
}

const getScene = (state: State): Record<string, unknown> => (state.scene ?? {}) as Record<string, unknown>;
