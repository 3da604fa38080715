/** A line that is pulled from one node to another, by mouse or finger: where it ends, the two are joined. */

import { make, set } from "../widgets/dom";

/** So far a pointer goes before it pulls rather than clicks. */
const THRESHOLD = 6;

/** Hear the hands on the signs of this tree, before the board under them is moved; `joined` hears which two the line has joined. */
export function pulled(
  tree: HTMLElement,
  may: (id: number) => boolean,
  joined: (one: number, other: number) => void,
  signal: AbortSignal,
): { readonly pulling: () => boolean } {
  const line = make("i", "dk-rubber", { "aria-hidden": "true", hidden: true });
  let from: { readonly pointer: number; readonly id: number; readonly x: number; readonly y: number } | undefined;
  let pulls = false;
  let over: HTMLElement | undefined;
  tree.append(line);
  const listen = (name: "pointerdown" | "pointermove" | "pointerup" | "pointercancel", run: (event: PointerEvent) => void): void =>
    tree.addEventListener(name, run, { signal, capture: true });
  const under = ({ clientX, clientY }: PointerEvent): HTMLElement | undefined => {
    const place = (tree.getRootNode() as Document | ShadowRoot).elementFromPoint(clientX, clientY)?.closest<HTMLElement>(".dk-node");
    return place && tree.contains(place) && Number(place.dataset.id) !== from?.id ? place : undefined;
  };
  const aim = (node: HTMLElement | undefined): void => {
    if (over !== node && over) set(over, { "data-aim": undefined });
    over = node;
    if (over) set(over, { "data-aim": true });
  };

  listen("pointerdown", (event) => {
    const sign = (event.target as Element).closest<HTMLElement>(".dk-sign");
    const id = Number(sign?.closest<HTMLElement>(".dk-node")?.dataset.id ?? -1);
    if (!sign || event.button !== 0 || !event.isPrimary || !may(id)) return;
    const { left, top, width, height } = sign.getBoundingClientRect();
    from = { pointer: event.pointerId, id, x: left + width / 2, y: top + height / 2 };
    pulls = false;
    event.stopPropagation(); // the board stays where it is
  });
  listen("pointermove", (event) => {
    if (event.pointerId !== from?.pointer) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!pulls && Math.hypot(dx, dy) < THRESHOLD + 8) return;
    if (!pulls) tree.setPointerCapture(event.pointerId);
    pulls = true;
    const box = tree.getBoundingClientRect();
    set(line, { hidden: undefined });
    line.style.width = `${Math.hypot(dx, dy)}px`;
    line.style.transform = `translate(${from.x - box.left}px,${from.y - box.top}px) rotate(${Math.atan2(dy, dx)}rad)`;
    aim(under(event));
  });
  const end = (event: PointerEvent): void => {
    if (event.pointerId !== from?.pointer) return;
    const [{ id }, other] = [from, event.type === "pointerup" && pulls ? under(event) : undefined];
    aim(undefined);
    from = undefined;
    set(line, { hidden: true });
    if (other) joined(id, Number(other.dataset.id));
    setTimeout(() => {
      pulls = false; // the click that follows is none
    });
  };
  listen("pointerup", end);
  listen("pointercancel", end);
  return { pulling: () => pulls };
}
