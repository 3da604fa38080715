// The positions of an ending, each of them once: two hands, what lies on the table, and whatever else tells it from others.
//
// What is stored is what `State.key` says under rules where positions may repeat without end, and no more: two moments are one position if and only if
// these bytes are equal. All of them are compared, never a digest alone, and the moment can be laid down from them again. They lie in the room behind
// all else, and between them whatever else the search puts down.
import { throwersOf } from "./bouts";
import { NEWEST_FIRST, SWAPS, TRANSFERS } from "./image";
import { ENDING, lend } from "./room";
import { ATTACKS, attack, BEATS, beat, EMPTIED, emptied, hand, SHOWN, STATE, setHand, state, twice } from "./state";
import { faceOf, sameRank, says, twins } from "./tables";

/** What stands before the bytes that are compared. */
@unmanaged
export class Position {
  /** The next position whose digest leads to the same list. */
  next: usize;
  digest: u32;
  // For each of the two seats four bytes: within how many bouts it is known not to win, and from how many on it is known to
}
const BOUNDS: usize = 8;
/** For each of them four bytes: the place of the position in the search for a win that may take any time. */
const PLACES: usize = 16;
const MOMENT: usize = 24;
/** As many bouts as it takes; one less is the same. Behind all bouts: not known to be decided ever. */
export const EVER: i32 = 0xfffe;
export const NEVER: i32 = 0xffff;

export function bounds(at: usize, side: i32): i32 {
  return load<i32>(at + ((<usize>side) << 2), BOUNDS);
}

export function setBounds(at: usize, side: i32, bounds: i32): void {
  store<i32>(at + ((<usize>side) << 2), bounds, BOUNDS);
}

export function placeOf(at: usize, side: i32): usize {
  return load<u32>(at + ((<usize>side) << 2), PLACES);
}

export function setPlace(at: usize, side: i32, place: usize): void {
  store<u32>(at + ((<usize>side) << 2), <u32>place, PLACES);
}

/** The seat to act in a position. */
export function actorOf(at: usize): i32 {
  return changetype<Moment>(at + MOMENT).actor;
}

/** A moment in few bytes; behind them come the masks, the attacking cards and what was shown. */
@unmanaged
class Moment {
  attacker: u8;
  defender: u8;
  actor: u8;
  /** The phase, and in bits of their own whether the defender takes, whether the attacker has swapped, and whether it is a first bout unlike others. */
  phase: u8;
  limit: u8;
  laid: u8;
  shown: u8;
  passed: u8;
  /** The seats that were in when the bout began, if that matters; and the newest card's seat, if that does. */
  began: u8;
  newest: u8;
  // The seats that played their last card in this bout, in that order, each as one more than its number: a byte each
}
const LAST_CARDS: usize = 10;
const SEATS: usize = 6;
const MASKS: usize = 16;
const TAKING: i32 = 4;
const SWAPPED: i32 = 8;
const FIRST: i32 = 16;
const BEATEN: i32 = 1 << 15;

/** The moment that is looked up, with as much before it as a position has. */
const SCRATCH: usize = memory.data(512, 16);
/** The two seats, the lower one first; how many are out; and whether the first bout is unlike others. */
let low: i32 = 0;
let high: i32 = 0;
let out: i32 = 0;
let firstDiffers: bool = false;

/** The side that a seat is: 0 or 1. */
export function sideOf(seat: i32): i32 {
  return seat === high ? 1 : 0;
}

export function seatOf(side: i32): i32 {
  return side ? high : low;
}

// Memory: the heads of the lists by digest, then positions and whatever else is put down

const FEWEST_LISTS: u32 = 1 << 10;
const MOST_LISTS: u32 = 1 << 20;
const HEADS: usize = 4 * <usize>MOST_LISTS;
const STEP: usize = 1 << 20;
/** So much memory is taken at most. */
const MOST_ROOM: usize = 64 << 20;
/** More than a position takes with all that a step of the search puts down for it. */
const SPARE: usize = 1024;
let heads: usize = 0;
let lists: u32 = FEWEST_LISTS;
let count: u32 = 0;
let free: usize = 0;
let end: usize = 0;

/** Begin with nothing known, in the ending of the moment that lies there; whether there is so much memory. */
export function begin(differs: bool): bool {
  low = <i32>ctz(state.seatsIn);
  high = 31 - <i32>clz(state.seatsIn);
  out = state.places;
  firstDiffers = differs;
  heads = lend(ENDING, HEADS + STEP);
  if (!heads) return false;
  lists = FEWEST_LISTS;
  count = 0;
  memory.fill(heads, 0, 4 * <usize>lists);
  free = heads + HEADS;
  end = free + STEP;
  return true;
}

/** Whether there is room for what a step puts down. */
export function hasRoom(): bool {
  if (free + SPARE <= end) return true;
  const size = end + STEP - heads;
  if (size > MOST_ROOM || !lend(ENDING, size)) return false;
  end += STEP;
  return true;
}

/** A place for so many bytes, a multiple of eight. */
export function putDown(size: usize): usize {
  const at = free;
  free += size;
  return at;
}

// Positions

/** Where the moment that lies there stands as a position; a new one where it was not met. */
export function position(): usize {
  const size = noted() - SCRATCH;
  let spread: u64 = 0;
  for (let i = MOMENT; i < size; i += 8) {
    spread = (spread ^ load<u64>(SCRATCH + i)) * 0x9e3779b97f4a7c15;
    spread ^= spread >> 29;
  }
  const digest = <u32>(spread >> 32);
  for (let at: usize = load<u32>(headOf(digest)); at; at = changetype<Position>(at).next) {
    if (changetype<Position>(at).digest === digest && same(at, size)) return at;
  }
  if (count >= lists && lists < MOST_LISTS) double();
  count++;
  const made = putDown(size);
  memory.copy(made + MOMENT, SCRATCH + MOMENT, size - MOMENT);
  const head = headOf(digest);
  changetype<Position>(made).next = load<u32>(head);
  changetype<Position>(made).digest = digest;
  store<u32>(head, <u32>made);
  for (let side = 0; side < 2; side++) {
    setBounds(made, side, NEVER << 16);
    setPlace(made, side, 0);
  }
  return made;
}

function headOf(digest: u32): usize {
  return heads + 4 * <usize>(digest & (lists - 1));
}

/** Whether all is the same: of two whose first bytes are, as many follow. */
function same(at: usize, size: usize): bool {
  for (let i = MOMENT; i < size; i += 8) if (load<u64>(at + i) !== load<u64>(SCRATCH + i)) return false;
  return true;
}

/** Twice as many lists: what is in one stays there, or goes as far behind the old end as it was behind the beginning. */
function double(): void {
  for (let i: u32 = 0; i < lists; i++) {
    let at: usize = load<u32>(heads + 4 * <usize>i);
    let stays: u32 = 0;
    let goes: u32 = 0;
    while (at) {
      const one = changetype<Position>(at);
      const next = one.next;
      if (one.digest & lists) {
        one.next = goes;
        goes = <u32>at;
      } else {
        one.next = stays;
        stays = <u32>at;
      }
      at = next;
    }
    store<u32>(heads + 4 * <usize>i, stays);
    store<u32>(heads + 4 * <usize>(i + lists), goes);
  }
  lists <<= 1;
}

/** Note the moment in few bytes; where they end, filled up to eight. */
function noted(): usize {
  const moment = changetype<Moment>(SCRATCH + MOMENT);
  let flags = state.phase | (state.taking ? TAKING : 0);
  if (says(SWAPS) && state.swappedNow) flags |= SWAPPED;
  if (firstDiffers && state.bout === 1) flags |= FIRST;
  const passes = says(TRANSFERS) !== 0;
  moment.attacker = <u8>state.attacker;
  moment.defender = <u8>state.defender;
  moment.actor = <u8>state.actor;
  moment.phase = <u8>flags;
  moment.limit = <u8>state.limit;
  moment.laid = <u8>state.laid;
  moment.shown = passes ? <u8>state.shown : 0;
  moment.passed = <u8>state.passed;
  moment.began = passes ? <u8>state.began : 0;
  moment.newest = says(NEWEST_FIRST) ? <u8>(state.newest + 1) : 0;
  for (let i: usize = 0; i < SEATS; i++) {
    store<u8>(SCRATCH + MOMENT + i, <i32>i < state.emptied ? <u8>(emptied(<i32>i) + 1) : 0, LAST_CARDS);
  }
  let at = SCRATCH + MOMENT + MASKS;
  store<u64>(at, hand(low));
  store<u64>(at, hand(high), 8);
  store<u64>(at, state.table, 16);
  at += 24;
  if (twins()) {
    store<u64>(at, twice(low));
    store<u64>(at, twice(high), 8);
    store<u64>(at, state.tableTwice, 16);
    at += 24;
  }
  for (let i = 0; i < state.laid; i++, at += 2) store<u16>(at, <u16>(attack(i) | (beat(i) >= 0 ? BEATEN : 0)));
  for (let i = 0; i < <i32>moment.shown; i++, at += 2) store<u16>(at, load<u16>(STATE + ((<usize>i) << 1), SHOWN));
  while (at & 7) {
    store<u16>(at, 0);
    at += 2;
  }
  return at;
}

/** Stand there again: what nobody asks for in an ending (the discard pile, what was seen, how long it took) is left as it is. */
export function standAt(position: usize): void {
  const moment = changetype<Moment>(position + MOMENT);
  state.attacker = moment.attacker;
  state.defender = moment.defender;
  state.actor = moment.actor;
  state.phase = moment.phase & 3;
  state.taking = moment.phase & TAKING ? 1 : 0;
  state.swappedNow = moment.phase & SWAPPED ? 1 : 0;
  state.bout = moment.phase & FIRST ? 1 : 2;
  state.limit = moment.limit;
  state.laid = moment.laid;
  state.shown = moment.shown;
  state.passed = moment.passed;
  state.began = moment.began;
  state.newest = moment.newest ? moment.newest - 1 : moment.attacker;
  state.seatsIn = (1 << low) | (1 << high);
  state.places = out;
  state.throwers = throwersOf(state.attacker, state.defender, state.newest, state.seatsIn);
  state.emptied = 0;
  for (let i: usize = 0; i < SEATS; i++) {
    const seat = load<u8>(position + MOMENT + i, LAST_CARDS);
    if (!seat) break;
    store<u8>(STATE + i, seat - 1, EMPTIED);
    state.emptied++;
  }
  let at = position + MOMENT + MASKS;
  const both = twins();
  setHand(low, load<u64>(at), both ? load<u64>(at, 24) : 0);
  setHand(high, load<u64>(at, 8), both ? load<u64>(at, 32) : 0);
  state.table = load<u64>(at, 16);
  state.tableTwice = both ? load<u64>(at, 40) : 0;
  at += both ? 48 : 24;
  state.unbeaten = 0;
  for (let i: usize = 0; i < <usize>state.laid; i++, at += 2) {
    const card: i32 = load<u16>(at);
    store<u16>(STATE + (i << 1), <u16>(card & ~BEATEN), ATTACKS);
    store<i16>(STATE + (i << 1), card & BEATEN ? 0 : -1, BEATS);
    if (!(card & BEATEN)) state.unbeaten++;
  }
  for (let i: usize = 0; i < <usize>state.shown; i++, at += 2) store<u16>(STATE + (i << 1), load<u16>(at), SHOWN);
  state.ranks = 0;
  for (let left = state.table; left; left &= left - 1) state.ranks |= sameRank(faceOf(<i32>ctz(left)));
}
