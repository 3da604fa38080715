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
} from "./image";

/** A number of the image. */
export function says(what: i32): i32 {
  return load<i32>(IMAGE + <usize>what);
}

/** A mask of the image. */
export function maskOf(what: i32): u64 {
  return load<u64>(IMAGE + <usize>what);
}

/** A byte of one of its tables. */
export function byteOf(what: i32, place: i32): i32 {
  return load<u8>(IMAGE + <usize>what + <usize>place);
}

export function players(): i32 {
  return says(PLAYERS);
}

/** Whether there are two cards of each face. */
export function twins(): bool {
  return says(TWINS) !== 0;
}

/** The most attacking cards of a bout, whatever the defender holds. */
export function mostOf(bout: i32): i32 {
  return load<i32>(IMAGE + MOST + (bout > 1 ? 4 : 0));
}

export function beatenNeeded(): i32 {
  return says(BEATEN_NEEDED);
}

/** The faces of the rank of a played code. */
export function sameRank(code: i32): u64 {
  return load<u64>(IMAGE + SAME_RANK + ((<usize>code) << 3));
}

/** The faces that beat one, with that trump suit. */
export function beaters(suit: i32, face: i32): u64 {
  return load<u64>(IMAGE + BEATERS + ((<usize>(suit * FACES + face)) << 3));
}

/** The faces that may be played as one that beats it. */
export function reach(suit: i32, face: i32): u64 {
  return load<u64>(IMAGE + REACH + ((<usize>(suit * FACES + face)) << 3));
}

/** The faces that are worth their rank. */
export function plainOf(suit: i32): u64 {
  return load<u64>(IMAGE + PLAIN + ((<usize>suit) << 3));
}

/** The other faces of a price, the cheapest first. */
export function priceClass(suit: i32, place: i32): u64 {
  return load<u64>(IMAGE + CHEAPEST + ((<usize>(suit * CLASSES + place)) << 3));
}

export function price(suit: i32, face: i32): i32 {
  return load<u16>(IMAGE + PRICE + ((<usize>(suit * FACES + face)) << 1));
}

/** How many codes a face may be played as. */
export function playsOf(face: i32): i32 {
  return load<u16>(IMAGE + PLAYS + <usize>(12 * face));
}

/** The code that it may be played as, at that place. */
export function playedAs(face: i32, place: i32): i32 {
  return load<u16>(IMAGE + PLAYS + <usize>(12 * face + 2 + 2 * place));
}

export function opponent(seatsIn: i32, seat: i32): i32 {
  return byteOf(OPPONENT, (seatsIn << 3) | seat);
}

export function nextIn(seatsIn: i32, seat: i32): i32 {
  return byteOf(NEXT_IN, (seatsIn << 3) | seat);
}

// A row of seats is a number: how many in its four lowest bits, then three bits a seat.

export function rowSize(row: i32): i32 {
  return row & 15;
}

export function rowSeat(row: i32, place: i32): i32 {
  return (row >> (4 + 3 * place)) & 7;
}

export function rowOf(what: i32, place: i32): i32 {
  return load<i32>(IMAGE + <usize>what + ((<usize>place) << 2));
}

/** The face that a played code is a card of, and the one that it counts as. */
export function faceOf(code: i32): i32 {
  return code < FACES ? code : code % FACES;
}

export function counts(code: i32): i32 {
  return code < FACES ? code : 13 * (code / FACES - 1) + ((code % FACES) % 13);
}
