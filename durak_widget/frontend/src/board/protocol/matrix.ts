/** The protocol of a matrix: what Python sends, and the messages of the page. */

type Pair<T> = readonly [first: T, second: T];
export type Mark = "" | "right" | "wrong";

export interface MatrixData {
  readonly names: Pair<string>;
  /** Each strategy in short and in full. */
  readonly rows: readonly Pair<string>[];
  readonly columns: readonly Pair<string>[];
  /** The payoff pairs. `cells` has indices into this list, and −1 for cells that an exercise asks for. */
  readonly worths: readonly Pair<string>[];
  readonly cells: readonly (readonly number[])[];
  /** The game is zero-sum. */
  readonly zero: boolean;
  /** A note if strategies that differ only in unreached nodes are merged. */
  readonly reduced: string;
  /** Both payoffs are shown. */
  readonly pairs: boolean;
  /** Best responses are marked. */
  readonly marks: boolean;
  /** A digit for each cell: 1 if the row is a best response, 2 for the column, 3 for both. */
  readonly best: readonly string[];
  readonly struck: readonly Pair<number>[];
  readonly steps: readonly string[];
  readonly may: { readonly strike: boolean; readonly undo: boolean };
  readonly selected: Pair<number> | null;
  readonly said: string;
  readonly found: EquilibriumList | null;
  /** The nodes of the tree that the selected cell leads to. */
  readonly paths: readonly number[];
  /** Whether each strategy leads to the focused node. */
  readonly leads: Pair<readonly boolean[]> | null;
}

/** Equilibria. */
export interface EquilibriumList {
  readonly list: readonly string[];
  readonly note: readonly string[];
  /** Groups of equilibria with a common convex set, if there are infinitely many. */
  readonly together: readonly (readonly number[])[];
  readonly at: number | null;
  /** The probability of each strategy in the shown equilibrium. */
  readonly rows?: readonly string[];
  readonly columns?: readonly string[];
}

/** What an exercise asks on a matrix, and the answers so far. */
export interface MatrixTask {
  readonly asks?: string;
  readonly cells?: Readonly<Record<string, { readonly text: string; readonly mark?: Mark; readonly open?: boolean }>>;
  readonly struck?: readonly Pair<number>[];
  readonly marked?: readonly (readonly [seat: number, row: number, column: number])[];
  /** Both payoffs of a cell are marked together. */
  readonly whole?: boolean;
  /** Keys are `seat,place` or `seat,row,column`. */
  readonly marks?: Readonly<Record<string, Mark>>;
}

export type MatrixMessage =
  | { readonly kind: "cell"; readonly row: number | null; readonly column: number | null }
  | { readonly kind: "strike"; readonly seat?: number; readonly place?: number }
  | { readonly kind: "unstrike" }
  | { readonly kind: "marks" | "pairs" | "equilibria"; readonly on: boolean }
  | { readonly kind: "mix"; readonly place: number | null }
  | ({ readonly kind: "give" } & Readonly<Record<string, unknown>>);
