/** What stays in the browser: small files by name, in a drawer of the browser's own; where it gives none, for as long as the page is open. */

const NAME = "durak";
const FILES = "files";
/** How the table stands that is played at. */
const TABLE = "table.json";

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
    this.others.addEventListener("message", ({ data }) => elsewhere(data));
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

  keep(files: Change): void {
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
    const { [TABLE]: _, ...shared } = files; // each has a table of its own, whose cards concern nobody else
    if (Object.keys(shared).length) this.others?.postMessage(shared);
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
