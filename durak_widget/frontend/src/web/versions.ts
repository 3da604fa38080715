/** What plays without a network: laid down after the first table stands; a newer version comes when it is asked for. */

import type { Chrome } from "./page-chrome";

export async function keepVersions(chrome: Chrome): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const first = !serviceWorker.controller;
  try {
    const registered = await serviceWorker.register(new URL("./offline.js", import.meta.url));
    const watch = (worker: ServiceWorker | null): void => {
      if (!worker) return;
      const look = (): void => {
        if (worker.state === "activated" && first) chrome.offline();
        if (worker.state === "installed" && serviceWorker.controller) chrome.fresh(() => load(worker));
      };
      worker.addEventListener("statechange", look);
      look();
    };
    watch(registered.waiting ?? registered.installing);
    registered.addEventListener("updatefound", () => watch(registered.installing));
  } catch {
    // it plays with a network alone, then
  }
}

/** Whoever asks for the newer version has it, from here on. */
function load(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  worker.postMessage("now");
}
