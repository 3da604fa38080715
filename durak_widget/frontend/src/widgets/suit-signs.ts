/** The symbol beside the name of a suit in a text: a drawing to look at, while a screen reader says only the name. */

import { drawSuitSign } from "./cards";
import { makeDrawing } from "./dom";

const SUIT_LETTERS: Readonly<Record<string, string>> = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };
/** A word and the symbol that follows it, after a no-break space. In a name such as `7♠`, the symbol is part of the name. */
const NAME_WITH_SIGN = /(\S+\u00a0[♣♦♥♠])\ufe0e/;

/** Split a text, so that every second part is a word with its symbol. */
export const splitAtSuitSigns = (text: string): string[] => text.split(NAME_WITH_SIGN);

const removeSign = (name: string): string => name.slice(0, -2);

/** Return a text without the symbols that follow words. */
export const removeSuitSigns = (text: string): string =>
  splitAtSuitSigns(text)
    .map((part, i) => (i % 2 ? removeSign(part) : part))
    .join("");

/** Return a text as nodes. The symbol after a word is a drawing, and stays in its line. */
export const renderSuitSigns = (text: string): (Node | string)[] =>
  splitAtSuitSigns(text).map((part, i) => {
    if (i % 2 === 0) return part;
    const element = makeDrawing("span", "", drawSuitSign(SUIT_LETTERS[part.slice(-1)] ?? ""));
    element.prepend(`${removeSign(part)}\u00a0`);
    return element;
  });
