/** Dragging a card of the hand with a mouse, a pen or a finger: the targets are lit while it is held. */

import { cardsOf, make } from "./dom";
import type { Card } from "./scene";

/** So far a finger may tremble before it drags. */
const TREMBLE = 7;

interface Hooks {
  /** The card element under the pointer, if it can be dragged. */
  find(target: Element): { card: Card; element: HTMLElement } | undefined;
  begin(card: Card): void;
  /** Over which card on the table it is held, or over the table, or neither. */
  over(x: number, y: number): { on?: Card } | undefined;
  drop(card: Card, element: HTMLElement, at: { on?: Card } | undefined): void;
}

export function dragging(root: HTMLElement, air: HTMLElement, hooks: Hooks, signal: AbortSignal): () => boolean {
  let held: { card: Card; element: HTMLElement; x: number; y: number; pointer: number; ghost?: HTMLElement } | undefined;
  let dragged = false;
  const end = (): void => {
    held?.ghost?.remove();
    held?.element.classList.remove("dk-held");
    held = undefined;
  };
  root.addEventListener(
    "pointerdown",
    (event) => {
      dragged = false;
      if (event.button !== 0 || !event.isPrimary) return;
      const found = hooks.find(event.target as Element);
      if (found) held = { ...found, x: event.clientX, y: event.clientY, pointer: event.pointerId };
    },
    { signal },
  );
  root.addEventListener(
    "pointermove",
    (event) => {
      if (!held || event.pointerId !== held.pointer) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.ghost) {
        if (Math.hypot(dx, dy) < TREMBLE) return;
        dragged = true;
        root.setPointerCapture(held.pointer);
        const frame = air.getBoundingClientRect();
        const box = held.element.getBoundingClientRect();
        held.ghost = make("div", "dk-card dk-ghost dk-dragged");
        held.ghost.innerHTML = held.element.innerHTML;
        held.ghost.style.left = `${box.left - frame.left}px`;
        held.ghost.style.top = `${box.top - frame.top}px`;
        cardsOf(held.ghost, box.width);
        air.append(held.ghost);
        held.element.classList.add("dk-held");
        hooks.begin(held.card);
      }
      held.ghost.style.transform = `translate(${dx}px,${dy}px)`;
      hooks.over(event.clientX, event.clientY);
      event.preventDefault();
    },
    { signal },
  );
  root.addEventListener(
    "pointerup",
    (event) => {
      if (!held || event.pointerId !== held.pointer) return;
      const { card, element, ghost } = held;
      end();
      if (ghost) hooks.drop(card, element, hooks.over(event.clientX, event.clientY));
    },
    { signal },
  );
  const lost = (): void => {
    if (!held) return;
    const { card, element, ghost } = held;
    end();
    if (ghost) hooks.drop(card, element, undefined);
  };
  root.addEventListener("pointercancel", lost, { signal });
  root.addEventListener("lostpointercapture", lost, { signal });
  /** Whether the click that now comes is only the end of a drag. */
  return () => {
    const was = dragged;
    dragged = false;
    return was;
  };
}
