/** What is typed on the tree itself: a field over the payoffs of an end, over the name of a move, or over its probability. */

import { make, set } from "../widgets/dom";
import { type Field, type Pad, send, typed } from "./protocol";

const LABELS = {
  move: "sketch.field.move",
  likely: "sketch.field.likely",
  pays: "sketch.field.pays",
  knows: "sketch.field.knows",
} as const;

/** What a field is called. */
export const labelOf = (field: Field): (typeof LABELS)[Field] => LABELS[field];

/** What kind of letters a phone offers there. */
export const modeOf = (field: Field): Readonly<Record<string, string>> => ({
  type: "text",
  inputmode: "text",
  autocomplete: "off",
  autocapitalize: "off",
  spellcheck: "false",
  maxlength: field === "move" || field === "knows" ? "80" : "120",
});

export class InPlace {
  private readonly input: HTMLInputElement = make("input", "dk-typed", modeOf("pays"));
  private id = -1;
  private field: Field = "pays";
  /** Where one was when the field opened: one is there again when it closes. */
  private back = -1;
  /** What Python has been sent and has not answered yet. */
  private sent: { readonly id: number; readonly field: Field; readonly back: number; readonly text: string } | undefined;

  constructor(
    private readonly pad: Pad,
    private readonly repaint: () => void,
  ) {
    const { input } = this;
    input.addEventListener("keydown", (event) => this.press(event));
    input.addEventListener("blur", () => this.close(true));
    for (const name of ["pointerdown", "click", "dblclick"]) input.addEventListener(name, (event) => event.stopPropagation());
  }

  get open(): boolean {
    return this.id >= 0;
  }

  /** Open a field at a place. */
  begin(id: number, field: Field, back = id, text = typed(this.pad, id, field)): void {
    this.close(true);
    [this.id, this.field, this.back] = [id, field, back];
    const { input, pad } = this;
    set(input, { ...modeOf(field), "data-field": field, "aria-label": pad.words().say(labelOf(field)) });
    input.value = text;
    this.repaint();
    input.focus({ preventScroll: true });
    input.select();
  }

  /** What was sent last could not be taken: it is there again, to be mended. */
  refused(): void {
    const { sent, pad } = this;
    this.sent = undefined;
    if (sent && pad.shown().place(sent.id) >= 0) this.begin(sent.id, sent.field, sent.back, sent.text);
  }

  /** What was sent has been taken. */
  taken(): void {
    this.sent = undefined;
  }

  /** Put the field into its node, or take it away. */
  decorate(element: HTMLElement, i: number): void {
    const here = this.open && this.pad.shown().id(i) === this.id;
    if (here && this.input.parentElement !== element) element.append(this.input);
    if (!here && this.input.parentElement === element) this.input.remove();
    set(element, { "data-typing": here ? this.field : undefined });
  }

  /** The place of the field may be gone. */
  check(): void {
    if (this.open && this.pad.shown().place(this.id) < 0) this.close(false);
  }

  /** Close the field, with what was typed or without. */
  close(taken: boolean): void {
    if (!this.open) return;
    const { id, field, back, input } = this;
    this.id = -1;
    if (taken && send(this.pad, id, field, input.value)) this.sent = { id, field, back, text: input.value };
    input.remove();
    this.repaint();
  }

  private press(event: KeyboardEvent): void {
    event.stopPropagation();
    const { key, shiftKey } = event;
    if (key !== "Enter" && key !== "Escape" && key !== "Tab") return;
    const [next, field, back] = [key === "Tab" ? this.beside(shiftKey ? -1 : 1) : -1, this.field, this.back];
    event.preventDefault();
    this.close(key !== "Escape");
    this.pad.go(next < 0 ? back : next);
    if (next >= 0) this.begin(next, field);
  }

  /** The next of the same kind in the order of the drawing: another end, or another branch of the same place. */
  private beside(step: 1 | -1): number {
    const shown = this.pad.shown();
    const i = shown.place(this.id);
    const all = this.field === "pays" ? shown.drawing.nodes.id.map((_, n) => n).filter((n) => shown.pays(n).length) : shown.siblings(i);
    const next = all[all.indexOf(i) + step];
    return next === undefined ? -1 : shown.id(next);
  }

  stop(): void {
    this.id = -1;
    this.input.remove();
  }
}
