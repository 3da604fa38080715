// What the kernel is asked from outside.
//
// Only numbers of 32 bits cross this border; larger ones, and whatever is more than a number, lie in memory at the places named here.

import { positionsSearched as acyclicPositionsSearched } from "./acyclic_endgame_search";
import { askEndgame as askAcyclic, continueSearch, openEndgame as openAcyclic } from "./acyclic_endgame_solver";
import { positionsSearched as cyclicPositionsSearched } from "./cyclic_endgame_moves";
import { askEndgame as askCyclic, continueSearch as continueCyclic, openEndgame as openCyclic } from "./cyclic_endgame_solver";
import { canReach, storedPositions } from "./double_dummy_solver";
import { askGames as beginSimulation } from "./game_simulation";
import { askPlayouts as beginPlayouts, inWorld as tryMovesInWorld } from "./monte_carlo_playouts";
import { play as applyMove } from "./move_transitions";
import { careful as findCarefulMove } from "./policy_moves";
import { nextBits, randomBelow, setSeed } from "./random_generator";
import { CHECKSUM, IMAGE, IMAGE_SIZE, LAYOUT, MAGIC, MARKS, PLAYERS, SIZE } from "./rules_image";

export { FEW } from "./cyclic_endgame_solver";
export { BETTER, clearRoom, LOST, OF_RANK, OPENED, PAUSE, REACHED, roomFor, TOO_MUCH, TOP_OF_TALON } from "./double_dummy_solver";
export { playGames, TALLY } from "./game_simulation";
export { legalMoves } from "./legal_moves";
export { MOST_TRIED, PARTS, PRODUCTS, playPlayouts, SUMS, WORLDS } from "./monte_carlo_playouts";
export { LIST, MOST_MOVES } from "./move_encoding";
export * from "./rules_image";
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
} from "./world_sampling";

/** Where numbers of 64 bits are handed over, both ways. */
export const INBOX: usize = memory.data(64, 8);

/** Whether an image lies there, whole and of this layout. */
export function imageStands(): bool {
  const hasValidHeader =
    load<i32>(IMAGE + MARKS) === MAGIC && load<i32>(IMAGE + MARKS + 4) === LAYOUT && load<i32>(IMAGE + SIZE) === IMAGE_SIZE;
  return hasValidHeader && load<u32>(IMAGE + CHECKSUM) === adler32(IMAGE + PLAYERS, IMAGE_SIZE - PLAYERS);
}

function adler32(address: usize, size: usize): u32 {
  let low: u32 = 1;
  let high: u32 = 0;
  for (let i: usize = 0; i < size; i++) {
    low = (low + load<u8>(address + i)) % 65521;
    high = (high + low) % 65521;
  }
  return (high << 16) | low;
}

/** Hand over three numbers by chance from the seed that is handed over: whoever hosts this shows by them that it counts as it should. */
export function drawThree(): void {
  setSeed(load<u64>(INBOX));
  for (let i: usize = 0; i < 3; i++) store<u64>(INBOX + (i << 3), <u64>randomBelow(1000000007) * nextBits());
}

/** Carry out the move whose number is handed over. */
export function play(): void {
  applyMove(load<u64>(INBOX));
}

/** Hand over the number of what the careful bot would play. */
export function careful(): void {
  store<u64>(INBOX, findCarefulMove());
}

/** Ask for games: from the seed that is handed over first, and as many as is handed over next; three bits for each seat say its policy. */
export function askGames(policies: i32): void {
  beginSimulation(load<u64>(INBOX, 8), load<u64>(INBOX), policies);
}

/** Try the first so many moves of the list, in as many worlds as is handed over second, from the seed that is handed over first; see `monte_carlo_playouts.ts`. */
export function askPlayouts(moveCount: i32, policies: i32, maxDecidedCards: i32, looksAhead: i32): void {
  beginPlayouts(moveCount, load<u64>(INBOX, 8), load<u64>(INBOX), policies, maxDecidedCards, looksAhead !== 0);
}

/** Try them on the moment that stands, with the chance that is handed over. */
export function inWorld(): void {
  tryMovesInWorld(load<u64>(INBOX));
}

/**
 * Whether the attacker of a deal with open cards reaches that worth; handed over are the hands, how many starts of bouts may be known, and how many more
 * now. How many are known then is handed back.
 */
export function openReaches(firstBoutLimit: i32, target: i32): i32 {
  const result = canReach(load<u64>(INBOX), load<u64>(INBOX, 8), firstBoutLimit, target, load<u64>(INBOX, 16), load<u64>(INBOX, 24));
  store<u64>(INBOX, storedPositions());
  return result;
}

/** A number of 32 bits that is handed over. */
function inboxNumber(index: i32): i32 {
  return <i32>load<u64>(INBOX + ((<usize>index) << 3));
}

/** Open an ending, ask of it, and search on: see `acyclic_endgame_solver.ts`, to which the numbers are handed over. How many positions were looked at is handed back. */
export function openEnding(): bool {
  openAcyclic(inboxNumber(0));
  return true;
}

export function askEnding(): i32 {
  return returnResult(
    askAcyclic(inboxNumber(0), inboxNumber(1), inboxNumber(2), inboxNumber(3), inboxNumber(4)),
    acyclicPositionsSearched(),
  );
}

export function searchEnding(): i32 {
  return returnResult(continueSearch(inboxNumber(0), inboxNumber(1)), acyclicPositionsSearched());
}

function returnResult(result: i32, positionsSearched: u64): i32 {
  store<u64>(INBOX, positionsSearched);
  return result;
}

/** The same where positions may come again: see `cyclic_endgame_solver.ts`. */
export function openWandering(): bool {
  return openCyclic(inboxNumber(0), inboxNumber(1), inboxNumber(2) !== 0);
}

export function askWandering(): i32 {
  return returnResult(askCyclic(inboxNumber(0), inboxNumber(1), inboxNumber(2), inboxNumber(3), inboxNumber(4)), cyclicPositionsSearched());
}

export function searchWandering(): i32 {
  return returnResult(continueCyclic(inboxNumber(0), inboxNumber(1)), cyclicPositionsSearched());
}
