// What each move does, and who is next, as in `engine/state_transitions.py`.

import { endBout, endGame, findThrowers, isOver } from "./bout_transitions";
import { findNextDefender, maxTransferableAttacks } from "./legal_moves";
import {
  ATTACK,
  ATTACK_SEVERAL,
  BEAT,
  cardCodeOf,
  cardCountOf,
  codeOf,
  kindOf,
  PASS,
  SHOW,
  SWAP,
  TAKE,
  THROW,
  targetOf,
} from "./move_encoding";
import { AFTER_TAKE, AT_ONCE, CARD_VOIDS_PASSES, NEWEST_FIRST } from "./rules_image";
import { cardFace, effectiveFace, minBeatenToThrow, ruleNumber, sameRankMask, seatInOrder, seatOrderLength } from "./rules_tables";
import {
  addAttack,
  addShownTrump,
  attackCode,
  beatCode,
  emptied,
  hand,
  markFacePubliclySeen,
  moveToTable,
  PHASE_DEFEND,
  PHASE_THROW_IN,
  removeSeat,
  setBeatCode,
  state,
} from "./state";
import { applySwap } from "./swap_transition";

/** Carry out a legal move; whether it is one is not asked here. */
export function play(move: u64): void {
  state.ply++;
  const kind = kindOf(move);
  if (kind === BEAT) applyBeat(codeOf(move), targetOf(move));
  else if (kind === ATTACK) applyAttack(codeOf(move));
  else if (kind === THROW) applyThrow(codeOf(move));
  else if (kind === PASS) applyPass();
  else if (kind === TAKE) taking();
  else if (kind === ATTACK_SEVERAL) applyAttackSeveral(move);
  else if (kind === SHOW) applyShow(codeOf(move));
  else if (kind === SWAP) {
    applySwap(targetOf(move), codeOf(move));
    return;
  } else applyTransfer(codeOf(move));
  findNextActor();
}

export function applyAttack(code: i32): void {
  addAttack(code);
  state.unbeaten = 1;
  state.ranks = sameRankMask(code);
  moveToTable(state.attacker, cardFace(code));
}

function applyAttackSeveral(move: u64): void {
  const count = cardCountOf(move);
  for (let i = 0; i < count; i++) {
    addAttack(cardCodeOf(move, i));
    moveToTable(state.attacker, cardFace(cardCodeOf(move, i)));
  }
  state.unbeaten = count;
  state.ranks = sameRankMask(codeOf(move));
}

export function applyThrow(code: i32): void {
  addAttack(code);
  state.unbeaten++;
  moveToTable(state.actor, cardFace(code));
  if (ruleNumber(CARD_VOIDS_PASSES)) state.passed = 0;
  state.newest = state.actor;
  if (ruleNumber(NEWEST_FIRST)) updateThrowers();
}

export function applyBeat(code: i32, target: i32): void {
  let index = 0;
  while (beatCode(index) >= 0 || (state.unbeaten > 1 && effectiveFace(attackCode(index)) !== target)) index++;
  setBeatCode(index, code);
  state.ranks |= sameRankMask(code);
  state.unbeaten--;
  moveToTable(state.defender, cardFace(code));
  if (ruleNumber(CARD_VOIDS_PASSES)) state.passed = 0;
}

export function applyTransfer(code: i32): void {
  addAttack(code);
  state.unbeaten++;
  state.newest = state.defender;
  moveToTable(state.defender, cardFace(code));
  rotateAfterTransfer();
}

export function applyShow(face: i32): void {
  addShownTrump(state.defender, face);
  markFacePubliclySeen(state.defender, face);
  rotateAfterTransfer();
}

/** The defender becomes the attacker, and its next opponent the defender. */
function rotateAfterTransfer(): void {
  const next = findNextDefender();
  state.limit = maxTransferableAttacks();
  state.attacker = state.defender;
  state.defender = next;
  state.passed = 0;
  updateThrowers();
}

export function applyPass(): void {
  state.passed |= 1 << state.actor;
}

export function taking(): void {
  state.taking = 1;
  state.passed = 0;
}

function updateThrowers(): void {
  state.throwers = findThrowers(state.attacker, state.defender, state.newest, state.seatsIn);
}

/** Find who is to act, and end the bout when nobody is; before that, whoever has played its last card may be out. */
export function findNextActor(): void {
  if (state.emptied && ruleNumber(AT_ONCE) && endGameIfWonAtOnce()) return;
  const laid = state.laid;
  const unbeaten = state.unbeaten;
  if (laid < state.limit && (state.taking ? ruleNumber(AFTER_TAKE) !== 0 : !unbeaten || laid - unbeaten >= minBeatenToThrow())) {
    const throwers = state.throwers;
    for (let i = 0; i < seatOrderLength(throwers); i++) {
      const seat = seatInOrder(throwers, i);
      if (hand(seat) & state.ranks && !((state.passed >> seat) & 1)) {
        state.actor = seat;
        state.phase = PHASE_THROW_IN;
        return;
      }
    }
  }
  if (unbeaten && !state.taking) {
    state.actor = state.defender;
    state.phase = PHASE_DEFEND;
    return;
  }
  endBout();
}

/** With the talon empty, those who have played their last card are out now; whether that ends the game. */
function endGameIfWonAtOnce(): bool {
  if (state.drawn < state.end) return false;
  let isAnySeatOut = false;
  for (let i = 0; i < state.emptied; i++) {
    if (!((state.seatsIn >> emptied(i)) & 1)) continue;
    removeSeat(emptied(i));
    isAnySeatOut = true;
  }
  if (!isAnySeatOut) return false;
  if (isOver()) {
    endGame(false);
    return true;
  }
  updateThrowers();
  return false;
}
