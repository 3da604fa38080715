/** What completes the result of a game: the faces of the opponents, the state of the review, and the score of the match. */

import { drawRoleSign } from "../../widgets/cards";
import { hasChanged, make, makeDrawing } from "../../widgets/dom";
import type { GameResult } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import type { TableContext } from "../../widgets/table-context";
import { makeNextLessonButton } from "./next-lesson";
import { addStyleOnce, drawPortrait } from "./portraits";
import { makeRetryButton } from "./retry-button";

/** The columns, each with a sign that replaces its word on small tables. The style sheet draws epaulettes. */
const COLUMNS = [
  ["side", ""],
  ["score.won", "won"],
  ["score.drew", "draw"],
  ["score.lost", "fool"],
  ["score.epaulettes", "wears"],
] as const;

/** Complete the result of a game. A result that was completed before gets only what is new. */
export function completeResult(context: TableContext): void {
  const { root, scene, words } = context;
  const card = root.querySelector(".dk-result-card") as HTMLElement;
  const { result: over, review } = scene;
  addStyleOnce(root);
  if (!over) return;
  showFaces(card, over);
  if (!card.querySelector(".dk-score"))
    card.append(make("p", "dk-review-note"), renderScore(over, words), makeNextLessonButton(context) ?? "");
  const note = card.querySelector(".dk-review-note") as HTMLElement;
  if (!hasChanged(note, review)) return;
  const { text, turning_points: turns, retry_ply: retryPly } = review ?? {};
  note.replaceChildren(turns?.length ? "" : (text?.[0] ?? "")); // The panel of the review describes a turning point.
  if (!turns && retryPly !== undefined) note.append(" ", makeRetryButton(context, retryPly, words.say("retry"), "dk-retry-button"));
}

/** Show the faces of the opponents who speak, and after the strongest is beaten, of all who are beaten. */
function showFaces(card: HTMLElement, { beaten }: GameResult): void {
  const makeFace = (opponent: string): HTMLElement => makeDrawing("i", "dk-opponent-face", drawPortrait(opponent));
  for (const remark of card.querySelectorAll<HTMLElement>("[data-opponent]"))
    if (!remark.querySelector(".dk-opponent-face")) remark.prepend(makeFace(remark.dataset.opponent as string));
  const { opponent, all_beaten: others = [] } = beaten ?? {};
  if (!others.length || card.querySelector(".dk-all-beaten")) return;
  const faces = others.filter((key) => key !== opponent).map((key) => makeFace(key));
  card.querySelector(".dk-standing")?.before(make("div", "dk-all-beaten", {}, ...faces));
}

/** Render the score of the match, folded. */
function renderScore({ score }: GameResult, words: Words): HTMLElement {
  const columns = score.some((row) => row[4]) ? COLUMNS : COLUMNS.slice(0, -1);
  const headCells = columns.map(([key, sign]) => {
    const title = words.say(key);
    const head = make("th", "", { scope: "col", "aria-label": title }, sign ? make("span", "", {}, title) : title);
    head.insertAdjacentHTML("beforeend", drawRoleSign(sign));
    return head;
  });
  const rows = score.map(([name, ...values]) => {
    const cells = values.slice(0, columns.length - 1).map((cell) => make("td", "", {}, String(cell) || "–"));
    return make("tr", "", {}, make("th", "", { scope: "row" }, name), ...cells);
  });
  const table = make("table", "dk-score-table", {}, make("tr", "", {}, ...headCells), ...rows);
  return make("details", "dk-score", {}, make("summary", "", {}, words.say("score")), table);
}
