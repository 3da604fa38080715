/** Where the arrows lead in a tree, in either direction in which it is drawn. */

import type { Shown } from "../protocol/tree-drawing";
import type { Direction } from "../view/tree-layout";

export type Walk = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End";
type Step = "parent" | "child" | "before" | "after" | "root" | "last";

const STEPS: Readonly<Record<Direction, Readonly<Record<Walk, Step>>>> = {
  right: { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "before", ArrowDown: "after", Home: "root", End: "last" },
  down: { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "before", ArrowRight: "after", Home: "root", End: "last" },
};

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
