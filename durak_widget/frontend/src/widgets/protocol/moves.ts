/** From the legal moves that Python tells to what a picked card can be used for. Knows no rule of the game. */

import type { Card, Legal } from "./scene";
import { by, type Direct, type Mode } from "./verbs";

/** One way to use one card: as it would be played, with the suit chosen for it; and the card on the table that it would beat. */
export type Use =
  | { readonly verb: "beat"; readonly card: Card; readonly on: Card }
  | { readonly verb: Exclude<Direct | Mode, "beat">; readonly card: Card; readonly on?: undefined };

const DIRECT = by("card", "target", "asked");

/** The card itself, whatever it is played as: `6d` of `6d=h`. */
export const face = (card: Card): Card => card.slice(0, 2);
/** The card as it counts on the table: `6h` for `6d=h`. */
export const counts = (card: Card): Card => (card.length > 2 ? `${card[0]}${card[3]}` : card);
export const rank = (card: Card): string => card.charAt(0);
/** The suit of a card that counts as a trump. */
export const trumpOf = (card: Card, trump: string | null): string | undefined =>
  trump !== null && counts(card)[1] === trump && card[0] !== "X" ? trump : undefined;
/** A card as it is written on it: `10♥`. */
export const signs = (card: Card): string =>
  `${rank(card) === "T" ? "10" : rank(card)}${{ c: "♣", d: "♦", h: "♥", s: "♠" }[card.charAt(1)] ?? "★"}\ufe0e`;

/** All that is told of a verb. */
function told(legal: Legal, verb: Use["verb"]): Use[] {
  if (verb === "beat") return (legal.beat ?? []).flatMap(([on, cards]) => cards.map((card): Use => ({ verb, card, on })));
  return (legal[verb] ?? []).map((card): Use => ({ verb, card }));
}

/** All the ways to use a card of the hand, in the order in which Python lists its moves. */
export function uses(legal: Legal, card: Card): Use[] {
  return DIRECT.flatMap((verb) => told(legal, verb)).filter((use) => face(use.card) === card);
}

/** The cards of the hand that can be used at all; with a verb, those that can be used so. */
export function usable(legal: Legal, verb?: Use["verb"]): Set<Card> {
  return new Set((verb ? [verb] : DIRECT).flatMap((one) => told(legal, one)).map(({ card }) => face(card)));
}

/** The move in words. */
export const text = ({ verb, card, on }: Use): string => (on ? `${verb} ${counts(on)} ${card}` : `${verb} ${card}`);

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
