// Exact endings: two hands and no talon. An ending is opened where it begins; then it is asked of any moment that it leads to who can win.
import { throwersOf } from "./bouts";
import { allow, beaten, DONE, lookAnew, lookedAt, question, reached, search, start, startShort, surely, taken, waits } from "./duel";
import { AFTER_TAKE, AT_ONCE, FACES, FIRST_OUT } from "./image";
import { EVER, hasForgotten, opened, openTable } from "./known";
import { ADD, attack, hand, NO_SUIT, OVER, state, waiting } from "./state";
import { counts, mostOf, reach, rowSize, sameRank, says } from "./tables";
import { BEATING, OF_RANK, terms } from "./terms";

/** Which bit each face is in the ending's own count of cards; 0 for a card that is out of play. */
const SMALL: usize = memory.data(8 * FACES, 8);
/** Whether the side that is asked about attacks. */
let attacks: i32 = 0;
/** How many positions had been looked at when it was asked. */
let before: u32 = 0;

// What is told: in the two lowest bits whether it is done, and if not, why it rests; then whether the seat wins, whether anything had to be searched,
// whether it is known that there is no draw, however long it takes, and whether something was forgotten
const WON: i32 = 4;
const WORKED: i32 = 8;
const SURE: i32 = 16;
const FORGOT: i32 = 32;

function small(faces: u64): u64 {
  let cards: u64 = 0;
  for (let left = faces; left; left &= left - 1) cards |= load<u64>(SMALL + ((<usize>ctz(left)) << 3));
  return cards;
}

/** The faces that are in play. */
function inPlay(): u64 {
  return hand(state.attacker) | hand(state.defender) | state.table;
}

/** Open the ending that begins in the moment that lies there, by a number that no other has had. */
export function open(number: i32): void {
  const there = inPlay();
  memory.fill(SMALL, 0, 8 * FACES);
  count(there);
  for (let left = there; left; left &= left - 1) {
    const face = <i32>ctz(left);
    const place = (<usize>ctz(small((<u64>1) << face))) << 3;
    store<u64>(BEATING + place, small(reach(state.suit, face)));
    store<u64>(OF_RANK + place, small(sameRank(face)));
  }
  openTable(<u32>number);
  lookAnew();
  terms.most = mostOf(2);
  terms.throws = rowSize(throwersOf(state.attacker, state.defender, state.attacker, state.seatsIn));
  terms.afterTake = says(AFTER_TAKE);
  terms.atOnce = says(AT_ONCE);
  terms.wonByBoth = says(FIRST_OUT);
  terms.drawn = terms.atOnce || terms.wonByBoth ? 0 : 1;
  terms.inRow = inRow(<i32>popcnt(there)) ? 1 : 0;
}

/** Count the cards: plain ones before trumps, and each the lower its rank. */
function count(there: u64): void {
  const trumps: u64 = state.suit === NO_SUIT ? 0 : (<u64>0x1fff) << (13 * state.suit);
  let next: u64 = 1;
  for (let trump = 0; trump < 2; trump++) {
    let left = trump ? there & trumps : there & ~trumps;
    while (left) {
      const face = lowestRank(left);
      left ^= (<u64>1) << face;
      store<u64>(SMALL + ((<usize>face) << 3), next);
      next <<= 1;
    }
  }
}

/** Of these faces one of the lowest rank; a joker only where there is nothing else. */
function lowestRank(faces: u64): i32 {
  for (let rank = 0; rank < 13; rank++) {
    const some = faces & ((<u64>0x8004002001) << rank) & 0xfffffffffffff;
    if (some) return <i32>ctz(some);
  }
  return <i32>ctz(faces);
}

/** Whether the cards can be laid in a row in which each is beaten by later ones alone. */
function inRow(cards: i32): bool {
  let left: u64 = ((<u64>1) << cards) - 1;
  while (left) {
    let last: u64 = 0;
    for (let place = 0; place < cards; place++) {
      const card = (<u64>1) << place;
      if (card & left && !(load<u64>(BEATING + ((<usize>place) << 3)) & left)) last |= card;
    }
    if (!last) return false;
    left ^= last;
  }
  return true;
}

/**
 * Ask of the moment that lies there whether a seat can force the win within so many bouts, in the ending of that number, where so many positions may be
 * looked at; and search. -1 if that ending is not open.
 */
export function ask(number: i32, seat: i32, within: i32, positions: i32, steps: i32): i32 {
  if (<u32>number !== opened()) return -1;
  attacks = seat === state.attacker ? 1 : 0;
  before = lookedAt();
  allow(positions);
  lay(attacks, min(within, EVER));
  return rest(number, steps);
}

/** Search on for so many steps, in the ending of that number. */
export function rest(number: i32, steps: i32): i32 {
  if (<u32>number !== opened()) return -1;
  const how = search(steps);
  const told = how | (lookedAt() !== before ? WORKED : 0) | (hasForgotten() ? FORGOT : 0);
  if (how !== DONE) return told;
  const wins = (reached() ? 1 : 0) === attacks ? WON : 0;
  return told | wins | (surely() ? SURE : 0);
}

function lay(worth: i32, within: i32): void {
  const own = small(hand(state.attacker));
  const other = small(hand(state.defender));
  const room = state.limit - state.laid;
  question(own | other | small(state.table), worth, within);
  if (!state.laid) {
    if (room === min(terms.most, <i32>popcnt(other))) start(own, other, worth, within);
    else startShort(own, other, worth, within, room);
    return;
  }
  const ranks = small(state.ranks);
  const more = rowSize(state.throwers) ? room : 0;
  if (state.taking) taken(own, ranks, more);
  else if (state.phase === ADD) beaten(own, other, ranks, more);
  else waits(own, other, ranks, more, small(reach(state.suit, counts(attack(waiting())))) & other);
}

/** The number of the ending that was decided last: negative, so that none is that somebody opens. */
let ownNumber: i32 = -1;
/** So many positions are looked at to decide one, and so many steps, which is more than they take. */
export const FEW_POSITIONS: i32 = 100;
const MANY: i32 = 1 << 24;

/** Decide a game of two at the beginning of a bout without a talon, as if both played on without a mistake; how many positions that took, -1 if it is not decided by so few. */
export function decide(): i32 {
  const seat = state.attacker;
  const other = state.defender;
  open(ownNumber);
  const own = ask(ownNumber, seat, EVER, FEW_POSITIONS, MANY);
  if ((own & 3) !== DONE) return -1;
  const others = own & (WON | SURE) ? 0 : ask(ownNumber, other, EVER, FEW_POSITIONS, MANY);
  if (!(own & (WON | SURE)) && (others & 3) !== DONE) return -1;
  ownNumber--;
  const winner = own & WON ? seat : own & SURE || others & WON ? other : -1;
  state.winners = winner < 0 ? 0 : 1 << winner;
  state.losers = winner < 0 ? 0 : 1 << (seat ^ other ^ winner);
  state.phase = OVER;
  return <i32>lookedAt();
}
