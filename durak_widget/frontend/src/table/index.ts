/** The entry of the bundle `widget`: the table in the notebook. */

import type { Look, Message, Scene, Setting } from "../widgets/protocol/scene";
import { defineWidget } from "../widgets/widget-host";
import { Table } from "./table";

export default defineWidget((host) => {
  const scene = (): Scene => host.get("scene");
  const settings = (): readonly Setting[] => host.get("settings");
  const table = new Table({
    scene,
    words: () => host.words,
    look: () => Object.fromEntries(settings().map(({ name }) => [name, host.get(name)])) as unknown as Look,
    settings: { all: settings, get: (name) => host.get(name), set: (name, value) => host.setTrait(name, value) },
    bots: () => host.get("bots"),
    open: Boolean(host.get("door")),
    send: (intent) => host.send(intent),
  });
  let probeTimer: ReturnType<typeof setTimeout> | undefined;
  const requestScene = (): void => {
    const { ply, game } = scene();
    host.send({ kind: "refresh", ply, game });
  };
  host.on("change:scene", () => {
    table.paint();
    host.confirmShown();
  });
  for (const name of ["words", ...settings().map((setting) => setting.name)]) host.on(`change:${name}`, () => table.repaint());
  host.on("msg:custom", (message: Message) => table.handleMessage(message));
  host.on("comm_live_update", () => {
    requestScene(); // The connection was lost or restored. Requesting the scene shows which.
    probeTimer = setTimeout(requestScene, 500);
  });
  return {
    mount: (place) => table.mount(place),
    setConnected: (alive) => table.setConnected(alive),
    stop() {
      clearTimeout(probeTimer);
      table.stop();
    },
  };
});
