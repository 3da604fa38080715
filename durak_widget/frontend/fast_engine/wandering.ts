// Two hands and no talon, under any rules: who wins, and within how many bouts, as in `analysis/cyclic_endgame_solver.py`, step for step.
//
// What is won within a few bouts is searched for first (`soon.ts`), and then, for each side alone, whether it can ever win (`ever.ts`). The moves come in
// the same order as there, and as many positions are looked at; but what would be left there to calls in calls stands on a stack, so that the search may
// rest after any step, and goes on where it stood.
import { decided, forget, isWon, lookOn, met, seek, waits } from "./ever";
import { allow, isSpent, terms } from "./follow";
import { TRANSFERS } from "./image";
import { begin, EVER, hasRoom, position, sideOf } from "./positions";
import { ENDING, lentTo } from "./room";
import { countSteps, FINE, found, isSearching, NO_ROOM, SPENT, searchFrom, searchOn, stepsMade } from "./soon";
import { says } from "./tables";

/** About so many steps are searched for a quick win before one is sought that may take any time. */
export const FEW: i32 = 100;
/** The number of the ending that is open; 0 for none. */
let ending: i32 = 0;

// What is being done
const BOUNDED: i32 = 0;
const SOON: i32 = 1;
const EVER_AT_ALL: i32 = 2;
const ANSWERED: i32 = 3;
let task: i32 = ANSWERED;
let answer: i32 = 0;
let root: usize = 0;
/** The side that is asked about, and the one whose quick win is sought just now, within so many bouts. */
let side: i32 = 0;
let turn: i32 = 0;
let within: i32 = 0;
/** Whether the question has taken any search. */
let worked: i32 = 0;

/**
 * Open the ending of the moment that lies there, by a number that no other has had: so many epaulettes must be left, and whether the first bout is unlike
 * others. Whether there is room for it.
 */
export function open(number: i32, least: i32, differs: bool): bool {
  ending = begin(differs) ? number : 0;
  terms(least);
  forget();
  return ending !== 0;
}

/**
 * Ask of the moment that lies there whether a seat can force the win within so many bouts, in the ending of that number, where so many positions may be
 * known; and search. -1 if that ending is not open.
 */
export function ask(number: i32, seat: i32, bouts: i32, positions: i32, steps: i32): i32 {
  if (!isOpen(number)) return -1;
  if (!hasRoom()) return close();
  allow(positions);
  side = sideOf(seat);
  root = position();
  worked = answer = 0;
  const how = begun(bouts);
  return how === FINE ? rest(number, steps) : stopped(how);
}

function isOpen(number: i32): bool {
  return ending === number && lentTo() === ENDING;
}

function begun(bouts: i32): i32 {
  if (!says(TRANSFERS) || bouts < EVER) {
    task = BOUNDED;
    return searchFrom(root, side, bouts);
  }
  if (met(root, side) && (isWon(root, side) || !waits(side))) return answered(isWon(root, side));
  task = SOON;
  countSteps();
  turn = side;
  within = 1;
  return searchFrom(root, turn, within);
}

/** Search on for so many steps, in the ending of that number. */
export function rest(number: i32, steps: i32): i32 {
  if (!isOpen(number)) return close();
  for (let i = 0; i < steps && task !== ANSWERED; i++) {
    const how = step();
    if (how !== FINE) return stopped(how);
  }
  return (task === ANSWERED ? DONE : FINE) | told();
}

function step(): i32 {
  if (isSearching()) {
    worked = WORKED;
    return searchOn();
  }
  if (task === BOUNDED) return answered(found() !== 0);
  return task === SOON ? soon() : ever();
}

/** What was sought quickly is found, or not: then for the other side, then within one bout more, and in the end however long it takes. */
function soon(): i32 {
  if (found()) return answered(turn === side);
  if (turn !== side) {
    within++;
    if (stepsMade() >= FEW) {
      task = EVER_AT_ALL;
      worked = WORKED;
      if (!hasRoom()) return NO_ROOM;
      seek(root, side);
      return FINE;
    }
  }
  turn ^= 1;
  return searchFrom(root, turn, within);
}

function ever(): i32 {
  if (decided()) return answered(isWon(root, side));
  if (isSpent()) return SPENT;
  worked = WORKED;
  return lookOn() ? FINE : NO_ROOM;
}

function answered(won: bool): i32 {
  task = ANSWERED;
  answer = won ? WON : 0;
  return FINE;
}

// What is told: in the two lowest bits whether it is done, and if not, why it rests; then whether the seat wins, and whether anything had to be
// searched
const DONE: i32 = 1;
const WON: i32 = 4;
const WORKED: i32 = 8;

function told(): i32 {
  return answer | worked;
}

/** It stops before it is done: at the end of the budget; or because there is no room, and then all is given up. */
function stopped(how: i32): i32 {
  task = ANSWERED;
  return how === NO_ROOM ? close() : how | told();
}

function close(): i32 {
  ending = 0;
  return NO_ROOM;
}
