// Whole games, many of them, in slices: what happened in all, and a digest that tells one run from another.

import { deal } from "./deal";
import { playMoves } from "./policy_moves";
import { getSeed, mixBits, randomBelow, setSeed } from "./random_generator";
import { NOBODY } from "./rules_image";
import { playerCount } from "./rules_tables";
import { PHASE_OVER, state } from "./state";

// What is counted, eight bytes each
const WINS: i32 = 0;
const LOST: i32 = 6;
const TIMES_FOOL: i32 = 12;
/** By how many epaulettes the fool wears. */
const EPAULETTE_COUNTS: i32 = 18;
const TIES: i32 = 21;
const PLIES: i32 = 22;
const BOUTS: i32 = 23;
const DIGEST: i32 = 24;
const GAMES_PLAYED: i32 = 25;
const OVERFLOWS: i32 = 26;
export const TALLY: usize = memory.data(216, 8);

let policies: i32 = 0;
let seed: u64 = 0;
let gameCount: u64 = 0;
let isGameInProgress: bool = false;

function addToTally(index: i32, amount: u64 = 1): void {
  const address = TALLY + ((<usize>index) << 3);
  store<u64>(address, load<u64>(address) + amount);
}

function tallyValue(index: i32): u64 {
  return load<u64>(TALLY + ((<usize>index) << 3));
}

/** Ask for so many games from that seed; three bits for each seat say its policy. */
export function askGames(count: u64, firstSeed: u64, seatPolicies: i32): void {
  memory.fill(TALLY, 0, 216);
  policies = seatPolicies;
  gameCount = count;
  seed = firstSeed;
  isGameInProgress = false;
}

/** Play them on for so many moves, more or less; whether all are played. */
export function playGames(budget: i32): bool {
  let left = budget;
  while (tallyValue(GAMES_PLAYED) < gameCount) {
    if (!isGameInProgress) startGame(tallyValue(GAMES_PLAYED));
    isGameInProgress = true;
    left -= playMoves(policies, left);
    if (state.phase !== PHASE_OVER) return false;
    recordResult();
    isGameInProgress = false;
  }
  return true;
}

/** The game of that number: each has chance of its own, so that it is the same whatever is played before it. */
function startGame(number: u64): void {
  setSeed(mixBits(seed ^ mixBits(number)));
  deal(randomBelow(playerCount()));
}

function recordResult(): void {
  addToTally(GAMES_PLAYED);
  if (state.overflow) addToTally(OVERFLOWS);
  addToTally(PLIES, state.ply);
  addToTally(BOUTS, state.bout);
  for (let seat = 0; seat < playerCount(); seat++) {
    if ((state.winners >> seat) & 1) addToTally(WINS + seat);
    if ((state.losers >> seat) & 1) addToTally(LOST + seat);
  }
  if (!state.winners) addToTally(TIES);
  if (state.fool !== NOBODY) {
    addToTally(TIMES_FOOL + state.fool);
    addToTally(EPAULETTE_COUNTS + state.epaulettes);
  }
  const outcomeBits = (state.winners << 8) | (state.fool << 4) | state.epaulettes;
  const gameBits: u64 = ((<u64>state.ply) << 32) | ((<u64>state.bout) << 16) | <u64>outcomeBits;
  store<u64>(TALLY + ((<usize>DIGEST) << 3), mixBits(tallyValue(DIGEST) ^ gameBits ^ getSeed()));
}
