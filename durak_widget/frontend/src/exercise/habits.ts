/** Rows of rules, one of which is chosen in each: the habits of a bot. */

import { button, changed, focused, make, set } from "../widgets/dom";
import type { Sheet } from "./exercise-kinds";

export class Habits {
  readonly element = make("div", "dk-habits");

  constructor(choose: (item: string) => void, signal: AbortSignal) {
    this.element.addEventListener(
      "click",
      ({ target }) => {
        const item = (target as Element).closest<HTMLElement>("[data-item]")?.dataset.item;
        if (item !== undefined) choose(item);
      },
      { signal },
    );
    this.element.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  paint({ rows = [] }: Sheet, given: readonly string[], over: boolean): void {
    set(this.element, { hidden: !rows.length });
    if (changed(this.element, JSON.stringify(rows))) {
      const had = focused(this.element)?.dataset.item;
      this.element.replaceChildren(
        ...rows.map(([title, rules]) =>
          make(
            "div",
            "dk-habit",
            { role: "radiogroup", "aria-label": title },
            make("p", "dk-habit-title", { "aria-hidden": "true" }, title),
            ...rules.map(([item, words]) => button("dk-option", words, { "data-item": item, role: "radio" })),
          ),
        ),
      );
      if (had !== undefined) this.element.querySelector<HTMLElement>(`[data-item="${had}"]`)?.focus();
    }
    for (const row of this.element.children) {
      const rules = [...row.querySelectorAll<HTMLElement>("[data-item]")];
      const chosen = rules.find((rule) => given.includes(rule.dataset.item ?? ""));
      for (const rule of rules) {
        const stop = rule === (chosen ?? rules[0]); // one stop of the Tab key for each row, as with any radio buttons
        set(rule, { "aria-checked": String(rule === chosen), tabindex: stop ? "0" : "-1", "aria-disabled": over ? "true" : undefined });
      }
    }
  }

  /** The arrows lead from rule to rule of a row. */
  private key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? 0;
    const rule = focused(this.element);
    const row = [...(rule?.parentElement?.querySelectorAll<HTMLElement>("[data-item]") ?? [])];
    if (!step || !rule || !row.length) return;
    row[(row.indexOf(rule) + step + row.length) % row.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
