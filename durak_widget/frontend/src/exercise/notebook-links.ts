/** Links to other notebooks. */

import { findNotebook } from "./next-exercise";

/** The links that Jupyter opens itself, in texts and outputs. It asks nothing, unlike for a command that a widget names. */
const JUPYTER_LINKS = ".jp-RenderedHTMLCommon a[href]";

/** Open links to notebooks as Jupyter does, beside this notebook. Elsewhere they stay normal links. */
export function linkNotebooks(element: HTMLElement): void {
  for (const link of element.querySelectorAll<HTMLAnchorElement>('a[href$=".ipynb"]'))
    link.addEventListener("click", (event) => {
      const sameLink = event.ctrlKey || event.metaKey || event.shiftKey ? undefined : findJupyterLink(link);
      if (!sameLink) return;
      event.preventDefault();
      sameLink.click();
    });
}

/** Return Jupyter's link to the same notebook: the hidden picture of this exercise has all its links. */
function findJupyterLink(link: HTMLAnchorElement): HTMLAnchorElement | undefined {
  const name = `/${link.getAttribute("href")}`;
  const links = [...findNotebook(link).querySelectorAll<HTMLAnchorElement>(JUPYTER_LINKS)];
  return links.find(({ pathname }) => pathname.endsWith(name)) ?? links.find(({ textContent }) => textContent === link.textContent);
}
