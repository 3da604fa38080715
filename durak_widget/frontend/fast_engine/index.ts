// What the kernel is asked from outside.
//
// Only numbers of 32 bits cross this border; larger ones, and whatever is more than a number, lie in memory at the places named here.

import { below, bits, sow } from "./chance";
import { lookedAt as lookedAtEnding } from "./duel";
import { ask as askOfEnding, open as openThis, rest } from "./endings";
import { lookedAt as known } from "./follow";
import { askGames as ask } from "./games";
import { CHECKSUM, IMAGE, IMAGE_SIZE, LAYOUT, MAGIC, MARKS, PLAYERS, SIZE } from "./image";
import { lookedAt, reaches } from "./opened";
import { play as carryOut } from "./play";
import { askPlayouts as askTried, inWorld as playInWorld } from "./playouts";
import { careful as carefully } from "./policies";
import { ask as askOfWandering, open as openWanderingThere, rest as wanderOn } from "./wandering";

export { playGames, TALLY } from "./games";
export * from "./image";
export { legalMoves } from "./legal";
export { LIST, MOST_MOVES } from "./moves";
export { BETTER, clearRoom, LOST, OF_RANK, OPENED, PAUSE, REACHED, roomFor, TOO_MUCH, TOP_OF_TALON } from "./opened";
export { MOST_TRIED, PARTS, PRODUCTS, playPlayouts, SUMS, WORLDS } from "./playouts";
export {
  ATTACKS,
  BEATS,
  EMPTIED,
  HANDS,
  HANDS_TWICE,
  MOST_PAST,
  PAST_ATTACKER,
  PLACES,
  SEEN,
  SEEN_TWICE,
  SHOWN,
  STATE,
  STATE_SIZE,
  STRIDE,
  SWAPPED,
  TALON,
  WHOLE,
} from "./state";
export { FEW } from "./wandering";
export {
  KINDS,
  LAYING,
  LEADS_TO,
  LEVELS,
  MOST_KINDS,
  MOST_NODES,
  MOST_OPTIONS,
  NODES,
  OPEN_PLACES,
  POOL,
  SHARE_OF_CHANCE,
  TAKES,
  takeBare,
} from "./worlds";

/** Where numbers of 64 bits are handed over, both ways. */
export const INBOX: usize = memory.data(64, 8);

/** Whether an image lies there, whole and of this layout. */
export function imageStands(): bool {
  const marked = load<i32>(IMAGE + MARKS) === MAGIC && load<i32>(IMAGE + MARKS + 4) === LAYOUT && load<i32>(IMAGE + SIZE) === IMAGE_SIZE;
  return marked && load<u32>(IMAGE + CHECKSUM) === adler32(IMAGE + PLAYERS, IMAGE_SIZE - PLAYERS);
}

function adler32(from: usize, size: usize): u32 {
  let low: u32 = 1;
  let high: u32 = 0;
  for (let i: usize = 0; i < size; i++) {
    low = (low + load<u8>(from + i)) % 65521;
    high = (high + low) % 65521;
  }
  return (high << 16) | low;
}

/** Hand over three numbers by chance from the seed that is handed over: whoever hosts this shows by them that it counts as it should. */
export function drawThree(): void {
  sow(load<u64>(INBOX));
  for (let i: usize = 0; i < 3; i++) store<u64>(INBOX + (i << 3), <u64>below(1000000007) * bits());
}

/** Carry out the move whose number is handed over. */
export function play(): void {
  carryOut(load<u64>(INBOX));
}

/** Hand over the number of what the careful bot would play. */
export function careful(): void {
  store<u64>(INBOX, carefully());
}

/** Ask for games: from the seed that is handed over first, and as many as is handed over next; three bits for each seat say its policy. */
export function askGames(policies: i32): void {
  ask(load<u64>(INBOX, 8), load<u64>(INBOX), policies);
}

/** Try the first so many moves of the list, in as many worlds as is handed over second, from the seed that is handed over first; see `playouts.ts`. */
export function askPlayouts(moves: i32, policies: i32, decided: i32, ahead: i32): void {
  askTried(moves, load<u64>(INBOX, 8), load<u64>(INBOX), policies, decided, ahead !== 0);
}

/** Try them on the moment that stands, with the chance that is handed over. */
export function inWorld(): void {
  playInWorld(load<u64>(INBOX));
}

/**
 * Whether the attacker of a deal with open cards reaches that worth; handed over are the hands, how many starts of bouts may be known, and how many more
 * now. How many are known then is handed back.
 */
export function openReaches(room: i32, worth: i32): i32 {
  const found = reaches(load<u64>(INBOX), load<u64>(INBOX, 8), room, worth, load<u64>(INBOX, 16), load<u64>(INBOX, 24));
  store<u64>(INBOX, lookedAt());
  return found;
}

/** A number of 32 bits that is handed over. */
function handed(place: i32): i32 {
  return <i32>load<u64>(INBOX + ((<usize>place) << 3));
}

/** Open an ending, ask of it, and search on: see `endings.ts`, to which the numbers are handed over. How many positions were looked at is handed back. */
export function openEnding(): bool {
  openThis(handed(0));
  return true;
}

export function askEnding(): i32 {
  return told(askOfEnding(handed(0), handed(1), handed(2), handed(3), handed(4)), lookedAtEnding());
}

export function searchEnding(): i32 {
  return told(rest(handed(0), handed(1)), lookedAtEnding());
}

function told(found: i32, looked: u64): i32 {
  store<u64>(INBOX, looked);
  return found;
}

/** The same where positions may come again: see `wandering.ts`. */
export function openWandering(): bool {
  return openWanderingThere(handed(0), handed(1), handed(2) !== 0);
}

export function askWandering(): i32 {
  return told(askOfWandering(handed(0), handed(1), handed(2), handed(3), handed(4)), known());
}

export function searchWandering(): i32 {
  return told(wanderOn(handed(0), handed(1)), known());
}
