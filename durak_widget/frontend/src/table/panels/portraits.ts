/** The faces of the opponents, drawn as the cards are, at the plates of those who sit at the table. */

import * as drawings from "../../../../engine/drawings.json";
import { drawn, make, set } from "../../widgets/dom";
import { others, type Shared } from "../../widgets/table-context";
import style from "./opponents.css";

const faces = drawings.faces as unknown as Record<string, readonly (readonly [tone: string, path: string])[]>;

/** The face of an opponent. */
export const faceOfPerson = (key: string): string =>
  `<svg viewBox="0 0 48 48" aria-hidden="true" focusable="false">${(faces[key] ?? []).map(([tone, d]) => `<path class="dk-${tone}" d="${d}"/>`).join("")}</svg>`;

/** What stands on the table beside its drawers is dressed once. */
export function dressOnce(root: HTMLElement): void {
  if (root.querySelector(".dk-portraits")) return;
  root.append(make("style", "dk-portraits", {}, style));
  // a hand that lies open takes less room now: what was brought into view, for whoever ran the cell, is brought there again
  if (root.closest(".jp-Cell:has(+.jp-mod-active)") && root.matches("[data-task]:not([data-size=phone], [data-low])"))
    root.querySelector(".dk-felt")?.scrollIntoView({ block: "nearest" });
}

/** Put each face at the plate of its seat; where another sits there now, the one before goes. */
export function portray(root: HTMLElement, { scene, words }: Shared): void {
  dressOnce(root);
  const plates = root.querySelectorAll<HTMLElement>(".dk-seats .dk-plate");
  others(scene).forEach((seat, i) => {
    const plate = plates[i];
    const who = scene.seats[seat]?.named ? scene.seats[seat]?.who : undefined;
    if (!plate || (plate.dataset.face ?? "") === (who ?? "")) return;
    plate.querySelector(".dk-portrait")?.remove();
    set(plate, { "data-face": who });
    if (who) plate.prepend(drawn("div", "dk-portrait", faceOfPerson(who), { title: words.character(who) }));
  });
}
