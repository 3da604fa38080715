// What each move does, and who is next, as in `engine/state_transitions.py`.

import { endBout, finish, over, throwersOf } from "./bouts";
import { AFTER_TAKE, AT_ONCE, CARD_VOIDS_PASSES, NEWEST_FIRST } from "./image";
import { mostForNext, nextDefender } from "./legal";
import { ATTACK, ATTACK_SEVERAL, BEAT, cardOf, codeOf, howMany, kindOf, PASS, SHOW, SWAP, TAKE, THROW, targetOf } from "./moves";
import { ADD, attack, beat, DEFEND, emptied, goOut, hand, lay, leaveHand, seeOne, setBeat, show, state } from "./state";
import { swap } from "./swapping";
import { beatenNeeded, counts, faceOf, rowSeat, rowSize, sameRank, says } from "./tables";

/** Carry out a legal move; whether it is one is not asked here. */
export function play(move: u64): void {
  state.ply++;
  const kind = kindOf(move);
  if (kind === BEAT) beating(codeOf(move), targetOf(move));
  else if (kind === ATTACK) attacking(codeOf(move));
  else if (kind === THROW) throwing(codeOf(move));
  else if (kind === PASS) passing();
  else if (kind === TAKE) taking();
  else if (kind === ATTACK_SEVERAL) attackingWith(move);
  else if (kind === SHOW) showing(codeOf(move));
  else if (kind === SWAP) {
    swap(targetOf(move), codeOf(move));
    return;
  } else transferring(codeOf(move));
  settle();
}

export function attacking(code: i32): void {
  lay(code);
  state.unbeaten = 1;
  state.ranks = sameRank(code);
  leaveHand(state.attacker, faceOf(code));
}

function attackingWith(move: u64): void {
  const count = howMany(move);
  for (let i = 0; i < count; i++) {
    lay(cardOf(move, i));
    leaveHand(state.attacker, faceOf(cardOf(move, i)));
  }
  state.unbeaten = count;
  state.ranks = sameRank(codeOf(move));
}

export function throwing(code: i32): void {
  lay(code);
  state.unbeaten++;
  leaveHand(state.actor, faceOf(code));
  if (says(CARD_VOIDS_PASSES)) state.passed = 0;
  state.newest = state.actor;
  if (says(NEWEST_FIRST)) askAnew();
}

export function beating(code: i32, target: i32): void {
  let place = 0;
  while (beat(place) >= 0 || (state.unbeaten > 1 && counts(attack(place)) !== target)) place++;
  setBeat(place, code);
  state.ranks |= sameRank(code);
  state.unbeaten--;
  leaveHand(state.defender, faceOf(code));
  if (says(CARD_VOIDS_PASSES)) state.passed = 0;
}

export function transferring(code: i32): void {
  lay(code);
  state.unbeaten++;
  state.newest = state.defender;
  leaveHand(state.defender, faceOf(code));
  passOn();
}

export function showing(face: i32): void {
  show(state.defender, face);
  seeOne(state.defender, face);
  passOn();
}

/** The defender becomes the attacker, and its next opponent the defender. */
function passOn(): void {
  const next = nextDefender();
  state.limit = mostForNext();
  state.attacker = state.defender;
  state.defender = next;
  state.passed = 0;
  askAnew();
}

export function passing(): void {
  state.passed |= 1 << state.actor;
}

export function taking(): void {
  state.taking = 1;
  state.passed = 0;
}

function askAnew(): void {
  state.throwers = throwersOf(state.attacker, state.defender, state.newest, state.seatsIn);
}

/** Find who is to act, and end the bout when nobody is; before that, whoever has played its last card may be out. */
export function settle(): void {
  if (state.emptied && says(AT_ONCE) && goneAtOnce()) return;
  const laid = state.laid;
  const unbeaten = state.unbeaten;
  if (laid < state.limit && (state.taking ? says(AFTER_TAKE) !== 0 : !unbeaten || laid - unbeaten >= beatenNeeded())) {
    const row = state.throwers;
    for (let i = 0; i < rowSize(row); i++) {
      const seat = rowSeat(row, i);
      if (hand(seat) & state.ranks && !((state.passed >> seat) & 1)) {
        state.actor = seat;
        state.phase = ADD;
        return;
      }
    }
  }
  if (unbeaten && !state.taking) {
    state.actor = state.defender;
    state.phase = DEFEND;
    return;
  }
  endBout();
}

/** With the talon empty, those who have played their last card are out now; whether that ends the game. */
function goneAtOnce(): bool {
  if (state.drawn < state.end) return false;
  let gone = false;
  for (let i = 0; i < state.emptied; i++) {
    if (!((state.seatsIn >> emptied(i)) & 1)) continue;
    goOut(emptied(i));
    gone = true;
  }
  if (!gone) return false;
  if (over()) {
    finish(false);
    return true;
  }
  askAnew();
  return false;
}
