/** The board under a hand: it is dragged, pinched, and zoomed with the wheel and Ctrl; what else a wheel or finger does is the page's. */

/** What a hand may do to the board. */
export interface Held {
  pan(dx: number, dy: number): void;
  /** By so much, around a point of the element. */
  zoom(factor: number, x: number, y: number): void;
  /** Whether there is something to see to that side. */
  sideways(dx: number): boolean;
}

/** So far a pointer goes before it drags rather than clicks. */
const THRESHOLD = 5;

/** Hear the hands on this element; what has `data-own` hears them itself. */
export function gestures(element: HTMLElement, held: Held, signal: AbortSignal): { readonly dragged: () => boolean } {
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = false;
  const at = (event: PointerEvent | WheelEvent): { x: number; y: number } => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const span = (): { x: number; y: number; wide: number } => {
    const [a, b] = [...pointers.values()] as [{ x: number; y: number }, { x: number; y: number }];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) };
  };
  const listen = <K extends keyof HTMLElementEventMap>(name: K, run: (event: HTMLElementEventMap[K]) => void): void =>
    element.addEventListener(name, run as EventListener, { signal, passive: false });

  listen("pointerdown", (event) => {
    if (event.button !== 0 || (event.target as Element).closest("[data-own], input, button, select")) return;
    if (event.isPrimary) pointers.clear(); // the end of an earlier one may have been heard elsewhere
    if (!pointers.size) moved = false;
    pointers.set(event.pointerId, at(event));
  });
  listen("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    if (event.pointerType === "mouse" && !(event.buttons & 1)) return void pointers.delete(event.pointerId);
    const now = at(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (!moved && pointers.size === 1 && Math.hypot(dx, dy) < THRESHOLD) return;
    if (!moved) {
      moved = true;
      for (const id of pointers.keys()) if (!element.hasPointerCapture(id)) element.setPointerCapture(id);
      element.dataset.dragging = "";
    }
    if (pointers.size === 2) {
      const was = span();
      pointers.set(event.pointerId, now);
      const is = span();
      held.zoom(is.wide / was.wide, is.x, is.y);
      held.pan(is.x - was.x, is.y - was.y);
    } else {
      pointers.set(event.pointerId, now);
      if (pointers.size === 1) held.pan(dx, dy);
    }
  });
  const up = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    if (pointers.size) return;
    delete element.dataset.dragging;
    // The click that follows is none; one that comes without a pointer, from a screen reader, is.
    setTimeout(() => {
      if (!pointers.size) moved = false;
    });
  };
  listen("pointerup", up);
  listen("pointercancel", up);
  listen("wheel", (event) => {
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.ctrlKey || event.metaKey) {
      const { x, y } = at(event);
      const most = Math.max(-60, Math.min(60, event.deltaY * unit));
      held.zoom(Math.exp(-most * 0.009), x, y);
    } else {
      const dx = (event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX) * unit;
      if (Math.abs(dx) <= Math.abs(event.shiftKey ? 0 : event.deltaY * unit) || !held.sideways(dx)) return;
      held.pan(-dx, 0);
    }
    event.preventDefault();
  });
  return { dragged: () => moved };
}
