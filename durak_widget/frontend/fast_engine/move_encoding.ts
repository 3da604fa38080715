// A move as one number, and the list of those that are legal.
//
// Four bits say its kind, nine its code (as played, of the last card named), six the face that its first card counts as. An attack with several
// cards has behind its code how many they are, and for each in five bits its suit and the suit chosen for it: their rank is the code's.
import { FACES } from "./rules_image";
import { cardFace } from "./rules_tables";
import { state } from "./state";

// The kinds of moves, as `engine/moves.py` counts them
export const ATTACK: i32 = 0;
export const THROW: i32 = 1;
export const PASS: i32 = 2;
export const BEAT: i32 = 3;
export const TRANSFER: i32 = 4;
export const SHOW: i32 = 5;
export const TAKE: i32 = 6;
export const SWAP: i32 = 7;
export const ATTACK_SEVERAL: i32 = 8;
/** As many cards of a rank as two decks hold. */
export const MAX_ATTACK_CARDS: i32 = 8;

export function encodeMove(kind: i32, code: i32, target: i32 = 0): u64 {
  return <u64>(kind | (code << 4) | (target << 13));
}

export function kindOf(move: u64): i32 {
  return <i32>move & 15;
}

export function codeOf(move: u64): i32 {
  return (<i32>move >> 4) & 511;
}

export function targetOf(move: u64): i32 {
  return (<i32>move >> 13) & 63;
}

/** An attack with several cards, whose codes lie there, two bytes each. */
export function encodeAttackSeveral(codes: usize, count: i32): u64 {
  let move: u64 = <u64>(ATTACK_SEVERAL | (load<u16>(codes + ((<usize>(count - 1)) << 1)) << 4) | (count << 13));
  for (let i = 0; i < count; i++) {
    const code: i32 = load<u16>(codes + ((<usize>i) << 1));
    const face = cardFace(code);
    const suit = face < 52 ? face / 13 : face - 52;
    move |= (<u64>((suit << 3) | (code / FACES))) << (17 + 5 * i);
  }
  return move;
}

export function cardCountOf(move: u64): i32 {
  return <i32>(move >> 13) & 15;
}

/** The code of one of its cards. */
export function cardCodeOf(move: u64, index: i32): i32 {
  const bits = <i32>(move >> (17 + 5 * index)) & 31;
  const last = cardFace(codeOf(move));
  const face = last < 52 ? 13 * (bits >> 3) + (last % 13) : 52 + (bits >> 3);
  return FACES * (bits & 7) + face;
}

// The list

/** So many moves a list holds. */
export const MOST_MOVES: i32 = 8192;
export const LIST: usize = memory.data(8 * MOST_MOVES, 16);
let moveCount: i32 = 0;

export function clearMoveList(): void {
  moveCount = 0;
}

export function getMoveCount(): i32 {
  return moveCount;
}

export function addMove(move: u64): void {
  if (moveCount >= MOST_MOVES) {
    state.overflow = 1;
    return;
  }
  store<u64>(LIST + ((<usize>moveCount) << 3), move);
  moveCount++;
}

export function moveAt(index: i32): u64 {
  return load<u64>(LIST + ((<usize>index) << 3));
}
