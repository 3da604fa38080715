/** What is taken away from the table, and brought to it: texts to copy, a picture to save, a game to lay; and what a teacher needs. */

import { button, make, set, write } from "../../widgets/dom";
import type { Message } from "../../widgets/protocol/scene";
import type { Key } from "../../widgets/protocol/words";
import type { Shared } from "../../widgets/table-context";
import type { Hooks } from "../intents/actions";

/** What may be taken, as Python tells it. */
export type Taken = Extract<Message, { kind: "share" }>;

/** What can be copied, and the words on its button. */
const COPIES = [
  ["link", "copy.link"],
  ["position", "copy.position"],
  ["game", "copy.game"],
  ["cell", "copy.cell"],
  ["words", "copy.words"],
] as const;
/** So many points stand for one of the drawing. */
const SHARP = 2;

export class Share {
  private told: Taken | undefined;
  private readonly said = make("p", "dk-small", { role: "status" });
  /** Where a text stands that could not be copied by itself. */
  private readonly paper = make("textarea", "dk-written", { readonly: true, rows: 4, hidden: true, "data-key": "paper" });
  private readonly brought = make("textarea", "dk-written", { rows: 3, spellcheck: "false", "data-key": "paste" });
  private readonly why = make("p", "dk-why", { role: "alert" });

  constructor(
    private readonly shared: Shared,
    private readonly hooks: Hooks,
  ) {}

  hear(told: Taken): void {
    this.told = told;
  }

  /** What was pasted cannot be laid; it stays to be mended. */
  refuse(why: string): void {
    write(this.why, why);
  }

  /** What was pasted can be laid. */
  lay(text: string): void {
    this.hooks.lay(text);
  }

  /** Another person is there, or another game. */
  forget(): void {
    this.told = undefined;
    this.brought.value = this.paper.value = "";
    this.paper.hidden = true;
    write(this.said, "");
    write(this.why, "");
  }

  nodes(): Node[] {
    const { told, shared, hooks } = this;
    const { words, scene } = shared;
    if (!told) return [];
    const copies = COPIES.flatMap(([name, key]) => {
      const text = told[name];
      return text ? [this.press(key, () => this.copy(text))] : [];
    });
    const image = make("img", "dk-shot", { src: `data:image/svg+xml,${encodeURIComponent(told.picture)}`, alt: told.words });
    const svg = (): Blob => new Blob([told.picture], { type: "image/svg+xml" });
    set(this.brought, { "aria-label": words.say("paste"), placeholder: "6c 7c | 9h Ts; trump h" });
    const lay = (): void => {
      write(this.why, "");
      if (this.brought.value.trim()) hooks.read(this.brought.value);
    };
    return [
      this.head("copy"),
      make("div", "dk-row", {}, ...copies),
      ...(told.game ? [] : [make("p", "dk-small", {}, words.say("share.hidden"))]),
      this.said,
      this.paper,
      this.head("picture"),
      image,
      make(
        "div",
        "dk-row",
        {},
        this.press("copy.picture", () => this.copyPicture(image)),
        this.press("save", () => save(svg(), "svg"), "SVG"),
        this.press("save", async () => save(await points(image), "png"), "PNG"),
      ),
      ...(scene.task ? [] : [this.head("paste"), this.brought, make("div", "dk-row", {}, this.press("paste.lay", lay)), this.why]),
      this.head("class"),
      make(
        "div",
        "dk-row",
        {},
        this.press("turn", () => hooks.run("turn")),
        this.press("mark", () => hooks.run("mark")),
      ),
      make("p", "dk-small", {}, words.say("mark.how")),
    ];
  }

  private head(key: Key): HTMLElement {
    return make("h3", "", {}, this.shared.words.say(key));
  }

  private press(key: Key, does: () => unknown, kind = ""): HTMLElement {
    const element = button("", this.shared.words.say(key, { kind }), { "data-key": key + kind });
    element.addEventListener("click", () => void does());
    return element;
  }

  private say(key: Key): void {
    write(this.said, this.shared.words.say(key));
  }

  /** Into the clipboard; where that is closed to us, the text is marked for the person to copy. */
  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.paper.hidden = true;
      this.say("copied");
    } catch {
      this.paper.hidden = false;
      this.paper.value = text;
      this.paper.focus();
      this.paper.select();
      this.say("copy.yourself");
    }
  }

  private async copyPicture(image: HTMLImageElement): Promise<void> {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": points(image) })]);
      this.say("copied");
    } catch {
      save(await points(image), "png");
    }
  }
}

/** A picture as points. */
async function points(image: HTMLImageElement): Promise<Blob> {
  await image.decode();
  const [width, height] = [SHARP * image.naturalWidth, SHARP * image.naturalHeight];
  const canvas = make("canvas", "", { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob((blob) => done(blob as Blob)));
}

function save(blob: Blob, kind: string): void {
  make("a", "", { href: URL.createObjectURL(blob), download: `durak.${kind}` }).click();
}
