/** The table by mouse, pen or finger: a click plays or picks, a drag lays, and what lies under the pointer shows what it meets. */

import { set } from "../widgets/dom";
import { type Card, counts, face } from "../widgets/protocol/scene";
import { Drag } from "./drag";
import { target } from "./keyboard";
import type { Parts } from "./parts";

export function pointer(parts: Parts, signal: AbortSignal): Drag {
  const { root, air, ask, hand, middle, motion, play, talk } = parts;
  /** The card that was pressed: the click that follows means it, whatever lies under the pointer by then. */
  let meant: HTMLElement | undefined;
  const drag = new Drag(
    root,
    air,
    {
      find: (event) => {
        meant = pressed(parts, event);
        return meant;
      },
      begin: (card) => {
        talk.hush();
        middle.light(play.targets(card), undefined);
        set(middle.table, { "data-drop": true });
      },
      over: (x, y) => place(parts, x, y),
      end: () => {
        set(middle.table, { "data-drop": undefined });
        unmark(parts);
        parts.paintChoice();
      },
      drop: (card, element, at) => play.card(card, element, at),
      moves: () => motion.on,
    },
    signal,
  );
  root.addEventListener(
    "click",
    (event) => {
      const at = event.target as Element;
      const card = (event.detail ? meant : undefined) ?? at.closest<HTMLElement>(".dk-mine");
      meant = undefined;
      if (drag.wasDrag()) return;
      const pair = at.closest<HTMLElement>(".dk-pair[role=button]");
      if (card?.dataset.card) {
        if (hand.index(card) < 0) return; // it has gone meanwhile
        void play.card(card.dataset.card, card).then((sent) => sent || ask.open || (card.isConnected && hand.focus(hand.index(card))));
      } else if (pair?.dataset.card) void target(parts, pair);
    },
    { signal },
  );
  for (const event of ["pointerover", "focusin"]) root.addEventListener(event, ({ target: at }) => aid(parts, at as Element), { signal });
  return drag;
}

/** The card of the hand that a press means: while cards fly to the hand, the one that will rest there. */
function pressed({ hand }: Parts, { target, clientX, clientY }: PointerEvent): HTMLElement | undefined {
  const at = target as Element;
  const card = at.closest<HTMLElement>(".dk-mine") ?? undefined;
  if (card ? hand.index(card) < 0 : at.closest("button, input, select, .dk-ask, .dk-panel")) return undefined;
  return hand.element.querySelector(".dk-flying") ? hand.at(clientX, clientY) : card;
}

/** What was marked under the pointer, or held over, is past. */
export function unmark({ hand, middle }: Pick<Parts, "hand" | "middle">): void {
  for (const pair of middle.table.children) set(pair, { "data-aid": undefined, "data-over": undefined });
  for (const { element } of hand.cards) set(element, { "data-aid": undefined });
}

/** Over which card on the table a card is held, or over the table, or neither. */
function place({ root, middle }: Parts, x: number, y: number): { on?: Card } | undefined {
  const under = (root.getRootNode() as Document | ShadowRoot).elementsFromPoint(x, y);
  const pair = under.map((element) => element.closest<HTMLElement>(".dk-pair")).find((found) => found?.dataset.card);
  for (const element of middle.table.children) set(element, { "data-over": element === pair });
  if (pair?.dataset.card && pair.childElementCount === 1) return { on: pair.dataset.card };
  return under.includes(middle.element) ? {} : undefined;
}

/** Which cards meet which, while the pointer or the focus is on one of them. */
function aid(parts: Parts, at: Element): void {
  const { hand, look, middle, play, scene } = parts;
  const { beat } = scene.legal;
  if (!look.aids || !beat) return unmark(parts);
  const card = at.closest<HTMLElement>(".dk-mine")?.dataset.card;
  const on = at.closest<HTMLElement>(".dk-pair")?.dataset.card;
  const beats = card ? play.targets(card) : new Set<Card>();
  const beaten = new Set(on ? beat.filter(([one]) => counts(one) === on).flatMap(([, by]) => by.map(face)) : []);
  for (const pair of middle.table.querySelectorAll<HTMLElement>(".dk-pair")) set(pair, { "data-aid": beats.has(pair.dataset.card ?? "") });
  for (const { card, element } of hand.cards) set(element, { "data-aid": beaten.has(card) });
}
