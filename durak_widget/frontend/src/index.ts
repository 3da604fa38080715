/** The door to the notebook: one table for each place where it is displayed. */

import { hidePictures } from "./pictures";
import type { Look, Message, Scene } from "./scene";
import { Table } from "./table";
import { type Table as WordTable, Words } from "./words";

/** As much of anywidget's model as is used here. */
interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: unknown): void;
  on(event: string, callback: (...given: never[]) => void): void;
  off(event: string, callback: (...given: never[]) => void): void;
}

const LOOK = ["language", "theme", "skin", "back", "four_colors", "motion", "sound", "aids", "memory", "pace"] as const satisfies (keyof Look)[];

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const get = <T>(name: string): T => model.get(name) as T;
  const said = (): Words => new Words(get<WordTable>("words"), get<string>("language"));
  let words = said();
  const send = (message: unknown): void => {
    try {
      // Some hosts throw when the kernel is gone, others give a promise that fails.
      Promise.resolve(model.send(message) as unknown).catch(() => table.live(false));
      table.live(true);
    } catch {
      table.live(false);
    }
  };
  const table = new Table({
    scene: () => get<Scene>("scene"),
    words: () => words,
    look: () => Object.fromEntries(LOOK.map((name) => [name, model.get(name)])) as unknown as Look,
    languages: () => get("languages"),
    bots: () => get("bots"),
    send: (intent) => send(intent),
    change: (look) => {
      for (const [name, value] of Object.entries(look)) model.set(name, value);
      model.save_changes();
    },
  });
  const paint = (): void => {
    table.paint();
    if (model.get("confirm")) {
      model.set("seen_scene", get<Scene>("scene").id);
      model.save_changes();
    }
  };
  const reword = (): void => {
    words = said();
    table.repaint();
  };
  const restyle = (): void => table.repaint();
  // The connection came or went: asking for the scene tells which.
  const connection = (): void => {
    const { ply, game } = get<Scene>("scene");
    send({ kind: "show", ply, game });
    probe = setTimeout(() => send({ kind: "show", ply, game }), 500);
  };
  let probe: ReturnType<typeof setTimeout> | undefined;
  const hear = (message: Message): void => table.hear(message);
  const events: [string, (...given: never[]) => void][] = [
    ["change:scene", paint],
    ["change:words", reword],
    ...LOOK.map((name): [string, () => void] => [`change:${name}`, restyle]),
    ["msg:custom", hear],
    ["comm_live_update", connection],
  ];
  for (const [event, callback] of events) model.on(event, callback);
  hidePictures(el);
  table.begin(el);
  return () => {
    for (const [event, callback] of events) model.off(event, callback);
    clearTimeout(probe);
    table.stop();
  };
}

export default { render };
