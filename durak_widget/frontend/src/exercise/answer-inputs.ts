/** Inputs for answers: cards in order, a number, habits. */

import { button, changed, focused, make, set } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import { type Doing, isOver, moved, type Sheet } from "./exercise-kinds";

/** A finger that moves less than so many pixels clicks. */
const GRASP = 6;

const SIGNS = ["/", "·", "^", "!", "(", ")", "%"];

interface Hooks {
  /** Whether cards can be moved now. */
  may(): boolean;
  doing(): Doing;
  /** The row lies so now; paint it. */
  lay(doing: Doing): void;
}

/** Let the cards of this element be dragged; gives what lets go of a card that is being dragged. */
export function draggingIn(row: HTMLElement, hooks: Hooks): () => void {
  /** The card under the finger, and where it was grasped. */
  let drag: { readonly element: HTMLElement; readonly item: string; readonly x: number; readonly y: number; moved: boolean } | undefined;

  const release = (): void => {
    if (!drag?.moved) return;
    drag.element.style.translate = "";
    set(drag.element, { "data-dragged": false });
    hooks.lay({ ...hooks.doing(), held: -1 });
  };
  const carry = (event: PointerEvent): void => {
    if (!drag) return;
    if (!event.buttons) return release();
    const { element, item, x, y } = drag;
    const place = element.getBoundingClientRect();
    if (!drag.moved && Math.hypot(event.clientX - x - place.left, event.clientY - y - place.top) < GRASP) return;
    if (!drag.moved) row.setPointerCapture(event.pointerId); // the card itself is moved in the row, and would lose it
    drag.moved = true;
    const under = (row.getRootNode() as Document | ShadowRoot).elementsFromPoint(event.clientX, event.clientY);
    const other = under.map((one) => one.closest<HTMLElement>("[data-item]")).find((one) => one && one !== element && row.contains(one));
    const { given } = hooks.doing();
    const from = given.indexOf(item);
    const to = other?.dataset.item === undefined ? from : given.indexOf(other.dataset.item);
    hooks.lay({ given: moved(given, from, to), held: to });
    set(element, { "data-dragged": true });
    element.style.translate = "none";
    const { left, top } = element.getBoundingClientRect();
    element.style.translate = `${event.clientX - x - left}px ${event.clientY - y - top}px`;
  };

  row.addEventListener("pointerdown", (event) => {
    const element = (event.target as Element).closest<HTMLElement>("[data-item]");
    drag = undefined;
    if (!hooks.may() || event.button !== 0 || element?.dataset.item === undefined) return;
    const { left, top } = element.getBoundingClientRect();
    drag = { element, item: element.dataset.item, x: event.clientX - left, y: event.clientY - top, moved: false };
  });
  row.addEventListener("pointermove", carry);
  for (const end of ["pointerup", "pointercancel"]) row.addEventListener(end, release);
  row.addEventListener(
    "click",
    (event) => {
      if (drag?.moved && event.detail > 0) event.stopPropagation(); // what was dragged is not clicked as well
      drag = undefined;
    },
    { capture: true },
  );
  return () => {
    release();
    drag = undefined;
  };
}

/** The field for a number. */
export class Field {
  private readonly input = make("input", "", {
    type: "text",
    inputmode: "decimal",
    maxlength: 120,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "done",
  });
  readonly element: HTMLElement;

  constructor(typed: (text: string) => void, check: () => void, signal: AbortSignal) {
    const signs = SIGNS.map((sign) => button("dk-sign-key", sign));
    this.element = make("div", "dk-typed", {}, this.input, make("div", "dk-sign-keys", {}, ...signs));
    this.input.addEventListener("input", () => typed(this.input.value), { signal });
    this.input.addEventListener(
      "keydown",
      (event) => {
        event.stopPropagation(); // the notebook has meanings of its own for letters
        if (event.key === "Enter" && !event.repeat && !event.isComposing && !this.input.readOnly) check();
      },
      { signal },
    );
    for (const sign of signs) {
      sign.addEventListener("pointerdown", (event) => event.preventDefault(), { signal }); // the keys of the phone stay
      sign.addEventListener("click", () => this.write(sign.textContent ?? "", typed), { signal });
    }
  }

  /** Show what is given; nothing where no number is asked for. */
  paint(asked: boolean, sheet: Sheet, text: string, words: Words): void {
    const { input } = this;
    const over = isOver(sheet);
    set(this.element, { hidden: !asked, "data-mark": sheet.state === "shown" ? "right" : sheet.state || undefined, "data-over": over });
    if (!asked) return;
    set(input, { "aria-label": words.say("answer"), "aria-invalid": sheet.state === "wrong" ? "true" : undefined, readonly: over });
    if (input.value !== text) input.value = text;
    const judged = changed(input, sheet.state, sheet.given, sheet.said);
    if (judged && sheet.state === "wrong" && focused(this.element) === input) input.select(); // whoever types on begins anew
  }

  /** Go on typing here. */
  focus(): void {
    this.input.focus();
  }

  /** One more sign, where the caret is. */
  private write(sign: string, typed: (text: string) => void): void {
    const { input } = this;
    if (input.readOnly) return;
    input.setRangeText(sign, input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length, "end");
    input.focus();
    typed(input.value);
  }
}

/** Rows of habits to choose from. */
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
