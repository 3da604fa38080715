// A legal move by chance, made. It is the one that chance would draw from the list of them, but where each card is one move nothing is listed: the moves
// are counted, and the one that is drawn is told from the set of cards that make them.

import { canTransfer, legalMoves } from "./legal_moves";
import { moveAt } from "./move_encoding";
import { applyAttack, applyBeat, applyPass, applyThrow, findNextActor, play, taking } from "./move_transitions";
import { randomBelow } from "./random_generator";
import { DECLARES, SEVERAL, SWAPS } from "./rules_image";
import { effectiveFace, playableBeaterMask, ruleNumber } from "./rules_tables";
import { attackCode, hand, PHASE_OPEN, PHASE_THROW_IN, state, unbeatenIndex } from "./state";

/** Make one of the legal moves, each as likely. */
export function playRandomMove(): void {
  if (ruleNumber(DECLARES) || !playRandomCardMove()) play(moveAt(randomBelow(legalMoves())));
}

/** The same where each card is one move; whether it is so here. */
function playRandomCardMove(): bool {
  if (state.phase === PHASE_THROW_IN) throwInRandomly();
  else if (state.phase === PHASE_OPEN) {
    if (ruleNumber(SEVERAL) || ruleNumber(SWAPS)) return false;
    attackRandomly();
  } else {
    if (state.unbeaten > 1 || canTransfer()) return false;
    defendRandomly();
  }
  return true;
}

/** The face at that place among these. */
function faceAtIndex(faces: u64, index: i32): i32 {
  let remaining = faces;
  for (let i = index; i > 0; i--) remaining &= remaining - 1;
  return <i32>ctz(remaining);
}

function attackRandomly(): void {
  const faces = hand(state.attacker);
  state.ply++;
  applyAttack(faceAtIndex(faces, randomBelow(<i32>popcnt(faces))));
  findNextActor();
}

function throwInRandomly(): void {
  const faces = hand(state.actor) & state.ranks;
  const cardCount = <i32>popcnt(faces);
  const choice = randomBelow(cardCount + 1);
  state.ply++;
  if (choice === cardCount) applyPass();
  else applyThrow(faceAtIndex(faces, choice));
  findNextActor();
}

/** Beat the one card that waits, or take. */
function defendRandomly(): void {
  const target = effectiveFace(attackCode(unbeatenIndex()));
  const answers = hand(state.defender) & playableBeaterMask(state.suit, target);
  const answerCount = <i32>popcnt(answers);
  const choice = randomBelow(answerCount + 1);
  state.ply++;
  if (choice < answerCount) applyBeat(faceAtIndex(answers, choice), target);
  else taking();
  findNextActor();
}
