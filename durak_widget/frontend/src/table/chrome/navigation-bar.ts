/** The bar below the table: undo, redo and the menu, and navigation in a game that is over or looked back at. */

import { button, hasChanged, make, setAttributes, setText, updateTabStop } from "../../widgets/dom";
import { isLookingBack } from "../../widgets/protocol/scene";
import type { TableContext } from "../../widgets/table-context";
import type { Command } from "../intents/actions";
import { CommandMenu } from "./command-menu";
import { drawIcon } from "./icons";

/** The pause of autoplay at each moment, in ms. */
const AUTOPLAY_MS = 900;

const BAR_COMMANDS = ["first", "previous", "next", "last", "play", "undo", "redo", "new"] as const satisfies Command[];
type BarCommand = (typeof BAR_COMMANDS)[number];

export class NavigationBar {
  readonly element = make("div", "dk-navigation", { role: "toolbar", "data-roving": true });
  readonly slider = make("input", "dk-replay-slider", { type: "range", min: 0, step: 1 });
  private readonly menu: CommandMenu;
  /** The buttons that go through the game. Its space is reserved while it is hidden. */
  private readonly replay: HTMLElement;
  private readonly positionElement = make("span", "dk-replay-position");
  private readonly buttons: Readonly<Record<BarCommand, HTMLButtonElement>>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The slider is being dragged. */
  isDragging = false;
  /** The moves of the game that the user looked back at, as a key. Until the next move, the replay buttons stay. */
  private replayedKey = "";

  constructor(
    private readonly context: TableContext,
    run: (name: Command) => void,
    signal: AbortSignal,
  ) {
    this.menu = new CommandMenu(context, run, signal);
    const makeButton = (name: BarCommand): HTMLButtonElement => {
      const element = button(name === "new" ? "" : "dk-icon-button", "", { "data-bar": name });
      if (name !== "new") element.innerHTML = drawIcon(name);
      element.addEventListener("click", () => run(name));
      return element;
    };
    this.buttons = Object.fromEntries(BAR_COMMANDS.map((name) => [name, makeButton(name)])) as typeof this.buttons;
    const { first, previous, next, last, play, undo, redo, new: restart } = this.buttons;
    this.replay = make("div", "dk-replay", {}, first, previous, this.slider, next, last, play, this.positionElement);
    this.element.append(this.replay, restart, undo, redo, this.menu.button, this.menu.element);
    this.slider.addEventListener("input", () => {
      this.stop();
      this.isDragging = true;
      context.send({ kind: "goto", to_ply: this.slider.valueAsNumber });
    });
    this.slider.addEventListener("change", () => {
      this.isDragging = false;
      this.paint();
      if (context.scene.ply === this.slider.valueAsNumber) context.announce(context.scene.call_to_action[1]);
    });
    signal.addEventListener("abort", () => this.stop());
  }

  paint(): void {
    const { scene, words, root } = this.context;
    if (hasChanged(this.element, words.language, this.isPlaying)) this.updateLabels();
    setAttributes(this.slider, {
      max: scene.last_ply,
      "aria-label": words.say("move"),
      "aria-valuetext": words.say("move_of", { ply: scene.ply, last: scene.last_ply }),
    });
    if (!this.isDragging) this.slider.value = String(scene.ply);
    setText(this.positionElement, words.say("where", { bout: scene.bout, ply: scene.ply, last: scene.last_ply }));
    const { first, previous, next, last, undo, redo, new: restart } = this.buttons;
    for (const element of [first, previous]) setAttributes(element, { "aria-disabled": scene.ply ? undefined : "true" });
    for (const element of [next, last]) setAttributes(element, { "aria-disabled": scene.ply < scene.last_ply ? undefined : "true" });
    const { size, low } = root.dataset;
    const isLow = low !== undefined;
    const gameKey = `${scene.game} ${scene.last_ply}`;
    if (isLookingBack(scene)) this.replayedKey = gameKey;
    const offersReplay = !scene.is_single_move && (scene.result !== undefined || this.replayedKey === gameKey || this.isDragging);
    setAttributes(this.replay, { hidden: !offersReplay });
    setAttributes(root, { "data-history": offersReplay });
    for (const element of [first, last]) setAttributes(element, { hidden: isLow || size === "phone" }); // There the slider goes to the ends.
    setAttributes(undo, { hidden: isLow || scene.is_single_move || !scene.can.undo }); // On a low table they are in the menu.
    setAttributes(redo, { hidden: isLow || scene.is_single_move || !scene.can.redo });
    setAttributes(restart, { hidden: isLow || !scene.task || scene.is_single_move || !scene.last_ply || scene.verdict !== undefined });
    this.menu.paint();
    updateTabStop(this.element);
    if (this.isPlaying) this.scheduleStep();
  }

  private updateLabels(): void {
    const { words } = this.context;
    setAttributes(this.element, { "aria-label": words.say("history") });
    for (const name of BAR_COMMANDS) {
      const label = words.say(name === "play" && this.isPlaying ? "pause" : name === "new" ? "again" : name);
      if (name === "new") setText(this.buttons.new, label);
      else setAttributes(this.buttons[name], { "aria-label": label, title: label });
    }
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
    this.buttons.play.innerHTML = drawIcon(this.isPlaying ? "pause" : "play");
    this.updateLabels();
  }
}
