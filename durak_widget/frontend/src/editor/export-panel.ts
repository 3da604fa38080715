/** The export panel of an editor: text to copy or save, and pictures to save. */

import { button, make, setAttributes, setText } from "../widgets/dom";
import type { Words } from "../widgets/protocol/words";
import type { Export } from "./protocol";

type ExportFormat = Export | "png";
const TREE_FORMATS: readonly ExportFormat[] = ["efg", "python", "tikz", "svg", "png"];
/** The usual names of the formats. */
const FORMAT_NAMES = { efg: "Gambit", nfg: "Gambit", python: "Python", tikz: "TikZ", svg: "SVG", png: "PNG" } as const;
const PICTURE_FORMATS: readonly ExportFormat[] = ["svg", "png"];
/** PNG pictures are this many times larger, so that they can be printed. */
const PIXEL_RATIO = 3;

/** An export from Python. */
export interface ExportMessage {
  readonly format: Export;
  readonly name: string;
  readonly text: string;
}

/** What the panel needs from its page. */
interface ExportHost {
  words(): Words;
  announce(message: string): void;
  send(message: { readonly kind: "export"; readonly format: Export }): void;
}

export class ExportPanel {
  readonly element = make("div", "dk-editor-export", { role: "group", hidden: true });
  private readonly formatRow = make("div", "dk-button-row");
  private readonly buttons: ReadonlyMap<ExportFormat, HTMLButtonElement>;
  private readonly textField = make("textarea", "dk-editor-export-text", { readonly: true, rows: 8, spellcheck: "false", hidden: true });
  private readonly picture = make("img", "dk-editor-export-picture", { hidden: true });
  private readonly copyButton = button("dk-small-button", "", { hidden: true });
  private readonly saveButton = button("dk-small-button", "", { hidden: true });
  private requestedFormat: ExportFormat | undefined;
  private blob: Blob | undefined;
  private name = "";
  private url = "";

  constructor(
    private readonly host: ExportHost,
    private readonly formats: readonly ExportFormat[] = TREE_FORMATS,
  ) {
    this.buttons = new Map(formats.map((form) => [form, button("dk-small-button", "", { "data-form": form })] as const));
    for (const [form, element] of this.buttons)
      element.addEventListener("click", () => {
        this.requestedFormat = form;
        host.send({ kind: "export", format: form === "png" ? "svg" : form });
        this.paint();
      });
    this.formatRow.append(...this.buttons.values());
    this.element.append(this.formatRow, this.textField, this.picture, make("div", "dk-button-row", {}, this.copyButton, this.saveButton));
    this.copyButton.addEventListener("click", () => void this.copyText());
    this.saveButton.addEventListener("click", () => this.saveFile());
    this.textField.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") event.stopPropagation();
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  toggle(open = !this.isOpen): void {
    setAttributes(this.element, { hidden: !open });
    this.paint();
    if (open) this.buttons.get(this.requestedFormat ?? (this.formats[0] as ExportFormat))?.focus();
  }

  /** Discard the export, because the tree has changed. */
  discard(): void {
    if (!this.blob) return;
    this.clear();
    this.requestedFormat = undefined;
    this.paint();
  }

  /** Handle an export from Python. */
  async handleExport({ format, name, text }: ExportMessage): Promise<void> {
    if (this.requestedFormat === undefined || (this.requestedFormat === "png" ? format !== "svg" : format !== this.requestedFormat)) return;
    const form = this.requestedFormat;
    this.clear();
    const source = new Blob([text], { type: format === "svg" ? "image/svg+xml" : "text/plain;charset=utf-8" });
    const pngBlob = form === "png" ? await toPng(source) : undefined;
    if (form !== this.requestedFormat) return;
    this.blob = pngBlob ?? source; // If the browser can't make a PNG, keep the SVG.
    this.name = pngBlob ? name.replace(/svg$/, "png") : name;
    if (format === "svg") {
      this.url = URL.createObjectURL(this.blob);
      setAttributes(this.picture, { src: this.url, alt: this.name });
    } else this.textField.value = text;
    this.paint();
    this.host.announce(this.name);
    this.saveButton.focus();
  }

  paint(): void {
    const words = this.host.words();
    setAttributes(this.element, { "aria-label": words.say("sketch.export") });
    for (const [form, element] of this.buttons) {
      const formatName = FORMAT_NAMES[form];
      setText(
        element,
        PICTURE_FORMATS.includes(form)
          ? words.say("sketch.export.picture_of", { format: formatName })
          : words.say("sketch.export.text_of", { format: formatName }),
      );
      setAttributes(element, { "aria-pressed": String(this.requestedFormat === form) });
    }
    const [hasContent, hasPicture] = [this.blob !== undefined, this.url !== ""];
    setAttributes(this.textField, { hidden: !hasContent || hasPicture, "aria-label": words.say("sketch.export.text") });
    setAttributes(this.picture, { hidden: !hasContent || !hasPicture });
    setAttributes(this.copyButton, { hidden: !hasContent || hasPicture });
    setAttributes(this.saveButton, { hidden: !hasContent });
    setText(this.copyButton, words.say("sketch.copy"));
    setText(this.saveButton, `${words.say("sketch.export.save")}: ${this.name}`);
  }

  private async copyText(): Promise<void> {
    this.textField.select();
    try {
      await navigator.clipboard.writeText(this.textField.value);
    } catch {
      document.execCommand("copy"); // For frames without access to the clipboard.
    }
    this.host.announce(this.host.words().say("sketch.export.copied"));
  }

  private saveFile(): void {
    if (!this.blob) return;
    const url = URL.createObjectURL(this.blob);
    make("a", "", { href: url, download: this.name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  private clear(): void {
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = "";
    this.blob = undefined;
    this.textField.value = "";
    this.picture.removeAttribute("src");
  }

  stop(): void {
    this.clear();
  }
}

/** Convert an SVG to PNG. Undefined if it is too large or not allowed. */
async function toPng(source: Blob): Promise<Blob | undefined> {
  const url = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = make("canvas", "", { width: image.naturalWidth * PIXEL_RATIO, height: image.naturalHeight * PIXEL_RATIO });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), "image/png"));
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(url);
  }
}
