// Chance: numbers that only a seed decides, the same on every machine. `fast_engine/random_generator.py` counts them out in Python.

let seed: u64 = 0;

export function stirred(number: u64): u64 {
  let x = number;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/** Begin anew from a seed. */
export function sow(from: u64): void {
  seed = from;
}

export function sown(): u64 {
  return seed;
}

/** The next 64 bits (SplitMix64). */
export function bits(): u64 {
  seed += 0x9e3779b97f4a7c15;
  return stirred(seed);
}

/** A number below that, each as likely: where the upper half of the bits does not fall evenly, it is drawn again. */
export function below(limit: i32): i32 {
  let product = (bits() >> 32) * <u64>limit;
  if (<u32>product < <u32>limit) product = again(product, limit);
  return <i32>(product >> 32);
}

function again(from: u64, limit: i32): u64 {
  const uneven: u32 = (<u32>0 - <u32>limit) % <u32>limit;
  let product = from;
  while (<u32>product < uneven) product = (bits() >> 32) * <u64>limit;
  return product;
}
