/** The table: paints scenes, announces changes, and turns input into intents. */

import { findFocused, hasChanged, make, onFirstVisible, setAttributes, updateTabStop } from "../widgets/dom";
import { type Card, getFace, type Intent, isLookingBack, type Look, type Message, type Scene } from "../widgets/protocol/scene";
import type { Words } from "../widgets/protocol/words";
import { TableCenter } from "../widgets/table-center";
import { applyTheme, watchTheme } from "../widgets/theme";
import { Callout, MoveDigest } from "./chrome/announcements";
import { ScreenSpace } from "./chrome/fullscreen";
import { LazyBundle } from "./chrome/lazy-bundle";
import { NavigationBar } from "./chrome/navigation-bar";
import { Panels } from "./chrome/side-panel";
import { Commands, type TableParts } from "./commands";
import { Connection, type SentIntent } from "./connection";
import type * as Extras from "./extras/index";
import { clearHighlights, type Drag, listenToKeys, listenToPointer } from "./input";
import { formatCall, isBotOpening, listActions, type Settings, type TableState } from "./intents/actions";
import { CardPlay, Premoves } from "./intents/card-play";
import type { Annotations } from "./panels/annotations";
import { Flights, Motion } from "./view/card-animation";
import { DialogLoader } from "./view/dialog-loader";
import { Hand } from "./view/hand";
import { listResultLines, renderResult, TitleLine } from "./view/match-status";
import { Seats } from "./view/seats";

/** What the table needs from the notebook. */
export interface TableHost {
  scene(): Scene;
  words(): Words;
  look(): Look;
  readonly settings: Settings;
  bots(): readonly string[];
  /** The rules are open from the start. */
  readonly open: boolean;
  send(sent: SentIntent): void;
}

/** The table in one place of the notebook. */
export class Table implements TableParts {
  readonly root: HTMLElement;
  readonly overlay = make("div", "dk-overlay", { "aria-hidden": "true" });
  private readonly felt = make("div", "dk-felt");
  private readonly resultElement = make("div", "dk-result-card", { hidden: true });
  readonly dialog: DialogLoader;
  readonly callout: Callout;
  readonly hand = new Hand();
  readonly center = new TableCenter();
  private readonly seats: Seats;
  readonly motion: Motion;
  private readonly flights: Flights;
  readonly cardPlay: CardPlay;
  readonly premoves: Premoves;
  private readonly digest = new MoveDigest((lines) => this.callout.announce(lines));
  readonly screenSpace: ScreenSpace;
  /** The annotations, once their code is loaded. */
  annotations: Annotations | undefined;
  private readonly navigationBar: NavigationBar;
  private readonly titleLine = new TitleLine(() => this.panels.toggle("rules"));
  readonly panels: Panels;
  readonly extras = new LazyBundle<typeof Extras>(() => this.send({ kind: "extras" }));
  private winProbabilityBar: Extras.WinProbabilityBar | undefined;
  readonly commands: Commands;
  private readonly drag: Drag;
  private readonly connection: Connection;
  private paintedScene: Scene | undefined;
  private lastCall = "";
  /** The table was on the screen. */
  private wasSeen = false;
  private botsStarted = false;
  /** The table is on the page. */
  private isPlaced = false;
  private readonly lifetime = new AbortController();

  constructor(private readonly host: TableHost) {
    const { signal } = this.lifetime;
    this.root = make("section", "dk", { role: "region", tabindex: -1 });
    this.callout = new Callout(this.root, (name) => this.commands.press(name));
    this.connection = new Connection(this, host.send, () => this.handleAnswer());
    this.dialog = new DialogLoader(this.root, this.extras, () => this.callout.hide());
    this.motion = new Motion(this.overlay, () => this.look.motion);
    this.seats = new Seats((seat) => this.commands.replacePlayer(seat));
    this.flights = new Flights(this.motion, { hand: this.hand, center: this.center, seats: this.seats }, this);
    this.cardPlay = new CardPlay(
      this,
      this.dialog,
      () => this.paintChoice(),
      (card) => this.liftCard(card),
      (card, on) => this.premoves.togglePremove(card, on),
    );
    this.premoves = new Premoves(this, {
      sendMove: (move, card) => void this.cardPlay.sendMove(move, card),
      chooseUse: (card) => {
        const element = this.hand.findElement(card);
        if (element) void this.cardPlay.chooseCard(card, element);
      },
      isBusy: () =>
        this.connection.disconnected ||
        this.dialog.isOpen ||
        this.navigationBar.isPlaying ||
        this.cardPlay.picked.length > 0 ||
        this.cardPlay.mode !== undefined,
      onChange: () => this.paintChoice(),
    });
    this.navigationBar = new NavigationBar(this, (name) => this.commands.run(name), signal);
    this.panels = new Panels(
      this,
      () => this.commands,
      () => {
        if (this.panels.open) this.navigationBar.stop(); // Nobody follows a replay while they read a panel.
        this.arrange();
      },
    );
    this.screenSpace = new ScreenSpace(this, () => this.handleResize(), signal);
    this.commands = new Commands(this, { bar: this.navigationBar, settings: host.settings, bots: host.bots });
    this.center.element.append(this.resultElement);
    this.felt.append(
      this.seats.element,
      this.center.element,
      this.hand.element,
      this.callout.element,
      this.titleLine.element,
      this.overlay,
    );
    this.root.append(this.screenSpace.ruler, this.felt, this.navigationBar.element, this.panels.element, this.callout.live);
    this.drag = listenToPointer(this, signal);
    this.addListeners(signal);
  }

  get scene(): Scene {
    return this.host.scene();
  }

  get words(): Words {
    return this.host.words();
  }

  get look(): Look {
    return this.host.look();
  }

  formatSeat(seat: number): string {
    const { viewer: me, seats, is_rotated: turned } = this.scene;
    const isViewer = seat === me && !turned && seats.some(({ player: who }) => who === "you");
    const occupant = seats[seat];
    return isViewer
      ? this.words.say("you")
      : occupant?.is_named
        ? this.words.formatPlayer(occupant.player)
        : this.words.say("name", { number: seat + 1 });
  }

  announce(text: string): void {
    this.callout.announce([text]);
  }

  send(intent: Intent): void {
    if (intent.kind === "move" || intent.kind === "explain_refusal") this.navigationBar.stop();
    if (intent.kind === "move") this.premoves.stop(); // Only one move can be on its way.
    this.connection.send(intent);
  }

  /** Release everything. The place on the page is gone. */
  stop(): void {
    this.lifetime.abort();
    this.connection.stopClock();
    this.premoves.stop();
    this.digest.stop();
    this.motion.finish();
    this.root.remove();
  }

  // Painting

  /** Paint the current scene from Python. */
  paint(): void {
    const { scene, paintedScene } = this;
    if (!("id" in scene)) return;
    if (paintedScene?.id === scene.id) return;
    this.connection.handleAnswer("scene");
    if (!paintedScene || !isOnlyAnalysisUpdate(paintedScene, scene))
      this.callout.letPass(!!paintedScene && isOwnTurn(paintedScene) !== isOwnTurn(scene));
    const snapshot = paintedScene && this.motion.isOn ? this.snapshotCards(paintedScene) : undefined;
    const hadFocus = findFocused(this.root) !== null;
    if (
      paintedScene &&
      (paintedScene.ply !== scene.ply || paintedScene.last_ply !== scene.last_ply || paintedScene.viewer !== scene.viewer)
    )
      this.dialog.dismiss("move");
    if (paintedScene && paintedScene.game !== scene.game) {
      this.dialog.dismiss();
      this.callout.hide();
    }
    clearHighlights(this);
    this.hand.clearSent();
    if (
      !paintedScene ||
      paintedScene.ply !== scene.ply ||
      paintedScene.game !== scene.game ||
      paintedScene.hand.join() !== scene.hand.join()
    )
      this.cardPlay.reset();
    this.paintedScene = scene;
    this.premoves.update();
    this.paintAll();
    if (!paintedScene || !isOnlyAnalysisUpdate(paintedScene, scene)) this.drag.handleAnswer();
    if (paintedScene && (paintedScene.viewer !== scene.viewer || paintedScene.covered !== scene.covered)) this.clearPrivateData();
    if (hadFocus) this.keepFocus();
    if (hadFocus && paintedScene && (paintedScene.game !== scene.game || (paintedScene.is_waiting && !scene.is_waiting)))
      this.scrollToFelt(); // Otherwise only the focus would scroll, and only to the hand.
    if (hadFocus && !this.panels.open && scene.result && paintedScene && paintedScene.last_ply < scene.last_ply) this.callout.focusFirst(); // One tap leads to the next game.
    announceScene(this, paintedScene, () => formatCall(this.state), this.navigationBar.isDragging ? undefined : this.digest);
    if (paintedScene && (paintedScene.ply !== scene.ply || paintedScene.last_ply !== scene.last_ply || paintedScene.game !== scene.game)) {
      if (paintedScene.game !== scene.game) this.panels.startGame();
      this.panels.requestContent();
      this.annotations?.wipe();
    }
    setAttributes(this.root, { "data-scene": scene.id, "data-ply": scene.ply });
    this.startBots();
    if ([paintedScene, scene].some((each) => each?.seats.some(({ is_named: named, hand }) => named || hand)))
      this.extras.use(({ showPortraits }) => showPortraits(this.root, this));
    if (snapshot && paintedScene) this.flights.run(paintedScene, scene, snapshot); // This comes last, because it measures the layout.
    if (snapshot && scene.result && paintedScene && paintedScene.last_ply < scene.last_ply)
      this.extras.use(({ celebrate }) => this.motion.isOn && this.scene === scene && celebrate(this.root, this.overlay, scene));
  }

  /** Tell Python that the user sees the table, so that bots can play. A bot that opens waits for the user. */
  private startBots(): void {
    if (!this.wasSeen || this.botsStarted || !this.scene.is_waiting || isBotOpening(this.scene)) return;
    this.botsStarted = true; // From now on the pause button decides.
    this.send({ kind: "start" });
  }

  /** Remove all private texts. Another person sits here now. */
  private clearPrivateData(): void {
    this.callout.clear();
    this.panels.clearPrivateData();
    this.dialog.dismiss();
    this.annotations?.wipe();
    this.lastCall = "";
  }

  /** Paint the same scene with new words or settings. */
  repaint(): void {
    if (!this.paintedScene) return;
    if (this.root.lang !== this.words.language) this.dialog.dismiss();
    applyTheme(this.root, this.look);
    this.arrange();
    this.paintAll();
  }

  /** If the focused element is gone, focus the hand, the buttons or the table. */
  private keepFocus(): void {
    const focusedElement = findFocused(this.root);
    if (focusedElement?.matches(".dk-pair:not([role=button]), [hidden], [hidden] *")) focusedElement.blur();
    if (findFocused(this.root)) return;
    if (!this.hand.focusCard() && !this.callout.focusFirst()) this.root.focus();
  }

  /** Scroll to the felt, so that it is visible from the other players to the hand. */
  private scrollToFelt(): void {
    this.felt.scrollIntoView({ block: "nearest" });
  }

  private snapshotCards(before: Scene): ReturnType<Flights["snapshot"]> {
    const snapshot = this.flights.snapshot(this.drag.droppedCard);
    this.motion.finish();
    return before.covered ? new Map() : snapshot;
  }

  private paintAll(): void {
    const { scene, words, felt } = this;
    // At the end of a game the felt keeps its height, so that nothing below it moves.
    if (!scene.result) felt.style.minHeight = "";
    else if (this.resultElement.hidden) felt.style.minHeight = `${felt.offsetHeight}px`;
    setAttributes(this.root, { "aria-label": words.say("region"), lang: words.language, "data-over": scene.result !== undefined });
    this.titleLine.paint(this);
    setAttributes(this.root, {
      "data-task": scene.task,
      "data-brief": scene.is_single_move,
      "data-verdict": scene.verdict && String(scene.verdict.right),
    });
    this.seats.paint(this);
    this.center.paint(this);
    this.hand.paint(this);
    this.paintOver();
    this.paintChoice();
    if (this.screenSpace.needsMeasuring) this.arrange();
    this.navigationBar.paint();
    this.panels.paint();
  }

  /** Paint what depends on the selection: highlights, call and buttons. */
  paintChoice(): void {
    const { scene, cardPlay, premoves } = this;
    const { disconnected } = this.connection;
    const { isPlaying } = this.navigationBar;
    const hadFocus = findFocused(this.root) !== null;
    const isReplaying = isLookingBack(scene) && !scene.covered;
    setAttributes(this.root, { "data-disconnected": disconnected, "data-replay": isReplaying });
    this.hand.mark({
      lit: disconnected || isPlaying ? new Set() : cardPlay.findLitCards(),
      picked: cardPlay.picked,
      premove: premoves.card,
    });
    this.center.highlightTargets(scene.legal.beat && !cardPlay.mode ? cardPlay.findTargets() : new Set(), cardPlay.aim);
    const callText = formatCall(this.state);
    if ((cardPlay.mode || cardPlay.aim || cardPlay.picked.length) && callText !== this.lastCall) this.callout.announce([callText]);
    this.lastCall = callText;
    const lines = isReplaying
      ? [this.words.say("replaying", { ply: scene.ply, last: scene.last_ply }), ...(scene.commentary ?? []).slice(-1)]
      : scene.commentary;
    this.callout.paint(
      callText,
      lines ?? [],
      listActions(this.state),
      scene.actor === scene.viewer && !scene.result && !disconnected && !isReplaying,
    );
    if (hadFocus) this.keepFocus();
  }

  private get state(): TableState {
    return {
      scene: this.scene,
      words: this.words,
      play: this.cardPlay,
      disconnected: this.connection.disconnected,
      isDone: this.premoves.isDone,
    };
  }

  private paintOver(): void {
    const { scene, words, resultElement } = this;
    const { result: over } = scene;
    setAttributes(resultElement, { hidden: !over, "data-won": over && String(over.won), "data-beaten": !!over?.beaten });
    if (over && hasChanged(resultElement, over, scene.viewer, words.language))
      resultElement.replaceChildren(renderResult(scene, over, words));
    if (over) this.extras.use(({ completeResult }) => completeResult(this));
    if (scene.review?.turning_points?.length) this.panels.withBundle(() => {}); // The review marks them below the slider.
    if (scene.analysis && !this.winProbabilityBar)
      this.extras.use(({ WinProbabilityBar }) => {
        this.winProbabilityBar ??= new WinProbabilityBar(this);
      });
  }

  /** Mark a played card and lay out the page now, so that less work is left when the answer comes. */
  private liftCard(card: Card | undefined): void {
    const element = card ? this.hand.findElement(card) : undefined;
    if (element && (findFocused(this.root) ?? element) === element) this.hand.moveFocusFrom(element);
    if (element) this.hand.markSent(element);
    this.motion.makeRuler();
  }

  /** Handle a lost or restored connection to Python. */
  setConnected(alive: boolean): void {
    if (!this.connection.setConnected(alive)) return;
    this.paintChoice();
    if (!alive) this.callout.announce([this.words.say("gone")]);
    this.panels.setConnected(alive);
  }

  /** Stop waiting for the answer. */
  private handleAnswer(): void {
    this.drag.handleAnswer();
    this.hand.clearSent();
  }

  // Input

  private addListeners(signal: AbortSignal): void {
    const { root } = this;
    listenToKeys(this, signal);
    root.addEventListener(
      "focusin",
      ({ target }) => {
        const row = target instanceof HTMLButtonElement && target.closest<HTMLElement>("[data-roving]");
        if (row) updateTabStop(row, target as HTMLElement);
      },
      { signal },
    );
    root.addEventListener("contextmenu", (event) => (event.target as Element).closest(".dk-card, .dk-plate") && event.preventDefault(), {
      signal,
    });
    root.addEventListener(
      "pointerdown",
      (down) => {
        if (down.button !== 2 || this.annotations) return;
        let up: PointerEvent | undefined;
        root.addEventListener("pointerup", (event) => (up = event), { signal, once: true });
        this.withAnnotations((annotations) => {
          annotations.start(down);
          if (up) annotations.end(up);
        });
      },
      { signal },
    );
    watchTheme(this.root, () => applyTheme(this.root, this.look), signal);
    onFirstVisible(this.center.element, signal, () => {
      this.wasSeen = true;
      if (this.paintedScene) this.startBots();
    });
  }

  withAnnotations(callback: (annotations: Annotations) => void): void {
    this.panels.withBundle(({ Annotations }) => {
      this.annotations ??= new Annotations(this, this.overlay, this.lifetime.signal);
      callback(this.annotations);
    });
  }

  private handleResize(): void {
    if (!this.paintedScene) return;
    this.felt.style.minHeight = "";
    this.arrange();
    this.navigationBar.paint();
    this.paintChoice();
    for (const popup of [this.dialog, this.callout]) popup.reposition();
    if (this.isPlaced) return;
    this.isPlaced = true;
    // Running the cell moves the focus to the next cell, so scroll back here. An exercise does it for its table.
    if (!this.scene.task && this.root.closest(".jp-Cell:has(+.jp-mod-active)")) this.scrollToFelt();
  }

  private arrange(): void {
    const { screenSpace } = this;
    screenSpace.measure(this.felt);
    this.hand.resize(this.hand.element.clientWidth, screenSpace.scale, screenSpace.maxCardWidth);
    this.center.resize(this.scene, screenSpace.scale);
    this.annotations?.draw();
  }

  handleMessage(message: Message): void {
    this.connection.handleAnswer(message.kind);
    if (message.kind === "announcement") this.announce(message.text);
    else if (message.kind === "open_panel") this.panels.toggle(message.panel);
    else if (message.kind === "extras") void this.extras.load(message);
    else this.panels.handleMessage(message);
  }

  /** Put the table on the page. */
  mount(element: HTMLElement): void {
    applyTheme(this.root, this.look);
    element.append(this.root);
    this.arrange();
    this.paint();
    if (this.host.open) this.panels.show("rules");
  }
}

const isOwnTurn = ({ actor, viewer }: Scene): boolean => actor === viewer;

/** Return whether only analysis results have changed, so that messages stay. */
export function isOnlyAnalysisUpdate(before: Scene, after: Scene): boolean {
  const otherFields = (scene: Scene): string => JSON.stringify({ ...scene, id: 0, analysis: undefined, note: undefined });
  return !after.note && JSON.stringify(before.analysis) !== JSON.stringify(after.analysis) && otherFields(before) === otherFields(after);
}

/** Announce a new scene. `call` returns the call to action. Without a digest nothing is read aloud. */
export function announceScene(table: TableParts, before: Scene | undefined, call: () => string, account: MoveDigest | undefined): void {
  const { scene, hand, callout } = table;
  const { last_move: did, result: over } = scene;
  const sceneNote = before || scene.note?.kind === "error" ? scene.note : undefined; // Notes from before this view existed are outdated.
  const note = sceneNote && table.premoves.describeNote(sceneNote);
  if (note) {
    const anchor =
      (note.card && hand.findElement(getFace(note.card))) || (note.target && table.center.findTarget(note.target)) || undefined;
    callout.showBubble(note, anchor);
    if (anchor && note.kind === "refused") table.motion.shake(anchor);
  } else callout.reposition();
  if (!account) return;
  const hasMoved =
    !before || before.ply !== scene.ply || before.game !== scene.game || before.viewer !== scene.viewer || before.covered !== scene.covered;
  const resultText = over && listResultLines(over, 1).join(" ");
  account.handleScene(
    before,
    scene,
    scene.verdict ? "" : (resultText ?? (scene.covered ? call() : scene.call_to_action[1])),
    note ? [note.text[1]] : [],
  );
  if (hasMoved && before && did && table.look.sound)
    table.extras.use(({ playCardSound }) => playCardSound(did.seat === scene.viewer ? 520 : 390));
}
