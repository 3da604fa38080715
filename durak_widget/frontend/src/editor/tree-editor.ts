/** A tree that is drawn on the page: it shows what Python holds, and tells Python what a person means to draw. */

import { roomOf, StandingTree } from "../board/board-base";
import { CHANCE, letters, OVER, Shown, told } from "../board/protocol/tree-drawing";
import type { Scene } from "../board/view/stage";
import { type Direction, type Plan, plan, textWidth } from "../board/view/tree-layout";
import { branchWidth, paintPlayers, stroke } from "../board/view/tree-nodes";
import { changed, make, set, write } from "../widgets/dom";
import type { Door } from "../widgets/widget-host";
import { type Exported, ExportPanel } from "./export-panel";
import { type Board, SketchHands } from "./input";
import type { Field, Sketch, SketchMessage } from "./protocol";
import { Lacking, SketchBar } from "./toolbar";
import { GameFields, InPlace, PlaceFields } from "./tree-fields";

/** The field over a payoff needs so much room behind the ends. */
const BEHIND = 48;
/** What leads on: one is then where Python says. */
const LEADS: ReadonlySet<SketchMessage["kind"]> = new Set([
  "move",
  "chance",
  "remove",
  "cut",
  "paste",
  "join",
  "give",
  "undo",
  "redo",
  "shift",
]);

export class SketchBoard extends StandingTree implements Board {
  private readonly how = make("p", "dk-sketch-how");
  readonly lacking = new Lacking(this);
  readonly bar: SketchBar;
  private readonly place: PlaceFields;
  private readonly game: GameFields;
  readonly out: ExportPanel;
  readonly inPlace: InPlace;
  private readonly hands: SketchHands;
  private here: number;
  private turn: number;
  /** How many answers are waited for that lead on. */
  private awaited = 0;

  constructor(door: Door) {
    super(door, "dk-sketch", "sketch.gone", { least: 170, most: 480, share: 0.5 });
    this.turn = this.sketch().turn;
    this.here = Math.max(this.now.place(this.now.drawing.at), 0);
    this.inPlace = new InPlace(this, () => {
      this.paintStage();
      this.stage.flush();
    });
    this.out = new ExportPanel(this);
    this.bar = new SketchBar(
      this,
      (what) => this.hands.act(what),
      () => this.hands.joins !== undefined,
      () => this.out.open,
    );
    this.place = new PlaceFields(this);
    this.game = new GameFields(this);
    const view = make("div", "dk-view-of", {}, this.stage.element, this.said.refused);
    this.root.append(
      make("div", "dk-board-head", {}, this.title, this.players),
      this.bar.element,
      this.how,
      view,
      this.place.element,
      this.tells,
      this.lacking.element,
      this.game.element,
      this.out.element,
      this.said.status,
    );
    this.hands = new SketchHands(this, this.stage);
  }

  // What the parts ask for

  sketch(): Sketch {
    return this.door.get<Sketch>("sketch");
  }

  at(): number {
    return this.here;
  }

  send(message: SketchMessage): void {
    this.said.hush();
    if (LEADS.has(message.kind)) this.awaited += 1;
    this.ask(message);
  }

  go(id: number): void {
    const i = this.now.place(id);
    this.stage.element.focus({ preventScroll: true });
    if (i >= 0) this.walk(i);
  }

  turned(): void {
    this.door.change("direction", this.direction === "right" ? "down" : "right");
  }

  write(id: number, field: Field): void {
    const i = this.now.place(id);
    if (i < 0 || (field !== "pays" && i === 0)) return;
    if (field === "pays" && this.now.actor(i) !== OVER) return;
    if (field === "likely" && this.now.actor(this.now.up(i)) !== CHANCE) return;
    this.inPlace.begin(id, field);
  }

  // Painting

  paint(): void {
    const words = this.words();
    const before = this.now;
    const drawing = this.wire.read();
    let anchor: number | undefined;
    if (drawing !== before.drawing) {
      const held = before.id(this.here);
      this.now = new Shown(drawing, before);
      const [turn, looked] = [this.sketch().turn, drawing.at !== before.drawing.at];
      const leads = turn === this.turn ? looked : this.awaited > 0;
      if (turn !== this.turn) this.awaited = Math.max(this.awaited - 1, 0);
      const kept = leads ? -1 : this.now.place(held);
      this.here = kept >= 0 ? kept : Math.max(this.now.place(drawing.at), 0);
      anchor = this.now.standing(this.here, before);
    }
    this.inPlace.check();
    const { title } = this.now.drawing;
    set(this.root, {
      "aria-label": title ? words.say("sketch.region.of", { title }) : words.say("sketch.region"),
      lang: words.language,
      "data-direction": this.direction,
      "data-shown": this.sketch().turn,
    });
    write(this.title, title);
    paintPlayers(this.players, this.now, {}, words);
    this.paintStage(anchor);
    this.paintHere();
    if (anchor !== undefined) this.stage.keep(this.here);
    const { turn, fresh, did } = this.sketch();
    if (turn === this.turn) return;
    this.turn = turn;
    this.inPlace.taken();
    this.out.stale();
    this.stage.keepGrown(this.now.kids[this.here]?.at(-1) ?? this.here);
    this.announce(did);
    if (fresh >= 0 && this.hands.names && this.now.place(fresh) >= 0) this.inPlace.begin(fresh, "move", this.now.id(this.here));
    this.hands.names = false;
  }

  get direction(): Direction {
    return this.door.get<Direction>("direction");
  }

  protected paintStage(anchor?: number): void {
    const [{ now }, words] = [this, this.words()];
    const room = roomOf(now, {}, {});
    set(this.root, { "data-narrow": room.narrow });
    if (changed(this.stage.element, now.drawing.laid, this.direction, room, words.language) || !this.plan) {
      const made = plan(now, this.direction, { label: branchWidth, text: textWidth }, room);
      this.plan = this.direction === "right" ? { ...made, width: made.width + BEHIND } : { ...made, height: made.height + BEHIND / 2 };
    }
    this.stage.set(this.scene(), this.plan, anchor);
    this.grow();
  }

  private scene(): Scene {
    const [{ now, here }, words] = [this, this.words()];
    const actor = now.actor(here);
    return {
      look: {
        shown: now,
        solution: {},
        task: {},
        words,
        plan: this.plan as Plan,
        letters: letters(now.drawing.seats),
        values: false,
        found: new Set(),
        picked: new Set(this.hands.joins === undefined ? [] : [this.hands.joins]),
        own: () => false,
        decorate: (element, i) => this.inPlace.decorate(element, i),
      },
      joins: now.joined.map((places, n) => ({
        places,
        kind: places.includes(here) ? "active" : "set",
        seat: now.actor(places[0] ?? 0),
        way: now.drawing.lanes?.[n],
      })),
      stroke: (i) => stroke(i, now, {}, {}, new Set()),
      at: here,
      fellows: new Set(actor >= 0 ? now.fellows(here) : []),
      first: [],
      narrow: this.root.hasAttribute("data-narrow"),
    };
  }

  protected paintHere(): void {
    const words = this.words();
    for (const part of [this.bar, this.place, this.lacking, this.game, this.out]) part.paint();
    write(this.tells, told(this.here, { shown: this.now, solution: {}, task: {}, words }).join(". "));
    write(this.how, words.say(this.hands.joins === undefined ? "sketch.how" : "sketch.joining"));
    set(this.how, { "data-joining": this.hands.joins !== undefined, hidden: this.hands.joins === undefined && this.now.count > 7 });
  }

  /** Python could not do what was asked, or is not there: say so beside the sketch. */
  tell(said: string): void {
    this.awaited = Math.max(this.awaited - 1, 0);
    this.hands.names = false;
    this.said.refuse(said);
    this.inPlace.refused();
  }

  /** Python has sent what was to be exported. */
  exported(sent: Exported): void {
    void this.out.take(sent);
  }

  override stop(): void {
    super.stop();
    this.inPlace.stop();
    this.out.stop();
  }

  protected step(i: number): void {
    this.here = i;
  }
}
