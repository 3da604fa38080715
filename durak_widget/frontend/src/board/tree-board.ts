/** The blackboard of a tree: connects its parts, its panels and the node that has the focus. */

import { make, set, write } from "../widgets/dom";
import type { Door } from "../widgets/widget-host";
import { first, plain, roomOf, StandingTree } from "./board-base";
import { Crumbs, Tools } from "./chrome/tree-toolbar";
import { MATRIX } from "./matrix/matrix-view";
import { LEARNING } from "./panels/learning";
import { PATH } from "./panels/logit-path";
import type { Host, Panel, Slot } from "./panels/panel";
import { ANSWERS, SOLUTION } from "./panels/solution";
import { asksOf, type Drawing, isUndrawn, letters, type Message, Shown, type Solution, type Task, told } from "./protocol/tree-drawing";
import { type Acting, act, Given, hands } from "./tree-input";
import type { Join } from "./view/edges-canvas";
import type { Scene } from "./view/stage";
import { type Direction, opened, type Plan, textWidth } from "./view/tree-layout";
import { branchWidth, paintPlayers, stroke } from "./view/tree-nodes";

const NOTHING: Task = {};

/** So long after the last step Python is told what is looked at. */
const REST = 220; // and longer where it has much to tell again: so many ms for a thousand nodes that are shown
const MORE = 80;

/** The panels beside a tree, in their order. */
export const SLOTS: readonly Slot[] = [ANSWERS, PATH, SOLUTION, MATRIX, LEARNING];

/** A tree on the page. */
export class Blackboard extends StandingTree implements Host, Acting {
  private readonly sums = make("p", "dk-sums");
  private readonly beside = make("div", "dk-beside");
  private readonly below = make("div", "dk-below");
  private readonly tools: Tools;
  private readonly crumbs: Crumbs;
  private readonly given: Given;
  private readonly panels: { readonly slot: Slot; readonly panel: Panel }[];
  /** How much room there was when it was made. */
  private wide = 0;
  private planned = "";
  /** What the nodes were painted with. */
  private seen: readonly unknown[] = [];
  private readonly looking: Looking;
  private anchor: number | undefined;
  private fitting: number | undefined;

  constructor(door: Door) {
    super(door, "", "tree.gone", { least: 150, most: 560, share: 0.66 });
    this.looking = new Looking(this.now, (message) => door.send(message));
    this.tools = new Tools(this, (what) => act(this, this.stage, this.tools, what));
    this.crumbs = new Crumbs(this);
    this.given = new Given(this, () => this.paintStage());
    this.panels = SLOTS.map((slot) => ({ slot, panel: slot.make(this) }));
    for (const { slot, panel } of this.panels) (slot.side === "beside" ? this.beside : this.below).append(panel.element);
    const head = make("div", "dk-board-head", {}, this.title, this.players);
    const middle = make("div", "dk-board-middle", {}, make("div", "dk-view-of", {}, this.stage.element, this.said.refused), this.beside);
    this.root.append(
      head,
      this.tools.element,
      this.crumbs.element,
      this.given.element,
      middle,
      this.tells,
      this.sums,
      this.below,
      this.said.status,
    );
    hands(this, this.stage, this.tools, this.given);
  }

  // What panels ask for

  get<T>(name: string): T {
    return this.door.get<T>(name);
  }

  change(name: string, value: unknown): void {
    this.door.change(name, value);
  }

  send(message: Message): void {
    this.said.ask();
    if (message.kind === "solve") set(this.root, { "aria-busy": "true" });
    this.ask(message);
  }

  /** What is lit and weighed on the tree: as the solution says, but that the way of a selected cell of the matrix is lit instead of its own. */
  solution(): Solution {
    return this.paths.length ? { ...this.solved, lit: this.paths } : this.solved;
  }

  /** What a solution says; of another drawing than this one it says nothing node by node. */
  private get solved(): Solution {
    const told = this.door.get<Solution | undefined>("solution") ?? {};
    if (!told.reach || told.reach.length === this.now.count) return told;
    const { reach: _, value: __, ...rest } = told;
    return rest;
  }

  /** The histories to which the selected cell of the matrix leads. */
  private get paths(): readonly number[] {
    return this.door.get<{ paths?: readonly number[] } | undefined>("matrix")?.paths ?? [];
  }

  task(): Task {
    return this.door.get<Task | undefined>("task") ?? NOTHING;
  }

  at(): number {
    return this.here;
  }

  private get here(): number {
    return this.looking.here;
  }

  node(id: number): HTMLElement | undefined {
    return this.stage.nodes.find(id);
  }

  resized(): void {
    this.stage.redraw();
  }

  go(id: number): void {
    const i = this.now.place(id);
    if (i < 0) return this.send({ kind: "look", id });
    this.stage.element.focus({ preventScroll: true });
    this.walk(i);
  }

  // Painting

  paint(): void {
    const drawing = this.wire.read();
    const before = this.now;
    if (drawing !== before.drawing) this.take(drawing, before);
    const words = this.words();
    const { title } = this.now.drawing;
    set(this.root, { "aria-label": title ? words.say("tree.region.of", { title }) : words.say("tree.region"), lang: words.language });
    set(this.root, {
      "data-direction": this.direction,
      "data-task": this.task().asks,
      "data-plain": plain(this.now, this.task()),
      "data-shown": this.now.drawing.id,
      "aria-busy": undefined,
    });
    write(this.title, title);
    paintPlayers(this.players, this.now, this.task(), words);
    this.given.paint();
    this.paintStage();
    this.paintHere();
    if (this.looking.leads) this.stage.keep(this.here);
    this.looking.leads = false;
    this.said.compare(before.drawing, this.now.drawing, words);
    const fitting = this.fitting === undefined ? -1 : this.now.place(this.fitting);
    if (this.task().asks === "draw") this.stage.keepGrown(this.now.kids[this.here]?.at(-1) ?? this.here);
    if (fitting >= 0 && this.now.open(fitting)) {
      this.stage.fit(fitting);
      this.fitting = undefined;
    }
  }

  private take(drawing: Drawing, before: Shown): void {
    this.now = new Shown(drawing, before);
    this.looking.take(this.now);
    if (this.anchor === undefined || this.now.place(this.anchor) < 0) this.anchor = this.now.standing(this.here, before);
  }

  get laid(): Plan | undefined {
    return this.plan;
  }

  get direction(): Direction {
    return this.door.get<Direction | undefined>("direction") ?? this.now.drawing.direction;
  }

  protected paintStage(): void {
    const solution = this.solution();
    const task = this.task();
    const { now } = this;
    const { drawing } = now;
    const values = Boolean(this.door.get("values")) && Boolean(solution.value);
    const notes = Object.keys(drawing.labels?.branches ?? {}).length;
    const room = { ...roomOf(now, solution, task), values };
    set(this.root, { "data-narrow": room.narrow });
    const fan = drawing.fan && !task.asks && this.get("from_middle") !== false ? drawing.fan : undefined;
    this.wide = fan ? this.stage.element.clientWidth : 0;
    const key = JSON.stringify([
      drawing.laid ?? drawing.id,
      notes,
      this.direction,
      room,
      this.words().language,
      fan !== undefined,
      this.wide,
    ]);
    if (!this.plan || key !== this.planned)
      this.plan = opened(now, this.direction, { label: branchWidth, text: textWidth }, room, fan && { of: fan, width: this.wide });
    this.planned = key;
    const scene = showing(this, this.given, this.plan, values, room.narrow);
    const { anchor } = this;
    this.anchor = undefined;
    const told = [
      drawing.laid ?? drawing.id,
      this.get("solution"),
      this.get("matrix"),
      task,
      this.words(),
      values,
      JSON.stringify([drawing.found, drawing.labels]),
    ];
    const sees = [...told, [...this.given.picked].join(), this.plan];
    const renewed = sees.some((one, n) => one !== this.seen[n]);
    this.seen = sees;
    this.stage.set(scene, this.plan, anchor, renewed);
    this.grow();
  }

  protected paintHere(): void {
    const words = this.words();
    this.crumbs.paint();
    this.tools.paint();
    const said = told(this.here, { shown: this.now, solution: this.solved, task: this.task(), words });
    if (this.paths.includes(this.now.id(this.here))) said.push(words.say("matrix.way"));
    write(this.tells, said.join(". "));
    write(this.sums, (this.solution().said ?? []).join(" · "));
    set(this.sums, { hidden: !this.solution().said?.length });
    for (const { panel } of this.panels) panel.paint();
    const empty = (place: HTMLElement): boolean => [...place.children].every((one) => (one as HTMLElement).hidden);
    set(this.beside, { hidden: empty(this.beside) });
    set(this.below, { hidden: empty(this.below) });
  }

  protected override grow(anew = false): void {
    super.grow(anew);
    if (this.wide && this.stage.element.clientWidth !== this.wide) this.changed(); // there may be room for both sides now, or no more
  }

  /** Python could not do what was asked, or is not there: say so beside the tree. */
  tell(said: string): void {
    set(this.root, { "aria-busy": undefined });
    if (!this.panels.some(({ panel }) => panel.tell?.(said))) this.said.refuse(said);
  }

  override stop(): void {
    super.stop();
    this.looking.stop();
    this.tools.stop();
    this.given.stop();
    for (const { panel } of this.panels) panel.stop();
  }

  // What a person does

  protected step(i: number): void {
    this.looking.step(i);
  }

  /** See all that is below a node: now, or when it has been opened. */
  whole(i: number): void {
    this.fitting = this.now.id(i);
    if (this.now.folds(i) && !this.now.open(i)) return;
    this.stage.fit(i);
    this.fitting = undefined;
  }

  toggle(i: number): void {
    if (!this.now.folds(i) || isUndrawn(i, this.now, this.task())) return;
    this.anchor = this.now.id(i);
    this.send({ kind: "toggle", id: this.now.id(i) });
  }
}

/** The node that has the focus. It is a step ahead of what Python knows; Python is told once the steps rest. */
export class Looking {
  /** The place that is looked at. */
  here: number;
  /** Where Python itself has led: it is to be brought into sight. */
  leads = false;
  private known: number;
  /** What Python has been told is looked at and has not answered yet, oldest first. */
  private told: readonly number[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private now: Shown,
    private readonly send: (message: Message) => void,
  ) {
    this.known = now.drawing.at;
    this.here = Math.max(now.place(this.known), 0);
  }

  /** Another drawing: one is where one went, which Python will know soon, unless it has moved on by itself: to where nobody told it to look. */
  take(now: Shown): void {
    const { drawing } = now;
    const held = this.now.id(this.here);
    const answered = this.told.indexOf(drawing.at);
    const moved = drawing.at !== this.known && answered < 0;
    if (drawing.at !== this.known) this.told = moved ? [] : this.told.slice(answered + 1);
    this.known = drawing.at;
    this.now = now;
    const kept = moved ? -1 : now.place(held);
    this.here = kept >= 0 ? kept : Math.max(now.place(drawing.at), 0);
    this.leads ||= moved;
  }

  /** Look at another place. */
  step(i: number): void {
    this.here = i;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), REST + (MORE * this.now.count) / 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private tell(): void {
    const id = this.now.id(this.here);
    if (id === (this.told.at(-1) ?? this.now.drawing.at)) return;
    this.told = [...this.told, id];
    this.send({ kind: "look", id });
  }
}

/** Return what the stage shows now, from what Python sends and what an exercise asks. */
export function showing(board: Host, given: Given, plan: Plan, values: boolean, narrow: boolean): Scene {
  const [now, solution, task, at] = [board.shown(), board.solution(), board.task(), board.at()];
  const { drawing } = now;
  const lit = new Set(solution.lit);
  const joined = now.joined.map((places, n): Join => {
    const active = places.includes(at);
    return { places, kind: active ? "active" : "set", seat: now.actor(places[0] ?? 0), way: drawing.lanes?.[n] };
  });
  return {
    look: {
      shown: now,
      solution,
      task,
      words: board.words(),
      plan,
      letters: letters(drawing.seats),
      values,
      found: new Set(drawing.found?.ids),
      picked: given.picked,
      own: (seat) => asksOf(task, seat) || (!task.asks && solution.which !== undefined && solution.which !== "learning"),
      decorate: (element, i) => given.decorate(element, i),
    },
    joins: task.asks === "sets" ? given.joins() : joined,
    stroke: (i) => stroke(i, now, solution, task, lit),
    at,
    fellows: new Set(now.actor(at) >= 0 ? now.fellows(at) : []),
    first: first(now, task),
    narrow,
  };
}
