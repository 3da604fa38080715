/** What Python tells of a matrix, as types; and what a person means on it. */

type Pair<T> = readonly [first: T, second: T];
export type Mark = "" | "right" | "wrong";

export interface Told {
  readonly names: Pair<string>;
  /** Each plan in short, and in full. */
  readonly rows: readonly Pair<string>[];
  readonly columns: readonly Pair<string>[];
  /** What a cell may be worth to each; `cells` has the places of these, and −1 where that is asked for. */
  readonly worths: readonly Pair<string>[];
  readonly cells: readonly (readonly number[])[];
  /** What one wins the other loses. */
  readonly zero: boolean;
  /** That plans are written once which differ only where one's own moves never lead, where that is so. */
  readonly reduced: string;
  /** Both payoffs are shown. */
  readonly pairs: boolean;
  /** Best responses are marked. */
  readonly marks: boolean;
  /** A row of digits each: 1 where the row is a best response, 2 where the column is, 3 both. */
  readonly best: readonly string[];
  readonly struck: readonly Pair<number>[];
  readonly steps: readonly string[];
  readonly may: { readonly strike: boolean; readonly undo: boolean };
  readonly selected: Pair<number> | null;
  readonly said: string;
  readonly found: Found | null;
  /** The histories of a tree to which the selected cell leads. */
  readonly paths: readonly number[];
  /** The plans of each that lead to the history that is looked at. */
  readonly leads: Pair<readonly boolean[]> | null;
}

/** Equilibria. */
export interface Found {
  readonly list: readonly string[];
  readonly note: readonly string[];
  /** Which of them stand together, where there are infinitely many. */
  readonly together: readonly (readonly number[])[];
  readonly at: number | null;
  /** How likely each plan is in the one that is shown. */
  readonly rows?: readonly string[];
  readonly columns?: readonly string[];
}

/** What an exercise asks on a matrix, and what is given so far. */
export interface MatrixTask {
  readonly asks?: string;
  readonly cells?: Readonly<Record<string, { readonly text: string; readonly mark?: Mark; readonly open?: boolean }>>;
  readonly struck?: readonly Pair<number>[];
  readonly marked?: readonly (readonly [seat: number, row: number, column: number])[];
  /** Both payoffs of a cell are marked at once. */
  readonly whole?: boolean;
  /** By `seat,place`, or by `seat,row,column`. */
  readonly marks?: Readonly<Record<string, Mark>>;
}

export type MatrixMessage =
  | { readonly kind: "cell"; readonly row: number | null; readonly column: number | null }
  | { readonly kind: "strike"; readonly seat?: number; readonly place?: number }
  | { readonly kind: "unstrike" }
  | { readonly kind: "marks" | "pairs" | "equilibria"; readonly on: boolean }
  | { readonly kind: "mix"; readonly place: number | null }
  | ({ readonly kind: "give" } & Readonly<Record<string, unknown>>);
