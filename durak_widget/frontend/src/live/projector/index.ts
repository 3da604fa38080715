/**
 * The entry of the bundle `projector`. It is a widget in the notebook, and it starts automatically on the page projector.html:
 * with the teacher's controls, or with `?view=projector` without them.
 */

import { defineWidget, type WidgetHost } from "../../widgets/widget-host";
import { chooseLanguage, type Texts } from "../words";
import { ProjectorView } from "./projector-view";
import type { Command, Reply, RoomState } from "./protocol";
import { SessionSocket, settle } from "./session-socket";

/** After this time without a reply, the page says that Python is busy. */
const PATIENCE_MS = 2500;

export default defineWidget((host: WidgetHost) => {
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  const firstId = Math.floor(Math.random() * 2 ** 40); // the same widget may be displayed twice
  let nextId = firstId;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAlive = true;

  const getState = (): RoomState | undefined => {
    const state = host.get<RoomState | Record<string, never> | null>("state");
    return state && "phase" in state ? (state as RoomState) : undefined;
  };
  const updateConnection = (): void => {
    clearTimeout(timer);
    if (!isAlive) return view.setConnection("waiting");
    if (!host.get<boolean>("connected")) return view.setConnection("lost");
    view.setConnection("connected");
    if (waiting.size) timer = setTimeout(() => view.setConnection("waiting"), PATIENCE_MS);
  };
  const view = new ProjectorView(
    {
      send: (command: Command) =>
        new Promise<void>((resolve, reject) => {
          const id = nextId++;
          waiting.set(id, { resolve, reject });
          host.send({ kind: "command", command, id });
          updateConnection();
        }),
      // The teacher's page is on the machine of the session. A browser on the same machine can open it.
      findWindow: ({ links }) => (isThisMachine() && links?.teacher ? toWallAddress(links.teacher) : undefined),
      getTheme: () => host.get<string | undefined>("theme"),
    },
    "notebook",
  );
  const updateState = (): void => {
    const state = getState();
    if (state) view.setState(state);
  };
  const updateWords = (): void => view.setWords(host.get<Texts>("words"), host.get<string>("language"));
  host.on("change:state", updateState);
  host.on("change:words", updateWords);
  host.on("change:language", updateWords);
  host.on("change:theme", () => view.applyTheme());
  host.on("change:connected", updateConnection);
  host.on("msg:custom", (message: Reply) => {
    if (message.kind !== "reply" || !waiting.has(message.id)) return;
    settle(waiting, message);
    updateConnection();
  });
  return {
    mount(element) {
      const url = findJupyter();
      if (url) host.send({ kind: "page", base_url: url });
      updateWords();
      updateState();
      updateConnection();
      view.mount(element);
    },
    setConnected(alive) {
      isAlive = alive;
      updateConnection();
    },
    stop() {
      clearTimeout(timer);
      view.stop();
    },
  };
});

/** Return the address of the Jupyter server, as this browser sees it: students may come through it. */
function findJupyter(): string | undefined {
  const text = document.getElementById("jupyter-config-data")?.textContent;
  if (!text) return undefined;
  try {
    const { baseUrl } = JSON.parse(text) as { baseUrl?: string };
    return baseUrl === undefined ? undefined : new URL(baseUrl, location.origin).href;
  } catch {
    return undefined;
  }
}

const isThisMachine = (): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Return the address of the page for the wall. The secret stays behind `#`, so it is never sent in a request. */
function toWallAddress(address: string): string {
  const url = new URL(address);
  url.searchParams.set("view", "projector");
  return url.href;
}

/** Start on the page projector.html. */
function startPage(container: HTMLElement): void {
  const isWall = new URLSearchParams(location.search).get("view") === "projector";
  let language = "";
  let lostText = "";

  const loadWords = async (wanted: string): Promise<void> => {
    if (language === wanted) return;
    language = wanted;
    try {
      const response = await fetch(`words.${wanted}.json`);
      if (!response.ok) throw new Error(response.statusText);
      const texts = (await response.json()) as Texts;
      if (language !== wanted) return;
      lostText = texts.lost ?? "";
      document.documentElement.lang = wanted;
      document.title = texts.title ?? document.title;
      view.setWords(texts, wanted);
    } catch {
      if (language === wanted) language = ""; // tried again with the next state
    }
  };
  const socket: SessionSocket = new SessionSocket(
    new URL("ws", location.href.split(/[?#]/)[0]).href.replace(/^http/, "ws"),
    location.hash.slice(1),
    {
      onState: (state) => {
        void loadWords(state.language);
        view.setState(state);
      },
      onConnection: (connection) => view.setConnection(connection),
    },
    () => lostText,
  );
  const view: ProjectorView = new ProjectorView(
    {
      send: (command) => socket.send(command),
      findWindow: () => toWallAddress(location.href),
    },
    isWall ? "wall" : "teacher",
  );
  void loadWords(chooseLanguage(navigator.language));
  view.mount(container);
}

const page = document.getElementById("durak-projector");
if (page) startPage(page);
