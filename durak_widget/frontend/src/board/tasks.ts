/** What the page and an exercise make of a tree before anything is done on it: how much room there is, how little stands above it, where it begins. */

import type { Shown, Solution, Task } from "./protocol/tree-drawing";
import type { Room } from "./view/tree-layout";

/** A page as narrow as a phone. */
const NARROW = "(max-width: 600px)";

/** A tree of an exercise that has no more histories is shown whole. */
const WHOLE = 150;

/** In an exercise on a tree that is shown whole, nothing stands above it that one does not need. */
export const plain = (shown: Shown, { asks }: Task): boolean => Boolean(asks) && shown.drawing.size.histories <= WHOLE;

/** Where one begins, if that is not at the root: values are filled in from the ends. */
export function first(shown: Shown, { nodes = {} }: Task): number[] {
  const places = Object.keys(nodes)
    .map((id) => shown.place(Number(id)))
    .filter((i) => i >= 0);
  const level = (i: number): number => shown.drawing.nodes.level[i] ?? 0;
  const deepest = Math.max(...places.map(level));
  return places.filter((i) => level(i) === deepest);
}

/** What there has to be room for. */
export const roomOf = (shown: Shown, solution: Solution, { asks, many = false }: Task): Room => ({
  likely: solution.likely !== undefined || shown.crowded,
  finger: matchMedia("(pointer: coarse)").matches,
  field: asks === "values",
  many,
  narrow: matchMedia(NARROW).matches,
});
