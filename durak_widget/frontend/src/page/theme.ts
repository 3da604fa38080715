/** Whether the page around the table is light or dark, and when that changes; and how the table then looks. */

import { set } from "./dom";
import type { Look } from "./told/scene";

const DARK = ["vscode-dark", "vscode-high-contrast", "dark", "dark-theme"];

/** As the notebook says; else as the system prefers. */
export function pageIsDark(): boolean {
  const { body, documentElement: html } = document;
  if (body.dataset.jpThemeLight !== undefined) return body.dataset.jpThemeLight === "false";
  if (html.dataset.jpThemeLight !== undefined) return html.dataset.jpThemeLight === "false";
  const said = html.getAttribute("theme") ?? html.dataset.theme ?? body.dataset.theme;
  if (said) return said.includes("dark");
  if (DARK.some((name) => body.classList.contains(name) || html.classList.contains(name))) return true;
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Call back whenever the page changes its theme, until the signal says stop. */
export function watchTheme(changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  const options = { attributes: true, attributeFilter: ["class", "theme", "data-theme", "data-jp-theme-light"] };
  observer.observe(document.body, options);
  observer.observe(document.documentElement, options);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}

/** Put the table into its clothes. */
export function dress(root: HTMLElement, { theme, skin, four_colors, motion }: Look): void {
  const page = pageIsDark() ? "dark" : "light";
  set(root, { "data-theme": theme === "auto" ? page : theme, "data-page": page });
  set(root, { "data-skin": skin, "data-colors": four_colors ? 4 : 2, "data-motion": motion });
}

/** Put a board into its clothes: one that is dark on a light page, or the other way round, brings its own paper. */
export function dressBoard(root: HTMLElement, theme = "auto", colors: 2 | 4 = 2): void {
  const page = pageIsDark() ? "dark" : "light";
  const chosen = theme === "auto" ? page : theme;
  set(root, { "data-theme": chosen, "data-page": chosen === "contrast" ? "dark" : chosen, "data-own-page": chosen !== page });
  set(root, { "data-skin": "felt", "data-colors": colors });
}
