/**
 * What survives a reload. The page has no storage: the key of the seat and the language are in its address after `#`,
 * and what is not sent yet is in the name of the window, because a page in a sandbox loses the state of its history.
 */

import { isLanguage, type Language } from "../words";
import type { Address } from "./session";

/** The last part of the path is the code of the session; it is shown at the top of the page. */
export const readCode = (): string => /\/([A-Za-z0-9]{6})\/$/.exec(location.pathname)?.[1]?.toUpperCase() ?? "";

export class PageAddress implements Address {
  get key(): string {
    return this.read().get("key") ?? "";
  }

  set key(key: string) {
    this.write("key", key);
  }

  /** The language that the student has chosen. */
  get language(): Language | undefined {
    const code = this.read().get("language");
    return isLanguage(code) ? code : undefined;
  }

  set language(language: Language) {
    this.write("language", language);
  }

  /** What the page has noted for itself, for example a draft. Another page in the same window may have left anything here. */
  get memory(): unknown {
    if (!window.name.startsWith(this.mark)) return undefined;
    try {
      return JSON.parse(window.name.slice(this.mark.length));
    } catch {
      return undefined;
    }
  }

  set memory(memory: unknown) {
    window.name = memory === undefined ? "" : `${this.mark}${JSON.stringify(memory)}`;
  }

  private get mark(): string {
    return `durak ${location.pathname} `;
  }

  private read(): URLSearchParams {
    return new URLSearchParams(location.hash.slice(1));
  }

  private write(name: string, value: string): void {
    const parameters = this.read();
    if (value) parameters.set(name, value);
    else parameters.delete(name);
    location.replace(`#${parameters}`);
  }
}
