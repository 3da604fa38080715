/** The page around the table: links, language, saved files, notices and updates. */

import { button, make, setText } from "../widgets/dom";
import { formatFailure, type Labels } from "./startup-state";

const NOTICE_SECONDS = 12;

/** What the controls do. */
export interface ChromeHooks {
  /** Explain the game. Only a page with a table has a button for this. */
  showHowToPlay?(): void;
  setLanguage(code: string): void;
  /** Return all saved files as text. */
  exportFiles(): Promise<string>;
  importFiles(text: string): void;
  clearFiles(): Promise<void>;
}

const findById = <E extends HTMLElement>(name: string): E => document.getElementById(name) as E;

/** The links, the language, the saved files and the notices around a table or a board. */
export class PageChrome {
  private labels: Labels = {};
  /** Urgent notices cover the head of the page. The others are below the table. */
  private readonly noticeElement = findById("message");
  private readonly statusElement = findById("status");
  private readonly filesDialog = findById<HTMLDialogElement>("files-dialog");
  private readonly howToPlayButton = document.getElementById("how-to-play");
  /** The link to the deal of the day. Only the page with a table has it. */
  private readonly dailyLink = document.getElementById("daily");
  private readonly languageSelect = findById<HTMLSelectElement>("language");
  private readonly aboutElement = make("p", "");
  private readonly privacyElement = make("p", "");
  private readonly answerElement = findById("files-status");
  private readonly exportButton = button("", "");
  private readonly importButton = button("", "");
  private readonly clearButton = button("", "");
  private readonly closeButton = button("", "");
  private readonly fileInput = make("input", "", { type: "file", accept: ".json,application/json", hidden: true, tabindex: -1 });
  private readonly heading = make("h2", "", { id: "files-title" });
  private noticeTimer: ReturnType<typeof setTimeout> | undefined;
  private isSure = false;
  private statusKey = "";

  constructor(private readonly hooks: ChromeHooks) {
    this.filesDialog.prepend(
      this.heading,
      this.aboutElement,
      this.privacyElement,
      make("div", "dp-button-row", {}, this.exportButton, this.importButton, this.fileInput, this.clearButton),
    );
    this.filesDialog.append(make("div", "dp-button-row", {}, this.closeButton));
    this.howToPlayButton?.addEventListener("click", () => hooks.showHowToPlay?.());
    this.languageSelect.addEventListener("change", () => hooks.setLanguage(this.languageSelect.value));
    findById("files-button").addEventListener("click", () => this.filesDialog.showModal());
    this.closeButton.addEventListener("click", () => this.filesDialog.close());
    this.filesDialog.addEventListener("close", () => this.resetDialog());
    this.exportButton.addEventListener("click", () => void this.exportFiles());
    this.importButton.addEventListener("click", () => this.fileInput.click());
    this.fileInput.addEventListener("change", () => void this.importFiles());
    this.clearButton.addEventListener("click", () => void this.clearFiles());
  }

  /** Set the language of the page. */
  setLanguage(code: string, labels: Labels): void {
    this.labels = labels;
    document.documentElement.lang = code;
    document.title = labels.title ?? "";
    this.languageSelect.value = code;
    setText(findById("home"), labels.title ?? "");
    if (this.howToPlayButton) setText(this.howToPlayButton, labels.how_to_play ?? "");
    if (this.dailyLink) setText(this.dailyLink, labels.daily ?? "");
    setText(findById("learn"), labels.learn ?? "");
    setText(findById("lessons"), labels.lessons ?? "");
    setText(findById("docs"), labels.docs ?? "");
    setText(findById("files-button"), labels.mine ?? "");
    setText(findById("licenses"), labels.licenses ?? "");
    setText(this.heading, labels.mine ?? "");
    setText(this.aboutElement, labels["mine.told"] ?? "");
    setText(this.privacyElement, labels["mine.secret"] ?? "");
    setText(this.exportButton, labels.take ?? "");
    setText(this.importButton, labels.bring ?? "");
    setText(this.closeButton, labels.close ?? "");
    const loading = document.getElementById("loading");
    if (loading) setText(loading, labels.dealing ?? "");
    this.setStatus(this.statusKey);
    this.resetDialog();
  }

  /** Show a notice for a while. */
  showNotice(message: string): void {
    clearTimeout(this.noticeTimer);
    if (this.filesDialog.open) setText(this.answerElement, message);
    else setText(this.noticeElement, message);
    this.noticeElement.hidden = this.filesDialog.open;
    this.noticeTimer = setTimeout(() => this.hideNotice(), NOTICE_SECONDS * 1000);
  }

  hideNotice(): void {
    clearTimeout(this.noticeTimer);
    this.noticeElement.hidden = true;
    this.noticeElement.replaceChildren();
    setText(this.answerElement, "");
  }

  /** Show the label with a key as the status, also after a change of the language. */
  private setStatus(key: string): void {
    this.statusKey = key;
    setText(this.statusElement, this.labels[key] ?? "");
  }

  showWaking(): void {
    this.setStatus("waking");
  }

  /** Python is ready. */
  clearStatus(): void {
    this.setStatus("");
  }

  showNotSaved(): void {
    this.setStatus("unkept");
  }

  /** Offer the deal of the day, until it is opened. */
  offerDailyDeal(link: string, onOpen: () => void): void {
    const element = this.dailyLink as HTMLAnchorElement;
    element.href = link;
    element.hidden = false;
    element.addEventListener("click", ({ ctrlKey, metaKey, shiftKey }) => {
      if (ctrlKey || metaKey || shiftKey) return; // The link opens in another tab or window, and is still of use here.
      element.hidden = true;
      onOpen();
      this.showNotice(this.labels["daily.told"] ?? "");
    });
  }

  /** After a game, show that today's deal is waiting, or what is new tomorrow. Remove it when the next game begins. */
  showNextDeal(isOver: boolean): void {
    if (isOver) this.setStatus(this.dailyLink?.hidden === false ? "daily.waits" : "tomorrow");
    else if (this.statusKey === "tomorrow" || this.statusKey === "daily.waits") this.clearStatus();
  }

  showOffline(): void {
    this.setStatus("offline");
  }

  /** Show that Python can't start here. */
  showFailure(why: string): void {
    this.showNotice(formatFailure(this.labels.failed, why));
    clearTimeout(this.noticeTimer);
  }

  /** Offer a newer version. */
  offerUpdate(onAccept: () => void): void {
    const updateButton = button("", this.labels["fresh.now"] ?? "");
    updateButton.addEventListener("click", onAccept);
    this.noticeElement.hidden = false;
    this.noticeElement.replaceChildren(this.labels.fresh ?? "", " ", updateButton);
    clearTimeout(this.noticeTimer);
  }

  private resetDialog(): void {
    this.isSure = false;
    setText(this.clearButton, this.labels.forget ?? "");
    setText(this.answerElement, "");
  }

  private async exportFiles(): Promise<void> {
    const url = URL.createObjectURL(new Blob([await this.hooks.exportFiles()], { type: "application/json" }));
    make("a", "", { href: url, download: "durak.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  private async importFiles(): Promise<void> {
    const [file] = this.fileInput.files ?? [];
    if (file) this.hooks.importFiles(await file.text());
    this.fileInput.value = "";
  }

  /** Clear the files after a second click. */
  private async clearFiles(): Promise<void> {
    if (this.isSure) return this.hooks.clearFiles();
    this.isSure = true;
    setText(this.clearButton, this.labels["forget.sure"] ?? "");
  }
}

/** Install the service worker, and offer a newer version when there is one. */
export async function installServiceWorker(chrome: Pick<PageChrome, "showOffline" | "offerUpdate">): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const isFirstVisit = !serviceWorker.controller;
  try {
    const registration = await serviceWorker.register(new URL("./offline.js", import.meta.url));
    const watchWorker = (worker: ServiceWorker | null): void => {
      if (!worker) return;
      const checkState = (): void => {
        if (worker.state === "activated" && isFirstVisit) chrome.showOffline();
        if (worker.state === "installed" && serviceWorker.controller) chrome.offerUpdate(() => activateUpdate(worker));
      };
      worker.addEventListener("statechange", checkState);
      checkState();
    };
    watchWorker(registration.waiting ?? registration.installing);
    registration.addEventListener("updatefound", () => watchWorker(registration.installing));
  } catch {
    // Then the page needs a network.
  }
}

/** Activate the newer version and reload. */
function activateUpdate(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  worker.postMessage("now");
}
