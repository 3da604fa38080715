/** Which branches of a tree a person has chosen on a way, or drawn. */

import type { Shown, Task } from "./tree-drawing";

/** Whether a branch was chosen or drawn, by the place of the node to which it leads. */
export function isChosen(i: number, shown: Shown, task: Task): boolean {
  if (task.asks === "draw") return Boolean(task.drawn?.includes(shown.id(i)));
  return task.asks === "path" && task.moves?.[shown.id(shown.up(i))] === shown.at(i);
}

/** The mark of such a branch: of a way it stands at the node where the move is made, of a drawing at the one to which it leads. */
export const markOf = (i: number, shown: Shown, task: Task): string | undefined =>
  task.marks?.[task.asks === "draw" ? shown.id(i) : shown.id(shown.up(i))] || undefined;

/** Whether one may draw the branch that leads there, and has not. */
export const isUndrawn = (i: number, shown: Shown, task: Task): boolean =>
  task.asks === "draw" && shown.up(i) >= 0 && !isChosen(i, shown, task);
