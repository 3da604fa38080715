/** The bar below the table: going back and forth in the game, and the doors to the panels. */

import { button, changed, make, rove, set, write } from "../../widgets/dom";
import type { Shared } from "../../widgets/table-context";
import type { Aloud, Command } from "../intents/actions";

/** What a key, a menu or another button asks for: the bar has no icon of it. */
type Elsewhere = Aloud | "hint" | "rules" | "turned" | "turn" | "mark";
const ICONS: Readonly<Record<Exclude<Command, Elsewhere> | "pause", string>> = {
  first: "M4 3v10M13 3L6 8l7 5z",
  previous: "M11 3L5 8l6 5z",
  next: "M5 3l6 5-6 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  play: "M4 2.5l9 5.5-9 5.5z",
  pause: "M5 3v10M11 3v10",
  undo: "M6 3L2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h4",
  new: "M5 2.5h8v11H5zM2.5 5v6M9 5.500v5M6.5 8h5",
  list: "M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.5M2 8h.5M2 12h.5",
  seen: "M1.5 8Q8-.5 14.5 8 8 16.5 1.5 8zM8 6a2 2 0 1 0 .01 0z",
  share: "M8 10.5v-8M5 5.5l3-3 3 3M4 8H3v5.500h10V8h-1",
  full: "M2.5 6V2.500H6M10 2.500h3.500V6M13.5 10v3.500H10M6 13.500H2.500V10",
  settings: "M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 2.8v3.4M5.5 9.800v3.4",
  help: "M5.5 6a2.5 2.5 0 1 1 3.5 2.300Q8 8.8 8 10M8 12.8v.2",
};

/** How long autoplay rests on each moment, in ms. */
const REST = 900;

export class Bar {
  readonly element = make("div", "dk-bar", { role: "toolbar", "data-rove": true });
  readonly slider = make("input", "dk-slider", { type: "range", min: 0, step: 1 });
  private readonly where = make("span", "dk-where");
  private readonly buttons = new Map<Command, HTMLButtonElement>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The slider is being dragged. */
  moving = false;

  constructor(
    private readonly shared: Shared,
    run: (name: Command) => void,
    signal: AbortSignal,
  ) {
    const icon = (name: Exclude<Command, "new" | Elsewhere>): HTMLButtonElement => {
      const element = button("dk-icon", "", { "data-bar": name });
      element.innerHTML = drawn(name);
      element.addEventListener("click", () => run(name));
      this.buttons.set(name, element);
      return element;
    };
    const replay = make("div", "dk-replay", {}, icon("first"), icon("previous"), this.slider, icon("next"), icon("last"), icon("play"));
    const fresh = button("dk-new", "", { "data-bar": "new" });
    fresh.innerHTML = `${drawn("new")}<span></span>`;
    const doors = make(
      "div",
      "dk-doors",
      {},
      icon("undo"),
      icon("redo"),
      fresh,
      icon("list"),
      icon("seen"),
      icon("share"),
      icon("full"),
      icon("settings"),
      icon("help"),
    );
    fresh.addEventListener("click", () => run("new"));
    this.buttons.set("new", fresh);
    this.element.append(replay, this.where, doors);
    this.slider.addEventListener("input", () => {
      this.stop();
      this.moving = true;
      shared.send({ kind: "goto", to: this.slider.valueAsNumber });
    });
    this.slider.addEventListener("change", () => {
      this.moving = false;
      if (shared.scene.ply === this.slider.valueAsNumber) shared.announce(shared.scene.call[1]);
    });
    signal.addEventListener("abort", () => this.stop());
  }

  paint(): void {
    const { scene, words, look } = this.shared;
    if (changed(this.element, words.language, this.playing, scene.task, this.full)) this.label();
    set(this.slider, {
      max: scene.last,
      "aria-label": words.say("move"),
      "aria-valuetext": words.say("move_of", { ply: scene.ply, last: scene.last }),
    });
    if (!this.moving) this.slider.value = String(scene.ply);
    write(this.where, words.say("where", { bout: scene.bout, ply: scene.ply, last: scene.last }));
    const at = { first: scene.ply > 0, previous: scene.ply > 0, next: scene.ply < scene.last, last: scene.ply < scene.last };
    const may = { ...at, play: scene.last > 0, undo: scene.can.undo, redo: scene.can.redo, seen: look.memory };
    for (const [name, can] of Object.entries(may))
      set(this.buttons.get(name as keyof typeof may) as Element, { "aria-disabled": can ? undefined : "true" });
    set(this.buttons.get("seen") as Element, { hidden: !look.memory });
    for (const name of ["first", "previous", "play", "next", "last", "undo", "redo"] as const)
      set(this.buttons.get(name) as Element, { hidden: scene.brief });
    set(this.buttons.get("new") as Element, { hidden: scene.brief || scene.verdict !== undefined });
    rove(this.element);
    if (this.playing) this.tick();
  }

  private label(): void {
    const { scene, words } = this.shared;
    set(this.element, { "aria-label": words.say("history") });
    for (const [name, element] of this.buttons) {
      const said = words.say(
        name === "play" && this.playing
          ? "pause"
          : name === "new" && scene.task
            ? "again"
            : name === "full" && this.full
              ? "full.leave"
              : name,
      );
      if (name === "new") write(element.lastElementChild as Element, said);
      set(element, { "aria-label": said, title: said });
    }
  }

  private get full(): boolean {
    return this.shared.root.dataset.full !== undefined;
  }

  /** The game is shown move by move, by itself. */
  get playing(): boolean {
    return this.timer !== undefined;
  }

  /** Show the game move by move, from the beginning if it stands at its end; or stop. */
  autoplay(): void {
    const { scene } = this.shared;
    if (this.playing) this.stop();
    else {
      if (scene.ply === scene.last) this.shared.send({ kind: "goto", to: 0 });
      this.tick();
    }
    this.show();
  }

  stop(): void {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.show();
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { scene } = this.shared;
      if (scene.ply < scene.last) this.shared.send({ kind: "goto", to: scene.ply + 1 });
      else this.stop();
    }, REST);
  }

  private show(): void {
    (this.buttons.get("play") as HTMLElement).innerHTML = drawn(this.playing ? "pause" : "play");
    this.label();
  }
}

const drawn = (name: keyof typeof ICONS): string => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
