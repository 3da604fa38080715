/** An exercise on the page: its question, items and buttons, and the verdict with its reasons. `exercise-kinds.ts` has the kinds. */

import { suitSign } from "../widgets/cards";
import { button, changed, drawn, focused, make, set, write } from "../widgets/dom";
import { trumpOf } from "../widgets/protocol/scene";
import type { Words } from "../widgets/protocol/words";
import { lying } from "../widgets/table-center";
import { dressSheet, laid, watchTheme } from "../widgets/theme";
import { draggingIn, Field, Habits } from "./answer-inputs";
import { type Buttons, type Doing, isChanged, isDrill, isKind, isOver, KINDS, type Kind, moved, type Sheet } from "./exercise-kinds";
import { Below, Coach, flyStar, Under } from "./feedback";
import { boardBelow, buttonsBelow, linkIn, wayOn } from "./next-exercise";

/** What is sent to Python. */
export type Answer =
  | { readonly kind: "answer"; readonly given: readonly string[] }
  | { readonly kind: "again" | "reveal" | "next" | "look" | "judge" };

/** Another exercise has come to the page, or one is gone: the way on may lead elsewhere. */
const MOVED = "durak-exercises";

const NOTHING: Doing = { given: [], held: -1 };

/** A question of more signs is no heading any more, but a text that is read. */
const LONG = 240;

export class ExerciseView {
  readonly root = make("section", "dk dk-lesson", { role: "region" });
  private readonly number = make("span", "dk-number");
  private readonly question = make("p", "dk-question");
  private readonly star = make("span", "dk-star");
  private readonly picture = make("div", "dk-position");
  private readonly target = make("div", "dk-attacked", { role: "img" });
  private readonly items = make("div", "dk-items", { role: "group" });
  private readonly field: Field;
  private readonly habits: Habits;
  private readonly how = make("p", "dk-small");
  private readonly buttons: Readonly<Record<keyof Buttons, HTMLButtonElement>> = {
    check: button("dk-primary", ""),
    none: button("", ""),
    next: button("dk-primary", ""),
    again: button("", ""),
    reveal: button("", ""),
  };
  private readonly foot = make("div", "dk-foot");
  private readonly actions = make("div", "dk-actions");
  private readonly onward = button("dk-onward", "");
  private readonly streak = make("p", "dk-small dk-streak");
  private readonly verdict = make("div", "dk-said", { role: "status" });
  private readonly coach = new Coach(this.verdict);
  private readonly cards = new Map<string, HTMLButtonElement>();
  private readonly stopped = new AbortController();
  private readonly under = new Under(this.stopped.signal);
  private readonly below: Below;
  private readonly letGo: () => void;
  /** The open question that was painted last. */
  private painted = "";
  /** How its answer was judged when it was painted last. */
  private was: Sheet["state"] | undefined;
  private doing = NOTHING;
  private done = false;
  /** Whether somebody has begun to say that all is to be forgotten. */
  private sure = false;

  constructor(
    private readonly sheet: () => Sheet,
    private readonly words: () => Words,
    private readonly send: (answer: Answer) => void,
  ) {
    const { signal } = this.stopped;
    const head = make("div", "dk-heading", {}, this.number, this.question, this.star);
    this.actions.append(...Object.values(this.buttons), this.onward);
    this.foot.append(this.how, this.actions, this.coach.element, this.streak);
    this.below = new Below([this.actions, this.coach.element], this.root);
    const check = (): void => this.check();
    this.field = new Field((text) => this.lay({ given: [text], held: -1 }), check, signal);
    this.habits = new Habits((item) => this.choose(item), signal);
    this.root.append(
      head,
      this.picture,
      make("div", "dk-asked", {}, this.target, this.items, this.habits.element, this.field.element),
      this.foot,
    );
    const once = (element: HTMLElement, run: () => void): void =>
      element.addEventListener("click", (event) => void (event.detail > 1 || run()), { signal });
    once(this.buttons.check, check);
    once(this.buttons.none, () => this.send({ kind: "answer", given: [] }));
    once(this.onward, () => void this.goOn());
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
    watchTheme(this.root, () => this.restyle(), signal);
    if (this.kind?.looks) this.look(signal);
  }

  /** Give the answer as it stands; that no card is meant to be the answer is said by a button of its own. */
  private check(): void {
    const { kept } = this.sheet();
    const { given } = this.doing;
    if (kept && !given.length && this.kind?.some) this.tell(this.words().say("pick_first", { none: this.words().say("none") }));
    else this.send(this.kind?.below ? { kind: "judge" } : { kind: "answer", given });
  }

  /** Whoever comes to see it sees it as it is now. */
  private look(signal: AbortSignal): void {
    const look = (): void => void (document.hidden || this.send({ kind: "look" }));
    const seen = new IntersectionObserver((all) => void (all.some((one) => one.isIntersecting) && look()));
    seen.observe(this.root);
    signal.addEventListener("abort", () => seen.disconnect());
    window.addEventListener("focus", look, { signal });
    document.addEventListener("visibilitychange", look, { signal });
  }

  /** The exercise that comes after this one on the page. */
  private get following(): HTMLElement | undefined {
    const all = [...document.querySelectorAll<HTMLElement>(".dk-lesson:not([data-kind=progress])")];
    const at = all.indexOf(this.root);
    return at < 0 ? undefined : all[at + 1];
  }

  /** What this kind of exercise is like; undefined where it is not known here. */
  private get kind(): Kind | undefined {
    const { kind } = this.sheet();
    return isKind(kind) ? KINDS[kind] : undefined;
  }

  /** Python could not read what was answered, or is not there: say so, and leave everything as it is. */
  tell(said: string): void {
    if (changed(this.verdict, [said])) this.verdict.replaceChildren(make("p", "", {}, said));
    this.under.tell([said]);
  }

  begin(place: HTMLElement): void {
    this.paint();
    place.append(this.root);
    this.await();
    const { signal } = this.stopped;
    document.addEventListener(MOVED, () => this.drawOnward(), { signal });
    const settled = laid(this.root, () => document.dispatchEvent(new Event(MOVED)));
    signal.addEventListener("abort", settled);
  }

  /** The table of a task comes after it, or its board: then what is said is said there. */
  private await(): void {
    if (!this.played && !this.kind?.below) return;
    const there = (): boolean => (this.played ? this.felt : boardBelow(this.root)) !== undefined;
    if (there()) return this.draw();
    const come = new MutationObserver(() => {
      if (!there()) return;
      come.disconnect();
      this.draw();
    });
    come.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-task"] });
    this.stopped.signal.addEventListener("abort", () => come.disconnect());
  }

  /** Whether this is a task that is played at a table, where no coach speaks. */
  private get played(): boolean {
    const { kind, kinds } = this.sheet();
    return kind === "play" && !kinds;
  }

  /** The buttons on the felt of its table, if that is there; a table on which nothing is asked is somebody else's. */
  private get felt(): Element | undefined {
    const next = this.played ? buttonsBelow(this.root) : undefined;
    return next?.closest("[data-task]") ? next : undefined;
  }

  live(alive: boolean): void {
    if (!alive) this.tell(this.words().say("gone_exercise"));
  }

  stop(): void {
    this.stopped.abort();
    this.onward.remove();
    this.buttons.next.remove();
    this.buttons.reveal.remove();
    this.below.stop();
    this.root.remove();
    document.dispatchEvent(new Event(MOVED));
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
    if (sheet.challenge && sheet.state === "right" && this.was !== undefined && this.was !== "right")
      flyStar((sheet.kind === "play" && buttonsBelow(this.root)?.closest(".dk-felt")) || this.root, this.star);
    this.was = sheet.state;
  }

  /** To what comes next, out of a screen that is filled. */
  private async goOn(): Promise<void> {
    if (document.fullscreenElement) await document.exitFullscreen();
    wayOn(this.root, this.following)?.go();
  }

  private draw(): void {
    const { kind } = this;
    const sheet = this.sheet();
    const words = this.words();
    const { question } = sheet;
    const over = isOver(sheet);
    const { felt } = this;
    const kept = isChanged(sheet, this.doing, kind?.row) ? { ...sheet, state: "" as const, said: [words.say("keep.changed")] } : sheet;
    set(this.root, {
      "aria-label": kind?.title ? question : `${words.say("exercise")}: ${question}`,
      lang: words.language,
      "data-state": kept.state || undefined,
      "data-kept": sheet.kept,
      "data-kind": sheet.kind,
      "data-task": sheet.begun !== undefined,
      "data-over": over,
      "data-under": felt !== undefined,
    });
    write(this.question, question);
    set(this.question, { "data-long": question.length > LONG });
    write(this.number, sheet.number ?? "");
    write(this.star, sheet.challenge ? `★ ${words.say("challenge")}` : "");
    if (changed(this.picture, sheet.picture)) {
      this.picture.innerHTML = sheet.picture;
      linkIn(this.picture);
    }
    this.drawTarget(sheet, words);
    this.drawItems(sheet, kind, words);
    this.habits.paint(sheet, this.doing.given, over);
    this.field.paint(kind?.typed === true, sheet, this.doing.given[0] ?? "", words);
    if (isDrill(sheet)) this.drawRow(sheet, words);
    if (kind?.below) this.below.stand(this.foot);
    write(this.how, (over && !felt && !this.below.there) || sheet.kinds ? "" : (sheet.how ?? this.hint(sheet, words)));
    const there: Buttons = kind?.buttons(sheet, this.sure) ?? {};
    for (const [name, element] of Object.entries(this.buttons)) {
      const key = there[name as keyof Buttons];
      if (key) write(element, words.say(key));
      set(element, { hidden: !key });
    }
    this.done = Boolean(sheet.kept ? kept.state : sheet.state === "right") && sheet.done !== false;
    this.drawOnward();
    this.drawNext(sheet);
    this.coach.paint(kept, words);
    if (felt) {
      this.under.paint(felt, { question, said: kept.said, state: kept.state, asksWhy: sheet.asked_why === true }, words);
      this.under.take(this.buttons.reveal);
    } else if (this.buttons.reveal.parentElement !== this.actions) this.buttons.again.after(this.buttons.reveal);
  }

  /** The next of tasks that are played in turn: on the felt, as the way on; where one has missed it, the first thing is to try again. */
  private drawNext({ kind, state }: Sheet): void {
    const { next } = this.buttons;
    const place = (!next.hidden && kind === "play" && buttonsBelow(this.root)) || this.actions;
    next.classList.toggle("dk-primary", kind !== "play" || state !== "wrong");
    if (next.parentElement === place) return;
    if (place === this.actions) this.buttons.again.before(next);
    else place.append(next);
  }

  /** The way on. It stands on the felt if the task is played at a table, else beside the verdict. */
  private drawOnward(): void {
    const way = this.done ? wayOn(this.root, this.following) : undefined;
    if (way?.lesson !== undefined) write(this.onward, this.words().say("onward.to", { what: way.lesson }));
    else if (way) write(this.onward, this.words().say(way.below ? "onward.below" : "onward"));
    set(this.onward, { hidden: !way, "data-away": way?.lesson !== undefined });
    const place = (this.done && this.sheet().kind === "play" && buttonsBelow(this.root)) || this.actions;
    if (this.onward.parentElement !== place) place.append(this.onward);
  }

  /** How this kind is done, or what is asked of an answer that is kept. */
  private hint({ kind, kept }: Sheet, words: Words): string {
    if (!isKind(kind)) return words.say("unknown_kind", { kind });
    return kept && kind !== "progress" ? words.say(`keep.${kind}`) : words.say(`how.${kind}`);
  }

  /** The card that is to be beaten, and the sign of the trumps beside it. */
  private drawTarget({ target, trump }: Sheet, words: Words): void {
    set(this.target, { hidden: !target });
    if (!target || !changed(this.target, target, trump, words.language)) return;
    const said = [words.card(target), words.trumps(trump)];
    set(this.target, { "aria-label": said.join("; ") });
    const card = drawn("div", "dk-card", lying(target), { "data-trump": trumpOf(target, trump) });
    const sign = trump ? [drawn("span", "dk-chip", suitSign(trump))] : [];
    this.target.replaceChildren(card, ...sign);
  }

  /** How many of a drill were right in a row: a dot for each that is asked for. */
  private drawRow({ streak = 0, level = 0, goal = 0, done, cards }: Sheet, words: Words): void {
    const said = words.say(cards ? "streak_cards" : "streak", { count: streak, level });
    set(this.streak, { "data-done": done });
    if (!changed(this.streak, streak, level, goal, done, words.language)) return;
    const dots = Array.from({ length: goal }, (_, i) => make("i", "dk-dot", { "data-on": done || i < streak }));
    const reached = done ? [make("b", "", {}, `✓ ${words.say("streak_done", { goal })}`)] : [];
    this.streak.replaceChildren(make("span", "dk-goal", { "aria-hidden": "true" }, ...dots), ...reached, make("span", "", {}, said));
  }

  private drawItems(sheet: Sheet, kind: Kind | undefined, words: Words): void {
    const said = new Map(kind ? sheet.items : []);
    set(this.items, { hidden: !said.size, "aria-label": sheet.question, role: kind?.role ?? "group", "data-row": kind?.row });
    set(this.items, { "data-pictured": sheet.pictures !== undefined });
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
        const picture = sheet.pictures?.[item];
        const place = element.firstElementChild ?? element;
        write(place, answer); // another question may have the same items, and other words
        if (picture && element.lastElementChild && changed(element, picture)) {
          element.lastElementChild.innerHTML = picture;
          set(element, { "aria-label": answer, "aria-description": element.querySelector("img")?.alt });
        }
        return set(element, { "aria-checked": String(picked) });
      }
      const card = words.card(item);
      const placed = kind.row ? words.say("placed", { card, place: i + 1, count: this.doing.given.length }) : card;
      const trump = trumpOf(item, sheet.trump);
      const name = mark ? `${placed}, ${words.say(`mark.${mark}`)}` : placed;
      set(element, { "aria-label": name, "aria-pressed": String(picked), "data-picked": picked, "data-trump": trump });
    });
    if (had && focused(this.items)?.dataset.item !== had) this.cards.get(had)?.focus();
  }

  private make(item: string, answer: string): HTMLButtonElement {
    const element = answer
      ? button("dk-option", answer, { "data-item": item, role: "radio" })
      : drawn("button", "dk-card dk-mine", lying(item), { type: "button", "data-item": item, "data-lit": true });
    if (this.sheet().pictures?.[item]) element.replaceChildren(make("span", ""), make("div", "dk-shown"));
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
    if (this.kind?.typed) this.field.focus(); // the button that was pressed will be gone
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
    dressSheet(this.root);
    this.below.dress();
  }
}
