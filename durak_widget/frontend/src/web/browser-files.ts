/** Small files in IndexedDB. If that is not available, they last as long as the page. */

const DATABASE_NAME = "durak";
const STORE_NAME = "files";
/** The user's own tables, and where they are on the learn page. They are not shared with other tabs. */
const PRIVATE_FILES = ["table.json", "linked.json", "learn.json"];
/** The message that everything was cleared. */
const CLEARED = null;

export type FileMap = Readonly<Record<string, string>>;
/** Changed files. `null` deletes a file. */
export type FileChanges = Readonly<Record<string, string | null>>;

export class FileStore {
  /** Files are lost when the page is closed. */
  isLost = false;
  private database: IDBDatabase | undefined;
  private readonly channel: BroadcastChannel | undefined;
  private pending = Promise.resolve();

  constructor(
    /** Called when another tab saved files. Only workers use it. */
    onOtherChange?: (files: FileChanges) => void,
  ) {
    if (!onOtherChange) return;
    this.channel = new BroadcastChannel(DATABASE_NAME);
    this.channel.addEventListener("message", ({ data }) => (data === CLEARED ? this.disconnect() : onOtherChange(data)));
  }

  /** Open the store and return its files. */
  async openStore(): Promise<FileMap> {
    try {
      const request = indexedDB.open(DATABASE_NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME);
      this.database = await awaitRequest(request);
      return await this.readAll();
    } catch {
      this.isLost = true;
      return {};
    }
  }

  /** Save files. Resolves when that is done or has failed. */
  save(files: FileChanges): Promise<void> {
    this.pending = this.pending.then(async () => {
      try {
        if (!this.database) return;
        const transaction = this.database.transaction(STORE_NAME, "readwrite");
        const store = transaction.objectStore(STORE_NAME);
        for (const [name, text] of Object.entries(files)) text === null ? store.delete(name) : store.put(text, name);
        await awaitTransaction(transaction);
      } catch {
        this.isLost = true;
      }
    });
    const sharedFiles = Object.fromEntries(Object.entries(files).filter(([name]) => !PRIVATE_FILES.includes(name))); // Private tables are of no use to other tabs.
    if (Object.keys(sharedFiles).length && this.database) this.channel?.postMessage(sharedFiles);
    return this.pending;
  }

  /** Another tab cleared everything. Stop saving, so that nothing comes back. */
  private disconnect(): void {
    this.database = undefined;
    this.isLost = true;
  }

  /** Return all files, after pending changes. */
  async readAll(): Promise<FileMap> {
    await this.pending;
    if (!this.database) return {};
    const store = this.database.transaction(STORE_NAME).objectStore(STORE_NAME);
    const [names, texts] = await Promise.all([awaitRequest(store.getAllKeys()), awaitRequest(store.getAll())]);
    return Object.fromEntries(names.map((name, i) => [String(name), String(texts[i])]));
  }

  async clearAll(): Promise<void> {
    await this.pending;
    if (!this.database) return;
    const transaction = this.database.transaction(STORE_NAME, "readwrite");
    transaction.objectStore(STORE_NAME).clear();
    await awaitTransaction(transaction);
    new BroadcastChannel(DATABASE_NAME).postMessage(CLEARED);
  }
}

function awaitRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function awaitTransaction(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}
