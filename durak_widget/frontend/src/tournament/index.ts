/** A tournament at the door to the notebook. */

import { type Door, widget } from "../widgets/widget-host";
import type { Games, Parts, Sheet } from "./protocol";
import { ContestView } from "./tournament-view";

export default widget((door: Door) => {
  const view = new ContestView({
    sheet: () => door.get<Sheet>("sheet"),
    parts: () => door.get<Parts>("parts"),
    games: () => door.get<Games>("games"),
    lies: () => door.get<number | null>("lies"),
    looks: () => door.get<string>("looks"),
    theme: () => door.get<string | undefined>("theme"),
    send: (message) => door.send(message),
  });
  for (const name of ["sheet", "parts", "games", "lies"]) door.on(`change:${name}`, () => view.paint());
  door.on("change:theme", () => view.dress());
  door.on("msg:custom", ({ kind, said }: { kind?: string; said?: string }) => {
    if (kind === "error" && said) view.tell(said);
  });
  return view;
});
