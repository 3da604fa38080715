// What the search of endings remembers: about a start of a bout and a worth, within how many bouts it is not yet decided, and from how many on it is.
//
// What is known lies in a row, in the order in which it was found; whole positions are compared, so that no answer comes from another one. An index of
// small numbers says where in the row what stands. It begins small, so that it is near at hand, and is made anew, twice as large, when half of it is
// taken. When the row is full, that half of it is forgotten which took less to find.

/** As many bouts as it takes; one less is the same. */
export const EVER: i32 = 0xfffe;
/** Behind all bouts: not known to be decided ever. */
const NEVER: u16 = 0xffff;
/** What is known of one position. */
@unmanaged
class Known {
  attack: u64;
  defend: u64;
  /** How many positions were looked at to find it. */
  cost: u32;
  /** Within how many bouts it is not decided that the attacker loses, and from how many on it is. */
  never: u16;
  surely: u16;
  /** The same of its win. */
  neverWon: u16;
  surelyWon: u16;
}
const KNOWN: usize = 32;
const MOST: u32 = (1 << 20) - 1;
const ROW: usize = memory.data(32 << 20, 64);
let count: u32 = 0;

/** For each place of the index a position stands in: from one on the number of what is known, and above it twelve bits of what led here; 0 for none. */
const INDEX: usize = memory.data(8 << 20, 64);
const LEAST_PLACES: u32 = 1 << 11;
const NUMBER: u32 = (1 << 20) - 1;
let places: u32 = LEAST_PLACES;
/** Whether anything was forgotten. */
let forgot: bool = false;
/** The number of the ending that is open. */
let ending: u32 = 0;

/** What is remembered from now on is of the ending of that number. */
export function openTable(number: u32): void {
  ending = number;
  count = 0;
  forgot = false;
  places = LEAST_PLACES;
  memory.fill(INDEX, 0, 4 * <usize>places);
}

export function opened(): u32 {
  return ending;
}

/** Whether something of the ending that is open was forgotten. */
export function hasForgotten(): bool {
  return forgot;
}

function spread(attack: u64, defend: u64): u64 {
  let x = attack * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29) ^ defend) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 32)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/** Twelve bits of what led there. */
function markOf(from: u64): u32 {
  return <u32>(from >> 52);
}

function numbered(number: u32): Known {
  return changetype<Known>(ROW + KNOWN * <usize>(number - 1));
}

/** What is known of a position; null where nothing is. */
function find(attack: u64, defend: u64): Known | null {
  const from = spread(attack, defend);
  const mark = markOf(from);
  let place = <u32>from & (places - 1);
  let there = load<u32>(INDEX + ((<usize>place) << 2));
  while (there) {
    if (there >> 20 === mark) {
      const known = numbered(there & NUMBER);
      if (known.attack === attack && known.defend === defend) return known;
    }
    place = (place + 1) & (places - 1);
    there = load<u32>(INDEX + ((<usize>place) << 2));
  }
  return null;
}

/** Whether a worth is reached from there within so many bouts: 1 or 0, and 2 more if that is no draw; -1 where it is not known. */
export function recall(attack: u64, defend: u64, worth: i32, within: i32): i32 {
  if (!within) return worth ^ 1;
  const known = find(attack, defend);
  if (!known) return -1;
  if (worth) {
    if (within <= <i32>known.neverWon) return known.surely === NEVER ? 0 : 2;
    return within >= <i32>known.surelyWon ? 3 : -1;
  }
  if (within <= <i32>known.never) return known.surelyWon === NEVER ? 1 : 3;
  return within >= <i32>known.surely ? 2 : -1;
}

/** From there a worth is reached within so many bouts, or is not, and whether that is known to be no draw; it took so many positions to find that. */
export function remember(attack: u64, defend: u64, worth: i32, within: i32, reached: i32, sure: i32, cost: u32): void {
  const known = find(attack, defend) || noted(attack, defend);
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

/** A position of which nothing is known yet, noted. */
function noted(attack: u64, defend: u64): Known {
  if (count === MOST || count > places >> 1) {
    if (count === MOST) forget();
    else places <<= 1;
    indexAnew();
  }
  count++;
  enter(count, attack, defend);
  const known = numbered(count);
  known.attack = attack;
  known.defend = defend;
  known.cost = 0;
  known.never = known.neverWon = 0;
  known.surely = known.surelyWon = NEVER;
  return known;
}

/** Enter a position that is not in the index: at the first place that is free. */
function enter(number: u32, attack: u64, defend: u64): void {
  const from = spread(attack, defend);
  let place = <u32>from & (places - 1);
  while (load<u32>(INDEX + ((<usize>place) << 2))) place = (place + 1) & (places - 1);
  store<u32>(INDEX + ((<usize>place) << 2), number | (markOf(from) << 20));
}

function indexAnew(): void {
  memory.fill(INDEX, 0, 4 * <usize>places);
  for (let number: u32 = 1; number <= count; number++) enter(number, numbered(number).attack, numbered(number).defend);
}

const CLASSES: i32 = 33;
/** How many positions cost as much, by powers of two: in a class those that cost more than the power before, up to its own. */
const BY_COST: usize = memory.data(4 * CLASSES, 8);

function costClass(cost: u32): i32 {
  return cost ? 32 - <i32>clz(cost - 1) : 0;
}

/** Keep what was dear to find: half of all, or less. */
function forget(): void {
  forgot = true;
  memory.fill(BY_COST, 0, 4 * CLASSES);
  for (let number: u32 = 1; number <= count; number++) {
    const at = BY_COST + ((<usize>costClass(numbered(number).cost)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let cheap = 0;
  let dearer = count - load<u32>(BY_COST);
  while (dearer > MOST >> 1) dearer -= load<u32>(BY_COST + ((<usize>++cheap) << 2));
  let kept: u32 = 0;
  for (let number: u32 = 1; number <= count; number++) {
    if (costClass(numbered(number).cost) <= cheap) continue;
    kept++;
    memory.copy(changetype<usize>(numbered(kept)), changetype<usize>(numbered(number)), KNOWN);
  }
  count = kept;
}
