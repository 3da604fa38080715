/** Input of the table: pointer, keys, and dragging a card of the hand. */

import { cardsOf, focused, make, set, walkRow } from "../widgets/dom";
import { type Card, counts, face } from "../widgets/protocol/scene";
import type { Parts } from "./commands";
import { deed, type Way } from "./intents/actions";

const STEPS: Readonly<Partial<Record<Way, number>>> = { left: -1, up: -1, right: 1, down: 1 };

/** So far a finger may tremble before it drags. */
const TREMBLE = 7;
/** How long a card takes back to the hand, in ms. */
const BACK = 160;

/** Hear mouse, pen and finger: a click plays or picks a card, a drag plays it. */
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

/** Hear the keys: the focus goes from card to card, and keys play, take back and run commands. */
export function keyboard(parts: Parts, signal: AbortSignal): void {
  parts.root.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== "Tab") event.stopPropagation(); // else the notebook takes it for one of its own commands
      if (done(parts, event)) event.preventDefault();
    },
    { signal },
  );
}

/** Whether the key was for the table. */
function done(parts: Parts, event: KeyboardEvent): boolean {
  const { ask, commands, hand, talk } = parts;
  const at = focused(parts.root);
  const found = deed(event);
  if (found?.[0] === "escape") return turnAway(parts, at);
  if (!found || at?.matches("select, textarea, [type=text]") || ask.open) return false;
  const [kind, what] = found;
  switch (kind) {
    case "walk":
      return walk(parts, what, at);
    case "card":
      return hand.focus(what);
    case "use":
      return use(parts, at);
    case "run":
      commands.run(what);
      return true;
    case "press":
      if (!talk.press(what)) parts.announce(parts.words.say("not_now"));
      return true;
  }
}

/** Move the focus on from where it is; whether it could be. */
function walk({ hand, middle, root, talk }: Parts, way: Way, at: HTMLElement | null): boolean {
  const step = STEPS[way] ?? 0;
  const targets = middle.targets();
  const target = targets.indexOf(at as HTMLElement);
  if (target >= 0) {
    if (way === "down") return hand.focus();
    targets[(target + step + targets.length) % targets.length]?.focus();
    return true;
  }
  const card = hand.index(at);
  if (at === root) return hand.focus() || talk.focus();
  if (card < 0) {
    const row = at instanceof HTMLButtonElement && at.closest<HTMLElement>("[data-rove]");
    if (!row) return false;
    if (way === "up" || way === "down") return row === talk.actions && way === "up" && hand.focus();
    walkRow(row, at, way === "home" || way === "end" ? way : step);
    return true;
  }
  if (way === "up") return targets[0]?.focus() ?? true;
  if (way === "down") return talk.focus();
  const { length } = hand.cards;
  return hand.focus(way === "home" ? 0 : way === "end" ? length - 1 : (card + step + length) % length);
}

/** Play, pick or choose what has the focus. */
function use(parts: Parts, at: HTMLElement | null): boolean {
  const { hand, middle, play, scene, talk } = parts;
  const pair = at?.closest<HTMLElement>(".dk-pair[role=button]");
  if (at === parts.root) return hand.focus() || talk.focus(); // else the page would scroll
  if (pair) void target(parts, pair);
  else if (!at || hand.index(at) < 0) return false;
  else if (play.picked.length && scene.legal.several && at.dataset.picked !== undefined) void play.attack();
  else {
    void play.card(at.dataset.card as Card, at).then(() => {
      if (play.picked.length && parts.scene.legal.beat) middle.targets()[0]?.focus(); // where the card can be used
    });
  }
  return true;
}

/** Choose a card on the table; if that asks for a card, the focus goes to the hand. */
export async function target({ play, hand }: Parts, pair: HTMLElement): Promise<void> {
  await play.target(pair.dataset.card as Card, pair);
  if (play.aim && focused(pair)) hand.focus();
}

/** Turn away from what is asked, close what is open, or take back what is picked. */
function turnAway({ ask, commands, hand, marks, panels, play, room, talk, waits }: Parts, at: HTMLElement | null): boolean {
  const picked = play.picked[0];
  talk.hush();
  if (ask.open) ask.dismiss();
  else if (panels.open) panels.close();
  else if (commands.takeBack()) {
    const card = picked && hand.find(face(picked));
    if (at && !hand.element.contains(at)) hand.focus(card ? hand.index(card) : undefined);
  } else return waits.free() || marks.clear() || room.escape();
  return true;
}

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

/** Drags a card of the hand. Where it is dropped, it stays until Python answers. */
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
