/** The protocol of a matrix: what Python sends, and the messages of the page. */

type Pair<T> = readonly [first: T, second: T];
export type Mark = "" | "right" | "wrong";

export interface MatrixData {
  readonly names: Pair<string>;
  /** Each strategy in short and in full. */
  readonly rows: readonly Pair<string>[];
  readonly columns: readonly Pair<string>[];
  /** The payoff pairs. `cells` has indices into this list, and −1 for cells that an exercise asks for. */
  readonly payoffs: readonly Pair<string>[];
  readonly cells: readonly (readonly number[])[];
  /** The game is zero-sum. */
  readonly is_zero_sum: boolean;
  /** A note if strategies that differ only in unreached nodes are merged. */
  readonly reduction_note: string;
  /** Both payoffs are shown. */
  readonly pairs: boolean;
  /** Best responses are marked. */
  readonly marks: boolean;
  /** A digit for each cell: 1 if the row is a best response, 2 for the column, 3 for both. */
  readonly best_responses: readonly string[];
  readonly eliminated: readonly Pair<number>[];
  readonly steps: readonly string[];
  readonly can: { readonly eliminate: boolean; readonly undo: boolean };
  readonly selected: Pair<number> | null;
  readonly text: string;
  readonly equilibria: EquilibriumList | null;
  /** The nodes of the tree that the selected cell leads to. */
  readonly reached_nodes: readonly number[];
  /** Whether each strategy leads to the focused node. */
  readonly leading_strategies: Pair<readonly boolean[]> | null;
}

/** Equilibria. */
export interface EquilibriumList {
  readonly list: readonly string[];
  readonly notes: readonly string[];
  /** Groups of equilibria with a common convex set, if there are infinitely many. */
  readonly nash_subsets: readonly (readonly number[])[];
  readonly shown_index: number | null;
  /** The probability of each strategy in the shown equilibrium. */
  readonly rows?: readonly string[];
  readonly columns?: readonly string[];
}

/** What an exercise asks on a matrix, and the answers so far. */
export interface MatrixTask {
  readonly question_kind?: string;
  readonly cells?: Readonly<Record<string, { readonly text: string; readonly mark?: Mark; readonly open?: boolean }>>;
  readonly eliminated?: readonly Pair<number>[];
  readonly marked?: readonly (readonly [seat: number, row: number, column: number])[];
  /** Both payoffs of a cell are marked together. */
  readonly marks_whole_cells?: boolean;
  /** Keys are `seat,place` or `seat,row,column`. */
  readonly marks?: Readonly<Record<string, Mark>>;
}

export type MatrixMessage =
  | { readonly kind: "select_cell"; readonly row: number | null; readonly column: number | null }
  | { readonly kind: "eliminate"; readonly player?: number; readonly strategy?: number }
  | { readonly kind: "undo_elimination" }
  | { readonly kind: "show_best_responses" | "show_both_payoffs" | "list_equilibria"; readonly on: boolean }
  | { readonly kind: "show_equilibrium"; readonly index: number | null }
  | ({ readonly kind: "answer" } & Readonly<Record<string, unknown>>);
