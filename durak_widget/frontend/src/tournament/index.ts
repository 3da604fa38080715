/** The entry of the bundle `contest`: a tournament in the notebook. */

import { defineWidget, type WidgetHost } from "../widgets/widget-host";
import type { Games, Parts, TournamentData } from "./protocol";
import { TournamentView } from "./tournament-view";

export default defineWidget((host: WidgetHost) => {
  const view = new TournamentView({
    getData: () => host.get<TournamentData>("tournament_view"),
    getParts: () => host.get<Parts>("opened_parts"),
    getGames: () => host.get<Games>("game_list"),
    getOpenGame: () => host.get<number | null>("opened_game"),
    getStyle: () => host.get<string>("styles"),
    getTheme: () => host.get<string | undefined>("theme"),
    send: (message) => host.send(message),
  });
  for (const name of ["tournament_view", "opened_parts", "game_list", "opened_game"]) host.on(`change:${name}`, () => view.paint());
  host.on("change:theme", () => view.applyTheme());
  host.on("msg:custom", ({ kind, text: message }: { kind?: string; text?: string }) => {
    if (kind === "error" && message) view.showError(message);
  });
  return view;
});
