/** The result at the end of a game, and the line with the game's name and the match score. */

import { make, setAttributes, setText } from "../../widgets/dom";
import type { GameResult, Scene } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import type { TableContext } from "../../widgets/table-context";
import { drawEpaulettes } from "./seats";

/** Return who won and who is the fool, the most important first: written, or as read aloud. */
export function listResultLines({ text, farewell, won, beaten }: GameResult, voice: 0 | 1): string[] {
  const lines = [(beaten?.text ?? farewell)?.[voice] ?? "", text[voice]];
  return (won ? lines : lines.reverse()).filter(Boolean);
}

/** Return the result at the end of a game: who is the fool, and what opponents say. The extras add the faces and the score. */
export function renderResult({ seats, viewer: me }: Scene, result: GameResult, words: Words): HTMLElement {
  const { order, match_result: match, quotes = [], standing } = result;
  const makeLine = (className: string, text: string | undefined): Node[] => (text ? [make("p", className, {}, text)] : []);
  const ownEpaulettes = seats[me]?.epaulettes ?? []; // The other players wear theirs at their seats.
  const label = { role: "img", "aria-label": words.sayCount("shoulders", ownEpaulettes.length) };
  const lines = [
    ...listResultLines(result, 0).flatMap((line, i) => makeLine(i ? "" : "dk-verdict", line)),
    ...(ownEpaulettes.length ? [make("p", "dk-epaulettes", label, ...drawEpaulettes(ownEpaulettes, words))] : []),
    ...makeLine("dk-finishing-order", order),
    ...makeLine("", match),
    ...quotes.map(([opponent, name, text]) =>
      make("p", "dk-opponent-remark", { "data-opponent": opponent }, make("span", "", {}, make("b", "", {}, `${name}:`), ` ${text}`)),
    ),
    ...makeLine("dk-standing", standing),
  ];
  return make("div", "dk-result", {}, ...lines);
}

/** The line above the other players: the name of the game, which opens its rules, and the match score. */
export class TitleLine {
  private readonly title = make("button", "dk-rules-button", { type: "button" });
  private readonly score = make("span", "dk-match-score");
  readonly element = make("div", "dk-table-header", {}, this.title, this.score);

  constructor(openRules: () => void) {
    this.title.addEventListener("click", openRules);
  }

  paint(context: TableContext): void {
    const { scene, words } = context;
    setText(this.title, scene.rules);
    setAttributes(this.title, { "aria-label": `${words.say("rules")}: ${scene.rules}` });
    setText(this.score, scene.match_score ?? "");
  }
}
