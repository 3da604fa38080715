/** A node in words: what leads to it, who is to act and what is known there, or what it is worth. */

import type { Words } from "../../widgets/protocol/words";
import { isUndrawn } from "./chosen";
import { CHANCE, OVER, type Shown, type Solution, type Task } from "./tree-drawing";

/** What a node is told with. */
export interface Telling {
  readonly shown: Shown;
  readonly solution: Solution;
  readonly task: Task;
  readonly words: Words;
}

/** Everything about a node, as sentences. */
export function told(i: number, { shown, solution, task, words }: Telling): string[] {
  const { drawing } = shown;
  const id = shown.id(i);
  const name = (seat: number): string => drawing.seats[seat] ?? String(seat + 1);
  const worth = (texts: readonly string[]): string => texts.map((text, seat) => `${name(seat)} ${minus(text)}`).join(", ");
  const said: string[] = [];
  const move = shown.move(i);
  if (move) {
    const { likely, best } = number(i, { shown, solution });
    const weight = move.likely ? words.say("tree.likely", { likely: move.likely }) : likely ? words.say("tree.weight", { likely }) : "";
    // The move as it is called: of some games, capitals and small letters are different moves.
    said.push([move.said, weight, best ? words.say("tree.is_best") : ""].filter(Boolean).join(", "), ...shown.notes(i));
  } else said.push(words.say("tree.root"));
  if (isUndrawn(i, shown, task)) return [...said, words.say("tree.undrawn")];
  const actor = shown.actor(i);
  if (actor === OVER) said.push(words.say("tree.end", { worth: worth(shown.pays(i)) }));
  else if (actor === CHANCE) said.push(words.say("tree.chance_acts"));
  else {
    const knows = shown.knows(i);
    said.push(knows ? words.say("tree.acts_knowing", { player: name(actor), knows }) : words.say("tree.acts", { player: name(actor) }));
    const fellows = shown.fellows(i).length;
    if (fellows > 1) said.push(words.count("tree.fellows", fellows));
  }
  said.push(...believed(i, shown, solution, words), ...shown.labels(i));
  const value = solution.value?.[i];
  if (value?.length && actor !== OVER) said.push(words.say("tree.worth", { worth: worth(value) }));
  if (solution.lit?.includes(id)) said.push(words.say("tree.is_lit"));
  if (shown.more(i) && !shown.open(i)) said.push(words.count("tree.hidden", shown.more(i)));
  const mark = task.nodes?.[id]?.mark ?? (task.asks === "path" || task.asks === "draw" ? task.marks?.[id] : undefined);
  if (mark) said.push(upper(words.say(`mark.${mark}`)));
  return said.filter(Boolean);
}

/** How likely the player thinks this place, and where that comes from. */
function believed(i: number, shown: Shown, { beliefs }: Solution, words: Words): string[] {
  const belief = shown.actor(i) >= 0 ? beliefs?.[shown.info(i)] : undefined;
  const [likely] = belief?.at[shown.id(i)] ?? [];
  if (!belief || likely === undefined) return [];
  const [low, high] = belief.range?.[shown.id(i)] ?? [];
  const more = low !== undefined && high !== undefined ? [words.say("belief.range", { low, high })] : [];
  const { by } = belief;
  return [by === "open" ? words.say("belief.open") : words.say(`belief.${by}`, { likely }), ...more].map(upper);
}

/** What a solution says of the branch that leads here. */
export function number(
  i: number,
  { shown, solution }: Pick<Telling, "shown" | "solution">,
): { likely?: string | undefined; weight?: number | undefined; best: boolean } {
  const up = shown.up(i);
  if (up < 0 || shown.actor(up) < 0) return { best: false };
  const set = shown.info(up);
  const at = shown.at(i);
  return { likely: solution.likely?.[set]?.[at], weight: solution.weight?.[set]?.[at], best: Boolean(solution.best?.[set]?.[at]) };
}

const upper = (said: string): string => said.charAt(0).toUpperCase() + said.slice(1);

/** A minus sign where a hyphen stands before a number. */
export const minus = (text: string): string => text.replace(/^-/, "\u2212");

/** The letters that tell players apart: the first of their names, where those differ, else their numbers. */
export function letters(seats: readonly string[]): string[] {
  const first = seats.map((name) => [...name.trim()][0]?.toLocaleUpperCase() ?? "");
  return new Set(first).size === seats.length && first.every((one) => /\p{L}/u.test(one)) ? first : seats.map((_, i) => String(i + 1));
}
