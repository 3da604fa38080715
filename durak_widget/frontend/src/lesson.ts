/** The door to the notebook for an exercise: cards to pick or to order, answers to choose from, and the verdict with its reasons. */

import { declared, faceOf } from "./art";
import { button, changed, drawn, focused, make, set, write } from "./dom";
import { counts } from "./moves";
import { hidePictures } from "./pictures";
import type { Card } from "./scene";
import { pageIsDark, watchTheme } from "./theme";
import { type Table as WordTable, Words } from "./words";

/** What Python shows of an exercise. */
export interface Sheet {
  readonly kind: "pick" | "sort" | "choose" | "play" | "progress";
  readonly question: string;
  readonly picture: string;
  /** What can be picked, and its words; a card has none. */
  readonly items: readonly (readonly [item: string, words: string])[];
  readonly trump: string | null;
  readonly given: readonly string[];
  readonly marks: Readonly<Record<string, "right" | "wrong">>;
  readonly said: readonly string[];
  readonly state: "" | "right" | "wrong" | "shown";
  readonly tries: number;
  /** Something has been done that can be begun again, though nothing is decided. */
  readonly begun?: boolean;
  /** Of a drill: how many in a row were right, and how hard it is. */
  readonly streak?: number;
  readonly level?: number;
}

interface Model {
  get(name: string): unknown;
  send(message: unknown): unknown;
  on(event: string, callback: (...given: never[]) => void): void;
  off(event: string, callback: (...given: never[]) => void): void;
}

type Message = { readonly kind: "answer"; readonly given: readonly string[] } | { readonly kind: "again" | "reveal" | "next" };

/** The row after a card has been moved to the place of another. */
export function moved(row: readonly string[], from: number, to: number): string[] {
  const rest = row.filter((_, i) => i !== from);
  const place = Math.max(0, Math.min(to, rest.length));
  return [...rest.slice(0, place), row[from] as string, ...rest.slice(place)];
}

/** A finger that moves less than so many pixels clicks. */
const GRASP = 6;

class Exercise {
  readonly root = make("section", "dk dk-lesson", { role: "region" });
  private readonly question = make("p", "dk-question");
  private readonly picture = make("div", "dk-position");
  private readonly items = make("div", "dk-items", { role: "group" });
  private readonly how = make("p", "dk-small");
  private readonly check = button("dk-primary", "");
  private readonly again = button("", "");
  private readonly reveal = button("", "");
  private readonly next = button("dk-primary", "");
  private readonly streak = make("p", "dk-small dk-streak");
  private readonly verdict = make("div", "dk-said", { role: "status" });
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly stopped = new AbortController();
  /** The open question that was painted last. */
  private painted = "";
  /** What is picked, or the row as it now lies. */
  private given: string[] = [];
  /** The place of the card that is being moved. */
  private held = -1;
  /** The card under the finger, and where it was grasped. */
  private drag: { readonly item: string; readonly x: number; readonly y: number; moved: boolean } | undefined;
  /** Whether somebody has begun to say that all is to be forgotten. */
  private sure = false;

  constructor(private readonly sheet: () => Sheet, private readonly words: () => Words, private readonly send: (message: Message) => void) {
    const { signal } = this.stopped;
    this.root.append(this.question, this.picture, this.items, this.how, make("div", "dk-actions", {}, this.check, this.next, this.again, this.reveal), this.verdict, this.streak);
    const once = (element: HTMLElement, run: () => void): void => element.addEventListener("click", (event) => void (event.detail > 1 || run()), { signal });
    once(this.check, () => this.send({ kind: "answer", given: this.given }));
    once(this.again, () => this.begin());
    once(this.reveal, () => this.send({ kind: "reveal" }));
    once(this.next, () => this.send({ kind: "next" }));
    this.items.addEventListener("click", (event) => {
      const element = (event.target as Element).closest<HTMLElement>("[data-item]");
      if (element?.dataset.item !== undefined && !(event.detail > 1 && this.sheet().kind === "choose")) this.choose(element.dataset.item);
    });
    this.items.addEventListener("keydown", (event) => this.key(event));
    this.items.addEventListener("pointerdown", (event) => this.grasp(event));
    this.items.addEventListener("pointermove", (event) => this.carry(event));
    for (const end of ["pointerup", "pointercancel"]) this.items.addEventListener(end, () => this.release());
    this.items.addEventListener("click", (event) => this.afterDrag(event), { capture: true });
    watchTheme(() => this.restyle(), signal);
  }

  /** Python could not read what was answered: say so, and leave everything as it is. */
  tell(said: string): void {
    if (changed(this.verdict, [said])) this.verdict.replaceChildren(make("p", "", {}, said));
  }

  stop(): void {
    this.stopped.abort();
    this.root.remove();
  }

  /** Show what Python now tells. */
  paint(): void {
    const sheet = this.sheet();
    const items = sheet.items.map(([item]) => item);
    const open = sheet.state === "" && this.painted === `${sheet.kind} ${items.join(" ")} ${sheet.tries}`; // only its words have changed
    if (!open) this.given = sheet.kind === "sort" && !sheet.given.length ? items : [...sheet.given];
    this.painted = sheet.state === "" ? `${sheet.kind} ${items.join(" ")} ${sheet.tries}` : "";
    this.held = -1;
    this.release();
    this.drag = undefined;
    this.sure = false;
    this.restyle();
    this.draw();
  }

  private draw(): void {
    const sheet = this.sheet();
    const words = this.words();
    set(this.root, { "aria-label": sheet.kind === "progress" ? sheet.question : `${words.say("exercise")}: ${sheet.question}`, lang: words.language, "data-state": sheet.state || undefined, "data-kind": sheet.kind });
    write(this.question, sheet.question);
    if (changed(this.picture, sheet.picture)) this.picture.innerHTML = sheet.picture;
    set(this.items, { hidden: !sheet.items.length, "aria-label": sheet.question, role: sheet.kind === "choose" ? "radiogroup" : "group" });
    const had = focused(this.items)?.dataset.item;
    const order = sheet.kind === "sort" ? this.given : sheet.items.map(([item]) => item);
    const said = new Map(sheet.items);
    for (const [item, element] of this.buttons) if (!said.has(item) || element.classList.contains("dk-option") !== Boolean(said.get(item))) this.forget(item, element);
    order.forEach((item, i) => {
      const element = this.buttons.get(item) ?? this.make(item, said.get(item) ?? "");
      if (this.items.children[i] !== element) this.items.insertBefore(element, this.items.children[i] ?? null);
      this.dress(element, item, i, sheet, words);
    });
    if (had && focused(this.items)?.dataset.item !== had) this.buttons.get(had)?.focus();
    const over = sheet.state === "right" || sheet.state === "shown";
    const { streak, level } = sheet;
    const drill = streak !== undefined && level !== undefined;
    write(this.streak, drill ? words.say("streak", { count: streak, level }) : "");
    write(this.how, over ? "" : words.say(`how.${sheet.kind}`));
    const progress = sheet.kind === "progress";
    for (const [element, key, there] of [[this.check, "check", (sheet.kind === "pick" || sheet.kind === "sort") && !over], [this.next, "following", drill && over], [this.again, progress ? (this.sure ? "sure" : "forget") : "again", progress ? sheet.tries > 0 : (sheet.state !== "" || Boolean(sheet.begun)) && !(drill && over)], [this.reveal, "reveal", sheet.state === "wrong"]] as const) {
      write(element, words.say(key));
      set(element, { hidden: !there });
    }
    if (changed(this.verdict, sheet.said)) this.verdict.replaceChildren(...sheet.said.map((line) => make("p", "", {}, line)));
  }

  private make(item: string, said: string): HTMLButtonElement {
    const element = said
      ? button("dk-option", said, { "data-item": item, role: "radio" })
      : drawn("button", "dk-card dk-mine", faceOf(item) + (item.length > 2 ? declared(counts(item).charAt(1)) : ""), { type: "button", "data-item": item, "data-lit": true });
    this.buttons.set(item, element);
    return element;
  }

  private forget(item: string, element: HTMLElement): void {
    element.remove();
    this.buttons.delete(item);
  }

  private dress(element: HTMLElement, item: string, place: number, sheet: Sheet, words: Words): void {
    const answer = sheet.items.find(([one]) => one === item)?.[1];
    const card = !answer;
    if (answer) write(element, answer); // another question may have the same items, and other words
    const mark = sheet.marks[item];
    const picked = sheet.kind === "sort" ? place === this.held : this.given.includes(item);
    const name = card ? words.card(item as Card) : "";
    const placed = sheet.kind === "sort" ? words.say("placed", { card: name, place: place + 1, count: this.given.length }) : name;
    const trump = card && sheet.trump && counts(item)[1] === sheet.trump && item[0] !== "X" ? sheet.trump : undefined;
    set(element, {
      "aria-label": card ? (mark ? `${placed}, ${words.say(`mark.${mark}`)}` : placed) : undefined,
      [card ? "aria-pressed" : "aria-checked"]: String(picked),
      "data-picked": card && picked, "data-mark": mark, "data-trump": trump,
    });
  }

  private choose(item: string): void {
    const { kind, state } = this.sheet();
    if (state === "right" || state === "shown") return;
    if (kind === "choose") return this.send({ kind: "answer", given: [item] });
    if (kind === "pick") this.given = this.given.includes(item) ? this.given.filter((one) => one !== item) : [...this.given, item];
    else this.move(this.given.indexOf(item));
    this.draw();
  }

  /** Take a card of the row up, or lay the one taken up there. */
  private move(place: number): void {
    if (this.held >= 0 && this.held !== place) this.given = moved(this.given, this.held, place);
    this.held = this.held < 0 ? place : -1;
  }

  /** Begin again; what was learned in many lessons is forgotten only when asked for twice. */
  private begin(): void {
    if (this.sheet().kind === "progress" && !this.sure) {
      this.sure = true;
      this.draw();
    } else this.send({ kind: "again" });
  }

  private grasp(event: PointerEvent): void {
    const { kind, state } = this.sheet();
    const element = (event.target as Element).closest<HTMLElement>("[data-item]");
    this.drag = undefined;
    if (kind !== "sort" || state === "right" || state === "shown" || event.button !== 0 || element?.dataset.item === undefined) return;
    const { left, top } = element.getBoundingClientRect();
    this.drag = { item: element.dataset.item, x: event.clientX - left, y: event.clientY - top, moved: false };
  }

  /** The card goes with the finger; wherever it passes over another, the row makes room. */
  private carry(event: PointerEvent): void {
    const { drag } = this;
    const element = drag && this.buttons.get(drag.item);
    if (!drag || !element) return;
    if (!event.buttons) return this.release();
    const place = element.getBoundingClientRect();
    if (!drag.moved && Math.hypot(event.clientX - drag.x - place.left, event.clientY - drag.y - place.top) < GRASP) return;
    if (!drag.moved) this.items.setPointerCapture(event.pointerId); // the card itself is moved in the row, and would lose it
    drag.moved = true;
    const under = (this.root.getRootNode() as Document | ShadowRoot).elementsFromPoint(event.clientX, event.clientY);
    const other = under.map((one) => one.closest<HTMLElement>("[data-item]")).find((one) => one && one !== element && this.items.contains(one));
    this.held = this.given.indexOf(drag.item);
    const to = other?.dataset.item === undefined ? this.held : this.given.indexOf(other.dataset.item);
    this.given = moved(this.given, this.held, to);
    this.held = to;
    this.draw();
    set(element, { "data-dragged": true });
    element.style.translate = "none";
    const { left, top } = element.getBoundingClientRect();
    element.style.translate = `${event.clientX - drag.x - left}px ${event.clientY - drag.y - top}px`;
  }

  private release(): void {
    const element = this.drag?.moved ? this.buttons.get(this.drag.item) : undefined;
    if (!element) return;
    element.style.translate = "";
    set(element, { "data-dragged": false });
    this.held = -1;
    this.draw();
  }

  /** What was dragged is not clicked as well. */
  private afterDrag(event: MouseEvent): void {
    if (this.drag?.moved && event.detail > 0) event.stopPropagation();
    this.drag = undefined;
  }

  private key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? 0;
    const at = focused(this.items)?.dataset.item;
    if (event.key === "Escape" && this.held >= 0) {
      this.held = -1;
      this.draw();
    } else if (step && at !== undefined) {
      if (this.held >= 0) {
        const to = Math.max(0, Math.min(this.held + step, this.given.length - 1));
        this.given = moved(this.given, this.held, to);
        this.held = to;
        this.draw();
      } else {
        const row = [...this.items.children] as HTMLElement[];
        row[(row.findIndex((one) => one.dataset.item === at) + step + row.length) % row.length]?.focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private restyle(): void {
    const dark = pageIsDark() ? "dark" : "light";
    set(this.root, { "data-theme": dark, "data-page": dark, "data-skin": "felt", "data-colors": 2, "data-motion": true });
  }
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const words = (): Words => new Words(model.get("words") as WordTable, model.get("language") as string);
  const gone = (): void => exercise.tell(words().say("gone_exercise"));
  const send = (message: Message): void => {
    try {
      // Some hosts throw when the kernel is gone, others give a promise that fails.
      Promise.resolve(model.send(message) as unknown).catch(gone);
    } catch {
      gone();
    }
  };
  const exercise = new Exercise(() => model.get("sheet") as Sheet, words, send);
  const paint = (): void => exercise.paint();
  const hear = ({ said }: { said: string }): void => exercise.tell(said);
  model.on("msg:custom", hear);
  for (const event of ["change:sheet", "change:words"]) model.on(event, paint);
  hidePictures(el);
  exercise.paint();
  el.append(exercise.root);
  return () => {
    for (const event of ["change:sheet", "change:words"]) model.off(event, paint);
    model.off("msg:custom", hear);
    exercise.stop();
  };
}

export default { render };
