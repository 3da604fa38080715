/** The commands that are not moves: going through the game, panels, another game, another player. And the parts of a table that they use. */

import { type Draft, isBare } from "../widgets/protocol/scene";
import type { Key } from "../widgets/protocol/words";
import type { Middle } from "../widgets/table-center";
import type { Shared } from "../widgets/table-context";
import type { Marks } from "./chrome/annotations";
import type { Talk } from "./chrome/announcements";
import type { Room } from "./chrome/fullscreen";
import type { Bar } from "./chrome/navigation-bar";
import type { Panels } from "./chrome/side-panel";
import { type ActionName, ALOUD, type Command, type Hooks, type Settings, STEPS, WISHES } from "./intents/actions";
import type { Play, Waiting } from "./intents/card-play";
import type { Motion } from "./view/card-animation";
import type { Ask } from "./view/choice-dialog";
import type { Hand } from "./view/hand";

const among = <T extends string>(names: readonly T[], name: string): name is T => (names as readonly string[]).includes(name);

/** As much of a table as commands reach. */
interface Reach extends Shared {
  readonly ask: Ask;
  readonly panels: Panels;
  readonly room: Room;
  readonly marks: Marks;
  readonly play: Play;
  readonly waits: Waiting;
  readonly talk: Talk;
}

/** Runs the commands of the bar, the keys and the panels. */
export class Commands implements Hooks {
  /** The settings; before all hands are opened, it is said what that means. */
  readonly settings: Settings;

  constructor(
    private readonly table: Reach,
    private readonly more: { readonly bar: Bar; readonly settings: Settings; bots(): readonly string[] },
  ) {
    this.settings = { ...more.settings, set: (name, value) => void this.choose(name, value) };
  }

  bots(): readonly string[] {
    return this.more.bots();
  }

  run(name: Command): void {
    const { scene, words, look, panels, room, marks } = this.table;
    const { bar } = this.more;
    if (among(STEPS, name)) {
      const to = { first: 0, previous: scene.ply - 1, next: scene.ply + 1, last: scene.last }[name];
      bar.stop();
      if (to >= 0 && to <= scene.last && to !== scene.ply) this.table.send({ kind: "goto", to });
      else this.table.announce(words.say(scene.ply === 0 && to <= 0 ? "no_previous" : "no_next"));
    } else if (among(WISHES, name)) {
      bar.stop();
      if (scene.can[name]) this.table.send({ kind: name });
      else this.table.announce(words.say(`no_${name}`));
    } else if (name === "play") bar.autoplay();
    else if (among(ALOUD, name)) this.table.send({ kind: name });
    else if (name === "new") void this.fresh();
    else if (name === "full") void room.toggle();
    else if (name === "turn") this.table.send({ kind: name });
    else if (name === "mark") marks.mark();
    else if (name === "seen" && !look.memory) this.table.announce(words.say("no_memory"));
    else panels.toggle(name);
  }

  /** A button beside the call was pressed. */
  press(name: ActionName): void {
    const { scene, play, waits, talk } = this.table;
    switch (name) {
      case "meet":
        return this.table.send({ kind: "meet", who: scene.over?.meet ?? "" });
      case "here":
      case "start":
      case "stop":
      case "step":
      case "home":
      case "next":
      case "hint":
      case "end":
        return this.table.send({ kind: name });
      case "regret":
        return this.run("undo");
      case "full":
        return void this.table.room.toggle();
      case "unhide":
        return this.more.settings.set("hands", "own");
      case "turned":
        return this.run(name);
      case "replay":
        return this.more.bar.autoplay();
      case "done":
        return waits.finish();
      case "attack":
        return void play.attack();
      case "cancel":
        return void this.takeBack();
      case "back":
        return this.table.send({ kind: "goto", to: scene.last });
      case "branch":
        return void this.branch();
      default:
        if (isBare(name)) return void play.move(name);
        return void (play.mode === name ? this.takeBack() : play.way(name, talk.element));
    }
  }

  /** What was picked is put back, and that is said with what is to be done now; whether there was anything. */
  takeBack(): boolean {
    const { scene, words, play } = this.table;
    const any = play.cancel();
    if (any) this.table.announce(`${words.say("taken_back")} ${scene.call[1]}`);
    return any;
  }

  /** Play on from a moment that is looked back at. */
  async branch(): Promise<void> {
    const { scene, words } = this.table;
    if (await this.sure(words.count("branch.ask", scene.last - scene.ply), words.say("branch.yes"))) this.table.send({ kind: "branch" });
  }

  /** Who shall play a seat from now on. */
  replace(seat: number): void {
    this.table.panels.with(({ replace }) => replace(this.table, seat));
  }

  /** Play something else: a new match; whether that was wanted. */
  async deal(draft: Draft): Promise<boolean> {
    if (!(await this.mayGo("new.ask", "new.yes"))) return false;
    const { root } = this.table;
    this.table.send({ kind: "deal", draft });
    if (root.dataset.wide === undefined) this.table.panels.close(); // it stands on the way to the table
    return true;
  }

  read(text: string): void {
    this.table.send({ kind: "read", text });
  }

  /** Lay a game that was pasted in place of this one. */
  async lay(text: string): Promise<void> {
    if (await this.mayGo("paste.ask", "paste.lay")) this.table.send({ kind: "paste", text });
  }

  private async choose(name: string, value: unknown): Promise<void> {
    const { words } = this.table;
    const opens = name === "hands" && value === "open";
    if (opens && !(await this.sure(words.say("open.ask"), words.say("open.yes"), "game"))) this.table.panels.again();
    else this.more.settings.set(name, value);
  }

  private async fresh(): Promise<void> {
    const { scene } = this.table;
    if (scene.over && scene.ply === scene.last) return this.table.send({ kind: "next" });
    if (await this.mayGo("new.ask", "new.yes")) this.table.send({ kind: "new" });
  }

  /** Whether the game may be put away: one that is under way is asked about. */
  private async mayGo(question: Key, yes: Key): Promise<boolean | undefined> {
    const { scene, words } = this.table;
    const free = scene.task || scene.last === 0 || (scene.over && scene.ply === scene.last);
    return free || this.sure(words.say(question), words.say(yes), "game");
  }

  private async sure(question: string, yes: string, about: "move" | "game" = "move"): Promise<boolean | undefined> {
    const no = { words: this.table.words.say("cancel"), value: false };
    return this.table.ask.question(question, [{ words: yes, value: true, primary: true }, no], undefined, about);
  }
}

export interface Parts extends Shared {
  readonly air: HTMLElement;
  readonly hand: Hand;
  readonly middle: Middle;
  readonly motion: Motion;
  readonly talk: Talk;
  readonly ask: Ask;
  readonly play: Play;
  readonly waits: Waiting;
  readonly room: Room;
  readonly marks: Marks;
  readonly panels: Panels;
  readonly commands: Commands;
  /** Paint what depends on what is picked. */
  paintChoice(): void;
}
