/** Draws the nodes of a tree with their branches, the signs of the players and the legend. */

import { suitSign } from "../../widgets/cards";
import { changed, drawn, make, set, write } from "../../widgets/dom";
import { type Card, counts, rank } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import {
  CHANCE,
  isChosen,
  isUndrawn,
  letters,
  type Move,
  markOf,
  minus,
  number,
  OVER,
  type Shown,
  type Solution,
  type Task,
  type Telling,
  told,
} from "../protocol/tree-drawing";
import type { Stroke } from "./edges-canvas";
import { type Plan, prints, textWidth } from "./tree-layout";

const SIDES = ["left", "middle", "right"] as const;

/** How wide a small card is, how much of one that is beaten stays in sight, and what stands between two hands. */
const CARD = 29;
const TEN = 35;
const LAP = 24;
const BETWEEN = 3;
const HANDS = 11;
/** Longer words are cut; they are whole under the pointer and for the node that is looked at. */
const LONGEST = 132;

/** Circle, square, diamond, triangle, hexagon, pentagon, as in the pictures that Python draws. */
const SHAPES = [
  "M0-11a11 11 0 1 0 .01 0z",
  "M-9.5-9.5h19v19h-19z",
  "M0-12L12 0 0 12-12 0z",
  "M0-11.5L11.5 9h-23z",
  "M-6-10.5H6L12 0 6 10.5H-6L-12 0z",
  "M0-11.5L11.5-3 7 10.5H-7L-11.5-3z",
];
const LOT = "M0-8a8 8 0 1 0 .01 0z";
const END = "M0-4a4 4 0 1 0 .01 0z";
const COLOURS = SHAPES.length;

/** Everything that nodes look like. */
export interface Look extends Telling {
  readonly plan: Plan;
  readonly letters: readonly string[];
  readonly values: boolean;
  readonly found: ReadonlySet<number>;
  /** What a person has picked, to join or part it. */
  readonly picked: ReadonlySet<number>;
  /** Whose probabilities may be changed here. */
  readonly own: (seat: number) => boolean;
  /** Put into a node what a task wants there. */
  decorate(element: HTMLElement, i: number): void;
}

/** The nodes as elements. Only nodes that are visible have one. */
export class Nodes {
  readonly world = make("div", "dk-world", { role: "none" });
  private readonly elements = new Map<number, HTMLElement>();
  private readonly placed = new WeakMap<HTMLElement, string>();
  private marked: ReadonlySet<number> = new Set();
  private version = 0;

  constructor(private readonly prefix: string) {
    prints(this.world);
  }

  /** What is drawn next looks other than before. */
  renew(): void {
    this.version += 1;
  }

  /** The name of the element of a history. */
  name(id: number): string {
    return `${this.prefix}-${id}`;
  }

  find(id: number): HTMLElement | undefined {
    return this.elements.get(id);
  }

  get size(): number {
    return this.elements.size;
  }

  /** Show these nodes, and no others. */
  paint(places: readonly number[], x: Float64Array, y: Float64Array, look: Look): void {
    const { shown } = look;
    const kept = new Set(places.map((i) => shown.id(i)));
    for (const [id, element] of this.elements) {
      if (kept.has(id)) continue;
      element.remove();
      this.elements.delete(id);
    }
    const fresh = document.createDocumentFragment();
    for (const i of places) {
      const id = shown.id(i);
      let element = this.elements.get(id);
      if (!element) {
        element = make("div", "dk-node", { role: "treeitem", id: this.name(id), "data-id": id, "aria-selected": "false" });
        element.append(make("span", "dk-look"), make("span", "dk-live"));
        this.elements.set(id, element);
        fresh.append(element);
      }
      if (element.dataset.version !== String(this.version)) this.fill(element, i, look);
      const place = `translate(${(x[i] as number) - 12}px,${(y[i] as number) - 12}px)`;
      if (this.placed.get(element) === place) continue;
      this.placed.set(element, place);
      element.style.transform = place;
    }
    if (fresh.childNodes.length) this.world.append(fresh);
  }

  /** Which node is looked at, and which belong to it. */
  mark(at: number, fellows: ReadonlySet<number>): void {
    const now = new Set([at, ...fellows]);
    for (const id of new Set([...this.marked, ...now])) {
      const element = this.elements.get(id);
      if (element) set(element, { "data-at": id === at, "aria-selected": String(id === at), "data-fellow": fellows.has(id) });
    }
    this.marked = now;
  }

  private fill(element: HTMLElement, i: number, look: Look): void {
    const { shown, plan, solution, task, letters, values } = look;
    const id = shown.id(i);
    element.dataset.version = String(this.version);
    const actor = shown.actor(i);
    const siblings = shown.siblings(i);
    const reach = solution.reach?.[i];
    set(element, {
      "data-actor": actor,
      "data-folds": shown.folds(i),
      "data-open": shown.open(i),
      "data-side": plan.side && SIDES[(plan.side[i] ?? 0) + 1],
      "data-below": plan.side && !plan.side[i] ? (plan.y[i] as number) > (plan.y[0] as number) : undefined,
      "data-found": look.found.has(id),
      "data-picked": look.picked.has(id),
      "data-lit": solution.lit?.includes(id),
      "data-unreached": reach !== undefined && reach < 1e-9,
      "data-mark": task.asks === "values" ? task.nodes?.[id]?.mark || undefined : undefined,
      "data-undrawn": isUndrawn(i, shown, task) ? (task.over ? "over" : "") : undefined,
      "data-may": task.asks === "sets" ? (task.may?.includes(id) ?? false) : undefined,
      "aria-level": (shown.drawing.nodes.level[i] ?? 0) + 1,
      "aria-setsize": siblings.length,
      "aria-posinset": siblings.indexOf(i) + 1,
      "aria-expanded": shown.folds(i) ? String(shown.open(i)) : undefined,
    });
    const letter = actor >= 0 ? (letters[actor] ?? "") : "";
    const parts: HTMLElement[] = [sign(actor, letter)];
    const move = branch(i, look);
    if (move) parts.unshift(move);
    const value = values && actor !== OVER ? solution.value?.[i] : undefined;
    if (value?.length) parts.push(make("span", "dk-worth", {}, ...each(value)));
    const pays = task.nodes?.[id] ? [] : shown.pays(i);
    if (pays.length) {
      const columns = plan.direction === "right" ? plan.pays : [];
      parts.push(make("span", "dk-pays", {}, ...each(pays, columns)));
    }
    const belief = actor >= 0 ? solution.beliefs?.[shown.info(i)] : undefined;
    const [believed, weight = 0] = belief?.at[id] ?? [];
    if (believed !== undefined) {
      const bar = make("span", "dk-belief", { "data-by": belief?.by, "data-seat": actor % 6 }, believed);
      bar.style.setProperty("--dk-weight", String(weight));
      parts.push(bar);
    }
    const labels = shown.labels(i);
    if (labels.length) parts.push(make("span", "dk-labels", {}, ...labels.map((text) => make("span", "", { title: text }, text))));
    if (shown.more(i) && !shown.open(i)) parts.push(make("span", "dk-rest", {}, `+${shown.more(i)}`));
    const [picture, heard] = element.children;
    picture?.replaceWith(make("span", "dk-look", { "aria-hidden": "true" }, ...parts));
    write(heard as Element, told(i, look).join(". ")); // what is heard is what stands there, not a label over it
    look.decorate(element, i);
  }
}

/** A number for each seat, in its colour. */
export const each = (texts: readonly string[], columns: readonly number[] = []): HTMLElement[] =>
  texts.map((text, seat) => {
    const element = make("span", "dk-pay", { "data-seat": seat % 6 }, minus(text));
    if (columns[seat]) element.style.width = `${columns[seat]}px`;
    return element;
  });

/** What stands on the branch that leads here; the root has none. */
function branch(i: number, look: Look): HTMLElement | undefined {
  const { shown, plan, task, own } = look;
  const move = shown.move(i);
  if (!move) return undefined;
  const up = shown.up(i);
  const { likely = move.likely, weight, best } = number(i, look);
  const chosen = isChosen(i, shown, task);
  const mark = chosen ? markOf(i, shown, task) : undefined;
  const element = make("span", "dk-branch", { "data-branch": shown.id(i), "data-chosen": chosen, "data-mark": mark });
  const level = shown.drawing.nodes.level[i] ?? 0;
  element.style.setProperty("--dk-room", `${plan.label[level] ?? 0}px`);
  element.style.setProperty("--dk-gutter", `${plan.gutter[level] ?? 0}px`);
  if (plan.side && !plan.side[i]) element.style.setProperty("--dk-spoke", `${Math.abs((plan.y[i] as number) - (plan.y[up] as number))}px`);
  const words = make("span", "dk-move", move.cards?.length || move.hands ? {} : { title: move.said });
  drawMove(words, move);
  element.append(words);
  const under = make("span", "dk-under-of"); // below its branch: whether it is best, and how likely
  if (best) under.append(make("span", "dk-star-best", {}, "★"));
  if (likely !== undefined) {
    const mine = shown.actor(up) !== CHANCE && own(shown.actor(up));
    const facts = { "data-set": shown.info(up), "data-move": shown.at(i), "data-weight": weight, "data-own": mine };
    const label = make("span", "dk-likely", { ...facts, "data-chance": shown.actor(up) === CHANCE }, likely);
    if (mine) label.style.setProperty("--dk-weight", String(weight ?? 0));
    under.append(label);
  }
  if (under.childElementCount) element.append(under);
  element.append(...shown.notes(i).map((text) => make("span", "dk-note-of", { title: text }, text)));
  return element;
}

/** How the branches are to be drawn. */
export function stroke(i: number, shown: Shown, solution: Solution, task: Task, lit: ReadonlySet<number>): Stroke {
  const up = shown.up(i);
  if (isChosen(i, shown, task)) {
    const mark = markOf(i, shown, task);
    return { width: task.asks === "draw" ? 3 : 5, tone: mark === "right" || mark === "wrong" ? mark : "chosen" };
  }
  if (task.asks === "draw") return { width: task.over ? 0 : 1.5, tone: "faint" };
  const weights = shown.actor(up) >= 0 ? solution.weight?.[shown.info(up)] : undefined;
  const weight = weights?.[shown.at(i)];
  const reach = solution.reach?.[i];
  const tone = lit.has(shown.id(i)) && lit.has(shown.id(up)) ? "lit" : reach !== undefined && reach < 1e-9 ? "faint" : "plain";
  if (weight === undefined) return { width: tone === "lit" ? 3.5 : 1.5, tone };
  return { width: Math.round((1.2 + 5.8 * weight) * 4) / 4, tone };
}

const wide = (card: Card): number => (rank(card) === "T" ? TEN : CARD);
const row = (cards: readonly Card[]): number => cards.reduce((sum, card) => sum + wide(card) + BETWEEN, -BETWEEN);

/** How much room a move takes on its branch. */
export function branchWidth({ cards = [], on = [], hands, said, likely = "" }: Move): number {
  const number = likely ? textWidth(likely, "likely") + 6 : 0;
  if (hands?.some((hand) => hand.length))
    return Math.max(
      hands.reduce((sum, hand) => sum + row(hand) + HANDS, -HANDS),
      number,
    );
  if (cards.length) return Math.max(on.length ? row(cards) + wide(on[0] as Card) - CARD + LAP : row(cards), number);
  return Math.max(Math.min(textWidth(said) + 10, LONGEST), number);
}

/** A card as small as can be read. */
function mini(card: Card, kind = ""): HTMLElement {
  const as = counts(card);
  const element = make("span", `dk-mini ${kind}`, { "data-card": card });
  const joker = rank(card) === "X";
  element.append(joker ? "★" : rank(card) === "T" ? "10" : rank(card));
  if (!joker) element.append(...drawn("i", "", suitSign(as.charAt(1))).childNodes);
  element.classList.add(`dk-ink-${joker ? (card[1] === "r" ? "h" : "s") : as.charAt(1)}`);
  return element;
}

/** A move, drawn. */
export function drawMove(place: HTMLElement, { cards = [], on = [], hands, said, verb }: Move): void {
  if (hands?.some((hand) => hand.length)) {
    const parts = hands.map((hand) => make("span", "dk-hand-of", {}, ...hand.map((card) => mini(card))));
    place.replaceChildren(...parts.flatMap((part, i) => (i ? [make("i", "dk-bar-of"), part] : [part])));
  } else if (cards.length) {
    const lying = on.map((card) => mini(card, "dk-beaten"));
    place.replaceChildren(...lying, ...cards.map((card) => mini(card, on.length ? "dk-beats" : "")));
  } else place.replaceChildren(make("span", "dk-word", {}, said));
  place.dataset.verb = verb ?? "";
  place.dataset.kind = cards.length || hands ? "cards" : "word";
}

const shape = (d: string): string => `<svg viewBox="-14 -14 28 28" aria-hidden="true" focusable="false"><path d="${d}"/></svg>`;

/** The sign of whoever acts: a seat, chance (-1), or nobody (-2). */
export function sign(actor: number, letter = ""): HTMLElement {
  const element = drawn("span", "dk-sign", shape(actor >= 0 ? (SHAPES[actor % COLOURS] as string) : actor === -1 ? LOT : END));
  element.dataset.actor = String(actor < 0 ? actor : actor % COLOURS);
  if (actor >= 0) element.append(make("b", "", {}, letter));
  return element;
}

/** Draw the legend: each player with their sign. */
export function paintPlayers(list: HTMLElement, shown: Shown, { asks, seat: mine }: Task, words: Words): void {
  const { seats, chances, joined } = shown.drawing;
  const chance = Object.keys(chances).length > 0;
  const dashes = joined.length > 0 && asks !== "sets";
  set(list, { "aria-label": words.say("tree.players") });
  if (!changed(list, words.language, seats, chance, dashes, asks === "strategy" && mine)) return;
  const marks = letters(seats);
  const items = seats.map((name, seat) => {
    const you = asks === "strategy" && mine === seat ? ` (${words.say("you")})` : "";
    return make("li", "", { "data-seat": seat % 6 }, sign(seat, marks[seat]), make("span", "", {}, name + you));
  });
  if (chance) items.push(make("li", "", {}, sign(CHANCE), make("span", "", {}, words.say("tree.chance"))));
  if (dashes) items.push(make("li", "", {}, make("i", "dk-dashes"), make("span", "", {}, words.say("tree.joined"))));
  list.replaceChildren(...items);
}
