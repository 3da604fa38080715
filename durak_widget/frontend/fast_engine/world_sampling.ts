// Worlds: the cards that a seat does not see, laid by chance as `analysis/world_sampling.py` has counted that they can lie, each way as likely.
//
// What is proved of each hand makes kinds of cards. First it is drawn how many of each kind a hand holds, on a graph whose nodes are what is still
// to be dealt; then which. `analysis/world_sampling.py` makes the tables, and counts out the same draws in Python.
import { nextBits, randomBelow } from "./random_generator";
import { hasTwoDecks, playerCount } from "./rules_tables";
import {
  addToHand,
  HANDS,
  HANDS_TWICE,
  hand,
  handSecondCopies,
  PAST_ATTACKER,
  STATE,
  STATE_SIZE,
  STRIDE,
  saveState,
  setTalonFace,
  state,
  WHOLE,
} from "./state";

/** So many kinds of cards, options and nodes the tables hold. */
export const MOST_KINDS: usize = 32;
export const MOST_OPTIONS: usize = 20000;
export const MOST_NODES: usize = 20000;

// The tables, as Python writes them: how many cards are unseen, how many hands get some, how many places of the talon are open (four bytes each);
export const LAYING: usize = memory.data(16, 8);
// the unseen faces; the places of the talon, from the next card to be drawn, that get one; for each hand its seat, and in its third byte how many kinds there are;
export const POOL: usize = memory.data(112, 8);
export const OPEN_PLACES: usize = memory.data(112, 8);
export const LEVELS: usize = memory.data(24, 8);
// for each hand the kind of each face;
export const KINDS: usize = memory.data(384, 8);
// for each node its first option (and behind the last, the end); for each option up to where of 2^64 it is drawn, the node that it leads to,
// and how many cards it takes of each kind.
export const NODES: usize = memory.data(80008, 8);
export const SHARE_OF_CHANCE: usize = memory.data(160000, 8);
export const LEADS_TO: usize = memory.data(80000, 8);
export const TAKES: usize = memory.data(640000, 8);

/** The moment without any unseen card in the other hands; what the viewer knows of them is there. */
const KNOWN_STATE: usize = memory.data(WHOLE, 16);
const CARD_ORDER: usize = memory.data(112, 8);
/** How far behind a hand at the start of a bout that may come again the faces stand of which it had two. */
const PAST_SECOND_COPIES_OFFSET: usize = HANDS_TWICE - HANDS;

function unseenCount(): i32 {
  return load<i32>(LAYING);
}

function handCount(): i32 {
  return load<i32>(LAYING, 4);
}

function unknownSlotCount(): i32 {
  return load<i32>(LAYING, 8);
}

/** Take the moment that stands for what is known: worlds are laid on it. */
export function takeBare(): void {
  saveState(KNOWN_STATE);
}

/** Lay a world by chance. */
export function sampleWorld(): void {
  memory.copy(STATE, KNOWN_STATE, STATE_SIZE);
  let remaining = unseenCount();
  for (let i: usize = 0; i < <usize>remaining; i += 8) store<u64>(CARD_ORDER + i, load<u64>(POOL + i));
  shuffle(remaining);
  let node = 0;
  for (let level = 0; level < handCount(); level++) {
    const option = sampleOption(node);
    remaining = dealHand(level, TAKES + <usize>option * MOST_KINDS, remaining);
    node = load<i32>(LEADS_TO + ((<usize>option) << 2));
  }
  for (let i = 0; i < unknownSlotCount(); i++) setTalonFace(state.drawn + load<u8>(OPEN_PLACES + <usize>i), faceAt(i));
  updatePastHands();
}

function faceAt(index: i32): i32 {
  return load<u8>(CARD_ORDER + <usize>index);
}

function shuffle(count: i32): void {
  for (let last = count - 1; last > 0; last--) {
    const other = randomBelow(last + 1);
    const swapped = load<u8>(CARD_ORDER + <usize>last);
    store<u8>(CARD_ORDER + <usize>last, load<u8>(CARD_ORDER + <usize>other));
    store<u8>(CARD_ORDER + <usize>other, swapped);
  }
}

/** One of the options of a node, each as likely as the ways that go on from it; where there is but one, no chance is taken. */
function sampleOption(node: i32): i32 {
  let option = load<i32>(NODES + ((<usize>node) << 2));
  const last = load<i32>(NODES + ((<usize>(node + 1)) << 2)) - 1;
  if (option === last) return option;
  const drawn = nextBits();
  while (option < last && drawn >= load<u64>(SHARE_OF_CHANCE + ((<usize>option) << 3))) option++;
  return option;
}

/** Give a hand the first cards of each kind, as many as it takes; how many are left, again in an order by chance. */
function dealHand(level: i32, kindCounts: usize, cardCount: i32): i32 {
  const entry = LEVELS + <usize>(level << 2);
  const seat: i32 = load<u8>(entry);
  const kinds: i32 = load<u8>(entry, 2);
  if (kinds === 1) {
    const size: i32 = load<u8>(kindCounts);
    for (let i = 0; i < size; i++) addToHand(seat, (<u64>1) << faceAt(i), 0);
    for (let i = size; i < cardCount; i++) store<u8>(CARD_ORDER + <usize>(i - size), load<u8>(CARD_ORDER + <usize>i));
    return cardCount - size;
  }
  let keptCount = 0;
  for (let kind = 0; kind < kinds; kind++) store<u8>(NEEDED_COUNTS + <usize>kind, load<u8>(kindCounts + <usize>kind));
  for (let i = 0; i < cardCount; i++) {
    const face = faceAt(i);
    const kind: usize = load<u8>(KINDS + <usize>((level << 6) | face));
    const needed = load<u8>(NEEDED_COUNTS + kind);
    if (needed) {
      store<u8>(NEEDED_COUNTS + kind, needed - 1);
      addToHand(seat, (<u64>1) << face, 0);
    } else {
      store<u8>(CARD_ORDER + <usize>keptCount, <u8>face);
      keptCount++;
    }
  }
  shuffle(keptCount);
  return keptCount;
}

const NEEDED_COUNTS: usize = memory.data(32, 8);

/** The starts of bouts that may come again differ from the hands of now by cards that everybody saw wander: what a hand got here it had then too. */
function updatePastHands(): void {
  for (let i = 0; i < state.past; i++) {
    const offset = STATE_SIZE + STRIDE * <usize>i;
    for (let seat = 0; seat < playerCount(); seat++) updatePastHand(seat, offset + ((<usize>seat) << 3));
    store<u64>(STATE + offset, load<u64>(KNOWN_STATE + offset, PAST_ATTACKER), PAST_ATTACKER);
  }
}

function updatePastHand(seat: i32, offset: usize): void {
  const knownHand = KNOWN_STATE + ((<usize>seat) << 3);
  const knownCards = load<u64>(knownHand, HANDS);
  const pastCards = load<u64>(KNOWN_STATE + offset);
  if (!hasTwoDecks()) {
    store<u64>(STATE + offset, pastCards | (hand(seat) & ~knownCards));
    return;
  }
  const dealtPairs = handSecondCopies(seat) & ~knownCards;
  const dealtCards = (hand(seat) & ~knownCards) | (handSecondCopies(seat) & ~load<u64>(knownHand, HANDS_TWICE));
  store<u64>(STATE + offset, pastCards | dealtCards);
  store<u64>(
    STATE + offset,
    load<u64>(KNOWN_STATE + offset, PAST_SECOND_COPIES_OFFSET) | (pastCards & dealtCards) | dealtPairs,
    PAST_SECOND_COPIES_OFFSET,
  );
}
