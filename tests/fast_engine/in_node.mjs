// Plays whole games in Node alone: node in_node.mjs KERNEL, and on its input a JSON list of {image, seed, count, policies}, the image in base 64. Prints their digests.
import { readFileSync } from "node:fs";

const [, , file] = process.argv;
const kernel = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {}).exports;
const bytes = new Uint8Array(kernel.memory.buffer);
const numbers = new DataView(kernel.memory.buffer);
const DIGEST = 24;

const played = ({ image, seed, count, policies }) => {
  bytes.set(Buffer.from(image, "base64"), kernel.IMAGE.value);
  if (!kernel.imageStands()) throw new Error("the fast engine does not accept these rules");
  numbers.setBigUint64(kernel.INBOX.value, BigInt(seed), true);
  numbers.setBigUint64(kernel.INBOX.value + 8, BigInt(count), true);
  kernel.askGames(policies);
  while (!kernel.playGames(60000));
  return numbers.getBigUint64(kernel.TALLY.value + 8 * DIGEST, true).toString(16).padStart(16, "0");
};

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(played)));
