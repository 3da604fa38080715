/** A row of tools above a tree: a picture on each, words where there is room, one tab stop, walked by arrows; and the keys as they are listed. */

import { type Attributes, drawn, focused, make, rove, set, walkRow, write } from "../../widgets/dom";
import type { Key, Words } from "../../widgets/protocol/words";

export interface Tool {
  readonly says: Key;
  readonly icon: string;
  /** What is written on it where there is room. */
  readonly word?: Key;
  /** It is on or off. */
  readonly on?: () => boolean;
  /** It may be used now. */
  readonly may?: () => boolean;
  /** It is not there now. */
  readonly gone?: () => boolean;
}

export class ToolBar<T extends Tool> {
  readonly element = make("div", "dk-tool-bar", { role: "toolbar", "data-rove": true });
  readonly buttons = new Map<T, HTMLButtonElement>();

  constructor(groups: readonly (readonly T[])[], signs: (tool: T) => Attributes, run: (tool: T) => void) {
    const { element: bar } = this;
    for (const tools of groups) {
      const group = make("span", "dk-group");
      for (const tool of tools) {
        const element = icon(tool.icon, { ...signs(tool), "data-worded": tool.word !== undefined });
        element.addEventListener("click", () => {
          if (tool.may?.() ?? true) run(tool);
        });
        this.buttons.set(tool, element);
        group.append(element);
      }
      bar.append(group);
    }
    bar.addEventListener("focusin", ({ target }) => rove(bar, target as HTMLElement));
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: "home", End: "end" }[event.key] as 1 | -1 | "home" | "end" | undefined;
      const at = focused(bar);
      if (!step || !at || event.ctrlKey || event.metaKey || event.altKey) return;
      walkRow(bar, at, step);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  paint(words: Words, name: Key): void {
    set(this.element, { "aria-label": words.say(name) });
    for (const [{ says, word = says, on, may, gone }, element] of this.buttons) {
      const said = words.say(says);
      set(element, { "aria-label": said, title: said, hidden: gone?.() ?? false });
      set(element, { "aria-disabled": (may?.() ?? true) ? undefined : "true", "aria-pressed": on && String(on()) });
      write(element.lastElementChild as Element, words.say(word));
    }
    rove(this.element);
  }
}

/** A button with a picture, and its words where there is room. */
export function icon(d: string, attributes: Attributes = {}): HTMLButtonElement {
  const picture = `<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${d}"/></svg>`;
  const element = drawn("button", "dk-button dk-tool", picture, { type: "button", ...attributes });
  element.append(make("span", ""));
  return element;
}

/** Which key does what, as a list. */
export function keysOf(words: Words, keys: readonly { readonly caps: readonly string[]; readonly says: Key }[]): HTMLElement {
  const rows = keys.flatMap(({ caps, says }) => [
    make("dt", "", {}, ...caps.map((cap) => make("kbd", "", {}, cap))),
    make("dd", "", {}, words.say(says)),
  ]);
  return make("dl", "dk-keys-of", {}, ...rows);
}
