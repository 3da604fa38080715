/** What Python tells of a matrix that is written by hand, and what the page asks of it. */

export interface Cells {
  /** Another number after each step. */
  readonly turn: number;
  readonly undo: boolean;
  readonly redo: boolean;
  /** What was done last, in a sentence. */
  readonly did: string;
  /** Who has the rows, and who the columns. */
  readonly names: readonly [string, string];
  readonly plans: readonly [readonly string[], readonly string[]];
  /** What stands in each cell, as one types it; nothing where nothing is typed yet. */
  readonly cells: readonly (readonly string[])[];
  readonly lacks: readonly { readonly row: number; readonly column: number; readonly said: string }[];
  readonly more: string;
}

export type CellMessage =
  | { readonly kind: "put"; readonly row: number; readonly column: number; readonly text: string }
  | { readonly kind: "add"; readonly seat: number }
  | { readonly kind: "drop"; readonly seat: number; readonly place: number }
  | { readonly kind: "shift"; readonly seat: number; readonly place: number; readonly step: 1 | -1 }
  | { readonly kind: "plan"; readonly seat: number; readonly place: number; readonly text: string }
  | { readonly kind: "player"; readonly seat: number; readonly text: string }
  | { readonly kind: "undo" | "redo" };
