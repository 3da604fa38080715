/** The field into which a number is typed: Enter checks it. On a phone, whose keys for digits have none of them, the signs of fractions and sums stand beside it. */

import { button, changed, focused, make, set } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import { isOver, type Sheet } from "./exercise-kinds";

const SIGNS = ["/", "·", "^", "!", "(", ")", "%"];

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
