/** The entry of the bundle `board`: a tree or a matrix in the notebook. The editors have their own entry, `editor/index.ts`. */

import { defineWidget, type WidgetHost } from "../widgets/widget-host";
import { MatrixPage } from "./matrix/matrix-view";
import { SLOTS, TreeBoard } from "./tree-board";

/** Traits that need painting, and traits that change the theme. */
const PAINT_TRAITS = [
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
/** Traits whose change completes an action, such as focus, solution or answer. Progress of running work is not one. */
const CONFIRM_TRAITS = ["drawing", "looked", "solution", "answer", "path", "task", "matrix"];
const THEME_TRAITS = ["theme", "four_colors", "settings"];

/** An error message from Python. */
type ErrorMessage = { readonly kind?: string; readonly said?: string };

/** Create the page of a matrix alone. */
function makeMatrixPage(host: WidgetHost): MatrixPage {
  const page = new MatrixPage(host);
  host.on("change:words", () => page.paint());
  for (const name of ["matrix", "task"])
    host.on(`change:${name}`, () => {
      page.paint();
      host.confirmShown();
    });
  host.on("change:theme", () => page.applyTheme());
  host.on("msg:custom", ({ kind, said: message }: ErrorMessage) => {
    if (kind === "error" && message) page.showError(message);
  });
  return page;
}

export default defineWidget((host) => {
  if (!host.get("drawing")) return makeMatrixPage(host);
  const board = new TreeBoard(host);
  let probeTimer: ReturnType<typeof setTimeout> | undefined;
  const sendFocus = (): void => host.send({ kind: "look", id: board.getTree().drawing.at });
  for (const name of new Set(PAINT_TRAITS))
    host.on(`change:${name}`, () => {
      board.schedulePaint();
      if (CONFIRM_TRAITS.includes(name)) host.confirmShown();
    });
  for (const name of THEME_TRAITS) host.on(`change:${name}`, () => board.updateSettings());
  host.on("msg:custom", ({ kind, said: message }: ErrorMessage) => {
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
