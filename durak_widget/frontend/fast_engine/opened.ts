// A whole deal with open cards: two hands and the order of the talon are known to both, so who wins? As in `analysis/double_dummy_solver.py`.
//
// Cards are bits, cheap ones lowest. No position comes again: each bout takes cards out of play or out of the
// talon, or leaves the attacker with fewer. What is known is remembered by the whole position, so that no two are ever taken for one.
import { DEAL, lend } from "./room";
import { next } from "./terms";

/** What is asked: numbers of four bytes, which `analysis/double_dummy_solver.py` writes. */
export const OPENED: usize = memory.data(48, 8);
/** For each card those that beat it, and those of its rank; for each number of drawn cards, all of them: eight bytes each. */
export const BETTER: usize = memory.data(512, 8);
export const OF_RANK: usize = memory.data(512, 8);
export const TOP_OF_TALON: usize = memory.data(512, 8);

// Where in it stands how many cards the talon has, how many attacking cards there may be, to how many a hand is refilled, whether cards are thrown in
// after a take, whether who plays the last card is out at once, whether cards can be laid in a row in which each is beaten by later ones alone,
// whether cards are thrown in, whether the attacker draws first (after a bout that was beaten, and after one that was taken), and whether it wins if both
// go out together; and whether the end of a bout is tried before throwing in
const END: usize = OPENED;
const MOST: usize = OPENED + 4;
const REFILL: usize = OPENED + 8;
const AFTER_TAKE: usize = OPENED + 12;
const AT_ONCE: usize = OPENED + 16;
const ORDERLY: usize = OPENED + 20;
const THROWS: usize = OPENED + 24;
const FIRST: usize = OPENED + 28;
const WON_BY_BOTH: usize = OPENED + 36;
const ENDS_FIRST: usize = OPENED + 40;

/** By how many places an answer counts as dearer that leaves something to throw in. */
const ANSWER_IN_COMPANY: i32 = 8;

/** What is known, sixteen bytes a start of a bout: one hand; the other, how many cards are drawn, and the answer. It lies behind all else. */
let known: usize = 0;
let entries: u64 = 0;
let cleared: usize = 0;
/** So many bytes are cleared in one step, which takes some milliseconds. */
const AT_A_TIME: usize = 8 << 20;

let looked: u64 = 0;
let most: u64 = 0;
let pause: u64 = 0;
let broken: bool = false;

function says(what: usize): i32 {
  return load<i32>(what);
}

/** How many starts of bouts are known. */
export function lookedAt(): u64 {
  return looked;
}

/** Forget what is known, and make room for two to the power of that; whether there is so much memory. It has to be cleared yet. */
export function roomFor(power: i32): bool {
  const at = lend(DEAL, (<usize>16) << power);
  if (!at) return false;
  known = at;
  entries = (<u64>1) << power;
  cleared = 0;
  looked = 0;
  return true;
}

/** Clear some more of the room; whether all of it is clear. */
export function clearRoom(): bool {
  const size: usize = (<usize>entries) << 4;
  const more = min(AT_A_TIME, size - cleared);
  memory.fill(known + cleared, 0, more);
  cleared += more;
  return cleared === size;
}

export const LOST: i32 = 0;
export const REACHED: i32 = 1;
/** More starts of bouts would have to be known than may be, or than there is room for; or it is only time for a pause: asked again it goes on. */
export const TOO_MUCH: i32 = 2;
export const PAUSE: i32 = 3;

/** Whether the attacker reaches that worth (1: it wins; 0: it does not lose) with these hands, where so many starts of bouts may be known, and so many more now. */
export function reaches(attack: u64, defend: u64, room: i32, worth: i32, budget: u64, slice: u64): i32 {
  most = budget;
  pause = looked + slice;
  broken = false;
  const found = begin(attack, defend, 0, worth, room);
  return broken ? (looked >= most || looked >= entries - (entries >> 3) ? TOO_MUCH : PAUSE) : found ? REACHED : LOST;
}

function start(attack: u64, defend: u64, talon: i32, worth: i32): bool {
  const second = defend | ((<u64>talon) << 48) | ((<u64>worth) << 54) | ((<u64>1) << 55);
  const spread = (attack * 0x9e3779b97f4a7c15) ^ (second * 0xc2b2ae3d27d4eb4f);
  let at = placeOf(attack, second, spread ^ (spread >> 29));
  const there = load<u64>(at, 8);
  if (there) return there >> 56 !== 0;
  if (broken || looked >= most || looked >= pause || looked >= entries - (entries >> 3)) {
    broken = true;
    return false;
  }
  const held = <i32>popcnt(defend);
  const found = begin(attack, defend, talon, worth, held < says(MOST) ? held : says(MOST));
  if (!broken) {
    at = placeOf(attack, second, spread ^ (spread >> 29));
    store<u64>(at, attack);
    store<u64>(at, second | ((<u64>(found ? 1 : 0)) << 56), 8);
    looked++;
  }
  return found;
}

/** Where a position is remembered, or would be: the first place, from the one that its numbers lead to, where it stands or nothing does. */
function placeOf(attack: u64, second: u64, spread: u64): usize {
  let place = spread & (entries - 1);
  while (true) {
    const at = known + ((<usize>place) << 4);
    const there = load<u64>(at, 8);
    if (!there || (load<u64>(at) === attack && (there & ~((<u64>1) << 56)) === second)) return at;
    place = (place + 1) & (entries - 1);
  }
}

function better(card: u64): u64 {
  return load<u64>(BETTER + ((<usize>ctz(card)) << 3));
}

function ofRank(card: u64): u64 {
  return load<u64>(OF_RANK + ((<usize>ctz(card)) << 3));
}

function begin(attack: u64, defend: u64, talon: i32, worth: i32, room: i32): bool {
  if (says(ORDERLY) && talon === says(END) && allButOne(attack, defend)) return true;
  const more = says(THROWS) ? room - 1 : 0;
  for (let left = attack; left; left &= left - 1) {
    const card = left & (0 - left);
    if (answer(attack ^ card, defend, talon, ofRank(card), more, better(card) & defend, attack | defend, worth)) return true;
    if (broken) return false;
  }
  return false;
}

/** Whether all cards of a hand but one cannot be beaten: whatever is taken makes no other beatable, and the last goes out. */
function allButOne(attack: u64, defend: u64): bool {
  let weak = 0;
  for (let left = attack; left && weak < 2; left &= left - 1) if (better(left & (0 - left)) & defend) weak++;
  return !weak || (weak === 1 && (attack & (attack - 1)) !== 0);
}

/** A card waits to be beaten. */
function answer(attack: u64, defend: u64, talon: i32, rank: u64, room: i32, options: u64, everything: u64, worth: i32): bool {
  if (!attack && says(AT_ONCE) && talon === says(END)) return true;
  for (let left = options, card: u64 = 0; left; left ^= card) {
    card = next(left, attack, ANSWER_IN_COMPANY, OF_RANK);
    if (!asked(attack, defend ^ card, talon, rank | ofRank(card), room, everything, worth)) return false;
    if (broken) return false;
  }
  return take(attack, talon, rank, says(AFTER_TAKE) ? room : 0, everything, worth);
}

/** Everything is beaten: the bout ends, or the attacker throws in; which of the two is tried first, is said. */
function asked(attack: u64, defend: u64, talon: i32, rank: u64, room: i32, everything: u64, worth: i32): bool {
  if (!defend && says(AT_ONCE) && talon === says(END)) return false;
  const first = says(ENDS_FIRST) !== 0; // broken off in there, it says true: whoever asked looks at that first
  if (first && beaten(attack, defend, talon, worth)) return true;
  for (let left = room ? attack & rank : 0; left; left &= left - 1) {
    const card = left & (0 - left);
    if (answer(attack ^ card, defend, talon, rank, room - 1, better(card) & defend, everything, worth)) return true;
    if (broken) return false;
  }
  return !first && beaten(attack, defend, talon, worth);
}

/** The bout is beaten: both draw, and the defender opens the next. */
function beaten(attack: u64, defend: u64, talon: i32, worth: i32): bool {
  const first = says(FIRST) !== 0;
  const upto = drawnBy(first ? attack : defend, talon);
  const then = drawnBy(first ? defend : attack, upto);
  const one = between(talon, upto);
  const two = between(upto, then);
  const mine = attack | (first ? one : two);
  const other = defend | (first ? two : one);
  if (!mine) return other !== 0 || says(WON_BY_BOTH) !== 0 || !worth;
  return other !== 0 && !start(other, mine, then, 1 - worth);
}

/** The defender takes: the attacker adds what it likes, both draw, and it attacks again. */
function take(attack: u64, talon: i32, rank: u64, room: i32, everything: u64, worth: i32): bool {
  const fit = room ? attack & rank : 0;
  const first = says(FIRST + 4) !== 0;
  let added = fit;
  while (true) {
    if (<i32>popcnt(added) <= room) {
      const left = attack ^ added;
      const held = everything ^ left;
      const upto = drawnBy(first ? left : held, talon);
      const then = drawnBy(first ? held : left, upto);
      const one = between(talon, upto);
      const two = between(upto, then);
      const mine = left | (first ? one : two);
      if (!mine || start(mine, held | (first ? two : one), then, worth)) return true;
      if (broken) return false;
    }
    if (!added) return false;
    added = (added - 1) & fit;
  }
}

/** How much of the talon is drawn once a hand has been refilled. */
function drawnBy(hand: u64, talon: i32): i32 {
  const need = says(REFILL) - <i32>popcnt(hand);
  return need > 0 ? min(talon + need, says(END)) : talon;
}

function between(from: i32, upto: i32): u64 {
  return load<u64>(TOP_OF_TALON + ((<usize>from) << 3)) ^ load<u64>(TOP_OF_TALON + ((<usize>upto) << 3));
}
