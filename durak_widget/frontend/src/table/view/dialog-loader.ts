/** Loads the dialog for questions when the first question is asked. */

import type { LazyBundle } from "../chrome/lazy-bundle";
import type { Choice, ChoiceDialog, QuestionTopic } from "../extras/choice-dialog";
import type * as Extras from "../extras/index";

export class DialogLoader {
  private dialog: ChoiceDialog | undefined;
  /** A question that waits for the code of the dialog. */
  private pending: { readonly topic: QuestionTopic; readonly cancel: () => void } | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly extras: LazyBundle<typeof Extras>,
    private readonly onOpen: () => void,
  ) {}

  /** A question is open, or will be as soon as its code is loaded. */
  get isOpen(): boolean {
    return !!(this.pending || this.dialog?.isOpen);
  }

  /** Ask a question. Return the value of the answer, or undefined if the user dismisses it. */
  ask<T>(words: string, answers: readonly Choice<T>[], anchor?: HTMLElement, topic: QuestionTopic = "move"): Promise<T | undefined> {
    this.dismiss();
    return new Promise((resolve) => {
      const request = { topic, cancel: () => resolve(undefined) };
      this.pending = request;
      this.extras.use(({ ChoiceDialog }) => {
        if (this.pending !== request) return; // Its moment has passed.
        this.pending = undefined;
        this.dialog ??= new ChoiceDialog(this.root, this.onOpen);
        resolve(this.dialog.ask(words, answers, anchor, topic));
      });
    });
  }

  /** Dismiss the question, or only a question about this topic. */
  dismiss(topic?: QuestionTopic): void {
    if (this.pending && (!topic || topic === this.pending.topic)) {
      this.pending.cancel();
      this.pending = undefined;
    }
    this.dialog?.dismiss(topic);
  }

  reposition(): void {
    this.dialog?.reposition();
  }
}
