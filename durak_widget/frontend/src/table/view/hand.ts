/** The viewer's hand: a button for each card, one tab stop for all, legal cards lifted. */

import { back, cardWidth, declared, faceOf, fan, type Spot } from "../../widgets/cards";
import { cardsOf, changed, drawn, focused, make, set } from "../../widgets/dom";
import { type Card, counts, face, trumpOf, usable } from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";

/** So high a card that may be played is lifted, as the style sheet says. */
const LIFT = 12;
/** What takes no longer, in ms, is felt to be there at once. */
const AT_ONCE = 80;

export interface Marked {
  /** The cards that are lifted and lit. */
  readonly lit: ReadonlySet<Card>;
  readonly picked: readonly Card[];
  /** The card that waits for its moment. */
  readonly waits?: Card | undefined;
}

export class Hand {
  readonly element = make("div", "dk-hand", { role: "group" });
  /** The cards as they lie, from the left. */
  cards: { readonly card: Card; readonly element: HTMLElement }[] = [];
  private current = 0;
  /** Runs until the card that is on its way out rises. */
  private rising: ReturnType<typeof setTimeout> | undefined;
  private width = 700;
  private scale = 1;
  private most = Number.POSITIVE_INFINITY;

  paint(shared: Shared): void {
    const { scene, words } = shared;
    const had = focused(this.element);
    const at = this.cards.findIndex(({ element }) => element === had);
    set(this.element, { "aria-label": words.say("hand") });
    if (scene.covered) {
      this.cards = [];
      const count = scene.seats[scene.me]?.cards ?? 0;
      this.element.replaceChildren(...Array.from({ length: count }, () => drawn("div", "dk-card dk-back", back(shared.look.back))));
      this.arrange();
      return;
    }
    if (!this.cards.length) this.element.replaceChildren();
    const old = [...this.cards];
    this.cards = scene.hand.map((card) => {
      const found = old.findIndex((one) => one.card === card);
      return found >= 0 ? (old.splice(found, 1)[0] as (typeof old)[number]) : { card, element: button(card) };
    });
    for (const { element } of old) element.remove();
    this.cards.forEach(({ element }, i) => {
      if (this.element.children[i] !== element) this.element.insertBefore(element, this.element.children[i] ?? null);
    });
    const legal = usable(scene.legal);
    for (const card of scene.legal.swap ?? []) legal.add(card);
    const trump = scene.trump;
    for (const { card, element } of this.cards) {
      if (!changed(element, legal.has(card), trump, words.language)) continue;
      const suit = trumpOf(card, trump);
      set(element, {
        "aria-label": words.card(card),
        "aria-description": suit ? words.say("is_trump") : undefined,
        "aria-disabled": !legal.has(card) && "true",
        "data-trump": suit,
      });
    }
    if (at >= 0 && !focused(this.element)) this.focus(Math.min(at, this.cards.length - 1));
    else this.rove(at < 0 ? this.current : this.cards.findIndex(({ element }) => element === had));
    this.arrange();
  }

  /** Light and pick; a card picked in another suit than its own shows that suit. */
  mark({ lit, picked, waits }: Marked): void {
    const left = [...picked];
    const held = this.cards.find(({ card }) => card === waits)?.element;
    for (const { card, element } of this.cards) {
      const place = left.findIndex((one) => face(one) === card);
      const [played] = place >= 0 ? left.splice(place, 1) : [];
      set(element, {
        "data-lit": lit.has(card),
        "data-picked": played !== undefined,
        "data-waits": element === held,
        "aria-pressed": played || element === held ? "true" : undefined,
      });
      element.querySelector(".dk-declared")?.remove();
      if (played && played.length > 2) element.insertAdjacentHTML("beforeend", declared(counts(played).charAt(1)));
    }
  }

  /** The width of the table has changed. */
  resize(width: number, scale = 1, most = Number.POSITIVE_INFINITY): void {
    Object.assign(this, { width, scale, most });
    this.arrange();
  }

  /** Lay the cards out for the width that there is. */
  private arrange(): void {
    const card = Math.round(Math.min(this.scale * cardWidth(this.width / this.scale), this.most));
    const suit = (i: number): string | undefined => this.cards[i]?.card[1];
    const { spots, height } = fan(this.element.children.length, this.width, card, (i) => suit(i) !== suit(i - 1));
    cardsOf(this.element, card);
    this.element.style.height = `${Math.max(height, card * 1.4)}px`;
    [...this.element.children].forEach((element, i) => {
      const { x, y } = spots[i] as Spot;
      const style = (element as HTMLElement).style;
      style.left = `${x}px`;
      style.top = `${y}px`;
    });
  }

  /** One tab stop for the hand: the card where the focus was last. */
  private rove(index: number): void {
    this.current = Math.max(0, Math.min(index, this.cards.length - 1));
    this.cards.forEach(({ element }, i) => set(element, { tabindex: i === this.current ? 0 : -1 }));
  }

  focus(index = this.current): boolean {
    const element = this.cards[Math.max(0, Math.min(index, this.cards.length - 1))]?.element;
    element?.focus(); // before the tab stop moves: to change it where the focus is would lay the page out once more
    this.rove(index);
    return element !== undefined;
  }

  /** A card is on its way out: the focus goes to its neighbour, while the answer is awaited rather than when it is painted. */
  leave(element: HTMLElement): void {
    const at = this.index(element);
    if (this.cards.length > 1) this.focus(at + 1 < this.cards.length ? at + 1 : at - 1);
  }

  /** It awaits its answer, and rises where that does not come at once: a picture of that alone would keep the answer's waiting. */
  sent(element: HTMLElement): void {
    clearTimeout(this.rising);
    this.rising = setTimeout(() => element.classList.add("dk-sent"), AT_ONCE);
  }

  /** Whatever was on its way out has its answer. */
  answered(): void {
    clearTimeout(this.rising);
    for (const { element } of this.cards) element.classList.remove("dk-sent");
  }

  index(element: Element | null): number {
    return this.cards.findIndex((one) => one.element === element);
  }

  /** The card that rests at a point of the screen, or will when it has landed. */
  at(x: number, y: number): HTMLElement | undefined {
    const frame = this.element.getBoundingClientRect();
    const found = [...this.cards].reverse().find(({ element }) => {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = element;
      const [dx, dy] = [x - frame.left - offsetLeft, y - frame.top - offsetTop];
      return dx >= 0 && dx < offsetWidth && dy >= (element.dataset.lit === undefined ? 0 : -LIFT) && dy < offsetHeight;
    });
    return found?.element;
  }

  find(card: Card): HTMLElement | undefined {
    return this.cards.find((one) => one.card === card)?.element;
  }
}

const button = (card: Card): HTMLElement => drawn("button", "dk-card dk-mine", faceOf(card), { type: "button", "data-card": card });
