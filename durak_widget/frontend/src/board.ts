/** A tree, or a matrix, at the door to the notebook. */

import { SLOTS } from "./beside";
import { Blackboard } from "./blackboard";
import { widget } from "./door";

/** What is painted anew when it changes, and what changes the clothes. */
const PAINTS = [
  "drawing",
  "solution",
  "task",
  "words",
  "values",
  "direction",
  "matrix",
  "learning",
  ...SLOTS.flatMap(({ traits }) => traits),
];
const DRESSES = ["theme", "four_colors", "settings"];

export default widget((door) => {
  const board = new Blackboard(door);
  let probe: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => door.send({ kind: "look", id: board.shown().drawing.at });
  for (const name of new Set(PAINTS)) door.on(`change:${name}`, () => board.changed());
  for (const name of DRESSES) door.on(`change:${name}`, () => board.redress());
  door.on("msg:custom", ({ kind, said }: { kind?: string; said?: string }) => {
    if (kind === "error" && said) board.tell(said);
  });
  door.on("comm_live_update", () => {
    show(); // the connection came or went: what is sent tells which
    probe = setTimeout(show, 500);
  });
  return {
    begin: (place) => board.begin(place),
    live: (alive) => board.live(alive),
    stop() {
      clearTimeout(probe);
      board.stop();
    },
  };
});
