// What the search of endings remembers: about a start of a bout and a worth, within how many bouts it is not yet decided, and from how many on it is.
//
// What is known lies in a row, in the order in which it was found; whole positions are compared, so that no answer comes from another one. An index of
// small numbers says where in the row what stands. It begins small, so that it is near at hand, and is made anew, twice as large, when half of it is
// taken. When the row is full, that half of it is forgotten which took less to find.

/** As many bouts as it takes; one less is the same. */
export const NO_LIMIT: i32 = 0xfffe;
/** Behind all bouts: not known to be decided ever. */
const UNDECIDED: u16 = 0xffff;
/** What is known of one position. */
@unmanaged
class CachedResult {
  attack: u64;
  defend: u64;
  /** How many positions were looked at to find it. */
  cost: u32;
  /** Within how many bouts it is not decided that the attacker loses, and from how many on it is. */
  neverLost: u16;
  lost: u16;
  /** The same of its win. */
  neverWon: u16;
  won: u16;
}
const RESULT_SIZE: usize = 32;
const MOST: u32 = (1 << 20) - 1;
const RESULTS: usize = memory.data(32 << 20, 64);
let resultCount: u32 = 0;

/** For each place of the index a position stands in: from one on the number of what is known, and above it twelve bits of what led here; 0 for none. */
const HASH_INDEX: usize = memory.data(8 << 20, 64);
const MIN_SLOTS: u32 = 1 << 11;
const NUMBER_MASK: u32 = (1 << 20) - 1;
let places: u32 = MIN_SLOTS;
/** Whether anything was forgotten. */
let forgot: bool = false;
/** The number of the ending that is open. */
let currentSearchId: u32 = 0;

/** What is remembered from now on is of the ending of that number. */
export function clearResults(searchId: u32): void {
  currentSearchId = searchId;
  resultCount = 0;
  forgot = false;
  places = MIN_SLOTS;
  memory.fill(HASH_INDEX, 0, 4 * <usize>places);
}

export function openSearchId(): u32 {
  return currentSearchId;
}

/** Whether something of the ending that is open was forgotten. */
export function hasForgotten(): bool {
  return forgot;
}

function hashPosition(attack: u64, defend: u64): u64 {
  let x = attack * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29) ^ defend) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 32)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/** Twelve bits of what led there. */
function hashTag(hash: u64): u32 {
  return <u32>(hash >> 52);
}

function resultAt(number: u32): CachedResult {
  return changetype<CachedResult>(RESULTS + RESULT_SIZE * <usize>(number - 1));
}

/** What is known of a position; null where nothing is. */
function findResult(attack: u64, defend: u64): CachedResult | null {
  const hash = hashPosition(attack, defend);
  const tag = hashTag(hash);
  let slot = <u32>hash & (places - 1);
  let entry = load<u32>(HASH_INDEX + ((<usize>slot) << 2));
  while (entry) {
    if (entry >> 20 === tag) {
      const result = resultAt(entry & NUMBER_MASK);
      if (result.attack === attack && result.defend === defend) return result;
    }
    slot = (slot + 1) & (places - 1);
    entry = load<u32>(HASH_INDEX + ((<usize>slot) << 2));
  }
  return null;
}

/** Whether a worth is reached from there within so many bouts: 1 or 0, and 2 more if that is no draw; -1 where it is not known. */
export function lookUpResult(attack: u64, defend: u64, target: i32, maxBouts: i32): i32 {
  if (!maxBouts) return target ^ 1;
  const result = findResult(attack, defend);
  if (!result) return -1;
  if (target) {
    if (maxBouts <= <i32>result.neverWon) return result.lost === UNDECIDED ? 0 : 2;
    return maxBouts >= <i32>result.won ? 3 : -1;
  }
  if (maxBouts <= <i32>result.neverLost) return result.won === UNDECIDED ? 1 : 3;
  return maxBouts >= <i32>result.lost ? 2 : -1;
}

/** From there a worth is reached within so many bouts, or is not, and whether that is known to be no draw; it took so many positions to find that. */
export function storeResult(attack: u64, defend: u64, target: i32, maxBouts: i32, reached: i32, decisive: i32, cost: u32): void {
  const result = findResult(attack, defend) || addResult(attack, defend);
  result.cost = max(result.cost, cost);
  const decided = reached === target || (decisive && maxBouts === NO_LIMIT);
  if (decided && reached) {
    result.won = min(result.won, <u16>maxBouts);
    result.neverLost = <u16>NO_LIMIT; // who wins does not lose
  } else if (decided) {
    result.lost = min(result.lost, <u16>maxBouts);
    result.neverWon = <u16>NO_LIMIT;
  } else if (target) result.neverWon = <u16>maxBouts;
  else result.neverLost = <u16>maxBouts;
}

/** A position of which nothing is known yet, noted. */
function addResult(attack: u64, defend: u64): CachedResult {
  if (resultCount === MOST || resultCount > places >> 1) {
    if (resultCount === MOST) dropCheapResults();
    else places <<= 1;
    rebuildIndex();
  }
  resultCount++;
  insertIntoIndex(resultCount, attack, defend);
  const result = resultAt(resultCount);
  result.attack = attack;
  result.defend = defend;
  result.cost = 0;
  result.neverLost = result.neverWon = 0;
  result.lost = result.won = UNDECIDED;
  return result;
}

/** Enter a position that is not in the index: at the first place that is free. */
function insertIntoIndex(number: u32, attack: u64, defend: u64): void {
  const hash = hashPosition(attack, defend);
  let slot = <u32>hash & (places - 1);
  while (load<u32>(HASH_INDEX + ((<usize>slot) << 2))) slot = (slot + 1) & (places - 1);
  store<u32>(HASH_INDEX + ((<usize>slot) << 2), number | (hashTag(hash) << 20));
}

function rebuildIndex(): void {
  memory.fill(HASH_INDEX, 0, 4 * <usize>places);
  for (let number: u32 = 1; number <= resultCount; number++) insertIntoIndex(number, resultAt(number).attack, resultAt(number).defend);
}

const CLASSES: i32 = 33;
/** How many positions cost as much, by powers of two: in a class those that cost more than the power before, up to its own. */
const COST_HISTOGRAM: usize = memory.data(4 * CLASSES, 8);

function costClass(cost: u32): i32 {
  return cost ? 32 - <i32>clz(cost - 1) : 0;
}

/** Keep what was dear to find: half of all, or less. */
function dropCheapResults(): void {
  forgot = true;
  memory.fill(COST_HISTOGRAM, 0, 4 * CLASSES);
  for (let number: u32 = 1; number <= resultCount; number++) {
    const counter = COST_HISTOGRAM + ((<usize>costClass(resultAt(number).cost)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let maxDroppedClass = 0;
  let remainingCount = resultCount - load<u32>(COST_HISTOGRAM);
  while (remainingCount > MOST >> 1) remainingCount -= load<u32>(COST_HISTOGRAM + ((<usize>++maxDroppedClass) << 2));
  let keptCount: u32 = 0;
  for (let number: u32 = 1; number <= resultCount; number++) {
    if (costClass(resultAt(number).cost) <= maxDroppedClass) continue;
    keptCount++;
    memory.copy(changetype<usize>(resultAt(keptCount)), changetype<usize>(resultAt(number)), RESULT_SIZE);
  }
  resultCount = keptCount;
}
