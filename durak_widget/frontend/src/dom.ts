/** The few things that are done to elements everywhere. */

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A new element with its class, its attributes and what is in it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, kind: string, attributes: Attributes = {}, ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  set(element, attributes);
  element.append(...inside);
  return element;
}

/** Change attributes, and only those that differ; false and undefined take one away. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Change a text, only if it differs. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A button with words on it, which are its name too. */
export const button = (kind: string, words: string, attributes: Attributes = {}): HTMLButtonElement =>
  make("button", `dk-button ${kind}`, { type: "button", ...attributes }, words);

/** The focused element, also inside a shadow root. */
export const focused = (inside: HTMLElement): HTMLElement | null => {
  const active = (inside.getRootNode() as Document | ShadowRoot).activeElement;
  return active instanceof HTMLElement && inside.contains(active) ? active : null;
};
