/** Loads the dialog for questions when the first question is asked. */

import type { LazyBundle } from "../chrome/lazy-bundle";
import type { Choice, ChoiceDialog, QuestionTopic } from "../extras/choice-dialog";
import type * as Extras from "../extras/index";

export class DialogLoader {
  private dialog: ChoiceDialog | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly extras: LazyBundle<typeof Extras>,
    private readonly onOpen: () => void,
  ) {}

  get isOpen(): boolean {
    return !!this.dialog?.isOpen;
  }

  /** Ask a question. Return the value of the answer, or undefined if the user dismisses it. */
  ask<T>(words: string, answers: readonly Choice<T>[], anchor?: HTMLElement, topic?: QuestionTopic): Promise<T | undefined> {
    return new Promise((resolve) =>
      this.extras.use(({ ChoiceDialog }) => {
        this.dialog ??= new ChoiceDialog(this.root, this.onOpen);
        resolve(this.dialog.ask(words, answers, anchor, topic));
      }),
    );
  }

  /** Dismiss the question, or only a question about this topic. */
  dismiss(topic?: QuestionTopic): void {
    this.dialog?.dismiss(topic);
  }

  reposition(): void {
    this.dialog?.reposition();
  }
}
