/** How what stands on a tree is printed, and how wide it is so: the one place that knows both. The style sheet paints with it, by its names. */

/** As base.css has it. */
const SANS = '-apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, "Helvetica Neue", Arial, sans-serif';
const PRINTS = {
  word: "400 14px/20px",
  pay: "650 14px/20px",
  likely: "650 12px/14px",
  note: "400 12px/15px",
} as const;
export type Print = keyof typeof PRINTS;

/** Have the style sheet print so: `font: var(--dk-print-pay)`. */
export function prints(root: HTMLElement): void {
  for (const [name, font] of Object.entries(PRINTS)) root.style.setProperty(`--dk-print-${name}`, `${font} ${SANS}`);
}

/** The same, for a canvas. */
export const printed = (print: Print): string => `${PRINTS[print]} ${SANS}`;

const pen = { context: undefined as CanvasRenderingContext2D | null | undefined, widths: new Map<string, number>() };

/** How wide words are: measured once for each. Digits are all as wide as a nought, as tables have them. */
export function textWidth(said: string, print: Print = "word"): number {
  const key = `${print} ${said}`;
  const found = pen.widths.get(key);
  if (found !== undefined) return found;
  if (pen.context === undefined) pen.context = document.createElement("canvas").getContext("2d");
  if (pen.context) pen.context.font = printed(print);
  const width = Math.ceil(pen.context?.measureText(said.replace(/\d/g, "0")).width ?? said.length * 8.5);
  if (pen.widths.size > 20_000) pen.widths.clear();
  pen.widths.set(key, width);
  return width;
}
