// Exact endings: two hands and no talon. An ending is opened where it begins; then it is asked of any moment that it leads to who can win.

import {
  DONE,
  isDecisive,
  isTargetReached,
  positionsSearched,
  resetPositionsSearched,
  resetSearch,
  search,
  searchAllBeaten,
  searchLimitedStart,
  searchStart,
  searchTake,
  searchUnbeatenCard,
  setBudget,
} from "./acyclic_endgame_search";
import { clearResults, hasForgotten, NO_LIMIT, openSearchId } from "./acyclic_result_table";
import { findThrowers } from "./bout_transitions";
import { ENDGAME_BEATERS, endgameRules, OF_RANK } from "./endgame_rules";
import { AFTER_TAKE, AT_ONCE, FACES, FIRST_OUT } from "./rules_image";
import { attackLimit, effectiveFace, playableBeaterMask, ruleNumber, sameRankMask, seatOrderLength } from "./rules_tables";
import { attackCode, hand, NO_SUIT, PHASE_OVER, PHASE_THROW_IN, state, unbeatenIndex } from "./state";

/** Which bit each face is in the ending's own count of cards; 0 for a card that is out of play. */
const COMPACT_BITS: usize = memory.data(8 * FACES, 8);
/** Whether the side that is asked about attacks. */
let askedSideAttacks: i32 = 0;
/** How many positions had been looked at when it was asked. */
let positionsBefore: u32 = 0;

// What is told: in the two lowest bits whether it is done, and if not, why it rests; then whether the seat wins, whether anything had to be searched,
// whether it is known that there is no draw, however long it takes, and whether something was forgotten
const WON_FLAG: i32 = 4;
const SEARCHED_FLAG: i32 = 8;
const DECISIVE_FLAG: i32 = 16;
const FORGOT_FLAG: i32 = 32;

function compactMask(faces: u64): u64 {
  let cards: u64 = 0;
  for (let left = faces; left; left &= left - 1) cards |= load<u64>(COMPACT_BITS + ((<usize>ctz(left)) << 3));
  return cards;
}

/** The faces that are in play. */
function facesInPlay(): u64 {
  return hand(state.attacker) | hand(state.defender) | state.table;
}

/** Open the ending that begins in the moment that lies there, by a number that no other has had. */
export function openEndgame(searchId: i32): void {
  const allFaces = facesInPlay();
  memory.fill(COMPACT_BITS, 0, 8 * FACES);
  assignCompactBits(allFaces);
  for (let left = allFaces; left; left &= left - 1) {
    const face = <i32>ctz(left);
    const offset = (<usize>ctz(compactMask((<u64>1) << face))) << 3;
    store<u64>(ENDGAME_BEATERS + offset, compactMask(playableBeaterMask(state.suit, face)));
    store<u64>(OF_RANK + offset, compactMask(sameRankMask(face)));
  }
  clearResults(<u32>searchId);
  resetPositionsSearched();
  endgameRules.boutLimit = attackLimit(2);
  endgameRules.canThrowIn = seatOrderLength(findThrowers(state.attacker, state.defender, state.attacker, state.seatsIn));
  endgameRules.canThrowAfterTake = ruleNumber(AFTER_TAKE);
  endgameRules.goesOutAtOnce = ruleNumber(AT_ONCE);
  endgameRules.attackerWinsIfBothOut = ruleNumber(FIRST_OUT);
  endgameRules.drawn = endgameRules.goesOutAtOnce || endgameRules.attackerWinsIfBothOut ? 0 : 1;
  endgameRules.isBeatingOrdered = isBeatingOrdered(<i32>popcnt(allFaces)) ? 1 : 0;
}

/** Count the cards: plain ones before trumps, and each the lower its rank. */
function assignCompactBits(allFaces: u64): void {
  const trumps: u64 = state.suit === NO_SUIT ? 0 : (<u64>0x1fff) << (13 * state.suit);
  let nextBit: u64 = 1;
  for (let trump = 0; trump < 2; trump++) {
    let left = trump ? allFaces & trumps : allFaces & ~trumps;
    while (left) {
      const face = lowestRankFace(left);
      left ^= (<u64>1) << face;
      store<u64>(COMPACT_BITS + ((<usize>face) << 3), nextBit);
      nextBit <<= 1;
    }
  }
}

/** Of these faces one of the lowest rank; a joker only where there is nothing else. */
function lowestRankFace(faces: u64): i32 {
  for (let rank = 0; rank < 13; rank++) {
    const candidates = faces & ((<u64>0x8004002001) << rank) & 0xfffffffffffff;
    if (candidates) return <i32>ctz(candidates);
  }
  return <i32>ctz(faces);
}

/** Whether the cards can be laid in a row in which each is beaten by later ones alone. */
function isBeatingOrdered(cardCount: i32): bool {
  let left: u64 = ((<u64>1) << cardCount) - 1;
  while (left) {
    let unbeatable: u64 = 0;
    for (let index = 0; index < cardCount; index++) {
      const card = (<u64>1) << index;
      if (card & left && !(load<u64>(ENDGAME_BEATERS + ((<usize>index) << 3)) & left)) unbeatable |= card;
    }
    if (!unbeatable) return false;
    left ^= unbeatable;
  }
  return true;
}

/**
 * Ask of the moment that lies there whether a seat can force the win within so many bouts, in the ending of that number, where so many positions may be
 * looked at; and search. -1 if that ending is not open.
 */
export function askEndgame(searchId: i32, seat: i32, maxBouts: i32, budget: i32, steps: i32): i32 {
  if (<u32>searchId !== openSearchId()) return -1;
  askedSideAttacks = seat === state.attacker ? 1 : 0;
  positionsBefore = positionsSearched();
  setBudget(budget);
  startQuestion(askedSideAttacks, min(maxBouts, NO_LIMIT));
  return continueSearch(searchId, steps);
}

/** Search on for so many steps, in the ending of that number. */
export function continueSearch(searchId: i32, steps: i32): i32 {
  if (<u32>searchId !== openSearchId()) return -1;
  const status = search(steps);
  const result = status | (positionsSearched() !== positionsBefore ? SEARCHED_FLAG : 0) | (hasForgotten() ? FORGOT_FLAG : 0);
  if (status !== DONE) return result;
  const winFlag = (isTargetReached() ? 1 : 0) === askedSideAttacks ? WON_FLAG : 0;
  return result | winFlag | (isDecisive() ? DECISIVE_FLAG : 0);
}

function startQuestion(target: i32, maxBouts: i32): void {
  const attackerHand = compactMask(hand(state.attacker));
  const defenderHand = compactMask(hand(state.defender));
  const room = state.limit - state.laid;
  resetSearch(attackerHand | defenderHand | compactMask(state.table), target, maxBouts);
  if (!state.laid) {
    if (room === min(endgameRules.boutLimit, <i32>popcnt(defenderHand))) searchStart(attackerHand, defenderHand, target, maxBouts);
    else searchLimitedStart(attackerHand, defenderHand, target, maxBouts, room);
    return;
  }
  const ranks = compactMask(state.ranks);
  const throwInRoom = seatOrderLength(state.throwers) ? room : 0;
  if (state.taking) searchTake(attackerHand, ranks, throwInRoom);
  else if (state.phase === PHASE_THROW_IN) searchAllBeaten(attackerHand, defenderHand, ranks, throwInRoom);
  else
    searchUnbeatenCard(
      attackerHand,
      defenderHand,
      ranks,
      throwInRoom,
      compactMask(playableBeaterMask(state.suit, effectiveFace(attackCode(unbeatenIndex())))) & defenderHand,
    );
}

/** The number of the ending that was decided last: negative, so that none is that somebody opens. */
let internalSearchId: i32 = -1;
/** So many positions are looked at to decide one, and so many steps, which is more than they take. */
export const QUICK_SOLVE_BUDGET: i32 = 100;
const UNLIMITED_STEPS: i32 = 1 << 24;

/** Decide a game of two at the beginning of a bout without a talon, as if both played on without a mistake; how many positions that took, -1 if it is not decided by so few. */
export function solveEndgame(): i32 {
  const attacker = state.attacker;
  const defender = state.defender;
  openEndgame(internalSearchId);
  const attackerResult = askEndgame(internalSearchId, attacker, NO_LIMIT, QUICK_SOLVE_BUDGET, UNLIMITED_STEPS);
  if ((attackerResult & 3) !== DONE) return -1;
  const defenderResult =
    attackerResult & (WON_FLAG | DECISIVE_FLAG) ? 0 : askEndgame(internalSearchId, defender, NO_LIMIT, QUICK_SOLVE_BUDGET, UNLIMITED_STEPS);
  if (!(attackerResult & (WON_FLAG | DECISIVE_FLAG)) && (defenderResult & 3) !== DONE) return -1;
  internalSearchId--;
  const winner = attackerResult & WON_FLAG ? attacker : attackerResult & DECISIVE_FLAG || defenderResult & WON_FLAG ? defender : -1;
  state.winners = winner < 0 ? 0 : 1 << winner;
  state.losers = winner < 0 ? 0 : 1 << (attacker ^ defender ^ winner);
  state.phase = PHASE_OVER;
  return <i32>positionsSearched();
}
