// Exchanging two cards with the talon, as in `engine/state_transitions.py`.
import { faceDown } from "./legal";
import { give, loseSight, setSwapped, setTalon, state, swapped, takeOut, talon } from "./state";

/** Put two cards under those of the talon that lie face down, and take the two on top; the turn goes on. */
export function swap(one: i32, other: i32): void {
  const seat = state.attacker;
  const top = state.faceUp === state.drawn && faceDown() ? state.drawn + 1 : state.drawn;
  const down = faceDown();
  const first = talon(top);
  const second = talon(top + 1);
  takeOut(seat, one);
  takeOut(seat, other);
  loseSight(seat);
  for (let i = top; i < top + down - 2; i++) setTalon(i, talon(i + 2));
  setTalon(top + down - 2, one);
  setTalon(top + down - 1, other);
  give(seat, (<u64>1) << first, 0);
  give(seat, (<u64>1) << second, 0);
  setSwapped(seat, swapped(seat) + 1);
  state.swappedNow = 1;
  state.past = 0;
}
