/** Pan and zoom of a board: drag, pinch and wheel, and the numbers behind them. */

import type { Box } from "./tree-layout";

const NEAREST = 2.5;
export const FARTHEST = 0.06;
/** How much of what is looked at stays free around it. */
const MARGIN = 28;

/** A point of the board at (x, y) is seen at (x · scale + left, y · scale + top). */
export interface View {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export const HOME: View = { scale: 1, left: 0, top: 0 };

/** So far a pointer goes before it drags rather than clicks. */
const THRESHOLD = 5;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most));

/** Nearer or farther, with the point under the pointer staying where it is. */
export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = between(FARTHEST, view.scale * factor, NEAREST);
  const by = scale / view.scale;
  return { scale, left: x - (x - view.left) * by, top: y - (y - view.top) * by };
}

export const panned = (view: View, dx: number, dy: number): View => ({ ...view, left: view.left + dx, top: view.top + dy });

/** All of a box, in the middle, and no nearer than as it is drawn. */
export function fitted(box: Box, { width, height }: Size, least = FARTHEST): View {
  const wide = Math.max(box.right - box.left, 1);
  const high = Math.max(box.bottom - box.top, 1);
  const scale = between(least, Math.min(width / wide, height / high), 1);
  const left = wide * scale <= width ? (width - wide * scale) / 2 : 0;
  const top = high * scale <= height ? (height - high * scale) / 2 : 0;
  return { scale, left: left - box.left * scale, top: top - box.top * scale };
}

/** The first look: all of it, where it can then be read (from `enough` on); else as it is drawn, with its root in the middle of its side. */
export function opening(board: Size, root: Box, size: Size, least: number, enough = least): View {
  const all = fitted({ left: 0, top: 0, right: board.width, bottom: board.height }, size);
  if (all.scale >= enough) return all;
  const scale = Math.max(least, Math.min(1, Math.max(size.width / board.width, size.height / board.height)));
  const place = (room: number, length: number, middle: number): number =>
    length * scale <= room ? (room - length * scale) / 2 : Math.max(room - length * scale, Math.min(0, room / 2 - middle * scale));
  return {
    scale,
    left: place(size.width, board.width, (root.left + root.right) / 2),
    top: place(size.height, board.height, (root.top + root.bottom) / 2),
  };
}

/** As little is moved as brings a box into sight; of one that is too large, its beginning. */
export function keeping(view: View, box: Box, { width, height }: Size): View {
  const shift = (least: number, most: number, room: number): number => {
    const margin = Math.min(MARGIN, Math.max(0, (room - (most - least)) / 2));
    if (least < margin || most - least > room) return least < 0 || least > room / 2 ? margin - least : 0;
    return most > room - margin ? room - margin - most : 0;
  };
  const { scale, left, top } = view;
  return panned(
    view,
    shift(box.left * scale + left, box.right * scale + left, width),
    shift(box.top * scale + top, box.bottom * scale + top, height),
  );
}

/** Whether all of the board is seen. */
export const sees = ({ scale, left, top }: View, board: Size, { width, height }: Size): boolean =>
  left > -1 && top > -1 && left + board.width * scale < width + 1 && top + board.height * scale < height + 1;

/** The same, but so that the board is not pushed out of sight. */
export function held(view: View, board: Size, { width, height }: Size): View {
  const hold = (at: number, length: number, room: number): number => {
    const slack = room * 0.5;
    return length <= room ? between(-length / 2, at, room - length / 2) : between(room - length - slack, at, slack);
  };
  return { ...view, left: hold(view.left, board.width * view.scale, width), top: hold(view.top, board.height * view.scale, height) };
}

/** What is seen of the board, and so much more around it, in its own pixels. */
export function seen(view: View, { width, height }: Size, margin: number): Box {
  const { scale, left, top } = view;
  return {
    left: (-left - margin) / scale,
    top: (-top - margin) / scale,
    right: (width - left + margin) / scale,
    bottom: (height - top + margin) / scale,
  };
}

/** In which ways a finger may still move the board: where it may not, its way belongs to the page. */
export function touch(view: View, board: Size, { height }: Size): "none" | "pan-y" | "pan-up" | "pan-down" {
  const high = board.height * view.scale;
  if (high <= height + 1) return "pan-y";
  if (view.top >= -1) return "pan-up";
  return view.top + high <= height + 1 ? "pan-down" : "none";
}

/** What a hand may do to the board. */
export interface Held {
  pan(dx: number, dy: number): void;
  /** By so much, around a point of the element. */
  zoom(factor: number, x: number, y: number): void;
  /** Whether there is something to see to that side. */
  sideways(dx: number): boolean;
}

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
