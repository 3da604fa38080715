// Worlds: the cards that a seat does not see, laid by chance as `analysis/world_sampling.py` has counted that they can lie, each way as likely.
//
// What is proved of each hand makes kinds of cards. First it is drawn how many of each kind a hand holds, on a graph whose nodes are what is still
// to be dealt; then which. `analysis/world_sampling.py` makes the tables, and counts out the same draws in Python.
import { below, bits } from "./chance";
import { give, HANDS, HANDS_TWICE, hand, keep, PAST_ATTACKER, STATE, STATE_SIZE, STRIDE, setTalon, state, twice, WHOLE } from "./state";
import { players, twins } from "./tables";

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
const BARE: usize = memory.data(WHOLE, 16);
const ORDER: usize = memory.data(112, 8);
/** How far behind a hand at the start of a bout that may come again the faces stand of which it had two. */
const TWICE_THEN: usize = HANDS_TWICE - HANDS;

function unseen(): i32 {
  return load<i32>(LAYING);
}

function levels(): i32 {
  return load<i32>(LAYING, 4);
}

function open(): i32 {
  return load<i32>(LAYING, 8);
}

/** Take the moment that stands for what is known: worlds are laid on it. */
export function takeBare(): void {
  keep(BARE);
}

/** Lay a world by chance. */
export function drawWorld(): void {
  memory.copy(STATE, BARE, STATE_SIZE);
  let left = unseen();
  for (let i: usize = 0; i < <usize>left; i += 8) store<u64>(ORDER + i, load<u64>(POOL + i));
  shuffle(left);
  let node = 0;
  for (let level = 0; level < levels(); level++) {
    const option = drawOption(node);
    left = deal(level, TAKES + <usize>option * MOST_KINDS, left);
    node = load<i32>(LEADS_TO + ((<usize>option) << 2));
  }
  for (let i = 0; i < open(); i++) setTalon(state.drawn + load<u8>(OPEN_PLACES + <usize>i), faceAt(i));
  recall();
}

function faceAt(place: i32): i32 {
  return load<u8>(ORDER + <usize>place);
}

function shuffle(count: i32): void {
  for (let last = count - 1; last > 0; last--) {
    const other = below(last + 1);
    const kept = load<u8>(ORDER + <usize>last);
    store<u8>(ORDER + <usize>last, load<u8>(ORDER + <usize>other));
    store<u8>(ORDER + <usize>other, kept);
  }
}

/** One of the options of a node, each as likely as the ways that go on from it; where there is but one, no chance is taken. */
function drawOption(node: i32): i32 {
  let option = load<i32>(NODES + ((<usize>node) << 2));
  const last = load<i32>(NODES + ((<usize>(node + 1)) << 2)) - 1;
  if (option === last) return option;
  const drawn = bits();
  while (option < last && drawn >= load<u64>(SHARE_OF_CHANCE + ((<usize>option) << 3))) option++;
  return option;
}

/** Give a hand the first cards of each kind, as many as it takes; how many are left, again in an order by chance. */
function deal(level: i32, takes: usize, count: i32): i32 {
  const at = LEVELS + <usize>(level << 2);
  const seat: i32 = load<u8>(at);
  const kinds: i32 = load<u8>(at, 2);
  if (kinds === 1) {
    const size: i32 = load<u8>(takes);
    for (let i = 0; i < size; i++) give(seat, (<u64>1) << faceAt(i), 0);
    for (let i = size; i < count; i++) store<u8>(ORDER + <usize>(i - size), load<u8>(ORDER + <usize>i));
    return count - size;
  }
  let kept = 0;
  for (let kind = 0; kind < kinds; kind++) store<u8>(NEED + <usize>kind, load<u8>(takes + <usize>kind));
  for (let i = 0; i < count; i++) {
    const face = faceAt(i);
    const kind: usize = load<u8>(KINDS + <usize>((level << 6) | face));
    const need = load<u8>(NEED + kind);
    if (need) {
      store<u8>(NEED + kind, need - 1);
      give(seat, (<u64>1) << face, 0);
    } else {
      store<u8>(ORDER + <usize>kept, <u8>face);
      kept++;
    }
  }
  shuffle(kept);
  return kept;
}

const NEED: usize = memory.data(32, 8);

/** The starts of bouts that may come again differ from the hands of now by cards that everybody saw wander: what a hand got here it had then too. */
function recall(): void {
  for (let i = 0; i < state.past; i++) {
    const at = STATE_SIZE + STRIDE * <usize>i;
    for (let seat = 0; seat < players(); seat++) recallHand(seat, at + ((<usize>seat) << 3));
    store<u64>(STATE + at, load<u64>(BARE + at, PAST_ATTACKER), PAST_ATTACKER);
  }
}

function recallHand(seat: i32, place: usize): void {
  const was = BARE + ((<usize>seat) << 3);
  const once = load<u64>(was, HANDS);
  const then = load<u64>(BARE + place);
  if (!twins()) {
    store<u64>(STATE + place, then | (hand(seat) & ~once));
    return;
  }
  const both = twice(seat) & ~once;
  const one = (hand(seat) & ~once) | (twice(seat) & ~load<u64>(was, HANDS_TWICE));
  store<u64>(STATE + place, then | one);
  store<u64>(STATE + place, load<u64>(BARE + place, TWICE_THEN) | (then & one) | both, TWICE_THEN);
}
