// What may be done: the legal moves of the seat to act, in the order of the rule book, as `engine/state_transitions.py` lists them.
import { DECLARES, SEVERAL, SHOWS, SWAPS, TRANSFER_FROM, TRANSFERS } from "./image";
import { ATTACK, BEAT, list, listed, MOST_CARDS, moveOf, PASS, SHOW, SWAP, several, startList, TAKE, THROW, TRANSFER } from "./moves";
import { ADD, attack, beat, DEFEND, hand, held, NO_SUIT, OPEN, shownBy, state, swapped, twice } from "./state";
import { beaters, counts, mostOf, opponent, playedAs, playsOf, reach, says } from "./tables";

/** List the legal moves; how many there are. None when the game is over. */
export function legalMoves(): i32 {
  startList();
  if (state.phase === OPEN) mayOpen();
  else if (state.phase === ADD) mayAdd();
  else if (state.phase === DEFEND) mayDefend();
  return listed();
}

/** A move of that kind with each card of these faces, in each way in which it may be played. */
function withEach(kind: i32, faces: u64): void {
  if (!says(DECLARES)) {
    for (let left = faces; left; left &= left - 1) list(moveOf(kind, <i32>ctz(left), <i32>ctz(left)));
    return;
  }
  for (let left = faces; left; left &= left - 1) {
    const face = <i32>ctz(left);
    for (let i = 0; i < playsOf(face); i++) list(moveOf(kind, playedAs(face, i), counts(playedAs(face, i))));
  }
}

function mayOpen(): void {
  const seat = state.attacker;
  withEach(ATTACK, hand(seat));
  if (says(SEVERAL) && state.limit > 1) groups(seat);
  if (says(SWAPS) && maySwap(seat)) swaps(seat);
}

function mayAdd(): void {
  withEach(THROW, hand(state.actor) & state.ranks);
  list(moveOf(PASS, 0));
}

function mayDefend(): void {
  const own = hand(state.defender);
  let done: u64 = 0;
  for (let i = 0; i < state.laid; i++) {
    if (beat(i) >= 0) continue;
    const target = counts(attack(i));
    if ((done >> target) & 1) continue;
    done |= (<u64>1) << target;
    beating(target, own & reach(state.suit, target));
    if (state.unbeaten === 1) break;
  }
  if (mayPassOn()) passingOn(own);
  list(moveOf(TAKE, 0));
}

/** The answers to a face with these cards. */
function beating(target: i32, faces: u64): void {
  if (!says(DECLARES)) {
    for (let left = faces; left; left &= left - 1) list(moveOf(BEAT, <i32>ctz(left), target));
    return;
  }
  const mask = beaters(state.suit, target);
  for (let left = faces; left; left &= left - 1) {
    const face = <i32>ctz(left);
    for (let i = 0; i < playsOf(face); i++) {
      const code = playedAs(face, i);
      if ((mask >> counts(code)) & 1) list(moveOf(BEAT, code, target));
    }
  }
}

// Transfers

/** Whether the attack may be passed on at all, whatever the defender holds. */
export function mayPassOn(): bool {
  return says(TRANSFERS) !== 0 && state.unbeaten === state.laid && state.bout >= says(TRANSFER_FROM);
}

/** The seat to which the attack would be transferred. */
export function nextDefender(): i32 {
  return opponent(state.began, state.defender);
}

/** How many attacking cards may be transferred to it. */
export function mostForNext(): i32 {
  const most = mostOf(state.bout);
  const has = held(nextDefender());
  return most < has ? most : has;
}

/** The faces with which the defender may transfer, and those that it may show instead. */
export function transferable(own: u64): u64 {
  const fit = own & state.ranks;
  if (!fit || mostForNext() - state.laid <= 0) return 0;
  return state.shown ? fit & ~shownBy(state.defender) : fit;
}

export function showable(own: u64): u64 {
  const fit = own & state.ranks;
  if (!says(SHOWS) || state.suit === NO_SUIT || !fit || mostForNext() - state.laid < 0) return 0;
  return fit & ~shownBy(state.defender) & ((<u64>0x1fff) << (13 * state.suit));
}

function passingOn(own: u64): void {
  withEach(TRANSFER, transferable(own));
  for (let left = showable(own); left; left &= left - 1) list(moveOf(SHOW, <i32>ctz(left), <i32>ctz(left)));
}

// Several cards at once

// Of each card of the group: its face, at which place of its codes it is played, and as which code
const FACE: usize = memory.data(MOST_CARDS, 8);
const PLACE: usize = memory.data(MOST_CARDS, 8);
const CODE: usize = memory.data(2 * MOST_CARDS, 8);

function faceAt(place: i32): i32 {
  return load<u8>(FACE + <usize>place);
}

function takeFace(place: i32, face: i32): void {
  store<u8>(FACE + <usize>place, <u8>face);
}

/** Every way to open with two or more cards of a rank: by number of cards, then card order, then the suits in which they are played. */
function groups(seat: i32): void {
  const own = hand(seat);
  const most = state.limit < MOST_CARDS ? state.limit : MOST_CARDS;
  for (let size = 2; size <= most; size++) {
    const before = listed();
    for (let left = own; left; left &= left - 1) {
      const face = <i32>ctz(left);
      takeFace(0, face);
      group(seat, 1, size, own & ofRank(face));
    }
    if (listed() === before) return;
  }
}

/** All faces of the rank of a face. */
function ofRank(face: i32): u64 {
  return face < 52 ? ((<u64>0x8004002001) << (face % 13)) & 0xfffffffffffff : (<u64>3) << 52;
}

/** Lay more faces of the rank beside the first ones, none before the last of these. */
function group(seat: i32, count: i32, size: i32, rank: u64): void {
  if (count === size) {
    chosen(0, size);
    return;
  }
  const last = faceAt(count - 1);
  const again = (twice(seat) >> last) & 1 && (count < 2 || faceAt(count - 2) !== last);
  let left = (rank >> last) << last;
  if (!again) left &= left - 1;
  for (; left; left &= left - 1) {
    takeFace(count, <i32>ctz(left));
    group(seat, count + 1, size, rank);
  }
}

/** List the group once for each way to choose suits; of two copies the second comes in no earlier suit. */
function chosen(count: i32, size: i32): void {
  if (count === size) {
    list(several(CODE, size));
    return;
  }
  const face = faceAt(count);
  const first = count && faceAt(count - 1) === face ? <i32>load<u8>(PLACE + <usize>(count - 1)) : 0;
  for (let i = first; i < playsOf(face); i++) {
    store<u8>(PLACE + <usize>count, <u8>i);
    store<u16>(CODE + ((<usize>count) << 1), <u16>playedAs(face, i));
    chosen(count + 1, size);
  }
}

// Swaps

/** How many cards of the talon lie face down, without a hidden trump. */
export function faceDown(): i32 {
  return state.end - state.drawn - (state.faceUp >= 0 ? 1 : 0) - (state.hidden >= 0 ? 1 : 0);
}

/** Whether the attacker may exchange two cards with the talon now. */
export function maySwap(seat: i32): bool {
  return swapped(seat) < says(SWAPS) && !state.swappedNow && faceDown() >= 2 && held(seat) >= 2;
}

function swaps(seat: i32): void {
  for (let left = hand(seat); left; left &= left - 1) {
    const one = <i32>ctz(left);
    if ((twice(seat) >> one) & 1) list(moveOf(SWAP, one, one));
    for (let rest = left & (left - 1); rest; rest &= rest - 1) list(moveOf(SWAP, <i32>ctz(rest), one));
  }
}
