/** The protocol of a tree: unpack Python's drawing, read it, and describe nodes. */

import type { Card } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import type { WidgetHost } from "../../widgets/widget-host";
import type { MatrixMessage } from "./matrix";

/** The actor of a node where no player acts. */
export const CHANCE = -1;
export const TERMINAL = -2;

/** An action in words, and its cards in the card game. */
export interface Move {
  readonly text: string;
  readonly verb?: string;
  readonly cards?: readonly Card[];
  readonly beaten_cards?: readonly Card[];
  /** The cards that each seat is dealt, and the rest. */
  readonly hands?: readonly (readonly Card[])[];
  readonly talon?: readonly Card[];
  /** The probability of a chance move. */
  readonly probability?: string;
}

/** The shown nodes as columns of equal length. Parents come before their children. */
export interface Nodes {
  readonly id: readonly number[];
  /** The index of the parent, or -1 for the root. */
  readonly parent: readonly number[];
  readonly level: readonly number[];
  readonly row: readonly number[];
  readonly actor: readonly number[];
  /** The key in `sets`, `chances` or `ends`. */
  readonly info: readonly (number | string)[];
  /** The number of hidden nodes below. */
  readonly hidden_count: readonly number[];
  /** The index among its siblings. */
  readonly action: readonly number[];
}

/** How the dashed line of an infoset is drawn: the lane beside its level (1 is the nearest, 0 a straight line), the dash pattern, the name if it is ambiguous, and the two nodes that the name is between. */
export type Lane = readonly [lane: number, dash: number, name?: string, one?: number, two?: number];

/** The layout of a signalling game with chance in the middle: side (-1 left, 0 middle, 1 right) and row. */
export interface Fan {
  readonly side: readonly number[];
  readonly row: readonly number[];
  readonly rows: number;
}

export interface Crumb {
  readonly id: number;
  readonly text: string;
}

export interface Drawing {
  readonly id: number;
  /** The id of the first drawing with the same layout. */
  readonly layout_id?: number;
  readonly title: string;
  readonly direction: "right" | "down";
  readonly players: readonly string[];
  readonly size: { readonly histories: number; readonly shown: number; readonly levels: number; readonly rows: number };
  readonly nodes: Nodes;
  readonly infosets: Readonly<Record<string, { readonly label: string; readonly moves: readonly Move[] }>>;
  readonly chance_moves: Readonly<Record<string, { readonly moves: readonly Move[] }>>;
  readonly payoffs: Readonly<Record<string, readonly string[]>>;
  /** The shown nodes of each infoset. */
  readonly shared_infosets: readonly (readonly number[])[];
  /** The lane of each infoset. */
  readonly lanes?: readonly Lane[];
  /** Only for games that textbooks draw like this. */
  readonly signalling_layout?: Fan;
  /** Notes of the author at nodes and branches, by id. */
  readonly labels?: {
    readonly nodes: Readonly<Record<string, readonly string[]>>;
    readonly branches: Readonly<Record<string, readonly string[]>>;
  };
  /** The id of the focused node. */
  readonly current_node: number;
  readonly breadcrumbs: readonly Crumb[];
  readonly search_result: {
    readonly text: string;
    readonly ids: readonly number[];
    readonly count: number;
    readonly position?: number;
  } | null;
}

/** A solution, for the shown nodes. */
export interface Solution {
  readonly sentences?: readonly string[];
  readonly shown_kind?: "solution" | "path" | "own" | "learning";
  readonly probabilities?: Readonly<Record<string, readonly string[]>>;
  readonly weight?: Readonly<Record<string, readonly number[]>>;
  readonly reach?: readonly number[];
  readonly values?: readonly (readonly string[])[] | null;
  /** Beliefs at infosets with several nodes: text and weight by id, their origin, and their range. */
  readonly beliefs?: Readonly<
    Record<
      string,
      {
        readonly source: "bayes" | "trembles" | "fits" | "open";
        readonly nodes: Readonly<Record<string, readonly [text: string, weight: number]>>;
        readonly range?: Readonly<Record<string, readonly [low: string, high: string]>>;
      }
    >
  > | null;
  readonly highlighted_nodes?: readonly number[];
  readonly best_responses?: Readonly<Record<string, readonly boolean[]>> | null;
  readonly best_response_player?: number | null;
  readonly own_guarantee?: {
    readonly player: number;
    readonly exploitability: string;
    readonly value: string;
    readonly best_value: string;
    readonly responder: number | null;
    readonly text: string;
  } | null;
}

/** `follows` is right given an earlier wrong answer. */
type Mark = "" | "right" | "wrong" | "follows";

/** What an exercise asks on the tree, and the answers so far. */
export interface Task {
  /** `read`: the question is answered elsewhere. */
  readonly question_kind?: "values" | "sets" | "path" | "draw" | "strategy" | "fill" | "strike" | "best" | "read";
  readonly nodes?: Readonly<Record<string, { readonly text: string; readonly mark?: Mark; readonly open?: boolean }>>;
  readonly groups?: readonly (readonly number[])[];
  readonly allowed_nodes?: readonly number[];
  readonly moves?: Readonly<Record<string, number>>;
  /** The ids of nodes whose branches are drawn. */
  readonly drawn_nodes?: readonly number[];
  /** The exercise is solved or its solution is shown, so missing branches are no longer offered. */
  readonly is_over?: boolean;
  /** By node id, or by index of a group. */
  readonly marks?: Readonly<Record<string, Mark>>;
  /** Each node has a field for three or more values. */
  readonly has_many_values?: boolean;
  /** The player whose strategy is asked for, or `null` for all players. */
  readonly player?: number | null;
  readonly score?: string;
}

/** Return whether an exercise asks for the strategy of this player. */
export const asksPlayer = ({ question_kind: asks, player: seat = null }: Task, player: number): boolean =>
  asks === "strategy" && (seat === null || seat === player);

/** Messages from the page to Python. */
export type Message =
  | { readonly kind: "toggle" | "select_node" | "open_table"; readonly id: number }
  | { readonly kind: "unfold"; readonly scope: "all" | "depth" | "player" | "reached"; readonly number?: number }
  | { readonly kind: "fold" | "start_own_strategy" | "delete_own_strategy" }
  | { readonly kind: "show_strategy"; readonly strategy: string }
  | { readonly kind: "find"; readonly text: string }
  | { readonly kind: "go_to_match"; readonly step: 1 | -1 }
  | { readonly kind: "solve"; readonly method?: string }
  | { readonly kind: "select_equilibrium"; readonly index: number }
  | { readonly kind: "go_to_path_point"; readonly index: number }
  | { readonly kind: "mark_best_responses"; readonly player: number | null }
  | { readonly kind: "set_probability"; readonly infoset: number; readonly action: number; readonly probability: string }
  | { readonly kind: "show_matrix" | "show_path"; readonly on: boolean }
  | { readonly kind: "learn"; readonly command: "start" | "stop" | "step" | "close"; readonly number?: number }
  | MatrixMessage;

/** A drawing with fast access. Nodes are indices into its columns. */
export class ShownTree {
  readonly count: number;
  readonly children: readonly (readonly number[])[];
  /** The nodes of each infoset, by row. */
  readonly infosets: readonly (readonly number[])[];
  private readonly indices: ReadonlyMap<number, number>;
  private readonly infosetOf: ReadonlyMap<number, readonly number[]>;

  constructor(
    readonly drawing: Drawing,
    before?: ShownTree,
  ) {
    const { id, parent: up } = drawing.nodes;
    if (before && drawing.layout_id !== undefined && drawing.layout_id === before.drawing.layout_id) {
      this.count = before.count;
      this.children = before.children;
      this.indices = before.indices;
      this.infosets = before.infosets;
      this.infosetOf = before.infosetOf;
      return;
    }
    const kids: number[][] = id.map(() => []);
    for (const [i, parent] of up.entries()) kids[parent]?.push(i);
    this.count = id.length;
    this.children = kids;
    this.indices = new Map(id.map((nodeId, i) => [nodeId, i]));
    const row = (i: number): number => drawing.nodes.row[i] ?? 0;
    this.infosets = drawing.shared_infosets.map((group) => [...group].sort((a, b) => row(a) - row(b)));
    this.infosetOf = new Map(this.infosets.flatMap((group) => group.map((i) => [i, group] as const)));
  }

  /** Return whether chance leads to leaves in adjacent rows, so that probabilities need space. */
  get isCrowded(): boolean {
    return this.children.some((children, i) => this.getActor(i) === CHANCE && children.some((kid) => !this.isOpen(kid)));
  }

  /** Return the index of a node, or -1 if it is not shown. */
  indexOf(id: number): number {
    return this.indices.get(id) ?? -1;
  }

  getId(i: number): number {
    return this.drawing.nodes.id[i] ?? -1;
  }

  getParent(i: number): number {
    return this.drawing.nodes.parent[i] ?? -1;
  }

  getActor(i: number): number {
    return this.drawing.nodes.actor[i] ?? TERMINAL;
  }

  /** Return the key of its infoset, chance move or payoff. */
  getInfoset(i: number): string {
    return String(this.drawing.nodes.info[i] ?? "");
  }

  countHidden(i: number): number {
    return this.drawing.nodes.hidden_count[i] ?? 0;
  }

  getChildren(i: number): readonly number[] {
    return this.children[i] ?? [];
  }

  /** Return which action of the parent leads here. */
  getActionIndex(i: number): number {
    return this.drawing.nodes.action[i] ?? 0;
  }

  getSiblings(i: number): readonly number[] {
    const up = this.getParent(i);
    return up < 0 ? [i] : this.getChildren(up);
  }

  /** Return the action that leads here. The root has none. */
  getMove(i: number): Move | undefined {
    const up = this.getParent(i);
    if (up < 0) return undefined;
    const { infosets: sets, chance_moves: chances } = this.drawing;
    return (this.getActor(up) === CHANCE ? chances : sets)[this.getInfoset(up)]?.moves[this.getActionIndex(i)];
  }

  /** Return the author's notes on the branch that leads here. */
  getBranchNotes(i: number): readonly string[] {
    return this.drawing.labels?.branches[this.getId(i)] ?? [];
  }

  /** Return the author's notes at this node. */
  getNodeLabels(i: number): readonly string[] {
    return this.drawing.labels?.nodes[this.getId(i)] ?? [];
  }

  /** Return whether this is the card game. */
  get hasCards(): boolean {
    return Object.values(this.drawing.infosets).some(({ moves }) => moves.some(({ verb }) => verb !== undefined));
  }

  /** Return what the player to act knows. */
  getKnowledge(i: number): string {
    return this.getActor(i) >= 0 ? (this.drawing.infosets[this.getInfoset(i)]?.label ?? "") : "";
  }

  /** Return the payoffs of a terminal node. */
  getPayoffs(i: number): readonly string[] {
    return this.getActor(i) === TERMINAL ? (this.drawing.payoffs[this.getInfoset(i)] ?? []) : [];
  }

  /** Return whether the node can be folded or unfolded. */
  canFold(i: number): boolean {
    return this.countHidden(i) > 0 || this.getChildren(i).length > 0;
  }

  isOpen(i: number): boolean {
    return this.getChildren(i).length > 0;
  }

  /** Return the path from the root. */
  getPath(i: number): number[] {
    const path: number[] = [];
    for (let node = i; node >= 0; node = this.getParent(node)) path.push(node);
    return path.reverse();
  }

  /** Return the id of the nearest ancestor, or itself, that was shown before. */
  findAnchor(i: number, before: ShownTree): number | undefined {
    for (let node = i; node >= 0; node = this.getParent(node)) if (before.indexOf(this.getId(node)) >= 0) return this.getId(node);
    return undefined;
  }

  /** Return all shown nodes of its infoset. */
  getInfosetNodes(i: number): readonly number[] {
    return this.infosetOf.get(i) ?? [i];
  }
}

/** What is needed to describe a node. */
export interface NodeContext {
  readonly tree: ShownTree;
  readonly solution: Solution;
  readonly task: Task;
  readonly words: Words;
}

/** Describe a node in sentences. */
export function describeNode(i: number, { tree, solution, task, words }: NodeContext): string[] {
  const { drawing } = tree;
  const id = tree.getId(i);
  const name = (player: number): string => drawing.players[player] ?? String(player + 1);
  const formatPayoffs = (texts: readonly string[]): string =>
    texts.map((text, player) => `${name(player)} ${formatMinus(text)}`).join(", ");
  const sentences: string[] = [];
  const move = tree.getMove(i);
  if (move) {
    const { probability, best } = findProbability(i, { tree, solution });
    const weight = move.probability
      ? words.say("tree.likely", { likely: move.probability })
      : probability
        ? words.say("tree.weight", { likely: probability })
        : "";
    // Keep the case of the action. In some games capitals and small letters are different actions.
    sentences.push([move.text, weight, best ? words.say("tree.is_best") : ""].filter(Boolean).join(", "), ...tree.getBranchNotes(i));
  } else sentences.push(words.say("tree.root"));
  if (isUndrawn(i, tree, task)) return [...sentences, words.say("tree.undrawn")];
  const actor = tree.getActor(i);
  if (actor === TERMINAL) sentences.push(words.say("tree.end", { worth: formatPayoffs(tree.getPayoffs(i)) }));
  else if (actor === CHANCE) sentences.push(words.say("tree.chance_acts"));
  else {
    const knowledge = tree.getKnowledge(i);
    sentences.push(
      knowledge
        ? words.say("tree.acts_knowing", { player: name(actor), knows: knowledge })
        : words.say("tree.acts", { player: name(actor) }),
    );
    const infosetSize = tree.getInfosetNodes(i).length;
    if (infosetSize > 1) sentences.push(words.sayCount("tree.fellows", infosetSize));
  }
  sentences.push(...describeBelief(i, tree, solution, words), ...tree.getNodeLabels(i));
  const value = solution.values?.[i];
  if (value?.length && actor !== TERMINAL) sentences.push(words.say("tree.worth", { worth: formatPayoffs(value) }));
  if (solution.highlighted_nodes?.includes(id)) sentences.push(words.say("tree.is_lit"));
  if (tree.countHidden(i) && !tree.isOpen(i)) sentences.push(words.sayCount("tree.hidden", tree.countHidden(i)));
  const mark = task.nodes?.[id]?.mark ?? (task.question_kind === "path" || task.question_kind === "draw" ? task.marks?.[id] : undefined);
  if (mark) sentences.push(capitalize(words.say(`mark.${mark}`)));
  return sentences.filter(Boolean);
}

/** Describe the belief at this node and its origin. */
function describeBelief(i: number, tree: ShownTree, { beliefs }: Solution, words: Words): string[] {
  const belief = tree.getActor(i) >= 0 ? beliefs?.[tree.getInfoset(i)] : undefined;
  const [probability] = belief?.nodes[tree.getId(i)] ?? [];
  if (!belief || probability === undefined) return [];
  const [low, high] = belief.range?.[tree.getId(i)] ?? [];
  const range = low !== undefined && high !== undefined ? [words.say("belief.range", { low, high })] : [];
  const { source: by } = belief;
  return [by === "open" ? words.say("belief.open") : words.say(`belief.${by}`, { likely: probability }), ...range].map(capitalize);
}

/** Return what the solution says about the branch that leads here. */
export function findProbability(
  i: number,
  { tree, solution }: Pick<NodeContext, "tree" | "solution">,
): { probability?: string | undefined; weight?: number | undefined; best: boolean } {
  const parent = tree.getParent(i);
  if (parent < 0 || tree.getActor(parent) < 0) return { best: false };
  const set = tree.getInfoset(parent);
  const action = tree.getActionIndex(i);
  return {
    probability: solution.probabilities?.[set]?.[action],
    weight: solution.weight?.[set]?.[action],
    best: Boolean(solution.best_responses?.[set]?.[action]),
  };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Replace a leading hyphen by a minus sign. */
export const formatMinus = (text: string): string => text.replace(/^-/, "\u2212");

/** Return a letter for each player: the initial if all differ, otherwise a number. */
export function makePlayerLetters(seats: readonly string[]): string[] {
  const first = seats.map((name) => [...name.trim()][0]?.toLocaleUpperCase() ?? "");
  return new Set(first).size === seats.length && first.every((letter) => /\p{L}/u.test(letter))
    ? first
    : seats.map((_, i) => String(i + 1));
}

/** The part of a drawing that changes with layout or names. */
export interface PackedDrawing extends Omit<Drawing, keyof FocusState | "nodes" | "infosets"> {
  readonly nodes: Readonly<Record<keyof Nodes, DataView>>;
  readonly moves: readonly Move[];
  /** The knowledge at an infoset, and the indices of its actions. */
  readonly infosets: Readonly<Record<string, readonly [label: string, ...moves: number[]]>>;
}

/** The part of a drawing that changes at every step. */
export type FocusState = Pick<Drawing, "id" | "current_node" | "breadcrumbs" | "search_result">;

/** Read the little-endian numbers of a column. */
const readColumn = ({ buffer, byteOffset, byteLength }: DataView, kind: typeof Int32Array | typeof Float64Array): number[] =>
  Array.from(new kind(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer));

/** Unpack a drawing, without its focus. */
export function unpackDrawing({ moves, infosets: sets, nodes, ...rest }: PackedDrawing): Omit<Drawing, keyof FocusState> {
  const columns = Object.entries(nodes).map(([name, column]) => [name, readColumn(column, name === "row" ? Float64Array : Int32Array)]);
  const infosets = Object.entries(sets).map(([key, [knowledge, ...moveIndices]]) => [
    key,
    { label: knowledge, moves: moveIndices.map((moveIndex) => moves[moveIndex]) },
  ]);
  return { ...rest, nodes: Object.fromEntries(columns) as Nodes, infosets: Object.fromEntries(infosets) as Drawing["infosets"] };
}

/** Reads drawings and unpacks only what has changed. */
export class DrawingReader {
  private packedDrawing: PackedDrawing | undefined;
  private focusState: FocusState | undefined;
  private unpackedDrawing: Omit<Drawing, keyof FocusState> | undefined;
  private drawing: Drawing | undefined;

  constructor(private readonly host: Pick<WidgetHost, "get">) {}

  read(): Drawing {
    const packedDrawing = this.host.get<PackedDrawing>("drawing_view");
    const focusState = this.host.get<FocusState>("focus_view");
    if (this.drawing && packedDrawing === this.packedDrawing && focusState === this.focusState) return this.drawing;
    if (!this.unpackedDrawing || packedDrawing !== this.packedDrawing) this.unpackedDrawing = unpackDrawing(packedDrawing);
    [this.packedDrawing, this.focusState] = [packedDrawing, focusState];
    this.drawing = { ...this.unpackedDrawing, ...focusState };
    return this.drawing;
  }
}

/** Return whether the branch to this node was chosen or drawn. */
export function isChosen(i: number, tree: ShownTree, task: Task): boolean {
  if (task.question_kind === "draw") return Boolean(task.drawn_nodes?.includes(tree.getId(i)));
  return task.question_kind === "path" && task.moves?.[tree.getId(tree.getParent(i))] === tree.getActionIndex(i);
}

/** Return the mark of a branch. A path has it at the node that acts, a drawing at the node it leads to. */
export const findMark = (i: number, tree: ShownTree, task: Task): string | undefined =>
  task.marks?.[task.question_kind === "draw" ? tree.getId(i) : tree.getId(tree.getParent(i))] || undefined;

/** Return whether the branch to this node can still be drawn. */
export const isUndrawn = (i: number, tree: ShownTree, task: Task): boolean =>
  task.question_kind === "draw" && tree.getParent(i) >= 0 && !isChosen(i, tree, task);
