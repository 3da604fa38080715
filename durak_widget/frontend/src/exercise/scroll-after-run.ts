/** Scrolling back to an exercise whose cell was just run. JupyterLab then shows the next cell, and the exercise can be out of view. */

/** JupyterLab selects the next cell when it runs one. */
const JUST_RUN = ".jp-Cell:has(+ .jp-mod-active)";
/** With any of these, the user chooses what to look at. */
const USER_INPUT = ["wheel", "touchmove", "pointerdown", "keydown"];

/** Show the exercise once it is on the page, and again when its table or tree appears, until the user does something. */
export function scrollToAfterRun(exercise: HTMLElement, signal: AbortSignal): void {
  const lifetime = new AbortController();
  const stop = (): void => lifetime.abort();
  signal.addEventListener("abort", stop);
  for (const input of USER_INPUT) window.addEventListener(input, stop, { capture: true, passive: true, signal: lifetime.signal });
  let output: HTMLElement | null = null;
  const observer = new ResizeObserver(() => {
    const cell = exercise.closest(JUST_RUN);
    if (!cell || cell.querySelector(".dk-exercise") !== exercise) return stop();
    if (!output) {
      output = isOnScreen(cell) ? exercise.closest<HTMLElement>(".jp-Cell-outputArea") : null;
      if (!output) return stop();
      observer.observe(output);
    }
    const room = output.closest(".jp-WindowedPanel-outer")?.clientHeight ?? innerHeight;
    output.scrollIntoView({ block: output.offsetHeight > room ? "start" : "nearest" }); // The question is at the start.
  });
  observer.observe(exercise);
  lifetime.signal.addEventListener("abort", () => observer.disconnect());
}

/** Return whether a part of this cell or of the next one is on the screen. Otherwise the user scrolled away while the cell ran. */
function isOnScreen(cell: Element): boolean {
  const end = (cell.nextElementSibling ?? cell).getBoundingClientRect().bottom;
  return end > 0 && cell.getBoundingClientRect().top < innerHeight;
}
