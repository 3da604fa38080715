/** A tree or a matrix that is drawn by hand, at the door to the notebook: whoever only looks at one need not load it. */

import { type Door, widget } from "../widgets/widget-host";
import type { Exported } from "./export-panel";
import { MatrixBoard } from "./matrix-editor";
import { SketchBoard } from "./tree-editor";

/** What Python sends by itself: what it could not do, or what is to be exported. */
type Sent = { readonly kind?: string; readonly said?: string };

/** A matrix that is written: Python holds it. */
function cells(door: Door): MatrixBoard {
  const board = new MatrixBoard(door);
  for (const name of ["cells", "words"])
    door.on(`change:${name}`, () => {
      board.paint();
      if (name === "cells") door.shown();
    });
  return board;
}

/** A tree that is drawn: Python holds it. */
function sketch(door: Door): SketchBoard {
  const board = new SketchBoard(door);
  for (const name of ["drawing", "looked", "sketch", "words", "direction"])
    door.on(`change:${name}`, () => {
      board.changed();
      if (name === "sketch") door.shown();
    });
  return board;
}

export default widget((door) => {
  const board = door.get("cells") ? cells(door) : sketch(door);
  door.on("change:theme", () => board.redress());
  door.on("msg:custom", ({ kind, said, ...rest }: Sent) => {
    if (kind === "error" && said) board.tell(said);
    if (kind === "export") board.exported(rest as Exported);
  });
  return board;
});
