/** The button for the next lesson, in the result of a game. */

import { button } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";

/** Return the bold link to another notebook in the text right below the table. */
const findLink = (root: Element): HTMLAnchorElement | null | undefined =>
  root.closest(".jp-Cell")?.nextElementSibling?.querySelector('strong a[href*=".ipynb"]');

/** Return a button that opens the next lesson, if the text below the table leads there. An exercise has its own. */
export function makeNextLessonButton({ root, scene, words }: TableContext): HTMLButtonElement | undefined {
  const link = scene.task ? undefined : findLink(root);
  if (!link) return undefined;
  const nextButton = button("dk-next-lesson-button", words.say("onward.to", { what: link.textContent ?? "" }));
  nextButton.addEventListener("click", async () => {
    if (document.fullscreenElement) await document.exitFullscreen();
    findLink(root)?.click();
  });
  return nextButton;
}
