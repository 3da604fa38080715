/** The basic rules in pictures of a table. */

import { button, make, makeDrawing } from "../../widgets/dom";
import type { HowToPlay } from "../../widgets/protocol/scene";
import { renderSuitSigns } from "../../widgets/suit-signs";
import type { TableContext } from "../../widgets/table-context";
import type { PanelHooks } from "../intents/actions";

export class HowToPlayPanel {
  private content: HowToPlay | undefined;
  /** The language and a letter on cards of the last request. */
  private requestKey = "";

  constructor(
    private readonly context: TableContext,
    private readonly hooks: PanelHooks,
  ) {}

  /** Set the pictures. Return true, because the panel has to be painted again. */
  setContent(content: HowToPlay): boolean {
    this.content = content;
    return true;
  }

  renderNodes(): Node[] {
    const { words, scene } = this.context;
    const key = words.language + words.say("letter.Q");
    if (this.requestKey !== key) {
      this.requestKey = key;
      this.context.send({ kind: "how_to_play" });
    }
    if (this.content?.language !== words.language) return [];
    const steps = this.content.steps.map(([title, text, picture], i) =>
      make(
        "li",
        "",
        {},
        makeDrawing("div", "", picture),
        make("div", "", {}, make("h3", "", {}, `${i + 1}. ${title}`), make("p", "", {}, ...renderSuitSigns(text))),
      ),
    );
    const rules = button("", `${words.say("rules")}: ${scene.rules}`, { "data-key": "rules" });
    rules.addEventListener("click", () => this.hooks.run("rules"));
    const [url, label] = this.content.learn_link ?? [];
    const learn = url ? [button("dk-primary", label ?? "")] : [];
    for (const element of learn) element.addEventListener("click", () => void open(url, "_top"));
    return [make("ol", "dk-how-to-play", {}, ...steps), make("div", "dk-button-row", {}, ...learn, rules)];
  }
}
