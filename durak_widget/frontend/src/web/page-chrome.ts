/** What is around the table on the page: its buttons and notices, among them that a newer version is there. */

import { button, make, write } from "../widgets/dom";
import { failing, type Labels } from "./startup-state";

const SECONDS = 12;

/** What is done when something of it is pressed. */
export interface Does {
  language(code: string): void;
  /** All that is kept, as a text. */
  take(): Promise<string>;
  bring(text: string): void;
  forget(): Promise<void>;
}

const one = <E extends HTMLElement>(name: string): E => document.getElementById(name) as E;

/** The links, the language, the saved files and the notices around a table or a board. */
export class Chrome {
  private labels: Labels = {};
  /** What has to be heard lies over the head of the page; what is only good to know stands below the table. */
  private readonly said = one("said");
  private readonly quiet = one("quiet");
  private readonly drawer = one<HTMLDialogElement>("kept");
  private readonly chosen = one<HTMLSelectElement>("language");
  private readonly about = make("p", "");
  private readonly secret = make("p", "");
  private readonly answer = one("answer");
  private readonly takes = button("", "");
  private readonly brings = button("", "");
  private readonly forgets = button("", "");
  private readonly closes = button("", "");
  private readonly file = make("input", "", { type: "file", accept: ".json,application/json", hidden: true, tabindex: -1 });
  private readonly heading = make("h2", "", { id: "kept-title" });
  private clock: ReturnType<typeof setTimeout> | undefined;
  private sure = false;

  constructor(private readonly does: Does) {
    this.drawer.prepend(this.heading, this.about, this.secret, make("div", "dp-row", {}, this.takes, this.brings, this.file, this.forgets));
    this.drawer.append(make("div", "dp-row", {}, this.closes));
    this.chosen.addEventListener("change", () => does.language(this.chosen.value));
    one("mine").addEventListener("click", () => this.drawer.showModal());
    this.closes.addEventListener("click", () => this.drawer.close());
    this.drawer.addEventListener("close", () => this.calm());
    this.takes.addEventListener("click", () => void this.take());
    this.brings.addEventListener("click", () => this.file.click());
    this.file.addEventListener("change", () => void this.bring());
    this.forgets.addEventListener("click", () => void this.forget());
  }

  /** Speak that language. */
  speak(code: string, labels: Labels): void {
    this.labels = labels;
    document.documentElement.lang = code;
    document.title = labels.title ?? "";
    this.chosen.value = code;
    write(one("home"), labels.title ?? "");
    write(one("lessons"), labels.lessons ?? "");
    write(one("docs"), labels.docs ?? "");
    write(one("mine"), labels.mine ?? "");
    write(this.heading, labels.mine ?? "");
    write(this.about, labels["mine.told"] ?? "");
    write(this.secret, labels["mine.secret"] ?? "");
    write(this.takes, labels.take ?? "");
    write(this.brings, labels.bring ?? "");
    write(this.closes, labels.close ?? "");
    const dealing = document.getElementById("dealing");
    if (dealing) write(dealing, labels.dealing ?? "");
    this.calm();
  }

  /** Something is to be said; after a while it has been. */
  tell(said: string): void {
    clearTimeout(this.clock);
    if (this.drawer.open) write(this.answer, said);
    else write(this.said, said);
    this.said.hidden = this.drawer.open;
    this.clock = setTimeout(() => this.hush(), SECONDS * 1000);
  }

  hush(): void {
    clearTimeout(this.clock);
    this.said.hidden = true;
    this.said.replaceChildren();
    write(this.answer, "");
  }

  wake(): void {
    write(this.quiet, this.labels.waking ?? "");
  }

  /** Python is there. */
  awake(): void {
    write(this.quiet, "");
  }

  unkept(): void {
    write(this.quiet, this.labels.unkept ?? "");
  }

  offline(): void {
    write(this.quiet, this.labels.offline ?? "");
  }

  /** Python cannot be had here. */
  fail(why: string): void {
    this.tell(failing(this.labels.failed, why));
    clearTimeout(this.clock);
  }

  /** There is a newer version, which comes when it is asked for. */
  fresh(load: () => void): void {
    const now = button("", this.labels["fresh.now"] ?? "");
    now.addEventListener("click", load);
    this.said.hidden = false;
    this.said.replaceChildren(this.labels.fresh ?? "", " ", now);
    clearTimeout(this.clock);
  }

  private calm(): void {
    this.sure = false;
    write(this.forgets, this.labels.forget ?? "");
    write(this.answer, "");
  }

  private async take(): Promise<void> {
    const url = URL.createObjectURL(new Blob([await this.does.take()], { type: "application/json" }));
    make("a", "", { href: url, download: "durak.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  private async bring(): Promise<void> {
    const [file] = this.file.files ?? [];
    if (file) this.does.bring(await file.text());
    this.file.value = "";
  }

  /** Pressed twice it is meant. */
  private async forget(): Promise<void> {
    if (this.sure) return this.does.forget();
    this.sure = true;
    write(this.forgets, this.labels["forget.sure"] ?? "");
  }
}

/** Install the service worker, and offer a newer version when there is one. */
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
