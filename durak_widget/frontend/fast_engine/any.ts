// A legal move by chance, made. It is the one that chance would draw from the list of them, but where each card is one move nothing is listed: the moves
// are counted, and the one that is drawn is told from the set of cards that make them.
import { below } from "./chance";
import { DECLARES, SEVERAL, SWAPS } from "./image";
import { legalMoves, mayPassOn } from "./legal";
import { moveAt } from "./moves";
import { attacking, beating, passing, play, settle, taking, throwing } from "./play";
import { ADD, attack, hand, OPEN, state, waiting } from "./state";
import { counts, reach, says } from "./tables";

/** Make one of the legal moves, each as likely. */
export function playAny(): void {
  if (says(DECLARES) || !playAnyCard()) play(moveAt(below(legalMoves())));
}

/** The same where each card is one move; whether it is so here. */
function playAnyCard(): bool {
  if (state.phase === ADD) addAny();
  else if (state.phase === OPEN) {
    if (says(SEVERAL) || says(SWAPS)) return false;
    openWithAny();
  } else {
    if (state.unbeaten > 1 || mayPassOn()) return false;
    defendAnyhow();
  }
  return true;
}

/** The face at that place among these. */
function at(faces: u64, place: i32): i32 {
  let left = faces;
  for (let i = place; i > 0; i--) left &= left - 1;
  return <i32>ctz(left);
}

function openWithAny(): void {
  const faces = hand(state.attacker);
  state.ply++;
  attacking(at(faces, below(<i32>popcnt(faces))));
  settle();
}

function addAny(): void {
  const faces = hand(state.actor) & state.ranks;
  const many = <i32>popcnt(faces);
  const place = below(many + 1);
  state.ply++;
  if (place === many) passing();
  else throwing(at(faces, place));
  settle();
}

/** Beat the one card that waits, or take. */
function defendAnyhow(): void {
  const target = counts(attack(waiting()));
  const answers = hand(state.defender) & reach(state.suit, target);
  const many = <i32>popcnt(answers);
  const place = below(many + 1);
  state.ply++;
  if (place < many) beating(at(answers, place), target);
  else taking();
  settle();
}
