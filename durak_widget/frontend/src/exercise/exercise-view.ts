/** An exercise on the page: question, items, buttons, and the verdict with reasons. `exercise-kinds.ts` has the kinds. */

import { drawSuitSign } from "../widgets/cards";
import { button, findFocused, hasChanged, make, makeDrawing, setAttributes, setText } from "../widgets/dom";
import { getTrumpSuit } from "../widgets/protocol/scene";
import type { Words } from "../widgets/protocol/words";
import { removeSuitSigns, renderSuitSigns } from "../widgets/suit-signs";
import { drawPlayedCard } from "../widgets/table-center";
import { applyExerciseTheme, onConnected, watchTheme } from "../widgets/theme";
import { HabitRows, listenForCardDrag, NumberField } from "./answer-inputs";
import {
  type Attempt,
  type ButtonKeys,
  type ExerciseData,
  type ExerciseKind,
  isChanged,
  isDrill,
  isKind,
  isOver,
  KINDS,
  moveCard,
} from "./exercise-kinds";
import { BoardVerdict, Coach, flyStar, TableRemarks } from "./feedback";
import { findBoard, findNextStep, findNotebook, findTableButtons } from "./next-exercise";
import { linkNotebooks } from "./notebook-links";
import { scrollToAfterRun } from "./scroll-after-run";

/** Messages to Python. */
export type ExerciseMessage =
  | { readonly kind: "answer"; readonly answer: readonly string[] }
  | { readonly kind: "restart" | "reveal" | "next" | "reload" | "grade_current_answer" };

/** An exercise was added or removed, so the next step can be another. */
const PAGE_CHANGED = "durak-exercises";

const EMPTY_ATTEMPT: Attempt = { answer: [], held: -1 };

/** A longer question is styled as text instead of a heading. */
const LONG_QUESTION = 240;

export class ExerciseView {
  readonly root = make("section", "dk dk-exercise", { role: "region" });
  private readonly numberElement = make("span", "dk-exercise-number");
  private readonly questionElement = make("p", "dk-question");
  private readonly starElement = make("span", "dk-star");
  private readonly pictureElement = make("div", "dk-position-picture");
  private readonly targetElement = make("div", "dk-attack-card", { role: "img" });
  private readonly itemsElement = make("div", "dk-items", { role: "group" });
  private readonly numberField: NumberField;
  private readonly habits: HabitRows;
  private readonly hintElement = make("p", "dk-small");
  private readonly buttons: Readonly<Record<keyof ButtonKeys, HTMLButtonElement>> = {
    check: button("dk-primary", ""),
    none: button("", ""),
    next: button("dk-following dk-primary", ""),
    again: button("", ""),
    reveal: button("", ""),
  };
  private readonly footer = make("div", "dk-exercise-footer");
  private readonly actions = make("div", "dk-actions");
  private readonly onwardButton = button("dk-next-button dk-primary", "");
  private readonly streakElement = make("p", "dk-small dk-streak");
  private readonly verdictElement = make("div", "dk-feedback", { role: "status" });
  private readonly coach = new Coach(this.verdictElement);
  private readonly itemElements = new Map<string, HTMLButtonElement>();
  private readonly lifetime = new AbortController();
  private readonly tableRemarks = new TableRemarks(this.lifetime.signal);
  private readonly boardVerdict: BoardVerdict;
  private readonly releaseDrag: () => void;
  /** The open question that was painted last. */
  private paintedQuestion = "";
  /** The state that was painted last. */
  private paintedState: ExerciseData["state"] | undefined;
  private attempt = EMPTY_ATTEMPT;
  private isDone = false;
  /** The user has pressed the delete button once. */
  private isSure = false;

  constructor(
    private readonly getData: () => ExerciseData,
    private readonly words: () => Words,
    private readonly send: (answer: ExerciseMessage) => void,
  ) {
    const { signal } = this.lifetime;
    const header = make("div", "dk-exercise-header", {}, this.numberElement, this.questionElement, this.starElement);
    this.actions.append(...Object.values(this.buttons), this.onwardButton);
    this.footer.append(this.hintElement, this.actions, this.coach.element, this.streakElement);
    this.boardVerdict = new BoardVerdict([this.actions, this.coach.element], this.root);
    const submit = (): void => this.submitAnswer();
    this.numberField = new NumberField((text) => this.setAttempt({ answer: [text], held: -1 }), submit, signal);
    this.habits = new HabitRows((item) => this.chooseItem(item), signal);
    this.root.append(
      header,
      this.pictureElement,
      make("div", "dk-exercise-task", {}, this.targetElement, this.itemsElement, this.habits.element, this.numberField.element),
      this.footer,
    );
    const onSingleClick = (element: HTMLElement, callback: () => void): void =>
      element.addEventListener("click", (event) => void (event.detail > 1 || callback()), { signal });
    onSingleClick(this.buttons.check, submit);
    onSingleClick(this.buttons.none, () => this.send({ kind: "answer", answer: [] }));
    onSingleClick(this.onwardButton, () => void this.goOn());
    onSingleClick(this.buttons.again, () => this.restart());
    onSingleClick(this.buttons.reveal, () => this.send({ kind: "reveal" }));
    onSingleClick(this.buttons.next, () => this.send({ kind: "next" }));
    this.itemsElement.addEventListener("click", (event) => {
      const item = (event.target as Element).closest<HTMLElement>("[data-item]")?.dataset.item;
      if (item !== undefined && !(event.detail > 1 && this.kind?.answersAtOnce)) this.chooseItem(item);
    });
    this.itemsElement.addEventListener("keydown", (event) => this.handleKey(event));
    const canMove = (): boolean => this.kind?.isRow === true && !isOver(this.getData());
    this.releaseDrag = listenForCardDrag(this.itemsElement, {
      canMove,
      getAttempt: () => this.attempt,
      setAttempt: (doing) => this.setAttempt(doing),
    });
    watchTheme(this.root, () => this.updateTheme(), signal);
    if (this.kind?.refreshes) this.refreshWhenSeen(signal);
  }

  /** Submit the answer. An empty selection needs its own button. */
  private submitAnswer(): void {
    const { is_grading_deferred: kept } = this.getData();
    const { answer: given } = this.attempt;
    if (kept && !given.length && this.kind?.isSubset) this.showMessage(this.words().say("pick_first", { none: this.words().say("none") }));
    else this.send(this.kind?.isOnBoard ? { kind: "grade_current_answer" } : { kind: "answer", answer: given });
  }

  /** Refresh the exercise whenever the user sees it again. */
  private refreshWhenSeen(signal: AbortSignal): void {
    const refresh = (): void => void (document.hidden || this.send({ kind: "reload" }));
    const observer = new IntersectionObserver((entries) => void (entries.some((entry) => entry.isIntersecting) && refresh()));
    observer.observe(this.root);
    signal.addEventListener("abort", () => observer.disconnect());
    window.addEventListener("focus", refresh, { signal });
    document.addEventListener("visibilitychange", refresh, { signal });
  }

  /** Return the next exercise in the notebook. */
  private get nextExercise(): HTMLElement | undefined {
    const exercises = [...findNotebook(this.root).querySelectorAll<HTMLElement>(".dk-exercise:not([data-kind=progress])")];
    const index = exercises.indexOf(this.root);
    return index < 0 ? undefined : exercises[index + 1];
  }

  /** Return the kind. Undefined if this page doesn't know it. */
  private get kind(): ExerciseKind | undefined {
    const { kind } = this.getData();
    return isKind(kind) ? KINDS[kind] : undefined;
  }

  /** Show that Python could not read the answer, or is gone. Nothing else changes. */
  showMessage(message: string): void {
    if (hasChanged(this.verdictElement, [message])) this.verdictElement.replaceChildren(make("p", "", {}, message));
    this.tableRemarks.showRemarks([message]);
  }

  mount(container: HTMLElement): void {
    this.paint();
    container.append(this.root);
    this.waitForTable();
    const { signal } = this.lifetime;
    document.addEventListener(PAGE_CHANGED, () => this.paintOnward(), { signal });
    const stopWaiting = onConnected(this.root, () => document.dispatchEvent(new Event(PAGE_CHANGED)));
    signal.addEventListener("abort", stopWaiting);
    scrollToAfterRun(this.root, signal);
  }

  /** The table or board of an exercise comes after it. Wait for it and paint again, because feedback goes there. */
  private waitForTable(): void {
    if (!this.isPlayed && !this.kind?.isOnBoard) return;
    const isThere = (): boolean => (this.isPlayed ? this.tableButtons : findBoard(this.root)) !== undefined;
    if (isThere()) return this.paintAll();
    const observer = new MutationObserver(() => {
      if (!isThere()) return;
      observer.disconnect();
      this.paintAll();
    });
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-task"] });
    this.lifetime.signal.addEventListener("abort", () => observer.disconnect());
  }

  /** Return whether the exercise is played at a table without a coach. */
  private get isPlayed(): boolean {
    const { kind, feedback_kinds: kinds } = this.getData();
    return kind === "play" && !kinds;
  }

  /** Return the buttons of its own table. A table without an exercise belongs to another cell. */
  private get tableButtons(): Element | undefined {
    const next = this.isPlayed ? findTableButtons(this.root) : undefined;
    return next?.closest("[data-task]") ? next : undefined;
  }

  setConnected(alive: boolean): void {
    if (!alive) this.showMessage(this.words().say("gone_exercise"));
  }

  stop(): void {
    this.lifetime.abort();
    this.onwardButton.remove();
    this.buttons.next.remove();
    this.buttons.reveal.remove();
    this.boardVerdict.stop();
    this.root.remove();
    document.dispatchEvent(new Event(PAGE_CHANGED));
  }

  /** Paint the current exercise from Python. */
  paint(): void {
    const data = this.getData();
    const questionKey = data.state === "" ? [data.kind, ...data.items.map(([item]) => item), data.attempt_count].join(" ") : "";
    const isSameQuestion = questionKey !== "" && questionKey === this.paintedQuestion; // Only its words have changed.
    this.attempt = { answer: isSameQuestion ? this.attempt.answer : (this.kind?.getInitialAnswer(data) ?? []), held: -1 };
    this.paintedQuestion = questionKey;
    this.isSure = false;
    this.releaseDrag();
    this.updateTheme();
    this.paintAll();
    if (data.challenge && data.state === "right" && this.paintedState !== undefined && this.paintedState !== "right")
      flyStar((data.kind === "play" && findTableButtons(this.root)?.closest(".dk-felt")) || this.root, this.starElement);
    this.paintedState = data.state;
  }

  /** Leave fullscreen and go to the next step. */
  private async goOn(): Promise<void> {
    if (document.fullscreenElement) await document.exitFullscreen();
    findNextStep(this.root, this.nextExercise)?.go();
  }

  private paintAll(): void {
    const { kind } = this;
    const data = this.getData();
    const words = this.words();
    const { question } = data;
    const spokenQuestion = removeSuitSigns(question);
    const isFinished = isOver(data);
    const { tableButtons } = this;
    const shownData = isChanged(data, this.attempt, kind?.isRow)
      ? { ...data, state: "" as const, feedback: [words.say("keep.changed")] }
      : data;
    setAttributes(this.root, {
      "aria-label": kind?.hasTitleOnly ? spokenQuestion : `${words.say("exercise")}: ${spokenQuestion}`,
      lang: words.language,
      "data-state": shownData.state || undefined,
      "data-grading-deferred": data.is_grading_deferred,
      "data-kind": data.kind,
      "data-task": data.has_begun !== undefined,
      "data-over": isFinished,
      "data-has-table": tableButtons !== undefined,
    });
    if (hasChanged(this.questionElement, question)) this.questionElement.replaceChildren(...renderSuitSigns(question));
    setAttributes(this.questionElement, { "data-long": question.length > LONG_QUESTION });
    setText(this.numberElement, data.number ?? "");
    const numberTitle = data.number_title;
    setAttributes(this.numberElement, { title: numberTitle, "aria-label": numberTitle, role: numberTitle && "img" });
    setText(this.starElement, data.challenge ? `★ ${words.say("challenge")}` : "");
    if (hasChanged(this.pictureElement, data.picture)) {
      this.pictureElement.innerHTML = data.picture;
      linkNotebooks(this.pictureElement);
    }
    this.paintTarget(data, words);
    this.paintItems(data, kind, words);
    this.habits.paint(data, this.attempt.answer, isFinished);
    this.numberField.paint(kind?.isTyped === true, data, this.attempt.answer[0] ?? "", words);
    if (isDrill(data)) this.paintStreak(data, words);
    if (kind?.isOnBoard) this.boardVerdict.placeBelowBoard(this.footer);
    setText(
      this.hintElement,
      (isFinished && !tableButtons && !this.boardVerdict.isBelowBoard) || data.feedback_kinds
        ? ""
        : (data.instructions ?? this.formatHint(data, words)),
    );
    const buttonKeys: ButtonKeys = kind?.listButtons(data, this.isSure) ?? {};
    for (const [name, element] of Object.entries(this.buttons)) {
      const key = buttonKeys[name as keyof ButtonKeys];
      if (key) setText(element, words.say(key));
      setAttributes(element, { hidden: !key });
    }
    this.isDone = Boolean(data.is_grading_deferred ? shownData.state : isFinished) && data.is_goal_reached !== false;
    this.paintOnward();
    this.placeNextButton(data);
    this.coach.paint(shownData, words);
    if (tableButtons) {
      this.tableRemarks.paint(
        tableButtons,
        { question, remarks: shownData.feedback, state: shownData.state, asksWhy: data.can_ask_why === true },
        words,
      );
      this.tableRemarks.addButton(this.buttons.reveal);
    } else if (this.buttons.reveal.parentElement !== this.actions) this.buttons.again.after(this.buttons.reveal);
  }

  /** Place the button for the next exercise of a series, on the felt if there is one. */
  private placeNextButton({ kind }: ExerciseData): void {
    const { next } = this.buttons;
    const container = (!next.hidden && kind === "play" && findTableButtons(this.root)) || this.actions;
    if (next.parentElement === container) return;
    if (container === this.actions) this.buttons.again.before(next);
    else container.append(next);
  }

  /** Paint the button for the next step: on the felt of a table, otherwise beside the verdict. */
  private paintOnward(): void {
    const nextStep = this.isDone ? findNextStep(this.root, this.nextExercise) : undefined;
    if (nextStep?.lesson !== undefined) setText(this.onwardButton, this.words().say("onward.to", { what: nextStep.lesson }));
    else if (nextStep) setText(this.onwardButton, this.words().say(nextStep.below ? "onward.below" : "onward"));
    setAttributes(this.onwardButton, { hidden: !nextStep, "data-other-lesson": nextStep?.lesson !== undefined });
    const container = (this.isDone && this.getData().kind === "play" && findTableButtons(this.root)) || this.actions;
    if (this.onwardButton.parentElement !== container) container.append(this.onwardButton);
    // One button is primary: the way on. After a miss at a table it is retrying.
    const { kind, state } = this.getData();
    this.buttons.next.classList.toggle("dk-primary", !nextStep && (kind !== "play" || state !== "wrong"));
  }

  /** Return the instructions of the kind, or those for homework. */
  private formatHint({ kind, is_grading_deferred: kept }: ExerciseData, words: Words): string {
    if (!isKind(kind)) return words.say("unknown_kind", { kind });
    return kept && kind !== "progress" ? words.say(`keep.${kind}`) : words.say(`how.${kind}`);
  }

  /** Paint the card to beat, with the trump suit. */
  private paintTarget({ target, trump }: ExerciseData, words: Words): void {
    setAttributes(this.targetElement, { hidden: !target });
    if (!target || !hasChanged(this.targetElement, target, trump, words.key)) return;
    const labels = [words.formatCard(target), words.formatTrump(trump)];
    setAttributes(this.targetElement, { "aria-label": labels.join("; ") });
    const card = makeDrawing("div", "dk-card", drawPlayedCard(target, words), { "data-trump": getTrumpSuit(target, trump) });
    const sign = trump ? [makeDrawing("span", "dk-trump-sign", drawSuitSign(trump))] : [];
    this.targetElement.replaceChildren(card, ...sign);
  }

  /** Paint the streak of a drill: a dot for each answer up to the goal. */
  private paintStreak(
    { streak = 0, level = 0, goal = 0, is_goal_reached: done, is_level_card_count: cards }: ExerciseData,
    words: Words,
  ): void {
    const label = words.say(cards ? "streak_cards" : "streak", { count: streak, level });
    setAttributes(this.streakElement, { "data-done": done });
    if (!hasChanged(this.streakElement, streak, level, goal, done, words.language)) return;
    const dots = Array.from({ length: goal }, (_, i) => make("i", "dk-streak-dot", { "data-on": done || i < streak }));
    const goalNote = done ? [make("b", "", {}, `✓ ${words.say("streak_done", { goal })}`)] : [];
    this.streakElement.replaceChildren(
      make("span", "dk-streak-goal", { "aria-hidden": "true" }, ...dots),
      ...goalNote,
      make("span", "", {}, label),
    );
  }

  private paintItems(data: ExerciseData, kind: ExerciseKind | undefined, words: Words): void {
    const labels = new Map(kind ? data.items : []);
    setAttributes(this.itemsElement, {
      hidden: !labels.size,
      "aria-label": data.question,
      role: kind?.role ?? "group",
      "data-row": kind?.isRow,
    });
    setAttributes(this.itemsElement, { "data-pictured": data.pictures !== undefined });
    const focusedItem = findFocused(this.itemsElement)?.dataset.item;
    const hasOtherLetters = hasChanged(this.itemsElement, words.key);
    for (const [item, element] of this.itemElements) {
      if (!hasOtherLetters && labels.has(item) && element.classList.contains("dk-option") === Boolean(labels.get(item))) continue;
      element.remove();
      this.itemElements.delete(item);
    }
    if (!kind) return;
    [...(kind.isRow ? this.attempt.answer : labels.keys())].forEach((item, i) => {
      const answer = labels.get(item) ?? "";
      const element = this.itemElements.get(item) ?? this.makeItem(item, answer, words);
      if (this.itemsElement.children[i] !== element) this.itemsElement.insertBefore(element, this.itemsElement.children[i] ?? null);
      const picked = kind.isPicked(item, i, this.attempt);
      const mark = data.marks[item];
      setAttributes(element, { "data-mark": mark });
      if (answer) {
        const picture = data.pictures?.[item];
        const label = element.firstElementChild ?? element;
        setText(label, answer); // Another question can have the same items with other words.
        if (picture && element.lastElementChild && hasChanged(element, picture)) {
          element.lastElementChild.innerHTML = picture;
          setAttributes(element, { "aria-label": answer, "aria-description": element.querySelector("img")?.alt });
        }
        return setAttributes(element, { "aria-checked": String(picked) });
      }
      const card = words.formatCard(item);
      const cardLabel = kind.isRow ? words.say("placed", { card, place: i + 1, count: this.attempt.answer.length }) : card;
      const trump = getTrumpSuit(item, data.trump);
      const name = mark ? `${cardLabel}, ${words.say(`mark.${mark}`)}` : cardLabel;
      setAttributes(element, { "aria-label": name, "aria-pressed": String(picked), "data-picked": picked, "data-trump": trump });
    });
    if (focusedItem && findFocused(this.itemsElement)?.dataset.item !== focusedItem) this.itemElements.get(focusedItem)?.focus();
  }

  private makeItem(item: string, answer: string, words: Words): HTMLButtonElement {
    const element = answer
      ? button("dk-option", answer, { "data-item": item, role: "radio" })
      : makeDrawing("button", "dk-card dk-hand-card", drawPlayedCard(item, words), { type: "button", "data-item": item, "data-lit": true });
    if (this.getData().pictures?.[item]) element.replaceChildren(make("span", ""), make("div", "dk-option-picture"));
    this.itemElements.set(item, element);
    return element;
  }

  private chooseItem(item: string): void {
    const { kind } = this;
    if (!kind?.choose || isOver(this.getData())) return;
    const doing = kind.choose(item, this.attempt);
    if (kind.answersAtOnce) this.send({ kind: "answer", answer: doing.answer });
    else this.setAttempt(doing);
  }

  /** Set the attempt and paint it. */
  private setAttempt(doing: Attempt): void {
    this.attempt = doing;
    this.paintAll();
  }

  /** Restart. Deleting the progress needs a second click. */
  private restart(): void {
    if (this.kind?.isTyped) this.numberField.focus(); // The pressed button will disappear, so focus the field.
    if (!this.kind?.asksTwice || this.isSure) return this.send({ kind: "restart" });
    this.isSure = true;
    this.paintAll();
  }

  /** Move the focus by arrow keys, or the card that is being moved. */
  private handleKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? 0;
    const { answer: given, held } = this.attempt;
    const row = [...this.itemsElement.children] as HTMLElement[];
    const index = row.indexOf(findFocused(this.itemsElement) as HTMLElement);
    if (event.key === "Escape" && held >= 0) this.setAttempt({ answer: given, held: -1 });
    else if (!step || index < 0) return;
    else if (held >= 0) {
      const target = Math.max(0, Math.min(held + step, given.length - 1));
      this.setAttempt({ answer: moveCard(given, held, target), held: target });
    } else row[(index + step + row.length) % row.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  private updateTheme(): void {
    applyExerciseTheme(this.root);
    this.boardVerdict.updateTheme();
  }
}
