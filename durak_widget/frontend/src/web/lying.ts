/** A table, or a blackboard, that lies on a page: painted before Python is there, and Python's from then on; another takes its place when another link is opened. */

import type { Said } from "./message-channel";
import { type Meant, Model, type State } from "./widget-model";

/** What a bundle is to a page. */
export interface Bundle {
  readonly default: { render(given: { model: Model; el: HTMLElement }): () => void };
}

/** The scenes of tables that are remembered were told by such as are gone: whatever is told next is newer. */
const OLD = -1;

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
