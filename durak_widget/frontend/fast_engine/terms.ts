// What an ending is for who searches it: its cards, by its own count, which are tried first, what the rules say of them, and who wins at sight.
//
// A hand is a mask in which the cheapest card is the lowest bit. `endings.ts` lays all this down when an ending is opened.
import { EVER } from "./known";

/** For each card the cards that beat it, and those of its rank. */
export const BEATING: usize = memory.data(8 * 64, 8);
export const OF_RANK: usize = memory.data(8 * 64, 8);

/** What the search has to know of the rules. */
@unmanaged
export class Terms {
  most: i32;
  throws: i32;
  afterTake: i32;
  atOnce: i32;
  /** Whether the attacker wins where both run out together. */
  wonByBoth: i32;
  /** Whether there are draws: else who does not lose wins. */
  drawn: i32;
  /** Whether the cards can be laid in a row in which each is beaten by later ones alone. */
  inRow: i32;
}
export const terms = changetype<Terms>(memory.data(32, 8));

export function beating(card: u64): u64 {
  return load<u64>(BEATING + ((<usize>ctz(card)) << 3));
}

export function ofRank(card: u64): u64 {
  return load<u64>(OF_RANK + ((<usize>ctz(card)) << 3));
}

export function lowest(cards: u64): u64 {
  return cards & (0 - cards);
}

/** By how many places a card counts as dearer that has company of its rank in the attacker's hand: it would leave something to throw in. */
export const ATTACK_IN_COMPANY: i32 = 8;
export const ANSWER_IN_COMPANY: i32 = 4;

/** Of these cards the one to be tried next: the cheapest, where one that has a card of its rank for company counts as so many places dearer. */
export function next(left: u64, company: u64, dearer: i32, ranks: usize = OF_RANK): u64 {
  let best: u64 = 0;
  let least: i32 = i32.MAX_VALUE;
  for (let rest = left; rest; rest &= rest - 1) {
    const card = lowest(rest);
    const cost = <i32>ctz(card) + (load<u64>(ranks + ((<usize>ctz(card)) << 3)) & company & ~card ? dearer : 0);
    if (cost < least) {
      least = cost;
      best = card;
    }
  }
  return best;
}

/** One bout less. */
export function fewer(within: i32): i32 {
  return within === EVER ? EVER : within - 1;
}

/**
 * Whether the attacker wins without search: by laying what cannot be beaten from the bottom up, which makes none of the rest of it beatable, and then
 * its last card, or cards, if they are of one rank: as one is beaten it throws in the next, and it is out when the defender still holds some.
 */
export function winsAsItStands(attack: u64, defend: u64, worth: i32, within: i32, most: i32): bool {
  if (!terms.inRow || (worth && <i32>popcnt(attack) > within)) return false;
  let weak: u64 = 0;
  let ranks: u64 = ~(<u64>0);
  for (let left = attack; left; left &= left - 1) {
    const card = lowest(left);
    if (!(beating(card) & defend)) continue;
    weak |= card;
    ranks &= ofRank(card);
    if (weak & ~ranks) return false;
  }
  const last = <i32>popcnt(weak);
  if (last > 1 && (last > most || !terms.throws)) return false;
  return last < <i32>popcnt(defend) + <i32>popcnt(attack) - last;
}
