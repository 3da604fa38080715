/** The page in a frame, such as in the docs: it copies the outer theme and sleeps until touched. */

/** The frame element of the outer page, if it is from the same site. */
const outerFrame = ((): HTMLElement | undefined => {
  try {
    return (frameElement as HTMLElement | null) ?? undefined;
  } catch {
    return undefined; // Another site's page.
  }
})();

const sleepName = new URLSearchParams(location.search).get("asleep");

/** The name of the stored state, if Python waits until the page is touched. */
export const sleepingName = parent === self || sleepName === null || /[^\w-]/.test(sleepName) ? undefined : sleepName;

/** Hide the page's own header in a frame, and copy the outer theme. */
export function followOuterPage(): void {
  const root = document.documentElement;
  if (parent === self) return;
  root.dataset.framed = "";
  const body = outerFrame?.ownerDocument.body;
  if (!body) return;
  const copyTheme = (): void => {
    const { theme } = body.dataset;
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  new MutationObserver(copyTheme).observe(body, { attributeFilter: ["data-theme"] });
  copyTheme();
}

/** Tell the outer page that there is something to see. */
export function markVisible(): void {
  if (outerFrame) outerFrame.dataset.seen = "";
}

/** Grow the frame with its content. It never shrinks, so that nothing jumps. */
export function growFrame(content: HTMLElement): void {
  const figure = outerFrame?.closest("figure");
  if (!figure) return;
  let height = innerHeight;
  new ResizeObserver(() => {
    const wantedHeight = Math.ceil(content.getBoundingClientRect().height);
    if (wantedHeight <= height) return;
    height = wantedHeight;
    figure.style.setProperty("--live-high", `${height}px`);
  }).observe(content);
}

/** Run `callback` when the user first clicks or types. Scrolling and Tab don't count. */
export function onFirstTouch(callback: () => void): void {
  const controller = new AbortController();
  const handleTouch = (event: Event): void => {
    if (event instanceof KeyboardEvent && ["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    controller.abort();
    callback();
  };
  for (const kind of ["click", "keydown"]) addEventListener(kind, handleTouch, { capture: true, signal: controller.signal });
}
