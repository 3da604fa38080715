// Whole games, many of them, in slices: what happened in all, and a digest that tells one run from another.
import { below, sow, sown, stirred } from "./chance";
import { deal } from "./deal";
import { NOBODY } from "./image";
import { playOn } from "./policies";
import { OVER, state } from "./state";
import { players } from "./tables";

// What is counted, eight bytes each
const WON: i32 = 0;
const LOST: i32 = 6;
const FOOL: i32 = 12;
/** By how many epaulettes the fool wears. */
const WORN: i32 = 18;
const DRAWN: i32 = 21;
const PLIES: i32 = 22;
const BOUTS: i32 = 23;
const DIGEST: i32 = 24;
const PLAYED: i32 = 25;
const OVERFLOWS: i32 = 26;
export const TALLY: usize = memory.data(216, 8);

let policies: i32 = 0;
let seed: u64 = 0;
let wanted: u64 = 0;
let resume: bool = false;

function count(what: i32, by: u64 = 1): void {
  const at = TALLY + ((<usize>what) << 3);
  store<u64>(at, load<u64>(at) + by);
}

function tally(what: i32): u64 {
  return load<u64>(TALLY + ((<usize>what) << 3));
}

/** Ask for so many games from that seed; three bits for each seat say its policy. */
export function askGames(many: u64, from: u64, how: i32): void {
  memory.fill(TALLY, 0, 216);
  policies = how;
  wanted = many;
  seed = from;
  resume = false;
}

/** Play them on for so many moves, more or less; whether all are played. */
export function playGames(budget: i32): bool {
  let left = budget;
  while (tally(PLAYED) < wanted) {
    if (!resume) begin(tally(PLAYED));
    resume = true;
    left -= playOn(policies, left);
    if (state.phase !== OVER) return false;
    note();
    resume = false;
  }
  return true;
}

/** The game of that number: each has chance of its own, so that it is the same whatever is played before it. */
function begin(number: u64): void {
  sow(stirred(seed ^ stirred(number)));
  deal(below(players()));
}

function note(): void {
  count(PLAYED);
  if (state.overflow) count(OVERFLOWS);
  count(PLIES, state.ply);
  count(BOUTS, state.bout);
  for (let seat = 0; seat < players(); seat++) {
    if ((state.winners >> seat) & 1) count(WON + seat);
    if ((state.losers >> seat) & 1) count(LOST + seat);
  }
  if (!state.winners) count(DRAWN);
  if (state.fool !== NOBODY) {
    count(FOOL + state.fool);
    count(WORN + state.epaulettes);
  }
  const ended = (state.winners << 8) | (state.fool << 4) | state.epaulettes;
  const said: u64 = ((<u64>state.ply) << 32) | ((<u64>state.bout) << 16) | <u64>ended;
  store<u64>(TALLY + ((<usize>DIGEST) << 3), stirred(tally(DIGEST) ^ said ^ sown()));
}
