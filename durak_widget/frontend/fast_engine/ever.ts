// Whether a side of an ending can force a win at all, however long it takes, as `_search_any_win` in `analysis/cyclic_endgame_solver.py`.
//
// Every position counts as not won until it is proved to be. Where the other side moves, one move that is not known to lose is enough, and the next is
// looked at only once that one loses; when nothing is left to look at, what is not won never will be.
import { cheapFirst, ENDED, follow, GOES_ON, look, wonBy } from "./follow";
import { MOST_MOVES } from "./moves";
import { actorOf, bounds, hasRoom, NEVER, placeOf, position, putDown, seatOf, setPlace, standAt } from "./positions";
import { state } from "./state";

/** A position as the side that wants to win sees it. */
@unmanaged
class Place {
  position: usize;
  /** The places that are won, or must look on, once this one is won: a list, the first and the last of it. */
  asked: usize;
  lastAsked: usize;
  /** The move to be looked at next; `DONE` where none is. */
  next: u16;
  mine: u8;
  won: u8;
}
const PLACE: usize = 16;
const DONE: u16 = 0xffff;

/** A place in a list. */
@unmanaged
class Cell {
  place: usize;
  next: usize;
}
const CELL: usize = 8;
let unused: usize = 0;

/** For each side the places that wait to be looked at, the last one first. */
const WAITING: usize = memory.data(8, 8);
const MOVES: usize = memory.data(8 * MOST_MOVES, 8);
let side: i32 = 0;
let root: usize = 0;

/** Nothing was met yet. */
export function forget(): void {
  unused = 0;
  store<u64>(WAITING, 0);
}

/** Whether a position was met by a side. */
export function met(at: usize, side: i32): bool {
  return placeOf(at, side) !== 0;
}

export function isWon(at: usize, side: i32): bool {
  return changetype<Place>(placeOf(at, side)).won !== 0;
}

/** Whether anything waits to be looked at, so that what is not won yet may still be. */
export function waits(side: i32): bool {
  return load<u32>(WAITING + ((<usize>side) << 2)) !== 0;
}

function cellOf(place: usize): usize {
  const cell = unused ? unused : putDown(CELL);
  if (unused) unused = changetype<Cell>(unused).next;
  changetype<Cell>(cell).place = place;
  changetype<Cell>(cell).next = 0;
  return cell;
}

/** A cell in which a place waits. */
function wait(cell: usize): void {
  const head = WAITING + ((<usize>side) << 2);
  changetype<Cell>(cell).next = load<u32>(head);
  store<u32>(head, <u32>cell);
}

/** A cell that is free again. */
function giveBack(cell: usize): void {
  changetype<Cell>(cell).next = unused;
  unused = cell;
}

/** A position that was not met before, which waits to be looked at unless the short search has decided it. */
function meet(at: usize): Place {
  const made = putDown(PLACE);
  const place = changetype<Place>(made);
  place.position = at;
  place.asked = place.lastAsked = 0;
  place.mine = actorOf(at) === seatOf(side) ? 1 : 0;
  place.won = bounds(at, side) >>> 16 < NEVER ? 1 : 0;
  place.next = DONE;
  if (!place.won && bounds(at, side ^ 1) >>> 16 === NEVER) {
    place.next = 0;
    wait(cellOf(made));
  }
  setPlace(at, side, made);
  look();
  return place;
}

/** Ask whether a side can ever win from a position. */
export function seek(at: usize, bySide: i32): void {
  side = bySide;
  root = at;
  if (!placeOf(at, side)) meet(at);
}

/** Whether it is decided. */
export function decided(): bool {
  return !waits(side) || isWon(root, side);
}

/** Look at the place that came last; whether there was room enough. */
export function lookOn(): bool {
  const cell = <usize>load<u32>(WAITING + ((<usize>side) << 2));
  store<u32>(WAITING + ((<usize>side) << 2), <u32>changetype<Cell>(cell).next);
  const place = changetype<Place>(changetype<Cell>(cell).place);
  giveBack(cell);
  if (place.won) return true;
  const found = proved(place);
  if (found > 0) carryBack(place);
  return found >= 0;
}

/** Look at the moves of a place as far as is needed now; whether it is proved to be won, or -1 where there is no room for what it leads to. */
function proved(place: Place): i32 {
  const mine: i32 = place.mine;
  if (place.next === DONE) return mine ^ 1;
  standAt(place.position);
  const count = cheapFirst(MOVES, MOST_MOVES);
  if (count < 0) return -1;
  while (<i32>place.next < count) {
    if (!hasRoom()) return -1;
    const led = follow(place.position, load<u64>(MOVES + ((<usize>place.next) << 3)));
    if (state.overflow) return -1;
    if (led !== GOES_ON) {
      const won = led === ENDED && wonBy(seatOf(side)) ? 1 : 0;
      place.next++;
      if (won !== mine) continue;
      place.next = DONE;
      return won;
    }
    const at = position();
    const isNew = !placeOf(at, side);
    if (isNew && mine) wait(cellOf(changetype<usize>(place))); // beneath what it leads to
    const found = isNew ? meet(at) : changetype<Place>(placeOf(at, side));
    place.next++;
    if (found.won) {
      if (mine) return 1;
      continue;
    }
    asks(place, found);
    if (isNew || !mine) return 0;
  }
  return mine ^ 1;
}

/** A place asks to be told once another is won. */
function asks(place: Place, other: Place): void {
  const cell = cellOf(changetype<usize>(place));
  if (other.asked) changetype<Cell>(other.lastAsked).next = cell;
  else other.asked = cell;
  other.lastAsked = cell;
}

/** A place is proved to be won: so is every one from which the side goes there, and where the other does, it needs another move. */
function carryBack(place: Place): void {
  place.won = 1;
  let cell = place.asked;
  let last = place.lastAsked;
  place.asked = 0;
  while (cell) {
    const next = changetype<Cell>(cell).next;
    const before = changetype<Place>(changetype<Cell>(cell).place);
    let following = next;
    if (!before.mine) wait(cell);
    else {
      giveBack(cell);
      if (!before.won) {
        before.won = 1;
        if (before.asked) {
          if (next) changetype<Cell>(last).next = before.asked;
          else following = before.asked;
          last = before.lastAsked;
          before.asked = 0;
        }
      }
    }
    cell = following;
  }
}
