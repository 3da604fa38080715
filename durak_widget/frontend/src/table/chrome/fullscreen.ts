/** The space of the table: fullscreen, low windows and large display. */

import { button, findFocused, make, setAttributes } from "../../widgets/dom";
import type { TableContext } from "../../widgets/table-context";

/** Below this visible height, in px, the table uses its low layout. */
const MIN_HEIGHT = 460;
/** The size of a table at scale 1. In fullscreen it grows up to `maxScale`. */
const BASE_SIZE = { width: 1120, height: 620, most: 2.4 };
const LARGE_SCALE = 1.25;
/** The width of a card of the hand, as a part of the height of a low table. */
const CARD_PART_OF_HEIGHT = 0.215;

export class ScreenSpace {
  /** Opens the navigation bar, which is folded on a low table. */
  readonly moreButton = button("dk-icon-button dk-more-button", "⋯", { "aria-expanded": "false" });
  /** As wide as the table, without height. Its size does not depend on the layout, so it can be observed. */
  readonly ruler = make("div", "");
  /** The scale of the table. */
  scale = 1;
  /** The table was in fullscreen before, so the user knows how. */
  private wasFull = false;
  /** The maximum width of a card of the hand. */
  maxCardWidth = Number.POSITIVE_INFINITY;

  constructor(
    private readonly context: TableContext,
    private readonly onChange: () => void,
    signal: AbortSignal,
  ) {
    const { root } = context;
    root.addEventListener(
      "click",
      ({ target }) => {
        const element = target as Element;
        if (!element.closest(".dk-replay")) this.unfold(element === this.moreButton && !this.isUnfolded); // The replay buttons are pressed repeatedly, so the bar stays open.
      },
      { signal },
    );
    root.addEventListener("fullscreenchange", () => this.isFull && !root.matches(":fullscreen") && this.leaveFull(), { signal });
    window.addEventListener("resize", onChange, { signal });
    const observer = new ResizeObserver(onChange);
    observer.observe(this.ruler);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  get isFull(): boolean {
    return this.context.root.dataset.full !== undefined;
  }

  /** Return whether the table is small and can be larger in fullscreen. */
  get isSmall(): boolean {
    const { size, low } = this.context.root.dataset;
    return !this.wasFull && (size === "phone" || low !== undefined) && (document.fullscreenEnabled || window === top);
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
    this.wasFull = true;
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

  private get isUnfolded(): boolean {
    return this.context.root.dataset.more !== undefined;
  }

  /** Unfold or fold the bar. If it had the focus, the button that opens it gets it. */
  unfold(open: boolean): void {
    const { root } = this.context;
    const focusInside = this.isUnfolded && findFocused(root)?.closest(".dk-navigation");
    setAttributes(root, { "data-more": open });
    setAttributes(this.moreButton, { "aria-expanded": String(open) });
    if (focusInside) this.moreButton.focus();
  }

  /** Fold the bar or leave fullscreen. Return whether there was anything to leave. */
  escape(): boolean {
    const wasUnfolded = this.isUnfolded;
    if (wasUnfolded) this.unfold(false);
    else if (this.isFull) void this.toggle();
    return wasUnfolded || this.isFull;
  }

  /** Measure the space and pass it to the style sheet. */
  measure(felt: HTMLElement): void {
    const { root, look, words } = this.context;
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
    setAttributes(this.moreButton, { "aria-label": words.say("more"), title: words.say("more") });
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
