// Looking ahead: what the later moves of the seat that is asked about have brought in the playouts so far, by all that it would see by then. The next
// playout goes on by the move of which most may be hoped for, and so finds out more about it. `analysis/information_set_values.py` does the same in Python.

import { legalMoves } from "./legal_moves";
import { moveAt } from "./move_encoding";
import { careful } from "./policy_moves";
import { mixBits } from "./random_generator";
import { effectiveFace, playerCount } from "./rules_tables";
import { attackCode, beatCode, hand, handSecondCopies, handSize, state } from "./state";

/** So many moves are noted at most, so many of one moment, and so many of one playout. */
const MAX_RECORDED_MOVES: i32 = 100000;
const MAX_LEGAL_MOVES: i32 = 64;
const MAX_DEPTH: i32 = 64;
/** So often a move is noted at most: sixty times that is a number of 32 bits. */
const MAX_TRIES: i32 = 1 << 25;
/** How much is hoped of what has hardly been tried, in parts of a win, and of that, how much of the usual move. */
const EXPLORATION_BONUS: f64 = 360;
const USUAL_MOVE_SHARE: f64 = 0.5;

/** The notes, each where its key says or in the next free place: the key, how often that move was made, and what it brought. */
const RECORDS: usize = memory.data(2097152, 8);
const RECORD_SIZE: usize = 16;
const RECORD_INDEX_MASK: usize = 131071;
/** Where the notes lie of the moves of this moment, and of those that this playout has made. */
const LEGAL_MOVE_RECORDS: usize = memory.data(256, 8);
const PLAYOUT_RECORDS: usize = memory.data(256, 8);

let recordCount: i32 = 0;
let playoutRecordCount: i32 = 0;
/** The key of the move that the seat has made last: it stands for all that it saw until then. */
let observationKey: u64 = 0;
/** Whether this playout is still among what was noted. */
let recording: bool = false;

/** Know nothing. */
export function clearStatistics(): void {
  if (recordCount) memory.fill(RECORDS, 0, (RECORD_INDEX_MASK + 1) * RECORD_SIZE);
  recordCount = 0;
}

/** A playout begins with that move. */
export function startPlayout(move: u64): void {
  playoutRecordCount = 0;
  observationKey = mixBits(move);
  recording = true;
}

/** Whether it still goes by what was noted. */
export function isRecording(): bool {
  return recording;
}

/** What that seat, who is to act, plays in this playout. */
export function chooseMove(seat: i32): u64 {
  const usual = careful();
  const moveCount = legalMoves();
  if (moveCount === 1) return usual;
  if (moveCount > MAX_LEGAL_MOVES || playoutRecordCount === MAX_DEPTH) {
    recording = false;
    return usual;
  }
  const observations = hashObservations(seat);
  const bestIndex = highestBoundIndex(observations, usual, moveCount);
  const record = <usize>load<u32>(LEGAL_MOVE_RECORDS + ((<usize>bestIndex) << 2));
  observationKey = moveKey(observations, moveAt(bestIndex));
  if (!load<u64>(record)) {
    recording = false;
    if (recordCount === MAX_RECORDED_MOVES) return usual;
    recordCount++;
    store<u64>(record, observationKey);
  }
  store<u32>(PLAYOUT_RECORDS + ((<usize>playoutRecordCount) << 2), <u32>record);
  playoutRecordCount++;
  return moveAt(bestIndex);
}

/** The place of the move of which most may be hoped for: what it has brought, and more, the less it was tried. */
function highestBoundIndex(observations: u64, usual: u64, moveCount: i32): i32 {
  let totalTries: i64 = 0;
  let totalResult: i64 = 0;
  for (let i = 0; i < moveCount; i++) {
    const record = findRecord(moveKey(observations, moveAt(i)));
    store<u32>(LEGAL_MOVE_RECORDS + ((<usize>i) << 2), <u32>record);
    totalTries += load<i32>(record, 8);
    totalResult += load<i32>(record, 12);
  }
  const mean = totalTries ? <f64>totalResult / <f64>totalTries : 0;
  const root = sqrt<f64>(<f64>(totalTries + 1));
  let bestIndex = 0;
  let highest: f64 = -Infinity;
  for (let i = 0; i < moveCount; i++) {
    const record = <usize>load<u32>(LEGAL_MOVE_RECORDS + ((<usize>i) << 2));
    const tries = load<i32>(record, 8);
    const share = moveAt(i) === usual ? USUAL_MOVE_SHARE : (1 - USUAL_MOVE_SHARE) / <f64>(moveCount - 1);
    const average = tries ? <f64>load<i32>(record, 12) / <f64>tries : mean;
    const bound = average + (EXPLORATION_BONUS * share * root) / <f64>(1 + tries);
    if (bound > highest) {
      highest = bound;
      bestIndex = i;
    }
  }
  return bestIndex;
}

/** Note what the playout brought. */
export function recordResult(result: i32): void {
  for (let i = 0; i < playoutRecordCount; i++) {
    const record = <usize>load<u32>(PLAYOUT_RECORDS + ((<usize>i) << 2));
    const tries = load<i32>(record, 8);
    if (tries === MAX_TRIES) continue;
    store<i32>(record, tries + 1, 8);
    store<i32>(record, load<i32>(record, 12) + result, 12);
  }
}

function moveKey(observations: u64, move: u64): u64 {
  const key = mixBits(observations ^ move);
  return key ? key : 1;
}

/** Where the note of that key lies, or would lie: there is always a free place. */
function findRecord(key: u64): usize {
  let index = <usize>key & RECORD_INDEX_MASK;
  while (true) {
    const record = RECORDS + index * RECORD_SIZE;
    const storedKey = load<u64>(record);
    if (storedKey === key || !storedKey) return record;
    index = (index + 1) & RECORD_INDEX_MASK;
  }
}

/** A number for all that a seat has seen up to this moment: the same for the same, and hardly ever for another. */
function hashObservations(seat: i32): u64 {
  let unbeaten: u64 = 0;
  for (let i = 0; i < state.laid; i++) if (beatCode(i) < 0) unbeaten |= (<u64>1) << effectiveFace(attackCode(i));
  let hash = mixBits(mixBits(observationKey ^ hand(seat)) ^ handSecondCopies(seat));
  hash = mixBits(hash ^ state.table);
  hash = mixBits(hash ^ state.tableTwice);
  hash = mixBits(hash ^ state.discard);
  hash = mixBits(hash ^ state.discardTwice);
  hash = mixBits(hash ^ unbeaten);
  for (let i = 0; i < playerCount(); i++) hash = mixBits(hash ^ <u64>handSize(i));
  const packedState = (state.passed << 10) | (state.attacker << 7) | (state.suit << 4) | (state.phase << 2) | (state.taking ? 1 : 0);
  return mixBits(hash ^ <u64>packedState);
}
