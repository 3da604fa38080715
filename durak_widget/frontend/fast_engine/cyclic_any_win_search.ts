// Whether a side of an ending can force a win at all, however long it takes, as `_search_any_win` in `analysis/cyclic_endgame_solver.py`.
//
// Every position counts as not won until it is proved to be. Where the other side moves, one move that is not known to lose is enough, and the next is
// looked at only once that one loses; when nothing is left to look at, what is not won never will be.
import { countPosition, ENDED, isWin, listMovesCheapFirst, makeMove, ONGOING } from "./cyclic_endgame_moves";
import { MOST_MOVES } from "./move_encoding";
import {
  actorOf,
  allocate,
  ensureMemory,
  findOrAddPosition,
  getBounds,
  getWinNode,
  loadPosition,
  seatOf,
  setWinNode,
  UNDECIDED,
} from "./position_table";
import { state } from "./state";

/** A position as the side that wants to win sees it. */
@unmanaged
class WinNode {
  position: usize;
  /** The places that are won, or must look on, once this one is won: a list, the first and the last of it. */
  firstDependent: usize;
  lastDependent: usize;
  /** The move to be looked at next; `DONE` where none is. */
  nextMove: u16;
  isOwnTurn: u8;
  isWon: u8;
}
const NODE_SIZE: usize = 16;
const NO_MOVE: u16 = 0xffff;

/** A place in a list. */
@unmanaged
class ListCell {
  node: usize;
  next: usize;
}
const CELL_SIZE: usize = 8;
let freeCells: usize = 0;

/** For each side the places that wait to be looked at, the last one first. */
const QUEUES: usize = memory.data(8, 8);
const MOVES: usize = memory.data(8 * MOST_MOVES, 8);
let searchSide: i32 = 0;
let rootAddress: usize = 0;

/** Nothing was met yet. */
export function clearNodes(): void {
  freeCells = 0;
  store<u64>(QUEUES, 0);
}

/** Whether a position was met by a side. */
export function hasNode(address: usize, side: i32): bool {
  return getWinNode(address, side) !== 0;
}

export function isWonNode(address: usize, side: i32): bool {
  return changetype<WinNode>(getWinNode(address, side)).isWon !== 0;
}

/** Whether anything waits to be looked at, so that what is not won yet may still be. */
export function hasQueuedNodes(side: i32): bool {
  return load<u32>(QUEUES + ((<usize>side) << 2)) !== 0;
}

function newCell(node: usize): usize {
  const cell = freeCells ? freeCells : allocate(CELL_SIZE);
  if (freeCells) freeCells = changetype<ListCell>(freeCells).next;
  changetype<ListCell>(cell).node = node;
  changetype<ListCell>(cell).next = 0;
  return cell;
}

/** A cell in which a place waits. */
function enqueue(cell: usize): void {
  const head = QUEUES + ((<usize>searchSide) << 2);
  changetype<ListCell>(cell).next = load<u32>(head);
  store<u32>(head, <u32>cell);
}

/** A cell that is free again. */
function releaseCell(cell: usize): void {
  changetype<ListCell>(cell).next = freeCells;
  freeCells = cell;
}

/** A position that was not met before, which waits to be looked at unless the short search has decided it. */
function addNode(address: usize): WinNode {
  const nodeAddress = allocate(NODE_SIZE);
  const node = changetype<WinNode>(nodeAddress);
  node.position = address;
  node.firstDependent = node.lastDependent = 0;
  node.isOwnTurn = actorOf(address) === seatOf(searchSide) ? 1 : 0;
  node.isWon = getBounds(address, searchSide) >>> 16 < UNDECIDED ? 1 : 0;
  node.nextMove = NO_MOVE;
  if (!node.isWon && getBounds(address, searchSide ^ 1) >>> 16 === UNDECIDED) {
    node.nextMove = 0;
    enqueue(newCell(nodeAddress));
  }
  setWinNode(address, searchSide, nodeAddress);
  countPosition();
  return node;
}

/** Ask whether a side can ever win from a position. */
export function startAnyWinSearch(address: usize, side: i32): void {
  searchSide = side;
  rootAddress = address;
  if (!getWinNode(address, searchSide)) addNode(address);
}

/** Whether it is decided. */
export function isDecided(): bool {
  return !hasQueuedNodes(searchSide) || isWonNode(rootAddress, searchSide);
}

/** Look at the place that came last; whether there was room enough. */
export function searchNextNode(): bool {
  const cell = <usize>load<u32>(QUEUES + ((<usize>searchSide) << 2));
  store<u32>(QUEUES + ((<usize>searchSide) << 2), <u32>changetype<ListCell>(cell).next);
  const node = changetype<WinNode>(changetype<ListCell>(cell).node);
  releaseCell(cell);
  if (node.isWon) return true;
  const result = searchNode(node);
  if (result > 0) propagateWin(node);
  return result >= 0;
}

/** Look at the moves of a place as far as is needed now; whether it is proved to be won, or -1 where there is no room for what it leads to. */
function searchNode(node: WinNode): i32 {
  const isOwnTurn: i32 = node.isOwnTurn;
  if (node.nextMove === NO_MOVE) return isOwnTurn ^ 1;
  loadPosition(node.position);
  const moveCount = listMovesCheapFirst(MOVES, MOST_MOVES);
  if (moveCount < 0) return -1;
  while (<i32>node.nextMove < moveCount) {
    if (!ensureMemory()) return -1;
    const outcome = makeMove(node.position, load<u64>(MOVES + ((<usize>node.nextMove) << 3)));
    if (state.overflow) return -1;
    if (outcome !== ONGOING) {
      const won = outcome === ENDED && isWin(seatOf(searchSide)) ? 1 : 0;
      node.nextMove++;
      if (won !== isOwnTurn) continue;
      node.nextMove = NO_MOVE;
      return won;
    }
    const childAddress = findOrAddPosition();
    const isNew = !getWinNode(childAddress, searchSide);
    if (isNew && isOwnTurn) enqueue(newCell(changetype<usize>(node))); // beneath what it leads to
    const child = isNew ? addNode(childAddress) : changetype<WinNode>(getWinNode(childAddress, searchSide));
    node.nextMove++;
    if (child.isWon) {
      if (isOwnTurn) return 1;
      continue;
    }
    addDependent(node, child);
    if (isNew || !isOwnTurn) return 0;
  }
  return isOwnTurn ^ 1;
}

/** A place asks to be told once another is won. */
function addDependent(node: WinNode, child: WinNode): void {
  const cell = newCell(changetype<usize>(node));
  if (child.firstDependent) changetype<ListCell>(child.lastDependent).next = cell;
  else child.firstDependent = cell;
  child.lastDependent = cell;
}

/** A place is proved to be won: so is every one from which the side goes there, and where the other does, it needs another move. */
function propagateWin(node: WinNode): void {
  node.isWon = 1;
  let cell = node.firstDependent;
  let lastCell = node.lastDependent;
  node.firstDependent = 0;
  while (cell) {
    const next = changetype<ListCell>(cell).next;
    const dependent = changetype<WinNode>(changetype<ListCell>(cell).node);
    let nextCell = next;
    if (!dependent.isOwnTurn) enqueue(cell);
    else {
      releaseCell(cell);
      if (!dependent.isWon) {
        dependent.isWon = 1;
        if (dependent.firstDependent) {
          if (next) changetype<ListCell>(lastCell).next = dependent.firstDependent;
          else nextCell = dependent.firstDependent;
          lastCell = dependent.lastDependent;
          dependent.firstDependent = 0;
        }
      }
    }
    cell = nextCell;
  }
}
