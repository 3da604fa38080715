/** Fields of the tree editor: on the tree itself, for the node that has the focus, for the players and the title. */

import { CHANCE, letters, OVER } from "../board/protocol/tree-drawing";
import { sign } from "../board/view/tree-nodes";
import { button, changed, focused, make, set, write } from "../widgets/dom";
import { type Field, type Pad, send, typed } from "./protocol";

const LABELS = {
  move: "sketch.field.move",
  likely: "sketch.field.likely",
  pays: "sketch.field.pays",
  knows: "sketch.field.knows",
} as const;

const FIELDS = ["move", "likely", "pays", "knows"] as const;

/** So many players have a sign of their own. */
const MOST = 6;

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

/** A field on the tree itself: over payoffs, the name of a move, or its probability. */
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

interface Line {
  readonly label: HTMLElement;
  readonly input: HTMLInputElement;
}

/** The fields for the node that has the focus. */
export class PlaceFields {
  readonly element = make("div", "dk-sketch-place", { role: "group" });
  private readonly who = make("select", "");
  private readonly whoSaid = make("span", "");
  private readonly lines: ReadonlyMap<Field, Line>;
  /** Of which place the fields are. */
  private id = -1;

  constructor(private readonly pad: Pad) {
    const { who } = this;
    const whose = make("label", "dk-sketch-field", { "data-field": "who" }, this.whoSaid, who);
    this.element.append(whose);
    who.addEventListener("change", () => {
      const seat = Number(who.value);
      if (seat > OVER) pad.send({ kind: "give", id: this.id, seat });
      this.paint();
    });
    this.lines = new Map(FIELDS.map((field) => [field, this.line(field)] as const));
  }

  private line(field: Field): Line {
    const input = make("input", "", modeOf(field));
    const label = make("label", "dk-sketch-field", { "data-field": field }, make("span", ""), input);
    input.addEventListener("change", () => this.take(field, input));
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") input.value = typed(this.pad, this.id, field);
      if (event.key === "Enter") this.take(field, input);
      if (event.key === "Enter" || event.key === "Escape") this.pad.go(this.id);
    });
    this.element.append(label);
    return { label, input };
  }

  private take(field: Field, input: HTMLInputElement): void {
    send(this.pad, this.id, field, input.value);
  }

  paint(): void {
    const { pad, who } = this;
    const [shown, words, i] = [pad.shown(), pad.words(), pad.at()];
    const id = shown.id(i);
    const other = id !== this.id;
    this.id = id;
    set(this.element, { "aria-label": words.say("sketch.place") });
    const actor = shown.actor(i);
    write(this.whoSaid, words.say("sketch.field.who"));
    const nobody = [OVER, words.say("sketch.field.who.nobody")] as const;
    const seats = shown.drawing.seats.map((name, seat) => [seat, name] as const);
    const all = [...(actor === OVER ? [nobody] : []), ...seats, [CHANCE, words.say("tree.chance")] as const];
    who.replaceChildren(...all.map(([value, name]) => make("option", "", { value }, name)));
    who.value = String(actor);
    const up = shown.up(i);
    const there: Readonly<Record<Field, boolean>> = {
      move: up >= 0,
      likely: up >= 0 && shown.actor(up) === CHANCE,
      pays: actor === OVER,
      knows: actor >= 0,
    };
    for (const [field, { label, input }] of this.lines) {
      set(label, { hidden: !there[field] });
      write(label.firstElementChild as Element, words.say(labelOf(field)));
      if (!there[field]) continue;
      const shares = field === "likely" && pad.sketch().shared.includes(id);
      const likely = shown.move(i)?.likely ?? "";
      const pays = shown.drawing.seats.map((_, seat) => [1, 0, 2][seat % 3]).join(", ");
      set(input, {
        placeholder: shares ? likely : field === "pays" ? pays : undefined,
        title: shares ? words.say("sketch.field.shared", { likely }) : undefined,
      });
      if (other || focused(this.element) !== input) input.value = typed(pad, id, field);
    }
  }
}

/** The fields for the players and the title, in a part that folds away. */
export class GameFields {
  readonly element = make("details", "dk-sketch-game");
  private readonly head = make("summary", "");
  private readonly inside = make("div", "dk-sketch-names");

  constructor(private readonly pad: Pad) {
    this.element.append(this.head, this.inside);
  }

  paint(): void {
    const { pad } = this;
    const words = pad.words();
    const { seats, title } = pad.shown().drawing;
    write(this.head, words.say("sketch.game"));
    if (!changed(this.inside, words.language, seats, title)) return;
    const had = focused(this.inside)?.dataset.key;
    const marks = letters(seats);
    const players = seats.map((name, seat) => {
      const label = words.say("sketch.field.player", { number: seat + 1 });
      const input = this.field(`player${seat}`, label, name, (text) => pad.send({ kind: "player", seat, text }));
      const drop = button("dk-menu-item", "−", {
        "aria-label": words.say("sketch.player.drop", { player: name }),
        "data-key": `drop${seat}`,
      });
      drop.addEventListener("click", () => pad.send({ kind: "drop_player", seat }));
      return make("div", "dk-sketch-player", {}, sign(seat, marks[seat]), input, ...(seats.length > 1 ? [drop] : []));
    });
    const add = button("dk-menu-item", words.say("sketch.player.add"), { "data-key": "add" });
    add.addEventListener("click", () => pad.send({ kind: "add_player" }));
    const called = words.say("sketch.field.title");
    const name = this.field("title", called, title, (text) => pad.send({ kind: "title", text }));
    this.inside.replaceChildren(
      make("label", "dk-sketch-field", {}, make("span", "", { "aria-hidden": "true" }, called), name),
      ...players,
      ...(seats.length < MOST ? [add] : []),
    );
    if (had) this.inside.querySelector<HTMLElement>(`[data-key="${had}"]`)?.focus();
  }

  private field(key: string, label: string, value: string, take: (text: string) => void): HTMLInputElement {
    const input = make("input", "", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 80, "data-key": key });
    set(input, { "aria-label": label });
    input.value = value;
    input.addEventListener("change", () => {
      if (input.value.trim() !== value) take(input.value.trim());
    });
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") input.blur();
    });
    return input;
  }
}
