// Where moves lead in an ending that may go round and round: in which order they are tried, what is a win, which starts of bouts are draws, and how
// many positions may be looked at.
import { legalMoves } from "./legal_moves";
import { codeOf, kindOf, MOST_MOVES, moveAt, PASS, TAKE } from "./move_encoding";
import { play } from "./move_transitions";
import { loadPosition } from "./position_table";
import { cardFace } from "./rules_tables";
import { addRepeatablePosition, countRepetitions, PHASE_OVER, state } from "./state";

const RANK_COUNT: i32 = 14;
/** The class of what lays no card: behind those of plain cards and of trumps. */
const LAST_CLASS: i32 = 2 * RANK_COUNT;
/** Where the next move of each class goes. */
const NEXT_INDEX: usize = memory.data(4 * (LAST_CLASS + 2), 4);

/** How soon a move is tried: plain cards first, and cheap ones; to take, or to pass, comes last. */
function moveOrderClass(move: u64): i32 {
  const kind = kindOf(move);
  if (kind === PASS || kind === TAKE) return LAST_CLASS;
  const face = cardFace(codeOf(move));
  if (face >= 52) return RANK_COUNT - 1;
  return (face % 13) + (face / 13 === state.suit ? RANK_COUNT : 0);
}

/** Put the legal moves there in the order in which they are tried, those of a class as they are listed; how many there are, or -1 for too many. */
export function listMovesCheapFirst(address: usize, maxMoves: i32): i32 {
  const moveCount = legalMoves();
  if (moveCount >= MOST_MOVES || moveCount > maxMoves) return -1;
  memory.fill(NEXT_INDEX, 0, 4 * (LAST_CLASS + 2));
  for (let i = 0; i < moveCount; i++) {
    const indexAddress = NEXT_INDEX + 4 * <usize>(moveOrderClass(moveAt(i)) + 1);
    store<i32>(indexAddress, load<i32>(indexAddress) + 1);
  }
  for (let orderClass: usize = 1; orderClass <= <usize>LAST_CLASS; orderClass++)
    store<i32>(NEXT_INDEX + 4 * orderClass, load<i32>(NEXT_INDEX + 4 * orderClass) + load<i32>(NEXT_INDEX + 4 * (orderClass - 1)));
  for (let i = 0; i < moveCount; i++) {
    const indexAddress = NEXT_INDEX + 4 * <usize>moveOrderClass(moveAt(i));
    const index = load<i32>(indexAddress);
    store<u64>(address + ((<usize>index) << 3), moveAt(i));
    store<i32>(indexAddress, index + 1);
  }
  return moveCount;
}

/** How many starts of bouts end the game in a draw; they lie where a game has those that may come again. */
let drawnStartCount: i32 = 0;
/** With how many epaulettes the fool must be left. */
let minEpaulettes: i32 = 0;
/** Whether the last move began another bout. */
let isNewBout: i32 = 0;

/** Begin anew, in the ending of the moment that lies there. */
export function startEndgame(epaulettes: i32): void {
  searchedCount = 0;
  minEpaulettes = epaulettes;
  drawnStartCount = state.past;
}

export const DRAWN: i32 = 0;
export const ENDED: i32 = 1;
export const ONGOING: i32 = 2;

/** Make a move in a position, and stand where it leads: whether the game goes on there. */
export function makeMove(position: usize, move: u64): i32 {
  loadPosition(position);
  state.past = drawnStartCount;
  const bout = state.bout;
  play(move);
  if (state.phase === PHASE_OVER) return ENDED;
  isNewBout = state.bout > bout ? 1 : 0;
  return isNewBout && drawnStartCount && isDrawnStart() ? DRAWN : ONGOING;
}

/** Whether the bout that begins is one of those that are draws. */
function isDrawnStart(): bool {
  addRepeatablePosition(state.attacker);
  const isRepeated = countRepetitions() > 1;
  state.past--;
  return isRepeated;
}

export function startedNewBout(): i32 {
  return isNewBout;
}

/** Whether the game is over and a seat has won it, as it shall be won. */
export function isWin(seat: i32): bool {
  return ((state.winners >> seat) & 1) !== 0 && state.epaulettes >= minEpaulettes;
}

/** How many positions are known, as `CyclicEndgameSolver.positions_searched` counts them, and how many may be. */
let searchedCount: i32 = 0;
let budget: i32 = 0;

export function setBudget(maxPositions: i32): void {
  budget = maxPositions;
}

export function countPosition(): void {
  searchedCount++;
}

export function positionsSearched(): i32 {
  return searchedCount;
}

export function isBudgetSpent(): bool {
  return searchedCount >= budget;
}
