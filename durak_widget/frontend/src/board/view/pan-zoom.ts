/** Pan and zoom of a board: drag, pinch and wheel, and their geometry. */

import type { Box } from "./tree-layout";

const MAX_SCALE = 2.5;
export const MIN_SCALE = 0.06;
/** The free margin around a revealed box, in px. */
const MARGIN = 28;

/** A point (x, y) of the board appears at (x · scale + left, y · scale + top). */
export interface View {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export const INITIAL_VIEW: View = { scale: 1, left: 0, top: 0 };

/** How far a pointer can move before it drags, in px. */
const DRAG_THRESHOLD = 5;

export interface Size {
  readonly width: number;
  readonly height: number;
}

const clamp = (min: number, value: number, max: number): number => Math.max(min, Math.min(value, max));

/** Zoom around a point, which stays in place. */
export function zoomView(view: View, factor: number, x: number, y: number): View {
  const scale = clamp(MIN_SCALE, view.scale * factor, MAX_SCALE);
  const by = scale / view.scale;
  return { scale, left: x - (x - view.left) * by, top: y - (y - view.top) * by };
}

export const panView = (view: View, dx: number, dy: number): View => ({ ...view, left: view.left + dx, top: view.top + dy });

/** Fit a box in the middle, at a scale of at most 1. */
export function fitView(box: Box, { width, height }: Size, minScale = MIN_SCALE): View {
  const boxWidth = Math.max(box.right - box.left, 1);
  const boxHeight = Math.max(box.bottom - box.top, 1);
  const scale = clamp(minScale, Math.min(width / boxWidth, height / boxHeight), 1);
  const left = boxWidth * scale <= width ? (width - boxWidth * scale) / 2 : 0;
  const top = boxHeight * scale <= height ? (height - boxHeight * scale) / 2 : 0;
  return { scale, left: left - box.left * scale, top: top - box.top * scale };
}

/** Choose the first view: everything if that is readable, otherwise the root in the middle of its side. */
export function chooseFirstView(board: Size, root: Box, size: Size, minScale: number, readableScale = minScale): View {
  const whole = fitView({ left: 0, top: 0, right: board.width, bottom: board.height }, size);
  if (whole.scale >= readableScale) return whole;
  const scale = Math.max(minScale, Math.min(1, Math.max(size.width / board.width, size.height / board.height)));
  const findOffset = (space: number, length: number, middle: number): number =>
    length * scale <= space ? (space - length * scale) / 2 : Math.max(space - length * scale, Math.min(0, space / 2 - middle * scale));
  return {
    scale,
    left: findOffset(size.width, board.width, (root.left + root.right) / 2),
    top: findOffset(size.height, board.height, (root.top + root.bottom) / 2),
  };
}

/** Pan as little as needed to make a box visible. Of a box that is too large, show its start. */
export function revealBox(view: View, box: Box, { width, height }: Size): View {
  const findShift = (start: number, end: number, space: number): number => {
    const margin = Math.min(MARGIN, Math.max(0, (space - (end - start)) / 2));
    if (start < margin || end - start > space) return start < 0 || start > space / 2 ? margin - start : 0;
    return end > space - margin ? space - margin - end : 0;
  };
  const { scale, left, top } = view;
  return panView(
    view,
    findShift(box.left * scale + left, box.right * scale + left, width),
    findShift(box.top * scale + top, box.bottom * scale + top, height),
  );
}

/** Return whether the whole board is visible. */
export const isWholeVisible = ({ scale, left, top }: View, board: Size, { width, height }: Size): boolean =>
  left > -1 && top > -1 && left + board.width * scale < width + 1 && top + board.height * scale < height + 1;

/** Limit a view, so that the board can't be pushed out of sight. */
export function limitView(view: View, board: Size, { width, height }: Size): View {
  const limit = (offset: number, length: number, space: number): number => {
    const slack = space * 0.5;
    return length <= space ? clamp(-length / 2, offset, space - length / 2) : clamp(space - length - slack, offset, slack);
  };
  return { ...view, left: limit(view.left, board.width * view.scale, width), top: limit(view.top, board.height * view.scale, height) };
}

/** Return the visible part of the board with a margin, in board coordinates. */
export function findVisibleBox(view: View, { width, height }: Size, margin: number): Box {
  const { scale, left, top } = view;
  return {
    left: (-left - margin) / scale,
    top: (-top - margin) / scale,
    right: (width - left + margin) / scale,
    bottom: (height - top + margin) / scale,
  };
}

/** Return the touch action. The page keeps the directions in which the board can't move. */
export function findTouchAction(view: View, board: Size, { height }: Size): "none" | "pan-y" | "pan-up" | "pan-down" {
  const boardHeight = board.height * view.scale;
  if (boardHeight <= height + 1) return "pan-y";
  if (view.top >= -1) return "pan-up";
  return view.top + boardHeight <= height + 1 ? "pan-down" : "none";
}

/** What gestures do to the board. */
export interface PanZoomHooks {
  pan(dx: number, dy: number): void;
  /** Zoom by a factor around a point of the element. */
  zoom(factor: number, x: number, y: number): void;
  /** Return whether there is more to see on that side. */
  canPan(dx: number): boolean;
}

/** Handle gestures on an element. Elements with `data-draggable` handle them themselves. */
export function listenToGestures(element: HTMLElement, hooks: PanZoomHooks, signal: AbortSignal): { readonly dragged: () => boolean } {
  const pointers = new Map<number, { x: number; y: number }>();
  let hasMoved = false;
  const toLocal = (event: PointerEvent | WheelEvent): { x: number; y: number } => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const measurePinch = (): { x: number; y: number; wide: number } => {
    const [a, b] = [...pointers.values()] as [{ x: number; y: number }, { x: number; y: number }];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) };
  };
  const listen = <K extends keyof HTMLElementEventMap>(name: K, handler: (event: HTMLElementEventMap[K]) => void): void =>
    element.addEventListener(name, handler as EventListener, { signal, passive: false });

  listen("pointerdown", (event) => {
    if (event.button !== 0 || (event.target as Element).closest("[data-draggable], input, button, select")) return;
    if (event.isPrimary) pointers.clear(); // The end of an earlier gesture can have happened elsewhere.
    if (!pointers.size) hasMoved = false;
    pointers.set(event.pointerId, toLocal(event));
  });
  listen("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    if (event.pointerType === "mouse" && !(event.buttons & 1)) return void pointers.delete(event.pointerId);
    const position = toLocal(event);
    const [dx, dy] = [position.x - before.x, position.y - before.y];
    if (!hasMoved && pointers.size === 1 && Math.hypot(dx, dy) < DRAG_THRESHOLD) return;
    if (!hasMoved) {
      hasMoved = true;
      for (const id of pointers.keys()) if (!element.hasPointerCapture(id)) element.setPointerCapture(id);
      element.dataset.dragging = "";
    }
    if (pointers.size === 2) {
      const was = measurePinch();
      pointers.set(event.pointerId, position);
      const after = measurePinch();
      hooks.zoom(after.wide / was.wide, after.x, after.y);
      hooks.pan(after.x - was.x, after.y - was.y);
    } else {
      pointers.set(event.pointerId, position);
      if (pointers.size === 1) hooks.pan(dx, dy);
    }
  });
  const handleUp = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    if (pointers.size) return;
    delete element.dataset.dragging;
    // Ignore the click after a drag, but not a later click without a pointer, as from a screen reader.
    setTimeout(() => {
      if (!pointers.size) hasMoved = false;
    });
  };
  listen("pointerup", handleUp);
  listen("pointercancel", handleUp);
  listen("wheel", (event) => {
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.ctrlKey || event.metaKey) {
      const { x, y } = toLocal(event);
      const delta = Math.max(-60, Math.min(60, event.deltaY * unit));
      hooks.zoom(Math.exp(-delta * 0.009), x, y);
    } else {
      const dx = (event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX) * unit;
      if (Math.abs(dx) <= Math.abs(event.shiftKey ? 0 : event.deltaY * unit) || !hooks.canPan(dx)) return;
      hooks.pan(-dx, 0);
    }
    event.preventDefault();
  });
  return { dragged: () => hasMoved };
}
