/** What the short form of the legal moves stands for, written out. */

import { by, type Card, type Legal, rank, text, together, usable, uses } from "../src/widgets/protocol/scene";

/** Every legal move, written out: what the short form of `Legal` stands for. */
export function all(legal: Legal, hand: readonly Card[]): string[] {
  const moves = [...usable(legal)].flatMap((card) => uses(legal, card).map(text));
  if (legal.several) moves.push(...openings(legal, hand));
  const swap = legal.swap ?? [];
  swap.forEach((one, i) => swap.slice(i + 1).forEach((other) => moves.push(together("swap", [one, other]))));
  for (const verb of by("bare")) if (legal[verb]) moves.push(verb);
  return [...new Set(moves)];
}

function openings(legal: Legal, hand: readonly Card[]): string[] {
  const found: string[] = [];
  const grow = (picked: readonly Card[], from: number): void => {
    if (picked.length > 1) found.push(together("attack", picked));
    if (picked.length >= (legal.several ?? 1)) return;
    for (let i = from; i < hand.length; i++) {
      const card = hand[i] as Card;
      if (picked[0] && rank(card) !== rank(picked[0])) continue;
      for (const use of uses(legal, card)) if (use.verb === "attack") grow([...picked, use.card], i + 1);
    }
  };
  grow([], 0);
  return found;
}
