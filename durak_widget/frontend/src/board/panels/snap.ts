/** Probabilities under a hand: near a simple fraction they are that fraction, else whole percents. */

const SIMPLE = [
  ["0", 0],
  ["1/4", 1 / 4],
  ["1/3", 1 / 3],
  ["1/2", 1 / 2],
  ["2/3", 2 / 3],
  ["3/4", 3 / 4],
  ["1", 1],
] as const;
/** So near to a simple fraction it is meant. */
const NEAR = 0.021;

/** A probability as it is told to Python, which knows its exact value. */
export function snapped(likely: number): string {
  const held = Math.min(Math.max(likely, 0), 1);
  const simple = SIMPLE.find(([, value]) => Math.abs(value - held) < NEAR);
  return simple ? simple[0] : `${Math.round(held * 100)}/100`;
}

/** The number that such a text is. */
export function numeral(text: string): number {
  const [above = 0, below = 1] = text.split("/").map(Number);
  return above / below;
}

/** So many steps of five percent on or back: from between two steps to the next. */
export function stepped(likely: number, steps: number): string {
  const at = likely * 20;
  const to = steps > 0 ? Math.floor(at + 1e-6) + steps : Math.ceil(at - 1e-6) + steps;
  return snapped5(Math.min(Math.max(to, 0), 20));
}

const snapped5 = (twentieths: number): string => {
  const simple = SIMPLE.find(([, value]) => Math.abs(value * 20 - twentieths) < 1e-6);
  return simple ? simple[0] : `${twentieths * 5}/100`;
};
