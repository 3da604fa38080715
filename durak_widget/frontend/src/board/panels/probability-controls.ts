/** Sliders and fields for probabilities, and dragging a probability on its branch. Simple fractions attract it. */

import { focused, make, set, write } from "../../widgets/dom";
import type { Message, Move } from "../protocol/tree-drawing";
import { drawMove } from "../view/tree-nodes";
import type { Host } from "./panel";

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

/** From impossible to certain, in px. */
const LONG = 132;
/** So far a pointer may tremble before it pulls. */
const TREMBLE = 4;

/** So long an answer is waited for before the next is sent, in ms: one that was refused does not change what is told. */
const PATIENCE = 300;

const SIMPLE = [
  ["0", 0],
  ["1/4", 1 / 4],
  ["1/3", 1 / 3],
  ["1/2", 1 / 2],
  ["2/3", 2 / 3],
  ["3/4", 3 / 4],
  ["1", 1],
] as const;
/** So near to a simple fraction it is meant. */
const NEAR = 0.021;

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

interface Pulled {
  readonly set: number;
  readonly move: number;
  /** Where the branch leads. */
  readonly history: number;
  readonly pointer: number;
  readonly x: number;
  readonly from: number;
  /** What it was, as a text: where the hand goes back to on Escape. */
  readonly text: string;
  readonly scale: HTMLElement;
  last: string;
  moved: boolean;
}

/** Hear the hands on all probabilities that may be changed; `done` is told on which branch one was, and of which move where it was only touched. */
export function pulling(host: Host, setting: Setting, done: (history: number, touched: number | undefined) => void): void {
  const { root, signal } = host;
  let held: Pulled | undefined;
  const listen = <K extends keyof HTMLElementEventMap>(name: K, run: (event: HTMLElementEventMap[K]) => void): void =>
    root.addEventListener(name, run as EventListener, { signal });

  const let_go = (): void => {
    held?.scale.remove();
    held = undefined;
    delete root.dataset.pulling;
  };

  const say = (pulled: Pulled, to: string): void => {
    pulled.last = to;
    (pulled.scale.firstElementChild as HTMLElement).style.width = `${numeral(to) * 100}%`;
    write(pulled.scale.lastElementChild as Element, to);
  };

  listen("pointerdown", (event) => {
    const label = (event.target as Element).closest<HTMLElement>(".dk-likely[data-own]");
    if (!label || event.button !== 0 || !event.isPrimary) return;
    let_go(); // the end of an earlier one may have been heard elsewhere
    const { set: place = "", move = "", weight = "" } = label.dataset;
    const from = Number(weight);
    const frame = root.getBoundingClientRect();
    const scale = make("div", "dk-scale", { "aria-hidden": "true" }, make("i", ""), make("b", ""));
    const left = event.clientX - frame.left - from * LONG;
    scale.style.left = `${Math.min(Math.max(left, 4), frame.width - LONG - 4)}px`;
    scale.style.top = `${label.getBoundingClientRect().bottom - frame.top + 6}px`;
    const text = label.textContent ?? "";
    held = {
      set: Number(place),
      move: Number(move),
      history: Number(label.closest<HTMLElement>(".dk-branch")?.dataset.branch ?? -1),
      pointer: event.pointerId,
      x: event.clientX,
      from,
      text,
      scale,
      last: text,
      moved: false,
    };
    event.preventDefault(); // no text is selected, and no finger scrolls
  });

  listen("pointermove", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    if (event.pointerType === "mouse" && !(event.buttons & 1)) return let_go();
    const far = event.clientX - held.x;
    if (!held.moved) {
      if (Math.abs(far) < TREMBLE) return;
      held.moved = true;
      root.setPointerCapture(held.pointer); // the label is painted anew while it is pulled
      set(root, { "data-pulling": true });
      root.append(held.scale);
    }
    const to = snapped(held.from + far / LONG);
    if (to === held.last) return;
    say(held, to);
    setting.likely(held.set, held.move, to);
  });

  const up = (event: PointerEvent): void => {
    if (!held || event.pointerId !== held.pointer) return;
    const { moved, move, history } = held;
    let_go();
    if (event.type === "pointerup") done(history, moved ? undefined : move);
  };
  listen("pointerup", up);
  listen("pointercancel", up);
  root.ownerDocument.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !held?.moved) return;
      setting.likely(held.set, held.move, held.text.startsWith("≈") ? snapped(held.from) : held.text);
      let_go();
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true },
  );
}

/** Sends what a moving hand sets: Python is asked no faster than it answers, and hears the last value. */
export class Setting {
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private next: Message | undefined;

  constructor(private readonly host: Host) {}

  /** Make a move of an information set so likely. */
  likely(set: number, move: number, to: string): void {
    this.ask({ kind: "likely", set, move, to });
  }

  /** Ask for that, as soon as what was asked before is answered. */
  ask(message: Message): void {
    this.next = message;
    if (this.waiting === undefined) this.send();
  }

  /** Whether more was asked for than is answered. */
  get busy(): boolean {
    return this.next !== undefined;
  }

  /** Python has answered. */
  answered(): void {
    this.stop();
    if (this.next) this.send();
  }

  stop(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }

  private send(): void {
    const { next } = this;
    this.next = undefined;
    if (!next) return this.stop();
    this.waiting = setTimeout(() => {
      this.waiting = undefined;
      if (this.next) this.send();
    }, PATIENCE);
    this.host.send(next);
  }
}

/** A probability as it is told to Python, which knows its exact value. */
export function snapped(likely: number): string {
  const held = Math.min(Math.max(likely, 0), 1);
  const simple = SIMPLE.find(([, value]) => Math.abs(value - held) < NEAR);
  return simple ? simple[0] : `${Math.round(held * 100)}/100`;
}

/** The number that such a text is. */
export function numeral(text: string): number {
  const [above = 0, below = 1] = text.split("/").map(Number);
  return above / below;
}

/** So many steps of five percent on or back: from between two steps to the next. */
export function stepped(likely: number, steps: number): string {
  const at = likely * 20;
  const to = steps > 0 ? Math.floor(at + 1e-6) + steps : Math.ceil(at - 1e-6) + steps;
  return snapped5(Math.min(Math.max(to, 0), 20));
}

const snapped5 = (twentieths: number): string => {
  const simple = SIMPLE.find(([, value]) => Math.abs(value * 20 - twentieths) < 1e-6);
  return simple ? simple[0] : `${twentieths * 5}/100`;
};
