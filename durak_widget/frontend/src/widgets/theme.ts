/** Detect light and dark pages, follow changes, and apply the theme to widgets. */

import { setAttributes } from "./dom";
import type { Look } from "./protocol/scene";

const DARK_CLASSES = ["vscode-dark", "vscode-high-contrast", "dark", "dark-theme", "quarto-dark"];
const THEME_ATTRIBUTES = ["theme", "data-theme", "data-bs-theme"];

/** Return whether Jupyter says that the page is light. Undefined outside Jupyter. */
function readJupyterTheme(): string | undefined {
  return document.body.dataset.jpThemeLight ?? document.documentElement.dataset.jpThemeLight;
}

/** Return whether the page is dark: from the notebook, or from the background of this element. */
function isPageDark(root: Element): boolean {
  const { body, documentElement: html } = document;
  const light = readJupyterTheme();
  if (light !== undefined) return light === "false";
  for (const element of [html, body]) {
    const value = THEME_ATTRIBUTES.map((name) => element.getAttribute(name)).find(Boolean);
    if (value && /dark|light/.test(value)) return value.includes("dark");
  }
  if (DARK_CLASSES.some((name) => body.classList.contains(name) || html.classList.contains(name))) return true;
  return hasDarkBackground(root.isConnected ? root : body);
}

/** Return whether the nearest background around an element, or the bare page, is dark. */
function hasDarkBackground(root: Element): boolean {
  for (let ancestor: Element | null = root === document.body ? root : findParent(root); ancestor; ancestor = findParent(ancestor)) {
    const background = measureLightness(getComputedStyle(ancestor).backgroundColor);
    if (background) return background.light < 0.4;
  }
  const colorSchemes = getComputedStyle(document.documentElement).colorScheme; // A page without a background is white, unless its colour scheme allows dark.
  return colorSchemes.includes("dark") && (!colorSchemes.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
}

function findParent(element: Element): Element | null {
  const root = element.parentElement ? undefined : element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

let pixelContext: OffscreenCanvasRenderingContext2D | null | undefined;

/** Return the lightness of a CSS colour from 0 to 1. Undefined if it is mostly transparent. */
function measureLightness(color: string): { light: number } | undefined {
  pixelContext ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!pixelContext) return undefined;
  pixelContext.clearRect(0, 0, 1, 1);
  pixelContext.fillStyle = color;
  pixelContext.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pixelContext.getImageData(0, 0, 1, 1).data;
  return alpha < 128 ? undefined : { light: (0.3 * red + 0.6 * green + 0.1 * blue) / 255 };
}

/** Call `onChange` whenever the page changes its theme, and when the element is on the page. */
export function watchTheme(root: Element, onChange: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(onChange);
  const options = { attributes: true, attributeFilter: ["class", "style", "data-jp-theme-light", ...THEME_ATTRIBUTES] };
  observer.observe(document.body, options);
  observer.observe(document.documentElement, options);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange, { signal });
  const stopWaiting = onConnected(root, onChange);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    stopWaiting();
  });
}

/** Run `callback` once the element is on the page. Return a function that cancels it. */
export function onConnected(root: Element, callback: () => void): () => void {
  const observer = new ResizeObserver(() => {
    if (!root.isConnected) return;
    observer.disconnect();
    callback();
  });
  observer.observe(root);
  return () => observer.disconnect();
}

/** Return whether Jupyter owns the page. Elsewhere its colours can be present, but wrong. */
export const isInJupyter = (): boolean => readJupyterTheme() !== undefined;

/** Apply the theme to a table. */
export function applyTheme(root: HTMLElement, { theme, skin, four_colors, motion }: Look): void {
  const page = isPageDark(root) ? "dark" : "light";
  setAttributes(root, { "data-theme": theme === "auto" ? page : theme, "data-page": page, "data-jupyter": isInJupyter() });
  setAttributes(root, { "data-skin": skin, "data-colors": four_colors ? 4 : 2, "data-motion": motion });
}

/** Apply the theme to a board. If it differs from the page, the board brings its own background. */
export function applyBoardTheme(root: HTMLElement, theme = "auto", colors: 2 | 4 = 2): void {
  const page = isPageDark(root) ? "dark" : "light";
  const chosen = theme === "auto" ? page : theme;
  setAttributes(root, { "data-theme": chosen, "data-page": chosen === "contrast" ? "dark" : chosen, "data-own-page": chosen !== page });
  setAttributes(root, { "data-skin": "felt", "data-colors": colors, "data-jupyter": isInJupyter() });
}

/** Apply the theme of the page to an exercise. */
export function applyExerciseTheme(root: HTMLElement): void {
  const page = isPageDark(root) ? "dark" : "light";
  setAttributes(root, {
    "data-theme": page,
    "data-page": page,
    "data-skin": "felt",
    "data-colors": 2,
    "data-motion": true,
    "data-jupyter": isInJupyter(),
  });
}
