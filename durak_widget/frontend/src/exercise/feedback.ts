/** Feedback on an exercise: remarks, the verdict below a board, the coach, and the star of a challenge. */

import { button, changed, make, set, write } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import { dressSheet } from "../widgets/theme";
import type { Sheet } from "./exercise-kinds";
import { boardBelow, show } from "./next-exercise";

const LASTS = 800;
const LARGE = 7;

/** What is to be shown. */
interface Told {
  readonly question: string;
  readonly said: readonly string[];
  readonly state: string;
  /** More is said than stands on the felt, where one may ask why. */
  readonly asksWhy: boolean;
}

/** Remarks below a table. */
export class Under {
  /** The question once more, where the screen is filled by the table alone. */
  private readonly question = make("p", "dk-asked-here", { "aria-hidden": "true" });
  /** The same as the exercise tells whoever listens. */
  private readonly said = make("div", "dk-said-here", { "aria-hidden": "true" });
  private readonly why = button("", "", { hidden: true });
  private readonly box = make("div", "", {}, this.said);
  private readonly element = make("div", "dk-told-below", {}, this.box);

  constructor(signal: AbortSignal) {
    this.why.addEventListener("click", () => show(this.box), { signal });
    signal.addEventListener("abort", () => [this.question, this.element, this.why].forEach((one) => one.remove()));
  }

  /** Stand below the felt with these buttons, and say it. */
  paint(buttons: Element, { question, said, state, asksWhy }: Told, words: Words): void {
    const felt = buttons.closest(".dk-felt");
    const table = felt?.parentElement;
    if (this.element.parentElement !== table) {
      felt?.before(this.question);
      (table?.querySelector(":scope > .dk-bar") ?? felt)?.after(this.element);
    }
    if (this.why.parentElement !== buttons) buttons.append(this.why);
    write(this.question, question);
    write(this.why, words.say("why"));
    set(this.why, { hidden: !asksWhy });
    set(this.element, { "data-state": state || undefined });
    this.tell(said);
  }

  tell(said: readonly string[]): void {
    if (changed(this.said, said)) this.said.replaceChildren(...said.map((one) => make("p", "", {}, one)));
  }

  /** A button that belongs to what is said. */
  take(one: HTMLElement): void {
    if (one.parentElement !== this.box) this.box.append(one);
  }
}

/** The verdict below a board. */
export class Below {
  private readonly element = make("div", "dk dk-lesson-below", { role: "group" });
  /** Below what: that stays, also when the tree above a matrix asks nothing any more. */
  private board: Element | undefined;

  constructor(
    /** What stands there. */
    private readonly parts: readonly HTMLElement[],
    private readonly exercise: HTMLElement,
  ) {}

  /** Whether it stands below its board: that is on the page only after the exercise. */
  get there(): boolean {
    return this.element.isConnected;
  }

  /** Stand below the board, as the exercise looks and is called; as long as there is none, in the exercise itself. */
  stand(home: HTMLElement): void {
    const board = this.board?.isConnected ? this.board : boardBelow(this.exercise);
    this.board = board;
    if (board && board.nextElementSibling !== this.element) board.after(this.element);
    if (!board) this.element.remove();
    const place = board ? this.element : home;
    if (this.parts.some((one) => one.parentElement !== place)) place.append(...this.parts);
    const { state, kept, over } = this.exercise.dataset;
    set(this.exercise, { "data-below": board !== undefined });
    set(this.element, { "data-state": state, "data-kept": kept, "data-over": over, lang: this.exercise.lang });
    set(this.element, { "aria-label": this.exercise.getAttribute("aria-label") ?? undefined });
    this.dress();
  }

  dress(): void {
    if (this.there) dressSheet(this.element);
  }

  stop(): void {
    this.element.remove();
  }
}

/** A line, and of which kind it is. */
const line = (kind: string | undefined, said: string): HTMLElement => make("p", "", { "data-line": kind }, said);

/** The box of the coach. */
export class Coach {
  private readonly before = make("div", "dk-before");
  readonly element: HTMLElement;

  constructor(private readonly now: HTMLElement) {
    this.element = make("div", "dk-coach", {}, this.before, now);
  }

  /** Say it; what is said already stays, so that only the rest is read aloud. */
  paint({ said, kinds, before }: Sheet, words: Words): void {
    const named = { "aria-label": words.say("coach"), role: "group", tabindex: 0 };
    set(this.element, kinds ? { ...named, "data-box": true } : {});
    const was = [...this.now.children].map(({ textContent }) => textContent);
    const same = said.findIndex((one, i) => one !== was[i]);
    if (!kinds) {
      if (changed(this.now, said)) this.now.replaceChildren(...said.map((one) => line(undefined, one)));
      return;
    }
    set(this.now, { "aria-atomic": "false" });
    [...this.now.children].slice(same < 0 ? said.length : same).forEach((one) => one.remove());
    if (same >= 0) this.now.append(...said.slice(same).map((one, i) => line(kinds[same + i], one)));
    if (changed(this.before, before)) this.before.replaceChildren(...(before ?? []).map(([kind, one]) => line(kind, one)));
    this.element.scrollTop = this.element.scrollHeight;
  }
}

/** From the middle of where it was won to its place; nothing where less motion is wanted. */
export function flyStar(won: Element, place: HTMLElement): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [from, to] = [won.getBoundingClientRect(), place.getBoundingClientRect()];
  const [x, y] = [from.left + from.width / 2 - to.left, from.top + from.height / 2 - to.top];
  const style = `position:fixed;z-index:10001;left:${to.left}px;top:${to.top}px;font-size:15px;line-height:1;color:#e0a800;pointer-events:none`;
  const star = make("span", "", { style, "aria-hidden": "true" }, "★");
  (document.fullscreenElement ?? document.body).append(star); // what is clipped around an exercise does not clip it
  const large = `translate(${x}px,${y}px) scale(${LARGE})`;
  const frames = [
    { transform: `translate(${x}px,${y}px) scale(0)` },
    { transform: `${large} rotate(72deg)`, offset: 0.35 },
    { transform: `${large} rotate(72deg)`, offset: 0.5, easing: "cubic-bezier(.5,0,.3,1)" },
    { transform: "none" },
  ];
  star.animate(frames, { duration: LASTS }).onfinish = () => {
    star.remove();
    place.animate([{ scale: 1.6 }, { scale: 1 }], { duration: LASTS / 3, easing: "ease-out" });
  };
}
