/** What comes out of a sketch: a text to copy or to save, a picture to save. */

import { button, make, set, write } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import type { Export } from "./protocol";

type Form = Export | "png";
const FORMS: readonly Form[] = ["efg", "python", "tikz", "svg", "png"];
/** What everybody calls them. */
const CALLED = { efg: "Gambit", nfg: "Gambit", python: "Python", tikz: "TikZ", svg: "SVG", png: "PNG" } as const;
const DRAWN: readonly Form[] = ["svg", "png"];
/** So many times larger than it is drawn a picture of dots is: it may be printed. */
const DENSE = 3;

/** What Python sends. */
export interface Exported {
  readonly what: Export;
  readonly name: string;
  readonly text: string;
}

/** What it asks of the page that it stands on. */
interface Ground {
  words(): Words;
  announce(said: string): void;
  send(message: { readonly kind: "export"; readonly what: Export }): void;
}

export class ExportPanel {
  readonly element = make("div", "dk-sketch-out", { role: "group", hidden: true });
  private readonly forms = make("div", "dk-menu-row");
  private readonly buttons: ReadonlyMap<Form, HTMLButtonElement>;
  private readonly text = make("textarea", "dk-sketch-text", { readonly: true, rows: 8, spellcheck: "false", hidden: true });
  private readonly picture = make("img", "dk-sketch-picture", { hidden: true });
  private readonly copy = button("dk-menu-item", "", { hidden: true });
  private readonly save = button("dk-menu-item", "", { hidden: true });
  private wanted: Form | undefined;
  private blob: Blob | undefined;
  private name = "";
  private url = "";

  constructor(
    private readonly pad: Ground,
    private readonly all: readonly Form[] = FORMS,
  ) {
    this.buttons = new Map(all.map((form) => [form, button("dk-menu-item", "", { "data-form": form })] as const));
    for (const [form, element] of this.buttons)
      element.addEventListener("click", () => {
        this.wanted = form;
        pad.send({ kind: "export", what: form === "png" ? "svg" : form });
        this.paint();
      });
    this.forms.append(...this.buttons.values());
    this.element.append(this.forms, this.text, this.picture, make("div", "dk-menu-row", {}, this.copy, this.save));
    this.copy.addEventListener("click", () => void this.copied());
    this.save.addEventListener("click", () => this.saved());
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") event.stopPropagation();
    });
  }

  get open(): boolean {
    return !this.element.hidden;
  }

  toggle(open = !this.open): void {
    set(this.element, { hidden: !open });
    this.paint();
    if (open) this.buttons.get(this.wanted ?? (this.all[0] as Form))?.focus();
  }

  /** The tree has changed: what was exported is of another. */
  stale(): void {
    if (!this.blob) return;
    this.clear();
    this.wanted = undefined;
    this.paint();
  }

  /** Python has sent a text. */
  async take({ what, name, text }: Exported): Promise<void> {
    if (this.wanted === undefined || (this.wanted === "png" ? what !== "svg" : what !== this.wanted)) return;
    const form = this.wanted;
    this.clear();
    const drawn = new Blob([text], { type: what === "svg" ? "image/svg+xml" : "text/plain;charset=utf-8" });
    const dotted = form === "png" ? await dots(drawn) : undefined;
    if (form !== this.wanted) return;
    this.blob = dotted ?? drawn; // where a browser makes no dots of it, as it is drawn
    this.name = dotted ? name.replace(/svg$/, "png") : name;
    if (what === "svg") {
      this.url = URL.createObjectURL(this.blob);
      set(this.picture, { src: this.url, alt: this.name });
    } else this.text.value = text;
    this.paint();
    this.pad.announce(this.name);
    this.save.focus();
  }

  paint(): void {
    const words = this.pad.words();
    set(this.element, { "aria-label": words.say("sketch.export") });
    for (const [form, element] of this.buttons) {
      const format = CALLED[form];
      write(
        element,
        DRAWN.includes(form) ? words.say("sketch.export.picture_of", { format }) : words.say("sketch.export.text_of", { format }),
      );
      set(element, { "aria-pressed": String(this.wanted === form) });
    }
    const [there, drawn] = [this.blob !== undefined, this.url !== ""];
    set(this.text, { hidden: !there || drawn, "aria-label": words.say("sketch.export.text") });
    set(this.picture, { hidden: !there || !drawn });
    set(this.copy, { hidden: !there || drawn });
    set(this.save, { hidden: !there });
    write(this.copy, words.say("sketch.copy"));
    write(this.save, `${words.say("sketch.export.save")}: ${this.name}`);
  }

  private async copied(): Promise<void> {
    this.text.select();
    try {
      await navigator.clipboard.writeText(this.text.value);
    } catch {
      document.execCommand("copy"); // where a frame may not write to the clipboard
    }
    this.pad.announce(this.pad.words().say("sketch.export.copied"));
  }

  private saved(): void {
    if (!this.blob) return;
    const url = URL.createObjectURL(this.blob);
    make("a", "", { href: url, download: this.name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  private clear(): void {
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = "";
    this.blob = undefined;
    this.text.value = "";
    this.picture.removeAttribute("src");
  }

  stop(): void {
    this.clear();
  }
}

/** A drawn picture as dots; nothing where it is larger than a browser paints, or may not be painted. */
async function dots(drawn: Blob): Promise<Blob | undefined> {
  const url = URL.createObjectURL(drawn);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = make("canvas", "", { width: image.naturalWidth * DENSE, height: image.naturalHeight * DENSE });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? undefined), "image/png"));
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(url);
  }
}
