/** The button that retries a decision. */

import { button } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";

/** Create a button that retries a moment. */
export function makeRetryButton(context: TableContext, ply: number, label: string, className: string): HTMLButtonElement {
  const retryButton = button(className, label, { "data-key": `again${ply}` });
  retryButton.addEventListener("click", () => {
    context.send({ kind: "retry_decision", to_ply: ply });
    uncoverFelt(retryButton);
  });
  return retryButton;
}

/** Waits until the requested moment is painted. */
let sceneObserver: MutationObserver | undefined;

/** Close the panel if it covers the felt. Scroll to the felt once the requested moment is painted. */
export function uncoverFelt(element: HTMLElement): void {
  sceneObserver?.disconnect();
  const coveringPanel = element.closest(".dk[data-full]:not([data-wide]) .dk-panel");
  const root = element.closest<HTMLElement>(".dk");
  coveringPanel?.querySelector<HTMLElement>(".dk-close-button")?.click();
  if (!root) return;
  sceneObserver = new MutationObserver(() => {
    sceneObserver?.disconnect();
    scrollToFeltTop(root);
  });
  sceneObserver.observe(root, { attributeFilter: ["data-scene"] });
}

/** Scroll to the felt, or to its top if it is too high. */
function scrollToFeltTop(root: HTMLElement): void {
  const felt = root.querySelector<HTMLElement>(".dk-felt");
  if (root.dataset.full !== undefined) root.scrollTop = 0;
  else felt?.scrollIntoView({ block: felt.offsetHeight > 0.8 * innerHeight ? "start" : "nearest" });
}
