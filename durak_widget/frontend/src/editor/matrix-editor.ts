/** A matrix that is written on the page: it shows what Python holds, and tells Python what a person types. */

import { Standing } from "../board/board-base";
import { button, changed, make, set, write } from "../widgets/dom";
import type { Key } from "../widgets/protocol/words";
import type { Door } from "../widgets/widget-host";
import { CellGrid } from "./cellgrid";
import type { CellMessage, Cells } from "./cells";
import { type Exported, ExportPanel } from "./export-panel";

type Deed = "row" | "column" | "row.drop" | "column.drop" | "undo" | "redo" | "export";
const SAYS: Readonly<Record<Deed, Key>> = {
  row: "sketch.matrix.row",
  column: "sketch.matrix.column",
  "row.drop": "sketch.matrix.row.drop",
  "column.drop": "sketch.matrix.column.drop",
  undo: "sketch.undo",
  redo: "sketch.redo",
  export: "sketch.export",
};

export class MatrixBoard extends Standing {
  private readonly bar = make("div", "dk-matrix-tools", { role: "group" });
  private readonly buttons: ReadonlyMap<Deed, HTMLButtonElement>;
  private readonly how = make("p", "dk-sketch-how");
  private readonly grid: CellGrid;
  private readonly lacks = make("div", "dk-sketch-lacks", { role: "group" });
  private readonly out: ExportPanel;
  private turn: number;

  constructor(door: Door) {
    super(door, "dk-sketch dk-matrix-page", "sketch.gone");
    this.turn = this.told.turn;
    this.grid = new CellGrid(
      (message) => this.send(message),
      () => this.paintBar(),
    );
    this.out = new ExportPanel(
      {
        words: () => this.words(),
        announce: (said) => this.announce(said),
        send: (message) => door.send(message),
      },
      ["nfg", "python", "svg", "png"],
    );
    this.buttons = new Map((Object.keys(SAYS) as Deed[]).map((deed) => [deed, button("dk-tool", "", { "data-does": deed })] as const));
    for (const [deed, element] of this.buttons)
      element.addEventListener("click", () => {
        if (element.getAttribute("aria-disabled") !== "true") this.act(deed);
      });
    this.bar.append(...this.buttons.values());
    const view = make("div", "dk-view-of", {}, this.grid.element, this.said.refused);
    this.root.append(this.bar, this.how, view, this.lacks, this.out.element, this.said.status);
    this.root.addEventListener("keydown", (event) => this.press(event), { signal: this.signal });
  }

  private get told(): Cells {
    return this.door.get<Cells>("cells");
  }

  private send(message: CellMessage): void {
    this.said.hush();
    this.ask(message);
  }

  private act(deed: Deed): void {
    const { row, column } = this.grid.at;
    switch (deed) {
      case "row":
      case "column":
        return this.send({ kind: "add", seat: deed === "row" ? 0 : 1 });
      case "row.drop":
        return this.send({ kind: "drop", seat: 0, place: row });
      case "column.drop":
        return this.send({ kind: "drop", seat: 1, place: column });
      case "undo":
      case "redo":
        return this.send({ kind: deed });
      case "export":
        this.out.toggle();
        return this.paintBar();
    }
  }

  private press(event: KeyboardEvent): void {
    const ctrl = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.code === "KeyZ" ? "z" : event.code === "KeyY" ? "y" : event.key.toLowerCase();
    if (ctrl && (key === "z" || key === "y")) {
      this.act(key === "y" || event.shiftKey ? "redo" : "undo");
      event.preventDefault();
    } else if (event.key === "Escape" && this.out.open) {
      this.act("export");
      event.preventDefault();
    }
    if (event.key !== "Tab") event.stopPropagation(); // else the notebook takes it for one of its own commands
  }

  paint(): void {
    const { told, door } = this;
    const { words } = door;
    set(this.root, { lang: words.language, "aria-label": words.say("sketch.matrix"), "data-shown": told.turn });
    write(this.how, words.say("sketch.matrix.how"));
    this.grid.paint(told, words);
    this.paintBar();
    this.paintLacks();
    this.out.paint();
    if (told.turn === this.turn) return;
    this.turn = told.turn;
    this.grid.taken();
    this.out.stale();
    this.said.announce(told.did);
  }

  private paintBar(): void {
    const { told, door } = this;
    const { row, column } = this.grid.at;
    const may: Readonly<Record<Deed, boolean>> = {
      row: true,
      column: true,
      "row.drop": row >= 0 && told.plans[0].length > 1,
      "column.drop": column >= 0 && told.plans[1].length > 1,
      undo: told.undo,
      redo: told.redo,
      export: true,
    };
    set(this.bar, { "aria-label": door.words.say("sketch.tools") });
    for (const [deed, element] of this.buttons) {
      write(element, door.words.say(SAYS[deed]));
      set(element, {
        "aria-disabled": may[deed] ? undefined : "true",
        "aria-pressed": deed === "export" ? String(this.out.open) : undefined,
      });
    }
  }

  private paintLacks(): void {
    const { lacks, more } = this.told;
    const { words } = this.door;
    set(this.lacks, { "data-whole": !lacks.length, "aria-label": words.say("sketch.lacks") });
    if (!changed(this.lacks, lacks, more, words.language)) return;
    const items = lacks.map(({ row, column, said }) => {
      const element = button("dk-sketch-lack", said);
      element.addEventListener("click", () => this.grid.go(row, column));
      return make("li", "", {}, element);
    });
    const all = [make("p", "", {}, words.say("sketch.lacks")), make("ul", "", {}, ...items), ...(more ? [make("p", "", {}, more)] : [])];
    this.lacks.replaceChildren(...(lacks.length ? all : [make("p", "", {}, words.say("sketch.whole"))]));
  }

  /** Python could not do what was asked, or is not there: say so, and leave what was typed to be mended. */
  tell(said: string): void {
    this.grid.refused();
    this.said.refuse(said);
  }

  /** Python has sent what was to be exported. */
  exported(sent: Exported): void {
    void this.out.take(sent);
  }

  override stop(): void {
    super.stop();
    this.out.stop();
  }
}
