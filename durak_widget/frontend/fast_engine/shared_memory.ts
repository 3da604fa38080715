// The memory behind all else: one room, lent to whoever asked last. Who had it before has lost what lay there.

export const DOUBLE_DUMMY_OWNER: i32 = 1;
export const ENDGAME_OWNER: i32 = 2;
const PAGE_SIZE: usize = 65536;
let startAddress: usize = 0;
let owner: i32 = 0;

/** So many bytes for whoever asks: where they begin, or 0 where there is no more memory. Who has the room and asks for more keeps what lies there. */
export function reserveMemory(newOwner: i32, size: usize): usize {
  if (!startAddress) startAddress = <usize>memory.size() * PAGE_SIZE;
  const missingPages: isize = <isize>((startAddress + size + PAGE_SIZE - 1) / PAGE_SIZE) - memory.size();
  if (missingPages > 0 && memory.grow(<i32>missingPages) < 0) return 0;
  owner = newOwner;
  return startAddress;
}

export function memoryOwner(): i32 {
  return owner;
}
