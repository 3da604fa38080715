// What may be done: the legal moves of the seat to act, in the order of the rule book, as `engine/state_transitions.py` lists them.

import {
  ATTACK,
  addMove,
  BEAT,
  clearMoveList,
  encodeAttackSeveral,
  encodeMove,
  getMoveCount,
  MAX_ATTACK_CARDS,
  PASS,
  SHOW,
  SWAP,
  TAKE,
  THROW,
  TRANSFER,
} from "./move_encoding";
import { DECLARES, SEVERAL, SHOWS, SWAPS, TRANSFER_FROM, TRANSFERS } from "./rules_image";
import {
  attackLimit,
  beaterMask,
  effectiveFace,
  nextOpponent,
  playableBeaterMask,
  playedCode,
  playedCodeCount,
  ruleNumber,
} from "./rules_tables";
import {
  attackCode,
  beatCode,
  facesShownBy,
  hand,
  handSecondCopies,
  handSize,
  NO_SUIT,
  PHASE_DEFEND,
  PHASE_OPEN,
  PHASE_THROW_IN,
  state,
  swapCount,
} from "./state";

/** List the legal moves; how many there are. None when the game is over. */
export function legalMoves(): i32 {
  clearMoveList();
  if (state.phase === PHASE_OPEN) listOpeningMoves();
  else if (state.phase === PHASE_THROW_IN) listThrowMoves();
  else if (state.phase === PHASE_DEFEND) listDefenseMoves();
  return getMoveCount();
}

/** A move of that kind with each card of these faces, in each way in which it may be played. */
function listMovesWithFaces(kind: i32, faces: u64): void {
  if (!ruleNumber(DECLARES)) {
    for (let left = faces; left; left &= left - 1) addMove(encodeMove(kind, <i32>ctz(left), <i32>ctz(left)));
    return;
  }
  for (let left = faces; left; left &= left - 1) {
    const face = <i32>ctz(left);
    for (let i = 0; i < playedCodeCount(face); i++) addMove(encodeMove(kind, playedCode(face, i), effectiveFace(playedCode(face, i))));
  }
}

function listOpeningMoves(): void {
  const seat = state.attacker;
  listMovesWithFaces(ATTACK, hand(seat));
  if (ruleNumber(SEVERAL) && state.limit > 1) listAttackSeveralMoves(seat);
  if (ruleNumber(SWAPS) && canSwap(seat)) listSwapMoves(seat);
}

function listThrowMoves(): void {
  listMovesWithFaces(THROW, hand(state.actor) & state.ranks);
  addMove(encodeMove(PASS, 0));
}

function listDefenseMoves(): void {
  const defenderHand = hand(state.defender);
  let listedTargets: u64 = 0;
  for (let i = 0; i < state.laid; i++) {
    if (beatCode(i) >= 0) continue;
    const target = effectiveFace(attackCode(i));
    if ((listedTargets >> target) & 1) continue;
    listedTargets |= (<u64>1) << target;
    listBeatMoves(target, defenderHand & playableBeaterMask(state.suit, target));
    if (state.unbeaten === 1) break;
  }
  if (canTransfer()) listTransferMoves(defenderHand);
  addMove(encodeMove(TAKE, 0));
}

/** The answers to a face with these cards. */
function listBeatMoves(target: i32, faces: u64): void {
  if (!ruleNumber(DECLARES)) {
    for (let left = faces; left; left &= left - 1) addMove(encodeMove(BEAT, <i32>ctz(left), target));
    return;
  }
  const beaters = beaterMask(state.suit, target);
  for (let left = faces; left; left &= left - 1) {
    const face = <i32>ctz(left);
    for (let i = 0; i < playedCodeCount(face); i++) {
      const code = playedCode(face, i);
      if ((beaters >> effectiveFace(code)) & 1) addMove(encodeMove(BEAT, code, target));
    }
  }
}

// Transfers

/** Whether the attack may be passed on at all, whatever the defender holds. */
export function canTransfer(): bool {
  return ruleNumber(TRANSFERS) !== 0 && state.unbeaten === state.laid && state.bout >= ruleNumber(TRANSFER_FROM);
}

/** The seat to which the attack would be transferred. */
export function findNextDefender(): i32 {
  return nextOpponent(state.began, state.defender);
}

/** How many attacking cards may be transferred to it. */
export function maxTransferableAttacks(): i32 {
  const boutLimit = attackLimit(state.bout);
  const cardCount = handSize(findNextDefender());
  return boutLimit < cardCount ? boutLimit : cardCount;
}

/** The faces with which the defender may transfer, and those that it may show instead. */
export function transferableFaces(defenderHand: u64): u64 {
  const matchingFaces = defenderHand & state.ranks;
  if (!matchingFaces || maxTransferableAttacks() - state.laid <= 0) return 0;
  return state.shown ? matchingFaces & ~facesShownBy(state.defender) : matchingFaces;
}

export function showableTrumps(defenderHand: u64): u64 {
  const matchingFaces = defenderHand & state.ranks;
  if (!ruleNumber(SHOWS) || state.suit === NO_SUIT || !matchingFaces || maxTransferableAttacks() - state.laid < 0) return 0;
  return matchingFaces & ~facesShownBy(state.defender) & ((<u64>0x1fff) << (13 * state.suit));
}

function listTransferMoves(defenderHand: u64): void {
  listMovesWithFaces(TRANSFER, transferableFaces(defenderHand));
  for (let left = showableTrumps(defenderHand); left; left &= left - 1) addMove(encodeMove(SHOW, <i32>ctz(left), <i32>ctz(left)));
}

// Several cards at once

// Of each card of the group: its face, at which place of its codes it is played, and as which code
const GROUP_FACES: usize = memory.data(MAX_ATTACK_CARDS, 8);
const GROUP_CODE_INDICES: usize = memory.data(MAX_ATTACK_CARDS, 8);
const GROUP_CODES: usize = memory.data(2 * MAX_ATTACK_CARDS, 8);

function groupFace(index: i32): i32 {
  return load<u8>(GROUP_FACES + <usize>index);
}

function setGroupFace(index: i32, face: i32): void {
  store<u8>(GROUP_FACES + <usize>index, <u8>face);
}

/** Every way to open with two or more cards of a rank: by number of cards, then card order, then the suits in which they are played. */
function listAttackSeveralMoves(seat: i32): void {
  const attackerHand = hand(seat);
  const maxSize = state.limit < MAX_ATTACK_CARDS ? state.limit : MAX_ATTACK_CARDS;
  for (let size = 2; size <= maxSize; size++) {
    const oldMoveCount = getMoveCount();
    for (let left = attackerHand; left; left &= left - 1) {
      const face = <i32>ctz(left);
      setGroupFace(0, face);
      extendGroup(seat, 1, size, attackerHand & facesOfSameRank(face));
    }
    if (getMoveCount() === oldMoveCount) return;
  }
}

/** All faces of the rank of a face. */
function facesOfSameRank(face: i32): u64 {
  return face < 52 ? ((<u64>0x8004002001) << (face % 13)) & 0xfffffffffffff : (<u64>3) << 52;
}

/** Lay more faces of the rank beside the first ones, none before the last of these. */
function extendGroup(seat: i32, count: i32, size: i32, rankFaces: u64): void {
  if (count === size) {
    chooseGroupSuits(0, size);
    return;
  }
  const last = groupFace(count - 1);
  const canRepeatFace = (handSecondCopies(seat) >> last) & 1 && (count < 2 || groupFace(count - 2) !== last);
  let left = (rankFaces >> last) << last;
  if (!canRepeatFace) left &= left - 1;
  for (; left; left &= left - 1) {
    setGroupFace(count, <i32>ctz(left));
    extendGroup(seat, count + 1, size, rankFaces);
  }
}

/** List the group once for each way to choose suits; of two copies the second comes in no earlier suit. */
function chooseGroupSuits(count: i32, size: i32): void {
  if (count === size) {
    addMove(encodeAttackSeveral(GROUP_CODES, size));
    return;
  }
  const face = groupFace(count);
  const first = count && groupFace(count - 1) === face ? <i32>load<u8>(GROUP_CODE_INDICES + <usize>(count - 1)) : 0;
  for (let i = first; i < playedCodeCount(face); i++) {
    store<u8>(GROUP_CODE_INDICES + <usize>count, <u8>i);
    store<u16>(GROUP_CODES + ((<usize>count) << 1), <u16>playedCode(face, i));
    chooseGroupSuits(count + 1, size);
  }
}

// Swaps

/** How many cards of the talon lie face down, without a hidden trump. */
export function countFaceDownTalon(): i32 {
  return state.end - state.drawn - (state.faceUp >= 0 ? 1 : 0) - (state.hidden >= 0 ? 1 : 0);
}

/** Whether the attacker may exchange two cards with the talon now. */
export function canSwap(seat: i32): bool {
  return swapCount(seat) < ruleNumber(SWAPS) && !state.swappedNow && countFaceDownTalon() >= 2 && handSize(seat) >= 2;
}

function listSwapMoves(seat: i32): void {
  for (let left = hand(seat); left; left &= left - 1) {
    const face = <i32>ctz(left);
    if ((handSecondCopies(seat) >> face) & 1) addMove(encodeMove(SWAP, face, face));
    for (let others = left & (left - 1); others; others &= others - 1) addMove(encodeMove(SWAP, <i32>ctz(others), face));
  }
}
