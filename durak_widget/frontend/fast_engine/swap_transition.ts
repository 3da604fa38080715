// Exchanging two cards with the talon, as in `engine/state_transitions.py`.
import { countFaceDownTalon } from "./legal_moves";
import { addToHand, forgetSeenCards, removeFromHand, setSwapCount, setTalonFace, state, swapCount, talonFace } from "./state";

/** Put two cards under those of the talon that lie face down, and take the two on top; the turn goes on. */
export function applySwap(face: i32, otherFace: i32): void {
  const seat = state.attacker;
  const topIndex = state.faceUp === state.drawn && countFaceDownTalon() ? state.drawn + 1 : state.drawn;
  const faceDownCount = countFaceDownTalon();
  const first = talonFace(topIndex);
  const second = talonFace(topIndex + 1);
  removeFromHand(seat, face);
  removeFromHand(seat, otherFace);
  forgetSeenCards(seat);
  for (let i = topIndex; i < topIndex + faceDownCount - 2; i++) setTalonFace(i, talonFace(i + 2));
  setTalonFace(topIndex + faceDownCount - 2, face);
  setTalonFace(topIndex + faceDownCount - 1, otherFace);
  addToHand(seat, (<u64>1) << first, 0);
  addToHand(seat, (<u64>1) << second, 0);
  setSwapCount(seat, swapCount(seat) + 1);
  state.swappedNow = 1;
  state.past = 0;
}
