// Chance: numbers that only a seed decides, the same on every machine. `fast_engine/random_generator.py` counts them out in Python.

let seed: u64 = 0;

export function mixBits(number: u64): u64 {
  let x = number;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/** Begin anew from a seed. */
export function setSeed(newSeed: u64): void {
  seed = newSeed;
}

export function getSeed(): u64 {
  return seed;
}

/** The next 64 bits (SplitMix64). */
export function nextBits(): u64 {
  seed += 0x9e3779b97f4a7c15;
  return mixBits(seed);
}

/** A number below that, each as likely: where the upper half of the bits does not fall evenly, it is drawn again. */
export function randomBelow(limit: i32): i32 {
  let product = (nextBits() >> 32) * <u64>limit;
  if (<u32>product < <u32>limit) product = redrawIfBiased(product, limit);
  return <i32>(product >> 32);
}

function redrawIfBiased(firstProduct: u64, limit: i32): u64 {
  const threshold: u32 = (<u32>0 - <u32>limit) % <u32>limit;
  let product = firstProduct;
  while (<u32>product < threshold) product = (nextBits() >> 32) * <u64>limit;
  return product;
}
