/** What is typed of the place that is looked at: who moves, what leads there and how likely, what the player knows, what an end is worth. */

import { CHANCE, OVER } from "../board/protocol/tree-drawing";
import { focused, make, set, write } from "../widgets/dom";
import { type Field, type Pad, send, typed } from "./protocol";
import { labelOf, modeOf } from "./tree-fields";

const FIELDS = ["move", "likely", "pays", "knows"] as const;

interface Line {
  readonly label: HTMLElement;
  readonly input: HTMLInputElement;
}

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
