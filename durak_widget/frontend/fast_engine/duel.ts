// Two hands and no talon, where one card at a time waits to be beaten: who wins, and within how many bouts, as in `analysis/acyclic_endgame_solver.py`.
//
// The search goes by the same steps, but keeps on a stack of its own what it would leave to calls in calls: so it may rest after any step, and goes
// on where it stood. `value` says whether what was on top of the stack, and is done, was reached by the attacker; what
// has just come onto the stack finds there what lets it try its first card.
import { EVER, recall, remember } from "./known";
import { ANSWER_IN_COMPANY, ATTACK_IN_COMPANY, beating, fewer, lowest, next, ofRank, terms, winsAsItStands } from "./terms";

// What stands on the stack
/** A bout begins: the attacker tries one card after another. */
const BOUT: i32 = 0;
/** A bout in which fewer cards may be laid than at any other start with these hands: what is found is not remembered. */
const SHORT_BOUT: i32 = 1;
/** A card waits to be beaten: the defender tries one after another, and taking last. */
const ANSWER: i32 = 2;
/** Everything is beaten: the bout ends, or the attacker throws in. */
const ASKED: i32 = 3;
/** The bout has ended, and the other attacks. */
const ENDED: i32 = 4;
/** The defender takes: the attacker adds what it likes, and attacks again. */
const TAKE: i32 = 5;

@unmanaged
class Frame {
  attack: u64;
  defend: u64;
  /** All cards that are still in play. */
  everything: u64;
  /** The cards of the ranks on the table; where the defender takes, those that may be added. */
  ranks: u64;
  /** The cards still to be tried; where the defender takes, those of the next addition. */
  left: u64;
  kind: i32;
  /** Whether what has come to nothing, or to everything, so far was sure; where the defender takes, before it did and since. */
  sure: i32;
  since: i32;
  /** How many more cards may be thrown in; -1 once every addition was tried. */
  room: i32;
  worth: i32;
  within: i32;
  /** How many positions had been looked at when it began. */
  before: u32;
}
const FRAME: usize = 72;
/** So deep the search may go: far deeper than thirty-six cards lead. */
const MOST_FRAMES: i32 = 8192;
const STACK: usize = memory.data(FRAME * (MOST_FRAMES + 1), 8);
const DEEPEST: usize = STACK + FRAME * MOST_FRAMES;
let top: usize = STACK;
let value: i32 = 0;
let sure: i32 = 1;
/** How many positions have been looked at since the ending was opened, and how many may be. */
let looked: u32 = 0;
let budget: u32 = 0;

export const GOING_ON: i32 = 0;
export const DONE: i32 = 1;
export const SPENT: i32 = 2;
export const TOO_DEEP: i32 = 3;
let stopped: i32 = GOING_ON;

export function reached(): bool {
  return value !== 0;
}

/** Whether it is known to be no draw; said only of what was asked without a bound. */
export function surely(): bool {
  return sure !== 0 && changetype<Frame>(STACK).within === EVER;
}

export function lookedAt(): u32 {
  return looked;
}

/** Nothing has been looked at. */
export function lookAnew(): void {
  looked = 0;
}

/** So many positions may be looked at, those among them that were. */
export function allow(positions: i32): void {
  budget = positions;
}

/** Search on, for so many steps at most; whether it is done, and if not, why it rests. */
export function search(steps: i32): i32 {
  for (let i = 0; i < steps && top !== STACK && !stopped; i++) step(changetype<Frame>(top));
  if (stopped) return stopped;
  return top === STACK ? DONE : GOING_ON;
}

function step(frame: Frame): void {
  const kind = frame.kind;
  if (kind === ANSWER) answer(frame);
  else if (kind === ASKED) asked(frame);
  else if (kind === TAKE) take(frame);
  else if (kind === ENDED) found(value ^ 1, sure);
  else bout(frame);
}

/** What is on top of the stack is done. */
function found(reached: i32, surely: i32): void {
  value = reached;
  sure = surely;
  top -= FRAME;
}

/** Something more on top of the stack, in the bout that is on. */
function push(kind: i32, attack: u64, defend: u64, ranks: u64, left: u64, room: i32): Frame {
  const below = changetype<Frame>(top);
  if (top === DEEPEST) {
    stopped = TOO_DEEP;
    return below;
  }
  top += FRAME;
  const frame = changetype<Frame>(top);
  frame.attack = attack;
  frame.defend = defend;
  frame.everything = below.everything;
  frame.ranks = ranks;
  frame.left = left;
  frame.sure = sure = 1;
  frame.kind = kind;
  frame.room = room;
  frame.worth = below.worth;
  frame.within = below.within;
  return frame;
}

/** Ask anew: these cards are in play, and a worth is to be reached within so many bouts. */
export function question(everything: u64, worth: i32, within: i32): void {
  top = STACK;
  value = 0;
  sure = 1;
  stopped = GOING_ON;
  const ground = changetype<Frame>(STACK);
  ground.everything = everything;
  ground.worth = worth;
  ground.within = within;
}

/** A bout begins: what is known of it already, or can be seen, is said at once. */
export function start(attack: u64, defend: u64, asked: i32, within: i32): void {
  const worth = within === EVER && !terms.drawn ? 1 : asked;
  if (winsAsItStands(attack, defend, worth, within, terms.most)) {
    value = sure = 1;
    return;
  }
  const known = recall(attack, defend, worth, within);
  if (known >= 0) {
    value = known & 1;
    sure = known >> 1;
    return;
  }
  if (looked >= budget) {
    stopped = SPENT;
    return;
  }
  looked++;
  begin(BOUT, attack, defend, worth, within, min(terms.most, <i32>popcnt(defend)));
}

function begin(kind: i32, attack: u64, defend: u64, worth: i32, within: i32, room: i32): void {
  const frame = push(kind, attack, defend, 0, attack, terms.throws ? room - 1 : 0);
  if (stopped) return;
  frame.everything = attack | defend;
  frame.worth = worth;
  frame.within = within;
  frame.before = looked;
  value = 0;
}

/** A bout begins in which no more than so many cards may be laid. */
export function startShort(attack: u64, defend: u64, worth: i32, within: i32, room: i32): void {
  if (winsAsItStands(attack, defend, worth, within, 1)) value = sure = 1;
  else begin(SHORT_BOUT, attack, defend, worth, within, room);
}

function bout(frame: Frame): void {
  if (!value) {
    frame.sure &= sure;
    const card = next(frame.left, frame.attack, ATTACK_IN_COMPANY);
    if (card) {
      frame.left ^= card;
      waits(frame.attack ^ card, frame.defend, ofRank(card), frame.room, beating(card) & frame.defend);
      return;
    }
  }
  const surely = value ? sure : frame.sure;
  if (frame.kind === BOUT) remember(frame.attack, frame.defend, frame.worth, frame.within, value, surely, looked - frame.before);
  found(value, surely);
}

/** A card waits to be beaten by one of these; where nothing beats it and nothing can be added, it is taken at once. */
export function waits(attack: u64, defend: u64, ranks: u64, room: i32, options: u64): void {
  value = sure = 1;
  if (!attack) {
    if (!terms.atOnce && options) push(ANSWER, attack, defend, ranks, options, room);
  } else if (options || (room && terms.afterTake && attack & ranks)) push(ANSWER, attack, defend, ranks, options, room);
  else {
    const below = changetype<Frame>(top);
    start(attack, below.everything ^ attack, below.worth, fewer(below.within));
  }
}

function answer(frame: Frame): void {
  if (!value) {
    found(0, sure);
    return;
  }
  frame.sure &= sure;
  const card = next(frame.left, frame.attack, ANSWER_IN_COMPANY);
  if (card) {
    frame.left ^= card;
    beaten(frame.attack, frame.defend ^ card, frame.ranks | ofRank(card), frame.room);
    return;
  }
  frame.kind = TAKE;
  adding(frame, terms.afterTake ? frame.room : 0);
}

/** Everything is beaten. */
export function beaten(attack: u64, defend: u64, ranks: u64, room: i32): void {
  value = 0;
  sure = 1;
  if (!defend && terms.atOnce) return;
  const fit = room ? attack & ranks : 0;
  if (fit) {
    push(ASKED, attack, defend, ranks, fit, room);
    if (defend) end(push(ENDED, attack, defend, 0, 0, 0));
  } else if (!attack) runOut(defend);
  else if (defend) end(push(ENDED, attack, defend, 0, 0, 0));
}

/** The attacker is out: it has won, unless the defender is out too. */
function runOut(defend: u64): void {
  sure = defend || terms.wonByBoth ? 1 : 0;
  value = sure | (changetype<Frame>(top).worth ^ 1);
}

function asked(frame: Frame): void {
  if (value) {
    found(1, sure);
    return;
  }
  frame.sure &= sure;
  const card = lowest(frame.left);
  if (card) {
    frame.left ^= card;
    waits(frame.attack ^ card, frame.defend, frame.ranks, frame.room - 1, beating(card) & frame.defend);
  } else found(0, frame.sure);
}

/** The bout ends, and the other attacks. */
function end(frame: Frame): void {
  if (!stopped) start(frame.defend, frame.attack, frame.worth ^ 1, fewer(frame.within));
}

/** The defender takes, and so many more cards may be added. */
export function taken(attack: u64, ranks: u64, room: i32): void {
  const frame = push(TAKE, attack, 0, ranks, 0, room);
  if (!stopped) adding(frame, room);
}

function adding(frame: Frame, room: i32): void {
  frame.ranks = frame.left = room ? frame.attack & frame.ranks : 0;
  frame.room = room;
  frame.since = sure = 1;
  value = 0;
}

function take(frame: Frame): void {
  if (value) {
    found(1, frame.sure & sure);
    return;
  }
  frame.since &= sure;
  if (frame.room < 0) {
    found(0, frame.since);
    return;
  }
  const added = frame.left;
  const fits = <i32>popcnt(added) <= frame.room;
  if (added) frame.left = (added - 1) & frame.ranks;
  else frame.room = -1;
  const attack = frame.attack ^ added;
  if (!fits) return;
  if (attack) start(attack, frame.everything ^ attack, frame.worth, fewer(frame.within));
  else value = sure = 1;
}
