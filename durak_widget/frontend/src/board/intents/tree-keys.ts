/** The keys of a tree: what each key does, and where arrow keys lead. */

import type { Key } from "../../widgets/protocol/words";
import type { ShownTree } from "../protocol/tree-drawing";
import type { Direction } from "../view/tree-layout";

/** What a key does, except arrow keys. */
export type KeyAction =
  | "use"
  | "fold"
  | "escape"
  | "nearer"
  | "farther"
  | "fit"
  | "find"
  | "next"
  | "previous"
  | "table"
  | "values"
  | "beliefs"
  | "turn"
  | "choose"
  | "pick"
  | "probability"
  | "help";

interface KeyRow {
  readonly caps: readonly string[];
  readonly label: Key;
  readonly actions: Readonly<Record<string, KeyAction>>;
}

/** All keys of a tree: what they do, and how the help lists them. */
export const KEYS: readonly KeyRow[] = [
  { caps: ["←", "→", "↑", "↓"], label: "tree.keys.walk", actions: {} },
  { caps: ["Home", "End"], label: "tree.keys.ends", actions: {} },
  { caps: ["Enter"], label: "tree.keys.use", actions: { Enter: "use", " ": "fold" } },
  { caps: ["+", "−", "0"], label: "tree.keys.zoom", actions: { "+": "nearer", "=": "nearer", "-": "farther", _: "farther", "0": "fit" } },
  { caps: ["/"], label: "tree.find", actions: { "/": "find" } },
  { caps: ["N", "P"], label: "tree.keys.found", actions: { n: "next", p: "previous" } },
  { caps: ["M"], label: "tree.keys.choose", actions: { m: "choose" } },
  { caps: ["V"], label: "tree.values", actions: { v: "values" } },
  { caps: ["B"], label: "tree.beliefs", actions: { b: "beliefs" } },
  { caps: ["L"], label: "solution.keys", actions: { l: "probability" } },
  { caps: ["R"], label: "tree.direction", actions: { r: "turn" } },
  { caps: ["T"], label: "tree.table", actions: { t: "table" } },
  { caps: ["Esc"], label: "tree.keys.escape", actions: { Escape: "escape" } },
  { caps: ["?"], label: "help", actions: { "?": "help" } },
];

const KEY_ACTIONS = /* @__PURE__ */ new Map(/* @__PURE__ */ KEYS.flatMap(({ actions }) => Object.entries(actions))); // This lets bundles without these keys drop them.

export type WalkKey = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";
type Step = "parent" | "child" | "before" | "after" | "root" | "last";

const WALK_STEPS: Readonly<Record<Direction, Readonly<Record<WalkKey, Step>>>> = {
  right: { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after", Home: "root", End: "last" },
  down: { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after", Home: "root", End: "last" },
};

/** Return the action of a key. Letters also count by their position on a Latin keyboard, for other scripts. */
export function findKeyAction({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): KeyAction | undefined {
  if (key === " " && shiftKey) return "pick";
  const latin = code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
  return KEY_ACTIONS.get(key.length === 1 ? key.toLowerCase() : key) ?? KEY_ACTIONS.get(latin);
}

/** Return whether a key moves the focus to another node. */
export const isWalk = (key: string): key is WalkKey => key in WALK_STEPS.right;

/** Return whether this arrow leads from a node to its children. */
export const leadsToChildren = (key: WalkKey, direction: Direction): boolean => WALK_STEPS[direction][key] === "child";

/** Return the node that a key leads to, or the same node. */
export function findWalkTarget(tree: ShownTree, node: number, key: WalkKey, direction: Direction): number {
  switch (WALK_STEPS[direction][key]) {
    case "parent":
      return Math.max(tree.getParent(node), 0);
    case "child":
      return tree.getChildren(node)[0] ?? node;
    case "root":
      return 0;
    case "last":
      return tree.count - 1;
    case "before":
      return findNeighbour(tree, node, -1);
    case "after":
      return findNeighbour(tree, node, 1);
  }
}

/** Return the next node on the same level. If there is none, return the nearest leaf on a shallower level. */
function findNeighbour(tree: ShownTree, node: number, step: 1 | -1): number {
  const { level: levels } = tree.drawing.nodes;
  const nodeLevel = levels[node] ?? 0;
  let shallower = node;
  for (let i = node + step; i >= 0 && i < tree.count; i += step) {
    if (levels[i] === nodeLevel) return i;
    // A shallower leaf is not on the path to this node.
    if ((levels[i] ?? 0) < nodeLevel && shallower === node && !tree.isOpen(i)) shallower = i;
  }
  return shallower;
}
