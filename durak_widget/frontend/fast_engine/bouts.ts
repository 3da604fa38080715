// How bouts begin and end: the table cleared, the hands refilled, who is out, and whether the game is over; as in `engine/state_transitions.py`.
import {
  CAN_SHOW,
  DRAWS,
  FIRST_OUT,
  HAND_SIZE,
  NEWEST_FIRST,
  NOBODY,
  OVER_ONCE_OUT,
  OVER_WITH,
  SIDE,
  THROWERS,
  TIMES_TO_DRAW,
  WON_FIRST,
  WON_WITH,
} from "./image";
import { attack, emptied, give, goOut, hand, held, OPEN, OVER, place, remember, see, state, talon, timesHere } from "./state";
import { byteOf, faceOf, maskOf, mostOf, nextIn, opponent, players, rowOf, rowSeat, rowSize, says, twins } from "./tables";

/** The seats that may throw in, in the order in which they are asked. */
export function throwersOf(attacker: i32, defender: i32, newest: i32, seatsIn: i32): i32 {
  const first = says(NEWEST_FIRST) ? newest : 0;
  return rowOf(THROWERS, attacker | (defender << 3) | (first << 6) | (seatsIn << 9));
}

/** Whether the game is over with those who are in. */
export function over(): bool {
  return byteOf(OVER_WITH, state.seatsIn) !== 0 || (state.places > 0 && byteOf(OVER_ONCE_OUT, state.seatsIn) !== 0);
}

/** The game is over. */
export function finish(drawn: bool): void {
  const left = state.seatsIn;
  state.actor = NOBODY;
  state.phase = OVER;
  state.throwers = state.past = 0;
  state.winners = state.losers = state.epaulettes = 0;
  state.fool = NOBODY;
  if (drawn) return;
  const everybody = (1 << players()) - 1;
  if (says(FIRST_OUT)) {
    state.winners = byteOf(WON_FIRST, place(0));
    state.losers = everybody & ~state.winners;
    if (players() === 2) state.fool = place(0) ^ 1;
  } else {
    if (!left) return;
    state.winners = byteOf(WON_WITH, left);
    state.losers = everybody & ~state.winners;
    let most = -1;
    for (let seat = 0; seat < players(); seat++) {
      if ((left >> seat) & 1 && held(seat) > most) {
        most = held(seat);
        state.fool = seat;
      }
    }
  }
  if (state.fool !== NOBODY && byteOf(SIDE, state.fool) === byteOf(SIDE, state.defender)) state.epaulettes = sixes();
}

/** How many of the last two attacking cards are sixes, if the last is. */
function sixes(): i32 {
  const laid = state.laid;
  if (!laid || !six(attack(laid - 1))) return 0;
  return laid > 1 && six(attack(laid - 2)) ? 2 : 1;
}

function six(code: i32): bool {
  const face = faceOf(code);
  return face < 52 && face % 13 === 4;
}

/** Clear the table, refill the hands, see who is out, and begin the next bout. */
export function endBout(): void {
  const taken = state.taking;
  const attacker = state.attacker;
  const defender = state.defender;
  if (taken) {
    give(defender, state.table, state.tableTwice);
    see(defender, state.table, state.tableTwice);
  } else {
    if (twins()) state.discardTwice |= state.tableTwice | (state.discard & state.table);
    state.discard |= state.table;
  }
  const before = state.drawn;
  if (before < state.end) refill(taken, attacker, defender);
  let gone = false;
  if (state.emptied && state.drawn === state.end) {
    for (let i = 0; i < state.emptied; i++) {
      const seat = emptied(i);
      if (!((state.seatsIn >> seat) & 1) || hand(seat)) continue;
      goOut(seat);
      gone = true;
    }
  }
  if (gone && over()) {
    finish(false);
    clear();
    return;
  }
  const seat = taken || !((state.seatsIn >> defender) & 1) ? nextIn(state.seatsIn, defender) : defender;
  beginBout(seat, !taken || state.drawn !== before);
}

/** Nothing lies on the table. */
function clear(): void {
  state.table = state.tableTwice = state.ranks = 0;
  state.laid = state.unbeaten = 0;
}

function refill(taken: i32, attacker: i32, defender: i32): void {
  const row = rowOf(DRAWS, (taken << 6) | (attacker << 3) | defender);
  const size = says(HAND_SIZE);
  for (let i = 0; i < rowSize(row) && state.drawn < state.end; i++) {
    const seat = rowSeat(row, i);
    const need = size - held(seat);
    if (need <= 0) continue;
    const upto = min(state.drawn + need, state.end);
    if (twins()) {
      for (let at = state.drawn; at < upto; at++) give(seat, (<u64>1) << talon(at), 0);
    } else {
      let cards: u64 = 0;
      for (let at = state.drawn; at < upto; at++) cards |= (<u64>1) << talon(at);
      give(seat, cards, 0);
    }
    state.drawn = upto;
    if (state.faceUp >= 0 && state.faceUp < upto) drawTurnUp(seat);
  }
}

/** The turn-up has gone into a hand; a hidden trump is turned over, and may have gone with it. */
function drawTurnUp(seat: i32): void {
  see(seat, (<u64>1) << talon(state.faceUp), 0);
  state.faceUp = -1;
  const hidden = state.hidden;
  if (hidden < 0) return;
  const face = talon(hidden);
  if ((maskOf(CAN_SHOW) >> face) & 1) state.suit = face / 13;
  if (hidden >= state.drawn) state.faceUp = hidden;
  else see(seat, (<u64>1) << face, 0);
  state.hidden = -1;
}

/** Begin the next bout; a fresh one follows a card drawn or discarded, so that no position before it can return. */
export function beginBout(attacker: i32, fresh: bool): void {
  const seatsIn = state.seatsIn;
  state.phase = OPEN;
  state.bout++;
  clear();
  state.passed = state.taking = state.swappedNow = state.shown = state.emptied = 0;
  state.began = seatsIn;
  state.attacker = state.actor = state.newest = attacker;
  const found = opponent(seatsIn, attacker);
  state.defender = found === NOBODY ? attacker : found;
  state.throwers = found === NOBODY ? 0 : throwersOf(attacker, found, attacker, seatsIn);
  const has = held(state.defender);
  const most = mostOf(state.bout);
  state.limit = most < has ? most : has;
  const times = says(TIMES_TO_DRAW);
  if (!times) return;
  if (fresh) state.past = 0;
  remember(attacker);
  if (!fresh && timesHere() >= times) finish(true);
}
