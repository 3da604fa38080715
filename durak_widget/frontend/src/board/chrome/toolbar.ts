/** A toolbar with icons, text if there is space, and one tab stop. Also the list of keys. */

import { type Attributes, findFocused, make, makeDrawing, moveFocusInRow, setAttributes, setText, updateTabStop } from "../../widgets/dom";
import type { Key, Words } from "../../widgets/protocol/words";

export interface Tool {
  readonly label: Key;
  readonly icon: string;
  /** The visible text, if there is space. */
  readonly text?: Key;
  /** Returns whether the tool is on. */
  readonly isOn?: () => boolean;
  /** Returns whether the tool is enabled. */
  readonly isEnabled?: () => boolean;
  /** Returns whether the tool is hidden. */
  readonly isHidden?: () => boolean;
}

export class ToolBar<T extends Tool> {
  readonly element = make("div", "dk-toolbar", { role: "toolbar", "data-roving": true });
  readonly buttons = new Map<T, HTMLButtonElement>();

  constructor(groups: readonly (readonly T[])[], attributesOf: (tool: T) => Attributes, runTool: (tool: T) => void) {
    const { element: bar } = this;
    for (const tools of groups) {
      const group = make("span", "dk-tool-group");
      for (const tool of tools) {
        const element = makeIconButton(tool.icon, { ...attributesOf(tool), "data-has-label": tool.text !== undefined });
        element.addEventListener("click", () => {
          if (tool.isEnabled?.() ?? true) runTool(tool);
        });
        this.buttons.set(tool, element);
        group.append(element);
      }
      bar.append(group);
    }
    bar.addEventListener("focusin", ({ target }) => updateTabStop(bar, target as HTMLElement));
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: "home", End: "end" }[event.key] as 1 | -1 | "home" | "end" | undefined;
      const focused = findFocused(bar);
      if (!step || !focused || event.ctrlKey || event.metaKey || event.altKey) return;
      moveFocusInRow(bar, focused, step);
      event.preventDefault();
      event.stopPropagation();
    });
  }

  paint(words: Words, name: Key): void {
    setAttributes(this.element, { "aria-label": words.say(name) });
    for (const [{ label: labelKey, text = labelKey, isOn, isEnabled, isHidden }, element] of this.buttons) {
      const label = words.say(labelKey);
      setAttributes(element, { "aria-label": label, title: label, hidden: isHidden?.() ?? false });
      setAttributes(element, { "aria-disabled": (isEnabled?.() ?? true) ? undefined : "true", "aria-pressed": isOn && String(isOn()) });
      setText(element.lastElementChild as Element, words.say(text));
    }
    updateTabStop(this.element);
  }
}

/** Create a button with an icon, and text if there is space. */
export function makeIconButton(d: string, attributes: Attributes = {}): HTMLButtonElement {
  const picture = `<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${d}"/></svg>`;
  const element = makeDrawing("button", "dk-button dk-tool", picture, { type: "button", ...attributes });
  element.append(make("span", ""));
  return element;
}

/** Render the list of keys. */
export function renderKeyList(words: Words, keys: readonly { readonly caps: readonly string[]; readonly label: Key }[]): HTMLElement {
  const rows = keys.flatMap(({ caps, label }) => [
    make("dt", "", {}, ...caps.map((cap) => make("kbd", "", {}, cap))),
    make("dd", "", {}, words.say(label)),
  ]);
  return make("dl", "dk-board-keys", {}, ...rows);
}
