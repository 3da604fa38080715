/** The center of the table: talon and turn-up, pairs with free places, and the discard pile. */

import { drawBack, drawDeclaredSuit, drawFace, drawSuitSign, layOutPairs, type Spot } from "./cards";
import { hasChanged, make, makeDrawing, setAttributes, setCardWidth, setDrawing, setText } from "./dom";
import { type Card, getFace, getPlayedCard, getTrumpSuit, type Pair, type Scene } from "./protocol/scene";
import type { Words } from "./protocol/words";
import type { TableContext } from "./table-context";

/** How many places are drawn. If more cards are allowed, the note says so. */
const MAX_PLACES = 6;
/** The widest card on the table, in px. */
const MAX_CARD_WIDTH = 90;
const NOTE_HEIGHT = 18;
const countLayers = (count: number): number => Math.min(count, 1 + Math.floor(count / 8), 4);

/** Draw a card face up, in the suit it is played in. */
export function drawPlayedCard(card: Card, words: Words): string {
  return drawFace(card, words) + (card.length > 2 ? drawDeclaredSuit(getPlayedCard(card).charAt(1)) : "");
}

export class TableCenter {
  readonly stock = make("div", "dk-talon");
  readonly table = make("div", "dk-table", { role: "group" });
  readonly discard = make("div", "dk-discard");
  readonly element = make("div", "dk-table-center", {}, this.stock, this.table, this.discard);
  readonly pile = make("div", "dk-pile", { role: "img" });
  readonly discardPile = make("div", "dk-pile", { role: "img" });
  private readonly pilesCount = make("div", "dk-count");
  private readonly turnupElement = make("div", "dk-turnup");
  private readonly trumpElement = make("div", "dk-trump", { role: "img" });
  private readonly note = make("div", "dk-attack-limit");
  private pairs: PairView[] = [];
  private freePlaces: HTMLElement[] = [];
  private size = { width: 600, height: 170 };
  private scale = 1;

  constructor() {
    this.stock.append(make("div", "dk-deck", {}, this.turnupElement, this.pile, this.pilesCount), this.trumpElement);
    this.discard.append(this.discardPile);
    this.table.append(this.note);
  }

  paint(context: TableContext): void {
    this.paintStock(context);
    this.paintPairs(context);
  }

  private paintStock({ scene, words, look }: TableContext): void {
    const { talon, turn_up: turnup, has_hidden_trump: hidden, trump, discard } = scene;
    const hasHiddenCard = hidden && talon > 1;
    const cardsBelow = turnup?.[1] === "bottom" ? (hasHiddenCard ? 2 : 1) : 0;
    stackCards(this.pile, countLayers(talon - cardsBelow), look.back);
    setAttributes(this.pile, { "aria-label": words.sayCount("talon", talon) });
    setText(this.pilesCount, talon ? String(talon) : "");
    setAttributes(this.stock, { "data-talon": talon > 0 });
    if (hasChanged(this.stock, turnup, hasHiddenCard, trump, look.back, words.key)) {
      this.turnupElement.innerHTML = turnup
        ? `${hasHiddenCard ? `<div class="dk-card dk-card-beneath">${drawBack(look.back)}</div>` : ""}<div class="dk-card">${drawFace(turnup[0], words)}</div>`
        : "";
      setAttributes(this.turnupElement, {
        role: turnup ? "img" : undefined,
        "aria-label": turnup ? words.say("face_up", { card: words.formatCard(turnup[0]) }) : undefined,
      });
      setAttributes(this.stock, { "data-turned": turnup?.[1], "data-trump": trump ?? "none" });
      const label = words.formatTrump(trump);
      setAttributes(this.trumpElement, { "aria-label": label });
      this.trumpElement.innerHTML = `${trump ? drawSuitSign(trump) : ""}<span></span>`;
      setText(this.trumpElement.lastElementChild as Element, label);
    }
    stackCards(this.discardPile, countLayers(discard), look.back);
    setAttributes(this.discardPile, { "aria-label": words.sayCount("discard", discard) });
  }

  private paintPairs(context: TableContext): void {
    const { scene, words } = context;
    setAttributes(this.table, { "aria-label": words.say("table") });
    while (this.pairs.length > scene.table.length) this.pairs.pop()?.element.remove();
    scene.table.forEach((pair, i) => {
      let view = this.pairs[i];
      if (!view) {
        view = new PairView();
        this.pairs.push(view);
        this.table.append(view.element);
      }
      view.paint(pair, context, scene.attackers?.[i] ?? undefined);
    });
    const freeCount = scene.result ? 0 : Math.max(0, Math.min(scene.limit, MAX_PLACES) - scene.table.length);
    while (this.freePlaces.length > freeCount) this.freePlaces.pop()?.remove();
    while (this.freePlaces.length < freeCount) {
      const place = make("div", "dk-place");
      this.freePlaces.push(place);
      this.table.prepend(place);
    }
    const { length: count } = scene.table;
    setText(this.note, scene.result || !count ? "" : words.say("limit", { count, limit: scene.limit }));
    this.arrange(scene);
  }

  /** Handle a new size of the table. */
  resize(scene: Scene, scale = 1): void {
    this.scale = scale;
    this.size = { width: this.table.clientWidth, height: this.table.clientHeight };
    this.arrange(scene);
  }

  /** Position pairs and free places. */
  private arrange(scene: Scene): void {
    const { spots, card } = this.findSpots(scene.table.length + this.freePlaces.length);
    setCardWidth(this.table, card);
    [...this.pairs.map((pair) => pair.element), ...this.freePlaces].forEach((element, i) => {
      const spot = spots[i] as Spot;
      element.style.left = `${spot.x}px`;
      element.style.top = `${spot.y}px`;
    });
  }

  /** Return the positions of `count` pairs. */
  findSpots(count: number): { spots: Spot[]; card: number } {
    const { width, height } = this.size;
    return layOutPairs(count, width, height - NOTE_HEIGHT * this.scale, Math.min(MAX_CARD_WIDTH * this.scale, width / 3.6));
  }

  /** Return the card elements on the table, by card. */
  listCards(): [Card, HTMLElement][] {
    return this.pairs.flatMap((pair) => pair.listCards());
  }

  findTarget(card: Card): HTMLElement | undefined {
    return this.pairs.find((pair) => !pair.pair[1] && getPlayedCard(pair.pair[0]) === getPlayedCard(card))?.element;
  }

  /** Return the cards on the table that can be chosen now. */
  listTargets(): HTMLElement[] {
    return [...this.table.querySelectorAll<HTMLElement>("[data-target]")];
  }

  /** Highlight the pairs that the picked card can beat. */
  highlightTargets(targets: ReadonlySet<Card>, aimed: Card | undefined): void {
    for (const view of this.pairs) {
      const open = !view.pair[1];
      const card = getPlayedCard(view.pair[0]);
      setAttributes(view.element, { "data-target": open && targets.has(card), "data-current-target": open && aimed === card });
      const target = open && targets.has(card);
      setAttributes(view.element, { role: target ? "button" : "img", tabindex: target ? -1 : undefined });
    }
  }
}

class PairView {
  readonly element = make("div", "dk-pair", { role: "img" });
  pair: Pair = ["", null];
  private readonly attack = make("div", "dk-card");
  private readonly beat = make("div", "dk-card dk-beating-card");

  paint(pair: Pair, context: TableContext, seat: number | undefined): void {
    const { words, scene } = context;
    const [attack, beat] = pair;
    if (!hasChanged(this.element, pair, scene.trump, seat, words.key)) return;
    if (hasChanged(this.attack, attack, words.key)) setDrawing(this.attack, drawPlayedCard(attack, words));
    if (beat && hasChanged(this.beat, beat, words.key)) setDrawing(this.beat, drawPlayedCard(beat, words));
    if (!this.attack.isConnected) this.element.append(this.attack);
    if (beat) this.element.append(this.beat);
    else this.beat.remove();
    setAttributes(this.attack, { "data-trump": getTrumpSuit(attack, scene.trump) });
    setAttributes(this.beat, { "data-trump": beat ? getTrumpSuit(beat, scene.trump) : undefined });
    this.pair = pair;
    const name = words.formatCard(attack);
    const label = beat ? words.say("beaten", { card: name, by: words.formatCard(beat) }) : words.say("unbeaten", { card: name });
    const details = [
      ...(getTrumpSuit(attack, scene.trump) ? [words.say("is_trump")] : []),
      ...(seat === undefined ? [] : [words.say("played_by", { player: context.formatSeat(seat) })]),
    ];
    setAttributes(this.element, {
      "aria-label": label,
      "aria-description": details.join(", ") || undefined,
      "data-card": getPlayedCard(attack),
    });
  }

  listCards(): [Card, HTMLElement][] {
    const attackEntry: [Card, HTMLElement][] = [[getFace(this.pair[0]), this.attack]];
    return this.pair[1] ? [...attackEntry, [getFace(this.pair[1]), this.beat]] : attackEntry;
  }
}

/** Draw a pile of cards face down. More cards make it higher. */
function stackCards(pile: HTMLElement, count: number, design: string): void {
  if (hasChanged(pile, design)) pile.replaceChildren();
  while (pile.childElementCount > count) pile.lastElementChild?.remove();
  while (pile.childElementCount < count) {
    const card = makeDrawing("div", "dk-card", drawBack(design));
    card.style.setProperty("--dk-layer", String(pile.childElementCount));
    pile.append(card);
  }
}
