/** Entry of the bundle `board`: a tree or a matrix in the notebook. The editors have an entry of their own, `editor/index.ts`. */

import { type Door, widget } from "../widgets/widget-host";
import { MatrixPage } from "./matrix/matrix-view";
import { Blackboard, SLOTS } from "./tree-board";

/** What is painted anew when it changes, and what changes the clothes. */
const PAINTS = [
  "drawing",
  "looked",
  "solution",
  "task",
  "words",
  "values",
  "direction",
  "from_middle",
  "matrix",
  "learning",
  ...SLOTS.flatMap(({ traits }) => traits),
];
/** What of it says that something was done: where one looks, what is chosen, solved, answered; not how far work is that goes on. */
const TELLS = ["drawing", "looked", "solution", "answer", "path", "task", "matrix"];
const DRESSES = ["theme", "four_colors", "settings"];

/** What Python sends by itself: what it could not do. */
type Sent = { readonly kind?: string; readonly said?: string };

/** A matrix alone: there is no drawing of a tree. */
function matrix(door: Door): MatrixPage {
  const page = new MatrixPage(door);
  door.on("change:words", () => page.paint());
  for (const name of ["matrix", "task"])
    door.on(`change:${name}`, () => {
      page.paint();
      door.shown();
    });
  door.on("change:theme", () => page.dress());
  door.on("msg:custom", ({ kind, said }: Sent) => {
    if (kind === "error" && said) page.tell(said);
  });
  return page;
}

export default widget((door) => {
  if (!door.get("drawing")) return matrix(door);
  const board = new Blackboard(door);
  let probe: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => door.send({ kind: "look", id: board.shown().drawing.at });
  for (const name of new Set(PAINTS))
    door.on(`change:${name}`, () => {
      board.changed();
      if (TELLS.includes(name)) door.shown();
    });
  for (const name of DRESSES) door.on(`change:${name}`, () => board.redress());
  door.on("msg:custom", ({ kind, said }: Sent) => {
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
