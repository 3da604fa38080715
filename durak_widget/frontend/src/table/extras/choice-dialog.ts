/** A small question over the table: a menu or a confirmation. Escape dismisses it, and so does a press beside it. */

import { button, findFocused, make } from "../../widgets/dom";

export interface Choice<T> {
  readonly words: string;
  readonly value: T;
  readonly primary?: boolean;
}

/** The gap between the question and what it must not cover, in px. */
const GAP = 8;

/** What a question is about. A question about a move is dismissed when a move is made. */
export type QuestionTopic = "move" | "game";

export class ChoiceDialog {
  private close: (() => void) | undefined;
  private topic: QuestionTopic = "move";
  /** Move the dialog to its place after the layout has changed. */
  reposition = (): void => {};

  constructor(
    private readonly root: HTMLElement,
    private readonly onOpen: () => void,
  ) {}

  get isOpen(): boolean {
    return this.close !== undefined;
  }

  /** Ask a question. Return the value of the answer, or undefined if the user dismisses it. */
  ask<T>(words: string, answers: readonly Choice<T>[], anchor?: HTMLElement, topic: QuestionTopic = "move"): Promise<T | undefined> {
    this.dismiss();
    this.topic = topic;
    this.onOpen();
    const returnFocus = findFocused(this.root) ?? anchor;
    return new Promise((resolve) => {
      const outside = new AbortController();
      const finish = (value?: T): void => {
        if (!this.close) return;
        this.close = undefined;
        outside.abort();
        this.reposition = () => {};
        const hadFocus = box.contains(findFocused(this.root));
        box.remove();
        if (hadFocus && returnFocus?.isConnected) returnFocus.focus();
        resolve(value);
      };
      const buttons = answers.map(({ words, value, primary }) => {
        const choice = button(primary ? "dk-primary" : "", words);
        choice.addEventListener("click", () => finish(value));
        return choice;
      });
      const box = make("div", "dk-dialog", { role: "dialog", "aria-label": words }, make("p", "", {}, words), ...buttons);
      box.addEventListener("keydown", (event) => {
        const index = buttons.indexOf(findFocused(this.root) as HTMLButtonElement);
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
        if (event.key === "Escape") finish();
        else if (step) buttons[(index + step + buttons.length) % buttons.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      });
      this.root.addEventListener("pointerdown", ({ target }) => box.contains(target as Node) || finish(), outside);
      this.close = () => finish();
      this.root.append(box);
      this.reposition = () => this.place(box, anchor);
      this.reposition();
      buttons[0]?.focus();
    });
  }

  /** Dismiss the question, or only a question about this topic. */
  dismiss(topic?: QuestionTopic): void {
    if (!topic || topic === this.topic) this.close?.();
  }

  /** Place the box in the middle, or above its anchor. It covers no button beside the call, and as little as possible of the attack. */
  private place(box: HTMLElement, anchor: HTMLElement | undefined): void {
    const { root } = this;
    const { offsetWidth: width, offsetHeight: height } = box;
    const measure = (element: Element): DOMRect => element.getBoundingClientRect();
    const frame = measure(root);
    const makeSpot = (left: number, top: number): { left: number; top: number } => ({
      left: Math.max(GAP, Math.min(left - frame.left, frame.width - width - GAP)) + frame.left,
      top: Math.max(GAP, Math.min(top - frame.top, frame.height - height - GAP)) + frame.top,
    });
    const attack = anchor ? [...root.querySelectorAll(".dk-pair .dk-card")].map(measure) : [];
    const around = anchor ? measure(anchor) : frame;
    const left = around.left + (around.width - width) / 2;
    const actions = root.querySelector(".dk-actions");
    const top = anchor
      ? Math.min(around.top - 2, actions ? measure(actions).top : frame.bottom) - height - GAP
      : around.top + (around.height - height) / 2;
    const spots = [
      makeSpot(left, top),
      makeSpot(Math.max(...attack.map((card) => card.right)) + GAP, top),
      makeSpot(left, Math.min(...attack.map((card) => card.top)) - height - GAP),
    ];
    const findCovered = (spot: (typeof spots)[number]): number =>
      Math.max(
        0,
        ...attack
          .filter((card) => card.left < spot.left + width && card.right > spot.left)
          .map((card) => Math.min(card.bottom, spot.top + height) - Math.max(card.top, spot.top)),
      );
    const spot = spots.reduce((best, other) => (findCovered(other) < findCovered(best) ? other : best));
    box.style.left = `${spot.left - frame.left}px`;
    box.style.top = `${spot.top - frame.top}px`;
  }
}
