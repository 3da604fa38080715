/** What stays in the browser: small files by name, in a drawer of the browser's own; where it gives none, for as long as the page is open. */

const NAME = "durak";
const FILES = "files";
/** How the tables stand that are played at: one's own, and that of a link. */
const OWN = ["table.json", "linked.json"];
/** Said where all was forgotten. */
const FORGOTTEN = null;

export type Files = Readonly<Record<string, string>>;
/** What is kept from now on; of what is nothing, no more. */
export type Change = Readonly<Record<string, string | null>>;

export class Kept {
  /** Nothing stays when the page is closed. */
  lost = false;
  private drawer: IDBDatabase | undefined;
  private readonly others: BroadcastChannel | undefined;
  private last = Promise.resolve();

  constructor(
    /** The same page elsewhere has kept something: told by worker to worker, and to no page. */
    elsewhere?: (files: Change) => void,
  ) {
    if (!elsewhere) return;
    this.others = new BroadcastChannel(NAME);
    this.others.addEventListener("message", ({ data }) => (data === FORGOTTEN ? this.end() : elsewhere(data)));
  }

  /** All that was kept before. */
  async open(): Promise<Files> {
    try {
      const asked = indexedDB.open(NAME, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(FILES);
      this.drawer = await done(asked);
      return await this.all();
    } catch {
      this.lost = true;
      return {};
    }
  }

  /** Keep this; done when it is, or cannot be. */
  keep(files: Change): Promise<void> {
    this.last = this.last.then(async () => {
      try {
        if (!this.drawer) return;
        const change = this.drawer.transaction(FILES, "readwrite");
        const store = change.objectStore(FILES);
        for (const [name, text] of Object.entries(files)) text === null ? store.delete(name) : store.put(text, name);
        await finished(change);
      } catch {
        this.lost = true;
      }
    });
    const shared = Object.fromEntries(Object.entries(files).filter(([name]) => !OWN.includes(name))); // whose cards concern nobody else
    if (Object.keys(shared).length && this.drawer) this.others?.postMessage(shared);
    return this.last;
  }

  /** It was all forgotten elsewhere: what is still known here does not bring it back. */
  private end(): void {
    this.drawer = undefined;
    this.lost = true;
  }

  /** All of it, once what was to be kept is kept. */
  async all(): Promise<Files> {
    await this.last;
    if (!this.drawer) return {};
    const files = this.drawer.transaction(FILES).objectStore(FILES);
    const [names, texts] = await Promise.all([done(files.getAllKeys()), done(files.getAll())]);
    return Object.fromEntries(names.map((name, at) => [String(name), String(texts[at])]));
  }

  async forget(): Promise<void> {
    await this.last;
    if (!this.drawer) return;
    const change = this.drawer.transaction(FILES, "readwrite");
    change.objectStore(FILES).clear();
    await finished(change);
    new BroadcastChannel(NAME).postMessage(FORGOTTEN);
  }
}

function done<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

function finished(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onerror = change.onabort = () => reject(change.error);
  });
}
