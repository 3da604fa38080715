/** The protocol of a tree: unpacks the drawing that Python sends, reads it, and puts nodes into words. */

import type { Card } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import type { Door } from "../../widgets/widget-host";
import type { MatrixMessage } from "./matrix";

/** Who acts at a history, where it is no seat. */
export const CHANCE = -1;
export const OVER = -2;

/** A move as it is told: in words, and for cards as them. */
export interface Move {
  readonly said: string;
  readonly verb?: string;
  readonly cards?: readonly Card[];
  readonly on?: readonly Card[];
  /** What each seat is dealt, and what is left. */
  readonly hands?: readonly (readonly Card[])[];
  readonly talon?: readonly Card[];
  /** How likely chance makes it. */
  readonly likely?: string;
}

/** What is shown of a tree: columns of one length, a place in them for each history, every parent before its children. */
export interface Nodes {
  readonly id: readonly number[];
  /** The place of the parent; -1 for the root. */
  readonly up: readonly number[];
  readonly level: readonly number[];
  readonly row: readonly number[];
  readonly actor: readonly number[];
  /** The key into the sets, chances or ends. */
  readonly info: readonly (number | string)[];
  /** How many histories below it are not shown. */
  readonly more: readonly number[];
  /** Its place among its siblings. */
  readonly at: readonly number[];
}

/** How the dashed line of an information set is drawn: which of the ways beside its level it takes, from the nearest, which is 1 (0: straight from node to node), and in which dashes;
 * what it is called where another could be taken for it, and between which two places that stands. */
export type Lane = readonly [lane: number, dash: number, name?: string, one?: number, two?: number];

/** Where a signalling game lies that opens from the middle: left of it (-1), in it (0), right of it; and the row. */
export interface Fan {
  readonly side: readonly number[];
  readonly row: readonly number[];
  readonly rows: number;
}

export interface Crumb {
  readonly id: number;
  readonly said: string;
}

export interface Drawing {
  readonly id: number;
  /** The drawing since which everything lies where it lies. */
  readonly laid?: number;
  readonly title: string;
  readonly direction: "right" | "down";
  readonly seats: readonly string[];
  readonly size: { readonly histories: number; readonly shown: number; readonly levels: number; readonly rows: number };
  readonly nodes: Nodes;
  readonly sets: Readonly<Record<string, { readonly said: string; readonly moves: readonly Move[] }>>;
  readonly chances: Readonly<Record<string, { readonly moves: readonly Move[] }>>;
  readonly ends: Readonly<Record<string, readonly string[]>>;
  /** The places of shown nodes that one seat cannot tell apart. */
  readonly joined: readonly (readonly number[])[];
  /** How each of these is drawn. */
  readonly lanes?: readonly Lane[];
  /** Only of what books draw so. */
  readonly fan?: Fan;
  /** What an author has written at nodes and on the branches that lead to them, by history. */
  readonly labels?: {
    readonly nodes: Readonly<Record<string, readonly string[]>>;
    readonly branches: Readonly<Record<string, readonly string[]>>;
  };
  /** The history that is looked at. */
  readonly at: number;
  readonly crumbs: readonly Crumb[];
  readonly found: { readonly text: string; readonly ids: readonly number[]; readonly count: number; readonly place?: number } | null;
}

/** What a solution says of what is shown; nothing of it where nothing is to be shown. */
export interface Solution {
  readonly said?: readonly string[];
  readonly which?: "solution" | "path" | "own" | "learning";
  readonly likely?: Readonly<Record<string, readonly string[]>>;
  readonly weight?: Readonly<Record<string, readonly number[]>>;
  readonly reach?: readonly number[];
  readonly value?: readonly (readonly string[])[] | null;
  /** What is believed at information sets of several places: by history a text and a weight; where it comes from; between what else it may lie. */
  readonly beliefs?: Readonly<
    Record<
      string,
      {
        readonly by: "bayes" | "trembles" | "fits" | "open";
        readonly at: Readonly<Record<string, readonly [text: string, weight: number]>>;
        readonly range?: Readonly<Record<string, readonly [low: string, high: string]>>;
      }
    >
  > | null;
  readonly lit?: readonly number[];
  readonly best?: Readonly<Record<string, readonly boolean[]>> | null;
  readonly best_of?: number | null;
  readonly own?: {
    readonly seat: number;
    readonly exploitability: string;
    readonly value: string;
    readonly worth: string;
    readonly by: number | null;
    readonly said: string;
  } | null;
}

/** What is right for what was given before it follows. */
type Mark = "" | "right" | "wrong" | "follows";

/** What an exercise asks on the tree, and what is given so far. */
export interface Task {
  /** `read`: the tree is only looked at, what is asked is asked elsewhere. */
  readonly asks?: "values" | "sets" | "path" | "draw" | "strategy" | "fill" | "strike" | "best" | "read";
  readonly nodes?: Readonly<Record<string, { readonly text: string; readonly mark?: Mark; readonly open?: boolean }>>;
  readonly groups?: readonly (readonly number[])[];
  readonly may?: readonly number[];
  readonly moves?: Readonly<Record<string, number>>;
  /** Where branches lead that have been drawn. */
  readonly drawn?: readonly number[];
  /** It is right, or its solution is shown: what is not drawn is not offered any more. */
  readonly over?: boolean;
  /** By history, or by the place of a group. */
  readonly marks?: Readonly<Record<string, Mark>>;
  /** Three values or more are asked for at each history. */
  readonly many?: boolean;
  /** Whose strategy is asked for; of none, where it is asked for those of all. */
  readonly seat?: number | null;
  readonly score?: string;
}

/** Whether an exercise asks how a seat plays: that seat, or all of them together. */
export const asksOf = ({ asks, seat = null }: Task, one: number): boolean => asks === "strategy" && (seat === null || seat === one);

/** What the page asks of Python. */
export type Message =
  | { readonly kind: "toggle" | "look" | "table"; readonly id: number }
  | { readonly kind: "open"; readonly what: "all" | "depth" | "seat" | "reached"; readonly n?: number }
  | { readonly kind: "close" | "own" | "forget" }
  | { readonly kind: "show"; readonly which: string }
  | { readonly kind: "find"; readonly text: string }
  | { readonly kind: "next"; readonly step: 1 | -1 }
  | { readonly kind: "solve"; readonly method?: string }
  | { readonly kind: "choose"; readonly place: number }
  | { readonly kind: "rational"; readonly to: number }
  | { readonly kind: "best"; readonly seat: number | null }
  | { readonly kind: "likely"; readonly set: number; readonly move: number; readonly to: string }
  | { readonly kind: "matrix" | "path"; readonly on: boolean }
  | { readonly kind: "learn"; readonly what: "start" | "stop" | "step" | "close"; readonly n?: number }
  | MatrixMessage;

/** A drawing with what is asked of it again and again. Nodes are named by their places in its columns. */
export class Shown {
  readonly count: number;
  readonly kids: readonly (readonly number[])[];
  /** The groups of nodes that a seat cannot tell apart, each along its rows. */
  readonly joined: readonly (readonly number[])[];
  private readonly places: ReadonlyMap<number, number>;
  private readonly groups: ReadonlyMap<number, readonly number[]>;

  constructor(
    readonly drawing: Drawing,
    before?: Shown,
  ) {
    const { id, up } = drawing.nodes;
    if (before && drawing.laid !== undefined && drawing.laid === before.drawing.laid) {
      this.count = before.count;
      this.kids = before.kids;
      this.places = before.places;
      this.joined = before.joined;
      this.groups = before.groups;
      return;
    }
    const kids: number[][] = id.map(() => []);
    for (const [i, parent] of up.entries()) kids[parent]?.push(i);
    this.count = id.length;
    this.kids = kids;
    this.places = new Map(id.map((one, i) => [one, i]));
    const row = (i: number): number => drawing.nodes.row[i] ?? 0;
    this.joined = drawing.joined.map((group) => [...group].sort((a, b) => row(a) - row(b)));
    this.groups = new Map(this.joined.flatMap((group) => group.map((i) => [i, group] as const)));
  }

  /** What chance leads to lies row by row: its probabilities need room between them. */
  get crowded(): boolean {
    return this.kids.some((all, i) => this.actor(i) === CHANCE && all.some((kid) => !this.open(kid)));
  }

  /** Where a history stands; -1 where it is not shown. */
  place(id: number): number {
    return this.places.get(id) ?? -1;
  }

  id(i: number): number {
    return this.drawing.nodes.id[i] ?? -1;
  }

  up(i: number): number {
    return this.drawing.nodes.up[i] ?? -1;
  }

  actor(i: number): number {
    return this.drawing.nodes.actor[i] ?? OVER;
  }

  /** The key of its information set, chance or end. */
  info(i: number): string {
    return String(this.drawing.nodes.info[i] ?? "");
  }

  more(i: number): number {
    return this.drawing.nodes.more[i] ?? 0;
  }

  below(i: number): readonly number[] {
    return this.kids[i] ?? [];
  }

  /** Which move of its parent leads here. */
  at(i: number): number {
    return this.drawing.nodes.at[i] ?? 0;
  }

  siblings(i: number): readonly number[] {
    const up = this.up(i);
    return up < 0 ? [i] : this.below(up);
  }

  /** The move that leads here; the root has none. */
  move(i: number): Move | undefined {
    const up = this.up(i);
    if (up < 0) return undefined;
    const { sets, chances } = this.drawing;
    return (this.actor(up) === CHANCE ? chances : sets)[this.info(up)]?.moves[this.at(i)];
  }

  /** What an author has written on the branch that leads here. */
  notes(i: number): readonly string[] {
    return this.drawing.labels?.branches[this.id(i)] ?? [];
  }

  /** What an author has written at it. */
  labels(i: number): readonly string[] {
    return this.drawing.labels?.nodes[this.id(i)] ?? [];
  }

  /** Its moves are those of the card game. */
  get cards(): boolean {
    return Object.values(this.drawing.sets).some(({ moves }) => moves.some(({ verb }) => verb !== undefined));
  }

  /** What the seat to act knows there. */
  knows(i: number): string {
    return this.actor(i) >= 0 ? (this.drawing.sets[this.info(i)]?.said ?? "") : "";
  }

  /** What the end is worth to each seat. */
  pays(i: number): readonly string[] {
    return this.actor(i) === OVER ? (this.drawing.ends[this.info(i)] ?? []) : [];
  }

  /** It can be folded or unfolded. */
  folds(i: number): boolean {
    return this.more(i) > 0 || this.below(i).length > 0;
  }

  open(i: number): boolean {
    return this.below(i).length > 0;
  }

  /** From the root to it. */
  way(i: number): number[] {
    const found: number[] = [];
    for (let at = i; at >= 0; at = this.up(at)) found.push(at);
    return found.reverse();
  }

  /** The history of it that was shown before, else of what it hangs on. */
  standing(i: number, before: Shown): number | undefined {
    for (let at = i; at >= 0; at = this.up(at)) if (before.place(this.id(at)) >= 0) return this.id(at);
    return undefined;
  }

  /** All shown nodes that the seat to act there cannot tell from it, with itself. */
  fellows(i: number): readonly number[] {
    return this.groups.get(i) ?? [i];
  }
}

/** What a node is told with. */
export interface Telling {
  readonly shown: Shown;
  readonly solution: Solution;
  readonly task: Task;
  readonly words: Words;
}

/** Everything about a node, as sentences. */
export function told(i: number, { shown, solution, task, words }: Telling): string[] {
  const { drawing } = shown;
  const id = shown.id(i);
  const name = (seat: number): string => drawing.seats[seat] ?? String(seat + 1);
  const worth = (texts: readonly string[]): string => texts.map((text, seat) => `${name(seat)} ${minus(text)}`).join(", ");
  const said: string[] = [];
  const move = shown.move(i);
  if (move) {
    const { likely, best } = number(i, { shown, solution });
    const weight = move.likely ? words.say("tree.likely", { likely: move.likely }) : likely ? words.say("tree.weight", { likely }) : "";
    // The move as it is called: of some games, capitals and small letters are different moves.
    said.push([move.said, weight, best ? words.say("tree.is_best") : ""].filter(Boolean).join(", "), ...shown.notes(i));
  } else said.push(words.say("tree.root"));
  if (isUndrawn(i, shown, task)) return [...said, words.say("tree.undrawn")];
  const actor = shown.actor(i);
  if (actor === OVER) said.push(words.say("tree.end", { worth: worth(shown.pays(i)) }));
  else if (actor === CHANCE) said.push(words.say("tree.chance_acts"));
  else {
    const knows = shown.knows(i);
    said.push(knows ? words.say("tree.acts_knowing", { player: name(actor), knows }) : words.say("tree.acts", { player: name(actor) }));
    const fellows = shown.fellows(i).length;
    if (fellows > 1) said.push(words.count("tree.fellows", fellows));
  }
  said.push(...believed(i, shown, solution, words), ...shown.labels(i));
  const value = solution.value?.[i];
  if (value?.length && actor !== OVER) said.push(words.say("tree.worth", { worth: worth(value) }));
  if (solution.lit?.includes(id)) said.push(words.say("tree.is_lit"));
  if (shown.more(i) && !shown.open(i)) said.push(words.count("tree.hidden", shown.more(i)));
  const mark = task.nodes?.[id]?.mark ?? (task.asks === "path" || task.asks === "draw" ? task.marks?.[id] : undefined);
  if (mark) said.push(upper(words.say(`mark.${mark}`)));
  return said.filter(Boolean);
}

/** How likely the player thinks this place, and where that comes from. */
function believed(i: number, shown: Shown, { beliefs }: Solution, words: Words): string[] {
  const belief = shown.actor(i) >= 0 ? beliefs?.[shown.info(i)] : undefined;
  const [likely] = belief?.at[shown.id(i)] ?? [];
  if (!belief || likely === undefined) return [];
  const [low, high] = belief.range?.[shown.id(i)] ?? [];
  const more = low !== undefined && high !== undefined ? [words.say("belief.range", { low, high })] : [];
  const { by } = belief;
  return [by === "open" ? words.say("belief.open") : words.say(`belief.${by}`, { likely }), ...more].map(upper);
}

/** What a solution says of the branch that leads here. */
export function number(
  i: number,
  { shown, solution }: Pick<Telling, "shown" | "solution">,
): { likely?: string | undefined; weight?: number | undefined; best: boolean } {
  const up = shown.up(i);
  if (up < 0 || shown.actor(up) < 0) return { best: false };
  const set = shown.info(up);
  const at = shown.at(i);
  return { likely: solution.likely?.[set]?.[at], weight: solution.weight?.[set]?.[at], best: Boolean(solution.best?.[set]?.[at]) };
}

const upper = (said: string): string => said.charAt(0).toUpperCase() + said.slice(1);

/** A minus sign where a hyphen stands before a number. */
export const minus = (text: string): string => text.replace(/^-/, "\u2212");

/** The letters that tell players apart: the first of their names, where those differ, else their numbers. */
export function letters(seats: readonly string[]): string[] {
  const first = seats.map((name) => [...name.trim()][0]?.toLocaleUpperCase() ?? "");
  return new Set(first).size === seats.length && first.every((one) => /\p{L}/u.test(one)) ? first : seats.map((_, i) => String(i + 1));
}

/** What changes when something lies elsewhere, or is called otherwise. */
export interface Told extends Omit<Drawing, "id" | "at" | "crumbs" | "found" | "nodes" | "sets"> {
  readonly nodes: Readonly<Record<keyof Nodes, DataView>>;
  readonly moves: readonly Move[];
  /** What is known there, and the numbers of its moves. */
  readonly sets: Readonly<Record<string, readonly [said: string, ...moves: number[]]>>;
}

/** What changes at every step. */
export type Looked = Pick<Drawing, "id" | "at" | "crumbs" | "found">;

/** The numbers of a column, little end first, whole or not. */
const numbers = ({ buffer, byteOffset, byteLength }: DataView, kind: typeof Int32Array | typeof Float64Array): number[] =>
  Array.from(new kind(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer));

/** A drawing, but for what is looked at. */
export function unpacked({ moves, sets, nodes, ...rest }: Told): Omit<Drawing, keyof Looked> {
  const columns = Object.entries(nodes).map(([name, column]) => [name, numbers(column, name === "row" ? Float64Array : Int32Array)]);
  const known = Object.entries(sets).map(([key, [said, ...all]]) => [key, { said, moves: all.map((one) => moves[one]) }]);
  return { ...rest, nodes: Object.fromEntries(columns) as Nodes, sets: Object.fromEntries(known) as Drawing["sets"] };
}

/** Puts the two together: what is as it was is not unpacked again. */
export class Wire {
  private told: Told | undefined;
  private looked: Looked | undefined;
  private still: Omit<Drawing, keyof Looked> | undefined;
  private drawing: Drawing | undefined;

  constructor(private readonly door: Pick<Door, "get">) {}

  read(): Drawing {
    const told = this.door.get<Told>("drawing");
    const looked = this.door.get<Looked>("looked");
    if (this.drawing && told === this.told && looked === this.looked) return this.drawing;
    if (!this.still || told !== this.told) this.still = unpacked(told);
    [this.told, this.looked] = [told, looked];
    this.drawing = { ...this.still, ...looked };
    return this.drawing;
  }
}

/** Whether a branch was chosen or drawn, by the place of the node to which it leads. */
export function isChosen(i: number, shown: Shown, task: Task): boolean {
  if (task.asks === "draw") return Boolean(task.drawn?.includes(shown.id(i)));
  return task.asks === "path" && task.moves?.[shown.id(shown.up(i))] === shown.at(i);
}

/** The mark of such a branch: of a way it stands at the node where the move is made, of a drawing at the one to which it leads. */
export const markOf = (i: number, shown: Shown, task: Task): string | undefined =>
  task.marks?.[task.asks === "draw" ? shown.id(i) : shown.id(shown.up(i))] || undefined;

/** Whether one may draw the branch that leads there, and has not. */
export const isUndrawn = (i: number, shown: Shown, task: Task): boolean =>
  task.asks === "draw" && shown.up(i) >= 0 && !isChosen(i, shown, task);
