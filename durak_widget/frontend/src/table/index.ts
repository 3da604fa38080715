/** The table at the door to the notebook. */

import type { Look, Message, Scene, Setting } from "../widgets/protocol/scene";
import { widget } from "../widgets/widget-host";
import { Table } from "./table";

export default widget((door) => {
  const scene = (): Scene => door.get("scene");
  const settings = (): readonly Setting[] => door.get("settings");
  const table = new Table({
    scene,
    words: () => door.words,
    look: () => Object.fromEntries(settings().map(({ name }) => [name, door.get(name)])) as unknown as Look,
    settings: { all: settings, get: (name) => door.get(name), set: (name, value) => door.change(name, value) },
    bots: () => door.get("bots"),
    open: Boolean(door.get("door")),
    send: (intent) => door.send(intent),
  });
  let probe: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    const { ply, game } = scene();
    door.send({ kind: "show", ply, game });
  };
  door.on("change:scene", () => {
    table.paint();
    door.shown();
  });
  for (const name of ["words", ...settings().map((setting) => setting.name)]) door.on(`change:${name}`, () => table.repaint());
  door.on("msg:custom", (message: Message) => table.hear(message));
  door.on("comm_live_update", () => {
    show(); // the connection came or went: asking for the scene tells which
    probe = setTimeout(show, 500);
  });
  return {
    begin: (place) => table.begin(place),
    live: (alive) => table.live(alive),
    stop() {
      clearTimeout(probe);
      table.stop();
    },
  };
});
