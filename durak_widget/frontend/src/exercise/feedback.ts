/** Feedback on an exercise: remarks, the verdict below a board, the coach, and the star of a challenge. */

import { button, hasChanged, make, setAttributes, setText } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import { applyExerciseTheme } from "../widgets/theme";
import type { ExerciseData } from "./exercise-kinds";
import { findBoard, scrollIntoView } from "./next-exercise";

const STAR_MS = 800;
const STAR_SCALE = 7;

/** The data of the remarks. */
interface RemarkData {
  readonly question: string;
  readonly remarks: readonly string[];
  readonly state: string;
  /** There is more to say than fits on the felt, so a button asks why. */
  readonly asksWhy: boolean;
}

/** The remarks below a table. */
export class TableRemarks {
  /** The question again, because in fullscreen only the table is visible. */
  private readonly questionElement = make("p", "dk-question-copy", { "aria-hidden": "true" });
  /** A visible copy of what the exercise announces. */
  private readonly remarksElement = make("div", "dk-feedback-text", { "aria-hidden": "true" });
  private readonly whyButton = button("", "", { hidden: true });
  private readonly box = make("div", "", {}, this.remarksElement);
  private readonly element = make("div", "dk-table-feedback", {}, this.box);

  constructor(signal: AbortSignal) {
    this.whyButton.addEventListener("click", () => scrollIntoView(this.box), { signal });
    signal.addEventListener("abort", () => [this.questionElement, this.element, this.whyButton].forEach((element) => element.remove()));
  }

  /** Show the remarks below the felt with these buttons. */
  paint(buttons: Element, { question, remarks, state, asksWhy }: RemarkData, words: Words): void {
    const felt = buttons.closest(".dk-felt");
    const table = felt?.parentElement;
    if (this.element.parentElement !== table) {
      felt?.before(this.questionElement);
      (table?.querySelector(":scope > .dk-navigation") ?? felt)?.after(this.element);
    }
    if (this.whyButton.parentElement !== buttons) buttons.append(this.whyButton);
    setText(this.questionElement, question);
    setText(this.whyButton, words.say("why"));
    setAttributes(this.whyButton, { hidden: !asksWhy });
    setAttributes(this.element, { "data-state": state || undefined });
    this.showRemarks(remarks);
  }

  showRemarks(remarks: readonly string[]): void {
    if (hasChanged(this.remarksElement, remarks))
      this.remarksElement.replaceChildren(...remarks.map((remark) => make("p", "", {}, remark)));
  }

  /** Add a button that belongs to the remarks. */
  addButton(element: HTMLElement): void {
    if (element.parentElement !== this.box) this.box.append(element);
  }
}

/** The verdict below a board. */
export class BoardVerdict {
  private readonly element = make("div", "dk dk-board-feedback", { role: "group" });
  /** The board. It stays the same, even if the tree above a matrix asks nothing any more. */
  private board: Element | undefined;

  constructor(
    /** The elements to place. */
    private readonly parts: readonly HTMLElement[],
    private readonly exercise: HTMLElement,
  ) {}

  /** Return whether the verdict is below its board. The board appears after the exercise. */
  get isBelowBoard(): boolean {
    return this.element.isConnected;
  }

  /** Place the verdict below the board, or in the exercise while there is no board. */
  placeBelowBoard(fallback: HTMLElement): void {
    const board = this.board?.isConnected ? this.board : findBoard(this.exercise);
    this.board = board;
    if (board && board.nextElementSibling !== this.element) board.after(this.element);
    if (!board) this.element.remove();
    const container = board ? this.element : fallback;
    if (this.parts.some((part) => part.parentElement !== container)) container.append(...this.parts);
    const { state, gradingDeferred, over } = this.exercise.dataset;
    setAttributes(this.exercise, { "data-below": board !== undefined });
    setAttributes(this.element, {
      "data-state": state,
      "data-grading-deferred": gradingDeferred,
      "data-over": over,
      lang: this.exercise.lang,
    });
    setAttributes(this.element, { "aria-label": this.exercise.getAttribute("aria-label") ?? undefined });
    this.updateTheme();
  }

  updateTheme(): void {
    if (this.isBelowBoard) applyExerciseTheme(this.element);
  }

  stop(): void {
    this.element.remove();
  }
}

/** Render a line of a kind. */
const makeLine = (kind: string | undefined, text: string): HTMLElement => make("p", "", { "data-line": kind }, text);

/** The box of the coach: his advice now, and what happened before, folded away. */
export class Coach {
  private readonly earlierTitle = make("summary", "");
  private readonly earlierLines = make("div", "");
  private readonly earlier = make("details", "dk-coach-history", { "data-empty": true }, this.earlierTitle, this.earlierLines);
  readonly element: HTMLElement;

  constructor(private readonly currentLines: HTMLElement) {
    this.element = make("div", "dk-coach", {}, currentLines, this.earlier);
  }

  /** Show the lines. Unchanged lines stay, so that only new ones are read aloud. Moves are not advice, so they are folded away. */
  paint({ feedback: lines, feedback_kinds: kinds, earlier_feedback: before = [] }: ExerciseData, words: Words): void {
    const boxAttributes = { "aria-label": words.say("coach"), role: "group" };
    setAttributes(this.element, kinds ? { ...boxAttributes, "data-box": true } : {});
    if (!kinds) {
      if (hasChanged(this.currentLines, lines)) this.currentLines.replaceChildren(...lines.map((text) => makeLine(undefined, text)));
      return;
    }
    const isAdvice = (_: unknown, i: number): boolean => kinds[i] !== "event";
    const [advice, adviceKinds] = [lines.filter(isAdvice), kinds.filter(isAdvice)];
    if (!advice.length) {
      advice.push(words.say("coach.quiet"));
      adviceKinds.push("quiet");
    }
    setAttributes(this.currentLines, { "aria-atomic": "false", tabindex: 0 });
    const previousTexts = [...this.currentLines.children].map(({ textContent }) => textContent);
    const firstChange = advice.findIndex((text, i) => text !== previousTexts[i]);
    [...this.currentLines.children].slice(firstChange < 0 ? advice.length : firstChange).forEach((element) => element.remove());
    if (firstChange >= 0)
      this.currentLines.append(...advice.slice(firstChange).map((text, i) => makeLine(adviceKinds[firstChange + i], text)));
    if (firstChange >= 0) this.currentLines.scrollTop = 0;
    setText(this.earlierTitle, words.say("coach.earlier"));
    const events = lines.map((text, i) => [kinds[i], text] as const).filter((_, i) => !isAdvice(_, i));
    const history = [...before, ...events];
    setAttributes(this.earlier, { "data-empty": !history.length });
    if (hasChanged(this.earlierLines, history)) this.earlierLines.replaceChildren(...history.map(([kind, text]) => makeLine(kind, text)));
    this.earlierLines.scrollTop = this.earlierLines.scrollHeight;
  }
}

/** Animate a star from its exercise to its place, unless the user prefers less motion. */
export function flyStar(startElement: Element, endElement: HTMLElement): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [from, to] = [startElement.getBoundingClientRect(), endElement.getBoundingClientRect()];
  const [x, y] = [from.left + from.width / 2 - to.left, from.top + from.height / 2 - to.top];
  const style = `position:fixed;z-index:10001;left:${to.left}px;top:${to.top}px;font-size:15px;line-height:1;color:#e0a800;pointer-events:none`;
  const star = make("span", "", { style, "aria-hidden": "true" }, "★");
  (document.fullscreenElement ?? document.body).append(star); // The body does not clip it, unlike the exercise's ancestors.
  const scaled = `translate(${x}px,${y}px) scale(${STAR_SCALE})`;
  const frames = [
    { transform: `translate(${x}px,${y}px) scale(0)` },
    { transform: `${scaled} rotate(72deg)`, offset: 0.35 },
    { transform: `${scaled} rotate(72deg)`, offset: 0.5, easing: "cubic-bezier(.5,0,.3,1)" },
    { transform: "none" },
  ];
  star.animate(frames, { duration: STAR_MS }).onfinish = () => {
    star.remove();
    endElement.animate([{ scale: 1.6 }, { scale: 1 }], { duration: STAR_MS / 3, easing: "ease-out" });
  };
}
