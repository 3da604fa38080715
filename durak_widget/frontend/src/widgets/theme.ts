/** Whether the page around the table is light or dark, and when that changes; and how the table then looks. */

import { set } from "./dom";
import type { Look } from "./protocol/scene";

const DARK = ["vscode-dark", "vscode-high-contrast", "dark", "dark-theme", "quarto-dark"];
const SAYS = ["theme", "data-theme", "data-bs-theme"];

/** Whether Jupyter says that the page is light; nothing where it is not Jupyter's. */
function jupyterLight(): string | undefined {
  return document.body.dataset.jpThemeLight ?? document.documentElement.dataset.jpThemeLight;
}

/** As the notebook says; else as it is painted around this element. */
function pageIsDark(root: Element): boolean {
  const { body, documentElement: html } = document;
  const light = jupyterLight();
  if (light !== undefined) return light === "false";
  for (const place of [html, body]) {
    const said = SAYS.map((name) => place.getAttribute(name)).find(Boolean);
    if (said && /dark|light/.test(said)) return said.includes("dark");
  }
  if (DARK.some((name) => body.classList.contains(name) || html.classList.contains(name))) return true;
  return paintedDark(root.isConnected ? root : body);
}

/** Whether what lies behind an element is dark: the nearest that is painted around it, or the bare page. */
function paintedDark(root: Element): boolean {
  for (let place: Element | null = root === document.body ? root : around(root); place; place = around(place)) {
    const paint = seen(getComputedStyle(place).backgroundColor);
    if (paint) return paint.light < 0.4;
  }
  const schemes = getComputedStyle(document.documentElement).colorScheme; // a page without paint is white, where it does not say that it may be dark
  return schemes.includes("dark") && (!schemes.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
}

function around(place: Element): Element | null {
  const root = place.parentElement ? undefined : place.getRootNode();
  return place.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

let brush: OffscreenCanvasRenderingContext2D | null | undefined;

/** How light a colour is, from 0 to 1, in whatever way CSS writes it; nothing of one that is mostly seen through. */
function seen(color: string): { light: number } | undefined {
  brush ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!brush) return undefined;
  brush.clearRect(0, 0, 1, 1);
  brush.fillStyle = color;
  brush.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
  return alpha < 128 ? undefined : { light: (0.3 * red + 0.6 * green + 0.1 * blue) / 255 };
}

/** Call back whenever the page changes its theme, and as soon as this element stands on it, until the signal says stop. */
export function watchTheme(root: Element, changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  const options = { attributes: true, attributeFilter: ["class", "style", "data-jp-theme-light", ...SAYS] };
  observer.observe(document.body, options);
  observer.observe(document.documentElement, options);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal });
  const stops = laid(root, changed);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    stops();
  });
}

/** Run this once an element has a place on the page; what is given back calls it off. */
export function laid(root: Element, run: () => void): () => void {
  const observer = new ResizeObserver(() => {
    if (!root.isConnected) return;
    observer.disconnect();
    run();
  });
  observer.observe(root);
  return () => observer.disconnect();
}

/** Whether the page is Jupyter's, and so Jupyter's colours are its own: elsewhere they may be there too, and wrong. */
export const inJupyter = (): boolean => jupyterLight() !== undefined;

/** Put the table into its clothes. */
export function dress(root: HTMLElement, { theme, skin, four_colors, motion }: Look): void {
  const page = pageIsDark(root) ? "dark" : "light";
  set(root, { "data-theme": theme === "auto" ? page : theme, "data-page": page, "data-jupyter": inJupyter() });
  set(root, { "data-skin": skin, "data-colors": four_colors ? 4 : 2, "data-motion": motion });
}

/** Put a board into its clothes: one that is dark on a light page, or the other way round, brings its own paper. */
export function dressBoard(root: HTMLElement, theme = "auto", colors: 2 | 4 = 2): void {
  const page = pageIsDark(root) ? "dark" : "light";
  const chosen = theme === "auto" ? page : theme;
  set(root, { "data-theme": chosen, "data-page": chosen === "contrast" ? "dark" : chosen, "data-own-page": chosen !== page });
  set(root, { "data-skin": "felt", "data-colors": colors, "data-jupyter": inJupyter() });
}

/** Put an exercise into its clothes: it is as the page. */
export function dressSheet(root: HTMLElement): void {
  const page = pageIsDark(root) ? "dark" : "light";
  set(root, {
    "data-theme": page,
    "data-page": page,
    "data-skin": "felt",
    "data-colors": 2,
    "data-motion": true,
    "data-jupyter": inJupyter(),
  });
}
