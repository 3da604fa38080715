// One moment of a game, as numbers and masks: the same as `engine/state.py`, with the same names, for whoever searches.
//
// Two cards of a face look alike, so a set of cards is two masks of faces: those of which there is one at least, and those of which there are two.
import { NOBODY } from "./image";
import { players, twins } from "./tables";

export const OPEN: i32 = 0;
export const ADD: i32 = 1;
export const DEFEND: i32 = 2;
export const OVER: i32 = 3;
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
const MOST_SHOWN: i32 = 16;
const MOST_LAID: i32 = 112;
/** So many starts are remembered. */
export const MOST_PAST: i32 = 512;
/** So many bytes a moment takes at most. */
export const WHOLE: i32 = <i32>(STATE_SIZE + STRIDE * <usize>MOST_PAST);

/** Where the moment lies in which play stands. */
export const STATE: usize = memory.data(WHOLE, 16);
export const state = changetype<State>(STATE);

/** Keep the moment there. */
export function keep(at: usize): void {
  memory.copy(at, STATE, STATE_SIZE + STRIDE * <usize>state.past);
}

/** Go back to the moment that was kept there. */
export function back(at: usize): void {
  memory.copy(STATE, at, STATE_SIZE + STRIDE * <usize>changetype<State>(at).past);
}

// Hands

export function hand(seat: i32): u64 {
  return load<u64>(STATE + ((<usize>seat) << 3), HANDS);
}

/** The faces of which a hand has two. */
export function twice(seat: i32): u64 {
  return load<u64>(STATE + ((<usize>seat) << 3), HANDS_TWICE);
}

export function setHand(seat: i32, one: u64, two: u64): void {
  store<u64>(STATE + ((<usize>seat) << 3), one, HANDS);
  store<u64>(STATE + ((<usize>seat) << 3), two, HANDS_TWICE);
}

/** How many cards a hand holds. */
export function held(seat: i32): i32 {
  const count = <i32>popcnt(hand(seat));
  return twins() ? count + <i32>popcnt(twice(seat)) : count;
}

/** Cards come to a hand. */
export function give(seat: i32, one: u64, two: u64): void {
  const own = hand(seat);
  setHand(seat, own | one, twins() ? twice(seat) | two | (own & one) : 0);
}

/** Take a card out of a hand: of two of a face the one that everybody has seen. */
export function takeOut(seat: i32, face: i32): void {
  const bit: u64 = (<u64>1) << face;
  const at = STATE + ((<usize>seat) << 3);
  if (twins() && load<u64>(at, HANDS_TWICE) & bit) store<u64>(at, load<u64>(at, HANDS_TWICE) ^ bit, HANDS_TWICE);
  else store<u64>(at, load<u64>(at, HANDS) ^ bit, HANDS);
  if (twins() && load<u64>(at, SEEN_TWICE) & bit) store<u64>(at, load<u64>(at, SEEN_TWICE) ^ bit, SEEN_TWICE);
  else store<u64>(at, load<u64>(at, SEEN) & ~bit, SEEN);
}

/** Everybody sees these cards in a hand, besides those seen there before. */
export function see(seat: i32, one: u64, two: u64): void {
  const at = STATE + ((<usize>seat) << 3);
  if (twins()) store<u64>(at, load<u64>(at, SEEN_TWICE) | two | (load<u64>(at, SEEN) & one), SEEN_TWICE);
  store<u64>(at, load<u64>(at, SEEN) | one, SEEN);
}

/** Everybody sees one card at least of that face in a hand. */
export function seeOne(seat: i32, face: i32): void {
  const at = STATE + ((<usize>seat) << 3);
  store<u64>(at, load<u64>(at, SEEN) | ((<u64>1) << face), SEEN);
}

/** Nobody is sure any more of what a hand holds. */
export function loseSight(seat: i32): void {
  store<u64>(STATE + ((<usize>seat) << 3), 0, SEEN);
  store<u64>(STATE + ((<usize>seat) << 3), 0, SEEN_TWICE);
}

/** Take a card out of a hand onto the table. */
export function leaveHand(seat: i32, face: i32): void {
  const bit: u64 = (<u64>1) << face;
  takeOut(seat, face);
  if (twins()) state.tableTwice |= state.table & bit;
  state.table |= bit;
  if (hand(seat)) return;
  store<u8>(STATE + <usize>state.emptied, <u8>seat, EMPTIED);
  state.emptied++;
}

// Lists

export function talon(place: i32): i32 {
  return load<u8>(STATE + <usize>place, TALON);
}

export function setTalon(place: i32, face: i32): void {
  store<u8>(STATE + <usize>place, <u8>face, TALON);
}

/** The attacking cards as played codes, in the order played. */
export function attack(place: i32): i32 {
  return load<u16>(STATE + ((<usize>place) << 1), ATTACKS);
}

/** The card that beat each, or -1. */
export function beat(place: i32): i32 {
  return load<i16>(STATE + ((<usize>place) << 1), BEATS);
}

export function setBeat(place: i32, code: i32): void {
  store<i16>(STATE + ((<usize>place) << 1), <i16>code, BEATS);
}

/** The place of the attacking card that waits to be beaten, where one alone does: the newest, as a rule. */
export function waiting(): i32 {
  let place = state.laid - 1;
  while (beat(place) >= 0) place--;
  return place;
}

/** Lay another attacking card. */
export function lay(code: i32): void {
  const place = state.laid++;
  if (place >= MOST_LAID) {
    state.overflow = 1;
    state.laid--;
    return;
  }
  store<u16>(STATE + ((<usize>place) << 1), <u16>code, ATTACKS);
  setBeat(place, -1);
}

export function emptied(place: i32): i32 {
  return load<u8>(STATE + <usize>place, EMPTIED);
}

export function swapped(seat: i32): i32 {
  return load<u8>(STATE + <usize>seat, SWAPPED);
}

export function setSwapped(seat: i32, times: i32): void {
  store<u8>(STATE + <usize>seat, <u8>times, SWAPPED);
}

/** The seats that are out, in the order in which they went. */
export function place(at: i32): i32 {
  return load<u8>(STATE + <usize>at, PLACES);
}

/** A seat is out. */
export function goOut(seat: i32): void {
  store<u8>(STATE + <usize>state.places, <u8>seat, PLACES);
  state.places++;
  state.seatsIn &= ~(1 << seat);
}

export function show(seat: i32, face: i32): void {
  if (state.shown >= MOST_SHOWN) {
    state.overflow = 1;
    return;
  }
  const at = STATE + ((<usize>state.shown) << 1);
  state.shown++;
  store<u8>(at, <u8>seat, SHOWN);
  store<u8>(at + 1, <u8>face, SHOWN);
}

/** The faces that a seat has shown in this bout. */
export function shownBy(seat: i32): u64 {
  let faces: u64 = 0;
  for (let i = 0; i < state.shown; i++) {
    const at = STATE + ((<usize>i) << 1);
    if (load<u8>(at, SHOWN) === seat) faces |= (<u64>1) << load<u8>(at + 1, SHOWN);
  }
  return faces;
}

// The starts of bouts that may come again

/** Note the start of this bout. */
export function remember(attacker: i32): void {
  if (state.past >= MOST_PAST) {
    state.overflow = 1;
    return;
  }
  const at = STATE + STATE_SIZE + STRIDE * <usize>state.past;
  state.past++;
  const size = (<usize>players()) << 3;
  for (let i: usize = 0; i < size; i += 8) store<u64>(at + i, load<u64>(STATE + i, HANDS));
  if (twins()) for (let i: usize = 0; i < size; i += 8) store<u64>(at + i, load<u64>(STATE + i, HANDS_TWICE), 48);
  store<u64>(at, <u64>attacker, PAST_ATTACKER);
}

/** How often the position of the last start has come since a card was last drawn, discarded or swapped. */
export function timesHere(): i32 {
  const at = STATE + STATE_SIZE + STRIDE * <usize>(state.past - 1);
  const size = (<usize>players()) << 3;
  let times = 0;
  for (let other = STATE + STATE_SIZE; other <= at; other += STRIDE) {
    let same = load<u64>(other, PAST_ATTACKER) === load<u64>(at, PAST_ATTACKER);
    for (let i: usize = 0; same && i < size; i += 8) same = load<u64>(other + i) === load<u64>(at + i);
    if (twins()) for (let i: usize = 0; same && i < size; i += 8) same = load<u64>(other + i, 48) === load<u64>(at + i, 48);
    if (same) times++;
  }
  return times;
}

/** A moment with no card anywhere and nobody at turn, to be filled. */
export function blank(): void {
  memory.fill(STATE, 0, STATE_SIZE);
  state.suit = NO_SUIT;
  state.faceUp = state.hidden = -1;
  state.seatsIn = state.began = (1 << players()) - 1;
  state.phase = OVER;
  state.actor = state.fool = NOBODY;
}
