/** What stands above a sketch: buttons that draw, copy, take away and take back; how near one looks; the keys. */

import { keysOf, type Tool, ToolBar } from "../board/chrome/toolbar";
import { CHANCE } from "../board/protocol/tree-drawing";
import { button, focused, make, set } from "../widgets/dom";
import type { Pad } from "./protocol";
import { type Deed, SKETCH_KEYS } from "./sketchkeys";

interface SketchTool extends Tool {
  readonly does: Deed | "export" | "keys" | "more";
  /** Where there is little room, it comes when more is asked for. */
  readonly rare?: true;
}

const BRANCH = "M3 8h4M7 8l6-4.500M7 8l6 4.500";
const LOT = "M3 8a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0M8 7l5-3.500M8 9l5 3.500";

export class SketchBar {
  readonly element = make("div", "dk-sketch-bar");
  private readonly bar: ToolBar<SketchTool>;
  private readonly help = make("div", "dk-sketch-keys", { hidden: true });

  constructor(
    private readonly pad: Pad,
    private readonly act: (what: Deed | "export") => void,
    private readonly joining: () => boolean,
    private readonly exporting: () => boolean,
  ) {
    this.bar = new ToolBar(
      this.groups(),
      ({ does, rare }) => ({ "data-does": does, "data-rare": rare }),
      ({ does }) => this.run(does),
    );
    this.element.append(this.bar.element, this.help);
  }

  private groups(): readonly (readonly SketchTool[])[] {
    const { pad } = this;
    const actor = (): number => pad.shown().actor(pad.at());
    const root = (): boolean => pad.at() === 0;
    const siblings = (): boolean => !root() && pad.shown().siblings(pad.at()).length > 1;
    const end = (): boolean => !pad.shown().below(pad.at()).length;
    return [
      [
        { does: "move", word: "sketch.move", says: "sketch.move.add", icon: BRANCH },
        { does: "chance", word: "sketch.chance", says: "sketch.chance.add", icon: LOT },
      ],
      [
        {
          does: "join",
          word: "sketch.join",
          says: "sketch.join.add",
          icon: "M4 3.500a1.500 1.500 0 1 0 .01 0M4 12.500a1.500 1.500 0 1 0 .01 0M4 6v.01M4 8v.01M4 10v.01M9 8h5M11.500 5.500v5",
          may: () => actor() !== CHANCE,
          on: this.joining,
        },
        {
          does: "part",
          rare: true,
          says: "sketch.part",
          icon: "M4 3.500a1.500 1.500 0 1 0 .01 0M4 12.500a1.500 1.500 0 1 0 .01 0M9 5.500l5 5M14 5.500l-5 5",
          may: () => pad.shown().fellows(pad.at()).length > 1,
        },
      ],
      [
        { does: "copy", rare: true, says: "sketch.copy", icon: "M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1" },
        {
          does: "paste",
          rare: true,
          says: "sketch.paste",
          icon: "M4 3.500H2.500v10h11v-10H12M5.500 2h5v3h-5z",
          may: () => pad.sketch().copied && end(),
        },
        {
          does: "paste.joined",
          rare: true,
          says: "sketch.paste.joined",
          icon: "M4 3.500H2.500v10h11v-10H12M5.500 2h5v3h-5zM8 7.500v.01M8 9.500v.01M8 11.500v.01",
          may: () => pad.sketch().copied && end(),
        },
        { does: "earlier", rare: true, says: "sketch.earlier", icon: "M8 13V3M4.500 6.500L8 3l3.500 3.500", may: siblings },
        { does: "later", rare: true, says: "sketch.later", icon: "M8 3v10M4.500 9.500L8 13l3.500-3.500", may: siblings },
        { does: "remove", says: "sketch.remove", icon: "M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.700 9h5.600l.700-9M7 7v4M9 7v4" },
      ],
      [
        {
          does: "undo",
          word: "sketch.undo",
          says: "sketch.undo",
          icon: "M6 3L2.500 6.500 6 10M3 6.500h6.500a3.500 3.500 0 0 1 0 7H7",
          may: () => pad.sketch().undo,
        },
        {
          does: "redo",
          says: "sketch.redo",
          icon: "M10 3l3.500 3.500L10 10M13 6.500H6.500a3.500 3.500 0 0 0 0 7H9",
          may: () => pad.sketch().redo,
        },
      ],
      [
        { does: "farther", rare: true, says: "tree.farther", icon: "M3.500 8h9" },
        { does: "fit", rare: true, says: "tree.fit", icon: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10" },
        { does: "nearer", rare: true, says: "tree.nearer", icon: "M3.500 8h9M8 3.500v9" },
        { does: "turn", rare: true, says: "tree.direction", icon: "M3 13V3h10M10 .500L12.500 3 10 5.500M.500 10.500L3 13l2.500-2.500" },
        { does: "more", says: "more", icon: "M3 8h.01M8 8h.01M13 8h.01", on: () => this.element.hasAttribute("data-more") },
        {
          does: "export",
          word: "sketch.export",
          says: "sketch.export",
          icon: "M8 10V2.500M5 5l3-2.500L11 5M2.500 9.500v4h11v-4",
          on: this.exporting,
        },
        {
          does: "keys",
          rare: true,
          says: "help",
          icon: "M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .700-1 1.400v.300M8 12.800v.01",
          on: () => !this.help.hidden,
        },
      ],
    ];
  }

  private run(does: SketchTool["does"]): void {
    if (does === "keys") return this.toggle();
    if (does === "more") {
      set(this.element, { "data-more": !this.element.hasAttribute("data-more") });
      return this.paint();
    }
    this.act(does);
  }

  /** Show the keys, or no more. */
  toggle(): void {
    set(this.help, { hidden: !this.help.hidden });
    this.paint();
    if (!this.help.hidden) this.help.querySelector<HTMLElement>("h3")?.focus();
  }

  /** Close the keys; whether they were open. */
  close(): boolean {
    if (this.help.hidden) return false;
    const inside = focused(this.help) !== null;
    set(this.help, { hidden: true });
    this.paint();
    if (inside) this.bar.element.querySelector<HTMLElement>('[data-does="keys"]')?.focus();
    return true;
  }

  paint(): void {
    const words = this.pad.words();
    this.bar.paint(words, "sketch.tools");
    if (this.help.hidden) return;
    const shut = button("dk-menu-item", words.say("close"));
    shut.addEventListener("click", () => this.close());
    this.help.replaceChildren(make("h3", "", { tabindex: -1 }, words.say("help")), keysOf(words, SKETCH_KEYS), shut);
  }
}
