/** What the bar and the keys ask for besides moves: going through the game, the panels, another game, another player. */

import type { Ask } from "./ask";
import { type Command, STEPS, WISHES } from "./asked";
import type { Bar } from "./bar";
import type { Panels, Settings } from "./panels";
import type { Room } from "./room";
import type { Draft } from "./scene";
import type { Shared } from "./shared";

const among = <T extends string>(names: readonly T[], name: string): name is T => (names as readonly string[]).includes(name);

export class Commands {
  constructor(
    private readonly shared: Shared,
    private readonly ask: Ask,
    private readonly parts: {
      readonly bar: Bar;
      readonly panels: Panels;
      readonly room: Room;
      readonly mark: () => void;
      readonly settings: Settings;
      readonly bots: () => readonly string[];
    },
  ) {}

  run(name: Command): void {
    const { scene, words, look } = this.shared;
    const { bar, panels, room, mark } = this.parts;
    if (among(STEPS, name)) {
      const to = { first: 0, previous: scene.ply - 1, next: scene.ply + 1, last: scene.last }[name];
      bar.stop();
      if (to >= 0 && to <= scene.last && to !== scene.ply) this.shared.send({ kind: "goto", to });
    } else if (among(WISHES, name)) {
      bar.stop();
      if (scene.can[name]) this.shared.send({ kind: name });
      else this.shared.announce(words.say(`no_${name}`));
    } else if (name === "play") bar.autoplay();
    else if (name === "say") this.shared.send({ kind: "say" });
    else if (name === "new") void this.fresh();
    else if (name === "full") void room.toggle();
    else if (name === "turn") this.shared.send({ kind: name });
    else if (name === "mark") mark();
    else if (name === "seen" && !look.memory) this.shared.announce(words.say("no_memory"));
    else panels.toggle(name);
  }

  /** Play on from a moment that is looked back at. */
  async branch(): Promise<void> {
    const { scene, words } = this.shared;
    if (await this.sure(words.count("branch.ask", scene.last - scene.ply), words.say("branch.yes"))) this.shared.send({ kind: "branch" });
  }

  /** Who shall play a seat from now on. */
  async replace(seat: number, at: HTMLElement): Promise<void> {
    const { words } = this.shared;
    const bots = this.parts.bots().map((bot) => ({ words: words.say("bot.named", { bot: words.who(bot) }), value: bot }));
    const answers = [{ words: words.say("person"), value: "you" }, ...bots];
    const who = await this.ask.question(words.say("who_plays", { player: this.shared.name(seat) }), answers, at, "game");
    if (who) this.shared.send({ kind: "seat", seat, who });
  }

  /** Play something else: a new match; whether that was wanted. */
  async deal(draft: Draft): Promise<boolean> {
    if (!(await this.mayDeal())) return false;
    const { root } = this.shared;
    this.shared.send({ kind: "deal", draft });
    if (root.dataset.wide === undefined) this.parts.panels.close(); // it stands on the way to the table
    return true;
  }

  /** Lay a game that was pasted in place of this one. */
  async lay(text: string): Promise<void> {
    const { scene, words } = this.shared;
    const free = scene.last === 0 || (scene.over && scene.ply === scene.last);
    if (free || (await this.sure(words.say("paste.ask"), words.say("paste.lay"), "game"))) this.shared.send({ kind: "paste", text });
  }

  /** Change a setting; before all hands are opened, it is said what that means. */
  async choose(name: string, value: unknown): Promise<void> {
    const { words } = this.shared;
    const opens = name === "hands" && value === "open";
    if (opens && !(await this.sure(words.say("open.ask"), words.say("open.yes"), "game"))) this.parts.panels.again();
    else this.parts.settings.set(name, value);
  }

  private async fresh(): Promise<void> {
    const { scene } = this.shared;
    if (scene.over && scene.ply === scene.last) return this.shared.send({ kind: "next" });
    if (await this.mayDeal()) this.shared.send({ kind: "new" });
  }

  /** Whether a game may be put away: one that is under way is asked about. */
  private async mayDeal(): Promise<boolean | undefined> {
    const { scene, words } = this.shared;
    const free = scene.task || scene.last === 0 || (scene.over && scene.ply === scene.last);
    return free || this.sure(words.say("new.ask"), words.say("new.yes"), "game");
  }

  private async sure(question: string, yes: string, about: "move" | "game" = "move"): Promise<boolean | undefined> {
    const no = { words: this.shared.words.say("cancel"), value: false };
    return this.ask.question(question, [{ words: yes, value: true, primary: true }, no], undefined, about);
  }
}
