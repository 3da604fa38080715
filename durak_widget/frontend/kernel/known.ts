// What the search of endings remembers: about a start of a bout and a worth, within how many bouts it is not yet decided, and from how many on it is.
//
// Whole positions lie in the table and are compared whole, so that no answer comes from another position that falls on the same place. Each has two
// places, side by side: in the first stays what took more to find, in the second what came last. A table begins small, so that it is near at hand,
// and is doubled as it fills; once it is as large as there is room, it forgets.

/** As many bouts as it takes; one less is the same. */
export const EVER: i32 = 0xfffe;
/** Behind all bouts: not known to be decided ever. */
const NEVER: u16 = 0xffff;
const PLACE: usize = 32;
const PAIR: usize = 2 * PLACE;
const FEWEST_PAIRS: u32 = 1 << 10;
const MOST_PAIRS: u32 = 1 << 19;
const TABLE: usize = memory.data(32 << 20, 64);
let pairs: u32 = FEWEST_PAIRS;
let filled: u32 = 0;
/** The number of the ending that is open; what lies in the table of others is as good as gone. */
let ending: u32 = 0;

/** A place in the table. */
@unmanaged
class Known {
  attack: u64;
  defend: u64;
  /** The number of the ending in which this holds; 0 for none. */
  ending: u32;
  /** How many positions were looked at to find it. */
  cost: u32;
  /** Within how many bouts it is not decided that the attacker loses, and from how many on it is. */
  never: u16;
  surely: u16;
  /** The same of its win. */
  neverWon: u16;
  surelyWon: u16;
}

/** What is remembered from now on is of the ending of that number. */
export function openTable(number: u32): void {
  ending = number;
  pairs = FEWEST_PAIRS;
  filled = 0;
}

export function opened(): u32 {
  return ending;
}

/** Which pair of places a position has, in a table of any size. */
function pairOf(attack: u64, defend: u64): u32 {
  let x = attack * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29) ^ defend) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 32)) * 0x94d049bb133111eb;
  return <u32>(x >> 40);
}

function firstOf(attack: u64, defend: u64): usize {
  return TABLE + <usize>(pairOf(attack, defend) & (pairs - 1)) * PAIR;
}

function holds(at: usize, attack: u64, defend: u64): bool {
  const known = changetype<Known>(at);
  return known.attack === attack && known.defend === defend && known.ending === ending;
}

/** Whether a worth is reached from there within so many bouts: 1 or 0, and 2 more if that is no draw; -1 where it is not known. */
export function recall(attack: u64, defend: u64, worth: i32, within: i32): i32 {
  if (!within) return worth ^ 1;
  let at = firstOf(attack, defend);
  if (!holds(at, attack, defend)) {
    at += PLACE;
    if (!holds(at, attack, defend)) return -1;
  }
  const known = changetype<Known>(at);
  if (worth) {
    if (within <= <i32>known.neverWon) return known.surely === NEVER ? 0 : 2;
    return within >= <i32>known.surelyWon ? 3 : -1;
  }
  if (within <= <i32>known.never) return known.surelyWon === NEVER ? 1 : 3;
  return within >= <i32>known.surely ? 2 : -1;
}

/** From there a worth is reached within so many bouts, or is not, and whether that is known to be no draw; it took so many positions to find that. */
export function remember(attack: u64, defend: u64, worth: i32, within: i32, reached: i32, sure: i32, cost: u32): void {
  const at = placeFor(attack, defend, cost);
  const known = changetype<Known>(at);
  known.cost = max(known.cost, cost);
  const decided = reached === worth || (sure && within === EVER);
  if (decided && reached) {
    known.surelyWon = min(known.surelyWon, <u16>within);
    known.never = <u16>EVER; // who wins does not lose
  } else if (decided) {
    known.surely = min(known.surely, <u16>within);
    known.neverWon = <u16>EVER;
  } else if (worth) known.neverWon = <u16>within;
  else known.never = <u16>within;
}

/** The place of a position, or one for it: what lies in the first gives way to what is dearer, or of another ending. */
function placeFor(attack: u64, defend: u64, cost: u32): usize {
  let first = firstOf(attack, defend);
  if (holds(first, attack, defend)) return first;
  if (holds(first + PLACE, attack, defend)) return first + PLACE;
  if (filled > pairs && pairs < MOST_PAIRS) {
    double();
    first = firstOf(attack, defend);
  }
  filled++;
  const there = changetype<Known>(first);
  const goes = there.ending !== ending || there.cost <= cost;
  if (goes) move(first, first + PLACE);
  const at = goes ? first : first + PLACE;
  const known = changetype<Known>(at);
  known.attack = attack;
  known.defend = defend;
  known.ending = ending;
  known.cost = cost;
  known.never = known.neverWon = 0;
  known.surely = known.surelyWon = NEVER;
  return at;
}

/** Copy a place: word by word, for so few a call would take longer. */
function move(from: usize, to: usize): void {
  for (let word: usize = 0; word < PLACE; word += 8) store<u64>(to + word, load<u64>(from + word));
}

/** Make the table twice as large: what lies in a pair stays there, or goes as far behind the old end as it lay behind the beginning. */
function double(): void {
  const size = PAIR * <usize>pairs;
  for (let at = TABLE; at < TABLE + size; at += PAIR) {
    changetype<Known>(at + size).ending = changetype<Known>(at + size + PLACE).ending = 0;
    for (let place = at; place < at + PAIR; place += PLACE) {
      const known = changetype<Known>(place);
      if (known.ending !== ending || !(pairOf(known.attack, known.defend) & pairs)) continue;
      move(place, place + size);
      known.ending = 0;
    }
  }
  pairs <<= 1;
}
