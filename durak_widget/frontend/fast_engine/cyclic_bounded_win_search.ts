// Whether a side of an ending wins within so many bouts, as `_search` in `analysis/cyclic_endgame_solver.py`; on a stack of its own, so that it may rest.
import { hasNode, hasQueuedNodes, isWonNode } from "./cyclic_any_win_search";
import { countPosition, ENDED, isBudgetSpent, isWin, listMovesCheapFirst, makeMove, ONGOING, startedNewBout } from "./cyclic_endgame_moves";
import {
  actorOf,
  ensureMemory,
  findOrAddPosition,
  getBounds,
  loadPosition,
  NO_LIMIT,
  seatOf,
  setBounds,
  UNDECIDED,
} from "./position_table";
import { state } from "./state";

/** A position that is being searched. */
@unmanaged
class Frame {
  position: usize;
  side: i32;
  maxBouts: i32;
  /** What was known of it when it was begun. */
  knownBounds: i32;
  isOwnTurn: i32;
  /** Where its moves lie, from the next one on to behind the last. */
  nextMove: usize;
  end: usize;
}
const FRAME_SIZE: usize = 28;
/** So deep the search may go, and so many moves may lie there. */
const MAX_FRAMES: i32 = 4096;
const STACK: usize = memory.data(<i32>FRAME_SIZE * (MAX_FRAMES + 1), 8);
const LAST_FRAME: usize = STACK + FRAME_SIZE * MAX_FRAMES;
const MAX_STACKED_MOVES: i32 = 1 << 16;
const MOVE_STACK: usize = memory.data(8 * MAX_STACKED_MOVES, 8);
const MOVE_STACK_END: usize = MOVE_STACK + 8 * MAX_STACKED_MOVES;
let top: usize = STACK;
let lastResult: i32 = 0;
/** How many positions were searched since somebody last asked for that to be counted. */
let stepCount: i32 = 0;

export const RUNNING: i32 = 0;
/** More positions than may be looked at would have to be; there is no room for what must be put down. */
export const BUDGET_SPENT: i32 = 2;
export const OUT_OF_MEMORY: i32 = 3;

export function resetStepCount(): void {
  stepCount = 0;
}

export function stepsSearched(): i32 {
  return stepCount;
}

/** What was found. */
export function searchResult(): i32 {
  return lastResult;
}

export function isSearching(): bool {
  return top !== STACK;
}

/** Search for a win of that side in that position, within so many bouts. */
export function startBoundedSearch(address: usize, side: i32, maxBouts: i32): i32 {
  top = STACK;
  changetype<Frame>(STACK).end = MOVE_STACK;
  return maxBouts > 0 ? searchPosition(address, side, maxBouts) : setResult(0);
}

function setResult(result: i32): i32 {
  lastResult = result;
  return RUNNING;
}

function searchPosition(address: usize, side: i32, maxBouts: i32): i32 {
  const knownBounds = getBounds(address, side);
  const winWithin = knownBounds >>> 16;
  if (maxBouts <= (knownBounds & 0xffff) || maxBouts >= winWithin) return setResult(maxBouts >= winWithin ? 1 : 0);
  if (!hasQueuedNodes(side) && hasNode(address, side) && !isWonNode(address, side)) return setResult(0);
  if (isBudgetSpent()) return BUDGET_SPENT;
  stepCount++;
  const moves = changetype<Frame>(top).end;
  loadPosition(address);
  const moveCount = listMovesCheapFirst(moves, <i32>((MOVE_STACK_END - moves) >> 3));
  if (top === LAST_FRAME || moveCount < 0) return OUT_OF_MEMORY;
  top += FRAME_SIZE;
  const frame = changetype<Frame>(top);
  frame.position = address;
  frame.side = side;
  frame.maxBouts = maxBouts;
  frame.knownBounds = knownBounds;
  frame.isOwnTurn = actorOf(address) === seatOf(side) ? 1 : 0;
  frame.nextMove = moves;
  frame.end = moves + ((<usize>moveCount) << 3);
  lastResult = frame.isOwnTurn ^ 1; // what one that has come to nothing so far has found
  return RUNNING;
}

/** Try another move of the position on top of the stack, or be done with it. */
export function searchStep(): i32 {
  const frame = changetype<Frame>(top);
  if (lastResult === frame.isOwnTurn || frame.nextMove === frame.end) {
    finishPosition(frame);
    return RUNNING;
  }
  const move = load<u64>(frame.nextMove);
  frame.nextMove += 8;
  const outcome = makeMove(frame.position, move);
  if (state.overflow || !ensureMemory()) return OUT_OF_MEMORY;
  if (outcome !== ONGOING) return setResult(outcome === ENDED && isWin(seatOf(frame.side)) ? 1 : 0);
  const maxBouts = startedNewBout() && frame.maxBouts !== NO_LIMIT ? frame.maxBouts - 1 : frame.maxBouts;
  return maxBouts ? searchPosition(findOrAddPosition(), frame.side, maxBouts) : setResult(0);
}

/** A position is searched: what its last move has come to is what it comes to, and is remembered. */
function finishPosition(frame: Frame): void {
  if (getBounds(frame.position, frame.side) === UNDECIDED << 16) countPosition();
  const knownBounds = frame.knownBounds;
  setBounds(
    frame.position,
    frame.side,
    lastResult ? (knownBounds & 0xffff) | (frame.maxBouts << 16) : frame.maxBouts | (knownBounds & (UNDECIDED << 16)),
  );
  top -= FRAME_SIZE;
}
