/** The few things that are done to elements everywhere. */

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A new element with its class, its attributes and what is in it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  kind: string,
  attributes: Attributes = {},
  ...inside: (Node | string)[]
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

const painted = new WeakMap<Element, string>();

/** Whether what an element shows is other than when this was last asked of it: what is the same need not be painted again. */
export function changed(element: Element, ...what: unknown[]): boolean {
  const key = JSON.stringify(what);
  if (painted.get(element) === key) return false;
  painted.set(element, key);
  return true;
}

/** Change a text, only if it differs. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Say how wide cards are from here on down, only if that differs: whatever inherits it is styled anew. */
export function cardsOf(element: HTMLElement, width: number): void {
  const value = `${width}px`;
  if (element.style.getPropertyValue("--dk-w") !== value) element.style.setProperty("--dk-w", value);
}

/** A button with words on it, which are its name too. */
export const button = (kind: string, words: string, attributes: Attributes = {}): HTMLButtonElement =>
  make("button", `dk-button ${kind}`, { type: "button", ...attributes }, words);

/** The focused element, also inside a shadow root. */
export const focused = (inside: HTMLElement): HTMLElement | null => {
  const active = (inside.getRootNode() as Document | ShadowRoot).activeElement;
  return active instanceof HTMLElement && inside.contains(active) ? active : null;
};

const parsed = new Map<string, DocumentFragment>();

/** A copy of a drawing, which is parsed only once. */
function copy(markup: string): Node {
  let found = parsed.get(markup);
  if (!found) {
    const template = document.createElement("template");
    template.innerHTML = markup;
    found = template.content;
    parsed.set(markup, found);
  }
  return document.importNode(found, true);
}

/** Let go of what was parsed: a page keeps each bundle that it has loaded, and so all that this holds. */
export const forget = (): void => parsed.clear();

/** Put drawings into an element, in place of what is in it. */
export function draw(element: Element, ...markup: string[]): void {
  element.replaceChildren(...markup.map(copy));
}

/** A new element with a drawing in it. */
export function drawn<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  kind: string,
  markup: string,
  attributes: Attributes = {},
): HTMLElementTagNameMap[K] {
  return make(tag, kind, attributes, copy(markup));
}

/** One tab stop for all buttons of a row: the one that had the focus last, else the first. */
export function rove(row: HTMLElement, at?: HTMLElement): void {
  const buttons = [...row.querySelectorAll<HTMLElement>("button")].filter((button) => !button.hidden);
  const stop = at ?? buttons.find((button) => button.tabIndex === 0) ?? buttons[0];
  for (const button of buttons) set(button, { tabindex: button === stop ? 0 : -1 });
}

/** From button to button of a row that has one tab stop: so many on, or to an end of it. */
export function walkRow(row: HTMLElement, at: HTMLElement, step: number | "home" | "end"): void {
  const buttons = [...row.querySelectorAll<HTMLElement>("button")].filter((button) => button.offsetParent);
  const { length } = buttons;
  const to = step === "home" ? 0 : step === "end" ? length - 1 : (buttons.indexOf(at) + step + length) % length;
  if (buttons[to]) rove(row, buttons[to]);
  buttons[to]?.focus();
}

/** Run this once, when the element is first on the screen. */
export function whenSeen(element: Element, signal: AbortSignal, run: () => void): void {
  const seen = new IntersectionObserver((all) => {
    if (!all.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    run();
  });
  seen.observe(element);
  signal.addEventListener("abort", () => seen.disconnect());
}
