/** The panel for sharing: texts to copy, a picture to save, and a position to paste. */

import { button, make, setAttributes, setText } from "../../widgets/dom";
import type { Message } from "../../widgets/protocol/scene";
import type { Key } from "../../widgets/protocol/words";
import type { TableContext } from "../../widgets/table-context";
import type { PanelHooks } from "../intents/actions";

/** What can be shared, from Python. */
export type ShareContent = Extract<Message, { kind: "share" }>;

/** What can be copied, with the label of its button. */
const COPIES = [
  ["link", "copy.link"],
  ["position", "copy.position"],
  ["game", "copy.game"],
  ["cell", "copy.cell"],
  ["text", "copy.words"],
] as const;
/** The pixel ratio of saved pictures. */
const PIXEL_RATIO = 2;

export class SharingPanel {
  private content: ShareContent | undefined;
  private readonly status = make("p", "dk-small", { role: "status" });
  /** Shows a text that the browser could not copy. */
  private readonly copyField = make("textarea", "dk-share-text", { readonly: true, rows: 4, hidden: true, "data-key": "paper" });
  private readonly pasteField = make("textarea", "dk-share-text", { rows: 3, spellcheck: "false", "data-key": "paste" });
  private readonly errorElement = make("p", "dk-share-error", { role: "alert" });

  constructor(
    private readonly context: TableContext,
    private readonly hooks: PanelHooks,
  ) {}

  setContent(content: ShareContent): void {
    this.content = content;
  }

  /** Show why the pasted text can't be opened. The text stays, so that it can be fixed. */
  showPasteError(reason: string): void {
    setText(this.errorElement, reason);
  }

  /** Open the checked position. */
  loadPosition(text: string): void {
    this.hooks.loadPosition(text);
  }

  /** Clear the panel for another person or game. */
  clear(): void {
    this.content = undefined;
    this.pasteField.value = this.copyField.value = "";
    this.copyField.hidden = true;
    setText(this.status, "");
    setText(this.errorElement, "");
  }

  renderNodes(): Node[] {
    const { content, context, hooks } = this;
    const { words, scene } = context;
    if (!content) return [];
    const copies = COPIES.flatMap(([name, key]) => {
      const text = content[name];
      return text ? [this.makeButton(key, () => this.copy(text))] : [];
    });
    const image = make("img", "dk-share-picture", { src: `data:image/svg+xml,${encodeURIComponent(content.picture)}`, alt: content.text });
    const makeSvgBlob = (): Blob => new Blob([content.picture], { type: "image/svg+xml" });
    setAttributes(this.pasteField, { "aria-label": words.say("paste"), placeholder: "6c 7c | 9h Ts; trump h" });
    const loadPasted = (): void => {
      setText(this.errorElement, "");
      if (this.pasteField.value.trim()) hooks.checkPaste(this.pasteField.value);
    };
    return [
      this.makeHeading("copy"),
      make("div", "dk-button-row", {}, ...copies),
      ...(content.game ? [] : [make("p", "dk-small", {}, words.say("share.hidden"))]),
      this.status,
      this.copyField,
      this.makeHeading("picture"),
      image,
      make(
        "div",
        "dk-button-row",
        {},
        this.makeButton("copy.picture", () => this.copyPicture(image)),
        this.makeButton("save", () => download(makeSvgBlob(), "svg"), "SVG"),
        this.makeButton("save", async () => download(await toPng(image), "png"), "PNG"),
      ),
      ...(scene.task
        ? []
        : [
            this.makeHeading("paste"),
            this.pasteField,
            make("div", "dk-button-row", {}, this.makeButton("paste.lay", loadPasted)),
            this.errorElement,
          ]),
    ];
  }

  private makeHeading(key: Key): HTMLElement {
    return make("h3", "", {}, this.context.words.say(key));
  }

  private makeButton(key: Key, action: () => unknown, kind = ""): HTMLElement {
    const element = button("", this.context.words.say(key, { kind }), { "data-key": key + kind });
    element.addEventListener("click", () => void action());
    return element;
  }

  private showStatus(key: Key): void {
    setText(this.status, this.context.words.say(key));
  }

  /** Copy a text to the clipboard. If that is not allowed, select it so that the user can copy it. */
  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copyField.hidden = true;
      this.showStatus("copied");
    } catch {
      this.copyField.hidden = false;
      this.copyField.value = text;
      this.copyField.focus();
      this.copyField.select();
      this.showStatus("copy.yourself");
    }
  }

  private async copyPicture(image: HTMLImageElement): Promise<void> {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": toPng(image) })]);
      this.showStatus("copied");
    } catch {
      download(await toPng(image), "png");
    }
  }
}

/** Convert a picture to PNG. */
async function toPng(image: HTMLImageElement): Promise<Blob> {
  await image.decode();
  const [width, height] = [PIXEL_RATIO * image.naturalWidth, PIXEL_RATIO * image.naturalHeight];
  const canvas = make("canvas", "", { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob as Blob)));
}

function download(blob: Blob, kind: string): void {
  make("a", "", { href: URL.createObjectURL(blob), download: `durak.${kind}` }).click();
}
