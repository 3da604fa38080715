/** The entry of the bundle `board`: a tree or a matrix in the notebook. The editors have their own entry, `editor/index.ts`. */

import { defineWidget, type WidgetHost } from "../widgets/widget-host";
import { MatrixPage } from "./matrix/matrix-view";
import { SLOTS, TreeBoard } from "./tree-board";

/** Traits that need painting, and traits that change the theme. */
const PAINT_TRAITS = [
  "drawing_view",
  "focus_view",
  "solution_view",
  "question_view",
  "words",
  "values",
  "direction",
  "from_middle",
  "matrix_view",
  "learning",
  ...SLOTS.flatMap(({ traits }) => traits),
];
/** Traits whose change completes an action, such as focus, solution or answer. Progress of running work is not one. */
const CONFIRM_TRAITS = ["drawing_view", "focus_view", "solution_view", "answer_view", "path_view", "question_view", "matrix_view"];
const THEME_TRAITS = ["theme", "four_colors", "settings"];

/** An error message from Python. */
type ErrorMessage = { readonly kind?: string; readonly text?: string };

/** Create the page of a matrix alone. */
function makeMatrixPage(host: WidgetHost): MatrixPage {
  const page = new MatrixPage(host);
  host.on("change:words", () => page.paint());
  for (const name of ["matrix_view", "question_view"])
    host.on(`change:${name}`, () => {
      page.paint();
      host.confirmShown();
    });
  host.on("change:theme", () => page.applyTheme());
  host.on("msg:custom", ({ kind, text: message }: ErrorMessage) => {
    if (kind === "error" && message) page.showError(message);
  });
  return page;
}

export default defineWidget((host) => {
  if (!host.get("drawing_view")) return makeMatrixPage(host);
  const board = new TreeBoard(host);
  let probeTimer: ReturnType<typeof setTimeout> | undefined;
  const sendFocus = (): void => host.send({ kind: "select_node", id: board.getTree().drawing.current_node });
  for (const name of new Set(PAINT_TRAITS))
    host.on(`change:${name}`, () => {
      board.schedulePaint();
      if (CONFIRM_TRAITS.includes(name)) host.confirmShown();
    });
  for (const name of THEME_TRAITS) host.on(`change:${name}`, () => board.updateSettings());
  host.on("msg:custom", ({ kind, text: message }: ErrorMessage) => {
    if (kind === "error" && message) board.showError(message);
  });
  host.on("comm_live_update", () => {
    sendFocus(); // The connection was lost or restored. The message shows which.
    probeTimer = setTimeout(sendFocus, 500);
  });
  return {
    mount: (container) => board.mount(container),
    setConnected: (isConnected) => board.setConnected(isConnected),
    stop() {
      clearTimeout(probeTimer);
      board.stop();
    },
  };
});
