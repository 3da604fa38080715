// Two hands and no talon, where one card at a time waits to be beaten: who wins, and within how many bouts, as in `analysis/acyclic_endgame_solver.py`.
//
// The search goes by the same steps, but keeps on a stack of its own what it would leave to calls in calls: so it may rest after any step, and goes
// on where it stood. `value` says whether what was on top of the stack, and is done, was reached by the attacker; what
// has just come onto the stack finds there what lets it try its first card.
import { lookUpResult, NO_LIMIT, storeResult } from "./acyclic_result_table";
import {
  ANSWER_RANK_PENALTY,
  ATTACK_RANK_PENALTY,
  beatersOf,
  cardsOfSameRank,
  endgameRules,
  lowestCard,
  nextCardToTry,
  oneBoutLess,
  winsWithoutSearch,
} from "./endgame_rules";

// What stands on the stack
/** A bout begins: the attacker tries one card after another. */
const BOUT_START: i32 = 0;
/** A bout in which fewer cards may be laid than at any other start with these hands: what is found is not remembered. */
const LIMITED_BOUT_START: i32 = 1;
/** A card waits to be beaten: the defender tries one after another, and taking last. */
const UNBEATEN_CARD: i32 = 2;
/** Everything is beaten: the bout ends, or the attacker throws in. */
const ALL_BEATEN: i32 = 3;
/** The bout has ended, and the other attacks. */
const BOUT_END: i32 = 4;
/** The defender takes: the attacker adds what it likes, and attacks again. */
const TAKE: i32 = 5;

@unmanaged
class Frame {
  attack: u64;
  defend: u64;
  /** All cards that are still in play. */
  allCards: u64;
  /** The cards of the ranks on the table; where the defender takes, those that may be added. */
  ranks: u64;
  /** The cards still to be tried; where the defender takes, those of the next addition. */
  untried: u64;
  kind: i32;
  /** Whether what has come to nothing, or to everything, so far was sure; where the defender takes, before it did and since. */
  decisive: i32;
  decisiveHere: i32;
  /** How many more cards may be thrown in; -1 once every addition was tried. */
  room: i32;
  target: i32;
  maxBouts: i32;
  /** How many positions had been looked at when it began. */
  positionsBefore: u32;
}
const FRAME_SIZE: usize = 72;
/** So deep the search may go: far deeper than thirty-six cards lead. */
const MAX_FRAMES: i32 = 8192;
const STACK: usize = memory.data(FRAME_SIZE * (MAX_FRAMES + 1), 8);
const LAST_FRAME: usize = STACK + FRAME_SIZE * MAX_FRAMES;
let top: usize = STACK;
let lastReached: i32 = 0;
let lastDecisive: i32 = 1;
/** How many positions have been looked at since the ending was opened, and how many may be. */
let searchedCount: u32 = 0;
let budget: u32 = 0;

export const RUNNING: i32 = 0;
export const DONE: i32 = 1;
export const BUDGET_SPENT: i32 = 2;
export const TOO_DEEP: i32 = 3;
let stopReason: i32 = RUNNING;

export function isTargetReached(): bool {
  return lastReached !== 0;
}

/** Whether it is known to be no draw; said only of what was asked without a bound. */
export function isDecisive(): bool {
  return lastDecisive !== 0 && changetype<Frame>(STACK).maxBouts === NO_LIMIT;
}

export function positionsSearched(): u32 {
  return searchedCount;
}

/** Nothing has been looked at. */
export function resetPositionsSearched(): void {
  searchedCount = 0;
}

/** So many positions may be looked at, those among them that were. */
export function setBudget(maxPositions: i32): void {
  budget = maxPositions;
}

/** Search on, for so many steps at most; whether it is done, and if not, why it rests. */
export function search(steps: i32): i32 {
  for (let i = 0; i < steps && top !== STACK && !stopReason; i++) step(changetype<Frame>(top));
  if (stopReason) return stopReason;
  return top === STACK ? DONE : RUNNING;
}

function step(frame: Frame): void {
  const kind = frame.kind;
  if (kind === UNBEATEN_CARD) stepUnbeatenCard(frame);
  else if (kind === ALL_BEATEN) stepAllBeaten(frame);
  else if (kind === TAKE) stepTake(frame);
  else if (kind === BOUT_END) popFrame(lastReached ^ 1, lastDecisive);
  else bout(frame);
}

/** What is on top of the stack is done. */
function popFrame(reached: i32, decisive: i32): void {
  lastReached = reached;
  lastDecisive = decisive;
  top -= FRAME_SIZE;
}

/** Something more on top of the stack, in the bout that is on. */
function pushFrame(kind: i32, attack: u64, defend: u64, ranks: u64, untried: u64, room: i32): Frame {
  const parent = changetype<Frame>(top);
  if (top === LAST_FRAME) {
    stopReason = TOO_DEEP;
    return parent;
  }
  top += FRAME_SIZE;
  const frame = changetype<Frame>(top);
  frame.attack = attack;
  frame.defend = defend;
  frame.allCards = parent.allCards;
  frame.ranks = ranks;
  frame.untried = untried;
  frame.decisive = lastDecisive = 1;
  frame.kind = kind;
  frame.room = room;
  frame.target = parent.target;
  frame.maxBouts = parent.maxBouts;
  return frame;
}

/** Ask anew: these cards are in play, and a worth is to be reached within so many bouts. */
export function resetSearch(allCards: u64, target: i32, maxBouts: i32): void {
  top = STACK;
  lastReached = 0;
  lastDecisive = 1;
  stopReason = RUNNING;
  const rootFrame = changetype<Frame>(STACK);
  rootFrame.allCards = allCards;
  rootFrame.target = target;
  rootFrame.maxBouts = maxBouts;
}

/** A bout begins: what is known of it already, or can be seen, is said at once. */
export function searchStart(attack: u64, defend: u64, requestedTarget: i32, maxBouts: i32): void {
  const target = maxBouts === NO_LIMIT && !endgameRules.drawn ? 1 : requestedTarget;
  if (winsWithoutSearch(attack, defend, target, maxBouts, endgameRules.boutLimit)) {
    lastReached = lastDecisive = 1;
    return;
  }
  const cachedResult = lookUpResult(attack, defend, target, maxBouts);
  if (cachedResult >= 0) {
    lastReached = cachedResult & 1;
    lastDecisive = cachedResult >> 1;
    return;
  }
  if (searchedCount >= budget) {
    stopReason = BUDGET_SPENT;
    return;
  }
  searchedCount++;
  pushBoutStart(BOUT_START, attack, defend, target, maxBouts, min(endgameRules.boutLimit, <i32>popcnt(defend)));
}

function pushBoutStart(kind: i32, attack: u64, defend: u64, target: i32, maxBouts: i32, room: i32): void {
  const frame = pushFrame(kind, attack, defend, 0, attack, endgameRules.canThrowIn ? room - 1 : 0);
  if (stopReason) return;
  frame.allCards = attack | defend;
  frame.target = target;
  frame.maxBouts = maxBouts;
  frame.positionsBefore = searchedCount;
  lastReached = 0;
}

/** A bout begins in which no more than so many cards may be laid. */
export function searchLimitedStart(attack: u64, defend: u64, target: i32, maxBouts: i32, room: i32): void {
  if (winsWithoutSearch(attack, defend, target, maxBouts, 1)) lastReached = lastDecisive = 1;
  else pushBoutStart(LIMITED_BOUT_START, attack, defend, target, maxBouts, room);
}

function bout(frame: Frame): void {
  if (!lastReached) {
    frame.decisive &= lastDecisive;
    const card = nextCardToTry(frame.untried, frame.attack, ATTACK_RANK_PENALTY);
    if (card) {
      frame.untried ^= card;
      searchUnbeatenCard(frame.attack ^ card, frame.defend, cardsOfSameRank(card), frame.room, beatersOf(card) & frame.defend);
      return;
    }
  }
  const decisive = lastReached ? lastDecisive : frame.decisive;
  if (frame.kind === BOUT_START)
    storeResult(frame.attack, frame.defend, frame.target, frame.maxBouts, lastReached, decisive, searchedCount - frame.positionsBefore);
  popFrame(lastReached, decisive);
}

/** A card waits to be beaten by one of these; where nothing beats it and nothing can be added, it is taken at once. */
export function searchUnbeatenCard(attack: u64, defend: u64, ranks: u64, room: i32, options: u64): void {
  lastReached = lastDecisive = 1;
  if (!attack) {
    if (!endgameRules.goesOutAtOnce && options) pushFrame(UNBEATEN_CARD, attack, defend, ranks, options, room);
  } else if (options || (room && endgameRules.canThrowAfterTake && attack & ranks))
    pushFrame(UNBEATEN_CARD, attack, defend, ranks, options, room);
  else {
    const parent = changetype<Frame>(top);
    searchStart(attack, parent.allCards ^ attack, parent.target, oneBoutLess(parent.maxBouts));
  }
}

function stepUnbeatenCard(frame: Frame): void {
  if (!lastReached) {
    popFrame(0, lastDecisive);
    return;
  }
  frame.decisive &= lastDecisive;
  const card = nextCardToTry(frame.untried, frame.attack, ANSWER_RANK_PENALTY);
  if (card) {
    frame.untried ^= card;
    searchAllBeaten(frame.attack, frame.defend ^ card, frame.ranks | cardsOfSameRank(card), frame.room);
    return;
  }
  frame.kind = TAKE;
  startAddingCards(frame, endgameRules.canThrowAfterTake ? frame.room : 0);
}

/** Everything is beaten. */
export function searchAllBeaten(attack: u64, defend: u64, ranks: u64, room: i32): void {
  lastReached = 0;
  lastDecisive = 1;
  if (!defend && endgameRules.goesOutAtOnce) return;
  const fitting = room ? attack & ranks : 0;
  if (fitting) {
    pushFrame(ALL_BEATEN, attack, defend, ranks, fitting, room);
    if (defend) end(pushFrame(BOUT_END, attack, defend, 0, 0, 0));
  } else if (!attack) scoreAttackerOut(defend);
  else if (defend) end(pushFrame(BOUT_END, attack, defend, 0, 0, 0));
}

/** The attacker is out: it has won, unless the defender is out too. */
function scoreAttackerOut(defend: u64): void {
  lastDecisive = defend || endgameRules.attackerWinsIfBothOut ? 1 : 0;
  lastReached = lastDecisive | (changetype<Frame>(top).target ^ 1);
}

function stepAllBeaten(frame: Frame): void {
  if (lastReached) {
    popFrame(1, lastDecisive);
    return;
  }
  frame.decisive &= lastDecisive;
  const card = lowestCard(frame.untried);
  if (card) {
    frame.untried ^= card;
    searchUnbeatenCard(frame.attack ^ card, frame.defend, frame.ranks, frame.room - 1, beatersOf(card) & frame.defend);
  } else popFrame(0, frame.decisive);
}

/** The bout ends, and the other attacks. */
function end(frame: Frame): void {
  if (!stopReason) searchStart(frame.defend, frame.attack, frame.target ^ 1, oneBoutLess(frame.maxBouts));
}

/** The defender takes, and so many more cards may be added. */
export function searchTake(attack: u64, ranks: u64, room: i32): void {
  const frame = pushFrame(TAKE, attack, 0, ranks, 0, room);
  if (!stopReason) startAddingCards(frame, room);
}

function startAddingCards(frame: Frame, room: i32): void {
  frame.ranks = frame.untried = room ? frame.attack & frame.ranks : 0;
  frame.room = room;
  frame.decisiveHere = lastDecisive = 1;
  lastReached = 0;
}

function stepTake(frame: Frame): void {
  if (lastReached) {
    popFrame(1, frame.decisive & lastDecisive);
    return;
  }
  frame.decisiveHere &= lastDecisive;
  if (frame.room < 0) {
    popFrame(0, frame.decisiveHere);
    return;
  }
  const added = frame.untried;
  const fits = <i32>popcnt(added) <= frame.room;
  if (added) frame.untried = (added - 1) & frame.ranks;
  else frame.room = -1;
  const attack = frame.attack ^ added;
  if (!fits) return;
  if (attack) searchStart(attack, frame.allCards ^ attack, frame.target, oneBoutLess(frame.maxBouts));
  else lastReached = lastDecisive = 1;
}
