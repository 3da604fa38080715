/** A row that is put in order with a mouse, a pen or a finger: the card goes with it, and the row makes room. */

import { set } from "../widgets/dom";
import { type Doing, moved } from "./exercise-kinds";

/** A finger that moves less than so many pixels clicks. */
const GRASP = 6;

interface Hooks {
  /** Whether cards can be moved now. */
  may(): boolean;
  doing(): Doing;
  /** The row lies so now; paint it. */
  lay(doing: Doing): void;
}

/** Let the cards of this element be dragged; gives what lets go of a card that is being dragged. */
export function draggingIn(row: HTMLElement, hooks: Hooks): () => void {
  /** The card under the finger, and where it was grasped. */
  let drag: { readonly element: HTMLElement; readonly item: string; readonly x: number; readonly y: number; moved: boolean } | undefined;

  const release = (): void => {
    if (!drag?.moved) return;
    drag.element.style.translate = "";
    set(drag.element, { "data-dragged": false });
    hooks.lay({ ...hooks.doing(), held: -1 });
  };
  const carry = (event: PointerEvent): void => {
    if (!drag) return;
    if (!event.buttons) return release();
    const { element, item, x, y } = drag;
    const place = element.getBoundingClientRect();
    if (!drag.moved && Math.hypot(event.clientX - x - place.left, event.clientY - y - place.top) < GRASP) return;
    if (!drag.moved) row.setPointerCapture(event.pointerId); // the card itself is moved in the row, and would lose it
    drag.moved = true;
    const under = (row.getRootNode() as Document | ShadowRoot).elementsFromPoint(event.clientX, event.clientY);
    const other = under.map((one) => one.closest<HTMLElement>("[data-item]")).find((one) => one && one !== element && row.contains(one));
    const { given } = hooks.doing();
    const from = given.indexOf(item);
    const to = other?.dataset.item === undefined ? from : given.indexOf(other.dataset.item);
    hooks.lay({ given: moved(given, from, to), held: to });
    set(element, { "data-dragged": true });
    element.style.translate = "none";
    const { left, top } = element.getBoundingClientRect();
    element.style.translate = `${event.clientX - x - left}px ${event.clientY - y - top}px`;
  };

  row.addEventListener("pointerdown", (event) => {
    const element = (event.target as Element).closest<HTMLElement>("[data-item]");
    drag = undefined;
    if (!hooks.may() || event.button !== 0 || element?.dataset.item === undefined) return;
    const { left, top } = element.getBoundingClientRect();
    drag = { element, item: element.dataset.item, x: event.clientX - left, y: event.clientY - top, moved: false };
  });
  row.addEventListener("pointermove", carry);
  for (const end of ["pointerup", "pointercancel"]) row.addEventListener(end, release);
  row.addEventListener(
    "click",
    (event) => {
      if (drag?.moved && event.detail > 0) event.stopPropagation(); // what was dragged is not clicked as well
      drag = undefined;
    },
    { capture: true },
  );
  return () => {
    release();
    drag = undefined;
  };
}
