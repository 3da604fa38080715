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
} from "./rules_image";
import {
  attackLimit,
  cardFace,
  hasTwoDecks,
  nextOpponent,
  nextSeatIn,
  playerCount,
  ruleMask,
  ruleNumber,
  ruleTableByte,
  seatInOrder,
  seatOrderFromTable,
  seatOrderLength,
} from "./rules_tables";
import {
  addRepeatablePosition,
  addToHand,
  attackCode,
  countRepetitions,
  emptied,
  hand,
  handSize,
  markPubliclySeen,
  PHASE_OPEN,
  PHASE_OVER,
  removeSeat,
  seatOutAt,
  state,
  talonFace,
} from "./state";

/** The seats that may throw in, in the order in which they are asked. */
export function findThrowers(attacker: i32, defender: i32, newest: i32, seatsIn: i32): i32 {
  const newestKey = ruleNumber(NEWEST_FIRST) ? newest : 0;
  return seatOrderFromTable(THROWERS, attacker | (defender << 3) | (newestKey << 6) | (seatsIn << 9));
}

/** Whether the game is over with those who are in. */
export function isOver(): bool {
  return ruleTableByte(OVER_WITH, state.seatsIn) !== 0 || (state.places > 0 && ruleTableByte(OVER_ONCE_OUT, state.seatsIn) !== 0);
}

/** The game is over. */
export function endGame(drawn: bool): void {
  const seatsIn = state.seatsIn;
  state.actor = NOBODY;
  state.phase = PHASE_OVER;
  state.throwers = state.past = 0;
  state.winners = state.losers = state.epaulettes = 0;
  state.fool = NOBODY;
  if (drawn) return;
  const allSeats = (1 << playerCount()) - 1;
  if (ruleNumber(FIRST_OUT)) {
    state.winners = ruleTableByte(WON_FIRST, seatOutAt(0));
    state.losers = allSeats & ~state.winners;
    if (playerCount() === 2) state.fool = seatOutAt(0) ^ 1;
  } else {
    if (!seatsIn) return;
    state.winners = ruleTableByte(WON_WITH, seatsIn);
    state.losers = allSeats & ~state.winners;
    let maxCards = -1;
    for (let seat = 0; seat < playerCount(); seat++) {
      if ((seatsIn >> seat) & 1 && handSize(seat) > maxCards) {
        maxCards = handSize(seat);
        state.fool = seat;
      }
    }
  }
  if (state.fool !== NOBODY && ruleTableByte(SIDE, state.fool) === ruleTableByte(SIDE, state.defender)) state.epaulettes = countLastSixes();
}

/** How many of the last two attacking cards are sixes, if the last is. */
function countLastSixes(): i32 {
  const laid = state.laid;
  if (!laid || !isSix(attackCode(laid - 1))) return 0;
  return laid > 1 && isSix(attackCode(laid - 2)) ? 2 : 1;
}

function isSix(code: i32): bool {
  const face = cardFace(code);
  return face < 52 && face % 13 === 4;
}

/** Clear the table, refill the hands, see who is out, and begin the next bout. */
export function endBout(): void {
  const taken = state.taking;
  const attacker = state.attacker;
  const defender = state.defender;
  if (taken) {
    addToHand(defender, state.table, state.tableTwice);
    markPubliclySeen(defender, state.table, state.tableTwice);
  } else {
    if (hasTwoDecks()) state.discardTwice |= state.tableTwice | (state.discard & state.table);
    state.discard |= state.table;
  }
  const oldTalonStart = state.drawn;
  if (oldTalonStart < state.end) refillHands(taken, attacker, defender);
  let isAnySeatOut = false;
  if (state.emptied && state.drawn === state.end) {
    for (let i = 0; i < state.emptied; i++) {
      const seat = emptied(i);
      if (!((state.seatsIn >> seat) & 1) || hand(seat)) continue;
      removeSeat(seat);
      isAnySeatOut = true;
    }
  }
  if (isAnySeatOut && isOver()) {
    endGame(false);
    clearTable();
    return;
  }
  const seat = taken || !((state.seatsIn >> defender) & 1) ? nextSeatIn(state.seatsIn, defender) : defender;
  beginBout(seat, !taken || state.drawn !== oldTalonStart);
}

/** Nothing lies on the table. */
function clearTable(): void {
  state.table = state.tableTwice = state.ranks = 0;
  state.laid = state.unbeaten = 0;
}

function refillHands(taken: i32, attacker: i32, defender: i32): void {
  const drawOrder = seatOrderFromTable(DRAWS, (taken << 6) | (attacker << 3) | defender);
  const size = ruleNumber(HAND_SIZE);
  for (let i = 0; i < seatOrderLength(drawOrder) && state.drawn < state.end; i++) {
    const seat = seatInOrder(drawOrder, i);
    const missingCount = size - handSize(seat);
    if (missingCount <= 0) continue;
    const drawEnd = min(state.drawn + missingCount, state.end);
    if (hasTwoDecks()) {
      for (let index = state.drawn; index < drawEnd; index++) addToHand(seat, (<u64>1) << talonFace(index), 0);
    } else {
      let cards: u64 = 0;
      for (let index = state.drawn; index < drawEnd; index++) cards |= (<u64>1) << talonFace(index);
      addToHand(seat, cards, 0);
    }
    state.drawn = drawEnd;
    if (state.faceUp >= 0 && state.faceUp < drawEnd) revealDrawnTurnUp(seat);
  }
}

/** The turn-up has gone into a hand; a hidden trump is turned over, and may have gone with it. */
function revealDrawnTurnUp(seat: i32): void {
  markPubliclySeen(seat, (<u64>1) << talonFace(state.faceUp), 0);
  state.faceUp = -1;
  const hidden = state.hidden;
  if (hidden < 0) return;
  const face = talonFace(hidden);
  if ((ruleMask(CAN_SHOW) >> face) & 1) state.suit = face / 13;
  if (hidden >= state.drawn) state.faceUp = hidden;
  else markPubliclySeen(seat, (<u64>1) << face, 0);
  state.hidden = -1;
}

/** Begin the next bout; a fresh one follows a card drawn or discarded, so that no position before it can return. */
export function beginBout(attacker: i32, isIrreversible: bool): void {
  const seatsIn = state.seatsIn;
  state.phase = PHASE_OPEN;
  state.bout++;
  clearTable();
  state.passed = state.taking = state.swappedNow = state.shown = state.emptied = 0;
  state.began = seatsIn;
  state.attacker = state.actor = state.newest = attacker;
  const opponentSeat = nextOpponent(seatsIn, attacker);
  state.defender = opponentSeat === NOBODY ? attacker : opponentSeat;
  state.throwers = opponentSeat === NOBODY ? 0 : findThrowers(attacker, opponentSeat, attacker, seatsIn);
  const defenderCards = handSize(state.defender);
  const boutLimit = attackLimit(state.bout);
  state.limit = boutLimit < defenderCards ? boutLimit : defenderCards;
  const repetitionsToTie = ruleNumber(TIMES_TO_DRAW);
  if (!repetitionsToTie) return;
  if (isIrreversible) state.past = 0;
  addRepeatablePosition(attacker);
  if (!isIrreversible && countRepetitions() >= repetitionsToTie) endGame(true);
}
