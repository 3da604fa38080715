/** The student's page of a live class session: a code, a name, and then a form for each question. */

import { chooseLanguage, fetchWords, type Language, type Words } from "../words";
import { PageAddress, readCode } from "./address";
import { Connection } from "./connection";
import { StudentSession } from "./session";
import { StudentPage } from "./student-page";
import type { Key } from "./texts";

/** Until the texts are tried again on a bad line. */
const RETRY = 1_000;

const address = new PageAddress();
const root = document.getElementById("page") as HTMLElement;
const parameters = new URLSearchParams(location.search);
/** The link in the QR code has a token, which opens a connection even while others try wrong codes. */
const token = parameters.has("t") ? `?t=${encodeURIComponent(parameters.get("t") ?? "")}` : "";

/** Return the texts of a language, as soon as there is a connection. */
const loadWords = (language: Language): Promise<Words<Key>> =>
  fetchWords<Key>(language).catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    return loadWords(language);
  });

function openPage(words: Words<Key>): void {
  const connection = new Connection({
    socketPath: `ws${token}`,
    pollPath: `poll${token}`,
    probePath: `words.${words.language}.json`,
    alwaysPoll: parameters.get("transport") === "poll",
    onOpen: () => session.opened(),
    onMessage: (message) => session.receive(message),
    onLost: (code) => session.lost(code),
  });
  let page: StudentPage | undefined;
  const session = new StudentSession(connection, address, words.language, () => page?.render());
  const choose = async (language: Language): Promise<void> => {
    address.language = language;
    session.setLanguage(language);
    page?.setWords(await loadWords(language));
  };
  page = new StudentPage(root, readCode(), session, words, choose);
}

const language = chooseLanguage(address.language, parameters.get("language"), ...navigator.languages);
openPage(await loadWords(language));
