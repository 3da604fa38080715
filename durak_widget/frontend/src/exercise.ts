/** An exercise on the page: its question, items and buttons, and the verdict with its reasons. What a kind is like stands in `kinds`. */

import { declared, faceOf } from "./art";
import { Coach } from "./coach";
import { button, changed, drawn, focused, make, set, write } from "./dom";
import { type Buttons, type Doing, isDrill, isKind, isOver, KINDS, type Kind, moved, type Sheet } from "./kinds";
import { counts } from "./moves";
import { draggingIn } from "./row";
import { pageIsDark, watchTheme } from "./theme";
import type { Words } from "./words";

/** What is sent to Python. */
export type Answer = { readonly kind: "answer"; readonly given: readonly string[] } | { readonly kind: "again" | "reveal" | "next" };

const NOTHING: Doing = { given: [], held: -1 };

export class ExerciseView {
  readonly root = make("section", "dk dk-lesson", { role: "region" });
  private readonly question = make("p", "dk-question");
  private readonly picture = make("div", "dk-position");
  private readonly items = make("div", "dk-items", { role: "group" });
  private readonly how = make("p", "dk-small");
  private readonly buttons: Readonly<Record<keyof Buttons, HTMLButtonElement>> = {
    check: button("dk-primary", ""),
    next: button("dk-primary", ""),
    again: button("", ""),
    reveal: button("", ""),
  };
  private readonly streak = make("p", "dk-small dk-streak");
  private readonly verdict = make("div", "dk-said", { role: "status" });
  private readonly coach = new Coach(this.verdict);
  private readonly cards = new Map<string, HTMLButtonElement>();
  private readonly stopped = new AbortController();
  private readonly letGo: () => void;
  /** The open question that was painted last. */
  private painted = "";
  private doing = NOTHING;
  /** Whether somebody has begun to say that all is to be forgotten. */
  private sure = false;

  constructor(
    private readonly sheet: () => Sheet,
    private readonly words: () => Words,
    private readonly send: (answer: Answer) => void,
  ) {
    const { signal } = this.stopped;
    const actions = make("div", "dk-actions", {}, ...Object.values(this.buttons));
    this.root.append(this.question, this.picture, this.items, this.how, actions, this.coach.element, this.streak);
    const once = (element: HTMLElement, run: () => void): void =>
      element.addEventListener("click", (event) => void (event.detail > 1 || run()), { signal });
    once(this.buttons.check, () => this.send({ kind: "answer", given: this.doing.given }));
    once(this.buttons.again, () => this.again());
    once(this.buttons.reveal, () => this.send({ kind: "reveal" }));
    once(this.buttons.next, () => this.send({ kind: "next" }));
    this.items.addEventListener("click", (event) => {
      const item = (event.target as Element).closest<HTMLElement>("[data-item]")?.dataset.item;
      if (item !== undefined && !(event.detail > 1 && this.kind?.answers)) this.choose(item);
    });
    this.items.addEventListener("keydown", (event) => this.key(event));
    const may = (): boolean => this.kind?.row === true && !isOver(this.sheet());
    this.letGo = draggingIn(this.items, { may, doing: () => this.doing, lay: (doing) => this.lay(doing) });
    watchTheme(() => this.restyle(), signal);
  }

  /** What this kind of exercise is like; undefined where it is not known here. */
  private get kind(): Kind | undefined {
    const { kind } = this.sheet();
    return isKind(kind) ? KINDS[kind] : undefined;
  }

  /** Python could not read what was answered, or is not there: say so, and leave everything as it is. */
  tell(said: string): void {
    if (changed(this.verdict, [said])) this.verdict.replaceChildren(make("p", "", {}, said));
  }

  begin(place: HTMLElement): void {
    this.paint();
    place.append(this.root);
  }

  live(alive: boolean): void {
    if (!alive) this.tell(this.words().say("gone_exercise"));
  }

  stop(): void {
    this.stopped.abort();
    this.root.remove();
  }

  /** Show what Python now tells. */
  paint(): void {
    const sheet = this.sheet();
    const asked = sheet.state === "" ? [sheet.kind, ...sheet.items.map(([item]) => item), sheet.tries].join(" ") : "";
    const open = asked !== "" && asked === this.painted; // only its words have changed
    this.doing = { given: open ? this.doing.given : (this.kind?.begins(sheet) ?? []), held: -1 };
    this.painted = asked;
    this.sure = false;
    this.letGo();
    this.restyle();
    this.draw();
  }

  private draw(): void {
    const { kind } = this;
    const sheet = this.sheet();
    const words = this.words();
    const { question } = sheet;
    const over = isOver(sheet);
    set(this.root, {
      "aria-label": kind?.title ? question : `${words.say("exercise")}: ${question}`,
      lang: words.language,
      "data-state": sheet.state || undefined,
      "data-kind": sheet.kind,
    });
    write(this.question, question);
    if (changed(this.picture, sheet.picture)) this.picture.innerHTML = sheet.picture;
    this.drawItems(sheet, kind, words);
    write(this.streak, isDrill(sheet) ? words.say("streak", { count: sheet.streak ?? 0, level: sheet.level ?? 0 }) : "");
    write(
      this.how,
      over || sheet.kinds ? "" : isKind(sheet.kind) ? words.say(`how.${sheet.kind}`) : words.say("unknown_kind", { kind: sheet.kind }),
    );
    const there: Buttons = kind?.buttons(sheet, this.sure) ?? {};
    for (const [name, element] of Object.entries(this.buttons)) {
      const key = there[name as keyof Buttons];
      if (key) write(element, words.say(key));
      set(element, { hidden: !key });
    }
    this.coach.paint(sheet, words);
  }

  private drawItems(sheet: Sheet, kind: Kind | undefined, words: Words): void {
    const said = new Map(kind ? sheet.items : []);
    set(this.items, { hidden: !said.size, "aria-label": sheet.question, role: kind?.role ?? "group", "data-row": kind?.row });
    const had = focused(this.items)?.dataset.item;
    for (const [item, element] of this.cards) {
      if (said.has(item) && element.classList.contains("dk-option") === Boolean(said.get(item))) continue;
      element.remove();
      this.cards.delete(item);
    }
    if (!kind) return;
    [...(kind.row ? this.doing.given : said.keys())].forEach((item, i) => {
      const answer = said.get(item) ?? "";
      const element = this.cards.get(item) ?? this.make(item, answer);
      if (this.items.children[i] !== element) this.items.insertBefore(element, this.items.children[i] ?? null);
      const picked = kind.picked(item, i, this.doing);
      const mark = sheet.marks[item];
      set(element, { "data-mark": mark });
      if (answer) {
        write(element, answer); // another question may have the same items, and other words
        return set(element, { "aria-checked": String(picked) });
      }
      const card = words.card(item);
      const placed = kind.row ? words.say("placed", { card, place: i + 1, count: this.doing.given.length }) : card;
      const trump = counts(item)[1] === sheet.trump && item[0] !== "X" ? (sheet.trump ?? undefined) : undefined;
      const name = mark ? `${placed}, ${words.say(`mark.${mark}`)}` : placed;
      set(element, { "aria-label": name, "aria-pressed": String(picked), "data-picked": picked, "data-trump": trump });
    });
    if (had && focused(this.items)?.dataset.item !== had) this.cards.get(had)?.focus();
  }

  private make(item: string, answer: string): HTMLButtonElement {
    const element = answer
      ? button("dk-option", answer, { "data-item": item, role: "radio" })
      : drawn("button", "dk-card dk-mine", faceOf(item) + (item.length > 2 ? declared(counts(item).charAt(1)) : ""), {
          type: "button",
          "data-item": item,
          "data-lit": true,
        });
    this.cards.set(item, element);
    return element;
  }

  private choose(item: string): void {
    const { kind } = this;
    if (!kind?.choose || isOver(this.sheet())) return;
    const doing = kind.choose(item, this.doing);
    if (kind.answers) this.send({ kind: "answer", given: doing.given });
    else this.lay(doing);
  }

  /** This much has been done now. */
  private lay(doing: Doing): void {
    this.doing = doing;
    this.draw();
  }

  /** Begin again; what was learned in many lessons is forgotten only when asked for twice. */
  private again(): void {
    if (!this.kind?.twice || this.sure) return this.send({ kind: "again" });
    this.sure = true;
    this.draw();
  }

  /** The arrows lead from item to item, or carry the card that was taken up. */
  private key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? 0;
    const { given, held } = this.doing;
    const row = [...this.items.children] as HTMLElement[];
    const at = row.indexOf(focused(this.items) as HTMLElement);
    if (event.key === "Escape" && held >= 0) this.lay({ given, held: -1 });
    else if (!step || at < 0) return;
    else if (held >= 0) {
      const to = Math.max(0, Math.min(held + step, given.length - 1));
      this.lay({ given: moved(given, held, to), held: to });
    } else row[(at + step + row.length) % row.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  private restyle(): void {
    const dark = pageIsDark() ? "dark" : "light";
    set(this.root, { "data-theme": dark, "data-page": dark, "data-skin": "felt", "data-colors": 2, "data-motion": true });
  }
}
