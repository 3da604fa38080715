/** The door to the notebook: one table for each place where it is displayed. */

import type { Intent, Look, Message, Scene } from "./scene";
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
  const table = new Table({
    scene: () => get<Scene>("scene"),
    words: () => words,
    look: () => Object.fromEntries(LOOK.map((name) => [name, model.get(name)])) as unknown as Look,
    languages: () => get("languages"),
    bots: () => get("bots"),
    send: (intent: Intent & { ply: number }) => {
      try {
        // Some hosts throw when the kernel is gone, others give a promise that fails.
        Promise.resolve(model.send(intent) as unknown).catch(() => table.live(false));
      } catch {
        table.live(false);
      }
    },
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
  let live = true;
  const connection = (): void => table.live((live = !live));
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
    table.stop();
  };
}

/** The pictures that stand in for tables in this output, now that one is live. */
function hidePictures(el: HTMLElement): void {
  const output = el.closest(".jp-OutputArea, .cell_container") ?? document;
  for (const picture of output.querySelectorAll<HTMLElement>(".durak-picture")) picture.style.display = "none";
}

export default { render };
