/** The card at the end: who is the fool, the epaulettes, and the score of the match. */

import { make } from "./dom";
import type { Over } from "./scene";
import type { Words } from "./words";

const COLUMNS = ["side", "score.won", "score.drew", "score.lost", "score.epaulettes"] as const;

export function verdict({ said, epaulettes, score, match }: Over, words: Words): Node[] {
  const columns = score.some((row) => row[4]) ? COLUMNS : COLUMNS.slice(0, -1);
  const heads = columns.map((key) => make("th", "", { scope: "col" }, words.say(key)));
  const rows = score.map(([name, ...rest]) => {
    const cells = rest.slice(0, columns.length - 1).map((cell) => make("td", "", {}, String(cell) || "–"));
    return make("tr", "", {}, make("th", "", { scope: "row" }, name), ...cells);
  });
  const found: Node[] = [make("p", "dk-verdict", {}, said[0])];
  if (epaulettes) {
    const sixes = Array.from({ length: epaulettes }, () => make("i", "", {}, "6"));
    found.push(make("p", "dk-epaulettes", { role: "img", "aria-label": words.count("shoulders", epaulettes) }, ...sixes));
  }
  found.push(make("table", "dk-score", {}, make("tr", "", {}, ...heads), ...rows));
  if (match) found.push(make("p", "", {}, match));
  return found;
}
