/** A small question with a few answers, over the table: a menu of ways, or "are you sure". Escape says no. */

import { button, focused, make } from "../../widgets/dom";

export interface Answer<T> {
  readonly words: string;
  readonly value: T;
  readonly primary?: boolean;
}

/** What a question is about: a question about a move is past with the move. */
type About = "move" | "game";

export class Ask {
  private close: (() => void) | undefined;
  private about: About = "move";
  /** Puts what is asked where it belongs in the room that there is now. */
  settle = (): void => {};

  constructor(
    private readonly root: HTMLElement,
    private readonly opens: () => void,
  ) {}

  get open(): boolean {
    return this.close !== undefined;
  }

  /** The value of the answer chosen; undefined when the person turns away. */
  question<T>(words: string, answers: readonly Answer<T>[], near?: HTMLElement, about: About = "move"): Promise<T | undefined> {
    this.dismiss();
    this.about = about;
    this.opens();
    const before = focused(this.root) ?? near;
    return new Promise((resolve) => {
      const end = (value?: T): void => {
        if (!this.close) return;
        this.close = undefined;
        this.settle = () => {};
        const inside = box.contains(focused(this.root));
        box.remove();
        if (inside && before?.isConnected) before.focus();
        resolve(value);
      };
      const buttons = answers.map(({ words, value, primary }) => {
        const choice = button(primary ? "dk-primary" : "", words);
        choice.addEventListener("click", () => end(value));
        return choice;
      });
      const box = make("div", "dk-ask", { role: "dialog", "aria-label": words }, make("p", "", {}, words), ...buttons);
      box.addEventListener("keydown", (event) => {
        const at = buttons.indexOf(focused(this.root) as HTMLButtonElement);
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 }[event.key];
        if (event.key === "Escape") end();
        else if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      });
      this.close = () => end();
      this.root.append(box);
      this.settle = () => this.place(box, near);
      this.settle();
      buttons[0]?.focus();
    });
  }

  /** Turn away from what is asked; or only from what is asked about this. */
  dismiss(about?: About): void {
    if (!about || about === this.about) this.close?.();
  }

  private place(box: HTMLElement, near: HTMLElement | undefined): void {
    const frame = this.root.getBoundingClientRect();
    const at = near?.getBoundingClientRect();
    const left = at ? at.left - frame.left + at.width / 2 - box.offsetWidth / 2 : (frame.width - box.offsetWidth) / 2;
    const top = at ? at.top - frame.top - box.offsetHeight - 10 : (frame.height - box.offsetHeight) / 2;
    const buttons = this.root.querySelector(".dk-actions")?.getBoundingClientRect();
    const over = at && buttons && buttons.top - frame.top - box.offsetHeight - 8; // it hides none of the buttons beside the call
    box.style.left = `${Math.max(8, Math.min(left, frame.width - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.max(8, Math.min(top, over ?? top, frame.height - box.offsetHeight - 8))}px`;
  }
}
