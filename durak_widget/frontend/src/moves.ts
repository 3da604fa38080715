/** From the legal moves that Python tells to what a picked card can be used for. Knows no rule of the game. */

import type { Card, Legal } from "./scene";

/** One way to use one card. */
export interface Use {
  readonly verb: "attack" | "throw" | "beat" | "transfer" | "show" | "swap";
  /** The card as it would be played, with the suit chosen for it. */
  readonly card: Card;
  /** The card on the table that it would beat. */
  readonly on?: Card;
}

/** The card itself, whatever it is played as: `6d` of `6d=h`. */
export const face = (card: Card): Card => card.slice(0, 2);
/** The card as it counts on the table: `6h` for `6d=h`. */
export const counts = (card: Card): Card => (card.length > 2 ? `${card[0]}${card[3]}` : card);
export const rank = (card: Card): string => card.charAt(0);

/** All the ways to use a card of the hand, in the order in which Python lists its moves. */
export function uses(legal: Legal, card: Card): Use[] {
  const own = (cards: readonly Card[] | undefined): Card[] => (cards ?? []).filter((played) => face(played) === card);
  return [
    ...own(legal.attack).map((played): Use => ({ verb: "attack", card: played })),
    ...own(legal.throw).map((played): Use => ({ verb: "throw", card: played })),
    ...(legal.beat ?? []).flatMap(([on, by]) => own(by).map((played): Use => ({ verb: "beat", card: played, on }))),
    ...own(legal.transfer).map((played): Use => ({ verb: "transfer", card: played })),
    ...own(legal.show).map((played): Use => ({ verb: "show", card: played })),
  ];
}

/** The cards of the hand that can be used at all; with a verb, those that can be used so. */
export function usable(legal: Legal, verb?: Use["verb"]): Set<Card> {
  const lists: Record<Use["verb"], readonly Card[]> = {
    attack: legal.attack ?? [],
    throw: legal.throw ?? [],
    beat: (legal.beat ?? []).flatMap(([, by]) => by),
    transfer: legal.transfer ?? [],
    show: legal.show ?? [],
    swap: legal.swap ?? [],
  };
  if (verb) return new Set(lists[verb].map(face));
  const { swap: _, ...direct } = lists;
  return new Set(Object.values(direct).flat().map(face));
}

/** The move in words. */
export const text = (use: Use): string => (use.on ? `beat ${counts(use.on)} ${use.card}` : `${use.verb} ${use.card}`);

/** An attack with several cards, or a swap of two. */
export const together = (verb: "attack" | "swap", cards: readonly Card[]): string => [verb, ...cards].join(" ");

/** Which cards of the hand may join those picked for an opening: of the same rank, while there is room. */
export function joining(legal: Legal, hand: readonly Card[], picked: readonly Card[]): Set<Card> {
  const first = picked[0];
  if (first === undefined || (legal.several ?? 1) <= picked.length) return new Set();
  const left = [...hand];
  for (const card of picked) left.splice(left.indexOf(face(card)), 1);
  const may = usable(legal, "attack");
  return new Set(left.filter((card) => rank(card) === rank(first) && may.has(card)));
}
