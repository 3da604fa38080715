// The deal: the deck shuffled, the trump turned up, the hands dealt, and who attacks first.
import { beginBout } from "./bouts";
import { below } from "./chance";
import { ASIDE, CAN_SHOW, DEALT, DECK, DECK_SIZE, HIDES, IMAGE, LOWEST_FIRST, ONE_OVER, TOP, TRUMP, TURN_UP, TURNED_UP } from "./image";
import { blank, give, hand, NO_SUIT, see, setTalon, state } from "./state";
import { maskOf, players, says } from "./tables";

const CARDS: usize = memory.data(112, 8);

function card(place: i32): i32 {
  return load<u8>(CARDS + <usize>place);
}

/** Shuffle the deck, deal it by this dealer, and begin. */
export function deal(dealer: i32): void {
  const size = says(DECK_SIZE);
  for (let i: usize = 0; i < <usize>size; i += 8) store<u64>(CARDS + i, load<u64>(IMAGE + DECK + i));
  for (let last = size - 1; last > 0; last--) exchange(last, below(last + 1));
  lay(dealer);
}

function exchange(one: i32, other: i32): void {
  const kept = card(one);
  store<u8>(CARDS + <usize>one, <u8>card(other));
  store<u8>(CARDS + <usize>other, <u8>kept);
}

function canShow(place: i32): bool {
  return ((maskOf(CAN_SHOW) >> card(place)) & 1) !== 0;
}

/** Exchange the card at that place with the first of the others, step by step, that can show a suit; whether one that can stands there. */
function mayStand(place: i32, first: i32, last: i32, step: i32): bool {
  if (canShow(place)) return true;
  for (let other = first; other * step <= last * step; other += step) {
    if (!canShow(other)) continue;
    exchange(place, other);
    return true;
  }
  return false;
}

let aside: bool = false;
/** The place in the deck of a card that shows the trump suit from a hand. */
let shows: i32 = -1;

/** The cards as they lie, dealt: the trump shown as the rules say, then the hands. */
function lay(dealer: i32): void {
  blank();
  aside = false;
  shows = -1;
  const size = says(DECK_SIZE);
  const dealt = says(DEALT);
  let end = size;
  if (says(ONE_OVER)) end = dealt;
  state.suit = says(TRUMP) === TURNED_UP ? turnUp(dealt, size) : says(TRUMP);
  if (aside) end = size - 1;
  for (let i = dealt; i < end; i++) setTalon(i - dealt, card(i));
  state.end = end > dealt ? end - dealt : 0;
  let seat = dealer;
  for (let i = 0; i < dealt; i++) {
    seat = seat + 1 === players() ? 0 : seat + 1;
    give(seat, (<u64>1) << card(i), 0);
    if (i === shows) see(seat, (<u64>1) << card(i), 0);
  }
  beginBout(opensFirst(dealer), true);
}

/** Turn the trump up; the suit that it shows, if any can. */
function turnUp(dealt: i32, size: i32): i32 {
  const last = size - 1;
  aside = says(ONE_OVER) !== 0;
  if (aside) return mayStand(last, last - 1, 0, -1) ? suitOf(last) : NO_SUIT;
  if (dealt === size) {
    let held = last;
    while (held >= 0 && !canShow(held)) held--;
    shows = held;
    return held < 0 ? NO_SUIT : suitOf(held);
  }
  if (says(HIDES)) {
    mayStand(last, last - 2, dealt, -1);
    const shows = mayStand(last - 1, last - 2, dealt, -1);
    state.faceUp = last - 1 - dealt;
    state.hidden = last - dealt;
    return shows ? suitOf(last - 1) : NO_SUIT;
  }
  const top = says(TURN_UP) === TOP;
  const place = top ? dealt : last;
  if (!(top ? mayStand(place, dealt + 1, last, 1) : mayStand(place, last - 1, dealt, -1))) return NO_SUIT;
  aside = says(TURN_UP) === ASIDE;
  if (!aside) state.faceUp = place - dealt;
  return suitOf(place);
}

function suitOf(place: i32): i32 {
  return card(place) / 13;
}

/** The seat that attacks first: the one with the lowest trump if the rules ask for that and somebody has one, else the dealer's next. */
function opensFirst(dealer: i32): i32 {
  const first = dealer + 1 === players() ? 0 : dealer + 1;
  if (!says(LOWEST_FIRST) || state.suit === NO_SUIT) return first;
  const trumps: u64 = (<u64>0x1fff) << (13 * state.suit);
  let lowest: u64 = 0;
  let found = first;
  let seat = first;
  for (let i = 0; i < players(); i++) {
    const own = hand(seat) & trumps;
    const low = own & (0 - own);
    if (low && (!lowest || low < lowest)) {
      lowest = low;
      found = seat;
    }
    seat = seat + 1 === players() ? 0 : seat + 1;
  }
  return found;
}
