/** The table: paints each scene, and turns what a person does into intents. */

import { Ask } from "./ask";
import { Bar } from "./bar";
import { focused, make, set } from "./dom";
import { dragging } from "./drag";
import { Flights } from "./flights";
import { Hand } from "./hand";
import { Middle } from "./middle";
import { Motion } from "./motion";
import { counts, face } from "./moves";
import { type Panel, Panels } from "./panels";
import { Play } from "./play";
import type { Card, Intent, Look, Message, Scene } from "./scene";
import { Seats } from "./seats";
import { tap } from "./sound";
import type { Stage } from "./stage";
import { type Action, Talk } from "./talk";
import { pageIsDark, watchTheme } from "./theme";
import type { Words } from "./words";

/** What the table needs from the notebook around it. */
export interface Host {
  scene(): Scene;
  words(): Words;
  look(): Look;
  languages(): Readonly<Record<string, string>>;
  bots(): readonly string[];
  send(intent: Intent & { ply: number; game: number }): void;
  change(look: Partial<Look>): void;
}

/** After so long without an answer, say so. */
const PATIENCE = 5000;

export class Table implements Stage {
  readonly root: HTMLElement;
  private readonly air = make("div", "dk-air", { "aria-hidden": "true" });
  private readonly felt = make("div", "dk-felt");
  private readonly over = make("div", "dk-over-card", { hidden: true });
  private readonly ask: Ask;
  private readonly talk: Talk;
  private readonly hand = new Hand();
  private readonly middle = new Middle();
  private readonly seats: Seats;
  private readonly motion: Motion;
  private readonly flights: Flights;
  private readonly play: Play;
  private readonly bar: Bar;
  private readonly panels: Panels;
  private painted: Scene | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private asked = "";
  private dead = false;
  private readonly stopped = new AbortController();

  constructor(private readonly host: Host) {
    const { signal } = this.stopped;
    this.root = make("section", "dk", { role: "region", tabindex: -1 });
    this.talk = new Talk(this.root);
    this.ask = new Ask(this.root, () => this.talk.hush());
    this.motion = new Motion(this.air, () => this.look.motion);
    this.seats = new Seats((seat, at) => void this.replace(seat, at));
    this.flights = new Flights(this.motion, { hand: this.hand, middle: this.middle, seats: this.seats }, () => this.look.back);
    this.play = new Play(this, this.ask, () => this.paintChoice(), (card) => this.lift(card));
    this.bar = new Bar(this, (name) => this.command(name), signal);
    this.panels = new Panels(this, host.languages);
    this.felt.append(this.seats.element, this.middle.element, this.over, this.talk.element, this.hand.element, this.air);
    this.root.append(this.felt, this.bar.element, this.panels.element, this.talk.live);
    this.listen(signal);
  }

  get scene(): Scene {
    return this.host.scene();
  }

  get words(): Words {
    return this.host.words();
  }

  get look(): Look {
    return this.host.look();
  }

  name(seat: number): string {
    return seat === this.scene.me ? this.words.say("you") : this.words.say("name", { number: seat + 1 });
  }

  announce(text: string): void {
    this.talk.announce([text]);
  }

  send(intent: Intent): void {
    const { ply, game } = this.scene;
    clearTimeout(this.waiting);
    if (intent.kind === "move" || intent.kind === "why") this.bar.stop();
    if (intent.kind !== "list" && intent.kind !== "seen") this.waiting = setTimeout(() => this.unanswered(), PATIENCE);
    this.host.send({ ...intent, ply, game });
  }

  change(look: Partial<Look>): void {
    this.host.change(look);
  }

  /** The table's place on the page is gone: let go of everything. */
  stop(): void {
    this.stopped.abort();
    clearTimeout(this.waiting);
    this.motion.finish();
    this.root.remove();
  }

  // Painting

  /** Show the scene that Python now tells. */
  paint(): void {
    const { scene, painted } = this;
    if (!("id" in scene)) return;
    if (painted?.id === scene.id) return;
    clearTimeout(this.waiting);
    this.talk.hush();
    const before = painted && this.motion.on ? this.snap(painted) : undefined;
    const inside = focused(this.root) !== null;
    if (painted && (painted.ply !== scene.ply || painted.last !== scene.last || painted.me !== scene.me)) this.ask.dismiss("move");
    if (painted && painted.game !== scene.game) this.ask.dismiss();
    this.unmark();
    if (!painted || painted.ply !== scene.ply || painted.game !== scene.game || painted.hand.join() !== scene.hand.join()) this.play.reset();
    this.painted = scene;
    this.draw();
    if (inside) this.keepFocus();
    this.tell(painted);
    if (painted && (painted.ply !== scene.ply || painted.last !== scene.last || painted.game !== scene.game)) this.panels.ask();
    set(this.root, { "data-scene": scene.id, "data-ply": scene.ply });
    if (before && painted) this.flights.run(painted, scene, before); // last, for it measures: nothing is laid out twice
  }

  /** Words or look have changed: the same scene, painted anew. */
  repaint(): void {
    if (!this.painted) return;
    if (this.root.lang !== this.words.language) this.ask.dismiss();
    this.restyle();
    this.draw();
  }

  /** What was marked under the pointer, held over, or sent, is past. */
  private unmark(): void {
    for (const pair of this.middle.table.children) set(pair, { "data-aid": undefined, "data-over": undefined });
    for (const { element } of this.hand.cards) {
      set(element, { "data-aid": undefined });
      element.classList.remove("dk-sent");
    }
  }

  /** Where what had the focus is gone, it goes to the hand, else to the buttons, else to the table itself. */
  private keepFocus(): void {
    const at = focused(this.root);
    if (at && at.matches(".dk-pair:not([role=button])")) at.blur();
    if (focused(this.root)) return;
    if (!this.hand.focus() && !this.talk.focus()) this.root.focus();
  }

  private snap(painted: Scene): ReturnType<Flights["snapshot"]> {
    const seen = this.flights.snapshot();
    this.motion.finish();
    return painted.covered ? new Map() : seen;
  }

  private draw(): void {
    const { scene, words } = this;
    set(this.root, { "aria-label": words.say("region"), lang: words.language, "data-over": scene.over !== undefined });
    this.seats.paint(this);
    this.middle.paint(this);
    this.hand.paint(this);
    this.paintOver();
    this.paintChoice();
    this.bar.paint();
    this.panels.paint();
  }

  /** What depends on what is picked: the lights, the call, the buttons. */
  private paintChoice(): void {
    const { scene, play } = this;
    const inside = focused(this.root) !== null;
    this.hand.mark({ lit: play.lit(), picked: play.picked });
    this.middle.light(scene.legal.beat && !play.mode ? play.targets() : new Set(), play.aim);
    const call = this.call();
    if ((play.mode || play.aim || play.picked.length) && call !== this.asked) this.talk.announce([call]);
    this.asked = call;
    this.talk.paint(call, this.actions(), scene.actor === scene.me && !scene.over);
    if (inside) this.keepFocus();
  }

  private call(): string {
    const { scene, words, play } = this;
    if (this.dead) return words.say("gone");
    if (scene.covered) return words.say("cover", { number: scene.me + 1 });
    if (play.mode === "swap") return words.say("pick.swap");
    if (play.mode) return words.say(`pick.${play.mode}`);
    if (play.picked.length && scene.legal.attack) return words.say("pick.more");
    if (play.picked.length) return words.say("pick.target");
    if (play.aim) return words.say("pick.beater", { card: words.card(play.aim) });
    return scene.over?.order || scene.call[0];
  }

  private actions(): Action[] {
    const { scene, words, play } = this;
    const { legal } = scene;
    if (this.dead) return [];
    const action = (name: string, run: () => void, more: Partial<Action> = {}): Action => ({ name, words: words.say(name), run, ...more });
    if (scene.covered) return [action("here", () => this.send({ kind: "here" }), { words: words.say("here", { number: scene.me + 1 }), primary: true })];
    if (scene.over) {
      return [
        ...(scene.ply === scene.last ? [action("next", () => this.send({ kind: "next" }), { primary: true, words: words.say(scene.task ? "again" : scene.over.match ? "new_match" : "next_game") })] : []),
        action("replay", () => this.bar.autoplay()),
      ];
    }
    const found: Action[] = [];
    if (legal.attack && play.picked.length) found.push(action("attack", () => play.attack(), { primary: true }));
    if (legal.take) found.push(action("take", () => play.move("take")));
    if (legal.pass) found.push(action("pass", () => play.move("pass")));
    for (const mode of ["transfer", "show", "swap"] as const) {
      if (legal[mode]?.length) found.push(action(mode, () => void (play.mode === mode ? play.cancel() : play.way(mode, this.talk.element)), { pressed: play.mode === mode }));
    }
    if (play.picked.length || play.mode || play.aim) found.push(action("cancel", () => void play.cancel()));
    else if (scene.can.hint) found.push(action("hint", () => this.send({ kind: "hint" })));
    if (scene.ply < scene.last) {
      found.push(action("back", () => this.send({ kind: "goto", to: scene.last })));
      if (scene.actor !== null && scene.actor !== scene.me) found.push(action("branch", () => void this.branch()));
    }
    return found;
  }

  private paintOver(): void {
    const { over } = this.scene;
    set(this.over, { hidden: !over });
    if (!over) return;
    const { words } = this;
    const columns = ["side", "score.won", "score.drew", "score.lost", ...(over.score.some((row) => row[4]) ? ["score.epaulettes"] : [])];
    const heads = columns.map((key) => make("th", "", { scope: "col" }, words.say(key)));
    const rows = over.score.map(([name, ...rest]) =>
      make("tr", "", {}, make("th", "", { scope: "row" }, name), ...rest.slice(0, columns.length - 1).map((cell) => make("td", "", {}, String(cell) || "–"))));
    const shoulders = over.epaulettes ? [make("p", "dk-epaulettes", { role: "img", "aria-label": words.count("shoulders", over.epaulettes) }, ...Array.from({ length: over.epaulettes }, () => make("i", "", {}, "6")))] : [];
    this.over.replaceChildren(
      make("p", "dk-verdict", {}, over.said[0]), ...shoulders,
      make("table", "dk-score", {}, make("tr", "", {}, ...heads), ...rows), ...(over.match ? [make("p", "", {}, over.match)] : []),
    );
  }

  private tell(before: Scene | undefined): void {
    const { scene } = this;
    const { did } = scene;
    const note = before || scene.note?.kind === "error" ? scene.note : undefined; // what was said before this view was there is past
    if (note) {
      const near = (note.card && this.hand.find(face(note.card))) || (note.on && this.middle.target(note.on)) || undefined;
      this.talk.say(note.said, note.kind, near);
      if (near && note.kind === "refused") this.motion.nod(near);
    }
    const moved = !before || before.ply !== scene.ply || before.game !== scene.game || before.me !== scene.me || before.covered !== scene.covered;
    const call = scene.over ? scene.over.said[1] : scene.covered ? this.call() : scene.call[1];
    if (this.bar.moving) return;
    const deeds = moved && before && before.ply + 1 === scene.ply ? (did?.said ?? []).filter((deed) => !call.startsWith(deed)) : [];
    this.talk.announce([...deeds, ...(note ? [note.said[1]] : []), ...(moved ? [call] : [])]);
    if (moved && before && did && this.look.sound) tap(did.seat === scene.me ? 520 : 390);
  }

  private restyle(): void {
    const { look } = this;
    const dark = look.theme === "dark" || (look.theme === "auto" && pageIsDark());
    set(this.root, { "data-theme": look.theme === "contrast" ? "contrast" : dark ? "dark" : "light", "data-page": pageIsDark() ? "dark" : "light" });
    set(this.root, { "data-skin": look.skin, "data-colors": look.four_colors ? 4 : 2, "data-motion": look.motion });
  }

  /** The card has been played: it rises at once, and the answer moves it. */
  private lift(card: Card | undefined): void {
    const element = card && this.hand.find(card);
    if (element) element.classList.add("dk-sent");
  }

  /** Whether Python is still there to answer. */
  live(alive: boolean): void {
    if (!alive) clearTimeout(this.waiting);
    if (this.dead === !alive) return;
    this.dead = !alive;
    this.paintChoice();
    if (this.dead) this.talk.announce([this.words.say("gone")]);
  }

  private unanswered(): void {
    for (const { element } of this.hand.cards) element.classList.remove("dk-sent");
    const said = this.words.say("unanswered");
    this.talk.say([said, said], "error", undefined);
    this.talk.announce([said]);
  }

  // What a person does

  private listen(signal: AbortSignal): void {
    const { root } = this;
    const wasDrag = dragging(root, this.air, {
      find: (target) => {
        const element = target.closest<HTMLElement>(".dk-mine");
        return element?.dataset.card ? { card: element.dataset.card, element } : undefined;
      },
      begin: (card) => {
        this.talk.hush();
        this.middle.light(this.play.targets(card), undefined);
        set(this.middle.table, { "data-drop": true });
      },
      over: (x, y) => this.dropPlace(x, y),
      drop: (card, element, at) => {
        set(this.middle.table, { "data-drop": undefined });
        this.unmark();
        this.paintChoice();
        if (at) void this.play.card(card, element, at);
      },
    }, signal);
    root.addEventListener("click", (event) => {
      const target = event.target as Element;
      const card = target.closest<HTMLElement>(".dk-mine");
      const pair = target.closest<HTMLElement>(".dk-pair[role=button]");
      if (card?.dataset.card && !wasDrag()) this.choose(card);
      else if (pair?.dataset.card) void this.target(pair);
    }, { signal });
    root.addEventListener("keydown", (event) => this.key(event), { signal });
    root.addEventListener("dk-replace", (event) => void this.replace((event as CustomEvent<number>).detail, event.target as HTMLElement), { signal });
    root.addEventListener("pointerover", (event) => this.aid(event.target as Element), { signal });
    root.addEventListener("focusin", (event) => this.aid(event.target as Element), { signal });
    watchTheme(() => this.restyle(), signal);
    const resized = new ResizeObserver(() => this.painted && this.arrange());
    resized.observe(root);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  private arrange(): void {
    set(this.root, { "data-size": this.root.clientWidth < 560 ? "phone" : this.root.clientWidth < 900 ? "tablet" : "desktop", "data-narrow": this.root.clientWidth < 820, "data-tiny": this.root.clientWidth < 330 });
    this.hand.resize(this.hand.element.clientWidth);
    this.middle.resize(this.scene);
  }

  private choose(element: HTMLElement): void {
    this.hand.focus(this.hand.index(element));
    void this.play.card(element.dataset.card as Card, element);
  }

  private async target(pair: HTMLElement): Promise<void> {
    await this.play.target(pair.dataset.card as Card, pair);
    if (this.play.aim && focused(pair)) this.hand.focus();
  }

  private dropPlace(x: number, y: number): { on?: Card } | undefined {
    const root = this.root.getRootNode() as Document | ShadowRoot;
    const under = root.elementsFromPoint(x, y);
    const pair = under.map((element) => element.closest<HTMLElement>(".dk-pair")).find((found) => found?.dataset.card);
    for (const element of this.middle.table.children) set(element, { "data-over": element === pair });
    if (pair?.dataset.card && pair.childElementCount === 1) return { on: pair.dataset.card };
    return under.includes(this.middle.element) ? {} : undefined;
  }

  /** Which cards meet which, while the pointer or the focus is on one of them. */
  private aid(at: Element): void {
    const { legal } = this.scene;
    if (!this.look.aids || !legal.beat) return this.unmark();
    const card = at.closest<HTMLElement>(".dk-mine")?.dataset.card;
    const on = at.closest<HTMLElement>(".dk-pair")?.dataset.card;
    const beats = card ? this.play.targets(card) : new Set<Card>();
    const beaten = new Set(on ? legal.beat.filter(([target]) => counts(target) === on).flatMap(([, by]) => by.map(face)) : []);
    for (const pair of this.middle.table.querySelectorAll<HTMLElement>(".dk-pair")) set(pair, { "data-aid": beats.has(pair.dataset.card ?? "") });
    for (const { card, element } of this.hand.cards) set(element, { "data-aid": beaten.has(card) });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Tab") event.stopPropagation(); // else the notebook takes it for one of its own commands
    const at = focused(this.root);
    const typing = at instanceof HTMLSelectElement;
    if (this.done(event, at, typing)) event.preventDefault();
  }

  /** Whether the key was for the table. */
  private done(event: KeyboardEvent, at: HTMLElement | null, typing: boolean): boolean {
    const { key } = event;
    if (key === "Escape") return this.escape();
    if (typing || this.ask.open) return false;
    if (key.startsWith("Arrow") || key === "Home" || key === "End") return this.arrow(key, at);
    if (key === "Enter" || key === " ") {
      if (this.play.picked.length && this.scene.legal.several && this.hand.index(at) >= 0 && at?.dataset.picked !== undefined) {
        this.play.attack();
        return true;
      }
      const pair = at?.closest<HTMLElement>(".dk-pair[role=button]");
      if (pair) void this.target(pair);
      else if (this.hand.index(at) >= 0) void this.play.card(at?.dataset.card as Card, at as HTMLElement).then(() => this.toTarget());
      else return false;
      return true;
    }
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? /^[1-9]$/.exec(key)?.[0];
    if (digit && !event.shiftKey) return this.hand.focus(Number(digit) - 1);
    const names: Readonly<Record<string, string>> = {
      t: "take", p: "pass", f: "transfer", s: "show", w: "swap", a: "attack", h: "hint", u: "undo", r: "redo", n: "new",
      l: "list", c: "seen", g: "settings", "?": "help", "[": "previous", "]": "next", "{": "first", "}": "last",
    };
    const name = names[key.length === 1 ? key.toLowerCase() : key] ?? names[onLatinKeys(event)];
    if (!name) return false;
    if (!this.talk.press(name)) this.command(name);
    return true;
  }

  /** After a card was picked by a key, the focus goes to what it can be used on. */
  private toTarget(): void {
    if (this.play.picked.length && this.scene.legal.beat) this.middle.table.querySelector<HTMLElement>("[data-target]")?.focus();
  }

  private escape(): boolean {
    const at = focused(this.root);
    const picked = this.play.picked[0];
    this.talk.hush();
    if (this.ask.open) this.ask.dismiss();
    else if (this.panels.open) this.panels.close();
    else if (this.play.cancel()) {
      const card = picked && this.hand.find(face(picked));
      if (at && !this.hand.element.contains(at)) this.hand.focus(card ? this.hand.index(card) : undefined);
    } else return false;
    return true;
  }

  private arrow(key: string, at: HTMLElement | null): boolean {
    const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : key === "ArrowLeft" || key === "ArrowUp" ? -1 : 0;
    const targets = [...this.middle.table.querySelectorAll<HTMLElement>("[data-target]")];
    const index = targets.findIndex((target) => target === at);
    if (index >= 0) {
      if (key === "ArrowDown") return this.hand.focus();
      targets[(index + step + targets.length) % targets.length]?.focus();
      return true;
    }
    const card = this.hand.index(at);
    if (card < 0) return this.talk.arrow(key, at, step) || (key === "ArrowUp" && this.talk.actions.contains(at) && this.hand.focus());
    if (key === "ArrowUp") return targets[0]?.focus() ?? true;
    if (key === "ArrowDown") return this.talk.focus();
    const { length } = this.hand.cards;
    this.hand.focus(key === "Home" ? 0 : key === "End" ? length - 1 : (card + step + length) % length);
    return true;
  }

  /** What a button of the bar, or a key, asks for. */
  private command(name: string): void {
    const { scene } = this;
    switch (name) {
      case "first": case "previous": case "next": case "last": {
        const to = { first: 0, previous: scene.ply - 1, next: scene.ply + 1, last: scene.last }[name];
        this.bar.stop();
        if (to >= 0 && to <= scene.last && to !== scene.ply) this.send({ kind: "goto", to });
        return;
      }
      case "play": return this.bar.autoplay();
      case "undo": case "redo": case "hint":
        this.bar.stop();
        return scene.can[name] ? this.send({ kind: name }) : this.announce(this.words.say(`no_${name}`));
      case "new": return void this.fresh();
      case "seen": return this.look.memory ? this.panels.toggle("seen") : this.announce(this.words.say("no_memory"));
      case "list": case "settings": case "help": return this.panels.toggle(name satisfies Panel);
      default: this.announce(this.words.say("not_now"));
    }
  }

  private async fresh(): Promise<void> {
    const { scene, words } = this;
    if (scene.over && scene.ply === scene.last) return this.send({ kind: "next" });
    const sure = scene.task || scene.last === 0 || (await this.ask.question(words.say("new.ask"), [{ words: words.say("new.yes"), value: true, primary: true }, { words: words.say("cancel"), value: false }], undefined, "game"));
    if (sure) this.send({ kind: "new" });
  }

  private async branch(): Promise<void> {
    const { scene, words } = this;
    const yes = await this.ask.question(words.count("branch.ask", scene.last - scene.ply), [{ words: words.say("branch.yes"), value: true, primary: true }, { words: words.say("cancel"), value: false }]);
    if (yes) this.send({ kind: "branch" });
  }

  /** Who shall play a seat from now on. */
  private async replace(seat: number, at: HTMLElement): Promise<void> {
    const { words } = this;
    const answers = [{ words: words.say("person"), value: "you" }, ...this.host.bots().map((bot) => ({ words: words.say("bot.named", { bot }), value: bot }))];
    const who = await this.ask.question(words.say("who_plays", { player: this.name(seat) }), answers, at, "game");
    if (who) this.send({ kind: "seat", seat, who });
  }

  hear(message: Message): void {
    this.panels.hear(message);
  }

  /** Put the table on the page. */
  begin(element: HTMLElement): void {
    this.restyle();
    element.append(this.root);
    this.arrange();
    this.paint();
  }
}

/** The key that stands there on a Latin keyboard, for those who type in another script. */
function onLatinKeys({ code, shiftKey }: KeyboardEvent): string {
  const bracket = { BracketLeft: "[{", BracketRight: "]}" }[code];
  return bracket ? bracket.charAt(shiftKey ? 1 : 0) : code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
}
