/** The space of the table: fullscreen, low windows and large display. */

import { findFocused, make, setAttributes } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";

/** Below this visible height, in px, the table uses its low layout. */
const MIN_HEIGHT = 460;
/** The size of a table at scale 1. In fullscreen it grows up to `maxScale`. */
const BASE_SIZE = { width: 1120, height: 620, most: 2.4 };
const LARGE_SCALE = 1.25;
/** The width of a card of the hand, as a part of the height of a low table. */
const CARD_PART_OF_HEIGHT = 0.215;

export class ScreenSpace {
  /** As wide as the table, without height. Its size does not depend on the layout, so it can be observed. */
  readonly ruler = make("div", "");
  /** The scale of the table. */
  scale = 1;
  /** The maximum width of a card of the hand. */
  maxCardWidth = Number.POSITIVE_INFINITY;

  constructor(
    private readonly context: TableContext,
    private readonly onChange: () => void,
    signal: AbortSignal,
  ) {
    const { root } = context;
    root.addEventListener("fullscreenchange", () => this.isFull && !root.matches(":fullscreen") && this.leaveFull(), { signal });
    window.addEventListener("resize", onChange, { signal });
    const observer = new ResizeObserver(onChange);
    observer.observe(this.ruler);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  get isFull(): boolean {
    return this.context.root.dataset.full !== undefined;
  }

  /** Return whether hand and table share the height, so that each scene has to be measured. */
  get needsMeasuring(): boolean {
    return this.isFull || this.context.root.dataset.low !== undefined;
  }

  /** Enter or leave fullscreen. If the browser refuses, fill the page. */
  async toggle(): Promise<void> {
    const { root } = this.context;
    if (this.isFull) {
      if (root.matches(":fullscreen")) await document.exitFullscreen();
      else this.leaveFull();
      return;
    }
    setAttributes(root, { "data-full": true });
    const request: Promise<void> = root.requestFullscreen?.() ?? Promise.reject(); // The iPhone has no fullscreen.
    await request.catch(() => {
      if (!this.isFull) return;
      setAttributes(root, { popover: "manual" }); // A popover is above everything, even if an ancestor clips the table.
      root.showPopover?.();
    });
    if (!this.isFull) return void (root.matches(":fullscreen") && document.exitFullscreen()); // The user left fullscreen meanwhile.
    if (!findFocused(root)) root.focus();
    this.onChange();
  }

  private leaveFull(): void {
    const { root } = this.context;
    setAttributes(root, { "data-full": undefined, popover: undefined });
    this.onChange();
    root.scrollIntoView({ block: "nearest" });
  }

  /** Leave fullscreen. Return whether the table was in fullscreen. */
  escape(): boolean {
    const wasFull = this.isFull;
    if (wasFull) void this.toggle();
    return wasFull;
  }

  /** Measure the space and pass it to the style sheet. */
  measure(felt: HTMLElement): void {
    const { root, look } = this.context;
    setAttributes(root, { "data-wide": this.ruler.offsetWidth >= 900 }); // A wide table has its panel beside the felt.
    const { offsetWidth: width } = felt;
    const size = width < 560 ? "phone" : width < 900 ? "tablet" : "desktop";
    setAttributes(root, { "data-size": size, "data-narrow": width < 820, "data-tiny": width < 330 });
    const visibleHeight = this.measureVisibleHeight();
    const isLow = visibleHeight < MIN_HEIGHT && width >= 480;
    const fit = Math.min(width / BASE_SIZE.width, visibleHeight / BASE_SIZE.height, BASE_SIZE.most);
    const largeScale = look.size === "large" && !isLow ? LARGE_SCALE : 1;
    this.scale = (this.isFull ? Math.max(1, fit) : 1) * (this.isFull ? Math.sqrt(largeScale) : largeScale);
    this.maxCardWidth = isLow ? Math.max(44, visibleHeight * CARD_PART_OF_HEIGHT) : Number.POSITIVE_INFINITY;
    setAttributes(root, { "data-low": isLow, "data-scaled": this.scale > 1 });
    root.style.setProperty("--dk-zoom", String(this.scale));
    root.style.setProperty("--dk-visible-height", `${Math.round(visibleHeight)}px`);
  }

  /** Return the visible height of the page or of the scrolling ancestor. */
  private measureVisibleHeight(): number {
    const { root } = this.context;
    let height = window === window.top || this.isFull ? window.innerHeight : screen.height; // A frame can be as high as its content, so its height says nothing.
    if (this.isFull) return height - 16;
    const container = root.closest(".jp-OutputArea") ?? root;
    for (let ancestor = container.parentElement; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
      if (ancestor.clientHeight && /auto|scroll/.test(getComputedStyle(ancestor).overflowY))
        height = Math.min(height, ancestor.clientHeight);
    }
    return height;
  }
}
