/** What the stage is to show of a tree at this moment, from what Python tells and what an exercise asks. */

import type { Given } from "./given";
import type { Host } from "./panels/panel";
import { letters } from "./protocol/outline";
import { asksOf } from "./protocol/tree-drawing";
import { first } from "./tasks";
import type { Join } from "./view/edges-canvas";
import type { Scene } from "./view/stage";
import type { Plan } from "./view/tree-layout";
import { stroke } from "./view/tree-nodes";

export function showing(board: Host, given: Given, plan: Plan, values: boolean, narrow: boolean): Scene {
  const [now, solution, task, at] = [board.shown(), board.solution(), board.task(), board.at()];
  const { drawing } = now;
  const lit = new Set(solution.lit);
  const joined = now.joined.map((places, n): Join => {
    const active = places.includes(at);
    return { places, kind: active ? "active" : "set", seat: now.actor(places[0] ?? 0), way: drawing.lanes?.[n] };
  });
  return {
    look: {
      shown: now,
      solution,
      task,
      words: board.words(),
      plan,
      letters: letters(drawing.seats),
      values,
      found: new Set(drawing.found?.ids),
      picked: given.picked,
      own: (seat) => asksOf(task, seat) || (!task.asks && solution.which !== undefined && solution.which !== "learning"),
      decorate: (element, i) => given.decorate(element, i),
    },
    joins: task.asks === "sets" ? given.joins() : joined,
    stroke: (i) => stroke(i, now, solution, task, lit),
    at,
    fellows: new Set(now.actor(at) >= 0 ? now.fellows(at) : []),
    first: first(now, task),
    narrow,
  };
}
