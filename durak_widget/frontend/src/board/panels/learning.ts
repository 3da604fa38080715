/** The panel that shows a strategy being learned: start, stop, a step, and how exploitable it still is. */

import { button, changed, make, set, write } from "../../widgets/dom";
import type { Host, Panel, Slot } from "./panel";
import { Plot } from "./plot";

interface Learning {
  readonly points?: readonly (readonly [number, number])[];
  readonly iterations?: number;
  readonly exploitability?: number | null;
  readonly running?: boolean;
  readonly done?: boolean;
  readonly seconds?: number;
  readonly said?: string;
}

class LearningPanel implements Panel {
  readonly element = make("section", "dk-panel-of dk-learning", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly plot = new Plot();
  private readonly said = make("p", "dk-learning-said");
  private readonly go = button("", "", { "data-learn": "go" });
  private readonly step = button("", "", { "data-learn": "step" });
  private readonly close = button("", "", { "data-learn": "close" });
  /** What was last told aloud: whether it runs, and to which power of ten it has come. */
  private told = "";

  constructor(private readonly host: Host) {
    const buttons = make("div", "dk-solution-asks", {}, this.go, this.step, this.close);
    this.element.append(this.title, this.plot.element, this.said, buttons);
    this.go.addEventListener("click", () => host.send({ kind: "learn", what: this.now.running ? "stop" : "start" }));
    this.step.addEventListener("click", () => host.send({ kind: "learn", what: "step" }));
    this.close.addEventListener("click", () => {
      host.send({ kind: "learn", what: "close" });
      host.go(host.shown().id(host.at()));
    });
  }

  private get now(): Learning {
    return this.host.get<Learning | undefined>("learning") ?? {};
  }

  paint(): void {
    const { host, now } = this;
    const hidden = now.said === undefined;
    const was = this.element.hidden;
    set(this.element, { hidden });
    if (hidden) {
      this.told = "";
      return;
    }
    const words = host.words();
    const said = now.said ?? "";
    const name = words.say("learning.title");
    write(this.title, name);
    set(this.element, { "aria-label": name });
    if (changed(this.plot.element, now.points, words.language)) this.plot.paint(now.points ?? [], words, said);
    const seconds = now.seconds ? ` · ${words.say("learning.seconds", { seconds: now.seconds.toLocaleString(words.language) })}` : "";
    write(this.said, said + seconds);
    write(this.go, words.say(now.running ? "learning.stop" : now.iterations ? "learning.on" : "learning.start"));
    set(this.go, { hidden: now.done });
    set(this.step, { hidden: now.done });
    write(this.step, words.say("learning.step"));
    write(this.close, words.say("close"));
    const power = now.exploitability ? Math.ceil(Math.log10(now.exploitability)) : "";
    const key = `${now.running} ${now.done} ${power}`;
    if (key !== this.told && now.iterations) host.announce(said);
    this.told = key;
    if (was) host.resized();
  }

  stop(): void {
    // nothing runs here: Python learns
  }
}

export const LEARNING: Slot = {
  name: "learning",
  side: "beside",
  traits: ["learning"],
  make: (host) => new LearningPanel(host),
};
