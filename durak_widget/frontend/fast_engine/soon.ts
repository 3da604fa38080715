// Whether a side of an ending wins within so many bouts, as `_search` in `analysis/cyclic_endgame_solver.py`; on a stack of its own, so that it may rest.
import { isWon, met, waits } from "./ever";
import { beganAnother, cheapFirst, ENDED, follow, GOES_ON, isSpent, look, wonBy } from "./follow";
import { actorOf, bounds, EVER, hasRoom, NEVER, position, seatOf, setBounds, standAt } from "./positions";
import { state } from "./state";

/** A position that is being searched. */
@unmanaged
class Frame {
  position: usize;
  side: i32;
  within: i32;
  /** What was known of it when it was begun. */
  bounds: i32;
  mine: i32;
  /** Where its moves lie, from the next one on to behind the last. */
  next: usize;
  end: usize;
}
const FRAME: usize = 28;
/** So deep the search may go, and so many moves may lie there. */
const MOST_FRAMES: i32 = 4096;
const STACK: usize = memory.data(<i32>FRAME * (MOST_FRAMES + 1), 8);
const DEEPEST: usize = STACK + FRAME * MOST_FRAMES;
const MOST_LYING: i32 = 1 << 16;
const MOVES: usize = memory.data(8 * MOST_LYING, 8);
const LAST_MOVE: usize = MOVES + 8 * MOST_LYING;
let top: usize = STACK;
let value: i32 = 0;
/** How many positions were searched since somebody last asked for that to be counted. */
let steps: i32 = 0;

export const FINE: i32 = 0;
/** More positions than may be looked at would have to be; there is no room for what must be put down. */
export const SPENT: i32 = 2;
export const NO_ROOM: i32 = 3;

export function countSteps(): void {
  steps = 0;
}

export function stepsMade(): i32 {
  return steps;
}

/** What was found. */
export function found(): i32 {
  return value;
}

export function isSearching(): bool {
  return top !== STACK;
}

/** Search for a win of that side in that position, within so many bouts. */
export function searchFrom(at: usize, side: i32, within: i32): i32 {
  top = STACK;
  changetype<Frame>(STACK).end = MOVES;
  return within > 0 ? searchAt(at, side, within) : answered(0);
}

function answered(found: i32): i32 {
  value = found;
  return FINE;
}

function searchAt(at: usize, side: i32, within: i32): i32 {
  const known = bounds(at, side);
  const surely = known >>> 16;
  if (within <= (known & 0xffff) || within >= surely) return answered(within >= surely ? 1 : 0);
  if (!waits(side) && met(at, side) && !isWon(at, side)) return answered(0);
  if (isSpent()) return SPENT;
  steps++;
  const moves = changetype<Frame>(top).end;
  standAt(at);
  const count = cheapFirst(moves, <i32>((LAST_MOVE - moves) >> 3));
  if (top === DEEPEST || count < 0) return NO_ROOM;
  top += FRAME;
  const frame = changetype<Frame>(top);
  frame.position = at;
  frame.side = side;
  frame.within = within;
  frame.bounds = known;
  frame.mine = actorOf(at) === seatOf(side) ? 1 : 0;
  frame.next = moves;
  frame.end = moves + ((<usize>count) << 3);
  value = frame.mine ^ 1; // what one that has come to nothing so far has found
  return FINE;
}

/** Try another move of the position on top of the stack, or be done with it. */
export function searchOn(): i32 {
  const frame = changetype<Frame>(top);
  if (value === frame.mine || frame.next === frame.end) {
    done(frame);
    return FINE;
  }
  const move = load<u64>(frame.next);
  frame.next += 8;
  const led = follow(frame.position, move);
  if (state.overflow || !hasRoom()) return NO_ROOM;
  if (led !== GOES_ON) return answered(led === ENDED && wonBy(seatOf(frame.side)) ? 1 : 0);
  const within = beganAnother() && frame.within !== EVER ? frame.within - 1 : frame.within;
  return within ? searchAt(position(), frame.side, within) : answered(0);
}

/** A position is searched: what its last move has come to is what it comes to, and is remembered. */
function done(frame: Frame): void {
  if (bounds(frame.position, frame.side) === NEVER << 16) look();
  const known = frame.bounds;
  setBounds(frame.position, frame.side, value ? (known & 0xffff) | (frame.within << 16) : frame.within | (known & (NEVER << 16)));
  top -= FRAME;
}
