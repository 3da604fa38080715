// What the image says, by the names that the kit has for it.
import {
  BEATEN_NEEDED,
  BEATERS,
  CHEAPEST,
  CLASSES,
  FACES,
  IMAGE,
  MOST,
  NEXT_IN,
  OPPONENT,
  PLAIN,
  PLAYERS,
  PLAYS,
  PRICE,
  REACH,
  SAME_RANK,
  TWINS,
} from "./rules_image";

/** A number of the image. */
export function ruleNumber(offset: i32): i32 {
  return load<i32>(IMAGE + <usize>offset);
}

/** A mask of the image. */
export function ruleMask(offset: i32): u64 {
  return load<u64>(IMAGE + <usize>offset);
}

/** A byte of one of its tables. */
export function ruleTableByte(offset: i32, index: i32): i32 {
  return load<u8>(IMAGE + <usize>offset + <usize>index);
}

export function playerCount(): i32 {
  return ruleNumber(PLAYERS);
}

/** Whether there are two cards of each face. */
export function hasTwoDecks(): bool {
  return ruleNumber(TWINS) !== 0;
}

/** The most attacking cards of a bout, whatever the defender holds. */
export function attackLimit(bout: i32): i32 {
  return load<i32>(IMAGE + MOST + (bout > 1 ? 4 : 0));
}

export function minBeatenToThrow(): i32 {
  return ruleNumber(BEATEN_NEEDED);
}

/** The faces of the rank of a played code. */
export function sameRankMask(code: i32): u64 {
  return load<u64>(IMAGE + SAME_RANK + ((<usize>code) << 3));
}

/** The faces that beat one, with that trump suit. */
export function beaterMask(suit: i32, face: i32): u64 {
  return load<u64>(IMAGE + BEATERS + ((<usize>(suit * FACES + face)) << 3));
}

/** The faces that may be played as one that beats it. */
export function playableBeaterMask(suit: i32, face: i32): u64 {
  return load<u64>(IMAGE + REACH + ((<usize>(suit * FACES + face)) << 3));
}

/** The faces that are worth their rank. */
export function plainFaces(suit: i32): u64 {
  return load<u64>(IMAGE + PLAIN + ((<usize>suit) << 3));
}

/** The other faces of a price, the cheapest first. */
export function priceClass(suit: i32, index: i32): u64 {
  return load<u64>(IMAGE + CHEAPEST + ((<usize>(suit * CLASSES + index)) << 3));
}

export function price(suit: i32, face: i32): i32 {
  return load<u16>(IMAGE + PRICE + ((<usize>(suit * FACES + face)) << 1));
}

/** How many codes a face may be played as. */
export function playedCodeCount(face: i32): i32 {
  return load<u16>(IMAGE + PLAYS + <usize>(12 * face));
}

/** The code that it may be played as, at that place. */
export function playedCode(face: i32, index: i32): i32 {
  return load<u16>(IMAGE + PLAYS + <usize>(12 * face + 2 + 2 * index));
}

export function nextOpponent(seatsIn: i32, seat: i32): i32 {
  return ruleTableByte(OPPONENT, (seatsIn << 3) | seat);
}

export function nextSeatIn(seatsIn: i32, seat: i32): i32 {
  return ruleTableByte(NEXT_IN, (seatsIn << 3) | seat);
}

// A row of seats is a number: how many in its four lowest bits, then three bits a seat.

export function seatOrderLength(seatOrder: i32): i32 {
  return seatOrder & 15;
}

export function seatInOrder(seatOrder: i32, index: i32): i32 {
  return (seatOrder >> (4 + 3 * index)) & 7;
}

export function seatOrderFromTable(offset: i32, index: i32): i32 {
  return load<i32>(IMAGE + <usize>offset + ((<usize>index) << 2));
}

/** The face that a played code is a card of, and the one that it counts as. */
export function cardFace(code: i32): i32 {
  return code < FACES ? code : code % FACES;
}

export function effectiveFace(code: i32): i32 {
  return code < FACES ? code : 13 * (code / FACES - 1) + ((code % FACES) % 13);
}
