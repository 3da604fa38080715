// A whole deal with open cards: two hands and the order of the talon are known to both, so who wins? As in `analysis/double_dummy_solver.py`.
//
// Cards are bits, cheap ones lowest. No position comes again: each bout takes cards out of play or out of the
// talon, or leaves the attacker with fewer. What is known is remembered by the whole position, so that no two are ever taken for one.

import { nextCardToTry } from "./endgame_rules";
import { DOUBLE_DUMMY_OWNER, reserveMemory } from "./shared_memory";

/** What is asked: numbers of four bytes, which `analysis/double_dummy_solver.py` writes. */
export const OPENED: usize = memory.data(48, 8);
/** For each card those that beat it, and those of its rank; for each number of drawn cards, all of them: eight bytes each. */
export const BETTER: usize = memory.data(512, 8);
export const OF_RANK: usize = memory.data(512, 8);
export const TOP_OF_TALON: usize = memory.data(512, 8);

// Where in it stands how many cards the talon has, how many attacking cards there may be, to how many a hand is refilled, whether cards are thrown in
// after a take, whether who plays the last card is out at once, whether cards can be laid in a row in which each is beaten by later ones alone,
// whether cards are thrown in, whether the attacker draws first (after a bout that was beaten, and after one that was taken), and whether it wins if both
// go out together; and whether the end of a bout is tried before throwing in
const TALON_SIZE: usize = OPENED;
const MOST: usize = OPENED + 4;
const HAND_SIZE: usize = OPENED + 8;
const AFTER_TAKE: usize = OPENED + 12;
const AT_ONCE: usize = OPENED + 16;
const IS_BEATING_ORDERED: usize = OPENED + 20;
const CAN_THROW_IN: usize = OPENED + 24;
const ATTACKER_DRAWS_FIRST: usize = OPENED + 28;
const ATTACKER_WINS_IF_BOTH_OUT: usize = OPENED + 36;
const TRIES_END_FIRST: usize = OPENED + 40;

/** By how many places an answer counts as dearer that leaves something to throw in. */
const ANSWER_RANK_PENALTY: i32 = 8;

/** What is known, sixteen bytes a start of a bout: one hand; the other, how many cards are drawn, and the answer. It lies behind all else. */
let resultTable: usize = 0;
let slotCount: u64 = 0;
let clearedBytes: usize = 0;
/** So many bytes are cleared in one step, which takes some milliseconds. */
const CLEAR_SLICE_SIZE: usize = 8 << 20;

let searchedCount: u64 = 0;
let maxPositions: u64 = 0;
let pauseAt: u64 = 0;
let interrupted: bool = false;

function readRule(rule: usize): i32 {
  return load<i32>(rule);
}

/** How many starts of bouts are known. */
export function storedPositions(): u64 {
  return searchedCount;
}

/** Forget what is known, and make room for two to the power of that; whether there is so much memory. It has to be cleared yet. */
export function roomFor(tableBits: i32): bool {
  const address = reserveMemory(DOUBLE_DUMMY_OWNER, (<usize>16) << tableBits);
  if (!address) return false;
  resultTable = address;
  slotCount = (<u64>1) << tableBits;
  clearedBytes = 0;
  searchedCount = 0;
  return true;
}

/** Clear some more of the room; whether all of it is clear. */
export function clearRoom(): bool {
  const size: usize = (<usize>slotCount) << 4;
  const chunkSize = min(CLEAR_SLICE_SIZE, size - clearedBytes);
  memory.fill(resultTable + clearedBytes, 0, chunkSize);
  clearedBytes += chunkSize;
  return clearedBytes === size;
}

export const LOST: i32 = 0;
export const REACHED: i32 = 1;
/** More starts of bouts would have to be known than may be, or than there is room for; or it is only time for a pause: asked again it goes on. */
export const TOO_MUCH: i32 = 2;
export const PAUSE: i32 = 3;

/** Whether the attacker reaches that worth (1: it wins; 0: it does not lose) with these hands, where so many starts of bouts may be known, and so many more now. */
export function canReach(attack: u64, defend: u64, room: i32, target: i32, budget: u64, sliceSize: u64): i32 {
  maxPositions = budget;
  pauseAt = searchedCount + sliceSize;
  interrupted = false;
  const reached = searchAttack(attack, defend, 0, target, room);
  return interrupted
    ? searchedCount >= maxPositions || searchedCount >= slotCount - (slotCount >> 3)
      ? TOO_MUCH
      : PAUSE
    : reached
      ? REACHED
      : LOST;
}

function searchStart(attack: u64, defend: u64, talon: i32, target: i32): bool {
  const packedDefender = defend | ((<u64>talon) << 48) | ((<u64>target) << 54) | ((<u64>1) << 55);
  const hash = (attack * 0x9e3779b97f4a7c15) ^ (packedDefender * 0xc2b2ae3d27d4eb4f);
  let slot = findSlot(attack, packedDefender, hash ^ (hash >> 29));
  const stored = load<u64>(slot, 8);
  if (stored) return stored >> 56 !== 0;
  if (interrupted || searchedCount >= maxPositions || searchedCount >= pauseAt || searchedCount >= slotCount - (slotCount >> 3)) {
    interrupted = true;
    return false;
  }
  const defenderCount = <i32>popcnt(defend);
  const reached = searchAttack(attack, defend, talon, target, defenderCount < readRule(MOST) ? defenderCount : readRule(MOST));
  if (!interrupted) {
    slot = findSlot(attack, packedDefender, hash ^ (hash >> 29));
    store<u64>(slot, attack);
    store<u64>(slot, packedDefender | ((<u64>(reached ? 1 : 0)) << 56), 8);
    searchedCount++;
  }
  return reached;
}

/** Where a position is remembered, or would be: the first place, from the one that its numbers lead to, where it stands or nothing does. */
function findSlot(attack: u64, packedDefender: u64, hash: u64): usize {
  let index = hash & (slotCount - 1);
  while (true) {
    const slot = resultTable + ((<usize>index) << 4);
    const stored = load<u64>(slot, 8);
    if (!stored || (load<u64>(slot) === attack && (stored & ~((<u64>1) << 56)) === packedDefender)) return slot;
    index = (index + 1) & (slotCount - 1);
  }
}

function beatersOf(card: u64): u64 {
  return load<u64>(BETTER + ((<usize>ctz(card)) << 3));
}

function cardsOfSameRank(card: u64): u64 {
  return load<u64>(OF_RANK + ((<usize>ctz(card)) << 3));
}

function searchAttack(attack: u64, defend: u64, talon: i32, target: i32, room: i32): bool {
  if (readRule(IS_BEATING_ORDERED) && talon === readRule(TALON_SIZE) && isAtMostOneBeatable(attack, defend)) return true;
  const roomAfter = readRule(CAN_THROW_IN) ? room - 1 : 0;
  for (let left = attack; left; left &= left - 1) {
    const card = left & (0 - left);
    if (
      searchUnbeatenCard(attack ^ card, defend, talon, cardsOfSameRank(card), roomAfter, beatersOf(card) & defend, attack | defend, target)
    )
      return true;
    if (interrupted) return false;
  }
  return false;
}

/** Whether all cards of a hand but one cannot be beaten: whatever is taken makes no other beatable, and the last goes out. */
function isAtMostOneBeatable(attack: u64, defend: u64): bool {
  let beatableCount = 0;
  for (let left = attack; left && beatableCount < 2; left &= left - 1) if (beatersOf(left & (0 - left)) & defend) beatableCount++;
  return !beatableCount || (beatableCount === 1 && (attack & (attack - 1)) !== 0);
}

/** A card waits to be beaten. */
function searchUnbeatenCard(attack: u64, defend: u64, talon: i32, rank: u64, room: i32, options: u64, allCards: u64, target: i32): bool {
  if (!attack && readRule(AT_ONCE) && talon === readRule(TALON_SIZE)) return true;
  for (let left = options, card: u64 = 0; left; left ^= card) {
    card = nextCardToTry(left, attack, ANSWER_RANK_PENALTY, OF_RANK);
    if (!searchAllBeaten(attack, defend ^ card, talon, rank | cardsOfSameRank(card), room, allCards, target)) return false;
    if (interrupted) return false;
  }
  return searchTake(attack, talon, rank, readRule(AFTER_TAKE) ? room : 0, allCards, target);
}

/** Everything is beaten: the bout ends, or the attacker throws in; which of the two is tried first, is said. */
function searchAllBeaten(attack: u64, defend: u64, talon: i32, rank: u64, room: i32, allCards: u64, target: i32): bool {
  if (!defend && readRule(AT_ONCE) && talon === readRule(TALON_SIZE)) return false;
  const triesEndFirst = readRule(TRIES_END_FIRST) !== 0; // broken off in there, it says true: whoever asked looks at that first
  if (triesEndFirst && searchBoutEnd(attack, defend, talon, target)) return true;
  for (let left = room ? attack & rank : 0; left; left &= left - 1) {
    const card = left & (0 - left);
    if (searchUnbeatenCard(attack ^ card, defend, talon, rank, room - 1, beatersOf(card) & defend, allCards, target)) return true;
    if (interrupted) return false;
  }
  return !triesEndFirst && searchBoutEnd(attack, defend, talon, target);
}

/** The bout is beaten: both draw, and the defender opens the next. */
function searchBoutEnd(attack: u64, defend: u64, talon: i32, target: i32): bool {
  const attackerFirst = readRule(ATTACKER_DRAWS_FIRST) !== 0;
  const drawnAfterFirst = drawnAfter(attackerFirst ? attack : defend, talon);
  const drawnAfterBoth = drawnAfter(attackerFirst ? defend : attack, drawnAfterFirst);
  const firstDraw = talonCards(talon, drawnAfterFirst);
  const secondDraw = talonCards(drawnAfterFirst, drawnAfterBoth);
  const attackerHand = attack | (attackerFirst ? firstDraw : secondDraw);
  const defenderHand = defend | (attackerFirst ? secondDraw : firstDraw);
  if (!attackerHand) return defenderHand !== 0 || readRule(ATTACKER_WINS_IF_BOTH_OUT) !== 0 || !target;
  return defenderHand !== 0 && !searchStart(defenderHand, attackerHand, drawnAfterBoth, 1 - target);
}

/** The defender takes: the attacker adds what it likes, both draw, and it attacks again. */
function searchTake(attack: u64, talon: i32, rank: u64, room: i32, allCards: u64, target: i32): bool {
  const fitting = room ? attack & rank : 0;
  const attackerFirst = readRule(ATTACKER_DRAWS_FIRST + 4) !== 0;
  let added = fitting;
  while (true) {
    if (<i32>popcnt(added) <= room) {
      const left = attack ^ added;
      const takerHand = allCards ^ left;
      const drawnAfterFirst = drawnAfter(attackerFirst ? left : takerHand, talon);
      const drawnAfterBoth = drawnAfter(attackerFirst ? takerHand : left, drawnAfterFirst);
      const firstDraw = talonCards(talon, drawnAfterFirst);
      const secondDraw = talonCards(drawnAfterFirst, drawnAfterBoth);
      const attackerHand = left | (attackerFirst ? firstDraw : secondDraw);
      if (!attackerHand || searchStart(attackerHand, takerHand | (attackerFirst ? secondDraw : firstDraw), drawnAfterBoth, target))
        return true;
      if (interrupted) return false;
    }
    if (!added) return false;
    added = (added - 1) & fitting;
  }
}

/** How much of the talon is drawn once a hand has been refilled. */
function drawnAfter(hand: u64, talon: i32): i32 {
  const need = readRule(HAND_SIZE) - <i32>popcnt(hand);
  return need > 0 ? min(talon + need, readRule(TALON_SIZE)) : talon;
}

function talonCards(start: i32, end: i32): u64 {
  return load<u64>(TOP_OF_TALON + ((<usize>start) << 3)) ^ load<u64>(TOP_OF_TALON + ((<usize>end) << 3));
}
