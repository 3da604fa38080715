/** The call to action with its few buttons, the bubble that says why not, and what is read aloud. */

import type { Action, ActionName } from "./actions";
import { button, make, set, write } from "./dom";
import type { Said } from "./scene";

/** So many announcements stand there until they have been read. */
const KEPT = 8;

export class Talk {
  readonly call = make("p", "dk-call");
  readonly actions = make("div", "dk-actions");
  readonly element = make("div", "dk-talk", {}, this.call, this.actions);
  readonly live = make("div", "dk-live", { role: "status" });
  private readonly buttons = new Map<ActionName, HTMLButtonElement>();
  private readonly bubble = make("div", "dk-bubble", { hidden: true });

  constructor(
    private readonly root: HTMLElement,
    private readonly run: (name: ActionName) => void,
  ) {
    root.append(this.bubble);
  }

  paint(said: string, actions: readonly Action[], mine: boolean): void {
    write(this.call, said);
    set(this.element, { "data-mine": mine });
    const names = new Set(actions.map(({ name }) => name));
    for (const [name, element] of this.buttons) {
      if (names.has(name)) continue;
      element.remove();
      this.buttons.delete(name);
    }
    actions.forEach(({ name, words, primary, pressed }, i) => {
      const element = this.buttons.get(name) ?? this.make(name);
      write(element, words);
      set(element, { "aria-pressed": pressed === undefined ? undefined : String(pressed) });
      element.classList.toggle("dk-primary", primary ?? false);
      if (this.actions.children[i] !== element) this.actions.insertBefore(element, this.actions.children[i] ?? null);
    });
  }

  private make(name: ActionName): HTMLButtonElement {
    const element = button("", "", { "data-action": name });
    element.addEventListener("click", () => this.run(name));
    this.buttons.set(name, element);
    return element;
  }

  /** Press a button by its name, if it is there. */
  press(name: ActionName): boolean {
    const known = this.buttons.get(name);
    known?.click();
    return known !== undefined;
  }

  focus(): boolean {
    const first = this.actions.firstElementChild as HTMLElement | null;
    first?.focus();
    return first !== null;
  }

  /** Say something beside a card, or above the call to action. */
  say([shown]: Said, kind: string, near: HTMLElement | undefined): void {
    write(this.bubble, shown);
    set(this.bubble, { "data-kind": kind, hidden: false });
    const frame = this.root.getBoundingClientRect();
    const at = (near ?? this.call).getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.bubble;
    const left = at.left - frame.left + at.width / 2 - offsetWidth / 2;
    const top = at.top - frame.top - offsetHeight - 12;
    this.bubble.style.left = `${Math.max(8, Math.min(left, frame.width - offsetWidth - 8))}px`;
    this.bubble.style.top = `${Math.max(8, top)}px`;
    this.bubble.style.setProperty(
      "--dk-at",
      `${at.left - frame.left + at.width / 2 - Math.max(8, Math.min(left, frame.width - offsetWidth - 8))}px`,
    );
  }

  hush(): void {
    set(this.bubble, { hidden: true });
  }

  /** Read aloud, in order, once each. */
  announce(lines: readonly string[]): void {
    const text = lines.filter(Boolean).join(" ");
    if (!text) return;
    this.live.append(make("p", "", {}, text));
    while (this.live.childElementCount > KEPT) this.live.firstElementChild?.remove();
  }

  /** From button to button. */
  walk(at: HTMLElement, step: number): void {
    const buttons = [...this.actions.children] as HTMLElement[];
    buttons[(buttons.indexOf(at) + step + buttons.length) % buttons.length]?.focus();
  }

  /** What was said was for one person's eyes and ears: nothing of it is left for the next. */
  forget(): void {
    this.hush();
    write(this.bubble, "");
    this.live.replaceChildren();
  }
}
