/** The protocol of the editors: data from Python and messages of the page. */

import type { ShownTree } from "../board/protocol/tree-drawing";
import type { Words } from "../widgets/protocol/words";

const MESSAGE_KINDS = { move: "rename_action", probability: "set_probability", payoffs: "set_payoffs", label: "set_label" } as const;

export interface Sketch {
  /** Changes after each step. */
  readonly version: number;
  readonly can_undo: boolean;
  readonly can_redo: boolean;
  readonly has_copy: boolean;
  /** The last step, in a sentence. */
  readonly last_step: string;
  /** The id of the node of a new branch, or -1. */
  readonly new_node: number;
  /** What is missing, with its node. */
  readonly missing: readonly { readonly id: number; readonly text: string }[];
  /** How much more is missing. */
  readonly more_missing: string;
  /** Exact payoffs and probabilities, where the drawing rounds them. `shared` lists chance moves that share the rest. */
  readonly payoffs: Readonly<Record<string, string>>;
  readonly probabilities: Readonly<Record<string, string>>;
  readonly sharing_nodes: readonly number[];
}

/** A field of a node. */
export type FieldName = "move" | "probability" | "payoffs" | "label";

/** The formats of text exports. */
export type Export = "efg" | "nfg" | "python" | "svg" | "tikz";

/** Messages from the page to Python. */
export type SketchMessage =
  | {
      readonly kind: "add_chance_move" | "remove_branch" | "remove_children" | "split_infoset" | "copy" | "select_node";
      readonly id: number;
    }
  | { readonly kind: "add_action"; readonly id: number; readonly player?: number }
  | { readonly kind: "set_actor"; readonly id: number; readonly player: number }
  | { readonly kind: "shift_branch"; readonly id: number; readonly step: 1 | -1 }
  | { readonly kind: "rename_action" | "set_probability" | "set_payoffs" | "set_label"; readonly id: number; readonly text: string }
  | { readonly kind: "join_infosets"; readonly id: number; readonly other: number }
  | { readonly kind: "paste"; readonly id: number; readonly joined: boolean }
  | { readonly kind: "rename_player"; readonly player: number; readonly text: string }
  | { readonly kind: "remove_player"; readonly player: number }
  | { readonly kind: "set_title"; readonly text: string }
  | { readonly kind: "add_player" | "undo" | "redo" }
  | { readonly kind: "export"; readonly format: Export };

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
  /** Return whether Python refused a message since the draft last changed. */
  hasRefused(): boolean;
  /** Announce a message to screen readers. */
  announce(message: string): void;
  /** Focus a node by its id. */
  focusNode(id: number): void;
  /** Open a field on the tree. */
  editField(id: number, field: FieldName): void;
}

/** Return the text of a field, as the user would type it. Empty if nothing was typed yet. */
export function readField(host: EditorHost, id: number, field: FieldName): string {
  const { payoffs, probabilities, sharing_nodes: shared } = host.sketch();
  const tree = host.getTree();
  const i = tree.indexOf(id);
  switch (field) {
    case "move":
      return tree.getMove(i)?.text ?? "";
    case "probability":
      return shared.includes(id) ? "" : (probabilities[id] ?? tree.getMove(i)?.probability ?? "");
    case "payoffs":
      return payoffs[id] ?? (tree.getPayoffs(i).includes("?") ? "" : tree.getPayoffs(i).join(", "));
    case "label":
      return tree.getKnowledge(i);
  }
}

/** Send the text of a field if it differs, or if Python refused a text before. Return whether it differs. */
export function sendField(host: EditorHost, id: number, field: FieldName, text: string): boolean {
  const value = text.trim();
  if (host.getTree().indexOf(id) < 0) return false;
  const isDifferent = value !== readField(host, id, field);
  if (isDifferent || host.hasRefused()) host.send({ kind: MESSAGE_KINDS[field], id, text: value });
  return isDifferent;
}

export interface Cells {
  /** Changes after each step. */
  readonly version: number;
  readonly can_undo: boolean;
  readonly can_redo: boolean;
  /** The last step, in a sentence. */
  readonly last_step: string;
  /** The players of the rows and the columns. */
  readonly names: readonly [string, string];
  readonly strategies: readonly [readonly string[], readonly string[]];
  /** The text of each cell, as the user types it. Empty if nothing was typed yet. */
  readonly cells: readonly (readonly string[])[];
  readonly missing: readonly { readonly row: number; readonly column: number; readonly text: string }[];
  readonly more_missing: string;
}

export type CellMessage =
  | { readonly kind: "set_cell" | "paste_table"; readonly row: number; readonly column: number; readonly text: string }
  | { readonly kind: "add_strategy"; readonly player: number }
  | { readonly kind: "remove_strategy"; readonly player: number; readonly index: number }
  | { readonly kind: "shift_strategy"; readonly player: number; readonly index: number; readonly step: 1 | -1 }
  | { readonly kind: "rename_strategy"; readonly player: number; readonly index: number; readonly text: string }
  | { readonly kind: "rename_player"; readonly player: number; readonly text: string }
  | { readonly kind: "undo" | "redo" };
