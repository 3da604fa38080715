/** The call to action with its few buttons, the bubble that says why not, and what is read aloud. */

import type { Action, ActionName } from "./actions";
import { button, changed, make, rove, set, write } from "./dom";
import type { Said } from "./scene";

/** So many announcements stand there until they have been read. */
const KEPT = 8;
/** How long a sentence is read, in ms: so much a character, and no less than a moment. */
const READ = { character: 60, least: 1500 };

export class Talk {
  readonly call = make("p", "dk-call");
  readonly actions = make("div", "dk-actions", { "data-rove": true });
  /** What was done last: its last lines, as many as have room. */
  private readonly told = make("div", "dk-told-last", { "aria-hidden": "true" });
  readonly element = make("div", "dk-talk", {}, make("div", "dk-says", {}, this.told, this.call), this.actions);
  readonly live = make("div", "dk-live", { role: "status" });
  private readonly buttons = new Map<ActionName, HTMLButtonElement>();
  private readonly bubble = make("div", "dk-bubble", { hidden: true });
  /** The card that the bubble speaks of. */
  private near: HTMLElement | undefined;
  /** Runs while it is being read. */
  private reading: ReturnType<typeof setTimeout> | undefined;
  private passing = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly run: (name: ActionName) => void,
  ) {
    root.append(this.bubble);
  }

  paint(said: string, told: readonly string[], actions: readonly Action[], mine: boolean): void {
    write(this.call, said);
    const lines = told.filter((line) => !said.startsWith(line));
    if (changed(this.told, ...lines)) this.told.replaceChildren(...lines.map((line) => make("p", "", {}, line)));
    set(this.element, { "data-mine": mine });
    const names = new Set(actions.map(({ name }) => name));
    for (const [name, element] of this.buttons) {
      if (names.has(name)) continue;
      element.remove();
      this.buttons.delete(name);
    }
    actions.forEach(({ name, words, label, wide, primary, pressed }, i) => {
      const element = this.buttons.get(name) ?? this.make(name);
      write(element, words);
      set(element, { "aria-pressed": pressed === undefined ? undefined : String(pressed), "aria-label": label, "data-wide": wide });
      element.classList.toggle("dk-primary", primary ?? false);
      if (this.actions.children[i] !== element) this.actions.insertBefore(element, this.actions.children[i] ?? null);
    });
    rove(this.actions);
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
    if (first) rove(this.actions, first);
    first?.focus();
    return first !== null;
  }

  /** Say something beside a card, or above the call to action; it stays for as long as it is read, whatever others do meanwhile. */
  say([shown]: Said, kind: string, near: HTMLElement | undefined): void {
    clearTimeout(this.reading);
    write(this.bubble, shown);
    set(this.bubble, { "data-kind": kind, hidden: false });
    this.near = near;
    this.passing = false;
    this.reading = setTimeout(
      () => {
        this.reading = undefined;
        if (this.passing) this.hush();
      },
      Math.max(READ.least, READ.character * shown.length),
    );
    this.settle();
  }

  /** Put it where what it speaks of now is; of a card that is gone nothing more is said. */
  settle(): void {
    if (this.bubble.hidden) return;
    if (this.near && !this.near.isConnected) return this.hush();
    const frame = this.root.getBoundingClientRect();
    const at = (this.near ?? this.call).getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.bubble;
    const middle = at.left - frame.left + at.width / 2;
    const left = Math.max(8, Math.min(middle - offsetWidth / 2, frame.width - offsetWidth - 8));
    this.bubble.style.left = `${left}px`;
    this.bubble.style.top = `${Math.max(8, at.top - frame.top - offsetHeight - 12)}px`;
    this.bubble.style.setProperty("--dk-at", `${middle - left}px`);
  }

  /** The moment that it was said of is past: it goes when it has been read. */
  pass(): void {
    if (this.reading === undefined) this.hush();
    else this.passing = true;
  }

  hush(): void {
    clearTimeout(this.reading);
    this.reading = undefined;
    set(this.bubble, { hidden: true });
  }

  /** Read aloud, in order, once each. */
  announce(lines: readonly string[]): void {
    const text = lines.filter(Boolean).join(" ");
    if (!text) return;
    this.live.append(make("p", "", {}, text));
    while (this.live.childElementCount > KEPT) this.live.firstElementChild?.remove();
  }

  /** What was said was for one person's eyes and ears: nothing of it is left for the next. */
  forget(): void {
    this.hush();
    write(this.bubble, "");
    this.live.replaceChildren();
  }
}
