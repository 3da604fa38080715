/** The drawers of the table: one is open at a time. What is in them is loaded when the first is opened. */

import { button, focused, make, set } from "../../widgets/dom";
import type { Message } from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";
import type { Hooks, Panel } from "../intents/actions";
import type * as Bundle from "../panels/index";

export class Panels {
  readonly element = make("div", "dk-panel", { hidden: true });
  open: Panel | undefined;
  private from: HTMLElement | null = null;
  /** It was opened by somebody, and nothing has been heard yet. */
  private come = false;
  /** What was painted last, as text. */
  private painted = "";
  /** The settings that were painted last, as text. */
  private values = "";
  private inside: Bundle.Drawers | undefined;
  private bundle: typeof Bundle | undefined;
  /** What is done with the bundle once it has come. */
  private readonly later: ((bundle: typeof Bundle) => void)[] = [];

  constructor(
    private readonly shared: Shared,
    private readonly hooks: () => Hooks,
    /** A panel was opened or closed: there is another room for the felt. */
    private readonly changed: () => void,
  ) {}

  toggle(panel: Panel): void {
    if (this.open === panel) return this.close();
    this.from ??= focused(this.shared.root);
    this.show(panel);
    this.lead();
    this.come = true;
    this.seek();
  }

  /** To the first thing in it. */
  private lead(): void {
    this.element.querySelector<HTMLElement>("button,select,input")?.focus();
  }

  /** Who has opened it sees it, as soon as there is something to see. */
  private seek(): void {
    if (this.come) this.element.scrollIntoView({ block: "nearest" });
  }

  /** Open a panel without leading anybody there. */
  show(panel: Panel): void {
    this.open = panel;
    this.painted = "";
    set(this.shared.root, { "data-panel": panel });
    this.ask();
    this.paint();
    this.changed();
  }

  /** Close what is open; where what it was opened from is gone, the focus goes to the table, but for where the table leads it on. */
  close(lead = true): void {
    if (!this.open) return;
    this.values = "";
    const inside = this.element.contains(focused(this.shared.root));
    this.open = undefined;
    set(this.shared.root, { "data-panel": undefined });
    set(this.element, { hidden: true });
    this.element.replaceChildren();
    this.changed();
    if (inside) this.from?.focus();
    if (inside && lead && !focused(this.shared.root)) this.shared.root.focus();
    this.from = null;
  }

  /** Another game lies on the table. */
  begin(): void {
    this.inside?.begin();
    if (this.open === "share") this.close();
  }

  /** Another person is there: what was told to the one before is closed and forgotten. */
  forget(): void {
    this.close(false);
    this.inside?.forget();
  }

  /** A new scene: what is shown may be out of date. */
  ask(): void {
    if (!this.open) return;
    if (this.inside) this.inside.ask(this.open);
    else this.shared.send({ kind: "drawers" });
  }

  /** Python is gone, which is said where nothing else can be; or there again, and is asked anew. */
  live(alive: boolean): void {
    if (alive) this.ask();
    this.paint();
  }

  hear(message: Message): void {
    if (message.kind === "drawers") void this.load(message);
    else if (this.inside?.hear(message)) this.again();
  }

  /** Do something with what is loaded only when it is needed: at once, or when it has come. */
  with(run: (bundle: typeof Bundle) => void): void {
    if (this.bundle) return run(this.bundle);
    if (this.later.push(run) < 2) this.shared.send({ kind: "drawers" });
  }

  /** What drawers are made of has come. */
  private async load(told: Extract<Message, { kind: "drawers" }>): Promise<void> {
    if (this.inside) return;
    const url = "url" in told ? told.url : URL.createObjectURL(new Blob([told.code], { type: "text/javascript" }));
    const bundle = (await import(url)) as typeof Bundle;
    if ("code" in told) URL.revokeObjectURL(url);
    if (this.inside) return; // it was told twice
    this.bundle = bundle;
    this.inside = new bundle.Drawers(this.shared, this.hooks());
    for (const run of this.later.splice(0)) run(this.bundle);
    if (!this.open) return;
    this.ask();
    this.again(true);
  }

  /** Paint what is open anew. */
  again(lead = false): void {
    this.painted = "";
    this.paint();
    if (lead && this.come) this.lead();
    this.seek();
    this.come &&= lead;
  }

  paint(): void {
    if (!this.open) return;
    const { words, scene } = this.shared;
    const { settings } = this.hooks();
    const values = settings.all().map(({ name }) => settings.get(name));
    const gone = !this.inside && this.shared.root.dataset.dead !== undefined;
    const before = this.values;
    this.values = String(values);
    if (this.open === "share" && before && before !== this.values) this.ask(); // with other hands open there is more to take away, or less
    const seen = this.open === "rules" ? [] : [values, scene.ply, scene.seats.map(({ who, next = who }) => next)]; // a list that is open would close
    const state = JSON.stringify([this.open, words.language, gone, seen]);
    if (state === this.painted) return;
    this.painted = state;
    const had = focused(this.element)?.dataset.key;
    const scroll = this.element.scrollTop;
    const close = button("dk-icon dk-close", "×", { "aria-label": words.say("close"), "data-key": "close" });
    close.addEventListener("click", () => this.close());
    const title = words.say(this.open);
    set(this.element, { hidden: false, "aria-label": title, role: "dialog", tabindex: -1, "aria-busy": !this.inside && !gone && "true" });
    const inside = this.inside ? [this.inside.style, ...this.inside.nodes(this.open)] : [make("p", "", {}, gone ? words.say("gone") : "")];
    this.element.replaceChildren(make("h2", "", {}, title), close, ...inside);
    this.element.scrollTop = scroll;
    if (had) this.element.querySelector<HTMLElement>(`[data-key="${had}"]`)?.focus();
    if (this.open === "list") this.element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }
}
