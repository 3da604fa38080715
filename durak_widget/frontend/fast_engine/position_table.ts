// The positions of an ending, each of them once: two hands, what lies on the table, and whatever else tells it from others.
//
// What is stored is what `State.key` says under rules where positions may repeat without end, and no more: two moments are one position if and only if
// these bytes are equal. All of them are compared, never a digest alone, and the moment can be laid down from them again. They lie in the room behind
// all else, and between them whatever else the search puts down.
import { findThrowers } from "./bout_transitions";
import { NEWEST_FIRST, SWAPS, TRANSFERS } from "./rules_image";
import { cardFace, hasTwoDecks, ruleNumber, sameRankMask } from "./rules_tables";
import { ENDGAME_OWNER, reserveMemory } from "./shared_memory";
import { ATTACKS, attackCode, BEATS, beatCode, EMPTIED, emptied, hand, handSecondCopies, SHOWN, STATE, setHand, state } from "./state";

/** What stands before the bytes that are compared. */
@unmanaged
export class Position {
  /** The next position whose digest leads to the same list. */
  nextInBucket: usize;
  hash: u32;
  // For each of the two seats four bytes: within how many bouts it is known not to win, and from how many on it is known to
}
const BOUNDS_OFFSET: usize = 8;
/** For each of them four bytes: the place of the position in the search for a win that may take any time. */
const PLACES: usize = 16;
const KEY_OFFSET: usize = 24;
/** As many bouts as it takes; one less is the same. Behind all bouts: not known to be decided ever. */
export const NO_LIMIT: i32 = 0xfffe;
export const UNDECIDED: i32 = 0xffff;

export function getBounds(position: usize, side: i32): i32 {
  return load<i32>(position + ((<usize>side) << 2), BOUNDS_OFFSET);
}

export function setBounds(position: usize, side: i32, bounds: i32): void {
  store<i32>(position + ((<usize>side) << 2), bounds, BOUNDS_OFFSET);
}

export function getWinNode(position: usize, side: i32): usize {
  return load<u32>(position + ((<usize>side) << 2), PLACES);
}

export function setWinNode(position: usize, side: i32, node: usize): void {
  store<u32>(position + ((<usize>side) << 2), <u32>node, PLACES);
}

/** The seat to act in a position. */
export function actorOf(position: usize): i32 {
  return changetype<PositionKey>(position + KEY_OFFSET).actor;
}

/** A moment in few bytes; behind them come the masks, the attacking cards and what was shown. */
@unmanaged
class PositionKey {
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
const EMPTIED_SEATS_OFFSET: usize = 10;
const MAX_EMPTIED_SEATS: usize = 6;
const MASKS_OFFSET: usize = 16;
const TAKING_FLAG: i32 = 4;
const SWAPPED: i32 = 8;
const FIRST_BOUT_FLAG: i32 = 16;
const BEATEN_FLAG: i32 = 1 << 15;

/** The moment that is looked up, with as much before it as a position has. */
const SCRATCH_POSITION: usize = memory.data(512, 16);
/** The two seats, the lower one first; how many are out; and whether the first bout is unlike others. */
let lowSeat: i32 = 0;
let highSeat: i32 = 0;
let seatsOutCount: i32 = 0;
let firstBoutDiffers: bool = false;

/** The side that a seat is: 0 or 1. */
export function sideOf(seat: i32): i32 {
  return seat === highSeat ? 1 : 0;
}

export function seatOf(side: i32): i32 {
  return side ? highSeat : lowSeat;
}

// Memory: the heads of the lists by digest, then positions and whatever else is put down

const MIN_BUCKETS: u32 = 1 << 10;
const MAX_BUCKETS: u32 = 1 << 20;
const MAX_BUCKET_BYTES: usize = 4 * <usize>MAX_BUCKETS;
const GROWTH_STEP: usize = 1 << 20;
/** So much memory is taken at most. */
const MAX_TABLE_BYTES: usize = 64 << 20;
/** More than a position takes with all that a step of the search puts down for it. */
const RESERVED_BYTES: usize = 1024;
let buckets: usize = 0;
let bucketCount: u32 = MIN_BUCKETS;
let positionCount: u32 = 0;
let freeAddress: usize = 0;
let end: usize = 0;

/** Begin with nothing known, in the ending of the moment that lies there; whether there is so much memory. */
export function clearPositionTable(isFirstBoutDifferent: bool): bool {
  lowSeat = <i32>ctz(state.seatsIn);
  highSeat = 31 - <i32>clz(state.seatsIn);
  seatsOutCount = state.places;
  firstBoutDiffers = isFirstBoutDifferent;
  buckets = reserveMemory(ENDGAME_OWNER, MAX_BUCKET_BYTES + GROWTH_STEP);
  if (!buckets) return false;
  bucketCount = MIN_BUCKETS;
  positionCount = 0;
  memory.fill(buckets, 0, 4 * <usize>bucketCount);
  freeAddress = buckets + MAX_BUCKET_BYTES;
  end = freeAddress + GROWTH_STEP;
  return true;
}

/** Whether there is room for what a step puts down. */
export function ensureMemory(): bool {
  if (freeAddress + RESERVED_BYTES <= end) return true;
  const size = end + GROWTH_STEP - buckets;
  if (size > MAX_TABLE_BYTES || !reserveMemory(ENDGAME_OWNER, size)) return false;
  end += GROWTH_STEP;
  return true;
}

/** A place for so many bytes, a multiple of eight. */
export function allocate(size: usize): usize {
  const address = freeAddress;
  freeAddress += size;
  return address;
}

// Positions

/** Where the moment that lies there stands as a position; a new one where it was not met. */
export function findOrAddPosition(): usize {
  const size = encodeScratchPosition() - SCRATCH_POSITION;
  let hashBits: u64 = 0;
  for (let i = KEY_OFFSET; i < size; i += 8) {
    hashBits = (hashBits ^ load<u64>(SCRATCH_POSITION + i)) * 0x9e3779b97f4a7c15;
    hashBits ^= hashBits >> 29;
  }
  const hash = <u32>(hashBits >> 32);
  for (let candidate: usize = load<u32>(bucketOf(hash)); candidate; candidate = changetype<Position>(candidate).nextInBucket) {
    if (changetype<Position>(candidate).hash === hash && equalsScratchPosition(candidate, size)) return candidate;
  }
  if (positionCount >= bucketCount && bucketCount < MAX_BUCKETS) doubleBuckets();
  positionCount++;
  const added = allocate(size);
  memory.copy(added + KEY_OFFSET, SCRATCH_POSITION + KEY_OFFSET, size - KEY_OFFSET);
  const bucket = bucketOf(hash);
  changetype<Position>(added).nextInBucket = load<u32>(bucket);
  changetype<Position>(added).hash = hash;
  store<u32>(bucket, <u32>added);
  for (let side = 0; side < 2; side++) {
    setBounds(added, side, UNDECIDED << 16);
    setWinNode(added, side, 0);
  }
  return added;
}

function bucketOf(hash: u32): usize {
  return buckets + 4 * <usize>(hash & (bucketCount - 1));
}

/** Whether all is the same: of two whose first bytes are, as many follow. */
function equalsScratchPosition(position: usize, size: usize): bool {
  for (let i = KEY_OFFSET; i < size; i += 8) if (load<u64>(position + i) !== load<u64>(SCRATCH_POSITION + i)) return false;
  return true;
}

/** Twice as many lists: what is in one stays there, or goes as far behind the old end as it was behind the beginning. */
function doubleBuckets(): void {
  for (let i: u32 = 0; i < bucketCount; i++) {
    let position: usize = load<u32>(buckets + 4 * <usize>i);
    let lowBucket: u32 = 0;
    let highBucket: u32 = 0;
    while (position) {
      const entry = changetype<Position>(position);
      const next = entry.nextInBucket;
      if (entry.hash & bucketCount) {
        entry.nextInBucket = highBucket;
        highBucket = <u32>position;
      } else {
        entry.nextInBucket = lowBucket;
        lowBucket = <u32>position;
      }
      position = next;
    }
    store<u32>(buckets + 4 * <usize>i, lowBucket);
    store<u32>(buckets + 4 * <usize>(i + bucketCount), highBucket);
  }
  bucketCount <<= 1;
}

/** Note the moment in few bytes; where they end, filled up to eight. */
function encodeScratchPosition(): usize {
  const key = changetype<PositionKey>(SCRATCH_POSITION + KEY_OFFSET);
  let flags = state.phase | (state.taking ? TAKING_FLAG : 0);
  if (ruleNumber(SWAPS) && state.swappedNow) flags |= SWAPPED;
  if (firstBoutDiffers && state.bout === 1) flags |= FIRST_BOUT_FLAG;
  const hasTransfers = ruleNumber(TRANSFERS) !== 0;
  key.attacker = <u8>state.attacker;
  key.defender = <u8>state.defender;
  key.actor = <u8>state.actor;
  key.phase = <u8>flags;
  key.limit = <u8>state.limit;
  key.laid = <u8>state.laid;
  key.shown = hasTransfers ? <u8>state.shown : 0;
  key.passed = <u8>state.passed;
  key.began = hasTransfers ? <u8>state.began : 0;
  key.newest = ruleNumber(NEWEST_FIRST) ? <u8>(state.newest + 1) : 0;
  for (let i: usize = 0; i < MAX_EMPTIED_SEATS; i++) {
    store<u8>(SCRATCH_POSITION + KEY_OFFSET + i, <i32>i < state.emptied ? <u8>(emptied(<i32>i) + 1) : 0, EMPTIED_SEATS_OFFSET);
  }
  let address = SCRATCH_POSITION + KEY_OFFSET + MASKS_OFFSET;
  store<u64>(address, hand(lowSeat));
  store<u64>(address, hand(highSeat), 8);
  store<u64>(address, state.table, 16);
  address += 24;
  if (hasTwoDecks()) {
    store<u64>(address, handSecondCopies(lowSeat));
    store<u64>(address, handSecondCopies(highSeat), 8);
    store<u64>(address, state.tableTwice, 16);
    address += 24;
  }
  for (let i = 0; i < state.laid; i++, address += 2) store<u16>(address, <u16>(attackCode(i) | (beatCode(i) >= 0 ? BEATEN_FLAG : 0)));
  for (let i = 0; i < <i32>key.shown; i++, address += 2) store<u16>(address, load<u16>(STATE + ((<usize>i) << 1), SHOWN));
  while (address & 7) {
    store<u16>(address, 0);
    address += 2;
  }
  return address;
}

/** Stand there again: what nobody asks for in an ending (the discard pile, what was seen, how long it took) is left as it is. */
export function loadPosition(position: usize): void {
  const key = changetype<PositionKey>(position + KEY_OFFSET);
  state.attacker = key.attacker;
  state.defender = key.defender;
  state.actor = key.actor;
  state.phase = key.phase & 3;
  state.taking = key.phase & TAKING_FLAG ? 1 : 0;
  state.swappedNow = key.phase & SWAPPED ? 1 : 0;
  state.bout = key.phase & FIRST_BOUT_FLAG ? 1 : 2;
  state.limit = key.limit;
  state.laid = key.laid;
  state.shown = key.shown;
  state.passed = key.passed;
  state.began = key.began;
  state.newest = key.newest ? key.newest - 1 : key.attacker;
  state.seatsIn = (1 << lowSeat) | (1 << highSeat);
  state.places = seatsOutCount;
  state.throwers = findThrowers(state.attacker, state.defender, state.newest, state.seatsIn);
  state.emptied = 0;
  for (let i: usize = 0; i < MAX_EMPTIED_SEATS; i++) {
    const seat = load<u8>(position + KEY_OFFSET + i, EMPTIED_SEATS_OFFSET);
    if (!seat) break;
    store<u8>(STATE + i, seat - 1, EMPTIED);
    state.emptied++;
  }
  let address = position + KEY_OFFSET + MASKS_OFFSET;
  const hasSecondCopies = hasTwoDecks();
  setHand(lowSeat, load<u64>(address), hasSecondCopies ? load<u64>(address, 24) : 0);
  setHand(highSeat, load<u64>(address, 8), hasSecondCopies ? load<u64>(address, 32) : 0);
  state.table = load<u64>(address, 16);
  state.tableTwice = hasSecondCopies ? load<u64>(address, 40) : 0;
  address += hasSecondCopies ? 48 : 24;
  state.unbeaten = 0;
  for (let i: usize = 0; i < <usize>state.laid; i++, address += 2) {
    const card: i32 = load<u16>(address);
    store<u16>(STATE + (i << 1), <u16>(card & ~BEATEN_FLAG), ATTACKS);
    store<i16>(STATE + (i << 1), card & BEATEN_FLAG ? 0 : -1, BEATS);
    if (!(card & BEATEN_FLAG)) state.unbeaten++;
  }
  for (let i: usize = 0; i < <usize>state.shown; i++, address += 2) store<u16>(STATE + (i << 1), load<u16>(address), SHOWN);
  state.ranks = 0;
  for (let left = state.table; left; left &= left - 1) state.ranks |= sameRankMask(cardFace(<i32>ctz(left)));
}
