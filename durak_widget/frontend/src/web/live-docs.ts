/** Make pictures in the docs live: put a frame over each, at once if it sleeps until touched, otherwise on request. */

for (const figure of document.querySelectorAll<HTMLElement>("figure.live")) {
  const { page = "", called: frameTitle = "", ask, wait = "" } = figure.dataset;
  const container = figure.querySelector(".live-place");
  if (!container) continue;
  const makeFrame = (): HTMLIFrameElement => {
    const frame = document.createElement("iframe");
    frame.title = frameTitle;
    frame.allow = "fullscreen";
    frame.loading = "lazy";
    frame.src = page;
    container.append(frame);
    return frame;
  };
  if (!ask) {
    makeFrame();
    continue;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = ask;
  button.addEventListener("click", () => {
    if (figure.dataset.asked !== undefined) return;
    figure.dataset.asked = "";
    button.setAttribute("aria-disabled", "true");
    button.textContent = wait;
    const frame = makeFrame();
    frame.loading = "eager";
    const observer = new MutationObserver(() => {
      observer.disconnect();
      button.remove();
      frame.focus();
    });
    observer.observe(frame, { attributeFilter: ["data-seen"] });
  });
  container.append(button);
}
