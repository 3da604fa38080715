/** The menu of a tree: what had no room above it, best responses, settings, and the keys. */

import { button, make } from "../../widgets/dom";
import type { Setting } from "../../widgets/protocol/scene";
import { KEYS } from "../intents/tree-keys";
import type { Host } from "../panels/panel";
import { keysOf } from "./toolbar";

/** What is in it; with `help`, the keys alone. */
export function menuOf(host: Host, tools: readonly HTMLElement[], help: boolean, turn: () => void): HTMLElement[] {
  const words = host.words();
  const keys = button("dk-menu-item", words.say(help ? "settings" : "help"), { "data-key": "keys" });
  keys.addEventListener("click", turn);
  if (help) return [make("h3", "", { tabindex: -1 }, words.say("help")), keysOf(words, KEYS), keys];
  return [make("div", "dk-menu-tools", {}, ...tools), ...bests(host), ...settings(host), keys];
}

/** A button for each player: its best responses to what is shown. */
function bests(host: Host): HTMLElement[] {
  const { which, best_of = null } = host.solution();
  if (!which || host.task().asks) return [];
  const words = host.words();
  const row = host.shown().drawing.seats.map((player, seat) => {
    const element = button("dk-menu-item", player, { "aria-pressed": String(best_of === seat), "data-key": `best${seat}` });
    element.addEventListener("click", () => host.send({ kind: "best", seat: best_of === seat ? null : seat }));
    return element;
  });
  return [
    make(
      "div",
      "dk-menu-row",
      { role: "group", "aria-label": words.say("tree.best") },
      make("span", "", {}, words.say("tree.best")),
      ...row,
    ),
  ];
}

function settings(host: Host): HTMLElement[] {
  const words = host.words();
  return (host.get<readonly Setting[] | undefined>("settings") ?? []).map(({ name, values }) => {
    const said = words.named("set", name);
    const now = host.get<unknown>(name);
    const attributes = { "aria-label": said, "data-key": name };
    if (!values) {
      const box = make("input", "", { ...attributes, type: "checkbox" });
      box.checked = Boolean(now);
      box.addEventListener("change", () => host.change(name, box.checked));
      return make("label", "dk-field-of", {}, make("span", "", {}, said), box);
    }
    const options = Array.isArray(values)
      ? (values as readonly (string | number)[]).map((value) => [String(value), words.named(name, value)] as const)
      : Object.entries(values as Readonly<Record<string, string>>);
    const select = make("select", "", attributes, ...options.map(([value, own]) => make("option", "", { value }, own)));
    select.value = String(now);
    select.addEventListener("change", () => host.change(name, typeof now === "number" ? Number(select.value) : select.value));
    return make("label", "dk-field-of", {}, make("span", "", {}, said), select);
  });
}
