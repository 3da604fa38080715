/** A probability is pulled on its branch: to the right it becomes likelier, and a small scale under the pointer says how likely. */

import { make, set, write } from "../../widgets/dom";
import type { Host } from "./panel";
import type { Setting } from "./setting";
import { numeral, snapped } from "./snap";

/** From impossible to certain, in px. */
const LONG = 132;
/** So far a pointer may tremble before it pulls. */
const TREMBLE = 4;

interface Pulled {
  readonly set: number;
  readonly move: number;
  /** Where the branch leads. */
  readonly history: number;
  readonly pointer: number;
  readonly x: number;
  readonly from: number;
  /** What it was, as a text: where the hand goes back to on Escape. */
  readonly text: string;
  readonly scale: HTMLElement;
  last: string;
  moved: boolean;
}

/** Hear the hands on all probabilities that may be changed; `done` is told on which branch one was, and of which move where it was only touched. */
export function pulling(host: Host, setting: Setting, done: (history: number, touched: number | undefined) => void): void {
  const { root, signal } = host;
  let held: Pulled | undefined;
  const listen = <K extends keyof HTMLElementEventMap>(name: K, run: (event: HTMLElementEventMap[K]) => void): void =>
    root.addEventListener(name, run as EventListener, { signal });

  const let_go = (): void => {
    held?.scale.remove();
    held = undefined;
    delete root.dataset.pulling;
  };

  const say = (pulled: Pulled, to: string): void => {
    pulled.last = to;
    (pulled.scale.firstElementChild as HTMLElement).style.width = `${numeral(to) * 100}%`;
    write(pulled.scale.lastElementChild as Element, to);
  };

  listen("pointerdown", (event) => {
    const label = (event.target as Element).closest<HTMLElement>(".dk-likely[data-own]");
    if (!label || event.button !== 0 || !event.isPrimary) return;
    let_go(); // the end of an earlier one may have been heard elsewhere
    const { set: place = "", move = "", weight = "" } = label.dataset;
    const from = Number(weight);
    const frame = root.getBoundingClientRect();
    const scale = make("div", "dk-scale", { "aria-hidden": "true" }, make("i", ""), make("b", ""));
    const left = event.clientX - frame.left - from * LONG;
    scale.style.left = `${Math.min(Math.max(left, 4), frame.width - LONG - 4)}px`;
    scale.style.top = `${label.getBoundingClientRect().bottom - frame.top + 6}px`;
    const text = label.textContent ?? "";
    held = {
      set: Number(place),
      move: Number(move),
      history: Number(label.closest<HTMLElement>(".dk-branch")?.dataset.branch ?? -1),
      pointer: event.pointerId,
      x: event.clientX,
      from,
      text,
      scale,
      last: text,
      moved: false,
    };
    event.preventDefault(); // no text is selected, and no finger scrolls
  });

  listen("pointermove", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    if (event.pointerType === "mouse" && !(event.buttons & 1)) return let_go();
    const far = event.clientX - held.x;
    if (!held.moved) {
      if (Math.abs(far) < TREMBLE) return;
      held.moved = true;
      root.setPointerCapture(held.pointer); // the label is painted anew while it is pulled
      set(root, { "data-pulling": true });
      root.append(held.scale);
    }
    const to = snapped(held.from + far / LONG);
    if (to === held.last) return;
    say(held, to);
    setting.likely(held.set, held.move, to);
  });

  const up = (event: PointerEvent): void => {
    if (!held || event.pointerId !== held.pointer) return;
    const { moved, move, history } = held;
    let_go();
    if (event.type === "pointerup") done(history, moved ? undefined : move);
  };
  listen("pointerup", up);
  listen("pointercancel", up);
  root.ownerDocument.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !held?.moved) return;
      setting.likely(held.set, held.move, held.text.startsWith("≈") ? snapped(held.from) : held.text);
      let_go();
      event.preventDefault();
      event.stopPropagation();
    },
    { signal, capture: true },
  );
}
