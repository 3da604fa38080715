/** The call to action with its buttons, the bubble with a reason, and announcements for screen readers. */

import { button, hasChanged, make, setAttributes, setText, updateTabStop } from "../../widgets/dom";
import { type DisplayedNote, isLookingBack, type Scene } from "../../widgets/protocol/scene";
import type { Action, ActionName } from "../intents/actions";

/** How many announcements stay in the live region. */
const MAX_LINES = 8;
/** Reading time in ms: per character, and a minimum. A refusal stays for twice the time. */
const READING_MS = { character: 60, least: 1500, refused: 2 };
/** The gap between the bubble and what is below it. */
const GAP = 8;

/** After this pause, in ms, gathered moves are announced. */
const LULL_MS = 4000;

/** Split a line into sentences. Each is shown whole or not at all. */
const splitSentences = (line: string): readonly string[] => line.split(/(?<=[.!?]) (?=\p{Lu})/u);

/** The call to action with its buttons, and the bubble that says why a move is not possible. */
export class Callout {
  readonly call = make("p", "dk-prompt");
  readonly actions = make("div", "dk-actions", { "data-roving": true });
  /** The last actions, as many lines as fit. */
  private readonly historyElement = make("div", "dk-recent-moves", { "aria-hidden": "true" });
  readonly element = make("div", "dk-message-bar", {}, make("div", "dk-messages", {}, this.historyElement, this.call), this.actions);
  /** The live region. It is not atomic, so that only new lines are read. */
  readonly live = make("div", "dk-sr-only", { role: "status", "aria-atomic": "false" });
  private readonly buttons = new Map<ActionName, HTMLButtonElement>();
  private readonly bubble = make("div", "dk-bubble", { hidden: true });
  /** The card that the bubble is about, or the button that asked for it. */
  private anchor: HTMLElement | undefined;
  /** The button that was pressed last. */
  private pressed: HTMLElement | undefined;
  /** Runs while the bubble is being read. */
  private readingTimer: ReturnType<typeof setTimeout> | undefined;
  private isPassing = false;
  /** Returns the part of the text that is still true. */
  private getCurrentText: DisplayedNote["still"];
  /** Runs until the bubble disappears. */
  private hideTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly run: (name: ActionName) => void,
  ) {
    root.append(this.bubble);
  }

  paint(callText: string, history: readonly string[], actions: readonly Action[], isViewerTurn: boolean): void {
    setText(this.call, callText);
    const lines = history.filter((line) => !callText.startsWith(line));
    if (hasChanged(this.historyElement, ...lines)) this.showHistory(lines);
    setAttributes(this.element, { "data-own-turn": isViewerTurn });
    for (const [name, element] of this.buttons) {
      if (actions.some((action) => action.name === name)) continue;
      element.remove();
      this.buttons.delete(name);
    }
    actions.forEach(({ name, words, label, wide, primary, pressed }, i) => {
      const element = this.buttons.get(name) ?? this.makeButton(name);
      setText(element, words);
      setAttributes(element, { "aria-pressed": pressed?.toString(), "aria-label": label, "data-wide": wide });
      element.classList.toggle("dk-primary", !!primary);
      if (this.actions.children[i] !== element) this.actions.insertBefore(element, this.actions.children[i] ?? null);
    });
    updateTabStop(this.actions);
    if (this.getCurrentText && !this.getCurrentText()) this.hide();
  }

  /** Show the last actions, the newest at the bottom. The style sheet hides what does not fit. */
  private showHistory(lines: readonly string[]): void {
    let order = 0;
    const makeOrdered = (kind: "p" | "span", ...children: (Node | string)[]): HTMLElement =>
      make(kind, "", { style: `order:${order--}` }, ...children);
    const items = lines.map((line) => splitSentences(line).flatMap((sentence, i) => [i ? " " : "", makeOrdered("span", sentence)]));
    this.historyElement.replaceChildren(...items.map((line) => makeOrdered("p", ...line)));
  }

  private makeButton(name: ActionName): HTMLButtonElement {
    const element = button("", "", { "data-action": name });
    element.addEventListener("click", () => {
      this.pressed = element;
      this.run(name);
    });
    this.buttons.set(name, element);
    return element;
  }

  /** Press a button by its name. Return whether it exists. */
  press(name: ActionName): boolean {
    const element = this.buttons.get(name);
    element?.click();
    return !!element;
  }

  focusFirst(): boolean {
    const first = this.actions.firstElementChild as HTMLElement | null;
    if (first) updateTabStop(this.actions, first);
    first?.focus();
    return !!first;
  }

  /** Show a note: a refusal at its card, an answer at the button that was pressed. It stays as long as it takes to read. A refusal disappears after that. */
  showBubble({ text: [text], kind, still }: DisplayedNote, anchor?: HTMLElement): void {
    this.hide();
    setText(this.bubble, text);
    setAttributes(this.bubble, { "data-kind": kind, hidden: false });
    const pressed = kind === "hint" ? this.buttons.get(kind) : kind === "refused" ? undefined : this.pressed;
    this.anchor = pressed?.isConnected ? pressed : anchor;
    this.pressed = undefined;
    this.getCurrentText = still;
    this.isPassing = false;
    const duration = Math.max(READING_MS.least, READING_MS.character * text.length);
    this.readingTimer = setTimeout(() => {
      this.readingTimer = undefined;
      if (this.isPassing) this.hide();
    }, duration);
    if (kind === "refused") this.hideTimer = setTimeout(() => this.hide(), READING_MS.refused * duration);
    this.reposition();
  }

  /** Place the bubble near its card: below the attack if it fits, otherwise above. It must not hide buttons. It disappears with its card. */
  reposition(): void {
    if (this.bubble.hidden) return;
    if (this.anchor?.isConnected === false) return this.hide();
    const { root, bubble, anchor } = this;
    const middle = root.querySelector(".dk-table") as Element;
    const [frame, talk, table] = [root, this.element, middle].map((element) => element.getBoundingClientRect()) as [
      DOMRect,
      DOMRect,
      DOMRect,
    ];
    const { offsetWidth, offsetHeight } = bubble;
    const isAtButton = anchor !== undefined && this.actions.contains(anchor); // Then it may hide the last moves, but not the call.
    const isBesideAttack = talk.top < table.bottom;
    const findPlace = (isBeside: boolean): { fits: boolean; left: number; bottom: number; pointerX: number } => {
      const anchorBox = (anchor ?? (isBeside ? middle : this.call)).getBoundingClientRect();
      const maxRight = (isBeside ? talk.left : frame.right) - frame.left - GAP;
      const pointerX = Math.min((anchorBox.left + anchorBox.right) / 2 - frame.left, maxRight);
      const findLeft = (minLeft: number): number => Math.max(minLeft, Math.min(pointerX - offsetWidth / 2, maxRight - offsetWidth));
      const leftBelow = findLeft(table.left - frame.left); // The trump is beside the attack.
      const hidden = [...root.querySelectorAll(".dk-pair .dk-card")]
        .map((pair) => pair.getBoundingClientRect())
        .filter((pair) => pair.right > frame.left + leftBelow && pair.left < frame.left + leftBelow + offsetWidth);
      const below = isBeside
        ? anchor
          ? anchorBox.top
          : anchorBox.bottom
        : isAtButton
          ? Math.min(anchorBox.top, this.call.getBoundingClientRect().top)
          : talk.top;
      const fits = below - Math.max(table.top, ...hidden.map((pair) => pair.bottom)) > offsetHeight + (isBesideAttack ? 1 : 2) * GAP;
      const bottom = fits ? below : root.querySelector(".dk-bot-error") ? table.bottom : table.top; // The seats have buttons there.
      return { fits, left: fits ? leftBelow : findLeft(GAP), bottom, pointerX };
    };
    // If the call is beside the attack, notes about the moment go over the hand, and what a button says above the call if it fits there.
    let place = findPlace(isBesideAttack && !isAtButton);
    if (isBesideAttack && !place.fits) place = findPlace(true);
    const { left, bottom, pointerX } = place;
    bubble.style.left = `${left}px`;
    bubble.style.top = `${Math.max(GAP, bottom - frame.top - offsetHeight - GAP)}px`;
    bubble.style.setProperty("--dk-pointer-x", `${pointerX - left}px`);
  }

  /** Let the bubble disappear once it has been read. Text that is no longer true disappears now, and so does advice about a turn that has passed to or from the viewer. */
  letPass(isTurnOver: boolean): void {
    const { kind } = this.bubble.dataset;
    if (this.readingTimer === undefined || (isTurnOver && (kind === "refused" || kind === "hint"))) this.hide();
    else this.isPassing = true;
    const currentText = this.getCurrentText?.();
    if (currentText) setText(this.bubble, currentText);
  }

  hide(): void {
    clearTimeout(this.readingTimer);
    clearTimeout(this.hideTimer);
    this.readingTimer = this.getCurrentText = undefined;
    setAttributes(this.bubble, { hidden: true });
  }

  /** Announce lines once, in order. */
  announce(lines: readonly string[]): void {
    const text = lines.filter(Boolean).join(" ");
    if (!text) return;
    this.live.append(make("p", "", {}, text));
    while (this.live.childElementCount > MAX_LINES) this.live.firstElementChild?.remove();
  }

  /** Remove all texts. They were for another person. */
  clear(): void {
    this.hide();
    setText(this.bubble, "");
    this.live.replaceChildren();
  }
}

/** Gathers the moves of others for a screen reader, and announces them when it is the viewer's turn. */
export class MoveDigest {
  private moves: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly announce: (lines: readonly string[]) => void) {}

  /** Handle a new scene: gather its move. `callText` is the call to action, `note` is always announced. */
  handleScene(before: Scene | undefined, scene: Scene, callText: string, note: readonly string[]): void {
    const { last_move: did, viewer: me } = scene;
    const sameView = before?.game === scene.game && before.viewer === me && before.covered === scene.covered;
    if (sameView && before.ply === scene.ply) return this.announce(note);
    clearTimeout(this.timer);
    const isNextMove = sameView && before.ply + 1 === scene.ply;
    this.moves = isNextMove ? [...this.moves, ...(did?.sentences ?? [])] : [];
    const isViewerTurn = scene.actor === me || scene.actor === null || scene.covered || did?.seat === me || isLookingBack(scene);
    if (!isNextMove || isViewerTurn) return this.flush(callText, note);
    this.announce(note);
    this.timer = setTimeout(() => this.flush(callText), LULL_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private flush(callText: string, note: readonly string[] = []): void {
    const newMoves = this.moves.filter((move, i, items) => move !== items[i - 1] && !callText.startsWith(move));
    this.moves = [];
    this.announce([...newMoves, ...note, callText]);
  }
}
