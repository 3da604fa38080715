// Playouts: many worlds, each legal move tried on the same ones and played to the end by a policy; sums, and sums of products for pairs of moves.

import { solveEndgame } from "./acyclic_endgame_solver";
import { chooseMove, clearStatistics, isRecording, recordResult, startPlayout } from "./information_set_values";
import { LIST } from "./move_encoding";
import { play } from "./move_transitions";
import { playPolicyMove } from "./policy_moves";
import { mixBits, setSeed } from "./random_generator";
import { handSize, PHASE_OPEN, PHASE_OVER, restoreState, saveState, state, WHOLE } from "./state";
import { sampleWorld } from "./world_sampling";

/** So many moves are tried at most, and so many moves a playout may take before it is given up. */
export const MOST_TRIED: i32 = 64;
const MAX_PLAYOUT_MOVES: i32 = 10000;
/** What a game is worth is counted in parts of a win: as many as any number of winners shares evenly. */
export const PARTS: i32 = 60;

/** For each move the sum of what it brought, for each pair the sum of products: eight bytes each. Then how many worlds there were, and were given up. */
export const SUMS: usize = memory.data(512, 8);
export const PRODUCTS: usize = memory.data(32768, 8);
export const WORLDS: usize = memory.data(16, 8);
/** The moves that are tried. */
const TRIED_MOVES: usize = memory.data(512, 8);
const RESULTS: usize = memory.data(256, 8);
/** The world on which each is tried. */
const SAVED_WORLD: usize = memory.data(WHOLE, 16);

let triedCount: i32 = 0;
let worldCount: u64 = 0;
let baseSeed: u64 = 0;
let viewer: i32 = 0;
let policies: i32 = 0;
/** An ending of at most so many cards is not played out but decided, when a bout begins in it. */
let maxDecidedCards: i32 = 0;
/** Whether the later moves of the seat that is asked about are looked ahead to. */
let usesLookahead: bool = false;

/**
 * Try the first so many moves of the list for the seat to act, in so many worlds from that seed; three bits for each seat say its policy, and endings of so
 * many cards are decided; whether the seat looks ahead.
 */
export function askPlayouts(moveCount: i32, count: u64, seed: u64, seatPolicies: i32, decidedCards: i32, withLookahead: bool): void {
  memory.copy(TRIED_MOVES, LIST, (<usize>moveCount) << 3);
  memory.fill(SUMS, 0, 512);
  memory.fill(PRODUCTS, 0, 32768);
  memory.fill(WORLDS, 0, 16);
  triedCount = moveCount;
  worldCount = count;
  baseSeed = seed;
  viewer = state.actor;
  policies = seatPolicies;
  maxDecidedCards = decidedCards;
  usesLookahead = withLookahead;
  clearStatistics();
}

/** Play some more, for so many moves at least; whether all is played. */
export function playPlayouts(budget: i32): bool {
  let left = budget;
  while (load<u64>(WORLDS) < worldCount) {
    if (left <= 0) return false;
    const worldSeed = mixBits(baseSeed ^ mixBits(load<u64>(WORLDS)));
    setSeed(worldSeed);
    sampleWorld();
    left -= inWorld(worldSeed);
  }
  return true;
}

/** Try the moves on the moment that stands, as the next world; how many moves that took. */
export function inWorld(worldSeed: u64): i32 {
  saveState(SAVED_WORLD);
  let plies = 0;
  let isComplete = true;
  for (let i = 0; i < triedCount; i++) {
    if (i) restoreState(SAVED_WORLD);
    setSeed(mixBits(worldSeed + <u64>i + 1));
    const move = load<u64>(TRIED_MOVES + ((<usize>i) << 3));
    if (usesLookahead) startPlayout(move);
    const began = state.ply;
    play(move);
    plies += playOut() + state.ply - began;
    if (state.phase !== PHASE_OVER || state.overflow) isComplete = false;
    store<i32>(RESULTS + ((<usize>i) << 2), resultForSeat(viewer));
    if (usesLookahead) recordResult(resultForSeat(viewer));
  }
  if (isComplete) addResults();
  store<u64>(WORLDS, load<u64>(WORLDS) + 1);
  if (!isComplete) store<u64>(WORLDS, load<u64>(WORLDS, 8) + 1, 8);
  return plies;
}

/** Play on to the end, or to an ending that is decided; how much was looked at for that, counted as moves. */
function playOut(): i32 {
  const began = state.ply;
  while (state.phase !== PHASE_OVER && state.ply - began < MAX_PLAYOUT_MOVES) {
    if (
      maxDecidedCards &&
      state.phase === PHASE_OPEN &&
      state.drawn === state.end &&
      handSize(state.attacker) + handSize(state.defender) <= maxDecidedCards
    ) {
      const positionsSearched = solveEndgame();
      if (positionsSearched >= 0) return positionsSearched;
    }
    if (usesLookahead && state.actor === viewer && isRecording()) play(chooseMove(viewer));
    else playPolicyMove(policies);
  }
  return 0;
}

/** What the game is worth to a seat: the winners share a win, the losers a loss. */
function resultForSeat(seat: i32): i32 {
  if ((state.winners >> seat) & 1) return PARTS / <i32>popcnt(state.winners);
  return (state.losers >> seat) & 1 ? -PARTS / <i32>popcnt(state.losers) : 0;
}

function addResults(): void {
  for (let i = 0; i < triedCount; i++) {
    const result = load<i32>(RESULTS + ((<usize>i) << 2));
    const sum = SUMS + ((<usize>i) << 3);
    store<i64>(sum, load<i64>(sum) + result);
    for (let j = 0; j <= i; j++) {
      const product = PRODUCTS + ((<usize>(i * MOST_TRIED + j)) << 3);
      store<i64>(product, load<i64>(product) + result * load<i32>(RESULTS + ((<usize>j) << 2)));
    }
  }
}
