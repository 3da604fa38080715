/** A small question over the table: a menu or a confirmation. Escape dismisses it. */

import { button, findFocused, make } from "../../widgets/dom";

export interface Choice<T> {
  readonly words: string;
  readonly value: T;
  readonly primary?: boolean;
}

/** What a question is about. A question about a move is dismissed when a move is made. */
type QuestionTopic = "move" | "game";

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
      const finish = (value?: T): void => {
        if (!this.close) return;
        this.close = undefined;
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

  private place(box: HTMLElement, anchor: HTMLElement | undefined): void {
    const frame = this.root.getBoundingClientRect();
    const anchorBox = anchor?.getBoundingClientRect();
    const left = anchorBox ? anchorBox.left - frame.left + anchorBox.width / 2 - box.offsetWidth / 2 : (frame.width - box.offsetWidth) / 2;
    const top = anchorBox ? anchorBox.top - frame.top - box.offsetHeight - 10 : (frame.height - box.offsetHeight) / 2;
    const actionsBox = this.root.querySelector(".dk-actions")?.getBoundingClientRect();
    const maxTop = anchorBox && actionsBox && actionsBox.top - frame.top - box.offsetHeight - 8; // The dialog must not cover the buttons beside the call.
    box.style.left = `${Math.max(8, Math.min(left, frame.width - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.max(8, Math.min(top, maxTop ?? top, frame.height - box.offsetHeight - 8))}px`;
  }
}
