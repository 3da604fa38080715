/** The keys of a tree: what each key does, and where arrow keys lead. */

import type { Key } from "../../widgets/protocol/words";
import type { Shown } from "../protocol/tree-drawing";
import type { Direction } from "../view/tree-layout";

/** What a key does, besides the arrows. */
export type Deed =
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
  | "likely"
  | "help";

interface Row {
  readonly caps: readonly string[];
  readonly says: Key;
  readonly does: Readonly<Record<string, Deed>>;
}

/** Every key of a tree: what it does, and how the help lists it. */
export const KEYS: readonly Row[] = [
  { caps: ["←", "→", "↑", "↓"], says: "tree.keys.walk", does: {} },
  { caps: ["Home", "End"], says: "tree.keys.ends", does: {} },
  { caps: ["Enter"], says: "tree.keys.use", does: { Enter: "use", " ": "fold" } },
  { caps: ["+", "−", "0"], says: "tree.keys.zoom", does: { "+": "nearer", "=": "nearer", "-": "farther", _: "farther", "0": "fit" } },
  { caps: ["/"], says: "tree.find", does: { "/": "find" } },
  { caps: ["N", "P"], says: "tree.keys.found", does: { n: "next", p: "previous" } },
  { caps: ["M"], says: "tree.keys.choose", does: { m: "choose" } },
  { caps: ["V"], says: "tree.values", does: { v: "values" } },
  { caps: ["B"], says: "tree.beliefs", does: { b: "beliefs" } },
  { caps: ["L"], says: "solution.keys", does: { l: "likely" } },
  { caps: ["R"], says: "tree.direction", does: { r: "turn" } },
  { caps: ["T"], says: "tree.table", does: { t: "table" } },
  { caps: ["Esc"], says: "tree.keys.escape", does: { Escape: "escape" } },
  { caps: ["?"], says: "help", does: { "?": "help" } },
];

const DEEDS = /* @__PURE__ */ new Map(/* @__PURE__ */ KEYS.flatMap(({ does }) => Object.entries(does))); // a bundle without these keys leaves them out

export type Walk = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";
type Step = "parent" | "child" | "before" | "after" | "root" | "last";

const STEPS: Readonly<Record<Direction, Readonly<Record<Walk, Step>>>> = {
  right: { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after", Home: "root", End: "last" },
  down: { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after", Home: "root", End: "last" },
};

/** What a key does; a letter by where it stands on a Latin keyboard, for those who type in another script. */
export function deed({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): Deed | undefined {
  if (key === " " && shiftKey) return "pick";
  const latin = code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
  return DEEDS.get(key.length === 1 ? key.toLowerCase() : key) ?? DEEDS.get(latin);
}

/** Return whether a key moves the focus to another node. */
export const isWalk = (key: string): key is Walk => key in STEPS.right;

/** Whether this arrow leads on to what comes after a node. */
export const onward = (key: Walk, direction: Direction): boolean => STEPS[direction][key] === "child";

/** The place that a key leads to; where it leads nowhere, the place itself. */
export function walked(shown: Shown, at: number, key: Walk, direction: Direction): number {
  switch (STEPS[direction][key]) {
    case "parent":
      return Math.max(shown.up(at), 0);
    case "child":
      return shown.below(at)[0] ?? at;
    case "root":
      return 0;
    case "last":
      return shown.count - 1;
    case "before":
      return beside(shown, at, -1);
    case "after":
      return beside(shown, at, 1);
  }
}

/** The nearest on its level, before or after it; where there is none, the nearest that is less deep. */
function beside(shown: Shown, at: number, step: 1 | -1): number {
  const { level } = shown.drawing.nodes;
  const here = level[at] ?? 0;
  let shallower = at;
  for (let i = at + step; i >= 0 && i < shown.count; i += step) {
    if (level[i] === here) return i;
    // Less deep, and not on the way to it: something that ends earlier.
    if ((level[i] ?? 0) < here && shallower === at && !shown.open(i)) shallower = i;
  }
  return shallower;
}
