/** Inputs for answers: dragging cards, a number, habits. */

import { button, findFocused, hasChanged, make, setAttributes } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import { type Attempt, type ExerciseData, isOver, moveCard } from "./exercise-kinds";

/** How far a pointer can move before it drags, in px. */
const DRAG_THRESHOLD = 6;

const INPUT_SIGNS = ["/", "·", "^", "!", "(", ")", "%"];

interface DragHooks {
  /** Returns whether cards can be moved now. */
  canMove(): boolean;
  getAttempt(): Attempt;
  /** Set the new order and paint it. */
  setAttempt(doing: Attempt): void;
}

/** Let cards be dragged in a row. Return a function that releases the dragged card. */
export function listenForCardDrag(row: HTMLElement, hooks: DragHooks): () => void {
  /** The dragged card, and where in the card the pointer is. */
  let drag: { readonly element: HTMLElement; readonly item: string; readonly x: number; readonly y: number; moved: boolean } | undefined;

  const release = (): void => {
    if (!drag?.moved) return;
    drag.element.style.translate = "";
    setAttributes(drag.element, { "data-dragged": false });
    hooks.setAttempt({ ...hooks.getAttempt(), held: -1 });
  };
  const dragCard = (event: PointerEvent): void => {
    if (!drag) return;
    if (!event.buttons) return release();
    const { element, item, x, y } = drag;
    const box = element.getBoundingClientRect();
    if (!drag.moved && Math.hypot(event.clientX - x - box.left, event.clientY - y - box.top) < DRAG_THRESHOLD) return;
    if (!drag.moved) row.setPointerCapture(event.pointerId); // The card moves in the DOM and would lose the capture.
    drag.moved = true;
    const elements = (row.getRootNode() as Document | ShadowRoot).elementsFromPoint(event.clientX, event.clientY);
    const target = elements
      .map((element) => element.closest<HTMLElement>("[data-item]"))
      .find((candidate) => candidate && candidate !== element && row.contains(candidate));
    const { answer: given } = hooks.getAttempt();
    const start = given.indexOf(item);
    const to = target?.dataset.item === undefined ? start : given.indexOf(target.dataset.item);
    hooks.setAttempt({ answer: moveCard(given, start, to), held: to });
    setAttributes(element, { "data-dragged": true });
    element.style.translate = "none";
    const { left, top } = element.getBoundingClientRect();
    element.style.translate = `${event.clientX - x - left}px ${event.clientY - y - top}px`;
  };

  row.addEventListener("pointerdown", (event) => {
    const element = (event.target as Element).closest<HTMLElement>("[data-item]");
    drag = undefined;
    if (!hooks.canMove() || event.button !== 0 || element?.dataset.item === undefined) return;
    const { left, top } = element.getBoundingClientRect();
    drag = { element, item: element.dataset.item, x: event.clientX - left, y: event.clientY - top, moved: false };
  });
  row.addEventListener("pointermove", dragCard);
  for (const end of ["pointerup", "pointercancel"]) row.addEventListener(end, release);
  row.addEventListener(
    "click",
    (event) => {
      if (drag?.moved && event.detail > 0) event.stopPropagation(); // Ignore the click after a drag.
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
export class NumberField {
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

  constructor(onType: (text: string) => void, onEnter: () => void, signal: AbortSignal) {
    const signButtons = INPUT_SIGNS.map((sign) => button("dk-symbol-key", sign));
    this.element = make("div", "dk-number-input", {}, this.input, make("div", "dk-symbol-keys", {}, ...signButtons));
    this.input.addEventListener("input", () => onType(this.input.value), { signal });
    this.input.addEventListener(
      "keydown",
      (event) => {
        event.stopPropagation(); // Otherwise the notebook handles letters as shortcuts.
        if (event.key === "Enter" && !event.repeat && !event.isComposing && !this.input.readOnly) onEnter();
      },
      { signal },
    );
    for (const sign of signButtons) {
      sign.addEventListener("pointerdown", (event) => event.preventDefault(), { signal }); // This keeps the phone's keyboard open.
      sign.addEventListener("click", () => this.insertSign(sign.textContent ?? "", onType), { signal });
    }
  }

  /** Show the answer. Hide the field if no number is asked for. */
  paint(isShown: boolean, data: ExerciseData, text: string, words: Words): void {
    const { input } = this;
    const isDone = isOver(data);
    setAttributes(this.element, {
      hidden: !isShown,
      "data-mark": data.state === "shown" ? "right" : data.state || undefined,
      "data-over": isDone,
    });
    if (!isShown) return;
    setAttributes(input, {
      "aria-label": words.say("answer"),
      "aria-invalid": data.state === "wrong" ? "true" : undefined,
      readonly: isDone,
    });
    if (input.value !== text) input.value = text;
    const isNewGrade = hasChanged(input, data.state, data.answer, data.feedback);
    if (isNewGrade && data.state === "wrong" && findFocused(this.element) === input) input.select(); // Typing replaces a wrong answer.
  }

  /** Focus the field. */
  focus(): void {
    this.input.focus();
  }

  /** Insert a sign at the caret. */
  private insertSign(sign: string, onType: (text: string) => void): void {
    const { input } = this;
    if (input.readOnly) return;
    input.setRangeText(sign, input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length, "end");
    input.focus();
    onType(input.value);
  }
}

/** Rows of habits to choose from. */
export class HabitRows {
  readonly element = make("div", "dk-habit-rows");

  constructor(onChoose: (item: string) => void, signal: AbortSignal) {
    this.element.addEventListener(
      "click",
      ({ target }) => {
        const item = (target as Element).closest<HTMLElement>("[data-item]")?.dataset.item;
        if (item !== undefined) onChoose(item);
      },
      { signal },
    );
    this.element.addEventListener("keydown", (event) => this.handleKey(event), { signal });
  }

  paint({ rows = [] }: ExerciseData, given: readonly string[], isDone: boolean): void {
    setAttributes(this.element, { hidden: !rows.length });
    if (hasChanged(this.element, JSON.stringify(rows))) {
      const focusedItem = findFocused(this.element)?.dataset.item;
      this.element.replaceChildren(
        ...rows.map(([title, rules]) =>
          make(
            "div",
            "dk-habit-row",
            { role: "radiogroup", "aria-label": title },
            make("p", "dk-habit-title", { "aria-hidden": "true" }, title),
            ...rules.map(([item, words]) => button("dk-option", words, { "data-item": item, role: "radio" })),
          ),
        ),
      );
      if (focusedItem !== undefined) this.element.querySelector<HTMLElement>(`[data-item="${focusedItem}"]`)?.focus();
    }
    for (const row of this.element.children) {
      const rules = [...row.querySelectorAll<HTMLElement>("[data-item]")];
      const chosen = rules.find((rule) => given.includes(rule.dataset.item ?? ""));
      for (const rule of rules) {
        const hasTabStop = rule === (chosen ?? rules[0]); // Each row has one tab stop, like any radio group.
        setAttributes(rule, {
          "aria-checked": String(rule === chosen),
          tabindex: hasTabStop ? "0" : "-1",
          "aria-disabled": isDone ? "true" : undefined,
        });
      }
    }
  }

  /** Move the focus in a row by arrow keys. */
  private handleKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? 0;
    const rule = findFocused(this.element);
    const row = [...(rule?.parentElement?.querySelectorAll<HTMLElement>("[data-item]") ?? [])];
    if (!step || !rule || !row.length) return;
    row[(row.indexOf(rule) + step + row.length) % row.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
