// What a policy plays: the first legal move, any by chance, or what the careful bot of `bots/heuristic_bots.py` would play.

import { canTransfer, legalMoves, showableTrumps, transferableFaces } from "./legal_moves";
import {
  ATTACK,
  ATTACK_SEVERAL,
  BEAT,
  cardCodeOf,
  cardCountOf,
  codeOf,
  encodeMove,
  kindOf,
  moveAt,
  PASS,
  SHOW,
  SWAP,
  TAKE,
  THROW,
  TRANSFER,
  targetOf,
} from "./move_encoding";
import { play } from "./move_transitions";
import { playRandomMove } from "./random_move";
import { CLASSES, DEAR, DECLARES, SEVERAL, SWAPS } from "./rules_image";
import {
  beaterMask,
  cardFace,
  effectiveFace,
  plainFaces,
  playableBeaterMask,
  playedCode,
  playedCodeCount,
  price,
  priceClass,
  ruleNumber,
} from "./rules_tables";
import { attackCode, beatCode, hand, handSecondCopies, NO_SUIT, PHASE_OPEN, PHASE_OVER, PHASE_THROW_IN, state } from "./state";

export const RANDOM: i32 = 0;
export const FIRST: i32 = 1;
export const CAREFUL: i32 = 2;
/** The twos of the four suits: shifted, any other rank. */
const TWOS_MASK: u64 = 0x8004002001;

/** Play on until the game is over, for so many moves at most; three bits for each seat say its policy. How many were made. */
export function playMoves(policies: i32, maxMoves: i32): i32 {
  const began = state.ply;
  while (state.phase !== PHASE_OVER && state.ply - began < maxMoves) playPolicyMove(policies);
  return state.ply - began;
}

/** One move by the policy of the seat to act. */
export function playPolicyMove(policies: i32): void {
  const policy = (policies >> (3 * state.actor)) & 7;
  if (policy === RANDOM) playRandomMove();
  else play(policy === CAREFUL ? careful() : firstLegalMove());
}

function firstLegalMove(): u64 {
  legalMoves();
  return moveAt(0);
}

/** The cheapest card that will do. */
export function careful(): u64 {
  if (state.phase === PHASE_OPEN) return chooseOpening();
  return state.phase === PHASE_THROW_IN ? chooseThrow() : chooseDefense();
}

function findCheapestFace(faces: u64): i32 {
  const plain = faces & plainFaces(state.suit);
  if (plain) {
    const ranks = (plain | (plain >> 13) | (plain >> 26) | (plain >> 39)) & 0x1fff;
    return <i32>ctz(plain & (TWOS_MASK << ctz(ranks)));
  }
  let i = 0;
  let cheapestFaces: u64 = 0;
  for (; !cheapestFaces && i < CLASSES; i++) cheapestFaces = faces & priceClass(state.suit, i);
  return <i32>ctz(cheapestFaces);
}

function chooseOpening(): u64 {
  if (!ruleNumber(DECLARES) && !ruleNumber(SEVERAL) && !ruleNumber(SWAPS)) {
    const face = findCheapestFace(hand(state.attacker));
    return encodeMove(ATTACK, face, face);
  }
  return chooseFromList();
}

function chooseThrow(): u64 {
  if (ruleNumber(DECLARES)) return chooseFromList();
  const face = findCheapestFace(hand(state.actor) & state.ranks);
  if (state.drawn < state.end && price(state.suit, face) >= ruleNumber(DEAR)) return encodeMove(PASS, 0);
  return encodeMove(THROW, face, face);
}

/** The same where a card may be played in a chosen suit, several at once, or swapped: of all moves the best, the earlier of equal ones. */
function chooseFromList(): u64 {
  const moveCount = legalMoves();
  let best = moveAt(moveCount - 1);
  let lowestCost: i32 = i32.MAX_VALUE;
  for (let i = 0; i < moveCount; i++) {
    const move = moveAt(i);
    const cost = kindOf(move) === SWAP ? swapCost(move) : kindOf(move) === PASS ? i32.MAX_VALUE : attackCost(move);
    if (cost < lowestCost) {
      lowestCost = cost;
      best = move;
    }
  }
  const isTooExpensive = state.phase === PHASE_THROW_IN && state.drawn < state.end && lowestCost >> 10 >= ruleNumber(DEAR);
  return isTooExpensive ? encodeMove(PASS, 0) : best;
}

/** Swaps of plain cards come before all else, the cheapest first. */
function swapCost(move: u64): i32 {
  const firstPrice = price(state.suit, targetOf(move));
  const secondPrice = price(state.suit, codeOf(move));
  return firstPrice < ruleNumber(DEAR) && secondPrice < ruleNumber(DEAR) ? firstPrice + secondPrice - i32.MAX_VALUE : i32.MAX_VALUE;
}

/** By the dearest card, then with as many cards as can be, then with as few as can be that do not count as trumps. */
function attackCost(move: u64): i32 {
  const cardCount = kindOf(move) === ATTACK_SEVERAL ? cardCountOf(move) : 1;
  let highestPrice = 0;
  let nonTrumpCount = 0;
  for (let i = 0; i < cardCount; i++) {
    const code = cardCount === 1 ? codeOf(move) : cardCodeOf(move, i);
    const cost = price(state.suit, cardFace(code));
    if (cost > highestPrice) highestPrice = cost;
    if (effectiveSuit(code) !== state.suit) nonTrumpCount++;
  }
  return (highestPrice << 10) | ((31 - cardCount) << 5) | nonTrumpCount;
}

/** The suit in which a card counts; none for a joker. */
function effectiveSuit(code: i32): i32 {
  const face = effectiveFace(code);
  return face < 52 ? face / 13 : NO_SUIT;
}

/** The faces that are to be beaten. */
const UNBEATEN_FACES: usize = memory.data(112, 8);

function unbeatenFace(index: i32): i32 {
  return load<u8>(UNBEATEN_FACES + <usize>index);
}

/** Of transferring, showing and beating all that lies there, what costs least; else it takes. */
function chooseDefense(): u64 {
  const defenderHand = hand(state.defender);
  let best = encodeMove(TAKE, 0);
  let lowestCost: i32 = i32.MAX_VALUE;
  if (canTransfer()) {
    const transferFaces = transferableFaces(defenderHand);
    if (transferFaces) {
      const face = findCheapestFace(transferFaces);
      best = encodeMove(TRANSFER, playedCode(face, 0), effectiveFace(playedCode(face, 0)));
      lowestCost = price(state.suit, face);
    }
    const showFaces = showableTrumps(defenderHand);
    if (showFaces && lowestCost) {
      best = encodeMove(SHOW, <i32>ctz(showFaces), <i32>ctz(showFaces));
      lowestCost = 0;
    }
  }
  let unbeatenCount = 0;
  for (let i = 0; i < state.laid; i++) {
    if (beatCode(i) >= 0) continue;
    store<u8>(UNBEATEN_FACES + <usize>unbeatenCount, <u8>effectiveFace(attackCode(i)));
    unbeatenCount++;
  }
  let remainingHand = defenderHand;
  let remainingSecondCopies = handSecondCopies(state.defender);
  let cost = 0;
  let firstBeat: u64 = 0;
  while (unbeatenCount) {
    let hardestIndex = 0;
    let fewestBeaters = 99;
    for (let i = 0; i < unbeatenCount; i++) {
      const beaterCount = <i32>popcnt(remainingHand & playableBeaterMask(state.suit, unbeatenFace(i)));
      if (beaterCount < fewestBeaters) {
        fewestBeaters = beaterCount;
        hardestIndex = i;
      }
    }
    if (!fewestBeaters) return best;
    const target = unbeatenFace(hardestIndex);
    const face = findCheapestFace(remainingHand & playableBeaterMask(state.suit, target));
    cost += price(state.suit, face);
    if (cost >= lowestCost) return best;
    if (!firstBeat) firstBeat = encodeMove(BEAT, findBeatingCode(face, target), target);
    const bit: u64 = (<u64>1) << face;
    if (remainingSecondCopies & bit) remainingSecondCopies ^= bit;
    else remainingHand ^= bit;
    unbeatenCount--;
    for (; hardestIndex < unbeatenCount; hardestIndex++)
      store<u8>(UNBEATEN_FACES + <usize>hardestIndex, <u8>unbeatenFace(hardestIndex + 1));
  }
  return firstBeat;
}

/** The first code of a face that beats that. */
function findBeatingCode(face: i32, target: i32): i32 {
  if (!ruleNumber(DECLARES)) return face;
  const beaters = beaterMask(state.suit, target);
  for (let i = 0; i < playedCodeCount(face); i++) if ((beaters >> effectiveFace(playedCode(face, i))) & 1) return playedCode(face, i);
  return face;
}
