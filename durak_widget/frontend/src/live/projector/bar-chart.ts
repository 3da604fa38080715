/** Draws the groups of bars: what the class has answered, with the marks of theory. */

import { make } from "../../widgets/dom";
import type { Words } from "../words";
import { type Bar, type BarGroup, listMarks, type Mark } from "./protocol";

/** Each mark has its own shape, so that colour is not needed. */
const SIGNS: Readonly<Record<Mark, string>> = { best: "★", equilibrium: "◆", right: "✓", mistake: "✗" };

/** Draw groups of bars beside or below each other. */
export function drawGroups(groups: readonly BarGroup[], words: Words, heading: "h3" | "h4" = "h3", isMix = false): HTMLElement {
  return make("div", "dk-live-groups", { "data-mix": isMix }, ...groups.map((group) => drawGroup(group, words, heading, isMix)));
}

function drawGroup({ title, note, bars }: BarGroup, words: Words, heading: "h3" | "h4", isMix: boolean): HTMLElement {
  const head = make(
    "div",
    "dk-live-group-head",
    {},
    ...(title ? [make(heading, "", {}, title)] : []),
    make("span", "dk-live-quiet", {}, note),
  );
  const list = make("ul", "dk-live-bars", { role: "list" }, ...bars.map((bar) => drawBar(bar, words, isMix)));
  return make("section", "dk-live-group", {}, ...(title || note ? [head] : []), list);
}

function drawBar({ label, count, percent, fraction, marks, note }: Bar, words: Words, isMix: boolean): HTMLElement {
  const name = make("span", "dk-live-bar-label", {}, make("span", "", {}, label));
  if (marks.length) name.append(make("span", "dk-live-marks", {}, ...marks.map((mark) => drawMark(mark, words))));
  const fill = make("i", "");
  fill.style.width = `${Math.min(100, Math.max(0, 100 * fraction))}%`;
  const number = make("span", "dk-live-bar-number", {}, make("b", "", {}, percent));
  if (!isMix) number.append(make("span", "dk-live-quiet", {}, String(count)));
  const parts = [name, make("span", "dk-live-track", {}, fill), number, ...(note ? [make("small", "", {}, note)] : [])];
  return make("li", "dk-live-bar", { "data-marks": marks.join(" ") || undefined }, ...parts);
}

const drawMark = (mark: Mark, words: Words): HTMLElement =>
  make("span", "dk-live-mark", { "data-mark": mark, role: "img", "aria-label": words.say(`mark.${mark}`) }, SIGNS[mark]);

/** Explain the marks that are in use. Null without marks. */
export function drawLegend(groups: readonly BarGroup[], words: Words): HTMLElement | null {
  const marks = listMarks(groups);
  if (!marks.length) return null;
  const entries = marks.map((mark) =>
    make("li", "", {}, make("span", "dk-live-mark", { "data-mark": mark, "aria-hidden": "true" }, SIGNS[mark]), words.say(`mark.${mark}`)),
  );
  return make("ul", "dk-live-legend", { role: "list" }, ...entries);
}
