/** What makes pictures of the docs live: over each lies a page with a table or a blackboard, at once where that sleeps until it is touched, else when it is asked for. */

for (const figure of document.querySelectorAll<HTMLElement>("figure.live")) {
  const { page = "", called = "", ask, wait = "" } = figure.dataset;
  const place = figure.querySelector(".live-place");
  if (!place) continue;
  const lay = (): HTMLIFrameElement => {
    const frame = document.createElement("iframe");
    frame.title = called;
    frame.allow = "fullscreen";
    frame.loading = "lazy";
    frame.src = page;
    place.append(frame);
    return frame;
  };
  if (!ask) {
    lay();
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
    const frame = lay();
    frame.loading = "eager";
    const watch = new MutationObserver(() => {
      watch.disconnect();
      button.remove();
      frame.focus();
    });
    watch.observe(frame, { attributeFilter: ["data-seen"] });
  });
  place.append(button);
}
