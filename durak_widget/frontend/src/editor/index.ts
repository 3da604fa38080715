/** The entry of the bundle `sketch`: editors of trees and matrices. Viewers of boards don't load it. */

import { defineWidget, type WidgetHost } from "../widgets/widget-host";
import type { ExportMessage } from "./export-panel";
import { MatrixEditor } from "./matrix-editor";
import { TreeEditor } from "./tree-editor";

/** An error or an export from Python. */
type EditorMessage = { readonly kind?: string; readonly said?: string };

/** Create the editor of a matrix. Python holds its data. */
function makeMatrixEditor(host: WidgetHost): MatrixEditor {
  const board = new MatrixEditor(host);
  for (const name of ["cells", "words"])
    host.on(`change:${name}`, () => {
      board.paint();
      if (name === "cells") host.confirmShown();
    });
  return board;
}

/** Create the editor of a tree. Python holds its data. */
function makeTreeEditor(host: WidgetHost): TreeEditor {
  const board = new TreeEditor(host);
  for (const name of ["drawing", "looked", "sketch", "words", "direction"])
    host.on(`change:${name}`, () => {
      board.schedulePaint();
      if (name === "sketch") host.confirmShown();
    });
  return board;
}

export default defineWidget((host) => {
  const board = host.get("cells") ? makeMatrixEditor(host) : makeTreeEditor(host);
  host.on("change:theme", () => board.updateSettings());
  host.on("msg:custom", ({ kind, said: message, ...rest }: EditorMessage) => {
    if (kind === "error" && message) board.showError(message);
    if (kind === "export") board.handleExport(rest as ExportMessage);
  });
  return board;
});
