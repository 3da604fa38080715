/** The call to action with its buttons, the bubble with a reason, and the texts for screen readers. */

import { button, changed, make, rove, set, write } from "../../widgets/dom";
import { looksBack, type Scene, type Shown } from "../../widgets/protocol/scene";
import type { Action, ActionName } from "../intents/actions";

/** So many announcements stand there until they have been read. */
const KEPT = 8;
/** How long a sentence is read, in ms: so much a character, and no less than a moment. What was refused is then said no more, after time to read it twice. */
const READ = { character: 60, least: 1500, refused: 2 };
/** What stands between a bubble and what is below it. */
const GAP = 8;

/** When nobody has done anything for so long, in ms, what was gathered is told. */
const LULL = 4000;

/** The sentences of a line: each is shown whole, or not at all. */
const sentences = (line: string): readonly string[] => line.split(/(?<=[.!?]) (?=\p{Lu})/u);

/** The call to action with its few buttons, and the bubble that says why a move is not possible. */
export class Talk {
  readonly call = make("p", "dk-call");
  readonly actions = make("div", "dk-actions", { "data-rove": true });
  /** What was done last: its last lines, as many as have room. */
  private readonly told = make("div", "dk-told-last", { "aria-hidden": "true" });
  readonly element = make("div", "dk-talk", {}, make("div", "dk-says", {}, this.told, this.call), this.actions);
  /** Read aloud line by line, as each comes: a status is read as a whole with all that stands in it, unless it says otherwise. */
  readonly live = make("div", "dk-live", { role: "status", "aria-atomic": "false" });
  private readonly buttons = new Map<ActionName, HTMLButtonElement>();
  private readonly bubble = make("div", "dk-bubble", { hidden: true });
  /** The card that the bubble speaks of. */
  private near: HTMLElement | undefined;
  /** Runs while it is being read. */
  private reading: ReturnType<typeof setTimeout> | undefined;
  private passing = false;
  /** What of it is true for a while. */
  private still: Shown["still"];
  /** Runs until it goes by itself. */
  private leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly run: (name: ActionName) => void,
  ) {
    root.append(this.bubble);
  }

  paint(said: string, told: readonly string[], actions: readonly Action[], mine: boolean): void {
    write(this.call, said);
    const lines = told.filter((line) => !said.startsWith(line));
    if (changed(this.told, ...lines)) this.tell(lines);
    set(this.element, { "data-mine": mine });
    for (const [name, element] of this.buttons) {
      if (actions.some((one) => one.name === name)) continue;
      element.remove();
      this.buttons.delete(name);
    }
    actions.forEach(({ name, words, label, wide, primary, pressed }, i) => {
      const element = this.buttons.get(name) ?? this.make(name);
      write(element, words);
      set(element, { "aria-pressed": pressed?.toString(), "aria-label": label, "data-wide": wide });
      element.classList.toggle("dk-primary", !!primary);
      if (this.actions.children[i] !== element) this.actions.insertBefore(element, this.actions.children[i] ?? null);
    });
    rove(this.actions);
    if (this.still && !this.still()) this.hush();
  }

  /** The newest lies at the bottom, the others above it; the style sheet shows as many as have room. */
  private tell(lines: readonly string[]): void {
    let order = 0;
    const placed = (kind: "p" | "span", ...inside: (Node | string)[]): HTMLElement =>
      make(kind, "", { style: `order:${order--}` }, ...inside);
    const all = lines.map((line) => sentences(line).flatMap((said, i) => [i ? " " : "", placed("span", said)]));
    this.told.replaceChildren(...all.map((said) => placed("p", ...said)));
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
    return !!known;
  }

  focus(): boolean {
    const first = this.actions.firstElementChild as HTMLElement | null;
    if (first) rove(this.actions, first);
    first?.focus();
    return !!first;
  }

  /** Say something of a card, or of the moment; it stays for as long as it is read, whatever others do meanwhile, and why something may not be done no longer than that. */
  say({ said: [shown], kind, still }: Shown, near?: HTMLElement): void {
    this.hush();
    write(this.bubble, shown);
    set(this.bubble, { "data-kind": kind, hidden: false });
    this.near = near;
    this.still = still;
    this.passing = false;
    const lasts = Math.max(READ.least, READ.character * shown.length);
    this.reading = setTimeout(() => {
      this.reading = undefined;
      if (this.passing) this.hush();
    }, lasts);
    if (kind === "refused") this.leaving = setTimeout(() => this.hush(), READ.refused * lasts);
    this.settle();
  }

  /** Put it over what it speaks of, below the attack where there is room, else above: it covers neither what one looks at nor what can be pressed. Of a card that is gone nothing more is said. */
  settle(): void {
    if (this.bubble.hidden) return;
    if (this.near?.isConnected === false) return this.hush();
    const { root, bubble, near } = this;
    const middle = root.querySelector(".dk-table") as Element;
    const [frame, talk, table] = [root, this.element, middle].map((one) => one.getBoundingClientRect()) as [DOMRect, DOMRect, DOMRect];
    const beside = talk.top < table.bottom; // the call stands beside the attack: what is said of the moment stands over the hand
    const at = (near ?? (beside ? middle : this.call)).getBoundingClientRect();
    const right = (beside ? talk.left : frame.right) - frame.left - GAP;
    const { offsetWidth, offsetHeight } = bubble;
    const attack = [...root.querySelectorAll(".dk-pair")].map((pair) => pair.getBoundingClientRect().bottom);
    const below = beside ? (near ? at.top : at.bottom) : talk.top;
    const room = below - Math.max(table.top, ...attack) > offsetHeight + 2 * GAP;
    const above = room ? below : root.querySelector(".dk-trouble") ? table.bottom : table.top; // there the seats have buttons
    const to = Math.min((at.left + at.right) / 2 - frame.left, right);
    const from = room ? table.left - frame.left : GAP; // beside the attack stands the trump
    const left = Math.max(from, Math.min(to - offsetWidth / 2, right - offsetWidth));
    bubble.style.left = `${left}px`;
    bubble.style.top = `${Math.max(GAP, above - frame.top - offsetHeight - GAP)}px`;
    bubble.style.setProperty("--dk-at", `${to - left}px`);
  }

  /** The moment that it was said of is past: it goes when it has been read, and what is true no more goes now. */
  pass(): void {
    if (this.reading === undefined) this.hush();
    else this.passing = true;
    const now = this.still?.();
    if (now) write(this.bubble, now);
  }

  hush(): void {
    clearTimeout(this.reading);
    clearTimeout(this.leaving);
    this.reading = this.still = undefined;
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

/** Gathers what others do, for a screen reader, and tells it once when it is your turn. */
export class Account {
  private deeds: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly announce: (lines: readonly string[]) => void) {}

  /** A new scene: what was done joins what was gathered; `called` is what is to be done, and `note` is told in any case. */
  hear(before: Scene | undefined, scene: Scene, called: string, note: readonly string[]): void {
    const { did, me } = scene;
    const same = before?.game === scene.game && before.me === me && before.covered === scene.covered;
    if (same && before.ply === scene.ply) return this.announce(note);
    clearTimeout(this.timer);
    const next = same && before.ply + 1 === scene.ply;
    this.deeds = next ? [...this.deeds, ...(did?.said ?? [])] : [];
    const mine = scene.actor === me || scene.actor === null || scene.covered || did?.seat === me || looksBack(scene);
    if (!next || mine) return this.tell(called, note);
    this.announce(note);
    this.timer = setTimeout(() => this.tell(called), LULL);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private tell(called: string, note: readonly string[] = []): void {
    const deeds = this.deeds.filter((deed, i, all) => deed !== all[i - 1] && !called.startsWith(deed));
    this.deeds = [];
    this.announce([...deeds, ...note, called]);
  }
}
