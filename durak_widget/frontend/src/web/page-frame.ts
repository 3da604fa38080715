/** The page as a part of another, such as a page of the docs: it is as light or dark as that, and sleeps until it is touched. */

/** The page around this one, where it is ours. */
const around = ((): HTMLElement | undefined => {
  try {
    return (frameElement as HTMLElement | null) ?? undefined;
  } catch {
    return undefined; // somebody else's
  }
})();

const stored = new URLSearchParams(location.search).get("asleep");

/** Whether Python waits until somebody touches the page, as a part of another; and what of it was stored, by its name. */
export const asleep = parent === self || stored === null || /[^\w-]/.test(stored) ? undefined : stored;

/** Leave out what a page of its own has around, and follow the page around it by day and by night. */
export function frame(): void {
  const own = document.documentElement;
  if (parent === self) return;
  own.dataset.framed = "";
  const body = around?.ownerDocument.body;
  if (!body) return;
  const follow = (): void => {
    const { theme } = body.dataset;
    if (theme === "light" || theme === "dark") own.dataset.theme = theme;
    else delete own.dataset.theme;
  };
  new MutationObserver(follow).observe(body, { attributeFilter: ["data-theme"] });
  follow();
}

/** There is something to see: the page around may show it. */
export function seen(): void {
  if (around) around.dataset.seen = "";
}

/** From now on the page has as much room in the one around it as what it shows: it grows, and never shrinks under the hand. */
export function grow(shown: HTMLElement): void {
  const figure = around?.closest("figure");
  if (!figure) return;
  let high = innerHeight;
  new ResizeObserver(() => {
    const wanted = Math.ceil(shown.getBoundingClientRect().height);
    if (wanted <= high) return;
    high = wanted;
    figure.style.setProperty("--live-high", `${high}px`);
  }).observe(shown);
}

/** Call this when somebody presses something: not when one only scrolls over the page, or walks past it with the Tab key. */
export function whenTouched(run: () => void): void {
  const stop = new AbortController();
  const touched = (event: Event): void => {
    if (event instanceof KeyboardEvent && ["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    stop.abort();
    run();
  };
  for (const kind of ["click", "keydown"]) addEventListener(kind, touched, { capture: true, signal: stop.signal });
}
