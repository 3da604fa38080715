// Where moves lead in an ending that may go round and round: in which order they are tried, what is a win, which starts of bouts are draws, and how
// many positions may be looked at.
import { legalMoves } from "./legal";
import { codeOf, kindOf, MOST_MOVES, moveAt, PASS, TAKE } from "./moves";
import { play } from "./play";
import { standAt } from "./positions";
import { OVER, remember, state, timesHere } from "./state";
import { faceOf } from "./tables";

const RANKS: i32 = 14;
/** The class of what lays no card: behind those of plain cards and of trumps. */
const LAST: i32 = 2 * RANKS;
/** Where the next move of each class goes. */
const NEXT: usize = memory.data(4 * (LAST + 2), 4);

/** How soon a move is tried: plain cards first, and cheap ones; to take, or to pass, comes last. */
function classOf(move: u64): i32 {
  const kind = kindOf(move);
  if (kind === PASS || kind === TAKE) return LAST;
  const face = faceOf(codeOf(move));
  if (face >= 52) return RANKS - 1;
  return (face % 13) + (face / 13 === state.suit ? RANKS : 0);
}

/** Put the legal moves there in the order in which they are tried, those of a class as they are listed; how many there are, or -1 for too many. */
export function cheapFirst(at: usize, most: i32): i32 {
  const count = legalMoves();
  if (count >= MOST_MOVES || count > most) return -1;
  memory.fill(NEXT, 0, 4 * (LAST + 2));
  for (let i = 0; i < count; i++) {
    const next = NEXT + 4 * <usize>(classOf(moveAt(i)) + 1);
    store<i32>(next, load<i32>(next) + 1);
  }
  for (let one: usize = 1; one <= <usize>LAST; one++)
    store<i32>(NEXT + 4 * one, load<i32>(NEXT + 4 * one) + load<i32>(NEXT + 4 * (one - 1)));
  for (let i = 0; i < count; i++) {
    const next = NEXT + 4 * <usize>classOf(moveAt(i));
    const place = load<i32>(next);
    store<u64>(at + ((<usize>place) << 3), moveAt(i));
    store<i32>(next, place + 1);
  }
  return count;
}

/** How many starts of bouts end the game in a draw; they lie where a game has those that may come again. */
let starts: i32 = 0;
/** With how many epaulettes the fool must be left. */
let least: i32 = 0;
/** Whether the last move began another bout. */
let another: i32 = 0;

/** Begin anew, in the ending of the moment that lies there. */
export function terms(epaulettes: i32): void {
  looked = 0;
  least = epaulettes;
  starts = state.past;
}

export const DRAWN: i32 = 0;
export const ENDED: i32 = 1;
export const GOES_ON: i32 = 2;

/** Make a move in a position, and stand where it leads: whether the game goes on there. */
export function follow(position: usize, move: u64): i32 {
  standAt(position);
  state.past = starts;
  const bout = state.bout;
  play(move);
  if (state.phase === OVER) return ENDED;
  another = state.bout > bout ? 1 : 0;
  return another && starts && tooOften() ? DRAWN : GOES_ON;
}

/** Whether the bout that begins is one of those that are draws. */
function tooOften(): bool {
  remember(state.attacker);
  const often = timesHere() > 1;
  state.past--;
  return often;
}

export function beganAnother(): i32 {
  return another;
}

/** Whether the game is over and a seat has won it, as it shall be won. */
export function wonBy(seat: i32): bool {
  return ((state.winners >> seat) & 1) !== 0 && state.epaulettes >= least;
}

/** How many positions are known, as `CyclicEndgameSolver.positions_searched` counts them, and how many may be. */
let looked: i32 = 0;
let budget: i32 = 0;

export function allow(positions: i32): void {
  budget = positions;
}

export function look(): void {
  looked++;
}

export function lookedAt(): i32 {
  return looked;
}

export function isSpent(): bool {
  return looked >= budget;
}
