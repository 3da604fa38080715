// What an ending is for who searches it: its cards, by its own count, which are tried first, what the rules say of them, and who wins at sight.
//
// A hand is a mask in which the cheapest card is the lowest bit. `acyclic_endgame_solver.ts` lays all this down when an ending is opened.
import { NO_LIMIT } from "./acyclic_result_table";

/** For each card the cards that beat it, and those of its rank. */
export const ENDGAME_BEATERS: usize = memory.data(8 * 64, 8);
export const OF_RANK: usize = memory.data(8 * 64, 8);

/** What the search has to know of the rules. */
@unmanaged
export class EndgameRules {
  boutLimit: i32;
  canThrowIn: i32;
  canThrowAfterTake: i32;
  goesOutAtOnce: i32;
  /** Whether the attacker wins where both run out together. */
  attackerWinsIfBothOut: i32;
  /** Whether there are draws: else who does not lose wins. */
  drawn: i32;
  /** Whether the cards can be laid in a row in which each is beaten by later ones alone. */
  isBeatingOrdered: i32;
}
export const endgameRules = changetype<EndgameRules>(memory.data(32, 8));

export function beatersOf(card: u64): u64 {
  return load<u64>(ENDGAME_BEATERS + ((<usize>ctz(card)) << 3));
}

export function cardsOfSameRank(card: u64): u64 {
  return load<u64>(OF_RANK + ((<usize>ctz(card)) << 3));
}

export function lowestCard(cards: u64): u64 {
  return cards & (0 - cards);
}

/** By how many places a card counts as dearer that has company of its rank in the attacker's hand: it would leave something to throw in. */
export const ATTACK_RANK_PENALTY: i32 = 8;
export const ANSWER_RANK_PENALTY: i32 = 4;

/** Of these cards the one to be tried next: the cheapest, where one that has a card of its rank for company counts as so many places dearer. */
export function nextCardToTry(untriedCards: u64, attackerHand: u64, rankPenalty: i32, ranks: usize = OF_RANK): u64 {
  let best: u64 = 0;
  let lowestCost: i32 = i32.MAX_VALUE;
  for (let remaining = untriedCards; remaining; remaining &= remaining - 1) {
    const card = lowestCard(remaining);
    const cost = <i32>ctz(card) + (load<u64>(ranks + ((<usize>ctz(card)) << 3)) & attackerHand & ~card ? rankPenalty : 0);
    if (cost < lowestCost) {
      lowestCost = cost;
      best = card;
    }
  }
  return best;
}

/** One bout less. */
export function oneBoutLess(maxBouts: i32): i32 {
  return maxBouts === NO_LIMIT ? NO_LIMIT : maxBouts - 1;
}

/**
 * Whether the attacker wins without search: by laying what cannot be beaten from the bottom up, which makes none of the rest of it beatable, and then
 * its last card, or cards, if they are of one rank: as one is beaten it throws in the next, and it is out when the defender still holds some.
 */
export function winsWithoutSearch(attack: u64, defend: u64, target: i32, maxBouts: i32, maxAttackCards: i32): bool {
  if (!endgameRules.isBeatingOrdered || (target && <i32>popcnt(attack) > maxBouts)) return false;
  let beatableCards: u64 = 0;
  let ranks: u64 = ~(<u64>0);
  for (let left = attack; left; left &= left - 1) {
    const card = lowestCard(left);
    if (!(beatersOf(card) & defend)) continue;
    beatableCards |= card;
    ranks &= cardsOfSameRank(card);
    if (beatableCards & ~ranks) return false;
  }
  const beatableCount = <i32>popcnt(beatableCards);
  if (beatableCount > 1 && (beatableCount > maxAttackCards || !endgameRules.canThrowIn)) return false;
  return beatableCount < <i32>popcnt(defend) + <i32>popcnt(attack) - beatableCount;
}
