/** Where a tree or a matrix is judged: below it, where one arrives with the last thing one does; the question stays above it. */

import { make, set } from "../page/dom";
import { dressSheet } from "../page/theme";
import { boardBelow } from "./road";

export class Below {
  private readonly element = make("div", "dk dk-lesson-below", { role: "group" });
  private readonly grown = new ResizeObserver(([one]) => one && this.keepStill(one.target));
  private board: Element | undefined;
  /** How high the board was last. */
  private high = 0;
  /** Whether the last thing that somebody pressed stands here. */
  private pressed = false;

  constructor(
    /** What stands there. */
    private readonly parts: readonly HTMLElement[],
    private readonly exercise: HTMLElement,
    signal: AbortSignal,
  ) {
    const hear = ({ target }: Event): void => {
      this.pressed = this.element.contains(target as Node);
    };
    for (const deed of ["pointerdown", "keydown"]) document.addEventListener(deed, hear, { signal, capture: true });
    signal.addEventListener("abort", () => {
      this.grown.disconnect();
      this.element.remove();
    });
  }

  /** Whether it stands below its board: that is on the page only after the exercise. */
  get there(): boolean {
    return this.element.isConnected;
  }

  /** Stand below the board, as the exercise looks and is called; as long as there is none, in the exercise itself. */
  stand(home: HTMLElement): void {
    const board = boardBelow(this.exercise);
    if (board !== this.board) this.watch(board);
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

  private watch(board: Element | undefined): void {
    this.grown.disconnect();
    this.board = board;
    this.high = board ? highOf(board) : 0;
    if (board) this.grown.observe(board);
  }

  /** Where the board says more of what was judged, the button that was pressed stays under the hand: the page goes on by as much. */
  private keepStill(board: Element): void {
    const more = highOf(board) - this.high;
    this.high += more;
    if (this.pressed && more) scrollerOf(board).scrollBy({ top: more, behavior: "instant" });
  }
}

const highOf = (element: Element): number => element.getBoundingClientRect().height;

/** What scrolls around an element. */
function scrollerOf(element: Element): Element {
  for (let one = element.parentElement; one; one = one.parentElement)
    if (one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  return document.scrollingElement ?? document.documentElement;
}
