/** Who is who in a tree: the sign of each player, of chance, and of what cannot be told apart. */

import { changed, make, set } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";
import { letters } from "../protocol/outline";
import { CHANCE, type Shown, type Task } from "../protocol/tree-drawing";
import { sign } from "./signs";

export function paintPlayers(list: HTMLElement, shown: Shown, { asks, seat: mine }: Task, words: Words): void {
  const { seats, chances, joined } = shown.drawing;
  const chance = Object.keys(chances).length > 0;
  const dashes = joined.length > 0 && asks !== "sets";
  set(list, { "aria-label": words.say("tree.players") });
  if (!changed(list, words.language, seats, chance, dashes, asks === "strategy" && mine)) return;
  const marks = letters(seats);
  const items = seats.map((name, seat) => {
    const you = asks === "strategy" && mine === seat ? ` (${words.say("you")})` : "";
    return make("li", "", { "data-seat": seat % 6 }, sign(seat, marks[seat]), make("span", "", {}, name + you));
  });
  if (chance) items.push(make("li", "", {}, sign(CHANCE), make("span", "", {}, words.say("tree.chance"))));
  if (dashes) items.push(make("li", "", {}, make("i", "dk-dashes"), make("span", "", {}, words.say("tree.joined"))));
  list.replaceChildren(...items);
}
