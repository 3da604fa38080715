/** The viewer's hand: a button for each card, with one tab stop. Playable cards are lifted. */

import { cardWidth, drawBack, drawDeclaredSuit, drawFace, layOutHand, type Spot } from "../../widgets/cards";
import { findFocused, hasChanged, make, makeDrawing, setAttributes, setCardWidth } from "../../widgets/dom";
import { type Card, findUsableCards, getFace, getPlayedCard, getTrumpSuit } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import type { TableContext } from "../../widgets/table-context";

/** How far a playable card is lifted, in px, as in the style sheet. */
const LIFT_PX = 12;
/** Up to this time, in ms, an answer feels instant. */
const INSTANT_MS = 80;

export interface HandMarks {
  /** The highlighted cards. */
  readonly lit: ReadonlySet<Card>;
  readonly picked: readonly Card[];
  /** The premove card. */
  readonly premove?: Card | undefined;
}

/** Return the place of each card among the slots, or undefined if they don't fit. Both have the same order. */
export function findSlots(hand: readonly Card[], slots: readonly Card[]): number[] | undefined {
  let next = 0;
  const places = hand.map((card) => {
    next = slots.indexOf(card, next) + 1;
    return next - 1;
  });
  return places.includes(-1) ? undefined : places;
}

export class Hand {
  readonly element = make("div", "dk-hand", { role: "group" });
  /** The cards from left to right. */
  cards: { readonly card: Card; readonly element: HTMLElement }[] = [];
  /** The cards at the start of the bout. Until its end each card keeps its place, so that nothing moves under the pointer. */
  private slots: readonly Card[] = [];
  private boutKey = "";
  /** The place of each card among the slots. */
  private places: readonly number[] = [];
  private current = 0;
  /** Runs until a sent card rises. */
  private riseTimer: ReturnType<typeof setTimeout> | undefined;
  private width = 700;
  private scale = 1;
  private maxCardWidth = Number.POSITIVE_INFINITY;

  paint(context: TableContext): void {
    const { scene, words } = context;
    const focusedCard = findFocused(this.element);
    const focusIndex = this.cards.findIndex(({ element }) => element === focusedCard);
    setAttributes(this.element, { "aria-label": words.say("hand") });
    if (scene.covered) {
      this.cards = [];
      const count = scene.seats[scene.viewer]?.cards ?? 0;
      this.setSlots(Array(count).fill(""), "");
      this.element.replaceChildren(
        ...Array.from({ length: count }, () => makeDrawing("div", "dk-card dk-back", drawBack(context.look.back))),
      );
      this.arrange();
      return;
    }
    if (hasChanged(this.element, words.key)) this.cards = []; // The cards may show other letters.
    if (!this.cards.length) this.element.replaceChildren();
    const previous = [...this.cards];
    this.cards = scene.hand.map((card) => {
      const index = previous.findIndex((entry) => entry.card === card);
      return index >= 0 ? (previous.splice(index, 1)[0] as (typeof previous)[number]) : { card, element: makeCardButton(card, words) };
    });
    for (const { element } of previous) element.remove();
    this.cards.forEach(({ element }, i) => {
      if (this.element.children[i] !== element) this.element.insertBefore(element, this.element.children[i] ?? null);
    });
    this.setSlots(scene.hand, [scene.game, scene.bout, scene.viewer, !!scene.result].join());
    const legal = findUsableCards(scene.legal);
    for (const card of scene.legal.swap ?? []) legal.add(card);
    const trump = scene.trump;
    for (const { card, element } of this.cards) {
      if (!hasChanged(element, legal.has(card), trump, words.language)) continue;
      const suit = getTrumpSuit(card, trump);
      setAttributes(element, {
        "aria-label": words.formatCard(card),
        "aria-description": suit ? words.say("is_trump") : undefined,
        "aria-disabled": !legal.has(card) && "true",
        "data-trump": suit,
      });
    }
    if (focusIndex >= 0 && !findFocused(this.element)) this.focusCard(Math.min(focusIndex, this.cards.length - 1));
    else this.setTabStop(focusIndex < 0 ? this.current : this.cards.findIndex(({ element }) => element === focusedCard));
    this.arrange();
  }

  /** Mark cards. A card picked in another suit shows that suit. */
  mark({ lit, picked, premove }: HandMarks): void {
    const remaining = [...picked];
    const waitingElement = this.cards.find(({ card }) => card === premove)?.element;
    for (const { card, element } of this.cards) {
      const index = remaining.findIndex((pickedCard) => getFace(pickedCard) === card);
      const [played] = index >= 0 ? remaining.splice(index, 1) : [];
      setAttributes(element, {
        "data-lit": lit.has(card),
        "data-picked": played !== undefined,
        "data-queued": element === waitingElement,
        "aria-pressed": played || element === waitingElement ? "true" : undefined,
      });
      element.querySelector(".dk-declared-suit")?.remove();
      if (played && played.length > 2) element.insertAdjacentHTML("beforeend", drawDeclaredSuit(getPlayedCard(played).charAt(1)));
    }
  }

  /** Handle a new width of the table. */
  resize(width: number, scale = 1, maxCardWidth = Number.POSITIVE_INFINITY): void {
    Object.assign(this, { width, scale, maxCardWidth });
    this.arrange();
  }

  /** Give each card its place. In the same bout it keeps it. */
  private setSlots(hand: readonly Card[], boutKey: string): void {
    const places = boutKey && boutKey === this.boutKey ? findSlots(hand, this.slots) : undefined;
    if (!places) this.slots = hand;
    this.boutKey = boutKey;
    this.places = places ?? [...hand.keys()];
  }

  /** Lay out the cards. */
  private arrange(): void {
    const cardSize = Math.round(Math.min(this.scale * cardWidth(this.width / this.scale), this.maxCardWidth));
    const { slots, places } = this;
    const suitAt = (i: number): string | undefined => slots[i]?.[1];
    const { spots, height } = layOutHand(slots.length, this.width, cardSize, (i) => suitAt(i) !== suitAt(i - 1));
    setCardWidth(this.element, cardSize);
    this.element.style.height = `${Math.max(height, cardSize * 1.4)}px`;
    [...this.element.children].forEach((element, i) => {
      const { x, y } = spots[places[i] as number] as Spot;
      const style = (element as HTMLElement).style;
      style.left = `${x}px`;
      style.top = `${y}px`;
    });
  }

  /** Set the tab stop of the hand. */
  private setTabStop(index: number): void {
    this.current = Math.max(0, Math.min(index, this.cards.length - 1));
    this.cards.forEach(({ element }, i) => setAttributes(element, { tabindex: i === this.current ? 0 : -1 }));
  }

  focusCard(index = this.current): boolean {
    const element = this.cards[Math.max(0, Math.min(index, this.cards.length - 1))]?.element;
    element?.focus(); // Focus before moving the tab stop. The other order would cause another layout.
    this.setTabStop(index);
    return element !== undefined;
  }

  /** Move the focus from a played card to its neighbour, while the answer is on its way. */
  moveFocusFrom(element: HTMLElement): void {
    const index = this.indexOf(element);
    if (this.cards.length > 1) this.focusCard(index + 1 < this.cards.length ? index + 1 : index - 1);
  }

  /** Raise a sent card if the answer is not instant. An extra frame would delay an instant answer. */
  markSent(element: HTMLElement): void {
    clearTimeout(this.riseTimer);
    this.riseTimer = setTimeout(() => element.classList.add("dk-pending"), INSTANT_MS);
  }

  /** Clear the marks of sent cards. */
  clearSent(): void {
    clearTimeout(this.riseTimer);
    for (const { element } of this.cards) element.classList.remove("dk-pending");
  }

  indexOf(element: Element | null): number {
    return this.cards.findIndex((entry) => entry.element === element);
  }

  /** Return the card at a point of the screen, also if it is still flying there. */
  findAt(x: number, y: number): HTMLElement | undefined {
    const frame = this.element.getBoundingClientRect();
    const hit = [...this.cards].reverse().find(({ element }) => {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = element;
      const [dx, dy] = [x - frame.left - offsetLeft, y - frame.top - offsetTop];
      return dx >= 0 && dx < offsetWidth && dy >= (element.dataset.lit === undefined ? 0 : -LIFT_PX) && dy < offsetHeight;
    });
    return hit?.element;
  }

  findElement(card: Card): HTMLElement | undefined {
    return this.cards.find((entry) => entry.card === card)?.element;
  }
}

const makeCardButton = (card: Card, words: Words): HTMLElement =>
  makeDrawing("button", "dk-card dk-hand-card", drawFace(card, words), { type: "button", "data-card": card });
