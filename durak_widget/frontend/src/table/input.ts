/** Input of the table: pointer, keys, and dragging a card of the hand. */

import { findFocused, make, moveFocusInRow, setAttributes, setCardWidth } from "../widgets/dom";
import { type Card, getFace, getPlayedCard } from "../widgets/protocol/scene";
import type { TableParts } from "./commands";
import { type Direction, findKeyAction } from "./intents/actions";

const DIRECTION_STEPS: Readonly<Partial<Record<Direction, number>>> = { left: -1, up: -1, right: 1, down: 1 };

/** How far a pointer can move before it drags, in px. */
const DRAG_THRESHOLD = 7;
/** How long a card takes to return to the hand, in ms. */
const RETURN_MS = 160;

/** Handle mouse, pen and touch: a click plays or picks a card, a drag plays it. */
export function listenToPointer(parts: TableParts, signal: AbortSignal): Drag {
  const { root, overlay, dialog, hand, center, motion, cardPlay, callout } = parts;
  /** The pressed card. The next click is for it, even if another element is under the pointer by then. */
  let pressedCard: HTMLElement | undefined;
  const drag = new Drag(
    root,
    overlay,
    {
      findCard: (event) => {
        pressedCard = findPressedCard(parts, event);
        return pressedCard;
      },
      startDrag: (card) => {
        callout.hide();
        center.highlightTargets(cardPlay.findTargets(card), undefined);
        setAttributes(center.table, { "data-drop": true });
      },
      findDropPlace: (x, y) => findDropPlace(parts, x, y),
      endDrag: () => {
        setAttributes(center.table, { "data-drop": undefined });
        clearHighlights(parts);
        parts.paintChoice();
      },
      dropCard: (card, element, place) => cardPlay.chooseCard(card, element, place),
      isAnimated: () => motion.isOn,
    },
    signal,
  );
  root.addEventListener(
    "click",
    (event) => {
      const element = event.target as Element;
      const card = (event.detail ? pressedCard : undefined) ?? element.closest<HTMLElement>(".dk-hand-card");
      pressedCard = undefined;
      if (drag.wasDrag()) return;
      const pair = element.closest<HTMLElement>(".dk-pair[role=button]");
      if (card?.dataset.card) {
        if (hand.indexOf(card) < 0) return; // The card has gone meanwhile.
        void cardPlay
          .chooseCard(card.dataset.card, card)
          .then((sent) => sent || dialog.isOpen || (card.isConnected && hand.focusCard(hand.indexOf(card))));
      } else if (pair?.dataset.card) void chooseTarget(parts, pair);
    },
    { signal },
  );
  for (const event of ["pointerover", "focusin"])
    root.addEventListener(event, ({ target: element }) => highlightBeats(parts, element as Element), { signal });
  return drag;
}

/** Return the pressed card of the hand. While cards fly to the hand, return the one that will rest there. */
function findPressedCard({ hand }: TableParts, { target, clientX, clientY }: PointerEvent): HTMLElement | undefined {
  const element = target as Element;
  const card = element.closest<HTMLElement>(".dk-hand-card") ?? undefined;
  if (card ? hand.indexOf(card) < 0 : element.closest("button, input, select, .dk-dialog, .dk-panel")) return undefined;
  return hand.element.querySelector(".dk-flying") ? hand.findAt(clientX, clientY) : card;
}

/** Clear all highlights of hovering and dragging. */
export function clearHighlights({ hand, center }: Pick<TableParts, "hand" | "center">): void {
  for (const pair of center.table.children) setAttributes(pair, { "data-match": undefined, "data-over": undefined });
  for (const { element } of hand.cards) setAttributes(element, { "data-match": undefined });
}

/** Return the card on the table under a dragged card, or the table, or nothing. */
function findDropPlace({ root, center }: TableParts, x: number, y: number): { on?: Card } | undefined {
  const elements = (root.getRootNode() as Document | ShadowRoot).elementsFromPoint(x, y);
  const pair = elements.map((element) => element.closest<HTMLElement>(".dk-pair")).find((pairElement) => pairElement?.dataset.card);
  for (const element of center.table.children) setAttributes(element, { "data-over": element === pair });
  if (pair?.dataset.card && pair.childElementCount === 1) return { on: pair.dataset.card };
  return elements.includes(center.element) ? {} : undefined;
}

/** Highlight which cards beat which, for the card under the pointer or with the focus. */
function highlightBeats(parts: TableParts, origin: Element): void {
  const { hand, look, center, cardPlay, scene } = parts;
  const { beat } = scene.legal;
  if (!look.aids || !beat) return clearHighlights(parts);
  const card = origin.closest<HTMLElement>(".dk-hand-card")?.dataset.card;
  const tableCard = origin.closest<HTMLElement>(".dk-pair")?.dataset.card;
  const beatable = card ? cardPlay.findTargets(card) : new Set<Card>();
  const beaten = new Set(
    tableCard ? beat.filter(([target]) => getPlayedCard(target) === tableCard).flatMap(([, beaters]) => beaters.map(getFace)) : [],
  );
  for (const pair of center.table.querySelectorAll<HTMLElement>(".dk-pair"))
    setAttributes(pair, { "data-match": beatable.has(pair.dataset.card ?? "") });
  for (const { card, element } of hand.cards) setAttributes(element, { "data-match": beaten.has(card) });
}

/** Handle keys: they move the focus, play, take back and run commands. */
export function listenToKeys(parts: TableParts, signal: AbortSignal): void {
  parts.root.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== "Tab") event.stopPropagation(); // Otherwise the notebook runs its own shortcut.
      if (handleKey(parts, event)) event.preventDefault();
    },
    { signal },
  );
}

/** Handle a key. Return whether it was for the table. */
function handleKey(parts: TableParts, event: KeyboardEvent): boolean {
  const { dialog, commands, hand, callout } = parts;
  const focusedElement = findFocused(parts.root);
  const action = findKeyAction(event);
  if (action?.[0] === "escape") return handleEscape(parts, focusedElement);
  if (!action || focusedElement?.matches("select, textarea, [type=text]") || dialog.isOpen) return false;
  const [kind, argument] = action;
  switch (kind) {
    case "walk":
      return moveFocus(parts, argument, focusedElement);
    case "card":
      return hand.focusCard(argument);
    case "use":
      return playFocused(parts, focusedElement);
    case "run":
      commands.run(argument);
      return true;
    case "press":
      if (!callout.press(argument)) parts.announce(parts.words.say("not_now"));
      return true;
  }
}

/** Move the focus. Return whether that was possible. */
function moveFocus({ hand, center, root, callout }: TableParts, direction: Direction, focusedElement: HTMLElement | null): boolean {
  const step = DIRECTION_STEPS[direction] ?? 0;
  const targets = center.listTargets();
  const targetIndex = targets.indexOf(focusedElement as HTMLElement);
  if (targetIndex >= 0) {
    if (direction === "down") return hand.focusCard();
    targets[(targetIndex + step + targets.length) % targets.length]?.focus();
    return true;
  }
  const cardIndex = hand.indexOf(focusedElement);
  if (focusedElement === root) return hand.focusCard() || callout.focusFirst();
  if (cardIndex < 0) {
    const row = focusedElement instanceof HTMLButtonElement && focusedElement.closest<HTMLElement>("[data-roving]");
    if (!row) return false;
    if (direction === "up" || direction === "down") return row === callout.actions && direction === "up" && hand.focusCard();
    moveFocusInRow(row, focusedElement, direction === "home" || direction === "end" ? direction : step);
    return true;
  }
  if (direction === "up") return targets[0]?.focus() ?? true;
  if (direction === "down") return callout.focusFirst();
  const { length } = hand.cards;
  return hand.focusCard(direction === "home" ? 0 : direction === "end" ? length - 1 : (cardIndex + step + length) % length);
}

/** Play, pick or choose the focused element. */
function playFocused(parts: TableParts, focusedElement: HTMLElement | null): boolean {
  const { hand, center, cardPlay, scene, callout } = parts;
  const pair = focusedElement?.closest<HTMLElement>(".dk-pair[role=button]");
  if (focusedElement === parts.root) return hand.focusCard() || callout.focusFirst(); // Otherwise the page would scroll.
  if (pair) void chooseTarget(parts, pair);
  else if (!focusedElement || hand.indexOf(focusedElement) < 0) return false;
  else if (cardPlay.picked.length && scene.legal.several && focusedElement.dataset.picked !== undefined) void cardPlay.attackWithPicked();
  else {
    void cardPlay.chooseCard(focusedElement.dataset.card as Card, focusedElement).then(() => {
      if (cardPlay.picked.length && parts.scene.legal.beat) center.listTargets()[0]?.focus(); // Focus the first card that it can beat.
    });
  }
  return true;
}

/** Choose a card on the table. If that asks for a card, focus the hand. */
export async function chooseTarget({ cardPlay, hand }: TableParts, pair: HTMLElement): Promise<void> {
  await cardPlay.chooseTarget(pair.dataset.card as Card, pair);
  if (cardPlay.aim && findFocused(pair)) hand.focusCard();
}

/** Dismiss the question, close the panel, or take back the selection. */
function handleEscape(
  { dialog, commands, hand, annotations, panels, cardPlay, screenSpace, callout, premoves }: TableParts,
  focusedElement: HTMLElement | null,
): boolean {
  const picked = cardPlay.picked[0];
  callout.hide();
  if (dialog.isOpen) dialog.dismiss();
  else if (panels.open) panels.close();
  else if (commands.takeBack()) {
    const card = picked && hand.findElement(getFace(picked));
    if (focusedElement && !hand.element.contains(focusedElement)) hand.focusCard(card ? hand.indexOf(card) : undefined);
  } else return premoves.cancel() || annotations?.clear() || screenSpace.escape();
  return true;
}

interface DragHooks {
  /** Return the card of the hand that this press is for, if any. */
  findCard(event: PointerEvent): HTMLElement | undefined;
  startDrag(card: Card): void;
  /** Return the card on the table under the dragged card, or the table, or nothing. */
  findDropPlace(x: number, y: number): { on?: Card } | undefined;
  /** The drag is over, anywhere. */
  endDrag(): void;
  /** The card was dropped on the table. Return whether a move was sent. */
  dropCard(card: Card, element: HTMLElement, place: { on?: Card }): Promise<boolean>;
  /** Return whether animations are on. */
  isAnimated(): boolean;
}

interface HeldCard {
  readonly card: Card;
  readonly element: HTMLElement;
  readonly x: number;
  readonly y: number;
  readonly pointer: number;
  /** The copy that follows the pointer, once the drag has started. */
  ghost?: HTMLElement;
}

/** Drags a card of the hand. A dropped card stays where it is until Python answers. */
export class Drag {
  private held: HeldCard | undefined;
  /** A card dropped on the table that waits for the answer. */
  private dropped: HeldCard | undefined;
  private dragged = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly air: HTMLElement,
    private readonly hooks: DragHooks,
    signal: AbortSignal,
  ) {
    root.addEventListener("pointerdown", (event) => this.startPress(event), { signal });
    root.addEventListener("pointermove", (event) => this.handleMove(event), { signal });
    root.addEventListener("pointerup", (event) => this.handleRelease(event), { signal });
    root.addEventListener("pointercancel", () => this.cancelDrag(), { signal });
    root.addEventListener(
      "lostpointercapture",
      (event) => {
        if (event.target === root) this.cancelDrag(); // The card captures a touch first and loses it to the table, so only the table's own loss counts.
      },
      { signal },
    );
    root.ownerDocument.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !this.held?.ghost) return;
        event.stopPropagation();
        event.preventDefault();
        this.cancelDrag();
      },
      { signal, capture: true },
    );
  }

  /** Return whether the next click is only the end of a drag. */
  wasDrag(): boolean {
    const wasDragged = this.dragged;
    this.dragged = false;
    return wasDragged;
  }

  /** The dropped card and its copy. It flies on from there. */
  get droppedCard(): { readonly card: Card; readonly ghost: HTMLElement } | undefined {
    const { card, ghost } = this.dropped ?? {};
    return card && ghost ? { card, ghost } : undefined;
  }

  /** Handle the answer: remove the copy, and return a card that is still in the hand. */
  handleAnswer(): void {
    if (this.dropped) this.returnToHand(this.dropped);
    this.dropped = undefined;
  }

  private startPress(event: PointerEvent): void {
    this.dragged = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const element = this.hooks.findCard(event);
    if (element?.dataset.card)
      this.held = { card: element.dataset.card, element, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  private handleMove(event: PointerEvent): void {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost) {
      if (Math.hypot(dx, dy) < DRAG_THRESHOLD) return;
      this.liftCard(held);
    }
    if (held.ghost) held.ghost.style.transform = `translate(${dx}px,${dy}px)`;
    this.hooks.findDropPlace(event.clientX, event.clientY);
    event.preventDefault();
  }

  /** Start the drag: the card follows the pointer. */
  private liftCard(held: HeldCard): void {
    this.handleAnswer();
    this.dragged = true;
    this.root.setPointerCapture(held.pointer);
    const frame = this.air.getBoundingClientRect();
    const box = held.element.getBoundingClientRect();
    held.ghost = make("div", "dk-card dk-ghost dk-dragged");
    held.ghost.innerHTML = held.element.innerHTML;
    held.ghost.style.left = `${box.left - frame.left}px`;
    held.ghost.style.top = `${box.top - frame.top}px`;
    setCardWidth(held.ghost, box.width);
    this.air.append(held.ghost);
    held.element.classList.add("dk-drag-source");
    this.hooks.startDrag(held.card);
  }

  private handleRelease(event: PointerEvent): void {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.ghost) {
      this.held = undefined;
      return;
    }
    const place = this.hooks.findDropPlace(event.clientX, event.clientY);
    if (!place) return this.cancelDrag();
    this.held = undefined;
    this.dropped = held;
    this.hooks.endDrag();
    void this.hooks.dropCard(held.card, held.element, place).then((sent) => {
      if (!sent && this.dropped === held) this.handleAnswer();
    });
  }

  /** Cancel the drag, because the card was dropped outside the table. */
  private cancelDrag(): void {
    const { held } = this;
    this.held = undefined;
    if (!held?.ghost) return;
    this.hooks.endDrag();
    this.returnToHand(held);
  }

  /** Return the card to its place in the hand. A card that was played has already moved on. */
  private returnToHand({ ghost, element }: HeldCard): void {
    const clear = (): void => {
      ghost?.remove();
      element.classList.remove("dk-drag-source");
    };
    if (!ghost || !element.isConnected || !this.hooks.isAnimated()) return clear();
    const handBox = element.getBoundingClientRect();
    const ghostBox = ghost.getBoundingClientRect();
    const translation = `translate(${handBox.left - ghostBox.left}px,${handBox.top - ghostBox.top}px)`;
    const animation = ghost.animate([{}, { transform: `${translation} ${ghost.style.transform}` }], {
      duration: RETURN_MS,
      easing: "ease-out",
    });
    animation.onfinish = clear;
    animation.oncancel = clear;
  }
}
