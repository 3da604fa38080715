/** The commands that are not moves: navigation, panels, new games, other players. Also the parts of a table that they use. */

import { type Draft, isBare } from "../widgets/protocol/scene";
import type { Key } from "../widgets/protocol/words";
import type { TableCenter } from "../widgets/table-center";
import type { TableContext } from "../widgets/table-context";
import type { Callout } from "./chrome/announcements";
import type { ScreenSpace } from "./chrome/fullscreen";
import type { LazyBundle } from "./chrome/lazy-bundle";
import type { NavigationBar } from "./chrome/navigation-bar";
import type { Panels } from "./chrome/side-panel";
import type * as Extras from "./extras/index";
import {
  type ActionName,
  type Command,
  HISTORY_COMMANDS,
  type PanelHooks,
  REQUEST_COMMANDS,
  type Settings,
  SPOKEN_COMMANDS,
} from "./intents/actions";
import type { CardPlay, Premoves } from "./intents/card-play";
import type { Annotations } from "./panels/annotations";
import type { Motion } from "./view/card-animation";
import type { DialogLoader } from "./view/dialog-loader";
import type { Hand } from "./view/hand";

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T => (names as readonly string[]).includes(name);

/** The messages of commands and buttons that have another name. Names of commands are keys of words. */
const MESSAGE_KINDS = {
  say: "describe_table",
  holding: "describe_hand",
  lately: "describe_last_moves",
  piles: "describe_piles",
  here: "uncover_hand",
  home: "reset_view",
  next: "next_game",
  end: "play_to_end",
} as const;

/** The parts of a table that commands use. */
interface CommandContext extends TableContext {
  readonly extras: LazyBundle<typeof Extras>;
  readonly dialog: DialogLoader;
  readonly panels: Panels;
  readonly screenSpace: ScreenSpace;
  /** Run `callback` with the annotations. Their code is loaded when the first is drawn. */
  withAnnotations(callback: (annotations: Annotations) => void): void;
  readonly cardPlay: CardPlay;
  readonly premoves: Premoves;
  readonly callout: Callout;
}

/** Runs the commands of the bar, the keys and the panels. */
export class Commands implements PanelHooks {
  /** The settings. Opening all hands asks for confirmation first. */
  readonly settings: Settings;

  constructor(
    private readonly table: CommandContext,
    private readonly options: { readonly bar: NavigationBar; readonly settings: Settings; bots(): readonly string[] },
  ) {
    this.settings = { ...options.settings, set: (name, value) => void this.changeSetting(name, value) };
  }

  bots(): readonly string[] {
    return this.options.bots();
  }

  run(name: Command): void {
    const { scene, words, look, panels, screenSpace } = this.table;
    const { bar } = this.options;
    if (isOneOf(HISTORY_COMMANDS, name)) {
      const target = { first: 0, previous: scene.ply - 1, next: scene.ply + 1, last: scene.last_ply }[name];
      bar.stop();
      if (target >= 0 && target <= scene.last_ply && target !== scene.ply) this.table.send({ kind: "goto", to_ply: target });
      else this.table.announce(words.say(scene.ply === 0 && target <= 0 ? "no_previous" : "no_next"));
    } else if (isOneOf(REQUEST_COMMANDS, name)) {
      bar.stop();
      if (scene.can[name]) this.table.send({ kind: name });
      else this.table.announce(words.say(`no_${name}`));
    } else if (name === "play") bar.autoplay();
    else if (isOneOf(SPOKEN_COMMANDS, name)) this.table.send({ kind: MESSAGE_KINDS[name] });
    else if (name === "new") void this.startNewGame();
    else if (name === "full") void screenSpace.toggle();
    else if (name === "turn") this.table.send({ kind: "rotate_view" });
    else if (name === "mark") this.table.withAnnotations((annotations) => annotations.toggleMode());
    else if (name === "seen" && !look.memory) this.table.announce(words.say("no_memory"));
    else panels.toggle(name);
  }

  withExtras(callback: (extras: typeof Extras) => void): void {
    this.table.extras.use(callback);
  }

  /** Handle a button beside the call to action. */
  press(name: ActionName): void {
    const { scene, cardPlay, premoves, callout } = this.table;
    switch (name) {
      case "meet":
        return this.table.send({ kind: "play_opponent", player: scene.result?.next_opponent ?? "" });
      case "here":
      case "home":
      case "next":
      case "end":
        return this.table.send({ kind: MESSAGE_KINDS[name] });
      case "start":
      case "stop":
      case "step":
      case "hint":
        return this.table.send({ kind: name });
      case "regret":
        return this.run("undo");
      case "unhide":
        return this.options.settings.set("hands", "own");
      case "turned":
        return this.run(name);
      case "replay":
        return this.options.bar.autoplay();
      case "done":
        return premoves.toggleDone();
      case "attack":
        return void cardPlay.attackWithPicked();
      case "cancel":
        return void this.takeBack();
      case "back":
        return this.table.send({ kind: "goto", to_ply: scene.last_ply });
      case "branch":
        return void this.branch();
      default:
        if (isBare(name)) return void cardPlay.sendMove(name);
        return void (cardPlay.mode === name ? this.takeBack() : cardPlay.chooseMode(name, callout.element));
    }
  }

  /** Take back the selection and announce it. Return whether there was any. */
  takeBack(): boolean {
    const { scene, words, cardPlay } = this.table;
    const hadSelection = cardPlay.cancel();
    if (hadSelection) this.table.announce(`${words.say("taken_back")} ${scene.call_to_action[1]}`);
    return hadSelection;
  }

  /** Continue the game from the earlier moment that is shown. */
  async branch(): Promise<void> {
    const { scene, words } = this.table;
    if (await this.confirm(words.sayCount("branch.ask", scene.last_ply - scene.ply), words.say("branch.yes")))
      this.table.send({ kind: "drop_undone_moves" });
  }

  /** Choose who plays a seat from now on. */
  replacePlayer(seat: number): void {
    this.table.panels.withBundle(({ openSeatSettings }) => openSeatSettings(this.table, seat));
  }

  /** Start another match. Return whether the user confirmed it. */
  async deal(draft: Draft): Promise<boolean> {
    if (!(await this.confirmLeaving("new.ask", "new.yes"))) return false;
    this.table.send({ kind: "deal", draft });
    return true;
  }

  checkPaste(text: string): void {
    this.table.send({ kind: "check_text", text });
  }

  /** Open a pasted position in place of this game. */
  async loadPosition(text: string): Promise<void> {
    if (await this.confirmLeaving("paste.ask", "paste.lay")) this.table.send({ kind: "open_text", text });
  }

  private async changeSetting(name: string, value: unknown): Promise<void> {
    const { words } = this.table;
    const opensHands = name === "hands" && value === "open";
    if (opensHands && !(await this.confirm(words.say("open.ask"), words.say("open.yes"), "game"))) this.table.panels.repaint();
    else this.options.settings.set(name, value);
  }

  private async startNewGame(): Promise<void> {
    const { scene } = this.table;
    if (scene.result && scene.ply === scene.last_ply) return this.table.send({ kind: "next_game" });
    if (await this.confirmLeaving("new.ask", "new.yes")) this.table.send({ kind: "new_game" });
  }

  /** Return whether the game can be left. A game in progress needs confirmation. */
  private async confirmLeaving(question: Key, yesKey: Key): Promise<boolean | undefined> {
    const { scene, words } = this.table;
    const isFree = scene.task || scene.last_ply === 0 || (scene.result && scene.ply === scene.last_ply);
    return isFree || this.confirm(words.say(question), words.say(yesKey), "game");
  }

  private async confirm(question: string, yesLabel: string, about: "move" | "game" = "move"): Promise<boolean | undefined> {
    const noAnswer = { words: this.table.words.say("cancel"), value: false };
    return this.table.dialog.ask(question, [{ words: yesLabel, value: true, primary: true }, noAnswer], undefined, about);
  }
}

export interface TableParts extends TableContext {
  readonly overlay: HTMLElement;
  readonly hand: Hand;
  readonly center: TableCenter;
  readonly motion: Motion;
  readonly callout: Callout;
  readonly dialog: DialogLoader;
  readonly cardPlay: CardPlay;
  readonly premoves: Premoves;
  readonly screenSpace: ScreenSpace;
  readonly annotations: Annotations | undefined;
  withAnnotations(callback: (annotations: Annotations) => void): void;
  readonly panels: Panels;
  readonly extras: LazyBundle<typeof Extras>;
  readonly commands: Commands;
  /** Paint what depends on the selection. */
  paintChoice(): void;
}
