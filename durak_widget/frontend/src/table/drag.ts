/** Dragging a card of the hand with a mouse, a pen or a finger: the targets are lit while it is held, and where it is let go it stays till the answer is there. */

import { cardsOf, make } from "../widgets/dom";
import type { Card } from "../widgets/protocol/scene";

/** So far a finger may tremble before it drags. */
const TREMBLE = 7;
/** How long a card takes back to the hand, in ms. */
const BACK = 160;

interface Hooks {
  /** The card of the hand that a press means, if it means one. */
  find(event: PointerEvent): HTMLElement | undefined;
  begin(card: Card): void;
  /** Over which card on the table it is held, or over the table, or neither. */
  over(x: number, y: number): { on?: Card } | undefined;
  /** It is not held any more, wherever that was. */
  end(): void;
  /** It was let go over the table; whether a move was sent. */
  drop(card: Card, element: HTMLElement, at: { on?: Card }): Promise<boolean>;
  /** Whether anything moves. */
  moves(): boolean;
}

interface Held {
  readonly card: Card;
  readonly element: HTMLElement;
  readonly x: number;
  readonly y: number;
  readonly pointer: number;
  /** The card in the air, from when it is dragged. */
  ghost?: HTMLElement;
}

export class Drag {
  private held: Held | undefined;
  /** A card that was let go over the table, and waits there for the answer. */
  private dropped: Held | undefined;
  private dragged = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly air: HTMLElement,
    private readonly hooks: Hooks,
    signal: AbortSignal,
  ) {
    root.addEventListener("pointerdown", (event) => this.press(event), { signal });
    root.addEventListener("pointermove", (event) => this.move(event), { signal });
    root.addEventListener("pointerup", (event) => this.release(event), { signal });
    root.addEventListener("pointercancel", () => this.cancel(), { signal });
    root.addEventListener(
      "lostpointercapture",
      (event) => {
        if (event.target === root) this.cancel(); // a finger's press is captured by the card first, which loses it to the table
      },
      { signal },
    );
    root.ownerDocument.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !this.held?.ghost) return;
        event.stopPropagation();
        event.preventDefault();
        this.cancel();
      },
      { signal, capture: true },
    );
  }

  /** Whether the click that now comes is only the end of a drag. */
  wasDrag(): boolean {
    const was = this.dragged;
    this.dragged = false;
    return was;
  }

  /** What was let go over the table, with the card in the air; from there it flies on. */
  get waiting(): { readonly card: Card; readonly ghost: HTMLElement } | undefined {
    const { card, ghost } = this.dropped ?? {};
    return card && ghost ? { card, ghost } : undefined;
  }

  /** The answer is there: what waits goes, and a card that is still in the hand goes back to it. */
  answered(): void {
    if (this.dropped) this.back(this.dropped);
    this.dropped = undefined;
  }

  private press(event: PointerEvent): void {
    this.dragged = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const element = this.hooks.find(event);
    if (element?.dataset.card)
      this.held = { card: element.dataset.card, element, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  private move(event: PointerEvent): void {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost) {
      if (Math.hypot(dx, dy) < TREMBLE) return;
      this.lift(held);
    }
    if (held.ghost) held.ghost.style.transform = `translate(${dx}px,${dy}px)`;
    this.hooks.over(event.clientX, event.clientY);
    event.preventDefault();
  }

  /** From here on it is a drag: the card is in the air. */
  private lift(held: Held): void {
    this.answered();
    this.dragged = true;
    this.root.setPointerCapture(held.pointer);
    const frame = this.air.getBoundingClientRect();
    const box = held.element.getBoundingClientRect();
    held.ghost = make("div", "dk-card dk-ghost dk-dragged");
    held.ghost.innerHTML = held.element.innerHTML;
    held.ghost.style.left = `${box.left - frame.left}px`;
    held.ghost.style.top = `${box.top - frame.top}px`;
    cardsOf(held.ghost, box.width);
    this.air.append(held.ghost);
    held.element.classList.add("dk-held");
    this.hooks.begin(held.card);
  }

  private release(event: PointerEvent): void {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.ghost) {
      this.held = undefined;
      return;
    }
    const at = this.hooks.over(event.clientX, event.clientY);
    if (!at) return this.cancel();
    this.held = undefined;
    this.dropped = held;
    this.hooks.end();
    void this.hooks.drop(held.card, held.element, at).then((sent) => {
      if (!sent && this.dropped === held) this.answered();
    });
  }

  /** It is let go where nothing can be meant by it. */
  private cancel(): void {
    const { held } = this;
    this.held = undefined;
    if (!held?.ghost) return;
    this.hooks.end();
    this.back(held);
  }

  /** Back to its place in the hand; a card that is not there any more has gone on from where it was let go. */
  private back({ ghost, element }: Held): void {
    const done = (): void => {
      ghost?.remove();
      element.classList.remove("dk-held");
    };
    if (!ghost || !element.isConnected || !this.hooks.moves()) return done();
    const home = element.getBoundingClientRect();
    const at = ghost.getBoundingClientRect();
    const way = `translate(${home.left - at.left}px,${home.top - at.top}px)`;
    const animation = ghost.animate([{}, { transform: `${way} ${ghost.style.transform}` }], { duration: BACK, easing: "ease-out" });
    animation.onfinish = done;
    animation.oncancel = done;
  }
}
