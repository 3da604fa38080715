/** Helpers for DOM elements. */

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Create an element with a class, attributes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Set only the attributes that differ. `false` and `undefined` remove an attribute. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
  }
}

const renderedKeys = new WeakMap<Element, string>();

/** Return whether `values` differ from the last call for this element, so that unchanged parts are not painted again. */
export function hasChanged(element: Element, ...values: unknown[]): boolean {
  const key = JSON.stringify(values);
  if (renderedKeys.get(element) === key) return false;
  renderedKeys.set(element, key);
  return true;
}

/** Set the text only if it differs. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Set the card width for this element and its descendants, only if it differs: a change restyles them all. */
export function setCardWidth(element: HTMLElement, width: number): void {
  const value = `${width}px`;
  if (element.style.getPropertyValue("--dk-card-width") !== value) element.style.setProperty("--dk-card-width", value);
}

/** Create a button with a label. */
export const button = (className: string, label: string, attributes: Attributes = {}): HTMLButtonElement =>
  make("button", `dk-button ${className}`, { type: "button", ...attributes }, label);

/** Return the focused element in `container`, also in a shadow root. */
export const findFocused = (container: HTMLElement): HTMLElement | null => {
  const active = (container.getRootNode() as Document | ShadowRoot).activeElement;
  return active instanceof HTMLElement && container.contains(active) ? active : null;
};

const parsedMarkup = new Map<string, DocumentFragment>();

/** Return a copy of a drawing. Each drawing is parsed once. */
function cloneMarkup(markup: string): Node {
  let fragment = parsedMarkup.get(markup);
  if (!fragment) {
    const template = document.createElement("template");
    template.innerHTML = markup;
    fragment = template.content;
    parsedMarkup.set(markup, fragment);
  }
  return document.importNode(fragment, true);
}

/** Clear the cache of parsed drawings. The page keeps loaded bundles, so the cache would live forever. */
export const clearMarkupCache = (): void => parsedMarkup.clear();

/** Replace the content of an element with drawings. */
export function setDrawing(element: Element, ...markup: string[]): void {
  element.replaceChildren(...markup.map(cloneMarkup));
}

/** Create an element with a drawing in it. */
export function makeDrawing<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  markup: string,
  attributes: Attributes = {},
): HTMLElementTagNameMap[K] {
  return make(tag, className, attributes, cloneMarkup(markup));
}

/** Return the buttons of a row that are not hidden. A menu in it has no tab stop. */
const listButtons = (row: HTMLElement): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>("button:not([role=menuitem])")].filter((button) => !button.closest("[hidden]"));

/** Give a row of buttons one tab stop: the last focused button, or the first. */
export function updateTabStop(row: HTMLElement, current?: HTMLElement): void {
  const buttons = listButtons(row);
  const tabStop = current ?? buttons.find((button) => button.tabIndex === 0) ?? buttons[0];
  for (const button of buttons) setAttributes(button, { tabindex: button === tabStop ? 0 : -1 });
}

/** Move the focus by `step` buttons in a row with one tab stop, or to one of its ends. */
export function moveFocusInRow(row: HTMLElement, current: HTMLElement, step: number | "home" | "end"): void {
  const buttons = listButtons(row).filter((button) => button.offsetParent);
  const { length } = buttons;
  const target = step === "home" ? 0 : step === "end" ? length - 1 : (buttons.indexOf(current) + step + length) % length;
  if (buttons[target]) updateTabStop(row, buttons[target]);
  buttons[target]?.focus();
}

/** Run `callback` once, when the element is first on the screen. */
export function onFirstVisible(element: Element, signal: AbortSignal, callback: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    callback();
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
