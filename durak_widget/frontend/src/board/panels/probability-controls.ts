/** How often each move of an information set is made: a slider and a field for each, for keys, for fingers and for screen readers. */

import { focused, make, set, write } from "../../widgets/dom";
import type { Move } from "../protocol/tree-drawing";
import { drawMove } from "../view/branch";
import type { Host } from "./panel";
import type { Setting } from "./setting";
import { snapped, stepped } from "./snap";

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
  Home: -20,
  End: 20,
};

class Row {
  readonly element: HTMLElement;
  readonly slider = make("input", "dk-slide", { type: "range", min: 0, max: 100, step: "any" });
  readonly field = make("input", "dk-typed-of", {
    type: "text",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 40,
  });
  private readonly name = make("span", "dk-row-move", { "aria-hidden": "true" });
  private readonly best = make("span", "dk-row-best", { hidden: true }, "★");
  private weight = 0;
  private pulled = false;
  /** What is painted, and what was sent last. */
  private text = "";
  private sent = "";

  constructor(host: Host, set_: (to: string) => void) {
    this.element = make("div", "dk-row-of", { role: "group" }, this.name, this.best, this.slider, this.field);
    const { slider, field } = this;
    slider.addEventListener("pointerdown", () => {
      this.pulled = true;
    });
    for (const name of ["pointerup", "pointercancel", "change"] as const)
      slider.addEventListener(name, () => {
        this.pulled = false;
      });
    slider.addEventListener("input", () => {
      const to = snapped(slider.valueAsNumber / 100);
      this.fill(slider.valueAsNumber / 100);
      set_(to);
    });
    slider.addEventListener("keydown", (event) => {
      const steps = STEPS[event.key];
      if (steps === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      set_(stepped(this.weight, steps));
      event.preventDefault();
    });
    const given = (): void => {
      const typed = field.value.trim();
      field.value = typed;
      if (typed === this.sent) return;
      this.sent = typed;
      set_(typed);
    };
    field.addEventListener("change", given);
    field.addEventListener("blur", () => {
      field.value = this.sent = this.text;
    });
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") given();
      if (event.key === "Escape") {
        field.value = this.sent = this.text;
        host.go(host.shown().id(host.at()));
      }
    });
  }

  private fill(weight: number): void {
    this.slider.style.setProperty("--dk-weight", `${weight * 100}%`);
  }

  paint(host: Host, move: Move, text: string, weight: number, best: boolean | undefined, readonly: boolean): void {
    const words = host.words();
    drawMove(this.name, move);
    this.weight = weight;
    set(this.element, { "aria-label": move.said + (best ? `, ${words.say("tree.is_best")}` : "") });
    set(this.best, { hidden: !best });
    if (!this.pulled) {
      this.slider.value = String(weight * 100);
      this.fill(weight);
    }
    set(this.slider, {
      "aria-label": words.say("solution.likely", { move: move.said }),
      "aria-valuetext": text,
      disabled: readonly,
    });
    set(this.field, { "aria-label": words.say("solution.field", { move: move.said }) });
    this.field.readOnly = readonly;
    const typing = this.field === (this.field.getRootNode() as Document | ShadowRoot).activeElement && this.text === text;
    if (!typing) this.field.value = this.sent = text; // what is being typed is not overwritten, but by an answer
    this.text = text;
  }
}

/** The rows of the information set that is looked at. */
export class Rows {
  readonly element = make("div", "dk-rows");
  private readonly title = make("p", "dk-rows-of");
  private readonly list = make("div", "dk-rows-list", { role: "group" });
  private rows: Row[] = [];
  private of = "";

  constructor(
    private readonly host: Host,
    private readonly setting: Setting,
  ) {
    this.element.append(this.title, this.list);
  }

  /** Paint them; `mine` is whose probabilities may be set. */
  paint(mine: (seat: number) => boolean): void {
    const { host } = this;
    const shown = host.shown();
    const { likely, weight, best } = host.solution();
    const at = host.at();
    const place = shown.info(at);
    const seat = shown.actor(at);
    const texts = seat >= 0 ? likely?.[place] : undefined;
    const moves = shown.drawing.sets[place]?.moves ?? [];
    const words = host.words();
    set(this.list, { hidden: !texts });
    if (!texts || seat < 0) {
      this.of = "";
      write(this.title, words.say("solution.elsewhere"));
      return;
    }
    const knows = shown.knows(at);
    const player = shown.drawing.seats[seat] ?? "";
    write(this.title, knows ? words.say("solution.at.knowing", { player, knows }) : words.say("solution.at", { player }));
    set(this.list, { "aria-label": this.title.textContent ?? "" });
    if (this.of !== place || this.rows.length !== moves.length) {
      const had = focused(this.list) !== null;
      this.of = place;
      this.rows = moves.map((_, move) => new Row(host, (to) => this.setting.likely(Number(place), move, to)));
      this.list.replaceChildren(...this.rows.map(({ element }) => element));
      if (had) this.focus(0);
    }
    for (const [move, row] of this.rows.entries())
      row.paint(
        host,
        moves[move] as Move,
        texts[move] ?? "",
        weight?.[place]?.[move] ?? 0,
        best?.[place]?.[move],
        !mine(seat) || moves.length < 2,
      );
  }

  /** Go to the field of a move, or to its slider. */
  focus(move: number, typing = false): boolean {
    const row = this.rows[move];
    if (!row || this.list.hidden) return false;
    const element = typing ? row.field : row.slider;
    element.focus();
    if (typing) row.field.select();
    return true;
  }
}
