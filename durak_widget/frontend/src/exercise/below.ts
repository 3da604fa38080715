/** Where a question on a tree or a matrix is judged: below it, where one arrives with the last thing one does; the question stays above it. */

import { make, set } from "../widgets/dom";
import { dressSheet } from "../widgets/theme";
import { boardBelow } from "./next-exercise";

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
