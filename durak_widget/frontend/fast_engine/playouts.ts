// Playouts: many worlds, each legal move tried on the same ones and played to the end by a policy; sums, and sums of products for pairs of moves.
import { begin, forget, hopeful, learn, looksAhead } from "./ahead";
import { sow, stirred } from "./chance";
import { decide } from "./endings";
import { LIST } from "./moves";
import { play } from "./play";
import { playOne } from "./policies";
import { back, held, keep, OPEN, OVER, state, WHOLE } from "./state";
import { drawWorld } from "./worlds";

/** So many moves are tried at most, and so many moves a playout may take before it is given up. */
export const MOST_TRIED: i32 = 64;
const LONGEST: i32 = 10000;
/** What a game is worth is counted in parts of a win: as many as any number of winners shares evenly. */
export const PARTS: i32 = 60;

/** For each move the sum of what it brought, for each pair the sum of products: eight bytes each. Then how many worlds there were, and were given up. */
export const SUMS: usize = memory.data(512, 8);
export const PRODUCTS: usize = memory.data(32768, 8);
export const WORLDS: usize = memory.data(16, 8);
/** The moves that are tried. */
const TRIED: usize = memory.data(512, 8);
const WORTH: usize = memory.data(256, 8);
/** The world on which each is tried. */
const WORLD: usize = memory.data(WHOLE, 16);

let tried: i32 = 0;
let wanted: u64 = 0;
let from: u64 = 0;
let viewer: i32 = 0;
let policies: i32 = 0;
/** An ending of at most so many cards is not played out but decided, when a bout begins in it. */
let decided: i32 = 0;
/** Whether the later moves of the seat that is asked about are looked ahead to. */
let ahead: bool = false;

/**
 * Try the first so many moves of the list for the seat to act, in so many worlds from that seed; three bits for each seat say its policy, and endings of so
 * many cards are decided; whether the seat looks ahead.
 */
export function askPlayouts(moves: i32, many: u64, seed: u64, how: i32, cards: i32, looks: bool): void {
  memory.copy(TRIED, LIST, (<usize>moves) << 3);
  memory.fill(SUMS, 0, 512);
  memory.fill(PRODUCTS, 0, 32768);
  memory.fill(WORLDS, 0, 16);
  tried = moves;
  wanted = many;
  from = seed;
  viewer = state.actor;
  policies = how;
  decided = cards;
  ahead = looks;
  forget();
}

/** Play some more, for so many moves at least; whether all is played. */
export function playPlayouts(budget: i32): bool {
  let left = budget;
  while (load<u64>(WORLDS) < wanted) {
    if (left <= 0) return false;
    const chance = stirred(from ^ stirred(load<u64>(WORLDS)));
    sow(chance);
    drawWorld();
    left -= inWorld(chance);
  }
  return true;
}

/** Try the moves on the moment that stands, as the next world; how many moves that took. */
export function inWorld(chance: u64): i32 {
  keep(WORLD);
  let plies = 0;
  let whole = true;
  for (let i = 0; i < tried; i++) {
    if (i) back(WORLD);
    sow(stirred(chance + <u64>i + 1));
    const move = load<u64>(TRIED + ((<usize>i) << 3));
    if (ahead) begin(move);
    const began = state.ply;
    play(move);
    plies += playOut() + state.ply - began;
    if (state.phase !== OVER || state.overflow) whole = false;
    store<i32>(WORTH + ((<usize>i) << 2), worth(viewer));
    if (ahead) learn(worth(viewer));
  }
  if (whole) note();
  store<u64>(WORLDS, load<u64>(WORLDS) + 1);
  if (!whole) store<u64>(WORLDS, load<u64>(WORLDS, 8) + 1, 8);
  return plies;
}

/** Play on to the end, or to an ending that is decided; how much was looked at for that, counted as moves. */
function playOut(): i32 {
  const began = state.ply;
  while (state.phase !== OVER && state.ply - began < LONGEST) {
    if (decided && state.phase === OPEN && state.drawn === state.end && held(state.attacker) + held(state.defender) <= decided) {
      const looked = decide();
      if (looked >= 0) return looked;
    }
    if (ahead && state.actor === viewer && looksAhead()) play(hopeful(viewer));
    else playOne(policies);
  }
  return 0;
}

/** What the game is worth to a seat: the winners share a win, the losers a loss. */
function worth(seat: i32): i32 {
  if ((state.winners >> seat) & 1) return PARTS / <i32>popcnt(state.winners);
  return (state.losers >> seat) & 1 ? -PARTS / <i32>popcnt(state.losers) : 0;
}

function note(): void {
  for (let i = 0; i < tried; i++) {
    const one = load<i32>(WORTH + ((<usize>i) << 2));
    const sum = SUMS + ((<usize>i) << 3);
    store<i64>(sum, load<i64>(sum) + one);
    for (let j = 0; j <= i; j++) {
      const product = PRODUCTS + ((<usize>(i * MOST_TRIED + j)) << 3);
      store<i64>(product, load<i64>(product) + one * load<i32>(WORTH + ((<usize>j) << 2)));
    }
  }
}
