// The memory behind all else: one room, lent to whoever asked last. Who had it before has lost what lay there.

export const DEAL: i32 = 1;
export const ENDING: i32 = 2;
const PAGE: usize = 65536;
let begins: usize = 0;
let lent: i32 = 0;

/** So many bytes for whoever asks: where they begin, or 0 where there is no more memory. Who has the room and asks for more keeps what lies there. */
export function lend(to: i32, size: usize): usize {
  if (!begins) begins = <usize>memory.size() * PAGE;
  const lacks: isize = <isize>((begins + size + PAGE - 1) / PAGE) - memory.size();
  if (lacks > 0 && memory.grow(<i32>lacks) < 0) return 0;
  lent = to;
  return begins;
}

export function lentTo(): i32 {
  return lent;
}
