/** The table: paints each scene, announces what is new in it, and turns what the user does into intents. */

import { focused, make, rove, set, whenSeen } from "../widgets/dom";
import { type Card, face, type Intent, type Look, looksBack, type Message, type Scene } from "../widgets/protocol/scene";
import type { Words } from "../widgets/protocol/words";
import { Middle } from "../widgets/table-center";
import { dress, watchTheme } from "../widgets/theme";
import { Marks } from "./chrome/annotations";
import { Account, Talk } from "./chrome/announcements";
import { Room } from "./chrome/fullscreen";
import { Bar } from "./chrome/navigation-bar";
import { Panels } from "./chrome/side-panel";
import { Commands, type Parts } from "./commands";
import { Line, type Sent } from "./connection";
import { type Drag, keyboard, pointer, unmark } from "./input";
import { actions, call, type Moment, opens, type Settings } from "./intents/actions";
import { Play, Waiting } from "./intents/card-play";
import { Flights, Motion } from "./view/card-animation";
import { Ask } from "./view/choice-dialog";
import { Hand } from "./view/hand";
import { Head, verdict } from "./view/match-status";
import { Seats } from "./view/seats";

/** What the table needs from the notebook around it. */
export interface Host {
  scene(): Scene;
  words(): Words;
  look(): Look;
  readonly settings: Settings;
  bots(): readonly string[];
  /** The rules lie open from the start. */
  readonly open: boolean;
  send(sent: Sent): void;
}

/** The table in one place of the notebook. */
export class Table implements Parts {
  readonly root: HTMLElement;
  readonly air = make("div", "dk-air", { "aria-hidden": "true" });
  private readonly felt = make("div", "dk-felt");
  private readonly over = make("div", "dk-over-card", { hidden: true });
  readonly ask: Ask;
  readonly talk: Talk;
  readonly hand = new Hand();
  readonly middle = new Middle();
  private readonly seats: Seats;
  readonly motion: Motion;
  private readonly flights: Flights;
  readonly play: Play;
  readonly waits: Waiting;
  private readonly account = new Account((lines) => this.talk.announce(lines));
  readonly room: Room;
  readonly marks: Marks;
  private readonly bar: Bar;
  private readonly head = new Head(() => this.panels.toggle("rules"));
  readonly panels: Panels;
  readonly commands: Commands;
  private readonly drag: Drag;
  private readonly line: Line;
  private painted: Scene | undefined;
  private asked = "";
  /** The table has been on the screen, and bots have been told so. */
  private looked = false;
  private started = false;
  /** It has a place on the page. */
  private placed = false;
  private readonly stopped = new AbortController();

  constructor(private readonly host: Host) {
    const { signal } = this.stopped;
    this.root = make("section", "dk", { role: "region", tabindex: -1 });
    this.talk = new Talk(this.root, (name) => this.commands.press(name));
    this.line = new Line(this, host.send, () => this.answered());
    this.ask = new Ask(this.root, () => this.talk.hush());
    this.motion = new Motion(this.air, () => this.look.motion);
    this.seats = new Seats((seat) => this.commands.replace(seat));
    this.flights = new Flights(this.motion, { hand: this.hand, middle: this.middle, seats: this.seats }, () => this.look.back);
    this.play = new Play(
      this,
      this.ask,
      () => this.paintChoice(),
      (card) => this.lift(card),
      (card, on) => this.waits.hold(card, on),
    );
    this.waits = new Waiting(this, {
      move: (move, card) => void this.play.move(move, card),
      choose: (card) => {
        const at = this.hand.find(card);
        if (at) void this.play.card(card, at);
      },
      busy: () => this.line.dead || this.ask.open || this.bar.playing || this.play.picked.length > 0 || this.play.mode !== undefined,
      changed: () => this.paintChoice(),
    });
    this.bar = new Bar(this, (name) => this.commands.run(name), signal);
    this.panels = new Panels(
      this,
      () => this.commands,
      () => this.arrange(),
    );
    this.room = new Room(this, () => this.resized(), signal);
    this.marks = new Marks(this, this.air, signal);
    this.commands = new Commands(this, { bar: this.bar, settings: host.settings, bots: host.bots });
    this.middle.element.append(this.over);
    this.felt.append(this.seats.element, this.middle.element, this.hand.element, this.talk.element, this.head.element, this.air);
    this.root.append(this.room.ruler, this.felt, this.room.more, this.bar.element, this.marks.element, this.panels.element, this.talk.live);
    this.drag = pointer(this, signal);
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
    const { me, seats, turned } = this.scene;
    const mine = seat === me && !turned && seats.some(({ who }) => who === "you");
    const one = seats[seat];
    return mine ? this.words.say("you") : one?.named ? this.words.who(one.who) : this.words.say("name", { number: seat + 1 });
  }

  announce(text: string): void {
    this.talk.announce([text]);
  }

  send(intent: Intent): void {
    if (intent.kind === "move" || intent.kind === "why") this.bar.stop();
    if (intent.kind === "move") this.waits.stop(); // one move at a time
    this.line.send(intent);
  }

  /** The table's place on the page is gone: let go of everything. */
  stop(): void {
    this.stopped.abort();
    this.line.answered();
    this.waits.stop();
    this.account.stop();
    this.motion.finish();
    this.root.remove();
  }

  // Painting

  /** Show the scene that Python now tells. */
  paint(): void {
    const { scene, painted } = this;
    if (!("id" in scene)) return;
    if (painted?.id === scene.id) return;
    this.line.heard("scene");
    if (!painted || !onlyFound(painted, scene)) this.talk.pass();
    const before = painted && this.motion.on ? this.snap(painted) : undefined;
    const inside = focused(this.root) !== null;
    if (painted && (painted.ply !== scene.ply || painted.last !== scene.last || painted.me !== scene.me)) this.ask.dismiss("move");
    if (painted && painted.game !== scene.game) {
      this.ask.dismiss();
      this.talk.hush();
    }
    unmark(this);
    this.hand.answered();
    if (!painted || painted.ply !== scene.ply || painted.game !== scene.game || painted.hand.join() !== scene.hand.join())
      this.play.reset();
    this.painted = scene;
    this.waits.settle();
    this.draw();
    if (!painted || !onlyFound(painted, scene)) this.drag.answered();
    if (painted && (painted.me !== scene.me || painted.covered !== scene.covered)) this.forget();
    if (inside) this.keepFocus();
    if (inside && painted && (painted.game !== scene.game || (painted.waits && !scene.waits))) this.see(); // the focus alone would be brought to the middle
    if (inside && !this.panels.open && scene.over && painted && painted.last < scene.last) this.talk.focus(); // one tap to the next game
    tell(this, painted, () => call(this.moment), this.bar.moving ? undefined : this.account);
    if (painted && (painted.ply !== scene.ply || painted.last !== scene.last || painted.game !== scene.game)) {
      if (painted.game !== scene.game) this.panels.begin();
      this.panels.ask();
      this.marks.wipe();
    }
    if (painted && (painted.last !== scene.last || painted.game !== scene.game)) this.room.unfold(false); // it goes on: nothing lies over who plays
    set(this.root, { "data-scene": scene.id, "data-ply": scene.ply });
    this.start();
    if ([painted, scene].some((one) => one?.seats.some(({ named, hand }) => named || hand)))
      this.panels.with(({ portray }) => portray(this.root, this));
    if (before && painted) this.flights.run(painted, scene, before); // last, for it measures: nothing is laid out twice
    if (before && scene.over && painted && painted.last < scene.last)
      this.panels.with(({ feast }) => this.motion.on && this.scene === scene && feast(this.root, this.air, scene));
  }

  /** Somebody looks: bots need not wait any more, but for one that is to open. */
  private start(): void {
    if (!this.looked || this.started || !this.scene.waits || opens(this.scene)) return;
    this.started = true; // who then pauses says when to go on
    this.send({ kind: "start" });
  }

  /** Another person is there: nothing that was said or shown to the one before is left. */
  private forget(): void {
    this.talk.forget();
    this.panels.forget();
    this.ask.dismiss();
    this.marks.wipe();
    this.asked = "";
  }

  /** Words or look have changed: the same scene, painted anew. */
  repaint(): void {
    if (!this.painted) return;
    if (this.root.lang !== this.words.language) this.ask.dismiss();
    dress(this.root, this.look);
    this.arrange();
    this.draw();
  }

  /** Where what had the focus is gone, it goes to the hand, else to the buttons, else to the table itself. */
  private keepFocus(): void {
    const at = focused(this.root);
    if (at?.matches(".dk-pair:not([role=button])")) at.blur();
    if (focused(this.root)) return;
    if (!this.hand.focus() && !this.talk.focus()) this.root.focus();
  }

  /** Have the felt on the screen, from who sits across to the hand. */
  private see(): void {
    this.felt.scrollIntoView({ block: "nearest" });
  }

  private snap(painted: Scene): ReturnType<Flights["snapshot"]> {
    const seen = this.flights.snapshot(this.drag.waiting);
    this.motion.finish();
    return painted.covered ? new Map() : seen;
  }

  private draw(): void {
    const { scene, words } = this;
    set(this.root, { "aria-label": words.say("region"), lang: words.language, "data-over": scene.over !== undefined });
    this.head.paint(this);
    set(this.root, {
      "data-task": scene.task,
      "data-brief": scene.brief,
      "data-verdict": scene.verdict && String(scene.verdict.right),
    });
    this.seats.paint(this);
    this.middle.paint(this);
    this.hand.paint(this);
    this.paintOver();
    this.paintChoice();
    if (this.room.divided) this.arrange();
    this.bar.paint();
    this.panels.paint();
  }

  /** What depends on what is picked: the lights, the call, the buttons. */
  paintChoice(): void {
    const { scene, play, waits } = this;
    const { dead } = this.line;
    const { playing } = this.bar;
    const inside = focused(this.root) !== null;
    const replay = looksBack(scene) && !scene.covered;
    set(this.root, { "data-dead": dead, "data-replay": replay });
    this.hand.mark({ lit: dead || playing ? new Set() : play.lit(), picked: play.picked, waits: waits.card });
    this.middle.light(scene.legal.beat && !play.mode ? play.targets() : new Set(), play.aim);
    const called = call(this.moment);
    if ((play.mode || play.aim || play.picked.length) && called !== this.asked) this.talk.announce([called]);
    this.asked = called;
    const told = replay ? [this.words.say("replaying", { ply: scene.ply, last: scene.last }), ...(scene.told ?? []).slice(-1)] : scene.told;
    this.talk.paint(called, told ?? [], actions(this.moment), scene.actor === scene.me && !scene.over && !dead && !replay);
    if (inside) this.keepFocus();
  }

  private get moment(): Moment {
    return { scene: this.scene, words: this.words, play: this.play, dead: this.line.dead, done: this.waits.done, small: this.room.small };
  }

  private paintOver(): void {
    const { over } = this.scene;
    set(this.over, { hidden: !over });
    if (over) this.over.replaceChildren(...verdict(this.scene, over, this.words));
    // with what turns comes all that stands on the table at times, the chances too
    if (this.scene.review || this.scene.beside) this.panels.with(({ turns }) => turns(this));
  }

  /** The card has been played: the page is laid out now rather than when the answer comes, which moves it. */
  private lift(card: Card | undefined): void {
    const element = card ? this.hand.find(card) : undefined;
    if (element && (focused(this.root) ?? element) === element) this.hand.leave(element);
    if (element) this.hand.sent(element);
    this.motion.ruler();
  }

  /** Whether Python is still there to answer. */
  live(alive: boolean): void {
    if (!this.line.live(alive)) return;
    this.paintChoice();
    if (!alive) this.talk.announce([this.words.say("gone")]);
    this.panels.live(alive);
  }

  /** What waited for an answer waits no more. */
  private answered(): void {
    this.drag.answered();
    this.hand.answered();
  }

  // What a person does

  private listen(signal: AbortSignal): void {
    const { root } = this;
    keyboard(this, signal);
    root.addEventListener(
      "focusin",
      ({ target }) => {
        const row = target instanceof HTMLButtonElement && target.closest<HTMLElement>("[data-rove]");
        if (row) rove(row, target as HTMLElement);
      },
      { signal },
    );
    watchTheme(this.root, () => dress(this.root, this.look), signal);
    whenSeen(this.middle.element, signal, () => {
      this.looked = true;
      if (this.painted) this.start();
    });
  }

  private resized(): void {
    if (!this.painted) return;
    this.arrange();
    this.bar.paint();
    this.paintChoice();
    for (const said of [this.ask, this.talk]) said.settle();
    if (this.placed) return;
    this.placed = true;
    // who has run its cell is led to the next
    if (this.root.closest(".jp-Cell:has(+.jp-mod-active)") && !(this.room.small && this.scene.task)) this.see();
  }

  private arrange(): void {
    const { room } = this;
    room.measure(this.felt);
    this.hand.resize(this.hand.element.clientWidth, room.scale, room.card);
    this.middle.resize(this.scene, room.scale);
    this.marks.draw();
  }

  hear(message: Message): void {
    this.line.heard(message.kind);
    if (message.kind === "told") this.announce(message.said);
    else this.panels.hear(message);
  }

  /** Put the table on the page. */
  begin(element: HTMLElement): void {
    dress(this.root, this.look);
    element.append(this.root);
    this.arrange();
    this.paint();
    if (this.host.open) this.panels.show("rules");
  }
}

/** Whether nothing has happened but that something was found out: what was said before holds. */
export function onlyFound(before: Scene, now: Scene): boolean {
  const rest = (scene: Scene): string => JSON.stringify({ ...scene, id: 0, beside: undefined, note: undefined });
  return !now.note && JSON.stringify(before.beside) !== JSON.stringify(now.beside) && rest(before) === rest(now);
}

/** Tell it; `call` is what is to be done, and without an account nothing is read aloud or heard. */
export function tell(table: Parts, before: Scene | undefined, call: () => string, account: Account | undefined): void {
  const { scene, hand, talk } = table;
  const { did, over } = scene;
  const heard = before || scene.note?.kind === "error" ? scene.note : undefined; // what was said before this view was there is past
  const note = heard && table.waits.said(heard);
  if (note) {
    const near = (note.card && hand.find(face(note.card))) || (note.on && table.middle.target(note.on)) || undefined;
    talk.say(note, near);
    if (near && note.kind === "refused") table.motion.nod(near);
  } else talk.settle();
  if (!account) return;
  const moved =
    !before || before.ply !== scene.ply || before.game !== scene.game || before.me !== scene.me || before.covered !== scene.covered;
  const ended = over && [over.word?.[1] ?? "", over.said[1]].join(" ").trim();
  account.hear(before, scene, scene.verdict ? "" : (ended ?? (scene.covered ? call() : scene.call[1])), note ? [note.said[1]] : []);
  if (moved && before && did && table.look.sound) table.panels.with(({ tap }) => tap(did.seat === scene.me ? 520 : 390));
}
