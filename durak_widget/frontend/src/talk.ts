/** The call to action with its few buttons, the bubble that says why not, and what is read aloud. */

import { button, make, set, write } from "./dom";
import type { Said } from "./scene";

export interface Action {
  readonly name: string;
  readonly words: string;
  readonly primary?: boolean;
  readonly pressed?: boolean;
  readonly run: () => void;
}

/** So many announcements stand there until they have been read. */
const KEPT = 8;

export class Talk {
  readonly call = make("p", "dk-call");
  readonly actions = make("div", "dk-actions");
  readonly element = make("div", "dk-talk", {}, this.call, this.actions);
  readonly live = make("div", "dk-live", { role: "status" });
  private buttons = new Map<string, { element: HTMLButtonElement; run: () => void }>();
  private readonly bubble = make("div", "dk-bubble", { hidden: true });

  constructor(private readonly root: HTMLElement) {
    root.append(this.bubble);
  }

  paint(said: string, actions: readonly Action[], mine: boolean): void {
    write(this.call, said);
    set(this.element, { "data-mine": mine });
    const names = new Set(actions.map(({ name }) => name));
    for (const [name, { element }] of this.buttons) {
      if (names.has(name)) continue;
      element.remove();
      this.buttons.delete(name);
    }
    actions.forEach((action, i) => {
      let known = this.buttons.get(action.name);
      if (!known) {
        const fresh = { element: button("", "", { "data-action": action.name }), run: action.run };
        fresh.element.addEventListener("click", () => fresh.run());
        this.buttons.set(action.name, fresh);
        known = fresh;
      }
      known.run = action.run;
      write(known.element, action.words);
      set(known.element, { "aria-pressed": action.pressed === undefined ? undefined : String(action.pressed) });
      known.element.classList.toggle("dk-primary", action.primary ?? false);
      if (this.actions.children[i] !== known.element) this.actions.insertBefore(known.element, this.actions.children[i] ?? null);
    });
  }

  /** Press a button by its name, if it is there. */
  press(name: string): boolean {
    const known = this.buttons.get(name);
    known?.element.click();
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
    this.bubble.style.setProperty("--dk-at", `${at.left - frame.left + at.width / 2 - Math.max(8, Math.min(left, frame.width - offsetWidth - 8))}px`);
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
  arrow(key: string, at: HTMLElement | null, step: number): boolean {
    const buttons = [...this.actions.children] as HTMLElement[];
    const index = buttons.findIndex((one) => one === at);
    if (index < 0 || key === "ArrowUp" || key === "ArrowDown" || !step) return false;
    buttons[(index + step + buttons.length) % buttons.length]?.focus();
    return true;
  }
}

