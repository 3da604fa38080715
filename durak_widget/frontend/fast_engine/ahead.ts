// Looking ahead: what the later moves of the seat that is asked about have brought in the playouts so far, by all that it would see by then. The next
// playout goes on by the move of which most may be hoped for, and so finds out more about it. `analysis/information_set_values.py` does the same in Python.
import { stirred } from "./chance";
import { legalMoves } from "./legal";
import { moveAt } from "./moves";
import { careful } from "./policies";
import { attack, beat, hand, held, state, twice } from "./state";
import { counts, players } from "./tables";

/** So many moves are noted at most, so many of one moment, and so many of one playout. */
const MOST_NOTED: i32 = 100000;
const MOST_WAYS: i32 = 64;
const DEEPEST: i32 = 64;
/** So often a move is noted at most: sixty times that is a number of 32 bits. */
const MOST_TIMES: i32 = 1 << 25;
/** How much is hoped of what has hardly been tried, in parts of a win, and of that, how much of the usual move. */
const HOPE: f64 = 360;
const USUAL: f64 = 0.5;

/** The notes, each where its key says or in the next free place: the key, how often that move was made, and what it brought. */
const NOTES: usize = memory.data(2097152, 8);
const NOTE: usize = 16;
const LAST: usize = 131071;
/** Where the notes lie of the moves of this moment, and of those that this playout has made. */
const WAYS: usize = memory.data(256, 8);
const MADE: usize = memory.data(256, 8);

let noted: i32 = 0;
let made: i32 = 0;
/** The key of the move that the seat has made last: it stands for all that it saw until then. */
let last: u64 = 0;
/** Whether this playout is still among what was noted. */
let looks: bool = false;

/** Know nothing. */
export function forget(): void {
  if (noted) memory.fill(NOTES, 0, (LAST + 1) * NOTE);
  noted = 0;
}

/** A playout begins with that move. */
export function begin(move: u64): void {
  made = 0;
  last = stirred(move);
  looks = true;
}

/** Whether it still goes by what was noted. */
export function looksAhead(): bool {
  return looks;
}

/** What that seat, who is to act, plays in this playout. */
export function hopeful(seat: i32): u64 {
  const usual = careful();
  const many = legalMoves();
  if (many === 1) return usual;
  if (many > MOST_WAYS || made === DEEPEST) {
    looks = false;
    return usual;
  }
  const here = seenBy(seat);
  const best = mostHoped(here, usual, many);
  const note = <usize>load<u32>(WAYS + ((<usize>best) << 2));
  last = keyOf(here, moveAt(best));
  if (!load<u64>(note)) {
    looks = false;
    if (noted === MOST_NOTED) return usual;
    noted++;
    store<u64>(note, last);
  }
  store<u32>(MADE + ((<usize>made) << 2), <u32>note);
  made++;
  return moveAt(best);
}

/** The place of the move of which most may be hoped for: what it has brought, and more, the less it was tried. */
function mostHoped(here: u64, usual: u64, many: i32): i32 {
  let times: i64 = 0;
  let sum: i64 = 0;
  for (let i = 0; i < many; i++) {
    const note = noteOf(keyOf(here, moveAt(i)));
    store<u32>(WAYS + ((<usize>i) << 2), <u32>note);
    times += load<i32>(note, 8);
    sum += load<i32>(note, 12);
  }
  const mean = times ? <f64>sum / <f64>times : 0;
  const root = sqrt<f64>(<f64>(times + 1));
  let best = 0;
  let most: f64 = -Infinity;
  for (let i = 0; i < many; i++) {
    const note = <usize>load<u32>(WAYS + ((<usize>i) << 2));
    const tried = load<i32>(note, 8);
    const share = moveAt(i) === usual ? USUAL : (1 - USUAL) / <f64>(many - 1);
    const brought = tried ? <f64>load<i32>(note, 12) / <f64>tried : mean;
    const hope = brought + (HOPE * share * root) / <f64>(1 + tried);
    if (hope > most) {
      most = hope;
      best = i;
    }
  }
  return best;
}

/** Note what the playout brought. */
export function learn(worth: i32): void {
  for (let i = 0; i < made; i++) {
    const note = <usize>load<u32>(MADE + ((<usize>i) << 2));
    const times = load<i32>(note, 8);
    if (times === MOST_TIMES) continue;
    store<i32>(note, times + 1, 8);
    store<i32>(note, load<i32>(note, 12) + worth, 12);
  }
}

function keyOf(here: u64, move: u64): u64 {
  const key = stirred(here ^ move);
  return key ? key : 1;
}

/** Where the note of that key lies, or would lie: there is always a free place. */
function noteOf(key: u64): usize {
  let at = <usize>key & LAST;
  while (true) {
    const note = NOTES + at * NOTE;
    const there = load<u64>(note);
    if (there === key || !there) return note;
    at = (at + 1) & LAST;
  }
}

/** A number for all that a seat has seen up to this moment: the same for the same, and hardly ever for another. */
function seenBy(seat: i32): u64 {
  let open: u64 = 0;
  for (let i = 0; i < state.laid; i++) if (beat(i) < 0) open |= (<u64>1) << counts(attack(i));
  let found = stirred(stirred(last ^ hand(seat)) ^ twice(seat));
  found = stirred(found ^ state.table);
  found = stirred(found ^ state.tableTwice);
  found = stirred(found ^ state.discard);
  found = stirred(found ^ state.discardTwice);
  found = stirred(found ^ open);
  for (let i = 0; i < players(); i++) found = stirred(found ^ <u64>held(i));
  const small = (state.passed << 10) | (state.attacker << 7) | (state.suit << 4) | (state.phase << 2) | (state.taking ? 1 : 0);
  return stirred(found ^ <u64>small);
}
