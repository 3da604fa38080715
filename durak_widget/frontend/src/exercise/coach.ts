/** The box of a coach: always of one height, the turns before above this one, the newest line in view. */

import { changed, make, set } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import type { Sheet } from "./exercise-kinds";

/** A line, and of which kind it is. */
const line = (kind: string | undefined, said: string): HTMLElement => make("p", "", { "data-line": kind }, said);

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
