/** The protocol of the editors: the sketches that Python sends, and the messages of the page. */

import type { Shown } from "../board/protocol/tree-drawing";
import type { Words } from "../widgets/protocol/words";

const KINDS = { move: "rename", likely: "likely", pays: "pay", knows: "know" } as const;

export interface Sketch {
  /** Another number after each step. */
  readonly turn: number;
  readonly undo: boolean;
  readonly redo: boolean;
  readonly copied: boolean;
  /** What was done last, in a sentence. */
  readonly did: string;
  /** The place to which a branch leads that was just drawn; -1 for none. */
  readonly fresh: number;
  /** What is missing, and where. */
  readonly lacks: readonly { readonly id: number; readonly said: string }[];
  /** How much more is. */
  readonly more: string;
  /** Numbers as they are, where the drawing rounds them; and where chance leads with what others leave. */
  readonly pays: Readonly<Record<string, string>>;
  readonly likely: Readonly<Record<string, string>>;
  readonly shared: readonly number[];
}

/** What can be typed at a place. */
export type Field = "move" | "likely" | "pays" | "knows";

/** What may come out of it as a text. */
export type Export = "efg" | "nfg" | "python" | "svg" | "tikz";

/** What the page asks of Python. */
export type SketchMessage =
  | { readonly kind: "chance" | "remove" | "cut" | "part" | "copy" | "look"; readonly id: number }
  | { readonly kind: "move"; readonly id: number; readonly seat?: number }
  | { readonly kind: "give"; readonly id: number; readonly seat: number }
  | { readonly kind: "shift"; readonly id: number; readonly step: 1 | -1 }
  | { readonly kind: "rename" | "likely" | "pay" | "know"; readonly id: number; readonly text: string }
  | { readonly kind: "join"; readonly id: number; readonly other: number }
  | { readonly kind: "paste"; readonly id: number; readonly joined: boolean }
  | { readonly kind: "player"; readonly seat: number; readonly text: string }
  | { readonly kind: "drop_player"; readonly seat: number }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "add_player" | "undo" | "redo" }
  | { readonly kind: "export"; readonly what: Export };

/** What the parts may ask of the page that they stand on. */
export interface Pad {
  readonly root: HTMLElement;
  /** Everything that a part listens to ends with it. */
  readonly signal: AbortSignal;
  words(): Words;
  shown(): Shown;
  sketch(): Sketch;
  /** The place of the node that is looked at. */
  at(): number;
  send(message: SketchMessage): void;
  /** Say something to a screen reader. */
  announce(said: string): void;
  /** Look at a place, by its number, with the keys on the tree. */
  go(id: number): void;
  /** Type there, on the tree itself. */
  write(id: number, field: Field): void;
}

/** What stands in a field, as one would type it; nothing where nothing was typed yet. */
export function typed(pad: Pad, id: number, field: Field): string {
  const { pays, likely, shared } = pad.sketch();
  const shown = pad.shown();
  const i = shown.place(id);
  switch (field) {
    case "move":
      return shown.move(i)?.said ?? "";
    case "likely":
      return shared.includes(id) ? "" : (likely[id] ?? shown.move(i)?.likely ?? "");
    case "pays":
      return pays[id] ?? (shown.pays(i).includes("?") ? "" : shown.pays(i).join(", "));
    case "knows":
      return shown.knows(i);
  }
}

/** Send what was typed, if that is something else than what stands there; whether it was. */
export function send(pad: Pad, id: number, field: Field, text: string): boolean {
  const said = text.trim();
  if (said === typed(pad, id, field) || pad.shown().place(id) < 0) return false;
  pad.send({ kind: KINDS[field], id, text: said });
  return true;
}

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
