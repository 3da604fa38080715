// The deal: the deck shuffled, the trump turned up, the hands dealt, and who attacks first.
import { beginBout } from "./bout_transitions";
import { randomBelow } from "./random_generator";
import {
  ASIDE,
  CAN_SHOW,
  DEALT,
  DECK,
  DECK_SIZE,
  HIDES,
  IMAGE,
  LOWEST_FIRST,
  ONE_OVER,
  TOP,
  TRUMP,
  TURN_UP,
  TURNED_UP,
} from "./rules_image";
import { playerCount, ruleMask, ruleNumber } from "./rules_tables";
import { addToHand, hand, markPubliclySeen, NO_SUIT, setBlankState, setTalonFace, state } from "./state";

const SHUFFLED_DECK: usize = memory.data(112, 8);

function deckFace(index: i32): i32 {
  return load<u8>(SHUFFLED_DECK + <usize>index);
}

/** Shuffle the deck, deal it by this dealer, and begin. */
export function deal(dealer: i32): void {
  const size = ruleNumber(DECK_SIZE);
  for (let i: usize = 0; i < <usize>size; i += 8) store<u64>(SHUFFLED_DECK + i, load<u64>(IMAGE + DECK + i));
  for (let last = size - 1; last > 0; last--) swapCards(last, randomBelow(last + 1));
  dealCards(dealer);
}

function swapCards(index: i32, otherIndex: i32): void {
  const face = deckFace(index);
  store<u8>(SHUFFLED_DECK + <usize>index, <u8>deckFace(otherIndex));
  store<u8>(SHUFFLED_DECK + <usize>otherIndex, <u8>face);
}

function canShowTrump(index: i32): bool {
  return ((ruleMask(CAN_SHOW) >> deckFace(index)) & 1) !== 0;
}

/** Exchange the card at that place with the first of the others, step by step, that can show a suit; whether one that can stands there. */
function placeTrumpShowingCard(index: i32, first: i32, last: i32, step: i32): bool {
  if (canShowTrump(index)) return true;
  for (let otherIndex = first; otherIndex * step <= last * step; otherIndex += step) {
    if (!canShowTrump(otherIndex)) continue;
    swapCards(index, otherIndex);
    return true;
  }
  return false;
}

let isLastCardAside: bool = false;
/** The place in the deck of a card that shows the trump suit from a hand. */
let shownCardIndex: i32 = -1;

/** The cards as they lie, dealt: the trump shown as the rules say, then the hands. */
function dealCards(dealer: i32): void {
  setBlankState();
  isLastCardAside = false;
  shownCardIndex = -1;
  const size = ruleNumber(DECK_SIZE);
  const dealtCount = ruleNumber(DEALT);
  let end = size;
  if (ruleNumber(ONE_OVER)) end = dealtCount;
  state.suit = ruleNumber(TRUMP) === TURNED_UP ? turnUpTrump(dealtCount, size) : ruleNumber(TRUMP);
  if (isLastCardAside) end = size - 1;
  for (let i = dealtCount; i < end; i++) setTalonFace(i - dealtCount, deckFace(i));
  state.end = end > dealtCount ? end - dealtCount : 0;
  let seat = dealer;
  for (let i = 0; i < dealtCount; i++) {
    seat = seat + 1 === playerCount() ? 0 : seat + 1;
    addToHand(seat, (<u64>1) << deckFace(i), 0);
    if (i === shownCardIndex) markPubliclySeen(seat, (<u64>1) << deckFace(i), 0);
  }
  beginBout(findFirstAttacker(dealer), true);
}

/** Turn the trump up; the suit that it shows, if any can. */
function turnUpTrump(dealtCount: i32, size: i32): i32 {
  const last = size - 1;
  isLastCardAside = ruleNumber(ONE_OVER) !== 0;
  if (isLastCardAside) return placeTrumpShowingCard(last, last - 1, 0, -1) ? deckSuit(last) : NO_SUIT;
  if (dealtCount === size) {
    let index = last;
    while (index >= 0 && !canShowTrump(index)) index--;
    shownCardIndex = index;
    return index < 0 ? NO_SUIT : deckSuit(index);
  }
  if (ruleNumber(HIDES)) {
    placeTrumpShowingCard(last, last - 2, dealtCount, -1);
    const canShowSuit = placeTrumpShowingCard(last - 1, last - 2, dealtCount, -1);
    state.faceUp = last - 1 - dealtCount;
    state.hidden = last - dealtCount;
    return canShowSuit ? deckSuit(last - 1) : NO_SUIT;
  }
  const isOnTop = ruleNumber(TURN_UP) === TOP;
  const turnUpIndex = isOnTop ? dealtCount : last;
  if (
    !(isOnTop ? placeTrumpShowingCard(turnUpIndex, dealtCount + 1, last, 1) : placeTrumpShowingCard(turnUpIndex, last - 1, dealtCount, -1))
  )
    return NO_SUIT;
  isLastCardAside = ruleNumber(TURN_UP) === ASIDE;
  if (!isLastCardAside) state.faceUp = turnUpIndex - dealtCount;
  return deckSuit(turnUpIndex);
}

function deckSuit(index: i32): i32 {
  return deckFace(index) / 13;
}

/** The seat that attacks first: the one with the lowest trump if the rules ask for that and somebody has one, else the dealer's next. */
function findFirstAttacker(dealer: i32): i32 {
  const first = dealer + 1 === playerCount() ? 0 : dealer + 1;
  if (!ruleNumber(LOWEST_FIRST) || state.suit === NO_SUIT) return first;
  const trumps: u64 = (<u64>0x1fff) << (13 * state.suit);
  let lowest: u64 = 0;
  let attacker = first;
  let seat = first;
  for (let i = 0; i < playerCount(); i++) {
    const handTrumps = hand(seat) & trumps;
    const lowestInHand = handTrumps & (0 - handTrumps);
    if (lowestInHand && (!lowest || lowestInHand < lowest)) {
      lowest = lowestInHand;
      attacker = seat;
    }
    seat = seat + 1 === playerCount() ? 0 : seat + 1;
  }
  return attacker;
}
