// What a policy plays: the first legal move, any by chance, or what the careful bot of `bots/heuristic_bots.py` would play.
import { playAny } from "./any";
import { CLASSES, DEAR, DECLARES, SEVERAL, SWAPS } from "./image";
import { legalMoves, mayPassOn, showable, transferable } from "./legal";
import {
  ATTACK,
  ATTACK_SEVERAL,
  BEAT,
  cardOf,
  codeOf,
  howMany,
  kindOf,
  moveAt,
  moveOf,
  PASS,
  SHOW,
  SWAP,
  TAKE,
  THROW,
  TRANSFER,
  targetOf,
} from "./moves";
import { play } from "./play";
import { ADD, attack, beat, hand, NO_SUIT, OPEN, OVER, state, twice } from "./state";
import { beaters, counts, faceOf, plainOf, playedAs, playsOf, price, priceClass, reach, says } from "./tables";

export const RANDOM: i32 = 0;
export const FIRST: i32 = 1;
export const CAREFUL: i32 = 2;
/** The twos of the four suits: shifted, any other rank. */
const RANK: u64 = 0x8004002001;

/** Play on until the game is over, for so many moves at most; three bits for each seat say its policy. How many were made. */
export function playOn(policies: i32, most: i32): i32 {
  const began = state.ply;
  while (state.phase !== OVER && state.ply - began < most) playOne(policies);
  return state.ply - began;
}

/** One move by the policy of the seat to act. */
export function playOne(policies: i32): void {
  const policy = (policies >> (3 * state.actor)) & 7;
  if (policy === RANDOM) playAny();
  else play(policy === CAREFUL ? careful() : first());
}

function first(): u64 {
  legalMoves();
  return moveAt(0);
}

/** The cheapest card that will do. */
export function careful(): u64 {
  if (state.phase === OPEN) return opening();
  return state.phase === ADD ? throwing() : defence();
}

function cheapest(faces: u64): i32 {
  const plain = faces & plainOf(state.suit);
  if (plain) {
    const ranks = (plain | (plain >> 13) | (plain >> 26) | (plain >> 39)) & 0x1fff;
    return <i32>ctz(plain & (RANK << ctz(ranks)));
  }
  let i = 0;
  let some: u64 = 0;
  for (; !some && i < CLASSES; i++) some = faces & priceClass(state.suit, i);
  return <i32>ctz(some);
}

function opening(): u64 {
  if (!says(DECLARES) && !says(SEVERAL) && !says(SWAPS)) {
    const face = cheapest(hand(state.attacker));
    return moveOf(ATTACK, face, face);
  }
  return carefully();
}

function throwing(): u64 {
  if (says(DECLARES)) return carefully();
  const face = cheapest(hand(state.actor) & state.ranks);
  if (state.drawn < state.end && price(state.suit, face) >= says(DEAR)) return moveOf(PASS, 0);
  return moveOf(THROW, face, face);
}

/** The same where a card may be played in a chosen suit, several at once, or swapped: of all moves the best, the earlier of equal ones. */
function carefully(): u64 {
  const many = legalMoves();
  let best = moveAt(many - 1);
  let least: i32 = i32.MAX_VALUE;
  for (let i = 0; i < many; i++) {
    const move = moveAt(i);
    const cost = kindOf(move) === SWAP ? costOfSwap(move) : kindOf(move) === PASS ? i32.MAX_VALUE : costOfLaying(move);
    if (cost < least) {
      least = cost;
      best = move;
    }
  }
  const dear = state.phase === ADD && state.drawn < state.end && least >> 10 >= says(DEAR);
  return dear ? moveOf(PASS, 0) : best;
}

/** Swaps of plain cards come before all else, the cheapest first. */
function costOfSwap(move: u64): i32 {
  const one = price(state.suit, targetOf(move));
  const other = price(state.suit, codeOf(move));
  return one < says(DEAR) && other < says(DEAR) ? one + other - i32.MAX_VALUE : i32.MAX_VALUE;
}

/** By the dearest card, then with as many cards as can be, then with as few as can be that do not count as trumps. */
function costOfLaying(move: u64): i32 {
  const many = kindOf(move) === ATTACK_SEVERAL ? howMany(move) : 1;
  let dearest = 0;
  let plain = 0;
  for (let i = 0; i < many; i++) {
    const code = many === 1 ? codeOf(move) : cardOf(move, i);
    const cost = price(state.suit, faceOf(code));
    if (cost > dearest) dearest = cost;
    if (suitOf(code) !== state.suit) plain++;
  }
  return (dearest << 10) | ((31 - many) << 5) | plain;
}

/** The suit in which a card counts; none for a joker. */
function suitOf(code: i32): i32 {
  const face = counts(code);
  return face < 52 ? face / 13 : NO_SUIT;
}

/** The faces that are to be beaten. */
const TO_BEAT: usize = memory.data(112, 8);

function toBeat(place: i32): i32 {
  return load<u8>(TO_BEAT + <usize>place);
}

/** Of transferring, showing and beating all that lies there, what costs least; else it takes. */
function defence(): u64 {
  const own = hand(state.defender);
  let best = moveOf(TAKE, 0);
  let least: i32 = i32.MAX_VALUE;
  if (mayPassOn()) {
    const fit = transferable(own);
    if (fit) {
      const face = cheapest(fit);
      best = moveOf(TRANSFER, playedAs(face, 0), counts(playedAs(face, 0)));
      least = price(state.suit, face);
    }
    const shows = showable(own);
    if (shows && least) {
      best = moveOf(SHOW, <i32>ctz(shows), <i32>ctz(shows));
      least = 0;
    }
  }
  let todo = 0;
  for (let i = 0; i < state.laid; i++) {
    if (beat(i) >= 0) continue;
    store<u8>(TO_BEAT + <usize>todo, <u8>counts(attack(i)));
    todo++;
  }
  let one = own;
  let two = twice(state.defender);
  let cost = 0;
  let first: u64 = 0;
  while (todo) {
    let place = 0;
    let fewest = 99;
    for (let i = 0; i < todo; i++) {
      const answers = <i32>popcnt(one & reach(state.suit, toBeat(i)));
      if (answers < fewest) {
        fewest = answers;
        place = i;
      }
    }
    if (!fewest) return best;
    const target = toBeat(place);
    const face = cheapest(one & reach(state.suit, target));
    cost += price(state.suit, face);
    if (cost >= least) return best;
    if (!first) first = moveOf(BEAT, answering(face, target), target);
    const bit: u64 = (<u64>1) << face;
    if (two & bit) two ^= bit;
    else one ^= bit;
    todo--;
    for (; place < todo; place++) store<u8>(TO_BEAT + <usize>place, <u8>toBeat(place + 1));
  }
  return first;
}

/** The first code of a face that beats that. */
function answering(face: i32, target: i32): i32 {
  if (!says(DECLARES)) return face;
  const mask = beaters(state.suit, target);
  for (let i = 0; i < playsOf(face); i++) if ((mask >> counts(playedAs(face, i))) & 1) return playedAs(face, i);
  return face;
}
