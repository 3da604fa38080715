/** What lies in the middle: the talon with the turn-up, the pairs with the places that are left, the discard pile. */

import { back, declared, faceOf, grid, type Spot, suitSign } from "./cards";
import { cardsOf, changed, draw, drawn, make, set, write } from "./dom";
import { type Card, counts, face, type Pair, type Scene, trumpOf } from "./protocol/scene";
import type { Shared } from "./table-context";

/** As many places as are drawn; where more may lie, the words say so. */
const PLACES = 6;
/** The widest card on the table, and the height of the line below it. */
const MOST = 90;
const LINE = 18;
const layers = (count: number): number => Math.min(count, 1 + Math.floor(count / 8), 4);

/** A card that lies open, in its suit as played. */
export function lying(card: Card): string {
  return faceOf(card) + (card.length > 2 ? declared(counts(card).charAt(1)) : "");
}

export class Middle {
  readonly stock = make("div", "dk-stock");
  readonly table = make("div", "dk-table", { role: "group" });
  readonly discard = make("div", "dk-discard");
  readonly element = make("div", "dk-middle", {}, this.stock, this.table, this.discard);
  readonly pile = make("div", "dk-pile", { role: "img" });
  readonly gone = make("div", "dk-pile", { role: "img" });
  private readonly pilesCount = make("div", "dk-count");
  private readonly turned = make("div", "dk-turned");
  private readonly trump = make("div", "dk-trump", { role: "img" });
  private readonly note = make("div", "dk-limit");
  private pairs: PairView[] = [];
  private places: HTMLElement[] = [];
  private box = { width: 600, height: 170 };
  private scale = 1;

  constructor() {
    this.stock.append(make("div", "dk-deck", {}, this.turned, this.pile, this.pilesCount), this.trump);
    this.discard.append(this.gone);
    this.table.append(this.note);
  }

  paint(shared: Shared): void {
    this.paintStock(shared);
    this.paintPairs(shared);
  }

  private paintStock({ scene, words, look }: Shared): void {
    const { talon, turnup, hidden, trump, discard } = scene;
    const under = hidden && talon > 1;
    const below = turnup?.[1] === "bottom" ? (under ? 2 : 1) : 0;
    stack(this.pile, layers(talon - below), look.back);
    set(this.pile, { "aria-label": words.count("talon", talon) });
    write(this.pilesCount, talon ? String(talon) : "");
    set(this.stock, { "data-talon": talon > 0 });
    if (changed(this.stock, turnup, under, trump, look.back, words.language)) {
      this.turned.innerHTML = turnup
        ? `${under ? `<div class="dk-card dk-under">${back(look.back)}</div>` : ""}<div class="dk-card">${faceOf(turnup[0])}</div>`
        : "";
      set(this.turned, {
        role: turnup ? "img" : undefined,
        "aria-label": turnup ? words.say("face_up", { card: words.card(turnup[0]) }) : undefined,
      });
      set(this.stock, { "data-turned": turnup?.[1], "data-trump": trump ?? "none" });
      const said = words.trumps(trump);
      set(this.trump, { "aria-label": said });
      this.trump.innerHTML = `${trump ? suitSign(trump) : ""}<span></span>`;
      write(this.trump.lastElementChild as Element, said);
    }
    stack(this.gone, layers(discard), look.back);
    set(this.gone, { "aria-label": words.count("discard", discard) });
  }

  private paintPairs(shared: Shared): void {
    const { scene, words } = shared;
    set(this.table, { "aria-label": words.say("table") });
    while (this.pairs.length > scene.table.length) this.pairs.pop()?.element.remove();
    scene.table.forEach((pair, i) => {
      let view = this.pairs[i];
      if (!view) {
        view = new PairView();
        this.pairs.push(view);
        this.table.append(view.element);
      }
      view.paint(pair, shared, scene.by?.[i] ?? undefined);
    });
    const free = scene.over ? 0 : Math.max(0, Math.min(scene.limit, PLACES) - scene.table.length);
    while (this.places.length > free) this.places.pop()?.remove();
    while (this.places.length < free) {
      const place = make("div", "dk-place");
      this.places.push(place);
      this.table.prepend(place);
    }
    write(this.note, scene.over ? "" : words.say("limit", { count: scene.table.length, limit: scene.limit }));
    this.arrange(scene);
  }

  /** The table's box has changed. */
  resize(scene: Scene, scale = 1): void {
    this.scale = scale;
    this.box = { width: this.table.clientWidth, height: this.table.clientHeight };
    this.arrange(scene);
  }

  /** Put pairs and places where there is room for them. */
  private arrange(scene: Scene): void {
    const { spots, card } = this.spots(scene.table.length + this.places.length);
    cardsOf(this.table, card);
    [...this.pairs.map((pair) => pair.element), ...this.places].forEach((element, i) => {
      const spot = spots[i] as Spot;
      element.style.left = `${spot.x}px`;
      element.style.top = `${spot.y}px`;
    });
  }

  /** Where so many pairs lie in the table's box. */
  spots(count: number): { spots: Spot[]; card: number } {
    const { width, height } = this.box;
    return grid(count, width, height - LINE * this.scale, Math.min(MOST * this.scale, width / 3.6));
  }

  /** The card elements on the table, by card. */
  cards(): [Card, HTMLElement][] {
    return this.pairs.flatMap((pair) => pair.cards());
  }

  target(card: Card): HTMLElement | undefined {
    return this.pairs.find((pair) => !pair.pair[1] && counts(pair.pair[0]) === counts(card))?.element;
  }

  /** The cards on the table that can be chosen now. */
  targets(): HTMLElement[] {
    return [...this.table.querySelectorAll<HTMLElement>("[data-target]")];
  }

  /** Mark the pairs that may be beaten now by what is picked. */
  light(targets: ReadonlySet<Card>, aimed: Card | undefined): void {
    for (const view of this.pairs) {
      const open = !view.pair[1];
      const card = counts(view.pair[0]);
      set(view.element, { "data-target": open && targets.has(card), "data-aimed": open && aimed === card });
      const target = open && targets.has(card);
      set(view.element, { role: target ? "button" : "img", tabindex: target ? -1 : undefined });
    }
  }
}

class PairView {
  readonly element = make("div", "dk-pair", { role: "img" });
  pair: Pair = ["", null];
  private readonly attack = make("div", "dk-card");
  private readonly beat = make("div", "dk-card dk-over");

  paint(pair: Pair, shared: Shared, by: number | undefined): void {
    const { words, scene } = shared;
    const [attack, beat] = pair;
    if (!changed(this.element, pair, scene.trump, by, words.language)) return;
    if (attack !== this.pair[0]) draw(this.attack, lying(attack));
    if (beat && beat !== this.pair[1]) draw(this.beat, lying(beat));
    if (!this.attack.isConnected) this.element.append(this.attack);
    if (beat) this.element.append(this.beat);
    else this.beat.remove();
    set(this.attack, { "data-trump": trumpOf(attack, scene.trump) });
    set(this.beat, { "data-trump": beat ? trumpOf(beat, scene.trump) : undefined });
    this.pair = pair;
    const name = words.card(attack);
    const label = beat ? words.say("beaten", { card: name, by: words.card(beat) }) : words.say("unbeaten", { card: name });
    const about = [
      ...(trumpOf(attack, scene.trump) ? [words.say("is_trump")] : []),
      ...(by === undefined ? [] : [words.say("played_by", { player: shared.name(by) })]),
    ];
    set(this.element, { "aria-label": label, "aria-description": about.join(", ") || undefined, "data-card": counts(attack) });
  }

  cards(): [Card, HTMLElement][] {
    const own: [Card, HTMLElement][] = [[face(this.pair[0]), this.attack]];
    return this.pair[1] ? [...own, [face(this.pair[1]), this.beat]] : own;
  }
}

/** Cards face down, higher the more there are. */
function stack(pile: HTMLElement, count: number, design: string): void {
  if (changed(pile, design)) pile.replaceChildren();
  while (pile.childElementCount > count) pile.lastElementChild?.remove();
  while (pile.childElementCount < count) {
    const card = drawn("div", "dk-card", back(design));
    card.style.setProperty("--dk-layer", String(pile.childElementCount));
    pile.append(card);
  }
}
