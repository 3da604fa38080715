/** Expands the short form of the legal moves. */

import {
  type Card,
  findUsableCards,
  findUses,
  formatMove,
  formatMultiCardMove,
  getRank,
  type Legal,
  listVerbs,
} from "../src/widgets/protocol/scene";

/** Return every legal move of the short form `Legal`. */
export function listAllMoves(legal: Legal, hand: readonly Card[]): string[] {
  const moves = [...findUsableCards(legal)].flatMap((card) => findUses(legal, card).map(formatMove));
  if (legal.several) moves.push(...openings(legal, hand));
  const swap = legal.swap ?? [];
  swap.forEach((first, i) => swap.slice(i + 1).forEach((other) => moves.push(formatMultiCardMove("swap", [first, other]))));
  for (const verb of listVerbs("bare")) if (legal[verb]) moves.push(verb);
  return [...new Set(moves)];
}

function openings(legal: Legal, hand: readonly Card[]): string[] {
  const found: string[] = [];
  const grow = (picked: readonly Card[], from: number): void => {
    if (picked.length > 1) found.push(formatMultiCardMove("attack", picked));
    if (picked.length >= (legal.several ?? 1)) return;
    for (let i = from; i < hand.length; i++) {
      const card = hand[i] as Card;
      if (picked[0] && getRank(card) !== getRank(picked[0])) continue;
      for (const use of findUses(legal, card)) if (use.verb === "attack") grow([...picked, use.card], i + 1);
    }
  };
  grow([], 0);
  return found;
}
