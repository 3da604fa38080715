/** The protocol of the editors: data from Python and messages of the page. */

import type { ShownTree } from "../board/protocol/tree-drawing";
import type { Words } from "../widgets/protocol/words";

const MESSAGE_KINDS = { move: "rename", likely: "likely", pays: "pay", knows: "know" } as const;

export interface Sketch {
  /** Changes after each step. */
  readonly turn: number;
  readonly undo: boolean;
  readonly redo: boolean;
  readonly copied: boolean;
  /** The last step, in a sentence. */
  readonly did: string;
  /** The id of the node of a new branch, or -1. */
  readonly fresh: number;
  /** What is missing, with its node. */
  readonly lacks: readonly { readonly id: number; readonly said: string }[];
  /** How much more is missing. */
  readonly more: string;
  /** Exact payoffs and probabilities, where the drawing rounds them. `shared` lists chance moves that share the rest. */
  readonly pays: Readonly<Record<string, string>>;
  readonly likely: Readonly<Record<string, string>>;
  readonly shared: readonly number[];
}

/** A field of a node. */
export type FieldName = "move" | "likely" | "pays" | "knows";

/** The formats of text exports. */
export type Export = "efg" | "nfg" | "python" | "svg" | "tikz";

/** Messages from the page to Python. */
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

/** What the parts need from their page. */
export interface EditorHost {
  readonly root: HTMLElement;
  /** Ends all listeners of the parts. */
  readonly signal: AbortSignal;
  words(): Words;
  getTree(): ShownTree;
  sketch(): Sketch;
  /** Return the index of the focused node. */
  getFocus(): number;
  send(message: SketchMessage): void;
  /** Announce a message to screen readers. */
  announce(message: string): void;
  /** Focus a node by its id. */
  focusNode(id: number): void;
  /** Open a field on the tree. */
  editField(id: number, field: FieldName): void;
}

/** Return the text of a field, as the user would type it. Empty if nothing was typed yet. */
export function readField(host: EditorHost, id: number, field: FieldName): string {
  const { pays: payoffs, likely: probabilities, shared } = host.sketch();
  const tree = host.getTree();
  const i = tree.indexOf(id);
  switch (field) {
    case "move":
      return tree.getMove(i)?.said ?? "";
    case "likely":
      return shared.includes(id) ? "" : (probabilities[id] ?? tree.getMove(i)?.likely ?? "");
    case "pays":
      return payoffs[id] ?? (tree.getPayoffs(i).includes("?") ? "" : tree.getPayoffs(i).join(", "));
    case "knows":
      return tree.getKnowledge(i);
  }
}

/** Send the text of a field if it differs. Return whether it was sent. */
export function sendField(host: EditorHost, id: number, field: FieldName, text: string): boolean {
  const value = text.trim();
  if (value === readField(host, id, field) || host.getTree().indexOf(id) < 0) return false;
  host.send({ kind: MESSAGE_KINDS[field], id, text: value });
  return true;
}

export interface Cells {
  /** Changes after each step. */
  readonly turn: number;
  readonly undo: boolean;
  readonly redo: boolean;
  /** The last step, in a sentence. */
  readonly did: string;
  /** The players of the rows and the columns. */
  readonly names: readonly [string, string];
  readonly plans: readonly [readonly string[], readonly string[]];
  /** The text of each cell, as the user types it. Empty if nothing was typed yet. */
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
