/** The bar below the table: navigation in the game, and buttons for the panels. */

import { button, hasChanged, make, setAttributes, setText, updateTabStop } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";
import type { Command, SpokenCommand } from "../intents/actions";

/** Commands of keys, menus and other buttons. The bar has no icon for them. */
type CommandWithoutIcon = SpokenCommand | "hint" | "rules" | "turned" | "turn" | "mark";
const ICONS: Readonly<Record<Exclude<Command, CommandWithoutIcon> | "pause", string>> = {
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
  how_to_play: "M2 3h4l2 2 2-2h4v9h-4l-2 2-2-2H2zM8 5v9",
  help: "M5.5 6a2.5 2.5 0 1 1 3.5 2.300Q8 8.8 8 10M8 12.8v.2",
};

/** The pause of autoplay at each moment, in ms. */
const AUTOPLAY_MS = 900;

export class NavigationBar {
  readonly element = make("div", "dk-navigation", { role: "toolbar", "data-roving": true });
  readonly slider = make("input", "dk-replay-slider", { type: "range", min: 0, step: 1 });
  private readonly positionElement = make("span", "dk-replay-position");
  private readonly buttons = new Map<Command, HTMLButtonElement>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The slider is being dragged. */
  isDragging = false;

  constructor(
    private readonly context: TableContext,
    run: (name: Command) => void,
    signal: AbortSignal,
  ) {
    const icon = (name: Exclude<Command, "new" | CommandWithoutIcon>): HTMLButtonElement => {
      const element = button("dk-icon-button", "", { "data-bar": name });
      element.innerHTML = drawIcon(name);
      element.addEventListener("click", () => run(name));
      this.buttons.set(name, element);
      return element;
    };
    const replay = make("div", "dk-replay", {}, icon("first"), icon("previous"), this.slider, icon("next"), icon("last"), icon("play"));
    const newButton = button("dk-new-game", "", { "data-bar": "new" });
    newButton.innerHTML = `${drawIcon("new")}<span></span>`;
    const panelButtons = make(
      "div",
      "dk-panel-buttons",
      {},
      icon("undo"),
      icon("redo"),
      newButton,
      icon("list"),
      icon("seen"),
      icon("share"),
      icon("full"),
      icon("settings"),
      icon("how_to_play"),
      icon("help"),
    );
    newButton.addEventListener("click", () => run("new"));
    this.buttons.set("new", newButton);
    this.element.append(replay, this.positionElement, panelButtons);
    this.slider.addEventListener("input", () => {
      this.stop();
      this.isDragging = true;
      context.send({ kind: "goto", to_ply: this.slider.valueAsNumber });
    });
    this.slider.addEventListener("change", () => {
      this.isDragging = false;
      if (context.scene.ply === this.slider.valueAsNumber) context.announce(context.scene.call_to_action[1]);
    });
    signal.addEventListener("abort", () => this.stop());
  }

  paint(): void {
    const { scene, words, look } = this.context;
    if (hasChanged(this.element, words.language, this.isPlaying, scene.task, this.isFull)) this.updateLabels();
    setAttributes(this.slider, {
      max: scene.last_ply,
      "aria-label": words.say("move"),
      "aria-valuetext": words.say("move_of", { ply: scene.ply, last: scene.last_ply }),
    });
    if (!this.isDragging) this.slider.value = String(scene.ply);
    setText(this.positionElement, words.say("where", { bout: scene.bout, ply: scene.ply, last: scene.last_ply }));
    const stepsAllowed = {
      first: scene.ply > 0,
      previous: scene.ply > 0,
      next: scene.ply < scene.last_ply,
      last: scene.ply < scene.last_ply,
    };
    const allowed = { ...stepsAllowed, play: scene.last_ply > 0, undo: scene.can.undo, redo: scene.can.redo, seen: look.memory };
    for (const [name, isAllowed] of Object.entries(allowed))
      setAttributes(this.buttons.get(name as keyof typeof allowed) as Element, { "aria-disabled": isAllowed ? undefined : "true" });
    setAttributes(this.buttons.get("seen") as Element, { hidden: !look.memory });
    for (const name of ["first", "previous", "play", "next", "last", "undo", "redo"] as const)
      setAttributes(this.buttons.get(name) as Element, { hidden: scene.is_single_move });
    setAttributes(this.buttons.get("new") as Element, { hidden: scene.is_single_move || scene.verdict !== undefined });
    setAttributes(this.buttons.get("help") as Element, { hidden: matchMedia("(pointer: coarse)").matches }); // A touch screen has no keys.
    updateTabStop(this.element);
    if (this.isPlaying) this.scheduleStep();
  }

  private updateLabels(): void {
    const { scene, words } = this.context;
    setAttributes(this.element, { "aria-label": words.say("history") });
    for (const [name, element] of this.buttons) {
      const label = words.say(
        name === "play" && this.isPlaying
          ? "pause"
          : name === "new" && scene.task
            ? "again"
            : name === "full" && this.isFull
              ? "full.leave"
              : name,
      );
      if (name === "new") setText(element.lastElementChild as Element, label);
      setAttributes(element, { "aria-label": label, title: label });
    }
  }

  private get isFull(): boolean {
    return this.context.root.dataset.full !== undefined;
  }

  /** Return whether autoplay is running. */
  get isPlaying(): boolean {
    return this.timer !== undefined;
  }

  /** Start autoplay, from the beginning if the game is at its end. Or stop it. */
  autoplay(): void {
    const { scene } = this.context;
    if (this.isPlaying) this.stop();
    else {
      if (scene.ply === scene.last_ply) this.context.send({ kind: "goto", to_ply: 0 });
      this.scheduleStep();
    }
    this.paintPlayButton();
  }

  stop(): void {
    if (!this.isPlaying) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.paintPlayButton();
  }

  private scheduleStep(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { scene } = this.context;
      if (scene.ply < scene.last_ply) this.context.send({ kind: "goto", to_ply: scene.ply + 1 });
      else this.stop();
    }, AUTOPLAY_MS);
  }

  private paintPlayButton(): void {
    (this.buttons.get("play") as HTMLElement).innerHTML = drawIcon(this.isPlaying ? "pause" : "play");
    this.updateLabels();
  }
}

const drawIcon = (name: keyof typeof ICONS): string => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
