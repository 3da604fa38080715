/** What is said of a task at a table stands below the felt, whole, however long it is: nothing moves by it that one plays with, and it is there on the whole screen too. */

import { button, changed, make, set, write } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import { show } from "./next-exercise";

/** What is to be shown. */
interface Told {
  readonly question: string;
  readonly said: readonly string[];
  readonly state: string;
  /** More is said than stands on the felt, where one may ask why. */
  readonly asksWhy: boolean;
}

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
