/** The room that the table has: the whole screen, little height, or a class that looks from the back. */

import { button, focused, make, set } from "../../widgets/dom";
import type { Shared } from "../../widgets/table-context";

/** Where less than so many pixels can be seen at once, one above the other is too high. */
const LOW = 460;
/** The room of a table that is drawn in its usual size; with more, it grows on the whole screen. */
const USUAL = { width: 1120, height: 620, most: 2.4 };
const LARGE = 1.25;
/** The part of a low table's height that a card of the hand is wide. */
const OF_HEIGHT = 0.215;

export class Room {
  /** Opens the bar, which has no room of its own where it is low. */
  readonly more = button("dk-icon dk-more", "⋯", { "aria-expanded": "false" });
  /** As wide as the table, and without a height, which would change with what is arranged. */
  readonly ruler = make("div", "");
  /** How large everything is drawn. */
  scale = 1;
  /** It has filled the screen once: whoever left that again knows the way. */
  private filled = false;
  /** How wide a card of the hand is at most. */
  card = Number.POSITIVE_INFINITY;

  constructor(
    private readonly shared: Shared,
    private readonly changed: () => void,
    signal: AbortSignal,
  ) {
    const { root } = shared;
    root.addEventListener(
      "click",
      ({ target }) => {
        const at = target as Element;
        if (!at.closest(".dk-replay")) this.unfold(at === this.more && !this.unfolded); // there one goes on from moment to moment
      },
      { signal },
    );
    root.addEventListener("fullscreenchange", () => this.full && !root.matches(":fullscreen") && this.left(), { signal });
    window.addEventListener("resize", changed, { signal });
    const resized = new ResizeObserver(changed);
    resized.observe(this.ruler);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  get full(): boolean {
    return this.shared.root.dataset.full !== undefined;
  }

  /** Whether there is little room for it, and the whole screen, or the page, can be had. */
  get small(): boolean {
    const { size, low } = this.shared.root.dataset;
    return !this.filled && (size === "phone" || low !== undefined) && (document.fullscreenEnabled || window === top);
  }

  /** Whether what the hand needs is taken from the table, so that it must be measured with every scene. */
  get divided(): boolean {
    return this.full || this.shared.root.dataset.low !== undefined;
  }

  /** Fill the whole screen, where the browser lets it; else the whole page. Or leave it. */
  async toggle(): Promise<void> {
    const { root } = this.shared;
    if (this.full) {
      if (root.matches(":fullscreen")) await document.exitFullscreen();
      else this.left();
      return;
    }
    this.filled = true;
    set(root, { "data-full": true });
    const asked: Promise<void> = root.requestFullscreen?.() ?? Promise.reject(); // no phone of Apple's has it
    await asked.catch(() => {
      if (!this.full) return;
      set(root, { popover: "manual" }); // above everything, also where what is around it is moved or clipped
      root.showPopover?.();
    });
    if (!this.full) return void (root.matches(":fullscreen") && document.exitFullscreen()); // it was left again meanwhile
    if (!focused(root)) root.focus();
    this.changed();
  }

  private left(): void {
    const { root } = this.shared;
    set(root, { "data-full": undefined, popover: undefined });
    this.changed();
    root.scrollIntoView({ block: "nearest" });
  }

  private get unfolded(): boolean {
    return this.shared.root.dataset.more !== undefined;
  }

  /** Show the bar where it is folded, or not; what had the focus there leaves it to the button that opens it. */
  unfold(open: boolean): void {
    const { root } = this.shared;
    const inside = this.unfolded && focused(root)?.closest(".dk-bar");
    set(root, { "data-more": open });
    set(this.more, { "aria-expanded": String(open) });
    if (inside) this.more.focus();
  }

  /** Close the bar, or leave the page that is filled; whether there was anything to leave. */
  escape(): boolean {
    const open = this.unfolded;
    if (open) this.unfold(false);
    else if (this.full) void this.toggle();
    return open || this.full;
  }

  /** Look how much room there is, and say it to the style sheet. */
  measure(felt: HTMLElement): void {
    const { root, look, words } = this.shared;
    set(root, { "data-wide": this.ruler.offsetWidth >= 900 }); // then a panel stands beside the felt
    const { offsetWidth: width } = felt;
    const size = width < 560 ? "phone" : width < 900 ? "tablet" : "desktop";
    set(root, { "data-size": size, "data-narrow": width < 820, "data-tiny": width < 330 });
    const seen = this.seen();
    const low = seen < LOW && width >= 480;
    const fits = Math.min(width / USUAL.width, seen / USUAL.height, USUAL.most);
    const large = look.size === "large" && !low ? LARGE : 1;
    this.scale = (this.full ? Math.max(1, fits) : 1) * (this.full ? Math.sqrt(large) : large);
    this.card = low ? Math.max(44, seen * OF_HEIGHT) : Number.POSITIVE_INFINITY;
    set(root, { "data-low": low, "data-scaled": this.scale > 1 });
    set(this.more, { "aria-label": words.say("more"), title: words.say("more") });
    root.style.setProperty("--dk-k", String(this.scale));
    root.style.setProperty("--dk-seen", `${Math.round(seen)}px`);
  }

  /** How much height can be seen of it at once: of the page, or of what scrolls around it. */
  private seen(): number {
    const { root } = this.shared;
    let least = window === window.top || this.full ? window.innerHeight : screen.height; // a frame may be as high as what is in it
    if (this.full) return least - 16;
    const outside = root.closest(".jp-OutputArea") ?? root;
    for (let at = outside.parentElement; at && at !== document.body; at = at.parentElement) {
      if (at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) least = Math.min(least, at.clientHeight);
    }
    return least;
  }
}
