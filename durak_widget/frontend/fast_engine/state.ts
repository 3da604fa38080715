// One moment of a game, as numbers and masks: the same as `engine/state.py`, with the same names, for whoever searches.
//
// Two cards of a face look alike, so a set of cards is two masks of faces: those of which there is one at least, and those of which there are two.
import { NOBODY } from "./rules_image";
import { hasTwoDecks, playerCount } from "./rules_tables";

export const PHASE_OPEN: i32 = 0;
export const PHASE_THROW_IN: i32 = 1;
export const PHASE_DEFEND: i32 = 2;
export const PHASE_OVER: i32 = 3;
/** The trump suit where there is none. */
export const NO_SUIT: i32 = 4;

/** The numbers and masks of a moment; its lists lie behind them. */
@unmanaged
export class State {
  /** All faces whose rank lies on the table. */
  ranks: u64;
  table: u64;
  tableTwice: u64;
  discard: u64;
  discardTwice: u64;
  suit: i32;
  /** Where in the talon the card lies that lies face up, and the one hidden under it; -1 for none. */
  faceUp: i32;
  hidden: i32;
  /** The talon: from the next card to be drawn to behind the last. */
  drawn: i32;
  end: i32;
  bout: i32;
  attacker: i32;
  defender: i32;
  limit: i32;
  laid: i32;
  unbeaten: i32;
  newest: i32;
  /** The seats that may throw in, as a row. */
  throwers: i32;
  passed: i32;
  taking: i32;
  began: i32;
  /** Which seats have shown what, and which have played their last card in this bout: how many. */
  shown: i32;
  emptied: i32;
  swappedNow: i32;
  seatsIn: i32;
  places: i32;
  ply: i32;
  phase: i32;
  actor: i32;
  /** How the game ended: who has won, who has lost (masks), the fool or `NOBODY`, and its epaulettes. */
  winners: i32;
  losers: i32;
  fool: i32;
  epaulettes: i32;
  /** How many starts of bouts may still come again. */
  past: i32;
  /** Whether there were more of something than there is room for: what follows is then not to be trusted, and not told. */
  overflow: i32;
}

// Where the lists of a moment stand, from its beginning; Python reads these too
export const HANDS: usize = 176;
export const HANDS_TWICE: usize = HANDS + 48;
/** Of the cards of each hand, those that everybody has seen go there. */
export const SEEN: usize = HANDS_TWICE + 48;
export const SEEN_TWICE: usize = SEEN + 48;
export const TALON: usize = SEEN_TWICE + 48;
export const ATTACKS: usize = TALON + 112;
export const BEATS: usize = ATTACKS + 224;
export const SHOWN: usize = BEATS + 224;
export const EMPTIED: usize = SHOWN + 32;
export const PLACES: usize = EMPTIED + 8;
export const SWAPPED: usize = PLACES + 8;
/** So many bytes a moment takes; behind it come the starts of bouts that may come again, each as the hands and the attacker. */
export const STATE_SIZE: usize = SWAPPED + 8;
export const STRIDE: usize = 104;
export const PAST_ATTACKER: usize = 96;
const MAX_SHOWN_TRUMPS: i32 = 16;
const MAX_ATTACKS: i32 = 112;
/** So many starts are remembered. */
export const MOST_PAST: i32 = 512;
/** So many bytes a moment takes at most. */
export const WHOLE: i32 = <i32>(STATE_SIZE + STRIDE * <usize>MOST_PAST);

/** Where the moment lies in which play stands. */
export const STATE: usize = memory.data(WHOLE, 16);
export const state = changetype<State>(STATE);

/** Keep the moment there. */
export function saveState(address: usize): void {
  memory.copy(address, STATE, STATE_SIZE + STRIDE * <usize>state.past);
}

/** Go back to the moment that was kept there. */
export function restoreState(address: usize): void {
  memory.copy(STATE, address, STATE_SIZE + STRIDE * <usize>changetype<State>(address).past);
}

// Hands

export function hand(seat: i32): u64 {
  return load<u64>(STATE + ((<usize>seat) << 3), HANDS);
}

/** The faces of which a hand has two. */
export function handSecondCopies(seat: i32): u64 {
  return load<u64>(STATE + ((<usize>seat) << 3), HANDS_TWICE);
}

export function setHand(seat: i32, faces: u64, secondCopies: u64): void {
  store<u64>(STATE + ((<usize>seat) << 3), faces, HANDS);
  store<u64>(STATE + ((<usize>seat) << 3), secondCopies, HANDS_TWICE);
}

/** How many cards a hand holds. */
export function handSize(seat: i32): i32 {
  const count = <i32>popcnt(hand(seat));
  return hasTwoDecks() ? count + <i32>popcnt(handSecondCopies(seat)) : count;
}

/** Cards come to a hand. */
export function addToHand(seat: i32, faces: u64, secondCopies: u64): void {
  const oldHand = hand(seat);
  setHand(seat, oldHand | faces, hasTwoDecks() ? handSecondCopies(seat) | secondCopies | (oldHand & faces) : 0);
}

/** Take a card out of a hand: of two of a face the one that everybody has seen. */
export function removeFromHand(seat: i32, face: i32): void {
  const bit: u64 = (<u64>1) << face;
  const address = STATE + ((<usize>seat) << 3);
  if (hasTwoDecks() && load<u64>(address, HANDS_TWICE) & bit) store<u64>(address, load<u64>(address, HANDS_TWICE) ^ bit, HANDS_TWICE);
  else store<u64>(address, load<u64>(address, HANDS) ^ bit, HANDS);
  if (hasTwoDecks() && load<u64>(address, SEEN_TWICE) & bit) store<u64>(address, load<u64>(address, SEEN_TWICE) ^ bit, SEEN_TWICE);
  else store<u64>(address, load<u64>(address, SEEN) & ~bit, SEEN);
}

/** Everybody sees these cards in a hand, besides those seen there before. */
export function markPubliclySeen(seat: i32, faces: u64, secondCopies: u64): void {
  const address = STATE + ((<usize>seat) << 3);
  if (hasTwoDecks()) store<u64>(address, load<u64>(address, SEEN_TWICE) | secondCopies | (load<u64>(address, SEEN) & faces), SEEN_TWICE);
  store<u64>(address, load<u64>(address, SEEN) | faces, SEEN);
}

/** Everybody sees one card at least of that face in a hand. */
export function markFacePubliclySeen(seat: i32, face: i32): void {
  const address = STATE + ((<usize>seat) << 3);
  store<u64>(address, load<u64>(address, SEEN) | ((<u64>1) << face), SEEN);
}

/** Nobody is sure any more of what a hand holds. */
export function forgetSeenCards(seat: i32): void {
  store<u64>(STATE + ((<usize>seat) << 3), 0, SEEN);
  store<u64>(STATE + ((<usize>seat) << 3), 0, SEEN_TWICE);
}

/** Take a card out of a hand onto the table. */
export function moveToTable(seat: i32, face: i32): void {
  const bit: u64 = (<u64>1) << face;
  removeFromHand(seat, face);
  if (hasTwoDecks()) state.tableTwice |= state.table & bit;
  state.table |= bit;
  if (hand(seat)) return;
  store<u8>(STATE + <usize>state.emptied, <u8>seat, EMPTIED);
  state.emptied++;
}

// Lists

export function talonFace(index: i32): i32 {
  return load<u8>(STATE + <usize>index, TALON);
}

export function setTalonFace(index: i32, face: i32): void {
  store<u8>(STATE + <usize>index, <u8>face, TALON);
}

/** The attacking cards as played codes, in the order played. */
export function attackCode(index: i32): i32 {
  return load<u16>(STATE + ((<usize>index) << 1), ATTACKS);
}

/** The card that beat each, or -1. */
export function beatCode(index: i32): i32 {
  return load<i16>(STATE + ((<usize>index) << 1), BEATS);
}

export function setBeatCode(index: i32, code: i32): void {
  store<i16>(STATE + ((<usize>index) << 1), <i16>code, BEATS);
}

/** The place of the attacking card that waits to be beaten, where one alone does: the newest, as a rule. */
export function unbeatenIndex(): i32 {
  let index = state.laid - 1;
  while (beatCode(index) >= 0) index--;
  return index;
}

/** Lay another attacking card. */
export function addAttack(code: i32): void {
  const index = state.laid++;
  if (index >= MAX_ATTACKS) {
    state.overflow = 1;
    state.laid--;
    return;
  }
  store<u16>(STATE + ((<usize>index) << 1), <u16>code, ATTACKS);
  setBeatCode(index, -1);
}

export function emptied(index: i32): i32 {
  return load<u8>(STATE + <usize>index, EMPTIED);
}

export function swapCount(seat: i32): i32 {
  return load<u8>(STATE + <usize>seat, SWAPPED);
}

export function setSwapCount(seat: i32, count: i32): void {
  store<u8>(STATE + <usize>seat, <u8>count, SWAPPED);
}

/** The seats that are out, in the order in which they went. */
export function seatOutAt(index: i32): i32 {
  return load<u8>(STATE + <usize>index, PLACES);
}

/** A seat is out. */
export function removeSeat(seat: i32): void {
  store<u8>(STATE + <usize>state.places, <u8>seat, PLACES);
  state.places++;
  state.seatsIn &= ~(1 << seat);
}

export function addShownTrump(seat: i32, face: i32): void {
  if (state.shown >= MAX_SHOWN_TRUMPS) {
    state.overflow = 1;
    return;
  }
  const address = STATE + ((<usize>state.shown) << 1);
  state.shown++;
  store<u8>(address, <u8>seat, SHOWN);
  store<u8>(address + 1, <u8>face, SHOWN);
}

/** The faces that a seat has shown in this bout. */
export function facesShownBy(seat: i32): u64 {
  let faces: u64 = 0;
  for (let i = 0; i < state.shown; i++) {
    const address = STATE + ((<usize>i) << 1);
    if (load<u8>(address, SHOWN) === seat) faces |= (<u64>1) << load<u8>(address + 1, SHOWN);
  }
  return faces;
}

// The starts of bouts that may come again

/** Note the start of this bout. */
export function addRepeatablePosition(attacker: i32): void {
  if (state.past >= MOST_PAST) {
    state.overflow = 1;
    return;
  }
  const address = STATE + STATE_SIZE + STRIDE * <usize>state.past;
  state.past++;
  const size = (<usize>playerCount()) << 3;
  for (let i: usize = 0; i < size; i += 8) store<u64>(address + i, load<u64>(STATE + i, HANDS));
  if (hasTwoDecks()) for (let i: usize = 0; i < size; i += 8) store<u64>(address + i, load<u64>(STATE + i, HANDS_TWICE), 48);
  store<u64>(address, <u64>attacker, PAST_ATTACKER);
}

/** How often the position of the last start has come since a card was last drawn, discarded or swapped. */
export function countRepetitions(): i32 {
  const latest = STATE + STATE_SIZE + STRIDE * <usize>(state.past - 1);
  const size = (<usize>playerCount()) << 3;
  let count = 0;
  for (let other = STATE + STATE_SIZE; other <= latest; other += STRIDE) {
    let same = load<u64>(other, PAST_ATTACKER) === load<u64>(latest, PAST_ATTACKER);
    for (let i: usize = 0; same && i < size; i += 8) same = load<u64>(other + i) === load<u64>(latest + i);
    if (hasTwoDecks()) for (let i: usize = 0; same && i < size; i += 8) same = load<u64>(other + i, 48) === load<u64>(latest + i, 48);
    if (same) count++;
  }
  return count;
}

/** A moment with no card anywhere and nobody at turn, to be filled. */
export function setBlankState(): void {
  memory.fill(STATE, 0, STATE_SIZE);
  state.suit = NO_SUIT;
  state.faceUp = state.hidden = -1;
  state.seatsIn = state.began = (1 << playerCount()) - 1;
  state.phase = PHASE_OVER;
  state.actor = state.fool = NOBODY;
}
