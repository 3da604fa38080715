/** What stands on a branch: its move as small cards, or as a word. */

import { suitSign } from "../../widgets/cards";
import { drawn, make } from "../../widgets/dom";
import { type Card, counts, rank } from "../../widgets/protocol/scene";
import type { Move } from "../protocol/tree-drawing";
import { textWidth } from "./print";

/** How wide a small card is, how much of one that is beaten stays in sight, and what stands between two hands. */
const CARD = 29;
const TEN = 35;
const LAP = 24;
const BETWEEN = 3;
const HANDS = 11;
/** Longer words are cut; they are whole under the pointer and for the node that is looked at. */
const LONGEST = 132;

const wide = (card: Card): number => (rank(card) === "T" ? TEN : CARD);
const row = (cards: readonly Card[]): number => cards.reduce((sum, card) => sum + wide(card) + BETWEEN, -BETWEEN);

/** How much room a move takes on its branch. */
export function branchWidth({ cards = [], on = [], hands, said, likely = "" }: Move): number {
  const number = likely ? textWidth(likely, "likely") + 6 : 0;
  if (hands?.some((hand) => hand.length))
    return Math.max(
      hands.reduce((sum, hand) => sum + row(hand) + HANDS, -HANDS),
      number,
    );
  if (cards.length) return Math.max(on.length ? row(cards) + wide(on[0] as Card) - CARD + LAP : row(cards), number);
  return Math.max(Math.min(textWidth(said) + 10, LONGEST), number);
}

/** A card as small as can be read. */
function mini(card: Card, kind = ""): HTMLElement {
  const as = counts(card);
  const element = make("span", `dk-mini ${kind}`, { "data-card": card });
  const joker = rank(card) === "X";
  element.append(joker ? "★" : rank(card) === "T" ? "10" : rank(card));
  if (!joker) element.append(...drawn("i", "", suitSign(as.charAt(1))).childNodes);
  element.classList.add(`dk-ink-${joker ? (card[1] === "r" ? "h" : "s") : as.charAt(1)}`);
  return element;
}

/** A move, drawn. */
export function drawMove(place: HTMLElement, { cards = [], on = [], hands, said, verb }: Move): void {
  if (hands?.some((hand) => hand.length)) {
    const parts = hands.map((hand) => make("span", "dk-hand-of", {}, ...hand.map((card) => mini(card))));
    place.replaceChildren(...parts.flatMap((part, i) => (i ? [make("i", "dk-bar-of"), part] : [part])));
  } else if (cards.length) {
    const lying = on.map((card) => mini(card, "dk-beaten"));
    place.replaceChildren(...lying, ...cards.map((card) => mini(card, on.length ? "dk-beats" : "")));
  } else place.replaceChildren(make("span", "dk-word", {}, said));
  place.dataset.verb = verb ?? "";
  place.dataset.kind = cards.length || hands ? "cards" : "word";
}
