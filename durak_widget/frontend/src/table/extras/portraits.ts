/** The portraits of the opponents at the table, and the style of all extras. */

import * as drawings from "../../../../engine/drawings.json";
import { make, makeDrawing, setAttributes } from "../../widgets/dom";
import { listOtherSeats, type TableContext } from "../../widgets/table-context";
import style from "./extras.css";

const faces = drawings.faces as unknown as Record<string, readonly (readonly [tone: string, path: string])[]>;

/** Draw the portrait of an opponent. */
export const drawPortrait = (key: string): string =>
  `<svg viewBox="0 0 48 48" aria-hidden="true" focusable="false">${(faces[key] ?? []).map(([tone, d]) => `<path class="dk-${tone}" d="${d}"/>`).join("")}</svg>`;

/** Add the style of portraits and extras to the table, once. */
export function addStyleOnce(root: HTMLElement): void {
  if (root.querySelector(".dk-opponent-style")) return;
  root.append(make("style", "dk-opponent-style", {}, style));
  // Open hands need less space with this style, so the felt is scrolled into view again.
  if (root.closest(".jp-Cell:has(+.jp-mod-active)") && root.matches("[data-task]:not([data-size=phone], [data-low])"))
    root.querySelector(".dk-felt")?.scrollIntoView({ block: "nearest" });
}

/** Show the portrait of each opponent at their seat, and remove outdated ones. */
export function showPortraits(root: HTMLElement, { scene, words }: TableContext): void {
  addStyleOnce(root);
  const plates = root.querySelectorAll<HTMLElement>(".dk-seats .dk-plate");
  listOtherSeats(scene).forEach((seat, i) => {
    const plate = plates[i];
    const opponent = scene.seats[seat]?.is_named ? scene.seats[seat]?.player : undefined;
    if (!plate || (plate.dataset.face ?? "") === (opponent ?? "")) return;
    plate.querySelector(".dk-portrait")?.remove();
    setAttributes(plate, { "data-face": opponent });
    if (opponent) plate.prepend(makeDrawing("div", "dk-portrait", drawPortrait(opponent), { title: words.describeCharacter(opponent) }));
  });
}
