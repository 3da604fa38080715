/** The entry of the bundle `contest`: a tournament in the notebook. */

import { defineWidget, type WidgetHost } from "../widgets/widget-host";
import type { Games, Parts, Sheet } from "./protocol";
import { TournamentView } from "./tournament-view";

export default defineWidget((host: WidgetHost) => {
  const view = new TournamentView({
    getSheet: () => host.get<Sheet>("sheet"),
    getParts: () => host.get<Parts>("parts"),
    getGames: () => host.get<Games>("games"),
    getOpenGame: () => host.get<number | null>("lies"),
    getStyle: () => host.get<string>("looks"),
    getTheme: () => host.get<string | undefined>("theme"),
    send: (message) => host.send(message),
  });
  for (const name of ["sheet", "parts", "games", "lies"]) host.on(`change:${name}`, () => view.paint());
  host.on("change:theme", () => view.applyTheme());
  host.on("msg:custom", ({ kind, said: message }: { kind?: string; said?: string }) => {
    if (kind === "error" && message) view.showError(message);
  });
  return view;
});
