/** The entry of the bundle `sketch`: editors of trees and matrices. Viewers of boards don't load it. */

import { defineWidget, type WidgetHost } from "../widgets/widget-host";
import type { ExportMessage } from "./export-panel";
import { MatrixEditor } from "./matrix-editor";
import { TreeEditor } from "./tree-editor";

/** An error or an export from Python. */
type EditorMessage = { readonly kind?: string; readonly text?: string } | ({ readonly kind: "export" } & ExportMessage);

/** Create the editor of a matrix. Python holds its data. */
function makeMatrixEditor(host: WidgetHost): MatrixEditor {
  const board = new MatrixEditor(host);
  for (const name of ["matrix_draft_view", "words"])
    host.on(`change:${name}`, () => {
      board.paint();
      if (name === "matrix_draft_view") host.confirmShown();
    });
  return board;
}

/** Create the editor of a tree. Python holds its data. */
function makeTreeEditor(host: WidgetHost): TreeEditor {
  const board = new TreeEditor(host);
  for (const name of ["drawing_view", "focus_view", "tree_draft_view", "words", "direction"])
    host.on(`change:${name}`, () => {
      board.schedulePaint();
      if (name === "tree_draft_view") host.confirmShown();
    });
  return board;
}

export default defineWidget((host) => {
  const board = host.get("matrix_draft_view") ? makeMatrixEditor(host) : makeTreeEditor(host);
  host.on("change:theme", () => board.updateSettings());
  host.on("msg:custom", (message: EditorMessage) => {
    if (message.kind === "error" && message.text) board.showError(message.text);
    if (message.kind === "export") board.handleExport(message as ExportMessage);
  });
  return board;
});
